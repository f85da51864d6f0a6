"""Every auction, from the sentences of the seeds and the mistakes of other engines (bid-…)."""

from __future__ import annotations

import copy
import pickle

import pytest
from game_helpers import NO_BID_TYPES, NO_BIDS, PRESETS
from helpers import core_rules

import ddz_core as ddz
from ddz_core.auction import Auction, Bid
from ddz_core.game import Game

ONCE = ("standard", "club", "casual")
NUMBERS = (*ONCE, "pagat", "openspiel", "four_player")


def auction(name: str, words: str, opener: int = 0) -> Auction:
    made = Auction(core_rules(name), opener)
    for word in words.split():
        made.bid(word)
    return made


def legal(made: Auction) -> str:
    return " ".join(map(str, made.legal_bids()))


# --- Bids -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("bid", Bid)
def test_a_bid_is_its_text_and_its_value(bid):
    text = str(bid)
    for form in (bid, text, text.upper(), f" {text}\n", int(bid)):
        assert Bid.parse(form) is bid
    assert f"{bid}" == f"{bid!s}" == text
    assert f"{bid:>5}" == text.rjust(5)


def test_bids_have_the_names_of_the_documents():
    assert [str(bid) for bid in Bid] == ["pass", "1", "2", "3", "call", "rob"]
    assert [int(bid) for bid in Bid] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("junk", [*(junk for junk in NO_BIDS if junk != "THREE"), "three", 10**30])
def test_no_bid_is_refused_by_name(junk):
    # "4" and "0" are no words; as values 4 and 0 are bids.
    with pytest.raises(ddz.IllegalMoveError, match="pass, 1, 2, 3, call, rob"):
        Bid.parse(junk)


@pytest.mark.parametrize("junk", NO_BID_TYPES)
def test_other_types_are_no_bids(junk):
    with pytest.raises(TypeError, match="bid must be"):
        Bid.parse(junk)


# --- Each row of rules.md -------------------------------------------------------------------------

# rule set, opener, words, whose turn (None: over), legal words, landlord, base, robs
STORIES = [
    # 000: "jede Person kommt genau einmal an die Reihe: Man bietet 1, 2 oder 3 oder passt, und das
    # Gebot muss echt höher liegen als das aktuell höchste."
    *((name, 1, "", 1, "pass 1 2 3", None, 0, 0) for name in NUMBERS if name != "four_player"),
    *((name, 1, "1", 2, "pass 2 3", None, 1, 0) for name in NUMBERS),
    *((name, 0, "pass 2", 2, "pass 3", None, 2, 0) for name in NUMBERS),
    # "Ein Gebot von 3 beendet das Reizen sofort"
    *((name, 1, "3", None, "", 1, 3, 0) for name in NUMBERS),
    *((name, 1, "1 3", None, "", 2, 3, 0) for name in NUMBERS),
    # "Nach dieser einen Runde wird die höchstbietende Person Grundbesitzer."
    *((name, 1, "1 2 pass", None, "", 2, 2, 0) for name in ONCE),
    *((name, 1, "1 pass pass", None, "", 1, 1, 0) for name in ONCE),
    *((name, 2, "pass pass 1", None, "", 1, 1, 0) for name in ONCE),
    # bid-03: base and landlord come from the highest bid, not from the last speaker.
    *((name, 0, "1 2 pass", None, "", 1, 2, 0) for name in ("standard", "club", "casual")),
    # bid-05: after 2 only pass and 3.
    *((name, 0, "2", 1, "pass 3", None, 2, 0) for name in ("standard", "club", "pagat", "casual")),
    # 000: "Passen alle drei, ist die Runde ungültig"
    *((name, 1, "pass pass pass", None, "", None, 0, 0) for name in ONCE),
    # 002: "It ends when two players pass in a row, or the moment somebody says 3", and it goes
    # round: the third player's bid comes back to the first, who passed but may bid again.
    ("pagat", 0, "pass pass", 2, "pass 1 2 3", None, 0, 0),
    ("pagat", 0, "pass pass 1", 0, "pass 2 3", None, 1, 0),
    ("pagat", 0, "pass pass 1 2", 1, "pass 3", None, 2, 0),
    ("pagat", 0, "pass pass 1 2 pass pass", None, "", 0, 2, 0),
    ("pagat", 0, "1 2 pass", 0, "pass 3", None, 2, 0),
    ("pagat", 0, "1 2 pass pass", None, "", 1, 2, 0),
    ("pagat", 0, "1 2 pass 3", None, "", 0, 3, 0),
    ("pagat", 2, "1 pass pass", None, "", 2, 1, 0),
    ("pagat", 2, "pass 1 pass", 2, "pass 2 3", None, 1, 0),
    # "Everyone passing throws the hand in for a fresh deal."
    ("pagat", 2, "pass pass pass", None, "", None, 0, 0),
    # Four players: three passes in a row.
    ("four_player", 3, "1 pass pass", 2, "pass 2 3", None, 1, 0),
    ("four_player", 3, "1 pass pass pass", None, "", 3, 1, 0),
    ("four_player", 3, "pass 1 pass 2 pass pass", 1, "pass 3", None, 2, 0),
    ("four_player", 3, "pass 1 pass 2 pass pass 3", None, "", 1, 3, 0),
    ("four_player", 0, "pass pass pass", 3, "pass 1 2 3", None, 0, 0),
    ("four_player", 0, "pass pass pass pass", None, "", None, 0, 0),
    # 003: "Ein zufällig bestimmter Spieler beginnt und darf den Grundbesitzer ansagen oder nicht"
    ("duel", 1, "", 1, "pass call", None, 1, 0),
    # "Nach einer Ansage darf der andere Spieler rauben oder nicht rauben."
    ("duel", 1, "call", 0, "pass rob", None, 1, 0),
    ("duel", 1, "call pass", None, "", 1, 1, 0),
    # "Wer raubt, wird neuer Kandidat, und das Wort geht zurück an den anderen"
    ("duel", 1, "call rob", 1, "pass rob", None, 1, 1),
    ("duel", 1, "call rob pass", None, "", 0, 1, 1),
    ("duel", 1, "call rob rob pass", None, "", 1, 1, 2),
    ("duel", 1, "call rob rob rob pass", None, "", 0, 1, 3),
    # "Wer den vierten Raub macht, wird sofort Grundbesitzer." (bid-07: it is always the caller)
    ("duel", 1, "call rob rob rob rob", None, "", 1, 1, 4),
    # "Sagt der erste Spieler nicht an, darf der zweite ansagen oder nicht."
    ("duel", 1, "pass", 0, "pass call", None, 1, 0),
    # Our reading: whoever declined to call may rob.
    ("duel", 1, "pass call", 1, "pass rob", None, 1, 0),
    ("duel", 1, "pass call pass", None, "", 0, 1, 0),
    ("duel", 1, "pass call rob", 0, "pass rob", None, 1, 1),
    ("duel", 1, "pass call rob rob rob rob", None, "", 0, 1, 4),
    # "Sagen beide nicht an, wird nicht neu gegeben: Der erste Spieler wird Grundbesitzer"
    ("duel", 1, "pass pass", None, "", 1, 1, 0),
    # What programs without an auction do: whoever opens is landlord.
    *((name, 2, "", None, "", 2, 1, 0) for name in ("rlcard", "douzero", "botzone")),
]


@pytest.mark.parametrize(
    ("name", "opener", "words", "turn", "words_next", "landlord", "base", "robs"), STORIES
)
def test_the_auction_stands_as_the_document_says(  # noqa: PLR0917
    name, opener, words, turn, words_next, landlord, base, robs
):
    made = auction(name, words, opener)
    assert made.turn == turn
    assert made.over == (turn is None)
    assert legal(made) == words_next
    assert (made.landlord, made.base, made.robs) == (landlord, base, robs)
    assert made.nobody_bid == (made.over and not {*words.split()} - {"pass"} and words != "")
    players = core_rules(name).players
    assert [(seat, str(bid)) for seat, bid in made.bids] == [
        ((opener + i) % players, word) for i, word in enumerate(words.split())
    ]


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("opener", [-1, 4, 99])
def test_there_is_no_such_opener(name, opener):
    with pytest.raises(ddz.DdzError, match=str(opener)):
        Auction(core_rules(name), opener)


def test_fewer_robs_may_be_allowed():
    rules = ddz.Rules.duel().replace(max_robs=2)
    made = Auction(rules, 0)
    for word in ("call", "rob", "rob"):
        made.bid(word)
    assert (made.over, made.landlord, made.robs) == (True, 0, 2)


def test_nobody_bids_and_the_first_is_landlord_at_one():
    made = Auction(ddz.Rules.standard().replace(nobody_bids="first_is_landlord"), 2)
    for _ in range(3):
        made.bid("pass")
    assert (made.landlord, made.base, made.nobody_bid) == (2, 1, True)


# --- What is refused leaves everything as it was --------------------------------------------------


def shown(made: Auction) -> tuple[object, ...]:
    slots = [getattr(made, name) for name in Auction.__slots__]
    slots = [list(value) if isinstance(value, list) else value for value in slots]
    return (*slots, made.turn, made.bids, made.legal_bids(), made.landlord, made.base, made.robs)


@pytest.mark.parametrize("name", [name for name in PRESETS if name in (*NUMBERS, "duel")])
def test_every_reachable_auction(name):
    """All auctions of the rule set: legal bids are taken, all else is refused, undo goes back."""
    ends = []

    def walk(made: Auction) -> None:
        before = shown(made)
        allowed = made.legal_bids()
        error = ddz.PhaseError if made.over else ddz.IllegalMoveError
        for bid in Bid:
            if bid not in allowed:
                with pytest.raises(error):
                    made.bid(bid)
                assert shown(made) == before
                continue
            made.bid(bid)
            after = shown(made)
            twin = made.copy()
            walk(made)
            assert shown(made) == after == shown(twin)
            made.undo()
            assert shown(made) == before
        if made.over:
            ends.append((made.landlord, made.base, made.robs, len(made.bids)))

    for opener in range(core_rules(name).players):
        walk(Auction(core_rules(name), opener))
    lengths = {length for *_, length in ends}
    # Of n seats: n - 1 pass, 1, n - 2 pass, 2, n - 1 pass. In a duel: pass, call, four robs.
    longest = {"pagat": 7, "openspiel": 7, "four_player": 10, "duel": 6}.get(name, 3)
    assert max(lengths) == longest
    assert all(landlord is not None or base == 0 for landlord, base, *_ in ends)


@pytest.mark.parametrize("name", [*NUMBERS, "duel"])
@pytest.mark.parametrize("junk", [*NO_BIDS, *NO_BID_TYPES])
def test_junk_changes_nothing(name, junk):
    """bid-09: anything but the words of the auction is refused."""
    if junk == "THREE":
        junk = "three"
    made = auction(name, "pass")
    before = shown(made)
    with pytest.raises((ddz.IllegalMoveError, TypeError)):
        made.bid(junk)
    assert shown(made) == before


def test_the_error_names_the_bid_and_what_is_legal():
    made = auction("standard", "2", opener=1)
    with pytest.raises(
        ddz.IllegalMoveError, match=r"seat 2 cannot bid '1' here; legal are pass, 3"
    ):
        made.bid(1)
    made.bid("3")
    with pytest.raises(ddz.PhaseError, match=r"over.*'pass'"):
        made.bid("pass")


def test_undo_stops_at_the_start():
    made = auction("pagat", "1 pass 2")
    for _ in range(3):
        made.undo()
    assert made == auction("pagat", "")
    with pytest.raises(ddz.PhaseError, match="no bid"):
        made.undo()


def test_copies_and_pickles_are_independent():
    made = auction("pagat", "1 pass")
    for twin in (
        made.copy(),
        copy.copy(made),
        copy.deepcopy(made),
        pickle.loads(pickle.dumps(made)),
    ):
        assert twin == made
        twin.bid("2")
        assert twin != made
    assert len(made.bids) == 2
    assert made != "auction"
    assert "0:1 1:pass" in repr(made)


# --- The mistakes of other engines, in games ------------------------------------------------------


@pytest.mark.parametrize("name", ["standard", "club", "pagat"])
def test_bid_01_nobody_bids_and_the_cards_are_dealt_again(name):
    game = Game(name, seed=1)
    first = game.deal
    for redeals in range(1, 8):
        for _ in range(3):
            game.bid("pass")
        assert (game.phase, game.redeals, game.landlord, game.base) == ("auction", redeals, None, 0)
        assert game.multiplier == 1
        assert game.bids == ()
    assert game.deal != first
    assert len(set(game.deals)) == 8


def test_bid_01_casual_forces_the_first_bidder_after_three_redeals():
    """004: "höchstens dreimal, danach wird der Spieler, der zuerst am Zug war, zwangsweise
    Grundbesitzer und der Grundwert steht auf 1"."""
    for first_bidder in ("seat_0", "random"):
        rules = ddz.Rules.casual()
        if first_bidder != "seat_0":
            rules = rules.replace(first_bidder=first_bidder)
        for seed in range(5):
            game = Game(rules, seed=seed)
            for redeals in range(1, 4):
                for _ in range(3):
                    game.bid("pass")
                assert (game.phase, game.redeals) == ("auction", redeals)
            opener = game.turn
            for _ in range(3):
                game.bid("pass")
            assert (game.phase, game.redeals) == ("play", 3)
            assert (game.landlord, game.base, game.turn) == (opener, 1, opener)
            assert len(game.hands[opener]) == 20
            game.undo()
            assert (game.phase, game.landlord, game.redeals) == ("auction", None, 3)


def test_bid_01_duel_deals_only_once():
    game = Game("duel", seed=1, opener=1)
    game.bid("pass")
    game.bid("pass")
    assert (game.phase, game.landlord, game.robs, game.handicap) == ("play", 1, 0, 0)
    assert (game.redeals, game.base, game.multiplier) == (0, 1, 1)


def test_bid_07_four_robs():
    game = Game("duel", seed=1, opener=0)
    for word in ("call", "rob", "rob", "rob", "rob"):
        game.bid(word)
    assert (game.robs, game.landlord, game.multiplier, game.handicap) == (4, 0, 16, 4)
    with pytest.raises(ddz.PhaseError):
        game.bid("rob")


@pytest.mark.parametrize("name", [name for name in PRESETS if name in (*NUMBERS, "duel")])
def test_bid_11_a_passed_out_deal_can_be_shown(name):
    game = Game(name, seed=3)
    for _ in range(core_rules(name).players):
        game.bid("pass")
        assert repr(game)
        assert repr(game._auctions[-1])
        for seat in range(core_rules(name).players):
            assert repr(game.observe(seat))
    assert name == "duel" or game.landlord is None


def test_openspiel_a_passed_out_deal_is_over_without_points():
    game = Game("openspiel", seed=3)
    for _ in range(3):
        game.bid("pass")
    assert (game.phase, game.turn, game.landlord, game.position) == ("over", None, None, None)
    result = game.result
    assert result.void
    assert result.points == (0, 0, 0)
    assert (result.winner, result.landlord, result.landlord_won, result.stake) == (None,) * 3 + (0,)
    with pytest.raises(ddz.PhaseError, match="nobody bid"):
        game.play("3")
    with pytest.raises(ddz.PhaseError, match="over"):
        game.bid("pass")
    game.undo()
    assert (game.phase, game.result) == ("auction", None)
    game.bid("3")
    assert game.phase == "play"
