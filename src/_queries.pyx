"""Legal moves, counts and readings of one hand."""

from ddz_core._classify cimport MAX_READINGS, readings
from ddz_core._generate cimport count_moves, generate, nth_move
from ddz_core._types cimport *
from ddz_core._values cimport (
    MoveList, check_hand, compiled, new_move, new_move_list, to_cards, to_move,
)

from ddz_core._values import integer


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
    DdzError
        No preset of that name.
    TypeError
        A value of the wrong type.
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

    Kickers are counted in closed form.

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
    int
        PASS counts where it is legal; a play with several readings counts once for each.

    Raises
    ------
    InvalidCardsError
        Cards that are no hand of the rule set.
    IllegalMoveError
        `last` is no play of the rule set.
    DdzError
        No preset of that name.
    TypeError
        A value of the wrong type.
    """
    cdef CompiledRules core = compiled(rules)
    cdef move_t to_beat
    cdef cards_t cards = to_cards(hand, "hand")
    check_hand(cards, core, "hand")
    to_move(last, core, "last", &to_beat)
    return count_moves(&core.c, cards, to_beat.meta)


def legal_move_at(hand, index, last=None, rules=None):
    """``legal_moves(…)[index]`` without listing the others.

    With `count_legal_moves` this draws a uniformly random move in constant memory.

    Parameters
    ----------
    hand : Hand or str
        The player's cards, at most ``rules.max_hand``.
    index : int
        Place of the move, counted from 0; negative ones count from the end.
    last : Move, str or None
        The play to beat; None (or PASS) when the player leads. It need not fit into one deck
        together with the hand.
    rules : Rules or str, optional
        Rule set or preset name; standard by default.

    Returns
    -------
    Move

    Raises
    ------
    IndexError
        There is no such move.
    InvalidCardsError
        Cards that are no hand of the rule set.
    IllegalMoveError
        `last` is no play of the rule set.
    DdzError
        No preset of that name.
    TypeError
        A value of the wrong type.
    """
    cdef CompiledRules core = compiled(rules)
    cdef move_t to_beat, found
    cdef cards_t cards = to_cards(hand, "hand")
    cdef int64_t n, place
    check_hand(cards, core, "hand")
    to_move(last, core, "last", &to_beat)
    n = count_moves(&core.c, cards, to_beat.meta)
    number = integer(index, "index")
    if not -n <= number < n:
        raise IndexError(f"index {number} is out of range for {n} legal moves")
    place = number if number >= 0 else number + n
    nth_move(&core.c, cards, to_beat.meta, place, &found)
    return new_move(&found)


def all_plays(rules=None):
    """Every play of a rule set, with every reading: the moves of the whole deck, PASS left out.

    Parameters
    ----------
    rules : Rules or str, optional
        Rule set or preset name; standard by default.

    Returns
    -------
    MoveList
        Plays of at most ``rules.max_hand`` cards, in `legal_moves`' order. Under
        `held_quads_stay_together` these are the few plays of who holds the whole deck.

    Raises
    ------
    DdzError
        No preset of that name.
    TypeError
        Not a rule set, name or None.
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
    DdzError
        No preset of that name.
    TypeError
        A value of the wrong type.

    Notes
    -----
    Source: "Combinations" in docs/rules.md; each preset's docstring names its document. Who holds
    the cards does not matter here, so that `held_quads_stay_together` has no say.
    """
    cdef CompiledRules core = compiled(rules)
    cdef cards_t packed = to_cards(cards, "cards")
    cdef move_t found[MAX_READINGS]
    cdef int i, n
    check_hand(packed, core, "cards")
    n = readings(&core.c, packed, found)
    return tuple([new_move(&found[i]) for i in range(n)])
