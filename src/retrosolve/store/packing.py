"""pack(): a saved solution written again, at another level of compression or without remoteness."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.errors import StoreError
from retrosolve.runtime.files import short_repr
from retrosolve.store.arrays import MappedArray, StoredArray, opened_blocks
from retrosolve.store.contents import NAMES, TABLE_ARRAYS, Saved
from retrosolve.store.directory import finish, replace, save, target_of
from retrosolve.store.folder import Folder, look_into
from retrosolve.store.manifest import CHECKSUM, FORMAT, VERSION, Manifest
from retrosolve.store.opened import Opened, opened_parts
from retrosolve.store.writer import ArrayWriter
from retrosolve.tables.coded import JoinedCodes
from retrosolve.tables.pairs import MAX_KINDS, pack_pairs
from retrosolve.tables.values_only import values_only

LEVEL = 19
LEVELS = range(1, 23)
NO_LIMIT = 1 << 63


def pack(
    path: str | Path,
    out: str | Path | None = None,
    level: int = LEVEL,
    remoteness: bool = True,
    trust_rules: bool = False,
) -> None:
    """Write a saved solution again, smaller.

    Parameters
    ----------
    path : str or Path
        The directory of the solution.
    out : str or Path, optional
        The directory to write, ``path`` by default. A saved solution there is replaced in one step.
    level : int
        The level of the compression, 1 to 22.
    remoteness : bool
        Whether to keep the remoteness. Without it, win/loss/draw takes a tenth of the size or less.
    trust_rules : bool
        Whether rules that are no part of this package may run, as for :func:`retrosolve.open`.

    Raises
    ------
    UntrustedRulesError
        To leave out the remoteness, if rules would have to run that are not trusted.
    StoreError
        If anything in the directory is damaged, or if writing fails; the old directory then stays.

    Notes
    -----
    Every file is compared with its checksum first. The rules are not needed, except without
    remoteness. The digest and the proof remain valid; leaving out the remoteness makes another digest.

    Cost: about ten times the time of saving, one block at a time in memory.

    Examples
    --------
    >>> import tempfile
    >>> import retrosolve as rs
    >>> folder = tempfile.mkdtemp() + "/loop"
    >>> rs.solve(rs.Graph.from_edges([0, 1, 1], [1, 0, 2])).save(folder)
    >>> pack(folder, folder + "-packed")
    >>> rs.open(folder + "-packed").digest() == rs.open(folder).digest()
    True
    """
    if level not in LEVELS:
        raise StoreError(f"level={short_repr(level)}: expected {LEVELS.start} to {LEVELS.stop - 1}")
    target = path if out is None else out

    def write(folder: Folder) -> None:
        _pack(Manifest(folder), target, level, remoteness, trust_rules)

    look_into(target_of(path), write)


def _pack(manifest: Manifest, target: str | Path, level: int, remoteness: bool, trusted: bool) -> None:
    """Write a solution that is held open again."""
    leaves_out = manifest.found["options"]["remoteness"] and not remoteness
    opened = Opened(manifest, trusted=trusted)
    if leaves_out:
        opened.check_rules()
    manifest.check_files()
    if leaves_out:
        save(_saved_values(opened), target, level)
    else:
        replace(target, lambda folder: _rewrite(folder, manifest, level))


def _saved_values(opened: Opened) -> Saved:
    """Return an opened solution without its remoteness, to be saved."""
    space = opened.space()
    return Saved(
        space, values_only(opened.table), opened.stuck, opened.solver, opened.num_edges,
        opened.start, opened.verified,
    )  # fmt: skip


def _rewrite(folder: Path, manifest: Manifest, level: int) -> None:
    """Write all files of a solution at another level of compression."""
    facts = {key: fact for key, fact in manifest.found.items() if key not in (CHECKSUM, "files")}
    writer = ArrayWriter(folder, {"retrosolve": {"format": FORMAT, "version": VERSION}})
    arrays = [_copied(writer, manifest, manifest.table_arrays[name], level) for name in TABLE_ARRAYS]
    arrays.append(_joined(writer, manifest, level).record())
    facts["table"] = facts["table"] | {"arrays": arrays}
    facts["arrays"] = [
        _copied(writer, manifest, array, level) for array in manifest.space_arrays.values()
    ]
    if NAMES in manifest.opened:
        manifest.opened[NAMES].seek(0)
        (folder / NAMES).write_bytes(manifest.opened[NAMES].read())
    finish(folder, facts)


def _copied(writer: ArrayWriter, manifest: Manifest, array: StoredArray, level: int) -> dict[str, Any]:
    """Write an array that holds no codes again; return its description."""
    if not array.block:
        whole = MappedArray(array, manifest.folder, manifest.opened, manifest.files).read()
        return writer.whole(array.name, whole).record()
    names = opened_blocks(array, manifest.folder, manifest.opened, NO_LIMIT, manifest.files)
    return writer.blocks(array.name, len(names), array.dtype, names.read, level).record()


def _joined(writer: ArrayWriter, manifest: Manifest, level: int) -> StoredArray:
    """Write all codes again, as one array."""
    stored = [array for array in manifest.table_arrays.values() if array.block]
    packed = any(array.codes for array in stored)
    codes = JoinedCodes(opened_parts(manifest, MAX_KINDS if packed else NO_LIMIT))
    dtype: Any = np.result_type(*(array.dtype for array in stored)) if stored else np.uint8

    def read(start: int, stop: int) -> NDArray[Any]:
        part = codes.read(start, stop)
        return pack_pairs(part) if packed else part

    return writer.blocks("table/part-0", len(codes), dtype, read, level, packed)
