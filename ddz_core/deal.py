"""Deals: who holds which suited cards and speaks first, given, dealt or read from a code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ddz_core._values import Hand, integer
from ddz_core.checks import between, one_of, sorted_cards, wrong_kind
from ddz_core.deal_code import MAX_HAND_SIZE, MAX_KITTY_SIZE, Content, Layout, decode, encode
from ddz_core.dealing import deal_stream, dealer_of
from ddz_core.errors import DdzError, InvalidCardsError
from ddz_core.rules import Rules, as_rules
from ddz_core.suited import PACK, SUITS, card_name, deck_of
from ddz_core.vocabulary import Rank

if TYPE_CHECKING:
    from ddz_core._stream import Stream
    from ddz_core.dealing import Piles
    from ddz_core.seeds import Seed

__all__ = ["SUITS", "Deal", "card_name", "deal"]

# Bounds of deals before and of tries.
LARGEST_NUMBER = 10**12


@dataclass(frozen=True)
class Deal:
    """Who was dealt which suited cards, and who speaks first.

    A deal knows its layout (players, packs, lowest rank, sizes) but no rules: the same cards may be
    played under any rule set that `fits`. The order in which cards were dealt is not kept.

    Parameters
    ----------
    hands : sequence of sequences of int
        Each seat's suited cards; kept sorted, as tuples.
    kitty : sequence of int
        The landlord's extra cards.
    undealt : sequence of int
        Cards that nobody gets (duel).
    opener : int
        The seat that speaks first.
    face_up : int, optional
        The face-up card whose holder is the opener, where the first bidder was found as in
        document 002 (docs/rules.md).
    packs : int
        1 or 2.
    lowest_rank : Rank
        Ranks below it are not in the deck.

    Raises
    ------
    InvalidCardsError
        A card that is not in the deck, or is there twice, or is nowhere.
    DdzError
        Hands of different sizes, or another value out of its range.
    TypeError
        A value of the wrong type.

    Examples
    --------
    >>> made = deal("standard", seed=2)
    >>> print(made.hand(0))
    336789TTTJJJQKK2B
    >>> made.code
    'AA7AZABD4XJTRE57XL5X6ZG9TNKRY2T'
    >>> Deal.from_code(made.code) == made
    True
    """

    hands: tuple[tuple[int, ...], ...]
    kitty: tuple[int, ...]
    undealt: tuple[int, ...] = ()
    opener: int = 0
    face_up: int | None = None
    packs: int = 1
    lowest_rank: Rank = Rank.THREE

    def __post_init__(self) -> None:
        def put(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        put("packs", between(self.packs, "packs", 1, 2))
        lowest = between(self.lowest_rank, "lowest_rank", Rank.THREE, Rank.TWO)
        put("lowest_rank", Rank(lowest))
        if isinstance(self.hands, str) or not isinstance(self.hands, Iterable):
            raise TypeError(f"hands must be a sequence of hands, not {repr(self.hands)[:80]}")
        hands = tuple(sorted_cards(hand, f"hand {i}") for i, hand in enumerate(self.hands))
        put("hands", hands)
        put("kitty", sorted_cards(self.kitty, "kitty"))
        put("undealt", sorted_cards(self.undealt, "undealt"))
        between(len(hands), "number of hands", 2, 4)
        for seat, hand in enumerate(hands):
            between(len(hand), f"number of cards in hand {seat}", 1, MAX_HAND_SIZE)
            if len(hand) != len(hands[0]):
                raise DdzError(
                    f"hand {seat} has {len(hand)} cards and hand 0 has {len(hands[0])}; "
                    "all hands must have the same size"
                )
        between(len(self.kitty), "number of cards in the kitty", 0, MAX_KITTY_SIZE)
        self._check_conservation()
        put("opener", between(self.opener, "opener", 0, self.players - 1))
        if self.face_up is not None:
            put("face_up", self._checked_face_up(self.face_up))

    def _check_conservation(self) -> None:
        places: dict[int, str] = {}
        deck = deck_of(self.packs, self.lowest_rank)
        allowed = frozenset(deck)
        piles = [(f"hand {seat}", hand) for seat, hand in enumerate(self.hands)]
        for where, cards in (*piles, ("kitty", self.kitty), ("undealt", self.undealt)):
            for card in cards:
                if card not in allowed:
                    raise InvalidCardsError(
                        f"card id {card} in {where} is not in the deck of {self.packs} pack(s) "
                        f"from rank {self.lowest_rank.symbol} up"
                    )
                if card in places:
                    raise InvalidCardsError(
                        f"{card_name(card)} (card id {card}) occurs twice: "
                        f"in {places[card]} and in {where}"
                    )
                places[card] = where
        missing = [card for card in deck if card not in places]
        if missing:
            names = ", ".join(f"{card_name(card)} ({card})" for card in missing[:5])
            raise InvalidCardsError(
                f"{len(missing)} of the deck's {len(deck)} cards are missing: {names}"
                f"{' …' if len(missing) > 5 else ''}"
            )

    def _checked_face_up(self, face_up: int) -> int:
        card = integer(face_up, "face_up")
        holders = [seat for seat, hand in enumerate(self.hands) if card in hand]
        if not holders:
            raise InvalidCardsError(f"face_up is card id {card}, which is in no hand")
        if holders[0] != self.opener:
            raise DdzError(
                f"opener is {self.opener}, but the face-up card {card_name(card)} "
                f"(card id {card}) is in hand {holders[0]}"
            )
        return card

    @classmethod
    def _trusted(  # noqa: PLR0917
        cls,
        hands: tuple[tuple[int, ...], ...],
        kitty: tuple[int, ...],
        undealt: tuple[int, ...],
        opener: int,
        face_up: int | None,
        packs: int,
        lowest_rank: Rank,
    ) -> Deal:
        """A deal of values that are known to be right and sorted."""
        made = object.__new__(cls)
        made.__dict__.update(
            hands=hands,
            kitty=kitty,
            undealt=undealt,
            opener=opener,
            face_up=face_up,
            packs=packs,
            lowest_rank=lowest_rank,
        )
        return made

    # ---- what it says --------------------------------------------------------------------------

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.hands)

    @property
    def hand_size(self) -> int:
        """Cards dealt to each seat."""
        return len(self.hands[0])

    @property
    def kitty_size(self) -> int:
        """Cards in the kitty."""
        return len(self.kitty)

    def hand(self, seat: int) -> Hand:
        """A seat's cards by rank, without the kitty."""
        return Hand.from_ids(self.hands[between(seat, "seat", 0, self.players - 1)])

    @property
    def kitty_cards(self) -> Hand:
        """The kitty by rank."""
        return Hand.from_ids(self.kitty)

    @property
    def undealt_cards(self) -> Hand:
        """The cards that nobody gets, by rank."""
        return Hand.from_ids(self.undealt)

    def fits(self, rules: Rules | str | None = None) -> None:
        """Make sure that the deal has the layout of a rule set.

        Parameters
        ----------
        rules : Rules or str, optional
            Rule set or preset name; standard by default.

        Raises
        ------
        DdzError
            Other players, packs, lowest rank, hand size or kitty size than the rule set has.
        """
        chosen = as_rules(rules)
        for name in ("players", "packs", "lowest_rank", "hand_size", "kitty_size"):
            ours, theirs = getattr(self, name), getattr(chosen, name)
            if ours != theirs:
                raise DdzError(
                    f"the deal has {name} {_shown(ours)}, but rule set {chosen.name!r} has "
                    f"{_shown(theirs)}"
                )

    # ---- the code ------------------------------------------------------------------------------

    @property
    def code(self) -> str:
        """A short text that recreates the deal.

        Letters and digits without 0, 1, I and O: a version letter, four letters for the layout,
        then opener or face-up card and all piles as one number, and six letters of checksum.
        Any four wrong letters are detected for certain; other damage goes unnoticed once in
        2**30. 31 characters for three players, 27 for the duel, 59 for four players with two packs.
        """
        layout = Layout(self.players, self.packs, self.lowest_rank, self.hand_size, self.kitty_size)
        content = Content(self.hands, self.kitty, self.undealt, self.opener, self.face_up)
        return encode(layout, content)

    @classmethod
    def from_code(cls, text: str) -> Deal:
        """The deal with this code.

        Parameters
        ----------
        text : str
            A `code`, in capitals or not; ``-`` and white space around it are ignored.

        Raises
        ------
        RecordError
            A text that is no code, a damaged code, or the code of another version.
        """
        layout, content = decode(text)
        return cls._trusted(*content, layout.packs, layout.lowest_rank)


def _shown(value: int) -> str:
    return value.symbol if isinstance(value, Rank) else str(value)


def deal(
    rules: Rules | str | None = None,
    seed: Seed = None,
    *,
    number: int = 0,
    opener: int | None = None,
    fixed: Mapping[int | str, str | Hand | Iterable[int]] | None = None,
    predicate: Callable[[Deal], object] | None = None,
    style: Literal["shuffled", "unshuffled"] = "shuffled",
    max_tries: int = 10_000,
) -> Deal:
    """Deal the cards of a rule set, and find the seat that speaks first.

    Parameters
    ----------
    rules : Rules or str, optional
        Rule set or preset name; standard by default.
    seed : int, sequence of int, SeedSequence, BitGenerator, Generator, optional
        As for `numpy.random.default_rng`. The same seed gives the same deal on any machine and
        with any NumPy (see Notes for what is promised).
    number : int
        Deals scored before this one. Where the first bid goes round (``first_bidder="rotate"``,
        document 001) seat `number` mod players speaks first.
    opener : int, optional
        The seat that speaks first, whatever the rule set says. A face-up card is then one of its
        cards.
    fixed : mapping, optional
        Cards that a seat (0, 1 …) or the ``"kitty"`` has in any case: a text or `Hand`, which fixes
        how many of each rank it has at least, or suited card ids. All deals that agree are equally
        likely. Fixed cards are fixed as dealt, so that the landlord's come before the kitty.
    predicate : callable, optional
        Called with each `Deal` drawn; the first for which it returns true is taken, so that all
        such deals are equally likely.
    style : {"shuffled", "unshuffled"}
        ``"unshuffled"`` is 不洗牌 as card rooms offer it, for hands full of bombs: the pack lies in
        the order of ranks (equal ranks in any order), four times a packet is taken out of it and
        put on top, it is cut once, and from a seat drawn at random on everyone is dealt runs of up
        to six cards (17 as 6, 6 and 5) until the hands are full; the kitty comes last. The hands
        of a deal then hold 4.5 bombs on average, against 0.29 of a shuffled pack, and 0.71 rockets
        against 0.29 (three players). Fixed cards are taken out first.
    max_tries : int
        Deals drawn at most before the search for `predicate` is given up.

    Returns
    -------
    Deal

    Raises
    ------
    InvalidCardsError
        Fixed cards that the deck does not have, or more than a hand holds.
    DdzError
        A value out of its range, or no deal found for `predicate`.
    TypeError
        A value of the wrong type.

    Notes
    -----
    The first bidder is found as the rule set's ``first_bidder`` says; where that comes from is told
    by document numbers, which docs/rules.md explains. It is drawn at random (document 000); the
    next seat each deal (001); seat 0 (004); the holder of a card turned face up, which is drawn
    among the cards of the hands and is never one of the kitty (002); the holder of the lowest
    heart, from the 3 on, that is in a hand (002's variant; of two packs the first one's, and a seat
    at random when no hand has a heart).

    The draws are xoshiro256**'s, which starts from words 9 to 16 of the seed's
    `numpy.random.SeedSequence` (of 32 bits each). `numpy.random.default_rng` and `playout` take the
    first eight, so the same seed may be given to them as well. Draws of cards, seats and orders are
    exactly uniform; numbers of fixed ranks are drawn in proportion to floats, off by some 2**-50.
    Within a minor version the same seed and arguments give the same deal; another minor version may
    deal otherwise. `Deal.code` is what to keep.

    Examples
    --------
    >>> made = deal("pagat", seed=1, fixed={0: "3333BR", "kitty": "222"})
    >>> print(made.hand(0), made.kitty_cards, card_name(made.face_up), made.opener)
    3333678899QKKA2BR 222 ♦6 2
    """
    chosen = as_rules(rules)
    scored = between(number, "number", 0, LARGEST_NUMBER)
    first = None if opener is None else between(opener, "opener", 0, chosen.players - 1)
    tries = between(max_tries, "max_tries", 1, LARGEST_NUMBER)
    if predicate is not None and not callable(predicate):
        raise wrong_kind(predicate, "predicate", "callable")
    dealt = dealer_of(chosen, one_of(style, "style", ("shuffled", "unshuffled")), fixed)
    stream = deal_stream(seed)
    if predicate is None:
        return _opened(dealt(stream), chosen, scored, first, stream)
    for _ in range(tries):
        made = _opened(dealt(stream), chosen, scored, first, stream)
        if predicate(made):
            return made
    raise DdzError(f"none of {tries} deals (max_tries) satisfies the predicate")


def _opened(piles: Piles, rules: Rules, number: int, opener: int | None, stream: Stream) -> Deal:
    """The deal of these piles, with its first bidder."""
    *hands, kitty, undealt = piles
    face_up = None
    if rules.first_bidder == "face_up":
        if opener is None:
            opener = stream.below(rules.players)
        face_up = hands[opener][stream.below(rules.hand_size)]
    elif opener is None:
        if rules.first_bidder == "seat_0":
            opener = 0
        elif rules.first_bidder == "rotate":
            opener = number % rules.players
        elif rules.first_bidder == "heart_three":
            opener = _holder_of_lowest_heart(hands)
        if opener is None:
            opener = stream.below(rules.players)
    return Deal._trusted(
        tuple(hands), kitty, undealt, opener, face_up, rules.packs, rules.lowest_rank
    )


def _holder_of_lowest_heart(hands: Sequence[Sequence[int]]) -> int | None:
    for card in range(0, len(SUITS) * Rank.BLACK_JOKER, len(SUITS)):
        for twin in (card, card + PACK):
            for seat, hand in enumerate(hands):
                if twin in hand:
                    return seat
    return None
