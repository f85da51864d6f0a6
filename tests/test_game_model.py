"""Whole games of every preset against the slow model of tests/game_model.py.

First a few random games, compared after every action and then taken back; then a state machine
that also tries what is not allowed, and takes back as it likes.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import ClassVar

import oracle
import pytest
from game_helpers import (
    NO_BID_TYPES,
    NO_BIDS,
    PRESETS,
    compare,
    dealt,
    everything,
    model_of,
)
from game_model import TABLES, GameModel
from helpers import core_move, core_rules, oracle_move
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import ddz_core as ddz
from ddz_core.auction import Bid
from ddz_core.game import Game

RANDOM_GAMES = 8


def test_every_preset_has_a_table():
    assert set(PRESETS) == set(TABLES)
    assert set(ddz.Rules.preset_names()) == {*PRESETS, "pagat_distinct"}


@pytest.mark.parametrize("name", PRESETS)
def test_the_table_is_the_preset(name):
    table, rules = TABLES[name], core_rules(name)
    assert (rules.players, rules.hand_size, rules.kitty_size) == (
        table.players,
        table.hand,
        table.kitty,
    )
    assert rules.kitty_shown == table.kitty_open
    assert rules.max_redeals == table.most_redeals


@pytest.mark.parametrize("name", PRESETS)
def test_random_games_and_all_the_way_back(name):
    rng = random.Random(f"games of {name}")
    for seed in range(RANDOM_GAMES):
        game = Game(name, seed=seed)
        model = model_of(name, game)
        states = [(model, game.copy())]
        while game.turn is not None:
            if game.phase == "auction":
                # Passes often enough for redeals and forced landlords.
                bid = rng.choice([game.legal_bids()[0], *game.legal_bids()])
                game.bid(bid)
                model = model.after_bid(str(bid))
            else:
                move = rng.choice(game.legal_moves())
                game.play(move)
                model = model.after_move(oracle_move(move))
            states.append((model, game.copy()))
            compare(game, model)
        _, *rest = reversed(states)
        for _, before in rest:
            game.undo()
            assert game == before
            assert game.position == before.position
            assert game.deals == before.deals
        compare(game, states[0][0])
        with pytest.raises(ddz.PhaseError, match="nothing to undo"):
            game.undo()


class Games(RuleBasedStateMachine):
    """Random legal and illegal actions through a game, and the model beside it."""

    preset = "standard"
    reached: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.name = self.preset

    @initialize(
        seed=st.integers(0, 10**6),
        passed_out=st.sampled_from([0, 0, 1, 4]),
        plies=st.sampled_from([None, 0, 3, 20, 45]),
    )
    def begin(self, seed, passed_out, plies):
        """Begin after so many deals in which nobody bid, and so many plies into the play."""
        self.game = Game(self.name, seed=seed)
        self.deals = {}
        self.model = GameModel(self.name, self.dealt)
        self.before = []
        for _ in range(passed_out):
            self.nobody_speaks()
        if plies is not None:
            rng = random.Random(seed)
            while self.model.phase == "auction":
                self.step(rng.choice(self.model.talk.words[1:]))
            while self.model.phase == "play" and len(self.model.moves) < plies:
                self.step(rng.choice(self.model.legal))

    def dealt(self, redeals):
        """The model is told of each deal once: undone and done again, it must be the same."""
        if redeals not in self.deals:
            self.deals[redeals] = self.game.deals[redeals]
        return dealt(self.deals[redeals])

    # --- what is allowed ---

    def step(self, action):
        self.before.append(self.model)
        self.reached["accepted"] += 1
        if isinstance(action, str):
            self.game.bid(action)
            self.model = self.model.after_bid(action)
        else:
            self.game.play(core_move(action, self.name))
            self.model = self.model.after_move(action)

    @precondition(lambda self: self.model.phase == "auction")
    @rule(data=st.data())
    def bids(self, data):
        self.step(data.draw(st.sampled_from(self.model.talk.words)))

    @precondition(lambda self: self.model.phase == "auction")
    @rule()
    def nobody_bids(self):
        self.nobody_speaks()

    def nobody_speaks(self):
        deals = self.model.redeals
        while self.model.phase == "auction" and self.model.redeals == deals:
            self.step("pass")

    @precondition(lambda self: self.model.phase == "play")
    @rule(rng=st.randoms(use_true_random=False), plies=st.integers(1, 12))
    def plays(self, rng, plies):
        while plies and self.model.phase == "play":
            moves = self.model.legal
            self.step(rng.choice(moves))
            plies -= 1

    @precondition(lambda self: self.model.phase == "play")
    @rule()
    def everybody_passes(self):
        while self.model.to_beat is not None:
            self.step(oracle.PASS)

    @precondition(lambda self: self.before)
    @rule(actions=st.integers(1, 5))
    def takes_back(self, actions):
        while actions and self.before:
            self.game.undo()
            self.model = self.before.pop()
            actions -= 1

    @rule()
    def goes_on_with_a_copy(self):
        twin = self.game.copy()
        assert twin == self.game
        if self.before:
            self.game.undo()
            assert twin != self.game
        self.game = twin

    # --- what is not ---

    def refuses(self, act, *errors):
        before = everything(self.game)
        with pytest.raises(errors):
            act()
        assert everything(self.game) == before
        self.reached["refused"] += 1

    @rule(bid=st.sampled_from([*Bid, *map(str, Bid), *NO_BIDS, *NO_BID_TYPES]))
    def bids_what_is_not_allowed(self, bid):
        if str(bid).lower() in self.model.talk.words or bid in self.game.legal_bids():
            return
        self.refuses(lambda: self.game.bid(bid), ddz.DdzError, TypeError)

    @rule(data=st.data())
    def plays_any_cards(self, data):
        """Cards of anybody, as text, as counts or as a Hand: played only if they are legal."""
        rng = data.draw(st.randoms(use_true_random=False))
        cards = self.some_cards(rng)
        readings = oracle.readings(cards, self.model.combinations)
        # No cards are no pass: that must be said.
        legal = [m for m in self.model.legal if m[0] == cards and m != oracle.PASS]
        assert {reading for _, reading in legal} <= readings
        hand = ddz.Hand.from_counts(cards)
        form = rng.choice([hand, str(hand), list(cards)])
        if len(legal) == 1:
            assert self.game.why_illegal(form) is None
            self.game.play(form)
            self.before.append(self.model)
            self.model = self.model.after_move(legal[0])
        elif not legal:
            if self.model.phase == "play":
                assert self.game.why_illegal(form) is not None
            self.refuses(lambda: self.game.play(form), ddz.IllegalMoveError, ddz.PhaseError)

    def some_cards(self, rng):
        """A play or a few cards of the seat to move, or of anybody."""
        hands = self.model.hands
        turn = self.model.turn
        hand = hands[turn if turn is not None and rng.random() < 0.6 else rng.randrange(len(hands))]
        plays = oracle.leads(hand, self.model.combinations)
        if plays and rng.random() < 0.7:
            return rng.choice(plays)[0]
        ranks = [rank for rank, n in enumerate(hand) for _ in range(n)]
        few = rng.sample(ranks, min(len(ranks), rng.randrange(6)))
        return tuple(few.count(rank) for rank in range(15))

    @rule(data=st.data())
    def plays_any_move(self, data):
        rng = data.draw(st.randoms(use_true_random=False))
        hands = self.model.hands
        moves = oracle.leads(hands[rng.randrange(len(hands))], self.model.combinations)
        move = rng.choice([*moves, oracle.PASS])
        if move not in self.model.legal:
            made = core_move(move, self.name)
            form = rng.choice([made, str(made)] if "+" in str(made) else [made])
            self.refuses(lambda: self.game.play(form), ddz.IllegalMoveError, ddz.PhaseError)

    @rule(
        junk=st.sampled_from([None, 7, 1.5, b"3", "", "+", "3+", "x", "3++4", [1, 2], ["3"] * 15])
    )
    def plays_junk(self, junk):
        self.refuses(lambda: self.game.play(junk), ddz.DdzError, TypeError)

    @precondition(lambda self: self.model.phase == "play")
    @rule(rng=st.randoms(use_true_random=False))
    def plays_to_the_end(self, rng):
        while self.model.phase == "play":
            self.step(rng.choice(self.model.legal))

    @invariant()
    def is_as_the_model_says(self):
        if hasattr(self, "game"):
            compare(self.game, self.model)
            for redeals, deal in enumerate(self.game.deals):
                assert deal == self.deals.setdefault(redeals, deal)
            self.reached[self.model.phase] += 1
            self.reached["redealt"] += self.model.redeals > 0


@pytest.mark.parametrize("name", PRESETS)
def test_legal_and_illegal_actions(name):
    reached = Counter()
    machine = type("Games", (Games,), {"preset": name, "reached": reached})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=25,
            stateful_step_count=40,
            deadline=None,
            phases=[Phase.generate, Phase.shrink],
        ),
    )
    # A machine that is refused everything would prove nothing.
    assert reached["play"] > 20
    assert reached["over"] > 20
    assert reached["accepted"] > 200
    assert reached["refused"] > 100
    if TABLES[name].auction != "no":
        assert reached["auction"] > 20
    if TABLES[name].nobody == "redeal" and TABLES[name].auction != "no":
        assert reached["redealt"] > 20, reached
