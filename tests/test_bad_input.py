"""Bad input: a specific exception that names the value; odd but valid arrays are just accepted."""

import copy
import importlib
import pickle

import numpy as np
import pytest
from fuzz import as_array

import ddz_core as ddz
from ddz_core.bots import Strong
from ddz_core.envs import VectorEnv
from ddz_core.importers import is_rlcard
from ddz_core.referee import Referee

STANDARD = ddz.Rules.standard()
TWENTY = "33334444555566667777"
DECK = "3333444455556666777788889999TTTTJJJJQQQQKKKKAAAA2222BR"


def counts(*texts):
    """A batch of hands."""
    return np.array([ddz.Hand(text).counts for text in texts])


def queries(hand, last=None, rules=None):
    """Every query on one hand, as calls."""
    yield lambda: ddz.legal_moves(hand, last, rules)
    yield lambda: ddz.count_legal_moves(hand, last, rules)
    yield lambda: ddz.why_illegal(hand, "3", last, rules)
    yield lambda: ddz.Position([hand, "K"], last=last, rules=rules)
    if last is None:
        yield lambda: ddz.classify(hand, rules)
        yield lambda: ddz.min_turns(hand, rules)
        yield lambda: ddz.decompose(hand, rules)


# ---- cards ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["x", "3 4 z", "34?", "1", "110", "0", "3\x00", "三", "٣", "3-4", "É"]
)
def test_wrong_letters(text):
    for call in [lambda: ddz.Hand(text), lambda: ddz.Move.parse(text), *queries(text)]:
        with pytest.raises(ddz.InvalidCardsError, match="unknown card"):
            call()


@pytest.mark.parametrize(
    ("text", "rank", "most"),
    [("33333", "3", 4), ("2222234", "2", 4), ("BB", "B", 1), ("BRR", "R", 1), ("BRB", "B", 1)],
)
def test_more_of_a_rank_than_the_deck_has(text, rank, most):
    number = text.count(rank)
    for call in queries(text):
        with pytest.raises(
            ddz.InvalidCardsError, match=f"has {number} cards of rank {rank}.*has {most}"
        ):
            call()


@pytest.mark.parametrize("text", ["333333333", "BBB", "RRR", "3" * 10**5])
def test_more_of_a_rank_than_two_packs_have(text):
    with pytest.raises(ddz.InvalidCardsError, match=f"rank {text[0]}") as caught:
        ddz.Hand(text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("name", ["standard", "duel", "botzone"])
def test_hands_larger_than_any_seat_has(name):
    large = ddz.Hand("5555666677778888999TT") + ddz.Hand("")
    for call in queries(large, rules=name):
        with pytest.raises(ddz.InvalidCardsError, match=r"has 21 cards.*at most 20"):
            call()


def test_hands_larger_than_the_deck():
    with pytest.raises(ddz.InvalidCardsError):
        ddz.legal_moves(DECK)
    with pytest.raises(ddz.InvalidCardsError):
        ddz.legal_moves("3", rules="duel")  # 46 cards: no threes
    assert ddz.Hand(DECK) + ddz.Hand(DECK) == ddz.Hand(DECK * 2)
    with pytest.raises(ddz.InvalidCardsError, match="'3'"):
        ddz.Hand(DECK * 2) + ddz.Hand("3")
    with pytest.raises(ddz.InvalidCardsError, match="'4'"):
        ddz.Hand("3") - ddz.Hand("4")


NOT_CARDS = [5, 3.5, None, b"34", ["3", "4"], object(), STANDARD, ddz.Move.PASS, np.zeros(15)]


@pytest.mark.parametrize("thing", NOT_CARDS, ids=lambda thing: type(thing).__name__)
def test_things_that_are_no_cards(thing):
    shown = type(thing).__name__
    for call in [lambda: ddz.Hand(thing), *queries(thing)]:
        with pytest.raises(TypeError, match=shown):
            call()


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ([-1] + [0] * 14, ddz.InvalidCardsError, "-1"),
        ([9] + [0] * 14, ddz.InvalidCardsError, "9"),
        ([0] * 13 + [3, 0], ddz.InvalidCardsError, "3"),
        ([2**64] + [0] * 14, ddz.InvalidCardsError, str(2**64)),
        ([0] * 14, ddz.InvalidCardsError, "14"),
        ([0] * 16, ddz.InvalidCardsError, "16"),
        ([], ddz.InvalidCardsError, "15"),
        ([1.0] + [0] * 14, TypeError, "1.0"),
        ([True] + [0] * 14, TypeError, "True"),
        (np.full(15, 0.5), TypeError, "0.5"),
        (np.array(["3"] * 15), TypeError, "3"),
        ("333444555666777", TypeError, "333444555666777"),
        (b"333444555666777", TypeError, "333444555666777"),
        (7, TypeError, "int"),
        (None, TypeError, "None"),
    ],
)
def test_from_counts(values, error, message):
    with pytest.raises(error, match=message):
        ddz.Hand.from_counts(values)


@pytest.mark.parametrize(
    ("ids", "error", "message"),
    [
        ([-1], ddz.InvalidCardsError, "-1"),
        ([108], ddz.InvalidCardsError, "108"),
        ([10**30], ddz.InvalidCardsError, str(10**30)),
        ([3, 3], ddz.InvalidCardsError, "3 occurs twice"),
        ([1.5], TypeError, "1.5"),
        (["3"], TypeError, "'3'"),
        ([True], TypeError, "True"),
        (4, TypeError, "int"),
    ],
)
def test_from_ids(ids, error, message):
    with pytest.raises(error, match=message):
        ddz.Hand.from_ids(ids)


@pytest.mark.parametrize("packed", [-1, 2**60, 2**64, 10**40, 9, 3 << 52])
def test_from_packed(packed):
    with pytest.raises(ddz.InvalidCardsError):
        ddz.Hand.from_packed(packed)


@pytest.mark.parametrize("rank", [-1, 15, 10**20])
def test_ranks_out_of_range(rank):
    hand = ddz.Hand("34")
    with pytest.raises(ddz.InvalidCardsError, match=str(rank)):
        hand.count(rank)
    with pytest.raises(ddz.InvalidCardsError, match=str(rank)):
        rank in hand  # noqa: B015


# ---- the play to beat, moves and rule sets -------------------------------------------------------


@pytest.mark.parametrize(
    "last", ["334", "34", "33344", "33334", "3+4", "3456", "5555+67+8", "+", "3+"]
)
def test_a_last_play_that_is_none(last):
    if last == "33344":
        last = "33345"
    for call in queries("3456", last):
        with pytest.raises(ddz.DdzError):
            call()
    with pytest.raises(ddz.DdzError):
        ddz.legal_moves_batch(counts("3456"), last)


def test_a_move_of_another_rule_set():
    foreign = [
        (ddz.Move.parse("333444555+666", "openspiel"), "standard"),
        (ddz.Move.parse("7777+BR", "douzero"), "standard"),
        (ddz.Move.parse("33334444", "botzone"), "standard"),
        (ddz.Move.parse("333", "standard"), "duel"),
        (ddz.Move.parse("33333", "four_player"), "standard"),
        (ddz.Move.parse("BBRR", "four_player"), "standard"),
        (ddz.Move.parse("BR", "standard"), "four_player"),
        (ddz.Move.parse("333+4", "standard"), "four_player"),
        (ddz.Move.parse("4444+55", "standard"), "openspiel"),
        (ddz.Move.parse("4444+55", "standard"), "pagat"),
    ]
    for move, name in foreign:
        for call in queries("5678", move, name):
            with pytest.raises(ddz.IllegalMoveError, match=str(move).replace("+", r"\+")):
                call()
        with pytest.raises(ddz.IllegalMoveError):
            ddz.legal_moves_batch(counts("5678"), move, name)
        with pytest.raises(ddz.IllegalMoveError):
            ddz.legal_moves_batch(counts("5678"), as_array([move]), name)
        position = ddz.Position(["5678", "5678"], rules=name)
        before = position.to_string()
        with pytest.raises(ddz.IllegalMoveError):
            position.play(move)
        assert position.to_string() == before


@pytest.mark.parametrize(
    "last", [7, 2.5, b"3", ["3"], ddz.Hand("3"), object()], ids=lambda thing: type(thing).__name__
)
def test_things_that_are_no_last_play(last):
    for call in queries("3456", last):
        with pytest.raises(TypeError, match="last must be"):
            call()
    with pytest.raises(TypeError, match="last must be"):
        ddz.legal_moves_batch(counts("3456"), last)


@pytest.mark.parametrize("rules", ["nonsense", "", "Standard"])
def test_unknown_rule_sets(rules):
    for call in [*queries("3456", rules=rules), lambda: ddz.all_plays(rules)]:
        with pytest.raises(ValueError, match=f"'{rules}'.*standard"):
            call()


@pytest.mark.parametrize(
    "rules", [7, ["standard"], object(), ddz.Rules], ids=lambda thing: type(thing).__name__
)
def test_things_that_are_no_rule_set(rules):
    for call in [*queries("3456", rules=rules), lambda: ddz.all_plays(rules)]:
        with pytest.raises(TypeError, match="rules must be"):
            call()


@pytest.mark.parametrize(
    "changes",
    [
        {"players": 1},
        {"players": 5},
        {"packs": 0},
        {"packs": 3},
        {"airplane_kicker_cap": 0},
        {"quad_kicker_cap": 5},
        {"hand_size": 21},
        {"hand_size": 0},
        {"kitty_size": -1},
        {"hand_size": 18, "kitty_size": 3},
        {"players": 4},
        {"lowest_rank": 13},
        {"doubling_bomb_size": 9},
        {"spring": "never"},
        {"name": "two words"},
        {"packs": 2},
    ],
)
def test_rules_out_of_range(changes):
    with pytest.raises(ValueError, match=r"\w"):
        STANDARD.replace(**changes)


@pytest.mark.parametrize("changes", [{"players": "3"}, {"shuttles": 1}, {"packs": True}, {"no": 1}])
def test_rules_of_wrong_types(changes):
    with pytest.raises(TypeError):
        STANDARD.replace(**changes)


@pytest.mark.parametrize(
    "text", [None, 3, b"33", ddz.Hand("33")], ids=lambda thing: type(thing).__name__
)
def test_move_parse_wants_text(text):
    with pytest.raises(TypeError, match=type(text).__name__):
        ddz.Move.parse(text)


def test_values_are_not_made_by_hand_and_do_not_change():
    move = ddz.Move.parse("333+4")
    for kind in (ddz.Move, ddz.MoveList):
        with pytest.raises(TypeError):
            kind()
    for value, name in [(ddz.Hand("3"), "counts"), (move, "cards"), (move, "kind"), (move, "x")]:
        with pytest.raises(AttributeError):
            setattr(value, name, 0)
    moves = ddz.legal_moves("345")
    with pytest.raises(TypeError):
        moves[0] = move
    with pytest.raises(ValueError, match="read-only"):
        moves.array["cards"] = 0
    with pytest.raises(TypeError):
        move.beats("3")


@pytest.mark.parametrize("index", [3, -4, 10**10])
def test_indices_out_of_range(index):
    with pytest.raises(IndexError, match=str(index)):
        ddz.legal_moves("345")[index]


def test_indices_that_are_none():
    moves = ddz.legal_moves("345")
    for index in ("0", 1.0, None, True):
        with pytest.raises(TypeError):
            moves[index]
    for index in (10**30, -(10**30)):
        with pytest.raises(IndexError):
            moves[index]
    with pytest.raises(ValueError, match="pass"):
        moves.index(ddz.Move.PASS)
    with pytest.raises(ValueError, match="'3'"):
        moves.index("3")


def test_records_that_are_no_moves():
    good = ddz.legal_moves("3334").array
    for field, value in [
        ("cards", 2**63),
        ("kind", 99),
        ("rank", 200),
        ("length", 0),
        ("n_cards", 3),
    ]:
        bad = good.copy()
        bad[field] = value
        with pytest.raises(ddz.IllegalMoveError):
            ddz.Move.from_record(bad[-1])
        with pytest.raises(ddz.IllegalMoveError, match=r"last\[0\]"):
            ddz.legal_moves_batch(np.tile(counts("3456"), (len(bad), 1)), bad)
    for thing in (good, None, 3, np.zeros(1, np.uint64)[0], b"x" * 16):
        with pytest.raises(TypeError):
            ddz.Move.from_record(thing)


def test_tampered_pickles_are_refused():
    restore, (cards, meta) = ddz.Move.parse("333+4").__reduce__()
    assert restore(cards, meta) == ddz.Move.parse("333+4")
    for bad in [
        (2**63, meta),
        (cards, meta + 256),
        (cards, 2**32),
        (-1, meta),
        (cards, -1),
        (0, 1),
    ]:
        with pytest.raises((ddz.DdzError, OverflowError)):
            restore(*bad)
    restore, (raw,) = ddz.legal_moves("3334").__reduce__()
    for bad in (raw[:-1], b"\xff" * 16, raw[:8] + b"\xff" * 8):
        with pytest.raises(ddz.IllegalMoveError):
            restore(bad)


# ---- batches -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "dtype", ["float64", "float32", "int64", "int8", "uint16", "uint64", "bool", "object", "S1"]
)
def test_dtypes_other_than_uint8(dtype):
    with pytest.raises(TypeError, match="uint8"):
        ddz.legal_moves_batch(counts("334", "5").astype(dtype))


@pytest.mark.parametrize(
    "hands",
    [None, "334", [[0] * 15], 5, memoryview(b"0" * 15)],
    ids=lambda thing: type(thing).__name__,
)
def test_batches_that_are_no_array(hands):
    with pytest.raises(TypeError, match=type(hands).__name__):
        ddz.legal_moves_batch(hands)


@pytest.mark.parametrize("shape", [(), (15,), (2, 14), (2, 16), (15, 2), (1, 2, 15), (0,), (2, 0)])
def test_wrong_shapes(shape):
    with pytest.raises(ddz.InvalidCardsError, match=r"\(n, 15\)"):
        ddz.legal_moves_batch(np.zeros(shape, np.uint8))


def test_layouts_that_numpy_allows_give_the_same_answer():
    hands = counts("33344456", "BR2222AK", "3456789TJQKA", "55")
    indptr, moves = ddz.legal_moves_batch(hands)
    wide = np.zeros((8, 30), np.uint8)
    wide[::2, ::2] = hands
    read_only = hands.copy()
    read_only.flags.writeable = False
    unaligned = np.frombuffer(b"x" + hands.tobytes(), np.uint8)[1:].reshape(hands.shape)
    layouts = {
        "strided": wide[::2, ::2],
        "Fortran": np.asfortranarray(hands),
        "reversed": hands[::-1].copy()[::-1],
        "read-only": read_only,
        "unaligned": unaligned,
        "broadcast": np.broadcast_to(hands, hands.shape),
        "subclass": hands.view(np.matrix) if hasattr(np, "matrix") else hands,
    }
    for name, layout in layouts.items():
        before = layout.copy()
        found = ddz.legal_moves_batch(layout)
        assert (found[0] == indptr).all(), name
        assert (found[1] == moves).all(), name
        assert (layout == before).all(), name
    table = as_array([ddz.Move.parse("3")] * 4)
    answer = ddz.legal_moves_batch(hands, table)
    table = np.repeat(table, 2)[::2]
    table.flags.writeable = False
    assert (ddz.legal_moves_batch(hands, table)[1] == answer[1]).all()


def test_rows_that_are_no_hand_are_named():
    for row, text in [(0, "33333"), (2, "BB"), (3, "33334444555566667777" + "8")]:
        hands = counts("3", "4", "5", "6")
        hands[row] = ddz.Hand(text).counts
        for threads in (1, 2):
            with pytest.raises(ddz.InvalidCardsError, match=rf"hands\[{row}\]"):
                ddz.legal_moves_batch(hands, threads=threads)
    hands = counts("3", "4")
    for value in (5, 8, 16, 128, 255):
        hands[1, 7] = value
        with pytest.raises(ddz.InvalidCardsError, match=rf"hands\[1\] has {value}"):
            ddz.legal_moves_batch(hands)


def test_the_bad_row_of_a_large_batch_is_found_on_any_thread():
    hands = np.tile(counts("3456"), (30_000, 1))
    hands[29_999, 0] = 7
    for threads in (1, 2, 3):
        with pytest.raises(ddz.InvalidCardsError, match=r"hands\[29999\] has 7"):
            ddz.legal_moves_batch(hands, threads=threads)


def test_arrays_of_last_plays():
    hands = counts("4", "5")
    good = as_array([ddz.Move.parse("3"), ddz.Move.PASS])
    indptr, moves = ddz.legal_moves_batch(hands, good)
    assert indptr.tolist() == [0, 2, 3]
    assert len(moves) == 3
    with pytest.raises(ddz.IllegalMoveError, match=r"\(2,\)"):
        ddz.legal_moves_batch(hands, good[:1])
    with pytest.raises(ddz.IllegalMoveError, match=r"\(2,\)"):
        ddz.legal_moves_batch(hands, good.reshape(2, 1))
    with pytest.raises(TypeError, match="move_dtype"):
        ddz.legal_moves_batch(hands, np.zeros(2, np.uint64))
    bad = good.copy()
    bad["length"][1] = 3
    with pytest.raises(ddz.IllegalMoveError, match=r"last\[1\]"):
        ddz.legal_moves_batch(hands, bad)


def test_empty_batches_and_empty_hands():
    indptr, moves = ddz.legal_moves_batch(np.zeros((0, 15), np.uint8))
    assert indptr.tolist() == [0]
    assert moves.shape == (0,)
    assert moves.dtype == ddz.move_dtype
    ddz.legal_moves_batch(np.zeros((0, 15), np.uint8), np.zeros(0, ddz.move_dtype), threads=4)
    indptr, moves = ddz.legal_moves_batch(np.zeros((3, 15), np.uint8))
    assert indptr.tolist() == [0, 0, 0, 0]
    assert len(ddz.legal_moves("")) == 0
    assert [str(move) for move in ddz.legal_moves("", "3")] == ["pass"]
    with pytest.raises(TypeError):
        ddz.legal_moves_batch(np.zeros((0, 15)))
    with pytest.raises(ddz.InvalidCardsError):
        ddz.legal_moves_batch(np.zeros((0, 14), np.uint8))


@pytest.mark.parametrize("threads", [0, -1, 10**6, 10**30])
def test_thread_counts_out_of_range(threads):
    with pytest.raises(ValueError, match=str(threads)):
        ddz.legal_moves_batch(counts("3"), threads=threads)


@pytest.mark.parametrize("threads", ["2", 1.0, True, [1]])
def test_thread_counts_that_are_no_number(threads):
    with pytest.raises(TypeError, match="threads"):
        ddz.legal_moves_batch(counts("3"), threads=threads)


def test_packing():
    with pytest.raises(TypeError, match="int64"):
        ddz.pack_counts(counts("3").astype(np.int64))
    with pytest.raises(ddz.InvalidCardsError, match=r"counts\[1\] has 9"):
        ddz.pack_counts(np.array([[0] * 15, [9] + [0] * 14], np.uint8))
    with pytest.raises(ddz.InvalidCardsError, match="shape"):
        ddz.pack_counts(np.zeros(15, np.uint8))
    with pytest.raises(TypeError, match="float64"):
        ddz.unpack_counts(np.zeros(3))
    assert ddz.pack_counts(np.zeros((0, 15), np.uint8)).shape == (0,)
    assert ddz.unpack_counts(np.zeros(0, np.uint64)).shape == (0, 15)


# ---- positions -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"hands": "334"}, TypeError, "334"),
        ({"hands": None}, TypeError, "None"),
        ({"hands": 3}, TypeError, "3"),
        ({"hands": []}, ddz.DdzError, "0 hands"),
        ({"hands": ["3"]}, ddz.DdzError, "1 hands"),
        ({"hands": ["3"] * 5}, ddz.DdzError, "5 hands"),
        ({"hands": ["3", 4]}, TypeError, "seat 1"),
        ({"hands": ["3", "33333"]}, ddz.InvalidCardsError, "33333"),
        ({"hands": ["3", "x"]}, ddz.InvalidCardsError, "'x'"),
        ({"hands": ["333", "334"]}, ddz.InvalidCardsError, "5"),
        ({"hands": ["3333", "4"], "last": "3"}, ddz.InvalidCardsError, "5"),
        ({"hands": [TWENTY + "8", "9"]}, ddz.InvalidCardsError, "21"),
        ({"hands": ["", "", "3"]}, ddz.DdzError, "goal"),
        ({"landlord": 3}, ddz.DdzError, "landlord is 3"),
        ({"landlord": -1}, ddz.DdzError, "landlord is -1"),
        ({"landlord": 10**30}, ddz.DdzError, "landlord"),
        ({"landlord": "0"}, TypeError, "'0'"),
        ({"landlord": 0.0}, TypeError, "0.0"),
        ({"turn": 3}, ddz.DdzError, "turn is 3"),
        ({"turn": True}, TypeError, "True"),
        ({"last": "334"}, ddz.IllegalMoveError, "334"),
        ({"last": 3}, TypeError, "3"),
        ({"passes": 1}, ddz.DdzError, "passes is 1"),
        ({"passes": 2, "last": "3"}, ddz.DdzError, "passes is 2"),
        ({"passes": -1, "last": "3"}, ddz.DdzError, "passes is -1"),
        ({"target": -1}, ddz.DdzError, "target is -1"),
        ({"target": 99}, ddz.DdzError, "target is 99"),
        ({"bombs": -1}, ddz.DdzError, "bombs is -1"),
        ({"rockets": 2}, ddz.DdzError, "rockets is 2"),
        ({"plays": [1, 2]}, ddz.DdzError, "2 entries"),
        ({"plays": [0, 0, -1]}, ddz.DdzError, "-1"),
        ({"plays": 3}, TypeError, "3"),
        ({"standing_plays": [1, 0, 0]}, ddz.DdzError, "standing_plays"),
        ({"opening_stood": 1}, TypeError, "1"),
        ({"rules": "nonsense"}, ValueError, "nonsense"),
        ({"rules": 3}, TypeError, "3"),
    ],
)
def test_positions(arguments, error, message):
    with pytest.raises(error, match=message):
        ddz.Position(**{"hands": ["345", "66", "7"], **arguments})


@pytest.mark.parametrize(
    "move", [None, 3, b"3", ddz.Hand("3"), ["3"]], ids=lambda thing: type(thing).__name__
)
def test_positions_play_moves_only(move):
    with pytest.raises(TypeError, match="move must be"):
        ddz.Position(["345", "66"]).play(move)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "standard",
        "nonsense 3/4 0 0",
        "standard 3 0 0",
        "standard 3/4/5/6/7 0 0",
        "standard 3/x 0 0",
        "standard 3/4 9 0",
        "standard 3/4 0 -1",
        "standard 3/4 0 ²",
        "standard 3/4 0 0 34",
        "standard 3/4 0 0 - 0 0 0 0 0 0/0 0/0 0 0",
        "standard 3/4 0 0 - 0 0 0 0 0 0/0/0 0/0 0",
        "standard 3/4 0 0 - " + "9" * 5000,
        "standard " + "3/" * 10**5 + " 0 0",
    ],
    ids=lambda text: repr(text[:40]),
)
def test_texts_that_are_no_position(text):
    with pytest.raises(ddz.DdzError) as caught:
        ddz.Position.from_string(text)
    assert len(str(caught.value)) < 600


def test_from_string_wants_text():
    for thing in (None, 3, b"standard 3/4 0 0", ["standard"]):
        with pytest.raises(TypeError):
            ddz.Position.from_string(thing)


def test_deep_undo():
    position = ddz.Position([TWENTY, "88889999TTTTJJJJQ", "QQQKKKKAAAA2222BR"])
    start = position.to_string()
    for _ in range(3):
        depth = 0
        while position.winner is None:
            position.play(position.legal_moves()[0])
            depth += 1
        for _ in range(depth):
            position.undo()
        assert position.to_string() == start
        for _ in range(3):
            with pytest.raises(ddz.PhaseError, match="undo"):
                position.undo()
        assert position.to_string() == start


@pytest.mark.parametrize("depth", [-1, 10**6, 2**31, 2**63, 2**64, 10**40, -(2**70)])
@pytest.mark.parametrize("function", [ddz.perft, ddz.divide])
def test_depths_out_of_range(function, depth):
    with pytest.raises(ddz.DdzError, match=f"depth is {depth}"):
        function(ddz.Position(["3", "4"]), depth)


@pytest.mark.parametrize("depth", [1.0, "1", None, True])
@pytest.mark.parametrize("function", [ddz.perft, ddz.divide])
def test_depths_that_are_no_number(function, depth):
    with pytest.raises(TypeError, match="depth"):
        function(ddz.Position(["3", "4"]), depth)


@pytest.mark.parametrize(
    "position", [None, "standard 3/4 0 0", 3, ddz.Hand("3")], ids=lambda thing: type(thing).__name__
)
@pytest.mark.parametrize("function", [ddz.perft, ddz.divide])
def test_perft_wants_a_position(function, position):
    with pytest.raises(TypeError):
        function(position, 1)


def test_a_depth_beyond_the_end_of_every_game_counts_the_games():
    position = ddz.Position(["34", "5", "6"])
    assert ddz.perft(position, 400) == ddz.perft(position, 20)
    assert ddz.perft(position, 0) == 1


def test_copies_and_pickles_of_values():
    position = ddz.Position(["345", "66"])
    position.play("3")
    values = [
        ddz.Hand("33BR"),
        ddz.Move.parse("33"),
        ddz.Move.PASS,
        ddz.legal_moves("345"),
        STANDARD,
    ]
    for value in [*values, position]:
        for twin in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
            assert twin == value


def test_the_batch_helper_by_itself_does_nothing():
    batch = importlib.import_module("ddz_core._batch").Batch()
    for work in (batch.count, batch.fill):
        with pytest.raises(TypeError, match="Batch is made by legal_moves_batch"):
            work(0, 1)


# ---- other objects -------------------------------------------------------------------------------

GAME = ddz.Game("douzero", seed=1)
CODES = (GAME.deal.code,)
TAKERS = {
    "record must be a Record, not ": ddz.analyse,
    "observation must be an Observation, not ": ddz.hint,
    "game must be a Game, not ": ddz.Record.from_game,
    "rules must be a Rules, a preset's name or None, not ": lambda wrong: ddz.Auction(wrong, 0),
    "opener must be an integer, not ": lambda wrong: ddz.Auction("standard", wrong),
    "tags must be a mapping, not ": lambda wrong: ddz.Record.from_game(GAME, wrong),
    "moves must be .seat, move. pairs, not ": lambda wrong: ddz.Record(
        "douzero", CODES, moves=wrong
    ),
    "each of auctions must be .seat, bid. pairs, not ": (
        lambda wrong: ddz.Record("douzero", CODES, auctions=[wrong])
    ),
    "path must be a str or path, not ": lambda wrong: GAME.record().save(wrong),
    "result must be a Result, not ": lambda wrong: ddz.Record("douzero", CODES, result=wrong),
    "resume must be a str or path, not ": lambda wrong: ddz.simulate(None, 1, resume=wrong),
    "start must be a Position, a Rules, a preset's name or None, not ": (
        lambda wrong: ddz.playout(wrong, 1)
    ),
    "dtype must be float32 or int8, not ": lambda wrong: VectorEnv(1, "rlcard", dtype=wrong),
    "line must be a str or bytes, not ": Referee().answer,
    "text must be a str, not ": is_rlcard,
}


@pytest.mark.parametrize("wrong", [2.5, [1], object(), GAME.rules.deck])
@pytest.mark.parametrize("message", TAKERS)
def test_other_objects(message, wrong):
    with pytest.raises(TypeError, match=message):
        TAKERS[message](wrong)


ITERABLES = {
    "positions": ddz.solve_batch,
    "deal": lambda wrong: ddz.Game("douzero", deal=wrong),
    "deals": lambda wrong: ddz.Record("douzero", wrong),
    "auctions": lambda wrong: ddz.Record("douzero", CODES, auctions=wrong),
}


@pytest.mark.parametrize("wrong", [2.5, object(), ddz.Position(["3", "4"])])
@pytest.mark.parametrize("name", ITERABLES)
def test_what_cannot_be_gone_through_is_named(name, wrong):
    with pytest.raises(TypeError, match=f"^{name} must be iterable, not {type(wrong).__name__}"):
        ITERABLES[name](wrong)


def test_what_is_wrong_among_many_is_named():
    with pytest.raises(TypeError, match=r"^positions\[1\] must be a Position, not str: '33'"):
        ddz.solve_batch([ddz.Position(["3", "4"]), "33"])
    with pytest.raises(TypeError, match=r"^deal\[1\] must be a Deal, not NoneType"):
        ddz.Game("douzero", deal=[GAME.deal, None])


def test_strong_is_asked_about_observations():
    for ask in (Strong(4), Strong(4).bid):
        with pytest.raises(TypeError, match="observation must be an Observation, not Game"):
            ask(GAME, [ddz.Bid.PASS, ddz.Bid.ONE], np.random.default_rng(1))


def test_an_auction_takes_a_rule_set_by_name():
    auction = ddz.Auction("duel", 1)
    assert auction == ddz.Auction(ddz.Rules.duel(), 1)
    with pytest.raises(ddz.DdzError, match="opener is 2; there are seats 0 … 1"):
        ddz.Auction("duel", 2)
