"""Tables and progress bars for the command line; needs rich, the extra ``cli``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from rich import box
from rich.console import Console
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


def show(
    title: str, facts: str, columns: Sequence[str], rows: Iterable[Sequence[str]], *, wide: str = ""
) -> None:
    """Print a table on stdout.

    Parameters
    ----------
    title, facts : str
        The line above the table and the one below it.
    columns : sequence of str
        Headings; the column of one that starts with ``>`` is set to the right.
    rows : iterable of sequence of str
    wide : str
        The heading of the column whose cells may take several lines.
    """
    table = Table(
        title=Text(title),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        show_header=any(heading.strip(">") for heading in columns),
    )
    for heading in columns:
        table.add_column(
            heading.removeprefix(">"),
            justify="right" if heading.startswith(">") else "left",
            no_wrap=heading != wide,
        )
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console = Console(highlight=False)
    with console.capture() as captured:
        console.print(table)
    # Not printed by rich, so that a closed pipe is noticed in one place for every command, and the
    # facts stay on one line to be copied.
    lines = [line.rstrip() for line in captured.get().strip("\n").splitlines()]
    print("\n".join([*lines, "", facts]))


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
