# What moves and bids are worth, over hidden hands that are given.

from ddz_core._position cimport position_t
from ddz_core._types cimport rules_t

# How often a game's stake has been doubled in the play: springs too, once it is over.
cdef int count_doublings(const rules_t* rules, const position_t* p) noexcept nogil
