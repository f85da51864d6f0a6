"""All moves of a hand: list them, count them, or take the i-th without listing."""

from ddz_core._types cimport *

cdef uint32_t CHOOSE[N_RANKS + 1][N_RANKS + 1]


cdef void _fill_choose() noexcept:
    cdef int n, k
    for n in range(N_RANKS + 1):
        for k in range(N_RANKS + 1):
            CHOOSE[n][k] = 1 if k == 0 else 0 if n == 0 else CHOOSE[n - 1][k - 1] + CHOOSE[n - 1][k]


_fill_choose()


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
    for k in range(min(n, m // cap) + 1):
        total += CHOOSE[n][k] * n_lower_selections(may, cap - 1, m - k * cap, used + k)
    return total


cdef uint32_t n_lower_selections(const ranks_t* may, int cap, int m, int used) noexcept nogil:
    return n_selections(may, cap, m, used)


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
        while ranks:
            low = ranks & (0 - ranks)
            ranks ^= low
            out.cards = cards + low * <uint64_t>group
            out.meta = meta
            out += 1
        return out
    while ranks:
        low = ranks & (0 - ranks)
        ranks ^= low
        out = list_subsets(ranks, k - 1, group, cards + low * <uint64_t>group, meta, out)
    return out


cdef cards_t pick_subset(ranks_t ranks, int k, int group, uint32_t index) noexcept nogil:
    """The index-th k-subset in list_subsets' order."""
    cdef cards_t cards = 0
    cdef ranks_t low
    cdef uint32_t n
    cdef int left = n_ranks(ranks)
    while k:
        left -= 1
        low = ranks & (0 - ranks)
        ranks ^= low
        n = CHOOSE[left][k - 1]
        if index < n:
            cards += low * <uint64_t>group
            k -= 1
        else:
            index -= n
    return cards


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
        ranks ^= low
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
    if m == 1:
        return list_subsets(hand.may[1] & ~main, 1, 1, cards, meta, out)
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


# ---- families ---------------------------------------------------------------------------------------
#
# Every kind but BOMB and ROCKET is one family: for each chain length and each place of the main part,
# its kickers. `higher` are the ranks that the main part's highest rank must be among.


cdef inline ranks_t main_ranks(const hand_t* hand, const shape_t* form) noexcept nogil:
    cdef ranks_t ranks = hand.quads if form.unit == 4 else hand.may[form.unit]
    return ranks & chain_ranks() if form.min_length > 1 else ranks


cdef inline ranks_t runs(ranks_t ranks, int length) noexcept nogil:
    """Where `length` consecutive ranks start."""
    cdef ranks_t run = ranks
    cdef int i
    for i in range(1, length):
        run &= ranks >> (4 * i)
    return run


cdef inline int cap_of(const rules_t* rules, int kind) noexcept nogil:
    return rules.quad_cap if kind == QUAD_SINGLES else rules.airplane_cap


cdef inline uint32_t n_kickers(
    const rules_t* rules, const hand_t* hand, int kind, const shape_t* form, ranks_t main, int m
) noexcept nogil:
    if form.group == 2:
        return CHOOSE[n_ranks(hand.may[2] & ~main)][m]
    return n_singles(rules, hand, main, form.unit, cap_of(rules, kind), m)


cdef uint32_t count_family(
    const rules_t* rules, const hand_t* hand, int kind, int length, int longest, ranks_t higher
) noexcept nogil:
    cdef const shape_t* form = shape(kind)
    cdef ranks_t ranks = main_ranks(hand, form)
    cdef ranks_t run = runs(ranks, length)
    cdef ranks_t starts, low
    cdef uint32_t total = 0
    while run and length <= longest:
        starts = run & (higher >> (4 * (length - 1)))
        if form.group == 0:
            total += n_ranks(starts)
        else:
            while starts:
                low = starts & (0 - starts)
                starts ^= low
                total += n_kickers(rules, hand, kind, form, low * run_of(length),
                                   length * form.kickers)
        run &= ranks >> (4 * length)
        length += 1
    return total


cdef move_t* list_family(
    const rules_t* rules, const hand_t* hand, int kind, int length, int longest, ranks_t higher,
    move_t* out
) noexcept nogil:
    cdef const shape_t* form = shape(kind)
    cdef ranks_t ranks = main_ranks(hand, form)
    cdef ranks_t run = runs(ranks, length)
    cdef ranks_t starts, low, main
    cdef uint64_t meta
    cdef int m
    while run and length <= longest:
        starts = run & (higher >> (4 * (length - 1)))
        m = length * form.kickers
        meta = meta_of(kind, length - 1, length, length * form.unit + m * form.group)
        while starts:
            low = starts & (0 - starts)
            starts ^= low
            main = low * run_of(length)
            if form.group == 0:
                out.cards = main * form.unit
                out.meta = meta + (<uint64_t>rank_of(low) << 8)
                out += 1
            elif form.group == 1:
                out = list_singles(rules, hand, main, form.unit, cap_of(rules, kind), m,
                                   main * form.unit, meta + (<uint64_t>rank_of(low) << 8), out)
            else:
                out = list_subsets(hand.may[2] & ~main, m, 2, main * form.unit,
                                   meta + (<uint64_t>rank_of(low) << 8), out)
        run &= ranks >> (4 * length)
        length += 1
    return out


cdef void pick_family(
    const rules_t* rules, const hand_t* hand, int kind, int length, ranks_t higher, uint32_t index,
    move_t* out
) noexcept nogil:
    cdef const shape_t* form = shape(kind)
    cdef ranks_t ranks = main_ranks(hand, form)
    cdef ranks_t run = runs(ranks, length)
    cdef ranks_t starts, low, main
    cdef uint32_t n
    cdef int m
    while True:
        starts = run & (higher >> (4 * (length - 1)))
        m = length * form.kickers
        while starts:
            low = starts & (0 - starts)
            starts ^= low
            main = low * run_of(length)
            n = 1 if form.group == 0 else n_kickers(rules, hand, kind, form, main, m)
            if index >= n:
                index -= n
                continue
            out.cards = main * form.unit
            out.meta = meta_of(kind, rank_of(low) + length - 1, length,
                               length * form.unit + m * form.group)
            if form.group == 1:
                out.cards += pick_singles(rules, hand, main, form.unit, cap_of(rules, kind), m, index)
            elif form.group == 2:
                out.cards += pick_subset(hand.may[2] & ~main, m, 2, index)
            return
        run &= ranks >> (4 * length)
        length += 1


cdef inline ranks_t bomb_ranks(const hand_t* hand, int size, uint64_t last) noexcept nogil:
    """Ranks of the bombs of this size that beat `last`."""
    if kind_of(last) == ROCKET or (kind_of(last) == BOMB and size < size_of(last)):
        return 0
    if kind_of(last) == BOMB and size == size_of(last):
        return held(hand.cards, size) & above(main_rank(last))
    return held(hand.cards, size)


cdef inline bint has_kind(const rules_t* rules, int kind) noexcept nogil:
    return (rules.kinds >> kind) & 1


cdef inline bint plays_rocket(
    const rules_t* rules, const hand_t* hand, uint64_t last
) noexcept nogil:
    return (hand.cards >> (4 * RANK_BLACK)) == (rules.rocket >> (4 * RANK_BLACK)) and (
        kind_of(last) != ROCKET and has_kind(rules, ROCKET))


cdef inline bint is_family(int kind) noexcept nogil:
    return kind != BOMB and kind != ROCKET


# ---- dispatch ---------------------------------------------------------------------------------------


cdef void look_at(const rules_t* rules, cards_t cards, hand_t* hand) noexcept nogil:
    cdef cards_t loose = cards
    hand.cards = cards
    hand.quads = held(cards, 4)
    if rules.held_quads:
        loose &= ~(hand.quads * 15)
    hand.may[1] = held(loose, 1)
    hand.may[2] = held(loose, 2)
    hand.may[3] = held(loose, 3)
    hand.may[4] = held(loose, 4)
    hand.one_joker = not rules.both_jokers and (hand.may[1] >> (4 * RANK_BLACK)) == 0x11


cdef void tally(
    const rules_t* rules, const hand_t* hand, uint64_t last, tally_t* counts
) noexcept nogil:
    cdef int kind, size
    cdef uint32_t total = 0
    if kind_of(last) == PASS:
        for kind in range(SINGLE, N_KINDS):
            counts.of[kind] = 0
            if has_kind(rules, kind) and is_family(kind):
                counts.of[kind] = count_family(rules, hand, kind, shape(kind).min_length,
                                               rules.max_length[kind], all_ranks())
                total += counts.of[kind]
    else:
        total = 1
        kind = kind_of(last)
        if is_family(kind):
            counts.of[kind] = count_family(rules, hand, kind, length_of(last), length_of(last),
                                           above(main_rank(last)))
            total += counts.of[kind]
    counts.of[BOMB] = 0
    if hand.quads and has_kind(rules, BOMB):
        for size in range(4, rules.max_bomb + 1):
            counts.of[BOMB] += n_ranks(bomb_ranks(hand, size, last))
    counts.of[ROCKET] = plays_rocket(rules, hand, last)
    counts.total = total + counts.of[BOMB] + counts.of[ROCKET]


cdef void pick(
    const rules_t* rules, const hand_t* hand, uint64_t last, const tally_t* counts, uint32_t index,
    move_t* out
) noexcept nogil:
    cdef int kind = kind_of(last)
    cdef int size
    cdef cards_t low
    cdef uint32_t n
    if kind == PASS:
        kind = SINGLE
        while index >= counts.of[kind]:
            index -= counts.of[kind]
            kind += 1
        if is_family(kind):
            pick_family(rules, hand, kind, shape(kind).min_length, all_ranks(), index, out)
            return
    else:
        if index == 0:
            out.cards = 0
            out.meta = 0
            return
        index -= 1
        if is_family(kind):
            if index < counts.of[kind]:
                pick_family(rules, hand, kind, length_of(last), above(main_rank(last)), index, out)
                return
            index -= counts.of[kind]
        kind = BOMB
        if index >= counts.of[BOMB]:
            kind = ROCKET
    if kind == ROCKET:
        out.cards = rules.rocket
        out.meta = meta_of(ROCKET, RANK_RED, 1, n_cards(rules.rocket))
        return
    size = 4
    while True:
        n = n_ranks(bomb_ranks(hand, size, last))
        if index < n:
            break
        index -= n
        size += 1
    low = pick_subset(bomb_ranks(hand, size, last), 1, 1, index)
    out.cards = low * <uint64_t>size
    out.meta = meta_of(BOMB, rank_of(low), 1, size)


cdef uint32_t count_moves(const rules_t* rules, cards_t cards, uint64_t last) noexcept nogil:
    cdef hand_t hand
    cdef tally_t counts
    look_at(rules, cards, &hand)
    tally(rules, &hand, last, &counts)
    return counts.total


cdef move_t* list_power(
    const rules_t* rules, const hand_t* hand, uint64_t last, move_t* out
) noexcept nogil:
    """Bombs, then the rocket."""
    cdef ranks_t ranks, low
    cdef int size
    if hand.quads and has_kind(rules, BOMB):
        for size in range(4, rules.max_bomb + 1):
            ranks = bomb_ranks(hand, size, last)
            while ranks:
                low = ranks & (0 - ranks)
                ranks ^= low
                out.cards = low * <uint64_t>size
                out.meta = meta_of(BOMB, rank_of(low), 1, size)
                out += 1
    if plays_rocket(rules, hand, last):
        out.cards = rules.rocket
        out.meta = meta_of(ROCKET, RANK_RED, 1, n_cards(rules.rocket))
        out += 1
    return out


cdef move_t* generate(
    const rules_t* rules, cards_t cards, uint64_t last, move_t* out
) noexcept nogil:
    cdef hand_t hand
    cdef int kind = kind_of(last)
    look_at(rules, cards, &hand)
    if kind == PASS:
        for kind in range(SINGLE, BOMB):
            if has_kind(rules, kind):
                out = list_family(rules, &hand, kind, shape(kind).min_length,
                                  rules.max_length[kind], all_ranks(), out)
        out = list_power(rules, &hand, last, out)
        for kind in range(SHUTTLE, N_KINDS):
            if has_kind(rules, kind):
                out = list_family(rules, &hand, kind, shape(kind).min_length,
                                  rules.max_length[kind], all_ranks(), out)
        return out
    out.cards = 0
    out.meta = 0
    out += 1
    if is_family(kind):
        out = list_family(rules, &hand, kind, length_of(last), length_of(last),
                          above(main_rank(last)), out)
    return list_power(rules, &hand, last, out)
