# Random games from a position, or from fresh deals, to the end.

from ddz_core._position cimport position_t
from ddz_core._rng cimport rng_t
from ddz_core._types cimport MAX_SEATS, int64_t, rules_t, uint8_t

cdef enum:
    MAX_DECK = 108

# The deck as a row of cards, kept shuffled between deals of one chunk.
cdef struct shoe_t:
    uint8_t ranks[MAX_DECK]
    int n

# Sums over finished games; all are whole numbers, so their order never matters.
cdef struct sums_t:
    int64_t games
    int64_t wins[MAX_SEATS]
    int64_t bombs, bombs_squared
    int64_t rockets
    int64_t springs
    int64_t anti_springs
    int64_t plies, plies_squared

cdef void fill_shoe(const rules_t* rules, shoe_t* shoe) noexcept nogil
# A fresh deal of the rule set's seats: seat 0 is the landlord, has the kitty, and leads.
cdef void deal_random(const rules_t* rules, shoe_t* shoe, rng_t* rng, position_t* p) noexcept nogil
# The game by these policies, one a seat, until a seat has won; returns the plies.
cdef int play_out_by(const rules_t* rules, const int* policies, rng_t* rng,
                     position_t* p) noexcept nogil
# Uniformly random legal moves, PASS being one of them, until a seat has won; returns the plies.
cdef int play_out(const rules_t* rules, rng_t* rng, position_t* p) noexcept nogil
# Springs of a finished game, in the rule set's sense: the landlord won and no peasant's play counts; a
# peasant won and no play of the landlord counts after his first.
cdef bint is_spring(const rules_t* rules, const position_t* p) noexcept nogil
cdef bint is_anti_spring(const rules_t* rules, const position_t* p) noexcept nogil
