"""Matches: 001's one, three or six deals, and any other number under any rule set."""

from __future__ import annotations

import copy
import random

import pytest
from game_helpers import PRESETS, play_out
from helpers import core_rules

import ddz_core as ddz
from ddz_core.match import Match


def finish(match: Match, rng: random.Random) -> list[int]:
    """Play all deals; the openers of their first auctions."""
    openers = [match.game.deal.opener]
    while True:
        play_out(match.game, rng)
        if match.over:
            return openers
        match.advance()
        openers.append(match.game.deal.opener)


@pytest.mark.parametrize("deals", [1, 3, 6])
@pytest.mark.parametrize("name", PRESETS)
def test_totals_run_on(name, deals):
    rng = random.Random(deals)
    match = Match(name, deals=deals, seed=deals)
    totals = [0] * core_rules(name).players
    assert (match.number, match.results, match.winners, match.over) == (0, (), (), False)
    for number in range(1, deals + 1):
        assert match.totals == tuple(totals)
        play_out(match.game, rng)
        points = match.game.result.points
        totals = [a + b for a, b in zip(totals, points, strict=True)]
        assert match.totals == tuple(totals)
        assert (match.number, len(match.results)) == (number, number)
        assert match.results[-1] == match.game.result
        assert match.over == (number == deals)
        assert f"{number} of {deals}" in repr(match)
        if not match.over:
            assert match.winners == ()
            game = match.advance()
            assert game is match.game
            assert game.result is None
    assert sum(match.totals) == 0
    # 001: "the highest total wins (a tie for the highest counts as a win)"
    best = max(totals)
    assert match.winners == tuple(seat for seat, total in enumerate(totals) if total == best)
    with pytest.raises(ddz.PhaseError, match="match of"):
        match.advance()


def test_the_first_bid_goes_round():
    """001: "You bid first in the first deal, then the next player each deal."; a redeal does not
    move it."""
    for first in range(3):
        match = Match("club", deals=6, seed=1, first_opener=first)
        openers = []
        for number in range(6):
            for _ in range(3 * (number % 3)):
                match.game.bid("pass")
            assert match.game.redeals == number % 3
            openers.append(match.game.turn)
            match.game.bid("3")
            play_out(match.game, random.Random(number))
            if not match.over:
                match.advance()
        assert openers == [(first + number) % 3 for number in range(6)]


def test_other_rule_sets_find_the_first_bidder_themselves():
    assert finish(Match("casual", deals=6, seed=1), random.Random(1)) == [0] * 6
    assert len({*finish(Match("standard", deals=12, seed=1), random.Random(1))}) == 3


def test_a_tie_for_the_highest_counts_for_each():
    """Two peasants who always win together share the highest total."""
    match = Match("club", deals=1, seed=1)
    match.game.bid("1")
    match.game.bid("pass")
    match.game.bid("pass")
    for seed in range(50):
        game = match.game
        play_out(game, random.Random(seed))
        if not game.result.landlord_won:
            assert match.winners == tuple(seat for seat in range(3) if seat != game.landlord)
            return
        while game.moves:
            game.undo()
    pytest.fail("the landlord won fifty times")


def test_a_deal_taken_back_is_not_scored():
    match = Match("standard", deals=2, seed=3)
    play_out(match.game, random.Random(3))
    assert match.number == 1
    match.game.undo()
    assert (match.number, match.totals) == (0, (0, 0, 0))
    with pytest.raises(ddz.PhaseError, match="deal 1 is in its play phase"):
        match.advance()


def test_a_void_deal_counts_as_one_of_no_points():
    match = Match("openspiel", deals=2, seed=3)
    for _ in range(2):
        for _ in range(3):
            match.game.bid("pass")
        if not match.over:
            match.advance()
    assert (match.number, match.totals, match.winners) == (2, (0, 0, 0), (0, 1, 2))


def test_a_match_is_that_of_its_seed():
    def deals(seed: object) -> list[object]:
        match = Match("standard", deals=3, seed=seed)
        found = [match.game.deal]
        while not match.over:
            play_out(match.game, random.Random(0))
            if not match.over:
                found.append(match.advance().deal)
        return found

    assert deals(5) == deals(5)
    assert deals(5) != deals(6)
    assert len(set(deals(5))) == 3


@pytest.mark.parametrize("bad", [{"deals": 0}, {"deals": -1}, {"first_opener": 3}])
def test_bad_values_are_named(bad):
    with pytest.raises(ddz.DdzError, match=str(next(iter(bad.values())))):
        Match("club", seed=1, **bad)


@pytest.mark.parametrize("bad", [{"deals": "3"}, {"deals": 1.5}, {"first_opener": None}])
def test_bad_types_are_refused(bad):
    with pytest.raises(TypeError):
        Match("club", seed=1, **bad)


def test_copies_are_independent():
    match = Match("club", deals=3, seed=1)
    play_out(match.game, random.Random(1))
    for twin in (match.copy(), copy.copy(match), copy.deepcopy(match)):
        twin.advance()
        play_out(twin.game, random.Random(2))
        assert (match.number, twin.number) == (1, 2)
        assert match.totals == match.game.result.points
        assert twin.totals != match.totals
