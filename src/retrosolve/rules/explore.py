"""Explore: find every position that rules can reach, breadth-first, as a Graph."""

from __future__ import annotations

from array import array
from collections.abc import Hashable
from itertools import islice
from typing import Any

import numpy as np

from retrosolve.errors import PositionError, RulesError
from retrosolve.graph import Graph
from retrosolve.progress import Progress, Report, silent
from retrosolve.rules.game import Game
from retrosolve.validation import index_dtype
from retrosolve.values import Value

POSITIONS_A_REPORT = 1 << 14
MOVES_AT_MOST = 1_000_000


class GamePositions:
    """The positions of a game as they were found, the start first. Moves are asked for again."""

    def __init__(self, game: Game, found: dict[Hashable, int], start: Hashable | None) -> None:
        self.game = game
        self.found = found
        self.list = list(found)
        self.start = start
        self.players = game.players

    def vertex(self, position: Hashable) -> int:
        """Give the vertex of a position, or of its canonical form."""
        try:
            return self.found[self.game.canonical(position)]
        except (KeyError, TypeError):
            raise PositionError(f"{position!r} was not reached from the start") from None

    def position(self, vertex: int) -> Hashable:
        """Give the (canonical) position of a vertex."""
        return self.list[vertex]

    def moves(self, position: Hashable) -> list[tuple[str, Hashable]]:
        """Ask the rules for the moves."""
        return moves_of(self.game, position)

    def text(self, position: Hashable) -> str:
        """Write a position as the rules do."""
        return self.game.text(position)


def explore(
    game: Game, limit: int | None = None, report: Report = silent
) -> tuple[Graph, GamePositions]:
    """Find every position reachable from the starts, and the moves between them.

    Vertices are numbered in the order in which positions are found. More than ``limit`` positions
    raise RulesError, as does every breach of the contract of :class:`Game`, with the position that
    showed it. Cost: one call of each rule a position; beyond the position objects, a dict entry, 8
    bytes a position and 8 a move while exploring.
    """
    finder = _Finder(game, limit)
    indptr, indices = array("q", [0]), array("q")
    owner, terminal = bytearray(), bytearray()
    owned, ends = game.defines("player"), game.defines("terminal")
    starts = list(_asked(game, "starts"))
    for start in starts:
        finder.vertex(start, "start")
    for done, position in enumerate(finder.order):
        value = _terminal(game, position) if ends else 0
        terminal.append(value)
        if owned:
            owner.append(_player(game, position))
        if not value:
            indices.extend([finder.vertex(target, position) for _, target in moves_of(game, position)])
        indptr.append(len(indices))
        if done % POSITIONS_A_REPORT == 0:
            report(Progress("finding positions", done, None))
    n = len(finder.order)
    graph = Graph(
        np.array(indptr, index_dtype(len(indices))),
        np.array(indices, index_dtype(n)),
        np.frombuffer(owner, np.uint8) if owned else None,
        np.frombuffer(terminal, np.uint8) if ends else None,
    )
    return graph, GamePositions(game, finder.number, starts[0] if starts else None)


class _Finder:
    """Numbers positions, by canonical form, as they are found."""

    def __init__(self, game: Game, limit: int | None) -> None:
        self.game = game
        self.limit = limit
        self.folds = game.defines("canonical")
        self.number: dict[Hashable, int] = {}
        self.order: list[Any] = []

    def vertex(self, position: Any, source: Any) -> int:
        """Give the number of a position that ``source`` leads to, a new one if it is new."""
        if self.folds:
            position = _asked(self.game, "canonical", position)
        try:
            vertex = self.number.setdefault(position, len(self.order))
        except TypeError:
            raise RulesError(
                f"{source!r} leads to {position!r}, which cannot be hashed: "
                "expected a hashable position"
            ) from None
        if vertex == len(self.order):
            if vertex == self.limit:
                raise RulesError(f"more than {vertex} positions, the limit given")
            self.order.append(position)
        return vertex


def moves_of(game: Game, position: Any) -> list[tuple[str, Hashable]]:
    """Ask the rules for the moves of a position, each checked to be a name and a position."""
    given = _asked(game, "moves", position)
    try:
        iterator = iter(given)
    except TypeError:
        raise RulesError(
            f"moves({position!r}) gave {given!r}: expected pairs (name, position)"
        ) from None
    try:
        moves = list(islice(iterator, MOVES_AT_MOST + 1))
    except Exception as error:
        raise _blamed(game, "moves", (position,), error) from error
    if len(moves) > MOVES_AT_MOST:
        raise RulesError(f"moves({position!r}) gave over {MOVES_AT_MOST} moves: does it ever end?")
    for move in moves:
        if not (isinstance(move, tuple) and len(move) == 2 and isinstance(move[0], str)):
            raise RulesError(f"moves({position!r}) gave {move!r}: expected a pair (name, position)")
    return moves


def _terminal(game: Game, position: Any) -> int:
    value = _asked(game, "terminal", position)
    if value is None:
        return 0
    if not isinstance(value, Value) or value is Value.DRAW:
        raise RulesError(
            f"terminal({position!r}) gave {value!r}: expected Value.WIN, LOSS, TIE or None"
        )
    return value


def _player(game: Game, position: Any) -> int:
    player = _asked(game, "player", position)
    if isinstance(player, bool) or player not in (0, 1):
        raise RulesError(f"player({position!r}) gave {player!r}: expected 0 or 1")
    return int(player)


def _asked(game: Game, rule: str, *position: Any) -> Any:
    """Call one of the author's rules; an exception in it is shown with its position."""
    try:
        return getattr(game, rule)(*position)
    except Exception as error:
        raise _blamed(game, rule, position, error) from error


def _blamed(game: Game, rule: str, position: tuple[Any, ...], error: Exception) -> RulesError:
    arguments = ", ".join(repr(p) for p in position)
    what = f"{type(error).__name__}: {error}"
    return RulesError(f"{type(game).__name__}.{rule}({arguments}) raised {what}")
