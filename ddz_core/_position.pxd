# The play phase: what a position is, and the one step that changes it.

from ddz_core._types cimport (
    BOMB, MAX_SEATS, PASS, ROCKET, CompiledRules, cards_t, kind_of, move_t, n_cards, rules_t,
    size_of, uint8_t, uint64_t,
)

from ddz_core._values cimport Move

cdef enum:
    NOBODY = -1
    # Every play takes a card from one of two packs and is followed by at most three passes.
    MAX_PLIES = 432

cdef struct position_t:
    cards_t hands[MAX_SEATS]
    move_t last                     # the play to beat; PASS when the seat to move leads
    uint64_t hands_hash             # sum of hands[s] * hand_key(s), kept up to date by every play
    uint8_t n_seats
    uint8_t landlord
    uint8_t turn
    uint8_t passes                  # since `last` was played
    uint8_t target                  # a peasant has won with this many cards left or fewer
    signed char winner              # the seat that reached its goal, or NOBODY
    uint8_t opening_stood           # the landlord's first play won its trick
    uint8_t bombs
    uint8_t doubling_bombs
    uint8_t rockets
    uint8_t plays[MAX_SEATS]
    uint8_t standing[MAX_SEATS]     # plays that won their trick, or ended the game

cdef inline uint64_t hand_key(int seat) noexcept nogil:
    """An odd number a seat, so that a hand's contribution to the hash changes by one product."""
    return <uint64_t>0x9E3779B97F4A7C15 * <uint64_t>(2 * seat + 1) ^ <uint64_t>0xBF58476D1CE4E5B8

cdef inline int next_seat(const position_t* p, int seat) noexcept nogil:
    return 0 if seat + 1 == p.n_seats else seat + 1

cdef inline bint has_reached_goal(const position_t* p, int seat) noexcept nogil:
    if seat == p.landlord or p.target == 0:
        return p.hands[seat] == 0
    return n_cards(p.hands[seat]) <= p.target

cdef inline void stand(position_t* p, int seat) noexcept nogil:
    p.standing[seat] += 1
    if seat == p.landlord and p.plays[seat] == 1:
        p.opening_stood = True

cdef inline void pass_turn(position_t* p) noexcept nogil:
    p.turn = next_seat(p, p.turn)
    p.passes += 1
    if p.passes == p.n_seats - 1:
        # Everybody else passed: the turn is back at the seat of the last play, which leads.
        stand(p, p.turn)
        p.last.cards = 0
        p.last.meta = 0
        p.passes = 0

cdef inline void put_down(const rules_t* rules, position_t* p, const move_t* play) noexcept nogil:
    cdef int seat = p.turn
    cdef int kind = kind_of(play.meta)
    p.turn = next_seat(p, seat)
    p.hands[seat] -= play.cards
    p.hands_hash -= play.cards * hand_key(seat)
    p.last = play[0]
    p.passes = 0
    p.plays[seat] += 1
    if kind == BOMB:
        p.bombs += 1
        p.doubling_bombs += size_of(play.meta) >= rules.doubling_bomb
    elif kind == ROCKET:
        p.rockets += 1
    if has_reached_goal(p, seat):
        p.winner = seat
        stand(p, seat)

cdef inline void apply(const rules_t* rules, position_t* p, const move_t* move) noexcept nogil:
    """Play a legal move; the caller vouches for it."""
    if kind_of(move.meta) == PASS:
        pass_turn(p)
    else:
        put_down(rules, p, move)

# Fills in what follows from the cards and seats alone.
cdef void settle(position_t* p) noexcept nogil
cdef uint64_t position_hash(const position_t* p) noexcept nogil

cdef class Position:
    cdef CompiledRules core
    cdef readonly object rules
    cdef position_t now
    cdef position_t* history        # the position before each ply that can be undone
    cdef Py_ssize_t n_history
    cdef Py_ssize_t room
    cdef int remember(self) except -1
    cdef why_not(self, move)
    cdef refuse(self, Move move)
    cdef start_and_moves(self)
