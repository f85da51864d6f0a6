"""Random games from a position, or from fresh deals, to the end."""

import numpy as np

from libc.string cimport memset

from ddz_core._generate cimport draw
from ddz_core._policies cimport N_POLICIES, POLICY_RANDOM, choose_move
from ddz_core._position cimport NOBODY, Position, apply, position_t
from ddz_core._rng cimport below, rng_t
from ddz_core._types cimport *
from ddz_core._values cimport compiled

from ddz_core.errors import PhaseError

SUM_NAMES = (
    "games", "wins_0", "wins_1", "wins_2", "wins_3", "bombs", "bombs_squared", "rockets", "springs",
    "anti_springs", "plies", "plies_squared",
)


cdef void fill_shoe(const rules_t* rules, shoe_t* shoe) noexcept nogil:
    cdef int rank, i
    shoe.n = 0
    for rank in range(N_RANKS):
        for i in range(count_of(rules.deck, rank)):
            shoe.ranks[shoe.n] = rank
            shoe.n += 1


cdef void deal_random(
    const rules_t* rules, shoe_t* shoe, rng_t* rng, position_t* p
) noexcept nogil:
    cdef int seat, card, drawn
    cdef int left = shoe.n
    cdef int last_seat = rules.n_seats - 1
    cdef cards_t hand
    cdef cards_t rest = rules.deck
    memset(p, 0, sizeof(position_t))
    p.n_seats = rules.n_seats
    for seat in range(last_seat, -1, -1):
        card = rules.hand_size + (rules.kitty_size if seat == 0 else 0)
        if seat == 0 and card == left:
            # No card stays out, so what nobody drew needs no drawing.
            p.hands[0] = rest
            break
        hand = 0
        while card:
            left -= 1
            drawn = below(rng, left + 1)
            hand += <cards_t>1 << (4 * shoe.ranks[drawn])
            shoe.ranks[drawn], shoe.ranks[left] = shoe.ranks[left], shoe.ranks[drawn]
            card -= 1
        p.hands[seat] = hand
        rest -= hand
    p.winner = NOBODY


cdef int play_out(const rules_t* rules, rng_t* rng, position_t* p) noexcept nogil:
    cdef move_t move
    cdef int plies = 0
    while p.winner == NOBODY:
        draw(rules, p.hands[p.turn], p.last.meta, rng, &move)
        apply(rules, p, &move)
        plies += 1
    return plies


cdef int play_out_by(
    const rules_t* rules, const int* policies, rng_t* rng, position_t* p
) noexcept nogil:
    cdef move_t move
    cdef int plies = 0
    while p.winner == NOBODY:
        choose_move(rules, policies[p.turn], p, rng, &move)
        apply(rules, p, &move)
        plies += 1
    return plies


cdef bint is_spring(const rules_t* rules, const position_t* p) noexcept nogil:
    """The landlord won and no peasant's play counts."""
    cdef int seat, plays
    if p.winner != p.landlord or rules.spring == SPRING_NONE:
        return False
    for seat in range(p.n_seats):
        plays = p.standing[seat] if rules.spring == SPRING_STANDING else p.plays[seat]
        if seat != p.landlord and plays:
            return False
    return True


cdef bint is_anti_spring(const rules_t* rules, const position_t* p) noexcept nogil:
    """A peasant won and no play of the landlord counts after his first."""
    if p.winner == p.landlord or rules.spring == SPRING_NONE:
        return False
    if rules.spring == SPRING_STANDING:
        return p.standing[p.landlord] == p.opening_stood
    return p.plays[p.landlord] == 1


cdef void record(
    const rules_t* rules, const position_t* p, int plies, sums_t* sums
) noexcept nogil:
    sums.games += 1
    sums.wins[p.winner] += 1
    sums.bombs += p.bombs
    sums.bombs_squared += <int64_t>p.bombs * p.bombs
    sums.rockets += p.rockets
    sums.springs += is_spring(rules, p)
    sums.anti_springs += is_anti_spring(rules, p)
    sums.plies += plies
    sums.plies_squared += <int64_t>plies * plies


cdef int take_shoe(const rules_t* rules, const uint8_t[::1] ranks, shoe_t* shoe) except -1:
    """The cards in the order that they were left in."""
    cdef cards_t cards = 0
    cdef int i
    if ranks.shape[0] != n_cards(rules.deck):
        raise ValueError(f"shoe must have {n_cards(rules.deck)} cards, not {ranks.shape[0]}")
    shoe.n = n_cards(rules.deck)
    for i in range(shoe.n):
        shoe.ranks[i] = ranks[i]
        cards += <cards_t>1 << (4 * (ranks[i] & 15))
    if cards != rules.deck:
        raise ValueError("shoe must be the deck")
    return 0


cdef int fill_state(rng_t* rng, const uint64_t[::1] seed) except -1:
    cdef int i
    if seed.shape[0] != 4 or not (seed[0] | seed[1] | seed[2] | seed[3]):
        raise ValueError("seed must be 4 words, not all zero")
    for i in range(4):
        rng.s[i] = seed[i]
    return 0


def play_chunk(
    rules, Position start, uint64_t[::1] state not None, int64_t games, policies,
    uint8_t[::1] shoe=None,
):
    """Play `games` games with the GIL released.

    `state` and `shoe` are left as these games leave them, so that the next call goes on.

    Parameters
    ----------
    rules : Rules
    start : Position or None
        Where each game starts; None for fresh deals.
    state : ndarray of uint64, shape (4,)
        The generator's, not all zero.
    games : int
    policies : sequence of int
        Each seat's policy (``POLICY_RANDOM`` …).
    shoe : ndarray of uint8, optional
        Ranks of the deck's cards, from which fresh deals are drawn; a new deck by default.

    Returns
    -------
    ndarray of int64
        Sums in the order of SUM_NAMES.
    """
    cdef CompiledRules core = compiled(rules)
    cdef position_t first, p
    cdef shoe_t deck
    cdef sums_t sums
    cdef rng_t rng
    cdef int64_t i
    cdef int plies
    cdef int players[MAX_SEATS]
    cdef bint all_random = True
    cdef bint fresh = start is None
    numbers = tuple(policies)
    if len(numbers) != (core.c.n_seats if fresh else start.now.n_seats):
        raise ValueError(f"policies must be one a seat, not {len(numbers)}")
    for i in range(len(numbers)):
        players[i] = numbers[i]
        if not 0 <= players[i] < N_POLICIES:
            raise ValueError(f"no policy {players[i]}")
        all_random = all_random and players[i] == POLICY_RANDOM
    if not fresh and start.core is not core:
        raise ValueError("the position has other rules")
    if not fresh and start.now.winner != NOBODY:
        raise PhaseError(f"the game is over: seat {start.now.winner} has won")
    fill_state(&rng, state)
    if shoe is None:
        fill_shoe(&core.c, &deck)
    else:
        take_shoe(&core.c, shoe, &deck)
    memset(&sums, 0, sizeof(sums))
    if not fresh:
        first = start.now
    with nogil:
        for i in range(games):
            if fresh:
                deal_random(&core.c, &deck, &rng, &p)
            else:
                p = first
            if all_random:
                plies = play_out(&core.c, &rng, &p)
            else:
                plies = play_out_by(&core.c, players, &rng, &p)
            record(&core.c, &p, plies, &sums)
    for i in range(4):
        state[i] = rng.s[i]
    if shoe is not None:
        for i in range(deck.n):
            shoe[i] = deck.ranks[i]
    return np.array([
        sums.games, sums.wins[0], sums.wins[1], sums.wins[2], sums.wins[3], sums.bombs,
        sums.bombs_squared, sums.rockets, sums.springs, sums.anti_springs, sums.plies,
        sums.plies_squared,
    ], np.int64)


def deal_chunk(rules, const uint64_t[::1] seed not None, uint8_t[:, :, ::1] hands not None):
    """Fill `hands`, shape (n, seats, 15), with random deals."""
    cdef CompiledRules core = compiled(rules)
    cdef position_t p
    cdef shoe_t shoe
    cdef rng_t rng
    cdef Py_ssize_t i
    cdef int seat, rank
    if hands.shape[1] != core.c.n_seats or hands.shape[2] != N_RANKS:
        raise ValueError(f"hands must have shape (n, {core.c.n_seats}, {N_RANKS})")
    fill_state(&rng, seed)
    with nogil:
        fill_shoe(&core.c, &shoe)
        for i in range(hands.shape[0]):
            deal_random(&core.c, &shoe, &rng, &p)
            for seat in range(core.c.n_seats):
                for rank in range(N_RANKS):
                    hands[i, seat, rank] = count_of(p.hands[seat], rank)
