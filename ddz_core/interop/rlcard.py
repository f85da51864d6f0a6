"""RLCard's action ids, and an environment that its agents run on unchanged.

Nothing here imports RLCard or reads its files; the ids follow from the moves.
"""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ddz_core._position import Position
from ddz_core._queries import classify, legal_moves
from ddz_core._values import Hand, Move, MoveList, integer, unpack_counts
from ddz_core.actions import ActionSpace
from ddz_core.errors import DdzError, IllegalMoveError, PhaseError
from ddz_core.interop._layout import unary
from ddz_core.rules import Rules
from ddz_core.vocabulary import RANK_SYMBOLS, Kind, Rank

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    State: TypeAlias = dict[str, Any]

__all__ = [
    "N_ACTIONS",
    "PASS_ID",
    "DoudizhuEnv",
    "action_id",
    "action_ids",
    "action_move",
    "action_string",
    "make",
    "register",
]

N_ACTIONS = 27_472
PASS_ID = N_ACTIONS - 1

SEATS = 3
LANDLORD = 0
HAND = 17
LANDLORD_HAND = 20
# Plays that an observation remembers.
HISTORY = 9
# RLCard's pack in the order in which it lies before the shuffle: by rank, spades first.
RLCARD_SUITS = "SHDC"
PACK = (
    *(suit + RANK_SYMBOLS[rank] for rank in range(Rank.BLACK_JOKER) for suit in RLCARD_SUITS),
    "BJ",
    "RJ",
)
RANK_OF = tuple(min(card // 4, 13) + (card == 53) for card in range(54))


# ---- action ids ----------------------------------------------------------------------------------


class _Actions(NamedTuple):
    """RLCard's actions by its ids, which are another order of our own."""

    space: ActionSpace
    of_ours: NDArray[np.int64]  # RLCard's id for each of ours
    ours: list[int]
    strings: list[str]
    vectors: NDArray[np.int8]  # (N_ACTIONS, 54)


@cache
def _actions() -> _Actions:
    """RLCard's table of actions, from the plays of its rules.

    Source: the order of RLCard 1.2.0's action file: by kind, as in `Kind`; by length; by main part;
    then by kickers, rank after rank. Airplanes group single kickers before that: those of three
    have three different ones first, then three equal ones, then a pair and a single, by the pair;
    those of four or five have the ones with a joker first.
    """
    space = ActionSpace(Rules.rlcard())
    moves = space.moves
    array = moves.array
    kind, length, rank = (array[name].astype(np.int64) for name in ("kind", "length", "rank"))
    places = np.arange(15)
    counts = (array["cards"][:, None] >> (4 * places).astype(np.uint64)) & np.uint64(15)
    in_main = (places <= rank[:, None]) & (places > (rank - length)[:, None])
    kickers = counts.astype(np.int64) - 3 * in_main
    singles = kind == int(Kind.AIRPLANE_SINGLES)
    largest = kickers.max(axis=1)
    group = np.zeros(len(moves), np.int64)
    three, more = singles & (length == 3), singles & (length > 3)
    group[three] = np.array([0, 0, 2, 1])[largest[three]]
    group[more] = ~kickers[more, 13:].any(axis=1)
    # Where all else is equal, who has more of the lowest rank comes first.
    first = -(counts.astype(np.int64) @ (1 << 4 * places[::-1].astype(np.int64)))
    pairs = three & (group == 2)
    first[pairs] = 16 * (kickers[pairs] == 2).argmax(axis=1) + (kickers[pairs] == 1).argmax(axis=1)
    # To pass is RLCard's last action.
    kind[kind == int(Kind.PASS)] = len(Kind)
    order = np.lexsort((first, group, rank, length, kind))
    of_ours = np.empty(N_ACTIONS, np.int64)
    of_ours[order] = np.arange(N_ACTIONS)
    ours = order.tolist()
    strings = [str(moves[number].cards) for number in ours]
    strings[PASS_ID] = "pass"
    return _Actions(space, of_ours, ours, strings, unary(counts[order].astype(np.uint8)))


def _checked_id(action: object) -> int:
    number = integer(action, "action")
    if not 0 <= number < N_ACTIONS:
        raise IllegalMoveError(f"action is {number}; RLCard's ids are 0 … {PASS_ID}")
    return number


def action_move(action: int) -> Move:
    """The move of an action id.

    Raises
    ------
    IllegalMoveError
        No such id.
    TypeError
        No whole number.

    Examples
    --------
    >>> print(action_move(512), action_move(27471))
    333444+55 pass
    """
    number = _checked_id(action)
    table = _actions()
    return table.space.move(table.ours[number])


def action_string(action: int) -> str:
    """RLCard's text of an action id: the cards in ascending order, or ``"pass"``.

    Raises
    ------
    IllegalMoveError
        No such id.
    TypeError
        No whole number.

    Examples
    --------
    >>> action_string(512)
    '33344455'
    """
    return _actions().strings[_checked_id(action)]


def action_id(move: Move | str) -> int:
    """The action id of a move, or of RLCard's text of one.

    Parameters
    ----------
    move : Move or str
        Of a text only the cards count, not their order.

    Raises
    ------
    IllegalMoveError
        No action of RLCard's.
    InvalidCardsError
        A text that names no cards.
    TypeError
        Neither a move nor a text.

    Examples
    --------
    >>> action_id("pass"), action_id("33344455"), action_id(Move.parse("333444+55"))
    (27471, 512, 512)
    """
    if not isinstance(move, (Move, str)):
        raise TypeError(f"move must be a Move or a str, not {repr(move)[:80]}")
    table = _actions()
    if isinstance(move, str):
        readings = (Move.PASS,) if move == "pass" else classify(move, table.space.rules)
        if not readings:
            raise IllegalMoveError(f"{move[:80]!r} is no action of RLCard's")
        move = readings[0]
    return int(table.of_ours[table.space.id(move)])


def action_ids(moves: MoveList | NDArray[np.void]) -> NDArray[np.int64]:
    """The action ids of many moves at once.

    Parameters
    ----------
    moves : MoveList or structured ndarray
        As `legal_moves` or `legal_moves_batch` gives them under the rules ``rlcard``.

    Returns
    -------
    ndarray of int64

    Raises
    ------
    IllegalMoveError
        A move that RLCard does not have.
    TypeError
        No moves.

    Examples
    --------
    >>> from ddz_core import legal_moves
    >>> action_ids(legal_moves("3334", rules="rlcard"))
    array([ 0,  1, 15, 28, 41])
    """
    table = _actions()
    ids: NDArray[np.int64] = table.of_ours[table.space.ids(moves)]
    return ids


# ---- the environment -----------------------------------------------------------------------------


class DoudizhuEnv:
    """RLCard's Dou Dizhu environment, over ddz_core's position.

    Same seeds give the same deals, and states, legal actions and payoffs are equal to those of
    RLCard 1.2.0's own ``rlcard.make("doudizhu")``, its peculiarities included, with these
    exceptions: the order of legal actions, a refused action is an error, and `step_back` takes back
    everything (RLCard leaves played cards out of ``seen_cards`` and in ``action_record``).

    Parameters
    ----------
    config : mapping, optional
        ``"seed"`` (int or None) and ``"allow_step_back"`` (bool); other keys are ignored.

    Attributes
    ----------
    name : str
    num_players, num_actions : int
    state_shape, action_shape : list
    allow_step_back : bool
    timestep : int
        Steps since the environment was made.
    action_recorder : list of (int, str)
        What was played since the last reset.
    agents : list
        Set by `set_agents`.

    Raises
    ------
    DdzError
        A negative seed.
    TypeError
        A config that is no mapping, or a seed that is no whole number.

    Examples
    --------
    >>> env = DoudizhuEnv({"seed": 1})
    >>> state, seat = env.reset()
    >>> seat, state["obs"].shape, state["raw_obs"]["current_hand"]
    (0, (790,), '3344457899TJJQQKK2BR')
    """

    name = "doudizhu"
    num_players = SEATS
    num_actions = N_ACTIONS

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        config = {} if config is None else config
        if not isinstance(config, Mapping):
            raise TypeError(f"config must be a mapping, not {repr(config)[:80]}")
        self.allow_step_back = bool(config.get("allow_step_back", False))
        self.state_shape = [[790], [901], [901]]
        self.action_shape = [[54] for _ in range(SEATS)]
        self.agents: Sequence[Any] = []
        self.timestep = 0
        self.action_recorder: list[tuple[int, str]] = []
        self._position: Position | None = None
        self._ids: list[int] = []
        self.seed(config.get("seed"))

    def seed(self, seed: int | None = None) -> int:
        """Seed the deals, as RLCard does.

        Returns
        -------
        int
            The seed used.

        Raises
        ------
        DdzError
            A negative seed.
        """
        if seed is None:
            number = int.from_bytes(os.urandom(8), "little")
        else:
            number = integer(seed, "seed")
            if number < 0:
                raise DdzError(f"seed is {number}; it must not be negative")
            number %= 1 << 64
        # RLCard's way, which is gym's of old: a hash, cut into words for numpy's legacy generator.
        digest = int.from_bytes(hashlib.sha512(str(number).encode()).digest()[:8], "little")
        words = [digest & 0xFFFFFFFF, digest >> 32]
        self.np_random = np.random.RandomState(words if words[1] else words[:1])
        return number

    # ---- the game ------------------------------------------------------------------------------

    def reset(self) -> tuple[State, int]:
        """Deal anew.

        Returns
        -------
        state : dict
            What the landlord sees.
        seat : int
            0, the landlord.
        """
        pack = list(range(54))
        self.np_random.shuffle(pack)
        kitty = sorted(pack[-3:], key=RANK_OF.__getitem__)
        dealt = [pack[:HAND] + pack[-3:], pack[HAND : 2 * HAND], pack[2 * HAND : 3 * HAND]]
        # RLCard sorts twice, before and after the landlord takes the kitty.
        dealt[LANDLORD][:HAND] = sorted(dealt[LANDLORD][:HAND], key=RANK_OF.__getitem__)
        self._dealt = [sorted(hand, key=RANK_OF.__getitem__) for hand in dealt]
        self._seen = "".join(RANK_SYMBOLS[RANK_OF[card]] for card in kitty)
        hands = [Hand("".join(RANK_SYMBOLS[RANK_OF[card]] for card in hand)) for hand in dealt]
        self._position = Position(hands, LANDLORD, rules=Rules.rlcard())
        self._start = hands
        self._ids = []
        self._trace: list[tuple[int, str]] = []
        self.action_recorder = []
        self._look()
        return self._state(LANDLORD), LANDLORD

    def _playing(self) -> Position:
        if self._position is None:
            raise PhaseError("there is no game: call reset first")
        return self._position

    def _look(self) -> None:
        """What the seat to move may do."""
        position = self._playing()
        over = position.winner is not None
        self._legal = [] if over else action_ids(position.legal_moves()).tolist()

    def step(self, action: int | str, raw_action: bool = False) -> tuple[State, int]:
        """Play for the seat to move.

        Parameters
        ----------
        action : int or str
            An action id; RLCard's text of one with `raw_action`.
        raw_action : bool

        Returns
        -------
        state : dict
            What the next seat sees.
        seat : int
            The next seat.

        Raises
        ------
        IllegalMoveError
            Not legal here; nothing has changed.
        PhaseError
            The game is over or has not begun.
        """
        position = self._playing()
        if position.winner is not None:
            raise PhaseError(f"the game is over: seat {position.winner} has won; call reset")
        named = raw_action and isinstance(action, str)
        number = action_id(action) if named else _checked_id(action)  # type: ignore[arg-type]
        if number not in self._legal:
            table = "a lead" if position.last is None else str(position.last)
            raise IllegalMoveError(
                f"action {number} ({action_string(number)}) is not legal for seat {position.turn} "
                f"with {position.hands[position.turn]} on {table}"
            )
        text = action_string(number)
        seat = position.turn
        position.play(action_move(number))
        self._ids.append(number)
        self._trace.append((seat, text))
        self.action_recorder.append((seat, text))
        self.timestep += 1
        self._look()
        following = self.get_player_id()
        return self._state(following), following

    def step_back(self) -> tuple[State, int] | bool:
        """Take the last action back.

        Returns
        -------
        (dict, int) or False
            The state and the seat that is to move again; False at the start of the game.

        Raises
        ------
        PhaseError
            The environment was made without ``allow_step_back``, or has no game.
        """
        if not self.allow_step_back:
            raise PhaseError("step_back is off: make the environment with allow_step_back=True")
        position = self._playing()
        if not self._ids:
            return False
        position.undo()
        self._ids.pop()
        self._trace.pop()
        self.action_recorder.pop()
        self._look()
        seat = self.get_player_id()
        return self._state(seat), seat

    def is_over(self) -> bool:
        """Whether somebody has won."""
        return self._playing().winner is not None

    def get_player_id(self) -> int:
        """The seat to move; after the end the one that would be next."""
        self._playing()
        return len(self._ids) % SEATS

    def get_payoffs(self) -> NDArray[np.int64]:
        """1 for each seat of the winning side and 0 for the other.

        Raises
        ------
        PhaseError
            The game is not over.
        """
        winner = self._playing().winner
        if winner is None:
            raise PhaseError("there are no payoffs before the end of the game")
        return np.array([1, 0, 0] if winner == LANDLORD else [0, 1, 1])

    # ---- what agents see -----------------------------------------------------------------------

    def get_state(self, player_id: int) -> State:
        """What a seat sees, be it to move or not.

        Raises
        ------
        DdzError
            No such seat.
        """
        self._playing()
        seat = integer(player_id, "player_id")
        if not 0 <= seat < SEATS:
            raise DdzError(f"player_id is {seat}; there are seats 0 … {SEATS - 1}")
        return self._state(seat)

    def _state(self, seat: int) -> State:
        table = _actions()
        position = self._playing()
        hands = position.hands
        played = [start - hand for start, hand in zip(self._start, hands, strict=True)]
        left = [len(hand) for hand in hands]
        vectors, ids = table.vectors, self._ids
        mate, foe = (3 - seat, LANDLORD) if seat else (1, 2)
        others = hands[(seat + 1) % 3] + hands[(seat + 2) % 3]
        shown = (hands[seat], others, played[foe], played[mate])
        packed = np.array([hand.packed for hand in shown], np.uint64)
        own, rest, first, second = unary(unpack_counts(packed))
        recent = np.zeros((HISTORY, 54), np.int8)
        if ids:
            known = vectors[ids[-HISTORY:]]
            recent[HISTORY - len(known) :] = known
        last = recent[-1]
        if len(ids) > 1 and ids[-1] == PASS_ID:
            last = recent[-2]
        parts = [own, rest, last, recent.ravel(), first, second]
        if seat != LANDLORD:
            # RLCard's loop for the last actions of landlord and partner ends at their first ones.
            nothing = vectors[PASS_ID]
            parts.append(vectors[ids[0]] if ids else nothing)
            parts.append(vectors[ids[mate]] if len(ids) > mate else nothing)
        parts.append(_one_hot(left[foe], LANDLORD_HAND if foe == LANDLORD else HAND))
        parts.append(_one_hot(left[mate], HAND))

        strings = table.strings
        legal = self._legal
        actions = [strings[number] for number in self._actions_of(seat, hands)]
        raw = {
            "seen_cards": self._unplayed_kitty(played[LANDLORD]),
            "landlord": LANDLORD,
            "trace": self._trace.copy(),
            "played_cards": [str(hand) for hand in played],
            "self": seat,
            "current_hand": str(hands[seat]),
            "others_hand": str(others),
            "num_cards_left": left,
            "actions": actions,
        }
        return OrderedDict(
            obs=np.concatenate(parts),
            legal_actions=dict(zip(legal, vectors[legal], strict=True)) if legal else {},
            raw_obs=raw,
            raw_legal_actions=actions.copy(),
            action_record=self.action_recorder,
        )

    def _actions_of(self, seat: int, hands: Sequence[Hand]) -> list[int]:
        """A seat's actions, as if it were to move."""
        if seat == self.get_player_id() or self.is_over():
            return self._legal
        turn = len(self._ids) - 1
        while turn >= 0 and self._ids[turn] == PASS_ID:
            turn -= 1
        leads = turn < 0 or turn % SEATS == seat
        last = None if leads else action_move(self._ids[turn])
        ids: list[int] = action_ids(legal_moves(hands[seat], last, Rules.rlcard())).tolist()
        return ids

    def _unplayed_kitty(self, played: Hand) -> str:
        """The kitty without each rank of which the landlord has played a card."""
        return "".join([card for card in self._seen if card not in played])

    def get_perfect_information(self) -> State:
        """All hands, what was played, and who is to move with which actions."""
        hands = self._playing().hands
        suited = []
        for hand, start, dealt in zip(hands, self._start, self._dealt, strict=True):
            # RLCard plays the first card of a rank that it finds.
            gone = (start - hand).counts.tolist()
            kept = []
            for card in dealt:
                if gone[RANK_OF[card]]:
                    gone[RANK_OF[card]] -= 1
                else:
                    kept.append(PACK[card])
            suited.append(" ".join(kept))
        return {
            "hand_cards_with_suit": suited,
            "hand_cards": [str(hand) for hand in hands],
            "trace": self._trace.copy(),
            "current_player": self.get_player_id(),
            "legal_actions": [action_string(number) for number in self._legal],
        }

    def get_action_feature(self, action: int) -> NDArray[np.int8]:
        """The 54 places of an action's cards.

        Raises
        ------
        IllegalMoveError
            No such id.
        """
        vector: NDArray[np.int8] = _actions().vectors[_checked_id(action)].copy()
        return vector

    # ---- whole games ---------------------------------------------------------------------------

    def set_agents(self, agents: Sequence[Any]) -> None:
        """Seat the agents that `run` asks: three objects as RLCard's, with ``step``, ``eval_step``
        and ``use_raw``.

        Raises
        ------
        DdzError
            Not three of them.
        """
        if len(agents) != SEATS:
            raise DdzError(f"{len(agents)} agents for {SEATS} seats")
        self.agents = agents

    def run(self, is_training: bool = False) -> tuple[list[list[Any]], NDArray[np.int64]]:
        """Play a game with the agents that were set.

        Parameters
        ----------
        is_training : bool
            Ask ``step`` instead of ``eval_step``.

        Returns
        -------
        trajectories : list of list
            For each seat its states and actions in turn, ending with its state at the end.
        payoffs : ndarray

        Raises
        ------
        PhaseError
            No agents were set.
        """
        if not self.agents:
            raise PhaseError("there are no agents: call set_agents first")
        trajectories: list[list[Any]] = [[] for _ in range(SEATS)]
        state, seat = self.reset()
        while not self.is_over():
            agent = self.agents[seat]
            action = agent.step(state) if is_training else agent.eval_step(state)[0]
            trajectories[seat] += [state, action]
            state, seat = self.step(action, agent.use_raw)
        for number in range(SEATS):
            trajectories[number].append(self._state(number))
        return trajectories, self.get_payoffs()


def _one_hot(cards: int, size: int) -> NDArray[np.int8]:
    """Cards left as RLCard writes them: none is written as the most."""
    vector = np.zeros(size, np.int8)
    vector[cards - 1] = 1
    return vector


def make(env_id: str = "doudizhu", config: Mapping[str, Any] | None = None) -> DoudizhuEnv:
    """An environment, called as ``rlcard.make`` is.

    Raises
    ------
    DdzError
        Another game than ``"doudizhu"``.
    """
    if env_id != "doudizhu":
        raise DdzError(f"env_id is {repr(env_id)[:80]}; ddz_core has 'doudizhu'")
    return DoudizhuEnv(config)


def register(env_id: str = "ddz-core") -> None:
    """Let ``rlcard.make(env_id)`` make this environment.

    Raises
    ------
    ImportError
        RLCard is not installed.
    ValueError
        RLCard has an environment of that name already.
    """
    from rlcard.envs import registration  # type: ignore[import-untyped, import-not-found, unused-ignore]  # noqa: PLC0415

    registration.register(env_id=env_id, entry_point="ddz_core.interop.rlcard:DoudizhuEnv")
