"""Calls of an author's rules with every check: each error names the position that shows it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import islice
from numbers import Number
from typing import Any, NoReturn

from retrosolve.errors import LimitError, RulesError
from retrosolve.rules.contract import CompiledGame, Game
from retrosolve.runtime.places import error_place, function_place
from retrosolve.values import Value

AnyGame = Game | CompiledGame

MAX_MOVES = 1_000_000
PAIR = "a pair (name, position)"
NOT_HASHABLE = "which cannot be hashed: expected a hashable position"
BASES = (Number, str, bytes, tuple, frozenset)
USUAL: dict[type, type] = {int: Number, str: str, tuple: tuple}  # decided without a look at BASES


def moves_of(game: Game, position: Any) -> list[tuple[str, Hashable]]:
    """Return the name and the target of each move from a position.

    Raises
    ------
    RulesError
        Unless the moves are pairs of a name and a position, or all of them positions alone.
    """
    moves, named = checked_moves(game, position)
    if not named:
        return [(call_rule(game, "text", target), target) for target in moves]
    try:
        return [(str(name), target) for name, target in moves]
    except Exception as error:
        raise rules_error(game, "moves", (position,), error) from error


def targets_of(game: Game, position: Any) -> list[Any]:
    """Return the targets of the moves from a position. Raises RulesError like :func:`moves_of`."""
    moves, named = checked_moves(game, position)
    return [target for _, target in moves] if named else moves


def checked_moves(game: Game, position: Any) -> tuple[list[Any], bool | None]:
    """Return the moves from a position, and whether they have names; None without moves.

    Raises
    ------
    RulesError
        For moves of any other form, and for pairs that may be positions themselves.
    """
    moves = _listed(game, position)
    pairs = sum(map(is_pair, moves))
    if not moves:
        return moves, None
    if not pairs:
        base = _base(type(position))
        for move in moves:
            if _base(type(move)) is not base:
                alone = f"a position alone, of the type {type(position).__name__} like {position!r}"
                broken(game, f"moves({position!r}) gave {move!r}: expected {PAIR}, or {alone}")
        return moves, False
    if pairs < len(moves):
        move = next(move for move in moves if not is_pair(move))
        pair = next(filter(is_pair, moves))
        both = f"moves({position!r}) gave {move!r} and {pair!r}"
        broken(game, f"{both}: expected {PAIR} for every move, or for none")
    kinds = _kinds(position)
    for move in moves:
        if _kinds(move) == kinds != _kinds(move[1]):
            either = (
                f"moves({position!r}) gave {move!r}, which may be a position or a name and a position"
            )
            why = "because positions of this game can be pairs themselves"
            broken(game, f"{either}: expected {PAIR}, {why}")
    return moves, True


def is_pair(move: Any) -> bool:
    """Return whether a move is a tuple of two, which is read as a name and a position."""
    return isinstance(move, tuple) and len(move) == 2


def _base(kind: type) -> type:
    """Return the type that positions share if they can be equal: of all numbers, of all texts."""
    return USUAL.get(kind) or next((base for base in BASES if issubclass(kind, base)), kind)


def _kinds(item: Any) -> Any:
    """Return the base of a position, for a tuple the set of the bases in it."""
    if isinstance(item, tuple):
        return set(map(_base, map(type, item)))
    return _base(type(item))


def _listed(game: Game, position: Any) -> list[Any]:
    """Return the moves from a position as a list, at most ``MAX_MOVES``."""
    returned = call_rule(game, "moves", position)
    try:
        iterator = iter(returned)
    except TypeError:
        broken(game, f"moves({position!r}) gave {returned!r}: expected pairs (name, position)")
    try:
        moves = list(islice(iterator, MAX_MOVES + 1))
    except Exception as error:
        raise rules_error(game, "moves", (position,), error) from error
    if len(moves) > MAX_MOVES:
        broken(game, f"moves({position!r}) gave over {MAX_MOVES} moves: does it ever end?")
    return moves


def start_positions(game: Game) -> list[Any]:
    """Return the starts as a list. Raises RulesError."""
    starts = call_rule(game, "starts")
    try:
        return list(starts)
    except TypeError:
        broken(game, f"starts() gave {starts!r}: expected positions to start from", "starts")
    except Exception as error:
        raise rules_error(game, "starts", (), error) from error


def hashable(game: Game, target: Any, source: Any, rule: str = "moves") -> Any:
    """Return a position that ``source`` leads to. Raises RulesError if it cannot be hashed."""
    try:
        hash(target)
    except TypeError:
        broken(game, f"{source!r} leads to {target!r}, {NOT_HASHABLE}", rule)
    return target


def canonical_of(game: Game, position: Any) -> Any:
    """Return the representative of a position. Raises RulesError if it cannot be hashed."""
    form = call_rule(game, "canonical", position)
    try:
        hash(form)
    except TypeError:
        broken(game, f"canonical({position!r}) gave {form!r}, {NOT_HASHABLE}", "canonical")
    return form


def terminal_code(game: Game, position: Any) -> int:
    """Return the terminal value of a position, 0 if the game is not over. Raises RulesError."""
    value = call_rule(game, "terminal", position)
    if value is None:
        return 0
    if not isinstance(value, Value) or value is Value.DRAW:
        values = "Value.WIN, LOSS, TIE or None"
        broken(game, f"terminal({position!r}) gave {value!r}: expected {values}", "terminal")
    return value


def player_of(game: Game, position: Any) -> int:
    """Return the player to move, 0 or 1. Raises RulesError."""
    player = call_rule(game, "player", position)
    if isinstance(player, bool) or player not in (0, 1):
        broken(game, f"player({position!r}) gave {player!r}: expected 0 or 1", "player")
    return int(player)


def call_rule(game: AnyGame, rule: str, *position: Any) -> Any:
    """Call one of the author's rules. Raises RulesError with the position for an exception in it."""
    try:
        return getattr(game, rule)(*position)
    except Exception as error:
        raise rules_error(game, rule, position, error) from error


def rules_error(game: AnyGame, rule: str, position: Iterable[Any], error: Exception) -> RulesError:
    """Return the error for an exception in one of the author's rules, with its file and line."""
    return raised(f"{type(game).__name__}.{rule}({', '.join(map(repr, position))})", error)


def changed_result(rule: str, position: Any, before: Any, after: Any) -> RulesError:
    """Return the error for a rule that says one thing and then another."""
    return RulesError(
        f"{rule}({position!r}) gave {before!r} and then {after!r}: expected the same each time"
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
