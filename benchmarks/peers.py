"""OpenSpiel, RLCard and DouZero, each asked for moves and games in its own way."""

from __future__ import annotations

import importlib
import random
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np

import ddz_core as ddz

RANKS = "3456789TJQKA2BR"


def left_out(name: str, error: ImportError) -> None:
    """Say that something is not installed; not where the results go."""
    print(f"{name} is left out: {error}", file=sys.stderr)


class OpenSpiel:
    """Its chance actions 51 + id deal a card; the first one names who opens the bidding."""

    preset = "openspiel"

    def __init__(self) -> None:
        pyspiel = importlib.import_module("pyspiel")
        self.game = pyspiel.load_game("dou_dizhu")

    def opening(self, deal: np.ndarray) -> list[int]:
        """The actions up to seat 0's lead: who bids first, 51 cards, and the bid of 3."""
        suits = [0] * 15
        cards: list[list[int]] = []
        for hand in deal:
            cards.append([])
            for rank in range(15):
                for _ in range(hand[rank]):
                    cards[-1].append(13 * suits[rank] + rank if rank < 13 else 39 + rank)
                    suits[rank] += 1
        return [0, *(51 + cards[i % 3][i // 3] for i in range(51)), 3]

    def playing(self, deal: np.ndarray) -> Any:
        """The state in which seat 0, landlord by a bid of 3, leads."""
        return after(self.game, self.opening(deal))

    def leads(self, deals: np.ndarray) -> list[Any]:
        return [self.playing(deal) for deal in deals]

    def follows(self, deals: np.ndarray, lasts: list[ddz.Move]) -> list[Any]:
        states = self.leads(deals)
        for state, last in zip(states, lasts, strict=True):
            state.apply_action(self.action(state, last))
        return states

    def action(self, state: Any, move: ddz.Move) -> int:
        for action in state.legal_actions():
            text = state.action_to_string(0, action).replace("(BWJ)", "B").replace("(CJ)", "R")
            if ddz.Move.parse(text.replace("-", "+"), rules=self.preset) == move:
                return action
        raise LookupError(f"OpenSpiel does not list {move}")

    def knows(self, deal: np.ndarray, move: ddz.Move) -> bool:
        try:
            self.action(self.playing(deal), move)
        except LookupError:
            return False  # a chain that starts on a rank held four times
        return True

    def query(self, state: Any) -> int:
        return len(state.legal_actions())

    def starts(self, deals: np.ndarray) -> list[Any]:
        # Made before the clock runs: to turn a deal into its ids takes a sixth of a game's time.
        return [self.opening(deal) for deal in deals]

    def play(self, start: list[int], rng: random.Random) -> None:
        self.to_the_end(after(self.game, start), rng)

    def play_whole(self, rng: random.Random) -> None:
        # Its chance outcomes are equally likely, as legal moves are.
        self.to_the_end(self.game.new_initial_state(), rng)

    def to_the_end(self, state: Any, rng: random.Random) -> None:
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(rng.random() * len(actions))])


def after(game: Any, actions: list[int]) -> Any:
    """The state of an OpenSpiel game after these actions."""
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


class RLCard:
    preset = "rlcard"

    def __init__(self) -> None:
        self.judger = importlib.import_module("rlcard.games.doudizhu.judger").DoudizhuJudger
        self.utils = importlib.import_module("rlcard.games.doudizhu.utils")
        self.game = importlib.import_module("rlcard.games.doudizhu.game").DoudizhuGame
        self.card = importlib.import_module("rlcard.games.base").Card

    def leads(self, deals: np.ndarray) -> list[Any]:
        return [(text(deal[0]), None) for deal in deals]

    def follows(self, deals: np.ndarray, lasts: list[ddz.Move]) -> list[Any]:
        return [
            (
                SimpleNamespace(current_hand=self.hand(deal[1])),
                SimpleNamespace(played_cards=str(last.cards)),
            )
            for deal, last in zip(deals, lasts, strict=True)
        ]

    def hand(self, counts: np.ndarray) -> list[Any]:
        letters = text(counts)
        return [self.card(f"{c}J", "") if c in "BR" else self.card("S", c) for c in letters]

    def knows(self, deal: np.ndarray, move: ddz.Move) -> bool:
        return True

    def query(self, position: tuple[Any, Any]) -> int:
        # A lead is what RLCard works out once a game for each player, a follow once a turn.
        player, greater = position
        if greater is None:
            return len(self.judger.playable_cards_from_hand(player))
        return len(self.utils.get_gt_cards(player, greater))

    def starts(self, deals: np.ndarray) -> list[Any]:
        return list(deals)

    def play(self, start: Any, rng: random.Random) -> None:
        game = self.game()
        game.np_random = np.random.RandomState(rng.randrange(2**32))
        state, _ = game.init_game()
        while not game.is_over():
            state, _ = game.step(rng.choice(state["actions"]))

    def play_whole(self, rng: random.Random) -> None:
        self.play(None, rng)


class DouZero:
    preset = "douzero"
    seats = ("landlord", "landlord_down", "landlord_up")
    cards = (*range(3, 15), 17, 20, 30)

    def __init__(self) -> None:
        self.env = importlib.import_module("douzero.env.game").GameEnv

    def hand(self, counts: np.ndarray) -> list[int]:
        return [card for card, n in zip(self.cards, counts, strict=True) for _ in range(n)]

    def started(self, deal: np.ndarray, actor: Any = None) -> Any:
        game = self.env({seat: actor for seat in self.seats})
        data = {seat: self.hand(counts) for seat, counts in zip(self.seats, deal, strict=True)}
        game.card_play_init(data | {"three_landlord_cards": data["landlord"][:3]})
        return game

    def leads(self, deals: np.ndarray) -> list[Any]:
        return [self.started(deal) for deal in deals]

    def follows(self, deals: np.ndarray, lasts: list[ddz.Move]) -> list[Any]:
        games = []
        for deal, last in zip(deals, lasts, strict=True):
            game = self.started(deal, Fixed(self.hand(last.cards.counts)))
            game.step()
            games.append(game)
        return games

    def knows(self, deal: np.ndarray, move: ddz.Move) -> bool:
        return True

    def query(self, game: Any) -> int:
        return len(game.get_legal_card_play_actions())

    def starts(self, deals: np.ndarray) -> list[Any]:
        return list(deals)

    def play(self, start: np.ndarray, rng: random.Random) -> None:
        game = self.started(start, Random(rng))
        while not game.game_over:
            game.step()


class Fixed:
    def __init__(self, action: list[int]) -> None:
        self.action = action

    def act(self, infoset: Any) -> list[int]:
        return list(self.action)


class Random:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def act(self, infoset: Any) -> list[int]:
        return list(self.rng.choice(infoset.legal_actions))


def text(counts: np.ndarray) -> str:
    return "".join(letter * int(n) for letter, n in zip(RANKS, counts, strict=True))
