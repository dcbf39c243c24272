"""Objective: what is asked of a game; and the local rule of those that choose the best move.

The rule: the value of a vertex is the best that its player sees among its successors. ``fold`` is its
one statement on arrays. The local proof applies it to every vertex, the order of moves is the order of
its keys, and every solver is compared with it. Objectives differ in how a value is written in a word,
in what a successor looks like from here (``seen``) and in which value a player prefers (``keys``).

The codec of an objective says what the numbers in a table stand for. A table has a value for each
vertex, the place of its result among the results of the codec; 255 always stands for INVALID. A value
and a remoteness in one number are a packed word.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.errors import GraphError
from retrosolve.objectives import words
from retrosolve.values import INVALID, Outcome, Result, Value

MAX_LISTED = 10  # results: of scores there may be as many as payoffs
REMOTENESS_SHIFT = 32  # of the words of other objectives: below it a value, above it remoteness + 1


class Codec:
    """The results that a table may hold.

    Parameters
    ----------
    results : sequence of Result
        In the order of their values.
    reported : sequence of Result, optional
        The same in the order in which they are counted and shown; by default as they are.

    Attributes
    ----------
    results : tuple of (Result or None)
        By value; None at 255, which no result has.
    labels : tuple of str
        The label of each result, by value.
    kinds : uint8 [256 or more]
        The kind of each result (see :class:`retrosolve.values.Result`), INVALID where there is none.
    points : int64 [values] or None
        The points that results say, if they do.
    reported : tuple of Result
    dtype : dtype
        The narrowest type of values.
    """

    results: tuple[Any, ...]
    labels: tuple[str, ...]

    def __init__(self, results: Sequence[Result], reported: Sequence[Result] | None = None) -> None:
        gap = [None] if len(results) > INVALID else []
        self.results = (*results[:INVALID], *gap, *results[INVALID:])
        self.labels = tuple("" if result is None else result.label for result in self.results)
        self.reported = tuple(results if reported is None else reported)
        self.kinds: ByteArray = np.full(max(256, len(self.results)), INVALID, np.uint8)
        for value, result in enumerate(self.results):
            self.kinds[value] = INVALID if result is None else result.kind
        self.points: IntArray | None = None
        if all(hasattr(result, "points") for result in results):
            self.points = np.array([getattr(result, "points", 0) for result in self.results], np.int64)
        self._values = {result: value for value, result in enumerate(self.results)}
        self._hash = hash(self.results)
        self.dtype: np.dtype[Any] = np.min_scalar_type(max(INVALID, len(self.results) - 1))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Codec) and other.results == self.results

    def __hash__(self) -> int:
        return self._hash

    def value(self, result: object) -> int:
        """Return the value of a result. Raises GraphError for one that the table cannot hold."""
        if type(result) is int and result not in self._values:
            result = self.result(str(result))  # a number of points
        try:
            return self._values[result]
        except KeyError:
            raise self._unknown(result) from None

    def result(self, label: str) -> Any:
        """Return the result with a label. Raises GraphError for another label."""
        word = label.strip().lower()
        if word not in self.labels or not word:
            raise self._unknown(label)
        return self.results[self.labels.index(word)]

    def _unknown(self, result: object) -> GraphError:
        shown, more = first_results(self.reported)
        known = [each.label for each in shown] + ([others(more)] if more else [])
        return GraphError(f"{result!r} is not a value of this solution: expected {', '.join(known)}")

    def outcome(self, value: int, remoteness: int) -> Outcome:
        """Return the outcome of a value and a remoteness, -1 for none."""
        return Outcome(self.results[value], None if remoteness < 0 else remoteness)

    def shown(self, values: NDArray[Any], remoteness: IntArray) -> IntArray:
        """Return the remotenesses that outcomes show, -1 for none, of those in a table."""
        return remoteness

    def by_result(self, counts: IntArray) -> dict[Any, int]:
        """Return counts, indexed by value, as a dictionary in the order of reports, without INVALID."""
        return {result: int(counts[self._values[result]]) for result in self.reported}

    # -- packed words ---------------------------------------------------------------------------

    def pack(self, values: NDArray[Any], remoteness: IntArray) -> IntArray:
        """Return values (INVALID included) and remotenesses, -1 for none, as packed words."""
        return values.astype(np.int64) | (
            (np.asarray(remoteness).astype(np.int64) + 1) << REMOTENESS_SHIFT
        )

    def values_of(self, packed: IntArray) -> NDArray[Any]:
        """Return the values, INVALID included, of packed words."""
        words = np.asarray(packed, np.int64)  # of no words in narrower ones, where there is no vertex
        return (words & ((1 << REMOTENESS_SHIFT) - 1)).astype(self.dtype)

    def remoteness_of(self, packed: IntArray) -> IntArray:
        """Return the remotenesses of packed words, -1 for none, int64."""
        return (packed >> REMOTENESS_SHIFT).astype(np.int64) - 1


def first_results(results: Iterable[Any]) -> tuple[list[Any], list[Any]]:
    """Return the results to show, and those of which the range is shown, as they are many more."""
    shown = list(results)
    few = len(shown) <= MAX_LISTED + 1  # a range of one result is none
    return (shown, []) if few else (shown[:MAX_LISTED], shown[MAX_LISTED:])


def others(results: Sequence[Any]) -> str:
    """Return how many more results there are, and their range."""
    return f"{len(results)} others from {results[0].label} to {results[-1].label}"


class ValueCodec(Codec):
    """The four values, in the words of ``objectives.words``, which kernels read."""

    def __init__(self) -> None:
        super().__init__(tuple(Value), (Value.WIN, Value.LOSS, Value.TIE, Value.DRAW))

    def result(self, label: str) -> Any:
        """Return the value with a label. Raises GraphError for another label."""
        return Value.parse(label)

    def pack(self, values: ByteArray, remoteness: IntArray) -> IntArray:
        """Return values (INVALID included) and remotenesses as packed words, as narrow as they fit."""
        decided = np.maximum(remoteness, 0)
        decided = decided.astype(words.word_dtype(int(decided.max(initial=0))))
        packed: IntArray = words.pack(words.code_of(values).astype(decided.dtype), decided)
        return packed

    def values_of(self, packed: IntArray) -> ByteArray:
        """Return the values, INVALID included, of packed words."""
        values: ByteArray = words.VALUE_OF_CODE[words.code_of(packed)]
        return values

    def remoteness_of(self, packed: IntArray) -> IntArray:
        """Return the remotenesses of packed words, -1 where a game does not end, int64."""
        code = words.code_of(packed)
        remoteness: IntArray = words.remoteness_of(packed).astype(np.int64)
        remoteness[(code == words.DRAW) | (code > words.TIE)] = -1
        return remoteness


VALUES = ValueCodec()
"""The codec of the objectives ``outcome`` and ``win-loss-draw``."""


BoolArray = NDArray[np.bool_]


class EdgeData(NamedTuple):
    """What an objective asks of moves, besides where they lead.

    Parameters
    ----------
    same : bool [edges] or bool
        Whether the same player moves at both ends.
    reward : int [edges] or int
        What the move wins for its player.
    leaves : bool [edges] or bool
        Whether the move leaves its tier, for an earlier one.
    """

    same: BoolArray | bool
    reward: IntArray | int = 0
    leaves: BoolArray | bool = False


class EndData(NamedTuple):
    """What an objective asks of vertices at which the game is over.

    Parameters
    ----------
    terminal : uint8 [k]
        The terminal values, 0 for a vertex without moves.
    payoff : int [k] or None
        What the player to move wins; None where the terminal values and the stuck rule say it.
    """

    terminal: ByteArray
    payoff: IntArray | None = None


class Probed(Protocol):
    """A table that is asked for the outcome of one vertex."""

    @property
    def codec(self) -> Codec:
        """The results that its values stand for."""

    def decoded(self, vertex: int) -> Outcome:
        """Return the outcome of a vertex."""


class Objective(ABC):
    """What is asked of a game. Objectives of the same class with the same parameters are equal.

    Moves are compared in words of its own, int64, so that a word one ply longer always fits.

    Attributes
    ----------
    name : str
        As ``solve(objective=)`` takes it.
    has_levels : bool
        Whether tables hold how far the end is, too.
    has_steps : bool
        Whether the trace of the algorithm says its values, so that films and steps show it.
    solved_as : str, optional
        Another objective, whose solvers answer this one, too.
    stuck : Value
        The value of a position without moves.
    groups : mapping
        The names under which results are counted in JSON, by kind; without them, by label.
    """

    name: str
    has_levels: bool
    has_steps: bool = False
    solved_as: str | None = None
    stuck: Value
    groups: ClassVar[Mapping[Value, str]] = {}

    @property
    @abstractmethod
    def parameters(self) -> dict[str, Any]:
        """The parameters, as JSON holds them and as the class takes them."""

    def codec(self, labels: Sequence[str] | None = None) -> Codec:
        """Return the codec of a saved table.

        Parameters
        ----------
        labels : sequence of str, optional
            The labels of the results by value, where :attr:`labels_of` has saved them.

        Raises
        ------
        GraphError
            For labels that no result has.
        """
        return VALUES

    def labels_of(self, codec: Codec) -> list[str] | None:
        """Return the labels to be saved with a table; None if all tables have the same results."""
        return None

    def fields(self, outcome: Outcome) -> dict[str, Any]:
        """Return an outcome, ready for JSON: the label of its value, its remoteness, other figures."""
        return {"value": outcome.value.label, "remoteness": outcome.remoteness}

    def record(self) -> dict[str, Any]:
        """Return the name and the parameters, ready for JSON; see ``objectives.from_record``."""
        return {"name": self.name, "parameters": self.parameters}

    @property
    def has_clock(self) -> bool:
        """Whether an answer depends on the plies since a move last left its tier."""
        return False

    def on_clock(self, outcome: Outcome, clock: int) -> Outcome:
        """Return the outcome of a position if so many plies have passed since a move left its tier."""
        return outcome

    @property
    def text(self) -> str:
        """The name and the parameters as ``solve(objective=)`` takes them.

        >>> from retrosolve.objectives import Score
        >>> Score(levels=False).text
        'score:stuck=loss,levels=no'
        """
        words = {True: "yes", False: "no"}
        given = [
            f"{name}={words[value] if isinstance(value, bool) else value}"
            for name, value in self.parameters.items()
            if value is not None
        ]
        return f"{self.name}:{','.join(given)}" if given else self.name

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Objective):
            return NotImplemented
        return type(other) is type(self) and other.parameters == self.parameters

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((type(self), *self.parameters.items()))

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={value!r}" for name, value in self.parameters.items())
        return f"{type(self).__name__}({inner})"

    @abstractmethod
    def words(self, codec: Codec, values: NDArray[Any], remoteness: IntArray) -> IntArray:
        """Return the content of a table at some vertices as words.

        Parameters
        ----------
        codec : Codec
            Of the table.
        values : uint8 or wider [k]
            INVALID included.
        remoteness : int [k]
            -1 for none.

        Returns
        -------
        int64 [k]
            Different words for different pairs of a value and a remoteness.
        """

    @abstractmethod
    def outcome(self, word: int) -> Outcome:
        """Return the outcome that a word of a position says."""

    @abstractmethod
    def seen(self, words: IntArray, edges: EdgeData) -> IntArray:
        """Return the words of successors as the player sees them who moves there, one ply longer.

        Parameters
        ----------
        words : int [edges]
            The words of the successors, for the players who move at them. None is INVALID.
        edges : EdgeData

        Returns
        -------
        int64 [edges]
        """

    @abstractmethod
    def keys(self, words: IntArray) -> IntArray:
        """Return sort keys of words, int64, the smallest for the best."""

    def worth(
        self, probed: Probed, vertex: int, claim: tuple[int, int], edge: EdgeData
    ) -> tuple[int, Outcome, Outcome]:
        """Return the key and the outcome of a move, and the outcome of its target.

        Parameters
        ----------
        probed : Table
        vertex : int
            The target.
        claim : tuple of int
            Its value and remoteness in the table.
        edge : EdgeData
            Of the move alone.
        """
        return _worth(self, probed.codec, *claim, edge)

    def choose(self, indptr: IntArray, words: IntArray) -> IntArray:
        """Return the first of the best edges of each vertex, -1 for a vertex without edges.

        Parameters
        ----------
        indptr : int [n + 1]
            Where the edges of each vertex begin.
        words : int64 [edges]
            The successors as :meth:`seen` returns them.

        Returns
        -------
        int64 [n]
        """
        chosen = np.full(len(indptr) - 1, -1, np.int64)
        degrees = np.diff(indptr)
        begins = indptr[:-1][degrees > 0]
        if len(begins):
            keys = self.keys(words)
            best = np.flatnonzero(
                keys == np.repeat(np.minimum.reduceat(keys, begins), degrees[degrees > 0])
            )
            chosen[degrees > 0] = best[np.searchsorted(best, begins)]
        return chosen


class ChoiceObjective(Objective):
    """An objective whose values are chosen move by move, the best one each time: the local rule."""

    @abstractmethod
    def end(self, ends: EndData) -> IntArray:
        """Return the words of vertices at which the game is over.

        Parameters
        ----------
        ends : EndData

        Returns
        -------
        int64 [k]
        """

    def fold(self, indptr: IntArray, words: IntArray) -> IntArray:
        """Return the word of each vertex from those of its successors: the local rule.

        The parameters are those of :meth:`choose`.

        Returns
        -------
        int64 [n]
            0 for a vertex without edges, whose word is that of :meth:`end`.

        Notes
        -----
        O(n + edges) time.

        Examples
        --------
        Of a WIN in 3, a WIN in 1 and a LOSS in 8 a player chooses the shorter win; of losses alone, the
        longest:

        >>> from retrosolve.objectives import words
        >>> from retrosolve.objectives import Outcome
        >>> code = np.array([words.WIN, words.WIN, words.LOSS, words.LOSS, words.LOSS])
        >>> moves = words.pack(code, np.array([3, 1, 8, 2, 4]))
        >>> best = Outcome().fold(np.array([0, 3, 5]), moves)
        >>> words.code_of(best).tolist(), words.remoteness_of(best).tolist()
        ([1, 2], [1, 4])
        """
        chosen = self.choose(indptr, words)
        best = np.zeros(len(chosen), np.int64)
        best[chosen >= 0] = words[chosen[chosen >= 0]]
        return best


@lru_cache(maxsize=1 << 12)
def _worth(
    objective: Objective, codec: Codec, value: int, plies: int, edge: EdgeData
) -> tuple[int, Outcome, Outcome]:
    """Return the result of :meth:`Objective.worth` for a value and a remoteness."""
    seen = objective.seen(objective.words(codec, np.array([value]), np.array([plies])), edge)
    key = int(objective.keys(seen)[0])
    return key, objective.outcome(int(seen[0])), codec.outcome(value, plies)
