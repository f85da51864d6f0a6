from ddz_core._values import Hand, Move, MoveList
from ddz_core.rules import Rules

def legal_moves(
    hand: Hand | str, last: Move | str | None = None, rules: Rules | str | None = None
) -> MoveList: ...
def count_legal_moves(
    hand: Hand | str, last: Move | str | None = None, rules: Rules | str | None = None
) -> int: ...
def legal_move_at(
    hand: Hand | str,
    index: int,
    last: Move | str | None = None,
    rules: Rules | str | None = None,
) -> Move: ...
def all_plays(rules: Rules | str | None = None) -> MoveList: ...
def classify(cards: Hand | str, rules: Rules | str | None = None) -> tuple[Move, ...]: ...
