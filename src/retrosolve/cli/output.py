"""Printing. Names of positions, moves, players and files come from outside.

Whatever cannot be printed on one line is escaped, and no text is read as markup.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from retrosolve.runtime.files import one_line

if TYPE_CHECKING:
    from rich.console import Console

GAP = "  "


def print_line(text: str, err: bool = False, **style: Any) -> None:
    """Print one line, styled as by ``click.style`` where a terminal reads it."""
    click.secho(one_line(text), err=err, **style)


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
    cells = [[one_line(cell) for cell in row] for row in rows]
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
