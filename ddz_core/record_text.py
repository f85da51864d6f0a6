"""The text format of records; docs/record-format.md describes it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from ddz_core._values import Move
from ddz_core.deal import Deal
from ddz_core.errors import RecordError
from ddz_core.record_reader import (
    VERSION,
    At,
    Contents,
    Place,
    Reader,
    brief,
    checksum,
    placed,
    wrong_version,
)
from ddz_core.record_values import (
    MAX_DEALS,
    RESULT_TAGS,
    RULE_OPTIONS,
    TYPE_OF_RESULT,
    bid_of,
    check_tags,
    code_of,
    move_of,
    option_as_json,
    option_from_json,
    result_of,
    rules_from_json,
    rules_of,
)
from ddz_core.rules import Rules
from ddz_core.vocabulary import Rank

if TYPE_CHECKING:
    from ddz_core.auction import Bid
    from ddz_core.game import Result
    from ddz_core.record import Record
    from ddz_core.strict_json import Path

__all__ = ["TextReader", "hands_in_words", "to_text"]

TAG_LINE = re.compile(r"\[([A-Za-z][A-Za-z0-9_.]{0,79}) (\".*\")\]")
SEAT_AND_WORD = re.compile(r"([0-9]):(\S+)")


# ---- writing -------------------------------------------------------------------------------------


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


def to_text(record: Record) -> str:
    """The record as lines."""
    rules = record.rules
    lines = [f'[DdzRecord "{VERSION}"]', f"[Rules {_quoted(rules.name)}]"]
    if rules.name not in Rules.preset_names():
        for name in RULE_OPTIONS:
            if name != "name":
                word = _word(option_as_json(name, getattr(rules, name)))
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
    return f'{text}[Checksum "{checksum(text)}"]\n'


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


# ---- reading -------------------------------------------------------------------------------------


def _option_from_word(name: str, word: str) -> object:
    default = RULE_OPTIONS[name]
    if isinstance(default, bool):
        return {"yes": True, "no": False}.get(word, word)
    if isinstance(default, int) and not isinstance(default, Rank):
        return _number(word)
    if default is None:
        return None if word == "none" else _number(word)
    return option_from_json(name, word)


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


class TextReader(Reader):
    """Reads the text format.

    Parameters
    ----------
    text : str
        The record. What ends lines is the line feed alone, with or without a carriage return.
    """

    def __init__(self, text: str) -> None:
        self.text = text.replace("\r\n", "\n")
        self.lines = self.text.split("\n")
        self.at = 0  # index of the present line
        self.line_of: dict[Path, int] = {}
        self.line_of_ply: list[int] = []

    def where(self, place: Place) -> str:
        if isinstance(place, int):
            return f"line {place}: "
        match place:
            case ("moves", int(ply), *_) if ply < len(self.line_of_ply):
                return f"line {self.line_of_ply[ply]}: "
        while place and place not in self.line_of:
            place = place[:-1]
        return f"line {self.line_of.get(place, 1)}: "

    def checksum(self) -> tuple[Place, object]:
        return len(self.lines) - 1, self.lines[-2]

    def contents(self) -> Contents:
        self.check_ends()
        lines = self.lines[:-2]
        rest = "".join(f"{line}\n" for line in lines)
        self.unchanged = self.lines[-2] == f'[Checksum "{checksum(rest)}"]'
        self.at = 1
        rules = self.rules()
        tags = self.tags()
        deals, auctions = self.deals()
        moves = self.moves(rules)
        result = self.result()
        self.skip_blank()
        if self.at != len(lines):
            self.fail(f"{brief(self.lines[self.at])} stands where the checksum was expected")
        return Contents(rules, deals, auctions, moves, result, tags)

    def fail(self, reason: str) -> NoReturn:
        """Complain about the present line."""
        raise placed(self.at + 1, reason)

    def here(self) -> At:
        """A context in which errors are about the present line."""
        return At(line=self.at + 1)

    # ---- the parts, in their order -------------------------------------------------------------

    def check_ends(self) -> None:
        """Refuse what does not begin, or does not end, as a record does."""
        version = TAG_LINE.fullmatch(self.lines[0])
        if version is None or version[1] != "DdzRecord":
            name = len(self.lines) == 1 and self.text[:1] not in ("", "[")
            self.fail(
                f'a record starts with [DdzRecord "{VERSION}"], not with {brief(self.lines[0])}'
                + (" (the name of a file is given as an os.PathLike)" if name else "")
            )
        if version[2] != f'"{VERSION}"':
            self.fail(wrong_version(self.quoted(version[2])))
        end = len(self.lines) - 1  # what follows the last line break
        if end == 0 or self.lines[end] or not self.lines[end - 1].startswith("[Checksum "):
            raise placed(
                max(1, end if not self.lines[end] else end + 1),
                "the record is cut off here: it ends with its checksum and a line break",
            )

    def rules(self) -> Rules:
        self.line_of["rules",] = self.at + 1
        name = self.tag("Rules")
        options: dict[str, object] = {}
        while (found := TAG_LINE.fullmatch(self.line())) and found[1].startswith("Rules."):
            option = found[1].removeprefix("Rules.")
            if option not in RULE_OPTIONS or option == "name" or option in options:
                self.fail(f"[{found[1]}] is no option, or was given before")
            with self.here():
                options[option] = _option_from_word(option, self.quoted(found[2]))
            self.line_of["rules", option] = self.at + 1
            self.at += 1
        with At("rules"):
            return rules_of({"name": name, **options}) if options else rules_from_json(name)

    def tags(self) -> dict[str, str]:
        tags: dict[str, str] = {}
        while found := TAG_LINE.fullmatch(self.line()):
            name = found[1]
            if name in tags:
                self.fail(f"the tag {name} was given before")
            tags[name] = self.quoted(found[2])
            with self.here():
                check_tags({name: tags[name]})
                check_tags(tags)
            self.at += 1
        return tags

    def deals(self) -> tuple[tuple[str, ...], tuple[tuple[tuple[int, Bid], ...], ...]]:
        codes: list[str] = []
        auctions: list[tuple[tuple[int, Bid], ...]] = []
        self.skip_blank()
        while not codes or self.line().startswith("Deal "):
            number = len(codes)
            if number == MAX_DEALS:
                self.fail(f"a record has at most {MAX_DEALS} deals")
            self.line_of["deals", number] = self.at + 1
            with self.here():
                codes.append(code_of(self.entry(f"Deal {number + 1}")))
            hands = hands_in_words(Deal.from_code(codes[-1]))
            with self.here():
                if self.entry(f"Hands {number + 1}") != hands:
                    raise RecordError(f"these are not the hands of deal {number + 1}: {hands}")
            self.line_of["deals", number, "bids"] = self.at + 1
            with self.here():
                words = self.entry(f"Bids {number + 1}")
                pairs = [] if words == "-" else map(self.seat_and_word, words.split())
                auctions.append(tuple((seat, bid_of(bid)) for seat, bid in pairs))
            self.skip_blank()
        return tuple(codes), tuple(auctions)

    def moves(self, rules: Rules) -> tuple[tuple[int, Move], ...]:
        moves: list[tuple[int, Move]] = []
        while not self.line().startswith("["):
            with self.here():
                ply, *words = self.line().split() or [""]
                if ply != f"{len(moves) + 1}.":
                    raise RecordError(
                        f"{brief(ply)} stands where ply '{len(moves) + 1}.' was expected"
                    )
                if not words:
                    raise RecordError(f"no move follows {ply}")
                for seat, move in map(self.seat_and_word, words):
                    moves.append((seat, move_of(move, rules)))
                    self.line_of_ply.append(self.at + 1)
            self.at += 1
            self.skip_blank()
        return tuple(moves)

    def result(self) -> Result | None:
        self.line_of["result",] = self.at + 1
        outcome = self.tag("Result")
        if outcome == "*":
            return None
        items = {}
        for name, tag in RESULT_TAGS.items():
            self.line_of["result", name] = self.at + 1
            with self.here():
                items[name] = _result_from_word(name, self.tag(tag))
        with At("result"):
            result = result_of(items)
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
