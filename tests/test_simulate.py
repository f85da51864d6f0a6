"""simulate(): the core's games are Game's games, and nothing depends on who plays them."""

import json
import math
import pickle
import time

import numpy as np
import pytest
from simulate_helpers import Bidding, Drawn, Network, Silent, Wrong, shortest

import ddz_core as ddz
from ddz_core import lockstep, plan
from ddz_core._simulate import GIVE_UP, TALLY, TALLY_SIZE
from ddz_core.estimates import Rate, rate, wilson
from ddz_core.lockstep import play_deals
from ddz_core.plan import BLOCK, Plan, run_chunk, seats_of
from ddz_core.simulate import SimulationResult, simulate
from ddz_core.tallies import gaps, joined, parts_of

# Every preset, and options that no preset has.
RULES = [*map(ddz.Rules.preset, ddz.Rules.preset_names())]
RULES += [
    ddz.Rules.standard().replace(first_bidder="heart_three", nobody_bids="first_is_landlord"),
    ddz.Rules.four_player().replace(first_bidder="heart_three", auction="once"),
    ddz.Rules.standard().replace(first_bidder="rotate", nobody_bids="void"),
    ddz.Rules.standard().replace(max_redeals=0, hand_size=5, kitty_size=1, players=2),
    ddz.Rules.duel().replace(max_robs=16, nobody_bids="redeal", max_redeals=1, hand_size=17),
    ddz.Rules.standard().replace(
        packs=2, hand_size=30, triple_single=False, airplane_singles=False, quad_singles=False,
        quad_pairs=False, auction="until_passes", nobody_bids="void",
    ),
    ddz.Rules.standard().replace(auction="none", first_bidder="face_up", bombs_double=False),
]  # fmt: skip


def plan_of(rules, policies="random", landlord=None, seed=5):
    chosen = ddz.Rules.preset(rules) if isinstance(rules, str) else rules
    seats = seats_of(policies, chosen.players, landlord)
    return Plan(chosen, seats, landlord, np.random.SeedSequence(seed))


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
@pytest.mark.parametrize(
    "policies", ["random", "greedy", {"landlord": "rule", "peasant": "random"}]
)
def test_every_deal_of_the_core_is_one_of_game(rules, policies):
    for landlord in (None, 1):
        plan = plan_of(rules, policies, landlord)
        # Across the end of a block, deal by deal.
        for number in range(BLOCK - 4, BLOCK + 4):
            of_core = run_chunk(plan, number, number + 1)
            of_game = play_deals(plan, number, number + 1, None)
            for name, part in parts_of(of_core).items():
                assert (part == parts_of(of_game)[name]).all(), (number, name)


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_whole_chunks_of_the_core_are_those_of_game(rules):
    plan = plan_of(rules, seed=6)
    assert (run_chunk(plan, 0, 40) == play_deals(plan, 0, 40, None)).all()


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_everything_adds_up(rules):
    result = simulate(rules, 500, "random", seed=3)
    assert result.deals == 500
    assert not result.partial
    result._check()
    for name in ("plies", "bombs", "rockets", "robs", "bases", "doublings"):
        assert result.histogram(name).sum() == result.games
    assert result.histogram("redeals").sum() == result.deals
    assert sum(result.landlords) == sum(result.out_first) == result.games
    assert sum(result.wins_as_landlord) == result.landlord_wins
    assert sum(result.wins) == result.landlord_wins + result.peasant_wins * (rules.players - 1)
    # Zero-sum, exactly.
    totals = [
        sum(points * deals for points, deals in result.score_distribution(seat).items())
        for seat in range(rules.players)
    ]
    assert sum(totals) == 0
    for seat in range(rules.players):
        assert sum(result.score_distribution(seat).values()) == result.deals
    if rules.nobody_bids != "void":
        assert result.void == 0


def test_points_are_those_of_the_games():
    # Estimates straight from the games' own results, by NumPy.
    rules = ddz.Rules.casual()
    plan = plan_of(rules, "random", seed=8)
    from ddz_core._simulate import DealStream  # noqa: PLC0415
    from ddz_core.lockstep import _Table  # noqa: PLC0415

    results, forced = [], 0
    for number in range(150):
        stream = DealStream(rules, plan.options, plan.block_key(0), number, number)
        table = _Table(plan, rules, number, stream, None)
        table.advance()
        results.append(table.game.result)
        forced += all(bid == 0 for _, bid in table.game.bids)
    result = simulate(rules, 150, "random", seed=8)
    points = np.array([game.points for game in results])
    for seat, score in enumerate(result.scores):
        assert score.mean == pytest.approx(points[:, seat].mean())
        assert score.se == pytest.approx(points[:, seat].std(ddof=1) / math.sqrt(150))
    multipliers = np.array([game.multiplier for game in results])
    assert result.multipliers.mean == pytest.approx(multipliers.mean())
    assert result.multipliers.se == pytest.approx(multipliers.std(ddof=1) / math.sqrt(150))
    assert result.landlord_wins == sum(game.landlord_won for game in results)
    assert result.springs.mean == np.mean([game.spring for game in results])
    assert result.redeals == np.mean([game.redeals for game in results])
    assert result.forced == forced


# ---- the deals -----------------------------------------------------------------------------------


def first_hands(policies, landlord=None, n=6):
    """What each seat was dealt, as a policy sees it in the auction or at its first move."""
    seen = {}

    class Spy(Drawn):
        def bid(self, observation, bids, rng):
            if observation.redeals == 0:
                seen.setdefault((self.deal, observation.seat), str(observation.hand))
            return policies(observation, bids)

    for number in range(n):
        spy = Spy()
        spy.deal = number
        simulate("standard", 1, spy, seed=4, first=number, landlord=landlord)
    return seen


def test_the_deals_do_not_depend_on_what_is_bid():
    eager = first_hands(lambda observation, bids: len(bids) - 1)
    shy = first_hands(lambda observation, bids: int(observation.redeals > 0))
    assert eager
    assert eager.items() <= shy.items()


def test_deals_are_uniform():
    """Each card is equally often in each seat's hand and in the kitty, as in the undealt rest."""
    from ddz_core._simulate import DealStream  # noqa: PLC0415

    for rules in (ddz.Rules.standard(), ddz.Rules.duel(), ddz.Rules.four_player()):
        plan = plan_of(rules, seed=1)
        cards = sum(rules.deck)
        places = np.zeros((rules.players + 2, 108))
        openers = np.zeros(rules.players)
        n = 1500
        for number in range(n):
            stream = DealStream(rules, plan.options, plan.block_key(0), number, number)
            hands, kitty, undealt, opener, _ = stream.next_deal()
            openers[opener] += 1
            for place, pile in enumerate((*hands, kitty, undealt)):
                places[place, pile] += 1
        there = places.sum(axis=0) > 0
        assert there.sum() == cards
        sizes = [rules.hand_size] * rules.players + [rules.kitty_size]
        sizes += [cards - sum(sizes)]
        expected = n * np.array(sizes)[:, None] / cards
        error = np.sqrt(expected * (1 - expected / n)) + 1e-9
        assert (np.abs(places[:, there] - expected) < 5 * error).all()
        assert (np.abs(openers - n / rules.players) < 5 * math.sqrt(n / 4)).all()


def test_the_stream_is_what_it_was():
    # A change here breaks everybody's seeded results: it needs a new minor version and a line in
    # the changelog.
    result = simulate("standard", 5000, "random", seed=2026)
    assert (result.landlord_wins, int(result.histogram("plies") @ np.arange(433))) == STREAM


STREAM = (1761, 305862)


# ---- who plays -----------------------------------------------------------------------------------


def test_threads_and_chunks_change_nothing():
    one, two, seven = (simulate("pagat", 9001, "random", seed=2, threads=n) for n in (1, 2, 7))
    assert one == two == seven
    assert simulate("pagat", 9001, "random", seed=2, threads=2, chunk=100) == one
    assert simulate("pagat", 9001, "random", seed=3) != one


def test_python_policies_in_threads_change_nothing():
    policies = ["random", Drawn(), shortest]
    one, two, seven = (
        simulate("standard", 70, policies, seed=2, threads=n, chunk=9) for n in (1, 2, 7)
    )
    assert one == two == seven == simulate("standard", 70, policies, seed=2)
    assert one.policies == ("random", "drawn", "simulate_helpers.shortest")


def test_batches_hold_hundreds_of_positions():
    network = Network()
    result = simulate("duel", 530, ["random", network], seed=2)
    assert result.games == 530
    # 512 deals and then 18: most of them wait for the network in its first rounds.
    assert network.sizes[0] > 300
    assert simulate("duel", 530, ["random", network], seed=2, threads=2) == result


def test_built_in_policies_from_python_play_as_the_core_does():
    for name in ("greedy", "rule"):
        wrapped = ddz.policies.built_in(name)

        class Wrapper:
            name = wrapped.name

            def __call__(self, observation, moves, rng, asked=wrapped):
                return asked(observation, moves, rng)

            def bid(self, observation, bids, rng, asked=wrapped):
                return asked.bid(observation, bids, rng)

        assert simulate("standard", 60, Wrapper(), seed=1) == simulate("standard", 60, name, seed=1)


def test_policies_by_role():
    by_role = {"landlord": "random", "peasant": shortest}
    result = simulate("standard", 50, by_role, seed=1)
    assert result.policies == ("random as landlord, simulate_helpers.shortest as peasant",) * 3
    given = simulate("standard", 50, by_role, seed=1, landlord=2)
    assert given.policies == ("simulate_helpers.shortest",) * 2 + ("random",)
    assert given == simulate("standard", 50, [shortest, shortest, "random"], seed=1, landlord=2)
    assert given.landlords == (0, 0, 50)
    assert given.histogram("bases").tolist() == [0, 50, 0, 0]


# ---- results -------------------------------------------------------------------------------------


def test_parts_add_up_to_the_whole():
    whole = simulate("club", 10_000, "random", seed=9)
    parts = [
        simulate("club", n, "random", seed=9, first=first)
        for first, n in ((0, 3000), (3000, 1234), (4234, 5766))
    ]
    assert parts[0] + parts[1] + parts[2] == whole
    assert parts[2].merge(parts[0], parts[1]) == whole
    other = simulate("club", 100, "random", seed=10)
    both = whole + other
    assert both.deals == 10_100
    assert len(both.parts) == 2
    assert both == other + whole
    with pytest.raises(ddz.DdzError, match="2 seeds"):
        _ = both.seed


def test_batched_runs_are_split_where_their_chunks_are():
    options = {"rules": "duel", "policies": ["random", Network()], "seed": 2, "chunk": 20}
    whole = simulate(deals=70, first=10, **options)
    parts = [
        simulate(deals=n, first=first, **options) for first, n in ((10, 10), (20, 40), (60, 20))
    ]
    assert parts[0].merge(*parts[1:]) == whole
    # Elsewhere a chunk is cut in two, with other batches and numbers; as it is written.
    apart = simulate(deals=25, first=10, **options) + simulate(deals=45, first=35, **options)
    assert apart.parts == whole.parts
    assert apart != whole


def test_pieces_change_nothing(monkeypatch):
    expected = simulate("duel", 9001, "random", seed=2, threads=1)
    monkeypatch.setattr(plan, "PIECE", 0)
    assert simulate("duel", 9001, "random", seed=2, threads=1) == expected
    monkeypatch.setattr(plan, "PIECE", 1e9)
    monkeypatch.setattr(plan, "FIRST_PIECE", BLOCK)
    assert simulate("duel", 9001, "random", seed=2, threads=1) == expected


@pytest.mark.parametrize("rules", ["standard", "duel", "four_player"])
@pytest.mark.parametrize("policy", ["random", "greedy", "rule"])
def test_chunks_take_about_the_time_that_they_should(rules, policy):
    rules = ddz.Rules.preset(rules)
    size = plan.deals_in(0.1, rules, seats_of(policy, rules.players, None))
    started = time.process_time()
    simulate(rules, size, policy, seed=1, threads=1)
    # A rough figure, and machines differ.
    assert 0.005 < time.process_time() - started < 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"first": 50}, "deals 50 … 99 are in both"),
        ({"rules": "club"}, "different rules: 'standard' and 'club'"),
        ({"rules": ddz.Rules.standard().replace(name="x")}, "different rules"),
        ({"policies": "greedy"}, "different policies"),
        ({"landlord": 0}, "different landlord: None and 0"),
    ],
)
def test_what_does_not_belong_together_is_not_merged(change, message):
    options = {"rules": "standard", "deals": 100, "policies": "random", "seed": 1, "first": 100}
    one = simulate(**{**options, "first": 0})
    other = simulate(**{**options, **change})
    with pytest.raises(ddz.DdzError, match=message):
        _ = one + other
    with pytest.raises(TypeError, match="only results"):
        one.merge(3)


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_json_brings_everything_back(rules):
    seed = np.random.SeedSequence([1, 2**40], spawn_key=(3,), pool_size=8)
    result = simulate(rules, 60, "random", seed=seed, first=7)
    text = result.to_json()
    assert SimulationResult.from_json(text) == result
    assert json.loads(text, parse_constant=pytest.fail)
    assert pickle.loads(pickle.dumps(result)) == result
    again = simulate(rules, 60, "random", seed=result.seed, first=7)
    assert again == result


@pytest.mark.parametrize(
    ("seed", "same"),
    [
        ([], ()),
        ([1, [2, 3]], [1, 2, 3]),
        (((1, 2), [3, 4]), [1, 2, 3, 4]),
        (np.array([[1, 2], [3, 4]]), [1, 2, 3, 4]),
        (np.array([[1, 2], [3, 4]], np.uint32), [1, 2, 3, 4]),
        (np.array(5, np.uint32), 5),
        (np.array([5, 6], np.uint8), [5, 6]),
        (np.uint64(5), 5),
        (range(3), [0, 1, 2]),
        ([10**50, 3], (10**50, 3)),
        (2**2048 - 1, [2**2048 - 1]),
        (["0x10", "7"], [16, 7]),
        (np.random.SeedSequence([1, [2, 3]]), [1, 2, 3]),
        (np.random.SeedSequence(1, spawn_key=(2**40,)), [1, 0, 0, 0, 2**40]),
        # What has no words is zero, and there are four of them at least.
        (1, [1, 0]),
    ],
    ids=str,
)
def test_every_seed_that_runs_is_written_and_read(seed, same):
    result = simulate("standard", 20, "random", seed=seed)
    assert SimulationResult.from_json(result.to_json()) == result
    assert simulate("standard", 20, "random", seed=result.seed) == result
    # The same stream is the same seed, however it was written: no deal counts twice.
    other = simulate("standard", 20, "random", seed=same)
    assert other == result
    with pytest.raises(ddz.DdzError, match="deals 0 … 19 are in both"):
        _ = result + other
    later = simulate("standard", 5, "random", seed=same, first=20)
    assert result + later == simulate("standard", 25, "random", seed=seed)


def test_seeds_that_differ_are_told_apart():
    seeds = [1, 2, [1, 2], [1, 0, 0, 0, 0], np.random.SeedSequence(1, pool_size=8)]
    results = [simulate("standard", 20, "random", seed=seed) for seed in seeds]
    assert len({result.counts.tobytes() for result in results}) == len(seeds)
    assert len(results[0].merge(*results[1:]).parts) == len(seeds)


@pytest.mark.parametrize(
    ("seed", "error", "message"),
    [
        (2**2048, ddz.DdzError, r"seed must be below 2\*\*2048"),
        ([1, (2, 2**2048)], ddz.DdzError, r"seed must be below 2\*\*2048"),
        (np.random.SeedSequence(2**2048), ddz.DdzError, r"seed must be below 2\*\*2048"),
        (np.random.SeedSequence(1, pool_size=300), ddz.DdzError, "pool_size of 300"),
        ([1, [2, -3]], ValueError, r"seed must be .* not \[1, \[2, -3\]\]"),
        ([1, [2.5]], TypeError, r"seed must be .* not \[1, \[2.5\]\]"),
        ([[None]], TypeError, "seed must be"),
        (np.array(1.5), TypeError, "seed must be .* not 1.5"),
    ],
)
def test_seeds_that_are_refused(seed, error, message):
    for run in (simulate, ddz.playout):
        with pytest.raises(error, match=message):
            run("standard", 1, seed=seed)


def test_a_seed_that_python_would_not_write():
    with pytest.raises(ddz.DdzError, match="seed must be below"):
        simulate("standard", 1, seed=10**5000)


def test_json_of_nothing_is_strict():
    for deals in (0, 1):
        result = simulate("standard", deals, "random", seed=1)
        assert SimulationResult.from_json(result.to_json()) == result
        assert "NaN" not in result.to_json()
    assert math.isnan(simulate(deals=0).landlord_win_rate)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(ddz_simulation=2), "version 2"),
        (lambda d: d.pop("tally"), "has the members"),
        (lambda d: d["tally"].update(deals=99), "must be"),
        (lambda d: d["tally"].update(deals=-1), "must be a whole number"),
        (lambda d: d["tally"].update(deals=True), "must be a whole number"),
        (lambda d: d["tally"]["plies"].append(1), "adds up"),
        (lambda d: d["tally"].update(plies=[0] * 500), "an index in plies"),
        (lambda d: d["tally"]["outcomes"].append([3, 0, 0, 0, 1]), "adds up"),
        (lambda d: d["tally"]["outcomes"].append([9, 0, 0, 0, 1]), "an index in outcomes"),
        (lambda d: d["tally"]["outcomes"].append(3), "has not 5 numbers"),
        (lambda d: d.update(policies=["a"]), "one for each seat"),
        (lambda d: d.update(landlord=3), "landlord is 3"),
        (lambda d: d.update(requested=1), "more deals"),
        (lambda d: d["rules"].update(players=9), "players is 9"),
        (lambda d: d["parts"][0].update(ranges=[[5, 3]]), "no range"),
        (lambda d: d["parts"][0].update(ranges=[[0, 50], [20, 70]]), "in both"),
        (lambda d: d["parts"][0].update(entropy=-1), "entropy"),
    ],
)
def test_damaged_json_is_refused(change, message):
    values = simulate("standard", 50, "random", seed=1).as_dict()
    change(values)
    with pytest.raises(ddz.RecordError, match=message):
        SimulationResult.from_dict(values)


def test_other_texts_are_refused():
    for text in ("", "[]", "3", "null", '{"a": 1}', '{"ddz_simulation": NaN}'):
        with pytest.raises(ddz.RecordError):
            SimulationResult.from_json(text)
    with pytest.raises(TypeError, match="must be a str"):
        SimulationResult.from_json(b"{}")


def test_numpy_export():
    result = simulate("openspiel", 2000, "random", seed=1)
    arrays = result.to_numpy()
    assert [(name, part.shape) for name, part in arrays.items()] == [
        (name, shape) for name, shape in TALLY
    ]
    assert sum(part.size for part in arrays.values()) == TALLY_SIZE
    assert int(arrays["void"]) == result.void > 0
    assert result.games == 2000 - result.void
    arrays["plies"][0] = 5
    assert result.histogram("plies")[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        result.counts[0] = 1
    with pytest.raises(ddz.DdzError, match="no histogram 'x'"):
        result.histogram("x")


def test_intervals():
    result = simulate("standard", 4000, "random", seed=1)
    low, high = result.interval(result.landlord_wins)
    assert low < result.landlord_win_rate < high
    assert result.landlord_win_rate + result.peasant_win_rate == pytest.approx(1)
    assert result.interval(3, games=10) == pytest.approx((0.1078, 0.6032), abs=1e-4)
    low, high = result.scores[0].interval(0.99)
    assert high - low == pytest.approx(2 * 2.575829 * result.scores[0].se)
    for wrong in (0, 1, -1, math.nan):
        with pytest.raises(ddz.DdzError, match="confidence"):
            result.scores[0].interval(wrong)
    with pytest.raises(ddz.DdzError, match="wins is 4001"):
        result.interval(4001)
    with pytest.raises(ddz.DdzError, match="seats 0 … 2"):
        result.score_distribution(3)


def test_rates_have_wilsons_intervals():
    result = simulate("standard", 300, "random", seed=1, landlord=0)
    counts = result.to_numpy()
    summary = result.summary()
    for name in ("springs", "anti_springs", "rockets"):
        events = int(counts["rockets"][1] if name == "rockets" else counts[name])
        found = getattr(result, name)
        assert found.mean == events / 300
        assert found.interval(0.9) == result.interval(events, 0.9)
        assert summary[name]["interval"] == list(result.interval(events))
    # Wilson's for 0 of 300: z² / (n + z²).
    never = simulate("openspiel", 300, "random", seed=1, landlord=0).springs
    assert never.mean == never.interval()[0] == 0
    assert never.interval()[1] == pytest.approx(3.841459 / 303.841459)
    stats = ddz.playout("openspiel", 300, seed=1)
    assert stats.springs.interval() == never.interval()
    assert stats.as_dict()["springs"]["interval"] == list(never.interval())
    assert stats.rockets.interval() == stats.interval(stats.sums["rockets"])


def test_rates_of_rare_events_are_covered():
    share, n, covered = 0.004, 200, 0.0
    for events in range(30):
        low, high = rate(events, n).interval()
        if low <= share <= high:
            covered += math.comb(n, events) * share**events * (1 - share) ** (n - events)
    assert 0.93 < covered < 0.98


def test_what_always_and_never_happens():
    for n in range(1, 3000):
        assert wilson(n, n)[1] == 1
        assert wilson(0, n)[0] == 0
    # Weighted games count as fewer: (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n).
    assert Rate(0.25, 0.1, 17.5).interval() == pytest.approx((0.105857, 0.484143), abs=1e-6)
    assert all(map(math.isnan, Rate(math.nan, math.nan, 0).interval()))
    with pytest.raises(ddz.DdzError, match="confidence"):
        Rate(0.5, 0.1, 20).interval(1.5)


def test_pictures():
    pytest.importorskip("matplotlib", reason="matplotlib (the extra plot) is not installed")
    for rules, deals, landlord in (
        ("standard", 1, None),
        ("duel", 300, None),
        ("openspiel", 99, 0),
    ):
        figure = simulate(rules, deals, "random", seed=2, landlord=landlord).plot()
        assert len(figure.axes) == 4
        figure.canvas.draw()
    with pytest.raises(ddz.DdzError, match="no games"):
        simulate(deals=0).plot()


def test_the_picture_says_which_intervals_it_shows():
    pytest.importorskip("matplotlib", reason="matplotlib (the extra plot) is not installed")
    result = simulate("openspiel", 900, "random", seed=2)
    figure = result.plot()
    texts = [text.get_text() for axes in figure.axes for text in axes.texts]
    for found, sign, form in (
        (result.landlord_score, "", "+.3f"),
        (result.multipliers, "×", ".3f"),
        (result.plies, "", ".1f"),
    ):
        half = 1.959964 * found.se
        assert f"mean {sign}{found.mean:{form}} ± {half:{form.lstrip('+')}}" in texts
    foot = "\n".join(text.get_text() for text in figure.texts)
    low, high = result.interval(0)
    assert result.springs.mean == 0
    assert f"springs 0.00% [{low * 100:.2f} – {high:.2%}]" in foot
    low, high = wilson(result.void, 900)
    assert f"void deals {result.void / 900:.2%} [{low * 100:.2f} – {high:.2%}]" in foot
    assert "± and brackets: 95 % intervals" in foot


# ---- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"rules": "xyz"}, ddz.DdzError, "no rule set 'xyz'"),
        ({"deals": -1}, ddz.DdzError, "deals is -1"),
        ({"deals": 1.5}, TypeError, "deals"),
        ({"deals": 10**13}, ddz.DdzError, "deals is 1"),
        ({"first": -1}, ddz.DdzError, "first is -1"),
        ({"policies": "clever"}, ddz.DdzError, "'clever'"),
        ({"policies": ["rule", "rule"]}, ddz.DdzError, "2 policies for 3 seats"),
        ({"policies": {"landlord": "rule"}}, ddz.DdzError, "'landlord' and 'peasant'"),
        ({"policies": 3}, TypeError, "3"),
        ({"seed": -1}, ValueError, "seed"),
        ({"landlord": 3}, ddz.DdzError, "landlord is 3; it must be 0 … 2"),
        ({"threads": 0}, ddz.DdzError, "threads is 0"),
        ({"chunk": 0}, ddz.DdzError, "chunk is 0"),
        ({"progress": 3}, TypeError, "progress must be callable"),
        ({"executor": 3}, TypeError, "executor must be"),
        ({"executor": lambda: 5}, TypeError, "makes no executor, but 5"),
        ({"executor": lambda: 5, "threads": 2}, ddz.DdzError, "not both"),
        ({"rules": ddz.Rules.duel().replace(hand_size=4)}, ddz.DdzError, "max_robs is 4"),
        ({"policies": Wrong(-1)}, ddz.DdzError, "answered -1; there are moves 0 …"),
        ({"policies": Wrong(10**6)}, ddz.DdzError, "answered 1000000"),
        ({"policies": Wrong("pass")}, TypeError, "a policy's answer, the place .* not 'pass'"),
        ({"policies": Wrong(ddz.Move.parse("3"))}, TypeError, "the place of its move in `moves`"),
        ({"policies": Wrong}, TypeError, r"must be an object, not its class: Wrong\(…\)"),
        ({"policies": Bidding(ddz.Bid.ONE)}, TypeError, "a place in `bids`, not <Bid.ONE: 1>"),
        ({"policies": Bidding("1")}, TypeError, "the place of its bid in `bids`, must be"),
        ({"policies": Bidding(4)}, ddz.DdzError, "answered 4; there are bids 0 … 3"),
        ({"policies": Bidding(-1)}, ddz.DdzError, "answered -1; there are bids 0 … 3"),
    ],
)
def test_what_is_refused(options, error, message):
    with pytest.raises(error, match=message):
        simulate(**{"deals": 3, "seed": 1, **options})


def test_policies_that_never_bid(monkeypatch):
    assert GIVE_UP > 1000
    monkeypatch.setattr(lockstep, "GIVE_UP", 50)
    with pytest.raises(ddz.DdzError, match="nobody bid in 50 deals in a row"):
        simulate("standard", 1, Silent())
    # Where the rules find a landlord themselves nothing is wrong.
    assert simulate("casual", 3, Silent(), seed=1).forced == 3
    assert simulate("openspiel", 3, Silent(), seed=1).void == 3


def test_progress():
    calls = []
    simulate("standard", 10_000, "random", progress=lambda *numbers: calls.append(numbers))
    assert calls[-1] == (10_000, 10_000)
    assert len(calls) == 3
    with pytest.raises(ZeroDivisionError):
        simulate("standard", 10_000, "random", progress=lambda done, total: done / 0)


def test_ranges():
    assert joined(((0, 5), (9, 12)), ((5, 9),)) == ((0, 12),)
    assert joined((), ((3, 4),)) == ((3, 4),)
    assert list(gaps(((2, 3), (5, 7)), 0, 9)) == [(0, 2), (3, 5), (7, 9)]
    assert list(gaps((), 4, 4)) == []
    with pytest.raises(ddz.DdzError, match="deals 4 … 4 are in both"):
        joined(((0, 5),), ((4, 9),))
