"""Puzzle: the contract for puzzles of one player in plain Python."""

from __future__ import annotations

from typing import Any

from retrosolve.rules.game import Game
from retrosolve.values import Value


class Puzzle(Game):
    """The rules of a puzzle: one player moves until the puzzle is solved.

    Subclass it and define ``start``, ``moves`` and ``solved``; all methods of :class:`Game` but
    ``player`` and ``terminal`` are optional.

    Raises
    ------
    RulesError
        As for :class:`Game`.

    Notes
    -----
    A puzzle is a game in which player 0 always moves, and a solved position is a WIN. So the outcome of
    a position is WIN with the length of its shortest solutions as remoteness; LOSS if all ways to move
    end without a move and unsolved; DRAW if one can move forever, but not to a solution.
    ``best_moves`` are the first moves of all shortest solutions, and ``line`` is one of them.

    Cost: that of a :class:`Game`, 12 bytes a position and 4 a move beyond the positions themselves.

    Examples
    --------
    Measure 4 litres with jugs of 3 and 5 litres:

    >>> import retrosolve as rs
    >>> class Jugs(rs.Puzzle):
    ...     def start(self):
    ...         return (0, 0)
    ...     def solved(self, jugs):
    ...         return 4 in jugs
    ...     def moves(self, jugs):
    ...         a, b = jugs
    ...         to_b, to_a = min(a, 5 - b), min(b, 3 - a)
    ...         return [
    ...             ("fill 3", (3, b)), ("fill 5", (a, 5)), ("empty 3", (0, b)), ("empty 5", (a, 0)),
    ...             ("pour 3 into 5", (a - to_b, b + to_b)), ("pour 5 into 3", (a + to_a, b - to_a)),
    ...         ]
    >>> solution = rs.solve(Jugs())
    >>> str(solution[0, 0])
    'WIN in 6'
    >>> for move in solution.line((0, 0)):
    ...     print(move.name, move.position)
    fill 5 (0, 5)
    pour 5 into 3 (3, 2)
    empty 3 (0, 2)
    pour 5 into 3 (2, 0)
    fill 5 (2, 5)
    pour 5 into 3 (3, 4)
    """

    players = ("player", "nobody")

    def solved(self, position: Any) -> bool:
        """Return whether the puzzle is solved at a position. REQUIRED.

        ``moves`` is not called there.
        """
        raise NotImplementedError(f"{type(self).__name__} gives no solved(): expected True or False")

    def terminal(self, position: Any) -> Value | None:
        """Return WIN if the puzzle is solved, else None."""
        return Value.WIN if self.solved(position) else None

    def player(self, position: Any) -> int:
        """Return 0: the same player always moves."""
        return 0
