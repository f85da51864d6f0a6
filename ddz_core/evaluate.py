"""What a move or a bid is worth, by games played out over hands that fit what was seen."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from ddz_core._evaluate import landlord_chunk, move_chunk
from ddz_core._values import Hand, Move
from ddz_core.auction import Bid
from ddz_core.checks import between, number, one_of
from ddz_core.deal import Deal
from ddz_core.errors import DdzError, InvalidCardsError, PhaseError
from ddz_core.estimates import Estimate, Rate
from ddz_core.game import Game, Phase
from ddz_core.hidden import checked_weights
from ddz_core.knowledge import Knowledge, knowledge_of
from ddz_core.parallel import as_completed, n_threads, pieces
from ddz_core.policies import BuiltIn, built_in_codes, picked, picked_in_batch, resolve
from ddz_core.rules import Rules, as_rules
from ddz_core.seeds import child, chunk_state, seed_sequence

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
HANDS, PLAY, BATCHES = range(3)

# Playouts and deals at first; then as many as take a moment.
PLAYOUTS_A_PIECE = 32
DEALS_A_PIECE = 16

MAX_SAMPLES = 10**9
ROUNDING = 1e-12
Measure = Literal["score", "win_rate"]
MEASURES: tuple[Measure, ...] = get_args(Measure)


# ---- moves ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MoveEstimate:
    """What came out for one move.

    Attributes
    ----------
    move : Move
    win_rate : Rate
        How often the seat's side won; `n` is the effective number of samples.
    score : Estimate
        Points of the seat, as `Game.result` counts them: base, robs, what has doubled so far and in
        the rest of the game, springs.
    difference : Estimate
        How far the move is behind the best one, by the measure that they are ordered by: a mean of
        the differences sample by sample, so that it is known much better than the two means are.
        0 for the best move itself.
    """

    move: Move
    win_rate: Rate
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
        Repeats the evaluation exactly when given as `seed` again, unless the time ended it. ``==``
        leaves it out.
    """

    moves: tuple[MoveEstimate, ...]
    by: Measure
    samples: int
    effective_size: float
    stopped: Literal["n", "clear", "time"]
    # It has no == of its own.
    seed: np.random.SeedSequence = field(compare=False)

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
            ``win_rate``, ``score`` and ``difference``, each with ``mean``, ``se`` and ``interval``
            (at 95 %). Undefined figures are NaN, which strict JSON does not have.
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
                    "win_rate": _shown(one.win_rate),
                    "score": _shown(one.score),
                    "difference": _shown(one.difference),
                }
                for one in self.moves
            ],
            "seed": _seed_dict(self.seed),
        }


def _shown(value: Estimate | Rate) -> dict[str, Any]:
    return {"mean": value.mean, "se": value.se, "interval": list(value.interval())}


def _estimate(mean: float, se: float) -> Estimate:
    # Always the same NaN, so that tuples with it are equal.
    return Estimate(float(mean), math.nan if math.isnan(se) else float(se))


def _rate(mean: float, se: float, n: float) -> Rate:
    # A weighted mean of ones may be rounded up.
    return Rate(min(1.0, max(0.0, float(mean))), _estimate(mean, se).se, n)


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
    by: Measure = "score",
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
        and moves so far are made again, and each decision has an `Observation` made for it. It is
        asked only where there is a choice, from several threads; if it has a method ``batch``, that
        is asked about the games after all the moves at once.
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
        Seconds after which no more samples are taken; those under way are dropped, but the first
        one is always played. How many it will be depends on the machine.
    weight : callable, optional
        As in `sample_weighted`, called with each chunk's hands, from several threads: the means are
        then weighted ones. The scale is of no matter, as long as it is the same in all calls.
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
    samples = between(n, "n", 1, MAX_SAMPLES)
    by = one_of(by, "by", MEASURES)
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
    for index, (points, weights) in _in_rounds(work, n_chunks, threads, work.stopped):
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


def _positive(value: object, name: str) -> float:
    found = number(value, name)
    if not 0 < found < math.inf:
        raise DdzError(f"{name} is {found}; it must be positive and finite")
    return found


def _in_rounds(
    work: Callable[[int], tuple[Points, NDArray[np.float64]]],
    n_chunks: int,
    threads: int | None,
    stopped: threading.Event,
) -> Iterator[tuple[int, tuple[Points, NDArray[np.float64]]]]:
    """Every chunk's (index, result) in order, a round of them under way at a time."""
    for start in range(0, n_chunks, CHUNKS_A_ROUND):
        size = min(CHUNKS_A_ROUND, n_chunks - start)

        def chunk(i: int, start: int = start) -> tuple[int, tuple[Points, NDArray[np.float64]]]:
            return start + i, work(start + i)

        done = as_completed(chunk, size, threads, stopped)
        yield from sorted(done, key=lambda chunk: chunk[0])


class _MoveWork:
    """One chunk of samples: their points for each move, and their weights.

    When the time is over, or nobody wants the result any more, it has fewer.
    """

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
        self.stopped = threading.Event()
        self.stake = seen.base << seen.robs
        self.hands_seed = child(sequence, HANDS)
        self.play_seed = child(sequence, PLAY)
        self.policies = resolve(policy, seen.rules.players, seen.landlord)
        self.codes = [one.code for one in self.policies if isinstance(one, BuiltIn)]

    def size(self, index: int) -> int:
        """Samples of this chunk."""
        return min(SAMPLES_A_CHUNK, self.n - index * SAMPLES_A_CHUNK)

    def __call__(self, index: int) -> tuple[Points, NDArray[np.float64]]:
        seen, size = self.knowledge.observation, self.size(index)
        points = np.empty((size, len(seen.legal_moves)), np.int64)
        if index and self.is_late():
            return points[:0], np.empty(0)
        hands = np.empty((size, seen.rules.players, 15), np.uint8)
        self.knowledge.hidden.fill(chunk_state(self.hands_seed, index), hands)
        weights = np.ones(size) if self.weight is None else checked_weights(self.weight, hands)
        if len(self.codes) == len(self.policies):
            position = self.knowledge.position
            assert position is not None
            state = chunk_state(self.play_seed, index)
            moves, done = seen.legal_moves, 0
            for start, stop in pieces(points.size, self.stopped, PLAYOUTS_A_PIECE):
                move_chunk(position, moves, self.codes, state, hands, points, start, stop)
                done = stop // len(moves)
                if (index or done) and self.is_late():
                    break
            return points[:done] * self.stake, weights[:done]
        for sample in range(size):
            seed = child(child(self.play_seed, index), sample)
            give_up = self.is_late if index or sample else self.stopped.is_set
            found = _points_in_python(self.knowledge, self.policies, hands[sample], seed, give_up)
            if found is None:
                return points[:sample], weights[:sample]
            points[sample] = found
        return points, weights

    def is_late(self) -> bool:
        """Whether no more samples are wanted."""
        return self.stopped.is_set() or time.monotonic() > self.deadline


# ---- policies in Python --------------------------------------------------------------------------


def _points_in_python(
    knowledge: Knowledge,
    policies: tuple[Policy, ...],
    hands: NDArray[np.uint8],
    seed: np.random.SeedSequence,
    give_up: Callable[[], bool],
) -> list[int] | None:
    """Points for each move of games that begin with these hands; None once they were given up."""
    seat = knowledge.observation.seat
    game = _game_of(knowledge, hands, np.random.Generator(np.random.PCG64(child(seed, HANDS))))
    branches = []
    for move in knowledge.observation.legal_moves:
        branch = game.copy()
        branch.play(move)
        # Every branch of a sample has the same random numbers.
        branches.append((branch, np.random.Generator(np.random.PCG64(child(seed, PLAY)))))
    shared = np.random.Generator(np.random.PCG64(child(seed, BATCHES)))
    playing = branches
    while playing := [pair for pair in playing if pair[0].turn is not None]:
        asked: dict[int, tuple[Any, list[tuple[Game, Observation]]]] = {}
        for branch, rng in playing:
            if give_up():
                return None
            turn = branch.turn
            assert turn is not None
            moves = branch.legal_moves()
            if len(moves) == 1:
                branch.play(moves[0])
                continue
            policy, seen = policies[turn], branch.observe(turn)
            if hasattr(policy, "batch"):
                asked.setdefault(id(policy), (policy, []))[1].append((branch, seen))
            else:
                branch.play(picked(policy(seen, moves, rng), moves))
        for policy, waiting in asked.values():
            chosen = picked_in_batch(policy, [seen for _, seen in waiting], shared)
            for (branch, _), move in zip(waiting, chosen, strict=True):
                branch.play(move)
    results = [branch.result for branch, _ in branches]
    return [result.points[seat] for result in results if result is not None]


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

    Whole numbers, as long as no weight is given, so that nothing is rounded below 2**53. Weights
    are counted in units of the largest one, so that their scale is of no matter.
    """

    def __init__(self, options: int) -> None:
        self.n = 0
        self.unit = 0.0
        self.weight = 0.0
        self.weight2 = 0.0
        self.first = {by: np.zeros(options) for by in MEASURES}
        # Of squared weights: the options, and the products of each two.
        self.single = {by: np.zeros(options) for by in MEASURES}
        self.product = {by: np.zeros((options, options)) for by in MEASURES}

    def add(self, points: Points, weights: NDArray[np.float64]) -> None:
        """Add samples, shape (samples, options)."""
        self.n += len(points)
        largest = float(weights.max(initial=0.0))
        if largest > self.unit:
            self._rescale(self.unit / largest)
            self.unit = largest
        if not self.unit:
            return
        weights = weights / self.unit
        self.weight += float(weights.sum())
        squared = weights * weights
        self.weight2 += float(squared.sum())
        measured: dict[Measure, NDArray[np.float64]] = {
            "score": points.astype(float),
            "win_rate": (points > 0).astype(float),
        }
        for by, values in measured.items():
            self.first[by] += weights @ values
            self.single[by] += squared @ values
            self.product[by] += values.T @ (squared[:, None] * values)

    def _rescale(self, factor: float) -> None:
        self.weight *= factor
        self.weight2 *= factor * factor
        for by in MEASURES:
            self.first[by] *= factor
            self.single[by] *= factor * factor
            self.product[by] *= factor * factor

    def _check_weights(self) -> None:
        if not self.weight:
            raise DdzError(f"the weights of all {self.n} samples are zero")

    @property
    def effective_size(self) -> float:
        """Kish's effective number of samples."""
        return self.weight**2 / self.weight2 if self.weight2 > 0 else 0.0

    def combined(self, by: Measure, factors: NDArray[np.float64]) -> tuple[Any, Any]:
        """Means and standard errors of combinations: `factors` has a row for each."""
        self._check_weights()
        means = factors @ (self.first[by] / self.weight)
        square = np.einsum("ki,ij,kj->k", factors, self.product[by], factors)
        variance = square - 2 * means * (factors @ self.single[by]) + means**2 * self.weight2
        return means, self._errors(variance)

    def _errors(self, variance: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.n < 2:
            return np.full(variance.shape, math.nan)
        correction = self.n / (self.n - 1)
        return np.asarray(np.sqrt(np.maximum(variance, 0) * correction) / self.weight)

    def each(self, by: Measure) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Means and standard errors of all options."""
        self._check_weights()
        means = self.first[by] / self.weight
        square = np.diagonal(self.product[by])
        variance = square - 2 * means * self.single[by] + means**2 * self.weight2
        return means, self._errors(variance)

    def behind(self, by: Measure, best: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The same of what each option has less than the best, by pairs."""
        first, single, product = self.first[by], self.single[by], self.product[by]
        means = (first - first[best]) / self.weight
        square = np.diagonal(product) - 2 * product[best] + product[best, best]
        variance = square - 2 * means * (single - single[best]) + means**2 * self.weight2
        return means, self._errors(variance)

    def is_clear(self, by: Measure, errors: float) -> bool:
        """Whether the best is that many standard errors ahead of all that differ from it."""
        if not self.weight:
            return False
        best = int(self.first[by].argmax())
        means, ses = self.behind(by, best)
        return bool(np.all((-means >= errors * ses) | (ses == 0)))

    def estimates(self, moves: list[Move], by: Measure) -> tuple[MoveEstimate, ...]:
        """The moves by falling mean."""
        rates, scores = self.each("win_rate"), self.each("score")
        means = self.each(by)[0]
        order = sorted(range(len(moves)), key=lambda i: (-means[i], i))
        behind = self.behind(by, order[0])
        return tuple(
            MoveEstimate(
                move=moves[i],
                win_rate=_rate(rates[0][i], rates[1][i], self.effective_size),
                score=_estimate(scores[0][i], scores[1][i]),
                difference=_estimate(behind[0][i], behind[1][i]),
            )
            for i in order
        )


# ---- bids ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SideEstimate:
    """What a hand is worth on one side.

    Attributes
    ----------
    win_rate : Rate
        How often its side won. For an average of several places `n` is the number of games as good
        as these, which have their deals in common.
    score : Estimate
        Its points at base 1, doublings included.
    """

    win_rate: Rate
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
    robber : SideEstimate or None
        As landlord with one rob more (003), on the same deals; None where there is none to make.
    seed : SeedSequence
        Repeats the evaluation exactly when given as `seed` again. ``==`` leaves it out.
    """

    hand: Hand
    rules: Rules
    robs: int
    samples: int
    landlord: SideEstimate
    peasants: tuple[SideEstimate, ...]
    peasant: SideEstimate | None
    robber: SideEstimate | None
    # It has no == of its own.
    seed: np.random.SeedSequence = field(compare=False)
    _sums: _Sums = field(repr=False, compare=False)

    @property
    def bids(self) -> tuple[Bid, ...]:
        """What may be bid for this hand at some time of the auction."""
        if self.rules.auction == "none":
            return ()
        if self.rules.auction != "call_rob":
            return (Bid.ONE, Bid.TWO, Bid.THREE)
        no_rob = bool(self.peasants) and self.robber is None
        return (Bid.CALL,) if no_rob else (Bid.CALL, Bid.ROB)

    def gain(
        self, bid: Bid | str | int, standing: int | None = None, holder: int | None = None
    ) -> Estimate:
        """What becoming the landlord with a bid brings more than leaving it to who bid before.

        It is ``bid * landlord - standing * peasant``: the mean points as landlord at base `bid`,
        less those as peasant at base `standing`, which is 0 where nobody has bid and the cards are
        dealt again. A rob (003) makes the landlord's points those of `robber`, with one rob more
        than the peasant's. The difference is taken deal by deal.

        Parameters
        ----------
        bid : Bid, str or int
            One of `bids`: ``1``, ``2``, ``3``, or where they are no numbers (003) ``"call"`` and
            ``"rob"``, which count 1.
        standing : int, optional
            The highest bid so far, below `bid`, at which its holder is landlord if nobody bids
            more; 0 by default. Where bids are no numbers it is 0 or 1, by default what the rules
            say: 1 for a rob, and for a call if the opener is landlord where nobody calls.
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
            A bid that the auction of these rules has not, or that is not above the standing one; no
            such seat; or a hand with the kitty in it, which is landlord already.
        TypeError
            A value of the wrong type.
        """
        made = Bid.parse(bid)
        others = len(self.peasants)
        if not others:
            raise DdzError("the hand has the kitty in it: it is the landlord's already")
        if made not in self.bids:
            names = " or ".join(map(str, self.bids))
            allowed = f"it must be {names}" if names else "none is made"
            after = f" after {self.robs} robs" if made == Bid.ROB and self.robs else ""
            raise DdzError(f"bid is {made}{after}; under rules {self.rules.name!r} {allowed}")
        numbers = made not in (Bid.CALL, Bid.ROB)
        base = int(made) if numbers else 1
        standing = self._standing(made, standing)
        if numbers and standing >= base:
            raise DdzError(f"bid is {base}; it must be above the standing bid, {standing}")
        if made == Bid.ROB and not standing:
            raise DdzError("standing is 0; a rob follows a call, which stands at 1")
        factors = np.zeros(len(self._sums.first["score"]))
        factors[-1 if made == Bid.ROB else 0] = base
        if holder is None:
            factors[1 : others + 1] = -standing / others
        else:
            factors[between(holder, "holder", 1, others)] = -standing
        means, errors = self._sums.combined("score", factors[None])
        return _estimate(means[0], errors[0])

    def _standing(self, bid: Bid, standing: int | None) -> int:
        if standing is not None:
            return between(standing, "standing", 0, 1 if bid in (Bid.CALL, Bid.ROB) else 3)
        if bid == Bid.CALL:
            return int(self.rules.nobody_bids == "first_is_landlord")
        return int(bid == Bid.ROB)

    def worthwhile(self, standing: int | None = None, holder: int | None = None) -> tuple[Bid, ...]:
        """The bids above `standing` with a positive mean `gain`, which may still be chance: see its
        standard error. Where bids are no numbers (003), a rob is among them if it pays after a
        call.

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
        if self.rules.auction == "call_rob":
            # No rob where nothing stands.
            bids = tuple(
                bid for bid in self.bids if bid != Bid.ROB or self._standing(bid, standing)
            )
        else:
            highest = 0 if standing is None else between(standing, "standing", 0, 3)
            bids = tuple(bid for bid in self.bids if bid > highest)
        return tuple(bid for bid in bids if self.gain(bid, standing, holder).mean > 0)

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values, for JSON.

        Returns
        -------
        dict
            ``hand``, ``rules`` (the name), ``robs``, ``samples``, ``landlord``, ``peasants``,
            ``peasant``, ``robber`` (each with ``win_rate`` and ``score``, of ``mean``, ``se`` and
            ``interval``), ``seed``.
        """

        def side(estimate: SideEstimate) -> dict[str, Any]:
            return {"win_rate": _shown(estimate.win_rate), "score": _shown(estimate.score)}

        return {
            "hand": str(self.hand),
            "rules": self.rules.name,
            "robs": self.robs,
            "samples": self.samples,
            "landlord": side(self.landlord),
            "peasants": [side(one) for one in self.peasants],
            "peasant": None if self.peasant is None else side(self.peasant),
            "robber": None if self.robber is None else side(self.robber),
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
    landlord, who takes up the kitty and leads; under call and rob (003) once more with the hand as
    the landlord's after one rob more.

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
    samples = between(n, "n", 1, MAX_SAMPLES)
    if not isinstance(hand, (Hand, str)):
        raise TypeError(f"hand must be a Hand or text, not {repr(hand)[:80]}")
    cards = Hand(hand)
    has_kitty = _check_hand(cards, chosen)
    robs = between(robs, "robs", 0, chosen.max_robs if chosen.auction == "call_rob" else 0)
    codes = built_in_codes(policy, 2, 0)
    n_threads(threads)
    sequence = seed_sequence(seed)
    unseen = np.repeat(np.arange(15, dtype=np.uint8), np.array(chosen.deck) - cards.counts)
    landlords = 1 if has_kitty else chosen.players
    may_rob = chosen.auction == "call_rob" and robs < chosen.max_robs and not has_kitty
    # The robs of each column of points; the last one is that of a rob more.
    stakes = np.array([robs] * landlords + [robs + 1] * may_rob)
    stopped = threading.Event()

    def chunk(index: int) -> Points:
        size = min(DEALS_A_CHUNK, samples - index * DEALS_A_CHUNK)
        points = np.empty((size, len(stakes)), np.int64)
        state, shoe = chunk_state(sequence, index), unseen.copy()
        for start, stop in pieces(size, stopped, DEALS_A_PIECE):
            part = points[start:stop]
            landlord_chunk(chosen, cards.packed, shoe, has_kitty, robs, codes, state, part)
        points <<= stakes
        return points

    sums = _Sums(len(stakes))
    for points in as_completed(chunk, -(-samples // DEALS_A_CHUNK), threads, stopped):
        sums.add(points, np.ones(len(points)))
    sides = _sides(sums, landlords)
    return BidEvaluation(
        hand=cards,
        rules=chosen,
        robs=robs,
        samples=sums.n,
        landlord=sides[0],
        peasants=tuple(sides[1:landlords]),
        peasant=None if has_kitty else sides[landlords],
        robber=sides[-1] if may_rob else None,
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


def _sides(sums: _Sums, landlords: int) -> list[SideEstimate]:
    """Each landlord, the average over those that leave the hand a peasant's, and the rest."""
    rows = np.eye(len(sums.first["score"]))
    if landlords > 1:
        rows = np.insert(rows, landlords, rows[1:landlords].mean(axis=0), axis=0)
    (rates, rate_errors), (scores, errors) = (
        sums.combined(by, rows) for by in ("win_rate", "score")
    )
    sides = []
    for i in range(len(rows)):
        games: float = sums.n
        spread = rates[i] * (1 - rates[i])
        if i == landlords > 2 and spread > ROUNDING and rate_errors[i] > 0:
            # As many games of their own as would have this standard error.
            games = max(games, float(spread / rate_errors[i] ** 2 + 1))
        win_rate = _rate(rates[i], rate_errors[i], games)
        sides.append(SideEstimate(win_rate, _estimate(scores[i], errors[i])))
    return sides
