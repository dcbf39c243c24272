"""The independent proof: is this value and this remoteness right at every vertex?

It knows no solver. The proof is local, one pass over the edges, and complete: by induction on the
remoteness every WIN, LOSS and TIE that passes is forced in exactly that many plies, and the vertices
that claim to be undecided form a set that nobody can be made to leave, so they are rightly so.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.compilation import jit
from retrosolve.errors import RulesError, VerificationError
from retrosolve.kernels.words import INVALID_CODE
from retrosolve.runtime.progress import Progress, ProgressCallback, no_progress
from retrosolve.runtime.threads import ThreadPool
from retrosolve.solution import Solution
from retrosolve.spaces.blocks import VERTICES_A_BLOCK, Block, blocks
from retrosolve.spaces.generated import GeneratedSpace
from retrosolve.spaces.graph import StateSpace
from retrosolve.spaces.product import ProductSpace
from retrosolve.tables.answers import Answers, Packed, Planes
from retrosolve.values import INVALID, Outcome, Value
from retrosolve.verification.fixpoint import first_mismatch

VERTICES_A_REPORT = 1 << 24
INTERPRETED_SAMPLE = 32
FAR = np.iinfo(np.int64).max


def verify(solution: Solution, progress: ProgressCallback | None = None) -> None:
    """Prove every value and remoteness of a solution anew, or raise VerificationError.

    Checked at each vertex: the remoteness is -1 just for a DRAW; a terminal or stuck vertex has its
    given value and remoteness 0; elsewhere, WIN has a successor seen as WIN and the nearest is one
    ply less; LOSS sees LOSS everywhere and the farthest is one ply less; TIE sees no WIN, and its
    nearest TIE is one ply less; DRAW sees neither WIN nor TIE, and some DRAW.

    Of a game of which just what play reaches is solved, it is found anew what that is. Of compiled
    rules a random sample of positions is proven once more with the rules uncompiled.

    A solution of values alone, of a game of two tokens, is proven by deriving every win and loss anew,
    in another way than they were found.

    Cost O(n + m); temporaries of about 60 bytes for each edge of a block of 2^18 vertices.
    """
    report = progress or no_progress
    graph, answers = solution.graph, solution.answers
    _check_shape(graph, answers)
    if isinstance(graph, ProductSpace) and isinstance(answers, Planes):
        wrong = first_mismatch(graph, answers, solution.stuck, report)
        if wrong is not None:
            _refuse(solution, *wrong, -1)
        return
    if isinstance(graph, GeneratedSpace):
        _verify_rules(solution, graph, _packed(answers), report)
    elif isinstance(graph, ProductSpace) and jit.pays(graph.work) and isinstance(answers, Packed):
        _verify_packed(solution, graph, answers.state, report)
    else:
        for block in blocks(graph, answers):
            _check(solution, block)
            report(Progress("verifying", block.stop, graph.vertices))


def _packed(answers: Answers) -> IntArray:
    """Return the answers as one word a vertex."""
    if isinstance(answers, Packed):
        return answers.state
    packed = Packed.of(answers.values(), answers.plies())
    wrong = packed.plies() != answers.plies()
    if wrong.any():
        v = int(np.argmax(wrong))
        value, plies = answers.values([v])[0], answers.plies([v])[0]
        raise VerificationError(
            f"vertex {v} has the value {value} and the remoteness {plies}: "
            "expected a remoteness of -1 just for a DRAW"
        )
    return packed.state


def _verify_rules(
    solution: Solution, graph: GeneratedSpace, words: IntArray, report: ProgressCallback
) -> None:
    """Prove the answers of compiled rules, and a sample of them once more by the rules uncompiled."""
    stuck = int(solution.stuck)
    if not graph.starts:
        _verify_packed(solution, graph, words, report)
    else:
        with ThreadPool(None, graph.work) as pool:
            wrong = graph.first_violation_reachable(words, stuck, pool, report)
        if wrong is not None:
            _refuse_reached(solution, words, *wrong)
    if graph.fitted.compiles(graph.work):
        sample = np.random.default_rng().integers(0, graph.vertices, INTERPRETED_SAMPLE)
        differs = graph.first_violation_interpreted(words, stuck, sample)
        if differs is not None:
            raise VerificationError(
                f"{_claim(solution, differs)}, which the compiled rules bear out but the same rules "
                "called uncompiled do not: expected rules that compute the same either way"
            )


def _refuse_reached(solution: Solution, words: IntArray, v: int, reached: bool) -> None:
    """Refuse an answer of a game of which just what play reaches is solved."""
    if not reached:
        raise VerificationError(f"{_claim(solution, v)}, but play from the start does not reach it")
    if words[v] == INVALID_CODE:
        raise VerificationError(f"{_claim(solution, v)}, but play from the start reaches it")
    _refuse_word(solution, words, v)


def _refuse_word(solution: Solution, words: IntArray, v: int) -> None:
    """Refuse an answer; blame the rules where it is wrong because they contradict themselves."""
    if isinstance(solution.graph, GeneratedSpace):
        solution.graph.check_rules_at(v, words)
    for block in blocks(solution.graph, solution.answers, v, v + 1):
        _check(solution, block)
    raise VerificationError(f"vertex {v} has the word {int(words[v])}, which no answer has")


def _verify_packed(solution: Solution, graph: Any, words: IntArray, report: ProgressCallback) -> None:
    """Prove the answers of a game whose moves are made anew, a position at a time."""
    with ThreadPool(None, graph.work) as pool:
        for first in range(0, graph.vertices, VERTICES_A_REPORT):
            last = min(first + VERTICES_A_REPORT, graph.vertices)
            wrong = graph.first_violation(words, int(solution.stuck), first, last, pool)
            if wrong is not None:
                _refuse_word(solution, words, wrong)
            report(Progress("verifying", last, graph.vertices))


def _check(solution: Solution, block: Block) -> None:
    """Check the vertices of a block."""
    answers = solution.answers
    span = slice(block.start, block.stop)
    if (block.seen == INVALID).any():
        _refuse_move(solution, block)
    expected_value, expected_remoteness = _expected(block, answers)
    moveless = block.reduce(np.add, np.ones(len(block.row)), 0) == 0
    end = np.full(block.stop - block.start, solution.stuck, np.int64)
    if block.ends is not None:
        end = np.where(block.ends != 0, block.ends, end)
    expected_value[moveless] = end[moveless]
    expected_remoteness[moveless] = np.where(end == INVALID, -1, 0)[moveless]
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


def _check_shape(graph: StateSpace, answers: Answers) -> None:
    for name, length in answers.lengths().items():
        if length != graph.vertices:
            raise VerificationError(
                f"{name} has shape ({length},): expected ({graph.vertices},), one a vertex"
            )
    for start in range(0, graph.vertices, VERTICES_A_BLOCK):
        value = answers.values(slice(start, start + VERTICES_A_BLOCK))
        unknown = (value > max(Value)) & (value != INVALID)
        if unknown.any():
            v = int(np.argmax(unknown))
            raise VerificationError(
                f"vertex {start + v} has value {value[v]}: expected 0 to {max(Value)}"
            )


def _refuse(solution: Solution, v: int, value: int, remoteness: int) -> None:
    expected = _outcome(value, remoteness, solution.answers.has_remoteness)
    raise VerificationError(f"{_claim(solution, v)}, but its moves make it {expected}")


def _claim(solution: Solution, v: int) -> str:
    """Return what a vertex is claimed to be, in words."""
    answers, at = solution.answers, slice(v, v + 1)
    claimed = _outcome(int(answers.values(at)[0]), int(answers.plies(at)[0]), answers.has_remoteness)
    name = solution.positions.text(solution.positions.position(v))
    return f"{name} (vertex {v}) is claimed {claimed}"


def _refuse_move(solution: Solution, block: Block) -> None:
    """Refuse a move to what is claimed to be no position; blame the rules where they say so too."""
    edge = int(np.argmax(block.seen == INVALID))
    v, w = block.start + int(block.row[edge]), int(block.target[edge])
    name = solution.positions.text(solution.positions.position(v))
    graph = solution.graph
    if isinstance(graph, GeneratedSpace) and not graph.starts and graph.ends(w, w + 1)[0] == INVALID:
        target = solution.positions.position(w)
        raise RulesError(f"{graph.name}: {name} leads to {target}, which is no position by terminal()")
    raise VerificationError(f"{name} (vertex {v}) has a move to what is claimed to be no position")


def _outcome(value: int, remoteness: int, plies: bool) -> str:
    if value == INVALID:
        return "no position"
    shown = plies and (remoteness >= 0 or value != Value.DRAW)
    return str(Outcome(Value(value), remoteness if shown else None))
