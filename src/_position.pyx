"""The play phase: positions, play and undo, perft."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.unicode cimport PyUnicode_FromObject
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

from ddz_core._classify cimport may_play
from ddz_core._generate cimport count_moves, generate
from ddz_core._types cimport *
from ddz_core._values cimport (
    Hand, Move, MoveList, check_hand, compiled, new_hand, new_move, new_move_list, to_cards, to_move,
)

from itertools import islice

from ddz_core._values import integer
from ddz_core.errors import (
    DdzError, IllegalMoveError, InvalidCardsError, PhaseError, RecordError,
)
from ddz_core.rules import as_rules
from ddz_core.vocabulary import RANK_SYMBOLS


cdef void settle(position_t* p) noexcept nogil:
    cdef int seat
    p.hands_hash = 0
    p.winner = NOBODY
    for seat in range(p.n_seats):
        p.hands_hash += p.hands[seat] * hand_key(seat)
        if has_reached_goal(p, seat):
            p.winner = seat


cdef inline uint64_t seats_word(const position_t* p) noexcept nogil:
    return (p.n_seats | <uint64_t>p.landlord << 8 | <uint64_t>p.turn << 16
            | <uint64_t>p.passes << 24 | <uint64_t>p.target << 32)


cdef uint64_t position_hash(const position_t* p) noexcept nogil:
    cdef uint64_t z = p.hands_hash
    z += p.last.meta * <uint64_t>0xD6E8FEB86659FD93
    z += seats_word(p) * <uint64_t>0xA0761D6478BD642F
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef object in_range(object value, str name, int low, int high):
    number = integer(value, name)
    if not low <= number <= high:
        raise DdzError(f"{name} is {number}; it must be {low} … {high}")
    return number


cdef tuple per_seat(object values, str name, int n):
    """A tuple with a small count for each seat."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise TypeError(f"{name} must have a number for each seat, not {repr(values)[:80]}")
    numbers = tuple(islice(values, n + 1))
    if len(numbers) != n:
        raise DdzError(f"{name} has {len(numbers)} entries; there are {n} seats")
    return tuple([in_range(number, name, 0, 108) for number in numbers])


cdef int seat_of_last(const position_t* p) noexcept nogil:
    """The seat that made the play to beat, or NOBODY on a lead."""
    if kind_of(p.last.meta) == PASS:
        return NOBODY
    return (p.turn + 2 * p.n_seats - 1 - p.passes) % p.n_seats


cdef int set_counters(
    position_t* p, CompiledRules core, bombs, doubling_bombs, rockets, plays, standing_plays
) except -1:
    """What scoring needs; the play to beat is the least that can have happened."""
    cdef int author = seat_of_last(p)
    cdef int kind = kind_of(p.last.meta)
    cdef bint over = author != NOBODY and has_reached_goal(p, author)
    cdef int seat, open_play
    p.bombs = in_range(int(kind == BOMB) if bombs is None else bombs, "bombs", kind == BOMB, 27)
    p.rockets = in_range(
        int(kind == ROCKET) if rockets is None else rockets, "rockets", kind == ROCKET, 1)
    cdef int doubles = kind == BOMB and size_of(p.last.meta) >= core.c.doubling_bomb
    if doubling_bombs is None:
        doubling_bombs = p.bombs if bombs is not None and core.c.doubling_bomb == 4 else doubles
    p.doubling_bombs = in_range(doubling_bombs, "doubling_bombs", doubles, p.bombs)
    if plays is None:
        plays = [int(seat == author) for seat in range(p.n_seats)]
    if standing_plays is None:
        standing_plays = [int(seat == author and over) for seat in range(p.n_seats)]
    plays = per_seat(plays, "plays", p.n_seats)
    standing_plays = per_seat(standing_plays, "standing_plays", p.n_seats)
    for seat in range(p.n_seats):
        open_play = seat == author and not over
        if plays[seat] < (seat == author):
            raise DdzError(f"plays of seat {seat} is {plays[seat]}, but it made the last play")
        if standing_plays[seat] > plays[seat] - open_play:
            raise DdzError(
                f"standing_plays of seat {seat} is {standing_plays[seat]}; of its {plays[seat]} plays "
                f"at most {plays[seat] - open_play} can have won their trick"
            )
        p.plays[seat] = plays[seat]
        p.standing[seat] = standing_plays[seat]
    return 0


cdef class Position:
    """The play phase with open hands, for search and simulation.

    Parameters
    ----------
    hands : sequence of Hand or str
        The cards that each seat holds: 2 to 4 seats, numbered in the order of play.
    landlord : int
        The landlord's seat, 0 by default; the others are peasants and win together.
    turn : int, optional
        The seat to move; the landlord by default.
    last : Move or str, optional
        The play to beat; None when the seat to move leads.
    passes : int
        Passes since `last` was played, 0 by default, up to seats - 2. The play came from the seat
        before these.
    target : int
        A peasant has won once he holds at most this many cards (duel's handicap; 0 elsewhere).
    rules : Rules or str, optional
        Rule set or preset name; standard by default. Its number of players need not be the number
        of hands: any rule set's plays work at 2 to 4 seats.
    bombs, doubling_bombs, rockets : int, optional
        Played so far, `last` included; by default none but `last`. `doubling_bombs` counts the bombs
        that double the score.
    plays, standing_plays : sequence of int, optional
        Plays made so far by each seat, `last` included, and those that won their trick; by default
        none but `last`.
    opening_stood : bool
        Whether the landlord's first play won its trick.

    Raises
    ------
    InvalidCardsError
        More cards than the deck has, in one hand or in all hands and `last` together.
    IllegalMoveError
        `last` is no play of the rule set.
    DdzError
        A seat, pass count, target or counter out of range; two seats at their goal.
    TypeError
        A value of the wrong type.

    Attributes
    ----------
    rules : Rules
        The rule set, read-only.

    Notes
    -----
    A seat that is at its goal when the position is made has won already. `hash` and `key` say what
    decides the rest of the game: hands, landlord, turn, target, passes and what must be beaten, but
    neither the kickers of the last play nor the counters, nor the rule set. `==` compares everything
    but the moves that led here.
    """

    def __cinit__(self):
        self.history = NULL
        self.n_history = 0
        self.room = 0

    def __init__(
        self, hands, landlord=0, turn=None, last=None, passes=0, target=0, rules=None, *,
        bombs=None, doubling_bombs=None, rockets=None, plays=None, standing_plays=None, opening_stood=False,
    ):
        cdef position_t p
        cdef int seat, n
        memset(&p, 0, sizeof(p))
        if self.core is not None:
            raise TypeError("a Position is set up once: make a new one")
        rules = as_rules(rules)
        core = compiled(rules)
        if isinstance(hands, (str, bytes, Hand, set, frozenset, dict)) or not (
            hasattr(hands, "__iter__") and hasattr(hands, "__len__")
        ):
            raise TypeError(f"hands must be a sequence of Hand or text, one a seat, not "
                            f"{repr(hands)[:80]}")
        held_by = list(hands)
        n = len(held_by)
        if not 2 <= n <= MAX_SEATS:
            raise DdzError(f"{n} hands; there must be 2 … {MAX_SEATS} seats")
        p.n_seats = n
        for seat in range(n):
            p.hands[seat] = to_cards(held_by[seat], f"hand of seat {seat}")
            check_hand(p.hands[seat], core, f"hand of seat {seat}")
        p.landlord = in_range(landlord, "landlord", 0, n - 1)
        p.turn = p.landlord if turn is None else in_range(turn, "turn", 0, n - 1)
        to_move(last, core, "last", &p.last)
        p.passes = in_range(passes, "passes", 0, n - 2)
        if p.passes and p.last.meta == 0:
            raise DdzError(f"passes is {p.passes}, but there is no last play to pass on")
        p.target = in_range(target, "target", 0, 32)
        check_conservation(&p, core)
        check_goals(&p)
        set_counters(&p, core, bombs, doubling_bombs, rockets, plays, standing_plays)
        if not isinstance(opening_stood, bool):
            raise TypeError(f"opening_stood must be a bool, not {repr(opening_stood)[:80]}")
        if opening_stood and not p.standing[p.landlord]:
            raise DdzError("opening_stood is True, but no play of the landlord stood")
        p.opening_stood = opening_stood
        settle(&p)
        self.rules = rules
        self.core = core
        self.now = p
        self.n_history = 0

    def __dealloc__(self):
        PyMem_Free(self.history)

    # ---- what is there -----------------------------------------------------------------------------

    @property
    def n_seats(self):
        """Number of seats, 2 to 4."""
        return self.now.n_seats

    @property
    def hands(self):
        """The cards that each seat holds: a tuple of Hand, one a seat."""
        return tuple([new_hand(self.now.hands[seat]) for seat in range(self.now.n_seats)])

    @property
    def landlord(self):
        """The landlord's seat."""
        return self.now.landlord

    @property
    def turn(self):
        """The seat to move; without meaning once there is a winner."""
        return self.now.turn

    @property
    def last(self):
        """The play to beat, a Move; None when the seat to move leads."""
        return new_move(&self.now.last) if self.now.last.meta else None

    @property
    def last_seat(self):
        """The seat that made the play to beat; None when the seat to move leads."""
        seat = seat_of_last(&self.now)
        return None if seat == NOBODY else seat

    @property
    def passes(self):
        """Passes since `last` was played: 0 … seats - 2."""
        return self.now.passes

    @property
    def target(self):
        """A peasant has won once he holds at most this many cards (document 003's handicap)."""
        return self.now.target

    @property
    def winner(self):
        """The seat that reached its goal; None while the game goes on."""
        return None if self.now.winner == NOBODY else self.now.winner

    @property
    def landlord_won(self):
        """Whether the landlord's side won; None while the game goes on."""
        return None if self.now.winner == NOBODY else self.now.winner == self.now.landlord

    @property
    def ply(self):
        """Number of moves played on this object, those undone not counted."""
        return self.n_history

    @property
    def bombs(self):
        """Bombs played so far, by anyone."""
        return self.now.bombs

    @property
    def doubling_bombs(self):
        """Those of `bombs` that double the score (`Rules.doubling_bomb_size`)."""
        return self.now.doubling_bombs

    @property
    def rockets(self):
        """Rockets played so far: 0 or 1."""
        return self.now.rockets

    @property
    def plays(self):
        """Plays (no passes) made so far: a tuple of int, one a seat."""
        return tuple([self.now.plays[seat] for seat in range(self.now.n_seats)])

    @property
    def standing_plays(self):
        """Those of `plays` that won their trick or ended the game: a tuple of int, one a seat."""
        return tuple([self.now.standing[seat] for seat in range(self.now.n_seats)])

    @property
    def opening_stood(self):
        """Whether the landlord's first play won its trick or ended the game."""
        return bool(self.now.opening_stood)

    @property
    def hash(self):
        """A hash of what `key` holds, 64 bits; different keys may share one."""
        return position_hash(&self.now)

    @property
    def key(self):
        """48 bytes that say exactly what decides the rest of the game (Notes)."""
        cdef uint64_t words[MAX_SEATS + 2]
        cdef int seat
        for seat in range(MAX_SEATS):
            words[seat] = self.now.hands[seat]
        words[MAX_SEATS] = self.now.last.meta
        words[MAX_SEATS + 1] = seats_word(&self.now)
        return PyBytes_FromStringAndSize(<char*>words, sizeof(words))

    def __eq__(self, other):
        if not isinstance(other, Position):
            return NotImplemented
        return (self.rules == (<Position>other).rules
                and memcmp(&self.now, &(<Position>other).now, sizeof(position_t)) == 0)

    __hash__ = None

    def __repr__(self):
        return f"<Position {self.to_string()}>"

    def __str__(self):
        from ddz_core.display import position_text

        return position_text(self)

    def _repr_html_(self):
        from ddz_core.display import position_html

        return position_html(self)

    # ---- moves -------------------------------------------------------------------------------------

    def legal_moves(self):
        """Every legal move of the seat to move.

        Returns
        -------
        MoveList
            In the order of `ddz_core.legal_moves`; empty when the game is over.
        """
        cdef uint64_t last = self.now.last.meta
        cdef cards_t cards = self.now.hands[self.now.turn]
        cdef MoveList moves
        if self.now.winner != NOBODY:
            return new_move_list(0)
        moves = new_move_list(count_moves(&self.core.c, cards, last))
        generate(&self.core.c, cards, last, moves.moves)
        return moves

    def count_legal_moves(self):
        """Number of legal moves, without listing them.

        Returns
        -------
        int
            ``len(legal_moves())``; 0 when the game is over.
        """
        if self.now.winner != NOBODY:
            return 0
        return count_moves(&self.core.c, self.now.hands[self.now.turn], self.now.last.meta)

    def play(self, move):
        """Play a move for the seat to move.

        Parameters
        ----------
        move : Move or str
            `Move.PASS` or ``"pass"`` passes.

        Raises
        ------
        IllegalMoveError
            Not legal here; ``reason`` says why.
        InvalidCardsError
            A text with unknown letters or with cards that are no hand of the rule set.
        PhaseError
            The game is over.
        TypeError
            Neither Move nor str.
        """
        cdef move_t m
        if self.now.winner != NOBODY:
            raise PhaseError(f"the game is over: seat {self.now.winner} has won, so "
                             f"{str(move)[:80]} cannot be played")
        if move is None:
            raise TypeError("move must be a Move or move text, not None; a pass is Move.PASS")
        try:
            to_move(move, self.core, "move", &m)
        except IllegalMoveError as error:
            error.reason = self.why_not(move)
            raise
        if not may_play(&self.core.c, self.now.hands[self.now.turn], self.now.last.meta, &m):
            self.refuse(new_move(&m))
        self.remember()
        apply(&self.core.c, &self.now, &m)

    cdef why_not(self, move):
        # Explanations are a layer above this one, so they are looked up when one is wanted.
        from ddz_core.legality import why_illegal

        try:
            return why_illegal(new_hand(self.now.hands[self.now.turn]), move, self.last, self.rules)
        except DdzError:
            return None  # text that names no cards of this deck

    cdef refuse(self, Move move):
        reason = self.why_not(move)
        hand = str(new_hand(self.now.hands[self.now.turn]))
        raise IllegalMoveError(
            f"seat {self.now.turn} cannot play {move} from {hand!r} on {self.last or 'a lead'}: "
            f"{reason.value if reason else 'not a legal move'}",
            reason,
        )

    cdef int remember(self) except -1:
        cdef position_t* grown
        cdef Py_ssize_t room
        if self.n_history == self.room:
            room = 2 * self.room + 16
            grown = <position_t*>PyMem_Realloc(self.history, room * sizeof(position_t))
            if grown == NULL:
                raise MemoryError()
            self.history = grown
            self.room = room
        self.history[self.n_history] = self.now
        self.n_history += 1
        return 0

    def undo(self):
        """Take back the last move played on this object; everything is exactly as it was before.

        Raises
        ------
        PhaseError
            Nothing is left to take back.
        """
        if self.n_history == 0:
            raise PhaseError("there is no move to undo: the position is where it started")
        self.n_history -= 1
        self.now = self.history[self.n_history]

    def copy(self):
        """An independent copy that can undo as far back as this one.

        Returns
        -------
        Position
        """
        cdef Position twin = Position.__new__(Position)
        twin.rules = self.rules
        twin.core = self.core
        twin.now = self.now
        if self.n_history:
            twin.history = <position_t*>PyMem_Realloc(NULL, self.n_history * sizeof(position_t))
            if twin.history == NULL:
                raise MemoryError()
            memcpy(twin.history, self.history, self.n_history * sizeof(position_t))
            twin.room = self.n_history
            twin.n_history = self.n_history
        return twin

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    # ---- text --------------------------------------------------------------------------------------

    def to_string(self):
        """The position on one line; `from_string` reads it back.

        Fields, separated by blanks: rule set; hands by seat, separated by ``/`` (``-`` for an empty
        one); landlord; turn; last play or ``-``; passes; target; bombs; doubling bombs; rockets;
        plays by seat, separated by ``/``; standing plays likewise; whether the landlord's opening
        stood (``0`` or ``1``).

        Returns
        -------
        str
            The moves that led here are not in it.
        """
        def join(values):
            return "/".join([str(value) for value in values])

        return " ".join([
            self.rules.name,
            "/".join([str(hand) or "-" for hand in self.hands]),
            str(self.now.landlord),
            str(self.now.turn),
            str(self.last or "-"),
            str(self.now.passes),
            str(self.now.target),
            str(self.now.bombs),
            str(self.now.doubling_bombs),
            str(self.now.rockets),
            join(self.plays),
            join(self.standing_plays),
            str(int(self.now.opening_stood)),
        ])

    @staticmethod
    def from_string(text, rules=None):
        """The position that `to_string` wrote.

        Parameters
        ----------
        text : str
            Fields after the turn may be left out; they then have the defaults of `Position`.
        rules : Rules or str, optional
            Needed when the rule set is no preset; must have the name that the text gives.

        Returns
        -------
        Position

        Raises
        ------
        RecordError
            A text that describes no position.
        TypeError
            No str.
        """
        return parse_position(text, rules)

    def __reduce__(self):
        return (_restored_position, (self.to_string(), self.rules, self.start_and_moves()))

    cdef start_and_moves(self):
        """The position's first state and the moves since, enough to rebuild the history."""
        cdef Position start
        cdef Py_ssize_t i
        if self.n_history == 0:
            return None
        start = Position.__new__(Position)
        start.rules = self.rules
        start.core = self.core
        start.now = self.history[0]
        moves = []
        for i in range(1, self.n_history):
            moves.append(move_between(&self.history[i - 1], &self.history[i]))
        moves.append(move_between(&self.history[self.n_history - 1], &self.now))
        return start.to_string(), moves


cdef Move move_between(const position_t* before, const position_t* after):
    cdef move_t m
    m.cards = 0
    m.meta = 0
    if before.hands[before.turn] != after.hands[before.turn]:
        m = after.last
    return new_move(&m)


def _restored_position(text, rules, history):
    if history is None:
        return Position.from_string(text, rules)
    start, moves = history
    position = Position.from_string(start, rules)
    for move in moves:
        position.play(move)
    return position


cdef int check_conservation(const position_t* p, CompiledRules core) except -1:
    cdef cards_t total = 0
    cdef int seat, rank, n
    for rank in range(N_RANKS):
        n = count_of(p.last.cards, rank)
        for seat in range(p.n_seats):
            n += count_of(p.hands[seat], rank)
        if n > count_of(core.c.deck, rank):
            raise InvalidCardsError(
                f"{n} cards of rank {RANK_SYMBOLS[rank]} in the hands and the last play "
                f"together; the deck of rules {core.name!r} has {count_of(core.c.deck, rank)}"
            )
    return 0


cdef int check_goals(const position_t* p) except -1:
    done = [seat for seat in range(p.n_seats) if has_reached_goal(p, seat)]
    if len(done) > 1:
        raise DdzError(f"seats {done} are all at their goal; at most one can have won")
    if done and kind_of(p.last.meta) != PASS and seat_of_last(p) != done[0]:
        raise DdzError(f"seat {done[0]} is at its goal, but the last play came from another seat")
    return 0


cdef object parse_position(object text, object rules):
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {type(text).__name__}: {repr(text)[:80]}")
    fields = PyUnicode_FromObject(text).split()
    if not 4 <= len(fields) <= 13:
        raise RecordError(
            f"a position has 4 to 13 fields (rule set, hands, landlord, turn …), not {len(fields)}: "
            f"{text[:80]!r}; for one, 'standard 38TT/4456/3578 0 0'")
    fields += ["-", "0", "0", None, None, None, None, None, "0"][len(fields) - 4:]
    try:
        chosen = as_rules(fields[0] if rules is None else rules)
    except DdzError as error:
        raise RecordError(f"{text[:200]!r} is no position: {error}") from error
    if chosen.name != fields[0]:
        raise RecordError(f"the position is for rules {fields[0][:80]!r}, not {chosen.name!r}")
    try:
        return Position(
            ["" if hand == "-" else hand for hand in fields[1].split("/")],
            landlord=number_in(fields[2], "landlord"),
            turn=number_in(fields[3], "turn"),
            last=None if fields[4] == "-" else fields[4],
            passes=number_in(fields[5], "passes"),
            target=number_in(fields[6], "target"),
            bombs=number_in(fields[7], "bombs"),
            doubling_bombs=number_in(fields[8], "doubling bombs"),
            rockets=number_in(fields[9], "rockets"),
            plays=numbers_in(fields[10], "plays"),
            standing_plays=numbers_in(fields[11], "standing plays"),
            opening_stood=flag_in(fields[12], "opening stood"),
            rules=chosen,
        )
    except DdzError as error:
        raise RecordError(f"{text[:200]!r} is no position: {error}") from error


cdef object number_in(object field, str name):
    if field is None:
        return None
    if not (field.isascii() and field.isdigit() and len(field) <= 3):
        raise RecordError(f"{name} is {field[:20]!r}, not a small number")
    return int(field)


cdef object flag_in(str field, str name):
    if field not in ("0", "1"):
        raise RecordError(f"{name} is {field[:20]!r}; it must be 0 or 1")
    return field == "1"


cdef object numbers_in(object field, str name):
    return None if field is None else [number_in(part, name) for part in field.split("/")]


# ---- perft ----------------------------------------------------------------------------------------

cdef enum:
    NODES_BETWEEN_CHECKS = 1 << 22


cdef struct walk_t:
    const rules_t* rules
    uint64_t since_check


cdef int64_t walk(walk_t* w, const position_t* p, int depth) except -1 nogil:
    cdef position_t child
    cdef move_t* moves
    cdef move_t* end
    cdef move_t* m
    cdef int64_t nodes = 0
    cdef cards_t cards = p.hands[p.turn]
    cdef uint32_t n
    if depth == 0 or p.winner != NOBODY:
        return 1
    n = count_moves(w.rules, cards, p.last.meta)
    w.since_check += n
    if depth == 1:
        return n
    if w.since_check >= NODES_BETWEEN_CHECKS:
        w.since_check = 0
        with gil:
            PyErr_CheckSignals()
    moves = <move_t*>malloc((n if n else 1) * sizeof(move_t))
    if moves == NULL:
        with gil:
            raise MemoryError()
    try:
        end = generate(w.rules, cards, p.last.meta, moves)
        m = moves
        while m != end:
            child = p[0]
            apply(w.rules, &child, m)
            nodes += walk(w, &child, depth - 1)
            m += 1
    finally:
        free(moves)
    return nodes


cdef object leaves_below(const rules_t* rules, const position_t* start, int depth):
    cdef walk_t w
    cdef int64_t nodes
    w.rules = rules
    w.since_check = 0
    with nogil:
        nodes = walk(&w, start, depth)
    return nodes


def perft(Position position not None, depth):
    """Number of leaves of the game tree: of the positions `depth` moves ahead.

    A game that ends earlier is one leaf. The last ply is counted in closed form. Ctrl-C stops it.

    Parameters
    ----------
    position : Position
    depth : int
        Moves (passes count) to look ahead: 0 … 432, which no game outlasts.

    Returns
    -------
    int

    Raises
    ------
    DdzError
        A depth out of range.
    TypeError
        A value of the wrong type.
    """
    cdef int plies = in_range(depth, "depth", 0, MAX_PLIES)
    # Our own copy and reference: the position may be played on while the GIL is free.
    cdef position_t start = position.now
    cdef CompiledRules core = position.core
    return leaves_below(&core.c, &start, plies)


def divide(Position position not None, depth):
    """`perft` split by the first move.

    Parameters
    ----------
    position : Position
    depth : int
        Moves (passes count) to look ahead, the first one included: 1 … 432.

    Returns
    -------
    dict of Move to int
        Leaves below each legal move, in `legal_moves`' order; empty when the game is over.

    Raises
    ------
    DdzError
        A depth out of range.
    TypeError
        A value of the wrong type.
    """
    cdef position_t child
    cdef int plies = in_range(depth, "depth", 1, MAX_PLIES)
    cdef Position start = position.copy()
    leaves = {}
    for move in start.legal_moves():
        child = start.now
        apply(&start.core.c, &child, &(<Move>move).m)
        leaves[move] = leaves_below(&start.core.c, &child, plies - 1)
    return leaves
