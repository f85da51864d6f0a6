"""Commands about games: deal, replay and the referee."""

from __future__ import annotations

import argparse
import json
import secrets
from collections.abc import Iterator
from typing import Any, Literal

import ddz_core as ddz
from ddz_core.cli.arguments import (
    RECORD_HELP,
    BadInputError,
    Commands,
    lines_of,
    recorded,
    seed_or,
    standard_input,
)
from ddz_core.cli.output import (
    as_facts,
    counted,
    label,
    move_as_json,
    print_json,
    printable,
    tables,
)
from ddz_core.deal import Deal, card_name, deal
from ddz_core.game import Result
from ddz_core.record import Record
from ddz_core.record_values import result_as_json
from ddz_core.referee import answers
from ddz_core.rules import as_rules

__all__ = ["add_games"]


def add_games(commands: Commands) -> None:
    """Add these commands to the parser."""
    dealer = commands.add("deal", deal_command, "Deal the cards, or show the deal of a code.")
    dealer.add_argument("--seed", metavar="S", type=int, help="repeats a deal exactly (random)")
    dealer.add_argument("--code", metavar="CODE", help="the deal to show, instead of a new one")
    dealer.add_argument(
        "--unshuffled", action="store_true", help="cut the pack and deal it in runs: many bombs"
    )

    replay = commands.add(
        "replay", replay_command, "Check a recorded game and show every step.", takes=["--json"]
    )
    replay.add_argument("file", metavar="FILE", help=RECORD_HELP)

    commands.add(
        "referee",
        referee_command,
        "Lead games for other programs: lines of JSON (or records) on standard input, each "
        "answered at once by one JSON object on a line of standard output.",
        takes=["--rules"],
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
                *(f"{name} {printable(value)}" for name, value in record.tags.items()),
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


# ---- records -------------------------------------------------------------------------------------


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
                step |= {"ply": len(game.moves), **move_as_json(action)}
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
