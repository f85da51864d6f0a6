"""The command ``ddz``: queries, simulation, deals, records and the referee from a shell."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

import ddz_core as ddz
from ddz_core.cli.arguments import (
    BAD_INPUT,
    CLOSED_PIPE,
    INTERRUPTED,
    OK,
    BadInputError,
    Commands,
    Parser,
)
from ddz_core.cli.evaluation import add_evaluation
from ddz_core.cli.games import add_games
from ddz_core.cli.queries import add_queries
from ddz_core.cli.simulation import add_simulation
from ddz_core.cli.solving import add_solving

__all__ = ["main"]

# RuntimeError: no more threads or processes can be started, or they die again and again.
MISTAKES = (BadInputError, ValueError, OverflowError, MemoryError, OSError, RuntimeError)


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
    if sys.stdout is None or sys.stderr is None:  # closed by whoever started us
        return CLOSED_PIPE
    with suppress(AttributeError):
        # A terminal that has no "±" shows "?" for it.
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        arguments = parser().parse_args(argv)
        code: int | None = arguments.run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Python flushes stdout once more when it ends: let that go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE
    except MISTAKES as error:
        if isinstance(error, OSError):
            # A full disk, say: nor can what is left be written when Python ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        message = " ".join(str(error).split()) or type(error).__name__
        print("ddz:", message if len(message) <= 400 else f"{message[:400]} …", file=sys.stderr)
        return BAD_INPUT
    return OK if code is None else code


def parser() -> Parser:
    """The parser of all commands."""
    top = Parser(
        prog="ddz",
        description="Dou Dizhu: legal moves, readings, fewest turns, perft, simulation, what bids "
        "and moves are worth, exact solutions, deals, records and a referee.",
        epilog="Cards are written 3456789TJQKA2BR (10 for T, B and R for the black and the red "
        "joker); a play is written as its main part, + and its kickers: 333444+56.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"ddz_core {ddz.__version__}")
    commands = Commands(top)
    add_queries(commands)
    add_simulation(commands)
    add_evaluation(commands)
    add_solving(commands)
    add_games(commands)
    return top
