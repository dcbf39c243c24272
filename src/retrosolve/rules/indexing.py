"""Generated spaces of compiled games: specialised kernels, and positions explored if needed."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from retrosolve.arrays import IntArray, index_dtype
from retrosolve.compilation.specialize import SpecializedKernels
from retrosolve.errors import RulesError
from retrosolve.kernels import (
    checked,
    generated,
    generated_sweep,
    hash_index,
    moves,
    placeholders,
    proof,
)
from retrosolve.kernels.words import word_dtype
from retrosolve.rules.checks.compiled import smoke_test
from retrosolve.runtime import memory
from retrosolve.runtime.context import Context
from retrosolve.runtime.places import error_place, function_place
from retrosolve.runtime.progress import Progress, ProgressCallback
from retrosolve.spaces.faults import call_rules, complete_fault, first_exception
from retrosolve.spaces.generated import GeneratedSpace
from retrosolve.spaces.graph import Graph

if TYPE_CHECKING:
    from retrosolve.rules.compiled import CompiledGame

_insert: Any = hash_index.insert

RULES = ("successors", "terminal", "rank", "unrank", "predecessors", "canonical", "player")
LARGEST_POSITION = 2**63 - 1
INITIAL_CAPACITY = 1 << 10
POSITIONS_PER_REPORT = 1 << 20
MAX_LOAD_FACTOR = 0.7  # at this load a successful lookup takes about two probes


def indexed_space(game: CompiledGame) -> GeneratedSpace:
    """Return the space of a game with a dense index.

    Before anything is compiled the rules are tested on a few positions as plain Python.

    Raises
    ------
    RulesError
        For rules that break their contract.
    """
    size = _whole(game, "size", game.size, 1)
    tiers = (0,) if game.tiers is None else tuple(int(first) for first in game.tiers)
    if tiers[0] != 0 or any(a >= b for a, b in zip(tiers, (*tiers[1:], size), strict=True)):
        raise RulesError(
            f"{_name(game)}.tiers is {tiers}: expected rising indices from 0, all below {size}"
        )
    space = GeneratedSpace(
        _name(game), _kernels(game, False), game.compiled_data, game, size, _max_moves(game),
        _max_predecessors(game), (), tiers, game.implements("player"),
        initial_indices=_starts(game, size) if game.reachable_only else (),
    )  # fmt: skip
    if space.kernels.compiles(space.work):
        smoke_test(game)
    return space


def _starts(game: CompiledGame, size: int) -> tuple[int, ...]:
    """Return the indices of the starts of a game, ascending."""
    indices = set()
    for position in _author_starts(game):
        index = game.rank(_canonical(game, position), game.plain_data)
        if not 0 <= index < size:
            raise RulesError(
                f"{_name(game)}.rank({position}) gave {index}: "
                f"expected a whole number below {size}{function_place(type(game).rank)}"
            )
        indices.add(int(index))
    if not indices:
        raise RulesError(f"{_name(game)} starts from nowhere: expected a position, for reachable_only")
    return tuple(sorted(indices))


def _author_starts(game: CompiledGame) -> list[Any]:
    """Return the positions from ``starts``. Raises RulesError for an exception in it."""
    try:
        return list(game.starts())
    except Exception as error:
        what = f"{type(error).__name__}: {error}{error_place(error)}"
        raise RulesError(f"{_name(game)}.starts() raised {what}") from error


def _canonical(game: CompiledGame, position: Any) -> int:
    """Return the canonical form of a start."""
    if not isinstance(position, int | np.integer) or not 0 <= position <= LARGEST_POSITION:
        raise RulesError(f"{_name(game)} starts from {position!r}: expected a whole number below 2^63")
    return int(game.canonical(int(position), game.plain_data))


def explored_space(
    game: CompiledGame, context: Context, limit: int | None = None, stored: bool = True
) -> GeneratedSpace:
    """Return the space of all positions reachable from the starts.

    Parameters
    ----------
    game : CompiledGame
    context : Context
    limit : int, optional
        The largest number of positions.
    stored : bool
        Whether to store the edges.

    Returns
    -------
    GeneratedSpace

    Raises
    ------
    RulesError
        For more than ``limit`` positions, and for rules that break their contract.
    MemoryBudgetError
        If the positions exceed the memory budget.

    Notes
    -----
    Takes 8 bytes per position, 4 per slot of a hash table that is at most 70 % full, and 4 bytes per
    edge if they are stored.
    """
    search = _Search(game, _kernels(game, True), stored)
    search.run(limit, context.progress)
    n = search.tail
    space = _hashed(game, search.kernels, search.order[:n].copy(), search.table, search.edges)
    if not stored:
        return space
    edges: Any = search.indices[: search.edges]
    indptr: IntArray = search.indptr[: n + 1].astype(index_dtype(search.edges))
    owner = space.player(np.arange(n)) if space.owned else None
    return replace(space, csr=Graph(indptr, edges, owner, search.terminals[:n]))


def restored_space(game: CompiledGame, positions: IntArray) -> GeneratedSpace:
    """Return the space of positions that were explored before, in their saved order."""
    kernels = _kernels(game, True)
    order: IntArray = np.array(positions, np.int64)
    table: IntArray = np.full(_table_size(len(order)), -1, index_dtype(len(order)))
    kernels.run("rehash", len(order) * 8, order, len(order), table)
    return _hashed(game, kernels, order, table, None)


def _hashed(
    game: CompiledGame, kernels: SpecializedKernels, order: IntArray, table: IntArray, edges: int | None
) -> GeneratedSpace:
    """Return the space of explored positions and a hash table over them."""
    return GeneratedSpace(
        _name(game), kernels, game.compiled_data, game, len(order), _max_moves(game),
        _max_predecessors(game), (order, table), (0,), game.implements("player"), known_edges=edges,
    )  # fmt: skip


def check_declarations(game: CompiledGame) -> None:
    """Raise RulesError unless the functions, bounds and data of a game can be explored."""
    _kernels(game, True), _max_moves(game), _max_predecessors(game)


class _Search:
    """A breadth-first search: the positions discovered so far, in growing arrays."""

    def __init__(self, game: CompiledGame, kernels: SpecializedKernels, stored: bool) -> None:
        self.game = game
        self.kernels = kernels
        self.stored = stored
        self.max_moves = _max_moves(game)
        room = INITIAL_CAPACITY + 2 * self.max_moves
        self.order: IntArray = np.empty(room, np.int64)
        self.terminals = np.empty(room, np.uint8)
        self.indptr: IntArray = np.zeros(room + 1 if stored else 1, np.int64)
        self.indices: Any = np.empty(4 * room if stored else 1, np.int32)
        self.table: IntArray = np.full(_table_size(room), -1, np.int32)
        self.head = self.tail = self.edges = 0

    def run(self, limit: int | None, report: ProgressCallback) -> None:
        """Search until no new position is discovered."""
        starts = sorted({_canonical(self.game, p) for p in _author_starts(self.game)})
        if len(starts) + self.max_moves > len(self.order):
            self._grow(2 * len(starts) + self.max_moves)
        self.tail = _insert(np.array(starts, np.int64), self.order, 0, self.table)
        while self.head < self.tail:
            stop = min(limit or LARGEST_POSITION, self.tail + POSITIONS_PER_REPORT)
            search = (self.order, self.table, self.head, self.tail, stop, self.terminals)
            rows = (self.indptr, self.indices, self.edges, self.stored)
            self.head, self.tail, self.edges = call_rules(
                _name(self.game), self.kernels, "breadth_first", self.tail * 8, *search, *rows,
                self.max_moves, self._arguments(self.kernels.compiles(self.tail * 8))[0],
                locate=self._locate, retrace=self._retrace,
            )  # fmt: skip
            if limit is not None and self.tail > limit:
                raise RulesError(f"more than {limit} positions, the limit given")
            memory.check_headroom(f"{self.tail} positions were found and there are more")
            report(Progress("finding positions", self.head, None))
            self._ensure_capacity()

    def _arguments(self, compiled: bool) -> tuple[Any, tuple[IntArray, ...]]:
        """Return the data and the index table as arguments of compiled or of plain functions."""
        data = self.game.compiled_data if compiled else self.game.plain_data
        return data, (self.order, self.table)

    def _locate(self, fault: IntArray) -> None:
        """Complete a fault of the rules with the position that shows it."""
        complete_fault(self.kernels, self._known(), self._arguments, fault)

    def _retrace(self) -> Exception | None:
        """Return the exception that the rules raise, as plain Python raises it."""
        return first_exception(self.kernels, self._known(), (self.max_moves, 0), self._arguments)

    def _known(self) -> IntArray:
        """Return packed words for the positions found so far, all of which are valid."""
        return np.zeros(self.tail, word_dtype(0))

    def _ensure_capacity(self) -> None:
        """Grow the arrays unless they hold the moves of one more position."""
        if self.tail + self.max_moves > len(self.order):
            self._grow(2 * len(self.order))
        if self.stored and self.edges + self.max_moves > len(self.indices):
            share = max(2.0, 1.1 * self.tail / max(self.head, 1)) if self.head else 2.0
            self.indices = _grown(self.indices, int(len(self.indices) * min(share, 4)) + self.max_moves)

    def _grow(self, room: int) -> None:
        """Grow the arrays to ``room`` positions."""
        memory.check_budget(room * (17 + 8 * self.stored), f"exploring {_name(self.game)}")
        self.order = _grown(self.order, room)
        self.terminals = _grown(self.terminals, room)
        if self.stored:
            self.indptr = _grown(self.indptr, room + 1)
        slots = _table_size(room)
        if slots > len(self.table):
            self.table = np.full(slots, -1, index_dtype(room))
            self.kernels.run("rehash", self.tail * 8, self.order, self.tail, self.table)


def _table_size(room: int) -> int:
    """Return the size of a hash table for ``room`` positions, a power of two."""
    return 1 << int(room / MAX_LOAD_FACTOR).bit_length()


def _grown(array: Any, length: int) -> Any:
    """Return a longer copy of an array, its tail uninitialised."""
    larger = np.empty(length, array.dtype)
    larger[: len(array)] = array
    return larger


def _kernels(game: CompiledGame, explores: bool) -> SpecializedKernels:
    """Return the kernels specialised to a game's functions."""
    if not game.implements("successors"):
        raise RulesError(f"{_name(game)} gives no successors(): expected one")
    functions = {name: getattr(type(game), name) for name in RULES if game.implements(name)}
    for name, function in functions.items():
        if not isinstance(inspect.getattr_static(type(game), name), staticmethod):
            place = function_place(function)
            raise RulesError(f"{_name(game)}.{name} is no static method: expected @staticmethod{place}")
    if ("rank" in functions) != ("unrank" in functions):
        raise RulesError(f"{_name(game)} gives one of rank() and unrank(): expected both or neither")
    overrides: dict[str, str] = {}
    if "player" in functions:
        overrides |= {"same_side": "owned_same_side", "player_is_valid": "owned_player_is_valid"}
    if explores or "rank" in functions:
        overrides["position_limit"] = "any_position"
    if explores:
        overrides |= {"index_of": "hashed_index_of", "position_of": "found_position"}
    elif game.reachable_only and "rank" in functions and not game.injective_rank:
        overrides["same_position"] = "reached_same_position"
    patterns = [placeholders, checked, proof, hash_index, generated, generated_sweep, moves]
    return SpecializedKernels(patterns, functions, overrides, game.compiled_data)


def _max_moves(game: CompiledGame) -> int:
    """Return ``max_moves``, checked."""
    return _whole(game, "max_moves", game.max_moves, 1)


def _max_predecessors(game: CompiledGame) -> int:
    """Return ``max_predecessors``, checked; 0 for a game without predecessors."""
    if not game.implements("predecessors"):
        return 0
    return _whole(game, "max_predecessors", game.max_predecessors, 1)


def _whole(game: CompiledGame, what: str, number: Any, least: int) -> int:
    """Return an integer attribute, checked to be at least ``least``."""
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < least:
        raise RulesError(f"{_name(game)}.{what} is {number!r}: expected a whole number above 0")
    return int(number)


def _name(game: CompiledGame) -> str:
    """Return the name of a game for error messages."""
    return type(game).__name__
