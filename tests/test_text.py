"""Text forms name exactly one value and read back as it."""

import oracle
import pytest
from deals import PRESETS, all_plays
from helpers import core_hand, core_rules, oracle_move
from hypothesis import given
from hypothesis import strategies as st
from strategies import hands

import ddz_core as ddz


@given(hand=hands("four_player"), seed=st.randoms(use_true_random=False))
def test_hands_round_trip_in_any_order_and_case(hand, seed):
    text = str(core_hand(hand))
    assert ddz.Hand(text) == core_hand(hand)
    letters = list(text.replace("T", "t").replace("B", "b")) + [" "] * 3
    seed.shuffle(letters)
    loose = "".join(letters).replace("t", "10")
    assert ddz.Hand(loose) == core_hand(hand)


@pytest.mark.parametrize("name", PRESETS)
def test_every_move_of_the_move_space_reads_back_as_itself(name):
    core = core_rules(name)
    texts = set()
    for move in ddz.all_plays(core):
        text = str(move)
        assert text == oracle.move_text(oracle_move(move))
        texts.add(text)
    assert len(texts) == len(all_plays(name))
    for text in sorted(texts)[::7]:
        assert str(ddz.Move.parse(text, rules=core)) == text


@pytest.mark.parametrize("name", PRESETS)
def test_parsed_moves_equal_the_generated_ones(name):
    core = core_rules(name)
    for move in list(ddz.all_plays(core))[::11]:
        parsed = ddz.Move.parse(str(move), rules=core)
        assert parsed == move
        assert hash(parsed) == hash(move)


def test_pass_is_a_move():
    core = ddz.Rules.standard()
    assert str(ddz.Move.PASS) == "pass"
    assert ddz.Move.parse("pass", rules=core) == ddz.Move.PASS
    assert ddz.Move.PASS.kind == ddz.Kind.PASS
    assert ddz.Move.PASS.n_cards == 0


def test_the_plus_tells_two_readings_apart():
    core = core_rules("openspiel")
    long = ddz.Move.parse("333444555666", rules=core)
    short = ddz.Move.parse("333444555+666", rules=core)
    assert long.cards == short.cards
    assert long != short
    assert (long.kind, long.length) == (ddz.Kind.AIRPLANE, 4)
    assert (short.kind, short.length) == (ddz.Kind.AIRPLANE_SINGLES, 3)


@pytest.mark.parametrize("text", ["3334+4", "33+44", "34567+8", "333444+5", "xyz", "", "333+3"])
def test_texts_that_are_no_move_are_refused(text):
    with pytest.raises(ddz.DdzError):
        ddz.Move.parse(text, rules=ddz.Rules.standard())
