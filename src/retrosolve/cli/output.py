"""Printing. Names of positions, moves, players and files come from outside.

Whatever cannot be printed on one line is escaped, and no text is read as markup.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from retrosolve.errors import one_line
from retrosolve.runtime.context import Progress, ProgressCallback, no_progress

if TYPE_CHECKING:
    from rich.console import Console

GAP = "  "
ISOLATES = re.compile("([\u2068\u2069])")


def print_line(text: str, err: bool = False, **style: Any) -> None:
    """Print one line, styled as by ``click.style`` where a terminal reads it."""
    click.secho(one_line(text), err=err, **style)


def print_sentence(text: str, **style: Any) -> None:
    """Print a translated sentence on one line, with the marks around the names in it.

    The marks isolate names that are written in the other direction; a name with such a mark of its own
    changes the order of the words around it at most.
    """
    parts = ISOLATES.split(text)
    click.secho(
        "".join(part if ISOLATES.fullmatch(part) else one_line(part) for part in parts), **style
    )


def print_table(
    rows: Iterable[Sequence[str]], right: Iterable[int] = (), widths: Sequence[int] = ()
) -> list[int]:
    """Print rows with aligned columns.

    Parameters
    ----------
    rows : iterable of sequences of str
        Equally long rows.
    right : iterable of int
        Columns to align on the right.
    widths : sequence of int, optional
        The least width of each column: that of the part of the table already printed.

    Returns
    -------
    list of int
        The width of each column.

    Examples
    --------
    >>> widths = print_table([("name", "win"), ("all", "1024")], right=[1])
    name   win
    all   1024
    """
    cells = [[one_line(ISOLATES.sub("", cell)) for cell in row] for row in rows]
    columns = zip(*cells, strict=True)
    needed = [max(map(text_width, column)) for column in columns]
    widths = list(map(max, needed, widths)) if widths else needed
    on_right = set(right)
    for row in cells:
        padded = []
        for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
            room = " " * (width - text_width(cell))
            padded.append(room + cell if column in on_right else cell + room)
        click.echo(GAP.join(padded).rstrip())
    return widths


def text_width(text: str) -> int:
    """Return how many columns of a terminal a text takes.

    Examples
    --------
    >>> text_width("ab"), text_width("将棋")
    (2, 4)
    """
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def rich_console() -> Console:
    """Return a console that wraps text at its width and takes it as it is, not as markup."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)


@contextmanager
def progress_bar() -> Iterator[ProgressCallback]:
    """Show the stages of the work in the block, with a bar for each, if stderr is a terminal.

    The stage "preparing" (reading the input, imports) is shown until the first report.
    """
    if not sys.stderr.isatty():
        yield no_progress
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        ProgressColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar
    from rich.text import Text

    class DoneColumn(ProgressColumn):
        """Items done, and of how many if that is known."""

        def render(self, task: Task) -> Text:
            total = "" if task.total is None else f"/{task.total:,.0f}"
            return Text(f"{task.completed:,.0f}{total}" if task.completed else "")

    class SpeedColumn(ProgressColumn):
        """Items per second."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text("" if speed is None else f"{speed:,.0f}/s")

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DoneColumn(),
        SpeedColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, Any] = {}
        preparing = bar.add_task("preparing", total=None)

        def report(progress: Progress) -> None:
            bar.update(preparing, visible=False)
            task = tasks.get(progress.stage)
            if task is None:
                task = tasks[progress.stage] = bar.add_task(progress.stage, total=progress.total)
            bar.update(task, completed=progress.done, total=progress.total)

        yield report
