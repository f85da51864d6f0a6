"""All moves of a hand: list them, count them, take the i-th, or draw one, without listing."""

from libc.string cimport memset

from ddz_core._rng cimport below
from ddz_core._types cimport *

cdef uint32_t CHOOSE[N_RANKS + 1][N_RANKS + 1]


cdef void _fill_choose() noexcept:
    cdef int n, k
    for n in range(N_RANKS + 1):
        for k in range(N_RANKS + 1):
            CHOOSE[n][k] = 1 if k == 0 else 0 if n == 0 else CHOOSE[n - 1][k - 1] + CHOOSE[n - 1][k]


_fill_choose()


cdef struct hand_t:
    cards_t cards
    ranks_t may[5]      # may[k]: ranks of which k cards can go into a play that is no held quad
    ranks_t quads       # ranks held four times or more
    bint one_joker      # both jokers are held, but one play takes only one of them as a kicker


# How many moves of each kind a lead has.
cdef struct tally_t:
    uint32_t total
    uint32_t of[N_KINDS]


cdef inline void look_at(const rules_t* rules, cards_t cards, hand_t* hand) noexcept nogil:
    cdef cards_t loose = loose_cards(rules, cards)
    hand.cards = cards
    hand.quads = held(cards, 4)
    hand.may[1] = held(loose, 1)
    hand.may[2] = held(loose, 2)
    hand.may[3] = held(loose, 3)
    hand.may[4] = held(loose, 4)
    hand.one_joker = not rules.both_jokers and (hand.may[1] >> (4 * RANK_BLACK)) == 0x11


cdef inline bint has_kind(const rules_t* rules, int kind) noexcept nogil:
    return (rules.kinds >> kind) & 1


cdef inline bint is_family(int kind) noexcept nogil:
    return kind != BOMB and kind != ROCKET


# ---- kickers --------------------------------------------------------------------------------------
#
# Single kickers are chosen by multiplicity, highest first: which ranks give four cards, which of the
# others three, and so on, down to a plain subset of ranks that give one. `may[k]` are the ranks that
# may give k cards, so may[k + 1] is within may[k], and the number of choices is a product of
# binomials. Where only one joker may go along, choices without R come before choices with it.


cdef inline uint32_t n_selections(const ranks_t* may, int cap, int m, int used) noexcept nogil:
    """Ways to take m cards, at most `cap` of a rank, `used` ranks being gone already."""
    cdef int n = n_ranks(may[cap]) - used
    cdef int k
    cdef uint32_t total = 0
    if cap == 1:
        return CHOOSE[n][m]
    for k in range((m // cap if m // cap < n else n) + 1):
        total += CHOOSE[n][k] * n_lower_selections(may, cap - 1, m - k * cap, used + k)
    return total


cdef uint32_t n_lower_selections(const ranks_t* may, int cap, int m, int used) noexcept nogil:
    return n_selections(may, cap, m, used)


cdef inline move_t* list_ones(
    ranks_t ranks, int group, cards_t cards, uint64_t meta, move_t* out
) noexcept nogil:
    """Every rank, `group` cards of it, added to cards."""
    cdef ranks_t low
    while ranks:
        low = ranks & (0 - ranks)
        ranks &= ranks - 1
        out.cards = cards + low * <uint64_t>group
        out.meta = meta
        out += 1
    return out


cdef move_t* list_subsets(
    ranks_t ranks, int k, int group, cards_t cards, uint64_t meta, move_t* out
) noexcept nogil:
    """Every k-subset of ranks, `group` cards of each, added to cards."""
    cdef ranks_t low
    if k == 0:
        out.cards = cards
        out.meta = meta
        return out + 1
    if k == 1:
        return list_ones(ranks, group, cards, meta, out)
    while ranks:
        low = ranks & (0 - ranks)
        ranks &= ranks - 1
        if k == 2:
            out = list_ones(ranks, group, cards + low * <uint64_t>group, meta, out)
        else:
            out = list_subsets(ranks, k - 1, group, cards + low * <uint64_t>group, meta, out)
    return out


cdef inline ranks_t nth_rank(ranks_t ranks, uint32_t index) noexcept nogil:
    """The index-th lowest rank of a set, found without a branch.

    The product leaves in each nibble how many ranks up to it are in the set; the rank sought is as
    high as there are nibbles that count at most `index`.
    """
    cdef uint64_t upto = ranks * <uint64_t>0x1111111111111111
    cdef uint64_t enough = (127 - index) * <uint64_t>0x0101010101010101
    cdef uint64_t even = ((upto & <uint64_t>0x0F0F0F0F0F0F0F0F) + enough) >> 7
    cdef uint64_t odd = ((upto >> 4 & <uint64_t>0x0F0F0F0F0F0F0F0F) + enough) >> 7
    cdef uint64_t reached = (even & <uint64_t>0x0101010101010101) + (
        odd & <uint64_t>0x0101010101010101)
    return <ranks_t>1 << (64 - 4 * ((reached * <uint64_t>0x0101010101010101) >> 56))


cdef cards_t pick_subset(ranks_t ranks, int k, int group, uint32_t index) noexcept nogil:
    """The index-th k-subset in list_subsets' order."""
    cdef cards_t cards = 0
    cdef ranks_t low
    cdef uint32_t n
    cdef int left = n_ranks(ranks)
    while k > 1:
        left -= 1
        low = ranks & (0 - ranks)
        ranks &= ranks - 1
        n = CHOOSE[left][k - 1]
        if index < n:
            cards += low * <uint64_t>group
            k -= 1
        else:
            index -= n
    return cards + nth_rank(ranks, index) * <uint64_t>group if k else cards


cdef move_t* list_selections(
    const ranks_t* may, int cap, int m, ranks_t used, cards_t cards, uint64_t meta, move_t* out
) noexcept nogil:
    cdef int k
    if cap == 1:
        return list_subsets(may[1] & ~used, m, 1, cards, meta, out)
    for k in range(m // cap + 1):
        out = list_multiples(may, cap, m, k, may[cap] & ~used, used, cards, meta, out)
    return out


cdef move_t* list_multiples(
    const ranks_t* may, int cap, int m, int k, ranks_t ranks, ranks_t used, cards_t cards,
    uint64_t meta, move_t* out
) noexcept nogil:
    """Selections in which exactly k of `ranks` give `cap` cards and the others fewer."""
    cdef ranks_t low
    if k == 0:
        return list_selections(may, cap - 1, m, used, cards, meta, out)
    while ranks:
        low = ranks & (0 - ranks)
        ranks &= ranks - 1
        out = list_multiples(may, cap, m - cap, k - 1, ranks, used | low,
                             cards + low * <uint64_t>cap, meta, out)
    return out


cdef cards_t pick_selection(
    const ranks_t* may, int cap, int m, ranks_t used, uint32_t index
) noexcept nogil:
    cdef cards_t cards = 0
    cdef cards_t chosen
    cdef uint32_t ways, below
    cdef int k, n
    while cap > 1:
        n = n_ranks(may[cap] & ~used)
        for k in range(m // cap + 1):
            below = n_selections(may, cap - 1, m - k * cap, n_ranks(used) + k)
            ways = CHOOSE[n][k] * below
            if index < ways:
                chosen = pick_subset(may[cap] & ~used, k, cap, index // below)
                index %= below
                cards += chosen
                used |= held(chosen, 1)
                m -= k * cap
                break
            index -= ways
        cap -= 1
    return cards + pick_subset(may[1] & ~used, m, 1, index)


cdef inline void kickers_beside(
    const rules_t* rules, const hand_t* hand, ranks_t main, int unit, ranks_t* may
) noexcept nogil:
    """The ranks that may give 1 … 4 single kickers to this main part."""
    may[1] = hand.may[1] & ~main
    may[2] = hand.may[2] & ~main
    may[3] = hand.may[3] & ~main
    may[4] = hand.may[4] & ~main
    if unit == 3 and not rules.extending_kickers:
        main = (main << 4 | main >> 4) & chain_ranks()
        may[3] &= ~main
        may[4] &= ~main


cdef uint32_t n_singles(
    const rules_t* rules, const hand_t* hand, ranks_t main, int unit, int cap, int m
) noexcept nogil:
    cdef ranks_t may[5]
    cdef uint32_t total
    cdef int k
    if m == 1:
        return n_ranks(hand.may[1] & ~main)
    kickers_beside(rules, hand, main, unit, may)
    total = n_selections(may, cap, m, 0)
    if hand.one_joker:
        for k in range(1, cap + 1):
            may[k] &= ~(black_joker() | red_joker())
        total -= n_selections(may, cap, m - 2, 0)
    return total


cdef move_t* list_singles(
    const rules_t* rules, const hand_t* hand, ranks_t main, int unit, int cap, int m, cards_t cards,
    uint64_t meta, move_t* out
) noexcept nogil:
    cdef ranks_t may[5]
    kickers_beside(rules, hand, main, unit, may)
    if not hand.one_joker:
        return list_selections(may, cap, m, 0, cards, meta, out)
    may[1] &= ~red_joker()
    out = list_selections(may, cap, m, 0, cards, meta, out)
    may[1] &= ~black_joker()
    return list_selections(may, cap, m - 1, 0, cards + red_joker(), meta, out)


cdef cards_t pick_singles(
    const rules_t* rules, const hand_t* hand, ranks_t main, int unit, int cap, int m, uint32_t index
) noexcept nogil:
    cdef ranks_t may[5]
    cdef uint32_t without_red
    if m == 1:
        return pick_subset(hand.may[1] & ~main, 1, 1, index)
    kickers_beside(rules, hand, main, unit, may)
    if not hand.one_joker:
        return pick_selection(may, cap, m, 0, index)
    may[1] &= ~red_joker()
    without_red = n_selections(may, cap, m, 0)
    if index < without_red:
        return pick_selection(may, cap, m, 0, index)
    may[1] &= ~black_joker()
    return red_joker() + pick_selection(may, cap, m - 1, 0, index - without_red)


# ---- families -------------------------------------------------------------------------------------
#
# Every kind but BOMB and ROCKET is one family: for each chain length and each place of the main part,
# its kickers.


cdef inline ranks_t main_ranks(const hand_t* hand, int kind) noexcept nogil:
    """Ranks that a main part may be made of."""
    cdef ranks_t ranks = hand.quads if shape(kind).unit == 4 else hand.may[shape(kind).unit]
    return ranks & chain_ranks() if shape(kind).min_length > 1 else ranks


cdef inline int n_kickers(int kind, int length) noexcept nogil:
    """Kickers (single cards or pairs) that go with a main part."""
    return length * shape(kind).kickers


cdef inline uint64_t meta_at(int kind, int length, ranks_t start) noexcept nogil:
    return meta_of(kind, rank_of(start) + length - 1, length,
                   length * (shape(kind).unit + shape(kind).kickers * shape(kind).group))


cdef inline int cap_of(const rules_t* rules, int kind) noexcept nogil:
    return rules.quad_cap if kind == QUAD_SINGLES else rules.airplane_cap


cdef inline uint32_t n_ways(
    const rules_t* rules, const hand_t* hand, int kind, int length, ranks_t main
) noexcept nogil:
    """Choices of kickers for one main part."""
    if shape(kind).group == 0:
        return 1
    if shape(kind).group == 2:
        return CHOOSE[n_ranks(hand.may[2] & ~main)][n_kickers(kind, length)]
    return n_singles(rules, hand, main, shape(kind).unit, cap_of(rules, kind),
                     n_kickers(kind, length))


cdef inline bint is_uniform(const rules_t* rules, int kind) noexcept nogil:
    """Whether main parts of one length all have equally many kicker choices.

    Wherever it lies, a main part takes as many ranks out of those that may give one, two and three
    kickers. The place matters only where a rank may give four, or the chain's neighbours fewer.
    """
    if shape(kind).group != 1 or kind == TRIPLE_SINGLE:
        return True
    return cap_of(rules, kind) < 3 or (cap_of(rules, kind) == 3 and rules.extending_kickers)


cdef inline uint32_t n_at(
    const rules_t* rules, const hand_t* hand, int kind, int length, ranks_t starts
) noexcept nogil:
    """Plays of one kind and length whose main part starts at one of these ranks."""
    cdef ranks_t low
    cdef uint32_t total = 0
    if shape(kind).group == 0 or starts == 0:
        return n_ranks(starts)
    if is_uniform(rules, kind):
        low = starts & (0 - starts)
        return n_ranks(starts) * n_ways(rules, hand, kind, length, low * run_of(length))
    while starts:
        low = starts & (0 - starts)
        starts &= starts - 1
        total += n_ways(rules, hand, kind, length, low * run_of(length))
    return total


cdef inline move_t* list_plain(int kind, int length, ranks_t starts, move_t* out) noexcept nogil:
    """Plays without kickers."""
    cdef ranks_t low
    cdef cards_t main = run_of(length) * shape(kind).unit
    cdef uint64_t meta = meta_of(kind, length - 1, length, length * shape(kind).unit)
    while starts:
        low = starts & (0 - starts)
        starts &= starts - 1
        out.cards = low * main
        # A start at bit 4r is r more at bit 16 of meta.
        out.meta = meta + (<uint64_t>low_bit(low) << 14)
        out += 1
    return out


cdef inline move_t* list_at(
    const rules_t* rules, const hand_t* hand, int kind, int length, ranks_t starts, move_t* out
) noexcept nogil:
    cdef int unit = shape(kind).unit
    cdef int group = shape(kind).group
    cdef ranks_t low, main
    cdef uint64_t meta
    if group == 0:
        return list_plain(kind, length, starts, out)
    while starts:
        low = starts & (0 - starts)
        starts &= starts - 1
        main = low * run_of(length)
        meta = meta_at(kind, length, low)
        if kind == TRIPLE_SINGLE or kind == TRIPLE_PAIR:
            out = list_ones(hand.may[group] & ~main, group, main * unit, meta, out)
        elif group == 1:
            out = list_singles(rules, hand, main, unit, cap_of(rules, kind),
                               n_kickers(kind, length), main * unit, meta, out)
        else:
            out = list_subsets(hand.may[2] & ~main, n_kickers(kind, length), 2, main * unit, meta,
                               out)
    return out


cdef inline void pick_at(
    const rules_t* rules, const hand_t* hand, int kind, int length, ranks_t starts, uint32_t index,
    move_t* out
) noexcept nogil:
    """The index-th of n_at's plays."""
    cdef ranks_t low, main
    cdef uint32_t ways
    if shape(kind).group == 0:
        low = nth_rank(starts, index)
    elif is_uniform(rules, kind):
        low = starts & (0 - starts)
        ways = n_ways(rules, hand, kind, length, low * run_of(length))
        low = nth_rank(starts, index // ways)
        index %= ways
    else:
        while True:
            low = starts & (0 - starts)
            starts &= starts - 1
            ways = n_ways(rules, hand, kind, length, low * run_of(length))
            if index < ways:
                break
            index -= ways
    main = low * run_of(length)
    out.cards = main * shape(kind).unit
    out.meta = meta_at(kind, length, low)
    if shape(kind).group == 1:
        out.cards += pick_singles(rules, hand, main, shape(kind).unit, cap_of(rules, kind),
                                  n_kickers(kind, length), index)
    elif shape(kind).group == 2:
        out.cards += pick_subset(hand.may[2] & ~main, n_kickers(kind, length), 2, index)


cdef inline uint32_t count_family(
    const rules_t* rules, const hand_t* hand, int kind
) noexcept nogil:
    """Plays of a kind on a lead, all lengths together."""
    cdef ranks_t ranks = main_ranks(hand, kind)
    cdef int length = shape(kind).min_length
    cdef ranks_t run = runs(ranks, length)
    cdef uint32_t total = 0
    while run and length <= rules.max_length[kind]:
        total += n_at(rules, hand, kind, length, run)
        run &= ranks >> (4 * length)
        length += 1
    return total


cdef inline move_t* list_family(
    const rules_t* rules, const hand_t* hand, int kind, move_t* out
) noexcept nogil:
    cdef ranks_t ranks = main_ranks(hand, kind)
    cdef int length = shape(kind).min_length
    cdef ranks_t run = runs(ranks, length)
    while run and length <= rules.max_length[kind]:
        out = list_at(rules, hand, kind, length, run, out)
        run &= ranks >> (4 * length)
        length += 1
    return out


cdef void pick_family(
    const rules_t* rules, const hand_t* hand, int kind, uint32_t index, move_t* out
) noexcept nogil:
    cdef ranks_t ranks = main_ranks(hand, kind)
    cdef int length = shape(kind).min_length
    cdef ranks_t run = runs(ranks, length)
    cdef uint32_t n
    if shape(kind).min_length > 1:
        n = n_at(rules, hand, kind, length, run)
        while index >= n:
            index -= n
            run &= ranks >> (4 * length)
            length += 1
            n = n_at(rules, hand, kind, length, run)
    pick_at(rules, hand, kind, length, run, index, out)


# ---- bombs and the rocket -------------------------------------------------------------------------


cdef inline ranks_t bomb_ranks(cards_t cards, int size, uint64_t last) noexcept nogil:
    """Ranks of the bombs of this size that beat `last`."""
    if kind_of(last) == ROCKET or (kind_of(last) == BOMB and size < size_of(last)):
        return 0
    if kind_of(last) == BOMB and size == size_of(last):
        return held(cards, size) & above(main_rank(last))
    return held(cards, size)


cdef inline uint32_t count_bombs(const rules_t* rules, cards_t cards, uint64_t last) noexcept nogil:
    cdef uint32_t total = 0
    cdef int size
    if held(cards, 4):
        for size in range(4, rules.max_bomb + 1):
            total += n_ranks(bomb_ranks(cards, size, last))
    return total


cdef inline move_t* list_bombs(
    const rules_t* rules, cards_t cards, uint64_t last, move_t* out
) noexcept nogil:
    cdef ranks_t ranks, low
    cdef int size
    for size in range(4, rules.max_bomb + 1):
        ranks = bomb_ranks(cards, size, last)
        while ranks:
            low = ranks & (0 - ranks)
            ranks &= ranks - 1
            out.cards = low * <uint64_t>size
            out.meta = meta_of(BOMB, rank_of(low), 1, size)
            out += 1
    return out


cdef void pick_bomb(cards_t cards, uint64_t last, uint32_t index, move_t* out) noexcept nogil:
    cdef int size = 4
    cdef ranks_t ranks = bomb_ranks(cards, size, last)
    while index >= <uint32_t>n_ranks(ranks):
        index -= n_ranks(ranks)
        size += 1
        ranks = bomb_ranks(cards, size, last)
    ranks = nth_rank(ranks, index)
    out.cards = ranks * <uint64_t>size
    out.meta = meta_of(BOMB, rank_of(ranks), 1, size)


cdef inline void make_rocket(const rules_t* rules, move_t* out) noexcept nogil:
    out.cards = rules.rocket
    out.meta = meta_of(ROCKET, RANK_RED, 1, n_cards(rules.rocket))


cdef inline void make_pass(move_t* out) noexcept nogil:
    out.cards = 0
    out.meta = 0


# ---- leads ----------------------------------------------------------------------------------------


cdef inline void tally_lead(
    const rules_t* rules, const hand_t* hand, tally_t* counts
) noexcept nogil:
    cdef uint32_t n1 = n_ranks(hand.may[1])
    cdef uint32_t n2 = n_ranks(hand.may[2])
    cdef uint32_t n3 = n_ranks(hand.may[3])
    cdef uint32_t total
    cdef int kind
    memset(counts, 0, sizeof(tally_t))
    counts.of[SINGLE] = n1
    counts.of[PAIR] = n2 if has_kind(rules, PAIR) else 0
    counts.of[STRAIGHT] = count_family(rules, hand, STRAIGHT)
    counts.of[PAIR_STRAIGHT] = count_family(rules, hand, PAIR_STRAIGHT)
    counts.of[ROCKET] = plays_rocket(rules, hand.cards, PASS)
    total = n1 + counts.of[PAIR] + counts.of[STRAIGHT] + counts.of[PAIR_STRAIGHT] + counts.of[ROCKET]
    if n3 and has_kind(rules, TRIPLE):
        counts.of[TRIPLE] = n3
        if has_kind(rules, TRIPLE_SINGLE):
            counts.of[TRIPLE_SINGLE] = n3 * (n1 - 1)
        if has_kind(rules, TRIPLE_PAIR):
            counts.of[TRIPLE_PAIR] = n3 * (n2 - 1)
        total += n3 + counts.of[TRIPLE_SINGLE] + counts.of[TRIPLE_PAIR]
        if runs(hand.may[3] & chain_ranks(), 2):
            for kind in range(AIRPLANE, AIRPLANE_PAIRS + 1):
                if has_kind(rules, kind):
                    counts.of[kind] = count_family(rules, hand, kind)
                    total += counts.of[kind]
    if hand.quads:
        counts.of[BOMB] = count_bombs(rules, hand.cards, PASS)
        total += counts.of[BOMB]
        for kind in range(QUAD_SINGLES, N_KINDS):
            if has_kind(rules, kind) and is_family(kind):
                counts.of[kind] = count_family(rules, hand, kind)
                total += counts.of[kind]
    counts.total = total


cdef inline move_t* list_lead(
    const rules_t* rules, const hand_t* hand, move_t* out
) noexcept nogil:
    cdef int kind
    # Kinds spelled out are compiled for their shape.
    out = list_family(rules, hand, SINGLE, out)
    if has_kind(rules, PAIR):
        out = list_family(rules, hand, PAIR, out)
    if hand.may[3] and has_kind(rules, TRIPLE):
        out = list_family(rules, hand, TRIPLE, out)
        if has_kind(rules, TRIPLE_SINGLE):
            out = list_family(rules, hand, TRIPLE_SINGLE, out)
        if has_kind(rules, TRIPLE_PAIR):
            out = list_family(rules, hand, TRIPLE_PAIR, out)
    out = list_family(rules, hand, STRAIGHT, out)
    out = list_family(rules, hand, PAIR_STRAIGHT, out)
    if runs(hand.may[3] & chain_ranks(), 2):
        for kind in range(AIRPLANE, AIRPLANE_PAIRS + 1):
            if has_kind(rules, kind):
                out = list_family(rules, hand, kind, out)
    if hand.quads:
        for kind in range(QUAD_SINGLES, BOMB):
            if has_kind(rules, kind):
                out = list_family(rules, hand, kind, out)
        out = list_bombs(rules, hand.cards, PASS, out)
    if plays_rocket(rules, hand.cards, PASS):
        make_rocket(rules, out)
        out += 1
    if hand.quads:
        for kind in range(SHUTTLE, N_KINDS):
            if has_kind(rules, kind):
                out = list_family(rules, hand, kind, out)
    return out


cdef inline void pick_lead(
    const rules_t* rules, const hand_t* hand, const tally_t* counts, uint32_t index, move_t* out
) noexcept nogil:
    cdef int kind = SINGLE
    while index >= counts.of[kind]:
        index -= counts.of[kind]
        kind += 1
    if kind == BOMB:
        pick_bomb(hand.cards, PASS, index, out)
    elif kind == ROCKET:
        make_rocket(rules, out)
    else:
        pick_family(rules, hand, kind, index, out)


# ---- replies --------------------------------------------------------------------------------------


cdef inline uint32_t count_same_kind(
    const rules_t* rules, cards_t cards, uint64_t last, ranks_t starts
) noexcept nogil:
    cdef hand_t hand
    if starts == 0 or shape(kind_of(last)).group == 0:
        return n_ranks(starts)
    look_at(rules, cards, &hand)
    return n_at(rules, &hand, kind_of(last), length_of(last), starts)


cdef inline move_t* list_replies(
    const rules_t* rules, cards_t cards, uint64_t last, move_t* out
) noexcept nogil:
    cdef hand_t hand
    cdef ranks_t starts = reply_starts(rules, cards, last)
    make_pass(out)
    out += 1
    if starts and shape(kind_of(last)).group:
        look_at(rules, cards, &hand)
        out = list_at(rules, &hand, kind_of(last), length_of(last), starts, out)
    else:
        out = list_plain(kind_of(last), length_of(last), starts, out)
    if held(cards, 4):
        out = list_bombs(rules, cards, last, out)
    if plays_rocket(rules, cards, last):
        make_rocket(rules, out)
        out += 1
    return out


cdef inline void pick_same_kind(
    const rules_t* rules, cards_t cards, uint64_t last, ranks_t starts, uint32_t index, move_t* out
) noexcept nogil:
    cdef hand_t hand
    cdef int length = length_of(last)
    if shape(kind_of(last)).group:
        look_at(rules, cards, &hand)
        pick_at(rules, &hand, kind_of(last), length, starts, index, out)
        return
    starts = nth_rank(starts, index)
    out.cards = starts * (run_of(length) * shape(kind_of(last)).unit)
    out.meta = with_rank(last, rank_of(starts) + length - 1)


cdef inline void pick_reply(
    const rules_t* rules, cards_t cards, uint64_t last, ranks_t starts, uint32_t same_kind,
    uint32_t bombs, uint32_t index, move_t* out
) noexcept nogil:
    if index == 0:
        make_pass(out)
    elif index <= same_kind:
        pick_same_kind(rules, cards, last, starts, index - 1, out)
    elif index <= same_kind + bombs:
        pick_bomb(cards, last, index - 1 - same_kind, out)
    else:
        make_rocket(rules, out)


# ---- queries --------------------------------------------------------------------------------------


cdef uint32_t count_moves(const rules_t* rules, cards_t cards, uint64_t last) noexcept nogil:
    cdef hand_t hand
    cdef tally_t counts
    if kind_of(last) == PASS:
        look_at(rules, cards, &hand)
        tally_lead(rules, &hand, &counts)
        return counts.total
    return 1 + (count_same_kind(rules, cards, last, reply_starts(rules, cards, last))
                + count_bombs(rules, cards, last) + plays_rocket(rules, cards, last))


cdef move_t* generate(
    const rules_t* rules, cards_t cards, uint64_t last, move_t* out
) noexcept nogil:
    cdef hand_t hand
    if kind_of(last) != PASS:
        return list_replies(rules, cards, last, out)
    look_at(rules, cards, &hand)
    return list_lead(rules, &hand, out)


cdef void nth_move(
    const rules_t* rules, cards_t cards, uint64_t last, uint32_t index, move_t* out
) noexcept nogil:
    cdef hand_t hand
    cdef tally_t counts
    cdef ranks_t starts
    if kind_of(last) == PASS:
        look_at(rules, cards, &hand)
        tally_lead(rules, &hand, &counts)
        pick_lead(rules, &hand, &counts, index, out)
    else:
        starts = reply_starts(rules, cards, last)
        pick_reply(rules, cards, last, starts, count_same_kind(rules, cards, last, starts),
                   count_bombs(rules, cards, last), index, out)


cdef void draw_lead(
    const rules_t* rules, cards_t cards, rng_t* rng, move_t* out
) noexcept nogil:
    cdef hand_t hand
    cdef tally_t counts
    look_at(rules, cards, &hand)
    tally_lead(rules, &hand, &counts)
    pick_lead(rules, &hand, &counts, below(rng, counts.total) if counts.total > 1 else 0, out)


cdef void draw_reply(
    const rules_t* rules, cards_t cards, uint64_t last, ranks_t starts, rng_t* rng, move_t* out
) noexcept nogil:
    cdef uint32_t same_kind = count_same_kind(rules, cards, last, starts)
    cdef uint32_t bombs = count_bombs(rules, cards, last)
    cdef uint32_t total = 1 + same_kind + bombs + plays_rocket(rules, cards, last)
    pick_reply(rules, cards, last, starts, same_kind, bombs,
               below(rng, total) if total > 1 else 0, out)
