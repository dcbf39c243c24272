"""Plain rules that break their contract."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import retrosolve as rs
from tests.bad_input import Input


@dataclass(unsafe_hash=True)
class Heap:
    """Stones that can be taken and put back."""

    n: int


class Unmade(rs.Game[Any]):
    def start(self) -> Any:
        return Heap(3)

    def moves(self, position: Any) -> Any:
        for k in (1, 2):
            position.n -= k
            yield f"take {k}", position
            position.n += k


class Collected(Unmade):
    def moves(self, position: Any) -> Any:
        return list(super().moves(position))


class Twins(Unmade):
    end = Heap(0)

    def moves(self, position: Any) -> Any:
        return [("left", self.end), ("right", self.end)] if position.n else []


class Third(rs.Game[int]):
    def start(self) -> int:
        return 0

    def player(self, position: int) -> int:
        return position

    def moves(self, position: int) -> list[int]:
        return [position + 1]


INPUTS: dict[str, Input] = {
    "a move is taken back after it is yielded": lambda _: rs.solve(Unmade()),
    "all moves of a list are one object": lambda _: rs.solve(Collected()),
    "two moves to one object": lambda _: rs.check_game(Twins()),
    "a third player": lambda _: rs.solve(Third()),
}
