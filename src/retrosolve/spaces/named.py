"""NamedGraph: a graph with stored edges whose vertices are positions of a game."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.errors import GraphError, RulesError
from retrosolve.objectives import Chance, Outcome
from retrosolve.runtime.progress import ProgressCallback
from retrosolve.spaces.base import CsrSpace, StateSpace
from retrosolve.spaces.graph import Graph
from retrosolve.spaces.rule_positions import Rules, RulesPositions


class GraphPositions(RulesPositions):
    """The positions of a named graph, which can compare its edges with the rules."""

    __slots__ = ()

    @abstractmethod
    def recheck(self, graph: CsrSpace, progress: ProgressCallback) -> None:
        """Call the rules again for a sample of positions and compare the results with the edges.

        Raises
        ------
        VerificationError
            For a position at which the rules say something else.
        RulesError
            For rules that break their contract.
        """


class NamedGraph(Graph):
    """The positions of a game in the order in which they were explored, and the moves between them.

    Parameters
    ----------
    indptr, indices, owner, terminal
        See ``Graph._of_rows``.
    positions : GraphPositions
        The position of each vertex.
    start : hashable, optional
        The initial position.
    payoff, reward, weight : int [n], int [m], int [m], optional
        See ``Graph.from_edges``.

    Raises
    ------
    RulesError
        For a reward of a move that is part of a cycle, and for chance without moves.
    """

    __slots__ = ("positions",)

    positions: GraphPositions

    def __init__(
        self,
        indptr: IntArray,
        indices: IntArray,
        owner: ByteArray | None,
        terminal: ByteArray | None,
        positions: GraphPositions,
        start: Hashable | None,
        payoff: IntArray | None = None,
        reward: IntArray | None = None,
        weight: IntArray | None = None,
    ) -> None:
        self._set_rows(indptr, indices, owner, terminal, None, payoff, reward, weight)
        self.positions = positions
        self._start_from(start, positions.rules.players)
        try:
            self._check_scores()
            self._check_chance()
        except GraphError as error:
            raise RulesError(str(error)) from None

    @property
    def default_objective(self) -> str:
        """The question that is asked unless another is named, by the rules."""
        by_rules = self.rules.objective
        return Chance.name if self.has_chance and by_rules == Outcome.name else by_rules

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.positions.rules

    @property
    def has_names(self) -> bool:
        """True: vertices are named by their positions."""
        return True

    # The names of a graph are those of its vertices; here they are those of the positions again.
    index = StateSpace.index
    resolved = StateSpace.resolved
    indices_of = StateSpace.indices_of
    position = StateSpace.position
    moves = StateSpace.moves
    parse = StateSpace.parse
    labels = StateSpace.labels
    move_rewards = StateSpace.move_rewards
    move_weights = StateSpace.move_weights
    move_labels = StateSpace.move_labels

    def recheck(self, progress: ProgressCallback) -> None:
        """Call the rules again for a sample of positions and compare the results with the edges."""
        self.positions.recheck(self, progress)

    def spec(self) -> dict[str, Any]:
        """Return the specification of the game, with a digest of the graph."""
        return self.rules.spec() | {"graph": self.digest()}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return nothing: exploring the rules finds the edges again."""
        return {}

    def digest(self) -> str:
        """Return a SHA-256 digest of edges, owners, terminal values and scores, 64 hex digits."""
        digest = hashlib.sha256()
        points = [x for x in (self.payoff, self.reward, self.weight) if x is not None]
        for array in (self.indptr, self.indices, self.owner, self.terminals, *points):
            data = b"" if array is None else np.ascontiguousarray(array.astype("<i8")).tobytes()
            digest.update(len(data).to_bytes(8, "little"))
            digest.update(data)
        return digest.hexdigest()
