import numpy as np
import numpy.typing as npt

from ddz_core._values import Hand, Move, MoveList
from ddz_core.rules import Rules

def legal_moves(
    hand: Hand | str, last: Move | str | None = None, rules: Rules | str | None = None
) -> MoveList: ...
def count_legal_moves(
    hand: Hand | str, last: Move | str | None = None, rules: Rules | str | None = None
) -> int: ...
def all_plays(rules: Rules | str | None = None) -> MoveList: ...
def classify(cards: Hand | str, rules: Rules | str | None = None) -> tuple[Move, ...]: ...
def legal_moves_batch(
    hands: npt.NDArray[np.uint8],
    last: Move | str | npt.NDArray[np.void] | None = None,
    rules: Rules | str | None = None,
    threads: int | None = None,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.void]]: ...
