"""The independent proof: is this value and this remoteness right at every vertex?

It knows no solver. The proof is local, one pass over the edges, and complete: by induction on the
remoteness every WIN, LOSS and TIE that passes is forced in exactly that many plies, and the vertices
that claim to be undecided form a set that nobody can be made to leave, so they are rightly so.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrosolve.answers import NO_POSITION, Answers, Packed, Planes
from retrosolve.blocks import VERTICES_A_BLOCK, Block, blocks
from retrosolve.errors import VerificationError
from retrosolve.graph import GraphLike
from retrosolve.indexed import IndexedGraph
from retrosolve.kernels import jit
from retrosolve.parallel import Crew
from retrosolve.product import ProductGraph
from retrosolve.progress import Progress, Report, silent
from retrosolve.rederive import underived
from retrosolve.solution import Solution
from retrosolve.validation import IntArray
from retrosolve.values import Outcome, Value

VERTICES_A_REPORT = 1 << 24
FAR = np.iinfo(np.int64).max


def verify(solution: Solution, progress: Report | None = None) -> None:
    """Prove every value and remoteness of a solution anew, or raise VerificationError.

    Checked at each vertex: the remoteness is -1 just for a DRAW; a terminal or stuck vertex has its
    given value and remoteness 0; elsewhere, WIN has a successor seen as WIN and the nearest is one
    ply less; LOSS sees LOSS everywhere and the farthest is one ply less; TIE sees no WIN, and its
    nearest TIE is one ply less; DRAW sees neither WIN nor TIE, and some DRAW.

    A solution of values alone, of a game of two tokens, is proven by deriving every win and loss anew,
    in another way than they were found.

    Cost O(n + m); temporaries of about 60 bytes for each edge of a block of 2^18 vertices.
    """
    report = progress or silent
    graph, answers = solution.graph, solution.answers
    _check_shape(graph, answers)
    if isinstance(graph, ProductGraph) and isinstance(answers, Planes):
        wrong = underived(graph, answers, solution.stuck, report)
        if wrong is not None:
            _refuse(solution, *wrong, -1)
        return
    compiled = isinstance(graph, IndexedGraph) or (
        isinstance(graph, ProductGraph) and jit.pays(graph.work)
    )
    if compiled and isinstance(answers, Packed):
        _verify_packed(solution, graph, answers.state, report)
        return
    for block in blocks(graph, answers):
        _check(solution, block)
        report(Progress("verifying", block.stop, graph.vertices))


def _verify_packed(solution: Solution, graph: Any, words: IntArray, report: Report) -> None:
    """Prove the answers of a game whose moves are made anew, a position at a time."""
    with Crew(None, graph.work) as crew:
        for first in range(0, graph.vertices, VERTICES_A_REPORT):
            last = min(first + VERTICES_A_REPORT, graph.vertices)
            wrong = graph.first_wrong(words, int(solution.stuck), first, last, crew)
            if wrong is not None:
                for block in blocks(graph, solution.answers, wrong, wrong + 1):
                    _check(solution, block)
                word = int(words[wrong])
                raise VerificationError(f"vertex {wrong} has the word {word}, which no answer has")
            report(Progress("verifying", last, graph.vertices))


def _check(solution: Solution, block: Block) -> None:
    """Check the vertices of a block."""
    answers = solution.answers
    span = slice(block.start, block.stop)
    if (block.seen == NO_POSITION).any():
        _refuse_move(solution, block)
    expected_value, expected_remoteness = _expected(block, answers)
    moveless = block.reduce(np.add, np.ones(len(block.row)), 0) == 0
    end = np.full(block.stop - block.start, solution.stuck, np.int64)
    if block.ends is not None:
        end = np.where(block.ends != 0, block.ends, end)
    expected_value[moveless] = end[moveless]
    expected_remoteness[moveless] = np.where(end == NO_POSITION, -1, 0)[moveless]
    value, remoteness = answers.values(span), answers.plies(span)
    wrong = (expected_value != value) | (expected_remoteness != remoteness)
    if wrong.any():
        v = int(np.argmax(wrong))
        _refuse(solution, block.start + v, int(expected_value[v]), int(expected_remoteness[v]))


def _expected(block: Block, answers: Answers) -> tuple[IntArray, IntArray]:
    """Say what the rules make of each vertex, given what is claimed of its successors."""
    plies = answers.plies(block.target).astype(np.int64) + 1
    nearest_win = block.reduce(np.minimum, np.where(block.seen == Value.WIN, plies, FAR), FAR)
    nearest_tie = block.reduce(np.minimum, np.where(block.seen == Value.TIE, plies, FAR), FAR)
    draws = block.reduce(np.add, block.seen == Value.DRAW, 0)
    farthest = block.reduce(np.maximum, plies, 0)
    conditions = [nearest_win != FAR, nearest_tie != FAR, draws > 0]
    value = np.select(conditions, [Value.WIN, Value.TIE, Value.DRAW], Value.LOSS)
    distance = np.select(conditions, [nearest_win, nearest_tie, np.full_like(draws, -1)], farthest)
    return value.astype(np.int64), distance


def _check_shape(graph: GraphLike, answers: Answers) -> None:
    for name, length in answers.lengths().items():
        if length != graph.vertices:
            raise VerificationError(
                f"{name} has shape ({length},): expected ({graph.vertices},), one a vertex"
            )
    for start in range(0, graph.vertices, VERTICES_A_BLOCK):
        value = answers.values(slice(start, start + VERTICES_A_BLOCK))
        unknown = (value > max(Value)) & (value != NO_POSITION)
        if unknown.any():
            v = int(np.argmax(unknown))
            raise VerificationError(
                f"vertex {start + v} has value {value[v]}: expected 0 to {max(Value)}"
            )


def _refuse(solution: Solution, v: int, value: int, remoteness: int) -> None:
    at = slice(v, v + 1)
    plies = solution.answers.has_remoteness
    claimed = _outcome(int(solution.answers.values(at)[0]), int(solution.answers.plies(at)[0]), plies)
    expected = _outcome(value, remoteness, plies)
    name = solution.positions.text(solution.positions.position(v))
    raise VerificationError(
        f"{name} (vertex {v}) is claimed {claimed}, but its moves make it {expected}"
    )


def _refuse_move(solution: Solution, block: Block) -> None:
    v = block.start + int(block.row[np.argmax(block.seen == NO_POSITION)])
    name = solution.positions.text(solution.positions.position(v))
    raise VerificationError(f"{name} (vertex {v}) has a move to what is claimed to be no position")


def _outcome(value: int, remoteness: int, plies: bool) -> str:
    if value == NO_POSITION:
        return "no position"
    shown = plies and (remoteness >= 0 or value != Value.DRAW)
    return str(Outcome(Value(value), remoteness if shown else None))
