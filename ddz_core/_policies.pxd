# The built-in players: which move, which bid. Pure functions of what a seat may know.

from ddz_core._position cimport position_t
from ddz_core._rng cimport rng_t
from ddz_core._types cimport MAX_SEATS, cards_t, move_t, rules_t, uint8_t, uint32_t

cpdef enum:
    POLICY_RANDOM = 0
    POLICY_GREEDY = 1
    POLICY_RULE = 2
    N_POLICIES = 3

# What the seat to move knows.
cdef struct view_t:
    const rules_t* rules
    cards_t hand
    # The deck without the own hand and everything played: what the others hold together. Where
    # some cards are never dealt (duel) nobody counts: it is the deck without the own hand.
    cards_t unseen
    move_t last                     # the play to beat; PASS on a lead
    uint8_t left[MAX_SEATS]         # cards of each seat
    uint8_t n_seats
    uint8_t landlord
    uint8_t seat                    # whose view this is, and whose turn
    uint8_t passes
    uint8_t target

# The move of seat v.seat, by POLICY_GREEDY or POLICY_RULE, which need no random numbers.
cdef void choose(const view_t* v, int policy, move_t* out) noexcept nogil

# The move of seat p.turn. Looks only at what that seat may know: its own hand, how many cards the
# others hold, their cards all together, and the public part of p. It never looks at p.hands of
# another seat alone but for n_cards(). `rng` is used by POLICY_RANDOM only, which draws like draw().
cdef void choose_move(const rules_t* rules, int policy, const position_t* p, rng_t* rng,
                      move_t* out) noexcept nogil
# A bid of a seat that holds `hand` (without the kitty); `legal` has bit b set for each legal Bid value
# b (0 PASS, 1, 2, 3, CALL 4, ROB 5) and is not 0. `rng` is used by POLICY_RANDOM only.
cdef int choose_bid(const rules_t* rules, int policy, cards_t hand, uint32_t legal,
                    rng_t* rng) noexcept nogil
