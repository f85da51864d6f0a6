"""Whatever is thrown at the library, it answers or raises what it promises."""

import subprocess
import sys
from pathlib import Path

import fuzz
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ddz_core as ddz

EXAMPLES = 1000


@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_call_answers_or_raises_what_it_promises(data):
    fuzz.throw(data)


@pytest.mark.parametrize("seed", [1, 2])
def test_no_call_crashes_the_process(seed, tmp_path):
    log = tmp_path / "last_call.txt"
    ended = subprocess.run(
        [sys.executable, "-X", "faulthandler", fuzz.__file__, str(seed), str(EXAMPLES), str(log)],
        cwd=Path(fuzz.__file__).parent,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ended.returncode == 0, f"{log.read_text()[:2000]}\n{ended.stderr[-4000:]}"


def test_every_public_function_is_thrown_at():
    # Types of their own, thrown at by their methods' names.
    left_out = {"Rules", "Kind", "Rank", "Illegal", "Bid", "move_dtype", "SUITS"}
    left_out |= {
        "Observation",
        "Phase",
        "Result",
        "Policy",
        "SimulationResult",
        "WeightedSample",
        "Solution",
    }
    left_out |= {"Analysis", "Rate"}
    left_out |= {"MoveEstimate", "MoveEvaluation", "SideEstimate", "BidEvaluation"}
    left_out |= {"InvalidCardsError", "PhaseError", "RecordError", "PlayoutStats", "Estimate"}
    assert set(ddz.__all__) - left_out <= set(fuzz.CALLS)
