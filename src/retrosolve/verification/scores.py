"""The proof of scores by rules: ``kernels.prove`` with the words and preferences of points and plies.

A word is that of ``objectives.score``. More points are preferred, then a near end where the player does
not lose, a late one where he loses; endless play comes after every end that is worth as much.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrosolve.objectives.score import LARGEST, SHIFT, TERMINAL_POINTS, Score
from retrosolve.objectives.words import INVALID_CODE
from retrosolve.runtime.context import Context
from retrosolve.solution import Solution
from retrosolve.spaces.checked import payoff, reward
from retrosolve.values import INVALID, Value
from retrosolve.verification import kernels
from retrosolve.verification.words import prove_with

INLINED = ("end_word", "gain", "preference", "word_of")

LATEST = np.int64(1) << (SHIFT - 1)
WRONG = np.int64(-3)  # which nothing claims
FIRST, WORST = np.int64(-(1 << 63)), np.int64((1 << 63) - 1)  # of preferences
HAS_PAYOFFS = 4  # the place in ``ends`` after the points of the values


def prove(solution: Solution, context: Context) -> None:
    """Prove the scores of a game of compiled rules, with remoteness."""
    space: Any = solution.space
    objective = solution.objective
    assert isinstance(objective, Score)  # by the table of provers
    points = TERMINAL_POINTS[[objective.stuck, Value.WIN, Value.LOSS, Value.TIE]]
    ends = np.append(points, space.payoffs(0, 0) is not None)
    prove_with(prove_scores, ends, solution, context)


# -- kernels --------------------------------------------------------------------------------------


def end_word(given, ends, p, data):
    """Return the word of a position at which the game is over, INVALID_CODE of one that is none.

    Parameters
    ----------
    given : int64
        The terminal value, 0 for a position without moves.
    ends : int64 [5]
        The points of the values, 0 for a position without moves, and whether payoffs say them.
    p, data
        The position; see ``spaces.checked``.
    """
    if given == INVALID:
        return INVALID_CODE
    points = np.int64(payoff(p, data)) if ends[HAS_PAYOFFS] != 0 else ends[given]
    return ((points + LARGEST) << SHIFT) + 1


def gain(p, q, leaves, ends, data):
    """Return the points that a move wins; see ``kernels.gain``."""
    return np.int64(reward(p, q, data))


def preference(answer, stays, won):
    """Return how good a move is that wins points, FIRST if it leads to no position.

    See ``kernels.preference``.
    """
    points, plies = (answer >> SHIFT) - LARGEST, (answer & ((np.int64(1) << SHIFT) - 1)) - 1
    points = (points if stays else -points) + won
    if won != 0:
        plies = np.int64(1)
    elif plies >= 0:
        plies += 1
    late = LATEST if plies < 0 else plies
    late = LATEST - plies if points < 0 else late
    exists = answer >= 0 and answer != INVALID_CODE
    return (-points << (SHIFT + 1)) + late if exists else FIRST


def word_of(best):
    """Return the word that a position must have by its best move, WRONG if that leads to no position.

    Parameters
    ----------
    best : int64
        The least preference of a move.
    """
    if best == FIRST:
        return WRONG
    points, late = -(best >> (SHIFT + 1)), best & ((np.int64(1) << (SHIFT + 1)) - 1)
    plies = np.int64(-1) if late == LATEST else late
    plies = LATEST - late if points < 0 else plies
    return ((points + LARGEST) << SHIFT) + plies + 1


prove_scores = kernels.proof_of(
    "prove_scores", WORST=WORST, end_word=end_word, gain=gain, preference=preference, word_of=word_of
)
