"""The play phase against the oracle's model, move by move, and exact undo."""

import random

import oracle
import pytest
from deals import PRESETS, RULES, deal
from helpers import assert_same_moves, core_hand, core_move, core_rules, oracle_move

import ddz_core as ddz

GAMES = 30
# The text names the rule set; one that is no preset has to be given along with it.
PRESETS_BY_NAME = set(PRESETS) - {"pagat_distinct"}


def start(rng, name, seats):
    """A random deal as an oracle model and as a core position; the landlord leads."""
    rules = RULES[name]
    most, deck = rules.max_hand, sum(rules.deck())
    large = min(most, deck // seats)
    sizes = [rng.randint(1, large) for _ in range(seats)]
    landlord = rng.randrange(seats)
    target = rng.choice([0, 0, 1, 2, 4]) if seats == 2 else 0
    sizes = [max(size, target + 1) for size in sizes]
    hands = deal(rng, rules, sizes)
    model = oracle.Model(rules, hands, landlord=landlord, turn=landlord, target=target)
    position = ddz.Position(
        [core_hand(hand) for hand in hands],
        landlord=landlord,
        turn=landlord,
        target=target,
        rules=core_rules(name),
    )
    return model, position


def assert_same_state(position, model):
    """Every public field of the position is what the model says."""
    assert [tuple(hand.counts) for hand in position.hands] == list(model.hands)
    assert position.winner == model.winner
    assert position.landlord == model.landlord
    assert position.bombs == model.bombs
    assert position.rockets == model.rockets
    assert tuple(position.plays) == model.plays
    assert tuple(position.standing_plays) == model.standing_plays
    assert bool(position.opening_stood) == model.opening_stood
    if model.winner is None:
        assert position.turn == model.turn
        assert position.passes == model.passes
        last = None if position.last is None else oracle_move(position.last)
        assert last == model.last


def choose(rng, moves):
    """A random move that passes and bombs often enough for tricks and games to end."""
    if moves[0] == oracle.PASS and rng.random() < 0.3:
        return oracle.PASS
    rare = [move for move in moves if move[1][0] in ("BOMB", "ROCKET")]
    return rng.choice(rare if rare and rng.random() < 0.3 else moves)


def state(position):
    """Everything that undo has to restore."""
    return (
        position.to_string(),
        position.hash,
        position.key,
        position.turn,
        position.passes,
        position.last,
        position.winner,
        position.bombs,
        position.rockets,
        tuple(position.plays),
        tuple(position.standing_plays),
        position.opening_stood,
        tuple(position.hands),
    )


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", [*PRESETS, "held_quads", "free_shuttles"])
def test_random_games_follow_the_model_and_undo_to_the_start(name, seats):
    rng = random.Random(f"position {name} {seats}")
    for _ in range(GAMES):
        model, position = start(rng, name, seats)
        assert_same_state(position, model)
        path = []
        while model.winner is None:
            legal = model.legal()
            assert_same_moves(position.legal_moves(), legal, position.to_string())
            path.append(state(position))
            move = choose(rng, legal)
            position.play(core_move(move, name))
            model = model.after(move)
            assert_same_state(position, model)
        assert len(position.legal_moves()) == 0
        for before in reversed(path):
            position.undo()
            assert state(position) == before


@pytest.mark.parametrize("name", ["standard", "duel", "four_player"])
def test_a_copy_goes_its_own_way(name):
    rng = random.Random(f"copy {name}")
    for _ in range(20):
        _, position = start(rng, name, RULES[name].players)
        before = state(position)
        copy = position.copy()
        assert state(copy) == before
        copy.play(rng.choice(list(copy.legal_moves())))
        assert state(position) == before
        assert state(copy) != before
        copy.undo()
        assert state(copy) == before


@pytest.mark.parametrize("name", PRESETS)
def test_text_and_key_name_the_state(name):
    rng = random.Random(f"text {name}")
    for _ in range(10):
        model, position = start(rng, name, RULES[name].players)
        while model.winner is None:
            text = position.to_string()
            assert "\n" not in text
            named = None if name in PRESETS_BY_NAME else core_rules(name)
            read = ddz.Position.from_string(text, named)
            assert read == position
            assert read.to_string() == text
            assert read.hash == position.hash
            assert read.key == position.key
            assert_same_state_for_play(read, position)
            move = choose(rng, model.legal())
            position.play(core_move(move, name))
            model = model.after(move)


def assert_same_state_for_play(read, position):
    """All that decides how the game can go on."""
    assert list(read.hands) == list(position.hands)
    assert (read.turn, read.landlord, read.passes) == (
        position.turn,
        position.landlord,
        position.passes,
    )
    assert read.last == position.last
    assert list(read.legal_moves()) == list(position.legal_moves())


@pytest.mark.parametrize("name", ["standard", "openspiel", "duel", "four_player"])
def test_key_and_hash_tell_different_states_apart(name):
    rng = random.Random(f"key {name}")
    by_key = {}
    for _ in range(15):
        model, position = start(rng, name, RULES[name].players)
        while model.winner is None:
            plain = (model.hands, model.landlord, model.turn, model.last and model.last[1])
            plain += (model.passes, model.target)
            assert by_key.setdefault(position.key, plain) == plain
            move = choose(rng, model.legal())
            position.play(core_move(move, name))
            model = model.after(move)
    assert len(set(by_key.values())) == len(by_key)


def play_all(position, text):
    """Play the moves of this text, one word a move."""
    for word in text.split():
        position.play(ddz.Move.parse(word, rules=position.rules))
    return position


def test_the_hash_does_not_depend_on_the_way():
    hands = ["33456", "3446", "556"]
    one = play_all(ddz.Position(hands), "33 pass pass 4 pass pass")
    two = play_all(ddz.Position(hands), "4 pass pass 33 pass pass")
    assert one.key == two.key
    assert one.hash == two.hash


def test_a_given_play_on_the_table_is_followed():
    standard = ddz.Rules.standard()
    last = ddz.Move.parse("5", rules=standard)
    position = ddz.Position(["3", "67", "48"], turn=1, last=last)
    assert [str(move) for move in position.legal_moves()] == ["pass", "6", "7"]
    position.play(ddz.Move.PASS)
    assert [str(move) for move in position.legal_moves()] == ["pass", "8"]
    position.play(ddz.Move.PASS)
    assert position.turn == 0
    assert position.last is None
    assert [str(move) for move in position.legal_moves()] == ["3"]


def test_a_play_given_on_the_table_keeps_the_counters_consistent():
    # Seat 0 gave the 5 before the position was made. That play is one of his, so that it can come
    # to stand; else the text of the position could not be read back.
    last = ddz.Move.parse("5", rules=ddz.Rules.standard())
    position = ddz.Position(["36", "67", "48"], turn=1, last=last)
    assert tuple(position.plays) == (1, 0, 0)
    for text in ("pass", "pass", "3"):
        play_all(position, text)
        for seat in range(3):
            assert position.standing_plays[seat] <= position.plays[seat]
        assert ddz.Position.from_string(position.to_string()) == position


def test_one_pass_may_already_have_been_made():
    last = ddz.Move.parse("5", rules=ddz.Rules.standard())
    position = ddz.Position(["3", "67", "48"], turn=2, last=last, passes=1)
    position.play(ddz.Move.PASS)
    assert position.turn == 0
    assert position.last is None


def test_duel_target_ends_the_game_for_the_peasant_only():
    position = ddz.Position(["56789TJ", "66778"], target=2, rules=ddz.Rules.duel())
    play_all(position, "5 pass 6789T")
    assert len(position.hands[0]) == 1
    assert position.winner is None  # the landlord has to shed all his cards
    position.undo()
    play_all(position, "6 7 pass")
    assert position.winner is None
    play_all(position, "66")
    assert position.winner == 1
    assert len(position.legal_moves()) == 0


def test_a_seat_at_its_goal_has_won_already():
    # Else the text of a finished game would read back as one that goes on.
    duel = ddz.Rules.duel()
    assert ddz.Position(["5678", "9T"], target=2, rules=duel).winner == 1
    assert ddz.Position(["56", "9TJ"], target=2, rules=duel).winner is None
    assert ddz.Position(["", "9TJ"], turn=1, rules=duel).winner == 0


def test_standing_plays_do_not_count_what_was_overtaken():
    position = play_all(ddz.Position(["3456", "47", "55"]), "3 4 pass 5 7")
    assert position.winner == 1
    assert tuple(position.plays) == (2, 2, 0)
    assert tuple(position.standing_plays) == (0, 1, 0)
    assert not position.opening_stood

    position = play_all(ddz.Position(["3456", "47", "55"]), "6 7 pass pass 4")
    assert tuple(position.standing_plays) == (0, 2, 0)

    position = play_all(ddz.Position(["3456", "77", "55"]), "6 pass pass 3 pass 5 pass pass 5")
    assert position.winner == 2
    assert tuple(position.standing_plays) == (1, 0, 2)
    assert position.opening_stood


def test_bombs_and_rockets_are_counted_whoever_plays_them():
    position = ddz.Position(["33335", "44445", "BR5"])
    play_all(position, "3333 4444 BR")
    assert (position.bombs, position.rockets) == (2, 1)
    position.undo()
    assert (position.bombs, position.rockets) == (2, 0)


@pytest.mark.parametrize(
    ("before", "tried"),
    [("", "4"), ("", "pass"), ("5", "8"), ("66", "7"), ("66", "88"), ("", "6+6")],
)
def test_illegal_plays_are_refused_and_change_nothing(before, tried):
    position = play_all(ddz.Position(["3566", "777", "8"]), before)
    kept = state(position)
    with pytest.raises(ddz.DdzError):
        play_all(position, tried)
    assert state(position) == kept


def test_the_error_of_an_illegal_play_carries_the_reason():
    position = ddz.Position(["3566", "777", "8"])
    with pytest.raises(ddz.IllegalMoveError) as caught:
        play_all(position, "8")
    assert isinstance(caught.value.reason, ddz.Illegal)


def test_undo_at_the_start_and_play_after_the_end_are_refused():
    position = ddz.Position(["3", "4", "5"])
    with pytest.raises(ddz.DdzError):
        position.undo()
    play_all(position, "3")
    assert position.winner == 0
    with pytest.raises(ddz.DdzError):
        play_all(position, "4")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("33334", ddz.Illegal.KICKER_OF_MAIN_RANK),
        ("34", ddz.Illegal.CHAIN_TOO_SHORT),
        ("333+5", ddz.Illegal.NOT_IN_HAND),
        ("5", ddz.Illegal.NOT_IN_HAND),
        ("pass", ddz.Illegal.LEADER_MAY_NOT_PASS),
    ],
)
def test_a_refused_text_says_why(text, reason):
    position = ddz.Position(["33334", "556"])
    before = position.copy()
    with pytest.raises(ddz.IllegalMoveError) as refused:
        position.play(text)
    assert refused.value.reason == reason
    assert position == before


@pytest.mark.parametrize("flag", ["7", "2", "-", "01", "x"])
def test_the_opening_flag_of_a_text_is_0_or_1(flag):
    text = f"standard 3/4 0 0 - 0 0 0 0 0 1/0 1/0 {flag}"
    with pytest.raises(ddz.RecordError, match="opening stood"):
        ddz.Position.from_string(text)
