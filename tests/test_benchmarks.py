"""The comparison with other libraries runs, and leaves out what is not installed."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

for needed in ("rich", "gymnasium", "pettingzoo"):
    pytest.importorskip(needed)

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"
SMALL = ["--rounds", "1", "--seconds", "0.01", "--games", "4", "--deals", "5", "--json"]
PEERS = ("rlcard", "pyspiel", "douzero")
OURS = {
    "DouZero": {"VectorEnv: none", "VectorEnv: DouZero's, z a row", "interop.douzero.Env"},
    "RLCard": {"PettingZoo: from the info", "PettingZoo: from the mask", "interop.rlcard"},
    "OpenSpiel": {"VectorEnv: ours"},
}
WITHOUT_PEERS = f"""
import runpy, sys
sys.modules.update(dict.fromkeys({PEERS}))  # so that importing them fails
sys.path.insert(0, {str(BENCHMARKS)!r})
sys.argv[0] = "compare.py"
runpy.run_path({str(BENCHMARKS / "compare.py")!r}, run_name="__main__")
"""


def run(*arguments):
    return subprocess.run(
        [sys.executable, *arguments, *SMALL], check=True, capture_output=True, text=True
    )


def check_environments(sections):
    for title, rows in sections.items():
        assert set(rows) >= OURS[title]
        for row in rows.values():
            assert row["steps_a_second"] > 0
            # Random games: about six legal moves each, on the whole, and sixty steps.
            assert 1 < row["legal_actions"] < 100


def test_everything_in_one_run():
    results = json.loads(run(BENCHMARKS / "compare.py").stdout)
    assert set(results) == {"queries", "environments", "observations"}
    check_environments(results["environments"])
    for peer, title in zip(PEERS, ("RLCard", "OpenSpiel", "DouZero"), strict=True):
        rows = results["environments"][title].values()
        there = find_spec(peer) is not None
        assert sum("ratio" in row for row in rows) == (len(rows) - 1 if there else 0)
        assert (title in results["observations"]) is there
        assert (title in results["queries"]["libraries"]) is there


def test_without_the_other_libraries():
    found = run("-c", WITHOUT_PEERS, "--parts", "environments", "observations")
    results = json.loads(found.stdout)
    check_environments(results["environments"])
    assert not any(
        "ratio" in row for rows in results["environments"].values() for row in rows.values()
    )
    assert results["observations"] == {}
    for title in OURS:
        assert f"{title} with its observations is left out" in found.stderr
