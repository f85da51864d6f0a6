"""Refusals name the place, and no input takes more than its length."""

import json
import re
import sys

import pytest

import ddz_core as ddz
from ddz_core.deal import deal
from ddz_core.game import Game
from ddz_core.record import Record, record_from_json
from ddz_core.record_json import _checksum
from ddz_core.record_values import MAX_DEALS
from ddz_core.strict_json import line_of, parse_json, path_name

SMALL = ddz.Rules.standard().replace(name="small", lowest_rank=ddz.Rank.NINE, hand_size=6)


def finished(rules="standard", redeals=1):
    game = Game(rules, seed=4)
    while game.redeals < redeals:
        game.bid("pass")
    while game.phase == "auction":
        game.bid(game.legal_bids()[-1])
    while game.phase == "play":
        game.play(game.legal_moves()[0])
    return game


def values_of(rules="standard"):
    tags = {"Seat0": "Ann", "Note": 'moves": [ {} \\" ] '}
    return json.loads(Record.from_game(finished(rules), tags).save(format="json"))


def change(values, path, new):
    """Put something at a path."""
    *steps, last = path
    for step in steps:
        values = values[step]
    values[last] = new


def line_by_hand(values, path):
    """The line of a member in `json.dumps(values, indent=1)`, found by a mark in its place."""
    marked = json.loads(json.dumps(values))
    change(marked, path, "@@@")
    before, mark, _ = json.dumps(marked, indent=1).partition("@@@")
    assert mark
    return before.count("\n") + 1


def refusal(text):
    with pytest.raises(ddz.RecordError) as caught:
        Record.load(text)
    return str(caught.value)


@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.parametrize(
    ("path", "new", "reason"),
    [
        (("ddz_record",), 2, "version 2"),
        (("rules",), "chess", "no rule set"),
        (("rules",), 5, "rules are"),
        (("tags",), [], "tags are an object"),
        (("tags", "Seat0"), 5, "tags are an object"),
        (("tags", "Winner"), "x", "tag 'Winner': the format"),
        (("tags", "Note"), "x" * 1001, "tag 'Note': 1001 letters"),
        (("deals",), {}, "deals are a list"),
        (("deals",), [], "a record has at least one deal"),
        (("deals", 0), 3, "a deal is an object"),
        (("deals", 1, "code"), "AAAA", "deal code 'AAAA'"),
        (("deals", 1, "code"), deal("duel", 1).code, "deal 2: the deal has players 2"),
        (("deals", 1, "more"), 1, "a deal has no such member as 'more'"),
        (("deals", 1, "bids"), 1, "bids are a list"),
        (("deals", 0, "bids", 1), [1], "a bid or move is a list"),
        (("deals", 0, "bids", 1), [9, "pass"], "deal 1, bid 2: it is seat"),
        (("deals", 1, "bids", 0, 1), "fold", "'fold'"),
        (("deals", 1, "bids", 0, 1), "rob", "deal 2, bid 1: seat"),
        (("moves",), None, "moves are a list"),
        (("moves", 0), "3", "a bid or move is a list"),
        (("moves", 3, 0), 7, "ply 4: it is seat"),
        (("moves", 5, 1), "3+4+5", ""),
        (("moves", 0, 1), "pass", "ply 1: seat"),
        (("result",), None, "the game is over, but no result"),
        (("result",), 3, "a result is null"),
        (("result", "points"), [1, "2"], "the result's points may not be"),
        (("result", "base"), 17, "the result's base is 17"),
        (("result", "more"), 17, "a result has no 'more'"),
        (("extra",), [[], {}], "the record has no such member as 'extra'"),
        (("a b\n",), 1, "the record has no such member as"),
    ],
)
def test_a_refusal_names_line_and_member(path, new, reason, sealed):
    values = values_of()
    change(values, path, new)
    if sealed:
        values["checksum"] = _checksum(values)
    message = refusal(json.dumps(values, indent=1))
    line, _, rest = message.partition(", ")
    named, _, why = rest.partition(": ")
    # A part of a bid or move is named by the whole.
    whole = path[:-1] if path[-1] in (0, 1) and path[-2:-1] != ("deals",) else path
    assert named in (path_name(path), path_name(whole))
    steps = whole if named == path_name(whole) else path
    assert line == f"line {line_by_hand(values, steps)}"
    assert why.startswith(reason)
    # The checksum of what is no record at all is not asked for.
    doubted = not sealed and path[0] not in ("ddz_record", "extra", "a b\n")
    assert ("nor does the checksum agree" in message) == doubted
    # Without a text there is no line to name; on one line it is the first.
    with pytest.raises(ddz.RecordError, match=re.escape(f"{named}: {reason}")) as caught:
        record_from_json(values)
    assert str(caught.value) == rest
    assert refusal(json.dumps(values)) == f"line 1, {rest}"


def test_places_of_rules_and_of_what_is_missing():
    for path, new, named in [
        (("rules", "chess"), 1, "rules.chess"),
        (("rules", "lowest_rank"), "1", "rules.lowest_rank"),
        (("rules", "players"), 9, "rules"),
    ]:
        values = values_of(SMALL)
        change(values, path, new)
        line = line_by_hand(values, ("rules",) if named == "rules" else path)
        assert refusal(json.dumps(values, indent=1)).startswith(f"line {line}, {named}: ")
    for path in (("rules",), ("deals", 1, "bids"), ("result", "stake")):
        values = values_of()
        inner = values
        for step in path[:-1]:
            inner = inner[step]
        del inner[path[-1]]
        place = f", {path_name(path[:-1])}" if path[1:] else ""
        line = line_by_hand(values, path[:-1]) if path[1:] else 1
        assert refusal(json.dumps(values, indent=1)).startswith(f"line {line}{place}: ")


def test_the_checksum_is_named():
    values = values_of()
    values["tags"]["Seat0"] = "Bo"
    line = line_by_hand(values, ("checksum",))
    message = refusal(json.dumps(values, indent=1))
    assert message.startswith(f"line {line}, checksum: ")
    assert "is not the checksum of this record" in message


def test_the_line_of_a_result_in_the_text_format():
    text = finished().record().save()
    changed = text.replace('[Bombs "', '[Bombs "7')
    number = text[: text.index("[Bombs")].count("\n") + 1
    assert refusal(changed).startswith(f"line {number}: the result's bombs is ")


# ---- JSON itself ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a":1,\n"b":{"a":1,\n"c":2,\n"c":3}}', "line 4, b.c: the member 'c' occurs twice"),
        ('{"a":[{"a":1},\n{"a":[]},{"b":[{}],\n"a":0,"b":1}]}', "line 3, a[2].b: the member 'b'"),
        ('{"a":1,"\\u0061":2}', "line 1, a: the member 'a' occurs twice"),
        ('[1,\n[{"x y":\nNaN}]]', "line 3, [1][0]['x y']: NaN is no JSON number"),
        ("-Infinity", "line 1: -Infinity is no JSON number"),
        ('["NaN", "\\"",\n -Infinity]', "line 2, [2]: -Infinity"),
        ('["1",\n' + "9" * 5000 + "]", "line 2, [1]: a number of 5000 digits"),
        ("\n\n" + "[" * 10**5, "line 3, [0][0][0][0][0][0][0][0][0][0]…: the JSON is nested"),
        ('{"a":1,}', "line 1: no JSON at column"),
    ],
)
def test_the_place_of_what_is_no_json(text, message):
    with pytest.raises(ddz.RecordError, match=f"^{re.escape(message)}"):
        parse_json(text)


def test_what_is_json():
    values = {"a": [1, -2.5e3, None, True, {"b": [[], {}], "c": {}}], "": "9" * 5000, "x": 10**4000}
    for text in (json.dumps(values), json.dumps(values, indent=3)):
        assert parse_json(text) == values
    text = json.dumps(values, indent=1)
    lines = text.split("\n")
    for path, shown in [
        ((), "{"),
        (("a",), '"a": ['),
        (("a", 4, "c"), '"c": {}'),
        (("x",), '"x":'),
    ]:
        assert lines[line_of(text, path) - 1].strip().startswith(shown)
    # What is not there is where it would be.
    assert line_of(text, ("a", 4, "d", 1)) == line_of(text, ("a", 4))


# ---- large input ---------------------------------------------------------------------------------


def calls(parsed):
    """How often functions are entered, Python's and C's, and generators resumed."""
    count = 0

    def profile(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        with pytest.raises(ddz.RecordError):
            parse_json(parsed)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    "make",
    [
        lambda n: "{" + ",".join(f'"a{i}":0' for i in range(n)) + f',"a{n - 1}":1}}',
        lambda n: "[" + '{"a":0},' * n + "NaN]",
        lambda n: "[" + '{"a":{},"b":[]},' * n + '{"a":0,"a":0}]',
    ],
)
def test_the_work_grows_with_the_length_alone(make):
    small, large = calls(make(200)), calls(make(1600))
    assert large <= 8 * small


def test_a_record_has_so_many_deals_at_most():
    made = deal("standard", 1)
    passes = tuple(((made.opener + i) % 3, ddz.Bid.PASS) for i in range(3))
    longest = Record("standard", [made.code] * MAX_DEALS, [passes] * (MAX_DEALS - 1) + [()])
    for form in ("text", "json"):
        text = longest.save(format=form)
        assert Record.load(text) == longest
    with pytest.raises(ddz.RecordError, match=f"at most {MAX_DEALS} deals"):
        Record("standard", [made.code] * (MAX_DEALS + 1), [()] * (MAX_DEALS + 1))
    values = json.loads(text)
    values["deals"] += values["deals"][-1:]
    message = refusal(json.dumps(values))
    assert f"line 1, deals[{MAX_DEALS}]: a record has at most {MAX_DEALS} deals" in message
    text = longest.save()
    last = text[text.index(f"Deal {MAX_DEALS}:") : text.index("[Result")]
    more = last.replace(f" {MAX_DEALS}:", f" {MAX_DEALS + 1}:")
    message = refusal(text.replace(last, last + more))
    assert re.match(rf"line [0-9]+: a record has at most {MAX_DEALS} deals", message)
