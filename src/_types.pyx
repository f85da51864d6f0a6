"""Kinds, their shapes, and the compiled form of a rule set."""

import sys

from ddz_core._types cimport *

if sys.byteorder != "little":
    # move_dtype reads the packed meta word byte by byte.
    raise ImportError("ddz_core supports little-endian machines only")

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
        int spring,
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
        self.c.spring = spring
