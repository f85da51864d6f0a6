"""Observations alone, ours and the peers', at the same moments of the same random games.

What is timed is the encoding: the legal moves are at hand on both sides. DouZero: `get_obs` of its
infosets, against `get_obs` of ours, against our features of the same `Observation`s one by one and
in a batch, and against the core's writing into arrays that are there, 64 moments at a time; "z a
row" repeats the last 15 moves for each legal move, as `get_obs` does. RLCard: what its environment
makes of a game's state, against the same of `interop.rlcard` and what the PettingZoo environment
shows. OpenSpiel: `observation_tensor` of its states and of `python_ddz`'s.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable
from itertools import cycle, islice
from statistics import median
from typing import Any

import numpy as np
from environments import rank_opening
from peers import OpenSpiel, after, left_out
from rich.console import Console
from rich.table import Table
from timing import Spread, rates, ratios

import ddz_core as ddz
from ddz_core._features import Seen, write_douzero
from ddz_core.features import douzero_batch, douzero_features

MOMENTS = 1000
AT_ONCE = 64
A_CALL = 20
# What encodes some moments and says how many; the peer's is the first.
Encoders = dict[str, Callable[[], int]]


def each(encode: Callable[[Any], object], moments: list[Any]) -> Callable[[], int]:
    endless = cycle(moments)

    def work() -> int:
        for moment in islice(endless, A_CALL):
            encode(moment)
        return A_CALL

    return work


# ---- DouZero -------------------------------------------------------------------------------------


def douzero() -> tuple[float, Encoders]:
    """Every moment of random games; the mean number of legal moves, and the encoders."""
    peer = importlib.import_module("douzero.env.env")
    bridge = importlib.import_module("ddz_core.interop.douzero")
    theirs, ours = peer.Env("adp"), bridge.Env("adp")
    rng = random.Random(3)
    infosets: list[Any] = []
    mirrored: list[Any] = []
    seed = 0
    while len(infosets) < MOMENTS:
        for env in (theirs, ours):
            np.random.seed(seed)  # noqa: NPY002 (both deal from it)
            env.reset()
        seed += 1
        over = False
        while not over:
            infosets.append(theirs.infoset)
            mirrored.append(ours.infoset)
            # A move that both have, since ours are some more.
            known = {tuple(sorted(action)): action for action in theirs.infoset.legal_actions}
            action = rng.choice([one for one in ours.infoset.legal_actions if tuple(one) in known])
            theirs.step(known[tuple(action)])
            _, _, over, _ = ours.step(action)
    views = [infoset.observation for infoset in mirrored]
    return float(np.mean([len(view.legal_moves) for view in views])), {
        "DouZero's get_obs": each(peer.get_obs, infosets),
        "interop.douzero.get_obs": each(bridge.get_obs, mirrored),
        "douzero_features": each(douzero_features, views),
        "douzero_batch": batch(views),
        "the core, z a row": core(views, repeat=True),
        "the core, z once": core(views, repeat=False),
    }


def batch(views: list[ddz.Observation]) -> Callable[[], int]:
    def work() -> int:
        douzero_batch(views)
        return len(views)

    return work


def core(views: list[ddz.Observation], *, repeat: bool) -> Callable[[], int]:
    """The core on moments of one role at a time, as a trainer would have them."""
    by_role: dict[int, list[tuple[Seen, Any]]] = {}
    for view in views:
        seen = Seen(view)
        by_role.setdefault(seen.columns, []).append((seen, view.legal_moves))
    batches = []
    for columns, moments in by_role.items():
        for first in range(0, len(moments), AT_ONCE):
            some = moments[first : first + AT_ONCE]
            views_seen = [seen for seen, _ in some]
            moves = [moves for _, moves in some]
            rows = sum(map(len, moves))
            batches.append(
                (
                    views_seen,
                    moves,
                    np.empty((rows, columns + 54), np.float32),
                    np.empty((rows if repeat else len(some), 5, 162), np.float32),
                    np.empty((len(some), columns), np.int8),
                )
            )

    def work() -> int:
        for arguments in batches:
            write_douzero(*arguments)
        return len(views)

    return work


# ---- RLCard --------------------------------------------------------------------------------------


def rlcard() -> tuple[float, Encoders]:
    """One moment each of many games with the same seeds and actions."""
    peer = importlib.import_module("rlcard")
    bridge = importlib.import_module("ddz_core.interop.rlcard")
    raw_env = importlib.import_module("ddz_core.envs.pettingzoo").raw_env
    rng = random.Random(3)
    theirs, ours, tables = [], [], []
    for seed in range(MOMENTS // 5):
        config = {"seed": seed, "allow_step_back": False}
        their, our = peer.make("doudizhu", config), bridge.make("doudizhu", config)
        their.reset()
        state, _ = our.reset()
        table = raw_env("rlcard")
        table.reset(options={"deal": deal_of(state, our.get_perfect_information())})
        for _ in range(rng.randrange(30)):
            action = rng.choice(list(state["legal_actions"]))
            move = bridge.action_move(action)
            if move.n_cards == len(state["raw_obs"]["current_hand"]):
                break
            their.step(action)
            state, _ = our.step(action)
            table.step(table.actions.id(move))
        theirs.append(their)
        ours.append(our)
        tables.append(table)
    return float(np.mean([len(table.game.legal_moves()) for table in tables])), {
        "RLCard's state": each(lambda env: env._extract_state(env.game.state), theirs),
        "interop.rlcard": each(lambda env: env.get_state(env.get_player_id()), ours),
        "PettingZoo": each(lambda env: env.observe(env.agent_selection), tables),
    }


def deal_of(state: dict[str, Any], information: dict[str, Any]) -> ddz.Deal:
    """A deal with RLCard's hands, whose landlord holds the kitty already."""
    hands = list(map(ddz.Hand, information["hand_cards"]))
    kitty = ddz.Hand(state["raw_obs"]["seen_cards"])
    fixed: dict[int | str, ddz.Hand] = {0: hands[0] - kitty, 1: hands[1], 2: hands[2]}
    return ddz.deal("rlcard", 1, fixed=fixed | {"kitty": kitty})


# ---- OpenSpiel -----------------------------------------------------------------------------------


def openspiel() -> tuple[float, Encoders]:
    """One moment each of many games with the same deals and actions."""
    peer = OpenSpiel()
    importlib.import_module("ddz_core.interop.openspiel")
    game = importlib.import_module("pyspiel").load_game("python_ddz(rules=openspiel)")
    rng = random.Random(3)
    theirs, ours = [], []
    for deal in ddz.random_hands("openspiel", MOMENTS // 5, seed=3):
        their, our = peer.playing(deal), after(game, rank_opening(deal))
        for _ in range(rng.randrange(30)):
            # Ids are the same; it lacks some chains, and lists bombs on the rocket.
            action = rng.choice(sorted({*their.legal_actions()} & {*our.legal_actions()}))
            if their.child(action).is_terminal():
                break
            their.apply_action(action)
            our.apply_action(action)
        theirs.append(their)
        ours.append(our)

    def tensor(name: str) -> Callable[[Any], object]:
        return lambda state: getattr(state, name)(state.current_player())

    return float(np.mean([len(state.legal_actions()) for state in ours])), {
        "dou_dizhu: observation": each(tensor("observation_tensor"), theirs),
        "python_ddz: observation": each(tensor("observation_tensor"), ours),
        "python_ddz: information state": each(tensor("information_state_tensor"), ours),
    }


# ---- all of them ---------------------------------------------------------------------------------


def measure(rounds: int, seconds: float) -> dict[str, Any]:
    """All of them in one run: rates, and the rounds' ratios to the peer's."""
    legal: dict[str, float] = {}
    contenders: dict[tuple[str, str], Callable[[], int]] = {}
    for title, make in (("DouZero", douzero), ("RLCard", rlcard), ("OpenSpiel", openspiel)):
        try:
            legal[title], encoders = make()
        except ImportError as error:
            left_out(f"{title} with its observations", error)
            continue
        contenders |= {(title, name): work for name, work in encoders.items()}
    found = rates(rounds, seconds, contenders)
    results: dict[str, Any] = {}
    for title, moves in legal.items():
        names = [name for where, name in contenders if where == title]
        theirs = found[title, names[0]]
        rows: dict[str, dict[str, Any]] = {
            name: {"observations_a_second": median(found[title, name])} for name in names
        }
        for name in names[1:]:
            rows[name]["ratio"] = ratios(found[title, name], theirs)._asdict()
        results[title] = {"legal_actions": moves, "encoders": rows}
    return results


def show(results: dict[str, Any], console: Console) -> None:
    table = Table(
        title="Observations alone, a second of one core, and ratios (least … median … most)"
    )
    for column in ("", "observations/s", "× peer"):
        table.add_column(column, justify="right" if column else "left")
    for title, section in results.items():
        table.add_section()
        table.add_row(f"[bold]{title}[/bold], {section['legal_actions']:.1f} legal moves each")
        for name, row in section["encoders"].items():
            ratio = str(Spread(**row["ratio"])) if "ratio" in row else ""
            table.add_row(name, f"{row['observations_a_second']:,.0f}", ratio)
    console.print(table)
