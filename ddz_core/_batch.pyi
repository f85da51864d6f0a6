from typing import final

import numpy as np
import numpy.typing as npt

from ddz_core._values import Move
from ddz_core.rules import Rules

@final
class Block: ...

@final
class Batch:
    def count(self, start: int, stop: int) -> None: ...
    def fill(self, start: int, stop: int) -> None: ...

def legal_moves_batch(
    hands: npt.NDArray[np.uint8],
    last: Move | str | npt.NDArray[np.void] | None = None,
    rules: Rules | str | None = None,
    threads: int | None = None,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.void]]: ...
