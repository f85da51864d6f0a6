"""Hidden hands that fit what one seat has seen, drawn exactly uniformly."""

from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from ddz_core._rng cimport below, next_word, rng_t
from ddz_core._types cimport *

cdef extern from *:
    """
    /* Kept apart from the sum that it goes into: a fused multiply-add, which some machines have and some
       have not, would round differently. */
    static inline double ddz_product(double a, double b) {
        volatile double product = a * b;
        return product;
    }
    """
    double product "ddz_product"(double a, double b) noexcept nogil

cdef enum:
    # Room below each table's rows, so that a split that does not fit leads to a zero and not astray.
    MARGIN = MAX_COUNT

cdef double FACTORIALS[MAX_COUNT + 1]
cdef double UNIT = 1.0 / 9007199254740992.0


cdef void fill_factorials() noexcept:
    cdef int i
    FACTORIALS[0] = 1
    for i in range(MAX_COUNT):
        FACTORIALS[i + 1] = FACTORIALS[i] * (i + 1)

fill_factorials()


cdef inline void shuffle(
    const hidden_t* h, uint8_t* shoe, rng_t* rng, cards_t* piles
) noexcept nogil:
    cdef int left = h.n_shoe
    cdef int pile, i, drawn
    for pile in range(h.n_piles):
        if h.seat_of[pile] < 0:
            continue
        for i in range(h.sizes[pile]):
            left -= 1
            drawn = below(rng, left + 1)
            piles[pile] += <cards_t>1 << (4 * shoe[drawn])
            shoe[drawn], shoe[left] = shoe[left], shoe[drawn]


cdef inline void split(const hidden_t* h, rng_t* rng, cards_t* piles) noexcept nogil:
    cdef const double* ways = h.ways
    cdef const split_t* s
    cdef const split_t* end
    cdef Py_ssize_t at = h.start
    cdef double wanted, reached
    cdef int level, pile
    for level in range(h.n_levels):
        wanted = product(<double>(next_word(rng) >> 11) * UNIT, ways[at])
        ways += h.table_size
        s = h.splits + h.first[level]
        end = h.splits + h.first[level + 1] - 1
        # The same sum, in the same order, as the one in ways[at]: it ends above `wanted`.
        reached = product(s.weight, ways[at - s.shift])
        while reached <= wanted and s != end:
            s += 1
            reached += product(s.weight, ways[at - s.shift])
        at -= s.shift
        for pile in range(MAX_PILES):
            piles[pile] += s.piles[pile]


cdef void draw_hidden(
    const hidden_t* h, uint8_t* shoe, rng_t* rng, cards_t* hands
) noexcept nogil:
    cdef cards_t piles[MAX_PILES]
    cdef int pile
    memset(piles, 0, sizeof(piles))
    if h.shuffled:
        shuffle(h, shoe, rng, piles)
    else:
        split(h, rng, piles)
    for pile in range(h.n_piles):
        if h.seat_of[pile] >= 0:
            hands[h.seat_of[pile]] = piles[pile]


cdef class Hidden:
    """The hands that may be hidden from one seat; made by `ddz_core.knowledge`, which checks.

    Parameters
    ----------
    seats, seat : int
        Number of seats, and whose view this is.
    own : int
        That seat's hand, packed.
    unseen : ndarray of uint8, shape (15,)
        Cards in the piles together.
    seat_of, sizes : sequence of int
        For each unknown pile the seat that holds it (-1: nobody) and its number of cards.
    base, most : ndarray of int8, shape (piles, 15)
        A pile with x cards of a rank, x <= most and x + base >= 0, counts 1 / (x + base)!.
    """

    def __cinit__(self):
        memset(&self.h, 0, sizeof(self.h))

    def __init__(
        self, int seats, int seat, cards_t own, const uint8_t[::1] unseen not None, seat_of, sizes,
        const signed char[:, ::1] base not None, const signed char[:, ::1] most not None,
    ):
        cdef int n = len(sizes)
        cdef int pile, rank, i, total = 0
        if self.h.n_piles:
            raise TypeError("a Hidden is set up once: make a new one")
        if not (1 <= n <= MAX_PILES and len(seat_of) == n
                and base.shape[0] == most.shape[0] == n):
            raise ValueError(f"there must be 1 … {MAX_PILES} piles")
        if not (unseen.shape[0] == base.shape[1] == most.shape[1] == N_RANKS):
            raise ValueError(f"there are {N_RANKS} ranks")
        if not 2 <= seats <= MAX_SEATS or not 0 <= seat < seats:
            raise ValueError(f"no seat {seat} of {seats}")
        for pile in range(n):
            if not -1 <= seat_of[pile] < seats or not 0 <= sizes[pile] <= MAX_SHOE:
                raise ValueError(f"pile {pile} is of seat {seat_of[pile]}, {sizes[pile]} cards")
            self.h.seat_of[pile] = seat_of[pile]
            self.h.sizes[pile] = sizes[pile]
            total += self.h.sizes[pile]
        for rank in range(N_RANKS):
            if unseen[rank] > MAX_COUNT:
                raise ValueError(f"{unseen[rank]} cards of one rank")
            for i in range(unseen[rank]):
                if self.h.n_shoe < MAX_SHOE:
                    self.h.shoe[self.h.n_shoe] = rank
                self.h.n_shoe += 1
        if total != self.h.n_shoe or total > MAX_SHOE:
            raise ValueError(f"{self.h.n_shoe} cards for piles of {total}")
        self.seats = seats
        self.seat = seat
        self.own = own
        self.h.n_piles = n
        self.h.shuffled = not (any_nonzero(base) or any_below(most, unseen))
        if not self.h.shuffled:
            self.list_splits(unseen, base, most)
            self.count_ways()

    def __dealloc__(self):
        free(self.h.splits)
        free(self.h.ways)

    cdef int list_splits(
        self, const uint8_t[::1] unseen, const signed char[:, ::1] base,
        const signed char[:, ::1] most,
    ) except -1:
        cdef hidden_t* h = &self.h
        cdef int n = h.n_piles
        cdef int last = n - 1
        cdef int counts[MAX_PILES]
        cdef Py_ssize_t strides[MAX_PILES]
        cdef int rank, pile, left, total
        cdef bint fits
        cdef split_t* s
        # C(8 + 3, 3) = 165 splits of eight cards over four piles.
        h.splits = <split_t*>malloc(N_RANKS * 165 * sizeof(split_t))
        if h.splits == NULL:
            raise MemoryError()
        h.table_size = 1
        for pile in range(last):
            strides[pile] = h.table_size
            h.start += (h.sizes[pile] + MARGIN) * h.table_size
            h.table_size *= h.sizes[pile] + 1 + MARGIN
        strides[last] = 0
        s = h.splits
        for rank in range(N_RANKS):
            if unseen[rank] == 0 and not any_negative(base[:, rank]):
                continue
            memset(counts, 0, sizeof(counts))
            while True:
                left = unseen[rank]
                for pile in range(last):
                    left -= counts[pile]
                counts[last] = left
                fits = True
                for pile in range(n):
                    if counts[pile] > most[pile, rank] or not (
                            0 <= counts[pile] + base[pile, rank] <= MAX_COUNT):
                        fits = False
                if fits:
                    memset(s, 0, sizeof(split_t))
                    total = 0
                    for pile in range(n):
                        total += counts[pile] + base[pile, rank]
                        s.shift += counts[pile] * strides[pile]
                        s.piles[pile] = <cards_t>counts[pile] << (4 * rank)
                    if total > MAX_COUNT:
                        raise ValueError(f"{total} cards of one rank")
                    # A whole number, as all the weights are.
                    s.weight = FACTORIALS[total]
                    for pile in range(n):
                        s.weight /= FACTORIALS[counts[pile] + base[pile, rank]]
                    s += 1
                # The next split: count up, each pile up to all the cards.
                pile = 0
                while pile < last:
                    counts[pile] += 1
                    left = unseen[rank]
                    for total in range(last):
                        left -= counts[total]
                    if left >= 0:
                        break
                    counts[pile] = 0
                    pile += 1
                if pile == last:
                    break
            h.cards[h.n_levels] = unseen[rank]
            h.n_levels += 1
            h.first[h.n_levels] = s - h.splits
        return 0

    cdef int count_ways(self) except -1:
        cdef hidden_t* h = &self.h
        cdef int last = h.n_piles - 1
        cdef int rooms[MAX_PILES]
        cdef int level, pile, left = 0
        cdef double* here
        cdef double* later
        cdef double total
        cdef Py_ssize_t at, stride, origin = 0
        cdef const split_t* s
        cdef const split_t* end
        h.ways = <double*>calloc((h.n_levels + 1) * h.table_size, sizeof(double))
        if h.ways == NULL:
            raise MemoryError()
        stride = 1
        for pile in range(last):
            origin += MARGIN * stride
            stride *= h.sizes[pile] + 1 + MARGIN
        here = h.ways + h.n_levels * h.table_size
        here[origin] = 1
        with nogil:
            for level in range(h.n_levels - 1, -1, -1):
                left += h.cards[level]
                later = here
                here = later - h.table_size
                memset(rooms, 0, sizeof(rooms))
                at = origin
                while True:
                    rooms[last] = left
                    for pile in range(last):
                        rooms[last] -= rooms[pile]
                    if 0 <= rooms[last] <= h.sizes[last]:
                        total = 0
                        s = h.splits + h.first[level]
                        end = h.splits + h.first[level + 1]
                        while s != end:
                            total += product(s.weight, later[at - s.shift])
                            s += 1
                        here[at] = total
                    pile = 0
                    stride = 1
                    while pile < last:
                        rooms[pile] += 1
                        at += stride
                        if rooms[pile] <= h.sizes[pile]:
                            break
                        at -= rooms[pile] * stride
                        rooms[pile] = 0
                        stride *= h.sizes[pile] + 1 + MARGIN
                        pile += 1
                    if pile == last:
                        break
        return 0

    @property
    def possible(self):
        """Whether any hands fit."""
        return bool(self.h.shuffled or (self.h.ways != NULL and self.h.ways[self.h.start] > 0))

    def fill(self, const uint64_t[::1] seed not None, uint8_t[:, :, ::1] hands not None):
        """Fill `hands`, shape (n, seats, 15), with draws; the GIL is released."""
        cdef uint8_t shoe[MAX_SHOE]
        cdef cards_t drawn[MAX_SEATS]
        cdef rng_t rng
        cdef Py_ssize_t i
        cdef int s, rank
        if not self.possible:
            raise ValueError("no hands fit")
        if hands.shape[1] != self.seats or hands.shape[2] != N_RANKS:
            raise ValueError(f"hands must have shape (n, {self.seats}, {N_RANKS})")
        if seed.shape[0] != 4 or not (seed[0] | seed[1] | seed[2] | seed[3]):
            raise ValueError("seed must be 4 words, not all zero")
        for s in range(4):
            rng.s[s] = seed[s]
        memcpy(shoe, self.h.shoe, sizeof(shoe))
        memset(drawn, 0, sizeof(drawn))
        drawn[self.seat] = self.own
        with nogil:
            for i in range(hands.shape[0]):
                draw_hidden(&self.h, shoe, &rng, drawn)
                for s in range(self.seats):
                    for rank in range(N_RANKS):
                        hands[i, s, rank] = count_of(drawn[s], rank)


cdef bint any_nonzero(const signed char[:, ::1] table) noexcept:
    cdef Py_ssize_t i, j
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            if table[i, j]:
                return True
    return False


cdef bint any_negative(const signed char[:] column) noexcept:
    cdef Py_ssize_t i
    for i in range(column.shape[0]):
        if column[i] < 0:
            return True
    return False


cdef bint any_below(const signed char[:, ::1] table, const uint8_t[::1] bounds) noexcept:
    cdef Py_ssize_t i, j
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            if table[i, j] < bounds[j]:
                return True
    return False
