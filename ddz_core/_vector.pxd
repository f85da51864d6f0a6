# Many games side by side, each at its own point, that all take one action a step.

from ddz_core._actions cimport ActionTable
from ddz_core._features cimport native_t, seen_t, trace_t
from ddz_core._position cimport position_t
from ddz_core._rng cimport rng_t
from ddz_core._simulate cimport dealt_t, table_t
from ddz_core._types cimport MAX_SEATS, CompiledRules, int64_t, uint8_t, uint32_t, uint64_t

cpdef enum:
    AUTORESET_SAME = 0      # the step that ends a game starts the next one
    AUTORESET_NEXT = 1      # the step after it does, and takes no action there
    AUTORESET_OFF = 2       # a finished game takes no step

cpdef enum:
    OBSERVE_NOTHING = 0
    OBSERVE_DOUZERO = 1
    OBSERVE_NATIVE = 2

cpdef enum:
    PHASE_AUCTION = 0
    PHASE_PLAY = 1
    PHASE_OVER = 2

cdef struct game_t:
    position_t p
    trace_t trace
    dealt_t deal
    rng_t rng               # of the cards
    int64_t number          # games before this one in the same place
    int phase
    # The auction; `landlord` is whoever made the highest bid.
    int turn
    int landlord            # NOBODY where nobody has bid
    int made
    int passes              # in a row
    int highest
    int robs
    int base
    int redeals
    uint8_t bids[MAX_SEATS] # one more than each seat's latest bid

cdef class Games:
    cdef CompiledRules core
    cdef readonly object rules
    cdef ActionTable table          # actions are its ids; None: places in the lists of moves
    cdef game_t* games
    cdef readonly Py_ssize_t n
    cdef table_t options
    cdef dealt_t deck
    cdef native_t plan
    cdef int autoreset
    cdef int observe
    cdef bint single
    cdef bint for_landlord          # rewards are the landlord's points
    cdef bint kitty_shown
    cdef dict arrays                # that the pointers below point into
    cdef int64_t* chosen            # each game's action
    cdef int64_t* counts            # legal moves or bids of each game
    cdef int64_t* ends              # the lists' indptr
    cdef signed char* roles         # 0 landlord, 1 the seat after, 2 the seat before; -1 not in the play
    cdef int64_t* slots             # place of a game among those of its role
    cdef int64_t* role_games[3]
    cdef int64_t* role_ends[3]
    cdef int64_t n_role[3]
    cdef uint64_t* move_list
    cdef int64_t* id_list
    cdef uint8_t* masks
    cdef Py_ssize_t mask_columns
    cdef double* rewards
    cdef uint8_t* terminated
    cdef signed char* acted
    cdef signed char* turns
    cdef signed char* phases
    cdef signed char* landlords
    cdef signed char* ended_landlords
    cdef int64_t* points
    cdef char* x                    # an observation's rows, by game
    cdef char* z
    cdef char* action_rows          # by legal move
    cdef char* role_x[3]            # by legal move, and by game, of a role
    cdef char* role_z[3]
    cdef Py_ssize_t size            # bytes of a feature
    # A step goes from taken actions to lists that have their places, and then are in them.
    cdef bint taken
    cdef bint arranged
    cdef bint listed
    cdef int arrange_roles(self) except -1
    cdef void* keep(self, str name, array) except NULL
    cdef void* room_for(self, str name, Py_ssize_t rows) except NULL
    cdef int check_game(self, Py_ssize_t i) except -1
    cdef int check_listed(self) except -1
    cdef int refuse(self, Py_ssize_t i, int wrong) except -1
    cdef uint32_t legal_bids(self, const game_t* g) noexcept nogil
    cdef int wrong_action(self, Py_ssize_t i) noexcept nogil
    cdef void deal_out(self, game_t* g) noexcept nogil
    cdef void start(self, game_t* g) noexcept nogil
    cdef void start_play(self, game_t* g, int landlord) noexcept nogil
    cdef void bid(self, game_t* g, int bid) noexcept nogil
    cdef int doublings(self, const game_t* g) noexcept nogil
    cdef void end(self, Py_ssize_t i) noexcept nogil
    cdef void step_game(self, Py_ssize_t i) noexcept nogil
    cdef void count_game(self, Py_ssize_t i) noexcept nogil
    cdef void unmask(self, Py_ssize_t i) noexcept nogil
    cdef void see(self, const game_t* g, seen_t* s) noexcept nogil
    cdef void list_game(self, Py_ssize_t i) noexcept nogil
    cdef void observe_game(self, Py_ssize_t i) noexcept nogil
