"""ddz_core's game in OpenSpiel: a linear agent learns on it, and OpenSpiel's own IS-MCTS plays it.

The value of a play is a weight for each rank that it plays and for how many cards these are, with
weights of their own for the landlord and the peasants. With a few simulations a move IS-MCTS is no
strong player; the point is that it runs, which it cannot on OpenSpiel's own dou_dizhu.
"""

from __future__ import annotations

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import ddz_core.interop.openspiel  # noqa: F401 (registers the game)

RANKS = "3456789TJQKA2BR"


def any_action(state, rng):
    """What chance does, or any legal action."""
    if state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        return rng.choice(outcomes, p=weights)
    return rng.choice(state.legal_actions())


def features(state, actions):
    """A row for each action: the cards of each rank, how many, and whether it passes."""
    player = state.current_player()
    texts = [state.action_to_string(player, action) for action in actions]
    counts = np.array([[text.count(rank) for rank in RANKS] for text in texts])
    total = counts.sum(axis=1, keepdims=True)
    return np.hstack([counts / 4, total / 20, total == 0])


def play(game, rng, choose=None):
    """One game with any bids, `choose` taking the plays it wants: each play's row with who made it,
    the landlord, and the points."""
    state = game.new_initial_state()
    landlord, taken = None, []
    while not state.is_terminal():
        player = state.current_player()
        chance = state.is_chance_node()
        # 1, 2 and 3 are bids, and above them are plays.
        bidding = chance or any(0 < action < 4 for action in state.legal_actions())
        is_landlord = landlord in (None, player)
        action = None if bidding or choose is None else choose(state, is_landlord)
        if action is None:
            action = any_action(state, rng)
        if not bidding:
            # Rules without an auction have no bid that says so.
            landlord = player if landlord is None else landlord
            taken.append((player, features(state, [action])[0]))
        elif not chance and action:
            landlord = player
        state.apply_action(action)
    return taken, landlord, state.returns()


def best(weights, state):
    """The play of the highest value."""
    legal = state.legal_actions()
    return legal[int(np.argmax(features(state, legal) @ weights))]


def train(game, games, rng, epsilon=0.2, rate=0.01):
    """Weights of the peasants and of the landlord."""
    weights = np.zeros((2, len(RANKS) + 2))

    def mostly_best(state, is_landlord):
        return None if rng.random() < epsilon else best(weights[int(is_landlord)], state)

    for _ in range(games):
        taken, landlord, points = play(game, rng, mostly_best)
        for player, row in taken:
            own = weights[int(player == landlord)]
            own += rate * (np.sign(points[player]) - row @ own) * row
    return weights


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--train", type=int, default=300, help="games to learn from")
    parser.add_argument("--test", type=int, default=150, help="games to test with")
    parser.add_argument("--games", type=int, default=4, help="games of IS-MCTS")
    parser.add_argument("--simulations", type=int, default=30)
    parser.add_argument("--rules", default="standard")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    rng = np.random.RandomState(options.seed)
    game = pyspiel.load_game(f"python_ddz(rules={options.rules})")
    weights = train(game, options.train, rng)
    for name, choose in (
        ("random", None),
        ("linear", lambda state, is_landlord: best(weights[1], state) if is_landlord else None),
    ):
        ends = [play(game, rng, choose)[1:] for _ in range(options.test)]
        won = [points[landlord] > 0 for landlord, points in ends if landlord is not None]
        print(f"a {name} landlord wins {np.mean(won):.0%} against random peasants")

    bot = ismcts.ISMCTSBot(
        game,
        mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=rng),
        uct_c=2.0,
        max_simulations=options.simulations,
        random_state=rng,
    )
    total = 0.0
    for number in range(options.games):
        searcher = number % game.num_players()
        state = game.new_initial_state()
        while not state.is_terminal():
            searching = state.current_player() == searcher
            state.apply_action(bot.step(state) if searching else any_action(state, rng))
        won = state.returns()[searcher]
        total += won
        print(f"game {number}: seat {searcher} searched and got {won:+.0f}")
    print(f"{total / options.games:+.1f} points a game")


if __name__ == "__main__":
    main()
