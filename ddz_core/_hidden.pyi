from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

@disjoint_base
class Hidden:
    def __init__(
        self,
        seats: int,
        seat: int,
        own: int,
        unseen: npt.NDArray[np.uint8],
        seat_of: Sequence[int],
        sizes: Sequence[int],
        base: npt.NDArray[np.int8],
        most: npt.NDArray[np.int8],
    ) -> None: ...
    @property
    def seats(self) -> int: ...
    @property
    def possible(self) -> bool: ...
    def fill(self, seed: npt.NDArray[np.uint64], hands: npt.NDArray[np.uint8]) -> None: ...
