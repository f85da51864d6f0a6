# All moves of a hand: list them, count them, or take the i-th without listing.
#
# `last` is the meta word of the play to beat, or 0 (PASS) on a lead. The order is fixed: PASS first
# when following; on a lead by kind, then chain length, then main rank; following, plays of last's
# kind by main rank, then bombs by size and rank, then the rocket. Kickers of one main part come in
# a fixed order too. All three functions agree on it.

from ddz_core._types cimport cards_t, move_t, ranks_t, rules_t, uint32_t, uint64_t, N_KINDS

cdef enum:
    # The most moves that any hand of 20 cards of one pack (33 of two) has, under the most permissive
    # rules, PASS included; benchmarks/widest_hands.py finds them, tests/test_bounds.py reaches them.
    MAX_MOVES_ONE_PACK = 1
    MAX_MOVES_TWO_PACKS = 1

cdef struct hand_t:
    cards_t cards
    ranks_t may[5]      # may[k]: ranks of which k cards can go into a play that is no held quad
    ranks_t quads       # ranks held four times or more
    bint one_joker      # both jokers are held, but one play takes only one of them as a kicker

# How many moves each kind has in one query; `total` includes PASS when following.
cdef struct tally_t:
    uint32_t total
    uint32_t of[N_KINDS]

cdef void look_at(const rules_t* rules, cards_t cards, hand_t* hand) noexcept nogil
cdef void tally(const rules_t* rules, const hand_t* hand, uint64_t last, tally_t* counts) noexcept nogil
cdef void pick(const rules_t* rules, const hand_t* hand, uint64_t last, const tally_t* counts,
               uint32_t index, move_t* out) noexcept nogil
cdef uint32_t count_moves(const rules_t* rules, cards_t cards, uint64_t last) noexcept nogil
# Writes the moves from `out` on and returns the end; the caller's buffer holds count_moves() of them.
cdef move_t* generate(const rules_t* rules, cards_t cards, uint64_t last, move_t* out) noexcept nogil
