"""pack(): a saved solution written again, at another level of compression or without remoteness."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from retrosolve.errors import StoreError
from retrosolve.runtime.files import short_repr
from retrosolve.store.arrays import ArrayWriter, MappedArray, StoredArray, opened_blocks
from retrosolve.store.bits import MAX_KINDS
from retrosolve.store.contents import NAMES, Saved, write_codes
from retrosolve.store.directory import finish, replace, save, target_of
from retrosolve.store.encoding import Encoder
from retrosolve.store.filling import Filling
from retrosolve.store.folder import look_into
from retrosolve.store.manifest import CHECKSUM, FORMAT, VERSION, Manifest
from retrosolve.store.opened import Opened
from retrosolve.tables.values_only import values_only

LEVEL = 19
LEVELS = range(1, 23)
NO_LIMIT = 1 << 63


def pack(
    path: str | Path, out: str | Path | None = None, level: int = LEVEL, remoteness: bool = True
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

    Raises
    ------
    StoreError
        If anything in the directory is damaged, or if writing fails; the old directory then stays.

    Notes
    -----
    Every file is compared with its checksum first. The rules are not needed, except without
    remoteness. The digest and the proof remain valid; without remoteness there is another digest.

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
    look_into(target_of(path), lambda folder: _pack(Manifest(folder), target, level, remoteness))


def _pack(manifest: Manifest, target: str | Path, level: int, remoteness: bool) -> None:
    """Write a solution that is held open again."""
    manifest.check_files()
    if manifest.found["options"]["remoteness"] and not remoteness:
        save(_saved_values(Opened(manifest)), target, level)
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
    if manifest.kind == "bitplanes":
        encoder = Encoder(Opened(manifest).table, lambda _: None)
        filling = Filling(None, encoder.dictionary, packed=True)
        facts["table"] = write_codes(writer, encoder, filling, (0,), level)
    else:
        tiers = [_copied(writer, manifest, array, level) for array in manifest.table_arrays.values()]
        facts["table"] = facts["table"] | {"arrays": tiers}
    arrays = manifest.space_arrays.values()
    facts["arrays"] = [_copied(writer, manifest, array, level) for array in arrays]
    if NAMES in manifest.opened:
        manifest.opened[NAMES].seek(0)
        (folder / NAMES).write_bytes(manifest.opened[NAMES].read())
    finish(folder, facts | {"version": VERSION})


def _copied(writer: ArrayWriter, manifest: Manifest, array: StoredArray, level: int) -> dict[str, Any]:
    """Write an array of an opened solution again; return its description."""
    if not array.block:
        whole = MappedArray(array, manifest.folder, manifest.opened).read()
        return writer.whole(array.name, whole).record()
    packed = array.codes > 0
    codes = opened_blocks(array, manifest.folder, manifest.opened, MAX_KINDS if packed else NO_LIMIT)
    return writer.blocks(array.name, len(codes), array.dtype, codes.read, level, packed).record()
