"""Calls of an author's rules: of one position with every check, and of a batch of positions at a time.

Each error names the position that shows it.
"""

from __future__ import annotations

import marshal
import pickle
from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence, Set
from contextlib import suppress
from copy import deepcopy
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import chain, islice
from math import copysign, inf
from numbers import Number
from operator import countOf, length_hint
from types import BuiltinFunctionType, FunctionType, MemberDescriptorType, ModuleType
from typing import Any, NamedTuple, NoReturn

from retrosolve.arrays import is_whole
from retrosolve.errors import LimitError, RulesError
from retrosolve.rules.contract import CompiledGame, Game
from retrosolve.runtime.files import safe_repr
from retrosolve.runtime.sources import error_place, function_place
from retrosolve.spaces.csr.validation import MAX_POINTS
from retrosolve.spaces.rule_positions import checked_text
from retrosolve.values import CHANCE, Mover, Value

AnyGame = Game | CompiledGame

MAX_MOVES = 1_000_000
MAX_STARTS = 1_000_000  # that checks look at
STARTS_BETWEEN_LOOKS = 1 << 12  # at limits, memory and time
PAIR = "a pair (name, position)"
NOT_HASHABLE = (
    "which cannot be hashed ({}): expected a hashable position, such as a tuple or a frozen dataclass"
)
BASES = (Number, str, bytes, tuple, frozenset)
UNCHANGING = frozenset({int, str, bytes, bool, type(None)})
WATCHED = 1000  # positions at which targets that seldom change are looked at
USUAL: dict[type, type] = {int: Number, str: str, tuple: tuple}  # decided without a look at BASES
BATCH = 256  # positions; their moves then fit into the second-level cache
MOVES_PER_BATCH = 1 << 10  # more of them leave the cache and wake the garbage collector
FEW_MOVES = MOVES_PER_BATCH * 3 // 4  # of a batch, which then grows
UINT32 = "I"  # filled from a list in a third of the time of "i"
CODES = {id(None): 0} | {id(value): int(value) for value in (Value.WIN, Value.LOSS, Value.TIE)}
PLAYERS = {id(player): int(player) for player in (0, 1, Mover.CHANCE)}


def moves_of(game: Game, position: Any, is_first: bool = False) -> list[tuple[str, Hashable]]:
    """Return the name and the target of each move from a position; see :func:`checked_moves`.

    Raises
    ------
    RulesError
        Unless the moves are pairs of a name and a position, or all of them positions alone.
    """
    moves, named = checked_moves(game, position, is_first)
    if not named:
        return [(text_of(game, target), target) for target in moves]
    try:
        return [(str(name), target) for name, target in moves]
    except Exception as error:
        raise rules_error(game, "moves", (position,), error) from error


def targets_of(game: Game, position: Any) -> list[Any]:
    """Return the targets of the moves from a position. Raises RulesError like :func:`moves_of`."""
    moves, named = checked_moves(game, position)
    return [target for _, target in moves] if named else moves


def checked_moves(game: Game, position: Any, is_first: bool = False) -> tuple[list[Any], bool | None]:
    """Return the moves from a position, and whether they have names; None without moves.

    Parameters
    ----------
    game : Game
    position : hashable
    is_first : bool
        Whether no moves of other positions have shown yet that pairs are a name and a position.

    Raises
    ------
    RulesError
        For moves of any other form, and for pairs that may be positions themselves.
    """
    returned = call_rule(game, "moves", position)
    try:
        iterator = iter(returned)
    except TypeError:
        broken(game, f"moves({safe_repr(position)}) gave {returned!r}: expected pairs (name, position)")
    try:
        moves = watched(game, position, iterator)
    except RulesError:
        raise
    except Exception as error:
        raise rules_error(game, "moves", (position,), error) from error
    if len(moves) > MAX_MOVES:
        broken(game, f"moves({safe_repr(position)}) gave over {MAX_MOVES} moves: does it ever end?")
    pairs = sum(map(is_pair, moves))
    if not moves:
        return moves, None
    if not pairs:
        base = _base(type(position))
        for move in moves:
            if _base(type(move)) is not base:
                shown, kind = safe_repr(position), type(position).__name__
                alone = f"a position alone, of the type {kind} like {shown}"
                broken(game, f"moves({shown}) gave {move!r}: expected {PAIR}, or {alone}")
        return moves, False
    if pairs < len(moves):
        move = next(move for move in moves if not is_pair(move))
        pair = next(filter(is_pair, moves))
        both = f"moves({safe_repr(position)}) gave {move!r} and {pair!r}"
        broken(game, f"{both}: expected {PAIR} for every move, or for none")
    if is_first and isinstance(position, tuple):  # else no position is a pair
        kinds = _kinds(position)
        for move in moves:
            if _kinds(move) == kinds != _kinds(move[1]):
                broken(
                    game,
                    f"moves({safe_repr(position)}) gave {move!r}, which may be a position or a name "
                    f"and a position: expected {PAIR}, because positions of this game can be pairs "
                    "themselves",
                )
    return moves, True


def is_pair(move: Any) -> bool:
    """Return whether a move is a tuple of two, which is read as a name and a position."""
    return isinstance(move, tuple) and len(move) == 2


def target_of(move: Any) -> Any:
    """Return the position that a move leads to."""
    return move[1] if is_pair(move) else move


def can_change(kind: type) -> bool:
    """Return whether objects of a type may be changed, as far as the type says."""
    frozen = is_dataclass(kind) and kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    return not frozen and not issubclass(kind, (*BASES, Enum, type(None)))


def watched(game: AnyGame, position: Any, moves: Iterator[Any]) -> list[Any]:
    """Return the moves that an iterator yields, MAX_MOVES + 1 at most.

    Rules may change one object, yield it and take the move back, as engines do: all their moves would
    lead to that object as it is in the end.

    Raises
    ------
    RulesError
        For a target whose hash is another one when the iterator has ended. A target that is the
        position, or was yielded before, is compared with a copy too: by ``==``, or by its attributes
        where it is equal to nothing else. And for moves that all lead to the very position, of a type
        that can change: a list of such moves looks like that.
    """
    kept: list[Any] = []
    before: list[tuple[Any, int, Any]] = []
    known = {id(position)}
    for move in islice(moves, MAX_MOVES + 1):
        kept.append(move)
        target = move[1] if move.__class__ is tuple and len(move) == 2 else move
        kind, copy = target.__class__, None
        if kind in UNCHANGING:
            continue
        try:
            number = hash(target)
        except TypeError:  # is refused where the target is looked up
            continue
        if kind is not tuple:
            if id(target) in known and can_change(kind):
                copy = _copied(target)
            known.add(id(target))
        before.append((target, number, copy))
    for target, number, copy in before:
        if hash(target) != number or (copy is not None and not _is_like(copy, target)):
            broken(
                game,
                f"moves({safe_repr(position)}) yielded {safe_repr(target)} and changed it afterwards: "
                "expected a copy for each move, made before it is yielded",
            )
    is_itself = len(kept) > 1 and target_of(kept[0]) is position and can_change(type(position))
    if is_itself and all(target_of(move) is position for move in kept):
        broken(
            game,
            f"moves({safe_repr(position)}) gave {len(kept)} moves to the very object that it was "
            "called with: expected a copy for each move, made before the move is taken back",
        )
    return kept


def _copied(target: Any) -> Any:
    """Return a copy to compare a target with later; None if that would show nothing."""
    with suppress(Exception):  # of the author's class
        equals: Any = type(target).__eq__
        if equals is object.__eq__:
            return pickle.dumps(target.__getstate__())
        copy = deepcopy(target)
        return copy if copy == target else None
    return None


def _is_like(copy: Any, target: Any) -> bool:
    """Return whether a target is still like its copy."""
    return bool(copy == (_copied(target) if isinstance(copy, bytes) else target))


def _base(kind: type) -> type:
    """Return the type that positions share if they can be equal: of all numbers, of all texts."""
    return USUAL.get(kind) or next((base for base in BASES if issubclass(kind, base)), kind)


def _kinds(item: Any) -> Any:
    """Return the base of a position, for a tuple the set of the bases in it."""
    if isinstance(item, tuple):
        return set(map(_base, map(type, item)))
    return _base(type(item))


def start_positions(game: AnyGame) -> Iterator[Any]:
    """Yield the starts, which may be without an end. Raises RulesError."""
    starts = call_rule(game, "starts")
    try:
        iterator = iter(starts)
    except TypeError:
        broken(game, f"starts() gave {starts!r}: expected positions to start from", "starts")
    while True:
        try:
            start = next(iterator)
        except StopIteration:
            return
        except Exception as error:
            raise rules_error(game, "starts", (), error) from error
        yield hashable(game, start, "start", "starts")


def hashable(game: AnyGame, target: Any, source: Any, rule: str = "moves") -> Any:
    """Return a position that ``source`` leads to. Raises RulesError if it cannot be hashed."""
    try:
        hash(target)
    except TypeError as error:
        broken(game, f"{source!r} leads to {target!r}, {NOT_HASHABLE.format(error)}", rule)
    return target


def canonical_of(game: Game, position: Any) -> Any:
    """Return the representative of a position. Raises RulesError if it cannot be hashed."""
    form = call_rule(game, "canonical", position)
    try:
        hash(form)
    except TypeError as error:
        given = f"canonical({safe_repr(position)}) gave {form!r}"
        broken(game, f"{given}, {NOT_HASHABLE.format(error)}", "canonical")
    return form


def terminal_code(game: Game, position: Any) -> int:
    """Return the terminal value of a position, 0 if the game is not over. Raises RulesError."""
    value = call_rule(game, "terminal", position)
    if value is None:
        return 0
    if not isinstance(value, Value) or value is Value.DRAW:
        values = "Value.WIN, LOSS, TIE or None"
        broken(game, f"terminal({safe_repr(position)}) gave {value!r}: expected {values}", "terminal")
    return value


def text_of(game: AnyGame, position: Any) -> str:
    """Return the text of a position. Raises RulesError."""
    return checked_text(game, position, call_rule(game, "text", position))


def points_of(game: Game, rule: str, *position: Any) -> int:
    """Return the result of ``payoff``, ``reward`` or ``weight``. Raises RulesError."""
    points: Any = call_rule(game, rule, *position)
    if not is_whole(points):
        call = f"{rule}({', '.join(map(safe_repr, position))})"
        broken(game, f"{call} gave {points!r}: expected a whole number", rule)
    if abs(int(points)) > MAX_POINTS:
        call = f"{rule}({', '.join(map(safe_repr, position))})"
        broken(game, f"{call} gave {points}: expected at most {MAX_POINTS}", rule)
    return int(points)


def player_of(game: Game, position: Any) -> int:
    """Return the player to move, 0 or 1, or CHANCE. Raises RulesError."""
    player = call_rule(game, "player", position)
    if player is Mover.CHANCE and game.throws_alone:
        return CHANCE
    if not is_whole(player) or player not in (0, 1):
        expected = "two players: 0 and 1; rs.CHANCE for dice" if game.throws_alone else "0 or 1"
        broken(game, f"player({safe_repr(position)}) gave {player!r}: expected {expected}", "player")
    return int(player)


def call_rule(game: AnyGame, rule: str, *position: Any) -> Any:
    """Call one of the author's rules. Raises RulesError with the position for an exception in it."""
    try:
        return getattr(game, rule)(*position)
    except Exception as error:
        raise rules_error(game, rule, position, error) from error


def rules_error(game: AnyGame, rule: str, position: Iterable[Any], error: Exception) -> RulesError:
    """Return the error for an exception in one of the author's rules, with its file and line."""
    return raised(f"{type(game).__name__}.{rule}({', '.join(map(safe_repr, position))})", error)


def changed_result(rule: str, position: Any, before: Any, after: Any) -> RulesError:
    """Return the error for a rule that says one thing and then another."""
    return RulesError(
        f"{rule}({safe_repr(position)}) gave {before!r} and then {after!r}: expected the same each time"
    )


def too_many(limit: int, known: int, explored: int) -> LimitError:
    """Return the error for a game with more positions than ``limit``."""
    return LimitError(
        f"the game has more than {limit} positions, the limit: {known} were found, "
        f"{explored} of them explored: expected a higher limit or a smaller game"
    )


def raised(call: str, error: Exception) -> RulesError:
    """Return the error for a call of an author's code that raised an exception."""
    return RulesError(f"{call} raised {type(error).__name__}: {error}{error_place(error)}")


def broken(game: AnyGame, sentence: str, rule: str = "moves") -> NoReturn:
    """Raise the error for a rule that breaks its contract, with its file and line."""
    raise RulesError(sentence + function_place(getattr(type(game), rule, None)))


# -- batches -----------------------------------------------------------------------------------------


class Expansion(NamedTuple):
    """The results of the rules for the first positions of a batch.

    Parameters
    ----------
    degrees : array of uint32 [k]
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
    settles : bool
        Whether ``moves`` gets positions as :func:`settled` returns them.
    watches : int
        The number of further positions whose targets are :func:`watched`; no number is too large where
        one is of a type that can change.
    """

    def __init__(self, game: Game, named: bool | None = None, kind: type | None = None) -> None:
        self.game = game
        self.named = named
        self.has_player, self.has_terminal = game.implements("player"), game.implements("terminal")
        self.has_symmetry = game.implements("canonical")
        self.settles = False
        self.watches: float = WATCHED
        self._fixed = {*UNCHANGING, tuple}
        self._kind = kind
        self._call: tuple[str, Sequence[Any], Iterator[Any]] = ("moves", (), iter(()))
        self.batch_size = BATCH

    def copy(self) -> Expander:
        """Return an expander of the same game that expects moves of the same form."""
        copy = Expander(self.game, self.named, self._kind)
        copy.settles, copy.watches = self.settles, self.watches
        return copy

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
                player = PLAYERS.get(id(game.player(position)), -1)
                if player < 0:
                    code = None
            if code is not None:
                rule = "moves"
                of = settled(position) if self.settles else position
                row = [] if code else game.moves(of)
                if row.__class__ is not list:
                    row = self._collected(of, row)
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
        degrees, targets = array(UINT32), []
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
        of = settled(position) if self.settles else position
        moves, named = checked_moves(self.game, of, is_first=not self.named)
        if moves and self.named is None:
            self.named, self._kind = named, type(moves[0])
        if moves and named != self.named:
            with_, without = ("with", "without") if named else ("without", "with")
            broken(
                self.game,
                f"moves({safe_repr(position)}) gave {moves[0]!r}, {with_} a name, and other positions "
                f"gave moves {without}: expected pairs (name, position) everywhere, or nowhere",
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
            if len(players) < len(batch) or not set(map(type, players)) <= {int, Mover}:
                return None
            highest = max(players)
            if not 0 <= min(players) <= highest <= CHANCE:
                return None
            if highest == CHANCE and countOf(map(type, players), Mover) < players.count(CHANCE):
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
        degrees = array(UINT32)
        rule = self.game.moves
        for position in self._positions("moves", todo):
            of = settled(position) if self.settles else position
            row = rule(of)
            if row.__class__ is not list:
                row = self._collected(of, row)
            moves += row
            degrees.append(len(row))
            if len(moves) > MOVES_PER_BATCH:
                break
        return moves, degrees

    def _collected(self, position: Any, moves: Iterable[Any]) -> list[Any]:
        """Return moves of another form as a list, MAX_MOVES + 1 at most."""
        if self.watches <= 0:
            return list(islice(moves, MAX_MOVES + 1))
        row = watched(self.game, position, iter(moves))
        self.watches -= 1
        kinds = {(move[1] if is_pair(move) else move).__class__ for move in row} - self._fixed
        if any(map(can_change, kinds)):
            self.watches = inf
        self._fixed |= kinds
        return row

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
    spread = array(UINT32)
    in_order = iter(degrees)
    for code in terminal:
        degree = 0 if code else next(in_order, -1)
        if degree < 0:
            break
        spread.append(degree)
    return spread


# -- positions ---------------------------------------------------------------------------------------

ATOMS = frozenset({int, str, bytes, bool})  # without items
SENT_BY_NAME = (Enum, type, FunctionType, BuiltinFunctionType, ModuleType)
SORTABLE = ({int}, {str}, {bytes})  # whose order depends on nothing but what they are


def settled(item: Any) -> Any:
    """Return a position whose sets are iterated in an order that only their items decide.

    Equal sets may be iterated in different orders, by the order in which items were put in; a copy in
    another process often is. Sets in tuples and sets are made anew, of sorted items: 1 to 3 us for a
    small one. Sets in other objects stay as they are.

    Examples
    --------
    >>> one, other = frozenset((8, 0)), frozenset((0, 8))
    >>> list(one), list(other), list(settled(one)), list(settled(other))
    ([8, 0], [0, 8], [0, 8], [0, 8])
    """
    if item.__class__ is frozenset:
        kinds = set(map(type, item))
        if kinds == {tuple}:
            kinds = set(map(type, chain.from_iterable(item)))
        if kinds in SORTABLE:
            return frozenset(sorted(item))
        try:
            return frozenset(sorted(map(settled, item), key=_content))
        except ValueError:  # of objects that marshal does not take
            return item
    if item.__class__ is tuple:
        return tuple([settled(part) for part in item])
    return item


def _content(item: Any) -> bytes:
    """Return an object as bytes that depend on nothing but what it is. Raises ValueError."""
    return marshal.dumps(item, 0)  # later versions note references, and which strings are interned


def holds_frozenset(items: Sequence[Any]) -> bool:
    """Return whether there is a frozenset among items, or among those of tuples."""
    while items:
        if frozenset in set(map(type, items)):
            return True
        items = list(chain.from_iterable(item for item in items if item.__class__ is tuple))
    return False


def holds_set(item: Any, is_settled: bool) -> bool:
    """Return whether an object holds a set, or one that :func:`settled` leaves as it is."""
    kind = type(item)
    if kind in ATOMS or isinstance(item, SENT_BY_NAME):
        return False
    if kind is frozenset and is_settled:
        try:
            _content(item)
        except ValueError:
            return True
        return False
    if isinstance(item, Set):
        return True
    is_settled &= kind is tuple
    if isinstance(item, tuple | list):
        return any(holds_set(part, is_settled) for part in item)
    if isinstance(item, dict):
        return any(holds_set(part, False) for part in chain(item, item.values()))
    members = chain.from_iterable(vars(base).values() for base in kind.__mro__)
    slots = (getattr(item, m.__name__, None) for m in members if isinstance(m, MemberDescriptorType))
    return any(holds_set(part, False) for part in (*getattr(item, "__dict__", {}).values(), *slots))


def identical(first: Any, second: Any) -> bool:
    """Return whether two objects are equal and of the same type, and so are the items in them.

    ``np.int64(5)`` and 5 are equal, and so the same position, but not identical. Items are those of
    tuples and frozensets and the compared fields of dataclasses; the sign of a zero counts. A NaN is
    identical to itself only, because no other NaN finds its position in a dictionary.

    Examples
    --------
    >>> identical((1, frozenset({2})), (1, frozenset({2})))
    True
    >>> identical((1, True), (1, 1))
    False
    """
    if first is second:
        return True
    kind = type(first)
    if kind is not type(second) or first != second:
        return False
    if kind in ATOMS:
        return True
    if isinstance(first, tuple):
        return all(map(identical, first, second))
    if isinstance(first, frozenset):
        equal = {item: item for item in second}
        return all(identical(item, equal[item]) for item in first)
    if isinstance(first, float):
        return copysign(1, first) == copysign(1, second)
    if is_dataclass(first):
        names = [field.name for field in fields(first) if field.compare]
        return all(identical(getattr(first, name), getattr(second, name)) for name in names)
    return True
