"""``retrosolve check-solution``: a solver that was written as an exercise, against random graphs."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import retrosolve as rs
from retrosolve.arrays import is_whole
from retrosolve.cli.inputs import run_file
from retrosolve.cli.output import print_line, progress_bar
from retrosolve.drawing.graphs import MAX_SHOWN
from retrosolve.errors import RulesError
from retrosolve.formats.files import check_place
from retrosolve.rules.workers import start_method
from retrosolve.runtime.files import write_files
from retrosolve.runtime.sources import CLASS_SEPARATOR
from retrosolve.solution.view import solved_graph
from retrosolve.testing.exercise import NoAnswer, Successors, check_solver

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


@click.command(
    epilog="\b\nExamples:\n  retrosolve check-solution my_solver.py\n"
    "  retrosolve check-solution my_solver.py:solve_backward --draw wrong.svg"
)
@click.argument("solver", metavar="FILE[:FUNCTION]")
@click.option(
    "--graphs", type=click.IntRange(0), default=1000, show_default=True, help="Random graphs."
)
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed, the same graphs.")
@click.option("--draw", metavar="SVG", help="Draw the graph that is solved wrong, with its values.")
def check_solution(solver: str, graphs: int, seed: int, draw: str | None) -> int:
    """Check a function that solves graphs, and show the smallest graph that it gets wrong.

    FUNCTION, "solve" by default, takes a dict from each vertex to the list of its successors; a player
    who cannot move has lost. It returns a dict from vertices to "win", "loss" or "draw" for the player
    to move, or to pairs of these and the number of plies; missing vertices are draws. FILE runs in a
    process of its own, and a program that exits gives no answer. Exits with status 1 if an answer is
    wrong or missing.
    """
    name, separator, function = solver.partition(CLASS_SEPARATOR)
    path, function = (Path(f"{name}.py"), function) if separator else (Path(solver), "solve")
    if draw is not None:
        check_place(Path(draw), [path], [".svg"])
    program = _Program(path, function)
    try:
        with suppress(NoAnswer):  # which it gives for the first graph again
            program.start()
        with progress_bar() as report:
            checked = check_solver(program, graphs, seed, report)
    finally:
        program.end()
    for line in str(checked).splitlines():
        print_line(line)
    wrong = checked.counterexample
    if wrong is None:
        return 0
    if draw is not None and len(wrong.successors) <= MAX_SHOWN:
        solution = rs.solve(wrong.graph())
        drawing = solved_graph(solution.space, solution.table)
        write_files([(Path(draw), lambda file: file.write(drawing.encode()))])
        print_line(f"wrote {draw}")
    return 1


class _Program:
    """A function in a file, called by a process of its own: the file may end that."""

    def __init__(self, path: Path, function: str) -> None:
        self._path, self._function = path, function
        self._process: Any = None

    def start(self) -> None:
        """Start the process, which runs the file. Raises RulesError, or NoAnswer if that exits."""
        import multiprocessing

        context: Any = multiprocessing.get_context(start_method())
        self._connection, there = context.Pipe()
        self._process = context.Process(target=_serve, args=(there, self._path, self._function))
        self._process.start()
        there.close()
        try:
            self._receive()
        except BaseException:
            self.end()
            raise

    def __call__(self, successors: Successors) -> Any:
        """Return the answer of the function for a graph. Raises NoAnswer."""
        if self._process is None:
            self.start()
        with suppress(BrokenPipeError):  # of a process that has ended, which is seen next
            self._connection.send(successors)
        return self._receive()

    def _receive(self) -> Any:
        """Return the answer of the process. Raises an exception that it sends, or NoAnswer."""
        try:
            answer = self._connection.recv()
        except (EOFError, ConnectionError):
            self._process.join()
            status = self._process.exitcode
            self.end()
            raise NoAnswer(f"ended without an answer (exit status {status})") from None
        except BaseException:  # of a timer
            self.end()
            raise
        if isinstance(answer, Exception):
            raise answer
        return answer

    def end(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._connection.close()
            self._process = None


def _serve(connection: Connection, path: Path, function: str) -> None:
    """Run a file, then call a function in it for each graph that arrives."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process ends this one
    solve: Any = None

    def load() -> None:
        nonlocal solve
        solve = getattr(run_file(path, "a solver in Python"), function, None)
        if not callable(solve):
            raise RulesError(f"{path} has no function {function!r}: expected one that solves a graph")

    def send(call: Callable[[], Any]) -> None:
        answer: Any
        try:
            answer = _plain(call())
        except RulesError as error:
            answer = error
        except BaseException as error:  # of any kind, SystemExit too: the file is a student's
            answer = NoAnswer(f"raised {type(error).__name__}: {error}")
        connection.send(answer)

    send(load)
    with suppress(EOFError):
        while solve is not None:
            successors = connection.recv()
            send(lambda graph=successors: solve(graph))  # type: ignore[misc]


class _Shown:
    """An object of some class of the file, as it is shown."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _plain(answer: Any) -> Any:
    """Return an answer without the classes of the file, which the other process does not have."""
    if isinstance(answer, Mapping):
        return {_plain(key): _plain(value) for key, value in answer.items()}
    if isinstance(answer, tuple):
        return tuple(map(_plain, answer))
    if isinstance(answer, str):
        return str.__str__(answer)
    if is_whole(answer):
        return int(answer)
    return answer if answer is None or isinstance(answer, bool) else _Shown(repr(answer))
