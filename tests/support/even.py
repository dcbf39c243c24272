"""A compiled game of even numbers, numbered in two ways, and the same as plain rules."""

from pathlib import Path

import retrosolve as rs

EVEN = Path(__file__)
SIZE = 1000


class Even(rs.CompiledGame):
    """Even numbers: two or four less at each move. ``rank`` is also that of the odd ones."""

    max_moves, size = 2, SIZE

    def start(self):
        return 40

    @staticmethod
    def successors(position, out, data):
        out[0], out[1] = position - 2, position - 4
        return min(position // 2, 2)

    @staticmethod
    def rank(position, data):
        return position // 2

    @staticmethod
    def unrank(index, data):
        return 2 * index


class Backwards(Even):
    """The same, numbered from the other end, with three positions more."""

    size = SIZE + 3

    @staticmethod
    def rank(position, data):
        return SIZE + 2 - position // 2

    @staticmethod
    def unrank(index, data):
        return 2 * (SIZE + 2 - index)


class Plain(rs.Game):
    """The positions that play from the start reaches."""

    def start(self):
        return 40

    def moves(self, n):
        return [n - k for k in (2, 4) if k <= n]
