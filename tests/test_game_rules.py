"""The course of a game, from the sentences of the seeds and the mistakes of other engines."""

from __future__ import annotations

import copy
import pickle
import random

import numpy as np
import pytest
from game_helpers import PRESETS, everything, game_of, play_out, played
from helpers import core_rules

import ddz_core as ddz
from ddz_core.auction import Bid
from ddz_core.deal import Deal, deal
from ddz_core.errors import Illegal
from ddz_core.game import Game, Phase

THREE_PLAYERS = [name for name in PRESETS if core_rules(name).players == 3]
NO_AUCTION = ("rlcard", "douzero", "botzone")


def landlord_of(name: str) -> str:
    """Words after which seat 0, which opens, is the landlord."""
    if name in NO_AUCTION:
        return ""
    return "call pass" if name == "duel" else "3"


def on_table(name: str, hands: dict[int | str, str], moves: str) -> Game:
    return played(name, hands, landlord_of(name), moves)


# --- What beats what ------------------------------------------------------------------------------

# Rule sets, the play on the table, an answer, and why it is refused (None: it is not).
ANSWERS = [
    # 000: "Deshalb schlägt KKK + 3 das Blatt DDD + großer Joker"
    (THREE_PLAYERS, "QQQ+R", "KKK+3", None),
    # 003: "KKK + 5 schlägt QQQ + großer Joker"
    (["duel"], "QQQ+R", "KKK+5", None),
    # 000: "Er lässt sich nur vom selben Typ … schlagen (555566 schlägt 444433)"
    (["standard", "club", "casual", "rlcard", "douzero"], "4444+33", "5555+66", None),
    (["standard", "club", "casual", "rlcard", "douzero"], "4444+JJ", "3333", None),
    # 002: "9-9-9-3 beats 8-8-8-A"
    (THREE_PLAYERS, "888+A", "999+3", None),
    # 002: "a pair answers a pair and a five-card run answers a five-card run, and nothing else"
    (THREE_PLAYERS, "33", "4", Illegal.WRONG_KIND),
    (THREE_PLAYERS, "34567", "45678", None),
    (THREE_PLAYERS, "34567", "34567", Illegal.TOO_LOW),
    # 000: "Eine fünfkartige Straße schlägt keinen Drilling mit Paar"
    (THREE_PLAYERS, "333+44", "56789", Illegal.WRONG_KIND),
    # "und eine sechskartige Straße schlägt auch keine fünfkartige"
    (THREE_PLAYERS, "34567", "456789", Illegal.WRONG_SIZE),
    # 000: "Die 2 schlägt das Ass, steht aber weiterhin unter beiden Jokern."
    (THREE_PLAYERS, "A", "2", None),
    (THREE_PLAYERS, "2", "B", None),
    (THREE_PLAYERS, "B", "R", None),
    (THREE_PLAYERS, "B", "2", Illegal.TOO_LOW),
    # "Eine Bombe schlägt jede Kombination, die keine Bombe ist"; cmp-04, cmp-06, cmp-08, cmp-14
    (PRESETS, "22", "5555", None),
    (PRESETS, "8888", "22", Illegal.WRONG_KIND),
    (PRESETS, "8888", "9999", None),
    (PRESETS, "8888", "7777", Illegal.TOO_LOW),
    (THREE_PLAYERS, "34567", "BR", None),
    (THREE_PLAYERS, "4444", "5", Illegal.WRONG_KIND),
    # "Die Rakete schlägt alles einschließlich jeder Bombe"; cmp-10, cmp-20
    ([name for name in PRESETS if name != "four_player"], "2222", "BR", None),
    (
        [name for name in PRESETS if name != "four_player"],
        "BR",
        "2222",
        Illegal.NOTHING_BEATS_ROCKET,
    ),
    # 000: a quad with kickers beats no other kind; cmp-16
    (["standard", "club", "casual", "rlcard"], "56789", "4444+TT", Illegal.WRONG_KIND),
    # cmp-12: quads with pairs compare their quads
    (["standard", "pagat", "casual", "club", "botzone"], "3333+AA22", "4444+5566", None),
    # 000, "Zweitens": 44445555 "überhaupt kein legaler Zug"
    (["standard", "club", "pagat", "casual"], "3333+AA22", "44445555", Illegal.KICKER_PAIRS_EQUAL),
    # 002, four players: "more cards beats fewer regardless of rank"; cmp-18
    (["four_player"], "AAAA", "33333", None),
    (["four_player"], "QQQQ", "AAAAAA", None),
    (["four_player"], "33333", "AAAA", Illegal.TOO_LOW),
    # "A rocket now needs all four jokers"; "two reds or two blacks can, as a pair"
    (["four_player"], "22222222", "BBRR", None),
    (["four_player"], "22", "BB", None),
    (["four_player"], "BB", "RR", None),
    (["four_player"], "22", "BR", Illegal.ROCKET_INCOMPLETE),
    (["four_player"], "333+44", "444+RR", None),
    # "Attaching single cards is dropped entirely, as are quadplex sets."
    (["four_player"], "3", "444+5", Illegal.KIND_NOT_IN_RULES),
    # 002: the loose cards of a quad must differ from each other; cls-13
    (["pagat"], "3333+78", "4444+56", None),
    (["pagat", "botzone"], "3333+78", "4444+55", Illegal.KICKERS_TOO_MANY_EQUAL),
]


@pytest.mark.parametrize(
    ("name", "table", "answer", "reason"),
    [(name, *rest) for names, *rest in ANSWERS for name in names],
)
def test_answers(name, table, answer, reason):
    hands = {0: table.replace("+", ""), 1: answer.replace("+", "")}
    lowest = min(map("3456789TJQKA2BR".index, "".join(hands.values())))
    if lowest < core_rules(name).lowest_rank:
        pytest.skip("these ranks are not in the deck")
    game = on_table(name, hands, table)
    before = everything(game)
    assert game.why_illegal(answer) == reason
    if reason is None:
        game.play(answer)
        assert game.moves[-1] == (1, ddz.Move.parse(answer, name))
        game.undo()
    else:
        with pytest.raises(ddz.IllegalMoveError) as caught:
            game.play(answer)
        assert caught.value.reason == reason
        assert reason.value in str(caught.value)
    assert everything(game) == before


def test_cls_13_and_23_by_rule_set():
    """333344 as a quad with a pair of loose cards, 33344455 as an airplane with one."""
    legal = {"standard", "club", "casual", "rlcard", "douzero"}
    for name in THREE_PLAYERS:
        game = on_table(name, {0: "333344"}, "")
        assert (game.why_illegal("333344") is None) == (name in legal), name
        game = on_table(name, {0: "33344455"}, "")
        # 002's text lets them pair up; Botzone does not.
        assert (game.why_illegal("33344455") is None) == (name != "botzone"), name


# --- Tricks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_the_kitty_makes_twenty_and_the_landlord_leads(name):
    rules = core_rules(name)
    game = played(name, {}, landlord_of(name), "")
    assert [len(hand) for hand in game.hands] == [
        rules.hand_size + (rules.kitty_size if seat == 0 else 0) for seat in range(rules.players)
    ]
    assert (game.phase, game.turn, game.landlord) == ("play", 0, 0)
    assert game.hands[0] == game.deal.hand(0) + game.deal.kitty_cards
    # Whoever leads may not pass.
    assert ddz.Move.PASS not in game.legal_moves()
    assert game.why_illegal("pass") == Illegal.LEADER_MAY_NOT_PASS
    with pytest.raises(ddz.IllegalMoveError):
        game.play("pass")


@pytest.mark.parametrize("name", PRESETS)
def test_a_trick_ends_when_all_the_others_passed(name):
    """000 two passes, 003 one, four players three; then any play may be led, but no pass."""
    players = core_rules(name).players
    game = on_table(name, {0: "67"}, "6")
    for seat in range(1, players):
        assert game.turn == seat
        assert ddz.Move.PASS in game.legal_moves()
        game.play("pass")
    assert game.turn == 0
    assert game.why_illegal("pass") == Illegal.LEADER_MAY_NOT_PASS
    game.play("7")


@pytest.mark.parametrize("name", THREE_PLAYERS)
def test_whoever_passed_may_come_back_in(name):
    """002: "Passing does not shut you out"."""
    game = on_table(name, {0: "37", 1: "58", 2: "6"}, "3 pass 6 7 8")
    assert [seat for seat, _ in game.moves] == [0, 1, 2, 0, 1]


@pytest.mark.parametrize("name", PRESETS)
def test_the_game_ends_with_the_last_card(name):
    game = play_out(Game(name, seed=8), random.Random(8))
    before = everything(game)
    assert (game.phase, game.turn) == ("over", None)
    assert len(game.legal_moves()) == 0
    assert game.legal_bids() == ()
    for act in (
        lambda: game.play("pass"),
        lambda: game.play(ddz.Move.PASS),
        lambda: game.play(game.moves[0][1]),
        lambda: game.play(ddz.Hand("7")),
        lambda: game.why_illegal("7"),
        lambda: game.bid("pass"),
    ):
        with pytest.raises(ddz.PhaseError, match="over"):
            act()
    assert everything(game) == before


def test_state_01_the_last_play_of_a_seat():
    game = on_table("standard", {0: "36", 1: "47", 2: "5"}, "3 4 5 6 7")
    assert [(seat, str(move)) for seat, move in game.moves if seat == 0][-1] == (0, "6")
    seen = game.observe(2)
    assert (seen.last_seat, str(seen.last)) == (1, "7")
    assert [str(move) for seat, move in seen.moves if seat == 0] == ["3", "6"]


@pytest.mark.parametrize("name", THREE_PLAYERS)
def test_state_03_an_undone_lead_is_a_free_lead_again(name):
    game = on_table(name, {0: "347"}, "3 pass pass")
    before = list(game.legal_moves())
    for move in before:
        game.play(move)
        game.undo()
        assert list(game.legal_moves()) == before
    assert ddz.Move.PASS not in before


def test_state_05_the_card_counter_counts_a_play_once():
    game = on_table("standard", {0: "33", 1: "4"}, "3 4")
    unseen = game.observe(2).unseen
    for same in ("3", "4"):
        with pytest.raises(ddz.DdzError):
            game.play(ddz.Move.parse(same))
        assert game.observe(2).unseen == unseen
    assert min(unseen.counts) >= 0


def test_state_07_the_last_real_play_counts_not_the_pass():
    game = on_table("standard", {0: "3", 1: "5"}, "3 5 pass")
    seen = game.observe(0)
    assert (str(seen.last), seen.last_seat, seen.passes) == ("5", 1, 1)


def test_cmp_22_a_lower_single_is_not_taken():
    game = on_table("standard", {0: "5", 1: "34"}, "5")
    before = everything(game)
    with pytest.raises(ddz.IllegalMoveError):
        game.play("3")
    assert everything(game) == before


def test_gen_02_an_exact_hand_goes_out():
    hands = {0: "33344456555666777", "kitty": "888"}
    game = on_table("standard", hands, "555666777888 pass pass 333444+56")
    assert (game.phase, game.result.winner) == ("over", 0)


# --- The forms of a play --------------------------------------------------------------------------


def test_a_play_in_every_form():
    game = game_of("standard", {0: "3334447"})
    game.bid(3)
    for form in ("4333", "333+4", "3 3 3 + 4", ddz.Hand("4333"), ddz.Move.parse("333+4")):
        game.play(form)
        assert str(game.moves[-1][1]) == "333+4"
        game.undo()
    counts = [0] * 15
    counts[0], counts[1] = 3, 1
    for form in (counts, tuple(counts), np.array(counts, np.uint8), np.array(counts)):
        game.play(form)
        assert str(game.moves[-1][1]) == "333+4"
        game.undo()
    assert game.moves == ()


@pytest.mark.parametrize("name", ["douzero", "openspiel"])
def test_several_readings_are_asked_for(name):
    """An airplane of four, or one of three with a triple as kickers. The text that a move prints is
    its name; cards alone, or in another order, are not."""
    game = on_table(name, {0: "333444555666"}, "")
    cards = ddz.Hand("333444555666")
    before = everything(game)
    assert game.why_illegal(cards) is None
    for form in (cards, list(cards.counts), "666555444333", "333 444 666 555"):
        with pytest.raises(ddz.IllegalMoveError) as caught:
            game.play(form)
        for reading in ("333444555666", "333444555+666", "444555666+333"):
            assert reading in str(caught.value)
    assert everything(game) == before
    for reading in ("333444555666", "333444555+666", "444555666+333", "333 444 555 666"):
        game.play(reading)
        assert str(game.moves[-1][1]) == reading.replace(" ", "")
        game.undo()


@pytest.mark.parametrize("name", ["douzero", "openspiel"])
def test_the_only_legal_reading_is_taken(name):
    """Of the readings of 777888999TTT two beat an airplane of three with single kickers, and one
    beats a bare one of four."""
    hands = {0: "333444555666JJQ", 1: "777888999TTT"}
    both = on_table(name, hands, "333444555+JJQ")
    for form in (ddz.Hand("777888999TTT"), "777888999TTT"):
        with pytest.raises(ddz.IllegalMoveError, match="2 legal readings"):
            both.play(form)
    bare = on_table(name, hands, "333444555666")
    bare.play(ddz.Hand("777888999TTT"))
    assert str(bare.moves[-1][1]) == "777888999TTT"


def test_text_that_names_no_reading():
    game = on_table("douzero", {0: "333444555666"}, "")
    with pytest.raises(ddz.IllegalMoveError):
        game.play("333+444555666")


NO_PLAYS = ["", "  ", "+", "3+", "+3", "x", "3z", "3+4+5", "33333", "passs", "pass pass", "BR2"]


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("junk", [*NO_PLAYS, None, 3, 1.5, b"7", [1, 2], ["3"] * 15, [99] * 15])
def test_junk_changes_nothing(name, junk):
    for moves in ("", "7"):
        game = on_table(name, {0: "77", 1: "6"}, moves)
        before = everything(game)
        with pytest.raises((ddz.DdzError, TypeError)):
            game.play(junk)
        assert everything(game) == before


@pytest.mark.parametrize("name", PRESETS)
def test_no_cards_are_no_pass(name):
    """cls-19: the empty play is no combination; a pass must be said."""
    game = on_table(name, {0: "7"}, "")
    empty = ("", ddz.Hand(), [0] * 15)
    for moves, reason in (("", Illegal.NO_CARDS), ("7", Illegal.NO_COMBINATION)):
        if moves:
            game.play(moves)
        for form in empty:
            assert game.why_illegal(form) == reason
            with pytest.raises(ddz.IllegalMoveError) as caught:
                game.play(form)
            assert caught.value.reason == reason


@pytest.mark.parametrize("name", [name for name in PRESETS if name not in NO_AUCTION])
def test_no_play_in_the_auction(name):
    game = Game(name, seed=1)
    before = everything(game)
    for act in (
        lambda: game.play("3"),
        lambda: game.play(ddz.Move.PASS),
        lambda: game.play(None),
        lambda: game.why_illegal("3"),
    ):
        with pytest.raises(ddz.PhaseError, match="must bid"):
            act()
    assert len(game.legal_moves()) == 0
    assert everything(game) == before


@pytest.mark.parametrize("name", NO_AUCTION)
def test_without_an_auction_the_opener_leads(name):
    game = Game(name, seed=1)
    assert (game.phase, game.turn, game.base) == ("play", game.deal.opener, 1)
    assert (game.bids, game.auctions, game.legal_bids()) == ((), ((),), ())
    with pytest.raises(ddz.PhaseError):
        game.bid("pass")
    with pytest.raises(ddz.PhaseError, match="nothing to undo"):
        game.undo()


# --- Deals ----------------------------------------------------------------------------------------


def test_the_first_deal_is_that_of_the_seed():
    for name in PRESETS:
        assert Game(name, seed=7).deal == deal(name, 7)
        assert Game(name, seed=7) == Game(name, seed=7)
        assert Game(name, seed=7) != Game(name, seed=8)


def test_a_code_gives_the_same_hand_again():
    """004: "dann bekommst du exakt dasselbe Blatt"; redeals too follow from the code."""
    first = Game("standard", seed=7)
    again = Game("standard", code=first.deal.code)
    same = Game("standard", deal=first.deal)
    assert first.hands == again.hands == same.hands
    for game in (again, same):
        for _ in range(6):
            game.bid("pass")
    assert again == same
    assert again.redeals == 2
    seeded = Game("standard", code=first.deal.code, seed=1)
    other = Game("standard", code=first.deal.code, seed=2)
    for game in (seeded, other):
        for _ in range(3):
            game.bid("pass")
    assert len({seeded.deal, other.deal, again.deals[1]}) == 3


def test_redeals_may_be_given():
    """A record names every deal."""
    given = [deal("standard", seed) for seed in (5, 6, 7)]
    game = Game("standard", deal=given)
    for _ in range(9):
        game.bid("pass")
    assert game.deals[:3] == tuple(given)
    assert game.redeals == 3


def test_a_redeal_that_fails_changes_nothing(monkeypatch):
    """The last pass is taken back when the cards cannot be dealt again, as on Ctrl-C."""
    for error in (KeyboardInterrupt, MemoryError):
        game = Game("standard", seed=1)
        game.bid("pass")
        game.bid("pass")
        before = everything(game)

        def fail(*_: object, error=error, **__: object) -> None:
            raise error

        with monkeypatch.context() as patch:
            patch.setattr("ddz_core.game.make_deal", fail)
            with pytest.raises(error):
                game.bid("pass")
        assert everything(game) == before
        game.bid("pass")
        assert game.redeals == 1


@pytest.mark.parametrize("undone", [1, 3, 7])
def test_undo_and_redo_deals_the_same(undone):
    game = Game("pagat", seed=2)
    for _ in range(8):
        game.bid("pass")
    wanted = game.copy()
    for _ in range(undone):
        game.undo()
    for _ in range(undone):
        game.bid("pass")
    assert game == wanted


def test_a_seed_may_be_a_generator():
    rng = np.random.default_rng(1)
    first, second = Game(seed=rng), Game(seed=rng)
    assert first.deal != second.deal
    for _ in range(3):
        first.bid("pass")
    redealt = first.deal
    first.undo()
    first.bid("pass")
    assert first.deal == redealt


def test_a_redeal_does_not_move_the_first_bid_where_it_rotates():
    for number in range(5):
        game = Game("club", seed=number, number=number)
        assert game.turn == number % 3
        for _ in range(3):
            game.bid("pass")
        assert (game.redeals, game.turn) == (1, number % 3)
    game = Game("club", deal=deal("club", 3, number=2))
    for _ in range(3):
        game.bid("pass")
    assert game.turn == 2


def test_the_first_bidder_of_each_document():
    assert {Game("casual", seed=seed).turn for seed in range(9)} == {0}
    assert {Game("standard", seed=seed).turn for seed in range(30)} == {0, 1, 2}
    for name in ("pagat", "openspiel"):
        for seed in range(9):
            game = Game(name, seed=seed)
            assert game.deal.face_up in game.deal.hands[game.turn]
    rules = ddz.Rules.pagat().replace(first_bidder="heart_three")
    for seed in range(9):
        game = Game(rules, seed=seed)
        lowest = next(card for card in range(0, 52, 4) if card not in game.deal.kitty)
        assert lowest in game.deal.hands[game.turn]


def test_given_redeals_do_not_move_it_either():
    first, moved = ddz.deal("club", 1, opener=0), ddz.deal("club", 2, opener=1)
    with pytest.raises(ddz.DdzError, match="seat 1 speaks first in redeal 1 and seat 0"):
        ddz.Game("club", deal=[first, moved])
    record = ddz.Record("club", (first.code, moved.code), (((0, ddz.Bid.PASS),),) * 2)
    with pytest.raises(ddz.RecordError, match="redeal 1"):
        record.validate()
    ddz.Game(
        "standard", deal=[ddz.deal("standard", 1, opener=0), ddz.deal("standard", 2, opener=1)]
    )


def test_a_given_deal_says_who_speaks_first():
    given = ddz.deal("club", 1, opener=0)
    for number in (1, -5):
        with pytest.raises(ddz.DdzError, match=f"number is {number}, but the deal given"):
            ddz.Game("club", deal=given, number=number)
    with pytest.raises(TypeError, match="number"):
        ddz.Game("club", deal=given, number="zz")


def test_deals_that_do_not_fit_are_refused():
    with pytest.raises(ddz.DdzError, match="players"):
        Game("duel", deal=deal("standard", 1))
    with pytest.raises(ddz.DdzError, match="not both"):
        Game(deal=deal("standard", 1), code=deal("standard", 1).code)
    with pytest.raises(ddz.DdzError, match="empty"):
        Game(deal=[])
    with pytest.raises(ddz.DdzError, match="opener"):
        Game(deal=deal("standard", 1, opener=1), opener=2)
    with pytest.raises(TypeError, match="Deal"):
        Game(deal=["3"])
    code = deal("standard", 1).code
    with pytest.raises(ddz.RecordError):
        Game(code=code[:-1] + ("A" if code[-1] != "A" else "B"))


@pytest.mark.parametrize("name", ["pagat", "four_player"])
def test_the_private_kitty(name):
    """002: "the landlord … pick[s] the three face-down cards up privately, so nobody else ever
    learned what they were"."""
    game = played(name, {0: "7"}, "3", "7")
    assert game.kitty is None
    assert game.observe(0).kitty == game.deal.kitty_cards
    assert [game.observe(seat).kitty for seat in range(1, game.rules.players)] == [None] * (
        game.rules.players - 1
    )
    play_out(game, random.Random(1))
    assert game.kitty is None
    assert game.observe(1).kitty is None
    shown = Game(core_rules(name).replace(kitty_shown=True), seed=1)
    shown.bid(3)
    assert shown.kitty == shown.deal.kitty_cards == shown.observe(2).kitty


# --- Copies and texts -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_copies_are_independent_and_undo_as_far(name):
    rng = random.Random(6)
    game = Game(name, seed=6)
    if game.phase == "auction":
        game.bid("pass")
    for _ in range(9):
        if game.phase == "auction":
            game.bid(rng.choice(game.legal_bids()[1:]))
        elif game.phase == "play":
            game.play(rng.choice(game.legal_moves()))
    before = everything(game)
    for twin in (
        game.copy(),
        copy.copy(game),
        copy.deepcopy(game),
        pickle.loads(pickle.dumps(game)),
    ):
        assert everything(twin) == before
        actions = len(twin.actions)
        play_out(twin, rng)
        assert twin != game
        while twin.actions:
            twin.undo()
        assert len(twin.deals) == 1
        assert everything(game) == before
        assert len(game.actions) == actions


def test_the_position_is_a_copy():
    game = on_table("standard", {0: "7"}, "7")
    position = game.position
    position.undo()
    position.play(position.legal_moves()[0])
    position.play("pass")
    assert len(game.moves) == 1
    assert str(game.position.last) == "7"
    assert Game("standard", seed=1).position is None


def test_actions_are_bids_and_moves_in_order():
    game = Game("standard", seed=3)
    for word in ("pass", "pass", "pass", "1", "pass", "2"):
        game.bid(word)
    game.play(game.legal_moves()[0])
    assert len(game.actions) == 7
    assert [type(action) for _, action in game.actions] == [Bid] * 6 + [ddz.Move]
    assert game.actions == (*game.auctions[0], *game.auctions[1], *game.moves)
    assert isinstance(game.phase, Phase)
    assert isinstance(game.deal, Deal)
    assert game != "game"
