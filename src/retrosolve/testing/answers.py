"""Compare two solutions of the same game."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np

import retrosolve as rs
from retrosolve.values import Outcome, Value


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
    if positions is None:
        _compare_indices(left, right, remoteness)
    else:
        _compare_positions(left, right, positions, remoteness)


def _compare_indices(left: rs.Solution, right: rs.Solution, remoteness: bool) -> None:
    values = left.table.values(), right.table.values()
    if len(values[0]) != len(values[1]):
        raise AssertionError(f"the solutions have {len(values[0])} and {len(values[1])} indices")
    differ = values[0] != values[1]
    plies = (left.remoteness(), right.remoteness()) if remoteness else None
    if plies is not None:
        differ |= plies[0] != plies[1]
    at = np.flatnonzero(differ)
    if len(at):
        v = int(at[0])
        first, second = (
            _text(int(values[side][v]), None if plies is None else int(plies[side][v]))
            for side in (0, 1)
        )
        _fail(len(at), len(differ), v, first, second)


def _compare_positions(
    left: rs.Solution, right: rs.Solution, positions: Iterable[Hashable], remoteness: bool
) -> None:
    compared, differ = 0, []
    for position in positions:
        compared += 1
        one, other = left[position], right[position]
        if one != other if remoteness else one.value != other.value:
            differ.append((position, one, other))
    if differ:
        position, one, other = differ[0]
        _fail(len(differ), compared, position, str(one), str(other))


def _text(value: int, plies: int | None) -> str:
    if value not in tuple(Value):
        return "no position"
    return str(Outcome(Value(value), None if plies is None or plies < 0 else plies))


def _fail(count: int, compared: int, place: Hashable, first: str, second: str) -> None:
    raise AssertionError(
        f"{count} of {compared} answers differ, the first at {place}: {first} and {second}"
    )
