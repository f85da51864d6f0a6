"""What a simulation plays, in a form that can be sent to other machines, and one chunk of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ddz_core._simulate import simulate_block
from ddz_core.errors import DdzError
from ddz_core.rules import CHOICES, Rules
from ddz_core.seeds import chunk_state
from ddz_core.tallies import new_counts

if TYPE_CHECKING:
    import threading

    from numpy.typing import NDArray

    from ddz_core.policies import Policy

    OnePolicy: TypeAlias = str | Policy
    Labels: TypeAlias = tuple[str, ...] | dict[str, str]

__all__ = ["BLOCK", "Plan", "Seats", "Stopped", "child", "run_chunk", "seats_of"]

BUILT_IN = ("random", "greedy", "rule")
ROLES = ("landlord", "peasant")

# Part of the streams' definition: changing one of these changes every seeded result. Deals are
# grouped in blocks with a key each, whatever the chunks are in which they are played.
BLOCK = 4096
BLOCK_KEYS = 0x51A0
POLICY_NUMBERS = 0x51A1
BATCH_NUMBERS = 0x51A2


class Stopped(Exception):
    """A chunk was given up because its run is over."""


@dataclass(frozen=True)
class Seats:
    """Each seat's policies: who bids for it, and who plays as landlord and as peasant."""

    bids_by: tuple[OnePolicy, ...]
    as_landlord: tuple[OnePolicy, ...]
    as_peasant: tuple[OnePolicy, ...]
    labels: Labels

    @property
    def all(self) -> tuple[OnePolicy, ...]:
        """Everybody, some more than once."""
        return self.bids_by + self.as_landlord + self.as_peasant

    @property
    def compiled(self) -> bool:
        """Whether no policy is written in Python."""
        return all(isinstance(policy, str) for policy in self.all)

    @property
    def batched(self) -> bool:
        """Whether a policy wants many positions at once."""
        return any(hasattr(policy, "batch") for policy in self.all)


def seats_of(policies: object, players: int) -> Seats:
    """Each seat's policies from what `simulate` takes.

    Raises
    ------
    DdzError
        An unknown name or role, or a sequence of another length than there are seats.
    TypeError
        No policy.
    """
    if isinstance(policies, Mapping):
        if set(policies) != set(ROLES):
            raise DdzError(
                f"policies by role have the keys 'landlord' and 'peasant', not "
                f"{repr(list(policies))[:80]}"
            )
        landlord, peasant = (_policy(policies[role], f"the {role}") for role in ROLES)
        return Seats(
            (landlord,) * players,
            (landlord,) * players,
            (peasant,) * players,
            {"landlord": _label(landlord), "peasant": _label(peasant)},
        )
    if isinstance(policies, Sequence) and not isinstance(policies, str):
        if len(policies) != players:
            raise DdzError(f"{len(policies)} policies for {players} seats")
        each = tuple(_policy(policy, f"seat {seat}") for seat, policy in enumerate(policies))
    else:
        each = (_policy(policies, "every seat"),) * players
    return Seats(each, each, each, tuple(map(_label, each)))


def _policy(policy: Any, where: str) -> OnePolicy:
    if isinstance(policy, str):
        if policy not in BUILT_IN:
            raise DdzError(
                f"no policy {policy[:80]!r} for {where}; built in are {', '.join(BUILT_IN)}"
            )
        return policy
    if isinstance(policy, type) or not (callable(policy) or callable(_batch_of(policy))):
        raise TypeError(
            f"the policy for {where} must be a name or callable as policy(observation, moves, "
            f"rng), not {repr(policy)[:80]}"
        )
    return policy  # type: ignore[no-any-return]


def _batch_of(policy: object) -> object:
    return getattr(policy, "batch", None)


def _label(policy: OnePolicy) -> str:
    """What a policy is called in results and checkpoints."""
    if isinstance(policy, str):
        return policy
    name = getattr(policy, "name", None)
    if isinstance(name, str):
        return name
    named = policy if hasattr(policy, "__qualname__") else type(policy)
    return f"{named.__module__}.{named.__qualname__}"


def child(sequence: np.random.SeedSequence, *key: int) -> np.random.SeedSequence:
    """A child by its key, without counting it as spawned."""
    return np.random.SeedSequence(
        sequence.entropy,
        spawn_key=(*sequence.spawn_key, *key),
        pool_size=sequence.pool_size,
    )


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
            known = [BUILT_IN.index(p) if isinstance(p, str) else 0 for p in policies]
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
    at = first
    while at < stop:
        if stopped is not None and stopped.is_set():
            raise Stopped
        block, place = divmod(at, BLOCK)
        deals = min(BLOCK - place, stop - at)
        simulate_block(plan.rules, options, plan.block_key(block), at, place, deals, counts)
        at += deals
    return counts
