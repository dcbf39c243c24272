"""The local proof: each vertex is compared with its successors, with arrays, block by block.

It is complete: by induction on the remoteness, every WIN, LOSS and TIE that passes is forced in exactly
that number of plies, and the vertices claimed to be a DRAW form a set that neither player can be forced
to leave. The induction needs moves that make the remoteness longer: claims that others of the same
remoteness bear out could bear out each other in a cycle.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray
from retrosolve.errors import RulesError, VerificationError
from retrosolve.objectives import ChoiceObjective, Conversion, Outcome, Score
from retrosolve.runtime.context import Context, Progress
from retrosolve.runtime.threads import ThreadPool, cpu_count
from retrosolve.solution import Solution
from retrosolve.spaces.base import Capability, RulesSpace, StateSpace
from retrosolve.spaces.blocks import VERTICES_PER_BLOCK, Block, blocks
from retrosolve.values import INVALID
from retrosolve.values import Outcome as Answer


def refuse(solution: Solution, v: int, expected: Answer | None) -> NoReturn:
    """Raise VerificationError for a vertex whose moves imply an outcome; None for no position."""
    shown = "no position" if expected is None else str(expected)
    raise VerificationError(f"{claim(solution, v)}, but its moves make it {shown}")


def claim(solution: Solution, v: int) -> str:
    """Return the claim of a solution about a vertex, as text."""
    table, at = solution.table, slice(v, v + 1)
    value, remoteness = int(table.values(at)[0]), int(table.remoteness(at)[0])
    claimed = "no position"
    if value != INVALID:
        outcome = table.decoded(v)
        if table.has_remoteness and remoteness < 0 and outcome.value.ends:
            outcome = outcome._replace(remoteness=remoteness)
        claimed = str(outcome)
    return f"{name_of(solution, v)} (vertex {v}) is claimed {claimed}"


def name_of(solution: Solution, v: int) -> str:
    """Return the text of the position of a vertex."""
    return solution.space.text(solution.space.position(v))


EDGE_BYTES, MIN_BLOCK = 60, 1 << 8
LEAST_SHARED = 1 << 16  # vertices of a block, where several threads share them; fewer are slower
EDGES_ASSUMED = 4
LENGTHENING = {Outcome.seen, Conversion.seen, Score.seen}
"""Methods that make words longer by every move that may be part of a cycle. Others are checked."""


def memory_bytes(space: StateSpace, num_edges: int, budget: int | None = None) -> int:
    """Return the bytes of a proof without a budget."""
    size = min(space.num_vertices, max(VERTICES_PER_BLOCK, LEAST_SHARED * cpu_count()))
    return EDGE_BYTES * num_edges * size // max(1, space.num_vertices)


def prove(solution: Solution, context: Context) -> None:
    """Prove all vertices; takes about 60 bytes for each edge of the blocks that threads work on."""
    space = solution.space
    with ThreadPool(context.threads, EDGES_ASSUMED * space.num_vertices) as pool:
        size = max(LEAST_SHARED, VERTICES_PER_BLOCK // pool.threads)
        if context.memory is not None:
            edges = 1 + space.num_edges // max(1, space.num_vertices)
            share = context.memory // pool.threads
            size = min(size, max(MIN_BLOCK, share // (EDGE_BYTES * edges)))

        def check_from(start: int) -> int:
            stop = min(start + size, space.num_vertices)
            for block in blocks(space, start, stop, size=size):
                check(solution, block)
            return stop

        for stop in pool.ahead(check_from, range(0, space.num_vertices, size), 2 * pool.threads):
            context.progress(Progress("verifying", stop, space.num_vertices))


def check(solution: Solution, block: Block) -> None:
    """Raise VerificationError for the first vertex of a block that is wrong."""
    table, objective = solution.table, solution.objective
    assert isinstance(objective, ChoiceObjective)  # by the table of provers
    span = slice(block.start, block.stop)
    values = table.values(block.target)
    if (values == INVALID).any():
        _refuse_move(solution, block, values)
    successors = objective.words(table.codec, values, table.remoteness(block.target))
    ends = np.diff(block.indptr) == 0
    seen = objective.seen(successors, block.edges)
    if type(objective).seen not in LENGTHENING:
        _check_longer(solution, block, successors, seen)
    folded = objective.fold(block.indptr, seen)
    expected = np.where(ends, objective.end(block.ends), folded)
    claimed = objective.words(table.codec, table.values(span), table.remoteness(span))
    wrong = claimed != expected
    if wrong.any():
        v = int(np.argmax(wrong))
        exists = block.ends.terminal[v] != INVALID
        refuse(solution, block.start + v, objective.outcome(int(expected[v])) if exists else None)


def _check_longer(solution: Solution, block: Block, words: IntArray, seen: IntArray) -> None:
    """Raise VerificationError for a move whose result is not longer than what it leads to."""
    objective = solution.objective
    pairs, first = np.unique(np.stack([words, seen]), axis=1, return_index=True)
    for (word, longer), edge in zip(pairs.T.tolist(), first.tolist(), strict=True):
        before, after = objective.outcome(word), objective.outcome(longer)
        plies = -1 if after.remoteness is None else after.remoteness
        if after.value.ends and (before.remoteness is None or before.remoteness >= plies):
            name = name_of(solution, block.start + int(block.rows()[edge]))
            raise VerificationError(
                f"a move from {name} leads to {before}, which {objective!r} counts as {after}: "
                "expected more plies, as moves that add none may bear out each other in a cycle"
            )


def refuse_vertex(solution: Solution, v: int) -> NoReturn:
    """Raise VerificationError for a vertex that is wrong, and say what is right by its successors."""
    for block in blocks(solution.space, v, v + 1):
        check(solution, block)
    word = int(solution.table.packed(slice(v, v + 1))[0])
    raise VerificationError(
        f"{claim(solution, v)}, by the word {word}, which its moves do not bear out"
    )


def _refuse_move(solution: Solution, block: Block, values: NDArray[Any]) -> NoReturn:
    """Raise the error for a move to an INVALID index: RulesError if the rules say INVALID, too."""
    edge = int(np.argmax(values == INVALID))
    v, w = block.start + int(block.rows()[edge]), int(block.target[edge])
    space = solution.space
    name, all_solved = name_of(solution, v), Capability.REACHABLE_ONLY not in space.capabilities
    if isinstance(space, RulesSpace) and all_solved and space.terminal(w, w + 1)[0] == INVALID:
        target = space.position(w)
        raise RulesError(f"{space.name}: {name} leads to {target}, which is no position by terminal()")
    raise VerificationError(f"{name} (vertex {v}) has a move to what is claimed to be no position")
