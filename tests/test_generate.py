"""The core's legal moves are the oracle's, on thousands of random hands."""

import random

import numpy as np
import oracle
import pytest
from deals import PRESETS, RULES, any_hand, deal, random_play
from helpers import assert_same_moves, core_hand, core_move, core_rules, oracle_moves

import ddz_core as ddz

HANDS = 1000
# Hands in which rare rules meet, and random hands seldom: four equal kickers, kickers beside the
# chain that they would extend, chains of quads, readings side by side, both jokers on offer.
RARE = [
    "5556667778889999",
    "555666777888999",
    "55556666777788889999",
    "55566677788899922BR",
    "5555666777BR",
    "JJJQQQKKKAAA2222",
    "QQQKKKAAA222BR",
    "KKKKAAAA2222BR",
    "555777888999JJJQQQ",
    "55667788TTTJJJJQQQBR",
]
FEWER = 300  # where a rule set differs little from one that gets the full number


def number_of_hands(name):
    return HANDS if name in PRESETS and name not in ("club", "casual") else FEWER


@pytest.mark.parametrize("name", RULES)
def test_leads(name):
    rules, core = RULES[name], core_rules(name)
    rng = random.Random(f"lead {name}")
    for _ in range(number_of_hands(name)):
        hand = any_hand(rng, rules)
        moves = ddz.legal_moves(core_hand(hand), rules=core)
        assert_same_moves(moves, oracle.legal(hand, None, rules), (name, oracle.text_of(hand)))
        assert ddz.Move.PASS not in list(moves)
        assert ddz.count_legal_moves(core_hand(hand), rules=core) == len(moves)


@pytest.mark.parametrize("name", RULES)
def test_rare_hands(name):
    rules, core = RULES[name], core_rules(name)
    for text in RARE:
        hand = oracle.parse(text)
        leads = oracle.legal(hand, None, rules)
        assert_same_moves(ddz.legal_moves(text, rules=core), leads, (name, text))
        for cards in {cards for cards, _ in leads}:
            expected = [(cards, reading) for reading in oracle.readings(cards, rules)]
            found = ddz.classify(core_hand(cards), rules=core)
            assert_same_moves(found, expected, (name, oracle.text_of(cards)))
        lowest = {}
        for move in leads:
            kind, _, *shape = move[1]
            lowest[kind, *shape] = min(
                lowest.get((kind, *shape), move), move, key=lambda m: m[1][1]
            )
        for last in lowest.values():
            expected = oracle.legal(hand, last, rules)
            found = ddz.legal_moves(text, core_move(last, name), rules=core)
            assert_same_moves(found, expected, (name, text, oracle.move_text(last)))
            count = ddz.count_legal_moves(text, core_move(last, name), rules=core)
            assert count == len(expected)


@pytest.mark.parametrize(
    ("hand", "allowed", "refused"),
    [
        ("7777", ["7777"], ["7", "77", "777"]),
        ("77778", ["7777", "8"], ["777+8"]),
        ("7777889", ["7777", "7777+88", "7777+89"], ["888+7", "88+77"]),
        ("3334445556667777", ["333444555666", "7777"], ["333444555666+7777"]),
        ("34567777", ["3", "7777+34"], ["34567"]),
    ],
)
def test_held_quads_stay_together(hand, allowed, refused):
    moves = {str(m) for m in ddz.legal_moves(hand, rules=core_rules("held_quads_cap_4"))}
    assert set(allowed) <= moves
    assert not set(refused) & moves


@pytest.mark.parametrize("name", RULES)
def test_follows(name):
    rules, core = RULES[name], core_rules(name)
    rng = random.Random(f"follow {name}")
    for _ in range(number_of_hands(name)):
        last, hand = _table(rng, name)
        where = (name, oracle.text_of(hand), oracle.move_text(last))
        core_last = core_move(last, name)
        moves = ddz.legal_moves(core_hand(hand), core_last, rules=core)
        assert_same_moves(moves, oracle.legal(hand, last, rules), where)
        assert moves[0] == ddz.Move.PASS, where
        assert ddz.count_legal_moves(core_hand(hand), core_last, rules=core) == len(moves), where


def _table(rng, name):
    """A play on the table and a hand that may answer it."""
    rules = RULES[name]
    while True:
        hand = any_hand(rng, rules)
        if rng.random() < 0.5:
            # Both from one deck; otherwise their cards together may exceed it, which no rule of
            # the query forbids and which lets more plays meet an answer.
            other, hand = deal(rng, rules, (rules.max_hand, sum(hand)))
        else:
            other = any_hand(rng, rules)
        last = random_play(rng, other, rules)
        if last is not None:
            return last, hand


@pytest.mark.parametrize("name", ["standard", "douzero", "botzone", "four_player", "held_quads"])
@pytest.mark.parametrize("threads", [1, 2])
def test_batches_hold_the_same_moves_in_the_same_order(name, threads):
    rules, core = RULES[name], core_rules(name)
    rng = random.Random(f"batch {name}")
    hands = [any_hand(rng, rules) for _ in range(300)]
    indptr, moves = ddz.legal_moves_batch(
        np.array(hands, dtype=np.uint8), rules=core, threads=threads
    )
    assert indptr[0] == 0
    assert indptr[-1] == len(moves)
    for i, hand in enumerate(hands):
        single = ddz.legal_moves(core_hand(hand), rules=core).array
        np.testing.assert_array_equal(moves[indptr[i] : indptr[i + 1]], single)


@pytest.mark.parametrize("name", ["standard", "douzero", "botzone", "four_player"])
def test_batches_of_follows(name):
    core = core_rules(name)
    rng = random.Random(f"batch follow {name}")
    tables = [_table(rng, name) for _ in range(200)]
    hands = np.array([hand for _, hand in tables], dtype=np.uint8)
    lasts = [core_move(last, name) for last, _ in tables]
    rows = np.empty(len(lasts), dtype=ddz.move_dtype)
    for i, last in enumerate(lasts):
        rows[i] = _row(last, core)
    indptr, moves = ddz.legal_moves_batch(hands, rows, rules=core, threads=2)
    for i, last in enumerate(lasts):
        single = ddz.legal_moves(core_hand(tuple(hands[i])), last, rules=core).array
        np.testing.assert_array_equal(moves[indptr[i] : indptr[i + 1]], single)


def _row(move, core):
    """The move as one element of a move array."""
    moves = ddz.legal_moves(move.cards, rules=core)
    return moves.array[list(moves).index(move)]


@pytest.mark.parametrize("name", ["standard", "four_player"])
def test_the_hand_may_be_text(name):
    core = core_rules(name)
    expected = oracle_moves(ddz.legal_moves(ddz.Hand("33344456T"), rules=core))
    assert oracle_moves(ddz.legal_moves("10 333 444 56", rules=core)) == expected
