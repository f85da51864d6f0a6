"""Ranks and kinds, by the names used everywhere."""

from __future__ import annotations

from enum import IntEnum

from ddz_core import _types


class Rank(IntEnum):
    """Card ranks from low to high; the value is the rank's place in a count vector.

    Source: documents 000 to 004, which agree (docs/rules.md).
    """

    THREE = 0
    FOUR = 1
    FIVE = 2
    SIX = 3
    SEVEN = 4
    EIGHT = 5
    NINE = 6
    TEN = 7
    JACK = 8
    QUEEN = 9
    KING = 10
    ACE = 11
    TWO = 12
    BLACK_JOKER = 13
    RED_JOKER = 14

    @property
    def symbol(self) -> str:
        """The letter of this rank in card texts."""
        return RANK_SYMBOLS[self]


RANK_SYMBOLS = "3456789TJQKA2BR"


class Kind(IntEnum):
    """What a play is; the values are those of the compiled core.

    Source: documents 000 to 004, "Combinations" in docs/rules.md, which defines each kind; SHUTTLE,
    SHUTTLE_SINGLES and SHUTTLE_PAIRS (chains of quads) are Botzone's.
    """

    PASS = _types.PASS
    SINGLE = _types.SINGLE
    PAIR = _types.PAIR
    TRIPLE = _types.TRIPLE
    TRIPLE_SINGLE = _types.TRIPLE_SINGLE
    TRIPLE_PAIR = _types.TRIPLE_PAIR
    STRAIGHT = _types.STRAIGHT
    PAIR_STRAIGHT = _types.PAIR_STRAIGHT
    AIRPLANE = _types.AIRPLANE
    AIRPLANE_SINGLES = _types.AIRPLANE_SINGLES
    AIRPLANE_PAIRS = _types.AIRPLANE_PAIRS
    QUAD_SINGLES = _types.QUAD_SINGLES
    QUAD_PAIRS = _types.QUAD_PAIRS
    BOMB = _types.BOMB
    ROCKET = _types.ROCKET
    SHUTTLE = _types.SHUTTLE
    SHUTTLE_SINGLES = _types.SHUTTLE_SINGLES
    SHUTTLE_PAIRS = _types.SHUTTLE_PAIRS
