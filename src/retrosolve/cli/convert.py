"""``retrosolve convert``: translate between file formats, with or without the solution."""

from __future__ import annotations

from pathlib import Path

import click

from retrosolve.cli.destination import (
    WITH_OWNERS,
    check_output,
    check_winners,
    no_known_ending,
    note_draws,
)
from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import STUCK_OPTIONS, Request, takes_input
from retrosolve.cli.output import print_line
from retrosolve.errors import FormatError
from retrosolve.formats import FORMATS, format_of, write
from retrosolve.solution import Solution
from retrosolve.spaces.base import Capability, StateSpace
from retrosolve.spaces.solvable import space_of


@click.command(
    epilog=epilog(
        "retrosolve convert graph.csv graph.graphml",
        "retrosolve convert tictactoe solved.csv --solve",
        "retrosolve convert saved solved.parquet",
    )
)
@takes_input(*STUCK_OPTIONS)
@click.argument("output")
@click.option(
    "--rows/--graph",
    default=None,
    help="Write one row for each position, without moves, or every move "
    "(default: rows of a saved solution of a game, to .csv, .tsv and .parquet).",
)
@click.option("--solve", "attach", is_flag=True, help="Attach value, remoteness and best move.")
@click.option(
    "--to",
    "output_format",
    type=click.Choice([f.name for f in FORMATS.values() if f.writer]),
    help="Format of OUTPUT (default: by its file extension).",
)
@click.option(
    "--endless",
    type=click.IntRange(0, 1),
    help="Winner of endless play: for a .sol file, which names a winner everywhere, and for a .pg.",
)
def convert(
    request: Request,
    output: str,
    rows: bool | None,
    attach: bool,
    output_format: str | None,
    endless: int | None,
) -> None:
    """Write INPUT, a graph or a game, to OUTPUT in another format.

    Values that INPUT holds are kept; --solve computes them. A .sol file is always solved. Rows are
    written a part at a time, so that a saved solution may be larger than the memory.
    """
    target_format = output_format or format_of(output)
    if target_format is None:
        raise FormatError(no_known_ending(output))
    if endless is not None and target_format not in WITH_OWNERS:
        raise click.UsageError("--endless is for .pg and .sol files")
    check_output(output, request, target_format)
    loaded = request.load()
    check_winners(target_format, loaded, request.stuck_with(loaded.stuck))
    note_draws(target_format, loaded, endless)
    subject: StateSpace | Solution
    if attach or target_format == "sol" or loaded.solution is not None:
        subject = request.solve(loaded)
    else:
        if request.misere or request.stuck is not None:
            raise click.UsageError("--stuck and --misere say how to solve: expected --solve too")
        subject = space_of(loaded.subject)
    if isinstance(subject, Solution) and _writes_rows(rows, request, subject, target_format):
        from retrosolve.formats.writing import write_rows

        write_rows(subject, output, target_format)
        print_line(f"{output}: {len(subject)} positions, with values", err=True)
        return
    if rows:
        raise click.UsageError("--rows writes values: expected --solve too")
    options = {} if endless is None else {"endless": endless}
    write(subject, output, format=output_format, **options)
    print_line(f"{output}: {_description(subject)}", err=True)


def _writes_rows(rows: bool | None, request: Request, solution: Solution, target_format: str) -> bool:
    """Return whether to write rows rather than a graph."""
    if rows is not None:
        return rows
    no_edges = Capability.CSR not in solution.space.capabilities
    return Path(request.source).is_dir() and no_edges and target_format in ("csv", "tsv", "parquet")


def _description(subject: StateSpace | Solution) -> str:
    if isinstance(subject, Solution):
        return f"{len(subject)} positions, {subject.num_edges} moves, with values"
    return f"{subject.num_vertices} positions, {subject.num_edges} moves"
