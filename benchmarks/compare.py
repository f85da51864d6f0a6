"""ddz_core, OpenSpiel, RLCard and DouZero on the same deals, in one run, as ratios.

    python benchmarks/compare.py [--deals 200] [--rounds 15] [--json]

Every figure is the best of several rounds in which all libraries take their turns, so that a
machine whose speed drifts slows them alike; the ratios are what to quote. Libraries that are not
installed are left out (extra `bench`; DouZero's move generator and game need no torch:
`pip install --no-deps douzero`).

Lead: all legal moves of the landlord's 20 cards. Follow: all answers of a 17-card hand to a random
lead of these. Each library plays its own rules, and ddz_core the preset of the same name. Games:
random legal moves from the deal to the end, the deal included; DouZero and OpenSpiel are given the
deals, RLCard shuffles its own. Whole games: the same, move by move through `ddz_core.Game`,
which deals its own, and of OpenSpiel with its bidding and its random deal drawn move by move too.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import ddz_core as ddz

RANKS = "3456789TJQKA2BR"
BATCH = 2000
AUCTION, PLAY, OVER = ddz.Phase


class OpenSpiel:
    """Its chance actions 51 + id deal a card; the first one names who opens the bidding."""

    preset = "openspiel"

    def __init__(self) -> None:
        pyspiel = importlib.import_module("pyspiel")
        self.game = pyspiel.load_game("dou_dizhu")

    def playing(self, deal: np.ndarray) -> Any:
        """The state in which seat 0, landlord by a bid of 3, leads."""
        suits = [0] * 15
        cards: list[list[int]] = []
        for hand in deal:
            cards.append([])
            for rank in range(15):
                for _ in range(hand[rank]):
                    cards[-1].append(13 * suits[rank] + rank if rank < 13 else 39 + rank)
                    suits[rank] += 1
        state = self.game.new_initial_state()
        state.apply_action(0)
        for i in range(51):
            state.apply_action(51 + cards[i % 3][i // 3])
        state.apply_action(3)
        return state

    def leads(self, deals: np.ndarray) -> list[Any]:
        return [self.playing(deal) for deal in deals]

    def follows(self, deals: np.ndarray, lasts: list[ddz.Move]) -> list[Any]:
        states = self.leads(deals)
        for state, last in zip(states, lasts, strict=True):
            state.apply_action(self.action(state, last))
        return states

    def action(self, state: Any, move: ddz.Move) -> int:
        for action in state.legal_actions():
            text = state.action_to_string(0, action).replace("(BWJ)", "B").replace("(CJ)", "R")
            if ddz.Move.parse(text.replace("-", "+"), rules=self.preset) == move:
                return action
        raise LookupError(f"OpenSpiel does not list {move}")

    def knows(self, deal: np.ndarray, move: ddz.Move) -> bool:
        try:
            self.action(self.playing(deal), move)
        except LookupError:
            return False  # a chain that starts on a rank held four times
        return True

    def query(self, state: Any) -> int:
        return len(state.legal_actions())

    def play(self, deal: np.ndarray, rng: random.Random) -> None:
        self.to_the_end(self.playing(deal), rng)

    def play_whole(self, rng: random.Random) -> None:
        # Its chance outcomes are equally likely, as legal moves are.
        self.to_the_end(self.game.new_initial_state(), rng)

    def to_the_end(self, state: Any, rng: random.Random) -> None:
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(rng.random() * len(actions))])


class RLCard:
    preset = "rlcard"

    def __init__(self) -> None:
        self.judger = importlib.import_module("rlcard.games.doudizhu.judger").DoudizhuJudger
        self.utils = importlib.import_module("rlcard.games.doudizhu.utils")
        self.game = importlib.import_module("rlcard.games.doudizhu.game").DoudizhuGame
        self.card = importlib.import_module("rlcard.games.base").Card

    def leads(self, deals: np.ndarray) -> list[Any]:
        return [(text(deal[0]), None) for deal in deals]

    def follows(self, deals: np.ndarray, lasts: list[ddz.Move]) -> list[Any]:
        return [
            (
                SimpleNamespace(current_hand=self.hand(deal[1])),
                SimpleNamespace(played_cards=str(last.cards)),
            )
            for deal, last in zip(deals, lasts, strict=True)
        ]

    def hand(self, counts: np.ndarray) -> list[Any]:
        letters = text(counts)
        return [self.card(f"{c}J", "") if c in "BR" else self.card("S", c) for c in letters]

    def knows(self, deal: np.ndarray, move: ddz.Move) -> bool:
        return True

    def query(self, position: tuple[Any, Any]) -> int:
        # A lead is what RLCard works out once a game for each player, a follow once a turn.
        player, greater = position
        if greater is None:
            return len(self.judger.playable_cards_from_hand(player))
        return len(self.utils.get_gt_cards(player, greater))

    def play(self, deal: np.ndarray, rng: random.Random) -> None:
        game = self.game()
        game.np_random = np.random.RandomState(rng.randrange(2**32))
        state, _ = game.init_game()
        while not game.is_over():
            state, _ = game.step(rng.choice(state["actions"]))

    def play_whole(self, rng: random.Random) -> None:
        self.play(np.empty(0), rng)


class DouZero:
    preset = "douzero"
    seats = ("landlord", "landlord_down", "landlord_up")
    cards = (*range(3, 15), 17, 20, 30)

    def __init__(self) -> None:
        self.env = importlib.import_module("douzero.env.game").GameEnv

    def hand(self, counts: np.ndarray) -> list[int]:
        return [card for card, n in zip(self.cards, counts, strict=True) for _ in range(n)]

    def started(self, deal: np.ndarray, actor: Any = None) -> Any:
        game = self.env({seat: actor for seat in self.seats})
        data = {seat: self.hand(counts) for seat, counts in zip(self.seats, deal, strict=True)}
        game.card_play_init(data | {"three_landlord_cards": data["landlord"][:3]})
        return game

    def leads(self, deals: np.ndarray) -> list[Any]:
        return [self.started(deal) for deal in deals]

    def follows(self, deals: np.ndarray, lasts: list[ddz.Move]) -> list[Any]:
        games = []
        for deal, last in zip(deals, lasts, strict=True):
            game = self.started(deal, Fixed(self.hand(last.cards.counts)))
            game.step()
            games.append(game)
        return games

    def knows(self, deal: np.ndarray, move: ddz.Move) -> bool:
        return True

    def query(self, game: Any) -> int:
        return len(game.get_legal_card_play_actions())

    def play(self, deal: np.ndarray, rng: random.Random) -> None:
        game = self.started(deal, Random(rng))
        while not game.game_over:
            game.step()


class Fixed:
    def __init__(self, action: list[int]) -> None:
        self.action = action

    def act(self, infoset: Any) -> list[int]:
        return list(self.action)


class Random:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def act(self, infoset: Any) -> list[int]:
        return list(self.rng.choice(infoset.legal_actions))


def text(counts: np.ndarray) -> str:
    return "".join(letter * int(n) for letter, n in zip(RANKS, counts, strict=True))


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


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def best_of(rounds: int, contestants: dict[str, Callable[[], object]]) -> dict[str, float]:
    """The best time of each, all of them running in every round."""
    best = dict.fromkeys(contestants, float("inf"))
    for _ in range(rounds):
        for name, work in contestants.items():
            best[name] = min(best[name], seconds(work))
    return best


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


def compare(library: Any, deals: np.ndarray, rounds: int, seed: int) -> dict[str, dict[str, float]]:
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
    games = deals[:40]
    many = 40_000
    best = best_of(
        rounds,
        {
            name: lambda: [library.play(deal, random.Random(1)) for deal in games],
            "playout": lambda: ddz.playout(rules, many, seed=seed, threads=1),
        },
    )
    results["games"] = {
        "theirs_a_second": len(games) / best[name],
        "playouts_a_second": many / best["playout"],
        "ratio": best[name] / len(games) / (best["playout"] / many),
    }
    if hasattr(library, "play_whole"):
        results["whole_games"] = whole_games(library, rules, rounds)
    return results


def whole_games(library: Any, rules: ddz.Rules, rounds: int) -> dict[str, float]:
    """Deal, auction, play and points, move by move from Python."""
    many = 40
    best = best_of(
        rounds,
        {
            "theirs": lambda: [library.play_whole(random.Random(i)) for i in range(many)],
            "game": lambda: [play_game(rules, i, random.Random(i)) for i in range(many)],
        },
    )
    return {
        "theirs_a_second": many / best["theirs"],
        "game_a_second": many / best["game"],
        "ratio": best["theirs"] / best["game"],
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


def show(results: dict[str, Any]) -> None:
    console = Console(width=110)
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
            f"{row['theirs_a_second']:.0f}",
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    deals = ddz.random_hands("standard", options.deals, seed=options.seed)
    libraries = {}
    for kind in (OpenSpiel, RLCard, DouZero):
        try:
            library = kind()
        except ImportError as error:
            print(f"{kind.__name__} left out: {error}")
            continue
        libraries[kind.__name__] = compare(library, deals, options.rounds, options.seed)
    results = {"libraries": libraries, "ddz_core": own_figures(options.rounds, options.seed)}
    if options.json:
        print(json.dumps(results, indent=1))
    else:
        show(results)


if __name__ == "__main__":
    main()
