# Hidden hands, drawn exactly: rank by rank, each split of the unseen cards of a rank over the piles
# that nobody has seen weighted by the number of ways to fill what room is left with the later ranks.

from ddz_core._rng cimport rng_t
from ddz_core._types cimport MAX_SEATS, N_RANKS, cards_t, uint8_t

cdef enum:
    MAX_PILES = MAX_SEATS           # the other seats, and the cards that nobody gets
    MAX_SHOE = 108

# One way to split the unseen cards of one rank over the piles.
cdef struct split_t:
    double weight
    Py_ssize_t shift                # how far it moves in the table of rooms
    cards_t piles[MAX_PILES]

cdef struct hidden_t:
    int n_piles
    int seat_of[MAX_PILES]          # -1: cards that nobody gets
    int sizes[MAX_PILES]
    # Ranks of which cards are unseen, in order; level i has cards[i] to split, by one of its splits
    # first[i] … first[i + 1] - 1.
    int n_levels
    int cards[N_RANKS]
    int first[N_RANKS + 1]
    split_t* splits
    # One table a level and one behind the last: number of ways by the rooms of all piles but the last,
    # whose room follows.
    double* ways
    Py_ssize_t table_size
    Py_ssize_t start                # where the table of level 0 has the whole piles' sizes
    # Where nothing tells the cards apart they are shuffled instead, and there are no tables.
    bint shuffled
    uint8_t shoe[MAX_SHOE]
    int n_shoe

# Deals the unseen cards to the seats of the piles, overwriting hands[seat] of these seats alone. `shoe`
# is the caller's copy of h.shoe, and stays shuffled between draws.
cdef void draw_hidden(const hidden_t* h, uint8_t* shoe, rng_t* rng, cards_t* hands) noexcept nogil

cdef class Hidden:
    cdef hidden_t h
    cdef readonly int seats
    cdef int seat
    cdef cards_t own
    cdef int list_splits(self, const uint8_t[::1] unseen, const signed char[:, ::1] base,
                         const signed char[:, ::1] most) except -1
    cdef int count_ways(self) except -1
