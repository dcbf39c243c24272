"""The specification: apply the rules until nothing changes, in plain Python.

Each sweep reads only what earlier sweeps have decided. This is slow (up to one sweep for each level,
each over all undecided vertices) and meant for small graphs; every other solver has to agree with it.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from retrosolve.objectives.base import EndData
from retrosolve.objectives.score import (
    NO_WORD,
    Margin,
    Score,
    coded,
    pack,
    points_of,
)
from retrosolve.runtime.context import Context
from retrosolve.runtime.workspace import Buffers
from retrosolve.solvers.worklist import initialise
from retrosolve.spaces.base import CsrSpace, StateSpace
from retrosolve.tables import ArrayTable
from retrosolve.tables.coded import coded_table
from retrosolve.tables.result import SolveResult
from retrosolve.values import INVALID, Value


def buffers(space: StateSpace, num_edges: int) -> Buffers:
    """Declare the lists and integers of Python, by their usual size."""
    return Buffers(vertices=((space.num_vertices, 200), np.uint8), edges=((num_edges, 40), np.uint8))


def solve(graph: CsrSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve a graph with stored edges in up to O((n + m) * levels) time.

    Parameters
    ----------
    graph : CsrSpace
    stuck : Value
        The value of a vertex without edges, for the player to move.
    context : Context

    Returns
    -------
    SolveResult
        With a table of arrays.
    """
    initial_values, initial_remoteness = initialise(graph, stuck)
    value = [code if code == INVALID else Value(code) for code in initial_values.tolist()]
    remoteness: list[int] = initial_remoteness.tolist()
    successors = [graph.neighbors(v).tolist() for v in range(graph.num_vertices)]
    owner = None if graph.owner is None else graph.owner.tolist()

    def value_for_mover(v: int, w: int) -> Value:
        """Return the value of successor w for the player who moves at v."""
        same = owner is not None and owner[v] == owner[w]
        return value[w] if same else value[w].opposite()

    def win_or_loss(v: int) -> tuple[Value, int] | None:
        wins = [remoteness[w] for w in successors[v] if value_for_mover(v, w) is Value.WIN]
        if wins:
            return Value.WIN, 1 + min(wins)
        if all(value_for_mover(v, w) is Value.LOSS for w in successors[v]):
            return Value.LOSS, 1 + max(remoteness[w] for w in successors[v])
        return None

    def tie(v: int) -> tuple[Value, int] | None:
        ties = [remoteness[w] for w in successors[v] if value[w] is Value.TIE]
        return (Value.TIE, 1 + min(ties)) if ties else None

    for rule in (win_or_loss, tie):
        changed = True
        while changed:
            undecided = [v for v in range(graph.num_vertices) if value[v] is Value.DRAW]
            decided = [(v, outcome) for v in undecided if (outcome := rule(v)) is not None]
            for v, (new_value, new_remoteness) in decided:
                value[v], remoteness[v] = new_value, new_remoteness
            changed = bool(decided)
    dtype = initial_remoteness.dtype
    return SolveResult(ArrayTable(np.array(value, np.uint8), np.array(remoteness, dtype)))


def solve_scores(graph: CsrSpace, objective: Score, context: Context) -> SolveResult:
    """Solve a graph for points in up to O((n + m) * levels * different scores) time.

    Component by component, from the most points down, level by level: a vertex wins t points if some
    move does, seen at this level; it loses t if all moves lose at least t, the longest of those that
    lose just t at this level; for 0 points one move to a TIE is enough.

    Parameters
    ----------
    graph : CsrSpace
    objective : Score
    context : Context

    Returns
    -------
    SolveResult
        With a coded table.
    """
    n = graph.num_vertices
    terminal = graph.terminal(0, n)
    ends = points_of(objective.end(EndData(terminal, graph.payoffs(0, n)))).tolist()
    value: list[tuple[Margin, int] | None] = [None] * n
    owner = None if graph.owner is None else graph.owner.tolist()
    rows = _rows(graph)

    def seen(v: int) -> list[tuple[int, int]]:
        """Return the points and plies of the moves at v that are decided; -1 plies for none."""
        found = []
        for w, reward in rows[v]:
            claim = value[w]
            if claim is not None:
                margin, plies = claim
                same = owner is not None and owner[v] == owner[w]
                points = reward + (margin.points if same else -margin.points)
                found.append((points, 1 if reward else -1 if margin.endless else plies + 1))
        return found

    def decides(v: int, t: int, level: int) -> int | None:
        """Return t or -t if v is decided for so many points at a level."""
        if not rows[v]:
            return int(ends[v]) if abs(ends[v]) == t and level == 0 else None
        moves = seen(v)
        if (t, level) in moves:
            return t
        losing = len(moves) == len(rows[v]) and max(moves)[0] == -t
        return -t if t and losing and max(plies for p, plies in moves if p == -t) == level else None

    order, bounds, _ = graph.components
    for first, last in pairwise(bounds.tolist()):
        inside = order[first:last].tolist()
        exits = [move for v in inside for move in seen(v)]
        stakes = {0, *(abs(points) for points, _ in exits), *(abs(int(ends[v])) for v in inside)}
        latest = max((plies for _, plies in exits), default=0) + 2 * len(inside)
        for t in sorted(stakes, reverse=True):
            for level in range(latest + 1):
                undecided = [v for v in inside if value[v] is None]
                decided = {v: decides(v, t, level) for v in undecided}
                for v, points in decided.items():
                    if points is not None:
                        value[v] = Margin(points), level
        for v in inside:
            if value[v] is None:
                value[v] = Margin(0, endless=True), -1
    words = np.array([pack(claim[0].points, claim[1]) for claim in value if claim], np.int64)
    return SolveResult(coded_table(*coded(np.where(terminal == INVALID, NO_WORD, words), True)))


def _rows(graph: CsrSpace) -> list[list[tuple[int, int]]]:
    """Return the target and the reward of each move of each vertex, none where the game is over."""
    rows = []
    for v, code in enumerate(graph.terminal(0, graph.num_vertices).tolist()):
        targets, rewards = graph.neighbors(v).tolist(), graph.rewards(v, v + 1)
        won = [0] * len(targets) if rewards is None else rewards.tolist()
        rows.append([] if code else list(zip(targets, won, strict=True)))
    return rows
