"""The command ``ddz``: queries, simulation, deals, records and the referee from a shell."""

from __future__ import annotations

import argparse
import io
import json
import math
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from types import ModuleType
from typing import Any, BinaryIO, Literal, NoReturn

import ddz_core as ddz
from ddz_core.deal import Deal, card_name, deal
from ddz_core.game import Result
from ddz_core.importers import from_rlcard
from ddz_core.parallel import n_threads
from ddz_core.record import Record, read_file, read_text, result_as_json
from ddz_core.referee import MAX_LINE, answers
from ddz_core.rules import as_rules

__all__ = ["main"]

OK, BAD_INPUT, INTERRUPTED, CLOSED_PIPE = 0, 2, 130, 141

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
    """What was typed cannot be carried out; the message goes to stderr on one line."""


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
    if sys.stdout is None or sys.stderr is None:  # closed by whoever started us
        return CLOSED_PIPE
    with suppress(AttributeError):
        # A terminal that has no "±" shows "?" for it.
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
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
    except (BadInputError, ValueError, OverflowError, MemoryError, OSError) as error:
        if isinstance(error, OSError):
            # A full disk, say: nor can what is left be written when Python ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        message = " ".join(str(error).split()) or type(error).__name__
        print("ddz:", message if len(message) <= 400 else f"{message[:400]} …", file=sys.stderr)
        return BAD_INPUT
    return OK


def parser() -> Parser:
    """The parser of all commands."""
    top = Parser(
        prog="ddz",
        description="Dou Dizhu: legal moves, readings, fewest turns, perft, simulation, deals, "
        "records and a referee.",
        epilog="Cards are written 3456789TJQKA2BR (10 for T, B and R for the black and the red "
        "joker); a play is written as its main part, + and its kickers: 333444+56.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"ddz_core {ddz.__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)

    def command(
        name: str,
        run: Callable[[argparse.Namespace], None],
        about: str,
        *,
        takes: Sequence[str] = ("--rules", "--json"),
    ) -> Parser:
        added = commands.add_parser(name, help=about, description=about, allow_abbrev=False)
        added.set_defaults(run=run)
        if "--rules" in takes:
            added.add_argument(
                "--rules",
                metavar="NAME",
                help=f"rule set: {', '.join(ddz.Rules.preset_names())} (standard)",
            )
        if "--json" in takes:
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

    dealer = command("deal", deal_command, "Deal the cards, or show the deal of a code.")
    dealer.add_argument("--seed", metavar="S", type=int, help="repeats a deal exactly (random)")
    dealer.add_argument("--code", metavar="CODE", help="the deal to show, instead of a new one")
    dealer.add_argument(
        "--unshuffled", action="store_true", help="cut the pack and deal it in runs: many bombs"
    )

    replay = command(
        "replay", replay_command, "Check a recorded game and show every step.", takes=["--json"]
    )
    replay.add_argument(
        "file",
        metavar="FILE",
        help="a record of ddz_core or a replay of RLCard Showdown; - for standard input",
    )

    command(
        "referee",
        referee_command,
        "Lead games for other programs: lines of JSON (or records) on standard input, each "
        "answered at once by one JSON object on a line of standard output.",
        takes=["--rules"],
    )
    return top


# ---- commands ------------------------------------------------------------------------------------


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
        print_json({**query, "count": len(moves), "moves": [as_json(move) for move in moves]})
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
                "readings": [as_json(reading) for reading in readings],
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
        print_json({**query, "turns": len(plays), "plays": [as_json(play) for play in plays]})
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


def simulate_command(arguments: argparse.Namespace) -> None:
    """``ddz simulate``."""
    rules = as_rules(arguments.rules)
    deals: int = arguments.deals
    if deals < 1:
        raise BadInputError(f"--deals is {deals}; it must be at least 1")
    seed = seed_or(secrets.randbits(32), arguments.seed)
    threads = n_threads(arguments.threads)
    query = {"rules": rules.name, "deals": deals, "seed": seed, "threads": threads}
    started = time.perf_counter()
    if arguments.json:
        stats = ddz.playout(rules, deals, seed, threads=threads)
    else:
        with tables().progress_bar(deals, "deals") as progress:
            stats = ddz.playout(rules, deals, seed, threads=threads, progress=progress)
    seconds = time.perf_counter() - started
    speed = deals / max(seconds, 1e-9)
    if arguments.json:
        result = {key: value for key, value in stats.as_dict().items() if key != "seed"}
        print_json({**query, **result, "seconds": seconds, "deals_per_second": speed})
        return

    def rate(name: str, events: int) -> tuple[str, str, str]:
        low, high = stats.interval(events)
        return name, f"{events / deals:.3%}", f"95 % CI {low:.3%} … {high:.3%}"

    def mean(name: str, estimate: ddz.Estimate) -> tuple[str, str, str]:
        error = "" if math.isnan(estimate.se) else f"± {estimate.se:.4f} (standard error)"
        return name, f"{estimate.mean:.4f}", error

    tables().show(
        f"{counted(deals, 'random deal')}, every legal move equally likely",
        f"{as_facts(query)}: {seconds:.2f} s, {speed:,.0f} deals/s",
        ["", ">", ""],
        [
            rate("landlord wins", stats.landlord_wins),
            rate("peasants win", stats.peasant_wins),
            rate("springs", stats.sums["springs"]),
            rate("anti-springs", stats.sums["anti_springs"]),
            mean("bombs a deal", stats.bombs),
            mean("rockets a deal", stats.rockets),
            mean("plies a deal", stats.plies),
        ],
    )


def deal_command(arguments: argparse.Namespace) -> None:
    """``ddz deal``."""
    query: dict[str, Any]
    if arguments.code is None:
        rules = as_rules(arguments.rules)
        seed = seed_or(secrets.randbits(32), arguments.seed)
        style: Literal["shuffled", "unshuffled"]
        style = "unshuffled" if arguments.unshuffled else "shuffled"
        dealt = deal(rules, seed, style=style)
        query = {"rules": rules.name, "seed": seed, "style": style}
    elif arguments.seed is not None or arguments.unshuffled:
        raise BadInputError("--code names the deal: it goes with neither --seed nor --unshuffled")
    else:
        dealt = Deal.from_code(arguments.code)
        if arguments.rules is not None:
            dealt.fits(arguments.rules)
        query = {"rules": arguments.rules}
    face_up = None if dealt.face_up is None else card_name(dealt.face_up)
    query |= {"code": dealt.code, "opener": dealt.opener, "face_up": face_up}
    piles = [(str(seat), cards) for seat, cards in enumerate(dealt.hands)]
    piles += [("kitty", dealt.kitty), ("undealt", dealt.undealt)]
    named = [(name, [card_name(card) for card in cards]) for name, cards in piles]
    if arguments.json:
        (*hands, (_, kitty), (_, undealt)) = named
        print_json(
            {**query, "hands": [cards for _, cards in hands], "kitty": kitty, "undealt": undealt}
        )
        return
    tables().show(
        f"{counted(dealt.players, 'hand')}, seat {dealt.opener} speaks first",
        as_facts({name.replace("_", "-"): value for name, value in query.items()}),
        ["seat", "cards"],
        [(name, " ".join(cards)) for name, cards in named if cards],
        wide="cards",
    )


def replay_command(arguments: argparse.Namespace) -> None:
    """``ddz replay``."""
    record = recorded(arguments.file)
    steps = list(record_steps(record))
    if arguments.json:
        print_json(
            {
                "rules": record.rules.name,
                "tags": record.tags,
                "deals": list(record.deals),
                "steps": steps,
                "result": None if record.result is None else result_as_json(record.result),
            }
        )
        return
    tables().show(
        ", ".join(
            (
                f"rules {record.rules.name}",
                counted(len(record.deals), "deal"),
                counted(len(record.moves), "ply", "plies"),
                *(f"{name} {value}" for name, value in record.tags.items()),
            )
        ),
        outcome(record.result),
        [">", "seat", "action", "kind", "left"],
        [row for step in steps for row in step_rows(step)],
    )


def referee_command(arguments: argparse.Namespace) -> None:
    """``ddz referee``."""
    rules = as_rules(arguments.rules)
    for answer in answers(lines_of(standard_input()), rules):
        print(json.dumps(answer, allow_nan=False), flush=True)


# ---- input ---------------------------------------------------------------------------------------


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
    try:
        text = read_text(standard_input()) if file == "-" else read_file(file)
    except OSError as error:
        raise BadInputError(f"{file}: {error.strerror or error}") from None
    if text.lstrip().startswith(("{", '"')) and "moveHistory" in text:
        return from_rlcard(text)
    return Record.load(text)


def record_steps(record: Record) -> Iterator[dict[str, Any]]:
    """Each deal, bid and move of a record, with the hands after it."""
    deals = actions = 0
    for game in record.replay():
        hands = [str(hand) for hand in game.hands]
        if len(game.actions) > actions:
            seat, action = game.actions[-1]
            actions += 1
            # The hands after a bid that brought a redeal are the next deal's.
            step: dict[str, Any] = {"seat": seat}
            if isinstance(action, ddz.Move):
                step |= {"ply": len(game.moves), **as_json(action)}
            else:
                step |= {"bid": str(action)}
            yield {**step, "hands": hands, "multiplier": game.multiplier}
        if len(game.deals) > deals:
            deals += 1
            deal = game.deal
            yield {"deal": deals, "code": deal.code, "opener": deal.opener, "hands": hands}


def outcome(result: Result | None) -> str:
    """A result for the line below a table."""
    if result is None:
        return "not over"
    if result.void:
        return "nobody bid: no points"
    items: dict[str, Any] = {
        name: getattr(result, name)
        for name in ("winner", "landlord", "base", "bombs", "rockets", "robs", "multiplier")
    }
    if result.spring or result.anti_spring:
        items["spring" if result.spring else "anti-spring"] = "×2"
    items["points"] = " ".join(map(str, result.points))
    return f"{'landlord' if result.landlord_won else 'peasants'} won: {as_facts(items)}"


def step_rows(step: dict[str, Any]) -> Iterator[tuple[str, str, str, str, str]]:
    """The lines of a table for one step."""
    if "deal" in step:
        for seat, hand in enumerate(step["hands"]):
            opens = "speaks first" if seat == step["opener"] else ""
            yield (f"deal {step['deal']}" if seat == 0 else "", str(seat), opens, "", hand)
        return
    hand = step["hands"][step["seat"]]
    if "bid" in step:
        yield ("", str(step["seat"]), f"bids {step['bid']}", "", "")
    else:
        kind = label(ddz.Kind[step["kind"]])
        yield (f"{step['ply']}.", str(step["seat"]), step["play"], kind, hand)


# ---- output --------------------------------------------------------------------------------------


def tables() -> ModuleType:
    """The part that needs rich; asked for before any long work, so that none is lost."""
    try:
        from ddz_core import tables as found  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "rich":
            raise
        raise BadInputError(
            'tables need the extra cli: pip install "ddz_core[cli]" (or use --json)'
        ) from None
    return found


def print_json(answer: dict[str, Any]) -> None:
    """One JSON object on stdout; a number that is not known is null."""
    print(json.dumps(without_nan(answer), allow_nan=False))


def without_nan(answer: Any) -> Any:
    """The same with None for NaN, which JSON does not have."""
    if isinstance(answer, dict):
        return {key: without_nan(value) for key, value in answer.items()}
    if isinstance(answer, list):
        return [without_nan(value) for value in answer]
    return None if isinstance(answer, float) and math.isnan(answer) else answer


def as_json(move: ddz.Move) -> dict[str, Any]:
    """A move as a JSON object."""
    return {
        "play": str(move),
        "kind": move.kind.name,
        "rank": None if move.rank is None else move.rank.symbol,
        "length": move.length,
        "n_cards": move.n_cards,
    }


def as_facts(query: dict[str, Any]) -> str:
    """What was asked, for the line below a table."""
    return ", ".join(f"{name} {value}" for name, value in query.items() if value is not None)


def label(kind: ddz.Kind) -> str:
    """A kind's name for people."""
    return KIND_LABELS.get(kind, kind.name.lower())


def counted(n: int, thing: str, things: str | None = None) -> str:
    """``1 turn``, ``2 turns``."""
    return f"{n:,} {thing if n == 1 else things or thing + 's'}"


def by_kind(moves: Iterable[ddz.Move]) -> dict[ddz.Kind, list[str]]:
    """The texts of the moves of each kind."""
    groups: dict[ddz.Kind, list[str]] = {}
    for move in moves:
        groups.setdefault(move.kind, []).append(str(move))
    return groups


def seed_or(default: int, seed: int | None) -> int:
    """The seed asked for, if it is one."""
    if seed is not None and seed < 0:
        raise BadInputError(f"--seed is {seed}; it must be at least 0")
    return default if seed is None else seed
