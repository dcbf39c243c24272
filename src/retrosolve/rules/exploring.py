"""Exploring plain rules: every position reachable from the start, breadth-first, as a graph."""

from __future__ import annotations

from array import array
from collections.abc import Hashable
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_dtype
from retrosolve.errors import RulesError
from retrosolve.runtime import memory
from retrosolve.runtime.context import Context
from retrosolve.runtime.progress import Progress
from retrosolve.spaces.named import NamedGraph
from retrosolve.values import Value

if TYPE_CHECKING:
    from retrosolve.rules.game import Game

POSITIONS_PER_REPORT = 1 << 14
MAX_MOVES = 1_000_000


def explored_space(game: Game, context: Context, limit: int | None = None) -> NamedGraph:
    """Return the graph of all positions reachable from the starts.

    Parameters
    ----------
    game : Game
    context : Context
    limit : int, optional
        The largest number of positions.

    Returns
    -------
    NamedGraph
        Vertices are numbered in the order of discovery.

    Raises
    ------
    RulesError
        For more than ``limit`` positions, and for rules that break the contract of :class:`Game`, with
        the position that shows it.
    MemoryBudgetError
        If the free memory runs out.

    Notes
    -----
    Calls each rule once per position. Beyond the position objects it takes a dict entry and 16 bytes
    per position, and 4 bytes per move.
    """
    number = _Numbers(limit)
    starts = list(call_rule(game, "starts"))
    for start in starts:
        number.of(_canonical(game, start) if game.implements("canonical") else start, "start")
    search = _Search(game, number)
    while search.explore(POSITIONS_PER_REPORT):
        memory.check_headroom(f"{len(number.order)} positions were found and there are more")
        context.progress(Progress("finding positions", len(search.indptr) - 1, None))
    return NamedGraph(*search.rows(), game, number.order, number, starts[0] if starts else None)


class _Numbers(dict[Hashable, int]):
    """The number of each position; looking up a new one assigns the next number."""

    def __init__(self, limit: int | None) -> None:
        self.limit = limit
        self.order: list[Any] = []

    def __missing__(self, position: Hashable) -> int:
        number = self[position] = len(self.order)
        if number == self.limit:
            raise RulesError(f"more than {number} positions, the limit given")
        self.order.append(position)
        return number

    def of(self, position: Any, source: Any) -> int:
        """Return the number of a position that ``source`` leads to. Raises RulesError."""
        try:
            return self[position]
        except TypeError:
            raise RulesError(
                f"{source!r} leads to {position!r}, which cannot be hashed: "
                "expected a hashable position"
            ) from None


class _Search:
    """The moves of the positions explored so far, in CSR form."""

    def __init__(self, game: Game, number: _Numbers) -> None:
        self.game = game
        self.number = number
        self.has_player, self.has_terminal = game.implements("player"), game.implements("terminal")
        self.has_symmetry = game.implements("canonical")
        self.todo = iter(number.order)
        self.indptr, self.indices = array("q", [0]), array("i")
        self.owner, self.terminal = bytearray(), bytearray()

    def explore(self, count: int) -> bool:
        """Explore up to ``count`` more positions; return whether there were that many."""
        indptr, indices = self.indptr, self.indices
        before = len(indptr)
        for position in islice(self.todo, count):
            value = 0
            if self.has_terminal:
                value = terminal_code(self.game, position)
                self.terminal.append(value)
            if self.has_player:
                self.owner.append(player_of(self.game, position))
            if not value:
                indices.extend(self._row(position))
            indptr.append(len(indices))
        return len(indptr) - before == count

    def _row(self, position: Any) -> list[int]:
        """Return the numbers of the targets of the moves from a position.

        The fast path assumes that the rules keep their contract. If they do not, the rules are called
        again with every check, to raise the right error.
        """
        number, canonical = self.number, self.game.canonical
        row: list[int] = []
        failed: Exception | None = None
        try:
            moves = self.game.moves(position)
            if moves.__class__ is not list:
                moves = list(islice(iter(moves), MAX_MOVES + 1))
            for move in moves if len(moves) <= MAX_MOVES else ():
                name, target = move
                if move.__class__ is not tuple or name.__class__ is not str:
                    break
                row.append(number[canonical(target) if self.has_symmetry else target])
            if len(row) == len(moves):
                return row
        except RulesError:
            raise
        except Exception as error:
            failed = error
        targets = [target for _, target in moves_of(self.game, position)]
        if self.has_symmetry:
            targets = [_canonical(self.game, target) for target in targets]
        row = [number.of(target, position) for target in targets]
        if failed is not None:  # raised by the first call only, which is an error of the rules too
            raise rules_error(self.game, "moves", (position,), failed) from failed
        return row

    def rows(self) -> tuple[IntArray, IntArray, ByteArray | None, ByteArray | None]:
        """Return the CSR arrays, the owners and the terminal values."""
        return (
            np.array(self.indptr, index_dtype(len(self.indices))),
            np.frombuffer(self.indices, np.int32) if self.indices else np.zeros(0, np.int32),
            np.frombuffer(self.owner, np.uint8) if self.has_player else None,
            np.frombuffer(self.terminal, np.uint8) if self.has_terminal else None,
        )


def _canonical(game: Game, position: Any) -> Any:
    """Return the representative of a position."""
    return call_rule(game, "canonical", position)


def moves_of(game: Game, position: Any) -> list[tuple[str, Hashable]]:
    """Return the moves from a position as a list, each checked to be a name and a position.

    Raises
    ------
    RulesError
    """
    returned = call_rule(game, "moves", position)
    try:
        iterator = iter(returned)
    except TypeError:
        raise RulesError(
            f"moves({position!r}) gave {returned!r}: expected pairs (name, position)"
        ) from None
    try:
        moves = list(islice(iterator, MAX_MOVES + 1))
    except Exception as error:
        raise rules_error(game, "moves", (position,), error) from error
    if len(moves) > MAX_MOVES:
        raise RulesError(f"moves({position!r}) gave over {MAX_MOVES} moves: does it ever end?")
    for move in moves:
        if not (isinstance(move, tuple) and len(move) == 2 and isinstance(move[0], str)):
            raise RulesError(f"moves({position!r}) gave {move!r}: expected a pair (name, position)")
    return moves


def terminal_code(game: Game, position: Any) -> int:
    """Return the terminal value of a position, 0 if the game is not over. Raises RulesError."""
    value = call_rule(game, "terminal", position)
    if value is None:
        return 0
    if not isinstance(value, Value) or value is Value.DRAW:
        raise RulesError(
            f"terminal({position!r}) gave {value!r}: expected Value.WIN, LOSS, TIE or None"
        )
    return value


def player_of(game: Game, position: Any) -> int:
    """Return the player to move, 0 or 1. Raises RulesError."""
    player = call_rule(game, "player", position)
    if isinstance(player, bool) or player not in (0, 1):
        raise RulesError(f"player({position!r}) gave {player!r}: expected 0 or 1")
    return int(player)


def call_rule(game: Game, rule: str, *position: Any) -> Any:
    """Call one of the author's rules. Raises RulesError with the position for an exception in it."""
    try:
        return getattr(game, rule)(*position)
    except Exception as error:
        raise rules_error(game, rule, position, error) from error


def rules_error(game: Game, rule: str, position: tuple[Any, ...], error: Exception) -> RulesError:
    """Return the error for an exception in one of the author's rules."""
    arguments = ", ".join(repr(p) for p in position)
    what = f"{type(error).__name__}: {error}"
    return RulesError(f"{type(game).__name__}.{rule}({arguments}) raised {what}")
