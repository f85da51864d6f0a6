# Numbers for the moves of a rule set: 0 for PASS, then every play with its reading.

from ddz_core._types cimport int64_t, move_t, uint32_t, uint64_t

cdef struct actions_t:
    const move_t* moves     # by id; moves[0] is PASS
    uint32_t n
    const uint32_t* slots   # a hash table of ids, 0 where a slot is free
    uint32_t mask           # slots less one, a power of two less one

cdef inline uint32_t first_slot(const actions_t* a, const move_t* move) noexcept nogil:
    cdef uint64_t z = (move.cards ^ move.meta << 59) * <uint64_t>0x9E3779B97F4A7C15
    return <uint32_t>((z ^ z >> 29) * <uint64_t>0xBF58476D1CE4E5B9 >> 32) & a.mask

cdef inline int64_t action_id(const actions_t* a, const move_t* move) noexcept nogil:
    """The id of a move, -1 where the rule set has no such move."""
    cdef uint32_t slot, found
    if move.meta == 0:
        return 0 if move.cards == 0 else -1
    slot = first_slot(a, move)
    while True:
        found = a.slots[slot]
        if found == 0:
            return -1
        if a.moves[found].cards == move.cards and a.moves[found].meta == move.meta:
            return found
        slot = (slot + 1) & a.mask

cdef class ActionTable:
    cdef actions_t a
    cdef readonly object rules
    cdef move_t* memory
    cdef uint32_t* table
    cdef int find_block(self, const move_t* moves, ids) except -1
