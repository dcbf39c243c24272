"""Nimber: the heap of Nim that a position of an impartial game equals, for games that are added up.

In the sum of several games a player moves in one of them, and loses without a move in any. The value of
a position is a nimber, the least one that none of its followers has (the *mex*), where play from it
must end or can be made to end. Otherwise it is ∞(K), with the nimbers K of its followers.

Two finite values add up by exclusive or; ∞(K) + x is ∞(K ⊕ x); ∞ + ∞ is ∞(∅). A position is lost at 0,
won at another nimber and at ∞(K) with 0 in K, and a draw at any other ∞(K).

In a game with cycles, a nimber k also says how play ends. A move to a follower that is ∞ or above k is
answered by a move to a position of value k again, with a smaller remoteness: the *remoteness* is that
of the slowest such answer and two plies more, 0 if none is needed. At value 0 it is the distance to the
end of the game, as for the objective ``outcome``, and positions show it; at other values it is in
tables only, where the proof and the winner of a sum need it.

Sources: Smith, "Graphs and composite games" (1966), doi:10.1016/S0021-9800(66)80004-2; Fraenkel and
Yesha, "The generalized Sprague-Grundy function and its invariance under certain mappings" (1986),
doi:10.1016/0097-3165(86)90058-6, whose counter function the remoteness is; Winning Ways, chapter 12.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray
from retrosolve.errors import GraphError
from retrosolve.objectives.base import Codec, EdgeData, Objective
from retrosolve.values import INVALID, NimValue, Outcome, Value, stuck_value

# What a position is worth to the player who moves to it, by the kind of its value; and the best first.
_MOVER = np.array([Value.DRAW, Value.LOSS, Value.WIN, Value.TIE], np.int64)
_RANK = np.argsort([Value.WIN, Value.TIE, Value.DRAW, Value.LOSS]) << 48  # more than any remoteness
_KIND_BITS, _PLIES_SHIFT = 2, 28


class NimberCodec(Codec):
    """The values of impartial games that occur in a table, nimbers first."""

    def outcome(self, value: int, remoteness: int) -> Outcome:
        """Return the outcome of a value, with the remoteness if the value is 0."""
        result = self.results[value]
        return Outcome(result, remoteness if result.number == 0 and remoteness >= 0 else None)

    def shown(self, values: NDArray[Any], remoteness: IntArray) -> IntArray:
        """Return the remotenesses that outcomes show, -1 for none: those of the value 0."""
        return np.where(values == self._values.get(NimValue(0), INVALID), remoteness, -1)


class Nimber(Objective):
    """The nimber of each position of an impartial game, or ∞ with those of its followers.

    Parameters
    ----------
    stuck : {"loss"}
        Normal play: the player who cannot move loses. Sums of games in misère play have no nimbers.

    Raises
    ------
    GraphError
        For another value of ``stuck``. By ``solve``, for positions with owners, and for terminal
        values: both players have the same moves, and a game is over where there is none.

    Notes
    -----
    A table takes one byte per position for up to 256 pairs of a value and a remoteness. Solving takes
    O(n + m) time without cycles, and with them O(n + m) for each nimber that occurs in their part of
    the graph.

    Examples
    --------
    >>> import retrosolve as rs
    >>> heaps = rs.Graph.from_dict({3: [2, 1, 0], 2: [1, 0], 1: [0], "loop": ["loop", 2]})
    >>> solution = rs.solve(heaps, objective=rs.objectives.Nimber())
    >>> print(solution[3], solution[0], solution["loop"])
    *3 *0 in 0 ∞(2)
    """

    name = "nimber"
    has_levels = True
    stuck = Value.LOSS

    def __init__(self, stuck: str | Value = "loss") -> None:
        if stuck_value(stuck) is not Value.LOSS:
            raise GraphError(
                f"stuck={stuck_value(stuck).label!r} with the objective nimber: expected 'loss', since "
                "only games of normal play are added up by nimbers"
            )

    @property
    def parameters(self) -> dict[str, Any]:
        """Nothing: the objective has no parameters."""
        return {}

    def codec(self, labels: Sequence[str] | None = None) -> Codec:
        """Return the codec of the values with these labels, by default none."""
        results = [NimValue.parse(label) for label in labels or ()]
        if len(set(results)) < len(results):
            raise GraphError("a nimber occurs twice: expected each label once")
        return NimberCodec(results)

    def labels_of(self, codec: Codec) -> list[str] | None:
        """Return the labels of the values that occur in a table."""
        return [result.label for result in codec.results if result is not None]

    def words(self, codec: Codec, values: NDArray[Any], remoteness: IntArray) -> IntArray:
        """Return values and remotenesses as words: who wins, the value, and the plies."""
        kinds = np.where(values == INVALID, Value.DRAW, codec.kinds[values]).astype(np.int64)
        numbers = values.astype(np.int64) << _KIND_BITS
        plies = (remoteness.astype(np.int64) + 1) << _PLIES_SHIFT
        return kinds | numbers | plies

    def outcome(self, word: int) -> Outcome:
        """Return who wins the game alone."""
        return Outcome(Value(word & 3), None)

    def seen(self, words: IntArray, edges: EdgeData) -> IntArray:
        """Return successors as the player sees them who moves there: wins are losses."""
        seen: IntArray = (words & ~np.int64(3)) | _MOVER[words & 3]
        return seen

    def keys(self, words: IntArray) -> IntArray:
        """Return sort keys: moves that win, the one that wins soonest first."""
        kinds = words & 3
        keys: IntArray = _RANK[kinds] + np.where(kinds == Value.WIN, words >> _PLIES_SHIFT, 0)
        return keys
