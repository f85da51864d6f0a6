"""Many random games of every preset through `Game`, each checked from its own moves.

    python benchmarks/random_games.py [--games 100000] [--jobs 2] [--presets a,b] [--speed]

Bids and moves are drawn uniformly among the legal ones; but in a quarter of the games one side
passes whenever it may (springs), and in an eighth the bidders mostly pass (redeals). After each
game the script works out from the deal, the bids and the moves alone where every card is, who won,
and what that scores; of one game in a hundred it also takes everything back and plays it again, and
checks what each seat saw. A difference is printed and makes the exit code 1. With --speed nothing
is checked, all is drawn uniformly, and the games per second are those of the API alone.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor

import ddz_core as ddz
from ddz_core.auction import Bid
from ddz_core.game import Game, Phase, Result

PRESETS = (
    "standard",
    "club",
    "pagat",
    "casual",
    "duel",
    "four_player",
    "rlcard",
    "douzero",
    "openspiel",
    "botzone",
)
CHUNK = 2500
DEEP = 100  # one game in so many is also taken back and looked at
SHOWN = 5
AUCTION, PLAY, OVER = Phase
# How shy bidders are, and which side is idle, in the first of each eight games.
ODD = ((0.97, None), (0.0, True), (0.0, False))


def play(game: Game, rng: random.Random) -> None:
    """Random bids and moves to the end."""
    draw = rng.random
    while game.phase is AUCTION:
        bids = game.legal_bids()
        game.bid(bids[int(draw() * len(bids))])
    while game.phase is PLAY:
        moves = game.legal_moves()
        game.play(moves[int(draw() * len(moves))])


def play_oddly(game: Game, rng: random.Random, shyness: float, idle: bool | None) -> None:
    """The same with bidders who mostly pass, or a side (True: the landlord) that does."""
    while game.phase is AUCTION:
        bids = game.legal_bids()
        game.bid(bids[0] if rng.random() < shyness else rng.choice(bids))
    while game.phase is PLAY:
        moves = game.legal_moves()
        may_pass = moves[0].n_cards == 0
        passes = may_pass and idle is (game.turn == game.landlord)
        game.play(moves[0] if passes else rng.choice(moves))


# --- What must hold, from deal, bids and moves alone ----------------------------------------------


def differences(game: Game) -> Iterator[str]:
    """What is wrong with a finished game."""
    result = game.result
    if game.phase is not OVER or game.turn is not None or result is None:
        yield f"not over: {game!r}"
        return
    if sum(result.points):
        yield f"points {result.points} do not sum to zero"
    yield from auction_differences(game)
    if result.void:
        yield from void_differences(game, result)
        return
    deck = ddz.Hand.from_counts(game.rules.deck).packed
    heap = sum(move.cards.packed for _, move in game.moves)
    if sum(hand.packed for hand in game.hands) + heap + game.deal.undealt_cards.packed != deck:
        yield "cards are lost or doubled"
    yield from goal_differences(game, result)
    expected = score(game, result)
    found = {name: getattr(result, name) for name in expected}
    if found != expected:
        yield f"scored {found}, expected {expected}"


def void_differences(game: Game, result: Result) -> Iterator[str]:
    if any(bid is not Bid.PASS for _, bid in game.bids) or any(result.points) or game.moves:
        yield f"a void deal with bids, moves or points: {game!r}"


def has_ended(rules: ddz.Rules, bids: list[Bid]) -> bool:
    """Whether an auction is over after these bids."""
    spoken = [bid for bid in bids if bid is not Bid.PASS]
    passes = next((i for i, bid in enumerate(reversed(bids)) if bid is not Bid.PASS), len(bids))
    if not spoken:
        return len(bids) == rules.players
    if rules.auction == "call_rob":
        return passes == 1 or spoken.count(Bid.ROB) == rules.max_robs
    if spoken[-1] is Bid.THREE:
        return True
    return len(bids) == rules.players if rules.auction == "once" else passes == rules.players - 1


def are_in_order(rules: ddz.Rules, bids: list[Bid]) -> bool:
    """Whether each bid but a pass may follow those before it."""
    spoken = [bid for bid in bids if bid is not Bid.PASS]
    if rules.auction == "call_rob":
        return spoken == [Bid.CALL, *[Bid.ROB] * (len(spoken) - 1)][: len(spoken)]
    return all(bid <= Bid.THREE for bid in spoken) and spoken == sorted(set(spoken))


def auction_differences(game: Game) -> Iterator[str]:
    """Each auction goes round, in order and to its end; only the last deal's has a bid."""
    rules = game.rules
    if rules.auction == "none":
        if game.auctions != ((),):
            yield f"bids without an auction: {game.auctions}"
        return
    for deal, auction in zip(game.deals, game.auctions, strict=True):
        seats = [(deal.opener + i) % rules.players for i in range(len(auction))]
        bids = [bid for _, bid in auction]
        early = [i for i in range(len(bids)) if has_ended(rules, bids[:i])]
        if [seat for seat, _ in auction] != seats or early or not has_ended(rules, bids):
            yield f"auction {auction} goes wrong or ends at the wrong time"
        if not are_in_order(rules, bids):
            yield f"auction {auction} has a bid that is not allowed"
        passed_out = all(bid is Bid.PASS for bid in bids)
        forced = passed_out and game.redeals == rules.max_redeals
        redealt = deal is not game.deal
        if rules.nobody_bids == "redeal" and passed_out != redealt and not forced:
            yield f"auction {auction} should (not) have led to a redeal"
    if game.redeals > (rules.max_redeals if rules.max_redeals is not None else game.redeals):
        yield f"{game.redeals} redeals"


def goal_differences(game: Game, result: Result) -> Iterator[str]:
    """Only the winner is at his goal, and his play was the last."""
    done = [
        seat
        for seat, hand in enumerate(game.hands)
        if len(hand) <= (0 if seat == result.landlord else result.robs)
    ]
    if done != [result.winner] or game.moves[-1][0] != result.winner:
        yield f"at their goal are {done}, the last play is seat {game.moves[-1][0]}'s"


def score(game: Game, result: Result) -> dict[str, object]:
    """The result worked out anew."""
    rules, moves, players = game.rules, game.moves, game.rules.players
    landlord = expected_landlord(game)
    plays = [(seat, ply) for ply, (seat, move) in enumerate(moves) if move.n_cards]
    stood = [
        (seat, ply)
        for (seat, ply), (_, after) in zip(plays, [*plays[1:], (0, len(moves))], strict=True)
        if after - ply == players or after == len(moves)
    ]
    kinds = Counter(move.kind for _, move in moves)
    big = sum(
        move.kind == ddz.Kind.BOMB and move.n_cards >= rules.doubling_bomb_size for _, move in moves
    )
    robs = sum(bid is Bid.ROB for _, bid in game.bids)
    doublings = robs
    if rules.bombs_double:
        doublings += big + kinds[ddz.Kind.ROCKET]
    counted = stood if rules.spring == "standing" else plays
    won = moves[-1][0] == landlord
    spring = won and all(seat == landlord for seat, _ in counted)
    anti_spring = not won and all(seat != landlord or ply == 0 for seat, ply in counted)
    if rules.spring == "none":
        spring = anti_spring = False
    numbers = [int(bid) for _, bid in game.bids if bid in (Bid.ONE, Bid.TWO, Bid.THREE)]
    stake = max(numbers, default=1) * 2 ** (doublings + spring + anti_spring)
    side = stake if won else -stake
    return {
        "winner": moves[-1][0],
        "landlord": landlord,
        "landlord_won": won,
        "bombs": kinds[ddz.Kind.BOMB],
        "rockets": kinds[ddz.Kind.ROCKET],
        "robs": robs,
        "spring": spring,
        "anti_spring": anti_spring,
        "stake": stake,
        "points": tuple(
            side * (players - 1) if seat == landlord else -side for seat in range(players)
        ),
    }


def expected_landlord(game: Game) -> int:
    """Whoever made the last bid that was no pass, or the opener."""
    bidders = [seat for seat, bid in game.bids if bid is not Bid.PASS]
    return bidders[-1] if bidders else game.deal.opener


def deep_differences(game: Game) -> Iterator[str]:
    """Back to the deal and forth again; and what the seats see on the way."""
    wanted, actions, twin = game.hands, game.actions, game.copy()
    for _ in actions:
        twin.undo()
    if twin.redeals or twin != Game(game.rules, deal=game.deals[0]):
        yield "undo does not lead back to the deal"
    deck = ddz.Hand.from_counts(game.rules.deck).packed
    heap = 0
    for place, (seat, action) in enumerate(actions):
        if twin.turn != seat:
            yield f"action {place} is seat {seat}'s, but the turn is {twin.turn}"
        if isinstance(action, Bid):
            twin.bid(action)
            continue
        twin.play(action)
        heap += action.cards.packed
        if place % 8 == 0:
            seen = twin.observe(seat)
            if seen.unseen.packed + seen.hand.packed + heap != deck:
                yield f"the card counter of seat {seat} is wrong after action {place}"
    if twin != game or twin.hands != wanted or twin.result != game.result:
        yield "the game played again differs"


# --- Many games -----------------------------------------------------------------------------------


def chunk(job: tuple[str, int, int, bool]) -> tuple[str, int, float, Counter[str], list[str]]:
    """Some games of one preset: how many, seconds, what they met, and what was wrong."""
    name, first, games, checked = job
    rules = ddz.Rules.preset(name)
    rng = random.Random(f"{name} {first}")
    met: Counter[str] = Counter()
    wrong: list[str] = []
    start = time.perf_counter()
    for seed in range(first, first + games):
        game = Game(rules, seed=seed)
        if checked and seed % 8 < len(ODD):
            play_oddly(game, rng, *ODD[seed % 8])
        else:
            play(game, rng)
        if not checked:
            continue
        found = list(differences(game))
        if seed % DEEP == 0:
            found += deep_differences(game)
        wrong += [f"{name}, seed {seed}: {text}" for text in found]
        result = game.result
        met.update(
            plies=len(game.moves),
            landlord=bool(result.landlord_won),
            void=result.void,
            redealt=result.redeals > 0,
            forced=game._auctions[-1].nobody_bid and not result.void,
            bombs=result.bombs,
            rockets=result.rockets,
            robs=result.robs,
            springs=result.spring,
            anti_springs=result.anti_spring,
        )
    return name, games, time.perf_counter() - start, met, wrong


def run(name: str, games: int, checked: bool, mapper: Callable[..., Iterator[object]]) -> int:
    jobs = [(name, first, min(CHUNK, games - first), checked) for first in range(0, games, CHUNK)]
    total, seconds = 0, 0.0
    met: Counter[str] = Counter()
    wrong: list[str] = []
    for _, done, took, found, texts in mapper(chunk, jobs):
        total += done
        seconds += took
        met += found
        wrong += texts
    items = ", ".join(f"{key} {value}" for key, value in met.items() if value)
    print(
        f"{name:12} {total:>8} games, {total / seconds:,.0f}/s a core, {len(wrong)} wrong; {items}"
    )
    for text in wrong[:SHOWN]:
        print("  ", text)
    sys.stdout.flush()
    return len(wrong)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100_000, help="of each preset")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--presets", default=",".join(PRESETS))
    parser.add_argument("--speed", action="store_true", help="check nothing")
    options = parser.parse_args()
    wrong = 0
    with ProcessPoolExecutor(options.jobs) as executor:
        for name in options.presets.split(","):
            wrong += run(name, options.games, not options.speed, executor.map)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
