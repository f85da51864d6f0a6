"""Tables and progress bars for the command line; needs rich, the extra ``cli``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

__all__ = ["progress_bar", "show"]

WIDEST = 10_000


def show(
    title: str,
    facts: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    wide: str | None = None,
) -> None:
    """Print a table on stdout.

    Parameters
    ----------
    title, facts : str
        The line above the table and the one below it.
    columns : sequence of str
        Headings; the column of one that starts with ``>`` is set to the right.
    rows : iterable of sequence of str
    wide : str, optional
        The heading of the column whose cells may take several lines.
    """
    table = Table(
        box=box.SIMPLE_HEAD,
        show_header=any(heading.strip(">") for heading in columns),
    )
    lines = list(rows)
    for place, heading in enumerate(columns):
        name = heading.removeprefix(">")
        table.add_column(
            name,
            justify="right" if heading.startswith(">") else "left",
            no_wrap=heading != wide,
            # No cell is cut off: a table that is wider than the terminal is wider.
            min_width=None
            if heading == wide
            else max(map(cell_len, [name, *(line[place] for line in lines)])),
        )
    for line in lines:
        table.add_row(*(Text(cell) for cell in line))
    console = Console(highlight=False)
    console.width = max(
        console.width, Measurement.get(console, console.options.update_width(WIDEST), table).minimum
    )
    with console.capture() as captured:
        console.print(table)
    # Not printed by rich, so that a closed pipe is noticed in one place for every command, and the
    # title and the facts stay on one line each to be copied.
    printed = "\n".join(line.rstrip() for line in captured.get().splitlines())
    print("\n".join([title, "", printed.strip("\n"), "", facts]))


@contextmanager
def progress_bar(total: int, what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr while it is a terminal; yields a callback of (done, total)."""
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task(what, total=total)
        yield lambda done, _: progress.update(task, completed=done)
