"""NamedGraph: a graph with stored edges whose vertices are positions of a game."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.errors import PositionError
from retrosolve.runtime.progress import ProgressCallback
from retrosolve.spaces.base import CsrSpace, StateSpace, parsed
from retrosolve.spaces.graph import Graph


class PlainRules(Protocol):
    """What a named graph requires of the rules that define its positions."""

    players: tuple[str, str]

    def canonical(self, position: Any) -> Any: ...  # noqa: D102
    def implements(self, name: str) -> bool: ...  # noqa: D102
    def named_moves(self, position: Any) -> list[tuple[str, Hashable]]: ...  # noqa: D102
    def text(self, position: Any) -> str: ...  # noqa: D102
    def parse(self, text: str) -> Any: ...  # noqa: D102
    def passed(self, position: Any) -> Any: ...  # noqa: D102
    def svg(self, position: Any) -> str | None: ...  # noqa: D102
    def move_points(self, position: Any, target: Any) -> Sequence[str] | None: ...  # noqa: D102
    def recheck(  # noqa: D102
        self,
        graph: CsrSpace,
        order: Sequence[Any],
        number: Mapping[Any, int],
        progress: ProgressCallback,
    ) -> None: ...
    def spec(self) -> dict[str, Any]: ...  # noqa: D102


class NamedGraph(Graph):
    """The positions of a game in the order in which they were explored, and the moves between them.

    Parameters
    ----------
    indptr, indices, owner, terminal
        See :class:`~retrosolve.Graph`.
    rules : PlainRules
        The game, for the names of moves and the canonical form of positions.
    order : sequence of hashable [num_vertices]
        The position of each vertex.
    number : mapping
        The vertex of each position.
    initial : hashable, optional
        The initial position.
    """

    __slots__ = ("_number", "_order", "_texts", "rules")

    def __init__(
        self,
        indptr: IntArray,
        indices: IntArray,
        owner: ByteArray | None,
        terminal: ByteArray | None,
        rules: PlainRules,
        order: Sequence[Any],
        number: Mapping[Hashable, int],
        initial: Hashable | None,
    ) -> None:
        super().__init__(indptr, indices, owner, terminal)
        self.rules = rules
        self._order = order
        self._number = number
        self._texts: dict[str, int] | None = None
        self._start_from(initial, rules.players)

    @property
    def has_names(self) -> bool:
        """True: vertices are named by their positions."""
        return True

    def index(self, position: Hashable) -> int:
        """Return the vertex of the canonical form of a position."""
        try:
            vertex = self._number.get(self.rules.canonical(position))
        except Exception:  # of the rules, for what is not a position, or of what cannot be hashed
            vertex = None
        if vertex is None:
            raise PositionError(f"{position!r} was not reached from the start")
        return vertex

    def position(self, index: int) -> Hashable:
        """Return the canonical position of a vertex."""
        position: Hashable = self._order[index]
        return position

    def labels(self, vertices: IntArray) -> NDArray[Any]:
        """Return the text of some positions."""
        return StateSpace.labels(self, vertices)

    def move_labels(self, vertices: IntArray, targets: IntArray) -> NDArray[Any]:
        """Return the names of moves, as the rules name them."""
        return StateSpace.move_labels(self, vertices, targets)

    def moves(self, position: Hashable) -> list[tuple[str, Hashable]]:
        """Return the moves, named by the rules."""
        return self.rules.named_moves(position)

    def text(self, position: Hashable) -> str:
        """Return a position as the rules write it."""
        return self.rules.text(position)

    def parse(self, text: str) -> Hashable:
        """Return the position that the rules parse from ``text``, or whose text it is."""
        if self.rules.implements("parse"):
            position: Hashable = parsed(self.rules, text)
            self.index(position)
            return position
        if self._texts is None:
            self._texts = {self.text(position): v for v, position in enumerate(self._order)}
        if text not in self._texts:
            raise PositionError(f"no position that play from the start reaches is written {text!r}")
        return self.position(self._texts[text])

    def passed(self, index: int) -> int:
        """Return the index of a position with the other player to move, -1 if there is none."""
        if not self.rules.implements("passed"):
            return super().passed(index)
        try:
            given = self.rules.passed(self.position(index))
            return -1 if given is None else self.index(given)
        except PositionError:
            return -1

    def svg(self, position: Hashable) -> str | None:
        """Return a position as the rules draw it."""
        return self.rules.svg(position)

    def move_points(self, position: Hashable, target: Hashable) -> tuple[str, ...] | None:
        """Return the points to click for a move, as the rules name them."""
        points = self.rules.move_points(position, target)
        return None if points is None else tuple(points)

    def recheck(self, progress: ProgressCallback) -> None:
        """Call the rules again for a sample of positions and compare the results with the edges."""
        self.rules.recheck(self, self._order, self._number, progress)

    def spec(self) -> dict[str, Any]:
        """Return the specification of the game, with a digest of the graph."""
        return self.rules.spec() | {"graph": self.digest()}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return nothing: the edges are found again by exploring the rules."""
        return {}

    def digest(self) -> str:
        """Return a SHA-256 digest of edges, owners and terminal values, 64 hexadecimal digits."""
        found = hashlib.sha256()
        for array in (self.indptr, self.indices, self.owner, self.terminals):
            data = b"" if array is None else np.ascontiguousarray(array.astype("<i8")).tobytes()
            found.update(len(data).to_bytes(8, "little"))
            found.update(data)
        return found.hexdigest()
