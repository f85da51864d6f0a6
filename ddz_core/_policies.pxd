# The built-in players: which move, which bid. Pure functions of what a seat may know.

from ddz_core._position cimport position_t
from ddz_core._rng cimport rng_t
from ddz_core._types cimport cards_t, move_t, rules_t, uint32_t

cpdef enum:
    POLICY_RANDOM = 0
    POLICY_GREEDY = 1
    POLICY_RULE = 2
    N_POLICIES = 3

# The move of seat p.turn. Looks only at what that seat may know: its own hand, how many cards the
# others hold, and the public part of p. Never at p.hands of another seat but for n_cards().
cdef void choose_move(const rules_t* rules, int policy, const position_t* p, rng_t* rng,
                      move_t* out) noexcept nogil
# A bid of a seat that holds `hand` (without the kitty); `legal` has bit b set for each legal Bid value
# b (0 PASS, 1, 2, 3, CALL 4, ROB 5) and is not 0.
cdef int choose_bid(const rules_t* rules, int policy, cards_t hand, uint32_t legal,
                    rng_t* rng) noexcept nogil
