"""``retrosolve probe``: the value, the remoteness and the moves of single positions."""

from __future__ import annotations

import json
import sys
from collections.abc import Hashable, Iterator, Sequence

import click

from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import InputOptions, input_options
from retrosolve.cli.json_report import probe_record
from retrosolve.cli.options import (
    SolverOptions,
    StuckOptions,
    progress_bar,
    solver_options,
    stuck_options,
)
from retrosolve.cli.steps import solve_input
from retrosolve.cli.text_report import print_moves, print_outcome
from retrosolve.errors import PositionError
from retrosolve.solution import Solution

STANDARD_INPUT = "-"


@click.command(
    epilog=epilog(
        "retrosolve probe stones:n=10 7 8",
        'retrosolve probe krk "8/8/8/3k4/8/8/1R6/K7 w" --json',
        "retrosolve probe graph.csv - < positions.txt",
        solvers=True,
    )
)
@input_options
@click.argument("positions", metavar="[POSITION]...", nargs=-1)
@stuck_options
@solver_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line for each position.")
def probe(
    request: InputOptions,
    positions: tuple[str, ...],
    stuck: StuckOptions,
    options: SolverOptions,
    as_json: bool,
) -> None:
    """Print the value and remoteness of each POSITION of INPUT, and its moves, best first.

    A saved solution and a file that holds values are looked up; anything else is solved first. POSITION
    is a vertex or a position as text; without one, the start of the game. A dash reads positions from
    standard input, one a line.
    """
    if request.source == STANDARD_INPUT and STANDARD_INPUT in positions:
        raise click.UsageError("INPUT and POSITION are both -: expected only one of them")
    loaded = request.load()
    with progress_bar() as report:
        solution = solve_input(loaded, stuck, options, report)
    for position in _positions(solution, positions):
        if as_json:
            click.echo(json.dumps(probe_record(solution, position)))
        else:
            print_outcome(solution, position)
            print_moves(solution, position)


def _positions(solution: Solution, texts: Sequence[str]) -> Iterator[Hashable]:
    """Yield the positions that the command line and standard input name."""
    if not texts:
        if solution.start is None:
            raise click.UsageError("INPUT has no start: expected a POSITION, or - for standard input")
        yield solution.start
    for text in texts:
        if text == STANDARD_INPUT:
            yield from _read_positions(solution)
        else:
            yield solution.space.parse(text)


def _read_positions(solution: Solution) -> Iterator[Hashable]:
    """Yield the positions on standard input, one a line; empty lines are skipped."""
    for number, line in enumerate(sys.stdin, 1):
        if text := line.strip():
            try:
                position = solution.space.parse(text)
            except PositionError as error:
                raise PositionError(f"standard input, line {number}: {error}") from None
            yield position
