# The fewest plays that empty a hand when nobody answers.

from ddz_core._types cimport cards_t, move_t, rules_t

cdef enum:
    MAX_TURNS = 33      # the largest hand, card by card

# Both are exact, re-entrant and free of allocation: all their state is on the stack, less than
# 10 kB. `cards` is a hand of the rule set (within its deck, at most max_hand cards).
cdef int min_turns_of(const rules_t* rules, cards_t cards) noexcept nogil
# Also writes one such split in the order of kind, chain length, size, main rank and cards; the
# caller's buffer holds MAX_TURNS moves.
cdef int split_of(const rules_t* rules, cards_t cards, move_t* out) noexcept nogil
