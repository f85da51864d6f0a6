"""The greedy policy against a slow reference in plain Python."""

from __future__ import annotations

import random

import pytest
from game_helpers import PRESETS

import ddz_core as ddz
from ddz_core._policies import POLICY_GREEDY, position_move

BOMBS = (ddz.Kind.BOMB, ddz.Kind.ROCKET)


class Seen:
    """What the seat to move knows of a position."""

    def __init__(self, position):
        self.rules = position.rules
        self.hand = position.hands[position.turn]
        self.last = position.last
        self.moves = list(position.legal_moves())
        seats = range(position.n_seats)
        self.needs = [
            len(position.hands[s]) - (0 if s == position.landlord else position.target)
            for s in seats
        ]
        self.need = self.needs[position.turn]
        mine = position.turn == position.landlord
        self.opponents = [s for s in seats if (s == position.landlord) != mine]
        self.close = min(self.needs[s] for s in self.opponents)
        self.author = position.last_seat


def lead(seen):
    parts = list(ddz.decompose(seen.hand, seen.rules))

    def late(part):
        price = 7 * part.rank - 15 * part.n_cards
        if part.kind is ddz.Kind.ROCKET and len(parts) == 2:
            return price - 1000
        if part.kind in BOMBS:
            return price + 1000
        if part.n_cards == seen.close <= 2:
            return 500 - part.rank
        return price

    return min(parts, key=late)


def kickers_of(seen, main, kind, length):
    """Cheap kickers: lone singles, then pairs, then whatever there is, all from below."""
    rest = seen.hand - main
    barred = set(main)
    pairs = kind in {ddz.Kind.TRIPLE_PAIR, ddz.Kind.AIRPLANE_PAIRS, ddz.Kind.QUAD_PAIRS}
    quads = kind in {ddz.Kind.QUAD_SINGLES, ddz.Kind.QUAD_PAIRS}
    shuttles = kind in {ddz.Kind.SHUTTLE_SINGLES, ddz.Kind.SHUTTLE_PAIRS}
    pairs = pairs or kind is ddz.Kind.SHUTTLE_PAIRS
    need = length * (2 if quads or shuttles else 1)
    group = 2 if pairs else 1
    cap = seen.rules.quad_kicker_cap if quads and not pairs else seen.rules.airplane_kicker_cap
    taken = []
    parts = ddz.decompose(rest, seen.rules) if len(rest) else []
    steps = [(ddz.Kind.PAIR, 1)] if pairs else [(ddz.Kind.SINGLE, 1), (ddz.Kind.PAIR, cap)]
    for wanted, most in steps:
        for part in parts:
            if part.kind is wanted and part.rank not in barred and need:
                n = min(need, most, part.n_cards // group)
                taken += [part.rank] * (n * group)
                need -= n
    for rank in ddz.Rank:
        if need and rank not in barred and rank not in taken and rest.count(rank) >= group:
            taken += [rank] * group
            need -= 1
    return ddz.Hand.from_counts([taken.count(rank) for rank in ddz.Rank])


def answer(seen):
    partner = seen.author not in seen.opponents
    if partner and (
        seen.last.rank >= ddz.Rank.KING or seen.needs[seen.author] <= 2 or seen.last.n_cards > 3
    ):
        return ddz.Move.PASS
    close = not partner and seen.close <= 2
    turns = ddz.min_turns(seen.hand, seen.rules)
    best, most = ddz.Move.PASS, 5 if close else 1
    for move in seen.moves[1:]:
        rest = seen.hand - move.cards
        turns_left = ddz.min_turns(rest, seen.rules) if len(rest) else 0
        if move.kind in BOMBS and turns_left > 1 and not close:
            continue
        kickers = kickers_of(seen, move.main, move.kind, move.length)
        if len(move.kickers) and move.kickers != kickers:
            continue
        if turns_left + 1 - turns <= most:
            best, most = move, turns_left - turns
    return best


def expected(position):
    seen = Seen(position)
    for move in seen.moves:
        if move.n_cards >= seen.need:
            return move
    if seen.last is None:
        return lead(seen)
    return answer(seen) if len(seen.moves) > 1 else ddz.Move.PASS


@pytest.mark.parametrize("rules", PRESETS)
def test_against_the_reference(rules):
    rng = random.Random(rules)
    n = 300 if rules == "four_player" else 1000
    while n > 0:
        hands = ddz.random_hands(rules, 1, seed=rng.randrange(2**32))[0]
        hands = [ddz.Hand.from_counts(hand.tolist()) for hand in hands]
        target = rng.randint(0, 4) if len(hands) == 2 else 0
        position = ddz.Position(hands, target=target, rules=rules)
        while position.winner is None and n > 0:
            n -= 1
            chosen = position_move(position, POLICY_GREEDY)
            assert chosen == expected(position), position.to_string()
            if rng.random() < 0.25:
                chosen = rng.choice(position.legal_moves())
            position.play(chosen)
