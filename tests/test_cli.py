"""The command ``ddz``: right answers as tables and as JSON, and one clear line for bad input."""

import json
import os
import re
import subprocess
import sys

import pytest

import ddz_core as ddz
from ddz_core import cli

COMMAND = [sys.executable, "-c", "import sys; from ddz_core.cli import main; sys.exit(main())"]


def run(*arguments, **keywords):
    """Run a command in a process of its own."""
    keywords = {"capture_output": True, "text": True, "timeout": 300, **keywords}
    return subprocess.run([*COMMAND, *arguments], check=False, **keywords)


# ---- moves ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "beat", "rules"),
    [
        ("33344456BR", None, None),
        ("5667TJQKA2", "5", None),
        ("33334444", "34567", "botzone"),
        ("55667788 10 10", None, "duel"),
        ("333444555666", "777888999+JJJ", "openspiel"),
        ("", None, None),
        ("34", "BR", None),
    ],
)
def test_moves(as_json, answer, hand, beat, rules):
    arguments = ["moves", hand, *(["--beat", beat] if beat else [])]
    arguments += ["--rules", rules] if rules else []
    moves = ddz.legal_moves(hand, beat, rules)
    found = as_json(*arguments)
    assert found["count"] == len(moves)
    assert [move["play"] for move in found["moves"]] == [str(move) for move in moves]
    assert [move["kind"] for move in found["moves"]] == [move.kind.name for move in moves]
    assert found["rules"] == rules or (rules is None and found["rules"] == "standard")
    assert answer(*arguments, "--count") == f"{len(moves)}\n"
    counted = as_json(*arguments, "--count")
    assert counted == {key: value for key, value in found.items() if key != "moves"}
    table = answer(*arguments)
    assert set(table.split()) >= {str(move) for move in moves}


def test_the_table_of_moves_has_one_group_for_each_kind(answer):
    text = answer("moves", "33344456BR")
    assert text.startswith("29 legal moves\n")
    for row in ("single 6 3 4 5 6 B R", "triple + pair 2 333+44 444+33", "rocket 1 BR"):
        assert row in re.sub(r" +", " ", text)


# ---- classify ------------------------------------------------------------------------------------


def test_classify_lists_every_reading(as_json, answer):
    found = as_json("classify", "333444555666", "--rules", "openspiel")
    assert [reading["play"] for reading in found["readings"]] == [
        "333444555666",
        "333444555+666",
        "444555666+333",
    ]
    assert found["readings"][1] == {
        "play": "333444555+666",
        "kind": "AIRPLANE_SINGLES",
        "rank": "5",
        "length": 3,
        "n_cards": 12,
    }
    assert found["reason"] is None
    assert "444555666+333" in answer("classify", "333444555666", "--rules", "openspiel")
    one = as_json("classify", "444555666+333", "--rules", "openspiel")
    assert [reading["play"] for reading in one["readings"]] == ["444555666+333"]


@pytest.mark.parametrize(
    ("cards", "rules", "reason"),
    [
        ("33334", "standard", ddz.Illegal.KICKER_OF_MAIN_RANK),
        ("TJQKA2", "standard", ddz.Illegal.CHAIN_HAS_TWO_OR_JOKER),
        ("333444555+666", "standard", ddz.Illegal.KICKERS_TOO_MANY_EQUAL),
        ("444455", "openspiel", ddz.Illegal.KIND_NOT_IN_RULES),
    ],
)
def test_classify_says_why_not(as_json, answer, cards, rules, reason):
    found = as_json("classify", cards, "--rules", rules)
    assert found["readings"] == []
    assert found["reason"] == {"name": reason.name, "sentence": reason.value}
    assert reason.value in answer("classify", cards, "--rules", rules)


# ---- turns ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("hand", ["33344456789TJQK22BR", "3", "", "3579JK2"])
def test_turns(as_json, answer, hand):
    found = as_json("turns", hand)
    assert found["turns"] == ddz.min_turns(hand)
    assert len(found["plays"]) == found["turns"]
    cards = "".join(play["play"].replace("+", "") for play in found["plays"])
    assert ddz.Hand(cards) == ddz.Hand(hand)
    assert all(play["play"] in answer("turns", hand) for play in found["plays"])


# ---- perft ---------------------------------------------------------------------------------------


def test_perft_of_a_position(as_json, answer):
    position = ddz.Position(["33456", "3446", "556"])
    text = position.to_string()
    found = as_json("perft", text, "--depth", "4")
    assert found["position"] == text
    assert found["leaves"] == ddz.perft(position, 4)
    assert [row["leaves"] for row in found["depths"]] == [ddz.perft(position, d) for d in range(5)]
    assert f"{found['leaves']:,} leaves" in answer("perft", text, "--depth", "4")
    divided = as_json("perft", text, "--depth", "3", "--divide")
    assert divided["divide"] == {str(m): n for m, n in ddz.divide(position, 3).items()}
    assert divided["leaves"] == ddz.perft(position, 3)
    assert "33" in answer("perft", text, "--depth", "3", "--divide")


@pytest.mark.parametrize("rules", ddz.Rules.preset_names())
def test_perft_of_a_random_deal(as_json, rules):
    found = as_json("perft", "--depth", "2", "--rules", rules)
    again = as_json("perft", "--depth", "2", "--rules", rules, "--seed", "0")
    other = as_json("perft", "--depth", "2", "--rules", rules, "--seed", "1")
    assert found["position"] == again["position"] != other["position"]
    position = ddz.Position.from_string(found["position"])
    assert position.rules == ddz.Rules.preset(rules)
    assert len(position.hands) == position.rules.players
    assert found["leaves"] == ddz.perft(position, 2)


# ---- bad input -----------------------------------------------------------------------------------

BAD = [
    [],
    ["nonsense"],
    ["--nonsense"],
    ["moves"],
    ["moves", "xyz"],
    ["moves", "33333"],
    ["moves", "333333333"],
    ["moves", "BB"],
    ["moves", "3" * 100_000],
    ["moves", "3333444455556666777788"],
    ["moves", "3", "--rules", "nonsense"],
    ["moves", "3", "--rules", "duel"],
    ["moves", "3", "--beat", "334"],
    ["moves", "3", "--beat", "x"],
    ["moves", "3", "--beat", ""],
    ["moves", "3", "--beat"],
    ["moves", "3", "4"],
    ["moves", "3\n4\nz"],
    ["moves", "\udcff"],
    ["moves", "3", "--cou"],
    ["classify"],
    ["classify", ""],
    ["classify", "+"],
    ["classify", "33+"],
    ["classify", "3+4+5"],
    ["classify", "?"],
    ["classify", "33333"],
    ["turns", "z"],
    ["turns", "33333"],
    ["perft", "nonsense"],
    ["perft", "nonsense 3/4 0 0"],
    ["perft", "standard 3/4 0 9"],
    ["perft", "standard 3/4 0 0", "--seed", "3"],
    ["perft", "standard 3/4 0 0", "--rules", "duel"],
    ["perft", "--seed", "-1"],
    ["perft", "--seed", "x"],
    ["perft", "--depth", "-1"],
    ["perft", "--depth", "0", "--divide"],
    ["perft", "--depth", "2.5"],
    ["perft", "--depth", "1000000"],
    ["perft", "--depth", "9" * 5000],
]


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("arguments", BAD, ids=lambda arguments: repr(" ".join(arguments))[:60])
def test_bad_input_is_one_line_and_exit_code_2(refused, arguments, as_json):
    extra = ["--json"] if as_json and arguments and arguments[0] in {"moves", "perft"} else []
    refused(*arguments, *extra)


def test_bad_input_in_a_process_of_its_own():
    ended = run("moves", "33x")
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr == (
        "ddz: unknown card 'x' in '33x'; cards are written 3456789TJQKA2BR (10 is accepted for T)\n"
    )


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["simulate", "--help"]])
def test_help_and_version(capsys, arguments):
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert "ddz" in printed.out
    if "--version" in arguments:
        assert printed.out == f"ddz_core {ddz.__version__}\n"


WITHOUT_RICH = """
import sys
sys.modules["rich"] = None
from ddz_core.cli import main
sys.exit(main())
"""


@pytest.mark.parametrize("arguments", [["moves", "34"], ["simulate"], ["perft"], ["turns", "34"]])
def test_without_rich_the_extra_is_named_and_json_works(arguments):
    def call(*more):
        return subprocess.run(
            [sys.executable, "-c", WITHOUT_RICH, *arguments, *more],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    ended = call()
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert "ddz_core[cli]" in ended.stderr
    assert ended.stderr.count("\n") == 1
    ended = call("--json")
    assert ended.returncode == 0
    assert json.loads(ended.stdout)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes")
@pytest.mark.parametrize("extra", [[], ["--json"]])
def test_a_closed_pipe_is_no_error(extra):
    hand = "333444555666778899TJ"
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ended = run(
            "moves", hand, *extra, stdout=writing, stderr=subprocess.PIPE, capture_output=False
        )
    finally:
        os.close(writing)
    assert ended.stderr == ""
    assert ended.returncode == 141


def test_output_that_a_terminal_cannot_show():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    ended = run("simulate", "--deals", "10", env=environment)
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_the_progress_bar_is_on_stderr_of_a_terminal_only():
    import pty  # noqa: PLC0415

    main_end, terminal = pty.openpty()
    ended = run(
        "simulate",
        "--deals",
        "200000",
        stderr=terminal,
        stdout=subprocess.PIPE,
        capture_output=False,
    )
    os.close(terminal)
    shown = os.read(main_end, 100_000).decode(errors="replace")
    os.close(main_end)
    assert ended.returncode == 0
    assert "deals" in shown
    assert "\x1b" not in ended.stdout
    assert ended.stdout.startswith("200,000 deals")


@pytest.mark.parametrize(
    ("command", "rules"),
    [
        ("moves", "(standard)"),
        ("solve", "(that of the position, and no other)"),
        ("perft", "(standard; that of the position, and no other, if there is one)"),
        ("puzzle", "(douzero)"),
    ],
)
def test_help_says_which_rules_are_taken(capsys, command, rules):
    with pytest.raises(SystemExit):
        cli.main([command, "--help"])
    assert rules in " ".join(capsys.readouterr().out.split())
