"""The built-in players: which move, which bid."""

from ddz_core._generate cimport draw
from ddz_core._position cimport position_t
from ddz_core._rng cimport below, rng_t
from ddz_core._types cimport *


cdef void choose_move(
    const rules_t* rules, int policy, const position_t* p, rng_t* rng, move_t* out
) noexcept nogil:
    draw(rules, p.hands[p.turn], p.last.meta, rng, out)


cdef int choose_bid(
    const rules_t* rules, int policy, cards_t hand, uint32_t legal, rng_t* rng
) noexcept nogil:
    cdef int left = below(rng, n_bids(legal))
    while left:
        legal &= legal - 1
        left -= 1
    return low_bit(legal)


cdef inline int n_bids(uint32_t legal) noexcept nogil:
    cdef int n = 0
    while legal:
        legal &= legal - 1
        n += 1
    return n
