"""The commands that solve open hands: solve and puzzle."""

import json

import pytest

import ddz_core as ddz

PUZZLE = ("45569TKA2", "4588TJKB")  # won by the 5 alone


def test_a_puzzle_in_words(answer):
    text = answer("puzzle", *PUZZLE)
    assert text.startswith("Seat 0 to move: seat 0 wins.")
    assert "1 best move: 5" in text


def test_a_puzzle_as_json(as_json):
    found = as_json("puzzle", *PUZZLE)
    assert (found["value"], found["landlord_wins"], found["rules"]) == (1, True, "douzero")
    assert [move["play"] for move in found["moves"]] == ["5"]
    assert found["refutations"] == []
    position = ddz.Position.from_string(found["position"])
    for text in found["line"]:
        position.play(text)
    assert position.winner == 0


def test_the_play_to_beat(as_json):
    found = as_json("puzzle", "34", "2K", "--last", "A")
    assert found["landlord_wins"] is False
    assert found["moves"] == []
    found = as_json("puzzle", "25", "BA", "--last", "A")
    assert [move["play"] for move in found["moves"]] == []
    found = as_json("puzzle", "2", "3A", "--last", "A")
    assert [move["play"] for move in found["moves"]] == ["pass", "2"]


def test_losing_tries_are_refuted(as_json, answer):
    found = as_json("puzzle", *PUZZLE, "--explain")
    legal = {str(move) for move in ddz.legal_moves(PUZZLE[0], rules="douzero")}
    assert {one["move"] for one in found["refutations"]} == legal - {"5"}
    assert all(one["landlord_wins"] is False for one in found["refutations"])
    (one,) = as_json("puzzle", *PUZZLE, "--explain", "4")["refutations"]
    assert one["move"] == "4"
    assert "4 fails: seat 1 wins" in answer("puzzle", *PUZZLE, "--explain", "4")
    assert "8 losing tries" in answer("puzzle", *PUZZLE, "--explain")
    words = " ".join(answer("solve", "standard 357/46/88 0 0", "--explain").split())
    assert "3 the peasants win 1:4 2:8 0:pass 1:pass 2:8 5 the" in words


POSITION = "standard 38TTJQKA/445667TQ/35789JJ2 0 0"  # TT wins, TJQKA does not


@pytest.mark.parametrize(
    "options",
    [(), ("--one-move",), ("--points",), ("--points", "--one-move"), ("--node-limit", "1500")],
    ids=" ".join,
)
def test_a_move_that_keeps_the_result_is_no_losing_try(options, refused, as_json):
    assert "TT is no losing try" in refused("solve", POSITION, *options, "--explain", "TT")
    (one,) = as_json("solve", POSITION, *options, "--explain", "TJQKA")["refutations"]
    assert (one["move"], one["landlord_wins"]) == ("TJQKA", False)


def test_what_a_limit_leaves_open_is_not_said_to_fail(answer, as_json):
    text = answer("solve", POSITION, "--explain", "K", "--node-limit", "3")
    assert "K leaves it open: not decided" in text
    assert "fails" not in text
    (one,) = as_json("solve", POSITION, "--explain", "K", "--node-limit", "3")["refutations"]
    assert (one["value"], one["lower"], one["upper"]) == (None, -1, 1)
    assert as_json("solve", POSITION, "--explain", "--node-limit", "1")["refutations"] == []
    assert "ply" not in answer("solve", POSITION, "--node-limit", "1")


def test_a_position_of_three_seats(as_json, answer):
    position = "standard 38TTJQKA/445667TQ/35789JJ2 0 0"
    found = as_json("solve", position)
    assert found["value"] == 1
    assert found["moves"]
    assert as_json("solve", position, "--one-move")["moves"][0] in found["moves"]
    assert as_json("solve", position, "--points")["objective"] == "points"
    assert "the landlord (seat 0) wins 1 × the base" in answer("solve", position, "--points")
    assert "the peasants win" in answer("solve", "standard 34/56/78 0 0")


def test_limits_leave_it_open(as_json, answer):
    hard = "standard 3455666788999TJJQQ2R/3344778TTJJKKK22B/34556789TQQKAAAA2 0 0"
    found = as_json("solve", hard, "--node-limit", "50")
    assert (found["value"], found["stopped"]) == (None, "nodes")
    assert (found["lower"], found["upper"]) == (-1, 1)
    assert "not decided" in answer("solve", hard, "--node-limit", "50")
    assert as_json("solve", hard, "--time-limit", "0.01")["stopped"] in ("time", None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "34/5"], "fields (rule set, hands, landlord, turn …), not 1"),
        (["solve", "standard 34/56/78 0 9"], "9"),
        (["puzzle", "34", ""], "over"),
        (["puzzle", "34X", "5"], "X"),
        (["puzzle", "33334", "3"], "3"),
        (["puzzle", "34", "5", "--last", "34"], "34"),
        (["puzzle", *PUZZLE, "--explain", "5"], "no losing try"),
        (["puzzle", *PUZZLE, "--explain", "3"], "not legal"),
        (["puzzle", *PUZZLE, "--explain", "--one-move"], "--one-move"),
        (["puzzle", *PUZZLE, "--node-limit", "0"], "node_limit"),
        (["puzzle", *PUZZLE, "--time-limit", "nan"], "time_limit"),
        (["puzzle", *PUZZLE, "--table-mb", "-3"], "table_mb"),
        (["puzzle", "34"], "HAND2"),
    ],
)
def test_what_cannot_be_solved_is_one_line(refused, arguments, message):
    assert message in refused(*arguments)


def test_json_is_strict(as_json, answer):
    json.loads(answer("puzzle", *PUZZLE, "--json"), parse_constant=pytest.fail)
