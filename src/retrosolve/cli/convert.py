"""``retrosolve convert``: from one format to another, solved or not."""

from __future__ import annotations

import click

from retrosolve.cli.inputs import Input, input_options
from retrosolve.cli.options import Stuck, stuck_options
from retrosolve.cli.output import say
from retrosolve.cli.steps import solved
from retrosolve.errors import FormatError
from retrosolve.formats import FORMATS, format_of, write
from retrosolve.solution import Solution
from retrosolve.spaces.base import StateSpace, space_of


@click.command()
@input_options
@click.argument("output")
@stuck_options
@click.option("--solve", "attach", is_flag=True, help="Attach value, remoteness and best move.")
@click.option(
    "--to",
    "output_format",
    type=click.Choice([f.name for f in FORMATS.values() if f.write]),
    help="Format of OUTPUT, where its ending does not tell.",
)
@click.option(
    "--endless",
    type=click.IntRange(0, 1),
    help="Who wins endless play, for a .sol file, which must name a winner everywhere, and for a .pg.",
)
def convert(
    given: Input,
    output: str,
    stuck: Stuck,
    attach: bool,
    output_format: str | None,
    endless: int | None,
) -> None:
    """Write INPUT, a graph or a game, to OUTPUT in another format.

    Values that INPUT holds are kept; --solve works them out. A .sol file is always solved.
    """
    if output_format is None and format_of(output) is None:
        known = " ".join(suffix for f in FORMATS.values() for suffix in f.suffixes if f.write)
        raise FormatError(f"{output!r} has no known ending: expected one of {known}")
    loaded = given.load()
    kind = output_format or format_of(output)
    to_sol = kind == "sol"
    subject: StateSpace | Solution
    if attach or to_sol or loaded.solution is not None:
        subject = solved(loaded, stuck)
    else:
        if stuck.given:
            raise click.UsageError("--stuck and --misere say how to solve: expected --solve too")
        subject = space_of(loaded.subject)
    options = {} if endless is None else {"endless": endless}
    if options and kind not in ("pg", "sol"):
        raise click.UsageError("--endless is for .pg and .sol files")
    write(subject, output, format=output_format, **options)
    say(f"{output}: {_described(subject)}", err=True)


def _described(subject: StateSpace | Solution) -> str:
    if isinstance(subject, Solution):
        return f"{len(subject)} positions, {subject.num_edges} moves, with values"
    return f"{subject.num_vertices} positions, {subject.num_edges} moves"
