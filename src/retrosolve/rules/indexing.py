"""Generated spaces of compiled games: specialised kernels, and positions explored if needed.

A game with a dense index has all positions at once. Without one, :class:`Search` finds those reachable
from the starts, breadth-first and within the memory budget.
"""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import Any

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_dtype
from retrosolve.compilation.specialize import SpecializedKernels
from retrosolve.errors import LimitError, PositionError, RetrosolveError, RulesError
from retrosolve.kernels import checked, hash_index
from retrosolve.kernels.words import word_dtype
from retrosolve.rules import exploring
from retrosolve.rules.calls import raised
from retrosolve.rules.checks.compiled import smoke_test
from retrosolve.rules.contract import CompiledGame
from retrosolve.rules.interpreted import InterpretedGame
from retrosolve.runtime import memory, tuning
from retrosolve.runtime.context import Context
from retrosolve.runtime.places import function_place
from retrosolve.runtime.progress import Progress
from retrosolve.solvers import generated
from retrosolve.spaces.base import SizeEstimate
from retrosolve.spaces.faults import call_rules, complete_fault, first_exception
from retrosolve.spaces.generated import GeneratedSpace
from retrosolve.spaces.graph import Graph
from retrosolve.spaces.rule_positions import LARGEST_POSITION

RULES = (
    "successors", "terminal", "rank", "unrank", "predecessors", "canonical", "player", "survey",
    "predecessor_indices",
)  # fmt: skip
BYTES_PER_EXPLORED = 2 * (8 + 1 + 8) + 8  # order, value and row start, with room to grow, and the table
BYTES_PER_EDGE = 2 * 4
_insert: Any = hash_index.insert

INITIAL_CAPACITY = 1 << 10
FIRST_CHUNK, LARGEST_CHUNK = 1 << 12, 1 << 23  # edges
POSITIONS_PER_REPORT = 1 << 20
MAX_LOAD_FACTOR = 0.7  # at this load a successful lookup takes about two probes
BUDGET_STEPS = 512  # bytes of the budget for each position that a step may find
CHUNKS_PER_BUDGET = 64

# Bytes of a position besides the hash table: itself, and its word while moves are generated again; or
# with edges, itself, its terminal value and row start, which is copied. Solving then takes less.
BYTES_PER_POSITION = 8 + 2
BYTES_PER_STORED_POSITION = 8 + 1 + 8 + 4


def indexed_space(game: CompiledGame, tested: bool = False) -> GeneratedSpace:
    """Return the space of a game with a dense index.

    Before anything is compiled the rules are tested on a few positions as plain Python, unless they
    are known to work.

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
        component_size=_component_size(game, tiers, size),
    )  # fmt: skip
    if not tested and space.kernels.compiles(space.work):
        smoke_test(game)
    return space


def check_start(space: GeneratedSpace) -> None:
    """Raise RulesError if a game starts from what has no index: a solution could not be saved."""
    try:
        start = space.initial
        if start is not None:
            space.index(start)
    except PositionError as error:
        place = function_place(type(space.rules).start)
        raise RulesError(f"{space.name} starts from {start!r}: {error}{place}") from None
    except RetrosolveError:
        raise
    except Exception as error:
        raise raised(f"{space.name}.start()", error) from error


def _component_size(game: CompiledGame, tiers: tuple[int, ...], size: int) -> int:
    """Return ``component_size``, checked to divide every tier."""
    if game.component_size is None:
        return 0
    length = _whole(game, "component_size", game.component_size, 1)
    for first in (*tiers[1:], size):
        if first % length:
            raise RulesError(
                f"{_name(game)}.component_size is {length}: expected a divisor of the size of every "
                f"tier, and one ends at {first}"
            )
    return length


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
        raise raised(f"{_name(game)}.starts()", error) from error


def _canonical(game: CompiledGame, position: Any) -> int:
    """Return the canonical form of a start."""
    if not isinstance(position, int | np.integer) or not 0 <= position <= LARGEST_POSITION:
        raise RulesError(f"{_name(game)} starts from {position!r}: expected a whole number below 2^63")
    return int(game.canonical(int(position), game.plain_data))


def explored_space(game: CompiledGame, context: Context) -> GeneratedSpace:
    """Return the space of all positions reachable from the starts.

    Parameters
    ----------
    game : CompiledGame
    context : Context
        ``memory`` and ``limit`` bound the search, and ``spent_bytes`` counts what it keeps.

    Returns
    -------
    GeneratedSpace

    Raises
    ------
    LimitError
        For more positions than ``context.limit``.
    RulesError
        For rules that break their contract.
    MemoryBudgetError
        If the positions exceed the memory budget.

    Notes
    -----
    Takes 8 bytes per position, 4 per slot of a hash table that is at most 70 % full, and 4 bytes per
    edge if the memory budget has room for them.
    """
    search = Search(game, _kernels(game, True), _max_moves(game), context)
    search.run(sorted({_canonical(game, position) for position in _author_starts(game)}))
    n = search.tail
    space = _hashed(game, search.kernels, search.order[:n], search.table, search.edges)
    context.spent_bytes += 8 * n + search.table.nbytes
    if not search.stored:
        return space
    graph = Graph(*search.rows(), space.owner, search.terminals[:n])
    context.spent_bytes += graph.indptr.nbytes + graph.indices.nbytes + n * (1 + space.owned)
    return replace(space, csr=graph)


def estimate_size(game: CompiledGame) -> SizeEstimate:
    """Return a first estimate of an explored game, by its rules as plain Python.

    Times are those of plain Python, many times those of compiled rules.
    """
    sample = exploring.estimate_size(InterpretedGame(game))
    per_position = BYTES_PER_EXPLORED + BYTES_PER_EDGE * sample.moves
    return sample._replace(memory_bytes=per_position)


def restored_space(game: CompiledGame, positions: IntArray) -> GeneratedSpace:
    """Return the space of positions that were explored before, in their saved order."""
    kernels = _kernels(game, True)
    order: IntArray = np.array(positions, np.int64)
    table: IntArray = np.full(table_size(len(order)), -1, index_dtype(len(order)))
    kernels.run(hash_index.rehash, len(order) * 8, order, len(order), table)
    return _hashed(game, kernels, order, table, None)


def _hashed(
    game: CompiledGame, kernels: SpecializedKernels, order: IntArray, table: IntArray, edges: int | None
) -> GeneratedSpace:
    """Return the space of explored positions and a hash table over them."""
    return GeneratedSpace(
        _name(game), kernels, game.compiled_data, game, len(order), _max_moves(game),
        _max_predecessors(game), (order, table), (0,), game.implements("player"), known_edges=edges,
    )  # fmt: skip


def checked_declarations(game: CompiledGame) -> CompiledGame:
    """Return a game whose functions, bounds and data are declared as they must be, or RulesError."""
    if game.size is None:
        _kernels(game, True), _max_moves(game), _max_predecessors(game)
    else:
        indexed_space(game)
    return game


def _kernels(game: CompiledGame, explores: bool) -> SpecializedKernels:
    """Return the kernels specialised to a game's functions."""
    if not game.implements("successors"):
        raise RulesError(f"{_name(game)} gives no successors(): expected one")
    functions = functions_of(game)
    for name, function in functions.items():
        if not isinstance(inspect.getattr_static(type(game), name), staticmethod):
            place = function_place(function)
            raise RulesError(f"{_name(game)}.{name} is no static method: expected @staticmethod{place}")
    if ("rank" in functions) != ("unrank" in functions):
        raise RulesError(f"{_name(game)} gives one of rank() and unrank(): expected both or neither")
    _check_by_index(game, functions)
    replacements: dict[str, Any] = {}
    if "player" in functions:
        replacements["same_side"] = checked.owned_same_side
        replacements["player_is_valid"] = checked.owned_player_is_valid
    if explores or "rank" in functions:
        replacements["position_limit"] = checked.any_position
    if explores:
        replacements["index_of"] = hash_index.hashed_index_of
        replacements["position_of"] = hash_index.found_position
    elif game.reachable_only and "rank" in functions and not game.injective_rank:
        replacements["same_position"] = checked.reached_same_position
    if "survey" in functions and not explores:
        replacements["initialise"] = generated.surveyed_initialise
        replacements["solve_acyclic_tier"] = generated.surveyed_acyclic_tier
    if "predecessor_indices" in functions and not explores:
        replacements["notify_predecessors"] = generated.indexed_notify_predecessors
    return SpecializedKernels(functions, replacements, game.compiled_data)


def functions_of(game: CompiledGame) -> dict[str, Any]:
    """Return the functions that the author of a game has defined, by name."""
    return {name: getattr(type(game), name) for name in RULES if game.implements(name)}


def _check_by_index(game: CompiledGame, functions: dict[str, Any]) -> None:
    """Raise RulesError if what works by index is combined with what it cannot serve."""
    for name in ("survey", "predecessor_indices"):
        if name in functions and "player" in functions:
            raise RulesError(f"{_name(game)} gives {name}() and player(): expected one of them")
    if "predecessor_indices" in functions and ("predecessors" not in functions or game.reachable_only):
        raise RulesError(
            f"{_name(game)} gives predecessor_indices(): expected predecessors() too, and no "
            "reachable_only"
        )


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


# -- breadth-first search ----------------------------------------------------------------------------


class Search:
    """A breadth-first search: the positions discovered so far, in growing arrays.

    Edges are stored in chunks, which are dropped where the memory budget has no room for them; then
    only the positions are kept, and the edges are counted.

    Parameters
    ----------
    game : CompiledGame
    kernels : SpecializedKernels
    max_moves : int
    context : Context
        ``memory`` and ``limit`` bound the search.
    """

    def __init__(
        self,
        game: CompiledGame,
        kernels: SpecializedKernels,
        max_moves: int,
        context: Context,
    ) -> None:
        self.game = game
        self.name = type(game).__name__
        self.kernels = kernels
        self.max_moves = max_moves
        self.stored = True
        self.context = context
        self.head = self.tail = self.edges = 0
        self.order: IntArray = np.empty(0, np.int64)
        self.terminals: ByteArray = np.empty(0, np.uint8)
        self.indptr: IntArray = np.zeros(1, np.int64)
        self.chunks: list[IntArray] = []
        self.chunk: Any = np.empty(0, np.int32)
        self.used = 0  # edges in the last chunk
        self._grow(INITIAL_CAPACITY + 2 * max_moves)

    def run(self, starts: list[int]) -> None:
        """Search until no new position is discovered."""
        if len(starts) + self.max_moves > len(self.order):
            self._grow(2 * len(starts) + self.max_moves)
        self.tail = _insert(np.array(starts, np.int64), self.order, 0, self.table)
        limit = self.context.limit
        while self.head < self.tail:
            step = self._prepare()
            self._advance(min(limit or LARGEST_POSITION, self.tail + step))
            if limit is not None and self.tail > limit:
                raise LimitError(
                    f"the game has more than {limit} positions, the limit: {self.tail} were found, "
                    f"{self.head} of them explored: expected a higher limit or a smaller game"
                )
            memory.check_headroom(f"{self.tail} positions were found and there are more")
            self.context.progress(Progress("finding positions", self.head, None))

    def rows(self) -> tuple[IntArray, IntArray]:
        """Return the edges as rows and release the chunks."""
        n = self.tail
        indptr: IntArray = self.indptr[: n + 1].astype(index_dtype(self.edges))
        self.indptr = indptr
        self.chunks.append(self.chunk[: self.used])
        del self.chunk
        if len(self.chunks) == 1:
            return indptr, self.chunks.pop()
        indices: IntArray = np.empty(self.edges, index_dtype(n))
        stop = self.edges
        while self.chunks:
            chunk = self.chunks.pop()
            indices[stop - len(chunk) : stop] = chunk
            stop -= len(chunk)
        return indptr, indices

    # -- a step -------------------------------------------------------------------------------

    def _advance(self, most: int) -> None:
        """Explore until ``most`` positions are known or an array is full."""
        head, used = self.head, self.used
        search = (self.order, self.table, head, self.tail, most, self.terminals)
        work = self.tail * 8
        data = self._arguments(self.kernels.compiles(work))[0]
        self.head, self.tail, self.used = call_rules(
            self.name, self.kernels, hash_index.breadth_first, work, *search, self.indptr, self.chunk,
            used, self.stored, self.max_moves, data, locate=self._locate, retrace=self._retrace,
        )  # fmt: skip
        if self.stored:
            self.indptr[head + 1 : self.head + 1] += self.edges - used
        self.edges += self.used - used

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

    # -- memory -------------------------------------------------------------------------------

    def _prepare(self) -> int:
        """Make room for the next step within the budget; return how many positions it may find."""
        budget = self.context.memory
        step = POSITIONS_PER_REPORT
        if budget is not None:
            step = min(step, budget // BUDGET_STEPS + self.max_moves)
        if self.stored and not self._fits(self._needed(step)):
            self._drop_edges()
        if not self._fits(self._needed(step)):
            what = f"{self.tail} positions of {self.name} were found, and exploring more"
            memory.check_budget(self._needed(step), what, budget)
        if self.tail + self.max_moves > len(self.order):
            self._grow(2 * len(self.order))
        if self.stored and self.used + self.max_moves > len(self.chunk):
            self.chunks.append(self.chunk[: self.used])
            self.chunk = np.empty(self._chunk_size(), index_dtype(len(self.order)))
            self.used = 0
        return step

    def _needed(self, step: int) -> int:
        """Return the bytes that the search takes after a step, and solving the game then."""
        positions = self.tail + step
        slots = len(self.table)
        while positions + self.max_moves > slots * MAX_LOAD_FACTOR and positions > len(self.order):
            slots *= 2
        each, needed = BYTES_PER_POSITION, slots * self.table.itemsize
        if self.stored:
            each = BYTES_PER_STORED_POSITION
            needed += (self.edges + self._chunk_size()) * self.chunk.itemsize
        return needed + positions * each

    def _fits(self, needed: int) -> bool:
        """Return whether so many bytes are within the budget, and within what there is."""
        budget = self.context.memory
        if budget is not None and needed > budget:
            return False
        return needed <= tuning.current().max_unchecked_bytes or needed <= memory.room()

    def _chunk_size(self) -> int:
        """Return the length of the next chunk of edges."""
        size = min(max(FIRST_CHUNK, 2 * len(self.chunk)), LARGEST_CHUNK)
        if self.context.memory is not None:
            size = min(size, self.context.memory // CHUNKS_PER_BUDGET)
        return max(size, self.max_moves)

    def _drop_edges(self) -> None:
        """Store no edges from here on; solving generates them again."""
        self.stored = False
        self.chunks.clear()
        self.chunk, self.used = np.empty(0, np.int32), 0
        self.terminals, self.indptr = np.empty(0, np.uint8), np.zeros(1, np.int64)

    def _grow(self, room: int) -> None:
        """Grow the arrays to at least ``room`` positions."""
        slots = table_size(room)
        if self.context.memory is not None:  # a table that is less full is faster
            room = int(slots * MAX_LOAD_FACTOR)
        self.table: IntArray = np.empty(0, np.int32)  # released before the others are copied
        self.order = _grown(self.order, room, self.tail)
        if self.stored:
            self.terminals = _grown(self.terminals, room, self.head)
            self.indptr = _grown(self.indptr, room + 1, self.head + 1)
        self.table = np.full(slots, -1, index_dtype(room))
        if self.tail:
            self.kernels.run(hash_index.rehash, self.tail * 8, self.order, self.tail, self.table)


def table_size(room: int) -> int:
    """Return the size of a hash table for ``room`` positions, a power of two."""
    return 1 << int(room / MAX_LOAD_FACTOR).bit_length()


def _grown(array: Any, length: int, used: int) -> Any:
    """Return a longer copy of the first entries of an array; the others are not initialised."""
    larger = np.empty(length, array.dtype)
    larger[:used] = array[:used]
    return larger
