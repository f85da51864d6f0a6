"""What an author of a compiled bot writes: moves and whole games without a Python object in between."""

from ddz_core._generate cimport count_moves, generate
from ddz_core._playout cimport play_out
from ddz_core._position cimport Position, position_t
from ddz_core._rng cimport rng_t
from ddz_core._types cimport CompiledRules, cards_t, move_t, size_of, uint64_t
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


def landlord_wins(Position start not None, int games, const uint64_t[::1] seed not None):
    """How many of so many random games from a position the landlord wins."""
    cdef CompiledRules core = start.core
    cdef position_t position
    cdef rng_t rng
    cdef int game, won = 0
    for i in range(4):
        rng.s[i] = seed[i]
    with nogil:
        for game in range(games):
            position = start.now
            play_out(&core.c, &rng, &position)
            won += position.winner == position.landlord
    return won
