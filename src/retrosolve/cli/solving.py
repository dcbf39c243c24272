"""What several commands do with a loaded input: solve it, prove it, write it."""

from __future__ import annotations

from retrosolve.cli.inputs import Loaded
from retrosolve.cli.options import Means, Stuck
from retrosolve.errors import VerificationError
from retrosolve.formats import format_of, write_graph
from retrosolve.graph import Graph
from retrosolve.positions import GraphPositions
from retrosolve.progress import Report, silent
from retrosolve.solution import Solution
from retrosolve.solve import solve as solve_subject
from retrosolve.verify import verify

NO_MEANS = Means()


def solved(loaded: Loaded, stuck: Stuck, means: Means = NO_MEANS, report: Report = silent) -> Solution:
    """Solve what was loaded, or take the solution that it already is."""
    if loaded.solution is not None:
        stuck.check(loaded.solution.stuck.word)
        solution = loaded.solution
    else:
        rule = stuck.rule(loaded.stuck)
        solution = solve_subject(
            loaded.subject, rule, means.solver, means.threads, means.memory, report, means.remoteness
        )
    if isinstance(loaded.subject, Graph) and loaded.start is not None:
        players = solution.positions.players
        solution.positions = GraphPositions(loaded.subject, loaded.start)
        solution.positions.players = players
    return solution


def failed_proof(solution: Solution, report: Report) -> VerificationError | None:
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
        write_graph(solution, path)
