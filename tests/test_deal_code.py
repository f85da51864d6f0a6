"""The codes of deals: every deal there and back, and nothing damaged gets through."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ddz_core as ddz
from ddz_core.deal import Deal, deal
from ddz_core.deal_code import (
    ALPHABET,
    CHECK_LETTERS,
    LAYOUT_LETTERS,
    LONGEST_CODE,
    _checksum,
    _remainder,
)

PRESETS = ddz.Rules.preset_names()
LENGTHS = {"duel": 27, "four_player": 59}
SAMPLES = [deal(name, 99).code for name in ("standard", "pagat", "duel", "four_player")]


def with_checksum(letters):
    """A code of these letters, with the right checksum."""
    symbols = [ALPHABET.index(letter) for letter in letters]
    return letters + "".join(ALPHABET[symbol] for symbol in _checksum(symbols))


def refused(code):
    """The message with which a code is refused; anything but a RecordError fails the test."""
    with pytest.raises(ddz.RecordError) as caught:
        Deal.from_code(code)
    return str(caught.value)


# ---- there and back ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_round_trip(name):
    for seed in range(300):
        made = deal(name, seed, style="unshuffled" if seed % 3 == 0 else "shuffled")
        code = made.code
        assert len(code) == LENGTHS.get(name, 31)
        assert Deal.from_code(code) == made
    assert set(code) <= set(ALPHABET)
    assert not set("01IO") & set(ALPHABET)


@st.composite
def deals(draw):
    """Deals of every layout that a code can name."""
    packs = draw(st.integers(1, 2))
    lowest = draw(st.integers(0, 12))
    players = draw(st.integers(2, 4))
    cards = [54 * pack + card for pack in range(packs) for card in range(4 * lowest, 54)]
    hand_size = draw(st.integers(1, min(33, len(cards) // players)))
    kitty_size = draw(st.integers(0, min(33, len(cards) - players * hand_size)))
    random.Random(draw(st.integers(0, 2**32))).shuffle(cards)
    hands = [cards[seat * hand_size : (seat + 1) * hand_size] for seat in range(players)]
    rest = cards[players * hand_size :]
    opener = draw(st.integers(0, players - 1))
    face_up = draw(st.sampled_from([None, *hands[opener]]))
    return Deal(hands, rest[:kitty_size], rest[kitty_size:], opener, face_up, packs, lowest)


@given(deals())
def test_round_trip_of_any_layout(made):
    code = made.code
    assert len(code) <= LONGEST_CODE
    assert Deal.from_code(code) == made


def test_first_and_last_deals():
    """The smallest and the largest number of every pile."""
    for name in PRESETS:
        rules = ddz.Rules.preset(name)
        deck = [54 * p + c for p in range(rules.packs) for c in range(4 * rules.lowest_rank, 54)]
        for cards in (deck, deck[::-1]):
            size, players = rules.hand_size, rules.players
            hands = [cards[seat * size : (seat + 1) * size] for seat in range(players)]
            rest = cards[players * size :]
            for opener, face_up in ((0, None), (players - 1, max(hands[-1]))):
                made = Deal(
                    hands,
                    rest[: rules.kitty_size],
                    rest[rules.kitty_size :],
                    opener,
                    face_up,
                    rules.packs,
                    rules.lowest_rank,
                )
                assert Deal.from_code(made.code) == made


def test_the_code_says_everything():
    made = deal("standard", 5)
    others = [
        Deal(made.hands, made.kitty, opener=opener, face_up=face_up)
        for opener in range(3)
        for face_up in (None, *made.hands[opener])
    ]
    assert len({other.code for other in others}) == len(others) == 54
    swap = Deal(made.hands[::-1], made.kitty)
    assert swap.code != Deal(made.hands, made.kitty).code


@pytest.mark.parametrize("code", SAMPLES)
def test_groups_and_small_letters(code):
    made = Deal.from_code(code)
    grouped = "-".join(code[i : i + 5] for i in range(0, len(code), 5))
    for text in (grouped, code.lower(), grouped.lower(), f" {code}\n", f"--{code}-", code.title()):
        assert Deal.from_code(text) == made


# ---- damage --------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", SAMPLES)
def test_every_wrong_character(code):
    for place, letter in itertools.product(range(len(code)), ALPHABET):
        if letter != code[place]:
            assert "checksum" in refused(code[:place] + letter + code[place + 1 :])
    strange = "01IOoil! .ſıß\0+é三²"
    for place, letter in itertools.product(range(len(code)), strange.replace("l", "")):
        message = refused(code[:place] + letter + code[place + 1 :])
        assert repr(letter) in message or letter in " "


@pytest.mark.parametrize("code", SAMPLES)
def test_every_transposition(code):
    for i, j in itertools.combinations(range(len(code)), 2):
        if code[i] != code[j]:
            letters = list(code)
            letters[i], letters[j] = letters[j], letters[i]
            assert "checksum" in refused("".join(letters))


@pytest.mark.parametrize("code", SAMPLES)
def test_every_truncation_and_extension(code):
    for size in range(len(code)):
        for part in (code[:size], code[len(code) - size :]):
            assert "cut short" in refused(part) or "damaged" in refused(part)
    for place in range(len(code)):
        assert "damaged" in refused(code[:place] + code[place + 1 :])
    for place, letter in itertools.product(range(len(code) + 1), ALPHABET):
        assert "damaged" in refused(code[:place] + letter + code[place:])
    for more in (code, code[:3], "AAAAAA", "A" * 10**6):
        message = refused(code + more)
        assert "damaged" in message or "no code is so long" in message
        assert len(message) < 300


def test_a_missing_letter_is_told_as_such():
    assert "it has 30 letters, but its layout takes 31" in refused(SAMPLES[0][:-1])
    assert "it has 33 letters, but its layout takes 31" in refused(SAMPLES[0] + "AA")
    assert "contains 'O'" in refused("O" + SAMPLES[0][1:])


def test_any_four_wrong_letters_are_detected():
    """The checksum is linear: it detects all the errors whose remainder is not zero. No two errors
    of up to two letters have the same remainder, so none of up to four has the remainder zero."""
    length = max(LENGTHS.values())
    zero = _remainder([0] * length)
    single = np.array(
        [
            _remainder([0] * place + [error] + [0] * (length - 1 - place)) ^ zero
            for place in range(length)
            for error in range(1, 32)
        ],
        dtype=np.uint32,
    )
    pairs = [
        (single[31 * i : 31 * i + 31, None] ^ single[None, 31 * i + 31 :]).ravel()
        for i in range(length)
    ]
    remainders = np.concatenate([np.zeros(1, np.uint32), single, *pairs])
    remainders.sort()
    assert len(remainders) == 1 + 31 * length + 31**2 * length * (length - 1) // 2
    assert np.all(remainders[1:] != remainders[:-1])


def test_random_texts():
    rng = random.Random(1)
    for _ in range(2000):
        refused("".join(rng.choices(ALPHABET, k=rng.randrange(45))))
    for text in ("", "-", "   ", "A", "standard", "♥3♦4", "0" * 31):
        refused(text)


@given(st.text(max_size=100))
def test_any_text(text):
    refused(text)


@pytest.mark.parametrize("code", SAMPLES)
def test_codes_of_other_versions(code):
    body = code[1:-CHECK_LETTERS]
    for version in ALPHABET[1:]:
        message = refused(with_checksum(version + body))
        assert f"is of version {version}; this ddz_core reads version A" in message
    assert Deal.from_code(with_checksum("A" + body)).code == code


@pytest.mark.parametrize("code", SAMPLES)
def test_codes_that_stand_for_no_deal(code):
    """Right checksums do not help numbers beyond the last deal, nor impossible layouts."""
    head, body = code[: 1 + LAYOUT_LETTERS], code[1 + LAYOUT_LETTERS : -CHECK_LETTERS]
    assert "too large" in refused(with_checksum(head + "9" * len(body)))
    assert "layout" in refused(with_checksum("A9999" + body))
    # Four hands of 33 of one pack.
    assert "layout" in refused(with_checksum("AB9AA" + body))


@pytest.mark.parametrize("thing", [None, 5, b"AAAA", ["A"], deal(seed=1)])
def test_things_that_are_no_text(thing):
    with pytest.raises(TypeError, match=f"code must be a str, not {type(thing).__name__}"):
        Deal.from_code(thing)
