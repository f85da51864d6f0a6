"""The built-in policies: legal, blind to hidden cards, the same from Python and in the core."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest
from game_helpers import PRESETS

import ddz_core as ddz
from ddz_core._policies import position_move
from ddz_core.policies import BUILT_IN, ByRole, Policy, built_in, resolve

CODES = {name: code for code, name in enumerate(BUILT_IN)}
# Those that are functions of what the seat knows.
SURE = ("greedy", "rule")


def generator(seed=0):
    return np.random.default_rng(seed)


def started(rules, rng):
    """A game after a random auction."""
    while True:
        game = ddz.Game(rules, seed=rng.randrange(2**32))
        while game.phase == "auction":
            game.bid(rng.choice(game.legal_bids()))
        if game.phase == "play":
            return game


def situations(rules, seed, n):
    """Games, each at a moment where somebody must play; most moves are sensible ones."""
    rng = random.Random(f"{rules} {seed}")
    while n > 0:
        game = started(rules, rng)
        while game.phase == "play" and n > 0:
            n -= 1
            yield game
            if rng.random() < 0.25:
                game.play(rng.choice(game.legal_moves()))
            else:
                game.play(position_move(game.position, CODES[rng.choice(SURE)]))


def twin(position, hands):
    """The same position with other hands."""
    return ddz.Position(
        hands,
        position.landlord,
        position.turn,
        position.last,
        position.passes,
        position.target,
        position.rules,
        bombs=position.bombs,
        doubling_bombs=position.doubling_bombs,
        rockets=position.rockets,
        plays=position.plays,
        standing_plays=position.standing_plays,
        opening_stood=position.opening_stood,
    )


def shuffled(position, pool, rng):
    """The position with the cards of the pool dealt to the other seats, as many as they hold."""
    rng.shuffle(pool)
    hands = list(position.hands)
    for seat, hand in enumerate(hands):
        if seat != position.turn:
            hands[seat] = ddz.Hand("".join(pool[: len(hand)]))
            del pool[: len(hand)]
    return twin(position, hands)


def wins(position, move):
    ahead = position.copy()
    ahead.play(move)
    return ahead.winner is not None


@pytest.mark.parametrize("rules", PRESETS)
def test_choices_are_legal_and_the_same_from_python(rules):
    for game in situations(rules, 1, 300):
        position = game.position
        seen = game.observe(game.turn)
        moves = seen.legal_moves
        for name in SURE:
            chosen = position_move(position, CODES[name])
            assert chosen in moves
            assert moves[built_in(name)(seen, moves, None)] == chosen
            assert position_move(position, CODES[name]) == chosen
            assert wins(position, chosen) == any(wins(position, move) for move in moves)


@pytest.mark.parametrize("rules", PRESETS)
def test_choices_do_not_depend_on_who_holds_what(rules):
    rng = random.Random(rules)
    for game in situations(rules, 2, 300):
        position = game.position
        seen = game.observe(game.turn)
        # The duel's undealt cards are among the unseen ones, so they are dealt anew as well.
        other = shuffled(position, list(str(seen.unseen)), rng)
        for name in SURE:
            assert position_move(position, CODES[name]) == position_move(other, CODES[name])


@pytest.mark.parametrize("rules", PRESETS)
def test_custom_rules_and_seats_too(rules):
    """Literal quads, fewer cards and another number of seats."""
    rng = random.Random(rules)
    chosen = ddz.Rules.preset(rules)
    if chosen.packs == 1:
        chosen = chosen.replace(held_quads_stay_together=True, triple_pair=False)
    deck = "".join(s * n for s, n in zip("3456789TJQKA2BR", chosen.deck, strict=True))
    for _ in range(20):
        cards = list(deck)
        rng.shuffle(cards)
        seats = rng.randint(2, 4)
        hands = ["".join(cards[13 * s : 13 * s + rng.randint(1, 13)]) for s in range(seats)]
        position = ddz.Position(hands, landlord=rng.randrange(seats), rules=chosen)
        while position.winner is None:
            moves = position.legal_moves()
            for name in SURE:
                assert position_move(position, CODES[name]) in moves
            position.play(position_move(position, CODES[rng.choice(SURE)]))


@pytest.mark.parametrize("rules", PRESETS)
def test_bids_are_legal(rules):
    rng = random.Random(rules)
    names = set()
    for seed in range(60):
        game = ddz.Game(rules, seed=seed)
        while game.phase == "auction" and game.redeals < 5:
            seen = game.observe(game.turn)
            for name in BUILT_IN:
                index = built_in(name).bid(seen, seen.legal_bids, generator(seed))
                assert 0 <= index < len(seen.legal_bids)
                names.add((name, str(seen.legal_bids[index])))
            game.bid(rng.choice(seen.legal_bids))
    if ddz.Rules.preset(rules).auction != "none":
        for name in BUILT_IN:
            assert len({bid for who, bid in names if who == name}) > 1


def bid_on(rules, cards, name):
    game = ddz.Game(rules, deal=ddz.deal(rules, 0, fixed={0: cards}, opener=0))
    seen = game.observe(0)
    return str(seen.legal_bids[built_in(name).bid(seen, seen.legal_bids, None)])


@pytest.mark.parametrize("name", SURE)
def test_strong_hands_bid_and_weak_ones_pass(name):
    for rules in ("standard", "pagat", "openspiel"):
        assert bid_on(rules, "BR2222AAAKKKQQQ77", name) == "3"
        assert bid_on(rules, "33447799JJQQ568TK", name) == "pass"
    assert bid_on("duel", "BR2222AAAKKKQQQ77", name) == "call"
    assert bid_on("duel", "5566789TJ5679TQJ8", name) == "pass"
    assert bid_on("four_player", "BBRR2222222AAAAAAKKKKKK77", name) == "3"
    assert bid_on("four_player", "3344556678899TTJJQQ345679", name) == "pass"


# ---- sense ---------------------------------------------------------------------------------------


def choice(name, hands, *, landlord=0, turn=None, last=None, passes=0, rules="standard", target=0):
    position = ddz.Position(
        hands, landlord=landlord, turn=turn, last=last, passes=passes, rules=rules, target=target
    )
    return str(position_move(position, CODES[name]))


@pytest.mark.parametrize("name", SURE)
def test_a_winning_move_is_played(name):
    assert choice(name, ["444456", "7", "8"]) == "4444+56"
    assert choice(name, ["4444", "KK", "33"], last="2", turn=0, passes=1) == "4444"
    assert choice(name, ["BR", "KK", "33"], last="2222", turn=0, passes=1) == "BR"
    # The duel's peasant needs only come down to his handicap.
    assert choice(name, ["AAAKKKQ", "55567"], turn=1, rules="duel", target=2) in (
        "555",
        "555+6",
        "555+7",
    )


@pytest.mark.parametrize("name", SURE)
def test_the_partner_is_not_beaten_without_need(name):
    # Seat 1 answers seat 2's play, on which the landlord has passed.
    landlord = "3456789TAA2R"
    assert choice(name, [landlord, "579JQA2", "44556"], turn=1, last="K", passes=1) == "pass"
    assert choice(name, [landlord, "22779J", "4"], turn=1, last="T", passes=1) == "pass"


@pytest.mark.parametrize("name", SURE)
def test_no_single_is_led_to_an_opponent_with_one_card(name):
    hands = ["7", "5566TJ", "345678"]
    assert len(choice(name, hands, turn=1)) == 2


@pytest.mark.parametrize("name", SURE)
def test_bombs_wait_for_a_reason(name):
    hands = ["9TJQKA257789TJ", "333368TJQKA2468", "456789TKA2"]
    assert choice(name, hands, turn=1, last="Q") != "3333"
    # The landlord has one card left, and nothing else beats his play.
    assert choice(name, ["9", "333368", "4567"], turn=1, last="2") == "3333"


def test_rule_counts_cards():
    # The ace is the highest card that is left, so the last two singles go out in this order.
    assert choice("rule", ["A3", "KQ55", "9966"]) == "A"


def test_rule_lets_the_partner_out():
    # The partner to the left has one card and the landlord none that beats a pair.
    assert choice("rule", ["KKQQJJ", "3399AA", "7"], landlord=0, turn=1) == "3"


# ---- the Python side -----------------------------------------------------------------------------


def test_built_in_policies_are_policies():
    for name in BUILT_IN:
        policy = built_in(name)
        assert isinstance(policy, Policy)
        assert (policy.name, policy.code) == (name, CODES[name])
        assert pickle.loads(pickle.dumps(policy)) == policy
        assert hash(policy) == hash(built_in(name))
        assert repr(policy) == f"built_in({name!r})"
    assert built_in("rule") != built_in("greedy")
    assert built_in("rule") != "rule"


def test_random_draws_every_move_and_bid():
    game = ddz.Game("standard", seed=4)
    seen = game.observe(game.turn)
    rng = generator()
    assert {built_in("random").bid(seen, seen.legal_bids, rng) for _ in range(100)} == {0, 1, 2, 3}
    game.bid(3)
    seen = game.observe(game.turn)
    drawn = {built_in("random")(seen, seen.legal_moves, rng) for _ in range(3000)}
    assert drawn == set(range(len(seen.legal_moves)))


def test_wrong_moments():
    game = ddz.Game("standard", seed=4)
    other = (game.turn + 1) % 3
    policy = built_in("rule")
    with pytest.raises(ddz.PhaseError, match=f"not seat {game.turn}'s turn to play"):
        policy(game.observe(game.turn), game.legal_moves(), None)
    with pytest.raises(ddz.PhaseError, match=f"not seat {other}'s turn to bid"):
        policy.bid(game.observe(other), (), None)
    game.bid(3)
    seen = game.observe(game.turn)
    with pytest.raises(ddz.DdzError, match="not among the moves"):
        policy(seen, seen.legal_moves[:0], None)
    with pytest.raises(TypeError, match="must be an Observation, not Game"):
        policy(game, seen.legal_moves, None)
    with pytest.raises(TypeError, match="must be an Observation, not None"):
        policy.bid(None, (), None)


def first(observation, moves, rng):
    return 0


class Silent:
    """Plays, and bids the first bid there is."""

    def __call__(self, observation, moves, rng):
        return len(moves) - 1

    def bid(self, observation, bids, rng):
        return 0


def test_resolve():
    greedy, rule = built_in("greedy"), built_in("rule")
    assert resolve("rule", 3) == (rule, rule, rule)
    assert resolve(first, 2) == (first, first)
    assert resolve(["rule", first, greedy], 3) == (rule, first, greedy)
    assert resolve({"landlord": "rule", "peasant": "greedy"}, 3, 2) == (greedy, greedy, rule)
    assert resolve({"landlord": "rule", "peasant": first}, 3, 0) == (rule, first, first)


def test_policies_by_role():
    seats = resolve({"landlord": Silent(), "peasant": first}, 3)
    assert len(seats) == 3
    assert all(isinstance(seat, ByRole) for seat in seats)
    game = ddz.Game("standard", seed=9)
    seen = game.observe(game.turn)
    assert seats[0].bid(seen, seen.legal_bids, None) == 0
    by_rule = ByRole(first, "random")
    assert by_rule.bid(seen, seen.legal_bids, None) == built_in("rule").bid(
        seen, seen.legal_bids, None
    )
    assert repr(by_rule).startswith("ByRole(landlord=<function first")
    game.bid(3)
    seen = game.observe(game.turn)
    assert seats[0](seen, seen.legal_moves, None) == len(seen.legal_moves) - 1
    game.play(seen.legal_moves[0])
    seen = game.observe(game.turn)
    assert seats[0](seen, seen.legal_moves, None) == 0


@pytest.mark.parametrize(
    ("policies", "error", "message"),
    [
        ("best", ddz.DdzError, "no policy 'best' for every seat; built in are random, greedy"),
        (["rule", "best", "rule"], ddz.DdzError, "no policy 'best' for seat 1"),
        (["rule"], ddz.DdzError, "1 policies for 3 seats"),
        ({"landlord": "rule"}, ddz.DdzError, r"'landlord' and 'peasant', not \['landlord'\]"),
        ({"landlord": "rule", "peasant": "x"}, ddz.DdzError, "no policy 'x' for the peasant"),
        (None, TypeError, "the policy for every seat must be a name or callable"),
        (Silent, TypeError, r"must be an object, not its class: Silent\(…\)"),
        ([1, 2, 3], TypeError, "the policy for seat 0"),
    ],
)
def test_no_policies(policies, error, message):
    with pytest.raises(error, match=message):
        resolve(policies, 3)


def test_no_built_in_policy():
    with pytest.raises(ddz.DdzError, match="no policy 'strong'; built in are"):
        built_in("strong")
    with pytest.raises(TypeError, match="name must be a str, not int"):
        built_in(2)
