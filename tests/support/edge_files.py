"""Graphs written as files of edges."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import retrosolve as rs


def pairs_of(graph: rs.Graph) -> np.ndarray:
    """The edges of a graph, int64 [m, 2]."""
    source = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    return np.stack([source, graph.indices.astype(np.int64)], 1)


def write_parts(folder: Path, pairs: np.ndarray) -> None:
    """Write edges as four files: arrays of both types, Parquet and CSV."""
    first, second, third, fourth = np.array_split(pairs, 4)
    np.save(folder / "0.npy", first.astype(np.int32))
    np.save(folder / "1.npy", second.astype(np.int64))
    table = pa.table({"source": third[:, 0], "target": third[:, 1].astype(np.int32)})
    pq.write_table(table, folder / "2.parquet", row_group_size=3)
    lines = [f"{v},{w}\n" for v, w in fourth.tolist()]
    (folder / "3.csv").write_text("source,target\n" + "".join(lines), encoding="utf-8")
