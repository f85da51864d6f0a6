"""`Move.beats` is the oracle's order, kind by kind."""

import random

import oracle
import pytest
from deals import PRESETS, all_plays
from helpers import core_move, core_rules

import ddz_core as ddz


@pytest.mark.parametrize("name", PRESETS)
def test_beats_agrees_on_moves_of_every_kind(name):
    rng = random.Random(f"beats {name}")
    by_kind = {}
    for move in all_plays(name):
        by_kind.setdefault((move[1][0], move[1][2]), []).append(move)
    sample = [m for moves in by_kind.values() for m in rng.sample(moves, min(4, len(moves)))]
    pairs = [(move, core_move(move, name)) for move in sample]
    for ours, core in pairs:
        for other, core_other in pairs:
            assert core.beats(core_other) == oracle.beats(ours[1], other[1]), (
                f"{name}: does {core} beat {core_other}?"
            )


def test_kickers_never_count():
    def move(text):
        return ddz.Move.parse(text, rules=core_rules("standard"))

    assert move("KKK+3").beats(move("QQQ+R"))
    assert not move("QQQ+R").beats(move("KKK+3"))
    assert not move("333444+78").beats(move("333444+56"))
    assert move("5555+66").beats(move("4444+33"))
    assert not move("4444+55").beats(move("3"))
    assert not ddz.Move.PASS.beats(move("3"))
