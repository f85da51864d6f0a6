"""OpenSpiel's own IS-MCTS on ddz_core's game: one seat searches, the others play anything.

With a few simulations a move it is no strong player; the point is that it runs, which it cannot on
OpenSpiel's own dou_dizhu.
"""

from __future__ import annotations

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import ddz_core.interop.openspiel  # noqa: F401 (registers the game)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--simulations", type=int, default=30)
    parser.add_argument("--rules", default="standard")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    random_state = np.random.RandomState(options.seed)
    game = pyspiel.load_game(f"python_ddz(rules={options.rules})")
    bot = ismcts.ISMCTSBot(
        game,
        mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=random_state),
        uct_c=2.0,
        max_simulations=options.simulations,
        random_state=random_state,
    )
    total = 0.0
    for number in range(options.games):
        searcher = number % game.num_players()
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random_state.choice(outcomes, p=weights))
            elif state.current_player() == searcher:
                state.apply_action(bot.step(state))
            else:
                state.apply_action(random_state.choice(state.legal_actions()))
        won = state.returns()[searcher]
        total += won
        print(f"game {number}: seat {searcher} searched and got {won:+.0f}")
    print(f"{total / options.games:+.1f} points a game")


if __name__ == "__main__":
    main()
