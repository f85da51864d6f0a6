"""What came out of a simulation: exact counts, and everything that follows from them."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ddz_core._values import integer
from ddz_core.errors import DdzError, RecordError
from ddz_core.estimates import Estimate, Rate, estimate, rate, wilson
from ddz_core.record_reader import brief
from ddz_core.record_values import RULE_OPTIONS, rules_from_json
from ddz_core.seeds import MOST_BITS, MOST_POOL, plain_entropy
from ddz_core.strict_json import parse_json
from ddz_core.tallies import Ranges, joined, new_counts, parts_of
from ddz_core.vocabulary import RANK_SYMBOLS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from ddz_core.rules import Rules

__all__ = ["Part", "SimulationResult"]

VERSION = 1
MEMBERS = ("ddz_simulation", "rules", "policies", "landlord", "requested", "parts", "tally")
LARGEST = 2**62


class Part(NamedTuple):
    """Deals of one seed.

    Attributes
    ----------
    entropy : int or tuple of int
    spawn_key : tuple of int
    pool_size : int
        These three make the `numpy.random.SeedSequence`.
    ranges : tuple of (int, int)
        Which deals: from the first number to before the second.
    """

    entropy: int | tuple[int, ...]
    spawn_key: tuple[int, ...]
    pool_size: int
    ranges: Ranges

    @classmethod
    def of(cls, seed: np.random.SeedSequence, ranges: Ranges) -> Part:
        """The part of a seed sequence."""
        return cls(
            plain_entropy(seed), tuple(int(key) for key in seed.spawn_key), seed.pool_size, ranges
        )

    @property
    def identity(self) -> tuple[int, ...]:
        """What tells the seed from others: the state that it makes, for 1 and [1] are the same."""
        return tuple(self.seed.generate_state(self.pool_size).tolist())

    @property
    def seed(self) -> np.random.SeedSequence:
        """The seed sequence."""
        return np.random.SeedSequence(
            self.entropy, spawn_key=self.spawn_key, pool_size=self.pool_size
        )


@dataclass(frozen=True, eq=False)
class SimulationResult:
    """What came out of a number of deals; whole counts, from which all figures follow exactly.

    Results add up (``a + b``), whichever process or machine they come from, as long as no deal is
    counted twice. Rates are over the games that were played, points over all deals, void ones
    (OpenSpiel) counting 0.

    Attributes
    ----------
    rules : Rules
        The rule set.
    policies : tuple of str
        The name of each seat's policy: its attribute ``name``, else that of its function or class.
    landlord : int or None
        The landlord's seat where it was given; None where the auction found one.
    requested : int
        Deals that were asked for.
    parts : tuple of Part
        Which deals of which seeds are counted.
    counts : ndarray of int64
        All counts in one array; `to_numpy` has them by name.
    """

    rules: Rules
    policies: tuple[str, ...]
    landlord: int | None
    requested: int
    parts: tuple[Part, ...]
    counts: NDArray[np.int64] = field(repr=False)

    def __post_init__(self) -> None:
        counts = self.counts.copy()
        counts.flags.writeable = False
        object.__setattr__(self, "counts", counts)

    # ---- how many ------------------------------------------------------------------------------

    def _part(self, name: str) -> NDArray[np.int64]:
        return parts_of(self.counts)[name]

    def _number(self, name: str) -> int:
        return int(self._part(name))

    @property
    def deals(self) -> int:
        """Finished deals, void ones too; a deal dealt again is one deal."""
        return self._number("deals")

    @property
    def void(self) -> int:
        """Deals that nobody bid for and that count 0 (OpenSpiel)."""
        return self._number("void")

    @property
    def games(self) -> int:
        """Deals that were played to the end."""
        return self.deals - self.void

    @property
    def forced(self) -> int:
        """Games whose landlord was found without a bid (003, 004)."""
        return self._number("forced")

    @property
    def partial(self) -> bool:
        """Whether the run was stopped before all deals were finished."""
        return self.deals < self.requested

    @property
    def seed(self) -> np.random.SeedSequence:
        """Repeats the run exactly when given as `seed` again.

        Raises
        ------
        DdzError
            The result has deals of several seeds; `parts` has them all.
        """
        if len(self.parts) != 1:
            raise DdzError(f"the result has deals of {len(self.parts)} seeds, not of one")
        return self.parts[0].seed

    # ---- who won -------------------------------------------------------------------------------

    @property
    def landlord_wins(self) -> int:
        """Games that the landlord won."""
        return int(self._part("outcomes")[:, 1].sum())

    @property
    def peasant_wins(self) -> int:
        """Games that the peasants won."""
        return self.games - self.landlord_wins

    @property
    def landlord_win_rate(self) -> float:
        """``landlord_wins / games``; NaN where there are no games."""
        return self.landlord_wins / self.games if self.games else math.nan

    @property
    def peasant_win_rate(self) -> float:
        """``peasant_wins / games``; NaN where there are no games."""
        return self.peasant_wins / self.games if self.games else math.nan

    def interval(
        self, wins: int, confidence: float = 0.95, games: int | None = None
    ) -> tuple[float, float]:
        """Wilson's score interval for the rate of something that happened in `wins` games.

        Parameters
        ----------
        wins : int
            0 … `games`.
        confidence : float
            Between 0 and 1.
        games : int, optional
            Out of how many; all that were played by default.

        Returns
        -------
        tuple of float
            Lower and upper bound; NaN where there are no games.

        Raises
        ------
        DdzError
            A number out of its range.
        TypeError
            `wins` is no integer, or `confidence` no number.
        """
        out_of = self.games if games is None else integer(games, "games")
        return wilson(wins, out_of, confidence)

    @property
    def landlords(self) -> tuple[int, ...]:
        """Games in which each seat was the landlord."""
        return self._per_seat(self._part("outcomes").sum(axis=(1, 2, 3)))

    @property
    def wins_as_landlord(self) -> tuple[int, ...]:
        """Games that each seat won as the landlord."""
        return self._per_seat(self._part("outcomes")[:, 1].sum(axis=(1, 2)))

    @property
    def wins(self) -> tuple[int, ...]:
        """Games that each seat's side won."""
        lost = [
            games - won for games, won in zip(self.landlords, self.wins_as_landlord, strict=True)
        ]
        peasants_won = sum(lost)
        return tuple(
            won + peasants_won - own for won, own in zip(self.wins_as_landlord, lost, strict=True)
        )

    @property
    def out_first(self) -> tuple[int, ...]:
        """Games in which each seat was the first to reach its goal."""
        return self._per_seat(self._part("out_first"))

    def _per_seat(self, numbers: NDArray[np.int64]) -> tuple[int, ...]:
        return tuple(numbers[: self.rules.players].tolist())

    # ---- points --------------------------------------------------------------------------------

    def _outcomes(self) -> Iterator[tuple[int, bool, int, int, int]]:
        """Landlord, whether he won, base, multiplier, and how many games ended so."""
        outcomes = self._part("outcomes")
        for landlord, won, base, doublings in np.argwhere(outcomes).tolist():
            games = int(outcomes[landlord, won, base, doublings])
            yield landlord, bool(won), base + 1, 1 << doublings, games

    def score_distribution(self, seat: int) -> dict[int, int]:
        """How many deals brought a seat how many points.

        Parameters
        ----------
        seat : int

        Returns
        -------
        dict of int to int
            Points in ascending order, with the number of deals; void deals are among those with 0.

        Raises
        ------
        DdzError
            No such seat.
        """
        number = integer(seat, "seat")
        if not 0 <= number < self.rules.players:
            raise DdzError(f"seat is {number}; there are seats 0 … {self.rules.players - 1}")
        found = {0: self.void} if self.void else {}
        for landlord, won, base, multiplier, games in self._outcomes():
            points = base * multiplier * (1 if won else -1)
            points *= self.rules.players - 1 if landlord == number else -1
            found[points] = found.get(points, 0) + games
        return dict(sorted(found.items()))

    @property
    def scores(self) -> tuple[Estimate, ...]:
        """Points a deal of each seat."""
        return tuple(
            _estimate_of(self.score_distribution(seat)) for seat in range(self.rules.players)
        )

    @property
    def landlord_score_distribution(self) -> dict[int, int]:
        """How many games brought the landlord, whoever it is, how many points; in order."""
        found: dict[int, int] = {}
        for _, won, base, multiplier, games in self._outcomes():
            points = base * multiplier * (self.rules.players - 1) * (1 if won else -1)
            found[points] = found.get(points, 0) + games
        return dict(sorted(found.items()))

    @property
    def landlord_score(self) -> Estimate:
        """Points a game of the landlord, whoever it is."""
        return _estimate_of(self.landlord_score_distribution)

    @property
    def multiplier_distribution(self) -> dict[int, int]:
        """How many games had which multiplier, in ascending order."""
        doublings = self._part("outcomes").sum(axis=(0, 1, 2))
        return {1 << int(i): int(doublings[i]) for i in np.flatnonzero(doublings)}

    @property
    def multipliers(self) -> Estimate:
        """Multiplier of the base a game: bombs, rocket, robs and springs."""
        return _estimate_of(self.multiplier_distribution)

    # ---- what happened -------------------------------------------------------------------------

    def histogram(self, name: str) -> NDArray[np.int64]:
        """How often each number occurred: entry k counts the games (or deals) with k.

        Parameters
        ----------
        name : {"plies", "bombs", "rockets", "robs", "bases", "doublings", "redeals", "bids", \
"kinds"}
            ``"doublings"`` is the multiplier's power of two; ``"redeals"`` counts deals, its last
            entry being 32 or more; ``"bids"`` counts the bids made by value (`Bid`), those of
            deals dealt again too; ``"kinds"`` counts moves by `Kind`, passes too.

        Returns
        -------
        ndarray of int64
            Of the same length for every result.

        Raises
        ------
        DdzError
            No such histogram.
        """
        if name == "bases":
            return np.concatenate([[0], self._part("outcomes").sum(axis=(0, 1, 3))])
        if name == "doublings":
            return self._part("outcomes").sum(axis=(0, 1, 2))  # type: ignore[no-any-return]
        if name not in HISTOGRAMS:
            known = ", ".join((*HISTOGRAMS, "bases", "doublings"))
            raise DdzError(f"no histogram {repr(name)[:80]}; there are {known}")
        return self._part(name).copy()

    def _mean_of(self, name: str) -> Estimate:
        counts = self._part(name)
        return _estimate_of({int(k): int(counts[k]) for k in np.flatnonzero(counts)})

    @property
    def plies(self) -> Estimate:
        """Plays and passes a game."""
        return self._mean_of("plies")

    @property
    def bombs(self) -> Estimate:
        """Bombs a game, whether they double or not."""
        return self._mean_of("bombs")

    @property
    def rockets(self) -> Rate:
        """Share of games with a rocket."""
        return rate(int(self._part("rockets")[1]), self.games)

    @property
    def robs(self) -> Estimate:
        """Robs a game (003)."""
        return self._mean_of("robs")

    @property
    def springs(self) -> Rate:
        """Share of games with a spring, in the rule set's sense; 0 if it has none."""
        return rate(self._number("springs"), self.games)

    @property
    def anti_springs(self) -> Rate:
        """Share of games with an anti-spring, in the rule set's sense; 0 if it has none."""
        return rate(self._number("anti_springs"), self.games)

    @property
    def redeals(self) -> float:
        """Times that a deal was dealt again because nobody bid, on average; NaN without deals."""
        return self._number("all_redeals") / self.deals if self.deals else math.nan

    # ---- adding up -----------------------------------------------------------------------------

    def merge(self, *others: SimulationResult) -> SimulationResult:
        """One result of all deals.

        Parameters
        ----------
        *others : SimulationResult

        Returns
        -------
        SimulationResult

        Raises
        ------
        DdzError
            Other rules, policies or landlord, or a deal that is in both.
        TypeError
            No result.
        """
        together = self
        for other in others:
            if not isinstance(other, SimulationResult):
                raise TypeError(f"only results can be merged, not {repr(other)[:80]}")
            together = together._plus(other)
        return together

    def __add__(self, other: SimulationResult) -> SimulationResult:
        if not isinstance(other, SimulationResult):
            return NotImplemented
        return self._plus(other)

    def _plus(self, other: SimulationResult) -> SimulationResult:
        for name in ("rules", "policies", "landlord"):
            ours, theirs = getattr(self, name), getattr(other, name)
            if ours != theirs:
                shown = (ours.name, theirs.name) if name == "rules" else (ours, theirs)
                if shown[0] == shown[1]:
                    shown = (ours, theirs)
                raise DdzError(f"results of different {name}: {shown[0]!r} and {shown[1]!r}")
        parts: dict[tuple[int, ...], Part] = {}
        for part in (*self.parts, *other.parts):
            seed = part.identity
            known = parts.get(seed)
            ranges = part.ranges if known is None else joined(known.ranges, part.ranges)
            parts[seed] = (known or part)._replace(ranges=ranges)
        return SimulationResult(
            self.rules,
            self.policies,
            self.landlord,
            self.requested + other.requested,
            tuple(parts[seed] for seed in sorted(parts)),
            self.counts + other.counts,
        )

    def __eq__(self, other: object) -> bool:
        """Whether all counts are the same, of the same deals and players."""
        if not isinstance(other, SimulationResult):
            return NotImplemented
        return (
            self.rules == other.rules
            and self.policies == other.policies
            and self.landlord == other.landlord
            and self.requested == other.requested
            and self._deals_by_seed() == other._deals_by_seed()
            and bool((self.counts == other.counts).all())
        )

    def _deals_by_seed(self) -> list[tuple[tuple[int, ...], Ranges]]:
        return [(part.identity, part.ranges) for part in self.parts]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        about = f"{self.rules.name}: {self.deals:,} deals"
        if self.partial:
            about += f" of {self.requested:,} (partial)"
        if self.games:
            low, high = self.interval(self.landlord_wins)
            about += f", landlord wins {self.landlord_win_rate:.2%} ({low:.2%} … {high:.2%})"
        return f"<SimulationResult {about}>"

    # ---- export --------------------------------------------------------------------------------

    def to_numpy(self) -> dict[str, NDArray[np.int64]]:
        """All counts by name, as arrays; ``numpy.savez(path, **result.to_numpy())`` stores them.

        Returns
        -------
        dict of str to ndarray of int64
            ``outcomes`` is indexed by the landlord's seat, who won (0 the peasants, 1 the
            landlord), base - 1, and how often the stake was doubled; the others are single numbers
            (no dimension) and histograms.
        """
        return {name: part.copy() for name, part in parts_of(self.counts).items()}

    def summary(self) -> dict[str, Any]:
        """The figures that most people want, as plain numbers; None for what is undefined.

        Intervals are at 95 %: Wilson's for rates, the normal approximation's for other means.
        """

        def shown(value: Estimate | Rate) -> dict[str, Any]:
            return {
                "mean": _or_none(value.mean),
                "se": _or_none(value.se),
                "interval": [_or_none(bound) for bound in value.interval()],
            }

        def won(wins: int, games: int) -> dict[str, Any]:
            return {
                "wins": wins,
                "games": games,
                "rate": wins / games if games else None,
                "interval": [_or_none(bound) for bound in wilson(wins, games)],
            }

        return {
            "deals": self.deals,
            "games": self.games,
            "void": self.void,
            "forced": self.forced,
            "partial": self.partial,
            "landlord": won(self.landlord_wins, self.games),
            "peasants": won(self.peasant_wins, self.games),
            "seats": [
                {
                    "score": shown(score),
                    "side_won": won(wins, self.games),
                    "as_landlord": won(as_landlord, games),
                }
                for score, wins, as_landlord, games in zip(
                    self.scores, self.wins, self.wins_as_landlord, self.landlords, strict=True
                )
            ],
            "landlord_score": shown(self.landlord_score),
            **{name: shown(getattr(self, name)) for name in ESTIMATES},
            "redeals": _or_none(self.redeals),
        }

    def as_dict(self) -> dict[str, Any]:
        """Everything as JSON values; `from_dict` reads it back.

        Returns
        -------
        dict
            The counts in full, from which everything follows, and the `summary`.
        """
        options = {name: getattr(self.rules, name) for name in RULE_OPTIONS}
        options["lowest_rank"] = RANK_SYMBOLS[int(self.rules.lowest_rank)]
        return {
            "ddz_simulation": VERSION,
            "rules": options,
            "policies": _plain(self.policies),
            "landlord": self.landlord,
            "requested": self.requested,
            "parts": [
                {name: _plain(value) for name, value in part._asdict().items()}
                for part in self.parts
            ],
            "tally": {name: _packed(part) for name, part in parts_of(self.counts).items()},
            "summary": self.summary(),
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """Everything as strict JSON text.

        Parameters
        ----------
        indent : int, optional
            As for `json.dumps`.
        """
        return json.dumps(self.as_dict(), indent=indent, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> SimulationResult:
        """The result that `to_json` wrote.

        Parameters
        ----------
        text : str

        Returns
        -------
        SimulationResult

        Raises
        ------
        RecordError
            No such text, or counts that do not fit together.
        TypeError
            No str.
        """
        if not isinstance(text, str):
            raise TypeError(f"text must be a str, not {type(text).__name__}: {repr(text)[:80]}")
        return cls.from_dict(parse_json(text))

    @classmethod
    def from_dict(cls, values: object) -> SimulationResult:
        """The result that `as_dict` gave; the summary is not looked at.

        Raises
        ------
        RecordError
            No such object, or counts that do not fit together.
        """
        if not isinstance(values, dict) or "ddz_simulation" not in values:
            raise RecordError(f"{brief(values)} is no simulation result")
        if values["ddz_simulation"] != VERSION:
            raise RecordError(
                f"the result is of version {brief(values['ddz_simulation'])}; this ddz_core reads "
                f"version {VERSION}"
            )
        if set(values) - {"summary"} != set(MEMBERS):
            raise RecordError(f"a result has the members {', '.join(MEMBERS)}")
        rules = rules_from_json(values["rules"])
        landlord = values["landlord"]
        if landlord is not None:
            landlord = _count(landlord, "landlord", rules.players - 1)
        result = cls(
            rules,
            _labels(values["policies"], rules.players),
            landlord,
            _count(values["requested"], "requested"),
            _parts(values["parts"]),
            _unpacked(values["tally"]),
        )
        result._check()
        return result

    def _check(self) -> None:
        """Make sure that the counts are of one and the same deals."""
        parts = parts_of(self.counts)
        games, players = self.games, self.rules.players
        played = int(parts["plies"] @ np.arange(len(parts["plies"])))
        sums = {
            "redeals": (int(parts["redeals"].sum()), self.deals),
            "parts": (sum(b - a for part in self.parts for a, b in part.ranges), self.deals),
            "kinds": (int(parts["kinds"].sum()), played),
            **{
                name: (int(parts[name].sum()), games)
                for name in ("outcomes", "out_first", "plies", "bombs", "rockets", "robs")
            },
        }
        for name, (found, wanted) in sums.items():
            if found != wanted:
                raise RecordError(f"{name} adds up to {found}, but {wanted} is what it must be")
        if parts["outcomes"][players:].any() or parts["out_first"][players:].any():
            raise RecordError(f"games are counted for seats that {players} players do not have")
        if self.landlord is not None and self.landlords[self.landlord] != games:
            raise RecordError(f"seat {self.landlord} is the landlord, but not of all games")
        if self.deals > self.requested or not 0 <= self.forced <= games:
            raise RecordError("more deals are counted than there can be")
        if self._number("springs") + self._number("anti_springs") > games:
            raise RecordError("there are more springs than games")

    # ---- picture -------------------------------------------------------------------------------

    def plot(self) -> Figure:
        """A picture of the result; needs matplotlib, the extra ``plot``.

        Returns
        -------
        matplotlib.figure.Figure
            ``figure.savefig("result.png")`` stores it; in a notebook it shows itself.

        Raises
        ------
        ImportError
            matplotlib is not installed.
        DdzError
            There are no games to show.
        """
        from ddz_core.plotting import draw_result  # noqa: PLC0415 (brings matplotlib)

        if not self.games:
            raise DdzError("there are no games to show")
        return draw_result(self)


HISTOGRAMS = ("plies", "bombs", "rockets", "robs", "redeals", "bids", "kinds")
ESTIMATES = ("multipliers", "plies", "bombs", "rockets", "robs", "springs", "anti_springs")


def _estimate_of(distribution: dict[int, int]) -> Estimate:
    """The mean of numbers of which each occurred so often."""
    return estimate(
        sum(distribution.values()),
        sum(value * times for value, times in distribution.items()),
        sum(value * value * times for value, times in distribution.items()),
    )


# ---- JSON ----------------------------------------------------------------------------------------


def _or_none(number: float) -> float | None:
    return None if math.isnan(number) else number


def _plain(value: Any) -> Any:
    """Tuples as lists."""
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _packed(part: NDArray[np.int64]) -> Any:
    """A number, a histogram up to its last entry that is not 0, or index and count of such."""
    if part.ndim == 0:
        return int(part)
    if part.ndim == 1:
        filled = np.flatnonzero(part)
        return part[: filled[-1] + 1].tolist() if len(filled) else []
    return [[*index, int(part[tuple(index)])] for index in np.argwhere(part).tolist()]


def _unpacked(tally: object) -> NDArray[np.int64]:
    counts = new_counts()
    parts = parts_of(counts)
    if not isinstance(tally, dict) or set(tally) != set(parts):
        raise RecordError(f"the tally has the members {', '.join(parts)}")
    for name, part in parts.items():
        value = tally[name]
        if part.ndim == 0:
            part[...] = _count(value, name)
            continue
        if not isinstance(value, list):
            raise RecordError(f"{name} is {brief(value)}, not a list")
        for place, entry in enumerate(value):
            *index, count = entry if part.ndim > 1 and isinstance(entry, list) else (place, entry)
            if len(index) != part.ndim:
                raise RecordError(f"{brief(entry)} in {name} has not {part.ndim + 1} numbers")
            at = tuple(
                _count(one, f"an index in {name}", size - 1)
                for one, size in zip(index, part.shape, strict=True)
            )
            part[at] = _count(count, name)
    return counts


def _count(value: object, name: str, most: int = LARGEST) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise RecordError(f"{name} is {brief(value)}; it must be a whole number 0 … {most}")
    return value


def _labels(value: object, players: int) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) != players:
        raise RecordError(f"policies are {brief(value)}; there must be one for each seat")
    if not all(isinstance(name, str) for name in value):
        raise RecordError(f"policies are {brief(value)}; they must be names")
    return tuple(value)


def _parts(value: object) -> tuple[Part, ...]:
    if not isinstance(value, list):
        raise RecordError(f"parts are {brief(value)}, not a list")
    return tuple(map(_part, value))


def _part(value: object) -> Part:
    if not isinstance(value, dict) or set(value) != set(Part._fields):
        raise RecordError(f"a part has the members {', '.join(Part._fields)}")
    entropy, spawn_key, ranges = value["entropy"], value["spawn_key"], value["ranges"]
    words = entropy if isinstance(entropy, list) else [entropy]
    if not all(type(word) is int and 0 <= word < 2**MOST_BITS for word in words):
        raise RecordError(
            f"entropy is {brief(entropy)}; it must be whole numbers below 2**{MOST_BITS}"
        )
    if not isinstance(spawn_key, list) or not isinstance(ranges, list):
        raise RecordError("spawn_key and ranges must be lists")
    found: Ranges = ()
    for pair in ranges:
        if not isinstance(pair, list) or len(pair) != 2:
            raise RecordError(f"{brief(pair)} is no range of deals")
        first, stop = (_count(number, "a range's end") for number in pair)
        if first >= stop:
            raise RecordError(f"{brief(pair)} is no range of deals")
        try:
            found = joined(found, ((first, stop),))
        except DdzError as error:
            raise RecordError(str(error)) from None
    return Part(
        tuple(entropy) if isinstance(entropy, list) else entropy,
        tuple(_count(key, "spawn_key", 2**MOST_BITS - 1) for key in spawn_key),
        _pool_size(value["pool_size"]),
        found,
    )


def _pool_size(value: object) -> int:
    number = _count(value, "pool_size", MOST_POOL)
    if number < 4:
        raise RecordError(f"pool_size is {number}; it must be at least 4")
    return number
