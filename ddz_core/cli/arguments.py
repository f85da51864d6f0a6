"""What is typed: the parser's parts, and the options and files that several commands read."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO, NoReturn, TypeVar

import ddz_core as ddz
from ddz_core.importers import from_rlcard, is_rlcard
from ddz_core.policies import BUILT_IN
from ddz_core.record import Record
from ddz_core.record_reader import read_file, read_text
from ddz_core.referee import MAX_LINE

__all__ = [
    "BAD_INPUT",
    "CLOSED_PIPE",
    "INTERRUPTED",
    "OK",
    "POSITION_HELP",
    "RECORD_HELP",
    "BadInputError",
    "Commands",
    "Parser",
    "add_policies",
    "add_work",
    "chosen_policies",
    "file_errors",
    "lines_of",
    "policies_in_words",
    "recorded",
    "seed_or",
    "standard_input",
]

OK, BAD_INPUT, INTERRUPTED, CLOSED_PIPE = 0, 2, 130, 141

POSITION_HELP = (
    "rule set, hands by seat, landlord and turn, and what else Position.to_string writes, in "
    'quotes: "standard 38TT/4456/3578 0 0"'
)
RECORD_HELP = "a record of ddz_core or a replay of RLCard Showdown; - for standard input"

Command = Callable[[argparse.Namespace], int | None]


class BadInputError(Exception):
    """What was typed cannot be carried out; the message goes to stderr on one line."""


class Parser(argparse.ArgumentParser):
    """An argument parser that answers a mistake with one line instead of its whole usage."""

    def error(self, message: str) -> NoReturn:
        raise BadInputError(f"{message} (see {self.prog} --help)")


class Commands:
    """The commands of a parser.

    Parameters
    ----------
    top : Parser
    """

    def __init__(self, top: Parser) -> None:
        self._parsers = top.add_subparsers(metavar="COMMAND", required=True)

    def add(
        self,
        name: str,
        run: Command,
        about: str,
        *,
        takes: Sequence[str] = ("--rules", "--json"),
        rules: str = "standard",
    ) -> Parser:
        """Add a command; `run` carries it out and may return an exit code other than 0.

        `rules` says which rule set it takes without the option.
        """
        added: Parser = self._parsers.add_parser(
            name, help=about, description=about, allow_abbrev=False
        )
        added.set_defaults(run=run)
        if "--rules" in takes:
            added.add_argument(
                "--rules",
                metavar="NAME",
                help=f"rule set: {', '.join(ddz.Rules.preset_names())} ({rules})",
            )
        if "--json" in takes:
            added.add_argument("--json", action="store_true", help="print one JSON object")
        return added


# ---- options -------------------------------------------------------------------------------------


T = TypeVar("T", int, None)


def seed_or(default: T, seed: int | None) -> int | T:
    """The seed asked for, if it is one."""
    if seed is not None and seed < 0:
        raise BadInputError(f"--seed is {seed}; it must be at least 0")
    return default if seed is None else seed


def add_policies(parser: Parser, default: str) -> None:
    """Add the options that say who plays."""
    parser.add_argument(
        "--policy",
        metavar="NAME",
        default=default,
        help=f"who plays: {', '.join(BUILT_IN)} (%(default)s)",
    )
    parser.add_argument("--landlord-policy", metavar="NAME", help="another one for the landlord")
    parser.add_argument("--peasant-policy", metavar="NAME", help="another one for the peasants")


def chosen_policies(arguments: argparse.Namespace) -> dict[str, str]:
    """The policies by role."""
    policy: str = arguments.policy
    return {
        "landlord": policy if arguments.landlord_policy is None else arguments.landlord_policy,
        "peasant": policy if arguments.peasant_policy is None else arguments.peasant_policy,
    }


def policies_in_words(policies: dict[str, str]) -> str:
    """The policies by role for the line above a table."""
    landlord, peasant = policies["landlord"], policies["peasant"]
    return landlord if landlord == peasant else f"{landlord} as landlord, {peasant} as peasant"


def add_work(parser: Parser) -> None:
    """Add the options of work that is drawn by lot and cut in pieces."""
    parser.add_argument("--seed", metavar="S", type=int, help="repeats a run exactly (random)")
    parser.add_argument("--threads", metavar="T", type=int, help="one a processor by default")


# ---- files ---------------------------------------------------------------------------------------


@contextmanager
def file_errors(file: str | None) -> Iterator[None]:
    """Name the file where it cannot be read or written."""
    try:
        yield
    except OSError as error:
        if file is None or isinstance(error, BrokenPipeError):
            raise
        raise BadInputError(f"{file}: {error.strerror or error}") from None


def standard_input() -> BinaryIO:
    """Standard input, empty where the caller closed it."""
    return io.BytesIO() if sys.stdin is None else sys.stdin.buffer


def lines_of(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream as they come; of one that is too long only the beginning."""
    while line := stream.readline(MAX_LINE + 1):
        yield line
        while len(line) > MAX_LINE and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE + 1)


def recorded(file: str) -> Record:
    """The game in a file: a record, or a replay of RLCard Showdown."""
    with file_errors(file):
        text = read_text(standard_input()) if file == "-" else read_file(file)
    return from_rlcard(text) if is_rlcard(text) else Record.load(text)
