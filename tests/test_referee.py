"""The referee: every line gets its answer, right or wrong, and a wrong one changes nothing."""

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ddz_core as ddz
from ddz_core.deal import card_name, deal
from ddz_core.game import Game
from ddz_core.record import Record
from ddz_core.referee import MAX_LINE, REQUESTS, Referee, answers

DOCUMENT = Path(__file__).parent.parent / "docs" / "referee-protocol.md"
COMMAND = [
    sys.executable,
    "-c",
    "import sys; from ddz_core.cli import main; sys.exit(main(['referee', *sys.argv[1:]]))",
]


def ask(referee, **request):
    """The one answer to a request; whatever it is, it can be written as JSON."""
    (answer,) = referee.answer(json.dumps(request))
    assert json.loads(json.dumps(answer, allow_nan=False)) == answer
    return answer


def state_of(referee, **request):
    answer = ask(referee, **request)
    assert answer["ok"], answer
    return answer["state"]


def refused(referee, error, **request):
    """The message of a request that is refused, and changes nothing."""
    before = referee.game and referee.game.copy()
    answer = ask(referee, **request)
    assert (answer["ok"], answer["error"]) == (False, error), answer
    assert referee.game == before
    return answer["message"]


@pytest.fixture
def referee():
    """A game of the standard rules in its play, seat 1 the landlord to lead."""
    made = Referee()
    state_of(made, do="new", seed=5, opener=1)
    assert state_of(made, do="bid", bid="3")["landlord"] == 1
    return made


# ---- whole games ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ddz.Rules.preset_names())
def test_whole_games_end_with_their_points(name):
    for seed in range(3):
        made, game = Referee(name), Game(name, seed=seed)
        draw = random.Random(seed)
        state = state_of(made, do="new", seed=seed, moves=True)
        while game.phase != "over":
            assert state["phase"] == game.phase
            assert state["turn"] == game.turn
            assert state["step"] == len(game.actions)
            assert state["hands"] == [str(hand) for hand in game.hands]
            assert state["cards_left"] == [len(hand) for hand in game.hands]
            assert state["legal_bids"] == [str(bid) for bid in game.legal_bids()]
            assert state["moves"] == [str(move) for move in game.legal_moves()]
            assert state["legal_moves"] == len(state["moves"])
            assert state["multiplier"] == game.multiplier
            assert state["result"] is None
            common = {"seat": game.turn, "step": state["step"], "moves": True}
            if game.phase == "auction":
                bid = draw.choice(state["legal_bids"])
                game.bid(bid)
                state = state_of(made, do="bid", bid=bid, **common)
            else:
                move = draw.choice(state["moves"])
                game.play(ddz.Move.parse(move, game.rules))
                state = state_of(made, do="play", cards=move, **common)
        assert made.game == game
        assert state["turn"] is None
        assert state["result"]["points"] == list(game.result.points)
        assert state["result"]["stake"] == game.result.stake
        assert state["result"]["winner"] == game.result.winner


def test_undo_goes_back_to_the_start(referee):
    start = referee.game.copy()
    start.undo()
    for _ in range(20):
        state_of(referee, do="play", cards=str(referee.game.legal_moves()[-1]))
    for step in range(20, -1, -1):
        assert state_of(referee, do="undo", step=step + 1)["step"] == step
    assert referee.game == start
    assert "nothing to undo" in refused(referee, "phase", do="undo")


def test_new_games():
    made = Referee("club")
    assert state_of(made, do="new")["rules"] == "club"
    assert state_of(made, do="new", number=4)["turn"] == 1
    assert state_of(made, do="new", rules="pagat", opener=2)["turn"] == 2
    code = Game("duel", seed=3).deal.code
    state = state_of(made, do="new", rules="duel", deal=code)
    assert (state["deal"], state["legal_bids"]) == (code, ["pass", "call"])
    state = state_of(made, do="new", rules={"auction": "none", "lowest_rank": "9", "hand_size": 5})
    assert (state["rules"], state["phase"], len(state["hands"])) == ("custom", "play", 3)
    assert state_of(made, do="new", seed=9) == state_of(made, do="new", seed=9)
    for request, message in [
        ({"rules": "chess"}, "rules: no rule set 'chess'"),
        ({"rules": {"players": 7}}, "rules: players is 7"),
        ({"rules": {"chess": 7}}, "rules: rules have no option 'chess'"),
        ({"opener": 3}, "opener"),
        ({"opener": -1}, "opener"),
        ({"number": -1}, "number"),
        ({"deal": code}, "players 2"),
    ]:
        assert message in refused(made, "value", do="new", **request)
    assert "deal code" in refused(made, "record", do="new", deal="x")


# ---- what is refused -----------------------------------------------------------------------------


def test_plays_that_are_refused(referee):
    hand = referee.game.hands[1]
    message = refused(referee, "illegal", do="play", cards=str(hand))
    assert "You do not hold" not in message
    missing = next(rank for rank in "3456789TJQKA2" if str(hand).count(rank) < 4)
    answer = ask(referee, do="play", cards=missing * 4)
    assert answer["reason"] == {
        "name": "NOT_IN_HAND",
        "sentence": ddz.Illegal.NOT_IN_HAND.value,
    }
    answer = ask(referee, do="play", cards="pass")
    assert answer["reason"]["name"] == "LEADER_MAY_NOT_PASS"
    assert "Z" in refused(referee, "cards", do="play", cards="Z")
    assert "seat 1's turn" in refused(referee, "turn", do="play", cards="pass", seat=2)
    assert "next one is 1" in refused(referee, "step", do="play", cards="3", step=0)
    refused(referee, "phase", do="bid", bid="1")


def test_bids_that_are_refused():
    made = Referee()
    for request in ({"do": "bid", "bid": "1"}, {"do": "undo"}, {"do": "state"}, {"do": "record"}):
        refused(made, "no_game", **request)
    state_of(made, do="new", seed=5, opener=1)
    state_of(made, do="bid", bid="2")
    for bid in ("1", "2", "call", "7", ""):
        refused(made, "illegal", do="bid", bid=bid)
    refused(made, "phase", do="play", cards="3")
    refused(made, "phase", do="why", cards="3")
    refused(made, "turn", do="bid", bid="3", seat=1)


def test_a_play_delivered_twice_is_carried_out_once(referee):
    move = str(referee.game.legal_moves()[0])
    request = {"do": "play", "cards": move, "step": 1}
    assert state_of(referee, **request)["step"] == 2
    refused(referee, "step", **request)


def test_cards_with_several_readings():
    made = Referee("openspiel")
    cards = "3334445556667778"
    dealt = deal("openspiel", seed=1, fixed={0: cards}, opener=0)
    state_of(made, do="new", deal=dealt.code)
    state_of(made, do="bid", bid="3")
    readings = ["333444555666+7778", "444555666777+3338"]
    before = made.game.copy()
    answer = ask(made, do="play", cards=cards)
    assert (answer["ok"], answer["error"], answer["readings"]) == (False, "ambiguous", readings)
    assert made.game == before
    assert ask(made, do="why", cards=cards)["legal"] is True
    assert state_of(made, do="play", cards=readings[1])["last"]["play"] == readings[1]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "a request is a JSON object, not ''"),
        ("   ", "a request is a JSON object"),
        ("[]", "not '[]'"),
        ("null", "not 'null'"),
        ('{"do": "state"', "no JSON at column"),
        ('{"do": "state", "do": "undo"}', "'do' occurs twice"),
        ('{"do": "state", "x": NaN}', "NaN is no JSON number"),
        ("{}", "do is None; it must be new, bid"),
        ('{"do": ["new"]}', "do is"),
        ('{"do": "chess"}', "do is 'chess'"),
        ('{"do": "state", "seat": 1}', "state has no member 'seat'"),
        ('{"do": "bid"}', "bid needs the member 'bid'"),
        ('{"do": "bid", "bid": 3}', "bid is 3; it must be a text"),
        ('{"do": "play", "cards": ["3"]}', "it must be a text"),
        ('{"do": "play", "cards": "3", "seat": true}', "seat is True; it must be a whole number"),
        ('{"do": "play", "cards": "3", "step": 1.0}', "step is 1.0"),
        ('{"do": "state", "moves": 1}', "moves is 1; it must be true or false"),
        ('{"do": "new", "rules": 3}', "rules is 3; it must be a text or an object"),
        ('{"do": "new", "seed": -1}', "seed is -1; it must be at least 0"),
        ('{"do": "record", "format": "xml"}', "format is 'xml'"),
        ('{"do": "record", "tags": {"A": 1}}', "tags are an object of texts"),
        ('{"do": "state", "id": 1e999}', "id is inf"),
        ('{"do": "state", "id": null}', "id is None"),
        ("[" * 100_000, "nested too deeply"),
        ('{"do": ' + "[" * 900 + "]" * 900 + "}", "do is"),
        (b'{"do": "st\xffte"}', "the byte 0xff at 10 is no UTF-8 text"),
        ("x" * (MAX_LINE + 1), "a line of more than"),
    ],
)
def test_malformed_lines(referee, line, message):
    before = referee.game.copy()
    (answer,) = referee.answer(line)
    assert (answer["ok"], answer["error"], answer["reason"]) == (False, "malformed", None)
    assert message in answer["message"]
    assert referee.game == before
    assert state_of(referee, do="state")["step"] == 1


def test_ids_come_back(referee):
    for key in ("a", 0, 10**30, "\ud800"):
        assert ask(referee, do="state", id=key)["id"] == key
        assert ask(referee, do="chess", id=key)["id"] == key
        assert ask(referee, do="play", cards="pass", id=key)["id"] == key


# ---- views ---------------------------------------------------------------------------------------


def test_observations_hold_no_other_hand(referee):
    for seat in range(3):
        seen = ask(referee, do="observe", seat=seat, moves=True)["observation"]
        hands = [str(hand) for hand in referee.game.hands]
        text = json.dumps(seen)
        assert seen["hand"] == hands[seat]
        assert not any(hands[other] in text for other in range(3) if other != seat)
        assert seen["legal_moves"] == len(seen["moves"])
        assert (seen["legal_moves"] > 0) == (seat == 1)
    assert "seat is 3" in refused(referee, "value", do="observe", seat=3)


def test_the_face_up_card_is_known_to_all():
    made = Referee()
    dealt = deal("pagat", seed=4)
    assert state_of(made, do="new", rules="pagat", deal=dealt.code)["face_up"] == card_name(
        dealt.face_up
    )
    for seat in range(3):
        seen = ask(made, do="observe", seat=seat)["observation"]
        assert seen["face_up"] == card_name(dealt.face_up)
    assert state_of(made, do="new", rules="standard")["face_up"] is None
    assert ask(made, do="observe", seat=0)["observation"]["face_up"] is None


def test_why(referee):
    hand = str(referee.game.hands[1])
    assert ask(referee, do="why", cards=hand[0]) == {"ok": True, "legal": True, "reason": None}
    answer = ask(referee, do="why", cards=hand)
    assert answer["legal"] is False
    assert answer["reason"]["sentence"] == ddz.Illegal[answer["reason"]["name"]].value


# ---- records -------------------------------------------------------------------------------------


def test_records_in_and_out(referee):
    for _ in range(9):
        state = state_of(referee, do="play", cards=str(referee.game.legal_moves()[-1]))
    tags = {"Seat0": "Ann"}
    text = ask(referee, do="record", format="text", tags=tags)["record"]
    values = ask(referee, do="record", tags=tags)["record"]
    assert Record.load(text) == Record.load(json.dumps(values))
    assert Record.load(text).tags == tags
    assert refused(referee, "record", do="record", tags={"Result": "x"})
    for request in (
        [json.dumps({"do": "load", "record": text})],
        [json.dumps({"do": "load", "record": values})],
        [json.dumps(values)],
        text.splitlines(keepends=True),
        text.replace("\n", "\r\n").encode().splitlines(keepends=True),
    ):
        (answer,) = answers(request)
        assert answer == {"ok": True, "state": state}


def test_a_bad_record_changes_nothing(referee):
    text = Game("club", seed=3).record().save()
    before = referee.game.copy()
    assert "version '2'" in refused(
        referee, "record", do="load", record=text.replace('Record "1"', 'Record "2"')
    )
    refused(referee, "record", do="load", record={})
    refused(referee, "record", ddz_record=1)
    lines = text.splitlines()
    for i in range(1, len(lines) - 1):
        given = [answer for line in (*lines[:i], lines[-1]) for answer in referee.answer(line)]
        assert [answer["error"] for answer in given] == ["record"]
    assert referee.game == before


def test_a_record_that_is_cut_off_is_noticed(referee):
    text = Game("club", seed=3).record().save()
    lines = text.splitlines()
    for line in lines[:4]:
        assert referee.answer(line) == []
    cut, state = referee.answer('{"do": "state"}')
    assert (cut["error"], state["ok"]) == ("record", True)
    assert "line 4: the record is cut off" in cut["message"]
    for line in lines[:4]:
        assert referee.answer(line) == []
    assert [answer["error"] for answer in referee.answer(lines[0])] == ["record"]
    assert [answer["error"] for answer in referee.end()] == ["record"]
    assert referee.end() == []
    assert [answer["error"] for answer in answers(lines[:-1])] == ["record"]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ('{"do": "state"}', None),
        (b"ab\xff", "malformed"),
        ("x" * (MAX_LINE + 1), "malformed"),
        (b"x" * (MAX_LINE + 1), "malformed"),
    ],
)
def test_what_ends_a_record_that_is_cut_off(referee, line, error):
    lines = Game("club", seed=3).record().save().splitlines()
    for each in lines[:4]:
        assert referee.answer(each) == []
    cut, answer = referee.answer(line)
    assert (cut["error"], answer.get("error")) == ("record", error)
    assert "line 4: the record is cut off" in cut["message"]
    assert referee.end() == []


def test_a_new_record_ends_one_that_is_cut_off(referee):
    lines = Game("club", seed=3).record().save().splitlines()
    given = [referee.answer(line) for line in (*lines[:4], *lines)]
    assert [len(answers) for answers in given] == [0] * 4 + [1] + [0] * (len(lines) - 2) + [1]
    assert given[4][0]["error"] == "record"
    assert given[-1][0]["ok"]


def test_a_bad_json_record_is_told_by_line_and_member(referee):
    values = json.loads(Game("club", seed=3).record().save(format="json"))
    values["moves"] = [[0, "3"]]
    (answer,) = referee.answer(json.dumps(values))
    assert answer["message"].startswith("line 1, moves[0]: ply 1: the auction is not over")
    message = refused(referee, "record", do="load", record=values)
    assert message.startswith("moves[0]: ply 1: the auction is not over")


def test_the_largest_line_is_answered(referee):
    """Its last name is there twice: to count each name among all of them would take hours."""
    last = MAX_LINE // 14
    names = ",".join(f'"a{number}":0' for number in range(last + 1))
    (answer,) = referee.answer(f'{{{names},"a{last}":0}}')
    assert answer["message"] == f"a{last}: the member 'a{last}' occurs twice in one object"
    assert state_of(referee, do="state")["step"] == 1


# ---- anything ------------------------------------------------------------------------------------

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 4),
    st.integers(),
    st.floats(),
    st.text(max_size=4),
    st.sampled_from(["pass", "1", "3", "call", "rob", "33", "3", "BR", "text", "json", "duel"]),
    st.just({"players": 2}),
    st.lists(st.integers(), max_size=2),
)
MEMBERS = sorted({name for request in REQUESTS.values() for name in request.members})
LINES = st.one_of(
    st.binary(max_size=40),
    st.text(max_size=40),
    st.fixed_dictionaries(
        {"do": st.sampled_from(sorted(REQUESTS))},
        optional={name: VALUES for name in (*MEMBERS, "id")},
    ).map(json.dumps),
    st.builds(
        lambda do, name, value: json.dumps({"do": do, name: value}),
        st.sampled_from(sorted(REQUESTS)),
        st.sampled_from(MEMBERS),
        VALUES,
    ),
    st.sampled_from(Game("club", seed=3).record().save().splitlines()),
)


@settings(max_examples=200)
@given(st.lists(LINES, max_size=12))
def test_any_lines_get_answers(lines):
    referee = Referee()
    state_of(referee, do="new", seed=1)
    for line in lines:
        before = referee.game.copy()
        given = referee.answer(line)
        assert len(given) <= 2
        for answer in given:
            assert isinstance(answer["ok"], bool)
            json.loads(json.dumps(answer, allow_nan=False))
        if not any(answer["ok"] for answer in given):
            assert referee.game == before
    referee.end()
    assert state_of(referee, do="new", seed=1)["step"] == 0


# ---- the document and the command ----------------------------------------------------------------


def test_the_transcript_in_the_document():
    (transcript,) = re.findall(r"```\n(> .*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    pairs = re.findall(r"> (.*)\n< (.*)\n", transcript)
    assert len(pairs) == transcript.count("\n") // 2 >= 15
    given = list(answers(line for line, _ in pairs))
    for (_, written), answer in zip(pairs, given, strict=True):
        expected = json.loads(written)
        if expected.get("error") == "malformed":  # in the words of Python's own JSON reader
            del answer["message"], expected["message"]
        assert answer == expected
    assert given[-2]["state"]["result"]["points"] == [4, -2, -2]


def test_the_document_names_every_request_and_member():
    text = DOCUMENT.read_text(encoding="utf-8")
    for name, request in REQUESTS.items():
        row = next(line for line in text.splitlines() if line.startswith(f"| `{name}` "))
        assert all(f"`{member}`" in row for member in request.members)
    referee = Referee()
    state = state_of(referee, do="new", moves=True)
    seen = ask(referee, do="observe", seat=0)["observation"]
    assert all(f"`{name}`" in text for name in (*state, *seen))
    assert f"({MAX_LINE:,} bytes" in text


def test_the_command_answers_at_once():
    process = subprocess.Popen(
        [*COMMAND, "--rules", "duel"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    for line, error in [
        (b'{"do": "new", "seed": 1}\n', None),
        (b"\xff\n", "malformed"),
        (b'{"do": "bid", "bid": "call"}\r\n', None),
        (b"\n", "malformed"),
        (b"x" * (MAX_LINE + 1000) + b"\n", "malformed"),
        (b'{"do": "bid", "bid": "call"}\n', "illegal"),
    ]:
        process.stdin.write(line)
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        assert answer.get("error") == error
        assert answer["ok"] == (error is None)
    process.stdin.write(b'{"do": "state"}')
    process.stdin.close()
    assert json.loads(process.stdout.read())["state"]["bids"][0][1] == "call"
    process.stdout.close()
    assert process.wait(timeout=60) == 0
