"""``retrosolve solve``: solve, prove, and print the answer."""

from __future__ import annotations

import json

import click

from retrosolve.cli.inputs import Input, LoadedInput, input_options
from retrosolve.cli.json_report import summary
from retrosolve.cli.options import SolverOptions, Stuck, progress_bar, solver_options, stuck_options
from retrosolve.cli.output import plain_console
from retrosolve.cli.steps import failed_proof, solved, write
from retrosolve.rules.compiled import CompiledGame
from retrosolve.rules.game import Game
from retrosolve.runtime.progress import StageTimer
from retrosolve.solution import Solution


@click.command()
@input_options
@stuck_options
@solver_options
@click.option("--verify/--no-verify", "prove", default=True, help="Prove the answer (default: yes).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@click.option("--plies", type=click.IntRange(0, 10_000), default=6, help="Moves of play to show.")
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    help="Write the solution: a graph file by its ending, else a folder.",
)
def solve(
    given: Input,
    stuck: Stuck,
    means: SolverOptions,
    prove: bool,
    as_json: bool,
    plies: int,
    output: str | None,
) -> None:
    """Say who wins, in how many plies, and by which moves."""
    watch = StageTimer()
    loaded = given.load()
    watch.stage("reading")
    with progress_bar() as report:
        solution = solved(loaded, stuck, means, report)
        watch.stage("solving")
        failure = failed_proof(solution, report) if prove else None
        verified = failure is None if prove else None
        if prove:
            watch.stage("verifying")
    if output is not None and failure is None:
        write(solution, output)
        watch.stage("writing")
    if as_json:
        click.echo(json.dumps(summary(given.source, solution, sum(watch.seconds.values()), verified)))
    elif failure is None:
        _print(loaded, solution, watch, prove, plies)
    if failure is not None:
        raise failure


def _print(loaded: LoadedInput, solution: Solution, watch: StageTimer, prove: bool, plies: int) -> None:
    from retrosolve.cli.text_report import show

    game = loaded.subject if isinstance(loaded.subject, Game | CompiledGame) else None
    show(plain_console(), game, solution, watch.seconds, prove, plies)
