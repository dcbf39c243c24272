"""Saved solutions: a table and the spec of its space, as a directory.

The directory is a Zarr v3 group. ``table/part-<k>`` holds the codes of the vertices in compressed
blocks, part after part, and ``table/value`` and ``table/remoteness`` what each code stands for.
``space/...`` holds the edges of a graph, or the positions that exploring compiled rules has found;
other games are saved only as their spec. ``names.json`` lists the names of a graph. ``manifest.json``
holds the format and version, the spec of the space with a fingerprint of the rules, the options of the
solve, the histogram, a digest of the decoded table, and the size and CRC-32 of every file. It is
written last.

A directory is created under a temporary name in the same folder, flushed to disk and renamed, so that
it is complete or absent. Opening reads the manifest and maps the arrays.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from retrosolve.errors import FormatError, RetrosolveError, StoreError
from retrosolve.runtime.files import error_summary, one_line, short_repr, sync_folder
from retrosolve.runtime.text import EXPECTED, is_text, plain_names
from retrosolve.runtime.threads import ThreadPool
from retrosolve.spaces.base import StateSpace
from retrosolve.store.arrays import file_checksum
from retrosolve.store.contents import (
    NAMES,
    Saved,
    described,
    write_dictionary,
    write_space,
    write_table,
)
from retrosolve.store.folder import Folder, failed, look_into, put_in_place, writing
from retrosolve.store.manifest import CHECKSUM, FORMAT, MANIFEST, VERSION, Manifest, sealed
from retrosolve.store.opened import Opened
from retrosolve.store.tiers import TierFiles
from retrosolve.store.writer import ArrayWriter

LEVEL = 3
ATTRIBUTES = {"retrosolve": {"format": FORMAT, "version": VERSION}}


def save(saved: Saved, path: str | Path, level: int = LEVEL) -> None:
    """Save a table and the spec of its space as a directory.

    Parameters
    ----------
    saved : Saved
    path : str or Path
        The directory. A saved solution there is replaced, or stays as it was if anything fails.
    level : int
        The level of the compression, 1 to 22.

    Raises
    ------
    StoreError
        If anything but a saved solution is at ``path``, if another process is saving there, or if
        writing fails.

    Notes
    -----
    Takes the bytes of the arrays on disk, and those of the old solution while it is replaced.
    """
    replace(path, lambda folder: _write(folder, saved, level))


def replace(path: str | Path, write: Callable[[Path], None]) -> None:
    """Write a new directory and put it in place of an older one, in one step.

    Parameters
    ----------
    path : str or Path
    write : callable
        ``write(folder)`` writes all files into an empty folder.

    Raises
    ------
    StoreError
        As for :func:`save`.
    """
    target = target_of(path)
    try:
        with writing(target) as temporary:
            look_into(target, _check_replaceable)
            write(temporary)
            put_in_place(temporary, target)
    except FormatError as error:
        raise StoreError(f"cannot save {one_line(str(path))}: {error}") from None
    except OSError as error:
        raise failed("save", path, error) from None


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
    target = target_of(path)
    try:
        look_into(target, _check_replaceable)
        if not target.parent.is_dir() or not os.access(target.parent, os.W_OK):
            raise StoreError(one_line(f"cannot save {path}: {target.parent} is no writable folder"))
    except OSError as error:
        raise failed("save", path, error) from None


def load(
    path: str | Path, game: Any = None, check: bool = False, space: StateSpace | None = None,
    trusted: bool = False,
) -> Opened:  # fmt: skip
    """Open a saved solution; its arrays are mapped into memory.

    Parameters
    ----------
    path : str or Path
        The directory.
    game : Game or CompiledGame, optional
        The game that was solved, to be used instead of building it from its spec.
    check : bool
        Whether to read everything now, and compare it with its checksums and the manifest.
    space : StateSpace, optional
        The space that was solved, if it is known to be that.
    trusted : bool
        Whether rules that are no part of this package may run.

    Returns
    -------
    Opened

    Raises
    ------
    StoreError
        If a file is missing, damaged or of another version, or if the rules have changed.
    """
    return look_into(target_of(path), lambda folder: _loaded(folder, game, check, space, trusted))


def _loaded(folder: Folder, game: Any, check: bool, space: StateSpace | None, trusted: bool) -> Opened:
    """Return the contents of a folder that is held open."""
    try:
        manifest = Manifest(folder)
        if check:
            manifest.check_files()
        opened = Opened(manifest, game, space, trusted)
        if check:
            opened.check()
        return opened
    except StoreError:
        raise
    except RetrosolveError as error:
        raise StoreError(str(error)) from None


def target_of(path: Any) -> Path:
    """Return the absolute path of a directory. Raises StoreError."""
    if not isinstance(path, str | Path) or not str(path):
        raise StoreError(f"{short_repr(path)} is not a path: expected the path of a directory")
    try:
        target = Path(os.path.realpath(path))
        if target.name:
            return target
        raise StoreError(f"{target} is no saved solution: expected the path of a directory")
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
        manifest = json.loads(folder.open(MANIFEST).read())
        found, listed = manifest.get("format"), manifest.get("files")
    except (ValueError, AttributeError, RecursionError):
        found = listed = None
    if found != FORMAT:
        raise StoreError(
            one_line(f"{target / MANIFEST} is not ours: expected a new path, or a saved solution")
        )
    known = {MANIFEST, *(listed if isinstance(listed, dict) else ())}
    for name in sorted(_files_below(target)):
        if name not in known:
            raise StoreError(
                one_line(
                    f"{target} also holds {short_repr(name)}, which replacing it would lose: "
                    "expected nothing but a saved solution"
                )
            )


def _files_below(folder: Path) -> Iterator[str]:
    """Yield the path of every file and every empty directory below a directory."""
    for parent, folders, files in os.walk(folder):
        for name in [*files, *([] if folders or files else [""])]:
            yield Path(parent, name).relative_to(folder).as_posix()


def _write(folder: Path, saved: Saved, level: int) -> None:
    """Write all files of a saved solution, the manifest last."""
    spec, names = _spec(saved)
    writer = ArrayWriter(folder, ATTRIBUTES)
    table, found = write_table(writer, saved.space, saved.table, level)
    facts = described(saved, found, saved.table.values) | {"table": table}
    _write_rest(folder, writer, saved, spec, names, facts)


def write_finished(folder: Path, saved: Saved, tiers: TierFiles) -> bytes:
    """Complete a directory that has the codes of all tiers; return its manifest.

    Parameters
    ----------
    folder : Path
    saved : Saved
        With the table of these tiers.
    tiers : TierFiles

    Raises
    ------
    FormatError
        For text that cannot be saved.
    OSError
    """
    named = {folder / record["name"] for record in tiers.records()}
    for path in (*folder.iterdir(), *(folder / "table").iterdir()):
        if path.is_file():
            path.unlink()
        elif path not in named and path.name != "table":
            shutil.rmtree(path)
    spec, names = _spec(saved)
    writer = ArrayWriter(folder, ATTRIBUTES)
    table, found, values = write_dictionary(writer, saved.space, saved.table, tiers)
    facts = described(saved, found, values) | {"table": table}
    return _write_rest(folder, writer, saved, spec, names, facts)


def _spec(saved: Saved) -> tuple[dict[str, Any], list[Any] | None]:
    """Return the spec of a space without names, and the names. Raises FormatError."""
    for player in saved.space.players:
        if not is_text(player):
            raise FormatError(f"the player {short_repr(player)}: {EXPECTED}")
    spec = saved.space.spec()
    return spec, plain_names(spec.pop("names", None))


def _write_rest(
    folder: Path, writer: ArrayWriter, saved: Saved, spec: dict[str, Any],
    names: list[Any] | None, facts: dict[str, Any],
) -> bytes:  # fmt: skip
    """Write what a directory has besides its table, the manifest last; return the manifest."""
    arrays = write_space(writer, saved.space, LEVEL)
    if names is not None:
        (folder / NAMES).write_bytes(json.dumps(names, indent=0).encode())
    head = {"format": FORMAT, "version": VERSION, "space": spec}
    return finish(folder, head | facts | {"arrays": arrays})


def finish(folder: Path, facts: dict[str, Any]) -> bytes:
    """Write the manifest of a directory whose other files are written, all flushed to disk."""
    names = sorted(_files_below(folder))
    paths = [folder / name for name in names]
    with ThreadPool(None, sum(path.stat().st_size for path in paths)) as pool:
        files = pool.map(lambda number: _flushed(paths[number]), len(paths))
    manifest = sealed(facts | {"files": dict(zip(names, files, strict=True))})
    _write_file(folder / MANIFEST, manifest)
    for parent, _, _ in os.walk(folder):
        sync_folder(Path(parent))
    return manifest


def _flushed(path: Path) -> dict[str, int]:
    """Flush a file to disk; return its size and checksum."""
    with path.open("rb") as opened:
        os.fsync(opened.fileno())
        return {"bytes": os.fstat(opened.fileno()).st_size, "crc32": file_checksum(opened)}


def amend(path: str | Path, **facts: Any) -> None:
    """Change facts in the manifest of a saved solution, such as whether every value has been proven.

    Raises
    ------
    StoreError
        If another process is saving there, or if writing fails.
    """
    target = target_of(path)
    try:
        with writing(target) as temporary:
            found = json.loads((target / MANIFEST).read_bytes())
            del found[CHECKSUM]
            _write_file(temporary / MANIFEST, sealed(found | facts))
            (temporary / MANIFEST).replace(target / MANIFEST)
            sync_folder(target)
    except OSError as error:
        raise failed("save", path, error) from None


def _write_file(path: Path, data: bytes) -> None:
    """Write a new file and flush it to disk."""
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
