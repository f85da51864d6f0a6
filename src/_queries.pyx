"""Legal moves, counts and readings of hands, one at a time and in batches."""

import numpy as np

from libc.string cimport memcpy

from ddz_core._classify cimport MAX_READINGS, is_reading, readings
from ddz_core._generate cimport count_moves, generate
from ddz_core._types cimport *
from ddz_core._values cimport (
    Hand, Move, MoveList, check_hand, compiled, new_move, new_move_list, to_cards, to_move,
)

from ddz_core._values import check_counts, move_dtype
from ddz_core.errors import IllegalMoveError, InvalidCardsError
from ddz_core.parallel import n_threads, over_slices

# Rows that one thread should have at least: fewer cost more to hand out than to do.
cdef enum:
    ROWS_A_THREAD = 4096


def legal_moves(hand, last=None, rules=None):
    """Every legal move of a hand.

    Parameters
    ----------
    hand : Hand or str
        The player's cards, at most ``rules.max_hand``.
    last : Move, str or None
        The play to beat; None (or PASS) when the player leads. It need not fit into one deck
        together with the hand.
    rules : Rules or str, optional
        Rule set or preset name; standard by default.

    Returns
    -------
    MoveList
        On a lead ordered by kind, chain length and main rank. Following, PASS is the first entry,
        then come plays of last's kind, bombs and the rocket. A play with several readings has one
        entry for each.

    Raises
    ------
    InvalidCardsError
        Cards that are no hand of the rule set.
    IllegalMoveError
        `last` is no play of the rule set.
    """
    cdef CompiledRules core = compiled(rules)
    cdef move_t to_beat
    cdef cards_t cards = to_cards(hand, "hand")
    cdef MoveList moves
    check_hand(cards, core, "hand")
    to_move(last, core, "last", &to_beat)
    moves = new_move_list(count_moves(&core.c, cards, to_beat.meta))
    generate(&core.c, cards, to_beat.meta, moves.moves)
    return moves


def count_legal_moves(hand, last=None, rules=None):
    """Number of legal moves, ``len(legal_moves(…))``, without listing them.

    Kickers are counted in closed form. Parameters and errors are those of `legal_moves`.
    """
    cdef CompiledRules core = compiled(rules)
    cdef move_t to_beat
    cdef cards_t cards = to_cards(hand, "hand")
    check_hand(cards, core, "hand")
    to_move(last, core, "last", &to_beat)
    return count_moves(&core.c, cards, to_beat.meta)


def all_plays(rules=None):
    """Every play of a rule set, with every reading: the moves of the whole deck, PASS left out.

    Returns
    -------
    MoveList
        Plays of at most ``rules.max_hand`` cards, in `legal_moves`' order.
    """
    cdef CompiledRules core = compiled(rules)
    cdef MoveList moves = new_move_list(count_moves(&core.c, core.c.deck, 0))
    generate(&core.c, core.c.deck, 0, moves.moves)
    return moves


def classify(cards, rules=None):
    """Every reading of a set of cards as a play.

    Parameters
    ----------
    cards : Hand or str
        The cards put down.
    rules : Rules or str, optional
        Rule set or preset name; standard by default.

    Returns
    -------
    tuple of Move
        Ordered by kind, chain length and main rank; empty when the cards are no legal play.

    Raises
    ------
    InvalidCardsError
        Cards that are no hand of the rule set.
    """
    cdef CompiledRules core = compiled(rules)
    cdef cards_t packed = to_cards(cards, "cards")
    cdef move_t found[MAX_READINGS]
    cdef int i, n
    check_hand(packed, core, "cards")
    n = readings(&core.c, packed, found)
    return tuple([new_move(&found[i]) for i in range(n)])


# ---- batches --------------------------------------------------------------------------------------


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
    return row


cdef inline row_t deck_row(const rules_t* rules) noexcept nogil:
    cdef uint8_t counts[N_RANKS]
    cdef int rank
    for rank in range(N_RANKS):
        counts[rank] = (rules.deck >> (4 * rank)) & 15
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


cdef int count_rows(
    const rules_t* rules, const uint8_t[:, ::1] hands, uint64_t[::1] packed,
    const uint64_t[:, ::1] last, int64_t stride, int64_t[::1] counts, int64_t start, int64_t stop,
    int64_t* row
) noexcept nogil:
    """Pack, check and count; what is wrong with `row`, or 0."""
    cdef int64_t i
    cdef uint64_t meta = last[0, 1]
    cdef row_t deck = deck_row(rules)
    for i in range(start, stop):
        row[0] = i
        if not pack_row(rules, deck, &hands[i, 0], &packed[i]):
            return BAD_HAND
        if stride:
            meta = last[i, 1]
            if not is_play_or_pass(rules, last[i, 0], meta):
                return BAD_LAST
        counts[i] = count_moves(rules, packed[i], meta)
    return 0


cdef void fill_rows(
    const rules_t* rules, const uint64_t[::1] packed, const uint64_t[:, ::1] last, int64_t stride,
    const int64_t[::1] indptr, move_t* out, int64_t start, int64_t stop
) noexcept nogil:
    cdef int64_t row
    for row in range(start, stop):
        generate(rules, packed[row], last[row * stride, 1], out + indptr[row])


cdef class Batch:
    """One batch query: packed rows, the plays to beat, and where each row's moves go."""

    cdef CompiledRules core
    cdef const uint8_t[:, ::1] hands
    cdef uint64_t[::1] packed
    cdef const uint64_t[:, ::1] last
    cdef int64_t stride             # 0: every row has the same play to beat
    cdef int64_t[::1] counts
    cdef const int64_t[::1] indptr
    cdef uint64_t[:, ::1] moves
    cdef object table

    def count(self, int64_t start, int64_t stop):
        cdef int64_t row
        cdef int wrong
        with nogil:
            wrong = count_rows(&self.core.c, self.hands, self.packed, self.last, self.stride,
                               self.counts, start, stop, &row)
        if wrong == BAD_HAND:
            self.refuse_hand(row)
        if wrong == BAD_LAST:
            self.refuse_last(row)

    def fill(self, int64_t start, int64_t stop):
        cdef move_t* out = <move_t*>&self.moves[0, 0]
        with nogil:
            fill_rows(&self.core.c, self.packed, self.last, self.stride, self.indptr, out, start,
                      stop)

    cdef refuse_hand(self, int64_t row):
        counts = [int(count) for count in self.hands[row]]
        deck = [(self.core.c.deck >> (4 * rank)) & 15 for rank in range(N_RANKS)]
        for rank in range(N_RANKS):
            if counts[rank] > deck[rank]:
                raise InvalidCardsError(
                    f"hands[{row}] has {counts[rank]} cards of rank {'3456789TJQKA2BR'[rank]}; the "
                    f"deck of rules {self.core.name!r} has {deck[rank]}"
                )
        raise InvalidCardsError(
            f"hands[{row}] has {sum(counts)} cards; rules {self.core.name!r} allow at most "
            f"{self.core.c.max_hand}"
        )

    cdef refuse_last(self, int64_t row):
        raise IllegalMoveError(
            f"last[{row}] is {self.table[row]!r}, no play of rules {self.core.name!r}"
        )


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
        A wrong shape, or a row that is no hand of the rule set (the message names it).
    IllegalMoveError
        An entry of `last` that is no play of the rule set.
    TypeError
        Wrong types or dtypes; nothing is cast silently.
    """
    cdef Batch batch = Batch.__new__(Batch)
    cdef move_t to_beat
    batch.core = compiled(rules)
    n_threads(threads)
    if not isinstance(hands, np.ndarray):
        raise TypeError(f"hands must be an ndarray of uint8, not {type(hands).__name__}")
    check_counts(hands, "hands")
    n = len(hands)
    if isinstance(last, np.ndarray):
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
    batch.hands = np.ascontiguousarray(hands)
    batch.packed = np.empty(n, np.uint64)
    batch.counts = indptr[1:]
    over_slices(batch.count, n, threads, ROWS_A_THREAD)
    np.cumsum(indptr, out=indptr)
    batch.indptr = indptr
    moves = np.empty(indptr[n], move_dtype)
    if len(moves):
        batch.moves = moves.view(np.uint64).reshape(-1, 2)
        over_slices(batch.fill, n, threads, ROWS_A_THREAD)
    return indptr, moves
