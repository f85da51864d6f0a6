"""Games of RLCard Showdown and DouZero become records; what is wrong in them is named."""

import copy
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ddz_core as ddz
from ddz_core.deal import card_name
from ddz_core.importers import from_douzero, from_rlcard, is_rlcard
from ddz_core.record import Record

JOKERS = ("BJ", "RJ")
SUITS = dict(zip("♥♦♠♣", "HDSC", strict=True))

# ---- RLCard Showdown -----------------------------------------------------------------------------


def showdown_game(seed, landlord=0):
    """A random game in the replay format, and RLCard's payoffs."""
    rlcard = pytest.importorskip("rlcard")
    env = rlcard.make("doudizhu", config={"seed": seed, "allow_raw_data": True})
    draw = random.Random(seed)
    state, player = env.reset()
    hands = env.get_perfect_information()["hand_cards_with_suit"]
    left = [hand.split() for hand in hands]
    history = []
    while not env.is_over():
        action = draw.choice(state["raw_legal_actions"])
        cards = []
        for symbol in "" if action == "pass" else action:
            joker = {"B": "BJ", "R": "RJ"}.get(symbol)
            card = joker or next(c for c in left[player] if c[1] == symbol and c not in JOKERS)
            left[player].remove(card)
            cards.append(card)
        move = " ".join(cards) or "pass"
        history.append({"playerIdx": (int(player) + landlord) % 3, "move": move, "info": {}})
        state, player = env.step(action, True)

    def turned(values):
        return [values[(seat - landlord) % 3] for seat in range(3)]

    roles = turned(["landlord", "peasant", "peasant"])
    players = [
        {"id": seat + 10, "index": seat, "role": role, "agentInfo": {"name": f"agent {seat}"}}
        for seat, role in enumerate(roles)
    ]
    replay = {"playerInfo": players, "initHands": turned(hands), "moveHistory": history}
    return replay, turned(list(env.get_payoffs()))


def fixed_showdown():
    """A short replay written by hand, the landlord in seat 2."""
    ranks = "3456789TJQKA2"
    deck = [suit + rank for rank in ranks for suit in "SHDC"] + ["BJ", "RJ"]
    hands = [deck[0:51:3], deck[1:51:3], deck[2:51:3] + deck[51:]]
    return {
        "initHands": [" ".join(hand) for hand in hands],
        "playerInfo": [
            {"id": 5, "index": 1, "role": "peasant"},
            {"id": 6, "index": 2, "role": "landlord", "agentInfo": {"name": "DMC"}},
            {"id": 7, "index": 0, "role": "peasant", "agentInfo": {}},
        ],
        "moveHistory": [
            {"playerIdx": 2, "move": "D3"},
            {"playerIdx": 0, "move": "D4", "probabilities": []},
            {"playerIdx": 0, "move": "P"},
        ],
    }


def test_random_games_of_rlcard():
    for seed in range(6):
        replay, payoffs = showdown_game(seed, landlord=seed % 3)
        record = from_rlcard(replay)
        game = record.game()
        assert game.landlord == seed % 3
        assert [int(points > 0) for points in game.result.points] == payoffs
        assert [seat for seat, _ in game.moves] == [m["playerIdx"] for m in replay["moveHistory"]]
        assert record.tags["Seat1"] == "agent 1"
        for seat, hand in enumerate(replay["initHands"]):
            if seat != game.landlord:
                names = {card_name(card) for card in game.deal.hands[seat]}
                assert {n[-1] + SUITS.get(n[0], "") for n in names} == {
                    card[0] if card in JOKERS else card[::-1] for card in hand.split()
                }
        assert Record.load(record.save()) == record


def test_the_ways_in_which_replays_are_sent(tmp_path):
    replay, _ = showdown_game(3)
    record = from_rlcard(replay)
    replay["moveHistory"][0]["info"] = {"values": None, "flag": True}
    path = tmp_path / "replay.json"
    path.write_text(json.dumps(replay, indent=2))
    for source in (json.dumps(replay), str(replay), json.dumps(str(replay)), path):
        assert from_rlcard(source) == record


@pytest.mark.parametrize("passed", ["pass", "P", "", [], ["pass"], " pass "])
def test_the_words_for_passing(passed):
    replay = fixed_showdown()
    replay["moveHistory"] = [{"playerIdx": 2, "move": ["D3"]}, {"playerIdx": 0, "move": passed}]
    record = from_rlcard(replay)
    assert [str(move) for _, move in record.moves] == ["3", "pass"]
    assert record.result is None


def test_the_kitty_may_be_named():
    replay = fixed_showdown()
    replay["moveHistory"].pop()
    hand = replay["initHands"][2].split()
    record = from_rlcard(replay)
    deal = record.game().deal
    assert str(deal.kitty_cards) == str(ddz.Hand("2BR"))
    assert "Kitty" in record.tags
    named = from_rlcard(replay, kitty=" ".join(hand[:3]))
    assert [card_name(card) for card in named.game().deal.kitty] == ["♦3", "♥4", "♠5"]
    assert "Kitty" not in named.tags
    assert named.moves == record.moves
    for wrong in ("S3 H4 C5", "D3 H4", "D3 D3 H4", "XX"):
        with pytest.raises(ddz.RecordError, match=r"^kitty: "):
            from_rlcard(replay, kitty=wrong)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda r: r.pop("playerInfo"), "the replay has no 'playerInfo'"),
        (lambda r: r["playerInfo"].pop(), "playerInfo: 2 items, not 3"),
        (lambda r: r.update(playerInfo=3), "playerInfo: a list, not 3"),
        (lambda r: r["playerInfo"].__setitem__(0, 3), r"playerInfo\[0\]: a player is an object"),
        (lambda r: r["playerInfo"][0].update(index=2), r"playerInfo\[1\].index: 2 was given"),
        (lambda r: r["playerInfo"][0].update(index=3), r"playerInfo\[0\].index: 3 is no seat"),
        (lambda r: r["playerInfo"][0].update(role="farmer"), r"playerInfo\[0\].role: 'farmer'"),
        (lambda r: r["playerInfo"][0].update(role="landlord"), "playerInfo: 2 landlords"),
        (lambda r: r["playerInfo"][1].update(role="peasant"), "playerInfo: 0 landlords"),
        (lambda r: r["initHands"].__setitem__(1, 3), r"initHands\[1\]: cards are a text"),
        (lambda r: r["initHands"].__setitem__(1, "H3 X4"), r"initHands\[1\]: 'X4' is no card"),
        (lambda r: r["initHands"].__setitem__(1, "H3 H4"), r"initHands\[1\]: 2 cards, not 17"),
        (
            # As in the showdown's own first sample: C3 is missing, S3 there twice.
            lambda r: r["initHands"].__setitem__(2, r["initHands"][2].replace("D3", "S3")),
            r"initHands\[2\]: S3 was dealt before, in initHands\[0\]",
        ),
        (
            # As in its second sample: D3 is played twice.
            lambda r: r.update(
                moveHistory=[
                    {"playerIdx": 2, "move": "D3"},
                    {"playerIdx": 0, "move": "P"},
                    {"playerIdx": 1, "move": "P"},
                    {"playerIdx": 2, "move": "D3"},
                ]
            ),
            r"moveHistory\[3\].move: seat 2 does not hold D3",
        ),
        (lambda r: None, r"moveHistory\[2\]: it is seat 1's turn, not 0's"),
        (lambda r: r["moveHistory"].__setitem__(1, []), r"moveHistory\[1\]: a move is an object"),
        (lambda r: r["moveHistory"][1].pop("move"), r"moveHistory\[1\] has no 'move'"),
        (lambda r: r["moveHistory"][1].update(move=3), r"moveHistory\[1\].move: cards are a text"),
        (lambda r: r["moveHistory"][1].update(move="C3 D4"), r"moveHistory\[1\]: seat 0 cannot"),
        (lambda r: r["moveHistory"][1].update(playerIdx=True), r"moveHistory\[1\].playerIdx: True"),
        (lambda r: r["moveHistory"][0].update(move="pass"), r"moveHistory\[0\]: .*pass"),
    ],
)
def test_what_is_wrong_in_a_replay_is_named(change, reason):
    replay = fixed_showdown()
    change(replay)
    with pytest.raises(ddz.RecordError, match=f"^{reason}"):
        from_rlcard(replay)


@pytest.mark.parametrize(
    "text", ["", "[]", "3", '"x"', "{", "{'a': ", "{'a': print()}", "{'a'" + "(" * 500, '"{\'a"']
)
def test_what_is_no_replay(text):
    with pytest.raises(ddz.RecordError):
        from_rlcard(text)


def test_what_is_meant_as_a_replay():
    replay = fixed_showdown()
    for text in (json.dumps(replay), str(replay), json.dumps(str(replay)), '{"moveHistory":1}'):
        assert is_rlcard(text)
    # The word alone makes no replay, wherever it stands.
    record = Record.from_game(from_rlcard(showdown_game(1)[0]).game(), {"moveHistory": "x"})
    for text in (
        record.save(),
        record.save(format="json"),
        '{"a": {"moveHistory": []}}',
        '{"a": "moveHistory"}',
        '{"ddz_record": 1, "moveHistory": []}',
        '{"moveHistory": [',
        '["moveHistory"]',
        "moveHistory",
        "",
    ):
        assert not is_rlcard(text)


def test_python_literals_are_not_carried_out():
    """Numbers as names could all have one hash, which would take the square of their number."""
    same_hash = ",".join(f"{number * (2**61 - 1)}:0" for number in range(20_000))
    for literal in (
        "{'a': {" + same_hash + "}}",
        "{'a': {" + same_hash.replace(":0", "") + "}}",
        "{'a': {**b}}",
        "{'a': f'{b}'}",
        "{'a': b''}",
        "{'a': 1j}",
        "{'a': 1+2}",
        "{'a': '" + "x" * 2**20 + "'}",
    ):
        with pytest.raises(ddz.RecordError, match=r"^line 1: .*Python literal"):
            from_rlcard(literal)


# ---- DouZero -------------------------------------------------------------------------------------

DECK = [rank for rank in (*range(3, 15), 17) for _ in range(4)] + [20, 30]


def douzero_deal(seed):
    deck = DECK.copy()
    random.Random(seed).shuffle(deck)
    return {
        "landlord": sorted(deck[:20]),
        "landlord_up": sorted(deck[20:37]),
        "landlord_down": sorted(deck[37:]),
        "three_landlord_cards": sorted(deck[17:20]),
    }


def test_random_games_of_douzero():
    game_module = pytest.importorskip("douzero.env.game")

    class Player:
        def __init__(self, seed):
            self.draw = random.Random(seed)

        def act(self, infoset):
            return self.draw.choice(infoset.legal_actions)

    for seed in range(6):
        data = douzero_deal(seed)
        player = Player(seed)
        env = game_module.GameEnv(
            dict.fromkeys(("landlord", "landlord_up", "landlord_down"), player)
        )
        env.card_play_init(copy.deepcopy(data))
        while not env.game_over:
            env.step()
        record = from_douzero(data, env.card_play_action_seq)
        result = record.game().result
        assert result.landlord_won == (env.winner == "landlord")
        assert result.points[0] == env.num_scores["landlord"]
        assert Record.load(record.save()) == record


def test_seats_and_kitty_of_douzero():
    data = douzero_deal(1)
    game = from_douzero(data, [[data["landlord"][0]], [], []]).game()
    names = {
        rank: symbol for rank, symbol in zip(sorted(set(DECK)), "3456789TJQKA2BR", strict=True)
    }
    left = data["landlord"][1:]
    assert game.landlord == game.turn == 0
    for hand, ranks in zip(
        game.hands, (left, data["landlord_down"], data["landlord_up"]), strict=True
    ):
        assert hand == ddz.Hand("".join(names[rank] for rank in ranks))
    assert game.deal.kitty_cards == ddz.Hand(
        "".join(names[rank] for rank in data["three_landlord_cards"])
    )


def with_triples():
    """The landlord holds 333444555666, who plays next 777888999TTT and the last JJJQQQKKK."""
    landlord = [rank for rank in (3, 4, 5, 6) for _ in range(3)] + [20, 30, 14, 14, 14, 17, 17, 17]
    down = [rank for rank in (7, 8, 9, 10) for _ in range(3)] + [3, 4, 5, 6, 7]
    up = [rank for rank in (11, 12, 13) for _ in range(4)] + [8, 9, 10, 14, 17]
    return {
        "landlord": landlord,
        "landlord_down": down,
        "landlord_up": up,
        "three_landlord_cards": [20, 30, 14],
    }


def airplane(*ranks, kickers=()):
    return sorted([rank for rank in ranks for _ in range(3)] + list(kickers))


@pytest.mark.parametrize(
    ("actions", "moves"),
    [
        ([airplane(3, 4, 5, 6)], ["333444555666"]),
        ([airplane(3, 4, 5, 6), airplane(7, 8, 9, 10)], ["333444555666", "777888999TTT"]),
        (
            [airplane(3, 4, 5, 6), airplane(7, 8, 9, kickers=[3, 4, 5])],
            ["444555666+333", "777888999+345"],
        ),
        (
            [airplane(3, 4, 5, 6), [], airplane(11, 12, 13, kickers=[8, 9, 10])],
            ["444555666+333", "pass", "JJJQQQKKK+89T"],
        ),
    ],
)
def test_readings_that_douzero_does_not_say(actions, moves):
    record = from_douzero(with_triples(), actions)
    assert [str(move) for _, move in record.moves] == moves


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"landlord": None}, "landlord: cards are a list"),
        ({"landlord": [3]}, "landlord: 1 cards, not 20"),
        ({"landlord_up": "345"}, "landlord_up: cards are a list"),
        ({"landlord_up": [15]}, "landlord_up: 15 is no rank"),
        ({"landlord_up": [3.0]}, "landlord_up: 3.0 is no rank"),
        ({"landlord_up": [True]}, "landlord_up: True is no rank"),
        ({"three_landlord_cards": [11, 11, 11]}, "three_landlord_cards: the landlord does not"),
        ({"three_landlord_cards": [20, 20, 30]}, "three_landlord_cards: the landlord does not"),
        ({"landlord_down": [20] * 17}, "landlord_down: one B too many"),
        ({"landlord_down": [3] * 17}, "landlord_down: one 3 too many"),
    ],
)
def test_what_is_wrong_in_card_play_data_is_named(change, reason):
    with pytest.raises(ddz.RecordError, match=f"^{reason}"):
        from_douzero({**with_triples(), **change})
    missing = with_triples()
    del missing["landlord_up"]
    with pytest.raises(ddz.RecordError, match="has no 'landlord_up'"):
        from_douzero(missing)


@pytest.mark.parametrize(
    ("actions", "reason"),
    [
        ([[3], [4], [3]], r"actions\[2\]: seat 2 cannot play 3"),
        ([[]], r"actions\[0\]: .*pass"),
        ([[3, 4]], r"actions\[0\]: seat 0 cannot play 34"),
        ([[3], 4], r"actions\[1\]: cards are a list of numbers, not 4"),
        ([[3] * 300], r"actions\[0\]: "),
        ([[99]], r"actions\[0\]: 99 is no rank"),
        (3, "actions are a list"),
        ("345", "actions are a list"),
    ],
)
def test_what_is_wrong_in_actions_is_named(actions, reason):
    with pytest.raises(ddz.RecordError, match=f"^{reason}"):
        from_douzero(with_triples(), actions)


# ---- anything ------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda value: (
        st.lists(value, max_size=3)
        | st.dictionaries(
            st.sampled_from(["move", "playerIdx", "role", "index"]), value, max_size=3
        )
    ),
    max_leaves=6,
)


def record_or_error(imported, *arguments):
    """Whatever comes, a whole record or a RecordError."""
    try:
        imported(*arguments).validate()
    except ddz.RecordError as error:
        assert str(error)  # noqa: PT017


@settings(max_examples=200)
@given(st.data())
def test_anything_is_a_record_or_a_record_error(data):
    replay = fixed_showdown()
    place = data.draw(st.sampled_from(sorted(replay)))
    if data.draw(st.booleans()):
        replay[place] = data.draw(JSON)
    else:
        replay[place][data.draw(st.integers(0, 2))] = data.draw(JSON)
    for source in (replay, json.dumps(replay), str(replay)):
        record_or_error(from_rlcard, source)
    name = data.draw(st.sampled_from(sorted(with_triples())))
    record_or_error(from_douzero, {**with_triples(), name: data.draw(JSON)})
    record_or_error(from_douzero, with_triples(), [[3], data.draw(JSON)])
    record_or_error(from_douzero, with_triples(), data.draw(JSON))
