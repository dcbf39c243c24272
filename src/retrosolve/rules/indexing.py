"""From compiled rules to an GeneratedSpace: kernels fitted to them, positions found where need be."""

from __future__ import annotations

import inspect
from collections.abc import Hashable
from typing import Any

import numpy as np

from retrosolve.arrays import IntArray, index_dtype
from retrosolve.compilation.specialize import SpecializedKernels
from retrosolve.errors import PositionError, RulesError
from retrosolve.kernels import (
    checked,
    generated,
    generated_sweep,
    hash_index,
    moves,
    placeholders,
    proof,
)
from retrosolve.rules.checks.compiled import smoke_test
from retrosolve.rules.compiled import RULES, CompiledGame, InterpretedGame
from retrosolve.runtime import memory
from retrosolve.runtime.progress import Progress, ProgressCallback, no_progress
from retrosolve.spaces.generated import GeneratedSpace, call_rules, complete_fault
from retrosolve.spaces.graph import Graph
from retrosolve.values import INVALID

_find: Any = hash_index.lookup
_enter: Any = hash_index.insert

LARGEST_POSITION = 2**63 - 1
FIRST_ROOM = 1 << 10
POSITIONS_A_REPORT = 1 << 20
FULL = 0.7  # a hash table this full still finds what it holds in about two looks


class IndexedPositions:
    """The positions of a compiled game: whole numbers, in any form that its rules take."""

    def __init__(self, game: CompiledGame, graph: GeneratedSpace) -> None:
        self.game = game
        self.graph = graph
        self.view = InterpretedGame(game)
        self.start: Hashable | None = game.start() if game.implements("start") else None
        self.players = game.players

    def vertex(self, position: Hashable) -> int:
        """Give the vertex of a position, or of its canonical form."""
        if isinstance(position, bool) or not isinstance(position, int | np.integer) or position < 0:
            raise PositionError(f"{position!r} is not a position: expected a whole number, 0 or more")
        try:
            vertex = self._vertex(int(position))
        except PositionError:
            raise
        except Exception as error:
            what = f"the rules raised {type(error).__name__}: {error}"
            raise PositionError(f"{position} is not a position: {what}") from error
        return vertex

    def _vertex(self, position: int) -> int:
        game = self.game
        own = int(game.canonical(position, game.data))
        if self.graph.found:
            order, table = self.graph.found
            vertex = int(_find(own, order, table))
            if vertex < 0:
                raise PositionError(f"{game.text(position)} was not reached from the start")
            return vertex
        vertex = int(game.rank(own, game.data))
        if not 0 <= vertex < self.graph.vertices:
            raise PositionError(f"{position} is not a position: its index is {vertex}")
        if self.graph.starts and self.position(vertex) != own:
            raise PositionError(f"{position} is not a position that play from the start can reach")
        if self.graph.ends(vertex, vertex + 1)[0] == INVALID:
            raise PositionError(f"{position} is not a position, by the rules of the game")
        return vertex

    def position(self, vertex: int) -> int:
        """Give the (canonical) position of a vertex."""
        if self.graph.found:
            return int(self.graph.found[0][vertex])
        return int(self.game.unrank(vertex, self.game.data))

    def moves(self, position: Any) -> list[tuple[str, Hashable]]:
        """Ask the rules for the moves."""
        return list(self.view.moves(position))

    def text(self, position: Any) -> str:
        """Write a position as the rules do."""
        return self.game.text(position)

    def svg(self, position: Any) -> str | None:
        """Draw a position as the rules do."""
        return self.game.svg(position)


def bound(game: CompiledGame) -> GeneratedSpace:
    """Give the graph of a game with a dense index; a few positions are tried, none is solved."""
    size = _whole(game, "size", game.size, 1)
    tiers = (0,) if game.tiers is None else tuple(int(first) for first in game.tiers)
    if tiers[0] != 0 or any(a >= b for a, b in zip(tiers, (*tiers[1:], size), strict=True)):
        raise RulesError(
            f"{_name(game)}.tiers is {tiers}: expected rising indices from 0, all below {size}"
        )
    graph = GeneratedSpace(
        _name(game), _fitted(game, False), game.data, (), size, _moves(game), _origins(game), tiers,
        game.implements("player"), starts=_starts(game, size) if game.reachable_only else (),
    )  # fmt: skip
    if graph.fitted.compiles(graph.work):
        smoke_test(game)
    return graph


def _starts(game: CompiledGame, size: int) -> tuple[int, ...]:
    """Give the indices that a game starts from."""
    found = set()
    for position in _given_starts(game):
        index = game.rank(_canonical(game, position), game.data)
        if not 0 <= index < size:
            raise RulesError(
                f"{_name(game)}.rank({position}) gave {index}: expected a whole number below {size}"
            )
        found.add(int(index))
    if not found:
        raise RulesError(f"{_name(game)} starts from nowhere: expected a position, for reachable_only")
    return tuple(sorted(found))


def _given_starts(game: CompiledGame) -> list[Any]:
    try:
        return list(game.starts())
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise RulesError(f"{_name(game)}.starts() raised {what}") from error


def _canonical(game: CompiledGame, position: Any) -> int:
    """Give the canonical form of a start."""
    if not isinstance(position, int | np.integer) or not 0 <= position <= LARGEST_POSITION:
        raise RulesError(f"{_name(game)} starts from {position!r}: expected a whole number below 2^63")
    return int(game.canonical(int(position), game.data))


def explored_space(
    game: CompiledGame,
    limit: int | None = None,
    report: ProgressCallback = no_progress,
    stored: bool = True,
) -> GeneratedSpace:
    """Find all positions of a game from its starts, and their moves if they are to be ``stored``.

    Bytes: 8 a position and 4 for each place of a hash table that is at most three quarters full; 4 a
    move stored. Raises RulesError past ``limit`` positions, and for a move to what is no position.
    """
    search = _Search(game, _fitted(game, True), stored)
    search.run(limit, report)
    n = search.tail
    graph = GeneratedSpace(
        _name(game), search.fitted, game.data, (search.order[:n].copy(), search.table), n, _moves(game),
        _origins(game), (0,), game.implements("player"), counted=search.edges,
    )  # fmt: skip
    if stored:
        edges: Any = search.indices[: search.edges]
        owner = graph.owner
        indptr: IntArray = search.indptr[: n + 1].astype(index_dtype(search.edges))
        graph.stored = Graph(indptr, edges, owner, search.ends[:n])
    return graph


class _Search:
    """The positions found so far, and room for more."""

    def __init__(self, game: CompiledGame, fitted: SpecializedKernels, stored: bool) -> None:
        self.game = game
        self.fitted = fitted
        self.stored = stored
        self.moves = _moves(game)
        room = FIRST_ROOM + 2 * self.moves
        self.order: IntArray = np.empty(room, np.int64)
        self.ends = np.empty(room, np.uint8)
        self.indptr: IntArray = np.zeros(room + 1 if stored else 1, np.int64)
        self.indices: Any = np.empty(4 * room if stored else 1, np.int32)
        self.table: IntArray = np.full(_places(room), -1, np.int32)
        self.head = self.tail = self.edges = 0

    def run(self, limit: int | None, report: ProgressCallback) -> None:
        """Search until nothing new is found."""
        starts = sorted({_canonical(self.game, p) for p in _given_starts(self.game)})
        if len(starts) + self.moves > len(self.order):
            self._more_room(2 * len(starts) + self.moves)
        self.tail = _enter(np.array(starts, np.int64), self.order, 0, self.table)
        while self.head < self.tail:
            most = min(limit or LARGEST_POSITION, self.tail + POSITIONS_A_REPORT)
            search = (self.order, self.table, self.head, self.tail, most, self.ends)
            rows = (self.indptr, self.indices, self.edges, self.stored)
            self.head, self.tail, self.edges = call_rules(
                _name(self.game), self.fitted, "breadth_first", self.tail * 8, *search, *rows,
                self.moves, self.game.data, locate=self._locate,
            )  # fmt: skip
            if limit is not None and self.tail > limit:
                raise RulesError(f"more than {limit} positions, the limit given")
            memory.check_headroom(f"{self.tail} positions were found and there are more")
            report(Progress("finding positions", self.head, None))
            self._make_room()

    def _locate(self, fault: IntArray) -> None:
        complete_fault(self.fitted, self.ends, (self.game.data, (self.order, self.table)), fault)

    def _make_room(self) -> None:
        if self.tail + self.moves > len(self.order):
            self._more_room(2 * len(self.order))
        if self.stored and self.edges + self.moves > len(self.indices):
            share = max(2.0, 1.1 * self.tail / max(self.head, 1)) if self.head else 2.0
            self.indices = _grown(self.indices, int(len(self.indices) * min(share, 4.0)) + self.moves)

    def _more_room(self, room: int) -> None:
        memory.check_budget(room * (17 + 8 * self.stored), f"exploring {_name(self.game)}")
        self.order = _grown(self.order, room)
        self.ends = _grown(self.ends, room)
        if self.stored:
            self.indptr = _grown(self.indptr, room + 1)
        places = _places(room)
        if places > len(self.table):
            self.table = np.full(places, -1, index_dtype(room))
            self.fitted.run("rehash", self.tail * 8, self.order, self.tail, self.table)


def _places(room: int) -> int:
    """Give the size of a hash table for so many positions, a power of two."""
    return 1 << int(room / FULL).bit_length()


def _grown(array: Any, length: int) -> Any:
    larger = np.empty(length, array.dtype)
    larger[: len(array)] = array
    return larger


def _fitted(game: CompiledGame, explores: bool) -> SpecializedKernels:
    """Fit the kernels to a game's functions."""
    if not game.implements("successors"):
        raise RulesError(f"{_name(game)} gives no successors(): expected one")
    functions = {name: getattr(type(game), name) for name in RULES if game.implements(name)}
    for name in functions:
        if not isinstance(inspect.getattr_static(type(game), name), staticmethod):
            raise RulesError(f"{_name(game)}.{name} is no static method: expected @staticmethod")
    _check_data(game, game.data)
    if ("rank" in functions) != ("unrank" in functions):
        raise RulesError(f"{_name(game)} gives one of rank() and unrank(): expected both or neither")
    standing_in: dict[str, str] = {}
    if "player" in functions:
        standing_in |= {"same_side": "owned_same_side", "player_is_valid": "owned_player_is_valid"}
    if explores or "rank" in functions:
        standing_in["position_limit"] = "any_position"
    if explores:
        standing_in |= {"index_of": "hashed_index_of", "position_of": "found_position"}
    elif game.reachable_only and "rank" in functions and not game.injective_rank:
        standing_in["same_position"] = "reached_same_position"
    patterns = [placeholders, checked, proof, hash_index, generated, generated_sweep, moves]
    return SpecializedKernels(patterns, functions, standing_in, game.data)


def _check_data(game: CompiledGame, part: Any) -> None:
    """Refuse what compiled functions cannot be given."""
    if isinstance(part, tuple):
        for item in part:
            _check_data(game, item)
    elif not isinstance(part, int | float | np.generic | np.ndarray) or (
        isinstance(part, np.ndarray) and part.dtype == object
    ):
        raise RulesError(
            f"{_name(game)}.data holds a {type(part).__name__}: expected numbers and arrays in a tuple"
        )


def _moves(game: CompiledGame) -> int:
    return _whole(game, "max_moves", game.max_moves, 1)


def _origins(game: CompiledGame) -> int:
    if not game.implements("predecessors"):
        return 0
    return _whole(game, "max_predecessors", game.max_predecessors, 1)


def _whole(game: CompiledGame, what: str, number: Any, least: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < least:
        raise RulesError(f"{_name(game)}.{what} is {number!r}: expected a whole number above 0")
    return int(number)


def _name(game: CompiledGame) -> str:
    return type(game).__name__
