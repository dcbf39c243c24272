"""Perft: how many ways there are to play so many moves.

A count to compare one's rules with other people's: programs that disagree on the rules disagree on it.
The name is that of chess programming, short for performance test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any

from retrosolve.errors import RulesError
from retrosolve.rules.compiled import CompiledGame, PlainView
from retrosolve.rules.explore import moves_of
from retrosolve.rules.game import Game
from retrosolve.values import Value


def perft(game: Game | CompiledGame, depth: int, position: Any = None) -> int:
    """Count the ways to play exactly ``depth`` moves from a position, or from the start.

    A game that ends sooner is not counted. Two moves to the same position are two ways. Cost: one
    call of the rules for each different position met at each depth, not for each way.

    >>> from retrosolve.games.tictactoe import TicTacToe
    >>> [perft(TicTacToe(), depth) for depth in range(6)]
    [1, 9, 72, 504, 3024, 15120]
    """
    ways = 0
    for _, level, _ in _levels(game, depth, position):
        ways = sum(level.values())
    return ways


def finished_games(
    game: Game | CompiledGame, depth: int, position: Any = None
) -> dict[int, dict[Value | None, int]]:
    """Count the games that end within ``depth`` moves, by length and by how they end.

    The end is the ``terminal`` value for the player who would move next, None where that player is
    stuck. Cost as that of :func:`perft`.

    >>> from retrosolve.games.tictactoe import TicTacToe
    >>> games = finished_games(TicTacToe(), 9)
    >>> sum(sum(ends.values()) for ends in games.values()), games[5]
    (255168, {<Value.LOSS: 2>: 1440})
    """
    return {plies: dict(ends) for plies, _, ends in _levels(game, depth, position) if ends}


def _levels(
    game: Game | CompiledGame, depth: int, position: Any
) -> Iterator[tuple[int, Counter[Hashable], Counter[Value | None]]]:
    """Give, ply by ply, the ways to each position, and how many of them end there in which way."""
    if type(depth) is not int or depth < 0:
        raise RulesError(f"depth={depth!r}: expected a whole number, 0 or more")
    rules = PlainView(game) if isinstance(game, CompiledGame) else game
    starts = list(rules.starts()) if position is None else [position]
    level: Counter[Hashable] = Counter(starts)
    for plies in range(depth + 1):
        following: Counter[Hashable] = Counter()
        ends: Counter[Value | None] = Counter()
        for place, ways in level.items():
            end = rules.terminal(place)
            moves = moves_of(rules, place) if end is None else []
            if not moves:
                ends[end] += ways
            for _, target in moves:
                following[target] += ways
        yield plies, level, ends
        level = following
