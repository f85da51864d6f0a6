"""Commands that ask about hands and plays: moves, classify, turns and perft."""

from __future__ import annotations

import argparse
import time

import ddz_core as ddz
from ddz_core.cli.arguments import POSITION_HELP, BadInputError, Commands, seed_or
from ddz_core.cli.output import (
    as_facts,
    by_kind,
    counted,
    label,
    move_as_json,
    print_json,
    tables,
)
from ddz_core.rules import as_rules

__all__ = ["add_queries"]


def add_queries(commands: Commands) -> None:
    """Add these commands to the parser."""
    moves = commands.add("moves", moves_command, "List the legal moves of a hand.")
    moves.add_argument("hand", metavar="HAND")
    moves.add_argument("--beat", metavar="PLAY", help="the play to beat; without it the hand leads")
    moves.add_argument("--count", action="store_true", help="only how many there are")

    readings = commands.add(
        "classify", classify_command, "List what cards are as a play, or say why they are none."
    )
    readings.add_argument("cards", metavar="CARDS")

    turns = commands.add(
        "turns", turns_command, "Show the fewest plays that empty a hand when nobody answers."
    )
    turns.add_argument("hand", metavar="HAND")

    tree = commands.add(
        "perft",
        perft_command,
        "Count the positions some plies ahead.",
        rules="standard; that of the position, and no other, if there is one",
    )
    tree.add_argument(
        "position",
        metavar="POSITION",
        nargs="?",
        help=f"{POSITION_HELP}; a random deal by default",
    )
    tree.add_argument("--seed", metavar="S", type=int, help="of the random deal (0)")
    tree.add_argument("--depth", metavar="N", type=int, default=3, help="plies (%(default)s)")
    tree.add_argument("--divide", action="store_true", help="split the count by the first move")


def moves_command(arguments: argparse.Namespace) -> None:
    """``ddz moves``."""
    rules = as_rules(arguments.rules)
    hand = ddz.Hand(arguments.hand)
    last = None if arguments.beat is None else ddz.Move.parse(arguments.beat, rules)
    query = {"rules": rules.name, "hand": str(hand), "beat": None if last is None else str(last)}
    if arguments.count:
        count = ddz.count_legal_moves(hand, last, rules)
        if arguments.json:
            print_json({**query, "count": count})
        else:
            print(count)
        return
    moves = ddz.legal_moves(hand, last, rules)
    if arguments.json:
        print_json({**query, "count": len(moves), "moves": [move_as_json(move) for move in moves]})
        return
    groups = by_kind(moves)
    tables().show(
        counted(len(moves), "legal move"),
        as_facts(query),
        ["kind", ">number", "moves"],
        [(label(kind), str(len(group)), "  ".join(group)) for kind, group in groups.items()],
        wide="moves",
    )


def classify_command(arguments: argparse.Namespace) -> None:
    """``ddz classify``."""
    rules = as_rules(arguments.rules)
    main_part, plus, _ = arguments.cards.partition("+")
    cards = ddz.Hand(arguments.cards.replace("+", "", 1))
    if not cards:
        raise BadInputError("there is no card to classify")
    readings = [
        reading
        for reading in ddz.classify(cards, rules)
        if not plus or reading.main == ddz.Hand(main_part)
    ]
    reason = ddz.why_illegal(cards, arguments.cards, None, rules)
    query = {"rules": rules.name, "cards": str(cards)}
    if arguments.json:
        print_json(
            {
                **query,
                "readings": [move_as_json(reading) for reading in readings],
                "reason": reason and {"name": reason.name, "sentence": reason.value},
            }
        )
    elif reason is not None:
        print(f"{cards} is no play of the rules {rules.name}. {reason.value}")
    else:
        tables().show(
            counted(len(readings), "reading"),
            as_facts(query),
            ["play", "kind", "main rank", ">chain length", ">cards"],
            [
                (
                    str(reading),
                    label(reading.kind),
                    "" if reading.rank is None else reading.rank.symbol,
                    str(reading.length),
                    str(reading.n_cards),
                )
                for reading in readings
            ],
        )


def turns_command(arguments: argparse.Namespace) -> None:
    """``ddz turns``."""
    rules = as_rules(arguments.rules)
    hand = ddz.Hand(arguments.hand)
    plays = list(ddz.decompose(hand, rules))
    query = {"rules": rules.name, "hand": str(hand)}
    if arguments.json:
        print_json({**query, "turns": len(plays), "plays": [move_as_json(play) for play in plays]})
        return
    tables().show(
        counted(len(plays), "turn"),
        as_facts(query),
        [">turn", "play", "kind"],
        [(str(i), str(play), label(play.kind)) for i, play in enumerate(plays, 1)],
    )


def perft_command(arguments: argparse.Namespace) -> None:
    """``ddz perft``."""
    least = 1 if arguments.divide else 0
    if arguments.depth < least:
        raise BadInputError(f"--depth is {arguments.depth}; it must be at least {least}")
    seed = None
    if arguments.position is None:
        rules = as_rules(arguments.rules)
        seed = seed_or(0, arguments.seed)
        (hands,) = ddz.random_hands(rules, 1, seed)
        position = ddz.Position([ddz.Hand.from_counts(hand) for hand in hands], rules=rules)
    elif arguments.seed is not None:
        raise BadInputError("give either a POSITION or --seed, not both")
    else:
        position = ddz.Position.from_string(arguments.position, arguments.rules)
    query = {
        "rules": position.rules.name,
        "position": position.to_string(),
        "seed": seed,
        "depth": arguments.depth,
    }
    if not arguments.json:
        tables()
    if arguments.divide:
        leaves = ddz.divide(position, arguments.depth)
        total = sum(leaves.values())
        if arguments.json:
            split = {str(move): n for move, n in leaves.items()}
            print_json({**query, "leaves": total, "divide": split})
            return
        tables().show(
            f"{total:,} leaves",
            as_facts(query),
            ["first move", ">leaves"],
            [(str(move), f"{n:,}") for move, n in leaves.items()],
        )
        return
    rows: list[tuple[int, int, float]] = []
    # The deepest first: a depth that is out of range is refused before any work.
    for depth in range(arguments.depth, -1, -1):
        started = time.perf_counter()
        leaves_here = ddz.perft(position, depth)
        rows.insert(0, (depth, leaves_here, time.perf_counter() - started))
    if arguments.json:
        depths = [{"depth": depth, "leaves": n, "seconds": s} for depth, n, s in rows]
        print_json({**query, "leaves": rows[-1][1], "depths": depths})
        return
    tables().show(
        counted(rows[-1][1], "leaf", "leaves"),
        as_facts(query),
        [">depth", ">leaves", ">seconds", ">leaves/s"],
        [
            (str(depth), f"{n:,}", f"{s:.3f}", f"{n / max(s, 1e-9):,.0f}" if s > 1e-3 else "")
            for depth, n, s in rows
        ],
    )
