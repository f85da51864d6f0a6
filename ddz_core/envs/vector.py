"""Many games at once for a trainer: a Gymnasium vector environment over the compiled core."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import numpy as np

try:
    import gymnasium
    from gymnasium.spaces import Box, Dict, Discrete
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise ImportError('VectorEnv needs gymnasium >= 1.1: pip install "ddz_core[envs]"') from error

from ddz_core import _vector
from ddz_core._features import is_douzero_table
from ddz_core.actions import ActionSpace
from ddz_core.checks import between, flag, integers, one_of
from ddz_core.deal import Deal
from ddz_core.errors import DdzError, IllegalMoveError, PhaseError
from ddz_core.features import (
    DOUZERO_COLUMNS,
    HISTORY,
    N_BIDS,
    POSITIONS,
    DouZeroRows,
    features_dtype,
    native_layout,
)
from ddz_core.game import _check_goal
from ddz_core.parallel import n_threads
from ddz_core.rules import CHOICES, Rules, as_rules
from ddz_core.seeds import chunk_state, seed_sequence

if TYPE_CHECKING:
    from typing import SupportsIndex, TypeAlias

    from numpy.typing import DTypeLike, NDArray

    from ddz_core._position import Position
    from ddz_core.seeds import Seed

    Observations: TypeAlias = dict[str, NDArray[Any]]
    Infos: TypeAlias = dict[str, Any]

__all__ = ["VectorEnv"]

AUTORESET = {
    "same_step": (_vector.AUTORESET_SAME, AutoresetMode.SAME_STEP),
    "next_step": (_vector.AUTORESET_NEXT, AutoresetMode.NEXT_STEP),
    "disabled": (_vector.AUTORESET_OFF, AutoresetMode.DISABLED),
}
OBSERVATIONS = {
    None: _vector.OBSERVE_NOTHING,
    "douzero": _vector.OBSERVE_DOUZERO,
    "native": _vector.OBSERVE_NATIVE,
}
MOST_GAMES = 1 << 20
# Games that a thread should have at least.
GAMES_A_THREAD = 64


class VectorEnv(gymnasium.vector.VectorEnv["Observations", "NDArray[Any]", "NDArray[Any]"]):
    """n games of a rule set, all of which take one action a step; the GIL is released.

    Each step is one action of the seat whose turn it is in each game: a move, or in the auction a
    bid. Which seat that is differs from game to game.

    Parameters
    ----------
    n : int
        Number of games. With action ids the masks take ``single_action_space.n`` bytes a game.
    rules : Rules or str, optional
        Rule set or preset name; standard by default.
    auction : bool, optional
        Whether games begin with the auction; otherwise whoever would speak first is landlord at
        base 1. By default the auction is there if the rule set has one.
    actions : {"index", "id"}
        Whether an action is a place in its game's list of legal moves or bids, or an id of
        `ActionSpace`; bid ``b`` (a `Bid` value) then is id ``env.ids.n + b``.
    observation : {None, "douzero", "native"}
        The features of docs/features.md that each step writes.
    dtype : {float32, int8}
        Of the rows of `rows` and `action_rows`, and of native observations. DouZero's `x_no_action`
        and `z` of the observation are int8 always, as its learner keeps them.
    autoreset : {"same_step", "next_step", "disabled"}
        Gymnasium's modes: the step that ends a game starts the next one, and returns its first
        observation; or the step after it does, ignoring its action; or the game waits for
        ``reset(options={"reset_mask": …})``, and to step it is an error.
    reward : {"acting", "landlord"}
        Whose points the rewards are: those of the seat that acted, or the landlord's.
    threads : int, optional
        For the core's loops; 1 by default, None for all processors. The games do not depend on it.
    copy : bool
        Whether observations, rows, masks and moves are copied; otherwise they are read-only views
        of arrays that the next step overwrites. Rewards, flags, infos (but the mask) and `indptr`
        always are copies.

    Attributes
    ----------
    rules : Rules
    ids : ActionSpace
        The action ids of the rule set, whether actions are ids or not.
    num_envs, single_action_space, action_space, single_observation_space, observation_space,
    metadata
        As Gymnasium has them; ``metadata["autoreset_mode"]`` among them.

    Raises
    ------
    DdzError
        A value that is not among those above, an auction that the rule set does not have, or
        DouZero's features for rules without DouZero's table.
    TypeError
        A value of the wrong type.

    Notes
    -----
    `infos` of `reset` and `step` have, with an entry for each game: ``turn`` (the seat to act, -1
    in a finished game), ``acted`` (the seat that took the step's action, -1 where none was taken),
    ``phase`` (0 auction, 1 play, 2 over), ``landlord`` (-1 before there is one), and about the game
    that the step ended ``points`` (shape (n, seats), zero-sum, zero elsewhere; ``_points`` says
    where) and ``ended_landlord`` (-1 elsewhere). With action ids ``action_mask`` is there as well.
    Nothing is truncated. A finished game has no final observation: nobody is to act in it.

    The acting seat that ends a game has won it, so that with ``reward="acting"`` no reward is ever
    negative; train the others from ``points``.

    Two environments with the same arguments, seed and actions go the same way, however many threads
    they use; game i does not depend on the number of games either. Calls from several threads at
    once wait for each other. A forked process may go on with its own copy of the games; an
    environment cannot be copied or pickled. Where Ctrl-C or want of memory breaks a step off, the
    environment must be reset. After `close` it uses one thread.

    Examples
    --------
    >>> env = VectorEnv(4, "douzero", observation="douzero")
    >>> observations, infos = env.reset(seed=1)
    >>> observations["z"].shape, infos["turn"].tolist()
    ((4, 5, 162), [0, 0, 0, 0])
    >>> for _ in range(100):
    ...     observations, rewards, terminated, truncated, infos = env.step(env.sample())
    >>> sorted(env.rows) == ["landlord", "landlord_down", "landlord_up"]
    True
    """

    def __init__(
        self,
        n: SupportsIndex,
        rules: Rules | str | None = None,
        *,
        auction: bool | None = None,
        actions: Literal["index", "id"] = "index",
        observation: Literal["douzero", "native"] | None = None,
        dtype: DTypeLike = np.float32,
        autoreset: Literal["same_step", "next_step", "disabled"] = "same_step",
        reward: Literal["acting", "landlord"] = "acting",
        threads: int | None = 1,
        copy: bool = False,
    ) -> None:
        self.num_envs = between(n, "n", 1, MOST_GAMES)
        self.rules = as_rules(rules)
        _check_goal(self.rules)
        self.ids = ActionSpace(self.rules)
        self._auction = (
            self.rules.auction != "none" if auction is None else flag(auction, "auction")
        )
        if self._auction and self.rules.auction == "none":
            raise DdzError(f"rules {self.rules.name!r} have no auction")
        one_of(actions, "actions", ("index", "id"))
        one_of(observation, "observation", tuple(OBSERVATIONS))
        one_of(autoreset, "autoreset", tuple(AUTORESET))
        one_of(reward, "reward", ("acting", "landlord"))
        if observation == "douzero" and not is_douzero_table(self.rules):
            raise DdzError(
                f"rules {self.rules.name!r} do not have DouZero's table: three players with 17 + 3 "
                "cards of one whole pack"
            )
        self._by_id = actions == "id"
        self._observation = observation
        self._dtype = features_dtype(dtype)
        self._copy = flag(copy, "copy")
        self._n_threads = min(n_threads(threads), max(1, self.num_envs // GAMES_A_THREAD))
        self._pool: ThreadPoolExecutor | None = None
        self._pool_of = 0
        self._under_way = False
        self._lock = threading.Lock()
        self._seeded = self._started = False
        number, mode = AUTORESET[autoreset]
        self._may_wait = autoreset == "disabled"
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        self._core = _vector.Games(
            self.rules,
            self.num_envs,
            (
                CHOICES["auction"].index(self.rules.auction if self._auction else "none"),
                CHOICES["first_bidder"].index(self.rules.first_bidder),
                CHOICES["nobody_bids"].index(self.rules.nobody_bids),
                -1 if self.rules.max_redeals is None else self.rules.max_redeals,
                self.rules.max_robs,
                int(self.rules.bombs_double),
                int(self.rules.kitty_shown),
                int(reward == "landlord"),
            ),
            self.ids._table if self._by_id else None,
            number,
            OBSERVATIONS[observation],
            self._dtype == np.float32,
        )
        self._outcome = self._core.outcome
        self._make_spaces()

    def _make_spaces(self) -> None:
        ids = self.ids.n + (N_BIDS if self._auction else 0)
        self.single_action_space = Discrete(ids if self._by_id else self.rules.max_moves)
        spaces: dict[str, gymnasium.Space[Any]] = {}
        if self._observation == "douzero":
            spaces = {
                "role": Box(-1, 2, (), np.int8),
                "x_no_action": Box(0, 1, (DOUZERO_COLUMNS["landlord_up"] - 54,), np.int8),
                "z": Box(0, 1, (5, 162), np.int8),
            }
        elif self._observation == "native":
            layout = native_layout(self.rules)
            kind: Any = self._dtype.type
            spaces = {
                "x": Box(0, 1, (layout.n_observation,), kind),
                "history": Box(0, 1, (HISTORY, layout.n_history), kind),
            }
        self.single_observation_space = Dict(spaces)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    # ---- Gymnasium's calls ---------------------------------------------------------------------

    def reset(
        self, *, seed: Seed = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Infos]:
        """Start all games, or some of them, anew.

        Parameters
        ----------
        seed : int, or what else `numpy.random.default_rng` takes, optional
            Of ``np_random``, and of every game's cards, of which each game has a stream of its own.
            Without a seed games go on with their streams; the first time the operating system gives
            one.
        options : dict, optional
            ``{"reset_mask": ndarray of bool, shape (n,)}`` resets these games alone.

        Returns
        -------
        observations, infos : dict

        Raises
        ------
        DdzError
            A mask of another shape, or an option that does not exist.
        TypeError, ValueError
            A mask of another dtype, options that are no dict, or a seed that is none.
        PhaseError
            A mask before the first reset of all games.
        """
        chosen = self._chosen(options)
        with self._alone():
            if seed is not None or not self._seeded:
                sequence = seed_sequence(seed)
                if seed is not None:
                    # As Gymnasium does with an int; it takes nothing else.
                    self._np_random = np.random.Generator(np.random.PCG64(sequence))
                    self._np_random_seed = int(seed) if isinstance(seed, int | np.integer) else -1
                self._core.seed(chunk_state(sequence, 0), chosen.view(np.uint8))
                self._seeded = True
            self._core.restart(chosen.view(np.uint8))
            self._started = True
            self._list()
            return self._observed(), self._infos()

    def _chosen(self, options: dict[str, Any] | None) -> NDArray[np.bool_]:
        options = {} if options is None else options
        if not isinstance(options, Mapping):
            raise TypeError(f"options must be a dict or None, not {repr(options)[:80]}")
        if unknown := set(options) - {"reset_mask"}:
            raise DdzError(f"unknown options {sorted(map(str, unknown))}; there is 'reset_mask'")
        if "reset_mask" not in options:
            return np.ones(self.num_envs, np.bool_)
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError(f"reset_mask must be an ndarray of bool, not {repr(mask)[:80]}")
        if mask.shape != (self.num_envs,):
            raise DdzError(f"reset_mask must have shape ({self.num_envs},), not {mask.shape}")
        if not self._started:
            raise PhaseError("reset all games once before some of them")
        return np.array(mask)

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Observations, NDArray[Any], NDArray[Any], NDArray[Any], Infos]:
        """Take one action in every game.

        Parameters
        ----------
        actions : ndarray of integers, shape (n,)
            Places in the games' lists of legal moves, or ids.

        Returns
        -------
        observations : dict
        rewards : ndarray of float64, shape (n,)
        terminations, truncations : ndarray of bool, shape (n,)
        infos : dict

        Raises
        ------
        IllegalMoveError
            An action that its game does not have, or a wrong shape. No game has changed.
        PhaseError
            A game that is over and waits for its reset, or no reset yet. No game has changed.
        TypeError
            No integers. No game has changed.
        """
        numbers = self._checked(actions)
        with self._alone():
            if not self._started:
                raise PhaseError("the games have not begun: call reset first")
            self._core.take(numbers)
            self._each(self._core.advance)
            self._list()
            outcome = self._outcome
            return (
                self._observed(),
                outcome["rewards"].copy(),
                outcome["terminated"].copy(),
                np.zeros(self.num_envs, np.bool_),
                self._infos(),
            )

    def _checked(self, actions: object) -> NDArray[np.int64]:
        numbers = integers(actions, "actions")
        if numbers.shape != (self.num_envs,):
            raise IllegalMoveError(
                f"actions must have shape ({self.num_envs},), not {numbers.shape}"
            )
        if numbers.dtype == np.uint64:
            numbers = np.minimum(numbers, np.iinfo(np.int64).max)
        return np.ascontiguousarray(numbers, np.int64)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other threads out, and let those end which Ctrl-C has left at work."""
        with self._lock:
            if self._under_way and self._pool is not None:
                self._pool.shutdown(cancel_futures=True)
                self._pool = None
            self._under_way = False
            yield

    def _each(self, work: Any) -> None:
        """Do it for all games, in slices of as many threads as there are."""
        if self._n_threads == 1:
            work(0, self.num_envs)
            return
        if self._pool is None or self._pool_of != os.getpid():
            # A forked process has its parent's pool, but none of the threads.
            self._pool, self._pool_of = ThreadPoolExecutor(self._n_threads), os.getpid()
        bounds = [self.num_envs * i // self._n_threads for i in range(self._n_threads + 1)]
        self._under_way = True
        for done in [self._pool.submit(work, start, stop) for start, stop in pairwise(bounds)]:
            done.result()
        self._under_way = False

    def _list(self) -> None:
        self._core.arrange()
        self._each(self._core.fill)
        self._core.finish()

    def _observed(self) -> Observations:
        found: Observations = dict(self._core.observed)
        if self._observation == "douzero":
            found["role"] = self._outcome["role"].copy()
        return {name: self._shown(array) for name, array in found.items()}

    def _infos(self) -> Infos:
        outcome = self._outcome
        names = ("turn", "acted", "phase", "landlord", "points", "ended_landlord")
        infos: Infos = {name: outcome[name].copy() for name in names}
        infos["_points"] = outcome["terminated"].copy()
        if self._by_id:
            infos["action_mask"] = self._shown(self._core.mask)
        return infos

    def _shown(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array

    def close_extras(self, **kwargs: Any) -> None:
        """Let the threads go."""
        with self._alone():
            if self._pool is not None and self._pool_of == os.getpid():
                self._pool.shutdown()
            self._pool = None
            self._n_threads = 1

    # ---- legal actions and their features ------------------------------------------------------

    @property
    def indptr(self) -> NDArray[np.int64]:
        """Game i's legal actions are ``moves[indptr[i]:indptr[i + 1]]``: shape (n + 1,)."""
        with self._alone():
            return self._core.indptr.copy()

    @property
    def moves(self) -> NDArray[np.void]:
        """The legal moves of all games, an array of move_dtype: each in `legal_moves`' order.

        In an auction they are bids: rows without cards and of kind 0 whose ``rank`` is the `Bid`.
        """
        with self._alone():
            return self._shown(self._core.moves)

    @property
    def action_mask(self) -> NDArray[np.bool_]:
        """Which actions are legal in each game: shape (n, ``single_action_space.n``)."""
        with self._alone():
            if self._by_id:
                return self._shown(self._core.mask)
            most = int(np.diff(self._core.indptr).max())
            return self._shown(self._core.places(max(self.rules.max_moves, most)))

    @property
    def rows(self) -> dict[str, DouZeroRows]:
        """DouZero's features of all legal moves, by the position that is to move.

        Games in their auction, or over, have none. The int8 features without moves are in the
        observation.

        Raises
        ------
        DdzError
            The environment was not made with ``observation="douzero"``.
        """
        if self._observation != "douzero":
            raise DdzError('rows are there with observation="douzero"')
        rows = {}
        with self._alone():
            for position, arrays in zip(POSITIONS, self._core.rows, strict=True):
                games, indptr, x, z = map(self._shown, arrays)
                rows[position] = DouZeroRows(position, games, indptr, x, z, None)
        return rows

    @property
    def action_rows(self) -> NDArray[Any]:
        """Our own features of all legal actions, bids included: a row for each entry of `moves`.

        Raises
        ------
        DdzError
            The environment was not made with ``observation="native"``.
        """
        if self._observation != "native":
            raise DdzError('action_rows are there with observation="native"')
        with self._alone():
            return self._shown(self._core.actions)

    def legal_ids(self) -> NDArray[np.int64]:
        """The ids of all legal actions, in the order of `moves`."""
        with self._alone():
            return self._core.ids(self.ids._table)

    def sample(self) -> NDArray[np.int64]:
        """A uniformly random legal action of every game, from ``np_random``; 0 in finished ones."""
        with self._alone():
            indptr = self._core.indptr
            counts = np.diff(indptr)
            places = self.np_random.integers(0, np.maximum(counts, 1))
            if not self._by_id:
                return places
            if not indptr[-1]:
                return np.zeros(self.num_envs, np.int64)
            ids = self._core.ids(self.ids._table)
            return np.where(counts > 0, ids[np.minimum(indptr[:-1] + places, len(ids) - 1)], 0)

    # ---- single games --------------------------------------------------------------------------

    def position(self, game: SupportsIndex) -> Position | None:
        """A copy of a game's play as it stands, with open hands; None where it has none."""
        number = between(game, "game", 0, self.num_envs - 1)
        with self._alone():
            return self._core.position(number)

    def deal(self, game: SupportsIndex) -> Deal:
        """The cards that a game was dealt, and who speaks first."""
        if not self._started:
            raise PhaseError("the games have not begun: call reset first")
        number = between(game, "game", 0, self.num_envs - 1)
        with self._alone():
            hands, kitty, undealt, opener, face_up = self._core.dealt(number)
        rules = self.rules
        return Deal(hands, kitty, undealt, opener, face_up, rules.packs, rules.lowest_rank)  # type: ignore[arg-type]

    def __reduce__(self) -> NoReturn:
        raise TypeError("a VectorEnv cannot be copied or pickled; make another one")

    def __repr__(self) -> str:
        about = "auction" if self._auction else "no auction"
        return f"<VectorEnv {self.num_envs} games of {self.rules.name}, {about}>"
