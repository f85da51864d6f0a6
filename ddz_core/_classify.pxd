# What a set of cards is as a play.

from ddz_core._types cimport cards_t, move_t, rules_t, uint64_t

cdef enum:
    MAX_READINGS = 16

# Writes every reading of `cards` in the order of kind, chain length and main rank; returns how many.
cdef int readings(const rules_t* rules, cards_t cards, move_t* out) noexcept nogil
# Whether `cards` has exactly the reading `meta`; any two words are safe to ask about as long as
# no count in cards is above 8.
cdef bint is_reading(const rules_t* rules, cards_t cards, uint64_t meta) noexcept nogil
# Whether `move`, a play of the rule set or PASS, may be played from a hand on `last` (a meta word).
cdef bint may_play(const rules_t* rules, cards_t hand, uint64_t last, const move_t* move) noexcept nogil
