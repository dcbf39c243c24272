"""HeapSpace: the heaps of a taking-and-breaking game, whose moves may lead to several heaps at once.

Vertices are heaps by their size. A sum of heaps is a position too, but no vertex: its value is the sum
of those of its heaps, so that the nimbers of n + 1 heaps answer for all their sums.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, is_whole
from retrosolve.errors import GraphError, PositionError
from retrosolve.objectives import Nimber
from retrosolve.spaces.base import Capability, Csr, CsrSpace, Rules, StateSpace
from retrosolve.spaces.rule_positions import RulesPositions, parsed_text


class HeapPositions(RulesPositions):
    """Heaps and sums of heaps, as the rules of a game read and write them.

    Parameters
    ----------
    rules : HeapRules
    largest : int
        The largest heap.
    """

    __slots__ = ("largest", "rules")

    def __init__(self, rules: Rules, largest: int) -> None:
        self.rules, self.largest = rules, largest

    def index(self, position: Any) -> int:
        """Return the size of a heap. Raises PositionError for a sum of heaps and anything else."""
        if isinstance(position, tuple):
            raise PositionError(f"{self.rules.text(position)} is a sum: expected one heap")
        if not is_whole(position):
            raise PositionError(f"{position!r} is no heap: expected a number from 0 to {self.largest}")
        if not 0 <= position <= self.largest:
            raise PositionError(f"there is no heap {position}: expected 0 to {self.largest}")
        return int(position)

    def summands(self, position: Any) -> list[int]:
        """Return the sizes of the heaps of a position. Raises PositionError."""
        heaps = position if isinstance(position, tuple) else (position,)
        if not heaps:
            raise PositionError("() is no position: expected a heap, or a tuple of one or more")
        return [self.index(heap) for heap in heaps]

    def position(self, index: int) -> int:
        """Return the size of a heap."""
        return index

    def parse(self, text: str) -> Hashable:
        """Return the heap or the sum of heaps that ``text`` stands for. Raises PositionError."""
        position: Hashable = parsed_text(self.rules, text)
        self.summands(position)
        return position

    def moves(self, position: Any) -> list[tuple[str, Hashable]]:
        """Return the moves, named by the rules."""
        moves: list[tuple[str, Hashable]] = self.rules.moves(position)  # type: ignore[attr-defined]
        return moves


class HeapSpace(StateSpace):
    """The heaps of 0 to n tokens of a game in which a move takes some and may split the rest.

    Parameters
    ----------
    positions : HeapPositions
    digits : sequence of int
        For each number of tokens to take, from 0 on: 1 if a move may leave no heap, plus 2 if one, plus
        4 if two.
    unequal : bool
        Whether two heaps that a move leaves must differ.
    start : int
    """

    __slots__ = ("_start", "digits", "num_vertices", "positions", "rules", "unequal")

    has_sums = True
    rules: Rules
    positions: HeapPositions
    """Heaps, and sums of heaps."""

    def __init__(
        self, positions: HeapPositions, digits: Sequence[int], unequal: bool, start: int
    ) -> None:
        self.positions, self.rules = positions, positions.rules
        self.num_vertices = positions.largest + 1
        self.digits: IntArray = np.array(digits, np.int64)
        self.unequal = unequal
        self._start = start

    @property
    def start(self) -> int:
        """The heap from which the game begins."""
        return self._start

    @property
    def capabilities(self) -> Capability:
        """Heaps, and nothing else."""
        return Capability.HEAPS

    @property
    def default_objective(self) -> str:
        """Nimbers: who wins one heap does not say who wins two."""
        return Nimber.name

    @property
    def num_edges(self) -> int:
        """The number of moves from single heaps."""
        number, largest = 0, self.num_vertices - 1
        for take, digit in enumerate(self.digits.tolist()):
            rest = largest - take
            number += (rest >= 0) * (digit & 1) + max(rest, 0) * bool(take) * (digit >> 1 & 1)
            number += max(rest - self.unequal, 0) ** 2 // 4 * (digit >> 2 & 1)  # 0, 0, 1, 1, 2, 2, ...
        return number

    def out_degrees(self) -> IntArray:
        """Return the number of moves from each heap."""
        heaps = np.arange(self.num_vertices)
        moves = np.zeros(self.num_vertices, np.int64)
        for take, digit in enumerate(self.digits.tolist()):
            rest = heaps - take
            moves += (rest == 0) * (digit & 1) + ((rest > 0) & bool(take)) * (digit >> 1 & 1)
            moves += np.maximum(rest - self.unequal, 0) // 2 * (digit >> 2 & 1)
        return moves

    def terminal(self, start: int, stop: int) -> ByteArray:
        """Return 0 for each heap: a game ends where there is no move."""
        return np.zeros(stop - start, np.uint8)

    def player(self, indices: IntArray) -> None:
        """Return None: the players alternate."""

    def side_to_move(self, position: Hashable, vertex: int | None = None) -> None:
        """Return None: the players alternate."""

    def successors(self, start: int, stop: int) -> Csr:
        """Return no edges: a move leads to a sum of heaps."""
        return Csr(np.zeros(stop - start + 1, np.int64), np.zeros(0, np.int64))

    def summands(self, position: Hashable) -> list[int]:
        """Return the heaps of a position. Raises PositionError."""
        return self.positions.summands(position)

    def target_indices(self, positions: Sequence[Hashable]) -> NDArray[np.int64]:
        """Return the sizes of heaps, and numbers above all of them for sums of two."""
        sizes = [self.summands(position) for position in positions]
        return np.array([size[0] + sum(size[1:]) * self.num_vertices for size in sizes], np.int64)

    def resolved(self, position: Hashable) -> tuple[Hashable, int]:
        """Return a position, from its text too, and its index, -1 for a sum of heaps."""
        if isinstance(position, str):
            position = self.parse(position)
        heaps = self.summands(position)
        return position, heaps[0] if len(heaps) == 1 else -1

    def materialize(self) -> CsrSpace:
        """Raise GraphError: sums of heaps are no vertices."""
        raise GraphError(
            f"{self!r} is no graph, as moves lead to sums of heaps: expected its nimbers as rows, by "
            "retrosolve convert --rows --solve or to_pandas()"
        )

    def spec(self) -> dict[str, Any]:
        """Return the specification of the game."""
        return self.rules.spec()

    def __repr__(self) -> str:
        return f"HeapSpace({type(self.rules).__name__}, heaps=0..{self.num_vertices - 1})"
