"""Wythoff's game: two heaps; take from one, or as many from both. Who cannot take loses.

The lost positions are (floor(k phi), floor(k phi^2)) with the golden ratio phi; there is no formula for
the nimbers.

Sources: Wythoff, "A modification of the game of Nim" (1907); OEIS A004481 has the nimbers.
"""

from __future__ import annotations

import re

from retrosolve.drawing.boards import squares
from retrosolve.drawing.pieces import draw_piece
from retrosolve.errors import PositionError, RulesError
from retrosolve.rules.contract import Game

MOST_DRAWN = 24  # tokens in a heap, with a square for each pair of heaps
MOST = 10_000  # with which 50 million positions are explored
HEAPS = re.compile(r"\d{1,9},\d{1,9}", re.ASCII)


class Wythoff(Game):
    """Two heaps of up to n tokens. A position is the pair of their sizes, the smaller one first.

    Parameters
    ----------
    n : int
        Tokens in each heap at the start, at most 10000.

    Raises
    ------
    RulesError
        If ``n`` is not a number from 0 to 10000.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(Wythoff(n=8), objective="nimber")
    >>> [position for position in solution.where("0")], str(solution[(2, 3)].value)
    ([(0, 0), (1, 2), (3, 5), (4, 7)], '*5')
    """

    def __init__(self, n: int = 20) -> None:
        if not 0 <= n <= MOST:
            raise RulesError(f"n={n}: expected 0 to {MOST} tokens")
        self.n = n

    def start(self) -> tuple[int, int]:
        """Return two full heaps."""
        return self.n, self.n

    def moves(self, heaps: tuple[int, int]) -> list[tuple[str, tuple[int, int]]]:
        """Return the moves that take from the first heap, the second, or both."""
        small, large = heaps
        pairs = [(size, large) for size in range(small)] + [(small, size) for size in range(large)]
        pairs += [(small - k, large - k) for k in range(1, small + 1)]
        targets = dict.fromkeys((min(pair), max(pair)) for pair in pairs)
        return [(self.text(target), target) for target in targets]

    def text(self, heaps: tuple[int, int]) -> str:
        """Return the sizes with a comma between them."""
        return f"{heaps[0]},{heaps[1]}"

    def parse(self, text: str) -> tuple[int, int]:
        """Return the position of a text such as ``3,5``. Raises PositionError."""
        if not HEAPS.fullmatch(text):
            raise PositionError(f"{text!r} is no position: expected two heaps such as 3,5")
        small, large = sorted(map(int, text.split(",")))
        return small, large

    def svg(self, heaps: tuple[int, int]) -> str | None:
        """Return the heaps as a queen that is to be brought into the corner; None for large ones.

        Its column is the size of the larger heap, its row from below that of the smaller one, and a
        move goes left, down, or both.
        """
        n = self.n
        if n > MOST_DRAWN:
            return None
        numbers = [str(size) for size in range(n + 1)]
        board = squares(
            f"Wythoff: {self.text(heaps)}",
            n + 1,
            n + 1,
            kind=lambda column, row: (
                "groove" if column + row < n else "light" if (column + row + n) % 2 else "dark"
            ),
            files=numbers,
            ranks=numbers[::-1],
        )
        for large in range(n + 1):
            for small in range(large + 1):
                board.point(self.text((small, large)), large, n - small)
        draw_piece(board.picture, "Q", *board.middle(heaps[1], n - heaps[0]))
        return str(board.picture)

    def move_points(self, heaps: tuple[int, int], target: tuple[int, int]) -> tuple[str, ...]:
        """Return the square of the heaps after the move."""
        return (self.text(target),)
