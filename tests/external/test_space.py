"""Edges in files: what is read, what is refused, and solutions of them."""

import json
import pickle
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.tables import ArrayTable
from tests.support.edge_files import write_parts

PAIRS = np.array([[0, 1], [1, 2], [2, 3], [1, 1], [4, 2], [4, 0], [5, 4], [5, 5]])
N = 7


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "edges"
    made.mkdir()
    write_parts(made, PAIRS)
    return made


def read(parts: rs.EdgeParts, size: int = 3) -> list[list[int]]:
    return [
        list(pair)
        for block in parts.edge_blocks(size)
        for pair in zip(*map(np.ndarray.tolist, block), strict=True)
    ]


def test_files_of_every_kind_are_read_in_order(folder: Path) -> None:
    parts = rs.EdgeParts(folder)
    assert (parts.num_vertices, parts.num_edges, parts.num_files) == (6, 8, 4)
    assert read(parts) == read(parts, 1) == PAIRS.tolist()
    assert rs.EdgeParts(f"{folder}/*.npy").num_edges == 4
    assert read(rs.EdgeParts(folder / "3.csv")) == PAIRS[6:].tolist()
    (folder / "3.csv").write_text("5,4\r\n5,5", encoding="utf-8")
    assert read(rs.EdgeParts(folder / "3.csv")) == PAIRS[6:].tolist()
    assert rs.EdgeParts(folder, 9).num_vertices == 9


def test_owners_and_terminal_values_come_from_files_or_arguments(folder: Path) -> None:
    np.save(folder / "owner.npy", [0, 1, 0, 1, 0, 1, 1])
    np.save(folder / "terminal.npy", [0, 0, 0, 3, 0, 0, 1])
    first = rs.EdgeParts(folder)
    assert (first.num_vertices, first.num_edges) == (N, len(PAIRS))
    (folder / "owner.npy").unlink()
    (folder / "terminal.npy").unlink()
    second = rs.EdgeParts(folder, owner=[0, 1, 0, 1, 0, 1, 1], terminal=[0, 0, 0, 3, 0, 0, 1])
    words = pa.array([None, None, None, "tie", None, None, "WIN"]).dictionary_encode()
    pq.write_table(
        pa.table({"owner": [0, 1, 0, 1, 0, 1, 1], "terminal": words}), folder / "vertices.parquet"
    )
    third = rs.EdgeParts(folder)
    graph = first.materialize()
    assert graph == second.materialize() == third.materialize()
    expected = rs.solve(graph, solver="reference")
    assert rs.solve(third).digest() == expected.digest()
    assert third.moves(4) == [("2", 2), ("0", 0)]
    assert third.out_degrees().tolist() == np.bincount(PAIRS[:, 0], minlength=N).tolist()


def test_every_wrong_claim_is_found_by_the_proof_over_the_files(folder: Path) -> None:
    np.save(folder / "terminal.npy", [0, 0, 0, 3, 0, 0, 0])
    solution = rs.solve(rs.EdgeParts(folder), stuck="tie")
    rs.verify(solution)
    values, remoteness = solution.table.values(), solution.remoteness()
    found = 0
    for v in range(N):
        for value, plies in ((0, -1), (1, 1), (2, 2), (3, 0), (3, 2), (255, -1), (0, 1)):
            if (value, plies) == (values[v], remoteness[v]):
                continue
            wrong = values.copy(), remoteness.copy()
            wrong[0][v], wrong[1][v] = value, plies
            mutated = rs.Solution(
                solution.space, ArrayTable(*wrong), solution.stuck, "reference", {}, 8
            )
            with pytest.raises(rs.VerificationError):
                rs.verify(mutated)
            found += 1
    assert found >= 6 * N


@pytest.mark.parametrize("name", ["x.npy", "x.csv"])
def test_files_without_edges_are_proven(tmp_path: Path, name: str) -> None:
    if name == "x.npy":
        np.save(tmp_path / name, np.zeros((0, 2), np.int32))
    else:
        (tmp_path / name).write_text("source,target\n", encoding="utf-8")
    solution = rs.solve(rs.EdgeParts(tmp_path / name, vertices=2))
    rs.verify(solution)
    assert solution.counts()[rs.Value.LOSS] == 2


def test_a_saved_solution_finds_its_edges_again(folder: Path, tmp_path: Path) -> None:
    solution = rs.solve(rs.EdgeParts(folder))
    solution.save(tmp_path / "solved")
    moves = solution.moves(4)
    with rs.open(tmp_path / "solved", check=True) as opened:
        assert opened[4] == solution[4]
        assert opened.moves(4) == moves
        assert opened.digest() == rs.solve(solution.space.materialize()).digest()
        rs.verify(opened)
    assert rs.open(tmp_path / "solved")[4] == solution[4]
    moved = folder.rename(tmp_path / "moved")
    with pytest.raises(rs.StoreError):
        rs.open(tmp_path / "solved").moves(4)
    assert rs.open(tmp_path / "solved", game=rs.EdgeParts(moved)).moves(4) == moves
    moved.rename(folder)
    np.save(folder / "0.npy", PAIRS[2:4].astype(np.int32))
    with pytest.raises(rs.StoreError):
        rs.open(tmp_path / "solved").moves(4)


def test_a_space_survives_pickling(folder: Path) -> None:
    parts = rs.EdgeParts(folder, 9)
    again = pickle.loads(pickle.dumps(parts))
    assert (again.num_vertices, again.fingerprint()) == (9, parts.fingerprint())


def test_the_command_line_takes_a_folder_a_pattern_and_a_file(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for place, edges in ((str(folder), 8), (f"{folder}/*.npy", 4), (f"{folder}/0.npy", 2)):
        assert run(["solve", place, "--memory", "1GB", "--json"]) == 0
        record = json.loads(capsys.readouterr().out)
        assert (record["edges"], record["solver"], record["verified"]) == (edges, "retrograde", True)
    assert run(["solve", str(folder), "--scratch", str(tmp_path), "--json"]) == 0
    capsys.readouterr()
    assert run(["plan", str(folder)]) == 0
    assert "1 pass, " in capsys.readouterr().out
    large = tmp_path / "large.csv"
    large.write_text("source,target\n" + "".join(f"{v},{v + 1}\n" for v in range(30)), encoding="utf-8")
    assert run(["plan", str(large)]) == 0
    assert "disk" not in capsys.readouterr().out
    assert run(["plan", str(large), "--memory", "500"]) == 2
