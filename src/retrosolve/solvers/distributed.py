"""Retrograde analysis in partitions, in processes of one machine or of many.

Each partition owns a range of the vertices of a tier, and the edges out of them. Levels run in step: a
partition publishes what it has decided at a level, all of them read that, count down the open moves of
their own vertices and so find the next level. What is published is one object for each worker and level,
and it names each vertex once, however many edges lead to it. Values and remotenesses do not depend on the
number of partitions, and a solve that has lost workers goes on from its last snapshot.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from retrosolve.cluster.crew import Crew, WorkerLost
from retrosolve.errors import ClusterError
from retrosolve.runtime.context import ClusterOptions, Context
from retrosolve.runtime.threads import ThreadPool, cpu_count
from retrosolve.solvers.distributed_tiers import Attempt, Goal
from retrosolve.solvers.result import SolveResult
from retrosolve.spaces.base import Capability
from retrosolve.spaces.reachability import mark_reachable
from retrosolve.tables import PackedTable
from retrosolve.values import Value

OpenCrew = Callable[[int], Crew]

MAX_FRUITLESS = 5  # attempts that lose a worker without having come further than those before


def solve(space: Any, stuck: Value, context: Context) -> SolveResult:
    """Solve on a Ray cluster; see :func:`solve_with`. Raises ClusterError as well."""
    from retrosolve.cluster.ray_crew import open_crew

    options = context.cluster or ClusterOptions()
    return solve_with(space, stuck, context, partial(open_crew, options.address))


def solve_with(space: Any, stuck: Value, context: Context, open_crew: OpenCrew) -> SolveResult:
    """Solve any space in partitions.

    Parameters
    ----------
    space : StateSpace
    stuck : Value
        The value of a vertex without edges, for the player to move.
    context : Context
        Its ``cluster`` says how many partitions there are.
    open_crew : callable
        Returns a new crew of at most so many workers.

    Returns
    -------
    SolveResult

    Raises
    ------
    RulesError
        If the rules break their contract.
    StoreError
        If a snapshot cannot be written or read.
    ClusterError
        If workers are lost again and again.
    """
    options = context.cluster or ClusterOptions()
    shipped = _shipped(space, context)
    goal = Goal(shipped, stuck, context, options.partitions or cpu_count(), options.snapshots)
    fruitless, furthest = 0, (-1, 0)
    while True:
        crew = None
        try:
            crew = open_crew(goal.partitions)
            result = Attempt(goal, crew).run()
        except WorkerLost as lost:
            if crew is not None:
                crew.kill()
            fruitless = 0 if goal.reached > furthest else fruitless + 1
            furthest = max(furthest, goal.reached)
            if fruitless >= MAX_FRUITLESS:
                raise ClusterError(
                    f"workers were lost {fruitless} times without any progress, the last one because of "
                    f"{str(lost).splitlines()[0]}: expected a cluster with more memory or better nodes"
                ) from None
            continue
        except BaseException:
            if crew is not None:
                crew.kill()
            raise
        crew.close()
        return result


def _shipped(space: Any, context: Context) -> Any:
    """Return what workers are given: rows if edges are stored, reachable indices if only they count."""
    if Capability.CSR in space.capabilities:
        graph = space.materialize()
        assert graph.indptr is not None  # sorted here, once
        return graph
    if Capability.REACHABLE_ONLY in space.capabilities:
        with ThreadPool(context.threads, space.work) as pool:
            words = mark_reachable(space, pool, context.progress)
        context.timer.stage("finding positions")
        return space.for_solution(PackedTable(words))
    return space
