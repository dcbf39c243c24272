"""``retrosolve solve``: solve, verify, and print the answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from retrosolve.cli.destination import check_folder, check_output, check_winners, note_draws
from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import InputOptions, input_options
from retrosolve.cli.options import (
    RunOptions,
    SolverOptions,
    StuckOptions,
    progress_bar,
    run_options,
    solver_options,
    stuck_options,
)
from retrosolve.cli.output import print_table
from retrosolve.cli.position_table import TableOptions, position_records, table_options
from retrosolve.cli.steps import (
    ended_cleanly,
    record_facts,
    solve_input,
    verification_error,
    write_solution,
)
from retrosolve.formats import format_of
from retrosolve.runtime.memory import format_bytes
from retrosolve.runtime.progress import StageTimer

if TYPE_CHECKING:
    from retrosolve.tables.result import LevelUse

LEVEL_HEADING = ("tier", "level", "decided", "messages", "bytes", "seconds", "slowest", "its seconds")


@click.command(
    epilog=epilog(
        "retrosolve solve examples/boards/caught.txt",
        "retrosolve solve graph.csv --list loss",
        'retrosolve solve chess:KRK --start "8/8/8/3k4/8/8/1R6/K7 w" -o krk',
        solvers=True,
    )
)
@input_options
@stuck_options
@solver_options
@run_options
@click.option("--verify/--no-verify", "prove", default=True, help="Verify the solution (default: yes).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@click.option("--levels", is_flag=True, help="Print what each level of --solver ray took.")
@table_options
@click.option("--plies", type=click.IntRange(0, 10_000), default=6, help="Plies of play to print.")
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    help="Write the solution: a graph file if the file extension is one, a folder without one. "
    "The input is never replaced.",
)
def solve(
    request: InputOptions,
    stuck: StuckOptions,
    options: SolverOptions,
    run: RunOptions,
    prove: bool,
    as_json: bool,
    levels: bool,
    table: TableOptions,
    plies: int,
    output: str | None,
) -> None:
    """Print who wins INPUT, in how many plies, and by which moves.

    Positions, their values and their best moves are printed as a table if there are at most 40 of them;
    --table and --list select positions of larger games.
    """
    run.check()
    if output is not None:
        check_output(output, request)
    if run.out is not None:
        check_folder(run.out, request)
    timer = StageTimer()
    with progress_bar() as report, ended_cleanly():
        loaded = request.load(memory=options.memory, report=report)
        if output is not None:
            check_winners(format_of(output), loaded, stuck.resolve(loaded.stuck))
            note_draws(format_of(output), loaded)
        timer.stage("reading")
        solution = solve_input(loaded, stuck, options, report, run)
        timer.stage("solving")
        failure = verification_error(solution, report, options) if prove else None
        verified = failure is None if prove else None
        if prove:
            timer.stage("verifying")
    if run.out is not None:
        record_facts(solution, run.out)
    if output is not None and failure is None:
        write_solution(solution, output)
        timer.stage("writing")
    if as_json:
        from retrosolve.cli.json_report import solve_record

        record = solve_record(request.source, solution, sum(timer.seconds.values()), verified)
        if table.is_set:
            record["table"] = position_records(solution, table)
        if levels:
            record["levels"] = [use._asdict() for use in solution.levels]
        click.echo(json.dumps(record))
    elif failure is None:
        from retrosolve.cli.text_report import print_report

        print_report(solution, timer.seconds, prove, plies, table)
        if levels and solution.levels:
            _print_levels(solution.levels)
    if failure is not None:
        raise failure


def _print_levels(levels: Sequence[LevelUse]) -> None:
    """Print what each level of a distributed solve took."""
    rows = [
        (
            str(use.tier), f"{use.level}{' ties' if use.ties else ''}", str(use.decided),
            str(use.messages), format_bytes(use.num_bytes), f"{use.seconds:.4f}", str(use.slowest),
            f"{use.slowest_seconds:.4f}",
        )
        for use in levels
    ]  # fmt: skip
    print_table([LEVEL_HEADING, *rows], right=range(len(LEVEL_HEADING)))
