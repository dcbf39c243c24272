"""Files of every format that are nearly right; those of text are rows of ``tests/data/foreign_files.json``."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

import retrosolve as rs
from retrosolve.formats import read_graph, read_graph_file, read_solution, write
from retrosolve.formats.files import write_moves, write_rows
from tests.bad_input import Input
from tests.support.foreign_files import FOREIGN_FILES, ForeignFile
from tests.support.made_files import bomb, npy_claiming, npz, own_npz, own_parquet, parquet

EDGE = rs.Graph.from_edges([0], [1])
OWNED = rs.Graph.from_edges([0], [1], owner=[0, 1])
RING = rs.Graph.from_edges([0, 1], [1, 0], owner=[0, 1])
SCORES = rs.Graph.from_edges([("a", "b"), ("b", "c")], payoff={"c": -1}, reward=[3, 0])


def reads(name: str, data: bytes | Callable[[], bytes], read: Any = read_graph_file) -> Input:
    """Read a file with these bytes."""

    def meet(folder: Path) -> object:
        (folder / name).write_bytes(data if isinstance(data, bytes) else data())
        return read(folder / name)

    return meet


def foreign(file: ForeignFile, folder: Path) -> str:
    """Read a row of the table, and return its notes."""
    return f"note: {' | '.join(file.meet(folder).notes)}"


def matrix(kind: str) -> bytes:
    file = io.BytesIO()
    scipy.sparse.save_npz(file, scipy.sparse.eye_array(3).asformat(kind))
    return file.getvalue()


CSR: dict[str, Any] = {"format": b"csr", "shape": (1, 1), "data": [1], "indices": [0], "indptr": [0, 1]}
CLAIM = {"value": np.array([1, 2], np.uint8), "remoteness": np.array([1, 0])}
WORDS = {"value": ["win", "loss"], "remoteness": [1, 0]}

# Arrays that are not as they should be, by what is wrong; None leaves one out.
OF_NPZ: dict[str, dict[str, Any]] = {
    "no indices": {"indices": None}, "version 2": {"version": 2}, "two versions": {"version": [1, 1]},
    "falling rows": {"indptr": np.array([0, 2, 1])}, "rows of 0.5": {"indptr": np.array([0.0, 1, 1])},
    "successor out of range": {"indices": np.array([2])}, "objects": {"indices": np.array([{}], object)},
    "one owner of two": {"owner": np.array([0])}, "owner 3": {"owner": np.array([0, 3])},
    "terminal value 4": {"terminal": np.array([0, 4])}, "name twice": {"names": np.array(["a", "a"])},
    "names of 1.5": {"names": np.array([1.5, 2])}, "value alone": {"value": np.array([1, 2])},
    "best alone": {"best": np.array([1, -1])}, "value 5": CLAIM | {"value": np.array([1, 5])},
    "remoteness 2": CLAIM | {"remoteness": np.array([2, 0])},
    "three values": CLAIM | {"value": np.array([1, 2, 2])},
    "values of 1.0": CLAIM | {"value": np.array([1.0, 2.0])},
    "draw that ends": CLAIM | {"value": np.array([0, 2])},
    "loss that does not end": CLAIM | {"remoteness": np.array([1, -1])},
    "best is no successor": CLAIM | {"best": np.array([0, -1])}, "stuck is a draw": {"stuck": "draw"},
    "start 2": {"start": 2}, "one player": {"players": ["cat"]},
    "no character": {"names": np.frombuffer(b"a\0\0\0\0\0\x11\0", "<U1")},
}  # fmt: skip
OF_PARQUET: dict[str, dict[str, Any]] = {
    "rows in another order": {"vertex": [1, 0]}, "vertices of text": {"vertex": ["a", "b"]},
    "successors without lists": {"successors": [1, 2]}, "list missing": {"successors": [[1], None]},
    "successor missing": {"successors": [[1], [None]]}, "owner missing": {"owner": [0, None]},
    "successor out of range": {"successors": [[1], [2]]}, "owner 3": {"owner": [0, 3]},
    "owner of text": {"owner": ["0", "x"]}, "draw as terminal value": {"terminal": ["draw", None]},
    "name missing": {"name": ["a", None]}, "value missing": WORDS | {"value": ["win", None]},
    "value alone": {"value": ["win", "loss"]}, "remoteness of text": WORDS | {"remoteness": ["1", "0"]},
    "version 3": {"metadata": {"retrosolve": "3"}}, "stuck of another word": {"metadata": {"stuck": "x"}},
    "start of text": {"metadata": {"start": "x"}}, "rewards of another length": {"reward": [[1, 2], []]},
    "player of one": {"player": ["a", None]},
}  # fmt: skip
# By the name of the file.
BYTES: dict[str, bytes | Callable[[], bytes]] = {
    "npz: nothing": b"", "npz: cut short": lambda: own_npz()[:-30],
    "npz: a million million rows": lambda: npy_claiming("(1000000000000,)"),
    "npz: rows of objects in bytes": lambda: npy_claiming("(4,)", "|O", bytes(32)),
    "npz: negative length": lambda: npy_claiming("(-1,)", body=bytes(8)),
    "npz: bomb": bomb,
    "npz: matrix by diagonals": lambda: matrix("dia"),
    "npz: matrix that is not square": lambda: npz(**CSR | {"shape": (1, 2), "indices": [1]}),
    "npz: matrix without rows": lambda: npz(format=b"csr", shape=(1, 1), data=[1]),
    "npz: two entries for one": lambda: npz(**CSR | {"data": [1, 1]}),
    "npz: two formats": lambda: npz(**CSR | {"format": ["csr", "csr"]}),
    "parquet: nothing": b"", "parquet: other columns": lambda: parquet({"a": [1]}),
    "parquet: negative target": lambda: parquet({"source": [0], "target": [-1]}),
    "parquet: source twice": lambda: parquet({"src": [0], "dst": [1], "SRC": [1]}),
    "csv.gz: no gzip data": b"0,1\n", "csv.gz: cut short": gzip.compress(b"0,1\n" * 99, mtime=0)[:-9],
    "csv: long cell": b"a,b\nb," + b"x" * 200_000, "csv: latin-1": b"a,b\nb,\xff\n",
    "csv: number of 5000 digits": b"0,1\n1," + b"9" * 5000 + b"\n",
    "json: lists in lists": b"[" * 100_000, "json: number of 5000 digits": b'{"vertices": ' + b"9" * 5000 + b"}",
    "no ending: picture": b"\x89PNG\xff",
}  # fmt: skip


def pg(graph: rs.Graph, **options: Any) -> Input:
    return lambda folder: write(rs.solve(graph, **options), folder / "g.pg")


def damaged(**change: Any) -> Input:
    """Read scores whose file says something else."""

    def meet(folder: Path) -> object:
        path = folder / "g.json"
        write(rs.solve(SCORES, objective="score", stuck="win"), path)
        path.write_text(json.dumps(json.loads(path.read_text()) | change))
        return read_solution(path)

    return meet


CALLS: dict[str, Input] = {
    "unknown format": lambda _: read_graph("g.csv", format="xls"),
    "open file without a format": lambda _: write(EDGE, io.BytesIO()),
    "ending that is not known": lambda _: write(EDGE, "g.txt"),
    "number as a path": lambda _: read_graph(3),  # type: ignore[arg-type]
    "file open for text": lambda _: read_graph(io.StringIO("0,1"), "csv"),  # type: ignore[arg-type]
    "names of pg": lambda _: read_graph("g.pg", names=True),
    "header of parquet": lambda _: read_graph("g.parquet", header=True),
    "header=1": lambda _: read_graph("g.csv", header=1),  # type: ignore[arg-type]
    "columns of json": lambda _: read_graph("g.json", source="a", target="b"),
    "NUL in a path": lambda _: read_graph("g\0.csv"),
    "file that is not there": lambda folder: read_graph(folder / "none.csv"),
    "folder as a file": lambda folder: write(EDGE, (folder / "g.csv").mkdir() or folder / "g.csv"),
    "unknown option": lambda _: write(EDGE, "g.pg", end=1),
    "folder that is not there": lambda folder: write(EDGE, folder / "none" / "g.json"),
    "name of a vertex table": lambda folder: write(EDGE, folder / "g.vertices.csv"),
    "edges alone": lambda folder: write(EDGE, folder / "g.edges"),
    "open file for two": lambda _: write(OWNED, io.BytesIO(), "csv"),
    "rows in npz": lambda folder: write_rows(rs.solve(EDGE), folder / "r.npz"),
    "moves in csv": lambda folder: write_moves(rs.solve(EDGE), folder / "m.csv"),
    "text as a graph": lambda folder: write("graph", folder / "g.csv"),  # type: ignore[arg-type]
    "graph as a solution": lambda folder: write(EDGE, folder / "g.csv") or read_solution(folder / "g.csv"),
    "long name in csv": lambda folder: write(rs.Graph.from_edges(["a"], ["x" * 131_073]), folder / "g.csv"),
    "NUL at the end in npz": lambda folder: write(rs.Graph.from_edges(["a"], ["x\0"]), folder / "g.npz"),
    "carriage return in graphml": lambda folder: write(rs.Graph.from_edges(["a"], ["\r"]), folder / "g.graphml"),
    "NUL in dot": lambda folder: write(rs.Graph.from_edges(["a"], ["\0"]), folder / "g.dot"),
    "names alike as text": lambda folder: write(rs.Graph.from_edges([0], [1], names=[(1,), "(1,)"]), folder / "g.csv"),
    "results of chance": lambda folder: write(
        rs.solve(rs.Graph.from_edges([0, 0], [1, 2], owner=[rs.CHANCE, 0, 1], terminal={1: "win"})), folder / "g.csv"
    ),
    "values without remoteness": lambda folder: write(
        rs.solve(EDGE, objective="win-loss-draw"), folder / "g.csv"
    ),
    "pg: no owners": pg(EDGE), "pg: loop alone": pg(rs.Graph.from_edges([0], [0], owner=[0])),
    "pg: tie": pg(OWNED, stuck="tie"), "pg: rewards": pg(rs.Graph.from_edges([0], [1], owner=[0, 1], reward=[3])),
    "pg: scores": pg(OWNED, objective="score"),
    "pg: quote in a name": pg(rs.Graph.from_edges(["a"], ['"'], owner=[0, 1])),
    "pg: names as answers": lambda folder: write(
        rs.Graph.from_edges(["a [win 0]"], ["b [loss 1]"], owner=[0, 1]), folder / "g.pg"
    ),
    "pg: third player": lambda folder: write(rs.solve(OWNED), folder / "g.pg", endless=2),
    "sol: no owners": lambda folder: write(rs.solve(EDGE), folder / "g.sol"),
    "sol: graph": lambda folder: write(OWNED, folder / "g.sol"),
    "sol: tie": lambda folder: write(rs.solve(OWNED, stuck="tie"), folder / "g.sol"),
    "sol: draw": lambda folder: write(rs.solve(RING), folder / "g.sol"),
    "results: unknown objective": damaged(objective="points"),
    "results: other objective": damaged(objective="nimber"),
    "results: text as a score": damaged(score=["x"] * 3), "results: number as a score": damaged(score=[1] * 3),
    "results: no plies": damaged(plies=None), "results: plies of a tie": damaged(plies=[None] * 3),
}  # fmt: skip

INPUTS: dict[str, Input] = (
    {
        file.what: partial(foreign, file)
        for file in FOREIGN_FILES
        if file.read == "refused" or "notes" in file.read
    }
    | {f"npz: {what}": reads("g.npz", partial(own_npz, **arrays)) for what, arrays in OF_NPZ.items()}
    | {f"parquet: {what}": reads("g.parquet", partial(own_parquet, **x)) for what, x in OF_PARQUET.items()}
    | {what: reads(f"g.{what.partition(':')[0]}".removesuffix(".no ending"), data) for what, data in BYTES.items()}
    | CALLS
)  # fmt: skip
