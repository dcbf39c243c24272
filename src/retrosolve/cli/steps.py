"""What several commands do with a loaded input: solve, verify, write."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from retrosolve.cli.inputs import LoadedInput
from retrosolve.cli.options import RunOptions, SolverOptions, StuckOptions
from retrosolve.cli.output import print_line
from retrosolve.errors import GraphError, StoreError, VerificationError
from retrosolve.formats import format_of
from retrosolve.runtime.interruption import Interrupted
from retrosolve.runtime.progress import ProgressCallback, no_progress
from retrosolve.solution import OpenedSolution, Solution
from retrosolve.solving import solve as solve_subject
from retrosolve.verification.verify import verify

DEFAULT_OPTIONS = SolverOptions()
IN_MEMORY = RunOptions()
INTERRUPTED = 130


def solve_input(
    loaded: LoadedInput,
    stuck: StuckOptions,
    options: SolverOptions = DEFAULT_OPTIONS,
    report: ProgressCallback = no_progress,
    run: RunOptions = IN_MEMORY,
) -> Solution:
    """Solve an input, or return the solution that it already is.

    Parameters
    ----------
    loaded : LoadedInput
        The input.
    stuck : StuckOptions
        Must agree with a solution that is loaded.
    options : SolverOptions
        Algorithm and resources.
    report : ProgressCallback
        Called during the solve.
    run : RunOptions
        Where it is saved meanwhile.

    Returns
    -------
    Solution
        With the start that the command line or the file names.
    """
    if loaded.solution is not None:
        stuck.check(loaded.solution.stuck.label)
        solution = loaded.solution
        if run.out is not None:
            raise GraphError("INPUT is solved already: expected -o to save it elsewhere, not --out")
    else:
        _note_beginning(run)
        solution = solve_subject(
            loaded.subject,
            stuck=stuck.resolve(loaded.stuck),
            solver=options.solver,
            threads=options.threads,
            workers=options.workers,
            memory=options.memory,
            limit=options.limit,
            remoteness=options.remoteness,
            progress=report,
            out=run.out,
            resume=run.resume,
            checkpoint_every=run.checkpoint_every,
            address=options.address,
            partitions=options.partitions,
            snapshots=run.snapshots,
        )
    start = loaded.start
    if loaded.start_text is not None:
        start = solution.space.parse(loaded.start_text)
    if start is not None:
        solution = solution.starting(start)
    return solution


def missing_rules(solution: Solution) -> StoreError | None:
    """Return the error of what needs the positions of a saved solution; None if they are known."""
    if isinstance(solution, OpenedSolution) and not solution.opened.has_rules:
        try:
            solution.opened.check_rules()
        except StoreError as error:
            return error
    return None


def verification_error(
    solution: Solution,
    report: ProgressCallback,
    options: SolverOptions = DEFAULT_OPTIONS,
    sample: int | None = None,
) -> VerificationError | None:
    """Verify a solution, or a sample of it, and return the error, None if the solution is right."""
    try:
        verify(
            solution,
            progress=report,
            threads=options.threads,
            memory=options.memory,
            address=options.address,
            partitions=options.partitions,
            sample=sample,
        )
    except VerificationError as error:
        return error
    return None


def _note_beginning(run: RunOptions) -> None:
    """Print a note if there is nothing to resume."""
    if run.resume and run.out is not None:
        from retrosolve.store import is_unfinished

        if not is_unfinished(run.out):
            print_line(f"note: no unfinished solve of {run.out}: nothing to resume", err=True)


def record_facts(solution: Solution, out: str) -> None:
    """Record in a folder that was solved into where play starts and whether that is proven."""
    from retrosolve.store import amend

    start = None if solution.start is None else solution.space.index(solution.start)
    amend(out, start=start, verified=solution.verified)


@contextmanager
def ended_cleanly() -> Iterator[None]:
    """Exit with the status of an interruption, and one line, where the block was interrupted."""
    try:
        yield
    except Interrupted as error:
        print_line(f"retrosolve: {error}", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None


def write_solution(solution: Solution, path: str) -> None:
    """Write a graph file if the file extension is known, else save a folder."""
    if format_of(path) is None:
        solution.save(path)
    else:
        from retrosolve.formats import write

        write(solution, path)
