# The one place for bit layouts, kinds, structs and limits. Every other module cimports from here.

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    static inline int ddz_low_bit(uint64_t x) {
        unsigned long i;
        _BitScanForward64(&i, x);
        return (int)i;
    }
    #else
    static inline int ddz_low_bit(uint64_t x) { return __builtin_ctzll(x); }
    #endif

    /* A constant table in C, so that the compiler folds it where the kind is known. */
    typedef struct { uint8_t unit, kickers, group, min_length; } ddz_shape;
    static const ddz_shape DDZ_SHAPES[18] = {
        {0, 0, 0, 0},                                               /* PASS */
        {1, 0, 0, 1}, {2, 0, 0, 1}, {3, 0, 0, 1},                   /* SINGLE, PAIR, TRIPLE */
        {3, 1, 1, 1}, {3, 1, 2, 1},                                 /* TRIPLE_SINGLE, _PAIR */
        {1, 0, 0, 5}, {2, 0, 0, 3},                                 /* STRAIGHT, PAIR_STRAIGHT */
        {3, 0, 0, 2}, {3, 1, 1, 2}, {3, 1, 2, 2},                   /* AIRPLANE, _SINGLES, _PAIRS */
        {4, 2, 1, 1}, {4, 2, 2, 1}, {4, 0, 0, 1},                   /* QUAD_SINGLES, _PAIRS, BOMB */
        {2, 0, 0, 1},                                               /* ROCKET */
        {4, 0, 0, 2}, {4, 2, 1, 2}, {4, 2, 2, 2},                   /* SHUTTLE, _SINGLES, _PAIRS */
    };
    """
    int low_bit "ddz_low_bit"(uint64_t x) noexcept nogil

    # What a kind is made of. The main part is `unit` cards of each rank of the chain; `kickers`
    # groups of `group` cards come with each of these ranks (0 for none). `min_length` is the chain's
    # shortest, 1 where the kind is no chain. BOMB and ROCKET have these sizes in one pack.
    ctypedef struct shape_t "ddz_shape":
        uint8_t unit
        uint8_t kickers
        uint8_t group
        uint8_t min_length

    const shape_t SHAPES "DDZ_SHAPES"[18]

# A multiset of cards: rank r (0 = 3 … 11 = A, 12 = 2, 13 = B, 14 = R) has its count in bits
# 4r … 4r+3, bits 60 … 63 are zero. A count is at most 8, so sets add and subtract as integers.
ctypedef uint64_t cards_t

# A set of ranks: bit 4r is set for rank r. The same spacing as cards_t, so that a rank set times
# k is "k cards of each of these ranks".
ctypedef uint64_t ranks_t

cdef enum:
    N_RANKS = 15
    CHAIN_RANKS = 12        # a chain lies within ranks 0 (3) … 11 (A)
    RANK_BLACK = 13
    RANK_RED = 14
    MAX_SEATS = 4
    MAX_COUNT = 8           # cards of one rank in two packs
    N_KINDS = 18

cpdef enum:
    PASS = 0
    SINGLE = 1
    PAIR = 2
    TRIPLE = 3
    TRIPLE_SINGLE = 4
    TRIPLE_PAIR = 5
    STRAIGHT = 6
    PAIR_STRAIGHT = 7
    AIRPLANE = 8
    AIRPLANE_SINGLES = 9
    AIRPLANE_PAIRS = 10
    QUAD_SINGLES = 11
    QUAD_PAIRS = 12
    BOMB = 13
    ROCKET = 14
    SHUTTLE = 15
    SHUTTLE_SINGLES = 16
    SHUTTLE_PAIRS = 17

cdef struct move_t:
    cards_t cards
    # Bits 0-15 kind, 16-31 rank of the main part (its highest), 32-47 chain length (number of ranks
    # in the main part), 48-63 number of cards. PASS is all zero.
    uint64_t meta

cdef enum:
    SPRING_NONE = 0
    SPRING_PLAYED = 1       # plays made
    SPRING_STANDING = 2     # plays that won their trick
    NO_BOMB_DOUBLES = 255   # as rules_t.doubling_bomb

cdef struct rules_t:
    cards_t deck
    cards_t rocket
    uint32_t kinds                  # bit k: kind k exists
    uint8_t max_length[N_KINDS]     # longest chain that max_hand cards and the ranks allow
    uint8_t airplane_cap            # single kickers of one rank, with an airplane or a shuttle
    uint8_t quad_cap                # the same, with one quad
    bint both_jokers                # B and R may both be single kickers of one play
    bint extending_kickers          # three kickers of a rank may lengthen the airplane's chain
    bint held_quads                 # who holds four of a rank plays them together or not at all
    uint8_t max_bomb
    uint8_t doubling_bomb           # smallest bomb that doubles the score
    uint8_t max_hand
    uint8_t hand_size
    uint8_t kitty_size
    uint8_t n_seats
    uint8_t spring                  # which plays springs look at: one of SPRING_NONE …

cdef class CompiledRules:
    """A rule set as the core reads it; made and owned by `ddz_core.Rules`."""
    cdef rules_t c
    cdef readonly str name

cdef inline const shape_t* shape(int kind) noexcept nogil:
    return &SHAPES[kind]

# One card of every rank; the ranks of chains; the jokers.
cdef inline ranks_t all_ranks() noexcept nogil:
    return <ranks_t>0x0111111111111111

cdef inline ranks_t chain_ranks() noexcept nogil:
    return <ranks_t>0x0000111111111111

cdef inline ranks_t red_joker() noexcept nogil:
    return <ranks_t>1 << (4 * RANK_RED)

cdef inline ranks_t black_joker() noexcept nogil:
    return <ranks_t>1 << (4 * RANK_BLACK)

cdef inline ranks_t held(cards_t cards, int k) noexcept nogil:
    """Ranks with at least k cards, 1 <= k <= 8: count + (8 - k) carries into the nibble's top bit."""
    return ((cards + <uint64_t>(8 - k) * all_ranks()) >> 3) & all_ranks()

cdef inline int count_of(cards_t cards, int rank) noexcept nogil:
    return <int>(cards >> (4 * rank)) & 15

cdef inline int n_ranks(ranks_t ranks) noexcept nogil:
    """Size of a rank set: the product gathers all nibbles in the top one, at most 15."""
    return <int>((ranks * <uint64_t>0x1111111111111111) >> 60)

cdef inline int n_cards(cards_t cards) noexcept nogil:
    cdef uint64_t pairs = (cards & <uint64_t>0x0F0F0F0F0F0F0F0F) + (
        (cards >> 4) & <uint64_t>0x0F0F0F0F0F0F0F0F)
    return <int>((pairs * <uint64_t>0x0101010101010101) >> 56)

cdef inline bint contains(cards_t cards, cards_t part) noexcept nogil:
    """Whether part is a sub-multiset: with a guard bit a nibble, a borrow shows as a cleared guard."""
    cdef uint64_t guard = <uint64_t>0x0888888888888888
    # Counts are at most 8, whose bit is the guard's own: compare the low three bits and the eights
    # apart. A rank held eight times contains anything; one asked eight times needs eight.
    cdef uint64_t eights = cards & guard
    cdef uint64_t wanted = part & guard
    cdef uint64_t low = ((cards & ~guard) | guard) - (part & ~guard)
    return (((low | eights) & guard) == guard) and (wanted & ~eights) == 0

cdef inline bint well_formed(cards_t cards) noexcept nogil:
    """Whether every count is at most MAX_COUNT and the bits above the last rank are zero."""
    return (cards >> 60) == 0 and (
        (cards >> 3) & (cards | cards >> 1 | cards >> 2) & all_ranks()) == 0

cdef inline ranks_t run_of(int length) noexcept nogil:
    """The lowest `length` ranks."""
    return all_ranks() & ((<uint64_t>1 << (4 * length)) - 1)

cdef inline ranks_t above(int rank) noexcept nogil:
    """Ranks higher than `rank`; all of them for -1."""
    return all_ranks() << (4 * (rank + 1)) & all_ranks()

cdef inline int rank_of(ranks_t lowest) noexcept nogil:
    """The lowest rank of a non-empty set."""
    return low_bit(lowest) >> 2

cdef inline uint64_t meta_of(int kind, int rank, int length, int size) noexcept nogil:
    return <uint64_t>kind | <uint64_t>rank << 16 | <uint64_t>length << 32 | <uint64_t>size << 48

cdef inline int kind_of(uint64_t meta) noexcept nogil:
    return meta & 0xFFFF

cdef inline int main_rank(uint64_t meta) noexcept nogil:
    return (meta >> 16) & 0xFFFF

cdef inline int length_of(uint64_t meta) noexcept nogil:
    return (meta >> 32) & 0xFFFF

cdef inline int size_of(uint64_t meta) noexcept nogil:
    return meta >> 48

cdef inline uint64_t with_rank(uint64_t meta, int rank) noexcept nogil:
    return (meta & ~<uint64_t>0xFFFF0000) | <uint64_t>rank << 16

cdef inline ranks_t main_ranks_of(uint64_t meta) noexcept nogil:
    """Ranks of the main part (for the rocket, the red joker alone)."""
    return run_of(length_of(meta)) << (4 * (main_rank(meta) + 1 - length_of(meta)))

cdef inline bint beats(uint64_t meta, uint64_t last) noexcept nogil:
    """Whether a play beats `last` (a play, or PASS which any play beats)."""
    cdef int kind = kind_of(meta)
    if kind == PASS:
        return False
    if with_rank(meta, 0) == with_rank(last, 0):
        return kind != ROCKET and main_rank(meta) > main_rank(last)
    if kind_of(last) == PASS or kind == ROCKET:
        return True
    if kind != BOMB or kind_of(last) == ROCKET:
        return False
    return kind_of(last) != BOMB or size_of(meta) > size_of(last)
