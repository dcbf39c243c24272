"""Objective: what is asked of a game; and the local rule of those that choose the best move.

The rule: the value of a vertex is the best that its player sees among its successors. ``fold`` is its
one statement on arrays. The local proof applies it to every vertex, the order of moves is the order of
its keys, and every solver is compared with it. Objectives differ in how a value is written in a word,
in what a successor looks like from here (``seen``) and in which value a player prefers (``keys``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.objectives.codec import VALUES, Codec
from retrosolve.values import Outcome, Value

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
    solved_as : str, optional
        Another objective, whose solvers answer this one, too.
    stuck : Value
        The value of a position without moves.
    groups : mapping
        The names under which results are counted in JSON, by kind; without them, by label.
    """

    name: str
    has_levels: bool
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
