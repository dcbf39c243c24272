"""ArrayWriter: the arrays of a saved solution, written as Zarr v3 arrays.

Zarr's own writer takes 15 ms for an array, several copies of a shard in memory and threads that no one
limits. This one reads and compresses a few parts at a time, each in a thread of a pool.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import IO, Any

import google_crc32c
import numpy as np
import zstandard
from numpy.typing import NDArray

from retrosolve.runtime.files import CHUNK
from retrosolve.runtime.threads import ThreadPool
from retrosolve.store.arrays import METADATA, StoredArray
from retrosolve.store.bits import block_bytes
from retrosolve.store.blocks import CHECKSUM, PLACE, BlockLayout
from retrosolve.tables.pairs import PER_BYTE

SHARD_BYTES = 1 << 24
CODES_AT_ONCE, PAIRS_AT_ONCE = 1 << 19, 1 << 21  # both half a megabyte
ABSENT = 2**64 - 1  # the place of a block past the end of an array

Read = Callable[[int, int], NDArray[Any]]


class ArrayWriter:
    """Writes arrays into a Zarr group.

    Parameters
    ----------
    folder : Path
        The directory of the group, made if it is absent.
    attributes : dict
        What the group says of itself.
    """

    def __init__(self, folder: Path, attributes: dict[str, Any]) -> None:
        self._folder = folder
        self._groups: set[Path] = set()
        self._write_group(folder, attributes)

    def whole(self, name: str, array: NDArray[Any]) -> StoredArray:
        """Write an array as one chunk that can be mapped into memory."""
        dtype = array.dtype.newbyteorder("<")
        stored = StoredArray(name, dtype.str, array.shape)
        chunk = [max(size, 1) for size in array.shape]
        self._describe(stored, chunk, [_bytes(dtype), {"name": "crc32c"}])
        for path in stored.chunks():
            with self._opened(path) as file:
                _write_checked(file, np.ascontiguousarray(array, dtype).reshape(-1).view(np.uint8).data)
        return stored

    def blocks(
        self, name: str, length: int, dtype: Any, read: Read, level: int, packed: bool = False,
        pool: ThreadPool | None = None,
    ) -> StoredArray:  # fmt: skip
        """Write an array in compressed blocks.

        Parameters
        ----------
        name : str
        length : int
        dtype : dtype
        read : callable
            ``read(start, stop)`` returns a part of the array, as pairs of bits if these are to be
            written. Any thread asks for a part, in any order.
        level : int
            The level of zstd, 1 to 22.
        packed : bool
            Whether to write codes as pairs of bits; see ``tables.pairs``.
        pool : ThreadPool, optional
            By default as many threads as are allowed.

        Notes
        -----
        Takes the bytes of 2^20 codes, or of 2^21 pairs of bits, a few times over.
        """
        stored = self.empty_blocks(name, length, dtype, level, packed)
        size, each = stored.shape[0], PER_BYTE if packed else 1

        def codes(start: int, stop: int) -> NDArray[Any]:
            return read(start * each, min(stop * each, length))

        with ExitStack() as stack:
            pool = pool or stack.enter_context(ThreadPool(None, length))
            for start in range(0, size, stored.shard):
                write_shard(self._folder, stored, level, start, codes, pool)
        return stored

    def empty_blocks(
        self, name: str, length: int, dtype: Any, level: int, packed: bool = False
    ) -> StoredArray:
        """Describe an array of compressed blocks, to be filled by :func:`write_shard`."""
        kind = np.dtype(np.uint8 if packed else dtype).newbyteorder("<")
        num_bytes, each = block_bytes(packed), PER_BYTE if packed else 1
        block = num_bytes // kind.itemsize
        size, codes = -(-length // each), length if packed else 0
        # A shard lists all the blocks that it has room for.
        blocks = min(SHARD_BYTES // num_bytes, max(1, -(-size // block)))
        stored = StoredArray(name, kind.str, (size,), block, block * blocks, codes)
        inner = [
            _bytes(kind),
            {"name": "zstd", "configuration": {"level": level, "checksum": False}},
            {"name": "crc32c"},
        ]
        index = [_bytes(PLACE["offset"]), {"name": "crc32c"}]
        sharding = {
            "chunk_shape": [block], "codecs": inner, "index_codecs": index, "index_location": "end",
        }  # fmt: skip
        codecs = [{"name": "sharding_indexed", "configuration": sharding}]
        self._describe(stored, [stored.shard], codecs)
        return stored

    def _describe(self, stored: StoredArray, chunk: list[int], codecs: list[dict[str, Any]]) -> None:
        """Write the metadata of an array, and of the groups that it is in."""
        *groups, _ = stored.name.split("/")
        for depth in range(len(groups)):
            self._write_group(self._folder.joinpath(*groups[: depth + 1]), {})
        record = {
            "shape": list(stored.shape),
            "data_type": np.dtype(stored.dtype).name,
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk}},
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
            "fill_value": 0,
            "codecs": codecs,
            "attributes": {},
            "zarr_format": 3,
            "node_type": "array",
            "storage_transformers": [],
        }
        with self._opened(f"{stored.name}/{METADATA}") as file:
            file.write(_json(record))

    def _write_group(self, folder: Path, attributes: dict[str, Any]) -> None:
        """Write the metadata of a group, once."""
        if folder not in self._groups:
            self._groups.add(folder)
            folder.mkdir(parents=True, exist_ok=True)
            record = {"attributes": attributes, "zarr_format": 3, "node_type": "group"}
            (folder / METADATA).write_bytes(_json(record))

    def _opened(self, name: str) -> IO[bytes]:
        return _opened(self._folder / name)


def write_shard(
    folder: Path, stored: StoredArray, level: int, start: int, read: Read, pool: ThreadPool
) -> None:
    """Write the file of compressed blocks that begins with element ``start``. Raises OSError.

    ``read(start, stop)`` returns elements of the array, as they are stored, to any thread.
    """
    kind, block = np.dtype(stored.dtype), stored.block
    stop = min(start + stored.shard, stored.shape[0])
    shard = _Shard(stored.layout)
    step = max(block, PAIRS_AT_ONCE // PER_BYTE if stored.codes else CODES_AT_ONCE)

    def compressed(low: int) -> list[bytes]:
        return _compressed(block, level, np.asarray(read(low, min(low + step, stop)), kind))

    with _opened(folder / stored.chunks()[start // stored.shard]) as file:
        with closing(pool.ahead(compressed, range(start, stop, step))) as written:
            for blocks in written:
                shard.add(file, blocks)
        shard.finish(file)


def _opened(path: Path) -> IO[bytes]:
    """Open a new file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("xb")


def _compressed(block: int, level: int, codes: NDArray[Any]) -> list[bytes]:
    """Return codes as compressed blocks; the last one of an array is filled up with zeros."""
    compress = zstandard.ZstdCompressor(level=level).compress  # one for each thread
    if missing := -len(codes) % block:
        codes = np.concatenate([codes, np.zeros(missing, codes.dtype)])
    whole = np.ascontiguousarray(codes)
    return [compress(whole[start : start + block].data) for start in range(0, len(whole), block)]


class _Shard:
    """A file of blocks while it is written."""

    def __init__(self, layout: BlockLayout) -> None:
        self._places = np.full(layout.shard // layout.block, ABSENT, PLACE)
        self._number = self._offset = 0

    def add(self, file: IO[bytes], blocks: list[bytes]) -> None:
        """Write compressed blocks."""
        for compressed in blocks:
            length = _write_checked(file, compressed)
            self._places[self._number] = self._offset, length
            self._number += 1
            self._offset += length

    def finish(self, file: IO[bytes]) -> None:
        """Write the places of the blocks."""
        _write_checked(file, self._places.tobytes())


def _write_checked(file: IO[bytes], data: Any) -> int:
    """Write bytes and their CRC-32C; return how many bytes that makes."""
    checksum = 0
    for start in range(0, len(data), CHUNK):
        part = data[start : start + CHUNK]
        file.write(part)
        checksum = google_crc32c.extend(checksum, bytes(part))
    file.write(checksum.to_bytes(CHECKSUM, "little"))
    return len(data) + CHECKSUM


def _bytes(dtype: np.dtype[Any]) -> dict[str, Any]:
    """Return the codec of numbers as bytes."""
    if dtype.itemsize == 1:
        return {"name": "bytes"}
    return {"name": "bytes", "configuration": {"endian": "little"}}


def _json(record: dict[str, Any]) -> bytes:
    return json.dumps(record, indent=1).encode()
