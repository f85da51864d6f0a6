"""All plays of the full deck: the published counts, and the oracle's very moves."""

from collections import Counter

import pytest
from deals import PRESETS, all_plays
from helpers import assert_same_moves, core_rules, oracle_moves

import ddz_core as ddz

COMMON = {
    "SINGLE": 15,
    "PAIR": 13,
    "TRIPLE": 13,
    "TRIPLE_SINGLE": 182,
    "TRIPLE_PAIR": 156,
    "STRAIGHT": 36,
    "PAIR_STRAIGHT": 52,
    "AIRPLANE": 45,
    "AIRPLANE_PAIRS": 2939,
    "BOMB": 13,
    "ROCKET": 1,
}
STANDARD = COMMON | {"AIRPLANE_SINGLES": 18990, "QUAD_SINGLES": 1326, "QUAD_PAIRS": 858}

# Pairs of play and reading by kind. Those that rules.md gives are copied from there; the others
# (four_player, douzero, openspiel and botzone by kind) follow from its totals and the oracle.
BY_KIND = {
    "standard": STANDARD,
    "club": STANDARD,
    "casual": STANDARD,
    "pagat": STANDARD | {"QUAD_SINGLES": 1170},
    "pagat_distinct": STANDARD | {"QUAD_SINGLES": 1170, "AIRPLANE_SINGLES": 7161},
    "duel": {
        "SINGLE": 13,
        "PAIR": 11,
        "TRIPLE": 11,
        "TRIPLE_SINGLE": 132,
        "TRIPLE_PAIR": 110,
        "STRAIGHT": 21,
        "PAIR_STRAIGHT": 36,
        "AIRPLANE": 35,
        "AIRPLANE_SINGLES": 6080,
        "AIRPLANE_PAIRS": 1017,
        "QUAD_SINGLES": 825,
        "QUAD_PAIRS": 495,
        "BOMB": 11,
        "ROCKET": 1,
    },
    "four_player": {
        "SINGLE": 15,
        "PAIR": 15,
        "TRIPLE": 13,
        "TRIPLE_PAIR": 182,
        "STRAIGHT": 36,
        "PAIR_STRAIGHT": 55,
        "AIRPLANE": 65,
        "AIRPLANE_PAIRS": 8632,
        "BOMB": 65,
        "ROCKET": 1,
    },
    "rlcard": STANDARD | {"AIRPLANE_SINGLES": 21822},
    "douzero": STANDARD | {"AIRPLANE_SINGLES": 24721, "QUAD_SINGLES": 1339},
    "openspiel": COMMON | {"AIRPLANE_SINGLES": 22588},
    "botzone": COMMON
    | {
        "AIRPLANE_SINGLES": 8044,
        "QUAD_SINGLES": 1183,
        "QUAD_PAIRS": 858,
        "SHUTTLE": 38,
        "SHUTTLE_SINGLES": 17105,
        "SHUTTLE_PAIRS": 3630,
    },
}
DISTINCT_PLAYS = {"douzero": 29984, "openspiel": 25661, "cap_3": 27845, "cap_4": 28502}


@pytest.mark.parametrize("name", PRESETS)
def test_counts_by_kind(name):
    counts = Counter(ddz.Kind(move.kind).name for move in ddz.all_plays(core_rules(name)))
    assert counts == BY_KIND[name]


@pytest.mark.parametrize(
    "name", [*PRESETS, "cap_3", "cap_4", "no_singles_attached", "nothing_attached"]
)
def test_every_play_and_reading_is_the_oracles(name):
    found = ddz.all_plays(core_rules(name))
    assert_same_moves(found, all_plays(name), name)
    distinct = len({cards for cards, _ in oracle_moves(found)})
    assert distinct == DISTINCT_PLAYS.get(name, len(found))
