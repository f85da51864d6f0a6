"""The fewest plays that empty a hand when nobody answers, and one split into that many."""

from libc.stdint cimport int32_t

from ddz_core._types cimport *
from ddz_core._values cimport MoveList, check_hand, compiled, new_move_list, to_cards

# A split is a set of main parts, kickers that go with some of them, and loose singles and pairs.
# The search is a branch and bound over the main parts alone, in three steps: chains by their lowest
# rank (lay_chains), then triples, quads and bombs of what is left (lay_cores), then which parts take
# single kickers, which pairs and which none (attach). Which card goes where is asked last and seldom,
# once the numbers alone promise fewer plays than the best split so far (fill, take).
#
# Nothing is remembered between hands, or between branches of one: the bound leaves few of them.

cdef enum:
    MAX_PARTS = 11          # of three cards or more; the rocket and nine others make it no more
    MAX_UNIT = 8
    IMPOSSIBLE = 99

cdef struct part_t:
    ranks_t ranks
    cards_t kickers         # chosen by take()
    uint8_t unit            # cards of each rank; 0 is the rocket
    uint8_t length          # number of ranks
    uint8_t group           # 1 takes single kickers, 2 pairs, 0 none
    uint8_t slots           # kickers that it takes then

cdef struct search_t:
    const rules_t* rules
    const int64_t* closed   # prices of ranks that no later chain touches, by count
    const int64_t* open     # the same where chains may still take cards
    cards_t locked          # four of a rank that must be played together
    int best                # plays of the best split so far
    int n
    int n_best
    part_t parts[MAX_PARTS]
    part_t best_parts[MAX_PARTS]
    cards_t best_loose      # its loose cards
    cards_t rocket          # if it is held
    ranks_t chains[5]       # ranks that chains of each unit may have
    int reach[5]            # highest rank of the last chain of each unit


# ---- prices -----------------------------------------------------------------------------------------
#
# A lower bound that adds up rank by rank. A play costs 1. A kicker's slot takes at most one piece (a
# loose single or pair), so a piece costs at least w and a slot earns at most w, for any 0 <= w <= 1:
# plays = parts + pieces - filled slots >= parts + w * (pieces - slots). Two weights serve: 1 says
# that pieces without a slot are plays, 1/3 that spare slots pay for breaking up a triple only by
# threes. A price packs both sums in one word: weight 1 in the upper half, thirds of weight 1/3 below.

cdef enum:
    PLAY_THIRDS = 3

cdef int64_t PIECE = (<int64_t>1 << 32) + 1
cdef int64_t PLAY = (<int64_t>1 << 32) + PLAY_THIRDS
cdef int64_t ROCKET_GAIN = <int64_t>1 << 32     # of one play over two pieces, by weight
# By count of a rank, for rule sets where triples (1) or quads (2) take kickers or both (3) or none.
cdef int64_t CLOSED[4][MAX_COUNT + 1]
cdef int64_t OPEN[4][MAX_COUNT + 1]


cdef inline int64_t weighted(int64_t price) noexcept nogil:
    return (price - <int32_t>price) >> 32


cdef inline int64_t thirds(int64_t price) noexcept nogil:
    return <int32_t>price


cdef inline int64_t cheaper(int64_t a, int64_t b) noexcept nogil:
    """The smaller of each half: the two bounds hold apart."""
    return min(weighted(a), weighted(b)) * (<int64_t>1 << 32) + min(thirds(a), thirds(b))


cdef inline int fewest_plays(int64_t price) noexcept nogil:
    return <int>max(weighted(price), (thirds(price) + PLAY_THIRDS - 1) // PLAY_THIRDS)


cdef int slots_of(int takers, int unit) noexcept nogil:
    """Slots that one rank of a main part brings."""
    return (takers & 1) if unit == 3 else (takers & 2) if unit == 4 else 0


cdef void _fill_prices() noexcept:
    cdef int takers, count, unit
    for takers in range(4):
        for count in range(MAX_COUNT + 1):
            CLOSED[takers][count] = PIECE * ((count + 1) // 2)
            for unit in range(3, count + 1):
                CLOSED[takers][count] = cheaper(
                    CLOSED[takers][count],
                    CLOSED[takers][count - unit] + PLAY - PIECE * slots_of(takers, unit))
            OPEN[takers][count] = CLOSED[takers][count]
            for unit in range(1, min(count, 4) + 1):
                OPEN[takers][count] = cheaper(
                    OPEN[takers][count],
                    OPEN[takers][count - unit] - PIECE * slots_of(takers, unit))


_fill_prices()


cdef inline int takers_of(const rules_t* rules) noexcept nogil:
    cdef uint32_t triples = (1 << TRIPLE_SINGLE | 1 << TRIPLE_PAIR | 1 << AIRPLANE_SINGLES
                             | 1 << AIRPLANE_PAIRS)
    cdef uint32_t quads = (1 << QUAD_SINGLES | 1 << QUAD_PAIRS | 1 << SHUTTLE_SINGLES
                           | 1 << SHUTTLE_PAIRS)
    return (1 if rules.kinds & triples else 0) | (2 if rules.kinds & quads else 0)


# ---- main parts -------------------------------------------------------------------------------------


cdef inline int kind_of_part(int unit, int length, int group) noexcept nogil:
    if unit == 0:
        return ROCKET
    if length > 1:
        return SHUTTLE + group if unit == 4 else AIRPLANE + group if unit == 3 else STRAIGHT + unit - 1
    if unit == 3:
        return TRIPLE + group
    if unit >= 4:
        return QUAD_SINGLES - 1 + group if group else BOMB
    return SINGLE + unit - 1


cdef inline bint exists(const rules_t* rules, int unit, int length, int group) noexcept nogil:
    return (rules.kinds >> kind_of_part(unit, length, group)) & 1


cdef inline int push(search_t* s, ranks_t ranks, int unit, int length) noexcept nogil:
    """Adds a main part; returns how many kickers it may take."""
    cdef part_t* part = &s.parts[s.n]
    s.n += 1
    part.ranks = ranks
    part.kickers = 0
    part.unit = unit
    part.length = length
    part.group = 0
    part.slots = 0
    if (unit == 3 or unit == 4) and (
            exists(s.rules, unit, length, 1) or exists(s.rules, unit, length, 2)):
        part.slots = length * (unit - 2)
    return part.slots


cdef inline ranks_t chain_starts(ranks_t ranks, int unit) noexcept nogil:
    """Where chains of this unit may start: five ranks for straights, three for pairs, or two."""
    cdef ranks_t two = ranks & ranks >> 4
    if unit == 1:
        return two & two >> 8 & ranks >> 16
    return two & ranks >> 8 if unit == 2 else two


cdef void lay_chains(
    search_t* s, cards_t cards, int first, int unit, int length, int64_t price
) noexcept nogil:
    """Every set of further chains, the last one laid being of this unit and length from rank `first`.

    `cards` are those not yet in a part, `price` that of the parts. Straights that overlap may swap
    their ends, so they are laid with ends in the order of starts; two straights that are equal or
    follow each other are one play, so they are not laid. The same goes for pair straights, except
    that they may be equal. With kickers nothing may be swapped: each play limits its own.
    """
    cdef ranks_t ranks[5]
    cdef ranks_t starts = 0
    cdef ranks_t run
    cdef int64_t bound = price      # of any split with further chains, PLAY aside
    cdef int64_t whole = price      # of any split without
    cdef int rank, start, u, shortest, longest, reach, slots
    for rank in range(N_RANKS):
        u = (cards >> (4 * rank)) & 15
        whole += s.closed[u]
        bound += s.closed[u] if rank < first else s.open[u]
    for u in range(1, 5):
        ranks[u] = held(cards if u == 4 else cards & ~s.locked, u) & s.chains[u]
        starts |= chain_starts(ranks[u], u)
    rank = first
    starts = starts >> (4 * first) << (4 * first)
    while starts:
        start = rank_of(starts)
        starts &= starts - 1
        while rank < start:
            u = (cards >> (4 * rank)) & 15
            bound += s.closed[u] - s.open[u]
            rank += 1
        if fewest_plays(bound + PLAY) >= s.best:
            break
        for u in range(unit if start == first else 1, 5):
            longest = low_bit(~(ranks[u] * 15 >> (4 * start))) >> 2
            shortest = shape(kind_of_part(u, 2, 0)).min_length
            if start == first and u == unit:
                shortest = max(shortest, length + (u == 1))
            reach = s.reach[u]
            if u <= 2:
                if start == reach + 1:
                    continue
                shortest = max(shortest, reach + 1 - start)
            while longest >= shortest:
                run = run_of(longest) << (4 * start)
                slots = push(s, run, u, longest)
                s.reach[u] = start + longest - 1
                lay_chains(s, cards - run * u, start, u, longest, price + PLAY - PIECE * slots)
                s.n -= 1
                longest -= 1
            s.reach[u] = reach
    if fewest_plays(whole) < s.best:
        decide_rocket(s, cards, whole)


cdef void decide_rocket(search_t* s, cards_t cards, int64_t price) noexcept nogil:
    if s.rocket:
        push(s, held(s.rocket, 1), 0, 1)
        lay_cores(s, cards - s.rocket, held(cards, 3), MAX_UNIT, price + ROCKET_GAIN + PLAY - 2 * PIECE)
        s.n -= 1
        price += ROCKET_GAIN
    lay_cores(s, cards, held(cards, 3), MAX_UNIT, price)


cdef void lay_cores(
    search_t* s, cards_t cards, ranks_t ranks, int largest, int64_t price
) noexcept nogil:
    """Every choice of triples, quads and bombs from `ranks`; those of the lowest rank are at most
    `largest`. What is left in `cards` are kickers and loose pieces."""
    cdef ranks_t low = ranks & (0 - ranks)
    cdef int count, unit, slots
    if fewest_plays(price) >= s.best:
        return
    if ranks == 0:
        attach_all(s, cards)
        return
    count = <int>(cards >> low_bit(low)) & 15
    price -= s.closed[count]
    for unit in range(min(count, largest), 2, -1):
        if unit != 4 and s.locked & low:
            continue
        slots = push(s, low, unit, 1)
        lay_cores(s, cards - low * unit, ranks, unit,
                  price + PLAY - PIECE * slots + s.closed[count - unit])
        s.n -= 1
    if count == 0 or not s.locked & low:
        lay_cores(s, cards, ranks ^ low, MAX_UNIT, price + PIECE * ((count + 1) // 2))


# ---- kickers ----------------------------------------------------------------------------------------


cdef inline int fewest_loose(int odd, int pairs, int singles_wanted, int pairs_wanted) noexcept nogil:
    """Pieces that stay loose at best when so many kickers are taken from `odd` ranks with one card
    over and so many pairs, whatever their ranks; IMPOSSIBLE when there are too few."""
    cdef int broken
    if singles_wanted <= odd:
        return odd - singles_wanted + pairs - pairs_wanted if pairs_wanted <= pairs else IMPOSSIBLE
    singles_wanted -= odd
    broken = (singles_wanted + 1) // 2
    if pairs_wanted + broken > pairs:
        return IMPOSSIBLE
    return pairs - pairs_wanted - singles_wanted // 2


cdef inline int n_odd(cards_t cards) noexcept nogil:
    return n_ranks(cards & all_ranks())


cdef inline int n_pairs(cards_t cards) noexcept nogil:
    return n_cards(cards & ~all_ranks()) // 2


cdef void attach_all(search_t* s, cards_t cards) noexcept nogil:
    cdef int i
    cdef int slots = 0
    for i in range(s.n):
        slots += s.parts[i].slots
    attach(s, 0, cards, n_odd(cards), n_pairs(cards), slots, 0, 0)


cdef void attach(
    search_t* s, int i, cards_t cards, int odd, int pairs, int slots, int singles_wanted,
    int pairs_wanted
) noexcept nogil:
    """Every choice of single, pair or no kickers for the parts from i on, which have `slots`."""
    cdef part_t* part
    cdef int group
    while i < s.n and s.parts[i].slots == 0:
        i += 1
    if s.n + max(0, odd + pairs - singles_wanted - pairs_wanted - slots) >= s.best:
        return
    if singles_wanted + 2 * pairs_wanted > odd + 2 * pairs:
        return
    if i == s.n:
        while (s.n + fewest_loose(odd, pairs, singles_wanted, pairs_wanted) < s.best
               and fill(s, 0, cards, singles_wanted, pairs_wanted)):
            pass
        return
    part = &s.parts[i]
    slots -= part.slots
    for group in range(2, -1, -1):
        if group == 0 or exists(s.rules, part.unit, part.length, group):
            part.group = group
            attach(s, i + 1, cards, odd, pairs, slots,
                   singles_wanted + (part.slots if group == 1 else 0),
                   pairs_wanted + (part.slots if group == 2 else 0))
    part.group = 0


cdef bint fill(
    search_t* s, int i, cards_t cards, int singles_wanted, int pairs_wanted
) noexcept nogil:
    """Gives the parts from i on their kickers; whether that makes a better split, then kept."""
    cdef part_t* part
    cdef ranks_t ranks
    cdef int loose
    while i < s.n and s.parts[i].group == 0:
        i += 1
    if i == s.n:
        loose = n_odd(cards) + n_pairs(cards)
        if s.n + loose >= s.best:
            return False
        s.best = s.n + loose
        s.n_best = s.n
        s.best_parts = s.parts
        s.best_loose = cards
        return True
    part = &s.parts[i]
    ranks = held(cards, part.group) & ~part.ranks
    return take(s, i, part.slots, ranks & cards, ranks & ~cards, cards, singles_wanted, pairs_wanted)


cdef inline int most_of(search_t* s, part_t* part, ranks_t low, cards_t cards) noexcept nogil:
    """How many kickers of this rank the part may have."""
    cdef int most
    if part.group == 2:
        return 1
    most = s.rules.quad_cap if part.unit == 4 and part.length == 1 else s.rules.airplane_cap
    if part.unit == 3 and not s.rules.extending_kickers and low & (
            part.ranks << 4 | part.ranks >> 4) & chain_ranks():
        most = min(most, 2)
    return min(most, <int>(cards >> low_bit(low)) & 15)


cdef bint take(
    search_t* s, int i, int need, ranks_t odd, ranks_t even, cards_t cards, int singles_wanted,
    int pairs_wanted
) noexcept nogil:
    """Chooses `need` more kickers for part i, first from the ranks `odd`, then from `even`."""
    cdef part_t* part = &s.parts[i]
    cdef int k
    cdef cards_t kickers
    cdef ranks_t low, barred
    if need == 0:
        return fill(s, i + 1, cards, singles_wanted, pairs_wanted)
    if s.n + fewest_loose(n_odd(cards), n_pairs(cards), singles_wanted, pairs_wanted) >= s.best:
        return False
    while odd or even:
        low = odd & (0 - odd) if odd else even & (0 - even)
        odd &= ~low
        even &= ~low
        barred = 0
        if part.group == 1 and not s.rules.both_jokers:
            barred = low & (black_joker() | red_joker())
            barred = black_joker() | red_joker() if barred else 0
        for k in range(1, min(need, most_of(s, part, low, cards)) + 1):
            kickers = low * <uint64_t>(k * part.group)
            part.kickers += kickers
            if take(s, i, need - k, odd & ~barred, even & ~barred, cards - kickers,
                    singles_wanted - (k if part.group == 1 else 0),
                    pairs_wanted - (k if part.group == 2 else 0)):
                part.kickers -= kickers
                return True
            part.kickers -= kickers
    return False


# ---- answers ----------------------------------------------------------------------------------------


cdef void search(search_t* s, const rules_t* rules, cards_t cards) noexcept nogil:
    cdef int unit
    s.rules = rules
    s.closed = CLOSED[takers_of(rules)]
    s.open = OPEN[takers_of(rules)]
    s.locked = held(cards, 4) * 15 if rules.held_quads else 0
    s.rocket = 0
    if exists(rules, 0, 1, 0) and contains(cards, rules.rocket):
        s.rocket = rules.rocket
    s.best = IMPOSSIBLE
    s.n = 0
    for unit in range(1, 5):
        s.chains[unit] = chain_ranks() if exists(rules, unit, 2, 0) else 0
        s.reach[unit] = -2
    lay_chains(s, cards, 0, 1, 0, -ROCKET_GAIN if s.rocket else 0)


cdef int min_turns_of(const rules_t* rules, cards_t cards) noexcept nogil:
    cdef search_t s
    search(&s, rules, cards)
    return s.best


cdef inline move_t* put_part(const part_t* part, const rules_t* rules, move_t* out) noexcept nogil:
    cdef int kind = kind_of_part(part.unit, part.length, part.group)
    cdef int rank = rank_of(part.ranks) + part.length - 1
    out.cards = part.ranks * part.unit + part.kickers
    if kind == ROCKET:
        out.cards = rules.rocket
        rank = RANK_RED
    out.meta = meta_of(kind, rank, part.length, n_cards(out.cards))
    return out + 1


cdef inline bint precedes(const move_t* a, const move_t* b) noexcept nogil:
    """The order of legal_moves: by kind, chain length, size (of bombs), rank; then by cards."""
    cdef uint64_t fields_a = ((<uint64_t>kind_of(a.meta) << 8 | length_of(a.meta)) << 8
                              | size_of(a.meta)) << 8 | main_rank(a.meta)
    cdef uint64_t fields_b = ((<uint64_t>kind_of(b.meta) << 8 | length_of(b.meta)) << 8
                              | size_of(b.meta)) << 8 | main_rank(b.meta)
    return fields_a < fields_b or (fields_a == fields_b and a.cards < b.cards)


cdef int split_of(const rules_t* rules, cards_t cards, move_t* out) noexcept nogil:
    cdef search_t s
    cdef part_t piece
    cdef move_t move
    cdef move_t* end = out
    cdef int i, j
    cdef ranks_t low
    search(&s, rules, cards)
    for i in range(s.n_best):
        end = put_part(&s.best_parts[i], rules, end)
    piece.kickers = 0
    piece.length = 1
    piece.group = 0
    while s.best_loose:
        low = held(s.best_loose, 1)
        piece.ranks = low & (0 - low)
        piece.unit = 2 if piece.ranks & held(s.best_loose, 2) else 1
        s.best_loose -= piece.ranks * piece.unit
        end = put_part(&piece, rules, end)
    for i in range(1, s.best):
        move = out[i]
        j = i
        while j > 0 and precedes(&move, &out[j - 1]):
            out[j] = out[j - 1]
            j -= 1
        out[j] = move
    return s.best


def min_turns(hand, rules=None):
    """..."""
    cdef CompiledRules core = compiled(rules)
    cdef cards_t cards = to_cards(hand, "hand")
    cdef int turns
    check_hand(cards, core, "hand")
    with nogil:
        turns = min_turns_of(&core.c, cards)
    return turns


def decompose(hand, rules=None):
    """..."""
    cdef CompiledRules core = compiled(rules)
    cdef cards_t cards = to_cards(hand, "hand")
    cdef move_t found[MAX_TURNS]
    cdef MoveList moves
    cdef int i, turns
    check_hand(cards, core, "hand")
    with nogil:
        turns = split_of(&core.c, cards, found)
    moves = new_move_list(turns)
    for i in range(turns):
        moves.moves[i] = found[i]
    return moves
