"""Summaries of a table: how many vertices have which value and remoteness."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, spans
from retrosolve.objectives.base import Codec, first_results, others
from retrosolve.runtime.context import ProgressCallback, counted, no_progress
from retrosolve.tables.base import Table
from retrosolve.values import INVALID

VERTICES_PER_SELECTION = 1 << 16  # as Python integers, these take a few megabytes


class Distribution(NamedTuple):
    """How many vertices of a table have which value and remoteness.

    Parameters
    ----------
    histogram : dict of Value, or another result, to dict of int to int
        As returned by :func:`histogram`.
    by_player : tuple of two dict, or None
        As returned by :func:`count_values_by_player`.
    """

    histogram: dict[Any, dict[int | None, int]]
    by_player: tuple[dict[Any, int], dict[Any, int]] | None

    def counts(self) -> dict[Any, int]:
        """Return the number of vertices of each value, zeros included."""
        return {value: sum(part.values()) for value, part in self.histogram.items()}

    def longest(self) -> dict[Any, int | None]:
        """Return the largest remoteness of each value but DRAW, None where there is no such vertex."""
        return {
            value: max((plies for plies in part if plies is not None), default=None)
            for value, part in self.histogram.items()
            if value.ends
        }


class Movers(Protocol):
    """What says who moves: a space."""

    def player(self, indices: IntArray) -> ByteArray | None:
        """Return who moves (0 or 1) at some vertices, or None where the players alternate."""

    def common_player(self, start: int, stop: int) -> int | None:
        """Return who moves at a whole range of vertices, None if that takes a look at each."""


def distribution(table: Table, movers: Movers | None) -> Distribution:
    """Return the distribution of a table; see :func:`count_values_by_player` for ``movers``."""
    by_player = count_values_by_player(table, movers)
    if table.has_remoteness or by_player is None:
        return Distribution(histogram(table), by_player)
    counted = {value: by_player[0][value] + by_player[1][value] for value in table.codec.reported}
    return Distribution(_without_remoteness(counted), by_player)


def tier_distributions(
    table: Table,
    tiers: Sequence[int],
    names: Sequence[str],
    progress: ProgressCallback = no_progress,
) -> dict[str, Distribution]:
    """Return the distribution of the tiers of each name, without the players.

    Parameters
    ----------
    table : Table
    tiers : sequence of int
        The first index of each tier.
    names : sequence of str
        The name of each tier.
    progress : callable
        Called after each tier.
    """
    found: dict[str, Distribution] = {}
    report = counted(progress, "counting tiers", 0, table.num_vertices)
    for name, start, stop in zip(names, tiers, [*tiers[1:], table.num_vertices], strict=True):
        part = histogram(table, start, stop)
        if name in found:
            for value, numbers in found[name].histogram.items():
                for plies, number in part[value].items():
                    numbers[plies] = numbers.get(plies, 0) + number
        else:
            found[name] = Distribution(part, None)
        report(stop)
    return found


def select(table: Table, value: int | None = None, remoteness: int | None = None) -> Iterator[IntArray]:
    """Yield the vertices with a value and a remoteness, ascending, those of a range at a time.

    Parameters
    ----------
    table : Table
    value : int, optional
        As in arrays; by default any value, but not INVALID.
    remoteness : int, optional
        By default any.

    Yields
    ------
    int64 [k]
    """
    coding = table.coding()
    chosen = None if coding is None else _matches(table.codec, *coding, value, remoteness)
    for start, stop in spans(table.num_vertices, VERTICES_PER_SELECTION):
        at = slice(start, stop)
        if chosen is None:
            plies = None if remoteness is None else table.remoteness(at)
            found = _matches(table.codec, table.values(at), plies, value, remoteness)
        else:
            found = chosen[table.codes(at)]
        yield start + np.flatnonzero(found)


def _matches(
    codec: Codec, values: NDArray[Any], plies: Any, value: int | None, remoteness: int | None
) -> NDArray[np.bool_]:
    """Return where a value and a remoteness are those that are wanted."""
    found: NDArray[np.bool_] = values != INVALID if value is None else values == value
    return found if remoteness is None else found & (codec.shown(values, plies) == remoteness)


def first_vertices(
    table: Table, progress: ProgressCallback = no_progress
) -> dict[Any, dict[int | None, int]]:
    """Return the first vertex of each value and remoteness that occur, keys as in :func:`histogram`."""
    report = counted(progress, "finding examples", 0, table.num_vertices)
    found: dict[Any, dict[int | None, int]] = {value: {} for value in table.codec.reported}
    for vertices in _first_of_spans(table, report):
        values, remoteness = table.values(vertices).tolist(), table.remoteness(vertices).tolist()
        for vertex, value, plies in zip(vertices.tolist(), values, remoteness, strict=True):
            if value != INVALID:
                result, shown = table.codec.outcome(value, plies)
                found[result].setdefault(shown, vertex)
    return {value: dict(sorted(part.items(), key=_plies)) for value, part in found.items()}


def _first_of_spans(table: Table, report: Callable[[int], None]) -> Iterator[IntArray]:
    """Yield vertices in ascending order, the first of each value and remoteness among them.

    After a code was met, vertices that have it are passed over: sorting all takes ten times as long.
    """
    coding = table.coding()
    unmet = np.ones(0 if coding is None else len(coding[0]), bool)
    for start, stop in spans(table.num_vertices):
        at = slice(start, stop)
        if coding is None:
            _, first = np.unique(table.packed(at), return_index=True)
        else:
            codes = table.codes(at)
            fresh = np.flatnonzero(unmet[codes])
            met, place = np.unique(codes[fresh], return_index=True)
            unmet[met], first = False, fresh[place]
        yield start + np.sort(first)
        done = coding is not None and not unmet.any()
        report(table.num_vertices if done else stop)
        if done:
            return


def count_values(table: Table, first: int = 0, last: int | None = None) -> dict[Any, int]:
    """Return the number of vertices of each value, zeros included, of all or of ``first..last-1``."""
    counts = np.zeros(len(table.codec.kinds), np.int64)
    for span in spans(table.num_vertices if last is None else last, table.counted_at_once, first):
        counts += table.counts(*span)
    return table.codec.by_result(counts)


def count_values_by_player(
    table: Table, movers: Movers | None
) -> tuple[dict[Any, int], dict[Any, int]] | None:
    """Return the number of vertices of each value for each of the two players to move.

    Parameters
    ----------
    table : Table
    movers : Movers, optional
        The space; by default the players alternate.

    Returns
    -------
    tuple of two dict, or None
        None where the players alternate.
    """
    if movers is None:
        return None
    counts = np.zeros((2, len(table.codec.kinds)), np.int64)
    for span in spans(table.num_vertices, table.counted_at_once):
        for start, stop, one in _turns(movers, *span):
            if one is not None:
                counts[one] += table.counts(start, stop)
                continue
            each = movers.player(np.arange(start, stop))
            if each is None or (each > 1).any():  # chance moves, for neither
                return None
            values = table.values(slice(start, stop))
            for side in (0, 1):
                counts[side] += np.bincount(values[each == side], minlength=counts.shape[1])
    return table.codec.by_result(counts[0]), table.codec.by_result(counts[1])


def _turns(movers: Movers, start: int, stop: int) -> Iterator[tuple[int, int, int | None]]:
    """Yield ranges of vertices with the player who moves there, None where that may differ."""
    one = movers.common_player(start, stop)
    if one is not None or stop - start <= VERTICES_PER_SELECTION:
        yield start, stop, one
    else:
        middle = (start + stop) // 2
        yield from _turns(movers, start, middle)
        yield from _turns(movers, middle, stop)


def histogram(
    table: Table, first: int = 0, last: int | None = None
) -> dict[Any, dict[int | None, int]]:
    """Return the number of vertices by value and by remoteness, of all or of ``first..last-1``.

    Where there is no remoteness, it is None.
    """
    if not table.has_remoteness:
        return _without_remoteness(count_values(table, first, last))
    result: dict[Any, dict[int | None, int]] = {value: {} for value in table.codec.reported}
    for values, remoteness, counts in _tallies(
        table, first, table.num_vertices if last is None else last
    ):
        for value, plies, count in zip(
            values.tolist(), remoteness.tolist(), counts.tolist(), strict=True
        ):
            if value != INVALID:
                outcome = table.codec.outcome(value, plies)
                part = result[outcome.value]
                part[outcome.remoteness] = part.get(outcome.remoteness, 0) + count
    return {value: dict(sorted(part.items(), key=_plies)) for value, part in result.items()}


def _tallies(table: Table, first: int, last: int) -> Iterator[tuple[ByteArray, IntArray, IntArray]]:
    """Yield values, remotenesses and how many of the vertices ``first..last-1`` have these."""
    coding = table.coding()
    if coding is not None:
        counts = np.zeros(len(coding[0]), np.int64)
        for span in spans(last, first=first):
            counts += np.bincount(table.codes(slice(*span)), minlength=len(counts))
        occurring = np.flatnonzero(counts)
        yield coding[0][occurring], coding[1][occurring], counts[occurring]
        return
    for span in spans(last, first=first):
        words = table.packed(slice(*span))
        if words.dtype.itemsize <= 2:
            every = np.bincount(words)
            words = np.flatnonzero(every)
            counts = every[words]
        else:
            words, counts = np.unique(words, return_counts=True)
        yield table.codec.values_of(words), table.codec.remoteness_of(words), counts


def _without_remoteness(counted: dict[Any, int]) -> dict[Any, dict[int | None, int]]:
    """Return the histogram of a table without remoteness."""
    return {value: {None: n} if n else {} for value, n in counted.items()}


def longest(table: Table) -> dict[Any, int | None]:
    """Return the largest remoteness of each value but DRAW, None where there is no such vertex."""
    return Distribution(histogram(table), None).longest()


def _plies(item: tuple[int | None, int]) -> int:
    """Return the sort key of an entry of a histogram: None comes first."""
    return -1 if item[0] is None else item[0]


def html(counts: dict[Any, int], plies: dict[Any, int | None], caption: str) -> str:
    """Return an HTML table of the number and the largest remoteness of the vertices of each value."""
    shown, more = first_results(counts)
    rows = "".join(
        f"<tr><td>{value.name}</td><td>{counts[value]}</td>"
        f"<td>{'-' if plies.get(value) is None else plies[value]}</td></tr>"
        for value in shown
    )
    if more:
        rows += f"<tr><td colspan='3'>{others(more)}</td></tr>"
    return (
        f"<table><caption>{caption}</caption>"
        f"<tr><th>value</th><th>positions</th><th>longest, plies</th></tr>{rows}</table>"
    )
