"""The command that plays many deals: simulate."""

from __future__ import annotations

import argparse
import math
import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ddz_core as ddz
from ddz_core import estimates
from ddz_core.cli.arguments import (
    INTERRUPTED,
    BadInputError,
    Commands,
    add_policies,
    add_work,
    chosen_policies,
    file_errors,
    policies_in_words,
    seed_or,
)
from ddz_core.cli.output import as_facts, counted, in_percent, print_json, shown, tables
from ddz_core.parallel import MAX_THREADS, n_threads
from ddz_core.policies import resolve
from ddz_core.rules import as_rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from ddz_core.executors import AnyExecutor

__all__ = ["add_simulation"]

PICTURES = (".png", ".svg")


def add_simulation(commands: Commands) -> None:
    """Add the command to the parser."""
    simulation = commands.add(
        "simulate",
        simulate_command,
        "Play many random deals, on all processors. Ctrl-C stops and shows what is finished.",
    )
    simulation.add_argument(
        "--deals", metavar="N", type=int, default=100_000, help="how many (%(default)s)"
    )
    simulation.add_argument(
        "--auction", action="store_true", help="bid for each deal; else seat 0 is the landlord"
    )
    add_policies(simulation, "random")
    add_work(simulation)
    simulation.add_argument(
        "--processes", metavar="P", type=int, help="work in so many processes, not in threads"
    )
    simulation.add_argument(
        "--resume",
        metavar="FILE",
        help="a checkpoint: written while the games are played, and where it exists gone on with",
    )
    simulation.add_argument(
        "--plot", metavar="FILE", help="draw the result too, in a file .png or .svg"
    )


def simulate_command(arguments: argparse.Namespace) -> int | None:
    """``ddz simulate``."""
    rules = as_rules(arguments.rules)
    deals: int = arguments.deals
    if deals < 1:
        raise BadInputError(f"--deals is {deals}; it must be at least 1")
    by_role = chosen_policies(arguments)
    names = set(by_role.values())
    policies = by_role if len(names) > 1 else by_role["landlord"]
    resolve(policies, rules.players)
    executor, threads = workers(arguments)
    seed = seed_or(None, arguments.seed)
    resumed = resumed_deals(arguments.resume)
    if seed is None and resumed is None:
        seed = secrets.randbits(32)
    if arguments.plot is not None:
        check_picture(arguments.plot)

    def run(progress: Callable[[int, int], object] | None = None) -> ddz.SimulationResult:
        return ddz.simulate(
            rules,
            deals,
            policies,
            seed,
            landlord=None if arguments.auction else 0,
            executor=executor,
            threads=threads if executor is None else None,
            progress=progress,
            resume=arguments.resume,
        )

    bar = None if arguments.json else tables().progress_bar
    started = time.perf_counter()
    with file_errors(arguments.resume):
        if bar is None:
            result = run()
        else:
            with bar(deals, "deals") as progress:
                result = run(progress)
    seconds = time.perf_counter() - started
    query = {
        "rules": rules.name,
        "policies": list(result.policies),
        "auction": arguments.auction,
        "requested": deals,
        "seed": seed_of(result),
        "threads": threads if executor is None else None,
        "processes": arguments.processes,
        "resumed": resumed,
    }
    played = result.deals - (resumed or 0)
    speed = played / max(seconds, 1e-9) if played else math.nan
    if arguments.json:
        timing = {"seconds": seconds, "deals_per_second": speed}
        print_json({**query, **result_as_json(result), **timing, "plot": arguments.plot})
    else:
        show_result(result, policies_in_words(by_role), query, f"{seconds:.2f} s", speed)
    if arguments.plot is not None:
        draw(result, arguments.plot)
    return INTERRUPTED if result.partial else None


# ---- before --------------------------------------------------------------------------------------


def workers(arguments: argparse.Namespace) -> tuple[AnyExecutor | None, int]:
    """Who does the work: processes, or so many threads."""
    processes: int | None = arguments.processes
    if processes is None:
        return None, n_threads(arguments.threads)
    if arguments.threads is not None:
        raise BadInputError("give either --threads or --processes, not both")
    if not 1 <= processes <= MAX_THREADS:
        raise BadInputError(f"--processes is {processes}; it must be 1 … {MAX_THREADS}")
    from ddz_core import executors  # noqa: PLC0415 (slow to import)

    return executors.processes(processes), 0


def resumed_deals(file: str | None) -> int | None:
    """How many deals a checkpoint holds; None where there is none yet."""
    if file is None:
        return None
    from ddz_core import checkpoint  # noqa: PLC0415 (for long runs only)

    with file_errors(file):
        saved = checkpoint.load(Path(file))
    return None if saved is None else saved[0].deals


def check_picture(file: str) -> None:
    """Refuse before any work what could not be drawn after it."""
    path = Path(file)
    if path.suffix.lower() not in PICTURES:
        raise BadInputError(f"--plot is {file!r}; its name must end in {' or '.join(PICTURES)}")
    if "\0" in file or path.is_dir() or not path.parent.is_dir():
        raise BadInputError(f"--plot is {file!r}; no file can be written there")
    try:
        import matplotlib.figure  # noqa: F401, PLC0415
    except ImportError:
        raise BadInputError(
            'pictures need the extra plot: pip install "ddz_core[plot]" (or leave out --plot)'
        ) from None


# ---- after ---------------------------------------------------------------------------------------


def draw(result: ddz.SimulationResult, file: str) -> None:
    """Store the picture of a result."""
    if not result.games:
        print("ddz: there is no picture, since no game was finished", file=sys.stderr)
        return
    with file_errors(file):
        result.plot().savefig(file, format=Path(file).suffix[1:].lower())


def seed_of(result: ddz.SimulationResult) -> Any:
    """The seed as it was typed; that of a checkpoint made in Python may be more than a number."""
    (part,) = result.parts
    if not part.spawn_key and isinstance(part.entropy, int):
        return part.entropy
    return {"entropy": part.entropy, "spawn_key": part.spawn_key}


def result_as_json(result: ddz.SimulationResult) -> dict[str, Any]:
    """The figures, and all counts as `SimulationResult.from_dict` reads them."""
    whole = result.as_dict()
    summary = whole.pop("summary")
    return {**summary, "result": whole}


def show_result(
    result: ddz.SimulationResult, players: str, query: dict[str, Any], spent: str, speed: float
) -> None:
    """Print the table of a result."""
    title = counted(result.deals, "deal")
    if result.partial:
        title = f"{title} of {result.requested:,} (partial: it was stopped)"
    where = "with the auction" if query["auction"] else "seat 0 is the landlord"
    facts = {
        "rules": query["rules"],
        "deals": result.requested,
        "seed": query["seed"],
        "threads": query["threads"],
        "processes": query["processes"],
        "resumed at": query["resumed"],
    }
    pace = "" if math.isnan(speed) else f", {speed:,.0f} deals/s"
    tables().show(
        f"{title} played by {players}, {where}",
        f"{as_facts(facts)}: {spent}{pace}",
        ["", ">", ""],
        list(result_rows(result)),
    )


Row = tuple[str, str, str]


def result_rows(result: ddz.SimulationResult) -> Iterator[Row]:
    """The lines of the table."""
    games = result.games
    yield rate("landlord wins", result.landlord_wins, games)
    yield rate("peasants win", result.peasant_wins, games)
    if result.landlord is None:
        yield mean("landlord's points a game", result.landlord_score)
    for seat, score in enumerate(result.scores):
        role = "" if result.landlord is None else ", peasant"
        yield mean(
            f"points of seat {seat}{', landlord' if seat == result.landlord else role}", score
        )
    yield share("springs", result.springs)
    yield share("anti-springs", result.anti_springs)
    yield share("rockets", result.rockets)
    yield mean("bombs a game", result.bombs)
    if result.rules.auction == "call_rob" and result.landlord is None:
        yield mean("robs a game", result.robs)
    yield mean("plies a game", result.plies)
    yield mean("multiplier", result.multipliers)
    if result.landlord is not None:
        return
    for seat, times in enumerate(result.landlords):
        yield rate(f"seat {seat} is the landlord", times, games)
    yield rate("landlord without a bid", result.forced, games)
    yield rate("void deals", result.void, result.deals)
    yield "redeals a deal", shown(result.redeals), ""


def rate(name: str, events: int, out_of: int) -> Row:
    """How often something happened, with Wilson's interval."""
    return share(name, estimates.rate(events, out_of))


def share(name: str, found: ddz.Rate) -> Row:
    """The same from a rate."""
    return name, in_percent(found.mean), interval_in_words(found.interval())


def interval_in_words(bounds: tuple[float, float]) -> str:
    """An interval of shares."""
    low, high = bounds
    return "" if math.isnan(low) else f"95 % CI {low:.3%} … {high:.3%}"


def mean(name: str, estimate: ddz.Estimate) -> Row:
    """A mean with its standard error."""
    error = "" if math.isnan(estimate.se) else f"± {estimate.se:.4f} (standard error)"
    return name, shown(estimate.mean), error
