"""Random draws of the dealer, from the core's generator."""

cimport cython
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM

from ddz_core._rng cimport below, next_word, rng_t
from ddz_core._types cimport MAX_SEATS, uint32_t, uint64_t

cdef enum:
    STATE_WORDS = 8
    MAX_PILES = MAX_SEATS + 2       # the kitty, and what nobody gets

cdef double TWO_TO_53 = 9007199254740992.0


@cython.final
cdef class Stream:
    """Draws that follow from a state of eight 32-bit words.

    Parameters
    ----------
    words : iterable of int
        The generator's state, lower halves first; not all zero.
    """

    cdef rng_t rng

    # Not __init__, which __new__ alone would leave out: draws from a zero state never end.
    def __cinit__(self, words):
        cdef tuple state = tuple(words)
        cdef uint32_t word
        cdef int i
        if len(state) != STATE_WORDS or not any(state):
            raise ValueError(f"words must be {STATE_WORDS}, not all zero")
        for i in range(STATE_WORDS):
            word = state[i]
            self.rng.s[i // 2] |= <uint64_t>word << (32 * (i % 2))

    def below(self, uint32_t n):
        """A number 0 … n - 1, each as likely as the others."""
        if n == 0:
            raise ValueError("n must be positive")
        return below(&self.rng, n)

    def shuffled(self, items):
        """A list of the items in random order, each order as likely as the others."""
        cdef list order = list(items)
        cdef Py_ssize_t i, j
        for i in range(len(order) - 1, 0, -1):
            j = below(&self.rng, i + 1)
            order[i], order[j] = order[j], order[i]
        return order

    def weighted(self, weights):
        """An index, drawn in proportion to these weights but for the rounding of floats."""
        cdef list numbers = list(weights)
        cdef double total = 0
        cdef double reached = 0
        cdef double target
        cdef double weight
        cdef Py_ssize_t i
        for weight in numbers:
            total += weight
        # Below the total, however it is rounded; and as sums and one product are never fused, the
        # same on every machine.
        target = <double>(next_word(&self.rng) >> 11) / TWO_TO_53 * total
        for i in range(len(numbers)):
            reached += <double>numbers[i]
            if target < reached:
                return i
        raise ValueError("no weight is positive")

    def dealt(self, cards, sizes):
        """Piles of these sizes and one of the cards left over, every deal as likely as the others.

        The piles are tuples, and in each of them the cards are in the order in which they came.
        """
        cdef tuple deck = tuple(cards)
        cdef tuple wanted = tuple(sizes)
        cdef int room[MAX_PILES]
        cdef int filled[MAX_PILES]
        cdef uint32_t left = len(deck)
        cdef uint32_t drawn
        cdef int rest = left
        cdef int n = 0
        cdef int pile, size
        if len(wanted) >= MAX_PILES:
            raise ValueError(f"sizes must be fewer than {MAX_PILES}, not {len(wanted)}")
        for size in wanted:
            if not 0 <= size <= rest:
                raise ValueError(f"sizes must fit {len(deck)} cards, but they are {wanted}")
            room[n] = size
            rest -= size
            n += 1
        room[n] = rest
        cdef list piles = [PyTuple_New(room[pile]) for pile in range(n + 1)]
        for pile in range(n + 1):
            filled[pile] = 0
        # Card by card, the pile drawn in proportion to the places that it still has: all deals are
        # as likely as if the deck were shuffled, and sorted cards make sorted hands.
        for card in deck:
            drawn = below(&self.rng, left)
            left -= 1
            pile = 0
            while drawn >= <uint32_t>room[pile]:
                drawn -= room[pile]
                pile += 1
            Py_INCREF(card)
            PyTuple_SET_ITEM(piles[pile], filled[pile], card)
            filled[pile] += 1
            room[pile] -= 1
        return piles
