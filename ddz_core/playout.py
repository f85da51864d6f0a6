"""Monte-Carlo playouts: random games by the million, reproducible to the bit."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ddz_core._playout import SUM_NAMES, deal_chunk, play_chunk
from ddz_core._position import Position
from ddz_core.checks import between, wrong_kind
from ddz_core.estimates import Estimate, Rate, estimate, rate, wilson
from ddz_core.parallel import as_completed, n_threads, pieces
from ddz_core.policies import built_in_codes
from ddz_core.rules import Rules, as_rules
from ddz_core.seeds import chunk_state, plain_entropy, seed_sequence

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from ddz_core.policies import Policies
    from ddz_core.seeds import Seed

__all__ = ["Estimate", "PlayoutStats", "playout", "random_hands"]

# Part of the stream's definition: changing it changes every seeded result.
GAMES_A_CHUNK = 4096
MAX_GAMES = 10**12
# At first; then as many as take a moment.
GAMES_A_PIECE = 128


@dataclass(frozen=True)
class PlayoutStats:
    """What came out of a number of games; integer sums, from which the rates follow exactly.

    Attributes
    ----------
    landlord : int
        The landlord's seat.
    seats : int
        Number of seats, 2 to 4.
    sums : dict of str to int
        Exact totals over all games (``"bombs_squared"`` is the sum of squares), which processes or
        machines can add up.
    seed : SeedSequence
        Repeats the run exactly when given as `seed` again; ``==`` leaves it out.

    Notes
    -----
    `bombs`, `rockets`, `springs` and `anti_springs` are those of whole games: from a position, what
    its counters say was played before it counts too. `plies` counts only the moves of the playout.
    """

    landlord: int
    seats: int
    sums: dict[str, int]
    # It has no == of its own.
    seed: np.random.SeedSequence = field(compare=False)

    @property
    def games(self) -> int:
        """Number of games."""
        return self.sums["games"]

    @property
    def wins(self) -> tuple[int, ...]:
        """Games in which each seat was the first to reach its goal."""
        return tuple(self.sums[f"wins_{seat}"] for seat in range(self.seats))

    @property
    def landlord_wins(self) -> int:
        """Games that the landlord won."""
        return self.wins[self.landlord]

    @property
    def peasant_wins(self) -> int:
        """Games that the peasants won, whichever of them went out."""
        return self.games - self.landlord_wins

    @property
    def landlord_win_rate(self) -> float:
        """``landlord_wins / games``; NaN where there are no games."""
        return self.landlord_wins / self.games if self.games else math.nan

    def interval(self, wins: int, confidence: float = 0.95) -> tuple[float, float]:
        """Wilson's score interval for the rate of something that happened in `wins` games.

        Parameters
        ----------
        wins : int
            0 … `games`.
        confidence : float
            Between 0 and 1.

        Returns
        -------
        tuple of float
            Lower and upper bound; NaN where there are no games.

        Raises
        ------
        DdzError
            A number out of its range.
        TypeError
            `wins` is no integer, or `confidence` no number.
        """
        return wilson(wins, self.games, confidence)

    @property
    def bombs(self) -> Estimate:
        """Bombs a game, those before a start position included."""
        return self._estimate("bombs", self.sums["bombs_squared"])

    @property
    def rockets(self) -> Rate:
        """Share of games with a rocket, one before a start position included."""
        return self._rate("rockets")

    @property
    def springs(self) -> Rate:
        """Share of games with a spring, in the rule set's sense; 0 if it has none."""
        return self._rate("springs")

    @property
    def anti_springs(self) -> Rate:
        """Share of games with an anti-spring, in the rule set's sense; 0 if it has none."""
        return self._rate("anti_springs")

    @property
    def plies(self) -> Estimate:
        """Plays and passes a game, from the start of the playout on."""
        return self._estimate("plies", self.sums["plies_squared"])

    def _estimate(self, name: str, squares: int) -> Estimate:
        return estimate(self.games, self.sums[name], squares)

    def _rate(self, name: str) -> Rate:
        return rate(self.sums[name], self.games)

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain numbers, for JSON.

        Returns
        -------
        dict
            ``games``, ``landlord``, ``wins`` (a list, one a seat), ``landlord_win_rate``,
            ``landlord_win_interval`` (Wilson's at 95 %, lower and upper bound); ``bombs``,
            ``rockets``, ``springs``, ``anti_springs`` and ``plies``, each with ``mean``, ``se`` and
            ``interval`` (at 95 %: Wilson's for rates, the normal approximation's else); ``sums``;
            ``seed`` with ``entropy`` and ``spawn_key``. Undefined figures are NaN, which strict
            JSON does not have.
        """
        return {
            "games": self.games,
            "landlord": self.landlord,
            "wins": list(self.wins),
            "landlord_win_rate": self.landlord_win_rate,
            "landlord_win_interval": list(self.interval(self.landlord_wins)),
            **{
                name: _shown(getattr(self, name))
                for name in ("bombs", "rockets", "springs", "anti_springs", "plies")
            },
            "sums": dict(self.sums),
            "seed": {
                "entropy": _listed(plain_entropy(self.seed)),
                "spawn_key": [int(key) for key in self.seed.spawn_key],
            },
        }


def _shown(value: Estimate | Rate) -> dict[str, Any]:
    return {"mean": value.mean, "se": value.se, "interval": list(value.interval())}


def _listed(entropy: int | tuple[int, ...]) -> int | list[int]:
    """Entropy as JSON can write it."""
    return list(entropy) if isinstance(entropy, tuple) else entropy


def playout(  # noqa: PLR0917
    start: Position | Rules | str | None = None,
    n: int = 1,
    seed: Seed = None,
    policy: Policies = "random",
    threads: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> PlayoutStats:
    """Play `n` games to the end, from one position or from fresh random deals.

    Parameters
    ----------
    start : Position, Rules or str, optional
        A position, from which every game starts; or a rule set (or a preset's name), whose cards
        are dealt anew for each game, seat 0 being the landlord with the kitty; standard by default.
    n : int
        Number of games, up to 10**12.
    seed : int, sequence of int, SeedSequence, BitGenerator, Generator, optional
        As for `numpy.random.default_rng`. Games are cut into chunks of 4096, each with its own
        child sequence: the same seed gives the same result for any number of threads, on any
        machine. The stream stays the same within a minor version.
    policy : str, sequence or mapping
        Who plays: ``"random"`` (every legal move, PASS too, is equally likely), ``"greedy"`` or
        ``"rule"`` (docs/policies.md) for every seat, a sequence with one a seat, or a mapping with
        the keys ``"landlord"`` and ``"peasant"``. `simulate` takes policies written in Python too.
    threads : int, optional
        All processors by default.
    progress : callable, optional
        Called with (games finished, n) after each chunk, in the calling thread.

    Returns
    -------
    PlayoutStats

    Raises
    ------
    PhaseError
        The position's game is over.
    DdzError
        `n` or `threads` out of range, an unknown policy, or no preset of that name.
    TypeError
        A value of the wrong type, or a policy that is not built in.
    ValueError
        A negative seed.
    """
    games = between(n, "n", 0, MAX_GAMES)
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be callable, not {repr(progress)[:80]}")
    n_threads(threads)
    position = None
    if isinstance(start, Position):
        # A copy, since the caller's own may be played on while the games run.
        position, rules = start.copy(), start.rules
    elif start is None or isinstance(start, Rules | str):
        rules = as_rules(start)
    else:
        raise wrong_kind(start, "start", "a Position, a Rules, a preset's name or None")
    landlord = position.landlord if position is not None else 0
    seats = position.n_seats if position is not None else rules.players
    policies = built_in_codes(policy, seats, landlord)
    sequence = seed_sequence(seed)
    stopped = threading.Event()

    def chunk(index: int) -> NDArray[np.int64]:
        size = min(GAMES_A_CHUNK, games - index * GAMES_A_CHUNK)
        state = chunk_state(sequence, index)
        shoe = np.repeat(np.arange(15, dtype=np.uint8), rules.deck) if position is None else None
        sums = np.zeros(len(SUM_NAMES), np.int64)
        for first, stop in pieces(size, stopped, GAMES_A_PIECE):
            sums += play_chunk(rules, position, state, stop - first, policies, shoe)
        return sums

    totals = [0] * len(SUM_NAMES)
    for sums in as_completed(chunk, -(-games // GAMES_A_CHUNK), threads, stopped):
        totals = [total + int(part) for total, part in zip(totals, sums, strict=True)]
        if progress is not None:
            progress(totals[0], games)
    return PlayoutStats(
        landlord=landlord,
        seats=seats,
        sums=dict(zip(SUM_NAMES, totals, strict=True)),
        seed=sequence,
    )


def random_hands(
    rules: Rules | str | None = None, n: int = 1, seed: Seed = None
) -> NDArray[np.uint8]:
    """Hands of `n` random deals, by rank; seat 0 is the landlord and has the kitty.

    Parameters
    ----------
    rules : Rules or str, optional
        Rule set or preset name; standard by default.
    n : int
        Number of deals, up to 10**12 and at most what memory holds.
    seed : int, sequence of int, SeedSequence, BitGenerator, Generator, optional
        As for `playout`.

    Returns
    -------
    ndarray of uint8, shape (n, seats, 15)
        Cards of each rank, ``3 4 5 6 7 8 9 T J Q K A 2 B R``.

    Raises
    ------
    DdzError
        `n` out of range, or no preset of that name.
    TypeError
        A value of the wrong type.
    ValueError
        A negative seed.
    """
    chosen = as_rules(rules)
    deals = between(n, "n", 0, MAX_GAMES)
    sequence = seed_sequence(seed)
    hands = np.empty((deals, chosen.players, 15), np.uint8)
    for index in range(-(-deals // GAMES_A_CHUNK)):
        part = hands[index * GAMES_A_CHUNK : (index + 1) * GAMES_A_CHUNK]
        deal_chunk(chosen, chunk_state(sequence, index), part)
    return hands
