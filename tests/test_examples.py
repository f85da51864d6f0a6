"""The examples run, with small settings, and say what they should."""

import importlib.util
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ddz_core as ddz
from ddz_core.interop import botzone

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
SMALL = {
    "vector_env": (["--games", "8", "--steps", "60", "--test", "20"], r"linear landlord wins \d+%"),
    "pettingzoo_env": (["--games", "10", "--test", "5"], r"linear landlord wins \d+%"),
    "rlcard_env": (["--games", "10", "--test", "5"], r"linear landlord wins \d+%"),
    "openspiel_game": (
        ["--train", "5", "--test", "20", "--games", "1", "--simulations", "4"],
        r"linear landlord wins \d+%.*\n.*searched and got .*\n.*points a game",
    ),
    "ismcts": (["--games", "1", "--simulations", "10"], r"won \d of 1 games"),
    "douzero_actor": (["--steps", "600", "--unroll", "20"], r"'landlord': [1-9]"),
    "botzone_bot": (["--games", "2"], r"won \d of 2 games"),
}
NEEDS = {
    "vector_env": "gymnasium",
    "pettingzoo_env": "pettingzoo",
    "openspiel_game": "pyspiel",
}


def load(name):
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_example_is_run_here():
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(SMALL)


@pytest.mark.parametrize("name", SMALL)
def test_example(name, capsys):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    arguments, said = SMALL[name]
    load(name).main(arguments)
    assert re.search(said, capsys.readouterr().out)


def test_the_botzone_bot_answers_a_line(capsys, monkeypatch):
    asked = botzone.Judge(ddz.deal("botzone", seed=1)).request()
    monkeypatch.setattr(sys, "stdin", io.StringIO(asked + "\n"))
    load("botzone_bot").main([])
    said = json.loads(capsys.readouterr().out)
    assert set(said["response"]) <= set(botzone.read(asked).cards)


def test_they_are_programs():
    found = subprocess.run(
        [sys.executable, EXAMPLES / "ismcts.py", "--help"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert "--simulations" in found.stdout


def test_the_ismcts_player_has_at_most_80_lines():
    assert len((EXAMPLES / "ismcts.py").read_text().splitlines()) <= 80


def test_the_ismcts_player_takes_a_win():
    game = ddz.Game("douzero", seed=1)
    while game.turn is not None:
        seen = game.observe(game.turn)
        wins = [m for m in seen.legal_moves if m.n_cards == len(seen.hand)]
        if wins:
            found = load("ismcts").search(seen, 200, np.random.default_rng(1))
            assert found.n_cards == len(seen.hand)
            return
        game.play(ddz.hint(seen)[0])
    pytest.fail("nobody ever had a last play")
