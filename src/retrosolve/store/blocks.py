"""BlockArray: a compressed array on disk, read a block at a time without loading it.

The files are those of a sharded Zarr v3 array: shard ``c/<k>`` holds blocks that are compressed with
zstd, each followed by its CRC-32C, and ends with the place of every block and a CRC-32C of these
places. This reader serves single elements in microseconds, which a general one cannot.
"""

from __future__ import annotations

import os
import threading
import zlib
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

import google_crc32c
import numpy as np
import zstandard
from numpy.typing import NDArray

from retrosolve.errors import StoreError
from retrosolve.store.folder import damaged, failed

CHECKSUM = 4  # bytes of a CRC-32C
PLACE = np.dtype([("offset", "<u8"), ("length", "<u8")])
MAX_CACHED_BYTES = 1 << 26
MAX_COMPARED_BYTES = 1 << 16  # of a file that is compared as a whole before its first block is read

_local = threading.local()


@dataclass(frozen=True)
class BlockLayout:
    """How an array is cut into blocks and shards.

    Parameters
    ----------
    length : int
        The number of elements.
    dtype : numpy.dtype
    block, shard : int
        The number of elements of a block and of a shard, a multiple of ``block``.
    """

    length: int
    dtype: np.dtype[Any]
    block: int
    shard: int

    @property
    def num_shards(self) -> int:
        """The number of shards."""
        return -(-self.length // self.shard)


class BlockArray:
    """An array of whole numbers in compressed blocks.

    Reading is safe from several threads and after a fork: there is no lock that a fork could leave
    behind. Decompressed blocks are kept, up to 64 MiB of the last used.

    Parameters
    ----------
    layout : BlockLayout
    shards : list of (Path, file, checksum)
        The path and the open file of each shard, and the CRC-32 that is listed for it, if any.
    limit : int
        More than any element.
    """

    def __init__(
        self, layout: BlockLayout, shards: list[tuple[Path, IO[bytes], Any]], limit: int
    ) -> None:
        self.layout = layout
        self._limit = limit
        self._shards = [_Shard(layout, *shard) for shard in shards]
        self._cache: dict[int, NDArray[Any]] = {}  # the last used at the end
        self._max_cached = max(1, MAX_CACHED_BYTES // (layout.block * layout.dtype.itemsize))

    def __len__(self) -> int:
        return self.layout.length

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements."""
        return self.layout.dtype

    def read(self, start: int, stop: int) -> NDArray[Any]:
        """Return the elements ``start..stop-1``. Raises StoreError for a damaged block."""
        size = self.layout.block
        found = np.empty(stop - start, self.layout.dtype)
        for number in range(start // size, -(-stop // size)):
            first = number * size
            low, high = max(start, first), min(stop, first + size)
            cached = self._cache.get(number)
            block = self._decompress(number) if cached is None else cached
            found[low - start : high - start] = block[low - first : high - first]
        return found

    def item(self, at: int) -> int:
        """Return the element at a place. Raises StoreError for a damaged block."""
        number, place = divmod(at, self.layout.block)
        return int(self._block(number)[place])

    def take(self, at: NDArray[np.integer[Any]]) -> NDArray[Any]:
        """Return the elements at some places. Raises StoreError for a damaged block."""
        size = self.layout.block
        numbers = at // size
        if len(at) and numbers[0] == numbers[-1] and (numbers == numbers[0]).all():
            number = int(numbers[0])
            there: NDArray[Any] = self._block(number)[at - number * size]
            return there
        order = np.argsort(numbers.astype(np.min_scalar_type(len(self) // size)), kind="stable")
        ascending, numbers = at[order], numbers[order]
        cuts = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(at)]
        found = np.empty(len(at), self.layout.dtype)
        for low, high in pairwise(cuts):
            if low < high:
                number = int(numbers[low])
                found[order[low:high]] = self._block(number)[ascending[low:high] - number * size]
        return found

    def damaged(self, problem: str) -> StoreError:
        """Return the error for content that no array has."""
        return self._shards[0].damaged(problem)

    def _block(self, number: int) -> NDArray[Any]:
        """Return a decompressed block, and keep it."""
        cache = self._cache
        block = cache.pop(number, None)
        if block is None:
            block = self._decompress(number)
        cache[number] = block
        while len(cache) > self._max_cached:
            with suppress(KeyError, StopIteration, RuntimeError):  # another thread was faster
                del cache[next(iter(cache))]
        return block

    def _decompress(self, number: int) -> NDArray[Any]:
        """Return a block from its shard."""
        shard, place = divmod(number, self.layout.shard // self.layout.block)
        block = self._shards[shard].block(place)
        if int(block.max()) >= self._limit:
            raise self._shards[shard].damaged(
                f"block {place} holds {block.max()}, not below {self._limit}"
            )
        return block


class _Shard:
    """A file of blocks, read at given places: safe from several threads and after a fork.

    It is not mapped, so that an error of the disk or a file that is cut off while it is open raises an
    exception and does not end the process.
    """

    def __init__(self, layout: BlockLayout, path: Path, file: IO[bytes], checksum: Any = None) -> None:
        self._layout = layout
        self._path = path
        self._checksum = checksum
        self._places: NDArray[Any] | None = None
        self._size = os.fstat(file.fileno()).st_size
        self._handle = os.dup(file.fileno())

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            os.close(self._handle)

    def block(self, place: int) -> NDArray[Any]:
        """Return the block at a place, decompressed and checked."""
        places = self._listed()
        offset, length = int(places["offset"][place]), int(places["length"][place])
        if length < CHECKSUM or offset + length > self._size:
            raise self.damaged(f"block {place} is past its end")
        content = self._checked(offset, length, f"block {place}")
        size = self._layout.block * self._layout.dtype.itemsize
        try:
            # What a frame says of its size is what is allocated, whatever the most is.
            declared = zstandard.frame_content_size(content)
            if declared not in (-1, size):
                raise self.damaged(f"block {place} has {declared} bytes, not {size}")
            data = _decompressor().decompress(content, max_output_size=size)
        except zstandard.ZstdError as error:
            raise self.damaged(f"block {place}: {error}") from None
        if len(data) != size:
            raise self.damaged(f"block {place} has {len(data)} bytes, not {size}")
        return np.frombuffer(data, self._layout.dtype)

    def _listed(self) -> NDArray[Any]:
        """Return the places of the blocks, read and checked on first use."""
        if self._places is None:
            blocks = self._layout.shard // self._layout.block
            size = blocks * PLACE.itemsize + CHECKSUM
            if self._size < size:
                raise self.damaged(f"it has {self._size} bytes, less than {size}")
            self._compare()
            places = self._checked(self._size - size, size, "the list of its blocks")
            self._places = np.frombuffer(places, PLACE)
        return self._places

    def _compare(self) -> None:
        """Compare a small file with its checksum in the manifest. Raises StoreError.

        Blocks agree with their own checksums in the file of another solution, too. Only small files are
        likely to have the size of another one; the whole of a large one is not read for a block.
        """
        if self._checksum is None or self._size > MAX_COMPARED_BYTES:
            return
        try:
            found = zlib.crc32(os.pread(self._handle, self._size, 0))
        except OSError as error:
            raise failed("read", self._path, error) from None
        if found != self._checksum:
            raise self.damaged("it has another checksum")

    def _checked(self, offset: int, length: int, what: str) -> bytes:
        """Return a part of the file without its checksum."""
        try:
            data = os.pread(self._handle, length, offset)
        except OSError as error:
            raise failed("read", self._path, error) from None
        content = data[:-CHECKSUM]
        if len(data) < length:
            raise self.damaged(f"{what} is cut off")
        if google_crc32c.value(content) != int.from_bytes(data[-CHECKSUM:], "little"):
            raise self.damaged(f"{what} has another checksum")
        return content

    def damaged(self, problem: str) -> StoreError:
        """Return the error for this file."""
        return damaged(self._path, problem)


def _decompressor() -> zstandard.ZstdDecompressor:
    """Return the decompressor of this thread."""
    found: zstandard.ZstdDecompressor | None = getattr(_local, "decompressor", None)
    if found is None:
        found = _local.decompressor = zstandard.ZstdDecompressor()
    return found
