"""A solution saved as a directory.

Version 1 holds ``manifest.json`` and beside it the arrays as ``.npy`` files: ``value``, ``remoteness``,
``indptr``, ``indices``, and where there are any ``owner`` and ``terminal``; and ``names.json``, a list
of text and whole numbers, if the vertices have names. The manifest tells the format and version, the
counts, and the length, dtype and CRC-32 of every file. It is written last.

A directory is made under a temporary name beside its place, flushed to the disk, and renamed; so it
is there whole or not at all. Arrays are mapped into memory when it is opened, not read.

Of a game's rules only the graph is kept: its positions are named by their text, if those differ, and
the edges of a game that does not store them are written out.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray
from retrosolve.errors import FormatError, GraphError, RetrosolveError, StoreError
from retrosolve.formats.files import CHUNK, Source, brief, one_line, shown, sync_folder
from retrosolve.formats.graphfile import (
    GraphFile,
    check_claim,
    document_of,
    plain_names,
    start_of,
    stuck_word,
)
from retrosolve.formats.jsonfile import parsed
from retrosolve.formats.npz import npy_header
from retrosolve.formats.text import EXPECTED, check_read, is_text
from retrosolve.solution import Solution
from retrosolve.spaces.graph import Graph
from retrosolve.spaces.positions import GraphPositions
from retrosolve.store.folder import Folder, failed, look_into, put_in_place
from retrosolve.values import Value, stuck_value

FORMAT = "retrosolve solution"
VERSION = 1
MANIFEST = "manifest.json"
NAMES = "names.json"
ARRAYS = ("indptr", "indices", "owner", "terminal", "value", "remoteness")
NEEDED = ("indptr", "indices", "value", "remoteness")
FILES = {MANIFEST, NAMES, *(f"{name}.npy" for name in ARRAYS)}


def save(solution: Solution, path: str | Path) -> None:
    """Save a solution as a directory at ``path``.

    An older saved solution there is replaced, and stays as it was if anything fails; whatever else
    is there raises StoreError. Costs the bytes of the arrays on disk, twice while one is replaced.
    """
    target = _target(path)
    try:
        look_into(target, _check_replaceable)
        for player in solution.positions.players:
            if not is_text(player):
                raise FormatError(f"the player {shown(player)}: {EXPECTED}")
        document = document_of(solution)
        names = plain_names(document.graph)
    except FormatError as error:
        raise StoreError(f"cannot save {one_line(str(path))}: {error}") from None
    except OSError as error:
        raise failed("save", path, error) from None
    temporary = target.with_name(f".{secrets.token_hex(6)}.tmp")
    try:
        temporary.mkdir()
        _write(temporary, document, names, solution)
        sync_folder(temporary)
        put_in_place(temporary, target)
    except OSError as error:
        raise failed("save", path, error) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def open(path: str | Path, check: bool = True) -> Solution:
    """Open a saved solution; its arrays are mapped into memory.

    ``check=False`` leaves out comparing each file with its checksum, which reads all of it once.
    Raises StoreError for what is missing, damaged, or of another version.
    """
    return look_into(_target(path), lambda folder: _opened(folder, check))


def _opened(folder: Folder, check: bool) -> Solution:
    try:
        manifest = _Manifest(folder)
        if check:
            manifest.check_files()
        return manifest.solution()
    except StoreError:
        raise
    except RetrosolveError as error:
        raise StoreError(str(error)) from None


# -- saving ---------------------------------------------------------------------------------------


def _target(path: Any) -> Path:
    if not isinstance(path, str | Path):
        raise StoreError(f"{shown(path)} is not a path: expected the path of a directory")
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError) as error:
        raise StoreError(f"{shown(str(path))} cannot be a path: {brief(error)}") from None


def _check_replaceable(folder: Folder) -> None:
    """Refuse to replace anything but a saved solution with nothing else in it."""
    target = folder.path
    if isinstance(folder.missing, FileNotFoundError):
        return
    if not target.is_dir():
        raise StoreError(one_line(f"{target} is a file: expected a new path, or a saved solution"))
    there = folder.names()
    if MANIFEST not in there:
        raise StoreError(
            one_line(f"{target} is no saved solution: expected a new path, or a saved solution")
        )
    try:
        found = json.loads(folder.open(MANIFEST).read()).get("format")
    except (ValueError, AttributeError, RecursionError):
        found = None
    if found != FORMAT:
        raise StoreError(
            one_line(f"{target / MANIFEST} is not ours: expected a new path, or a saved solution")
        )
    if there - FILES:
        raise StoreError(
            one_line(
                f"{target} also holds {shown(min(there - FILES))}, which replacing it would lose: "
                "expected nothing but a saved solution"
            )
        )


def _write(
    folder: Path, document: GraphFile, names: list[str | int] | None, solution: Solution
) -> None:
    graph = document.graph
    arrays = {
        "indptr": graph.indptr,
        "indices": graph.indices,
        "owner": graph.owner,
        "terminal": graph.terminal,
        "value": document.value,
        "remoteness": document.remoteness,
    }
    files: dict[str, dict[str, Any]] = {}
    for name, array in arrays.items():
        if array is not None:
            file = f"{name}.npy"
            _write_file(folder / file, _npy(array))
            files[file] = {"dtype": array.dtype.str, "length": len(array)}
    if names is not None:
        _write_file(folder / NAMES, json.dumps(names, indent=0).encode())
        files[NAMES] = {"length": len(names)}
    for file, told in files.items():
        with (folder / file).open("rb") as opened:
            told["crc32"] = _crc32(opened)
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "vertices": graph.vertices,
        "edges": graph.edges,
        "solver": solution.solver,
        "stuck": document.stuck,
        "start": None if document.start is None else graph.vertex(document.start),
        "players": list(solution.positions.players),
        "counts": {value.label: count for value, count in solution.counts().items()},
        "files": files,
    }
    _write_file(folder / MANIFEST, (json.dumps(manifest, indent=1) + "\n").encode())


def _npy(array: NDArray[Any]) -> Callable[[Any], None]:
    return lambda file: np.save(file, array, allow_pickle=False)


def _write_file(path: Path, data: bytes | Callable[[Any], None]) -> None:
    with path.open("xb") as file:
        if isinstance(data, bytes):
            file.write(data)
        else:
            data(file)
        file.flush()
        os.fsync(file.fileno())


def _crc32(file: IO[bytes]) -> int:
    crc = 0
    while part := file.read(CHUNK):
        crc = zlib.crc32(part, crc)
    return crc


# -- opening --------------------------------------------------------------------------------------


def _read(file: IO[bytes], path: Path) -> bytes:
    try:
        return file.read()
    except OSError as error:
        raise failed("read", path, error) from None


class _Manifest:
    """A manifest, and the files that it names, all opened at once."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder.path
        source = Source(
            one_line(str(self.folder / MANIFEST)), _read(folder.open(MANIFEST), self.folder)
        )
        self.source = source
        self.found = parsed(source)
        if self.found.get("format") != FORMAT:
            raise source.error(f"format {shown(self.found.get('format'))}: expected {FORMAT!r}")
        version = self.found.get("version")
        if type(version) is not int or version != VERSION:
            raise source.error(f"version {shown(version)}: expected {VERSION}")
        self.vertices, self.edges = self._count("vertices"), self._count("edges")
        self.files = self._files()
        self.opened = {name: folder.open(name) for name in self.files}

    def _count(self, key: str) -> int:
        number = self.found.get(key)
        if type(number) is not int or not 0 <= number < 2**62:
            raise self.source.error(f"{key} is {shown(number)}: expected a whole number, 0 or more")
        return number

    def _files(self) -> dict[str, dict[str, Any]]:
        files = self.found.get("files")
        if not isinstance(files, dict):
            raise self.source.error(f"files is {shown(files)}: expected an object")
        for name, told in files.items():
            if name not in FILES or not isinstance(told, dict):
                raise self.source.error(f"file {shown(name)}: expected {', '.join(sorted(FILES))}")
        for name in NEEDED:
            if f"{name}.npy" not in files:
                raise self.source.error(f"no file {name}.npy: expected one of each of {NEEDED}")
        return files

    def check_files(self) -> None:
        """Compare every file with its checksum."""
        for name, told in self.files.items():
            path = self.folder / name
            try:
                crc = _crc32(self.opened[name])
            except OSError as error:
                raise failed("read", path, error) from None
            if crc != told.get("crc32"):
                raise StoreError(
                    one_line(
                        f"{path} is damaged: expected checksum {shown(told.get('crc32'))}, not {crc}"
                    )
                )

    def solution(self) -> Solution:
        """Put the solution together."""
        n = self.vertices
        lengths = {"indptr": n + 1, "indices": self.edges}
        arrays = {name: self._array(name, lengths.get(name, n)) for name in ARRAYS}
        try:
            graph = Graph.from_csr(
                arrays["indptr"],
                arrays["indices"],
                arrays["owner"],
                arrays["terminal"],
                self._names(),
            )
        except GraphError as error:
            raise StoreError(one_line(f"{self.folder} holds no graph: {error}")) from None
        value, remoteness = check_claim(
            Source(one_line(str(self.folder)), b""), graph, arrays["value"], arrays["remoteness"]
        )
        assert value is not None
        assert remoteness is not None
        self._check_counts(value)
        positions = GraphPositions(graph, start_of(self.source, graph, self.found.get("start")))
        positions.players = self._players()
        stuck = stuck_value(stuck_word(self.source, self.found.get("stuck")))
        solver = self.found.get("solver")
        if not isinstance(solver, str):
            raise self.source.error(f"solver is {shown(solver)}: expected its name")
        check_read(self.source, [solver], "solver")
        return Solution(graph, value, remoteness, positions, stuck, solver)

    def _array(self, name: str, length: int) -> Any:
        """Map an array, checked to be what the manifest tells."""
        file = f"{name}.npy"
        if file not in self.files:
            return None
        path = self.folder / file
        told = self.files[file]
        opened = self.opened[file]
        try:
            opened.seek(0)
            shape, _, dtype = npy_header(opened)
            if shape != (length,) or told.get("length") != length:
                raise StoreError(one_line(f"{path} has shape {shown(shape)}: expected ({length},)"))
            if dtype.kind not in "iu" or dtype.str != told.get("dtype"):
                raise StoreError(
                    one_line(f"{path} has dtype {dtype}: expected {shown(told.get('dtype'))}")
                )
            if not length:
                return np.zeros(0, dtype)
            return np.asarray(np.memmap(opened, dtype, "r", opened.tell(), shape))
        except StoreError:
            raise
        except OSError as error:
            raise failed("read", path, error) from None
        except Exception as error:
            raise StoreError(one_line(f"{path} is damaged: {brief(error)}")) from None

    def _names(self) -> list[str | int] | None:
        if NAMES not in self.files:
            return None
        path = self.folder / NAMES
        opened = self.opened[NAMES]
        opened.seek(0)
        try:
            names = json.loads(_read(opened, path))
        except (ValueError, RecursionError) as error:
            raise StoreError(one_line(f"{path} is damaged: {brief(error)}")) from None
        if not isinstance(names, list) or len(names) != self.vertices:
            raise StoreError(one_line(f"{path} holds no list of {self.vertices} names"))
        for v, name in enumerate(names):
            if type(name) not in (str, int):
                raise StoreError(
                    one_line(
                        f"{path} has {shown(name)} for vertex {v}: expected text or a whole number"
                    )
                )
        check_read(Source(one_line(str(path)), b""), names)
        return names

    def _check_counts(self, value: IntArray) -> None:
        counts = np.bincount(value, minlength=len(Value))
        expected = {kind.label: int(counts[kind]) for kind in Value}
        if self.found.get("counts") != expected:
            raise self.source.error(
                f"counts {shown(self.found.get('counts'))}: expected {shown(expected)}"
            )

    def _players(self) -> tuple[str, str]:
        players = self.found.get("players")
        if (
            not isinstance(players, list)
            or len(players) != 2
            or not all(isinstance(player, str) for player in players)
        ):
            raise self.source.error(f"players is {shown(players)}: expected two names")
        check_read(self.source, players, "players")
        return players[0], players[1]
