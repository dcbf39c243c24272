"""Fox and hounds on the dark squares of an n x n board, n even, as rules in plain Python.

The n/2 hounds start on the first row, the fox on the last, near the middle; the fox moves first. He
steps to any free square diagonally next to him, a hound one row up diagonally. Who cannot move
loses. The fox has also won once no hound can ever reach his square and one beside it: there he
steps to and fro for ever.

Known, the positions reached with either to move: n=4, 83, the hounds win in 8 plies; n=6, 8,175, the
fox wins in 21; n=8, 709,868, the hounds win in 44; n=10, 69,575,678, the hounds win in 72. Source:
gilith/solve, its tables of fox and hounds.
"""

from __future__ import annotations

from retrosolve.errors import RulesError
from retrosolve.rules.game import Game
from retrosolve.values import Value

Position = tuple[int, tuple[int, ...], str]

LARGEST = 26


class FoxAndHoundsPlain(Game):
    """Fox and hounds. A position is the fox's square, the hounds' in order, and who moves.

    Square ``s`` is on row ``s // n`` and file ``s % n``, from 0; only those with an odd sum are used.

    >>> import retrosolve as rs
    >>> game = FoxAndHoundsPlain(n=4)
    >>> solution = rs.solve(game)
    >>> game.start(), len(solution), str(solution[game.start()])
    ((14, (1, 3), 'fox'), 83, 'LOSS in 8')
    """

    players = ("fox", "hounds")

    def __init__(self, n: int = 6) -> None:
        if n % 2 or not 4 <= n <= LARGEST:
            raise RulesError(f"n={n}: expected an even number from 4 to {LARGEST}")
        self.n = n
        self.ahead = [self._beside(square, (1,)) for square in range(n * n)]
        self.around = [self._beside(square, (1, -1)) for square in range(n * n)]
        self.reach = [1 << square for square in range(n * n)]
        for square in reversed(range(n * n)):
            for target in self.ahead[square]:
                self.reach[square] |= self.reach[target]

    def _beside(self, square: int, rows: tuple[int, ...]) -> list[int]:
        row, file = divmod(square, self.n)
        targets = [(row + up, file + right) for up in rows for right in (-1, 1)]
        return [r * self.n + f for r, f in targets if 0 <= r < self.n and 0 <= f < self.n]

    def start(self) -> Position:
        """Give the hounds along the first row, the fox on the last, fox to move."""
        half = self.n // 2
        return self.n * (self.n - 1) + 2 * (half // 2), tuple(range(1, self.n, 2)), "fox"

    def player(self, position: Position) -> int:
        """Give 0 for the fox, 1 for the hounds."""
        return self.players.index(position[2])

    def terminal(self, position: Position) -> Value | None:
        """The fox is free if his square and one beside it are out of every hound's reach."""
        fox, hounds, mover = position
        reached = 0
        for hound in hounds:
            reached |= self.reach[hound]
        if reached >> fox & 1 or all(reached >> square & 1 for square in self.around[fox]):
            return None
        return Value.WIN if mover == "fox" else Value.LOSS

    def moves(self, position: Position) -> list[tuple[str, Position]]:
        """Step the fox, or a hound."""
        fox, hounds, mover = position
        if mover == "fox":
            return [
                (f"fox to {self._named(to)}", (to, hounds, "hounds"))
                for to in self.around[fox]
                if to not in hounds
            ]
        moves: list[tuple[str, Position]] = []
        for hound in hounds:
            for to in self.ahead[hound]:
                if to != fox and to not in hounds:
                    moved = tuple(sorted(to if h == hound else h for h in hounds))
                    moves.append((f"{self._named(hound)} to {self._named(to)}", (fox, moved, "fox")))
        return moves

    def text(self, position: Position) -> str:
        """Write where everybody stands, as in chess, and who moves."""
        fox, hounds, mover = position
        places = ", ".join(map(self._named, hounds))
        return f"fox {self._named(fox)}, hounds {places}, {mover} to move"

    def _named(self, square: int) -> str:
        return f"{chr(ord('a') + square % self.n)}{square // self.n + 1}"
