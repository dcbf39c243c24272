"""The specification: apply the rules until nothing changes, in plain Python.

Each sweep reads only what earlier sweeps decided. Slow on purpose (up to one sweep a level, each
over all undecided vertices) and for small graphs only; every other solver must agree with it.
"""

from __future__ import annotations

import numpy as np

from retrosolve.runtime.context import Context
from retrosolve.solvers.initial import initialise
from retrosolve.solvers.result import SolveResult
from retrosolve.spaces.base import CsrSpace
from retrosolve.tables import ArrayTable
from retrosolve.values import INVALID, Value


def solve(graph: CsrSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve a graph with stored edges. Takes up to O((n + m) * levels) time."""
    values, plies = initialise(graph, stuck)
    value = [code if code == INVALID else Value(code) for code in values.tolist()]
    remoteness: list[int] = plies.tolist()
    successors = [graph.neighbors(v).tolist() for v in range(graph.num_vertices)]
    owner = None if graph.owner is None else graph.owner.tolist()

    def seen(v: int, w: int) -> Value:
        """The value of successor w as the player who moves at v sees it."""
        same = owner is not None and owner[v] == owner[w]
        return value[w] if same else value[w].opposite()

    def win_or_loss(v: int) -> tuple[Value, int] | None:
        wins = [remoteness[w] for w in successors[v] if seen(v, w) is Value.WIN]
        if wins:
            return Value.WIN, 1 + min(wins)
        if all(seen(v, w) is Value.LOSS for w in successors[v]):
            return Value.LOSS, 1 + max(remoteness[w] for w in successors[v])
        return None

    def tie(v: int) -> tuple[Value, int] | None:
        ties = [remoteness[w] for w in successors[v] if value[w] is Value.TIE]
        return (Value.TIE, 1 + min(ties)) if ties else None

    for rule in (win_or_loss, tie):
        changed = True
        while changed:
            undecided = [v for v in range(graph.num_vertices) if value[v] is Value.DRAW]
            decided = [(v, found) for v in undecided if (found := rule(v)) is not None]
            for v, (new_value, new_remoteness) in decided:
                value[v], remoteness[v] = new_value, new_remoteness
            changed = bool(decided)
    return SolveResult(ArrayTable(np.array(value, np.uint8), np.array(remoteness, plies.dtype)))
