"""Solutions as columns, as data frames of pandas and Polars, as tables of Arrow and graphs of NetworkX.

Blocks of vertices are decoded one after another, so that little is needed beyond the columns.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, object_array, row_bounds, spans
from retrosolve.errors import FormatError
from retrosolve.objectives.base import Codec
from retrosolve.runtime import memory
from retrosolve.runtime.files import error_text, import_library
from retrosolve.solution.preference import Solved, best_of, best_successors, ranked_moves
from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.blocks import VERTICES_PER_BLOCK
from retrosolve.spaces.csr.attribute_names import PLAYERS
from retrosolve.spaces.rule_positions import stacked_features
from retrosolve.values import CHANCE, INVALID, Mover, Value

ROWS_WITH_MOVES = 1 << 13
NULLABLE = ("remoteness", "best")
BYTES_PER_NODE = 1000
BYTES_PER_EDGE = 400


class Words(NamedTuple):
    """A column of few different words: ``words[codes[i]]`` in row i, nothing where the code is -1."""

    codes: NDArray[Any]
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


class Lists(NamedTuple):
    """A column of lists: ``items[begins[i]:begins[i + 1]]`` in row i.

    Parameters
    ----------
    begins : int64 [k + 1]
    items : list
        Text or numbers, None for a missing one.
    kind : type
        Of the items, whether there are any or not: str, int or float.
    """

    begins: NDArray[np.int64]
    items: list[Any]
    kind: type[str] | type[int] | type[float] = str

    def rows(self) -> NDArray[Any]:
        """Return a list for each row."""
        return object_array(self.items[start:stop] for start, stop in pairwise(self.begins.tolist()))


Column: TypeAlias = "Words | Labels | Lists"
ColumnBlock: TypeAlias = dict[str, Column]


def outcome_blocks(solved: Solved, best: bool = True, moves: bool = False) -> Iterator[ColumnBlock]:
    """Yield the columns of each block of vertices, at least once; some only if they are wanted."""
    n = solved.space.num_vertices
    for start in range(0, max(n, 1), VERTICES_PER_BLOCK):
        stop = min(start + VERTICES_PER_BLOCK, n)
        valid = np.flatnonzero(solved.table.values(slice(start, stop)) != INVALID)
        part = _block(solved, start + valid)
        if best and not solved.space.has_sums:  # of which none is the best successor of a vertex
            targets = best_successors(solved, start, stop)[valid]
            part["best"] = _best(solved.space, start + valid, targets)
        yield part | (_moves(solved, start + valid) if moves else {})


def move_blocks(solved: Solved, vertices: NDArray[np.int64] | None) -> Iterator[ColumnBlock]:
    """Yield the columns of some positions, by default all, with all moves; at least one block."""
    n = solved.space.num_vertices if vertices is None else len(vertices)
    for start in range(0, max(n, 1), ROWS_WITH_MOVES):
        stop = min(start + ROWS_WITH_MOVES, n)
        part = np.arange(start, stop) if vertices is None else vertices[start:stop]
        part = part[solved.table.values(part) != INVALID]
        yield _block(solved, part) | _moves(solved, part)


def sample_evenly(solved: Solved, count: int, seed: int) -> NDArray[np.int64]:
    """Return positions at random, about as many of each value and remoteness, ascending.

    Parameters
    ----------
    solved : Solution
    count : int
        How many, or all if there are fewer.
    seed : int

    Notes
    -----
    One pass over the table; memory for ``count`` positions of each value and remoteness.

    Examples
    --------
    >>> import retrosolve as rs
    >>> sample_evenly(rs.solve(rs.game("stones:n=10,take=1+2")), 4, 0).tolist()
    [1, 3, 6, 8]
    """
    rng, table = np.random.default_rng(seed), solved.table
    kinds, order, vertices = np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.int64)
    places = np.zeros(0, np.int64)
    for start, stop in spans(table.num_vertices):
        values = table.values(slice(start, stop))
        more = np.flatnonzero(values != INVALID)
        plies = table.codec.shown(values, table.remoteness(slice(start, stop)))[more].astype(np.int64)
        kinds = np.concatenate([kinds, (plies << 16) | values[more].astype(np.int64)])
        order = np.concatenate([order, rng.random(len(more))])
        vertices = np.concatenate([vertices, start + more])
        by_kind = np.lexsort((order, kinds))
        firsts = np.searchsorted(kinds[by_kind], kinds[by_kind])
        places = np.arange(len(by_kind)) - firsts  # among those of its kind
        inside = by_kind[places < count]
        places = places[places < count]
        kinds, order, vertices = kinds[inside], order[inside], vertices[inside]
    return np.sort(vertices[np.lexsort((order, places))[:count]])


def _block(solved: Solved, vertices: IntArray) -> ColumnBlock:
    """Return the columns of some positions, without moves."""
    space, table = solved.space, solved.table
    part: ColumnBlock = {"position": _labels(space.labels(vertices))}
    movers = space.player(vertices)
    if movers is not None:
        part["player"] = Words(movers.astype(np.int8), space.owners)
    values = table.values(vertices)
    part["value"] = _value_words(values, table.codec)
    for name, numbers in table.measures(vertices).items():
        part[name] = _labels(numbers)
    if table.has_remoteness:
        plies = table.codec.shown(values, table.remoteness(vertices))
        part["remoteness"] = Labels(plies, plies < 0)
    return part


def _moves(solved: Solved, vertices: IntArray) -> dict[str, Column]:
    """Return the names of all best moves, and names, values and remotenesses of all moves.

    After a throw only the moves of that throw are compared, and chance has no best moves. Bounds stand
    beside the values.
    """
    space = solved.space
    rows = [ranked_moves(solved, space.position(v), v) for v in vertices.tolist()]
    begins, kind = row_bounds(list(map(len, rows))), str if space.has_names else int
    every = [each for row in rows for each in row]
    names = [each.move.name if space.has_names else each.vertex for each in every]
    best = [best_of(row) for row in rows]
    optimal = [each.move.name if space.has_names else each.vertex for row in best for each in row]
    columns: dict[str, Column] = {
        "optimal": Lists(row_bounds(list(map(len, best))), optimal, kind),
        "moves": Lists(begins, names, kind),
        "move_values": Lists(begins, [each.value.label for each in every]),
    }
    measured: dict[str, type] = {} if solved.table.codec.points is None else {"points": int}
    if solved.table.bounds is not None:
        measured = {"low": float, "high": float}
    for name, number in measured.items():
        columns[f"move_{name}"] = Lists(begins, [getattr(each.value, name) for each in every], number)
    if solved.table.has_remoteness:
        plies = [each.move.outcome.remoteness for each in every]
        columns["move_remoteness"] = Lists(begins, plies, int)
    if space.positions.has_features:
        numbers = features(space, map(space.position, vertices.tolist()))
        ends = np.arange(len(numbers) + 1, dtype=np.int64) * numbers.shape[1]
        columns["features"] = Lists(ends, numbers.ravel().tolist(), float)
    return columns


def features(space: StateSpace, positions: Iterable[Hashable]) -> NDArray[np.float64]:
    """Return some positions in numbers; see :meth:`retrosolve.Solution.features`."""
    return stacked_features(space.text, space.positions.features, positions)


def _labels(labels: NDArray[Any]) -> Labels:
    """Return a column without missing entries."""
    return Labels(labels, np.zeros(len(labels), bool))


def _value_words(values: NDArray[Any], codec: Codec) -> Words:
    """Return values as words."""
    return Words(values.astype(np.int8 if len(codec.labels) <= 128 else np.int32), codec.labels)


def _best(space: StateSpace, vertices: IntArray, best: IntArray) -> Labels:
    """Return the name of the best move from each vertex; ``best`` holds its target, -1 for none."""
    missing = best < 0
    names = space.move_labels(vertices[~missing], best[~missing])
    labels = np.full(len(best), None if names.dtype == object else 0, names.dtype)
    labels[~missing] = names
    return Labels(labels, missing)


def columns(solved: Solved) -> dict[str, NDArray[Any]]:
    """Return one column for each property of the vertices, INVALID indices left out.

    The columns are those of :meth:`retrosolve.Solution.columns`.
    """
    space, table = solved.space, solved.table
    valid = space.valid()
    found: dict[str, NDArray[Any]] = {"vertex": valid}
    if space.has_names:
        found["name"] = object_array(map(space.position, valid.tolist()))
    owner = space.player(valid)
    if owner is not None:
        found["owner"] = owner
    terminal = space.terminal(0, space.num_vertices)[valid]
    if terminal.any():
        found["terminal"] = terminal
    found |= {"value": table.values(valid), **table.measures(valid)}
    found["remoteness"] = table.codec.shown(found["value"], table.remoteness(valid))
    return found | {"best": best_successors(solved)[valid]}


def to_pandas(solved: Solved, moves: bool) -> Any:
    """Return a DataFrame; see :meth:`retrosolve.Solution.to_pandas`."""
    pandas = import_library("pandas", "to_pandas()", "frames")
    parts = []
    for block in outcome_blocks(solved, moves=moves):
        frame: dict[str, Any] = {}
        for name, column in block.items():
            if isinstance(column, Lists):
                frame[name] = column.rows()
            elif isinstance(column, Words):
                frame[name] = pandas.Categorical.from_codes(column.codes, list(column.words))
            elif column.labels.dtype == object or name not in NULLABLE:
                frame[name] = column.labels
            else:
                frame[name] = pandas.arrays.IntegerArray(column.labels, column.missing)
        with _as_text():
            parts.append(pandas.DataFrame(frame))
    return parts[0] if len(parts) == 1 else pandas.concat(parts, ignore_index=True)


@contextmanager
def _as_text() -> Iterator[None]:
    """Raise FormatError for a name that UTF-8 cannot encode, as columns of text have it."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise FormatError(f"a table cannot hold this name: {error_text(error)}") from None


def to_arrow(solved: Solved, moves: bool) -> Any:
    """Return a table of Arrow with the columns of :func:`to_pandas`."""
    pa = import_library("pyarrow", "a table of Arrow", "frames")
    blocks = outcome_blocks(solved, moves=moves)
    return pa.concat_tables([arrow_table(pa, block) for block in blocks]).combine_chunks()


def to_polars(solved: Solved, moves: bool) -> Any:
    """Return a DataFrame of Polars with the columns of :func:`to_pandas`."""
    polars = import_library("polars", "to_polars()", None)
    return polars.from_arrow(to_arrow(solved, moves))


def arrow_table(pa: Any, columns: Mapping[str, Column]) -> Any:
    """Return columns as a table of Arrow; ``pa`` is pyarrow."""
    arrays: dict[str, Any] = {}
    kinds = {str: pa.large_string(), int: pa.int64(), float: pa.float64()}
    with _as_text():
        for name, column in columns.items():
            if isinstance(column, Words):
                arrays[name] = pa.DictionaryArray.from_arrays(
                    pa.array(column.codes), pa.array(column.words)
                )
            elif isinstance(column, Lists):
                items = pa.array(column.items, kinds[column.kind])
                arrays[name] = pa.LargeListArray.from_arrays(column.begins, items)
            else:
                kind = pa.large_string() if column.labels.dtype == object else None
                arrays[name] = pa.array(column.labels, kind, mask=column.missing)
    return pa.table(arrays)


def to_networkx(solved: Solved, stuck: Value, start: Hashable | None) -> Any:
    """Return a directed graph; see :meth:`retrosolve.Solution.to_networkx`."""
    networkx = import_library("networkx", "to_networkx()", "frames")
    space = solved.space
    size = BYTES_PER_NODE * space.num_vertices + BYTES_PER_EDGE * space.num_edges
    memory.check_budget(size, "a graph of NetworkX")
    kind = networkx.MultiDiGraph if _has_parallel_edges(space) else networkx.DiGraph
    network = kind(stuck=stuck.label)
    for add in (_add_nodes, _add_edges):
        for span in spans(space.num_vertices, VERTICES_PER_BLOCK):
            add(network, solved, *span)
    if start is not None:
        network.nodes[space.position(space.index(start))]["start"] = 1
    return network


def _has_parallel_edges(space: StateSpace) -> bool:
    """Return whether two moves from a position lead to the same one."""
    n = space.num_vertices
    for start, stop in spans(n):
        indptr, target = space.successors(start, stop)
        pairs = np.sort(np.repeat(np.arange(stop - start), np.diff(indptr)) * n + target)
        if (pairs[1:] == pairs[:-1]).any():
            return True
    return False


def _add_nodes(network: Any, solved: Solved, start: int, stop: int) -> None:
    """Add the positions of a block with their attributes."""
    space, table = solved.space, solved.table
    values = table.values(slice(start, stop))
    vertices = start + np.flatnonzero(values != INVALID)
    terminal = space.terminal(start, stop)
    movers = space.player(vertices)
    plies = table.codec.shown(values[vertices - start], table.remoteness(vertices)).tolist()
    measures, payoffs = table.measures(vertices), space.payoffs(start, stop)
    if payoffs is not None:
        over = (terminal != 0) | (np.diff(space.successors(start, stop).indptr) == 0)
    for i, v in enumerate(vertices.tolist()):
        attributes: dict[str, Any] = {"value": table.codec.labels[values[v - start]]}
        attributes |= {name: numbers[i].item() for name, numbers in measures.items()}
        if plies[i] >= 0:
            attributes["remoteness"] = plies[i]
        if movers is not None:
            by_chance = movers[i] == CHANCE
            attributes["owner"] = Mover.CHANCE.label if by_chance else int(movers[i])
            if space.players != PLAYERS:
                attributes["player"] = space.owners[movers[i]]
        if terminal[v - start]:
            attributes["terminal"] = Value(terminal[v - start]).label
        if payoffs is not None and over[v - start]:
            attributes["payoff"] = int(payoffs[v - start])
        network.add_node(space.position(v), **attributes)


def _add_edges(network: Any, solved: Solved, start: int, stop: int) -> None:
    """Add the moves from the positions of a block, best moves marked."""
    space, table = solved.space, solved.table
    valid = table.values(slice(start, stop)) != INVALID
    best = best_successors(solved, start, stop)
    indptr, indices = space.successors(start, stop)
    row = np.repeat(np.arange(stop - start), np.diff(indptr))
    keep = valid[row]
    row, target = row[keep], indices[keep]
    names = space.move_labels(start + row, target).tolist()
    data = {"reward": space.rewards(start, stop), "weight": space.weights(start, stop)}
    numbers = {name: array[keep] for name, array in data.items() if array is not None}
    to_best = np.flatnonzero(best[row] == target)
    if "reward" in numbers:  # of moves to one position the one with the most points is best
        to_best = to_best[np.lexsort((-numbers["reward"][to_best], row[to_best]))]
    is_best = np.zeros(len(row), bool)
    is_best[to_best[np.unique(row[to_best], return_index=True)[1]]] = True
    columns = {"name": names, "best": is_best.tolist()} | {k: a.tolist() for k, a in numbers.items()}
    for v, w, *cells in zip(row.tolist(), target.tolist(), *columns.values(), strict=True):
        attributes = dict(zip(columns, cells, strict=True))
        network.add_edge(space.position(start + v), space.position(w), **attributes)
