"""`why_illegal` finds no fault with a play exactly when the play is legal."""

import random

import oracle
import pytest
from deals import PRESETS, RULES, all_plays, any_hand, random_play
from helpers import core_hand, core_move, core_rules

import ddz_core as ddz


@pytest.mark.parametrize(
    "name", [*PRESETS, "held_quads", "held_quads_cap_4", "cap_3", "cap_4", "nothing_attached"]
)
def test_no_reason_exactly_for_legal_plays(name):
    rules, core = RULES[name], core_rules(name)
    rng = random.Random(f"why {name}")
    for _ in range(300):
        hand = any_hand(rng, rules)
        play = random_play(rng, hand, rules)
        last = random_play(rng, any_hand(rng, rules), rules) if rng.random() < 0.6 else None
        tried = [any_hand(rng, rules), hand, rng.choice(all_plays(name))[0]]
        tried += [play[0]] if play else []
        legal = {cards for cards, _ in oracle.legal(hand, last, rules)}
        core_last = core_move(last, name) if last else None
        for cards in tried:
            reason = ddz.why_illegal(core_hand(hand), core_hand(cards), core_last, rules=core)
            where = (name, oracle.text_of(hand), oracle.text_of(cards), last)
            assert (reason is None) == (cards in legal), (where, reason)
            assert reason is None or isinstance(reason, ddz.Illegal)


def test_following_with_no_cards_is_a_pass_and_leading_with_none_is_not():
    last = ddz.Move.parse("5", rules=ddz.Rules.standard())
    assert ddz.why_illegal("34", "", last) is None
    assert isinstance(ddz.why_illegal("34", "", None), ddz.Illegal)
