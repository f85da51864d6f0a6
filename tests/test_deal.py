"""Deals: layouts, first bidders, fixed cards and bad input."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ddz_core as ddz
from ddz_core.deal import SUITS, Deal, card_name, deal

PRESETS = ddz.Rules.preset_names()

# Players, cards in a hand, kitty and undealt, as rules.md has them.
LAYOUTS = {"duel": (2, 17, 3, 9), "four_player": (4, 25, 8, 0)}
FIRST_BIDDERS = {
    "standard": "random",
    "club": "rotate",
    "pagat": "face_up",
    "casual": "seat_0",
    "duel": "random",
    "four_player": "random",
    "openspiel": "face_up",
}

# Ten cards, A … R; two of them are not dealt.
SMALL = ddz.Rules(name="small", players=2, lowest_rank=ddz.Rank.ACE, hand_size=3, kitty_size=2)


def same_seat(made, card):
    """The seat that holds a card, or None."""
    return next((seat for seat, hand in enumerate(made.hands) if card in hand), None)


# ---- cards ---------------------------------------------------------------------------------------


def test_names_of_all_cards():
    names = [card_name(card) for card in range(54)]
    assert names == [suit + rank for rank in "3456789TJQKA2" for suit in SUITS] + ["B", "R"]
    assert [card_name(card) for card in range(54, 108)] == names
    assert card_name(np.uint8(4)) == "♥4"
    for card in range(108):
        assert str(ddz.Hand.from_ids([card])) == card_name(card)[-1]


@pytest.mark.parametrize("card", [-1, 108, 2**70])
def test_numbers_that_are_no_card(card):
    with pytest.raises(ddz.InvalidCardsError, match=str(card)):
        card_name(card)


@pytest.mark.parametrize("card", ["♥3", 3.0, None, True])
def test_things_that_are_no_card(card):
    with pytest.raises(TypeError, match=r"card id"):
        card_name(card)


# ---- every preset --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_layouts(name):
    rules = ddz.Rules.preset(name)
    players, hand_size, kitty_size, undealt = LAYOUTS.get(name, (3, 17, 3, 0))
    for seed in range(50):
        made = deal(name, seed)
        assert made.players == players
        assert made.hand_size == hand_size
        assert [len(hand) for hand in made.hands] == [hand_size] * players
        assert made.kitty_size == len(made.kitty) == kitty_size
        assert len(made.undealt) == undealt
        piles = [*made.hands, made.kitty, made.undealt]
        assert all(list(pile) == sorted(pile) for pile in piles)
        assert all(type(card) is int for pile in piles for card in pile)
        hands = [made.hand(seat) for seat in range(players)]
        whole = sum([*hands, made.kitty_cards, made.undealt_cards], ddz.Hand())
        assert tuple(whole.counts.tolist()) == rules.deck
        assert len({card for pile in piles for card in pile}) == sum(rules.deck)
        made.fits(name)
        # What the dealer made passes the constructor's checks.
        fields = [getattr(made, field.name) for field in dataclasses.fields(Deal)]
        assert Deal(*fields) == made
        assert hash(Deal(*fields)) == hash(made)


# The same seed gives the same deal within a minor version.
STREAM = {
    "standard": "AA7AZAAT59F7W3NJ4LDER27DTJSNAJF",
    "club": "AA7AZAAT59F7W3NJ4LDER27DTJSNAJF",
    "pagat": "AA7AZAMVRXYGSNEXJRXXUKY5TKUPSYY",
    "pagat_distinct": "AA7AZAMVRXYGSNEXJRXXUKY5TKUPSYY",
    "duel": "AACZHA3CG7J6WACDHDRTRQLXXVW",
    "casual": "AA7AZAAT59F7W3NJ4LDER27DTJSNAJF",
    "four_player": "ACJA4AA73XVHEPRZ7UWNQQBP3TTZGJCBELAG7R7ZZR7TM3DXFZYXJH6TD29",
    "rlcard": "AA7AZAAT59F7W3NJ4LDER27DTJSNAJF",
    "douzero": "AA7AZAAT59F7W3NJ4LDER27DTJSNAJF",
    "openspiel": "AA7AZAMVRXYGSNEXJRXXUKY5TKUPSYY",
    "botzone": "AA7AZAAT59F7W3NJ4LDER27DTJSNAJF",
}


@pytest.mark.parametrize("name", PRESETS)
def test_the_stream_stays_the_same(name):
    assert deal(name, 1).code == STREAM[name]


def test_the_stream_of_every_way_to_deal():
    def rocket(made):
        return "BR" in made.hand(0)

    assert [
        deal("standard", 1, style="unshuffled").code,
        deal("standard", 1, fixed={0: "345", 1: "3", "kitty": "2"}).code,
        deal("standard", 1, fixed={0: [0, 52]}).code,
        deal("standard", 1, predicate=rocket).code,
        deal(ddz.Rules.preset("pagat").replace(first_bidder="heart_three"), 1).code,
    ] == [
        "AA7AZAA5S8UEGUUQT2XU843GW2DJAT3",
        "AA7AZABKPWDQ5NUYJY7RCMP3FL7PZLU",
        "AA7AZAB4QW79UGSKQDMU35ZWXGXNZ3D",
        "AA7AZACBDUBL8XWF83SAPWQZPXKPSRW",
        "AA7AZABH9GU8GST3VGQKT78ZBFK2WE2",
    ]


def test_seeds():
    assert deal(seed=7) == deal("standard", [7]) == deal(None, np.random.SeedSequence(7))
    assert deal(seed=7) != deal(seed=8)
    assert deal() != deal()
    sequence = np.random.SeedSequence(3)
    assert deal(seed=sequence) == deal(seed=sequence)
    child, other = sequence.spawn(2)
    assert deal(seed=child) != deal(seed=other)
    generator = np.random.default_rng(3)
    first, second = deal(seed=generator), deal(seed=generator)
    assert first != second
    assert first == deal(seed=np.random.default_rng(3)) == deal(seed=np.random.PCG64(3))


# ---- who speaks first ----------------------------------------------------------------------------


def test_first_bidders_of_the_presets():
    for name, method in FIRST_BIDDERS.items():
        assert ddz.Rules.preset(name).first_bidder == method


@pytest.mark.parametrize("name", ["standard", "duel", "four_player"])
def test_any_seat_may_speak_first(name):
    openers = [deal(name, seed).opener for seed in range(60)]
    assert set(openers) == set(range(ddz.Rules.preset(name).players))


def test_the_first_bid_goes_round():
    assert [deal("club", 5, number=number).opener for number in range(7)] == [0, 1, 2, 0, 1, 2, 0]
    assert deal("club", 5, number=4).hands == deal("club", 5).hands


def test_seat_0_speaks_first():
    assert {deal("casual", seed, number=seed).opener for seed in range(20)} == {0}


def test_the_holder_of_the_face_up_card_speaks_first():
    for seed in range(100):
        made = deal("pagat", seed)
        assert made.face_up in made.hands[made.opener]
        assert made.face_up not in made.kitty
        assert deal("standard", seed).face_up is None


def test_the_holder_of_the_lowest_heart_speaks_first():
    rules = ddz.Rules.pagat().replace(first_bidder="heart_three")
    fours = 0
    for seed in range(200):
        made = deal(rules, seed)
        lowest = next(card for card in range(0, 52, 4) if card not in made.kitty)
        assert made.opener == same_seat(made, lowest)
        assert made.face_up is None
        fours += lowest == 4
    assert fours
    # 3♥ and 4♥ lie in the kitty: the 5♥ counts.
    made = deal(rules, 1, fixed={"kitty": [0, 4], 2: [8]})
    assert made.opener == 2
    # No hand has a heart: any seat.
    lone = ddz.Rules(players=2, lowest_rank=ddz.Rank.TWO, hand_size=2, kitty_size=1)
    lone = lone.replace(first_bidder="heart_three")
    openers = {deal(lone, seed, fixed={"kitty": [48]}).opener for seed in range(30)}
    assert openers == {0, 1}
    # Two packs have two 3♥; the first one's holder speaks first.
    two = ddz.Rules.four_player().replace(first_bidder="heart_three")
    assert deal(two, 1, fixed={3: [0], 1: [54]}).opener == 3
    assert deal(two, 1, fixed={"kitty": [0], 1: [54]}).opener == 1


@pytest.mark.parametrize("name", PRESETS)
def test_a_given_opener(name):
    rules = ddz.Rules.preset(name)
    for opener in range(rules.players):
        made = deal(rules, 3, opener=opener, number=1)
        assert made.opener == opener
        assert (made.face_up is not None) == (rules.first_bidder == "face_up")
        if made.face_up is not None:
            assert made.face_up in made.hands[opener]


# ---- fixed cards, predicates ---------------------------------------------------------------------


def test_fixed_cards():
    made = deal("standard", 4, fixed={0: "3333BR", 2: [4, 5, 6, 7], "kitty": ddz.Hand("222")})
    assert "3333BR" in made.hand(0)
    assert {4, 5, 6, 7} <= set(made.hands[2])
    assert made.kitty_cards == ddz.Hand("222")
    everything = dict(enumerate(made.hands)) | {"kitty": made.kitty}
    assert deal("standard", 9, fixed=everything, opener=made.opener) == made
    by_rank = {key: ddz.Hand.from_ids(cards) for key, cards in everything.items()}
    same = deal("standard", 9, fixed=by_rank)
    assert [same.hand(seat) for seat in range(3)] == [made.hand(seat) for seat in range(3)]
    assert same.hands != made.hands
    assert deal("standard", 4, fixed={}) == deal("standard", 4)
    assert deal("standard", 4, fixed={1: "", "kitty": []}) == deal("standard", 4)


def test_many_fixed_cards_with_two_packs():
    # One card of every rank for each seat and the kitty but the jokers: the largest tables.
    ranks = "3456789TJQKA2"
    wanted = {seat: ranks for seat in range(4)} | {"kitty": "A2"}
    made = deal("four_player", 1, fixed=wanted)
    assert all(ranks in made.hand(seat) for seat in range(4))
    assert "A2" in made.kitty_cards


@given(data=st.data(), style=st.sampled_from(["shuffled", "unshuffled"]))
def test_all_sorts_of_fixed_cards(data, style):
    name = data.draw(st.sampled_from(["standard", "pagat", "duel", "four_player"]))
    rules = ddz.Rules.preset(name)
    ids = [54 * p + c for p in range(rules.packs) for c in range(4 * rules.lowest_rank, 54)]
    order = data.draw(st.permutations(ids))
    wanted, start = {}, 0
    for pile in [*range(rules.players), "kitty"]:
        size = rules.kitty_size if pile == "kitty" else rules.hand_size
        cards = order[start : start + data.draw(st.integers(0, min(size, 6)))]
        start += len(cards)
        by_rank = data.draw(st.booleans())
        wanted[pile] = str(ddz.Hand.from_ids(cards)) if by_rank else cards
    made = deal(rules, data.draw(st.integers(0, 2**64)), fixed=wanted, style=style)
    made.fits(rules)
    for pile, cards in wanted.items():
        ours = made.kitty if pile == "kitty" else made.hands[pile]
        if isinstance(cards, str):
            assert cards in ddz.Hand.from_ids(ours)
        else:
            assert set(cards) <= set(ours)
    assert dataclasses.replace(made) == made  # through all checks of the constructor


def test_predicates():
    seen = []

    def both_jokers(made):
        seen.append(made)
        return "BR" in made.hand(1)

    made = deal("standard", 12, predicate=both_jokers)
    assert "BR" in made.hand(1)
    assert seen[-1] is made
    assert len(set(seen)) == len(seen) > 1
    assert not any("BR" in other.hand(1) for other in seen[:-1])
    # The first of them is what the seed gives without a predicate.
    assert deal("standard", 12) == seen[0]
    with pytest.raises(ddz.DdzError, match=r"none of 7 deals"):
        deal("standard", 11, predicate=lambda made: False, max_tries=7)
    with pytest.raises(ZeroDivisionError):
        deal("standard", 11, predicate=lambda made: 1 / 0)


# ---- bad input to the dealer ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"rules": "klingon"}, ddz.DdzError, "klingon"),
        ({"rules": 3}, TypeError, "3"),
        ({"seed": -1}, ValueError, "-1"),
        ({"seed": "dice"}, TypeError, "dice"),
        ({"number": -1}, ddz.DdzError, "number is -1"),
        ({"number": 10**13}, ddz.DdzError, "number is 10000000000000"),
        ({"number": 10**9999}, ddz.DdzError, "number is an integer of 33216 bits"),
        ({"number": 1.0}, TypeError, "number"),
        ({"number": True}, TypeError, "number"),
        ({"opener": 3}, ddz.DdzError, r"opener is 3; it must be 0 … 2"),
        ({"opener": -1}, ddz.DdzError, "opener is -1"),
        ({"opener": "0"}, TypeError, "opener"),
        ({"style": "riffled"}, ddz.DdzError, "style is 'riffled'"),
        ({"style": None}, TypeError, "style must be one of 'shuffled', 'unshuffled', not NoneType"),
        ({"predicate": "BR"}, TypeError, "predicate must be callable, not str: 'BR'"),
        ({"max_tries": 0}, ddz.DdzError, "max_tries is 0"),
        ({"max_tries": 2.5}, TypeError, "max_tries"),
        ({"fixed": "33"}, TypeError, "fixed must be a mapping.*'33'"),
        ({"fixed": [(0, "33")]}, TypeError, "fixed must be a mapping"),
        ({"fixed": {3: "33"}}, ddz.DdzError, r"seat in fixed is 3; it must be 0 … 2"),
        ({"fixed": {-1: "33"}}, ddz.DdzError, "seat in fixed is -1"),
        ({"fixed": {"landlord": "33"}}, ddz.DdzError, "'landlord'"),
        ({"fixed": {None: "33"}}, TypeError, "None"),
        ({"fixed": {True: "33"}}, TypeError, "True"),
        ({"fixed": {0: 33}}, TypeError, "fixed cards of seat 0.*33"),
        ({"fixed": {0: None}}, TypeError, "fixed cards of seat 0.*None"),
        ({"fixed": {0: b"33"}}, TypeError, "fixed cards of seat 0"),
        ({"fixed": {"kitty": ["3"]}}, TypeError, "card id in fixed cards of the kitty"),
        ({"fixed": {0: "3x"}}, ddz.InvalidCardsError, "x"),
        ({"fixed": {0: "333", 1: "33"}}, ddz.InvalidCardsError, "5 cards of rank 3.*has 4"),
        ({"fixed": {0: "33", 1: [0, 1, 2]}}, ddz.InvalidCardsError, "5 cards of rank 3"),
        ({"fixed": {"kitty": "BB"}}, ddz.InvalidCardsError, "2 cards of rank B.*has 1"),
        ({"fixed": {"kitty": "3456"}}, ddz.InvalidCardsError, "4 cards .* the kitty, which has 3"),
        ({"fixed": {1: range(18)}}, ddz.InvalidCardsError, "18 cards .* seat 1, which has 17"),
        ({"fixed": {0: [54]}}, ddz.InvalidCardsError, "card id 54, fixed for seat 0"),
        ({"fixed": {0: [-1]}}, ddz.InvalidCardsError, "card id -1"),
        ({"fixed": {0: [2], "kitty": [2]}}, ddz.InvalidCardsError, r"♠3 \(card id 2\) .* twice"),
        ({"fixed": {0: [2, 2]}}, ddz.InvalidCardsError, r"♠3 \(card id 2\) .* twice"),
        ({"rules": "duel", "fixed": {0: "3"}}, ddz.InvalidCardsError, "rank 3.*has 0"),
        ({"rules": "duel", "fixed": {0: [0]}}, ddz.InvalidCardsError, "card id 0"),
        ({"rules": "duel", "fixed": {2: "5"}}, ddz.DdzError, "seat in fixed is 2"),
    ],
)
def test_bad_arguments(arguments, error, message):
    with pytest.raises(error, match=message):
        deal(**arguments)


# ---- deals made by hand --------------------------------------------------------------------------


def parts(name="standard", seed=1, **changes):
    """The fields of a deal, some of them changed."""
    made = deal(name, seed)
    fields = {field.name: getattr(made, field.name) for field in dataclasses.fields(Deal)}
    return fields | changes


def swapped(old, new):
    """Hands of a deal in which one card became another number."""
    hands = [list(hand) for hand in deal(seed=1).hands]
    for hand in hands:
        if old in hand:
            hand[hand.index(old)] = new
            return hands
    raise LookupError(old)


IN_HAND = deal(seed=1).hands[0][0]
IN_KITTY = deal(seed=1).kitty[0]
HANDS = deal(seed=1).hands


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"hands": swapped(IN_HAND, 54)}, ddz.InvalidCardsError, "card id 54 in hand 0"),
        ({"hands": swapped(IN_HAND, -1)}, ddz.InvalidCardsError, "card id -1 in hand 0"),
        ({"hands": swapped(IN_HAND, 10**30)}, ddz.InvalidCardsError, str(10**30)),
        (
            {"hands": swapped(IN_HAND, IN_KITTY)},
            ddz.InvalidCardsError,
            rf"card id {IN_KITTY}\) occurs twice: in hand 0 and in kitty",
        ),
        (
            {"kitty": ()},
            ddz.InvalidCardsError,
            rf"3 of the deck's 54 cards are missing.*{IN_KITTY}",
        ),
        ({"undealt": (IN_HAND,)}, ddz.InvalidCardsError, "in hand 0 and in undealt"),
        ({"hands": HANDS[:1]}, ddz.DdzError, r"number of hands is 1; it must be 2 … 4"),
        ({"hands": HANDS * 2}, ddz.DdzError, "number of hands is 6"),
        ({"hands": ()}, ddz.DdzError, "number of hands is 0"),
        (
            {"hands": [HANDS[0], HANDS[1], HANDS[2][1:]]},
            ddz.DdzError,
            "hand 2 has 16 cards and hand 0 has 17",
        ),
        ({"hands": [(), (), ()]}, ddz.DdzError, "number of cards in hand 0 is 0"),
        ({"kitty": range(34)}, ddz.DdzError, "number of cards in the kitty is 34"),
        ({"hands": 5}, TypeError, "hands .*5"),
        ({"hands": "33"}, TypeError, "hands .*'33'"),
        ({"hands": [5, 6, 7]}, TypeError, "hand 0 .*int: 5"),
        ({"hands": ["33", "44", "55"]}, TypeError, "hand 0 .*'33'"),
        ({"kitty": "33"}, TypeError, "kitty .*'33'"),
        ({"kitty": None}, TypeError, "kitty .*None"),
        ({"kitty": [1.5, 2, 3]}, TypeError, "card id in kitty.*1.5"),
        ({"opener": 3}, ddz.DdzError, r"opener is 3; it must be 0 … 2"),
        ({"opener": -1}, ddz.DdzError, "opener is -1"),
        ({"opener": None}, TypeError, "opener"),
        ({"face_up": IN_KITTY}, ddz.InvalidCardsError, f"card id {IN_KITTY}, which is in no hand"),
        ({"face_up": 99}, ddz.InvalidCardsError, "card id 99, which is in no hand"),
        ({"face_up": IN_HAND, "opener": 1}, ddz.DdzError, "opener is 1, but .* is in hand 0"),
        ({"face_up": "♥3"}, TypeError, "face_up"),
        ({"packs": 2}, ddz.InvalidCardsError, "54 of the deck's 108 cards are missing"),
        ({"packs": 3}, ddz.DdzError, "packs is 3"),
        ({"packs": None}, TypeError, "packs"),
        ({"lowest_rank": 2}, ddz.InvalidCardsError, "not in the deck .* from rank 5 up"),
        ({"lowest_rank": 13}, ddz.DdzError, "lowest_rank is 13"),
        ({"lowest_rank": "3"}, TypeError, "lowest_rank"),
    ],
)
def test_impossible_deals(changes, error, message):
    with pytest.raises(error, match=message):
        Deal(**parts(**changes))


def test_deals_are_values():
    made = deal("pagat", 5)
    hands = [list(reversed(hand)) for hand in made.hands]
    kitty = np.array(made.kitty)
    again = Deal(hands, kitty, [], made.opener, made.face_up)
    assert again == made
    assert again.code == made.code
    assert len({made, again, deal("pagat", 6)}) == 2
    for twin in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):
        assert twin == made
        assert twin.code == made.code
    assert dataclasses.replace(deal(seed=5), opener=2).opener == 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.opener = 1


@pytest.mark.parametrize(
    ("seat", "error"), [(3, ddz.DdzError), (-1, ddz.DdzError), ("0", TypeError)]
)
def test_seats_that_do_not_exist(seat, error):
    with pytest.raises(error, match="seat"):
        deal(seed=1).hand(seat)


def test_fits():
    for name in PRESETS:
        for other in PRESETS:
            made = deal(name, 1)
            if LAYOUTS.get(name) == LAYOUTS.get(other):
                made.fits(other)
            else:
                with pytest.raises(ddz.DdzError, match=f"players .* rule set '{other}'"):
                    made.fits(other)
    made = deal(seed=1)
    made.fits()
    small = ddz.Rules.standard().replace
    with pytest.raises(ddz.DdzError, match="hand_size 17, but rule set 'custom' has 16"):
        made.fits(small(hand_size=16))
    with pytest.raises(ddz.DdzError, match="kitty_size 3, but rule set 'custom' has 2"):
        made.fits(small(kitty_size=2))
    with pytest.raises(ddz.DdzError, match="lowest_rank 3, but rule set 'custom' has 4"):
        made.fits(small(lowest_rank=ddz.Rank.FOUR, hand_size=15))
    with pytest.raises(ddz.DdzError, match="klingon"):
        made.fits("klingon")


def test_custom_layouts():
    made = deal(SMALL, 2)
    made.fits(SMALL)
    assert [len(hand) for hand in made.hands] == [3, 3]
    assert len(made.undealt) == 10 - 8
    no_kitty = ddz.Rules.standard().replace(hand_size=18, kitty_size=0)
    assert deal(no_kitty, 2).kitty == ()
    assert Deal.from_code(deal(no_kitty, 2).code) == deal(no_kitty, 2)
