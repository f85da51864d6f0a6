"""Whole games from the deal to the points: dealt, bid, played and tallied without Python."""

import numpy as np

from libc.string cimport memcpy, memset

from ddz_core._playout cimport is_anti_spring, is_spring
from ddz_core._policies cimport N_POLICIES, choose_bid, choose_move
from ddz_core._position cimport NOBODY, Position, apply, position_t
from ddz_core._rng cimport below, rng_t
from ddz_core._types cimport *
from ddz_core._values cimport Move, compiled, new_move

from ddz_core.errors import DdzError, PhaseError

# The tally's parts in order, each with its shape.
TALLY = (
    ("deals", ()), ("void", ()), ("forced", ()), ("outcomes", (MAX_SEATS, 2, 3, N_DOUBLINGS)),
    ("out_first", (MAX_SEATS,)), ("plies", (MAX_PLIES + 1,)), ("bombs", (N_BOMBS,)),
    ("rockets", (2,)), ("springs", ()), ("anti_springs", ()), ("robs", (N_ROBS,)),
    ("redeals", (N_REDEALS,)), ("all_redeals", ()), ("bids", (6,)), ("kinds", (N_KINDS,)),
)
TALLY_SIZE = sizeof(tally_t) // sizeof(int64_t)

# Bid values: 0 passes, 1 … 3 are numbers, then these.
cdef enum:
    BID_THREE = 3
    BID_CALL = 4
    BID_ROB = 5

# Which of a deal's two streams.
cdef enum:
    CARDS = 0
    PLAY = 1


# ---- random numbers ------------------------------------------------------------------------------


cdef inline uint64_t mixed(uint64_t z) noexcept nogil:
    """SplitMix64's finalizer (Steele, Lea and Flood, 2014)."""
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef void start_stream(const uint64_t* key, uint64_t place, int which, rng_t* rng) noexcept nogil:
    """A stream for each deal, so that it does not depend on what came before or was bid and played.

    All four words are zero with a chance of 2**-256.
    """
    cdef int i
    for i in range(4):
        rng.s[i] = mixed(key[i] + (8 * place + 4 * which + i + 1) * <uint64_t>0x9E3779B97F4A7C15)


# ---- the deal ------------------------------------------------------------------------------------


cdef inline int suited_rank(int card) noexcept nogil:
    card = card - 54 if card >= 54 else card
    return card >> 2 if card < 52 else card - 39


cdef void sort_deck(const rules_t* rules, dealt_t* deck) noexcept nogil:
    cdef int pack, rank, card
    deck.n = 0
    for pack in range(count_of(rules.deck, RANK_RED)):
        for card in range(54):
            if count_of(rules.deck, suited_rank(card)):
                deck.cards[deck.n] = 54 * pack + card
                deck.n += 1


cdef inline cards_t pile(const dealt_t* d, int start, int stop) noexcept nogil:
    cdef cards_t cards = 0
    cdef int i
    for i in range(start, stop):
        cards += <cards_t>1 << (4 * suited_rank(d.cards[i]))
    return cards


cdef int holder_of_lowest_heart(const rules_t* rules, const dealt_t* d, int first) noexcept nogil:
    """Of two packs the first one's; NOBODY where no hand has a heart."""
    cdef int lowest = 1000
    cdef int holder = NOBODY
    cdef int i, card, order
    for i in range(rules.n_seats * rules.hand_size):
        card = d.cards[first + i] % 54
        order = 2 * card + (d.cards[first + i] >= 54)
        if card < 52 and card & 3 == 0 and order < lowest:
            lowest = order
            holder = i // rules.hand_size
    return holder


cdef void find_opener(
    const rules_t* rules, const table_t* table, int64_t number, int first, rng_t* rng, dealt_t* d
) noexcept nogil:
    """Who speaks first; `first` is where the hands begin."""
    d.face_up = -1
    d.opener = NOBODY
    if table.first_bidder == FIRST_SEAT_0:
        d.opener = 0
    elif table.first_bidder == FIRST_ROTATES:
        d.opener = number % rules.n_seats
    elif table.first_bidder == FIRST_HEART_THREE:
        d.opener = holder_of_lowest_heart(rules, d, first)
    if d.opener == NOBODY:
        d.opener = below(rng, rules.n_seats)
    if table.first_bidder == FIRST_FACE_UP:
        d.face_up = d.cards[first + d.opener * rules.hand_size + <int>below(rng, rules.hand_size)]


cdef void deal_cards(
    const rules_t* rules, const table_t* table, const dealt_t* deck, int64_t number, rng_t* rng,
    dealt_t* d
) noexcept nogil:
    """The next deal of a stream."""
    cdef int left, drawn, seat
    cdef int n = deck.n
    cdef int first = n - rules.n_seats * rules.hand_size - rules.kitty_size
    # Where no card stays out, what is left for seat 0 needs no drawing.
    cdef int undrawn = first if first else rules.hand_size
    memcpy(d, deck, sizeof(dealt_t))
    left = n
    while left > undrawn:
        drawn = below(rng, left)
        left -= 1
        d.cards[drawn], d.cards[left] = d.cards[left], d.cards[drawn]
    for seat in range(rules.n_seats):
        d.hands[seat] = pile(d, first + seat * rules.hand_size, first + (seat + 1) * rules.hand_size)
    d.kitty = pile(d, n - rules.kitty_size, n)
    find_opener(rules, table, number, first, rng, d)


# ---- the auction ---------------------------------------------------------------------------------

cdef struct auction_t:
    int landlord            # NOBODY where nobody bid
    int base
    int robs


cdef inline uint32_t legal_bids(const table_t* table, bint called, int highest) noexcept nogil:
    """Bit b for each bid b: to pass, and to call, to rob, or the numbers above the highest one."""
    if table.auction == AUCTION_CALL_ROB:
        return 1 | <uint32_t>1 << (BID_ROB if called else BID_CALL)
    return 1 | (<uint32_t>0xF & ~((<uint32_t>2 << highest) - 1))


cdef void hold_auction(
    const rules_t* rules, const table_t* table, const dealt_t* d, rng_t* rng, tally_t* tally,
    auction_t* a
) noexcept nogil:
    """One deal's auction, as `ddz_core.auction` describes it."""
    cdef int made = 0
    cdef int passes = 0     # in a row
    cdef int highest = 0
    cdef int seat = d.opener
    cdef int bid
    cdef bint over = False
    a.landlord = NOBODY
    a.robs = 0
    while not over:
        bid = choose_bid(rules, table.bids_by[seat], d.hands[seat],
                         legal_bids(table, a.landlord != NOBODY, highest), rng)
        tally.bids[bid] += 1
        made += 1
        passes = 0 if bid else passes + 1
        if bid:
            a.landlord = seat
            highest = bid
        a.robs += bid == BID_ROB
        if table.auction == AUCTION_CALL_ROB:
            over = (bid == 0 and (a.landlord != NOBODY or made == rules.n_seats)) or (
                bid != 0 and a.robs == table.max_robs)
        elif table.auction == AUCTION_ONCE:
            over = bid == BID_THREE or made == rules.n_seats
        else:
            over = bid == BID_THREE or passes == rules.n_seats - (a.landlord != NOBODY)
        seat = 0 if seat + 1 == rules.n_seats else seat + 1
    a.base = 1 if table.auction == AUCTION_CALL_ROB else highest


cdef int find_landlord(
    const rules_t* rules, const table_t* table, const dealt_t* deck, int64_t number,
    rng_t* card_rng, rng_t* rng, tally_t* tally, dealt_t* d, auction_t* a
) noexcept nogil:
    """Deal, and deal again as long as the rules want it; returns the redeals, -1 for too many."""
    cdef int redeals = 0
    while True:
        deal_cards(rules, table, deck, number, card_rng, d)
        if table.landlord != NOBODY or table.auction == AUCTION_NONE:
            a.landlord = d.opener if table.landlord == NOBODY else table.landlord
            a.base = 1
            a.robs = 0
            return redeals
        hold_auction(rules, table, d, rng, tally, a)
        if a.landlord != NOBODY or table.nobody_bids == NOBODY_VOID:
            return redeals
        if table.nobody_bids == NOBODY_FIRST or redeals == table.max_redeals:
            tally.forced += 1
            a.landlord = d.opener
            a.base = 1
            return redeals
        if redeals == GIVE_UP:
            return -1
        redeals += 1


# ---- the play ------------------------------------------------------------------------------------


cdef void play_game(
    const rules_t* rules, const table_t* table, const dealt_t* d, const auction_t* a, rng_t* rng,
    tally_t* tally
) noexcept nogil:
    cdef position_t p
    cdef move_t move
    cdef int policies[MAX_SEATS]
    cdef int seat, doublings
    cdef int plies = 0
    cdef bint spring, anti_spring
    memset(&p, 0, sizeof(position_t))
    p.n_seats = rules.n_seats
    p.landlord = a.landlord
    p.turn = a.landlord
    p.target = a.robs
    p.winner = NOBODY
    for seat in range(rules.n_seats):
        p.hands[seat] = d.hands[seat]
        policies[seat] = table.as_peasant[seat]
    p.hands[a.landlord] += d.kitty
    policies[a.landlord] = table.as_landlord[a.landlord]
    while p.winner == NOBODY:
        choose_move(rules, policies[p.turn], &p, rng, &move)
        tally.kinds[kind_of(move.meta)] += 1
        apply(rules, &p, &move)
        plies += 1
    spring = is_spring(rules, &p)
    anti_spring = is_anti_spring(rules, &p)
    doublings = a.robs + (spring or anti_spring)
    if table.bombs_double:
        doublings += p.doubling_bombs + p.rockets
    tally.outcomes[a.landlord][p.winner == p.landlord][a.base - 1][doublings] += 1
    tally.out_first[p.winner] += 1
    tally.plies[plies] += 1
    tally.bombs[p.bombs] += 1
    tally.rockets[p.rockets] += 1
    tally.springs += spring
    tally.anti_springs += anti_spring
    tally.robs[a.robs] += 1


cdef int simulate_deals(
    const rules_t* rules, const table_t* table, const uint64_t* key, int64_t number, int place,
    int64_t deals, tally_t* tally
) noexcept nogil:
    cdef dealt_t deck, d
    cdef auction_t a
    cdef rng_t card_rng, rng
    cdef int64_t i
    cdef int redeals
    memset(&deck, 0, sizeof(deck))
    sort_deck(rules, &deck)
    for i in range(deals):
        start_stream(key, place + i, CARDS, &card_rng)
        start_stream(key, place + i, PLAY, &rng)
        redeals = find_landlord(
            rules, table, &deck, number + i, &card_rng, &rng, tally, &d, &a)
        if redeals < 0:
            return -1
        tally.deals += 1
        tally.redeals[min(redeals, N_REDEALS - 1)] += 1
        tally.all_redeals += redeals
        if a.landlord == NOBODY:
            tally.void += 1
        else:
            play_game(rules, table, &d, &a, &rng, tally)
    return 0


# ---- for Python ----------------------------------------------------------------------------------


cdef int read_table(options, CompiledRules core, table_t* table) except -1:
    """`options` are the numbers of table_t in its order; what they say has been checked."""
    cdef int i
    numbers = [int(number) for number in options]
    if len(numbers) != sizeof(table_t) // sizeof(int):
        raise ValueError(f"a table has {sizeof(table_t) // sizeof(int)} numbers, not {len(numbers)}")
    for i in range(len(numbers)):
        (<int*>table)[i] = numbers[i]
    if not (-1 <= table.landlord < core.c.n_seats and 1 <= table.max_robs < N_ROBS):
        raise ValueError("a table's landlord or robs are out of range")
    for i in range(core.c.n_seats):
        for policy in (table.bids_by[i], table.as_landlord[i], table.as_peasant[i]):
            if not 0 <= policy < N_POLICIES:
                raise ValueError(f"no policy {policy}")
    return 0


cdef int check_key(const uint64_t[::1] key, int64_t place, int64_t deals) except -1:
    if key.shape[0] != 4:
        raise ValueError("key must be 4 words")
    if place < 0 or deals < 0 or place + deals > 1 << 30:
        raise ValueError("place and deals must be small")
    return 0


def simulate_block(
    rules, options, const uint64_t[::1] key not None, int64_t number, int place, int64_t deals,
    int64_t[::1] tally not None,
):
    """Play whole games with the GIL released and add what came out to `tally`.

    Parameters
    ----------
    rules : Rules
    options : sequence of int
        The numbers of ``table_t`` in its order.
    key : ndarray of uint64, shape (4,)
        The block's key; deal `place` of the block has a stream of its own.
    number : int
        The first deal's number, for a first bidder who rotates.
    place, deals : int
        Which deals of the block.
    tally : ndarray of int64, shape (TALLY_SIZE,)
        In the order of TALLY.

    Raises
    ------
    DdzError
        In GIVE_UP deals in a row nobody bid.
    """
    cdef CompiledRules core = compiled(rules)
    cdef table_t table
    cdef int failed
    read_table(options, core, &table)
    check_key(key, place, deals)
    if tally.shape[0] != TALLY_SIZE or number < 0:
        raise ValueError(f"tally must have {TALLY_SIZE} numbers, and number be no less than 0")
    with nogil:
        failed = simulate_deals(
            &core.c, &table, &key[0], number, place, deals, <tally_t*>&tally[0])
    if failed:
        raise DdzError(f"nobody bid in {GIVE_UP} deals in a row: these policies never bid")


cdef class DealStream:
    """One deal's own streams: its cards, dealt and dealt again, and its built-in players' choices.

    The very deals, bids and moves of `simulate_block`, for games that Python leads.

    Parameters
    ----------
    rules, options, key, number, place
        As for `simulate_block`.
    """
    cdef CompiledRules core
    cdef table_t table
    cdef dealt_t deck
    cdef rng_t card_rng
    cdef rng_t rng
    cdef int64_t number

    def __cinit__(self, rules, options, const uint64_t[::1] key not None, int64_t number, int place):
        self.core = compiled(rules)
        read_table(options, self.core, &self.table)
        check_key(key, place, 1)
        self.number = number
        sort_deck(&self.core.c, &self.deck)
        start_stream(&key[0], place, CARDS, &self.card_rng)
        start_stream(&key[0], place, PLAY, &self.rng)

    def next_deal(self):
        """The next deal.

        Returns
        -------
        hands : list of list of int
            Suited cards of each seat.
        kitty, undealt : list of int
        opener : int
        face_up : int or None
        """
        cdef dealt_t d
        cdef int size = self.core.c.hand_size
        cdef int players = self.core.c.n_seats
        deal_cards(&self.core.c, &self.table, &self.deck, self.number, &self.card_rng, &d)
        cards = [d.cards[i] for i in range(d.n)]
        first = d.n - players * size - self.core.c.kitty_size
        hands = [cards[first + seat * size : first + (seat + 1) * size] for seat in range(players)]
        face_up = None if d.face_up < 0 else d.face_up
        return hands, cards[first + players * size :], cards[:first], d.opener, face_up

    def move(self, Position position not None, int policy):
        """The built-in policy's move in this position."""
        cdef move_t m
        if not 0 <= policy < N_POLICIES or position.core is not self.core:
            raise ValueError("no such policy, or a position of other rules")
        if position.now.winner != NOBODY:
            raise PhaseError("the game is over")
        choose_move(&self.core.c, policy, &position.now, &self.rng, &m)
        return new_move(&m)

    def bid(self, hand, int policy, uint32_t legal):
        """The built-in policy's bid, a value."""
        cdef cards_t cards = hand.packed
        if not 0 <= policy < N_POLICIES or not legal or legal > 63:
            raise ValueError("no such policy, or no bids")
        return choose_bid(&self.core.c, policy, cards, legal, &self.rng)
