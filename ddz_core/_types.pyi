from collections.abc import Iterable, Sequence
from typing import Final

from typing_extensions import disjoint_base

PASS: Final = 0
SINGLE: Final = 1
PAIR: Final = 2
TRIPLE: Final = 3
TRIPLE_SINGLE: Final = 4
TRIPLE_PAIR: Final = 5
STRAIGHT: Final = 6
PAIR_STRAIGHT: Final = 7
AIRPLANE: Final = 8
AIRPLANE_SINGLES: Final = 9
AIRPLANE_PAIRS: Final = 10
QUAD_SINGLES: Final = 11
QUAD_PAIRS: Final = 12
BOMB: Final = 13
ROCKET: Final = 14
SHUTTLE: Final = 15
SHUTTLE_SINGLES: Final = 16
SHUTTLE_PAIRS: Final = 17

@disjoint_base
class CompiledRules:
    def __init__(
        self,
        *,
        name: str,
        deck: Sequence[int],
        kinds: Iterable[int],
        airplane_cap: int,
        quad_cap: int,
        both_jokers: bool,
        extending_kickers: bool,
        held_quads: bool,
        packs: int,
        doubling_bomb: int,
        max_hand: int,
        hand_size: int,
        kitty_size: int,
        n_seats: int,
        spring: int,
    ) -> None: ...
    @property
    def name(self) -> str: ...
