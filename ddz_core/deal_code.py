"""The codes of deals: a deal's layout and piles as a text of letters and digits, and back."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ddz_core.errors import RecordError
from ddz_core.suited import deck_of
from ddz_core.vocabulary import Rank

__all__ = ["MAX_HAND_SIZE", "MAX_KITTY_SIZE", "Content", "Layout", "decode", "encode"]

# The largest sizes of any rule set; the code has room for no larger ones.
MAX_HAND_SIZE = 33
MAX_KITTY_SIZE = 33

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
VALUES = {form: i for i, letter in enumerate(ALPHABET) for form in (letter, letter.lower())}
VERSION = "A"
LAYOUT_LETTERS = 4
CHECK_LETTERS = 6
LONGEST_CODE = 89

# How many values each part of a layout has, and the lowest of them.
LAYOUT_RADICES = (3, 2, Rank.TWO + 1, MAX_HAND_SIZE, MAX_KITTY_SIZE + 1)
LAYOUT_LOWEST = (2, 1, 0, 1, 0)

# The generator of Bech32's BCH code over the field of 32 elements: it detects up to four wrong
# letters in 89. The constant keeps codes apart from other texts with that checksum.
CHECK_GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
CHECK_CONSTANT = 0x0DD2C0DE


class Layout(NamedTuple):
    """What a code's first letters say."""

    players: int
    packs: int
    lowest_rank: Rank
    hand_size: int
    kitty_size: int

    def deck(self) -> tuple[int, ...]:
        """All cards, in ascending order."""
        return deck_of(self.packs, self.lowest_rank)

    def sizes(self) -> list[int]:
        """Cards of each hand and of the kitty."""
        return [self.hand_size] * self.players + [self.kitty_size]

    def radices(self) -> list[int]:
        """How many values the opener (or face-up card), each hand and the kitty have."""
        radices = [self.players + self.players * self.hand_size]
        left = len(self.deck())
        for size in self.sizes():
            radices.append(math.comb(left, size))
            left -= size
        return radices

    def letters(self) -> int:
        """Letters of the number that stands for a deal of this layout."""
        return -(-(math.prod(self.radices()) - 1).bit_length() // 5)


class Content(NamedTuple):
    """What a code's other letters say; the cards in ascending order."""

    hands: tuple[tuple[int, ...], ...]
    kitty: tuple[int, ...]
    undealt: tuple[int, ...]
    opener: int
    face_up: int | None


def encode(layout: Layout, content: Content) -> str:
    """The code of a deal."""
    letters = layout.letters()
    value = VALUES[VERSION]
    value = value << (5 * LAYOUT_LETTERS) | _layout_number(layout)
    value = value << (5 * letters) | _number_of(layout, content)
    symbols = _symbols(value, 1 + LAYOUT_LETTERS + letters)
    return "".join(ALPHABET[symbol] for symbol in symbols + _checksum(symbols))


def decode(text: str) -> tuple[Layout, Content]:
    """The deal with this code; `RecordError` if there is none."""
    if not isinstance(text, str):
        raise TypeError(
            f"a deal's code must be a str, not {type(text).__name__}: {repr(text)[:80]}"
        )
    symbols = _read_symbols(text)
    _check_symbols(symbols, text)
    layout = _layout(symbols)
    content = _content(layout, _number(symbols[1 + LAYOUT_LETTERS : -CHECK_LETTERS]))
    if content is None:
        raise RecordError(f"deal code {text[:80]!r} stands for no deal: its number is too large")
    return layout, content


# ---- layouts and deals as numbers ----------------------------------------------------------------


def _layout_number(layout: Layout) -> int:
    number = 0
    for part, lowest, radix in zip(layout, LAYOUT_LOWEST, LAYOUT_RADICES, strict=True):
        number = number * radix + part - lowest
    return number


def _layout(symbols: Sequence[int]) -> Layout:
    """The layout that a code's letters name."""
    number = _number(symbols[1 : 1 + LAYOUT_LETTERS])
    parts = []
    for lowest, radix in zip(reversed(LAYOUT_LOWEST), reversed(LAYOUT_RADICES), strict=True):
        number, part = divmod(number, radix)
        parts.append(lowest + part)
    kitty_size, hand_size, lowest_rank, packs, players = parts
    layout = Layout(players, packs, Rank(lowest_rank), hand_size, kitty_size)
    if number or sum(layout.sizes()) > len(layout.deck()):
        raise RecordError("no deal has such a layout")
    return layout


def _number_of(layout: Layout, content: Content) -> int:
    if content.face_up is None:
        start = content.opener
    else:
        place = content.hands[content.opener].index(content.face_up)
        start = layout.players + content.opener * layout.hand_size + place
    digits = [start]
    left = list(layout.deck())
    for pile in (*content.hands, content.kitty):
        held = frozenset(pile)
        places = [place for place, card in enumerate(left) if card in held]
        digits.append(sum(math.comb(place, i + 1) for i, place in enumerate(places)))
        left = [card for card in left if card not in held]
    number = 0
    for digit, radix in zip(digits, layout.radices(), strict=True):
        number = number * radix + digit
    return number


def _content(layout: Layout, number: int) -> Content | None:
    """The deal with this number; None when it is beyond the last one's."""
    digits = []
    for radix in reversed(layout.radices()):
        number, digit = divmod(number, radix)
        digits.append(digit)
    if number:
        return None
    start, *places = reversed(digits)
    left = list(layout.deck())
    piles = []
    for size, digit in zip(layout.sizes(), places, strict=True):
        chosen = _combination(digit, size, len(left))
        piles.append(tuple(left[place] for place in chosen))
        taken = frozenset(chosen)
        left = [card for place, card in enumerate(left) if place not in taken]
    *hands, kitty = piles
    opener, face_up = start, None
    if start >= layout.players:
        opener, place = divmod(start - layout.players, layout.hand_size)
        face_up = hands[opener][place]
    return Content(tuple(hands), kitty, tuple(left), opener, face_up)


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


# ---- letters and their checksum ------------------------------------------------------------------


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
    if intact and symbols[0] != VALUES[VERSION]:
        raise RecordError(
            f"{shown} is of version {ALPHABET[symbols[0]]}; this ddz_core reads version {VERSION}"
        )
    damage = []
    if not intact:
        damage.append("its checksum does not fit its letters")
    try:
        length = 1 + LAYOUT_LETTERS + _layout(symbols).letters() + CHECK_LETTERS
    except RecordError:
        damage.append("no deal has the layout that it names")
    else:
        if len(symbols) != length:
            damage.append(f"it has {len(symbols)} letters, but its layout takes {length}")
    if damage:
        raise RecordError(f"{shown} is damaged: {'; '.join(damage)}")
