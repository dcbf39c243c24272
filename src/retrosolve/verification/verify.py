"""verify(): check the value and the remoteness of every vertex, independently of the solvers."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from retrosolve import external
from retrosolve.arrays import is_whole, spans
from retrosolve.compilation import jit
from retrosolve.errors import GraphError, VerificationError
from retrosolve.languages import count
from retrosolve.languages.phrases import Proven
from retrosolve.objectives import Chance, Conversion, Nimber, Objective, Outcome, Score, WinLossDraw
from retrosolve.runtime.context import (
    CompilingReported,
    Context,
    ProgressCallback,
    check_progress,
    no_progress,
    whole_numbers,
)
from retrosolve.runtime.files import short_repr
from retrosolve.runtime.lazy import deferred
from retrosolve.runtime.memory import exhaustion, parse_bytes
from retrosolve.runtime.threads import cpu_count, limited
from retrosolve.solution import Solution
from retrosolve.solution.solution import check_solution
from retrosolve.spaces.base import Capability, Seconds, StateSpace, linear
from retrosolve.values import INVALID
from retrosolve.verification import local

VERTICES_PER_BLOCK = 1 << 18


@dataclass(frozen=True, repr=False)
class VerificationReport:
    """What :func:`retrosolve.verify` has proven; a wrong solution raises an error instead.

    Parameters
    ----------
    positions : int
        The number of positions of the solution.
    method : str
        The name of the prover, such as "local", "generated" or "fixpoint"; "partitions" for "local" on
        a cluster.
    seconds : float
        How long the proof took.
    sample : int or None
        The approximate number of positions proven, if that was asked for; None for all.
    part : tuple of two ints or None
        Which of how many equal parts of the indices is proven, if that was asked for; None for all.
    rules_called_again : int or None
        At how many positions plain rules were called again; None where no rules were explored, so that
        nothing but the input and compiled rules is relied on.

    Examples
    --------
    >>> import retrosolve as rs
    >>> rs.verify(rs.solve(rs.Graph.from_edges([0, 1], [1, 2])))
    all 3 positions proven
    >>> rs.verify(rs.solve(rs.game("tictactoe"))), rs.verify(rs.solve(rs.game("tictactoe")), full=True)
    (all 5,478 positions proven; rules called again at 512 of 5,478,
     all 5,478 positions proven; rules called again at 5,478 of 5,478)
    """

    positions: int
    method: str
    seconds: float
    sample: int | None = None
    part: tuple[int, int] | None = None
    rules_called_again: int | None = None

    def __repr__(self) -> str:
        if self.part is None and self.sample is None:
            return str(Proven(self.positions, self.rules_called_again))
        share = "part {} of {}".format(*self.part) if self.part else f"about {count(self.sample or 0)}"
        return f"{share} of {count(self.positions)} positions proven"


class Prover(NamedTuple):
    """A method of proving solutions.

    Parameters
    ----------
    name : str
    requires : Capability
        What the space has to offer.
    objective : str
        The question whose answers it proves.
    compiled_only : bool
        Whether it pays only where kernels are compiled.
    prove : callable
        ``prove(solution, context)`` raises VerificationError for a wrong solution.
    seconds : callable
        ``seconds(space, num_edges, threads)`` estimates the time.
    memory : callable
        ``memory(space, num_edges, budget)`` estimates the bytes that it adds to a solution in memory,
        with a budget in bytes or None. Only edges on disk are proven in as many as there are.
    disk : callable
        ``disk(space)`` estimates the bytes besides for a solution on disk; by default none.
    """

    name: str
    requires: Capability
    objective: str
    compiled_only: bool
    prove: Callable[[Solution, Context], None]
    seconds: Seconds
    memory: Callable[[Any, int, int | None], int]
    disk: Callable[[Any], int] = lambda space: 0


def _of(function: str) -> Callable[..., Any]:
    """Return a function of a file of this package, which is imported when one of them is called."""
    return deferred(f"retrosolve.verification.{function}")


def _prove_with_remoteness_added(solution: Solution, context: Context) -> None:
    """Prove a solution without remoteness by adding it."""
    prover = choose_prover(solution.space, Outcome(solution.stuck))
    prover.prove(_of("levels:with_remoteness")(solution, context), context)


def _prove_scores(prove: Callable[[Solution, Context], None]) -> Callable[[Solution, Context], None]:
    """Return a proof of scores that asks of those without remoteness that play comes to an end, too."""

    def prove_complete(solution: Solution, context: Context) -> None:
        prove(solution, context)
        if not solution.objective.has_levels:
            _of("points:check_ends")(solution, context)

    return prove_complete


def _prove_rows_of_bits(solution: Solution, context: Context) -> None:
    """Prove win, loss and draw by rows of bits, or with the remoteness added if there may be ties."""
    from retrosolve.spaces.product import two_tokens

    may_tie = two_tokens(solution.space).may_tie(solution.stuck)
    (_prove_with_remoteness_added if may_tie else _of("fixpoint:prove"))(solution, context)


def _prove_edges(solution: Solution, context: Context) -> None:
    """Prove the solution of a graph whose edges are on disk."""
    refuse = functools.partial(local.refuse_vertex, solution)
    external.prove(solution.space, solution.table, solution.stuck, context, refuse)


ONE_THREAD = 1
PROVERS: tuple[Prover, ...] = (
    Prover(
        "fixpoint", Capability.BIT_ROWS, WinLossDraw.name, False, _prove_rows_of_bits, linear(10, 0),
        _of("fixpoint:memory_bytes"),
    ),
    Prover(
        "generated", Capability.GENERATED, Outcome.name, False, _of("words:prove_generated"),
        linear(100, 20), _of("words:marking_bytes"), _of("words:window_bytes"),
    ),
    Prover(
        "bit rows", Capability.BIT_ROWS, Outcome.name, True, _of("words:prove_bit_rows"), linear(30, 0),
        lambda *_: 0,
    ),
    Prover(
        "edge blocks", Capability.EDGE_BLOCKS, Outcome.name, False, _prove_edges, linear(20, 15),
        external.proof_bytes,
    ),
    Prover(
        "local", Capability.NONE, Outcome.name, False, local.prove, linear(80, 85),
        local.memory_bytes,
    ),
    Prover(
        "generated", Capability.GENERATED, Conversion.name, False, _of("conversions:prove"),
        linear(120, 25), _of("words:marking_bytes"), _of("words:window_bytes"),
    ),
    Prover(
        "local", Capability.NONE, Conversion.name, False, local.prove, linear(80, 85),
        local.memory_bytes,
    ),
    Prover(
        "generated", Capability.GENERATED, Score.name, False, _prove_scores(_of("scores:prove")),
        linear(150, 40), _of("words:marking_bytes"), _of("words:window_bytes"),
    ),
    Prover(
        "local", Capability.NONE, Score.name, False, _prove_scores(local.prove), linear(120, 120),
        local.memory_bytes,
    ),
    Prover(
        "heaps", Capability.HEAPS, Nimber.name, False, _of("heaps:prove"),
        linear(20_000, 0, ONE_THREAD), _of("heaps:memory_bytes"),
    ),
    Prover(
        "nimbers", Capability.NONE, Nimber.name, False, _of("nimbers:prove"),
        linear(100, 150, ONE_THREAD), _of("nimbers:memory_bytes"),
    ),
    Prover(
        "lanes", Capability.LANES, Chance.name, False, _of("lanes:prove"), linear(400, 0),
        _of("lanes:memory_bytes"),
    ),
    Prover(
        "throws", Capability.GENERATED | Capability.CHANCE, Chance.name, False,
        _of("chance:prove_generated"), linear(1000, 100), _of("chance:marking_bytes"),
    ),
    Prover(
        "chance", Capability.NONE, Chance.name, False, _of("chance:prove"),
        linear(200, 200, ONE_THREAD), _of("chance:memory_bytes"),
    ),
    Prover(
        "levels", Capability.NONE, WinLossDraw.name, False, _prove_with_remoteness_added,
        linear(1000, 1000, ONE_THREAD), _of("levels:memory_bytes"),
    ),
)  # fmt: skip


def verify(
    solution: Solution,
    *,
    sample: int | None = None,
    part: tuple[int, int] | None = None,
    full: bool = False,
    progress: ProgressCallback | None = None,
    threads: int | None = None,
    memory: float | str | None = None,
    address: str | None = None,
    partitions: int | None = None,
) -> VerificationReport:
    """Verify every value and remoteness of a solution, and record that in ``solution.proven``.

    Parameters
    ----------
    solution : Solution
    sample : int, optional
        Verify only about so many vertices of a solution of compiled rules, at random places all over
        it, and do not record it. By default all.
    part : tuple of two ints, optional
        ``(2, 5)`` is the second of five equal parts of the indices of a solution of compiled rules.
        Verify only these, and do not record it; the five together, one after the other or on several
        machines, are a proof of all. By default all.
    full : bool
        Whether to call plain rules again at every position, and not at a sample: as many calls as
        exploring made, in this process. Graphs and compiled rules are proven in full in any case.
    progress : callable, optional
        Called with a :class:`~retrosolve.Progress` from time to time. Its stages are "compiling",
        "verifying, rules" and "verifying".
    threads : int, optional
        The most threads to use.
    memory : int or str, optional
        A budget in bytes, or as text such as "2GB", for what the proof adds to the solution. A solution
        on disk is proven in less memory if necessary. The memory of the machine is a limit in any case.
    address : str, optional
        A Ray cluster that proves the solution; see :func:`retrosolve.solve`.
    partitions : int, optional
        In how many parts it does; by default one for each processor. Where only reachable positions
        are solved, the proof runs on this machine.

    Returns
    -------
    VerificationReport
        True in a condition: ``assert rs.verify(solution)`` raises the error of a wrong solution.

    Raises
    ------
    GraphError
        For what is no solution, and for a sample of anything else, or below 1; for a part of a solution
        of anything else, or of reachable positions only; for ``full`` with either.
    VerificationError
        If a vertex is wrong; the message names it, what is claimed and what would be correct. Also if
        plain rules say something else about a position than what exploring made of it.
    MemoryBudgetError
        Before the proof begins, if it needs more than the budget.
    RulesError
        If a vertex is wrong because the rules of the game contradict each other, or plain rules return
        something else each time.

    Notes
    -----
    The conditions at each vertex: the remoteness is -1 only for a DRAW. A terminal or stuck vertex has
    its given value and remoteness 0. Elsewhere a WIN has a successor that wins for its player, the
    nearest of them one ply closer to the end; all successors of a LOSS lose, the farthest of them one
    ply closer; a TIE has no winning successor, and its nearest tie is one ply closer; a DRAW has
    neither, but a successor that is a DRAW. By induction on the remoteness these conditions suffice.

    Rules in plain Python were called by exploring, perhaps in other processes, and the conditions refer
    to the edges that it stored. All of these are proven; whether they are those of the rules is known
    where the proof calls the rules again: at 512 positions or one in 64, and at all with ``full`` or of
    a game of up to 512. About half of a sample is met on random walks from the start, each step by a
    call of ``moves``; the others are drawn from all positions. The report says how many. Targets by
    type and value, the number of moves, the terminal value, the player and the canonical form must be
    those that are stored; the order of moves may differ. Equal positions of other types, such as
    ``np.int64(5)`` and 5, are one position, of the type that play from the start finds first.

    If only reachable positions are solved, reachability is computed again. A random sample of the
    positions of compiled rules is checked again by the rules in plain Python.

    A solution without remoteness is verified by deriving its values again from the ends of the game:
    for two tokens by rows of bits, for scores by a queue, otherwise ply by ply, which adds the
    remoteness to the claims.

    O(n + m) time, and that of the calls of plain rules. Without remoteness, except for two tokens and
    scores, up to that for each ply of the longest remoteness; of a graph in memory, a ply that few
    vertices have takes as long as those with a move to them.

    Examples
    --------
    >>> import retrosolve as rs
    >>> report = rs.verify(rs.solve(rs.Graph.from_edges([0, 1], [1, 0])))
    >>> report
    all 2 positions proven
    >>> bool(report), report.sample
    (True, None)
    """
    check_solution(solution)
    check_progress(progress)
    threads, partitions, sample = whole_numbers(threads=threads, partitions=partitions, sample=sample)
    began = time.perf_counter()
    context = Context(threads, parse_bytes(memory), progress or no_progress, part=part, sample=sample)
    asked = address is not None or partitions is not None
    _check_share(solution, context, on_cluster=asked)
    space, whole = solution.space, part is None and sample is None
    if full and not whole:
        raise GraphError("full=True with a part or a sample: expected one of them")
    with exhaustion("verifying"), CompilingReported(context.progress), limited(threads):
        if sample is None:
            positions = _count_positions(solution, *context.span(space.num_vertices))
        if not whole:
            positions = len(solution)
        called = space.recheck(context.progress, full)
        can = solution.table.has_remoteness and Capability.REACHABLE_ONLY not in space.capabilities
        if asked and can:
            method = _prove_in_parts(solution, context, address, partitions or cpu_count())
        else:
            bounds = solution.table.bounds
            by_lanes = bounds is not None and bounds.stand_alone
            prover = choose_prover(space, solution.objective, by_lanes=by_lanes)
            prover.prove(solution, context)
            method = prover.name
        if whole:
            before = solution.proven.rules_called_again if solution.proven is not None else None
            most = None if called is None else max(called, before or 0)
            solution._proven = Proven(positions, most)
    proven = None if sample is None else min(sample, positions)
    return VerificationReport(positions, method, time.perf_counter() - began, proven, part, called)


def _check_share(solution: Solution, context: Context, on_cluster: bool) -> None:
    """Raise GraphError for a part or a sample that does not exist, or of what is proven as a whole."""
    part, sample = context.part, context.sample
    match part:
        case None:
            pass
        case (number, parts) if is_whole(number) and is_whole(parts) and 0 < number <= parts:
            pass
        case other:
            raise GraphError(f"part={short_repr(other)}: expected a number and of how many, as (2, 5)")
    space, table = solution.space, solution.table
    compiled = table.has_remoteness and Capability.GENERATED in space.capabilities
    compiled = compiled and choose_prover(space, solution.objective).name == "generated"
    if part is not None and (
        not compiled or Capability.REACHABLE_ONLY in space.capabilities or sample or on_cluster
    ):
        raise GraphError(
            f"part={part}: expected a solution of compiled rules with remoteness, of every "
            "position and not only of those that play reaches, and neither a sample nor a cluster"
        )
    if sample is not None and (not compiled or on_cluster):
        raise GraphError(
            f"sample={sample}: expected a solution of compiled rules with remoteness, and no cluster"
        )


def _prove_in_parts(solution: Solution, context: Context, address: str | None, partitions: int) -> str:
    """Prove a solution on a Ray cluster, and return the name of that."""
    from retrosolve.distributed import proof
    from retrosolve.distributed.group import groups_of

    proof.prove(solution, local.check, partitions, context.progress, groups_of(address))
    return "partitions"


def choose_prover(
    space: StateSpace, objective: Objective, num_edges: int | None = None, by_lanes: bool = False
) -> Prover:
    """Return how answers to a question about a space are proven.

    ``num_edges`` is that of the space by default, counted only if it matters. Only bounds in four bytes
    that are not those of another table are proven ``by_lanes``.
    """
    offered = space.capabilities if by_lanes else space.capabilities & ~Capability.LANES
    for prover in PROVERS:
        if prover.requires in offered and prover.objective == objective.name:
            if not prover.compiled_only:
                return prover
            edges = space.num_edges if num_edges is None else num_edges
            if jit.pays(space.num_vertices + edges):
                return prover
    raise GraphError(
        f"no prover takes answers to {objective.name!r} for {space!r}: expected another one"
    )


def proof_bytes(
    prover: Prover, space: StateSpace, num_edges: int, budget: int | None, on_disk: bool
) -> int:
    """Estimate the bytes that a proof adds to a solution in memory, or to one on disk."""
    return prover.memory(space, num_edges, budget) + (prover.disk(space) if on_disk else 0)


def _count_positions(solution: Solution, first: int, last: int) -> int:
    """Return how many vertices of a range are positions.

    Raises VerificationError unless each has a valid code.
    """
    n, table = solution.space.num_vertices, solution.table
    for name, array in table.arrays().items():
        if name in ("value", "remoteness", "words") and len(array) != n:
            raise VerificationError(f"{name} has shape ({len(array)},): expected ({n},), one a vertex")
    positions, kinds = 0, table.codec.kinds
    for start, stop in spans(last, VERTICES_PER_BLOCK, first):
        value = table.values(slice(start, stop))
        claimed = value != INVALID
        positions += int(np.count_nonzero(claimed))
        unknown = claimed & (kinds[np.minimum(value, len(kinds) - 1)] == INVALID)
        if unknown.any():
            v = int(unknown.argmax())
            raise VerificationError(
                f"vertex {start + v} has value {value[v]}: expected 0 to {len(table.codec.results) - 1}"
            )
    return positions
