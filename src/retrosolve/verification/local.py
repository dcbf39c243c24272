"""The local proof: each vertex is compared with its successors, with arrays, block by block.

It is complete: by induction on the remoteness, every WIN, LOSS and TIE that passes is forced in exactly
that number of plies, and the vertices claimed to be a DRAW form a set that neither player can be forced
to leave.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.errors import RulesError, VerificationError
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress
from retrosolve.solution import Solution
from retrosolve.spaces.base import Capability
from retrosolve.spaces.blocks import VERTICES_PER_BLOCK, Block, blocks
from retrosolve.tables import Table
from retrosolve.values import DRAW, INVALID, TIE, WIN, Value
from retrosolve.verification.claims import name_of, refuse

EDGE_BYTES, MIN_BLOCK = 60, 1 << 8
FAR = np.iinfo(np.int64).max


def memory_bytes(space: Any, num_edges: int) -> int:
    """Return the bytes of a proof without a budget."""
    size = min(int(space.num_vertices), VERTICES_PER_BLOCK)
    return EDGE_BYTES * num_edges * size // max(1, int(space.num_vertices))


def prove(solution: Solution, context: Context) -> None:
    """Prove all vertices; takes about 60 bytes for each edge of a block of vertices."""
    space, size = solution.space, VERTICES_PER_BLOCK
    if context.memory is not None:
        edges = 1 + space.num_edges // max(1, space.num_vertices)
        size = min(size, max(MIN_BLOCK, context.memory // (EDGE_BYTES * edges)))
    for block in blocks(space, solution.table, size=size):
        check(solution, block)
        context.progress(Progress("verifying", block.stop, space.num_vertices))


def check(solution: Solution, block: Block) -> None:
    """Raise VerificationError for the first vertex of a block that is wrong."""
    table = solution.table
    span = slice(block.start, block.stop)
    if (block.value_for_mover == INVALID).any():
        _refuse_move(solution, block)
    expected_value, expected_remoteness = _expected(block, table)
    moveless = block.reduce(np.add, np.ones(len(block.row)), 0) == 0
    end = np.where(block.terminal != 0, block.terminal, np.int64(solution.stuck))
    expected_value[moveless] = end[moveless]
    expected_remoteness[moveless] = np.where(end == INVALID, -1, 0)[moveless]
    value, remoteness = table.values(span), table.remoteness(span)
    wrong = (expected_value != value) | (expected_remoteness != remoteness)
    if wrong.any():
        v = int(np.argmax(wrong))
        refuse(solution, block.start + v, int(expected_value[v]), int(expected_remoteness[v]))


def _expected(block: Block, table: Table) -> tuple[IntArray, IntArray]:
    """Return the value and remoteness of each vertex implied by the claims about its successors."""
    value_for_mover = block.value_for_mover
    plies = table.remoteness(block.target).astype(np.int64) + 1
    nearest_win = block.reduce(np.minimum, np.where(value_for_mover == WIN, plies, FAR), FAR)
    nearest_tie = block.reduce(np.minimum, np.where(value_for_mover == TIE, plies, FAR), FAR)
    draws = block.reduce(np.add, value_for_mover == DRAW, 0)
    farthest = block.reduce(np.maximum, plies, 0)
    conditions = [nearest_win != FAR, nearest_tie != FAR, draws > 0]
    value = np.select(conditions, [Value.WIN, Value.TIE, Value.DRAW], Value.LOSS)
    distance = np.select(conditions, [nearest_win, nearest_tie, np.full_like(draws, -1)], farthest)
    return value.astype(np.int64), distance


def _refuse_move(solution: Solution, block: Block) -> None:
    """Raise the error for a move to an INVALID index: RulesError if the rules say INVALID, too."""
    edge = int(np.argmax(block.value_for_mover == INVALID))
    v, w = block.start + int(block.row[edge]), int(block.target[edge])
    space: Any = solution.space
    name, offered = name_of(solution, v), space.capabilities
    by_rules = Capability.GENERATED in offered and Capability.REACHABLE_ONLY not in offered
    if by_rules and space.terminal(w, w + 1)[0] == INVALID:
        target = space.position(w)
        raise RulesError(f"{space.name}: {name} leads to {target}, which is no position by terminal()")
    raise VerificationError(f"{name} (vertex {v}) has a move to what is claimed to be no position")
