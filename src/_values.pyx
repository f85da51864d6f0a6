# cython: boundscheck=True
# The wall: bounds are checked here, where sizes still come from outside.
"""Hand, Move and MoveList: immutable values that are valid once they exist."""

from collections.abc import Sequence
from itertools import islice
from operator import index

import numpy as np

from cpython.buffer cimport PyBuffer_FillInfo
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.ref cimport PyObject
from cpython.type cimport PyType_Modified
from cpython.unicode cimport PyUnicode_FromObject
from libc.string cimport memcmp, memcpy

from ddz_core._classify cimport MAX_READINGS, is_reading, readings
from ddz_core._types cimport *

from ddz_core.errors import DdzError, IllegalMoveError, InvalidCardsError
from ddz_core.vocabulary import RANK_SYMBOLS, Kind, Rank

cdef extern from "Python.h":
    ctypedef struct PyTypeObject:
        PyObject* tp_dict

cdef tuple RANKS = tuple(Rank)
cdef tuple KINDS = tuple(Kind)
cdef str SYMBOLS = RANK_SYMBOLS

# The largest hand of any rule set: two packs.
cdef cards_t TWO_PACKS = all_ranks() * 8 - 6 * (black_joker() | red_joker())

move_dtype = np.dtype([
    ("cards", "<u8"),
    ("kind", "<u2"),
    ("rank", "<u2"),
    ("length", "<u2"),
    ("n_cards", "<u2"),
])


# ---- cards ----------------------------------------------------------------------------------------


cdef bint is_two_packs(cards_t cards) noexcept:
    return well_formed(cards) and contains(TWO_PACKS, cards)


cdef str cards_text(cards_t cards):
    return "".join([SYMBOLS[rank] * count_of(cards, rank) for rank in range(N_RANKS)])


cdef int rank_of_letter(Py_UCS4 letter) noexcept:
    cdef int rank
    if u"a" <= letter <= u"z":
        letter = <Py_UCS4>(<uint32_t>letter - 32)
    for rank in range(N_RANKS):
        if <Py_UCS4>SYMBOLS[rank] == letter:
            return rank
    return -1


cdef cards_t add_card(cards_t cards, int rank, object source) except? 0xFFFFFFFFFFFFFFFF:
    if count_of(cards, rank) >= count_of(TWO_PACKS, rank):
        raise InvalidCardsError(
            f"more than {count_of(TWO_PACKS, rank)} cards of rank {SYMBOLS[rank]} in "
            f"{shortened(source)}; two packs hold no more"
        )
    return cards + (<cards_t>1 << (4 * rank))


cdef str shortened(object source):
    text = repr(source)
    return text if len(text) <= 80 else text[:77] + "..."


cdef cards_t parse_cards(str text) except? 0xFFFFFFFFFFFFFFFF:
    cdef cards_t cards = 0
    cdef Py_ssize_t i = 0
    cdef Py_ssize_t n = len(text)
    cdef Py_UCS4 letter
    cdef int rank
    while i < n:
        letter = text[i]
        i += 1
        if letter.isspace():
            continue
        if letter == u"1" and i < n and text[i] == u"0":
            rank = Rank.TEN
            i += 1
        else:
            rank = rank_of_letter(letter)
        if rank < 0:
            raise InvalidCardsError(
                f"unknown card {chr(letter)!r} in {shortened(text)}; "
                f"cards are written {SYMBOLS} (10 is accepted for T)"
            )
        cards = add_card(cards, rank, text)
    return cards


cdef cards_t to_cards(object cards, str name) except? 0xFFFFFFFFFFFFFFFF:
    if isinstance(cards, Hand):
        return (<Hand>cards).packed_cards
    if isinstance(cards, str):
        return parse_cards(PyUnicode_FromObject(cards))
    raise TypeError(f"{name} must be a Hand or card text, not {type(cards).__name__}: "
                    f"{shortened(cards)}")


cdef int check_hand(cards_t cards, CompiledRules rules, str name) except -1:
    cdef int rank
    if not contains(rules.c.deck, cards):
        for rank in range(N_RANKS):
            if count_of(cards, rank) > count_of(rules.c.deck, rank):
                raise InvalidCardsError(
                    f"{name} {cards_text(cards)!r} has {count_of(cards, rank)} cards of rank "
                    f"{SYMBOLS[rank]}; the deck of rules {rules.name!r} has "
                    f"{count_of(rules.c.deck, rank)}"
                )
    if n_cards(cards) > rules.c.max_hand:
        raise InvalidCardsError(
            f"{name} {cards_text(cards)!r} has {n_cards(cards)} cards; rules {rules.name!r} "
            f"allow at most {rules.c.max_hand}"
        )
    return 0


cdef Hand new_hand(cards_t cards):
    cdef Hand hand = Hand.__new__(Hand)
    hand.packed_cards = cards
    return hand


cdef class Hand:
    """A set of cards by rank: what a player holds, plays or has yet to see.

    Parameters
    ----------
    cards : str or Hand, optional
        Card text: letters of ``3456789TJQKA2BR`` in any order, either case, spaces ignored, ``10``
        accepted for ``T``; ``B`` and ``R`` are the black (small) and red (big) joker.

    Raises
    ------
    InvalidCardsError
        An unknown letter, or more cards of a rank than two packs have (8; 2 of each joker). A rule
        set's own deck is checked where a rule set is in play.

    Notes
    -----
    Immutable and hashable. ``+`` joins, ``-`` takes away, ``<=`` asks whether one hand is contained
    in another, ``in`` whether a rank (or a text of cards) is there; iteration gives a `Rank` for
    each card, from low to high.
    """

    def __cinit__(self, cards=""):
        self.packed_cards = to_cards(cards, "cards")

    @staticmethod
    def from_counts(counts):
        """The hand with ``counts[r]`` cards of rank ``r``.

        Parameters
        ----------
        counts : iterable of 15 ints
            Cards of each rank, ``3 4 5 6 7 8 9 T J Q K A 2 B R``.

        Returns
        -------
        Hand

        Raises
        ------
        InvalidCardsError
            Not 15 counts, a negative one, or more than two packs hold.
        TypeError
            A count that is no integer.
        """
        cdef cards_t cards = 0
        cdef int rank
        if isinstance(counts, (str, bytes)) or not hasattr(counts, "__iter__"):
            raise TypeError(f"counts must be 15 integers, not {shortened(counts)}")
        values = list(islice(counts, N_RANKS + 1))
        if len(values) != N_RANKS:
            raise InvalidCardsError(
                f"counts must have {N_RANKS} entries, not {len(values)}: {shortened(counts)}"
            )
        for rank in range(N_RANKS):
            count = integer(values[rank], "count")
            if not 0 <= count <= count_of(TWO_PACKS, rank):
                raise InvalidCardsError(
                    f"count of rank {SYMBOLS[rank]} is {count}; it must be between 0 and "
                    f"{count_of(TWO_PACKS, rank)}"
                )
            cards |= <cards_t><int>count << (4 * rank)
        return new_hand(cards)

    @staticmethod
    def from_ids(ids):
        """The hand of these suited cards.

        Parameters
        ----------
        ids : iterable of int
            Card ids 0 … 53 (54 … 107 for a second pack): rank ``id // 4`` for 0 … 51, black joker
            52, red joker 53. No id may occur twice.

        Returns
        -------
        Hand

        Raises
        ------
        InvalidCardsError
            An id out of range or repeated.
        TypeError
            An id that is no integer.
        """
        cdef cards_t cards = 0
        cdef int card
        seen = set()
        if not hasattr(ids, "__iter__"):
            raise TypeError(f"ids must be an iterable of int card ids, not {shortened(ids)}")
        for item in ids:
            number = integer(item, "card id")
            if not 0 <= number < 108:
                raise InvalidCardsError(f"card id {number} is not between 0 and 107")
            if number in seen:
                raise InvalidCardsError(f"card id {number} occurs twice")
            seen.add(number)
            card = number % 54
            cards += <cards_t>1 << (4 * (card // 4 if card < 52 else card - 52 + RANK_BLACK))
        return new_hand(cards)

    @staticmethod
    def from_packed(packed):
        """The hand of a packed word.

        Parameters
        ----------
        packed : int
            Four bits a rank, ``3`` in the lowest, as in `Hand.packed` and in the ``cards`` field
            of a move array.

        Returns
        -------
        Hand

        Raises
        ------
        InvalidCardsError
            Not 0 … 2**60 - 1, or more cards of a rank than two packs hold.
        TypeError
            No integer.
        """
        cdef cards_t cards
        cdef int rank
        number = integer(packed, "packed")
        if not 0 <= number < 1 << 60:
            raise InvalidCardsError(f"packed cards {number} are not between 0 and 2**60 - 1")
        cards = number
        for rank in range(N_RANKS):
            if count_of(cards, rank) > count_of(TWO_PACKS, rank):
                raise InvalidCardsError(
                    f"packed cards {number:#x} have {count_of(cards, rank)} cards of rank "
                    f"{SYMBOLS[rank]}; two packs hold {count_of(TWO_PACKS, rank)}"
                )
        return new_hand(cards)

    @property
    def counts(self):
        """Cards of each rank: a new ``uint8`` array of shape (15,)."""
        counts = np.empty(N_RANKS, np.uint8)
        cdef uint8_t[::1] view = counts
        cdef int rank
        for rank in range(N_RANKS):
            view[rank] = count_of(self.packed_cards, rank)
        return counts

    @property
    def packed(self):
        """The core's word for this hand: four bits a rank, ``3`` in the lowest."""
        return self.packed_cards

    def count(self, rank):
        """Number of cards of a rank.

        Parameters
        ----------
        rank : Rank or int
            0 (``3``) … 14 (red joker).

        Returns
        -------
        int

        Raises
        ------
        InvalidCardsError
            A rank out of range.
        TypeError
            No integer; a text is not taken here (``"3" in hand`` is).
        """
        return count_of(self.packed_cards, to_rank(rank))

    def __len__(self):
        return n_cards(self.packed_cards)

    def __str__(self):
        return cards_text(self.packed_cards)

    def __repr__(self):
        return f"Hand({cards_text(self.packed_cards)!r})"

    def _repr_html_(self):
        from ddz_core.display import hand_html

        return hand_html(self)

    def __hash__(self):
        return hash(self.packed_cards)

    def __richcmp__(self, other, int op):
        cdef cards_t mine, theirs
        if not isinstance(other, Hand):
            return NotImplemented
        mine = self.packed_cards
        theirs = (<Hand>other).packed_cards
        if op == 2:
            return mine == theirs
        if op == 3:
            return mine != theirs
        if op == 1:
            return contains(theirs, mine)
        if op == 0:
            return contains(theirs, mine) and mine != theirs
        if op == 5:
            return contains(mine, theirs)
        return contains(mine, theirs) and mine != theirs

    def __add__(self, other):
        cdef cards_t mine, theirs, total
        cdef int rank
        if not isinstance(self, Hand) or not isinstance(other, Hand):
            return NotImplemented
        mine = (<Hand>self).packed_cards
        theirs = (<Hand>other).packed_cards
        for rank in range(N_RANKS):
            if count_of(mine, rank) + count_of(theirs, rank) > count_of(TWO_PACKS, rank):
                raise InvalidCardsError(
                    f"{cards_text(mine)!r} and {cards_text(theirs)!r} together have more than "
                    f"{count_of(TWO_PACKS, rank)} cards of rank {SYMBOLS[rank]}"
                )
        total = mine + theirs
        return new_hand(total)

    def __sub__(self, other):
        cdef cards_t mine, theirs
        if not isinstance(self, Hand) or not isinstance(other, Hand):
            return NotImplemented
        mine = (<Hand>self).packed_cards
        theirs = (<Hand>other).packed_cards
        if not contains(mine, theirs):
            raise InvalidCardsError(
                f"cannot take {cards_text(theirs)!r} from {cards_text(mine)!r}: not all of these "
                f"cards are there"
            )
        return new_hand(mine - theirs)

    def __contains__(self, item):
        if isinstance(item, (str, Hand)):
            return contains(self.packed_cards, to_cards(item, "cards"))
        return count_of(self.packed_cards, to_rank(item)) > 0

    def __iter__(self):
        cdef int rank
        for rank in range(N_RANKS):
            for _ in range(count_of(self.packed_cards, rank)):
                yield RANKS[rank]

    def __reduce__(self):
        return (_restored_hand, (self.packed_cards,))


def _restored_hand(packed):
    return Hand.from_packed(packed)


cpdef object integer(object value, str name):
    """A Python int from anything integral; bool is refused as a slip."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be an integer, not {value!r}")
    try:
        # An exact int, whatever a subclass makes of __index__ and of comparisons.
        number = index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {shortened(value)}") from None
    if number.bit_length() > 1024:
        raise DdzError(f"{name} is an integer of {number.bit_length()} bits, far out of range")
    return number


cdef int to_rank(object rank) except -1:
    number = integer(rank, "rank")
    if not 0 <= number < N_RANKS:
        raise InvalidCardsError(f"rank {number} is not between 0 and {N_RANKS - 1}")
    return number


def pack_counts(counts):
    """Packed words of many hands.

    Parameters
    ----------
    counts : ndarray of uint8, shape (n, 15)
        Cards of each rank in each hand; at most what two packs hold.

    Returns
    -------
    ndarray of uint64, shape (n,)
        Four bits a rank, ``3`` in the lowest, as in `Hand.packed`.

    Raises
    ------
    InvalidCardsError
        Another shape, or a count above 8 (2 for a joker); the message names the row.
    TypeError
        Another dtype; nothing is cast silently.
    """
    table = np.asarray(counts)
    check_counts(table, "counts")
    if (bad := np.argwhere(table > np.array([8] * 13 + [2, 2], np.uint8))).size:
        row, rank = bad[0]
        raise InvalidCardsError(
            f"counts[{row}] has {table[row, rank]} cards of rank {SYMBOLS[rank]}; two packs hold "
            f"{count_of(TWO_PACKS, rank)}"
        )
    return (table.astype(np.uint64) << (4 * np.arange(N_RANKS, dtype=np.uint64))).sum(
        axis=1, dtype=np.uint64)


def unpack_counts(packed):
    """Count vectors of packed words: the ``cards`` field of a move array, say.

    Parameters
    ----------
    packed : ndarray of uint64, any shape (...)
        Four bits a rank, ``3`` in the lowest. Any word is unpacked: whether it is a hand is not
        checked, and its highest four bits are ignored.

    Returns
    -------
    ndarray of uint8, shape (..., 15)
        Cards of each rank.

    Raises
    ------
    TypeError
        Another dtype; nothing is cast silently.
    """
    words = np.asarray(packed)
    if words.dtype != np.uint64:
        raise TypeError(f"packed must have dtype uint64, not {words.dtype}")
    shifts = 4 * np.arange(N_RANKS, dtype=np.uint64)
    return (words[..., None] >> shifts & np.uint64(15)).astype(np.uint8)


def check_counts(table, name):
    """Raise unless `table` is a uint8 array of shape (n, 15)."""
    if table.dtype != np.uint8:
        raise TypeError(f"{name} must have dtype uint8, not {table.dtype}")
    if table.ndim != 2 or table.shape[1] != N_RANKS:
        raise InvalidCardsError(f"{name} must have shape (n, {N_RANKS}), not {table.shape}")


# ---- moves ----------------------------------------------------------------------------------------


cdef Move new_move(const move_t* m):
    cdef Move move = Move.__new__(Move)
    move.m = m[0]
    return move


cdef cards_t main_part(const move_t* m) noexcept:
    cdef int kind = kind_of(m.meta)
    if kind == PASS or kind == BOMB or kind == ROCKET:
        return m.cards
    return main_ranks_of(m.meta) * shape(kind).unit


cdef str move_text(const move_t* m):
    cdef cards_t main = main_part(m)
    if kind_of(m.meta) == PASS:
        return "pass"
    text = cards_text(main)
    return text if main == m.cards else f"{text}+{cards_text(m.cards - main)}"


cdef int check_move(const move_t* m, CompiledRules rules, str name) except -1:
    if m.meta == 0 and m.cards == 0:
        return 0
    if not contains(rules.c.deck, m.cards) or not is_reading(&rules.c, m.cards, m.meta):
        raise IllegalMoveError(
            f"{name} {move_text(m)!r} ({KINDS[kind_of(m.meta)].name}) is no play of rules "
            f"{rules.name!r}"
        )
    return 0


cdef int to_move(object move, CompiledRules rules, str name, move_t* out) except -1:
    if move is None:
        out.cards = 0
        out.meta = 0
    elif isinstance(move, Move):
        out[0] = (<Move>move).m
    elif isinstance(move, str):
        parse_move(PyUnicode_FromObject(move), rules, out)
    else:
        raise TypeError(f"{name} must be a Move, move text or None, not {type(move).__name__}: "
                        f"{shortened(move)}")
    return check_move(out, rules, name)


cdef int parse_move(str text, CompiledRules rules, move_t* out) except -1:
    cdef move_t found[MAX_READINGS]
    cdef cards_t main, cards
    cdef int i, n
    cdef int kept = 0
    if text.strip().lower() == "pass":
        out.cards = 0
        out.meta = 0
        return 0
    parts = text.split("+")
    if len(parts) > 2:
        raise IllegalMoveError(f"{shortened(text)} has more than one '+'; a move is written as its "
                               f"main part, then '+' and its kickers")
    main = parse_cards(parts[0])
    cards = main
    if len(parts) == 2:
        cards = (<Hand>(new_hand(main) + new_hand(parse_cards(parts[1])))).packed_cards
    if main == 0 or (len(parts) == 2 and cards == main):
        raise IllegalMoveError(f"{shortened(text)} is no move: cards are missing")
    check_hand(cards, rules, "move")
    n = readings(&rules.c, cards, found)
    for i in range(n):
        if main_part(&found[i]) == main:
            out[0] = found[i]
            return 0
    if len(parts) == 2 or n == 0:
        raise IllegalMoveError(f"{shortened(text)} is no play of rules {rules.name!r}")
    if n > 1:
        choices = ", ".join([move_text(&found[i]) for i in range(n)])
        raise IllegalMoveError(
            f"{shortened(text)} has {n} readings under rules {rules.name!r}; write one of: {choices}"
        )
    out[0] = found[0]
    return 0


cdef class Move:
    """A play with its reading, or `Move.PASS`; made by queries and by `Move.parse`.

    Attributes
    ----------
    cards : Hand
        All cards of the play.
    kind : Kind
    rank : Rank or None
        Highest rank of the main part; None for PASS.
    length : int
        Ranks in the main part's chain: 1 where the kind is no chain, 0 for PASS.
    n_cards : int
    main, kickers : Hand
        The two parts of the play.

    Notes
    -----
    Immutable and hashable; equal when cards and reading are equal. ``str`` gives the main part, then
    ``+`` and the kickers (``333444+56``, ``4444+55``), or ``pass``.
    """

    def __init__(self):
        raise TypeError("Move is made by legal_moves, classify or Move.parse, not called itself")

    @staticmethod
    def parse(text, rules=None):
        """The move that a text names.

        Parameters
        ----------
        text : str
            ``main+kickers``, or ``pass``. Without ``+`` the cards are the main part if they can be;
            otherwise they must have one single reading (``33344456``).
        rules : Rules or str, optional
            Rule set or preset name; standard by default.

        Returns
        -------
        Move

        Raises
        ------
        InvalidCardsError
            An unknown letter, or cards that are no hand of the rule set.
        IllegalMoveError
            No play of the rule set, or a text with several readings.
        DdzError
            No preset of that name.
        TypeError
            No str.
        """
        cdef Move move = Move.__new__(Move)
        if not isinstance(text, str):
            raise TypeError(f"text must be a str, not {type(text).__name__}: {shortened(text)}")
        parse_move(PyUnicode_FromObject(text), compiled(rules), &move.m)
        return move

    @staticmethod
    def from_record(record, rules=None):
        """The move of one element of a `move_dtype` array, checked against the rule set.

        Parameters
        ----------
        record : numpy.void of move_dtype
            ``moves[i]`` of an array such as `MoveList.array`; all zero is PASS.
        rules : Rules or str, optional
            Rule set or preset name; standard by default.

        Returns
        -------
        Move

        Raises
        ------
        IllegalMoveError
            The record is no play of the rule set.
        DdzError
            No preset of that name.
        TypeError
            Not one element of such an array.
        """
        cdef Move move = Move.__new__(Move)
        cdef bytes raw
        if getattr(record, "dtype", None) != move_dtype or np.ndim(record) != 0:
            raise TypeError(f"record must be one element of a move_dtype array, not "
                            f"{type(record).__name__}: {shortened(record)}")
        raw = record.tobytes()
        memcpy(&move.m, <const char*>raw, sizeof(move_t))
        check_record(&move.m, compiled(rules), "record")
        return move

    @property
    def cards(self):
        """All cards of the play, a Hand; empty for PASS."""
        return new_hand(self.m.cards)

    @property
    def main(self):
        """The main part, a Hand: all of it but the kickers."""
        return new_hand(main_part(&self.m))

    @property
    def kickers(self):
        """The kickers, a Hand; empty where the kind has none."""
        return new_hand(self.m.cards - main_part(&self.m))

    @property
    def kind(self):
        """What the play is, a Kind."""
        return KINDS[kind_of(self.m.meta)]

    @property
    def rank(self):
        """The highest Rank of the main part; None for PASS."""
        return None if self.m.meta == 0 else RANKS[main_rank(self.m.meta)]

    @property
    def length(self):
        """Ranks in the main part's chain: 1 where the kind is no chain, 0 for PASS."""
        return length_of(self.m.meta)

    @property
    def n_cards(self):
        """Number of cards, kickers included; 0 for PASS."""
        return size_of(self.m.meta)

    def beats(self, other):
        """Whether this play beats another; any play beats PASS, and PASS beats nothing.

        Parameters
        ----------
        other : Move

        Returns
        -------
        bool

        Raises
        ------
        TypeError
            No Move.

        Notes
        -----
        Source: documents 000 to 004, "Beating" in docs/rules.md. The same kind, number of cards and
        chain length with a higher main part beats; so does a bomb any other kind, a smaller bomb
        (two packs) and a lower one of its size; the rocket beats all and is never beaten.
        """
        if not isinstance(other, Move):
            raise TypeError(f"other must be a Move, not {type(other).__name__}: {shortened(other)}")
        return beats(self.m.meta, (<Move>other).m.meta)

    def __str__(self):
        return move_text(&self.m)

    def __repr__(self):
        return f"<Move {move_text(&self.m)} {KINDS[kind_of(self.m.meta)].name}>"

    def _repr_html_(self):
        from ddz_core.display import move_html

        return move_html(self)

    def __hash__(self):
        return hash((self.m.cards, self.m.meta))

    def __eq__(self, other):
        if not isinstance(other, Move):
            return NotImplemented
        return (self.m.cards == (<Move>other).m.cards) and (self.m.meta == (<Move>other).m.meta)

    def __reduce__(self):
        return (_restored_move, (self.m.cards, self.m.meta))


cdef move_t no_move
no_move.cards = 0
no_move.meta = 0

# A class attribute that is an instance of its own class can only be set once the class is there.
(<dict>(<PyTypeObject*>Move).tp_dict)["PASS"] = new_move(&no_move)
PyType_Modified(Move)


def _restored_move(cards, meta):
    """Unpickle a Move; a tampered pickle is refused as any other input would be."""
    cdef Move move = Move.__new__(Move)
    word = integer(meta, "meta")
    if not 0 <= word < 1 << 64:
        raise IllegalMoveError(f"packed move ({shortened(cards)}, {meta:#x}) is no move")
    move.m.cards = (<Hand>Hand.from_packed(cards)).packed_cards
    move.m.meta = word
    if not plausible(&move.m):
        raise IllegalMoveError(f"packed move ({cards:#x}, {meta:#x}) is no move")
    return move


cdef bint plausible(const move_t* m) noexcept:
    """Whether the main part that meta names lies within the cards: text and parts are safe then."""
    cdef int kind = kind_of(m.meta)
    cdef int rank = main_rank(m.meta)
    cdef int length = length_of(m.meta)
    if m.meta == 0:
        return m.cards == 0
    if kind == PASS or kind >= N_KINDS or rank >= N_RANKS:
        return False
    if not 1 <= length <= rank + 1 or size_of(m.meta) != n_cards(m.cards):
        return False
    return contains(m.cards, main_part(m))


cdef int check_record(const move_t* m, CompiledRules rules, str name) except -1:
    """check_move for words from outside, which may be anything."""
    if not is_two_packs(m.cards) or not plausible(m):
        raise IllegalMoveError(
            f"{name} (cards {m.cards:#x}, kind {kind_of(m.meta)}, rank {main_rank(m.meta)}, length "
            f"{length_of(m.meta)}, n_cards {size_of(m.meta)}) is no play of rules {rules.name!r}"
        )
    return check_move(m, rules, name)


# ---- lists of moves -------------------------------------------------------------------------------


cdef MoveList new_move_list(Py_ssize_t n):
    cdef MoveList moves = MoveList.__new__(MoveList)
    moves.moves = <move_t*>PyMem_Malloc((n if n else 1) * sizeof(move_t))
    if moves.moves == NULL:
        raise MemoryError()
    moves.n = n
    return moves


cdef class MoveList:
    """An immutable sequence of `Move` over one block of memory.

    Attributes
    ----------
    array : ndarray of move_dtype, shape (n,)
        The same memory, without a copy, read-only.

    Notes
    -----
    The fields of `move_dtype`, here and in all arrays of moves, are those of `Move` as numbers:
    ``cards`` (uint64, as `Hand.from_packed` takes it), and, as uint16, ``kind`` (the value of
    `Kind`), ``rank`` (the value of `Rank`), ``length`` and ``n_cards``. PASS is all zero.
    `Move.from_record` makes one row a Move again.
    """

    def __init__(self):
        raise TypeError("MoveList is made by legal_moves, not called itself")

    def __dealloc__(self):
        PyMem_Free(self.moves)

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        cdef Py_ssize_t i
        if isinstance(index, slice):
            return self.picked(range(*index.indices(self.n)))
        number = integer(index, "index")
        if not -self.n <= number < self.n:
            raise IndexError(f"move {index} of {self.n}")
        i = number
        return new_move(&self.moves[i + self.n if i < 0 else i])

    cdef MoveList picked(self, indices):
        cdef MoveList part = new_move_list(len(indices))
        cdef Py_ssize_t to = 0
        cdef Py_ssize_t i
        for i in indices:
            part.moves[to] = self.moves[i]
            to += 1
        return part

    def __iter__(self):
        cdef Py_ssize_t i
        for i in range(self.n):
            yield new_move(&self.moves[i])

    def __contains__(self, item):
        return isinstance(item, Move) and self.find(<Move>item) >= 0

    cdef Py_ssize_t find(self, Move move):
        cdef Py_ssize_t i
        for i in range(self.n):
            if self.moves[i].cards == move.m.cards and self.moves[i].meta == move.m.meta:
                return i
        return -1

    def index(self, item, start=0, stop=None):
        """Place of a move in the list.

        Parameters
        ----------
        item : Move
        start, stop : int, optional
            Look only at the places of this slice.

        Returns
        -------
        int

        Raises
        ------
        ValueError
            It is not there.
        """
        cdef Py_ssize_t i = self.find(<Move>item) if isinstance(item, Move) else -1
        if i not in range(*slice(start, stop).indices(self.n)):
            raise ValueError(f"{item!r} is not in the list")
        return i

    def count(self, item):
        """How often a move (with its reading) is in the list: 1, or 0 where it is not."""
        return int(item in self)

    def __eq__(self, other):
        if not isinstance(other, MoveList):
            return NotImplemented
        return (self.n == (<MoveList>other).n
                and memcmp(self.moves, (<MoveList>other).moves, self.n * sizeof(move_t)) == 0)

    def __hash__(self):
        return hash(tuple(self))

    @property
    def array(self):
        """The list's own memory: a read-only ndarray of move_dtype, shape (n,), without a copy."""
        return np.frombuffer(self, dtype=move_dtype) if self.n else no_moves

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        PyBuffer_FillInfo(buffer, self, self.moves, self.n * sizeof(move_t), 1, flags)

    def __repr__(self):
        cdef Py_ssize_t i
        shown = ", ".join([move_text(&self.moves[i]) for i in range(min(self.n, 12))])
        return f"<MoveList of {self.n}: {shown}{', ...' if self.n > 12 else ''}>"

    def __reduce__(self):
        return (_restored_list, (bytes(self),))


no_moves = np.empty(0, move_dtype)
no_moves.flags.writeable = False
Sequence.register(MoveList)


def _restored_list(bytes raw):
    cdef MoveList moves
    cdef Py_ssize_t i
    if len(raw) % sizeof(move_t):
        raise IllegalMoveError(f"a block of {len(raw)} bytes is no list of moves")
    moves = new_move_list(len(raw) // <Py_ssize_t>sizeof(move_t))
    memcpy(moves.moves, <const char*>raw, len(raw))
    for i in range(moves.n):
        if not is_two_packs(moves.moves[i].cards) or not plausible(&moves.moves[i]):
            raise IllegalMoveError(f"entry {i} of a pickled list is no move")
    return moves


# ---- rule sets ------------------------------------------------------------------------------------

# What rules=None stands for, and how names are looked up: set by ddz_core.rules, which is built on this
# module.
cdef CompiledRules STANDARD = None
cdef object LOOK_UP = None


def set_rules_lookup(CompiledRules standard not None, look_up):
    """Called once, while ddz_core.rules is imported."""
    global STANDARD, LOOK_UP
    STANDARD = standard
    LOOK_UP = look_up


cdef CompiledRules compiled(object rules):
    if rules is None:
        return STANDARD
    core = getattr(rules, "_core", None)
    # A bare CompiledRules, made past its __init__, has no seats.
    if isinstance(core, CompiledRules) and (<CompiledRules>core).c.n_seats:
        return core
    return LOOK_UP(rules)._core
