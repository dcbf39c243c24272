"""The specification: apply the rules until nothing changes, in plain Python.

Each sweep reads only what earlier sweeps have decided. This is slow (up to one sweep for each level,
each over all undecided vertices) and meant for small graphs; every other solver has to agree with it.
"""

from __future__ import annotations

import numpy as np

from retrosolve.runtime.context import Context
from retrosolve.runtime.workspace import Buffers
from retrosolve.solvers.initial import initialise
from retrosolve.spaces.base import CsrSpace, StateSpace
from retrosolve.tables import ArrayTable
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
