"""Dou Dizhu as an AEC environment of PettingZoo, under any rule set (docs/interop.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError as error:
    raise ImportError(
        'this environment needs pettingzoo >= 1.24: pip install "ddz_core[envs]"'
    ) from error

from ddz_core._features import Seen, native_sizes, write_native
from ddz_core._values import integer
from ddz_core.actions import ActionSpace
from ddz_core.auction import Bid
from ddz_core.checks import flag, one_of
from ddz_core.errors import DdzError, IllegalMoveError, PhaseError
from ddz_core.features import HISTORY
from ddz_core.game import NO_MOVES, Game
from ddz_core.rules import Rules, as_rules
from ddz_core.seeds import child, seed_sequence

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ddz_core._values import MoveList
    from ddz_core.seeds import Seed

    Observation: TypeAlias = dict[str, NDArray[np.int8]]

__all__ = ["RawEnv", "env", "raw_env"]

RENDER_MODES = ("human", "ansi")
REWARDS = ("points", "win")
ILLEGAL = ("raise", "end")
# For who tries an illegal action where that ends the game, as in PettingZoo's classic games.
ILLEGAL_REWARD = -1


def env(
    rules: Rules | str | None = None,
    *,
    auction: bool = False,
    rewards: str = "points",
    render_mode: str | None = None,
) -> RawEnv:
    """The environment as PettingZoo's own classic games behave: an illegal action ends the game, at
    -1 for whoever tried it and 0 for the others.

    PettingZoo does so by wrappers, which take longer than everything else here; `RawEnv` does it
    itself, and refuses calls in a wrong order and actions out of range too.

    Parameters
    ----------
    rules, auction, rewards, render_mode
        As in `RawEnv`.

    Returns
    -------
    RawEnv

    Examples
    --------
    >>> import numpy as np
    >>> table = env("standard")
    >>> table.reset(seed=1)
    >>> for agent in table.agent_iter():
    ...     seen, reward, terminated, truncated, info = table.last()
    ...     over = terminated or truncated
    ...     table.step(None if over else int(np.flatnonzero(seen["action_mask"])[0]))
    >>> table.agents
    []
    """
    return RawEnv(rules, auction=auction, rewards=rewards, render_mode=render_mode, illegal="end")


class RawEnv(AECEnv):  # type: ignore[misc, unused-ignore]
    """The environment, where an illegal action by default is an error and changes nothing.

    Parameters
    ----------
    rules : Rules or str, optional
        Rule set or preset name; standard by default.
    auction : bool
        Whether the seats bid. Without, `player_0` is the landlord at base 1.
    rewards : {"points", "win"}
        At the end each agent gets its points, or 1 for a win and -1 for a loss.
    render_mode : {"human", "ansi"}, optional
    illegal : {"raise", "end"}
        What an illegal action does: it is refused, or it ends the game as in `env`.

    Attributes
    ----------
    game : Game
        The game as it stands, all hands open.
    actions : ActionSpace
        Action ids are its ids; with an auction the bids follow, id ``actions.n + bid``.

    Raises
    ------
    DdzError
        No such preset, kind of reward, render mode or way with illegal actions.

    Notes
    -----
    Agents are ``"player_0"`` … by seat. An observation is a dict of ``"observation"``, an int8
    vector (our native features, then their history flattened), and ``"action_mask"``, an int8
    vector with a one for each legal action, all zeros for an agent whose turn it is not. The info
    of the agent to move has the ids of its legal actions as ``"legal_actions"``, which is quicker
    than to look for them in the mask; that of all others is empty.
    """

    def __init__(
        self,
        rules: Rules | str | None = None,
        *,
        auction: bool = False,
        rewards: str = "points",
        render_mode: str | None = None,
        illegal: str = "raise",
    ) -> None:
        super().__init__()
        rules = as_rules(rules)
        if not flag(auction, "auction") and rules.auction != "none":
            rules = rules.replace(auction="none", first_bidder="seat_0")
        for name, value, allowed in (
            ("rewards", rewards, REWARDS),
            ("render_mode", render_mode, (None, *RENDER_MODES)),
            ("illegal", illegal, ILLEGAL),
        ):
            one_of(value, name, allowed)
        self.metadata = {
            "name": "ddz_core_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.rules = rules
        self.actions = ActionSpace(rules)
        self.possible_agents = [f"player_{seat}" for seat in range(rules.players)]
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._wins = rewards == "win"
        self._ends = illegal == "end"
        self._n = self.actions.n + (len(Bid) if rules.auction != "none" else 0)
        self._n_seen, self._n_history, _ = native_sizes(rules)
        self._columns = self._n_seen + HISTORY * self._n_history
        self.observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self._n) for agent in self.possible_agents}
        self._seeds, self._dealt = seed_sequence(None), 0
        self._game: Game | None = None

    def _space(self) -> spaces.Dict:
        return spaces.Dict(
            {
                "observation": spaces.Box(0, 1, (self._columns,), np.int8),
                "action_mask": spaces.Box(0, 1, (self._n,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    @property
    def game(self) -> Game:
        """The game as it stands."""
        if self._game is None:
            raise PhaseError("there is no game: call reset first")
        return self._game

    # ---- the game ------------------------------------------------------------------------------

    def reset(self, seed: Seed = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game.

        Parameters
        ----------
        seed : int, or what else `numpy.random.default_rng` takes, optional
            Games from here on are a function of it; without, they go on from the last seed.
        options : dict, optional
            ``"deal"``: a `Deal`, instead of a random one. Others are ignored.

        Raises
        ------
        DdzError
            A deal that does not fit. The game stays as it was then.
        TypeError, ValueError
            A seed, options or a deal that are none; likewise.
        """
        options = {} if options is None else options
        if not isinstance(options, Mapping):
            raise TypeError(f"options must be a dict or None, not {repr(options)[:80]}")
        seeds, dealt = self._seeds, self._dealt
        if seed is not None:
            seeds, dealt = seed_sequence(seed), 0
        self._game = Game(self.rules, seed=child(seeds, dealt), deal=options.get("deal"))
        self._seeds, self._dealt = seeds, dealt + 1
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._look()

    def _look(self) -> None:
        """Whose turn it is, and what there is to do."""
        game = self.game
        turn = game.turn or 0
        self._mask = np.zeros(self._n, np.int8)
        self._turn = turn
        self._moves: MoveList = game.legal_moves()
        agent = self.possible_agents[turn]
        self.agent_selection = agent
        legal = (
            np.array([self.actions.n + bid for bid in game.legal_bids()])
            if game.landlord is None
            else self.actions.ids(self._moves)
        )
        self._mask[legal] = 1
        self.infos[agent] = {"legal_actions": legal}

    def step(self, action: int | None) -> None:
        """Bid or play for ``agent_selection``; None when it is done.

        Raises
        ------
        IllegalMoveError
            Not a legal action of this agent's, and ``illegal`` is "raise", or no action at all;
            nothing has changed.
        PhaseError
            There is no game, or it is over for every agent.
        ValueError
            An action of an agent that is done.
        """
        game = self.game
        if not self.agents:
            raise PhaseError("the game is over: call reset")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = self._checked(action)
        self._cumulative_rewards[agent] = 0
        self.infos[agent] = {}
        if not self._mask[number]:
            points = tuple(ILLEGAL_REWARD * (other == agent) for other in self.possible_agents)
            self._end(points)
        else:
            if number >= self.actions.n:
                game.bid(number - self.actions.n)
            else:
                game.play(self.actions.move(number))
            result = game.result
            if result is None:
                self._look()
            elif self._wins:
                self._end(tuple((points > 0) - (points < 0) for points in result.points))
            else:
                self._end(result.points)
        if self.render_mode == "human":
            self.render()

    def _end(self, points: tuple[int, ...]) -> None:
        """The game is over for everybody."""
        for agent, reward in zip(self.possible_agents, points, strict=True):
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] += reward
            self.terminations[agent] = True
        self._turn = -1
        self._moves = NO_MOVES
        self.agent_selection = self.agents[0]

    def _checked(self, action: object) -> int:
        number = integer(action, "action")
        if not 0 <= number < self._n:
            raise IllegalMoveError(f"action is {number}; actions are 0 … {self._n - 1}")
        if not self._mask[number] and not self._ends:
            what = (
                f"bid {Bid(number - self.actions.n)}"
                if number >= self.actions.n
                else str(self.actions.move(number))
            )
            raise IllegalMoveError(
                f"action {number} ({what}) is not legal for {self.agent_selection} here"
            )
        return number

    # ---- what agents see -----------------------------------------------------------------------

    def observe(self, agent: str) -> Observation:
        """What an agent sees now.

        Raises
        ------
        DdzError
            No such agent.
        PhaseError
            There is no game.
        """
        seat = self._seat.get(agent)
        if seat is None:
            raise DdzError(
                f"agent is {repr(agent)[:80]}; agents are {', '.join(self.possible_agents)}"
            )
        row = np.zeros(self._columns, np.int8)
        x = row[: self._n_seen].reshape(1, self._n_seen)
        history = row[self._n_seen :].reshape(1, HISTORY, self._n_history)
        write_native([Seen(self.game.observe(seat))], [self._moves], [()], x, history, None)
        mask = self._mask.copy() if seat == self._turn else np.zeros(self._n, np.int8)
        return {"observation": row, "action_mask": mask}

    def render(self) -> str | None:
        """The table with all hands open: as text for ``"ansi"``, printed for ``"human"``."""
        if self.render_mode is None:
            raise DdzError("render_mode is None: make the environment with 'ansi' or 'human'")
        text = str(self.game)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing to do."""


raw_env = RawEnv
