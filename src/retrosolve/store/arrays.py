"""The arrays of a saved solution as Zarr v3 arrays: how they are described and found again.

Codes of tables are cut into compressed blocks. Other arrays are one chunk as they lie in memory, so
that they can be mapped. Every chunk and block ends with its CRC-32C. Any Zarr library can read them.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import read_only
from retrosolve.runtime.files import CHUNK
from retrosolve.store.bits import BitCodes
from retrosolve.store.blocks import CHECKSUM, BlockArray, BlockLayout
from retrosolve.store.folder import damaged, failed
from retrosolve.tables.coded import Codes
from retrosolve.tables.pairs import PER_BYTE

METADATA = "zarr.json"
FileList = Mapping[str, Mapping[str, Any]]
MAX_BLOCK_BYTES = 1 << 24  # before compression: as much as is decompressed for one element
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
            and found.block * np.dtype(found.dtype).itemsize <= MAX_BLOCK_BYTES
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


def opened_blocks(
    stored: StoredArray, folder: Path, opened: dict[str, Any], limit: int, files: FileList | None = None
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
        What the manifest says about each file. A small file is compared with its checksum there.
    """
    shards = [
        (folder / name, opened[name], files[name].get("crc32") if files else None)
        for name in stored.chunks()
    ]
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
    files : dict of str to dict
        What the manifest says about each file.

    Raises
    ------
    StoreError
        For a file of another size.
    """

    def __init__(
        self, stored: StoredArray, folder: Path, opened: dict[str, Any], files: FileList
    ) -> None:
        self._stored = stored
        self._mapped: NDArray[np.uint8] | None = None
        for name in stored.chunks():
            self._path = folder / name
            self._checksum = files[name].get("crc32")
            size = stored.num_bytes + CHECKSUM
            self._mapped = map_bytes(opened[name], self._path)
            if len(self._mapped) != size:
                raise damaged(self._path, f"it has {len(self._mapped)} bytes, not {size}")

    def read(self) -> NDArray[Any]:
        """Return the array, compared with its checksum. Raises StoreError.

        That is the one in the manifest: the file of another solution agrees with its own.
        """
        stored, mapped = self._stored, self._mapped
        if mapped is None:
            empty: NDArray[Any] = read_only(np.zeros(stored.shape, stored.dtype))
            return empty
        if zlib.crc32(mapped.data) != self._checksum:
            raise damaged(self._path, "it has another checksum")
        content = mapped[:-CHECKSUM]
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


def file_paths(arrays: list[StoredArray]) -> Iterator[str]:
    """Yield the path of every file of some arrays, and of the groups that they are in."""
    yield METADATA
    groups = {name.rpartition("/")[0] for name in (array.name for array in arrays)}
    for group in sorted(groups - {""}):
        yield f"{group}/{METADATA}"
    for array in arrays:
        yield f"{array.name}/{METADATA}"
        yield from array.chunks()
