"""The manifest of a saved solution: what it lists, and the checked contents of the files it lists."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

import numpy as np

from retrosolve.errors import FormatError, GraphError, PositionError, RetrosolveError, StoreError
from retrosolve.runtime.files import (
    CHUNK,
    Source,
    error_summary,
    npy_header,
    one_line,
    short_repr,
)
from retrosolve.runtime.json_text import parse_object
from retrosolve.runtime.text import check_read
from retrosolve.spaces.base import Capability, StateSpace
from retrosolve.store.folder import Folder, failed
from retrosolve.store.specs import GIVE_GAME, space_from
from retrosolve.tables import TABLES, Table
from retrosolve.tables.summary import count_values
from retrosolve.values import INVALID, Value, stuck_value

FORMAT = "retrosolve solution"
VERSION = 2
MANIFEST = "manifest.json"
NAMES = "names.json"
ARRAYS = {
    "arrays": ("value", "remoteness"), "packed": ("words",), "bitplanes": ("planes", "place"),
    "space": ("indptr", "indices", "owner", "terminal", "positions"),
}  # fmt: skip
FILES = {MANIFEST, NAMES, *(f"{name}.npy" for names in ARRAYS.values() for name in names)}


@dataclass(frozen=True)
class Saved:
    """The contents of a saved solution.

    Parameters
    ----------
    space : StateSpace
    table : Table
    stuck : Value
        The value of having no move.
    solver : str
        The name of the algorithm.
    num_edges : int
        The number of edges of the space.
    start : int, optional
        The index of the initial position.
    """

    space: StateSpace
    table: Table
    stuck: Value
    solver: str
    num_edges: int
    start: int | None = None


def label_counts(table: Table) -> dict[str, int]:
    """Return the number of vertices of each value, ready for JSON."""
    counts = count_values(table)
    return {value.label: counts[value] for value in Value}


def crc32(file: IO[bytes]) -> int:
    """Return the CRC-32 of a file."""
    crc = 0
    while part := file.read(CHUNK):
        crc = zlib.crc32(part, crc)
    return crc


def _read(file: IO[bytes], path: Path) -> bytes:
    """Read an open file. Raises StoreError."""
    try:
        return file.read()
    except OSError as error:
        raise failed("read", path, error) from None


class Manifest:
    """A manifest and the files that it lists, all held open."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder.path
        source = Source(
            one_line(str(self.folder / MANIFEST)), _read(folder.open(MANIFEST), self.folder)
        )
        self.source = source
        self.found = parse_object(source)
        if self.found.get("format") != FORMAT:
            raise source.error(f"format {short_repr(self.found.get('format'))}: expected {FORMAT!r}")
        version = self.found.get("version")
        if type(version) is not int or version != VERSION:
            raise source.error(f"version {short_repr(version)}: expected {VERSION}")
        self.num_vertices, self.num_edges = self._count("num_vertices"), self._count("num_edges")
        self.files = self._files()
        self.opened = {name: folder.open(name) for name in self.files}

    def _count(self, key: str) -> int:
        """Return a count in the manifest, checked."""
        number = self.found.get(key)
        if type(number) is not int or not 0 <= number < 2**62:
            raise self.source.error(
                f"{key} is {short_repr(number)}: expected a whole number, 0 or more"
            )
        return number

    def _files(self) -> dict[str, dict[str, Any]]:
        """Return the descriptions of the files, checked."""
        files = self.found.get("files")
        if not isinstance(files, dict):
            raise self.source.error(f"files is {short_repr(files)}: expected an object")
        for name, described in files.items():
            if name not in FILES or not isinstance(described, dict):
                raise self.source.error(f"file {short_repr(name)}: expected {', '.join(sorted(FILES))}")
        kind = self.found.get("table")
        if type(kind) is not str or kind not in TABLES:
            raise self.source.error(f"table {short_repr(kind)}: expected one of {', '.join(TABLES)}")
        space = self.found.get("space")
        is_graph = isinstance(space, dict) and space.get("kind") == "graph"
        for name in (*ARRAYS[kind], *(("indptr", "indices") if is_graph else ())):
            if f"{name}.npy" not in files:
                raise self.source.error(f"no file {name}.npy: expected one")
        return files

    def check_files(self) -> None:
        """Compare every file with its checksum."""
        for name, described in self.files.items():
            path = self.folder / name
            try:
                crc = crc32(self.opened[name])
            except OSError as error:
                raise failed("read", path, error) from None
            if crc != described.get("crc32"):
                expected = short_repr(described.get("crc32"))
                raise StoreError(
                    one_line(f"{path} is damaged: expected checksum {expected}, not {crc}")
                )

    def saved(self, game: Any, check: bool) -> Saved:
        """Return the space and the table."""
        table, space = self._table(), self._space(game)
        for what, number in (("the space", space.num_vertices), ("the table", table.num_vertices)):
            if number != self.num_vertices:
                raise self.source.error(
                    f"num_vertices is {self.num_vertices}, but {what} has {number}: expected as many"
                )
        if Capability.CSR in space.capabilities and space.num_edges != self.num_edges:
            raise self.source.error(
                f"num_edges is {self.num_edges}, but the space has {space.num_edges}: expected as many"
            )
        if check:
            self._check_table(table, space)
        stuck, solver, start = self._stuck(), self.found.get("solver"), self.found.get("start")
        if not isinstance(solver, str):
            raise self.source.error(f"solver is {short_repr(solver)}: expected its name")
        check_read(self.source, [solver], "solver")
        check_read(self.source, list(space.players), "players")
        if start is not None and (type(start) is not int or not 0 <= start < self.num_vertices):
            raise self.source.error(
                f"start {short_repr(start)}: expected a vertex, 0..{self.num_vertices - 1}"
            )
        if start is not None and table.values(np.array([start]))[0] == INVALID:
            raise self.source.error(f"start {start} is no position: expected one")
        space = space.for_solution(table)
        try:
            if space.initial is not None:
                space.index(space.initial)
        except PositionError as error:
            raise self.source.error(f"the game starts from no position, {error}: {GIVE_GAME}") from None
        return Saved(space, table, stuck, solver, self.num_edges, start)

    def _table(self) -> Table:
        kind = self.found["table"]
        arrays = {name: self._array(name) for name in ARRAYS[kind]}
        try:
            return TABLES[kind].from_arrays(arrays)
        except GraphError as error:
            raise self._no_table(str(error)) from None

    def _space(self, game: Any) -> StateSpace:
        there = [name for name in ARRAYS["space"] if f"{name}.npy" in self.files]
        arrays = {name: self._array(name) for name in there}
        spec = self.found.get("space")
        if isinstance(spec, dict):
            spec = spec | {"names": self._names()}
        try:
            return space_from(spec, arrays, game)
        except FormatError as error:
            raise self.source.error(str(error)) from None

    def _no_table(self, problem: str) -> StoreError:
        """Return the error for arrays that are no table."""
        return StoreError(one_line(f"{self.folder} holds no table: {problem}"))

    def _stuck(self) -> Value:
        """Return the value of having no move."""
        try:
            return stuck_value(self.found.get("stuck"))  # type: ignore[arg-type]
        except RetrosolveError:
            word = short_repr(self.found.get("stuck"))
            raise self.source.error(f"stuck {word}: expected loss, win or tie") from None

    def _array(self, name: str) -> Any:
        """Map an array into memory, checking it against the manifest."""
        file = f"{name}.npy"
        path = self.folder / file
        described = self.files[file]
        opened = self.opened[file]
        try:
            opened.seek(0)
            shape, columns_first, dtype = npy_header(opened)
            if list(shape) != described.get("shape"):
                raise StoreError(
                    one_line(
                        f"{path} has shape {short_repr(shape)}: "
                        f"expected {short_repr(described.get('shape'))}"
                    )
                )
            if dtype.kind not in "iu" or dtype.str != described.get("dtype"):
                raise StoreError(
                    one_line(f"{path} has dtype {dtype}: expected {short_repr(described.get('dtype'))}")
                )
            order: Literal["F", "C"] = "F" if columns_first else "C"
            if 0 in shape:
                return np.zeros(shape, dtype)
            return np.asarray(np.memmap(opened, dtype, "r", opened.tell(), shape, order))
        except StoreError:
            raise
        except OSError as error:
            raise failed("read", path, error) from None
        except Exception as error:
            raise StoreError(one_line(f"{path} is damaged: {error_summary(error)}")) from None

    def _names(self) -> list[str | int] | None:
        """Return the names of a graph, None if it has none."""
        if NAMES not in self.files:
            return None
        path = self.folder / NAMES
        opened = self.opened[NAMES]
        opened.seek(0)
        try:
            names = json.loads(_read(opened, path))
        except (ValueError, RecursionError) as error:
            raise StoreError(one_line(f"{path} is damaged: {error_summary(error)}")) from None
        if not isinstance(names, list) or len(names) != self.num_vertices:
            raise StoreError(one_line(f"{path} holds no list of {self.num_vertices} names"))
        for v, name in enumerate(names):
            if type(name) not in (str, int):
                raise StoreError(
                    one_line(
                        f"{path} has {short_repr(name)} for vertex {v}: expected text or a whole number"
                    )
                )
        check_read(Source(one_line(str(path)), b""), names)
        return names

    def _check_table(self, table: Table, space: StateSpace) -> None:
        """Compare the table with itself, with a stored graph, and with the counts of the manifest."""
        try:
            table.check()
        except GraphError as error:
            raise self._no_table(str(error)) from None
        if Capability.CSR in space.capabilities:
            n = self.num_vertices
            wrong = (table.values() == INVALID) != (space.terminal(0, n) == INVALID)
            if wrong.any():
                v = int(wrong.argmax())
                value = int(table.values(np.array([v]))[0])
                expected = f"expected {INVALID} where the graph has no position, and only there"
                raise self._no_table(f"value of vertex {v} is {value}: {expected}")
        counts = label_counts(table)
        if self.found.get("counts") != counts:
            raise self.source.error(
                f"counts {short_repr(self.found.get('counts'))}: expected {short_repr(counts)}"
            )
