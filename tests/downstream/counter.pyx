"""What an author of a compiled bot writes: legal moves without a Python object in between."""

from ddz_core._generate cimport count_moves, generate
from ddz_core._types cimport CompiledRules, cards_t, move_t, size_of
from ddz_core._values cimport Hand, compiled

from libc.stdlib cimport free, malloc


def count(Hand hand, rules):
    """Number of leads."""
    cdef CompiledRules core = compiled(rules)
    cdef cards_t cards = hand.packed_cards
    cdef int n
    with nogil:
        n = count_moves(&core.c, cards, 0)
    return n


def cards_in_all_leads(Hand hand, rules):
    """Sum of the sizes of all leads."""
    cdef CompiledRules core = compiled(rules)
    cdef move_t* moves = <move_t*>malloc(
        count_moves(&core.c, hand.packed_cards, 0) * sizeof(move_t))
    cdef move_t* move = moves
    cdef move_t* end
    cdef int total = 0
    if moves == NULL:
        raise MemoryError()
    end = generate(&core.c, hand.packed_cards, 0, moves)
    while move != end:
        total += size_of(move.meta)
        move += 1
    free(moves)
    return total
