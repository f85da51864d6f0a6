"""Deals: suited cards, dealt at random or under conditions, and their codes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from ddz_core._values import Hand, integer
from ddz_core.errors import DdzError, InvalidCardsError, RecordError
from ddz_core.rules import Rules, as_rules
from ddz_core.seeds import seed_sequence
from ddz_core.vocabulary import RANK_SYMBOLS, Rank

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ddz_core.seeds import Seed

__all__ = ["SUITS", "Deal", "card_name", "deal"]

# A suited card is a number: 4 * rank + suit for 0 … 51, then the black and the red joker; the
# second pack's are 54 higher. The order of the suits is Botzone's.
SUITS = "♥♦♠♣"
PACK = 54
BLACK_JOKER_ID = 52
N_RANKS = len(Rank)

# The largest sizes of any rule set; the code has room for no larger ones.
MAX_HAND_SIZE = 33
MAX_KITTY_SIZE = 33

# What a deal draws comes from this child of its seed, so that it shares no stream with whatever
# else the caller seeds with the same number. Part of the stream's definition.
DEAL_STREAM = 0xDEA1

# The unshuffled style: packets moved before the deal, and cards of a run (at most).
CUTS = 4
RUN = 6

# Bounds of deals before and of tries.
LARGEST_NUMBER = 10**12

Piles: TypeAlias = list[list[int]]  # every seat's cards, the kitty's, and those not dealt


def card_name(card: int) -> str:
    """The name of a suited card.

    Parameters
    ----------
    card : int
        0 … 107; a card of the second pack has the name of its twin.

    Returns
    -------
    str
        Suit and rank, or ``"B"`` and ``"R"`` for the jokers.

    Raises
    ------
    InvalidCardsError
        A number that is no card.

    Examples
    --------
    >>> [card_name(card) for card in (0, 31, 52, 53, 54)]
    ['♥3', '♣T', 'B', 'R', '♥3']
    """
    number = integer(card, "card id")
    if not 0 <= number < 2 * PACK:
        raise InvalidCardsError(f"card id {number} is not between 0 and {2 * PACK - 1}")
    rank = _rank(number)
    suit = "" if rank >= Rank.BLACK_JOKER else SUITS[number % PACK % 4]
    return suit + RANK_SYMBOLS[rank]


def _rank(card: int) -> int:
    card %= PACK
    return card // 4 if card < BLACK_JOKER_ID else card - BLACK_JOKER_ID + Rank.BLACK_JOKER


@lru_cache
def _deck(packs: int, lowest_rank: Rank) -> tuple[int, ...]:
    """All cards of a game, in ascending order."""
    return tuple(
        pack * PACK + card for pack in range(packs) for card in range(4 * lowest_rank, PACK)
    )


# ---- the deal ------------------------------------------------------------------------------------


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
        The face-up card whose holder is the opener (002), where the first bidder was found so.
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
    3356679TJJJKKA222
    >>> made.code
    'AA7AZABXL8FFZ4Y2SGTLM8E87M35M3P'
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

        put("packs", _between(self.packs, "packs", 1, 2))
        lowest = _between(self.lowest_rank, "lowest_rank", Rank.THREE, Rank.TWO)
        put("lowest_rank", Rank(lowest))
        if isinstance(self.hands, str) or not isinstance(self.hands, Iterable):
            raise TypeError(f"hands must be a sequence of hands, not {repr(self.hands)[:80]}")
        hands = tuple(_sorted_cards(hand, f"hand {i}") for i, hand in enumerate(self.hands))
        put("hands", hands)
        put("kitty", _sorted_cards(self.kitty, "kitty"))
        put("undealt", _sorted_cards(self.undealt, "undealt"))
        _between(len(hands), "number of hands", 2, 4)
        for seat, hand in enumerate(hands):
            _between(len(hand), f"number of cards in hand {seat}", 1, MAX_HAND_SIZE)
            if len(hand) != len(hands[0]):
                raise DdzError(
                    f"hand {seat} has {len(hand)} cards and hand 0 has {len(hands[0])}; "
                    "all hands must have the same size"
                )
        _between(len(self.kitty), "number of cards in the kitty", 0, MAX_KITTY_SIZE)
        self._check_conservation()
        put("opener", _between(self.opener, "opener", 0, self.players - 1))
        if self.face_up is not None:
            put("face_up", self._checked_face_up(self.face_up))

    def _check_conservation(self) -> None:
        places: dict[int, str] = {}
        deck = _deck(self.packs, self.lowest_rank)
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
        return Hand.from_ids(self.hands[_between(seat, "seat", 0, self.players - 1)])

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
        value = _LETTERS_VERSION
        value = value << (5 * LAYOUT_LETTERS) | _layout_number(
            self.players, self.packs, self.lowest_rank, self.hand_size, self.kitty_size
        )
        radices = _radices(self.players, self.hand_size, self.kitty_size, self._deck_size)
        length = _payload_letters(radices)
        value = value << (5 * length) | self._payload(radices)
        symbols = _symbols(value, 1 + LAYOUT_LETTERS + length)
        return "".join(ALPHABET[symbol] for symbol in symbols + _checksum(symbols))

    @property
    def _deck_size(self) -> int:
        return len(_deck(self.packs, self.lowest_rank))

    def _payload(self, radices: Sequence[int]) -> int:
        if self.face_up is None:
            start = self.opener
        else:
            place = self.hands[self.opener].index(self.face_up)
            start = self.players + self.opener * self.hand_size + place
        digits = [start]
        left = list(_deck(self.packs, self.lowest_rank))
        for pile in (*self.hands, self.kitty):
            held = frozenset(pile)
            places = [place for place, card in enumerate(left) if card in held]
            digits.append(sum(math.comb(place, i + 1) for i, place in enumerate(places)))
            left = [card for card in left if card not in held]
        number = 0
        for digit, radix in zip(digits, radices, strict=True):
            number = number * radix + digit
        return number

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
        if not isinstance(text, str):
            raise TypeError(
                f"a deal's code must be a str, not {type(text).__name__}: {repr(text)[:80]}"
            )
        symbols = _read_symbols(text)
        _check_symbols(symbols, text)
        layout = _layout(_number(symbols[1 : 1 + LAYOUT_LETTERS]))
        players, packs, lowest_rank, hand_size, kitty_size = layout
        radices = _radices(players, hand_size, kitty_size, len(_deck(packs, lowest_rank)))
        number = _number(symbols[1 + LAYOUT_LETTERS : -CHECK_LETTERS])
        digits = []
        for radix in reversed(radices):
            number, digit = divmod(number, radix)
            digits.append(digit)
        if number:
            raise RecordError(
                f"deal code {text[:80]!r} stands for no deal: its number is too large"
            )
        start, *places = reversed(digits)
        left = list(_deck(packs, lowest_rank))
        piles = []
        sizes = [hand_size] * players + [kitty_size]
        for size, digit in zip(sizes, places, strict=True):
            chosen = _combination(digit, size, len(left))
            piles.append(tuple(left[place] for place in chosen))
            taken = frozenset(chosen)
            left = [card for place, card in enumerate(left) if place not in taken]
        *hands, kitty = piles
        opener, face_up = start, None
        if start >= players:
            opener, place = divmod(start - players, hand_size)
            face_up = hands[opener][place]
        return cls._trusted(tuple(hands), kitty, tuple(left), opener, face_up, packs, lowest_rank)


def _between(value: object, name: str, low: int, high: int) -> int:
    number = integer(value, name)
    if not low <= number <= high:
        # Python refuses to write out numbers of thousands of digits.
        shown = number if number.bit_length() < 100 else f"a number of {number.bit_length()} bits"
        raise DdzError(f"{name} is {shown}; it must be {int(low)} … {int(high)}")
    return number


def _sorted_cards(cards: object, where: str) -> tuple[int, ...]:
    if isinstance(cards, str | bytes) or not isinstance(cards, Iterable):
        raise TypeError(
            f"{where} must be a sequence of card ids, not {type(cards).__name__}: "
            f"{repr(cards)[:80]}"
        )
    return tuple(sorted(integer(card, f"card id in {where}") for card in cards))


def _shown(value: int) -> str:
    return value.symbol if isinstance(value, Rank) else str(value)


# ---- codes: layouts, numbers and letters ---------------------------------------------------------

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
VALUES = {form: i for i, letter in enumerate(ALPHABET) for form in (letter, letter.lower())}
VERSION = "A"
_LETTERS_VERSION = VALUES[VERSION]
LAYOUT_LETTERS = 4
CHECK_LETTERS = 6
LONGEST_CODE = 89

# How many values each part of a layout has: players from 2, packs from 1, lowest rank, hand size
# from 1, kitty size.
LAYOUT_RADICES = (3, 2, Rank.TWO + 1, MAX_HAND_SIZE, MAX_KITTY_SIZE + 1)
LAYOUT_LOWEST = (2, 1, 0, 1, 0)

# The generator of Bech32's BCH code over the field of 32 elements: it detects up to four wrong
# letters in 89. The constant keeps codes apart from other texts with that checksum.
CHECK_GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
CHECK_CONSTANT = 0x0DD2C0DE


def _layout_number(*parts: int) -> int:
    number = 0
    for part, lowest, radix in zip(parts, LAYOUT_LOWEST, LAYOUT_RADICES, strict=True):
        number = number * radix + part - lowest
    return number


def _layout(number: int) -> tuple[int, int, Rank, int, int]:
    """Players, packs, lowest rank, hand size and kitty size."""
    parts = []
    for lowest, radix in zip(reversed(LAYOUT_LOWEST), reversed(LAYOUT_RADICES), strict=True):
        number, part = divmod(number, radix)
        parts.append(lowest + part)
    kitty_size, hand_size, lowest_rank, packs, players = parts
    dealt = players * hand_size + kitty_size
    if number or dealt > len(_deck(packs, Rank(lowest_rank))):
        raise RecordError("no deal has such a layout")
    return players, packs, Rank(lowest_rank), hand_size, kitty_size


def _radices(players: int, hand_size: int, kitty_size: int, cards: int) -> list[int]:
    """How many values the opener (or face-up card), each hand and the kitty have."""
    radices = [players + players * hand_size]
    for size in [hand_size] * players + [kitty_size]:
        radices.append(math.comb(cards, size))
        cards -= size
    return radices


def _payload_letters(radices: Sequence[int]) -> int:
    return -(-(math.prod(radices) - 1).bit_length() // 5)


def _combination(number: int, size: int, places: int) -> list[int]:
    """The set of `size` places with this number in the combinatorial number system."""
    chosen = []
    for k in range(size, 0, -1):
        places -= 1
        while math.comb(places, k) > number:
            places -= 1
        number -= math.comb(places, k)
        chosen.append(places)
    return chosen[::-1]


def _symbols(value: int, length: int) -> list[int]:
    return [value >> (5 * i) & 31 for i in reversed(range(length))]


def _number(symbols: Iterable[int]) -> int:
    number = 0
    for symbol in symbols:
        number = number << 5 | symbol
    return number


def _remainder(symbols: Iterable[int]) -> int:
    check = 1
    for symbol in symbols:
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ symbol
        for bit, term in enumerate(CHECK_GENERATOR):
            if top >> bit & 1:
                check ^= term
    return check


def _checksum(symbols: list[int]) -> list[int]:
    return _symbols(_remainder(symbols + [0] * CHECK_LETTERS) ^ CHECK_CONSTANT, CHECK_LETTERS)


def _read_symbols(text: str) -> list[int]:
    """The values of the code's letters."""
    symbols = []
    letters = text.strip().replace("-", "")
    if len(letters) > LONGEST_CODE:
        raise RecordError(f"deal code {text[:80]!r} has {len(letters)} letters; no code is so long")
    for letter in letters:
        if letter not in VALUES:
            raise RecordError(
                f"deal code {text[:80]!r} contains {letter!r}; codes have the letters A … Z and "
                "digits without 0, 1, I and O"
            )
        symbols.append(VALUES[letter])
    return symbols


def _check_symbols(symbols: list[int], text: str) -> None:
    """Refuse what is damaged, or written by another version."""
    shown = f"deal code {text[:80]!r}"
    if len(symbols) <= 1 + LAYOUT_LETTERS + CHECK_LETTERS:
        raise RecordError(f"{shown} is cut short: it has only {len(symbols)} letters")
    intact = _remainder(symbols) == CHECK_CONSTANT
    if intact and symbols[0] != _LETTERS_VERSION:
        raise RecordError(
            f"{shown} is of version {ALPHABET[symbols[0]]}; this ddz_core reads version {VERSION}"
        )
    length = _length_of_layout(symbols[1 : 1 + LAYOUT_LETTERS])
    damage = []
    if not intact:
        damage.append("its checksum does not fit its letters")
    if length is None:
        damage.append("no deal has the layout that it names")
    elif len(symbols) != length:
        damage.append(f"it has {len(symbols)} letters, but its layout takes {length}")
    if damage:
        raise RecordError(f"{shown} is damaged: {'; '.join(damage)}")


def _length_of_layout(symbols: Sequence[int]) -> int | None:
    """Letters of a whole code whose layout these letters name."""
    try:
        players, packs, lowest_rank, hand_size, kitty_size = _layout(_number(symbols))
    except RecordError:
        return None
    radices = _radices(players, hand_size, kitty_size, len(_deck(packs, lowest_rank)))
    return 1 + LAYOUT_LETTERS + _payload_letters(radices) + CHECK_LETTERS


# ---- the dealer ----------------------------------------------------------------------------------


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
        with any NumPy; the stream stays the same within a minor version.
    number : int
        Deals scored before this one. Where the first bid goes round (``first_bidder="rotate"``,
        001) seat `number` mod players speaks first.
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
    The first bidder, by the rule set's ``first_bidder``: drawn at random (000); the next seat each
    deal (001); seat 0 (004); the holder of a card turned face up, which is drawn among the cards of
    the hands and is never one of the kitty (002); the holder of the lowest heart, from the 3 on,
    that is in a hand (002's variant; of two packs the first one's, and a seat at random when no
    hand has a heart).

    Examples
    --------
    >>> made = deal("pagat", seed=1, fixed={0: "3333BR", "kitty": "222"})
    >>> print(made.hand(0), made.kitty_cards, card_name(made.face_up), made.opener)
    333344567TQKAAABR 222 ♥4 0
    """
    chosen = as_rules(rules)
    scored = _between(number, "number", 0, LARGEST_NUMBER)
    first = None if opener is None else _between(opener, "opener", 0, chosen.players - 1)
    tries = _between(max_tries, "max_tries", 1, LARGEST_NUMBER)
    if predicate is not None and not callable(predicate):
        raise TypeError(
            f"predicate must be callable, not {type(predicate).__name__}: {repr(predicate)[:80]}"
        )
    if style not in ("shuffled", "unshuffled"):
        raise DdzError(f"style is {repr(style)[:80]}; it must be 'shuffled' or 'unshuffled'")
    pack = _Pack(chosen, fixed)
    stream = _Stream(seed)
    draw = pack.shuffled if style == "shuffled" else pack.unshuffled
    if predicate is None:
        return _opened(draw(stream), chosen, scored, first, stream)
    for _ in range(tries):
        made = _opened(draw(stream), chosen, scored, first, stream)
        if predicate(made):
            return made
    raise DdzError(f"none of {tries} deals (max_tries) satisfies the predicate")


def _opened(piles: Piles, rules: Rules, number: int, opener: int | None, stream: _Stream) -> Deal:
    """The deal of these piles, with its first bidder."""
    *hands, kitty, undealt = (tuple(sorted(pile)) for pile in piles)
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
    hearts = [
        (card % PACK, card, seat)
        for seat, hand in enumerate(hands)
        for card in hand
        if card % PACK < BLACK_JOKER_ID and card % PACK % 4 == 0
    ]
    return min(hearts)[2] if hearts else None


class _Stream:
    """Random draws from the raw words of a bit generator, which no NumPy version changes.

    Nothing is off by more than 2**-50 of its probability (ties of 64-bit keys, rounding).
    """

    def __init__(self, seed: Seed) -> None:
        sequence = seed_sequence(seed)
        child = np.random.SeedSequence(
            sequence.entropy,
            spawn_key=(*sequence.spawn_key, DEAL_STREAM),
            pool_size=sequence.pool_size,
        )
        self._words = np.random.PCG64(child)

    def below(self, n: int) -> int:
        """A number 0 … n - 1."""
        return int(self._words.random_raw()) * n >> 64

    def shuffled(self, cards: Sequence[int]) -> list[int]:
        """The cards in random order."""
        order = self._words.random_raw(len(cards)).argsort(kind="stable")
        return [cards[place] for place in order.tolist()]

    def weighted(self, weights: Sequence[float]) -> int:
        """An index, drawn in proportion to these weights."""
        left = int(self._words.random_raw()) / 2.0**64 * math.fsum(weights)
        last = 0
        for index, weight in enumerate(weights):
            if weight > 0:
                if left < weight:
                    return index
                left -= weight
                last = index
        return last  # rounding alone leads here


class _Pack:
    """A rule set's cards, and what of them is fixed.

    Piles are numbered as seats, the kitty coming after the last seat, and the cards not dealt last.
    """

    def __init__(self, rules: Rules, fixed: object = None) -> None:
        self.deck = _deck(rules.packs, rules.lowest_rank)
        self.sizes = [rules.hand_size] * rules.players + [rules.kitty_size]
        self.players = rules.players
        # Cards that are fixed by id, and by how many there are of each rank at least.
        self.ids: Piles = [[] for _ in self.sizes]
        self.ranks = [[0] * N_RANKS for _ in self.sizes]
        self.free = self.deck
        if fixed is not None:
            self._fix(fixed)

    # ---- fixed cards ---------------------------------------------------------------------------

    def _fix(self, fixed: object) -> None:
        if not isinstance(fixed, Mapping):
            raise TypeError(
                "fixed must be a mapping of seats (or 'kitty') to cards, not "
                f"{type(fixed).__name__}: {repr(fixed)[:80]}"
            )
        allowed = frozenset(self.deck)
        places: dict[int, str] = {}
        for key, cards in fixed.items():
            pile = self._pile(key)
            where = self._name(pile)
            if isinstance(cards, str | Hand):
                self.ranks[pile] = Hand(cards).counts.tolist()
            else:
                self.ids[pile] = list(_sorted_cards(cards, f"fixed cards of {where}"))
            for card in self.ids[pile]:
                if card not in allowed:
                    raise InvalidCardsError(
                        f"card id {card}, fixed for {where}, is not in the deck"
                    )
                if card in places:
                    raise InvalidCardsError(
                        f"{card_name(card)} (card id {card}) is fixed twice: "
                        f"for {places[card]} and for {where}"
                    )
                places[card] = where
            number = len(self.ids[pile]) + sum(self.ranks[pile])
            if number > self.sizes[pile]:
                raise InvalidCardsError(
                    f"{number} cards are fixed for {where}, which has {self.sizes[pile]}"
                )
        self.free = tuple(card for card in self.deck if card not in places)
        for rank in Rank:
            wanted = sum(counts[rank] for counts in self.ranks)
            there = sum(_rank(card) == rank for card in self.free)
            if wanted > there:
                taken = sum(_rank(card) == rank for card in places)
                raise InvalidCardsError(
                    f"{wanted + taken} cards of rank {rank.symbol} are fixed, but the deck has "
                    f"{there + taken}"
                )

    def _pile(self, key: object) -> int:
        if key == "kitty":
            return self.players
        if isinstance(key, str):
            raise DdzError(f"fixed has cards for {key[:80]!r}; it takes seats and 'kitty'")
        return _between(key, "seat in fixed", 0, self.players - 1)

    def _name(self, pile: int) -> str:
        return "the kitty" if pile == self.players else f"seat {pile}"

    def _open_places(self) -> list[int]:
        """Cards that each pile takes besides those fixed by id."""
        return [size - len(ids) for size, ids in zip(self.sizes, self.ids, strict=True)]

    def _free_of_rank(self, rank: int) -> list[int]:
        return [card for card in self.free if _rank(card) == rank]

    # ---- two ways to deal ----------------------------------------------------------------------

    def shuffled(self, stream: _Stream) -> Piles:
        """Every deal that agrees is equally likely."""
        sizes = self._open_places()
        piles = [list(ids) for ids in self.ids]
        fixed = any(map(any, self.ranks))
        left = self._deal_ranks(piles, sizes, stream) if fixed else self.free
        rest = stream.shuffled(left)
        start = 0
        for pile, size in zip(piles, sizes, strict=True):
            pile.extend(rest[start : start + size])
            start += size
        return [*piles, rest[start:]]

    def unshuffled(self, stream: _Stream) -> Piles:
        """Runs of a pack that lies in order, but for a few cuts."""
        piles = [list(ids) for ids in self.ids]
        pack = sorted(stream.shuffled(self.free), key=_rank)
        for rank in Rank:
            for pile, counts in zip(piles, self.ranks, strict=True):
                if counts[rank]:
                    chosen = [card for card in pack if _rank(card) == rank][: counts[rank]]
                    pile.extend(chosen)
                    pack = [card for card in pack if card not in chosen]
        for _ in range(CUTS):
            low, high = sorted((stream.below(len(pack) + 1), stream.below(len(pack) + 1)))
            pack = pack[low:high] + pack[:low] + pack[high:]
        cut = stream.below(len(pack) + 1)
        pack = pack[cut:] + pack[:cut]
        first = stream.below(self.players)
        start = 0
        for rounds in range(-(-self.sizes[0] // RUN), 0, -1):
            for seat in (*range(first, self.players), *range(first)):
                run = -(-(self.sizes[seat] - len(piles[seat])) // rounds)
                piles[seat] += pack[start : start + run]
                start += run
        end = start + self.sizes[-1] - len(piles[-1])
        piles[-1] += pack[start:end]
        return [*piles, pack[end:]]

    # ---- ranks fixed: how many of each -----------------------------------------------------------

    def _deal_ranks(self, piles: Piles, sizes: list[int], stream: _Stream) -> list[int]:
        """Fill the piles with fixed ranks, as likely as among all deals that agree.

        To draw suits for the fixed cards and then the rest would favour hands that have more of a
        fixed rank than they must. So the number of cards of each fixed rank in each such pile is
        drawn first, in proportion to the number of deals that have it.

        Returns the cards left over for the other piles; `sizes` become what those still take.
        """
        named = [pile for pile, counts in enumerate(self.ranks) if any(counts)]
        # One pile takes whatever the others leave: all piles without fixed ranks, or, where there
        # are none, the largest.
        others = sum(sizes[pile] for pile in named) < len(self.free)
        last = None if others else named.pop(int(np.argmax([sizes[pile] for pile in named])))
        ranks = [rank for rank in Rank if any(counts[rank] for counts in self.ranks)]
        promised = tuple(
            (
                len(self._free_of_rank(rank)),
                tuple(self.ranks[pile][rank] for pile in named),
                0 if last is None else self.ranks[last][rank],
            )
            for rank in ranks
        )
        room = tuple(sizes[pile] - sum(self.ranks[pile]) for pile in named)
        loose = [card for card in self.free if _rank(card) not in ranks]
        tables, choices = _numbers_of_deals(room, promised, len(loose))

        rest: list[int] = []
        for i, rank in enumerate(ranks):
            ways = [
                weight * tables[i + 1][_minus(room, extra)] if _fits(extra, room) else 0.0
                for extra, weight in choices[i]
            ]
            extra = choices[i][stream.weighted(ways)][0]
            room = _minus(room, extra)
            cards = stream.shuffled(self._free_of_rank(rank))
            for pile, fixed, more in zip(named, promised[i][1], extra, strict=True):
                piles[pile] += cards[: fixed + more]
                del cards[: fixed + more]
            rest += cards
        cards = stream.shuffled(loose)
        for pile, size in zip(named, room, strict=True):
            piles[pile] += cards[:size]
            del cards[:size]
            sizes[pile] = 0
        return rest + cards


def _minus(room: tuple[int, ...], extra: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a - b for a, b in zip(room, extra, strict=True))


def _fits(extra: tuple[int, ...], room: tuple[int, ...]) -> bool:
    return all(a <= b for a, b in zip(extra, room, strict=True))


@lru_cache(maxsize=8)
def _numbers_of_deals(
    room: tuple[int, ...], promised: tuple[tuple[int, tuple[int, ...], int], ...], loose: int
) -> tuple[list[NDArray[np.float64]], list[list[tuple[tuple[int, ...], float]]]]:
    """In how many ways the ranks from each one on can go to some piles and a last one.

    Parameters
    ----------
    room : tuple of int
        Cards that each pile takes besides its fixed ones.
    promised : tuple
        For each rank its cards, how many of them each pile has at least, and the last pile.
    loose : int
        Cards of other ranks.

    Returns
    -------
    tables : list of ndarray
        One for each rank and one for the end, indexed by the room that is left: the number of deals
        (times a constant).
    choices : list of list
        For each rank the possible numbers of further cards for each pile, and in how many ways (in
        the same measure) the suits can be dealt so.
    """
    inverse = np.array([1 / math.factorial(n) for n in range(2 * PACK + 1)])
    axes = np.ix_(*(np.arange(size + 1) for size in room))
    left = np.asarray(loose - sum(axes))
    table = np.where(left >= 0, inverse[np.maximum(left, 0)], 0.0)
    for axis, size in enumerate(room):
        shape = [1] * len(room)
        shape[axis] = size + 1
        table = table * inverse[: size + 1].reshape(shape)
    # Near 1, lest many small factors vanish.
    table /= table.max()

    tables = [table]
    choices: list[list[tuple[tuple[int, ...], float]]] = []
    for cards, fixed, fixed_last in reversed(promised):
        spare = cards - sum(fixed) - fixed_last
        options = []
        table = np.zeros_like(tables[0])
        for extra in itertools.product(*(range(min(spare, size) + 1) for size in room)):
            if sum(extra) > spare:
                continue
            ways = math.factorial(cards) // math.factorial(fixed_last + spare - sum(extra))
            for known, more in zip(fixed, extra, strict=True):
                ways //= math.factorial(known + more)
            options.append((extra, float(ways)))
            into = tuple(slice(more, None) for more in extra)
            source = tuple(
                slice(None, size + 1 - more) for more, size in zip(extra, room, strict=True)
            )
            table[into] += ways * tables[0][source]
        tables.insert(0, table)
        choices.insert(0, options)
    return tables, choices
