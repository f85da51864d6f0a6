"""Who wins with open hands: a proof-number search, and a plain search to compare it with."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.stdint cimport int16_t
from libc.string cimport memset

from ddz_core._generate cimport count_moves, generate, loose_cards, plays_rocket, reply_starts, runs
from ddz_core._position cimport NOBODY, Position, apply, position_t
from ddz_core._turns cimport MAX_TURNS, split_of
from ddz_core._types cimport *
from ddz_core._values cimport new_move

from ddz_core.errors import DdzError

cdef extern from *:
    """
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    static inline int ddz_high_zeros(uint64_t x) {
        unsigned long i;
        _BitScanReverse64(&i, x);
        return 63 - (int)i;
    }
    #define ddz_prefetch(p) ((void)(p))
    #else
    #define ddz_high_zeros(x) __builtin_clzll(x)
    #define ddz_prefetch(p) __builtin_prefetch(p)
    #endif
    /* Zeroed memory for a table that is looked into at random: it starts at a cache line, and a large
       one lies in huge pages where there are any, since most looks would miss the TLB otherwise. */
    #include <stdlib.h>
    #if defined(__linux__)
    #include <sys/mman.h>
    #endif
    static void *ddz_new_table(uint64_t bytes) {
        uint64_t line = bytes >= (4u << 20) ? 2u << 20 : 64;
        char *raw, *start;
        if (bytes > SIZE_MAX - line - sizeof(void *)) return NULL;
        raw = (char *)calloc(1, bytes + line + sizeof(void *));
        if (raw == NULL) return NULL;
        start = raw + sizeof(void *);
        start += (0 - (uintptr_t)start) & (line - 1);
        ((void **)start)[-1] = raw;
    #if defined(__linux__) && defined(MADV_HUGEPAGE)
        if (line > 64) madvise(start, bytes, MADV_HUGEPAGE);
    #endif
        return start;
    }
    static void ddz_free_table(void *table) {
        if (table) free(((void **)table)[-1]);
    }
    #if defined(_WIN32)
    #include <windows.h>
    static double ddz_now(void) { return GetTickCount64() * 1e-3; }
    #else
    #include <time.h>
    static double ddz_now(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return t.tv_sec + t.tv_nsec * 1e-9;
    }
    #endif
    """
    int high_zeros "ddz_high_zeros"(uint64_t x) noexcept nogil
    void prefetch "ddz_prefetch"(const void* p) noexcept nogil
    void* new_table "ddz_new_table"(uint64_t bytes) noexcept nogil
    void free_table "ddz_free_table"(void* table) noexcept nogil
    double now "ddz_now"() noexcept nogil

# The networks that order moves; training/fit.py writes them.
cdef extern from "order.h":
    enum:
        N_FACTS "DDZ_N_FACTS"
    # How little a move promises, in units of proof numbers; for moves of the same state.
    int demerit "ddz_demerit"(int network, const int16_t* facts) noexcept nogil

cdef enum:
    INFINITE = 4095             # a proof or disproof number: never
    LARGEST = 4094
    CODE_BITS = 14
    MAX_SHAPES = 64
    BUCKET = 4                  # entries of 16 bytes in a line of 64
    FRONT = 8
    FIRST_AIDS = 1 << 10
    MOST_AIDS = 1 << 13
    MOST_OTHERS = 12            # groups of a split other than singles and pairs
    NODES_BETWEEN_CHECKS = 1 << 9
    NONE_OPEN = 1 << 28
    TRUST = 20                  # a move that won before is searched alone up to this number
    FACTS_OF_SEAT = 22          # what a move is judged by: so much of each of three seats, …
    MOST_LOOSE = 12
    AT_ONCE = 16                # moves judged together
    UNBOUNDED = 99
    MOST_WAITS = 5
    MOST_ANSWERS = 7
    MOST_CHOICES = 100          # of straights; 33 cards may have very many
    MAX_SCORE_BITS = 20
    COUNTER_BITS = 9
    MAX_HIGH_BITS = 38
    FIRST_BUCKETS = 1 << 9      # the table starts small, for the small positions
    FIRST_FRONTS = 1 << 6
    MOST_FRONTS = 1 << 15

    # Reductions that can be switched off, so that tests can tell them apart.
    NO_STATIC = 1               # wins seen without search
    NO_HEURISTIC = 2            # first proof numbers, and the order of moves
    NO_NORMAL = 4               # what must be beaten, up to what matters
    NO_WAITING = 8              # wins by waiting
    NO_DOMINANCE = 16           # states settled by better or worse ones
    NO_RIVALS = 32              # moves that leave no better hand than another
    NO_THRIFT = 64              # kickers that a lower one could spare

    # Why a search ended.
    DONE = 0
    OUT_OF_NODES = 1
    OUT_OF_TIME = 2
    INTERRUPTED = 3
    OUT_OF_MEMORY = 4

    PEASANTS_COUNT = 1          # a peasant's play counts against a spring
    LANDLORD_ONCE = 2           # plays of the landlord: none, one, or …
    LANDLORD_TWICE = 4          # … two and more
    LANDLORD_STOOD = 8          # a play of the landlord after his first stood

cdef struct state_t:
    cards_t hands[MAX_SEATS]
    uint64_t lo                 # the hands as one number, mixed radix; room for the code below it
    uint64_t hi
    uint64_t last               # what must be beaten, up to what matters; PASS on a lead
    uint8_t turn
    uint8_t owner               # made the last play; leads if all others pass
    uint8_t doublings
    uint8_t flags

cdef struct child_t:
    cards_t cards
    uint64_t meta
    uint64_t last
    uint64_t lo
    uint64_t hi
    int behind                  # how much less it promises than the best of its siblings
    uint16_t pn
    uint16_t dn
    uint8_t turn
    uint8_t owner
    uint8_t doublings
    uint8_t flags

cdef struct entry_t:
    uint64_t lo
    uint64_t data               # pn 12, dn 12, effort, hi

# A solved state that settles those in which the winner's hands are no worse and the loser's no better.
cdef struct front_t:
    cards_t hands[MAX_SEATS]
    uint64_t last
    uint64_t place              # whose turn it is and so on
    uint64_t landlord_wins

# Most looks into a bucket find nothing, and touch only its line of signatures; 0 for none.
cdef struct signatures_t:
    uint64_t of[FRONT]

cdef struct fronts_t:
    front_t fronts[FRONT]

cdef struct profile_t:
    cards_t cards[MAX_SEATS]        # what the rest was worked out for
    uint64_t signature              # equal for all states that may settle each other
    uint64_t place
    uint64_t mixed[MAX_SEATS]       # what each hand gives to the signature
    ranks_t loose[MAX_SEATS]        # ranks that are in no run, not held three times, no part of a rocket
    uint64_t ones[MAX_SEATS]        # of these, how many up to each rank are held once
    uint64_t twos[MAX_SEATS]        # … twice
    uint64_t more[MAX_SEATS]        # … three times, and four times (low and high half of each byte …
    uint64_t most[MAX_SEATS]

# Moves that last won for a seat with this hand and this play to beat, all bits inverted. Other hands
# may share the place: it tells what to try first, no more.
cdef struct killers_t:
    cards_t searched
    cards_t at_sight            # seen to win without search
    bint doubtful               # the searched one did not win when it was tried again

# The split of a hand in the fewest turns.
cdef struct hand_info_t:
    cards_t cards
    cards_t ones                    # the ranks of its singles (a multiset, as hands are), …
    cards_t twos                    # … of its pairs, …
    uint8_t turns
    uint8_t n_others
    uint16_t others[MOST_OTHERS]    # … and its other groups, in the order of shapes and ranks

# What a hand has, for its enemies.
cdef struct brief_t:
    cards_t cards               # the hand
    int top[5]                  # [n]: highest rank held n times, -1 for none
    int n
    int wild_plays              # bombs and the rocket; eight of a rank are two
    ranks_t bare_ones           # held once, in no straight
    ranks_t bare_twos           # held twice, in no straight nor chain of pairs
    int carriers                # at most so many of these go along with triples and quads
    bint straights
    bint pair_runs

# What a side faces: of all its enemies.
cdef struct rivals_t:
    int top[5]                  # [n]: the highest rank that one of them holds n times, -1 for none
    bint wild                   # one of them holds a bomb or the rocket

# What a seat may hope for.
cdef struct outlook_t:
    int turns           # the fewest to get rid of the hand
    int hoped           # loose, with enemies' bombs and rockets at a price
    int loose           # groups that an enemy may win, less those that win them back
    int wild            # bombs and the rocket that nothing beats
    int contested       # cards an enemy may shed on the way, …
    int biggest         # … without the largest lost group, which is played last
    int answer_cost     # of an answer to the trick in question, in lost groups; 8 a wild one, 9 none
    bint answers        # can take that trick with a group and keep to the plan
    int cheap[3]        # [n]: highest group of n equal cards that it may answer with at no cost
    int dear[3]         # … at the cost of a strong group
    int groups[3]       # [n]: groups of n equal cards, …
    int beaten[3]       # … those of them that an enemy could beat in kind, …
    int strong[3]       # … those that no enemy could match, …
    int lowest[3]       # … and the lowest one
    int others          # other groups, …
    int others_beaten   # … and those of them that an enemy could beat in kind

cdef struct solver_t:
    const rules_t* rules
    int n_seats
    int landlord
    int target
    bint points
    int goal                    # points: the landlord's side gets at least this multiple of 1
    int switches
    uint64_t weight_lo[MAX_SEATS][N_RANKS]
    uint64_t weight_hi[MAX_SEATS][N_RANKS]
    uint8_t shape_ids[N_KINDS][16]
    int hi_shift
    int effort_bits
    entry_t* table
    uint64_t table_mask         # number of buckets - 1
    uint64_t most_buckets       # the table doubles when it is half full, up to so many buckets
    uint64_t n_entries
    uint64_t aid_mask           # slots of each of the next two tables of hands, less 1
    hand_info_t* infos
    signatures_t* signatures
    fronts_t* fronts            # in the same places
    uint64_t front_mask
    uint64_t most_fronts
    uint32_t turnover
    killers_t* killers          # by hand and last play
    brief_t briefs[MAX_SEATS]   # of the state that is looked at
    rivals_t rivals[2]          # what the landlord faces, and what his enemies face
    outlook_t views[MAX_SEATS]
    profile_t profile
    child_t* pool
    size_t pool_size
    size_t pool_top
    move_t* moves
    size_t n_moves
    uint64_t nodes
    uint64_t node_limit
    double deadline             # 0 for none
    bint signals                # check Python's signals; the thread is Python's own
    void* face                  # the Search, not owned
    const int* cancel           # another thread's wish to stop
    int stopped


# ---- hands --------------------------------------------------------------------------------------


cdef inline uint16_t group_code(uint64_t meta) noexcept nogil:
    cdef int size = size_of(meta) - 4 if kind_of(meta) == BOMB else 0
    return kind_of(meta) | main_rank(meta) << 5 | length_of(meta) << 9 | size << 13


cdef inline uint64_t group_meta(uint16_t code) noexcept nogil:
    """The group's meta word; its size is that of the main part, except a bomb's."""
    cdef int kind = code & 31
    cdef int length = code >> 9 & 15
    cdef int size = length * (shape(kind).unit + shape(kind).kickers * shape(kind).group)
    return meta_of(kind, code >> 5 & 15, length, (code >> 13) + 4 if kind == BOMB else size)


cdef hand_info_t* info_of(solver_t* s, cards_t cards) noexcept nogil:
    cdef hand_info_t* info = &s.infos[(cards * <uint64_t>0x9E3779B97F4A7C15) >> 40 & s.aid_mask]
    cdef move_t split[MAX_TURNS]
    cdef int i, n, kind
    if info.cards == cards:
        return info
    info.cards = cards
    n = split_of(s.rules, cards, split)
    info.turns = n
    info.ones = 0
    info.twos = 0
    info.n_others = 0
    for i in range(n):
        kind = kind_of(split[i].meta)
        if kind == SINGLE:
            info.ones += <cards_t>1 << (4 * main_rank(split[i].meta))
        elif kind == PAIR:
            info.twos += <cards_t>1 << (4 * main_rank(split[i].meta))
        elif info.n_others == MOST_OTHERS:
            info.turns = UNBOUNDED      # more than there is room for
        else:
            info.others[info.n_others] = group_code(split[i].meta)
            info.n_others += 1
    return info


cdef inline uint64_t only_group(const hand_info_t* info) noexcept nogil:
    """The group of a hand that is one turn."""
    if info.n_others:
        return group_meta(info.others[0])
    if info.ones:
        return meta_of(SINGLE, rank_of(info.ones), 1, 1)
    return meta_of(PAIR, rank_of(info.twos), 1, 2)


cdef inline bint can_beat(solver_t* s, cards_t cards, uint64_t last) noexcept nogil:
    """False only if the hand has no play that beats `last`, which is no PASS."""
    if kind_of(last) == ROCKET:
        return False
    if held(cards, 4) and kind_of(last) != BOMB:
        return True
    if plays_rocket(s.rules, cards, last):
        return True
    if kind_of(last) == BOMB:
        return beats_bomb(s, cards, last)
    return n_cards(cards) >= size_of(last) and reply_starts(s.rules, cards, last) != 0


cdef inline bint beats_bomb(solver_t* s, cards_t cards, uint64_t last) noexcept nogil:
    cdef int size
    if held(cards, size_of(last)) & above(main_rank(last)):
        return True
    for size in range(size_of(last) + 1, s.rules.max_bomb + 1):
        if held(cards, size):
            return True
    return False


# ---- states -------------------------------------------------------------------------------------


cdef inline int after(solver_t* s, int seat) noexcept nogil:
    return 0 if seat + 1 == s.n_seats else seat + 1


cdef inline int before(solver_t* s, int seat) noexcept nogil:
    return (seat if seat else s.n_seats) - 1


cdef inline bint at_goal(solver_t* s, int seat, cards_t cards) noexcept nogil:
    if seat == s.landlord or s.target == 0:
        return cards == 0
    return n_cards(cards) <= s.target


cdef inline uint64_t normal(solver_t* s, const state_t* st) noexcept nogil:
    """The weakest play that exactly the same replies of the seats yet to speak would beat."""
    cdef uint64_t last = st.last
    cdef ranks_t starts = 0
    cdef int seat = st.turn
    cdef int length = length_of(last)
    if s.switches & NO_NORMAL:
        return last
    while seat != st.owner:
        if kind_of(last) == BOMB:
            starts |= held(st.hands[seat], size_of(last)) & above(main_rank(last))
        elif n_cards(st.hands[seat]) >= size_of(last):
            starts |= reply_starts(s.rules, st.hands[seat], last)
        seat = after(s, seat)
    if starts:
        return with_rank(last, rank_of(starts) + length - 2)
    if kind_of(last) == BOMB:
        return with_rank(last, RANK_RED)
    return meta_of(SINGLE, RANK_RED, 1, 1)


cdef inline void ask(solver_t* s, state_t* st, int seat) noexcept nogil:
    """The turn goes to the first seat from `seat` on that can beat the last play, or to its owner."""
    while seat != st.owner:
        if can_beat(s, st.hands[seat], st.last):
            st.turn = seat
            st.last = normal(s, st)
            return
        seat = after(s, seat)
    if s.points:
        note_stand(s, st)
    st.turn = st.owner
    st.last = 0


cdef void note_stand(solver_t* s, state_t* st) noexcept nogil:
    if s.rules.spring == SPRING_STANDING:
        if st.owner != s.landlord:
            st.flags |= PEASANTS_COUNT
        elif st.flags & LANDLORD_TWICE:
            st.flags |= LANDLORD_STOOD


cdef void note_play(solver_t* s, state_t* st, int seat, uint64_t meta) noexcept nogil:
    if s.rules.doubling_bomb != NO_BOMB_DOUBLES:
        if kind_of(meta) == ROCKET or (
                kind_of(meta) == BOMB and size_of(meta) >= s.rules.doubling_bomb):
            st.doublings += 1
    if s.rules.spring != SPRING_NONE:
        if seat == s.landlord:
            st.flags |= LANDLORD_TWICE if st.flags & (LANDLORD_ONCE | LANDLORD_TWICE) else 0
            st.flags |= LANDLORD_ONCE
        elif s.rules.spring == SPRING_PLAYED:
            st.flags |= PEASANTS_COUNT


cdef inline void move_index(solver_t* s, state_t* st, int seat, cards_t cards) noexcept nogil:
    cdef int bit, rank, count
    while cards:
        bit = low_bit(cards) & ~3
        count = (cards >> bit) & 15
        cards &= ~(<uint64_t>15 << bit)
        rank = bit >> 2
        st.lo -= count * s.weight_lo[seat][rank]
        st.hi -= count * s.weight_hi[seat][rank]


cdef inline void make(solver_t* s, const state_t* st, state_t* out, const move_t* m) noexcept nogil:
    """Plays a move that does not end the game."""
    out[0] = st[0]
    if kind_of(m.meta) == PASS:
        ask(s, out, after(s, st.turn))
        return
    out.hands[st.turn] -= m.cards
    move_index(s, out, st.turn, m.cards)
    out.owner = st.turn
    out.last = m.meta
    if s.points:
        note_play(s, out, st.turn, m.meta)
    ask(s, out, after(s, st.turn))


cdef inline uint64_t key_of(solver_t* s, const state_t* st) noexcept nogil:
    """The low word of the state's number, with everything that the hands do not say."""
    cdef uint64_t code = st.turn
    if st.last:
        code |= (<uint64_t>st.owner << 2 | <uint64_t>main_rank(st.last) << 4
                 | <uint64_t>s.shape_ids[kind_of(st.last)][
                     size_of(st.last) if kind_of(st.last) == BOMB else length_of(st.last)] << 8)
    if s.points:
        code |= (<uint64_t>st.doublings << 4 | st.flags) << CODE_BITS
    return st.lo + code


# ---- table --------------------------------------------------------------------------------------


cdef inline entry_t* bucket_of(solver_t* s, uint64_t lo, uint64_t hi) noexcept nogil:
    cdef uint64_t z = lo * <uint64_t>0x9E3779B97F4A7C15 + hi * <uint64_t>0xD6E8FEB86659FD93
    z = (z ^ (z >> 29)) * <uint64_t>0xBF58476D1CE4E5B9
    return &s.table[((z ^ (z >> 32)) & s.table_mask) * BUCKET]


cdef inline uint64_t high_part(solver_t* s, uint64_t hi) noexcept nogil:
    return hi << s.hi_shift if s.hi_shift < 64 else 0


cdef inline bint look_up(solver_t* s, uint64_t lo, uint64_t hi, uint16_t* pn, uint16_t* dn) noexcept nogil:
    cdef entry_t* e = bucket_of(s, lo, hi)
    cdef uint64_t high = high_part(s, hi)
    cdef int i
    for i in range(BUCKET):
        if e[i].lo == lo and e[i].data and (
                s.hi_shift == 64 or (e[i].data >> s.hi_shift) << s.hi_shift == high):
            pn[0] = e[i].data & 4095
            dn[0] = e[i].data >> 12 & 4095
            return True
    return False


cdef inline int effort_of(solver_t* s, uint64_t nodes) noexcept nogil:
    """Twice the binary logarithm of the nodes, as far as there is room for it."""
    cdef int effort = 1
    cdef int most = (1 << s.effort_bits) - 1
    while nodes > 1:
        effort += 2
        if nodes == 3:
            effort += 1
        nodes >>= 1
    return effort if effort < most else most


cdef void grow(solver_t* s) noexcept nogil:
    """Twice as many buckets, the old entries spread over them; on failure no growth from now on."""
    cdef entry_t* old = s.table
    cdef entry_t* e
    cdef uint64_t n = (s.table_mask + 1) * BUCKET
    cdef uint64_t i
    cdef int k
    cdef entry_t* table = <entry_t*>new_table(2 * n * sizeof(entry_t))
    if table == NULL:
        s.most_buckets = s.table_mask + 1
        return
    s.table = table
    s.table_mask = 2 * s.table_mask + 1
    for i in range(n):
        if old[i].data:
            # Each bucket splits in two, so there is room.
            e = bucket_of(s, old[i].lo, old[i].data >> s.hi_shift if s.hi_shift < 64 else 0)
            k = 0
            while e[k].data:
                k += 1
            e[k] = old[i]
    free_table(old)


cdef bint new_aids(solver_t* s, uint64_t n) noexcept nogil:
    """Empty tables of hands and of winning moves instead of those that there are, if any."""
    cdef hand_info_t* infos = <hand_info_t*>calloc(n, sizeof(hand_info_t))
    cdef killers_t* killers = <killers_t*>calloc(n, sizeof(killers_t))
    if infos == NULL or killers == NULL:
        free(infos)
        free(killers)
        return False
    free(s.infos)
    free(s.killers)
    s.infos = infos
    s.killers = killers
    s.aid_mask = n - 1
    return True


cdef bint new_fronts(solver_t* s, uint64_t n) noexcept nogil:
    """Empty buckets, the old ones left to the caller; False, and nothing changed, on failure."""
    cdef signatures_t* signatures = <signatures_t*>new_table(n * sizeof(signatures_t))
    cdef fronts_t* fronts = <fronts_t*>new_table(n * sizeof(fronts_t))
    if signatures == NULL or fronts == NULL:
        free_table(signatures)
        free_table(fronts)
        return False
    s.signatures = signatures
    s.fronts = fronts
    s.front_mask = n - 1
    return True


cdef void grow_fronts(solver_t* s) noexcept nogil:
    cdef signatures_t* old = s.signatures
    cdef fronts_t* old_fronts = s.fronts
    cdef uint64_t n = s.front_mask + 1
    cdef uint64_t i, to
    cdef int j, k
    if not new_fronts(s, 2 * n):
        s.most_fronts = n
        return
    for i in range(n):
        for j in range(FRONT):
            if old[i].of[j]:
                to = old[i].of[j] & s.front_mask
                k = 0
                while s.signatures[to].of[k]:
                    k += 1
                s.signatures[to].of[k] = old[i].of[j]
                s.fronts[to].fronts[k] = old_fronts[i].fronts[j]
    free_table(old)
    free_table(old_fronts)


cdef inline void store(solver_t* s, uint64_t lo, uint64_t hi, int pn, int dn, uint64_t nodes) noexcept nogil:
    cdef entry_t* e = bucket_of(s, lo, hi)
    cdef uint64_t high = high_part(s, hi)
    cdef uint64_t effort_mask = ((<uint64_t>1 << s.effort_bits) - 1) << 24
    cdef uint64_t least = <uint64_t>-1
    cdef uint64_t effort
    cdef int i
    cdef int place = 0
    if s.n_entries > 2 * s.table_mask and s.table_mask + 1 < s.most_buckets:
        grow(s)
        if s.front_mask + 1 < s.most_fronts:
            grow_fronts(s)
        if s.aid_mask + 1 < MOST_AIDS:      # nobody is looking at them now
            new_aids(s, 4 * (s.aid_mask + 1))
        e = bucket_of(s, lo, hi)
    for i in range(BUCKET):
        if e[i].data == 0:
            s.n_entries += 1
            place = i
            break
        if (e[i].lo == lo and (
                s.hi_shift == 64 or (e[i].data >> s.hi_shift) << s.hi_shift == high)):
            place = i
            break
        effort = e[i].data & effort_mask
        if effort < least:
            least = effort
            place = i
    e[place].lo = lo
    e[place].data = high | <uint64_t>effort_of(s, nodes) << 24 | <uint64_t>dn << 12 | <uint64_t>pn


# ---- dominance ----------------------------------------------------------------------------------
#
# A hand is no worse than another if ranks can be matched, each with one that is no lower and held as
# often, so that every play of the other has its match: what is in a run, held three times or more,
# or a rocket must be the very same; other singles and pairs need only be no lower.


cdef inline ranks_t in_runs(cards_t cards) noexcept nogil:
    cdef ranks_t five = runs(held(cards, 1) & chain_ranks(), 5)
    cdef ranks_t three = runs(held(cards, 2) & chain_ranks(), 3)
    five |= five << 4
    five |= five << 8
    five |= five << 4
    five |= three | three << 4 | three << 8
    three = held(cards, 3) & chain_ranks()
    three &= three >> 4
    return five | three | three << 4


cdef inline ranks_t fixed_ranks(solver_t* s, cards_t cards) noexcept nogil:
    cdef ranks_t fixed = in_runs(cards) | held(cards, 5)
    if not s.rules.extending_kickers:
        fixed |= held(cards, 3)
    if has_rocket(s, cards):
        fixed |= black_joker() | red_joker()
    return fixed


cdef inline uint64_t upto(ranks_t ranks) noexcept nogil:
    return ranks * <uint64_t>0x1111111111111111


cdef inline bint nowhere_more(uint64_t a, uint64_t b) noexcept nogil:
    cdef uint64_t low = <uint64_t>0x0F0F0F0F0F0F0F0F
    cdef uint64_t guard = <uint64_t>0x8080808080808080
    return ((((b & low) | guard) - (a & low)) & (((b >> 4 & low) | guard) - (a >> 4 & low)) & guard) == guard


cdef inline ranks_t note_hand(solver_t* s, cards_t cards, int seat, profile_t* out) noexcept nogil:
    """Fills in one seat; returns its fixed ranks."""
    cdef ranks_t h1 = held(cards, 1)
    cdef ranks_t h2 = held(cards, 2)
    cdef ranks_t h3 = held(cards, 3)
    cdef ranks_t h4 = held(cards, 4)
    cdef ranks_t fixed = fixed_ranks(s, cards)
    out.loose[seat] = h1 & ~fixed
    out.ones[seat] = upto(h1 & ~h2 & ~fixed)
    out.twos[seat] = upto(h2 & ~h3 & ~fixed)
    out.more[seat] = upto(h3 & ~h4 & ~fixed)
    out.most[seat] = upto(h4 & ~fixed)
    return fixed


cdef inline void profile(solver_t* s, const state_t* st) noexcept nogil:
    """Of the state; hands that are as they were the last time stand as they are."""
    cdef profile_t* out = &s.profile
    cdef int seat
    cdef cards_t cards
    cdef ranks_t fixed
    cdef uint64_t z
    out.place = 1 | <uint64_t>st.turn << 8 | <uint64_t>st.owner << 16
    if s.points:
        out.place |= <uint64_t>st.doublings << 24 | <uint64_t>st.flags << 32
    out.signature = out.place ^ with_rank(st.last, 0) * <uint64_t>0xD6E8FEB86659FD93
    for seat in range(s.n_seats):
        cards = st.hands[seat]
        if out.cards[seat] != cards:
            out.cards[seat] = cards
            fixed = note_hand(s, cards, seat, out)
            z = ((cards & fixed * 15) ^ (out.ones[seat] >> 60 << 60)) + seat
            z = (z ^ (z >> 31)) * <uint64_t>0x9E3779B97F4A7C15
            z += out.twos[seat] >> 60 | out.more[seat] >> 60 << 4 | out.most[seat] >> 60 << 8
            out.mixed[seat] = (z ^ (z >> 29)) * <uint64_t>0xBF58476D1CE4E5B9
        out.signature += out.mixed[seat] >> 13 ^ out.mixed[seat]
    z = (out.signature ^ (out.signature >> 31)) * <uint64_t>0x9E3779B97F4A7C15
    out.signature = (z ^ (z >> 32)) | <uint64_t>1 << 63


cdef inline bint rank_allows(
    solver_t* s, const state_t* st, uint64_t query, uint64_t stored, bint landlord_wins
) noexcept nogil:
    """Whether what the query must beat is no worse for the winner than what was to be beaten there."""
    if query == stored:
        return True
    if st.owner == s.landlord:
        # Only enemies of its owner are to speak: for him, the higher the better.
        return main_rank(query) > main_rank(stored) if landlord_wins else main_rank(query) < main_rank(stored)
    if st.turn == s.landlord and after(s, s.landlord) == st.owner:
        return main_rank(query) < main_rank(stored) if landlord_wins else main_rank(query) > main_rank(stored)
    return False


cdef inline bint partners_agree(solver_t* s, uint64_t changed, int seat, const cards_t* hands) noexcept nogil:
    """Whether no partner of a seat holds a card that would take one of its cards in the worse hand but
    not the card's match: `changed` has a bit set for each rank from a card up to below its match."""
    cdef ranks_t ranks
    cdef int partner
    if seat == s.landlord or s.n_seats == 2:
        return True
    changed |= changed >> 2
    ranks = (changed | changed >> 1) & all_ranks()
    for partner in range(s.n_seats):
        if partner != seat and partner != s.landlord and held(hands[partner], 1) & ranks << 4:
            return False
    return True


cdef inline bint covers_hand(solver_t* s, const profile_t* q, cards_t mine, cards_t theirs, int seat,
                             bint better, const cards_t* worse) noexcept nogil:
    """Whether the hand of the profile is no worse (or no better) than another one of this seat.

    `worse` are the hands of all seats where this seat has the worse one.
    """
    cdef ranks_t fixed
    cdef profile_t other
    if mine == theirs:
        return True
    fixed = note_hand(s, theirs, seat, &other)
    if ((other.ones[seat] ^ q.ones[seat]) | (other.twos[seat] ^ q.twos[seat])
            | (other.more[seat] ^ q.more[seat]) | (other.most[seat] ^ q.most[seat])) >> 60:
        return False
    if theirs & fixed * 15 != mine & (held(mine, 1) & ~q.loose[seat]) * 15:
        return False
    if better:
        if not (nowhere_more(q.ones[seat], other.ones[seat])
                and nowhere_more(q.twos[seat], other.twos[seat])
                and nowhere_more(q.more[seat], other.more[seat])
                and nowhere_more(q.most[seat], other.most[seat])):
            return False
    elif not (nowhere_more(other.ones[seat], q.ones[seat])
              and nowhere_more(other.twos[seat], q.twos[seat])
              and nowhere_more(other.more[seat], q.more[seat])
              and nowhere_more(other.most[seat], q.most[seat])):
        return False
    return partners_agree(
        s, (other.ones[seat] ^ q.ones[seat]) | (other.twos[seat] ^ q.twos[seat])
        | (other.more[seat] ^ q.more[seat]) | (other.most[seat] ^ q.most[seat]), seat, worse)


cdef inline int settled(solver_t* s, const state_t* st, const profile_t* q) noexcept nogil:
    """1 or -1 if a solved state settles this one, 0 if none is found."""
    cdef const signatures_t* bucket = &s.signatures[q.signature & s.front_mask]
    cdef const front_t* f = &s.fronts[q.signature & s.front_mask].fronts[0]
    cdef int i, seat
    cdef bint wins
    for i in range(FRONT):
        if bucket.of[i] != q.signature or f[i].place != q.place:
            continue
        wins = f[i].landlord_wins
        if not rank_allows(s, st, st.last, f[i].last, wins):
            continue
        if with_rank(st.last, 0) != with_rank(f[i].last, 0):
            continue
        for seat in range(s.n_seats):
            if wins == (seat == s.landlord):
                if not covers_hand(s, q, st.hands[seat], f[i].hands[seat], seat, True, &f[i].hands[0]):
                    break
            elif not covers_hand(s, q, st.hands[seat], f[i].hands[seat], seat, False, &st.hands[0]):
                break
        else:
            return 1 if wins else -1
    return 0


cdef inline void settle_state(solver_t* s, const state_t* st, bint landlord_wins) noexcept nogil:
    cdef const profile_t* q = &s.profile
    cdef signatures_t* bucket
    cdef front_t* f
    cdef int i, seat, place
    profile(s, st)
    bucket = &s.signatures[q.signature & s.front_mask]
    place = -1
    for i in range(FRONT):
        if bucket.of[i] == 0:
            place = i
            break
    if place < 0:
        place = s.turnover % FRONT
        s.turnover += 1
    bucket.of[place] = q.signature
    f = &s.fronts[q.signature & s.front_mask].fronts[place]
    for seat in range(s.n_seats):
        f.hands[seat] = st.hands[seat]
    f.last = st.last
    f.landlord_wins = landlord_wins
    f.place = q.place


# ---- first guesses ------------------------------------------------------------------------------


cdef inline int proved_score(solver_t* s, int doublings, bint landlord_wins) noexcept nogil:
    return (1 if landlord_wins else -1) * (1 << doublings)


cdef inline bint settles(solver_t* s, int doublings, bint landlord_wins) noexcept nogil:
    """Whether a win of this side, whatever may still double it, decides the question."""
    if not s.points:
        return True
    if landlord_wins:
        return proved_score(s, doublings, True) >= s.goal
    return proved_score(s, doublings, False) < s.goal


cdef inline bint reached(solver_t* s, const state_t* st, int winner) noexcept nogil:
    """Whether the landlord's side has what it wants, the game being over."""
    cdef int doublings = st.doublings
    cdef int score
    if not s.points:
        return winner == s.landlord
    if s.rules.spring != SPRING_NONE:
        if winner == s.landlord:
            doublings += not st.flags & PEASANTS_COUNT
        elif s.rules.spring == SPRING_PLAYED:
            doublings += (st.flags & (LANDLORD_ONCE | LANDLORD_TWICE)) == LANDLORD_ONCE
        else:
            doublings += not st.flags & LANDLORD_STOOD
    return proved_score(s, doublings, winner == s.landlord) >= s.goal


cdef inline int most_doublings(solver_t* s, const state_t* st, bint landlord_wins) noexcept nogil:
    """At most so many doublings has a win of this side if the other one plays no bomb that it may break up."""
    cdef int n = st.doublings
    cdef int seat
    cdef cards_t hand
    if s.rules.spring != SPRING_NONE:
        n += not st.flags & (PEASANTS_COUNT if landlord_wins else LANDLORD_TWICE
                             if s.rules.spring == SPRING_PLAYED else LANDLORD_STOOD)
    if s.rules.doubling_bomb == NO_BOMB_DOUBLES:
        return n
    for seat in range(s.n_seats):
        hand = st.hands[seat]
        if (seat == s.landlord) != landlord_wins:
            hand -= loose_cards(s.rules, hand)
        n += n_ranks(held(hand, s.rules.doubling_bomb)) + has_rocket(s, hand)
        if s.rules.doubling_bomb == 4:
            n += n_ranks(held(hand, 8))
    return n


cdef inline bint out_of_reach(solver_t* s, const state_t* st) noexcept nogil:
    """Whether the side that must win, and perhaps double, to get what it wants cannot double often enough."""
    if s.goal > 0:
        return proved_score(s, most_doublings(s, st, True), True) < s.goal
    return proved_score(s, most_doublings(s, st, False), False) >= s.goal


cdef inline bint wins_at_once(solver_t* s, const state_t* st, const move_t* m) noexcept nogil:
    """The same for a move that ends the game."""
    cdef state_t next = st[0]
    next.owner = st.turn
    if s.points:
        note_play(s, &next, st.turn, m.meta)
        note_stand(s, &next)
    return reached(s, &next, st.turn)


cdef inline int top_start(cards_t cards, int unit, int length) noexcept nogil:
    """The highest start of a chain, -1 for none."""
    return high_rank(runs(held(cards, unit) & chain_ranks(), length))


cdef inline void note_briefs(solver_t* s, const state_t* st) noexcept nogil:
    """Of all hands, and what each side faces; hands that are as they were the last time stand."""
    cdef int seat, n
    cdef bint changed = False
    cdef brief_t* brief
    cdef rivals_t* rivals
    for seat in range(s.n_seats):
        if s.briefs[seat].cards != st.hands[seat]:
            note_brief(s, st.hands[seat], &s.briefs[seat])
            changed = True
    if not changed:
        return
    memset(s.rivals, 255, sizeof(s.rivals))
    s.rivals[0].wild = False
    s.rivals[1].wild = False
    for seat in range(s.n_seats):
        brief = &s.briefs[seat]
        rivals = &s.rivals[seat == s.landlord]
        for n in range(1, 5):
            rivals.top[n] = max(rivals.top[n], brief.top[n])
        rivals.wild |= brief.wild_plays != 0


cdef inline const rivals_t* rivals_of(solver_t* s, int seat) noexcept nogil:
    return &s.rivals[seat != s.landlord]


cdef void note_brief(solver_t* s, cards_t cards, brief_t* out) noexcept nogil:
    cdef ranks_t h1 = held(cards, 1)
    cdef ranks_t h2 = held(cards, 2)
    cdef ranks_t h3 = held(cards, 3)
    cdef ranks_t h4 = held(cards, 4)
    cdef ranks_t five = runs(h1 & chain_ranks(), 5)
    cdef ranks_t three = runs(h2 & chain_ranks(), 3)
    out.cards = cards
    out.top[1] = high_rank(h1)
    out.top[2] = high_rank(h2)
    out.top[3] = high_rank(h3)
    out.top[4] = high_rank(h4)
    out.n = n_cards(cards)
    out.wild_plays = n_ranks(h4) + has_rocket(s, cards)
    out.carriers = n_ranks(h3) + n_ranks(h4)
    if s.rules.max_bomb > 4:
        out.wild_plays += n_ranks(held(cards, 8))
        out.carriers += n_ranks(held(cards, 6)) + n_ranks(held(cards, 8))
    out.straights = five != 0
    out.pair_runs = three != 0
    five |= five << 4
    five |= five << 8
    five |= five << 4
    out.bare_ones = h1 & ~h2 & ~five
    out.bare_twos = h2 & ~h3 & ~five & ~(three | three << 4 | three << 8)


cdef inline ranks_t below(int rank) noexcept nogil:
    return all_ranks() & ((<uint64_t>1 << (4 * rank)) - 1)


cdef inline int high_rank(ranks_t ranks) noexcept nogil:
    return (63 - high_zeros(ranks)) >> 2 if ranks else -1


cdef inline bint has_rocket(solver_t* s, cards_t cards) noexcept nogil:
    return (cards >> (4 * RANK_BLACK)) == (s.rules.rocket >> (4 * RANK_BLACK))


cdef inline int bombs_in(solver_t* s, cards_t cards) noexcept nogil:
    """Ranks that are bombs, and the rocket."""
    return n_ranks(held(cards, 4)) + has_rocket(s, cards)


cdef inline int wild_cards(solver_t* s, cards_t cards) noexcept nogil:
    """Cards in bombs and the rocket."""
    cdef int n = n_cards(cards & held(cards, 4) * 15)
    if has_rocket(s, cards):
        n += n_cards(s.rules.rocket)
    return n


cdef inline bint enemies(solver_t* s, int seat, int other) noexcept nogil:
    return (seat == s.landlord) != (other == s.landlord)


cdef inline int last_enemy(solver_t* s, int seat) noexcept nogil:
    """The one that speaks last before the seat."""
    cdef int enemy = before(s, seat)
    while not enemies(s, seat, enemy):
        enemy = before(s, enemy)
    return enemy


cdef inline int highest_start(solver_t* s, const state_t* st, int seat, int unit, int length,
                              int size) noexcept nogil:
    """Of the enemies' groups of this shape; -1 for none."""
    cdef int top = -1
    cdef int e
    if size == unit:            # no chain, and no kickers for which a hand may be too small
        return rivals_of(s, seat).top[unit]
    for e in range(s.n_seats):
        if enemies(s, seat, e) and s.briefs[e].n >= size:
            if length == 1:
                top = max(top, s.briefs[e].top[unit])
            else:
                top = max(top, top_start(st.hands[e], unit, length))
    return top


cdef inline void count_shape(outlook_t* out, int kind, int size, cards_t starts, int top,
                             bint wild_enemy, int asked) noexcept nogil:
    """Adds the groups of one shape, which start at these ranks; the enemies' highest one starts at
    `top`. `asked`: where the play to be answered starts; RANK_RED if that has another shape."""
    cdef cards_t beaten = starts & below(max(top, 0)) * 15
    cdef cards_t strong = starts & above(top) * 15
    cdef cards_t free = 0
    cdef cards_t answers = starts & above(asked) * 15
    cdef int hoped_lost = n_cards(beaten)
    cdef int hoped_strong = n_cards(strong)
    cdef int uncovered
    if wild_enemy:
        beaten = starts
        strong = 0
    else:
        free = starts - beaten - strong
    out.hoped += max(0, hoped_lost - hoped_strong)
    uncovered = n_cards(beaten)
    out.contested += uncovered * size
    uncovered -= n_cards(strong)
    if uncovered > 0:
        out.loose += uncovered
        out.biggest = max(out.biggest, size)
    if kind > PAIR:
        out.others += n_cards(starts)
        out.others_beaten += hoped_lost
    else:
        out.groups[kind] = n_cards(starts)
        out.beaten[kind] = hoped_lost
        out.strong[kind] = hoped_strong
        out.lowest[kind] = rank_of(starts)
        if strong == 0:
            out.cheap[kind] = high_rank(starts) if free else -1
        elif uncovered < 0:
            out.cheap[kind] = high_rank(starts)
        else:
            out.dear[kind] = high_rank(starts)
            out.cheap[kind] = high_rank(starts ^ strong)
    if answers == 0:
        return
    if answers & free or (answers & beaten and strong):
        out.answer_cost = 0
    elif answers & strong:
        # A strong group that is not needed is as good as a free one.
        out.answer_cost = min(out.answer_cost, 1 if uncovered >= 0 else 0)
    else:
        out.answer_cost = min(out.answer_cost, 8)


cdef void look(solver_t* s, const state_t* st, int seat, const hand_info_t* info, uint64_t last,
               outlook_t* out) noexcept nogil:
    """What a seat may hope for that plays the groups of its split, on a lead or (last) on a play.

    A group is won if the enemies hold nothing that beats it, and lost otherwise. A group that they
    hold nothing to match, let alone beat, wins a lost one of its shape back, and an unbeatable bomb
    or rocket wins any. Enemies' hands only shrink, so all this stays true while the seat keeps the
    lead. It goes out if at most one lost group is not won back, which it plays last; provided
    that no enemy can go out on the lost ones before.
    """
    cdef int i, e, kind, length, size
    cdef bint wild_enemy = rivals_of(s, seat).wild
    cdef bint lost, equal
    cdef uint64_t meta
    cdef uint16_t code
    cdef cards_t starts
    cdef int last_start = main_rank(last) + 1 - length_of(last)
    cdef uint16_t last_code = group_code(last) & ~(15 << 5)
    out.turns = info.turns
    out.hoped = 0
    out.loose = 0
    out.wild = 0
    out.contested = 0
    out.biggest = 0
    out.answer_cost = 9
    out.others = 0
    out.others_beaten = 0
    for kind in range(SINGLE, PAIR + 1):
        out.cheap[kind] = -1
        out.dear[kind] = -1
        starts = info.ones if kind == SINGLE else info.twos
        if starts:
            count_shape(out, kind, kind, starts, rivals_of(s, seat).top[kind], wild_enemy,
                        last_start if kind_of(last) == kind else RANK_RED)
        else:
            out.groups[kind] = 0
            out.beaten[kind] = 0
            out.strong[kind] = 0
            out.lowest[kind] = N_RANKS
    i = 0
    while i < info.n_others:
        code = info.others[i]
        meta = group_meta(code)
        kind = kind_of(meta)
        size = size_of(meta)
        i += 1
        if kind == BOMB or kind == ROCKET:
            lost = False
            equal = False
            for e in range(s.n_seats):
                if enemies(s, seat, e):
                    lost |= can_beat(s, st.hands[e], meta)
                    equal |= kind == BOMB and count_of(st.hands[e], main_rank(meta)) >= size
            if lost:
                out.loose += 1
                out.hoped += 1
                out.contested += size
                out.biggest = max(out.biggest, size)
            elif equal:
                # One that an enemy's equal bomb only ties wins nothing back from that bomb.
                if last and beats(meta, last):
                    out.answer_cost = 0
            else:
                out.wild += 1
                if last and beats(meta, last):
                    out.answer_cost = min(out.answer_cost, 1)
            continue
        length = length_of(meta)
        code &= ~(15 << 5)
        starts = <cards_t>1 << (4 * (main_rank(meta) + 1 - length))
        while i < info.n_others and info.others[i] & ~(15 << 5) == code:
            starts += <cards_t>1 << (4 * ((info.others[i] >> 5 & 15) + 1 - length))
            i += 1
        count_shape(out, kind, size, starts,
                    highest_start(s, st, seat, shape(kind).unit, length, size), wild_enemy,
                    last_start if code == last_code else RANK_RED)
    out.contested -= out.biggest
    out.answers = False
    if last:
        if out.answer_cost == 8 and out.wild:
            out.answer_cost = 0
        if out.answer_cost < 8:
            out.answers = True
            out.loose += out.answer_cost
    out.loose -= out.wild
    out.hoped -= out.wild
    if wild_enemy:
        for e in range(s.n_seats):
            if enemies(s, seat, e):
                out.hoped += bombs_in(s, st.hands[e])
    if info.turns == UNBOUNDED:
        out.loose = UNBOUNDED


cdef inline bint keep(solver_t* s, const state_t* st, int seat, int contested) noexcept nogil:
    """Whether no enemy is out before the seat if it gets rid of so many cards on the way, and bombs."""
    cdef int e
    if contested == 0:
        return True
    for e in range(s.n_seats):
        if enemies(s, seat, e) and n_cards(st.hands[e]) <= contested + wild_cards(s, st.hands[e]) + (
                s.target if e != s.landlord else 0):
            return False
    return True


cdef inline bint goes_out(solver_t* s, const state_t* st, int seat, const outlook_t* view,
                          bint follows) noexcept nogil:
    """Whether the seat wins by its split."""
    return view.loose <= 1 and (view.answers or not follows) and keep(s, st, seat, view.contested)


cdef inline int split_answer(const outlook_t* view, int n) noexcept nogil:
    """The highest single (n = 1) or pair of its split that a seat may answer with to go out on a lead
    later, if no more than one group is lost; -1 for none."""
    return max(view.cheap[n], view.dear[n]) if view.loose <= 0 else view.cheap[n]


cdef inline int shows(ranks_t ones, ranks_t twos, int carriers) noexcept nogil:
    """How many low singles a seat shows, the last play counted as one: of ranks that it holds once and
    twice, as many as can go along with its triples and quads left out. A pair is two singles, but for
    the last play."""
    cdef int n = n_ranks(twos)
    cdef int n_ones = n_ranks(ones)
    if carriers > n:
        return n_ones - (carriers - n)
    n -= carriers
    return n_ones + (2 * n - 1 if n else 0)


cdef inline int exposures(const brief_t* brief, int single, int pair) noexcept nogil:
    """At least so many singles lower than `single` does the hand show, whatever its split, if it plays
    no pair lower than `pair` before its last play: what is in no chain and finds no triple or quad."""
    cdef ranks_t twos = brief.bare_twos & below(pair) & below(single) if pair >= 0 else 0
    return shows(brief.bare_ones & below(single), twos, brief.carriers)


cdef int exposures_at(cards_t cards, int single, int pair, int least, int first,
                      int* choices) noexcept nogil:
    """The same more exactly, or no more than `least`: what each choice of straights leaves, of those that
    start at rank `first` or higher; `least` if there are more than so many choices."""
    cdef ranks_t h1 = held(cards, 1)
    cdef ranks_t h2 = held(cards, 2)
    cdef ranks_t h3 = held(cards, 3)
    cdef ranks_t run = runs(h2 & chain_ranks(), 3)
    cdef ranks_t twos = 0
    cdef int length = 5
    cdef int n, start
    choices[0] -= 1
    if choices[0] < 0:
        return least
    if pair >= 0:
        twos = h2 & ~h3 & ~(run | run << 4 | run << 8) & below(pair) & below(single)
    n = shows(h1 & ~h2 & below(single), twos,
              n_ranks(h3) + n_ranks(held(cards, 4)) + n_ranks(held(cards, 6)) + n_ranks(held(cards, 8)))
    h1 &= chain_ranks()
    run = runs(h1, 5) & above(first - 1)
    while run and n > least:
        while run:
            start = rank_of(run)
            run &= run - 1
            n = min(n, exposures_at(cards - (run_of(length) << (4 * start)), single, pair, least, start,
                                    choices))
        length += 1
        run = runs(h1, length) & above(first - 1)
    return n


cdef int needed_on_lead(solver_t* s, const state_t* st, int seat, cards_t cards) noexcept nogil:
    """How many cards more than nothing the enemies must keep for the seat to go out on a lead with
    these cards, whatever else they throw away before; -1 if it may not go out."""
    cdef const hand_info_t* info
    cdef outlook_t view
    if cards == 0:
        return 0
    info = info_of(s, cards)
    if info.turns == UNBOUNDED:
        return -1
    if info.turns == 1:
        return 0
    look(s, st, seat, info, 0, &view)
    return view.contested if view.loose <= 1 else -1


cdef bint tops(solver_t* s, const state_t* st) noexcept nogil:
    """Whether the seat to move wins by a single or pair that nobody beats, out of whatever group."""
    cdef int seat = st.turn
    cdef int n, top, need
    cdef ranks_t ranks
    cdef cards_t unit
    if rivals_of(s, seat).wild:
        return False
    for n in range(SINGLE, PAIR + 1):
        if st.last and kind_of(st.last) != n:
            continue
        top = max(main_rank(st.last) if st.last else -1, rivals_of(s, seat).top[n] - 1)
        ranks = held(loose_cards(s.rules, st.hands[seat]), n) & above(top)
        while ranks:
            unit = ranks & (0 - ranks)
            ranks ^= unit
            need = needed_on_lead(s, st, seat, st.hands[seat] - n * unit)
            if need >= 0 and keep(s, st, seat, need):
                return True
    return False


cdef bint feeds(solver_t* s, const state_t* st) noexcept nogil:
    """Whether the peasant to move lets a partner win: it plays a single or pair, now or on the lead after
    a trick won by one that the landlord cannot beat, and the partner takes that with one that he
    cannot beat either, to go out on a lead. `guess` has looked at all seats."""
    cdef const rivals_t* landlord = rivals_of(s, st.turn)
    cdef const outlook_t* view
    cdef cards_t cards = loose_cards(s.rules, st.hands[st.turn])
    cdef cards_t later = 0      # what the peasant leads from
    cdef ranks_t ranks
    cdef int kind = kind_of(st.last)
    cdef int asked = main_rank(st.last) if st.last else -1
    cdef int partner = after(s, st.turn)
    cdef int n, taken
    cdef bint between = False   # he speaks before the partner
    if kind == PASS:
        later = cards
    elif kind <= PAIR:
        ranks = held(cards, kind) & above(max(asked, landlord.top[kind] - 1))
        if ranks:
            later = cards - (<cards_t>kind << (4 * high_rank(ranks)))
    while partner != st.turn:
        view = &s.views[partner]
        if partner == s.landlord:
            between = True
        elif view.loose <= 1:
            for n in range(SINGLE, PAIR + 1):
                taken = split_answer(view, n)
                if taken < 0 or taken < landlord.top[n] + between:
                    continue
                if s.briefs[s.landlord].n - view.contested <= (n if between else 0):
                    continue
                if held(later, n) & below(taken) or (kind == n and held(cards, n) & below(taken) & above(asked)):
                    return True
        partner = after(s, partner)
    return False


cdef int takes(solver_t* s, const state_t* st, int seat, int single) noexcept nogil:
    """How often the enemy after the seat can at most take a trick from its partners, of whose plays no
    single below `single` gets past the seat."""
    cdef int first = after(s, seat)
    cdef cards_t hand = st.hands[first]
    cdef cards_t theirs
    cdef ranks_t h1 = 0
    cdef ranks_t h2 = 0
    cdef ranks_t h3 = 0
    cdef bint straights = False
    cdef bint pair_runs = False
    cdef int n1 = 0
    cdef int partner = after(s, first)
    cdef int n
    while partner != seat:
        theirs = st.hands[partner]
        n1 += n_cards(theirs & above(single - 1) * 15)
        h1 |= held(theirs, 1) & above(single - 1)
        h2 |= held(theirs, 2)
        h3 |= held(theirs, 3)
        straights |= s.briefs[partner].straights
        pair_runs |= s.briefs[partner].pair_runs
        partner = after(s, partner)
    if (straights and s.briefs[first].straights) or (pair_runs and s.briefs[first].pair_runs):
        return UNBOUNDED
    n = s.briefs[first].wild_plays
    if h1:
        n += min(n1, n_cards(hand & above(rank_of(h1)) * 15))
    if h2:
        n += n_cards(hand & (held(hand, 2) & above(rank_of(h2))) * 15) >> 1
    if h3:
        n += n_cards(hand & (held(hand, 3) & above(rank_of(h3))) * 15) // 3
    return n


cdef inline int beaters(const brief_t* brief, int rank) noexcept nogil:
    """How many singles of this rank the hand can beat at most."""
    return n_cards(brief.cards & above(rank) * 15) + brief.wild_plays


cdef inline int beating(solver_t* s, const state_t* st, int seat, int rank) noexcept nogil:
    """The same for all enemies of a seat."""
    cdef int enemy
    cdef int n = 0
    for enemy in range(s.n_seats):
        if enemies(s, seat, enemy):
            n += beaters(&s.briefs[enemy], rank)
    return n


cdef inline bint leads_yet(solver_t* s, const state_t* st, int seat) noexcept nogil:
    """Whether the seat leads, or may win what is on the table."""
    if st.last == 0:
        return st.turn == seat
    return st.owner == seat or can_beat(s, st.hands[seat], st.last)


cdef bint exposed(solver_t* s, const state_t* st, int seat, int single, int pair, int reserve,
                  int need, int own, bint beaten) noexcept nogil:
    """Whether every enemy shows singles below `single`, or pairs below `pair`, too often: once more
    than `reserve` times, not counting what partners cover, before it is down to `need` cards. `own`:
    so many singles of the seat, none below `single`, may be beaten. `beaten`: the reserve is the number
    of enemies' cards that beat them, which cannot cover as well."""
    cdef int covers = 0
    cdef int enemy = seat
    cdef int low = min(single, pair) if pair >= 0 else single
    cdef int shown, most, taken, leads, spare, choices
    # Enemies in the order in which they speak before the seat, the last one first.
    while True:
        enemy = before(s, enemy)
        if enemy == seat:
            return True
        if not enemies(s, seat, enemy):
            continue
        spare = 2 + (s.target if enemy != s.landlord else 0)
        shown = exposures(&s.briefs[enemy], single, pair) - spare
        most = covers + reserve + need
        if shown < most and s.briefs[enemy].straights:
            choices = MOST_CHOICES
            shown = exposures_at(st.hands[enemy], single, pair, shown + spare, 0, &choices) - spare
        if shown < most and enemy == after(s, seat) and seat == s.landlord:
            # It shows them on leads only.
            taken = takes(s, st, seat, low)
            if own >= 0:
                leads = taken + min(own, beaters(&s.briefs[enemy], single)) + leads_yet(s, st, enemy)
                if need == 0 and (leads == 0 or shown + 2 > leads):
                    most = shown
            # A pair that is covered stands for two singles.
            most = min(most, min(covers, 2 * taken if pair >= 0 else taken) + reserve + need)
            if beaten:
                most = min(most, covers + beaters(&s.briefs[enemy], single) + need)
        if shown < most:
            return False
        covers += beaters(&s.briefs[enemy], low - 1)
        if pair >= 0:
            covers += s.briefs[enemy].wild_plays


cdef int best_answer(solver_t* s, const state_t* st, int seat, int n, int* need) noexcept nogil:
    """The highest single or pair that no enemy beats and after which the seat goes out on a lead; -1 for
    none. `need`: how many cards more than nothing the enemies must keep."""
    cdef cards_t cards = st.hands[seat]
    cdef ranks_t ranks = held(loose_cards(s.rules, cards), n)
    cdef int rank
    if n_cards(cards) == n:
        need[0] = 0
        return high_rank(ranks)
    if rivals_of(s, seat).wild:
        return -1
    ranks &= above(max(rivals_of(s, seat).top[n], 0) - 1)
    while ranks:
        rank = high_rank(ranks)
        ranks ^= <ranks_t>1 << (4 * rank)
        need[0] = needed_on_lead(s, st, seat, cards - (<cards_t>n << (4 * rank)))
        if need[0] >= 0:
            return rank
    return -1


cdef bint answers_out(solver_t* s, const state_t* st, int seat, cards_t cards, bint plays) noexcept nogil:
    """Whether the seat goes out with these cards by answering low singles, one card each.

    Each answer that is not beaten gives it the lead, and then it leads on. So it needs as many low
    singles as it has cards, or one more than the enemies have cards that beat one of them. If they
    have none, the cards of its lowest rank may be its last play. `plays`: its first play is now.
    """
    cdef int n = n_cards(cards)
    cdef int rank, count
    cdef int enemy
    cdef ranks_t ranks = held(cards, 1)
    if n == 0:
        return True
    rank = rank_of(ranks)
    if not plays and (seat != s.landlord or s.n_seats > 2):
        # The enemy that nobody covers for must hold two low singles, below the second rank at most.
        enemy = last_enemy(s, seat)
        ranks &= ranks - 1
        ranks = below(rank_of(ranks) if ranks else rank)
        if n_ranks(held(st.hands[enemy], 1) & ~held(st.hands[enemy], 2) & ranks) < 2:
            return False
    count = min(n - 1, beating(s, st, seat, rank))
    if count < plays:
        return True
    if count <= MOST_WAITS and exposed(s, st, seat, rank, -1, count - plays, 0, n, count < n - 1):
        return True
    cards &= ~(<uint64_t>15 << (4 * rank))
    if cards == 0:
        return False
    rank = rank_of(held(cards, 1))
    if beating(s, st, seat, rank):
        return False
    return plays or exposed(s, st, seat, rank, -1, 0, 0, 0, False)


cdef bint answers_now(solver_t* s, const state_t* st, int seat, cards_t cards) noexcept nogil:
    """The same for a seat that plays a single or a pair now."""
    cdef int kind = kind_of(st.last)
    cdef int n
    cdef ranks_t ranks
    cdef state_t next
    for n in range(SINGLE, PAIR + 1):
        if kind != PASS and kind != n:
            continue
        ranks = held(cards, n)
        if kind != PASS:
            ranks &= above(main_rank(st.last))
        if ranks == 0:
            continue
        if n == SINGLE and answers_out(s, st, seat, cards, True):
            return True
        next = st[0]
        next.owner = seat
        next.last = meta_of(n, rank_of(ranks), 1, n)
        if answers_out(s, &next, seat, cards - n * (ranks & (0 - ranks)), False):
            return True
    return False


cdef int needed_without(solver_t* s, const state_t* st, int seat, cards_t cards, int rank) noexcept nogil:
    """The same when the enemies have no cards above the rank left, and no bombs."""
    cdef state_t later = st[0]
    cdef int enemy, need
    for enemy in range(s.n_seats):
        if enemies(s, seat, enemy):
            later.hands[enemy] &= ~(above(rank) * 15 | held(later.hands[enemy], 4) * 15)
    note_briefs(s, &later)
    need = needed_on_lead(s, &later, seat, cards)
    note_briefs(s, st)
    return need


cdef int needed_later(solver_t* s, const state_t* st, int seat, cards_t cards, int rank,
                      bint gone) noexcept nogil:
    """`needed_on_lead`; `gone`: all that beats a single of this rank is gone by then."""
    cdef int need = needed_on_lead(s, st, seat, cards)
    return needed_without(s, st, seat, cards, rank) if need < 0 and gone else need


cdef bint answers_high(solver_t* s, const state_t* st, int seat, cards_t cards) noexcept nogil:
    """Whether the seat wins by answering low singles with its highest cards, one after the other: the
    enemies cannot beat them all, and after each that they do not beat it goes out on a lead. Or the
    same while any low pair is answered with one that nobody beats."""
    cdef cards_t rest = cards
    cdef ranks_t ranks
    cdef int answers = 0
    cdef int need = 0
    cdef int lowest_pair = N_RANKS
    cdef int k, single, pair, more
    cdef bint enough, gone
    while True:
        ranks = held(loose_cards(s.rules, rest), 1)
        if answers == MOST_WAITS or ranks == 0:
            return False
        single = high_rank(ranks)
        rest -= <cards_t>1 << (4 * single)
        enough = beating(s, st, seat, single) <= answers
        answers += 1
        if enough or rest == 0:
            break
    if answers == 1 or not exposed(s, st, seat, single, single, answers - 1, 0, -1, enough) and not exposed(
            s, st, seat, single, -1, answers - 1, 0, answers - 1, enough):
        return False
    for k in range(answers):
        single = high_rank(held(loose_cards(s.rules, cards), 1))
        gone = k > 0 and beating(s, st, seat, single) <= k
        if lowest_pair >= 0:
            ranks = held(loose_cards(s.rules, cards), 2)
            pair = high_rank(ranks) if ranks else -1
            if pair >= rivals_of(s, seat).top[2] and pair >= 0 and not rivals_of(s, seat).wild:
                more = 0
                if n_cards(cards) > 2:
                    more = needed_later(s, st, seat, cards - (<cards_t>2 << (4 * pair)), single, gone)
                lowest_pair = min(lowest_pair, pair) if more >= 0 else -1
                need = max(need, more)
            else:
                lowest_pair = -1
        cards -= <cards_t>1 << (4 * single)
        if cards == 0:
            break
        more = needed_later(s, st, seat, cards, single, gone)
        if more < 0:
            return False
        need = max(need, more)
    return exposed(s, st, seat, single, -1, answers - 1, need, answers - 1, enough) or (
        lowest_pair >= 0 and exposed(s, st, seat, single, lowest_pair, answers - 1, need, -1, enough))


cdef bint lurks(solver_t* s, const state_t* st, int seat, const outlook_t* view) noexcept nogil:
    """Whether the seat's side wins because the seat needs only to wait.

    It goes out on a lead, and as well when it answers a low single (or a low pair). An enemy who wants
    to go out shows such a low one more often than once, more often than partners who speak in
    between could cover.
    """
    cdef cards_t cards = st.hands[seat]
    cdef int single, pair, reserve, more, last
    # Where more groups are lost, what follows hardly ever says yes.
    if view.loose > (4 if st.turn == seat else 3):
        return False
    if st.turn != seat and (seat != s.landlord or s.n_seats > 2):
        # The enemy that nobody covers for must show two low ones at least.
        last = last_enemy(s, seat)
        single = s.briefs[seat].top[1]
        if not s.briefs[last].straights and exposures(&s.briefs[last], single, single) < 2:
            return False
    if view.loose <= 1:
        single = split_answer(view, SINGLE)
        pair = split_answer(view, PAIR)
        if single >= 0 and exposed(s, st, seat, single, pair, 0, view.contested, -1, False):
            return True
    # Whatever it holds, it goes out as well on so many low singles as it has cards.
    if n_cards(cards) <= MOST_ANSWERS and loose_cards(s.rules, cards) == cards:
        if answers_out(s, st, seat, cards, False):
            return True
        if st.turn == seat and answers_now(s, st, seat, cards):
            return True
    # As rarely with two lost groups and few cards, and the next rule with two lost groups or few cards.
    if view.loose > 2 or (view.loose == 2 and n_cards(cards) <= 3):
        return False
    if view.loose <= 1 and n_cards(cards) > 3 and answers_high(s, st, seat, cards):
        return True
    # The highest single that nobody beats, whatever group it is in, but for quads that stay together.
    single = high_rank(held(loose_cards(s.rules, cards), 1))
    pair = high_rank(held(loose_cards(s.rules, cards), 2))
    if single < 0 or not exposed(s, st, seat, single, pair, 0, 0, -1, False):
        return False
    single = best_answer(s, st, seat, SINGLE, &reserve)
    if single < 0:
        return False
    if exposed(s, st, seat, single, -1, 0, reserve, -1, False):
        return True
    if pair < 0:
        return False
    pair = best_answer(s, st, seat, PAIR, &more)
    return pair >= 0 and exposed(s, st, seat, single, pair, 0, max(reserve, more), -1, False)


cdef inline bint wins(bint landlord, int pn, int dn) noexcept nogil:
    return (pn if landlord else dn) == 0


cdef inline void decide(bint landlord_wins, uint16_t* pn, uint16_t* dn) noexcept nogil:
    pn[0] = 0 if landlord_wins else INFINITE
    dn[0] = INFINITE if landlord_wins else 0


cdef void guess(solver_t* s, const state_t* st, uint16_t* pn, uint16_t* dn) noexcept nogil:
    """Proof numbers of a state not searched yet: decided if no search is needed, else a distance, and
    the views of all seats.

    The distance is that of a side's best seat: the groups that it cannot hope to win back, and who
    is to move.
    """
    cdef outlook_t* views = s.views
    cdef hand_info_t* info
    cdef int seat = st.turn
    cdef int landlord = 0
    cdef int peasants = LARGEST
    cdef int step, value
    cdef bint by_landlord = st.turn == s.landlord
    cdef bint speaks = True
    if s.points and not s.switches & NO_STATIC and out_of_reach(s, st):
        decide(s.goal <= 0, pn, dn)
        return
    note_briefs(s, st)
    for step in range(s.n_seats):
        info = info_of(s, st.hands[seat])
        # Besides the seat to move, partners who speak right after it: those before may pass.
        speaks = step == 0 or (speaks and not (
            by_landlord or st.last == 0 or seat == st.owner or seat == s.landlord))
        look(s, st, seat, info, st.last if speaks else 0, &views[seat])
        if speaks and not s.switches & NO_STATIC and settles(s, st.doublings, by_landlord):
            if goes_out(s, st, seat, &views[seat], st.last != 0) or (
                    info.turns == 1 and (st.last == 0 or beats(only_group(info), st.last))):
                decide(by_landlord, pn, dn)
                return
        value = 4 * views[seat].hoped
        if st.last:
            value += 3 if step == 0 else 6
        elif step:
            value += 3 if seat != s.landlord and not by_landlord else 6
        if seat == s.landlord:
            landlord = value
        else:
            peasants = min(peasants, value)
        seat = after(s, seat)
    if not s.switches & NO_STATIC and settles(s, st.doublings, by_landlord) and (
            views[st.turn].loose <= 2 and tops(s, st)):
        decide(by_landlord, pn, dn)
        return
    if not s.switches & NO_STATIC and not by_landlord and s.n_seats > 2 and settles(
            s, st.doublings, False) and feeds(s, st):
        decide(False, pn, dn)
        return
    if not s.switches & NO_WAITING:
        for seat in range(s.n_seats):
            if settles(s, st.doublings, seat == s.landlord) and lurks(s, st, seat, &views[seat]):
                decide(seat == s.landlord, pn, dn)
                return
    if not s.switches & NO_DOMINANCE:
        profile(s, st)
        value = settled(s, st, &s.profile)
        if value:
            decide(value > 0, pn, dn)
            return
    if s.switches & NO_HEURISTIC:
        landlord = 0
        peasants = 0
    pn[0] = max(1, 1 + landlord)
    dn[0] = max(1, 1 + peasants)


# ---- order of moves -----------------------------------------------------------------------------
#
# Moves are ordered by what they leave, judged by a small network fitted to positions solved before.
# It says which move is searched first, never what counts as proved.


cdef inline int situation(solver_t* s, const state_t* st) noexcept nogil:
    """Which of the networks: for who moves (the landlord or one of two; a peasant with another one or
    the landlord behind it), and whether on a lead, an enemy's play or a partner's."""
    if st.turn == s.landlord or s.n_seats == 2:
        return 1 if st.last else 0
    return (5 if after(s, st.turn) == s.landlord else 2) + (
        0 if st.last == 0 else 1 if st.owner == s.landlord else 2)


cdef void note_facts(solver_t* s, const state_t* st, const state_t* next, const child_t* c,
                     int pn, int dn, int16_t* f) noexcept nogil:
    """What a move is judged by. `guess` has just looked at `next`, what it leaves, and found the numbers."""
    cdef int kind = kind_of(c.meta)
    cdef int rank = main_rank(c.meta)
    cdef int unit = max(1, shape(kind).unit)
    cdef int first = after(s, st.turn)
    cdef int last = before(s, st.turn)
    cdef int i, seat
    cdef bint lead = next.last == 0
    cdef const outlook_t* view
    # The mover, the seat after it and the one before it.
    for i in range(3):
        seat = st.turn if i == 0 else first if i == 1 else last
        view = &s.views[seat]
        f[0] = view.hoped
        f[1] = min(view.loose, MOST_LOOSE)
        f[2] = view.turns
        f[3] = view.contested
        f[4] = s.briefs[seat].n
        f[5] = view.wild
        f[6] = view.answers
        f[7] = view.groups[1]
        f[8] = view.beaten[1]
        f[9] = view.strong[1]
        f[10] = view.lowest[1]
        f[11] = view.groups[2]
        f[12] = view.beaten[2]
        f[13] = view.strong[2]
        f[14] = view.lowest[2]
        f[15] = view.others
        f[16] = view.others_beaten
        f[17] = s.briefs[seat].top[1]
        f[18] = s.briefs[seat].top[2]
        f[19] = s.briefs[seat].top[3]
        f[20] = bombs_in(s, next.hands[seat])
        f[21] = n_ranks(held(next.hands[seat], unit) & above(rank)) if c.cards else 0
        f += FACTS_OF_SEAT
    f[0] = next.turn == st.turn
    f[1] = lead and next.turn == first
    f[2] = lead and next.turn == last
    f[3] = not lead and next.turn == first
    f[4] = not lead and next.turn == last
    f[5] = next.owner == first
    f[6] = main_rank(next.last) if not lead else -1
    f[7] = pn
    f[8] = dn
    f[9] = c.cards == 0
    f[10] = kind == SINGLE
    f[11] = kind == PAIR
    f[12] = kind == BOMB or kind == ROCKET
    f[13] = shape(kind).kickers
    f[14] = rank
    f[15] = size_of(c.meta)
    f[16] = length_of(c.meta)
    f[17] = c.cards and (f - FACTS_OF_SEAT)[21] + (f - 2 * FACTS_OF_SEAT)[21] == 0
    memset(f + 18, 0, (N_FACTS - 3 * FACTS_OF_SEAT - 18) * sizeof(int16_t))


# ---- search -------------------------------------------------------------------------------------


cdef bint make_room(solver_t* s, const state_t* st) noexcept nogil:
    """Room for the moves of this state; one pack has at most MAX_MOVES_ONE_PACK."""
    cdef size_t n = 1024
    cdef size_t size
    cdef void* grown
    if s.rules.max_bomb > 4:
        n = count_moves(s.rules, st.hands[st.turn], st.last)
    if n > s.n_moves:
        grown = realloc(s.moves, n * sizeof(move_t))
        if grown == NULL:
            s.stopped = OUT_OF_MEMORY
            return False
        s.moves = <move_t*>grown
        s.n_moves = n
    if s.pool_top + n > s.pool_size:
        size = 2 * s.pool_size + n
        grown = realloc(s.pool, size * sizeof(child_t))
        if grown == NULL:
            s.stopped = OUT_OF_MEMORY
            return False
        s.pool = <child_t*>grown
        s.pool_size = size
    return True


cdef int check(solver_t* s) noexcept nogil:
    if s.cancel[0]:
        s.stopped = INTERRUPTED
    elif s.deadline > 0 and now() >= s.deadline:
        s.stopped = OUT_OF_TIME
    elif s.signals:
        with gil:
            try:
                PyErr_CheckSignals()
            except BaseException as error:
                (<Search>s.face).error = error
                s.stopped = INTERRUPTED
    return s.stopped


cdef inline void child_state(solver_t* s, const state_t* st, const child_t* c, state_t* out) noexcept nogil:
    out[0] = st[0]
    out.hands[st.turn] -= c.cards
    out.lo = c.lo
    out.hi = c.hi
    out.last = c.last
    out.turn = c.turn
    out.owner = c.owner
    out.doublings = c.doublings
    out.flags = c.flags


cdef inline killers_t* killers_of(solver_t* s, const state_t* st) noexcept nogil:
    cdef uint64_t z = st.last * <uint64_t>0xD6E8FEB86659FD93 + st.turn
    z = (z ^ (z >> 31)) * <uint64_t>0x9E3779B97F4A7C15 + st.hands[st.turn]
    z = (z ^ (z >> 29)) * <uint64_t>0xBF58476D1CE4E5B9
    return &s.killers[(z ^ (z >> 32)) & s.aid_mask]


cdef inline bint wasteful(solver_t* s, const state_t* st, const move_t* m) noexcept nogil:
    """Whether a lower kicker would leave a hand that is no worse.

    The lower one, a, is held once (or as one pair), in no run of what is left, and takes the place
    of a kicker b, of which one or two more may be left. Whatever a could do in the rest, b can.
    """
    cdef int kind = kind_of(m.meta)
    cdef int group = shape(kind).group
    cdef ranks_t main, kickers, spare, partners, low, high
    cdef cards_t hand = st.hands[st.turn]
    cdef cards_t rest
    cdef int seat
    if group == 0:
        return False
    main = main_ranks_of(m.meta)
    rest = hand - m.cards
    spare = held(rest, group) & ~held(rest, group + 1) & ~held(hand, group + 1) & ~in_runs(rest)
    spare &= ~(main | black_joker() | red_joker())
    if spare == 0:
        return False
    kickers = held(m.cards - main * shape(kind).unit, 1) & ~(black_joker() | red_joker())
    if s.rules.airplane_cap >= 2 and s.rules.quad_cap >= 2 and not (
            runs(held(hand, 3) & chain_ranks(), 3) | runs(held(hand, 4) & chain_ranks(), 2)):
        kickers &= ~held(rest, 4 - group)
    else:
        kickers &= ~held(rest, 1)
    if st.turn == s.landlord or s.n_seats == 2:
        return kickers > spare & (0 - spare)
    # No partner may hold a card above a that is no higher than b.
    partners = 0
    for seat in range(s.n_seats):
        if seat != st.turn and seat != s.landlord:
            partners |= held(st.hands[seat], 1)
    while kickers:
        low = (kickers & (0 - kickers))
        kickers ^= low
        if spare & (low - 1):
            high = <ranks_t>1 << (63 - high_zeros(spare & (low - 1)))
            if partners & ((low << 1) - 1) & ~((high << 1) - 1) == 0:
                return True
    return False


cdef bint expand(solver_t* s, const state_t* st, size_t base) noexcept nogil:
    """Fills the pool with the moves from `base` on; True if one is known to decide for the side to move."""
    cdef move_t* m
    cdef move_t* end
    cdef child_t* c
    cdef child_t* first         # the moves since then are like the latest one
    cdef child_t* rival
    cdef bint worse
    cdef cards_t rest
    cdef profile_t q
    cdef state_t next
    cdef cards_t cards = st.hands[st.turn]
    cdef size_t i
    cdef bint by_landlord = st.turn == s.landlord
    end = generate(s.rules, cards, st.last, s.moves)
    m = s.moves
    c = &s.pool[base]
    first = c
    while m != end:
        if m.cards and at_goal(s, st.turn, cards - m.cards):
            c.pn = 0 if wins_at_once(s, st, m) else INFINITE
            c.dn = INFINITE - c.pn
            c.cards = m.cards
            c.meta = m.meta
            c.turn = MAX_SEATS
            c.last = 0
            if (c.pn == 0) == by_landlord:
                return True
        elif not s.switches & NO_THRIFT and m.cards and wasteful(s, st, m):
            m += 1
            continue
        else:
            make(s, st, &next, m)
            if m.cards and not s.switches & NO_RIVALS:
                # A move that leaves no better hand than another, all else equal, is left out.
                if c != first and ((c - 1).last != next.last or (c - 1).turn != next.turn
                                   or kind_of((c - 1).meta) != kind_of(m.meta)
                                   or (c - 1).doublings != next.doublings):
                    first = c
                if c != first:
                    note_hand(s, next.hands[st.turn], st.turn, &q)
                    rival = first
                    worse = False
                    while rival != c:
                        rest = cards - rival.cards
                        worse = covers_hand(s, &q, next.hands[st.turn], rest, st.turn, False, st.hands)
                        if worse or covers_hand(
                                s, &q, next.hands[st.turn], rest, st.turn, True, st.hands):
                            break
                        rival += 1
                    if rival != c:
                        if not worse:
                            rival.cards = m.cards
                            rival.meta = m.meta
                            rival.lo = next.lo
                            rival.hi = next.hi
                            prefetch(bucket_of(s, key_of(s, &next), next.hi))
                        m += 1
                        continue
            else:
                first = c + 1
            c.cards = m.cards
            c.meta = m.meta
            c.last = next.last
            c.lo = next.lo
            c.hi = next.hi
            c.turn = next.turn
            c.owner = next.owner
            c.doublings = next.doublings
            c.flags = next.flags
            prefetch(bucket_of(s, key_of(s, &next), next.hi))
        c += 1
        m += 1
    s.pool_top = c - s.pool
    for i in range(base, s.pool_top):
        c = &s.pool[i]
        if c.turn == MAX_SEATS:
            continue
        child_state(s, st, c, &next)
        if not look_up(s, key_of(s, &next), next.hi, &c.pn, &c.dn):
            c.pn = 0
            c.dn = 0
        elif wins(by_landlord, c.pn, c.dn):
            return True
    return False


cdef inline bint decided(const child_t* c) noexcept nogil:
    return c.turn == MAX_SEATS or (c.pn == 0) != (c.dn == 0)


cdef bint seen_to_win(solver_t* s, const state_t* st, child_t* c) noexcept nogil:
    """Looks at a move not decided yet, and notes its numbers if it is now; True if it wins."""
    cdef state_t next
    cdef uint16_t pn, dn
    child_state(s, st, c, &next)
    guess(s, &next, &pn, &dn)
    if pn and dn:
        return False
    c.pn = pn
    c.dn = dn
    return wins(st.turn == s.landlord, pn, dn)


cdef bint recall(solver_t* s, const state_t* st, size_t base, size_t* first) noexcept nogil:
    """Looks at moves that won before; True if one is seen to decide. Most often one wins again, and the
    others need not be looked at: `first` is one to be searched before that is done, else the pool's end."""
    cdef const killers_t* killers = killers_of(s, st)
    cdef child_t* c
    cdef size_t i
    cdef size_t searched = s.pool_top
    cdef size_t at_sight = s.pool_top
    first[0] = s.pool_top
    for i in range(base, s.pool_top):
        c = &s.pool[i]
        if not decided(c):
            if c.cards == ~killers.at_sight:
                at_sight = i
            if c.cards == ~killers.searched:
                searched = i
    if at_sight < s.pool_top and seen_to_win(s, st, &s.pool[at_sight]):
        return True
    if searched < s.pool_top:
        c = &s.pool[searched]
        if searched != at_sight and seen_to_win(s, st, c):
            return True
        if c.pn == 0 and c.dn == 0 and not killers.doubtful:
            first[0] = searched
    return False


cdef inline void judge(int network, child_t** moves, const int16_t* facts, int n) noexcept nogil:
    cdef int i
    for i in range(n):
        moves[i].behind = demerit(network, facts + i * N_FACTS)


cdef bint weigh(solver_t* s, const state_t* st, size_t base) noexcept nogil:
    """First numbers of moves not searched yet, and the order of all; True if one is seen to decide."""
    cdef killers_t* killers = killers_of(s, st)
    cdef bint by_landlord = st.turn == s.landlord
    cdef int least = NONE_OPEN
    cdef int row = situation(s, st)
    cdef int16_t facts[AT_ONCE * N_FACTS]
    cdef child_t* judged[AT_ONCE]
    cdef int n = 0
    cdef bint several = False
    cdef child_t* c
    cdef state_t next
    cdef uint16_t pn, dn
    cdef size_t i
    # Strong plays come late, and the most likely one to decide is among them. Moves are judged only
    # when none decides and there are several.
    for i in range(s.pool_top, base, -1):
        c = &s.pool[i - 1]
        c.behind = 0
        if decided(c):
            continue
        child_state(s, st, c, &next)
        guess(s, &next, &pn, &dn)
        if pn and dn:
            if c.pn == 0:
                c.pn = pn
                c.dn = dn
            if not s.switches & NO_HEURISTIC:
                if n == AT_ONCE:
                    several = True
                    judge(row, judged, facts, n)
                    n = 0
                note_facts(s, st, &next, c, pn, dn, facts + n * N_FACTS)
                judged[n] = c
                n += 1
            continue
        c.pn = pn
        c.dn = dn
        if wins(by_landlord, pn, dn):
            killers.at_sight = ~c.cards
            return True
    if several or n > 1:
        judge(row, judged, facts, n)
    for i in range(base, s.pool_top):
        c = &s.pool[i]
        if c.pn and c.dn:
            least = min(least, c.behind)
    for i in range(base, s.pool_top):
        c = &s.pool[i]
        c.behind = 0 if c.cards == ~killers.searched else c.behind - least
    return False


cdef inline int capped(int x) noexcept nogil:
    return x if x < LARGEST else LARGEST


cdef bint descend(solver_t* s, const state_t* st, size_t i, int good_limit, int bad_limit) noexcept nogil:
    """Searches what a move leaves; True if it wins."""
    cdef bint by_landlord = st.turn == s.landlord
    cdef state_t next
    cdef int pn = 0
    cdef int dn = 0
    child_state(s, st, &s.pool[i], &next)
    if by_landlord:
        visit(s, &next, good_limit, bad_limit, &pn, &dn)
    else:
        visit(s, &next, bad_limit, good_limit, &pn, &dn)
    if s.stopped:
        return False
    s.pool[i].pn = pn
    s.pool[i].dn = dn
    return wins(by_landlord, pn, dn)


cdef bint wins_soon(solver_t* s, const state_t* st, size_t base, int good_limit, int bad_limit) noexcept nogil:
    """Whether a move is known or seen to win, or one that won before does so again after some search."""
    cdef size_t first
    if expand(s, st, base):
        return True
    if not s.switches & NO_HEURISTIC:
        if recall(s, st, base, &first):
            return True
        if first < s.pool_top:
            if descend(s, st, first, min(good_limit, TRUST), bad_limit):
                return True
            if s.stopped:
                return False
            killers_of(s, st).doubtful = True
    return weigh(s, st, base)


cdef void visit(solver_t* s, const state_t* st, int pn_limit, int dn_limit, int* pn, int* dn) noexcept nogil:
    """Searches a state that is not over until one of its numbers reaches its limit; stores them.

    Numbers are seen from the side to move: `good` is the smaller the nearer it is to its goal, `bad`
    to its opponents'.
    """
    cdef size_t base = s.pool_top
    cdef size_t i, best
    cdef child_t* c
    cdef state_t next
    cdef uint64_t start_nodes = s.nodes
    cdef bint by_landlord = st.turn == s.landlord
    cdef int good_limit = pn_limit if by_landlord else dn_limit
    cdef int bad_limit = dn_limit if by_landlord else pn_limit
    cdef int good, first, second, bad, g, b, open_children, good_child, bad_child
    cdef uint16_t found_pn, found_dn
    s.nodes += 1
    if s.nodes >= s.node_limit:
        s.stopped = OUT_OF_NODES
        return
    if s.nodes % NODES_BETWEEN_CHECKS == 0 and check(s):
        return
    if not make_room(s, st):
        return
    if wins_soon(s, st, base, good_limit, bad_limit):
        good = 0
        bad = INFINITE
    elif s.stopped:
        s.pool_top = base
        return
    else:
        while True:
            good = INFINITE
            first = NONE_OPEN
            second = NONE_OPEN
            bad = 0
            open_children = 0
            best = base
            for i in range(base, s.pool_top):
                c = &s.pool[i]
                g = c.pn if by_landlord else c.dn
                b = c.dn if by_landlord else c.pn
                if b == 0:
                    continue
                open_children += 1
                if b > bad:
                    bad = b
                if g == 0:
                    good = 0
                    best = i
                    break
                g += c.behind
                if g < first:
                    second = first
                    first = g
                    good = g - c.behind
                    best = i
                elif g < second:
                    second = g
            if good == 0:
                bad = INFINITE
                killers_of(s, st).searched = ~s.pool[best].cards
                killers_of(s, st).doubtful = False
                break
            if open_children == 0:
                good = INFINITE
                bad = 0
                break
            bad = capped(bad + open_children - 1)
            if good >= good_limit or bad >= bad_limit:
                break
            c = &s.pool[best]
            child_state(s, st, c, &next)
            good_child = good_limit
            if second < NONE_OPEN:
                good_child = min(good_limit, second - c.behind + max(1, second >> 2))
            bad_child = INFINITE if bad_limit == INFINITE else bad_limit - open_children + 1
            if look_up(s, key_of(s, &next), next.hi, &found_pn, &found_dn) and (
                    found_pn != c.pn or found_dn != c.dn):
                c.pn = found_pn
                c.dn = found_dn
                continue
            descend(s, st, best, good_child, bad_child)
            if s.stopped:
                s.pool_top = base
                return
    s.pool_top = base
    pn[0] = good if by_landlord else bad
    dn[0] = bad if by_landlord else good
    store(s, key_of(s, st), st.hi, pn[0], dn[0], s.nodes - start_nodes)
    if good == 0 or bad == 0:
        if not s.switches & NO_DOMINANCE:
            settle_state(s, st, pn[0] == 0)


# ---- plain search -------------------------------------------------------------------------------


cdef int score_of(const rules_t* rules, const position_t* p) noexcept nogil:
    """The landlord's result as a multiple of the base: the multiplier, negative if he lost."""
    cdef int doublings = 0
    cdef int seat
    cdef int plays = 0
    if rules.doubling_bomb != NO_BOMB_DOUBLES:
        doublings = p.doubling_bombs + p.rockets
    if rules.spring != SPRING_NONE:
        if p.winner == p.landlord:
            for seat in range(p.n_seats):
                if seat != p.landlord:
                    plays += p.standing[seat] if rules.spring == SPRING_STANDING else p.plays[seat]
            doublings += plays == 0
        elif rules.spring == SPRING_STANDING:
            doublings += p.standing[p.landlord] == p.opening_stood
        else:
            doublings += p.plays[p.landlord] == 1
    return (1 if p.winner == p.landlord else -1) * (1 << doublings)


cdef int plain(const rules_t* rules, const position_t* p, bint points, int low, int high,
               int64_t* nodes) noexcept nogil:
    """Every move to the end; what it returns is exact if it is between low and high."""
    cdef move_t moves[1024]
    cdef move_t* end
    cdef move_t* m
    cdef position_t child
    cdef int value, best
    cdef bint by_landlord = p.turn == p.landlord
    nodes[0] -= 1
    if p.winner != NOBODY:
        return score_of(rules, p) if points else 1 if p.winner == p.landlord else -1
    if nodes[0] < 0:
        return 0
    end = generate(rules, p.hands[p.turn], p.last.meta, moves)
    best = -(1 << MAX_SCORE_BITS) if by_landlord else 1 << MAX_SCORE_BITS
    m = moves
    while m != end:
        child = p[0]
        apply(rules, &child, m)
        value = plain(rules, &child, points, low, high, nodes)
        if by_landlord:
            best = max(best, value)
            low = max(low, value)
        else:
            best = min(best, value)
            high = min(high, value)
        if low >= high:
            break
        m += 1
    return best


def plain_value(Position position not None, bint points=False, int64_t nodes=100_000_000):
    """The landlord's result by trying every move: 1 or -1, or his multiple of the base.

    None when the nodes did not suffice. Hands of more than a few cards take forever.
    """
    cdef position_t p = position.now
    cdef CompiledRules core = position.core
    cdef int value
    cdef int bound = 1 << MAX_SCORE_BITS if points else 1
    cdef int seat
    for seat in range(p.n_seats):
        if count_moves(&core.c, p.hands[seat], 0) > 1000:
            raise ValueError("too many moves for the plain search")
    with nogil:
        value = plain(&core.c, &p, points, -bound, bound, &nodes)
    return None if nodes < 0 else value


# ---- set-up -------------------------------------------------------------------------------------


cdef int number_shapes(solver_t* s) noexcept:
    cdef int kind, length, size
    cdef int n = 1
    for kind in range(1, N_KINDS):
        if not (s.rules.kinds >> kind) & 1:
            continue
        if kind == BOMB:
            for size in range(4, MAX_COUNT + 1):
                s.shape_ids[kind][size] = n
                n += 1
            continue
        for length in range(shape(kind).min_length, s.rules.max_length[kind] + 1):
            s.shape_ids[kind][length] = n
            n += 1
    return n


cdef class Search:
    """One question about one position and what follows from it: does the landlord's side get there?

    The table is kept between calls, so that positions after the first one cost little.

    Parameters
    ----------
    position : Position
        All positions asked about must be this one or come after it in play.
    goal : int
        With `points`: the landlord's result, as a signed multiplier, that counts as success.
    points : bool
        False: success is that the landlord wins.
    table_mb : float
        Memory for the table. It starts small and doubles when half full, up to this.
    switches : int
        Bits that turn reductions off, for tests (NO_STATIC and so on in the source).
    """

    cdef solver_t s
    cdef CompiledRules core
    cdef position_t start
    cdef int cancelled
    cdef object error

    def __cinit__(self):
        memset(&self.s, 0, sizeof(solver_t))

    def __init__(self, Position position not None, *, int goal=1, bint points=False, double table_mb=256,
                 int switches=0):
        cdef solver_t* s = &self.s
        cdef uint64_t buckets
        cdef int seat, rank, count, bits
        if self.core is not None:
            raise TypeError("a Search is set up once")
        self.core = position.core
        self.start = position.now
        s.rules = &self.core.c
        memset(s.briefs, 255, sizeof(s.briefs))
        memset(&s.profile, 255, sizeof(s.profile))
        s.n_seats = self.start.n_seats
        s.landlord = self.start.landlord
        s.target = self.start.target
        s.points = points
        s.goal = goal
        s.switches = switches
        s.cancel = &self.cancelled
        s.face = <void*>self
        if number_shapes(s) > MAX_SHAPES:
            raise AssertionError("more shapes than the key has room for")
        # The weights of the mixed radix number; Python's integers do not overflow.
        low = 1 << (CODE_BITS + (COUNTER_BITS if points else 0))
        high = 1
        for seat in range(s.n_seats):
            for rank in range(N_RANKS):
                count = count_of(self.start.hands[seat], rank)
                if count == 0:
                    continue
                if low * (count + 1) <= 1 << 64:
                    s.weight_lo[seat][rank] = low
                    low *= count + 1
                else:
                    s.weight_hi[seat][rank] = high
                    high *= count + 1
        bits = (high - 1).bit_length()
        if bits > MAX_HIGH_BITS:
            raise DdzError(
                "the position has more cards than points can be searched for: its states take "
                f"{bits - MAX_HIGH_BITS} bits more than the table has"
            )
        s.hi_shift = 64 - bits
        s.effort_bits = min(8, 40 - bits)
        buckets = 1
        while 2 * buckets * BUCKET * sizeof(entry_t) <= <uint64_t>(table_mb * (1 << 20)):
            buckets *= 2
        s.most_buckets = buckets
        if buckets > FIRST_BUCKETS:
            buckets = FIRST_BUCKETS
        s.table_mask = buckets - 1
        s.most_fronts = s.most_buckets >> 7
        if s.most_fronts < FIRST_FRONTS:
            s.most_fronts = FIRST_FRONTS
        if s.most_fronts > MOST_FRONTS:
            s.most_fronts = MOST_FRONTS
        s.table = <entry_t*>new_table(buckets * BUCKET * sizeof(entry_t))
        new_fronts(s, FIRST_FRONTS)
        new_aids(s, FIRST_AIDS)
        s.pool_size = 2048
        s.pool = <child_t*>malloc(s.pool_size * sizeof(child_t))
        s.n_moves = 1024
        s.moves = <move_t*>malloc(s.n_moves * sizeof(move_t))
        if (s.table == NULL or s.fronts == NULL or s.infos == NULL or s.pool == NULL
                or s.moves == NULL):
            raise MemoryError()

    def __dealloc__(self):
        free_table(self.s.table)
        free_table(self.s.signatures)
        free_table(self.s.fronts)
        free(self.s.killers)
        free(self.s.infos)
        free(self.s.pool)
        free(self.s.moves)

    cdef void begin(self, const position_t* p, state_t* st):
        """The state of a position whose game goes on."""
        cdef solver_t* s = &self.s
        cdef int seat, rank, count
        memset(st, 0, sizeof(state_t))
        for seat in range(s.n_seats):
            st.hands[seat] = p.hands[seat]
            for rank in range(N_RANKS):
                count = count_of(p.hands[seat], rank)
                st.lo += count * s.weight_lo[seat][rank]
                st.hi += count * s.weight_hi[seat][rank]
        st.last = p.last.meta
        st.turn = p.turn
        st.owner = p.turn
        if st.last:
            st.owner = (p.turn + 2 * p.n_seats - 1 - p.passes) % p.n_seats
        if s.points:
            self.begin_counters(p, st)
        if st.last:
            ask(s, st, p.turn)

    cdef void begin_counters(self, const position_t* p, state_t* st):
        cdef solver_t* s = &self.s
        cdef int seat, plays
        st.doublings = 0 if s.rules.doubling_bomb == NO_BOMB_DOUBLES else p.doubling_bombs + p.rockets
        if s.rules.spring == SPRING_NONE:
            return
        if p.plays[p.landlord] >= 1:
            st.flags |= LANDLORD_ONCE
        if p.plays[p.landlord] >= 2:
            st.flags |= LANDLORD_TWICE
        if s.rules.spring == SPRING_STANDING and p.standing[p.landlord] > p.opening_stood:
            st.flags |= LANDLORD_STOOD
        for seat in range(p.n_seats):
            plays = p.standing[seat] if s.rules.spring == SPRING_STANDING else p.plays[seat]
            if seat != p.landlord and plays:
                st.flags |= PEASANTS_COUNT

    cdef int check_start(self, Position position) except -1:
        """The numbers of the hands are those of subsets of the first position's."""
        cdef int seat
        if position.core is not self.core or position.now.n_seats != self.start.n_seats or (
                position.now.landlord != self.start.landlord) or (
                position.now.target != self.start.target):
            raise ValueError("the position does not follow from that of the Search")
        for seat in range(self.start.n_seats):
            if not contains(self.start.hands[seat], position.now.hands[seat]):
                raise ValueError("the position does not follow from that of the Search")
        return 0

    def prove(self, Position position not None, node_limit=None, seconds=None, bint signals=True):
        """Search: True or False once it is proved, None if a limit came first.

        The GIL is released. `signals`: Python's signal handlers run now and then, so that Ctrl-C
        stops the search; only for calls from the main thread.
        """
        cdef solver_t* s = &self.s
        cdef state_t st
        cdef int pn = 1
        cdef int dn = 1
        cdef position_t p = position.now
        self.check_start(position)
        if p.winner != NOBODY:
            return score_of(s.rules, &p) >= s.goal if s.points else p.winner == p.landlord
        s.stopped = DONE
        s.node_limit = <uint64_t>-1 if node_limit is None else s.nodes + <uint64_t>node_limit
        s.deadline = 0 if seconds is None else now() + <double>seconds
        s.signals = signals
        s.pool_top = 0
        self.error = None
        self.begin(&p, &st)
        with nogil:
            if not check(s):
                visit(s, &st, INFINITE, INFINITE, &pn, &dn)
        if self.error is not None:
            raise self.error
        if s.stopped == OUT_OF_MEMORY:
            raise MemoryError()
        if s.stopped:
            return None
        return pn == 0

    def facts(self, Position position not None):
        """What the order of moves is judged by, for training/gather.py.

        Returns
        -------
        tuple[int, list[list[int] | None]]
            The network, and the facts of each legal move; None for one that needs no search. The
            list is empty if the seat to move can only pass.
        """
        cdef solver_t* s = &self.s
        cdef position_t p = position.now
        cdef state_t st, next
        cdef move_t* m
        cdef move_t* end
        cdef child_t c
        cdef uint16_t pn, dn
        cdef int16_t facts[N_FACTS]
        cdef int i
        self.check_start(position)
        self.begin(&p, &st)
        found = []
        if p.winner != NOBODY or st.turn != p.turn:
            return 0, found
        if not make_room(s, &st):
            raise MemoryError()
        end = generate(s.rules, st.hands[st.turn], st.last, s.moves)
        m = s.moves
        while m != end:
            pn = 0
            if not (m.cards and at_goal(s, st.turn, st.hands[st.turn] - m.cards)):
                make(s, &st, &next, m)
                guess(s, &next, &pn, &dn)
            if pn and dn:
                c.cards = m.cards
                c.meta = m.meta
                note_facts(s, &st, &next, &c, pn, dn, facts)
                found.append([facts[i] for i in range(N_FACTS)])
            else:
                found.append(None)
            m += 1
        return situation(s, &st), found

    cdef int result(self, const state_t* st):
        """What is known of a state without search: 1 success, 2 none, 0 nothing."""
        cdef solver_t* s = &self.s
        cdef uint16_t pn, dn
        if not look_up(s, key_of(s, st), st.hi, &pn, &dn) or (pn and dn):
            guess(s, st, &pn, &dn)
        return 0 if pn and dn else 1 if pn == 0 else 2

    cdef int result_after(self, const state_t* st, const move_t* m):
        """The same of what a move leaves."""
        cdef solver_t* s = &self.s
        cdef state_t next
        if m.cards and at_goal(s, st.turn, st.hands[st.turn] - m.cards):
            return 1 if wins_at_once(s, st, m) else 2
        make(s, st, &next, m)
        return self.result(&next)

    def known(self, Position position not None):
        """What is known without search: True, False or None."""
        cdef position_t p = position.now
        cdef state_t st
        self.check_start(position)
        if p.winner != NOBODY:
            return score_of(self.s.rules, &p) >= self.s.goal if self.s.points else p.winner == p.landlord
        self.begin(&p, &st)
        return (None, True, False)[self.result(&st)]

    cdef Py_ssize_t choose(self, const position_t* p, int wanted, Py_ssize_t* n) except -2:
        """Lists the legal moves, `n` of them; where one is after which this result is known: of several
        the first with the most cards, or just the first if nothing is to be known. -1 for none."""
        cdef solver_t* s = &self.s
        cdef state_t st
        cdef move_t* m
        cdef int most = -1
        cdef Py_ssize_t i
        cdef Py_ssize_t found = -1
        st.turn = p.turn
        st.hands[st.turn] = p.hands[st.turn]
        st.last = p.last.meta
        if not make_room(s, &st):
            raise MemoryError()
        n[0] = generate(s.rules, st.hands[st.turn], st.last, s.moves) - s.moves
        self.begin(p, &st)
        if st.turn != p.turn:       # it can only pass
            return 0 if self.result(&st) == wanted else -1
        for i in range(n[0]):
            m = &s.moves[i]
            if size_of(m.meta) > most and self.result_after(&st, m) == wanted:
                found = i
                if wanted == 0:
                    break
                most = size_of(m.meta)
        return found

    def find(self, Position position not None, answer):
        """Where a legal move is after which `known` gives this: of several the first with the most
        cards, or just the first if nothing is to be known. -1 for none."""
        cdef position_t p = position.now
        cdef Py_ssize_t n
        self.check_start(position)
        if p.winner != NOBODY:
            return -1
        return self.choose(&p, 0 if answer is None else 1 if answer else 2, &n)

    def line(self, Position position not None, bint success):
        """Play that gets to this result, as far as `known` tells.

        The side that gets there makes the move that `find` finds for it; the other side one that needs
        search to be refuted, if there is any.

        Returns
        -------
        tuple[list[Move], bool]
            The moves, and whether they end the game.
        """
        cdef solver_t* s = &self.s
        cdef position_t p = position.now
        cdef Py_ssize_t n, i
        cdef bint winning
        self.check_start(position)
        moves = []
        while p.winner == NOBODY:
            winning = (p.turn == p.landlord) == success
            i = self.choose(&p, (1 if success else 2) if winning else 0, &n)
            if i < 0:
                if winning and n > 1:
                    return moves, False
                i = n - 1
            moves.append(new_move(&s.moves[i]))
            apply(s.rules, &p, &s.moves[i])
        return moves, True

    @property
    def nodes(self):
        """Positions searched so far."""
        return self.s.nodes

    @property
    def stopped(self):
        """Why the last search gave up: None, "nodes", "time" or "cancelled"."""
        return (None, "nodes", "time", "cancelled", None)[self.s.stopped]

    def cancel(self):
        """Ask a search that runs in another thread to stop; it does not start again."""
        self.cancelled = 1
