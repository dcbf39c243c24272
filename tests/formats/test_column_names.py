"""Columns of edges and vertices that have names of their own, in every kind of file."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.spaces.csr.attribute_names import ENDS

EDGES = pd.DataFrame({"payer": ["a", "b", "b"], "payee": ["b", "a", "c"], "source": [1, 2, 3]})
VERTICES = pd.DataFrame(
    {
        "account": ["a", "b", "c", "d"],
        "name": ["Ann", "Ben", "Cy", "Dan"],
        "side": ["us", "them", "us", "them"],
        "end": [None, None, "win", None],
    }
)
NUMBER = {"a": 0, "b": 1, "c": 2, "d": 3}
COLUMNS = {
    "source": "payer", "target": "payee", "vertex": "account", "owner": "side", "terminal": "end",
}  # fmt: skip


def as_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """The same table with numbers for the ids."""
    ids = [name for name in ("payer", "payee", "account") if name in frame]
    return frame.assign(**{name: frame[name].map(NUMBER) for name in ids})


def write(frame: pd.DataFrame, path: Path) -> Path:
    """Write a table in the format of the extension."""
    if path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False, sep="\t" if path.suffix == ".tsv" else ",")
    return path


def expected(numbers: bool) -> rs.Graph:
    """The graph that the tables stand for."""
    names: Any = as_numbers(VERTICES)["account"].tolist() if numbers else ["a", "b", "c", "d"]
    edges = as_numbers(EDGES) if numbers else EDGES
    number = {name: i for i, name in enumerate(names)}
    ends = [edges[side].map(number).tolist() for side in ("payer", "payee")]
    owner, terminal = [0, 1, 0, 1], [0, 0, 1, 0]
    return rs.Graph.from_edges(*ends, 4, owner, terminal, None if numbers else names)


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("edges", [".csv", ".tsv", ".parquet"])
@pytest.mark.parametrize("vertices", [".csv", ".tsv", ".parquet"])
def test_columns_are_read_by_their_own_names(
    edges: str, vertices: str, numbers: bool, tmp_path: Path
) -> None:
    change = as_numbers if numbers else pd.DataFrame.copy
    file = write(change(EDGES), tmp_path / f"edges{edges}")
    table = write(change(VERTICES), tmp_path / f"accounts{vertices}")
    graph = rs.read_graph(file, vertices=table, **COLUMNS)
    assert graph == expected(numbers)
    assert graph.players == ("us", "them")


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_columns_that_are_not_there_are_refused(suffix: str, tmp_path: Path) -> None:
    file = write(EDGES.rename(columns={"source": "amount"}), tmp_path / f"edges{suffix}")
    ends = {"source": "payer", "target": "payee"}
    for columns in ({}, {"source": "payer"}, ends | {"target": "payer"}, ends | {"target": "to"}, ends | {"owner": "side"}):  # fmt: skip
        with pytest.raises(rs.FormatError):
            rs.read_graph(file, **columns)
    for vertices in (".csv", ".parquet"):
        table = write(VERTICES.drop(columns="name"), tmp_path / f"v{vertices}")
        for more in ({}, {"vertex": "account"}, {"vertex": "account", "owner": "turn"}):
            with pytest.raises(rs.FormatError):
                rs.read_graph(file, vertices=table, **ends, **more)
    with pytest.raises(TypeError):
        rs.read_graph(file, colour="red")


@pytest.mark.parametrize("numbers", [False, True])
def test_edges_on_disk_have_columns_of_any_name(numbers: bool, tmp_path: Path) -> None:
    change = as_numbers if numbers else pd.DataFrame.copy
    folder = tmp_path / "edges"
    folder.mkdir()
    write(change(EDGES[:2]), folder / "0.parquet")
    write(change(EDGES[2:])[["source", "payer", "payee"]], folder / "1.csv")
    sides = VERTICES.assign(side=[0, 1, 0, 1])
    write(change(sides), folder / "vertices.parquet")
    edges = rs.EdgeParts(folder, **COLUMNS)
    plain = expected(numbers)
    solution = rs.solve(edges)
    assert dict(solution) == dict(rs.solve(plain))
    assert pickle.loads(pickle.dumps(edges)).fingerprint() == edges.fingerprint()
    solution.save(tmp_path / "saved")
    with rs.open(tmp_path / "saved") as opened:
        assert [move.position for move in opened.moves(plain.position(1))] == [
            move.position for move in rs.solve(plain).moves(plain.position(1))
        ]


def test_options_name_columns_in_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(write(EDGES, tmp_path / "edges.parquet"))
    table = str(write(VERTICES, tmp_path / "accounts.csv"))
    options = [word for what, name in COLUMNS.items() for word in (f"--{what}", name)]
    assert run(["probe", file, "b", "--no-moves", "--json", "--vertices", table, *options]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer == {"position": "b", "value": "draw", "remoteness": None, "player": "them"}


@pytest.mark.parametrize("ends", [*ENDS, ("From", " TO "), ("weight", "src", "dst")])
def test_usual_names_of_the_columns_of_edges_are_read_everywhere(
    ends: tuple[str, ...], tmp_path: Path
) -> None:
    frame = pd.DataFrame({name: list("ab" if name != ends[-1] else "bc") for name in ends})
    expected = rs.Graph.from_edges([("a", "b"), ("b", "c")])
    assert rs.Graph.from_pandas(frame) == expected
    assert rs.Graph.from_pandas(pa.Table.from_pandas(frame)) == expected
    vertices = pd.DataFrame({"id": ["a", "b", "c"]})
    assert rs.Graph.from_pandas(frame, vertices=vertices, vertex="id") == expected
    for suffix in (".csv", ".parquet"):
        path = write(frame, tmp_path / f"g{suffix}")
        assert rs.read_graph(path) == expected
        table = write(vertices, tmp_path / f"v{suffix}")
        assert rs.read_graph(path, vertices=table) == expected
    assert list(rs.EdgeParts(tmp_path / "g.parquet").names or ()) == ["a", "b", "c"]
