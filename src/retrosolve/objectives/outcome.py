"""Outcome: who wins under perfect play, or that nobody can force a win, and in how many plies.

A player prefers a WIN as soon as possible, then a TIE as soon as possible, then a DRAW, then a LOSS as
late as possible.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.kernels.words import DRAW, LOSS, TIE, WIN, code_of, pack, remoteness_of
from retrosolve.objectives.base import BoolArray, ChoiceObjective
from retrosolve.values import Value, stuck_value

# Codes as the player sees them who moves there too, and as the other player does. Codes that are none
# of the four values stand for undecided vertices, which are draws when a solve is finished.
_SAME = np.array([DRAW, WIN, LOSS, TIE, DRAW, DRAW, DRAW, DRAW], np.int64)
_OTHER = np.array([DRAW, LOSS, WIN, TIE, DRAW, DRAW, DRAW, DRAW], np.int64)

# A key is the rank of the value, then the remoteness, the largest one first for a LOSS.
_RANK = np.argsort([WIN, TIE, DRAW, LOSS]) << 40  # more than any remoteness
_SIGN = np.where(np.arange(4) == LOSS, -1, 1)


class Outcome(ChoiceObjective):
    """The value of each position and its remoteness, the default objective.

    Parameters
    ----------
    stuck : {"loss", "win", "tie"} or Value
        What it means to have no move: normal play, misère play, or the end without a winner.

    Raises
    ------
    GraphError
        For another value of ``stuck``.

    Notes
    -----
    A table takes two bytes per position for up to 8,191 plies. Solving and proving take O(n + m) time.

    Examples
    --------
    >>> from retrosolve import objectives
    >>> objectives.Outcome(stuck="win")
    Outcome(stuck='win')
    """

    name = "outcome"
    has_levels = True

    def __init__(self, stuck: str | Value = "loss") -> None:
        self.stuck = stuck_value(stuck)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters, as JSON holds them."""
        return {"stuck": self.stuck.label}

    def end(self, terminal: ByteArray) -> IntArray:
        """Return the words of vertices at which the game is over, INVALID ones included."""
        words: IntArray = code_of(np.where(terminal != 0, terminal, np.int64(self.stuck)))
        return words

    def seen(self, words: IntArray, same: BoolArray | bool) -> IntArray:
        """Return successors as the player sees them who moves there, one ply longer."""
        code = code_of(words)
        if isinstance(same, bool):
            code = (_SAME if same else _OTHER)[code]
        else:
            code = np.where(same, _SAME[code], _OTHER[code])
        level = remoteness_of(words).astype(np.int64) + 1
        seen: IntArray = pack(code, np.where(code == DRAW, 0, level))
        return seen

    def keys(self, words: IntArray) -> IntArray:
        """Return sort keys of words, the smallest for the best."""
        code = code_of(words)
        keys: IntArray = _RANK[code] + _SIGN[code] * remoteness_of(words)
        return keys
