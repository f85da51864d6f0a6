"""Many games side by side, stepped, listed and encoded without Python."""

import numpy as np

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.string cimport memcpy, memset

from ddz_core._actions cimport ActionTable, action_id
from ddz_core._classify cimport may_play
from ddz_core._features cimport *
from ddz_core._generate cimport count_moves, generate
from ddz_core._playout cimport is_anti_spring, is_spring
from ddz_core._position cimport NOBODY, Position, apply, position_t, settle
from ddz_core._simulate cimport (
    AUCTION_CALL_ROB, AUCTION_NONE, AUCTION_ONCE, NOBODY_FIRST, NOBODY_VOID, deal_cards, dealt_t,
    sort_deck, start_stream, table_t,
)
from ddz_core._types cimport *
from ddz_core._values cimport compiled

from ddz_core import _values
from ddz_core.errors import IllegalMoveError, PhaseError

cdef enum:
    N_BIDS = 6
    BID_THREE = 3
    BID_CALL = 4
    BID_ROB = 5
    CARDS = 0               # of a place's two streams
    FIRST_ROWS = 16         # rows a game that buffers have at first

cdef enum:
    OUT_OF_RANGE = 1
    ILLEGAL = 2
    OVER = 3

# Columns of DouZero's x by role.
cdef int[3] ROLE_COLUMNS = [LANDLORD_HEAD + PACK, PEASANT_HEAD + PACK, PEASANT_HEAD + PACK]


cdef class Games:
    """Games of one rule set, each at its own point, that all take one action a step.

    Everything that happens in a game follows from its key and place and from its own actions, so
    that neither the other games nor threads matter. A step is `take` (nothing changes if an action
    is refused), `advance` of all games, `arrange`, `fill` of all games, and `finish`; slices of games
    may be advanced or filled by several threads. Where that is broken off, by Ctrl-C or for want of
    memory, `restart` is what comes next.

    Parameters
    ----------
    rules : Rules
    n : int
    options : tuple of int
        ``auction, first_bidder, nobody_bids, max_redeals, max_robs, bombs_double`` as in
        ``table_t``; whether the kitty is shown, whether rewards are the landlord's.
    table : ActionTable or None
        Actions are its ids, or places in the lists of legal moves.
    autoreset, observe : int
    single : bool
        Whether features are float32, else int8.
    """

    def __cinit__(self, rules, Py_ssize_t n, tuple options, ActionTable table, int autoreset,
                  int observe, bint single):
        cdef int role
        cdef Py_ssize_t i
        cdef uint64_t[4] key = [0, 0, 0, 0]
        if not 0 < n <= 1 << 24 or len(options) != 8:
            raise ValueError("n or options are wrong")
        if observe == OBSERVE_DOUZERO and compiled(rules).c.n_seats != 3:
            raise ValueError("DouZero's layout has three seats")
        self.core = compiled(rules)
        self.rules = rules
        self.n = n
        self.table = table
        self.autoreset = autoreset
        self.observe = observe
        self.single = single
        self.size = 4 if single else 1
        (self.options.auction, self.options.first_bidder, self.options.nobody_bids,
         self.options.max_redeals, self.options.max_robs, self.options.bombs_double,
         self.kitty_shown, self.for_landlord) = options
        self.arrays = {}
        self.games = <game_t*>PyMem_Calloc(n, sizeof(game_t))
        if self.games == NULL:
            raise MemoryError()
        for i in range(n):
            self.games[i].phase = PHASE_OVER
            self.games[i].p.winner = NOBODY
            start_stream(key, i, CARDS, &self.games[i].rng)
        memset(&self.deck, 0, sizeof(dealt_t))
        sort_deck(&self.core.c, &self.deck)
        plan_native(&self.core.c, rules.auction != "none",
                    rules.max_robs if rules.auction == "call_rob" else 0, &self.plan)
        self.chosen = <int64_t*>self.keep("chosen", np.zeros(n, np.int64))
        self.counts = <int64_t*>self.keep("counts", np.zeros(n, np.int64))
        self.ends = <int64_t*>self.keep("indptr", np.zeros(n + 1, np.int64))
        self.roles = <signed char*>self.keep("role", np.full(n, -1, np.int8))
        self.slots = <int64_t*>self.keep("slots", np.zeros(n, np.int64))
        self.rewards = <double*>self.keep("rewards", np.zeros(n))
        self.terminated = <uint8_t*>self.keep("terminated", np.zeros(n, np.bool_))
        self.acted = <signed char*>self.keep("acted", np.full(n, -1, np.int8))
        self.turns = <signed char*>self.keep("turn", np.full(n, -1, np.int8))
        self.phases = <signed char*>self.keep("phase", np.zeros(n, np.int8))
        self.landlords = <signed char*>self.keep("landlord", np.full(n, -1, np.int8))
        self.ended_landlords = <signed char*>self.keep("ended_landlord", np.full(n, -1, np.int8))
        self.points = <int64_t*>self.keep("points", np.zeros((n, self.core.c.n_seats), np.int64))
        self.arrays["moves"] = np.zeros((0, 2), np.uint64)
        if table is not None:
            self.mask_columns = table.a.n + (N_BIDS if self.options.auction != AUCTION_NONE else 0)
            self.masks = <uint8_t*>self.keep("mask", np.zeros((n, self.mask_columns), np.bool_))
            self.arrays["ids"] = np.zeros(0, np.int64)
        dtype = np.float32 if single else np.int8
        if observe == OBSERVE_NATIVE:
            self.x = <char*>self.keep("x", np.zeros((n, self.plan.columns), dtype))
            self.z = <char*>self.keep(
                "history", np.zeros((n, HISTORY, self.plan.history_columns), dtype))
            self.arrays["actions"] = np.zeros((0, self.plan.action_columns), dtype)
        elif observe == OBSERVE_DOUZERO:
            # As DouZero keeps them for learning: int8 always, and as wide as a peasant's.
            self.x = <char*>self.keep("x_no_action", np.zeros((n, PEASANT_HEAD), np.int8))
            self.z = <char*>self.keep("z", np.zeros((n, 5, 3 * PACK), np.int8))
            for role in range(3):
                self.role_games[role] = <int64_t*>self.keep(
                    f"games_{role}", np.zeros(n, np.int64))
                self.role_ends[role] = <int64_t*>self.keep(
                    f"indptr_{role}", np.zeros(n + 1, np.int64))
                self.arrays[f"x_{role}"] = np.zeros((0, ROLE_COLUMNS[role]), dtype)
                self.arrays[f"z_{role}"] = np.zeros((0, 5, 3 * PACK), dtype)

    def __dealloc__(self):
        PyMem_Free(self.games)

    # ---- memory ------------------------------------------------------------------------------------

    cdef void* keep(self, str name, array) except NULL:
        """Hold an array that is not empty; where its memory is."""
        cdef uint8_t[::1] flat = array.reshape(-1).view(np.uint8)
        self.arrays[name] = array
        return &flat[0]

    cdef void* room_for(self, str name, Py_ssize_t rows) except NULL:
        """A buffer with so many rows at least; what it held is kept only where it need not grow."""
        array = self.arrays[name]
        room = len(array)
        if room < rows or room == 0:
            room = max(rows, room + room // 2, FIRST_ROWS)
            array = np.empty((room, *array.shape[1:]), array.dtype)
        return self.keep(name, array)

    # ---- one game ----------------------------------------------------------------------------------

    cdef uint32_t legal_bids(self, const game_t* g) noexcept nogil:
        """Bit b for each bid b."""
        if self.options.auction == AUCTION_CALL_ROB:
            return 1 | <uint32_t>1 << (BID_CALL if g.landlord == NOBODY else BID_ROB)
        return 1 | (<uint32_t>0xF & ~((<uint32_t>2 << g.highest) - 1))

    cdef void deal_out(self, game_t* g) noexcept nogil:
        """A deal, and what waits for it: the auction, or the lead of who would speak first."""
        deal_cards(&self.core.c, &self.options, &self.deck, g.number, &g.rng, &g.deal)
        memset(&g.p, 0, sizeof(position_t))
        memset(&g.trace, 0, sizeof(trace_t))
        g.p.winner = NOBODY
        memset(&g.bids[0], 0, MAX_SEATS)
        g.phase = PHASE_AUCTION
        g.turn = g.deal.opener
        g.landlord = NOBODY
        g.made = 0
        g.passes = 0
        g.highest = 0
        g.robs = 0
        if self.options.auction == AUCTION_NONE:
            self.start_play(g, g.deal.opener)

    cdef void start(self, game_t* g) noexcept nogil:
        g.redeals = 0
        self.deal_out(g)
        g.number += 1

    cdef void start_play(self, game_t* g, int landlord) noexcept nogil:
        cdef position_t* p = &g.p
        cdef int seat
        memset(p, 0, sizeof(position_t))
        p.n_seats = self.core.c.n_seats
        p.landlord = landlord
        p.turn = landlord
        p.target = g.robs
        for seat in range(p.n_seats):
            p.hands[seat] = g.deal.hands[seat]
        p.hands[landlord] += g.deal.kitty
        settle(p)
        g.base = g.highest if 0 < g.highest <= BID_THREE else 1
        g.phase = PHASE_PLAY

    cdef void bid(self, game_t* g, int bid) noexcept nogil:
        """One bid, as `ddz_core.auction` describes it, and what follows the last one."""
        cdef int seats = self.core.c.n_seats
        cdef bint over
        g.bids[g.turn] = bid + 1
        g.made += 1
        g.passes = 0 if bid else g.passes + 1
        if bid:
            g.landlord = g.turn
            g.highest = bid
        g.robs += bid == BID_ROB
        if self.options.auction == AUCTION_CALL_ROB:
            over = (bid == 0 and (g.landlord != NOBODY or g.made == seats)) or (
                bid != 0 and g.robs == self.options.max_robs)
        elif self.options.auction == AUCTION_ONCE:
            over = bid == BID_THREE or g.made == seats
        else:
            over = bid == BID_THREE or g.passes == seats - (g.landlord != NOBODY)
        g.turn = 0 if g.turn + 1 == seats else g.turn + 1
        if not over:
            return
        if g.landlord != NOBODY:
            self.start_play(g, g.landlord)
        elif self.options.nobody_bids == NOBODY_VOID:
            g.phase = PHASE_OVER
        elif self.options.nobody_bids == NOBODY_FIRST or g.redeals == self.options.max_redeals:
            self.start_play(g, g.deal.opener)
        else:
            # The redeal does not count as a game, so that it does not move who speaks first.
            g.redeals += 1
            g.number -= 1
            self.deal_out(g)
            g.number += 1

    cdef int doublings(self, const game_t* g) noexcept nogil:
        """Of the stake so far, springs left out."""
        if g.phase == PHASE_AUCTION or not self.options.bombs_double:
            return g.robs
        return g.robs + g.p.doubling_bombs + g.p.rockets

    cdef void end(self, Py_ssize_t i) noexcept nogil:
        """The game is over: what it was worth."""
        cdef game_t* g = &self.games[i]
        cdef int seats = self.core.c.n_seats
        cdef int64_t* points = self.points + i * seats
        cdef int64_t stake
        cdef int seat, landlord
        self.terminated[i] = True
        if g.landlord == NOBODY and self.options.nobody_bids == NOBODY_VOID and (
                self.options.auction != AUCTION_NONE):
            return
        landlord = g.p.landlord
        stake = <int64_t>g.base << (self.doublings(g) + (
            is_spring(&self.core.c, &g.p) or is_anti_spring(&self.core.c, &g.p)))
        if g.p.winner == landlord:
            stake = -stake
        for seat in range(seats):
            points[seat] = stake if seat != landlord else -stake * (seats - 1)
        self.ended_landlords[i] = landlord
        self.rewards[i] = points[landlord if self.for_landlord else self.acted[i]]

    cdef int wrong_action(self, Py_ssize_t i) noexcept nogil:
        """What is wrong with a game's action, or 0."""
        cdef game_t* g = &self.games[i]
        cdef int64_t action = self.chosen[i]
        cdef int64_t bid
        if g.phase == PHASE_OVER:
            return OVER if self.autoreset == AUTORESET_OFF else 0
        if self.table is None:
            return 0 if 0 <= action < self.counts[i] else OUT_OF_RANGE
        if not 0 <= action < self.mask_columns:
            return OUT_OF_RANGE
        if g.phase == PHASE_AUCTION:
            bid = action - self.table.a.n
            return 0 if bid >= 0 and (self.legal_bids(g) >> bid) & 1 else ILLEGAL
        if action >= self.table.a.n:
            return ILLEGAL
        return 0 if may_play(&self.core.c, g.p.hands[g.p.turn], g.p.last.meta,
                             &self.table.a.moves[action]) else ILLEGAL

    cdef void step_game(self, Py_ssize_t i) noexcept nogil:
        """Take the game's action, which is legal."""
        cdef game_t* g = &self.games[i]
        cdef int64_t action = self.chosen[i]
        cdef move_t move
        cdef int seats = self.core.c.n_seats
        if self.terminated[i]:
            memset(self.points + i * seats, 0, seats * sizeof(int64_t))
            self.ended_landlords[i] = -1
        self.rewards[i] = 0
        self.terminated[i] = False
        self.acted[i] = -1
        if g.phase == PHASE_OVER:
            self.start(g)
            return
        if self.table is not None and g.phase == PHASE_PLAY:
            move = self.table.a.moves[action]
        elif self.table is None:
            move = (<move_t*>self.move_list)[self.ends[i] + action]
        else:
            move.meta = meta_of(PASS, action - self.table.a.n, 0, 0)
        if g.phase == PHASE_AUCTION:
            self.acted[i] = g.turn
            self.bid(g, main_rank(move.meta))
        else:
            self.acted[i] = g.p.turn
            trace_move(&g.trace, g.p.turn, move.cards)
            apply(&self.core.c, &g.p, &move)
            if g.p.winner != NOBODY:
                g.phase = PHASE_OVER
        if g.phase == PHASE_OVER:
            self.end(i)
            if self.autoreset == AUTORESET_SAME:
                self.start(g)

    cdef void count_game(self, Py_ssize_t i) noexcept nogil:
        """How many moves or bids it has, and who is to choose."""
        cdef game_t* g = &self.games[i]
        self.phases[i] = g.phase
        self.roles[i] = -1
        self.landlords[i] = -1
        self.turns[i] = -1
        self.counts[i] = 0
        if g.phase == PHASE_AUCTION:
            self.turns[i] = g.turn
            self.counts[i] = n_bids(self.legal_bids(g))
        elif g.phase == PHASE_PLAY:
            self.turns[i] = g.p.turn
            self.landlords[i] = g.p.landlord
            self.roles[i] = (g.p.turn + g.p.n_seats - g.p.landlord) % g.p.n_seats
            self.counts[i] = count_moves(&self.core.c, g.p.hands[g.p.turn], g.p.last.meta)

    cdef void unmask(self, Py_ssize_t i) noexcept nogil:
        cdef int64_t k
        if self.masks != NULL:
            for k in range(self.ends[i], self.ends[i + 1]):
                self.masks[i * self.mask_columns + self.id_list[k]] = False

    cdef void list_game(self, Py_ssize_t i) noexcept nogil:
        """Its moves or bids in their place, and the mask of their ids."""
        cdef game_t* g = &self.games[i]
        cdef move_t* moves = <move_t*>self.move_list + self.ends[i]
        cdef int64_t n = self.counts[i]
        cdef int64_t k
        cdef uint32_t legal
        cdef int bid
        if g.phase == PHASE_PLAY:
            generate(&self.core.c, g.p.hands[g.p.turn], g.p.last.meta, moves)
        elif g.phase == PHASE_AUCTION:
            legal = self.legal_bids(g)
            k = 0
            for bid in range(N_BIDS):
                if (legal >> bid) & 1:
                    moves[k].cards = 0
                    moves[k].meta = meta_of(PASS, bid, 0, 0)
                    k += 1
        if self.masks == NULL:
            return
        for k in range(n):
            if g.phase == PHASE_PLAY:
                self.id_list[self.ends[i] + k] = action_id(&self.table.a, &moves[k])
            else:
                self.id_list[self.ends[i] + k] = self.table.a.n + main_rank(moves[k].meta)
            self.masks[i * self.mask_columns + self.id_list[self.ends[i] + k]] = True

    cdef void see(self, const game_t* g, seen_t* s) noexcept nogil:
        """What the seat to move knows, in auction and play."""
        cdef const position_t* p = &g.p
        cdef int seats = self.core.c.n_seats
        cdef int seat
        cdef cards_t gone = 0
        cdef bint in_play = g.phase == PHASE_PLAY
        s.trace = g.trace
        s.n_seats = seats
        s.seat = p.turn if in_play else g.turn
        s.hand = p.hands[p.turn] if in_play else g.deal.hands[g.turn]
        s.landlord = p.landlord if in_play else NO_SEAT
        s.last.cards = 0
        s.last.meta = 0
        s.last_seat = NO_SEAT
        s.kitty = 0
        if in_play:
            s.last = p.last
            if p.last.meta:
                s.last_seat = (p.turn + 2 * seats - 1 - p.passes) % seats
            if self.kitty_shown or p.turn == p.landlord:
                s.kitty = g.deal.kitty
        for seat in range(seats):
            gone += g.trace.played[seat]
            s.left[seat] = n_cards(p.hands[seat]) if in_play else self.core.c.hand_size
            s.bids[seat] = g.bids[seat]
        s.unseen = self.core.c.deck - s.hand - gone
        s.bombs = p.bombs + p.rockets if in_play else 0
        s.doublings = self.doublings(g)
        s.base = g.base if in_play else 1 if self.options.auction == AUCTION_CALL_ROB else g.highest
        s.robs = g.robs
        s.opener = g.deal.opener

    cdef void observe_game(self, Py_ssize_t i) noexcept nogil:
        cdef game_t* g = &self.games[i]
        cdef const move_t* moves = <const move_t*>self.move_list + self.ends[i]
        cdef int64_t n = self.counts[i]
        cdef int role = self.roles[i]
        cdef Py_ssize_t history = HISTORY_COLUMNS
        cdef seen_t s
        cdef int64_t slot, k
        cdef char* row
        if self.observe == OBSERVE_DOUZERO:
            memset(self.x + i * PEASANT_HEAD, 0, PEASANT_HEAD)
            if role < 0:
                memset(self.z + i * history, 0, history)
                return
            self.see(g, &s)
            douzero_head(&s, self.x + i * PEASANT_HEAD, False)
            douzero_history(&s, self.z + i * history, False)
            slot = self.slots[i]
            row = self.role_x[role] + self.role_ends[role][slot] * ROLE_COLUMNS[role] * self.size
            douzero_rows(&s, moves, n, row, self.single)
            row = self.role_z[role] + slot * history * self.size
            douzero_history(&s, row, self.single)
            return
        history = HISTORY * self.plan.history_columns
        row = self.x + i * self.plan.columns * self.size
        if g.phase == PHASE_OVER:
            memset(row, 0, self.plan.columns * self.size)
            memset(self.z + i * history * self.size, 0, history * self.size)
            return
        self.see(g, &s)
        native_head(&self.plan, &s, row, self.single)
        native_history(&self.plan, &s, self.z + i * history * self.size, self.single)
        row = self.action_rows + self.ends[i] * self.plan.action_columns * self.size
        if g.phase == PHASE_PLAY:
            native_moves(&self.plan, moves, n, row, self.single)
        else:
            for k in range(n):
                native_bid(&self.plan, main_rank(moves[k].meta),
                           row + k * self.plan.action_columns * self.size, self.single)

    # ---- all games ---------------------------------------------------------------------------------

    def seed(self, const uint64_t[::1] key not None, const uint8_t[::1] which not None):
        """Give each of these games the stream of its place under a key of four words."""
        cdef Py_ssize_t i
        if key.shape[0] != 4 or which.shape[0] != self.n:
            raise ValueError("key must have 4 words, and which a flag for each game")
        for i in range(self.n):
            if which[i]:
                start_stream(&key[0], i, CARDS, &self.games[i].rng)
                self.games[i].number = 0

    def restart(self, const uint8_t[::1] which not None):
        """Start these games anew, from the next cards of their streams; then `arrange` and `fill`."""
        cdef Py_ssize_t i
        cdef int seats = self.core.c.n_seats
        if which.shape[0] != self.n:
            raise ValueError("which must have a flag for each game")
        self.arranged = False
        self.taken = False
        if self.masks != NULL and not self.listed:
            # The lists of ids, by which masks are emptied elsewhere, are not what made them.
            memset(self.masks, 0, self.n * self.mask_columns)
        for i in range(self.n):
            if self.listed:
                self.unmask(i)
            self.rewards[i] = 0
            self.terminated[i] = False
            self.acted[i] = -1
            self.ended_landlords[i] = -1
            memset(self.points + i * seats, 0, seats * sizeof(int64_t))
            if which[i]:
                self.start(&self.games[i])
            self.count_game(i)

    def take(self, const int64_t[::1] actions not None):
        """Read and check each game's action.

        Raises
        ------
        IllegalMoveError, PhaseError
            The first action that is refused; nothing has changed.
        """
        cdef Py_ssize_t i
        cdef int wrong = 0
        if actions.shape[0] != self.n:
            raise ValueError("actions must have an entry for each game")
        self.taken = False
        self.check_listed()
        memcpy(self.chosen, &actions[0], self.n * sizeof(int64_t))
        with nogil:
            for i in range(self.n):
                wrong = self.wrong_action(i)
                if wrong:
                    break
        if wrong:
            self.refuse(i, wrong)
        self.taken = True

    def advance(self, Py_ssize_t start, Py_ssize_t stop):
        """Take the actions of a slice of the games, and count what may follow."""
        cdef Py_ssize_t i
        if not 0 <= start <= stop <= self.n or not self.taken:
            raise ValueError("no such games, or no actions")
        self.arranged = False
        with nogil:
            for i in range(start, stop):
                self.unmask(i)
                self.step_game(i)
                self.count_game(i)

    def arrange(self):
        """Find a place for every game's lists and rows."""
        cdef Py_ssize_t i
        cdef int role
        cdef int64_t k
        cdef int64_t total = 0
        self.listed = False
        for i in range(self.n):
            total += self.counts[i]
        # All memory first: should there be none, the old lists still fit their places.
        self.move_list = <uint64_t*>self.room_for("moves", total)
        if self.masks != NULL:
            self.id_list = <int64_t*>self.room_for("ids", total)
        if self.observe == OBSERVE_NATIVE:
            self.action_rows = <char*>self.room_for("actions", total)
        if self.observe == OBSERVE_DOUZERO:
            self.arrange_roles()
        total = 0
        for i in range(self.n):
            self.ends[i] = total
            total += self.counts[i]
        self.ends[self.n] = total
        self.arranged = True
        self.taken = False

    cdef int arrange_roles(self) except -1:
        cdef Py_ssize_t i
        cdef int role
        cdef int64_t k
        for role in range(3):
            self.n_role[role] = 0
        for i in range(self.n):
            role = self.roles[i]
            if role >= 0:
                k = self.n_role[role]
                self.slots[i] = k
                self.role_games[role][k] = i
                self.role_ends[role][k + 1] = self.role_ends[role][k] + self.counts[i]
                self.n_role[role] = k + 1
        for role in range(3):
            k = self.n_role[role]
            self.role_x[role] = <char*>self.room_for(f"x_{role}", self.role_ends[role][k])
            self.role_z[role] = <char*>self.room_for(f"z_{role}", k)

    def fill(self, Py_ssize_t start, Py_ssize_t stop):
        """List and encode a slice of the games."""
        cdef Py_ssize_t i
        if not 0 <= start <= stop <= self.n or not self.arranged:
            raise ValueError("no such games, or no places for them")
        with nogil:
            for i in range(start, stop):
                self.list_game(i)
                if self.observe != OBSERVE_NOTHING:
                    self.observe_game(i)

    def finish(self):
        """Say that all games are filled."""
        if not self.arranged:
            raise ValueError("no places for the games' lists")
        self.listed = True

    cdef int check_listed(self) except -1:
        if not self.arranged or not self.listed:
            raise PhaseError("the games have no lists of moves: reset them")
        return 0

    cdef int refuse(self, Py_ssize_t i, int wrong) except -1:
        cdef int64_t action = self.chosen[i]
        if wrong == OVER:
            raise PhaseError(f"game {i} is over: reset it before it takes an action")
        if self.table is None:
            raise IllegalMoveError(
                f"actions[{i}] is {action}; game {i} has {self.counts[i]} legal actions, 0 … "
                f"{self.counts[i] - 1}")
        if wrong == OUT_OF_RANGE:
            raise IllegalMoveError(
                f"actions[{i}] is {action}; action ids are 0 … {self.mask_columns - 1}")
        if action >= self.table.a.n:
            what = f"bid {action - self.table.a.n}"
        else:
            what = str(self.table.move(action))
        raise IllegalMoveError(f"actions[{i}] is {action} ({what}), which is not legal in game {i}")

    # ---- what is there -----------------------------------------------------------------------------

    cdef int check_game(self, Py_ssize_t i) except -1:
        if not 0 <= i < self.n:
            raise IndexError(f"game {i} of {self.n}")
        return 0

    @property
    def indptr(self):
        """Where each game's moves are in `moves`."""
        return readable(self.arrays["indptr"])

    @property
    def moves(self):
        """Every game's legal moves; a bid is a row without cards whose rank is the bid's value."""
        return readable(self.arrays["moves"][:self.ends[self.n]].view(_values.move_dtype).reshape(-1))

    @property
    def outcome(self):
        """What the last step brought, and whose turn it is: arrays with an entry for each game."""
        names = ("rewards", "terminated", "acted", "turn", "phase", "landlord", "ended_landlord",
                 "points", "role")
        return {name: readable(self.arrays[name]) for name in names}

    @property
    def mask(self):
        """Which ids are legal, shape (n, ids)."""
        return readable(self.arrays["mask"])

    def places(self, Py_ssize_t columns):
        """Which places of the lists are legal, shape (n, columns): as many of the first as there are."""
        cdef Py_ssize_t i
        cdef int64_t count
        cdef uint8_t* row
        for i in range(self.n):
            if self.ends[i + 1] - self.ends[i] > columns:
                raise ValueError(f"game {i} has more legal actions than columns")
        array = self.arrays.get("places")
        if array is None or array.shape[1] != columns:
            array = np.zeros((self.n, columns), np.bool_)
        row = <uint8_t*>self.keep("places", array)
        for i in range(self.n):
            count = self.ends[i + 1] - self.ends[i]
            memset(row, True, count)
            memset(row + count, False, columns - count)
            row += columns
        return readable(array)

    @property
    def observed(self):
        """Arrays with a row for each game."""
        names = () if self.observe == OBSERVE_NOTHING else (
            ("x", "history") if self.observe == OBSERVE_NATIVE else ("x_no_action", "z"))
        return {name: readable(self.arrays[name]) for name in names}

    @property
    def rows(self):
        """DouZero's rows of each role: games, indptr, x, z."""
        rows = []
        for role in range(3):
            k = self.n_role[role]
            rows.append((
                readable(self.arrays[f"games_{role}"][:k]),
                readable(self.arrays[f"indptr_{role}"][:k + 1]),
                readable(self.arrays[f"x_{role}"][:self.role_ends[role][k]]),
                readable(self.arrays[f"z_{role}"][:k]),
            ))
        return rows

    @property
    def actions(self):
        """Our own features of every legal move or bid."""
        return readable(self.arrays["actions"][:self.ends[self.n]])

    def ids(self, ActionTable table not None):
        """The ids of all legal moves; bids follow the moves."""
        cdef int64_t[::1] ids
        cdef Py_ssize_t i
        cdef int64_t k
        self.check_listed()
        found = np.empty(self.ends[self.n], np.int64)
        ids = found
        for i in range(self.n):
            for k in range(self.ends[i], self.ends[i + 1]):
                if self.phases[i] == PHASE_PLAY:
                    ids[k] = action_id(&table.a, <move_t*>self.move_list + k)
                else:
                    ids[k] = table.a.n + main_rank((<move_t*>self.move_list)[k].meta)
        return found

    def position(self, Py_ssize_t game):
        """A copy of the play of a game as it stands; None in its auction."""
        cdef Position position
        self.check_game(game)
        if self.games[game].phase == PHASE_AUCTION or self.games[game].p.n_seats == 0:
            return None
        if self.games[game].phase == PHASE_OVER and self.games[game].p.winner == NOBODY:
            return None
        position = Position.__new__(Position)
        position.core = self.core
        position.rules = self.rules
        position.now = self.games[game].p
        return position

    def dealt(self, Py_ssize_t game):
        """A game's deal: suited cards of each seat, of the kitty and undealt; opener, face-up card."""
        cdef dealt_t* d
        cdef int size = self.core.c.hand_size
        cdef int players = self.core.c.n_seats
        self.check_game(game)
        d = &self.games[game].deal
        cards = [d.cards[i] for i in range(d.n)]
        first = d.n - players * size - self.core.c.kitty_size
        hands = [cards[first + seat * size : first + (seat + 1) * size] for seat in range(players)]
        face_up = None if d.face_up < 0 else d.face_up
        return hands, cards[first + players * size :], cards[:first], d.opener, face_up


cdef inline int n_bids(uint32_t legal) noexcept nogil:
    cdef int n = 0
    while legal:
        n += legal & 1
        legal >>= 1
    return n


cdef object readable(object array):
    view = array.view()
    view.flags.writeable = False
    return view
