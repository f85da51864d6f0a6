"""What a set of cards is as a play."""

from ddz_core._types cimport *


cdef bint is_reading(const rules_t* rules, cards_t cards, uint64_t meta) noexcept nogil:
    cdef int kind = kind_of(meta)
    cdef int rank = main_rank(meta)
    cdef int length = length_of(meta)
    cdef const shape_t* form
    cdef ranks_t main
    cdef cards_t rest
    if kind == PASS or kind >= N_KINDS or not (rules.kinds >> kind) & 1:
        return False
    if rank >= N_RANKS or size_of(meta) != n_cards(cards):
        return False
    if kind == ROCKET:
        return cards == rules.rocket and rank == RANK_RED and length == 1
    if kind == BOMB:
        return (4 <= size_of(meta) <= rules.max_bomb and length == 1
                and cards == <cards_t>size_of(meta) << (4 * rank))
    form = shape(kind)
    if length < form.min_length or length > rules.max_length[kind]:
        return False
    if form.min_length > 1 and (rank >= CHAIN_RANKS or rank + 1 < length):
        return False
    if size_of(meta) != length * (form.unit + form.kickers * form.group):
        return False
    main = main_ranks_of(meta)
    if not contains(cards, main * form.unit):
        return False
    rest = cards - main * form.unit
    if rest & (main * 15):
        return False
    if form.group == 0:
        return True
    if form.group == 2:
        return rest == 2 * held(rest, 2)
    return are_single_kickers(rules, kind, main, length * form.kickers, rest)


cdef inline bint are_single_kickers(
    const rules_t* rules, int kind, ranks_t main, int m, cards_t rest
) noexcept nogil:
    """Whether these m cards, none of a rank of the main part, may go with it."""
    cdef int cap = rules.quad_cap if kind == QUAD_SINGLES else rules.airplane_cap
    cdef ranks_t beside = (main << 4 | main >> 4) & chain_ranks()
    if m == 1:
        return True
    if held(rest, cap + 1):
        return False
    if kind == AIRPLANE_SINGLES and not rules.extending_kickers and held(rest, 3) & beside:
        return False
    return rules.both_jokers or not (rest & black_joker() and rest & red_joker())


cdef int readings(const rules_t* rules, cards_t cards, move_t* out) noexcept nogil:
    cdef int size = n_cards(cards)
    cdef int n = 0
    cdef int kind, cost, length
    cdef const shape_t* form
    cdef ranks_t starts
    cdef uint64_t meta
    if size == 0:
        return 0
    for kind in range(SINGLE, N_KINDS):
        form = shape(kind)
        if kind == BOMB or kind == ROCKET:
            meta = meta_of(kind, RANK_RED if kind == ROCKET else rank_of(cards), 1, size)
            n = keep_reading(rules, cards, meta, n, out)
            continue
        cost = form.unit + form.kickers * form.group
        length = size // cost
        if length * cost != size or length > CHAIN_RANKS:
            continue

        starts = held(cards, form.unit)
        while starts:
            meta = meta_of(kind, rank_of(starts) + length - 1, length, size)
            n = keep_reading(rules, cards, meta, n, out)
            starts &= starts - 1
    return n


cdef inline int keep_reading(
    const rules_t* rules, cards_t cards, uint64_t meta, int n, move_t* out
) noexcept nogil:
    if is_reading(rules, cards, meta):
        out[n].cards = cards
        out[n].meta = meta
        n += 1
    return n


cdef bint may_play(
    const rules_t* rules, cards_t hand, uint64_t last, const move_t* move
) noexcept nogil:
    cdef ranks_t whole = 0
    if kind_of(move.meta) == PASS:
        return kind_of(last) != PASS
    if not contains(hand, move.cards) or not beats(move.meta, last):
        return False
    if not rules.held_quads:
        return True
    # Four of a rank in hand leave it only as a bomb or as a main part.
    if shape(kind_of(move.meta)).unit == 4:
        whole = main_ranks_of(move.meta)
    return held(hand, 4) & held(move.cards, 1) & ~whole == 0
