"""Snapshots of a distributed solve: a file for each partition, on any file system that fsspec knows.

Parts are read by the ranges of vertices that they hold, so a solve may go on with another number of
partitions.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrosolve.errors import StoreError
from retrosolve.runtime.memory import format_bytes
from retrosolve.store.folder import error_text
from retrosolve.store.resume import SnapshotFile, write_arrays


class SnapshotPart(NamedTuple):
    """The part of a snapshot that is of one partition.

    Parameters
    ----------
    start, stop : int
        Its vertices.
    name : str
        Its file.
    arrays : dict
        Where its arrays are in the file.
    """

    start: int
    stop: int
    name: str
    arrays: dict[str, dict[str, Any]]


def write_part(place: str, span: tuple[int, int], arrays: Mapping[str, NDArray[Any]]) -> SnapshotPart:
    """Write the part of a partition into a folder, which is made. Raises StoreError.

    Parameters
    ----------
    place : str
        A path, or an address such as ``s3://bucket/folder``.
    span : tuple of two int
        The vertices of the partition.
    arrays : mapping of str to array
        An element for each vertex.
    """
    system, folder = opened(place)
    name = f"part-{span[0]}"
    if span[0] == span[1]:
        return SnapshotPart(*span, name, {})
    path = f"{folder}/{name}"
    try:
        system.makedirs(folder, exist_ok=True)
        with system.open(path, "wb") as file:
            places = write_arrays(file, arrays)
            if "file" in system.protocol:
                file.flush()
                os.fsync(file.fileno())
    except OSError as error:
        needed = format_bytes(sum(array.nbytes for array in arrays.values()))
        raise StoreError(
            f"cannot write {path}, which needs {needed}: {error_text(error)}: "
            "expected room for it, on a file system of all machines"
        ) from None
    return SnapshotPart(*span, name, places)


def read_range(
    place: str, parts: Sequence[SnapshotPart], name: str, span: tuple[int, int]
) -> NDArray[Any]:
    """Return an array of the vertices of a partition, from all parts that have some of them.

    Raises StoreError.
    """
    system, folder = opened(place)
    ranges = []
    for part in sorted(parts):
        low, high = max(part.start, span[0]), min(part.stop, span[1])
        if low < high:
            file = SnapshotFile(f"{folder}/{part.name}", part.arrays, opened=system.open)
            ranges.append(file.array(name)[low - part.start : high - part.start])
    if not ranges:
        kinds = [part.arrays[name]["dtype"] for part in parts if part.arrays]
        return np.zeros(0, kinds[0])
    return np.concatenate(ranges)


def delete(place: str) -> None:
    """Delete the parts in a folder, if there are any."""
    system, folder = opened(place)
    if system.exists(folder):
        system.rm(folder, recursive=True)


def opened(place: str) -> tuple[Any, str]:
    """Return the file system of a place, and its path there. Raises StoreError."""
    import fsspec

    try:
        system, path = fsspec.core.url_to_fs(place)
    except (ValueError, ImportError) as error:
        raise StoreError(f"cannot use {place} for snapshots: {error}") from None
    return system, str(path)
