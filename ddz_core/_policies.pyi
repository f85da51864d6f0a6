from collections.abc import Sequence
from typing import Final

from ddz_core._position import Position
from ddz_core._values import Hand, Move, MoveList
from ddz_core.auction import Bid
from ddz_core.rules import Rules

POLICY_RANDOM: Final = 0
POLICY_GREEDY: Final = 1
POLICY_RULE: Final = 2
N_POLICIES: Final = 3

def position_move(position: Position, policy: int) -> Move: ...
def move_index(
    rules: Rules,
    policy: int,
    hand: Hand,
    unseen: Hand,
    last: Move | None,
    cards_left: Sequence[int],
    landlord: int,
    seat: int,
    passes: int,
    handicap: int,
    moves: MoveList,
) -> int: ...
def bid_index(rules: Rules, policy: int, hand: Hand, bids: Sequence[Bid]) -> int: ...
