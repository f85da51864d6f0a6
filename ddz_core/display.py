"""How hands, moves, positions and games show themselves: as text, and in notebooks as HTML."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from ddz_core.vocabulary import RANK_SYMBOLS, Rank

if TYPE_CHECKING:
    from ddz_core._position import Position
    from ddz_core._values import Hand, Move
    from ddz_core.game import Game

__all__ = ["game_html", "game_text", "hand_html", "move_html", "position_html", "position_text"]

# A card, how far the next of its rank is moved to the right, and the gap between ranks, in pixels.
CARD_WIDTH, CARD_HEIGHT = 26, 36
OVERLAP, GAP = 13, 5
INK, RED, FACE, EDGE = "#222222", "#c0271d", "#ffffff", "#8a8a8a"
KICKERS_APART = 12
# Of a long game the moves that are shown.
LATEST = 12
CELL = 'style="padding:2px 8px;text-align:left;vertical-align:middle"'
EMPTY = "no cards"


# ---- text ----------------------------------------------------------------------------------------


def position_text(position: Position) -> str:
    """A position on several lines: what is on the table, then a line for each seat."""
    return "\n".join([_headline(position), *_seat_lines(position.hands, position)])


def game_text(game: Game) -> str:
    """A game on several lines, all hands open."""
    lines = [f"{game.rules.name}, {game.phase}{_stakes(game)}"]
    if game.bids:
        lines.append("bids: " + ", ".join(f"{seat}: {bid}" for seat, bid in game.bids))
    position = game.position
    if position is None:
        lines += _seat_lines(game.hands, None, game.turn)
    else:
        lines.append(_headline(position))
        lines += _seat_lines(position.hands, position)
    if len(game.deal.kitty):
        lines.append(f"kitty: {game.deal.kitty_cards}")
    if game.moves:
        lines.append(_latest(game))
    result = game.result
    if result is not None:
        points = ", ".join(f"{seat}: {won:+d}" for seat, won in enumerate(result.points))
        lines.append(f"points: {points}")
    return "\n".join(lines)


def _headline(position: Position) -> str:
    if position.winner is not None:
        side = "landlord" if position.landlord_won else "peasants"
        return f"seat {position.winner} has won for the {side}"
    if position.last is None:
        return f"seat {position.turn} leads"
    passes = position.passes
    passed = f", {passes} {'pass' if passes == 1 else 'passes'} since" if passes else ""
    return f"seat {position.turn} answers {position.last} of seat {position.last_seat}{passed}"


def _seat_lines(
    hands: Iterable[Hand], position: Position | None, turn: int | None = None
) -> list[str]:
    if position is not None:
        turn = position.turn if position.winner is None else None
    lines = []
    for seat, hand in enumerate(hands):
        mark = ">" if seat == turn else " "
        role = _role(seat, position)
        lines.append(f"{mark} seat {seat} {role:<8} {len(hand):>2}  {hand}".rstrip())
    return lines


def _role(seat: int, position: Position | None) -> str:
    if position is None:
        return ""
    return "landlord" if seat == position.landlord else "peasant"


def _stakes(game: Game) -> str:
    return f", base {game.base}, multiplier {game.multiplier}" if game.base else ""


def _latest(game: Game) -> str:
    moves = [f"{seat}: {move}" for seat, move in game.moves[-LATEST:]]
    more = "… " if len(game.moves) > LATEST else ""
    return f"moves: {more}{', '.join(moves)}"


# ---- HTML ----------------------------------------------------------------------------------------


def hand_html(hand: Hand) -> str:
    """A hand as a row of cards, with their number."""
    if not hand:
        return f"<span>{EMPTY}</span>"
    return f"{_cards(hand)} <small>{len(hand)}</small>"


def move_html(move: Move) -> str:
    """A move as cards, its kickers apart, with its notation and kind."""
    name = escape(move.kind.name.lower().replace("_", " "))
    if not move.n_cards:
        return f"<span>{name}</span>"
    kickers = move.kickers
    shown = _cards(move.main)
    if kickers:
        shown += f'<span style="padding-left:{KICKERS_APART}px">{_cards(kickers)}</span>'
    return f"{shown} <small>{escape(str(move))}, {name}</small>"


def position_html(position: Position) -> str:
    """A position as a table: what is on the table, then a row for each seat."""
    return _block(
        [escape(_headline(position))],
        _seat_rows(position.hands, position),
        [] if position.last is None else [f"on the table: {move_html(position.last)}"],
    )


def game_html(game: Game) -> str:
    """A game as a table, all hands open."""
    head = [f"<b>{escape(game.rules.name)}</b>, {escape(str(game.phase))}{escape(_stakes(game))}"]
    if game.bids:
        bids = ", ".join(f"{seat}: {bid}" for seat, bid in game.bids)
        head.append(f"bids: {escape(bids)}")
    position = game.position
    foot = []
    if position is None:
        rows = _seat_rows(game.hands, None, game.turn)
    else:
        rows = _seat_rows(position.hands, position)
        head.append(escape(_headline(position)))
        if position.last is not None:
            foot.append(f"on the table: {move_html(position.last)}")
    if len(game.deal.kitty):
        foot.append(f"kitty: {hand_html(game.deal.kitty_cards)}")
    if game.moves:
        foot.append(f"<small>{escape(_latest(game))}</small>")
    result = game.result
    if result is not None:
        points = ", ".join(f"seat {seat}: {won:+d}" for seat, won in enumerate(result.points))
        foot.append(f"<b>points</b> {escape(points)}")
    return _block(head, rows, foot)


def _block(head: list[str], rows: list[str], foot: list[str]) -> str:
    above = "".join(f"<div>{line}</div>" for line in head)
    below = "".join(f'<div style="padding-top:4px">{line}</div>' for line in foot)
    # Where a page has no doctype, a table does not take on the colour of the text around it.
    return f'<div>{above}<table style="color:inherit">{"".join(rows)}</table>{below}</div>'


def _seat_rows(
    hands: Iterable[Hand], position: Position | None, turn: int | None = None
) -> list[str]:
    if position is not None:
        turn = position.turn if position.winner is None else None
    rows = []
    for seat, hand in enumerate(hands):
        mark = "▶" if seat == turn else ""
        role = _role(seat, position)
        rows.append(
            f"<tr><td {CELL}>{mark}</td><td {CELL}>seat {seat}<br><small>{role}</small></td>"
            f"<td {CELL}>{hand_html(hand)}</td></tr>"
        )
    return rows


def _cards(hand: Hand) -> str:
    """Cards as a picture, those of one rank over each other."""
    drawn = []
    x = 1
    for rank, count in enumerate(hand.counts.tolist()):
        for _ in range(count):
            drawn.append(_card(rank, x))
            x += OVERLAP
        if count:
            x += CARD_WIDTH - OVERLAP + GAP
    width, height = x - GAP + 1, CARD_HEIGHT + 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" style="vertical-align:middle">'
        f"<title>{escape(str(hand))}</title>{''.join(drawn)}</svg>"
    )


def _card(rank: int, x: int) -> str:
    ink = RED if rank == Rank.RED_JOKER else INK
    face = (
        f'<rect x="{x}" y="1" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="4" fill="{FACE}" '
        f'stroke="{EDGE}"/>'
    )
    # Cards of one rank lie so close that only the upper left corner of each is seen.
    corner = (
        f'<text x="{x + 3}" y="13" font-family="sans-serif" font-size="11" font-weight="bold" '
        f'fill="{ink}">{RANK_SYMBOLS[rank]}</text>'
    )
    if rank < Rank.BLACK_JOKER:
        return face + corner
    star = (
        f'<text x="{x + CARD_WIDTH // 2}" y="31" font-family="sans-serif" font-size="16" '
        f'text-anchor="middle" fill="{ink}">★</text>'
    )
    return face + corner + star
