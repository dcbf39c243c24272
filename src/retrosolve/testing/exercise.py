"""Check a solver that was written as an exercise, and show the smallest graph that it gets wrong.

The solver is a function of a graph, a dict from each vertex to the list of its successors, in normal
play: a player who cannot move has lost. It returns a dict from vertices to ``"win"``, ``"loss"`` or
``"draw"`` for the player to move, or to pairs of these and the remoteness. Missing vertices are draws.
"""

from __future__ import annotations

import math
import random
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from typing import Any

import retrosolve as rs
from retrosolve.runtime.context import Progress, ProgressCallback, no_progress
from retrosolve.values import Outcome, Value

Successors = dict[int, list[int]]

LABELS = {value.label: value for value in (Value.WIN, Value.LOSS, Value.DRAW)}
ALL_UP_TO = 3
"""All graphs of so many vertices are tried, so that the first mistake is on a smallest graph."""
LONGEST = 20_000
"""The vertices of the path and of the cycle with a tail: too long for a function that calls itself."""
SHOWN_ROWS = 12
SECONDS = 10.0
"""The longest time for a small graph; the large ones may take a slow solver minutes."""


class NoAnswer(Exception):  # noqa: N818  # a sentence about a program, as its answer
    """Says what a program does instead of an answer."""


@dataclass(frozen=True)
class Counterexample:
    """A graph that a solver gets wrong.

    Attributes
    ----------
    successors : dict
        The graph: the list of successors of each vertex.
    vertex : int or None
        A vertex with a wrong answer; None if the function gives no answers at all.
    answer : str
        The answer of the function, or what it does instead.
    expected : Outcome or None
        The answer that is right at ``vertex``.
    """

    successors: Successors
    vertex: int | None
    answer: str
    expected: Outcome | None = None

    def __str__(self) -> str:
        """Return the graph, a row for each vertex, and the mistake below it."""
        rows = [f"{v} -> {', '.join(map(str, ws))}".rstrip() for v, ws in self.successors.items()]
        if len(rows) > SHOWN_ROWS:
            rows[SHOWN_ROWS - 2 : -1] = ["..."]
        if self.vertex is None:
            return "\n".join([*rows, self.answer])
        return "\n".join([*rows, f"at {self.vertex}: {self.answer}, expected {self.expected}"])

    def graph(self) -> rs.Graph:
        """Return the graph, to be solved, drawn or saved."""
        return _graph(self.successors)


@dataclass(frozen=True)
class ExerciseReport:
    """The outcome of a check; true if the solver is right on all graphs.

    Attributes
    ----------
    num_graphs : int
        The graphs that were tried.
    remoteness : bool
        Whether the solver gave remoteness, which was compared then.
    counterexample : Counterexample or None
        The graph that the solver gets wrong, made as small as it can be by removing edges and vertices.
    """

    num_graphs: int
    remoteness: bool
    counterexample: Counterexample | None = None

    def __bool__(self) -> bool:
        """Return whether the solver is right on all graphs."""
        return self.counterexample is None

    def __str__(self) -> str:
        """Return what was compared, or the counterexample with its size."""
        wrong = self.counterexample
        if wrong is None:
            compared = "values and remoteness" if self.remoteness else "values"
            return f"right: {compared} on {self.num_graphs:,} graphs"
        n, count = len(wrong.successors), sum(map(len, wrong.successors.values()))
        size = (
            f"{n} {'vertex' if n == 1 else 'vertices'} and {count} {'edge' if count == 1 else 'edges'}"
        )
        return f"wrong on graph {self.num_graphs:,}, in its smallest form of {size}:\n{wrong}"


def check_solver(
    solve: Callable[[Successors], Mapping[int, Any]],
    graphs: int = 1000,
    seed: int = 0,
    progress: ProgressCallback = no_progress,
) -> ExerciseReport:
    """Compare a solver with the specification, on small graphs first.

    All 531 graphs of at most three vertices are tried, then random ones of 4 to 12 vertices with
    self-loops and duplicate edges, and last two of 20,000 vertices: a path, and a cycle with a tail.
    A function that takes ten seconds for a small graph is stopped, where the system has timers and in
    the main thread, and counts as wrong there.

    Parameters
    ----------
    solve : callable
        Takes a dict from each vertex ``0..n-1`` to the list of its successors, and returns a dict from
        vertices to ``"win"``, ``"loss"``, ``"draw"``, or to pairs of one of these and the remoteness in
        plies, which is not compared for draws. Missing vertices are draws.
    graphs : int
        The number of random graphs.
    seed : int
        The same seed makes the same graphs.
    progress : callable, optional
        Receives the number of graphs that were tried.

    Returns
    -------
    ExerciseReport
        True if the solver is right on all graphs. Its ``counterexample`` is otherwise a graph that it
        gets wrong, as small as can be: ``successors``, ``vertex``, ``answer`` and ``expected``.

    Notes
    -----
    Raises nothing of its own: an exception of the function counts as its answer, SystemExit too. A
    function that ends the process by ``os._exit`` ends this one; ``retrosolve check-solution`` runs it
    in another. Cost: half a millisecond for each small graph, besides the function.

    Examples
    --------
    >>> def hasty(successors):  # looks one ply ahead
    ...     lost = {v for v, targets in successors.items() if not targets}
    ...     won = {v for v, targets in successors.items() if lost & set(targets)}
    ...     return dict.fromkeys(lost, "loss") | dict.fromkeys(won, "win")
    >>> print(check_solver(hasty))
    wrong on graph 35, in its smallest form of 3 vertices and 2 edges:
    0 ->
    1 -> 2
    2 -> 0
    at 1: DRAW, expected LOSS in 2
    """
    tried, distances = 0, False
    for tried, successors in enumerate(_graphs(graphs, seed), 1):
        seconds = SECONDS if len(successors) < LONGEST else math.inf
        wrong, has_distances = _compared(solve, successors, seconds)
        distances |= has_distances
        if wrong is not None:
            return ExerciseReport(tried, distances, _smallest(solve, wrong))
        progress(Progress("checking graphs", tried, None))
    return ExerciseReport(tried, distances)


def _graphs(count: int, seed: int) -> Iterator[Successors]:
    """Generate the graphs to try, the smallest first."""
    for n in range(ALL_UP_TO + 1):
        cells = [(v, w) for v in range(n) for w in range(n)]
        subsets = product((False, True), repeat=len(cells))
        for chosen in sorted(subsets, key=sum):
            yield _successors(n, [edge for edge, is_in in zip(cells, chosen, strict=True) if is_in])
    rng = random.Random(seed)
    for number in range(count):
        n = ALL_UP_TO + 1 + 9 * number // max(count, 1)
        m = rng.randint(n - 1, 2 * n)
        yield _successors(n, [(rng.randrange(n), rng.randrange(n)) for _ in range(m)])
    path = [(v, v + 1) for v in range(LONGEST - 1)]
    yield _successors(LONGEST, path)
    yield _successors(LONGEST, [*path, (LONGEST // 2, 0)])


def _successors(n: int, edges: list[tuple[int, int]]) -> Successors:
    successors: Successors = {v: [] for v in range(n)}
    for v, w in edges:
        successors[v].append(w)
    return successors


def _graph(successors: Successors) -> rs.Graph:
    edges = [(v, w) for v, targets in successors.items() for w in targets]
    return rs.Graph.from_edges([v for v, _ in edges], [w for _, w in edges], len(successors))


def _compared(
    solve: Callable[[Successors], Mapping[int, Any]], successors: Successors, seconds: float
) -> tuple[Counterexample | None, bool]:
    """Return the first mistake on a graph, and whether the function gives remoteness."""

    def refused(answer: str) -> tuple[Counterexample, bool]:
        return Counterexample(successors, None, answer), False

    try:
        with _time_limit(seconds):
            answers: Any = solve({v: list(targets) for v, targets in successors.items()})
    except TimeoutError:
        return refused(f"no answer within {seconds:g} s")
    except KeyboardInterrupt:
        return refused("no answer until the check was interrupted")
    except NoAnswer as error:
        return refused(str(error))
    except BaseException as error:  # of any kind, SystemExit too: the function is a student's
        return refused(f"raised {type(error).__name__}: {error}")
    if not isinstance(answers, Mapping):
        return refused(f"returned {answers!r:.60}, expected a dict from vertices to values")
    unknown = [key for key in answers if key not in successors]
    if unknown:
        return refused(f"answered for {unknown[0]!r:.60}, which is no vertex")
    distances = False
    if len(successors) <= LONGEST // 2:
        solution = rs.solve(_graph(successors), solver="reference")
    else:
        solution = rs.solve(_graph(successors))
    values, plies = solution.table.values().tolist(), solution.remoteness().tolist()
    for v in successors:
        value = Value(values[v])
        expected = Outcome(value, None if value is Value.DRAW else plies[v])
        text, right, has_distance = _judged(answers.get(v, "draw"), expected)
        distances |= has_distance
        if not right:
            return Counterexample(successors, v, text, expected), distances
    return None, distances


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in the block after some seconds, where the system has timers."""

    def stop(*_: object) -> None:
        raise TimeoutError

    in_main = threading.current_thread() is threading.main_thread()
    if seconds == math.inf or not in_main or not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _judged(answer: Any, expected: Outcome) -> tuple[str, bool, bool]:
    """Return an answer as text, whether it is right, and whether it has a remoteness."""
    label, plies = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, None)
    value = LABELS.get(label.lower()) if isinstance(label, str) else None
    if value is None:
        return f"{answer!r:.60} is neither 'win', 'loss' nor 'draw'", False, False
    if plies is None or value is Value.DRAW:
        return value.name, value is expected.value, False
    return f"{value.name} in {plies}", (value, plies) == (expected.value, expected.remoteness), True


def _smallest(
    solve: Callable[[Successors], Mapping[int, Any]], wrong: Counterexample
) -> Counterexample:
    """Remove edges and vertices as long as the function stays wrong. Large graphs stay as they are."""
    if len(wrong.successors) > ALL_UP_TO and len(wrong.successors) < LONGEST:
        smaller = True
        while smaller:
            smaller = False
            for successors in _parts(wrong.successors):
                found, _ = _compared(solve, successors, SECONDS / 10)  # of many
                if found is not None and (found.vertex is None) == (wrong.vertex is None):
                    wrong, smaller = found, True
                    break
    return wrong


def _parts(successors: Successors) -> Iterator[Successors]:
    """Generate the graphs without one vertex, and those without one edge."""
    for gone in successors:
        number = {v: v - (v > gone) for v in successors if v != gone}
        yield {
            number[v]: [number[w] for w in targets if w != gone]
            for v, targets in successors.items()
            if v != gone
        }
    for v, targets in successors.items():
        for place in range(len(targets)):
            yield successors | {v: targets[:place] + targets[place + 1 :]}
