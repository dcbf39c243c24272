"""What a solution claims about a vertex, as text, and the errors for wrong claims."""

from __future__ import annotations

from typing import NoReturn

from retrosolve.errors import VerificationError
from retrosolve.solution import Solution
from retrosolve.values import INVALID, Outcome, Value


def refuse(solution: Solution, v: int, value: int, remoteness: int) -> NoReturn:
    """Raise VerificationError for a vertex whose moves imply the given value and remoteness."""
    expected = _outcome(value, remoteness, solution.table.has_remoteness)
    raise VerificationError(f"{claim(solution, v)}, but its moves make it {expected}")


def claim(solution: Solution, v: int) -> str:
    """Return what a solution claims about a vertex, as text."""
    table, at = solution.table, slice(v, v + 1)
    claimed = _outcome(int(table.values(at)[0]), int(table.remoteness(at)[0]), table.has_remoteness)
    return f"{name_of(solution, v)} (vertex {v}) is claimed {claimed}"


def name_of(solution: Solution, v: int) -> str:
    """Return the text of the position of a vertex."""
    return solution.space.text(solution.space.position(v))


def _outcome(value: int, remoteness: int, has_remoteness: bool) -> str:
    """Return a value and a remoteness as text."""
    if value == INVALID:
        return "no position"
    shown = has_remoteness and (remoteness >= 0 or value != Value.DRAW)
    return str(Outcome(Value(value), remoteness if shown else None))
