from collections.abc import Sequence
from typing import Self

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from ddz_core._position import Position
from ddz_core._values import Hand, Move
from ddz_core.rules import Rules

AUCTION_ONCE: int
AUCTION_UNTIL_PASSES: int
AUCTION_CALL_ROB: int
AUCTION_NONE: int
FIRST_RANDOM: int
FIRST_ROTATES: int
FIRST_SEAT_0: int
FIRST_FACE_UP: int
FIRST_HEART_THREE: int
NOBODY_REDEAL: int
NOBODY_FIRST: int
NOBODY_VOID: int
GIVE_UP: int
TALLY: tuple[tuple[str, tuple[int, ...]], ...]
TALLY_SIZE: int

def simulate_block(
    rules: Rules,
    options: Sequence[int],
    key: npt.NDArray[np.uint64],
    number: int,
    place: int,
    deals: int,
    tally: npt.NDArray[np.int64],
) -> None: ...

@disjoint_base
class DealStream:
    def __new__(
        cls,
        rules: Rules,
        options: Sequence[int],
        key: npt.NDArray[np.uint64],
        number: int,
        place: int,
    ) -> Self: ...
    def next_deal(
        self,
    ) -> tuple[list[list[int]], list[int], list[int], int, int | None]: ...
    def move(self, position: Position, policy: int) -> Move: ...
    def bid(self, hand: Hand, policy: int, legal: int) -> int: ...
