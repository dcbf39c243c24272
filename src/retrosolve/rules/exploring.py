"""Exploring plain rules: every position reachable from the start, breadth-first, as a graph.

The rules may be called again for a sample of the positions, to compare the graph with them.

:class:`Search` numbers positions in the order of discovery. :class:`MemoryWatch` holds it to the memory
budget. Where the rules are slow, other processes call them for chunks of positions. This process
numbers all targets, in the same order: the graph does not depend on the number of workers.
"""

from __future__ import annotations

import gc
import logging
import sys
import time
from array import array
from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import count, islice
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray, index_dtype
from retrosolve.errors import (
    GraphError,
    MemoryBudgetError,
    PositionError,
    RulesError,
    VerificationError,
)
from retrosolve.rules.calls import (
    MOVES_PER_BATCH,
    STARTS_BETWEEN_LOOKS,
    UINT32,
    Expander,
    Expansion,
    broken,
    canonical_of,
    changed_result,
    hashable,
    holds_frozenset,
    holds_set,
    identical,
    moves_of,
    player_of,
    points_of,
    rules_error,
    settled,
    start_positions,
    targets_of,
    terminal_code,
    too_many,
)
from retrosolve.rules.contract import Game
from retrosolve.rules.workers import (
    ChunkResult,
    TransportError,
    WorkerPool,
    decoded,
    decoded_expansion,
    encoded,
    encoded_expansion,
    expand_chunk,
    has_free_threads,
    may_autostart,
    worker_pool,
)
from retrosolve.runtime import memory
from retrosolve.runtime.context import Context, Progress, ProgressCallback
from retrosolve.runtime.threads import cpu_count
from retrosolve.spaces.base import SizeEstimate, StateSpace
from retrosolve.spaces.graph import Graph
from retrosolve.spaces.rule_positions import RulesPositions
from retrosolve.values import CHANCE, Value

if TYPE_CHECKING:
    import random

MIN_CALLS = 512  # positions: all of a smaller game
SHARE = 64  # one of so many positions of a larger one: with all checks a call takes longer than there
SEED = 0
MAX_PLIES = 200  # of a walk
MAX_POOL = 1 << 12  # positions from which walks begin
CALLED_TWICE = 16  # of the first positions, for rules that change from call to call
CALLS_PER_REPORT = 64


class ExploredPositions(RulesPositions):
    """The positions that exploring discovered: a vertex for each canonical one.

    Parameters
    ----------
    rules : Game
    order : sequence of hashable [num_vertices]
        The position of each vertex.
    number : mapping
        The vertex of each position.
    """

    __slots__ = ("_texts", "number", "order", "rules")

    rules: Game

    def __init__(self, rules: Game, order: Sequence[Any], number: Mapping[Hashable, int]) -> None:
        self.rules = rules
        self.order = order
        self.number = number
        self._texts: dict[str, list[int]] | None = None

    @property
    def reads_text(self) -> bool:
        """Whether the rules define ``parse``, or the texts of positions are not these themselves."""
        return super().reads_text or self.text(self.order[0]) != self.order[0]

    def index(self, position: Hashable) -> int:
        """Return the vertex of the canonical form of a position."""
        try:
            vertex = self.number.get(self.rules.canonical(position))
        except Exception:  # of the rules, for what is not a position, or of what cannot be hashed
            vertex = None
        if vertex is None:
            raise PositionError(f"{position!r} was not reached from the start")
        return vertex

    def position(self, index: int) -> Hashable:
        """Return the canonical position of a vertex."""
        position: Hashable = self.order[index]
        return position

    def moves(self, position: Hashable) -> list[tuple[str, Hashable]]:
        """Return the moves, named by the rules."""
        return moves_of(self.rules, position)

    def move_rewards(self, position: Hashable, targets: Sequence[Hashable]) -> list[int] | None:
        """Return the rewards of moves, by the rules; None if they define none."""
        if not self.rules.implements("reward"):
            return None
        return [points_of(self.rules, "reward", position, target) for target in targets]

    def move_weights(self, position: Hashable, targets: Sequence[Hashable]) -> list[int] | None:
        """Return how often chance takes each move, by the rules; None where a player moves."""
        rules = self.rules
        if not rules.implements("player") or player_of(rules, position) != CHANCE:
            return None
        return [points_of(rules, "weight", position, target) for target in targets]

    def parse(self, text: str) -> Hashable:
        """Return the position that the rules parse from ``text``, or whose text it is."""
        if self.rules.implements("parse"):
            return super().parse(text)
        if self._texts is None:
            self._texts = {}
            for v, position in enumerate(self.order):
                self._texts.setdefault(self.text(position), []).append(v)
        vertices = self._texts.get(text, [])
        if not vertices:
            such = f"expected text such as {self.text(self.order[0])!r}"
            if self.rules.implements("canonical"):
                raise PositionError(
                    f"no representative is written {text!r}: {such}, or rules that define parse()"
                )
            raise PositionError(
                f"no position that play from the start reaches is written {text!r}: {such}"
            )
        if len(vertices) > 1:
            first, second = (self.position(v) for v in vertices[:2])
            raise PositionError(
                f"{len(vertices)} positions are written {text!r}, {first!r} and {second!r} among them: "
                "expected the text of a single one"
            )
        return self.position(vertices[0])


class NamedGraph(Graph):
    """The positions of a game in the order in which they were explored, and the moves between them.

    Parameters
    ----------
    indptr, indices, owner, terminal
        See ``Graph._of_rows``.
    positions : ExploredPositions
        The position of each vertex.
    start : hashable, optional
        The initial position.
    payoff, reward, weight : int [n], int [m], int [m], optional
        See ``Graph.from_edges``.

    Raises
    ------
    RulesError
        For a reward of a move that is part of a cycle, and for chance without moves.
    """

    __slots__ = ("positions", "rules")

    positions: ExploredPositions
    rules: Game

    def __init__(
        self,
        indptr: IntArray,
        indices: IntArray,
        owner: ByteArray | None,
        terminal: ByteArray | None,
        positions: ExploredPositions,
        start: Hashable | None,
        payoff: IntArray | None = None,
        reward: IntArray | None = None,
        weight: IntArray | None = None,
    ) -> None:
        self._set_rows(indptr, indices, owner, terminal, None, payoff, reward, weight)
        self.positions, self.rules = positions, positions.rules
        self._start_from(start, positions.rules.players)
        try:
            self._check_scores()
            self._check_chance()
        except GraphError as error:
            raise RulesError(str(error)) from None

    @property
    def has_names(self) -> bool:
        """True: vertices are named by their positions."""
        return True

    # A graph looks vertices up by their names; here they are those of the positions again.
    index = StateSpace.index
    resolved = StateSpace.resolved
    position = StateSpace.position
    labels = StateSpace.labels
    move_labels = StateSpace.move_labels

    def recheck(self, progress: ProgressCallback, full: bool = False) -> int:
        """Call the rules again for a sample of positions or for all, and compare with the edges."""
        return Recall(self, progress, full).run()

    def spec(self) -> dict[str, Any]:
        """Return the specification of the game, with a digest of the graph."""
        return self.rules.spec() | {"graph": self.digest()}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return nothing: exploring the rules finds the edges again."""
        return {}

    def digest(self) -> str:
        """Return a SHA-256 digest of edges, owners, terminal values and scores, 64 hex digits."""
        import hashlib  # takes two milliseconds

        digest = hashlib.sha256()
        points = [x for x in (self.payoff, self.reward, self.weight) if x is not None]
        for part in (self.indptr, self.indices, self.owner, self.terminals, *points):
            data = b"" if part is None else np.ascontiguousarray(part.astype("<i8")).tobytes()
            digest.update(len(data).to_bytes(8, "little"))
            digest.update(data)
        return digest.hexdigest()


class Results(NamedTuple):
    """What the rules say about a position; targets are canonical."""

    terminal: int
    player: int
    targets: list[Any]


class Recall:
    """Calls the rules of a game again and compares the results with the graph that exploring made.

    Nothing of the exploration is used to get to positions: half of them are met on walks from the
    start, each step by a call of ``moves``, and the others are drawn from all positions of the graph.
    Of a game of at most ``MIN_CALLS`` positions all are visited, and of any game if that is asked for.

    Moves are compared by their targets, without their order. Equal positions of other types, such as
    ``np.int64(5)`` and 5, are one position, and the graph holds the one that was discovered first.
    Where the rules return another type than it holds, the moves by which exploring discovered the
    position are repeated from the start, and must return the type that it holds.

    Parameters
    ----------
    graph : NamedGraph
    progress : callable
    full : bool
        Whether to visit all positions.
    """

    def __init__(self, graph: NamedGraph, progress: ProgressCallback, full: bool = False) -> None:
        self.graph, self.progress = graph, progress
        self.game = game = graph.rules
        self.order, self.number = graph.positions.order, graph.positions.number
        n = len(self.order)
        self.size = n if full or n <= MIN_CALLS else max(MIN_CALLS, n // SHARE)
        self._calls, self._visited = 0, bytearray(n)
        self._has_symmetry = game.implements("canonical")
        self._has_terminal = game.implements("terminal")
        self._has_player = game.implements("player")
        self._first_edge: np.ndarray[Any, Any] | None = None
        self._repeated: dict[int, Any] = {}

    @cached_property
    def _rng(self) -> random.Random:
        """Random numbers, for games of more than ``MIN_CALLS`` positions."""
        import random  # takes two milliseconds

        return random.Random(SEED)

    def run(self) -> int:
        """Compare a sample of positions, or all; return their number.

        Raises
        ------
        VerificationError
            For a position at which the rules and the graph differ.
        RulesError
            If the rules return one thing and then another, or raise an exception.
        """
        starts = []
        for start in map(self._form, start_positions(self.game)):
            starts.append(start)
            if start not in self.number:
                raise VerificationError(
                    f"starts() gives {start!r}, but the solution has no such position: "
                    "expected a solution of these rules, and rules that are deterministic"
                )
            self._repeated.setdefault(self.number[start], start)
        for vertex, start in list(self._repeated.items()):
            if not identical(start, self.order[vertex]):
                self._check_type(vertex, start)
        if self.size == len(self.order):
            self._visit_all(starts)
            return self.size
        self._walk(starts, self.size // 2)
        missing = self.size - self._visited.count(1)
        while missing:
            vertex = self._rng.randrange(len(self.order))
            if not self._visited[vertex]:
                self._check(self.order[vertex])
                missing -= 1
        return self.size

    def _visit_all(self, starts: Sequence[Any]) -> None:
        """Visit all positions depth-first, unlike exploring; check that the graph has no others."""
        first = {self.number[start]: start for start in starts}
        reached, todo = self._visited, list(first.values())
        for vertex in first:
            reached[vertex] = True
        while todo:
            for target in self._check(todo.pop()):
                vertex = self.number[target]
                if not reached[vertex]:
                    reached[vertex] = True
                    todo.append(target)
        if (vertex := reached.find(0)) >= 0:
            raise VerificationError(
                f"{self.order[vertex]!r} (vertex {vertex}) is in the solution, "
                "but play from the start by the rules does not reach it"
            )

    def _walk(self, starts: Sequence[Any], calls: int) -> None:
        """Walk at random, from the starts and from positions that were met, until so many calls."""
        pool = list(starts)
        while self._calls < calls:
            position = self._rng.choice(pool)
            for _ in range(MAX_PLIES):
                targets = self._check(position)
                if not targets or self._calls >= calls:
                    break
                position = self._rng.choice(targets)
                if len(pool) < MAX_POOL:
                    pool.append(position)

    def _check(self, position: Any) -> list[Any]:
        """Compare the results of the rules at a position with the graph; return the targets."""
        vertex = self.number[position]
        self._visited[vertex] = True
        results = self._results(position)
        if self._calls % CALLS_PER_REPORT == 0:
            self.progress(Progress("verifying, rules", min(self._calls, self.size), self.size))
        if self._calls <= CALLED_TWICE:
            self._check_repeated(position, results)
        stored = self._stored(vertex)
        if results[:2] != stored[:2]:
            self._refuse(position, vertex, results, stored)
        vertices = [self.number.get(target, -1) for target in results.targets]
        if sorted(vertices) != sorted(stored.targets):
            self._refuse(position, vertex, results, stored)
        self._check_points(position, vertex, results)
        for target, v in zip(results.targets, vertices, strict=True):
            if not identical(target, self.order[v]):
                self._check_type(v, target)
        if self._has_symmetry and self.number.get(self._form(position)) != vertex:
            raise RulesError(
                f"canonical() gave {position!r}, and canonical of that {self._form(position)!r}: "
                "expected it kept"
            )
        return results.targets

    def _check_points(self, position: Any, vertex: int, results: Results) -> None:
        """Compare payoffs, rewards and weights of the rules with those of the graph."""
        game, graph = self.game, self.graph
        if graph.payoff is not None and not results.targets:
            points, stored = points_of(game, "payoff", position), int(graph.payoff[vertex])
            if points != stored:
                call = f"payoff({position!r})"
                self._refuse_vertex(f"{call} gives {points}, but the solution has {stored}", vertex)
        for rule, stored_points in (("reward", graph.reward), ("weight", graph.weight)):
            applies = rule == "reward" or results.player == CHANCE
            if stored_points is None or not results.targets or not applies:
                continue
            targets = targets_of(game, position)
            mine = [points_of(game, rule, position, target) for target in targets]
            here = Counter((self.number[self._form(t)], r) for t, r in zip(targets, mine, strict=True))
            row = stored_points[graph.indptr[vertex] : graph.indptr[vertex + 1]].tolist()
            there = Counter(zip(graph.neighbors(vertex).tolist(), row, strict=True))
            for target, points in here - there:
                other = next((r for w, r in there - here if w == target), 0)
                call = f"{rule}({position!r}, {self.order[target]!r})"
                self._refuse_vertex(f"{call} gives {points}, but the solution has {other}", vertex)

    def _refuse_vertex(self, difference: str, vertex: int) -> NoReturn:
        """Raise the error for a vertex at which the rules and the solution differ."""
        raise VerificationError(
            f"{difference} at vertex {vertex}: expected a solution of these rules, and rules that are "
            "deterministic"
        )

    def _form(self, position: Any) -> Any:
        """Return the representative of a position."""
        return canonical_of(self.game, position) if self._has_symmetry else position

    def _results(self, position: Any) -> Results:
        """Return the results of the rules at a position."""
        self._calls += 1
        game = self.game
        terminal = terminal_code(game, position) if self._has_terminal else 0
        player = player_of(game, position) if self._has_player else 0
        targets = [] if terminal else [self._form(target) for target in targets_of(game, position)]
        return Results(terminal, player, [hashable(game, target, position) for target in targets])

    def _check_repeated(self, position: Any, before: Results) -> None:
        """Check that the rules say the same about a position once more, but for the order of moves."""
        after = self._results(position)
        if before[:2] == after[:2] and Counter(before.targets) == Counter(after.targets):
            return
        for rule, one, other in zip(("terminal", "player", "moves"), before, after, strict=True):
            if one != other:
                raise changed_result(rule, position, one, other)

    def _stored(self, vertex: int) -> Results:
        """Return the entries of the graph at a vertex; the targets are vertices."""
        graph = self.graph
        terminal = int(graph.terminals[vertex]) if graph.terminals is not None else 0
        player = int(graph.owner[vertex]) if graph.owner is not None else 0
        return Results(terminal, player, graph.neighbors(vertex).tolist())

    def _refuse(self, position: Any, vertex: int, results: Results, stored: Results) -> NoReturn:
        """Raise the error for a position at which the rules and the graph differ."""
        self._check_repeated(position, results)
        mine = Counter(self.number.get(target, -1) for target in results.targets)
        theirs = Counter(stored.targets)
        if results.terminal != stored.terminal:
            here, there = (Value(code).name if code else "None" for code in (results[0], stored[0]))
            difference = f"terminal({position!r}) gives {here}, but the solution has {there}"
        elif results.player != stored.player:
            players = f"{results.player}, but the solution has {stored.player}"
            difference = f"player({position!r}) gives {players}"
        elif -1 in mine:
            target = next(target for target in results.targets if target not in self.number)
            no_such = "but the solution has no such position"
            difference = f"moves({position!r}) leads to {target!r}, {no_such}"
        else:
            odd = next(v for v in (*mine, *theirs) if mine[v] != theirs[v])
            difference = (
                f"moves({position!r}) gives {mine[odd]} of {len(results.targets)} moves to "
                f"{self.order[odd]!r}, but the solution has {theirs[odd]} of {len(stored.targets)}"
            )
        self._refuse_vertex(difference, vertex)

    # -- equal positions of other types ---------------------------------------------------------

    def _check_type(self, vertex: int, target: Any) -> None:
        """Check that the graph holds the position that play returns where it reaches a vertex first."""
        position = self._as_discovered(vertex)
        if position is not None and not identical(position, self.order[vertex]):
            raise VerificationError(
                f"the rules lead to {target!r} of type {type_text(target)}, but the solution has "
                f"{self.order[vertex]!r} of type {type_text(self.order[vertex])} (vertex {vertex}): "
                "expected positions as the rules return them"
            )

    def _as_discovered(self, vertex: int) -> Any:
        """Return a position as the moves return it by which exploring discovered it.

        None if that takes more calls than the sample has.
        """
        path = []
        while vertex not in self._repeated:
            path.append(vertex)
            vertex = self._source_of(vertex)
        position = self._repeated[vertex]
        for v in reversed(path):
            if len(self._repeated) > self.size:
                return None
            results = self._results(position)
            targets = [target for target in results.targets if self.number.get(target) == v]
            if not targets:
                self._refuse(position, vertex, results, self._stored(vertex))
            self._repeated[v] = position = targets[0]
            vertex = v
        return position

    def _source_of(self, vertex: int) -> int:
        """Return the position whose moves lead to a vertex first, which is an earlier one."""
        graph = self.graph
        if self._first_edge is None:
            self._first_edge = np.full(len(self.order), -1, np.int64)
            edges = np.arange(len(graph.indices) - 1, -1, -1)
            self._first_edge[graph.indices[::-1]] = edges
        edge = self._first_edge[vertex]
        source = int(np.searchsorted(graph.indptr, edge, side="right")) - 1
        if edge < 0 or source >= vertex:
            raise VerificationError(
                f"{self.order[vertex]!r} (vertex {vertex}) is in the solution, but no position before "
                "it has a move to it: expected positions in the order in which exploring finds them"
            )
        return source


def type_text(item: Any) -> str:
    """Return the type of a position as text, with those of the items of a tuple.

    >>> type_text((1, ("a", None)))
    'tuple (int, tuple (str, NoneType))'
    """
    name = type(item).__qualname__
    if isinstance(item, tuple):
        return f"{name} ({', '.join(map(type_text, item))})"
    return name


logger = logging.getLogger(__name__)

POSITIONS_PER_REPORT = 1 << 14
SECONDS_PER_REPORT = 1.0  # where the rules are slow
SECONDS_BETWEEN_LOOKS = 0.1  # at the memory of the machine, which takes 0.4 ms
FIRST_ALLOWANCE = 16
MAX_SERIAL_LEVEL = 8  # positions to explore, below which one after the other is faster than a batch
MIN_FRONTIER = 256  # positions to explore, for workers to be started
ALLOCATIONS_PER_COLLECTION = 8 * MOVES_PER_BATCH
MAX_POSITIONS = 2**31 - 1  # numbers of positions are int32
SAMPLE_POSITIONS = 10_000
SAMPLE_SECONDS = 1.0

MAX_CHUNK = 1 << 10
MIN_CHUNK = 16
SLICES = 8  # of a chunk: how many positions are explored here between looks for answers
SECONDS_ALONE = 2.0  # before workers are started unasked, which takes some tenths of a second
MIN_GAIN = 3.0  # how many times as long as passing them on the rules take for positions, to be slow
TRIED = 64  # positions, to compare the rules with passing on
COPIED = 16  # positions, to compare their moves with those of their copies
IN_ORDER = "an order that does not depend on how a set is iterated"

SHARE_OF_FREE = 0.75  # what exploring may take without a budget; solving takes less than the rest
BYTES_PER_ENTRY = 30  # of a dict: 24 for each entry and an index of 4, two thirds of it in use
GROWN = 1.4  # what a dict that grows takes besides its old self, before that is freed
BYTES_PER_POSITION = 32 + 8 + 4 + 2  # the number, its place in the order, degree, owner and value
BYTES_PER_MOVE = 4
MEASURED = 32  # positions whose bytes are added up for an estimate
SHARE_BETWEEN_CHECKS = 0.02  # of the budget, at least
MAX_BETWEEN_CHECKS = 1 << 14
SECONDS_BETWEEN_LOOKS_AT_WORKERS = 0.2


class SolvableGame:
    """A :class:`~retrosolve.Game` to solve: its positions are explored from the start.

    Parameters
    ----------
    game : Game
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    def state_space(self, context: Context | None = None) -> StateSpace:
        """Return the space of all positions reachable from the start, with stored edges."""
        return explored_space(self.game, context or Context())

    def space_without_search(self) -> StateSpace | None:
        """Return None: the positions must be explored."""
        return None

    def estimate_size(self) -> SizeEstimate:
        """Return an estimate from exploring at most 10,000 positions, for at most a second.

        Raises
        ------
        RulesError
            For rules that break their contract.
        """
        began = time.perf_counter()
        search = Search(self.game, Context(workers=1))
        more, end = True, began + SAMPLE_SECONDS
        while more and search.explored < SAMPLE_POSITIONS and time.perf_counter() < end:
            more = search.step()
        explored = max(search.explored, 1)
        moves = search.num_edges / explored
        bytes_per_position = position_bytes(search) / max(len(search.order), 1)
        return SizeEstimate(
            len(search.order),
            explored,
            moves,
            bytes_per_position + BYTES_PER_MOVE * moves,
            (time.perf_counter() - began) / explored,
            None if more else search.space(),
        )

    def reachable_subspace(self, context: Context | None = None) -> StateSpace:
        """Return the space itself."""
        return self.state_space(context)

    def restored(self, arrays: Mapping[str, NDArray[Any]], num_vertices: int) -> StateSpace:
        """Return the space of a saved solution, explored again.

        Raises
        ------
        LimitError
            For more positions than were saved, as soon as there are more.
        """
        return self.state_space(Context(limit=max(num_vertices, 1)))


def explored_space(game: Game, context: Context, symmetry: bool = True) -> NamedGraph:
    """Return the graph of all positions reachable from the starts.

    Parameters
    ----------
    game : Game
    context : Context
        Its ``limit`` is the largest number of positions.
    symmetry : bool
        False explores all positions, not representatives alone.

    Returns
    -------
    NamedGraph
        Vertices are numbered in the order of discovery, whatever the number of workers.

    Raises
    ------
    LimitError
        For more than ``limit`` positions.
    RulesError
        For rules that break the contract of :class:`Game`, with the position that shows it.
    MemoryBudgetError
        If the positions take more than the memory budget, by default three quarters of what is free.

    Notes
    -----
    Calls each rule once per position. Beyond the position objects it takes a dict entry and 12 bytes
    per position, and 4 bytes per move.
    """
    search = Search(game, context, symmetry)
    search.run()
    return search.space()


class Search:
    """A breadth-first search: positions and moves in the order of discovery.

    Parameters
    ----------
    game : Game
    context : Context

    Attributes
    ----------
    order : list of hashable
        The positions in the order of discovery.
    explored : int
        The number of positions whose moves are known, the first ones in ``order``.
    limit : int
        The largest number of positions.
    number : dict
        The number of each position; when it is full, it is copied to twice its size.
    allowance : int
        The number of positions to explore until memory is measured again.
    """

    def __init__(self, game: Game, context: Context, symmetry: bool = True) -> None:
        self.game = game
        self.context = context
        self.expander = Expander(game)
        self.expander.has_symmetry &= symmetry
        self.watch = MemoryWatch(context.memory)
        self.limit = MAX_POSITIONS if context.limit is None else context.limit
        self.order: list[Any] = []
        self.explored = 0
        self.allowance = FIRST_ALLOWANCE
        self.number: defaultdict[Hashable, int] = defaultdict(count().__next__)
        self._degrees, self._indices = array(UINT32), array(UINT32)
        self._owner, self._terminal = bytearray(), bytearray()
        self._checked = self._reported = 0
        self._looked = time.perf_counter()
        self.initial = None
        for number, start in enumerate(start_positions(game)):
            if number == 0:
                self.initial = start
            elif number % STARTS_BETWEEN_LOOKS == 0:
                self._note_new()
                self.watch.check(self)
            self.expander.settles |= holds_frozenset((start,))
            self.number[canonical_of(game, start) if self.expander.has_symmetry else start]
        self._note_new()

    @property
    def num_edges(self) -> int:
        """The number of moves of explored positions."""
        return len(self._indices)

    def run(self) -> None:
        """Explore until no position is left."""
        policy = WorkerPolicy(self.context.workers)
        with rare_collections():
            while self.step():
                if len(self.order) - self.explored < MIN_FRONTIER:
                    continue
                workers = policy.workers_now(self)
                if workers > 1:
                    try:
                        with worker_pool(workers - 1, self.expander) as pool:
                            Teamwork(self, pool).run()
                    except TransportError as error:
                        if self.context.workers is not None:
                            raise
                        logger.info("exploring goes on in one process: %s", error)
                        policy.workers = 1
        if self.context.memory is not None:  # else nobody asks, and the answer takes some microseconds
            self.context.spent_bytes += self.watch.taken(self)

    def step(self) -> bool:
        """Explore the next few positions; return whether there were any."""
        size, known = min(self.expander.batch_size, self.allowance), len(self.order)
        if self.explored == known:
            return False
        if known - self.explored < MAX_SERIAL_LEVEL and self.expander.named is not None:
            self._step_singly(size)
        else:
            self.add_moves(self.expander.expand(self.order[self.explored : self.explored + size]))
        return True

    def _step_singly(self, size: int) -> None:
        """Explore one position after the other while there are few."""
        number, order, expander = self.number, self.order, self.expander
        expand, indices, degrees = expander.expand_one, self._indices, self._degrees
        size_now, stop = len(order), self.explored + size
        limit = self.limit
        while (
            self.explored < size_now < self.explored + MAX_SERIAL_LEVEL
            and self.explored < stop
            and size_now <= limit
        ):
            position = order[self.explored]
            targets, code, player = expand(position)
            try:
                for target in targets:
                    vertex = number[target]
                    indices.append(vertex)
                    if vertex == size_now:
                        order.append(target)
                        size_now += 1
            except Exception as error:
                self._raise_for_target((position,), error)
            degrees.append(len(targets))
            if expander.has_terminal:
                self._terminal.append(code)
            if expander.has_player:
                self._owner.append(player)
            self.explored += 1
        self._note_new()

    def add_moves(self, expansion: Expansion) -> None:
        """Add what the rules gave for the next positions to explore."""
        number = self.number
        try:
            if expansion.paired:
                numbers = [number[target] for _, target in expansion.moves]
            else:
                numbers = [number[target] for target in expansion.moves]
        except Exception as error:
            stop = self.explored + len(expansion.degrees)
            self._raise_for_target(self.order[self.explored : stop], error)
        self._indices.extend(array(UINT32, numbers))
        self._degrees.extend(expansion.degrees)
        if expansion.terminal is not None:
            self._terminal += expansion.terminal
        if expansion.owner is not None:
            self._owner += expansion.owner
        self.explored += len(expansion.degrees)
        self._note_new()

    def _note_new(self) -> None:
        """Append new positions to the order; check the limits and report now and then."""
        new = len(self.number) - len(self.order)
        self.order += list(islice(reversed(self.number), new))[::-1]
        if len(self.order) > self.limit:
            raise too_many(self.limit, len(self.order), self.explored)
        if self.explored - self._checked >= self.allowance:
            self._checked = self.explored
            self.allowance = self.watch.check(self)
        waited = time.perf_counter() - self._looked
        if waited > SECONDS_PER_REPORT or self.explored - self._reported >= POSITIONS_PER_REPORT:
            self._reported = self.explored
            if waited > SECONDS_BETWEEN_LOOKS:
                memory.check_headroom(self.progress_text())
                self._looked = time.perf_counter()
            self.context.progress(Progress("finding positions", self.explored, None))

    def progress_text(self) -> str:
        """Return the progress of the search as the beginning of a sentence."""
        return f"{len(self.order)} positions were found, {self.explored} of them explored"

    def _raise_for_target(self, batch: Sequence[Any], error: Exception) -> NoReturn:
        """Raise RulesError for a target that could not be looked up, with the position before it."""
        for source in batch:
            for target in self.expander.expand_checked([source]).moves:
                hashable(self.game, target, source)
                try:
                    self.number[target]
                except Exception as again:
                    raise rules_error(self.game, "moves", (source,), again) from again
        raise rules_error(self.game, "moves", (batch[0],), error) from error

    def space(self) -> NamedGraph:
        """Return the graph of the positions; all must be explored."""
        self.number.default_factory = None
        positions = ExploredPositions(self.game, self.order, self.number)
        indptr = np.zeros(len(self.order) + 1, index_dtype(len(self._indices)))
        if self._degrees:
            np.cumsum(np.frombuffer(self._degrees, np.int32), out=indptr[1:])
        indices = np.frombuffer(self._indices, np.int32) if self._indices else np.zeros(0, np.int32)
        owner = np.frombuffer(self._owner, np.uint8) if self.expander.has_player else None
        terminal = np.frombuffer(self._terminal, np.uint8) if self.expander.has_terminal else None
        points = self._points(indptr, terminal)
        return NamedGraph(indptr, indices, owner, terminal, positions, self.initial, *points)

    def _points(
        self, indptr: IntArray, terminal: ByteArray | None
    ) -> tuple[IntArray | None, IntArray | None, IntArray | None]:
        """Return payoffs, rewards and weights, where the rules define them.

        That takes a second call of ``moves`` for each position, which only such games make.
        """
        game = self.game
        payoff = None
        if game.implements("payoff"):
            over = np.diff(indptr) == 0
            if terminal is not None:
                over |= terminal != 0
            payoff = np.zeros(len(self.order), np.int32)
            for vertex in np.flatnonzero(over).tolist():
                payoff[vertex] = points_of(game, "payoff", self.order[vertex])
        of_moves: dict[str, IntArray] = {
            rule: np.zeros(len(self._indices), np.int32)
            for rule in ("reward", "weight")
            if game.implements(rule)
        }
        for vertex, position in enumerate(self.order if of_moves else ()):
            first, last = indptr[vertex], indptr[vertex + 1]
            of = settled(position) if self.expander.settles else position
            targets = targets_of(game, of) if last > first else []
            if len(targets) != last - first:
                broken(game, f"moves({position!r}) gave {last - first} and then {len(targets)} moves")
            forms = [canonical_of(game, t) for t in targets] if self.expander.has_symmetry else targets
            if [self.number.get(t) for t in forms] != self._indices[first:last].tolist():
                broken(
                    game,
                    f"moves({position!r}) come in one order and then in another: expected {IN_ORDER}",
                )
            for rule, points in of_moves.items():
                if rule == "reward" or self._owner[vertex] == CHANCE:
                    for edge, target in enumerate(targets, first):
                        points[edge] = points_of(game, rule, position, target)
        return payoff, of_moves.get("reward"), of_moves.get("weight")


@contextmanager
def rare_collections() -> Iterator[None]:
    """Have the garbage collector look at new objects when most of a batch are gone."""
    before = gc.get_threshold()
    if before[0]:  # 0 for never
        gc.set_threshold(max(before[0], ALLOCATIONS_PER_COLLECTION), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


# -- workers ---------------------------------------------------------------------------------------


class WorkerPolicy:
    """Decides how many workers explore, as the search goes on.

    Parameters
    ----------
    workers : int or None
        The number asked for; None for one, or all processors where the rules are slow.
    """

    def __init__(self, workers: int | None) -> None:
        self.workers = workers
        self._decided_at = time.perf_counter() + SECONDS_ALONE
        self._checked = False

    def workers_now(self, search: Search) -> int:
        """Return the number of workers to go on with.

        Raises RulesError if workers are asked for and would find moves in another order.
        """
        if self.workers == 1 or search.expander.named is None:
            return 1
        if self.workers is None and time.perf_counter() > self._decided_at:
            pays = _pays(search) and _reordered(search) is None
            self.workers, self._checked = cpu_count() if pays else 1, True
        elif self.workers is not None and not self._checked:
            self._checked = True
            if (position := _reordered(search)) is not None:
                raise RulesError(
                    f"moves({position!r}) come in another order from an equal copy of the position: "
                    f"expected workers=1, or {IN_ORDER}"
                )
        return self.workers or 1


def _pays(search: Search) -> bool:
    """Return whether the rules are slow, compared with passing positions to another process."""
    if cpu_count() < 2 or not may_autostart(search.game):
        return False
    if has_free_threads():
        return True
    positions = search.order[search.explored : search.explored + TRIED]
    began = time.perf_counter()
    answer = list(expand_chunk(search.expander, positions))
    asked = time.perf_counter()
    try:
        decoded(encoded(positions))
        for piece in answer:
            if isinstance(piece, str):
                return False
            decoded_expansion(encoded_expansion(piece))
    except Exception:
        return False
    return asked - began > MIN_GAIN * (time.perf_counter() - asked)


def _reordered(search: Search) -> Any:
    """Return a position whose moves come in another order from a copy of it, None if there is none.

    Equal sets may be iterated in different orders, and a copy of a set often is. The order of moves
    decides which numbers positions get, and a saved solution depends on these. The sample does not show
    every such game: workers that nobody asked for get no position with a set that is not settled.
    """
    if has_free_threads():
        return None
    positions = search.order[search.explored : search.explored + COPIED]
    try:
        copies = decoded(encoded(positions))
    except TransportError:  # as the pool will too
        return None
    targets = [[search.expander.expand_one(p)[0] for p in each] for each in (positions, copies)]
    pairs = zip(positions, *targets, strict=True)
    return next((position for position, one, other in pairs if one != other), None)


class _Task:
    """A chunk of positions in the order of the search, and what has come back for it so far."""

    __slots__ = ("pieces", "start", "stop")

    def __init__(self, start: int, stop: int, *pieces: ChunkResult | Exception) -> None:
        self.start = start
        self.stop = stop
        self.pieces = deque(pieces)


class Teamwork:
    """Explores all positions with workers; numbers are assigned in the order of a search alone.

    This process calls the rules as well, for a few positions at a time, whenever no answer of a worker
    has to be added.

    Parameters
    ----------
    search : Search
    pool : WorkerPool

    Attributes
    ----------
    tasks : deque of _Task
        The chunks that are not added to the search yet, in its order.
    out : dict of int to _Task
        Those that workers have, by their first position.
    """

    def __init__(self, search: Search, pool: WorkerPool) -> None:
        self.search = search
        self.pool = pool
        self._copies_unasked = search.context.workers is None and not has_free_threads()
        self.sent = search.explored
        self.tasks: deque[_Task] = deque()
        self.out: dict[int, _Task] = {}

    def run(self) -> None:
        """Explore until all positions are explored.

        Raises
        ------
        RulesError
            Like a search alone, and for a worker that ends, with the position that it explores.
        TransportError
            For positions that cannot be sent to a worker; the search can go on alone.
        """
        search = self.search
        search.watch.processes = self.pool.processes
        try:
            while search.explored < len(search.order):
                self._collect(0)
                self._send()
                if self.tasks and self.tasks[0].pieces:
                    self._add(self.tasks[0])
                elif self.sent < len(search.order):
                    self._expand_here()
                else:
                    self._collect(None)
        finally:
            search.watch.processes = ()

    def _collect(self, timeout: float | None) -> None:
        """Take what workers have returned, waiting for one of them at most so many seconds."""
        if self.out:
            for start, piece in self.pool.collect(timeout):
                self.out[start].pieces.append(piece)

    def _send(self) -> None:
        """Send chunks to workers, so that each has one more than it is working on."""
        order = self.search.order
        while self.sent < len(order) and self.pool.room:
            chunk = order[self.sent : self.sent + self._chunk_size()]
            if self._copies_unasked:
                self._refuse_sets(chunk)
            task = _Task(self.sent, self.sent + len(chunk))
            self.tasks.append(task)
            self.out[self.sent] = task
            self.pool.submit(self.sent, chunk)
            self.sent = task.stop

    def _refuse_sets(self, chunk: Sequence[Any]) -> None:
        """Raise TransportError for a set that a copy of a position may iterate in another order."""
        is_settled = self.search.expander.settles
        try:
            position = next((p for p in chunk if holds_set(p, is_settled)), None)
        except RecursionError:  # of objects that hold each other
            position = chunk[0]
        if position is not None:
            raise TransportError(
                f"the position {position!r} may hold a set, and its copy the same set in another order"
            )

    def _chunk_size(self) -> int:
        """Return the number of positions of a chunk for a worker."""
        unsent = len(self.search.order) - self.sent
        return max(MIN_CHUNK, min(MAX_CHUNK, self.search.allowance, unsent // (2 * self.pool.size + 2)))

    def _expand_here(self) -> None:
        """Call the rules for a few positions, so that no worker waits long for its next chunk."""
        size = max(1, self._chunk_size() // SLICES)
        chunk = self.search.order[self.sent : self.sent + size]
        try:
            expansion = self.search.expander.expand(chunk)
            task = _Task(self.sent, self.sent + len(expansion.degrees), expansion)
        except Exception as error:  # raised when all positions before it are added
            task = _Task(self.sent, self.sent + len(chunk), error)
        self.tasks.append(task)
        self.sent = task.stop

    def _add(self, task: _Task) -> None:
        """Add the next piece; after a failure call the rules here, for the error they raise."""
        search, piece = self.search, task.pieces.popleft()
        if isinstance(piece, Exception):
            raise piece
        if isinstance(piece, str):
            self._fail(task, piece)
        search.add_moves(decoded_expansion(piece) if isinstance(piece, memoryview) else piece)
        if search.explored == task.stop:
            self.tasks.popleft()
            self.out.pop(task.start, None)

    def _fail(self, task: _Task, failure: str) -> NoReturn:
        """Raise RulesError for a chunk with which a worker failed."""
        search = self.search
        first = search.explored
        while search.explored < task.stop:
            search.add_moves(search.expander.expand(search.order[search.explored : task.stop]))
        raise RulesError(
            f"a worker that explored {task.stop - first} positions from {search.order[first]!r} on "
            f"raised {failure}, and another call of the rules did not: expected deterministic rules"
        )


# -- memory ----------------------------------------------------------------------------------------


class MemoryWatch:
    """Watches how much memory this process has taken since the watch began.

    Parameters
    ----------
    budget : int or None
        The most bytes that exploring may take; None for a share of the free memory.
    """

    def __init__(self, budget: int | None) -> None:
        self._is_asked_for = budget is not None
        self._budget = budget
        self.processes: Sequence[int] = ()
        self._before = memory.resident()
        self._looked, self._others = 0.0, 0

    @property
    def budget(self) -> int:
        """The budget in bytes; a share of the free memory is measured when it is first asked for.

        That takes 0.4 ms, which a game of a few positions would notice.
        """
        if self._budget is None:
            self._budget = int(memory.available() * SHARE_OF_FREE)
        return self._budget

    def taken(self, search: Search) -> int:
        """Return the bytes taken: measured, or estimated where the system does not say."""
        if not self._before:
            return position_bytes(search) + BYTES_PER_MOVE * search.num_edges
        others = self._worker_bytes() if self.processes else 0
        return max(0, memory.resident() - self._before) + others

    def _worker_bytes(self) -> int:
        """Return the bytes that other processes take for this one; they are looked at now and then."""
        if time.perf_counter() > self._looked + SECONDS_BETWEEN_LOOKS_AT_WORKERS:
            self._others = sum(map(memory.private, self.processes))
            self._looked = time.perf_counter()
        return self._others

    def check(self, search: Search) -> int:
        """Return the number of positions to explore until the next check.

        Raises
        ------
        MemoryBudgetError
            If exploring is about to exceed the budget.
        """
        number, taken = search.number, self.taken(search)
        needed = taken
        if _places_left(number) < 0.02 * len(number):  # it is copied soon
            needed += int(GROWN * sys.getsizeof(number))
        if needed <= self.budget:
            estimated = position_bytes(search) + BYTES_PER_MOVE * search.num_edges
            each = max(needed, estimated) / max(search.explored, 1)
            room = max(SHARE_BETWEEN_CHECKS * self.budget, (self.budget - needed) / 4)
            steps = min(MAX_BETWEEN_CHECKS, int(room / each))
            if taken + GROWN * sys.getsizeof(number) > self.budget:  # not past the next copy, then
                steps = min(steps, int(_places_left(number) * search.explored / len(search.order) / 2))
            return max(1, steps)
        owner = "the budget" if self._is_asked_for else f"{SHARE_OF_FREE:.0%} of the free memory"
        raise MemoryBudgetError(
            f"{search.progress_text()}, and going on needs {memory.format_bytes(needed)}; {owner} is "
            f"{memory.format_bytes(self.budget)}: expected a larger budget, or a smaller game that ends"
        )


def position_bytes(search: Search) -> int:
    """Return an estimate of the bytes that positions take without moves, from a sample of them."""
    sample = search.order[:: len(search.order) // MEASURED + 1]
    mean = sum(map(_size, sample)) / max(len(sample), 1) + BYTES_PER_POSITION
    return int(mean * len(search.order)) + sys.getsizeof(search.number)


def _size(position: Any) -> int:
    """Return the bytes of a position, of what is in a tuple or a set, and of its attributes."""
    size = sys.getsizeof(position)
    if isinstance(position, tuple | frozenset):
        return size + sum(_size(item) for item in position if type(item) in (tuple, frozenset, bytes))
    attributes = getattr(position, "__dict__", None)
    return size + (sys.getsizeof(attributes) if attributes else 0)


def _places_left(number: dict[Any, int]) -> int:
    """Return the approximate number of positions that a dict takes until it is copied."""
    return int(sys.getsizeof(number) / BYTES_PER_ENTRY) - len(number)
