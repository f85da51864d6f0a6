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
        """What the core's arrays rely on is checked once more: subclasses of Rules may differ."""
        cdef int rank, kind, cost, longest
        if self.c.n_seats:
            raise TypeError("compiled rules are made once")
        if len(deck) != N_RANKS or not (1 <= packs <= 2 and 2 <= n_seats <= MAX_SEATS):
            raise ValueError(f"no rules: {len(deck)} ranks, {packs} packs, {n_seats} seats")
        for rank in range(N_RANKS):
            if not 0 <= deck[rank] <= (packs if rank >= RANK_BLACK else 4 * packs):
                raise ValueError(f"no deck of {packs} packs: {list(deck)}")
        if not (1 <= hand_size and 0 <= kitty_size
                and max_hand == hand_size + kitty_size <= (20 if packs == 1 else 33)
                and n_seats * hand_size + kitty_size <= sum(deck)):
            raise ValueError(f"hands of {hand_size} and a kitty of {kitty_size} cannot be dealt")
        if not (1 <= airplane_cap <= 4 and 1 <= quad_cap <= 4 and 0 <= doubling_bomb <= 255
                and 0 <= spring <= 2 and all([0 <= kind < N_KINDS for kind in kinds])):
            raise ValueError("an option of the rules is out of range")
        self.name = name
        self.c.deck = 0
        for rank in range(N_RANKS):
            self.c.deck |= <cards_t><int>deck[rank] << (4 * rank)
        # Where no hand has room for the rocket, no hand matches this.
        self.c.rocket = <cards_t>(packs if 2 * packs <= max_hand else 15) * (
            black_joker() | red_joker())
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
