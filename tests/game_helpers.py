"""What the tests of whole games share: games of chosen cards, and everything a game shows."""

from __future__ import annotations

import random
from collections.abc import Iterable

import oracle
from game_model import Dealt, GameModel
from helpers import oracle_move
from oracle import Cards

import ddz_core as ddz
from ddz_core.auction import Bid
from ddz_core.deal import Deal, deal
from ddz_core.game import Game

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
# What no auction takes, as whatever a program may hand over.
NO_BIDS = ("xyz", "", "4", "0", "pass pass", "1.0", "-1", "n", "叫", 6, -1, 99, "THREE", "none")
NO_BID_TYPES = (None, 1.0, True, [], b"1", object())


def game_of(
    rules: str | ddz.Rules, hands: dict[int | str, str], *, opener: int = 0, seed: int = 0
) -> Game:
    """A game in which these cards are held (the kitty by the name "kitty")."""
    return Game(rules, deal=deal(rules, seed, fixed=hands, opener=opener))


def played(
    rules: str | ddz.Rules,
    hands: dict[int | str, str],
    bids: str,
    moves: str,
    *,
    opener: int = 0,
    seed: int = 0,
) -> Game:
    """The same after these bids and moves, given as words."""
    game = game_of(rules, hands, opener=opener, seed=seed)
    for bid in bids.split():
        game.bid(bid)
    for move in moves.split():
        game.play(move)
    return game


def play_out(game: Game, rng: random.Random) -> Game:
    """The game played to its end by random bids and moves."""
    while game.turn is not None:
        if game.phase == "auction":
            game.bid(rng.choice(game.legal_bids()))
        else:
            game.play(rng.choice(game.legal_moves()))
    return game


def counts(cards: Iterable[int]) -> Cards:
    """15 counts of suited cards, worked out on our own."""
    ranks = [c // 4 if c < 52 else c - 39 for c in (card % 54 for card in cards)]
    return tuple(ranks.count(rank) for rank in range(15))


def dealt(made: Deal) -> Dealt:
    """A deal in the model's words."""
    return Dealt(tuple(map(counts, made.hands)), counts(made.kitty), made.opener)


def cards_of(hand: ddz.Hand | None) -> Cards | None:
    return None if hand is None else tuple(hand.counts.tolist())


def model_of(name: str, game: Game) -> GameModel:
    """The model of a game that has just begun; it is told of each redeal by the game's own list."""
    return GameModel(name, lambda redeals: dealt(game.deals[redeals]))


def compare(game: Game, model: GameModel) -> None:
    """Everything that the game shows is what the model works out."""
    seats = range(model.table.players)
    hands = model.hands
    assert game.phase == model.phase
    assert game.turn == model.turn
    assert game.landlord == model.landlord
    assert game.redeals == model.redeals
    assert [[(s, str(b)) for s, b in bids] for bids in game.auctions] == model.auctions()
    assert [(s, str(b)) for s, b in game.bids] == model.auctions()[-1]
    assert [str(bid) for bid in game.legal_bids()] == list(model.talk.words)
    assert (game.base, game.robs) == (model.base, model.talk.robs)
    assert (game.handicap, game.multiplier) == (model.handicap, model.multiplier())
    assert [(s, oracle_move(m)) for s, m in game.moves] == model.story
    assert [cards_of(hand) for hand in game.hands] == hands
    assert cards_of(game.kitty) == model.kitty_for(None)
    legal = {oracle_move(move) for move in game.legal_moves()}
    assert legal == set(model.legal)
    assert len(legal) == len(game.legal_moves())
    result = game.result
    expected = model.result()
    assert (result is None) == (expected is None)
    if result is not None and expected is not None:
        assert {name: getattr(result, name) for name in expected} == expected
        assert sum(result.points) == 0
        assert result.void == (model.winner is None)
    check_conservation(game)
    for seat in seats:
        compare_view(game, model, hands, seat)


def compare_view(game: Game, model: GameModel, hands: list[Cards], seat: int) -> None:
    """The seat sees what the model says, from the public facts on."""
    seen = game.observe(seat)
    last = model.to_beat
    assert seen.seat == seat
    assert (seen.rules, seen.phase, seen.turn) == (game.rules, model.phase, model.turn)
    assert cards_of(seen.hand) == hands[seat]
    assert cards_of(seen.kitty) == model.kitty_for(seat)
    assert cards_of(seen.unseen) == model.unseen(seat)
    assert seen.cards_left == tuple(map(sum, hands))
    assert (seen.landlord, seen.redeals) == (model.landlord, model.redeals)
    assert (seen.bids, seen.moves) == (game.bids, game.moves)
    assert (seen.last and oracle_move(seen.last)) == (last and last[1])
    assert seen.last_seat == (last and last[0])
    assert seen.passes == model.passes
    assert (seen.base, seen.robs, seen.handicap) == (model.base, model.talk.robs, model.handicap)
    assert seen.multiplier == model.multiplier()
    mine = model.turn == seat
    assert seen.legal_bids == (game.legal_bids() if mine else ())
    assert list(seen.legal_moves) == (list(game.legal_moves()) if mine else [])


def check_conservation(game: Game) -> None:
    """Every card of the deck is in one place: a hand, the table's heap, the kitty or undealt."""
    total = [0] * 15
    piles = [*game.hands, *(move.cards for _, move in game.moves), game.deal.undealt_cards]
    if game.landlord is None:
        piles.append(game.deal.kitty_cards)
    for pile in piles:
        total = [a + int(b) for a, b in zip(total, pile.counts, strict=True)]
    assert tuple(total) == game.rules.deck


def everything(game: Game) -> tuple[object, ...]:
    """All that a game shows or hides, to compare before and after."""
    views = tuple(game.observe(seat) for seat in range(game.rules.players))
    position = game.position
    return (
        views,
        game.phase,
        game.turn,
        game.deals,
        game.auctions,
        game.bids,
        game.redeals,
        game.landlord,
        game.base,
        game.robs,
        game.handicap,
        game.multiplier,
        game.kitty,
        game.moves,
        game.hands,
        game.actions,
        game.legal_bids(),
        tuple(game.legal_moves()),
        game.result,
        repr(game),
        position and (position.to_string(), position.ply, position.key),
    )


def bid_of(word: str) -> Bid:
    return Bid.parse(word)


def texts(moves: Iterable[oracle.Move]) -> list[str]:
    return [oracle.move_text(move) for move in moves]
