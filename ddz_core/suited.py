"""Suited cards: their numbers, their names and the decks that they make."""

from __future__ import annotations

from functools import lru_cache

from ddz_core._values import integer
from ddz_core.errors import InvalidCardsError
from ddz_core.vocabulary import RANK_SYMBOLS, Rank

__all__ = ["PACK", "RANK_OF", "SUITS", "card_name", "deck_of"]

# A suited card is a number: 4 * rank + suit for 0 … 51, then the black and the red joker; the
# second pack's are 54 higher. The order of the suits is Botzone's.
SUITS = "♥♦♠♣"
PACK = 54
RANK_OF = 2 * (
    *(rank for rank in range(Rank.BLACK_JOKER) for _ in SUITS),
    int(Rank.BLACK_JOKER),
    int(Rank.RED_JOKER),
)


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
    rank = RANK_OF[number]
    suit = "" if rank >= Rank.BLACK_JOKER else SUITS[number % PACK % 4]
    return suit + RANK_SYMBOLS[rank]


@lru_cache
def deck_of(packs: int, lowest_rank: Rank) -> tuple[int, ...]:
    """All cards of a game, in ascending order."""
    return tuple(
        pack * PACK + card for pack in range(packs) for card in range(4 * lowest_rank, PACK)
    )
