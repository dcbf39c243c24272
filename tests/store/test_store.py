"""Saved solutions: what is opened is what was saved, and damage is found."""

import errno
import json
import os
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import retrosolve as rs
from retrosolve.spaces.product import ProductSpace
from retrosolve.store import directory
from tests.support.graph_files import solutions


def solved(owner: Any = None) -> rs.Solution:
    graph = rs.Graph.from_edges(
        [0, 1, 1, 2], [1, 0, 2, 3], 5, owner, {"e": "tie"}, names=["a", "b", "c", "d", "e"]
    )
    return rs.solve(graph)


def check_same(opened: rs.Solution, solution: rs.Solution) -> None:
    assert opened.space == solution.space
    assert np.array_equal(opened.values(), solution.values())
    assert np.array_equal(opened.remoteness(), solution.remoteness())
    assert opened.values().dtype == solution.values().dtype
    assert opened.remoteness().dtype == solution.remoteness().dtype
    assert (opened.start, opened.stuck, opened.solver) == (
        solution.start,
        solution.stuck,
        solution.solver,
    )
    assert opened.space.players == solution.space.players
    rs.verify(opened)


@settings(max_examples=60)
@given(solution=solutions())
def test_what_is_opened_is_what_was_saved(
    tmp_path_factory: pytest.TempPathFactory, solution: rs.Solution
) -> None:
    folder = tmp_path_factory.getbasetemp() / "store"
    folder.mkdir(exist_ok=True)
    solution.space.players = ("Left", "Rïght")
    solution.save(folder / "s")  # over the one before
    assert [p.name for p in folder.iterdir()] == ["s"]
    check_same(rs.open(folder / "s"), solution)
    check_same(rs.open(str(folder / "s"), check=False), solution)


@pytest.mark.parametrize("names", [[3, "3", -(10**30)], ["\u202e", "\0", "a\nb"]])
def test_text_and_whole_numbers_stay_as_they_are(tmp_path: Path, names: list[Any]) -> None:
    solution = rs.solve(rs.Graph.from_edges([0, 1], [1, 2], names=names))
    solution.save(tmp_path / "s")
    check_same(rs.open(tmp_path / "s"), solution)


def test_other_names_become_text(tmp_path: Path) -> None:
    rs.solve(rs.Graph.from_edges([0], [1], names=[(1, 2), None])).save(tmp_path / "s")
    assert rs.open(tmp_path / "s")["(1, 2)"] == (rs.Value.WIN, 1)
    alike = rs.solve(rs.Graph.from_edges([0], [1], names=[(1,), "(1,)"]))
    with pytest.raises(rs.StoreError, match=r"^cannot save .*would both be written as '\(1,\)'"):
        alike.save(tmp_path / "t")
    assert [p.name for p in tmp_path.iterdir()] == ["s"]


def test_arrays_are_mapped_and_cannot_be_changed(tmp_path: Path) -> None:
    solution = solved([0, 1, 0, 1, 0])
    solution.save(tmp_path / "s")
    opened = rs.open(tmp_path / "s")
    graph = opened.space
    assert isinstance(graph, rs.Graph)
    for array in (opened.values(), opened.remoteness(), graph.indptr, graph.indices, graph.owner):
        assert array is not None
        assert is_mapped(array)
        assert not array.flags.writeable
    # A copy of it can be saved in its own place.
    opened.save(tmp_path / "s")
    check_same(rs.open(tmp_path / "s"), solution)
    check_same(opened, solution)


def is_mapped(array: Any) -> bool:
    while array is not None:
        if isinstance(array, np.memmap):
            return True
        array = getattr(array, "base", None)
    return False


class Pile(rs.Game):
    """A pile of stones; positions are pairs, known by their text."""

    players = ("you", "me")

    def start(self) -> tuple[int, str]:
        return (6, "stones")

    def moves(self, position: tuple[int, str]) -> list[tuple[str, tuple[int, str]]]:
        return [(f"take {k}", (position[0] - k, "stones")) for k in (1, 2) if k <= position[0]]

    def text(self, position: tuple[int, str]) -> str:
        return f"{position[0]} {position[1]}"


def test_a_game_is_saved_by_the_texts_of_its_positions(tmp_path: Path) -> None:
    solution = rs.solve(Pile())
    solution.save(tmp_path / "s")
    opened = rs.open(tmp_path / "s")
    assert opened.start == "6 stones"
    assert opened["6 stones"] == solution[(6, "stones")]
    assert opened.space.players == ("you", "me")
    assert [m.name for m in opened.best_moves("5 stones")] == ["3 stones"]
    rs.verify(opened)


def test_a_game_of_two_tokens_is_saved_with_all_its_edges(tmp_path: Path) -> None:
    ring = rs.Graph.from_edges([0, 1, 2], [1, 2, 0])
    terminal = np.zeros(18, np.uint8)
    terminal[[0, 4, 8]], terminal[[9, 13, 17]] = rs.Value.WIN, rs.Value.LOSS
    graph = ProductSpace(ring, ring, terminal)
    solution = rs.solve(graph.materialize())
    made = rs.Solution(graph, solution.values(), solution.remoteness(), Numbered(), solver="bitset")
    made.save(tmp_path / "s")
    opened = rs.open(tmp_path / "s")
    assert opened.space.num_edges == graph.num_edges
    assert opened.space.position(3) == "position 3"
    assert np.array_equal(opened.values(), solution.values())
    assert opened.solver == "bitset"
    rs.verify(opened)


class Numbered:
    """Positions that are their own vertices."""

    start = None
    players = ("0", "1")

    def index(self, position: Any) -> int:
        return int(position)

    def position(self, index: int) -> int:
        return index

    def moves(self, position: Any) -> list[tuple[str, Any]]:
        return []

    def text(self, position: Any) -> str:
        return f"position {position}"

    def svg(self, position: Any) -> None:
        return None


def test_the_manifest_tells_what_is_there(tmp_path: Path) -> None:
    solution = solved()
    solution.start = "b"
    solution.save(tmp_path / "s")
    found = json.loads((tmp_path / "s" / "manifest.json").read_text())
    files = found.pop("files")
    assert found == {
        "format": "retrosolve solution",
        "version": 1,
        "vertices": 5,
        "edges": 4,
        "solver": solution.solver,
        "stuck": "loss",
        "start": 1,
        "players": ["0", "1"],
        "counts": {"win": 1, "loss": 1, "tie": 1, "draw": 2},
    }
    assert {p.name for p in (tmp_path / "s").iterdir()} == {*files, "manifest.json"}
    assert files["value.npy"]["length"] == 5
    assert files["value.npy"]["dtype"] == "|u1"
    assert sorted(files) == [
        "indices.npy", "indptr.npy", "names.json", "remoteness.npy", "terminal.npy", "value.npy",
    ]  # fmt: skip


# -- saving over what is there ------------------------------------------------------------------------


def test_only_a_saved_solution_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious")
    (tmp_path / "empty").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "manifest.json").write_text('{"format": "other"}')
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "manifest.json").write_text("[")
    solved().save(tmp_path / "more")
    (tmp_path / "more" / "thesis.txt").write_text("precious")
    before = snapshot(tmp_path)
    for name, pattern in {
        "file": "is a file: expected a new path, or a saved solution",
        "empty": "is no saved solution: expected a new path",
        "other": "manifest.json is not ours: expected a new path",
        "odd": "manifest.json is not ours",
        "more": "also holds 'thesis.txt', which replacing it would lose: expected nothing but",
        "none/s": "No such file or directory",
        "x\0y": "embedded null",
    }.items():
        with pytest.raises(rs.StoreError, match=pattern) as raised:
            solved().save(tmp_path / name)
        assert "\n" not in str(raised.value)
    assert snapshot(tmp_path) == before
    with pytest.raises(rs.StoreError, match=r"^3 is not a path"):
        solved().save(3)


def snapshot(folder: Path) -> dict[str, bytes | None]:
    return {
        str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None
        for p in sorted(folder.rglob("*"))
    }


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize("step", ["fsync", "rename", "save", "crc"])
def test_a_save_that_fails_leaves_what_was_there(
    tmp_path: Path, there: bool, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if there:
        solved().save(tmp_path / "s")
    before = snapshot(tmp_path)
    rename, count = os.rename, [0]

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def fails_once_moved_aside(source: Any, target: Any) -> None:
        count[0] += 1
        if count[0] == (2 if there else 1):
            full()
        rename(source, target)

    if step == "rename":
        monkeypatch.setattr(os, "rename", fails_once_moved_aside)
    elif step == "save":
        monkeypatch.setattr(np, "save", full)
    elif step == "crc":
        monkeypatch.setattr(directory, "_crc32", full)
    else:
        monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(rs.StoreError, match=r"^cannot save .*: No space left on device$"):
        rs.solve(rs.Graph.from_edges([0], [1])).save(tmp_path / "s")
    monkeypatch.undo()
    assert snapshot(tmp_path) == before


# -- damage -----------------------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    solved([0, 1, 0, 1, 0]).save(tmp_path / "s")
    return tmp_path / "s"


ALL_FILES = sorted(directory.FILES - {"manifest.json"})


@pytest.mark.parametrize("name", ALL_FILES)
def test_a_file_that_is_missing(saved: Path, name: str) -> None:
    (saved / name).unlink()
    for check in (True, False):
        with pytest.raises(rs.StoreError, match=rf"^cannot read .*{name}: No such file or directory$"):
            rs.open(saved, check=check)


@pytest.mark.parametrize("name", ALL_FILES)
def test_any_byte_that_changed(saved: Path, name: str) -> None:
    whole = (saved / name).read_bytes()
    for place in {0, 7, 60, len(whole) // 2, len(whole) - 1}:
        data = bytearray(whole)
        data[min(place, len(data) - 1)] ^= 4
        (saved / name).write_bytes(data)
        with pytest.raises(rs.StoreError, match=rf"{name} is damaged: expected checksum \d+, not \d+$"):
            rs.open(saved)
        try:  # without the checksums: found if it shows, and never another error
            rs.open(saved, check=False)
        except rs.StoreError as error:
            text = str(error)
            check_line(text)
    (saved / name).write_bytes(whole)
    rs.open(saved)


def check_line(text: str) -> None:
    assert "\n" not in text


@pytest.mark.parametrize("name", [name for name in ALL_FILES if name.endswith(".npy")])
@pytest.mark.parametrize("size", [0, 5, 100, -1])
def test_a_file_cut_off(saved: Path, name: str, size: int) -> None:
    data = (saved / name).read_bytes()
    (saved / name).write_bytes(data[:size])
    with pytest.raises(rs.StoreError, match=rf"{name} is damaged: "):
        rs.open(saved)
    with pytest.raises(rs.StoreError, match=rf"{name} is damaged: |{name} has shape"):
        rs.open(saved, check=False)


def crc32(path: Path) -> int:
    return zlib.crc32(path.read_bytes())


def with_array(name: str, array: Any) -> Any:
    """A change of one array, its manifest made to fit."""

    def change(folder: Path, manifest: dict[str, Any]) -> None:
        array_ = np.asarray(array)
        np.save(folder / f"{name}.npy", array_, allow_pickle=True)
        told = {"dtype": array_.dtype.str, "length": len(array_)}
        manifest["files"][f"{name}.npy"] = told | {"crc32": crc32(folder / f"{name}.npy")}

    return change


def with_names(names: Any) -> Any:
    def change(folder: Path, manifest: dict[str, Any]) -> None:
        (folder / "names.json").write_text(json.dumps(names))
        manifest["files"]["names.json"]["crc32"] = crc32(folder / "names.json")

    return change


def with_entry(key: str, found: Any) -> Any:
    def change(_: Path, manifest: dict[str, Any]) -> None:
        manifest[key] = found

    return change


@pytest.mark.parametrize(
    ("change", "pattern"),
    [
        (with_entry("format", "zip"), r"manifest\.json: format 'zip': expected 'retrosolve solution'"),
        (with_entry("version", 2), r"manifest\.json: version 2: expected 1"),
        (with_entry("version", True), r"version True: expected 1"),
        (with_entry("vertices", -1), r"vertices is -1: expected a whole number, 0 or more"),
        (with_entry("vertices", 10**12), r"indptr\.npy has shape \(6,\): expected \(1000000000001,\)"),
        (with_entry("vertices", 4), r"indptr\.npy has shape \(6,\): expected \(5,\)"),
        (with_entry("edges", 5.0), r"edges is 5\.0: expected"),
        (with_entry("edges", 0), r"indices\.npy has shape \(4,\): expected \(0,\)"),
        (with_entry("files", []), r"files is \[\]: expected an object"),
        (with_entry("files", {}), r"no file indptr\.npy: expected"),
        (with_entry("files", {"../../x": {}}), r"file '\.\./\.\./x': expected indices\.npy, "),
        (with_entry("stuck", "draw"), r"stuck 'draw': expected loss, win or tie"),
        (with_entry("start", 5), r"start 5: expected a vertex, 0\.\.4"),
        (with_entry("start", "a"), r"start 'a': expected a vertex"),
        (with_entry("players", ["x"]), r"players is \['x'\]: expected two names"),
        (with_entry("solver", None), r"solver is None: expected its name"),
        (with_entry("counts", {"win": 5}), r"counts \{'win': 5\}: expected \{"),
        (with_array("indices", [1, 0, 2, 9]), r"holds no graph: indices\[3\] is 9"),
        (with_array("indptr", [0, 1, 3, 2, 4, 4]), r"holds no graph: indptr\[3\] is 2"),
        (with_array("owner", [0, 1, 2, 0, 0]), r"holds no graph: owner\[2\] is 2: expected 0 or 1"),
        (with_array("owner", np.array([{}] * 5)), r"owner\.npy is damaged: .*|owner\.npy has dtype"),
        (with_array("value", [1, 2, 1, 2, 7]), r"value of vertex 'e' is 7: expected 0 to 3"),
        (with_array("value", [1.0] * 5), r"value\.npy has dtype float64: expected '<f8'"),
        (with_array("value", [[1]] * 5), r"value\.npy has shape \(5, 1\): expected \(5,\)"),
        (
            with_array("remoteness", [-1, -1, 1, 0, 5]),
            r"remoteness of vertex 'e' is 5: expected -1 to 4",
        ),
        (with_array("remoteness", [-1, -1, 1, -1, 0]), r"vertex 'd' is a loss with remoteness none"),
        (with_names(["a"]), r"names\.json holds no list of 5 names"),
        (with_names({"a": 1}), r"names\.json holds no list of 5 names"),
        (with_names(["a", "b", "c", "d", 1.5]), r"names\.json has 1\.5 for vertex 4: expected text or"),
        (with_names(["a", "b", "c", "d", "a"]), r"holds no graph: names\[4\] is 'a', and so is"),
    ],
)
def test_what_makes_no_sense(saved: Path, change: Any, pattern: str) -> None:
    path = saved / "manifest.json"
    manifest = json.loads(path.read_text())
    change(saved, manifest)
    path.write_text(json.dumps(manifest))
    with pytest.raises(rs.StoreError, match=pattern) as raised:
        rs.open(saved)
    assert "\n" not in str(raised.value)
    assert str(raised.value).startswith(str(saved))


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("", "column 1, Expecting value: expected JSON"),
        ("[]", r"manifest\.json: \[\]: expected an object"),
        ('{"version": NaN}', "NaN is not JSON"),
        ('{"version": 1, "version": 1}', "key 'version' twice"),
        ("[" * 100_000, "too deep|expected JSON"),
        ("\xff", "is not UTF-8"),
    ],
)
def test_a_damaged_manifest(saved: Path, text: str, pattern: str) -> None:
    (saved / "manifest.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(rs.StoreError, match=pattern):
        rs.open(saved)


def test_what_is_no_saved_solution(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path, pattern in {
        tmp_path / "none": "No such file or directory",
        tmp_path: "No such file or directory",
        tmp_path / "file": "Not a directory",
        tmp_path / "x\0": "embedded null",
    }.items():
        with pytest.raises(rs.StoreError, match=pattern):
            rs.open(path)
    with pytest.raises(rs.StoreError, match=r"^None is not a path: expected"):
        rs.open(None)
