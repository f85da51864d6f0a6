"""A whole bot for Botzone's FightTheLandlord: a line of JSON in, a line of JSON out.

It plays what leaves a hand that needs the fewest plays to get rid of. With ``--games`` it is asked
by ddz_core's judge instead, in the same JSON, as a landlord against two rule-based peasants.
"""

from __future__ import annotations

import argparse

import ddz_core as ddz
from ddz_core.interop import botzone


def fewest_turns(seen, moves, rng):
    """The place of the move after which the hand needs the fewest plays; of such the first."""

    def cost(place):
        left = seen.hand - moves[place].cards
        return ddz.min_turns(left, rules=seen.rules) if left else -1

    return min(range(len(moves)), key=cost)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=0)
    options = parser.parse_args(arguments)
    if not options.games:
        print(botzone.answer(input(), fewest_turns))
        return
    won = 0
    for number in range(options.games):
        judge = botzone.Judge(ddz.deal("botzone", seed=number))
        while judge.turn is not None:
            bot = fewest_turns if judge.turn == judge.landlord else "rule"
            judge.respond(botzone.answer(judge.request(), bot))
        won += judge.winner == judge.landlord
    print(f"the landlord won {won} of {options.games} games")


if __name__ == "__main__":
    main()
