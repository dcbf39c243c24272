"""Options that several commands share, and how their text is read."""

from __future__ import annotations

import dataclasses
import functools
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import click

from retrosolve.errors import GraphError
from retrosolve.runtime.progress import Progress, ProgressCallback, no_progress
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


Command = Callable[..., Any]


def bundled(parameter: str, kind: type[Any], *options: Command) -> Callable[[Command], Command]:
    """Give a command several options, handed over together as one ``parameter`` of a dataclass."""

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def call_rules(**given: Any) -> Any:
            fields = {f.name: given.pop(f.name) for f in dataclasses.fields(kind)}
            return command(**{parameter: kind(**fields)}, **given)

        for option in reversed(options):
            call_rules = option(call_rules)
        return call_rules

    return decorate


@dataclass(frozen=True)
class Stuck:
    """What was said about being stuck; both None and False where nothing was."""

    stuck: str | None = None
    misere: bool = False

    @property
    def given(self) -> bool:
        """Tell whether anything was said."""
        return self.misere or self.stuck is not None

    def rule(self, stored: str | None) -> str:
        """Settle what a stuck vertex is worth: as asked, else as the file says, else a loss."""
        if self.misere and self.stuck not in (None, "win"):
            raise click.BadParameter(f"--misere and --stuck {self.stuck} contradict each other")
        if self.misere:
            return "win"
        return self.stuck or stored or "loss"

    def check(self, stored: str) -> None:
        """Refuse another rule than the one that a solution was made with."""
        asked = self.rule(stored)
        if asked != stored:
            raise GraphError(f"the solution was made with stuck={stored!r}, not {asked!r}")


stuck_options = bundled(
    "stuck",
    Stuck,
    click.option(
        "--stuck",
        type=click.Choice(list(STUCK_VALUES)),
        help="What having no move means to the player to move (default: loss).",
    ),
    click.option("--misere", is_flag=True, help="The player without a move wins; same as --stuck win."),
)


@dataclass(frozen=True)
class SolverOptions:
    """By which algorithm to solve, and with how much."""

    solver: str = "auto"
    threads: int | None = None
    memory: int | None = None
    remoteness: bool = True


solver_options = bundled(
    "means",
    SolverOptions,
    click.option(
        "--solver",
        default="auto",
        show_default=True,
        type=click.Choice(["auto", *SOLVERS]),
        help="Which algorithm.",
    ),
    click.option("--threads", type=click.IntRange(min=1), help="At most so many threads."),
    click.option("--memory", callback=amount, help="At most so much memory, such as 2GB."),
    click.option(
        "--remoteness/--no-remoteness",
        default=True,
        help="Values alone, for policeman and thief on large boards (default: in how many plies too).",
    ),
)


@contextmanager
def progress_bar() -> Iterator[ProgressCallback]:
    """Show a progress bar while the block runs; nothing where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield no_progress
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        ProgressColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar
    from rich.text import Text

    class SpeedColumn(ProgressColumn):
        """How many of what is counted are done in a second."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text("" if speed is None else f"{speed:,.0f}/s")

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        SpeedColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, Any] = {}

        def report(progress: Progress) -> None:
            task = tasks.get(progress.stage)
            if task is None:
                task = tasks[progress.stage] = bar.add_task(progress.stage, total=progress.total)
            bar.update(task, completed=progress.done, total=progress.total)

        yield report
