"""OutcomeMapping: from positions to outcomes, decoded on demand."""

from __future__ import annotations

from collections.abc import Hashable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import ClassVar, TypeVar, overload

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.errors import GraphError, PositionError
from retrosolve.spaces import preference
from retrosolve.spaces.base import StateSpace
from retrosolve.tables import Table, summary
from retrosolve.values import Outcome, Value

D = TypeVar("D")
VALUES = tuple(Value)


class OutcomeMapping(Mapping[Hashable, Outcome]):
    """A read-only mapping from the positions of a space to their outcomes.

    Iteration decodes the table a part at a time, so it starts at once and takes little memory however
    large the table is. Like all mappings it is equal to a mapping of the same positions to the same
    outcomes, and cannot be hashed. Of solutions of one space equality compares the tables; otherwise
    it looks up each position, until one differs. :func:`retrosolve.compare` is faster there.

    Parameters
    ----------
    space : StateSpace
    table : Table
    """

    __slots__ = ("_space", "_table")

    def __init__(self, space: StateSpace, table: Table) -> None:
        self._space = space
        self._table = table

    @property
    def space(self) -> StateSpace:
        """The positions and moves that were solved."""
        return self._space

    @property
    def table(self) -> Table:
        """The value and remoteness of each vertex of ``space``."""
        return self._table

    def __getitem__(self, position: Hashable) -> Outcome:
        """Return the outcome of a position. Raises PositionError if there is no such position."""
        return preference.outcome(self.table, self.space.index(position))

    def __call__(self, position: Hashable) -> Outcome | None:
        """Return the outcome of a position, or None if there is no such position.

        ``series.map(solution)`` of pandas calls a solution, and so looks up the entries of the series
        only, text included. Were it not callable, pandas would make a Series of the whole solution.

        Examples
        --------
        >>> import pandas as pd
        >>> import retrosolve as rs
        >>> solution = rs.solve(rs.Graph.from_edges(["a"], ["b"]))
        >>> pd.Series(["b", "x"]).map(solution).tolist()
        [Outcome(value=<Value.LOSS: 2>, remoteness=0), None]
        """
        return self.get(position)

    __hash__: ClassVar[None]  # type: ignore[assignment]  # equal by content, so not hashable

    def __eq__(self, other: object) -> bool:
        """Return whether a mapping has the same positions with the same outcomes."""
        if self is other:
            return True
        if not isinstance(other, Mapping):
            return NotImplemented
        if isinstance(other, OutcomeMapping) and self.space is other.space:
            return _have_same_outcomes(self.table, other.table)
        if len(self) != len(other):
            return False
        return all(other.get(position) == outcome for position, outcome in self.items())

    @overload
    def get(self, position: Hashable, /) -> Outcome | None: ...
    @overload
    def get(self, position: Hashable, /, default: Outcome | D) -> Outcome | D: ...
    def get(self, position: Hashable, /, default: D | None = None) -> Outcome | D | None:
        """Return the outcome of a position, or ``default`` if there is no such position.

        Examples
        --------
        >>> import retrosolve as rs
        >>> solution = rs.solve(rs.Graph.from_edges(["a"], ["b"]))
        >>> print(solution.get("a"), solution.get("x"))
        WIN in 1 None
        """
        try:
            return self[position]
        except PositionError:
            return default

    def __contains__(self, position: Hashable) -> bool:
        """Return whether there is such a position."""
        return self.get(position) is not None

    def __len__(self) -> int:
        """Return the number of positions, INVALID indices not counted."""
        return sum(summary.count_values(self.table).values())

    def __iter__(self) -> Iterator[Hashable]:
        """Iterate over the positions in the order of their indices."""
        return self.where()

    def examples(self) -> dict[Value, dict[int | None, Hashable]]:
        """Return the first position of each value and remoteness that occur.

        Examples
        --------
        >>> import retrosolve as rs
        >>> rs.solve(rs.Graph.from_edges([0, 1, 2], [1, 2, 3])).examples()[rs.Value.WIN]
        {1: 2, 3: 0}
        """
        return {
            value: {plies: self.space.position(vertex) for plies, vertex in part.items()}
            for value, part in summary.first_vertices(self.table).items()
        }

    def keys(self) -> KeysView[Hashable]:
        """Return a view of the positions in the order of their indices."""
        return KeysView(self)

    def items(self) -> ItemsView[Hashable, Outcome]:
        """Return a view of the pairs of a position and its outcome, in the order of their indices.

        Examples
        --------
        >>> import retrosolve as rs
        >>> solution = rs.solve(rs.Graph.from_edges(["a"], ["b"]))
        >>> for position, outcome in solution.items():
        ...     print(position, outcome)
        a WIN in 1
        b LOSS in 0
        """
        return OutcomeItems(self)

    def values(self) -> ValuesView[Outcome]:
        """Return a view of the outcomes, in the order of the indices of their positions.

        Notes
        -----
        ``table.values()`` and ``table.remoteness()`` return arrays, which are much faster.

        Examples
        --------
        >>> import retrosolve as rs
        >>> solution = rs.solve(rs.Graph.from_edges(["a"], ["b"]))
        >>> list(map(str, solution.values())), solution.table.values().tolist()
        (['WIN in 1', 'LOSS in 0'], [1, 2])
        """
        return OutcomeValues(self)

    def where(
        self, value: Value | str | None = None, remoteness: int | None = None
    ) -> Iterator[Hashable]:
        """Return an iterator over the positions with a value, with a remoteness, or with both.

        Parameters
        ----------
        value : Value or str, optional
            A value or its label; by default any.
        remoteness : int, optional
            Plies to the end of the game; by default any.

        Returns
        -------
        iterator of hashable
            The positions in the order of their indices.

        Raises
        ------
        GraphError
            For an unknown value, and for ``remoteness`` in a solution without remoteness.

        Notes
        -----
        O(n) time for all positions. The table is decoded 65,536 vertices at a time.

        Examples
        --------
        >>> import retrosolve as rs
        >>> solution = rs.solve(rs.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4]))
        >>> list(solution.where(value="loss")), list(solution.where(remoteness=1))
        ([0, 2, 4], [3])
        """
        if isinstance(value, str):
            value = Value.parse(value)
        wanted = None if value is None else Value(value)
        if remoteness is not None:
            if isinstance(remoteness, bool) or not isinstance(remoteness, int | np.integer):
                raise GraphError(f"remoteness={remoteness!r}: expected a number of plies, or None")
            if not self.table.has_remoteness:
                raise GraphError("this solution has no remoteness: expected where(value=...) only")
        found = summary.select(self.table, wanted, remoteness)
        return (self.space.position(v) for vertices in found for v in vertices.tolist())


class OutcomeValues(ValuesView[Outcome]):
    """The outcomes of all positions."""

    _mapping: OutcomeMapping

    def __contains__(self, outcome: object) -> bool:
        """Return whether a position of the mapping has this outcome."""
        return any(each == outcome for each in self)

    def __iter__(self) -> Iterator[Outcome]:
        """Iterate over the outcomes in the order of the indices."""
        table = self._mapping.table
        return (outcome for vertices in summary.select(table) for outcome in _outcomes(table, vertices))


class OutcomeItems(ItemsView[Hashable, Outcome]):
    """The pairs of a position and its outcome."""

    _mapping: OutcomeMapping

    def __contains__(self, item: object) -> bool:
        """Return whether ``item`` is a position of the mapping and its outcome."""
        if not (isinstance(item, tuple) and len(item) == 2):
            return False
        position, outcome = item
        return bool(self._mapping.get(position) == outcome)

    def __iter__(self) -> Iterator[tuple[Hashable, Outcome]]:
        """Iterate over the pairs in the order of the indices."""
        position, table = self._mapping.space.position, self._mapping.table
        for vertices in summary.select(table):
            yield from zip(map(position, vertices.tolist()), _outcomes(table, vertices), strict=True)


def _outcomes(table: Table, vertices: IntArray) -> Iterator[Outcome]:
    """Yield the outcome of each vertex."""
    columns = table.values(vertices).tolist(), table.remoteness(vertices).tolist()
    for code, plies in zip(*columns, strict=True):
        yield Outcome(VALUES[code], None if plies < 0 else plies)


def _have_same_outcomes(one: Table, other: Table) -> bool:
    """Return whether two tables of one space have the same values and remotenesses."""
    return all(
        np.array_equal(one.values(part), other.values(part))
        and np.array_equal(one.remoteness(part), other.remoteness(part))
        for part in (slice(start, stop) for start, stop in summary.spans(one.num_vertices))
    )
