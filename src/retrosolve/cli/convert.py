"""``retrosolve convert``: from one format to another, solved or not."""

from __future__ import annotations

import click
import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.cli.inputs import Input, LoadedInput, input_options
from retrosolve.cli.options import Stuck, stuck_options
from retrosolve.cli.output import say
from retrosolve.cli.steps import solved
from retrosolve.errors import FormatError
from retrosolve.formats import FORMATS, format_of, write
from retrosolve.solution import Solution
from retrosolve.solving import laid_out
from retrosolve.spaces.graph import Graph, compact


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
    subject: Graph | Solution
    if attach or to_sol or loaded.solution is not None:
        subject = solved(loaded, stuck)
    else:
        if stuck.given:
            raise click.UsageError("--stuck and --misere say how to solve: expected --solve too")
        subject = graph_of(loaded)
    options = {} if endless is None else {"endless": endless}
    if options and kind not in ("pg", "sol"):
        raise click.UsageError("--endless is for .pg and .sol files")
    write(subject, output, format=output_format, **options)
    say(f"{output}: {_described(subject)}", err=True)


def graph_of(loaded: LoadedInput) -> Graph:
    """Give the graph of what was loaded, with the positions' texts for names."""
    graph, positions = laid_out(loaded.subject)
    if isinstance(loaded.subject, Graph) and isinstance(graph, Graph):
        return graph
    numbers: IntArray = np.arange(graph.vertices)
    stored, real = (graph, numbers) if isinstance(graph, Graph) else compact(graph)
    texts = [positions.text(positions.position(v)) for v in real.tolist()]
    return Graph(stored.indptr, stored.indices, stored.owner, stored.terminal, texts)


def _described(subject: Graph | Solution) -> str:
    if isinstance(subject, Solution):
        return f"{len(subject)} positions, {subject.graph.edges} moves, with values"
    return f"{subject.vertices} positions, {subject.edges} moves"
