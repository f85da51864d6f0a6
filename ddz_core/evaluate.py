"""What a move or a bid is worth, by games played out over hands that fit what was seen."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ddz_core._evaluate import landlord_chunk, move_chunk
from ddz_core._values import Hand, Move, integer
from ddz_core.auction import Bid
from ddz_core.deal import Deal
from ddz_core.errors import DdzError, InvalidCardsError, PhaseError
from ddz_core.game import Game, Phase
from ddz_core.hidden import checked_weights
from ddz_core.knowledge import Knowledge, knowledge_of
from ddz_core.parallel import as_completed, n_threads
from ddz_core.playout import Estimate
from ddz_core.policies import BuiltIn, built_in_codes, resolve
from ddz_core.rules import Rules, as_rules
from ddz_core.seeds import chunk_state, seed_sequence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from ddz_core.hidden import Weight
    from ddz_core.observation import Observation
    from ddz_core.policies import Policies, Policy
    from ddz_core.seeds import Seed

    Points = NDArray[np.int64]

__all__ = [
    "BidEvaluation",
    "MoveEstimate",
    "MoveEvaluation",
    "SideEstimate",
    "evaluate_bid",
    "evaluate_moves",
]

# Part of the stream's definition: changing one of these changes every seeded result.
SAMPLES_A_CHUNK = 16
CHUNKS_A_ROUND = 8
DEALS_A_CHUNK = 256
HANDS, PLAY = range(2)

MAX_SAMPLES = 10**9
MEASURES = ("score", "win_rate")


# ---- moves ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MoveEstimate:
    """What came out for one move.

    Attributes
    ----------
    move : Move
    win_rate : Estimate
        How often the seat's side won.
    score : Estimate
        Points of the seat, as `Game.result` counts them: base, robs, what has doubled so far and in
        the rest of the game, springs.
    difference : Estimate
        How far the move is behind the best one, by the measure that they are ordered by: a mean of
        the differences sample by sample, so that it is known much better than the two means are.
        0 for the best move itself.
    """

    move: Move
    win_rate: Estimate
    score: Estimate
    difference: Estimate


@dataclass(frozen=True)
class MoveEvaluation:
    """All legal moves of a seat, the best first.

    Attributes
    ----------
    moves : tuple of MoveEstimate
        By falling mean of `by`; equal ones in the order of `legal_moves`.
    by : {"score", "win_rate"}
    samples : int
        Hidden hands that every move was played on.
    effective_size : float
        The same without a weight; with one, how many equally weighted samples would be as good.
    stopped : {"n", "clear", "time"}
        Why it ended: all samples were taken, the best move is clear, or the time is over.
    seed : SeedSequence
        Repeats the evaluation exactly when given as `seed` again, unless the time ended it.
    """

    moves: tuple[MoveEstimate, ...]
    by: Literal["score", "win_rate"]
    samples: int
    effective_size: float
    stopped: Literal["n", "clear", "time"]
    seed: np.random.SeedSequence

    @property
    def best(self) -> Move:
        """The best move."""
        return self.moves[0].move

    def of(self, move: Move) -> MoveEstimate:
        """The estimate of one move.

        Raises
        ------
        DdzError
            Not among the legal moves.
        """
        for estimate in self.moves:
            if estimate.move == move:
                return estimate
        raise DdzError(f"{str(move)[:80]} is not among the {len(self.moves)} moves evaluated")

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values, for JSON.

        Returns
        -------
        dict
            ``best``, ``by``, ``samples``, ``effective_size``, ``stopped``, ``seed`` (``entropy``
            and ``spawn_key``), and ``moves``, a list of dicts with ``move`` (its text),
            ``win_rate``, ``score`` and ``difference``, each with ``mean`` and ``se``. Undefined
            figures are NaN, which strict JSON does not have.
        """
        return {
            "best": str(self.best),
            "by": self.by,
            "samples": self.samples,
            "effective_size": self.effective_size,
            "stopped": self.stopped,
            "moves": [
                {
                    "move": str(one.move),
                    "win_rate": one.win_rate._asdict(),
                    "score": one.score._asdict(),
                    "difference": one.difference._asdict(),
                }
                for one in self.moves
            ],
            "seed": _seed_dict(self.seed),
        }


def _seed_dict(seed: np.random.SeedSequence) -> dict[str, Any]:
    entropy = seed.entropy
    return {
        "entropy": [int(word) for word in entropy] if np.ndim(entropy) else int(entropy),  # type: ignore[arg-type,union-attr]
        "spawn_key": [int(key) for key in seed.spawn_key],
    }


def evaluate_moves(
    observation: Observation,
    n: int = 1000,
    policy: Policies = "rule",
    seed: Seed = None,
    *,
    by: Literal["score", "win_rate"] = "score",
    stop_at: float | None = None,
    time_limit: float | None = None,
    weight: Weight | None = None,
    threads: int | None = None,
) -> MoveEvaluation:
    """Estimate how often each legal move wins, and how many points it brings.

    Hidden hands are drawn as by `sample_hidden`; on each of them every legal move is played and the
    game played out by `policy`. All moves meet the same hands and the same random numbers, so that
    luck which they share cancels when they are compared.

    Parameters
    ----------
    observation : Observation
        Of the seat whose turn it is to play.
    n : int
        Most samples, 1 … 10**9.
    policy : str, Policy, sequence or mapping
        Who plays the games out, as in `simulate`: ``"random"``, ``"greedy"``, ``"rule"``, a policy
        of your own, one of these for each seat, or a mapping with the keys ``"landlord"`` and
        ``"peasant"``. A policy in Python is slow: each sample becomes a `Game`, in which the bids
        and moves so far are made again, and each decision has an `Observation` made for it.
    seed : int, sequence of int, SeedSequence, BitGenerator, Generator, optional
        As for `numpy.random.default_rng`. Samples are cut into chunks of 16, each with its own
        child sequence: the same seed gives the same result for any number of threads.
    by : {"score", "win_rate"}
        What makes a move the best.
    stop_at : float, optional
        Stop once the best move is so many standard errors (of the paired difference) better than
        each other one; looked at after every 128 samples. Since it is looked at again and again,
        take 3 or more. A move that comes out like the best in every sample does not count as a
        rival.
    time_limit : float, optional
        Seconds after which no more samples are begun (of built-in policies no more chunks of 16, of
        which one is always played). How many it will be depends on the machine.
    weight : callable, optional
        As in `sample_weighted`, called with each chunk's hands, from several threads: the means are
        then weighted ones.
    threads : int, optional
        All processors by default.

    Returns
    -------
    MoveEvaluation

    Raises
    ------
    PhaseError
        It is not this seat's turn to play.
    DdzError
        A number out of its range, an unknown policy or measure, an index from a policy that is no
        move's, weights that are no weights, or an observation whose fields contradict each other.
    TypeError
        A value of the wrong type.
    ValueError
        A negative seed.

    Notes
    -----
    These are playouts with open hands fixed in advance, for policies that do not look at them. The
    policy's mistakes are in the result, and so is what such an evaluation cannot see: that a play
    hides or tells something.

    Examples
    --------
    >>> from ddz_core.game import Game
    >>> game = Game("standard", seed=1)
    >>> game.bid(3)
    >>> found = evaluate_moves(game.observe(0), 32, policy="random", seed=1)
    >>> found.best in game.legal_moves(), found.samples
    (True, 32)
    """
    samples = _in_range(n, "n", 1, MAX_SAMPLES)
    if by not in MEASURES:
        raise DdzError(f"by is {repr(by)[:80]}; it must be one of {', '.join(MEASURES)}")
    limit = None if time_limit is None else _positive(time_limit, "time_limit")
    stop_at = None if stop_at is None else _positive(stop_at, "stop_at")
    if weight is not None and not callable(weight):
        raise TypeError(f"weight must be callable, not {repr(weight)[:80]}")
    n_threads(threads)
    knowledge = knowledge_of(observation)
    if observation.phase != Phase.PLAY or observation.turn != observation.seat:
        raise PhaseError(
            f"seat {observation.seat} has no move to make: the phase is {observation.phase}, the "
            f"turn {'nobody' if observation.turn is None else f'seat {observation.turn}'}'s"
        )
    sequence = seed_sequence(seed)
    deadline = math.inf if limit is None else time.monotonic() + limit
    work = _MoveWork(knowledge, policy, sequence, weight, samples, deadline)
    sums = _Sums(len(observation.legal_moves))
    stopped: Literal["n", "clear", "time"] = "n"
    n_chunks = -(-samples // SAMPLES_A_CHUNK)
    for index, (points, weights) in _in_rounds(work, n_chunks, threads):
        sums.add(points, weights)
        if len(points) < work.size(index):
            stopped = "time"
            break
        full_round = index % CHUNKS_A_ROUND == CHUNKS_A_ROUND - 1
        if stop_at is not None and full_round and sums.is_clear(by, stop_at):
            stopped = "clear"
            break
    return MoveEvaluation(
        moves=sums.estimates(list(observation.legal_moves), by),
        by=by,
        samples=sums.n,
        effective_size=sums.effective_size,
        stopped=stopped,
        seed=sequence,
    )


def _in_range(value: object, name: str, low: int, high: int) -> int:
    number = integer(value, name)
    if not low <= number <= high:
        raise DdzError(f"{name} is {number}; it must be {low} … {high}")
    return number


def _positive(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, not {repr(value)[:80]}")
    number = float(value)
    if not 0 < number < math.inf:
        raise DdzError(f"{name} is {value}; it must be positive and finite")
    return number


def _child(sequence: np.random.SeedSequence, which: int) -> np.random.SeedSequence:
    return np.random.SeedSequence(
        sequence.entropy, spawn_key=(*sequence.spawn_key, which), pool_size=sequence.pool_size
    )


def _in_rounds(
    work: Callable[[int], tuple[Points, NDArray[np.float64]]], n_chunks: int, threads: int | None
) -> Iterator[tuple[int, tuple[Points, NDArray[np.float64]]]]:
    """Every chunk's (index, result) in order, a round of them under way at a time."""
    for start in range(0, n_chunks, CHUNKS_A_ROUND):
        size = min(CHUNKS_A_ROUND, n_chunks - start)
        done = as_completed(lambda i, start=start: (start + i, work(start + i)), size, threads)  # type: ignore[misc]
        yield from sorted(done, key=lambda chunk: chunk[0])


class _MoveWork:
    """One chunk of samples: their points for each move, and their weights."""

    def __init__(  # noqa: PLR0917
        self,
        knowledge: Knowledge,
        policy: Policies,
        sequence: np.random.SeedSequence,
        weight: Weight | None,
        n: int,
        deadline: float,
    ) -> None:
        seen = knowledge.observation
        self.knowledge = knowledge
        self.weight = weight
        self.n = n
        self.deadline = deadline
        self.stake = seen.base << seen.robs
        self.hands_seed = _child(sequence, HANDS)
        self.play_seed = _child(sequence, PLAY)
        self.policies = resolve(policy, seen.rules.players, seen.landlord)
        self.codes = [one.code for one in self.policies if isinstance(one, BuiltIn)]

    def size(self, index: int) -> int:
        """Samples of this chunk."""
        return min(SAMPLES_A_CHUNK, self.n - index * SAMPLES_A_CHUNK)

    def __call__(self, index: int) -> tuple[Points, NDArray[np.float64]]:
        seen, size = self.knowledge.observation, self.size(index)
        points = np.empty((size, len(seen.legal_moves)), np.int64)
        if index and time.monotonic() > self.deadline:
            return points[:0], np.empty(0)
        hands = np.empty((size, seen.rules.players, 15), np.uint8)
        self.knowledge.hidden.fill(chunk_state(self.hands_seed, index), hands)
        weights = np.ones(size) if self.weight is None else checked_weights(self.weight, hands)
        if len(self.codes) == len(self.policies):
            position = self.knowledge.position
            assert position is not None
            state = chunk_state(self.play_seed, index)
            move_chunk(position, seen.legal_moves, self.codes, state, hands, points)
            return points * self.stake, weights
        for sample in range(size):
            if (index or sample) and time.monotonic() > self.deadline:
                return points[:sample], weights[:sample]
            seed = _child(_child(self.play_seed, index), sample)
            points[sample] = _points_in_python(self.knowledge, self.policies, hands[sample], seed)
        return points, weights


# ---- policies in Python --------------------------------------------------------------------------


def _points_in_python(
    knowledge: Knowledge,
    policies: tuple[Policy, ...],
    hands: NDArray[np.uint8],
    seed: np.random.SeedSequence,
) -> list[int]:
    """Points for each move of games that begin with these hands."""
    seat = knowledge.observation.seat
    game = _game_of(knowledge, hands, np.random.Generator(np.random.PCG64(_child(seed, HANDS))))
    points = []
    for move in knowledge.observation.legal_moves:
        branch = game.copy()
        branch.play(move)
        # Every branch of a sample has the same random numbers.
        rng = np.random.Generator(np.random.PCG64(_child(seed, PLAY)))
        while (turn := branch.turn) is not None:
            seen = branch.observe(turn)
            moves = seen.legal_moves
            chosen = integer(policies[turn](seen, moves, rng), "a policy's answer")
            if not 0 <= chosen < len(moves):
                raise DdzError(
                    f"the policy of seat {turn} answered {chosen}; there are {len(moves)} moves, "
                    f"0 … {len(moves) - 1}"
                )
            branch.play(moves[chosen])
        result = branch.result
        assert result is not None
        points.append(result.points[seat])
    return points


def _game_of(knowledge: Knowledge, hands: NDArray[np.uint8], rng: np.random.Generator) -> Game:
    """A game in which the present hands are these, and all that was seen has happened."""
    seen = knowledge.observation
    rules, landlord = seen.rules, seen.landlord
    assert landlord is not None
    held = hands + knowledge.played
    if seen.kitty is not None:
        kitty = seen.kitty.counts.astype(np.int64)
    else:
        # The landlord's cards are any that he was dealt and any that he took up.
        cards = np.repeat(np.arange(15), held[landlord])
        kitty = np.bincount(rng.choice(cards, rules.kitty_size, replace=False), minlength=15)
    held[landlord] -= kitty
    left = np.array(rules.deck) - held.sum(axis=0) - kitty
    piles: list[list[int]] = [[] for _ in range(rules.players + 2)]
    for rank, counts in enumerate(np.vstack([held, kitty, left]).T.tolist()):
        cards_of_rank = iter(_suited(rank, rules.packs))
        for pile, count in zip(piles, counts, strict=True):
            pile += [next(cards_of_rank) for _ in range(count)]
    deal = Deal(
        hands=tuple(map(tuple, piles[: rules.players])),
        kitty=tuple(piles[-2]),
        undealt=tuple(piles[-1]),
        opener=knowledge.opener,
        packs=rules.packs,
        lowest_rank=rules.lowest_rank,
    )
    game = Game(rules, deal=(deal,) * (seen.redeals + 1))
    while game.redeals < seen.redeals:
        game.bid(Bid.PASS)
    for _, bid in seen.bids:
        game.bid(bid)
    for _, move in seen.moves:
        game.play(move)
    return game


def _suited(rank: int, packs: int) -> list[int]:
    """Suited cards of a rank."""
    one = range(4 * rank, 4 * rank + 4) if rank < 13 else range(39 + rank, 40 + rank)
    return [54 * pack + card for pack in range(packs) for card in one]


# ---- sums ----------------------------------------------------------------------------------------


class _Sums:
    """Weighted sums over samples, of the points of each option and of who won.

    Whole numbers, as long as no weight is given, so that nothing is rounded below 2**53.
    """

    def __init__(self, options: int) -> None:
        self.n = 0
        self.weight = 0.0
        self.weight2 = 0.0
        self.first = {by: np.zeros(options) for by in MEASURES}
        # Of squared weights: the options, and the products of each two.
        self.single = {by: np.zeros(options) for by in MEASURES}
        self.product = {by: np.zeros((options, options)) for by in MEASURES}

    def add(self, points: Points, weights: NDArray[np.float64]) -> None:
        """Add samples, shape (samples, options)."""
        self.n += len(points)
        self.weight += float(weights.sum())
        squared = weights * weights
        self.weight2 += float(squared.sum())
        for by, values in (("score", points.astype(float)), ("win_rate", (points > 0) * 1.0)):
            self.first[by] += weights @ values
            self.single[by] += squared @ values
            self.product[by] += values.T @ (squared[:, None] * values)

    @property
    def effective_size(self) -> float:
        """Kish's effective number of samples."""
        return self.weight**2 / self.weight2 if self.weight2 > 0 else 0.0

    def combined(self, by: str, factors: NDArray[np.float64]) -> tuple[Any, Any]:
        """Means and standard errors of combinations: `factors` has a row for each."""
        if not 0 < self.weight < math.inf or not 0 < self.weight2 < math.inf:
            raise DdzError(f"the weights of {self.n} samples sum up to {self.weight}")
        means = factors @ (self.first[by] / self.weight)
        square = np.einsum("ki,ij,kj->k", factors, self.product[by], factors)
        variance = square - 2 * means * (factors @ self.single[by]) + means**2 * self.weight2
        return means, self._errors(variance)

    def _errors(self, variance: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.n < 2:
            return np.full(variance.shape, math.nan)
        correction = self.n / (self.n - 1)
        return np.asarray(np.sqrt(np.maximum(variance, 0) * correction) / self.weight)

    def each(self, by: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Means and standard errors of all options."""
        if not 0 < self.weight < math.inf or not 0 < self.weight2 < math.inf:
            raise DdzError(f"the weights of {self.n} samples sum up to {self.weight}")
        means = self.first[by] / self.weight
        square = np.diagonal(self.product[by])
        variance = square - 2 * means * self.single[by] + means**2 * self.weight2
        return means, self._errors(variance)

    def behind(self, by: str, best: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The same of what each option has less than the best, by pairs."""
        first, single, product = self.first[by], self.single[by], self.product[by]
        means = (first - first[best]) / self.weight
        square = np.diagonal(product) - 2 * product[best] + product[best, best]
        variance = square - 2 * means * (single - single[best]) + means**2 * self.weight2
        return means, self._errors(variance)

    def is_clear(self, by: str, errors: float) -> bool:
        """Whether the best is that many standard errors ahead of all that differ from it."""
        best = int(self.first[by].argmax())
        means, ses = self.behind(by, best)
        return bool(np.all((-means >= errors * ses) | (ses == 0)))

    def estimates(
        self, moves: list[Move], by: Literal["score", "win_rate"]
    ) -> tuple[MoveEstimate, ...]:
        """The moves by falling mean."""
        rates, scores = self.each("win_rate"), self.each("score")
        means = self.each(by)[0]
        order = sorted(range(len(moves)), key=lambda i: (-means[i], i))
        behind = self.behind(by, order[0])

        def estimate(pair: tuple[NDArray[np.float64], NDArray[np.float64]], i: int) -> Estimate:
            return Estimate(float(pair[0][i]), float(pair[1][i]))

        return tuple(
            MoveEstimate(moves[i], estimate(rates, i), estimate(scores, i), estimate(behind, i))
            for i in order
        )


# ---- bids ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SideEstimate:
    """What a hand is worth on one side.

    Attributes
    ----------
    win_rate : Estimate
        How often its side won.
    score : Estimate
        Its points at base 1, doublings included.
    """

    win_rate: Estimate
    score: Estimate


@dataclass(frozen=True)
class BidEvaluation:
    """What a hand is worth as the landlord's and as a peasant's.

    Attributes
    ----------
    hand : Hand
    rules : Rules
    robs : int
        The robs that the games were played with.
    samples : int
        Deals, each of them played once with every seat as the landlord.
    landlord : SideEstimate
        As landlord, with the kitty.
    peasants : tuple of SideEstimate
        As peasant, one for each place of the landlord: the next seat, the one after it, … Empty
        for a hand that has the kitty in it.
    peasant : SideEstimate or None
        As peasant, on the average over these.
    seed : SeedSequence
        Repeats the evaluation exactly when given as `seed` again.
    """

    hand: Hand
    rules: Rules
    robs: int
    samples: int
    landlord: SideEstimate
    peasants: tuple[SideEstimate, ...]
    peasant: SideEstimate | None
    seed: np.random.SeedSequence
    _sums: _Sums = field(repr=False, compare=False)

    def gain(self, bid: Bid | str | int, standing: int = 0, holder: int | None = None) -> Estimate:
        """What becoming the landlord with a bid brings more than leaving it to who bid before.

        It is ``bid * landlord - standing * peasant``: the mean points as landlord at base `bid`,
        less those as peasant at base `standing`, which is 0 where nobody has bid and the cards are
        dealt again. The difference is taken deal by deal.

        Parameters
        ----------
        bid : Bid, str or int
            ``1``, ``2``, ``3``, or ``"call"`` (003), which counts 1.
        standing : int
            The highest bid so far, 0 … 3, at which its holder is landlord if nobody bids more.
        holder : int, optional
            Who holds it: 1 for the next seat, 2 for the one after it, and so on; by default the
            average over all of them.

        Returns
        -------
        Estimate
            In points.

        Raises
        ------
        DdzError
            No such bid or seat, or a hand with the kitty in it, which is landlord already.
        TypeError
            A value of the wrong type.
        """
        made = Bid.parse(bid)
        if made in (Bid.PASS, Bid.ROB):
            raise DdzError(f"bid is {made}; it must be 1, 2, 3 or call")
        base = 1 if made == Bid.CALL else int(made)
        standing = _in_range(standing, "standing", 0, 3)
        others = len(self.peasants)
        if not others:
            raise DdzError("the hand has the kitty in it: it is the landlord's already")
        factors = np.zeros(others + 1)
        factors[0] = base
        if holder is None:
            factors[1:] = -standing / others
        else:
            factors[_in_range(holder, "holder", 1, others)] = -standing
        means, errors = self._sums.combined("score", factors[None])
        return Estimate(float(means[0]), float(errors[0]))

    def worthwhile(self, standing: int = 0, holder: int | None = None) -> tuple[Bid, ...]:
        """The bids above `standing` with a positive mean `gain`, which may still be chance: see its
        standard error.

        Parameters
        ----------
        standing, holder
            As in `gain`.

        Returns
        -------
        tuple of Bid
            Empty where to pass is better.

        Raises
        ------
        DdzError, TypeError
            As in `gain`.
        """
        standing = _in_range(standing, "standing", 0, 3)
        numbers = tuple(bid for bid in (Bid.ONE, Bid.TWO, Bid.THREE) if bid > standing)
        bids = (Bid.CALL,) if self.rules.auction == "call_rob" else numbers
        return tuple(bid for bid in bids if self.gain(bid, standing, holder).mean > 0)

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values, for JSON.

        Returns
        -------
        dict
            ``hand``, ``rules`` (the name), ``robs``, ``samples``, ``landlord``, ``peasants``,
            ``peasant`` (each with ``win_rate`` and ``score``, of ``mean`` and ``se``), ``seed``.
        """

        def side(estimate: SideEstimate) -> dict[str, Any]:
            return {
                "win_rate": estimate.win_rate._asdict(),
                "score": estimate.score._asdict(),
            }

        return {
            "hand": str(self.hand),
            "rules": self.rules.name,
            "robs": self.robs,
            "samples": self.samples,
            "landlord": side(self.landlord),
            "peasants": [side(one) for one in self.peasants],
            "peasant": None if self.peasant is None else side(self.peasant),
            "seed": _seed_dict(self.seed),
        }


def evaluate_bid(
    hand: Hand | str,
    rules: Rules | str | None = None,
    n: int = 10_000,
    policy: Policies = "rule",
    seed: Seed = None,
    *,
    robs: int = 0,
    threads: int | None = None,
) -> BidEvaluation:
    """Estimate what a hand is worth as the landlord's, and as a peasant's.

    The other cards are dealt at random `n` times; each deal is played once with every seat as the
    landlord, who takes up the kitty and leads.

    Parameters
    ----------
    hand : Hand or str
        As dealt (17 cards under `standard`); or with the kitty (20 cards), as the landlord holds
        it: then only the landlord's side is evaluated, over the others' hands.
    rules : Rules or str, optional
        Rule set or preset name; standard by default.
    n : int
        Number of deals, 1 … 10**9.
    policy : str or mapping
        Who plays: ``"random"``, ``"greedy"``, ``"rule"``, or a mapping with the keys ``"landlord"``
        and ``"peasant"``. Only built-in policies.
    seed : int, sequence of int, SeedSequence, BitGenerator, Generator, optional
        As for `numpy.random.default_rng`. Deals are cut into chunks of 256, each with its own child
        sequence: the same seed gives the same result for any number of threads.
    robs : int
        Robs that were made (003): each doubles, and lets the peasant win with one card more.
    threads : int, optional
        All processors by default.

    Returns
    -------
    BidEvaluation

    Raises
    ------
    InvalidCardsError
        A hand of another size, or cards that the deck has not.
    DdzError
        A number out of its range, an unknown policy or preset.
    TypeError
        A value of the wrong type, or a policy that is not built in.
    ValueError
        A negative seed.

    Notes
    -----
    The others' hands are any hands: nothing is read into what they bid or did not bid.

    Examples
    --------
    >>> strong = evaluate_bid("3334455678AA222BR", n=500, seed=1)
    >>> strong.landlord.win_rate.mean > 0.5
    True
    """
    chosen = as_rules(rules)
    samples = _in_range(n, "n", 1, MAX_SAMPLES)
    if not isinstance(hand, (Hand, str)):
        raise TypeError(f"hand must be a Hand or text, not {repr(hand)[:80]}")
    cards = Hand(hand)
    has_kitty = _check_hand(cards, chosen)
    robs = _in_range(robs, "robs", 0, chosen.max_robs if chosen.auction == "call_rob" else 0)
    codes = built_in_codes(policy, 2, 0)
    n_threads(threads)
    sequence = seed_sequence(seed)
    unseen = Hand.from_counts(np.array(chosen.deck) - cards.counts).packed
    options = 1 if has_kitty else chosen.players

    def chunk(index: int) -> tuple[int, Points]:
        size = min(DEALS_A_CHUNK, samples - index * DEALS_A_CHUNK)
        points = np.empty((size, options), np.int64)
        state = chunk_state(sequence, index)
        landlord_chunk(chosen, cards.packed, unseen, has_kitty, robs, codes, state, points)
        return index, points << robs

    sums = _Sums(options)
    for _, points in as_completed(chunk, -(-samples // DEALS_A_CHUNK), threads):
        sums.add(points, np.ones(len(points)))
    rates, scores = (sums.combined(by, _sides(options)) for by in ("win_rate", "score"))
    landlord, *peasants = [
        SideEstimate(Estimate(*map(float, rate)), Estimate(*map(float, score)))
        for rate, score in zip(zip(*rates, strict=True), zip(*scores, strict=True), strict=True)
    ]
    return BidEvaluation(
        hand=cards,
        rules=chosen,
        robs=robs,
        samples=sums.n,
        landlord=landlord,
        peasants=tuple(peasants[:-1]),
        peasant=peasants[-1] if peasants else None,
        seed=sequence,
        _sums=sums,
    )


def _check_hand(hand: Hand, rules: Rules) -> bool:
    """Whether the hand has the kitty in it."""
    if (hand.counts > np.array(rules.deck)).any():
        raise InvalidCardsError(f"hand {hand} has cards that the deck of {rules.name!r} has not")
    if len(hand) not in (rules.hand_size, rules.max_hand):
        raise InvalidCardsError(
            f"hand {hand} has {len(hand)} cards; under rules {rules.name!r} a hand has "
            f"{rules.hand_size}, and the landlord's {rules.max_hand}"
        )
    return len(hand) != rules.hand_size


def _sides(options: int) -> NDArray[np.float64]:
    """Each landlord alone, then the average over those that leave the hand a peasant's."""
    sides = np.eye(options)
    if options == 1:
        return sides
    average = np.full(options, 1 / (options - 1))
    average[0] = 0
    return np.vstack([sides, average])
