"""Observations as numbers for a network: in DouZero's layout, and in our own (docs/features.md).

`ddz_core.envs.VectorEnv` writes the same numbers for many games at once without Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from ddz_core._features import Seen, is_douzero_table, native_sizes, write_douzero, write_native
from ddz_core._values import MoveList
from ddz_core.checks import between, instance
from ddz_core.errors import DdzError, PhaseError
from ddz_core.game import Game
from ddz_core.observation import Observation
from ddz_core.rules import Rules, as_rules

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    Features: TypeAlias = NDArray[np.float32] | NDArray[np.int8]
    View: TypeAlias = Observation | Game

__all__ = [
    "HISTORY",
    "NATIVE_VERSION",
    "POSITIONS",
    "DouZeroFeatures",
    "DouZeroRows",
    "NativeFeatures",
    "NativeLayout",
    "douzero_batch",
    "douzero_features",
    "native_batch",
    "native_features",
    "native_layout",
]

# Moves that the history looks back.
HISTORY = 15
# Changes with every change of our own layout.
NATIVE_VERSION = 1
# DouZero's names of the landlord, the seat after him and the seat before him.
POSITIONS = ("landlord", "landlord_down", "landlord_up")
# Columns of x by position.
DOUZERO_COLUMNS = {"landlord": 373, "landlord_down": 484, "landlord_up": 484}
N_BIDS = 6


# ---- DouZero's layout ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DouZeroFeatures:
    """What DouZero's ``get_obs`` gives for one seat at one moment.

    Attributes
    ----------
    position : {"landlord", "landlord_down", "landlord_up"}
    moves : MoveList
        The move of each row of `x`.
    x : ndarray, shape (n, 373) or (n, 484)
        A row for each move; its last 54 columns are the move. DouZero's ``x_batch``.
    z : ndarray, shape (5, 162)
        The last 15 moves, three a row.
    x_no_action : ndarray of int8, shape (319,) or (430,)
        A row of `x` without its move.
    """

    position: str
    moves: MoveList
    x: Features
    z: Features
    x_no_action: NDArray[np.int8]

    @property
    def z_batch(self) -> Features:
        """`z` once a row of `x`, shape (n, 5, 162), without a copy and so read-only."""
        repeated: Any = np.broadcast_to(self.z, (len(self.x), 5, 162))
        return cast("Features", repeated)


@dataclass(frozen=True, slots=True)
class DouZeroRows:
    """DouZero's features of several games in which the same position is to move.

    Attributes
    ----------
    position : {"landlord", "landlord_down", "landlord_up"}
    games : ndarray of int64, shape (k,)
        Which games these are.
    indptr : ndarray of int64, shape (k + 1,)
        The rows of `x` that belong to ``games[j]`` are ``x[indptr[j]:indptr[j + 1]]``.
    x : ndarray, shape (n, 373) or (n, 484)
    z : ndarray, shape (k, 5, 162)
        Once a game: an LSTM need only see it once.
    x_no_action : ndarray of int8, shape (k, 319) or (k, 430), or None
    """

    position: str
    games: NDArray[np.int64]
    indptr: NDArray[np.int64]
    x: Features
    z: Features
    x_no_action: NDArray[np.int8] | None

    @property
    def game_of_row(self) -> NDArray[np.int64]:
        """For each row of `x` its place in `games` and `z`, shape (n,)."""
        return np.repeat(np.arange(len(self.games)), np.diff(self.indptr))

    @property
    def z_batch(self) -> Features:
        """`z` once a row of `x`, shape (n, 5, 162): a copy, as DouZero's networks take it."""
        repeated: Features = self.z[self.game_of_row]
        return repeated


def douzero_features(
    view: View,
    moves: MoveList | None = None,
    *,
    dtype: DTypeLike = np.float32,
    x: Features | None = None,
    z: Features | None = None,
) -> DouZeroFeatures:
    """The numbers that DouZero's ``get_obs`` gives for a seat.

    Parameters
    ----------
    view : Observation or Game
        A game is seen by the seat whose turn it is.
    moves : MoveList, optional
        The moves that get a row; all legal ones by default, in their order.
    dtype : {float32, int8}
        Of `x` and `z` where they are made here.
    x, z : ndarray, optional
        Arrays of the caller's, float32 or int8 in C order, that are written into and returned; they
        must not overlap. ``x`` is of shape (n, 373) for the landlord and (n, 484) for a peasant,
        ``z`` of shape (5, 162), or of shape (n, 5, 162) to have it once a row; the features' `z`
        is then its first entry.

    Returns
    -------
    DouZeroFeatures

    Raises
    ------
    DdzError
        An array of another shape or type, or rules without DouZero's table (three players, 17 cards
        each and 3 more).
    PhaseError
        The play has not begun, or the game is over.
    TypeError
        A value of the wrong type.

    Examples
    --------
    >>> import ddz_core as ddz
    >>> game = ddz.Game("douzero", seed=1)
    >>> features = douzero_features(game)
    >>> features.position, features.x.shape == (len(game.legal_moves()), 373)
    ('landlord', True)
    """
    observation = _in_play(view)
    seen = Seen(observation)
    legal = observation.legal_moves if moves is None else moves
    if not isinstance(legal, MoveList):
        raise TypeError(f"moves must be a MoveList, not {type(legal).__name__}")
    width = seen.columns
    if x is None:
        x = _new((len(legal), width + 54), dtype)
    head = np.empty((1, width), np.int8)
    if z is None:
        z = _new((5, 162), dtype)
    elif not isinstance(z, np.ndarray):
        raise TypeError(f"z must be an ndarray, not {type(z).__name__}")
    shown = z
    if z.shape == (5, 162):
        z = z[None]
    elif len(legal) and z.shape == (len(legal), 5, 162):
        shown = z[0]
    else:
        repeated = f" or ({len(legal)}, 5, 162)" if len(legal) else ""
        raise DdzError(f"z must have shape (5, 162){repeated}, not {z.shape}")
    write_douzero([seen], [legal], x, z, head)
    return DouZeroFeatures(position_of(observation), legal, x, shown, head[0])


def douzero_batch(
    views: Iterable[View],
    *,
    dtype: DTypeLike = np.float32,
    x: Mapping[str, Features] | None = None,
    z: Mapping[str, Features] | None = None,
) -> dict[str, DouZeroRows]:
    """DouZero's features of all legal moves of many games, by the position that is to move.

    Parameters
    ----------
    views : iterable of Observation or Game
    dtype : {float32, int8}
        Of the arrays that are made here.
    x, z : dict of str to ndarray, optional
        Arrays of the caller's by position, float32 or int8 in C order, of the shapes that
        `DouZeroRows` has or with more rows: the first rows are written into, and what is returned
        are these rows without a copy. They must not overlap.

    Returns
    -------
    dict of str to DouZeroRows
        For each of `POSITIONS`; ``games`` are places in `views`.

    Raises
    ------
    DdzError, PhaseError, TypeError
        As in `douzero_features`; an array of the caller's that has too few rows is a DdzError, and
        so is one for no position.
    """
    observations = [_in_play(view) for view in views]
    positions = [position_of(observation) for observation in observations]
    _check_positions(x, "x")
    _check_positions(z, "z")
    rows = {}
    for position in POSITIONS:
        games = [i for i, found in enumerate(positions) if found == position]
        indptr = _indptr([len(observations[i].legal_moves) for i in games])
        columns = DOUZERO_COLUMNS[position]
        rows[position] = DouZeroRows(
            position,
            np.array(games, np.int64),
            indptr,
            _first_rows(x, "x", position, (int(indptr[-1]), columns), dtype),
            _first_rows(z, "z", position, (len(games), 5, 162), dtype),
            np.empty((len(games), columns - 54), np.int8),
        )
    # Not before all arrays are found to fit.
    for some in rows.values():
        chosen = [observations[i] for i in some.games]
        if chosen:
            moves = [observation.legal_moves for observation in chosen]
            write_douzero([*map(Seen, chosen)], moves, some.x, some.z, some.x_no_action)
    return rows


def _check_positions(given: Mapping[str, Features] | None, name: str) -> None:
    if given is None:
        return
    if not isinstance(given, Mapping):
        raise TypeError(f"{name} must be a dict of arrays by position, not {type(given).__name__}")
    if unknown := [position for position in given if position not in POSITIONS]:
        raise DdzError(f"{name} has an array for {repr(unknown[0])[:80]}, not for {POSITIONS}")


def _first_rows(
    given: Mapping[str, Features] | None,
    name: str,
    position: str,
    shape: tuple[int, ...],
    dtype: DTypeLike,
) -> Features:
    """As many rows of the caller's array as are needed, or a new one."""
    if given is None or position not in given:
        return _new(shape, dtype)
    array = instance(given[position], np.ndarray, f"{name}[{position!r}]")
    fits = array.ndim and array.shape[1:] == shape[1:] and len(array) >= shape[0]
    usable = array.flags.c_contiguous and array.flags.writeable
    if not fits or not usable or array.dtype not in (np.float32, np.int8):
        raise DdzError(
            f"{name}[{position!r}] must be float32 or int8 of shape {shape} or with more rows, in "
            f"C order and writable, not {array.dtype} of shape {array.shape}"
        )
    return cast("Features", array[: shape[0]])


def position_of(observation: Observation) -> str:
    """DouZero's name for this observation's seat."""
    landlord = observation.landlord
    if landlord is None:
        raise PhaseError("there is no landlord yet: DouZero's features are of the play")
    return POSITIONS[(observation.seat - landlord) % 3]


def _in_play(view: View) -> Observation:
    """The observation of the seat whose turn it is to play."""
    observation = _observed(view)
    if not is_douzero_table(observation.rules):
        rules = observation.rules
        raise DdzError(
            f"rules {rules.name!r} have {rules.players} players with {rules.hand_size} + "
            f"{rules.kitty_size} cards; DouZero's features are for 3 players with 17 + 3 of one "
            "whole pack"
        )
    if observation.phase != "play":
        raise PhaseError(
            f"the game is in phase {observation.phase}: DouZero's features are of play"
        )
    return observation


def _observed(view: View) -> Observation:
    if isinstance(view, Observation):
        return view
    if isinstance(view, Game):
        turn = view.turn
        if turn is None:
            raise PhaseError("the game is over: nobody is to move")
        return view.observe(turn)
    raise TypeError(f"a view is an Observation or a Game, not {type(view).__name__}")


# ---- our own layout ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NativeLayout:
    """Which columns of our own features mean what; docs/features.md explains each part.

    Attributes
    ----------
    observation, history, action : dict of str to slice
        The parts of a row of each of the three arrays, in order.
    n_observation, n_history, n_action : int
        Columns of these rows.
    """

    observation: Mapping[str, slice]
    history: Mapping[str, slice]
    action: Mapping[str, slice]

    @property
    def n_observation(self) -> int:
        """Columns of an observation."""
        return _end(self.observation)

    @property
    def n_history(self) -> int:
        """Columns of a move of the history."""
        return _end(self.history)

    @property
    def n_action(self) -> int:
        """Columns of an action."""
        return _end(self.action)


@dataclass(frozen=True, slots=True)
class NativeFeatures:
    """Our own features of one or several views.

    Attributes
    ----------
    x : ndarray, shape (k, n_observation)
    history : ndarray, shape (k, 15, n_history)
        The last 15 moves, the oldest first; rows of zeros where there were fewer.
    actions : ndarray, shape (n, n_action)
        A row for each legal move or bid.
    indptr : ndarray of int64, shape (k + 1,)
        The rows of `actions` of view j are ``actions[indptr[j]:indptr[j + 1]]``.
    """

    x: Features
    history: Features
    actions: Features
    indptr: NDArray[np.int64]


def native_layout(rules: Rules | str | None = None) -> NativeLayout:
    """Which columns of our own features mean what under a rule set.

    Examples
    --------
    >>> layout = native_layout("standard")
    >>> layout.n_observation, layout.n_history, layout.n_action
    (709, 57, 105)
    >>> layout.observation["hand"]
    slice(5, 59, None)
    """
    rules = as_rules(rules)
    cards, seats = sum(rules.deck), rules.players
    play = {"cards": cards, "kind": 18, "rank": 15, "length": 12}
    observation: dict[str, int] = {
        "phase": 2,
        "landlord": seats,
        "hand": cards,
        "unseen": cards,
        "kitty": cards,
        **{f"played_{i}": cards for i in range(seats)},
        **{f"latest_{i}": cards for i in range(seats)},
        **{f"last_{part}": columns for part, columns in play.items()},
        "last_seat": seats,
        **{f"left_{i}": rules.max_hand for i in range(seats)},
        "base": 3,
        "doublings": 32,
    }
    if rules.auction != "none":
        observation |= {"opener": seats, **{f"bid_{i}": N_BIDS for i in range(seats)}}
    if rules.auction == "call_rob":
        observation["robs"] = rules.max_robs
    return NativeLayout(
        _slices(observation),
        _slices({"cards": cards, "seat": seats}),
        _slices({**play, "bid": N_BIDS}),
    )


def native_features(view: View, *, dtype: DTypeLike = np.float32) -> NativeFeatures:
    """Our own features of one view: `native_batch` of that view alone.

    Parameters
    ----------
    view : Observation or Game
        A game is seen by the seat whose turn it is.
    dtype : {float32, int8}

    Returns
    -------
    NativeFeatures
    """
    return native_batch([view], dtype=dtype)


def native_batch(
    views: Iterable[View],
    *,
    dtype: DTypeLike = np.float32,
    x: Features | None = None,
    history: Features | None = None,
    actions: Features | None = None,
) -> NativeFeatures:
    """Our own features of many views, in any phase of the game.

    Parameters
    ----------
    views : iterable of Observation or Game
        Of one rule set, at least one.
    dtype : {float32, int8}
        Of the arrays that are made here.
    x, history, actions : ndarray, optional
        Arrays of the caller's, float32 or int8 in C order, that are written into and returned; they
        must not overlap.

    Returns
    -------
    NativeFeatures

    Raises
    ------
    DdzError
        No views, views of different layouts, or an array of another shape or type.
    PhaseError
        A game that is over; its observations can be encoded all the same.
    TypeError
        A value of the wrong type.
    """
    observations = [_observed(view) for view in views]
    if not observations:
        raise DdzError("there must be at least one view")
    seen = [Seen(observation) for observation in observations]
    n, n_history, n_action = native_sizes(observations[0].rules)
    moves = [observation.legal_moves for observation in observations]
    bids = [
        tuple(between(bid, "observation.legal_bids", 0, N_BIDS - 1) for bid in one.legal_bids)
        for one in observations
    ]
    indptr = _indptr([len(one) + len(other) for one, other in zip(moves, bids, strict=True)])
    if x is None:
        x = _new((len(seen), n), dtype)
    if history is None:
        history = _new((len(seen), HISTORY, n_history), dtype)
    if actions is None:
        actions = _new((int(indptr[-1]), n_action), dtype)
    write_native(seen, moves, bids, x, history, actions)
    return NativeFeatures(x, history, actions, indptr)


# ---- small things --------------------------------------------------------------------------------


def _new(shape: tuple[int, ...], dtype: DTypeLike) -> Features:
    return np.empty(shape, features_dtype(dtype))


def features_dtype(dtype: DTypeLike) -> np.dtype[Any]:
    """float32 or int8, or an error."""
    try:
        found = np.dtype(dtype)
    except (TypeError, ValueError):
        raise TypeError(f"dtype must be float32 or int8, not {repr(dtype)[:80]}") from None
    if found not in (np.float32, np.int8):
        raise TypeError(f"dtype must be float32 or int8, not {found}")
    return found


def _indptr(counts: Sequence[int]) -> NDArray[np.int64]:
    indptr = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=indptr[1:])
    return indptr


def _slices(sizes: Mapping[str, int]) -> dict[str, slice]:
    slices, start = {}, 0
    for name, size in sizes.items():
        slices[name] = slice(start, start + size)
        start += size
    return slices


def _end(slices: Mapping[str, slice]) -> int:
    return int([*slices.values()][-1].stop)
