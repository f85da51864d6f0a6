"""Numbers for the moves of a rule set."""

import numpy as np

from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc
from libc.string cimport memcpy

from ddz_core._types cimport *
from ddz_core._values cimport Move, MoveList, new_move, new_move_list

from ddz_core._queries import all_plays
from ddz_core import _values
from ddz_core.errors import IllegalMoveError


cdef class ActionTable:
    """The moves of a rule set by number, and their numbers.

    Parameters
    ----------
    rules : Rules
        Without `held_quads_stay_together`, under which `all_plays` lists few plays.
    """

    def __cinit__(self, rules):
        cdef MoveList plays = all_plays(rules)
        cdef uint32_t size = 64
        cdef uint32_t i, slot
        self.rules = rules
        self.a.n = plays.n + 1
        # At most half full.
        while size < 2 * self.a.n:
            size *= 2
        self.a.mask = size - 1
        self.memory = <move_t*>PyMem_Malloc(self.a.n * sizeof(move_t))
        self.table = <uint32_t*>PyMem_Calloc(size, sizeof(uint32_t))
        if self.memory == NULL or self.table == NULL:
            raise MemoryError()
        self.memory[0].cards = 0
        self.memory[0].meta = 0
        memcpy(self.memory + 1, plays.moves, plays.n * sizeof(move_t))
        self.a.moves = self.memory
        self.a.slots = self.table
        for i in range(1, self.a.n):
            slot = first_slot(&self.a, &self.memory[i])
            while self.table[slot]:
                slot = (slot + 1) & self.a.mask
            self.table[slot] = i

    def __dealloc__(self):
        PyMem_Free(self.memory)
        PyMem_Free(self.table)

    @property
    def n(self):
        """Number of ids."""
        return self.a.n

    def moves(self):
        """All moves by id, a MoveList."""
        cdef MoveList moves = new_move_list(self.a.n)
        memcpy(moves.moves, self.memory, self.a.n * sizeof(move_t))
        return moves

    def move(self, uint32_t number):
        """The move of an id."""
        if number >= self.a.n:
            raise IndexError(number)
        return new_move(&self.memory[number])

    def find(self, Move move not None):
        """The id of a move, -1 where there is none."""
        return action_id(&self.a, &move.m)

    def find_all(self, MoveList moves not None):
        """The ids of a list of moves."""
        ids = np.empty(moves.n, np.int64)
        if moves.n:
            self.find_block(moves.moves, ids)
        return ids

    def find_array(self, const uint64_t[:, ::1] words not None):
        """The ids of move records, given as two words each."""
        ids = np.empty(words.shape[0], np.int64)
        if words.shape[1] != 2:
            raise ValueError("a move has two words")
        if words.shape[0]:
            self.find_block(<const move_t*>&words[0, 0], ids)
        return ids

    cdef int find_block(self, const move_t* moves, ids) except -1:
        cdef int64_t[::1] out = ids
        cdef Py_ssize_t i
        cdef Py_ssize_t bad = -1
        with nogil:
            for i in range(out.shape[0]):
                out[i] = action_id(&self.a, &moves[i])
                if out[i] < 0:
                    bad = i
                    break
        if bad >= 0:
            raise IllegalMoveError(
                f"moves[{bad}] is no move of rules {self.rules.name!r}, which have {self.a.n} actions")
        return 0

    def pick(self, const int64_t[::1] ids not None):
        """The moves of many ids, an array of move_dtype."""
        moves = np.empty(ids.shape[0], _values.move_dtype)
        cdef uint64_t[:, ::1] words = moves.view(np.uint64).reshape(-1, 2)
        cdef Py_ssize_t i
        for i in range(ids.shape[0]):
            if not 0 <= ids[i] < self.a.n:
                raise IllegalMoveError(
                    f"ids[{i}] is {ids[i]}; action ids of rules {self.rules.name!r} are 0 … "
                    f"{self.a.n - 1}")
            words[i, 0] = self.memory[ids[i]].cards
            words[i, 1] = self.memory[ids[i]].meta
        return moves
