"""Properties that hold for every hand, every play on the table and every rule set."""

from functools import cache

import numpy as np
import oracle
import pytest
from deals import PRESETS, RULES
from helpers import core_hand, core_rules
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import hands

import ddz_core as ddz

EXAMPLES = 25


@cache
def move_space(name):
    """The core's whole move space, with its cards as rows of a matrix."""
    moves = list(ddz.all_plays(core_rules(name)))
    return moves, np.array([move.cards.counts for move in moves])


def contained(name, hand):
    """The moves of the whole move space whose cards the hand holds."""
    moves, cards = move_space(name)
    return [moves[i] for i in np.flatnonzero((cards <= np.array(hand)).all(axis=1))]


@pytest.mark.parametrize("name", PRESETS)
def test_every_move_of_the_move_space_is_legal_iff_generated(name):
    @settings(max_examples=EXAMPLES)
    @given(hand=hands(name), data=st.data())
    def check(hand, data):
        core = core_rules(name)
        held = contained(name, hand)
        assert set(ddz.legal_moves(core_hand(hand), rules=core)) == set(held)
        last = data.draw(st.sampled_from(move_space(name)[0]))
        answers = {move for move in held if move.beats(last)}
        moves = ddz.legal_moves(core_hand(hand), last, rules=core)
        assert set(moves[1:]) == answers
        assert moves[0] == ddz.Move.PASS

    check()


@pytest.mark.parametrize("name", PRESETS)
def test_generated_moves_are_sound(name):
    @settings(max_examples=EXAMPLES)
    @given(hand=hands(name), other=hands(name), data=st.data())
    def check(hand, other, data):
        core = core_rules(name)
        hand, other = core_hand(hand), core_hand(other)
        last = data.draw(st.sampled_from(list(ddz.legal_moves(other, rules=core))))
        for table in (None, last):
            moves = list(ddz.legal_moves(hand, table, rules=core))
            assert len(set(moves)) == len(moves)
            assert len(moves) == ddz.count_legal_moves(hand, table, rules=core)
            for move in moves:
                if move == ddz.Move.PASS:
                    assert table is not None
                    continue
                assert move.cards <= hand
                assert len(move.cards) == move.n_cards
                assert move in ddz.classify(move.cards, rules=core)
                assert table is None or move.beats(table)
                assert ddz.why_illegal(hand, move.cards, table, rules=core) is None

    check()


@pytest.mark.parametrize("name", PRESETS)
def test_more_cards_never_lose_a_move(name):
    @settings(max_examples=EXAMPLES)
    @given(hand=hands(name, largest=15), data=st.data())
    def check(hand, data):
        core = core_rules(name)
        free = [r for r in range(15) if hand[r] < RULES[name].deck()[r]]
        extra = data.draw(st.sampled_from(free))
        larger = tuple(n + (r == extra) for r, n in enumerate(hand))
        before = set(ddz.legal_moves(core_hand(hand), rules=core))
        assert before <= set(ddz.legal_moves(core_hand(larger), rules=core))

    check()


@given(hand=hands("four_player"), other=hands("four_player"))
def test_hands_are_multisets(hand, other):
    one, two = core_hand(hand), core_hand(other)
    assert tuple(one.counts) == hand
    assert len(one) == sum(hand)
    assert (one <= two) == all(a <= b for a, b in zip(hand, other, strict=True))
    shared = tuple(min(a, b) for a, b in zip(hand, other, strict=True))
    assert (one - core_hand(shared)) + core_hand(shared) == one
    assert hash(core_hand(hand)) == hash(one)
    assert [ddz.Rank(rank) for rank in one] == [r for r in range(15) for _ in range(hand[r])]
    for rank in ddz.Rank:
        assert (rank in one) == (hand[rank] > 0)
    assert str(one) == oracle.text_of(hand)


@pytest.mark.parametrize("name", PRESETS)
def test_play_and_undo_restore_everything(name):
    """Whole games of drawn moves, on whatever hands: each way back is exact, and so is the text."""

    @settings(max_examples=EXAMPLES)
    @given(cards=hands(name), seats=st.integers(2, 4), data=st.data())
    def check(cards, seats, data):
        core = core_rules(name)
        ranks = list(core_hand(cards))
        shares = [ranks[seat::seats] for seat in range(seats)]
        if not all(shares):
            return
        split = [ddz.Hand("".join(rank.symbol for rank in share)) for share in shares]
        position = ddz.Position(split, landlord=data.draw(st.integers(0, seats - 1)), rules=core)
        past = []
        while position.winner is None:
            past.append((position.copy(), position.hash, position.key, position.to_string()))
            moves = position.legal_moves()
            position.play(moves[data.draw(st.integers(0, len(moves) - 1))])
        for before, hashed, key, text in reversed(past):
            position.undo()
            assert position == before
            assert (position.hash, position.key, position.to_string()) == (hashed, key, text)
            again = ddz.Position.from_string(text, rules=core)
            assert again == before
            assert again.legal_moves() == before.legal_moves()
        with pytest.raises(ddz.PhaseError):
            position.undo()

    check()


@pytest.mark.parametrize("name", PRESETS)
def test_move_texts_read_back(name):
    @settings(max_examples=100)
    @given(data=st.data())
    def check(data):
        move = data.draw(st.sampled_from(move_space(name)[0]))
        assert ddz.Move.parse(str(move), rules=core_rules(name)) == move

    check()
