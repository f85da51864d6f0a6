"""Playouts of each move, or of each landlord, over the same hidden hands and random numbers."""

from libc.string cimport memset

from ddz_core._playout cimport is_anti_spring, is_spring
from ddz_core._policies cimport N_POLICIES, choose_move
from ddz_core._position cimport NOBODY, Position, apply, position_t, settle
from ddz_core._rng cimport below, next_word, rng_t
from ddz_core._types cimport *
from ddz_core._values cimport MoveList, compiled

from ddz_core.errors import DdzError, PhaseError


cdef int count_doublings(const rules_t* rules, const position_t* p) noexcept nogil:
    cdef int doublings = 0
    if rules.doubling_bomb != NO_BOMB_DOUBLES:
        doublings = p.doubling_bombs + p.rockets
    if p.winner != NOBODY:
        doublings += is_spring(rules, p) or is_anti_spring(rules, p)
    return doublings


def doublings(Position position not None):
    """How often the stake has been doubled in the play: springs too, once it is over."""
    return count_doublings(&position.core.c, &position.now)


cdef inline void play_out(
    const rules_t* rules, const int* policies, rng_t* rng, position_t* p
) noexcept nogil:
    cdef move_t move
    while p.winner == NOBODY:
        choose_move(rules, policies[p.turn], p, rng, &move)
        apply(rules, p, &move)


cdef inline int64_t points_of(const rules_t* rules, const position_t* p, int seat) noexcept nogil:
    """What a seat wins or loses at stake 1."""
    cdef int64_t points = <int64_t>1 << count_doublings(rules, p)
    if seat == p.landlord:
        points *= p.n_seats - 1
    return points if (seat == p.landlord) == (p.winner == p.landlord) else -points


cdef int read_policies(policies, int seats, int* out) except -1:
    cdef int seat
    if len(policies) != seats:
        raise ValueError(f"there must be {seats} policies, not {len(policies)}")
    for seat in range(seats):
        if not 0 <= policies[seat] < N_POLICIES:
            raise ValueError(f"no policy {policies[seat]}")
        out[seat] = policies[seat]
    return 0


cdef int read_state(const uint64_t[::1] seed, rng_t* rng) except -1:
    cdef int i
    if seed.shape[0] != 4 or not (seed[0] | seed[1] | seed[2] | seed[3]):
        raise ValueError("seed must be 4 words, not all zero")
    for i in range(4):
        rng.s[i] = seed[i]
    return 0


cdef inline void branch(rng_t* rng, rng_t* out) noexcept nogil:
    """A stream for one sample; every branch of the sample starts it anew."""
    cdef int i
    for i in range(4):
        out.s[i] = next_word(rng)


def move_chunk(
    Position start not None, MoveList moves not None, policies, const uint64_t[::1] seed not None,
    const uint8_t[:, :, ::1] hands not None, int64_t[:, ::1] points not None,
    int64_t first, int64_t stop,
):
    """Play moves on samples of hidden hands, then on to the end.

    Playout number k is that of sample k // moves and move k % moves; those with first <= k < stop
    are done. Whether they are done in one call or in several makes no difference.

    Parameters
    ----------
    start : Position
        Before the move; whose other hands do not matter.
    moves : MoveList
        Legal moves of the seat whose turn it is.
    policies : sequence of int
        One for each seat.
    seed : ndarray of uint64, shape (4,)
    hands : ndarray of uint8, shape (samples, seats, 15)
    points : ndarray of int64, shape (samples, moves)
        Filled with what the seat wins or loses at stake 1, doublings of the play included.
    first, stop : int
        Playouts to be done; all of them are samples * moves.
    """
    cdef CompiledRules core = start.core
    cdef position_t begun = start.now
    cdef position_t dealt, p
    cdef int seats = begun.n_seats
    cdef int seat = begun.turn
    cdef int chosen[MAX_SEATS]
    cdef rng_t rng, sample, stream
    cdef int64_t i, k
    cdef Py_ssize_t j
    cdef int s, rank
    if begun.winner != NOBODY:
        raise PhaseError(f"the game is over: seat {begun.winner} has won")
    if hands.shape[1] != seats or hands.shape[2] != N_RANKS or (
            points.shape[0] != hands.shape[0] or points.shape[1] != moves.n):
        raise ValueError("hands must have shape (samples, seats, 15), points (samples, moves)")
    if not 0 <= first <= stop <= hands.shape[0] * moves.n:
        raise ValueError(f"there are playouts 0 … {hands.shape[0] * moves.n}, not {first} … {stop}")
    read_policies(policies, seats, chosen)
    read_state(seed, &rng)
    for i in range(hands.shape[0]):
        for rank in range(N_RANKS):
            if hands[i, seat, rank] != count_of(begun.hands[seat], rank):
                raise DdzError(f"sample {i} has another hand of seat {seat}")
    with nogil:
        i = -1
        for k in range(first, stop):
            if i != k // moves.n:
                # The samples before have their numbers too.
                while i < k // moves.n:
                    branch(&rng, &sample)
                    i += 1
                dealt = begun
                for s in range(seats):
                    dealt.hands[s] = packed(&hands[i, s, 0])
                settle(&dealt)
            j = k % moves.n
            p = dealt
            stream = sample
            apply(&core.c, &p, &moves.moves[j])
            play_out(&core.c, chosen, &stream, &p)
            points[i, j] = points_of(&core.c, &p, seat)


cdef inline cards_t packed(const uint8_t* counts) noexcept nogil:
    cdef cards_t cards = 0
    cdef int rank
    for rank in range(N_RANKS):
        cards += <cards_t>(counts[rank] & 15) << (4 * rank)
    return cards


def landlord_chunk(
    rules, cards_t hand, uint8_t[::1] unseen not None, bint has_kitty, int target, policies,
    uint64_t[::1] state not None, int64_t[:, ::1] points not None,
):
    """Deal the unseen cards at random, and play each deal with each seat as the landlord.

    `unseen` and `state` are left as these deals leave them, so that the next call goes on.

    Parameters
    ----------
    rules : Rules
    hand : int
        Seat 0's cards, packed.
    unseen : ndarray of uint8
        Ranks of the rest of the deck, card by card.
    has_kitty : bool
        Whether seat 0's hand has the kitty in it, so that only seat 0 is landlord.
    target : int
        With how many cards or fewer a peasant has won.
    policies : sequence of int
        The landlord's and the peasants'.
    state : ndarray of uint64, shape (4,)
    points : ndarray of int64, shape (samples, seats), or (samples, 1) for a hand with the kitty
        Filled with what seat 0 wins or loses at stake 1, by the landlord's seat; one column more is
        for seat 0 as the landlord once more, with `target` one card higher.
    """
    cdef CompiledRules core = compiled(rules)
    cdef position_t dealt, p
    cdef int seats = core.c.n_seats
    cdef int landlords = 1 if has_kitty else seats
    cdef int roles[2]
    cdef int chosen[MAX_SEATS]
    cdef int columns = points.shape[1]
    cdef cards_t kitty
    cdef rng_t rng, sample, stream
    cdef Py_ssize_t i
    cdef int s, column, left, landlord
    cdef int wanted = core.c.hand_size * (seats - 1) + (0 if has_kitty else core.c.kitty_size)
    if columns not in (landlords, landlords + 1) or not wanted <= unseen.shape[0] <= 108:
        raise ValueError(f"points must have shape (samples, {landlords}), and {wanted} cards unseen")
    for s in range(unseen.shape[0]):
        if unseen[s] >= N_RANKS:
            raise ValueError(f"unseen has rank {unseen[s]}; ranks are 0 … {N_RANKS - 1}")
    read_policies(policies, 2, roles)
    read_state(state, &rng)
    with nogil:
        for i in range(points.shape[0]):
            memset(&dealt, 0, sizeof(dealt))
            dealt.n_seats = seats
            dealt.target = target
            dealt.hands[0] = hand
            left = unseen.shape[0]
            for s in range(1, seats):
                dealt.hands[s] = drawn(&unseen[0], &left, core.c.hand_size, &rng)
            kitty = 0 if has_kitty else drawn(&unseen[0], &left, core.c.kitty_size, &rng)
            branch(&rng, &sample)
            for column in range(columns):
                landlord = column if column < landlords else 0
                for s in range(seats):
                    chosen[s] = roles[s != landlord]
                p = dealt
                stream = sample
                p.landlord = landlord
                p.turn = landlord
                p.target += column == landlords
                p.hands[landlord] += kitty
                settle(&p)
                play_out(&core.c, chosen, &stream, &p)
                points[i, column] = points_of(&core.c, &p, 0)
    for s in range(4):
        state[s] = rng.s[s]


cdef inline cards_t drawn(uint8_t* shoe, int* left, int n, rng_t* rng) noexcept nogil:
    """The next n cards of a shoe that stays shuffled."""
    cdef cards_t cards = 0
    cdef int i, at
    for i in range(n):
        at = below(rng, left[0])
        left[0] -= 1
        cards += <cards_t>1 << (4 * shoe[at])
        shoe[at], shoe[left[0]] = shoe[left[0]], shoe[at]
    return cards
