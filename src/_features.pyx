"""One seat's view of a game as rows of numbers for a network."""

from cpython.buffer cimport (
    PyBUF_C_CONTIGUOUS, PyBUF_FORMAT, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer,
)
from libc.string cimport memcmp, memcpy, memset

from ddz_core._types cimport *
from ddz_core._values cimport Hand, Move, MoveList, compiled

from ddz_core.errors import DdzError

cdef extern from *:
    """
    /* The first k of eight columns set, as float and as int8: a count of cards in unary. No count is
       above eight; there is a row for whatever four bits may say. */
    static const float DDZ_UNARY_FLOAT[16][8] = {
        {0}, {1}, {1, 1}, {1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1},
        {1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1},
    };
    static const int8_t DDZ_UNARY_INT8[16][8] = {
        {0}, {1}, {1, 1}, {1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1},
        {1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1},
    };
    """
    ctypedef signed char int8_t
    const float UNARY_FLOAT "DDZ_UNARY_FLOAT"[16][8]
    const int8_t UNARY_INT8 "DDZ_UNARY_INT8"[16][8]

ctypedef fused number_t:
    float
    int8_t

cdef enum:
    N_BIDS = 6
    LANDLORD_CARDS = 20     # columns of DouZero's one-hot numbers of cards, and of bombs
    PEASANT_CARDS = 17
    BOMBS = 15
    CHAINS = 12
    DOUBLINGS = 32          # more doublings than that are not told apart
    N_BASES = 3


# ---- parts of a row -------------------------------------------------------------------------------


cdef inline void put_unary(number_t* out, cards_t cards, int rank, int columns) noexcept nogil:
    if number_t is float:
        memcpy(out, &UNARY_FLOAT[count_of(cards, rank)][0], columns * sizeof(float))
    else:
        memcpy(out, &UNARY_INT8[count_of(cards, rank)][0], columns)


cdef inline number_t* put_pack(number_t* out, cards_t cards) noexcept nogil:
    """One pack's 54 columns: four a rank from the 3 on, as many set as there are cards, then B, R."""
    cdef int rank
    if cards == 0:
        # Half of all moves are passes.
        memset(out, 0, PACK * sizeof(number_t))
        return out + PACK
    for rank in range(RANK_BLACK):
        put_unary(out + 4 * rank, cards, rank, 4)
    out[52] = <number_t>count_of(cards, RANK_BLACK)
    out[53] = <number_t>count_of(cards, RANK_RED)
    return out + PACK


cdef inline number_t* put_number(number_t* out, int number, int columns) noexcept nogil:
    """One-hot of 1 … columns, all zero for 0; the columns are zero already."""
    if 0 < number <= columns:
        out[number - 1] = 1
    return out + columns


cdef inline number_t* put_choice(number_t* out, int choice, int columns) noexcept nogil:
    """One-hot of 0 … columns - 1, all zero outside; the columns are zero already."""
    if 0 <= choice < columns:
        out[choice] = 1
    return out + columns


cdef inline number_t* put_first(number_t* out, int n, int columns) noexcept nogil:
    """The first n columns set; the columns are zero already."""
    cdef int i
    for i in range(min(n, columns)):
        out[i] = 1
    return out + columns


cdef inline cards_t recent_cards(const seen_t* s, int i) noexcept nogil:
    """The cards of the i-th of the last HISTORY moves, 0 before the first."""
    cdef int64_t ply = <int64_t>s.trace.plies - HISTORY + i
    return s.trace.recent[ply % RING] if ply >= 0 else 0


# ---- DouZero's layout -----------------------------------------------------------------------------


cdef void fill_head(const seen_t* s, number_t* out) noexcept nogil:
    cdef int landlord = s.landlord
    cdef int down = 0 if landlord == 2 else landlord + 1
    cdef int up = 0 if down == 2 else down + 1
    cdef int mate = down + up - s.seat
    cdef const trace_t* t = &s.trace
    memset(out, 0, douzero_head_columns(s) * sizeof(number_t))
    out = put_pack(out, s.hand)
    out = put_pack(out, s.unseen)
    if s.seat == landlord:
        out = put_pack(out, s.last.cards)
        out = put_pack(out, t.played[up])
        out = put_pack(out, t.played[down])
        out = put_number(out, s.left[up], PEASANT_CARDS)
        out = put_number(out, s.left[down], PEASANT_CARDS)
    else:
        out = put_pack(out, t.played[landlord])
        out = put_pack(out, t.played[mate])
        out = put_pack(out, s.last.cards)
        out = put_pack(out, t.latest[landlord])
        out = put_pack(out, t.latest[mate])
        out = put_number(out, s.left[landlord], LANDLORD_CARDS)
        out = put_number(out, s.left[mate], PEASANT_CARDS)
    put_choice(out, s.bombs, BOMBS)


cdef void fill_rows(
    const seen_t* s, const move_t* moves, Py_ssize_t n, number_t* out
) noexcept nogil:
    cdef number_t head[PEASANT_HEAD]
    cdef int columns = douzero_head_columns(s)
    cdef Py_ssize_t i
    fill_head(s, head)
    for i in range(n):
        memcpy(out, head, columns * sizeof(number_t))
        out = put_pack(out + columns, moves[i].cards)


cdef void fill_history(const seen_t* s, number_t* out) noexcept nogil:
    cdef int i
    for i in range(HISTORY):
        out = put_pack(out, recent_cards(s, i))


cdef void douzero_head(const seen_t* s, void* out, bint single) noexcept nogil:
    if single:
        fill_head(s, <float*>out)
    else:
        fill_head(s, <int8_t*>out)


cdef void douzero_rows(
    const seen_t* s, const move_t* moves, Py_ssize_t n, void* out, bint single
) noexcept nogil:
    if single:
        fill_rows(s, moves, n, <float*>out)
    else:
        fill_rows(s, moves, n, <int8_t*>out)


cdef void douzero_history(const seen_t* s, void* out, bint single) noexcept nogil:
    if single:
        fill_history(s, <float*>out)
    else:
        fill_history(s, <int8_t*>out)


# ---- our own layout -------------------------------------------------------------------------------


cdef void plan_native(
    const rules_t* rules, bint auction, int max_robs, native_t* plan
) noexcept nogil:
    cdef int rank, seats
    plan.n_deck = 0
    for rank in range(N_RANKS):
        plan.deck[rank] = count_of(rules.deck, rank)
        plan.n_deck += plan.deck[rank]
    seats = rules.n_seats
    plan.n_seats = seats
    plan.max_hand = rules.max_hand
    plan.auction = auction
    plan.max_robs = max_robs
    plan.history_columns = plan.n_deck + seats
    plan.action_columns = plan.n_deck + N_KINDS + N_RANKS + CHAINS + N_BIDS
    plan.columns = (
        (4 + 2 * seats) * plan.n_deck + N_KINDS + N_RANKS + CHAINS + 2 + 2 * seats
        + seats * plan.max_hand + N_BASES + DOUBLINGS
        + (seats * (N_BIDS + 1) if auction else 0) + max_robs)


cdef inline number_t* put_deck(const native_t* plan, number_t* out, cards_t cards) noexcept nogil:
    """A column for each card of the deck, by rank, in unary."""
    cdef int rank
    if plan.n_deck == PACK:
        return put_pack(out, cards)
    for rank in range(N_RANKS):
        put_unary(out, cards, rank, plan.deck[rank])
        out += plan.deck[rank]
    return out


cdef inline number_t* put_play(
    const native_t* plan, number_t* out, const move_t* move
) noexcept nogil:
    """Cards, kind, main rank and chain length; all but the kind are zero for PASS."""
    out = put_deck(plan, out, move.cards)
    out = put_choice(out, kind_of(move.meta), N_KINDS)
    out = put_choice(out, main_rank(move.meta) if move.meta else -1, N_RANKS)
    return put_number(out, length_of(move.meta), CHAINS)


cdef void fill_native(const native_t* plan, const seen_t* s, number_t* out) noexcept nogil:
    cdef int seats = plan.n_seats
    cdef int order[MAX_SEATS]
    cdef int place[NO_SEAT + 1]     # by seat: how far behind the own one; -1 for NO_SEAT
    cdef int i
    for i in range(seats):
        order[i] = (s.seat + i) % seats
        place[order[i]] = i
    place[NO_SEAT] = -1
    memset(out, 0, plan.columns * sizeof(number_t))
    out = put_choice(out, s.landlord != NO_SEAT, 2)
    out = put_choice(out, place[s.landlord], seats)
    out = put_deck(plan, out, s.hand)
    out = put_deck(plan, out, s.unseen)
    out = put_deck(plan, out, s.kitty)
    for i in range(seats):
        out = put_deck(plan, out, s.trace.played[order[i]])
    for i in range(seats):
        out = put_deck(plan, out, s.trace.latest[order[i]])
    out = put_play(plan, out, &s.last)
    out = put_choice(out, place[s.last_seat], seats)
    for i in range(seats):
        out = put_number(out, s.left[order[i]], plan.max_hand)
    out = put_number(out, s.base, N_BASES)
    out = put_first(out, s.doublings, DOUBLINGS)
    if plan.auction:
        out = put_choice(out, place[s.opener], seats)
        for i in range(seats):
            out = put_number(out, s.bids[order[i]], N_BIDS)
    put_first(out, s.robs, plan.max_robs)


cdef void fill_native_history(
    const native_t* plan, const seen_t* s, number_t* out
) noexcept nogil:
    cdef int seats = plan.n_seats
    cdef int i, seat
    cdef int64_t ply
    memset(out, 0, HISTORY * plan.history_columns * sizeof(number_t))
    for i in range(HISTORY):
        ply = <int64_t>s.trace.plies - HISTORY + i
        if ply < 0:
            out += plan.history_columns
            continue
        # Nobody is ever left out, so that the seat follows from the landlord's lead.
        seat = (s.landlord + ply) % seats
        out = put_deck(plan, out, recent_cards(s, i))
        out = put_choice(out, (seat + seats - s.seat) % seats, seats)


cdef void fill_native_moves(
    const native_t* plan, const move_t* moves, Py_ssize_t n, number_t* out
) noexcept nogil:
    cdef Py_ssize_t i
    memset(out, 0, n * plan.action_columns * sizeof(number_t))
    for i in range(n):
        put_play(plan, out, &moves[i])
        out += plan.action_columns


cdef void fill_native_bid(const native_t* plan, int bid, number_t* out) noexcept nogil:
    memset(out, 0, plan.action_columns * sizeof(number_t))
    put_choice(out + plan.action_columns - N_BIDS, bid, N_BIDS)


cdef void native_head(
    const native_t* plan, const seen_t* s, void* out, bint single
) noexcept nogil:
    if single:
        fill_native(plan, s, <float*>out)
    else:
        fill_native(plan, s, <int8_t*>out)


cdef void native_history(
    const native_t* plan, const seen_t* s, void* out, bint single
) noexcept nogil:
    if single:
        fill_native_history(plan, s, <float*>out)
    else:
        fill_native_history(plan, s, <int8_t*>out)


cdef void native_moves(
    const native_t* plan, const move_t* moves, Py_ssize_t n, void* out, bint single
) noexcept nogil:
    if single:
        fill_native_moves(plan, moves, n, <float*>out)
    else:
        fill_native_moves(plan, moves, n, <int8_t*>out)


cdef void native_bid(const native_t* plan, int bid, void* out, bint single) noexcept nogil:
    if single:
        fill_native_bid(plan, bid, <float*>out)
    else:
        fill_native_bid(plan, bid, <int8_t*>out)


# ---- for Python -----------------------------------------------------------------------------------


cdef class Seen:
    """What one seat knows, as the core reads it; made from an `Observation`, and immutable.

    Parameters
    ----------
    observation : Observation

    Raises
    ------
    DdzError
        A value that no game gives an observation.
    TypeError
        A value of the wrong type.
    """

    def __cinit__(self, observation):
        try:
            self.read(observation)
        except (AttributeError, IndexError, OverflowError) as error:
            raise DdzError(f"no game gives such an observation: {error}") from error

    cdef int read(self, observation) except -1:
        cdef seen_t* s = &self.s
        cdef Move move
        cdef int seat
        rules = observation.rules
        self.core = compiled(rules)
        plan_rules(rules, self.core, &self.plan)
        s.n_seats = self.core.c.n_seats
        s.seat = seat_of(observation.seat, "seat", s.n_seats)
        s.landlord = maybe_seat(observation.landlord, "landlord", s.n_seats)
        s.hand = (<Hand?>observation.hand).packed_cards
        s.unseen = (<Hand?>observation.unseen).packed_cards
        kitty = observation.kitty
        s.kitty = 0 if kitty is None else (<Hand?>kitty).packed_cards
        last = observation.last
        if last is not None:
            s.last = (<Move?>last).m
        s.last_seat = maybe_seat(observation.last_seat, "last_seat", s.n_seats)
        for seat, left in enumerate(observation.cards_left):
            if seat < MAX_SEATS:
                s.left[seat] = small(left, "cards_left")
        s.base = small(observation.base, "base")
        s.robs = small(observation.robs, "robs")
        s.doublings = small(observation.multiplier.bit_length() - 1, "multiplier")
        s.opener = NO_SEAT
        for entry in observation.bids:
            seat = seat_of(entry[0], "bids", s.n_seats)
            if s.opener == NO_SEAT:
                s.opener = seat
            s.bids[seat] = small(entry[1], "bids") + 1
        if s.opener == NO_SEAT:
            s.opener = s.landlord
        if s.opener == NO_SEAT:
            s.opener = maybe_seat(observation.turn, "turn", s.n_seats)
        for entry in observation.moves:
            seat = seat_of((<tuple?>entry)[0], "moves", s.n_seats)
            move = <Move?>(<tuple>entry)[1]
            trace_move(&s.trace, seat, move.m.cards)
            s.bombs += kind_of(move.m.meta) == BOMB or kind_of(move.m.meta) == ROCKET

    @property
    def columns(self):
        """Columns of DouZero's x without the action: 319 for the landlord, 430 for a peasant."""
        return douzero_head_columns(&self.s)


# Python's numbers become Py_ssize_t, which no float does.

cdef int small(Py_ssize_t value, str name) except -1:
    if not 0 <= value < 256:
        raise DdzError(f"observation.{name} is out of range")
    return <int>value


cdef int seat_of(Py_ssize_t seat, str name, int n_seats) except -1:
    if not 0 <= seat < n_seats:
        raise DdzError(f"observation.{name} has seat {seat}; there are seats 0 … {n_seats - 1}")
    return <int>seat


cdef int maybe_seat(object value, str name, int n_seats) except -1:
    return NO_SEAT if value is None else seat_of(value, name, n_seats)


cdef int plan_rules(object rules, CompiledRules core, native_t* plan) except -1:
    plan_native(&core.c, rules.auction != "none",
                rules.max_robs if rules.auction == "call_rob" else 0, plan)
    return 0


def native_sizes(rules):
    """Columns of an observation, of one move of the history, and of an action."""
    cdef CompiledRules core = compiled(rules)
    cdef native_t plan
    plan_rules(rules, core, &plan)
    return plan.columns, plan.history_columns, plan.action_columns


cdef bint open_array(object array, Py_buffer* view, tuple shape, str name) except -1:
    """Get at a caller's array of this shape; whether it is float32, else int8."""
    cdef int i
    cdef bint right
    cdef bytes code = b""
    try:
        PyObject_GetBuffer(array, view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | PyBUF_WRITABLE)
    except (ValueError, BufferError) as error:
        raise no_target(name, shape) from error
    except TypeError as error:
        raise TypeError(f"{name} must be an ndarray, not {type(array).__name__}") from error
    right = view.ndim == len(shape)
    for i in range(view.ndim if right else 0):
        right = right and view.shape[i] == shape[i]
    if view.format != NULL:
        code = view.format
    if not right or code not in (b"f", b"b"):
        PyBuffer_Release(view)
        raise no_target(name, shape)
    return code == b"f"


cdef object no_target(str name, tuple shape):
    return DdzError(f"{name} must be float32 or int8 of shape {shape}, in C order and writable")


cdef class Target:
    """A caller's array, held while rows are written into it."""

    cdef Py_buffer view
    cdef bint single
    cdef bint is_open
    cdef Py_ssize_t row         # bytes of an entry of the first axis

    cdef int open(self, object array, tuple shape, str name) except -1:
        if array is None:
            return 0
        self.single = open_array(array, &self.view, shape, name)
        self.is_open = True
        self.row = self.view.len // self.view.shape[0] if self.view.shape[0] else 0
        return 0

    cdef inline char* at(self, Py_ssize_t i) noexcept:
        return <char*>self.view.buf + i * self.row

    def __dealloc__(self):
        if self.is_open:
            PyBuffer_Release(&self.view)


def write_douzero(list seen not None, list moves not None, x, z, head):
    """Fill arrays with DouZero's features of several views with as many columns.

    Parameters
    ----------
    seen : list of Seen
    moves : list of MoveList
        Of each view, the moves that have rows in `x`.
    x, z, head : ndarray or None
        float32 or int8. `z` has an entry for each view, or for each row of `x`, where it is repeated.
    """
    cdef Target to_x = Target.__new__(Target)
    cdef Target to_z = Target.__new__(Target)
    cdef Target to_head = Target.__new__(Target)
    cdef Seen view
    cdef MoveList legal
    cdef Py_ssize_t i, k
    cdef Py_ssize_t at = 0
    cdef Py_ssize_t views = len(seen)
    cdef Py_ssize_t rows = 0
    cdef int columns = douzero_head_columns(&(<Seen?>seen[0]).s) if views else LANDLORD_HEAD
    cdef bint repeated
    if len(moves) != views:
        raise ValueError("as many lists of moves as views")
    for i in range(views):
        view = <Seen?>seen[i]
        rows += (<MoveList?>moves[i]).n
        if not has_douzero_cards(&view.core.c) or view.s.landlord == NO_SEAT:
            raise DdzError("DouZero's layout is for three players with 17 + 3 cards of one pack, "
                           "in the play")
        if douzero_head_columns(&view.s) != columns:
            raise ValueError("a landlord's view and a peasant's have different columns")
    to_x.open(x, (rows, columns + PACK), "x")
    to_head.open(head, (views, columns), "x_no_action")
    repeated = z is not None and len(z) == rows and rows != views
    to_z.open(z, (rows if repeated else views, 5, 3 * PACK), "z")
    for i in range(views):
        view = <Seen>seen[i]
        legal = <MoveList>moves[i]
        if to_x.is_open:
            douzero_rows(&view.s, legal.moves, legal.n, to_x.at(at), to_x.single)
        if to_head.is_open:
            douzero_head(&view.s, to_head.at(i), to_head.single)
        if to_z.is_open and not repeated:
            douzero_history(&view.s, to_z.at(i), to_z.single)
        elif to_z.is_open and legal.n:
            douzero_history(&view.s, to_z.at(at), to_z.single)
            for k in range(1, legal.n):
                memcpy(to_z.at(at + k), to_z.at(at), to_z.row)
        at += legal.n


cdef bint has_douzero_cards(const rules_t* rules) noexcept:
    return (rules.n_seats == 3 and rules.hand_size == 17 and rules.kitty_size == 3
            and n_cards(rules.deck) == PACK)


def is_douzero_table(rules):
    """Whether DouZero's layout fits: three players, 17 cards each and 3 more, of one whole pack."""
    return has_douzero_cards(&compiled(rules).c)


def write_native(list seen not None, list moves not None, list bids not None, x, history, actions):
    """Fill arrays with our own features of several views of one rule set.

    Parameters
    ----------
    seen : list of Seen
    moves : list of MoveList
    bids : list of tuple of int
        Of each view, the bids that have rows in `actions`, after its moves.
    x, history, actions : ndarray or None
        float32 or int8.
    """
    cdef Target to_x = Target.__new__(Target)
    cdef Target to_history = Target.__new__(Target)
    cdef Target to_actions = Target.__new__(Target)
    cdef Seen view
    cdef MoveList legal
    cdef native_t* plan
    cdef Py_ssize_t i
    cdef Py_ssize_t at = 0
    cdef Py_ssize_t rows = 0
    cdef Py_ssize_t views = len(seen)
    if views == 0:
        return
    if len(moves) != views or len(bids) != views:
        raise ValueError("as many lists of moves and bids as views")
    plan = &(<Seen?>seen[0]).plan
    for i in range(views):
        view = <Seen?>seen[i]
        rows += (<MoveList?>moves[i]).n + len(bids[i])
        if memcmp(&view.plan, plan, sizeof(native_t)):
            raise DdzError("all views must be of rule sets with one layout")
    to_x.open(x, (views, plan.columns), "x")
    to_history.open(history, (views, HISTORY, plan.history_columns), "history")
    to_actions.open(actions, (rows, plan.action_columns), "actions")
    for i in range(views):
        view = <Seen>seen[i]
        legal = <MoveList>moves[i]
        if to_x.is_open:
            native_head(plan, &view.s, to_x.at(i), to_x.single)
        if to_history.is_open:
            native_history(plan, &view.s, to_history.at(i), to_history.single)
        if to_actions.is_open:
            native_moves(plan, legal.moves, legal.n, to_actions.at(at), to_actions.single)
            at += legal.n
            for bid in bids[i]:
                native_bid(plan, bid, to_actions.at(at), to_actions.single)
                at += 1
