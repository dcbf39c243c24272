"""compare(): the differences between two solutions of the same game, in whatever form they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import VERTICES_PER_SPAN, IntArray, spans
from retrosolve.errors import PositionError
from retrosolve.objectives.base import Codec
from retrosolve.objectives.chance import NOTHING
from retrosolve.runtime.context import Progress, ProgressCallback, check_progress, no_progress
from retrosolve.solution.solution import Solution, check_solution
from retrosolve.solution.view import shorten
from retrosolve.spaces.base import Capability
from retrosolve.tables.base import Bounds
from retrosolve.values import INVALID, Outcome, print_as_text

SAMPLE = 32
NUMBERS_SAMPLE = 1 << 10
TEXTS_AT_ONCE = 1 << 14  # about a second, if each is looked up by its text
NOT_THERE = -1


class Comparison(NamedTuple):
    """How two solutions differ.

    Parameters
    ----------
    num_positions : int
        The number of positions of either; of the solution with more of them where several positions of
        it are one in the other, by symmetry.
    missing : int
        The positions of one of them only.
    values : int
        The positions with another value: another result, or bounds without a number in common.
    remoteness : int
        The positions with the same value and another remoteness, if both solutions have it.
    first : tuple of two int, or None
        The index in each solution, -1 for none, where they differ first.
    text : str or None
        The position there, as text.
    outcomes : tuple of two Outcome, or None
        The outcome there in each solution, None for no position.

    Examples
    --------
    >>> import retrosolve as rs
    >>> graph = rs.Graph.from_edges(["a", "b"], ["b", "c"])
    >>> found = rs.compare(rs.solve(graph), rs.solve(graph, stuck="win"))
    >>> found.num_positions, found.values, found.equal
    (3, 3, False)
    >>> print(found)
    3 positions: 0 of one of them only, 3 other values, 0 same value and other remoteness
    The first difference is a: LOSS in 2 in the first, WIN in 2 in the second
    """

    num_positions: int
    missing: int
    values: int
    remoteness: int
    first: tuple[int, int] | None
    text: str | None = None
    outcomes: tuple[Outcome | None, Outcome | None] | None = None

    @property
    def equal(self) -> bool:
        """Whether there is no difference."""
        return self.missing == self.values == self.remoteness == 0

    @property
    def details(self) -> list[str]:
        """Sentences about the first difference, and about solutions without a position in common."""
        lines = []
        if self.outcomes is not None:
            one, other = (str(outcome or "no position") for outcome in self.outcomes)
            lines.append(
                f"The first difference is {shorten(self.text or '')}: {one} in the first, "
                f"{other} in the second"
            )
        if self.missing == self.num_positions > 0:
            lines.append(
                "No position is in both. Positions that are numbered otherwise are looked up by their "
                "text: expected text() and parse() to be alike"
            )
        return lines

    def __str__(self) -> str:
        if self.equal:
            return f"equal: {self.num_positions} positions"
        counts = (
            f"{self.num_positions} positions: {self.missing} of one of them only, {self.values} other "
            f"values, {self.remoteness} same value and other remoteness"
        )
        return "\n".join([counts, *self.details])

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        print_as_text(self, printer, cycle)


def compare(one: Solution, other: Solution, *, progress: ProgressCallback | None = None) -> Comparison:
    """Compare every position of two solutions.

    Positions are the same if they have the same index, in two solutions that number their positions
    alike; if they are the same numbers, in two compiled games that write numbers alike; and otherwise
    if they have the same text. So a plain and a compiled game of the same rules can be compared.

    Parameters
    ----------
    one, other : Solution
        Of the same game, in any form: solved, opened or read from a file.
    progress : callable, optional
        Called with a :class:`Progress` now and then, the positions compared; an exception that it
        raises ends the comparison.

    Returns
    -------
    Comparison

    Raises
    ------
    GraphError
        For what is no solution.

    Notes
    -----
    Cost: a pass over both tables, and where positions are looked up a fraction of a microsecond for
    each number and some tens of microseconds for each text.

    Examples
    --------
    >>> import retrosolve as rs
    >>> graph = rs.Graph.from_edges(["a", "b"], ["b", "c"])
    >>> compare(rs.solve(graph), rs.solve(graph, solver="reference")).equal
    True
    """
    for solution in (one, other):
        check_solution(solution)
    check_progress(progress)
    report = progress or no_progress
    if len(other) > len(one) and not _numbered_alike(one, other):
        # Where one of them solves images of a position once, it alone finds those of the other.
        turned = compare(other, one, progress=progress)
        return turned._replace(
            first=turned.first and turned.first[::-1],
            outcomes=turned.outcomes and turned.outcomes[::-1],
        )
    both = values = remoteness = done = 0
    translated = _translated(one.table.codec, other.table.codec)
    first: tuple[int, int] | None = None
    met = np.zeros(other.space.num_vertices, bool)
    for here, there in _pairs(one, other):
        claimed, claimed_there = one.table.values(here), np.full(len(there), INVALID)
        claimed_there[there >= 0] = translated[other.table.values(there[there >= 0])]
        common = claimed_there != INVALID
        differs = claimed != claimed_there
        differs[common] |= _are_apart(one.table.bounds, here[common], other.table.bounds, there[common])
        slower = np.zeros(len(here), bool)
        if one.table.has_remoteness and other.table.has_remoteness:
            slower[common] = one.table.remoteness(here[common]) != other.table.remoteness(there[common])
            slower &= ~differs
        met[there[common]] = True
        done += len(here)
        report(Progress("comparing", done, len(one)))
        both += int(common.sum())
        values += int((differs & common).sum())
        remoteness += int(slower.sum())
        if first is None and (differs | slower).any():
            v = int((differs | slower).argmax())
            first = int(here[v]), int(there[v])
    alone_there = len(other) - int(met.sum())
    missing = len(one) - both + alone_there
    if missing and first is None:
        alone = (at[~met[at]] for at in _valid(other))
        first = NOT_THERE, next(int(at[0]) for at in alone if len(at))
    comparison = Comparison(len(one) + alone_there, missing, values, remoteness, first)
    if first is None:
        return comparison
    side, vertex = (one, first[0]) if first[0] >= 0 else (other, first[1])
    text = side.space.text(side.space.position(vertex))
    outcomes = (
        None if first[0] < 0 else one.table.position_outcome(first[0]),
        None if first[1] < 0 else other.table.position_outcome(first[1]),
    )
    return comparison._replace(text=text, outcomes=outcomes)


def _translated(codec: Codec, other: Codec) -> NDArray[np.int64]:
    """Return, by a value of another codec, the same value of a codec, -1 for one that it has not.

    Results of two objectives are the same if they have the same name.
    """
    values = {result.name: codec.value(result) for result in codec.reported}
    translated = np.full(len(other.kinds), -1)
    translated[INVALID] = INVALID
    for result in other.reported:
        translated[other.value(result)] = values.get(result.name, -1)
    return translated


def _are_apart(
    one: Bounds | None, here: IntArray, other: Bounds | None, there: IntArray
) -> NDArray[np.bool_] | bool:
    """Return whether the bounds of the same positions in two tables have no number in common."""
    if one is None or other is None:
        return False
    low = np.maximum(one.low[here], other.low[there])
    return low - np.minimum(one.high[here], other.high[there]) > NOTHING


def _pairs(one: Solution, other: Solution) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield indices of positions in the first solution, and of the same ones in the other."""
    alike = _numbered_alike(one, other)
    same_numbers = not alike and _write_numbers_alike(one, other)
    for at in _valid(one, VERTICES_PER_SPAN if alike or same_numbers else TEXTS_AT_ONCE):
        if alike:
            yield at, at
        elif same_numbers:
            yield at, other.space.indices_of(one.space.positions_of(at))
        else:
            yield at, _located(one, other, at)


def _write_numbers_alike(one: Solution, other: Solution) -> bool:
    """Return whether positions of both are numbers, with the same texts, by a sample of them."""
    if not all(Capability.GENERATED in solution.space.capabilities for solution in (one, other)):
        return False
    n = one.space.num_vertices
    sample = np.unique(np.linspace(0, max(n - 1, 0), NUMBERS_SAMPLE).astype(np.int64))[:n]
    sample = sample[one.table.values(sample) != INVALID]
    positions = map(one.space.position, sample.tolist())
    try:
        return all(one.space.text(p) == other.space.text(p) for p in positions)
    except Exception:  # of rules that cannot write what is no position of theirs
        return False


def _valid(solution: Solution, size: int = VERTICES_PER_SPAN) -> Iterator[NDArray[np.int64]]:
    """Yield the indices of all positions, a part at a time."""
    for start, stop in spans(solution.space.num_vertices, size):
        yield start + np.flatnonzero(solution.table.values(slice(start, stop)) != INVALID)


def _numbered_alike(one: Solution, other: Solution) -> bool:
    """Return whether two solutions number their positions alike, by a sample of them."""
    n = one.space.num_vertices
    if other.space.num_vertices != n:
        return False
    sample = np.unique(np.linspace(0, max(n - 1, 0), SAMPLE).astype(np.int64))[:n]
    values = one.table.values(sample), other.table.values(sample)
    at = sample[(values[0] != INVALID) & (values[1] != INVALID)].tolist()
    texts = ([s.space.text(s.space.position(v)) for v in at] for s in (one, other))
    return next(texts) == next(texts)


def _located(one: Solution, other: Solution, at: IntArray) -> NDArray[np.int64]:
    """Return the indices of positions in the other solution by their text, -1 for none."""
    found = np.full(len(at), NOT_THERE, np.int64)
    for k, vertex in enumerate(at.tolist()):
        with suppress(PositionError):
            found[k] = other.space.index(other.space.parse(one.space.text(one.space.position(vertex))))
    return found
