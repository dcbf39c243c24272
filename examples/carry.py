"""Carry, a game with heaps of stones, in plain Python and compiled. See docs/tutorial-rules.md.

A move takes one or two stones from a heap, or carries one stone from a heap to another nonempty heap. A
player who cannot move loses. Carrying can go on forever, so play need not end.

On the command line: ``retrosolve solve examples/carry.py:Carry``.
"""

from collections.abc import Iterator
from math import comb
from typing import Any

import numpy as np

import retrosolve as rs

Heaps = tuple[int, ...]


class Carry(rs.Game):
    """The game in plain Python. A position is a tuple, the number of stones in each heap."""

    def __init__(self, heaps: Heaps = (5, 3, 1)) -> None:
        self.heaps = heaps

    def start(self) -> Heaps:
        return self.heaps

    def moves(self, heaps: Heaps) -> Iterator[tuple[str, Heaps]]:
        for i, n in enumerate(heaps):
            for k in range(1, min(n, 2) + 1):
                yield f"take {k} from heap {i + 1}", changed(heaps, i, -k)
            for j, m in enumerate(heaps):
                if i != j and n > 0 and m > 0:
                    yield f"carry {i + 1} to {j + 1}", changed(changed(heaps, i, -1), j, 1)

    def canonical(self, heaps: Heaps) -> Heaps:
        return tuple(sorted(heaps, reverse=True))

    def text(self, heaps: Heaps) -> str:
        return "+".join(map(str, heaps))


def changed(heaps: Heaps, i: int, by: int) -> Heaps:
    """Return the heaps with ``by`` stones added to heap ``i``."""
    return (*heaps[:i], heaps[i] + by, *heaps[i + 1 :])


class CompiledCarry(rs.CompiledGame):
    """The compiled game, with a dense index in which positions with fewer stones come first.

    A position is an integer whose digits are the heaps, the first heap being the lowest digit. The base
    is one more than the number of stones, so that every heap fits into its digit. ``data`` contains the
    number of heaps, the base, and ``table[r, s]``, the number of ways to have fewer than s stones in
    r + 1 heaps.
    """

    def __init__(self, heaps: Heaps = (5, 3, 1)) -> None:
        count, base = len(heaps), sum(heaps) + 1
        if base**count > 2**63:
            raise ValueError(f"heaps={heaps}: expected fewer, their positions do not fit into 63 bits")
        self.heaps = heaps
        table = [[comb(s + r, r + 1) for s in range(base + 1)] for r in range(count)]
        self.data = (count, base, np.array(table, np.int64))
        self.max_moves = self.max_predecessors = count * (count + 1)
        self.size = table[-1][base]
        self.tiers = tuple(table[-1][:base])

    def number(self, heaps: Heaps) -> int:
        """Return the position that represents ``heaps``."""
        return sum(n * self.data[1] ** i for i, n in enumerate(heaps))

    def start(self) -> int:
        return self.number(self.heaps)

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        heaps, base = data[0], data[1]
        count = 0
        one = 1
        for i in range(heaps):
            n = position // one % base
            for k in range(1, min(n, 2) + 1):
                out[count] = position - k * one
                count += 1
            other = 1
            for j in range(heaps):
                if i != j and n > 0 and position // other % base > 0:
                    out[count] = position - one + other
                    count += 1
                other *= base
            one *= base
        return count

    @staticmethod
    def rank(position: int, data: Any) -> int:
        heaps, base, table = data
        index = stones = 0
        for r in range(heaps):
            stones += position % base
            position //= base
            index += table[r, stones]
        return index

    @staticmethod
    def unrank(index: int, data: Any) -> int:
        heaps, base, table = data
        position = 0
        stones = base - 1
        for r in range(heaps - 1, -1, -1):
            before = stones
            while table[r, stones] > index:
                stones -= 1
            index -= table[r, stones]
            if r < heaps - 1:
                position = position * base + before - stones
        return position * base + stones

    @staticmethod
    def predecessors(position: int, out: Any, data: Any) -> int:
        heaps, base = data[0], data[1]
        room = base - 1 - stones_of(position, base)
        count = 0
        one = 1
        for i in range(heaps):
            for k in range(1, min(room, 2) + 1):
                out[count] = position + k * one
                count += 1
            other = 1
            for j in range(heaps):
                if i != j and position // other % base > 1:
                    out[count] = position + one - other
                    count += 1
                other *= base
            one *= base
        return count

    @staticmethod
    def canonical(position: int, data: Any) -> int:
        heaps, base = data[0], data[1]
        placed = 0
        for _ in range(heaps):
            n = position % base
            position //= base
            one = 1
            while placed // one % base > n:
                one *= base
            placed = placed % one + n * one + placed // one * one * base
        return placed

    def text(self, position: int) -> str:
        heaps, base = self.data[0], self.data[1]
        return "+".join(str(position // base**i % base) for i in range(heaps))


def stones_of(position: int, base: int) -> int:
    """Return the number of stones in all heaps."""
    stones = 0
    while position > 0:
        stones += position % base
        position //= base
    return stones


if __name__ == "__main__":
    heaps = (5, 3, 1)
    plain = rs.solve(Carry(heaps))
    print(plain[heaps], "by", [move.name for move in plain.best_moves(heaps)])
    game = CompiledCarry(heaps)
    compiled = rs.solve(game)
    print(compiled[game.start()], "to", [move.name for move in compiled.best_moves(game.start())])
    print(len(plain), len(compiled))
