"""``retrosolve stats``: what a solution contains, in numbers and examples."""

from __future__ import annotations

import json
from typing import Any

import click

from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import InputOptions, input_options
from retrosolve.cli.json_report import count_records
from retrosolve.cli.options import (
    SolverOptions,
    StuckOptions,
    progress_bar,
    solver_options,
    stuck_options,
)
from retrosolve.cli.output import print_line, print_table
from retrosolve.cli.position_table import json_position
from retrosolve.cli.steps import solve_input
from retrosolve.cli.text_report import print_counts
from retrosolve.solution import Solution
from retrosolve.solution.line import shorten
from retrosolve.tables.summary import REPORTED_VALUES
from retrosolve.values import Value

DEFAULT_PLIES = 30


@click.command(
    epilog=epilog("retrosolve stats saved", "retrosolve stats saved --digest --json", solvers=True)
)
@input_options
@stuck_options
@solver_options
@click.option("--digest", "with_digest", is_flag=True, help="Print a SHA-256 of the decoded table.")
@click.option(
    "--plies", default=DEFAULT_PLIES, show_default=True, help="The most plies of the longest win."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def stats(
    request: InputOptions,
    stuck: StuckOptions,
    options: SolverOptions,
    with_digest: bool,
    plies: int,
    as_json: bool,
) -> None:
    """Print how many positions of INPUT have which value and remoteness, with examples.

    A saved solution and a file that holds values are taken as they are; anything else is solved first.
    An example is the first position of a value with the largest remoteness.
    """
    loaded = request.load()
    with progress_bar() as report:
        solution = solve_input(loaded, stuck, options, report)
    if as_json:
        click.echo(json.dumps(_record(solution)))
        return
    _print(solution, plies)
    if with_digest:
        print_line(f"digest {solution.digest()}")


def _examples(solution: Solution) -> dict[Value, Any]:
    """Return a position of each value that occurs, of the largest remoteness."""
    longest, counts = solution.longest(), solution.counts()
    return {
        value: next(solution.where(value, longest.get(value)))
        for value in REPORTED_VALUES
        if counts[value]
    }


def _record(solution: Solution) -> dict[str, Any]:
    """Return the statistics, ready for JSON."""
    num_bytes = solution.num_bytes
    histogram = {
        value.label: {"null" if plies is None else str(plies): n for plies, n in part.items()}
        for value, part in solution.histogram().items()
    }
    return {
        "positions": len(solution),
        **count_records(solution),
        "histogram": histogram,
        "examples": {
            value.label: json_position(solution, position)
            for value, position in _examples(solution).items()
        },
        "bytes": num_bytes,
        "bits_per_position": num_bytes and round(8 * num_bytes / max(len(solution), 1), 4),
        "verified": solution.verified,
        "digest": solution.digest(),
    }


def _print(solution: Solution, plies: int) -> None:
    """Print the statistics for a person."""
    print_counts(solution)
    if solution.table.has_remoteness:
        _print_histogram(solution)
    examples = _examples(solution)
    for position in examples.values():
        name = shorten(solution.space.text(position))
        print_line(f"Example: {name}: {solution[position]}")
    if Value.WIN in examples and plies > 0 and solution.table.has_remoteness:
        line = solution.line(examples[Value.WIN], plies)
        print_line("The longest win:")
        for row in line.rows():
            print_line(f"  {row}")
    if solution.num_bytes is not None:
        bits = 8 * solution.num_bytes / max(len(solution), 1)
        print_line(f"{solution.num_bytes} bytes, {bits:.3f} bits a position")
    print_line("verified" if solution.verified else "not verified")


def _print_histogram(solution: Solution) -> None:
    """Print the number of positions by remoteness and value, a row for each remoteness."""
    histogram = solution.histogram()
    values = [value for value in REPORTED_VALUES[:3] if histogram[value]]
    rows = [("remoteness", *(value.label for value in values))]
    for plies in sorted({plies for value in values for plies in histogram[value] if plies is not None}):
        rows.append((str(plies), *(str(histogram[value].get(plies, 0)) for value in values)))
    print_table(rows, right=range(len(rows[0])))
