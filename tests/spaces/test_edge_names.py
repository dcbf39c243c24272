"""Edges between names in files: numbered by an external sort, and read from a saved solution."""

import gc
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.runtime import spill
from retrosolve.spaces.parts import numbering
from retrosolve.spaces.parts.names import SortedNames

EDGES = [("b", "a"), ("Zoë", "b"), ("c", "Zoë"), ("c", "c"), ("", "c"), ("10", "a"), ("10", "9")]


def write_named(folder: Path, edges: list[tuple[str, str]]) -> None:
    """Write edges between names as CSV and as Parquet with two types of text."""
    folder.mkdir(exist_ok=True)
    first, second, third = (edges[k::3] for k in range(3))
    lines = [f'"{v}",{w}\n' for v, w in first]
    (folder / "0.csv").write_text("source,target\n" + "".join(lines), encoding="utf-8")
    for number, part, kind in ((1, second, pa.large_string()), (2, third, pa.string())):
        columns = [pa.array([edge[side] for edge in part], kind) for side in (0, 1)]
        if number == 2:
            columns[0] = columns[0].dictionary_encode()
        pq.write_table(pa.table(columns, ["source", "target"]), folder / f"{number}.parquet")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_named(tmp_path / "edges", EDGES)
    return tmp_path / "edges"


def in_memory(edges: list[tuple[str, str]]) -> rs.Solution:
    return rs.solve(rs.Graph.from_edges([v for v, _ in edges], [w for _, w in edges]))


@pytest.mark.parametrize("memory", [1, 100_000, "100MB"])
def test_names_are_numbered_within_any_budget(
    tmp_path: Path, memory: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In order of the names, in many blocks and parts of a merge or in one; nothing is left on disk."""
    monkeypatch.setattr(numbering, "MIN_EDGES", 7)
    monkeypatch.setattr(numbering, "MIN_NAMES", 2)
    rng = random.Random(1)
    names = [f"{'é' * (k % 3)}{k * k % 97}-{k}" for k in range(120)]
    edges = [(rng.choice(names), rng.choice(names[:60])) for _ in range(300)]
    write_named(tmp_path / "edges", edges)
    (tmp_path / "scratch").mkdir()
    held: list[int] = []
    merge = numbering._merge

    def merging(*arguments: Any) -> None:
        held.append(pa.total_allocated_bytes() - before)
        merge(*arguments)

    monkeypatch.setattr(numbering, "_merge", merging)
    before = pa.total_allocated_bytes()
    parts = rs.EdgeParts(tmp_path / "edges", scratch=tmp_path / "scratch", memory=memory)
    assert parts.names is not None
    assert list(parts.names) == sorted({name for edge in edges for name in edge})
    assert (parts.num_edges, parts.num_files) == (300, 3)
    assert memory != 1 or held[0] < 6_000  # bytes of pyarrow: 14,592 if runs kept their names
    blocks = zip(*parts.edge_blocks(64), strict=True)
    ends = [parts.labels(np.concatenate(side)).tolist() for side in blocks]
    ordered = edges[::3] + edges[1::3] + edges[2::3]
    assert list(zip(*ends, strict=True)) == ordered
    expected, found = in_memory(edges), rs.solve(parts)
    assert {name: found[name] for name in expected} == dict(expected.items())
    rs.verify(found)
    del parts, found
    assert list((tmp_path / "scratch").iterdir()) == []


def test_a_saved_solution_has_the_names(folder: Path, tmp_path: Path) -> None:
    expected, solution = in_memory(EDGES), rs.solve(rs.EdgeParts(folder), out=tmp_path / "solved")
    assert set(solution) == set(expected)
    assert solution["10"] == expected["10"]
    assert solution.best_moves("Zoë") == expected.best_moves("Zoë")
    assert solution.to_pandas().set_index("position").loc["c", "value"] == "win"
    solution.save(tmp_path / "again")
    moved = folder.rename(tmp_path / "moved")
    with rs.open(tmp_path / "again", game=rs.EdgeParts(moved), check=True) as opened:
        assert opened.moves("c") == expected.moves("c")
    moved.rename(folder)
    with rs.open(tmp_path / "again", check=True) as opened:
        assert (opened["10"], opened.get("x")) == (expected["10"], None)
        with pytest.raises(rs.PositionError, match="no vertex is named 'x'"):
            opened["x"]
        rs.verify(opened)
        assert sorted(opened.moves("10")) == sorted(expected.moves("10"))  # equally good
    (folder / "0.csv").write_text("x,y\n", encoding="utf-8")
    with pytest.raises(rs.StoreError, match="have changed since they were solved"):
        rs.open(tmp_path / "again").moves("c")


def test_the_command_line_probes_names(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    solved = str(tmp_path / "solved")
    arguments = ["solve", str(folder), "--scratch", str(tmp_path), "--memory", "1GB", "--out", solved]
    assert run([*arguments, "--table"]) == 0
    assert "Zoë" in capsys.readouterr().out
    assert run(["probe", solved, "Zoë", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["value"], record["remoteness"], record["moves"][0]["name"]) == ("loss", 2, "b")
    gc.collect()
    assert list(tmp_path.glob("retrosolve-*")) == []


def test_owners_and_terminal_values_are_by_name(folder: Path) -> None:
    names = ["c", "9", "a", "b", "10", "", "Zoë", "alone"]
    owner = [0, 1, 0, 1, 0, 1, 1, 0]
    ends = [None, None, "tie", None, None, None, None, "win"]
    table = {"vertex": names, "owner": owner, "terminal": ends}
    pq.write_table(pa.table(table), folder / "vertices.parquet")
    expected = rs.solve(
        rs.Graph.from_edges(
            [v for v, _ in EDGES], [w for _, w in EDGES], names=None,
            owner=dict(zip(names[:-1], owner, strict=False)), terminal={"a": rs.Value.TIE},
        )
    )  # fmt: skip
    found = rs.solve(rs.EdgeParts(folder))
    assert {name: found[name] for name in expected} == dict(expected.items())
    assert str(found["alone"]) == "WIN in 0"
    (folder / "vertices.parquet").unlink()
    by_argument = rs.EdgeParts(folder, terminal={"a": rs.Value.TIE})
    assert rs.solve(by_argument)["a"] == expected["a"]


@pytest.mark.parametrize(
    ("name", "columns", "message"),
    [
        ("3.npy", np.array([[0, 1]]), r"3\.npy: vertices are numbers: expected names"),
        ("3.parquet", {"source": [1], "target": [2]}, r"3\.parquet: vertices are numbers: expected names"),
        ("3.parquet", {"source": ["a"], "target": [2]}, "expected names in both, or numbers"),
        ("3.parquet", {"source": ["a", None], "target": ["b", "c"]}, "a row without a value"),
        ("owner.npy", np.zeros(3, int), r"owner\.npy: vertices have names: expected vertices\.parquet"),
        ("vertices.parquet", {"owner": [0, 1]}, "expected the column vertex with a name in each row"),
        ("vertices.parquet", {"vertex": ["a", "a"]}, "column vertex has a name twice"),
        ("vertices.parquet", {"vertex": ["a"], "owner": [0]}, "1 of 7 vertices have an owner"),
        ("3.csv", "name,Owner\nann,0\n", "the first row is 'name,Owner': expected edges, and owners and"),
        ("3.csv", "from,to\n01,02\n", "the first row is 'from,to' and the next has numbers: expected the header"),
        ("3.csv", "from,to\n1,2\n", "the first row is 'from,to' and the next has numbers: expected the header"),
        ("3.csv", "a,b\nc\n", "expected rows of two names"),
    ],
)  # fmt: skip
def test_what_goes_with_no_names_is_named(folder: Path, name: str, columns: Any, message: str) -> None:
    if isinstance(columns, str):
        (folder / name).write_text(columns, encoding="utf-8")
    elif isinstance(columns, dict):
        pq.write_table(pa.table(columns), folder / name)
    else:
        np.save(folder / name, columns)
    with pytest.raises(rs.FormatError, match=message):
        rs.EdgeParts(folder)


def test_other_arguments_and_full_disks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(rs.GraphError, match=r"vertices=9: the files in .* have names: expected None"):
        rs.EdgeParts(folder, 9)

    def full(file: Any, data: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(spill, "_write", full)
    with pytest.raises(rs.StoreError, match="the disk is full: "):
        rs.EdgeParts(folder, scratch=folder, memory=1)
    assert list(folder.glob("retrosolve-*")) == []


def test_names_that_are_not_there_are_not_found() -> None:
    names = SortedNames(np.frombuffer(b"acc", np.uint8), np.array([1, 2, 3]))
    for position in ("", "b", "d", 0, None):
        with pytest.raises(KeyError):
            names.numbers[position]
    assert names[:2] == ("a", "c")
    with pytest.raises(IndexError, match=r"3: expected 0\.\.2"):
        names[3]
