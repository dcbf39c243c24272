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
from retrosolve.games import parse_game
from retrosolve.spaces.product import ProductSpace
from retrosolve.store import directory
from retrosolve.tables import BitplaneTable
from tests.support.graph_files import solutions
from tests.support.saved import ALL_FILES, kind_with
from tests.support.saved import saved as saved_kind
from tests.support.saved import solved as solved_kind


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
    space = solution.space.starting(solution.start, ("Left", "Rïght"))
    solution = rs.Solution(space, solution.table, solution.stuck, solution.solver)
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


def test_a_game_is_saved_by_its_rules(tmp_path: Path) -> None:
    solution = rs.solve(Pile())
    solution.save(tmp_path / "s")
    assert {path.name for path in (tmp_path / "s").iterdir()} == {
        "manifest.json", "value.npy", "remoteness.npy",
    }  # fmt: skip
    opened = rs.open(tmp_path / "s")
    assert opened.start == (6, "stones")
    assert opened[(6, "stones")] == solution[(6, "stones")]
    assert opened.space.players == ("you", "me")
    assert opened.space.text((5, "stones")) == "5 stones"
    assert [m.name for m in opened.best_moves((5, "stones"))] == ["take 2"]
    rs.verify(opened)


def test_a_game_of_two_tokens_is_saved_without_edges(tmp_path: Path) -> None:
    for remoteness in (True, False):
        solution = rs.solve(parse_game("police"), remoteness=remoteness)
        solution.save(tmp_path / "s")
        there = {path.name for path in (tmp_path / "s").iterdir()} - {"manifest.json"}
        assert there == ({"words.npy"} if remoteness else {"planes.npy", "place.npy"})
        opened = rs.open(tmp_path / "s")
        assert opened.num_edges == solution.num_edges == opened.space.num_edges
        assert [opened.space.position(v) for v in range(5)] == list(solution)[:5]
        assert np.array_equal(opened.values(), solution.values())
        assert opened.table.has_remoteness == remoteness
        assert opened.solver == "bitset"
        for array in opened.table.arrays().values():
            assert is_mapped(array)
            assert not array.flags.writeable
        rs.verify(opened)


def test_a_product_space_without_rules_is_not_saved(tmp_path: Path) -> None:
    ring = rs.Graph.from_edges([0, 1, 2], [1, 2, 0])
    terminal = np.zeros(18, np.uint8)
    terminal[[0, 4, 8]], terminal[[9, 13, 17]] = rs.Value.WIN, rs.Value.LOSS
    with pytest.raises(rs.StoreError, match="product space without rules cannot be saved"):
        rs.solve(ProductSpace(ring, ring, terminal)).save(tmp_path / "s")
    assert not list(tmp_path.iterdir())


def test_an_array_in_columns_is_read_as_it_was(tmp_path: Path) -> None:
    solution = solved_kind("board", tmp_path)
    planes, place = (solution.table.arrays()[name] for name in ("planes", "place"))
    table = BitplaneTable(np.asfortranarray(planes), place)
    rs.Solution(solution.space, table, solver="bitset").save(tmp_path / "s")
    assert np.array_equal(rs.open(tmp_path / "s").values(), solution.values())


def test_a_start_of_its_own_or_none_stays(tmp_path: Path) -> None:
    solution = rs.solve(Pile())
    solution.starting((3, "stones")).save(tmp_path / "s")
    assert rs.open(tmp_path / "s").start == (3, "stones")
    solution.start = None
    solution.save(tmp_path / "s")
    assert rs.open(tmp_path / "s").start is None


def test_a_graph_with_indices_that_are_no_positions(tmp_path: Path) -> None:
    graph = rs.Graph.from_edges([0, 1], [1, 3], 4, terminal=[0, 0, 255, 0])
    solution = rs.solve(graph)
    assert solution.values().tolist() == [2, 1, 255, 2]
    solution.save(tmp_path / "s")
    check_same(rs.open(tmp_path / "s"), solution)


def test_the_manifest_tells_what_is_there(tmp_path: Path) -> None:
    solution = solved()
    solution.start = "b"
    solution.save(tmp_path / "s")
    found = json.loads((tmp_path / "s" / "manifest.json").read_text())
    files = found.pop("files")
    assert found == {
        "format": "retrosolve solution",
        "version": 2,
        "space": {"kind": "graph", "initial": None, "players": ["0", "1"]},
        "table": "arrays",
        "num_vertices": 5,
        "num_edges": 4,
        "solver": solution.solver,
        "stuck": "loss",
        "start": 1,
        "counts": {"win": 1, "loss": 1, "tie": 1, "draw": 2},
    }
    assert {p.name for p in (tmp_path / "s").iterdir()} == {*files, "manifest.json"}
    assert files["value.npy"] == {
        "shape": [5], "dtype": "|u1", "crc32": crc32(tmp_path / "s" / "value.npy"),
    }  # fmt: skip
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
        monkeypatch.setattr(directory, "crc32", full)
    else:
        monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(rs.StoreError, match=r"^cannot save .*: No space left on device$"):
        rs.solve(rs.Graph.from_edges([0], [1])).save(tmp_path / "s")
    monkeypatch.undo()
    assert snapshot(tmp_path) == before


# -- damage -----------------------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return saved_kind("graph", tmp_path)


@pytest.mark.parametrize("name", ALL_FILES)
def test_a_file_that_is_missing(tmp_path: Path, name: str) -> None:
    saved = saved_kind(kind_with(name), tmp_path)
    (saved / name).unlink()
    for check in (True, False):
        with pytest.raises(rs.StoreError, match=rf"^cannot read .*{name}: No such file or directory$"):
            rs.open(saved, check=check)


@pytest.mark.parametrize("name", ALL_FILES)
def test_a_file_that_the_manifest_does_not_list(tmp_path: Path, name: str) -> None:
    if name in ("names.json", "owner.npy", "terminal.npy"):
        return  # a graph may do without
    saved = saved_kind(kind_with(name), tmp_path)
    manifest = json.loads((saved / "manifest.json").read_text())
    del manifest["files"][name]
    (saved / "manifest.json").write_text(json.dumps(manifest))
    for check in (True, False):
        with pytest.raises(rs.StoreError, match=rf"manifest\.json: no file {name}: expected one$"):
            rs.open(saved, check=check)


@pytest.mark.parametrize("name", ALL_FILES)
def test_any_byte_that_changed(tmp_path: Path, name: str) -> None:
    saved = saved_kind(kind_with(name), tmp_path)
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
def test_a_file_cut_off(tmp_path: Path, name: str, size: int) -> None:
    saved = saved_kind(kind_with(name), tmp_path)
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
        described = {"dtype": array_.dtype.str, "shape": list(array_.shape)}
        manifest["files"][f"{name}.npy"] = described | {"crc32": crc32(folder / f"{name}.npy")}

    return change


def with_names(names: Any) -> Any:
    def change(folder: Path, manifest: dict[str, Any]) -> None:
        (folder / "names.json").write_text(json.dumps(names))
        manifest["files"]["names.json"]["crc32"] = crc32(folder / "names.json")

    return change


def with_entry(key: str, found: Any) -> Any:
    """A change of one entry of the manifest, or of an object in it: ``space.kind``."""

    def change(_: Path, manifest: dict[str, Any]) -> None:
        *inside, last = key.split("/")
        for part in inside:
            manifest = manifest[part]
        manifest[last] = found

    return change


def with_all(*changes: Any) -> Any:
    def change(folder: Path, manifest: dict[str, Any]) -> None:
        for one in changes:
            one(folder, manifest)

    return change


def uint8(*numbers: int) -> Any:
    return np.array(numbers, np.uint8)


def int32(*numbers: int) -> Any:
    return np.array(numbers, np.int32)


@pytest.mark.parametrize(
    ("change", "pattern"),
    [
        (with_entry("format", "zip"), r"manifest\.json: format 'zip': expected 'retrosolve solution'"),
        (with_entry("version", 1), r"manifest\.json: version 1: expected 2"),
        (with_entry("version", True), r"version True: expected 2"),
        (with_entry("num_vertices", -1), r"num_vertices is -1: expected a whole number, 0 or more"),
        (with_entry("num_vertices", 10**12), r"names\.json holds no list of 1000000000000 names"),
        (with_entry("num_vertices", 4), r"names\.json holds no list of 4 names"),
        (with_entry("num_vertices", None), r"num_vertices is None: expected a whole number"),
        (with_entry("num_edges", 5.0), r"num_edges is 5\.0: expected"),
        (with_entry("num_edges", 0), r"num_edges is 0, but the space has 4: expected as many"),
        (with_entry("num_edges", True), r"num_edges is True: expected a whole number"),
        (with_entry("table", "tables"), r"table 'tables': expected one of arrays, packed, bitplanes"),
        (with_entry("table", None), r"table None: expected one of"),
        (with_entry("table", ["arrays"]), r"table \['arrays'\]: expected one of"),
        (with_entry("table", "packed"), r"no file words\.npy: expected one"),
        (with_entry("space", None), r"space None: expected a graph or rules"),
        (with_entry("space", [1]), r"space \[1\]: expected a graph or rules"),
        (with_entry("space", {}), r"space \{.*\}: expected a graph or rules"),
        (with_entry("space/kind", ["graph"]), r"space \{.*: expected a graph or rules"),
        (with_entry("space/kind", "rules"), r"space \{.*: expected the name of a class"),
        (with_entry("space/initial", 5), r"start 5: expected a vertex, 0\.\.4"),
        (with_entry("space/initial", "a"), r"start 'a': expected a vertex, 0\.\.4"),
        (with_entry("space/players", None), r"players is None: expected two names"),
        (with_entry("space/players", ["x"]), r"players is \['x'\]: expected two names"),
        (with_entry("space/players", ["x", 1]), r"players is \['x', 1\]: expected two names"),
        (with_entry("files/value.npy/shape", [6]), r"value\.npy has shape \(5,\): expected \[6\]"),
        (with_entry("files/value.npy/shape", 5), r"value\.npy has shape \(5,\): expected 5"),
        (with_entry("files/value.npy/dtype", "<u2"), r"value\.npy has dtype uint8: expected '<u2'"),
        (with_entry("files/value.npy/crc32", "x"), r"value\.npy is damaged: expected checksum 'x'"),
        (with_entry("files/value.npy", 3), r"file 'value\.npy': expected"),
        (with_entry("files", []), r"files is \[\]: expected an object"),
        (with_entry("files", {}), r"no file value\.npy: expected"),
        (with_entry("files", {"../../x": {}}), r"file '\.\./\.\./x': expected indices\.npy, "),
        (with_entry("stuck", "draw"), r"stuck 'draw': expected loss, win or tie"),
        (with_entry("start", 5), r"start 5: expected a vertex, 0\.\.4"),
        (with_entry("start", "a"), r"start 'a': expected a vertex"),
        (with_entry("solver", None), r"solver is None: expected its name"),
        (with_entry("counts", {"win": 5}), r"counts \{'win': 5\}: expected \{"),
        (with_array("indices", [1, 0, 2, 9]), r"hold no graph: indices\[3\] is 9"),
        (with_array("indptr", [0, 1, 3, 2, 4, 4]), r"hold no graph: indptr\[3\] is 2"),
        (with_array("owner", [0, 1, 2, 0, 0]), r"hold no graph: owner\[2\] is 2: expected 0 or 1"),
        (with_array("owner", np.array([{}] * 5)), r"owner\.npy is damaged: .*|owner\.npy has dtype"),
        (
            with_array("indptr", [[0, 1, 3, 4, 4, 4]]),
            r"indptr has shape \(1, 6\): expected|hold no graph",
        ),
        (with_array("value", uint8(1, 2, 1, 2, 7)), r"value of vertex 4 is 7: expected 0 to 3"),
        (with_array("value", uint8(0, 0, 1, 2, 255)), r"remoteness of vertex 4 is 0, its value 255"),
        (
            with_all(
                with_array("value", uint8(0, 0, 1, 2, 255)),
                with_array("remoteness", int32(-1, -1, 1, 0, -1)),
            ),
            r"value of vertex 4 is 255: expected 255 where the graph has no position, and only there",
        ),
        (with_array("value", uint8(1, 2, 1, 2)), r"value has 4 entries and remoteness 5"),
        (with_array("value", [1, 2, 1, 2, 0]), r"value has dtype <i8: expected uint8"),
        (
            with_all(with_array("value", uint8(1)), with_array("remoteness", int32(0))),
            r"num_vertices is 5, but the table has 1: expected as many",
        ),
        (with_array("value", [1.0] * 5), r"value\.npy has dtype float64: expected '<f8'"),
        (with_array("value", [[1]] * 5), r"value has dtype <i8: expected uint8"),
        (with_array("value", np.ones((5, 1), np.uint8)), r"value has shape \(5, 1\): expected 1 dim"),
        (
            with_array("remoteness", uint8(0, 0, 0, 0, 0)),
            r"remoteness has dtype \|u1: expected int32 or",
        ),
        (with_array("remoteness", np.array([0] * 5, ">i4")), r"remoteness has dtype >i4: expected"),
        (
            with_array("remoteness", int32(-1, -1, 1, 0, 5)),
            r"remoteness of vertex 4 is 5, its value 3: expected 0 to 4",
        ),
        (
            with_array("remoteness", int32(-1, -1, 1, -1, 0)),
            r"remoteness of vertex 3 is -1, its value 2: expected 0 to 4",
        ),
        (
            with_array("remoteness", int32(-1, 2, 1, 0, 0)),
            r"remoteness of vertex 1 is 2, its value 0: expected -1",
        ),
        (with_names(["a"]), r"names\.json holds no list of 5 names"),
        (with_names({"a": 1}), r"names\.json holds no list of 5 names"),
        (with_names(["a", "b", "c", "d", 1.5]), r"names\.json has 1\.5 for vertex 4: expected text or"),
        (with_names(["a", "b", "c", "d", "a"]), r"hold no graph: names\[4\] is 'a', and so is"),
    ],
)
def test_what_makes_no_sense(saved: Path, change: Any, pattern: str) -> None:
    refuses(saved, change, pattern)


def refuses(saved: Path, change: Any, pattern: str) -> None:
    path = saved / "manifest.json"
    manifest = json.loads(path.read_text())
    change(saved, manifest)
    path.write_text(json.dumps(manifest))
    with pytest.raises(rs.StoreError, match=pattern) as raised:
        rs.open(saved)
    assert "\n" not in str(raised.value)
    assert str(raised.value).startswith(str(saved))


WORDS = np.arange(11, dtype=np.uint16)


@pytest.mark.parametrize(
    ("change", "pattern"),
    [
        (with_array("words", WORDS[:9]), r"num_vertices is 11, but the table has 9: expected as many"),
        (
            with_array("words", WORDS.astype(np.int16)),
            r"words has dtype <i2: expected uint16 or uint32 or",
        ),
        (
            with_array("words", WORDS.reshape(11, 1)),
            r"words has shape \(11, 1\): expected 1 dimensions",
        ),
        (with_array("words", WORDS << 3 | 1), r"counts \{.*: expected \{"),
        (with_array("words", (WORDS + 1) << 3 | 1), r"remoteness of vertex 10 is 11: expected 0 to 10"),
        (with_array("positions", np.arange(9)), r"num_vertices is 11, but the space has 9"),
        (
            with_array("positions", np.arange(11).reshape(11, 1)),
            r"positions has shape \(11, 1\): expected a",
        ),
        (with_array("positions", [1.5] * 11), r"positions\.npy has dtype float64: expected '<f8'"),
        (with_array("positions", np.arange(11, 22)), r"the game starts from no position, .*game="),
        (with_entry("num_vertices", 12), r"num_vertices is 12, but the space has 11: expected as many"),
        (with_entry("counts", None), r"counts None: expected \{"),
        (with_entry("table", "bitplanes"), r"no file planes\.npy: expected one"),
        (with_entry("start", 11), r"start 11: expected a vertex, 0\.\.10"),
        (with_entry("space/kind", "graph"), r"no file indptr\.npy: expected one"),
        (with_entry("space/name", 3), r"space \{.*: expected the name of a class and its arguments"),
        (
            with_entry("space/arguments", []),
            r"space \{.*: expected the name of a class and its arguments",
        ),
        (with_entry("space/path", 3), r"space \{.*: expected the path of its rules"),
        (with_entry("space/path", ""), r"the rules  are gone|expected the path"),
        (with_entry("space/path", "/dev/zero"), r"the rules /dev/zero are gone: expected it as it was"),
        (with_entry("space/path", "a\n\ud800\0"), r"the rules a\\n\\ud800\\x00 are gone"),
        (with_entry("space/digest", None), r"heap\.py have changed since they were saved: .*game="),
        (with_entry("space/name", "Pile"), r"heap\.py:Pile is no class of games: .*game="),
        (with_entry("space/name", "rs"), r"heap\.py:rs is no class of games"),
        (with_entry("space/name", "Heap.n.n"), r"heap\.py:Heap\.n\.n is no class of games"),
        (
            with_entry("space/name", "Heap.none"),
            r"Heap\.none could not be made again \(TypeError: .*game=",
        ),
        (with_entry("space/arguments", {"m": 3}), r"Heap could not be made again \(TypeError: .*game="),
        (with_entry("space/arguments", {"n": [1]}), r"starts from \[1\]|starts from no position"),
        (with_entry("space/arguments", {"n": 12}), r"the game starts from no position, 12 .*game="),
        (with_entry("space/module", "retrosolve.none"), r"there is no module retrosolve\.none in this"),
        (with_entry("space/module", "retrosolve..x"), r"there is no module retrosolve\.\.x in this"),
        (with_entry("space/module", "none_such"), r"heap\.py raised ModuleNotFoundError: .*game="),
        (with_entry("space/module", [3]), r"heap\.py raised AttributeError: .*game="),
        (with_entry("space/module", "json"), r"the module json is not .*heap\.py any more: .*game="),
        (
            with_all(
                with_entry("space/module", "retrosolve.rules.game"), with_entry("space/name", "Game")
            ),
            r"retrosolve\.rules\.game:Game could not be made again \(RulesError: .*NotImplementedError: .*game=",
        ),
    ],
)
def test_what_makes_no_sense_for_rules(tmp_path: Path, change: Any, pattern: str) -> None:
    refuses_anyhow(saved_kind("explored", tmp_path), change, pattern)


PLANES = np.zeros((26, 4, 5), np.uint64)


@pytest.mark.parametrize(
    ("change", "pattern"),
    [
        (with_array("planes", PLANES), r"counts \{.*: expected \{"),
        (with_array("planes", PLANES[:25]), r"num_vertices is 1352, but the table has 1300"),
        (with_array("planes", PLANES.astype(np.int64)), r"planes has dtype <i8: expected uint64"),
        (with_array("planes", PLANES[0]), r"planes has shape \(4, 5\): expected 3 dimensions"),
        (with_array("planes", PLANES[:, :3]), r"planes has shape \(26, 3, 5\): expected four rows"),
        (with_array("planes", PLANES[..., :0]), r"place holds \d+ to \d+: expected 0 to -1"),
        (with_array("place", np.arange(25)), r"num_vertices is 1352, but the table has 1300"),
        (with_array("place", np.arange(26) + 300), r"place holds 300 to 325: expected 0 to 319"),
        (with_array("place", np.arange(26) - 1), r"place holds -1 to 24: expected 0 to 319"),
        (with_array("place", np.arange(26, dtype=np.uint8)), r"place has dtype \|u1: expected int64"),
        (
            with_array("place", np.zeros((26, 1), np.int64)),
            r"place has shape \(26, 1\): expected 1 dim",
        ),
        (with_entry("table", "arrays"), r"no file value\.npy: expected one"),
        (with_entry("start", 1352), r"start 1352: expected a vertex, 0\.\.1351"),
        (
            with_entry("space/arguments/text", "PT"),
            r"num_vertices is 1352, but the space has 8: expected",
        ),
        (with_entry("space/arguments/text", "?"), r"could not be made again \(.*Error: .*game="),
    ],
)
def test_what_makes_no_sense_for_boards(tmp_path: Path, change: Any, pattern: str) -> None:
    refuses_anyhow(saved_kind("board", tmp_path), change, pattern)


def refuses_anyhow(saved: Path, change: Any, pattern: str) -> None:
    """One line, which names the saved solution unless it names the rules."""
    path = saved / "manifest.json"
    manifest = json.loads(path.read_text())
    change(saved, manifest)
    path.write_text(json.dumps(manifest))
    with pytest.raises(rs.StoreError, match=pattern) as raised:
        rs.open(saved)
    text = str(raised.value)
    assert "\n" not in text
    assert text.startswith(str(saved)) or "game=" in text


def test_a_start_that_is_no_position(tmp_path: Path) -> None:
    solution = rs.solve(parse_game("queenpawns:n=4"))
    solution.save(tmp_path / "s")
    nowhere = int(np.flatnonzero(solution.values() == 255)[0])
    change = with_entry("start", nowhere)
    refuses(tmp_path / "s", change, rf"manifest\.json: start {nowhere} is no position: expected one")


@pytest.mark.parametrize("number", [float("inf"), float("nan")])
def test_arguments_that_json_cannot_hold(number: float, tmp_path: Path) -> None:
    rs.solve(Weighted(number)).save(tmp_path / "s")
    with pytest.raises(rs.StoreError, match=rf"made with {number}, which a file cannot hold: .*game="):
        rs.open(tmp_path / "s")
    assert rs.open(tmp_path / "s", game=Weighted(number)).start == 1


class Weighted(rs.Game):
    """A game made with a number that it does not use."""

    def __init__(self, weight: float) -> None:
        self.weight = weight

    def start(self) -> int:
        return 1

    def moves(self, position: int) -> list[tuple[str, int]]:
        return [("on", 0)] if position else []


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("", "column 1, Expecting value: expected JSON"),
        ("[]", r"manifest\.json: \[\]: expected an object"),
        ('{"version": NaN}', "NaN is not JSON"),
        ('{"version": 2, "version": 2}', "key 'version' twice"),
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
