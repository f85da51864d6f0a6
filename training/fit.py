"""Fit the networks that order moves, and write src/order_net.h.

    python training/fit.py FILES.npz... [--hidden 32] [--epochs 16] [--weight 0.35]
                           [--out src/order_net.h]

Needs PyTorch. FILES are what training/gather.py saves. There is one network for each situation
(src/_solver.pyx): its facts go through one layer of rectified units, and past it. A move is chosen
by softmax over what they give; fitted is the logarithm of what the choice costs, against the
cheapest win: a win costs the positions of its search, a lost move those of its refutation and of
the cheapest win. States weigh as much as their cheapest win costs, to the power `--weight`: a wrong
choice matters where much is searched after it. One state in ten is held back and reported on.

The networks are rounded to whole numbers, so that every machine orders moves alike.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch

SITUATIONS = 8
HIDDEN_SCALE = 512  # of the hidden layer's weights
HIDDEN_SHIFT = 7  # what the hidden layer's output loses again
OUT_SHIFT = 10  # of the output: see src/order.h
UNIT = 8  # proof numbers that one unit of the logarithm of odds is worth
BATCH = 512
RATE = 2e-3


def load(files: list[str]) -> dict[str, np.ndarray[Any, Any]]:
    """All rows, the states numbered anew."""
    parts = []
    states = 0
    for file in files:
        with np.load(file) as arrays:
            part = dict(arrays)
        part["state"] = part["state"] + states
        states = int(part["state"].max()) + 1
        parts.append(part)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


class Data:
    """The rows, what each move's choice loses, what states weigh, and which are held back."""

    def __init__(self, files: list[str], power: float) -> None:
        rows = load(files)
        self.facts = rows["facts"].astype(np.int64)
        self.row = rows["row"].astype(np.int64)
        self.state = rows["state"].astype(np.int64)
        self.won = rows["won"]
        cost = np.maximum(rows["cost"], 1) + 1.0
        n = int(self.state.max()) + 1
        cheapest = np.full(n, np.inf)
        np.minimum.at(cheapest, self.state[self.won], cost[self.won])
        cost = np.log(np.where(self.won, cost, cost + cheapest[self.state]))
        best = np.full(n, np.inf)
        np.minimum.at(best, self.state, cost)
        self.loss = cost - best[self.state]
        # Neighbours come from one game, so that whole stretches are held back.
        self.held_back = (np.arange(n) // 200) % 10 == 0
        weight = cheapest**power
        self.weight = weight / weight[~self.held_back].mean()
        self.starts = np.r_[0, np.flatnonzero(np.diff(self.state)) + 1]
        self.ends = np.r_[self.starts[1:], len(self.state)]

    def report(self, promise: np.ndarray[Any, Any], name: str) -> None:
        """How good the most promising moves are."""
        order = np.lexsort((-promise, self.state))
        chosen = order[np.r_[True, np.diff(self.state[order]) > 0]]
        for which, states in (("held back", self.held_back), ("fitted", ~self.held_back)):
            moves = chosen[states]
            print(
                f"{name}, {which}: {self.loss[moves].mean():.4f} lost in the logarithm of "
                f"positions, {self.won[moves].mean():.2%} win",
                flush=True,
            )


class Networks(torch.nn.Module):
    """One for each situation."""

    def __init__(self, facts: int, hidden: int) -> None:
        super().__init__()
        n = SITUATIONS
        self.hidden = torch.nn.Parameter(torch.randn(n, facts, hidden) / facts**0.5)
        self.bias = torch.nn.Parameter(torch.zeros(n, hidden))
        self.out = torch.nn.Parameter(torch.randn(n, hidden) / hidden**0.5)
        self.direct = torch.nn.Parameter(torch.zeros(n, facts))

    def forward(self, facts: torch.Tensor, row: torch.Tensor) -> torch.Tensor:
        """The promise of each move."""
        promise = torch.zeros(len(facts))
        for k in range(SITUATIONS):
            i = (row == k).nonzero()[:, 0]
            units = torch.relu(facts[i] @ self.hidden[k] + self.bias[k])
            promise = promise.index_put((i,), units @ self.out[k] + facts[i] @ self.direct[k])
        return promise


def fit(data: Data, hidden: int, epochs: int) -> list[np.ndarray[Any, Any]]:
    """Whole numbers: hidden weights, biases, output weights and direct weights."""
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    mean = data.facts.mean(0)
    spread = data.facts.std(0)
    spread = np.where(spread > 0, np.maximum(spread, 0.05), 1.0)
    facts = torch.tensor((data.facts - mean) / spread, dtype=torch.float32)
    row = torch.tensor(data.row)
    loss = torch.tensor(data.loss * data.weight[data.state], dtype=torch.float32)
    networks = Networks(facts.shape[1], hidden)
    optimizer = torch.optim.AdamW(networks.parameters(), lr=RATE, weight_decay=1e-2)
    states = np.flatnonzero(~data.held_back)
    steps = epochs * (len(states) // BATCH)
    step = 0
    for epoch in range(epochs):
        shuffled = rng.permutation(states)
        for first in range(0, len(shuffled) - BATCH + 1, BATCH):
            batch = shuffled[first : first + BATCH]
            sizes = data.ends[batch] - data.starts[batch]
            offsets = np.repeat(data.starts[batch] - np.r_[0, np.cumsum(sizes)[:-1]], sizes)
            rows = torch.tensor(offsets + np.arange(sizes.sum()))
            place = torch.tensor(np.repeat(np.arange(BATCH), sizes))
            promise = networks(facts[rows], row[rows])
            top = torch.full((BATCH,), -1e9).scatter_reduce(0, place, promise.detach(), "amax")
            odds = torch.exp(promise - top[place])
            chance = odds / torch.zeros(BATCH).index_add(0, place, odds)[place]
            cost = (chance * loss[rows]).sum() / BATCH
            for group in optimizer.param_groups:
                group["lr"] = RATE * min(1.0, 1.5 * (1 - step / steps) + 1e-3)
            optimizer.zero_grad()
            cost.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            step += 1
        if epoch == epochs - 1:
            with torch.no_grad():
                data.report(networks(facts, row).numpy(), "as fitted")
    weights = networks.hidden.detach().numpy() / spread[None, :, None]
    bias = networks.bias.detach().numpy() - (mean[None, :, None] * weights).sum(1)
    scale = UNIT * (1 << OUT_SHIFT)
    return [
        np.round(weights * HIDDEN_SCALE).transpose(0, 2, 1).astype(np.int64),
        np.round(bias * HIDDEN_SCALE).astype(np.int64),
        np.round(-networks.out.detach().numpy() * scale / (HIDDEN_SCALE >> HIDDEN_SHIFT)).astype(
            np.int64
        ),
        np.round(-networks.direct.detach().numpy() / spread * scale).astype(np.int64),
    ]


def check(data: Data, arrays: list[np.ndarray[Any, Any]]) -> None:
    """Report on the whole numbers, as the solver adds them up, and that nothing overflows."""
    hidden, bias, out, direct = arrays
    for array, bits in zip(arrays, (15, 31, 15, 15), strict=True):
        assert abs(array).max() < 1 << bits, "the numbers do not fit"
    promise = np.zeros(len(data.facts))
    for k in range(SITUATIONS):
        i = np.flatnonzero(data.row == k)
        facts = data.facts[i]
        units = np.maximum(facts @ hidden[k].T + bias[k], 0) >> HIDDEN_SHIFT
        largest = (abs(facts) @ abs(direct[k])).max() + (units @ abs(out[k])).max()
        assert max(largest, (abs(facts) @ abs(hidden[k]).T).max()) < 1 << 29, "sums may overflow"
        promise[i] = -((facts @ direct[k] + units @ out[k]) >> OUT_SHIFT)
    data.report(promise, "as whole numbers")


def braces(array: np.ndarray[Any, Any]) -> str:
    """The array in C."""
    if array.ndim > 1:
        return "{" + ",\n".join(braces(part) for part in array) + "}"
    numbers = [str(number) for number in array]
    lines = [", ".join(numbers[i : i + 16]) for i in range(0, len(numbers), 16)]
    return "{" + ",\n ".join(lines) + "}"


def write(path: Path, arrays: list[np.ndarray[Any, Any]]) -> None:
    """The header that src/_solver.pyx includes."""
    hidden = arrays[0]
    parts = [
        "/* Written by training/fit.py. One network a situation: see order.h. */",
        "#include <stdint.h>",
        f"#define DDZ_N_FACTS {hidden.shape[2]}",
        f"#define DDZ_N_HIDDEN {hidden.shape[1]}",
        f"#define DDZ_HIDDEN_SHIFT {HIDDEN_SHIFT}",
        f"#define DDZ_OUT_SHIFT {OUT_SHIFT}",
    ]
    names = (
        f"int16_t DDZ_HIDDEN[{SITUATIONS}][DDZ_N_HIDDEN][DDZ_N_FACTS]",
        f"int32_t DDZ_BIAS[{SITUATIONS}][DDZ_N_HIDDEN]",
        f"int16_t DDZ_OUT[{SITUATIONS}][DDZ_N_HIDDEN]",
        f"int16_t DDZ_DIRECT[{SITUATIONS}][DDZ_N_FACTS]",
    )
    for name, array in zip(names, arrays, strict=True):
        parts.append(f"static const {name} = {braces(array)};")
    path.write_text("\n".join(parts) + "\n", encoding="utf-8")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=16)
    parser.add_argument("--weight", type=float, default=0.35)
    parser.add_argument("--out", type=Path, default=Path("src/order_net.h"))
    options = parser.parse_args()
    data = Data(options.files, options.weight)
    if (~data.held_back).sum() < BATCH:
        raise SystemExit(f"{len(data.starts)} states are too few; gather some thousands")
    print(f"{len(data.starts)} states, {len(data.state)} moves")
    arrays = fit(data, options.hidden, options.epochs)
    check(data, arrays)
    write(options.out, arrays)


if __name__ == "__main__":
    main()
