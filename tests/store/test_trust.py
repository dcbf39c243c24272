"""Rules of saved solutions: which may run, and that exactly what was compared runs."""

from __future__ import annotations

import importlib
import os
import pickle
import sys
import tempfile
from pathlib import Path
from typing import Any

import google_crc32c
import numpy as np
import pytest

import retrosolve as rs
from retrosolve.errors import UntrustedRulesError
from retrosolve.games import parse_game
from retrosolve.games.quoridor import Quoridor
from retrosolve.games.stones import Stones
from retrosolve.rules.workers import pickled_expander, unpickled_expander
from retrosolve.runtime import sources
from retrosolve.store import specs
from retrosolve.store.blocks import PLACE, BlockArray, StoredArray
from retrosolve.tables.base import values_only
from tests.support.hostile import HEAP, INSIDE, OUTSIDE, Place, hostile_solutions, with_bytecode
from tests.support.saved import reseal, saved, with_all, with_entry


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """An empty folder that is the current one and in the path of modules."""
    folder = tmp_path.resolve()
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    return Place(folder, folder / "canary")


def test_hostile_solutions_are_read_by_index_and_nothing_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, hostile = hostile_solutions(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    right = rs.open(at.solution("honest")).table.values().tolist()
    for name in (*OUTSIDE, *INSIDE):
        for trusted in (False, True):
            try:
                opened = rs.open(hostile[name], trust_rules=trusted)
            except rs.StoreError:
                assert trusted
                continue
            if name != "reader of files":
                assert opened.table.values().tolist() == right
                assert opened.longest()[rs.Value.WIN] == 7
                assert len(opened) == sum(opened.counts().values()) == 11
                assert opened.table.outcome(0) == (rs.Value.WIN, 7)
                assert trusted or name in INSIDE or "<table" in opened._repr_html_()
            for ask in (lambda s: s[7], lambda s: s.moves(7), lambda s: s.space, rs.verify):
                with pytest.raises(rs.StoreError):
                    ask(opened)
            assert not at.canary.exists(), name


def test_everything_that_needs_no_rules_is_read_without_them(place: Place) -> None:
    path = place.solution("s")
    solution = rs.open(path, trust_rules=True)
    (place.folder / "heap.py").unlink()
    opened = rs.open(path, check=True)
    assert np.array_equal(opened.table.values(), solution.table.values())
    assert np.array_equal(opened.remoteness(), solution.remoteness())
    for name in ("counts", "longest", "histogram", "digest", "__len__", "__repr__"):
        assert getattr(opened, name)() == getattr(solution, name)()
    assert opened.num_edges == solution.num_edges
    assert "<table" in opened._repr_html_()
    for ask in (lambda: opened[7], lambda: opened.start, lambda: 7 in opened, opened.columns):
        with pytest.raises(UntrustedRulesError):
            ask()


def test_a_game_that_is_given_needs_no_consent(place: Place) -> None:
    opened = rs.open(place.solution("s"), game=sources.load_module(place.folder / "heap.py").Heap())
    assert opened[7] == (rs.Value.WIN, 5)
    assert pickle.loads(pickle.dumps(rs.open(place.folder / "s", trust_rules=True)))[7].remoteness == 5
    with pytest.raises(UntrustedRulesError):
        pickle.loads(pickle.dumps(rs.open(place.folder / "s")))[7]


def test_a_solution_that_was_just_solved_needs_no_consent(place: Place) -> None:
    (place.folder / "heap.py").write_text(HEAP)
    solution = rs.solve(sources.load_module(place.folder / "heap.py").Heap(), out=place.folder / "s")
    assert solution[7] == (rs.Value.WIN, 5)
    assert pickle.loads(pickle.dumps(solution))[7] == (rs.Value.WIN, 5)
    rs.verify(solution)


def test_rules_that_are_swapped_after_they_were_compared_do_not_run(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, rules = place.solution("s"), place.folder / "heap.py"
    read = sources.read_source

    def swapped(file: Path) -> bytes:
        source = read(file)
        file.write_text(place.evil)
        return source

    monkeypatch.setattr(specs, "read_source", swapped)
    opened = rs.open(path, trust_rules=True)
    assert rules.read_text() == place.evil
    with pytest.raises(rs.StoreError):
        opened[7]
    rules.write_text(HEAP)
    assert opened[7] == (rs.Value.WIN, 5)
    assert rules.read_text() == place.evil
    assert not place.canary.exists()


def test_a_module_that_is_swapped_after_it_was_compared_does_not_run(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = place.folder / "fine_package"
    place.rules(package / "__init__.py", "from fine_package import heap\n")
    rules = place.rules(package / "heap.py", HEAP)
    importlib.invalidate_caches()
    heap = importlib.import_module("fine_package.heap")
    solution = rs.solve(heap.Heap())
    solution.save(place.folder / "s")
    assert rs.open(place.folder / "s", trust_rules=True)[7] == (rs.Value.WIN, 5)  # it is imported
    for name in ("fine_package", "fine_package.heap"):
        monkeypatch.delitem(sys.modules, name)
    source = HEAP.encode()
    Path(rules["path"]).write_text(place.evil)
    found = sources.module_file("fine_package.heap")
    assert found == Path(rules["path"])
    loaded = sources.import_source("fine_package.heap", found, source)
    assert loaded.__file__ == rules["path"]
    assert sys.modules["fine_package"].heap is loaded
    assert not place.canary.exists()


def test_bytecode_of_other_rules_does_not_run(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = place.folder / "kept_heap.py"
    place.rules(rules, HEAP)
    importlib.invalidate_caches()
    rs.solve(importlib.import_module("kept_heap").Heap()).save(place.folder / "s")
    monkeypatch.delitem(sys.modules, "kept_heap")
    with_bytecode(rules, place.evil)
    assert rs.open(place.folder / "s", trust_rules=True)[7] == (rs.Value.WIN, 5)
    assert not place.canary.exists()
    monkeypatch.delitem(sys.modules, "kept_heap")
    importlib.import_module("kept_heap")
    assert place.canary.exists()  # Python itself runs it


@pytest.mark.parametrize("name", ["far_heap", "far_package.heap"])
def test_a_module_that_is_not_found_from_elsewhere(
    name: str, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.rules(place.folder.joinpath(*name.split(".")).with_suffix(".py"), HEAP)
    importlib.invalidate_caches()
    rs.solve(importlib.import_module(name).Heap()).save(place.folder / "s")
    for loaded in (name, name.partition(".")[0]):
        monkeypatch.delitem(sys.modules, loaded, raising=False)
    elsewhere = [one for one in sys.path if Path(one) not in (Path(), place.folder)]
    monkeypatch.setattr(sys, "path", elsewhere)
    opened = rs.open(place.folder / "s", trust_rules=True)
    if name == "far_heap":
        assert opened[7] == (rs.Value.WIN, 5)
    else:
        with pytest.raises(rs.StoreError):
            opened[7]


def test_where_a_module_is_runs_no_package(place: Place) -> None:
    place.rules(place.folder / "noisy" / "__init__.py", place.evil)
    place.rules(place.folder / "noisy" / "inner" / "__init__.py", place.evil)
    place.rules(place.folder / "noisy" / "inner" / "rules.py", HEAP)
    importlib.invalidate_caches()
    assert sources.module_file("noisy.inner.rules") == place.folder / "noisy" / "inner" / "rules.py"
    assert sources.module_file("noisy.inner") == place.folder / "noisy" / "inner" / "__init__.py"
    for name in (
        "noisy.none",
        "noisy.inner.rules.none",
        "none",
        "zlib",
        "noisy..inner",
        "",
        ".",
        "a/b",
    ):
        assert sources.module_file(name) is None
    assert not place.canary.exists()


def test_workers_run_the_rules_that_were_read(place: Place) -> None:
    from retrosolve.rules.calls import Expander

    (place.folder / "heap.py").write_text(HEAP)
    sent = pickled_expander(Expander(sources.load_module(place.folder / "heap.py").Heap()))
    (place.folder / "heap.py").write_text(place.evil)
    assert unpickled_expander(sent).game.start() == 10
    assert not place.canary.exists()


SPARSE = """
import retrosolve as rs
from retrosolve.rules.contract import INVALID, LOSS


class Sparse(rs.CompiledGame):
    max_moves = 1
    size = 1 << 12

    def start(self):
        return 1

    @staticmethod
    def terminal(position, data):
        return LOSS if position * 2654435761 >> 11 & 1 else INVALID

    @staticmethod
    def successors(position, out, data):
        return 0
"""


def test_values_of_other_rules_are_written_for_readers_without_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "r.py").write_text(SPARSE)
    solution = rs.solve(sources.load_module(tmp_path / "r.py").Sparse())
    kept = rs.Solution(solution.space, values_only(solution.table))
    kept.save(tmp_path / "v")
    opened = rs.open(tmp_path / "v")
    assert not opened.opened.manifest.record["table"]["filled"]
    assert np.array_equal(opened.table.values(), solution.table.values())
    monkeypatch.setattr("retrosolve.store.codec.runs_nothing_else", lambda _: True)
    kept.save(tmp_path / "filled")  # as before
    old = rs.open(tmp_path / "filled")
    assert old.opened.manifest.record["table"]["filled"]
    assert old.counts() == kept.counts()
    with pytest.raises(UntrustedRulesError):
        old.table.values()
    old = rs.open(tmp_path / "filled", trust_rules=True, check=True)
    assert np.array_equal(old.table.values(), solution.table.values())


def test_a_game_that_is_larger_than_the_table_is_not_explored(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    rs.solve(parse_game("stones")).save(place.folder / "s")
    reseal(place.folder / "s", with_entry("space|arguments", {"n": 10**8}))
    asked: list[int] = []
    moves = Stones.moves
    monkeypatch.setattr(Stones, "moves", lambda self, n: asked.append(n) or moves(self, n))
    with pytest.raises(rs.StoreError):
        rs.open(place.folder / "s")[7]
    assert 0 < len(asked) <= 100


def test_a_compiled_game_of_another_size_is_not_compiled(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    rs.solve(parse_game("chess:KRK,board=4")).save(place.folder / "s")
    reseal(place.folder / "s", with_entry("space|arguments|board", 8))
    monkeypatch.setattr("retrosolve.rules.indexing._kernels", None)
    with pytest.raises(rs.StoreError):
        rs.open(place.folder / "s")["x"]


def test_the_least_size_of_quoridor_is_no_larger_than_its_size() -> None:
    for n, walls in [(3, 0), (3, 1), (4, 0), (4, 1), (4, 2), (5, 1)]:
        assert Quoridor.least_size(n, walls) <= Quoridor(n, walls).size
    assert Quoridor.least_size(6, 3) > 10**7
    with pytest.raises(rs.RulesError):
        Quoridor(7, 4)


def test_a_game_names_no_class_method_but_the_one_that_it_declares() -> None:
    class Elsewhere(rs.Game):
        def recipe(self) -> tuple[str, dict[str, Any]]:
            return "Path.unlink", {}

    Elsewhere.__qualname__ = "Elsewhere"
    spec = Elsewhere().spec()
    assert (spec["kind"], spec["name"]) == ("unspecified", "Elsewhere")


def test_edges_that_are_a_pipe_are_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "edges").mkdir()
    (tmp_path / "edges" / "0.csv").write_text("0,1\n1,2\n")
    rs.solve(rs.EdgeParts(tmp_path / "edges")).save(tmp_path / "s")
    os.mkfifo(tmp_path / "edges" / "1.csv")
    with pytest.raises(rs.StoreError):
        rs.open(tmp_path / "s").moves(0)
    assert rs.open(tmp_path / "s").table.values().tolist() == [2, 1, 2]


@pytest.mark.skipif(not os.path.isdir("/dev/shm"), reason="there is no memory as a folder")
def test_edges_in_shared_memory_are_found_again(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        (Path(folder) / "0.csv").write_text("0,1\n1,2\n")
        solution = rs.solve(rs.EdgeParts(folder))
        solution.save(tmp_path / "s")
        assert rs.open(tmp_path / "s").moves(0) == solution.moves(0)


def shard_of(content: bytes) -> bytes:
    """A shard of one block."""
    places = np.array([(0, len(content) + 4)], PLACE).tobytes()
    return b"".join(
        part + google_crc32c.value(part).to_bytes(4, "little") for part in (content, places)
    )


@pytest.mark.parametrize("size", [6, 1 << 20, 1 << 42])
def test_a_block_that_says_it_is_larger_is_not_decompressed(size: int, tmp_path: Path) -> None:
    frame = b"\x28\xb5\x2f\xfd\xe0" + size.to_bytes(8, "little") + b"\x01\x00\x00"
    (tmp_path / "c").write_bytes(shard_of(frame))
    with (tmp_path / "c").open("rb") as file:
        array = BlockArray(StoredArray("a", "|u1", (5,), 5, 5), [(tmp_path / "c", file, None)], 256)
        with pytest.raises(rs.StoreError):
            array.read(0, 5)


@pytest.mark.parametrize("block", [1 << 25, 1 << 40])
def test_a_block_too_large_to_decompress_is_refused(block: int, place: Place) -> None:
    path = place.solution("s")
    last = "table|arrays|2|"
    reseal(path, with_all(with_entry(f"{last}block", block), with_entry(f"{last}shard", block)))
    with pytest.raises(rs.StoreError):
        rs.open(path)


@pytest.mark.parametrize("name", ["manifest.json", "names.json"])
def test_a_file_of_text_larger_than_memory_is_not_read(name: str, tmp_path: Path) -> None:
    path, size = saved("graph", tmp_path), 1 << 42
    with (path / name).open("ab") as file:
        file.truncate(size)  # a hole, which takes no room on disk
    if name == "names.json":
        reseal(path, with_entry("files|names.json", {"bytes": size, "crc32": 0}))
    with pytest.raises(rs.StoreError):
        rs.open(path).space  # noqa: B018
