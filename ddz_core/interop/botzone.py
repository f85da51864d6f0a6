"""Botzone's Dou Dizhu (FightTheLandlord and FightTheLandlord2): its JSON in, an observation out,
and an answer back; and a judge that asks bots in that JSON.

    from ddz_core.interop import botzone
    print(botzone.answer(input(), "rule"))

is a whole bot. Botzone's card ids 0 … 53 are those of ddz_core.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ddz_core._position import Position
from ddz_core._queries import classify, legal_moves
from ddz_core._values import Hand, Move
from ddz_core.auction import Auction, Bid
from ddz_core.checks import flag, instance, sorted_cards
from ddz_core.deal import Deal
from ddz_core.errors import DdzError, IllegalMoveError, PhaseError, RecordError
from ddz_core.game import NO_MOVES, Phase
from ddz_core.observation import Observation
from ddz_core.policies import Policy, built_in, picked, resolve
from ddz_core.rules import Rules
from ddz_core.strict_json import parse_json
from ddz_core.suited import RANK_OF, card_name
from ddz_core.vocabulary import Kind

if TYPE_CHECKING:
    from ddz_core._values import MoveList

__all__ = ["Judge", "Request", "answer", "card_ids", "read"]

SEATS = 3
HAND, KITTY, PACK = 17, 3, 54
# A bot is told the two moves before its own.
TOLD = 2
# Longest text that is read: a whole game has some five thousand letters.
MAX_TEXT = 1 << 20

_PLAY = Rules.botzone()
# Each seat bids once, from seat 0.
_AUCTION = _PLAY.replace(auction="once")
_DECK = Hand.from_ids(range(PACK))


@dataclass(frozen=True)
class Request:
    """What Botzone asks a bot.

    Attributes
    ----------
    observation : Observation
        What the bot knows, under the rules ``botzone``. FightTheLandlord counts seats from the
        landlord, FightTheLandlord2 as its ``pos``. Nobody is told all bids, so that in the play it
        has none, and 1 as its base.
    cards : tuple of int
        The bot's own suited cards, ascending.
    base : int
        The winning bid (``finalbid``); while bids are wanted the highest so far, and 1 without an
        auction.
    """

    observation: Observation
    cards: tuple[int, ...]
    base: int

    @property
    def phase(self) -> Phase:
        """Whether a bid or a move is wanted."""
        return self.observation.phase

    @property
    def legal_moves(self) -> MoveList:
        """What may be played; empty when a bid is wanted."""
        return self.observation.legal_moves

    @property
    def legal_bids(self) -> tuple[Bid, ...]:
        """What may be bid; empty when a move is wanted."""
        return self.observation.legal_bids

    def response(self, choice: Move | str | Bid | int) -> str:
        """The JSON that answers the request.

        Parameters
        ----------
        choice : Move, str, Bid or int
            A legal move, or its text; a legal bid where one is wanted. Of each rank the lowest
            suited cards are played.

        Raises
        ------
        IllegalMoveError
            Not legal here.
        InvalidCardsError
            A text that names no cards.
        PhaseError
            A move where a bid is wanted.
        TypeError
            Neither a move nor a bid.
        """
        seen = self.observation
        if seen.phase == Phase.AUCTION:
            if isinstance(choice, Move):
                raise PhaseError(f"a bid is wanted, so {choice} cannot be played")
            bid = Bid.parse(choice)
            if bid not in seen.legal_bids:
                raise IllegalMoveError(
                    f"{bid} cannot be bid here; legal are {', '.join(map(str, seen.legal_bids))}"
                )
            return json.dumps({"response": int(bid)})
        move = Move.parse(choice, seen.rules) if isinstance(choice, str) else choice
        if not isinstance(move, Move):
            raise TypeError(f"a move must be a Move or its text, not {repr(choice)[:80]}")
        if move not in seen.legal_moves:
            raise IllegalMoveError(
                f"{move} cannot be played from {seen.hand} on {seen.last or 'a lead'}"
            )
        return json.dumps({"response": card_ids(move.cards, self.cards)})


def card_ids(cards: Hand | str, held: Iterable[int]) -> list[int]:
    """Suited cards of these ranks out of those held, the lowest of each.

    Raises
    ------
    IllegalMoveError
        Not all of them are held.
    InvalidCardsError
        A text or an id that is no card, or an id that occurs twice.
    TypeError
        Neither cards nor ids.

    Examples
    --------
    >>> card_ids("334R", [1, 2, 3, 7, 53])
    [1, 2, 7, 53]
    """
    wanted = Hand(cards).counts.tolist()
    own = sorted_cards(held, "held")
    if not Hand(cards) <= Hand.from_ids(own):
        raise IllegalMoveError(f"{cards} is not among the cards held")
    chosen = []
    for card in own:
        rank = RANK_OF[card]
        if wanted[rank]:
            wanted[rank] -= 1
            chosen.append(card)
    return chosen


def answer(
    text: str | Mapping[str, Any],
    policy: str | Policy,
    rng: np.random.Generator | None = None,
) -> str:
    """Read a request, ask a policy, and write the response.

    Parameters
    ----------
    text : str or mapping
        As for `read`.
    policy : str or Policy
        A built-in policy's name, or a policy, which bids with its ``bid`` method or, without one,
        as the built-in ``"rule"``.
    rng : numpy.random.Generator, optional
        Handed on to the policy; a new one by default.

    Returns
    -------
    str
        One line of JSON.

    Raises
    ------
    RecordError
        As in `read`.
    DdzError
        No such policy, or an answer of the policy's that is out of range.
    TypeError
        No policy, or an answer of the policy's that is no index.
    """
    (player,) = resolve(policy, 1)
    request = read(text)
    rng = np.random.default_rng() if rng is None else rng
    seen = request.observation
    if request.phase == Phase.AUCTION:
        bidder: Any = player if hasattr(player, "bid") else built_in("rule")
        bids = seen.legal_bids
        return request.response(picked(bidder.bid(seen, bids, rng), bids, "bid"))
    moves = seen.legal_moves
    return request.response(picked(player(seen, moves, rng), moves))


# ---- reading -------------------------------------------------------------------------------------


def read(source: str | Mapping[str, Any]) -> Request:
    """What Botzone's input to a bot means.

    Parameters
    ----------
    source : str or mapping
        The object with ``requests`` and ``responses`` that Botzone sends each turn, as JSON text or
        as read from it. Bots that are kept running get single requests: such a bot has to append
        each, and each of its own responses, to these two lists.

    Returns
    -------
    Request

    Raises
    ------
    RecordError
        It is no such object, or not a game by the rules: the place and the reason.
    """
    source = _object(source, "the input")
    requests = _list(source, "requests", "the input")
    responses = _list(source, "responses", "the input") if "responses" in source else []
    if not requests:
        raise RecordError("requests: there is none")
    if len(responses) != len(requests) - 1:
        raise RecordError(
            f"responses: {len(responses)} for {len(requests)} requests; there must be one less"
        )
    for number, request in enumerate(requests):
        if not isinstance(request, Mapping):
            raise RecordError(f"requests[{number}]: an object, not {_brief(request)}")
    own = _cards(_member(requests[0], "own", "requests[0]"), "requests[0].own")
    if "bid" in requests[0] and len(requests) == 1:
        return _bidding(requests[0], own)
    return _playing(requests, responses, own)


def _bidding(request: Mapping[str, Any], own: list[int]) -> Request:
    _count(own, (HAND,), "requests[0].own")
    auction = Auction(_AUCTION, 0)
    for number, bid in enumerate(_list(request, "bid", "requests[0]")):
        place = f"requests[0].bid[{number}]"
        if type(bid) is not int or number == SEATS:
            raise RecordError(f"{place}: {_brief(bid)} is no bid of one of two players")
        try:
            auction.bid(bid)
        except DdzError as error:
            raise RecordError(f"{place}: {error}") from None
    seat = auction.turn
    if seat is None:
        raise RecordError("requests[0].bid: the auction is over, but a bid is wanted")
    hand = Hand.from_ids(own)
    seen = _observation(
        rules=_AUCTION,
        seat=seat,
        phase=Phase.AUCTION,
        hand=hand,
        bids=auction.bids,
        cards_left=(HAND,) * SEATS,
        unseen=_DECK - hand,
        base=auction.base,
        legal_bids=auction.legal_bids(),
    )
    return Request(seen, tuple(sorted(own)), auction.base)


class _Table:
    """The play as far as a bot can follow it."""

    def __init__(self, seat: int, landlord: int, own: list[int], kitty: list[int]) -> None:
        self.seat = seat
        self.landlord = landlord
        self.own = set(own)
        self.kitty = set(kitty)
        self.moves: list[tuple[int, Move]] = []
        self.left = [HAND + KITTY * (seat == landlord) for seat in range(SEATS)]
        self.played = Hand()
        self.gone: set[int] = set()
        self.last = Move.PASS
        self.passes = 0

    @property
    def turn(self) -> int:
        return (self.landlord + len(self.moves)) % SEATS

    def play(self, value: object, place: str) -> None:
        """Play for the seat whose turn it is."""
        cards = _cards(value, place)
        if 0 in self.left:
            raise RecordError(f"{place}: the game is over before it")
        seat = self.turn
        for card in cards:
            known = self.own if seat == self.seat else self.gone
            if card in self.gone or (card in self.own) != (seat == self.seat):
                raise RecordError(
                    f"{place}: {card_name(card)} ({card}) is not in that hand any more"
                    if card in known
                    else f"{place}: {card_name(card)} ({card}) is not that player's"
                )
            if card in self.kitty and seat != self.landlord:
                raise RecordError(f"{place}: {card_name(card)} ({card}) is the landlord's")
        hand = Hand.from_ids(cards)
        move = self._move(hand, place)
        if len(hand) > self.left[seat]:
            raise RecordError(f"{place}: {len(hand)} cards, but {self.left[seat]} are left")
        self.moves.append((seat, move))
        self.left[seat] -= len(hand)
        self.gone.update(cards)
        self.own.difference_update(cards)
        self.played += hand
        self.passes = 0 if cards else self.passes + 1
        if cards:
            self.last = move
        elif self.passes == SEATS - 1:
            self.last = Move.PASS

    def _move(self, hand: Hand, place: str) -> Move:
        leads = self.last == Move.PASS
        if not hand:
            if leads:
                raise RecordError(f"{place}: whoever leads may not pass")
            return Move.PASS
        for move in classify(hand, _PLAY):
            if leads or move.beats(self.last):
                return move
        raise RecordError(f"{place}: {hand} cannot be played on {'a lead' if leads else self.last}")


def _playing(
    requests: Sequence[Mapping[str, Any]], responses: Sequence[Any], own: list[int]
) -> Request:
    table: _Table | None = None
    base = 1
    for number, request in enumerate(requests):
        place = f"requests[{number}]"
        if number and table is not None:
            table.play(responses[number - 1], f"responses[{number - 1}]")
        if "history" not in request:
            if table is None and number == 0 and "bid" in request:
                continue
            raise RecordError(f"{place} has no 'history'")
        history = _list(request, "history", place)
        if len(history) != TOLD:
            raise RecordError(f"{place}.history: {len(history)} moves, not {TOLD}")
        first = table is None
        if table is None:
            kitty = _cards(_member(request, "publiccard", place), f"{place}.publiccard")
            _count(kitty, (KITTY,), f"{place}.publiccard")
            table = _seated(request, place, history, own, kitty)
            base = _whole(request, "finalbid", place, 1, 3) if "finalbid" in request else 1
        # The first time only what has been played since the landlord's lead is news.
        skipped = TOLD - (table.seat - table.landlord) % SEATS if first else 0
        for back in range(TOLD):
            where = f"{place}.history[{back}]"
            if back >= skipped:
                table.play(history[back], where)
            elif history[back] != []:
                raise RecordError(f"{where}: nothing was played before the landlord's lead")
    if table is None:
        raise RecordError("requests: none of them wants a move")
    if 0 in table.left:
        raise RecordError("the game is over, but a move is wanted")
    hand = Hand.from_ids(table.own)
    leads = table.last == Move.PASS
    last = None if leads else table.last
    bombs = sum(move.kind in (Kind.BOMB, Kind.ROCKET) for _, move in table.moves)
    seen = _observation(
        rules=_PLAY,
        seat=table.seat,
        phase=Phase.PLAY,
        landlord=table.landlord,
        hand=hand,
        kitty=Hand.from_ids(table.kitty),
        moves=tuple(table.moves),
        last=last,
        last_seat=None if leads else (table.turn - table.passes - 1) % SEATS,
        passes=0 if leads else table.passes,
        cards_left=tuple(table.left),
        unseen=_DECK - hand - table.played,
        base=1,
        multiplier=1 << bombs,
        legal_moves=legal_moves(hand, last, _PLAY),
    )
    return Request(seen, tuple(sorted(table.own)), base)


def _seated(
    request: Mapping[str, Any],
    place: str,
    history: Sequence[Any],
    own: list[int],
    kitty: list[int],
) -> _Table:
    """The table at this bot's first move."""
    if "landlord" in request:
        landlord = _whole(request, "landlord", place, 0, SEATS - 1)
        seat = _whole(request, "pos", place, 0, SEATS - 1)
    else:
        # Who has been told of no move leads, of one sits next to the leader.
        landlord = 0
        seat = 2 if history[0] != [] else int(history[1] != [])
    where = "requests[0].own"
    if seat == landlord:
        # FightTheLandlord deals the landlord's extra cards with his own.
        _count(own, (HAND, HAND + KITTY), where)
        own = sorted({*own, *kitty})
        _count(own, (HAND + KITTY,), f"{where} with publiccard")
    else:
        _count(own, (HAND,), where)
        both = sorted({*own} & {*kitty})
        if both:
            raise RecordError(f"{where}: {card_name(both[0])} ({both[0]}) is the landlord's")
    return _Table(seat, landlord, own, kitty)


def _observation(**known: Any) -> Observation:
    """An observation of what is known, the rest as at the start."""
    return Observation(
        **{
            "turn": known["seat"],
            "landlord": None,
            "face_up": None,
            "kitty": None,
            "bids": (),
            "redeals": 0,
            "moves": (),
            "last": None,
            "last_seat": None,
            "passes": 0,
            "robs": 0,
            "handicap": 0,
            "multiplier": 1,
            "legal_moves": NO_MOVES,
            "legal_bids": (),
            **known,
        }
    )


# ---- the judge -----------------------------------------------------------------------------------


class Judge:
    """Botzone's side of one deal: writes what bots are asked, and takes what they answer.

    Parameters
    ----------
    deal : Deal
        Three hands of 17 cards and a kitty of three.
    bids : bool
        FightTheLandlord2, in which the seats bid from seat 0 on; a deal for which nobody bids is
        over. Without it, as in FightTheLandlord, seat 0 is the landlord.

    Raises
    ------
    DdzError
        A deal of other sizes.
    TypeError
        No deal.

    Examples
    --------
    >>> from ddz_core import deal
    >>> judge = Judge(deal("botzone", seed=1), bids=True)
    >>> while judge.turn is not None:
    ...     judge.respond(answer(judge.request(), "greedy"))
    >>> judge.landlord, judge.winner
    (0, 0)
    """

    def __init__(self, deal: Deal, bids: bool = False) -> None:
        instance(deal, Deal, "deal").fits(_PLAY)
        self._deal = deal
        self._held = [set(hand) for hand in deal.hands]
        self._auction = Auction(_AUCTION, 0) if flag(bids, "bids") else None
        self._position: Position | None = None
        self._history: list[list[int]] = [[], []]
        self._sent: list[dict[str, list[Any]]] = [
            {"requests": [], "responses": []} for _ in range(SEATS)
        ]
        if not bids:
            self._start(0)
        self._ask()

    @property
    def turn(self) -> int | None:
        """The seat that is asked; None once the deal is over."""
        if self._position is not None:
            return self._position.turn if self.winner is None else None
        return None if self._auction is None else self._auction.turn

    @property
    def landlord(self) -> int | None:
        """The landlord; None as long as, or because, nobody is."""
        return None if self._position is None else self._position.landlord

    @property
    def winner(self) -> int | None:
        """The seat that has played its last card."""
        return None if self._position is None else self._position.winner

    def request(self) -> str:
        """All that the bot whose turn it is gets: the JSON that `read` reads.

        Raises
        ------
        PhaseError
            The deal is over.
        """
        return json.dumps(self._sent[self._asked()])

    def respond(self, source: str | Mapping[str, Any]) -> None:
        """Take the answer of the bot whose turn it is.

        Parameters
        ----------
        source : str or mapping
            The object with a ``response``, which is a bid or a list of cards, as JSON text or as
            read from it.

        Raises
        ------
        RecordError
            It is no such object.
        IllegalMoveError
            A bid or a play that is not legal, or cards that the bot does not hold. Nothing has
            changed.
        PhaseError
            The deal is over.
        """
        seat = self._asked()
        response = _member(_object(source, "the answer"), "response", "the answer")
        if self._position is None:
            self._bid(response)
        else:
            response = _cards(response, "response")
            self._play(self._position, seat, response)
        self._sent[seat]["responses"].append(response)
        self._ask()

    def _asked(self) -> int:
        seat = self.turn
        if seat is None:
            raise PhaseError("the deal is over: nobody is asked")
        return seat

    def _bid(self, response: object) -> None:
        auction = self._auction
        if type(response) is not int or auction is None:
            raise RecordError(f"response: {_brief(response)} is no bid")
        auction.bid(response)
        if auction.landlord is not None:
            self._start(auction.landlord)

    def _play(self, position: Position, seat: int, cards: list[int]) -> None:
        hand = Hand.from_ids(cards)
        moves = [move for move in position.legal_moves() if move.cards == hand]
        if not self._held[seat].issuperset(cards) or not moves:
            table = "a lead" if position.last is None else position.last
            raise IllegalMoveError(
                f"{cards} ({hand or 'pass'}) cannot be played from {sorted(self._held[seat])} on "
                f"{table}"
            )
        # Under these rules no cards have two readings.
        position.play(moves[0])
        self._held[seat].difference_update(cards)
        self._history.append(cards)

    def _start(self, landlord: int) -> None:
        self._held[landlord].update(self._deal.kitty)
        hands = [Hand.from_ids(cards) for cards in self._held]
        self._position = Position(hands, landlord, landlord, rules=_PLAY)

    def _ask(self) -> None:
        """Write down what the seat whose turn it is, if any, is asked."""
        seat = self.turn
        if seat is None:
            return
        requests = self._sent[seat]["requests"]
        own = list(self._deal.hands[seat])
        if self._position is None and self._auction is not None:
            requests.append({"own": own, "bid": [int(bid) for _, bid in self._auction.bids]})
            return
        request: dict[str, Any] = {"history": self._history[-TOLD:]}
        if len(self._history) < TOLD + SEATS:
            request["publiccard"] = list(self._deal.kitty)
            if self._auction is None:
                request["own"] = sorted(self._held[seat])
            else:
                request["own"] = own
                request["landlord"] = self.landlord
                request["pos"] = seat
                request["finalbid"] = self._auction.base
        requests.append(request)


# ---- small things --------------------------------------------------------------------------------


def _brief(value: object) -> str:
    return repr(value)[:80]


def _object(source: object, name: str) -> Mapping[str, Any]:
    """JSON's object, as text or as read from it."""
    if isinstance(source, str):
        if len(source) > MAX_TEXT:
            raise RecordError(f"{name} is a text of {len(source)} letters, more than {MAX_TEXT}")
        source = parse_json(source)
    if not isinstance(source, Mapping):
        raise RecordError(f"{name} is an object, not {_brief(source)}")
    return source


def _member(value: Mapping[str, Any], name: str, place: str) -> Any:
    if name not in value:
        raise RecordError(f"{place} has no {name!r}")
    return value[name]


def _list(value: Mapping[str, Any], name: str, place: str) -> Sequence[Any]:
    found = _member(value, name, place)
    if not isinstance(found, list | tuple):
        raise RecordError(f"{place}.{name}: a list, not {_brief(found)}")
    return found


def _whole(value: Mapping[str, Any], name: str, place: str, low: int, high: int) -> int:
    found = _member(value, name, place)
    if type(found) is not int or not low <= found <= high:
        raise RecordError(f"{place}.{name}: {_brief(found)} is not a number from {low} to {high}")
    return found


def _cards(value: object, place: str) -> list[int]:
    if not isinstance(value, list | tuple):
        raise RecordError(f"{place}: a list of cards, not {_brief(value)}")
    for card in value:
        if type(card) is not int or not 0 <= card < PACK:
            raise RecordError(f"{place}: {_brief(card)} is no card 0 … {PACK - 1}")
    if len(set(value)) != len(value):
        raise RecordError(f"{place}: a card occurs twice")
    return list(value)


def _count(cards: Sequence[int], allowed: Sequence[int], place: str) -> None:
    if len(cards) not in allowed:
        raise RecordError(f"{place}: {len(cards)} cards, not {' or '.join(map(str, allowed))}")
