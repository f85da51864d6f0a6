"""An IS-MCTS player over `Position` and `sample_hidden`: a tree of moves, each walk through it with
hidden hands drawn anew, and a compiled game to the end where the tree ends."""

import argparse
import math

import numpy as np

import ddz_core as ddz


class Node:
    """What is known of the positions after a sequence of moves."""

    def __init__(self):
        self.children, self.visits, self.seen, self.value = {}, 0, 0, 0.0

    def best(self, moves, explore):
        """Of these moves one that was never tried, or the best by its upper bound."""

        def bound(move):
            child = self.children.setdefault(move, Node())
            child.seen += 1
            if not child.visits:
                return math.inf
            spread = math.sqrt(math.log(child.seen) / child.visits)
            return child.value / child.visits + explore * spread

        return max(moves, key=bound)


def search(seen, simulations, rng, explore=0.7):
    """The move that was walked most often from what a seat has seen."""
    root = Node()
    for hands in ddz.sample_hidden(seen, simulations, rng):
        position = ddz.Position(
            [ddz.Hand.from_counts(hand) for hand in hands],
            seen.landlord, seen.seat, seen.last, seen.passes, seen.handicap, seen.rules,
        )  # fmt: skip
        node, path = root, []
        while position.winner is None:
            moves = list(position.legal_moves())
            rng.shuffle(moves)
            move = node.best(moves, explore)
            node = node.children[move]
            path.append((position.turn, node))
            position.play(move)
            if not node.visits:
                break
        won = position.landlord_won
        if won is None:
            won = ddz.playout(position, 1, seed=rng).landlord_wins > 0
        for seat, child in path:
            child.visits += 1
            child.value += won == (seat == seen.landlord)
    return max(root.children, key=lambda move: root.children[move].visits)


def main(arguments=None):
    parser = argparse.ArgumentParser(description="An IS-MCTS landlord against greedy peasants.")
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--simulations", type=int, default=200)
    options = parser.parse_args(arguments)
    rng, greedy, won = np.random.default_rng(1), ddz.built_in("greedy"), 0
    for number in range(options.games):
        game = ddz.Game("douzero", seed=number)
        while game.turn is not None:
            seen = game.observe(game.turn)
            if len(seen.legal_moves) == 1:
                game.play(seen.legal_moves[0])
            elif seen.seat == seen.landlord:
                game.play(search(seen, options.simulations, rng))
            else:
                game.play(seen.legal_moves[greedy(seen, seen.legal_moves, rng)])
        won += game.result.landlord_won
    print(f"the landlord won {won} of {options.games} games")


if __name__ == "__main__":
    main()
