"""Solutions as data frames and networks of other libraries."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from retrosolve.solution.mapping import OutcomeMapping
from retrosolve.values import Value


class ExportedOutcomes(OutcomeMapping):
    """The outcomes of positions, and what other libraries make of them.

    Attributes
    ----------
    stuck : Value
        The value of a position without moves.
    start : hashable or None
        The initial position.
    """

    __slots__ = ()

    stuck: Value
    start: Hashable | None

    def to_pandas(self) -> Any:
        """Return the solution as a DataFrame of pandas, one row for each position.

        Returns
        -------
        pandas.DataFrame
            ``position``, text, or numbers where vertices are that; ``player``, who moves, if positions
            say so; ``value``, a categorical of words; ``remoteness``, missing for a DRAW; ``best``, the
            name of a best move, missing where the game is over. INVALID indices are left out.

        Raises
        ------
        FormatError
            If pandas is not installed.

        Notes
        -----
        Blocks of 2^18 vertices are decoded in turn. Names of positions and moves of rules take some
        microseconds each; those of a graph do not. :meth:`columns` returns numbers instead of words,
        :meth:`to_arrow` and :meth:`to_polars` the same columns.

        Examples
        --------
        >>> import retrosolve as rs
        >>> frame = rs.solve(rs.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"])).to_pandas()
        >>> frame[["position", "value", "remoteness"]]
          position value  remoteness
        0        a  loss           2
        1        b   win           1
        2        c  loss           0
        >>> frame["best"].tolist()[:2]
        ['b', 'c']
        """
        from retrosolve.frames import export

        return export.to_pandas(self.space, self.table)

    def to_arrow(self) -> Any:
        """Return the solution as a table of Arrow with the columns of :meth:`to_pandas`.

        Returns
        -------
        pyarrow.Table

        Raises
        ------
        FormatError
            If pyarrow is not installed.

        Notes
        -----
        Libraries that take an Arrow PyCapsule stream, as ``pyarrow.table`` does, take a solution too.

        Examples
        --------
        >>> import retrosolve as rs
        >>> table = rs.solve(rs.Graph.from_edges(["a"], ["b"])).to_arrow()
        >>> table.column_names, table["remoteness"].to_pylist()
        (['position', 'value', 'remoteness', 'best'], [1, 0])
        """
        from retrosolve.frames import export

        return export.to_arrow(self.space, self.table)

    def to_polars(self) -> Any:
        """Return the solution as a DataFrame of Polars with the columns of :meth:`to_pandas`.

        Returns
        -------
        polars.DataFrame

        Raises
        ------
        FormatError
            If Polars or pyarrow is not installed.

        Notes
        -----
        ``polars.DataFrame(solution)`` is something else: as of any mapping, it has a column for each
        position.

        Examples
        --------
        >>> import retrosolve as rs
        >>> frame = rs.solve(rs.Graph.from_edges(["a"], ["b"])).to_polars()
        >>> frame.columns, frame["value"].to_list()
        (['position', 'value', 'remoteness', 'best'], ['win', 'loss'])
        """
        from retrosolve.frames import export

        return export.to_polars(self.space, self.table)

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """Return the columns of :meth:`to_pandas` by the Arrow PyCapsule interface."""
        from retrosolve.frames import export

        return export.to_arrow(self.space, self.table).__arrow_c_stream__(requested_schema)

    def to_networkx(self) -> Any:
        """Return the positions and moves as a directed graph of NetworkX.

        Returns
        -------
        networkx.DiGraph
            Nodes are positions and have ``value``, a word, ``remoteness`` unless a DRAW, ``owner`` if
            positions say who moves, ``terminal`` where the game ends and ``start`` at the start. Edges
            have ``name`` and ``best``, True for the first of the best moves. The graph has ``stuck``.

        Raises
        ------
        FormatError
            If NetworkX is not installed.
        MemoryBudgetError
            If the graph would not fit in memory.

        Examples
        --------
        >>> import retrosolve as rs
        >>> graph = rs.solve(rs.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"])).to_networkx()
        >>> graph.nodes["b"], graph.edges["b", "c"]
        ({'value': 'win', 'remoteness': 1}, {'name': 'c', 'best': True})
        """
        from retrosolve.frames import export

        return export.to_networkx(self.space, self.table, self.stuck, self.start)
