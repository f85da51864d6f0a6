"""How hands, moves, positions and games show themselves."""

import re
from xml.etree import ElementTree as ET

import pytest

import ddz_core as ddz

RANKS = "3456789TJQKA2BR"


def tree(html):
    """The HTML, which is all well-formed XML too."""
    return ET.fromstring(f"<body>{html.replace('<br>', '<br/>')}</body>")


def cards_of(element):
    """The cards of each picture."""
    svg = "{http://www.w3.org/2000/svg}"
    return [
        "".join(text.text for text in one.iter(f"{svg}text") if text.text in RANKS)
        for one in element.iter(f"{svg}svg")
    ]


def played(seed=1, rules="standard", plies=0):
    game = ddz.Game(rules, seed=seed)
    while game.phase == "auction":
        game.bid(game.legal_bids()[-1])
    for _ in range(plies):
        if game.turn is not None:
            game.play(game.legal_moves()[-1])
    return game


@pytest.mark.parametrize("cards", ["3", "33344TTT2222BR", "BR", "3456789TJQKA"])
def test_a_hand(cards):
    html = ddz.Hand(cards)._repr_html_()
    body = tree(html)
    assert cards_of(body) == [cards]
    assert f">{len(cards)}<" in html
    (title,) = body.iter("{http://www.w3.org/2000/svg}title")
    assert title.text == cards


def test_an_empty_hand():
    assert "no cards" in ddz.Hand()._repr_html_()


def test_all_cards_lie_inside_the_picture():
    html = ddz.Hand("3334445556667778889R")._repr_html_()
    width = int(re.search(r'width="(\d+)"', html)[1])
    boxes = re.findall(r'<rect x="(\d+)" y="1" width="(\d+)"', html)
    assert max(int(x) + int(w) for x, w in boxes) < width
    assert len({x for x, _ in boxes}) == 20


def test_a_move_shows_its_kickers_apart():
    html = ddz.Move.parse("333444+5T")._repr_html_()
    assert cards_of(tree(html)) == ["333444", "5T"]
    assert "333444+5T, airplane singles" in html
    assert "pass" in ddz.Move.PASS._repr_html_()


def test_a_position():
    game = played(plies=2)
    position = game.position
    body = tree(position._repr_html_())
    assert cards_of(body)[:3] == [str(hand) for hand in position.hands]
    text = str(position)
    assert len(text.splitlines()) == 4
    for hand in position.hands:
        assert f"{len(hand):>2}  {hand}" in text
    assert f"> seat {position.turn}" in text
    assert text.count("landlord") == 1
    # The one-line form is still what repr has.
    assert position.to_string() in repr(position)
    assert "\n" not in repr(position)


def test_what_is_on_the_table():
    position = ddz.Position(["345", "36", "47"], rules="standard")
    assert "seat 0 leads" in str(position)
    position.play("4")
    assert "seat 1 answers 4 of seat 0" in str(position)
    position.play("pass")
    assert "seat 2 answers 4 of seat 0, 1 pass since" in str(position)
    position.play("7")
    position.play("pass")
    position.play("pass")
    assert "seat 2 leads" in str(position)
    position.play("4")
    assert "seat 2 has won for the peasants" in str(position)
    assert ">" not in str(position)
    assert "has won" in position._repr_html_()


@pytest.mark.parametrize("rules", ddz.Rules.preset_names())
@pytest.mark.parametrize("plies", [0, 5, 400])
def test_games(rules, plies):
    game = ddz.Game(rules, seed=3)
    tree(game._repr_html_())
    assert str(game).startswith(game.rules.name)
    game = played(3, rules, plies)
    shown = cards_of(tree(game._repr_html_()))
    assert [hand for hand in map(str, game.hands) if hand] == shown[: len(game.hands)][
        : sum(map(bool, game.hands))
    ]
    text = str(game)
    for hand in game.hands:
        assert str(hand) in text
    assert ("points" in text) == ("points" in game._repr_html_()) == (game.turn is None)
    assert "\n" not in repr(game)


def test_everything_is_escaped():
    with pytest.raises(ddz.DdzError, match="name is"):
        ddz.Rules.standard().replace(name="<script>")
    game = played(rules=ddz.Rules.standard().replace(name="mine"), plies=9)
    # Rules does not take such a name, and the page does not rely on that.
    object.__setattr__(game.rules, "name", "<script>alert(1)</script>&\"'")
    html = game._repr_html_()
    assert "<script" not in html
    assert "".join(tree(html).itertext()).startswith(game.rules.name)


def test_tables_have_the_colour_of_the_text_around_them():
    assert '<table style="color:inherit">' in played(plies=1)._repr_html_()
