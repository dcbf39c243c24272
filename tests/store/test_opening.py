"""Opening: what it reads and imports, when it ends, and who may use it at the same time."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.errors import UntrustedRulesError
from retrosolve.games import parse_game
from retrosolve.runtime.sources import load_module
from retrosolve.store import blocks
from tests.support.saved import COMPILED, solved

WITHOUT_RULES = """
import sys
import numpy
before = set(sys.modules)
import retrosolve as rs
with rs.open(sys.argv[1]) as solution:
    solution.counts(), solution.histogram(), solution.longest(), len(solution), repr(solution)
    solution.counts_by_player(), solution.verified, solution.num_edges
    solution.table.values(), solution.remoteness(), solution.table.values(numpy.array([3, 1]))
print(*sorted(set(sys.modules) - before))
"""


def test_opening_and_counting_import_neither_numba_nor_rules_nor_zarr() -> None:
    saved = Path(__file__).parent.parent / "data" / "version-7" / "renumbered"
    command = [sys.executable, "-c", WITHOUT_RULES, str(saved)]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "retrosolve.store.directory" in loaded
    assert not {name.partition(".")[0] for name in loaded} & {"numba", "zarr", "llvmlite", "chess"}
    assert not [name for name in loaded if name.startswith(("retrosolve.games", "retrosolve.rules"))]
    assert "importlib.metadata" not in loaded  # it takes as long as all the rest


def test_opening_executes_no_rules(tmp_path: Path) -> None:
    rules = tmp_path / "heap.py"
    executed = str(tmp_path / "executed")
    rules.write_text(COMPILED + f"\nwith open({executed!r}, 'a') as file:\n    file.write('x')\n")
    rs.solve(load_module(rules).Heap()).save(tmp_path / "s")
    (tmp_path / "executed").unlink()
    solution = rs.open(tmp_path / "s")
    assert solution.counts()[rs.Value.LOSS] == 4
    assert solution.table.outcome(0)[1] >= 0
    with pytest.raises(UntrustedRulesError):
        solution[9]
    assert not (tmp_path / "executed").exists()
    solution = rs.open(tmp_path / "s", trust_rules=True)
    assert not (tmp_path / "executed").exists()
    assert solution[9] == (rs.Value.LOSS, 6)
    assert (tmp_path / "executed").read_text() == "x"
    assert solution[8].value is rs.Value.WIN
    assert (tmp_path / "executed").read_text() == "x"  # once


def test_summaries_read_no_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solved("graph", tmp_path)
    solution.save(tmp_path / "s")
    opened = rs.open(tmp_path / "s")
    monkeypatch.setattr(blocks.BlockArray, "_decompress", None)
    for name in ("counts", "counts_by_player", "histogram", "longest", "__len__", "__repr__"):
        assert getattr(opened, name)() == getattr(solution, name)()
    assert opened.num_edges == 4
    opened.histogram()[rs.Value.WIN].clear()
    assert opened.histogram() == solution.histogram()


@pytest.mark.parametrize("game", ["foxhounds:n=4", "queenpawns:n=4"])
def test_single_positions_do_not_decode_the_table(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solution = rs.solve(parse_game(game))  # only reachable positions are valid
    solution.save(tmp_path / "s")
    opened = rs.open(tmp_path / "s")
    monkeypatch.setattr(type(opened.table), "packed", None)
    position, asked = opened.start, []
    read = blocks.BlockArray.read
    monkeypatch.setattr(
        blocks.BlockArray, "read", lambda *at: (asked.append(at[2] - at[1]), read(*at))[1]
    )
    assert opened.line(position) == solution.line(position)
    assert opened.moves(position) == solution.moves(position)
    assert max(asked, default=0) <= 1
    with pytest.raises(rs.PositionError):
        opened[opened.space.position(int(np.argmax(solution.table.values() == 255)))]


def test_a_closed_solution_is_refused(tmp_path: Path) -> None:
    with rs.solve(rs.Graph.from_edges(["a", "b"], ["b", "c"])) as solution:
        pass
    assert str(solution["a"]) == "LOSS in 2"  # in memory there is nothing to close
    solved("graph", tmp_path).save(tmp_path / "s")
    with rs.open(tmp_path / "s") as solution:
        space, table, elsewhere = solution.space, solution.table, solution.with_start("b")
    uses = lambda: solution["a"], lambda: [*solution.values()], solution.counts, lambda: solution.space
    for use in uses:
        with pytest.raises(rs.StoreError):
            use()
    solution.close()
    assert elsewhere.start == "b"
    assert (space.num_vertices, table.outcome(2), elsewhere["c"]) == (5, (1, 1), (rs.Value.WIN, 1))


def test_nothing_stays_open(tmp_path: Path) -> None:
    handles = Path("/proc/self/fd")
    if not handles.exists():
        return  # only Linux lists them
    solved("graph", tmp_path).save(tmp_path / "s")
    rs.open(tmp_path / "s").table.values()
    before = len(list(handles.iterdir()))
    for _ in range(20):
        with rs.open(tmp_path / "s", check=True) as solution:
            solution.table.values()
    del solution
    assert len(list(handles.iterdir())) == before


def test_verified_is_saved(tmp_path: Path) -> None:
    solution = solved("graph", tmp_path)
    assert not solution.verified
    solution.save(tmp_path / "s")
    opened = rs.open(tmp_path / "s")
    assert not opened.verified
    rs.verify(opened)
    assert opened.verified
    opened.save(tmp_path / "s")
    assert rs.open(tmp_path / "s").verified
    assert copy.copy(opened).verified
    assert not rs.Solution(opened.space, opened.table).verified


LONG, LINE = 300_000, 1000


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The saved solution of a game of many lines, in several blocks."""
    path = tmp_path_factory.mktemp("long") / "s"
    source = np.arange(LONG)
    source = source[plies_in_line(source) > 0]
    rs.solve(rs.Graph.from_edges(source, source + 1)).save(path)
    return path


def plies_in_line(v: Any) -> Any:
    """The remoteness of vertices."""
    return LINE - 1 - v % LINE


def probes_right(solution: rs.Solution, seed: int) -> bool:
    """Whether a thousand probes, single and at once, are right."""
    at = np.random.default_rng(seed).integers(0, LONG, 1000)
    alone = [solution[int(v)].remoteness for v in at[:200]]
    expected = plies_in_line(at)
    return alone == expected[:200].tolist() and bool((solution.table.remoteness(at) == expected).all())


def test_several_threads_probe_at_once(long: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MAX_CACHED_BYTES", 3 << 16)  # blocks are thrown out all the time
    solution = rs.open(long)
    right: list[bool] = []

    def probe(seed: int) -> None:
        right.append(all(probes_right(solution, 10 * seed + k) for k in range(2)))

    threads = [threading.Thread(target=probe, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert right == [True] * 4
    assert len(solution.opened.table.parts[0]._cache) <= 3 + 4  # type: ignore[attr-defined]


def test_other_processes_probe(long: Path) -> None:
    solution = rs.open(long)
    assert probes_right(solution, 0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.starmap(probes_right, [(solution, seed) for seed in range(2)]) == [True] * 2


def test_an_opened_solution_is_pickled_by_its_path(long: Path, tmp_path: Path) -> None:
    solution = rs.open(long).with_start(7)
    rs.verify(solution)
    data = pickle.dumps(solution)
    assert len(data) < 1000
    again = pickle.loads(data)
    assert (again.start, again.verified, again[7]) == (7, True, solution[7])


def test_batches_of_any_order_and_dtype(long: Path) -> None:
    table = rs.open(long).table
    for at in ([], [5], [5, 5], [299_999, 0, 150_000, 0], range(70_000, 69_990, -1)):
        for dtype in (np.int64, np.int32, np.uint64):
            found = table.remoteness(np.array(at, dtype))
            assert found.tolist() == [plies_in_line(v) for v in at]
            assert found.dtype == np.int32
    found = table.remoteness(slice(100_000, 200_000, 7))
    assert np.array_equal(found, plies_in_line(np.arange(100_000, 200_000, 7)))
    assert table.remoteness(slice(5, 5)).tolist() == []
