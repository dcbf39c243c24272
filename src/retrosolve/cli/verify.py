"""``retrosolve verify``: prove a solution on file, or solve and prove."""

from __future__ import annotations

import json

import click

from retrosolve.cli.inputs import Input, input_options
from retrosolve.cli.options import SolverOptions, Stuck, progress_bar, solver_options, stuck_options
from retrosolve.cli.steps import failed_proof, solved


@click.command()
@input_options
@stuck_options
@solver_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def verify(
    given: Input,
    stuck: Stuck,
    means: SolverOptions,
    as_json: bool,
) -> None:
    """Prove every value and remoteness anew.

    A file that holds values (written by solve --output or convert --solve) or a saved solution is
    proven as it stands; anything else is solved first.
    """
    loaded = given.load()
    with progress_bar() as report:
        solution = solved(loaded, stuck, means, report)
        failure = failed_proof(solution, report)
    if as_json:
        record = {
            "input": given.source,
            "solver": solution.solver,
            "positions": len(solution),
            "edges": solution.num_edges,
            "verified": failure is None,
        }
        click.echo(json.dumps(record))
    elif failure is None:
        click.echo(f"proven: {len(solution)} positions, {solution.num_edges} moves")
    if failure is not None:
        raise failure
