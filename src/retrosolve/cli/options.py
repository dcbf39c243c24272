"""Options that several commands share, and how their text is read."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from retrosolve.errors import GraphError
from retrosolve.progress import Progress, Report, silent
from retrosolve.solvers import SOLVERS
from retrosolve.values import STUCK_VALUES

UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def amount(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Read a number of bytes, such as 500MB or 2GB."""
    if value is None:
        return None
    match = re.fullmatch(r"(\d{1,12}(?:\.\d{1,6})?)\s*([kmgt]?)b?", value.strip().lower(), re.ASCII)
    count = int(float(match[1]) * UNITS[match[2]]) if match else 0
    if count < 1:
        raise click.BadParameter(
            f"{value!r} is no amount of memory: expected one such as 2GB", ctx, param
        )
    return count


def stuck_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command ``--stuck`` and its short form ``--misere``."""
    command = click.option(
        "--misere", is_flag=True, help="The player without a move wins; same as --stuck win."
    )(command)
    return click.option(
        "--stuck",
        type=click.Choice(list(STUCK_VALUES)),
        help="What having no move means to the player to move (default: loss).",
    )(command)


def solver_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say how to solve."""
    options = (
        click.option(
            "--solver",
            default="auto",
            show_default=True,
            type=click.Choice(["auto", *SOLVERS]),
            help="Which algorithm.",
        ),
        click.option("--threads", type=click.IntRange(min=1), help="At most so many threads."),
        click.option("--memory", callback=amount, help="At most so much memory, such as 2GB."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def stuck_rule(stuck: str | None, misere: bool, stored: str | None) -> str:
    """Settle what a stuck vertex is worth: as asked, else as the file says, else a loss."""
    if misere and stuck not in (None, "win"):
        raise click.BadParameter(f"--misere and --stuck {stuck} contradict each other")
    if misere:
        return "win"
    return stuck or stored or "loss"


def agreed_stuck_rule(stuck: str | None, misere: bool, stored: str) -> str:
    """Settle the same for a solution already made, whose rule cannot be changed."""
    asked = stuck_rule(stuck, misere, stored)
    if asked != stored:
        raise GraphError(f"the solution was made with stuck={stored!r}, not {asked!r}")
    return stored


@contextmanager
def progress_bar() -> Iterator[Report]:
    """Show a progress bar while the block runs; nothing where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, Any] = {}

        def report(progress: Progress) -> None:
            task = tasks.get(progress.stage)
            if task is None:
                task = tasks[progress.stage] = bar.add_task(progress.stage, total=progress.total)
            bar.update(task, completed=progress.done, total=progress.total)

        yield report
