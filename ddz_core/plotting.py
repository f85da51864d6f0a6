"""The picture of a simulation's result; needs matplotlib, the extra ``plot``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ddz_core.estimates import rate, wilson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from ddz_core.estimates import Estimate, Rate
    from ddz_core.simulation_result import SimulationResult

__all__ = ["draw_result"]

# A palette that people who see few colours can tell apart as well, and that prints.
LANDLORD = "#C8553D"
PEASANTS = "#2F6690"
DOUBLED = "#D9A441"
QUIET = "#7B8794"
INK = "#22303C"
GRID = "#E3E7EB"
# Bars for rarer values than this share are put together.
RARE = 0.004


def draw_result(result: SimulationResult) -> Figure:
    """Win rates, points, length and multipliers of a result with at least one game."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 (an extra)
    except ModuleNotFoundError as error:
        raise ImportError(
            'a picture needs matplotlib: pip install "ddz_core[plot]"', name=error.name
        ) from error

    # Not by pyplot, which would keep every figure until it is told to forget it.
    figure = Figure(figsize=(11, 7.6), dpi=110, facecolor="white")
    axes = figure.subplots(2, 2)
    figure.subplots_adjust(
        left=0.085, right=0.965, bottom=0.125, top=0.83, hspace=0.52, wspace=0.24
    )
    _headline(figure, result)
    _win_rates(axes[0, 0], result)
    _points(axes[0, 1], result)
    _lengths(axes[1, 0], result)
    _multipliers(axes[1, 1], result)
    _footnote(figure, result)
    return figure


def _headline(figure: Figure, result: SimulationResult) -> None:
    low, high = result.interval(result.landlord_wins)
    figure.text(
        0.035,
        0.945,
        f"The landlord wins {result.landlord_win_rate:.1%} of games",
        size=19,
        weight="bold",
        color=INK,
    )
    kinds = list(dict.fromkeys(result.policies))
    who = kinds[0] if len(kinds) == 1 else " / ".join(result.policies)
    facts = [
        f"{result.rules.name} rules",
        f"{result.games:,} games",
        _shortened(f"players: {who}", 70),
        f"95 % interval {low:.2%} – {high:.2%}",
    ]
    if result.partial:
        facts.append(f"stopped before {result.requested:,} deals")
    figure.text(0.035, 0.908, "   ·   ".join(facts), size=10.5, color=QUIET)


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _footnote(figure: Figure, result: SimulationResult) -> None:
    facts = [
        f"bombs {_mean(result.bombs, '.3f')} a game",
        f"rockets {_share(result.rockets)}",
        f"springs {_share(result.springs)}",
        f"anti-springs {_share(result.anti_springs)}",
    ]
    more = ["± and brackets: 95 % intervals"]
    if result.void:
        more.append(f"void deals {_share(rate(result.void, result.deals))}")
    if result.landlord is None and result.redeals:
        more.append(f"dealt again {result.redeals:.3f} times a deal")
    for y, line in ((0.042, facts), (0.016, more)):
        figure.text(0.035, y, "   ·   ".join(line), size=10, color=QUIET)


def _mean(found: Estimate, form: str) -> str:
    """A mean, with half the width of its 95 % interval."""
    low, high = found.interval()
    half = "" if math.isnan(low) else f" ± {(high - low) / 2:{form.lstrip('+')}}"
    return f"{found.mean:{form}}{half}"


def _share(found: Rate) -> str:
    """A rate with its 95 % interval."""
    low, high = found.interval()
    return f"{found.mean:.2%} [{low:.2%} – {high:.2%}]".replace("% –", " –")


def _frame(axes: Axes, title: str) -> None:
    axes.set_title(title, loc="left", size=12, weight="bold", color=INK, pad=10)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(QUIET)
    axes.tick_params(colors=INK, labelsize=9.5, length=0)
    axes.set_axisbelow(True)


def _win_rates(axes: Axes, result: SimulationResult) -> None:
    """Dots with Wilson's intervals: both sides, then each seat as the landlord."""
    rows = [
        ("Landlord", result.landlord_wins, result.games, LANDLORD),
        ("Peasants", result.peasant_wins, result.games, PEASANTS),
    ]
    if result.landlord is None:
        rows += [
            (f"in seat {seat}", won, games, LANDLORD)
            for seat, (won, games) in enumerate(
                zip(result.wins_as_landlord, result.landlords, strict=True)
            )
            if games
        ]
    _frame(axes, "Games won, with 95 % intervals")
    bounds = []
    for row, (_, won, games, colour) in enumerate(rows):
        low, high = wilson(won, games)
        bounds += [low, high]
        axes.plot([low, high], [row, row], color=colour, lw=6, alpha=0.3, solid_capstyle="round")
        axes.plot([won / games], [row], "o", color=colour, ms=8)
        axes.annotate(
            f"{won / games:.1%}",
            (won / games, row),
            xytext=(0, 9),
            textcoords="offset points",
            ha="center",
            size=9,
            color=INK,
        )
    axes.axvline(0.5, color=QUIET, lw=0.8, ls=(0, (4, 4)), zorder=0)
    axes.set_yticks(range(len(rows)), [name for name, *_ in rows])
    axes.set_ylim(len(rows) - 0.4, -0.75)
    margin = 0.12 * (max(*bounds, 0.5) - min(*bounds, 0.5)) + 0.01
    axes.set_xlim(min(*bounds, 0.5) - margin, max(*bounds, 0.5) + margin)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.grid(axis="x", color=GRID)


def _points(axes: Axes, result: SimulationResult) -> None:
    """The landlord's points a game, rare values at both ends put together."""
    _frame(axes, "Landlord's points a game")
    for x, word, colour in ((0.015, "lost", PEASANTS), (0.105, "won", LANDLORD)):
        axes.text(
            x, 0.97, word, transform=axes.transAxes, va="top", size=10, weight="bold", color=colour
        )
    found = result.landlord_score_distribution
    values, shares = list(found), [games / result.games for games in found.values()]
    labels = [f"{value:+d}" for value in values]
    lost = [value < 0 for value in values]
    while len(values) > 2 and shares[0] + shares[1] < RARE * 2 and lost[1]:
        shares[:2] = [shares[0] + shares[1]]
        labels[:2] = [f"≤{values[1]:+d}"]
        del values[0], lost[0]
    while len(values) > 2 and shares[-1] + shares[-2] < RARE * 2 and not lost[-2]:
        shares[-2:] = [shares[-1] + shares[-2]]
        labels[-2:] = [f"≥{values[-2]:+d}"]
        del values[-1], lost[-1]
    colours = [PEASANTS if one else LANDLORD for one in lost]
    _bars(axes, labels, shares, colours)
    axes.text(
        0.99,
        0.97,
        f"mean {_mean(result.landlord_score, '+.3f')}",
        transform=axes.transAxes,
        ha="right",
        va="top",
        size=10,
        color=INK,
    )


def _bars(
    axes: Axes, labels: Sequence[str], shares: Sequence[float], colours: Sequence[str]
) -> None:
    places = range(len(labels))
    axes.bar(places, shares, width=0.82, color=list(colours))
    crowded = len(labels) > 12
    axes.set_xticks(places, labels, size=8 if crowded else 9.5, rotation=45 if crowded else 0)
    axes.set_ylim(0, max(shares) * 1.2)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.grid(axis="y", color=GRID)
    if not crowded:
        for place, share in zip(places, shares, strict=True):
            axes.text(place, share, f"{share:.1%}", ha="center", va="bottom", size=8.5, color=INK)


def _lengths(axes: Axes, result: SimulationResult) -> None:
    """Plies a game, up to where the tail is too thin to see."""
    _frame(axes, "Length of a game in plays and passes")
    plies = result.histogram("plies")
    stop = _quantile(plies, 0.9985) + 2
    shares = plies[:stop] / result.games
    axes.fill_between(np.arange(stop), shares, step="mid", color=PEASANTS, alpha=0.22, lw=0)
    axes.step(np.arange(stop), shares, where="mid", color=PEASANTS, lw=1.6)
    mean = result.plies.mean
    axes.axvline(mean, color=LANDLORD, lw=1.4)
    axes.annotate(
        f"mean {_mean(result.plies, '.1f')}",
        (mean, 1),
        xycoords=("data", "axes fraction"),
        xytext=(6, -4),
        textcoords="offset points",
        va="top",
        size=10,
        color=LANDLORD,
    )
    low, middle, high = (_quantile(plies, share) for share in (0.05, 0.5, 0.95))
    axes.text(
        0.015,
        0.97,
        f"median {middle}\n90 % within {low} – {high}",
        transform=axes.transAxes,
        va="top",
        size=10,
        color=INK,
        linespacing=1.5,
    )
    axes.set_xlim(0, stop)
    axes.set_ylim(0, float(shares.max()) * 1.2)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.1%}")
    axes.grid(axis="y", color=GRID)


def _quantile(histogram: NDArray[np.int64], share: float) -> int:
    return int(np.searchsorted(histogram.cumsum(), share * histogram.sum()))


def _multipliers(axes: Axes, result: SimulationResult) -> None:
    """How often bombs, rocket, robs and springs doubled the stake."""
    _frame(axes, "Multiplier of the stake")
    found = result.multiplier_distribution
    shares = [games / result.games for games in found.values()]
    labels = [f"×{value}" for value in found]
    while len(shares) > 2 and shares[-1] < RARE / 8:
        shares[-2:] = [shares[-2] + shares[-1]]
        del labels[-1]
        labels[-1] = f"≥{labels[-1].lstrip('≥')}"
    _bars(axes, labels, shares, [DOUBLED] * len(shares))
    axes.text(
        0.99,
        0.97,
        f"mean ×{_mean(result.multipliers, '.3f')}",
        transform=axes.transAxes,
        ha="right",
        va="top",
        size=10,
        color=INK,
    )
