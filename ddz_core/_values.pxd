# The value types: packed words behind a validated, immutable Python face.

from ddz_core._types cimport CompiledRules, cards_t, move_t

cdef class Hand:
    cdef cards_t packed_cards

cdef class Move:
    cdef move_t m

cdef class MoveList:
    cdef move_t* moves
    cdef Py_ssize_t n
    cdef MoveList picked(self, indices)
    cdef Py_ssize_t find(self, Move move)

cdef Hand new_hand(cards_t cards)
cdef Move new_move(const move_t* m)
# An uninitialised list of n moves; the caller fills all of them.
cdef MoveList new_move_list(Py_ssize_t n)
cdef str cards_text(cards_t cards)
# Any object that means cards (Hand, text) to a packed word, or an exception.
cdef cards_t to_cards(object cards, str name) except? 0xFFFFFFFFFFFFFFFF
# None and PASS are PASS; a Move is taken as it is; text is parsed.
cdef int to_move(object move, CompiledRules rules, str name, move_t* out) except -1
# Raises InvalidCardsError unless the cards are within the deck and number at most max_hand.
cdef int check_hand(cards_t cards, CompiledRules rules, str name) except -1
# Raises IllegalMoveError unless the move is a play of the rule set, or PASS.
cdef int check_move(const move_t* m, CompiledRules rules, str name) except -1
# The compiled form of a Rules object, of a preset's name, or of the standard rules for None.
cdef CompiledRules compiled(object rules)
