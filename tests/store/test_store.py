"""Saved solutions: what is opened is what was saved, and damage is found."""

import errno
import hashlib
import json
import os
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import retrosolve as rs
from retrosolve.arrays import VERTICES_PER_SPAN
from retrosolve.formats import FORMATS
from retrosolve.games import parse_game
from retrosolve.objectives.base import VALUES
from retrosolve.spaces.product import ProductSpace
from retrosolve.store import Saved, codec, digest, directory, folder
from retrosolve.tables import ArrayTable, PackedTable
from retrosolve.tables.base import values_only
from retrosolve.tables.bitplanes import BitplaneTable
from retrosolve.values import INVALID
from tests.support.graph_files import solutions
from tests.support.marks import examples
from tests.support.saved import ALL_FILES, facts, files_of
from tests.support.saved import saved as saved_kind
from tests.support.saved import solved as solved_kind


def solved(owner: Any = None) -> rs.Solution:
    graph = rs.Graph.from_edges(
        [0, 1, 1, 2], [1, 0, 2, 3], 5, owner, {"e": "tie"}, names=["a", "b", "c", "d", "e"]
    )
    return rs.solve(graph)


def check_same(opened: rs.Solution, solution: rs.Solution) -> None:
    assert opened.space == solution.space
    assert np.array_equal(opened.table.values(), solution.table.values())
    assert np.array_equal(opened.remoteness(), solution.remoteness())
    assert opened.table.values().dtype == solution.table.values().dtype
    assert opened.remoteness().dtype == solution.remoteness().dtype
    assert (opened.start, opened.stuck, opened.solver) == (
        solution.start,
        solution.stuck,
        solution.solver,
    )
    assert opened.space.players == solution.space.players
    rs.verify(opened)


@pytest.mark.thorough
@examples(30, 60)
@given(solution=solutions())
def test_what_is_opened_is_what_was_saved(
    tmp_path_factory: pytest.TempPathFactory, solution: rs.Solution
) -> None:
    folder = tmp_path_factory.getbasetemp() / "store"
    folder.mkdir(exist_ok=True)
    space = solution.space.with_start(solution.start, ("Left", "Rïght"))
    solution = rs.Solution(space, solution.table, solution.stuck, solution.solver)
    solution.save(folder / "s")  # over the one before
    assert [p.name for p in folder.iterdir()] == ["s"]
    check_same(rs.open(folder / "s", check=True), solution)
    check_same(rs.open(str(folder / "s")), solution)


@pytest.mark.parametrize("name", ["a.csv", "a.Json", "a.npz.gz"])
def test_a_folder_with_the_name_of_a_file_is_refused(tmp_path: Path, name: str) -> None:
    solution = solved()
    for save in (solution.save, lambda out: rs.solve(rs.game("stones"), out=out)):
        with pytest.raises(
            rs.StoreError, match=r"the name of a file; .* retrosolve\.write\(solution, "
        ):
            save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []
    solution.save(f"{tmp_path / name}/")
    solution.save(tmp_path / name)  # over the one before
    check_same(rs.open(tmp_path / name), solution)


def test_names_of_files_are_those_that_formats_have() -> None:
    suffixes = {suffix for kind in FORMATS.values() for suffix in kind.suffixes}
    assert suffixes == directory.FILE_SUFFIXES


@pytest.mark.parametrize("names", [[3, "3", -(10**30)], ["\u202e", "\0", "a\nb"]])
def test_text_and_whole_numbers_stay_as_they_are(tmp_path: Path, names: list[Any]) -> None:
    solution = rs.solve(rs.Graph.from_edges([0, 1], [1, 2], names=names))
    solution.save(tmp_path / "s")
    check_same(rs.open(tmp_path / "s"), solution)


def test_other_names_become_text(tmp_path: Path) -> None:
    rs.solve(rs.Graph.from_edges([0], [1], names=[(1, 2), 0.5])).save(tmp_path / "s")
    assert rs.open(tmp_path / "s")["(1, 2)"] == (rs.Value.WIN, 1)
    alike = rs.solve(rs.Graph.from_edges([0], [1], names=[(1,), "(1,)"]))
    with pytest.raises(rs.StoreError, match=r"^cannot save .*would both be written as '\(1,\)'"):
        alike.save(tmp_path / "t")
    assert [p.name for p in tmp_path.iterdir()] == ["s"]


def test_numbers_of_numpy_as_names_stay_numbers(tmp_path: Path) -> None:
    solution = rs.solve(rs.Graph.from_dict({np.int64(7): [np.uint8(9)]}))
    solution.save(tmp_path / "s")
    opened = rs.open(tmp_path / "s")
    assert opened[7] == opened[np.int64(7)] == solution[7] == (rs.Value.WIN, 1)
    for name in ("csv", "json", "npz", "parquet"):
        rs.write(solution, tmp_path / f"g.{name}")
        assert rs.read_solution(tmp_path / f"g.{name}")[7] == (rs.Value.WIN, 1)


@pytest.mark.parametrize("name", [np.int64(5), b"x", frozenset({1}), 1j, (1, 2), 0.5])
def test_names_of_any_kind_are_solved_into_a_folder(name: Any, tmp_path: Path) -> None:
    graph = rs.Graph.from_edges([0], [0], names=[name])
    assert rs.solve(graph, out=tmp_path / "s")[name] == (rs.Value.DRAW, None)
    rs.solve(graph).save(tmp_path / "t")
    assert rs.open(tmp_path / "s").space.names == rs.open(tmp_path / "t").space.names


def test_names_that_are_alike_as_text_are_refused_before_solving(tmp_path: Path) -> None:
    graph = rs.Graph.from_edges([0], [1], names=[(1,), "(1,)"])
    with pytest.raises(
        rs.FormatError, match=r"^the names \(1,\) and '\(1,\)' would both be written as"
    ):
        rs.solve(graph, out=tmp_path / "s")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "objective", ["outcome", "win-loss-draw", "score", "score:levels=no", "nimber", "chance"]
)
def test_a_graph_without_vertices_is_saved(objective: str, tmp_path: Path) -> None:
    empty = rs.Graph.from_edges([], [], 0)
    for solution in (
        rs.solve(empty, objective=objective), rs.solve(empty, objective=objective, out=tmp_path / "o")
    ):  # fmt: skip
        solution.save(tmp_path / "s")
        with rs.open(tmp_path / "s", check=True) as opened:
            assert (len(opened), opened.counts()) == (0, solution.counts())
            rs.verify(opened)


@pytest.mark.parametrize("kind", ["graph", "explored", "board"])
def test_the_files_of_each_kind(kind: str, tmp_path: Path) -> None:
    saved = saved_kind(kind, tmp_path)
    there = {path.relative_to(saved).as_posix() for path in saved.rglob("*") if path.is_file()}
    assert there == {*files_of(kind), "manifest.json"} <= {*ALL_FILES}


def test_arrays_are_mapped_and_cannot_be_changed(tmp_path: Path) -> None:
    solution = solved([0, 1, 0, 1, 0])
    solution.save(tmp_path / "s")
    opened = rs.open(tmp_path / "s")
    graph = opened.space
    assert isinstance(graph, rs.Graph)
    for array in (graph.indptr, graph.indices, graph.owner):
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
    assert {path.name for path in (tmp_path / "s").iterdir()} == {"manifest.json", "zarr.json", "table"}
    opened = rs.open(tmp_path / "s", trust_rules=True)
    assert opened.start == (6, "stones")
    assert opened[(6, "stones")] == solution[(6, "stones")]
    assert opened.space.players == ("you", "me")
    assert opened.space.text((5, "stones")) == "5 stones"
    assert [m.name for m in opened.best_moves((5, "stones"))] == ["take 2"]
    rs.verify(opened)


def test_a_game_of_two_tokens_is_saved_without_edges(tmp_path: Path) -> None:
    for objective in ("outcome", "win-loss-draw"):
        solution = rs.solve(parse_game("police"), objective=objective)
        solution.save(tmp_path / "s")
        there = {path.name for path in (tmp_path / "s" / "table").iterdir()} - {"zarr.json"}
        assert there == {"value", "remoteness", "part-0"}
        assert not (tmp_path / "s" / "space").exists()
        opened = rs.open(tmp_path / "s")
        assert opened.num_edges == solution.num_edges == opened.space.num_edges
        assert [opened.space.position(v) for v in range(5)] == list(solution)[:5]
        assert np.array_equal(opened.table.values(), solution.table.values())
        assert opened.table.has_remoteness == (objective == "outcome")
        assert opened.solver == "bitset"
        assert opened.opened.digest == opened.digest() == solution.digest()
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
    assert np.array_equal(rs.open(tmp_path / "s").table.values(), solution.table.values())


def test_a_start_of_its_own_or_none_stays(tmp_path: Path) -> None:
    solution = rs.solve(Pile())
    solution.with_start((3, "stones")).save(tmp_path / "s")
    assert rs.open(tmp_path / "s", trust_rules=True).start == (3, "stones")
    solution._start = (None,)
    solution.save(tmp_path / "s")
    assert rs.open(tmp_path / "s").start is None


def test_a_graph_with_indices_that_are_no_positions(tmp_path: Path) -> None:
    graph = rs.Graph.from_edges([0, 1], [1, 3], 4, terminal=[0, 0, 255, 0])
    solution = rs.solve(graph)
    assert solution.table.values().tolist() == [2, 1, 255, 2]
    solution.save(tmp_path / "s")
    check_same(rs.open(tmp_path / "s"), solution)


def test_the_manifest_tells_what_is_there(tmp_path: Path) -> None:
    solution = solved([0, 1, 0, 1, 0])
    solution = solution.with_start("b")
    rs.verify(solution)
    solution.save(tmp_path / "s")
    found = json.loads((tmp_path / "s" / "manifest.json").read_text())
    files, arrays, table = found.pop("files"), found.pop("arrays"), found.pop("table")
    assert len(found.pop("sha256")) == len(table["digest"]) == 64
    assert found == {
        "format": "retrosolve solution",
        "version": 7,
        "space": {"kind": "graph", "initial": None, "players": ["0", "1"]},
        "fingerprint": None,
        "players": ["0", "1"],
        "objective": {"name": "outcome", "parameters": {"stuck": "loss"}},
        "solver": solution.solver,
        "num_vertices": 5,
        "num_positions": 5,
        "num_edges": 4,
        "start": 1,
        "counts": {"win": 1, "loss": 1, "tie": 1, "draw": 2},
        "counts_by_player": [
            {"win": 1, "loss": 0, "tie": 1, "draw": 1}, {"win": 0, "loss": 1, "tie": 0, "draw": 1},
        ],
        "histogram": {"win": {"1": 1}, "loss": {"0": 1}, "tie": {"0": 1}, "draw": {"null": 2}},
        "verified": True,
        "rules_called_again": None,
        "versions": {name: version(name) for name in ("retrosolve", "numpy")},
    }  # fmt: skip
    assert set(files) == set(files_of("graph"))
    assert files["names.json"] == facts(tmp_path / "s" / "names.json")
    assert {array["name"] for array in arrays} == {
        "space/indptr", "space/indices", "space/owner", "space/terminal",
    }  # fmt: skip
    assert [array["name"] for array in table["arrays"]] == [
        "table/value", "table/remoteness", "table/part-0",
    ]  # fmt: skip


def test_the_same_solution_is_the_same_bytes(tmp_path: Path) -> None:
    solved().save(tmp_path / "s")
    before = snapshot(tmp_path / "s")
    solved().save(tmp_path / "s")
    assert snapshot(tmp_path / "s") == before


def test_the_digest_depends_on_the_values_and_on_nothing_else(tmp_path: Path) -> None:
    space = parse_game("chess:KRK,board=4").state_space()
    digests = set()
    for number, subject in enumerate((space, space.materialize())):
        solution = rs.solve(subject)
        for level in (1, 19):
            path = tmp_path / f"{number}-{level}"
            directory.save(saved_of(solution), path, level)
            digests.add(rs.open(path).opened.digest)
    assert digests == {digest(solution.table)}
    remoteness = solution.remoteness().copy()
    remoteness[np.argmax(solution.table.values() == rs.Value.WIN)] += 2
    assert digest(ArrayTable(solution.table.values(), remoteness)) not in digests


@pytest.mark.parametrize("kinds", [(0, 1, 2), (1, 2, 3, INVALID), (0, 1, 2, 3, INVALID)], ids=len)
def test_the_digest_without_remoteness_is_that_of_two_bits_a_vertex(kinds: tuple[int, ...]) -> None:
    n = VERTICES_PER_SPAN + 7
    values = np.random.default_rng(len(kinds)).choice(np.array(kinds, np.uint8), n)
    words = VALUES.pack(values, np.zeros(n, np.int32))
    order = [kind for kind in (0, 1, 2, 3, INVALID) if kind in kinds]
    codes = np.array([order.index(kind) if kind in order else 0 for kind in range(256)], np.uint8)
    coded = codes[values]
    if len(kinds) < 5:
        coded = np.append(coded, np.zeros(-n % 4, np.uint8))
        coded = coded[::4] | coded[1::4] << 2 | coded[2::4] << 4 | coded[3::4] << 6
    dictionary = bytes(order) + np.full(len(order), -1, "<i8").tobytes()
    expected = hashlib.sha256(dictionary + coded.tobytes()).hexdigest()
    forms = ArrayTable(values, np.full(n, 5, np.int32)), PackedTable(words)
    assert {digest(values_only(table)) for table in forms} == {expected}


def saved_of(solution: rs.Solution) -> Saved:
    return Saved(
        solution.space, solution.table, solution.objective, solution.solver, solution.num_edges
    )


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


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize("step", ["fsync", "rename", "exchange", "write", "crc"])
def test_a_save_that_fails_leaves_what_was_there(
    tmp_path: Path, there: bool, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if there:
        solved().save(tmp_path / "s")
    before = snapshot(tmp_path)
    rename, count = os.rename, [0]

    def fails_once_moved_aside(source: Any, target: Any) -> None:
        count[0] += 1
        if count[0] == (2 if there else 1):
            full()
        rename(source, target)

    if step in ("rename", "exchange") and not (step == "exchange" and there):
        monkeypatch.setattr(folder, "_exchange", lambda *_: False)  # as on other systems than Linux
        monkeypatch.setattr(os, "rename", fails_once_moved_aside)
    elif step == "exchange":
        monkeypatch.setattr(folder, "_exchange", full)
    elif step == "write":
        monkeypatch.setattr(codec, "write_blocks", full)
    elif step == "crc":
        monkeypatch.setattr(directory, "file_checksum", full)
    else:
        monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(rs.StoreError, match=r"^cannot save .*: No space left on device$"):
        rs.solve(rs.Graph.from_edges([0], [1])).save(tmp_path / "s")
    monkeypatch.undo()
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("there", [False, True])
def test_what_a_killed_process_left_is_deleted(tmp_path: Path, there: bool) -> None:
    path = tmp_path / "s"
    if there:
        solved().save(path)
    left = tmp_path / ".s.retrosolve-new"
    (left / "table").mkdir(parents=True)
    (left / "table" / "half").write_bytes(b"x")
    (left / "manifest.json").write_text("{")
    (left / "link").symlink_to(tmp_path)
    other = rs.solve(rs.Graph.from_edges([0], [1]))
    other.save(path)
    check_same(rs.open(path, check=True), other)
    assert [p.name for p in tmp_path.iterdir()] == ["s"]


def test_a_solution_that_a_killed_process_moved_aside(tmp_path: Path) -> None:
    path, aside = tmp_path / "s", tmp_path / ".s.retrosolve-old"
    first, second = solved(), rs.solve(rs.Graph.from_edges([0], [1]))
    first.save(path)
    path.rename(aside)
    check_same(rs.open(path, check=True), first)
    second.save(path)
    check_same(rs.open(path, check=True), second)
    path.rename(aside)
    first.save(path)
    rs.open(path).close()
    second.save(tmp_path / "t")
    (tmp_path / "t").rename(aside)  # killed while it deleted the older one
    first.save(path)
    check_same(rs.open(path, check=True), first)
    assert [p.name for p in tmp_path.iterdir()] == ["s"]
