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
from retrosolve.languages import DEFAULT, LANGUAGES
from retrosolve.runtime.memory import parse_bytes
from retrosolve.runtime.progress import Progress, ProgressCallback, no_progress
from retrosolve.solvers import NAMES
from retrosolve.values import STUCK_VALUES

SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}


def parse_memory(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Read a number of bytes such as 500MB or 2GB. Raises click.BadParameter."""
    try:
        return parse_bytes(value)
    except GraphError:
        message = f"{value!r} is no amount of memory: expected one such as 2GB"
        raise click.BadParameter(message, ctx, param) from None


Command = Callable[..., Any]


def option_group(parameter: str, kind: type[Any], *options: Command) -> Callable[[Command], Command]:
    """Return a decorator that adds options to a command, passed to it as one object.

    Parameters
    ----------
    parameter : str
        Name of the command's parameter that receives the object.
    kind : type
        A dataclass with one field for each option.
    *options : decorators
        Options and arguments made by click.
    """

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def wrapper(**arguments: Any) -> Any:
            fields = {f.name: arguments.pop(f.name) for f in dataclasses.fields(kind)}
            return command(**{parameter: kind(**fields)}, **arguments)

        for option in reversed(options):
            wrapper = option(wrapper)
        return wrapper

    return decorate


@dataclass(frozen=True)
class StuckOptions:
    """What the command line says about having no move; None and False where it says nothing."""

    stuck: str | None = None
    misere: bool = False

    @property
    def is_set(self) -> bool:
        """Whether the command line says anything."""
        return self.misere or self.stuck is not None

    def resolve(self, stored: str | None) -> str:
        """Return the ``stuck`` argument of a solve: as asked, else as stored, else ``"loss"``.

        Raises click.BadParameter for options that contradict each other.
        """
        if self.misere and self.stuck not in (None, "win"):
            raise click.BadParameter(f"--misere and --stuck {self.stuck} contradict each other")
        if self.misere:
            return "win"
        return self.stuck or stored or "loss"

    def check(self, stored: str) -> None:
        """Raise GraphError unless a solution was made as asked."""
        asked = self.resolve(stored)
        if asked != stored:
            raise GraphError(f"the solution was made with stuck={stored!r}, not {asked!r}")


stuck_options = option_group(
    "stuck",
    StuckOptions,
    click.option(
        "--stuck",
        type=click.Choice(list(STUCK_VALUES)),
        help="What having no move means to the player to move (default: loss).",
    ),
    click.option(
        "--misere", is_flag=True, help="The player who cannot move wins; same as --stuck win."
    ),
)


@dataclass(frozen=True)
class SolverOptions:
    """Algorithm and resources of a solve."""

    solver: str = "auto"
    threads: int | None = None
    workers: int | None = None
    memory: int | None = None
    limit: int | None = None
    remoteness: bool = True
    address: str | None = None
    partitions: int | None = None


solver_options = option_group(
    "options",
    SolverOptions,
    click.option(
        "--solver",
        default="auto",
        show_default=True,
        type=click.Choice(["auto", *NAMES]),
        help="Algorithm, explained below.",
    ),
    click.option("--threads", type=click.IntRange(min=1), help="Maximum number of threads."),
    click.option(
        "--workers",
        type=click.IntRange(min=1),
        help="Processes that explore plain rules (default: all cores where the rules are slow).",
    ),
    click.option(
        "--limit", type=click.IntRange(min=1), help="Maximum number of positions, such as 1000000."
    ),
    click.option("--memory", callback=parse_memory, help="Maximum memory, such as 2GB."),
    click.option(
        "--remoteness/--no-remoteness",
        default=True,
        help="Compute the distance to the end in plies (default: yes). "
        "--no-remoteness saves time and memory for policeman and thief on large boards.",
    ),
    click.option(
        "--address", help="Ray cluster of --solver ray: auto, local (default) or ray://host:port."
    ),
    click.option(
        "--partitions",
        type=click.IntRange(min=1),
        help="Parts in which --solver ray owns positions (default: one for each processor).",
    ),
)


def parse_seconds(ctx: click.Context, param: click.Parameter, value: str) -> float:
    """Read a time such as 60s, 5m or 1h. Raises click.BadParameter."""
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,6})?)\s*([smh]?)", value.strip().lower(), re.ASCII)
    seconds = float(match[1]) * SECONDS[match[2]] if match else 0.0
    if not seconds > 0:
        raise click.BadParameter(f"{value!r} is no time: expected one such as 60s or 5m", ctx, param)
    return seconds


@dataclass(frozen=True)
class RunOptions:
    """Where a solve is saved while it runs, and how it goes on."""

    out: str | None = None
    resume: bool = False
    checkpoint_every: float = 60.0
    snapshots: str | None = None

    def check(self) -> None:
        """Raise click.BadParameter for options that make no sense alone."""
        if self.resume and self.out is None:
            raise click.BadParameter("--resume goes with --out: expected the folder of the solve")


run_options = option_group(
    "run",
    RunOptions,
    click.option(
        "--out",
        metavar="DIR",
        help="Solve into a folder: finished parts are written at once and leave memory. An interrupted "
        "or killed solve goes on with --resume.",
    ),
    click.option(
        "--resume", is_flag=True, help="Go on with an unfinished --out; without one begin anew."
    ),
    click.option(
        "--checkpoint-every",
        default="60s",
        show_default=True,
        callback=parse_seconds,
        metavar="TIME",
        help="Time between two checkpoints of --out within a part, such as 60s or 5m.",
    ),
    click.option(
        "--snapshots",
        metavar="URL",
        help="Where the partitions of --solver ray write checkpoints, such as s3://bucket/folder "
        "(default: beside --out).",
    ),
)

trust_option = click.option(
    "--trust-rules",
    is_flag=True,
    help="Run the file of rules that a saved solution names, as it was when it was saved. "
    "Built-in games and graphs need no such file.",
)

language_option = click.option(
    "--language",
    type=click.Choice(list(LANGUAGES)),
    default=DEFAULT,
    show_default=True,
    envvar="RETROSOLVE_LANGUAGE",
    show_envvar=True,
    help="Language of sentences.",
)


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
