"""Records: whole games, or games in progress, as text that people read and as JSON.

Both formats are described in docs/record-format.md.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Literal, NoReturn, TypeAlias, TypeVar

from ddz_core._values import Move
from ddz_core.auction import Bid
from ddz_core.deal import Deal
from ddz_core.errors import DdzError, RecordError
from ddz_core.game import Game, Phase, Result
from ddz_core.rules import Rules, as_rules
from ddz_core.vocabulary import RANK_SYMBOLS, Rank

__all__ = ["VERSION", "Record"]

VERSION = 1

# Bytes (or letters) of the largest text that is read; a record has a few thousand.
MAX_TEXT = 16 * 2**20

Bids: TypeAlias = tuple[tuple[int, Bid], ...]

# The results's items in the order of the text format, there by these names.
RESULT_TAGS = {
    "winner": "Winner",
    "landlord": "Landlord",
    "landlord_won": "LandlordWon",
    "base": "Base",
    "bombs": "Bombs",
    "doubling_bombs": "DoublingBombs",
    "rockets": "Rockets",
    "robs": "Robs",
    "spring": "Spring",
    "anti_spring": "AntiSpring",
    "multiplier": "Multiplier",
    "stake": "Stake",
    "points": "Points",
    "redeals": "Redeals",
}
RULE_OPTIONS = {option.name: option.default for option in dataclasses.fields(Rules) if option.init}

TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
TAG_LINE = re.compile(r"\[([A-Za-z][A-Za-z0-9_.]{0,79}) (\".*\")\]")
SEAT_AND_WORD = re.compile(r"([0-9]):(\S+)")
RESERVED_TAGS = {"DdzRecord", "Rules", "Result", "Checksum", *RESULT_TAGS.values()}
MAX_TAGS = 100
MAX_TAG_TEXT = 1000

T = TypeVar("T")
# What is wrong: "deal", "bid", "ply" or "result", its number, and the reason.
Fail: TypeAlias = Callable[[str, int, str], NoReturn]


@dataclass(frozen=True)
class Record:
    """A game from its first deal to its result, or as far as it has come.

    Parameters
    ----------
    rules : Rules or str
        The rule set or a preset's name.
    deals : sequence of str
        Codes of all deals in order: every one but the last ended in a redeal.
    auctions : sequence of sequence of (seat, Bid)
        The bids of each deal; as many auctions as deals.
    moves : sequence of (seat, Move)
        The plays and passes after the last auction.
    result : Result, optional
        None while the game is not over.
    tags : mapping of str to str, optional
        Anything else worth keeping, such as names and a date. A name is a word of ASCII letters,
        digits and underscores that the format does not use itself.

    Raises
    ------
    RecordError
        Tags that cannot be written, or numbers of deals and auctions that differ. Whether the game
        follows the rules is the question of `validate`.

    Notes
    -----
    Plies count the moves from 1; bids are counted from 1 in each deal.
    """

    rules: Rules
    deals: tuple[str, ...]
    auctions: tuple[Bids, ...] = ((),)
    moves: tuple[tuple[int, Move], ...] = ()
    result: Result | None = None
    tags: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        def keep(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        keep("rules", as_rules(self.rules))
        keep("deals", tuple(self.deals))
        keep("auctions", tuple(tuple((seat, bid) for seat, bid in bids) for bids in self.auctions))
        keep("moves", tuple((seat, move) for seat, move in self.moves))
        keep("tags", dict(self.tags))
        if not self.deals:
            raise RecordError("a record has at least one deal, not none")
        if len(self.deals) != len(self.auctions):
            raise RecordError(f"{len(self.deals)} deals, but {len(self.auctions)} auctions")
        _check_tags(self.tags)

    # ---- to and from text ----------------------------------------------------------------------

    @classmethod
    def load(cls, source: str | os.PathLike[str], *, validate: bool = True) -> Record:
        """Read a record.

        Parameters
        ----------
        source : str or os.PathLike
            The record's own text, in either format, or the path of a file that holds it.
        validate : bool
            Whether to play the whole game through, so that what is loaded follows the rules.
            Without it the record is read as it is written, and `validate` may be called later.

        Raises
        ------
        RecordError
            What was given is no record, is cut off, was changed, or does not follow the rules: the
            line and the reason.
        OSError
            The file cannot be read.
        """
        if isinstance(source, str):
            text = source
            if len(text) > MAX_TEXT:
                raise RecordError(f"line 1: a text of {len(text)} letters is no record")
        elif isinstance(source, os.PathLike):
            text = read_file(source)
        else:
            raise TypeError(
                f"source must be a text or an os.PathLike, not {type(source).__name__}: "
                f"{repr(source)[:80]}"
            )
        if text.lstrip().startswith("{"):
            return _from_json(text, validate)
        return _TextReader(text, validate).record()

    def save(
        self,
        path: str | os.PathLike[str] | None = None,
        format: Literal["text", "json"] = "text",
    ) -> str:
        """Write the record.

        Parameters
        ----------
        path : str or os.PathLike, optional
            Where to write it; without it nothing is written.
        format : {"text", "json"}

        Returns
        -------
        str
            The text: several lines, or one line of JSON.
        """
        if format == "text":
            text = _to_text(self)
        elif format == "json":
            text = json.dumps(_with_checksum(_to_json(self)), ensure_ascii=False, **COMPACT)
        else:
            raise DdzError(f"format is {str(format)[:80]!r}; it must be 'text' or 'json'")
        if path is not None:
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
        return text

    # ---- the game ------------------------------------------------------------------------------

    @classmethod
    def from_game(cls, game: Game, tags: Mapping[str, str] | None = None) -> Record:
        """The record of a game as far as it has come."""
        return cls(
            rules=game.rules,
            deals=tuple(deal.code for deal in game.deals),
            auctions=game.auctions,
            moves=game.moves,
            result=game.result,
            tags=dict(tags or {}),
        )

    def replay(self) -> Iterator[Game]:
        """Every state of the game: the one after the first deal, then one after each bid and move.

        Yields
        ------
        Game
            A game of the caller's own, which may be played on.

        Raises
        ------
        RecordError
            The record does not follow the rules; the states before are yielded first.
        """
        for game in self._play():
            yield game.copy()

    def game(self) -> Game:
        """The game as it stands at the end of the record.

        Raises
        ------
        RecordError
            The record does not follow the rules.
        """
        *_, game = self._play()
        return game

    def validate(self) -> None:
        """Play the game through.

        Raises
        ------
        RecordError
            The first deal, bid or ply that the rules do not allow, or a result that is not the
            game's.
        """
        for _ in self._play():
            pass

    def _play(self, fail: Fail | None = None) -> Iterator[Game]:
        """The one game, at first and after each action; `fail` is told what is wrong.

        It gets the number of the deal or ply, counted from 1, or the index of the bid among those
        of all deals.
        """
        fail = fail or _fail
        game = self._new_game(fail)
        yield game
        yield from self._make_bids(game, fail)
        yield from self._make_moves(game, fail)
        if self.result != game.result:
            fail("result", 0, _why_wrong_result(self.result, game.result))

    def _new_game(self, fail: Fail) -> Game:
        deals = []
        for number, code in enumerate(self.deals, 1):
            try:
                deals.append(Deal.from_code(code))
                deals[-1].fits(self.rules)
            except (DdzError, TypeError) as error:
                fail("deal", number, f"deal {number}: {error}")
        try:
            return Game(self.rules, deal=deals)
        except DdzError as error:
            fail("deal", 1, f"deal 1: {error}")

    def _make_bids(self, game: Game, fail: Fail) -> Iterator[Game]:
        count = 0
        for number, bids in enumerate(self.auctions, 1):
            if game.redeals != number - 1:
                fail("deal", number, f"deal {number}: there was no redeal before it")
            for index, (seat, bid) in enumerate(bids, 1):
                where = f"deal {number}, bid {index}"
                if game.phase != Phase.AUCTION or game.redeals != number - 1:
                    fail("bid", count, f"{where}: the auction was over before {brief(bid)}")
                if seat != game.turn:
                    fail("bid", count, f"{where}: it is seat {game.turn}'s turn, not {seat}'s")
                try:
                    game.bid(bid)
                except (DdzError, TypeError) as error:
                    fail("bid", count, f"{where}: seat {seat} may not bid {brief(bid)}: {error}")
                count += 1
                if game.redeals == len(self.deals):
                    fail("deal", number, f"deal {number}: a redeal follows, which is not recorded")
                yield game

    def _make_moves(self, game: Game, fail: Fail) -> Iterator[Game]:
        for ply, (seat, move) in enumerate(self.moves, 1):
            if game.phase != Phase.PLAY:
                over = "the game is over" if game.phase == Phase.OVER else "the auction is not over"
                fail("ply", ply, f"ply {ply}: {over} before {brief(move)}")
            if seat != game.turn:
                fail("ply", ply, f"ply {ply}: it is seat {game.turn}'s turn, not {seat}'s")
            try:
                game.play(move)
            except (DdzError, TypeError) as error:
                fail("ply", ply, f"ply {ply}: seat {seat} may not play {brief(move)}: {error}")
            yield game


def _fail(what: str, number: int, reason: str) -> NoReturn:
    raise RecordError(reason)


def brief(value: object) -> str:
    """A value for a message, whatever it is, and not long."""
    try:
        shown = repr(str(value) if isinstance(value, Move | Bid) else value)
    except (RecursionError, ValueError):  # nested too deeply, or too many digits
        shown = type(value).__name__
    return shown if len(shown) <= 80 else f"{shown[:80]}…"


def _why_wrong_result(recorded: Result | None, real: Result | None) -> str:
    if real is None:
        return "the game is not over, but a result is recorded"
    if recorded is None:
        return "the game is over, but no result is recorded"
    for name in RESULT_TAGS:
        ours, theirs = getattr(real, name), getattr(recorded, name)
        if ours != theirs:
            return f"the result's {name} is {brief(theirs)}, but the game gives {brief(ours)}"
    return "the result is not the game's"


def _check_tags(tags: Mapping[str, str]) -> None:
    if len(tags) > MAX_TAGS:
        raise RecordError(f"{len(tags)} tags; a record has at most {MAX_TAGS}")
    for name, value in tags.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise TypeError(f"tags must be str to str, not {brief(name)}: {brief(value)}")
        if not TAG_NAME.fullmatch(name):
            raise RecordError(
                f"tag {brief(name)}: a name has letters, digits and _, and starts with a letter"
            )
        if name in RESERVED_TAGS:
            raise RecordError(f"tag {name!r}: the format itself uses this name")
        if len(value) > MAX_TAG_TEXT:
            raise RecordError(
                f"tag {name!r}: {len(value)} letters; a tag has at most {MAX_TAG_TEXT}"
            )
        if any("\ud800" <= letter <= "\udfff" for letter in value):
            raise RecordError(f"tag {name!r}: {value[:80]!r} is no Unicode text")


def read_file(path: str | os.PathLike[str]) -> str:
    """The text of a file that is not too large to be a record."""
    with open(path, "rb") as file:
        return read_text(file)


def read_text(stream: BinaryIO) -> str:
    """The text that a stream has, if it is UTF-8 and not too large to be a record."""
    data = stream.read(MAX_TEXT + 1)
    if len(data) > MAX_TEXT:
        raise RecordError(f"line 1: a file of more than {MAX_TEXT} bytes is no record")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RecordError(
            f"line {line}: the byte 0x{data[error.start]:02x} is no UTF-8 text"
        ) from None


# ---- one value -----------------------------------------------------------------------------------


def _option_as_json(name: str, value: object) -> object:
    return RANK_SYMBOLS[int(value)] if name == "lowest_rank" else value  # type: ignore[call-overload]


def _option_from_json(name: str, value: object) -> object:
    if name == "lowest_rank" and isinstance(value, str) and len(value) == 1:
        place = RANK_SYMBOLS.find(value)
        return Rank(place) if place >= 0 else value
    return value


def rules_from_json(value: object) -> Rules:
    """The rule set of a preset's name or an object of options.

    Raises
    ------
    RecordError
        It is neither, or an option is unknown or out of its range.
    """
    if isinstance(value, str):
        return _parsed(Rules.preset, value)
    if isinstance(value, dict):
        return _rules_from_options(
            {name: _option_from_json(name, option) for name, option in value.items()}
        )
    raise RecordError(f"rules are a preset's name or an object, not {brief(value)}")


def _rules_from_options(options: Mapping[str, object]) -> Rules:
    """A rule set from its options; RecordError for any that is not one."""
    for name, value in options.items():
        if name not in RULE_OPTIONS:
            raise RecordError(f"rules have no option {brief(name)}")
        if name == "lowest_rank" and not isinstance(value, Rank):
            raise RecordError(f"lowest_rank is {brief(value)}; it must be a rank")
    try:
        return Rules(**options)  # type: ignore[arg-type]
    except (DdzError, TypeError) as error:
        raise RecordError(str(error)) from None


def _seat(value: object) -> int:
    if type(value) is not int or not 0 <= value <= 9:
        raise RecordError(f"{brief(value)} is no seat")
    return value


def _bid(value: object) -> Bid:
    if not isinstance(value, str):
        raise RecordError(f"a bid is a word, not {brief(value)}")
    return _parsed(Bid.parse, value)


def _move(value: object, rules: Rules) -> Move:
    if not isinstance(value, str):
        raise RecordError(f"a move is a word, not {brief(value)}")
    return _parsed(lambda text: Move.parse(text, rules), value)


def _code(value: object) -> str:
    if not isinstance(value, str):
        raise RecordError(f"a deal is a code, not {brief(value)}")
    return _parsed(Deal.from_code, value).code


def _parsed(parse: Callable[[str], T], text: str) -> T:
    try:
        return parse(text)
    except DdzError as error:
        raise RecordError(str(error)) from None


RESULT_TYPES: dict[str, Callable[[object], bool]] = {
    "seat": lambda value: value is None or type(value) is int,
    "flag": lambda value: value is None or type(value) is bool,
    "number": lambda value: type(value) is int,
    "numbers": lambda value: (
        isinstance(value, tuple) and all(type(points) is int for points in value)
    ),
}
TYPE_OF_RESULT = {
    **dict.fromkeys(RESULT_TAGS, "number"),
    **dict.fromkeys(("winner", "landlord"), "seat"),
    **dict.fromkeys(("landlord_won", "spring", "anti_spring"), "flag"),
    "points": "numbers",
}


def _result(items: Mapping[str, object]) -> Result:
    """A result from all its items; RecordError for any that is missing, unknown or mistyped."""
    for name in RESULT_TAGS:
        if name not in items:
            raise RecordError(f"the result has no {name}")
    for name, value in items.items():
        if name not in RESULT_TAGS:
            raise RecordError(f"a result has no {brief(name)}")
        if not RESULT_TYPES[TYPE_OF_RESULT[name]](value):
            raise RecordError(f"the result's {name} may not be {brief(value)}")
    return Result(**items)  # type: ignore[arg-type]


# ---- JSON ----------------------------------------------------------------------------------------

COMPACT: dict[str, Any] = {"separators": (",", ":"), "allow_nan": False}


def _to_json(record: Record) -> dict[str, Any]:
    """The record as JSON values, without the checksum."""
    rules: object = record.rules.name
    if record.rules.name not in Rules.preset_names():
        rules = {name: _option_as_json(name, getattr(record.rules, name)) for name in RULE_OPTIONS}
    result = record.result
    return {
        "ddz_record": VERSION,
        "rules": rules,
        "tags": record.tags,
        "deals": [
            {"code": code, "bids": [[seat, str(bid)] for seat, bid in bids]}
            for code, bids in zip(record.deals, record.auctions, strict=True)
        ],
        "moves": [[seat, str(move)] for seat, move in record.moves],
        "result": None if result is None else result_as_json(result),
    }


def result_as_json(result: Result) -> dict[str, Any]:
    """A result's items as JSON values."""
    items = {name: getattr(result, name) for name in RESULT_TAGS}
    return {**items, "points": list(result.points)}


def _json_checksum(values: Mapping[str, object]) -> str:
    rest = {name: value for name, value in values.items() if name != "checksum"}
    return _checksum(json.dumps(rest, sort_keys=True, ensure_ascii=True, **COMPACT))


def _with_checksum(values: dict[str, Any]) -> dict[str, Any]:
    return {**values, "checksum": _json_checksum(values)}


def _checksum(text: str) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def parse_json(text: str) -> Any:
    """The value of a JSON text, as strict as JSON is.

    Raises
    ------
    RecordError
        It is no JSON, or names one member of an object twice: the line and the reason.
    """

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise RecordError(f"line 1: the member {brief(twice)} occurs twice in one object")
        return found

    def no_number(word: str) -> NoReturn:
        raise RecordError(f"line 1: {word} is no JSON number")

    try:
        return json.loads(text, object_pairs_hook=members, parse_constant=no_number)
    except json.JSONDecodeError as error:
        reason = f"line {error.lineno}: no JSON at column {error.colno}: {error.msg}"
    except RecursionError:
        reason = "line 1: the JSON is nested too deeply"
    except RecordError:
        raise
    except ValueError as error:  # a number with too many digits
        reason = f"line 1: {error}"
    raise RecordError(reason)


def _from_json(text: str, validate: bool) -> Record:
    values = parse_json(text)
    on_line = "" if "\n" in text.strip() else "line 1: "
    try:
        return record_from_json(values, validate=validate)
    except RecordError as error:
        raise RecordError(f"{on_line}{error}") from None


def record_from_json(values: object, *, validate: bool = True) -> Record:
    """The record that a JSON object describes.

    Raises
    ------
    RecordError
        It is no record, was changed, or does not follow the rules: the place and the reason.
    """
    if not isinstance(values, dict):
        raise RecordError(f"a record is an object, not {brief(values)}")
    version = values.get("ddz_record")
    if type(version) is not int or version != VERSION:
        raise RecordError(_wrong_version(version))
    wanted = ["ddz_record", "rules", "tags", "deals", "moves", "result", "checksum"]
    _members(values, "the record", wanted)
    try:
        unchanged = values["checksum"] == _json_checksum(values)
    except (ValueError, RecursionError):
        unchanged = False
    try:
        record = _record_of(values)
        if validate:
            record.validate()
    except RecordError as error:
        raise RecordError(f"{error}{'' if unchanged else AND_CHANGED}") from None
    if not unchanged:
        raise RecordError(f"checksum: {brief(values['checksum'])} {NOT_CHECKSUM}")
    return record


def _record_of(values: Mapping[str, Any]) -> Record:
    with _Place("rules"):
        rules = rules_from_json(values["rules"])
    with _Place("tags"):
        tags = values["tags"]
        if not isinstance(tags, dict) or not all(isinstance(tag, str) for tag in tags.values()):
            raise RecordError(f"tags are an object of texts, not {brief(tags)}")
        _check_tags(tags)
    deals, auctions, moves = [], [], []
    for number, deal in enumerate(_list(values["deals"], "deals")):
        with _Place(f"deals[{number}]"):
            _members(deal, "a deal", ["code", "bids"])
            deals.append(_code(deal["code"]))
            bids = _list(deal["bids"], "bids")
        auction = []
        for index, pair in enumerate(bids):
            with _Place(f"deals[{number}].bids[{index}]"):
                seat, bid = _pair(pair)
                auction.append((_seat(seat), _bid(bid)))
        auctions.append(tuple(auction))
    for index, pair in enumerate(_list(values["moves"], "moves")):
        with _Place(f"moves[{index}]"):
            seat, move = _pair(pair)
            moves.append((_seat(seat), _move(move, rules)))
    result = None
    with _Place("result"):
        if isinstance(values["result"], dict):
            items = dict(values["result"])
            if isinstance(items.get("points"), list):
                items["points"] = tuple(items["points"])
            result = _result(items)
        elif values["result"] is not None:
            raise RecordError(f"a result is null or an object, not {brief(values['result'])}")
    with _Place("deals"):
        return Record(rules, tuple(deals), tuple(auctions), tuple(moves), result, tags)


class _LocatedError(RecordError):
    """A RecordError whose message begins with its line."""


class _Place:
    """Puts a place before the message of a RecordError that has none."""

    def __init__(self, place: str) -> None:
        self.place = place

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if isinstance(error, RecordError) and not isinstance(error, _LocatedError):
            raise _LocatedError(f"{self.place}: {error}") from None


def _members(value: object, what: str, names: Sequence[str]) -> None:
    if not isinstance(value, dict):
        raise RecordError(f"{what} is an object, not {brief(value)}")
    for name in names:
        if name not in value:
            raise RecordError(f"{what} has no member {name!r}")
    for name in value:
        if name not in names:
            raise RecordError(f"{what} has no such member as {brief(name)}")


def _list(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise RecordError(f"{what} is a list, not {brief(value)}")
    return value


def _pair(value: object) -> list[Any]:
    if not isinstance(value, list) or len(value) != 2:
        raise RecordError(f"a bid or move is a list of a seat and a word, not {brief(value)}")
    return value


NOT_CHECKSUM = "is not the checksum of this record: it was changed"
AND_CHANGED = " (nor does the checksum agree: the record was changed)"


def _wrong_version(version: object) -> str:
    if version is None:
        return "there is no version of the record format: this is no record"
    return f"version {brief(version)} of the record format; this program reads {VERSION}"


# ---- text ----------------------------------------------------------------------------------------


def _quoted(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _word(value: object) -> str:
    """An option or a result's item in a tag."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(str(number) for number in value)
    return str(value)


def _option_from_word(name: str, word: str) -> object:
    default = RULE_OPTIONS[name]
    if isinstance(default, bool):
        return {"yes": True, "no": False}.get(word, word)
    if isinstance(default, int) and not isinstance(default, Rank):
        return _number(word)
    if default is None:
        return None if word == "none" else _number(word)
    return _option_from_json(name, word)


def _result_from_word(name: str, word: str) -> object:
    kind = TYPE_OF_RESULT[name]
    if kind == "numbers":
        return tuple(_number(number) for number in word.split(" "))
    if kind == "flag":
        return {"yes": True, "no": False, "none": None}.get(word, word)
    return None if kind == "seat" and word == "none" else _number(word)


def _number(word: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,18}", word):
        raise RecordError(f"{brief(word)} is no number")
    return int(word)


def _outcome(result: Result | None) -> str:
    """The value of the tag Result."""
    if result is None:
        return "*"
    if result.landlord_won is None:
        return "void"
    return "landlord" if result.landlord_won else "peasants"


def hands_in_words(deal: Deal) -> str:
    """The hands of a deal on one line: ``… | … | … | kitty … | undealt …``."""
    hands = [str(deal.hand(seat)) for seat in range(deal.players)]
    if deal.kitty:
        hands.append(f"kitty {deal.kitty_cards}")
    if deal.undealt:
        hands.append(f"undealt {deal.undealt_cards}")
    return " | ".join(hands)


def _to_text(record: Record) -> str:
    rules = record.rules
    lines = [f'[DdzRecord "{VERSION}"]', f"[Rules {_quoted(rules.name)}]"]
    if rules.name not in Rules.preset_names():
        for name in RULE_OPTIONS:
            if name != "name":
                word = _word(_option_as_json(name, getattr(rules, name)))
                lines.append(f"[Rules.{name} {_quoted(word)}]")
    lines += [f"[{name} {_quoted(value)}]" for name, value in record.tags.items()]
    for number, (code, bids) in enumerate(zip(record.deals, record.auctions, strict=True), 1):
        lines += ["", f"Deal {number}: {code}"]
        lines.append(f"Hands {number}: {hands_in_words(Deal.from_code(code))}")
        words = [f"{seat}:{bid}" for seat, bid in bids]
        lines.append(f"Bids {number}: {' '.join(words) or '-'}")
    lines += ["", *_tricks(record.moves)]
    if record.moves:
        lines.append("")
    lines.append(f'[Result "{_outcome(record.result)}"]')
    if record.result is not None:
        for name, tag in RESULT_TAGS.items():
            lines.append(f"[{tag} {_quoted(_word(getattr(record.result, name)))}]")
    text = "".join(f"{line}\n" for line in lines)
    return f'{text}[Checksum "{_checksum(text)}"]\n'


def _tricks(moves: Sequence[tuple[int, Move]]) -> list[str]:
    """A line for each trick: the ply of its lead, then seat:move for each of its plies."""
    lines: list[str] = []
    last_seat = None
    for ply, (seat, move) in enumerate(moves, 1):
        if last_seat in (None, seat):
            lines.append(f"{ply}.")
        lines[-1] += f" {seat}:{move}"
        if move != Move.PASS:
            last_seat = seat
    return lines


class _TextReader:
    """Reads one record in the text format; every complaint names a line."""

    def __init__(self, text: str, validate: bool) -> None:
        self.validates = validate
        self.text = text.replace("\r\n", "\n")
        self.lines = self.text.split("\n")
        self.at = 0  # index of the present line
        self.lines_of: dict[str, list[int]] = {"deal": [], "bid": [], "ply": []}

    def fail(self, reason: str, line: int | None = None) -> NoReturn:
        raise _LocatedError(f"line {self.at + 1 if line is None else line}: {reason}")

    def record(self) -> Record:
        version = TAG_LINE.fullmatch(self.lines[0])
        if version is None or version[1] != "DdzRecord":
            name = len(self.lines) == 1 and self.text[:1] not in ("", "[")
            self.fail(
                f'a record starts with [DdzRecord "{VERSION}"], not with {brief(self.lines[0])}'
                + (" (the name of a file is given as an os.PathLike)" if name else "")
            )
        if version[2] != f'"{VERSION}"':
            self.fail(_wrong_version(self.quoted(version[2])))
        end = len(self.lines) - 1  # what follows the last line break
        if end == 0 or self.lines[end] or not self.lines[end - 1].startswith("[Checksum "):
            self.fail(
                "the record is cut off here: it ends with its checksum and a line break",
                max(1, end if not self.lines[end] else end + 1),
            )
        checksum = _checksum("".join(f"{line}\n" for line in self.lines[: end - 1]))
        unchanged = self.lines[end - 1] == f'[Checksum "{checksum}"]'
        try:
            record = self.body()
            if self.validates:
                for _ in record._play(self.refuse):
                    pass
        except RecordError as error:
            raise RecordError(f"{error}{'' if unchanged else AND_CHANGED}") from None
        if not unchanged:
            self.fail(f"{brief(self.lines[end - 1])} {NOT_CHECKSUM}", end)
        return record

    def refuse(self, what: str, number: int, reason: str) -> NoReturn:
        """What is wrong in the game, with its line."""
        if what == "result":
            self.fail(reason, self.result_line)
        self.fail(reason, self.lines_of[what][number if what == "bid" else number - 1])

    # ---- the parts, in their order -------------------------------------------------------------

    def body(self) -> Record:
        self.at = 1
        rules = self.rules()
        tags = self.tags()
        deals, auctions = self.deals()
        moves = self.moves(rules)
        self.result_line = self.at + 1
        result = self.result()
        self.skip_blank()
        if self.at != len(self.lines) - 2:
            self.fail(f"{brief(self.lines[self.at])} stands where the checksum was expected")
        return Record(rules, tuple(deals), tuple(auctions), tuple(moves), result, tags)

    def rules(self) -> Rules:
        name = self.tag("Rules")
        start, options = self.at, {}
        while (found := TAG_LINE.fullmatch(self.line())) and found[1].startswith("Rules."):
            option = found[1].removeprefix("Rules.")
            if option not in RULE_OPTIONS or option == "name" or option in options:
                self.fail(f"[{found[1]}] is no option, or was given before")
            with _Place(f"line {self.at + 1}"):
                options[option] = _option_from_word(option, self.quoted(found[2]))
            self.at += 1
        with _Place(f"line {start}"):
            if options:
                return _rules_from_options({"name": name, **options})
            return _parsed(Rules.preset, name)

    def tags(self) -> dict[str, str]:
        tags: dict[str, str] = {}
        while found := TAG_LINE.fullmatch(self.line()):
            if found[1] in tags:
                self.fail(f"the tag {found[1]} was given before")
            tags[found[1]] = self.quoted(found[2])
            with _Place(f"line {self.at + 1}"):
                _check_tags({found[1]: tags[found[1]]})
                _check_tags(tags)
            self.at += 1
        return tags

    def deals(self) -> tuple[list[str], list[Bids]]:
        codes: list[str] = []
        auctions: list[Bids] = []
        self.skip_blank()
        while not codes or self.line().startswith("Deal "):
            number = len(codes) + 1
            with _Place(f"line {self.at + 1}"):
                codes.append(_code(self.entry(f"Deal {number}")))
            self.lines_of["deal"].append(self.at)
            hands = hands_in_words(Deal.from_code(codes[-1]))
            if self.entry(f"Hands {number}") != hands:
                self.fail(f"these are not the hands of deal {number}: {hands}", self.at)
            bids = []
            words = self.entry(f"Bids {number}")
            with _Place(f"line {self.at}"):
                for word in [] if words == "-" else words.split():
                    seat, bid = self.seat_and_word(word)
                    bids.append((seat, _bid(bid)))
                    self.lines_of["bid"].append(self.at)
            auctions.append(tuple(bids))
            self.skip_blank()
        return codes, auctions

    def moves(self, rules: Rules) -> list[tuple[int, Move]]:
        moves: list[tuple[int, Move]] = []
        while not self.line().startswith("["):
            with _Place(f"line {self.at + 1}"):
                ply, *words = self.line().split() or [""]
                if ply != f"{len(moves) + 1}.":
                    raise RecordError(
                        f"{brief(ply)} stands where ply '{len(moves) + 1}.' was expected"
                    )
                if not words:
                    raise RecordError(f"no move follows {ply}")
                for word in words:
                    seat, move = self.seat_and_word(word)
                    moves.append((seat, _move(move, rules)))
                    self.lines_of["ply"].append(self.at + 1)
            self.at += 1
            self.skip_blank()
        return moves

    def result(self) -> Result | None:
        outcome = self.tag("Result")
        if outcome == "*":
            return None
        items = {}
        for name, tag in RESULT_TAGS.items():
            with _Place(f"line {self.at + 1}"):
                items[name] = _result_from_word(name, self.tag(tag))
        with _Place(f"line {self.result_line}"):
            result = _result(items)
            if _outcome(result) != outcome:
                raise RecordError(
                    f"the result is {brief(outcome)}, but its items say {_outcome(result)!r}"
                )
        return result

    # ---- one line ------------------------------------------------------------------------------

    def line(self) -> str:
        """The present line; the checksum's is never passed."""
        return self.lines[min(self.at, len(self.lines) - 2)]

    def skip_blank(self) -> None:
        while not self.line().strip():
            self.at += 1

    def tag(self, name: str) -> str:
        """The value of the tag that must stand here."""
        found = TAG_LINE.fullmatch(self.line())
        if found is None or found[1] != name:
            self.fail(f"{brief(self.line())} stands where [{name} …] was expected")
        value = self.quoted(found[2])
        self.at += 1
        return value

    def entry(self, name: str) -> str:
        """What follows ``name: `` on the line that must stand here."""
        if not self.line().startswith(f"{name}: "):
            self.fail(f"{brief(self.line())} stands where '{name}: …' was expected")
        self.at += 1
        return self.lines[self.at - 1].removeprefix(f"{name}: ").strip()

    def quoted(self, text: str) -> str:
        try:
            value = json.loads(text)
        except ValueError:
            value = None
        if not isinstance(value, str):
            self.fail(f"{brief(text)} is no text in quotation marks")
        return value

    def seat_and_word(self, text: str) -> tuple[int, str]:
        found = SEAT_AND_WORD.fullmatch(text)
        if found is None:
            raise RecordError(f"{brief(text)} is not a seat, a colon and a word")
        return int(found[1]), found[2]
