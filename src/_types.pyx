"""Kinds, their shapes, and the compiled form of a rule set."""

import sys

from ddz_core._types cimport *

if sys.byteorder != "little":
    # move_dtype reads the packed meta word byte by byte.
    raise ImportError("ddz_core supports little-endian machines only")

cdef shape_t SHAPES[N_KINDS]


cdef void _set_shape(int kind, int unit, int kickers, int group, int min_length) noexcept:
    SHAPES[kind].unit = unit
    SHAPES[kind].kickers = kickers
    SHAPES[kind].group = group
    SHAPES[kind].min_length = min_length


_set_shape(PASS, 0, 0, 0, 0)
_set_shape(SINGLE, 1, 0, 0, 1)
_set_shape(PAIR, 2, 0, 0, 1)
_set_shape(TRIPLE, 3, 0, 0, 1)
_set_shape(TRIPLE_SINGLE, 3, 1, 1, 1)
_set_shape(TRIPLE_PAIR, 3, 1, 2, 1)
_set_shape(STRAIGHT, 1, 0, 0, 5)
_set_shape(PAIR_STRAIGHT, 2, 0, 0, 3)
_set_shape(AIRPLANE, 3, 0, 0, 2)
_set_shape(AIRPLANE_SINGLES, 3, 1, 1, 2)
_set_shape(AIRPLANE_PAIRS, 3, 1, 2, 2)
_set_shape(QUAD_SINGLES, 4, 2, 1, 1)
_set_shape(QUAD_PAIRS, 4, 2, 2, 1)
_set_shape(BOMB, 4, 0, 0, 1)
_set_shape(ROCKET, 2, 0, 0, 1)
_set_shape(SHUTTLE, 4, 0, 0, 2)
_set_shape(SHUTTLE_SINGLES, 4, 2, 1, 2)
_set_shape(SHUTTLE_PAIRS, 4, 2, 2, 2)


cdef const shape_t* shape(int kind) noexcept nogil:
    return &SHAPES[kind]


cdef class CompiledRules:
    def __init__(
        self,
        *,
        str name,
        deck,
        kinds,
        int airplane_cap,
        int quad_cap,
        bint both_jokers,
        bint extending_kickers,
        bint held_quads,
        int packs,
        int doubling_bomb,
        int max_hand,
        int hand_size,
        int kitty_size,
        int n_seats,
        bint standing_spring,
    ):
        """Trusts its arguments: `ddz_core.Rules` has validated them."""
        cdef int rank, kind, cost, longest
        self.name = name
        self.c.deck = 0
        for rank in range(N_RANKS):
            self.c.deck |= <cards_t><int>deck[rank] << (4 * rank)
        self.c.rocket = <cards_t>packs * (black_joker() | red_joker())
        self.c.kinds = 0
        for kind in kinds:
            self.c.kinds |= <uint32_t>1 << kind
        for kind in range(N_KINDS):
            longest = 1
            cost = SHAPES[kind].unit + SHAPES[kind].kickers * SHAPES[kind].group
            if SHAPES[kind].min_length > 1:
                longest = min(CHAIN_RANKS, max_hand // cost)
            self.c.max_length[kind] = longest
            if cost * SHAPES[kind].min_length > max_hand:
                self.c.kinds &= ~(<uint32_t>1 << kind)
        self.c.airplane_cap = airplane_cap
        self.c.quad_cap = quad_cap
        self.c.both_jokers = both_jokers
        self.c.extending_kickers = extending_kickers
        self.c.held_quads = held_quads
        self.c.max_bomb = min(4 * packs, max_hand)
        self.c.doubling_bomb = doubling_bomb
        self.c.max_hand = max_hand
        self.c.hand_size = hand_size
        self.c.kitty_size = kitty_size
        self.c.n_seats = n_seats
        self.c.standing_spring = standing_spring
