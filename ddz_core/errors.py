"""Everything that ddz_core raises on purpose."""

from __future__ import annotations

from enum import StrEnum


class Illegal(StrEnum):
    """Why cards may not be played; the value is a sentence that a player understands.

    Notes
    -----
    The sentences are ours. The rules behind them are those of documents 000 to 004, "Combinations",
    "Beating" and "Play" in docs/rules.md, with these exceptions: KICKERS_TOO_MANY_EQUAL is said by
    000 and 002 and read into the others; KICKERS_EXTEND_CHAIN is RLCard's; HELD_QUAD_SPLIT is 003
    taken literally, an option; KIND_NOT_IN_RULES depends on the rule set.
    """

    NOT_IN_HAND = "You do not hold all of these cards."
    NO_CARDS = "You lead this trick: choose at least one card."
    LEADER_MAY_NOT_PASS = "You lead this trick, so you may not pass."
    NO_COMBINATION = "These cards are no combination."
    CHAIN_TOO_SHORT = (
        "A straight needs at least five ranks in a row, a pair straight three, an airplane two."
    )
    CHAIN_HAS_TWO_OR_JOKER = (
        "Twos and jokers do not belong to a straight, pair straight or airplane."
    )
    NOT_CONSECUTIVE = "The ranks of a chain must follow each other without a gap."
    ROCKET_INCOMPLETE = "Jokers of both colours are only played together as the whole rocket."
    KIND_NOT_IN_RULES = "This combination is not played under these rules."
    KICKER_NUMBER = (
        "The other cards do not fit as kickers: their number must go with the main part."
    )
    KICKERS_MIXED = "Kickers are either all single cards or all pairs."
    KICKER_OF_MAIN_RANK = "A kicker may not have a rank of the main part."
    KICKER_PAIRS_EQUAL = "Kicker pairs must all have different ranks."
    KICKERS_TOO_MANY_EQUAL = "Too many single kickers have the same rank."
    KICKERS_BOTH_JOKERS = "The two jokers may not go along together as kickers."
    KICKERS_EXTEND_CHAIN = "Three equal kickers may not lengthen the airplane's own chain."
    HELD_QUAD_SPLIT = "You hold four of this rank, and the four may only be played together."
    WRONG_KIND = "This is not the kind of combination that was played last."
    WRONG_SIZE = "The last play has a different number of cards."
    TOO_LOW = "This does not beat the last play: its main part is not higher."
    NOTHING_BEATS_ROCKET = "Nothing beats the rocket."


class DdzError(ValueError):
    """Base of all errors that ddz_core raises about a value."""


class InvalidCardsError(DdzError):
    """Cards that no hand can be: unknown letters, impossible counts, cards outside the deck."""


class IllegalMoveError(DdzError):
    """A move that the rules do not allow.

    Attributes
    ----------
    reason : Illegal or None
        Why the cards may not be played, where there is one single reason.
    """

    def __init__(self, message: str, reason: Illegal | None = None) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[type[IllegalMoveError], tuple[str, Illegal | None]]:
        return (type(self), (str(self), self.reason))


class PhaseError(DdzError):
    """An action that the present phase of the game does not have."""


class RecordError(DdzError):
    """A text or file that does not describe a game, a position or a deal."""
