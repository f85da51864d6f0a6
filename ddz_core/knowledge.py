"""What an observation says about the hidden hands, checked field by field.

An `Observation` is a plain value that anybody can make or change, so nothing in it is trusted: the
auction and the moves are gone through again, and every field must say what follows from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ddz_core._evaluate import doublings
from ddz_core._hidden import Hidden
from ddz_core._position import Position
from ddz_core._values import Hand, Move, MoveList, integer
from ddz_core.auction import Auction, Bid
from ddz_core.checks import between, instance
from ddz_core.errors import DdzError
from ddz_core.game import Phase
from ddz_core.observation import Observation
from ddz_core.rules import Rules
from ddz_core.seeds import chunk_state
from ddz_core.suited import PACK, RANK_OF, card_name, deck_of
from ddz_core.vocabulary import RANK_SYMBOLS

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Knowledge", "knowledge_of"]

MAX_MOVES = 432  # no game has more
MAX_REDEALS = 10_000
UNDEALT = -1


@dataclass(frozen=True)
class Knowledge:
    """A checked observation in the core's words.

    Attributes
    ----------
    observation : Observation
    hidden : Hidden
        Draws the hidden hands.
    position : Position or None
        The play as it stands, with some hands that fit; None where there is no landlord.
    opener : int
        The seat that spoke first.
    played : ndarray of int64, shape (seats, 15)
        Cards that each seat has played.
    """

    observation: Observation
    hidden: Hidden
    position: Position | None
    opener: int
    played: NDArray[np.int64]


def _contradiction(field: str, value: object, wanted: str) -> DdzError:
    return DdzError(f"observation.{field} is {str(value)[:80]}, but {wanted}")


def _must_be(field: str, value: object, wanted: object, why: str) -> None:
    if value != wanted:
        raise _contradiction(field, value, f"{why} it must be {str(wanted)[:80]}")


def knowledge_of(observation: Observation) -> Knowledge:
    """Check an observation and read what it says about the hidden hands.

    Raises
    ------
    DdzError
        Fields that contradict each other; the message names one.
    TypeError
        No observation, or a field of the wrong type.
    """
    instance(observation, Observation, "observation")
    _check_types(observation)
    auction = _check_auction(observation)
    played = _check_cards(observation)
    _check_face_up(observation, auction.opener, played)
    hidden = _hidden(observation, auction.opener, played)
    position = None
    if observation.landlord is not None:
        position = _check_play(observation, observation.landlord, hidden, played)
    else:
        _check_no_play(observation)
    bids = () if observation.turn != observation.seat else auction.legal_bids()
    _must_be("legal_bids", tuple(observation.legal_bids), bids, "after these bids")
    return Knowledge(observation, hidden, position, auction.opener, played)


def _check_types(observation: Observation) -> None:
    def field_is(kind: type, field: str, *, optional: bool = False) -> None:
        value = getattr(observation, field)
        if not (optional and value is None):
            instance(value, kind, f"observation.{field}")

    def number(field: str, value: object, low: int, high: int, *, optional: bool = False) -> None:
        if optional and value is None:
            return
        between(value, f"observation.{field}", low, high)

    field_is(Rules, "rules")
    for field in ("hand", "unseen"):
        field_is(Hand, field)
    number("face_up", observation.face_up, 0, 2 * PACK - 1, optional=True)
    field_is(Hand, "kitty", optional=True)
    field_is(Move, "last", optional=True)
    field_is(MoveList, "legal_moves")
    for field in ("bids", "moves", "cards_left", "legal_bids"):
        field_is(tuple, field)
    seats = observation.rules.players
    number("seat", observation.seat, 0, seats - 1)
    for field in ("turn", "landlord", "last_seat"):
        number(field, getattr(observation, field), 0, seats - 1, optional=True)
    redeals = observation.rules.max_redeals
    number("redeals", observation.redeals, 0, MAX_REDEALS if redeals is None else redeals)
    for field in ("passes", "base", "robs", "handicap", "multiplier"):
        number(field, getattr(observation, field), 0, 1 << 60)
    if observation.phase not in tuple(Phase):
        raise _contradiction("phase", observation.phase, f"it must be one of {', '.join(Phase)}")
    if len(observation.cards_left) != seats:
        raise _contradiction("cards_left", observation.cards_left, f"there are {seats} seats")
    for left in observation.cards_left:
        number("cards_left", left, 0, observation.rules.max_hand)
    _check_pairs("bids", observation.bids, Bid)
    _check_pairs("moves", observation.moves, Move)
    if len(observation.moves) > MAX_MOVES:
        raise DdzError(
            f"observation.moves has {len(observation.moves)} entries; no game has more than "
            f"{MAX_MOVES}"
        )


def _check_pairs(field: str, pairs: tuple[Any, ...], kind: type) -> None:
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[1], kind):
            raise TypeError(
                f"observation.{field} must hold (seat, {kind.__name__}) pairs, not "
                f"{repr(pair)[:80]}"
            )
        integer(pair[0], f"a seat in observation.{field}")


# ---- the auction ---------------------------------------------------------------------------------


def _check_auction(observation: Observation) -> Auction:
    """The auction gone through again, with everything that follows from it."""
    auction = _replayed_auction(observation)
    base = auction.base
    if observation.phase == Phase.AUCTION:
        if auction.over:
            raise _contradiction("phase", observation.phase, "by the bids the auction is over")
        _must_be("landlord", observation.landlord, None, "in an auction")
        _must_be("turn", observation.turn, auction.turn, "after these bids")
    elif not auction.over:
        raise _contradiction("phase", observation.phase, "by the bids the auction goes on")
    elif auction.landlord is not None:
        _must_be("landlord", observation.landlord, auction.landlord, "after these bids")
    else:
        base = _base_without_bids(observation, auction)
    _must_be("base", observation.base, base, "after these bids")
    _must_be("robs", observation.robs, auction.robs, "after these bids")
    _must_be("handicap", observation.handicap, auction.robs, "with so many robs")
    return auction


def _replayed_auction(observation: Observation) -> Auction:
    rules = observation.rules
    opener = observation.turn
    if observation.bids:
        opener = observation.bids[0][0]
    elif rules.auction == "none":
        opener = observation.landlord
    if opener is None:
        field = "landlord" if rules.auction == "none" else "bids"
        raise _contradiction(field, getattr(observation, field), "so nobody can be landlord")
    auction = Auction(rules, _seat_of("bids", opener, rules))
    for place, (seat, bid) in enumerate(observation.bids):
        if auction.over:
            raise DdzError(f"observation.bids has {bid} of seat {seat} after the auction's end")
        if seat != auction.turn:
            raise DdzError(
                f"observation.bids has seat {seat} at place {place}, where it is seat "
                f"{auction.turn}'s turn"
            )
        try:
            auction.bid(bid)
        except DdzError as error:
            raise DdzError(f"observation.bids cannot be: {error}") from error
    return auction


def _base_without_bids(observation: Observation, auction: Auction) -> int:
    """What nobody's bid leads to: no score, or the opener as landlord after enough redeals."""
    rules, why = observation.rules, "where nobody bid"
    if rules.nobody_bids == "void":
        _must_be("landlord", observation.landlord, None, why)
        _must_be("phase", observation.phase, Phase.OVER, why)
        _must_be("turn", observation.turn, None, why)
        return auction.base
    if rules.max_redeals is None or observation.redeals < rules.max_redeals:
        raise _contradiction("redeals", observation.redeals, f"{why} there is another deal")
    _must_be("landlord", observation.landlord, auction.opener, why)
    return 1


def _seat_of(field: str, seat: int, rules: Rules) -> int:
    if not 0 <= seat < rules.players:
        raise DdzError(f"observation.{field} has seat {seat}; there are 0 … {rules.players - 1}")
    return seat


# ---- the cards -----------------------------------------------------------------------------------


def _counts(cards: Hand) -> NDArray[np.int64]:
    return cards.counts.astype(np.int64)


def _check_cards(observation: Observation) -> NDArray[np.int64]:
    """What each seat has played; every number of cards must follow from it."""
    rules, seat, landlord = observation.rules, observation.seat, observation.landlord
    played = np.zeros((rules.players, len(RANK_SYMBOLS)), np.int64)
    for ply, (author, move) in enumerate(observation.moves):
        if landlord is None:
            raise _contradiction("moves", move, "there is no landlord yet")
        turn = (landlord + ply) % rules.players
        if author != turn:
            raise DdzError(
                f"observation.moves has seat {author} at ply {ply}, where it is seat {turn}'s turn"
            )
        played[author] += move.cards.counts
    deck = np.array(rules.deck, np.int64)
    if (played.sum(axis=0) > deck).any():
        raise DdzError("observation.moves has more cards of a rank than the deck")
    for other, left in enumerate(observation.cards_left):
        dealt = rules.max_hand if other == landlord else rules.hand_size
        wanted = dealt - int(played[other].sum())
        if left != wanted:
            raise _contradiction(
                "cards_left", observation.cards_left, f"seat {other} must have {wanted}"
            )
    hand = _counts(observation.hand)
    if len(observation.hand) != observation.cards_left[seat]:
        raise _contradiction(
            "hand",
            observation.hand,
            f"by cards_left seat {seat} holds {observation.cards_left[seat]} cards",
        )
    unseen = deck - hand - played.sum(axis=0)
    if (unseen < 0).any():
        raise _contradiction("hand", observation.hand, "with what was played the deck has fewer")
    _must_be("unseen", observation.unseen, Hand.from_counts(unseen.tolist()), "by hand and moves")
    _check_kitty(observation, hand + played[seat])
    return played


def _check_kitty(observation: Observation, own: NDArray[np.int64]) -> None:
    rules, kitty = observation.rules, observation.kitty
    is_landlord = observation.landlord == observation.seat
    if observation.landlord is None or not (rules.kitty_shown or is_landlord):
        _must_be("kitty", kitty, None, "where this seat has not seen it")
        return
    if kitty is None:
        raise _contradiction("kitty", None, "this seat has seen it")
    if len(kitty) != rules.kitty_size:
        raise _contradiction("kitty", kitty, f"it has {rules.kitty_size} cards")
    if is_landlord and (_counts(kitty) > own).any():
        raise _contradiction("kitty", kitty, "the landlord's hand and plays do not contain it")


def _check_face_up(observation: Observation, opener: int, played: NDArray[np.int64]) -> None:
    """The face-up card is in the deck, and is the observer's own where he spoke first."""
    card, rules = observation.face_up, observation.rules
    if card is None:
        return
    if card not in deck_of(rules.packs, rules.lowest_rank):
        raise _contradiction("face_up", card, "that card is not in the deck")
    own = _counts(observation.hand) + played[observation.seat]
    if opener == observation.seat and not own[RANK_OF[card]]:
        raise _contradiction("face_up", card_name(card), "the seat that spoke first never had it")


def _hidden(observation: Observation, opener: int, played: NDArray[np.int64]) -> Hidden:
    """The piles that this seat has not seen, and by how much each split of a rank counts."""
    rules, landlord = observation.rules, observation.landlord
    unseen = observation.unseen.counts
    kitty = np.zeros(len(RANK_SYMBOLS), np.int64)
    if observation.kitty is not None and landlord != observation.seat:
        kitty = _counts(observation.kitty)
    face_up = np.zeros(len(RANK_SYMBOLS), np.int64)
    if observation.face_up is not None:
        face_up[RANK_OF[observation.face_up]] = 1
    whole = [rules.packs * 4] * len(RANK_SYMBOLS)
    piles = []
    for seat, left in enumerate(observation.cards_left):
        if seat != observation.seat:
            base = played[seat] - kitty * (seat == landlord) - face_up * (seat == opener)
            piles.append((left, seat, base, _most(observation, seat, played)))
    rest = len(observation.unseen) - sum(pile[0] for pile in piles)
    if rest:
        nothing = np.zeros(len(RANK_SYMBOLS), np.int64)
        piles.append((rest, UNDEALT, nothing, np.array(whole)))
    # The core's tables have a dimension for each pile but the last.
    piles.sort(key=lambda pile: pile[:2])
    sizes, seats, *tables = zip(*piles, strict=True)
    base, most = (np.array(table, np.int8) for table in tables)
    hidden = Hidden(
        rules.players,
        observation.seat,
        observation.hand.packed,
        unseen,
        seats,
        sizes,
        base,
        most,
    )
    if not hidden.possible:
        field = "moves" if observation.kitty is None else "kitty"
        raise _contradiction(
            field, getattr(observation, field), "no hands fit it and the other fields"
        )
    return hidden


def _most(observation: Observation, seat: int, played: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many cards of each rank a seat may still hold.

    Where quads stay together, whoever broke into a rank never held four of it.
    """
    most = np.full(len(RANK_SYMBOLS), 4 * observation.rules.packs)
    if observation.rules.held_quads_stay_together:
        touched = np.zeros(len(RANK_SYMBOLS), bool)
        for author, move in observation.moves:
            if author == seat:
                counts = _counts(move.cards)
                first = (counts > 0) & ~touched
                most = np.where(first & (counts < 4), 3 - played[seat], most)
                touched |= first
    return most


# ---- the play ------------------------------------------------------------------------------------


def _check_no_play(observation: Observation) -> None:
    why = "before the play"
    _must_be("last", observation.last, None, why)
    _must_be("last_seat", observation.last_seat, None, why)
    _must_be("passes", observation.passes, 0, why)
    _must_be("multiplier", observation.multiplier, 1 << observation.robs, why)
    _must_be("legal_moves", len(observation.legal_moves), 0, why)


def _check_play(
    observation: Observation, landlord: int, hidden: Hidden, played: NDArray[np.int64]
) -> Position:
    """The moves played again, from some hands that fit, with everything that follows from them."""
    rules = observation.rules
    hands = np.empty((1, rules.players, len(RANK_SYMBOLS)), np.uint8)
    hidden.fill(chunk_state(np.random.SeedSequence(0), 0), hands)
    position = Position(
        [Hand.from_counts(hand) for hand in (hands[0] + played).tolist()],
        landlord=landlord,
        target=observation.handicap,
        rules=rules,
    )
    for ply, (_, move) in enumerate(observation.moves):
        try:
            position.play(move)
        except DdzError as error:
            raise DdzError(f"observation.moves cannot be: ply {ply}, {error}") from error
    over = position.winner is not None
    why = "after these moves"
    _must_be("phase", observation.phase, Phase.OVER if over else Phase.PLAY, why)
    _must_be("turn", observation.turn, None if over else position.turn, why)
    _must_be("last", observation.last, position.last, why)
    _must_be("last_seat", observation.last_seat, position.last_seat, why)
    _must_be("passes", observation.passes, position.passes, why)
    multiplier = 1 << (observation.robs + doublings(position))
    _must_be("multiplier", observation.multiplier, multiplier, why)
    mine = not over and position.turn == observation.seat
    legal = position.legal_moves() if mine else position.legal_moves()[:0]
    if observation.legal_moves != legal:
        raise _contradiction("legal_moves", observation.legal_moves, "others follow from the hand")
    return position
