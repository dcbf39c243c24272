"""A solution as columns that do not depend on a library: the rows of its positions, in words.

Blocks of vertices are decoded one after another, so that little is needed beyond the columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.blocks import VERTICES_PER_BLOCK
from retrosolve.spaces.preference import best_successors
from retrosolve.tables import Table
from retrosolve.values import INVALID, Value

VALUE_LABELS = tuple(value.label for value in Value)  # by code


class Words(NamedTuple):
    """A column of few different words: ``words[codes[i]]`` in row i, nothing where the code is -1."""

    codes: NDArray[np.int8]
    words: tuple[str, ...]


class Labels(NamedTuple):
    """A column of positions or moves.

    Parameters
    ----------
    labels : object [k] or int [k]
        Text, or whole numbers.
    missing : bool [k]
    """

    labels: NDArray[Any]
    missing: NDArray[np.bool_]


Column: TypeAlias = "Words | Labels"
ColumnBlock: TypeAlias = dict[str, Column]


def outcome_columns(space: StateSpace, table: Table) -> dict[str, Column]:
    """Return one column for each property of the positions; INVALID indices are left out.

    The columns are those of :meth:`retrosolve.Solution.to_pandas`.
    """
    parts = list(outcome_blocks(space, table))
    return {name: _joined([part[name] for part in parts]) for name in parts[0]}


def outcome_blocks(space: StateSpace, table: Table, best: bool = True) -> Iterator[ColumnBlock]:
    """Yield the columns of each block of vertices, at least once; ``best`` only if it is wanted."""
    n = space.num_vertices
    for start in range(0, max(n, 1), VERTICES_PER_BLOCK):
        stop = min(start + VERTICES_PER_BLOCK, n)
        values = table.values(slice(start, stop))
        valid = np.flatnonzero(values != INVALID)
        vertices = start + valid
        part: ColumnBlock = {"position": _labels(space.labels(vertices))}
        movers = space.player(vertices)
        if movers is not None:
            part["player"] = Words(movers.astype(np.int8), space.players)
        part["value"] = _value_words(values[valid])
        if table.has_remoteness:
            plies = table.remoteness(vertices)
            part["remoteness"] = Labels(plies, plies < 0)
        if best:
            targets = best_successors(space, table, start, stop)[valid]
            part["best"] = _best(space, vertices, targets)
        yield part


def _labels(labels: NDArray[Any]) -> Labels:
    """Return a column without missing entries."""
    return Labels(labels, np.zeros(len(labels), bool))


def _value_words(values: ByteArray) -> Words:
    """Return values as words."""
    return Words(values.astype(np.int8), VALUE_LABELS)


def _best(space: StateSpace, vertices: IntArray, best: IntArray) -> Labels:
    """Return the name of the best move from each vertex; ``best`` holds its target, -1 for none."""
    missing = best < 0
    names = space.move_labels(vertices[~missing], best[~missing])
    labels = (
        np.full(len(best), None, object) if names.dtype == object else np.zeros(len(best), np.int64)
    )
    labels[~missing] = names
    return Labels(labels, missing)


def _joined(columns: list[Any]) -> Column:
    """Return the same column of several blocks as one."""
    first = columns[0]
    if isinstance(first, Words):
        return Words(np.concatenate([column.codes for column in columns]), first.words)
    return Labels(
        np.concatenate([column.labels for column in columns]),
        np.concatenate([column.missing for column in columns]),
    )
