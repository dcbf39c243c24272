"""The proof of scores by rules: ``kernels.prove`` with the words and preferences of points and plies.

A word is that of ``objectives.score``. More points are preferred, then a near end where the player does
not lose, a late one where he loses; endless play comes after every end that is worth as much. Without
remoteness every end is 0 plies away, and ``points`` proves that play comes to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrosolve.compilation.atomic import no_refcount
from retrosolve.objectives.score import LARGEST, SHIFT, TERMINAL_POINTS, Score
from retrosolve.objectives.words import INVALID_CODE
from retrosolve.runtime.context import Context
from retrosolve.solution import Solution
from retrosolve.spaces.checked import (
    OVERRUN,
    canonical,
    check_guard,
    checked_count,
    index_of,
    payoff,
    position_of,
    reward,
    room_for,
    same_side,
    successors,
    terminal_or_invalid,
)
from retrosolve.values import INVALID, Value
from retrosolve.verification import kernels
from retrosolve.verification.kernels import claimed_word
from retrosolve.verification.words import prove_with

INLINED = ("claimed_word", "end_word", "gain", "points_of_best", "preference", "word_of")

LATEST = np.int64(1) << (SHIFT - 1)
PLIES = (np.int64(1) << SHIFT) - 1  # the part of a word below its points
WRONG = np.int64(-3)  # which nothing claims
FIRST, WORST = np.int64(-(1 << 63)), np.int64((1 << 63) - 1)  # of preferences
HAS_PAYOFFS = 4  # the place in ``ends`` after the points of the values


def prove(solution: Solution, context: Context) -> None:
    """Prove that the scores of a game of compiled rules are what their moves make them."""
    space: Any = solution.space
    objective = solution.objective
    assert isinstance(objective, Score)  # by the table of provers
    points = TERMINAL_POINTS[[objective.stuck, Value.WIN, Value.LOSS, Value.TIE]]
    ends = np.append(points, space.payoffs(0, 0) is not None)
    prove_with(prove_scores if objective.has_levels else prove_points, ends, solution, context)


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
    points, plies = (answer >> SHIFT) - LARGEST, (answer & PLIES) - 1
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


def points_of_best(best):
    """Return the same word for scores without remoteness, where every end is 0 plies away.

    Parameters
    ----------
    best : int64
        As in ``word_of``.
    """
    word = word_of(best)
    return word - 1 if word & PLIES > 1 else word


def find_support(
    start, stop, below, words, meaning, waits, sources, targets, max_moves, data, index_table, fault
):  # fmt: skip
    """Find the moves inside a tier that claims rest on; see ``points``.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on, whose moves bear out their claims.
    below : int
        Where the tier begins.
    words, meaning
        As in ``kernels.prove``.
    waits : int32 [above - below]
        Overwritten for these indices: how many of the moves must lead to what is derived.
    sources, targets : int32 [max_moves * (stop - start)]
        Overwritten with the moves, counted from the beginning of the tier.
    max_moves, data, index_table, fault
        See ``spaces.checked``.

    Returns
    -------
    int
        The number of these moves.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    out = room_for(max_moves)
    made = 0
    for i in range(start, stop):
        waits[i - below] = 0
        word = claimed_word(words, meaning, np.int64(i))
        if word == INVALID_CODE or word & PLIES == 0:
            continue  # endless play rests on nothing
        p = position_of(i, data, index_table)
        count = 0
        if terminal_or_invalid(p, data) == 0:
            count = checked_count(successors(p, out, data), p, out[max_moves], max_moves, fault)
        first, waits_for_all = made, word >> SHIFT < LARGEST
        for k in range(count):
            won = np.int64(reward(p, out[k], data))
            q = canonical(out[k], data)
            j = index_of(q, data, index_table)
            answer = claimed_word(words, meaning, j)
            if points_of_best(preference(answer, same_side(p, q, data), won)) != word:
                continue
            if j >= below:
                # A move to a later tier, which nothing should have, is never derived.
                sources[made] = i - below
                targets[made] = j - below if j - below < len(waits) else i - below
                made += 1
            elif not waits_for_all:
                made = first  # a move out of the tier is enough
                break
        waits[i - below] = made - first if waits_for_all else min(made - first, 1)
    check_guard(start, stop, OVERRUN, out, max_moves, fault)
    return made


prove_scores = kernels.proof_of(
    "prove_scores", WORST=WORST, end_word=end_word, gain=gain, preference=preference, word_of=word_of
)
prove_points = kernels.proof_of(
    "prove_points", WORST=WORST, end_word=end_word, gain=gain, preference=preference,
    word_of=points_of_best,
)  # fmt: skip
