"""Hidden hands: exactly uniform over the deals that fit, and never anything else."""

from __future__ import annotations

import dataclasses
import random
import zlib
from collections import Counter

import numpy as np
import pytest
from game_helpers import PRESETS
from hidden_model import all_hidden, chi_square, chi_square_quantile, some_game

import ddz_core as ddz
from ddz_core._hidden import Hidden
from ddz_core.game import Game
from ddz_core.hidden import SAMPLES_A_CHUNK, sample_hidden, sample_weighted

STANDARD = ddz.Rules.standard()
ACES = STANDARD.replace(lowest_rank=ddz.Rank.ACE, hand_size=2, kitty_size=3)
KINGS = STANDARD.replace(lowest_rank=ddz.Rank.KING, hand_size=4, kitty_size=2)
DUEL = ddz.Rules.duel().replace(lowest_rank=ddz.Rank.QUEEN, hand_size=6, kitty_size=2)
TWOS_OF_FOUR = ddz.Rules.four_player().replace(
    lowest_rank=ddz.Rank.TWO, hand_size=2, kitty_size=4, kitty_shown=True
)
SMALL = {
    "aces": ACES,
    "aces, private": ACES.replace(kitty_shown=False),
    "kings": KINGS,
    "kings, private": KINGS.replace(kitty_shown=False),
    "kings, three undealt": KINGS.replace(hand_size=3, kitty_size=2),
    "kings, quads together": KINGS.replace(held_quads_stay_together=True),
    "kings, quads together, private": KINGS.replace(
        held_quads_stay_together=True, kitty_shown=False
    ),
    "kings, face up": KINGS.replace(first_bidder="face_up"),
    "aces, face up, private": ACES.replace(first_bidder="face_up", kitty_shown=False),
    "four players, face up": TWOS_OF_FOUR.replace(first_bidder="face_up"),
    "duel": DUEL,
    "duel, nothing undealt": DUEL.replace(hand_size=8),
    "four players": TWOS_OF_FOUR,
    "four players, private": TWOS_OF_FOUR.replace(kitty_shown=False),
    "four players, undealt": TWOS_OF_FOUR.replace(kitty_size=1),
    "four players, one pack": STANDARD.replace(
        players=4, lowest_rank=ddz.Rank.ACE, hand_size=2, kitty_size=1
    ),
}


def counted(hands: np.ndarray) -> Counter:
    """How often each combination of hands was drawn."""
    found: Counter = Counter(hand.tobytes() for hand in hands)
    return Counter(
        {
            tuple(map(tuple, np.frombuffer(hand, np.uint8).reshape(hands.shape[1:]).tolist())): n
            for hand, n in found.items()
        }
    )


@pytest.mark.parametrize("name", SMALL)
def test_samples_are_uniform_over_all_suited_deals_that_fit(name):
    for plies in (0, 1, 3, 5):
        game = some_game(SMALL[name], 10 + plies, plies)
        for seat in range(game.rules.players):
            expected = all_hidden(game, seat)
            found = counted(sample_hidden(game.observe(seat), 20_000, seed=plies))
            assert set(found) <= set(expected), "an impossible deal"
            statistic, degrees = chi_square(found, expected)
            if degrees:
                # About 200 comparisons: one in a million each.
                assert statistic < chi_square_quantile(degrees, 1 - 1e-6), (plies, seat)
            else:
                assert len(found) == len(expected) == 1


@pytest.mark.parametrize("name", ["aces", "duel", "four players", "kings, face up"])
def test_samples_of_an_auction_are_shuffles(name):
    game = Game(SMALL[name], seed=3)
    for seat in range(game.rules.players):
        expected = all_hidden(game, seat)
        found = counted(sample_hidden(game.observe(seat), 20_000, seed=5))
        assert set(found) <= set(expected)
        statistic, degrees = chi_square(found, expected)
        assert statistic < chi_square_quantile(degrees, 1 - 1e-6)


def test_a_played_card_and_the_kitty_change_the_odds():
    """The other peasant played a king of the four: what he holds besides is not a plain shuffle."""
    game = some_game(KINGS, 15, 5)
    seat = (game.landlord + 1) % 3
    expected = all_hidden(game, seat)
    assert len(set(expected.values())) > 1


@pytest.mark.parametrize("name", PRESETS)
def test_every_sample_fits_at_every_ply(name):
    for seed in range(3):
        rng = random.Random(seed)
        game = Game(name, seed=seed)
        while True:
            played = np.zeros((game.rules.players, 15), int)
            for author, move in game.moves:
                played[author] += move.cards.counts
            for seat in range(game.rules.players):
                seen = game.observe(seat)
                hands = sample_hidden(seen, 5, seed=seed)
                assert hands.dtype == np.uint8
                assert (hands[:, seat] == seen.hand.counts).all()
                assert (hands.sum(axis=2) == seen.cards_left).all()
                others = hands.sum(axis=1) - seen.hand.counts
                assert (others <= seen.unseen.counts).all()
                if game.landlord is not None and seen.kitty is not None:
                    held = hands[:, game.landlord] + played[game.landlord]
                    assert (held >= seen.kitty.counts).all()
            if game.phase == "over":
                break
            if game.phase == "auction":
                game.bid(rng.choice(game.legal_bids()))
            else:
                game.play(rng.choice(game.legal_moves()))


def test_who_broke_into_a_rank_never_held_four_where_quads_stay_together():
    rules = ddz.Rules.duel().replace(held_quads_stay_together=True)
    broken = 0
    for seed in range(10):
        game = some_game(rules, seed, 5)
        landlord = game.landlord
        played = np.zeros(15, int)
        for author, move in game.moves:
            if author == landlord:
                played += move.cards.counts
        once = (played > 0) & (played < 4)
        broken += int(once.sum())
        hands = sample_hidden(game.observe(1 - landlord), 2000, seed=1)[:, landlord]
        assert ((hands + played)[:, once] <= 3).all()
    assert broken


@pytest.mark.parametrize("name", ["standard", "pagat", "duel", "four_player"])
def test_the_same_seed_gives_the_same_samples_for_any_threads(name):
    seen = some_game(ddz.Rules.preset(name), 1, 6).observe(0)
    n = 2 * SAMPLES_A_CHUNK + 17
    hands = sample_hidden(seen, n, seed=9)
    for threads in (2, 7, None):
        assert (sample_hidden(seen, n, seed=9, threads=threads) == hands).all()
    assert (sample_hidden(seen, 100, seed=9) == hands[:100]).all()
    assert (sample_hidden(seen, 100, seed=10) != hands[:100]).any()
    assert sample_hidden(seen, 0).shape == (0, seen.rules.players, 15)


def test_the_stream_is_part_of_the_promise():
    """Changing these digits changes every seeded result of users."""
    sums = {}
    for name in ("standard", "pagat", "duel", "four_player"):
        hands = sample_hidden(some_game(ddz.Rules.preset(name), 1, 6).observe(1), 1000, seed=9)
        sums[name] = zlib.crc32(hands.tobytes())
    assert sums == {
        "standard": 603066458,
        "pagat": 1699198319,
        "duel": 2992047818,
        "four_player": 3533922203,
    }


# --- Weights --------------------------------------------------------------------------------------


def test_weights_are_those_of_the_function_and_the_size_is_kishs():
    seen = some_game(STANDARD, 2, 6).observe(0)

    def jokers(hands):
        return 1 + hands[:, 1, 13:].sum(axis=1)

    sample = sample_weighted(seen, 5000, jokers, seed=3)
    assert (sample.hands == sample_hidden(seen, 5000, seed=3)).all()
    raw = jokers(sample.hands).astype(float)
    assert sample.weights == pytest.approx(raw / raw.sum())
    assert sample.weights.sum() == pytest.approx(1)
    assert sample.effective_size == pytest.approx(raw.sum() ** 2 / (raw**2).sum())
    even = sample_weighted(seen, 5000, lambda hands: np.full(len(hands), 1e308), seed=3)
    assert even.effective_size == pytest.approx(5000)
    chosen = sample_weighted(seen, 5000, lambda hands: hands[:, 1, 0] > 0, seed=3)
    assert chosen.effective_size == pytest.approx((sample.hands[:, 1, 0] > 0).sum())
    nothing = sample_weighted(seen, 0, lambda hands: np.empty(0))
    assert nothing.effective_size == 0
    assert len(nothing.hands) == len(nothing.weights) == 0


def test_a_weight_gives_the_conditional_distribution():
    """An indicator as weight conditions on it: compared with the full enumeration."""
    game = some_game(KINGS, 13, 3)
    seat = (game.landlord + 1) % 3
    other = (game.landlord + 2) % 3
    expected = all_hidden(game, seat)
    sample = sample_weighted(game.observe(seat), 50_000, lambda h: 1.0 + h[:, other, 12], seed=1)
    weighted = {hands: ways * (1 + hands[other][12]) for hands, ways in expected.items()}
    exact = sum(ways * hands[other][10] for hands, ways in weighted.items()) / sum(
        weighted.values()
    )
    values = sample.hands[:, other, 10].astype(float)
    mean = sample.weights @ values
    error = np.sqrt((sample.weights**2) @ (values - mean) ** 2)
    assert abs(mean - exact) < 4.5 * error


@pytest.mark.parametrize(
    ("weight", "error", "text"),
    [
        (3, TypeError, "weight must be callable"),
        (lambda hands: ["a"] * len(hands), TypeError, "numbers"),
        (lambda hands: None, TypeError, "numbers"),
        (lambda hands: 1.0, ddz.DdzError, r"shape \(\)"),
        (lambda hands: np.ones((len(hands), 1)), ddz.DdzError, "shape"),
        (lambda hands: np.ones(3), ddz.DdzError, r"\(3,\)"),
        (lambda hands: np.full(len(hands), -1), ddz.DdzError, "weight 0 is -1.0"),
        (lambda hands: np.full(len(hands), np.nan), ddz.DdzError, "nan"),
        (lambda hands: np.full(len(hands), np.inf), ddz.DdzError, "inf"),
        (lambda hands: np.zeros(len(hands)), ddz.DdzError, "all 10 weights are zero"),
        (lambda hands: np.ones(len(hands), complex), TypeError, "complex"),
        (lambda hands: hands.__setitem__(0, 1), ValueError, "read-only"),
    ],
)
def test_what_is_no_weight_is_refused(weight, error, text):
    seen = some_game(STANDARD, 2, 6).observe(0)
    with pytest.raises(error, match=text):
        sample_weighted(seen, 10, weight)


# --- Observations that cannot be ------------------------------------------------------------------


def changes(game: Game, seat: int) -> list[tuple[str, object]]:
    """Fields with values that contradict the rest of what this seat sees."""
    seen, players = game.observe(seat), game.rules.players
    threes, twice = ddz.Hand("333"), (*seen.moves, *seen.moves)
    wrong: list[tuple[str, object]] = [
        ("seat", players),
        ("seat", -1),
        ("phase", "over"),
        ("phase", "auction" if seen.landlord is not None else "play"),
        ("phase", "nonsense"),
        ("turn", players),
        ("turn", None),
        ("landlord", players),
        ("landlord", ((seen.landlord or 0) + 1) % players),
        ("hand", ddz.Hand()),
        ("hand", seen.hand + threes if seen.unseen.count(0) == 4 else threes),
        ("kitty", ddz.Hand("3333555")),
        ("bids", (*seen.bids, (0, ddz.Bid.THREE))),
        ("bids", ((9, ddz.Bid.PASS),)),
        ("redeals", -1),
        ("redeals", 10**15),
        ("moves", (*seen.moves, (players, ddz.Move.PASS))),
        ("moves", (*seen.moves, ((seen.turn or 0), ddz.Move.parse("TJQKA")))),
        ("moves", seen.moves * 1000 or ((0, ddz.Move.PASS),)),
        ("last", ddz.Move.parse("BR")),
        ("last_seat", players - 1 if seen.last_seat != players - 1 else 0),
        ("last_seat", -1),
        ("passes", seen.passes + 1),
        ("cards_left", seen.cards_left[1:]),
        ("cards_left", (*seen.cards_left[:-1], seen.cards_left[-1] + 1)),
        ("cards_left", (*seen.cards_left[:-1], 200)),
        ("unseen", ddz.Hand("3")),
        ("base", seen.base + 1),
        ("base", 1 << 70),
        ("robs", seen.robs + 1),
        ("handicap", 5),
        ("multiplier", 3 * seen.multiplier),
        ("multiplier", -1),
        ("legal_moves", ddz.legal_moves("34")),
        ("legal_bids", (ddz.Bid.ROB, ddz.Bid.ONE)),
    ]
    if seen.landlord is not None:
        wrong += [("landlord", None), ("moves", seen.moves[1:]), ("moves", twice)]
        wrong += [
            ("turn", seen.landlord if seen.turn != seen.landlord else (seen.turn + 1) % players)
        ]
        wrong += [("bids", ()), ("kitty", None if seen.kitty is not None else threes)]
    return [(field, value) for field, value in wrong if value != getattr(seen, field)]


@pytest.mark.parametrize(
    "name", ["standard", "pagat", "casual", "duel", "four_player", "openspiel"]
)
@pytest.mark.parametrize("plies", [-1, 4, 400])
def test_a_contradiction_names_its_field(name, plies):
    game = some_game(ddz.Rules.preset(name), 3, plies) if plies >= 0 else Game(name, seed=3)
    for seat in range(game.rules.players):
        seen = game.observe(seat)
        for field, value in changes(game, seat):
            changed = dataclasses.replace(seen, **{field: value})
            with pytest.raises(ddz.DdzError, match=r"observation\.[a-z_]+ "):
                sample_hidden(changed, 3)


@pytest.mark.parametrize("plies", [-1, 4])
def test_a_field_of_another_type_is_a_type_error_that_names_it(plies):
    game = some_game(STANDARD, 3, plies) if plies >= 0 else Game(STANDARD, seed=3)
    seen = game.observe(0)
    for field in dataclasses.fields(seen):
        for value in (object(), 1.5, [1], (3,), ((1, 2), (3, 4)), "x", b"x"):
            changed = dataclasses.replace(seen, **{field.name: value})
            with pytest.raises((TypeError, ddz.DdzError), match=rf"observation\.{field.name}\b"):
                sample_hidden(changed, 3)


def test_a_kitty_that_the_landlord_cannot_hold_is_refused():
    games = (some_game(STANDARD, seed, 6) for seed in range(20))
    views = (game.observe((game.landlord + 1) % 3) for game in games)
    seen = next(view for view in views if view.hand.count(ddz.Rank.RED_JOKER))
    changed = dataclasses.replace(seen, kitty=ddz.Hand("33R"))
    with pytest.raises(ddz.DdzError, match=r"observation\.kitty is 33R, but no hands fit"):
        sample_hidden(changed, 3)


def test_a_void_deal_and_a_forced_landlord_are_understood():
    void = Game("openspiel", seed=1)
    for _ in range(3):
        void.bid("pass")
    assert sample_hidden(void.observe(1), 4, seed=1).sum(axis=2).tolist() == [[17] * 3] * 4
    forced = Game("casual", seed=1)
    while forced.phase == "auction":
        forced.bid("pass")
    assert forced.redeals == 3
    seen = forced.observe(1)
    assert sample_hidden(seen, 4, seed=1).sum(axis=2).tolist() == [[20, 17, 17]] * 4
    with pytest.raises(ddz.DdzError, match=r"observation\.redeals is 2"):
        sample_hidden(dataclasses.replace(seen, redeals=2), 4)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"n": -1}, ddz.DdzError, "n is -1"),
        ({"n": 10**13}, ddz.DdzError, "n is 10000000000000"),
        ({"n": 1.0}, TypeError, "n must be"),
        ({"n": True}, TypeError, "n must be"),
        ({"seed": -1}, ValueError, "seed"),
        ({"seed": "x"}, TypeError, "seed"),
        ({"threads": 0}, ddz.DdzError, "threads is 0"),
        ({"observation": None}, TypeError, "observation must be an Observation"),
        ({"observation": Game(STANDARD, seed=1)}, TypeError, "observation must be an Observation"),
    ],
)
def test_bad_arguments_are_refused(arguments, error, text):
    seen = some_game(STANDARD, 2, 6).observe(0)
    with pytest.raises(error, match=text):
        sample_hidden(**{"observation": seen, "n": 5, **arguments})


def test_the_core_checks_what_it_is_given():
    table = np.zeros((1, 15), np.int8)
    good = {
        "seats": 2,
        "seat": 0,
        "own": 0,
        "unseen": np.array([2] + [0] * 14, np.uint8),
        "seat_of": [1],
        "sizes": [2],
        "base": table,
        "most": table + 4,
    }
    state, hands = np.arange(1, 5, dtype=np.uint64), np.empty((1, 2, 15), np.uint8)
    Hidden(**good).fill(state, hands)
    assert hands[0, 1, 0] == 2
    for name, value in (
        ("seats", 5),
        ("seat", 2),
        ("sizes", [3]),
        ("sizes", [-2]),
        ("sizes", [2, 0]),
        ("seat_of", [2]),
        ("seat_of", [-2]),
        ("unseen", np.full(15, 255, np.uint8)),
        ("unseen", np.zeros(14, np.uint8)),
        ("base", table + 9),
        ("base", np.zeros((2, 15), np.int8)),
    ):
        with pytest.raises(ValueError):  # noqa: PT011 (each says something else)
            Hidden(**{**good, name: value}).fill(state, hands)
    with pytest.raises(ValueError, match="no hands fit"):
        Hidden(**{**good, "most": table + 1}).fill(state, hands)
    with pytest.raises(ValueError, match="no hands fit"):
        Hidden.__new__(Hidden).fill(state, hands)
    with pytest.raises(ValueError, match="4 words"):
        Hidden(**good).fill(state[:3], hands)
    with pytest.raises(ValueError, match="shape"):
        Hidden(**good).fill(state, np.empty((1, 3, 15), np.uint8))
    made = Hidden(**good)
    with pytest.raises(TypeError, match="once"):
        made.__init__(**good)
