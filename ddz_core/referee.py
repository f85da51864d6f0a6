"""The referee: a game led by lines of JSON, for programs in any language.

The protocol is described in docs/referee-protocol.md. Nothing here reads or writes: `Referee` and
`answers` turn lines into JSON objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ddz_core._values import Hand, Move, MoveList
from ddz_core.deal import card_name
from ddz_core.errors import (
    DdzError,
    Illegal,
    IllegalMoveError,
    InvalidCardsError,
    PhaseError,
    RecordError,
)
from ddz_core.game import Game
from ddz_core.observation import Observation
from ddz_core.record import Record, record_from_json
from ddz_core.record_reader import MAX_TEXT, brief
from ddz_core.record_values import result_as_json, rules_from_json
from ddz_core.rules import Rules, as_rules
from ddz_core.strict_json import parse_json

__all__ = ["MAX_LINE", "Referee", "answers"]

# Bytes of the longest line that is read.
MAX_LINE = MAX_TEXT

RECORD_STARTS, RECORD_ENDS = "[DdzRecord ", "[Checksum "

# The `error` of an answer, by what was raised; the first that fits.
ERRORS = (
    (IllegalMoveError, "illegal"),
    (InvalidCardsError, "cards"),
    (PhaseError, "phase"),
    (RecordError, "record"),
    (DdzError, "value"),
)

Answer = dict[str, Any]


def answers(lines: Iterable[str | bytes], rules: Rules | str | None = None) -> Iterator[Answer]:
    """The answers to a stream of lines.

    Parameters
    ----------
    lines : iterable of str or bytes
        Requests and records, in UTF-8 where they are bytes.
    rules : Rules or str, optional
        The rule set of new games that name none; standard by default.

    Yields
    ------
    dict
        One JSON object a request or record, as soon as its last line was read.
    """
    referee = Referee(rules)
    for line in lines:
        yield from referee.answer(line)
    yield from referee.end()


class Referee:
    """Leads one game at a time and answers lines.

    Parameters
    ----------
    rules : Rules or str, optional
        The rule set of new games that name none; standard by default.

    Examples
    --------
    >>> referee = Referee()
    >>> referee.answer('{"do": "bid", "bid": "3"}')[0]["error"]
    'no_game'
    >>> referee.answer('{"do": "new", "seed": 5}')[0]["state"]["legal_bids"]
    ['pass', '1', '2', '3']
    """

    def __init__(self, rules: Rules | str | None = None) -> None:
        self.rules = as_rules(rules)
        self.game: Game | None = None
        self._record: list[str] = []  # the lines so far of a record in the text format
        self._size = 0

    def answer(self, line: str | bytes) -> list[Answer]:
        """The answers to the next line.

        Parameters
        ----------
        line : str or bytes
            With or without its line break.

        Returns
        -------
        list of dict
            One answer; none for a line within a record in the text format, which is answered at its
            last line; two when a line shows that the record before it was cut off.

        Raises
        ------
        TypeError
            Neither str nor bytes.
        """
        if not isinstance(line, str | bytes):
            raise TypeError(f"line must be a str or bytes, not {repr(line)[:80]}")
        if len(line) > MAX_LINE:
            return [*self.end(), _error("malformed", f"a line of more than {MAX_LINE} bytes")]
        if isinstance(line, bytes):
            try:
                line = line.decode("utf-8")
            except UnicodeDecodeError as error:
                byte = line[error.start]
                message = f"the byte 0x{byte:02x} at {error.start} is no UTF-8 text"
                return [*self.end(), _error("malformed", message)]
        line = line.removesuffix("\n").removesuffix("\r")
        if line.startswith(RECORD_STARTS):
            cut_off = self.end()
            self._keep(line)
            return cut_off
        if self._record and not line.startswith("{"):
            self._keep(line)
            if line.startswith(RECORD_ENDS) or self._size > MAX_TEXT:
                text = "".join(f"{kept}\n" for kept in self._record)
                self._record.clear()
                return [self._load(lambda: Record.load(text))]
            return []
        return [*self.end(), self._answer_request(line)]

    def end(self) -> list[Answer]:
        """The answer to a record that was cut off, if there is one: for the end of the stream."""
        if not self._record:
            return []
        lines = len(self._record)
        self._record.clear()
        return [_error("record", f"line {lines}: the record is cut off here, without its checksum")]

    def _keep(self, line: str) -> None:
        self._size = (self._size if self._record else 0) + len(line) + 1
        self._record.append(line)

    # ---- requests ------------------------------------------------------------------------------

    def _answer_request(self, line: str) -> Answer:
        """The answer to a line that is no part of a record in the text format."""
        try:
            request = parse_json(line) if line.strip() else None
        except RecordError as error:
            # There is only this one line.
            message = str(error).removeprefix("line 1: ").removeprefix("line 1, ")
            return _error("malformed", message)
        if not isinstance(request, dict):
            return _error("malformed", f"a request is a JSON object, not {brief(line)}")
        if "ddz_record" in request:
            return self._load(lambda: record_from_json(request, line))
        echo = {}
        try:
            if "id" in request:
                _check("id", request["id"])
                echo["id"] = request["id"]
            return {**echo, **self._carry_out(request)}
        except _MalformedError as error:
            return {**echo, **_error("malformed", str(error))}

    def _carry_out(self, request: Mapping[str, Any]) -> Answer:
        what = request.get("do")
        if not isinstance(what, str) or what not in REQUESTS:
            raise _MalformedError(f"do is {brief(what)}; it must be {', '.join(REQUESTS)}")
        asked = REQUESTS[what]
        for name, value in request.items():
            if name in asked.members:
                _check(name, value)
            elif name not in ("do", "id"):
                members = ", ".join(("do", "id", *asked.members))
                raise _MalformedError(f"{what} has no member {brief(name)}, but {members}")
        for name in asked.needed:
            if name not in request:
                raise _MalformedError(f"{what} needs the member {name!r}")
        if asked.needs_game and self.game is None:
            return _error("no_game", 'there is no game yet; {"do": "new"} deals one')
        try:
            return asked.run(self, request)
        except DdzError as error:
            name = next(name for kind, name in ERRORS if isinstance(error, kind))
            return _error(name, str(error), getattr(error, "reason", None))

    @property
    def _present(self) -> Game:
        """The game; only for requests that need one."""
        if self.game is None:
            raise PhaseError("there is no game yet")
        return self.game

    def _new(self, request: Mapping[str, Any]) -> Answer:
        try:
            rules = rules_from_json(request["rules"]) if "rules" in request else self.rules
        except RecordError as error:
            return _error("value", f"rules: {error}")
        self.game = Game(
            rules,
            seed=request.get("seed"),
            code=request.get("deal"),
            number=request.get("number", 0),
            opener=request.get("opener"),
        )
        return self._state(request)

    def _bid(self, request: Mapping[str, Any]) -> Answer:
        wrong = self._wrong_turn(request)
        if wrong is None:
            self._present.bid(request["bid"])
        return wrong or self._state(request)

    def _play(self, request: Mapping[str, Any]) -> Answer:
        wrong = self._wrong_turn(request)
        if wrong is None:
            try:
                self._present.play(request["cards"])
            except IllegalMoveError as error:
                readings = self._readings(request["cards"]) if error.reason is None else []
                if len(readings) < 2:
                    raise
                return {**_error("ambiguous", str(error)), "readings": readings}
        return wrong or self._state(request)

    def _readings(self, text: str) -> list[str]:
        """The legal moves that these cards may be."""
        cards = Hand(text)
        return [str(move) for move in self._present.legal_moves() if move.cards == cards]

    def _undo(self, request: Mapping[str, Any]) -> Answer:
        wrong = self._wrong_turn(request)
        if wrong is None:
            self._present.undo()
        return wrong or self._state(request)

    def _wrong_turn(self, request: Mapping[str, Any]) -> Answer | None:
        """The answer where a request names a step or a seat that is not the present one."""
        game = self._present
        steps = len(game.actions)
        if request.get("step", steps) != steps:
            return _error("step", f"step is {brief(request['step'])}; the next one is {steps}")
        if game.turn is not None and request.get("seat", game.turn) != game.turn:
            return _error("turn", f"it is seat {game.turn}'s turn, not {brief(request['seat'])}'s")
        return None

    def _state(self, request: Mapping[str, Any]) -> Answer:
        return {"ok": True, "state": state_as_json(self._present, request.get("moves", False))}

    def _observe(self, request: Mapping[str, Any]) -> Answer:
        seen = self._present.observe(request["seat"])
        return {"ok": True, "observation": observation_as_json(seen, request.get("moves", False))}

    def _why(self, request: Mapping[str, Any]) -> Answer:
        reason = self._present.why_illegal(request["cards"])
        return {"ok": True, "legal": reason is None, "reason": _reason(reason)}

    def _write(self, request: Mapping[str, Any]) -> Answer:
        record = Record.from_game(self._present, request.get("tags"))
        written = record.save(format=request.get("format", "json"))
        text = "format" in request and request["format"] == "text"
        return {"ok": True, "record": written if text else parse_json(written)}

    def _read(self, request: Mapping[str, Any]) -> Answer:
        source = request["record"]
        if isinstance(source, str):
            return self._load(lambda: Record.load(source), request)
        return self._load(lambda: record_from_json(source), request)

    def _load(self, load: Callable[[], Record], request: Mapping[str, Any] | None = None) -> Answer:
        """Go on from the end of a record."""
        try:
            self.game = load().game()
        except RecordError as error:
            return _error("record", str(error))
        return self._state(request or {})


class _MalformedError(Exception):
    """A request that cannot be understood."""


@dataclass(frozen=True)
class _Request:
    """What a request does, and its members besides ``do`` and ``id``."""

    run: Callable[[Referee, Mapping[str, Any]], Answer]
    needed: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    needs_game: bool = True

    @property
    def members(self) -> tuple[str, ...]:
        return (*self.needed, *self.optional)


REQUESTS = {
    "new": _Request(
        Referee._new, (), ("rules", "seed", "deal", "number", "opener", "moves"), needs_game=False
    ),
    "bid": _Request(Referee._bid, ("bid",), ("seat", "step", "moves")),
    "play": _Request(Referee._play, ("cards",), ("seat", "step", "moves")),
    "undo": _Request(Referee._undo, (), ("step", "moves")),
    "state": _Request(Referee._state, (), ("moves",)),
    "observe": _Request(Referee._observe, ("seat",), ("moves",)),
    "why": _Request(Referee._why, ("cards",)),
    "record": _Request(Referee._write, (), ("format", "tags")),
    "load": _Request(Referee._read, ("record",), ("moves",), needs_game=False),
}

TYPES: dict[str, tuple[type, ...]] = {
    "id": (str, int),
    "rules": (str, dict),
    "seed": (int,),
    "deal": (str,),
    "number": (int,),
    "opener": (int,),
    "bid": (str,),
    "cards": (str,),
    "seat": (int,),
    "step": (int,),
    "format": (str,),
    "tags": (dict,),
    "record": (str, dict),
    "moves": (bool,),
}
TYPE_NAMES = {str: "a text", int: "a whole number", dict: "an object", bool: "true or false"}
CHOICES = {"format": ("text", "json")}


def _check(name: str, value: object) -> None:
    """Refuse a member of the wrong type."""
    if type(value) not in TYPES[name]:
        types = " or ".join(TYPE_NAMES[kind] for kind in TYPES[name])
        raise _MalformedError(f"{name} is {brief(value)}; it must be {types}")
    if name in CHOICES and value not in CHOICES[name]:
        raise _MalformedError(f"{name} is {brief(value)}; it must be text or json")
    if name == "tags" and not all(isinstance(tag, str) for tag in value.values()):  # type: ignore[attr-defined]
        raise _MalformedError(f"tags are an object of texts, not {brief(value)}")
    if name == "seed" and value < 0:  # type: ignore[operator]
        raise _MalformedError(f"seed is {brief(value)}; it must be at least 0")


# ---- as JSON -------------------------------------------------------------------------------------


def _error(name: str, message: str, reason: Illegal | None = None) -> Answer:
    return {"ok": False, "error": name, "message": message, "reason": _reason(reason)}


def _reason(reason: Illegal | None) -> dict[str, str] | None:
    return None if reason is None else {"name": reason.name, "sentence": reason.value}


def _text(cards: Hand | Move | None) -> str | None:
    return None if cards is None else str(cards)


def _card(card: int | None) -> str | None:
    return None if card is None else card_name(card)


def _moves(moves: MoveList, listed: bool) -> dict[str, Any]:
    """How many legal moves there are, and which."""
    counted: dict[str, Any] = {"legal_moves": len(moves)}
    if listed:
        counted["moves"] = [str(move) for move in moves]
    return counted


def state_as_json(game: Game, moves: bool = False) -> Answer:
    """All that the referee knows of a game.

    Parameters
    ----------
    game : Game
    moves : bool
        Whether to list the legal moves and not only to count them.

    Returns
    -------
    dict
        JSON values, as docs/referee-protocol.md describes them.
    """
    position = game.position
    last = None
    if position is not None and position.last is not None:
        last = {"seat": position.last_seat, "play": str(position.last)}
    result = game.result
    return {
        "rules": game.rules.name,
        "phase": str(game.phase),
        "turn": game.turn,
        "step": len(game.actions),
        "deal": game.deal.code,
        "face_up": _card(game.deal.face_up),
        "redeals": game.redeals,
        "bids": [[seat, str(bid)] for seat, bid in game.bids],
        "landlord": game.landlord,
        "base": game.base,
        "robs": game.robs,
        "handicap": game.handicap,
        "multiplier": game.multiplier,
        "kitty": _text(game.kitty),
        "hands": [str(hand) for hand in game.hands],
        "cards_left": [len(hand) for hand in game.hands],
        "last": last,
        "legal_bids": [str(bid) for bid in game.legal_bids()],
        **_moves(game.legal_moves(), moves),
        "result": None if result is None else result_as_json(result),
    }


def observation_as_json(seen: Observation, moves: bool = False) -> Answer:
    """What one seat may know, as JSON values.

    Parameters
    ----------
    seen : Observation
    moves : bool
        Whether to list the seat's legal moves and not only to count them.
    """
    return {
        "rules": seen.rules.name,
        "seat": seen.seat,
        "phase": str(seen.phase),
        "turn": seen.turn,
        "landlord": seen.landlord,
        "hand": str(seen.hand),
        "face_up": _card(seen.face_up),
        "kitty": _text(seen.kitty),
        "bids": [[seat, str(bid)] for seat, bid in seen.bids],
        "redeals": seen.redeals,
        "played": [[seat, str(move)] for seat, move in seen.moves],
        "last": None if seen.last is None else {"seat": seen.last_seat, "play": str(seen.last)},
        "passes": seen.passes,
        "cards_left": list(seen.cards_left),
        "unseen": str(seen.unseen),
        "base": seen.base,
        "robs": seen.robs,
        "handicap": seen.handicap,
        "multiplier": seen.multiplier,
        "legal_bids": [str(bid) for bid in seen.legal_bids],
        **_moves(seen.legal_moves, moves),
    }
