"""Saved solutions: a table and the spec of its space, as a directory.

Version 2 holds ``manifest.json``, the arrays of the table and of the space as ``.npy`` files, and
``names.json``, a list of text and whole numbers, if a graph has names. The manifest holds the format
and version, the spec of the space, the kind of table, the counts, and the shape, dtype and CRC-32 of
every file. It is written last.

A graph is saved with its edges; a game only as its spec, with the positions if compiled rules explored
them. A directory is created under a temporary name in the same folder, flushed to disk and renamed, so
that it is complete or absent. Opening maps the arrays into memory without reading them.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.errors import FormatError, RetrosolveError, StoreError
from retrosolve.runtime.files import (
    error_summary,
    one_line,
    short_repr,
    sync_folder,
)
from retrosolve.runtime.text import EXPECTED, is_text, plain_names
from retrosolve.store.folder import Folder, failed, look_into, put_in_place
from retrosolve.store.manifest import (
    FILES,
    FORMAT,
    MANIFEST,
    NAMES,
    VERSION,
    Manifest,
    Saved,
    crc32,
    label_counts,
)


def save(saved: Saved, path: str | Path) -> None:
    """Save a table and the spec of its space as a directory.

    Parameters
    ----------
    saved : Saved
    path : str or Path
        The directory. A saved solution there is replaced, or stays as it was if anything fails.

    Raises
    ------
    StoreError
        If anything but a saved solution is at ``path``, or if writing fails.

    Notes
    -----
    Takes the bytes of the arrays on disk, and those of the old solution while it is replaced.
    """
    target = _target(path)
    try:
        look_into(target, _check_replaceable)
        for player in saved.space.players:
            if not is_text(player):
                raise FormatError(f"the player {short_repr(player)}: {EXPECTED}")
        spec = saved.space.spec()
        names = plain_names(spec.pop("names", None))
    except FormatError as error:
        raise StoreError(f"cannot save {one_line(str(path))}: {error}") from None
    except OSError as error:
        raise failed("save", path, error) from None
    temporary = target.with_name(f".{secrets.token_hex(6)}.tmp")
    try:
        temporary.mkdir()
        _write(temporary, saved, spec, names)
        sync_folder(temporary)
        put_in_place(temporary, target)
    except OSError as error:
        raise failed("save", path, error) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def check_destination(path: str | Path) -> None:
    """Check, before any work, that a directory can be saved.

    Parameters
    ----------
    path : str or Path

    Raises
    ------
    StoreError
        If anything but a saved solution is at ``path``, or there is no folder for it.
    """
    target = _target(path)
    try:
        look_into(target, _check_replaceable)
        if not target.parent.is_dir() or not os.access(target.parent, os.W_OK):
            raise StoreError(one_line(f"cannot save {path}: {target.parent} is no writable folder"))
    except OSError as error:
        raise failed("save", path, error) from None


def load(path: str | Path, game: Any = None, check: bool = True) -> Saved:
    """Open a saved solution; its arrays are mapped into memory.

    Parameters
    ----------
    path : str or Path
        The directory.
    game : Game or CompiledGame, optional
        The game that was solved, to be used instead of building it from its spec.
    check : bool
        Whether to compare each file with its checksum, which reads every file once.

    Returns
    -------
    Saved

    Raises
    ------
    StoreError
        If a file is missing, damaged or of another version, or if the rules have changed.
    """
    return look_into(_target(path), lambda folder: _loaded(folder, game, check))


def _loaded(folder: Folder, game: Any, check: bool) -> Saved:
    """Return the contents of a folder that is held open."""
    try:
        manifest = Manifest(folder)
        if check:
            manifest.check_files()
        return manifest.saved(game, check)
    except StoreError:
        raise
    except RetrosolveError as error:
        raise StoreError(str(error)) from None


def _target(path: Any) -> Path:
    """Return the absolute path of a directory. Raises StoreError."""
    if not isinstance(path, str | Path):
        raise StoreError(f"{short_repr(path)} is not a path: expected the path of a directory")
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError) as error:
        raise StoreError(f"{short_repr(str(path))} cannot be a path: {error_summary(error)}") from None


def _check_replaceable(folder: Folder) -> None:
    """Raise StoreError unless the folder is absent, or a saved solution and nothing else."""
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
                f"{target} also holds {short_repr(min(there - FILES))}, which replacing it would lose: "
                "expected nothing but a saved solution"
            )
        )


def _write(folder: Path, saved: Saved, spec: dict[str, Any], names: list[str | int] | None) -> None:
    """Write all files of a saved solution, the manifest last."""
    files: dict[str, dict[str, Any]] = {}
    for name, array in (saved.table.arrays() | saved.space.arrays()).items():
        file = f"{name}.npy"
        _write_file(folder / file, _npy(array))
        files[file] = {"dtype": array.dtype.str, "shape": list(array.shape)}
    if names is not None:
        _write_file(folder / NAMES, json.dumps(names, indent=0).encode())
        files[NAMES] = {"shape": [len(names)]}
    for file, described in files.items():
        with (folder / file).open("rb") as opened:
            described["crc32"] = crc32(opened)
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "space": spec,
        "table": saved.table.kind,
        "num_vertices": saved.space.num_vertices,
        "num_edges": saved.num_edges,
        "solver": saved.solver,
        "stuck": saved.stuck.label,
        "start": saved.start,
        "counts": label_counts(saved.table),
        "files": files,
    }
    _write_file(folder / MANIFEST, (json.dumps(manifest, indent=1) + "\n").encode())


def _npy(array: NDArray[Any]) -> Callable[[Any], None]:
    """Return a writer of an array."""
    return lambda file: np.save(file, array, allow_pickle=False)


def _write_file(path: Path, data: bytes | Callable[[Any], None]) -> None:
    """Write a new file and flush it to disk."""
    with path.open("xb") as file:
        if isinstance(data, bytes):
            file.write(data)
        else:
            data(file)
        file.flush()
        os.fsync(file.fileno())
