"""DouZero's move generator, game and environment over ddz_core, to be imported in their stead.

``from ddz_core.interop.douzero import Env`` instead of ``from douzero.env import Env`` is all that
an actor needs. Nothing here imports DouZero or torch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ddz_core._position import Position
from ddz_core._queries import legal_moves
from ddz_core._values import Hand, Move, MoveList, integer, no_moves
from ddz_core.checks import one_of
from ddz_core.errors import DdzError, IllegalMoveError, InvalidCardsError, PhaseError
from ddz_core.features import douzero_features
from ddz_core.game import Phase
from ddz_core.observation import Observation
from ddz_core.rules import Rules
from ddz_core.vocabulary import Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "POSITIONS",
    "RANKS",
    "Env",
    "GameEnv",
    "InfoSet",
    "MovesGener",
    "from_cards",
    "get_obs",
    "to_cards",
]

# DouZero's numbers for the ranks from 3 up: the two is 17, the jokers are 20 and 30.
RANKS = (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 20, 30)
INDEX = {number: place for place, number in enumerate(RANKS)}
# Its seats in the order of play, which is ours from the landlord on, …
POSITIONS = ("landlord", "landlord_down", "landlord_up")
# … and in the order in which it lists them.
LISTED = ("landlord", "landlord_up", "landlord_down")
SEAT_OF = {position: seat for seat, position in enumerate(POSITIONS)}
OBJECTIVES = ("adp", "wp", "logadp")
PACK = [number for number in RANKS for _ in range(4 if number < 20 else 1)]

_RULES = Rules.douzero()


# ---- cards ---------------------------------------------------------------------------------------


def to_cards(cards: Hand | Move | str) -> list[int]:
    """DouZero's list of a hand or of a move's cards, in ascending order.

    Examples
    --------
    >>> to_cards("33TA2BR")
    [3, 3, 10, 14, 17, 20, 30]
    """
    hand = cards.cards if isinstance(cards, Move) else Hand(cards)
    return list(_numbers(hand.packed))


def from_cards(cards: Iterable[int]) -> Hand:
    """The hand of a list of DouZero's numbers.

    Raises
    ------
    InvalidCardsError
        A number that is no rank, or more cards of one than there are.
    TypeError
        Not a list of whole numbers.

    Examples
    --------
    >>> print(from_cards([30, 17, 3, 3]))
    332R
    """
    if isinstance(cards, str | bytes | Mapping) or not isinstance(cards, Iterable):
        raise TypeError(f"cards must be a list of numbers, not {repr(cards)[:80]}")
    counts = [0] * len(RANKS)
    for card in cards:
        place = INDEX.get(integer(card, "card"))
        if place is None:
            raise InvalidCardsError(
                f"{card} is no rank of DouZero's; they are {', '.join(map(str, RANKS))}"
            )
        counts[place] += 1
        if counts[place] > (4 if place < 13 else 1):
            raise InvalidCardsError(f"{counts[place]} cards {card} in {repr(list(cards))[:80]}")
    return Hand.from_counts(counts)


@lru_cache(maxsize=1 << 16)
def _numbers(packed: int) -> tuple[int, ...]:
    return tuple(
        number for place, number in enumerate(RANKS) for _ in range(packed >> 4 * place & 15)
    )


def _lists(moves: NDArray[np.void]) -> list[list[int]]:
    return [list(_numbers(packed)) for packed in moves["cards"].tolist()]


# ---- the move generator --------------------------------------------------------------------------


class MovesGener:
    """All leads of a hand by DouZero's types, each list of cards once and in ascending order.

    Parameters
    ----------
    cards_list : list of int

    Raises
    ------
    InvalidCardsError
        Numbers that are no cards, more of a rank than there are, or more than 20 cards.

    Examples
    --------
    >>> MovesGener([3, 3, 3, 4]).gen_moves()
    [[3], [4], [3, 3], [3, 3, 3], [3, 3, 3, 4]]
    """

    def __init__(self, cards_list: list[int]) -> None:
        hand = from_cards(cards_list)
        self.cards_list = cards_list
        self._moves = legal_moves(hand, None, _RULES).array if hand else no_moves

    def _of(self, kind: Kind, repeat_num: int = 0, least: int = 0) -> list[list[int]]:
        chosen = self._moves[self._moves["kind"] == int(kind)]
        # DouZero takes a number that is too small for none.
        if repeat_num >= max(least, 1):
            chosen = chosen[chosen["length"] == repeat_num]
        return _unique(_lists(chosen))

    def gen_type_1_single(self) -> list[list[int]]:
        """Single cards."""
        return self._of(Kind.SINGLE)

    def gen_type_2_pair(self) -> list[list[int]]:
        """Pairs."""
        return self._of(Kind.PAIR)

    def gen_type_3_triple(self) -> list[list[int]]:
        """Triples."""
        return self._of(Kind.TRIPLE)

    def gen_type_4_bomb(self) -> list[list[int]]:
        """Bombs."""
        return self._of(Kind.BOMB)

    def gen_type_5_king_bomb(self) -> list[list[int]]:
        """The rocket."""
        return self._of(Kind.ROCKET)

    def gen_type_6_3_1(self) -> list[list[int]]:
        """Triples with a single card."""
        return self._of(Kind.TRIPLE_SINGLE)

    def gen_type_7_3_2(self) -> list[list[int]]:
        """Triples with a pair."""
        return self._of(Kind.TRIPLE_PAIR)

    def gen_type_8_serial_single(self, repeat_num: int = 0) -> list[list[int]]:
        """Straights, of one length where it is given."""
        return self._of(Kind.STRAIGHT, repeat_num, 5)

    def gen_type_9_serial_pair(self, repeat_num: int = 0) -> list[list[int]]:
        """Pair straights, of one length where it is given."""
        return self._of(Kind.PAIR_STRAIGHT, repeat_num, 3)

    def gen_type_10_serial_triple(self, repeat_num: int = 0) -> list[list[int]]:
        """Bare airplanes, of one length where it is given."""
        return self._of(Kind.AIRPLANE, repeat_num, 2)

    def gen_type_11_serial_3_1(self, repeat_num: int = 0) -> list[list[int]]:
        """Airplanes with single cards, of one length where it is given."""
        return self._of(Kind.AIRPLANE_SINGLES, repeat_num, 2)

    def gen_type_12_serial_3_2(self, repeat_num: int = 0) -> list[list[int]]:
        """Airplanes with pairs, of one length where it is given."""
        return self._of(Kind.AIRPLANE_PAIRS, repeat_num, 2)

    def gen_type_13_4_2(self) -> list[list[int]]:
        """Four with two single cards."""
        return self._of(Kind.QUAD_SINGLES)

    def gen_type_14_4_22(self) -> list[list[int]]:
        """Four with two pairs."""
        return self._of(Kind.QUAD_PAIRS)

    def gen_moves(self) -> list[list[int]]:
        """Everything."""
        return _unique(_lists(self._moves))


def _unique(lists: list[list[int]]) -> list[list[int]]:
    """Each list once: some cards have more than one reading."""
    return [list(cards) for cards in dict.fromkeys(map(tuple, lists))]


# ---- what a player is shown ----------------------------------------------------------------------


class InfoSet:
    """DouZero's description of a moment, its fields made when they are first asked for.

    They are the caller's own: changing one changes nothing else.

    Attributes
    ----------
    player_position : str
    player_hand_cards : list of int
    num_cards_left_dict : dict of str to int
    three_landlord_cards : list of int
        Those that the landlord has not played.
    card_play_action_seq : list of list of int
    other_hand_cards : list of int
        Of both other players together.
    legal_actions : list of list of int
        Each once; to pass, if that is allowed, is ``[]``.
    last_move : list of int
        The last play, if it was at most one pass ago.
    last_two_moves : list of list of int
        The latest first.
    last_move_dict, played_cards, all_handcards : dict of str to list of int
    last_pid : str
        Who made the last play.
    bomb_num : int
    """

    def __init__(
        self,
        player_position: str,
        *,
        observation: Observation,
        hands: tuple[Hand, ...],
        kitty: list[int],
        last_pid: str,
        bomb_num: int,
    ) -> None:
        self.player_position = player_position
        self.last_pid = last_pid
        self.bomb_num = bomb_num
        self.three_landlord_cards = kitty
        self._observation = observation
        self._hands = hands

    @property
    def observation(self) -> Observation:
        """The same moment as ddz_core shows it, without the others' hands."""
        return self._observation

    @cached_property
    def player_hand_cards(self) -> list[int]:
        """The player's own cards."""
        return to_cards(self._observation.hand)

    @cached_property
    def num_cards_left_dict(self) -> dict[str, int]:
        """How many cards each player has."""
        return {position: len(self._hands[SEAT_OF[position]]) for position in LISTED}

    @cached_property
    def card_play_action_seq(self) -> list[list[int]]:
        """Every play and pass."""
        return [to_cards(move) for _, move in self._observation.moves]

    @cached_property
    def other_hand_cards(self) -> list[int]:
        """The cards of the two others."""
        return [
            card
            for position in LISTED
            if position != self.player_position
            for card in to_cards(self._hands[SEAT_OF[position]])
        ]

    @cached_property
    def legal_actions(self) -> list[list[int]]:
        """What may be played."""
        return _lists(_rows(self._observation.legal_moves))

    @cached_property
    def last_move(self) -> list[int]:
        """The last play, if it was at most one pass ago."""
        # Not from last_two_moves, which may have been changed.
        latest = [to_cards(move) for _, move in self._observation.moves[-2:] if move.n_cards]
        return latest[-1] if latest else []

    @cached_property
    def last_two_moves(self) -> list[list[int]]:
        """The last two moves, the latest first."""
        moves = [to_cards(move) for _, move in self._observation.moves[-2:]]
        return [*reversed(moves), [], []][:2]

    @cached_property
    def last_move_dict(self) -> dict[str, list[int]]:
        """Each player's latest move."""
        latest: dict[str, list[int]] = {position: [] for position in LISTED}
        for seat, move in self._observation.moves[-3:]:
            latest[POSITIONS[seat]] = to_cards(move)
        return latest

    @cached_property
    def played_cards(self) -> dict[str, list[int]]:
        """What each player has played, in order."""
        played: dict[str, list[int]] = {position: [] for position in LISTED}
        for seat, move in self._observation.moves:
            played[POSITIONS[seat]] += to_cards(move)
        return played

    @cached_property
    def all_handcards(self) -> dict[str, list[int]]:
        """Everybody's cards."""
        return {position: to_cards(self._hands[SEAT_OF[position]]) for position in LISTED}


def _rows(moves: MoveList) -> NDArray[np.void]:
    """One move for each set of cards, the first."""
    array = moves.array
    kept = _kept(moves)
    return array if kept is None else array[kept]


def _kept(moves: MoveList) -> NDArray[np.intp] | None:
    """Places of the first readings; None when every set of cards has only one."""
    array = moves.array
    # Only airplanes have more than one reading, and those of four at least.
    if not len(array) or int(array["n_cards"].max()) < 12:
        return None
    first = np.unique(array["cards"], return_index=True)[1]
    return None if len(first) == len(array) else np.sort(first)


def get_obs(infoset: InfoSet) -> dict[str, Any]:
    """What DouZero's ``get_obs`` gives for the same moment, in the same layout.

    Returns
    -------
    dict
        ``position``, ``x_batch`` and ``z_batch`` (float32, a row for each legal action),
        ``legal_actions``, ``x_no_action`` and ``z`` (int8).

    Raises
    ------
    TypeError
        Not an `InfoSet` of ours.
    """
    if not isinstance(infoset, InfoSet):
        raise TypeError(
            f"infoset must be an InfoSet of ddz_core, not {type(infoset).__name__}; "
            "DouZero's own get_obs reads either"
        )
    seen = infoset.observation
    features = douzero_features(seen)
    x, z = features.x, features.z
    kept = _kept(seen.legal_moves)
    if kept is not None:
        x = x[kept]
    return {
        "position": infoset.player_position,
        "x_batch": x,
        "z_batch": np.repeat(z[None], len(x), axis=0),
        "legal_actions": infoset.legal_actions,
        "x_no_action": features.x_no_action,
        "z": z.astype(np.int8),
    }


# ---- the game ------------------------------------------------------------------------------------


class Player(Protocol):
    """Who is asked for moves."""

    def act(self, infoset: InfoSet) -> list[int]:
        """One of ``infoset.legal_actions``."""
        ...


class GameEnv:
    """DouZero's game, in which the players sit and are asked.

    Parameters
    ----------
    players : mapping of str to player
        For each of `POSITIONS` an object with ``act(infoset)``.

    Attributes
    ----------
    game_infoset : InfoSet
        What the player to act is shown.
    acting_player_position : str or None
    game_over : bool
    bomb_num : int
        Bombs and rockets played.
    num_wins, num_scores : dict of str to int
        Of ``"landlord"`` and ``"farmer"``, over all games since this was made.
    player_utility_dict : dict of str to int or None
    winner : str or None
        ``"landlord"`` or ``"farmer"``.

    Notes
    -----
    The lists given to `card_play_init` are left as they are, while DouZero takes played cards out
    of them. docs/interop.md lists where its legal actions differ.
    """

    def __init__(self, players: Mapping[str, Player]) -> None:
        missing = [position for position in POSITIONS if position not in players]
        if missing:
            raise DdzError(f"players has nobody for {', '.join(missing)}")
        self.players = players
        self.num_wins = {"landlord": 0, "farmer": 0}
        self.num_scores = {"landlord": 0, "farmer": 0}
        self.reset()

    def reset(self) -> None:
        """Put the cards away; the totals stay."""
        self._position: Position | None = None
        self._moves: list[tuple[int, Move]] = []
        self._kitty: list[int] = []
        self._kitty_hand = Hand()
        self.game_infoset: InfoSet | None = None
        self.game_over = False
        self.bomb_num = 0
        self.last_pid = "landlord"
        self.acting_player_position: str | None = None
        self.player_utility_dict: dict[str, int] | None = None
        self.winner: str | None = None

    def card_play_init(self, card_play_data: Mapping[str, Iterable[int]]) -> None:
        """Deal.

        Parameters
        ----------
        card_play_data : mapping
            Lists of cards under ``landlord``, ``landlord_down``, ``landlord_up`` and
            ``three_landlord_cards``, which the landlord holds.

        Raises
        ------
        DdzError
            A list is missing, or a player has no cards.
        InvalidCardsError
            Numbers that are no cards, more of a rank than the pack has, or landlord's cards that he
            does not hold.
        TypeError
            Something that is no list of numbers.
        """
        names = (*POSITIONS, "three_landlord_cards")
        missing = [name for name in names if name not in card_play_data]
        if missing:
            raise DdzError(f"card_play_data has no {', '.join(missing)}")
        *hands, kitty = (from_cards(card_play_data[name]) for name in names)
        if not kitty <= hands[0]:
            raise InvalidCardsError(
                f"three_landlord_cards are {kitty}, but the landlord holds {hands[0]}"
            )
        for name, hand in zip(names, hands, strict=False):
            if not hand:
                raise DdzError(f"{name} has no cards")
        # More of a rank than the pack has is refused here.
        from_cards(to_cards(hands[0]) + to_cards(hands[1]) + to_cards(hands[2]))
        position = Position(hands, rules=_RULES)
        self.reset()
        self._position = position
        self._kitty_hand = kitty
        self._kitty = list(card_play_data["three_landlord_cards"])
        self._show(position)

    def _show(self, position: Position) -> None:
        seat = position.turn
        hands = position.hands
        last = position.last
        seen = Observation(
            rules=_RULES,
            seat=seat,
            phase=Phase.PLAY,
            turn=seat,
            landlord=0,
            hand=hands[seat],
            face_up=None,
            kitty=self._kitty_hand,
            bids=(),
            redeals=0,
            moves=tuple(self._moves),
            last=last,
            last_seat=position.last_seat,
            passes=position.passes,
            cards_left=tuple(map(len, hands)),
            unseen=hands[(seat + 1) % 3] + hands[(seat + 2) % 3],
            base=1,
            robs=0,
            handicap=0,
            multiplier=1 << self.bomb_num,
            legal_moves=position.legal_moves(),
            legal_bids=(),
        )
        self.acting_player_position = POSITIONS[seat]
        self.game_infoset = InfoSet(
            POSITIONS[seat],
            observation=seen,
            hands=hands,
            kitty=self._kitty.copy(),
            last_pid=self.last_pid,
            bomb_num=self.bomb_num,
        )

    def step(self) -> None:
        """Ask the acting player, and play what he says.

        Raises
        ------
        IllegalMoveError
            It is none of the legal actions; nothing has changed.
        PhaseError
            The game is over or was not dealt.
        """
        infoset, position = self._asked()
        self._play(infoset, position, self.players[infoset.player_position].act(infoset))

    def _asked(self) -> tuple[InfoSet, Position]:
        if self.game_over:
            raise PhaseError(f"the game is over: the {self.winner} has won; call reset")
        if self._position is None or self.game_infoset is None:
            raise PhaseError("no cards have been dealt: call card_play_init")
        return self.game_infoset, self._position

    def _play(self, infoset: InfoSet, position: Position, action: list[int]) -> None:
        cards = from_cards(action)
        legal = infoset.observation.legal_moves
        readings = np.flatnonzero(legal.array["cards"] == np.uint64(cards.packed)).tolist()
        if not readings:
            raise IllegalMoveError(
                f"{infoset.player_position} cannot play {repr(action)[:120]} from "
                f"{infoset.player_hand_cards} on {infoset.last_move or 'a lead'}"
            )
        # Of several readings DouZero takes that without kickers; and we else the highest.
        move = max(
            (legal[place] for place in readings),
            key=lambda one: (-len(one.kickers), -1 if one.rank is None else int(one.rank)),
        )
        seat = position.turn
        position.play(move)
        self._moves.append((seat, move))
        if move.n_cards:
            self.last_pid = POSITIONS[seat]
        if move.kind in (Kind.BOMB, Kind.ROCKET):
            self.bomb_num += 1
        if seat == 0:
            for card in to_cards(cards):
                if card in self._kitty:
                    self._kitty.remove(card)
        if position.winner is None:
            self._show(position)
        else:
            self._end(position.winner)

    def _end(self, winner: int) -> None:
        won = winner == 0
        self.game_over = True
        self.winner = "landlord" if won else "farmer"
        self.player_utility_dict = (
            {"landlord": 2, "farmer": -1} if won else {"landlord": -2, "farmer": 1}
        )
        self.num_wins[self.winner] += 1
        for side, utility in self.player_utility_dict.items():
            self.num_scores[side] += utility << self.bomb_num

    # ---- as DouZero's has them -----------------------------------------------------------------

    @property
    def card_play_action_seq(self) -> list[list[int]]:
        """Every play and pass, as a new list."""
        return [to_cards(move) for _, move in self._moves]

    @property
    def three_landlord_cards(self) -> list[int]:
        """Those that the landlord has not played, as a new list."""
        return self._kitty.copy()

    def get_winner(self) -> str | None:
        """``"landlord"`` or ``"farmer"``; None before the end."""
        return self.winner

    def get_bomb_num(self) -> int:
        """Bombs and rockets played."""
        return self.bomb_num

    def get_legal_card_play_actions(self) -> list[list[int]]:
        """The acting player's legal actions, as a new list."""
        infoset, _ = self._asked()
        return _lists(_rows(infoset.observation.legal_moves))

    def get_infoset(self) -> InfoSet:
        """What the acting player is shown."""
        return self._asked()[0]


# ---- the environment -----------------------------------------------------------------------------


class _Told:
    """A player who plays what he is told."""

    def __init__(self) -> None:
        self.action: list[int] = []

    def act(self, infoset: InfoSet) -> list[int]:
        return self.action


class Env:
    """DouZero's environment for actors.

    Parameters
    ----------
    objective : {"adp", "wp", "logadp"}
        What the reward at the end is to the landlord: 2 to the number of bombs, 1, or one more than
        the number of bombs; negative when the peasants win.
    rng : numpy.random.Generator, optional
        Deals the cards. Without it numpy's global generator does, as in DouZero: after the same
        ``numpy.random.seed`` the deals are the same.

    Attributes
    ----------
    infoset : InfoSet or None

    Raises
    ------
    DdzError
        Another objective.
    TypeError
        No generator.

    Examples
    --------
    >>> import numpy as np
    >>> env = Env("adp", np.random.default_rng(1))
    >>> obs = env.reset()
    >>> obs["position"], obs["x_batch"].shape[1], obs["z"].shape
    ('landlord', 373, (5, 162))
    >>> obs, reward, done, _ = env.step(obs["legal_actions"][0])
    >>> obs["position"], reward, done
    ('landlord_down', 0.0, False)
    """

    def __init__(self, objective: str, rng: np.random.Generator | None = None) -> None:
        self.objective = one_of(objective, "objective", OBJECTIVES)
        if rng is not None and not hasattr(rng, "shuffle"):
            raise TypeError(f"rng must be a numpy.random.Generator, not {repr(rng)[:80]}")
        self._rng = rng
        self._env = GameEnv({position: _Told() for position in POSITIONS})
        self.infoset: InfoSet | None = None

    def reset(self) -> dict[str, Any]:
        """Deal anew; what `get_obs` gives for the landlord."""
        pack = PACK.copy()
        if self._rng is None:
            np.random.shuffle(pack)  # noqa: NPY002
        else:
            self._rng.shuffle(pack)
        self._env.card_play_init(
            {
                "landlord": sorted(pack[:20]),
                "landlord_up": sorted(pack[20:37]),
                "landlord_down": sorted(pack[37:]),
                "three_landlord_cards": sorted(pack[17:20]),
            }
        )
        infoset = self.infoset = self._env.get_infoset()
        return get_obs(infoset)

    def step(self, action: list[int]) -> tuple[dict[str, Any] | None, float, bool, dict[str, Any]]:
        """Play for the acting player.

        Parameters
        ----------
        action : list of int
            One of the legal actions.

        Returns
        -------
        obs : dict or None
            What `get_obs` gives for the next player; None when the game is over.
        reward : float
            0 before the end.
        done : bool
        info : dict
            Empty.

        Raises
        ------
        IllegalMoveError
            Not a legal action; nothing has changed.
        PhaseError
            The game is over or has not begun.
        """
        game = self._env
        infoset, position = game._asked()
        game._play(infoset, position, action)
        if game.game_over:
            return None, self._reward(), True, {}
        infoset = self.infoset = game.get_infoset()
        return get_obs(infoset), 0.0, False, {}

    def _reward(self) -> float:
        bombs = self._env.bomb_num
        size = {"adp": 2.0**bombs, "logadp": bombs + 1.0, "wp": 1.0}[self.objective]
        return size if self._env.winner == "landlord" else -size

    def close(self) -> None:
        """Nothing to do."""
