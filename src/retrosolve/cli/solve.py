"""``retrosolve check``, ``plan``, ``solve`` and ``verify``: rules, cost, answer and proof."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import click

import retrosolve as rs
from retrosolve.cli.help import epilog
from retrosolve.cli.inputs import (
    RUN_OPTIONS,
    SOLVER_OPTIONS,
    STUCK_OPTIONS,
    Request,
    check_folder,
    check_output,
    check_winners,
    json_option,
    language_option,
    note_draws,
    record_facts,
    takes_input,
    write_solution,
)
from retrosolve.cli.output import print_line, print_table, progress_bar
from retrosolve.cli.report import (
    TableOptions,
    position_record,
    print_report,
    solve_record,
    table_options,
)
from retrosolve.formats import format_of
from retrosolve.languages import translation
from retrosolve.languages.phrases import proven_record
from retrosolve.runtime.context import Interrupted, StageTimer
from retrosolve.runtime.memory import format_bytes
from retrosolve.runtime.threads import busy_factor

INTERRUPTED = 130
BUSY = 2  # times as long as on free processors, from which plan says so
STATUS_FOUND = 1
LEVEL_HEADING = ("tier", "level", "decided", "messages", "bytes", "seconds", "slowest", "its seconds")


@click.command(
    epilog=epilog(
        "retrosolve check rules.py:ClassName,n=50", "retrosolve check tictactoe --samples 500"
    )
)
@takes_input()
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    default=2000,
    show_default=True,
    help="Approximate number of positions to check.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of random choices."
)
@json_option
@click.pass_context
def check(context: click.Context, request: Request, samples: int, seed: int, as_json: bool) -> None:
    """Test the rules of INPUT on a sample of positions.

    INPUT has rules: rules.py:ClassName or a built-in game. Prints the first position that violates
    each part of the contract of rules, and the first function of compiled rules that cannot be
    compiled. The exit status is 1 if there is one.
    """
    game = request.load().subject
    if not isinstance(game, rs.Game | rs.CompiledGame):
        raise rs.FormatError(
            f"{request.source} has no rules to check: expected rules.py:ClassName or a built-in game"
        )
    report = rs.check_game(game, samples=samples, seed=seed, collect=True, compiles=True)
    if as_json:
        click.echo(json.dumps(asdict(report)))
    else:
        for line in str(report).splitlines():
            print_line(line)
        print_line("no violations" if not report.findings else f"violations: {len(report.findings)}")
    if report.findings:
        context.exit(STATUS_FOUND)


@click.command(
    epilog=epilog(
        "retrosolve plan chess:KBNK",
        "retrosolve plan graph.csv --memory 2GB --json",
        "retrosolve plan chess:KRPKR --out folder",
        "retrosolve plan morris6 --solver ray --nodes 4",
        solvers=True,
    )
)
@takes_input(*SOLVER_OPTIONS)
@click.option("--out", metavar="DIR", help="Of a solve into a folder; nothing is written.")
@click.option(
    "--nodes", type=click.IntRange(min=1), default=1, help="Machines of --solver ray (default: 1)."
)
@json_option
def plan(request: Request, nodes: int, as_json: bool) -> None:
    """Estimate solver, memory and time for INPUT without solving it."""
    with progress_bar() as report:
        loaded = request.load(report=report)
    planned = rs.plan(
        loaded.subject,
        solver=request.solver,
        objective=request.objective,
        out=request.out,
        threads=request.threads,
        memory=request.memory,
        nodes=nodes,
        partitions=request.partitions,
    )
    if as_json:
        click.echo(json.dumps(asdict(planned)))
    else:
        print_table(planned.rows())
        factor = busy_factor()
        if factor >= BUSY and (planned.seconds or 0) >= 1:
            times = f"it will take about {factor:.0f} times as long"
            print_line(f"note: other programs use the processors: {times}", err=True)


def _note_endless(solution: rs.Solution) -> None:
    """Print a note if every position is a draw, which is usually a mistake of the rules."""
    from retrosolve.arrays import spans

    table = solution.table
    if solution.objective.name not in ("outcome", "win-loss-draw") or len(solution) == 0:
        return
    ends = [rs.Value.WIN, rs.Value.LOSS, rs.Value.TIE]
    for start, stop in spans(table.num_vertices, table.counted_at_once):
        if table.counts(start, stop)[ends].any():
            return
    print_line("note: every position is a draw, since the game ends nowhere", err=True)


def _note_points(request: Request, solution: rs.Solution) -> None:
    """Print a note if there are points that do not count, and nothing else says who wins."""
    space = solution.space
    if request.objective is not None or solution.objective.name != "outcome" or len(solution) == 0:
        return
    if space.rules is not None:
        has_points = space.rules.implements("payoff") or space.rules.implements("reward")
        ends = space.rules.implements("terminal")
    else:
        has_points = space.payoffs(0, 1) is not None or space.rewards(0, 1) is not None
        ends = has_points and bool(space.terminal(0, space.num_vertices).any())
    if has_points and not ends:
        print_line("note: points do not count: --objective score asks for them", err=True)


full_option = click.option(
    "--full", is_flag=True,
    help="Call plain rules again at every position, not at a sample. Others are proven in full anyway.",
)  # fmt: skip


@click.command(
    epilog=epilog(
        "retrosolve solve examples/boards/caught.txt",
        "retrosolve solve graph.csv --list loss",
        'retrosolve solve chess:KRK --start "8/8/8/3k4/8/8/1R6/K7 w" -o krk',
        solvers=True,
    )
)
@takes_input(*STUCK_OPTIONS, *SOLVER_OPTIONS, *RUN_OPTIONS)
@click.option("--verify/--no-verify", "prove", default=True, help="Verify the solution (default: yes).")
@full_option
@json_option
@click.option("--levels", is_flag=True, help="Print what each level of --solver ray took.")
@table_options
@click.option("--plies", type=click.IntRange(0, 10_000), default=6, help="Plies of play to print.")
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    help="Write the solution: a graph file if the file extension is one, a folder without one. "
    "Values are beside the edges of g.csv in g.vertices.csv. The input is never replaced.",
)
@language_option
def solve(
    request: Request,
    prove: bool,
    full: bool,
    as_json: bool,
    levels: bool,
    table: TableOptions,
    plies: int,
    output: str | None,
    language: str,
) -> None:
    """Print who wins INPUT, in how many plies, and by which moves.

    Positions, their values and their best moves are printed as a table if there are at most 40 of them;
    --table and --list select positions of larger games.
    """
    if full and not prove:
        raise click.UsageError("--full with --no-verify: expected one of them")
    if output is not None:
        check_output(output, request)
    if request.out is not None:
        check_folder(request.out, request)
    timer = StageTimer()
    with progress_bar() as report, _ended_cleanly():
        loaded = request.load(report=report)
        if output is not None:
            check_winners(format_of(output), loaded, request.stuck_with(loaded.stuck))
            note_draws(format_of(output), loaded)
        timer.stage("reading")
        solution = request.solve(loaded, report)
        timer.stage("solving")
        result = request.verification(solution, report, full) if prove else None
        failure = result if isinstance(result, rs.VerificationError) else None
        if prove:
            timer.stage("verifying")
    _note_points(request, solution)
    _note_endless(solution)
    if request.out is not None:
        record_facts(solution, request.out)
    if output is not None and failure is None:
        with progress_bar() as report:
            write_solution(solution, output, report)
        timer.stage("writing")
    if as_json:
        record = solve_record(
            request.source, solution, sum(timer.seconds.values()), report_record(result)
        )
        if table.is_set:
            record["table"] = [position_record(solution, p) for p in table.positions(solution)]
        if levels:
            record["levels"] = [use._asdict() for use in solution.levels]
        click.echo(json.dumps(record))
    elif failure is None:
        print_report(solution, timer.seconds, plies, table, translation(language))
        _print_levels(solution.levels if levels else ())
    if failure is not None:
        raise failure


@contextmanager
def _ended_cleanly() -> Iterator[None]:
    """Exit with the status of an interruption, and one line, where the block was interrupted."""
    try:
        yield
    except Interrupted as error:
        print_line(f"retrosolve: {error}", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None


def _print_levels(levels: Sequence[Any]) -> None:
    """Print what each level of a distributed solve took."""
    rows = [
        (
            str(use.tier), f"{use.level}{' ties' if use.ties else ''}", str(use.decided),
            str(use.messages), format_bytes(use.num_bytes), f"{use.seconds:.4f}", str(use.slowest),
            f"{use.slowest_seconds:.4f}",
        )
        for use in levels
    ]  # fmt: skip
    print_table([LEVEL_HEADING, *rows] if rows else [], right=range(len(LEVEL_HEADING)))


def report_record(result: rs.VerificationReport | rs.VerificationError | None) -> dict[str, Any]:
    """Return the proof of a verification, ready for JSON; ``verified`` is None for a part."""
    if not isinstance(result, rs.VerificationReport):
        return proven_record(None) | {"verified": None if result is None else False}
    whole = result.sample is None and result.part is None
    return {"verified": whole or None, "rules_called_again": result.rules_called_again}


def _part(ctx: click.Context, param: click.Parameter, text: str | None) -> tuple[int, int] | None:
    """Return the number of a part and of all, such as 2/5. Raises click.BadParameter."""
    if text is None:
        return None
    number, _, parts = text.partition("/")
    if not (number.isdecimal() and parts.isdecimal() and 0 < int(number) <= int(parts)):
        message = f"{text!r}: expected the number of a part and of all, such as 2/5"
        raise click.BadParameter(message, ctx, param)
    return int(number), int(parts)


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
@click.option(
    "--part",
    callback=_part,
    metavar="K/N",
    help="Verify the K-th of N equal parts of a compiled game instead of all.",
)
@full_option
@json_option
def verify(
    request: Request, sample: int | None, part: tuple[int, int] | None, full: bool, as_json: bool
) -> None:
    """Verify every value and remoteness of INPUT independently of the solver.

    A file that holds values (written by solve --output or convert --solve) and a saved solution are
    verified as they are, a saved solution after all its checksums; anything else is solved first.
    """
    with progress_bar() as report:
        loaded = request.load(True, report)
        solution = request.solve(loaded, report)
        result = request.verification(solution, report, full, sample, part)
    if as_json:
        record = {
            "input": request.source,
            "solver": solution.solver,
            "positions": len(solution),
            "edges": solution.num_edges,
            **report_record(result),
        }
        click.echo(json.dumps(record))
    elif isinstance(result, rs.VerificationReport):
        click.echo(str(result))
    if isinstance(result, rs.VerificationError):
        raise result
