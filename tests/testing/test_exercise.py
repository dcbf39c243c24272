"""Solvers written as exercises: right ones pass, and each usual mistake is shown on a small graph."""

import signal
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.testing import check_solver, exercise
from retrosolve.testing.exercise import Successors

FILE = """
def solve(successors):
    return {v: "draw" if targets else "loss" for v, targets in successors.items()}
"""


def backward(successors: Successors, stack: bool = False, loops: bool = True) -> dict[int, Any]:
    """The textbook algorithm; with a stack, or without the moves from a vertex to itself, as a mistake."""
    edges = [(v, w) for v, targets in successors.items() for w in targets if loops or v != w]
    sources: dict[int, list[int]] = {v: [] for v in successors}
    count = dict.fromkeys(successors, 0)
    for v, w in edges:
        sources[w].append(v)
        count[v] += 1
    value = {v: ("loss", 0) for v in successors if not count[v]}
    queue = deque(value)
    while queue:
        w = queue.pop() if stack else queue.popleft()
        label, plies = value[w]
        for v in sources[w]:
            if v not in value:
                count[v] -= 1
                if label == "loss" or not count[v]:
                    value[v] = ("win" if label == "loss" else "loss", plies + 1)
                    queue.append(v)
    return value


def recursive(successors: Successors) -> dict[int, str]:
    """A search by calls, which is right and does not fit a long path."""
    value = {v: answer[0] for v, answer in backward(successors).items()}

    def visit(v: int) -> None:
        if v + 1 in successors and len(successors) > 100:
            visit(v + 1)

    visit(0)
    return value


@pytest.mark.parametrize("remoteness", [True, False])
def test_a_right_solver_passes(remoteness: bool) -> None:
    """With or without draws and remoteness."""

    def solver(successors: Successors) -> dict[int, Any]:
        value = backward(successors)
        return value if remoteness else {v: answer[0].upper() for v, answer in value.items()}

    report = check_solver(solver, graphs=50)
    assert report
    assert report.remoteness == remoteness
    assert report.num_graphs == 531 + 50 + 2
    assert str(report) == f"right: values{' and remoteness' * remoteness} on 583 graphs"


def leaving(_: Successors) -> dict[int, Any]:
    raise SystemExit(0)


@pytest.mark.parametrize(
    ("solver", "vertices", "answer"),
    [
        (lambda s: backward(s, stack=True), 5, "WIN in 3"),
        (lambda s: backward(s, loops=False), 1, "LOSS in 0"),
        (lambda s: dict.fromkeys(s, "won"), 1, "'won' is neither 'win', 'loss' nor 'draw'"),
        (sorted, 0, "returned [], expected a dict from vertices to values"),
        (lambda s: {len(s): "win"}, 0, "answered for 0, which is no vertex"),
        (lambda s: {0: 1 // (3 - len(s))} and backward(s), 3, "raised ZeroDivisionError"),
        (recursive, 20_000, "raised RecursionError"),
        (leaving, 0, "raised SystemExit: 0"),
    ],
)
def test_mistakes_are_shown_on_a_small_graph(
    solver: Callable[[Successors], Mapping[int, Any]], vertices: int, answer: str
) -> None:
    wrong = check_solver(solver).counterexample
    assert wrong is not None
    assert len(wrong.successors) <= vertices
    assert wrong.answer.startswith(answer)
    if wrong.expected is not None:
        assert rs.solve(wrong.graph(), solver="reference")[wrong.vertex] == wrong.expected


def test_the_command_prints_and_draws_the_graph(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(FILE)
    assert run(["check-solution", str(file), "--draw", str(tmp_path / "wrong.svg")]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "wrong on graph 6, in its smallest form of 2 vertices and 1 edge:",
        "0 ->",
        "1 -> 0",
        "at 1: DRAW, expected WIN in 1",
        f"wrote {tmp_path / 'wrong.svg'}",
    ]
    assert (tmp_path / "wrong.svg").read_text("utf-8").startswith("<svg")


BACKWARD = "from tests.testing.test_exercise import backward\n"
CLASSES = """
from enum import Enum
from typing import NamedTuple
import numpy as np
class Label(str, Enum):
    WIN = 'win'
    LOSS = 'loss'
class Answer(NamedTuple):
    label: Label
    plies: np.int64
def solve(graph):
    return {v: Answer(Label(x), np.int64(n)) for v, (x, n) in backward(graph).items()}
"""
PROGRAMS = [
    ("import sys\ndef solve(graph): sys.exit(0)", [], "raised SystemExit: 0"),
    ("import os\ndef solve(graph): os._exit(0)", [], "ended without an answer (exit status 0)"),
    ("def solve(graph): return {}\nraise SystemExit", [], "raised SystemExit: "),
    ("import os\nos._exit(0)", [], "ended without an answer (exit status 0)"),
    ("def solve(graph): return (v for v in graph)", [], "returned <generator object solve.<locals>.<"),
    (BACKWARD + "import os\ndef solve(graph):\n    return backward(graph) if 2 not in graph.get(3, ()) else os._exit(3)\n",
     ["0 ->", "1 ->", "2 ->", "3 -> 2"], "ended without an answer (exit status 3)"),
    (BACKWARD + CLASSES, [], "right: values and remoteness on 563 graphs"),
]  # fmt: skip


@pytest.mark.parametrize(("program", "graph", "answer"), PROGRAMS)
def test_programs_are_run_in_a_process_of_their_own(
    program: str,
    graph: list[str],
    answer: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Answers may be of classes of the program; one that ends is wrong, on the smallest graph."""
    monkeypatch.setattr(exercise, "SECONDS", 600)  # starting a process takes long on a busy machine
    (tmp_path / "mine.py").write_text(program)
    status = run(["check-solution", str(tmp_path / "mine.py"), "--graphs", "30"])
    *first, last = capsys.readouterr().out.splitlines()
    assert last.startswith(answer)
    assert status == bool(first) == (not answer.startswith("right"))
    assert first[1:] == graph


def test_a_solver_without_an_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(successors: Successors) -> dict[int, Any]:
        while len(successors) > 4 and any(v in targets for v, targets in successors.items()):
            pass
        return backward(successors)

    monkeypatch.setattr(exercise, "SECONDS", 0.5)
    wrong = check_solver(endless, graphs=50).counterexample
    assert wrong is not None
    assert wrong.vertex is None
    assert wrong.answer == "no answer within 0.05 s"
    assert sorted(map(len, wrong.successors.values())) == [0, 0, 0, 0, 1]
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
