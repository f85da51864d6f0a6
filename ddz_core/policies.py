"""Players: what a policy is, the built-in ones, and who sits where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from ddz_core._policies import bid_index, move_index
from ddz_core._values import integer
from ddz_core.auction import Bid
from ddz_core.checks import instance
from ddz_core.errors import DdzError, PhaseError
from ddz_core.observation import Observation

if TYPE_CHECKING:
    import numpy as np

    from ddz_core._values import Move, MoveList

    Policies: TypeAlias = "str | Policy | Sequence[str | Policy] | Mapping[str, str | Policy]"

Choice = TypeVar("Choice")

__all__ = [
    "BUILT_IN",
    "BuiltIn",
    "ByRole",
    "Policy",
    "built_in",
    "built_in_codes",
    "picked",
    "picked_in_batch",
    "resolve",
]

# In the order of the core's numbers for them (_policies.pxd).
BUILT_IN = ("random", "greedy", "rule")
ROLES = ("landlord", "peasant")


@runtime_checkable
class Policy(Protocol):
    """A player: anything that can be called with what a seat sees.

    Two further methods are looked for and may be left out:

    ``bid(observation, bids, rng) -> int``
        The index of the bid in `bids`, a tuple of `Bid`, and not the bid itself; without it the
        built-in ``"rule"`` bids.
    ``batch(observations, moves, rng) -> sequence of int``
        The answers to many positions of different games at once, for networks.

    Examples
    --------
    >>> from ddz_core import Game
    >>> def lowest(observation, moves, rng):
    ...     return min(range(len(moves)), key=lambda i: (moves[i].n_cards == 0, moves[i].rank or 0))
    >>> game = Game("douzero", seed=1)
    >>> seen = game.observe(game.turn)
    >>> print(seen.legal_moves[lowest(seen, seen.legal_moves, None)])
    3
    """

    def __call__(self, observation: Observation, moves: MoveList, rng: np.random.Generator) -> int:
        """The index of the move to play.

        Parameters
        ----------
        observation : Observation
            What the seat to move sees.
        moves : MoveList
            Its legal moves, of which there is at least one.
        rng : numpy.random.Generator
            The only source of chance that keeps a run repeatable.

        Returns
        -------
        int
        """
        ...


class BuiltIn:
    """A built-in policy, for use from Python; made by `built_in`.

    Attributes
    ----------
    name : str
    code : int
        The core's number for it.
    """

    __slots__ = ("code", "name")

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise TypeError(f"name must be a str, not {type(name).__name__}: {repr(name)[:80]}")
        if name not in BUILT_IN:
            raise DdzError(f"no policy {name[:80]!r}; built in are {', '.join(BUILT_IN)}")
        self.name = name
        self.code = BUILT_IN.index(name)

    def __call__(self, observation: Observation, moves: MoveList, rng: np.random.Generator) -> int:
        """The index of its move among `moves`, the seat's legal moves.

        Raises
        ------
        PhaseError
            It is not this seat's turn to play.
        DdzError
            The move is not among `moves`.
        TypeError
            No observation.
        """
        seen = _checked(observation)
        if seen.phase != "play" or seen.turn != seen.seat or seen.landlord is None:
            raise PhaseError(f"it is not seat {seen.seat}'s turn to play")
        if self.name == "random":
            return int(rng.integers(len(moves)))
        return move_index(
            seen.rules,
            self.code,
            seen.hand,
            seen.unseen,
            seen.last,
            seen.cards_left,
            seen.landlord,
            seen.seat,
            seen.passes,
            seen.handicap,
            moves,
        )

    def bid(self, observation: Observation, bids: Sequence[Bid], rng: np.random.Generator) -> int:
        """The index of its bid among `bids`, the seat's legal bids.

        Raises
        ------
        PhaseError
            There is no bid to choose from.
        TypeError
            No observation.
        """
        seen = _checked(observation)
        if not bids:
            raise PhaseError(f"it is not seat {seen.seat}'s turn to bid")
        if self.name == "random":
            return int(rng.integers(len(bids)))
        return bid_index(seen.rules, self.code, seen.hand, bids)

    def __repr__(self) -> str:
        return f"built_in({self.name!r})"

    def __eq__(self, other: object) -> bool:
        return self.name == other.name if isinstance(other, BuiltIn) else NotImplemented

    def __hash__(self) -> int:
        return hash((BuiltIn, self.name))

    def __reduce__(self) -> tuple[type[BuiltIn], tuple[str]]:
        return (BuiltIn, (self.name,))


class ByRole:
    """Two policies, one for whoever is the landlord and one for the peasants.

    The landlord's policy also bids, since it is the one that knows what it makes of a hand.

    Attributes
    ----------
    landlord, peasant : Policy
    """

    __slots__ = ("landlord", "peasant")

    def __init__(self, landlord: str | Policy, peasant: str | Policy) -> None:
        self.landlord = _policy(landlord, "the landlord")
        self.peasant = _policy(peasant, "the peasant")

    def __call__(self, observation: Observation, moves: MoveList, rng: np.random.Generator) -> int:
        """What the policy of the seat's role answers."""
        seen = _checked(observation)
        role = self.landlord if seen.seat == seen.landlord else self.peasant
        return role(seen, moves, rng)

    def bid(self, observation: Observation, bids: Sequence[Bid], rng: np.random.Generator) -> int:
        """What the landlord's policy bids, or ``"rule"`` where that has no bids of its own."""
        policy: Any = self.landlord if hasattr(self.landlord, "bid") else built_in("rule")
        answer: int = policy.bid(observation, bids, rng)
        return answer

    def __repr__(self) -> str:
        return f"ByRole(landlord={self.landlord!r}, peasant={self.peasant!r})"


def built_in(name: str) -> BuiltIn:
    """A built-in policy that can be called from Python.

    Parameters
    ----------
    name : {"random", "greedy", "rule"}
        docs/policies.md says what each does and how strong it is. ``"greedy"`` and ``"rule"``
        choose exactly what the compiled simulations choose, and use no random numbers;
        ``"random"`` draws from the `rng` that it is given.

    Returns
    -------
    BuiltIn

    Raises
    ------
    DdzError
        No such policy.
    TypeError
        No str.

    Examples
    --------
    >>> from ddz_core import Game
    >>> game = Game("standard", seed=7)
    >>> game.bid(3)
    >>> rule = built_in("rule")
    >>> while game.turn is not None:
    ...     seen = game.observe(game.turn)
    ...     game.play(seen.legal_moves[rule(seen, seen.legal_moves, None)])
    >>> sum(game.result.points)
    0
    """
    return BuiltIn(name)


def resolve(policies: Policies, players: int, landlord: int | None = None) -> tuple[Policy, ...]:
    """One policy a seat.

    Parameters
    ----------
    policies : str, Policy, sequence of these, or mapping
        A built-in policy's name or a policy for every seat; one of these for each seat; or a
        mapping with the keys ``"landlord"`` and ``"peasant"``.
    players : int
        Number of seats.
    landlord : int, optional
        The landlord's seat, where it is known beforehand. A mapping then becomes his policy and the
        others'; otherwise every seat has a `ByRole`.

    Returns
    -------
    tuple of Policy
        `BuiltIn` for a name.

    Raises
    ------
    DdzError
        An unknown name or key, or a sequence of another length.
    TypeError
        Something that is no policy.

    Examples
    --------
    >>> resolve("greedy", 2)
    (built_in('greedy'), built_in('greedy'))
    >>> resolve({"landlord": "rule", "peasant": "random"}, 3, landlord=1)
    (built_in('random'), built_in('rule'), built_in('random'))
    """
    if isinstance(policies, Mapping):
        if set(policies) != set(ROLES):
            raise DdzError(
                f"policies by role have the keys 'landlord' and 'peasant', not "
                f"{repr(list(policies))[:80]}"
            )
        roles = ByRole(policies["landlord"], policies["peasant"])
        if landlord is None:
            return (roles,) * players
        return tuple(
            roles.landlord if seat == landlord else roles.peasant for seat in range(players)
        )
    if isinstance(policies, Sequence) and not isinstance(policies, str):
        if len(policies) != players:
            raise DdzError(f"{len(policies)} policies for {players} seats")
        return tuple(_policy(policy, f"seat {seat}") for seat, policy in enumerate(policies))
    return (_policy(policies, "every seat"),) * players


def built_in_codes(policies: Policies, players: int, landlord: int) -> tuple[int, ...]:
    """The core's number of each seat's policy; TypeError for one written in Python."""
    codes = []
    for policy in resolve(policies, players, landlord):
        if not isinstance(policy, BuiltIn):
            raise TypeError(
                f"policy must be built in ({', '.join(BUILT_IN)}), not {repr(policy)[:80]}"
            )
        codes.append(policy.code)
    return tuple(codes)


def picked(answer: object, choices: Sequence[Choice], what: str = "move") -> Choice:
    """What a policy's answer stands for; DdzError or TypeError where it is no index of one."""
    if isinstance(answer, Bid):
        # It is an int too, but not its own place: after a bid of 1 the second of `bids` is 2.
        raise TypeError(f"a policy's answer must be a place in `{what}s`, not {answer!r} itself")
    number = integer(answer, f"a policy's answer, the place of its {what} in `{what}s`,")
    if not 0 <= number < len(choices):
        raise DdzError(f"a policy answered {number}; there are {what}s 0 … {len(choices) - 1}")
    return choices[number]


def picked_in_batch(
    policy: Any, seen: Sequence[Observation], rng: np.random.Generator
) -> list[Move]:
    """The moves of a policy that is asked about many games at once, checked as by `picked`."""
    moves = [observation.legal_moves for observation in seen]
    answers = policy.batch(seen, moves, rng)
    if len(answers) != len(seen):
        raise DdzError(f"a policy gave {len(answers)} answers for a batch of {len(seen)}")
    return [picked(answer, choices) for answer, choices in zip(answers, moves, strict=True)]


def _policy(policy: object, whose: str) -> Policy:
    if isinstance(policy, str):
        if policy not in BUILT_IN:
            raise DdzError(
                f"no policy {policy[:80]!r} for {whose}; built in are {', '.join(BUILT_IN)}"
            )
        return BuiltIn(policy)
    # A class is callable, but calling it makes a player instead of playing.
    if isinstance(policy, type):
        raise TypeError(
            f"the policy for {whose} must be an object, not its class: {policy.__name__[:80]}(…)"
        )
    if not isinstance(policy, Policy):
        raise TypeError(
            f"the policy for {whose} must be a name or callable as policy(observation, moves, "
            f"rng), not {repr(policy)[:80]}"
        )
    return policy


def _checked(observation: object) -> Observation:
    return instance(observation, Observation, "observation")
