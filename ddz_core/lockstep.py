"""Games that policies written in Python play: many side by side, so that batches are large."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from ddz_core._simulate import GIVE_UP, DealStream
from ddz_core.auction import Auction
from ddz_core.deal import Deal
from ddz_core.errors import DdzError
from ddz_core.game import AUCTION, Game
from ddz_core.plan import BATCH_NUMBERS, BLOCK, POLICY_NUMBERS, Stopped
from ddz_core.policies import built_in, picked, picked_in_batch
from ddz_core.seeds import child
from ddz_core.tallies import new_counts, parts_of

if TYPE_CHECKING:
    import threading

    from numpy.typing import NDArray

    from ddz_core.observation import Observation
    from ddz_core.plan import OnePolicy, Plan
    from ddz_core.rules import Rules

__all__ = ["StreamedGame", "play_deals"]

RULE = built_in("rule").code


class StreamedGame(Game):
    """A game whose deals come from the simulation's stream, and whose landlord may be given."""

    __slots__ = ("_stream",)

    def __init__(self, rules: Rules, stream: DealStream, landlord: int | None) -> None:
        self._stream = stream
        deal = _next_deal(rules, stream)
        if landlord is not None:
            deal = dataclasses.replace(deal, opener=landlord, face_up=None)
        super().__init__(rules, deal=deal)

    def _redeal(self) -> None:
        if self.redeals == GIVE_UP:
            raise DdzError(f"nobody bid in {GIVE_UP} deals in a row: these policies never bid")
        new = _next_deal(self._rules, self._stream)
        self._auctions.append(Auction(self._rules, new.opener))
        self._deals.append(new)

    @property
    def is_forced(self) -> bool:
        """Whether the landlord was found by an auction in which nobody bid."""
        return self._position is not None and self._auctions[-1].nobody_bid

    @property
    def has_choice(self) -> bool:
        """Whether the seat whose turn it is to play has more than one legal move."""
        return self._position is not None and self._position.count_legal_moves() > 1

    def play_built_in(self, policy: int) -> None:
        """Play the move of a policy of the core."""
        if self._position is not None:
            self.play(self._stream.move(self._position, policy))

    def bid_built_in(self, policy: int) -> None:
        """Bid as a policy of the core does."""
        legal = sum(1 << bid for bid in self.legal_bids())
        self.bid(self._stream.bid(self.hands[self._auctions[-1].turn or 0], policy, legal))


def _next_deal(rules: Rules, stream: DealStream) -> Deal:
    hands, kitty, undealt, opener, face_up = stream.next_deal()
    return Deal._trusted(
        tuple(tuple(sorted(hand)) for hand in hands),
        tuple(sorted(kitty)),
        tuple(sorted(undealt)),
        opener,
        face_up,
        rules.packs,
        rules.lowest_rank,
    )


class _Table:
    """One deal, and whose turn it is."""

    def __init__(
        self,
        plan: Plan,
        rules: Rules,
        number: int,
        stream: DealStream,
        stopped: threading.Event | None,
    ) -> None:
        self.game = StreamedGame(rules, stream, plan.landlord)
        self._plan = plan
        self._number = number
        self._stopped = stopped
        self._rng: np.random.Generator | None = None

    @property
    def rng(self) -> np.random.Generator:
        """The deal's own numbers, for policies that are asked one by one."""
        if self._rng is None:
            seed = child(self._plan.seed, POLICY_NUMBERS, self._number)
            self._rng = np.random.Generator(np.random.PCG64(seed))
        return self._rng

    def advance(self) -> tuple[Any, Observation] | None:
        """Go on until a batched policy must be asked, which is returned with what it sees; None
        once the game is over."""
        game, seats = self.game, self._plan.seats
        while (seat := game.turn) is not None:
            if game.phase is AUCTION:
                self._bid(seats.bids_by[seat], seat)
                continue
            mine = seats.as_landlord if seat == game.landlord else seats.as_peasant
            policy = mine[seat]
            if isinstance(policy, int):
                game.play_built_in(policy)
            elif not game.has_choice:
                game.play(game.legal_moves()[0])
            else:
                self._check_stopped()
                seen = game.observe(seat)
                if hasattr(policy, "batch"):
                    return policy, seen
                game.play(picked(policy(seen, seen.legal_moves, self.rng), seen.legal_moves))
        return None

    def _bid(self, policy: OnePolicy, seat: int) -> None:
        if isinstance(policy, int):
            self.game.bid_built_in(policy)
        elif (bid := getattr(policy, "bid", None)) is None:
            self.game.bid_built_in(RULE)
        else:
            self._check_stopped()
            seen = self.game.observe(seat)
            bids = seen.legal_bids
            self.game.bid(picked(bid(seen, bids, self.rng), bids, "bid"))

    def _check_stopped(self) -> None:
        if self._stopped is not None and self._stopped.is_set():
            raise Stopped


def play_deals(
    plan: Plan, first: int, stop: int, stopped: threading.Event | None
) -> NDArray[np.int64]:
    """Play the deals with these numbers side by side and count what came out."""
    options = plan.options
    rules = plan.rules
    if plan.landlord is not None:
        # What players see must be a game that can be: the first speaker is the landlord unasked.
        rules = rules.replace(auction="none")
    keys = {
        block: plan.block_key(block) for block in range(first // BLOCK, (stop - 1) // BLOCK + 1)
    }
    counts = new_counts()
    rng = np.random.Generator(np.random.PCG64(child(plan.seed, BATCH_NUMBERS, first)))
    playing = []
    for number in range(first, stop):
        block, place = divmod(number, BLOCK)
        stream = DealStream(rules, options, keys[block], number, place)
        table = _Table(plan, rules, number, stream, stopped)
        if plan.seats.batched:
            playing.append(table)
        else:
            table.advance()
            _count(table.game, counts)
    while playing:
        asked: dict[int, tuple[Any, list[tuple[_Table, Observation]]]] = {}
        for table in playing:
            question = table.advance()
            if question is None:
                _count(table.game, counts)
            else:
                policy, seen = question
                asked.setdefault(id(policy), (policy, []))[1].append((table, seen))
        playing = [table for table in playing if table.game.turn is not None]
        for policy, waiting in asked.values():
            moves = picked_in_batch(policy, [seen for _, seen in waiting], rng)
            for (table, _), move in zip(waiting, moves, strict=True):
                table.game.play(move)
    return counts


def _count(game: StreamedGame, counts: NDArray[np.int64]) -> None:
    """Add a finished game."""
    parts, result = parts_of(counts), game.result
    if result is None:
        raise DdzError("the game is not over")
    parts["deals"] += 1
    parts["redeals"][min(result.redeals, len(parts["redeals"]) - 1)] += 1
    parts["all_redeals"] += result.redeals
    for auction in game.auctions:
        for _, bid in auction:
            parts["bids"][bid] += 1
    if result.landlord is None or result.winner is None:
        parts["void"] += 1
        return
    doublings = result.multiplier.bit_length() - 1
    parts["forced"] += game.is_forced
    parts["outcomes"][
        result.landlord, int(bool(result.landlord_won)), result.base - 1, doublings
    ] += 1
    parts["out_first"][result.winner] += 1
    parts["plies"][len(game.moves)] += 1
    parts["bombs"][result.bombs] += 1
    parts["rockets"][result.rockets] += 1
    parts["springs"] += result.spring
    parts["anti_springs"] += result.anti_spring
    parts["robs"][result.robs] += 1
    for _, move in game.moves:
        parts["kinds"][move.kind] += 1
