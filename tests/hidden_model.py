"""Hidden hands by brute force: every deal of suited cards that fits, one by one."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from statistics import NormalDist

import numpy as np

import ddz_core as ddz
from ddz_core.game import Game

Counts = tuple[int, ...]
Hands = tuple[Counts, ...]


def rank_of(card: int) -> int:
    """The rank of a suited card."""
    card %= 54
    return card // 4 if card < 52 else card - 39


def by_rank(cards: Sequence[int]) -> np.ndarray:
    """Cards as 15 counts."""
    return np.bincount([rank_of(card) for card in cards], minlength=15)


@cache
def hands_from(counts: Counts, size: int) -> dict[Counts, int]:
    """Every hand of that size from these cards, and how many sets of suited cards it stands for:
    counted one by one."""
    cards = [rank for rank, count in enumerate(counts) for _ in range(count)]
    found: Counter[Counts] = Counter()
    for hand in itertools.combinations(cards, size):
        found[hand] += 1
    return {tuple(hand.count(rank) for rank in range(15)): ways for hand, ways in found.items()}


def piles(counts: Counts, sizes: Sequence[int]) -> Iterator[tuple[int, list[Counts]]]:
    """Every way to make piles of these sizes from some of the cards, with its suited ways."""
    if not sizes:
        yield 1, []
        return
    for pile, ways in hands_from(counts, sizes[0]).items():
        rest = tuple(count - taken for count, taken in zip(counts, pile, strict=True))
        for other_ways, others in piles(rest, sizes[1:]):
            yield ways * other_ways, [pile, *others]


def add(hand: Counts, cards: Sequence[int]) -> Counts:
    return tuple(int(a + b) for a, b in zip(hand, cards, strict=True))


def after(hand: Counts, moves: Sequence[Counts], *, quads_together: bool) -> Counts | None:
    """What is left of a hand after its moves; None where it cannot have made them."""
    left = list(hand)
    for move in moves:
        for rank, count in enumerate(move):
            if count > left[rank] or (quads_together and left[rank] == 4 and 0 < count < 4):
                return None
            left[rank] -= count
    return tuple(left)


def all_hidden(game: Game, seat: int) -> Counter[Hands]:
    """In how many deals that fit what this seat saw each combination of hands is held now."""
    deal, rules = game.deal, game.rules
    knows_kitty = game.landlord is not None and (rules.kitty_shown or seat == game.landlord)
    known = [*deal.hands[seat], *(deal.kitty if knows_kitty else ())]
    shown = [deal.face_up] if deal.face_up is not None and deal.opener != seat else []
    known += shown
    unseen = tuple((np.array(rules.deck) - by_rank(known)).tolist())
    own, kitty = (tuple(by_rank(cards).tolist()) for cards in (deal.hands[seat], deal.kitty))
    others = [other for other in range(rules.players) if other != seat]
    sizes = [rules.hand_size - (len(shown) if other == deal.opener else 0) for other in others]
    if not knows_kitty:
        sizes.append(rules.kitty_size)
    moves: list[list[Counts]] = [[] for _ in range(rules.players)]
    for author, move in game.moves:
        moves[author].append(tuple(move.cards.counts.tolist()))

    @cache
    def left(owner: int, hand: Counts) -> Counts | None:
        return after(hand, moves[owner], quads_together=rules.held_quads_stay_together)

    found: Counter[Hands] = Counter()
    for ways, made in piles(unseen, sizes):
        dealt = dict(zip(others, made, strict=False)) | {seat: own}
        for card in shown:
            dealt[deal.opener] = add(dealt[deal.opener], by_rank([card]))
        if game.landlord is not None:
            taken = kitty if knows_kitty else made[-1]
            dealt[game.landlord] = add(dealt[game.landlord], taken)
        hands = tuple(left(owner, dealt[owner]) for owner in range(rules.players))
        if None not in hands:
            found[hands] += ways
    return found


def chi_square_quantile(degrees: int, probability: float) -> float:
    """Wilson and Hilferty's approximation."""
    z = NormalDist().inv_cdf(probability)
    part = 2 / (9 * degrees)
    return degrees * (1 - part + z * math.sqrt(part)) ** 3


def chi_square(found: Counter[Hands], expected: Counter[Hands]) -> tuple[float, int]:
    """Pearson's statistic and its degrees of freedom; rare outcomes are taken together."""
    n, total = found.total(), expected.total()
    rare = [hands for hands, ways in expected.items() if n * ways / total < 8]
    pairs = [
        (found[hands], n * ways / total)
        for hands, ways in expected.items()
        if n * ways / total >= 8
    ]
    if rare:
        pairs.append(
            (
                sum(found[hands] for hands in rare),
                n * sum(expected[hands] for hands in rare) / total,
            )
        )
    return sum((seen - mean) ** 2 / mean for seen, mean in pairs), len(pairs) - 1


def some_game(rules: ddz.Rules, seed: int, plies: int, landlord: int | None = None) -> Game:
    """A random game after so many plies, whoever is landlord having bid highest."""
    rng = random.Random(seed)
    game = Game(rules, deal=ddz.deal(rules, seed, opener=landlord or 0))
    while game.phase == "auction":
        game.bid(game.legal_bids()[-1])
    while game.phase == "play" and len(game.moves) < plies:
        moves = [move for move in game.legal_moves() if move.n_cards] or game.legal_moves()
        game.play(rng.choice(moves))
    return game
