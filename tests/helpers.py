"""What several test files need: the core and the oracle in each other's words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import oracle
from oracle import Cards, Move

import ddz_core as ddz


@cache
def core_rules(name: str) -> ddz.Rules:
    """The core's rule set of that name, built as a user would."""
    if name in oracle.PRESETS and name != "pagat_distinct":
        return ddz.Rules.preset(name)
    if name == "pagat_distinct":
        return ddz.Rules.pagat(distinct_kickers=True)
    rules = oracle.VARIANTS[name]
    return ddz.Rules.standard().replace(
        airplane_kicker_cap=rules.airplane_cap,
        both_jokers_as_kickers=rules.both_jokers,
        shuttles=rules.shuttles,
        held_quads_stay_together=rules.held_quads_stay_together,
        **{kind.lower(): kind in rules.attached for kind in oracle.ATTACHED},
    )


# --- The two representations ----------------------------------------------------------------------


def core_hand(cards: Cards) -> ddz.Hand:
    """A Hand of these counts."""
    return ddz.Hand.from_counts(cards)


def core_move(move: Move, name: str) -> ddz.Move:
    """The core's move with this reading, made by way of its text."""
    return ddz.Move.parse(oracle.move_text(move), rules=core_rules(name))


def oracle_move(move: ddz.Move) -> Move:
    """A core move as plain tuples."""
    if move.kind == ddz.Kind.PASS:
        return oracle.PASS
    reading = (ddz.Kind(move.kind).name, int(move.rank), int(move.length), int(move.n_cards))
    return tuple(move.cards.counts.tolist()), reading


def oracle_moves(moves: Iterable[ddz.Move]) -> list[Move]:
    """A MoveList as plain tuples, in its order."""
    return [oracle_move(move) for move in moves]


def assert_same_moves(found: Iterable[ddz.Move], expected: Sequence[Move], where: object) -> None:
    """Fail with the few moves that differ, not with two long lists."""
    moves = oracle_moves(found)
    ours = set(moves)
    theirs = set(expected)
    extra = sorted(f"{oracle.move_text(m)} {m[1]}" for m in ours - theirs)
    missing = sorted(f"{oracle.move_text(m)} {m[1]}" for m in theirs - ours)
    assert not extra, f"{where}: not legal but listed: {extra[:5]}"
    assert not missing, f"{where}: legal but not listed: {missing[:5]}"
    assert len(moves) == len(ours), f"{where}: {len(moves) - len(ours)} moves are listed twice"
