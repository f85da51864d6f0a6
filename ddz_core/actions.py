"""Numbers for the moves of a rule set, the same in every run and on every machine
(docs/action-ids.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from ddz_core._actions import ActionTable
from ddz_core._values import Move, MoveList, integer, move_dtype
from ddz_core.checks import integers
from ddz_core.errors import IllegalMoveError
from ddz_core.rules import Rules, as_rules
from ddz_core.vocabulary import Kind

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy.typing import NDArray

__all__ = ["ACTION_IDS_VERSION", "ActionSpace"]

# Changes whenever any id of any rule set changes its move.
ACTION_IDS_VERSION = 1


class ActionSpace:
    """Stable numbers for the moves of a rule set: 0 for PASS, then every play with its reading.

    Parameters
    ----------
    rules : Rules or str, optional
        Rule set or preset name; standard by default. Only what can be played matters: `standard`,
        `club` and `casual` have the same ids.

    Attributes
    ----------
    n : int
        Number of ids: 24,640 under `standard`.
    version : int
        Of the numbering of all rule sets together; it changes when any id does.

    Raises
    ------
    DdzError
        No preset of that name.
    TypeError
        Not a rule set, name or None.

    Notes
    -----
    Plays are in the order of `all_plays`: by kind, chain length, main rank, then kickers
    (docs/action-ids.md). Under `held_quads_stay_together` they are those without that option, which
    says what a hand may play and not what a play is.

    Examples
    --------
    >>> space = ActionSpace("standard")
    >>> space.n, space.id("333444+56"), str(space.move(3001))
    (24640, 513, '777888999+JKK')
    """

    __slots__ = ("_rules", "_table")

    version = ACTION_IDS_VERSION

    def __init__(self, rules: Rules | str | None = None) -> None:
        self._rules = as_rules(rules)
        plays = self._rules
        if plays.held_quads_stay_together:
            plays = plays.replace(held_quads_stay_together=False)
        self._table = ActionTable(plays)

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self._rules

    @property
    def n(self) -> int:
        """Number of ids; they are 0 … n - 1."""
        return self._table.n

    @property
    def moves(self) -> MoveList:
        """All moves by id."""
        return self._table.moves()

    @property
    def kinds(self) -> Mapping[Kind, range]:
        """The ids of each kind, which are consecutive; PASS included."""
        kinds = self.moves.array["kind"]
        found, starts, counts = np.unique(kinds, return_index=True, return_counts=True)
        return {
            Kind(int(kind)): range(int(start), int(start + count))
            for kind, start, count in zip(found, starts, counts, strict=True)
        }

    @property
    def digest(self) -> str:
        """SHA-256 of all moves by id as 16 bytes each: equal digests mean equal ids."""
        return sha256(bytes(self.moves.array.tobytes())).hexdigest()

    def move(self, number: SupportsIndex) -> Move:
        """The move of an id.

        Raises
        ------
        IllegalMoveError
            No such id.
        TypeError
            No integer.
        """
        return self._table.move(self._checked(number))

    def id(self, move: Move | str) -> int:
        """The id of a move.

        Raises
        ------
        IllegalMoveError
            Not a move of the rule set; a text may also name none or several.
        InvalidCardsError
            A text with cards that are no hand of the rule set.
        TypeError
            Neither Move nor str.
        """
        number = self._table.find(_as_move(move, self._table.rules))
        if number < 0:
            raise self._foreign(move)
        return number

    def ids(self, moves: Iterable[Move] | NDArray[np.void]) -> NDArray[np.int64]:
        """The ids of many moves.

        Parameters
        ----------
        moves : MoveList, ndarray of move_dtype, or iterable of Move
            Any rows of `legal_moves_batch`, for one.

        Returns
        -------
        ndarray of int64, shape (n,)

        Raises
        ------
        IllegalMoveError
            One of them is no move of the rule set; the message has its place.
        TypeError
            Another dtype, or an entry that is no Move.
        """
        if isinstance(moves, MoveList):
            return self._table.find_all(moves)
        if isinstance(moves, np.ndarray):
            if moves.dtype != move_dtype or moves.ndim != 1:
                raise TypeError(
                    f"moves must be of move_dtype and one dimension, not {moves.dtype} of shape "
                    f"{moves.shape}"
                )
            words = np.ascontiguousarray(moves).view(np.uint64).reshape(-1, 2)
            return self._table.find_array(words)
        if not isinstance(moves, Iterable):
            raise TypeError(f"moves must be a sequence of Move, not {repr(moves)[:80]}")
        return np.array([self.id(_only_move(move)) for move in moves], np.int64)

    def pick(self, ids: NDArray[np.integer[Any]]) -> NDArray[np.void]:
        """The moves of many ids, an array of move_dtype of shape (n,).

        Raises
        ------
        IllegalMoveError
            One of them is no id; the message has its place.
        TypeError
            No array of integers of one dimension.
        """
        numbers = integers(ids, "ids")
        if numbers.ndim != 1:
            raise TypeError(f"ids must have one dimension, not the shape {numbers.shape}")
        if numbers.size and (int(numbers.max()) >= self.n or int(numbers.min()) < 0):
            place = int(np.argmax((numbers >= self.n) | (numbers < 0)))
            raise IllegalMoveError(
                f"ids[{place}] is {numbers[place]}; action ids of rules {self._rules.name!r} are "
                f"0 … {self.n - 1}"
            )
        return self._table.pick(np.ascontiguousarray(numbers, np.int64))

    def mask(
        self,
        moves: Iterable[Move] | NDArray[np.void],
        out: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.bool_]:
        """Which ids are among these moves.

        Parameters
        ----------
        moves : MoveList, ndarray of move_dtype, or iterable of Move
        out : ndarray of bool, shape (n,), optional
            Written into and returned.

        Raises
        ------
        IllegalMoveError, TypeError
            As in `ids`; `out` of another shape or dtype is a TypeError.
        """
        ids = self.ids(moves)
        if out is None:
            out = np.zeros(self.n, np.bool_)
        elif not isinstance(out, np.ndarray) or out.dtype != np.bool_ or out.shape != (self.n,):
            raise TypeError(f"out must be an ndarray of bool of shape ({self.n},)")
        else:
            out[:] = False
        out[ids] = True
        return out

    def _checked(self, number: SupportsIndex) -> int:
        found = integer(number, "action id")
        if not 0 <= found < self.n:
            raise IllegalMoveError(
                f"action id {found} is out of range; those of rules {self._rules.name!r} are 0 … "
                f"{self.n - 1}"
            )
        return found

    def _foreign(self, move: Move | str) -> IllegalMoveError:
        return IllegalMoveError(
            f"{repr(move)[:80]} is no move of rules {self._rules.name!r}, which have {self.n} "
            "actions"
        )

    def __len__(self) -> int:
        return self.n

    def __iter__(self) -> Iterator[Move]:
        return iter(self.moves)

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Move) and self._table.find(move) >= 0

    def __eq__(self, other: object) -> bool:
        """Whether the ids are the same."""
        if not isinstance(other, ActionSpace):
            return NotImplemented
        return self._rules == other._rules or self.moves == other.moves

    def __hash__(self) -> int:
        return hash((self.version, self.n))

    def __reduce__(self) -> tuple[type[ActionSpace], tuple[Rules]]:
        return (type(self), (self._rules,))

    def __repr__(self) -> str:
        return f"<ActionSpace {self._rules.name}: {self.n} ids, version {self.version}>"


def _only_move(move: object) -> Move:
    if not isinstance(move, Move):
        raise TypeError(f"a move must be a Move, not {type(move).__name__}: {repr(move)[:80]}")
    return move


def _as_move(move: Move | str, rules: Rules) -> Move:
    return Move.parse(move, rules) if isinstance(move, str) else _only_move(move)
