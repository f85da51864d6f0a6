"""The dealer's chances against exact probabilities."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import pytest

import ddz_core as ddz
from ddz_core.deal import deal


def draws(n, rules, seed=1, **how):
    """Many deals of one stream."""
    made = []

    def enough(one):
        made.append(one)
        return len(made) == n

    deal(rules, seed, predicate=enough, max_tries=n, **how)
    return made


def assert_drawn_from(found, chances):
    """A chi-square test; rare events are thrown together. Seeds are fixed, so it is no gamble."""
    n = sum(found.values())
    assert sum(chances.values()) == 1
    assert set(found) <= set(chances)
    rare = [key for key, chance in chances.items() if n * chance < 5]
    cells = [(found[key], n * chance) for key, chance in chances.items() if key not in rare]
    if rare:
        cells.append((sum(found[key] for key in rare), n * sum(chances[key] for key in rare)))
    cells = [(seen, float(expected)) for seen, expected in cells if expected]
    freedom = len(cells) - 1
    square = sum((seen - expected) ** 2 / expected for seen, expected in cells)
    assert freedom > 0
    # Wilson and Hilferty: the cube root of it is nearly normal.
    z = ((square / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom))
    assert -4 < z < 4, f"chi-square {square:.1f} with {freedom} degrees of freedom"


def partitions(cards, sizes):
    """Every way to deal all these cards to piles of these sizes."""
    if not sizes:
        yield ()
        return
    for pile in itertools.combinations(cards, sizes[0]):
        left = [card for card in cards if card not in pile]
        for others in partitions(left, sizes[1:]):
            yield (pile, *others)


def tiny(lowest, hand_size, kitty_size):
    return ddz.Rules(
        name="tiny",
        players=2,
        lowest_rank=lowest,
        hand_size=hand_size,
        kitty_size=kitty_size,
        first_bidder="seat_0",
    )


def piles_of(made):
    return (*made.hands, made.kitty, made.undealt)


def by_rank(piles):
    return tuple(str(ddz.Hand.from_ids(pile)) for pile in piles)


def agrees(piles, fixed):
    for key, cards in fixed.items():
        pile = piles[2 if key == "kitty" else key]
        if isinstance(cards, str):
            if not ddz.Hand(cards) <= ddz.Hand.from_ids(pile):
                return False
        elif not set(cards) <= set(pile):
            return False
    return True


# ---- every deal is equally likely ----------------------------------------------------------------

# 2♥ 2♦ 2♠ 2♣ B R: two hands of two, a kitty of one, one card undealt; 180 deals.
TWOS = tiny(ddz.Rank.TWO, 2, 1)


@pytest.mark.parametrize(
    "fixed",
    [
        None,
        {0: "2"},
        {0: "2", 1: "2"},
        {0: "2", 1: "2", "kitty": "2"},
        {0: "22"},
        {"kitty": "2"},
        {"kitty": "B"},
        {0: [48]},
        {0: [48], 1: "2"},
        {0: [53], "kitty": "2"},
    ],
    ids=str,
)
def test_every_deal_of_six_cards(fixed):
    allowed = [
        piles
        for piles in partitions(range(48, 54), (2, 2, 1, 1))
        if fixed is None or agrees(piles, fixed)
    ]
    found = Counter(map(piles_of, draws(30 * len(allowed), TWOS, fixed=fixed)))
    assert_drawn_from(found, dict.fromkeys(allowed, Fraction(1, len(allowed))))


# Aces, twos and jokers, ten cards. With sizes 4, 4, 2 and 5, 5, 0 no card is left for other piles,
# so that every pile may have fixed cards.
@pytest.mark.parametrize(
    ("sizes", "fixed"),
    [
        ((3, 3, 2, 2), {0: "A2"}),
        ((3, 3, 2, 2), {0: "A2", 1: "2"}),
        ((3, 3, 2, 2), {0: "AA", 1: "2", "kitty": "2"}),
        ((3, 3, 2, 2), {0: "AB", 1: [48], "kitty": "A"}),
        ((4, 4, 2, 0), {0: "A2", 1: "A", "kitty": "2"}),
        ((4, 4, 2, 0), {0: "2", "kitty": [52]}),
        ((5, 5, 0, 0), {0: "2", 1: "A2"}),
        ((5, 5, 0, 0), {0: "2", 1: [44, 45, 46, 50, 52]}),
        ((4, 4, 2, 0), {0: "22", 1: [44, 45, 46, 52], "kitty": [47, 53]}),
    ],
    ids=str,
)
def test_fixed_ranks_of_ten_cards(sizes, fixed):
    allowed = Counter(
        by_rank(piles) for piles in partitions(range(44, 54), sizes) if agrees(piles, fixed)
    )
    total = sum(allowed.values())
    chances = {key: Fraction(n, total) for key, n in allowed.items()}
    made = draws(3000, tiny(ddz.Rank.ACE, sizes[0], sizes[2]), fixed=fixed)
    found = Counter(by_rank(piles_of(one)) for one in made)
    if len(chances) == 1:
        assert set(found) == set(chances)
    else:
        assert_drawn_from(found, chances)


def test_deals_that_satisfy_a_predicate_are_equally_likely():
    wanted = []
    found = Counter()
    for piles in partitions(range(48, 54), (2, 2, 1, 1)):
        if 52 in piles[0] and 53 not in piles[2]:
            wanted.append(piles)
    for seed in range(30 * len(wanted)):
        made = deal(TWOS, seed, predicate=lambda one: 52 in one.hands[0] and 53 not in one.kitty)
        found[piles_of(made)] += 1
    assert_drawn_from(found, dict.fromkeys(wanted, Fraction(1, len(wanted))))


# ---- presets -------------------------------------------------------------------------------------


def hypergeometric(cards, marked, drawn):
    """How likely each number of marked cards is among the drawn ones."""
    return {
        k: Fraction(math.comb(marked, k) * math.comb(cards - marked, drawn - k), 1)
        / math.comb(cards, drawn)
        for k in range(min(marked, drawn) + 1)
        if drawn - k <= cards - marked
    }


@pytest.mark.parametrize("name", ["standard", "pagat", "duel", "four_player"])
def test_cards_go_anywhere(name):
    rules = ddz.Rules.preset(name)
    made = draws(4000, rules)
    cards = sum(rules.deck)
    sizes = [len(pile) for pile in piles_of(made[0])]
    # Single cards: each pile as likely as its size.
    chances = {i: Fraction(size, cards) for i, size in enumerate(sizes)}
    where = [{card: i for i, pile in enumerate(piles_of(one)) for card in pile} for one in made]
    for card in (20, 33, 51, 52, 53):
        assert_drawn_from(Counter(one[card] for one in where), chances)
    # Two jokers: the same pile as likely as can be.
    together = Fraction(sum(size * (size - 1) for size in sizes), cards * (cards - 1))
    found = Counter(one[52] == one[53] for one in where)
    assert_drawn_from(found, {True: together, False: 1 - together})
    # Red cards and ranks of a hand.
    for seat in range(rules.players):
        found = Counter(sum(card % 54 in (49, 50, 51) for card in one.hands[seat]) for one in made)
        assert_drawn_from(found, hypergeometric(cards, 3 * rules.packs, rules.hand_size))
        found = Counter(one.hand(seat).count(ddz.Rank.ACE) for one in made)
        assert_drawn_from(found, hypergeometric(cards, 4 * rules.packs, rules.hand_size))
    found = Counter(one.kitty_cards.count(ddz.Rank.NINE) for one in made)
    assert_drawn_from(found, hypergeometric(cards, 4 * rules.packs, rules.kitty_size))


def test_separate_seeds_are_as_good_as_one_stream():
    made = [deal("standard", seed) for seed in range(4000)]
    found = Counter(next(i for i, pile in enumerate(piles_of(one)) if 53 in pile) for one in made)
    assert_drawn_from(found, {i: Fraction(n, 54) for i, n in enumerate((17, 17, 17, 3))})
    found = Counter(one.hand(1).count(ddz.Rank.TWO) for one in made)
    assert_drawn_from(found, hypergeometric(54, 4, 17))
    # The opener is tied to no card.
    found = Counter((one.opener, 0 in one.hands[0]) for one in made)
    chances = {True: Fraction(17, 54), False: Fraction(37, 54)}
    chances = {(seat, held): chances[held] / 3 for seat in range(3) for held in chances}
    assert_drawn_from(found, chances)


def test_first_bidders():
    for name, players in (("standard", 3), ("duel", 2), ("four_player", 4), ("pagat", 3)):
        found = Counter(one.opener for one in draws(2000, name))
        assert_drawn_from(found, dict.fromkeys(range(players), Fraction(1, players)))


def test_face_up_cards():
    """Any card that is not in the kitty, so that in the end all are equally likely."""
    made = draws(6000, "pagat")
    found = Counter(one.face_up for one in made)
    assert_drawn_from(found, dict.fromkeys(range(54), Fraction(1, 54)))
    found = Counter(one.hands[one.opener].index(one.face_up) for one in made)
    assert_drawn_from(found, dict.fromkeys(range(17), Fraction(1, 17)))
    found = Counter(one.hands[1].index(one.face_up) for one in draws(3000, "pagat", opener=1))
    assert_drawn_from(found, dict.fromkeys(range(17), Fraction(1, 17)))


def test_fixed_cards_of_a_preset():
    """At least two twos: the number of them is as in all the deals that have two."""
    whole = hypergeometric(54, 4, 17)
    some = sum(chance for twos, chance in whole.items() if twos >= 2)
    chances = {twos: chance / some for twos, chance in whole.items() if twos >= 2}
    made = draws(3000, "standard", fixed={1: "22"})
    assert_drawn_from(Counter(one.hand(1).count(ddz.Rank.TWO) for one in made), chances)
    # Which of the twos, and the rest of the hand, are left to chance.
    twos = [card for one in made for card in one.hands[1] if card in range(48, 52)]
    assert all(0.22 < n / len(twos) < 0.28 for n in Counter(twos).values())
    # Given the number of twos, the others are any cards.
    two = [one for one in made if one.hand(1).count(ddz.Rank.TWO) == 2]
    found = Counter(one.hand(1).count(ddz.Rank.SIX) for one in two)
    assert_drawn_from(found, hypergeometric(50, 4, 15))


# ---- the unshuffled style ------------------------------------------------------------------------


def bombs(made):
    return sum(int((made.hand(seat).counts[:13] >= 4).sum()) for seat in range(made.players))


@pytest.mark.parametrize(
    ("name", "shuffled", "unshuffled"),
    [("standard", 0.2935, 4.46), ("duel", 0.3209, 2.93), ("four_player", 4.25, 13.2)],
)
def test_unshuffled_deals_have_many_bombs(name, shuffled, unshuffled):
    """Bombs in the hands of a deal, on average, as the documentation says."""
    made = draws(1500, name, style="unshuffled")
    assert math.isclose(sum(map(bombs, made)) / 1500, unshuffled, rel_tol=0.04)
    fair = draws(1500, name)
    assert math.isclose(sum(map(bombs, fair)) / 1500, shuffled, rel_tol=0.15)
    assert unshuffled > 3 * shuffled
    # No seat is favoured, and no two deals are the same.
    for seat in range(made[0].players):
        mean = sum(int(one.hand(seat).counts[12:].sum()) for one in made) / 1500
        size = made[0].hand_size / sum(ddz.Rules.preset(name).deck)
        packs = made[0].packs
        assert math.isclose(mean, 6 * packs * size, rel_tol=0.12)
    assert len(set(made)) == 1500


def test_unshuffled_deals_with_fixed_cards():
    made = draws(200, "standard", style="unshuffled", fixed={0: "3K", "kitty": "BR"})
    assert all("3K" in one.hand(0) and "BR" in one.kitty_cards for one in made)
    assert sum(map(bombs, made)) / 200 > 2
    suits = Counter(card for one in made for card in one.hands[0] if card < 4)
    assert set(suits) == {0, 1, 2, 3}
