"""Answers for many positions at once, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, is_whole, numbered_ranges, object_array, row_bounds
from retrosolve.errors import PositionError
from retrosolve.objectives.base import Codec, EdgeData
from retrosolve.objectives.chance import Odds
from retrosolve.solution.preference import Solved, best_of, outcome_at, ranked_moves
from retrosolve.spaces.base import Capability, Csr
from retrosolve.spaces.blocks import edge_data
from retrosolve.spaces.csr.columns import cells
from retrosolve.spaces.csr.validation import is_missing
from retrosolve.tables import Table
from retrosolve.values import INVALID, Outcome, clock_of

MAX_PRINTED = 6
POSITIONS_PER_BLOCK = 1 << 15

Positions = NDArray[Any] | Sequence[Any]


class Outcomes(Sequence["Outcome | None"]):
    """The outcomes of some positions as arrays, in the order of the positions.

    Parameters
    ----------
    value : uint8 [k], wider for more than 255 results
        For outcomes the codes of :class:`Value`; generally the places of the results in
        ``codec.results``. 255 for what is no position.
    remoteness : int32 [k], int64 from 2^31 vertices on
        Plies, -1 for none.
    codec : Codec
        The results that values stand for.
    low, high : float64 [k], optional
        The bounds of what the player to move can expect, with chance; NaN where there is no position.
    is_payoff : bool
        Whether the bounds are payoffs, not probabilities.

    Attributes
    ----------
    results : object [k]
        The result of each position, such as a Value, a score or odds; None for what is no position.
    labels : object [k] of str
        Their labels, such as ``"win"``; None for what is no position.

    Raises
    ------
    IndexError
        By ``outcomes[place]`` outside.

    Notes
    -----
    5 bytes a position, 21 with bounds. ``results`` and ``labels`` take a few nanoseconds a position,
    odds a microsecond.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(rs.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"]))
    >>> outcomes = solution.outcomes(["b", "c", "b"])
    >>> outcomes
    Outcomes(WIN in 1, LOSS in 0, WIN in 1)
    >>> outcomes.value, outcomes.remoteness.tolist(), outcomes.labels.tolist()
    (array([1, 2, 1], dtype=uint8), [1, 0, 1], ['win', 'loss', 'win'])
    """

    def __init__(
        self, value: NDArray[Any], remoteness: IntArray, codec: Codec,
        low: NDArray[np.float64] | None = None, high: NDArray[np.float64] | None = None,
        is_payoff: bool = False,
    ) -> None:  # fmt: skip
        self.value, self.remoteness, self.codec = value, remoteness, codec
        self.low, self.high, self.is_payoff = low, high, is_payoff

    @property
    def results(self) -> NDArray[Any]:
        """The result of each position; None for what is no position."""
        if self.low is None:
            return self._named(self.codec.results)
        return object_array(outcome and outcome.value for outcome in self)

    @property
    def labels(self) -> NDArray[Any]:
        """The label of the result of each position; None for what is no position."""
        return self._named(self.codec.labels)

    def _named(self, names: Sequence[Any]) -> NDArray[Any]:
        table = object_array([*names, *[None] * (INVALID + 1 - len(names))])
        table[INVALID] = None
        named: NDArray[Any] = table[self.value]
        return named

    def __len__(self) -> int:
        return len(self.value)

    @overload
    def __getitem__(self, place: int) -> Outcome | None: ...
    @overload
    def __getitem__(self, place: slice | NDArray[Any]) -> Outcomes: ...
    def __getitem__(self, place: Any) -> Any:
        """Return the outcome of one position, or the outcomes of a slice or an array of places."""
        if isinstance(place, int | np.integer):
            value, plies = int(self.value[place]), int(self.remoteness[place])
            if value == INVALID:
                return None
            if self.low is None or self.high is None:
                return self.codec.outcome(value, plies)
            low, high = float(self.low[place]), float(self.high[place])
            return Outcome(Odds(low, high, self.is_payoff), None)
        below, above = (bound if bound is None else bound[place] for bound in (self.low, self.high))
        return Outcomes(
            self.value[place], self.remoteness[place], self.codec, below, above, self.is_payoff
        )

    def __repr__(self) -> str:
        shown = ", ".join(map(str, self[:MAX_PRINTED]))
        more = f", ... {len(self)} positions" if len(self) > MAX_PRINTED else ""
        return f"Outcomes({shown}{more})"


class BestMoves(Sequence[list[Any]]):
    """The best moves of some positions as arrays: for each the positions that they lead to.

    ``best[i]`` is a list of the positions that the best moves of position i lead to.

    Parameters
    ----------
    indptr : int64 [k + 1]
        The best moves of position i are ``targets[indptr[i]:indptr[i + 1]]``.
    targets : int64 [m] or object [m]
        The positions; integers for compiled games and graphs of numbers.

    Raises
    ------
    IndexError
        By ``best[place]`` outside.

    Notes
    -----
    8 bytes for each position and each best move.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(rs.Graph.from_edges([4, 3, 3, 2, 2], [3, 2, 1, 1, 0]))
    >>> best = solution.best([4, 3, 0])
    >>> best
    BestMoves(3; 1; none)
    >>> best[1], best.first, best.counts
    ([1], array([ 3,  1, -1]), array([1, 1, 0]))
    """

    def __init__(self, indptr: NDArray[np.int64], targets: NDArray[Any]) -> None:
        self.indptr, self.targets = indptr, targets

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of best moves of each position, 0 where the game is over."""
        return np.diff(self.indptr)

    @property
    def first(self) -> NDArray[Any]:
        """The target of the first best move of each position; -1 or None where the game is over."""
        fill: Any = None if self.targets.dtype == object else -1
        firsts = np.full(len(self), fill, self.targets.dtype)
        goes_on = self.counts > 0
        firsts[goes_on] = self.targets[self.indptr[:-1][goes_on]]
        return firsts

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @overload
    def __getitem__(self, place: int) -> list[Any]: ...
    @overload
    def __getitem__(self, place: slice) -> list[list[Any]]: ...
    def __getitem__(self, place: Any) -> Any:
        """Return the targets of the best moves of one position, or of each of a slice."""
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(len(self)))]
        i = range(len(self))[place]
        return self.targets[self.indptr[i] : self.indptr[i + 1]].tolist()

    def __repr__(self) -> str:
        shown = "; ".join(", ".join(map(str, row)) or "none" for row in self[:MAX_PRINTED])
        more = f"; ... {len(self)} positions" if len(self) > MAX_PRINTED else ""
        return f"BestMoves({shown}{more})"


def as_positions(data: object) -> Positions:
    """Return positions in any form as an integer array or as a sequence.

    Parameters
    ----------
    data : iterable
        A list, an array, a column of pandas, Polars or Arrow. The rows of an array of two dimensions
        are tuples, and a missing entry is None. Beside one, whole numbers of an array of floats are
        integers: pandas makes floats of a column of integers that has gaps.

    Raises
    ------
    PositionError
        For text and for anything else that is one position or none.
    """
    if isinstance(data, str | bytes) or not isinstance(data, Iterable):
        raise _not_several(data)
    if not hasattr(data, "__array__"):
        return data if isinstance(data, list | tuple) else list(data)
    array = data if isinstance(data, np.ma.MaskedArray) else np.asarray(data)
    if array.ndim == 2:
        return [tuple(row) for row in array.tolist()]
    if array.ndim != 1:
        raise PositionError(f"an array of shape {array.shape}: expected one position in each row")
    if array.dtype.kind in "iu" and not np.ma.is_masked(array):
        return np.asarray(array)
    # Not the entries of the array, in which whole numbers beside a missing one may be floats.
    entries = [None if is_missing(entry) else entry for entry in cells(data)]
    if array.dtype.kind == "f" and None in entries:
        return [int(n) if isinstance(n, float) and n.is_integer() else n for n in entries]
    return entries


def _not_several(data: object) -> PositionError:
    """Return the error for one position, or none, in place of several."""
    return PositionError(f"{data!r} is not a list of positions: expected several, as in [{data!r}]")


def indices(solved: Solved, positions: Positions, missing_ok: bool) -> NDArray[np.int64]:
    """Return the index of each position, -1 for what is no position if that is allowed.

    Raises
    ------
    PositionError
        For what is no position; the message names its place.
    """
    vertices = solved.space.indices_of(positions)
    inside = np.flatnonzero(vertices >= 0)
    vertices[inside[solved.table.values(vertices[inside]) == INVALID]] = -1
    if not missing_ok and len(wrong := np.flatnonzero(vertices < 0)):
        if isinstance(positions, tuple) and solved.space.indices_of([positions])[0] >= 0:
            raise _not_several(positions)
        place = int(wrong[0])
        try:
            outcome_at(solved, solved.space.resolved(positions[place])[0])
        except PositionError as error:
            raise PositionError(f"positions[{place}]: {error}") from error.__cause__
        raise PositionError(f"positions[{place}] is {positions[place]!r}: expected a position")
    return vertices


def outcomes(solved: Solved, data: object, missing_ok: bool) -> Outcomes:
    """Return the outcomes of some positions; see :meth:`retrosolve.Solution.outcomes`."""
    positions = as_positions(data)
    if solved.space.has_sums:
        return _outcomes_of_sums(solved, positions, missing_ok)
    vertices = indices(solved, positions, missing_ok)
    answers = outcomes_of(solved.table, vertices)
    if solved.objective.has_clock and not isinstance(positions, np.ndarray):
        for place in np.flatnonzero(vertices >= 0).tolist():
            if not is_whole(position := positions[place]) or clock_of(position):
                value = outcome_at(solved, position).value
                answers.value[place] = answers.codec.value(value)
    return answers


def outcomes_of(table: Table, vertices: NDArray[np.int64]) -> Outcomes:
    """Return the outcomes of some vertices, where -1 stands for no position."""
    valid = vertices >= 0

    def column(of_valid: NDArray[Any], missing: float) -> NDArray[Any]:
        if valid.all():
            return of_valid
        whole = np.full(len(vertices), missing, of_valid.dtype)
        whole[valid] = of_valid
        return whole

    inside = vertices[valid]
    values = table.values(inside)
    plies = table.codec.shown(values, table.remoteness(inside))
    columns = column(values, INVALID), column(plies, -1)
    if table.bounds is None:
        return Outcomes(*columns, table.codec)
    bounds = table.measures(inside)
    low, high = (column(bounds[name], np.nan) for name in ("low", "high"))
    return Outcomes(*columns, table.codec, low, high, table.bounds.is_payoff)


def _outcomes_of_sums(solved: Solved, positions: Positions, missing_ok: bool) -> Outcomes:
    """Return the outcomes of sums of vertices, whose results need not be in the table."""
    answers: list[Outcome | None] = []
    for place, position in enumerate(positions):
        try:
            answers.append(outcome_at(solved, position))
        except PositionError as error:
            if not missing_ok:
                raise PositionError(f"positions[{place}]: {error}") from None
            answers.append(None)
    results = dict.fromkeys(each.value for each in answers if each is not None)
    codec = type(solved.table.codec)(list(results))
    value = np.array([INVALID if each is None else codec.value(each.value) for each in answers])
    plies = [-1 if each is None or each.remoteness is None else each.remoteness for each in answers]
    return Outcomes(value.astype(codec.dtype), np.array(plies, np.int32), codec)


def best(solved: Solved, data: object) -> BestMoves:
    """Return the best moves of some positions; see :meth:`retrosolve.Solution.best`."""
    positions = as_positions(data)
    space = solved.space
    if space.has_sums:
        rows = [ranked_moves(solved, position) for position in positions]
        chosen = [[ranked.move.position for ranked in best_of(row)] for row in rows]
        indptr = row_bounds(list(map(len, chosen)))
        return BestMoves(indptr, object_array(target for row in chosen for target in row))
    vertices, where = np.unique(indices(solved, positions, False), return_inverse=True)
    parts = [
        best_edges(solved, vertices[start : start + POSITIONS_PER_BLOCK])
        for start in range(0, max(len(vertices), 1), POSITIONS_PER_BLOCK)
    ]
    counts = np.concatenate([np.diff(part.indptr) for part in parts])
    targets = np.concatenate([part.indices for part in parts])
    begins = np.cumsum(counts) - counts
    _, places = numbered_ranges(begins[where], counts[where])
    return BestMoves(row_bounds(counts[where]), space.positions_of(targets[places]))


def best_edges(solved: Solved, vertices: NDArray[np.int64]) -> Csr:
    """Return the best moves out of some vertices as rows of different targets, in the given order."""
    space, table, objective = solved.space, solved.table, solved.objective
    if Capability.CHANCE in space.capabilities:  # a throw says which moves are compared
        rows = [best_of(ranked_moves(solved, space.position(v), v)) for v in vertices.tolist()]
        chosen = [list(dict.fromkeys(ranked.vertex for ranked in row)) for row in rows]
        ends = row_bounds(list(map(len, chosen)))
        return Csr(ends, np.array([w for row in chosen for w in row], np.int64))
    indptr, target, reward = space.edges_of(vertices)
    row = np.repeat(np.arange(len(vertices)), np.diff(indptr))
    edges = edge_data(space, vertices, np.diff(indptr), target, reward)
    keys = objective.keys(objective.seen(table.words_of(objective, target), edges))
    least = np.full(len(vertices), np.iinfo(np.int64).max)
    np.minimum.at(least, row, keys)
    best = np.flatnonzero(keys == least[row])
    # Several moves to one position count once.
    once = np.unique(np.stack([row[best], target[best]]), axis=1, return_index=True)[1]
    best = best[np.sort(once)]
    return Csr(row_bounds(np.bincount(row[best], minlength=len(vertices))), target[best])


class RankedEdges(NamedTuple):
    """Some positions and the moves from them, best first, as compressed sparse rows.

    Parameters
    ----------
    positions : list of hashable [k]
    indptr : int64 [k + 1]
        No move where the game is over.
    names : list of str [edges]
    targets : list of hashable [edges]
    vertices : int64 [edges]
        The indices of the targets.
    values : int [edges]
        What each move is worth to who makes it, by the codec of the table, or UNLISTED + points.
    plies : int64 [edges]
        How far that counts from the position, -1 for none.
    remoteness : int64 [edges]
        Of the target, -1 for none.
    ranks : int64 [edges]
        1 for the best moves of a position, and equal ranks for equally good ones.
    results : uint8 [edges]
        As in :class:`retrosolve.spaces.base.NamedEdges`.
    """

    positions: list[Any]
    indptr: NDArray[np.int64]
    names: list[str]
    targets: list[Any]
    vertices: NDArray[np.int64]
    values: NDArray[np.int64]
    plies: NDArray[np.int64]
    remoteness: NDArray[np.int64]
    ranks: NDArray[np.int64]
    results: NDArray[np.uint8]


def ranked_edges(solved: Solved, vertices: NDArray[np.int64]) -> RankedEdges:
    """Return the moves from some positions, best first and equals in the given order.

    The same as :func:`retrosolve.solution.preference.ranked_moves` of each, several times as fast.

    Parameters
    ----------
    solved : Solution
        Not of heaps, and not of the objective ``chance``.
    vertices : int64 [k]

    Raises
    ------
    PositionError
        If a move leads to an index that stands for no position.
    """
    space, table, objective = solved.space, solved.table, solved.objective
    edges = space.named_edges(vertices)
    row = np.repeat(np.arange(len(vertices)), np.diff(edges.indptr))
    claims = table.values(edges.vertices), table.remoteness(edges.vertices)
    wrong = np.flatnonzero(claims[0] == INVALID)
    if len(wrong):
        raise PositionError(f"index {edges.vertices[wrong[0]]} stands for no position")
    data = edge_data(space, vertices, np.diff(edges.indptr), edges.vertices, edges.reward)
    # Few moves differ in what they are worth: each kind is asked for once.
    columns = np.broadcast_arrays(*claims, *data)
    kinds = np.zeros(len(row), np.int64)
    for column in columns:
        low, high = int(column.min(initial=0)), int(column.max(initial=0))
        kinds = kinds * (high - low + 1) + (column.astype(np.int64) - low)
    _, first, kinds = np.unique(kinds, return_index=True, return_inverse=True)
    worths = []
    for value, left, same, reward, leaves in zip(*(x[first].tolist() for x in columns), strict=True):
        edge = EdgeData(same, reward, leaves)
        key, worth, _ = objective.worth(table, -1, (value, left), edge)
        length = -1 if worth.remoteness is None else worth.remoteness
        worths.append((key, _value_of(table, worth.value), length))
    keys, values, plies = np.array(worths, np.int64).reshape(-1, 3).T[:, kinds]
    order = np.lexsort((keys, row))
    keys = keys[order]
    begins = edges.indptr[row]
    new = np.ones(len(row), bool)
    new[1:] = (keys[1:] != keys[:-1]) | (row[1:] != row[:-1])
    places = np.arange(len(row))
    ranks = np.maximum.accumulate(np.where(new, places, 0)) - begins + 1
    listed = order.tolist()
    return RankedEdges(
        edges.positions,
        edges.indptr,
        [edges.names[k] for k in listed],
        [edges.targets[k] for k in listed],
        edges.vertices[order],
        values[order],
        plies[order],
        table.codec.shown(*claims)[order].astype(np.int64),
        ranks,
        edges.results[order],
    )


UNLISTED = 1 << 40  # points that a move is worth and no position


def _value_of(table: Table, worth: Any) -> int:
    """Return the value of a result in a table, UNLISTED and its points if no position has them."""
    points: int = getattr(worth, "points", 0)
    if worth in table.codec.results:
        return table.codec.value(worth)
    return UNLISTED + points
