"""What several commands do with a loaded input: solve it, prove it, write it."""

from __future__ import annotations

from retrosolve.cli.inputs import LoadedInput
from retrosolve.cli.options import SolverOptions, Stuck
from retrosolve.errors import VerificationError
from retrosolve.formats import format_of
from retrosolve.formats import write as write_file
from retrosolve.runtime.progress import ProgressCallback, no_progress
from retrosolve.solution import Solution
from retrosolve.solving import solve as solve_subject
from retrosolve.verification.verify import verify

NO_MEANS = SolverOptions()


def solved(
    loaded: LoadedInput,
    stuck: Stuck,
    means: SolverOptions = NO_MEANS,
    report: ProgressCallback = no_progress,
) -> Solution:
    """Solve what was loaded, or take the solution that it already is."""
    if loaded.solution is not None:
        stuck.check(loaded.solution.stuck.label)
        solution = loaded.solution
    else:
        rule = stuck.rule(loaded.stuck)
        solution = solve_subject(
            loaded.subject, rule, means.solver, means.threads, means.memory, report, means.remoteness
        )
    if loaded.start is not None:
        solution = solution.starting(loaded.start)
    return solution


def failed_proof(solution: Solution, report: ProgressCallback) -> VerificationError | None:
    """Prove a solution; give the error if it is wrong."""
    try:
        verify(solution, report)
    except VerificationError as error:
        return error
    return None


def write(solution: Solution, path: str) -> None:
    """Write a solution where and as its path says."""
    if format_of(path) is None:
        solution.save(path)
    else:
        write_file(solution, path)
