"""Positions chosen by value and remoteness: at random, or in order."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray
from retrosolve.errors import GraphError, PositionError
from retrosolve.solution import Solution
from retrosolve.solution.zugzwang import knows_passing, zugzwangs_among
from retrosolve.spaces.base import NO_PASSING
from retrosolve.tables.summary import spans
from retrosolve.values import INVALID, Result, Value
from retrosolve.web.library import Entry

ATTEMPTS = 16
SAMPLE = 1024
MAX_ASKED = 25_000  # lost positions
PARTS, MAX_KEPT = 8, 64


def random_position(solution: Solution, value: Result | None, remoteness: int | None) -> Hashable:
    """Return a random position with a value, with a remoteness, or with both.

    Notes
    -----
    Samples of 1,024 indices are looked up first; positions so rare that these hold none are searched
    for from a random index on, so a position after a long gap is likelier.

    Raises
    ------
    PositionError
        If there is none.
    """
    n = solution.table.num_vertices
    for _ in range(ATTEMPTS if n else 0):
        drawn = np.array([random.randrange(n) for _ in range(min(SAMPLE, n))])
        matching = drawn[_matches(solution, drawn, value, remoteness)]
        if len(matching):
            return solution.space.position(int(matching[0]))
    for vertex in _from(solution, random.randrange(n) if n else 0, value, remoteness):
        return solution.space.position(vertex)
    raise PositionError(f"there is no {describe(value, remoteness)}: expected one that occurs")


def some_zugzwangs(entry: Entry) -> tuple[Hashable, ...]:
    """Return the lost positions of some mutual zugzwangs, searched for once; none if there are none."""
    return entry.once("zugzwangs", lambda: _some_zugzwangs(entry.solution))


def random_zugzwang(entry: Entry) -> Hashable:
    """Return the lost position of one of these mutual zugzwangs.

    Raises
    ------
    GraphError
        If the rules do not define ``null_move``.
    PositionError
        If there is none.
    """
    found = some_zugzwangs(entry)
    if found:
        return random.choice(found)
    if not knows_passing(entry.solution.space):
        raise GraphError(NO_PASSING)
    asked = min(entry.solution.counts().get(Value.LOSS, 0), MAX_ASKED)
    raise PositionError(f"no mutual zugzwang was found among {asked} lost positions: expected one")


def _some_zugzwangs(solution: Solution) -> tuple[Hashable, ...]:
    """Search for mutual zugzwangs from several places on, among MAX_ASKED lost positions in all."""
    if not solution.counts().get(Value.LOSS, 0) or not knows_passing(solution.space):
        return ()
    n, positions = solution.table.num_vertices, []
    for part in range(PARTS):
        lost = islice(_from(solution, n * part // PARTS, Value.LOSS, None), MAX_ASKED // PARTS)
        pairs = zugzwangs_among(solution.space, solution.table, np.array(list(lost), np.int64))
        positions += [pair.position for pair in islice(pairs, MAX_KEPT // PARTS)]
    return tuple(dict.fromkeys(positions))


def first_positions(
    solution: Solution, value: Result | None, remoteness: int | None, count: int
) -> list[Hashable]:
    """Return the first positions with a value, with a remoteness, or with both."""
    return list(islice(solution.where(value, remoteness), count))


def describe(value: Result | None, remoteness: int | None) -> str:
    """Return a value and a remoteness in words.

    >>> describe(Value.WIN, 7), describe(None, None)
    ('position of value win and remoteness 7', 'position')
    """
    parts = [] if value is None else [f"value {value.label}"]
    parts += [] if remoteness is None else [f"remoteness {remoteness}"]
    return " of ".join(["position", " and ".join(parts)] if parts else ["position"])


def parse_choice(solution: Solution, value: str, remoteness: str) -> tuple[Result | None, int | None]:
    """Return a value and a remoteness from the parameters of an address; None where one is empty.

    Raises GraphError for anything else.
    """
    if remoteness and not (remoteness.isascii() and remoteness.isdigit() and len(remoteness) < 10):
        raise GraphError(f"remoteness={remoteness!r}: expected a number of plies")
    wanted = solution.table.codec.result(value) if value else None
    return wanted, int(remoteness) if remoteness else None


def _matches(
    solution: Solution, at: IntArray | slice, value: Result | None, remoteness: int | None
) -> NDArray[np.bool_]:
    """Return which vertices are as asked for."""
    values = solution.table.values(at)
    wanted = None if value is None else solution.table.codec.value(value)
    matching: NDArray[np.bool_] = values != INVALID if wanted is None else values == wanted
    if remoteness is not None and matching.any():
        matching &= solution.table.remoteness(at) == remoteness
    return matching


def _from(
    solution: Solution, first: int, value: Result | None, remoteness: int | None
) -> Iterator[int]:
    """Yield the vertices that are as asked for, from one on and then from the beginning."""
    ranges = [*spans(solution.table.num_vertices)]
    later = [span for span in ranges if span[1] > first]
    for start, stop in [*later, *(span for span in ranges if span[1] <= first)]:
        matching = _matches(solution, slice(start, stop), value, remoteness)
        yield from (start + np.flatnonzero(matching)).tolist()
