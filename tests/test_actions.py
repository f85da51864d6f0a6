"""Action ids: every move has one, they stay, and what is no id or no move is refused."""

import copy
import pickle
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import ddz_core as ddz
from ddz_core.actions import ACTION_IDS_VERSION, ActionSpace

DOCUMENT = Path(__file__).parents[1] / "docs" / "action-ids.md"
SIZES = {
    "standard": 24_639,
    "club": 24_639,
    "casual": 24_639,
    "pagat": 24_483,
    "pagat_distinct": 12_654,
    "duel": 8_798,
    "four_player": 9_079,
    "rlcard": 27_471,
    "douzero": 30_383,
    "openspiel": 26_053,
    "botzone": 34_323,
}


@pytest.mark.parametrize("rules", ddz.Rules.preset_names())
def test_ids_of_every_move(rules):
    space = ActionSpace(rules)
    assert space.n == len(space) == SIZES[rules] + 1
    moves = space.moves
    assert moves[0] == ddz.Move.PASS
    assert list(moves[1:]) == list(ddz.all_plays(rules))
    assert np.array_equal(space.ids(moves), np.arange(space.n))
    assert np.array_equal(space.ids(moves.array), np.arange(space.n))
    assert np.array_equal(space.pick(np.arange(space.n)), moves.array)
    for number in range(0, space.n, 97):
        assert space.move(number) == moves[number]
        assert space.id(moves[number]) == number
        assert moves[number] in space


def documented_place(move, rules):
    """What docs/action-ids.md orders plays by."""
    size = move.n_cards if move.kind == ddz.Kind.BOMB else move.length
    counts = move.kickers.counts.tolist()
    if move.kind.name.endswith("_PAIRS"):
        kickers = [i for i, n in enumerate(counts) if n]
    else:
        sets = [[i for i, n in enumerate(counts) if n == k] for k in (4, 3, 2, 1)]
        kickers = [(len(ranks), ranks) for ranks in sets]
        if not rules.both_jokers_as_kickers:
            kickers = [counts[ddz.Rank.RED_JOKER], kickers]
    return (move.kind, size, move.rank, kickers)


@pytest.mark.parametrize("rules", ddz.Rules.preset_names())
def test_the_order_is_the_documented_one(rules):
    places = [documented_place(move, ddz.Rules.preset(rules)) for move in ddz.all_plays(rules)]
    assert all(before < after for before, after in pairwise(places))


def test_texts_and_readings():
    space = ActionSpace("douzero")
    ids = [space.id(text) for text in ("333444555666", "333444555+666", "444555666+333")]
    assert len(set(ids)) == 3
    assert [str(space.move(number)) for number in ids[1:]] == ["333444555+666", "444555666+333"]
    assert space.id("pass") == space.id(ddz.Move.PASS) == 0
    assert space.move(np.int64(0)) == ddz.Move.PASS


def test_kinds_are_consecutive():
    space = ActionSpace("botzone")
    kinds = space.kinds
    assert set(kinds) == ddz.Rules.botzone().kinds
    assert sum(map(len, kinds.values())) == space.n
    assert list(kinds) == sorted(kinds)
    for kind, ids in kinds.items():
        assert space.move(ids[0]).kind == space.move(ids[-1]).kind == kind


def test_ids_have_not_changed():
    """The digests in docs/action-ids.md: who changes one must raise the version."""
    text = DOCUMENT.read_text(encoding="utf-8")
    written = dict(re.findall(r"^\| `(\w+)` \|.*`([0-9a-f]{64})` \|$", text, re.MULTILINE))
    assert written == {rules: ActionSpace(rules).digest for rules in SIZES}
    assert f"Version {ACTION_IDS_VERSION}" in text
    assert ActionSpace.version == ACTION_IDS_VERSION == 1


def test_masks():
    space = ActionSpace()
    hand, last = ddz.Hand("33344456789TJQKA2BR"), "55"
    moves = ddz.legal_moves(hand, last)
    mask = space.mask(moves)
    assert mask.dtype == np.bool_
    assert set(np.flatnonzero(mask)) == {space.id(move) for move in moves}
    out = np.ones(space.n, np.bool_)
    assert space.mask(moves.array, out=out) is out
    assert np.array_equal(out, mask)
    assert np.array_equal(space.mask(list(moves)), mask)
    assert not space.mask([]).any()
    assert not space.mask(moves[:0]).any()


def test_held_quads_are_a_matter_of_hands():
    literal = ddz.Rules.duel().replace(held_quads_stay_together=True)
    space = ActionSpace(literal)
    assert space.n == ActionSpace("duel").n
    assert space == ActionSpace("duel")
    assert space.ids(ddz.legal_moves("777789", rules=literal)).min() > 0


def test_equality_copies_and_names():
    space = ActionSpace("club")
    assert space == ActionSpace("standard") == ActionSpace()
    assert hash(space) == hash(ActionSpace())
    assert space != ActionSpace("pagat")
    assert space != 3
    assert pickle.loads(pickle.dumps(space)) == space == copy.deepcopy(space)
    assert repr(space) == "<ActionSpace club: 24640 ids, version 1>"
    assert next(iter(space)) == ddz.Move.PASS


@pytest.mark.parametrize("number", [-1, 24_640, 2**31, 2**32, 2**70])
def test_no_such_id(number):
    space = ActionSpace()
    with pytest.raises(ddz.IllegalMoveError, match="0 … 24639"):
        space.move(number)
    if number < 2**63:
        with pytest.raises(ddz.IllegalMoveError, match=r"ids\[1\]"):
            space.pick(np.array([0, number]))


def test_moves_of_other_rules():
    space = ActionSpace("pagat")
    foreign = ddz.Move.parse("4444+55", "standard")
    assert foreign not in space
    with pytest.raises(ddz.IllegalMoveError, match="pagat"):
        space.id(foreign)
    with pytest.raises(ddz.IllegalMoveError):
        space.id("4444+55")
    moves = ddz.all_plays("standard")
    with pytest.raises(ddz.IllegalMoveError, match="moves"):
        space.ids(moves)
    array = moves.array.copy()
    array["rank"][0] = 77
    with pytest.raises(ddz.IllegalMoveError, match=r"moves\[0\]"):
        ActionSpace().ids(array)


def test_wrong_types():
    space = ActionSpace()
    for wrong in (1.0, "1", None, True):
        with pytest.raises(TypeError):
            space.move(wrong)
    for wrong in (3, None, ddz.Hand("3")):
        with pytest.raises(TypeError):
            space.id(wrong)
    with pytest.raises(TypeError):
        space.ids(np.zeros(3, np.int64))
    with pytest.raises(TypeError):
        space.ids([3])
    for ask in (space.ids, space.mask):
        with pytest.raises(TypeError, match="moves must be a sequence of Move, not 5"):
            ask(5)
    with pytest.raises(TypeError):
        space.pick(np.zeros(3))
    with pytest.raises(TypeError):
        space.pick(np.zeros((3, 1), np.int64))
    with pytest.raises(TypeError):
        space.pick([[0], [1, 2]])
    with pytest.raises(TypeError):
        space.mask([], out=np.zeros(space.n, np.uint8))
    with pytest.raises(TypeError):
        space.mask([], out=np.zeros(3, np.bool_))
    with pytest.raises(ddz.DdzError):
        ActionSpace("nothing")
