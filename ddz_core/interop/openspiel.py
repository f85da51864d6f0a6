"""Dou Dizhu as a Python game of OpenSpiel, with what its own ``dou_dizhu`` lacks.

Importing this registers the game ``python_ddz``, which
``pyspiel.load_game("python_ddz(rules=standard)")`` makes. It has four-with-two, every chain, an
information-state tensor and `resample_from_infostate`, so that IS-MCTS runs on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyspiel  # type: ignore[import-untyped, import-not-found, unused-ignore]

from ddz_core._queries import all_plays
from ddz_core._values import Hand, Move, MoveList, integer, unpack_counts
from ddz_core.actions import ActionSpace
from ddz_core.deal import Deal
from ddz_core.errors import DdzError, IllegalMoveError, PhaseError
from ddz_core.game import Game
from ddz_core.hidden import sample_hidden
from ddz_core.interop._layout import reading_keys, unary
from ddz_core.rules import Rules
from ddz_core.vocabulary import RANK_SYMBOLS, Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Actions", "DdzGame", "DdzObserver", "DdzState", "actions_of", "rules_of"]

SHORT_NAME = "python_ddz"
SEATS = 3
HAND, KITTY = 17, 3
LANDLORD_HAND = HAND + KITTY
DEALT = SEATS * HAND
# Chance: the rank of the next card, or who speaks first.
RANKS = 15
FIRST_OPENER = RANKS
CHANCE_OUTCOMES = RANKS + SEATS
PACK = (4,) * 13 + (1, 1)
# Decisions: pass and the bids, then the plays.
PASS = 0
FIRST_PLAY = 4
# Two passes, a bid, a pass, a bid, a pass, a bid.
MAX_BIDS = 7
# Every card alone, each time passed by the two others, but for the last.
MAX_PLIES = 3 * 54 - 2
# Cards, the rank of the main part, and whether there was a ply at all.
PLY = 54 + RANKS + 1
# At most thirteen bombs, or twelve and the rocket, fit into three hands.
MOST_DOUBLINGS = 13
# Hidden hands drawn at once.
WORLDS = 32

# OpenSpiel's order of the kinds, then those that it does not have.
KIND_ORDER = (
    Kind.SINGLE,
    Kind.STRAIGHT,
    Kind.PAIR,
    Kind.PAIR_STRAIGHT,
    Kind.TRIPLE,
    Kind.TRIPLE_SINGLE,
    Kind.TRIPLE_PAIR,
    Kind.AIRPLANE,
    Kind.AIRPLANE_SINGLES,
    Kind.AIRPLANE_PAIRS,
    Kind.BOMB,
    Kind.ROCKET,
    Kind.QUAD_SINGLES,
    Kind.QUAD_PAIRS,
    Kind.SHUTTLE,
    Kind.SHUTTLE_SINGLES,
    Kind.SHUTTLE_PAIRS,
)


# ---- actions -------------------------------------------------------------------------------------


class _Piece(NamedTuple):
    plays: MoveList
    place: int


class Actions:
    """The action ids of a rule set.

    0 is to pass, in the auction and in the play, and 1, 2, 3 are the bids. From 4 up the first
    26,053 plays have the very ids that OpenSpiel 2.0.2's ``dou_dizhu`` gives them, whatever the
    rules; plays that OpenSpiel does not have follow. So an action means the same under all rules
    that share it. Made by `actions_of`.

    Attributes
    ----------
    rules : Rules
    n : int
        Number of ids.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        theirs = all_plays(Rules.openspiel())
        ours = all_plays(rules)
        known = reading_keys(theirs.array)
        more = np.flatnonzero(~np.isin(reading_keys(ours.array), known)).tolist()
        pieces = [_Piece(theirs, place) for place in _in_order(theirs.array)]
        pieces += [_Piece(ours, more[place]) for place in _in_order(ours.array[more])]
        self._pieces = pieces
        self._space = ActionSpace(rules)
        number = {
            key: action + FIRST_PLAY
            for action, key in enumerate(
                reading_keys(np.array([plays.array[place] for plays, place in pieces])).tolist()
            )
        }
        # Our own ids begin with PASS, whose key no play has.
        number[0] = PASS
        keys = reading_keys(self._space.moves.array).tolist()
        self._of_ours = np.array([number[key] for key in keys], np.int64)
        self.n = FIRST_PLAY + len(pieces)

    def __reduce__(self) -> tuple[Any, ...]:
        return (actions_of, (self.rules,))

    def __deepcopy__(self, memo: object) -> Actions:
        # OpenSpiel copies all that a state has, and the table never changes.
        return self

    def move(self, action: int) -> Move:
        """The move of an id from 4 up, or of 0.

        Raises
        ------
        IllegalMoveError
            No such id, or a bid's.
        TypeError
            No whole number.
        """
        number = integer(action, "action")
        if number == PASS:
            return Move.PASS
        if not FIRST_PLAY <= number < self.n:
            raise IllegalMoveError(
                f"action is {number}; plays have the ids {FIRST_PLAY} … {self.n - 1}, to pass is 0"
            )
        plays, place = self._pieces[number - FIRST_PLAY]
        return plays[place]

    def ids(self, moves: MoveList) -> list[int]:
        """The ids of moves, in their order.

        Raises
        ------
        IllegalMoveError
            A move that the rules do not have.
        """
        found: list[int] = self._of_ours[self._space.ids(moves)].tolist()
        return found


def _in_order(array: NDArray[np.void]) -> list[int]:
    """Places of plays in OpenSpiel's order: by kind, chain length and main part, then by kickers,
    the highest first to be compared."""
    order = np.zeros(len(Kind), np.int64)
    order[[int(kind) for kind in KIND_ORDER]] = np.arange(len(KIND_ORDER))
    sorted_places: list[int] = np.lexsort(
        (array["cards"], array["rank"], array["length"], order[array["kind"]])
    ).tolist()
    return sorted_places


@lru_cache(maxsize=8)
def actions_of(rules: Rules) -> Actions:
    """The action ids of a rule set, kept for the next call.

    Examples
    --------
    >>> actions = actions_of(Rules.standard())
    >>> actions.n, str(actions.move(26057))
    (28241, '3333+44')
    """
    return Actions(rules)


def rules_of(name: str) -> Rules:
    """The rules that a game of this name plays.

    Parameters
    ----------
    name : str
        A preset of three players and one pack.

    Returns
    -------
    Rules
        The preset, except that a deal for which nobody bids is over at 0, as in OpenSpiel: a game
        tree cannot deal anew for ever.

    Raises
    ------
    DdzError
        No such preset, or one of another number of players or cards.
    """
    rules = Rules.preset(name)
    if (rules.players, rules.packs, rules.hand_size, rules.kitty_size) != (SEATS, 1, HAND, KITTY):
        raise DdzError(f"rules is {name!r}; OpenSpiel's game is for three players and one pack")
    if rules.auction == "none" or rules.nobody_bids == "void":
        return rules
    return rules.replace(nobody_bids="void")


# ---- the game ------------------------------------------------------------------------------------

_GAME_TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Dou Dizhu (ddz_core)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=SEATS,
    min_num_players=SEATS,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification={"rules": "standard"},
)


class DdzGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """Dou Dizhu for OpenSpiel.

    Parameters
    ----------
    params : mapping, optional
        ``"rules"``, a preset's name as in `rules_of`; ``"standard"`` by default.

    Attributes
    ----------
    rules : Rules
    actions : Actions
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        self.rules = rules_of(given.get("rules", "standard"))
        self.actions = actions_of(self.rules)
        bidden = self.rules.auction != "none"
        highest = float((3 if bidden else 1) << MOST_DOUBLINGS)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.actions.n,
            max_chance_outcomes=CHANCE_OUTCOMES,
            num_players=SEATS,
            min_utility=-2 * highest,
            max_utility=2 * highest,
            utility_sum=0.0,
            max_game_length=MAX_BIDS * bidden + MAX_PLIES,
        )
        super().__init__(_GAME_TYPE, info, given)

    def new_initial_state(self) -> DdzState:
        """The start: no card has been dealt."""
        return DdzState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> DdzObserver:
        """An observer, OpenSpiel's own default being that of the present without the past."""
        if iig_obs_type is None:
            iig_obs_type = pyspiel.IIGObservationType(perfect_recall=False)
        return DdzObserver(iig_obs_type, params)


class _Worlds:
    """Hidden hands drawn ahead; a copy of the state draws its own."""

    def __init__(self) -> None:
        self.hands: list[NDArray[np.int64]] = []
        self.player = -1
        self.rng = np.random.default_rng(0)

    def __deepcopy__(self, memo: object) -> _Worlds:
        return _Worlds()


class DdzState(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A state of `DdzGame`.

    Chance says who speaks first, unless the rules do, and then deals ranks one by one to the seats
    in turn; what is left is the kitty.

    Attributes
    ----------
    opener : int or None
    dealt : list of list of int
        How many cards of each rank each seat has been dealt.
    game : ddz_core.Game or None
        The game, from the last dealt card on.
    """

    def __init__(self, game: DdzGame) -> None:
        super().__init__(game)
        self._actions = game.actions
        fixed = self.rules.first_bidder in ("seat_0", "rotate")
        self.opener: int | None = 0 if fixed else None
        self.dealt = [[0] * RANKS for _ in range(SEATS)]
        self._left = list(PACK)
        self.game: Game | None = None
        self._worlds = _Worlds()

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self._actions.rules

    # ---- whose turn, and what there is to do ---------------------------------------------------

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's number for chance or the end."""
        if self.game is None:
            return int(pyspiel.PlayerId.CHANCE)
        turn = self.game.turn
        return int(pyspiel.PlayerId.TERMINAL) if turn is None else turn

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.game is not None and self.game.turn is None

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may do, each with its probability.

        Raises
        ------
        PhaseError
            It is not chance's turn.
        """
        if self.game is not None:
            raise PhaseError("the cards have been dealt: it is not chance's turn")
        if self.opener is None:
            return [(FIRST_OPENER + seat, 1 / SEATS) for seat in range(SEATS)]
        total = sum(self._left)
        return [(rank, left / total) for rank, left in enumerate(self._left) if left]

    def _legal_actions(self, player: int) -> list[int]:
        game = self.game
        if game is None or game.turn != player:
            return []
        if game.landlord is None:
            return [int(bid) for bid in game.legal_bids()]
        return sorted(self._actions.ids(game.legal_moves()))

    def _apply_action(self, action: int) -> None:
        game = self.game
        self._worlds = _Worlds()
        if game is None:
            self._apply_chance(action)
        elif game.landlord is None:
            game.bid(action)
        else:
            game.play(self._actions.move(action))

    def _apply_chance(self, action: int) -> None:
        if self.opener is None:
            if not FIRST_OPENER <= action < CHANCE_OUTCOMES:
                raise IllegalMoveError(
                    f"action is {action}; who speaks first is {FIRST_OPENER} … "
                    f"{CHANCE_OUTCOMES - 1}"
                )
            self.opener = action - FIRST_OPENER
            return
        if not 0 <= action < RANKS or not self._left[action]:
            raise IllegalMoveError(f"action is {action}; there is no such rank left to deal")
        number = sum(map(sum, self.dealt))
        self.dealt[number % SEATS][action] += 1
        self._left[action] -= 1
        if number + 1 == DEALT:
            self.game = Game(self.rules, deal=_deal_of([*self.dealt, self._left], self.opener))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            if not 0 <= action < CHANCE_OUTCOMES:
                raise IllegalMoveError(
                    f"action is {action}; chance has the ids 0 … {CHANCE_OUTCOMES - 1}"
                )
            if action >= FIRST_OPENER:
                return f"Opener {action - FIRST_OPENER}"
            return f"Deal {RANK_SYMBOLS[action]}"
        if action == PASS:
            return "Pass"
        return f"Bid {action}" if action < FIRST_PLAY else str(self._actions.move(action))

    def returns(self) -> list[float]:
        """Points won or lost by each seat; zeros before the end."""
        result = None if self.game is None else self.game.result
        return [0.0] * SEATS if result is None else [float(points) for points in result.points]

    # ---- hidden hands --------------------------------------------------------------------------

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> DdzState:
        """A state that this player cannot tell from the present one.

        Parameters
        ----------
        player_id : int
        probability_sampler : callable
            Returns numbers from 0 to 1: all the randomness there is.

        Returns
        -------
        DdzState
            The other hands are drawn as `ddz_core.sample_hidden` draws them, uniformly over the
            deals that fit; bids and moves are the same.

        Raises
        ------
        PhaseError
            The cards are still being dealt.
        DdzError
            No such player.
        """
        if self.game is None:
            raise PhaseError("hidden hands can be drawn once all cards are dealt")
        worlds = self._worlds
        if not worlds.hands or worlds.player != player_id:
            seed = int(probability_sampler() * 2**53)
            hands = sample_hidden(self.game.observe(player_id), WORLDS, seed)
            worlds.hands = list(hands.astype(np.int64))
            worlds.player = player_id
            worlds.rng = np.random.default_rng(seed)
        return self._with_hands(worlds.hands.pop(), worlds)

    def _with_hands(self, dealt: NDArray[np.int64], worlds: _Worlds) -> DdzState:
        """This state, had the seats held these hands now."""
        game = self._running()
        for seat, move in game.moves:
            dealt[seat] += move.cards.counts
        if game.landlord is not None:
            landlord = dealt[game.landlord]
            if self.rules.kitty_shown or worlds.player == game.landlord:
                landlord -= game.deal.kitty_cards.counts
            else:
                # Who has not seen the kitty may think that it was any three of his cards.
                cards = worlds.rng.permutation(np.repeat(np.arange(RANKS), landlord))
                landlord -= np.bincount(cards[:KITTY], minlength=RANKS)
        state: DdzState = self.get_game().new_initial_state()
        if state.opener is None:
            state.apply_action(FIRST_OPENER + (self.opener or 0))
        orders = [np.repeat(np.arange(RANKS), counts).tolist() for counts in dealt]
        for ranks in zip(*orders, strict=True):
            for rank in ranks:
                state.apply_action(rank)
        done = len(game.actions)
        for action in self.history()[len(self.history()) - done :]:
            state.apply_action(action)
        return state

    def _running(self) -> Game:
        if self.game is None:
            raise PhaseError("the cards are still being dealt")
        return self.game

    def __str__(self) -> str:
        opener = "-" if self.opener is None else str(self.opener)
        if self.game is None:
            hands = " / ".join(str(Hand.from_counts(hand)) or "-" for hand in self.dealt)
            return f"dealing: {hands}, opener {opener}"
        game = self.game
        lines = [f"{game.phase}, opener {opener}"]
        for seat, hand in enumerate(game.hands):
            role = " landlord" if seat == game.landlord else ""
            lines.append(f"{seat}: {hand}{role}")
        lines.append("bids: " + " ".join(f"{seat}:{bid}" for seat, bid in game.bids))
        lines.append("moves: " + " ".join(f"{seat}:{move}" for seat, move in game.moves))
        return "\n".join(lines)


def _deal_of(piles: Sequence[Sequence[int]], opener: int) -> Deal:
    """A deal of these ranks: each seat's, then the kitty's. Suits go round as they come."""
    used = [0] * RANKS
    suited: list[list[int]] = []
    for pile in piles:
        cards: list[int] = []
        for rank, count in enumerate(pile):
            first = 4 * rank if rank < 13 else 39 + rank
            cards += range(first + used[rank], first + used[rank] + count)
            used[rank] += count
        suited.append(cards)
    return Deal(tuple(map(tuple, suited[:SEATS])), tuple(suited[SEATS]), opener=opener)


# ---- what players see ----------------------------------------------------------------------------


class DdzObserver:
    """What a player sees, as tensor and text.

    With perfect recall: who he is, who spoke first, the hand that he was dealt, the kitty as far as
    he has seen it, every bid and every ply. Without: the present, with the cards that each seat has
    played and all that are unseen.

    Attributes
    ----------
    tensor : ndarray of float32
    dict : dict of str to ndarray
        Views of `tensor`: docs/interop.md has the table.
    """

    def __init__(self, iig_obs_type: Any, params: Any = None) -> None:
        if params:
            raise DdzError(f"the observer takes no parameters, but got {repr(params)[:80]}")
        self._recall = bool(iig_obs_type.perfect_recall)
        self._public = bool(iig_obs_type.public_info)
        private = iig_obs_type.private_info
        self._own = private == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._all = private == pyspiel.PrivateInfoType.ALL_PLAYERS
        pieces: list[tuple[str, tuple[int, ...]]] = [("player", (SEATS,))]
        if self._own:
            pieces += [("hand", (54,)), ("kitty", (54,))]
        if self._all:
            pieces += [("hands", (SEATS, 54))]
        if self._public:
            pieces += [("opener", (SEATS,)), ("bids", (MAX_BIDS, 4)), ("landlord", (SEATS,))]
            if not self._own:
                pieces += [("kitty", (54,))]
            if self._recall:
                pieces += [("plies", (MAX_PLIES, PLY))]
            else:
                pieces += [("turn", (SEATS,)), ("last", (54,)), ("last_seat", (SEATS,))]
                pieces += [("played", (SEATS, 54)), ("cards_left", (SEATS, LANDLORD_HAND))]
                if self._own:
                    pieces += [("unseen", (54,))]
        sizes = [int(np.prod(shape)) for _, shape in pieces]
        self.tensor = np.zeros(sum(sizes), np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {}
        start = 0
        for (name, shape), size in zip(pieces, sizes, strict=True):
            self.dict[name] = self.tensor[start : start + size].reshape(shape)
            start += size

    def set_from(self, state: DdzState, player: int) -> None:
        """Fill the tensor with what a player sees in a state."""
        self.tensor.fill(0)
        put = self.dict
        put["player"][player] = 1
        game = state.game
        hands = self._hands(state)
        if self._own:
            put["hand"][:] = _places([hands[player]])[0]
        if self._all:
            put["hands"][:] = _places(hands)
        if "kitty" in put:
            kitty = self._kitty(state, player)
            if kitty is not None:
                put["kitty"][:] = _places([kitty])[0]
        if self._public and state.opener is not None:
            put["opener"][state.opener] = 1
        if self._public and game is not None:
            self._set_public(game)
            if self._recall:
                self._set_plies(game)
            else:
                self._set_present(game, player)

    def _set_public(self, game: Game) -> None:
        put = self.dict
        for number, (_, bid) in enumerate(game.bids):
            put["bids"][number, int(bid)] = 1
        if game.landlord is not None:
            put["landlord"][game.landlord] = 1

    def _set_plies(self, game: Game) -> None:
        moves = [move for _, move in game.moves]
        plies = self.dict["plies"]
        if moves:
            plies[: len(moves), :54] = _places([move.cards for move in moves])
        for ply, move in enumerate(moves):
            if move.rank is not None:
                plies[ply, 54 + move.rank] = 1
            plies[ply, -1] = 1

    def _set_present(self, game: Game, player: int) -> None:
        put = self.dict
        if game.turn is not None:
            put["turn"][game.turn] = 1
        position = game.position
        if position is not None:
            if position.last is not None:
                put["last"][:] = _places([position.last.cards])[0]
            if position.last_seat is not None:
                put["last_seat"][position.last_seat] = 1
        put["played"][:] = _places(_played(game))
        for seat, hand in enumerate(game.hands):
            put["cards_left"][seat, : len(hand)] = 1
        if self._own:
            put["unseen"][:] = _places([game.observe(player).unseen])[0]

    def string_from(self, state: DdzState, player: int) -> str:
        """What a player sees in a state, as one line."""
        game = state.game
        hands = self._hands(state)
        parts = [f"p{player}"]
        if self._own:
            parts.append(f"hand {hands[player]}")
        if self._all:
            parts.append("hands " + "/".join(map(str, hands)))
        kitty = self._kitty(state, player) if self._own or self._public else None
        if kitty is not None:
            parts.append(f"kitty {kitty}")
        if self._public and state.opener is not None:
            parts.append(f"opener {state.opener}")
        if self._public and game is not None:
            parts.append("bids " + "".join(str(int(bid)) for _, bid in game.bids))
            if game.landlord is not None:
                parts.append(f"landlord {game.landlord}")
            if self._recall:
                parts.append("moves " + " ".join([str(move) for _, move in game.moves]))
            else:
                position = game.position
                if position is not None:
                    parts.append(f"last {position.last_seat}:{position.last}")
                parts.append("played " + "/".join(map(str, _played(game))))
                parts.append(f"turn {game.turn}")
        return ", ".join(parts)

    def _hands(self, state: DdzState) -> list[Hand]:
        """The hands to show: as dealt with perfect recall, else as they are."""
        if state.game is not None and not self._recall:
            return list(state.game.hands)
        return [Hand.from_counts(hand) for hand in state.dealt]

    def _kitty(self, state: DdzState, player: int) -> Hand | None:
        game = state.game
        if game is None or game.landlord is None:
            return None
        if self._own and player == game.landlord:
            return game.deal.kitty_cards
        return game.kitty


def _played(game: Game) -> list[Hand]:
    """The cards that each seat has put down."""
    played = [Hand()] * SEATS
    for seat, move in game.moves:
        played[seat] += move.cards
    return played


def _places(hands: Iterable[Hand]) -> NDArray[np.int8]:
    return unary(unpack_counts(np.array([hand.packed for hand in hands], np.uint64)))


pyspiel.register_game(_GAME_TYPE, DdzGame)
