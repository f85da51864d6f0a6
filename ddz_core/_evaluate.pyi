from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ddz_core._position import Position
from ddz_core._values import MoveList
from ddz_core.rules import Rules

def doublings(position: Position) -> int: ...
def move_chunk(
    start: Position,
    moves: MoveList,
    policies: Sequence[int],
    seed: npt.NDArray[np.uint64],
    hands: npt.NDArray[np.uint8],
    points: npt.NDArray[np.int64],
    first: int,
    stop: int,
) -> None: ...
def landlord_chunk(
    rules: Rules,
    hand: int,
    unseen: npt.NDArray[np.uint8],
    has_kitty: bool,
    target: int,
    policies: Sequence[int],
    state: npt.NDArray[np.uint64],
    points: npt.NDArray[np.int64],
) -> None: ...
