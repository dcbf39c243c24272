"""Score: how many points the player to move wins under perfect play, and how long the next ones take.

The game ends with a payoff for the player to move, and a move may win points on the way, its reward.
What one player wins the other loses. Endless play is worth nothing more, 0.

A player prefers more points. Among equal ones he prefers to end or to collect: soon where he does not
lose, late where he loses. The remoteness counts the plies to the next reward or to the end. It begins
anew there, since a reward may turn the sign: who is behind collects, and is ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray
from retrosolve.errors import GraphError
from retrosolve.objectives.base import ChoiceObjective, Codec, EdgeData, EndData
from retrosolve.values import INVALID, Outcome, Value, print_as_text, stuck_value

# A word is the points, shifted to be positive, above the remoteness plus 1; 0 for endless play.
SHIFT = 33
LARGEST = 1 << 29
_LATEST = 1 << 32
_INVALID_WORD = -1
NO_WORD = 0  # of no position, on disk; every other word is larger
_CONTRADICTION = -2  # endless play with a remoteness, or an end without one

TERMINAL_POINTS = np.zeros(256, np.int64)
TERMINAL_POINTS[[Value.WIN, Value.LOSS]] = 1, -1


def _read(label: str) -> int:
    """Return the points of a label. Raises ValueError for more than words hold."""
    points = int(label)
    if abs(points) >= LARGEST:
        raise ValueError
    return points


class Margin(NamedTuple):
    """What perfect play comes to: the points that the player to move wins.

    Parameters
    ----------
    points : int
        Negative where the player to move loses.
    endless : bool
        Whether nobody ends the game or collects any more; the points are 0 then.

    Examples
    --------
    >>> Margin(3).name, Margin(3).opposite(), Margin(0).kind, Margin(0, True).label
    ('WIN by 3', Margin(-3), <Value.TIE: 3>, 'endless')
    """

    points: int
    endless: bool = False

    def __int__(self) -> int:
        return self.points

    def __repr__(self) -> str:
        return f"Margin({self.points}{', endless=True' if self.endless else ''})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        print_as_text(self, printer, cycle)

    def __str__(self) -> str:
        return self.name

    @property
    def label(self) -> str:
        """The points as text, ``endless`` where play does not end."""
        return "endless" if self.endless else str(self.points)

    @property
    def kind(self) -> Value:
        """WIN, LOSS or TIE by the points; DRAW where play does not end."""
        if self.endless:
            return Value.DRAW
        return Value.WIN if self.points > 0 else Value.LOSS if self.points else Value.TIE

    @property
    def ends(self) -> bool:
        """Whether a remoteness belongs to it."""
        return not self.endless

    @property
    def name(self) -> str:
        """The name in text: ``WIN by 3``, ``TIE``, ``DRAW``."""
        return f"{self.kind.name} by {abs(self.points)}" if self.points else self.kind.name

    @property
    def detail(self) -> str:
        """The points with their sign; empty for none."""
        return f"{self.points:+d}" if self.points else ""

    def opposite(self) -> Margin:
        """Return the same for the other player."""
        return Margin(-self.points, self.endless)

    def ahead(self, lead: int) -> Margin:
        """Return the result of a game for a player who has won more points before, less for a minus."""
        return Margin(self.points + lead, self.endless and not lead)

    @classmethod
    def parse(cls, label: str) -> Margin:
        """Return the margin with a label. Raises GraphError for another label."""
        if label == "endless":
            return cls(0, True)
        try:
            return cls(_read(label))
        except ValueError:
            raise GraphError(f"{label!r} is no score: expected a number or 'endless'") from None


class Score(ChoiceObjective):
    """The points that the player to move wins, and the plies to the next ones; for games that count.

    Parameters
    ----------
    stuck : {"loss", "win", "tie"} or Value
        What it means to have no move where the game has no payoffs: -1, 1 or 0 points.
    levels : bool or {"yes", "no"}, optional
        Whether the remoteness is computed, too. Without it a table of up to 255 different scores takes
        one byte per position, and a proof derives the remoteness again. Default: yes.
    endless : {0}
        What endless play is worth: nothing more.

    Raises
    ------
    GraphError
        For another value of a parameter.

    Notes
    -----
    Where a game has no payoffs, a WIN is worth 1 point, a LOSS -1 and a TIE none: with no rewards
    either, its scores are its outcomes, remoteness included.

    Rewards are for moves that are part of no cycle, such as captures. Solving and proving take
    O(n + m) time, and a logarithm for different scores of a component.

    Source: Washburn, "Deterministic graphical games", J. Math. Anal. Appl. 153 (1990).

    Examples
    --------
    Moving to b collects 3 points, which leaves the other player the last move, for 1 point:

    >>> import retrosolve as rs
    >>> edges = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "a")]
    >>> graph = rs.Graph.from_edges(edges, payoff={"d": -1}, reward=[3, 0, 0, 0])
    >>> solution = rs.solve(graph, objective="score")
    >>> print(solution["a"], solution["b"], solution["c"], sep=", ")
    WIN by 2 in 1, WIN by 1 in 1, LOSS by 2 in 2
    """

    name = "score"
    has_levels = True
    groups: ClassVar = {
        Value.WIN: "positive", Value.LOSS: "negative", Value.TIE: "zero", Value.DRAW: "endless",
    }  # fmt: skip

    def __init__(
        self, stuck: str | Value = "loss", levels: bool | str | None = None, endless: int | str = 0
    ) -> None:
        self.stuck = stuck_value(stuck)
        if levels not in (None, True, False, "yes", "no"):
            raise GraphError(f"levels={levels!r}: expected True or False, yes or no")
        if endless not in (0, "0"):
            # It took the points at stake from tiers, so that the same rules had two answers.
            gone = ", an answer that depended on how positions are numbered, is not offered any more"
            why = gone if endless == "interval" else ""
            raise GraphError(f"endless={endless!r}{why}: expected endless=0")
        self.has_levels = levels in (None, True, "yes")

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that are not the default, as JSON holds them, and ``stuck``."""
        return {"stuck": self.stuck.label} | ({} if self.has_levels else {"levels": False})

    def codec(self, labels: Sequence[str] | None = None) -> Codec:
        """Return the codec of a saved table, by the labels of the margins."""
        if labels is None:
            raise GraphError("scores without labels: expected the label of each value")
        return codec_of(tuple(map(Margin.parse, filter(None, labels))))

    def labels_of(self, codec: Codec) -> list[str]:
        """Return the labels of the margins by value."""
        return list(codec.labels)

    def fields(self, outcome: Outcome) -> dict[str, Any]:
        """Return an outcome, ready for JSON, with its ``score``."""
        return {**super().fields(outcome), "score": int(outcome.value)}

    def words(self, codec: Codec, values: NDArray[Any], remoteness: IntArray) -> IntArray:
        """Return values and remotenesses as words."""
        points, endless, invalid = arrays_of(codec)
        plies = np.asarray(remoteness).astype(np.int64)
        if not self.has_levels:
            plies = np.where(endless[values], -1, np.maximum(plies, 0))
        words: IntArray = pack(points[values], plies)
        words = np.where(endless[values] == (plies < 0), words, _CONTRADICTION)
        return np.where(invalid[values], _INVALID_WORD, words)

    def outcome(self, word: int) -> Outcome:
        """Return the outcome that a word says."""
        points, plies = int(points_of(word)), int(plies_of(word))
        shown = plies if self.has_levels and plies >= 0 else None
        return Outcome(Margin(points, plies < 0), shown)

    def end(self, ends: EndData) -> IntArray:
        """Return the words of vertices at which the game is over, INVALID ones included."""
        terminal = ends.terminal
        points = ends.payoff
        if points is None:
            points = TERMINAL_POINTS[np.where(terminal == 0, int(self.stuck), terminal)]
        words: IntArray = pack(points.astype(np.int64), np.zeros(len(points), np.int64))
        return np.where(terminal == INVALID, _INVALID_WORD, words)

    def seen(self, words: IntArray, edges: EdgeData) -> IntArray:
        """Return successors as the player sees them who moves there, a ply longer where plies count."""
        points, plies, reward = points_of(words), plies_of(words), edges.reward
        points = np.where(edges.same, points, -points) + reward
        plies = np.where((plies < 0) & (np.asarray(reward) == 0), -1, plies + self.has_levels)
        seen: IntArray = pack(points, np.where(np.asarray(reward) != 0, self.has_levels, plies))
        return seen

    def keys(self, words: IntArray) -> IntArray:
        """Return sort keys of words, the smallest for the best."""
        points, plies = points_of(words), plies_of(words)
        late = np.where(points < 0, _LATEST - plies, np.where(plies < 0, _LATEST, plies))
        keys: IntArray = (-points << (SHIFT + 1)) + late
        return keys


def pack(points: Any, plies: Any) -> Any:
    """Return the words of points and plies, -1 for endless play."""
    return ((points + LARGEST) << SHIFT) + plies + 1


def points_of(words: Any) -> Any:
    """Return the points of words."""
    return (words >> SHIFT) - LARGEST


def plies_of(words: Any) -> Any:
    """Return the remotenesses of words, -1 for endless play."""
    return (words & ((1 << SHIFT) - 1)) - 1


def coded(words: IntArray, has_levels: bool) -> tuple[Codec, NDArray[Any], IntArray]:
    """Return the values of a table for words, by the results of a codec of their own.

    Parameters
    ----------
    words : int64 [k]
        NO_WORD for no position.
    has_levels : bool
        Whether there is a remoteness.

    Returns
    -------
    codec : Codec
        Of the margins that occur.
    values : uint8 or wider [k]
        INVALID for no position.
    plies : int64 [k]
        -1 for none.
    """
    exists, points, plies = words != NO_WORD, points_of(words), plies_of(words)
    own = pack(points, np.minimum(plies, 0))[exists]
    margins = np.unique(own)
    codec = codec_of(tuple(Margin(int(points_of(w)), bool(plies_of(w) < 0)) for w in margins))
    values = np.full(len(words), INVALID, codec.dtype)
    place = np.searchsorted(margins, own)
    values[exists] = place + (place >= INVALID)  # which is the value of no result
    return codec, values, np.where(exists & has_levels, plies, -1)


@lru_cache(maxsize=32)
def codec_of(margins: tuple[Margin, ...]) -> Codec:
    """Return the codec of some margins, reported from the largest down, endless play last."""
    reported: list[Margin] = sorted(margins, key=lambda m: (m.endless, -m.points))
    return Codec(margins, reported)


@lru_cache(maxsize=32)
def arrays_of(codec: Codec) -> tuple[IntArray, NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the points of each value of a codec, which values are endless, and which are none."""
    points = np.zeros(len(codec.kinds), np.int64)
    for value, result in enumerate(codec.results):
        points[value] = 0 if result is None else result.points
    return points, codec.kinds == int(Value.DRAW), codec.kinds == INVALID
