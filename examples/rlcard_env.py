"""An agent as RLCard's, learnt with Env.run: a linear value of the cards that it plays.

The environment is ddz_core's, the agents have what RLCard's have (`step`, `eval_step`, `use_raw`),
and so the same agents run on ``rlcard.make("doudizhu")``.
"""

from __future__ import annotations

import argparse

import numpy as np

from ddz_core.interop import rlcard


def features(vectors):
    """The 54 places of an action's cards, how many there are, and whether it passes."""
    vectors = np.atleast_2d(vectors).astype(np.float32)
    total = vectors.sum(axis=1, keepdims=True)
    return np.hstack([vectors, total / 20, total == 0])


class LinearAgent:
    """Values an action by its features, and explores in training."""

    use_raw = False

    def __init__(self, rng, epsilon=0.2):
        self.rng = rng
        self.epsilon = epsilon
        self.weights = np.zeros(56)

    def step(self, state):
        """An action in training."""
        if self.rng.random() < self.epsilon:
            return int(self.rng.choice(list(state["legal_actions"])))
        return self.eval_step(state)[0]

    def eval_step(self, state):
        """The action of the highest value, and nothing else to tell."""
        legal = state["legal_actions"]
        values = features(list(legal.values())) @ self.weights
        return list(legal)[int(np.argmax(values))], {}

    def learn(self, actions, payoff):
        """Draw the values of the actions taken towards what came of them."""
        for row in features(actions) if len(actions) else ():
            self.weights += 0.01 * (2 * payoff - 1 - row @ self.weights) * row


class RandomAgent(LinearAgent):
    """Takes any action."""

    def eval_step(self, state):
        """Any action."""
        return int(self.rng.choice(list(state["legal_actions"]))), {}


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=800)
    parser.add_argument("--test", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    rng = np.random.default_rng(options.seed)
    env = rlcard.make("doudizhu", {"seed": options.seed})
    agents = [LinearAgent(rng) for _ in range(env.num_players)]
    env.set_agents(agents)
    for _ in range(options.games):
        trajectories, payoffs = env.run(is_training=True)
        for agent, trajectory, payoff in zip(agents, trajectories, payoffs, strict=True):
            agent.learn([env.get_action_feature(action) for action in trajectory[1::2]], payoff)
    peasants = [RandomAgent(rng), RandomAgent(rng)]
    for name, landlord in (("random", RandomAgent(rng)), ("linear", agents[0])):
        env.set_agents([landlord, *peasants])
        won = sum(env.run()[1][0] for _ in range(options.test))
        print(f"a {name} landlord wins {won / options.test:.0%} against random peasants")


if __name__ == "__main__":
    main()
