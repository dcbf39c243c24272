"""Snapshots: the arrays of a computation in one file, written and read without a copy in memory."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import google_crc32c
import numpy as np
from numpy.typing import NDArray

from retrosolve.runtime.checkpoint import Facts
from retrosolve.runtime.files import CHUNK
from retrosolve.store.folder import damaged, failed


def write_snapshot(path: Path, arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """Write arrays into a new file and flush it to disk.

    Returns
    -------
    dict
        The file and its arrays, for :class:`SnapshotFile`.

    Raises
    ------
    OSError
    """
    with path.open("wb") as file:
        places = write_arrays(file, arrays)
        file.flush()
        os.fsync(file.fileno())
    return {"file": path.name, "arrays": places}


def write_arrays(file: IO[bytes], arrays: Mapping[str, NDArray[Any]]) -> dict[str, dict[str, Any]]:
    """Write arrays one after the other; return where each is, with its checksum. Raises OSError."""
    places: dict[str, dict[str, Any]] = {}
    offset = 0
    for name, array in arrays.items():
        flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        checksum = 0
        for start in range(0, len(flat), CHUNK):
            part = flat[start : start + CHUNK].data
            checksum = google_crc32c.extend(checksum, bytes(part))
            file.write(part)
        places[name] = {
            "offset": offset, "dtype": array.dtype.str, "shape": list(array.shape), "crc32c": checksum,
        }  # fmt: skip
        offset += len(flat)
    return places


def read_array(file: IO[bytes], place: Mapping[str, Any], out: NDArray[Any]) -> bool:
    """Read an array into another of its shape and dtype; return whether its checksum is right.

    Raises OSError.
    """
    flat = out.reshape(-1).view(np.uint8)
    checksum = 0
    file.seek(place["offset"])
    for start in range(0, len(flat), CHUNK):
        part = file.read(min(CHUNK, len(flat) - start))
        flat[start : start + len(part)] = np.frombuffer(part, np.uint8)
        checksum = google_crc32c.extend(checksum, part)
    return bool(checksum == place["crc32c"])


class SnapshotFile:
    """A snapshot as it was written.

    Parameters
    ----------
    folder : Path
    record : dict
        As returned by :func:`write_snapshot`, with "facts".
    """

    def __init__(self, folder: Path, record: dict[str, Any]) -> None:
        self.path = folder / record["file"]
        self.facts: Facts = record["facts"]
        self._arrays: dict[str, dict[str, Any]] = record["arrays"]

    @property
    def names(self) -> set[str]:
        """The names of the arrays."""
        return set(self._arrays)

    def array(self, name: str) -> NDArray[Any]:
        """Return an array. Raises StoreError."""
        place = self._arrays[name]
        out = np.empty(tuple(place["shape"]), place["dtype"])
        self.read(name, out)
        return out

    def read(self, name: str, out: NDArray[Any]) -> None:
        """Read an array into another of the same shape and dtype. Raises StoreError."""
        place = self._arrays[name]
        if list(out.shape) != place["shape"] or out.dtype.str != place["dtype"]:
            raise damaged(self.path, f"its array {name} has another shape")
        try:
            with self.path.open("rb") as file:
                sound = read_array(file, place, out)
        except OSError as error:
            raise failed("read", self.path, error) from None
        if not sound:
            raise damaged(self.path, f"its array {name} has another checksum")
