"""Expanding positions: the results of an author's rules for a batch of positions at a time."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from operator import countOf, length_hint
from typing import Any, NamedTuple

from retrosolve.errors import RulesError
from retrosolve.rules.calls import (
    MAX_MOVES,
    broken,
    canonical_of,
    checked_moves,
    is_pair,
    player_of,
    rules_error,
    terminal_code,
)
from retrosolve.rules.contract import Game
from retrosolve.values import Value

BATCH = 256  # positions; their moves then fit into the second-level cache
MOVES_PER_BATCH = 1 << 10  # more of them leave the cache and wake the garbage collector
FEW_MOVES = MOVES_PER_BATCH * 3 // 4  # of a batch, which then grows
CODES = {id(None): 0} | {id(value): int(value) for value in (Value.WIN, Value.LOSS, Value.TIE)}


class Expansion(NamedTuple):
    """The results of the rules for the first positions of a batch.

    Parameters
    ----------
    degrees : array of int32 [k]
        The number of moves of each position.
    moves : list
        The moves, position by position: pairs of a name and a target, or targets alone, which are the
        representatives of the positions that moves lead to.
    paired : bool
        Whether moves are pairs.
    terminal, owner : bytes [k] or None
        Terminal values and players to move; None if the rules do not define them.
    """

    degrees: array[int]
    moves: list[Any]
    paired: bool
    terminal: bytes | None
    owner: bytes | None

    def targets(self) -> list[Any]:
        """Return the targets of all moves. Raises ValueError for a move that is no pair."""
        return [target for _, target in self.moves] if self.paired else self.moves


class Expander:
    """Calls the rules for batches of positions.

    The first positions are expanded with every check of each result. After that whole batches are
    checked at once, and a batch that fails is expanded again with every check, to raise the error that
    names the position.

    Parameters
    ----------
    game : Game
    named : bool, optional
        Whether moves are pairs with a name; by default what the first moves are.
    kind : type, optional
        The type of most positions, if moves are positions alone.

    Attributes
    ----------
    batch_size : int
        A good number of positions for a batch: few if they have many moves.
    """

    def __init__(self, game: Game, named: bool | None = None, kind: type | None = None) -> None:
        self.game = game
        self.named = named
        self.has_player, self.has_terminal = game.implements("player"), game.implements("terminal")
        self.has_symmetry = game.implements("canonical")
        self._kind = kind
        self._call: tuple[str, Sequence[Any], Iterator[Any]] = ("moves", (), iter(()))
        self.batch_size = BATCH

    def copy(self) -> Expander:
        """Return an expander of the same game that expects moves of the same form."""
        return Expander(self.game, self.named, self._kind)

    def expand(self, batch: Sequence[Any]) -> Expansion:
        """Return the results for the first positions of a batch, for all unless they have many moves.

        Raises
        ------
        RulesError
            For rules that break their contract, with the first position that shows it.
        """
        if self.named is None:
            return self.expand_checked(batch)
        failed: Exception | None = None
        try:
            expansion = self._expand_fast(batch)
            if expansion is not None:
                done, moves = len(expansion.degrees), len(expansion.moves)
                if moves > MOVES_PER_BATCH:
                    self.batch_size = max(1, done * MOVES_PER_BATCH // moves)
                elif done == self.batch_size < BATCH and moves < FEW_MOVES:
                    self.batch_size = min(BATCH, 2 * done, done * MOVES_PER_BATCH // max(moves, 1))
                return expansion
        except RulesError:
            raise
        except Exception as error:
            failed = error
        rule, positions, iterator = self._call
        expansion = self.expand_checked(batch)
        if failed is not None:  # raised by the first call only, which is an error of the rules too
            position = positions[len(positions) - length_hint(iterator) - 1]
            raise rules_error(self.game, rule, (position,), failed) from failed
        return expansion

    def expand_one(self, position: Any) -> tuple[list[Any], int, int]:
        """Return the targets of a position, its terminal value and its player, 0 if there are none.

        Takes a quarter of the time of a batch of one. Raises RulesError like :meth:`expand`.
        """
        game, rule = self.game, "terminal"
        failed: Exception | None = None
        code: int | None = 0
        player = 0
        try:
            if self.has_terminal:
                code = CODES.get(id(game.terminal(position)))
            if self.has_player:
                rule = "player"
                player = game.player(position)
                if player.__class__ is not int or not 0 <= player <= 1:
                    code = None
            if code is not None:
                rule = "moves"
                row = [] if code else game.moves(position)
                if row.__class__ is not list:
                    row = list(islice(row, MAX_MOVES + 1))
                if self.named:
                    targets = [m[1] for m in row if m.__class__ is tuple and len(m) == 2]
                else:
                    targets = row if self._expected(row) else []
                if len(targets) == len(row) <= MAX_MOVES:
                    if self.has_symmetry:
                        rule = "canonical"
                        targets = [game.canonical(target) for target in targets]
                    return targets, code, player
        except Exception as error:
            failed = error
        expansion = self.expand_checked([position])
        if failed is not None:
            raise rules_error(game, rule, (position,), failed) from failed
        return expansion.moves, (expansion.terminal or b"\0")[0], (expansion.owner or b"\0")[0]

    def expand_checked(self, batch: Sequence[Any]) -> Expansion:
        """Return the results for a batch, each checked by itself. Raises RulesError."""
        game = self.game
        degrees, targets = array("i"), []
        terminal, owner = bytearray(), bytearray()
        for position in batch:
            code = terminal_code(game, position) if self.has_terminal else 0
            terminal.append(code)
            if self.has_player:
                owner.append(player_of(game, position))
            row = [] if code else self._checked_targets(position)
            targets += row
            degrees.append(len(row))
            if len(targets) > MOVES_PER_BATCH:
                break
        return Expansion(
            degrees,
            targets,
            False,
            bytes(terminal) if self.has_terminal else None,
            bytes(owner) if self.has_player else None,
        )

    def _checked_targets(self, position: Any) -> list[Any]:
        """Return the targets of the moves from a position. Raises RulesError."""
        moves, named = checked_moves(self.game, position)
        if moves and self.named is None:
            self.named, self._kind = named, type(moves[0])
        if moves and named != self.named:
            with_, without = ("with", "without") if named else ("without", "with")
            broken(
                self.game,
                f"moves({position!r}) gave {moves[0]!r}, {with_} a name, and other positions gave "
                f"moves {without}: expected pairs (name, position) everywhere, or nowhere",
            )
        targets = [target for _, target in moves] if named else moves
        return [canonical_of(self.game, t) for t in targets] if self.has_symmetry else targets

    def _expand_fast(self, batch: Sequence[Any]) -> Expansion | None:
        """Return the results for a batch; None if one of them is not as expected."""
        terminal = owner = None
        todo = batch
        if self.has_terminal:
            codes = map(CODES.get, map(id, self._each("terminal", batch)))
            values = [code for code in codes if code is not None]
            if len(values) < len(batch):
                return None
            terminal = bytes(values)
            if any(values):
                todo = [position for position, value in zip(batch, values, strict=True) if not value]
        if self.has_player:
            players = self._each("player", batch)
            if len(players) < len(batch) or set(map(type, players)) != {int}:
                return None
            if not 0 <= min(players) <= max(players) <= 1:
                return None
            owner = bytes(players)
        moves, degrees = self._moves(todo)
        if max(degrees, default=0) > MAX_MOVES or not self._expected(moves):
            return None
        paired = bool(self.named)
        if self.has_symmetry:
            targets = [target for _, target in moves] if paired else moves
            moves, paired = self._each("canonical", targets), False
            if len(moves) < len(targets):
                return None
        if terminal is not None and todo is not batch:
            degrees = _spread(degrees, terminal)
        done = len(degrees)
        return Expansion(degrees, moves, paired, terminal and terminal[:done], owner and owner[:done])

    def _moves(self, todo: Sequence[Any]) -> tuple[list[Any], array[int]]:
        """Return the moves of the first positions and their numbers."""
        moves: list[Any] = []
        degrees = array("i")
        rule = self.game.moves
        for position in self._positions("moves", todo):
            row = rule(position)
            if row.__class__ is not list:
                row = list(islice(row, MAX_MOVES + 1))
            moves += row
            degrees.append(len(row))
            if len(moves) > MOVES_PER_BATCH:
                break
        return moves, degrees

    def _expected(self, moves: list[Any]) -> bool:
        """Return whether all moves are of the expected form; of pairs, only whether they are tuples."""
        kind: Any = tuple if self.named else self._kind
        if countOf(map(type, moves), kind) < len(moves):  # half the time of a set of types
            return False
        return bool(self.named) or not issubclass(kind, tuple) or not any(map(is_pair, moves))

    def _each(self, rule: str, positions: Sequence[Any]) -> list[Any]:
        """Return the result of a rule for each position."""
        call: Callable[[Any], Any] = getattr(self.game, rule)
        return list(map(call, self._positions(rule, positions)))

    def _positions(self, rule: str, positions: Sequence[Any]) -> Iterator[Any]:
        """Return an iterator over positions that says, after an exception, which was the last."""
        iterator = iter(positions)
        self._call = rule, positions, iterator
        return iterator


def _spread(degrees: array[int], terminal: bytes) -> array[int]:
    """Return the degrees of all positions from those of the ones that are not terminal.

    Stops at the first position that was not asked for its moves.
    """
    spread = array("i")
    in_order = iter(degrees)
    for code in terminal:
        degree = 0 if code else next(in_order, -1)
        if degree < 0:
            break
        spread.append(degree)
    return spread
