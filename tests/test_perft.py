"""The number of leaves of whole game trees, against data/perft.json (see make_perft.py)."""

import json

import oracle
import pytest
from helpers import core_rules
from make_perft import FILE, model_of

import ddz_core as ddz

ROWS = json.loads(FILE.read_text())
EVERY_ROW = pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
RECOUNTED = 4000


def position_of(row):
    """The core's position of a row."""
    rules = core_rules(row["rules"])
    last = row["last"] and ddz.Move.parse(row["last"], rules=rules)
    return ddz.Position(
        row["hands"],
        landlord=row["landlord"],
        turn=row["turn"],
        last=last,
        passes=row["passes"],
        target=row["target"],
        rules=rules,
    )


@EVERY_ROW
def test_counts(row):
    position = position_of(row)
    before = position.to_string()
    for depth, nodes in enumerate(row["nodes"], start=1):
        assert ddz.perft(position, depth) == nodes
    assert position.to_string() == before


@EVERY_ROW
def test_the_oracle_counts_the_same(row):
    model = model_of(row)
    assert row["by_oracle"] >= 1
    for depth, nodes in enumerate(row["nodes"][: row["by_oracle"]], start=1):
        if nodes <= RECOUNTED:
            assert oracle.perft(model, depth) == nodes


@EVERY_ROW
def test_divide_splits_the_count_by_the_first_move(row):
    position = position_of(row)
    split = ddz.divide(position, 3)
    assert list(split) == list(position.legal_moves())
    assert sum(split.values()) == row["nodes"][2]
    for move, nodes in list(split.items())[:5]:
        position.play(move)
        assert ddz.perft(position, 2) == nodes
        position.undo()


def test_depth_zero_and_finished_games_are_one_leaf():
    position = ddz.Position(["3", "4", "5"])
    assert ddz.perft(position, 0) == 1
    assert ddz.perft(position, 7) == 1
    position.play(ddz.Move.parse("3", rules=ddz.Rules.standard()))
    assert position.winner == 0
    assert ddz.perft(position, 5) == 1
