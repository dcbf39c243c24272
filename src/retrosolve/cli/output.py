"""Printing: names of positions, moves, players and files come from outside.

So what cannot be printed on a line is written as escapes, and no text is taken for markup or emoji.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from retrosolve.runtime.files import one_line

if TYPE_CHECKING:
    from rich.console import Console


def say(text: str, bold: bool = False, err: bool = False) -> None:
    """Print one line."""
    click.secho(one_line(text), bold=bold or None, err=err)


def plain_console(wrap: bool = False) -> Console:
    """Return a console that prints text as it is; lines are cut at its width only with ``wrap``."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, soft_wrap=not wrap)
