from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ddz_core._position import Position
from ddz_core.rules import Rules

SUM_NAMES: tuple[str, ...]

def play_chunk(
    rules: Rules,
    start: Position | None,
    state: npt.NDArray[np.uint64],
    games: int,
    policies: Sequence[int],
    shoe: npt.NDArray[np.uint8] | None = None,
) -> npt.NDArray[np.int64]: ...
def deal_chunk(
    rules: Rules, seed: npt.NDArray[np.uint64], hands: npt.NDArray[np.uint8]
) -> None: ...
