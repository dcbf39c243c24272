"""Files of NumPy and Arrow that are nearly right."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


def npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def own_npz(**changes: Any) -> bytes:
    """An archive of two vertices and the edge between them, with other arrays; None leaves one out."""
    arrays = {"version": 1, "indptr": np.array([0, 1, 1]), "indices": np.array([1])} | changes
    return npz(**{key: array for key, array in arrays.items() if array is not None})


def npy_claiming(shape: str, dtype: str = "<i8", body: bytes = b"") -> bytes:
    """An archive whose indptr has a header of our choice."""
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    array = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + body
    file = io.BytesIO(own_npz(indptr=None))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("indptr.npy", array)
    return file.getvalue()


def bomb() -> bytes:
    """An archive whose directory claims far more bytes than there are."""
    data = bytearray(own_npz())
    place = data.rindex(b"indptr.npy") - 46 + 24  # the unpacked size in the central directory
    data[place : place + 4] = (3 * 10**9).to_bytes(4, "little")
    return bytes(data)


def parquet(columns: dict[str, Any], metadata: dict[str, str] | None = None) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table(columns).replace_schema_metadata(metadata), file)
    return file.getvalue()


def own_parquet(metadata: dict[str, str] | None = None, **changes: Any) -> bytes:
    """A table of two vertices and the edge between them, with other columns."""
    return parquet({"vertex": [0, 1], "successors": [[1], []]} | changes, metadata)
