"""``ddz simulate``, ``ddz odds`` and ``ddz evaluate`` on the command line."""

import json
import math
import re
import signal
import subprocess
import sys
import time

import pytest

import ddz_core as ddz
from ddz_core import checkpoint, cli
from ddz_core.game import Game
from ddz_core.observation import hint
from ddz_core.record import Record
from ddz_core.simulation_result import SimulationResult

STRONG, WEAK = "3334455678AA222BR"[:17], "34567789TJJQKA234"
# Seconds that Ctrl-C may take; it takes much less than the second that we promise, and the rest is
# for machines that are busy with other tests.
PATIENCE = 2.5


def row(table, name):
    """The cells of a table's line."""
    (line,) = [line.strip() for line in table.splitlines() if line.strip().startswith(f"{name}  ")]
    return re.split(r"  +", line)


# ---- simulate ------------------------------------------------------------------------------------


def test_simulate_repeats_itself_and_does_not_depend_on_threads(as_json):
    first = as_json("simulate", "--deals", "9000", "--seed", "11", "--threads", "1")
    second = as_json("simulate", "--deals", "9000", "--seed", "11", "--threads", "3")
    third = as_json("simulate", "--deals", "9000")
    assert first["result"] == second["result"] != third["result"]
    assert (first["seed"], first["deals"], second["threads"]) == (11, 9000, 3)
    repeated = as_json("simulate", "--deals", "9000", "--seed", str(third["seed"]))
    assert repeated["result"] == third["result"]
    result = ddz.simulate("standard", 9000, "random", 11, landlord=0)
    assert SimulationResult.from_dict(first["result"]) == result
    summary = result.summary()
    assert {name: first[name] for name in summary} == summary
    springs = int(result.to_numpy()["springs"])
    assert first["springs"]["interval"] == list(result.interval(springs))
    assert not first["partial"]
    assert first["policies"] == ["random"] * 3


@pytest.mark.parametrize("rules", ddz.Rules.preset_names())
@pytest.mark.parametrize("auction", [False, True])
def test_the_table_of_a_simulation(answer, rules, auction):
    extra = ["--auction"] if auction else []
    text = answer("simulate", "--deals", "3000", "--seed", "3", "--rules", rules, *extra)
    result = ddz.simulate(rules, 3000, "random", 3, landlord=None if auction else 0)
    assert text.startswith("3,000 deals played by random")
    low, high = result.interval(result.landlord_wins)
    share = f"{result.landlord_win_rate:.3%}"
    assert row(text, "landlord wins") == ["landlord wins", share, f"95 % CI {low:.3%} … {high:.3%}"]
    assert row(text, "peasants win")[1] == f"{result.peasant_win_rate:.3%}"
    for name, estimate in [
        ("bombs a game", result.bombs),
        ("plies a game", result.plies),
        ("multiplier", result.multipliers),
    ]:
        error = f"± {estimate.se:.4f} (standard error)"
        assert row(text, name) == [name, f"{estimate.mean:.4f}", error]
    for name, share in (
        ("springs", result.springs),
        ("anti-springs", result.anti_springs),
        ("rockets", result.rockets),
    ):
        low, high = result.interval(round(share.mean * result.games))
        assert row(text, name)[1:] == [f"{share.mean:.3%}", f"95 % CI {low:.3%} … {high:.3%}"]
    for seat, score in enumerate(result.scores):
        name = f"points of seat {seat}"
        if not auction:
            name += ", peasant" if seat else ", landlord"
        assert row(text, name)[1] == f"{score.mean:.4f}"
    if auction:
        for seat, games in enumerate(result.landlords):
            shown = row(text, f"seat {seat} is the landlord")[1]
            assert shown == f"{games / result.games:.3%}"
        assert row(text, "landlord without a bid")[1] == f"{result.forced / result.games:.3%}"
        assert row(text, "void deals")[1] == f"{result.void / 3000:.3%}"
        assert row(text, "redeals a deal")[1] == f"{result.redeals:.4f}"
        assert ("robs a game" in text) == (rules == "duel")
    else:
        assert "void" not in text
    assert re.search(rf"\nrules {rules}, deals 3000, seed 3, threads \d+: .* deals/s\n$", text)


@pytest.mark.parametrize(
    "players",
    [
        (["--policy", "rule"], "rule", "rule"),
        (
            ["--landlord-policy", "greedy"],
            {"landlord": "greedy", "peasant": "random"},
            "greedy as landlord, random as peasant",
        ),
        (
            ["--policy", "rule", "--peasant-policy", "greedy"],
            {"landlord": "rule", "peasant": "greedy"},
            "rule as landlord, greedy as peasant",
        ),
        (["--landlord-policy", "rule", "--peasant-policy", "rule"], "rule", "rule"),
    ],
)
@pytest.mark.parametrize("landlord", [0, None])
def test_who_plays(as_json, answer, players, landlord):
    options, policies, words = players
    arguments = ["simulate", "--deals", "300", "--seed", "5", *options]
    arguments += ["--auction"] if landlord is None else []
    result = ddz.simulate("standard", 300, policies, 5, landlord=landlord)
    found = as_json(*arguments)
    assert SimulationResult.from_dict(found["result"]) == result
    assert found["policies"] == list(result.policies)
    assert found["auction"] == (landlord is None)
    assert f"300 deals played by {words}, " in answer(*arguments)


def test_a_simulation_of_one_deal_has_no_standard_error(as_json, answer):
    assert as_json("simulate", "--deals", "1", "--seed", "1")["bombs"]["se"] is None
    assert "nan" not in answer("simulate", "--deals", "1")


def test_processes(as_json):
    arguments = ["simulate", "--deals", "5000", "--seed", "2"]
    found = as_json(*arguments, "--processes", "1")
    assert (found["processes"], found["threads"]) == (1, None)
    assert found["result"] == as_json(*arguments)["result"]


def test_resume(as_json, answer, refused, tmp_path):
    path = tmp_path / "run.json"
    arguments = ["simulate", "--deals", "9000", "--resume", str(path)]
    whole = as_json(*arguments)
    assert whole["resumed"] is None
    assert checkpoint.load(path)[0].deals == 9000
    again = as_json(*arguments)
    assert (again["seed"], again["resumed"]) == (whole["seed"], 9000)
    assert again["deals_per_second"] is None
    assert again["result"] == whole["result"]
    assert "resumed at 9000: " in answer(*arguments)
    # Half a run goes on, with its own seed, to the same end.
    half = ddz.simulate("standard", 4500, "random", whole["seed"], landlord=0)
    stored = {**half.as_dict(), "requested": 9000}
    checkpoint.Checkpoint(path, 0, None).write(SimulationResult.from_dict(stored))
    gone_on = as_json(*arguments)
    assert gone_on["resumed"] == 4500
    assert gone_on["result"] == whole["result"]
    assert "its seed is" in refused(*arguments, "--seed", str(whole["seed"] + 1))
    assert "its policies is" in refused(*arguments, "--policy", "greedy")
    assert "its landlord is" in refused(*arguments, "--auction")
    path.write_text(path.read_text()[:-100])
    assert "cut off" in refused(*arguments)
    assert "directory" in refused(*arguments[:-1], str(tmp_path))
    assert "No such file" in refused(*arguments[:-1], str(tmp_path / "no" / "run"))


def test_the_seed_of_a_checkpoint_made_in_python(as_json, tmp_path):
    path = tmp_path / "run"
    result = ddz.simulate("standard", 100, "random", [1, 2], landlord=0, resume=path)
    found = as_json("simulate", "--deals", "100", "--resume", str(path))
    assert found["seed"] == {"entropy": [1, 2], "spawn_key": []}
    assert SimulationResult.from_dict(found["result"]) == result


@pytest.mark.parametrize(("name", "start"), [("a.png", b"\x89PNG"), ("b.SVG", b"<?xml")])
def test_plot(answer, tmp_path, name, start):
    path = tmp_path / name
    assert "landlord wins" in answer("simulate", "--deals", "500", "--plot", str(path))
    assert path.read_bytes().startswith(start)


def test_pictures_that_are_refused(refused, tmp_path, monkeypatch):
    run = ["simulate", "--deals", "10", "--json", "--plot"]
    assert "must end in .png or .svg" in refused(*run, str(tmp_path / "a.jpg"))
    assert "no file can be written there" in refused(*run, str(tmp_path / "no" / "a.png"))
    folder = tmp_path / "folder.png"
    folder.mkdir()
    assert "no file can be written there" in refused(*run, str(folder))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "matplotlib.figure", raising=False)
    assert "ddz_core[plot]" in refused(*run, str(tmp_path / "a.png"))


def test_processes_that_die_are_one_line(refused, monkeypatch):
    def simulate(*_, **__):
        raise RuntimeError("the executor lost its work 5 times")

    monkeypatch.setattr(ddz, "simulate", simulate)
    assert "lost its work 5 times" in refused("simulate", "--processes", "1", "--json")


def stopped(counts):
    """A simulate that finishes so many deals, and is stopped then."""
    real = ddz.simulate

    def simulate(rules, deals, *arguments, **keywords):
        result = real(rules, counts, *arguments, **keywords)
        return SimulationResult.from_dict({**result.as_dict(), "requested": deals})

    return simulate


@pytest.mark.parametrize("finished", [0, 700])
def test_a_run_that_was_stopped_is_marked(capsys, monkeypatch, tmp_path, finished):
    monkeypatch.setattr(ddz, "simulate", stopped(finished))
    path = tmp_path / "a.svg"
    arguments = ["simulate", "--auction", "--deals", "5000", "--plot", str(path)]
    assert cli.main(arguments) == 130
    printed = capsys.readouterr()
    assert printed.out.startswith(f"{finished} deals of 5,000 (partial: it was stopped)")
    assert "nan" not in printed.out
    assert path.exists() == (finished > 0)
    assert ("no picture" in printed.err) == (finished == 0)
    assert cli.main([*arguments[:-2], "--json"]) == 130
    found = json.loads(capsys.readouterr().out)
    assert (found["partial"], found["deals"], found["requested"]) == (True, finished, 5000)
    assert found["landlord"]["rate"] is None or finished


INTERRUPTED = """
import signal, sys, ddz_core
# A job in the background of a shell starts with the signal ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
from ddz_core import cli
real = ddz_core.simulate
def simulate(*arguments, progress=None, **keywords):
    def heard(done, deals):
        if progress is not None:
            progress(done, deals)
        print("playing", file=sys.stderr, flush=True)
    return real(*arguments, progress=heard, **keywords)
ddz_core.simulate = simulate
if __name__ == "__main__":
    sys.exit(cli.main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("extra", [["--json"], ["--policy", "rule", "--processes", "1"]])
def test_ctrl_c_shows_what_is_finished(extra, tmp_path):
    path = tmp_path / "run"
    arguments = ["simulate", "--deals", "1000000000", "--resume", str(path), *extra]
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr.readline() == "playing\n"
    at = time.monotonic()
    process.send_signal(signal.SIGINT)
    # A process that is just starting is waited for after this.
    out = process.stdout.readline()
    assert time.monotonic() - at < PATIENCE
    out += process.stdout.read()
    err = process.stderr.read()
    assert process.wait(60) == 130
    assert set(err.splitlines()) <= {"playing"}
    result = checkpoint.load(path)[0]
    assert 0 < result.deals < 10**9
    if "--json" in extra:
        found = json.loads(out)
        assert found["partial"]
        assert SimulationResult.from_dict(found["result"]) == result
    else:
        assert out.startswith(f"{result.deals:,} deals of 1,000,000,000 (partial: it was stopped)")
        assert row(out, "landlord wins")[1] == f"{result.landlord_win_rate:.3%}"


def test_python_m_runs_the_command():
    ended = subprocess.run(
        [sys.executable, "-m", "ddz_core.cli", "simulate", "--deals", "5", "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["deals"] == 5


# ---- odds ----------------------------------------------------------------------------------------


def check_estimate(found, expected):
    """A JSON answer is this Estimate or Rate."""
    assert found == {
        "mean": expected.mean,
        "se": expected.se,
        "interval": list(expected.interval()),
    }


@pytest.mark.parametrize("hand", [STRONG, WEAK])
@pytest.mark.parametrize(
    "case",
    [
        ([], "standard", "rule"),
        (["--rules", "pagat", "--policy", "random"], "pagat", "random"),
        (
            ["--landlord-policy", "greedy"],
            "standard",
            {"landlord": "greedy", "peasant": "rule"},
        ),
    ],
)
def test_odds(as_json, answer, hand, case):
    options, rules, policy = case
    arguments = ["odds", hand, "--deals", "300", "--seed", "4", *options]
    expected = ddz.evaluate_bid(hand, rules, 300, policy, 4)
    found = as_json(*arguments, "--threads", "1")
    assert found["hand"] == str(ddz.Hand(hand))
    assert (found["rules"], found["deals"], found["seed"]) == (rules, 300, 4)
    sides = [expected.landlord, expected.peasant, *expected.peasants]
    shown = [found["landlord"], found["peasant"], *found["peasants"]]
    for side, json_side in zip(sides, shown, strict=True):
        check_estimate(json_side["win_rate"], side.win_rate)
        check_estimate(json_side["score"], side.score)
        low, high = json_side["win_rate"]["interval"]
        assert 0 <= low < side.win_rate.mean < high <= 1
    assert [(bid["bid"], bid["standing"]) for bid in found["bids"]] == [
        ("1", 0), ("2", 0), ("3", 0), ("2", 1), ("3", 1), ("3", 2)
    ]  # fmt: skip
    for bid in found["bids"]:
        gain = expected.gain(bid["bid"], bid["standing"])
        check_estimate(bid["gain"], gain)
        assert bid["pays"] == (ddz.Bid.parse(bid["bid"]) in expected.worthwhile(bid["standing"]))
        assert bid["clear"] == (abs(gain.mean) > 2 * gain.se)
    text = answer(*arguments)
    assert text.startswith(f"{ddz.Hand(hand)}: 300 deals played by ")
    cells = row(text, "landlord")
    assert cells[1] == f"{expected.landlord.win_rate.mean:.2%}"
    assert cells[3:] == [f"{value:.4f}" for value in expected.landlord.score]
    assert row(text, "landlord is 2 seats on")[1] == f"{expected.peasants[1].win_rate.mean:.2%}"
    for bid, standing, after in ((3, 0, "no bid"), (2, 1, "1"), (3, 2, "2")):
        gain = expected.gain(bid, standing)
        cells = f"  {bid} {after} {gain.mean:+.4f} {gain.se:.4f} "
        cells += "pays" if gain.mean > 0 else "does not pay"
        assert cells in re.sub("(?<=[^ \n]) +", " ", text)


def test_odds_intervals_are_wilsons_where_each_deal_is_won_or_lost(as_json):
    found = as_json("odds", STRONG, "--deals", "500", "--seed", "1")
    for side in (found["landlord"], *found["peasants"]):
        rate = side["win_rate"]
        wins = round(rate["mean"] * 500)
        assert rate["interval"] == list(ddz.simulate(deals=500, seed=1).interval(wins))
    # The peasants' average is better known than one of them.
    bounds = [side["win_rate"]["interval"] for side in (found["peasant"], *found["peasants"])]
    average, *places = [high - low for low, high in bounds]
    assert average < min(places) < 1.5 * average
    # All won: Wilson's interval is not a point.
    sure = as_json("odds", "3456789TJQKA222BR", "--deals", "20", "--seed", "1")
    for side in (sure["landlord"], sure["peasant"]):
        low, high = side["win_rate"]["interval"]
        assert side["win_rate"]["mean"] == high == 1
        assert 0.7 < low < 1


def test_odds_of_a_hand_with_the_kitty(as_json, answer):
    hand = STRONG + "679"
    found = as_json("odds", hand, "--deals", "200", "--seed", "1")
    assert found["peasant"] is None
    assert found["peasants"] == found["bids"] == []
    text = answer("odds", hand, "--deals", "200")
    assert "peasant" not in text
    assert "bid" not in text


@pytest.mark.parametrize("robs", [0, 2])
def test_odds_of_a_duel(as_json, answer, robs):
    hand = "556677889TJQKA22B"
    arguments = ["odds", hand, "--rules", "duel", "--robs", str(robs), "--deals", "200"]
    found = as_json(*arguments, "--seed", "3")
    expected = ddz.evaluate_bid(hand, "duel", 200, seed=3, robs=robs)
    check_estimate(found["landlord"]["score"], expected.landlord.score)
    check_estimate(found["robber"]["score"], expected.robber.score)
    # After a rob nobody calls, and who passes in a duel is a peasant all the same.
    bids = ("call", "rob") if not robs else ("rob",)
    assert [(bid["bid"], bid["standing"]) for bid in found["bids"]] == [(bid, 1) for bid in bids]
    for bid in found["bids"]:
        check_estimate(bid["gain"], expected.gain(bid["bid"]))
        assert bid["pays"] == (ddz.Bid.parse(bid["bid"]) in expected.worthwhile())
    text = answer(*arguments, "--seed", "3")
    assert f"robs {robs}" in text
    name = "after 3 robs" if robs else "after one rob"
    assert row(text, name)[1] == f"{expected.robber.win_rate.mean:.2%}"
    gain = expected.gain("rob")
    cells = f"  rob {'2 robs' if robs else 'a call'} {gain.mean:+.4f} {gain.se:.4f} "
    shown = re.sub("(?<=[^ \n]) +", " ", text)
    assert cells in shown
    assert ("\n  call a pass " in shown) == (not robs)


def test_odds_of_a_duel_after_the_last_rob(as_json):
    hand = "556677889TJQKA22B"
    found = as_json("odds", hand, "--rules", "duel", "--robs", "4", "--deals", "20")
    assert found["robber"] is None
    assert found["bids"] == []


def test_odds_without_an_auction_have_no_bids(as_json):
    found = as_json("odds", STRONG, "--rules", "rlcard", "--deals", "50")
    assert found["bids"] == []
    assert found["peasant"]


def test_odds_of_four_players(as_json, answer):
    hand = str(Game("four_player", seed=1).hands[0])
    arguments = ["odds", hand, "--rules", "four_player", "--deals", "20", "--seed", "1"]
    found = as_json(*arguments)
    assert len(found["peasants"]) == 3
    text = answer(*arguments)
    means = [side["win_rate"]["mean"] for side in found["peasants"]]
    for name, rate in zip(("next", "2 seats on", "3 seats on"), means, strict=True):
        assert row(text, f"landlord is {name}")[1] == f"{rate:.2%}"


def test_odds_of_one_deal(as_json, answer):
    found = as_json("odds", STRONG, "--deals", "1")
    assert found["landlord"]["score"]["se"] is None
    assert found["landlord"]["score"]["interval"] == [None, None]
    assert found["bids"][0]["clear"] is False
    text = answer("odds", STRONG, "--deals", "1")
    assert "nan" not in text
    assert "(may be chance)" in text


# ---- evaluate ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def games():
    """A game before its first ply, after four, and to its end."""
    game = Game("standard", seed=5)
    game.bid(3)
    begun = game.copy()
    while len(game.moves) < 4:
        game.play(hint(game.observe(game.turn))[0])
    middle = game.copy()
    while game.phase == "play":
        game.play(hint(game.observe(game.turn))[0])
    return begun, middle, game


@pytest.fixture
def file(tmp_path):
    """Store a game."""

    def store(game, form="text"):
        path = tmp_path / "game"
        Record.from_game(game).save(path, format=form)
        return str(path)

    return store


def check_evaluation(found, game, **options):
    """An answer is that of `evaluate_moves` from the seat to play's own view."""
    seen = game.observe(game.turn)
    expected = ddz.evaluate_moves(seen, seed=found["seed"], **options)
    assert found["seat"] == seen.seat
    assert found["ply"] == len(game.moves) + 1
    assert found["hand"] == str(seen.hand)
    assert found["cards_left"] == list(seen.cards_left)
    assert (found["last"], found["last_seat"]) == (seen.last and str(seen.last), seen.last_seat)
    assert found["best"] == str(expected.best)
    assert (found["samples"], found["stopped"]) == (expected.samples, expected.stopped)
    assert [move["play"] for move in found["moves"]] == [str(one.move) for one in expected.moves]
    for move, one in zip(found["moves"], expected.moves, strict=True):
        for name in ("win_rate", "score", "difference"):
            check_estimate(move[name], getattr(one, name))
        low, high = move["win_rate"]["interval"]
        assert 0 <= low <= one.win_rate.mean <= high <= 1
    return expected


@pytest.mark.parametrize("form", ["text", "json"])
def test_evaluate(as_json, answer, games, file, form):
    _, game, _ = games
    path = file(game, form)
    arguments = ["evaluate", path, "--samples", "64", "--seed", "7"]
    found = as_json(*arguments, "--threads", "1")
    expected = check_evaluation(found, game, n=64)
    assert found["played"] is None
    text = answer(*arguments)
    assert text.startswith(f"Seat {game.turn}, peasant, ")
    best, second, *_ = expected.moves
    assert row(text, str(best.move)) == [
        str(best.move),
        f"{best.win_rate.mean:.2%}",
        f"{best.win_rate.se:.2%}",
        *(f"{value:.4f}" for value in best.score),
    ]
    behind = second.difference
    assert row(text, str(second.move))[5:] == [f"{behind.mean:+.4f}", f"{behind.se:.4f}"]
    places = [text.index(f"\n  {one.move} ") for one in expected.moves]
    assert places == sorted(places)


def test_evaluate_reads_standard_input(as_json, games, stdin):
    stdin(games[0].record().save().encode())
    found = as_json("evaluate", "-", "--samples", "16")
    check_evaluation(found, games[0], n=16)


def test_evaluate_options(as_json, answer, games, file):
    path = file(games[1])
    base = ["evaluate", path, "--seed", "1", "--samples"]
    found = as_json(*base, "64", "--by", "win_rate", "--policy", "greedy")
    check_evaluation(found, games[1], n=64, by="win_rate", policy="greedy")
    assert found["by"] == "win_rate"
    roles = {"landlord": "random", "peasant": "rule"}
    found = as_json(*base, "64", "--landlord-policy", "random")
    check_evaluation(found, games[1], n=64, policy=roles)
    assert found["policies"] == roles
    found = as_json(*base, "2000", "--stop-at", "0.5")
    check_evaluation(found, games[1], n=2000, stop_at=0.5)
    assert found["stopped"] == "clear"
    assert "the best move is clear" in answer(*base, "2000", "--stop-at", "0.5")
    assert as_json(*base, "1000000000", "--time-limit", "0.01")["stopped"] == "time"
    assert "the time is over" in answer(*base, "1000000000", "--time-limit", "0.01")
    by_rate = answer(*base, "64", "--by", "win_rate")
    assert "best win rate first" in by_rate
    assert re.search(r"-\d+\.\d\d%", by_rate)
    assert "nan" not in answer(*base, "1")
    assert as_json(*base, "1")["moves"][1]["score"]["se"] is None


@pytest.mark.parametrize("ply", [1, 2, 5, "last"])
def test_evaluate_an_earlier_ply(as_json, answer, games, file, ply):
    over = games[2]
    number = len(over.moves) if ply == "last" else ply
    path = file(over)
    found = as_json("evaluate", path, "--ply", str(number), "--samples", "16")
    game = Game(over.rules, deal=over.deals)
    game.bid(3)
    for _, move in over.moves[: number - 1]:
        game.play(move)
    check_evaluation(found, game, n=16)
    assert found["played"] == str(over.moves[number - 1][1])
    text = answer("evaluate", path, "--ply", str(number), "--samples", "16")
    assert row(text, found["played"])[-1] == "was played"


def test_evaluate_sees_only_what_the_seat_may_know(as_json, games, file):
    """Two records that differ in hidden cards alone have the same evaluation."""
    game = games[0]
    seat, deal = game.turn, game.deals[0]
    hands = list(deal.hands)
    one, other = (s for s in range(3) if s != seat)
    hands[one], hands[other] = hands[other], hands[one]
    swapped = Game(
        game.rules,
        deal=ddz.Deal(hands=tuple(hands), kitty=deal.kitty, opener=deal.opener),
    )
    swapped.bid(3)
    answers = [
        as_json("evaluate", file(which), "--seed", "1", "--samples", "64")
        for which in (game, swapped)
    ]
    for found in answers:
        del found["seconds"]
    assert answers[0] == answers[1]


def test_evaluate_a_duel_and_a_replay_of_rlcard(as_json, file, tmp_path):
    game = Game("duel", seed=2)
    while game.phase == "auction":
        game.bid(game.legal_bids()[-1])
    check_evaluation(as_json("evaluate", file(game), "--samples", "16"), game, n=16)
    deck = [suit + rank for rank in "3456789TJQKA2" for suit in "SHDC"] + ["BJ", "RJ"]
    replay = {
        "initHands": [" ".join(cards) for cards in (deck[34:], deck[:17], deck[17:34])],
        "playerInfo": [
            {"id": seat, "index": seat, "role": "peasant" if seat else "landlord"}
            for seat in range(3)
        ],
        "moveHistory": [{"playerIdx": 0, "move": "BJ RJ"}],
    }
    path = tmp_path / "replay.json"
    path.write_text(json.dumps(replay))
    found = as_json("evaluate", str(path), "--samples", "16")
    assert (found["seat"], found["last"], found["rules"]) == (1, "BR", "rlcard")


def test_records_that_cannot_be_evaluated(refused, games, file, tmp_path):
    begun, _, over = games
    n = len(over.moves)
    assert f"the game is over: --ply takes the position before one of its plies, 1 … {n}" in (
        refused("evaluate", file(over))
    )
    for ply in ("0", "-1", str(n + 1)):
        line = refused("evaluate", file(over), "--ply", ply)
        assert f"--ply is {ply}; the record has plies 1 … {n}" in line
    assert "1 … 1" in refused("evaluate", file(begun), "--ply", "2")
    auction = Game("standard", seed=3)
    assert "the auction is not over" in refused("evaluate", file(auction))
    assert "the auction is not over" in refused("evaluate", file(auction), "--ply", "1")
    void = Game("openspiel", seed=3)
    for _ in range(3):
        void.bid("pass")
    assert "nobody bid" in refused("evaluate", file(void))
    assert "nobody bid" in refused("evaluate", file(void), "--ply", "1")
    assert "No such file" in refused("evaluate", str(tmp_path / "nothing"))
    assert "directory" in refused("evaluate", str(tmp_path))
    path = tmp_path / "bad"
    path.write_text(begun.record().save()[:100])
    assert "cut off" in refused("evaluate", str(path))


# ---- bad input -----------------------------------------------------------------------------------

LONG = "9" * 5000
SIMULATE = [
    ["--deals", "0"],
    ["--deals", "-5"],
    ["--deals", "many"],
    ["--deals", "1e6"],
    ["--deals", LONG],
    ["--deals", str(10**30)],
    ["--deals", "10", "--threads", "0"],
    ["--deals", "10", "--threads", str(10**30)],
    ["--deals", "10", "--threads", "2.5"],
    ["--deals", "10", "--processes", "0"],
    ["--deals", "10", "--processes", "-1"],
    ["--deals", "10", "--processes", str(10**30)],
    ["--deals", "10", "--processes", "1", "--threads", "1"],
    ["--deals", "10", "--seed", "-1"],
    ["--deals", "10", "--seed", "0x10"],
    ["--policy", "nonsense"],
    ["--policy", ""],
    ["--landlord-policy", "nonsense"],
    ["--peasant-policy", "nonsense"],
    ["--auction", "yes"],
    ["--resume", ""],
    ["--resume", "a\0b"],
    ["--plot", ""],
    ["--plot", "a\0b.png"],
    ["--rules", "nonsense"],
    ["extra"],
]
ODDS = [
    [],
    ["z"],
    [STRONG[:-1]],
    [STRONG + "3"],
    [STRONG + "33333"],
    ["33334444555566667"[:16] + "7", "--rules", "duel"],
    [STRONG, "--rules", "nonsense"],
    [STRONG, "--rules", "four_player"],
    [STRONG, "--deals", "0"],
    [STRONG, "--deals", str(10**12)],
    [STRONG, "--deals", LONG],
    [STRONG, "--robs", "1"],
    [STRONG, "--robs", "-1"],
    [STRONG, "--policy", "nonsense"],
    [STRONG, "--landlord-policy", "nonsense"],
    [STRONG, "--peasant-policy", "nonsense"],
    [STRONG, "--seed", "-1"],
    [STRONG, "--threads", "0"],
    [STRONG, "extra"],
]
EVALUATE = [
    ["--samples", "0"],
    ["--samples", str(10**10)],
    ["--samples", "few"],
    ["--stop-at", "0"],
    ["--stop-at", "nan"],
    ["--stop-at", "inf"],
    ["--stop-at", "soon"],
    ["--time-limit", "-1"],
    ["--time-limit", "nan"],
    ["--by", "luck"],
    ["--policy", "nonsense"],
    ["--landlord-policy", "nonsense"],
    ["--peasant-policy", "nonsense"],
    ["--seed", "-1"],
    ["--threads", "0"],
    ["--ply", "x"],
    ["--rules", "standard"],
    ["extra"],
]


def name_of(arguments):
    return repr(" ".join(arguments))[:60]


@pytest.mark.parametrize("extra", [[], ["--json"]], ids=["table", "json"])
@pytest.mark.parametrize("arguments", SIMULATE, ids=name_of)
def test_bad_simulations(refused, tmp_path, monkeypatch, arguments, extra):
    monkeypatch.chdir(tmp_path)
    refused("simulate", *arguments, *extra)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("extra", [[], ["--json"]], ids=["table", "json"])
@pytest.mark.parametrize("arguments", ODDS, ids=name_of)
def test_bad_odds(refused, arguments, extra):
    refused("odds", *arguments, *extra)


@pytest.mark.parametrize("extra", [[], ["--json"]], ids=["table", "json"])
@pytest.mark.parametrize("arguments", EVALUATE, ids=name_of)
def test_bad_evaluations(refused, games, file, arguments, extra):
    refused("evaluate", file(games[0]), *arguments, *extra)


def test_evaluate_needs_a_file(refused):
    assert "FILE" in refused("evaluate")


@pytest.mark.parametrize("command", ["simulate", "odds", "evaluate"])
def test_help_names_every_option(capsys, command):
    with pytest.raises(SystemExit):
        cli.main([command, "--help"])
    shown = capsys.readouterr().out
    for option in ("--policy", "--landlord-policy", "--peasant-policy", "--seed", "--threads"):
        assert option in shown


def test_numbers_that_are_not_known_are_left_out():
    assert cli.output.without_nan({"a": (1.0, math.nan), "b": [math.nan]}) == {
        "a": [1.0, None],
        "b": [None],
    }
    assert cli.evaluation.difference(math.nan, "score") == ""
