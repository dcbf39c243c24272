"""Arguments of the constructors of graphs from tables, networks, matrices and dictionaries."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from numbers import Number
from typing import Any, Protocol

import numpy as np

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.errors import GraphError
from retrosolve.spaces.csr import attribute_names, columns
from retrosolve.spaces.csr.columns import INT64_LIMIT, Column, column, is_numeric
from retrosolve.spaces.csr.ids import SortedIds
from retrosolve.spaces.csr.validation import (
    MAX_POINTS,
    Owners,
    all_or_none,
    as_array,
    has_chance,
    is_missing,
    owner_number,
    says_chance,
)
from retrosolve.values import CHANCE, NOT_TERMINAL, Value

MISSING = 255  # instead of an owner


class Frame(Protocol):
    """A data frame, a table of Arrow, or a mapping of columns."""

    def __getitem__(self, name: str, /) -> Any:
        """Return a column."""


def table_arguments(
    edges: tuple[Any, str | None, str | None], vertices: Any, vertex: str | None, owner: Any,
    terminal: Any, payoff: Any = None, reward: str | None = None, weight: str | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Return the arguments of ``Graph.from_edges`` for those of ``Graph.from_pandas``.

    Parameters
    ----------
    edges : tuple
        The table, and the names of its columns of sources and targets, None for the usual ones.
    vertices, vertex, owner, terminal, payoff, reward, weight
        See :meth:`retrosolve.Graph.from_pandas`.
    """
    table = edges[0]
    names = _ends(*edges)
    source, target = (column(pick(table, name, "edges"), name) for name in names)
    given = {"owner": owner, "terminal": terminal, "payoff": payoff}
    of_edges = {"reward": reward, "weight": weight}
    if vertices is None:
        for what, value in given.items():
            if isinstance(value, str):
                raise GraphError(
                    f"{what}={value!r} names a column of vertices=: expected that table, or a mapping"
                )
        found = {what: as_mapping(value) for what, value in given.items()}
        found |= _edge_columns(table, names, of_edges, found["owner"])
        return found | {"source": source, "target": target}
    rows = _vertex_column(vertices, vertex)
    if columns.length(source) != columns.length(target):
        raise GraphError(f"{names[0]} and {names[1]} differ in length: expected columns of one table")
    numbered = _numbered(rows, source, target)
    at = numbered.pop("rows")
    _refuse_repeated(at)
    given |= _columns_found(vertices, vertex, given)
    numbered["owner"] = None
    players: list[tuple[int, str]] = []
    for what, value in given.items():
        if not isinstance(value, str):
            numbered[what] = as_mapping(value)
            continue
        cells = columns.cells(pick(vertices, value, "vertices"))
        if len(cells) != len(at):
            raise GraphError(
                f"vertices has {len(at)} rows and {value} {len(cells)}: expected columns of one table"
            )
        if what == "player" or (what == "owner" and owner is not None and _are_text(cells)):
            players = [
                (v, str(x)) for v, x in zip(at.tolist(), cells, strict=True) if not is_missing(x)
            ]
        elif what == "owner":
            numbered[what] = _owners(cells, at, numbered["vertices"], value, numbered["names"])
        elif what == "payoff":
            numbered[what] = np.zeros(numbered["vertices"], np.int64)
            numbered[what][at] = _points(cells, value)
        else:
            numbered[what] = _terminals(cells, at, numbered["vertices"], value)
    arguments = with_players(numbered, players)
    return arguments | _edge_columns(table, names, of_edges, arguments["owner"])


def _edge_columns(
    table: Frame, ends: Sequence[str], given: Mapping[str, str | None], owner: Any
) -> dict[str, IntArray]:
    """Return the rewards and, where chance moves, the weights in a table of edges.

    Parameters
    ----------
    table : Frame
    ends : sequence of str
        The columns of sources and targets.
    given : mapping
        The columns of "reward" and "weight" that are arguments; None for the usual one.
    owner : array, mapping or None
        The owners of the graph.
    """
    chosen = {what: name for what, name in given.items() if name is not None}
    found = attribute_names.find_edge_attributes(
        [name for name in column_names(table) if name not in {*ends, *chosen.values()}],
        owner is not None and has_chance(owner),
        lambda text: GraphError(f"edges has {text}"),
        given=chosen,
    )
    if found.unused:
        raise GraphError(f"edges: {found.unused[0]}")
    for name in attribute_names.types_of_edges(column_names(table)):
        words = dict.fromkeys(columns.cells(pick(table, name, "edges")))
        attribute_names.check_directed(name, words, lambda text: GraphError(f"edges: {text}"))
    arguments: dict[str, IntArray] = {}
    for what, name in (chosen | found.columns).items():
        data = pick(table, name, "edges")
        numbers = as_array(data, name)
        arguments[what] = numbers if numbers.dtype.kind in "iu" else _points(columns.cells(data), name)
    return arguments


def _ends(table: Frame, source: str | None, target: str | None) -> tuple[str, str]:
    """Return the names of the columns of sources and targets of a table of edges."""
    if source is None and target is None:
        listed = column_names(table)
        places = attribute_names.find_ends(listed, lambda text: GraphError(f"edges has {text}"))
        if places is not None:
            return listed[places[0]], listed[places[1]]
    return source or "source", target or "target"


def _columns_found(vertices: Any, vertex: str | None, given: Mapping[str, Any]) -> dict[str, str]:
    """Return the columns of a table of vertices that are attributes and not arguments."""
    wanted = [what for what in ("owner", "terminal", "payoff") if given[what] is None]
    if given["owner"] is None or isinstance(given["owner"], str):
        wanted.append("player")
    named = {vertex, *(value for value in given.values() if isinstance(value, str))}
    found = attribute_names.find_attributes(
        [name for name in column_names(vertices) if name not in named],
        wanted,
        lambda text: GraphError(f"vertices has {text}"),
        cells=lambda name: columns.cells(pick(vertices, name, "vertices")),
    )
    if found.unused:
        raise GraphError(f"vertices: {found.unused[0]}")
    return found.columns


def with_players(arguments: dict[str, Any], labels: list[tuple[int, str]]) -> dict[str, Any]:
    """Return the arguments of ``Graph.from_edges`` with owners, and ``players`` beside them.

    Parameters
    ----------
    arguments : dict
        Their ``owner`` may be None.
    labels : list of (int, str)
        The player of each vertex that has one.
    """
    if not labels:
        return arguments
    names = arguments["names"]

    def fault(vertex: int, text: str) -> GraphError:
        return GraphError(f"vertex {vertex if names is None else names[vertex]!r}: {text}")

    owner, players = attribute_names.owners_and_players(
        arguments["owner"], labels, arguments["vertices"], fault
    )
    return arguments | {"owner": owner, "players": players}


def column_names(table: object) -> list[str]:
    """Return the names of the columns of a table. Raises GraphError for anything else."""
    if isinstance(table, Mapping):
        return list(table)
    if hasattr(table, "collect_schema") and hasattr(table, "collect"):
        raise GraphError("the table is a LazyFrame: expected a DataFrame, such as table.collect()")
    for attribute in ("column_names", "columns"):
        found = getattr(table, attribute, None)
        if found is not None:
            return list(found)
    raise GraphError(f"{type(table).__name__} is no table: expected a DataFrame")


def pick(table: Frame, name: str, what: str) -> Any:
    """Return a column of a table by its name. Raises GraphError if there is none."""
    known = column_names(table)
    if name not in known:
        listed = ", ".join(map(repr, known)) or "none"
        raise GraphError(f"{what} has no column {name!r}: expected one of {listed}")
    return table[name]


def _is_series(given: Any) -> bool:
    """Return whether something is a Series of pandas, without importing that."""
    return hasattr(given, "to_dict") and hasattr(given, "index")


def as_mapping(given: Any) -> Any:
    """Return a Series of pandas as a mapping from its index, anything else as it is.

    Raises GraphError for a label that comes twice.
    """
    if not _is_series(given):
        return given
    if not given.index.is_unique:
        label = given.index[int(np.argmax(given.index.duplicated()))]
        raise GraphError(f"{label!r} is twice in the index of a Series: expected each vertex once")
    return given.to_dict()


def by_labels(owner: Any, terminal: Any, payoff: Any) -> tuple[Any, Any, Any]:
    """Return Series of pandas that have an index of their own as mappings from it, all else as it is.

    An index that just counts the entries is none. Terminal values that say nothing are left out.
    """

    def by_label(given: Any) -> Any:
        return as_mapping(given) if _is_series(given) and not _counts(given.index) else given

    ends = by_label(terminal)
    if ends is not terminal:
        ends = {v: end for v, end in ends.items() if end or isinstance(end, Value)}
    return by_label(owner), ends, by_label(payoff)


def _counts(index: Any) -> bool:
    """Return whether an index is 0, 1, 2 and so on."""
    return index.dtype.kind in "iu" and bool((np.asarray(index) == np.arange(len(index))).all())


def _vertex_column(vertices: Any, vertex: str | None) -> Column:
    """Return the column that names the vertices."""
    if vertex is not None:
        return column(pick(vertices, vertex, "vertices"), vertex)
    index = getattr(vertices, "index", None)
    if index is None or not hasattr(index, "isna"):
        raise GraphError("vertex=None: expected the column of vertices= that names the vertex")
    return column(index, "vertices.index")


def _numbered(rows: Column, source: Column, target: Column) -> dict[str, Any]:
    """Return the edges and the rows of the vertex table as vertex numbers, and the names."""
    count = columns.length(rows)
    at: IntArray
    left: IntArray
    right: IntArray
    ends = [np.asarray(part) for part in (rows, source, target) if is_numeric(part)]
    if len(ends) == 3:
        every = np.concatenate([part.astype(np.int64) for part in ends])
        ids, numbers = np.unique(every, return_inverse=True)
        if len(ids) and ids[0] < 0:
            raise GraphError(f"vertex {ids[0]} is negative: expected 0 or more")
        numbered = len(ids) == 0 or ids[-1] == len(ids) - 1
        names: Any = None if numbered else SortedIds(ids)
        at, left, right = np.split(numbers, [count, count + columns.length(source)])
        size = len(ids)
    else:
        if count and is_numeric(rows):
            raise GraphError("vertices has numbers and edges has text: expected the same ids in both")
        if count and ends:
            raise GraphError("vertices has text and edges has numbers: expected the same ids in both")
        at, left, right, names = columns.factorize_rows(rows, source, target)
        size = len(names)
    return {"rows": at, "source": left, "target": right, "vertices": size, "names": names}


def _refuse_repeated(at: IntArray) -> None:
    """Raise GraphError if two rows of the vertex table are of one vertex."""
    if len(at) and int(np.bincount(at).max()) > 1:
        first = np.unique(at, return_index=True)[1]
        row = int(np.setdiff1d(np.arange(len(at)), first)[0])
        raise GraphError(f"vertices has row {row} for a vertex that has a row: expected one a vertex")


def _are_text(cells: Sequence[Any]) -> bool:
    """Return whether owners are the names of players."""
    present = [cell for cell in cells if not is_missing(cell)]
    return bool(present) and all(isinstance(cell, str) for cell in present)


def _is_empty(cell: Any) -> bool:
    """Return whether a cell stands for nothing."""
    return is_missing(cell) or (isinstance(cell, str) and not cell)


def _whole(cell: Any) -> int | None:
    """Return a cell as a whole number, such as 3.0 where others are missing; None for another one."""
    if isinstance(cell, bool) or not isinstance(cell, Number):
        return None
    try:
        number = int(cell)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):  # 1j, or infinite
        return None
    return number if number == cell else None


def _owners(cells: Sequence[Any], at: IntArray, size: int, what: str, names: Any) -> ByteArray | None:
    """Return the owner of each vertex; None if all cells are missing."""
    if all(map(is_missing, cells)):
        return None
    owners = np.full(size, MISSING, np.uint8)
    for row, (vertex, cell) in enumerate(zip(at.tolist(), cells, strict=True)):
        number = owner_number(cell if isinstance(cell, str) or is_missing(cell) else _whole(cell))
        if number is None:
            raise GraphError(
                f"{what}[{row}] is {cell!r}: expected 0 or 1, and names in a column 'player'"
            )
        owners[vertex] = number
    if (owners == MISSING).any():
        vertex = int(np.argmax(owners == MISSING))
        raise GraphError(
            f"{what} leaves out {int((owners == MISSING).sum())} ends of edges, such as "
            f"{vertex if names is None else names[vertex]!r}: expected all"
        )
    return owners.view(Owners) if says_chance(cells) else owners


def _terminals(cells: Iterable[Any], at: IntArray, size: int, what: str) -> ByteArray | None:
    """Return the terminal value of each vertex; None if all cells are missing."""
    ends = (Value.WIN, Value.LOSS, Value.TIE)
    codes = {"": NOT_TERMINAL} | {value.label: int(value) for value in ends}
    terminals = np.full(size, NOT_TERMINAL, np.uint8)
    for row, (vertex, cell) in enumerate(zip(at.tolist(), cells, strict=True)):
        if is_missing(cell):
            continue
        code = codes.get(cell.strip().lower()) if isinstance(cell, str) else _whole(cell)
        if code is None or code not in codes.values():
            raise GraphError(f"{what}[{row}] is {cell!r}: expected win, loss, tie or nothing")
        terminals[vertex] = code
    return terminals if terminals.any() else None


def _points(cells: Sequence[Any], what: str) -> IntArray:
    """Return payoffs, rewards or weights, 0 for a missing one."""
    points = [0 if _is_empty(cell) else _whole(cell) for cell in cells]
    for row, (number, cell) in enumerate(zip(points, cells, strict=True)):
        if number is None:
            raise GraphError(f"{what}[{row}] is {cell!r}: expected a whole number or nothing")
        if abs(number) > MAX_POINTS:
            raise GraphError(f"{what}[{row}] is {cell!r}: expected at most {MAX_POINTS}")
    return np.array(points, np.int64)


def networkx_arguments(G: Any, owner: str, terminal: str) -> dict[str, Any]:  # noqa: N803
    """Return the arguments of ``Graph.from_edges`` for a NetworkX graph of any kind.

    Parameters
    ----------
    G : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
    owner, terminal : str
        The node attributes that hold owners and terminal values.
    """
    if not hasattr(G, "adjacency"):
        raise GraphError(f"{type(G).__name__} is no network: expected a Graph or DiGraph of NetworkX")
    nodes: list[Hashable] = list(G.nodes)
    number = {node: i for i, node in enumerate(nodes)}
    parallel = G.is_multigraph()
    moves = [
        (number[u], number[v], data)
        for u, neighbors in G.adjacency()
        for v, keys in neighbors.items()
        for data in (keys.values() if parallel else (keys,))
    ]
    by_edge = [data for _, _, data in moves]
    numbered = all(type(node) is int and node == i for i, node in enumerate(nodes))
    attributes = [data for _, data in G.nodes(data=True)]
    found = _node_attributes(attributes, owner, terminal, is_solved="stuck" in G.graph)
    owners, values, players, payoffs = (
        [None if what not in found else data.get(found[what]) for data in attributes]
        for what in ("owner", "terminal", "player", "payoff")
    )
    arguments = {
        "source": np.array([u for u, _, _ in moves], np.int64),
        "target": np.array([v for _, v, _ in moves], np.int64),
        "vertices": len(nodes),
        "owner": all_or_none(owners, nodes),
        "terminal": {node: x for node, x in zip(nodes, values, strict=True) if x is not None} or None,
        "names": None if numbered else nodes,
    }
    arguments["payoff"] = {
        node: x for node, x in zip(nodes, payoffs, strict=True) if not _is_empty(x)
    } or None
    of_edges = attribute_names.find_edge_attributes(
        dict.fromkeys(name for data in by_edge for name in data),
        has_chance([*owners, *players]),
        lambda text: GraphError(f"the edges have {text}"),
        "attribute",
    )
    if of_edges.unused:
        raise GraphError(f"the edges: {of_edges.unused[0]}")
    for what, name in of_edges.columns.items():
        nothing = attribute_names.OF_EDGES[what]
        cells = [nothing if _is_empty(x := data.get(name)) else x for data in by_edge]
        arguments[what] = _points(cells, name)
    return with_players(arguments, [(v, str(x)) for v, x in enumerate(players) if x is not None])


def _node_attributes(
    attributes: list[dict[Any, Any]], owner: str, terminal: str, is_solved: bool
) -> dict[str, Any]:
    """Return the names of the node attributes that hold owners, players and terminal values.

    A network that ``to_networkx`` made has values of its solution, some without remoteness.
    """
    given = {"owner": owner, "terminal": terminal}
    chosen = {what: name for what, name in given.items() if what != name}
    names = dict.fromkeys(name for data in attributes for name in data)
    found = attribute_names.find_attributes(
        [name for name in names if name not in chosen.values()],
        [what for what in ("owner", "player", "terminal", "payoff") if what not in chosen],
        GraphError,
        "attribute",
        None if is_solved else lambda name: (data.get(name) for data in attributes),
    )
    if found.unused:
        raise GraphError(f"the nodes: {found.unused[0]}")
    return found.columns | chosen


def scipy_rows(A: Any) -> Any:  # noqa: N803
    """Return a square SciPy sparse matrix or array as CSR rows, explicit zeros left out.

    Raises GraphError if the matrix is not square.
    """
    if not hasattr(A, "tocsr"):
        raise GraphError(
            f"{type(A).__name__} is no sparse matrix: expected scipy.sparse.csr_array(A) of it"
        )
    if len(A.shape) != 2 or A.shape[0] != A.shape[1]:
        raise GraphError(f"the adjacency matrix has shape {A.shape}: expected a square one")
    rows = A.tocsr(copy=True)
    rows.eliminate_zeros()
    return rows


def entries_as_weights(rows: Any, owner: ByteArray) -> IntArray | None:
    """Return the entries of CSR rows as weights, 1 where a player moves; None if all are 1.

    Raises GraphError for an entry of chance that is no whole number above 0.
    """
    if rows.data.dtype.kind not in "biuf":
        raise GraphError(f"the matrix has dtype {rows.data.dtype}: expected weights where chance moves")
    source = np.repeat(np.arange(len(owner)), np.diff(rows.indptr))
    entries = np.where(owner[source] == CHANCE, rows.data, 1)
    wrong = ~((entries > 0) & (entries <= MAX_POINTS) & (entries == np.floor(entries)))
    if wrong.any():
        place = int(np.argmax(wrong))
        at = f"row {source[place]} and column {rows.indices[place]}"
        raise GraphError(
            f"the entry in {at} is {entries[place]}, the weight of a move of chance: expected a whole "
            f"number from 1 to {MAX_POINTS}"
        )
    weights: IntArray = entries.astype(np.int64)
    return weights if (weights != 1).any() else None


def dict_arguments(successors: Mapping[Hashable, Iterable[Hashable]]) -> dict[str, Any]:
    """Return the arguments of ``Graph.from_edges`` for a dictionary of successors."""
    if not isinstance(successors, Mapping):
        raise GraphError(
            f"{type(successors).__name__} is no dictionary: expected the successors of each vertex"
        )
    pairs: list[tuple[Hashable, Hashable]] = []
    for vertex, row in successors.items():
        if isinstance(row, str | bytes) or not isinstance(row, Iterable):
            raise GraphError(f"the successors of {vertex!r} are {row!r}: expected a list of vertices")
        pairs += [(vertex, successor) for successor in row]
    try:
        names = list(dict.fromkeys([*successors, *(successor for _, successor in pairs)]))
    except TypeError as error:
        raise GraphError(f"{error}: expected hashable vertices") from None
    found: Any = names
    if all(type(name) is int and 0 <= name < INT64_LIMIT for name in names):
        found = SortedIds(np.sort(np.array(names, np.int64)))
    number = {name: i for i, name in enumerate(found)}
    edges = np.array([(number[v], number[w]) for v, w in pairs], np.int64).reshape(-1, 2)
    return {
        "source": edges[:, 0],
        "target": edges[:, 1],
        "vertices": len(names),
        "names": None if number == {v: v for v in range(len(names))} else found,
    }


def refuse_weighted_rows(
    successors: Mapping[Hashable, Iterable[Hashable]], owner: Any, index: Callable[[Hashable], int]
) -> None:
    """Raise GraphError for a dictionary of the moves of chance, whose values may be their weights."""
    for vertex, row in successors.items():
        if isinstance(row, Mapping) and owner[index(vertex)] == CHANCE:
            raise GraphError(
                f"the successors of {vertex!r}, where chance moves, are a dictionary: expected a list, "
                "or Graph.from_edges(..., weight=...)"
            )
