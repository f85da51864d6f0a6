"""What a seat sees: all that it may know, and nothing more; and the hint."""

from __future__ import annotations

import dataclasses
import gc
import pickle
import random
import types

import pytest
from game_helpers import PRESETS, cards_of, play_out, played
from helpers import core_rules

import ddz_core as ddz
from ddz_core.auction import Auction, Bid
from ddz_core.deal import Deal
from ddz_core.game import Game, Phase
from ddz_core.observation import Observation, hint

PLIES = (0, 1, 2, 5, 12, 30)


def some_game(name: str, seed: int, plies: int) -> Game:
    """A game in its auction (no plies), or so many plies into the play."""
    rng = random.Random(seed)
    game = Game(name, seed=seed)
    if plies:
        while game.phase == "auction":
            game.bid(rng.choice(game.legal_bids()[1:]))
    while game.phase == "play" and len(game.moves) < plies:
        game.play(rng.choice(game.legal_moves()))
    return game


# --- Nothing leads to another hand ----------------------------------------------------------------


def reachable(root: object) -> list[object]:
    """Everything that can be reached from an object: by the collector, by attributes, by items.

    Modules, types and code are the program, not the observation.
    """
    program = (
        types.ModuleType,
        type,
        types.FunctionType,
        types.BuiltinFunctionType,
        types.CodeType,
    )
    seen: dict[int, object] = {}
    todo = [root]
    while todo:
        value = todo.pop()
        if id(value) in seen or isinstance(value, (*program, ddz.Rules, Phase, Bid)):
            continue
        seen[id(value)] = value
        todo += gc.get_referents(value)
        if isinstance(value, (tuple, list, set, frozenset, ddz.MoveList)):
            todo += value
        if isinstance(value, (Observation, ddz.Move)):
            todo += [getattr(value, name) for name in dir(value) if not name.startswith("__")]
    return list(seen.values())


@pytest.mark.parametrize("name", PRESETS)
def test_no_other_hand_is_reachable(name):
    for plies in PLIES:
        game = some_game(name, plies, plies)
        for seat in range(game.rules.players):
            seen = game.observe(seat)
            found = reachable(seen)
            secrets = (Game, Auction, Deal, ddz.Position)
            assert not [value for value in found if isinstance(value, secrets)]
            plays = [move for _, move in game.moves]
            plays += [move for move in seen.legal_moves]
            may = {seen.hand, seen.unseen, seen.kitty, ddz.Hand()}
            for move in plays:
                may |= {move.cards, move.main, move.kickers}
            assert {value for value in found if isinstance(value, ddz.Hand)} <= may
            assert not hasattr(seen, "__dict__")


def without(cards: list[int], taken: list[int]) -> list[int]:
    return [card for card in cards if card not in taken]


def shuffled_behind(game: Game, seat: int, rng: random.Random) -> Game | None:
    """The same game, but with all cards dealt anew that this seat has not seen.

    Cards that were played keep their holder; the hand, the opener, the kitty if it is known, and a
    face-up card stay. None when nothing can change.
    """
    deal = game.deal
    landlord = game.landlord
    knows_kitty = game.observe(seat).kitty is not None
    played_ids: list[list[int]] = []
    for other in range(deal.players):
        held = [*deal.hands[other], *(deal.kitty if other == landlord else ())]
        gone = ddz.Hand()
        for author, move in game.moves:
            if author == other:
                gone += move.cards
        fixed = []
        for card in held:
            one = ddz.Hand.from_ids([card])
            if one <= gone:
                gone -= one
                fixed.append(card)
        played_ids.append(fixed)
    stay = {card for cards in played_ids for card in cards} | {deal.face_up}
    piles = [list(hand) for hand in deal.hands] + [list(deal.kitty), list(deal.undealt)]
    open_piles = [i for i in range(len(piles)) if i != seat]
    if knows_kitty:
        open_piles.remove(deal.players)
    pool = [card for i in open_piles for card in piles[i] if card not in stay]
    before = list(pool)
    rng.shuffle(pool)
    if pool == before:
        return None
    for i in open_piles:
        piles[i] = [card if card in stay else pool.pop() for card in piles[i]]
    *hands, kitty, undealt = piles
    made = dataclasses.replace(
        deal, hands=tuple(map(tuple, hands)), kitty=tuple(kitty), undealt=tuple(undealt)
    )
    other = Game(game.rules, deal=made)
    for _, bid in game.bids:
        other.bid(bid)
    for _, move in game.moves:
        other.play(move)
    return other


@pytest.mark.parametrize("name", PRESETS)
def test_a_seat_cannot_tell_hidden_cards_apart(name):
    """Whatever the hidden cards are, the observation is the same to the last byte."""
    changed = 0
    for plies in PLIES:
        game = some_game(name, plies + 100, plies)
        for seat in range(game.rules.players):
            seen = game.observe(seat)
            rng = random.Random(plies)
            for _ in range(3):
                other = shuffled_behind(game, seat, rng)
                if other is None or other.hands == game.hands:
                    continue
                changed += 1
                theirs = other.observe(seat)
                assert theirs == seen
                assert hash(theirs) == hash(seen)
                assert repr(theirs) == repr(seen)
                assert pickle.dumps(theirs) == pickle.dumps(seen)
                assert hint(theirs) == hint(seen)
    assert changed > 20


# --- What is there --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_the_card_counter_holds_all_that_is_neither_held_nor_played(name):
    for plies in PLIES:
        game = some_game(name, plies + 7, plies)
        for seat in range(game.rules.players):
            seen = game.observe(seat)
            total = [
                int(a) + int(b) for a, b in zip(seen.unseen.counts, seen.hand.counts, strict=True)
            ]
            for _, move in seen.moves:
                total = [a + int(b) for a, b in zip(total, move.cards.counts, strict=True)]
            assert tuple(total) == game.rules.deck


def test_the_duels_counter_includes_the_nine_undealt_cards():
    """003: "Darin sind die 9 nicht verteilten Karten enthalten"."""
    game = Game("duel", seed=1)
    assert len(game.observe(0).unseen) == 46 - 17
    game.bid("call")
    game.bid("pass")
    landlord = game.landlord
    assert len(game.observe(landlord).unseen) == 17 + 9
    assert len(game.observe(1 - landlord).unseen) == 20 + 9


def test_the_kitty_is_unknown_in_the_auction():
    for name in ("standard", "pagat", "duel", "four_player"):
        game = Game(name, seed=2)
        assert game.kitty is None
        assert all(game.observe(seat).kitty is None for seat in range(game.rules.players))


def test_the_shown_kitty_stays_known_when_it_is_played():
    game = played("standard", {0: "3", "kitty": "777"}, "3", "777")
    for seat in range(3):
        assert str(game.observe(seat).kitty) == "777"


@pytest.mark.parametrize("name", PRESETS)
def test_only_the_seat_to_act_has_moves(name):
    for plies in PLIES:
        game = some_game(name, plies + 3, plies)
        for seat in range(game.rules.players):
            seen = game.observe(seat)
            acts = len(seen.legal_moves) + len(seen.legal_bids)
            assert (acts > 0) == (seat == game.turn)


@pytest.mark.parametrize("name", PRESETS)
def test_an_observation_is_a_value(name):
    game = some_game(name, 5, 12)
    seen = game.observe(0)
    assert pickle.loads(pickle.dumps(seen)) == seen == game.observe(0)
    with pytest.raises((dataclasses.FrozenInstanceError, TypeError)):
        seen.hand = ddz.Hand("3")
    before = cards_of(seen.hand), seen.moves
    play_out(game, random.Random(1))
    assert (cards_of(seen.hand), seen.moves) == before


@pytest.mark.parametrize("bad", [-1, 3, 99])
def test_there_is_no_such_seat(bad):
    with pytest.raises(ddz.DdzError, match=str(bad)):
        Game("standard", seed=1).observe(bad)


@pytest.mark.parametrize("bad", [None, "0", 1.0])
def test_a_seat_is_a_number(bad):
    with pytest.raises(TypeError, match="seat"):
        Game("standard", seed=1).observe(bad)


# --- Hints ----------------------------------------------------------------------------------------


def best(name: str, hands: dict[int | str, str], moves: str) -> str:
    words = "call pass" if name == "duel" else "3"
    game = played(name, hands, words, moves)
    return str(hint(game.observe(game.turn))[0])


@pytest.mark.parametrize("name", PRESETS)
def test_hints_are_the_legal_moves_in_another_order(name):
    for plies in PLIES:
        game = some_game(name, plies + 50, plies)
        for seat in range(game.rules.players):
            seen = game.observe(seat)
            moves = hint(seen)
            assert sorted(map(str, moves)) == sorted(map(str, seen.legal_moves))
            assert moves == hint(seen)


@pytest.mark.parametrize("name", PRESETS)
def test_a_move_that_wins_comes_first(name):
    won = 0
    for seed in range(30):
        game = some_game(name, seed, 12)
        while game.phase == "play":
            seen = game.observe(game.turn)
            moves = hint(seen)
            goal = 0 if seen.seat == seen.landlord else seen.handicap
            wins = [m for m in moves if m != ddz.Move.PASS and len(seen.hand - m.cards) <= goal]
            assert set(moves[: len(wins)]) == set(wins)
            won += bool(wins)
            game.play(random.Random(seed).choice(game.legal_moves()))
    assert won > 10


def test_who_beats_the_hint_of_a_random_player():
    """A landlord who follows the hint wins far more often than a random one."""

    def wins(clever: bool) -> int:
        total = 0
        for seed in range(60):
            rng = random.Random(seed)
            game = Game("standard", seed=seed)
            game.bid(3)
            while game.phase == "play":
                moves = game.legal_moves()
                if clever and game.turn == game.landlord:
                    moves = hint(game.observe(game.turn))[:1]
                game.play(rng.choice(moves))
            total += game.result.landlord_won
        return total

    assert wins(True) >= wins(False) + 15


def test_the_partners_high_play_is_left_alone():
    """000: "Hat die Partnerin oder der Partner bereits eine große Karte investiert, um den
    Grundbesitzer zu stoppen, sticht man die eigene Seite nicht"."""
    assert best("standard", {0: "3", 1: "K", 2: "2A"}, "3 K") == "pass"


def test_a_landlord_about_to_go_out_is_stopped():
    """004: he has two cards left."""
    hands = {0: "33444555666777888", "kitty": "TTJ", 1: "QQQQ"}
    moves = "444555666777888 pass pass 3 pass pass 3 pass pass T"
    assert best("standard", hands, moves) != "pass"


def test_no_bomb_is_spent_on_a_small_single():
    assert best("standard", {0: "3", 1: "44446789TJQKKA22B"}, "3") == "6"


def test_a_hint_at_no_turn_is_empty():
    game = Game("standard", seed=1)
    assert hint(game.observe(0)) == ()
    assert core_rules("standard") == game.rules


@pytest.mark.parametrize("name", ["pagat", "standard"])
def test_everybody_has_seen_the_face_up_card(name):
    game = ddz.Game(name, seed=1)
    assert (game.deal.face_up is None) == (name == "standard")
    assert {game.observe(seat).face_up for seat in range(3)} == {game.deal.face_up}
