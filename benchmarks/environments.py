"""Steps a second of our environments and of DouZero's, RLCard's and OpenSpiel's, stepped alike.

The policy of all is a uniformly random one of the legal actions that the environment lists, and the
next game begins when one ends. There is no auction: seat 0 is the landlord (OpenSpiel's first
bidder says 3, which is no step). Each section has a peer and ours under the rule set of its name.

A step is one action of one seat, with the observation on which the next action is taken: where a
row names an observation, as many are made a second. What one holds is the environment's own:

- DouZero: `x_batch`, a float32 row for each legal move, `z_batch`, which repeats the last 15 moves
  for each row, and both as int8 without moves. "z once" has them once a game; "z a row" is
  DouZero's whole product, which `VectorEnv` makes by `rows` and `z_batch`.
- RLCard: a vector of 790 or 901 int8, one of 54 for each legal action, and all of it as text. The
  PettingZoo environment: 1,543 int8 and a mask of all actions. VectorEnv: DouZero's with z once,
  since RLCard does not repeat its history either.
- OpenSpiel: 159 numbers, in a list; it has no information-state tensor. `python_ddz`: 481 numbers,
  and 11,345 in the information state.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from peers import OpenSpiel, after, left_out
from rich.console import Console
from rich.table import Table
from timing import Spread, rates, ratios

import ddz_core as ddz

# Endless: how many steps were taken, the legal actions they were drawn from, and games that ended.
Play = Iterator[tuple[int, int, int]]
DEALS = 100


class Contender:
    """Some steps a call, and a count of all that was met on the way."""

    def __init__(self, play: Play, at_once: int) -> None:
        self.play = play
        self.at_once = at_once
        self.steps = self.legal = self.games = 0

    def __call__(self) -> int:
        before = self.steps
        for steps, legal, games in islice(self.play, self.at_once):
            self.steps += steps
            self.legal += legal
            self.games += games
        return self.steps - before


class Section(NamedTuple):
    peer: str
    rules: str
    makers: dict[str, Callable[[], Contender]]
    bars: dict[str, float]


def vector(games: int, rules: str, observation: str | None, *, repeat: bool = False) -> Contender:
    """VectorEnv with this observation; with `repeat` z is there for each legal move too."""
    envs = importlib.import_module("ddz_core.envs")

    def play() -> Play:
        env = envs.VectorEnv(games, rules, observation=observation, auction=False)
        env.reset(seed=1)
        while True:
            legal = int(env.indptr[-1])
            _, _, over, _, _ = env.step(env.sample())
            if observation == "douzero":
                for rows in env.rows.values():
                    if repeat:
                        rows.z_batch  # noqa: B018
            yield games, legal, int(over.sum())

    return Contender(play(), 16)


def pettingzoo(rules: str, *, mask: bool) -> Contender:
    """PettingZoo's own loop; the legal actions are in the info, or are looked for in the mask."""
    envs = importlib.import_module("ddz_core.envs.pettingzoo")

    def play() -> Play:
        env = envs.env(rules)
        env.reset(seed=1)
        draw = random.Random(1).random
        while True:
            seen, _, over, _, info = env.last()
            if over:
                env.reset()
                seen, _, _, _, info = env.last()
            legal = np.flatnonzero(seen["action_mask"]) if mask else info["legal_actions"]
            env.step(int(legal[int(draw() * len(legal))]))
            yield 1, len(legal), over

    return Contender(play(), 50)


def rlcard(module: str) -> Contender:
    """RLCard's environment, or ours in its stead."""
    make = importlib.import_module(module).make

    def play() -> Play:
        env = make("doudizhu", {"seed": 1, "allow_step_back": False})
        state, _ = env.reset()
        draw = random.Random(1).random
        while True:
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(draw() * len(legal))])
            over = env.is_over()
            if over:
                state, _ = env.reset()
            yield 1, len(legal), over

    return Contender(play(), 50)


def douzero(module: str) -> Contender:
    """DouZero's environment, or ours in its stead; both deal from NumPy's global generator."""
    make = importlib.import_module(module).Env

    def play() -> Play:
        env = make("adp")
        seen = env.reset()
        draw = random.Random(1).random
        while True:
            legal = seen["legal_actions"]
            seen, _, over, _ = env.step(legal[int(draw() * len(legal))])
            if over:
                seen = env.reset()
            yield 1, len(legal), over

    return Contender(play(), 50)


def openspiel(name: str, tensor: str | None) -> Contender:
    """A game of OpenSpiel's from a hundred deals, the dealing move by move being part of it."""
    peer = OpenSpiel()
    game = peer.game
    openings = map(peer.opening, openspiel_deals())
    if name != "dou_dizhu":
        importlib.import_module("ddz_core.interop.openspiel")
        game = importlib.import_module("pyspiel").load_game(name)
        openings = map(rank_opening, openspiel_deals())

    def play() -> Play:
        draw = random.Random(1).random
        for opening in cycle(openings):
            state = after(game, opening)
            over = False
            while not over:
                if tensor:
                    getattr(state, tensor)(state.current_player())
                legal = state.legal_actions()
                state.apply_action(legal[int(draw() * len(legal))])
                over = state.is_terminal()
                yield 1, len(legal), over

    return Contender(play(), 50)


def openspiel_deals() -> np.ndarray:
    return ddz.random_hands("openspiel", DEALS, seed=1)


def rank_opening(deal: np.ndarray) -> list[int]:
    """What `OpenSpiel.opening` says, for `python_ddz`, whose chance deals ranks."""
    ranks = [np.repeat(np.arange(15), hand).tolist() for hand in deal]
    return [15, *(ranks[i % 3][i // 3] for i in range(51)), 3]


def sections(games: int) -> dict[str, Section]:
    return {
        "DouZero": Section(
            "DouZero's Env",
            "douzero",
            {
                "DouZero's Env": lambda: douzero("douzero.env.env"),
                "VectorEnv: DouZero's, z a row": lambda: vector(
                    games, "douzero", "douzero", repeat=True
                ),
                "VectorEnv: DouZero's, z once": lambda: vector(games, "douzero", "douzero"),
                "VectorEnv: ours": lambda: vector(games, "douzero", "native"),
                "VectorEnv: none": lambda: vector(games, "douzero", None),
                "interop.douzero.Env": lambda: douzero("ddz_core.interop.douzero"),
            },
            {f"VectorEnv: DouZero's, z {which}": 100 for which in ("a row", "once")},
        ),
        "RLCard": Section(
            "RLCard's environment",
            "rlcard",
            {
                "RLCard's environment": lambda: rlcard("rlcard"),
                "PettingZoo: from the info": lambda: pettingzoo("rlcard", mask=False),
                "PettingZoo: from the mask": lambda: pettingzoo("rlcard", mask=True),
                "interop.rlcard": lambda: rlcard("ddz_core.interop.rlcard"),
                "VectorEnv: DouZero's, z once": lambda: vector(games, "rlcard", "douzero"),
            },
            {"PettingZoo: from the info": 5},
        ),
        "OpenSpiel": Section(
            "dou_dizhu: observation",
            "openspiel",
            {
                "dou_dizhu: observation": lambda: openspiel("dou_dizhu", "observation_tensor"),
                "dou_dizhu: none": lambda: openspiel("dou_dizhu", None),
                "python_ddz: observation": lambda: openspiel(
                    "python_ddz(rules=openspiel)", "observation_tensor"
                ),
                "python_ddz: information state": lambda: openspiel(
                    "python_ddz(rules=openspiel)", "information_state_tensor"
                ),
                "VectorEnv: ours": lambda: vector(games, "openspiel", "native"),
            },
            {},
        ),
    }


def measure(games: int, rounds: int, seconds: float) -> dict[str, Any]:
    """All of them in one run: rates, what they met, and the rounds' ratios to the peer's."""
    np.random.seed(1)  # noqa: NPY002 (DouZero deals from it)
    wanted = sections(games)
    contenders: dict[tuple[str, str], Contender] = {}
    for title, section in wanted.items():
        for name, make in section.makers.items():
            try:
                contenders[title, name] = make()
            except ImportError as error:
                left_out(name, error)
    found = rates(rounds, seconds, contenders)
    results: dict[str, Any] = {title: {} for title in wanted}
    for (title, name), mine in found.items():
        contender, section = contenders[title, name], wanted[title]
        row: dict[str, Any] = {
            "steps_a_second": median(mine),
            "legal_actions": contender.legal / contender.steps,
            "steps_a_game": contender.steps / max(contender.games, 1),
        }
        theirs = found.get((title, section.peer))
        if theirs and name != section.peer:
            row["ratio"] = ratios(mine, theirs)._asdict()
            if name in section.bars:
                row["bar"] = section.bars[name]
        results[title][name] = row
    return results


def show(results: dict[str, Any], console: Console) -> None:
    table = Table(
        title="Environments: steps a second of one core, and ratios (least … median … most)"
    )
    for column in ("", "steps/s", "legal", "steps a game", "× peer", "bar"):
        table.add_column(column, justify="right" if column else "left")
    for title, rows in results.items():
        table.add_section()
        table.add_row(f"[bold]{title}[/bold]")
        for name, row in rows.items():
            ratio = Spread(**row["ratio"]) if "ratio" in row else None
            bar = row.get("bar")
            met = ratio and bar and ("met" if ratio.median >= bar else "missed")
            table.add_row(
                name,
                f"{row['steps_a_second']:,.0f}",
                f"{row['legal_actions']:.1f}",
                f"{row['steps_a_game']:.1f}",
                str(ratio or ""),
                f"{bar}: {met}" if bar else "",
            )
    console.print(table)
