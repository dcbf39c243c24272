"""Outcome: who wins under perfect play, or that nobody can force a win, and in how many plies.

A player prefers a WIN as soon as possible, then a TIE as soon as possible, then a DRAW, then a LOSS as
late as possible. Win-loss-draw is the same without the plies.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.objectives.base import ChoiceObjective, Codec, EdgeData, EndData
from retrosolve.objectives.words import (
    DRAW,
    LOSS,
    TIE,
    VALUE_OF_CODE,
    WIN,
    code_of,
    pack,
    remoteness_of,
)
from retrosolve.values import INVALID, Value, stuck_value
from retrosolve.values import Outcome as Answer

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
    has_steps = True

    def __init__(self, stuck: str | Value = "loss") -> None:
        self.stuck = stuck_value(stuck)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters, as JSON holds them."""
        return {"stuck": self.stuck.label}

    def words(self, codec: Codec, values: ByteArray, remoteness: IntArray) -> IntArray:
        """Return values and remotenesses as packed words; see ``objectives.words``."""
        endless = (values == DRAW) | (values == INVALID)
        words: IntArray = pack(code_of(values).astype(np.int64), remoteness.astype(np.int64) + endless)
        return words

    def outcome(self, word: int) -> Answer:
        """Return the outcome that a packed word says."""
        value = Value(VALUE_OF_CODE[code_of(word)])
        plies = int(remoteness_of(word)) if self.has_levels and value is not Value.DRAW else None
        return Answer(value, plies)

    def end(self, ends: EndData) -> IntArray:
        """Return the words of vertices at which the game is over, INVALID ones included."""
        terminal = ends.terminal
        words: IntArray = code_of(np.where(terminal != 0, terminal, np.int64(self.stuck)))
        return words

    def seen(self, words: IntArray, edges: EdgeData) -> IntArray:
        """Return successors as the player sees them who moves there, one ply longer."""
        code, same = code_of(words), edges.same
        if isinstance(same, bool):
            code = (_SAME if same else _OTHER)[code]
        else:
            code = np.where(same, _SAME[code], _OTHER[code])
        level = remoteness_of(words) + 1
        seen: IntArray = pack(code, np.where(code == DRAW, 0, level))
        return seen

    def keys(self, words: IntArray) -> IntArray:
        """Return sort keys of words, the smallest for the best."""
        code = code_of(words)
        keys: IntArray = _RANK[code] + _SIGN[code] * remoteness_of(words)
        return keys


class WinLossDraw(Outcome):
    """The value of each position alone, without the remoteness.

    Two bits per position suffice for a table. For games of two tokens it is solved in a fraction of the
    time and memory; for others it is solved with the remoteness, which is then left out.

    Parameters
    ----------
    stuck : {"loss", "win", "tie"} or Value
        What it means to have no move.

    Raises
    ------
    GraphError
        For another value of ``stuck``.

    Notes
    -----
    The proof derives the values again from the ends of the game: for two tokens by rows of bits, for
    others ply by ply, up to O(n + m) time for each ply.

    Examples
    --------
    >>> import retrosolve as rs
    >>> loop = rs.Graph.from_edges([0, 1, 1], [1, 0, 2])
    >>> rs.solve(loop, objective=rs.objectives.WinLossDraw())[1]
    Outcome(value=<Value.WIN: 1>, remoteness=None)
    """

    name = "win-loss-draw"
    has_levels = False
    solved_as = Outcome.name
