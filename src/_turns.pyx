"""The fewest plays that empty a hand when nobody answers, and one split into that many."""

from libc.string cimport memcpy

from ddz_core._types cimport *
from ddz_core._values cimport MoveList, check_hand, compiled, new_move_list, to_cards

# A split is a set of main parts, kickers that go with some of them, and loose singles and pairs.
# The search is a branch and bound over the main parts: first chains, by their lowest rank
# (lay_chains), then triples, quads, bombs and the rocket (lay_cores), then which of them take
# single kickers, which take pairs and which none (attach). Which card goes where is the last
# question (fill, take), asked only when the numbers promise fewer plays than the best split so
# far; it is there that kickers of the main part's own rank, caps on equal kickers and the jokers
# are seen to. Nothing is remembered between hands or branches: the bounds leave few branches.

cdef enum:
    MAX_PARTS = 11          # each has three cards or more, or is the only rocket
    MAX_UNIT = 8
    IMPOSSIBLE = 99         # more plays than any hand takes
    NOWHERE = -2            # neither a rank nor next to one

cdef struct part_t:
    ranks_t ranks
    cards_t kickers
    uint8_t unit            # cards of each rank; 0 for the rocket
    uint8_t length          # number of ranks
    uint8_t slots           # kickers (singles or pairs) that go with it, if any do
    uint8_t group           # 1: they are singles, 2: pairs, 0: it takes none

cdef struct search_t:
    const rules_t* rules
    const int* closed       # price of a rank by its count, no chain to come
    const int* open         # the same with chains to come
    cards_t locked          # fours that may only be played together
    cards_t rocket          # if it is held
    int reach[5]            # highest rank of the last chain of each unit
    int n
    part_t parts[MAX_PARTS]
    int best                # plays of the best split so far, which is:
    int n_best
    part_t best_parts[MAX_PARTS]
    cards_t best_loose


# ---- prices --------------------------------------------------------------------------------------
#
# plays = parts + pieces - filled slots, where a piece is a single or a pair, loose or a kicker. So
# plays >= parts + pieces - slots, a sum over ranks: what a rank costs at least, cut in the best way
# for itself, is its price. It may be negative, since a quad brings two slots; so the number of
# parts alone is the other bound.

# First index: whether triples (1), quads (2), both (3) or none (0) ever take kickers.
cdef int CLOSED[4][MAX_COUNT + 1]
cdef int OPEN[4][MAX_COUNT + 1]


cdef int slots_of(int takers, int unit) noexcept:
    """Slots that one rank of a main part brings."""
    return takers & 1 if unit == 3 else takers & 2 if unit == 4 else 0


cdef void _fill_prices() noexcept:
    cdef int takers, count, unit
    for takers in range(4):
        for count in range(MAX_COUNT + 1):
            CLOSED[takers][count] = (count + 1) // 2
            for unit in range(3, count + 1):
                CLOSED[takers][count] = min(
                    CLOSED[takers][count],
                    1 - slots_of(takers, unit) + CLOSED[takers][count - unit])
            OPEN[takers][count] = CLOSED[takers][count]
            for unit in range(1, min(count, 4) + 1):
                OPEN[takers][count] = min(
                    OPEN[takers][count], OPEN[takers][count - unit] - slots_of(takers, unit))


_fill_prices()


cdef inline int takers_of(const rules_t* rules) noexcept nogil:
    cdef uint32_t with_triples = (
        1 << TRIPLE_SINGLE | 1 << TRIPLE_PAIR | 1 << AIRPLANE_SINGLES | 1 << AIRPLANE_PAIRS)
    cdef uint32_t with_quads = (
        1 << QUAD_SINGLES | 1 << QUAD_PAIRS | 1 << SHUTTLE_SINGLES | 1 << SHUTTLE_PAIRS)
    return (1 if rules.kinds & with_triples else 0) | (2 if rules.kinds & with_quads else 0)


# ---- main parts ----------------------------------------------------------------------------------


cdef inline int kind_of_part(int unit, int length, int group) noexcept nogil:
    if unit == 0:
        return ROCKET
    if unit == 3:
        return (AIRPLANE if length > 1 else TRIPLE) + group
    if unit >= 4:
        return SHUTTLE + group if length > 1 else QUAD_SINGLES - 1 + group if group else BOMB
    return (STRAIGHT if length > 1 else SINGLE) - 1 + unit


cdef inline bint exists(const rules_t* rules, int unit, int length, int group) noexcept nogil:
    return (rules.kinds >> kind_of_part(unit, length, group)) & 1


cdef inline int push(search_t* s, ranks_t ranks, int unit, int length) noexcept nogil:
    """Adds a main part; returns how many slots it brings."""
    cdef part_t* part = &s.parts[s.n]
    s.n += 1
    part.ranks = ranks
    part.kickers = 0
    part.unit = unit
    part.length = length
    part.slots = 0
    part.group = 0
    if (unit == 3 or unit == 4) and (
            exists(s.rules, unit, length, 1) or exists(s.rules, unit, length, 2)):
        part.slots = length * (unit - 2)
    return part.slots


cdef inline ranks_t chainable(search_t* s, cards_t cards, int unit) noexcept nogil:
    """Ranks that a chain of this unit may have."""
    if not exists(s.rules, unit, 2, 0):
        return 0
    return held(cards if unit == 4 else cards & ~s.locked, unit) & chain_ranks()


cdef inline ranks_t chain_starts(ranks_t ranks, int unit) noexcept nogil:
    """Where a straight (five ranks), a pair straight (three) or another chain (two) may start."""
    cdef ranks_t twos = ranks & ranks >> 4
    if unit == 1:
        return twos & twos >> 8 & ranks >> 16
    return twos & ranks >> 8 if unit == 2 else twos


cdef void lay_chains(
    search_t* s, cards_t cards, int first, int unit, int length, int price
) noexcept nogil:
    """Every set of further chains after one of this unit and length from rank `first`.

    `cards` are those in no part yet, `price` is that of the parts. Chains come in the order of
    start (rising), unit (falling) and length (rising).
    """
    cdef ranks_t ranks[5]
    cdef ranks_t starts = 0
    cdef int whole = price          # bound without further chains
    cdef int bound = price + 1      # bound with one or more, which start at `rank` or higher
    cdef int rank, start, u, count
    for rank in range(N_RANKS):
        count = count_of(cards, rank)
        whole += s.closed[count]
        bound += s.closed[count] if rank < first else s.open[count]
    for u in range(1, 5):
        ranks[u] = chainable(s, cards, u)
        starts |= chain_starts(ranks[u], u)
    starts &= above(first - 1)
    rank = first
    while starts:
        start = rank_of(starts)
        starts &= starts - 1
        while rank < start:
            count = count_of(cards, rank)
            bound += s.closed[count] - s.open[count]
            rank += 1
        if max(bound, s.n + 1) >= s.best:
            break
        for u in range(unit if start == first else 4, 0, -1):
            lay_from(s, cards, start, u, length if start == first and u == unit else 0,
                     low_bit(~(ranks[u] * 15 >> (4 * start))) >> 2, price)
    # Longer chains came first, so this often fails at once.
    if whole < s.best:
        lay_rocket(s, cards, whole)


cdef void lay_from(
    search_t* s, cards_t cards, int start, int unit, int last, int longest, int price
) noexcept nogil:
    """Chains of one unit and start, not shorter than the last of them that was laid.

    Straights that overlap may swap their upper ends, so their ends are laid in the order of their
    starts; two that follow each other are one straight and two that are equal one pair straight.
    Pair straights likewise, except that they may be equal. Not so chains with kickers, since it
    matters which play a kicker goes with.
    """
    cdef int shortest = max(last, shape(kind_of_part(unit, 2, 0)).min_length)
    cdef int reach = s.reach[unit]
    cdef int slots
    cdef ranks_t main
    if unit <= 2:
        if start == reach + 1:
            return
        shortest = max(shortest, reach + 1 - start, last + 1 if unit == 1 else 0)
    while longest >= shortest:
        main = run_of(longest) << (4 * start)
        slots = push(s, main, unit, longest)
        s.reach[unit] = start + longest - 1
        lay_chains(s, cards - main * unit, start, unit, longest, price + 1 - slots)
        s.n -= 1
        longest -= 1
    s.reach[unit] = reach


cdef void lay_rocket(search_t* s, cards_t cards, int price) noexcept nogil:
    """The rocket and all other parts of one rank; then the same with the jokers as other cards."""
    cdef ranks_t ranks = held(cards, 3)
    if s.rocket:
        push(s, red_joker(), 0, 1)
        lay_cores(s, cards - s.rocket, ranks, MAX_UNIT, price)
        s.n -= 1
        price += 1
    lay_cores(s, cards, ranks, MAX_UNIT, price)


cdef void lay_cores(
    search_t* s, cards_t cards, ranks_t ranks, int largest, int price
) noexcept nogil:
    """Every choice of triples, quads and bombs from `ranks`, at most `largest` of the lowest one.

    Cards of other ranks are pieces by now. `price` is the bound of the whole split.
    """
    cdef ranks_t low = ranks & (0 - ranks)
    cdef int count, unit, slots
    if max(price, s.n) >= s.best:
        return
    if ranks == 0:
        attach_all(s, cards)
        return
    count = (cards >> low_bit(low)) & 15
    price -= s.closed[count]
    for unit in range(min(count, largest), 2, -1):
        slots = push(s, low, unit, 1)
        lay_cores(s, cards - low * <uint64_t>unit, ranks, unit,
                  price + 1 - slots + s.closed[count - unit])
        s.n -= 1
    # Of a locked rank nothing may be left, so all four went into one part.
    if count == 0 or not low & s.locked:
        lay_cores(s, cards, ranks ^ low, MAX_UNIT, price + (count + 1) // 2)


# ---- kickers -------------------------------------------------------------------------------------


cdef inline int n_odd(cards_t cards) noexcept nogil:
    """Ranks with a single card beside their pairs."""
    return n_ranks(cards & all_ranks())


cdef inline int n_pairs(cards_t cards) noexcept nogil:
    return n_cards(cards & ~all_ranks()) // 2


cdef inline int fewest_loose(int odd, int pairs, int as_single, int as_pair) noexcept nogil:
    """Pieces that stay loose at best when so many singles and pairs go as kickers, of any rank."""
    cdef int broken
    if as_single <= odd:
        return odd - as_single + pairs - as_pair if as_pair <= pairs else IMPOSSIBLE
    as_single -= odd
    broken = (as_single + 1) // 2
    return pairs - as_pair - as_single // 2 if as_pair + broken <= pairs else IMPOSSIBLE


cdef void attach_all(search_t* s, cards_t cards) noexcept nogil:
    cdef int i
    cdef int slots = 0
    for i in range(s.n):
        slots += s.parts[i].slots
    attach(s, 0, cards, n_odd(cards), n_pairs(cards), slots, 0, 0)


cdef void attach(
    search_t* s, int i, cards_t cards, int odd, int pairs, int slots, int as_single, int as_pair
) noexcept nogil:
    """Every choice of pairs, singles or nothing for the `slots` of the parts from i on."""
    cdef part_t* part
    cdef int group
    while i < s.n and s.parts[i].slots == 0:
        i += 1
    if s.n + odd + pairs - as_single - as_pair - slots >= s.best:
        return
    if as_pair > pairs or as_single + 2 * as_pair > odd + 2 * pairs:
        return
    if i == s.n:
        # Each round finds a better split.
        while (s.n + fewest_loose(odd, pairs, as_single, as_pair) < s.best
               and fill(s, 0, cards, as_single, as_pair)):
            pass
        return
    part = &s.parts[i]
    for group in range(2, -1, -1):
        if group == 0 or exists(s.rules, part.unit, part.length, group):
            part.group = group
            attach(s, i + 1, cards, odd, pairs, slots - part.slots,
                   as_single + (part.slots if group == 1 else 0),
                   as_pair + (part.slots if group == 2 else 0))


cdef bint fill(search_t* s, int i, cards_t cards, int as_single, int as_pair) noexcept nogil:
    """Gives the parts from i on their kickers; keeps the first split that beats the best."""
    cdef part_t* part
    cdef ranks_t ranks
    cdef int plays
    while i < s.n and s.parts[i].group == 0:
        i += 1
    if i < s.n:
        part = &s.parts[i]
        ranks = held(cards, part.group) & ~part.ranks
        return take(s, i, part.slots, ranks & cards, ranks & ~cards, cards, as_single, as_pair)
    plays = s.n + n_odd(cards) + n_pairs(cards)
    if plays >= s.best:
        return False
    s.best = plays
    s.n_best = s.n
    s.best_parts = s.parts
    s.best_loose = cards
    return True


cdef inline int most_kickers(
    const rules_t* rules, const part_t* part, ranks_t rank, cards_t cards
) noexcept nogil:
    """How many kickers of one rank may go with the part, out of these cards."""
    cdef int most
    if part.group == 2 or part.slots == 1:
        return 1
    most = rules.quad_cap if part.unit == 4 and part.length == 1 else rules.airplane_cap
    if part.unit == 3 and not rules.extending_kickers:
        if rank & (part.ranks << 4 | part.ranks >> 4) & chain_ranks():
            most = min(most, 2)
    return min(most, <int>(cards >> low_bit(rank)) & 15)


cdef bint take(
    search_t* s, int i, int need, ranks_t odd, ranks_t even, cards_t cards, int as_single,
    int as_pair
) noexcept nogil:
    """Chooses `need` more kickers for part i, from ranks `odd` first: a pair is better whole."""
    cdef part_t* part = &s.parts[i]
    cdef cards_t before = part.kickers
    cdef cards_t kickers
    cdef ranks_t rank, barred
    cdef int k
    cdef bint found = False
    if need == 0:
        return fill(s, i + 1, cards, as_single, as_pair)
    if s.n + fewest_loose(n_odd(cards), n_pairs(cards), as_single, as_pair) >= s.best:
        return False
    while (odd or even) and not found:
        rank = odd & (0 - odd) if odd else even & (0 - even)
        odd &= ~rank
        even &= ~rank
        barred = black_joker() | red_joker()
        if part.group == 2 or s.rules.both_jokers or not rank & barred:
            barred = 0
        for k in range(1, min(need, most_kickers(s.rules, part, rank, cards)) + 1):
            kickers = rank * <uint64_t>(k * part.group)
            part.kickers = before + kickers
            found = take(s, i, need - k, odd & ~barred, even & ~barred, cards - kickers,
                         as_single - k * (part.group == 1), as_pair - k * (part.group == 2))
            if found:
                break
    part.kickers = before
    return found


# ---- answers -------------------------------------------------------------------------------------


cdef void search(search_t* s, const rules_t* rules, cards_t cards) noexcept nogil:
    cdef int unit
    s.rules = rules
    s.closed = CLOSED[takers_of(rules)]
    s.open = OPEN[takers_of(rules)]
    s.locked = held(cards, 4) * 15 if rules.held_quads else 0
    s.rocket = 0
    if exists(rules, 0, 1, 0) and contains(cards, rules.rocket):
        s.rocket = rules.rocket
    for unit in range(5):
        s.reach[unit] = NOWHERE
    s.n = 0
    s.best = IMPOSSIBLE
    lay_chains(s, cards, 0, 4, 0, -1 if s.rocket else 0)


cdef int min_turns_of(const rules_t* rules, cards_t cards) noexcept nogil:
    cdef search_t s
    search(&s, rules, cards)
    return s.best


cdef inline uint64_t order_of(uint64_t meta) noexcept nogil:
    return (<uint64_t>kind_of(meta) << 24 | length_of(meta) << 16 | size_of(meta) << 8
            | main_rank(meta))


cdef void insert(move_t* moves, int n, const part_t* part, const rules_t* rules) noexcept nogil:
    """Puts a part with its kickers among the n moves in their order."""
    cdef move_t move
    move.cards = part.ranks * part.unit + part.kickers if part.unit else rules.rocket
    move.meta = meta_of(kind_of_part(part.unit, part.length, part.group),
                        rank_of(part.ranks) + part.length - 1, part.length, n_cards(move.cards))
    while n and (order_of(moves[n - 1].meta) > order_of(move.meta) or (
            moves[n - 1].meta == move.meta and moves[n - 1].cards > move.cards)):
        moves[n] = moves[n - 1]
        n -= 1
    moves[n] = move


cdef int split_of(const rules_t* rules, cards_t cards, move_t* out) noexcept nogil:
    cdef search_t s
    cdef ranks_t ranks
    cdef int n
    search(&s, rules, cards)
    for n in range(s.n_best):
        insert(out, n, &s.best_parts[n], rules)
    s.n = 0
    for n in range(s.n_best, s.best):
        ranks = held(s.best_loose, 1)
        ranks &= 0 - ranks
        push(&s, ranks, 2 if ranks & held(s.best_loose, 2) else 1, 1)
        s.n = 0
        s.best_loose -= ranks * s.parts[0].unit
        insert(out, n, &s.parts[0], rules)
    return s.best


def min_turns(hand, rules=None):
    """Fewest plays that empty a hand when nobody answers.

    Parameters
    ----------
    hand : Hand or str
        The cards, at most ``rules.max_hand``.
    rules : Rules or str, optional
        Rule set or preset name; standard by default.

    Returns
    -------
    int
        0 for no cards.

    Raises
    ------
    InvalidCardsError
        Cards that are no hand of the rule set.
    DdzError
        No preset of that name.
    TypeError
        A value of the wrong type.

    Notes
    -----
    Exact under every rule set. On one core of a 2-core EPYC a random hand of 17 cards takes about
    0.3 µs beyond the call, one of 20 cards 0.6 µs, one of 33 cards (four players) 17 µs; the
    slowest hands that hill climbing found take 15 µs (20 cards) and 0.4 ms (33 cards; 5 ms under
    custom rules where two packs have triple_single). No memory is allocated: the search keeps less
    than 10 kB on the stack. ``benchmarks/turns.py`` measures it.
    """
    cdef CompiledRules core = compiled(rules)
    cdef cards_t cards = to_cards(hand, "hand")
    cdef int turns
    check_hand(cards, core, "hand")
    with nogil:
        turns = min_turns_of(&core.c, cards)
    return turns


def decompose(hand, rules=None):
    """One split of a hand into as few plays as `min_turns` says.

    Parameters
    ----------
    hand : Hand or str
        The cards, at most ``rules.max_hand``.
    rules : Rules or str, optional
        Rule set or preset name; standard by default.

    Returns
    -------
    MoveList
        Plays in the order of `legal_moves`: by kind, chain length, size and main rank. They may be
        played in any order. Which of several such splits it is does not depend on anything but the
        hand and the rules, but may differ between versions of this library.

    Raises
    ------
    InvalidCardsError
        Cards that are no hand of the rule set.
    DdzError
        No preset of that name.
    TypeError
        A value of the wrong type.
    """
    cdef CompiledRules core = compiled(rules)
    cdef cards_t cards = to_cards(hand, "hand")
    cdef move_t split[MAX_TURNS]
    cdef MoveList moves
    cdef int n
    check_hand(cards, core, "hand")
    with nogil:
        n = split_of(&core.c, cards, split)
    moves = new_move_list(n)
    memcpy(moves.moves, split, n * sizeof(move_t))
    return moves
