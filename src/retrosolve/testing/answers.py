"""Compare two solutions of the same game."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

import retrosolve as rs
from retrosolve.values import Outcome


def assert_same_answers(
    left: rs.Solution,
    right: rs.Solution,
    positions: Iterable[Hashable] | None = None,
    *,
    remoteness: bool = True,
) -> None:
    """Raise AssertionError unless two solutions agree.

    Parameters
    ----------
    left, right
        The solutions to compare.
    positions
        The positions to look up in both. Left out, the solutions are compared index by index, which
        suits solutions of the same graph or of games with the same index.
    remoteness
        False compares only the values. Needed if a solution was made without its remoteness.

    Raises
    ------
    AssertionError
        The message names the first position that differs, and how many do.

    Notes
    -----
    O(n) time and a few bytes per vertex, or one lookup per position and solution.

    Examples
    --------
    >>> import retrosolve as rs
    >>> path = rs.Graph.from_edges([0, 1], [1, 2])
    >>> assert_same_answers(rs.solve(path), rs.solve(path, solver="reference"))
    >>> assert_same_answers(rs.solve(path), rs.solve(path, stuck="win"))
    Traceback (most recent call last):
    ...
    AssertionError: 3 of 3 answers differ, the first at 0: LOSS in 2 and WIN in 2
    """
    at: Iterable[Any]
    if positions is None:
        values = left.table.values(), right.table.values()
        if len(values[0]) != len(values[1]):
            raise AssertionError(f"the solutions have {len(values[0])} and {len(values[1])} indices")
        wrong = values[0] != values[1]
        if remoteness:
            wrong |= left.remoteness() != right.remoteness()
        compared, at = len(wrong), np.flatnonzero(wrong).tolist()
        answers = [[solution.table.position_outcome(v) for v in at] for solution in (left, right)]
    else:
        at = list(positions)
        compared, answers = len(at), [[solution[p] for p in at] for solution in (left, right)]
    if not remoteness:
        answers = [[side and Outcome(side.value, None) for side in both] for both in answers]
    differ = [row for row in zip(at, *answers, strict=True) if row[1] != row[2]]
    if differ:
        place, *both = differ[0]
        one, other = (outcome or "no position" for outcome in both)
        raise AssertionError(
            f"{len(differ)} of {compared} answers differ, the first at {place}: {one} and {other}"
        )
