"""Exact results with open hands: who wins or by how much, with which moves, along which line."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from ddz_core._position import Position
from ddz_core._solver import Search
from ddz_core._turns import min_turns
from ddz_core._values import Move, MoveList
from ddz_core.checks import between, each, flag, instance, number, one_of
from ddz_core.errors import DdzError
from ddz_core.parallel import n_threads
from ddz_core.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["Analysis", "Solution", "analyse", "solve", "solve_batch"]

Objective = Literal["win", "points"]
OBJECTIVES: tuple[Objective, ...] = get_args(Objective)

MAX_NODES = (1 << 62) - 1
MAX_SECONDS = 10**9
MAX_TABLE_MB = 1 << 20
# Less than this costs far more time than it saves memory.
LEAST_TABLE_MB = 0.25


@dataclass(frozen=True, slots=True)
class Solution:
    """What `solve` found. Results are the landlord's, whoever is to move.

    Attributes
    ----------
    objective : {"win", "points"}
        What `lower` and `upper` count: 1 and -1 for won and lost by the landlord, or the multiplier
        of the base (negative if he loses), which he gets from each peasant.
    lower, upper : int
        Proved bounds of the result with best play. Equal unless a limit stopped the search.
    moves : tuple of Move
        First moves proved to be best: with ``objective="win"`` those that win for the side to move,
        none if it loses; with ``"points"`` those that keep the result. All of them if `all_moves`
        was asked for (but see `undecided`), else at most one.
    undecided : tuple of Move
        First moves on which a limit came first; only with `all_moves`.
    line : tuple of Move
        Best play to the end; the loser's moves, among equals, are those that look hardest. Empty if
        the value is not proved; it may end early if a limit came first.
    nodes : int
        Positions searched.
    seconds : float
        Time taken.
    stopped : {None, "nodes", "time", "cancelled"}
        The limit that ended the search before it had all that was asked for.
    """

    objective: Objective
    lower: int
    upper: int
    moves: tuple[Move, ...]
    undecided: tuple[Move, ...]
    line: tuple[Move, ...]
    nodes: int
    seconds: float
    stopped: str | None

    @property
    def proved(self) -> bool:
        """Whether the value is known exactly."""
        return self.lower == self.upper

    @property
    def value(self) -> int | None:
        """The landlord's result; None if a limit left it open."""
        return self.lower if self.proved else None

    @property
    def landlord_wins(self) -> bool | None:
        """Whether the landlord wins with best play; None if a limit left it open."""
        return True if self.lower > 0 else False if self.upper < 0 else None


@dataclass(frozen=True, slots=True)
class Analysis:
    """One ply of an analysed game.

    Attributes
    ----------
    ply : int
        Number of the move, from 1.
    seat : int
        Who moved.
    move : Move
        What was played.
    before, after : int or None
        The landlord's result with best play before and after the move; None where a limit left it
        open.
    """

    ply: int
    seat: int
    move: Move
    before: int | None
    after: int | None

    @property
    def kept(self) -> bool | None:
        """Whether the move kept the result; None if a limit left it open."""
        if self.before is None or self.after is None:
            return None
        return self.before == self.after


class _Budget:
    """What is left of the limits of one call."""

    def __init__(self, node_limit: int | None, time_limit: float | None, signals: bool) -> None:
        self.started = time.perf_counter()
        self.node_limit = node_limit
        self.time_limit = time_limit
        self.signals = signals
        self.nodes = 0
        self.stopped: str | None = None

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.started

    def prove(self, search: Search, position: Position) -> bool | None:
        """Search within the limits; after the first None there are only more of them."""
        if self.stopped:
            return search.known(position)
        nodes = None if self.node_limit is None else max(0, self.node_limit - self.nodes)
        seconds = None if self.time_limit is None else max(1e-9, self.time_limit - self.seconds)
        before = search.nodes
        answer = search.prove(position, nodes, seconds, self.signals)
        self.nodes += search.nodes - before
        if answer is None:
            self.stopped = search.stopped
        return answer


class _Solver:
    """The questions about one position; a Search for each."""

    def __init__(
        self,
        position: Position,
        objective: Objective,
        budget: _Budget,
        table_mb: float,
        watch: Callable[[Search], None] | None = None,
    ) -> None:
        self.position = position.copy()
        self.objective = objective
        self.budget = budget
        self.table_mb = table_mb
        self.watch = watch
        self.searches: dict[int, Search] = {}
        self.values = _possible_values(position) if objective == "points" else (-1, 1)

    def search(self, goal: int) -> Search:
        """The Search that asks for at least `goal`; the two in use at a time are kept."""
        if goal not in self.searches:
            share = self.table_mb if self.objective == "win" else self.table_mb / 2
            while len(self.searches) > 1:
                del self.searches[next(iter(self.searches))]
            self.searches[goal] = Search(
                self.position, goal=goal, points=self.objective == "points", table_mb=share
            )
            if self.watch is not None:
                self.watch(self.searches[goal])
        return self.searches[goal]

    def reaches(self, position: Position, goal: int) -> bool | None:
        """Whether the landlord's result is at least `goal`, one of the values."""
        if goal == self.values[0]:
            return True
        return self.budget.prove(self.search(goal), position)

    def bounds(self, position: Position) -> tuple[int, int]:
        """Bisects the values, who wins being the first question."""
        low, high = 0, len(self.values) - 1
        middle = next(i for i, value in enumerate(self.values) if value > 0)
        while low < high:
            if not low < middle <= high:
                middle = (low + high + 1) // 2
            answer = self.reaches(position, self.values[middle])
            if answer is None:
                break
            if answer:
                low = middle
            else:
                high = middle - 1
            # From a small result up or down, one doubling at a time: most are never made.
            middle = low + 1 if self.values[low] > 0 else high
        return self.values[low], self.values[high]

    def wanted(self, position: Position, value: int) -> tuple[int, bool] | None:
        """What the side to move must keep true: (goal, answer); None if every move keeps it."""
        index = self.values.index(value)
        if position.turn == position.landlord:
            return None if index == 0 else (value, True)
        return None if index == len(self.values) - 1 else (self.values[index + 1], False)

    def keeping(self, position: Position, value: int) -> tuple[list[Move], list[Move]]:
        """All moves that keep the value, and those on which a limit came first."""
        wanted = self.wanted(position, value)
        moves = list(position.legal_moves())
        if wanted is None:
            return ([] if self.objective == "win" else moves), []
        kept = []
        undecided = []
        goal, answer = wanted
        for move in moves:
            position.play(move)
            found = self.reaches(position, goal)
            position.undo()
            if found is None:
                undecided.append(move)
            elif found is answer:
                kept.append(move)
        return kept, undecided

    def best_move(self, position: Position, value: int) -> Move | None:
        """A move that keeps the value; None if a limit came first."""
        moves = position.legal_moves()
        wanted = self.wanted(position, value)
        if wanted is None:
            return self._stubborn(position, moves)
        goal, answer = wanted
        search = self.search(goal)
        if len(moves) == 1:
            return moves[0]
        for attempt in range(2):
            index = search.find(position, answer)
            if index >= 0:
                return moves[index]
            if attempt == 0 and self.budget.prove(search, position) is None:
                return None
        for move in sorted(moves, key=lambda move: -move.n_cards):
            position.play(move)
            found = self.budget.prove(search, position)
            position.undo()
            if found is answer:
                return move
        return None

    def _stubborn(self, position: Position, moves: MoveList) -> Move:
        """A move of a side that cannot do better: one whose refutation is not seen at once."""
        found = [search.find(position, None) for search in self.searches.values()]
        return moves[min((index for index in found if index >= 0), default=-1)]

    def line(self, value: int) -> list[Move]:
        position = self.position.copy()
        moves: list[Move] = []
        while position.winner is None:
            if self.objective == "win":
                found, ended = self.search(1).line(position, value > 0)
                moves += found
                if ended:
                    break
                for played in found:
                    position.play(played)
            move = self.best_move(position, value)
            if move is None:
                break
            position.play(move)
            moves.append(move)
        return moves


def _possible_values(position: Position) -> tuple[int, ...]:
    """Every result that the rest of a game may have, the landlord's losses first."""
    rules = position.rules
    now = 0
    more = 0
    if rules.bombs_double:
        now = position.doubling_bombs + position.rockets
        for hand in position.hands:
            counts = [int(count) for count in hand.counts]
            more += sum(count // rules.doubling_bomb_size for count in counts)
            more += min(counts[-2:]) == rules.packs
    more += rules.spring != "none"
    wins = [1 << doublings for doublings in range(now, now + more + 1)]
    return (*(-value for value in reversed(wins)), *wins)


def _checked_limits(
    node_limit: int | None, time_limit: float | None, table_mb: float
) -> tuple[int | None, float | None, float]:
    if node_limit is not None:
        node_limit = between(node_limit, "node_limit", 1, MAX_NODES)
    if time_limit is not None:
        time_limit = _above_0(time_limit, "time_limit", MAX_SECONDS)
    table_mb = _above_0(table_mb, "table_mb", MAX_TABLE_MB)
    return node_limit, time_limit, max(table_mb, LEAST_TABLE_MB)


def _above_0(value: float, name: str, most: int) -> float:
    found = number(value, name)
    if not 0 < found <= most:
        raise DdzError(f"{name} is {found}; it must be above 0 and at most {most}")
    return found


def solve(
    position: Position,
    *,
    objective: Objective = "win",
    node_limit: int | None = None,
    time_limit: float | None = None,
    threads: int | None = 1,
    table_mb: float = 256,
    all_moves: bool = False,
) -> Solution:
    """The exact result of a position with open hands.

    Parameters
    ----------
    position : Position
        2 to 4 seats, any rule set; the peasants play as one side.
    objective : {"win", "points"}
        Who wins; or the landlord's result as a multiple of the base, in which bombs, rockets and
        springs double as the rules say.
    node_limit : int, optional
        Positions to search at most, all questions of this call together; with several threads each
        first move has what was left when they began.
    time_limit : float, optional
        Seconds to take at most; looked at every few hundred positions, which is a few milliseconds
        on small hands and up to a tenth of a second on full deals.
    threads : int, optional
        Threads that examine first moves side by side with `all_moves`; None for all processors. The
        value itself is found by one thread. More than one make `nodes` depend on chance when a
        limit stops the search, never a result.
    table_mb : float
        Memory for the transposition table, which starts small and grows up to this (no less than
        0.25); with ``objective="points"`` two tables share it. At most 16 MB more for the companion
        of each table; with several threads as much again for theirs.
    all_moves : bool
        Whether to find all best first moves instead of one.

    Returns
    -------
    Solution
        Proved values or bounds, never a guess.

    Raises
    ------
    DdzError
        A limit or option out of range; or points are asked of a position whose states are too large
        for the table (full deals of two packs).
    TypeError
        A value of the wrong type.

    Notes
    -----
    The GIL is released; Ctrl-C stops a search in the main thread. docs/solver.md says how it works.
    """
    instance(position, Position, "position")
    objective = one_of(objective, "objective", OBJECTIVES)
    node_limit, time_limit, table_mb = _checked_limits(node_limit, time_limit, table_mb)
    all_moves = flag(all_moves, "all_moves")
    workers = n_threads(threads)
    budget = _Budget(node_limit, time_limit, _in_main_thread())
    return _solve(
        position, objective, budget, table_mb=table_mb, all_moves=all_moves, workers=workers
    )


def _in_main_thread() -> bool:
    import threading  # noqa: PLC0415

    return threading.current_thread() is threading.main_thread()


def _solve(
    position: Position,
    objective: Objective,
    budget: _Budget,
    *,
    table_mb: float,
    all_moves: bool,
    workers: int = 1,
    watch: Callable[[Search], None] | None = None,
) -> Solution:
    solver = _Solver(position, objective, budget, table_mb, watch)
    lower, upper = solver.bounds(solver.position)
    moves: list[Move] = []
    undecided: list[Move] = []
    line: list[Move] = []
    if lower == upper and solver.position.winner is None:
        line = solver.line(lower)
        if all_moves and workers > 1:
            moves, undecided = _keeping_side_by_side(solver, lower, workers)
        elif all_moves:
            moves, undecided = solver.keeping(solver.position, lower)
        elif line and (objective == "points" or solver.wanted(solver.position, lower)):
            moves = line[:1]
    return Solution(
        objective=objective,
        lower=lower,
        upper=upper,
        moves=tuple(moves),
        undecided=tuple(undecided),
        line=tuple(line),
        nodes=budget.nodes,
        seconds=budget.seconds,
        stopped=budget.stopped,
    )


def _keeping_side_by_side(
    solver: _Solver, value: int, workers: int
) -> tuple[list[Move], list[Move]]:
    """`_Solver.keeping` with a few threads, each with its own table."""
    position = solver.position
    wanted = solver.wanted(position, value)
    if wanted is None:
        return solver.keeping(position, value)
    goal, answer = wanted
    moves = list(position.legal_moves())
    budget = solver.budget

    def look_at(move: Move, watch: Callable[[Search], None]) -> tuple[bool | None, int]:
        child = position.copy()
        child.play(move)
        left = None if budget.node_limit is None else max(1, budget.node_limit - budget.nodes)
        seconds = None
        if budget.time_limit is not None:
            seconds = max(1e-9, budget.time_limit - budget.seconds)
        own = _Budget(left, seconds, signals=False)
        own.stopped = budget.stopped
        part = _Solver(child, solver.objective, own, solver.table_mb / workers, watch)
        part.values = solver.values
        found = part.reaches(child, goal)
        budget.stopped = budget.stopped or own.stopped
        return found, own.nodes

    kept: list[Move] = []
    undecided: list[Move] = []
    for move, (found, nodes) in zip(moves, _in_threads(look_at, moves, workers), strict=True):
        budget.nodes += nodes
        if found is None:
            undecided.append(move)
        elif found is answer:
            kept.append(move)
    return kept, undecided


def _in_threads(
    work: Callable[[Any, Callable[[Search], None]], Any], items: Sequence[Any], workers: int
) -> list[Any]:
    """``work(item, watch)`` for each item; an exception here (Ctrl-C too) stops all searches."""
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415

    running: list[Search] = []
    stopping = False

    def watch(search: Search) -> None:
        running.append(search)
        if stopping:
            search.cancel()

    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(work, item, watch) for item in items]
        try:
            return [future.result() for future in futures]
        except BaseException:
            stopping = True
            for future in futures:
                future.cancel()
            for search in running:
                search.cancel()
            raise


def solve_batch(
    positions: Iterable[Position],
    *,
    objective: Objective = "win",
    node_limit: int | None = None,
    time_limit: float | None = None,
    threads: int | None = None,
    table_mb: float = 64,
    all_moves: bool = False,
) -> list[Solution]:
    """`solve` for many positions, side by side.

    Equal positions are solved once and share their Solution. Those whose hands need the most turns
    come first, which are hardest more often than those with the most cards, so that no thread is
    left with a hard one at the end.

    Parameters
    ----------
    positions : iterable of Position
        Of any rule sets and numbers of seats.
    objective, all_moves
        As for `solve`.
    node_limit, time_limit
        For each position.
    threads : int, optional
        Positions solved at a time; by default one for each processor.
    table_mb : float
        Memory for each table, that is for each thread.

    Returns
    -------
    list of Solution
        In the order of the positions.

    Raises
    ------
    DdzError
        A limit or option out of range.
    TypeError
        A value of the wrong type.
    """
    # Copies, since an iterator may play on with the position that it gave.
    asked = [position.copy() for position in each(positions, Position, "positions")]
    objective = one_of(objective, "objective", OBJECTIVES)
    node_limit, time_limit, table_mb = _checked_limits(node_limit, time_limit, table_mb)
    all_moves = flag(all_moves, "all_moves")
    workers = n_threads(threads)
    groups: dict[tuple[Any, str], list[int]] = {}
    for i, position in enumerate(asked):
        groups.setdefault((position.rules, position.to_string()), []).append(i)

    def turns(group: list[int]) -> int:
        position = asked[group[0]]
        return sum(min_turns(hand, position.rules) for hand in position.hands)

    order = sorted(groups.values(), key=turns, reverse=True)

    def work(group: list[int], watch: Callable[[Search], None]) -> Solution:
        budget = _Budget(node_limit, time_limit, signals=workers == 1 and _in_main_thread())
        return _solve(
            asked[group[0]],
            objective,
            budget,
            table_mb=table_mb,
            all_moves=all_moves,
            watch=watch,
        )

    if workers == 1:
        found = [work(group, lambda search: None) for group in order]
    else:
        found = _in_threads(work, order, workers)
    solutions: dict[int, Solution] = {}
    for group, solution in zip(order, found, strict=True):
        for i in group:
            solutions[i] = solution
    return [solutions[i] for i in range(len(asked))]


def analyse(
    record: Record,
    *,
    objective: Objective = "win",
    node_limit: int | None = None,
    time_limit: float | None = None,
    table_mb: float = 256,
) -> list[Analysis]:
    """For each move of a game, whether it kept the result that best play had with open hands.

    Parameters
    ----------
    record : Record
        The game: ``Record.load(path)`` or ``game.record()``.
    objective : {"win", "points"}
        As for `solve`. Points are multiples of what the auction settled, robs not counted.
    node_limit, time_limit
        For each position of the game. The end of the game is solved first, and what was proved
        there helps further up.
    table_mb : float
        As for `solve`.

    Returns
    -------
    list of Analysis
        One a move, in order.

    Raises
    ------
    DdzError
        A limit or option out of range.
    RecordError
        The record does not follow the rules.
    TypeError
        A value of the wrong type.
    """
    objective = one_of(objective, "objective", OBJECTIVES)
    node_limit, time_limit, table_mb = _checked_limits(node_limit, time_limit, table_mb)
    game = instance(record, Record, "record").game()
    position = game.position
    if position is None:
        return []
    moves = list(game.moves)
    while position.ply:
        position.undo()
    start = position.copy()
    solver = _Solver(start, objective, _Budget(None, None, False), table_mb)
    positions = [start]
    for _, move in moves:
        position.play(move)
        positions.append(position.copy())
    values: list[int | None] = []
    signals = _in_main_thread()
    for at in reversed(positions):
        solver.budget = _Budget(node_limit, time_limit, signals)
        lower, upper = solver.bounds(at)
        values.append(lower if lower == upper else None)
    values.reverse()
    return [
        Analysis(ply + 1, seat, move, values[ply], values[ply + 1])
        for ply, (seat, move) in enumerate(moves)
    ]
