"""NumPy archives, ``.npz``: the arrays of the graph. The fastest format to read.

Keys of version 1: ``version``; ``indptr`` and ``indices``, the graph in CSR form; and optionally
``owner``, ``terminal``, ``payoff`` (one a vertex), ``reward`` and ``weight`` (one an edge), ``names``
(text or whole numbers), ``players`` (two names), ``value``, ``remoteness``, ``best``, ``stuck`` (a
word) and ``start`` (a vertex number). Pickled data is never loaded.

Adjacency matrices saved by ``scipy.sparse.save_npz`` in csr format are read too: a nonzero entry at
row v and column w is the edge v -> w.
"""

from __future__ import annotations

import io
import zipfile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.errors import RetrosolveError
from retrosolve.formats.graphfile import (
    RESULT_KEYS,
    GraphFile,
    OutputFile,
    TypedFile,
    array_names,
    build_graph,
    check_writable,
)
from retrosolve.runtime import memory
from retrosolve.runtime.files import Source, error_summary, npy_header, short_repr
from retrosolve.runtime.text import check_array
from retrosolve.spaces.csr.attribute_names import are_players, find_attributes
from retrosolve.spaces.csr.validation import known_owners
from retrosolve.spaces.graph import Graph

VERSION = 1
KEYS = (
    "version", "indptr", "indices", "owner", "terminal", "payoff", "reward", "weight", "names",
    "players", "value", "remoteness", "best", "stuck", "start", *RESULT_KEYS,
)  # fmt: skip
SCIPY_KEYS = ("format", "shape", "data", "indptr", "indices")
MAX_COMPRESSION_RATIO = 1100  # deflate compresses at most 1032 to 1
EMPTY_NPY = 4096

Array = NDArray[Any]


def read(source: Source) -> GraphFile:
    """Read an archive of this package or a SciPy csr matrix. Raises FormatError."""
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
            members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
            wanted = KEYS if "format" not in members else SCIPY_KEYS
            attributes = find_attributes(members, wanted, source.error, "array")
            if attributes.unused:
                raise source.error(attributes.unused[0])
            arrays = {
                key: _array(source, archive, members[name], name)
                for key, name in attributes.columns.items()
            }
    except RetrosolveError:
        raise
    except Exception as error:
        raise source.error(f"damaged archive, {error_summary(error)}: expected a .npz file") from None
    if "format" in arrays:
        return GraphFile(_scipy_graph(source, arrays))
    file = _Archive(source, arrays)
    rows = _native(arrays["indptr"]), _native(arrays["indices"])
    return file.graph_file(*rows, file.names(), known_owners(file.numbers("owner")), file.players())


def _array(source: Source, archive: zipfile.ZipFile, member: zipfile.ZipInfo, key: str) -> Array:
    """Read one array; its declared size is checked against the bytes in the archive."""
    if member.file_size > MAX_COMPRESSION_RATIO * member.compress_size + EMPTY_NPY:
        raise source.error(f"array {key} claims {member.file_size} bytes: expected what is there")
    memory.require_free(2 * member.file_size, f"reading {source.name}")
    data = archive.read(member)
    file = io.BytesIO(data)
    shape, fortran, dtype = npy_header(file)
    if dtype.kind not in "biufcUS":
        raise source.error(f"array {key} has dtype {short_repr(str(dtype))}: expected numbers or text")
    count = 1
    for size in shape:
        count *= int(size)
    there = len(data) - file.tell()
    if min(shape, default=0) < 0 or count * dtype.itemsize != there:
        raise source.error(
            f"array {key} has shape {short_repr(shape)} and dtype {dtype} but {there} bytes: "
            "expected as many as that takes"
        )
    if dtype.itemsize == 0:
        return np.zeros(shape if count <= there else 0, dtype)
    flat: Array = np.frombuffer(data, dtype, count, file.tell())
    return flat.reshape(shape, order="F" if fortran else "C")


class _Archive(TypedFile):
    """The arrays of an archive of this package."""

    def __init__(self, source: Source, arrays: dict[str, Array]) -> None:
        super().__init__(source)
        self.arrays = arrays
        for key in ("version", "indptr", "indices"):
            if key not in arrays:
                raise source.error(f"no array {key}: expected at least version, indptr and indices")
        version = self.single("version")
        if version != VERSION:
            raise source.error(f"version {short_repr(version)}: expected {VERSION}")

    def single(self, name: str) -> Any:
        """Return an array of one number or word as a scalar."""
        array = self.arrays.get(name)
        if array is not None and (array.shape != () or array.dtype.kind not in "iuU"):
            raise self.source.error(
                f"array {name} has shape {short_repr(array.shape)} and dtype {array.dtype}: "
                "expected one number or word"
            )
        return self.labels(name)

    def labels(self, name: str) -> Any:
        """Return the items of an array of text or numbers."""
        array = self.arrays.get(name)
        return None if array is None else _items(self.source, array, name)

    def numbers(self, name: str) -> Array | None:
        """Return an array of numbers as it is."""
        return None if name not in self.arrays else _native(self.arrays[name])

    words = points = numbers

    def of_edges(self, name: str, indptr: Array) -> Array | None:
        """Return an array with a number for each edge."""
        return self.numbers(name)

    def players(self) -> tuple[str, str] | None:
        """Return the names of the players."""
        array = self.arrays.get("players")
        if array is None:
            return None
        players = self.labels("players")
        if not are_players(players):
            raise self.source.error(
                f"array players is {short_repr(players)}: expected two names that differ"
            )
        return players[0], players[1]

    def names(self) -> list[Any] | None:
        """Return the names of the vertices."""
        array = self.arrays.get("names")
        if array is not None and (array.ndim != 1 or array.dtype.kind not in "iuU"):
            raise self.source.error(
                f"array names has shape {short_repr(array.shape)} and dtype {array.dtype}: "
                "expected a flat list of text or whole numbers"
            )
        names: list[Any] | None = self.labels("names")
        return names


def _items(source: Source, array: Array, key: str) -> Any:
    """Return the items of an array of text as Python objects."""
    if array.dtype.kind == "U":
        check_array(source, array, key)
    return array.tolist()


def _native(array: Array) -> Array:
    """Return an array in native byte order and aligned, copied only if necessary."""
    return np.require(array, array.dtype.newbyteorder("="), "A")


def _scipy_graph(source: Source, arrays: dict[str, Array]) -> Graph:
    """Return the graph of a SciPy csr matrix."""
    kind = arrays["format"]
    if kind.shape != () or kind.dtype.kind not in "SU":
        raise source.error(
            f"array format has shape {short_repr(kind.shape)} and dtype {kind.dtype}: expected one word"
        )
    word = _items(source, kind, "format")
    if word not in (b"csr", "csr"):
        raise source.error(
            f"a sparse matrix of format {short_repr(word)}: expected csr, which A.tocsr() gives"
        )
    missing = [key for key in SCIPY_KEYS if key not in arrays]
    if missing:
        raise source.error(f"no array {missing[0]}: expected a csr matrix of scipy.sparse.save_npz")
    shape, data = arrays["shape"], arrays["data"]
    indptr, indices = _native(arrays["indptr"]), _native(arrays["indices"])
    square = shape.shape == (2,) and shape.dtype.kind in "iu" and shape[0] == shape[1]
    if not square or indptr.shape != (int(shape[0]) + 1,):
        raise source.error(
            f"a matrix of shape {short_repr(shape.tolist())} with {indptr.size} row starts: "
            "expected a square one, with one row start more than rows"
        )
    if data.shape != indices.shape or data.dtype.kind not in "biufc":
        raise source.error(f"{data.size} entries for {indices.size} places: expected a number for each")
    graph = build_graph(source, lambda: Graph.from_csr(indptr, indices))
    there = data != 0
    if there.all():
        return graph
    kept = np.zeros(len(data) + 1, np.int64)
    np.cumsum(there, out=kept[1:])
    return Graph.from_csr(kept[graph.indptr], graph.indices[there])


def write(graph_file: GraphFile) -> list[OutputFile]:
    """Return the file to write, an uncompressed archive."""
    graph = graph_file.graph
    arrays = {
        "version": VERSION,
        "indptr": graph.indptr,
        "indices": graph.indices,
        "names": _name_array(array_names(graph)),
        "players": _name_array(None if graph_file.players is None else list(graph_file.players)),
    } | graph_file.entries()
    there: dict[str, Any] = {
        key: np.asarray(array) for key, array in arrays.items() if array is not None
    }
    return [OutputFile(lambda file: np.savez(file, **there))]


def _name_array(names: list[str] | list[int] | None) -> Array | None:
    """Return names as an array of text or numbers."""
    if names is None:
        return None
    if names and isinstance(names[0], int):
        return np.array(names, np.int64)
    texts = [str(name) for name in names]
    longest = max(map(len, texts), default=0)
    memory.check_budget(4 * longest * len(texts), "an array of the names")
    check_writable(texts, lambda name: name.endswith("\0"), "a .npz file", "no NUL at its end")
    return np.array(texts, f"U{max(longest, 1)}")
