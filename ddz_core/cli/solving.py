"""Commands that solve open hands exactly: solve and puzzle."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

import ddz_core as ddz
from ddz_core.cli.arguments import POSITION_HELP, BadInputError, Commands, Parser
from ddz_core.cli.output import as_facts, counted, label, move_as_json, print_json, tables
from ddz_core.rules import as_rules

__all__ = ["add_solving"]

PUZZLE_RULES = "douzero"


def add_solving(commands: Commands) -> None:
    """Add these commands to the parser."""
    solver = commands.add(
        "solve",
        solve_command,
        "Find what best play with open hands leads to, and the moves for it.",
        rules="that of the position, and no other",
    )
    solver.add_argument("position", metavar="POSITION", help=POSITION_HELP)
    solver.add_argument(
        "--points",
        action="store_true",
        help="by the multiplier, in which bombs, rockets and springs count, not by who wins alone",
    )
    add_search(solver)

    puzzle = commands.add(
        "puzzle",
        puzzle_command,
        "Solve an endgame of two open hands: who empties his hand first wins.",
        # Puzzles come with its kickers more often than with any other's.
        rules=PUZZLE_RULES,
    )
    puzzle.add_argument("hand", metavar="HAND1", help="of the player to move")
    puzzle.add_argument("other", metavar="HAND2", help="of his opponent")
    puzzle.add_argument("--last", metavar="PLAY", help="the play to beat; HAND1 leads without it")
    add_search(puzzle)


def add_search(parser: Parser) -> None:
    """Add the options of a search."""
    parser.add_argument(
        "--one-move", action="store_true", help="one best move is enough, which may be much faster"
    )
    parser.add_argument(
        "--explain",
        metavar="PLAY",
        nargs="?",
        const="",
        help="how a losing try is refuted; at the end, without PLAY, each of the losing tries",
    )
    parser.add_argument("--time-limit", metavar="SECONDS", type=float, help="stop after this time")
    parser.add_argument("--node-limit", metavar="N", type=int, help="stop after N positions")
    parser.add_argument(
        "--table-mb", metavar="MB", type=float, default=256, help="most memory (%(default)s)"
    )


# ---- commands ------------------------------------------------------------------------------------


def solve_command(arguments: argparse.Namespace) -> None:
    """``ddz solve``."""
    position = ddz.Position.from_string(arguments.position, arguments.rules)
    answer(arguments, position, "points" if arguments.points else "win")


def puzzle_command(arguments: argparse.Namespace) -> None:
    """``ddz puzzle``."""
    rules = as_rules(PUZZLE_RULES if arguments.rules is None else arguments.rules)
    last = None if arguments.last is None else ddz.Move.parse(arguments.last, rules)
    hands = [ddz.Hand(arguments.hand), ddz.Hand(arguments.other)]
    answer(arguments, ddz.Position(hands, last=last, rules=rules), "win")


def answer(arguments: argparse.Namespace, position: ddz.Position, objective: Any) -> None:
    """Solve a position and print what was found."""
    if position.winner is not None:
        raise BadInputError(f"the game is over: seat {position.winner} has won")
    show = None if arguments.json else tables().show
    limits = {
        "time_limit": arguments.time_limit,
        "node_limit": arguments.node_limit,
        "table_mb": arguments.table_mb,
    }
    play = play_to_explain(arguments, position)
    found = ddz.solve(position, objective=objective, all_moves=not arguments.one_move, **limits)
    refutations = []
    for move in [play] if play else tries(arguments, position, found):
        then = position.copy()
        then.play(move)
        after = ddz.solve(then, objective=objective, **limits)
        worse = is_worse(position, found, after)
        if worse is False and play:
            raise BadInputError(f"{move} is no losing try: it keeps the result")
        if worse or play:
            refutations.append((move, after, "fails" if worse else "leaves it open"))
    query = {"rules": position.rules.name, "position": position.to_string()}
    if show is None:
        print_json(
            {
                **query,
                "objective": objective,
                "turn": position.turn,
                "landlord": position.landlord,
                **solution_as_json(found),
                "refutations": [
                    {"move": str(move), **solution_as_json(after)} for move, after, _ in refutations
                ],
            }
        )
        return
    print(f"Seat {position.turn} to move: {result_in_words(position, found)}.")
    if found.undecided:
        print(f"Not decided by then: {' '.join(map(str, found.undecided))}.")
    print()
    spent = f"{as_facts(query)}: {counted(found.nodes, 'position')}, {found.seconds:.3f} s"
    if found.line:
        show(
            moves_in_words(arguments, found),
            spent,
            [">ply", "seat", "move", "kind", "left"],
            line_rows(position, found.line),
        )
    else:
        print(spent)
    if arguments.explain == "":
        print()
        show(
            counted(len(refutations), "losing try", "losing tries"),
            "with the opponents' best replies",
            ["try", "result", "goes on (seat:play)"],
            [
                (str(move), result_in_words(position, after), continuation(position, move, after))
                for move, after, _ in refutations
            ],
            wide="goes on (seat:play)",
        )
        return
    for move, after, verdict in refutations:
        print()
        show(
            f"{move} {verdict}: {result_in_words(position, after)}",
            f"{counted(after.nodes, 'position')}, {after.seconds:.3f} s",
            [">ply", "seat", "move", "kind", "left"],
            line_rows(position, (move, *after.line)),
        )


def play_to_explain(arguments: argparse.Namespace, position: ddz.Position) -> ddz.Move | None:
    """The PLAY of --explain; what cannot be explained is refused before a long search."""
    if arguments.explain:
        move = ddz.Move.parse(arguments.explain, position.rules)
        if move not in position.legal_moves():
            raise BadInputError(f"{move} is not legal in this position")
        return move
    if arguments.explain is not None and arguments.one_move:
        raise BadInputError(
            "--explain without a PLAY needs all winning moves: leave out --one-move"
        )
    return None


def tries(
    arguments: argparse.Namespace, position: ddz.Position, found: ddz.Solution
) -> Iterable[ddz.Move]:
    """The moves that may have to be refuted."""
    if arguments.explain is None:
        return ()
    kept = {*found.moves, *found.undecided}
    return [move for move in position.legal_moves() if move not in kept]


def is_worse(position: ddz.Position, found: ddz.Solution, after: ddz.Solution) -> bool | None:
    """Whether a move leaves less than could be had (by who wins: a loss); None if that is open."""
    by_landlord = position.turn == position.landlord
    if found.objective == "win":
        return None if after.landlord_wins is None else after.landlord_wins != by_landlord
    if after.upper < found.lower if by_landlord else after.lower > found.upper:
        return True
    kept = after.lower >= found.upper if by_landlord else after.upper <= found.lower
    return False if kept else None


# ---- words ---------------------------------------------------------------------------------------


def result_in_words(position: ddz.Position, found: ddz.Solution) -> str:
    """Who wins, as far as it is proved."""
    if found.objective == "points" and found.proved:
        outcome = "wins" if found.lower > 0 else "loses"
        return f"the landlord (seat {position.landlord}) {outcome} {abs(found.lower)} × the base"
    if found.objective == "points":
        return (
            f"the landlord gets {found.lower} … {found.upper} × the base "
            f"(stopped by the limit of {found.stopped})"
        )
    if found.landlord_wins is None:
        return f"not decided (stopped by the limit of {found.stopped})"
    if position.n_seats == 2:
        seat = position.landlord if found.landlord_wins else 1 - position.landlord
        return f"seat {seat} wins"
    if found.landlord_wins:
        return f"the landlord (seat {position.landlord}) wins"
    return "the peasants win"


def moves_in_words(arguments: argparse.Namespace, found: ddz.Solution) -> str:
    """The moves that keep the result, for the line above the table of best play."""
    if not found.moves:
        return "No move wins; the line that holds out" if found.proved else "Best play so far"
    names = " ".join(map(str, found.moves))
    if arguments.one_move:
        return f"Best move: {names}"
    return f"{counted(len(found.moves), 'best move')}: {names}"


def continuation(position: ddz.Position, move: ddz.Move, after: ddz.Solution) -> str:
    """Best play after a move, in one line."""
    _, *rows = line_rows(position, (move, *after.line))
    return " ".join(f"{seat}:{play}" for _, seat, play, *_ in rows)


def line_rows(position: ddz.Position, line: Iterable[ddz.Move]) -> list[tuple[str, ...]]:
    """A row for each move of a line."""
    rows: list[tuple[str, ...]] = []
    now = position.copy()
    for ply, move in enumerate(line, 1):
        seat = now.turn
        now.play(move)
        rows.append((str(ply), str(seat), str(move), label(move.kind), str(now.hands[seat]) or "-"))
    return rows


def solution_as_json(found: ddz.Solution) -> dict[str, Any]:
    """A solution as a JSON object."""
    return {
        "value": found.value,
        "lower": found.lower,
        "upper": found.upper,
        "landlord_wins": found.landlord_wins,
        "moves": [move_as_json(move) for move in found.moves],
        "undecided": [str(move) for move in found.undecided],
        "line": [str(move) for move in found.line],
        "stopped": found.stopped,
        "nodes": found.nodes,
        "seconds": found.seconds,
    }
