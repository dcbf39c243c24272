"""``retrosolve plan``: the cost of a solve, estimated beforehand."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import InputOptions, input_options
from retrosolve.cli.options import SolverOptions, progress_bar, solver_options
from retrosolve.cli.output import print_table
from retrosolve.planning import plan as plan_subject


@click.command(
    epilog=epilog(
        "retrosolve plan chess:KBNK",
        "retrosolve plan graph.csv --memory 2GB --json",
        "retrosolve plan morris6 --solver ray --nodes 4",
        solvers=True,
    )
)
@input_options
@solver_options
@click.option(
    "--nodes", type=click.IntRange(min=1), default=1, help="Machines of --solver ray (default: 1)."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def plan(
    request: InputOptions,
    options: SolverOptions,
    nodes: int,
    as_json: bool,
) -> None:
    """Estimate solver, memory and time for INPUT without solving it."""
    with progress_bar() as report:
        loaded = request.load(memory=options.memory, report=report)
    planned = plan_subject(
        loaded.subject,
        solver=options.solver,
        remoteness=options.remoteness,
        threads=options.threads,
        memory=options.memory,
        nodes=nodes,
        partitions=options.partitions,
    )
    if as_json:
        click.echo(json.dumps(asdict(planned)))
    else:
        print_table(planned.rows())
