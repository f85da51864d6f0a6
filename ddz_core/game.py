"""The whole game: from the deal over the auction and the play to the points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import cycle
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ddz_core._position import Position
from ddz_core._queries import classify, legal_moves
from ddz_core._values import Hand, Move, MoveList, integer
from ddz_core.auction import Auction, Bid
from ddz_core.checks import each
from ddz_core.deal import Deal
from ddz_core.deal import deal as make_deal
from ddz_core.display import game_html, game_text
from ddz_core.errors import DdzError, Illegal, IllegalMoveError, PhaseError
from ddz_core.legality import why_illegal
from ddz_core.observation import Observation
from ddz_core.rules import Rules, as_rules
from ddz_core.seeds import child, seed_sequence

if TYPE_CHECKING:
    from typing import SupportsIndex

    from numpy.typing import NDArray

    from ddz_core.record import Record
    from ddz_core.seeds import Seed

    Unread: TypeAlias = Hand | str | Sequence[SupportsIndex] | NDArray[np.integer[Any]]
    Cards: TypeAlias = Move | Unread

__all__ = ["Game", "Phase", "Result"]

NO_MOVES: MoveList = legal_moves("3")[:0]


class Phase(StrEnum):
    """What a game is waiting for."""

    AUCTION = "auction"
    PLAY = "play"
    OVER = "over"


# Looking up a member of an enum costs as much as a whole play.
AUCTION, PLAY, OVER = Phase


@dataclass(frozen=True)
class Result:
    """How a game ended, every factor of the score as an item of its own.

    Attributes
    ----------
    winner : int or None
        The seat that reached its goal first; None when nobody bid and the deal was void.
    landlord : int or None
    landlord_won : bool or None
        Which side won; None when void.
    base : int
        The winning bid; 1 where bids are no numbers (003) or the landlord was forced (004).
    bombs, doubling_bombs, rockets : int
        Bombs played, how many of them doubled the score (002, four players: those of six cards or
        more), and rockets played.
    robs : int
        Robs (003), each of which doubles.
    spring, anti_spring : bool
        At most one of them, which doubles.
    multiplier : int
    stake : int
        Base times multiplier: what each peasant wins or loses.
    points : tuple of int
        Won or lost by each seat; their sum is zero.
    redeals : int
        Deals before in which nobody bid.
    """

    winner: int | None
    landlord: int | None
    landlord_won: bool | None
    base: int
    bombs: int
    doubling_bombs: int
    rockets: int
    robs: int
    spring: bool
    anti_spring: bool
    multiplier: int
    stake: int
    points: tuple[int, ...]
    redeals: int

    @classmethod
    def _trusted(cls, **items: object) -> Result:
        """A result of all its items, by half the time that a frozen dataclass takes to set them."""
        made = object.__new__(cls)
        made.__dict__.update(items)
        return made

    @property
    def void(self) -> bool:
        """Whether nobody bid and the deal does not count."""
        return self.winner is None


class Game:
    """One game, from the first deal to the points.

    Parameters
    ----------
    rules : Rules or str, optional
        Rule set or preset name; standard by default.
    seed : int, sequence of int, SeedSequence, BitGenerator, Generator, optional
        Deals the cards: the first deal is ``deal(rules, seed)``, and each redeal has a child of the
        seed. With `deal` or `code` it deals the redeals only; without it these then follow from the
        deal itself, so that the same code gives the same redeals.
    deal : Deal or sequence of Deal, optional
        The first deal, and as many redeals as follow in the sequence.
    code : str, optional
        The first deal as `Deal.code`.
    number : int
        Deals scored before this one, for the first bidder where he rotates (001). A redeal does not
        change it. A given deal says itself who speaks first.
    opener : int, optional
        The seat that speaks first in each deal that this game makes, whatever the rules say.

    Raises
    ------
    DdzError
        A deal of another layout than the rule set's, a redeal that moves the first bid where it
        rotates, or arguments that exclude each other.
    RecordError
        A damaged code.

    Notes
    -----
    A refused action leaves everything as it was. Observers get an `Observation`; the game itself
    knows all hands.

    Examples
    --------
    >>> game = Game("standard", seed=32)
    >>> game.phase, game.turn
    (<Phase.AUCTION: 'auction'>, 0)
    >>> game.bid(3)
    >>> game.landlord, game.base, len(game.hands[0])
    (0, 3, 20)
    >>> while game.phase != "over":
    ...     game.play(game.legal_moves()[0])
    >>> sum(game.result.points)
    0
    """

    __slots__ = (
        "_auctions",
        "_deals",
        "_given",
        "_moves",
        "_opener",
        "_position",
        "_rules",
        "_seed",
    )

    def __init__(
        self,
        rules: Rules | str | None = None,
        *,
        seed: Seed = None,
        deal: Deal | Sequence[Deal] | None = None,
        code: str | None = None,
        number: int = 0,
        opener: int | None = None,
    ) -> None:
        rules = as_rules(rules)
        _check_goal(rules)
        self._rules = rules
        self._given = _given_deals(rules, deal, code, opener)
        if self._given and integer(number, "number"):
            raise DdzError(f"number is {number}, but the deal given says who speaks first")
        self._opener = opener
        self._seed: np.random.SeedSequence | None = None
        if seed is not None or not self._given:
            self._seed = seed_sequence(seed)
        first = (
            self._given[0]
            if self._given
            else make_deal(rules, self._seed, number=number, opener=opener)
        )
        self._deals = [first]
        self._auctions = [Auction(rules, first.opener)]
        self._moves: list[Move] = []
        # There from the moment on when the landlord is known.
        self._position: Position | None = None
        if rules.auction == "none":
            self._position = self._start_of_play(first.opener, 0)

    # ---- what is there -------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self._rules

    @property
    def phase(self) -> Phase:
        """What the game is waiting for."""
        position = self._position
        if position is not None:
            return PLAY if position.winner is None else OVER
        return OVER if self._auctions[-1].over else AUCTION

    @property
    def turn(self) -> int | None:
        """The seat that must bid or play; None when the game is over."""
        position = self._position
        if position is None:
            return self._auctions[-1].turn
        return position.turn if position.winner is None else None

    @property
    def deal(self) -> Deal:
        """The present deal."""
        return self._deals[-1]

    @property
    def deals(self) -> tuple[Deal, ...]:
        """Every deal so far: those in which nobody bid, then the present one."""
        return tuple(self._deals)

    @property
    def redeals(self) -> int:
        """Deals before the present one, in which nobody bid."""
        return len(self._deals) - 1

    @property
    def auctions(self) -> tuple[tuple[tuple[int, Bid], ...], ...]:
        """For each deal its (seat, bid)s."""
        return tuple(auction.bids for auction in self._auctions)

    @property
    def bids(self) -> tuple[tuple[int, Bid], ...]:
        """Every (seat, bid) of the present deal."""
        return self._auctions[-1].bids

    @property
    def moves(self) -> tuple[tuple[int, Move], ...]:
        """Every (seat, move), passes included."""
        # Nobody is ever left out, so that the turns follow from the landlord's lead.
        seat = self.landlord or 0
        order = cycle((*range(seat, self._rules.players), *range(seat)))
        return tuple(zip(order, self._moves, strict=False))

    @property
    def actions(self) -> tuple[tuple[int, Bid | Move], ...]:
        """Every (seat, bid or move) in order, those of deals in which nobody bid included."""
        bids = (bid for auction in self._auctions for bid in auction.bids)
        return (*bids, *self.moves)

    @property
    def landlord(self) -> int | None:
        """The landlord's seat; None in the auction, and when the deal is void."""
        return None if self._position is None else self._position.landlord

    @property
    def base(self) -> int:
        """The base of the score; in the auction the highest bid so far."""
        auction = self._auctions[-1]
        forced = self._position is not None and auction.landlord is None
        return 1 if forced else auction.base

    @property
    def robs(self) -> int:
        """Robs so far (003)."""
        return self._auctions[-1].robs

    @property
    def handicap(self) -> int:
        """With how many cards or fewer a peasant wins: the number of robs (003), else 0."""
        return self.robs

    @property
    def multiplier(self) -> int:
        """What multiplies the base: so far, and with springs once the game is over."""
        result = self.result
        return self._doubled() if result is None else result.multiplier

    @property
    def kitty(self) -> Hand | None:
        """The landlord's extra cards, once all may see them; None where only he ever does."""
        if self._position is None or not self._rules.kitty_shown:
            return None
        return self.deal.kitty_cards

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The cards that each seat holds, open."""
        if self._position is not None:
            return self._position.hands
        return _dealt_hands(self.deal)

    @property
    def position(self) -> Position | None:
        """A copy of the play as it stands; None while there is no landlord."""
        return None if self._position is None else self._position.copy()

    @property
    def result(self) -> Result | None:
        """How the game ended; None before."""
        if self._position is None:
            return self._void() if self._auctions[-1].over else None
        return None if self._position.winner is None else self._scored(self._position)

    def __eq__(self, other: object) -> bool:
        """Whether rules, deals, bids and moves are the same."""
        if not isinstance(other, Game):
            return NotImplemented
        return (
            self._rules == other._rules
            and self._deals == other._deals
            and self._auctions == other._auctions
            and self._moves == other._moves
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        about = f"{self._rules.name}, {self.phase}, {len(self.actions)} actions"
        if self._position is not None:
            about += f", landlord {self.landlord}"
        result = self.result
        return f"<Game {about}, {f'points {result.points}' if result else f'turn {self.turn}'}>"

    def __str__(self) -> str:
        return game_text(self)

    def _repr_html_(self) -> str:
        return game_html(self)

    # ---- the auction ---------------------------------------------------------------------------

    def legal_bids(self) -> tuple[Bid, ...]:
        """What the seat whose turn it is may bid; empty when the auction is over."""
        return self._auctions[-1].legal_bids()

    def bid(self, bid: Bid | str | SupportsIndex) -> None:
        """Bid for the seat whose turn it is; the last bid starts the play or brings a new deal.

        Parameters
        ----------
        bid : Bid, str or int
            As `Bid.parse` takes it.

        Raises
        ------
        IllegalMoveError
            Not legal here, or no bid at all.
        PhaseError
            The auction is over.
        """
        auction = self._auctions[-1]
        auction.bid(bid)
        if not auction.over:
            return
        try:
            self._close(auction)
        except BaseException:
            auction.undo()
            raise

    def _close(self, auction: Auction) -> None:
        """What follows the last bid of a deal."""
        rules = self._rules
        landlord = auction.landlord
        if landlord is None and rules.nobody_bids == "redeal":
            if rules.max_redeals is None or self.redeals < rules.max_redeals:
                self._redeal()
                return
            # 004: dealt again three times at most, then whoever spoke first must take it at 1.
            landlord = auction.opener
        if landlord is not None:
            self._position = self._start_of_play(landlord, auction.robs)

    def _redeal(self) -> None:
        """Deal again, nothing being carried over (000)."""
        number = len(self._deals)
        if number < len(self._given):
            new = self._given[number]
        else:
            first = self._deals[0]
            # 001 with our reading: a redeal does not move the first bid.
            opener = first.opener if self._rules.first_bidder == "rotate" else self._opener
            root = self._seed or np.random.SeedSequence(list(first.code.encode()))
            new = make_deal(self._rules, child(root, number), opener=opener)
        self._auctions.append(Auction(self._rules, new.opener))
        self._deals.append(new)

    def _start_of_play(self, landlord: int, handicap: int) -> Position:
        """The landlord has taken up the kitty and leads."""
        hands = list(_dealt_hands(self.deal))
        hands[landlord] += self.deal.kitty_cards
        return Position(hands, landlord, target=handicap, rules=self._rules)

    # ---- the play ------------------------------------------------------------------------------

    def legal_moves(self) -> MoveList:
        """Every legal move of the seat whose turn it is, as in `ddz_core.legal_moves`; empty unless
        the game is in its play."""
        position = self._position
        return NO_MOVES if position is None else position.legal_moves()

    def play(self, move: Cards) -> None:
        """Play for the seat whose turn it is.

        Parameters
        ----------
        move : Move, Hand, str or 15 counts
            A `Move` or a text such as ``"333444+56"`` stands for its own reading, as does a text
            without kickers that is written as a move prints (``"333444555666"``, the airplane).
            Other cards stand for the only reading that is legal here. To pass is `Move.PASS` or
            ``"pass"``, never an empty play.

        Raises
        ------
        IllegalMoveError
            Not legal here (``reason`` says why), or legal in several readings, which are listed.
        InvalidCardsError
            No cards of the rule set.
        PhaseError
            The game is in its auction or over.
        """
        position = self._position
        if position is None:
            raise self._no_play(move)
        if not isinstance(move, Move):
            move = self._move_of(position, move)
        position.play(move)
        self._moves.append(move)

    def _no_play(self, cards: object) -> PhaseError:
        """The error about a play where there is none."""
        if self.phase == AUCTION:
            now = f"seat {self.turn} must bid"
        else:
            now = "the game is over: nobody bid"
            if self._position is not None:
                now = f"the game is over: seat {self._position.winner} has won"
        return PhaseError(f"{now}, so {str(cards)[:80]} cannot be played")

    def _move_of(self, position: Position, cards: Unread) -> Move:
        """The one legal move that cards stand for."""
        if position.winner is not None:
            raise self._no_play(cards)
        legal = position.legal_moves()
        if isinstance(cards, str):
            named = _named(cards, self._rules)
            if named is not None and named in legal:
                return named
            if named == Move.PASS or "+" in cards:
                raise self._refused(position, cards)
        cards = _as_hand(cards)
        readings = [reading for reading in classify(cards, self._rules) if reading in legal]
        if len(readings) > 1:
            raise IllegalMoveError(
                f"{str(cards)!r} has {len(readings)} legal readings here; play one of: "
                f"{', '.join(map(str, readings))}"
            )
        if not readings:
            raise self._refused(position, cards)
        return readings[0]

    def _refused(self, position: Position, cards: Hand | str) -> IllegalMoveError:
        reason = self._reason(position, cards)
        shown = str(cards)[:80] or "no cards"
        return IllegalMoveError(
            f"seat {position.turn} cannot play {shown} from {str(position.hands[position.turn])!r} "
            f"on {position.last or 'a lead'}: {reason.value if reason else 'not a legal move'}",
            reason,
        )

    def why_illegal(self, cards: Cards) -> Illegal | None:
        """Why the seat whose turn it is may not play these cards; None when it may.

        Parameters
        ----------
        cards : Move, Hand, str or 15 counts
            As in `play`. Cards with several legal readings are legal, though `play` asks which.

        Raises
        ------
        InvalidCardsError
            No cards at all, such as unknown letters.
        PhaseError
            The game is in its auction or over.
        """
        position = self._position
        if position is None or position.winner is not None:
            raise self._no_play(cards)
        if not isinstance(cards, (Move, str)):
            cards = _as_hand(cards)
        return self._reason(position, cards)

    def _reason(self, position: Position, cards: Move | Hand | str) -> Illegal | None:
        empty = not cards.strip() if isinstance(cards, str) else cards == Hand()
        if empty:
            return Illegal.NO_CARDS if position.last is None else Illegal.NO_COMBINATION
        hand = position.hands[position.turn]
        return why_illegal(hand, cards, position.last, self._rules)

    # ---- back, copies, views -------------------------------------------------------------------

    def undo(self) -> None:
        """Take back the last play, pass or bid, across phases and redeals.

        Raises
        ------
        PhaseError
            Nothing has been done yet.
        """
        if self._moves and self._position is not None:
            self._position.undo()
            self._moves.pop()
            return
        if not self._auctions[-1].bids and len(self._auctions) > 1:
            self._auctions.pop()
            self._deals.pop()
        elif not self._auctions[-1].bids:
            raise PhaseError("there is nothing to undo: the game is where it started")
        self._auctions[-1].undo()
        self._position = None

    def copy(self) -> Game:
        """An independent copy, which can undo as far back as this one."""
        twin = Game.__new__(Game)
        twin._rules = self._rules
        twin._given = self._given
        twin._opener = self._opener
        twin._seed = self._seed
        twin._deals = self._deals.copy()
        twin._auctions = [auction.copy() for auction in self._auctions]
        twin._moves = self._moves.copy()
        twin._position = self.position
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Game:
        return self.copy()

    def observe(self, seat: SupportsIndex) -> Observation:
        """What this seat may know, and no more.

        Raises
        ------
        DdzError
            No such seat.
        """
        number = integer(seat, "seat")
        if not 0 <= number < self._rules.players:
            raise DdzError(f"seat is {number}; there are seats 0 … {self._rules.players - 1}")
        position, hands, turn = self._position, self.hands, self.turn
        mine = turn == number
        is_landlord = position is not None and position.landlord == number
        return Observation(
            rules=self._rules,
            seat=number,
            phase=self.phase,
            turn=turn,
            landlord=self.landlord,
            hand=hands[number],
            face_up=self.deal.face_up,
            kitty=self.deal.kitty_cards if is_landlord else self.kitty,
            bids=self.bids,
            redeals=self.redeals,
            moves=self.moves,
            last=None if position is None else position.last,
            last_seat=None if position is None else position.last_seat,
            passes=0 if position is None else position.passes,
            cards_left=tuple(map(len, hands)),
            unseen=self._unseen(number, hands),
            base=self.base,
            robs=self.robs,
            handicap=self.handicap,
            multiplier=self.multiplier,
            legal_moves=self.legal_moves() if mine else NO_MOVES,
            legal_bids=self.legal_bids() if mine else (),
        )

    def _unseen(self, seat: int, hands: Sequence[Hand]) -> Hand:
        """All that is neither in this hand nor played lies somewhere else."""
        others = self.deal.undealt_cards
        if self._position is None:
            others += self.deal.kitty_cards
        for other, hand in enumerate(hands):
            if other != seat:
                others += hand
        return others

    def record(self) -> Record:
        """The game so far as a `Record`."""
        from ddz_core.record import Record  # noqa: PLC0415 (record builds on game)

        return Record.from_game(self)

    # ---- the score -----------------------------------------------------------------------------

    def _doubled(self) -> int:
        """The multiplier without springs: 2 for each rob, doubling bomb and rocket."""
        doublings = self.robs
        if self._position is not None and self._rules.bombs_double:
            doublings += self._position.doubling_bombs + self._position.rockets
        return 1 << doublings

    def _scored(self, position: Position) -> Result:
        rules, landlord, robs = self._rules, position.landlord, self.robs
        won = position.winner == landlord
        spring = won and _peasants_played_nothing(position, rules)
        anti_spring = not won and _landlord_only_led(position, rules)
        multiplier = self._doubled() << (spring or anti_spring)
        base = self.base
        stake = base * multiplier
        points = [-stake if won else stake] * rules.players
        points[landlord] *= 1 - rules.players
        return Result._trusted(
            winner=position.winner,
            landlord=landlord,
            landlord_won=won,
            base=base,
            bombs=position.bombs,
            doubling_bombs=position.doubling_bombs,
            rockets=position.rockets,
            robs=robs,
            spring=spring,
            anti_spring=anti_spring,
            multiplier=multiplier,
            stake=stake,
            points=tuple(points),
            redeals=self.redeals,
        )

    def _void(self) -> Result:
        """Nobody bid, and the deal is over without points (OpenSpiel)."""
        return Result(
            winner=None,
            landlord=None,
            landlord_won=None,
            base=0,
            bombs=0,
            doubling_bombs=0,
            rockets=0,
            robs=0,
            spring=False,
            anti_spring=False,
            multiplier=1,
            stake=0,
            points=(0,) * self._rules.players,
            redeals=self.redeals,
        )


def _check_goal(rules: Rules) -> None:
    if rules.auction == "call_rob" and rules.max_robs >= rules.hand_size:
        raise DdzError(
            f"max_robs is {rules.max_robs}: with a hand of {rules.hand_size} cards a peasant could "
            "be at his goal before the play"
        )


def _given_deals(
    rules: Rules, deals: Deal | Sequence[Deal] | None, code: str | None, opener: int | None
) -> tuple[Deal, ...]:
    """The deals that the caller gives, checked."""
    if code is not None:
        if deals is not None:
            raise DdzError("a game takes a deal or a deal's code, not both")
        deals = Deal.from_code(code)
    if deals is None:
        return ()
    given = (deals,) if isinstance(deals, Deal) else tuple(each(deals, Deal, "deal"))
    if not given:
        raise DdzError("deal is an empty sequence; the first deal is missing")
    for one in given:
        one.fits(rules)
    first = given[0].opener
    if opener is not None and opener != first:
        raise DdzError(f"opener is {opener}, but the deal given says seat {first}")
    for redeal, one in enumerate(given[1:], 1):
        if rules.first_bidder == "rotate" and one.opener != first:
            raise DdzError(
                f"seat {one.opener} speaks first in redeal {redeal} and seat {first} in the first "
                "deal; a redeal does not move the first bid"
            )
    return given


# What each suited card adds to a packed hand: a deal has been checked, so that its hands need not
# be once more, card by card.
PACKED = [Hand.from_ids([card]).packed for card in range(108)]


def _dealt_hands(deal: Deal) -> tuple[Hand, ...]:
    return tuple([Hand.from_packed(sum([PACKED[card] for card in hand])) for hand in deal.hands])


def _named(text: str, rules: Rules) -> Move | None:
    """The move whose notation this text is; None where it does not name a reading."""
    try:
        move = Move.parse(text, rules)
    except IllegalMoveError:
        return None
    # "666555444333" is 12 cards, of whatever reading; only "333444555666" is an airplane's name.
    written = "".join(text.split()).upper().replace("10", "T")
    return move if "+" in written or written == str(move).upper() else None


def _as_hand(cards: Unread) -> Hand:
    """Cards without a reading."""
    if isinstance(cards, (Hand, str)):
        return Hand(cards)
    if cards is None or isinstance(cards, bytes) or not hasattr(cards, "__iter__"):
        raise TypeError(
            f"a play is a Move, a Hand, a text or 15 counts, not {type(cards).__name__}: "
            f"{repr(cards)[:80]}"
        )
    return Hand.from_counts(cards)


# ---- springs -------------------------------------------------------------------------------------


def _peasants_played_nothing(position: Position, rules: Rules) -> bool:
    """Spring: no peasant played a card (000 … 003), or none of their plays stood (004)."""
    if rules.spring == "none":
        return False
    plays = position.plays if rules.spring == "played" else position.standing_plays
    return sum(plays) == plays[position.landlord]


def _landlord_only_led(position: Position, rules: Rules) -> bool:
    """Anti-spring: the landlord played nothing but his first lead (000 … 003), or no play of his
    after it stood (004)."""
    if rules.spring == "none":
        return False
    if rules.spring == "played":
        return position.plays[position.landlord] == 1
    return position.standing_plays[position.landlord] == int(position.opening_stood)
