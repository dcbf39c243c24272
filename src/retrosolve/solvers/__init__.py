"""The solvers: one algorithm in each file, the table of all of them, and the choice of one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, cast

import numpy as np

from retrosolve import distributed, external
from retrosolve.arrays import index_bytes
from retrosolve.compilation import jit
from retrosolve.errors import GraphError
from retrosolve.objectives import Chance, Conversion, Nimber, Objective, Outcome, Score, WinLossDraw
from retrosolve.runtime import memory as memory_of
from retrosolve.runtime import tuning
from retrosolve.runtime.context import Context
from retrosolve.runtime.lazy import deferred
from retrosolve.runtime.workspace import Buffers
from retrosolve.spaces.base import Capability, RulesSpace, Seconds, StateSpace, linear
from retrosolve.tables.result import ClusterPlan, DiskPlan, SolveResult
from retrosolve.values import Value

MANY_EDGES = 1 << 40
COMPILER_SECONDS = 0.8  # to load numba and kernels compiled before
KEEPS_BUCKETS = ("retrograde", Outcome.name)  # all others sort dealt edges into rows

Run = Callable[[Any, Any, Context], SolveResult]


class Solver(NamedTuple):
    """An algorithm for one kind of space.

    Parameters
    ----------
    name : str
        The name of the algorithm, which is the same for stored and generated edges.
    summary : str
        One line on what it does.
    requires : Capability
        What a space has to offer.
    run : callable
        ``run(space, objective, context)`` returns a SolveResult.
    buffers : callable
        ``buffers(space, num_edges)`` declares the arrays of the result and of the working memory.
    seconds : callable
        ``seconds(space, num_edges, threads)`` estimates the time.
    automatic : Capability
        "auto" takes the first row of which a space offers one of these capabilities.
    objective : str
        The question that it answers.
    low_memory_alternative : str, optional
        The algorithm that computes the same in less memory.
    disk : callable, optional
        ``disk(space, num_edges, budget)`` estimates memory, reading and writing of edges on disk.
    memory_on_disk : callable, optional
        ``memory_on_disk(space)`` estimates the bytes if finished tiers are written to disk, for an
        algorithm that does that.
    cluster : callable, optional
        ``cluster(space, num_edges, nodes, partitions)`` estimates memory and traffic of each machine.
    resumes : bool
        Whether it writes finished tiers, or snapshots, from which it goes on.
    """

    name: str
    summary: str
    requires: Capability
    run: Run
    buffers: Callable[[Any, int], Buffers]
    seconds: Seconds
    automatic: Capability = Capability.NONE
    objective: str = Outcome.name
    low_memory_alternative: str | None = None
    disk: Callable[[Any, int, int | None], DiskPlan] | None = None
    memory_on_disk: Callable[[Any], int] | None = None
    cluster: Callable[[Any, int, int, int], ClusterPlan] | None = None
    resumes: bool = True

    def memory_bytes(self, space: StateSpace, on_disk: bool = False) -> int:
        """Return the bytes of a solve, materializing included, the solution in memory or on disk.

        Edges are estimated only where their number matters: a sample of the moves of rules in plain
        Python takes longer than to solve a small game.
        """
        generated = _has(space.capabilities, Capability.GENERATED)
        if on_disk:
            from retrosolve.spaces.tier_window import kernel_bytes, writing_bytes
        if on_disk and self.memory_on_disk is not None:
            kernels = kernel_bytes(cast(RulesSpace, space)) if generated else 0
            return self.memory_on_disk(space) + kernels
        needed = self._bytes(space, 0) if generated else -1
        if not generated or needed != self._bytes(space, MANY_EDGES):
            needed = self._bytes(space, space.estimate().likely_edges)
        return needed + writing_bytes(space.num_vertices) if on_disk else needed

    def _bytes(self, space: StateSpace, num_edges: int) -> int:
        """Return the bytes of a solve in memory, materializing included."""
        needed = self.buffers(space, num_edges).num_bytes
        n = space.num_vertices
        if not _has(self.requires, Capability.CSR):
            return needed
        if not _has(space.capabilities, Capability.CSR):
            temporary = 40 if Capability.BIT_ROWS in space.capabilities else 0
            needed += n * (index_bytes(num_edges) + 6) + num_edges * (index_bytes(n) + temporary)
        elif space.materialize().is_dealt and (self.name, self.objective) != KEEPS_BUCKETS:
            needed += n * index_bytes(num_edges) + num_edges * index_bytes(n)
        return needed

    def seconds_with_compiler(self, space: StateSpace, num_edges: int, threads: int) -> float:
        """Estimate the time, with that of loading the compiler where this process has yet to do it."""
        loads = self.name != "reference" and jit.pays(space.num_vertices + num_edges)
        estimated = self.seconds(space, num_edges, threads)
        return estimated + COMPILER_SECONDS * (loads and not jit.loaded())

    def prepared(self, space: StateSpace) -> StateSpace:
        """Return the space to run on: with every edge stored, if that is what it takes."""
        return space.materialize() if _has(self.requires, Capability.CSR) else space


def _of(function: str) -> Callable[..., Any]:
    """Return a function of a solver's file, which is imported when one of them is called."""
    return deferred(f"retrosolve.solvers.{function}")


def _by_stuck(solve: Callable[[Any, Value, Context], SolveResult]) -> Run:
    """Return a solver of outcomes, which depend on the objective by the rule of being stuck alone."""
    return lambda space, objective, context: solve(space, objective.stuck, context)


@cache  # testing flags takes microseconds, which a small solve would notice
def _has(capabilities: Capability, one: Capability) -> bool:
    """Return whether one is among some capabilities."""
    return one in capabilities


def _in_one(workspace: Callable[[int, int], int]) -> Callable[[Any, int], Buffers]:
    """Declare one buffer of the bytes that ``workspace(num_vertices, num_edges)`` returns."""
    return lambda space, num_edges: Buffers(all=(workspace(space.num_vertices, num_edges), np.uint8))


SOLVERS: tuple[Solver, ...] = (
    Solver(
        "reference",
        "apply the rules until nothing changes, in plain Python; the specification",
        Capability.CSR,
        _by_stuck(_of("reference:solve")),
        _of("reference:buffers"),
        linear(3000, 3000, max_threads=1),
    ),
    Solver(
        "reference",
        "scores by the same: level by level, the most points first; the specification",
        Capability.CSR,
        _of("reference:solve_scores"),
        _of("reference:buffers"),
        linear(30000, 30000, max_threads=1),
        objective=Score.name,
    ),
    Solver(
        "worklist",
        "backwards by a queue of decided vertices and counters of open moves, as in textbooks",
        Capability.CSR,
        _by_stuck(_of("worklist:solve")),
        _of("worklist:buffers"),
        linear(40, 60, max_threads=1),
    ),
    Solver(
        "acyclic",
        "acyclic graphs in reverse topological order",
        Capability.CSR,
        _by_stuck(_of("acyclic:solve")),
        _of("acyclic:buffers"),
        linear(20, 15, max_threads=1),
        automatic=Capability.TOPOLOGICAL,
    ),
    Solver(
        "retrograde",
        "backwards in one small component after the other; only its own edges are stored meanwhile",
        Capability.GENERATED | Capability.COMPONENTS,
        _by_stuck(_of("components:solve")),
        _of("components:buffers"),
        linear(150, 20),
        automatic=Capability.COMPONENTS,
        low_memory_alternative="sweep",
        memory_on_disk=_of("components:disk_workspace"),
    ),
    Solver(
        "retrograde",
        "backwards along generated predecessors, level by level; no edge stored",
        Capability.GENERATED | Capability.PREDECESSORS,
        _of("generated:solve"),
        _of("generated:buffers"),
        linear(400, 20),
        automatic=Capability.PREDECESSORS,
        low_memory_alternative="sweep",
        memory_on_disk=_of("generated:disk_workspace"),
    ),
    Solver(
        "retrograde",
        "backwards along edges on disk, level by level; only vertices in memory",
        Capability.EDGE_BLOCKS,
        _by_stuck(external.solve),
        _in_one(external.workspace),
        linear(150, 60),
        automatic=Capability.EDGE_BLOCKS,
        disk=external.disk_plan,
    ),
    Solver(
        "retrograde",
        "backwards along reversed edges, level by level; linear in the edges",
        Capability.CSR,
        _by_stuck(_of("retrograde:solve")),
        _of("retrograde:buffers"),
        _of("retrograde:seconds"),
        automatic=Capability.CSR,
        low_memory_alternative="sweep",
    ),
    Solver(
        "sweep",
        "level by level over all undecided positions, edges generated anew; the least memory",
        Capability.GENERATED,
        _of("generated:sweep"),
        _of("generated:sweep_buffers"),
        _of("generated:sweep_seconds"),
        automatic=Capability.REACHABLE_ONLY | Capability.TOPOLOGICAL,
        memory_on_disk=_of("generated:sweep_disk_workspace"),
    ),
    Solver(
        "sweep",
        "level by level over all undecided vertices; the least memory, slow for many levels",
        Capability.CSR,
        _by_stuck(_of("sweep:solve")),
        _of("sweep:buffers"),
        linear(400, 80),
    ),
    Solver(
        "bitset",
        "two tokens on graphs of their own, 64 positions at a time; no edge stored",
        Capability.BIT_ROWS,
        _by_stuck(_of("bitset:solve")),
        _of("bitset:buffers"),
        linear(50, 0),
        automatic=Capability.BIT_ROWS,
    ),
    Solver(
        "bitset",
        "the same without remoteness: win, loss or draw in two bits a position",
        Capability.BIT_ROWS,
        _by_stuck(_of("bitset:solve_values")),
        _of("bitset:values_buffers"),
        linear(8, 0),
        automatic=Capability.BIT_ROWS,
        objective=WinLossDraw.name,
    ),
    Solver(
        "retrograde",
        "backwards along generated predecessors, the distance counted anew in each tier",
        Capability.GENERATED | Capability.PREDECESSORS,
        _of("generated:solve"),
        _of("generated:conversion_buffers"),
        linear(400, 20),
        automatic=Capability.PREDECESSORS,
        objective=Conversion.name,
        memory_on_disk=_of("generated:disk_workspace"),
    ),
    Solver(
        "sweep",
        "level by level over all undecided positions, the distance counted anew in each tier",
        Capability.GENERATED,
        _of("generated:sweep"),
        _of("generated:conversion_buffers"),
        _of("generated:sweep_seconds"),
        automatic=Capability.GENERATED,
        objective=Conversion.name,
        memory_on_disk=_of("generated:sweep_disk_workspace"),
    ),
    Solver(
        "retrograde",
        "scores: one component after the other, by a queue and counters, the most points first",
        Capability.CSR,
        _of("score:solve"),
        _of("score:buffers"),
        linear(150, 100, max_threads=1),
        automatic=Capability.CSR,
        objective=Score.name,
    ),
    Solver(
        "retrograde",
        "scores tier by tier, the most points first, by a queue and counters",
        Capability.GENERATED,
        _of("score:solve_tiers"),
        _of("score:tier_buffers"),
        linear(400, 100),
        automatic=Capability.GENERATED,
        objective=Score.name,
        memory_on_disk=_of("score:tier_disk_bytes"),
    ),
    Solver(
        "heaps",
        "nimbers of heaps that moves may split, one after the other",
        Capability.HEAPS,
        _of("heaps:solve"),
        _of("heaps:buffers"),
        linear(1000, 0, max_threads=1),
        automatic=Capability.HEAPS,
        objective=Nimber.name,
    ),
    Solver(
        "nimbers",
        "nimbers of impartial games: mex, and on cycles one nimber after the other",
        Capability.CSR,
        _of("nimbers:solve"),
        _of("nimbers:buffers"),
        linear(40, 60, max_threads=1),
        automatic=Capability.CSR,
        objective=Nimber.name,
    ),
    Solver(
        "chance",
        "bounds of what can be expected, from both sides, one component after the other",
        Capability.CSR,
        _of("chance:solve"),
        _of("chance:buffers"),
        linear(500, 500, max_threads=1),
        automatic=Capability.CSR,
        objective=Chance.name,
        resumes=False,
    ),
    Solver(
        "chance",
        "the same tier by tier; only the throws and moves of one are stored, while it is solved",
        Capability.GENERATED | Capability.CHANCE,
        _of("chance:solve_tiers"),
        _of("chance:tier_buffers"),
        linear(5000, 200, max_threads=1),
        automatic=Capability.CHANCE,
        objective=Chance.name,
        low_memory_alternative="lanes",
        resumes=False,
    ),
    Solver(
        "lanes",
        "players who never meet: many positions at once, in 4 bytes each; no move is made",
        Capability.GENERATED | Capability.CHANCE | Capability.LANES,
        _of("lanes:solve"),
        _of("lanes:buffers"),
        linear(300, 0),
        objective=Chance.name,
        resumes=False,
    ),
    Solver(
        "ray",
        "backwards in partitions, by processes of a Ray cluster; needs retrosolve[ray]",
        Capability.NONE,
        _by_stuck(distributed.solve),
        distributed.buffers,
        linear(250, 60),
        memory_on_disk=distributed.disk_workspace,
        cluster=distributed.cluster_plan,
    ),
)

NAMES: tuple[str, ...] = tuple(dict.fromkeys(solver.name for solver in SOLVERS))


class Selection(NamedTuple):
    """A solver, and the bytes it takes, the result included."""

    solver: Solver
    memory_bytes: int


def select(
    space: StateSpace,
    name: str = "auto",
    objective: Objective | None = None,
    memory: int | None = None,
    on_disk: bool = False,
) -> Selection:
    """Select the solver for a space.

    Parameters
    ----------
    space : StateSpace
    name : str
        The name of an algorithm, or "auto" for the one that suits the space best or, if that takes
        more memory than there is, the one that computes the same in less.
    objective : Objective, optional
        The question; by default the outcomes.
    memory : int, optional
        A budget in bytes; the memory of the machine is a limit in any case.
    on_disk : bool
        Whether finished tiers are written to disk.

    Returns
    -------
    Selection
        The variant for the edges of the space or, if there is none, the one for stored edges, to which
        the space has to be materialized.

    Raises
    ------
    GraphError
        If there is no such algorithm, or if it applies neither to the space nor to stored edges.
    """
    asked, offered = Outcome() if objective is None else objective, space.capabilities
    if _has(offered, Capability.EDGE_BLOCKS) and not isinstance(asked, Outcome):
        raise GraphError(
            f"edges on disk have no {asked!r}: expected the objective outcome or win-loss-draw, or a "
            "Graph"
        )
    if _has(offered, Capability.CHANCE) and not isinstance(asked, Chance):
        raise GraphError(
            f"chance moves in {space!r}, for which there is no {asked!r}: expected the objective chance"
        )
    required = Capability.HEAPS if _has(offered, Capability.HEAPS) else Capability.NONE
    solver = _row(offered, name, asked.name)
    if solver is None and asked.solved_as is not None:
        solver = _row(offered, name, asked.solved_as)
    if solver is None or not _has(solver.requires, required):
        check_name(name)
        answers = (asked.name, asked.solved_as)
        rows = [row for row in SOLVERS if row.objective in answers]
        named = [row for row in rows if row.name == name]
        if any(_has(row.requires, Capability.BIT_ROWS) for row in named) and not required:
            raise GraphError(f"the {name} solver takes games of two tokens, not {space!r}")
        who = "no solver answers" if name == "auto" else f"the {name} solver does not answer"
        expected = "another objective"
        if rows and all(_has(row.requires, Capability.GENERATED) for row in rows):
            expected = "compiled rules, or another objective"
        if required:
            sums = "the objective nimber, or sums of heaps as the positions of a Game"
            expected = "solver='auto'" if asked.name == Nimber.name else sums
        raise GraphError(f"{who} {asked!r} for {space!r}: expected {expected}")
    in_tiers = on_disk and solver.objective == asked.name
    needed = solver.memory_bytes(space, in_tiers)
    if name == "auto" and solver.low_memory_alternative:
        room = memory_of.room() if needed > tuning.current().max_unchecked_bytes else needed
        applies = _row(offered, solver.low_memory_alternative, asked.name) is not None
        if applies and needed > min(memory or room, room):
            return select(space, solver.low_memory_alternative, objective, memory, on_disk)
    return Selection(solver, needed)


def check_name(name: str) -> None:
    """Raise GraphError unless ``name`` is "auto" or the name of an algorithm."""
    if name not in ("auto", *NAMES):
        raise GraphError(f"solver={name!r} is not known: expected auto, {', '.join(NAMES)}")


@cache
def _row(offered: Capability, name: str, objective: str) -> Solver | None:
    """Return the solver of that name, or the best, for a space that offers this; None without one."""
    automatic = name == "auto"
    rows = [
        row
        for row in SOLVERS
        if row.objective == objective
        and (row.automatic != Capability.NONE if automatic else row.name == name)
    ]
    stored = [row for row in rows if Capability.CSR in row.requires]
    others = [row for row in rows if Capability.CSR not in row.requires]
    for row in stored + others if Capability.CSR in offered else others + stored:
        if row.requires in offered and (not automatic or row.automatic & offered):
            return row
    return stored[-1] if stored else None
