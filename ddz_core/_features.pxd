# What a network reads: one seat's view of a game as rows of numbers, in DouZero's layout and in ours
# (docs/features.md).

from ddz_core._types cimport (
    MAX_SEATS, N_RANKS, CompiledRules, cards_t, move_t, rules_t, uint8_t, uint32_t,
)

cdef enum:
    HISTORY = 15            # moves that the history looks back
    RING = 16               # of which the last HISTORY are kept
    NO_SEAT = 255
    PACK = 54
    # DouZero's columns without the action's.
    LANDLORD_HEAD = 319
    PEASANT_HEAD = 430
    HISTORY_COLUMNS = HISTORY * PACK

# The play so far, as far as features look back.
cdef struct trace_t:
    cards_t played[MAX_SEATS]       # all cards that each seat has put down
    cards_t latest[MAX_SEATS]       # each seat's latest move; 0 for a pass and before the first
    cards_t recent[RING]            # the cards of move k at k % RING
    uint32_t plies

cdef inline void trace_move(trace_t* t, int seat, cards_t cards) noexcept nogil:
    t.played[seat] += cards
    t.latest[seat] = cards
    t.recent[t.plies % RING] = cards
    t.plies += 1

# What one seat knows.
cdef struct seen_t:
    trace_t trace
    cards_t hand
    cards_t unseen          # the deck without the own hand and everything played
    cards_t kitty           # 0 unless this seat knows it
    move_t last             # the play to beat; PASS on a lead
    uint8_t n_seats
    uint8_t seat            # whose view this is
    uint8_t landlord        # NO_SEAT in the auction
    uint8_t last_seat       # NO_SEAT on a lead
    uint8_t left[MAX_SEATS]
    uint8_t bombs           # bombs and rockets played
    uint8_t doublings       # log2 of the multiplier so far
    uint8_t base            # in the auction the highest bid so far
    uint8_t robs
    uint8_t opener
    uint8_t bids[MAX_SEATS] # one more than each seat's latest bid; 0 where it has not spoken

# ---- DouZero's layout: three seats, one pack, 17 + 3 cards ----------------------------------------
#
# `single` chooses float (4 bytes) or int8 elements; the caller's memory has room for all columns.

cdef inline int douzero_head_columns(const seen_t* s) noexcept nogil:
    return LANDLORD_HEAD if s.seat == s.landlord else PEASANT_HEAD

# x_no_action.
cdef void douzero_head(const seen_t* s, void* out, bint single) noexcept nogil
# x_batch: a row of head and action for each move.
cdef void douzero_rows(const seen_t* s, const move_t* moves, Py_ssize_t n, void* out,
                       bint single) noexcept nogil
# z: HISTORY_COLUMNS numbers.
cdef void douzero_history(const seen_t* s, void* out, bint single) noexcept nogil

# ---- our own layout: any rule set -----------------------------------------------------------------

cdef struct native_t:
    uint8_t deck[N_RANKS]
    int n_deck
    int n_seats
    int max_hand
    int auction             # whether the rule set has an auction
    int max_robs            # 0 where nobody robs
    int columns             # of the observation, of a move of the history, of an action
    int history_columns
    int action_columns

cdef void plan_native(const rules_t* rules, bint auction, int max_robs, native_t* plan) noexcept nogil
cdef void native_head(const native_t* plan, const seen_t* s, void* out, bint single) noexcept nogil
# HISTORY rows, the oldest first.
cdef void native_history(const native_t* plan, const seen_t* s, void* out, bint single) noexcept nogil
cdef void native_moves(const native_t* plan, const move_t* moves, Py_ssize_t n, void* out,
                       bint single) noexcept nogil
cdef void native_bid(const native_t* plan, int bid, void* out, bint single) noexcept nogil

cdef class Seen:
    cdef seen_t s
    cdef CompiledRules core
    cdef native_t plan
    cdef int read(self, observation) except -1
