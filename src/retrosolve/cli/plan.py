"""``retrosolve plan``: the cost of a solve, estimated beforehand."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import SOLVER_OPTIONS, Request, json_option, takes_input
from retrosolve.cli.output import print_table, progress_bar
from retrosolve.planning import plan as plan_subject


@click.command(
    epilog=epilog(
        "retrosolve plan chess:KBNK",
        "retrosolve plan graph.csv --memory 2GB --json",
        "retrosolve plan morris6 --solver ray --nodes 4",
        solvers=True,
    )
)
@takes_input(*SOLVER_OPTIONS)
@click.option(
    "--nodes", type=click.IntRange(min=1), default=1, help="Machines of --solver ray (default: 1)."
)
@json_option
def plan(
    request: Request,
    nodes: int,
    as_json: bool,
) -> None:
    """Estimate solver, memory and time for INPUT without solving it."""
    with progress_bar() as report:
        loaded = request.load(report=report)
    planned = plan_subject(
        loaded.subject,
        solver=request.solver,
        objective=request.objective,
        threads=request.threads,
        memory=request.memory,
        nodes=nodes,
        partitions=request.partitions,
    )
    if as_json:
        click.echo(json.dumps(asdict(planned)))
    else:
        print_table(planned.rows())
