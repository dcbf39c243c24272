"""Games in small components: each is solved on its own, with its moves stored meanwhile.

See ``kernels.components``. A component stays in the cache of a processor, so this takes a fraction of
the time of a retrograde solve of a whole tier, and no counters; components are shared by the threads.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.kernels import components as kernels
from retrosolve.kernels.words import largest_remoteness, word_dtype
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import counted
from retrosolve.runtime.threads import ThreadPool, cpu_count
from retrosolve.runtime.workspace import Buffers
from retrosolve.solvers.tiers import solve_tiers
from retrosolve.spaces.base import RulesSpace
from retrosolve.spaces.tier_window import AllWords, marking_bytes, window_bytes
from retrosolve.tables.result import SolveResult, Statistics
from retrosolve.values import Value

ROW_BYTES = 8 + 8 * 4 + 4  # of a position in a component: see ``kernels.components``
EDGE_BYTES = 3 * 4


def buffers(space: RulesSpace, num_edges: int) -> Buffers:
    """Declare the arrays of ``solve``: a word for each index, and a component for each thread."""
    return Buffers(words=(space.num_vertices, word_dtype(0))) | _component(space)


def _component(space: RulesSpace) -> Buffers:
    """Declare a component with all its moves, for each thread; the kernel allocates it."""
    each = ROW_BYTES + EDGE_BYTES * space.max_moves
    return Buffers(components=((cpu_count(), space.component_size, each), np.uint8))


def disk_workspace(space: RulesSpace) -> int:
    """Return the least bytes that ``solve`` takes if finished tiers are written to disk."""
    return min(_disk_bytes(space), marking_bytes(space))


def _disk_bytes(space: RulesSpace) -> int:
    """Return the bytes that ``solve`` takes on disk with a word for each index."""
    return window_bytes(space) + _component(space).num_bytes


def solve(space: RulesSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve a game tier by tier, and each tier component by component, in O(n + m) time.

    Parameters
    ----------
    space : RulesSpace
        With components.
    stuck : Value
        The value of a position without moves, for the player to move.
    context : Context

    Returns
    -------
    SolveResult
        With a packed table.

    Raises
    ------
    RulesError
        If the rules break their contract.
    """
    with ThreadPool(context.threads, space.work) as pool:

        def solve_tier(
            solved: RulesSpace, words: AllWords, below: int, above: int, highest: int
        ) -> tuple[int, int]:
            moves, reached = _solve_tier(
                solved, int(stuck), context, pool, words, (below, above), highest
            )
            context.timer.stage("components")
            return moves, reached

        table, num_edges = solve_tiers(space, context, pool, solve_tier, _disk_bytes)
    return SolveResult(table, Statistics(num_edges))


def _solve_tier(
    space: RulesSpace, stuck: int, context: Context, pool: ThreadPool, words: AllWords,
    tier: tuple[int, int], highest: int,
) -> tuple[int, int]:  # fmt: skip
    """Solve the components of a tier; return the number of moves and the largest remoteness so far.

    Where words do not hold a remoteness, they are widened and the rest is solved again.
    """
    below, above = tier
    size, total = space.component_size, space.num_vertices
    words.reserve(highest + 1)
    spans = list(pairwise(below + size * cut for cut in pool.chunks((above - below) // size)))
    moves, reached = 0, highest
    report = counted(context.progress, "solving", below, total)
    while spans:

        def solve_span(
            number: int, state: IntArray = words.words, spans: list[tuple[int, int]] = spans
        ) -> tuple[int, int, int]:
            solved, made, most = space.run(
                kernels.solve_components, *spans[number], below, above, size, stuck, highest,
                largest_remoteness(state), state, space.max_moves, known=state,
            )  # fmt: skip
            return int(solved), int(made), int(most)

        def report_spans(done: int, count: int = len(spans)) -> None:
            report((above - below) * done // count)

        results = pool.map(solve_span, len(spans), report_spans)
        moves += sum(made for _, made, _ in results)
        reached = max(reached, *(most for _, _, most in results))
        unfinished = zip(spans, results, strict=True)
        spans = [(solved, stop) for (_, stop), (solved, _, _) in unfinished if solved < stop]
        words.reserve(reached)
    return moves, reached
