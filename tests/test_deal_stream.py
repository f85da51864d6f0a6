"""The dealer's draws: the core's generator, where it starts, and exact chances."""

import itertools
import math
import pickle
from collections import Counter

import numpy as np
import pytest

from ddz_core._stream import Stream
from ddz_core.dealing import deal_stream
from ddz_core.seeds import chunk_state

WORD = 2**64


def xoshiro(state):
    """xoshiro256** as its authors define it."""
    s = list(state)

    def rotl(x, k):
        return (x << k | x >> (64 - k)) % WORD

    while True:
        yield rotl(s[1] * 5 % WORD, 7) * 9 % WORD
        t = s[1] << 17 & WORD - 1
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotl(s[3], 45)


def below(words, n):
    """Lemire's draw: the upper half of a product, the few biased lower halves drawn again."""
    while True:
        product = (next(words) >> 32) * n
        if product % 2**32 >= 2**32 % n:
            return product >> 32


def model(seed):
    return xoshiro(np.random.SeedSequence(seed).generate_state(8, np.uint64)[4:].tolist())


def streams(n):
    return map(deal_stream, range(n))


def assert_even(found, outcomes):
    """Every outcome occurs, each about as often; the seeds are fixed, so it is no gamble."""
    n, cells = sum(found.values()), len(outcomes)
    assert set(found) == set(outcomes)
    square = sum((found[outcome] - n / cells) ** 2 for outcome in outcomes) * cells / n
    assert square < cells - 1 + 4 * math.sqrt(2 * (cells - 1))


# ---- the numbers themselves ----------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, 2**70, [3, 4]])
def test_numbers_below(seed):
    stream, words = deal_stream(seed), model(seed)
    # Of the last two bounds almost half and a quarter of the draws are drawn again.
    for n in [*range(1, 110), 2**32 - 1, 2**31 + 1, 3 * 2**30 - 1] * 5:
        assert stream.below(n) == below(words, n)


def test_orders():
    stream, words = deal_stream(1), model(1)
    for n in range(55):
        wanted = list(range(100, 100 + n))
        for i in range(n - 1, 0, -1):
            j = below(words, i + 1)
            wanted[i], wanted[j] = wanted[j], wanted[i]
        assert stream.shuffled(range(100, 100 + n)) == wanted
    assert stream.shuffled("") == []


def test_weighted_draws():
    stream, words = deal_stream(2), model(2)
    for weights in ([1.0], [0.0, 2.5, 0.0], [1, 2, 3], [1e-300, 1e300, 0.1], [0.1] * 10):
        for _ in range(50):
            # Not sum(), which newer Pythons round otherwise.
            sums = list(itertools.accumulate(weights))
            target = (next(words) >> 11) / 2**53 * sums[-1]
            assert stream.weighted(weights) == next(i for i, s in enumerate(sums) if target < s)
    found = Counter(stream.weighted(np.array([0.0, 1, 0, 3, 0])) for _ in range(4000))
    assert set(found) == {1, 3}
    assert abs(found[1] - 1000) < 110


def test_piles():
    stream, words = deal_stream(3), model(3)
    cards = "abcdefghij"
    for sizes in ([3, 3, 2], [10], [0, 5, 0, 5], [], (1, 1, 1, 1, 1)):
        room = [*sizes, 10 - sum(sizes)]
        wanted = [()] * len(room)
        for n, card in zip(range(10, 0, -1), cards, strict=True):
            places = [pile for pile, free in enumerate(room) for _ in range(free)]
            assert len(places) == n
            pile = places[below(words, n)]
            wanted[pile] += (card,)
            room[pile] -= 1
        assert stream.dealt(cards, sizes) == wanted
    assert stream.dealt([], [0, 0]) == [(), (), ()]


# ---- chances -------------------------------------------------------------------------------------


def test_every_order_and_every_deal_is_equally_likely():
    orders = Counter(tuple(stream.shuffled(range(5))) for stream in streams(12_000))
    assert_even(orders, list(itertools.permutations(range(5))))
    deals = Counter(tuple(stream.dealt(range(6), [2, 1, 1])) for stream in streams(18_000))
    outcomes = [
        (a, (b,), (c,), tuple(sorted({*range(6)} - {*a, b, c})))
        for a in itertools.combinations(range(6), 2)
        for b, c in itertools.permutations(sorted({*range(6)} - set(a)), 2)
    ]
    assert len(outcomes) == 180
    assert_even(deals, outcomes)
    assert_even(Counter(stream.below(7) for stream in streams(3500)), range(7))


# ---- where a stream starts -----------------------------------------------------------------------


def test_seeds_of_every_sort():
    def start(seed):
        return deal_stream(seed).dealt(range(54), [17, 17, 17])

    sequence = np.random.SeedSequence(7)
    assert start(7) == start([7]) == start(np.int64(7)) == start(sequence) == start(sequence)
    assert start(None) != start(None)
    assert start(np.random.default_rng(7)) == start(np.random.PCG64(7)) != start(7)
    bits, generator = np.random.SFC64(7), np.random.Generator(np.random.MT19937(7))
    assert start(bits) != start(bits)
    assert start(generator) != start(generator)
    child, other = sequence.spawn(2)
    assert start(child) == start(np.random.SeedSequence(7, spawn_key=(0,)))
    assert len({str(start(seed)) for seed in (sequence, child, other, 8)}) == 4
    # A wide pool gives other words.
    assert start(np.random.SeedSequence(7, pool_size=8)) != start(7)


def test_no_stream_is_that_of_a_playout():
    """Not even where a child of the playouts' seed is given to the dealer, as `Match` does."""
    for parent in (np.random.SeedSequence(seed) for seed in range(5)):
        chunks = [chunk_state(parent, chunk) for chunk in range(20)]
        starts = [parent, *parent.spawn(20)]
        dealers = [seed.generate_state(8, np.uint64)[4:] for seed in starts]
        states = {tuple(words.tolist()) for words in [*chunks, *dealers]}
        assert len(states) == len(chunks) + len(dealers)
        for chunk, seed in zip(chunks, starts[1:], strict=True):
            playout = Stream(chunk.view(np.uint32).tolist())
            dealer = deal_stream(seed)
            ours = [playout.below(2**32 - 1) for _ in range(100)]
            assert not set(ours) & {dealer.below(2**32 - 1) for _ in range(100)}


# ---- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [[], [1] * 7, [1] * 9, [0] * 8])
def test_states_that_are_none(words):
    with pytest.raises(ValueError, match="words must be 8, not all zero"):
        Stream(words)


def test_no_stream_is_made_without_a_state():
    for make in (Stream, lambda: Stream.__new__(Stream)):
        with pytest.raises(TypeError):
            make()
    with pytest.raises(TypeError):
        pickle.dumps(deal_stream(1))
    with pytest.raises(OverflowError):
        Stream([1] * 7 + [2**32])
    with pytest.raises(TypeError):
        Stream([1] * 7 + ["1"])


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda stream: stream.below(0), ValueError),
        (lambda stream: stream.below(-1), OverflowError),
        (lambda stream: stream.below(2**32), OverflowError),
        (lambda stream: stream.weighted([]), ValueError),
        (lambda stream: stream.weighted([0.0, 0.0]), ValueError),
        (lambda stream: stream.weighted(["1"]), TypeError),
        (lambda stream: stream.shuffled(5), TypeError),
        (lambda stream: stream.dealt(range(5), [3, 3]), ValueError),
        (lambda stream: stream.dealt(range(5), [-1]), ValueError),
        (lambda stream: stream.dealt(range(5), [2**31]), OverflowError),
        (lambda stream: stream.dealt(range(9), [1] * 6), ValueError),
        (lambda stream: stream.dealt(5, [1]), TypeError),
    ],
)
def test_draws_that_cannot_be(call, error):
    with pytest.raises(error):
        call(deal_stream(1))
