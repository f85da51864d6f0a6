"""Legal moves of many hands at once."""

import numpy as np

from cpython.buffer cimport PyBuffer_FillInfo
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

from ddz_core._classify cimport is_reading
from ddz_core._generate cimport MAX_MOVES_ONE_PACK, count_moves, generate
from ddz_core._types cimport *
from ddz_core._values cimport compiled, to_move

from ddz_core._values import check_counts, move_dtype
from ddz_core.errors import IllegalMoveError, InvalidCardsError
from ddz_core.parallel import ROWS_A_PIECE, n_slices, n_threads, over_slices, pieces
from ddz_core.vocabulary import RANK_SYMBOLS

# Rows that one thread should have at least: fewer cost more to hand out than to do.
cdef enum:
    ROWS_A_THREAD = 4096

# One row in so many is counted to see how much memory a batch takes.
cdef enum:
    ROWS_A_SAMPLE = 16


cdef class Block:
    """Memory for moves that grows as they are listed, and then belongs to an array."""

    cdef move_t* moves
    cdef Py_ssize_t n
    cdef Py_ssize_t room

    def __dealloc__(self):
        free(self.moves)

    cdef int reserve(self, Py_ssize_t more) except -1 nogil:
        cdef Py_ssize_t room = self.room + self.room // 2
        cdef void* grown
        if self.n + more <= self.room:
            return 0
        if room < self.n + more:
            room = self.n + more
        grown = realloc(self.moves, room * sizeof(move_t))
        if grown == NULL:
            with gil:
                raise MemoryError()
        self.moves = <move_t*>grown
        self.room = room
        return 0

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        PyBuffer_FillInfo(buffer, self, self.moves, self.n * sizeof(move_t), 0, flags)

    cdef object as_array(self):
        cdef void* trimmed
        if self.n == 0:
            return np.empty(0, move_dtype)
        # Memory of a steady size comes back warm from the allocator; a little too much costs less
        # than pages that the system must hand out anew.
        if self.room > 2 * self.n:
            trimmed = realloc(self.moves, self.n * sizeof(move_t))
            if trimmed != NULL:
                self.moves = <move_t*>trimmed
        return np.frombuffer(self, dtype=move_dtype)


cdef inline uint64_t squeeze(uint64_t eight) noexcept nogil:
    """Eight bytes below 16 to eight nibbles."""
    eight = (eight | eight >> 4) & <uint64_t>0x00FF00FF00FF00FF
    eight = (eight | eight >> 8) & <uint64_t>0x0000FFFF0000FFFF
    return (eight | eight >> 16) & <uint64_t>0xFFFFFFFF


# A row of 15 counts as two words of eight bytes that share the byte of rank 7.
cdef struct row_t:
    uint64_t low
    uint64_t high


cdef inline row_t read_row(const uint8_t* counts) noexcept nogil:
    cdef row_t row
    memcpy(&row.low, counts, 8)
    memcpy(&row.high, counts + 7, 8)
    # The shared byte counts once, even if somebody writes to it between the two reads.
    row.high &= ~<uint64_t>0xFF
    return row


cdef inline row_t deck_row(const rules_t* rules) noexcept nogil:
    cdef uint8_t counts[N_RANKS]
    cdef int rank
    for rank in range(N_RANKS):
        counts[rank] = count_of(rules.deck, rank)
    return read_row(counts)


cdef inline bint pack_row(
    const rules_t* rules, row_t deck, const uint8_t* counts, cards_t* out
) noexcept nogil:
    """The packed word of a row; False unless it is a hand of the rule set."""
    cdef uint64_t guard = <uint64_t>0x8080808080808080
    cdef row_t row = read_row(counts)
    # A byte of the deck that is less than the row's borrows from its guard bit.
    cdef uint64_t within = ((deck.low | guard) - row.low) & ((deck.high | guard) - row.high)
    if (row.low | row.high) & guard or within & guard != guard:
        return False
    out[0] = squeeze(row.low) | squeeze(row.high) << 28
    return n_cards(out[0]) <= rules.max_hand


cdef inline bint is_play_or_pass(const rules_t* rules, cards_t cards, uint64_t meta) noexcept nogil:
    if cards == 0 and meta == 0:
        return True
    return (well_formed(cards) and contains(rules.deck, cards)
            and is_reading(rules, cards, meta))


cdef enum:
    BAD_HAND = 1
    BAD_LAST = 2


cdef class Batch:
    """One batch query, over arrays that others may write to meanwhile.

    A row's moves come from one reading of it, checked and packed. Rows are read again only where
    nothing depends on it: `likely_moves` samples some for a first guess at the memory, which grows
    if it was too little, and `refuse` words its message.
    """

    cdef CompiledRules core
    cdef const uint8_t[:, ::1] hands
    cdef const uint64_t[:, ::1] last
    cdef int64_t stride             # 0: every row has the same play to beat
    cdef int64_t[::1] ends          # of each row's moves; until they are summed, its number of moves
    cdef uint64_t[:, ::1] packed    # hand and meta to beat of each row
    cdef uint64_t[:, ::1] moves
    cdef object table

    cdef int take_row(self, row_t deck, int64_t row, cards_t* cards, uint64_t* meta) noexcept nogil:
        """Read and check one row; what is wrong with it, or 0."""
        cdef cards_t last_cards = self.last[row * self.stride, 0]
        meta[0] = self.last[row * self.stride, 1]
        if not pack_row(&self.core.c, deck, &self.hands[row, 0], cards):
            return BAD_HAND
        if self.stride and not is_play_or_pass(&self.core.c, last_cards, meta[0]):
            return BAD_LAST
        return 0

    cdef int list_rows(self, int64_t start, int64_t stop, Block block) except -1:
        """One pass over rows that follow those in the block."""
        cdef const rules_t* rules = &self.core.c
        cdef row_t deck = deck_row(rules)
        cdef bint one_pack = rules.max_bomb <= 4
        cdef int64_t row
        cdef int wrong = 0
        cdef cards_t cards
        cdef uint64_t meta
        with nogil:
            for row in range(start, stop):
                wrong = self.take_row(deck, row, &cards, &meta)
                if wrong:
                    break
                block.reserve(MAX_MOVES_ONE_PACK if one_pack else count_moves(rules, cards, meta))
                block.n = generate(rules, cards, meta, block.moves + block.n) - block.moves
                self.ends[row] = block.n
        if wrong:
            self.refuse(row, wrong)
        return 0

    cdef Py_ssize_t likely_moves(self, int64_t n) noexcept nogil:
        """A little more than all rows should have, by some of them: memory that fits from the start
        is not moved, and is found warm again by the next query."""
        cdef row_t deck = deck_row(&self.core.c)
        cdef int64_t sampled = 0
        cdef int64_t moves = 0
        cdef int64_t row
        cdef cards_t cards
        cdef uint64_t meta
        for row in range(n):
            if row % ROWS_A_SAMPLE == 0 and self.take_row(deck, row, &cards, &meta) == 0:
                moves += count_moves(&self.core.c, cards, meta)
                sampled += 1
        if sampled == 0:
            return 0
        return <Py_ssize_t>(1.1 * moves / sampled * n) + MAX_MOVES_ONE_PACK

    def count(self, int64_t start, int64_t stop):
        """The first of two passes: how many moves each row has, so that slices know their places."""
        cdef row_t deck
        cdef int64_t row
        cdef int wrong = 0
        self.check_made()
        deck = deck_row(&self.core.c)
        with nogil:
            for row in range(start, stop):
                wrong = self.take_row(deck, row, &self.packed[row, 0], &self.packed[row, 1])
                if wrong:
                    break
                self.ends[row] = count_moves(&self.core.c, self.packed[row, 0], self.packed[row, 1])
        if wrong:
            self.refuse(row, wrong)

    def fill(self, int64_t start, int64_t stop):
        """The second pass: list each row's moves in their place, from what `count` packed."""
        cdef move_t* out
        cdef int64_t row
        self.check_made()
        out = <move_t*>&self.moves[0, 0]
        if start:
            out += self.ends[start - 1]
        with nogil:
            for row in range(start, stop):
                out = generate(&self.core.c, self.packed[row, 0], self.packed[row, 1], out)

    cdef int check_made(self) except -1:
        """Python can reach the class, but only legal_moves_batch fills one in."""
        if self.core is None:
            raise TypeError("Batch is made by legal_moves_batch, not called itself")
        return 0

    cdef int refuse(self, int64_t row, int wrong) except -1:
        if wrong == BAD_LAST:
            raise IllegalMoveError(
                f"last[{row}] is {self.table[row].tolist()}, no play of rules {self.core.name!r}"
            )
        counts = [int(count) for count in self.hands[row]]
        for rank in range(N_RANKS):
            most = count_of(self.core.c.deck, rank)
            if counts[rank] > most:
                raise InvalidCardsError(
                    f"hands[{row}] has {counts[rank]} cards of rank {RANK_SYMBOLS[rank]}; the deck "
                    f"of rules {self.core.name!r} has {most}"
                )
        raise InvalidCardsError(
            f"hands[{row}] has {sum(counts)} cards; rules {self.core.name!r} allow at most "
            f"{self.core.c.max_hand}"
        )


cdef object plain_array(object array, str name, str wanted):
    """The array without whatever a subclass adds to it."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{name} must be {wanted}, not {type(array).__name__}")
    if hasattr(array, "mask"):
        raise TypeError(f"{name} must be {wanted} without a mask")
    return np.asarray(array)


def legal_moves_batch(hands, last=None, rules=None, threads=None):
    """Every legal move of many hands at once; the GIL is released.

    Parameters
    ----------
    hands : ndarray of uint8, shape (n, 15)
        A count vector a row. Not modified; any memory order.
    last : None, Move, str or ndarray of move_dtype, shape (n,)
        The play to beat: none, one for all rows, or one for each row (all zero: that row leads).
    rules : Rules or str, optional
        Rule set or preset name; standard by default.
    threads : int, optional
        All processors by default; the result does not depend on it.

    Returns
    -------
    indptr : ndarray of int64, shape (n + 1,)
        Row i's moves are ``moves[indptr[i]:indptr[i + 1]]``.
    moves : ndarray of move_dtype, shape (m,)
        In `legal_moves`' order within each row.

    Raises
    ------
    InvalidCardsError
        A wrong shape of `hands`, or a row of it that is no hand of the rule set (the message names
        the row).
    IllegalMoveError
        A wrong shape of `last`, or a play in it that the rule set does not have.
    DdzError
        `threads` is not 1 … 1024, or no preset of that name.
    TypeError
        Wrong types or dtypes; nothing is cast silently.
    """
    cdef Batch batch = Batch.__new__(Batch)
    cdef Block block
    cdef move_t to_beat
    batch.core = compiled(rules)
    threads = n_threads(threads)
    hands = plain_array(hands, "hands", "an ndarray of uint8")
    check_counts(hands, "hands")
    # The view keeps its shape whatever is done to the array; all sizes come from it.
    batch.hands = np.ascontiguousarray(hands)
    n = batch.hands.shape[0]
    if batch.hands.shape[1] != N_RANKS:
        raise InvalidCardsError(f"hands must have {N_RANKS} columns, not {batch.hands.shape[1]}")
    slices = n_slices(n, threads, ROWS_A_THREAD)
    if isinstance(last, np.ndarray):
        last = plain_array(last, "last", "an ndarray of move_dtype")
        if last.dtype != move_dtype:
            raise TypeError(f"last must have dtype move_dtype, not {last.dtype}")
        if last.shape != (n,):
            raise IllegalMoveError(f"last must have shape ({n},), not {last.shape}")
        batch.table = last
        words = np.ascontiguousarray(last).view(np.uint64).reshape(n, 2)
        batch.stride = 1
    else:
        to_move(last, batch.core, "last", &to_beat)
        words = np.array([[to_beat.cards, to_beat.meta]], np.uint64)
        batch.stride = 0
    indptr = np.zeros(n + 1, np.int64)
    if n == 0:
        return indptr, np.empty(0, move_dtype)
    batch.last = words
    if batch.stride and batch.last.shape[0] != n:
        raise IllegalMoveError(f"last must have shape ({n},), not {last.shape}")
    batch.ends = indptr[1:]
    if slices == 1:
        block = Block.__new__(Block)
        block.reserve(batch.likely_moves(n))
        for start, stop in pieces(n, None, ROWS_A_PIECE):
            batch.list_rows(start, stop, block)
        return indptr, block.as_array()
    batch.packed = np.empty((n, 2), np.uint64)
    over_slices(batch.count, n, slices)
    np.cumsum(indptr, out=indptr)
    moves = np.empty(indptr[n], move_dtype)
    if len(moves):
        batch.moves = moves.view(np.uint64).reshape(-1, 2)
        over_slices(batch.fill, n, slices)
    return indptr, moves
