"""Features without another program: our own layout, and what is refused."""

import dataclasses
import random
from itertools import pairwise

import numpy as np
import pytest

import ddz_core as ddz
from ddz_core._features import native_sizes
from ddz_core.features import (
    HISTORY,
    douzero_batch,
    douzero_features,
    native_batch,
    native_features,
    native_layout,
)


def moments(rules, seed, games=3):
    """Games at each of their moments, bids and moves being random."""
    rng = random.Random(seed)
    for i in range(games):
        game = ddz.Game(rules, seed=[seed, i])
        while game.phase != "over":
            yield game
            if game.phase == "auction":
                game.bid(rng.choice(game.legal_bids()))
            else:
                game.play(rng.choice(game.legal_moves()))


def one_hot(place, columns):
    """All zero for None."""
    return [int(place == i) for i in range(columns)]


def unary(hand, deck):
    return [int(k < n) for n, cards in zip(hand.counts, deck, strict=True) for k in range(cards)]


def play_parts(move, deck):
    """Cards, kind, rank and chain length of a move; nothing but the kind for a pass."""
    rank = None if move.rank is None else int(move.rank)
    return (
        unary(move.cards, deck)
        + one_hot(int(move.kind), 18)
        + one_hot(rank, 15)
        + one_hot(move.length - 1 if move.length else None, 12)
    )


def expected_native(seen):
    """Our own layout from docs/features.md alone."""
    rules, deck = seen.rules, seen.rules.deck
    seats = [(seen.seat + i) % rules.players for i in range(rules.players)]
    place = {seat: i for i, seat in enumerate(seats)}
    empty = ddz.Hand()
    played = dict.fromkeys(seats, empty)
    latest = dict.fromkeys(seats, empty)
    for seat, move in seen.moves:
        played[seat] += move.cards
        latest[seat] = move.cards
    row = one_hot(int(seen.phase == "play"), 2)
    row += one_hot(place.get(seen.landlord), rules.players)
    row += unary(seen.hand, deck) + unary(seen.unseen, deck) + unary(seen.kitty or empty, deck)
    for seat in seats:
        row += unary(played[seat], deck)
    for seat in seats:
        row += unary(latest[seat], deck)
    row += play_parts(seen.last or ddz.Move.PASS, deck)
    row += one_hot(place.get(seen.last_seat), rules.players)
    for seat in seats:
        row += one_hot(seen.cards_left[seat] - 1, rules.max_hand)
    row += one_hot(seen.base - 1, 3)
    row += [int(2**i < seen.multiplier) for i in range(32)]
    if rules.auction != "none":
        opener = seen.bids[0][0] if seen.bids else seen.turn
        row += one_hot(place[opener], rules.players)
        bids = dict(seen.bids)
        for seat in seats:
            row += one_hot(int(bids[seat]) if seat in bids else None, 6)
    if rules.auction == "call_rob":
        row += [int(i < seen.robs) for i in range(rules.max_robs)]
    history = [[0] * (sum(deck) + rules.players)] * HISTORY
    history += [
        unary(move.cards, deck) + one_hot(place[seat], rules.players) for seat, move in seen.moves
    ]
    actions = [play_parts(move, deck) + [0] * 6 for move in seen.legal_moves]
    actions += [[0] * (sum(deck) + 45) + one_hot(int(bid), 6) for bid in seen.legal_bids]
    return row, history[-HISTORY:], actions


@pytest.mark.parametrize("rules", ddz.Rules.preset_names())
def test_native_features_are_as_documented(rules):
    for i, game in enumerate(moments(rules, seed=4, games=2)):
        if i % 3:
            continue
        observation = game.observe(game.turn)
        found = native_features(game, dtype=np.int8 if i % 2 else np.float32)
        row, history, actions = expected_native(observation)
        assert found.x.tolist() == [row]
        assert found.history.tolist() == [history]
        assert found.actions.tolist() == actions
        assert found.indptr.tolist() == [0, len(actions)]


@pytest.mark.parametrize("rules", ddz.Rules.preset_names())
def test_the_layout_names_all_columns(rules):
    layout = native_layout(rules)
    sizes = (layout.n_observation, layout.n_history, layout.n_action)
    assert sizes == native_sizes(ddz.Rules.preset(rules))
    for parts in (layout.observation, layout.history, layout.action):
        slices = list(parts.values())
        assert slices[0].start == 0
        assert all(a.stop == b.start for a, b in pairwise(slices))


def test_one_seat_sees_no_more_than_its_observation():
    game = ddz.Game("pagat", seed=5)
    game.bid(3)
    landlord = game.landlord
    kitty = native_layout("pagat").observation["kitty"]
    assert native_batch([game.observe(landlord)]).x[0, kitty].sum() == 3
    assert native_batch([game.observe((landlord + 1) % 3)]).x[0, kitty].sum() == 0


def test_a_batch_is_its_single_forms():
    observations = [game.observe(game.turn) for game in moments("duel", seed=1)]
    batch = native_batch(observations)
    for i, observation in enumerate(observations):
        single = native_features(observation)
        assert np.array_equal(batch.x[i], single.x[0])
        assert np.array_equal(batch.history[i], single.history[0])
        own = slice(batch.indptr[i], batch.indptr[i + 1])
        assert np.array_equal(batch.actions[own], single.actions)


def test_native_into_the_callers_arrays():
    observations = [game.observe(game.turn) for game in moments("standard", seed=1, games=1)]
    made = native_batch(observations)
    shapes = made.x.shape, made.history.shape, made.actions.shape
    x, history, actions = (np.full(shape, 9, np.int8) for shape in shapes)
    found = native_batch(observations, x=x, history=history, actions=actions)
    assert found.x is x
    assert np.array_equal(x, made.x)
    assert np.array_equal(history, made.history)
    assert np.array_equal(actions, made.actions)


def douzero_game():
    return ddz.Game("douzero", seed=1)


def test_douzero_shapes_under_other_rules_with_its_table():
    game = ddz.Game("standard", seed=2)
    with pytest.raises(ddz.PhaseError, match="auction"):
        douzero_features(game)
    game.bid(3)
    found = douzero_features(game)
    assert found.x.shape == (len(game.legal_moves()), 373)
    assert found.z_batch.shape == (len(found.x), 5, 162)
    assert found.x_no_action.shape == (319,)
    other = douzero_features(game.observe((game.turn + 1) % 3))
    assert other.position == "landlord_down"
    assert other.x.shape == (0, 484)


@pytest.mark.parametrize("dtype", [np.float32, np.int8])
def test_a_batch_of_douzeros_into_the_callers_arrays(dtype):
    views = [game.observe(game.turn) for game in moments("douzero", 3, games=2)]
    made = douzero_batch(views, dtype=dtype)
    x = {name: np.full((len(rows.x) + 3, rows.x.shape[1]), 7, dtype) for name, rows in made.items()}
    z = {name: np.full((len(rows.z) + 2, 5, 162), 7, dtype) for name, rows in made.items()}
    # Of the positions without an array of the caller's one is made.
    del z["landlord_up"]
    found = douzero_batch(views, dtype=dtype, x=x, z=z)
    for name, rows in found.items():
        assert np.array_equal(rows.x, made[name].x)
        assert np.array_equal(rows.z, made[name].z)
        assert np.array_equal(rows.x_no_action, made[name].x_no_action)
        assert rows.x.base is x[name]
        assert (x[name][-3:] == 7).all()
        if name in z:
            assert rows.z.base is z[name]
            assert (z[name][-2:] == 7).all()


def test_a_batch_of_douzeros_refuses_arrays_before_it_writes():
    views = [game.observe(game.turn) for game in moments("douzero", 3, games=1)]
    sizes = {name: len(rows.x) for name, rows in douzero_batch(views).items()}
    columns = {"landlord": 373, "landlord_down": 484, "landlord_up": 484}
    fixed = np.zeros((sizes["landlord_up"], 484), np.float32)
    fixed.flags.writeable = False
    for wrong in (
        np.zeros((sizes["landlord_up"] - 1, 484), np.float32),
        np.zeros((sizes["landlord_up"], 373), np.float32),
        np.zeros((sizes["landlord_up"], 484), np.float64),
        np.zeros((484, sizes["landlord_up"]), np.float32).T,
        np.zeros((), np.float32),
        fixed,
    ):
        x = {name: np.zeros((sizes[name], columns[name]), np.float32) for name in sizes}
        x["landlord_up"] = wrong
        with pytest.raises(ddz.DdzError, match=r"x\['landlord_up'\] must be float32 or int8 of"):
            douzero_batch(views, x=x)
        assert not any(array.any() for array in x.values())
    with pytest.raises(ddz.DdzError, match="array for 'peasant'"):
        douzero_batch(views, z={"peasant": np.zeros((9, 5, 162), np.float32)})
    with pytest.raises(TypeError, match="a dict of arrays by position, not ndarray"):
        douzero_batch(views, x=np.zeros((9, 373), np.float32))
    with pytest.raises(TypeError, match=r"z\['landlord'\] must be a"):
        douzero_batch(views, z={"landlord": [0]})


@pytest.mark.parametrize("rules", ["duel", "four_player"])
def test_douzero_features_want_its_table(rules):
    game = ddz.Game(rules, seed=1)
    with pytest.raises(ddz.DdzError, match="17"):
        douzero_features(game)


def test_nothing_is_written_where_an_array_is_refused():
    game = douzero_game()
    n = len(game.legal_moves())
    wrong = [
        np.zeros((n + 1, 373), np.float32),
        np.zeros((n, 484), np.float32),
        np.zeros((n, 373), np.float64),
        np.zeros((n, 373), np.uint8),
        np.zeros(n * 373, np.float32),
    ]
    for x in wrong:
        with pytest.raises(ddz.DdzError, match="x must be"):
            douzero_features(game, x=x)
        assert not x.any()
    with pytest.raises(ddz.DdzError, match="z must have shape"):
        douzero_features(game, z=np.zeros((n + 1, 5, 162), np.float32))
    with pytest.raises(ddz.DdzError, match="z must be"):
        douzero_features(game, z=np.zeros((5, 162)))
    for shape in ((), (n,), (5, 161), (n, 5, 161), (n, 1, 5, 162)):
        with pytest.raises(ddz.DdzError, match=r"z must have shape \(5, 162\) or"):
            douzero_features(game, z=np.zeros(shape, np.float32))
    with pytest.raises(ddz.DdzError, match="in C order and writable"):
        douzero_features(game, x=np.zeros((373, n), np.float32).T)
    fixed = np.zeros((n, 373), np.float32)
    fixed.flags.writeable = False
    with pytest.raises(ddz.DdzError, match="in C order and writable"):
        douzero_features(game, x=fixed)
    with pytest.raises(TypeError, match="z must be"):
        douzero_features(game, z=[[0]])
    with pytest.raises(TypeError, match="x must be"):
        douzero_features(game, x=[[0]])
    with pytest.raises(ddz.DdzError, match=r"\(5, 162\), not \(0, 5, 162\)"):
        douzero_features(game.observe(1), z=np.zeros((0, 5, 162), np.float32))


@pytest.mark.parametrize("value", [-1, 3, 200, 256, 10**30, 1.5, "x", (2**40,), ((7, 1),)])
@pytest.mark.parametrize(
    "field", ["turn", "seat", "landlord", "last_seat", "cards_left", "bids", "legal_bids", "moves"]
)
def test_observations_that_no_game_gives(field, value):
    game = ddz.Game("standard", seed=1)
    changed = dataclasses.replace(game.observe(game.turn), **{field: value})
    with pytest.raises((TypeError, ddz.DdzError)):
        native_features(changed)


@pytest.mark.parametrize("field", ["base", "robs", "multiplier"])
def test_numbers_that_no_game_gives(field):
    game = ddz.Game("standard", seed=1)
    for value in (-1, 10**100, "x", None):
        changed = dataclasses.replace(game.observe(game.turn), **{field: value})
        if field == "multiplier" and value == -1:
            continue
        with pytest.raises((TypeError, ddz.DdzError)):
            native_features(changed)


def test_wrong_values():
    game = douzero_game()
    with pytest.raises(TypeError, match="dtype"):
        douzero_features(game, dtype=np.float64)
    with pytest.raises(TypeError, match="view"):
        douzero_features("no view")
    with pytest.raises(TypeError, match="MoveList"):
        douzero_features(game, moves=["pass"])
    with pytest.raises(ddz.DdzError, match="at least one"):
        native_batch([])
    with pytest.raises(ddz.DdzError, match="one layout"):
        native_batch([game, ddz.Game("duel", seed=1)])
    assert douzero_batch([])["landlord"].x.shape == (0, 373)
    while game.phase != "over":
        game.play(game.legal_moves()[0])
    with pytest.raises(ddz.PhaseError, match="over"):
        douzero_features(game)
    with pytest.raises(ddz.PhaseError, match="over"):
        native_features(game)
    # What a seat saw at the end can be encoded for a value network.
    assert native_batch([game.observe(0)]).actions.shape[0] == 0
