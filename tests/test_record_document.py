"""What docs/record-format.md says is enough for a program that shares no code with this one."""

import hashlib
import json
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ddz_core as ddz
from ddz_core.deal import Deal, deal
from ddz_core.game import Game
from ddz_core.record import Record

# ---- the checksum of the JSON format ------------------------------------------------------------

SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def foreign_text(text):
    """A text as the document has it."""
    written = ""
    for letter in text:
        number = ord(letter)
        if letter in SHORT:
            written += SHORT[letter]
        elif 0x20 <= number <= 0x7E:
            written += letter
        elif number <= 0xFFFF:
            written += f"\\u{number:04x}"
        else:
            number -= 0x10000
            written += f"\\u{0xD800 + (number >> 10):04x}\\u{0xDC00 + (number & 0x3FF):04x}"
    return f'"{written}"'


def foreign_json(value):
    """A JSON value as the document has it."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return foreign_text(value)
    if isinstance(value, list):
        return f"[{','.join(map(foreign_json, value))}]"
    members = (f"{foreign_text(name)}:{foreign_json(value[name])}" for name in sorted(value))
    return f"{{{','.join(members)}}}"


def foreign_checksum(values):
    rest = {name: value for name, value in values.items() if name != "checksum"}
    return hashlib.sha256(foreign_json(rest).encode("ascii")).hexdigest()[:16]


def finished(rules, seed=1):
    game = Game(rules, seed=seed)
    while game.phase == "auction":
        game.bid(game.legal_bids()[-1])
    while game.phase == "play":
        game.play(game.legal_moves()[-1])
    return game


ODD = "".join(map(chr, range(0x110))) + "/\x7f\x80\u2028\ud7ff\ue000\uffff\U00010000\U0010ffff斗😀"


@pytest.mark.parametrize("rules", ["standard", "duel", "openspiel"])
def test_the_checksum_of_the_json_format(rules):
    tags = {"Seat1": "Bo", "Seat0": ODD, "seat0": "é", "B": "", "a": "\x7f"}
    for game in (Game(rules, seed=1), finished(rules)):
        values = json.loads(Record.from_game(game, tags).save(format="json"))
        assert values["checksum"] == foreign_checksum(values)
        assert values["tags"] == tags
    other = {**values, "tags": {"Note": ODD[::-1]}}
    written = foreign_json({**other, "checksum": foreign_checksum(other)})
    assert Record.load(written).tags == {"Note": ODD[::-1]}


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=50))
def test_texts_in_the_checksum(text):
    values = {**json.loads(finished("casual").record().save(format="json")), "tags": {"A": text}}
    assert (
        Record.load(json.dumps({**values, "checksum": foreign_checksum(values)})).tags["A"] == text
    )


# ---- the code of a deal -------------------------------------------------------------------------

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
GENERATOR = [0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3]


def foreign_remainder(values):
    c = 1
    for v in values:
        top = c >> 25
        c = ((c & 0x1FFFFFF) << 5) ^ v
        for b in range(5):
            if top >> b & 1:
                c ^= GENERATOR[b]
    return c


def number_of(values):
    number = 0
    for value in values:
        number = number * 32 + value
    return number


def foreign_layout(number):
    """Players, packs, lowest rank, hand size and kitty size."""
    number, kitty = divmod(number, 34)
    number, hand = divmod(number, 33)
    number, lowest = divmod(number, 13)
    players, packs = divmod(number, 2)
    return players + 2, packs + 1, lowest, hand + 1, kitty


def foreign_deal(code):
    """(hands, kitty, undealt, opener, face-up card) of a code, from the document alone."""
    values = [LETTERS.index(letter) for letter in code.strip().replace("-", "").upper()]
    assert foreign_remainder(values) == 0x0DD2C0DE
    assert LETTERS[values[0]] == "A"
    players, packs, lowest, hand_size, kitty_size = foreign_layout(number_of(values[1:5]))
    deck = [54 * pack + card for pack in range(packs) for card in range(4 * lowest, 54)]
    sizes = [hand_size] * players + [kitty_size]
    radices, left = [players + players * hand_size], len(deck)
    for size in sizes:
        radices.append(math.comb(left, size))
        left -= size
    n = next(n for n in range(90) if 32**n > math.prod(radices) - 1)
    assert len(values) == 1 + 4 + n + 6
    number, digits = number_of(values[5:-6]), []
    for radix in reversed(radices):
        digits.insert(0, number % radix)
        number //= radix
    assert number == 0
    piles = []
    for size, digit in zip(sizes, digits[1:], strict=True):
        places = []
        for k in range(size, 0, -1):
            place = max(p for p in range(len(deck)) if math.comb(p, k) <= digit)
            digit -= math.comb(place, k)  # noqa: PLW2901
            places.append(place)
        piles.append(tuple(deck[place] for place in sorted(places)))
        deck = [card for place, card in enumerate(deck) if place not in places]
    *hands, kitty = piles
    if digits[0] < players:
        return tuple(hands), kitty, tuple(deck), digits[0], None
    opener, place = divmod(digits[0] - players, hand_size)
    return tuple(hands), kitty, tuple(deck), opener, hands[opener][place]


def content(made):
    return made.hands, made.kitty, made.undealt, made.opener, made.face_up


@pytest.mark.parametrize("name", ddz.Rules.preset_names())
def test_the_code_of_a_deal(name):
    for seed in range(8):
        made = deal(name, seed, style="unshuffled" if seed % 2 else "shuffled")
        assert foreign_deal(made.code) == content(made)
    spaced = f" {made.code[:7]}-{made.code[7:].lower()}\n"
    assert foreign_deal(spaced) == content(Deal.from_code(spaced))
    assert len(made.code) == {"duel": 27, "four_player": 59}.get(name, 31)


def test_the_codes_of_other_layouts():
    draw = random.Random(4)
    for _ in range(60):
        packs, lowest, players = draw.randint(1, 2), draw.randint(0, 12), draw.randint(2, 4)
        cards = [54 * pack + card for pack in range(packs) for card in range(4 * lowest, 54)]
        if len(cards) < players:
            continue
        size = draw.randint(1, min(33, len(cards) // players))
        draw.shuffle(cards)
        hands = [cards[seat * size : (seat + 1) * size] for seat in range(players)]
        rest = cards[players * size :]
        kitty = draw.randint(0, min(33, len(rest)))
        opener = draw.randrange(players)
        made = Deal(
            hands,
            rest[:kitty],
            rest[kitty:],
            opener,
            draw.choice([None, hands[opener][0]]),
            packs,
            ddz.Rank(lowest),
        )
        assert foreign_deal(made.code) == content(made)


# ---- words, openers and void deals ---------------------------------------------------------------


def test_tens_and_small_letters_are_read():
    game = Game("standard", deal=deal("standard", 3, fixed={0: "345678TBR"}, opener=0))
    game.bid("3")
    for move in ("T", "pass", "pass", "345678", "pass", "pass", "BR"):
        game.play(move)
    text = game.record().save()
    head, moves = text.split("\n1. ", 1)
    other = f"{head}\n1. {moves.replace(':T ', ':10 ').replace(':BR', ':br')}"
    assert ":10 " in other
    body = other[: other.index("[Checksum")]
    sealed = f'{body}[Checksum "{hashlib.sha256(body.encode()).hexdigest()[:16]}"]\n'
    assert Record.load(sealed) == game.record()


def test_a_void_deal():
    game = Game("openspiel", seed=3)
    for _ in range(3):
        game.bid("pass")
    text = game.record().save()
    tags = text.partition("[Result ")[2].splitlines()
    assert tags[:-1] == [
        '"void"]',
        '[Winner "none"]',
        '[Landlord "none"]',
        '[LandlordWon "none"]',
        '[Base "0"]',
        '[Bombs "0"]',
        '[DoublingBombs "0"]',
        '[Rockets "0"]',
        '[Robs "0"]',
        '[Spring "no"]',
        '[AntiSpring "no"]',
        '[Multiplier "1"]',
        '[Stake "0"]',
        '[Points "0 0 0"]',
        '[Redeals "0"]',
    ]
    result = json.loads(game.record().save(format="json"))["result"]
    assert [result[name] for name in ("winner", "landlord", "landlord_won")] == [None] * 3


def test_who_speaks_first_is_what_the_code_says():
    for rules in ("casual", "standard", "pagat", "club"):
        for opener in range(3):
            game = Game(rules, deal=deal("standard", 1, opener=opener))
            assert Record.load(game.record().save()).game().turn == opener


def test_a_redeal_does_not_move_a_first_bid_that_rotates():
    codes = [
        deal("standard", seed, opener=opener).code for seed, opener in ((1, 1), (2, 1), (3, 2))
    ]
    passes = tuple((seat, ddz.Bid.PASS) for seat in (1, 2, 0))
    Record("club", codes[:2], (passes, ())).validate()
    Record("standard", codes, (passes, passes, ())).validate()
    wrong = Record("club", codes, (passes, passes, ()))
    for text, place in ((wrong.save(), "line 12"), (wrong.save(format="json"), "line 1, deals")):
        with pytest.raises(ddz.RecordError, match=f"^{place}.*: deal 3: .*first bid"):
            Record.load(text)
