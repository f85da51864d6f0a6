"""A slow second opinion on whole games, written from the seeds and rules.md alone.

It imports nothing of ddz_core; of `oracle` it takes only the combinations and which play beats
which. A state keeps the story so far (bids, then moves) and works everything out of it again each
time it is asked, so that it shares no counters, and no mistakes in them, with the core.

Seats are numbers, cards 15 counts, bids texts ("pass", "1", "2", "3", "call", "rob"), moves those
of the oracle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import oracle
from oracle import PASS, Cards, Move


@dataclass(frozen=True)
class Table:
    """What rules.md's tables say of one rule set besides its combinations."""

    players: int = 3
    hand: int = 17
    kitty: int = 3
    auction: str = "numbers once"
    nobody: str = "redeal"
    most_redeals: int | None = None
    kitty_open: bool = True
    bomb_that_doubles: int | None = 4
    spring: str = "played"


TABLES = {
    "standard": Table(),
    "club": Table(),
    "pagat": Table(auction="numbers round and round", kitty_open=False),
    "casual": Table(most_redeals=3, spring="stood"),
    "duel": Table(players=2, auction="call and rob", nobody="first"),
    "four_player": Table(
        players=4,
        hand=25,
        kitty=8,
        auction="numbers round and round",
        kitty_open=False,
        bomb_that_doubles=6,
    ),
    "rlcard": Table(auction="no", spring="no", bomb_that_doubles=None),
    "douzero": Table(auction="no", spring="no"),
    "openspiel": Table(auction="numbers round and round", nobody="void"),
    "botzone": Table(auction="no"),
}


@dataclass(frozen=True)
class Dealt:
    """Cards as dealt, and who speaks first."""

    hands: tuple[Cards, ...]
    kitty: Cards
    opener: int


@dataclass(frozen=True)
class Talk:
    """How an auction stands: whose turn it is with which words, or how it ended."""

    words: tuple[str, ...]
    turn: int | None
    landlord: int | None
    base: int
    robs: int


def minus(a: Cards, b: Cards) -> Cards:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def plus(a: Cards, b: Cards) -> Cards:
    return tuple(x + y for x, y in zip(a, b, strict=True))


# --- The auction ----------------------------------------------------------------------------------


def numbers(table: Table, opener: int, said: tuple[str, ...]) -> Talk:
    """1, 2, 3 or pass; each number above the last (000, 001, 002, 004)."""
    n = table.players
    highest, bidder = 0, None
    for place, word in enumerate(said):
        if word != "pass":
            highest, bidder = int(word), (opener + place) % n
    if table.auction == "numbers once":
        # Everybody has exactly one turn.
        ended = highest == 3 or len(said) == n
    else:
        # Two (four players: three) passes in a row after a bid, or everybody has passed.
        all_passed = highest == 0 and len(said) == n
        others_passed = highest > 0 and len(said) >= n and said[1 - n :] == ("pass",) * (n - 1)
        ended = highest == 3 or all_passed or others_passed
    if ended:
        return Talk((), None, bidder, highest, 0)
    words = ("pass", *(str(number) for number in (1, 2, 3) if number > highest))
    return Talk(words, (opener + len(said)) % n, None, highest, 0)


def call_and_rob(opener: int, said: tuple[str, ...]) -> Talk:
    """003, told as it happens; two seats."""
    candidate, robs, speaker = None, 0, opener
    for word in said:
        if candidate is None:
            if word == "call":
                candidate = speaker
            elif speaker != opener:
                # Neither called: the first player is landlord without a rob.
                return Talk((), None, opener, 1, 0)
        elif word == "rob":
            candidate, robs = speaker, robs + 1
            if robs == 4:
                return Talk((), None, candidate, 1, 4)
        else:
            return Talk((), None, candidate, 1, robs)
        speaker = 1 - speaker
    return Talk(("pass", "call" if candidate is None else "rob"), speaker, None, 1, robs)


def talk(table: Table, opener: int, said: tuple[str, ...]) -> Talk:
    """How the auction of this rule set stands after these words."""
    if table.auction == "no":
        return Talk((), None, opener, 1, 0)
    if table.auction == "call and rob":
        return call_and_rob(opener, said)
    return numbers(table, opener, said)


# --- The game -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GameModel:
    """One state of a game; `after_bid` and `after_move` make the next one."""

    name: str
    deal: Callable[[int], Dealt]  # the deal after so many redeals
    said: tuple[tuple[str, ...], ...] = ((),)  # the words of each deal's auction
    moves: tuple[Move, ...] = ()

    @property
    def table(self) -> Table:
        return TABLES[self.name]

    @property
    def combinations(self) -> oracle.OracleRules:
        return oracle.PRESETS[self.name]

    @property
    def redeals(self) -> int:
        return len(self.said) - 1

    @cached_property
    def dealt(self) -> Dealt:
        return self.deal(self.redeals)

    @cached_property
    def talk(self) -> Talk:
        return talk(self.table, self.dealt.opener, self.said[-1])

    @cached_property
    def landlord(self) -> int | None:
        """Whoever bid highest, or who must take it when nobody bid for the last time."""
        if self.talk.turn is not None:
            return None
        if self.talk.landlord is None and self.redeals == self.table.most_redeals:
            return self.dealt.opener
        return self.talk.landlord

    @property
    def base(self) -> int:
        forced = self.landlord is not None and self.talk.landlord is None
        return 1 if forced else self.talk.base

    @property
    def handicap(self) -> int:
        return self.talk.robs

    def auctions(self) -> list[list[tuple[int, str]]]:
        """(seat, word) of each deal."""
        return [
            [((self.deal(i).opener + j) % self.table.players, word) for j, word in enumerate(said)]
            for i, said in enumerate(self.said)
        ]

    # --- The play -----------------------------------------------------------------------------

    @cached_property
    def story(self) -> list[tuple[int, Move]]:
        """(seat, move): it goes round and nobody is left out."""
        assert not self.moves or self.landlord is not None
        return [((self.landlord + i) % self.table.players, m) for i, m in enumerate(self.moves)]

    @cached_property
    def hands(self) -> list[Cards]:
        """What each seat holds."""
        hands = list(self.dealt.hands)
        if self.landlord is not None:
            hands[self.landlord] = plus(hands[self.landlord], self.dealt.kitty)
        for seat, (cards, _) in self.story:
            hands[seat] = minus(hands[seat], cards)
        return hands

    @cached_property
    def winner(self) -> int | None:
        """The seat whose play was the last: it is at its goal."""
        if not self.moves:
            return None
        seat, move = self.story[-1]
        goal = 0 if seat == self.landlord else self.handicap
        return seat if move != PASS and sum(self.hands[seat]) <= goal else None

    @cached_property
    def phase(self) -> str:
        if self.talk.turn is not None:
            return "auction"
        if self.landlord is None or self.winner is not None:
            return "over"
        return "play"

    @cached_property
    def turn(self) -> int | None:
        if self.phase == "auction":
            return self.talk.turn
        if self.phase == "over":
            return None
        return (self.landlord + len(self.moves)) % self.table.players

    def trailing_passes(self) -> int:
        passes = 0
        while passes < len(self.moves) and self.moves[-1 - passes] == PASS:
            passes += 1
        return passes

    @cached_property
    def to_beat(self) -> tuple[int, Move] | None:
        """(seat, play) on the table; None on a lead."""
        passes = self.trailing_passes()
        if self.landlord is None or len(self.moves) == passes:
            return None
        if passes == self.table.players - 1:
            return None
        return self.story[-1 - passes]

    @cached_property
    def passes(self) -> int:
        return self.trailing_passes() if self.to_beat else 0

    @cached_property
    def legal(self) -> list[Move]:
        """The legal moves; none outside the play."""
        if self.phase != "play":
            return []
        last = self.to_beat
        return oracle.legal(self.hands[self.turn], last and last[1], self.combinations)

    # --- What happens -------------------------------------------------------------------------

    def after_bid(self, word: str) -> GameModel:
        state = replace(self, said=(*self.said[:-1], (*self.said[-1], word)))
        again = state.landlord is None and state.talk.turn is None and self.table.nobody == "redeal"
        return replace(state, said=(*state.said, ())) if again else state

    def after_move(self, move: Move) -> GameModel:
        return replace(self, moves=(*self.moves, move))

    # --- The score ----------------------------------------------------------------------------

    def counted(self) -> dict[str, int]:
        """Bombs, bombs that double, and rockets."""
        sizes = [size for _, (kind, _, _, size) in self.moves if kind == "BOMB"]
        least = self.table.bomb_that_doubles
        return {
            "bombs": len(sizes),
            "doubling_bombs": sum(least is not None and size >= least for size in sizes),
            "rockets": sum(kind == "ROCKET" for _, (kind, *_) in self.moves),
        }

    def stood(self) -> list[tuple[int, int]]:
        """(seat, ply) of each play that everybody else passed on, or that ended the game."""
        story = self.story
        n = self.table.players - 1
        standing = []
        for ply, (seat, move) in enumerate(story):
            following = [later for _, later in story[ply + 1 : ply + 1 + n]]
            ended = ply == len(story) - 1 and self.winner is not None
            if move != PASS and (ended or following == [PASS] * n):
                standing.append((seat, ply))
        return standing

    def spring(self) -> tuple[bool, bool]:
        """(spring, anti-spring)."""
        if self.table.spring == "no":
            return False, False
        plays = [(seat, i) for i, (seat, move) in enumerate(self.story) if move != PASS]
        counted = plays if self.table.spring == "played" else self.stood()
        # The landlord's first lead is the first ply of all.
        peasants_silent = all(seat == self.landlord for seat, _ in counted)
        landlord_only_led = all(seat != self.landlord or ply == 0 for seat, ply in counted)
        won = self.winner == self.landlord
        return won and peasants_silent, not won and landlord_only_led

    def multiplier(self) -> int:
        """What multiplies the base so far."""
        counted = self.counted()
        factor = 2**self.talk.robs * 2 ** counted["doubling_bombs"]
        if self.table.bomb_that_doubles is not None:
            factor *= 2 ** counted["rockets"]
        if self.winner is not None and any(self.spring()):
            factor *= 2
        return factor

    def result(self) -> dict[str, object] | None:
        """Every item of the result by its name; None before the end."""
        if self.phase != "over":
            return None
        n = self.table.players
        items: dict[str, object] = {
            "winner": self.winner,
            "landlord": self.landlord,
            "landlord_won": None,
            "base": self.base,
            "robs": self.talk.robs,
            "spring": False,
            "anti_spring": False,
            "multiplier": self.multiplier(),
            "stake": 0,
            "points": (0,) * n,
            "redeals": self.redeals,
            **self.counted(),
        }
        if self.winner is None:
            return items
        spring, anti_spring = self.spring()
        won = self.winner == self.landlord
        stake = self.base * self.multiplier()
        sign = 1 if won else -1
        points = [-sign * stake] * n
        points[self.landlord] = sign * stake * (n - 1)
        return items | {
            "landlord_won": won,
            "spring": spring,
            "anti_spring": anti_spring,
            "stake": stake,
            "points": tuple(points),
        }

    # --- What a seat sees ---------------------------------------------------------------------

    def kitty_for(self, seat: int | None) -> Cards | None:
        """The kitty as this seat (None: as anybody) may know it."""
        if self.landlord is None:
            return None
        return self.dealt.kitty if self.table.kitty_open or seat == self.landlord else None

    def unseen(self, seat: int) -> Cards:
        """The deck without this hand and everything played."""
        rest = minus(self.combinations.deck(), self.hands[seat])
        for cards, _ in self.moves:
            rest = minus(rest, cards)
        return rest
