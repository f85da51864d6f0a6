"""Moves and bids: exact where all deals can be gone through, and equal to what Game scores."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import signal
import subprocess
import sys
import textwrap
import time
from functools import cache

import numpy as np
import pytest
from game_helpers import PRESETS, game_of
from hidden_model import all_hidden, piles, some_game

import ddz_core as ddz
from ddz_core._evaluate import doublings, landlord_chunk, move_chunk
from ddz_core.estimates import wilson
from ddz_core.evaluate import _Sums, evaluate_bid, evaluate_moves
from ddz_core.game import Game
from ddz_core.policies import built_in

STANDARD = ddz.Rules.standard()
KINGS = STANDARD.replace(lowest_rank=ddz.Rank.KING, hand_size=4, kitty_size=2)
RULE = built_in("rule")
RNG = np.random.default_rng(0)
# Seconds that it may take to stop. It takes much less than the second that we promise; the rest is
# for machines that are busy with other tests.
PATIENCE = 2.5


def rule_in_python(observation, moves, rng):
    """The built-in policy as a policy of the user's own."""
    return RULE(observation, moves, rng)


def finished(game: Game) -> tuple[int, ...]:
    """The points after everybody has played by the rule policy."""
    while game.turn is not None:
        seen = game.observe(game.turn)
        game.play(seen.legal_moves[RULE(seen, seen.legal_moves, RNG)])
    return game.result.points


# --- Moves: against Game --------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_the_core_scores_as_game_does(name):
    """The same policy compiled and through Game: every figure is the same, to the last bit."""
    for plies in (0, 7, 20, 33):
        game = some_game(ddz.Rules.preset(name), 5 + plies, plies)
        while game.phase == "over" or len(game.legal_moves()) > 25:
            game.undo() if game.phase == "over" else game.play(game.legal_moves()[-1])
        seen = game.observe(game.turn)
        compiled = evaluate_moves(seen, 3, "rule", seed=plies)
        slow = evaluate_moves(seen, 3, rule_in_python, seed=plies)
        assert compiled.as_dict() == slow.as_dict()


def test_robs_and_the_handicap_count():
    game = Game("duel", seed=4)
    for bid in ("call", "rob", "rob", "rob", "pass"):
        game.bid(bid)
    while len(game.legal_moves()) > 12:
        game.play(game.legal_moves()[-1])
    seen = game.observe(game.turn)
    compiled = evaluate_moves(seen, 6, "rule", seed=1)
    assert compiled.as_dict() == evaluate_moves(seen, 6, rule_in_python, seed=1).as_dict()
    assert all(abs(one.score.mean) >= 8 or one.win_rate.mean % 1 for one in compiled.moves)


def test_a_forced_landlord_after_redeals_is_replayed():
    game = Game("casual", seed=1)
    while game.phase == "auction":
        game.bid("pass")
    while len(game.legal_moves()) > 12:
        game.play(game.legal_moves()[-1])
    seen = game.observe(game.turn)
    views = []

    def policy(observation, moves, rng):
        views.append(observation)
        return RULE(observation, moves, rng)

    slow = evaluate_moves(seen, 2, policy, seed=1, threads=1)
    assert slow.as_dict() == evaluate_moves(seen, 2, "rule", seed=1).as_dict()
    assert {view.redeals for view in views} == {3}
    assert all(view.moves[: len(seen.moves)] == seen.moves for view in views)


@pytest.mark.parametrize("seed", range(4))
def test_the_exact_expectation_is_met(seed):
    """Every deal that fits, each played out by Game, against the estimate."""
    game = some_game(KINGS.replace(kitty_shown=seed % 2 == 0), 24 + seed, 1 + seed)
    seat, landlord = game.turn, game.landlord
    played = [ddz.Hand() for _ in range(3)]
    for author, move in game.moves:
        played[author] += move.cards
    total, points, wins = 0, {}, {}
    for hands, ways in all_hidden(game, seat).items():
        dealt: dict = {
            other: ddz.Hand.from_counts(hand) + played[other] for other, hand in enumerate(hands)
        }
        # The rule policy does not look at the kitty: any two of the landlord's cards may be it.
        cards = str(dealt[landlord])
        kitty = str(game.deal.kitty_cards) if game.kitty is not None else cards[:2]
        dealt[landlord] -= ddz.Hand(kitty)
        dealt["kitty"] = kitty
        start = game_of(
            game.rules, {who: str(hand) for who, hand in dealt.items()}, opener=game.deal.opener
        )
        for _, bid in game.bids:
            start.bid(bid)
        for _, move in game.moves:
            start.play(move)
        total += ways
        for move in start.legal_moves():
            branch = start.copy()
            branch.play(move)
            got = finished(branch)[seat]
            points[move] = points.get(move, 0) + ways * got
            wins[move] = wins.get(move, 0) + ways * (got > 0)
    found = evaluate_moves(game.observe(seat), 4000, "rule", seed=seed)
    assert {one.move for one in found.moves} == set(points)
    for one in found.moves:
        assert abs(one.score.mean - points[one.move] / total) <= 4 * one.score.se + 1e-12
        assert abs(one.win_rate.mean - wins[one.move] / total) <= 4 * one.win_rate.se + 1e-12
        behind = (points[one.move] - points[found.best]) / total
        assert abs(one.difference.mean - behind) <= 4 * one.difference.se + 1e-12


@pytest.mark.parametrize("policy", ["random", "greedy", "rule"])
def test_a_move_that_wins_at_once_wins_always(policy):
    tried = 0
    for seed in range(40):
        game = some_game(KINGS, seed, 99)
        game.undo()
        seen = game.observe(game.turn)
        for move in seen.legal_moves:
            if move.n_cards == len(seen.hand):
                tried += 1
                found = evaluate_moves(seen, 50, policy, seed=seed, by="win_rate").of(move)
                twin = game.copy()
                twin.play(move)
                assert found.win_rate == (1.0, 0.0, 50)
                assert found.score == (twin.result.points[game.turn], 0.0)
                assert found.difference == (0.0, 0.0)
    assert tried > 10


def test_a_result_that_is_forced_is_found_whatever_the_policy():
    """After the rocket the landlord goes out with his aces."""
    game = game_of(KINGS, {0: "KKAA", "kitty": "BR", 1: "KK22", 2: "AA22"})
    game.bid(3)
    game.play("KK")
    game.play("22")
    game.play("pass")
    game.play("BR")
    game.play("pass")
    game.play("pass")
    for policy in ("random", "greedy", "rule"):
        found = evaluate_moves(game.observe(0), 20, policy, seed=1)
        assert str(found.best) == "AA"
        assert found.moves[0].win_rate == (1.0, 0.0, 20)


# --- Moves: how it is done ------------------------------------------------------------------------


@cache
def lead() -> ddz.Observation:
    """What the seat to move sees some way into a game."""
    game = some_game(STANDARD, 8, 9)
    return game.observe(game.turn)


def many_moves(rules: ddz.Rules = STANDARD) -> Game:
    """A game in which the seat to move has a choice, and may win or lose."""
    game = some_game(rules, 19, 40)
    while game.phase == "over" or not 8 < len(game.legal_moves()) < 25:
        game.undo()
    return game


@cache
def choice() -> ddz.Observation:
    """What that seat sees."""
    game = many_moves()
    return game.observe(game.turn)


@pytest.mark.parametrize("policy", ["random", "rule"])
def test_the_result_does_not_depend_on_threads(policy):
    one = evaluate_moves(lead(), 150, policy, seed=3, threads=1)
    for threads in (2, 7, None):
        assert (
            evaluate_moves(lead(), 150, policy, seed=3, threads=threads).as_dict() == one.as_dict()
        )
    assert evaluate_moves(lead(), 150, policy, one.seed).as_dict() == one.as_dict()
    assert evaluate_moves(lead(), 150, policy, seed=4).as_dict() != one.as_dict()
    json.dumps(one.as_dict(), allow_nan=False)


def test_every_move_meets_the_same_hands_and_random_numbers():
    game = some_game(KINGS, 3, 0)
    seen = game.observe(game.turn)
    branches: list[tuple] = []

    def policy(observation, moves, rng):
        if len(observation.moves) == len(seen.moves) + 1:
            branches.append((observation.moves[-1], observation.hand, rng.integers(1 << 60)))
        return 0

    found = evaluate_moves(seen, 5, policy, seed=1, threads=1)
    per_move = {
        one.move: [branch[1:] for branch in branches if branch[0][1] == one.move]
        for one in found.moves
    }
    # Who can only pass is not asked.
    draws = sorted((drawn for drawn in per_move.values() if drawn), key=len, reverse=True)
    assert [len(drawn) for drawn in draws[:3]] == [5, 5, 4]
    assert len(set(draws[0])) > 1
    assert all(set(drawn) <= set(draws[0]) for drawn in draws)


def test_the_paired_difference_is_better_known_than_the_means():
    found = evaluate_moves(lead(), 400, "rule", seed=3)
    first, second = found.moves[:2]
    assert second.difference.mean == pytest.approx(second.score.mean - first.score.mean)
    assert second.difference.se < math.hypot(first.score.se, second.score.se)
    assert [one.score.mean for one in found.moves] == sorted(
        (one.score.mean for one in found.moves), reverse=True
    )
    rates = evaluate_moves(lead(), 400, "rule", seed=3, by="win_rate")
    assert rates.of(first.move).win_rate == first.win_rate
    assert rates.moves[1].difference.mean == pytest.approx(
        rates.moves[1].win_rate.mean - rates.moves[0].win_rate.mean
    )


def test_it_stops_when_the_best_is_clear():
    found = evaluate_moves(lead(), 20_000, "random", seed=3, stop_at=2, by="win_rate")
    assert found.stopped == "clear"
    assert found.samples % 128 == 0
    assert found.samples < 20_000
    for one in found.moves[1:]:
        assert -one.difference.mean >= 2 * one.difference.se
    for threads in (1, 2):
        again = evaluate_moves(
            lead(), 20_000, "random", seed=3, stop_at=2, by="win_rate", threads=threads
        )
        assert again.as_dict() == found.as_dict()
    rest = evaluate_moves(lead(), found.samples, "random", seed=3, by="win_rate")
    assert rest.stopped == "n"
    assert rest.moves == found.moves


def test_it_stops_when_the_time_is_over():
    start = time.perf_counter()
    found = evaluate_moves(lead(), 10**9, "random", seed=3, time_limit=0.1)
    assert time.perf_counter() - start < 5
    assert found.stopped == "time"
    assert found.samples >= 16
    slow = evaluate_moves(lead(), 10**9, rule_in_python, seed=3, time_limit=0.05)
    assert slow.stopped == "time"
    assert slow.samples >= 1
    assert slow.moves == evaluate_moves(lead(), slow.samples, "rule", seed=3).moves


def test_policies_by_role_and_by_seat():
    seen = lead()
    roles = evaluate_moves(seen, 32, {"landlord": "rule", "peasant": "random"}, seed=2)
    seats = ["rule" if seat == seen.landlord else "random" for seat in range(3)]
    assert evaluate_moves(seen, 32, seats, seed=2).as_dict() == roles.as_dict()
    assert evaluate_moves(seen, 32, "rule", seed=2).as_dict() != roles.as_dict()
    mixed = evaluate_moves(seen, 3, ["rule", rule_in_python, "rule"], seed=2)
    assert mixed.as_dict() == evaluate_moves(seen, 3, "rule", seed=2).as_dict()


def test_a_weight_weighs_the_samples():
    seen = lead()
    plain = evaluate_moves(seen, 200, "rule", seed=2)
    even = evaluate_moves(seen, 200, "rule", seed=2, weight=lambda hands: np.full(len(hands), 4.0))
    for one in plain.moves:
        other = even.of(one.move)
        assert other.score == pytest.approx(one.score)
        assert other.win_rate == pytest.approx(one.win_rate)
        assert other.win_rate.n == pytest.approx(200)
    assert even.effective_size == pytest.approx(200)

    def half(hands):
        return hands[:, (seen.seat + 1) % 3, 12] > 0

    chosen = evaluate_moves(seen, 200, "rule", seed=2, weight=half)
    assert 0 < chosen.effective_size < 200
    with pytest.raises(ddz.DdzError, match="weights of all 32 samples are zero"):
        evaluate_moves(seen, 32, "rule", weight=lambda hands: np.zeros(len(hands)))
    with pytest.raises(ddz.DdzError, match="shape"):
        evaluate_moves(seen, 32, "rule", weight=lambda hands: 1)


def no_warnings(test):
    return pytest.mark.filterwarnings("error")(test)


@no_warnings
@pytest.mark.parametrize("scale", [2.0**-1060, 1e-170, 2.0**-500, 1.0, 2.0**500, 1e160, 1e308])
def test_the_scale_of_weights_is_of_no_matter(scale):
    seen = choice()

    def weight(hands):
        return (1.0 + hands[:, (seen.seat + 1) % 3, 9:].sum(axis=1)) / 32

    def scaled(hands):
        return weight(hands) * scale

    plain, other = (
        evaluate_moves(seen, 300, "greedy", seed=2, weight=given, stop_at=50)
        for given in (weight, scaled)
    )
    assert plain.effective_size < 290
    assert other.effective_size == pytest.approx(plain.effective_size, rel=1e-9)
    assert (other.samples, other.stopped, other.best) == (300, "n", plain.best)
    assert len({one.score.mean for one in plain.moves}) > 3
    assert 0.1 < plain.moves[0].win_rate.mean < 0.99
    for one in plain.moves:
        assert other.of(one.move).win_rate == pytest.approx(one.win_rate, rel=1e-9)
        assert other.of(one.move).score == pytest.approx(one.score, rel=1e-9)
        assert other.of(one.move).difference == pytest.approx(one.difference, rel=1e-9)


@no_warnings
def test_weights_of_all_sizes_in_one_run():
    """They grow from chunk to chunk by 300 powers of ten; the last chunk is all that counts."""
    seen, calls = choice(), []

    def grows(hands):
        calls.append(len(hands))
        return np.full(len(hands), 10.0 ** (-150 + 100 * len(calls)))

    found = evaluate_moves(seen, 64, "greedy", seed=2, weight=grows, threads=1)
    assert len(calls) == 4
    assert found.effective_size == pytest.approx(16)
    every = evaluate_moves(seen, 64, "greedy", seed=2)
    first = evaluate_moves(seen, 48, "greedy", seed=2)
    for one in found.moves:
        last = 4 * every.of(one.move).score.mean - 3 * first.of(one.move).score.mean
        assert one.score.mean == pytest.approx(last)


@no_warnings
def test_weights_that_are_all_zero():
    for stop_at in (None, 3):
        with pytest.raises(ddz.DdzError, match="weights of all 256 samples are zero"):
            evaluate_moves(
                choice(), 256, weight=lambda hands: np.zeros(len(hands)), stop_at=stop_at
            )
    calls = []

    def late(hands):
        calls.append(1)
        return np.full(len(hands), float(len(calls) > 8))

    found = evaluate_moves(choice(), 256, "greedy", seed=1, stop_at=99, weight=late, threads=1)
    assert found.effective_size == 128


def test_rates_have_wilsons_intervals():
    found = evaluate_moves(choice(), 200, "rule", seed=2)
    for one in found.moves:
        wins = round(one.win_rate.mean * 200)
        assert one.win_rate.n == 200
        assert one.win_rate.interval(0.9) == pytest.approx(wilson(wins, 200, 0.9))
    weighted = evaluate_moves(
        choice(),
        200,
        "rule",
        seed=2,
        weight=lambda hands: 1.0 + hands[:, choice().seat - 1, 9:].sum(axis=1),
    )
    share = weighted.moves[0].win_rate
    assert share.n == weighted.effective_size < 199
    low, high = share.interval()
    assert 0 <= low < share.mean < high <= 1
    assert low > weighted.moves[0].win_rate.interval(0.99)[0]
    # All won: no interval is a point.
    bid = evaluate_bid("3456789TJQKA222BR", n=20, seed=1)
    for side in (bid.landlord, *bid.peasants, bid.peasant):
        assert side.win_rate == (1.0, 0.0, 20)
        assert side.win_rate.interval() == pytest.approx(wilson(20, 20))
        assert side.win_rate.interval()[0] == pytest.approx(0.8389, abs=1e-4)


def test_an_average_of_rates_is_worth_more_games_than_one():
    bid = evaluate_bid("3334455678AA222BR", n=2000, seed=1)
    average = bid.peasant.win_rate
    assert [side.win_rate.n for side in (bid.landlord, *bid.peasants)] == [2000] * 3
    assert 3000 < average.n < 6000
    assert average.se == pytest.approx(
        math.sqrt(average.mean * (1 - average.mean) / (average.n - 1))
    )
    low, high = average.interval()
    assert (low, high) == pytest.approx(ddz.Estimate(*average[:2]).interval(), abs=2e-3)
    duel = evaluate_bid("56789TJQKA2BR5678", "duel", 100, seed=1)
    assert duel.peasant == duel.peasants[0]


def test_equal_questions_have_equal_answers():
    for n in (1, 40):
        found = [evaluate_moves(choice(), n, "greedy", seed=seed) for seed in (1, 1, 2)]
        assert found[0] == found[1]
        assert hash(found[0]) == hash(found[1])
        assert n == 1 or found[0] != found[2]
        bids = [evaluate_bid("3334455678AA222BR", n=n, seed=seed) for seed in (1, 1, 3)]
        assert bids[0] == bids[1]
        assert bids[0] != evaluate_bid("3334455678AA222BR", n=n + 1, seed=1)
    assert bids[0] != bids[2]


# --- Moves: leaving early -------------------------------------------------------------------------


class Slow:
    """A policy that takes its time, and counts."""

    def __init__(self, seconds, error=None):
        self.seconds = seconds
        self.error = error
        self.calls = 0

    def __call__(self, observation, moves, rng):
        self.calls += 1
        if self.error is not None and self.calls > 5:
            raise self.error
        time.sleep(self.seconds)
        return 0


@pytest.mark.parametrize("error", [RuntimeError("no more"), KeyboardInterrupt()])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_policy_that_raises_is_not_waited_for(error, threads):
    policy = Slow(0.02, error)
    start = time.perf_counter()
    with pytest.raises(type(error)):
        evaluate_moves(lead(), 1000, policy, seed=1, threads=threads)
    assert time.perf_counter() - start < PATIENCE
    time.sleep(0.2)
    # Nobody asks it any more.
    calls = policy.calls
    time.sleep(0.2)
    assert policy.calls == calls < 20


INTERRUPTED = """
    import time
    import ddz_core as ddz

    def slow(observation, moves, rng):
        time.sleep(0.003)
        return 0

    game = ddz.Game("standard", seed=1)
    game.bid(3)
    seen = game.observe(game.turn)
    ddz.playout(n=1)
    print("begun", flush=True)
    try:
        {call}
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize(
    "call",
    [
        "ddz.evaluate_moves(seen, 1000, slow, seed=1)",
        "ddz.evaluate_moves(seen, 1000, slow, seed=1, threads=1)",
        "ddz.evaluate_moves(seen, 10**9, 'rule', seed=1)",
        "ddz.evaluate_bid(ddz.deal('four_player', 1).hand(0), 'four_player', 10**9)",
        "ddz.playout('four_player', 10**9, policy='rule', threads=1)",
        "ddz.playout('four_player', 10**9, policy='rule', threads=2)",
        "ddz.legal_moves_batch(ddz.random_hands(n=10**6)[:, 0], threads=1)",
        "ddz.sample_hidden(seen, 3 * 10**7, threads=2)",
    ],
)
def test_ctrl_c_ends_it_at_once(call):
    code = textwrap.dedent(INTERRUPTED).format(call=f"while True: {call}")
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout.readline() == "begun\n"
        time.sleep(0.7)
        start = time.perf_counter()
        run.send_signal(signal.SIGINT)
        assert run.stdout.readline() == "interrupted\n"
        run.wait(60)
        # The process too: what was under way does not hold it up.
        assert time.perf_counter() - start < PATIENCE
        assert run.returncode == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_the_time_limit_holds_where_a_sample_takes_long(threads):
    """A lead with hundreds of moves in a game of four."""
    game = Game("four_player", seed=3)
    while game.phase == "auction":
        game.bid(game.legal_bids()[-1])
    seen = game.observe(game.turn)
    assert len(seen.legal_moves) > 200
    start = time.perf_counter()
    found = evaluate_moves(seen, 10**9, "rule", seed=1, time_limit=0.2, threads=threads)
    assert time.perf_counter() - start < PATIENCE
    assert found.stopped == "time"
    assert found.samples >= 1
    again = evaluate_moves(seen, found.samples, "rule", seed=1)
    assert again.moves == found.moves
    slow = Slow(0.01)
    few = game_of(KINGS, {0: "KKAA", "kitty": "BR", 1: "KK22", 2: "AA22"})
    few.bid(3)
    start = time.perf_counter()
    found = evaluate_moves(few.observe(0), 10**6, slow, time_limit=0.1, threads=threads)
    assert time.perf_counter() - start < PATIENCE
    assert found.stopped == "time"


# --- Moves: batches -------------------------------------------------------------------------------


class Batched:
    """The rule policy, asked about many games at once."""

    def __init__(self, answers=None):
        self.sizes = []
        self.answers = answers

    def __call__(self, observation, moves, rng):
        raise AssertionError("it answers in batches")

    def batch(self, observations, moves, rng):
        self.sizes.append(len(observations))
        assert isinstance(rng, np.random.Generator)
        assert all(len(seen.legal_moves) > 1 for seen in observations)
        if self.answers is not None:
            return self.answers
        return [RULE(seen, some, rng) for seen, some in zip(observations, moves, strict=True)]


@pytest.mark.parametrize("name", ["standard", "duel"])
def test_batched_policies_are_asked_about_all_moves_at_once(name):
    game = many_moves(ddz.Rules.preset(name))
    seen, policy = game.observe(game.turn), Batched()
    found = evaluate_moves(seen, 5, policy, seed=2)
    assert found == evaluate_moves(seen, 5, "rule", seed=2)
    assert max(policy.sizes) > len(seen.legal_moves) // 2 > 3
    policies = ["rule", policy, rule_in_python][: game.rules.players]
    assert evaluate_moves(seen, 5, policies, seed=2) == found
    with pytest.raises(ddz.DdzError, match="1 answers for a batch"):
        evaluate_moves(seen, 5, Batched([0]), seed=2)


def test_the_sums_are_those_of_numpy():
    rng = np.random.default_rng(1)
    points = rng.integers(-9, 10, (60, 4)) * 2 + 1
    ones, weights = np.ones(60), rng.random(60)
    for given in (ones, weights):
        sums = _Sums(4)
        sums.add(points[:25], given[:25])
        sums.add(points[25:], given[25:])
        means, errors = sums.each("score")
        assert means == pytest.approx(np.average(points, axis=0, weights=given))
        share = given / given.sum()
        spread = np.sqrt((share**2) @ (points - means) ** 2 * 60 / 59)
        assert errors == pytest.approx(spread)
        behind, error = sums.behind("win_rate", 2)
        pairs = (points > 0) * 1.0 - (points[:, 2:3] > 0)
        assert behind == pytest.approx(share @ pairs)
        assert error == pytest.approx(np.sqrt((share**2) @ (pairs - behind) ** 2 * 60 / 59))
        mean, error = sums.combined("score", np.array([[2.0, -1, 0, 0]]))
        combined = 2 * points[:, 0] - points[:, 1]
        assert mean[0] == pytest.approx(share @ combined)
        assert error[0] == pytest.approx(np.sqrt((share**2) @ (combined - mean[0]) ** 2 * 60 / 59))
    plain = _Sums(4)
    plain.add(points, ones)
    assert plain.each("score")[1] == pytest.approx(points.std(axis=0, ddof=1) / math.sqrt(60))


def test_one_sample_has_no_error():
    found = evaluate_moves(lead(), 1, "rule", seed=1)
    assert found.samples == 1
    assert math.isnan(found.moves[0].score.se)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"n": 0}, ddz.DdzError, "n is 0"),
        ({"n": 10**10}, ddz.DdzError, "n is 10000000000"),
        ({"n": 2.0}, TypeError, "n must be"),
        ({"by": "luck"}, ddz.DdzError, "by is 'luck'"),
        ({"policy": "genius"}, ddz.DdzError, "no policy 'genius'"),
        ({"policy": ["rule"]}, ddz.DdzError, "1 policies for 3 seats"),
        ({"policy": 3}, TypeError, "policy"),
        ({"stop_at": 0}, ddz.DdzError, "stop_at is 0"),
        ({"stop_at": "x"}, TypeError, "stop_at must be a number"),
        ({"stop_at": math.nan}, ddz.DdzError, "stop_at is nan"),
        ({"time_limit": -1}, ddz.DdzError, "time_limit is -1"),
        ({"time_limit": True}, TypeError, "time_limit must be a number"),
        ({"weight": 3}, TypeError, "weight must be callable"),
        ({"threads": 0}, ddz.DdzError, "threads is 0"),
        ({"seed": -1}, ValueError, "seed"),
        ({"observation": 3}, TypeError, "observation must be an Observation"),
        ({"policy": lambda seen, moves, rng: len(moves)}, ddz.DdzError, "answered"),
        ({"policy": lambda seen, moves, rng: None}, TypeError, "a policy's answer"),
    ],
)
def test_bad_arguments_are_refused(arguments, error, text):
    with pytest.raises(error, match=text):
        evaluate_moves(**{"observation": lead(), "n": 4, **arguments})


def test_only_the_seat_to_play_is_evaluated():
    game = Game(STANDARD, seed=1)
    with pytest.raises(ddz.PhaseError, match="auction"):
        evaluate_moves(game.observe(0))
    game = some_game(STANDARD, 8, 9)
    with pytest.raises(ddz.PhaseError, match="turn"):
        evaluate_moves(game.observe((game.turn + 1) % 3))
    with pytest.raises(ddz.PhaseError, match="over"):
        evaluate_moves(some_game(STANDARD, 8, 999).observe(0))
    with pytest.raises(ddz.DdzError, match=r"observation\.base"):
        evaluate_moves(dataclasses.replace(lead(), base=9))
    with pytest.raises(ddz.DdzError, match="not among"):
        evaluate_moves(lead(), 1, seed=1).of(ddz.Move.parse("BR"))


# --- Bids -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["rule", "greedy"])
def test_a_bid_is_worth_what_all_deals_are_worth(policy):
    bidding = STANDARD.replace(lowest_rank=ddz.Rank.ACE, hand_size=2, kitty_size=3)
    rules = bidding.replace(auction="none")
    player = built_in(policy)
    hand = ddz.Hand("A2")
    unseen = tuple((np.array(rules.deck) - hand.counts).tolist())
    total, sums, wins = 0, [0, 0, 0], [0, 0, 0]
    for ways, (one, two, kitty) in piles(unseen, [2, 2, 3]):
        total += ways
        texts = {1: one, 2: two, "kitty": kitty}
        cards = {who: str(ddz.Hand.from_counts(counts)) for who, counts in texts.items()}
        for landlord in range(3):
            game = game_of(rules, {0: str(hand), **cards}, opener=landlord)
            while game.turn is not None:
                seen = game.observe(game.turn)
                game.play(seen.legal_moves[player(seen, seen.legal_moves, RNG)])
            sums[landlord] += ways * game.result.points[0]
            wins[landlord] += ways * (game.result.points[0] > 0)
    found = evaluate_bid(hand, bidding, 5000, policy, seed=1)
    for estimate, points, won in zip((found.landlord, *found.peasants), sums, wins, strict=True):
        assert abs(estimate.score.mean - points / total) <= 4 * estimate.score.se
        assert abs(estimate.win_rate.mean - won / total) <= 4 * estimate.win_rate.se
    gain = found.gain(3, standing=1)
    exact = (3 * sums[0] - (sums[1] + sums[2]) / 2) / total
    assert abs(gain.mean - exact) <= 4 * gain.se


def test_the_parts_of_a_bids_evaluation_agree():
    found = evaluate_bid("3334455678AA222BR", n=600, seed=1)
    landlord, (left, right), peasant = found.landlord, found.peasants, found.peasant
    assert peasant.score.mean == pytest.approx((left.score.mean + right.score.mean) / 2)
    assert peasant.win_rate.mean == pytest.approx((left.win_rate.mean + right.win_rate.mean) / 2)
    assert found.gain("2").mean == pytest.approx(2 * landlord.score.mean)
    assert found.gain(2).se == pytest.approx(2 * landlord.score.se)
    assert found.gain(3, 1).mean == pytest.approx(3 * landlord.score.mean - peasant.score.mean)
    assert found.gain(3, 2, holder=2).mean == pytest.approx(
        3 * landlord.score.mean - 2 * right.score.mean
    )
    assert found.worthwhile() == (ddz.Bid.ONE, ddz.Bid.TWO, ddz.Bid.THREE)
    assert found.worthwhile(2) == (ddz.Bid.THREE,)
    assert evaluate_bid("33445566789TJJQKK", n=600, seed=1).worthwhile() == ()
    json.dumps(found.as_dict(), allow_nan=False)
    assert "sums" not in repr(found)


@pytest.mark.parametrize("name", PRESETS)
def test_bids_are_evaluated_under_every_preset_for_any_threads(name):
    rules = ddz.Rules.preset(name)
    hand = ddz.deal(rules, 3).hand(0)
    one = evaluate_bid(hand, rules, 700, "random", seed=2, threads=1)
    for threads in (2, 7):
        again = evaluate_bid(hand, rules, 700, "random", seed=2, threads=threads)
        assert again.as_dict() == one.as_dict()
    assert one.samples == 700
    assert len(one.peasants) == rules.players - 1
    with_kitty = evaluate_bid(hand + ddz.deal(rules, 3).kitty_cards, rules, 100, seed=2)
    assert with_kitty.peasants == ()
    assert with_kitty.peasant is None
    with pytest.raises(ddz.DdzError, match="kitty"):
        with_kitty.gain(1)


def test_robs_double_and_give_a_handicap():
    hand = "56789TJQKA2BR5678"
    found = [evaluate_bid(hand, "duel", 400, "random", seed=2, robs=robs) for robs in (0, 4)]
    assert found[1].landlord.win_rate.mean < found[0].landlord.win_rate.mean
    assert abs(found[1].landlord.score.mean) > 4
    assert found[1].bids == (ddz.Bid.CALL,)
    assert found[1].robber is None
    with pytest.raises(ddz.DdzError, match="rob after 4 robs; under rules 'duel' it must be call"):
        found[1].gain("rob")


@pytest.mark.parametrize("robs", [0, 1, 3])
def test_a_rob_is_the_landlord_with_one_rob_more_against_the_peasant(robs):
    """Everything from two separate evaluations, on the same deals."""
    hand = "56789TJQKA2BR5678"
    now, then = (
        evaluate_bid(hand, "duel", 400, "rule", seed=2, robs=made) for made in (robs, robs + 1)
    )
    assert now.bids == (ddz.Bid.CALL, ddz.Bid.ROB)
    assert now.robber == then.landlord
    assert now.robber != now.landlord
    for standing in (None, 1):
        gain = now.gain("rob", standing)
        assert gain.mean == pytest.approx(then.landlord.score.mean - now.peasant.score.mean)
    assert gain == now.gain(ddz.Bid.ROB, holder=1)
    # In a duel the opener is landlord where nobody calls: there is no redeal to be had.
    called = now.gain("call")
    assert called == now.gain("call", 1)
    assert called.mean == pytest.approx(now.landlord.score.mean - now.peasant.score.mean)
    assert now.gain("call", 0).mean == pytest.approx(now.landlord.score.mean)
    paying = tuple(bid for bid in now.bids if now.gain(bid).mean > 0)
    assert now.worthwhile() == now.worthwhile(1) == paying
    assert ddz.Bid.ROB not in now.worthwhile(0)
    redealt = evaluate_bid(hand, ddz.Rules.duel().replace(nobody_bids="redeal"), 50, seed=2)
    assert redealt.gain("call") == redealt.gain("call", 0)
    assert now.as_dict()["robber"]["score"]["mean"] == then.landlord.score.mean


def test_the_gain_of_a_rob_is_that_of_all_deals():
    """Against Game, each deal and both sides played out: the mean of the paired differences."""
    rules = ddz.Rules.duel().replace(
        lowest_rank=ddz.Rank.ACE, hand_size=2, kitty_size=3, max_robs=1
    )
    player, hand = built_in("rule"), ddz.Hand("A2")
    unseen = tuple((np.array(rules.deck) - hand.counts).tolist())

    def points(cards, bids):
        game = game_of(rules, {0: str(hand), **cards}, opener=1)
        for bid in bids:
            game.bid(bid)
        while game.turn is not None:
            seen = game.observe(game.turn)
            game.play(seen.legal_moves[player(seen, seen.legal_moves, RNG)])
        return game.result.points[0]

    found = []
    for ways, (one, kitty) in piles(unseen, [2, 3]):
        texts = {1: one, "kitty": kitty}
        cards = {who: str(ddz.Hand.from_counts(counts)) for who, counts in texts.items()}
        found += [points(cards, ("call", "rob")) - points(cards, ("call", "pass"))] * ways
    gain = evaluate_bid(hand, rules, 5000, "rule", seed=1).gain("rob")
    assert abs(gain.mean - np.mean(found)) <= 4 * gain.se
    assert gain.se == pytest.approx(np.std(found) / math.sqrt(5000), rel=0.1)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"hand": "345"}, ddz.InvalidCardsError, "has 3 cards"),
        ({"hand": "33344455566677788"}, None, ""),
        ({"hand": "3334445556667778"}, ddz.InvalidCardsError, "17, and the landlord's 20"),
        ({"hand": "33333455566677788"}, ddz.InvalidCardsError, "3"),
        ({"hand": 3}, TypeError, "hand must be"),
        ({"hand": "33344455566677788", "rules": "duel"}, ddz.InvalidCardsError, "deck of 'duel'"),
        ({"rules": "chess"}, ddz.DdzError, "chess"),
        ({"n": 0}, ddz.DdzError, "n is 0"),
        ({"robs": 1}, ddz.DdzError, "robs is 1"),
        ({"policy": "genius"}, ddz.DdzError, "genius"),
        ({"policy": rule_in_python}, TypeError, "built in"),
        ({"threads": -1}, ddz.DdzError, "threads is -1"),
        ({"seed": "x"}, TypeError, "seed"),
    ],
)
def test_bad_bid_arguments_are_refused(arguments, error, text):
    given = {"hand": "3334455678AA222BR", "n": 3, "policy": "random", **arguments}
    if error is None:
        assert evaluate_bid(**given).samples == 3
        return
    with pytest.raises(error, match=text):
        evaluate_bid(**given)


def test_bad_questions_about_bids_are_refused():
    found = evaluate_bid("3334455678AA222BR", n=3, policy="random")
    for arguments, text in (
        ((0,), "bid is pass; under rules 'standard' it must be 1 or 2 or 3"),
        (("rob",), "bid is rob; under rules 'standard' it must be 1 or 2 or 3"),
        (("call",), "bid is call; under rules 'standard'"),
        ((4,), "bid is call; under rules 'standard'"),
        ((6,), "no bid"),
        ((1, 4), "standing is 4; it must be 0 … 3"),
        ((1, -1), "standing is -1"),
        ((1, 1), "bid is 1; it must be above the standing bid, 1"),
        ((1, 2), "bid is 1; it must be above the standing bid, 2"),
        ((3, 3), "bid is 3; it must be above the standing bid, 3"),
        ((1, 0, 0), "holder is 0"),
        ((1, 0, 3), "holder is 3"),
    ):
        with pytest.raises(ddz.DdzError, match=text):
            found.gain(*arguments)
    with pytest.raises(ddz.DdzError, match="standing is 4"):
        found.worthwhile(4)
    assert found.worthwhile(3) == ()
    duel = evaluate_bid("56789TJQKA2BR5678", "duel", 3, "random")
    for arguments, text in (
        ((1,), "bid is 1; under rules 'duel' it must be call or rob"),
        (("call", 2), "standing is 2; it must be 0 … 1"),
        (("rob", 2), "standing is 2; it must be 0 … 1"),
        (("rob", 0), "a rob follows a call"),
    ):
        with pytest.raises(ddz.DdzError, match=text):
            duel.gain(*arguments)
    plain = evaluate_bid("3334455678AA222BR", "rlcard", 3, "random")
    assert plain.bids == plain.worthwhile() == ()
    with pytest.raises(ddz.DdzError, match="bid is 1; under rules 'rlcard' none is made"):
        plain.gain(1)
    with pytest.raises(TypeError):
        found.gain(1.5)


# --- The core's own checks ------------------------------------------------------------------------


def test_the_core_checks_what_it_is_given():
    game = some_game(STANDARD, 8, 9)
    position, moves = game.position, game.legal_moves()
    state = np.arange(1, 5, dtype=np.uint64)
    hands = np.array([[hand.counts for hand in game.hands]])
    points = np.zeros((1, len(moves)), np.int64)
    everything = {
        "policies": [0, 0, 0],
        "seed": state,
        "hands": hands,
        "points": points,
        "first": 0,
        "stop": len(moves),
    }
    move_chunk(position, moves, **everything)
    assert points.all()
    assert doublings(position) == game.multiplier.bit_length() - 1
    for changed in (
        {"policies": [0, 0]},
        {"policies": [0, 0, 9]},
        {"seed": state[:2]},
        {"seed": state * 0},
        {"hands": hands[:, :2].copy()},
        {"hands": hands[:, :, ::-1].copy()},
        {"points": points[:, 1:].copy()},
        {"first": -1},
        {"first": len(moves), "stop": 1},
        {"stop": len(moves) + 1},
    ):
        with pytest.raises(ValueError):  # noqa: PT011 (each says something else)
            move_chunk(position, moves, **everything | changed)
    over = some_game(STANDARD, 8, 999).position
    with pytest.raises(ddz.PhaseError):
        move_chunk(over, moves, **everything)
    for unseen, problem in (([0] * 3, "points must have shape"), ([15] * 37, "rank 15")):
        with pytest.raises(ValueError, match=problem):
            landlord_chunk(
                STANDARD,
                0,
                np.array(unseen, np.uint8),
                False,
                0,
                [0, 0],
                state,
                np.zeros((1, 3), np.int64),
            )


def test_the_core_may_be_called_for_some_playouts_at_a_time():
    game = many_moves()
    position, moves = game.position, game.legal_moves()
    state = np.arange(1, 5, dtype=np.uint64)
    hands = ddz.sample_hidden(game.observe(game.turn), 5, 1)
    whole, parts = np.zeros((2, 5, len(moves)), np.int64)
    move_chunk(position, moves, [0, 0, 0], state, hands, whole, 0, whole.size)
    cuts = [0, 1, len(moves) - 1, len(moves), 2 * len(moves) + 3, whole.size]
    for first, stop in reversed(list(itertools.pairwise(cuts))):
        move_chunk(position, moves, [0, 0, 0], state, hands, parts, first, stop)
    assert (whole == parts).all()
    assert len(set(whole.ravel().tolist())) > 1
    unseen = np.repeat(np.arange(15, dtype=np.uint8), STANDARD.deck)[17:]
    whole, parts = np.zeros((2, 9, 3), np.int64)
    shoe = unseen.copy()
    hand = ddz.Hand.from_counts([4, 4, 4, 4, 1, *[0] * 10]).packed
    landlord_chunk(STANDARD, hand, shoe, False, 0, [0, 2], state.copy(), whole)
    for first, stop in itertools.pairwise((0, 1, 4, 9)):
        landlord_chunk(STANDARD, hand, unseen, False, 0, [0, 2], state, parts[first:stop])
    assert (whole == parts).all()
    assert (shoe == unseen).all()
