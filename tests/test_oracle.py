"""The oracle is held against the published counts, and its two halves against each other."""

import itertools
import random
from collections import Counter

import oracle
import pytest
from deals import PRESETS, RULES, all_plays, any_hand, clumped_hand, counts_of, random_hand
from oracle import PRESETS as PRESET_RULES

# (plays, pairs of play and reading) of the full deck, from the table in rules.md.
TOTALS = {
    "standard": (24639, 24639),
    "club": (24639, 24639),
    "casual": (24639, 24639),
    "pagat": (24483, 24483),
    "pagat_distinct": (12654, 12654),
    "duel": (8798, 8798),
    "four_player": (9079, 9079),
    "rlcard": (27471, 27471),
    "douzero": (29984, 30383),
    "openspiel": (25661, 26053),
    "botzone": (34323, 34323),
    "cap_3": (27845, 28237),
    "cap_4": (28502, 28894),
}


@pytest.mark.parametrize("name", TOTALS)
def test_counts_are_the_published_ones(name):
    moves = all_plays(name)
    assert len(set(moves)) == len(moves)
    assert (len({cards for cards, _ in moves}), len(moves)) == TOTALS[name]


def test_four_player_hands_of_25_cards():
    rules = PRESET_RULES["four_player"]
    assert len(oracle.plays(rules.deck(), rules, 25)) == 8482


def test_airplanes_with_singles_by_length():
    lengths = Counter(r[2] for _, r in all_plays("standard") if r[0] == "AIRPLANE_SINGLES")
    assert lengths == {2: 968, 3: 3200, 4: 6534, 5: 8288}


@pytest.mark.parametrize("name", PRESETS)
def test_readings_agree_with_the_plays_that_were_built(name):
    readings = {}
    for cards, reading in all_plays(name):
        readings.setdefault(cards, set()).add(reading)
    for cards in list(readings)[::9]:
        assert oracle.readings(cards, RULES[name]) == readings[cards]


@pytest.mark.parametrize("name", ["standard", "pagat_distinct", "rlcard", "douzero", "botzone"])
def test_readings_accept_nothing_that_was_not_built(name):
    built = {cards for cards, _ in all_plays(name)}
    rng = random.Random(1)
    rules = RULES[name]
    for _ in range(1500):
        cards = any_hand(rng, rules)
        assert bool(oracle.readings(cards, rules)) == (cards in built)
    for ranks in itertools.combinations_with_replacement(range(0, 15, 2), 6):
        cards = counts_of(ranks)
        assert bool(oracle.readings(cards, rules)) == (cards in built)


@pytest.mark.parametrize("name", ["standard", "douzero", "botzone", "four_player"])
def test_plays_of_a_hand_are_the_plays_of_the_deck_that_it_holds(name):
    rng = random.Random(2)
    rules = RULES[name]
    for _ in range(6):
        hand = any_hand(rng, rules)
        held = {
            move
            for move in all_plays(name)
            if all(n <= have for n, have in zip(move[0], hand, strict=True))
        }
        assert set(oracle.plays(hand, rules)) == held


def test_beating_is_a_strict_order():
    kinds = [
        ("SINGLE", 3, 1, 1),
        ("STRAIGHT", 6, 5, 5),
        ("BOMB", 5, 1, 4),
        ("BOMB", 0, 1, 5),
        ("BOMB", 11, 1, 8),
        ("ROCKET", 14, 1, 4),
    ]
    for (i, lower), (j, higher) in itertools.product(enumerate(kinds), repeat=2):
        expected = i < j and (j >= 2)
        assert oracle.beats(higher, lower) == expected


@pytest.mark.parametrize(
    ("hand", "turns"),
    [
        ("3", 1),
        ("3344556", 2),
        ("34567", 1),
        ("3456", 4),
        ("333444", 1),
        ("33344456", 1),
        ("3334445", 2),
        ("3333", 1),
        ("BR", 1),
        ("3BR", 2),
        ("345678999TJ", 2),
    ],
)
def test_fewest_plays_of_small_hands(hand, turns):
    assert oracle.min_turns(oracle.parse(hand), PRESET_RULES["standard"]) == turns


def brute_min_turns(hand, rules):
    """Fewest plays by trying every play first, in every order."""
    if not any(hand):
        return 0
    return 1 + min(
        brute_min_turns(tuple(a - b for a, b in zip(hand, play, strict=True)), rules)
        for play, _ in oracle.plays(hand, rules)
    )


@pytest.mark.parametrize("name", ["standard", "botzone", "held_quads", "four_player"])
def test_fewest_plays_without_the_short_cut(name):
    rng = random.Random(5)
    for i in range(12):
        make = random_hand if i % 2 else clumped_hand
        hand = make(rng, RULES[name], rng.randint(1, 6))
        assert oracle.min_turns(hand, RULES[name]) == brute_min_turns(hand, RULES[name])


def scripted(text, hands, **fields):
    """The model after these moves, one word a move."""
    rules = PRESET_RULES[fields.pop("rules", "standard")]
    model = oracle.Model(rules, tuple(map(oracle.parse, hands)), **fields)
    for word in text.split():
        (move,) = (m for m in model.legal() if oracle.move_text(m) == word)
        model = model.after(move)
    return model


def test_the_model_closes_tricks_and_counts():
    model = scripted("3 4 pass 5 7", ["3456", "47", "55"])
    assert (model.winner, model.plays, model.standing_plays) == (1, (2, 2, 0), (0, 1, 0))
    assert not model.opening_stood
    model = scripted("6 pass pass", ["3456", "77", "55"])
    assert (model.turn, model.last, model.passes) == (0, None, 0)
    assert model.opening_stood
    assert oracle.PASS not in model.legal()
    model = scripted("3333 4444 BR", ["33335", "44445", "BR5"])
    assert (model.bombs, model.rockets) == (2, 1)
    assert model.legal() == [oracle.PASS]


def test_the_model_knows_the_duels_target():
    model = scripted("5 pass 6 7 pass", ["5678", "66778"], rules="duel", target=2)
    assert model.winner is None
    assert scripted("5 pass 6 7 pass 66", ["5678", "66778"], rules="duel", target=2).winner == 1
    # One card is too many for the landlord, whose target it is not.
    assert scripted("6789T", ["56789T", "66778"], rules="duel", target=2).winner is None


def test_text_names_main_part_and_kickers():
    moves = {oracle.move_text(move): move for move in all_plays("douzero")}
    assert len(moves) == 30383  # 333444555666 and 333444555+666 are told apart
    assert moves["333444+56"] == (oracle.parse("33344456"), ("AIRPLANE_SINGLES", 1, 2, 8))
    assert moves["BR"][1][0] == "ROCKET"
