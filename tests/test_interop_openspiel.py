"""`ddz_core.interop.openspiel`: OpenSpiel's own checks, its ids, and its IS-MCTS."""

import random
from collections import Counter

import numpy as np
import pytest

import ddz_core as ddz

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `test`)")
bridge = pytest.importorskip("ddz_core.interop.openspiel")
observation = pytest.importorskip("open_spiel.python.observation")

PRESETS = ("standard", "club", "pagat", "casual", "rlcard", "douzero", "openspiel", "botzone")
FIRST_PLAY = 4


def load(name="standard"):
    return pyspiel.load_game(f"python_ddz(rules={name})")


def dealt(game, rng):
    state = game.new_initial_state()
    while state.is_chance_node():
        actions, weights = zip(*state.chance_outcomes(), strict=True)
        assert sum(weights) == pytest.approx(1)
        state.apply_action(rng.choices(actions, weights)[0])
    return state


def sampler(seed=1):
    return random.Random(seed).random


# ---- actions -------------------------------------------------------------------------------------


def test_the_ids_are_openspiels_own():
    theirs = pyspiel.load_game("dou_dizhu").new_initial_state()
    while theirs.is_chance_node():
        theirs.apply_action(theirs.legal_actions()[0])
    theirs.apply_action(3)
    actions = bridge.actions_of(ddz.Rules.standard())
    for action in range(FIRST_PLAY, 26057):
        text = theirs.action_to_string(0, action).replace("(BWJ)", "B").replace("(CJ)", "R")
        move = actions.move(action)
        main, dash, kickers = text.partition("-")
        if dash:
            assert (str(move.main), str(move.kickers)) == (main, kickers)
        else:
            assert str(move.cards) == text
    assert [str(actions.move(i)) for i in (0, 26057)] == ["pass", "3333+44"]
    assert actions.n == 26057 + 1326 + 858


@pytest.mark.parametrize("name", PRESETS)
def test_ids_and_moves_lead_to_each_other(name):
    rules = ddz.Rules.preset(name)
    actions = bridge.actions_of(rules)
    plays = ddz.all_plays(rules)
    ids = actions.ids(plays)
    assert len(set(ids)) == len(plays)
    assert all(FIRST_PLAY <= number < actions.n for number in ids)
    assert all(actions.move(ids[i]) == plays[i] for i in range(0, len(plays), 97))
    assert actions.ids(ddz.legal_moves("44", "33", rules))[0] == 0


def test_what_is_no_action():
    actions = bridge.actions_of(ddz.Rules.standard())
    for wrong in (-1, 1, 3, actions.n):
        with pytest.raises(ddz.IllegalMoveError):
            actions.move(wrong)
    with pytest.raises(TypeError):
        actions.move("3")


# ---- OpenSpiel's own checks ----------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_random_sim(name):
    pyspiel.random_sim_test(load(name), num_sims=2, serialize=False, verbose=False)


@pytest.mark.parametrize("name", ["standard", "pagat"])
def test_serialization_and_clones(name):
    game, rng = load(name), random.Random(3)
    state = dealt(game, rng)
    for _ in range(30):
        if not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    text = pyspiel.serialize_game_and_state(game, state)
    assert len(text) < 10_000
    _, again = pyspiel.deserialize_game_and_state(text)
    clone = state.clone()
    for other in (again, clone):
        assert str(other) == str(state)
        assert other.history() == state.history()
        assert other.legal_actions() == state.legal_actions()
    if not clone.is_terminal():
        clone.apply_action(clone.legal_actions()[0])
        assert clone.history() != state.history()


@pytest.mark.parametrize("name", PRESETS)
def test_returns_are_the_games_points(name):
    game, rng = load(name), random.Random(4)
    rules = bridge.rules_of(name)
    for _ in range(4):
        state = dealt(game, rng)
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        played = state.game
        again = ddz.Game(rules, deal=played.deal)
        for _, action in played.actions:
            again.bid(action) if isinstance(action, ddz.Bid) else again.play(action)
        assert state.returns() == list(again.result.points)
        assert max(map(abs, state.returns())) <= game.max_utility()
        assert len(state.history()) <= game.max_history_length()


def test_all_pass_ends_the_deal():
    state = dealt(load(), random.Random(1))
    for _ in range(3):
        state.apply_action(0)
    assert state.is_terminal()
    assert state.returns() == [0, 0, 0]


def test_four_with_two_is_there():
    state = load("rlcard").new_initial_state()
    ranks = "3456789TJQKA2BR"
    hands = ("3333456789TJQKAA2", "4445556667778889T", "99TTJJJQQQKKKAA22")
    for cards in zip(*hands, strict=True):
        for card in cards:
            state.apply_action(ranks.index(card))
    texts = {state.action_to_string(0, action) for action in state.legal_actions()}
    assert {"3333+45", "3333"} <= texts
    # OpenSpiel misses chains that start on a rank held four times.
    assert "3456789TJQKA" in texts


# ---- hidden information --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["standard", "pagat", "openspiel", "douzero"])
def test_resampled_states_look_the_same_to_the_player(name):
    game, rng, draw = load(name), random.Random(5), sampler()
    state = dealt(game, rng)
    different = 0
    while not state.is_terminal():
        player = state.current_player()
        other = state.resample_from_infostate(player, draw)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.information_state_tensor(player) == state.information_state_tensor(player)
        assert other.observation_tensor(player) == state.observation_tensor(player)
        assert other.legal_actions() == state.legal_actions()
        assert len(other.history()) == len(state.history())
        different += str(other) != str(state)
        state.apply_action(rng.choice(state.legal_actions()))
    assert different > 5


def test_the_sampler_is_all_the_randomness():
    state = dealt(load("pagat"), random.Random(6))
    state.apply_action(3)
    for player in range(3):
        first = [str(state.clone().resample_from_infostate(player, sampler(2))) for _ in range(2)]
        assert first[0] == first[1]
        others = {str(state.clone().resample_from_infostate(player, sampler(s))) for s in range(9)}
        assert len(others) == 9


def test_whoever_has_not_seen_the_kitty_may_think_it_any_three_cards():
    state = dealt(load("pagat"), random.Random(6))
    state.apply_action(3)
    landlord = state.game.landlord
    draw = sampler()
    kitties = Counter()
    for _ in range(64):
        other = state.resample_from_infostate((landlord + 1) % 3, draw)
        kitties[str(other.game.deal.kitty_cards)] += 1
        own = state.resample_from_infostate(landlord, draw)
        assert own.game.deal.kitty_cards == state.game.deal.kitty_cards
    assert len(kitties) > 50


def test_the_tensor_tells_information_states_apart():
    game, rng = load(), random.Random(7)
    seen = {}
    for _ in range(12):
        state = dealt(game, rng)
        while not state.is_terminal():
            player = state.current_player()
            key = np.asarray(state.information_state_tensor(player), np.int8).tobytes()
            text = state.information_state_string(player)
            assert seen.setdefault(key, text) == text
            state.apply_action(rng.choice(state.legal_actions()))
    assert len(seen) > 300


def test_readings_of_the_same_cards_are_different_infostates():
    game = load("openspiel")
    plays = ddz.all_plays("openspiel")
    places = [i for i, move in enumerate(plays) if str(move.cards) == "333444555666"]
    assert len(places) == 3
    ids = game.actions.ids(plays)
    assert len({ids[place] for place in places}) == 3


def test_observers():
    state = dealt(load(), random.Random(8))
    state.apply_action(3)
    kinds = pyspiel.IIGObservationType
    for private in (
        pyspiel.PrivateInfoType.NONE,
        pyspiel.PrivateInfoType.SINGLE_PLAYER,
        pyspiel.PrivateInfoType.ALL_PLAYERS,
    ):
        for recall in (False, True):
            for public in (False, True):
                found = observation.make_observation(
                    load(),
                    kinds(perfect_recall=recall, public_info=public, private_info=private),
                )
                found.set_from(state, 0)
                assert isinstance(found.string_from(state, 0), str)
                if "hand" in found.dict:
                    assert found.dict["hand"].sum() == (17 if recall else len(state.game.hands[0]))
                if "hands" in found.dict:
                    assert found.dict["hands"].sum() == (51 if recall else 54)
    with pytest.raises(ddz.DdzError, match="takes no parameters"):
        bridge.DdzObserver(kinds(perfect_recall=False), {"x": 1})


def test_openspiels_ismcts_runs_on_it():
    ismcts = pytest.importorskip("open_spiel.python.algorithms.ismcts")
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    game = load()
    random_state = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game,
        mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=random_state),
        uct_c=2.0,
        max_simulations=6,
        random_state=random_state,
    )
    state = dealt(game, random.Random(9))
    for _ in range(12):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)


# ---- errors --------------------------------------------------------------------------------------


def test_errors():
    for wrong in ("duel", "four_player", "nothing"):
        with pytest.raises(ddz.DdzError, match=wrong):
            load(wrong)
    state = load().new_initial_state()
    with pytest.raises(ddz.PhaseError, match="once all cards are dealt"):
        state.resample_from_infostate(0, sampler())
    with pytest.raises(ddz.IllegalMoveError, match="15 … 17"):
        state.apply_action(3)
    state.apply_action(15)
    with pytest.raises(ddz.IllegalMoveError, match="no such rank"):
        state.apply_action(15)
    assert "dealing" in str(state)
    texts = [state.action_to_string(action) for action in (0, 14, 15, 17)]
    assert texts == ["Deal 3", "Deal R", "Opener 0", "Opener 2"]
    with pytest.raises(ddz.IllegalMoveError, match="chance has the ids 0 … 17"):
        state.action_to_string(18)
    state = dealt(load(), random.Random(1))
    with pytest.raises(ddz.PhaseError, match="not chance's turn"):
        state.chance_outcomes()
    with pytest.raises(ddz.IllegalMoveError):
        state.apply_action(5)
    state.apply_action(3)
    with pytest.raises(ddz.IllegalMoveError):
        state.apply_action(0)
    with pytest.raises(ddz.DdzError):
        state.resample_from_infostate(3, sampler())
