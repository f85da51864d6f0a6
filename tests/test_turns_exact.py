"""`min_turns` and `decompose` on the hands that are hard for them, and on full hands.

test_min_turns.py compares small hands with the oracle. Here full hands are held against what their
own successors say, and against figures of an independent search over all sub-hands (a plain C++
recursion over the plays that contain the lowest rank).
"""

import random
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import ddz_core as ddz
from ddz_core import decompose, min_turns

STANDARD = ddz.Rules.standard()
FOUR = ddz.Rules.four_player()

# Presets (club and casual play as standard), then sets in which the options meet.
RULES = {
    **{name: ddz.Rules.preset(name) for name in ddz.Rules.preset_names()},
    "pagat_distinct": ddz.Rules.pagat(distinct_kickers=True),
    "permissive": STANDARD.replace(
        airplane_kicker_cap=4, quad_kicker_cap=4, both_jokers_as_kickers=True, shuttles=True
    ),
    "cap3": STANDARD.replace(airplane_kicker_cap=3, quad_kicker_cap=3),
    "cap4": STANDARD.replace(airplane_kicker_cap=4, quad_kicker_cap=1),
    "held": STANDARD.replace(held_quads_stay_together=True),
    "held_shuttle": STANDARD.replace(
        held_quads_stay_together=True,
        shuttles=True,
        both_jokers_as_kickers=True,
        airplane_kicker_cap=4,
    ),
    "bare": STANDARD.replace(
        triple_single=False, triple_pair=False, quad_singles=False, quad_pairs=False
    ),
    "noair": STANDARD.replace(airplane_singles=False, airplane_pairs=False),
    "nopairs": STANDARD.replace(triple_pair=False, airplane_pairs=False, quad_pairs=False),
    "nosingles": STANDARD.replace(triple_single=False, airplane_singles=False, quad_singles=False),
    "shuttle_rl": STANDARD.replace(
        shuttles=True, airplane_kicker_cap=3, chain_extending_kickers=False
    ),
    "barequads_shuttle": STANDARD.replace(
        shuttles=True, quad_singles=False, quad_pairs=False, triple_single=False
    ),
    "four_singles": FOUR.replace(triple_single=True),
    "four_singles_only": FOUR.replace(triple_single=True, triple_pair=False),
    "four_nopair": FOUR.replace(airplane_pairs=False),
}

# Hands whose figure changes with one option of the rule set: hand:turns.
FIGURES = {
    "standard": """
        8889TTTJQQQQKKKKBR:3 3333TTTTJJJJKAR:3 3333444455556666TBR:4 347788889999JJJJQQQ:3
        777788889TTTTJJJBR:3 JJJJQQQQAAAABR:3 666777888JJJJQQQKKKK:2 777999TTTTJJJKKKKR:2
        TJQQQQKKKKAAAA222BR:4
    """,
    "pagat": """
        3333444456666BR:3 55566668888999TTTT2B:2 QQQQKKKKAAAABR:3 TQQQQKKKKAAA2222BR:3
        44445555682222BR:3 JQQQQKKKKAAAA222BR:3 88889TTTTJJJJQQQQBR:4 888899JJJJQQQKKKKR:2
        9TTTTJJJJQQQQKAAABR:3
    """,
    "duel": """
        555566662222BR:3 9999TTJQQQQKKKAAAAB:3 66667777JJJJQAAA2R:3 8889999JJJJQKA:2
        555566667777JJJABR:3 5555666677789999BR:3 5556667999TTTJJJKKKA:2
        55557777TTTTQAAAAB:3 55556666777788999:2
    """,
    "four_player": """
        99999999TTTTTTTQQQQQQQQAAAA2222RR:6 33334444888899999999JJJJKKKKKKKK2:7
        44488888899999999TTTTJJJJJQQQQKKK:5 3345566668999TTTTTJJKKA22:9
        3333333344444444555555BBRR:3 444444477799999999QQQQQQ2:5
    """,
    "rlcard": """
        3459999TTTTJJJJ222B:4 4444555577779TTTTBR:4 4444888QQAAAA2222:3 3333444455556666BR:3
        JJJJQQQQKKKKAAAA2BR:4 QQQQKKKKAAAABR:3 3333444455556667R:2 5555777788TTTT:2
        333377778KAAAA2222:3
    """,
    "douzero": """
        3333444455556666BR:3 333355556666TTTTA:3 555566668888999BR:3 4444557778888JK222B:3
        3333444455556777R:2 5QQQQKKKKAAAA2222BR:3 3333444455556666JBR:3 444456666TKKKK2222:3
        55556666777789TTTT:2
    """,
    "openspiel": """
        TTTTJJJQQQQKKKK2BR:3 3344445555TJJJ:4 999TTTTKKKAAAAR:3 JJJJQQQQKAAA2222BR:4
        33334444555567777BR:3 6666JJJJQQQKKK22BR:3 TJJJJQQQQKKKKA2222BR:4
        3333455566667777BR:4 444666999TTTJJJ:2
    """,
    "botzone": """
        777789TTTTJJJJQQQQ:2 333555588TTTJJJJQQQK:3 6666777788889999B:2 444666677779TT2222:3
        9999TJJJJQQKKKKAAAA:3 TTJQQQQKKKK2222:3 3333444455556666TBR:3 33TTTJJJQQQQKKKK2222:3
        444455557777JJQKAAAR:2
    """,
    "pagat_distinct": """
        3339999QQQQKKKKR:3 3333444555578888999B:2 333344445555677BR:3 5557QQQQKKKK2222R:3
        3333444455556666BR:3 777789999TTTTJJJJBR:4 556666JJJJAAAA:3 33334444555667777B:3
        6666889999QQQQ:3
    """,
    "permissive": """
        77778889999QQQQBR:3 3333447777JJJJQ2222:3 TTTJJQQQQKKKKAAAABR:2 QQQQKKKKAAAA22BR:2
        4445JJJKKKKAAAA2B:2 5566667777TTTTB:2 677788889999TTJJJJBR:2 33335555666677778B:1
        444555KKKAAABR:2
    """,
    "cap3": """
        66667789TTTTJJJJBR:3 466669999TTTTJKKKAAA:3 6666TTJJJJQQQQ:2 6666889999TTTTJQQBR:3
        4777788889999TTTTBR:4 4QQQQKKKKAAAA2222BR:4 4444778888TTTT:2 4447777888999KKKKR:2
        4445556666888TTTT2:2
    """,
    "cap4": """
        77778JJQQQQKKKKBR:3 3355566667777JJJJB:2 QQQKKKAAAA222R:2 66667777999JKKB:3
        9TTTTJJJJKKKKAB:3 55566688889999TTTBR:3 JJJJQQQQKKAABR:3 4444TTTTJJJQQQKKK2BR:3
        333377JJJJKKKK:3
    """,
    "held": """
        QQQQKKKKAAAA2222BR:5 333366667TTTJJJJ2222:4 577788889KKKKAAAAR:3
        3333444566667777BR:3 3333888899992222R:5 777788889999JJJJBR:5 TTTTQQKKKKAAA2222BR:4
        555566668TTTQQQQAAAA:4 5555JJJQQQKKK222BR:2
    """,
    "held_shuttle": """
        3333455556666R:2 333366667777JJJQR:3 5556777999QQQKKKK:4 333344445556666BR:3
        4444555566888TR:2 5566667777888999A:2 4448889999TTTT2:2 33334444557777:2
        QQQKKKKAAAA2222R:2
    """,
    "bare": """
        3333444455556666JBR:4 333366889999TTTTJKKR:7 TTTTJJJJQQQKKKK2222B:3
        347JJJJQQQQKKKKAAAA:5 33555JJJJQQQQKKKR:4 577779999TTTJJJBR:4 777TTTJJJJQQQAAA:4
        33357777888999TTTJJJ:2 333344555566667777BR:4
    """,
    "noair": """
        3333444456666BR:3 3333588889999JJJJAB:4 44448889999TTTTKK2:3 33347777TTTTJJJJQQQ:3
        JJJJQQQQKKKKAA222BR:4 44555566677779999BR:4 447777JJJJQQQQ:2 333355558TTTTKKKKB:3
    """,
    "nopairs": """
        33334444555566667BR:3 7777888QQQQ222:2 6666889999JJJQQQQ2BR:3 JJJJQQQQKKKKAAA222BR:3
        7788889999A222:3 33335588889999:2 444455556667999TTTBR:3 33334444TTTJAAA:3
        33334555566667777:3
    """,
    "nosingles": """
        33334555566667777R:4 333666677TTTQKKKKBR:5 46777TTTJJJJAAAAR:6 44445555889TTTTR:5
    """,
    "shuttle_rl": """
        4444777TQQQQKKKK:2 TTTTJJJJQQKKKKAAAAR:3 33355578TTTTJJJJABR:3 QQQQKKKKA2222BR:3
        66669999TJJJJBR:3 4444577779999TTTTBR:3 33334455556666BR:2 3333444455568BR:3
        3333444455558JJJKKK:2
    """,
    "barequads_shuttle": """
        33444455557778889999:2 66688JJJJQQQQ2222R:3 333366667777888BR:4 3333555569999TTTA:4
        3333444566667777BR:3 3333444455556666TBR:3 33334444555568A:2 3TTTTJJJJKKK2222:3
        33335555666677R:2
    """,
    "four_singles": """
        333345556778TTTTJJQQQQQKKKAAAA222:6 444444557777799999TTTTTTTTKBBRR:6
        555556666668KKKKKKK222BBRR:4 333455588899TJQQQQKKKKKKAAAAA2BR:7
        333333334444444466667778888:4 33333366666666777JJ222BBRR:4
    """,
    "four_singles_only": """
        44556677777889TTTJJJKKKKAAAA2B:6 5555558TTJJJJJJJJAAAAA2222RR:7
        44455556666668888888TTTT222222BB:5 33334555677778899TTTQKKKA2222BR:9
        JJJKKKKKKKAAAAA22222222BBRR:5 JQQQQKKKKKKKKAAAAAAAABBRR:5
    """,
    "four_nopair": """
        33334445JJJJQQQKKKAAA222BBRR:6 3344445557788899TTJJQKKKAA222222B:8
        6677777778999999TTQQQQQQRR:6 444555677777779999TTTTTTTTQQBBRR:7
        3455578889999TTTJJQKKA222R:9 333355556667778888888899999999RR:6
    """,
}

# The slowest hands that hill climbing found, by the number of branches.
SLOWEST = {
    "standard": """
        777789999TJJJJQKKKKA:4 345667788899TTTJJJQK:5 JJJJQQQQKKKKAAAA2222:3
    """,
    "botzone": """
        333389999TJJJJ2222BR:4 566668888TTTTKKKK2BR:4
    """,
    "permissive": """
        3333455556777789999T:4 333366668888TTTT2222:3
    """,
    "barequads_shuttle": """
        444777999JJJAAA222BR:7
    """,
    "four_player": """
        55556666777888999TTTTJJJB:5 3334445556667778888999TTTTJJJQQK2:6
        4445555555666666667777778889992BR:7 33344445555556668889TTTQQQKAAA222:9
        44445556667778889999TTTJJJQQQQKKK:4
    """,
    "four_singles": """
        6667777888889999TTTTJJJJQQQQKKABR:6 33344455566677778888999TTJJQQKA2B:6
    """,
}


def random_hand(rng, rules, size):
    """A fair deal, or one that prefers threes and fours of neighbouring ranks."""
    counts = [0] * 15
    if rng.random() < 0.4:
        deck = [rank for rank in range(15) for _ in range(rules.deck[rank])]
        for rank in rng.sample(deck, size):
            counts[rank] += 1
        return ddz.Hand.from_counts(counts)
    middle = rng.randrange(13)
    while sum(counts) < size:
        near = middle + rng.randrange(-4, 5)
        rank = near if 0 <= near < 15 and rng.random() < 0.8 else rng.randrange(15)
        room = min(rules.deck[rank] - counts[rank], size - sum(counts))
        counts[rank] += min(room, rng.choice([1, 2, 3, 3, 4, 4]))
    return ddz.Hand.from_counts(counts)


def full_hands(name, n):
    rules = RULES[name]
    rng = random.Random(f"turns {name}")
    for _ in range(n):
        yield random_hand(rng, rules, rng.randint(rules.hand_size - 3, rules.max_hand))


def figures(table):
    return [
        pytest.param(name, *entry.split(":"), id=f"{name}-{entry}")
        for name, entries in table.items()
        for entry in entries.split()
    ]


@pytest.mark.parametrize("name", RULES)
def test_small_hands_by_the_definition(name):
    rules = RULES[name]
    known = {0: 0}

    def fewest(cards):
        # Some play has the lowest card, so it may as well be the first.
        if cards not in known:
            lowest = 15 << ((cards & -cards).bit_length() - 1) // 4 * 4
            moves = ddz.legal_moves(ddz.Hand.from_packed(cards), rules=rules)
            plays = {play for play in moves.array["cards"].tolist() if play & lowest}
            known[cards] = 1 + min(fewest(cards - play) for play in plays)
        return known[cards]

    rng = random.Random(f"definition {name}")
    for _ in range(300):
        hand = random_hand(rng, rules, rng.randint(1, 11))
        assert min_turns(hand, rules) == fewest(hand.packed), hand


@pytest.mark.parametrize("name", RULES)
def test_a_full_hand_takes_one_turn_more_than_its_best_successor(name):
    rules = RULES[name]
    for hand in full_hands(name, 40):
        successors = {
            min_turns(hand - move.cards, rules) for move in ddz.legal_moves(hand, rules=rules)
        }
        assert min_turns(hand, rules) == 1 + min(successors), hand


@pytest.mark.parametrize(("name", "hand", "turns"), figures(FIGURES))
def test_known_figures(name, hand, turns):
    assert min_turns(hand, RULES[name]) == int(turns)


@pytest.mark.parametrize(
    ("hand", "turns", "name"),
    [
        ("33334", 2, "standard"),  # 333 takes no 3
        ("333444+BR", 2, "standard"),  # the jokers go as the rocket
        ("333444+BR", 1, "douzero"),
        ("4444+55", 1, "standard"),
        ("4444+55", 2, "pagat"),
        ("333444555+666", 1, "standard"),  # an airplane of four
        ("333444555+777", 2, "standard"),
        ("333444555+777", 1, "cap3"),
        ("333444555+777", 1, "rlcard"),
        ("333444555666+7778", 1, "cap3"),
        ("333444555666+7778", 2, "rlcard"),  # 777 would lengthen the chain
        ("33334444+5678", 1, "botzone"),  # a shuttle
        ("33334444+5566", 2, "standard"),  # quads with a pair of singles each
        ("333444+5555", 2, "standard"),  # four of a rank are no two pairs
        ("33334567", 2, "standard"),
        ("33334567", 3, "held"),
        ("333444+BBRR", 1, "four_player"),
        ("BBRR", 1, "four_player"),
        ("BBR", 2, "four_player"),
        ("33333333", 1, "four_player"),
        ("3334", 2, "four_player"),
        ("3456789TJQKA2BR", 3, "standard"),
        ("3456789TJQKA", 1, "standard"),
    ],
)
def test_rules_about_kickers_and_packs(hand, turns, name):
    assert min_turns(hand.replace("+", ""), RULES[name]) == turns


@pytest.mark.parametrize("name", RULES)
def test_a_split_is_sorted_and_may_be_played_in_any_order(name):
    rules = RULES[name]
    rng = random.Random(f"order {name}")
    for hand in full_hands(name, 25):
        split = decompose(hand, rules)
        assert len(split) == min_turns(hand, rules)
        keys = [(m.kind, m.length, m.n_cards, m.rank, m.cards.packed) for m in split]
        assert keys == sorted(keys)
        assert decompose(hand, rules) == split
        left = hand
        for move in rng.sample(list(split), len(split)):
            assert move in ddz.legal_moves(left, rules=rules)
            left = left - move.cards
        assert not len(left)


@pytest.mark.parametrize(("name", "hand", "turns"), figures(SLOWEST))
def test_the_slowest_hands_known(name, hand, turns):
    rules = RULES[name]
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        assert min_turns(hand, rules) == int(turns)
        seconds.append(time.perf_counter() - start)
    # They take less than a millisecond; the margin is for a busy machine.
    assert min(seconds) < 0.05


def test_threads_do_not_share_a_search():
    hands = list(full_hands("four_player", 300))
    alone = [min_turns(hand, FOUR) for hand in hands]
    with ThreadPoolExecutor(4) as pool:
        for together in pool.map(lambda _: [min_turns(hand, FOUR) for hand in hands], range(8)):
            assert together == alone


@pytest.mark.parametrize("ask", [min_turns, decompose])
def test_cards_that_are_no_hand(ask):
    with pytest.raises(ddz.InvalidCardsError, match="5 cards of rank 7"):
        ask("77777")
    with pytest.raises(ddz.InvalidCardsError, match="rank 3"):
        ask("3", "duel")
    with pytest.raises(ddz.InvalidCardsError, match="21 cards"):
        ask("333344445555666677778")
    with pytest.raises(TypeError, match="hand must be a Hand or card text"):
        ask(7)
    with pytest.raises(TypeError, match="rules must be"):
        ask("3", 7)
