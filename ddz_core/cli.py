"""The command ``ddz``: legal moves, readings, fewest turns, perft and simulation from a shell."""

from __future__ import annotations

import argparse
import json
import math
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import ddz_core as ddz
from ddz_core.rules import as_rules

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

__all__ = ["main"]

OK, BAD_INPUT, INTERRUPTED, CLOSED_PIPE = 0, 2, 130, 141

# 1.96 standard deviations on either side: 95 %.
Z95 = 1.959963984540054

MOST_DEALS = 10**12

KIND_LABELS = {
    ddz.Kind.TRIPLE_SINGLE: "triple + single",
    ddz.Kind.TRIPLE_PAIR: "triple + pair",
    ddz.Kind.PAIR_STRAIGHT: "pair straight",
    ddz.Kind.AIRPLANE_SINGLES: "airplane + singles",
    ddz.Kind.AIRPLANE_PAIRS: "airplane + pairs",
    ddz.Kind.QUAD_SINGLES: "quad + singles",
    ddz.Kind.QUAD_PAIRS: "quad + pairs",
    ddz.Kind.SHUTTLE_SINGLES: "shuttle + singles",
    ddz.Kind.SHUTTLE_PAIRS: "shuttle + pairs",
}


class BadInputError(Exception):
    """What the user typed cannot be carried out; the message goes to stderr on one line."""


class Parser(argparse.ArgumentParser):
    """An argument parser that answers a mistake with one line instead of its whole usage."""

    def error(self, message: str) -> NoReturn:
        raise BadInputError(f"{message} (see {self.prog} --help)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments; those of the process by default.

    Returns
    -------
    int
        The exit code: 0, 2 for bad input, 130 after Ctrl-C, 141 when the reader of a pipe left.
    """
    try:
        arguments = parser().parse_args(argv)
        arguments.run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Python flushes stdout once more when it ends: let that go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE
    except (BadInputError, ValueError, OverflowError, MemoryError) as error:
        message = " ".join(str(error).split()) or type(error).__name__
        print(f"ddz: {message}", file=sys.stderr)
        return BAD_INPUT
    return OK


def parser() -> Parser:
    """The parser of all commands."""
    top = Parser(
        prog="ddz",
        description="Dou Dizhu: legal moves, readings, fewest turns, perft and simulation.",
        epilog="Cards are written 3456789TJQKA2BR (10 for T, B and R for the black and the red "
        "joker); a play is written as its main part, + and its kickers: 333444+56.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"ddz_core {ddz.__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)

    def command(name: str, run: Callable[[argparse.Namespace], None], about: str) -> Parser:
        added = commands.add_parser(name, help=about, description=about, allow_abbrev=False)
        added.set_defaults(run=run)
        added.add_argument(
            "--rules",
            metavar="NAME",
            default=None,
            help=f"rule set: {', '.join(ddz.Rules.preset_names())} (standard)",
        )
        added.add_argument("--json", action="store_true", help="print one JSON object")
        return added

    moves = command("moves", moves_command, "List the legal moves of a hand.")
    moves.add_argument("hand", metavar="HAND")
    moves.add_argument("--beat", metavar="PLAY", help="the play to beat; without it the hand leads")
    moves.add_argument("--count", action="store_true", help="only how many there are")

    readings = command(
        "classify", classify_command, "List what cards are as a play, or say why they are none."
    )
    readings.add_argument("cards", metavar="CARDS")

    turns = command(
        "turns", turns_command, "Show the fewest plays that empty a hand when nobody answers."
    )
    turns.add_argument("hand", metavar="HAND")

    tree = command("perft", perft_command, "Count the positions some plies ahead.")
    tree.add_argument(
        "position",
        metavar="POSITION",
        nargs="?",
        help="as Position.to_string writes it, in quotes; a random deal by default",
    )
    tree.add_argument("--seed", metavar="S", type=int, help="of the random deal (0)")
    tree.add_argument("--depth", metavar="N", type=int, default=3, help="plies (%(default)s)")
    tree.add_argument("--divide", action="store_true", help="split the count by the first move")

    simulation = command("simulate", simulate_command, "Play random games from random deals.")
    simulation.add_argument(
        "--deals", metavar="N", type=int, default=100_000, help="how many (%(default)s)"
    )
    simulation.add_argument("--seed", metavar="S", type=int, help="repeats a run exactly (random)")
    simulation.add_argument("--threads", metavar="T", type=int, help="one a processor by default")
    return top


# ---- commands ------------------------------------------------------------------------------------


def moves_command(arguments: argparse.Namespace) -> None:
    """``ddz moves``."""
    rules = as_rules(arguments.rules)
    hand = ddz.Hand(arguments.hand)
    last = None if arguments.beat is None else ddz.Move.parse(arguments.beat, rules)
    answer: dict[str, Any] = {
        "rules": rules.name,
        "hand": str(hand),
        "beat": None if last is None else str(last),
    }
    if arguments.count:
        count = ddz.count_legal_moves(hand, last, rules)
        if arguments.json:
            print_json({**answer, "count": count})
        else:
            print(count)
        return
    moves = ddz.legal_moves(hand, last, rules)
    if arguments.json:
        print_json({**answer, "count": len(moves), "moves": [as_json(move) for move in moves]})
        return
    table = new_table(f"{counted(len(moves), 'legal move')} of {hand}", answer)
    table.add_column("kind", no_wrap=True)
    table.add_column("number", justify="right")
    table.add_column("moves", overflow="fold")
    for kind, group in by_kind(moves):
        table.add_row(label(kind), str(len(group)), "  ".join(group))
    console().print(table)


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
    reason = None if readings else ddz.why_illegal(cards, arguments.cards, None, rules)
    if arguments.json:
        print_json(
            {
                "rules": rules.name,
                "cards": str(cards),
                "readings": [as_json(reading) for reading in readings],
                "reason": reason and {"name": reason.name, "sentence": reason.value},
            }
        )
    elif reason is not None:
        print(f"{cards} is no play under the rules {rules.name}. {reason.value}")
    else:
        table = new_table(f"{counted(len(readings), 'reading')} of {cards}", {"rules": rules.name})
        for heading in ("play", "kind", "main rank"):
            table.add_column(heading)
        table.add_column("chain length", justify="right")
        table.add_column("cards", justify="right")
        for reading in readings:
            rank = "" if reading.rank is None else reading.rank.symbol
            table.add_row(
                str(reading), label(reading.kind), rank, str(reading.length), str(reading.n_cards)
            )
        console().print(table)


def turns_command(arguments: argparse.Namespace) -> None:
    """``ddz turns``."""
    rules = as_rules(arguments.rules)
    hand = ddz.Hand(arguments.hand)
    plays = list(ddz.decompose(hand, rules))
    turns = ddz.min_turns(hand, rules)
    if arguments.json:
        print_json(
            {
                "rules": rules.name,
                "hand": str(hand),
                "turns": turns,
                "plays": [as_json(play) for play in plays],
            }
        )
        return
    table = new_table(f"{counted(turns, 'turn')} for {hand}", {"rules": rules.name})
    table.add_column("turn", justify="right")
    table.add_column("play")
    table.add_column("kind")
    for number, play in enumerate(plays, 1):
        table.add_row(str(number), str(play), label(play.kind))
    console().print(table)


def perft_command(arguments: argparse.Namespace) -> None:
    """``ddz perft``."""
    rules = as_rules(arguments.rules)
    if arguments.position is None:
        seed = 0 if arguments.seed is None else at_least(0, arguments.seed, "--seed")
        position = ddz.deal_position(rules, seed)
    elif arguments.seed is not None:
        raise BadInputError("give either a POSITION or --seed, not both")
    else:
        seed = None
        position = ddz.Position.from_string(
            arguments.position, None if arguments.rules is None else rules
        )
    answer: dict[str, Any] = {
        "rules": position.rules.name,
        "position": position.to_string(),
        "seed": seed,
        "depth": at_least(1 if arguments.divide else 0, arguments.depth, "--depth"),
    }
    if arguments.divide:
        started = time.perf_counter()
        leaves = ddz.divide(position, arguments.depth)
        seconds = time.perf_counter() - started
        total = sum(leaves.values())
        if arguments.json:
            split = {str(move): n for move, n in leaves.items()}
            print_json({**answer, "leaves": total, "divide": split, "seconds": seconds})
            return
        table = new_table(f"{total:,} leaves at depth {arguments.depth}", answer)
        table.add_column("first move")
        table.add_column("leaves", justify="right")
        for move, n in leaves.items():
            table.add_row(str(move), f"{n:,}")
        console().print(table)
        return
    rows = []
    for depth in range(arguments.depth + 1):
        started = time.perf_counter()
        leaves_here = ddz.perft(position, depth)
        rows.append((depth, leaves_here, time.perf_counter() - started))
    if arguments.json:
        print_json({**answer, "leaves": [n for _, n, _ in rows], "seconds": rows[-1][2]})
        return
    table = new_table("Leaves of the game tree", answer)
    for heading in ("depth", "leaves", "seconds", "leaves/s"):
        table.add_column(heading, justify="right")
    for depth, n, seconds in rows:
        table.add_row(str(depth), f"{n:,}", f"{seconds:.3f}", f"{n / max(seconds, 1e-9):,.0f}")
    console().print(table)


def simulate_command(arguments: argparse.Namespace) -> None:
    """``ddz simulate``."""
    rules = as_rules(arguments.rules)
    deals = at_least(1, arguments.deals, "--deals")
    if deals > MOST_DEALS:
        raise BadInputError(f"--deals is {deals}; it must be 1 … {MOST_DEALS}")
    if arguments.seed is None:
        seed = secrets.randbits(32)
    else:
        seed = at_least(0, arguments.seed, "--seed")
    out = None if arguments.json else console()
    started = time.perf_counter()
    with progress_bar(deals, shown=out is not None) as progress:
        stats = ddz.playout(rules, deals, seed=seed, threads=arguments.threads, progress=progress)
    seconds = time.perf_counter() - started
    raise NotImplementedError(stats, seconds)


# ---- output --------------------------------------------------------------------------------------


def print_json(answer: object) -> None:
    """One JSON object on stdout."""
    print(json.dumps(answer))


def as_json(move: ddz.Move) -> dict[str, Any]:
    """A move as a JSON object."""
    return {
        "play": str(move),
        "kind": move.kind.name,
        "rank": None if move.rank is None else move.rank.symbol,
        "length": move.length,
        "n_cards": move.n_cards,
    }


def label(kind: ddz.Kind) -> str:
    """A kind's name for people."""
    return KIND_LABELS.get(kind, kind.name.lower())


def counted(n: int, thing: str) -> str:
    """``1 turn``, ``2 turns``."""
    return f"{n:,} {thing}{'' if n == 1 else 's'}"


def by_kind(moves: Iterable[ddz.Move]) -> Iterator[tuple[ddz.Kind, list[str]]]:
    """The texts of the moves of each kind, kinds in their first move's order."""
    groups: dict[ddz.Kind, list[str]] = {}
    for move in moves:
        groups.setdefault(move.kind, []).append(str(move))
    yield from groups.items()


def at_least(low: int, value: int, name: str) -> int:
    """The value, if it is not too low."""
    if value < low:
        raise BadInputError(f"{name} is {value}; it must be at least {low}")
    return value


def wilson(successes: int, n: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a rate."""
    rate = successes / n
    middle = rate + Z95**2 / (2 * n)
    reach = Z95 * math.sqrt(rate * (1 - rate) / n + Z95**2 / (4 * n * n))
    scale = 1 + Z95**2 / n
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)


def console(*, stderr: bool = False) -> Console:
    """A rich console; rich comes with the extra ``cli``."""
    try:
        from rich.console import Console
    except ImportError:
        raise BadInputError(
            'tables need the extra cli: pip install "ddz_core[cli]" (or use --json)'
        ) from None
    return Console(highlight=False, markup=False, emoji=False, stderr=stderr)


def new_table(title: str, facts: dict[str, Any]) -> Table:
    """An empty table; what it is about stands below it."""
    console()
    from rich import box
    from rich.table import Table
    from rich.text import Text

    caption = ", ".join(f"{name} {value}" for name, value in facts.items() if value is not None)
    return Table(
        title=Text(title),
        caption=Text(caption),
        title_justify="left",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
    )
