"""Records: both formats hold whole games, and refuse everything that is not one."""

import hashlib
import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ddz_core as ddz
from ddz_core.auction import Bid
from ddz_core.game import Game
from ddz_core.record import Record

DOCUMENT = Path(__file__).parent.parent / "docs" / "record-format.md"
FORMATS = ("text", "json")
# What every refusal begins with: the line, in JSON also the member.
PLACE = r"line [0-9]+(, [a-z_]+[^ ]*)?: "
SMALL = ddz.Rules.standard().replace(
    name="small", lowest_rank=ddz.Rank.NINE, hand_size=6, max_redeals=3, quad_pairs=False
)


def random_game(rules, seed, actions=10_000):
    """A game played at random, for so many actions at most."""
    draw = random.Random(seed)
    game = Game(rules, seed=seed)
    while game.phase != "over" and actions:
        if game.phase == "auction":
            game.bid(draw.choice(game.legal_bids()))
        else:
            moves = game.legal_moves()
            game.play(moves[draw.randrange(len(moves))])
        actions -= 1
    return game


def with_redeal(rules="standard"):
    for seed in range(1000):
        game = random_game(rules, seed)
        if game.redeals:
            return game
    raise AssertionError(rules)


def example():
    """The record that the document shows: no seed has a part in it."""
    return DOCUMENT.read_text(encoding="utf-8").split("```\n")[1]


def reseal(text):
    """A text record with the right checksum for what it says."""
    lines = text.split("\n")[:-2]
    rest = "".join(f"{line}\n" for line in lines)
    return f'{rest}[Checksum "{checksum(rest)}"]\n'


def reseal_json(values):
    rest = {name: value for name, value in values.items() if name != "checksum"}
    return json.dumps(
        {**rest, "checksum": checksum(json.dumps(rest, sort_keys=True, separators=(",", ":")))}
    )


def checksum(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# ---- there and back ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*ddz.Rules.preset_names(), "small"])
def test_both_formats_give_the_same_record_back(name):
    rules = SMALL if name == "small" else name
    for seed in range(12):
        game = random_game(rules, seed, actions=10_000 if seed % 3 else seed * 5)
        record = game.record()
        for form in FORMATS:
            assert Record.load(record.save(format=form)) == record
        assert record.game() == game
        record.validate()


def test_custom_rules_are_written_with_all_options():
    record = random_game(SMALL, 1).record()
    for form in FORMATS:
        loaded = Record.load(record.save(format=form))
        assert loaded.rules == SMALL
        assert loaded.rules.name == "small"
    text = record.save()
    assert '[Rules.lowest_rank "9"]' in text
    assert '[Rules.quad_pairs "no"]' in text
    assert '[Rules.max_redeals "3"]' in text
    options = json.loads(record.save(format="json"))["rules"]
    assert Record.load(text).rules == ddz.Rules(**{**options, "lowest_rank": ddz.Rank.NINE})


def test_every_option_survives():
    for changes in (
        {"max_redeals": None, "kitty_shown": False, "spring": "none"},
        {"auction": "call_rob", "players": 2, "max_robs": 2, "first_bidder": "heart_three"},
        {"nobody_bids": "void", "direction": "clockwise", "shuttles": True},
        {"auction": "none", "held_quads_stay_together": True, "bombs_double": False},
    ):
        rules = ddz.Rules.standard().replace(**changes)
        record = random_game(rules, 4).record()
        assert Record.load(record.save()).rules == rules
        assert Record.load(record.save(format="json")).rules == rules


def test_files(tmp_path):
    record = with_redeal().record()
    for form in FORMATS:
        path = tmp_path / f"game.{form}"
        text = record.save(path, format=form)
        assert path.read_bytes() == text.encode()
        assert Record.load(path) == record
        path.write_bytes(text.replace("\n", "\r\n").encode())
        assert Record.load(path) == record
    with pytest.raises(FileNotFoundError):
        Record.load(tmp_path / "nothing")


def test_tags_may_say_anything():
    tags = {
        "Seat0": 'Ann "the landlord" \\ 斗地主',
        "Note": "a\nb\r\n\tc\u2028\x85\x00 [x]",
        "E": "",
    }
    record = Record.from_game(random_game("casual", 3), tags)
    for form in FORMATS:
        assert Record.load(record.save(format=form)).tags == tags


@pytest.mark.parametrize(
    "tags",
    [
        {"Result": "x"},
        {"Rules": "x"},
        {"no space": "x"},
        {"Rules.players": "2"},
        {"": "x"},
        {"Größe": "x"},
        {"A": "x" * 1001},
        {"A": "\ud800"},
        {f"A{i}": "" for i in range(101)},
    ],
)
def test_tags_that_cannot_be_written(tags):
    with pytest.raises(ddz.RecordError, match="tag"):
        Record.from_game(random_game("casual", 3), tags)


def test_a_record_needs_a_deal_and_an_auction_for_each():
    code = Game("standard", seed=1).deal.code
    with pytest.raises(ddz.RecordError, match="at least one deal"):
        Record("standard", ())
    with pytest.raises(ddz.RecordError, match="2 deals, but 1 auctions"):
        Record("standard", (code, code))
    assert Record("standard", [code]).game().phase == "auction"


def test_neither_text_nor_path():
    for source in (b"[DdzRecord", None, 3):
        with pytest.raises(TypeError, match=r"os\.PathLike"):
            Record.load(source)
    with pytest.raises(ddz.DdzError, match="'text', 'json'"):
        random_game("casual", 3).record().save(format="xml")


# ---- replay --------------------------------------------------------------------------------------


def test_replay_yields_every_state():
    game = with_redeal()
    states = list(game.record().replay())
    assert len(states) == len(game.actions) + 1
    assert states[0] == Game(game.rules, deal=game.deals[0])
    assert states[-1] == game
    assert states[-1].result == game.result
    back = game.copy()
    for state in reversed(states):
        assert state == back
        if back.actions:
            back.undo()


def test_states_of_a_replay_are_the_callers_own():
    game = random_game("douzero", 5)
    for state, again in zip(game.record().replay(), game.record().replay(), strict=True):
        if state.phase == "play":
            state.play(state.legal_moves()[0])
            assert state != again


def test_a_game_in_progress_goes_on():
    game = random_game("club", 2, actions=15)
    record = Record.load(game.record().save())
    assert record.result is None
    again = record.game()
    again.play(again.legal_moves()[-1])
    assert len(again.moves) == len(game.moves) + 1


# ---- the first thing that is wrong ---------------------------------------------------------------


def changed(record, **changes):
    values = {
        name: getattr(record, name)
        for name in ("rules", "deals", "auctions", "moves", "result", "tags")
    }
    return Record(**{**values, **changes})


def refused(record, reason):
    """Refused by `validate`, and by `load` in both formats."""
    with pytest.raises(ddz.RecordError, match=reason):
        record.validate()
    with pytest.raises(ddz.RecordError, match=reason):
        list(record.replay())
    for form in FORMATS:
        text = record.save(format=form)
        with pytest.raises(ddz.RecordError, match=f"^{PLACE}{reason}"):
            Record.load(text)
        assert Record.load(text, validate=False) == record


def test_the_first_wrong_ply_is_named():
    record = Record.load(example())
    moves = list(record.moves)
    assert record.moves[7][1] == ddz.Move.PASS
    for ply, wrong in [
        (2, (moves[1][0], ddz.Move.parse("5"))),
        (10, (moves[9][0], ddz.Move.PASS)),
        (8, ((moves[7][0] + 1) % 3, ddz.Move.PASS)),
    ]:
        refused(
            changed(record, moves=[*moves[: ply - 1], wrong, *moves[ply:]]),
            f"ply {ply}: (seat|it is seat)",
        )
    refused(changed(record, moves=[*moves, moves[1]]), f"ply {len(moves) + 1}: the game is over")
    refused(changed(record, moves=moves[:-1]), "the game is not over, but a result")
    refused(changed(record, result=None), "the game is over, but no result")


def test_the_line_of_a_wrong_ply():
    text = example()
    lines = text.split("\n")
    number = next(i for i, line in enumerate(lines) if line.startswith("10. ")) + 1
    lines[number - 1] = lines[number - 1].replace("0:pass", "1:pass")
    with pytest.raises(ddz.RecordError, match=f"^line {number}: ply 11: .* not 1's$"):
        Record.load(reseal("\n".join(lines)))


def test_the_first_wrong_bid_is_named():
    record = with_redeal().record()
    first, last = record.auctions
    seat = first[1][0]
    refused(
        changed(record, auctions=[(first[0], (seat, Bid.ROB)), last]),
        f"deal 1, bid 2: seat {seat} may not bid 'rob'",
    )
    refused(changed(record, auctions=[first, last[1:]]), "deal 2, bid 1: it is seat")
    refused(changed(record, auctions=[first[:2], last]), "deal 2: there was no redeal")
    refused(changed(record, auctions=[(*first, first[0]), last]), "deal 1, bid 4: the auction was")
    refused(changed(record, auctions=[first, last[:-1]]), "ply 1: the auction is not over")
    refused(
        changed(record, deals=record.deals[:1], auctions=[first], moves=(), result=None),
        "deal 1: a redeal follows, which is not recorded",
    )


def test_deals_must_fit_the_rules():
    record = random_game("standard", 3).record()
    code = Game("duel", seed=1).deal.code
    refused(changed(record, deals=[code]), "deal 1: the deal has players 2")
    with pytest.raises(ddz.RecordError, match="deal 1: deal code"):
        changed(record, deals=["AAAA"]).validate()


def test_the_result_must_be_the_games():
    record = random_game("standard", 3).record()
    for name, value in [("base", 1), ("spring", True), ("points", (3, 3, -6)), ("winner", 1)]:
        values = {**vars(record.result), name: value}
        refused(changed(record, result=type(record.result)(**values)), f"the result's {name} is")


# ---- damage --------------------------------------------------------------------------------------


def sample(form):
    return Record.from_game(with_redeal(), {"Seat0": "Ann", "Note": "é"}).save(format=form)


def damaged(text):
    with pytest.raises(ddz.RecordError, match=f"^{PLACE}"):
        Record.load(text)


@pytest.mark.parametrize("form", FORMATS)
def test_every_truncation_is_refused(form):
    text = sample(form)
    for end in range(len(text)):
        damaged(text[:end])


@pytest.mark.parametrize("form", FORMATS)
def test_every_changed_byte_is_refused(form, tmp_path):
    data = sample(form).encode()
    draw = random.Random(8)
    path = tmp_path / "record"
    for place in range(len(data)):
        new = draw.choice([n for n in range(256) if n != data[place]])
        path.write_bytes(data[:place] + bytes([new]) + data[place + 1 :])
        damaged(path)


def test_swapped_doubled_and_missing_lines_are_refused():
    text = sample("text")
    lines = text.split("\n")[:-1]
    for i, line in enumerate(lines):
        for j in range(i):
            if lines[j] != line:
                swapped = lines.copy()
                swapped[i], swapped[j] = swapped[j], swapped[i]
                damaged("".join(f"{each}\n" for each in swapped))
        damaged("".join(f"{each}\n" for each in (*lines[:i], *lines[i + 1 :])))
        damaged("".join(f"{each}\n" for each in (*lines[:i], line, *lines[i:])))


def test_structure_is_refused_even_with_the_right_checksum():
    text = sample("text")
    lines = text.split("\n")[:-1]
    moved = 0
    for i in range(1, len(lines) - 1):
        for other in ("", "x", "[X", '[X "1]', '[Points "x"]', "99. 0:3", "Deal 9: AAAA"):
            new = [*lines[:i], other, *lines[i + 1 :]]
            try:
                Record.load(reseal("".join(f"{each}\n" for each in new)))
            except ddz.RecordError as error:
                assert re.match(r"line [0-9]+: ", str(error))  # noqa: PT017
            else:
                # Only an empty line or a tag may go, or become one.
                assert lines[i] == "" or re.match(r"\[(Seat0|Note) ", lines[i])
                moved += 1
    assert moved


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"ddz_record": 2}, "ddz_record: version 2 of the record format; this program reads 1"),
        ({"ddz_record": True}, "ddz_record: version True"),
        ({"ddz_record": "1"}, "ddz_record: version '1'"),
        ({"rules": "chess"}, "rules: no rule set 'chess'"),
        ({"rules": ["standard"]}, "rules: rules are a preset's name or an object"),
        ({"rules": {"players": 9}}, "rules: players is 9"),
        ({"rules": {"chess": 9}}, "rules.chess: rules have no option 'chess'"),
        ({"rules": {"lowest_rank": 3}}, "rules.lowest_rank: lowest_rank is 3"),
        ({"rules": {"lowest_rank": "1"}}, "rules.lowest_rank: lowest_rank is '1'"),
        ({"rules": {"players": True}}, "rules: players must be an integer"),
        ({"rules": {"name": "club"}}, "rules: name 'club' belongs to a preset"),
        ({"tags": {"Seat0": 3}}, "tags.Seat0: tags are an object of texts"),
        ({"tags": {"Result": "*"}}, "tags.Result: tag 'Result'"),
        ({"deals": []}, "deals: a record has at least one deal"),
        ({"deals": {}}, "deals: deals are a list"),
        ({"deals": [3]}, r"deals\[0\]: a deal is an object"),
        ({"deals": [{"code": 3, "bids": []}]}, r"deals\[0\].code: a deal is a code, not 3"),
        ({"moves": [[0, "3", 1]]}, r"moves\[0\]: a bid or move is a list"),
        ({"moves": [["0", "3"]]}, r"moves\[0\]: '0' is no seat"),
        ({"moves": [[True, "3"]]}, r"moves\[0\]: True is no seat"),
        ({"moves": [[0.0, "3"]]}, r"moves\[0\]: 0.0 is no seat"),
        ({"moves": [[0, 3]]}, r"moves\[0\]: a move is a word, not 3"),
        ({"moves": [[0, "34"]]}, r"moves\[0\]: "),
        ({"result": []}, "result: a result is null or an object"),
        ({"result": {}}, "result: the result has no winner"),
        ({"extra": 1}, "extra: the record has no such member as 'extra'"),
    ],
)
def test_json_that_is_no_record(change, reason):
    values = json.loads(sample("json"))
    with pytest.raises(ddz.RecordError, match=f"^line 1, {reason}"):
        Record.load(reseal_json({**values, **change}))


def test_json_is_read_strictly():
    text = sample("json")
    for wrong, reason in [
        (text.replace('"rules"', '"rules":"club","rules"', 1), "'rules' occurs twice"),
        (text.replace('"ddz_record":1', '"ddz_record":NaN'), "NaN is no JSON number"),
        ('{"a":' * 100_000, "nested too deeply"),
        ('{"ddz_record":' + "9" * 5000 + "}", "line 1, ddz_record: a number of 5000 digits"),
        ('{"ddz_record":1,"rules":' + "[" * 900 + "]" * 900 + "}", "line 1(, rules|:)"),
        ("{}", "this is no record"),
    ]:
        with pytest.raises(ddz.RecordError, match=reason):
            Record.load(wrong)
    spaced = json.dumps(json.loads(text), indent=1)
    assert Record.load(spaced) == Record.load(text)


def test_unknown_versions_are_refused():
    text = sample("text")
    for version in ("0", "2", "1.0", ""):
        with pytest.raises(ddz.RecordError, match=f"line 1: version '{version}' of the record"):
            Record.load(text.replace('[DdzRecord "1"]', f'[DdzRecord "{version}"]'))


def test_what_is_no_record_at_all(tmp_path):
    for text in ("", "\n", "game.ddz", '[Event "chess"]\n1. e4', "\ud800", "[" * 100_000):
        damaged(text)
    path = tmp_path / "x"
    path.write_bytes(sample("text").encode().replace("é".encode(), b"\xe9"))
    with pytest.raises(ddz.RecordError, match=r"line [0-9]+: the byte 0xe9 is no UTF-8"):
        Record.load(path)
    with path.open("wb") as file:
        file.truncate(20 * 2**20)
    with pytest.raises(ddz.RecordError, match="bytes is no record"):
        Record.load(path)


PIECES = [
    *sample("text").splitlines(keepends=True),
    *re.findall(r'[{}\[\],:]|"[^"]*"|\d+', sample("json"))[:80],
]


@settings(max_examples=300)
@given(
    st.one_of(
        st.text(),
        st.lists(st.sampled_from(PIECES)).map("".join),
        st.lists(st.sampled_from(PIECES)).map(
            lambda lines: reseal('[DdzRecord "1"]\n[Rules "standard"]\n' + "".join(lines) + "x\n")
        ),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
            lambda value: st.lists(value) | st.dictionaries(st.text(), value),
        ).map(lambda value: '{"ddz_record":1,"rules":' + json.dumps(value) + "}"),
        st.fixed_dictionaries(
            {
                name: st.sampled_from(
                    [None, 1, "standard", [], {}, [[0, "3"]], [[0]], {"a": 1}, -1, 1e400, "\ud800"]
                )
                for name in ("rules", "tags", "deals", "moves", "result", "checksum")
            }
        ).map(lambda value: json.dumps({"ddz_record": 1, **value})),
    )
)
def test_anything_else_is_a_record_error(text):
    with pytest.raises(ddz.RecordError):
        Record.load(text)


@settings(max_examples=100)
@given(st.binary())
def test_random_bytes_are_a_record_error(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "bytes"
    path.write_bytes(data)
    with pytest.raises(ddz.RecordError):
        Record.load(path)


# ---- the document --------------------------------------------------------------------------------


def test_the_example_in_the_document():
    record = Record.load(example())
    assert record.save() == example()
    assert record.tags["Seat0"] == "Ann"
    assert len(record.deals) == 2
