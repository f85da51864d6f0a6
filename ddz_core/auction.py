"""The auction: who becomes the landlord, and for what base.

Every auction goes round from the opener without leaving anybody out, so that the bids alone say
whose turn it is. `Rules.auction` names how it goes:

``"once"`` (000, 001, 004)
    Each seat speaks once: 1, 2 or 3 above the highest bid so far, or pass. A bid of 3 ends it.
``"until_passes"`` (002)
    It goes round until everybody else has passed in a row after a bid, or until a bid of 3. Who
    passed may bid again. It also ends when all have passed.
``"call_rob"`` (003)
    The opener calls or not; if he does not, the other may. After a call each seat in turn may rob,
    whoever declined to call included, until one refuses or the last rob allowed is made.
``"none"``
    No auction: the opener is the landlord at base 1.
"""

from __future__ import annotations

from enum import IntEnum
from operator import index
from typing import TYPE_CHECKING

from ddz_core._values import integer
from ddz_core.errors import DdzError, IllegalMoveError, PhaseError
from ddz_core.rules import Rules, as_rules

if TYPE_CHECKING:
    from typing import SupportsIndex

__all__ = ["Auction", "Bid"]


class Bid(IntEnum):
    """What a seat may say in an auction."""

    PASS = 0
    ONE = 1
    TWO = 2
    THREE = 3
    CALL = 4
    ROB = 5

    def __str__(self) -> str:
        return _TEXTS[self]

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    @classmethod
    def parse(cls, bid: Bid | str | SupportsIndex) -> Bid:
        """The bid given as itself, as its text or as its value.

        Parameters
        ----------
        bid : Bid, str or int
            ``"pass"``, ``"1"``, ``"2"``, ``"3"``, ``"call"`` or ``"rob"`` in any case, blanks
            around it ignored, or a `Bid`'s value.

        Raises
        ------
        IllegalMoveError
            No bid of any auction.
        TypeError
            Neither text nor a whole number.

        Examples
        --------
        >>> Bid.parse(" Rob ")
        <Bid.ROB: 5>
        >>> print(Bid.parse(3), Bid.parse("pass"))
        3 pass
        """
        if isinstance(bid, Bid):
            return bid
        found = None
        if isinstance(bid, str):
            found = _BY_TEXT.get(bid.strip().lower())
        elif isinstance(bid, bool) or not hasattr(bid, "__index__"):
            raise TypeError(
                f"bid must be a Bid, its text or its value, not {type(bid).__name__}: "
                f"{repr(bid)[:80]}"
            )
        elif 0 <= index(bid) < len(_TEXTS):
            found = cls(index(bid))
        if found is None:
            raise IllegalMoveError(
                f"{repr(bid)[:80]} is no bid; bids are {', '.join(_TEXTS)} (or values 0 … 5)"
            )
        return found


_TEXTS = ("pass", "1", "2", "3", "call", "rob")
# Looking up a member of an enum costs as much as a whole play.
PASS, ONE, TWO, THREE, CALL, ROB = Bid
_BY_TEXT = dict(zip(_TEXTS, Bid, strict=True))

# What may follow the highest number bid so far (0: none).
_ABOVE = {
    0: (PASS, ONE, TWO, THREE),
    ONE: (PASS, TWO, THREE),
    TWO: (PASS, THREE),
}
_TO_CALL = (PASS, CALL)
_TO_ROB = (PASS, ROB)
NOBODY = -1


class Auction:
    """One deal's auction.

    Parameters
    ----------
    rules : Rules or str
        Rule set or preset name.
    opener : int
        The seat that speaks first.

    Raises
    ------
    DdzError
        No such seat, or no preset of that name.
    TypeError
        A value of the wrong type.

    Notes
    -----
    A deal in which nobody bid ends without a landlord, unless ``rules.nobody_bids`` is
    ``"first_is_landlord"`` (003): the opener then is landlord at base 1 without a rob. Whether
    to redeal, and for how long, is up to the `Game`.

    Examples
    --------
    >>> auction = Auction("standard", opener=2)
    >>> auction.bid("1")
    >>> [str(bid) for bid in auction.legal_bids()]
    ['pass', '2', '3']
    >>> auction.bid("pass"), auction.bid(2)
    (None, None)
    >>> auction.landlord, auction.base
    (1, 2)
    """

    __slots__ = ("_best", "_bids", "_mode", "_opener", "_over", "_rules")

    def __init__(self, rules: Rules | str | None, opener: SupportsIndex) -> None:
        self._rules = as_rules(rules)
        self._opener = integer(opener, "opener")
        if not 0 <= self._opener < self._rules.players:
            raise DdzError(f"opener is {opener}; there are seats 0 … {self._rules.players - 1}")
        self._mode = self._rules.auction
        self._bids: list[Bid] = []
        # Index of the last bid that was no pass: whoever made it will be the landlord.
        self._best = NOBODY
        self._over = self._mode == "none"

    # ---- what is there -------------------------------------------------------------------------

    @property
    def opener(self) -> int:
        """The seat that speaks first."""
        return self._opener

    @property
    def turn(self) -> int | None:
        """The seat that must speak; None when the auction is over."""
        return None if self._over else self._seat(len(self._bids))

    @property
    def bids(self) -> tuple[tuple[int, Bid], ...]:
        """Every (seat, bid) so far, passes included."""
        return tuple((self._seat(i), bid) for i, bid in enumerate(self._bids))

    @property
    def over(self) -> bool:
        """Whether nobody may speak any more."""
        return self._over

    @property
    def nobody_bid(self) -> bool:
        """Whether it ended without a bid."""
        return self._over and self._best == NOBODY and self._mode != "none"

    @property
    def landlord(self) -> int | None:
        """The landlord's seat; None before the end and where nobody bid and nobody need be."""
        if not self._over:
            return None
        if self._best != NOBODY:
            return self._seat(self._best)
        return self._opener if self._forced else None

    @property
    def base(self) -> int:
        """The highest bid so far, 0 before any; always 1 where bids are no numbers (003)."""
        if self._mode in ("call_rob", "none"):
            return 1
        if self._best != NOBODY:
            return int(self._bids[self._best])
        return 1 if self._over and self._forced else 0

    @property
    def robs(self) -> int:
        """Robs so far (003)."""
        return self._bids.count(ROB)

    @property
    def _forced(self) -> bool:
        """Whether the opener is landlord without a bid of his own."""
        return self._mode == "none" or self._rules.nobody_bids == "first_is_landlord"

    def _seat(self, place: int) -> int:
        return (self._opener + place) % self._rules.players

    def __repr__(self) -> str:
        bids = " ".join(f"{seat}:{bid}" for seat, bid in self.bids) or "no bid yet"
        end = f"landlord {self.landlord}" if self._over else f"turn {self.turn}"
        return f"<Auction {self._mode}: {bids}, {end}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Auction):
            return NotImplemented
        return (
            self._opener == other._opener
            and self._bids == other._bids
            and self._rules == other._rules
        )

    __hash__ = None  # type: ignore[assignment]

    # ---- bids ----------------------------------------------------------------------------------

    def legal_bids(self) -> tuple[Bid, ...]:
        """Everything that the seat whose turn it is may say; empty when the auction is over."""
        if self._over:
            return ()
        if self._mode == "call_rob":
            return _TO_CALL if self._best == NOBODY else _TO_ROB
        return _ABOVE[self.base]

    def bid(self, bid: Bid | str | SupportsIndex) -> None:
        """Bid for the seat whose turn it is.

        Parameters
        ----------
        bid : Bid, str or int
            As `Bid.parse` takes it.

        Raises
        ------
        IllegalMoveError
            Not legal here, or no bid at all.
        PhaseError
            The auction is over.
        """
        bid = Bid.parse(bid)
        if self._over:
            raise PhaseError(f"the auction is over, so {str(bid)!r} cannot be bid")
        legal = self.legal_bids()
        if bid not in legal:
            raise IllegalMoveError(
                f"seat {self.turn} cannot bid {str(bid)!r} here; legal are "
                f"{', '.join(map(str, legal))}"
            )
        if bid is not PASS:
            self._best = len(self._bids)
        self._bids.append(bid)
        self._over = self._is_over()

    def _is_over(self) -> bool:
        """Whether the bid just made is the last one."""
        made, players = len(self._bids), self._rules.players
        last = self._bids[-1]
        if self._mode == "call_rob":
            refused = last is PASS and (self._best != NOBODY or made == players)
            return refused or (last is not PASS and self.robs == self._rules.max_robs)
        if last is THREE or (self._mode == "once" and made == players):
            return True
        # With no bid so far the passes counted are all that were made.
        passes = made - 1 - self._best
        return passes == (players if self._best == NOBODY else players - 1)

    def undo(self) -> None:
        """Take back the last bid.

        Raises
        ------
        PhaseError
            There is none.
        """
        if not self._bids:
            raise PhaseError("there is no bid to undo")
        self._bids.pop()
        if self._best == len(self._bids):
            made = (i for i in reversed(range(self._best)) if self._bids[i] is not PASS)
            self._best = next(made, NOBODY)
        self._over = False

    def copy(self) -> Auction:
        """An independent copy."""
        twin = Auction.__new__(Auction)
        twin._rules = self._rules
        twin._opener = self._opener
        twin._mode = self._mode
        twin._bids = self._bids.copy()
        twin._best = self._best
        twin._over = self._over
        return twin

    __copy__ = copy
