"""The independent proof: is this value and this remoteness right at every vertex?

It knows no solver. The proof is local, one pass over the edges, and complete: by induction on the
remoteness every WIN, LOSS and TIE that passes is forced in exactly that many plies, and the vertices
that claim to be undecided form a set that nobody can be made to leave, so they are rightly so.
"""

from __future__ import annotations

import numpy as np

from retrosolve.blocks import Block, blocks
from retrosolve.errors import VerificationError
from retrosolve.graph import GraphLike
from retrosolve.progress import Progress, Report, silent
from retrosolve.solution import Solution
from retrosolve.validation import ByteArray, IntArray
from retrosolve.values import Outcome, Value

FAR = np.iinfo(np.int64).max


def verify(solution: Solution, progress: Report | None = None) -> None:
    """Prove every value and remoteness of a solution anew, or raise VerificationError.

    Checked at each vertex: the remoteness is -1 just for a DRAW; a terminal or stuck vertex has its
    given value and remoteness 0; elsewhere, WIN has a successor seen as WIN and the nearest is one
    ply less; LOSS sees LOSS everywhere and the farthest is one ply less; TIE sees no WIN, and its
    nearest TIE is one ply less; DRAW sees neither WIN nor TIE, and some DRAW.

    Cost O(n + m); temporaries of about 60 bytes for each edge of a block of 2^18 vertices.
    """
    report = progress or silent
    graph, value, remoteness = solution.graph, solution.value, solution.remoteness
    _check_shape(graph, value, remoteness)
    for block in blocks(graph, value):
        span = slice(block.start, block.stop)
        expected_value, expected_remoteness = _expected(block, remoteness)
        moveless = block.reduce(np.add, np.ones(len(block.row)), 0) == 0
        end = np.full(block.stop - block.start, solution.stuck, np.int64)
        if graph.terminal is not None:
            terminal = graph.terminal[span]
            end = np.where(terminal != 0, terminal, end)
        expected_value[moveless] = end[moveless]
        expected_remoteness[moveless] = 0
        wrong = (expected_value != value[span]) | (expected_remoteness != remoteness[span])
        if wrong.any():
            v = block.start + int(np.argmax(wrong))
            _refuse(
                solution,
                v,
                int(expected_value[v - block.start]),
                int(expected_remoteness[v - block.start]),
            )
        report(Progress("verifying", block.stop, graph.vertices))


def _expected(block: Block, remoteness: IntArray) -> tuple[IntArray, IntArray]:
    """Say what the rules make of each vertex, given what is claimed of its successors."""
    plies = remoteness[block.target].astype(np.int64) + 1
    nearest_win = block.reduce(np.minimum, np.where(block.seen == Value.WIN, plies, FAR), FAR)
    nearest_tie = block.reduce(np.minimum, np.where(block.seen == Value.TIE, plies, FAR), FAR)
    draws = block.reduce(np.add, block.seen == Value.DRAW, 0)
    farthest = block.reduce(np.maximum, plies, 0)
    conditions = [nearest_win != FAR, nearest_tie != FAR, draws > 0]
    value = np.select(conditions, [Value.WIN, Value.TIE, Value.DRAW], Value.LOSS)
    distance = np.select(conditions, [nearest_win, nearest_tie, np.full_like(draws, -1)], farthest)
    return value.astype(np.int64), distance


def _check_shape(graph: GraphLike, value: ByteArray, remoteness: IntArray) -> None:
    for name, array in (("value", value), ("remoteness", remoteness)):
        if array.shape != (graph.vertices,):
            raise VerificationError(
                f"{name} has shape {array.shape}: expected ({graph.vertices},), one a vertex"
            )
    if len(value) and value.max() > max(Value):
        v = int(np.argmax(value > max(Value)))
        raise VerificationError(f"vertex {v} has value {value[v]}: expected 0 to {max(Value)}")


def _refuse(solution: Solution, v: int, value: int, remoteness: int) -> None:
    claimed = _outcome(int(solution.value[v]), int(solution.remoteness[v]))
    expected = _outcome(value, remoteness)
    name = solution.positions.text(solution.positions.position(v))
    raise VerificationError(
        f"{name} (vertex {v}) is claimed {claimed}, but its moves make it {expected}"
    )


def _outcome(value: int, remoteness: int) -> str:
    draw_or_plies = remoteness if remoteness >= 0 or value != Value.DRAW else None
    return str(Outcome(Value(value), draw_or_plies))
