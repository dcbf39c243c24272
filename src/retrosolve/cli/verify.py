"""``retrosolve verify``: verify a solution on file, or solve and verify."""

from __future__ import annotations

import json

import click

from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import SOLVER_OPTIONS, STUCK_OPTIONS, Request, json_option, takes_input
from retrosolve.cli.output import progress_bar


@click.command(
    epilog=epilog("retrosolve verify solved.csv", "retrosolve verify stones:n=10 --json", solvers=True)
)
@takes_input(*STUCK_OPTIONS, *SOLVER_OPTIONS)
@click.option(
    "--sample",
    type=click.IntRange(1),
    metavar="N",
    help="Verify about N positions of a compiled game, at random places, instead of all.",
)
@json_option
def verify(
    request: Request,
    sample: int | None,
    as_json: bool,
) -> None:
    """Verify every value and remoteness of INPUT independently of the solver.

    A file that holds values (written by solve --output or convert --solve) and a saved solution are
    verified as they are, a saved solution after all its checksums; anything else is solved first.
    """
    with progress_bar() as report:
        loaded = request.load(True, report)
        solution = request.solve(loaded, report)
        failure = request.verification_error(solution, report, sample)
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
