"""Score: how many points the player to move wins under perfect play, and how long the next ones take.

The game ends with a payoff for the player to move, and a move may win points on the way, its reward.
What one player wins the other loses. Endless play is worth nothing more, 0; or the score is an
interval, from what the player to move can force to what his opponent can.

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
from retrosolve.objectives.base import ChoiceObjective, Codec, EdgeData, EndData, Objective
from retrosolve.values import INVALID, Outcome, Value, print_as_text, stuck_value

# A word is the points, shifted to be positive, above the remoteness plus 1; 0 for endless play.
SHIFT = 33
LARGEST = 1 << 29
_LATEST = 1 << 32
_INVALID_WORD = -1
END_BITS = 31  # of an end of an interval
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

    @classmethod
    def parse(cls, label: str) -> Margin:
        """Return the margin with a label. Raises GraphError for another label."""
        if label == "endless":
            return cls(0, True)
        try:
            return cls(_read(label))
        except ValueError:
            raise GraphError(f"{label!r} is no score: expected a number or 'endless'") from None


class Interval(NamedTuple):
    """What perfect play comes to where endless play counts as bad for each player: what both can force.

    Parameters
    ----------
    least : int
        The points that the player to move can force.
    most : int
        The points to which his opponent can hold him.

    Examples
    --------
    >>> Interval(3, 3).name, Interval(1, 5).name, Interval(-2, 4).opposite().label
    ('WIN by 3', 'WIN by 1 to 5', '-4..2')
    """

    least: int
    most: int

    def __str__(self) -> str:
        return self.name

    @property
    def label(self) -> str:
        """The points as text, ``-2..4``; one number if both ends are the same."""
        return str(self.least) if self.least == self.most else f"{self.least}..{self.most}"

    @property
    def kind(self) -> Value:
        """WIN or LOSS where that is forced, TIE for exactly 0, and otherwise DRAW."""
        if self.least > 0:
            return Value.WIN
        if self.most < 0:
            return Value.LOSS
        return Value.TIE if self.least == self.most else Value.DRAW

    @property
    def ends(self) -> bool:
        """False: the two ends are forced by different players, so there is no remoteness."""
        return False

    @property
    def name(self) -> str:
        """The name in text: ``WIN by 3``, ``LOSS by 1 to 4``, ``DRAW from -2 to 4``."""
        if self.kind is Value.DRAW:
            return f"DRAW from {self.least} to {self.most}"
        points = sorted({abs(self.least), abs(self.most)} - {0})
        return self.kind.name + (f" by {' to '.join(map(str, points))}" if points else "")

    @property
    def detail(self) -> str:
        """The label; empty for a TIE."""
        return "" if self.kind is Value.TIE else self.label

    def opposite(self) -> Interval:
        """Return the same for the other player."""
        return Interval(-self.most, -self.least)

    @classmethod
    def parse(cls, label: str) -> Interval:
        """Return the interval with a label. Raises GraphError for another label."""
        least, dots, most = label.partition("..")
        try:
            return cls(_read(least), _read(most if dots else least))
        except ValueError:
            raise GraphError(f"{label!r} is no interval of scores: expected as -2..4") from None


class Score(ChoiceObjective):
    """The points that the player to move wins, and the plies to the next ones; for games that count.

    Parameters
    ----------
    stuck : {"loss", "win", "tie"} or Value
        What it means to have no move where the game has no payoffs: -1, 1 or 0 points.
    levels : bool or {"yes", "no"}, optional
        Whether the remoteness is computed, too. Without it a table of up to 255 different scores takes
        one byte per position, and a proof derives the remoteness again. Default: yes, but not for
        intervals.
    endless : {0, "interval"}
        What endless play is worth: nothing more; or an ``Interval`` says which points each player
        can force, whatever endless play is worth.

    Raises
    ------
    GraphError
        For another value of a parameter.

    Notes
    -----
    Where a game has no payoffs, a WIN is worth 1 point, a LOSS -1 and a TIE none: with no rewards
    either, its scores are its outcomes, remoteness included.

    Rewards are for moves that are part of no cycle, such as captures. Solving and proving take
    O(n + m) time, and a logarithm for different scores of a component. Intervals take twice that.

    The least end of an interval is the score if endless play is as bad for the player to move as
    anything that can happen in its tier: he loses the most points by which the game can end there, or
    which a move out of it is worth. The most is the score if that happens to his opponent. Tiers are
    those of compiled rules, and the strongly connected components of graphs and plain rules.

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

    In an interval going round for ever is worth any number of points from -5 to 5:

    >>> edges = [("a", "b"), ("b", "a"), ("a", "c"), ("b", "d")]
    >>> graph = rs.Graph.from_edges(edges, payoff={"c": -2, "d": 5})
    >>> solution = rs.solve(graph, objective="score:endless=interval")
    >>> print(solution["a"], solution["b"], sep=", ")
    WIN by 2 to 5, LOSS by 2 to 5
    """

    name = "score"
    has_levels = True
    groups: ClassVar = {
        Value.WIN: "positive", Value.LOSS: "negative", Value.TIE: "zero", Value.DRAW: "endless",
    }  # fmt: skip

    def __new__(
        cls, stuck: str | Value = "loss", levels: bool | str | None = None, endless: int | str = 0
    ) -> Score:
        """Return an objective of scores, or of intervals."""
        return super().__new__(IntervalScore if endless == "interval" else cls)

    def __init__(
        self, stuck: str | Value = "loss", levels: bool | str | None = None, endless: int | str = 0
    ) -> None:
        self.stuck = stuck_value(stuck)
        if levels not in (None, True, False, "yes", "no"):
            raise GraphError(f"levels={levels!r}: expected True or False, yes or no")
        if endless not in (0, "0", "interval"):
            raise GraphError(f"endless={endless!r}: expected 0 or interval")
        if endless == "interval" and levels in (True, "yes"):
            raise GraphError(f"levels={levels!r} with endless='interval': expected no levels")
        self.has_levels = levels in (None, True, "yes") and endless != "interval"

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
        """Return successors as the player sees them who moves there, one ply longer."""
        points, plies, reward = points_of(words), plies_of(words), edges.reward
        points = np.where(edges.same, points, -points) + reward
        plies = np.where((plies < 0) & (np.asarray(reward) == 0), -1, plies + 1)
        seen: IntArray = pack(points, np.where(np.asarray(reward) != 0, 1, plies))
        return seen

    def keys(self, words: IntArray) -> IntArray:
        """Return sort keys of words, the smallest for the best."""
        points, plies = points_of(words), plies_of(words)
        late = np.where(points < 0, _LATEST - plies, np.where(plies < 0, _LATEST, plies))
        keys: IntArray = (-points << (SHIFT + 1)) + late
        return keys


class IntervalScore(Score):
    """The points that each player can force; see :class:`Score`.

    A word is the least end above the most, both shifted to be positive.
    """

    def __init__(
        self, stuck: str | Value = "loss", levels: bool | str | None = None,
        endless: int | str = "interval",
    ) -> None:  # fmt: skip
        super().__init__(stuck, levels, "interval")

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters, as JSON holds them."""
        return {"stuck": self.stuck.label, "endless": "interval"}

    def codec(self, labels: Sequence[str] | None = None) -> Codec:
        """Return the codec of a saved table, by the labels of the intervals."""
        if labels is None:
            raise GraphError("scores without labels: expected the label of each value")
        return codec_of_intervals(tuple(map(Interval.parse, filter(None, labels))))

    def fields(self, outcome: Outcome) -> dict[str, Any]:
        """Return an outcome, ready for JSON, with the ends of its interval, ``low`` and ``high``."""
        interval = outcome.value
        return {**Objective.fields(self, outcome), "low": interval.least, "high": interval.most}

    def words(self, codec: Codec, values: NDArray[Any], remoteness: IntArray) -> IntArray:
        """Return values as words."""
        words: IntArray = words_of_intervals(codec)[values]
        return words

    def outcome(self, word: int) -> Outcome:
        """Return the outcome that a word says."""
        return Outcome(Interval(*ends_of(word)), None)

    def end(self, ends: EndData) -> IntArray:
        """Return the words of vertices at which the game is over, INVALID ones included."""
        words = super().end(ends)
        points: IntArray = points_of(words)
        return np.where(words == _INVALID_WORD, words, pack_interval(points, points))

    def seen(self, words: IntArray, edges: EdgeData) -> IntArray:
        """Return successors as the player sees them who moves there."""
        least, most = ends_of(words)
        low: IntArray = np.where(edges.same, least, -most)
        high: IntArray = np.where(edges.same, most, -least)
        return pack_interval(low + edges.reward, high + edges.reward)

    def keys(self, words: IntArray) -> IntArray:
        """Return sort keys of words: more that is forced is better, then more that may be."""
        return -words

    def fold(self, indptr: IntArray, words: IntArray) -> IntArray:
        """Return the word of each vertex: the best of both ends, which may be of different moves."""
        best = np.zeros(len(indptr) - 1, np.int64)
        some = np.diff(indptr) > 0
        if some.any():
            least, most = (np.maximum.reduceat(end, indptr[:-1][some]) for end in ends_of(words))
            best[some] = pack_interval(least, most)
        return best


def pack_interval(least: IntArray, most: IntArray) -> IntArray:
    """Return the words of intervals."""
    return ((least + LARGEST) << END_BITS) + most + LARGEST


def ends_of(words: Any) -> tuple[Any, Any]:
    """Return the least and the most end of words of intervals."""
    return (words >> END_BITS) - LARGEST, (words & ((1 << END_BITS) - 1)) - LARGEST


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


def coded_intervals(words: IntArray) -> tuple[Codec, NDArray[Any]]:
    """Return the values of words of intervals, NO_WORD for no position, and their codec."""
    exists = words != NO_WORD
    different = np.unique(words[exists])
    codec = codec_of_intervals(tuple(Interval(*ends_of(word)) for word in different.tolist()))
    values = np.full(len(words), INVALID, codec.dtype)
    place = np.searchsorted(different, words[exists])
    values[exists] = place + (place >= INVALID)
    return codec, values


@lru_cache(maxsize=32)
def codec_of_intervals(intervals: tuple[Interval, ...]) -> Codec:
    """Return the codec of some intervals, reported from the best down."""
    reported: list[Interval] = sorted(intervals, reverse=True)
    return Codec(intervals, reported)


@lru_cache(maxsize=32)
def words_of_intervals(codec: Codec) -> IntArray:
    """Return the word of each value of a codec, -1 for INVALID."""
    words = np.full(len(codec.kinds), _INVALID_WORD, np.int64)
    for value, result in enumerate(codec.results):
        if result is not None:
            words[value] = pack_interval(result.least, result.most)
    return words


@lru_cache(maxsize=32)
def arrays_of(codec: Codec) -> tuple[IntArray, NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the points of each value of a codec, which values are endless, and which are none."""
    points = np.zeros(len(codec.kinds), np.int64)
    for value, result in enumerate(codec.results):
        points[value] = 0 if result is None else result.points
    return points, codec.kinds == int(Value.DRAW), codec.kinds == INVALID
