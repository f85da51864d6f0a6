"""Records: whole games, or games in progress, and whether they follow the rules.

The two formats, a text that people read and JSON, are described in docs/record-format.md.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar

from ddz_core._values import Move
from ddz_core.auction import Bid
from ddz_core.checks import each, file_path, flag, instance, iterable, one_of, wrong_kind
from ddz_core.deal import Deal
from ddz_core.errors import DdzError, RecordError
from ddz_core.game import Game, Phase, Result
from ddz_core.record_json import JsonReader, to_json
from ddz_core.record_reader import MAX_TEXT, VERSION, At, Reader, brief, placed, read_file
from ddz_core.record_text import TextReader, to_text
from ddz_core.record_values import MAX_DEALS, RESULT_TAGS, check_tags
from ddz_core.rules import Rules, as_rules
from ddz_core.strict_json import Path, parse_json

__all__ = ["VERSION", "Record", "record_from_json"]

Bids: TypeAlias = tuple[tuple[int, Bid], ...]
T = TypeVar("T")


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
        Tags that cannot be written, more than a thousand deals, or numbers of deals and auctions
        that differ. Whether the game follows the rules is the question of `validate`.
    TypeError
        A value of the wrong type.

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
        keep("deals", tuple(each(self.deals, str, "deals")))
        auctions = iterable(self.auctions, "auctions")
        keep("auctions", tuple(_pairs(bids, "each of auctions", "bid") for bids in auctions))
        keep("moves", _pairs(self.moves, "moves", "move"))
        keep("tags", dict(_checked_tags(self.tags)))
        if not self.deals:
            raise placed(("deals",), "a record has at least one deal, not none")
        if len(self.deals) > MAX_DEALS:
            raise placed(("deals",), f"a record has at most {MAX_DEALS} deals")
        if len(self.deals) != len(self.auctions):
            raise placed(("deals",), f"{len(self.deals)} deals, but {len(self.auctions)} auctions")
        if self.result is not None:
            instance(self.result, Result, "result")
        with At("tags"):
            check_tags(self.tags)

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
        validate = flag(validate, "validate")
        if isinstance(source, str):
            text = source
            if len(text) > MAX_TEXT:
                raise RecordError(f"line 1: a text of {len(text)} letters is no record")
        elif isinstance(source, os.PathLike):
            text = read_file(source)
        else:
            raise wrong_kind(source, "source", "a text or an os.PathLike")
        if text.lstrip().startswith("{"):
            return record_from_json(parse_json(text), text, validate=validate)
        return _read(TextReader(text), validate)

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

        Raises
        ------
        DdzError
            Another format.
        OSError
            The file cannot be written.
        TypeError
            `path` is no path.
        """
        to_format = {"text": to_text, "json": to_json}
        text = to_format[one_of(format, "format", (*to_format,))](self)
        if path is not None:
            with open(file_path(path, "path"), "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
        return text

    # ---- the game ------------------------------------------------------------------------------

    @classmethod
    def from_game(cls, game: Game, tags: Mapping[str, str] | None = None) -> Record:
        """The record of a game as far as it has come.

        Raises
        ------
        RecordError
            Tags that cannot be written, or more than a thousand deals.
        TypeError
            A value of the wrong type.
        """
        instance(game, Game, "game")
        return cls(
            rules=game.rules,
            deals=tuple(deal.code for deal in game.deals),
            auctions=game.auctions,
            moves=game.moves,
            result=game.result,
            tags={} if tags is None else dict(_checked_tags(tags)),
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

    def _play(self) -> Iterator[Game]:
        """The one game, at first and after each action; errors know their places."""
        game = self._new_game()
        yield game
        yield from self._make_bids(game)
        yield from self._make_moves(game)
        _check_result(self.result, game.result)

    def _new_game(self) -> Game:
        deals = []
        for number, code in enumerate(self.deals):
            try:
                deals.append(Deal.from_code(code))
                deals[-1].fits(self.rules)
            except (DdzError, TypeError) as error:
                raise placed(("deals", number, "code"), f"deal {number + 1}: {error}") from None
        try:
            return Game(self.rules, deal=deals)
        except DdzError as error:
            # Rules that no game can have, or a redeal that moves the first bid (001).
            moved = [n for n, deal in enumerate(deals) if deal.opener != deals[0].opener]
            if moved and self.rules.first_bidder == "rotate":
                raise placed(("deals", moved[0], "code"), f"deal {moved[0] + 1}: {error}") from None
            raise placed(("rules",), str(error)) from None

    def _make_bids(self, game: Game) -> Iterator[Game]:
        for number, bids in enumerate(self.auctions):
            if game.redeals != number:
                reason = f"deal {number + 1}: there was no redeal before it"
                raise placed(("deals", number), reason)
            for index, (seat, bid) in enumerate(bids):
                path: Path = ("deals", number, "bids", index)
                where = f"deal {number + 1}, bid {index + 1}"
                if game.phase != Phase.AUCTION or game.redeals != number:
                    raise placed(path, f"{where}: the auction was over before {shown(bid)}")
                if seat != game.turn:
                    raise placed(path, f"{where}: it is seat {game.turn}'s turn, not {seat}'s")
                try:
                    game.bid(bid)
                except (DdzError, TypeError) as error:
                    reason = f"{where}: seat {seat} may not bid {shown(bid)}: {error}"
                    raise placed(path, reason) from None
                if game.redeals == len(self.deals):
                    reason = f"deal {number + 1}: a redeal follows, which is not recorded"
                    raise placed(("deals", number), reason)
                yield game

    def _make_moves(self, game: Game) -> Iterator[Game]:
        for index, (seat, move) in enumerate(self.moves):
            path: Path = ("moves", index)
            where = f"ply {index + 1}"
            if game.phase != Phase.PLAY:
                over = "the game is over" if game.phase == Phase.OVER else "the auction is not over"
                raise placed(path, f"{where}: {over} before {shown(move)}")
            if seat != game.turn:
                raise placed(path, f"{where}: it is seat {game.turn}'s turn, not {seat}'s")
            try:
                game.play(move)
            except (DdzError, TypeError) as error:
                reason = f"{where}: seat {seat} may not play {shown(move)}: {error}"
                raise placed(path, reason) from None
            yield game


def record_from_json(values: object, text: str | None = None, *, validate: bool = True) -> Record:
    """The record that a JSON object describes.

    Parameters
    ----------
    values : object
        What the JSON text holds.
    text : str, optional
        The text itself, for the lines in messages.
    validate : bool
        As for `Record.load`.

    Raises
    ------
    RecordError
        It is no record, was changed, or does not follow the rules: the place and the reason.
    """
    return _read(JsonReader(values, text), validate)


def _read(reader: Reader, validate: bool) -> Record:
    try:
        record = Record(**reader.contents()._asdict())
        if validate:
            record.validate()
    except RecordError as error:
        raise reader.refusal(error) from None
    reader.check()
    return record


def _checked_tags(tags: object) -> Mapping[str, str]:
    if not isinstance(tags, Mapping):
        raise TypeError(f"tags must be a mapping, not {repr(tags)[:80]}")
    return tags


def _pairs(entries: Iterable[tuple[int, T]], name: str, what: str) -> tuple[tuple[int, T], ...]:
    try:
        return tuple((seat, entry) for seat, entry in entries)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be (seat, {what}) pairs, not {repr(entries)[:80]}") from None


def shown(action: object) -> str:
    """A bid or move for a message, or whatever stands in its place."""
    return brief(str(action) if isinstance(action, Move | Bid) else action)


def _check_result(recorded: Result | None, real: Result | None) -> None:
    """Refuse a result that is not the game's."""
    if recorded == real:
        return
    if real is None:
        raise placed(("result",), "the game is not over, but a result is recorded")
    if recorded is None:
        raise placed(("result",), "the game is over, but no result is recorded")
    for name in RESULT_TAGS:
        ours, theirs = getattr(real, name), getattr(recorded, name)
        if ours != theirs:
            reason = f"the result's {name} is {brief(theirs)}, but the game gives {brief(ours)}"
            raise placed(("result", name), reason)
    raise placed(("result",), "the result is not the game's")
