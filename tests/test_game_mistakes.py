"""Real mistakes of other engines in auction, state and score, each with its right answer.

The cases are those of the collection engine_mistakes.jsonl whose ids begin with bid, state or
score; `input` and `expected` are copied. Those about plays are in tests/test_engine_mistakes.py.
"""

from __future__ import annotations

import pytest
from game_helpers import everything, game_of, played
from test_scoring import BOMBS

import ddz_core as ddz
from ddz_core.auction import Bid
from ddz_core.game import Game

NUMBERS = ("standard", "club", "pagat", "casual")  # 000, 001, 002, 004
CASES = {
    "bid-01": ({"bids": ["pass", "pass", "pass"]}, {"004 redeals at most": 3, "004 base": 1}),
    "bid-03": ({"bids": [1, 2, 0]}, {"landlord": 1, "base": 2}),
    "bid-05": ({"bids": [2], "next": [1, 2]}, {"legal_next": ["pass", "3"]}),
    "bid-07": (
        {"call": 0, "robs": ["rob", "rob", "rob", "rob"]},
        {"robs": 4, "landlord": 0, "multiplier": 16, "handicap": 4},
    ),
    "bid-09": ({"answer": "xyz"}, {"accepted": False, "state_unchanged": True}),
    "bid-11": ({"bids": ["pass", "pass", "pass"]}, {"landlord": None}),
    "state-01": (
        {"trace": [[0, "3"], [1, "4"], [2, "5"], [0, "6"], [1, "7"]], "seat": 0},
        {"answer": "6"},
    ),
    "state-03": ({"sequence": ["lead", "pass", "pass", "lead", "undo"]}, {"pass": False}),
    "state-05": ({"event": "same play delivered twice"}, {"counter_min": 0}),
    "state-07": ({"encoding": "rank-major 4 per rank"}, {"3": 0, "4": 4, "2": 48}),
    "score-01": (
        {"landlord_plays": ["3"], "bombs": 0, "base": 1},
        {"anti_spring": True, "landlord": -4, "farmers": [2, 2]},
    ),
    "score-03": (
        {"base": 3, "bombs": 2, "rockets": 1, "spring": False},
        {"S": 24, "points": [48, -24, -24]},
    ),
    "score-05": ({"winner_seat": 1}, {"reported_winner": 1}),
    "score-07": ({"play": "333344445555"}, {"reading": ["SHUTTLE", "3", 3]}),
}
CHECKS = {}


def check(function):
    """The check of the case of that name."""
    CHECKS[function.__name__.replace("_", "-")] = function
    return function


def bidding(name: str, bids: list[object], opener: int = 0) -> Game:
    game = game_of(name, {}, opener=opener)
    for bid in bids:
        game.bid(bid)
    return game


@check
def bid_01(given, right):
    for name in ("standard", "club", "pagat"):
        game = bidding(name, given["bids"] * 5)
        assert (game.phase, game.redeals, game.landlord) == ("auction", 5, None)
    redeals = right["004 redeals at most"]
    game = bidding("casual", given["bids"] * redeals)
    assert (game.phase, game.redeals) == ("auction", redeals)
    for bid in given["bids"]:
        game.bid(bid)
    assert (game.landlord, game.base, game.redeals) == (0, right["004 base"], redeals)
    game = bidding("duel", given["bids"][:2])
    assert (game.landlord, game.robs, game.handicap, game.redeals) == (0, 0, 0, 0)


@check
def bid_03(given, right):
    for name in ("standard", "club", "casual"):
        game = bidding(name, given["bids"])
        assert {"landlord": game.landlord, "base": game.base} == right
        assert game.turn == right["landlord"]


@check
def bid_05(given, right):
    for name in NUMBERS:
        game = bidding(name, given["bids"])
        before = everything(game)
        for bid in given["next"]:
            with pytest.raises(ddz.IllegalMoveError):
                game.bid(bid)
        assert everything(game) == before
        assert [str(bid) for bid in game.legal_bids()] == right["legal_next"]


@check
def bid_07(given, right):
    game = bidding("duel", ["call", *given["robs"]], opener=given["call"])
    assert {name: getattr(game, name) for name in right} == right
    assert Bid.ROB not in game.legal_bids()
    with pytest.raises(ddz.PhaseError):
        game.bid("rob")


@check
def bid_09(given, right):
    for name in (*NUMBERS, "duel", "four_player", "openspiel"):
        game = bidding(name, ["pass"])
        before = everything(game)
        with pytest.raises(ddz.IllegalMoveError, match=given["answer"]):
            game.bid(given["answer"])
        assert (everything(game) == before) == right["state_unchanged"]


@check
def bid_11(given, right):
    for name in (*NUMBERS, "openspiel"):
        game = bidding(name, given["bids"])
        assert game.landlord == right["landlord"]
        assert repr(game)
        assert repr(game.result)
        assert repr(game.observe(0))


@check
def state_01(given, right):
    moves = " ".join(move for _, move in given["trace"])
    game = played("standard", {0: "36", 1: "47", 2: "5"}, "3", moves)
    assert [[seat, str(move)] for seat, move in game.moves] == given["trace"]
    of_seat = [str(move) for seat, move in game.moves if seat == given["seat"]]
    assert of_seat[-1] == right["answer"]


@check
def state_03(given, right):
    assert given["sequence"][-2:] == ["lead", "undo"]
    game = played("standard", {0: "347"}, "3", "3 pass pass")
    before = list(game.legal_moves())
    game.play("4")
    game.undo()
    assert list(game.legal_moves()) == before
    assert (ddz.Move.PASS in before) == right["pass"]


@check
def state_05(given, right):
    game = played("standard", {0: "33", 1: "4"}, "3", "3 4")
    before = everything(game)
    with pytest.raises(ddz.DdzError):
        game.play(ddz.Move.parse("4"))
    assert everything(game) == before
    assert min(game.observe(2).unseen.counts) >= right["counter_min"]


@check
def state_07(given, right):
    for rank, index in right.items():
        assert ddz.Hand.from_ids([index]) == ddz.Hand(rank)
    # The last real play counts, not the pass after it.
    game = played("standard", {0: "3", 1: "5"}, "3", "3 5 pass")
    assert str(game.observe(0).last) == "5"


@check
def score_01(given, right):
    hands = {0: given["landlord_plays"][0], 1: "455566677788899JJ", 2: "T"}
    for name in ("standard", "club", "pagat"):
        for moves in (
            "3 4 pass pass 555666777888+99JJ",
            "3 pass T pass J pass pass 555666777888+499J",
        ):
            game = played(name, hands, "1 pass pass", moves)
            result = game.result
            assert (result.anti_spring, result.bombs, result.base) == (True, 0, 1)
            assert list(result.points) == [right["landlord"], *right["farmers"]]
    hands = {0: "5", 1: "6777888999TTTJJQQ"}
    duel = played("duel", hands, "call pass", "5 6 pass 777888999TTT+JJQQ").result
    assert (duel.anti_spring, duel.points) == (True, (-2, 2))


@check
def score_03(given, right):
    moves = "7 8 pass pass 9 pass 3333 pass pass 4444 pass pass BR pass pass 5555+67 pass pass 666"
    for name in NUMBERS:
        result = played(name, BOMBS, str(given["base"]), moves).result
        assert {item: getattr(result, item) for item in given} == given
        assert result.stake == right["S"]
        assert list(result.points) == right["points"]


@check
def score_05(given, right):
    hands = {0: "3", 1: "455566677788899JJ"}
    game = played("standard", hands, "3", "3 4 pass pass 555666777888+99JJ")
    assert game.result.winner == given["winner_seat"] == right["reported_winner"]
    # Nothing in it depends on who looks.
    assert [points > 0 for points in game.result.points] == [False, True, True]


@check
def score_07(given, right):
    """Botzone's weights of plays are its own; what counts here is that three quads are one shuttle.
    It names a shuttle by its lowest rank, ddz_core a chain by its highest."""
    game = played("botzone", {0: given["play"]}, "", given["play"])
    move = game.moves[0][1]
    lowest = "3456789TJQKA2BR"[move.rank - move.length + 1]
    assert [move.kind.name, lowest, move.length] == right["reading"]


@pytest.mark.parametrize("case", CASES)
def test_case(case):
    CHECKS[case](*CASES[case])


def test_every_case_has_a_check():
    assert CHECKS.keys() == CASES.keys()
