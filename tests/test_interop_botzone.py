"""Botzone's JSON: whole games played through it are the games that the core plays."""

import json

import numpy as np
import pytest
from simulate_helpers import Bidding

import ddz_core as ddz
from ddz_core.interop import botzone

RULES = ddz.Rules.botzone()


class Judge:
    """Botzone's judge for one deal, as far as bots see it, and without checks."""

    def __init__(self, seed, landlord=0, version=1):
        self.deal = ddz.deal(RULES, seed)
        self.version = version
        self.landlord = landlord
        self.held = [set(hand) for hand in self.deal.hands]
        self.held[landlord] |= set(self.deal.kitty)
        self.first = [sorted(hand) for hand in self.deal.hands]
        if version == 1:
            self.first[landlord] = sorted(self.held[landlord])
        self.position = ddz.Position(
            [ddz.Hand.from_ids(hand) for hand in self.held], landlord, rules=RULES
        )
        self.played = []
        self.requests = [[] for _ in range(3)]
        self.responses = [[] for _ in range(3)]
        if version == 2:
            for seat in range(3):
                bids = [0] * seat
                self.requests[seat].append({"own": self.first[seat], "bid": bids})
                self.responses[seat].append(3 if seat == landlord else 0)

    def ask(self):
        seat = self.position.turn
        history = ([[], []] + [cards for _, cards in self.played])[-2:]
        request = {"history": history}
        if all("history" not in one for one in self.requests[seat]):
            request["publiccard"] = list(self.deal.kitty)
            request["own"] = self.first[seat]
            if self.version == 2:
                request |= {"landlord": self.landlord, "pos": seat, "finalbid": 3}
        self.requests[seat].append(request)
        return json.dumps({"requests": self.requests[seat], "responses": self.responses[seat]})

    def take(self, response):
        seat = self.position.turn
        cards = json.loads(response)["response"]
        assert set(cards) <= self.held[seat]
        self.held[seat] -= set(cards)
        hand = ddz.Hand.from_ids(cards)
        (move,) = [m for m in self.position.legal_moves() if m.cards == hand]
        self.position.play(move)
        self.played.append((seat, cards))
        self.responses[seat].append(cards)


@pytest.mark.parametrize(("landlord", "version"), [(0, 1), (0, 2), (1, 2), (2, 2)])
def test_whole_games(landlord, version):
    rng = np.random.default_rng(5)
    for seed in range(8):
        judge = Judge(seed, landlord, version)
        while judge.position.winner is None:
            position = judge.position
            request = botzone.read(judge.ask())
            seen = request.observation
            seat = position.turn
            assert (seen.seat, seen.turn, seen.landlord) == (seat, seat, landlord)
            assert seen.hand == position.hands[seat]
            assert set(request.cards) == judge.held[seat]
            assert seen.cards_left == tuple(map(len, position.hands))
            assert seen.unseen == position.hands[seat - 1] + position.hands[seat - 2]
            assert (seen.last, seen.last_seat, seen.passes) == (
                position.last,
                position.last_seat,
                position.passes,
            )
            assert seen.legal_moves == position.legal_moves()
            assert seen.kitty == judge.deal.kitty_cards
            assert request.base == (3 if version == 2 else 1)
            assert seen.multiplier == 1 << (position.bombs + position.rockets)
            hands = ddz.sample_hidden(seen, 3, seed=1)
            assert (hands.sum(axis=2) == seen.cards_left).all()
            judge.take(
                request.response(request.legal_moves[int(rng.integers(len(seen.legal_moves)))])
            )


@pytest.mark.parametrize(("landlord", "version"), [(0, 1), (0, 2), (1, 2), (2, 2)])
def test_the_judge_asks_as_the_model_does(landlord, version):
    for seed in range(8):
        model = Judge(seed, landlord, version)
        judge = botzone.Judge(model.deal, bids=version == 2)
        for seat in range(landlord + 1 if version == 2 else 0):
            assert judge.turn == seat
            request = botzone.read(judge.request())
            assert request.phase == "auction"
            judge.respond(request.response(3 if seat == landlord else 0))
        # Who was not asked for a bid begins with his first move.
        for seat in range(landlord + 1, 3) if version == 2 else ():
            model.requests[seat].clear()
            model.responses[seat].clear()
        while model.position.winner is None:
            assert judge.turn == model.position.turn
            assert judge.landlord == landlord
            asked = model.ask()
            assert json.loads(judge.request()) == json.loads(asked)
            response = botzone.answer(asked, "greedy")
            model.take(response)
            judge.respond(response)
        assert judge.winner == model.position.winner
        assert judge.turn is None
        with pytest.raises(ddz.PhaseError, match="deal is over"):
            judge.request()
        with pytest.raises(ddz.PhaseError, match="deal is over"):
            judge.respond(response)


def test_a_deal_for_which_nobody_bids_is_over():
    judge = botzone.Judge(ddz.deal(RULES, 1), bids=True)
    for seat in range(3):
        assert judge.turn == seat
        judge.respond({"response": 0})
    assert (judge.turn, judge.landlord, judge.winner) == (None, None, None)


def test_answers_that_the_judge_refuses():
    with pytest.raises(TypeError, match="must be a Deal"):
        botzone.Judge(5)
    with pytest.raises(ddz.DdzError, match="players"):
        botzone.Judge(ddz.deal("duel", 1))
    judge = botzone.Judge(ddz.deal(RULES, 1), bids=True)
    judge.respond('{"response": 2, "debug": "anything"}')
    for wrong, error in (
        ('{"response": 2}', ddz.IllegalMoveError),
        ('{"response": 4}', ddz.IllegalMoveError),
        ('{"response": true}', ddz.RecordError),
        ('{"response": []}', ddz.RecordError),
        ("{}", ddz.RecordError),
        ("[]", ddz.RecordError),
        ("{", ddz.RecordError),
        (5, ddz.RecordError),
    ):
        before = judge.request()
        with pytest.raises(error):
            judge.respond(wrong)
        assert judge.request() == before
    judge.respond({"response": 0})
    judge.respond({"response": 3})
    seat = judge.turn
    own = botzone.read(judge.request()).cards
    others = sorted(set(range(54)) - set(own))
    for wrong, error in (
        ([], ddz.IllegalMoveError),
        ([others[0]], ddz.IllegalMoveError),
        (list(own[:7]), ddz.IllegalMoveError),
        ([own[0], own[0]], ddz.RecordError),
        ([54], ddz.RecordError),
        ("3", ddz.RecordError),
        (3, ddz.RecordError),
        (None, ddz.RecordError),
    ):
        before = judge.request()
        with pytest.raises(error):
            judge.respond({"response": wrong})
        assert judge.request() == before
        assert judge.turn == seat == 2


def test_bidding():
    own = list(ddz.deal(RULES, 4).hands[1])
    request = botzone.read({"requests": [{"own": own, "bid": [1]}], "responses": []})
    assert request.phase == "auction"
    assert request.observation.seat == 1
    assert [int(bid) for bid in request.legal_bids] == [0, 2, 3]
    assert json.loads(request.response(2)) == {"response": 2}
    with pytest.raises(ddz.IllegalMoveError, match="cannot be bid"):
        request.response(1)
    with pytest.raises(ddz.PhaseError):
        request.response(ddz.Move.PASS)
    answer = botzone.answer({"requests": [{"own": own, "bid": []}]}, ddz.built_in("greedy"))
    assert json.loads(answer)["response"] in range(4)


def test_a_policy_that_only_plays_bids_as_rule():
    own = list(ddz.deal(RULES, 4).hands[1])
    source = {"requests": [{"own": own, "bid": []}]}
    assert botzone.answer(source, lambda *_: 0) == botzone.answer(source, ddz.built_in("rule"))
    judge = Judge(1)
    text = judge.ask()
    assert botzone.answer(text, "rule") == botzone.answer(text, ddz.built_in("rule"))
    for wrong, error, message in (
        (lambda *_: 9999, ddz.DdzError, "answered 9999; there are moves 0 …"),
        (lambda *_: -1, ddz.DdzError, "answered -1"),
        (lambda *_: "3", TypeError, "the place of its move in `moves`, must be"),
        (lambda *_: None, TypeError, "the place of its move in `moves`, must be"),
        (lambda *_: 0.0, TypeError, "the place of its move in `moves`, must be"),
        (lambda seen, moves, rng: moves[0], TypeError, "the place of its move in `moves`, must be"),
        ("clever", ddz.DdzError, "no policy 'clever'"),
        (None, TypeError, "the policy for every seat"),
    ):
        with pytest.raises(error, match=message):
            botzone.answer(text, wrong)


def test_a_bid_that_is_none():
    source = {"requests": [{"own": list(ddz.deal(RULES, 4).hands[1]), "bid": [1]}]}
    assert json.loads(botzone.answer(source, Bidding(2))) == {"response": 3}
    with pytest.raises(ddz.DdzError, match="answered 3; there are bids 0 … 2"):
        botzone.answer(source, Bidding(3))
    with pytest.raises(TypeError, match="the place of its bid in `bids`, must be"):
        botzone.answer(source, Bidding(None))
    with pytest.raises(TypeError, match=r"a place in `bids`, not <Bid\.TWO: 2>"):
        botzone.answer(source, Bidding(ddz.Bid.TWO))


def test_responses_that_are_refused():
    request = botzone.read(Judge(1).ask())
    with pytest.raises(ddz.IllegalMoveError):
        request.response("pass")
    with pytest.raises(TypeError):
        request.response(5)
    for held, error, message in (
        ([0], ddz.IllegalMoveError, "not among"),
        ([0, 0], ddz.InvalidCardsError, "occurs twice"),
        ([0, 1, 999], ddz.InvalidCardsError, "999"),
        ([0, 1, "2"], TypeError, "card id in held"),
        (5, TypeError, "held must be"),
    ):
        with pytest.raises(error, match=message):
            botzone.card_ids("33", held)


def first(own=None, history=((), ()), kitty=(51, 52, 53), **more):
    own = list(range(17)) if own is None else own
    return {
        "requests": [
            {"own": own, "history": [list(h) for h in history], "publiccard": list(kitty), **more}
        ],
        "responses": [],
    }


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("{", "no JSON"),
        ("[1]", "an object"),
        ("{}", "no 'requests'"),
        ('{"requests": 5}', "requests: a list"),
        ('{"requests": []}', "there is none"),
        ('{"requests": [5]}', "an object, not 5"),
        ('{"requests": [{}], "responses": []}', "no 'own'"),
        ('{"requests": [{"own": []}], "responses": [1]}', "one less"),
        (first(own=[0, 0]), "occurs twice"),
        (first(own=[0, 54]), "54 is no card"),
        (first(own=[True]), "True is no card"),
        (first(own="334"), "a list of cards"),
        (first(own=[0, 1]), "2 cards, not 17 or 20"),
        (first(kitty=(53,)), "1 cards, not 3"),
        (first(history=((), (), ())), "3 moves, not 2"),
        (first(history=((), (17, 21)), own=list(range(17))), "cannot be played"),
        (first(history=((), (0,))), "is not that player's"),
        (first(history=((), (20,)), kitty=(1, 2, 30)), "is the landlord's"),
        (first(landlord=0, pos=0, history=((), (20,))), "before the landlord's lead"),
        (first(landlord=0, pos=3), "pos: 3 is not a number from 0 to 2"),
        (first(landlord=0, pos=1), "leads may not pass"),
        (first(landlord=0, pos=0, finalbid=7), "finalbid: 7"),
        ({"requests": [{"own": list(range(17))}], "responses": []}, "no 'history'"),
        ({"requests": [{"own": list(range(17)), "bid": [5]}]}, "bid"),
        ({"requests": [{"own": list(range(17)), "bid": [3]}]}, "auction is over"),
        ({"requests": [{"own": list(range(9)), "bid": []}]}, "9 cards, not 17"),
    ],
)
def test_what_is_no_request(source, message):
    with pytest.raises(ddz.RecordError, match=message):
        botzone.read(source)


def test_a_response_of_ones_own_that_is_impossible():
    source = first()
    source["requests"].append({"history": [[], []]})
    for response, message in (([20], "not that player's"), ([], "may not pass"), ("x", "a list")):
        source["responses"] = [response]
        with pytest.raises(ddz.RecordError, match=f"responses.0.: .*{message}"):
            botzone.read(source)
    source["responses"] = [[0]]
    assert botzone.read(source).observation.last is None
    source["requests"].append({"history": [[], []]})
    source["responses"] = [[0], [0]]
    with pytest.raises(ddz.RecordError, match=r"any more|not that player's"):
        botzone.read(source)


def test_a_text_that_is_too_long():
    with pytest.raises(ddz.RecordError, match="letters"):
        botzone.read(" " * (1 << 21))
