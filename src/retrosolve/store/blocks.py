"""The arrays of a saved solution: described, written, mapped into memory, and read a block at a time.

The files are those of Zarr v3 arrays, which any Zarr library can read. Codes of tables are cut into
blocks: shard ``c/<k>`` holds blocks that are compressed with zstd, each followed by its CRC-32C, and
ends with the place of every block and a CRC-32C of these places. Other arrays are one chunk as they lie
in memory, with its CRC-32C, so that they can be mapped.

Reading and writing take no Zarr library: docs/inside/decisions.md has its cost.
"""

from __future__ import annotations

import itertools
import json
import math
import os
import threading
import zlib
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from typing import IO, Any

import google_crc32c
import numpy as np
import zstandard
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, read_only
from retrosolve.errors import StoreError
from retrosolve.runtime.files import CHUNK, failed
from retrosolve.runtime.threads import ThreadPool
from retrosolve.store.folder import damaged
from retrosolve.tables.base import BITS, MASK, PER_BYTE, SHIFTS, unpack_pairs
from retrosolve.tables.coded import Codes

METADATA = "zarr.json"
CHECKSUM = 4  # bytes of a CRC-32C
PLACE = np.dtype([("offset", "<u8"), ("length", "<u8")])
ABSENT = 2**64 - 1  # the place of a block past the end of an array
SHARD_BYTES = 1 << 24
BLOCK_BYTES = 1 << 17
PACKED_BLOCK_BYTES = 1 << 19  # these are small once compressed
CODES_AT_ONCE, PAIRS_AT_ONCE = 1 << 19, 1 << 21  # both half a megabyte
MAX_BLOCK_BYTES = 1 << 24  # before compression: as much as is decompressed for one element
MAX_CACHED_BYTES = 1 << 26
MAX_COMPARED_BYTES = 1 << 16  # of a file that is compared as a whole before its first block is read
DTYPES = frozenset(np.dtype(f"<{kind}{width}").str for kind in "iu" for width in (1, 2, 4, 8)) | {
    "|u1", "|i1", "<f8",
}  # fmt: skip

FileList = Mapping[str, Mapping[str, Any]]
Read = Callable[[int, int], NDArray[Any]]
Cache = dict[tuple[int, int], NDArray[Any]]

_local = threading.local()
_arrays = itertools.count()  # numbers of arrays, of which no two are ever alike, as their ids may be


def block_bytes(packed: bool) -> int:
    """Return the bytes of a block before compression, by whether several codes share a byte."""
    return PACKED_BLOCK_BYTES if packed else BLOCK_BYTES


@dataclass(frozen=True)
class StoredArray:
    """The description of an array in the manifest.

    Parameters
    ----------
    name : str
        Its path in the directory.
    dtype : str
        Of whole numbers, or "<f8" for bounds in one chunk, little-endian.
    shape : tuple of int
    block, shard : int
        The number of elements of a compressed block and of a shard; 0 for an array that is one chunk.
    codes : int
        The number of codes in an array of bytes that hold several each; 0 for one that does not.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    block: int = 0
    shard: int = 0
    codes: int = 0

    def record(self) -> dict[str, Any]:
        """Return the description, ready for JSON."""
        record: dict[str, Any] = {"name": self.name, "dtype": self.dtype, "shape": list(self.shape)}
        record |= {"block": self.block, "shard": self.shard} if self.block else {}
        return record | ({"codes": self.codes} if self.codes else {})

    @classmethod
    def from_record(cls, record: object) -> StoredArray | None:
        """Return the array that a record describes; None if it describes none."""
        if not isinstance(record, dict) or not set(record) <= cls.__dataclass_fields__.keys():
            return None
        name, dtype, shape = record.get("name"), record.get("dtype"), record.get("shape")
        if not isinstance(name, str) or not isinstance(dtype, str) or not isinstance(shape, list):
            return None
        block, shard, codes = record.get("block", 0), record.get("shard", 0), record.get("codes", 0)
        for number in (block, shard, codes, *shape):
            if type(number) is not int or not 0 <= number < 2**62:
                return None
        if dtype not in DTYPES or block * np.dtype(dtype).itemsize > MAX_BLOCK_BYTES:
            return None
        if block and (len(shape) != 1 or not shard or shard % block):
            return None
        if not block and (shard or codes):
            return None
        if codes and (dtype != "|u1" or shape[0] != -(-codes // PER_BYTE)):
            return None
        return cls(name, dtype, tuple(shape), block, shard, codes)

    @cached_property
    def num_chunks(self) -> int:
        """The number of files with elements."""
        return -(-self.shape[0] // self.shard) if self.block else int(0 not in self.shape)

    @cached_property
    def chunks(self) -> list[str]:
        """The paths of the files with the elements, in order."""
        if self.block:
            return [f"{self.name}/c/{k}" for k in range(self.num_chunks)]
        return [f"{self.name}/c" + "/0" * len(self.shape)] * self.num_chunks


def file_paths(arrays: list[StoredArray]) -> set[str]:
    """Return the path of every file of some arrays, and of the groups that they are in."""
    paths = {METADATA}
    for array in arrays:
        group = array.name.rpartition("/")[0]
        paths |= {f"{group}/{METADATA}", f"{array.name}/{METADATA}", *array.chunks}
    return paths


def file_checksum(file: IO[bytes]) -> int:
    """Return the CRC-32 of an open file, from its beginning.

    It is not the CRC-32C of the chunks: that of a chunk with its own checksum is always the same.
    """
    file.seek(0)
    value = 0
    while part := file.read(CHUNK):
        value = zlib.crc32(part, value)
    return value


# -- writing -----------------------------------------------------------------------------------------


class ArrayWriter:
    """Writes arrays into a Zarr group.

    Parameters
    ----------
    folder : Path
        The directory of the group, made if it is absent.
    attributes : dict
        The attributes of the group.
    """

    def __init__(self, folder: Path, attributes: dict[str, Any]) -> None:
        self.folder = folder
        self._groups: set[str] = set()
        self._write_group("", attributes)

    def whole(self, name: str, array: NDArray[Any]) -> StoredArray:
        """Write an array as one chunk that can be mapped into memory."""
        dtype = array.dtype.newbyteorder("<")
        stored = StoredArray(name, dtype.str, array.shape)
        chunk = [max(size, 1) for size in array.shape]
        self._describe(stored, chunk, [_bytes(dtype), {"name": "crc32c"}])
        for path in stored.chunks:
            with _opened(self.folder / path) as file:
                _write_checked(file, np.ascontiguousarray(array, dtype).reshape(-1).view(np.uint8).data)
        return stored

    def blocks(
        self, name: str, length: int, dtype: Any, level: int, packed: bool = False
    ) -> StoredArray:
        """Describe an array of compressed blocks, to be written by :func:`write_blocks`.

        Parameters
        ----------
        name : str
        length : int
            The number of codes or of other elements.
        dtype : dtype
        level : int
            The level of zstd, 1 to 22.
        packed : bool
            Whether codes are stored as pairs of bits; see ``tables.base``.
        """
        kind = np.dtype(np.uint8 if packed else dtype).newbyteorder("<")
        size, codes = (-(-length // PER_BYTE), length) if packed else (length, 0)
        block = block_bytes(packed) // kind.itemsize
        # A shard lists all the blocks that it has room for.
        blocks = min(SHARD_BYTES // block_bytes(packed), max(1, -(-size // block)))
        stored = StoredArray(name, kind.str, (size,), block, block * blocks, codes)
        zstd = {"name": "zstd", "configuration": {"level": level, "checksum": False}}
        sharding = {
            "chunk_shape": [block],
            "codecs": [_bytes(kind), zstd, {"name": "crc32c"}],
            "index_codecs": [_bytes(PLACE["offset"]), {"name": "crc32c"}],
            "index_location": "end",
        }
        codecs = [{"name": "sharding_indexed", "configuration": sharding}]
        self._describe(stored, [stored.shard], codecs)
        return stored

    def _describe(self, stored: StoredArray, chunk: list[int], codecs: list[dict[str, Any]]) -> None:
        """Write the metadata of an array and of the group that it is in."""
        self._write_group(stored.name.rpartition("/")[0], {})
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
        with _opened(self.folder / stored.name / METADATA) as file:
            file.write(json.dumps(record, indent=1).encode())

    def _write_group(self, name: str, attributes: dict[str, Any]) -> None:
        """Write the metadata of a group, once."""
        if name not in self._groups:
            self._groups.add(name)
            folder = self.folder / name
            folder.mkdir(parents=True, exist_ok=True)
            record = {"attributes": attributes, "zarr_format": 3, "node_type": "group"}
            (folder / METADATA).write_bytes(json.dumps(record, indent=1).encode())


def write_blocks(
    folder: Path, stored: StoredArray, level: int, read: Read, pool: ThreadPool | None = None,
    shards: range | None = None,
) -> None:  # fmt: skip
    """Write the files of an array of compressed blocks.

    Parameters
    ----------
    folder : Path
    stored : StoredArray
        As returned by :meth:`ArrayWriter.blocks`.
    level : int
        The level of zstd, 1 to 22.
    read : callable
        ``read(start, stop)`` returns a part of the array as it is stored; for codes that share bytes,
        ``start`` and ``stop`` count the codes. Any thread asks for a part, in any order.
    pool : ThreadPool, optional
        By default as many threads as are allowed.
    shards : range, optional
        The numbers of the files to write, by default all.

    Raises
    ------
    OSError

    Notes
    -----
    Takes the bytes of 2^20 codes, or of 2^21 pairs of bits, a few times over.
    """
    dtype, block, shard = np.dtype(stored.dtype), stored.block, stored.shard
    length, each = (stored.codes, PER_BYTE) if stored.codes else (stored.shape[0], 1)
    step = max(block, PAIRS_AT_ONCE // PER_BYTE if stored.codes else CODES_AT_ONCE)

    def compressed(start: int) -> list[bytes]:
        stop = min(start + step, (start // shard + 1) * shard, stored.shape[0])
        part = read(start * each, min(stop * each, length))
        return _compressed(np.asarray(part, dtype), block, level)

    with nullcontext(pool) if pool else ThreadPool(None, length) as workers:
        for number in shards or range(stored.num_chunks):
            places, offset, count = np.full(shard // block, ABSENT, PLACE), 0, 0
            starts = range(number * shard, min((number + 1) * shard, stored.shape[0]), step)
            with _opened(folder / stored.chunks[number]) as file:
                for content in chain.from_iterable(workers.ahead(compressed, starts)):
                    _write_checked(file, content)
                    places[count] = offset, len(content) + CHECKSUM
                    offset, count = offset + len(content) + CHECKSUM, count + 1
                _write_checked(file, places.tobytes())


def _compressed(codes: NDArray[Any], block: int, level: int) -> list[bytes]:
    """Return codes as compressed blocks; the last one of an array is filled up with zeros."""
    compress = zstandard.ZstdCompressor(level=level).compress  # one for each thread
    if missing := -len(codes) % block:
        codes = np.concatenate([codes, np.zeros(missing, codes.dtype)])
    whole = np.ascontiguousarray(codes)
    return [compress(whole[start : start + block].data) for start in range(0, len(whole), block)]


def _opened(path: Path) -> IO[bytes]:
    """Open a new file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("xb")


def _write_checked(file: IO[bytes], content: bytes | memoryview) -> None:
    """Write bytes and their CRC-32C."""
    file.write(write_chunks(file, content).to_bytes(CHECKSUM, "little"))


def write_chunks(file: IO[bytes], content: bytes | memoryview) -> int:
    """Write bytes, a megabyte at a time; return their CRC-32C."""
    checksum = 0
    for start in range(0, len(content), CHUNK):
        part = content[start : start + CHUNK]
        file.write(part)
        checksum = google_crc32c.extend(checksum, bytes(part))
    return int(checksum)


def _bytes(dtype: np.dtype[Any]) -> dict[str, Any]:
    """Return the codec of numbers as bytes."""
    if dtype.itemsize == 1:
        return {"name": "bytes"}
    return {"name": "bytes", "configuration": {"endian": "little"}}


# -- reading -----------------------------------------------------------------------------------------


def opened_blocks(
    stored: StoredArray,
    folder: Path,
    opened: dict[str, Any],
    limit: int,
    files: FileList | None = None,
    cache: Cache | None = None,
) -> Codes:
    """Return a compressed array, read on demand.

    Parameters
    ----------
    stored : StoredArray
    folder : Path
    opened : dict of str to file
        The open files of the directory.
    limit : int
        More than any element.
    files : dict of str to dict, optional
        The description of each file in the manifest. A small file is compared with its checksum.
    cache : dict, optional
        See :class:`BlockArray`.
    """
    shards = [
        (folder / name, opened[name], files[name].get("crc32") if files else None)
        for name in stored.chunks
    ]
    if stored.codes:
        return BitCodes(BlockArray(stored, shards, 1 << 8, cache), stored.codes, limit)
    return BlockArray(stored, shards, limit, cache)


def mapped_array(
    stored: StoredArray, folder: Path, opened: dict[str, Any], files: FileList
) -> Callable[[], NDArray[Any]]:
    """Map an array of one chunk into memory, to be read later.

    Parameters
    ----------
    stored : StoredArray
    folder : Path
    opened : dict of str to file
        The open files of the directory.
    files : dict of str to dict
        The description of each file in the manifest.

    Returns
    -------
    callable
        Returns the array, compared with its checksum in the manifest: the file of another solution
        agrees with its own. Raises StoreError.

    Raises
    ------
    StoreError
        For a file of another size.
    """
    if not stored.chunks:
        return lambda: read_only(np.zeros(stored.shape, stored.dtype))
    (name,) = stored.chunks
    path = folder / name
    size = math.prod(stored.shape) * np.dtype(stored.dtype).itemsize + CHECKSUM
    mapped = map_bytes(opened[name], path)
    if len(mapped) != size:
        raise damaged(path, f"it has {len(mapped)} bytes, not {size}")

    def read() -> NDArray[Any]:
        if zlib.crc32(mapped.data) != files[name].get("crc32"):
            raise damaged(path, "it has another checksum")
        return np.asarray(mapped[:-CHECKSUM].view(stored.dtype).reshape(stored.shape))

    return read


def map_bytes(file: IO[bytes], path: Path) -> NDArray[np.uint8]:
    """Return an open file as bytes mapped into memory. Raises StoreError."""
    try:
        return np.asarray(np.memmap(file, np.uint8, "r"))
    except ValueError:
        raise damaged(path, "it is empty") from None
    except OSError as error:
        raise failed("read", path, error) from None


class BlockArray:
    """An array of whole numbers in compressed blocks.

    Reading is safe from several threads and after a fork: there is no lock that a fork could leave
    behind. The last used decompressed blocks stay in memory, 64 MiB of them.

    Parameters
    ----------
    stored : StoredArray
    shards : list of (Path, file, checksum)
        The path and the open file of each shard, and the CRC-32 that is listed for it, if any.
    limit : int
        More than any element.
    cache : dict, optional
        The blocks that are kept, by the number of the array and of the block. The arrays of a solution,
        of which there is one for each tier, share one: together they keep 64 MiB.
    """

    def __init__(
        self,
        stored: StoredArray,
        shards: list[tuple[Path, IO[bytes], Any]],
        limit: int,
        cache: Cache | None = None,
    ) -> None:
        self.dtype = np.dtype(stored.dtype)
        self._length, self._size = stored.shape[0], stored.block
        self._limit = limit
        self._blocks_per_shard = stored.shard // stored.block
        bytes_per_block = stored.block * self.dtype.itemsize
        self._shards = [_Shard(*shard, self._blocks_per_shard, bytes_per_block) for shard in shards]
        self._cache: Cache = {} if cache is None else cache  # the last used at the end
        self._array = next(_arrays)
        self._max_cached = max(1, MAX_CACHED_BYTES // bytes_per_block)

    def __len__(self) -> int:
        return self._length

    def read(self, start: int, stop: int) -> NDArray[Any]:
        """Return the elements ``start..stop-1``. Raises StoreError for a damaged block."""
        size = self._size
        elements = np.empty(stop - start, self.dtype)
        for number in range(start // size, -(-stop // size)):
            first = number * size
            low, high = max(start, first), min(stop, first + size)
            cached = self._cache.get((self._array, number))
            block = self._decompress(number) if cached is None else cached
            elements[low - start : high - start] = block[low - first : high - first]
        return elements

    def item(self, at: int) -> int:
        """Return the element at a place. Raises StoreError for a damaged block."""
        number, place = divmod(at, self._size)
        return int(self._block(number)[place])

    def take(self, at: NDArray[np.integer[Any]]) -> NDArray[Any]:
        """Return the elements at some places. Raises StoreError for a damaged block."""
        size = self._size
        numbers = at // size
        if len(at) and numbers[0] == numbers[-1] and (numbers == numbers[0]).all():
            number = int(numbers[0])
            there: NDArray[Any] = self._block(number)[at - number * size]
            return there
        order = np.argsort(numbers.astype(np.min_scalar_type(len(self) // size)), kind="stable")
        ascending, numbers = at[order], numbers[order]
        cuts = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(at)]
        elements = np.empty(len(at), self.dtype)
        for low, high in pairwise(cuts):
            if low < high:
                number = int(numbers[low])
                elements[order[low:high]] = self._block(number)[ascending[low:high] - number * size]
        return elements

    def damaged(self, problem: str) -> StoreError:
        """Return the error for content that no array has."""
        return self._shards[0].damaged(problem)

    def _block(self, number: int) -> NDArray[Any]:
        """Return a decompressed block, and keep it."""
        cache, key = self._cache, (self._array, number)
        block = cache.pop(key, None)
        if block is None:
            block = self._decompress(number)
        cache[key] = block
        while len(cache) > self._max_cached:
            with suppress(KeyError, StopIteration, RuntimeError):  # another thread was faster
                del cache[next(iter(cache))]
        return block

    def _decompress(self, number: int) -> NDArray[Any]:
        """Return a block from its shard."""
        shard, place = divmod(number, self._blocks_per_shard)
        block = np.frombuffer(self._shards[shard].block(place), self.dtype)
        if int(block.max()) >= self._limit:
            raise self._shards[shard].damaged(
                f"block {place} holds {block.max()}, not below {self._limit}"
            )
        return block


class _Shard:
    """A file of blocks, read at any place: safe from several threads and after a fork.

    It is not mapped, so that an error of the disk or a file that is cut off while it is open raises an
    exception and does not end the process.
    """

    def __init__(
        self, path: Path, file: IO[bytes], checksum: Any, num_blocks: int, bytes_per_block: int
    ) -> None:
        self._num_blocks, self._bytes_per_block = num_blocks, bytes_per_block
        self._path = path
        self._checksum = checksum
        self._places: NDArray[Any] | None = None
        self._size = os.fstat(file.fileno()).st_size
        self._handle = os.dup(file.fileno())

    def __del__(self, close: Callable[[int], None] = os.close) -> None:  # os is gone when Python ends
        if hasattr(self, "_handle"):
            close(self._handle)

    def block(self, place: int) -> bytes:
        """Return the block at a place, decompressed and checked."""
        places = self._listed()
        offset, length = int(places["offset"][place]), int(places["length"][place])
        if length < CHECKSUM or offset + length > self._size:
            raise self.damaged(f"block {place} is past its end")
        content = self._checked(offset, length, f"block {place}")
        size = self._bytes_per_block
        try:
            # The size that a frame declares is allocated, whatever ``max_output_size`` is.
            declared = zstandard.frame_content_size(content)
            if declared not in (-1, size):
                raise self.damaged(f"block {place} has {declared} bytes, not {size}")
            data: bytes = _decompressor().decompress(content, max_output_size=size)
        except zstandard.ZstdError as error:
            raise self.damaged(f"block {place}: {error}") from None
        if len(data) != size:
            raise self.damaged(f"block {place} has {len(data)} bytes, not {size}")
        return data

    def _listed(self) -> NDArray[Any]:
        """Return the places of the blocks, read and checked on first use."""
        if self._places is None:
            size = self._num_blocks * PLACE.itemsize + CHECKSUM
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
        if zlib.crc32(self._read(self._size, 0)) != self._checksum:
            raise self.damaged("it has another checksum")

    def _checked(self, offset: int, length: int, what: str) -> bytes:
        """Return a part of the file without its checksum."""
        data = self._read(length, offset)
        content = data[:-CHECKSUM]
        if len(data) < length:
            raise self.damaged(f"{what} is cut off")
        if google_crc32c.value(content) != int.from_bytes(data[-CHECKSUM:], "little"):
            raise self.damaged(f"{what} has another checksum")
        return content

    def _read(self, length: int, offset: int) -> bytes:
        """Return a part of the file. Raises StoreError."""
        try:
            return os.pread(self._handle, length, offset)
        except OSError as error:
            raise failed("read", self._path, error) from None

    def damaged(self, problem: str) -> StoreError:
        """Return the error for this file."""
        return damaged(self._path, problem)


def _decompressor() -> zstandard.ZstdDecompressor:
    """Return the decompressor of this thread."""
    if not hasattr(_local, "decompressor"):
        _local.decompressor = zstandard.ZstdDecompressor()
    decompressor: zstandard.ZstdDecompressor = _local.decompressor
    return decompressor


class BitCodes:
    """An array of codes below 4 on disk, four to a byte.

    Parameters
    ----------
    packed : BlockArray
        The bytes.
    length : int
        The number of codes.
    limit : int
        More than any code.
    """

    def __init__(self, packed: BlockArray, length: int, limit: int) -> None:
        self._packed = packed
        self._length = length
        self._limit = limit

    def __len__(self) -> int:
        return self._length

    def read(self, start: int, stop: int) -> NDArray[Any]:
        """Return the codes ``start..stop-1``. Raises StoreError for a damaged block."""
        first = start // PER_BYTE
        packed = self._packed.read(first, max(first, -(-stop // PER_BYTE)))
        return self._checked(unpack_pairs(packed)[start - first * PER_BYTE : stop - first * PER_BYTE])

    def item(self, at: int) -> int:
        """Return the code at a place. Raises StoreError for a damaged block."""
        place, slot = divmod(at, PER_BYTE)
        code = self._packed.item(place) >> slot * BITS & MASK
        if code >= self._limit:
            self._checked(np.array([code]))
        return code

    def take(self, at: IntArray) -> NDArray[Any]:
        """Return the codes at some places. Raises StoreError for a damaged block."""
        place, slot = np.divmod(at, PER_BYTE)
        return self._checked(self._packed.take(place) >> SHIFTS[slot] & MASK)

    def _checked(self, codes: NDArray[Any]) -> NDArray[Any]:
        """Return codes. Raises StoreError for a code that stands for nothing."""
        if len(codes) and int(codes.max()) >= self._limit:
            raise self._packed.damaged(f"it holds the code {codes.max()}, not below {self._limit}")
        return codes
