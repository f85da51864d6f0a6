# All moves of a hand: list them, count them, take the i-th, or draw one, without listing.
#
# `last` is the meta word of the play to beat, or 0 (PASS) on a lead. The order is fixed: on a lead by
# kind, then chain length, then main rank; following, PASS, then plays of last's kind by main rank,
# then bombs by size and rank, then the rocket. Kickers of one main part come in a fixed order too.
# All functions agree on it.

from ddz_core._rng cimport rng_t
from ddz_core._types cimport (
    BOMB, RANK_BLACK, ROCKET, all_ranks, cards_t, chain_ranks, held, kind_of, length_of, main_rank,
    move_t, ranks_t, rules_t, shape, uint32_t, uint64_t,
)

cpdef enum:
    # The most moves that a hand of 20 cards of one pack has under any rules: the most permissive ones,
    # tried on every hand (benchmarks/widest_hands.py); tests/test_bounds.py reaches it.
    MAX_MOVES_ONE_PACK = 806
    # The same for 33 cards of two packs: the best of many hill climbs, so no proof. Ask count_moves().
    MAX_MOVES_TWO_PACKS = 1929

cdef uint32_t count_moves(const rules_t* rules, cards_t cards, uint64_t last) noexcept nogil
# Writes the moves from `out` on and returns the end; the caller's buffer holds count_moves() of them.
cdef move_t* generate(const rules_t* rules, cards_t cards, uint64_t last, move_t* out) noexcept nogil
# The index-th move; index is below count_moves().
cdef void nth_move(const rules_t* rules, cards_t cards, uint64_t last, uint32_t index,
                   move_t* out) noexcept nogil

# What beats `last`, seen fast: where main parts of its kind start (kickers not looked at), and whether
# the rocket does.
cdef inline ranks_t runs(ranks_t ranks, int length) noexcept nogil:
    """Where `length` consecutive ranks start."""
    cdef ranks_t run = ranks
    cdef int i
    for i in range(1, length):
        run &= ranks >> (4 * i)
    return run

cdef inline cards_t loose_cards(const rules_t* rules, cards_t cards) noexcept nogil:
    """Cards that need not be played as a quad."""
    return cards & ~(held(cards, 4) * 15) if rules.held_quads else cards

cdef inline ranks_t reply_starts(const rules_t* rules, cards_t cards, uint64_t last) noexcept nogil:
    cdef int kind = kind_of(last)
    cdef int length = length_of(last)
    cdef int unit = shape(kind).unit
    cdef ranks_t ranks
    if kind == BOMB or kind == ROCKET:
        return 0
    ranks = held(cards if unit == 4 else loose_cards(rules, cards), unit)
    if length > 1:
        ranks = runs(ranks & chain_ranks(), length)
    # Starts above last's own start.
    return ranks & all_ranks() << (4 * (main_rank(last) + 2 - length))

cdef inline bint plays_rocket(const rules_t* rules, cards_t cards, uint64_t last) noexcept nogil:
    return (cards >> (4 * RANK_BLACK)) == (rules.rocket >> (4 * RANK_BLACK)) and (
        kind_of(last) != ROCKET)

# A uniformly random move. A lead wants a hand that is not empty; `starts` are reply_starts() of the same
# arguments. No random number is used where there is only one move.
cdef void draw_lead(const rules_t* rules, cards_t cards, rng_t* rng, move_t* out) noexcept nogil
cdef void draw_reply(const rules_t* rules, cards_t cards, uint64_t last, ranks_t starts, rng_t* rng,
                     move_t* out) noexcept nogil

cdef inline void draw(
    const rules_t* rules, cards_t cards, uint64_t last, rng_t* rng, move_t* out
) noexcept nogil:
    cdef ranks_t starts
    if last == 0:
        draw_lead(rules, cards, rng, out)
        return
    starts = reply_starts(rules, cards, last)
    if starts | held(cards, 4) or plays_rocket(rules, cards, last):
        draw_reply(rules, cards, last, starts, rng, out)
    else:
        out.cards = 0
        out.meta = 0
