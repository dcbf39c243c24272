"""Perft: the number of ways to play a given number of moves.

Comparing the counts with those of another program tests the rules: a wrong rule changes them. The name
comes from chess programming, short for performance test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from functools import partial
from typing import Any

from retrosolve.arrays import is_whole
from retrosolve.errors import RulesError
from retrosolve.rules.calls import call_rule, hashable, targets_of, terminal_code
from retrosolve.rules.contract import CompiledGame, Game
from retrosolve.rules.interpreted import InterpretedGame
from retrosolve.runtime.files import short_repr
from retrosolve.spaces.rule_positions import LARGEST_POSITION, CompiledPositions, parsed_text
from retrosolve.values import Value

Level = Counter[Hashable]
Expansion = tuple[Value | None, list[Any]]


def perft(game: Game | CompiledGame, depth: int, *, position: Any = None) -> int:
    """Count the ways to play exactly ``depth`` moves.

    Parameters
    ----------
    game : Game or CompiledGame
        The rules. Compiled ones are called as plain Python.
    depth : int
        The number of moves, 0 or more.
    position : hashable, optional
        The position to play from, or its text if the rules define ``parse`` and positions are no text
        themselves; by default all starts of the game.

    Returns
    -------
    int
        Games that end sooner are not counted. Two moves to the same position are two ways, and
        ``canonical`` is ignored.

    Raises
    ------
    RulesError
        For rules that break their contract, for an invalid depth, and for anything but rules.
    PositionError
        If ``position`` is none, as far as the rules tell.

    See Also
    --------
    retrosolve.rules.perft.count_finished_games : Count the games that have ended.

    Notes
    -----
    Cost: calls the rules once for each distinct position of each depth below ``depth``, not once for
    each way to reach it. Memory: one dict entry for each distinct position of two consecutive depths.

    Examples
    --------
    >>> from retrosolve.games.tictactoe import TicTacToe
    >>> [perft(TicTacToe(), depth) for depth in range(6)]
    [1, 9, 72, 504, 3024, 15120]
    >>> perft(TicTacToe(), 2, position="XOXOOX...")
    4
    """
    rules = _plain_rules(game)
    expand = _expander(rules)
    levels = _levels(rules, expand, depth, _given(game, position))
    for plies, level in levels:
        if plies == depth - 1:
            return sum(ways * len(expand(place)[1]) for place, ways in level.items())
        if plies == depth:
            return level.total()
    return 0


def count_finished_games(
    game: Game | CompiledGame, depth: int, *, position: Any = None
) -> dict[int, dict[Value | None, int]]:
    """Count the games that end within ``depth`` moves, by length and result.

    Parameters
    ----------
    game, depth, position
        As for :func:`retrosolve.perft`.

    Returns
    -------
    dict of int to dict of (Value or None) to int
        For each length the number of games by result: the ``terminal`` value for the player to move at
        the end, None where that player is stuck.

    Raises
    ------
    RulesError, PositionError
        As for :func:`retrosolve.perft`.

    Notes
    -----
    Cost: that of :func:`retrosolve.perft` with one more move.

    Examples
    --------
    >>> from retrosolve.games.tictactoe import TicTacToe
    >>> games = count_finished_games(TicTacToe(), 9)
    >>> sum(sum(ends.values()) for ends in games.values()), games[5]
    (255168, {<Value.LOSS: 2>: 1440})
    """
    rules = _plain_rules(game)
    expand = _expander(rules)
    games: dict[int, dict[Value | None, int]] = {}
    for plies, level in _levels(rules, expand, depth, _given(game, position)):
        ends: Counter[Value | None] = Counter()
        for place, ways in level.items():
            end, targets = expand(place)
            if not targets:
                ends[end] += ways
        if ends:
            games[plies] = dict(ends)
    return games


def _levels(
    rules: Game, expand: Callable[[Any], Expansion], depth: int, position: Any
) -> Iterator[tuple[int, Level]]:
    """Yield each ply up to ``depth`` with the number of ways to reach each position."""
    if not is_whole(depth) or depth < 0:
        raise RulesError(f"depth={depth!r}: expected a whole number, 0 or more")
    level: Level = Counter()
    for start in call_rule(rules, "starts") if position is None else (position,):
        level[hashable(rules, start, "start", "starts")] += 1
    for plies in range(depth + 1):
        if not level:
            return
        yield plies, level
        following: Level = Counter()
        for place, ways in level.items() if plies < depth else ():
            for target in expand(place)[1]:
                following[hashable(rules, target, place)] += ways
        level = following


def _given(game: Game | CompiledGame, position: Any) -> Any:
    """Return the given position, None for none, as the rules take it. Raises PositionError."""
    if isinstance(game, CompiledGame) and position is not None:
        size = LARGEST_POSITION + 1 if game.size is None else game.size
        return CompiledPositions(game, game.plain_data, size, (), None).resolved(position)[0]
    if isinstance(position, str) and game.implements("parse"):
        first = next(iter(call_rule(game, "starts")), None)
        return position if isinstance(first, str) else parsed_text(game, position)
    return position


def _plain_rules(game: Game | CompiledGame) -> Game:
    """Return rules in plain Python. Raises RulesError for anything but rules."""
    if not isinstance(game, Game | CompiledGame):
        raise RulesError(f"{short_repr(game)} has no rules: expected a Game or a CompiledGame")
    return game if isinstance(game, Game) else InterpretedGame(game)


def _expander(rules: Game) -> Callable[[Any], Expansion]:
    """Return a function of a position: its terminal value and the targets of its moves."""
    ends = rules.implements("terminal")
    targets = rules.targets if isinstance(rules, InterpretedGame) else partial(targets_of, rules)

    def expand(position: Any) -> Expansion:
        code = terminal_code(rules, position) if ends else 0
        return (Value(code) if code else None), [] if code else targets(position)

    return expand
