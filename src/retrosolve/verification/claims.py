"""What a solution claims about a vertex, as text, and the errors for wrong claims."""

from __future__ import annotations

from typing import NoReturn

from retrosolve.errors import VerificationError
from retrosolve.solution import Solution
from retrosolve.values import INVALID, Outcome


def refuse(solution: Solution, v: int, expected: Outcome | None) -> NoReturn:
    """Raise VerificationError for a vertex whose moves imply an outcome; None for no position."""
    shown = "no position" if expected is None else str(expected)
    raise VerificationError(f"{claim(solution, v)}, but its moves make it {shown}")


def claim(solution: Solution, v: int) -> str:
    """Return the claim of a solution about a vertex, as text."""
    table, at = solution.table, slice(v, v + 1)
    value, remoteness = int(table.values(at)[0]), int(table.remoteness(at)[0])
    claimed = "no position"
    if value != INVALID:
        outcome = table.decoded(v)
        if table.has_remoteness and remoteness < 0 and outcome.value.ends:
            outcome = outcome._replace(remoteness=remoteness)
        claimed = str(outcome)
    return f"{name_of(solution, v)} (vertex {v}) is claimed {claimed}"


def name_of(solution: Solution, v: int) -> str:
    """Return the text of the position of a vertex."""
    return solution.space.text(solution.space.position(v))
