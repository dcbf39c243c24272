"""Edges between names in files: numbered by an external sort, and read from a saved solution."""

import os
import random
import re
import signal
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.external import files, scratch, workspace
from retrosolve.external import names as names_module
from retrosolve.runtime import tuning
from retrosolve.runtime.context import no_progress
from tests.support.marks import examples
from tests.support.programs import started

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


@pytest.fixture
def cramped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables, batches and slices of a few names, so that little text takes several passes."""
    for module, name, value in (
        (names_module, "READ_BYTES", 0),
        (names_module, "TABLE_BYTES", 400),
        (names_module, "BATCH_BYTES", 100),
        (names_module, "ENTRIES_AT_ONCE", 7),
        (files, "BATCH_BYTES", 100),
        (files, "ROWS_AT_ONCE", 5),
    ):
        monkeypatch.setattr(module, name, value)


@pytest.fixture
def opened_files(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One entry for each temporary file that is made."""
    opened: list[int] = []
    make = tempfile.TemporaryFile

    def counted(*arguments: Any, **options: Any) -> Any:
        opened.append(1)
        return make(*arguments, **options)

    monkeypatch.setattr(tempfile, "TemporaryFile", counted)
    return opened


@pytest.mark.usefixtures("cramped")
@pytest.mark.parametrize(("memory", "passes"), [(4000, 1), ("100MB", 0)])
def test_runs_of_names_are_merged_with_few_files(
    tmp_path: Path, memory: Any, passes: int, monkeypatch: pytest.MonkeyPatch, opened_files: list[int]
) -> None:
    """The numbers are in order of the names, whatever the budget; the folder stays empty."""
    rng = random.Random(1)
    names = [f"{'é' * (k % 3)}{k * k % 97}-{k}" for k in range(120)]
    edges = [(rng.choice(names), rng.choice(names[:60])) for _ in range(300)]
    write_named(tmp_path / "edges", edges)
    (tmp_path / "scratch").mkdir()
    merged: list[int] = []
    merge = names_module._merge

    def merging(reading: Any, *rest: Any) -> Any:
        merged.append(len(reading.runs))
        return merge(reading, *rest)

    monkeypatch.setattr(names_module, "_merge", merging)
    stages: list[str] = []
    parts = rs.EdgeParts(
        tmp_path / "edges",
        scratch=tmp_path / "scratch",
        memory=memory,
        progress=lambda report: stages.append(report.stage),
    )
    assert len(merged) == passes
    assert all(runs > 2 for runs in merged)
    assert len(opened_files) <= 5 + 3 * passes
    expected_stages = ["reading names", *["merging names"] * bool(passes), "numbering edges"]
    assert list(dict.fromkeys(stages)) == expected_stages
    assert parts.names is not None
    assert list(parts.names) == sorted({name for edge in edges for name in edge})
    assert (parts.num_edges, parts.num_files) == (300, 3)
    blocks = zip(*parts.edge_blocks(64), strict=True)
    ends = [parts.labels(np.concatenate(side)).tolist() for side in blocks]
    ordered = edges[::3] + edges[1::3] + edges[2::3]
    assert list(zip(*ends, strict=True)) == ordered
    expected, solution = in_memory(edges), rs.solve(parts)
    assert {name: solution[name] for name in expected} == dict(expected.items())
    rs.verify(solution)
    assert list((tmp_path / "scratch").iterdir()) == []


@pytest.mark.usefixtures("cramped")
def test_more_runs_of_names_than_the_budget_has_room_for_are_refused(tmp_path: Path) -> None:
    edges = [(f"name {k}", f"name {k + 1}") for k in range(120)]
    write_named(tmp_path / "edges", edges)
    with pytest.raises(rs.MemoryBudgetError, match="merging"):
        rs.EdgeParts(tmp_path / "edges", memory=400)


@example(names=["", ""], cuts=[1], compiled=False)
@examples(20, 200)
@given(
    names=st.lists(st.text(max_size=4), max_size=60),
    cuts=st.lists(st.integers(0, 60), max_size=3),
    compiled=st.booleans(),
)
def test_names_are_numbered_by_first_appearance(
    names: list[str], cuts: list[int], compiled: bool
) -> None:
    """As by a dictionary, in any batches; then sorted."""
    names = [name.encode("utf-8", "replace").decode() for name in names]
    numbers = np.empty(len(names), np.int32)
    with tuning.using(compile_from=0 if compiled else 10**9, compile_again_from=10**9 * (not compiled)):
        table = names_module._Table(10**6, 1)
    for start, stop in pairwise(sorted({0, len(names), *(min(cut, len(names)) for cut in cuts)})):
        batch = files.text_bytes(pa.array(names[start:stop], pa.string()))
        assert table.fits(batch)
        numbers[start:stop] = table.add(batch)
    different = list(dict.fromkeys(names))
    assert [different[number] for number in numbers.tolist()] == names
    batches, places = table.sorted()
    ordered = [
        data[first:last].tobytes().decode()
        for data, bounds in batches
        for first, last in pairwise(bounds.tolist())
    ]
    assert ordered == sorted(different)
    assert [ordered[place] for place in places.tolist()] == different


def test_row_groups_of_names_are_read_in_pages(tmp_path: Path) -> None:
    """A row group of 17 MB takes 6 MB of pyarrow, and its own pool stays that of the program."""
    names = pa.array([f"name-{k:08d}-{k % 7}" for k in range(400_000)])
    pq.write_table(
        pa.table({"source": names, "target": names}), tmp_path / "0.parquet", use_dictionary=False,
        row_group_size=10**6,
    )  # fmt: skip
    pools = pa.default_memory_pool(), pa.system_memory_pool()
    before = sum(pool.bytes_allocated() for pool in pools)
    rows = most = 0
    for source, _ in files.ParquetFile(tmp_path / "0.parquet").name_blocks():
        most = max(most, sum(pool.bytes_allocated() for pool in pools) - before)
        rows += len(source)
    assert rows == len(names)
    assert 0 < most < 6_000_000
    assert pa.default_memory_pool().backend_name == pools[0].backend_name


def test_a_budget_too_small_for_names_is_refused_before_they_are_read(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the number that ``plan`` prints."""
    assert run(["plan", str(folder)]) == 0
    least = re.search(r"memory +(.*) at least", capsys.readouterr().out)
    assert least is not None
    monkeypatch.setattr("retrosolve.external.space.sort_names", None)
    for command in ("solve", "plan", "verify"):
        assert run([command, str(folder), "--memory", "1000"]) == 2
        assert f"needs about {least[1]};" in capsys.readouterr().err
    with pytest.raises(rs.MemoryBudgetError):
        rs.EdgeParts(folder, memory=10)


def test_a_budget_too_small_for_saving_is_refused_before_names_are_numbered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "edges"
    folder.mkdir()
    lines = [f"v{k},v{k + 1}\n" for k in range(500)]
    (folder / "0.csv").write_text("source,target\n" + "".join(lines), encoding="utf-8")
    solved = workspace(501, 500)
    monkeypatch.setattr("retrosolve.external.space.least_bytes", lambda files: 0)
    monkeypatch.setattr("retrosolve.external.space.sort_names", None)
    assert run(["solve", str(folder), "--memory", str(solved), "--out", str(tmp_path / "out")]) == 2
    assert "solving 500 edges between about " in capsys.readouterr().err


def test_the_least_budget_of_a_plan_suffices_for_the_proof(folder: Path, tmp_path: Path) -> None:
    """Of a solution in memory, and of a saved one, whose names are numbered again for it."""
    least = rs.plan(rs.EdgeParts(folder)).memory_bytes
    assert least is not None
    planned = rs.plan(rs.EdgeParts(folder, memory=least), memory=least)
    assert planned.proof_memory_bytes is not None
    assert planned.proof_memory_bytes <= least
    solution = rs.solve(rs.EdgeParts(folder, memory=least), memory=least)
    rs.verify(solution, memory=least)
    solution.save(tmp_path / "solved")
    stages: list[str] = []
    with rs.open(tmp_path / "solved") as opened:
        with pytest.raises(rs.MemoryBudgetError, match="numbering"):
            rs.verify(opened, memory=10)
        rs.verify(opened, progress=lambda report: stages.append(report.stage), memory=least)
    assert list(dict.fromkeys(stages)) == ["reading names", "numbering edges", "verifying"]


@pytest.mark.parametrize("names", [3, 1000, 8000])
def test_names_are_estimated_by_linear_counting(tmp_path: Path, names: int) -> None:
    edges = [f"v{k},v{(k * 7) % names}\n" for k in range(names)] * 2
    (tmp_path / "0.csv").write_text("".join(edges), encoding="utf-8")
    part = files.CsvFile(tmp_path / "0.csv")
    with tuning.using(compile_again_from=0):
        estimate, count = names_module.estimated_names([part], [], 1_000_000, no_progress)
    assert count == 2 * names
    assert abs(estimate - names) <= names / 100


def test_a_name_longer_than_the_budget_is_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"source": ["x" * 10**6], "target": ["y"]}), tmp_path / "0.parquet")
    with pytest.raises(rs.MemoryBudgetError, match="a name of 1000000 bytes"):
        rs.EdgeParts(tmp_path, memory=3_000_000)


WAITING = """
import sys, time
import retrosolve as rs
from retrosolve.runtime import tuning
from retrosolve import external

def wait(report):
    if report.stage == "solving":
        print("waiting", flush=True)
        time.sleep(60)

tuned = {"min_edges_per_chunk": 2, "max_edges_per_chunk": 4, "max_serial_width": 0}
with tuning.using(compile_from=10**9, compile_again_from=10**9, **tuned):
    parts = rs.EdgeParts(sys.argv[1], scratch=sys.argv[2])
    rs.solve(parts, memory=external.workspace(parts.num_vertices, parts.num_edges), progress=wait)
"""


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc, of Linux")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_process_that_is_killed_leaves_nothing_on_disk(
    folder: Path, tmp_path: Path, number: signal.Signals
) -> None:
    """It has names, numbered edges and spilled edges there meanwhile."""
    (tmp_path / "scratch").mkdir()
    command = [sys.executable, "-c", WAITING, str(folder), str(tmp_path / "scratch")]
    with started(command) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "waiting\n"
        handles = [os.readlink(handle) for handle in Path(f"/proc/{process.pid}/fd").iterdir()]
        held = [link for link in handles if link.startswith(str(tmp_path / "scratch"))]
        process.send_signal(number)
        assert process.wait() == -number
    assert len(held) == 4
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
        with pytest.raises(rs.PositionError, match="x"):
            opened["x"]
        rs.verify(opened)
        assert sorted(opened.moves("10")) == sorted(expected.moves("10"))  # equally good
    (folder / "0.csv").write_text("x,y\n", encoding="utf-8")
    with pytest.raises(rs.StoreError):
        rs.open(tmp_path / "again").moves("c")


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


def test_full_disk_is_refused_and_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(scratch, "_write", full)
    with pytest.raises(rs.StoreError, match="the disk is full"):
        rs.EdgeParts(folder, scratch=folder)
    assert len(list(folder.iterdir())) == 3


def test_names_that_are_not_there_are_not_found() -> None:
    names = names_module.SortedNames(np.frombuffer(b"acc", np.uint8), np.array([1, 2, 3]))
    for position in ("", "b", "d", 0, None):
        with pytest.raises(KeyError):
            names.numbers[position]
    assert names[:2] == ("a", "c")
    with pytest.raises(IndexError):
        names[3]


@pytest.mark.parametrize("header", ["source,target", "from,to", "Src,Dst", "u,v"])
@pytest.mark.parametrize("rows", ["ann,bob\nbob,cem\n", "0,1\n1,2\n"])
def test_header_of_edges_on_disk_is_no_edge(tmp_path: Path, header: str, rows: str) -> None:
    (tmp_path / "0.csv").write_text(f"{header}\n{rows}", encoding="utf-8")
    edges = rs.EdgeParts(tmp_path)
    assert (edges.num_vertices, edges.num_edges) == (3, 2)
