"""EdgeParts: a graph whose edges stay in files and are read in blocks."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, index_dtype, row_bounds
from retrosolve.errors import FormatError, GraphError
from retrosolve.external.files import (
    TABLE,
    CsvFile,
    EdgeFile,
    Edges,
    NpyFile,
    ParquetFile,
    by_number,
    check_vertices,
    checked,
    find_parts,
    named_vertices,
    prefetched,
    vertex_data,
)
from retrosolve.external.names import SortedNames, estimated_names, known_edges, least_bytes, sort_names
from retrosolve.external.solver import workspace
from retrosolve.runtime import memory as memory_budget
from retrosolve.runtime.context import ProgressCallback, check_progress, no_progress
from retrosolve.spaces.base import Capability, Csr, EdgeBlockSpace, Positions, Vertices
from retrosolve.spaces.csr import validation
from retrosolve.spaces.csr.attribute_names import USUAL, ColumnNames
from retrosolve.spaces.graph import Graph
from retrosolve.spaces.tier_window import writing_bytes

EDGES_PER_BLOCK = 1 << 16
MIN_ROW_BYTES = 4  # of CSV
BYTES_PER_VERTEX = 21  # of a solve, at least


class EdgeParts(EdgeBlockSpace):
    """A graph with edges in files: larger than memory.

    Parameters
    ----------
    place : str or Path
        A folder, a pattern such as ``"edges/*.npy"``, or one file. Edges are in ``.npy`` arrays of
        shape (k, 2), int32 or int64, in Parquet with the columns ``source`` and ``target``, and in CSV
        with rows ``source,target``. In a folder, ``owner.npy``, ``terminal.npy`` and
        ``vertices.parquet`` are not parts, but hold owners and terminal values.
    vertices : int, optional
        The number of vertices n, which are ``0..n-1``. By default the length of owners or terminal
        values, otherwise the largest number in the edges and one more, for which they are read once.
    owner, terminal : array_like [n], optional
        As for :class:`Graph`, instead of files in the folder.
    scratch : str or Path, optional
        The folder for what solving and numbering names write to disk. By default where the system
        keeps temporary files.
    memory : int or str, optional
        The most memory for numbering names, such as ``"2GB"``. By default half of what is free.
    source, target, vertex : str, optional
        The columns of files with a header that have the ends of each edge, and the column of
        ``vertices.parquet`` with the vertices, where they have other names than usual. ``owner`` and
        ``terminal`` may be columns of that table, too.
    progress : callable, optional
        Called with a :class:`Progress` now and then. The stages of numbering names are "reading names",
        "merging names" and "numbering edges".

    Raises
    ------
    FormatError
        For files that are missing, damaged, or hold anything else; the message names the file.
    GraphError
        For arguments that make no sense.
    MemoryBudgetError
        If names cannot be numbered in so little memory; in general before any work.
    StoreError
        If the disk becomes full.

    Notes
    -----
    Names are numbered in ascending order by an external merge sort, which reads the files once, and
    stay on disk. Nothing is left of temporary files, however the process ends, since they have no
    names. In memory are only owners and terminal values, a byte for each vertex. A solve adds 21 bytes
    for each vertex, and takes more memory only as far as there is some. To look up the moves of one
    position reads the files once.

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np, retrosolve as rs
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.save(f"{folder}/0.npy", np.array([[0, 1], [1, 2]], np.int32))
    ...     np.save(f"{folder}/1.npy", np.array([[3, 3]], np.int32))
    ...     parts = rs.EdgeParts(folder)
    ...     parts, str(rs.solve(parts)[0])
    (EdgeParts(vertices=4, edges=3, files=2), 'LOSS in 2')
    """

    def __init__(
        self,
        place: str | os.PathLike[str],
        vertices: int | None = None,
        owner: Any = None,
        terminal: Any = None,
        scratch: str | os.PathLike[str] | None = None,
        memory: float | str | None = None,
        progress: ProgressCallback | None = None,
        *,
        source: str | None = None,
        target: str | None = None,
        vertex: str | None = None,
    ) -> None:
        check_progress(progress)
        named = {"owner": owner, "terminal": terminal}
        of_table = {what: name for what, name in named.items() if isinstance(name, str)}
        self.columns = ColumnNames(source, target, vertex, **of_table).checked()
        self.scratch = None if scratch is None else Path(scratch)
        if self.scratch is not None and not self.scratch.is_dir():
            raise GraphError(f"scratch={str(scratch)!r}: expected a folder that exists")
        self.memory = memory_budget.parse_bytes(memory)
        self._find(place)
        arguments = {
            what: data for what, data in named.items() if data is not None and what not in of_table
        }
        if self._parts is None:
            if vertices is not None:
                raise GraphError(
                    f"vertices={vertices!r}: the files in {place} have names: expected None"
                )
            self.names: SortedNames | None
            self.names, arrays = self._number(self.memory, progress or no_progress)
            self.num_vertices: int = len(self.names)
            self._num_edges = sum(part.num_edges or 0 for part in self._edges)
        else:
            self.names = None
            arrays = self._count(vertices, arguments)
        arrays |= arguments
        n, numbers = self.num_vertices, self._numbers
        self.owner: ByteArray | None = checked(arrays.get("owner"), "owner", n, numbers)
        self.terminals: ByteArray | None = checked(arrays.get("terminal"), "terminal", n, numbers)

    def _find(self, place: str | os.PathLike[str]) -> None:
        """Find the files."""
        self._files, self._folder = find_parts(place, self.columns)
        self._unused: int | None = None  # a number that no edge of one CSV or Parquet file has
        self.place = str(Path(place).absolute())
        if self.columns.of_vertices and not (self._folder and (self._folder / TABLE).is_file()):
            raise FormatError(f"{self.place}: columns of vertices are named: expected {TABLE} there")
        named = any(file.has_names for file in self._files)
        self._parts: Sequence[EdgeFile] | None = None if named else self._files

    def _count(self, vertices: int | None, arguments: dict[str, Any]) -> dict[str, Any]:
        """Count vertices and edges; return the owners and terminal values in files."""
        arrays, count = vertex_data(self._folder, self.columns)
        by_argument = arguments.get("owner"), arguments.get("terminal")
        declared = validation.vertex_count(vertices, by_argument, None)
        if declared is not None and count is not None and declared != count:
            raise GraphError(
                f"{declared} vertices, and the files in {self._folder} are for {count}: "
                "expected the same"
            )
        self._num_edges, largest = self._scanned(declared if declared is not None else count)
        self.num_vertices = largest + 1
        return arrays

    def _number(
        self, memory: int | None, progress: ProgressCallback
    ) -> tuple[SortedNames, dict[str, Any]]:
        """Number the names; return them, and the owners and terminal values."""
        what = f"numbering the names in {self.place}"
        memory_budget.check_budget(least_bytes(self._files), what, memory)
        values, rows = named_vertices(self._folder, self._files, self.columns)
        self._parts, names, numbers = sort_names(self._files, rows, self.scratch, memory, progress)
        for part in self._files:
            if isinstance(part, CsvFile):
                part.check_header(names.numbers)
        self._numbered = names  # whose temporary files exist as long as it does
        return names, by_number(values, numbers, len(names), self._folder)

    @property
    def _numbers(self) -> Mapping[Hashable, int] | None:
        """The vertex of each name."""
        return None if self.names is None else self.names.numbers

    @property
    def _edges(self) -> Sequence[EdgeFile]:
        """The edges as numbers; those of a saved solution are numbered when they are first needed."""
        self.factorize_names()
        assert self._parts is not None
        return self._parts

    def factorize_names(
        self, memory: int | None = None, progress: ProgressCallback = no_progress
    ) -> None:
        """Number the names of vertices if that is still to be done, as for those of a saved solution.

        Parameters
        ----------
        memory : int, optional
            The bytes to use, instead of ``memory`` of the edges.
        progress : callable, optional
            As for the edges.
        """
        if self._parts is None:
            self._number(memory or self.memory, progress)

    def _scanned(self, vertices: int | None) -> tuple[int, int]:
        """Return the number of edges and the largest vertex, from headers if they suffice."""
        count = known_edges(self._edges)
        if vertices is not None and count is not None:
            return count, vertices - 1
        largest, number = -1, 0
        is_table = self._folder is None and not isinstance(self._files[0], NpyFile)
        room = (self.memory or memory_budget.available()) // BYTES_PER_VERTEX if is_table else 0
        is_end = np.zeros(0, np.bool_)
        for ends in prefetched(self._checked_blocks(EDGES_PER_BLOCK, None)):
            largest = max(largest, *(int(side.max(initial=-1)) for side in ends))
            number += len(ends[0])
            if largest < room:
                if largest >= len(is_end):
                    is_end.resize(2 * largest + 1, refcheck=False)
                for side in ends:
                    is_end[side] = True
        if largest < room and not is_end[: largest + 1].all():
            self._unused = int(is_end.argmin())
        return number, largest if vertices is None else vertices - 1

    @property
    def start(self) -> None:
        """None: there is no initial position."""
        return

    @property
    def capabilities(self) -> Capability:
        """EDGE_BLOCKS, OWNED with owners."""
        owned = Capability.NONE if self.owner is None else Capability.OWNED
        return Capability.EDGE_BLOCKS | owned

    @property
    def has_names(self) -> bool:
        """Whether vertices have names."""
        return self.names is not None

    @property
    def num_edges(self) -> int:
        """The number of edges in all files."""
        return self._num_edges

    @property
    def num_files(self) -> int:
        """The number of files of edges."""
        return len(self._files)

    @property
    def num_bytes(self) -> int:
        """The bytes of all files of edges."""
        return sum(part.num_bytes for part in self._edges)

    @property
    def numbering_bytes(self) -> int:
        """The bytes without which the names of vertices are not numbered, 0 without names."""
        return 0 if self.names is None else least_bytes(self._files)

    def edge_blocks(self, size: int = EDGES_PER_BLOCK) -> Iterator[Edges]:
        """Yield all edges, in the order of the files; another thread reads ahead.

        Parameters
        ----------
        size : int
            About how many edges to read at a time.

        Yields
        ------
        source, target : int32 or int64 [k]
            All of them vertices of the space.

        Raises
        ------
        FormatError
            For a damaged file, or a number that is no vertex.
        """
        return prefetched(self._checked_blocks(size, self.num_vertices))

    def _checked_blocks(self, size: int, vertices: int | None) -> Iterator[Edges]:
        """Yield all edges. Raises FormatError for a number that is no vertex."""
        for part in self._edges:
            before = 0
            for ends in part.blocks(size):
                check_vertices(part, ends, before, vertices)
                before += len(ends[0])
                yield ends

    def terminal(self, start: int, stop: int) -> ByteArray:
        """Return the terminal values of the vertices ``start..stop-1``, 0 where there are none."""
        if self.terminals is None:
            return np.zeros(stop - start, np.uint8)
        return self.terminals[start:stop]

    def player(self, indices: IntArray) -> ByteArray | None:
        """Return who moves at some vertices, uint8; None where the players alternate."""
        return None if self.owner is None else self.owner[indices]

    def successors(self, start: int, stop: int) -> Csr:
        """Return the edges out of the vertices ``start..stop-1``; reads all files."""
        none: IntArray = np.zeros(0, np.int64)
        sources, targets = [none], [none]
        for source, target in self.edge_blocks():
            chosen = np.flatnonzero((source >= start) & (source < stop))
            sources.append(source[chosen] - start)
            targets.append(target[chosen])
        row = np.concatenate(sources)
        indptr = row_bounds(np.bincount(row, minlength=stop - start))
        order = np.argsort(row, kind="stable")
        return Csr(indptr, np.concatenate(targets)[order].astype(index_dtype(self.num_vertices)))

    def out_degrees(self) -> IntArray:
        """Return the number of edges out of each vertex; reads all files."""
        degrees = np.zeros(self.num_vertices, index_dtype(self.num_edges))
        for source, _ in self.edge_blocks():
            np.add.at(degrees, source, 1)
        return degrees

    @property
    def positions(self) -> Positions:
        """The vertices by their names, or their numbers; to ask for moves reads all files."""
        return Vertices(self, self.names, self._numbers)

    def move_labels(self, vertices: IntArray, targets: IntArray) -> NDArray[Any]:
        """Return the names of the targets, or their numbers."""
        return self.labels(targets)

    def materialize(self) -> Graph:
        """Return a graph with all edges in memory."""
        n, m = self.num_vertices, self.num_edges
        memory_budget.check_budget(2 * m * index_dtype(n)(0).itemsize, f"reading all edges of {self!r}")
        ends = np.empty((2, m), index_dtype(n))
        place = 0
        for source, target in self.edge_blocks():
            ends[:, place : place + len(source)] = source, target
            place += len(source)
        return Graph.from_edges(ends[0], ends[1], n, self.owner, self.terminals)

    def fingerprint(self) -> str:
        """Return a digest of the names of the files, their sizes, and their beginnings and ends."""
        digest, files = hashlib.sha256(), [*self._files]
        if self.names is not None and self._folder is not None and (self._folder / TABLE).is_file():
            files.append(ParquetFile(self._folder / TABLE))
        for file in files:
            digest.update(f"{file.path.name}\0{file.fingerprint()}\n".encode())
        for array in (self.owner, self.terminals):
            digest.update(b"-" if array is None else np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()

    def content(self) -> tuple[Any, ...]:
        """Return when each file was written: edges may have changed that a fingerprint does not see."""
        return tuple(file.written() for file in self._files)

    def spec(self) -> dict[str, Any]:
        """Return where the files are, and their fingerprint."""
        return {
            "kind": "edges",
            "place": self.place,
            "vertices": self.num_vertices,
            "edges": self._num_edges,
            "fingerprint": self.fingerprint(),
        } | ({"columns": list(self.columns)} if self.columns != USUAL else {})

    def arrays(self) -> dict[str, Any]:
        """Return owners, terminal values and names where there are any; edges stay where they are."""
        arrays: dict[str, Any] = {"owner": self.owner, "terminal": self.terminals}
        if self.names is not None:
            arrays |= {"names": self.names.data, "name_stops": self.names.stops}
        return {name: array for name, array in arrays.items() if array is not None}

    def __reduce__(self) -> tuple[Any, ...]:
        vertices = self.num_vertices if self.names is None else None
        source, target, vertex, owner, terminal = self.columns
        make = functools.partial(type(self), source=source, target=target, vertex=vertex)
        data = owner or self.owner, terminal or self.terminals
        return make, (self.place, vertices, *data, self.scratch, self.memory)

    def __repr__(self) -> str:
        return (
            f"EdgeParts(vertices={self.num_vertices}, edges={self.num_edges}, files={self.num_files})"
        )


def open_edges(
    place: str,
    scratch: str | None,
    memory: int | None,
    progress: ProgressCallback,
    columns: ColumnNames = USUAL,
    saves: bool = False,
) -> EdgeParts:
    """Return the edges of a folder, a pattern or a file, to be read in blocks.

    Parameters
    ----------
    place : str
    scratch : str or None
    memory : int or None
        The budget of all that is done.
    progress : callable
    columns : ColumnNames, optional
    saves : bool
        Whether the budget is for a solution that is saved as well.

    Raises
    ------
    FormatError
        For one CSV or Parquet file of numbers with gaps: read into memory, they would be names.
    MemoryBudgetError
        Before names are numbered, if the budget is too small to solve about as many as there are.
    """
    files, folder = find_parts(place, columns)

    def least_for(names: int, edges: int) -> int:
        needed = workspace(names, edges) + (writing_bytes(names) if saves else 0)
        return max(least_bytes(files), needed)

    if memory is not None and any(file.has_names for file in files):
        rows = named_vertices(folder, files, columns)[1]
        most = sum(file.num_edges or file.num_bytes // MIN_ROW_BYTES for file in files)
        if memory < least_for(2 * most + len(rows), most):
            names, edges = estimated_names(files, rows, memory, progress)
            what = f"solving {edges} edges between about {names} names in {place}"
            memory_budget.check_budget(least_for(names, edges), what, memory)
    space = EdgeParts(place, scratch=scratch, memory=memory, progress=progress, **columns._asdict())
    if space._unused is not None:
        raise FormatError(
            f"{place} does not fit in memory, and no edge has the number {space._unused}: expected "
            f"each of 0..{space.num_vertices - 1} in some edge, or the file in a folder, where such a "
            "number is a vertex without moves"
        )
    return space


def reopened(spec: Mapping[str, Any], arrays: Mapping[str, Any]) -> EdgeParts:
    """Return the space of a specification, its files as they are now. Raises FormatError."""
    place, vertices = spec.get("place"), spec.get("vertices")
    if type(place) is not str or type(vertices) is not int or vertices < 0:
        raise FormatError("edges without place and vertices: expected both")
    owner, terminal = arrays.get("owner"), arrays.get("terminal")
    listed = spec.get("columns") or USUAL
    if not isinstance(listed, Sequence) or len(listed) != len(USUAL):
        raise FormatError(f"columns {listed!r} of edges: expected {len(USUAL)} names")
    columns = ColumnNames(*listed).checked()
    if "names" not in arrays or "name_stops" not in arrays:
        source, target, vertex = columns[:3]
        data = columns.owner or owner, columns.terminal or terminal
        return EdgeParts(place, vertices, *data, source=source, target=target, vertex=vertex)
    space = EdgeParts.__new__(EdgeParts)
    space.scratch = space.memory = None
    space.columns = columns
    space._find(place)
    space.names = SortedNames(arrays["names"], arrays["name_stops"])
    space.num_vertices, space._num_edges = vertices, int(spec.get("edges") or 0)
    if len(space.names) != vertices:
        raise FormatError(f"{len(space.names)} names of {vertices} vertices: expected one for each")
    space.owner = checked(owner, "owner", vertices)
    space.terminals = checked(terminal, "terminal", vertices)
    return space
