"""``retrosolve verify``: verify a solution on file, or solve and verify."""

from __future__ import annotations

import json

import click

from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import InputOptions, input_options
from retrosolve.cli.options import (
    SolverOptions,
    StuckOptions,
    progress_bar,
    solver_options,
    stuck_options,
)
from retrosolve.cli.steps import solve_input, verification_error


@click.command(
    epilog=epilog("retrosolve verify solved.csv", "retrosolve verify stones:n=10 --json", solvers=True)
)
@input_options
@stuck_options
@solver_options
@click.option(
    "--sample",
    type=click.IntRange(1),
    metavar="N",
    help="Verify about N positions of a compiled game, at random places, instead of all.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def verify(
    request: InputOptions,
    stuck: StuckOptions,
    options: SolverOptions,
    sample: int | None,
    as_json: bool,
) -> None:
    """Verify every value and remoteness of INPUT independently of the solver.

    A file that holds values (written by solve --output or convert --solve) and a saved solution are
    verified as they are, a saved solution after all its checksums; anything else is solved first.
    """
    with progress_bar() as report:
        loaded = request.load(True, options.memory, report)
        solution = solve_input(loaded, stuck, options, report)
        failure = verification_error(solution, report, options, sample)
    if as_json:
        record = {
            "input": request.source,
            "solver": solution.solver,
            "positions": len(solution),
            "edges": solution.num_edges,
            "verified": None if sample and failure is None else failure is None,
        }
        click.echo(json.dumps(record))
    elif failure is None:
        extent = "" if sample is None else f"about {sample} of "
        click.echo(f"proven: {extent}{len(solution)} positions, {solution.num_edges} moves")
    if failure is not None:
        raise failure
