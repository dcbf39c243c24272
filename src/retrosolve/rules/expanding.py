"""Expanding positions: the results of an author's rules for a batch of positions at a time."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from operator import length_hint
from typing import TYPE_CHECKING, Any, NamedTuple

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
from retrosolve.values import Value

if TYPE_CHECKING:
    from retrosolve.rules.game import Game

BATCH = 256  # positions; their moves then fit into the second-level cache
MOVES_PER_BATCH = 1 << 10  # more of them leave the cache and wake the garbage collector
CODES = {id(None): 0} | {id(value): int(value) for value in (Value.WIN, Value.LOSS, Value.TIE)}


class Expansion(NamedTuple):
    """The results of the rules for the first positions of a batch.

    Parameters
    ----------
    degrees : array of int32 [k]
        The number of moves of each position.
    targets : list of hashable
        The representatives of the positions that moves lead to, position by position.
    terminal, owner : bytes [k] or None
        Terminal values and players to move; None if the rules do not define them.
    """

    degrees: array[int]
    targets: list[Any]
    terminal: bytes | None
    owner: bytes | None


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
        The type of positions, if moves are positions alone.
    """

    def __init__(self, game: Game, named: bool | None = None, kind: type | None = None) -> None:
        self.game = game
        self.named = named
        self.has_player, self.has_terminal = game.implements("player"), game.implements("terminal")
        self.has_symmetry = game.implements("canonical")
        self._kind = kind
        self._call = _Call("moves", ())
        self._moves_per_position = 1.0

    def copy(self) -> Expander:
        """Return an expander of the same game that expects moves of the same form."""
        return Expander(self.game, self.named, self._kind)

    @property
    def batch_size(self) -> int:
        """The number of positions of a batch: few if they have many moves."""
        return max(1, min(BATCH, int(MOVES_PER_BATCH / self._moves_per_position)))

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
            found = self._expand_fast(batch)
            if found is not None:
                self._moves_per_position = 1 + len(found.targets) / len(found.degrees)
                return found
        except RulesError:
            raise
        except Exception as error:
            failed = error
        call = self._call
        found = self.expand_checked(batch)
        if failed is not None:  # raised by the first call only, which is an error of the rules too
            raise rules_error(self.game, call.rule, (call.position,), failed) from failed
        return found

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
            found = [] if code else self._checked_targets(position)
            targets += found
            degrees.append(len(found))
            if len(targets) > MOVES_PER_BATCH:
                break
        return Expansion(
            degrees,
            targets,
            bytes(terminal) if self.has_terminal else None,
            bytes(owner) if self.has_player else None,
        )

    def _checked_targets(self, position: Any) -> list[Any]:
        """Return the targets of the moves from a position. Raises RulesError."""
        moves, named = checked_moves(self.game, position)
        if moves and self.named is None:
            self.named, self._kind = named, type(position)
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
        targets = self._targets(moves)
        if targets is None or max(degrees, default=0) > MAX_MOVES:
            return None
        if self.has_symmetry:
            forms = self._each("canonical", targets)
            if len(forms) < len(targets):
                return None
            targets = forms
        if terminal is not None and todo is not batch:
            degrees = _spread(degrees, terminal)
        done = len(degrees)
        return Expansion(degrees, targets, terminal and terminal[:done], owner and owner[:done])

    def _moves(self, todo: Sequence[Any]) -> tuple[list[Any], array[int]]:
        """Return the moves of the first positions and their numbers."""
        rule = self.game.moves
        moves: list[Any] = []
        degrees = array("i")
        for position in self._positions("moves", todo):
            row = rule(position)
            if row.__class__ is not list:
                row = list(islice(row, MAX_MOVES + 1))
            moves.extend(row)
            degrees.append(len(row))
            if len(moves) > MOVES_PER_BATCH:
                break
        return moves, degrees

    def _targets(self, moves: list[Any]) -> list[Any] | None:
        """Return the targets of moves; None unless all moves are of the same form."""
        kinds = set(map(type, moves))
        if self.named:
            if kinds - {tuple}:
                return None
            try:
                return [target for _, target in moves]
            except ValueError:
                return None
        if kinds - {self._kind} or (self._kind is tuple and any(map(is_pair, moves))):
            return None
        return moves

    def _each(self, rule: str, positions: Sequence[Any]) -> list[Any]:
        """Return the result of a rule for each position."""
        call: Callable[[Any], Any] = getattr(self.game, rule)
        return list(map(call, self._positions(rule, positions)))

    def _positions(self, rule: str, positions: Sequence[Any]) -> Iterator[Any]:
        """Return an iterator over positions that says, after an exception, which was the last."""
        self._call = _Call(rule, positions)
        return self._call.iterator


class _Call:
    """A rule and the positions that it is called with."""

    def __init__(self, rule: str, positions: Sequence[Any]) -> None:
        self.rule = rule
        self.positions = positions
        self.iterator = iter(positions)

    @property
    def position(self) -> Any:
        """The position of the latest call."""
        return self.positions[len(self.positions) - length_hint(self.iterator) - 1]


def _spread(degrees: array[int], terminal: bytes) -> array[int]:
    """Return the degrees of all positions from those of the ones that are not terminal.

    Stops at the first position that was not asked for its moves.
    """
    spread = array("i")
    known = iter(degrees)
    for code in terminal:
        degree = 0 if code else next(known, -1)
        if degree < 0:
            break
        spread.append(degree)
    return spread
