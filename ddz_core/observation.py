"""What one seat may know of a game, and a hint what to play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ddz_core._turns import min_turns
from ddz_core._values import Hand, Move, MoveList
from ddz_core.checks import instance
from ddz_core.vocabulary import Kind, Rank

if TYPE_CHECKING:
    from ddz_core.auction import Bid
    from ddz_core.game import Phase
    from ddz_core.rules import Rules

__all__ = ["Observation", "hint"]


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything that one seat may know at one moment, and no more.

    It holds values only: no other seat's hand, and nothing that leads to one.

    Attributes
    ----------
    rules : Rules
    seat : int
        Whose view this is.
    phase : Phase
    turn : int or None
        The seat that must act; None when the game is over.
    landlord : int or None
        None while it is not known.
    hand : Hand
        The seat's own cards.
    face_up : int or None
        The suited card of the opener that was turned face up (002); None where there is none.
    kitty : Hand or None
        The landlord's extra cards as they were taken up: for everybody where they are shown (000,
        001, 003, 004), for the landlord alone where they are not (002); None in the auction.
    bids : tuple of (int, Bid)
        The present deal's auction.
    redeals : int
        Deals before this one in which nobody bid.
    moves : tuple of (int, Move)
        Every play and pass.
    last : Move or None
        The play to beat; None on a lead and in the auction.
    last_seat : int or None
        Who made it.
    passes : int
        Passes since.
    cards_left : tuple of int
        How many cards each seat holds.
    unseen : Hand
        The card counter of 003 and 004: the deck without the own hand and everything played. In a
        duel the cards that are never dealt are among these.
    base : int
        The base; in the auction the highest bid so far.
    robs, handicap : int
        Robs so far, and with how many cards or fewer a peasant has won (003).
    multiplier : int
        What the base is multiplied by so far; springs count at the end.
    legal_moves : MoveList
        Empty unless it is this seat's turn to play.
    legal_bids : tuple of Bid
        Empty unless it is this seat's turn to bid.
    """

    rules: Rules
    seat: int
    phase: Phase
    turn: int | None
    landlord: int | None
    hand: Hand
    face_up: int | None
    kitty: Hand | None
    bids: tuple[tuple[int, Bid], ...]
    redeals: int
    moves: tuple[tuple[int, Move], ...]
    last: Move | None
    last_seat: int | None
    passes: int
    cards_left: tuple[int, ...]
    unseen: Hand
    base: int
    robs: int
    handicap: int
    multiplier: int
    legal_moves: MoveList
    legal_bids: tuple[Bid, ...]


# ---- hints ---------------------------------------------------------------------------------------

# In turns: what a bomb or rocket is worth unplayed, and a two or joker in a smaller play.
BOMB_PRICE = 2.0
HIGH_CARD_PRICE = 0.4
# What winning the trick from an opponent is worth, and from one who is about to go out.
TRICK_WORTH = 0.7
STOP_WORTH = 3.0
# What overtaking the partner costs: a small play, and a king or higher, or more than three cards.
OVERTAKE_SMALL = 0.5
OVERTAKE_HIGH = 3.0
# Cards with which a seat is about to go out.
FEW = 2

Price: TypeAlias = Callable[[Move], float]


def hint(observation: Observation) -> tuple[Move, ...]:
    """All legal moves, the most sensible first.

    A simple heuristic that looks at no other hand, for a player who is unsure (003's "Tipp"):

    1. A move that wins the game at once comes first.
    2. The others are ordered by the turns that the rest of the hand takes (`min_turns`) when nobody
       answers, so that long plays are used and no combination is torn without need, plus the price
       of what is spent: a bomb or the rocket 2 turns, a two or a joker in a smaller play 0.4 each.
    3. To beat an opponent's play is worth 0.7 turns, and 3 where an opponent has at most two cards
       above his goal; bombs cost nothing then.
    4. Not to pass on the partner's play costs 0.5 turns, and 3 where the play is high (a king or
       higher, a bomb, or more than three cards) or he has at most two cards left: who has spent a
       high card for our side is not beaten (000, 002).
    5. A lead of a size that an opponent about to go out holds in full costs 3 turns (004: play a
       pair when the landlord has one card left), the higher its rank the less.
    6. Of equal moves the lower one comes first, and of these the one with more cards.

    Parameters
    ----------
    observation : Observation

    Returns
    -------
    tuple of Move
        Empty when it is not this seat's turn to play.

    Raises
    ------
    TypeError
        No observation, such as a game: give ``game.observe(game.turn)``.

    Examples
    --------
    >>> from ddz_core.game import Game
    >>> game = Game("standard", seed=3)
    >>> game.bid(3)
    >>> best, *others = hint(game.observe(game.turn))
    >>> best in game.legal_moves()
    True
    """
    if not len(instance(observation, Observation, "observation").legal_moves):
        return ()
    price = (
        _price_of_lead(observation) if observation.last is None else _price_of_answer(observation)
    )
    goal = _goal(observation, observation.seat)

    def order(move: Move) -> tuple[bool, float, int, int]:
        rest = observation.hand - move.cards
        wins = move.n_cards > 0 and len(rest) <= goal
        turns = min_turns(rest, observation.rules) if len(rest) else 0
        rank = -1 if move.rank is None else int(move.rank)
        return (not wins, turns + price(move), rank, -move.n_cards)

    return tuple(sorted(observation.legal_moves, key=order))


def _goal(observation: Observation, seat: int) -> int:
    """With how many cards this seat has won."""
    return 0 if seat == observation.landlord else observation.handicap


def _is_opponent(observation: Observation, seat: int) -> bool:
    return (seat == observation.landlord) != (observation.seat == observation.landlord)


def _about_to_go_out(observation: Observation) -> list[int]:
    """How many cards each opponent needs to shed who is about to reach his goal."""
    needed = [
        left - _goal(observation, seat)
        for seat, left in enumerate(observation.cards_left)
        if _is_opponent(observation, seat)
    ]
    return [cards for cards in needed if cards <= FEW]


def _spent(move: Move, bomb_price: float) -> float:
    """The price of the high cards that a move uses up."""
    if move.kind in (Kind.BOMB, Kind.ROCKET):
        return bomb_price
    return HIGH_CARD_PRICE * sum(rank >= Rank.TWO for rank in move.cards)


def _price_of_lead(observation: Observation) -> Price:
    sizes = _about_to_go_out(observation)

    def price(move: Move) -> float:
        spent = _spent(move, BOMB_PRICE)
        if move.n_cards in sizes and move.rank is not None:
            spent += STOP_WORTH * (1 - move.rank / (len(Rank) - 1))
        return spent

    return price


def _price_of_answer(observation: Observation) -> Price:
    author = observation.last_seat
    if author is not None and author != observation.seat and not _is_opponent(observation, author):
        cost = _cost_of_overtaking(observation, author)
        return lambda move: (cost + _spent(move, BOMB_PRICE)) if move.n_cards else 0.0
    stop = bool(_about_to_go_out(observation))
    worth, bomb_price = (STOP_WORTH, 0.0) if stop else (TRICK_WORTH, BOMB_PRICE)
    return lambda move: (_spent(move, bomb_price) - worth) if move.n_cards else 0.0


def _cost_of_overtaking(observation: Observation, partner: int) -> float:
    last = observation.last
    needed = observation.cards_left[partner] - _goal(observation, partner)
    if last is None or last.rank is None:
        return 0.0
    high = last.rank >= Rank.KING or last.kind == Kind.BOMB or last.n_cards > 3
    return OVERTAKE_HIGH if high or needed <= FEW else OVERTAKE_SMALL
