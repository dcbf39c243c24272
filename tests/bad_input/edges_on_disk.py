"""Folders of edges that are nearly right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import retrosolve as rs
from tests.bad_input import Input

PAIRS = np.array([[0, 1], [1, 2], [2, 3]])
NUMBERS = "0,1\n" * 20_000
NAMES = "a,b\n" * 20_000
NAMED = {"0.csv": "a,b\nb,c\n"}
NUMBERED = {"0.npy": PAIRS}

Content = str | bytes | dict[str, Any] | np.ndarray
FILES: dict[str, dict[str, Content]] = {
    "npy: fractions": {"x.npy": np.zeros((2, 2))}, "npy: flat": {"x.npy": np.zeros(4, int)},
    "npy: column by column": {"x.npy": np.asfortranarray(PAIRS)}, "npy: negative": {"x.npy": np.array([[0, 1], [0, -3]])},
    "parquet: text": {"x.parquet": "hello"}, "folder without edges": {"x.txt": "0 1\n"},
    "parquet: other columns": {"x.parquet": {"a": [1], "b": [2]}},
    "parquet: fractions": {"x.parquet": {"source": [1.5], "target": [2.5]}},
    "parquet: missing": {"x.parquet": {"source": [1, None], "target": [1, 2]}},
    "parquet: rewards": {"x.parquet": {"source": [0], "target": [1], "reward": [3]}},
    "csv: one cell": {"x.csv": "0,1\n2\n"}, "csv: empty cell": {"x.csv": "a,b\nb,\n"},
    "csv: three columns": {"x.csv": "0,1,2\n"}, "csv: blanks": {"x.csv": "a b\nb c\n"},
    "csv: header that may be an edge": {"x.csv": "u,v\na,b\nv,u\n"}, "csv: NUL": {"x.csv": "a\0b,c\nc,d\n"},
    "csv: rewards": {"x.csv": "source,target,Reward\na,b,3\n"}, "csv: comments alone": {"x.csv": "# no row\n" * 20_000},
    "csv: text far below numbers": {"x.csv": NUMBERS + "2,x\n"}, "csv: 007 far below": {"x.csv": NUMBERS + "2,007\n"},
    "csv: quote far below": {"x.csv": NAMES + '"c"d,b\n'}, "csv: long row far below": {"x.csv": NAMES + "x" * 2_000_000},
    "csv: vertices": {"x.csv": "name,Owner\nann,0\n"}, "csv: names above numbers": {"x.csv": "ann,bob\n1,2\n"},
    "numbers beside names": NAMED | {"3.npy": PAIRS}, "names and numbers": {"x.parquet": {"source": ["a"], "target": [2]}},
    "owner.npy beside names": NAMED | {"owner.npy": np.zeros(3, int)},
    "table without names": NAMED | {"vertices.parquet": {"owner": [0, 1, 1]}},
    "table with a name twice": NAMED | {"vertices.parquet": {"vertex": ["a", "a"]}},
    "table with a blank": NAMED | {"vertices.parquet": {"vertex": ["a", " b"]}},
    "table of one owner": NAMED | {"vertices.parquet": {"vertex": ["a"], "owner": [0]}},
    "table with a name like an owner": NUMBERED | {"vertices.parquet": {"turn": [0, 0, 1, 1]}},
    "table with owners of text": NUMBERED | {"vertices.parquet": {"owner": ["us", "us", "us", "us"]}},
    "table and owner.npy": NUMBERED | {"owner.npy": np.zeros(4, int), "vertices.parquet": {"owner": [0, 0, 0, 0]}},
    "owner 2": NUMBERED | {"owner.npy": np.array([0, 1, 2, 0])},
    "files of two lengths": NUMBERED | {"owner.npy": np.zeros(4, int), "terminal.npy": np.zeros(2, int)},
}  # fmt: skip


def put(files: dict[str, Content], folder: Path) -> Path:
    """Write files in a folder of their own, and return that."""
    folder = folder / "edges"
    folder.mkdir()
    for name, content in files.items():
        if isinstance(content, dict):
            pq.write_table(pa.table(content), folder / name)
        elif isinstance(content, np.ndarray):
            np.save(folder / name, content)
        else:
            (folder / name).write_text(content, "utf-8", newline="")  # type: ignore[arg-type]
    return folder


def cut(folder: Path) -> Path:
    path = put(NUMBERED, folder) / "0.npy"
    path.write_bytes(path.read_bytes()[:-5])
    return path


def edges(**arguments: Any) -> Input:
    """Open three edges with some arguments."""
    return lambda folder: rs.EdgeParts(put(NUMBERED, folder), **arguments)


INPUTS: dict[str, Input] = {
    what: lambda folder, files=files: rs.EdgeParts(put(files, folder)) for what, files in FILES.items()
} | {
    "npy: cut short": lambda folder: rs.EdgeParts(cut(folder)),
    "folder that is not there": lambda folder: rs.EdgeParts(folder / "none"),
    "pattern of nothing": lambda folder: rs.EdgeParts(folder / "n*"),
    "other ending": lambda folder: rs.EdgeParts(put({"x.txt": "0 1\n"}, folder) / "x.txt"),
    "number as a path": lambda _: rs.EdgeParts(3),  # type: ignore[arg-type]
    "empty path": lambda _: rs.EdgeParts(""),
    "owners of two": edges(vertices=4, owner=[0, 1]), "terminal value 255": edges(terminal=[0, 255, 0, 0]),
    "scratch that is not there": edges(scratch="none"),
    "column alone": edges(source="payer"), "columns of no table": edges(source="a", target="b", owner="side"),
    "number of named vertices": lambda folder: rs.EdgeParts(put(NAMED, folder), 9),
    "number of vertices beside owners": lambda folder: rs.EdgeParts(
        put(NUMBERED | {"owner.npy": np.zeros(4, int)}, folder), 9
    ),
    "memory for few names": lambda folder: rs.EdgeParts(put(NAMED, folder), memory=10),
    "memory for few edges": lambda folder: rs.plan(rs.EdgeParts(put(NUMBERED, folder)), memory=10),
}  # fmt: skip
