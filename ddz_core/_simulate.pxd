# Whole games from the deal to the points, a seat a policy, and their exact tallies.

from ddz_core._rng cimport rng_t
from ddz_core._types cimport MAX_SEATS, N_KINDS, cards_t, int64_t, rules_t, uint8_t, uint64_t

cdef enum:
    MAX_DECK = 108
    MAX_PLIES = 432
    N_DOUBLINGS = 48        # robs, bombs, rocket and spring together are at most 45
    N_BOMBS = 28
    N_ROBS = 17
    N_REDEALS = 33          # the last entry is "that many or more"

cpdef enum:
    AUCTION_ONCE = 0
    AUCTION_UNTIL_PASSES = 1
    AUCTION_CALL_ROB = 2
    AUCTION_NONE = 3

cpdef enum:
    FIRST_RANDOM = 0
    FIRST_ROTATES = 1
    FIRST_SEAT_0 = 2
    FIRST_FACE_UP = 3
    FIRST_HEART_THREE = 4

cpdef enum:
    NOBODY_REDEAL = 0
    NOBODY_FIRST = 1
    NOBODY_VOID = 2

cpdef enum:
    # Deals in a row in which nobody bids after which we give up: a policy that never bids would
    # go on for ever where the rules set no limit.
    GIVE_UP = 10000

# What whole games need of a rule set besides the plays, and who plays.
cdef struct table_t:
    int auction
    int first_bidder
    int nobody_bids
    int max_redeals         # -1: no limit
    int max_robs
    int bombs_double
    int landlord            # -1: by auction
    int bids_by[MAX_SEATS]  # a policy for each seat: when it bids, as landlord, as peasant
    int as_landlord[MAX_SEATS]
    int as_peasant[MAX_SEATS]

# A deal as a row of suited cards (4 * rank + suit, jokers 52 and 53, the second pack 54 higher): the
# undealt ones first, then the hands from seat 0 on, then the kitty.
cdef struct dealt_t:
    uint8_t cards[MAX_DECK]
    int n
    int opener
    int face_up             # -1 where no card is turned up
    cards_t hands[MAX_SEATS]
    cards_t kitty

# Counts of finished deals, in whole numbers only: their order never matters, and everything that is
# reported follows from them exactly. The points of all games are in `outcomes`: landlord's seat, who
# won (0 peasants, 1 landlord), base - 1, and how often the stake was doubled.
cdef struct tally_t:
    int64_t deals
    int64_t void
    int64_t forced
    int64_t outcomes[MAX_SEATS][2][3][N_DOUBLINGS]
    int64_t out_first[MAX_SEATS]
    int64_t plies[MAX_PLIES + 1]
    int64_t bombs[N_BOMBS]
    int64_t rockets[2]
    int64_t springs
    int64_t anti_springs
    int64_t robs[N_ROBS]
    int64_t redeals[N_REDEALS]
    int64_t all_redeals
    int64_t bids[6]
    int64_t kinds[N_KINDS]

# A stream of its own for each place of a key: `which` is 0 for the cards, 1 for the play.
cdef void start_stream(const uint64_t* key, uint64_t place, int which, rng_t* rng) noexcept nogil
# The rule set's deck in order, and a deal of it with the one who speaks first; of the table only how
# he is found is read.
cdef void sort_deck(const rules_t* rules, dealt_t* deck) noexcept nogil
cdef void deal_cards(const rules_t* rules, const table_t* table, const dealt_t* deck, int64_t number,
                     rng_t* rng, dealt_t* d) noexcept nogil
