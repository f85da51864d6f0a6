"""Rule sets: every option by name, and the presets."""

from __future__ import annotations

import dataclasses
import string
from dataclasses import dataclass, field
from typing import Any, Literal

from ddz_core._generate import MAX_MOVES_ONE_PACK, MAX_MOVES_TWO_PACKS
from ddz_core._types import CompiledRules
from ddz_core._values import integer, set_rules_lookup
from ddz_core.checks import flag, wrong_kind
from ddz_core.errors import DdzError
from ddz_core.vocabulary import Kind, Rank

__all__ = ["Rules", "as_rules"]

# The kinds that an option of the same name (in lower case) switches on.
OPTIONAL_KINDS = (
    Kind.TRIPLE_SINGLE,
    Kind.TRIPLE_PAIR,
    Kind.AIRPLANE_SINGLES,
    Kind.AIRPLANE_PAIRS,
    Kind.QUAD_SINGLES,
    Kind.QUAD_PAIRS,
)
SHUTTLE_KINDS = (Kind.SHUTTLE, Kind.SHUTTLE_SINGLES, Kind.SHUTTLE_PAIRS)

# The largest hand that the core's bounds are made for, by number of packs.
LARGEST_HAND = {1: 20, 2: 33}

NAME_LETTERS = frozenset(string.ascii_letters + string.digits + "_-.")

# A bomb size that no bomb has.
NO_BOMB_DOUBLES = 255

# What the options that are words may say.
CHOICES = {
    "direction": ("anticlockwise", "clockwise", "alternate"),
    "first_bidder": ("random", "rotate", "seat_0", "face_up", "heart_three"),
    "auction": ("once", "until_passes", "call_rob", "none"),
    "nobody_bids": ("redeal", "first_is_landlord", "void"),
    "spring": ("played", "standing", "none"),
}


# Filled below, when there are Rules.
_PRESETS: dict[str, Rules] = {}


@dataclass(frozen=True, kw_only=True)
class Rules:
    """One rule set; every difference between tables is a named option.

    Use a preset (`Rules.standard()`, `Rules.preset("club")`) and change it with `replace`. Presets
    follow documents 000 to 004 or another program; docs/rules.md says what these are, has the
    options of every preset in one table, and gives our reading where a document is silent.

    Parameters
    ----------
    name : str
        Shown in messages and written into texts.
    players : int
        2, 3 or 4 players, one of them the landlord.
    packs : int
        1 (54 cards) or 2 (108 cards). With two packs bombs have four to eight cards, the rocket is
        all four jokers, and airplanes and quads take no single kickers (document 002).
    lowest_rank : Rank
        Ranks below it are removed from the deck (duel: ``Rank.FIVE``).
    hand_size, kitty_size : int
        Cards dealt to each seat and cards that the landlord takes up besides.
    airplane_kicker_cap, quad_kicker_cap : int
        1 … 4: how many single kickers of one play may have the same rank, with an airplane (or
        shuttle) and with a quad.
    both_jokers_as_kickers : bool
        Whether B and R may both be single kickers of one play.
    chain_extending_kickers : bool
        Whether three (or four) single kickers of one rank may lengthen their airplane's own chain.
    triple_single, triple_pair, airplane_singles, airplane_pairs, quad_singles, quad_pairs : bool
        Whether the kind exists.
    shuttles : bool
        Whether chains of quads exist, alone, with two singles or with two pairs a quad.
    held_quads_stay_together : bool
        Who holds four of a rank may only play them together, alone or as a quad's main part.
    direction : {"anticlockwise", "clockwise", "alternate"}
        How the seats are arranged on a table; seats are numbered in the order of play in any case.
    first_bidder : {"random", "rotate", "seat_0", "face_up", "heart_three"}
        Who speaks first: a seat drawn at random; the next seat each scored deal; always seat 0; who
        draws the face-up card; who holds the 3 of hearts, else the 4, and so on.
    auction : {"once", "until_passes", "call_rob", "none"}
        Bids of 1, 2 or 3, each above the last, 3 ending it: one turn each, or round and round until
        all the others pass; or call and rob; or no auction, the first bidder being landlord.
    nobody_bids : {"redeal", "first_is_landlord", "void"}
        What happens when nobody bids: a fresh deal; the first bidder is landlord; no score.
    max_redeals : int or None
        After so many redeals the first bidder is landlord at base 1; None for no limit.
    max_robs : int
        The rob that ends a call-and-rob auction at once.
    kitty_shown : bool
        Whether all see the kitty before the landlord takes it up.
    bombs_double : bool
        Whether bombs and rockets double the score at all.
    doubling_bomb_size : int
        Cards of the smallest bomb that does.
    spring : {"played", "standing", "none"}
        Whether springs count every play made, or only plays that won their trick, or do not exist.

    Raises
    ------
    DdzError
        An option out of its range, or options that cannot go together.
    TypeError
        An option of the wrong type.
    """

    name: str = "custom"
    players: int = 3
    packs: int = 1
    lowest_rank: Rank = Rank.THREE
    hand_size: int = 17
    kitty_size: int = 3
    airplane_kicker_cap: int = 2
    quad_kicker_cap: int = 2
    both_jokers_as_kickers: bool = False
    chain_extending_kickers: bool = True
    triple_single: bool = True
    triple_pair: bool = True
    airplane_singles: bool = True
    airplane_pairs: bool = True
    quad_singles: bool = True
    quad_pairs: bool = True
    shuttles: bool = False
    held_quads_stay_together: bool = False
    direction: Literal["anticlockwise", "clockwise", "alternate"] = "anticlockwise"
    first_bidder: Literal["random", "rotate", "seat_0", "face_up", "heart_three"] = "random"
    auction: Literal["once", "until_passes", "call_rob", "none"] = "once"
    nobody_bids: Literal["redeal", "first_is_landlord", "void"] = "redeal"
    max_redeals: int | None = None
    max_robs: int = 4
    kitty_shown: bool = True
    bombs_double: bool = True
    doubling_bomb_size: int = 4
    spring: Literal["played", "standing", "none"] = "played"
    _core: CompiledRules = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._check_types()
        self._check_ranges()
        if self.name in _PRESETS and self != _PRESETS[self.name]:
            raise DdzError(f"name {self.name!r} belongs to a preset with other options")
        object.__setattr__(self, "_core", self._compile())

    # ---- presets -------------------------------------------------------------------------------

    @classmethod
    def standard(cls) -> Rules:
        """Three players, one pack: document 000 (docs/rules.md).

        At most two equal kickers, never both jokers; each bids once, from a seat drawn at random;
        when nobody bids the cards are dealt again.
        """
        return cls(name="standard")

    @classmethod
    def club(cls) -> Rules:
        """A club's house rules: document 001 (docs/rules.md).

        It sets no cap on equal single kickers in words; we read two at most, as document 000 does,
        since a third would make 333444555666 two plays at once. `replace(airplane_kicker_cap=4)`
        takes it literally. The first bid goes round by scored deals: a redeal does not move it.
        """
        return cls(name="club", direction="clockwise", first_bidder="rotate")

    @classmethod
    def pagat(cls, *, distinct_kickers: bool = False) -> Rules:
        """A game encyclopedia's rules for three players: document 002 (docs/rules.md).

        A quad's two single kickers differ in rank. The document bars both jokers in words only
        beside an airplane; we bar them beside a quad too. Who draws the face-up card speaks first,
        never one of the last three cards; the auction goes round until two pass in a row after a
        bid; the kitty is private, as the base text has it (`replace(kitty_shown=True)` is its
        variant, `first_bidder` has the others).

        Parameters
        ----------
        distinct_kickers : bool
            Pagat's older printed reading: an airplane's single kickers differ as well.

        Returns
        -------
        Rules
            Named ``pagat``, or ``pagat_distinct`` with distinct kickers.
        """
        distinct_kickers = flag(distinct_kickers, "distinct_kickers")
        return cls(
            name="pagat_distinct" if distinct_kickers else "pagat",
            airplane_kicker_cap=1 if distinct_kickers else 2,
            quad_kicker_cap=1,
            first_bidder="face_up",
            auction="until_passes",
            kitty_shown=False,
        )

    @classmethod
    def duel(cls) -> Rules:
        """Two players, 46 cards without threes and fours, nine never dealt: document 003.

        Its sentence that four of a rank must be played together is read about the play, not the
        hand, as in document 000 (docs/rules.md); `replace(held_quads_stay_together=True)` takes it
        literally. Call, then rob in turn, at most four times; each rob doubles, and lets the
        peasant win with one card more in hand.
        """
        return cls(
            name="duel",
            players=2,
            lowest_rank=Rank.FIVE,
            direction="alternate",
            auction="call_rob",
            nobody_bids="first_is_landlord",
        )

    @classmethod
    def casual(cls) -> Rules:
        """A casual site's rules: document 004 (docs/rules.md).

        Plays as in `standard`; springs count only plays that stood; seat 0, the human at that
        table, speaks first; after three redeals it is landlord at base 1.
        """
        return cls(name="casual", first_bidder="seat_0", max_redeals=3, spring="standing")

    @classmethod
    def four_player(cls) -> Rules:
        """Four players and two packs: the variant in document 002 (docs/rules.md).

        No single kickers, no quads with kickers, bombs of four to eight cards, the rocket is all
        four jokers, and only bombs of six cards or more double. The document is silent on the rest:
        auction and kitty as in `pagat`, the first bidder at random.
        """
        return cls(
            name="four_player",
            players=4,
            packs=2,
            hand_size=25,
            kitty_size=8,
            triple_single=False,
            airplane_singles=False,
            quad_singles=False,
            quad_pairs=False,
            auction="until_passes",
            kitty_shown=False,
            doubling_bomb_size=6,
        )

    @classmethod
    def rlcard(cls) -> Rules:
        """What RLCard plays: up to three equal kickers with an airplane, but no triple that would
        lengthen its chain. No auction, and nothing doubles.

        Source: the action file of RLCard 1.2.0, 27,471 plays and a pass (docs/rules.md).
        """
        return cls(
            name="rlcard",
            airplane_kicker_cap=3,
            chain_extending_kickers=False,
            auction="none",
            first_bidder="seat_0",
            bombs_double=False,
            spring="none",
        )

    @classmethod
    def douzero(cls) -> Rules:
        """What DouZero plays: up to four equal kickers with an airplane, both jokers allowed. No
        auction and no springs; bombs and the rocket double, as in its `adp` objective.

        Source: DouZero's move generator, which lists more than its own detector accepts
        (docs/rules.md).
        """
        return cls(
            name="douzero",
            airplane_kicker_cap=4,
            both_jokers_as_kickers=True,
            auction="none",
            first_bidder="seat_0",
            spring="none",
        )

    @classmethod
    def openspiel(cls) -> Rules:
        """OpenSpiel's action space: up to three equal kickers, no quads with kickers.

        The auction goes round as in document 002, from who draws the face-up card; a deal that all
        pass is over at 0.

        Source: the actions of OpenSpiel 2.0.2 (docs/rules.md). Its legal actions differ from these
        and from its rules in two ways that are not followed here: it misses every chain that starts
        on a rank held four times, and it offers bombs against the rocket.
        """
        return cls(
            name="openspiel",
            airplane_kicker_cap=3,
            quad_singles=False,
            quad_pairs=False,
            first_bidder="face_up",
            auction="until_passes",
            nobody_bids="void",
        )

    @classmethod
    def botzone(cls) -> Rules:
        """Botzone's plays: all kickers differ, both jokers allowed, shuttles; no auction.

        Source: Botzone's judge program, for its plays alone (docs/rules.md).
        """
        return cls(
            name="botzone",
            airplane_kicker_cap=1,
            quad_kicker_cap=1,
            both_jokers_as_kickers=True,
            shuttles=True,
            auction="none",
            first_bidder="seat_0",
        )

    @classmethod
    def preset(cls, name: str) -> Rules:
        """The preset of this name.

        Parameters
        ----------
        name : str
            One of `preset_names`.

        Returns
        -------
        Rules

        Raises
        ------
        DdzError
            No such preset.
        TypeError
            No str.
        """
        if not isinstance(name, str):
            raise TypeError(f"name must be a str, not {type(name).__name__}: {repr(name)[:80]}")
        if name not in _PRESETS:
            raise DdzError(f"no rule set {name[:80]!r}; presets are {', '.join(_PRESETS)}")
        return _PRESETS[name]

    @staticmethod
    def preset_names() -> tuple[str, ...]:
        """Names that `preset` knows."""
        return tuple(_PRESETS)

    def replace(self, **changes: Any) -> Rules:
        """A copy with some options changed.

        Parameters
        ----------
        **changes
            Options of `Rules` by name. The copy is called ``custom`` unless `name` is among them.

        Returns
        -------
        Rules

        Raises
        ------
        DdzError
            An option out of its range, options that cannot go together, or a preset's name for
            other options.
        TypeError
            An option of the wrong type, or one that does not exist.
        """
        return dataclasses.replace(self, **{"name": "custom", **changes})

    # ---- what follows from the options ---------------------------------------------------------

    @property
    def deck(self) -> tuple[int, ...]:
        """Cards of each rank in the whole deck: 15 ints, ``3 4 5 6 7 8 9 T J Q K A 2 B R``."""
        return tuple(
            (self.packs if rank >= Rank.BLACK_JOKER else 4 * self.packs)
            if rank >= self.lowest_rank
            else 0
            for rank in Rank
        )

    @property
    def max_hand(self) -> int:
        """Cards in the landlord's hand, the largest of any seat."""
        return self.hand_size + self.kitty_size

    @property
    def max_moves(self) -> int:
        """Most legal moves that any hand has, PASS included, under the most permissive rules of as
        many packs; the smallest buffer that always suffices for one pack. With two packs it is the
        largest number that a search has found."""
        return MAX_MOVES_ONE_PACK if self.packs == 1 else MAX_MOVES_TWO_PACKS

    @property
    def kinds(self) -> frozenset[Kind]:
        """Kinds of play that exist, PASS included."""
        off = {kind for kind in OPTIONAL_KINDS if not getattr(self, kind.name.lower())}
        if not self.shuttles:
            off.update(SHUTTLE_KINDS)
        return frozenset(Kind) - off

    def _check_types(self) -> None:
        for option in dataclasses.fields(self):
            if not option.init:
                continue
            value = getattr(self, option.name)
            wanted = int if option.name == "max_redeals" else type(option.default)
            if value is None and option.default is None:
                continue
            if wanted is Rank:
                object.__setattr__(self, option.name, integer(value, option.name))
                continue
            if wanted is int:
                # An exact int, so that comparisons below are its own.
                object.__setattr__(self, option.name, integer(value, option.name))
                continue
            if wanted is str and isinstance(value, str):
                object.__setattr__(self, option.name, str.__str__(value))
                continue
            if not isinstance(value, wanted):
                raise TypeError(
                    f"{option.name} must be {wanted.__name__}, not {type(value).__name__}: "
                    f"{repr(value)[:80]}"
                )

    def _check_ranges(self) -> None:
        def between(name: str, low: int, high: int) -> None:
            if not low <= getattr(self, name) <= high:
                raise DdzError(f"{name} is {getattr(self, name)}; it must be {low} … {high}")

        if not 0 < len(self.name) <= 64 or set(self.name) - NAME_LETTERS:
            raise DdzError(
                f"name is {self.name[:80]!r}; it must be one word of 1 to 64 letters, digits or _-."
            )
        between("players", 2, 4)
        between("packs", 1, 2)
        between("lowest_rank", Rank.THREE, Rank.TWO)
        between("airplane_kicker_cap", 1, 4)
        between("quad_kicker_cap", 1, 4)
        between("doubling_bomb_size", 4, 8)
        object.__setattr__(self, "lowest_rank", Rank(self.lowest_rank))
        between("max_robs", 1, 16)
        if self.max_redeals is not None:
            between("max_redeals", 0, 1000)
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise DdzError(
                    f"{name} is {getattr(self, name)[:80]!r}; "
                    f"it must be one of {', '.join(choices)}"
                )
        if self.auction == "call_rob" and self.players != 2:
            raise DdzError(f"call_rob is an auction for two players, not {self.players}")
        largest = LARGEST_HAND[self.packs]
        between("hand_size", 1, largest)
        between("kitty_size", 0, largest)
        if self.max_hand > largest:
            raise DdzError(
                f"hand_size {self.hand_size} and kitty_size {self.kitty_size} make a hand of "
                f"{self.max_hand}; with {self.packs} packs at most {largest} are allowed"
            )
        dealt = self.players * self.hand_size + self.kitty_size
        if dealt > sum(self.deck):
            raise DdzError(f"{dealt} cards to deal, but the deck has {sum(self.deck)}")
        single_kickers = [
            name
            for name in ("airplane_singles", "quad_singles", "quad_pairs", "shuttles")
            if getattr(self, name)
        ]
        if self.packs == 2 and single_kickers:
            raise DdzError(f"two packs have no {' or '.join(single_kickers)} (002, four players)")
        if self.packs == 2 and self.held_quads_stay_together:
            raise DdzError("held_quads_stay_together is a rule for one pack")

    def _compile(self) -> CompiledRules:
        return CompiledRules(
            name=self.name,
            deck=self.deck,
            kinds=[int(kind) for kind in self.kinds],
            airplane_cap=self.airplane_kicker_cap,
            quad_cap=self.quad_kicker_cap,
            both_jokers=self.both_jokers_as_kickers,
            extending_kickers=self.chain_extending_kickers,
            held_quads=self.held_quads_stay_together,
            packs=self.packs,
            doubling_bomb=self.doubling_bomb_size if self.bombs_double else NO_BOMB_DOUBLES,
            max_hand=self.max_hand,
            hand_size=self.hand_size,
            kitty_size=self.kitty_size,
            n_seats=self.players,
            spring=("none", "played", "standing").index(self.spring),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        options = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.init}
        return (_restored, (options,))


def _restored(options: dict[str, Any]) -> Rules:
    return Rules(**options)


_PRESETS.update(
    (rules.name, rules)
    for rules in (
        Rules.standard(),
        Rules.club(),
        Rules.pagat(),
        Rules.pagat(distinct_kickers=True),
        Rules.duel(),
        Rules.casual(),
        Rules.four_player(),
        Rules.rlcard(),
        Rules.douzero(),
        Rules.openspiel(),
        Rules.botzone(),
    )
)


def as_rules(rules: Rules | str | None) -> Rules:
    """A rule set given as itself, by its preset's name, or None for standard."""
    if rules is None:
        return _PRESETS["standard"]
    if isinstance(rules, Rules):
        return rules
    if isinstance(rules, str):
        return Rules.preset(rules)
    raise wrong_kind(rules, "rules", "a Rules, a preset's name or None")


set_rules_lookup(_PRESETS["standard"]._core, as_rules)
