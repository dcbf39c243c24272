"""``retrosolve plan``: what a solve would take, before any work."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from retrosolve.cli.inputs import Input, input_options
from retrosolve.cli.options import SolverOptions, solver_options
from retrosolve.cli.output import plain_console
from retrosolve.planning import plan as plan_subject


@click.command()
@input_options
@solver_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def plan(
    given: Input,
    means: SolverOptions,
    as_json: bool,
) -> None:
    """Say which solver would take INPUT, and its memory and time, without solving it."""
    loaded = given.load()
    planned = plan_subject(loaded.subject, means.solver, means.threads, means.memory, means.remoteness)
    if as_json:
        click.echo(json.dumps(asdict(planned)))
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False)
    for label, text in planned.rows():
        table.add_row(label, text)
    plain_console().print(table)
