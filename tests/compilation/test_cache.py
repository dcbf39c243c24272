"""Compiled kernels on disk and in the process: a cache that cannot be used costs time, never an answer."""

import logging
import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import platformdirs
import pytest
from numba.core.dispatcher import Dispatcher

import retrosolve as rs
from retrosolve.compilation import cache, jit, specialize
from retrosolve.verification.kernels import prove
from tests.bad_input.compiled_rules import Line, changed
from tests.support.marks import COMPILED

SIZE = 100_000

# Few kernels, which takes a second to compile and not three; among them one of the game and common ones.
GAME = """
import retrosolve as rs
class Row(rs.CompiledGame):
    max_moves, size = 1, 100_000
    @staticmethod
    def successors(position, out, data):
        out[0] = position // 2
        return 1 if position else 0
print(Row().state_space().out_degrees().sum())
"""


def run(folder: Path, **given: object) -> str:
    """Count the moves of a game in a process of its own; what it logged."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder), "NUMBA_DISABLE_JIT": "0"}
    done = subprocess.run(
        [sys.executable, "-c", GAME], env=environment, capture_output=True, text=True, check=False, **given
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "99999\n"), done.stderr
    return done.stderr


def contents(folder: Path) -> dict[str, bytes]:
    """What the files of a cache hold."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.long
def test_damaged_files_are_made_again(tmp_path: Path) -> None:
    assert run(tmp_path) == ""
    before = contents(tmp_path)
    assert {name.split("/")[0] for name in before} == {"games", "kernels"}
    assert len(before) >= 8
    for number, (name, whole) in enumerate(before.items()):
        flipped = bytearray(whole)
        flipped[number * len(whole) // len(before)] ^= 1 << number % 8
        damaged = [whole[: len(whole) // 2], b"", bytes(flipped), whole + b"."][number % 4]
        (tmp_path / name).write_bytes(damaged)
    assert run(tmp_path).count("it is damaged") == len(before)
    after = contents(tmp_path)
    assert after.keys() == before.keys()
    assert all(cache.read(tmp_path / name, tmp_path) for name in after)
    assert run(tmp_path) == ""


def test_every_flipped_bit_is_seen_and_nothing_is_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "games" / "digest" / "prove.kernel"
    for content in (b"", b"some content"):
        cache.write(path, tmp_path, content)
        whole = path.read_bytes()
        assert cache.read(path, tmp_path) == content
        for bit in range(8 * len(whole)):
            damaged = bytearray(whole)
            damaged[bit // 8] ^= 1 << bit % 8
            path.write_bytes(damaged)
            assert cache.read(path, tmp_path) is None
            assert not path.exists()
        for length in range(len(whole)):
            path.write_bytes(whole[:length])
            assert cache.read(path, tmp_path) is None
    other = tmp_path / "games" / "other" / "prove.kernel"
    cache.write(path, tmp_path, b"some content")
    other.parent.mkdir(mode=0o700)
    other.write_bytes(path.read_bytes())
    assert cache.read(other, tmp_path) is None  # it is another game's


def test_without_a_place_kernels_are_compiled(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    logged = run(tmp_path / "file" / "cache")
    assert logged.count("\n") == 1
    assert "compiled kernels are not kept" in logged


@pytest.mark.long
def test_a_full_disk_leaves_no_part_of_a_file(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    logged = run(tmp_path, preexec_fn=limit)
    assert logged.count("\n") == 1
    assert "File too large" in logged
    assert contents(tmp_path) == {}


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    cache._warned.clear()
    caplog.set_level(logging.DEBUG, "retrosolve.compilation.cache")
    return caplog


def test_folders_are_made_for_the_user_alone(tmp_path: Path, log: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "user" / "games" / "digest" / "prove.kernel"
    cache.write(path, tmp_path / "user", b"content")
    assert cache.read(path, tmp_path / "user") == b"content"
    for folder in (path.parent, path.parent.parent, tmp_path / "user"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not log.records


@pytest.mark.parametrize(("above", "mode"), [(0, 0o770), (1, 0o707), (2, 0o777)])
def test_a_folder_that_others_may_write_to_is_not_used(
    tmp_path: Path, log: pytest.LogCaptureFixture, above: int, mode: int
) -> None:
    top = tmp_path / "user"
    path = top / "games" / "digest" / "prove.kernel"
    cache.write(path, top, b"content")
    path.parents[above].chmod(mode)
    assert cache.read(path, top) is None
    cache.write(path.with_name("other.kernel"), top, b"content")
    assert os.listdir(path.parent) == ["prove.kernel"]
    if os.geteuid() == 0:  # nor one of somebody else
        path.parents[above].chmod(0o700)
        os.chown(path.parents[above], 12345, -1)
        assert cache.read(path, top) is None
        os.chown(path.parents[above], 0, -1)
    assert [record.levelname for record in log.records] == ["WARNING"]  # once
    path.parents[above].chmod(mode | stat.S_ISVTX)  # as /tmp is: good for what stands above
    assert (cache.read(path, top) is None) == (above == 0)


def test_without_a_home_nothing_is_kept(
    log: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    assert cache.root() == platformdirs.user_cache_path("retrosolve")
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: Path("~/.cache") / name)
    assert cache.root() is None
    assert "there is no home folder" in log.text


@COMPILED
def test_unloadable_cache_entry_is_dropped(
    tmp_path: Path, log: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = cache.KernelCache("kernels", "first")
    path = tmp_path / "kernels" / "first-0.kernel"
    kernel._path = lambda *_: path  # type: ignore[method-assign]
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    another_version = {
        b"cretrosolve.gone\nx\n.": "ModuleNotFound",
        b"cretrosolve\ngone\n.": "Attribute",
    }
    for content in (b"no pickle", b"(i1\n", b"N.", *another_version):
        log.clear()
        cache.write(path, tmp_path, content)
        assert kernel.load_overload((numba.int64,), numba.njit(lambda x: x).targetctx) is None
        assert not path.exists()
        (record,) = log.records
        assert record.levelname == ("DEBUG" if content in another_version else "WARNING")
        assert another_version.get(content, "dropping") in record.getMessage()


class Row(rs.CompiledGame):
    """Take as many as ``data`` says."""

    max_moves, size = 1, SIZE

    def __init__(self, step: int) -> None:
        self.data = (step, np.arange(step))

    @staticmethod
    def successors(position, out, data):
        out[0] = position - data[0]
        return 1 if position >= data[0] else 0


@pytest.mark.long
def test_solving_again_compiles_loads_and_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def solve(step: int) -> str:
        solution = rs.solve(Row(step))
        rs.verify(solution)
        return str(solution[12])

    assert solve(3) == "LOSS in 4"
    entered, add = [], Dispatcher.add_overload
    monkeypatch.setattr(
        Dispatcher, "add_overload", lambda self, made: entered.append(self) or add(self, made)
    )
    for step in (3, 4, 5, 6, 3, 4):
        assert solve(step) == {3: "LOSS in 4", 4: "WIN in 3", 5: "LOSS in 2", 6: "LOSS in 2"}[step]
    assert entered == []


@pytest.mark.long
@COMPILED
def test_kernel_without_rules_is_shared_by_all_games() -> None:
    solutions = [rs.solve(game) for game in (Row(3), Other())]
    for solution in solutions:
        rs.verify(solution)
    first, second = (solution.space.kernels._game._kernels for solution in solutions)
    both = first.keys() & second.keys()
    shared = {kernel.__name__ for kernel in both if first[kernel] is second[kernel]}
    assert {"check_guard", "code_of", "pack", "report_fault", "room_for"} <= shared
    assert shared.isdisjoint({"index_of", "prove", "solve_acyclic_tier", "sweep_level"})


class Other(Row):
    """The same heap with an index of its own."""

    def __init__(self) -> None:
        super().__init__(3)

    @staticmethod
    def rank(position, data):
        return SIZE - 1 - position

    @staticmethod
    def unrank(index, data):
        return SIZE - 1 - index


def test_kernels_of_few_games_are_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(specialize, "MAX_SHARED", 2)
    monkeypatch.setattr(specialize, "_shared", type(specialize._shared)())
    for number in range(4):
        names: dict[str, object] = {}
        exec(f"def successors(position, out, data):\n    out[0] = {number}\n    return 1", names)
        game = changed(Line, size=10, successors=names["successors"], predecessors=None)
        rs.solve(game).space.kernels.kernel(prove, 10**9)
        assert len(specialize._shared) == (0 if jit.is_off() else min(number + 1, 2))


def test_unhashable_rules_are_compiled_but_not_cached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    before = set(specialize._shared)
    game = changed(Line, size=SIZE, successors=odd, predecessors=None)
    assert str(rs.solve(game)[12]) == "LOSS in 4"
    assert set(specialize._shared) == before
    assert not (tmp_path / "games").exists()


size = object()  # what ``out.size`` might mean, as far as the names go


def odd(position, out, data):
    out[0] = position - 3
    return 1 if position >= 3 and out.size else 0
