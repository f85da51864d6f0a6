"""Legal-move queries, random games and whole games, on the same deals."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count, cycle
from statistics import median
from typing import Any

import numpy as np
from peers import DouZero, OpenSpiel, RLCard, left_out
from rich.console import Console
from rich.table import Table
from timing import best_of, rates, ratios

import ddz_core as ddz

BATCH = 2000
PLAYOUTS = 4000
AUCTION, PLAY, OVER = ddz.Phase


def play_game(rules: ddz.Rules, seed: int, rng: random.Random) -> None:
    game = ddz.Game(rules, seed=seed)
    while game.phase is AUCTION:
        bids = game.legal_bids()
        game.bid(bids[int(rng.random() * len(bids))])
    while game.phase is PLAY:
        moves = game.legal_moves()
        game.play(moves[int(rng.random() * len(moves))])
    if sum(game.result.points):
        raise AssertionError(game.record().save())


def random_leads(library: Any, deals: np.ndarray, rng: random.Random) -> list[ddz.Move]:
    """A lead for each deal that ddz_core and the library both list."""
    lasts = []
    for deal in deals:
        moves = ddz.legal_moves(ddz.Hand.from_counts(deal[0]), rules=library.preset)
        move = rng.choice(moves)
        while not library.knows(deal, move):
            move = rng.choice(moves)
        lasts.append(move)
    return lasts


def batch_of(
    hands: np.ndarray, lasts: list[ddz.Move] | None, rules: ddz.Rules
) -> Callable[[], Any]:
    """One batch query of about BATCH rows: the same positions, repeated."""
    repeats = -(-BATCH // len(hands))
    rows = np.ascontiguousarray(np.tile(hands, (repeats, 1)))
    table = None
    if lasts is not None:
        table = np.array(
            [
                (move.cards.packed, move.kind, move.rank, move.length, move.n_cards)
                for move in lasts
            ],
            ddz.move_dtype,
        )
        table = np.tile(table, repeats)
    return lambda: ddz.legal_moves_batch(rows, table, rules=rules, threads=1)


def compare(
    library: Any, deals: np.ndarray, rounds: int, seconds: float, seed: int
) -> dict[str, dict[str, float]]:
    name = type(library).__name__
    rules = ddz.Rules.preset(library.preset)
    lasts = random_leads(library, deals, random.Random(seed))
    results = {}
    for query, theirs, seat, table in (
        ("lead", library.leads(deals), 0, None),
        ("follow", library.follows(deals, lasts), 1, lasts),
    ):
        hands = deals[:, seat]
        single = [ddz.Hand.from_counts(hand) for hand in hands]
        answers = table or [None] * len(deals)
        batch = batch_of(hands, table, rules)
        indptr, moves = batch()
        for position, n in zip(theirs, np.diff(indptr), strict=False):
            found = library.query(position)
            # OpenSpiel misses chains on quads, DouZero lists some moves twice.
            if name == "RLCard" and found != n:
                raise AssertionError(f"{name} lists {found} moves, ddz_core {n}: {position}")
        best = best_of(
            rounds,
            {
                name: lambda theirs=theirs: [library.query(position) for position in theirs],
                "batch": batch,
                "call": lambda single=single, answers=answers: [
                    ddz.legal_moves(hand, last, rules)
                    for hand, last in zip(single, answers, strict=True)
                ],
            },
        )
        theirs_us = best[name] / len(deals) * 1e6
        batch_us = best["batch"] / (len(indptr) - 1) * 1e6
        call_us = best["call"] / len(deals) * 1e6
        results[query] = {
            "theirs_us": theirs_us,
            "batch_us": batch_us,
            "call_us": call_us,
            "batch_ns_a_move": best["batch"] / len(moves) * 1e9,
            "moves": len(moves) / (len(indptr) - 1),
            "batch_ratio": theirs_us / batch_us,
            "call_ratio": theirs_us / call_us,
        }
    results["games"] = games(library, deals, rounds, seconds, seed)
    if hasattr(library, "play_whole"):
        results["whole_games"] = whole_games(library, rules, rounds, seconds)
    return results


def games(
    library: Any, deals: np.ndarray, rounds: int, seconds: float, seed: int
) -> dict[str, float]:
    """Random moves from the deal to the end."""
    rules = ddz.Rules.preset(library.preset)
    starts = cycle(library.starts(deals))
    rng = random.Random(1)

    def theirs() -> int:
        library.play(next(starts), rng)
        return 1

    def playout() -> int:
        ddz.playout(rules, PLAYOUTS, seed=seed, threads=1)
        return PLAYOUTS

    found = rates(rounds, seconds, {"theirs": theirs, "playouts": playout})
    return rated(found, "playouts")


def whole_games(library: Any, rules: ddz.Rules, rounds: int, seconds: float) -> dict[str, float]:
    """Deal, auction, play and points, move by move from Python."""
    rng = random.Random(1)
    seeds = count()

    def theirs() -> int:
        library.play_whole(rng)
        return 1

    def game() -> int:
        play_game(rules, next(seeds), rng)
        return 1

    return rated(rates(rounds, seconds, {"theirs": theirs, "game": game}), "game")


def rated(found: dict[str, list[float]], ours: str) -> dict[str, float]:
    return {f"{name}_a_second": median(rounds) for name, rounds in found.items()} | {
        "ratio": ratios(found[ours], found["theirs"]).median
    }


def own_figures(rounds: int, seed: int) -> dict[str, float]:
    """What has no counterpart elsewhere: the standard rules, two threads, and perft."""
    deals = ddz.random_hands("standard", BATCH, seed=seed)
    position = ddz.Position([ddz.Hand.from_counts(hand) for hand in deals[0]])
    leaves = ddz.perft(position, 4)
    twenty, seventeen = (np.ascontiguousarray(deals[:, seat]) for seat in (0, 1))
    indptr, moves = ddz.legal_moves_batch(twenty)
    chosen = np.random.default_rng(seed).integers(indptr[:-1], indptr[1:])
    answers = moves[chosen]
    listed = {
        "lead_20": len(moves),
        "lead_17": len(ddz.legal_moves_batch(seventeen)[1]),
        "follow": len(ddz.legal_moves_batch(seventeen, answers)[1]),
    }
    many = 200_000
    best = best_of(
        rounds,
        {
            "one": lambda: ddz.playout("standard", many, seed=seed, threads=1),
            "two": lambda: ddz.playout("standard", many, seed=seed, threads=2),
            "perft": lambda: ddz.perft(position, 4),
            "lead_20": lambda: ddz.legal_moves_batch(twenty, threads=1),
            "lead_17": lambda: ddz.legal_moves_batch(seventeen, threads=1),
            "follow": lambda: ddz.legal_moves_batch(seventeen, answers, threads=1),
        },
    )
    return {
        **{f"{query}_ns_a_query": best[query] / BATCH * 1e9 for query in listed},
        **{f"{query}_ns_a_move": best[query] / n * 1e9 for query, n in listed.items()},
        "playouts_a_second_one_thread": many / best["one"],
        "playouts_a_second_two_threads": many / best["two"],
        "scaling": best["one"] / best["two"],
        "perft_leaves_a_second": leaves / best["perft"],
    }


def measure(n_deals: int, rounds: int, seconds: float, seed: int) -> dict[str, Any]:
    deals = ddz.random_hands("standard", n_deals, seed=seed)
    libraries = {}
    for kind in (OpenSpiel, RLCard, DouZero):
        try:
            library = kind()
        except ImportError as error:
            left_out(kind.__name__, error)
            continue
        libraries[kind.__name__] = compare(library, deals, rounds, seconds, seed)
    return {"libraries": libraries, "ddz_core": own_figures(rounds, seed)}


def show(results: dict[str, Any], console: Console) -> None:
    table = Table(title="Legal-move queries: µs each, and how many times faster ddz_core is")
    for column in (
        "library",
        "query",
        "moves",
        "theirs",
        "ddz batch",
        "ns/move",
        "ddz call",
        "× batch",
        "× call",
    ):
        table.add_column(column, justify="left" if column in ("library", "query") else "right")
    games = Table(title="Random games from deal to end, per second on one core")
    for column in ("library", "theirs", "ddz playouts", "×", "theirs, whole", "ddz.Game", "×"):
        games.add_column(column, justify="left" if column == "library" else "right")
    for name, result in results["libraries"].items():
        for query in ("lead", "follow"):
            row = result[query]
            table.add_row(
                name,
                query,
                f"{row['moves']:.1f}",
                f"{row['theirs_us']:.2f}",
                f"{row['batch_us']:.4f}",
                f"{row['batch_ns_a_move']:.2f}",
                f"{row['call_us']:.3f}",
                f"{row['batch_ratio']:.0f}",
                f"{row['call_ratio']:.0f}",
            )
        row = result["games"]
        games.add_row(
            name,
            f"{row['theirs_a_second']:,.0f}",
            f"{row['playouts_a_second']:,.0f}",
            f"{row['ratio']:,.0f}",
            *(
                (f"{whole['theirs_a_second']:,.0f}", f"{whole['game_a_second']:,.0f}")
                if (whole := result.get("whole_games"))
                else ("", "")
            ),
            f"{whole['ratio']:.2f}" if whole else "",
        )
    console.print(table, games)
    own = results["ddz_core"]
    for query in ("lead_20", "lead_17", "follow"):
        console.print(
            f"standard rules, batch of {BATCH}, {query}: {own[f'{query}_ns_a_query']:.1f} ns a "
            f"query, {own[f'{query}_ns_a_move']:.2f} ns a move"
        )
    console.print(
        f"playouts/s: {own['playouts_a_second_one_thread']:,.0f} on one thread, "
        f"{own['playouts_a_second_two_threads']:,.0f} on two (× {own['scaling']:.2f}); "
        f"perft: {own['perft_leaves_a_second'] / 1e6:,.0f} M leaves/s"
    )
