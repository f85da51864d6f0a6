"""Commands that say what a hand or a move is worth: odds and evaluate."""

from __future__ import annotations

import argparse
import dataclasses
import math
import secrets
import time
from collections.abc import Iterator
from typing import Any

import ddz_core as ddz
from ddz_core.cli.arguments import (
    RECORD_HELP,
    BadInputError,
    Commands,
    add_policies,
    add_work,
    chosen_policies,
    policies_in_words,
    recorded,
    seed_or,
)
from ddz_core.cli.output import (
    as_facts,
    counted,
    in_percent,
    move_as_json,
    print_json,
    shown,
    tables,
)
from ddz_core.estimates import Estimate, Rate
from ddz_core.record import Record
from ddz_core.rules import as_rules

__all__ = ["add_evaluation"]

# Standard errors within which a difference may well be chance.
CHANCE = 2.0


def add_evaluation(commands: Commands) -> None:
    """Add these commands to the parser."""
    odds = commands.add(
        "odds", odds_command, "Estimate what a hand is worth to the landlord and to a peasant."
    )
    odds.add_argument("hand", metavar="HAND", help="as dealt, or with the kitty")
    odds.add_argument(
        "--deals", metavar="N", type=int, default=10_000, help="of the other cards (%(default)s)"
    )
    odds.add_argument("--robs", metavar="K", type=int, default=0, help="robs before (%(default)s)")
    add_policies(odds, "rule")
    add_work(odds)

    moves = commands.add(
        "evaluate",
        evaluate_command,
        "Estimate what each legal move is worth, from what the seat to play can see.",
        takes=["--json"],
    )
    moves.add_argument("file", metavar="FILE", help=RECORD_HELP)
    moves.add_argument(
        "--ply", metavar="K", type=int, help="the position before this ply; the last by default"
    )
    moves.add_argument(
        "--samples", metavar="N", type=int, default=1000, help="hidden hands (%(default)s)"
    )
    moves.add_argument(
        "--stop-at",
        metavar="X",
        type=float,
        help="stop once the best move is so many standard errors ahead (3 or more)",
    )
    moves.add_argument("--time-limit", metavar="SECONDS", type=float, help="stop after this time")
    moves.add_argument(
        "--by",
        choices=("score", "win_rate"),
        default="score",
        help="what makes a move the best (%(default)s)",
    )
    add_policies(moves, "rule")
    add_work(moves)


# ---- odds ----------------------------------------------------------------------------------------


def odds_command(arguments: argparse.Namespace) -> None:
    """``ddz odds``."""
    rules = as_rules(arguments.rules)
    hand = ddz.Hand(arguments.hand)
    policies = chosen_policies(arguments)
    seed = seed_or(secrets.randbits(32), arguments.seed)
    show = None if arguments.json else tables().show
    started = time.perf_counter()
    found = ddz.evaluate_bid(
        hand,
        rules,
        arguments.deals,
        policies,
        seed,
        robs=arguments.robs,
        threads=arguments.threads,
    )
    seconds = time.perf_counter() - started
    sides = list(odds_sides(found))
    bids = list(odds_bids(found))
    query = {"rules": rules.name, "hand": str(hand), "deals": found.samples, "robs": found.robs}
    if show is None:
        print_json(
            {
                **query,
                "policies": policies,
                "seed": seed,
                "landlord": side_as_json(found.landlord),
                "peasant": found.peasant and side_as_json(found.peasant),
                "peasants": [side_as_json(side) for side in found.peasants],
                "robber": found.robber and side_as_json(found.robber),
                "bids": [
                    {
                        "bid": str(bid),
                        "standing": standing,
                        "gain": estimate_as_json(gain),
                        "pays": gain.mean > 0,
                        "clear": is_clear(gain),
                    }
                    for bid, standing, gain in bids
                ],
                "seconds": seconds,
            }
        )
        return
    show(
        f"{hand}: {counted(found.samples, 'deal')} played by {policies_in_words(policies)}",
        f"{as_facts(query | {'seed': seed})}: {seconds:.2f} s",
        ["as", ">wins", "95 % CI", ">points", ">SE"],
        [
            (
                name,
                in_percent(side.win_rate.mean, 2),
                "{:.2%} … {:.2%}".format(*side.win_rate.interval()),
                shown(side.score.mean),
                shown(side.score.se),
            )
            for name, side in sides
        ],
    )
    if not bids:
        return
    print()
    show(
        "What a bid brings, in points",
        "A bid pays when being the landlord for it brings more than passing: than a redeal, or "
        "than playing as a peasant for who is landlord then.",
        ["bid", "after", ">gain", ">SE", ""],
        [
            (
                str(bid),
                bid_before(bid, standing, found.robs),
                f"{gain.mean:+.4f}",
                shown(gain.se),
                ("pays" if gain.mean > 0 else "does not pay")
                + ("" if is_clear(gain) else " (may be chance)"),
            )
            for bid, standing, gain in bids
        ],
    )


def odds_sides(found: ddz.BidEvaluation) -> Iterator[tuple[str, ddz.SideEstimate]]:
    """The sides with their names."""
    yield "landlord", found.landlord
    if found.robber is not None:
        yield f"  after {'one rob' if not found.robs else f'{found.robs + 1} robs'}", found.robber
    if found.peasant is not None:
        yield "peasant", found.peasant
    if len(found.peasants) < 2:
        return
    for place, side in enumerate(found.peasants, 1):
        where = "next" if place == 1 else f"{place} seats on"
        yield f"  landlord is {where}", side


def odds_bids(found: ddz.BidEvaluation) -> Iterator[tuple[ddz.Bid, int, Estimate]]:
    """Each bid after each standing one, and what it brings."""
    if found.peasant is None:
        return
    if found.rules.auction == "call_rob":
        for bid in found.bids:
            # After a rob nobody calls any more.
            if bid is ddz.Bid.ROB or not found.robs:
                first = found.rules.nobody_bids == "first_is_landlord"
                yield bid, int(first or bid is ddz.Bid.ROB), found.gain(bid)
        return
    for standing in range(3):
        for bid in found.bids:
            if bid > standing:
                yield bid, standing, found.gain(bid, standing)


def bid_before(bid: ddz.Bid, standing: int, robs: int) -> str:
    """What was bid when this bid is to be made."""
    if bid is ddz.Bid.ROB:
        return counted(robs, "rob") if robs else "a call"
    if bid is ddz.Bid.CALL and standing:
        return "a pass"
    return str(standing) if standing else "no bid"


def is_clear(gain: Estimate) -> bool:
    """Whether a gain is more than chance."""
    return abs(gain.mean) > CHANCE * gain.se


def side_as_json(side: ddz.SideEstimate) -> dict[str, Any]:
    """One side of the odds."""
    return {
        "win_rate": estimate_as_json(side.win_rate),
        "score": estimate_as_json(side.score),
    }


# ---- evaluate ------------------------------------------------------------------------------------


def evaluate_command(arguments: argparse.Namespace) -> None:
    """``ddz evaluate``."""
    policies = chosen_policies(arguments)
    seed = seed_or(secrets.randbits(32), arguments.seed)
    record = recorded(arguments.file)
    game, played = position_of(record, arguments.ply)
    assert game.turn is not None
    # From here on nothing is known but what this seat may know.
    seen = game.observe(game.turn)
    show = None if arguments.json else tables().show
    started = time.perf_counter()
    found = ddz.evaluate_moves(
        seen,
        arguments.samples,
        policies,
        seed,
        by=arguments.by,
        stop_at=arguments.stop_at,
        time_limit=arguments.time_limit,
        threads=arguments.threads,
    )
    seconds = time.perf_counter() - started
    query = {
        "rules": seen.rules.name,
        "ply": len(seen.moves) + 1,
        "seat": seen.seat,
        "landlord": seen.landlord,
        "hand": str(seen.hand),
        "last": None if seen.last is None else str(seen.last),
        "last_seat": seen.last_seat,
        "cards_left": list(seen.cards_left),
    }
    if show is None:
        print_json(
            {
                **query,
                "kitty": None if seen.kitty is None else str(seen.kitty),
                "played": None if played is None else str(played),
                "policies": policies,
                "by": found.by,
                "samples": found.samples,
                "stopped": found.stopped,
                "seed": seed,
                "best": str(found.best),
                "moves": [
                    {
                        **move_as_json(one.move),
                        "win_rate": estimate_as_json(one.win_rate),
                        "score": estimate_as_json(one.score),
                        "difference": estimate_as_json(one.difference),
                    }
                    for one in found.moves
                ],
                "seconds": seconds,
            }
        )
        return
    role = "landlord" if seen.seat == seen.landlord else "peasant"
    task = "leads" if seen.last is None else f"may beat {seen.last} of seat {seen.last_seat}"
    facts = {
        "rules": seen.rules.name,
        "ply": query["ply"],
        "hand": seen.hand,
        "cards left": " ".join(map(str, seen.cards_left)),
        "played by": policies_in_words(policies),
        "samples": found.samples,
        "seed": seed,
    }
    stopped = {"n": "", "clear": ", the best move is clear", "time": ", the time is over"}
    show(
        f"Seat {seen.seat}, {role}, {task}: {counted(len(found.moves), 'legal move')}, best "
        f"{'score' if found.by == 'score' else 'win rate'} first",
        f"{as_facts(facts)}: {seconds:.2f} s{stopped[found.stopped]}",
        ["move", ">wins", ">SE", ">points", ">SE", ">to the best", ">SE", ""],
        [
            (
                str(one.move),
                in_percent(one.win_rate.mean, 2),
                in_percent(one.win_rate.se, 2),
                shown(one.score.mean),
                shown(one.score.se),
                "" if place == 0 else difference(one.difference.mean, found.by),
                "" if place == 0 else difference(one.difference.se, found.by).lstrip("+"),
                "was played" if one.move == played else "",
            )
            for place, one in enumerate(found.moves)
        ],
    )


def position_of(record: Record, ply: int | None) -> tuple[ddz.Game, ddz.Move | None]:
    """The game before a ply, and what was played then; where it stands without a ply."""
    plies = len(record.moves)
    over = record.result is not None
    if over and not plies:
        raise BadInputError("nobody bid in this game: there is no move to evaluate")
    if over and ply is None:
        raise BadInputError(
            f"the game is over: --ply takes the position before one of its plies, 1 … {plies}"
        )
    played = None
    if ply is not None:
        last = plies if over else plies + 1
        if not 1 <= ply <= last:
            raise BadInputError(f"--ply is {ply}; the record has plies 1 … {last}")
        if ply <= plies:
            played = record.moves[ply - 1][1]
        record = dataclasses.replace(record, moves=record.moves[: ply - 1], result=None)
    game = record.game()
    if game.phase != ddz.Phase.PLAY:
        raise BadInputError("the auction is not over: there is no move to evaluate yet")
    return game, played


def difference(value: float, by: str) -> str:
    """A difference of points or of win rates."""
    if math.isnan(value):
        return ""
    return f"{value:+.4f}" if by == "score" else f"{value:+.2%}"


# ---- both ----------------------------------------------------------------------------------------


def estimate_as_json(found: Estimate | Rate) -> dict[str, Any]:
    """A mean with its standard error and interval."""
    return {"mean": found.mean, "se": found.se, "interval": list(found.interval())}
