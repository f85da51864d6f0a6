"""The built-in players: which move, which bid."""

from ddz_core._classify cimport MAX_READINGS, may_play, readings
from ddz_core._generate cimport (
    MAX_MOVES_ONE_PACK, count_moves, draw, generate, nth_move, plays_rocket, reply_starts, runs,
)
from ddz_core._position cimport NOBODY, Position, position_t
from ddz_core._rng cimport below, rng_t
from ddz_core._turns cimport MAX_TURNS, min_turns_of, split_of
from ddz_core._types cimport *
from ddz_core._values cimport Hand, Move, MoveList, compiled, new_move

from ddz_core.errors import DdzError, PhaseError

cdef enum:
    # Main parts that beat one play, and all bombs of any size, with room to spare.
    MAX_CANDIDATES = 64
    # Cards short of the goal with which a seat is about to go out.
    CLOSE = 2


# ---- what a seat knows ---------------------------------------------------------------------------


cdef inline bint deals_all(const rules_t* rules) noexcept nogil:
    return rules.n_seats * rules.hand_size + rules.kitty_size == n_cards(rules.deck)


cdef void look(const rules_t* rules, const position_t* p, view_t* v) noexcept nogil:
    """What the seat to move knows of a position."""
    cdef int seat
    v.rules = rules
    v.hand = p.hands[p.turn]
    v.unseen = 0
    v.last = p.last
    v.n_seats = p.n_seats
    v.landlord = p.landlord
    v.seat = p.turn
    v.passes = p.passes
    v.target = p.target
    for seat in range(p.n_seats):
        v.left[seat] = n_cards(p.hands[seat])
        if seat != p.turn:
            v.unseen += p.hands[seat]
    if not deals_all(rules):
        v.unseen = rules.deck - v.hand


cdef inline bint is_opponent(const view_t* v, int seat) noexcept nogil:
    return (seat == v.landlord) != (v.seat == v.landlord)


cdef inline bint is_partner(const view_t* v, int seat) noexcept nogil:
    return seat != v.seat and not is_opponent(v, seat)


cdef inline int needs(const view_t* v, int seat) noexcept nogil:
    """Cards that a seat must still shed to win."""
    return v.left[seat] - (0 if seat == v.landlord else v.target)


cdef inline int following(const view_t* v, int seat) noexcept nogil:
    return 0 if seat + 1 == v.n_seats else seat + 1


cdef inline int author(const view_t* v) noexcept nogil:
    """The seat that made the play to beat."""
    return (v.seat + 2 * v.n_seats - 1 - v.passes) % v.n_seats


cdef inline int fewest_needed(const view_t* v) noexcept nogil:
    """Cards that the opponent closest to his goal must still shed."""
    cdef int seat
    cdef int fewest = n_cards(v.rules.deck)
    for seat in range(v.n_seats):
        if is_opponent(v, seat):
            fewest = min(fewest, needs(v, seat))
    return fewest


# ---- moves to look at ----------------------------------------------------------------------------


cdef inline void make_pass(move_t* out) noexcept nogil:
    out.cards = 0
    out.meta = 0


cdef inline bint is_bomb(uint64_t meta) noexcept nogil:
    return kind_of(meta) == BOMB or kind_of(meta) == ROCKET


cdef inline int take_kickers(
    const move_t* parts, int n, int kind, int group, int cap, int need, ranks_t main,
    cards_t* kickers
) noexcept nogil:
    """Takes kickers from the parts of a kind, low ones first; returns how many are still needed."""
    cdef ranks_t rank
    cdef int i, k
    for i in range(n):
        if need == 0:
            break
        rank = main_ranks_of(parts[i].meta)
        if kind_of(parts[i].meta) == kind and not rank & main:
            k = min(min(need, cap), <int>size_of(parts[i].meta) // group)
            kickers[0] += rank * <uint64_t>(k * group)
            need -= k
    return need


cdef bint add_kickers(const view_t* v, ranks_t main, move_t* move) noexcept nogil:
    """Gives a main part the kickers that the rest misses least; False if none are found."""
    cdef move_t parts[MAX_TURNS]
    cdef int kind = kind_of(move.meta)
    cdef int group = shape(kind).group
    cdef int need = length_of(move.meta) * shape(kind).kickers
    cdef int cap = v.rules.quad_cap if kind == QUAD_SINGLES else v.rules.airplane_cap
    cdef cards_t rest = v.hand - move.cards
    cdef cards_t kickers = 0
    cdef int n = split_of(v.rules, rest, parts)
    cdef ranks_t ranks, rank
    if group == 1:
        need = take_kickers(parts, n, SINGLE, 1, 1, need, main, &kickers)
        need = take_kickers(parts, n, PAIR, 1, cap, need, main, &kickers)
    else:
        need = take_kickers(parts, n, PAIR, 2, 1, need, main, &kickers)
    ranks = held(rest, group) & ~main & ~held(kickers, 1)
    while need and ranks:
        rank = ranks & (0 - ranks)
        ranks ^= rank
        kickers += rank * <uint64_t>group
        need -= 1
    move.cards += kickers
    return need == 0 and may_play(v.rules, v.hand, v.last.meta, move)


cdef int same_kind(const view_t* v, move_t* out) noexcept nogil:
    """One play for each main part that beats the last play, the lowest first; returns how many."""
    cdef uint64_t last = v.last.meta
    cdef int length = length_of(last)
    cdef const shape_t* form = shape(kind_of(last))
    cdef ranks_t starts = reply_starts(v.rules, v.hand, last)
    cdef ranks_t main
    cdef int n = 0
    while starts:
        main = (starts & (0 - starts)) * run_of(length)
        out[n].cards = main * form.unit
        out[n].meta = with_rank(last, rank_of(starts) + length - 1)
        starts &= starts - 1
        n += form.group == 0 or add_kickers(v, main, &out[n])
    return n


cdef int bombs(const view_t* v, move_t* out) noexcept nogil:
    """Every bomb, and the rocket, that beats the last play, the lowest first; returns how many."""
    cdef ranks_t ranks
    cdef int size
    cdef int n = 0
    for size in range(4, v.rules.max_bomb + 1):
        ranks = held(v.hand, size)
        while ranks:
            out[n].cards = (ranks & (0 - ranks)) * <uint64_t>size
            out[n].meta = meta_of(BOMB, rank_of(ranks), 1, size)
            ranks &= ranks - 1
            n += beats(out[n].meta, v.last.meta)
    if plays_rocket(v.rules, v.hand, v.last.meta):
        out[n].cards = v.rules.rocket
        out[n].meta = meta_of(ROCKET, RANK_RED, 1, n_cards(v.rules.rocket))
        n += 1
    return n


cdef inline bint has_answer(const view_t* v) noexcept nogil:
    """False only where passing is the one legal move."""
    return (reply_starts(v.rules, v.hand, v.last.meta) | held(v.hand, 4)) != 0 or plays_rocket(
        v.rules, v.hand, v.last.meta)


cdef bint last_play(const view_t* v, move_t* out) noexcept nogil:
    """Finds a move that empties the hand."""
    cdef move_t whole[MAX_READINGS]
    cdef int left = v.left[v.seat]
    cdef int i
    if v.last.meta and left != <int>size_of(v.last.meta) and left > MAX_COUNT:
        return False
    for i in range(readings(v.rules, v.hand, whole)):
        if may_play(v.rules, v.hand, v.last.meta, &whole[i]):
            out[0] = whole[i]
            return True
    return False


cdef bint wins_at_once(const view_t* v, move_t* out) noexcept nogil:
    """Finds a move that ends the game."""
    cdef move_t moves[MAX_MOVES_ONE_PACK]
    cdef int need = needs(v, v.seat)
    cdef uint32_t n, i
    if need == v.left[v.seat]:
        return last_play(v, out)
    n = count_moves(v.rules, v.hand, v.last.meta)
    if n <= MAX_MOVES_ONE_PACK:
        generate(v.rules, v.hand, v.last.meta, moves)
    for i in range(n):
        if n <= MAX_MOVES_ONE_PACK:
            out[0] = moves[i]
        else:
            nth_move(v.rules, v.hand, v.last.meta, i, out)
        if <int>size_of(out.meta) >= need:
            return True
    return False


# ---- greedy --------------------------------------------------------------------------------------
#
# As few turns as possible. The numbers below were tried against each other over 20,000 deals each.

cdef enum:
    # What makes a part of the split be led late: a high rank, and few cards.
    LEAD_RANK = 7
    LEAD_SIZE = 15
    # A bomb is led last, a play that an opponent can just shed before that.
    LEAD_BOMB = 1000
    LEAD_STOPPED = 500
    # Turns that an answer may cost beyond its own, and the same when an opponent is about to go out.
    EXTRA_TURNS = 1
    EXTRA_TURNS_CLOSE = 5
    # A partner's play of this rank or of more cards is left alone.
    PARTNER_RANK = 10
    PARTNER_SIZE = 3


cdef void greedy_lead(const view_t* v, move_t* out) noexcept nogil:
    cdef move_t parts[MAX_TURNS]
    cdef int n = split_of(v.rules, v.hand, parts)
    cdef int close = fewest_needed(v)
    cdef int least = 1 << 30
    cdef int i, late, size
    for i in range(n):
        size = size_of(parts[i].meta)
        late = LEAD_RANK * main_rank(parts[i].meta) - LEAD_SIZE * size
        if is_bomb(parts[i].meta):
            # Nothing beats the rocket, so it may open the way for the last play.
            late += -LEAD_BOMB if n == 2 and kind_of(parts[i].meta) == ROCKET else LEAD_BOMB
        elif size == close and close <= CLOSE:
            late = LEAD_STOPPED - main_rank(parts[i].meta)
        if late < least:
            least = late
            out[0] = parts[i]


cdef void greedy_answer(const view_t* v, move_t* out) noexcept nogil:
    cdef move_t moves[MAX_CANDIDATES]
    cdef int by = author(v)
    cdef bint partner = is_partner(v, by)
    cdef bint close = not partner and fewest_needed(v) <= CLOSE
    cdef int most = EXTRA_TURNS_CLOSE if close else EXTRA_TURNS
    cdef int n_same, n, turns, rest, i
    make_pass(out)
    if partner and (main_rank(v.last.meta) >= PARTNER_RANK or needs(v, by) <= CLOSE
                    or <int>size_of(v.last.meta) > PARTNER_SIZE):
        return
    n_same = same_kind(v, moves)
    n = n_same + bombs(v, moves + n_same)
    turns = min_turns_of(v.rules, v.hand)
    for i in range(n):
        rest = min_turns_of(v.rules, v.hand - moves[i].cards)
        if i >= n_same and rest > 1 and not close:
            continue
        if rest + 1 - turns <= most:
            # Of equal ones the first, which is the lowest.
            most = rest - turns
            out[0] = moves[i]


cdef void choose_greedy(const view_t* v, move_t* out) noexcept nogil:
    if v.last.meta and not has_answer(v):
        make_pass(out)
    elif wins_at_once(v, out):
        return
    elif v.last.meta:
        greedy_answer(v, out)
    else:
        greedy_lead(v, out)


# ---- rule: what the others may hold --------------------------------------------------------------
#
# Chances are whole numbers out of 256, and values are hundredths of a turn or so. The numbers
# below were found by hill climbing over some hundreds of thousands of deals (docs/policies.md).

cdef enum:
    SURE = 256
    SHARES = 16
    # Of 256: how likely who holds a bomb is to spend it on a play.
    BOMB_WILL = 24
    # What a part of the split costs, and what it costs besides if it is sure to be beaten.
    PART_COST = 8
    BEATEN_COST = 266
    # What bombs and the rocket are worth unplayed.
    BOMB_WORTH = 400
    ROCKET_WORTH = 200
    # What it costs that an opponent leads next, by how many cards he must still shed: 1, 2, to 4, more.
    LEAD_LOST_1 = 1600
    LEAD_LOST_2 = 266
    LEAD_LOST_4 = 266
    LEAD_LOST = 80
    # What it is worth to lead with all parts but one sure to stand, and the risk that voids it.
    FINISH = 600
    FINISH_RISK = 95
    # What makes a lead better: cards, a low rank, and a card that lets the partner go out.
    LEAD_CARD = 3
    LEAD_LOW = 6
    LEAD_FEED = 400
    # What it is worth to leave the trick to the partner: always; when he is about to go out; when he
    # then leads his last card; and for each rank and card of his play.
    LEAVE = 144
    LEAVE_CLOSE = 100
    LEAVE_WON = 2000
    LEAVE_RANK = 5
    LEAVE_CARD = 20
    # Of 256: how likely a partner who can beat an opponent's play is to do so.
    PARTNER_WILL = 64
    # Side pairs from queens up are worth freeing.
    FREED_PAIR = 9

# HOLD[share][k][n]: the chance that who holds share / SHARES of the unseen cards has at least k of n.
cdef short HOLD[SHARES + 1][MAX_COUNT + 1][MAX_COUNT + 1]


cdef int _fill_hold() except -1:
    from math import comb

    for share in range(SHARES + 1):
        for k in range(MAX_COUNT + 1):
            for n in range(MAX_COUNT + 1):
                ways = sum([comb(n, i) * share**i * (SHARES - share)**(n - i)
                            for i in range(k, n + 1)])
                HOLD[share][k][n] = SURE * ways // SHARES**n
    return 0


_fill_hold()

cdef struct odds_t:
    int lead_lost                           # what it costs now that an opponent leads next
    int share[MAX_SEATS]
    int bombless[MAX_SEATS]                 # chance that the seat has no bomb
    int miss[MAX_SEATS][4][N_RANKS]         # that it has no k cards of any rank above this one


cdef inline int unless(int chance, int event) noexcept nogil:
    """The chance that neither this nor an independent event happens."""
    return chance * (SURE - event) >> 8


cdef inline int without_rocket(const view_t* v, const odds_t* o, int seat) noexcept nogil:
    cdef int jokers = n_cards(v.rules.rocket)
    if not contains(v.unseen, v.rules.rocket):
        return SURE
    return SURE - HOLD[o.share[seat]][jokers][jokers]


cdef void weigh(const view_t* v, odds_t* o) noexcept nogil:
    cdef int total = max(1, n_cards(v.unseen))
    cdef int fewest = fewest_needed(v)
    cdef int seat, k, rank, share, without, higher
    o.lead_lost = LEAD_LOST
    if fewest <= 4:
        o.lead_lost = (LEAD_LOST_4 if fewest > CLOSE else LEAD_LOST_2 if fewest == CLOSE
                       else LEAD_LOST_1)
    for seat in range(v.n_seats):
        if seat == v.seat:
            continue
        share = (SHARES * v.left[seat] + total // 2) // total
        share = max(1, min(SHARES, share))
        o.share[seat] = share
        without = without_rocket(v, o, seat)
        for rank in range(RANK_BLACK):
            without = unless(without, HOLD[share][4][count_of(v.unseen, rank)])
        o.bombless[seat] = without
        for k in range(1, 4):
            without = SURE
            for rank in range(N_RANKS - 1, -1, -1):
                o.miss[seat][k][rank] = without
                without = unless(without, HOLD[share][k][count_of(v.unseen, rank)])
        if v.left[seat] <= CLOSE:
            # Here the exact chance matters.
            higher = 0
            for rank in range(N_RANKS - 1, -1, -1):
                without = SURE * (total - higher) // total
                if v.left[seat] == 2:
                    without = without * (total - higher - 1) // max(1, total - 1)
                o.miss[seat][1][rank] = max(0, without)
                higher += count_of(v.unseen, rank)


cdef int without_chain(
    const view_t* v, const odds_t* o, uint64_t meta, int seat
) noexcept nogil:
    """The chance that a seat has no main part of this kind and length above this one."""
    cdef int unit = shape(kind_of(meta)).unit
    cdef int length = length_of(meta)
    cdef ranks_t starts = held(v.unseen, unit)
    cdef int without = SURE
    cdef int chance, start, i
    if length > 1:
        starts = runs(starts & chain_ranks(), length)
    starts &= above(main_rank(meta) + 1 - length)
    while starts:
        start = rank_of(starts)
        starts &= starts - 1
        chance = SURE
        for i in range(length):
            chance = chance * HOLD[o.share[seat]][unit][count_of(v.unseen, start + i)] >> 8
        without = unless(without, chance)
    return without


cdef int without_bomb(const view_t* v, const odds_t* o, uint64_t meta, int seat) noexcept nogil:
    """The chance that a seat has no bomb above this one."""
    cdef int without = without_rocket(v, o, seat)
    cdef int rank, size
    for rank in range(RANK_BLACK):
        size = size_of(meta) + (rank <= main_rank(meta))
        if size <= MAX_COUNT:
            without = unless(without, HOLD[o.share[seat]][size][count_of(v.unseen, rank)])
    return without


cdef int stands(const view_t* v, const odds_t* o, uint64_t meta, int seat) noexcept nogil:
    """The chance that a seat does not beat a play."""
    cdef int kind = kind_of(meta)
    cdef int without = SURE
    if kind == ROCKET:
        return SURE
    if kind == BOMB:
        return without_bomb(v, o, meta, seat)
    if v.left[seat] >= size_of(meta):
        if length_of(meta) == 1 and shape(kind).unit < 4:
            without = o.miss[seat][shape(kind).unit][main_rank(meta)]
        else:
            without = without_chain(v, o, meta, seat)
    return unless(without, (SURE - o.bombless[seat]) * BOMB_WILL >> 8)


cdef int risk_of(const view_t* v, const odds_t* o, uint64_t meta) noexcept nogil:
    """The chance that an opponent beats a play."""
    cdef int chance = SURE
    cdef int seat
    for seat in range(v.n_seats):
        if is_opponent(v, seat):
            chance = chance * stands(v, o, meta, seat) >> 8
    return SURE - chance


# ---- rule: what a hand is worth ------------------------------------------------------------------

cdef struct plan_t:
    int n
    int burden                      # sum of the parts' costs
    int risks                       # sum of their chances to be beaten
    int risk[MAX_TURNS]
    move_t parts[MAX_TURNS]


cdef inline int cost_of(uint64_t meta, int risk) noexcept nogil:
    if kind_of(meta) == BOMB:
        return -BOMB_WORTH
    if kind_of(meta) == ROCKET:
        return -ROCKET_WORTH
    return PART_COST + (BEATEN_COST * risk >> 8)


cdef void swap_kicker(const rules_t* rules, move_t* with_kickers, move_t* loose) noexcept nogil:
    """Puts a loose single or pair in the place of a higher kicker, which becomes loose."""
    cdef int kind = kind_of(with_kickers.meta)
    cdef int group = shape(kind).group
    cdef cards_t kickers = with_kickers.cards & ~(main_ranks_of(with_kickers.meta) * 15)
    cdef ranks_t low = main_ranks_of(loose.meta)
    cdef ranks_t high
    cdef int rank = N_RANKS - 1
    if kickers == 0 or held(with_kickers.cards, 1) & low:
        return
    while count_of(kickers, rank) == 0:
        rank -= 1
    high = <ranks_t>1 << (4 * rank)
    if high < low:
        return
    if kind_of(loose.meta) == (SINGLE if group == 1 else PAIR):
        with_kickers.cards += (low - high) * <uint64_t>group
        loose.cards = high * <uint64_t>group
        loose.meta = with_rank(loose.meta, rank)
    elif (kind == TRIPLE_PAIR and kind_of(loose.meta) == SINGLE and rank >= FREED_PAIR
          and (rules.kinds >> TRIPLE_SINGLE) & 1):
        with_kickers.cards += low - 2 * high
        with_kickers.meta = meta_of(TRIPLE_SINGLE, main_rank(with_kickers.meta), 1, 4)
        loose.cards = 2 * high
        loose.meta = meta_of(PAIR, rank, 1, 2)


cdef int split_well(
    const rules_t* rules, cards_t cards, ranks_t kept, move_t* parts
) noexcept nogil:
    """The fewest plays, with low kickers, all cards of the ranks kept being bombs."""
    cdef int n = split_of(rules, cards & ~(kept * 15), parts)
    cdef int i, j, rank
    for i in range(n):
        if shape(kind_of(parts[i].meta)).group:
            for j in range(n):
                swap_kicker(rules, &parts[i], &parts[j])
    while kept:
        rank = rank_of(kept)
        kept &= kept - 1
        parts[n].cards = cards & (<cards_t>15 << (4 * rank))
        parts[n].meta = meta_of(BOMB, rank, 1, count_of(cards, rank))
        n += 1
    return n


cdef void appraise(
    const view_t* v, const odds_t* o, cards_t cards, ranks_t kept, plan_t* plan
) noexcept nogil:
    cdef int i
    plan.n = split_well(v.rules, cards, kept, plan.parts)
    plan.burden = 0
    plan.risks = 0
    for i in range(plan.n):
        plan.risk[i] = risk_of(v, o, plan.parts[i].meta)
        plan.risks += plan.risk[i]
        plan.burden += cost_of(plan.parts[i].meta, plan.risk[i])


cdef void make_plan(const view_t* v, const odds_t* o, cards_t cards, plan_t* plan) noexcept nogil:
    """The better split of two: as few turns as possible, or with all bombs kept whole."""
    cdef plan_t other
    appraise(v, o, cards, 0, plan)
    if held(cards, 4):
        appraise(v, o, cards, held(cards, 4), &other)
        if other.burden < plan.burden:
            plan[0] = other


cdef inline int worst_risk(const plan_t* plan, int but) noexcept nogil:
    cdef int worst = 0
    cdef int i
    for i in range(plan.n):
        if i != but:
            worst = max(worst, plan.risk[i])
    return worst


cdef inline int after(const odds_t* o, int risk, int burden, int open_risk) noexcept nogil:
    """The value of a play that is beaten with this risk and leaves a hand of this burden.

    `open_risk` is the risk that one of the rest's parts is beaten, the worst one not counted: that
    is played last.
    """
    cdef int finish = max(0, FINISH - FINISH * open_risk // FINISH_RISK)
    return (finish * (SURE - risk) >> 8) - burden - (o.lead_lost * risk >> 8)


cdef int value_of(const view_t* v, const odds_t* o, const move_t* move, int risk) noexcept nogil:
    cdef plan_t plan
    make_plan(v, o, v.hand - move.cards, &plan)
    return after(o, risk, plan.burden, plan.risks - worst_risk(&plan, NOBODY))


# ---- rule: moves ---------------------------------------------------------------------------------


cdef int lead_bonus(const view_t* v, const odds_t* o, uint64_t meta, int risk) noexcept nogil:
    """Low, long plays come first, and a card that lets a partner go out."""
    cdef int bonus = LEAD_CARD * <int>size_of(meta) - LEAD_LOW * main_rank(meta)
    cdef int seat, takes
    for seat in range(v.n_seats):
        if is_partner(v, seat) and needs(v, seat) == <int>size_of(meta):
            takes = SURE - stands(v, o, meta, seat)
            if seat != following(v, v.seat):
                takes = unless(takes, risk)
            bonus += LEAD_FEED * takes >> 8
    return bonus


cdef bint anybody_close(const view_t* v) noexcept nogil:
    cdef int seat
    for seat in range(v.n_seats):
        if seat != v.seat and needs(v, seat) <= CLOSE:
            return True
    return False


cdef void rule_lead(const view_t* v, move_t* out) noexcept nogil:
    cdef odds_t o
    cdef plan_t plan
    cdef move_t move
    cdef uint64_t meta
    cdef ranks_t ranks
    cdef int best = -(1 << 30)
    cdef int i, k, risk, value
    weigh(v, &o)
    make_plan(v, &o, v.hand, &plan)
    for i in range(plan.n):
        meta = plan.parts[i].meta
        risk = plan.risk[i]
        value = lead_bonus(v, &o, meta, risk) + after(
            &o, risk, plan.burden - cost_of(meta, risk), plan.risks - risk - worst_risk(&plan, i))
        if value > best:
            best = value
            out[0] = plan.parts[i]
    if not anybody_close(v):
        return
    # Whom a single or a pair stops or lets out, it may be worth tearing something for.
    for k in range(1, 3):
        ranks = held(v.hand, k)
        while ranks:
            move.cards = (ranks & (0 - ranks)) * <uint64_t>k
            move.meta = meta_of(SINGLE if k == 1 else PAIR, rank_of(ranks), 1, k)
            ranks &= ranks - 1
            if may_play(v.rules, v.hand, PASS, &move):
                risk = risk_of(v, &o, move.meta)
                value = lead_bonus(v, &o, move.meta, risk) + value_of(v, &o, &move, risk)
                if value > best:
                    best = value
                    out[0] = move


cdef int value_of_pass(const view_t* v, const odds_t* o) noexcept nogil:
    cdef uint64_t last = v.last.meta
    cdef int by = author(v)
    cdef int seat = following(v, v.seat)
    cdef int chance = SURE
    cdef int bonus = 0
    cdef plan_t plan
    make_plan(v, o, v.hand, &plan)
    while seat != by:
        if is_opponent(v, by) and is_partner(v, seat):
            chance = unless(chance, (SURE - stands(v, o, last, seat)) * PARTNER_WILL >> 8)
        elif is_partner(v, by) and is_opponent(v, seat):
            chance = chance * stands(v, o, last, seat) >> 8
        seat = following(v, seat)
    if is_partner(v, by):
        chance = SURE - chance
        bonus = LEAVE if needs(v, by) > CLOSE else LEAVE_CLOSE
        bonus += LEAVE_RANK * main_rank(last) + LEAVE_CARD * <int>size_of(last)
        if needs(v, by) == 1:
            bonus += LEAVE_WON * (SURE - chance) >> 8
    return bonus - plan.burden - (o.lead_lost * chance >> 8)


cdef void rule_answer(const view_t* v, move_t* out) noexcept nogil:
    cdef odds_t o
    cdef move_t moves[MAX_CANDIDATES]
    cdef int n = same_kind(v, moves)
    cdef int i, value, best
    make_pass(out)
    n += bombs(v, moves + n)
    if n == 0:
        return
    weigh(v, &o)
    best = value_of_pass(v, &o)
    for i in range(n):
        value = value_of(v, &o, &moves[i], risk_of(v, &o, moves[i].meta))
        if value > best:
            best = value
            out[0] = moves[i]


cdef void choose_rule(const view_t* v, move_t* out) noexcept nogil:
    if v.last.meta and not has_answer(v):
        make_pass(out)
    elif wins_at_once(v, out):
        return
    elif v.last.meta:
        rule_answer(v, out)
    else:
        rule_lead(v, out)


# ---- bids ----------------------------------------------------------------------------------------
#
# How likely a hand is to win as the landlord's, as log-odds in hundredths: a sum over what it
# holds. Fitted to deals that the policy itself played; so are the least odds of each bid
# (docs/policies.md).

cdef enum:
    THREE_PLAYERS = 0
    DUEL = 1
    TWO_PACKS = 2
    N_GAMES = 3
    ROB = 5             # the highest Bid

cdef enum:
    N_FEATURES = 8
    START = 0           # then for each R, B, 2, A, K, rank held four times or more, turn
    RED = 1
    BLACK = 2
    TWO = 3
    ACE = 4
    KING = 5
    QUAD = 6
    TURN = 7

# By policy and game.
cdef short STRENGTH[2][N_GAMES][N_FEATURES]
# The least strength for each Bid.
cdef short LEAST[2][N_GAMES][6]

STRENGTH[0][THREE_PLAYERS][:] = [25, 124, 95, 20, 10, 3, 13, -23]
STRENGTH[1][THREE_PLAYERS][:] = [-26, 129, 116, 38, 20, 9, 38, -23]
STRENGTH[0][DUEL][:] = [73, 143, 78, 13, 7, 1, 8, -17]
STRENGTH[1][DUEL][:] = [64, 151, 76, 24, 11, 5, 42, -16]
STRENGTH[0][TWO_PACKS][:] = [-118, 36, 0, 20, 4, -2, -2, 0]
STRENGTH[1][TWO_PACKS][:] = [-150, 64, 2, 11, 6, 4, -13, -1]
LEAST[0][THREE_PLAYERS][:] = [0, -100, -50, 0, 0, 0]
LEAST[1][THREE_PLAYERS][:] = [0, -100, -50, 0, 0, 0]
LEAST[0][DUEL][:] = [0, -100, -50, 0, 75, 150]
LEAST[1][DUEL][:] = [0, -100, -50, 0, 50, 150]
LEAST[0][TWO_PACKS][:] = [0, -40, -20, 0, 0, 0]
LEAST[1][TWO_PACKS][:] = [0, -70, -40, 0, 0, 0]


cdef inline int game_of(const rules_t* rules) noexcept nogil:
    return (TWO_PACKS if n_cards(rules.rocket) > 2 else DUEL if rules.n_seats == 2
            else THREE_PLAYERS)


cdef int strength_of(const rules_t* rules, const short* s, cards_t hand) noexcept nogil:
    return (s[START] + s[RED] * count_of(hand, RANK_RED) + s[BLACK] * count_of(hand, RANK_BLACK)
            + s[TWO] * count_of(hand, CHAIN_RANKS) + s[ACE] * count_of(hand, CHAIN_RANKS - 1)
            + s[KING] * count_of(hand, CHAIN_RANKS - 2) + s[QUAD] * n_ranks(held(hand, 4))
            + s[TURN] * min_turns_of(rules, hand))


cdef inline int n_bids(uint32_t legal) noexcept nogil:
    cdef int n = 0
    while legal:
        legal &= legal - 1
        n += 1
    return n


# ---- the contract --------------------------------------------------------------------------------


cdef void choose(const view_t* v, int policy, move_t* out) noexcept nogil:
    if policy == POLICY_GREEDY:
        choose_greedy(v, out)
    else:
        choose_rule(v, out)


cdef void choose_move(
    const rules_t* rules, int policy, const position_t* p, rng_t* rng, move_t* out
) noexcept nogil:
    cdef view_t v
    if policy == POLICY_RANDOM:
        draw(rules, p.hands[p.turn], p.last.meta, rng, out)
    else:
        look(rules, p, &v)
        choose(&v, policy, out)


cdef int choose_bid(
    const rules_t* rules, int policy, cards_t hand, uint32_t legal, rng_t* rng
) noexcept nogil:
    cdef int player = policy - POLICY_GREEDY
    cdef int game = game_of(rules)
    cdef int strength, bid
    if policy == POLICY_RANDOM:
        for bid in range(<int>below(rng, n_bids(legal))):
            legal &= legal - 1
        return low_bit(legal)
    strength = strength_of(rules, STRENGTH[player][game], hand)
    for bid in range(ROB, 0, -1):
        if (legal >> bid) & 1 and strength >= LEAST[player][game][bid]:
            return bid
    return low_bit(legal)


def position_move(Position position not None, int policy):
    """The move of the seat to move in a position, by a policy that needs no random numbers."""
    cdef move_t move
    cdef view_t v
    if policy != POLICY_GREEDY and policy != POLICY_RULE:
        raise ValueError(f"policy {policy} is neither greedy nor rule")
    if position.now.winner != NOBODY:
        raise PhaseError(f"the game is over: seat {position.now.winner} has won")
    look(&position.core.c, &position.now, &v)
    with nogil:
        choose(&v, policy, &move)
    return new_move(&move)


def move_index(
    rules, int policy, Hand hand not None, Hand unseen not None, Move last, cards_left,
    int landlord, int seat, int passes, int handicap, MoveList moves not None,
):
    """The place in `moves` of the move that a seat makes, by what an `Observation` holds."""
    cdef CompiledRules core = compiled(rules)
    cdef move_t move
    cdef view_t v
    cdef Py_ssize_t index
    v.rules = &core.c
    v.hand = hand.packed_cards
    v.unseen = unseen.packed_cards if deals_all(&core.c) else core.c.deck - hand.packed_cards
    make_pass(&v.last)
    if last is not None:
        v.last = last.m
    v.n_seats = len(cards_left)
    v.landlord = landlord
    v.seat = seat
    v.passes = passes
    v.target = handicap
    for i, left in enumerate(cards_left):
        v.left[<int>i] = left
    with nogil:
        choose(&v, policy, &move)
    chosen = new_move(&move)
    index = moves.find(chosen)
    if index < 0:
        raise DdzError(f"{chosen} is not among the moves; give all legal moves")
    return index


def bid_index(rules, int policy, Hand hand not None, bids):
    """The place in `bids` of the bid that a seat with this hand makes."""
    cdef CompiledRules core = compiled(rules)
    cdef uint32_t legal = 0
    for bid in bids:
        legal |= <uint32_t>1 << <int>bid
    return bids.index(choose_bid(&core.c, policy, hand.packed_cards, legal, NULL))
