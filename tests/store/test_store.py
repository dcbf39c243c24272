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

import retrosolve as rs
from retrosolve.arrays import VERTICES_PER_SPAN
from retrosolve.formats import FORMATS
from retrosolve.games import parse_game
from retrosolve.objectives.base import VALUES
from retrosolve.store import codec, digest, directory, folder, pack
from retrosolve.tables import ArrayTable, PackedTable
from retrosolve.tables.base import values_only
from retrosolve.tables.bitplanes import BitplaneTable
from retrosolve.values import INVALID
from tests.support.saved import ALL_FILES, facts, files_of, says_the_same, snapshot
from tests.support.saved import saved as saved_kind
from tests.support.saved import solved as solved_kind


def solved(owner: Any = None) -> rs.Solution:
    graph = rs.Graph.from_edges(
        [0, 1, 1, 2], [1, 0, 2, 3], 5, owner, {"e": "tie"}, names=["a", "b", "c", "d", "e"]
    )
    return rs.solve(graph)


def test_a_folder_with_the_name_of_a_file_is_refused_where_none_is(tmp_path: Path) -> None:
    solution, path = solved(), tmp_path / "a.npz.gz"
    for save in (solution.save, lambda out: rs.solve(rs.game("stones"), out=out)):
        with pytest.raises(rs.StoreError):
            save(path)
    assert list(tmp_path.iterdir()) == []
    solution.save(f"{path}/")
    solution.save(path)  # over the one before
    says_the_same(rs.open(path), solution)


def test_names_of_files_are_those_that_formats_have() -> None:
    suffixes = {suffix for kind in FORMATS.values() for suffix in kind.suffixes}
    assert suffixes == directory.FILE_SUFFIXES


def test_names_of_any_kind_are_solved_into_a_folder(tmp_path: Path) -> None:
    for name in (np.int64(5), b"x", frozenset({1}), 1j, (1, 2), 0.5):
        graph = rs.Graph.from_edges([0], [0], names=[name])
        assert rs.solve(graph, out=tmp_path / "s")[name] == (rs.Value.DRAW, None)
        rs.solve(graph).save(tmp_path / "t")
        kept = 5 if type(name) is np.int64 else str(name)
        assert list(rs.open(tmp_path / "s")) == list(rs.open(tmp_path / "t")) == [kept]
    alike = rs.Graph.from_edges([0], [1], names=[(1,), "(1,)"])
    for save in (rs.solve(alike).save, lambda path: rs.solve(alike, out=path)):
        with pytest.raises((rs.StoreError, rs.FormatError)):
            save(tmp_path / "u")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s", "t"]


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
    says_the_same(rs.open(tmp_path / "s"), solution)
    says_the_same(opened, solution)


def is_mapped(array: Any) -> bool:
    while array is not None:
        if isinstance(array, np.memmap):
            return True
        array = getattr(array, "base", None)
    return False


def test_an_array_in_columns_is_read_as_it_was(tmp_path: Path) -> None:
    solution = solved_kind("board", tmp_path)
    planes, place = (solution.table.arrays()[name] for name in ("planes", "place"))
    table = BitplaneTable(np.asfortranarray(planes), place)
    rs.Solution(solution.space, table, solver="bitset").save(tmp_path / "s")
    assert np.array_equal(rs.open(tmp_path / "s").table.values(), solution.table.values())


def test_a_start_of_its_own_or_none_stays(tmp_path: Path) -> None:
    solution = rs.solve(parse_game("stones"))
    solution.with_start(3).save(tmp_path / "s")
    assert rs.open(tmp_path / "s").start == 3
    solution._start = (None,)
    solution.save(tmp_path / "s")
    assert rs.open(tmp_path / "s").start is None


def test_a_graph_with_indices_that_are_no_positions(tmp_path: Path) -> None:
    solution = rs.solve(rs.Graph.from_edges([0, 1], [1, 3], 4, terminal=[0, 0, 255, 0]))
    assert solution.table.values().tolist() == [2, 1, 255, 2]
    solution.save(tmp_path / "s")
    says_the_same(rs.open(tmp_path / "s"), solution)


def test_the_manifest_tells_what_is_there(tmp_path: Path) -> None:
    solution = solved([0, 1, 0, 1, 0]).with_start("b")
    rs.verify(solution)
    solution.save(tmp_path / "s")
    found = json.loads((tmp_path / "s" / "manifest.json").read_text())
    arrays = [*found.pop("arrays"), *found["table"]["arrays"]]
    assert [array["name"] for array in arrays] == [
        "space/indptr", "space/indices", "space/owner", "space/terminal",
        "table/value", "table/remoteness", "table/part-0",
    ]  # fmt: skip
    assert found.pop("files")["names.json"] == facts(tmp_path / "s" / "names.json")
    assert len(found.pop("sha256")) == len(found.pop("table")["digest"]) == 64
    sides = [{"win": 1, "loss": 0, "tie": 1, "draw": 1}, {"win": 0, "loss": 1, "tie": 0, "draw": 1}]
    assert found == {
        "format": "retrosolve solution", "version": 7, "fingerprint": None, "players": ["0", "1"],
        "space": {"kind": "graph", "initial": None, "players": ["0", "1"]},
        "objective": {"name": "outcome", "parameters": {"stuck": "loss"}}, "solver": solution.solver,
        "num_vertices": 5, "num_positions": 5, "num_edges": 4, "start": 1,
        "counts": {"win": 1, "loss": 1, "tie": 1, "draw": 2}, "counts_by_player": sides,
        "histogram": {"win": {"1": 1}, "loss": {"0": 1}, "tie": {"0": 1}, "draw": {"null": 2}},
        "verified": True, "rules_called_again": None,
        "versions": {name: version(name) for name in ("retrosolve", "numpy")},
    }  # fmt: skip


def test_the_same_solution_is_the_same_bytes(tmp_path: Path) -> None:
    solved().save(tmp_path / "s")
    before = snapshot(tmp_path / "s")
    solved().save(tmp_path / "s")
    assert snapshot(tmp_path / "s") == before


def test_the_digest_depends_on_the_values_and_on_nothing_else(tmp_path: Path) -> None:
    space, digests = parse_game("chess:KRK,board=4").state_space(), set()
    for number, subject in enumerate((space, space.materialize())):
        solution = rs.solve(subject)
        solution.save(tmp_path / str(number))
        for level in (1, 19):
            pack(tmp_path / str(number), tmp_path / f"{number}-{level}", level)
            digests.add(rs.open(tmp_path / f"{number}-{level}").opened.digest)
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
    for name in ("file", "empty", "other", "odd", "more", "none/s", "x\0y"):
        with pytest.raises(rs.StoreError):
            solved().save(tmp_path / name)
    assert snapshot(tmp_path) == before


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


FAILING = [
    (os, "fsync"),
    (os, "rename"),
    (folder, "_exchange"),
    (codec, "write_blocks"),
    (directory, "file_checksum"),
]


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize(("place", "name"), FAILING)
def test_a_save_that_fails_leaves_what_was_there(
    place: Any, name: str, there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if there:
        solved().save(tmp_path / "s")
    before = snapshot(tmp_path)
    if name == "rename" or (name == "_exchange" and not there):  # as on other systems than Linux
        rename, fails = os.rename, iter([False] * there + [True])
        monkeypatch.setattr(folder, "_exchange", lambda *_: False)
        monkeypatch.setattr(os, "rename", lambda *at: full() if next(fails, False) else rename(*at))
    else:
        monkeypatch.setattr(place, name, full)
    with pytest.raises(rs.StoreError):
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
    says_the_same(rs.open(path, check=True), other)
    assert [p.name for p in tmp_path.iterdir()] == ["s"]


def test_a_solution_that_a_killed_process_moved_aside(tmp_path: Path) -> None:
    path, aside = tmp_path / "s", tmp_path / ".s.retrosolve-old"
    first, second = solved(), rs.solve(rs.Graph.from_edges([0], [1]))
    first.save(path)
    path.rename(aside)
    says_the_same(rs.open(path, check=True), first)
    second.save(path)
    says_the_same(rs.open(path, check=True), second)
    path.rename(aside)
    first.save(path)
    rs.open(path).close()
    second.save(tmp_path / "t")
    (tmp_path / "t").rename(aside)  # killed while it deleted the older one
    first.save(path)
    says_the_same(rs.open(path, check=True), first)
    assert [p.name for p in tmp_path.iterdir()] == ["s"]
