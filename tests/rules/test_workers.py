"""Exploring with workers: the same numbers and answers, and what happens when one fails."""

import errno
import gc
import multiprocessing
import os
import signal
import sys
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import retrosolve as rs
from retrosolve.games.hexapawn import Hexapawn
from retrosolve.games.nogo import NoGo
from retrosolve.rules import exploring, workers
from retrosolve.rules.calls import Expander
from retrosolve.rules.exploring import explored_space
from retrosolve.runtime.context import Context
from retrosolve.runtime.sources import load_module
from tests.bad_input.plain_rules import by_functions
from tests.support.kinds import typed
from tests.support.programs import started


class Grid(rs.Game):
    """Steps on a wide grid; a position may do what a test wants."""

    def start(self) -> tuple[int, int]:
        return 0, 0

    def moves(self, position: tuple[int, int]) -> list[tuple[str, tuple[int, int]]]:
        x, y = position
        return [(f"to {a}", a) for a in ((x + 1, y), (x, y + 1), (x - 1, y + 2)) if max(a) < 60]

    def player(self, position: tuple[int, int]) -> int:
        return sum(position) % 2

    def terminal(self, position: tuple[int, int]) -> rs.Value | None:
        return rs.Value.LOSS if position[0] == 59 else None


class GridWith(Grid):
    """The grid, with something else at one position."""

    def __init__(self, what: str, at: tuple[int, int] = (31, 17)) -> None:
        self.what, self.at = what, at
        self.first = os.getpid()

    def moves(self, position: tuple[int, int]) -> list[tuple[str, tuple[int, int]]]:
        if position == self.at:
            if self.what == "raise":
                raise KeyError("oops")
            if self.what == "list":
                return [("on", [1])]  # type: ignore[list-item]
        if position[0] >= self.at[0] and os.getpid() != self.first:
            if self.what == "exit":
                os._exit(3)
            if self.what == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            if self.what == "raise elsewhere":
                raise KeyError("not here")
            if self.what == "interrupt":
                os.kill(self.first, signal.SIGINT)
        return super().moves(position)


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    """No test leaves a process behind."""
    yield
    import multiprocessing

    assert multiprocessing.active_children() == []


def same(space: object, other: object) -> bool:
    assert isinstance(space, rs.Graph)
    assert isinstance(other, rs.Graph)
    orders = [list(map(typed, map(s.position, range(s.num_vertices)))) for s in (space, other)]
    return orders[0] == orders[1] and space.digest() == other.digest()  # type: ignore[attr-defined]


@pytest.mark.parametrize("game", [Grid(), NoGo(symmetry=True), rs.ranking and Hexapawn()])
@pytest.mark.parametrize("count", [2, 3])
def test_any_number_of_workers_gives_the_same_space(
    game: rs.Game, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exploring, "MIN_FRONTIER", 8)
    alone = explored_space(game, Context(workers=1))
    assert same(alone, explored_space(game, Context(workers=count)))
    monkeypatch.setattr(exploring, "MAX_CHUNK", 16)
    monkeypatch.setattr(workers, "has_free_threads", lambda: True)
    assert same(alone, explored_space(game, Context(workers=count)))


@pytest.mark.parametrize("game", [Grid(), Hexapawn()])
def test_one_position_at_a_time_gives_the_same_space_as_batches(
    game: rs.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Small levels are explored singly: here none of them is, or all are."""
    spaces = []
    for most in (0, 10**9):
        monkeypatch.setattr(exploring, "MAX_SERIAL_LEVEL", most)
        spaces.append(explored_space(game, Context(workers=1)))
    assert same(*spaces)


RULES = """
import helper
import numpy as np
import retrosolve as rs


class Place(tuple):
    pass


class Walk(rs.Game):
    def __init__(self, size=60):
        self.size = size

    def start(self):
        return Place((np.int16(0), np.int16(0)))

    def moves(self, position):
        x, y = position
        steps = (x + 1, y), (x, y + 1), (helper.back(x), y + 2)
        return [(str(step), Place(map(np.int16, step))) for step in steps if max(step) < self.size]
"""


def test_rules_from_a_file_are_sent_to_spawned_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "walk.py").write_text(RULES)
    (tmp_path / "helper.py").write_text("def back(x):\n    return x - 1\n")
    game = load_module(tmp_path / "walk.py").Walk(40)
    monkeypatch.setattr(workers, "start_method", lambda: "spawn")
    monkeypatch.setattr(exploring, "MIN_FRONTIER", 8)
    alone = explored_space(game, Context(workers=1))
    assert same(alone, explored_space(game, Context(workers=2)))


@pytest.fixture
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers start with the first wide frontier, and chunks are small."""
    monkeypatch.setattr(exploring, "MIN_FRONTIER", 8)
    monkeypatch.setattr(exploring, "MAX_CHUNK", 16)


@pytest.mark.usefixtures("early")
@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("raise", r"^GridWith\.moves\(\(31, 17\)\) raised KeyError: 'oops' \(.*test_workers\.py, line \d+\)"),
        ("exit", r"^the rules end the process that explores \((3[1-9]|[45]\d), \d+\) \(exit status 3\)"),
        ("kill", r"^the rules end the process that explores \((3[1-9]|[45]\d), \d+\) \(killed by signal 9\)"),
        ("list", r"^\(31, 17\) leads to \[1\], which cannot be hashed"),
        ("raise elsewhere", r"^a worker that explored .* raised .*KeyError: 'not here'.* deterministic rules"),
    ],
)  # fmt: skip
def test_what_goes_wrong_in_a_worker_names_the_position(what: str, message: str) -> None:
    with pytest.raises(rs.RulesError, match=message):
        rs.solve(GridWith(what), workers=2)


@pytest.mark.usefixtures("early")
def test_an_interrupt_ends_the_workers() -> None:
    with pytest.raises(KeyboardInterrupt):
        rs.solve(GridWith("interrupt"), workers=2)


@pytest.mark.usefixtures("early")
@pytest.mark.parametrize("refused", [0, 1])
def test_a_process_that_the_system_refuses_is_done_without_unless_it_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, refused: int
) -> None:
    before, fork = multiprocessing.active_children(), os.fork
    monkeypatch.setattr(workers, "start_method", lambda: "fork")  # other tests may have left threads
    left = iter([True] * refused)

    def some() -> int:
        if next(left, False):
            return fork()
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", some)
    reason = r"^workers=3: the system starts no more processes \(Resource temporarily unavailable\)"
    with pytest.raises(rs.RulesError, match=reason):
        rs.solve(Grid(), workers=3)
    monkeypatch.setattr(exploring, "SECONDS_ALONE", 0)
    monkeypatch.setattr(exploring, "_pays", lambda _: True)
    monkeypatch.setattr(exploring, "cpu_count", lambda: 3)
    left = iter([True] * refused)
    assert rs.solve(Grid()) == rs.solve(Grid(), workers=1)
    assert multiprocessing.active_children() == before


class Unsendable(Grid):
    def __init__(self) -> None:
        self.rule = lambda x: x + 1


@pytest.mark.usefixtures("early")
def test_rules_that_cannot_be_sent_are_refused_when_workers_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alone = explored_space(Unsendable(), Context(workers=1))
    with monkeypatch.context() as patch:
        patch.setattr(workers, "start_method", lambda: "fork")  # other tests may have left threads
        assert same(alone, explored_space(Unsendable(), Context(workers=2)))
    waits = threading.Event()
    thread = threading.Thread(target=waits.wait)
    thread.start()
    try:
        assert workers.start_method() == "spawn"
        with pytest.raises(rs.RulesError, match=r"Unsendable cannot be sent .* expected workers=1"):
            rs.solve(Unsendable(), workers=2)
    finally:
        waits.set()
        thread.join()


def test_slow_rules_get_workers_unasked_and_fast_ones_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "start_method", lambda: "fork")  # other tests may have left threads
    monkeypatch.setattr(exploring, "SECONDS_ALONE", 0.0)
    monkeypatch.setattr(exploring, "MIN_FRONTIER", 8)
    monkeypatch.setattr(exploring, "cpu_count", lambda: 2)
    started: list[int] = []

    class Team(workers.ThreadWorkers):
        def __init__(self, size: int, expander: object) -> None:
            started.append(size)
            super().__init__(size, expander)  # type: ignore[arg-type]

    monkeypatch.setattr(workers, "ProcessWorkers", Team)
    for gain, teams in ((0.0, [1]), (1e9, [])):  # this process explores too
        monkeypatch.setattr(exploring, "MIN_GAIN", gain)
        started.clear()
        rs.solve(Grid())
        assert started == teams


def test_workers_end_when_the_first_process_is_killed(tmp_path: Path) -> None:
    script = textwrap.dedent(
        """
        import multiprocessing, os, time
        import retrosolve as rs

        class Slow(rs.Game):
            def start(self):
                return 0
            def moves(self, n):
                if n > 2000:
                    if multiprocessing.parent_process() is not None:
                        print(os.getpid(), flush=True)
                    time.sleep(0.005)
                return [("a", 2 * n + 1), ("b", 2 * n + 2)]

        if __name__ == "__main__":
            rs.solve(Slow(), workers=2)
        """
    )
    (tmp_path / "slow.py").write_text(script)
    with started([sys.executable, str(tmp_path / "slow.py")]) as first:
        assert first.stdout is not None
        worker = int(first.stdout.readline())
        assert worker != first.pid
        first.kill()
        first.stdout.read()  # ends when no process is left that could write


@pytest.mark.usefixtures("early")
def test_neither_side_waits_for_the_other_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker has two chunks, of which the second is sent when that cannot block."""
    monkeypatch.setattr(workers, "start_method", lambda: "fork")  # other tests may have left threads
    wide = by_functions(  # 40 kB, so that a chunk of positions fills the buffers between two processes
        (0, b""),
        lambda p: [
            (str(k), (k, bytes([k % 256]) * 40_000)) for k in (2 * p[0] + 1, 2 * p[0] + 2) if k < 500
        ],
    )
    alone = explored_space(wide, Context(workers=1))
    assert same(alone, explored_space(wide, Context(workers=2)))


def test_the_garbage_collector_is_left_as_it_was() -> None:
    """While positions are found it looks at new objects less often."""
    others, seen = gc.get_threshold(), set()
    gc.set_threshold(700, *others[1:])
    walk = by_functions(0, lambda n: seen.add(gc.get_threshold()[0]) or ([n + 1] if n < 300 else []))
    try:
        rs.solve(walk, workers=1)
        with pytest.raises(rs.RulesError):
            rs.solve(GridWith("list"), workers=1)
        assert min(seen) > 700 == gc.get_threshold()[0]
    finally:
        gc.set_threshold(*others)


def test_batches_follow_the_number_of_moves() -> None:
    """They have some 800 to 1,000 moves, in positions with many moves and in those with few again."""
    width = [1]
    expander = Expander(by_functions(0, lambda n: [("on", n + 1)] * width[0]))
    expander.expand([0])
    for width[0], size in ((3, 256), (12, 85), (400, 2), (12, 64), (3, 256)):
        for _ in range(10):
            expander.expand(range(expander.batch_size))
        assert expander.batch_size == size
