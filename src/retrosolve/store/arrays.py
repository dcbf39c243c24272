"""The arrays of a saved solution as Zarr v3 arrays: how they are written and found again.

Codes of tables are cut into compressed blocks. Other arrays are one chunk as they lie in memory, so
that they can be mapped. Every chunk and block ends with its CRC-32C. Zarr writes the files and any Zarr
library can read them.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import google_crc32c
import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import read_only
from retrosolve.runtime.files import CHUNK
from retrosolve.store.bits import PER_BYTE, BitCodes, block_bytes, pack_bits
from retrosolve.store.blocks import CHECKSUM, BlockArray, BlockLayout
from retrosolve.store.folder import damaged, failed
from retrosolve.tables.coded import Codes

SHARD_BYTES = 1 << 24
METADATA = "zarr.json"
DTYPES = frozenset(np.dtype(f"<{kind}{width}").str for kind in "iu" for width in (1, 2, 4, 8)) | {
    "|u1", "|i1",
}  # fmt: skip


@dataclass(frozen=True)
class StoredArray:
    """The description of an array in the manifest.

    Parameters
    ----------
    name : str
        Its path in the directory.
    dtype : str
        Of whole numbers, little-endian.
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
    def from_record(cls, record: Any) -> StoredArray | None:
        """Return the array that a record describes; None if it describes none."""
        if not isinstance(record, dict):
            return None
        known: dict[str, Any] = {"block": 0, "shard": 0, "codes": 0} | record
        numbers = [known["block"], known["shard"], known["codes"], *_items(known.get("shape"))]
        found = cls(
            known.get("name", ""), known.get("dtype", ""), tuple(_items(known.get("shape"))),
            known["block"], known["shard"], known["codes"],
        )  # fmt: skip
        sound = (
            set(known) == {"name", "dtype", "shape", "block", "shard", "codes"}
            and isinstance(found.name, str)
            and isinstance(known["shape"], list)
            and isinstance(found.dtype, str)
            and found.dtype in DTYPES
            and all(type(number) is int and 0 <= number < 2**62 for number in numbers)
            and (found.block == 0 or (len(found.shape) == 1 and found.shard > 0))
            and (found.shard % found.block == 0 if found.block else found.shard == 0)
            and (not found.codes or (found.dtype == "|u1" and found.block > 0))
            and (not found.codes or found.shape[0] == -(-found.codes // PER_BYTE))
        )
        return found if sound else None

    @property
    def num_bytes(self) -> int:
        """The number of bytes of all elements."""
        return math.prod(self.shape) * np.dtype(self.dtype).itemsize

    @property
    def layout(self) -> BlockLayout:
        """The blocks of a compressed array."""
        return BlockLayout(self.shape[0], np.dtype(self.dtype), self.block, self.shard)

    @property
    def num_chunks(self) -> int:
        """The number of files with elements."""
        return self.layout.num_shards if self.block else int(0 not in self.shape)

    def chunks(self) -> list[str]:
        """Return the paths of the files with the elements, in order."""
        if self.block:
            return [f"{self.name}/c/{k}" for k in range(self.layout.num_shards)]
        return [] if 0 in self.shape else [f"{self.name}/c" + "/0" * len(self.shape)]


def _items(shape: Any) -> list[Any]:
    return shape if isinstance(shape, list) else []


class ArrayWriter:
    """Writes arrays into a Zarr group.

    Parameters
    ----------
    folder : Path
        The directory of the group, made if it is empty or absent.
    attributes : dict
        What the group says of itself.
    """

    def __init__(self, folder: Path, attributes: dict[str, Any]) -> None:
        import zarr

        self._zarr: Any = zarr
        if (folder / METADATA).exists():
            self._group: Any = zarr.open_group(folder, mode="r+", zarr_format=3)
        else:
            self._group = zarr.create_group(folder, zarr_format=3, attributes=attributes)

    def whole(self, name: str, array: NDArray[Any], replace: bool = False) -> StoredArray:
        """Write an array as one chunk that can be mapped into memory; it may replace another."""
        dtype = array.dtype.newbyteorder("<")
        stored = StoredArray(name, dtype.str, array.shape)
        created = self._group.create_array(
            name, shape=array.shape, dtype=dtype, chunks=tuple(max(size, 1) for size in array.shape),
            compressors=[self._zarr.codecs.Crc32cCodec()], config={"write_empty_chunks": True},
            overwrite=replace,
        )  # fmt: skip
        created[...] = array
        return stored

    def blocks(
        self,
        name: str,
        length: int,
        dtype: Any,
        read: Callable[[int, int], NDArray[Any]],
        level: int,
        packed: bool = False,
    ) -> StoredArray:
        """Write an array in compressed blocks.

        Parameters
        ----------
        name : str
        length : int
        dtype : dtype
        read : callable
            ``read(start, stop)`` returns a part of the array. Parts are asked for in order.
        level : int
            The level of zstd, 1 to 22.
        packed : bool
            Whether to write several codes to a byte; see :func:`retrosolve.store.bits.pack_bits`.
        """
        stored, created = self._create_blocks(name, length, dtype, level, packed)
        size, each = stored.shape[0], PER_BYTE if packed else 1
        for start in range(0, size, stored.shard):
            stop = min(start + stored.shard, size)
            part = read(start * each, min(stop * each, length))
            created[start:stop] = pack_bits(part) if packed else part
        return stored

    def empty_blocks(self, name: str, length: int, dtype: Any, level: int) -> StoredArray:
        """Make an array of compressed blocks that :func:`write_shard` fills."""
        return self._create_blocks(name, length, dtype, level, False)[0]

    def _create_blocks(
        self, name: str, length: int, dtype: Any, level: int, packed: bool
    ) -> tuple[StoredArray, Any]:
        """Make an array of compressed blocks; return its description, and the array of Zarr."""
        kind = np.dtype(np.uint8 if packed else dtype).newbyteorder("<")
        num_bytes, each = block_bytes(packed), PER_BYTE if packed else 1
        block = num_bytes // kind.itemsize
        size, codes = -(-length // each), length if packed else 0
        # A shard lists all the blocks that it has room for.
        blocks = min(SHARD_BYTES // num_bytes, max(1, -(-size // block)))
        stored = StoredArray(name, kind.str, (size,), block, block * blocks, codes)
        codecs = self._zarr.codecs
        created = self._group.create_array(
            name, shape=(size,), dtype=kind, chunks=(block,), shards=(stored.shard,),
            compressors=[codecs.ZstdCodec(level=level), codecs.Crc32cCodec()],
            config={"write_empty_chunks": True},
        )  # fmt: skip
        return stored, created


def write_shard(folder: Path, name: str, start: int, elements: NDArray[Any]) -> None:
    """Write a shard of an array that :meth:`ArrayWriter.empty_blocks` has made. Raises OSError."""
    import zarr

    array: Any = zarr.open_array(folder / name, mode="r+", zarr_format=3)
    array[start : start + len(elements)] = elements


def opened_blocks(stored: StoredArray, folder: Path, opened: dict[str, Any], limit: int) -> Codes:
    """Return a compressed array, read on demand.

    Parameters
    ----------
    stored : StoredArray
    folder : Path
    opened : dict of str to file
        The open files of the directory.
    limit : int
        More than any element.
    """
    shards = [(folder / name, opened[name]) for name in stored.chunks()]
    if stored.codes:
        return BitCodes(BlockArray(stored.layout, shards, 1 << 8), stored.codes, limit)
    return BlockArray(stored.layout, shards, limit)


class MappedArray:
    """An array of one chunk on disk, mapped into memory.

    Parameters
    ----------
    stored : StoredArray
    folder : Path
    opened : dict of str to file
        The open files of the directory.

    Raises
    ------
    StoreError
        For a file of another size.
    """

    def __init__(self, stored: StoredArray, folder: Path, opened: dict[str, Any]) -> None:
        self._stored = stored
        self._mapped: NDArray[np.uint8] | None = None
        for name in stored.chunks():
            self._path = folder / name
            size = stored.num_bytes + CHECKSUM
            self._mapped = map_bytes(opened[name], self._path)
            if len(self._mapped) != size:
                raise damaged(self._path, f"it has {len(self._mapped)} bytes, not {size}")

    def read(self) -> NDArray[Any]:
        """Return the array, compared with its checksum. Raises StoreError."""
        stored, mapped = self._stored, self._mapped
        if mapped is None:
            empty: NDArray[Any] = read_only(np.zeros(stored.shape, stored.dtype))
            return empty
        content = mapped[:-CHECKSUM]
        if _bytes_checksum(content) != int.from_bytes(mapped[-CHECKSUM:].tobytes(), "little"):
            raise damaged(self._path, "it has another checksum")
        array: NDArray[Any] = np.asarray(content.view(stored.dtype).reshape(stored.shape))
        return array


def map_bytes(file: IO[bytes], path: Path) -> NDArray[np.uint8]:
    """Return an open file as bytes mapped into memory. Raises StoreError."""
    try:
        return np.asarray(np.memmap(file, np.uint8, "r"))
    except ValueError:
        raise damaged(path, "it is empty") from None
    except OSError as error:
        raise failed("read", path, error) from None


def file_checksum(file: IO[bytes]) -> int:
    """Return the CRC-32 of an open file, from its beginning.

    It is not the CRC-32C of the chunks: that of a chunk with its own checksum is always the same.
    """
    file.seek(0)
    value = 0
    while part := file.read(CHUNK):
        value = zlib.crc32(part, value)
    return value


def _bytes_checksum(data: NDArray[np.uint8]) -> int:
    """Return the CRC-32C of bytes."""
    value = 0
    for start in range(0, len(data), CHUNK):
        value = google_crc32c.extend(value, data[start : start + CHUNK].tobytes())
    return value


def file_paths(arrays: list[StoredArray]) -> Iterator[str]:
    """Yield the path of every file of some arrays, and of the groups that they are in."""
    yield METADATA
    groups = {name.rpartition("/")[0] for name in (array.name for array in arrays)}
    for group in sorted(groups - {""}):
        yield f"{group}/{METADATA}"
    for array in arrays:
        yield f"{array.name}/{METADATA}"
        yield from array.chunks()
