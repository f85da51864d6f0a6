"""OpenSpiel's auction, order of play and payoffs.

Both programs get the same deals and take the same bids and moves, drawn among those that both
list (tests/test_peer_openspiel.py shows that these differ in two bugs of OpenSpiel 2.0.2 only).
"""

from __future__ import annotations

import random
from collections import Counter

import pytest
from game_helpers import counts
from helpers import oracle_move

import ddz_core as ddz
from ddz_core.auction import Auction
from ddz_core.deal import Deal
from ddz_core.game import Game

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `test`)")

GAMES = 500
RULES = ddz.Rules.openspiel()
FIRST_PLAY = 4  # after pass and the bids 1, 2, 3
BASE_OF_DEAL = 51  # ids of chance actions that deal a card


def suited(card: int) -> int:
    """Our number of one of OpenSpiel's cards, which go by suits and end with the jokers."""
    return card if card >= 52 else 4 * (card % 13) + card // 13


def dealt(rng: random.Random):
    """OpenSpiel's state as the auction begins, and the same deal as our game."""
    deck = [*range(54)]
    rng.shuffle(deck)
    if rng.random() < 0.3:
        # Bombs and rockets come together as they seldom do by chance.
        deck.sort(key=lambda card: (suited(card) // 4 + rng.randrange(3), rng.random()))
        deck = [deck[17 * (i % 3) + i // 3] if i < 51 else deck[i] for i in range(54)]
    state = pyspiel.load_game("dou_dizhu").new_initial_state()
    state.apply_action(rng.choice(state.legal_actions()))
    for card in deck[:51]:
        state.apply_action(BASE_OF_DEAL + card)
    hands = tuple(tuple(suited(card) for card in deck[seat:51:3]) for seat in range(3))
    deal = Deal(hands, tuple(map(suited, deck[51:])), opener=state.current_player())
    return state, Game(RULES, deal=deal)


def move_of(state, action: int) -> tuple:
    """One of OpenSpiel's plays in the oracle's words."""
    if action == 0:
        return oracle_move(ddz.Move.PASS)
    text = state.action_to_string(state.current_player(), action)
    text = text.replace("(BWJ)", "B").replace("(CJ)", "R").replace("-", "+")
    return oracle_move(ddz.Move.parse(text, rules="openspiel"))


def play_both(rng: random.Random):
    """A whole game in both programs; the two final states."""
    state, game = dealt(rng)
    shy = rng.random() < 0.5  # bids so that deals are passed out too
    while game.phase == "auction":
        assert state.current_player() == game.turn
        bids = {int(bid): bid for bid in game.legal_bids()}
        assert set(state.legal_actions()) == set(bids)
        choice = 0 if shy and rng.random() < 0.7 else rng.choice([*bids])
        state.apply_action(choice)
        game.bid(bids[choice])
    idle = rng.choice([None, None, True, False])
    while game.phase == "play":
        assert not state.is_terminal()
        assert state.current_player() == game.turn
        theirs = {move_of(state, action): action for action in state.legal_actions()}
        ours = {oracle_move(move): move for move in game.legal_moves()}
        both = sorted(theirs.keys() & ours.keys())
        if idle == (game.turn == game.landlord) and game.moves and len(both) > 1:
            # A side that passes whenever it may: springs.
            both = [move for move in both if move[1][0] == "PASS"] or both
        # Bombs and rockets often enough.
        bombs = [move for move in both if move[1][0] in ("BOMB", "ROCKET")]
        move = rng.choice(bombs if bombs and rng.random() < 0.5 else both)
        state.apply_action(theirs[move])
        game.play(ours[move])
    assert state.is_terminal()
    return state, game


def test_the_deal_is_the_same():
    state, game = dealt(random.Random(1))
    assert [sum(counts(hand)) for hand in game.deal.hands] == [17, 17, 17]
    assert state.current_player() == game.deal.opener


def bidding_tree(rules: ddz.Rules) -> tuple[int, int]:
    """Auctions of OpenSpiel compared, and how many of them stand otherwise under our rules."""
    compared = different = 0
    todo: list[list[int]] = [[]]
    while todo:
        line = todo.pop()
        state, _ = dealt(random.Random(1))
        opener = state.current_player()
        auction = Auction(rules, opener)
        for bid in line:
            state.apply_action(bid)
            auction.bid(bid)
        bids = [] if state.is_terminal() else [a for a in state.legal_actions() if a < FIRST_PLAY]
        landlord = None if bids or state.is_terminal() else state.current_player()
        compared += 1
        if ([*auction.legal_bids()], auction.landlord) != (bids, landlord):
            different += 1
        elif not bids or auction.turn == state.current_player():
            todo += [[*line, bid] for bid in bids]
        else:
            different += 1
    return compared, different


def test_every_auction():
    assert bidding_tree(RULES) == (67, 0)


def test_auction_turns_and_payoffs():
    rng = random.Random(2)
    met = Counter()
    for _ in range(GAMES):
        state, game = play_both(rng)
        result = game.result
        met["void"] += result.void
        met["spring"] += result.spring
        met["anti_spring"] += result.anti_spring
        met["bombs"] += result.bombs > 0
        met["rockets"] += result.rockets > 0
        met[f"base {result.base}"] += 1
        assert [float(points) for points in result.points] == state.returns(), (
            game.actions,
            result,
        )
    assert min(met.values()) > 20, met
