"""What a simulation plays, in a form that can be sent to other machines, and one chunk of it."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ddz_core._simulate import simulate_block
from ddz_core.policies import BuiltIn, ByRole, resolve
from ddz_core.rules import CHOICES, Rules
from ddz_core.seeds import child, chunk_state
from ddz_core.tallies import new_counts

if TYPE_CHECKING:
    import threading

    from numpy.typing import NDArray

    from ddz_core.policies import Policies, Policy

    # The core's number of a policy that is built in, or one written in Python.
    OnePolicy: TypeAlias = int | Policy

__all__ = ["BLOCK", "Plan", "Seats", "Stopped", "child", "deals_in", "run_chunk", "seats_of"]

# Part of the streams' definition: changing one of these changes every seeded result. Deals are
# grouped in blocks with a key each, whatever the chunks are in which they are played.
BLOCK = 4096
BLOCK_KEYS = 0x51A0
POLICY_NUMBERS = 0x51A1
BATCH_NUMBERS = 0x51A2

# Seconds after which the core looks whether it shall stop, about.
PIECE = 0.03
FIRST_PIECE = 64
# Microseconds that a deal takes, about, by policy as the core numbers them, with one pack and with
# two. How the work is cut depends on them, but no number.
COSTS = ((2.2, 13.5, 42.0), (4.4, 125.0, 440.0))


class Stopped(Exception):
    """A chunk was given up because its run is over."""


@dataclass(frozen=True)
class Seats:
    """Each seat's policies: who bids for it, and who plays as landlord and as peasant."""

    bids_by: tuple[OnePolicy, ...]
    as_landlord: tuple[OnePolicy, ...]
    as_peasant: tuple[OnePolicy, ...]
    labels: tuple[str, ...]

    @property
    def all(self) -> tuple[OnePolicy, ...]:
        """Everybody, some more than once."""
        return self.bids_by + self.as_landlord + self.as_peasant

    @property
    def compiled(self) -> bool:
        """Whether no policy is written in Python."""
        return all(isinstance(policy, int) for policy in self.all)

    @property
    def batched(self) -> bool:
        """Whether a policy wants many positions at once."""
        return any(hasattr(policy, "batch") for policy in self.all)


def seats_of(policies: Policies, players: int, landlord: int | None) -> Seats:
    """Each seat's policies from what `simulate` takes; errors as those of `resolve`."""
    each = resolve(policies, players, landlord)
    return Seats(
        tuple(_plain(p.landlord if isinstance(p, ByRole) else p) for p in each),
        tuple(_plain(p.landlord if isinstance(p, ByRole) else p) for p in each),
        tuple(_plain(p.peasant if isinstance(p, ByRole) else p) for p in each),
        tuple(map(_label, each)),
    )


def deals_in(seconds: float, rules: Rules, seats: Seats) -> int:
    """How many deals one processor plays in that time, about, where no policy is Python's; a power
    of two."""
    costs = COSTS[rules.packs - 1]
    players = seats.as_landlord + seats.as_peasant
    cost = sum(costs[policy] for policy in players if isinstance(policy, int)) / len(players)
    return 1 << int(math.log2(max(1.0, seconds * 1e6 / cost)))


def _plain(policy: Policy) -> OnePolicy:
    """The core's number of a policy that is built in."""
    return policy.code if isinstance(policy, BuiltIn) else policy


def _label(policy: Policy) -> str:
    """What a policy is called in results and checkpoints."""
    if isinstance(policy, ByRole):
        return f"{_label(policy.landlord)} as landlord, {_label(policy.peasant)} as peasant"
    name = getattr(policy, "name", None)
    if isinstance(name, str):
        return name
    named: Any = policy if hasattr(policy, "__qualname__") else type(policy)
    return f"{named.__module__}.{named.__qualname__}"


@dataclass(frozen=True)
class Plan:
    """Everything that decides the numbers of a run but which deals it plays."""

    rules: Rules
    seats: Seats
    landlord: int | None
    seed: np.random.SeedSequence

    @property
    def options(self) -> tuple[int, ...]:
        """The rule set's and the seats' options as the core reads them (``table_t``)."""
        rules = self.rules

        def codes(policies: tuple[OnePolicy, ...]) -> list[int]:
            # Those of Python are asked elsewhere; any number will do.
            known = [policy if isinstance(policy, int) else 0 for policy in policies]
            return known + [0] * (4 - len(known))

        return (
            CHOICES["auction"].index(rules.auction),
            CHOICES["first_bidder"].index(rules.first_bidder),
            CHOICES["nobody_bids"].index(rules.nobody_bids),
            -1 if rules.max_redeals is None else rules.max_redeals,
            rules.max_robs,
            int(rules.bombs_double),
            -1 if self.landlord is None else self.landlord,
            *codes(self.seats.bids_by),
            *codes(self.seats.as_landlord),
            *codes(self.seats.as_peasant),
        )

    def block_key(self, block: int) -> NDArray[np.uint64]:
        """The key of which each deal of a block has its streams."""
        return chunk_state(child(self.seed, BLOCK_KEYS), block)


def run_chunk(
    plan: Plan, first: int, stop: int, stopped: threading.Event | None = None
) -> NDArray[np.int64]:
    """Play the deals with these numbers and count what came out.

    Raises
    ------
    Stopped
        `stopped` was set in the meantime.
    """
    if not plan.seats.compiled:
        from ddz_core.lockstep import play_deals  # noqa: PLC0415 (brings the whole game)

        return play_deals(plan, first, stop, stopped)
    counts = new_counts()
    options = plan.options
    at, piece = first, FIRST_PIECE
    block, key = -1, None
    # In pieces, so that an interrupt or `stopped` is noticed soon; a deal's numbers do not depend
    # on them.
    while at < stop:
        if stopped is not None and stopped.is_set():
            raise Stopped
        if at // BLOCK != block or key is None:
            block = at // BLOCK
            key = plan.block_key(block)
        place = at % BLOCK
        deals = min(piece, BLOCK - place, stop - at)
        started = time.perf_counter()
        simulate_block(plan.rules, options, key, at, place, deals, counts)
        took = max(time.perf_counter() - started, 1e-6)
        piece = max(1, min(BLOCK, 2 * piece, int(deals * PIECE / took)))
        at += deals
    return counts
