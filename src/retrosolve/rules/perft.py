"""Perft: how many ways there are to play so many moves.

A count to compare one's rules with other people's: programs that disagree on the rules disagree on it.
The name is that of chess programming, short for performance test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from typing import Any

from retrosolve.errors import RulesError
from retrosolve.rules.compiled import CompiledGame
from retrosolve.rules.exploring import asked, terminal_code
from retrosolve.rules.game import Game
from retrosolve.values import Value

Level = Counter[Hashable]
Looked = tuple[Value | None, list[Any]]


def perft(game: Game | CompiledGame, depth: int, position: Any = None) -> int:
    """Count the ways to play exactly ``depth`` moves from a position, or from the start.

    A game that ends sooner is not counted. Two moves to the same position are two ways; ``canonical``
    is not asked. Raises RulesError for rules that break their contract, and for a depth
    that makes no sense. Cost: one call of the rules for each different position met less than ``depth``
    moves deep, and a dict entry for each of one depth; not for each way.

    >>> from retrosolve.games.tictactoe import TicTacToe
    >>> [perft(TicTacToe(), depth) for depth in range(6)]
    [1, 9, 72, 504, 3024, 15120]
    """
    look = _looking(game)
    levels = _levels(game, look, depth, position)
    for plies, level in levels:
        if plies == depth - 1:
            return sum(ways * len(look(place)[1]) for place, ways in level.items())
        if plies == depth:
            return level.total()
    return 0


def count_finished_games(
    game: Game | CompiledGame, depth: int, position: Any = None
) -> dict[int, dict[Value | None, int]]:
    """Count the games that end within ``depth`` moves, by length and by how they end.

    The end is the ``terminal`` value for the player who would move next, None where that player is
    stuck. Errors and cost as those of :func:`perft`, with the positions ``depth`` moves deep asked too.

    >>> from retrosolve.games.tictactoe import TicTacToe
    >>> games = count_finished_games(TicTacToe(), 9)
    >>> sum(sum(ends.values()) for ends in games.values()), games[5]
    (255168, {<Value.LOSS: 2>: 1440})
    """
    look = _looking(game)
    games: dict[int, dict[Value | None, int]] = {}
    for plies, level in _levels(game, look, depth, position):
        ends: Counter[Value | None] = Counter()
        for place, ways in level.items():
            end, targets = look(place)
            if not targets:
                ends[end] += ways
        if ends:
            games[plies] = dict(ends)
    return games


def _levels(
    game: Game | CompiledGame, look: Callable[[Any], Looked], depth: int, position: Any
) -> Iterator[tuple[int, Level]]:
    """Give, ply by ply up to ``depth``, in how many ways each position is come to."""
    if type(depth) is not int or depth < 0:
        raise RulesError(f"depth={depth!r}: expected a whole number, 0 or more")
    rules = game.plain()
    level: Level = Counter()
    for start in asked(rules, "starts") if position is None else (position,):
        _add(level, start, 1, "start")
    for plies in range(depth + 1):
        if not level:
            return
        yield plies, level
        following: Level = Counter()
        for place, ways in level.items() if plies < depth else ():
            for target in look(place)[1]:
                _add(following, target, ways, place)
        level = following


def _add(level: Level, position: Any, ways: int, source: Any) -> None:
    try:
        level[position] += ways
    except TypeError:
        raise RulesError(
            f"{source!r} leads to {position!r}, which cannot be hashed: expected a hashable position"
        ) from None


def _looking(game: Game | CompiledGame) -> Callable[[Any], Looked]:
    """Return the function that says how the game ended at a position, or where its moves lead."""
    rules = game.plain()
    ends = rules.implements("terminal")

    def look(position: Any) -> Looked:
        code = terminal_code(rules, position) if ends else 0
        return (Value(code) if code else None), [] if code else rules.targets(position)

    return look
