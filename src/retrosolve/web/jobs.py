"""Solves that go on while pages are shown: what they do at the moment, and those of the catalogue.

A game of the catalogue is solved by a process of its own, so that pages go on to be answered, its
memory comes back when it ends, and a reader can stop it. It saves the solution into a folder of
temporary files, which the explorer opens.
"""

from __future__ import annotations

import multiprocessing
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from retrosolve.errors import RetrosolveError, RulesError
from retrosolve.games.table import GAMES, name_in, parse_game, read_game
from retrosolve.runtime.context import Progress
from retrosolve.runtime.memory import parse_bytes
from retrosolve.runtime.text import mark
from retrosolve.solution import Solution, open_solution
from retrosolve.solving import plan, solve

LIMIT = 10**7  # positions
MEMORY = "2GB"
FILES = ("board", "graph")  # parameters of games that are the names of files
STAGES = (mark("preparing"), mark("finding positions"), mark("initialisation"), mark("solving"))
EVERY_SECONDS = 0.2  # between two reports of a process
ENDING_SECONDS = 5.0


class BusyError(RetrosolveError):
    """Another game of the catalogue is being solved."""


class TooLargeError(RetrosolveError):
    """A game of the catalogue is larger than the operator allows."""


@dataclass
class Task:
    """A solve that goes on.

    Parameters
    ----------
    name : str
        The name of the game in addresses.
    title : str
        For people.
    cancel : callable, optional
        Ends the solve; None for one that readers cannot stop.

    Attributes
    ----------
    stage : str
        The name of the stage.
    done : int
    total : int or None
        As in :class:`~retrosolve.runtime.context.Progress`.
    seconds : float or None
        The estimate of the whole solve.
    error : str
        Why there will be no solution; empty as long as there may be one.
    """

    name: str
    title: str
    cancel: Callable[[], None] | None = None
    stage: str = "preparing"
    done: int = 0
    total: int | None = None
    seconds: float | None = None
    error: str = ""
    began: float = field(default_factory=time.monotonic)
    ended: threading.Event = field(default_factory=threading.Event)

    def report(self, progress: Progress) -> None:
        """Take over a report of the solve."""
        self.stage, self.done, self.total = progress

    def record(self) -> dict[str, Any]:
        """Return the state of the solve, ready for JSON."""
        return {
            "stage": self.stage,
            "done": self.done,
            "total": self.total,
            "seconds": round(time.monotonic() - self.began, 1),
            "estimated_seconds": self.seconds,
            "error": self.error,
            "ended": self.ended.is_set(),
        }

    def fail(self, sentence: str) -> None:
        """End without a solution."""
        self.error = sentence
        self.ended.set()


class Solving:
    """The solves of the catalogue, one at a time.

    Parameters
    ----------
    limit : int
        The most positions.
    memory : int or str
        The most memory of a solve, in bytes or as text.
    """

    def __init__(self, limit: int = LIMIT, memory: int | str = MEMORY) -> None:
        self.limit, self.memory = limit, memory
        self.folder = Path(tempfile.mkdtemp(prefix="retrosolve-"))
        self._lock = threading.Lock()
        self._running: Task | None = None
        self._begun = 0
        self._process: multiprocessing.process.BaseProcess | None = None

    def begin(self, text: str, name: str, finish: Callable[[Task, Solution], None]) -> Task:
        """Begin to solve a game.

        Parameters
        ----------
        text : str
            The game, as :func:`~retrosolve.games.parse_game` reads it.
        name : str
            Its name in addresses.
        finish : callable
            Called with the task and the solution, in another thread.

        Raises
        ------
        BusyError
            If another game is being solved.
        RulesError
            For a text that is no game.
        """
        _check_text(text)
        with self._lock:
            if self._running is not None and not self._running.ended.is_set():
                raise BusyError(
                    f"{self._running.title} is being solved: expected to wait, or to stop it"
                )
            task = self._running = Task(name, text, self._stop)
            context = multiprocessing.get_context("spawn")
            receiving, sending = context.Pipe(duplex=False)
            self._begun += 1
            folder = str(self.folder / f"{name}-{self._begun}")
            process = context.Process(
                target=_solve, args=(text, folder, self.limit, self.memory, sending), daemon=True
            )
            process.start()
            sending.close()
            self._process = process
        threading.Thread(
            target=self._follow, args=(task, process, receiving, folder, finish), daemon=True
        ).start()
        return task

    def close(self) -> None:
        """Stop the solve and delete all files."""
        self._stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _stop(self) -> None:
        if self._process is not None and self._process.is_alive():
            self._process.terminate()
            self._process.join(ENDING_SECONDS)
            self._process.kill()  # does nothing if it has ended
        if self._running is not None:
            self._running.ended.wait(ENDING_SECONDS)

    def _follow(
        self,
        task: Task,
        process: multiprocessing.process.BaseProcess,
        receiving: Connection,
        folder: str,
        finish: Callable[[Task, Solution], None],
    ) -> None:
        """Take over what a process reports, and at its end the solution."""
        try:
            while True:
                kind, content = receiving.recv()
                if kind == "progress":
                    task.report(Progress(*content))
                elif kind == "seconds":
                    task.seconds = content
                elif kind == "error":
                    task.error = content
                else:
                    finish(task, open_solution(folder))
                    break
        except EOFError:
            task.fail(task.error or "the solve was stopped")
        except RetrosolveError as error:
            task.fail(str(error))
        finally:
            receiving.close()
            process.join(ENDING_SECONDS)
            task.ended.set()


def _solve(text: str, folder: str, limit: int, memory: int | str, sending: Connection) -> None:
    """Solve a game into a folder: the work of the process, which sends what it does."""
    last = 0.0

    def report(progress: Progress) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= EVERY_SECONDS:
            last = now
            sending.send(("progress", tuple(progress)))

    try:
        game = parse_game(text)
        planned = plan(game, memory=memory)
        _check(planned.num_vertices, planned.memory_bytes, limit, memory)
        sending.send(("seconds", planned.seconds))
        solve(game, limit=limit, memory=memory, progress=report).save(folder)
        sending.send(("solved", None))
    except RetrosolveError as error:
        sending.send(("error", str(error)))
    finally:
        sending.close()


def _check_text(text: str) -> None:
    """Raise RulesError for a text that is no game, or has a file as a parameter.

    The game is made by the process that solves it: that may take long.
    """
    name, rest = name_in(text), text.partition(":")[2]
    unnamed = None if name is None else GAMES[name].unnamed
    if unnamed in FILES:
        parts = rest.split(",") if rest else []
        if any("=" not in part or part.strip().startswith(unnamed) for part in parts):
            raise RulesError(f"{text!r}: expected no {unnamed}, for the catalogue reads no files")
    read_game(text)


def _check(positions: int | None, needed: int | None, limit: int, memory: int | str) -> None:
    """Raise TooLargeError for a game that would take more than the operator allows."""
    if positions is not None and positions > limit:
        raise TooLargeError(
            f"the game has {positions:,} indices: expected at most {limit:,}, the limit here"
        )
    most = parse_bytes(memory) or 0
    if needed is not None and needed > most:
        raise TooLargeError(
            f"the solve needs {needed:,} bytes: expected at most {most:,}, the limit here"
        )
