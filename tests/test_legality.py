"""`why_illegal`: the right reason, and none exactly where the play is among the legal moves."""

import random

import pytest
from deals import RULES, any_hand, random_play
from helpers import core_hand, core_move, core_rules
from hypothesis import given
from hypothesis import strategies as st

import ddz_core as ddz
from ddz_core import Illegal

ALL = "3333444455556666777788889999TTTTJJJJQQQQKKKKAAAA2222BR"

# A lead with all that the player holds, the rule sets, and what is wrong with it (None: nothing).
# The names beside some are those of the real mistakes in data/engine_mistakes.jsonl's source.
LEADS_LISTED = [
    # no chain
    ("334", "standard", Illegal.NO_COMBINATION),
    ("37", "standard", Illegal.NO_COMBINATION),
    ("334456", "standard", Illegal.NO_COMBINATION),  # cls-09
    ("34", "standard", Illegal.CHAIN_TOO_SHORT),
    ("3456", "standard douzero botzone", Illegal.CHAIN_TOO_SHORT),
    ("3344", "standard", Illegal.CHAIN_TOO_SHORT),
    ("34578", "standard", Illegal.NOT_CONSECUTIVE),
    ("334466", "standard", Illegal.NOT_CONSECUTIVE),
    ("333555", "standard", Illegal.NOT_CONSECUTIVE),
    ("33355546", "standard douzero", Illegal.NOT_CONSECUTIVE),
    ("33399944", "standard douzero rlcard", Illegal.NOT_CONSECUTIVE),  # cls-07
    ("333444666578", "standard", Illegal.NOT_CONSECUTIVE),
    ("33335555", "botzone", Illegal.KICKER_PAIRS_EQUAL),
    ("A2345", "standard douzero botzone", Illegal.CHAIN_HAS_TWO_OR_JOKER),  # cls-15
    ("23456", "standard", Illegal.CHAIN_HAS_TWO_OR_JOKER),
    ("TJQKA2", "standard", Illegal.CHAIN_HAS_TWO_OR_JOKER),  # cls-17
    ("QKA2B", "standard", Illegal.CHAIN_HAS_TWO_OR_JOKER),
    ("KKAA22", "standard", Illegal.CHAIN_HAS_TWO_OR_JOKER),
    ("AA2233", "standard", Illegal.CHAIN_HAS_TWO_OR_JOKER),
    ("AAA222", "standard", Illegal.CHAIN_HAS_TWO_OR_JOKER),
    ("222333", "standard", Illegal.CHAIN_HAS_TWO_OR_JOKER),
    ("AAA22234", "standard", Illegal.CHAIN_HAS_TWO_OR_JOKER),
    ("333444222567", "standard", Illegal.CHAIN_HAS_TWO_OR_JOKER),
    # the number and the sort of kickers
    ("33345", "standard botzone", Illegal.KICKER_NUMBER),
    ("333456", "standard", Illegal.KICKER_NUMBER),
    ("3334445", "standard", Illegal.KICKER_NUMBER),
    ("3334445678", "standard", Illegal.KICKER_NUMBER),
    ("44679999TQKA2R", "standard", Illegal.KICKER_NUMBER),  # cls-11
    ("333444566", "standard", Illegal.KICKERS_MIXED),
    ("3334445567", "standard", Illegal.KICKERS_MIXED),
    ("4444566", "standard", Illegal.KICKERS_MIXED),
    ("333BR", "standard", Illegal.KICKERS_BOTH_JOKERS),
    ("333BR", "douzero", Illegal.KICKER_NUMBER),
    # their ranks
    ("33334", "standard douzero rlcard openspiel", Illegal.KICKER_OF_MAIN_RANK),  # cls-01
    ("33334445", "standard douzero", Illegal.KICKER_OF_MAIN_RANK),
    ("333344445555", "standard", Illegal.KICKER_OF_MAIN_RANK),
    ("44445555", "standard club casual pagat rlcard douzero", Illegal.KICKER_PAIRS_EQUAL),
    ("44445555", "botzone", None),
    ("3334445555", "standard", Illegal.KICKER_PAIRS_EQUAL),
    ("444455", "standard club casual rlcard douzero", None),  # cls-13, cls-23
    ("333344", "pagat botzone pagat_distinct", Illegal.KICKERS_TOO_MANY_EQUAL),  # cls-29
    ("33344455", "standard pagat rlcard douzero openspiel", None),  # cls-23
    ("33344455", "pagat_distinct botzone", Illegal.KICKERS_TOO_MANY_EQUAL),
    ("333444555666KKK7", "standard pagat", Illegal.KICKERS_TOO_MANY_EQUAL),  # cls-03
    ("333444555666KKK7", "rlcard douzero openspiel", None),
    ("3334445556667777", "standard openspiel", Illegal.KICKERS_TOO_MANY_EQUAL),
    ("3334445556667777", "douzero", None),
    ("3334445556667778", "standard", Illegal.KICKERS_TOO_MANY_EQUAL),
    ("3334445556667778", "rlcard", Illegal.KICKERS_EXTEND_CHAIN),
    ("3334445556667778", "openspiel douzero", None),
    ("333444555222", "rlcard", None),
    ("7777BR", "standard club pagat rlcard", Illegal.KICKERS_BOTH_JOKERS),  # cls-25
    ("7777BR", "douzero botzone", None),
    ("333444BR", "standard", Illegal.KICKERS_BOTH_JOKERS),
    # kinds that the rule set does not have
    ("444456", "openspiel four_player", Illegal.KIND_NOT_IN_RULES),
    ("44445566", "openspiel four_player", Illegal.KIND_NOT_IN_RULES),
    ("3334", "four_player", Illegal.KIND_NOT_IN_RULES),
    ("33344456", "four_player", Illegal.KIND_NOT_IN_RULES),
    ("3333444455667788", "standard", Illegal.KIND_NOT_IN_RULES),
    ("3333444455667788", "botzone", None),
    # plays
    ("", "standard", Illegal.NO_CARDS),
    ("3", "standard", None),
    ("333", "standard", None),
    ("BR", "standard", None),
    ("3334", "standard", None),
    ("33344425", "standard", None),  # cls-15
    ("3334442266", "standard", None),
    ("333444555667", "standard rlcard douzero openspiel", None),  # cls-05
    ("33445566778899TTJJQQ", "standard", None),  # cls-21
    ("TTT3", "standard", None),  # cls-27
]
LEADS = [(cards, name, reason) for cards, names, reason in LEADS_LISTED for name in names.split()]


@pytest.mark.parametrize(("cards", "name", "reason"), LEADS)
def test_the_reason_on_a_lead(cards, name, reason):
    assert ddz.why_illegal(cards, cards, rules=core_rules(name)) is reason


@pytest.mark.parametrize(
    ("cards", "reason"),
    [
        ("BR", Illegal.ROCKET_INCOMPLETE),
        ("BBR", Illegal.ROCKET_INCOMPLETE),
        ("BBRR", None),
        ("BB", None),
        ("33333333", None),
        ("333BB", None),
        ("333334", Illegal.KICKER_OF_MAIN_RANK),
    ],
)
def test_two_packs(cards, reason):
    assert ddz.why_illegal(cards, cards, rules="four_player") is reason


FOLLOWS = [
    # hand, cards, last, reason
    ("34", "3", "5", Illegal.TOO_LOW),  # cmp-22
    ("34", "", "5", None),
    ("34", None, "5", None),
    ("34", "pass", "5", None),
    ("34", ddz.Move.PASS, "5", None),
    ("34", ddz.Hand(), "5", None),
    ("34", "4", "4", Illegal.TOO_LOW),
    ("66", "66", "7", Illegal.WRONG_KIND),
    ("22", "22", "8888", Illegal.WRONG_KIND),  # cmp-04
    ("BR", "BR", "34567", None),  # cmp-06
    ("5", "5", "4444", Illegal.WRONG_KIND),  # cmp-08
    ("3333", "3333", "BR", Illegal.NOTHING_BEATS_ROCKET),  # cmp-10
    ("2222AAAA", "2222", "BR", Illegal.NOTHING_BEATS_ROCKET),  # cmp-20
    ("44445566", "44445566", "3333+AA22", None),  # cmp-12
    ("3333", "3333", "22", None),  # cmp-14
    ("444455", "444455", "34567", Illegal.WRONG_KIND),  # cmp-16
    ("444433", "444433", "5555+66", Illegal.TOO_LOW),
    ("555", "555", "333+44", Illegal.WRONG_KIND),  # gen-06
    ("456789", "456789", "34567", Illegal.WRONG_SIZE),
    ("445566", "445566", "33445566", Illegal.WRONG_SIZE),
    ("3333", "3333", "4444", Illegal.TOO_LOW),
    ("34567", "34567", "34567", Illegal.TOO_LOW),
    ("KKK3", "KKK3", "QQQ+R", None),
    ("34", "5", "3", Illegal.NOT_IN_HAND),
    ("34", "44", "33", Illegal.NOT_IN_HAND),
    ("34568", "34568", "3", Illegal.NOT_CONSECUTIVE),
]


@pytest.mark.parametrize(("hand", "cards", "last", "reason"), FOLLOWS)
def test_the_reason_when_following(hand, cards, last, reason):
    assert ddz.why_illegal(hand, cards, last) is reason


def test_more_cards_win_between_bombs_of_two_packs():
    assert ddz.why_illegal("AAAAAA", "AAAAAA", "QQQQ", "four_player") is None  # cmp-18
    assert ddz.why_illegal("AAAA", "AAAA", "333333", "four_player") is Illegal.TOO_LOW
    assert ddz.why_illegal("333333", "333333", "AAAA", "four_player") is None


@pytest.mark.parametrize("cards", [None, "pass", " PASS ", ddz.Move.PASS])
def test_a_leader_may_not_pass(cards):
    assert ddz.why_illegal("34", cards) is Illegal.LEADER_MAY_NOT_PASS
    assert ddz.why_illegal("34", cards, ddz.Move.PASS) is Illegal.LEADER_MAY_NOT_PASS
    assert ddz.why_illegal("34", cards, "3") is None


@pytest.mark.parametrize("cards", ["", "  ", ddz.Hand()])
def test_a_leader_has_to_choose_cards(cards):
    assert ddz.why_illegal("34", cards) is Illegal.NO_CARDS
    assert ddz.why_illegal("34", cards, "3") is None


def test_cards_that_are_not_held_come_before_everything_else():
    assert ddz.why_illegal("34", "3579") is Illegal.NOT_IN_HAND
    assert ddz.why_illegal("34", "33333", "4") is Illegal.NOT_IN_HAND
    assert ddz.why_illegal("34", ddz.Move.parse("5")) is Illegal.NOT_IN_HAND


HELD = ddz.Rules.duel().replace(held_quads_stay_together=True)


@pytest.mark.parametrize(
    ("cards", "last", "reason"),
    [
        ("7", None, Illegal.HELD_QUAD_SPLIT),
        ("7778", None, Illegal.HELD_QUAD_SPLIT),
        ("56789", None, Illegal.HELD_QUAD_SPLIT),
        ("99977", None, Illegal.HELD_QUAD_SPLIT),
        ("7", "K", Illegal.HELD_QUAD_SPLIT),  # before the comparison
        ("7777", None, None),
        ("777799", None, None),
        ("999", None, None),
        ("79", None, Illegal.NO_COMBINATION),
    ],
)
def test_held_fours_stay_together_where_the_rules_say_so(cards, last, reason):
    assert ddz.why_illegal("5677778999", cards, last, HELD) is reason
    assert reason is not Illegal.HELD_QUAD_SPLIT or (
        ddz.why_illegal("5677778999", cards, None, "duel") is None
    )


def test_a_text_with_plus_and_a_move_stand_for_one_reading():
    hand = "333444555666"
    assert ddz.why_illegal(hand, hand) is None
    assert ddz.why_illegal(hand, "333444555+666") is Illegal.KICKERS_TOO_MANY_EQUAL
    assert ddz.why_illegal(hand, "333444555+666", rules="openspiel") is None
    move = ddz.Move.parse("333444555+666", rules="openspiel")
    assert ddz.why_illegal(hand, move, rules="openspiel") is None
    assert ddz.why_illegal(hand, move, rules="standard") is Illegal.KICKERS_TOO_MANY_EQUAL
    assert ddz.why_illegal("3333", "3333") is None
    assert ddz.why_illegal("3333", "333+3") is Illegal.KICKER_OF_MAIN_RANK
    assert ddz.why_illegal("333555468", "333555+46") is Illegal.NOT_CONSECUTIVE
    assert ddz.why_illegal("AAA22234", "AAA222+34") is Illegal.CHAIN_HAS_TWO_OR_JOKER
    assert ddz.why_illegal("334", "33+4") is Illegal.NO_COMBINATION
    assert ddz.why_illegal("345678", "34567+8") is Illegal.NO_COMBINATION


def test_a_higher_reading_is_enough():
    # 333444555+666 does not beat 444555666+333, and the airplane of four is another kind.
    hand = "333444555666"
    low, high = "333444555+777", "444555666+777"
    assert ddz.why_illegal(hand, hand, low, "openspiel") is None
    assert ddz.why_illegal(hand, hand, high, "openspiel") is Illegal.TOO_LOW
    assert ddz.why_illegal(hand, "333444555+666", low, "openspiel") is Illegal.TOO_LOW


def test_bad_arguments():
    with pytest.raises(ddz.InvalidCardsError, match="'x'"):
        ddz.why_illegal("34", "3x")
    with pytest.raises(ddz.InvalidCardsError, match="33333"):
        ddz.why_illegal("33333", "3")
    with pytest.raises(ddz.InvalidCardsError, match="33"):
        ddz.why_illegal("34", "33+")
    with pytest.raises(ddz.IllegalMoveError, match="334"):
        ddz.why_illegal("34", "3", "334")
    with pytest.raises(ValueError, match="'nonsense'"):
        ddz.why_illegal("34", "3", None, "nonsense")
    with pytest.raises(TypeError, match="7"):
        ddz.why_illegal("34", 7)


def test_every_reason_is_a_sentence_and_is_reached_here():
    reached = {reason for *_, reason in LEADS + FOLLOWS} | {
        Illegal.LEADER_MAY_NOT_PASS,
        Illegal.HELD_QUAD_SPLIT,
        Illegal.ROCKET_INCOMPLETE,
    }
    assert reached == {None, *Illegal}
    for reason in Illegal:
        assert reason.value[0].isupper()
        assert reason.value.endswith(".")
        assert str(reason) == reason.value


def near_plays(rng, cards):
    """The cards of a play, and the same with one card more, less or changed."""
    ranks = [rank for rank, n in enumerate(cards) for _ in range(n)]
    yield cards
    for _ in range(3):
        changed = list(ranks)
        if rng.random() < 0.6:
            changed.pop(rng.randrange(len(changed)))
        if rng.random() < 0.6:
            changed.append(rng.randrange(15))
        counts = [changed.count(rank) for rank in range(15)]
        if all(n <= most for n, most in zip(counts, [4] * 13 + [1, 1], strict=True)):
            yield tuple(counts)


@pytest.mark.parametrize("name", list(RULES))
def test_no_reason_exactly_for_legal_moves(name):
    rules, core = RULES[name], core_rules(name)
    rng = random.Random(f"legality {name}")
    for _ in range(120):
        hand = any_hand(rng, rules)
        play = random_play(rng, hand, rules)
        other = random_play(rng, any_hand(rng, rules), rules)
        for last in (None, other):
            table = None if last is None else core_move(last, name)
            legal = ddz.legal_moves(core_hand(hand), table, core)
            plays = {move.cards for move in legal}
            for cards in [*near_plays(rng, play[0])] if play else []:
                reason = ddz.why_illegal(core_hand(hand), core_hand(cards), table, core)
                assert (reason is None) == (core_hand(cards) in plays), (hand, cards, last, reason)
            moves = rng.sample(list(legal), min(5, len(legal)))
            moves += rng.sample(list(ddz.all_plays(core)), 5) if rng.random() < 0.05 else []
            for move in [*moves, ddz.Move.PASS]:
                reason = ddz.why_illegal(core_hand(hand), move, table, core)
                assert (reason is None) == (move in legal), (hand, move, last, reason)


@given(
    cards=st.lists(st.sampled_from(ALL), min_size=1, max_size=20).map("".join),
    name=st.sampled_from(list(RULES)),
)
def test_any_cards_have_a_reading_or_a_reason(cards, name):
    core = core_rules(name)
    try:
        readings = ddz.classify(cards, rules=core)
    except ddz.InvalidCardsError:
        return
    reason = ddz.why_illegal(cards, cards, rules=core)
    if not core.held_quads_stay_together:
        assert (reason is None) == bool(readings)
    elif not readings:
        assert reason not in (None, Illegal.HELD_QUAD_SPLIT)
