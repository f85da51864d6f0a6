"""Objects that lie, arrays that change, positions that move on: nothing gets past the wall."""

import json
import threading

import numpy as np
import pytest

import ddz_core as ddz


class Liar(int):
    """An int whose comparisons always agree."""

    def __index__(self):
        return self

    def __ge__(self, other):
        return True

    __le__ = __lt__ = __gt__ = __ge__


@pytest.mark.parametrize(
    "call",
    [
        lambda: ddz.legal_moves("333")[Liar(10**9)],
        lambda: ddz.legal_move_at("333", Liar(100)),
        lambda: ddz.Position(["3", "4", "5"], turn=Liar(100)),
        lambda: ddz.Position(["3", "4", "5"], landlord=Liar(250)),
        lambda: ddz.perft(ddz.Position(["3", "4"]), Liar(-1)),
        lambda: ddz.Hand.from_counts([Liar(200)] + [0] * 14),
        lambda: ddz.Hand.from_packed(Liar(2**63)),
        lambda: ddz.playout("standard", Liar(-5)),
        lambda: ddz.Rules(players=Liar(200)),
        lambda: ddz.Rules(airplane_kicker_cap=Liar(9)),
        lambda: ddz.legal_moves("3", rules=ddz.Rules(lowest_rank=Liar(99))),
    ],
)
def test_integers_that_lie_about_their_size(call):
    with pytest.raises((ddz.DdzError, IndexError)):
        call()


def test_an_index_that_is_no_integer_after_all():
    class Half:
        def __index__(self):
            return 1.5  # noqa: PLE0305

    with pytest.raises(TypeError):
        ddz.Position(["3", "4"], landlord=Half())


@pytest.mark.parametrize("call", [ddz.legal_moves("333").__getitem__, ddz.Hand.from_packed])
def test_absurdly_large_integers(call):
    with pytest.raises(ddz.DdzError, match="bits, far out of range"):
        call(10**5000)


def test_an_array_reshaped_while_its_arguments_are_read():
    hands = np.zeros((1000, 15), np.uint8)

    class Threads:
        def __index__(self):
            hands.shape = (1, 15000)
            return 1

    with pytest.raises(ddz.InvalidCardsError, match="shape"):
        ddz.legal_moves_batch(hands, threads=Threads())


def test_array_subclasses_are_taken_as_the_arrays_they_are():
    class Long(np.ndarray):
        def __len__(self):
            return 10**6

    class Wide(np.ndarray):
        shape = property(lambda self: (10, 15))

    indptr, _ = ddz.legal_moves_batch(np.zeros((10, 15), np.uint8).view(Long))
    assert len(indptr) == 11
    with pytest.raises(ddz.InvalidCardsError, match="shape"):
        ddz.legal_moves_batch(np.zeros((10, 1), np.uint8).view(Wide))
    with pytest.raises(TypeError, match="without a mask"):
        ddz.legal_moves_batch(np.ma.zeros((10, 15), np.uint8))


def test_a_rule_set_that_overrides_its_deck():
    class TooMany(ddz.Rules):
        deck = property(lambda self: (15,) * 15)

    with pytest.raises(ValueError, match="no deck of 1 packs"):
        TooMany(name="x")


def test_values_are_set_up_once():
    position = ddz.Position(["3", "4"])
    with pytest.raises(TypeError, match="set up once"):
        position.__init__(["5", "6"])
    options = {"name": "x", "deck": [4] * 15, "kinds": [], "packs": 1, "n_seats": 200}
    options |= dict.fromkeys(("airplane_cap", "quad_cap", "doubling_bomb", "spring"), 1)
    options |= dict.fromkeys(("both_jokers", "extending_kickers", "held_quads"), False)
    options |= {"max_hand": 20, "hand_size": 17, "kitty_size": 3}
    core = ddz.Rules.standard()._core
    with pytest.raises(TypeError, match="made once"):
        core.__init__(**options)


def test_a_position_played_on_during_its_playout():
    position = ddz.Position(["3344", "556", "78"])
    expected = ddz.playout(position, 20_000, seed=1).sums

    def play_on(done, n):
        if position.winner is None:
            position.play(position.legal_moves()[0])

    assert ddz.playout(position, 20_000, seed=1, threads=1, progress=play_on).sums == expected


def test_a_position_played_on_during_divide():
    position = ddz.Position(["33344455566", "77788899", "TTTJJJQQ"])
    expected = ddz.divide(position, 5)
    stop = threading.Event()

    def keep_moving():
        while not stop.is_set():
            position.play(position.legal_moves()[-1])
            position.undo()

    mover = threading.Thread(target=keep_moving)
    mover.start()
    try:
        for _ in range(5):
            leaves = ddz.divide(position, 3)
            assert sum(leaves.values()) > 0
    finally:
        stop.set()
        mover.join()
    assert ddz.divide(position, 5) == expected


def test_text_subclasses_are_text():
    assert ddz.Hand(np.str_("33")) == ddz.Hand("33")
    assert ddz.Move.parse(np.str_("33")) == ddz.Move.parse("33")
    assert ddz.legal_moves("34", np.str_("3")) == ddz.legal_moves("34", "3")


def test_containers_without_order_or_end():
    for hands in ({"3", "4"}, {"3": "4"}, iter(["3", "4"])):
        with pytest.raises(TypeError, match="hands must be a sequence"):
            ddz.Position(hands)
    with pytest.raises(ddz.InvalidCardsError, match="15 entries"):
        ddz.Hand.from_counts(0 for _ in iter(int, 1))


def test_all_plays_fit_into_a_hand():
    for size in range(1, 8):
        rules = ddz.Rules(name="small", players=2, hand_size=size, kitty_size=0)
        plays = ddz.all_plays(rules)
        assert {play for play in ddz.all_plays() if play.n_cards <= size} == set(plays)
        assert all(play in ddz.classify(play.cards, rules) for play in plays)


@pytest.mark.parametrize("seed", [np.int64(4), [np.int64(4)], np.array([1, 2])])
def test_results_are_json_whatever_the_seed(seed):
    stats = ddz.playout("standard", 10, seed=seed)
    told = json.loads(json.dumps(stats.as_dict()))
    assert ddz.playout("standard", 10, seed=told["seed"]["entropy"]).sums == stats.sums


@pytest.mark.parametrize("name", ["", "a b", "a/b", "x" * 65, "\x1b[31m", "ü"])
def test_names_of_rule_sets(name):
    with pytest.raises(ddz.DdzError, match="name is"):
        ddz.Rules(name=name)
