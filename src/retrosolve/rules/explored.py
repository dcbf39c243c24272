"""The graph of explored positions; and calling the rules again for a sample of them, to compare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import ByteArray, IntArray
from retrosolve.errors import GraphError, PositionError, RulesError, VerificationError
from retrosolve.rules.calls import (
    canonical_of,
    changed_result,
    hashable,
    identical,
    moves_of,
    player_of,
    points_of,
    start_positions,
    targets_of,
    terminal_code,
)
from retrosolve.rules.contract import Game
from retrosolve.runtime.progress import Progress, ProgressCallback
from retrosolve.spaces.base import StateSpace
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
            raise PositionError(
                f"no position that play from the start reaches is written {text!r}: "
                f"expected text such as {self.text(self.order[0])!r}"
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

    def recheck(self, progress: ProgressCallback) -> None:
        """Call the rules again for a sample of positions and compare the results with the edges."""
        Recall(self, progress).run()

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
        for array in (self.indptr, self.indices, self.owner, self.terminals, *points):
            data = b"" if array is None else np.ascontiguousarray(array.astype("<i8")).tobytes()
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
    start, each step by a call of ``moves``, and half are drawn from all positions of the graph. Of a
    game of at most ``MIN_CALLS`` positions all are visited.

    Moves are compared by their targets, without their order. Equal positions of other types, such as
    ``np.int64(5)`` and 5, are one position, and the graph holds the one that was discovered first.
    Where the rules return another type than it holds, the moves by which exploring discovered the
    position are repeated from the start, and must return the type that it holds.

    Parameters
    ----------
    graph : NamedGraph
    progress : callable
    """

    def __init__(self, graph: NamedGraph, progress: ProgressCallback) -> None:
        self.graph, self.progress = graph, progress
        self.game = game = graph.rules
        self.order, self.number = graph.positions.order, graph.positions.number
        self.size = max(min(MIN_CALLS, len(self.order)), len(self.order) // SHARE)
        self._calls = 0
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

    def run(self) -> None:
        """Compare a sample of positions.

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
        if len(self.order) <= MIN_CALLS:
            self._visit_all(starts)
            return
        self._walk(starts, self.size // 2)
        while self._calls < self.size:
            self._check(self.order[self._rng.randrange(len(self.order))])

    def _visit_all(self, starts: Sequence[Any]) -> None:
        """Visit all positions depth-first, unlike exploring; check that the graph has no others."""
        reached = dict.fromkeys(self.number[start] for start in starts)
        todo = list({self.number[start]: start for start in starts}.values())
        while todo:
            for target in self._check(todo.pop()):
                vertex = self.number[target]
                if vertex not in reached:
                    reached[vertex] = None
                    todo.append(target)
        if len(reached) < len(self.order):
            vertex = next(v for v in range(len(self.order)) if v not in reached)
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
        results = self._results(position)
        if self._calls % CALLS_PER_REPORT == 0:
            self.progress(Progress("verifying, rules", self._calls, self.size))
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
                self._refuse_points(f"payoff({position!r})", points, stored, vertex)
        for rule, stored_points in (("reward", graph.reward), ("weight", graph.weight)):
            applies = rule == "reward" or results.player == CHANCE
            if stored_points is None or not results.targets or not applies:
                continue
            targets = targets_of(game, position)
            mine = [points_of(game, rule, position, target) for target in targets]
            here = Counter((self.number[self._form(t)], r) for t, r in zip(targets, mine, strict=True))
            row = stored_points[graph.indptr[vertex] : graph.indptr[vertex + 1]].tolist()
            there = Counter(zip(graph.neighbors(vertex).tolist(), row, strict=True))
            for (target, points), count in (here - there).items():
                others = [r for (w, r), _ in (there - here).items() if w == target]
                call = f"{rule}({position!r}, {self.order[target]!r})"
                if count:
                    self._refuse_points(call, points, others[0] if others else 0, vertex)

    def _refuse_points(self, call: str, here: int, there: int, vertex: int) -> NoReturn:
        """Raise the error for points that differ."""
        raise VerificationError(
            f"{call} gives {here}, but the solution has {there} at vertex {vertex}: expected a "
            "solution of these rules, and rules that are deterministic"
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
        raise VerificationError(
            f"{difference} at vertex {vertex}: expected a solution of these rules, and rules that are "
            "deterministic"
        )

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
