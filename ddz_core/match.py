"""A match: several deals whose points run on (001)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ddz_core._values import integer
from ddz_core.errors import DdzError, PhaseError
from ddz_core.game import Game, Result
from ddz_core.rules import Rules, as_rules
from ddz_core.seeds import child, seed_sequence

if TYPE_CHECKING:
    from typing import SupportsIndex

    from ddz_core.seeds import Seed

__all__ = ["Match"]


class Match:
    """Deals played one after the other; the highest total wins.

    001 plays one deal or a match of 3 or 6; any number works, under any rule set. Redeals are part
    of their deal and score nothing; a void deal (OpenSpiel) counts as one of zero points.

    Parameters
    ----------
    rules : Rules or str, optional
        Rule set or preset name; standard by default.
    deals : int
        Number of scored deals.
    seed : int, sequence of int, SeedSequence, BitGenerator, Generator, optional
        Deals all the cards; deal `n` has child `n` of it.
    first_opener : int
        Who speaks first in the first deal where the first bid goes round (``"rotate"``, 001); then
        it is the next seat in each scored deal. Other rule sets find the first bidder themselves.

    Raises
    ------
    DdzError
        No deal at all, or no such seat.

    Examples
    --------
    >>> match = Match("club", deals=3, seed=1)
    >>> while True:
    ...     while match.game.phase == "auction":
    ...         match.game.bid(match.game.legal_bids()[-1])
    ...     while match.game.phase == "play":
    ...         match.game.play(match.game.legal_moves()[-1])
    ...     if match.over:
    ...         break
    ...     game = match.advance()
    >>> [result.landlord for result in match.results], sum(match.totals)
    ([0, 1, 2], 0)
    """

    __slots__ = ("_deals", "_finished", "_first_opener", "_game", "_rules", "_seed")

    def __init__(
        self,
        rules: Rules | str | None = None,
        deals: SupportsIndex = 1,
        seed: Seed = None,
        first_opener: SupportsIndex = 0,
    ) -> None:
        self._rules = as_rules(rules)
        self._deals = integer(deals, "deals")
        self._first_opener = integer(first_opener, "first_opener")
        if self._deals < 1:
            raise DdzError(f"deals is {self._deals}; a match has at least one deal")
        if not 0 <= self._first_opener < self._rules.players:
            raise DdzError(
                f"first_opener is {self._first_opener}; there are seats 0 … "
                f"{self._rules.players - 1}"
            )
        self._seed = seed_sequence(seed)
        self._finished: list[Result] = []
        self._game = self._deal()

    def _deal(self) -> Game:
        number = len(self._finished)
        seed = child(self._seed, number)
        return Game(self._rules, seed=seed, number=self._first_opener + number)

    # ---- what is there -------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self._rules

    @property
    def deals(self) -> int:
        """How many scored deals the match has."""
        return self._deals

    @property
    def game(self) -> Game:
        """The present game."""
        return self._game

    @property
    def results(self) -> tuple[Result, ...]:
        """How each finished deal ended, the present one included once it is over."""
        result = self._game.result
        return tuple(self._finished) if result is None else (*self._finished, result)

    @property
    def number(self) -> int:
        """Deals scored so far."""
        return len(self.results)

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of each seat so far."""
        points = [result.points for result in self.results]
        return tuple(
            sum(column) for column in zip((0,) * self._rules.players, *points, strict=True)
        )

    @property
    def over(self) -> bool:
        """Whether all deals are played."""
        return self.number == self._deals

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the highest total, each of which has won (001); empty before the end."""
        if not self.over:
            return ()
        totals = self.totals
        return tuple(seat for seat, total in enumerate(totals) if total == max(totals))

    def __repr__(self) -> str:
        return (
            f"<Match {self._rules.name}: {self.number} of {self._deals} deals scored, "
            f"totals {self.totals}>"
        )

    def copy(self) -> Match:
        """An independent copy."""
        twin = Match.__new__(Match)
        twin._rules = self._rules
        twin._deals = self._deals
        twin._first_opener = self._first_opener
        twin._seed = self._seed
        twin._finished = self._finished.copy()
        twin._game = self._game.copy()
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Match:
        return self.copy()

    # ---- on ------------------------------------------------------------------------------------

    def advance(self) -> Game:
        """Deal the next game.

        Raises
        ------
        PhaseError
            The present game is not over, or it was the last one.
        """
        result = self._game.result
        if result is None:
            raise PhaseError(
                f"deal {len(self._finished) + 1} is in its {self._game.phase} phase; "
                "the next one follows when it is over"
            )
        if self.over:
            raise PhaseError(f"the match of {self._deals} deals is over")
        self._finished.append(result)
        self._game = self._deal()
        return self._game
