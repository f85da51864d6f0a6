"""Throw anything at every public function and method: it answers, or raises what it promises.

``python fuzz.py SEED EXAMPLES LOG`` runs in a process of its own, so that a crash is noticed; LOG
then holds the call that crashed.
"""

from __future__ import annotations

import dataclasses
import operator
import sys
from pathlib import Path

import hypothesis
import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import ddz_core as ddz

# All that bad input may raise; anything else (SystemError, KeyError, AssertionError …) is a bug.
PROMISED = (ddz.DdzError, TypeError, ValueError, IndexError, OverflowError)

PRESETS = ddz.Rules.preset_names()


class Index:
    """An integer by its looks only."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value

    def __repr__(self):
        return f"Index({self.value!r})"


class Text(str):
    """A str of another class."""


class Counts(np.ndarray):
    """An ndarray of another class."""


def as_array(moves):
    """A move array with these moves, made field by field."""
    array = np.zeros(len(moves), ddz.move_dtype)
    array["cards"] = [move.cards.packed for move in moves]
    array["rank"] = [move.rank or 0 for move in moves]
    for field in ("kind", "length", "n_cards"):
        array[field] = [getattr(move, field) for move in moves]
    return array


# ---- near-valid arguments ------------------------------------------------------------------------

preset_names = st.sampled_from(PRESETS)
rule_sets = st.one_of(
    st.none(),
    preset_names,
    preset_names.map(ddz.Rules.preset),
    st.just(ddz.Rules.standard().replace(held_quads_stay_together=True)),
    st.just(ddz.Rules.standard().replace(hand_size=2, kitty_size=1, players=2)),
)
some_moves = st.sampled_from(
    [
        move
        for name in PRESETS
        for move in (ddz.Move.PASS, *list(ddz.all_plays(name))[::701], *ddz.all_plays(name)[:40])
    ]
)
card_texts = st.one_of(
    st.text("3456789TJQKA2BR", max_size=22),
    st.text("34BR", max_size=10),
    st.text("3456789TJQKA2BRtjqkabr10 +", max_size=22),
    some_moves.map(str),
)
counts = st.lists(st.integers(0, 4), min_size=15, max_size=15).map(
    lambda values: ddz.Hand.from_counts([*values[:13], values[13] % 2, values[14] % 2])
)
small_hands = st.text("3456789TJQKA2BR", max_size=12).map(
    lambda text: ddz.Hand("".join(c for i, c in enumerate(text) if text[:i].count(c) < 1))
)
hands = st.one_of(small_hands, counts, card_texts, card_texts.map(Text))
plays = st.one_of(st.none(), some_moves, card_texts)
small_numbers = st.integers(-3, 20)


def _position(move, name):
    position = ddz.Position(["567", "5678", "69TJQK2"], rules=name)
    for _ in range(len(str(move)) % 5):
        legal = position.legal_moves()
        if not legal:
            break
        position.play(legal[hash(move) % len(legal)])
    return position


positions = st.builds(_position, some_moves, st.sampled_from(["standard", "duel"]))
arrays = npst.arrays(
    dtype=st.sampled_from(
        [np.uint8, np.int8, np.int64, np.uint64, np.float64, bool, object, "S3", ddz.move_dtype]
    ),
    shape=npst.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=15),
    fill=st.nothing(),
)
tables = npst.arrays(
    np.uint8, st.tuples(st.integers(0, 5), st.just(15)), elements=st.integers(0, 5)
)
batches = st.one_of(
    tables,
    tables.map(np.asfortranarray),
    tables.map(lambda table: table[::-2, :]),
    tables.map(lambda table: table.view(Counts)),
    st.lists(counts, max_size=4).map(
        lambda held: np.array([hand.counts for hand in held], np.uint8).reshape(len(held), 15)
    ),
    arrays,
)
records = st.one_of(
    npst.arrays(ddz.move_dtype, st.integers(0, 5)),
    st.lists(some_moves, max_size=5).map(as_array),
)
position_texts = st.one_of(
    positions.map(ddz.Position.to_string),
    positions.map(ddz.Position.to_string).flatmap(
        lambda text: st.tuples(st.integers(0, len(text)), st.characters()).map(
            lambda at: text[: at[0]] + at[1] + text[at[0] + 1 :]
        )
    ),
)

bids = st.one_of(st.sampled_from([*ddz.Bid, "pass", "1", " Rob", "CALL"]), st.integers(-1, 7))


def _game(name, actions, seed):
    game = ddz.Game(name, seed=seed)
    for _ in range(actions):
        if game.phase == "over":
            break
        if game.phase == "auction":
            game.bid(game.legal_bids()[-1])
        else:
            game.play(game.legal_moves()[-1])
    return game


games = st.builds(_game, preset_names, st.integers(0, 9), st.integers(0, 3))
deals = st.builds(ddz.deal, preset_names, st.integers(0, 3))
matches = st.builds(
    ddz.Match, st.sampled_from(["club", "duel"]), st.integers(1, 6), st.integers(0, 3)
)
some_records = [_game(name, 9, 1).record() for name in ("standard", "duel")]
record_texts = [made.save(format=form) for made in some_records for form in ("text", "json")]


def _damaged(texts):
    """Texts, some with one character changed or cut short."""
    return st.one_of(
        texts,
        texts.flatmap(
            lambda text: st.tuples(st.integers(0, len(text)), st.characters(), st.booleans()).map(
                lambda at: text[: at[0]] + at[1] + (text[at[0] + 1 :] if at[2] else "")
            )
        ),
    )


anything = st.one_of(
    st.none(),
    st.booleans(),
    small_numbers,
    st.sampled_from([2**31, 2**32, 2**63 - 1, 2**63, 2**64, -(2**63), -(2**64), 10**40]),
    st.floats(),
    st.complex_numbers(),
    st.text(max_size=20),
    st.binary(max_size=20),
    small_numbers.map(Index),
    st.sampled_from([2**70, "3", None, -1.5]).map(Index),
    st.sampled_from([np.uint8(3), np.int64(-1), np.float32(1), np.bool_(True), np.str_("34")]),
    st.sampled_from([int, object(), len, ddz, ddz.Hand, {}, {"a": 1}, range(15), ddz.Kind.BOMB]),
    st.lists(small_numbers, max_size=16),
    st.lists(small_numbers, max_size=16).map(tuple),
    st.sets(small_numbers, max_size=5),
    st.binary(max_size=16).map(bytearray),
    st.binary(max_size=16).map(memoryview),
    hands,
    some_moves,
    st.just(ddz.legal_moves("33345")),
    positions,
    games,
    deals,
    st.sampled_from(some_records),
    bids,
    rule_sets,
    arrays,
    records,
)


def usually(near):
    """Mostly near-valid, now and then anything at all."""
    return st.one_of(near, near, near, anything)


# ---- calls ---------------------------------------------------------------------------------------

HAND = usually(hands)
PLAY = usually(plays)
RULES = usually(rule_sets)
MOVE = usually(some_moves)
MOVES = usually(
    st.sampled_from([ddz.legal_moves("33345"), ddz.legal_moves(""), ddz.legal_moves("34", "3")])
)
POSITION = usually(positions)
INDEX = usually(
    st.one_of(
        small_numbers,
        st.builds(slice, *[st.one_of(st.none(), small_numbers)] * 3),
        st.builds(slice, *[st.sampled_from([None, 2**70, -(2**70)])] * 3),
    )
)
# Never a number of plies or games that is both allowed and long.
DEPTH = usually(st.one_of(st.integers(-2, 2), st.sampled_from([433, 10**6, 2**64])))
NUMBER = st.one_of(
    st.integers(-2, 200),
    st.sampled_from([10**13, 2**70]),
    anything.filter(lambda value: not isinstance(value, int) or value < 300 or value > 10**12),
)
SEED = usually(
    st.one_of(
        st.none(),
        st.integers(0, 2**130),
        st.lists(st.integers(0, 2**40), max_size=3),
        st.sampled_from([np.random.SeedSequence(3), np.random.PCG64(3), np.random.default_rng(3)]),
    )
)

GAME = usually(games)
BID = usually(bids)
SEAT = usually(st.integers(-1, 4))
CARDS = usually(st.one_of(hands, plays))
PILES = usually(st.lists(st.lists(st.integers(-1, 54), max_size=4), max_size=4))

OBSERVATION = usually(games.map(lambda game: game.observe(game.turn or 0)))
POLICY = usually(
    st.one_of(
        st.sampled_from(["random", "greedy", "rule"]),
        st.just({"landlord": "rule", "peasant": "random"}),
        st.just(lambda observation, moves, rng: 0),
    )
)
# Few enough to be played at once, or too many to be allowed.
FEW = st.one_of(
    st.integers(-2, 3),
    st.sampled_from([10**13, 2**70]),
    anything.filter(lambda value: not isinstance(value, int) or value < 4 or value > 10**12),
)
LANDLORD = usually(st.one_of(st.none(), st.integers(-1, 4)))

SOME_SPACE = ddz.ActionSpace("duel")
SOME_STATS = ddz.playout("standard", 50, seed=1)

CALLS = {
    "legal_moves": (ddz.legal_moves, HAND, PLAY, RULES),
    "all_plays": (ddz.all_plays, RULES),
    "PlayoutStats.interval": (SOME_STATS.interval, NUMBER, usually(st.floats(0, 1))),
    "count_legal_moves": (ddz.count_legal_moves, HAND, PLAY, RULES),
    "legal_move_at": (ddz.legal_move_at, HAND, INDEX, PLAY, RULES),
    "classify": (ddz.classify, HAND, RULES),
    "why_illegal": (ddz.why_illegal, HAND, usually(st.one_of(hands, plays)), PLAY, RULES),
    "legal_moves_batch": (
        ddz.legal_moves_batch,
        usually(batches),
        st.one_of(PLAY, records),
        RULES,
        usually(st.one_of(st.none(), st.integers(-1, 3))),
    ),
    "min_turns": (ddz.min_turns, HAND, RULES),
    "decompose": (ddz.decompose, HAND, RULES),
    "pack_counts": (ddz.pack_counts, usually(batches)),
    "unpack_counts": (ddz.unpack_counts, usually(arrays)),
    "Hand": (ddz.Hand, HAND),
    "Hand.from_counts": (
        ddz.Hand.from_counts,
        usually(st.lists(st.integers(-1, 9), min_size=14, max_size=16)),
    ),
    "Hand.from_ids": (ddz.Hand.from_ids, usually(st.lists(st.integers(-1, 109), max_size=20))),
    "Hand.from_packed": (ddz.Hand.from_packed, usually(st.integers(-1, 2**60))),
    "Hand.count": (ddz.Hand.count, HAND, usually(small_numbers)),
    "Move": (ddz.Move, MOVE),
    "Move.parse": (ddz.Move.parse, usually(card_texts), RULES),
    "Move.from_record": (
        ddz.Move.from_record,
        usually(records.filter(len).map(lambda array: array[0])),
        RULES,
    ),
    "Move.beats": (ddz.Move.beats, MOVE, MOVE),
    "MoveList": (ddz.MoveList, MOVES),
    "MoveList.index": (ddz.MoveList.index, MOVES, MOVE),
    "MoveList.count": (ddz.MoveList.count, MOVES, MOVE),
    "getitem": (operator.getitem, MOVES, INDEX),
    "contains": (operator.contains, st.one_of(MOVES, HAND), usually(st.one_of(hands, some_moves))),
    "Position": (
        ddz.Position,
        usually(st.lists(HAND, max_size=5)),
        usually(st.integers(-1, 4)),
        usually(st.integers(-1, 4)),
        PLAY,
        usually(st.integers(-1, 3)),
        usually(st.integers(-1, 5)),
        RULES,
    ),
    "Position.from_string": (ddz.Position.from_string, usually(position_texts), RULES),
    "Position.play": (ddz.Position.play, POSITION, MOVE),
    "Position.undo": (ddz.Position.undo, POSITION),
    "Position.copy": (ddz.Position.copy, POSITION),
    "perft": (ddz.perft, POSITION, DEPTH),
    "divide": (ddz.divide, POSITION, DEPTH),
    "playout": (
        ddz.playout,
        st.one_of(RULES, POSITION),
        NUMBER,
        SEED,
        usually(st.just("random")),
        usually(st.one_of(st.none(), st.integers(-1, 3))),
        usually(st.none()),
    ),
    "random_hands": (ddz.random_hands, RULES, NUMBER, SEED),
    "Rules.preset": (ddz.Rules.preset, RULES),
    "Rules.pagat": (ddz.Rules.pagat, anything),
    "card_name": (ddz.card_name, usually(st.integers(-1, 109))),
    "Deal": (ddz.Deal, PILES, PILES, PILES, SEAT, SEAT, SEAT, usually(st.integers(-1, 15))),
    "Deal.hand": (ddz.Deal.hand, usually(deals), SEAT),
    "Deal.fits": (ddz.Deal.fits, usually(deals), RULES),
    "Deal.from_code": (
        ddz.Deal.from_code,
        usually(_damaged(deals.map(lambda made: made.code))),
    ),
    "deal": (ddz.deal, RULES, SEED),
    "deal fixed": (
        lambda rules, fixed, number, opener, style, tries: ddz.deal(
            rules, 1, fixed=fixed, number=number, opener=opener, style=style, max_tries=tries
        ),
        RULES,
        usually(
            st.dictionaries(
                st.one_of(st.integers(-1, 4), st.just("kitty")),
                st.one_of(hands, st.lists(st.integers(-1, 109), max_size=20), anything),
                max_size=4,
            )
        ),
        NUMBER,
        SEAT,
        usually(st.sampled_from(["shuffled", "unshuffled"])),
        NUMBER,
    ),
    "Bid.parse": (ddz.Bid.parse, BID),
    "Auction": (ddz.Auction, rule_sets.filter(lambda rules: rules is not None), SEAT),
    "Game": (
        lambda rules, seed, deal, code, number, opener: ddz.Game(
            rules, seed=seed, deal=deal, code=code, number=number, opener=opener
        ),
        RULES,
        SEED,
        usually(st.one_of(st.none(), deals, st.lists(deals, max_size=3))),
        usually(st.one_of(st.none(), _damaged(deals.map(lambda made: made.code)))),
        NUMBER,
        usually(st.none()),
    ),
    "Game.bid": (ddz.Game.bid, GAME, BID),
    "Game.play": (ddz.Game.play, GAME, CARDS),
    "Game.why_illegal": (ddz.Game.why_illegal, GAME, CARDS),
    "Game.undo": (ddz.Game.undo, GAME),
    "Game.observe": (ddz.Game.observe, GAME, SEAT),
    "Match": (ddz.Match, RULES, usually(st.integers(-1, 9)), SEED, SEAT),
    "Match.advance": (ddz.Match.advance, usually(matches)),
    "hint": (ddz.hint, usually(games.map(lambda game: game.observe(0)))),
    "Record": (
        ddz.Record,
        RULES,
        usually(st.lists(usually(deals.map(lambda made: made.code)), max_size=2)),
        usually(st.lists(st.lists(st.tuples(SEAT, BID), max_size=4), max_size=2)),
        usually(st.lists(st.tuples(SEAT, MOVE), max_size=4)),
        anything,
        usually(st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3)),
    ),
    # Never a number, which may be an open file, nor a name that may be there.
    "Record.load": (ddz.Record.load, _damaged(st.sampled_from(record_texts))),
    "Record.save": (
        ddz.Record.save,
        usually(st.sampled_from(some_records)),
        st.none(),
        usually(st.just("json")),
    ),
    "ActionSpace": (ddz.ActionSpace, RULES),
    "ActionSpace.move": (SOME_SPACE.move, usually(st.integers(-1, SOME_SPACE.n))),
    "ActionSpace.id": (SOME_SPACE.id, st.one_of(MOVE, usually(card_texts))),
    "ActionSpace.ids": (SOME_SPACE.ids, st.one_of(MOVES, usually(records))),
    "ActionSpace.pick": (SOME_SPACE.pick, usually(arrays)),
    "ActionSpace.mask": (SOME_SPACE.mask, st.one_of(MOVES, usually(records))),
    "built_in": (ddz.built_in, POLICY),
    "simulate": (
        lambda rules, deals, policies, seed, landlord, threads: ddz.simulate(
            rules, deals, policies, seed, landlord=landlord, threads=threads
        ),
        RULES,
        FEW,
        POLICY,
        SEED,
        LANDLORD,
        usually(st.one_of(st.none(), st.integers(-1, 3))),
    ),
    "SimulationResult.from_json": (
        ddz.SimulationResult.from_json,
        usually(_damaged(st.just(ddz.simulate(deals=3, seed=1).to_json()))),
    ),
    "sample_hidden": (ddz.sample_hidden, OBSERVATION, FEW, SEED),
    "sample_weighted": (
        ddz.sample_weighted,
        OBSERVATION,
        FEW,
        usually(st.sampled_from([lambda hands: np.ones(len(hands)), lambda hands: hands])),
        SEED,
    ),
    "evaluate_moves": (ddz.evaluate_moves, OBSERVATION, FEW, POLICY, SEED),
    "evaluate_bid": (
        ddz.evaluate_bid,
        usually(deals.map(lambda made: made.hand(0))),
        RULES,
        FEW,
        POLICY,
        SEED,
    ),
    "solve": (
        lambda position, objective, nodes, seconds, threads, megabytes, all_moves: ddz.solve(
            position,
            objective=objective,
            node_limit=nodes,
            time_limit=seconds,
            threads=threads,
            table_mb=megabytes,
            all_moves=all_moves,
        ),
        POSITION,
        usually(st.sampled_from(["win", "points"])),
        usually(st.integers(-1, 500)),
        usually(st.floats(0, 0.1)),
        usually(st.integers(-1, 3)),
        usually(st.floats(-1, 3)),
        anything,
    ),
    "solve_batch": (
        lambda positions, nodes: ddz.solve_batch(positions, node_limit=nodes, time_limit=0.1),
        usually(st.lists(POSITION, max_size=3)),
        usually(st.integers(-1, 200)),
    ),
    "analyse": (
        lambda record, nodes: ddz.analyse(record, node_limit=nodes, time_limit=0.01),
        usually(st.sampled_from(some_records)),
        usually(st.integers(-1, 20)),
    ),
    "DdzError": (ddz.DdzError, anything),
    "IllegalMoveError": (ddz.IllegalMoveError, anything, anything),
}
for _operation in ("add", "sub", "le", "lt", "ge", "gt", "eq", "ne"):
    CALLS[_operation] = (getattr(operator, _operation), HAND, HAND)

options = st.dictionaries(
    st.sampled_from([field.name for field in dataclasses.fields(ddz.Rules)]),
    usually(st.one_of(st.integers(0, 34), st.booleans())),
    max_size=4,
)


def throw(data, log=None):
    """One call."""
    name = data.draw(st.sampled_from([*CALLS, "Rules.replace", "fields"]))
    if name == "Rules.replace":
        function, arguments = ddz.Rules.standard().replace, []
        keywords = data.draw(options)
    elif name == "fields":
        function, arguments, keywords = (
            fields,
            [data.draw(st.one_of(HAND, MOVE, POSITION, GAME))],
            {},
        )
    else:
        function, *parameters = CALLS[name]
        arguments = [data.draw(parameter) for parameter in parameters]
        # Leave out some of the last ones.
        arguments = arguments[: data.draw(st.integers(1, len(arguments)))]
        keywords = {}
    if log is not None:
        log.seek(0)
        log.truncate()
        log.write(f"{name} {arguments!r} {keywords!r}\n")
        log.flush()
    try:
        result = function(*arguments, **keywords)
        repr(result)
    except AttributeError:
        # Right for a method that is called on something else, and nowhere else.
        owner = getattr(ddz, name.partition(".")[0], None)
        if "." not in name or isinstance(arguments[0], owner):
            raise
        message = ""
    except PROMISED as error:
        message = str(error)
    else:
        message = ""
    assert len(message) < 800, "nobody would read it"


def fields(value):
    """Every public attribute that needs no argument."""
    return [getattr(value, name) for name in dir(value) if not name.startswith("_")]


def main():
    """Run a number of examples with a seed."""
    seed, examples, path = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    with path.open("w", encoding="utf-8", errors="backslashreplace") as log:

        @hypothesis.seed(seed)
        @hypothesis.settings(
            max_examples=examples,
            deadline=None,
            database=None,
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        @hypothesis.given(st.data())
        def run(data):
            throw(data, log)

        run()


if __name__ == "__main__":
    main()
