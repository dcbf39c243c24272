"""Solvers written as exercises: right ones pass, and each usual mistake is shown on a small graph."""

import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.testing import check_solver, exercise
from retrosolve.testing.exercise import Successors
from tests.support.pages import ROOT

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


@pytest.mark.thorough
def test_a_right_solver_passes() -> None:
    report = check_solver(backward, graphs=100)
    assert report
    assert report.remoteness
    assert report.num_graphs == 531 + 100 + 2
    assert str(report) == "right: values and remoteness on 633 graphs"


@pytest.mark.thorough
def test_values_without_remoteness_and_missing_draws_are_accepted() -> None:
    report = check_solver(lambda s: {v: a[0].upper() for v, a in backward(s).items()}, graphs=50)
    assert report
    assert not report.remoteness
    assert str(report) == "right: values on 583 graphs"


@pytest.mark.thorough
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


@pytest.mark.thorough
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
    file.write_text("from tests.testing.test_exercise import backward as solve\n")
    assert run(["check-solution", str(file), "--graphs", "10"]) == 0
    assert capsys.readouterr().out == "right: values and remoteness on 543 graphs\n"


def test_the_page_of_exercises_shows_what_the_command_prints(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["check-solution", str(ROOT / "examples" / "depth_first.py")]) == 1
    assert capsys.readouterr().out in (ROOT / "docs" / "learn" / "exercises.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("program", "answer"),
    [
        ("import sys\ndef solve(graph): sys.exit(0)", "raised SystemExit: 0"),
        ("import os\ndef solve(graph): os._exit(0)", "ended without an answer (exit status 0)"),
        ("def solve(graph): return {}\nraise SystemExit", "raised SystemExit: "),
        ("import os\nos._exit(0)", "ended without an answer (exit status 0)"),
        ("def solve(graph): return (v for v in graph)", "returned <generator object solve.<locals>.<"),
    ],
)
def test_a_program_that_ends_without_an_answer_is_wrong(
    program: str, answer: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text(program)
    assert run(["check-solution", str(tmp_path / "mine.py")]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first == "wrong on graph 1, in its smallest form of 0 vertices and 0 edges:"
    assert second.startswith(answer)


def test_the_smallest_graph_is_found_with_a_program_that_ends_its_process(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text(
        "import os\nfrom tests.testing.test_exercise import backward\n"
        "def solve(graph):\n    return backward(graph) if 2 not in graph.get(3, ()) else os._exit(3)\n"
    )
    assert run(["check-solution", str(tmp_path / "mine.py"), "--graphs", "30"]) == 1
    assert capsys.readouterr().out.splitlines()[1:] == [
        *("0 ->", "1 ->", "2 ->", "3 -> 2"), "ended without an answer (exit status 3)"
    ]  # fmt: skip


@pytest.mark.thorough
def test_answers_of_classes_of_the_file_are_read(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from enum import Enum\nfrom typing import NamedTuple\nimport numpy as np\n"
        "from tests.testing.test_exercise import backward\n"
        "class Label(str, Enum):\n    WIN = 'win'\n    LOSS = 'loss'\n"
        "class Answer(NamedTuple):\n    label: Label\n    plies: np.int64\n"
        "def solve(graph):\n"
        "    return {v: Answer(Label(x), np.int64(n)) for v, (x, n) in backward(graph).items()}\n"
    )
    assert run(["check-solution", str(tmp_path / "mine.py"), "--graphs", "10"]) == 0


def test_a_function_that_exits_is_wrong_and_the_check_goes_on() -> None:
    def leave(_: Successors) -> dict[int, Any]:
        raise SystemExit(0)

    wrong = check_solver(leave).counterexample
    assert wrong is not None
    assert wrong.answer == "raised SystemExit: 0"


def test_testing_needs_no_import_of_its_own() -> None:
    program = "import retrosolve as rs; print(rs.testing.check_solver(lambda graph: {}, graphs=0))"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout.startswith("wrong on graph 2")


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        ("none.py", "there is no file none.py: expected a solver in Python"),
        ("{}:absent", "has no function 'absent': expected one that solves a graph"),
    ],
)
def test_files_without_a_solver_are_named(
    argument: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text(FILE)
    assert run(["check-solution", argument.format(tmp_path / "mine.py")]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.thorough
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
