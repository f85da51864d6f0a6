"""Points and every factor of them: the seeds' own sentences and examples, and score-…."""

from __future__ import annotations

import dataclasses
import pickle
import random

import pytest
from game_helpers import PRESETS, play_out, played

import ddz_core as ddz
from ddz_core.game import Game

DOCUMENTS = ("standard", "club", "pagat", "casual")
NO_AUCTION = ("rlcard", "douzero", "botzone")

# Seat 0 is landlord with four fours and the rocket; seat 1 can answer a single.
BOMBS = {0: "33334444555566667", "kitty": "7BR", 1: "89"}
AND_OUT = "3333 pass pass 4444 pass pass BR pass pass 5555+67 pass pass 666"

# Seat 1 is a peasant who goes out as soon as he leads; the landlord has small and high singles.
STRONG_PEASANT = {0: "33TA", 1: "455566677788899JJ", 2: "TQ"}


def items(game: Game) -> dict[str, object]:
    """The factors of the result: everything but seats, sides and redeals."""
    kept = dataclasses.asdict(game.result)
    for name in ("winner", "landlord", "landlord_won", "redeals"):
        del kept[name]
    return kept


# --- Examples of the documents --------------------------------------------------------------------


@pytest.mark.parametrize("name", DOCUMENTS)
def test_score_03_base_3_two_bombs_and_a_rocket(name):
    """002: "A hand bid at 3 that saw two bombs and a rocket is settled at twenty-four units each
    way"; 000: +2S and −S. A peasant won a trick, so that there is no spring under any of them, and
    5555+67 "verdoppelt den Multiplikator nicht"."""
    game = played(name, BOMBS, "3", f"7 8 pass pass 9 pass {AND_OUT}")
    assert items(game) == {
        "base": 3,
        "bombs": 2,
        "doubling_bombs": 2,
        "rockets": 1,
        "robs": 0,
        "spring": False,
        "anti_spring": False,
        "multiplier": 8,
        "stake": 24,
        "points": (48, -24, -24),
    }
    assert (game.result.winner, game.result.landlord, game.result.landlord_won) == (0, 0, True)


def test_duel_two_robs_and_a_bomb():
    """003: "Mit zwei Rauben und einer gespielten Bombe zählt das Spiel 4 × 2 = 8 Punkte." """
    hands = {0: "5555666777888999T", "kitty": "TTJ", 1: "JJQQQKKKAAA2222BR"}
    game = played("duel", hands, "call rob rob pass", "J A 5555 pass 666777888999 pass TTT")
    assert items(game) == {
        "base": 1,
        "bombs": 1,
        "doubling_bombs": 1,
        "rockets": 0,
        "robs": 2,
        "spring": False,
        "anti_spring": False,
        "multiplier": 8,
        "stake": 8,
        "points": (8, -8),
    }


@pytest.mark.parametrize(("robs", "stake"), [(0, 1), (1, 2), (2, 4), (3, 8), (4, 16)])
def test_duel_each_rob_doubles_and_the_landlord_sheds_all_twenty(robs, stake):
    """003: "ein Raub macht 2 daraus, zwei Raube 4 und vier Raube 16". The landlord comes down to
    four, two and one card on the way: the handicap is the peasant's alone."""
    words = ["call", *["rob"] * robs, *["pass"] * (robs < 4)]
    landlord = robs % 2
    hands = {landlord: "55566677788899TTT", "kitty": "2BR", 1 - landlord: "JJJQQQKKKAAA99222"}
    moves = "9 J B pass 555666777888 pass TTT+2 pass R pass 9"
    game = played("duel", hands, " ".join(words), moves)
    assert (game.robs, game.handicap, game.landlord) == (robs, robs, landlord)
    assert (game.result.base, game.result.multiplier, game.result.stake) == (1, stake, stake)
    assert game.result.points[landlord] == stake
    assert game.result.points[1 - landlord] == -stake


@pytest.mark.parametrize("robs", range(5))
def test_duel_the_peasant_wins_at_his_goal(robs):
    """003: "Der Bauer gewinnt, sobald er nach einem seiner Züge höchstens so viele Karten wie die
    Vorgabe in der Hand hat. Bei Vorgabe 0 muss der Bauer alle Karten ausspielen." """
    words = ["call", *["rob"] * robs, *["pass"] * (robs < 4)]
    landlord = robs % 2
    peasant = 1 - landlord
    hands = {landlord: "55566677788899TTT", "kitty": "JQK", peasant: "JJJQQQKKKAAA99222"}
    game = played("duel", hands, " ".join(words), "5 9 pass")
    left = []
    for move in ("JJJQQQKKKAAA", "9", "2", "2", "2"):
        assert game.phase == "play"
        game.play(move)
        left.append(len(game.hands[peasant]))
        if game.phase == "over":
            break
        game.play("pass")
    assert left == list(range(4, robs - 1, -1))
    result = game.result
    assert (result.winner, result.landlord_won) == (peasant, False)
    # The landlord made only his first lead.
    assert (result.anti_spring, result.multiplier) == (True, 2 ** (robs + 1))
    assert result.points[peasant] == 2 ** (robs + 1) == -result.points[landlord]


def test_four_player_only_big_bombs_and_the_rocket_double():
    """002: "Only bombs of six cards or more, and rockets, double the payment." """
    hands = {0: "9333344444555555BBRR77788", "kitty": "66666666", 1: "T"}
    all_pass = "pass pass pass"
    moves = f" {all_pass} ".join(
        ("9 T pass pass 3333", "44444", "555555", "BBRR", "66666666", "77788")
    )
    game = played("four_player", hands, "2 pass pass pass", moves)
    assert items(game) == {
        "base": 2,
        "bombs": 4,
        "doubling_bombs": 2,
        "rockets": 1,
        "robs": 0,
        "spring": False,
        "anti_spring": False,
        "multiplier": 8,
        "stake": 16,
        "points": (48, -16, -16, -16),
    }


@pytest.mark.parametrize("bombs", [1, 3, 5])
def test_there_is_no_cap(bombs):
    """000: "der Multiplikator ist nach oben offen"."""
    hands = {0: "33334444555566667", "kitty": "777"}
    fours = [4 * rank for rank in "34567"]
    singles = "".join(fours[bombs:])
    moves = [*fours[:bombs], *singles]
    game = played("standard", hands, "3", " pass pass ".join(moves))
    assert (game.result.bombs, game.result.spring) == (bombs, True)
    assert game.result.stake == 3 * 2**bombs * 2
    assert game.result.points == (12 * 2**bombs, -6 * 2**bombs, -6 * 2**bombs)


def test_score_01_anti_spring():
    """The landlord's one play is his first lead; the peasants win at base 1: −4, 2, 2."""
    moves = "3 4 pass pass 555666777888+99JJ"
    for name in ("standard", "club", "pagat", "casual"):
        game = played(name, STRONG_PEASANT, "1 pass pass", moves)
        assert (game.result.anti_spring, game.result.spring) == (True, False)
        assert game.result.points == (-4, 2, 2)
        assert (game.result.winner, game.result.landlord_won) == (1, False)


def test_score_01_the_partners_plays_do_not_block_it():
    moves = "3 pass T pass J pass pass 555666777888+499J"
    game = played("standard", STRONG_PEASANT, "1 pass pass", moves)
    assert game.result.anti_spring
    assert game.result.points == (-4, 2, 2)


def test_score_01_in_the_duel():
    hands = {0: "5", 1: "6777888999TTTJJQQ"}
    game = played("duel", hands, "call pass", "5 6 pass 777888999TTT+JJQQ")
    assert game.result.anti_spring
    assert game.result.points == (-2, 2)


# --- Springs --------------------------------------------------------------------------------------

WINNER = {0: "33334444555566667", "kitty": "7BR", 1: "89", 2: "TJ"}
OUT = " pass pass ".join(("3333", "4444", "BR", "555", "5", "666", "6", "7"))
PEASANT_OUT = "555666777888 pass pass 99 pass pass"
# hands, moves, then what 000 … 002 count and what 004 counts: S a spring, A an anti-spring
SPRINGS = {
    "nobody answers": (WINNER, f"7 pass pass {OUT}", "S", "S"),
    "a peasant's play is overtaken": (WINNER, f"7 8 pass {OUT}", "", "S"),
    "both peasants' plays are overtaken": (WINNER, f"7 8 T {OUT}", "", "S"),
    "a peasant's play stands": (WINNER, f"7 8 pass pass 9 pass {OUT}", "", ""),
    "the landlord only leads": (
        STRONG_PEASANT,
        f"3 4 pass pass {PEASANT_OUT} J pass pass J",
        "A",
        "A",
    ),
    "his first lead stands and his second play is overtaken": (
        STRONG_PEASANT,
        f"3 pass pass T J pass pass {PEASANT_OUT} 4 pass pass J",
        "",
        "A",
    ),
    "both his plays are overtaken": (
        STRONG_PEASANT,
        f"3 4 pass T J pass pass {PEASANT_OUT} J",
        "",
        "A",
    ),
    "his second play stands": (
        STRONG_PEASANT,
        f"3 J pass A pass pass 3 J pass pass {PEASANT_OUT} 4",
        "",
        "",
    ),
}


@pytest.mark.parametrize("case", SPRINGS)
@pytest.mark.parametrize("name", [*DOCUMENTS, "openspiel", *NO_AUCTION])
def test_springs(name, case):
    """004: "Gezählt wird, ob eine Karte wirklich liegen geblieben ist; was übertrumpft wurde, zählt
    nicht." The others count what was played at all."""
    hands, moves, played_at_all, stood = SPRINGS[case]
    game = played(name, hands, "" if name in NO_AUCTION else "1 pass pass", moves)
    expected = stood if name == "casual" else played_at_all
    if name in ("rlcard", "douzero"):
        expected = ""
    result = game.result
    assert (result.spring, result.anti_spring) == (expected == "S", expected == "A")
    doublings = 0 if name == "rlcard" else result.bombs + result.rockets
    stake = 2**doublings * (2 if expected else 1)
    assert (result.base, result.multiplier, result.stake) == (1, stake, stake)
    sign = 1 if hands is WINNER else -1
    assert result.points == (2 * sign * stake, -sign * stake, -sign * stake)


def test_four_player_springs():
    hands = {0: "9333344444555555BRBR77788", "kitty": "66666666"}
    moves = " pass pass pass ".join(("9", "3333", "44444", "555555", "BBRR", "66666666", "77788"))
    game = played("four_player", hands, "1 pass pass pass", moves)
    assert (game.result.spring, game.result.stake) == (True, 16)
    hands = {0: "3", 1: "444555666777888999TTTJJJQ"}
    moves = "3 Q pass pass pass 444555666777888999TTTJJJ"
    game = played("four_player", hands, "1 pass pass pass", moves)
    assert (game.result.anti_spring, game.result.winner) == (True, 1)
    assert game.result.points == (-6, 2, 2, 2)


# --- The result itself ----------------------------------------------------------------------------


def test_the_multiplier_so_far_is_shown_to_everybody():
    game = played("standard", BOMBS, "3", "7 8 pass 3333 pass pass 4444 pass pass BR")
    assert (game.multiplier, game.base, game.result) == (8, 3, None)
    assert {game.observe(seat).multiplier for seat in range(3)} == {8}
    game = played("duel", {0: "5"}, "call rob rob pass", "")
    assert (game.multiplier, game.handicap, game.observe(1).multiplier) == (4, 2, 4)


def test_score_05_the_winner_is_one_seat_for_everybody():
    """The winner is a seat, not a viewpoint; and the side that won is the landlord's or not."""
    game = played("standard", STRONG_PEASANT, "1 pass pass", SPRINGS["the landlord only leads"][1])
    assert (game.result.winner, game.result.landlord_won) == (1, False)
    assert all(game.observe(seat).phase == "over" for seat in range(3))
    assert [p > 0 for p in game.result.points] == [False, True, True]


def test_the_hands_left_do_not_matter():
    """000: "Die Abrechnung sieht die Resthände nie an"."""
    game = played("standard", WINNER, "1 pass pass", f"7 8 pass {OUT}")
    hands = {**WINNER, 1: "8999TTTJJJQQQ"}
    other = played("standard", hands, "1 pass pass", f"7 8 pass {OUT}", seed=3)
    assert game.hands != other.hands
    assert game.result == other.result


@pytest.mark.parametrize("name", PRESETS)
def test_a_result_is_a_value(name):
    game = play_out(Game(name, seed=4), random.Random(4))
    result = game.result
    assert result == game.copy().result
    assert pickle.loads(pickle.dumps(result)) == result
    assert hash(result) == hash(game.result)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.base = 9
    assert not result.void
    game.undo()
    assert game.result is None


def test_a_robber_needs_cards_to_play():
    rules = ddz.Rules.duel().replace(hand_size=4)
    with pytest.raises(ddz.DdzError, match="max_robs is 4"):
        Game(rules, seed=1)
    assert play_out(Game(rules.replace(max_robs=3), seed=1), random.Random(1)).result is not None
