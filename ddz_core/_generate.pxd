# All moves of a hand: list them, count them, take the i-th, or draw one, without listing.
#
# `last` is the meta word of the play to beat, or 0 (PASS) on a lead. The order is fixed: on a lead by
# kind, then chain length, then main rank; following, PASS, then plays of last's kind by main rank,
# then bombs by size and rank, then the rocket. Kickers of one main part come in a fixed order too.
# All functions agree on it.

from ddz_core._rng cimport rng_t
from ddz_core._types cimport cards_t, move_t, rules_t, uint32_t, uint64_t

cdef enum:
    # The most moves that any hand of 20 cards of one pack (33 of two) has, under the most permissive
    # rules, PASS included; benchmarks/widest_hands.py finds them, tests/test_bounds.py reaches them.
    MAX_MOVES_ONE_PACK = 1
    MAX_MOVES_TWO_PACKS = 1

cdef uint32_t count_moves(const rules_t* rules, cards_t cards, uint64_t last) noexcept nogil
# Writes the moves from `out` on and returns the end; the caller's buffer holds count_moves() of them.
cdef move_t* generate(const rules_t* rules, cards_t cards, uint64_t last, move_t* out) noexcept nogil
# The index-th move; index is below count_moves().
cdef void nth_move(const rules_t* rules, cards_t cards, uint64_t last, uint32_t index,
                   move_t* out) noexcept nogil
# A uniformly random move; uses no random number where there is only one. There must be one.
cdef void draw(const rules_t* rules, cards_t cards, uint64_t last, rng_t* rng,
               move_t* out) noexcept nogil
