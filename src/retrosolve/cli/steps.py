"""What several commands do with a loaded input: solve, verify, write."""

from __future__ import annotations

from retrosolve.cli.inputs import LoadedInput
from retrosolve.cli.options import SolverOptions, StuckOptions
from retrosolve.errors import VerificationError
from retrosolve.formats import format_of
from retrosolve.runtime.progress import ProgressCallback, no_progress
from retrosolve.solution import Solution
from retrosolve.solving import solve as solve_subject
from retrosolve.verification.verify import verify

DEFAULT_OPTIONS = SolverOptions()


def solve_input(
    loaded: LoadedInput,
    stuck: StuckOptions,
    options: SolverOptions = DEFAULT_OPTIONS,
    report: ProgressCallback = no_progress,
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

    Returns
    -------
    Solution
        With the start that the command line or the file names.
    """
    if loaded.solution is not None:
        stuck.check(loaded.solution.stuck.label)
        solution = loaded.solution
    else:
        solution = solve_subject(
            loaded.subject,
            stuck.resolve(loaded.stuck),
            options.solver,
            options.threads,
            options.memory,
            report,
            options.remoteness,
        )
    start = loaded.start
    if loaded.start_text is not None:
        start = solution.space.parse(loaded.start_text)
    if start is not None:
        solution = solution.starting(start)
    return solution


def verification_error(solution: Solution, report: ProgressCallback) -> VerificationError | None:
    """Verify a solution and return the error, None if the solution is right."""
    try:
        verify(solution, report)
    except VerificationError as error:
        return error
    return None


def write_solution(solution: Solution, path: str) -> None:
    """Write a graph file if the file extension is known, else save a folder."""
    if format_of(path) is None:
        solution.save(path)
    else:
        from retrosolve.formats import write

        write(solution, path)
