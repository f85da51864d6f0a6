# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Hands with the most legal moves: every hand of one pack, and a hill climb for two packs."""

from ddz_core._generate cimport count_moves
from ddz_core._rng cimport below, rng_t
from ddz_core._types cimport *


cdef struct best_t:
    uint64_t hands
    uint32_t moves
    cards_t cards


cdef void visit(const rules_t* rules, int rank, int left, cards_t cards, best_t* best) noexcept nogil:
    """Every way to complete `cards` with `left` cards of the ranks from `rank` on."""
    cdef int most = (rules.deck >> (4 * rank)) & 15
    cdef int n
    cdef uint32_t moves
    if left == 0 or rank == N_RANKS:
        if left == 0:
            best.hands += 1
            moves = count_moves(rules, cards, 0)
            if moves > best.moves:
                best.moves = moves
                best.cards = cards
        return
    for n in range(min(most, left), -1, -1):
        visit(rules, rank + 1, left - n, cards | <cards_t>n << (4 * rank), best)


def exhaustive(rules):
    """(hands looked at, most moves, packed hand) over all hands of rules.max_hand cards."""
    cdef CompiledRules core = rules._core
    cdef best_t best
    best.hands = best.moves = best.cards = 0
    with nogil:
        visit(&core.c, 0, core.c.max_hand, 0, &best)
    return best.hands, best.moves, best.cards


def climb(rules, uint64_t seed, int restarts):
    """(most moves, packed hand) found by swapping one or two cards until nothing is better."""
    cdef CompiledRules core = rules._core
    cdef cards_t best_cards = 0
    cdef uint32_t best = 0
    cdef rng_t rng
    cdef cards_t cards
    cdef uint32_t moves
    cdef int i
    for i in range(4):
        rng.s[i] = seed * 4 + i + 1
    with nogil:
        for i in range(restarts):
            moves = climb_once(&core.c, &rng, &cards)
            if moves > best:
                best = moves
                best_cards = cards
    return best, best_cards


cdef uint32_t climb_once(const rules_t* rules, rng_t* rng, cards_t* out) noexcept nogil:
    cdef cards_t cards = 0
    cdef cards_t moved
    cdef uint32_t moves, best
    cdef int rank, a, b
    cdef bint better = True
    cdef int left = rules.max_hand
    while left:
        rank = below(rng, N_RANKS)
        if (cards >> (4 * rank)) & 15 < (rules.deck >> (4 * rank)) & 15:
            cards += <cards_t>1 << (4 * rank)
            left -= 1
    best = count_moves(rules, cards, 0)
    while better:
        better = False
        for a in range(N_RANKS * N_RANKS):
            for b in range(N_RANKS * N_RANKS):
                moved = swapped(rules, swapped(rules, cards, a // N_RANKS, a % N_RANKS),
                                b // N_RANKS, b % N_RANKS)
                moves = count_moves(rules, moved, 0)
                if moves > best:
                    best = moves
                    cards = moved
                    better = True
    out[0] = cards
    return best


cdef inline cards_t swapped(const rules_t* rules, cards_t cards, int gone, int come) noexcept nogil:
    """One card of rank `gone` for one of rank `come`, where that is possible."""
    if gone == come or (cards >> (4 * gone)) & 15 == 0:
        return cards
    if (cards >> (4 * come)) & 15 == (rules.deck >> (4 * come)) & 15:
        return cards
    return cards - (<cards_t>1 << (4 * gone)) + (<cards_t>1 << (4 * come))
