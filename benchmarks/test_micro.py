"""Single queries, timed by pytest-benchmark: `pytest benchmarks/test_micro.py`."""

import numpy as np
import pytest

import ddz_core as ddz

N = 2000


@pytest.fixture(scope="module")
def deals():
    return ddz.random_hands("standard", N, seed=1)


@pytest.fixture(scope="module")
def answers(deals):
    """A random lead of each landlord."""
    indptr, moves = ddz.legal_moves_batch(np.ascontiguousarray(deals[:, 0]))
    chosen = np.random.default_rng(2).integers(indptr[:-1], indptr[1:])
    return moves[chosen]


@pytest.mark.parametrize("seat", [0, 1], ids=["20 cards", "17 cards"])
def test_lead_batch(benchmark, deals, seat):
    hands = np.ascontiguousarray(deals[:, seat])
    _, moves = benchmark(ddz.legal_moves_batch, hands, threads=1)
    benchmark.extra_info["ns a hand"] = benchmark.stats["min"] / N * 1e9
    benchmark.extra_info["ns a move"] = benchmark.stats["min"] / len(moves) * 1e9


def test_follow_batch(benchmark, deals, answers):
    hands = np.ascontiguousarray(deals[:, 1])
    _, moves = benchmark(ddz.legal_moves_batch, hands, answers, threads=1)
    benchmark.extra_info["ns a query"] = benchmark.stats["min"] / N * 1e9
    benchmark.extra_info["moves a query"] = len(moves) / N


def test_lead_call(benchmark, deals):
    hand = ddz.Hand.from_counts(deals[0, 0])
    benchmark(ddz.legal_moves, hand)


def test_count_call(benchmark, deals):
    hand = ddz.Hand.from_counts(deals[0, 0])
    benchmark(ddz.count_legal_moves, hand)


def test_follow_call(benchmark, deals, answers):
    hand = ddz.Hand.from_counts(deals[0, 1])
    last = ddz.Move.from_record(answers[0])
    benchmark(ddz.legal_moves, hand, last)


def test_classify_call(benchmark):
    cards = ddz.Hand("333444555789")
    benchmark(ddz.classify, cards)


def test_play_and_undo(benchmark, deals):
    position = ddz.Position([ddz.Hand.from_counts(hand) for hand in deals[0]])
    move = position.legal_moves()[0]

    def play_undo():
        position.play(move)
        position.undo()

    benchmark(play_undo)


@pytest.mark.parametrize("rules", ["standard", "duel", "four_player", "botzone"])
def test_playout(benchmark, rules):
    games = 4096
    benchmark(ddz.playout, rules, games, seed=1, threads=1)
    benchmark.extra_info["games a second"] = games / benchmark.stats["min"]


def test_perft(benchmark, deals):
    position = ddz.Position([ddz.Hand.from_counts(hand) for hand in deals[0]])
    leaves = benchmark(ddz.perft, position, 4)
    benchmark.extra_info["leaves a second"] = leaves / benchmark.stats["min"]
