"""Fox and hounds on the dark squares of an n x n board, n even, as rules in plain Python.

The n/2 hounds start on the first row, the fox on the last, near the middle; the fox moves first. He
steps to any diagonally adjacent free square, a hound one row up diagonally. A player who cannot move
loses. The fox also wins once no hound can ever reach his square and one adjacent square, between
which he can move forever.

Known, reachable positions with either player to move: n=4, 83, the hounds win in 8 plies; n=6, 8,175,
the fox wins in 21; n=8, 709,868, the hounds win in 44; n=10, 69,575,678, the hounds win in 72. Source:
gilith/solve, its tables of fox and hounds.
"""

from __future__ import annotations

from retrosolve.errors import RulesError
from retrosolve.games.fox_and_hounds.drawing import board_with
from retrosolve.rules.contract import Game
from retrosolve.runtime.text import mark
from retrosolve.values import Value

Position = tuple[int, tuple[int, ...], str]

MAX_SIZE = 26


class FoxAndHoundsPlain(Game):
    """Fox and hounds. A position is the fox's square, the hounds' in order, and who moves.

    Square ``s`` is on row ``s // n`` and file ``s % n``; only squares with an odd sum are used.

    Parameters
    ----------
    n : int
        Size of the board, an even number from 4 to 26.

    Raises
    ------
    RulesError
        For any other size.

    Examples
    --------
    >>> import retrosolve as rs
    >>> game = FoxAndHoundsPlain(n=4)
    >>> solution = rs.solve(game)
    >>> game.start(), len(solution), str(solution[game.start()])
    ((14, (1, 3), 'fox'), 83, 'LOSS in 8')
    """

    players = (mark("fox"), mark("hounds"))

    def __init__(self, n: int = 6) -> None:
        if n % 2 or not 4 <= n <= MAX_SIZE:
            raise RulesError(f"n={n}: expected an even number from 4 to {MAX_SIZE}")
        self.n = n
        self.ahead = [self._adjacent(square, (1,)) for square in range(n * n)]
        self.adjacent = [self._adjacent(square, (1, -1)) for square in range(n * n)]
        self.reach = [1 << square for square in range(n * n)]
        for square in reversed(range(n * n)):
            for target in self.ahead[square]:
                self.reach[square] |= self.reach[target]

    def _adjacent(self, square: int, rows: tuple[int, ...]) -> list[int]:
        row, file = divmod(square, self.n)
        targets = [(row + up, file + right) for up in rows for right in (-1, 1)]
        return [r * self.n + f for r, f in targets if 0 <= r < self.n and 0 <= f < self.n]

    def start(self) -> Position:
        """Return the position with the hounds on the first row and the fox on the last, fox to move."""
        half = self.n // 2
        return self.n * (self.n - 1) + 2 * (half // 2), tuple(range(1, self.n, 2)), "fox"

    def player(self, position: Position) -> int:
        """Return 0 for the fox, 1 for the hounds."""
        return self.players.index(position[2])

    def terminal(self, position: Position) -> Value | None:
        """Return WIN or LOSS if the fox is safe on his square and an adjacent one, else None."""
        fox, hounds, mover = position
        reached = 0
        for hound in hounds:
            reached |= self.reach[hound]
        if reached >> fox & 1 or all(reached >> square & 1 for square in self.adjacent[fox]):
            return None
        return Value.WIN if mover == "fox" else Value.LOSS

    def moves(self, position: Position) -> list[tuple[str, Position]]:
        """Return the moves of the fox or of the hounds."""
        fox, hounds, mover = position
        if mover == "fox":
            return [
                (f"fox to {self._square_name(to)}", (to, hounds, "hounds"))
                for to in self.adjacent[fox]
                if to not in hounds
            ]
        moves: list[tuple[str, Position]] = []
        for hound in hounds:
            for to in self.ahead[hound]:
                if to != fox and to not in hounds:
                    moved = tuple(sorted(to if h == hound else h for h in hounds))
                    moves.append(
                        (f"{self._square_name(hound)} to {self._square_name(to)}", (fox, moved, "fox"))
                    )
        return moves

    def text(self, position: Position) -> str:
        """Return the squares of all animals, named as in chess, and who moves."""
        fox, hounds, mover = position
        places = ", ".join(map(self._square_name, hounds))
        return f"fox {self._square_name(fox)}, hounds {places}, {mover} to move"

    def svg(self, position: Position) -> str:
        """Return a drawing of the board."""
        fox, hounds, _ = position
        names = [self._square_name(hound) for hound in hounds]
        return board_with(
            f"Fox and hounds: {self.text(position)}", self.n, self._square_name(fox), names
        )

    def move_points(self, position: Position, target: Position) -> tuple[str, ...]:
        """Return the two squares of a move."""
        before, after = (
            {place[0]} if position[2] == "fox" else {*place[1]} for place in (position, target)
        )
        (origin,), (entered,) = before - after, after - before
        return self._square_name(origin), self._square_name(entered)

    def _square_name(self, square: int) -> str:
        return f"{chr(ord('a') + square % self.n)}{square // self.n + 1}"
