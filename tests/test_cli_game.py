"""``ddz deal``, ``ddz replay`` and ``ddz referee`` on the command line."""

import json
import subprocess
import sys

import pytest

import ddz_core as ddz
from ddz_core.deal import card_name, deal
from ddz_core.game import Game
from ddz_core.observation import hint
from ddz_core.record import Record


def played(rules="standard", seed=0, redeals=0):
    """A whole game played by hints, with so many redeals."""
    while True:
        game = Game(rules, seed=seed)
        while game.phase == "auction" and game.redeals < redeals:
            game.bid("pass")
        while game.phase == "auction":
            game.bid(game.legal_bids()[-1])
        while game.phase == "play":
            game.play(hint(game.observe(game.turn))[0])
        return game


# ---- deal ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ddz.Rules.preset_names())
def test_deal(answer, name):
    made = deal(name, 7)
    found = json.loads(answer("deal", "--rules", name, "--seed", "7", "--json"))
    assert found["code"] == made.code
    assert found["opener"] == made.opener
    assert found["hands"] == [[card_name(card) for card in hand] for hand in made.hands]
    assert found["kitty"] == [card_name(card) for card in made.kitty]
    assert found["undealt"] == [card_name(card) for card in made.undealt]
    assert found["face_up"] == (None if made.face_up is None else card_name(made.face_up))
    table = answer("deal", "--rules", name, "--seed", "7")
    assert f"code {made.code}, opener {made.opener}" in table
    assert set(table.split()) >= {card_name(card) for hand in made.hands for card in hand}
    again = json.loads(answer("deal", "--code", made.code.lower(), "--json"))
    assert {name: again[name] for name in ("code", "hands", "kitty", "face_up")} == {
        name: found[name] for name in ("code", "hands", "kitty", "face_up")
    }


def test_a_deal_is_new_each_time_and_can_be_repeated(answer):
    first, second = (json.loads(answer("deal", "--json")) for _ in range(2))
    assert first["code"] != second["code"]
    repeated = answer("deal", "--seed", str(first["seed"]), "--json")
    assert json.loads(repeated) == first
    unshuffled = json.loads(answer("deal", "--unshuffled", "--seed", "3", "--json"))
    assert unshuffled["code"] == deal("standard", 3, style="unshuffled").code
    assert unshuffled["style"] == "unshuffled"


def test_deals_that_are_refused(refused):
    code = deal("duel", 1).code
    assert "deal code" in refused("deal", "--code", code[:-1])
    assert "players 2" in refused("deal", "--code", code, "--rules", "standard")
    assert "--seed" in refused("deal", "--code", code, "--seed", "1")
    assert "--seed" in refused("deal", "--code", code, "--unshuffled")
    assert "chess" in refused("deal", "--rules", "chess")
    assert "--seed is -1" in refused("deal", "--seed", "-1")


# ---- replay --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "redeals"), [("standard", 2), ("duel", 0), ("four_player", 0)])
@pytest.mark.parametrize("form", ["text", "json"])
def test_replay(answer, tmp_path, rules, redeals, form):
    game = played(rules, redeals=redeals)
    path = tmp_path / "game"
    Record.from_game(game, {"Seat0": "Ann"}).save(path, format=form)
    found = json.loads(answer("replay", str(path), "--json"))
    assert found["rules"] == rules
    assert found["tags"] == {"Seat0": "Ann"}
    assert found["deals"] == [each.code for each in game.deals]
    assert found["result"]["points"] == list(game.result.points)
    steps = found["steps"]
    assert [step["code"] for step in steps if "code" in step] == found["deals"]
    assert [step["opener"] for step in steps if "deal" in step] == [d.opener for d in game.deals]
    actions = [
        (step["seat"], step.get("bid", step.get("play"))) for step in steps if "seat" in step
    ]
    assert actions == [(seat, str(action)) for seat, action in game.actions]
    assert [step["ply"] for step in steps if "ply" in step] == list(range(1, len(game.moves) + 1))
    assert steps[-1]["hands"] == [str(hand) for hand in game.hands]
    table = answer("replay", str(path))
    assert "Seat0 Ann" in table
    assert f"points {' '.join(map(str, game.result.points))}" in table
    for ply, (seat, move) in enumerate(game.moves, 1):
        assert f"{ply}. {seat} {move} " in " ".join(table.split()) + " "


def test_replay_of_a_game_in_progress_and_of_a_void_one(answer, tmp_path, stdin):
    game = Game("standard", seed=3)
    stdin(game.record().save().encode())
    assert answer("replay", "-").rstrip().endswith("not over")
    game = Game("openspiel", seed=3)
    for _ in range(3):
        game.bid("pass")
    path = tmp_path / "void"
    game.record().save(path)
    assert "nobody bid: no points" in answer("replay", str(path))
    assert json.loads(answer("replay", str(path), "--json"))["result"]["points"] == [0, 0, 0]


def test_replay_of_a_showdown_game(answer, tmp_path):
    deck = [suit + rank for rank in "3456789TJQKA2" for suit in "SHDC"] + ["BJ", "RJ"]
    replay = {
        "initHands": [" ".join(cards) for cards in (deck[34:], deck[:17], deck[17:34])],
        "playerInfo": [
            {"id": seat, "index": seat, "role": "peasant" if seat else "landlord"}
            for seat in range(3)
        ],
        "moveHistory": [{"playerIdx": 0, "move": "BJ RJ"}],
    }
    for text in (json.dumps(replay), json.dumps(str(replay))):
        path = tmp_path / "replay.json"
        path.write_text(text)
        found = json.loads(answer("replay", str(path), "--json"))
        assert found["rules"] == "rlcard"
        assert found["steps"][-1]["play"] == "BR"


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_record_that_speaks_of_a_move_history_is_a_record(answer, tmp_path, form):
    path = tmp_path / "game"
    tags = {"moveHistory": "as in playerInfo", "Note": '"moveHistory": []'}
    Record.from_game(played(), tags).save(path, format=form)
    assert json.loads(answer("replay", str(path), "--json"))["tags"] == tags
    assert "moveHistory as in playerInfo" in " ".join(answer("replay", str(path)).split())


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_is_not_printable_is_escaped_in_tables(answer, tmp_path, form):
    path = tmp_path / "game"
    tags = {"Seat0": "\x1b]0;x\x07\x1b[31mé\n\r\x00\x7f\x9b\u202e\u2028斗😀", "Seat1": "[red]Bo"}
    Record.from_game(played(), tags).save(path, format=form)
    table = answer("replay", str(path))
    assert all(letter.isprintable() for letter in table.replace("\n", ""))
    shown = "".join(table.split())
    assert "\\x1b]0;x\\x07\\x1b[31mé\\n\\r\\x00\\x7f\\x9b\\u202e\\u2028斗😀" in shown
    assert "[red]Bo" in shown
    assert json.loads(answer("replay", str(path), "--json"))["tags"] == tags


def test_files_that_are_refused(refused, tmp_path):
    assert "No such file" in refused("replay", str(tmp_path / "nothing"))
    assert "directory" in refused("replay", str(tmp_path))
    path = tmp_path / "bad"
    text = played().record().save()
    for bad, reason in [
        (text[:200], "cut off"),
        (text.replace("[Base", "[base"), "line "),
        ("", "line 1"),
        ('{"moveHistory": []}', "playerInfo"),
        ('{"moveHistory": [', "no JSON at column"),
        ("{'moveHistory': [", "neither JSON nor a Python literal"),
        ('{"ddz_record": 2}', "version 2"),
    ]:
        path.write_text(bad)
        assert reason in refused("replay", str(path))
    path.write_bytes(b"\xff\xfe")
    assert "no UTF-8" in refused("replay", str(path))
    assert "replay" in refused("replay")


# ---- referee -------------------------------------------------------------------------------------


def test_referee(answer, stdin):
    record = played().record()
    stdin(b'{"do": "new", "seed": 1}\n\xff\n' + record.save().encode() + b'{"do": "undo"}')
    new, bad, whole, undone = map(json.loads, answer("referee", "--rules", "duel").splitlines())
    assert new["state"]["rules"] == "duel"
    assert bad["error"] == "malformed"
    assert whole["state"]["result"]["points"] == list(record.result.points)
    assert undone["state"]["phase"] == "play"


def test_referee_with_nothing_to_do(answer, refused, stdin):
    stdin(b"")
    assert answer("referee") == ""
    assert "chess" in refused("referee", "--rules", "chess")
    assert "--json" in refused("referee", "--json")


@pytest.mark.parametrize(("arguments", "code"), [(["referee"], 0), (["replay", "-"], 2)])
def test_a_closed_input_is_an_empty_one(arguments, code):
    program = "import sys; sys.stdin = None; from ddz_core.cli import main; sys.exit(main())"
    ended = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (code, "")
    assert "Traceback" not in ended.stderr
