"""The `openspiel` preset has OpenSpiel's action space, and its legal actions but for two bugs.

Both are in OpenSpiel 2.0.2's dou_dizhu_utils.cc:

- SearchChainOnlyActions skips a rank held four times as the lowest rank of a chain, so every
  straight, pair straight and bare airplane that starts there is missing, though the action space
  has it. Our preset follows the action space.
- SearchForLegalActions adds the bombs to the answers to every play but a bomb, the rocket
  included. Our preset keeps to the rule that nothing beats the rocket.

The tests show that the legal actions differ in exactly those moves and in nothing else.
"""

import random
from functools import cache
from importlib.metadata import version

import oracle
import pytest
from deals import RULES, all_plays
from helpers import assert_same_moves, core_hand, core_rules, oracle_moves

import ddz_core as ddz

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `test`)")

POSITIONS = 4000
FIRST_PLAY = 4  # after pass and the bids 1, 2, 3
CHAINS = ("STRAIGHT", "PAIR_STRAIGHT", "AIRPLANE")
DECK = [*range(13)] * 4 + [oracle.BLACK, oracle.RED]  # the rank of each of its card ids
BASE_OF_DEAL = 51  # ids of chance actions that deal a card


@cache
def action_moves():
    """The move of every action id that is a play."""
    game = pyspiel.load_game("dou_dizhu")
    state = playing_state(random.Random(0))
    return {
        action: _move(state.action_to_string(0, action))
        for action in range(FIRST_PLAY, game.num_distinct_actions())
    }


def _move(text):
    """OpenSpiel's text of a play; only airplanes with kickers name the reading, by a dash."""
    text = text.replace("(BWJ)", "B").replace("(CJ)", "R")
    cards = oracle.parse(text)
    readings = oracle.readings(cards, RULES["openspiel"])
    if "-" in text:
        main = oracle.parse(text.split("-")[0])
        (reading,) = (r for r in readings if r[0][:9] == "AIRPLANE_" and _is_main(main, r))
    else:
        (reading,) = (r for r in readings if r[0][:9] != "AIRPLANE_")
    return cards, reading


def _is_main(main, reading):
    ranks = [r for r in range(15) if main[r]]
    return (ranks[-1], len(ranks)) == reading[1:3]


def playing_state(rng):
    """A deal and a bid of 3 by whoever opens: the play begins.

    Half of the deals are fair. In the others each seat gets neighbouring ranks, apart from some
    cards that change places, so that chains and fours come together as they seldom do by chance.
    """
    deck = [*range(54)]
    rng.shuffle(deck)
    if rng.random() < 0.5:
        deck.sort(key=lambda card: DECK[card])
        for _ in range(rng.randrange(20)):
            i, j = rng.randrange(54), rng.randrange(54)
            deck[i], deck[j] = deck[j], deck[i]
    state = pyspiel.load_game("dou_dizhu").new_initial_state()
    state.apply_action(rng.choice(state.legal_actions()))  # where the face-up card lies
    for i in range(51):
        state.apply_action(BASE_OF_DEAL + deck[17 * (i % 3) + i // 3])
    state.apply_action(3)
    return state


def hands_of(state):
    """The three hands as the play begins, from the cards dealt."""
    cards = [action - BASE_OF_DEAL for action in state.history()[1:52]]
    assert len(set(cards)) == 51
    hands = [cards[seat::3] for seat in range(3)]
    hands[state.current_player()] += set(range(54)) - set(cards)
    return [_counts(hand) for hand in hands]


def _counts(cards):
    ranks = [DECK[card] for card in cards]
    return tuple(ranks.count(rank) for rank in range(15))


def test_every_action_id_is_one_move_of_the_preset():
    moves = action_moves()
    assert len(moves) == 26053
    assert set(moves.values()) == set(all_plays("openspiel"))
    assert_same_moves(ddz.all_plays(core_rules("openspiel")), list(moves.values()), "openspiel")


def test_every_action_text_reads_as_its_move():
    core = core_rules("openspiel")
    for move in list(action_moves().values())[::9]:
        parsed = ddz.Move.parse(oracle.move_text(move), rules=core)
        assert oracle_moves([parsed]) == [move]


def positions(rng, n):
    """(hand, play to beat or None, legal moves) as OpenSpiel's game meets them."""
    moves = action_moves()
    found = 0
    while True:
        state = playing_state(rng)
        hands = hands_of(state)
        last, passes = None, 2
        while not state.is_terminal():
            seat = state.current_player()
            actions = state.legal_actions()
            assert len(set(actions)) == len(actions)
            theirs = [moves[a] if a else oracle.PASS for a in actions]
            yield hands[seat], None if passes == 2 else last, theirs
            found += 1
            if found == n:
                return
            action = rng.choice(actions)
            if action == 0:
                passes += 1
            else:
                last, passes = moves[action], 0
                hands[seat] = tuple(a - b for a, b in zip(hands[seat], last[0], strict=True))
            state.apply_action(action)


def test_legal_actions_differ_in_the_two_known_bugs_only():
    core = core_rules("openspiel")
    chains_missed = bombs_on_rockets = 0
    for hand, last, theirs in positions(random.Random(4), POSITIONS):
        core_last = last and ddz.Move.parse(oracle.move_text(last), rules=core)
        ours = set(oracle_moves(ddz.legal_moves(core_hand(hand), core_last, rules=core)))
        missed = {move for move in ours if move[1][0] in CHAINS and hand[_lowest(move)] == 4}
        added = set()
        if last and last[1][0] == "ROCKET":
            bombs = [r for r in range(13) if hand[r] == 4]
            added = {(oracle.parse(4 * oracle.RANKS[r]), ("BOMB", r, 1, 4)) for r in bombs}
        where = (oracle.text_of(hand), last)
        assert set(theirs) - ours <= added, where
        assert ours - set(theirs) <= missed, where
        if version("open_spiel") == "2.0.2":
            assert set(theirs) == (ours - missed) | added, where
        chains_missed += len(missed)
        bombs_on_rockets += len(added)
    # The positions are many enough to meet both.
    assert chains_missed > 100
    assert bombs_on_rockets > 3


def _lowest(move):
    _, (_, high, length, _) = move
    return high - length + 1
