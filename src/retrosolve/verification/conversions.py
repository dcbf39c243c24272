"""The proof of distances to conversion by rules: ``kernels.prove``, counting anew in each tier."""

from __future__ import annotations

import numpy as np

from retrosolve.objectives import Conversion
from retrosolve.objectives.words import code_of, pack, remoteness_of
from retrosolve.runtime.context import Context
from retrosolve.solution import Solution
from retrosolve.verification.kernels import preference as preference_within
from retrosolve.verification.kernels import proof_of
from retrosolve.verification.words import prove_with

INLINED = ("end_word", "gain", "preference")

NO_LIMIT = 1 << 40
STUCK, LIMIT = 0, 1  # places in what ``prove`` calls ``stuck``


def prove(solution: Solution, context: Context) -> None:
    """Prove the distances to conversion of a game of compiled rules."""
    objective = solution.objective
    assert isinstance(objective, Conversion)  # by the table of provers
    limit = NO_LIMIT if objective.limit is None else objective.limit
    prove_with(prove_conversions, np.array([int(objective.stuck), limit]), solution, context)


# -- kernels --------------------------------------------------------------------------------------


def end_word(given, stuck, p, data):
    """Return the word of a position at which the game is over; see ``kernels.end_word``."""
    return code_of(given) if given != 0 else stuck[STUCK]


def gain(p, q, leaves, stuck, data):
    """Return the limit plus 1 for a move that leaves its tier, 0 for others; see ``kernels.gain``."""
    return stuck[LIMIT] + 1 if leaves else np.int64(0)


def preference(answer, stays, gained):
    """Return how good a move is; see ``kernels.preference``.

    A move that leaves its tier is counted alone, or with the limit where it leads beyond that.
    """
    if gained > 0:
        limit = gained - 1
        answer = pack(code_of(answer), limit if remoteness_of(answer) > limit else np.int64(0))
    return preference_within(answer, stays, gained)


prove_conversions = proof_of("prove_conversions", end_word=end_word, gain=gain, preference=preference)
