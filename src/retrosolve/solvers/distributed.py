"""Retrograde analysis in partitions, in processes of one machine or of many.

Each partition owns a range of the vertices of a tier, and the edges out of them. Levels run in step: a
partition publishes what it has decided at a level, all of them read that, count down the open moves of
their own vertices and so find the next level. What is published is one object for each worker and
level, and it names each vertex once, however many edges lead to it. Values and remotenesses do not
depend on the number of partitions, and a solve that has lost workers goes on from its last snapshot.
"""

from __future__ import annotations

import functools
import logging
from typing import Any

from retrosolve.cluster.group import WorkerLost
from retrosolve.errors import ClusterError
from retrosolve.runtime.context import ClusterOptions, Context
from retrosolve.runtime.threads import ThreadPool, cpu_count
from retrosolve.solvers.result import SolveResult
from retrosolve.spaces.base import Capability
from retrosolve.spaces.reachability import mark_reachable
from retrosolve.tables import PackedTable
from retrosolve.values import Value

logger = logging.getLogger(__name__)

MAX_FRUITLESS = 5  # attempts that lose a worker without having come further than those before


def workspace(num_vertices: int, num_edges: int) -> int:
    """Return the bytes that the driver takes: the packed words of the solution."""
    return 2 * num_vertices


def disk_workspace(space: Any) -> int:
    """Return the bytes that the driver takes if partitions write the solution."""
    return 0


def solve(space: Any, stuck: Value, context: Context) -> SolveResult:
    """Solve any space in partitions.

    Parameters
    ----------
    space : StateSpace
    stuck : Value
        The value of a vertex without edges, for the player to move.
    context : Context
        Its ``cluster`` says where, and how many partitions there are.

    Returns
    -------
    SolveResult
        With the use of each level.

    Raises
    ------
    RulesError
        If the rules break their contract.
    StoreError
        If a snapshot cannot be written or read.
    ClusterError
        If there is no cluster, or if workers are lost again and again.
    """
    from retrosolve.solvers.distributed_goal import Goal
    from retrosolve.solvers.distributed_tiers import Attempt

    options = context.cluster or ClusterOptions()
    open_group = options.open_group
    if open_group is None:
        from retrosolve.cluster.ray_group import connect
        from retrosolve.cluster.ray_group import open_group as on_ray

        connect(options.address)
        open_group = functools.partial(on_ray, options.address)
    partitions = options.partitions or cpu_count()
    goal = Goal(_shipped(space, context), stuck, context, partitions, options.snapshots)
    fruitless, furthest = 0, goal.reached()
    while True:
        group = None
        try:
            group = open_group(partitions)
            result = Attempt(goal, group).run()
            group.close()
            return result
        except WorkerLost as lost:
            reached = goal.reached()
            logger.info("a worker was lost: going on from tier %d, level %d", reached[0], reached[2])
            fruitless = 0 if reached > furthest else fruitless + 1
            furthest = reached
            if fruitless >= MAX_FRUITLESS:
                why = str(lost).partition("\n")[0]
                raise ClusterError(
                    f"workers were lost {fruitless} times without any progress, the last one because "
                    f"of {why}: expected a cluster with more memory or better nodes"
                ) from None
            if group is not None:
                group.kill()
        except BaseException:
            if group is not None:
                group.kill()
            raise


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
