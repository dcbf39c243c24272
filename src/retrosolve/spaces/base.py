"""StateSpace: positions and moves of a game, with stored or generated edges, and what defines one."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from enum import Flag, auto
from functools import singledispatch
from itertools import pairwise, repeat
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import INT32_LIMIT, ByteArray, Immutable, IntArray, object_array, spans
from retrosolve.errors import GraphError, PositionError
from retrosolve.runtime.context import Context, ProgressCallback
from retrosolve.runtime.files import short_repr
from retrosolve.runtime.threads import ThreadPool
from retrosolve.spaces.csr.attribute_names import PLAYERS
from retrosolve.spaces.csr.build import Buckets
from retrosolve.spaces.csr.components import Components
from retrosolve.spaces.csr.ids import SortedIds
from retrosolve.spaces.csr.validation import vertex_of, vertices_of
from retrosolve.tables.base import Table
from retrosolve.values import CHANCE, INVALID, NOT_TERMINAL

if TYPE_CHECKING:
    from retrosolve.compilation.specialize import SpecializedKernels
    from retrosolve.spaces.lanes import Lanes


class Subject(Protocol):
    """Anything that ``solve`` takes: a space, or rules that define one."""

    def state_space(self, context: Context | None = None) -> StateSpace:
        """Return the space of positions and moves."""


class Solvable(Subject, Protocol):
    """A space, or the adapter of rules."""

    def space_without_search(self) -> StateSpace | None:
        """Return the space if that takes no exploring, otherwise None."""

    def estimate_size(self) -> SizeEstimate:
        """Return an estimate from exploring some positions, for rules that must be explored."""

    def reachable_subspace(self, context: Context | None = None) -> StateSpace:
        """Return the space of the positions reachable from the start, if there is a start."""


@singledispatch
def adapted(subject: Any) -> Any:
    """Return a subject that is a space as it is, any other in the adapter of its class.

    ``retrosolve.rules`` registers an adapter for each contract of rules.
    """
    return subject


def is_game_class(cls: type) -> bool:
    """Return whether instances of a class are rules, for which there is an adapter."""
    return adapted.dispatch(cls) is not adapted.dispatch(object)


def space_of(subject: Any, context: Context | None = None) -> StateSpace:
    """Return the space of a graph or a game. Raises GraphError if ``subject`` is neither."""
    return solvable(subject).state_space(context)


def space_without_search(subject: Any) -> StateSpace | None:
    """Return the space of a graph or a game; None if its positions must be explored first."""
    return solvable(subject).space_without_search()


def solvable(subject: Any) -> Solvable:
    """Return a graph, or the adapter of a game.

    Raises
    ------
    GraphError
        If it is neither; names the call that makes one of it, if there is one.
    """
    if isinstance(subject, type) or not hasattr(subject, "state_space"):
        what = f"the class {subject.__name__}" if isinstance(subject, type) else short_repr(subject)
        raise GraphError(f"{what} cannot be solved: expected {_expected(subject)}")
    found: Solvable = adapted(subject)
    return found


def _expected(subject: Any) -> str:
    """Return the expected kind of subject, for an error about one that is no graph and no game."""
    if isinstance(subject, type):
        if hasattr(subject, "state_space"):
            return f"an instance of it, {subject.__name__}()"
    elif hasattr(subject, "table") and hasattr(subject, "space"):
        return "a Graph or a Game, and this is solved; its graph is solution.space"
    elif isinstance(subject, str):
        return f"game({subject!r}) for a built-in game, or read_graph({subject!r}) for a file"
    elif isinstance(subject, PathLike):
        return "a Graph or a Game, such as read_graph(path)"
    elif hasattr(subject, "is_multigraph"):
        return "Graph.from_networkx(G)"
    elif hasattr(subject, "tocsr"):
        return "Graph.from_scipy(A)"
    elif hasattr(subject, "columns"):
        return "Graph.from_pandas(df, source, target)"
    elif isinstance(subject, Mapping):
        return "Graph.from_dict(d)"
    elif isinstance(subject, Sequence):
        return "Graph.from_edges(pairs)"
    return "a Graph or a Game, made by its class"


NO_PASSING = (
    "the rules do not say what a position is with the other player to move: "
    "expected a method null_move(position)"
)
NO_FEATURES = (
    "nobody says what a position is in numbers: expected rules with a method features(position)"
)
ASSUMED_BRANCHING = 8  # moves of a position, where only solving tells


class Capability(Flag):
    """What a space offers to solvers and to verification."""

    __hash__ = object.__hash__  # there is one object for each combination; that of Enum takes longer

    NONE = 0
    CSR = auto()
    """Edges are stored as CSR arrays, so materializing costs nothing."""
    TOPOLOGICAL = auto()
    """The numbering is topological; with TIERS, every move leads to an earlier tier."""
    TIERS = auto()
    """There are several tiers, and no move leads to a later one."""
    COMPONENTS = auto()
    """Indices are in small components of one size, and no cycle leaves its own."""
    OWNED = auto()
    """Positions have owners; otherwise the players alternate."""
    GENERATED = auto()
    """Edges are generated by kernels compiled from rules."""
    PREDECESSORS = auto()
    """Predecessors are generated as well."""
    REACHABLE_ONLY = auto()
    """Only positions reachable from the initial ones are valid."""
    BIT_ROWS = auto()
    """Positions are two tokens and a turn, and moves act on rows of bits."""
    EDGE_BLOCKS = auto()
    """Edges are read from files, in no order, a block at a time."""
    HEAPS = auto()
    """Vertices are heaps; a move leads to a sum of heaps, which is no vertex."""
    CHANCE = auto()
    """Dice are thrown: chance owns positions, or throws before each move."""
    LANES = auto()
    """With CHANCE: the players never meet, and what dice make of the places of one is known."""


class Csr(NamedTuple):
    """Edges as compressed sparse rows: row i is ``indices[indptr[i]:indptr[i + 1]]``."""

    indptr: IntArray
    indices: IntArray


class SomeEdges(NamedTuple):
    """The edges out of some vertices as compressed sparse rows; ``reward`` is 0 without rewards."""

    indptr: NDArray[np.int64]
    target: IntArray
    reward: IntArray | int


class NamedEdges(NamedTuple):
    """Some positions and the moves from them, as compressed sparse rows.

    Parameters
    ----------
    positions : list of hashable [k]
    indptr : int64 [k + 1]
        Begins with 0; no move where the game is over.
    names : list of str [edges]
    targets : list of hashable [edges]
        The positions that moves lead to, as the rules list them.
    vertices : int64 [edges]
        Their indices.
    reward : int [edges] or int
        0 without rewards.
    results : uint8 [edges]
        Of ``terminal`` at each target, for compiled rules with ``move_names``; else NOT_TERMINAL.
    """

    positions: list[Any]
    indptr: NDArray[np.int64]
    names: list[str]
    targets: list[Any]
    vertices: NDArray[np.int64]
    reward: IntArray | int
    results: NDArray[np.uint8]


class Size(NamedTuple):
    """The size of a space, as far as it is known without exploring it.

    Parameters
    ----------
    num_vertices, num_edges : int or None
        None if unknown until positions are explored (both) or solved (edges).
    exact : bool
        Whether the numbers are exact rather than estimates.
    """

    num_vertices: int | None
    num_edges: int | None
    exact: bool

    @property
    def likely_edges(self) -> int:
        """The number of edges, a guess where only solving tells."""
        if self.num_edges is None:
            return ASSUMED_BRANCHING * (self.num_vertices or 0)
        return self.num_edges


class SizeEstimate(NamedTuple):
    """An estimate of the size of a game from exploring its first positions.

    Parameters
    ----------
    positions, explored : int
        The number of positions that were found, and of those whose moves are known.
    moves, memory_bytes, seconds : float
        The mean per position: moves, bytes to hold them and the position, and time to explore it.
    space : StateSpace or None
        The space if that was the whole game.
    """

    positions: int
    explored: int
    moves: float
    memory_bytes: float
    seconds: float
    space: StateSpace | None


class Throw(NamedTuple):
    """What chance may do, and the moves after it.

    Parameters
    ----------
    name : str
    weight : int
        How often it does so, compared with the other throws of the position.
    moves : list of (str, hashable, bool)
        The name and the target of each move, and whether the same player moves again.
    """

    name: str
    weight: int
    moves: list[tuple[str, Any, bool]]


class Rules(Protocol):
    """The part of an author's rules, plain or compiled, that shows positions."""

    players: tuple[str, str]
    objective: str
    win_in_moves: str
    turns_board: bool
    piece_kinds: tuple[str, str] | None

    def implements(self, name: str) -> bool: ...  # noqa: D102
    def text(self, position: Any) -> str: ...  # noqa: D102
    def parse(self, text: str) -> Any: ...  # noqa: D102
    def svg(self, position: Any) -> str | None: ...  # noqa: D102
    def move_points(self, position: Any, target: Any) -> Sequence[str] | None: ...  # noqa: D102
    def features(self, position: Any) -> Sequence[float]: ...  # noqa: D102
    def null_move(self, position: Any) -> Any: ...  # noqa: D102
    def spec(self) -> dict[str, Any]: ...  # noqa: D102


class Positions(ABC):
    """The positions of a space one at a time: their indices, moves, texts and pictures."""

    __slots__ = ()

    @abstractmethod
    def index(self, position: Hashable) -> int:
        """Return the index of a position. Raises PositionError if there is no such position."""

    @property
    def reads_text(self) -> bool:
        """Whether a text that is no position itself may stand for one, as rules read it."""
        return False

    def resolved(self, position: Hashable) -> tuple[Hashable, int]:
        """Return a position in the form that the rules take, and its index. Raises PositionError."""
        try:
            return position, self.index(position)
        except PositionError:
            if not (isinstance(position, str) and self.reads_text):
                raise
        parsed = self.parse(position)
        return parsed, self.index(parsed)

    def indices_of(self, positions: NDArray[Any] | Sequence[Any]) -> NDArray[np.int64]:
        """Return the index of each of some positions, -1 for what is no position, int64 [k].

        Parameters
        ----------
        positions : integer array [k] or sequence of hashable
            In the forms that :meth:`resolved` takes.
        """
        found = np.full(len(positions), -1, np.int64)
        listed = positions.tolist() if isinstance(positions, np.ndarray) else positions
        for place, position in enumerate(listed):
            with contextlib.suppress(PositionError):
                found[place] = self.resolved(position)[1]
        return found

    @abstractmethod
    def position(self, index: int) -> Hashable:
        """Return the position of an index."""

    @abstractmethod
    def moves(self, position: Hashable) -> list[tuple[str, Hashable]]:
        """Return the name and the target of each move from a position, in the order of the rules."""

    @abstractmethod
    def parse(self, text: str) -> Hashable:
        """Return the position that ``text`` stands for. Raises PositionError if there is none."""

    def move_rewards(self, position: Hashable, targets: Sequence[Hashable]) -> list[int] | None:
        """Return the rewards of the moves from a position; None without rewards."""
        return None

    def move_weights(self, position: Hashable, targets: Sequence[Hashable]) -> list[int] | None:
        """Return the weights of the moves of chance to some targets; None where a player moves."""
        return None

    def text(self, position: Hashable) -> str:
        """Return a position as text."""
        return str(position)

    def throws(self, position: Hashable) -> list[Throw] | None:
        """Return the throws before a move from a position; None where chance does nothing."""
        return None

    def side_to_move(self, position: Hashable) -> int | None:
        """Return the player to move, 0 or 1, where the space has no owners; None if nobody says."""
        return None

    def svg(self, position: Hashable) -> str | None:
        """Return a picture of a position as an ``<svg>`` element; None if there is none."""
        return None

    def move_aliases(self, position: Hashable, target: Hashable) -> tuple[str, ...]:
        """Return other names of a move that a person may type."""
        return ()

    def move_points(self, position: Hashable, target: Hashable) -> tuple[str, ...] | None:
        """Return the points to click in the picture for a move, in order; None if there are none."""
        return None

    @property
    def has_features(self) -> bool:
        """Whether rules say a position in numbers, to learn from."""
        return False

    def features(self, position: Hashable) -> Sequence[float]:
        """Return a position as numbers to learn from. Raises GraphError where rules make none."""
        raise GraphError(NO_FEATURES)

    def null_move(self, index: int) -> int:
        """Return the index of a position with the other player to move, -1 if there is none.

        Raises
        ------
        GraphError
            If the rules do not define null moves.
        """
        raise GraphError(NO_PASSING)


class Vertices(Positions):
    """The vertices of a space by their names, or the indices themselves.

    Parameters
    ----------
    space : StateSpace
    names : sequence of hashable, optional
        The name of each vertex; by default its number.
    numbers : mapping of hashable to int, optional
        The vertex of each name.
    """

    __slots__ = ("names", "numbers", "space")

    def __init__(
        self, space: StateSpace, names: Sequence[Hashable] | None = None,
        numbers: Mapping[Hashable, int] | None = None,
    ) -> None:  # fmt: skip
        self.space, self.names, self.numbers = space, names, numbers

    def index(self, position: Hashable) -> int:
        """Return the vertex with this name or number."""
        return vertex_of(position, self.space.num_vertices, self.numbers)

    def indices_of(self, positions: NDArray[Any] | Sequence[Any]) -> NDArray[np.int64]:
        """Return the number of each of some vertices, -1 where there is none."""
        if isinstance(self.names, SortedIds) and isinstance(positions, np.ndarray):
            return self.names.vertices(positions)
        return vertices_of(positions, self.space.num_vertices, self.numbers)

    def position(self, index: int) -> Hashable:
        """Return the name of a vertex, or its number."""
        return index if self.names is None else self.names[index]

    def moves(self, position: Hashable) -> list[tuple[str, Hashable]]:
        """Return each successor once, under its own name."""
        successors = dict.fromkeys(self.space.neighbors(self.index(position)).tolist())
        return [(str(target), target) for target in map(self.position, successors)]

    def move_rewards(self, position: Hashable, targets: Sequence[Hashable]) -> list[int] | None:
        """Return the largest reward of an edge to each of some successors; None without rewards."""
        v = self.index(position)
        points = self.space.rewards(v, v + 1)
        if points is None:
            return None
        rewards: dict[int, int] = {}
        for w, reward in zip(self.space.neighbors(v).tolist(), points.tolist(), strict=True):
            rewards[w] = max(reward, rewards.get(w, reward))
        return [rewards[self.index(target)] for target in targets]

    def move_weights(self, position: Hashable, targets: Sequence[Hashable]) -> list[int] | None:
        """Return the sum of the weights of the edges to each of some successors of chance."""
        v = self.index(position)
        mover = self.space.player(np.array([v]))
        if mover is None or mover[0] != CHANCE:
            return None
        weights = self.space.weights(v, v + 1)
        each = repeat(1) if weights is None else weights.tolist()
        total: dict[int, int] = {}
        for w, weight in zip(self.space.neighbors(v).tolist(), each, strict=False):
            total[w] = total.get(w, 0) + weight
        return [total[self.index(target)] for target in targets]

    def parse(self, text: str) -> Hashable:
        """Return the name or number that ``text`` stands for. Raises PositionError if there is none."""
        position: Hashable = text
        is_number = text.isascii() and text.isdigit() and len(text) < 19
        if is_number and (self.numbers is None or text not in self.numbers):
            position = int(text) if self.numbers is None or int(text) in self.numbers else text
        self.index(position)
        return position


class StateSpace(Immutable, ABC):
    """The positions of a game as indices ``0..num_vertices-1``, and the moves between them.

    Some indices may be INVALID, that is, not a position: no move leads to them and they have no value.
    A space is immutable.

    Attributes
    ----------
    num_vertices : int
        The number of indices, INVALID ones included.
    """

    __slots__ = ()

    num_vertices: int
    has_sums: ClassVar[bool] = False
    """Whether a move may lead to a sum of positions, which is no vertex."""

    rules: Rules | None = None
    """The rules of the game; None for a space without any."""

    @property
    def players(self) -> tuple[str, str]:
        """The names of the two players."""
        return PLAYERS if self.rules is None else self.rules.players

    @property
    def owners(self) -> tuple[str, ...]:
        """The names of who moves by number: the two players, and chance where it does."""
        return (*self.players, "chance") if Capability.CHANCE in self.capabilities else self.players

    @property
    @abstractmethod
    def start(self) -> Hashable | None:
        """The initial position; None without one."""

    @property
    def has_names(self) -> bool:
        """Whether positions are anything but their indices."""
        return True

    @property
    @abstractmethod
    def capabilities(self) -> Capability:
        """The capabilities of the space."""

    @property
    def default_objective(self) -> str:
        """The question that is asked unless another is named: by the rules, or "chance" with dice."""
        asked = "outcome" if self.rules is None else self.rules.objective
        return "chance" if asked == "outcome" and Capability.CHANCE in self.capabilities else asked

    @property
    @abstractmethod
    def num_edges(self) -> int:
        """The number of edges, duplicates included. May take a pass over all positions."""

    @property
    def tier_names(self) -> Sequence[str] | None:
        """The name of each tier, several may have the same; None where they have none."""
        return None

    @property
    def tiers(self) -> Sequence[int]:
        """The first index of each tier, ascending from 0."""
        return (0,)

    @property
    def tier_bounds(self) -> list[tuple[int, int]]:
        """The first index of each tier, and the first one after it."""
        return list(pairwise([*self.tiers, self.num_vertices]))

    @property
    def tier_sizes(self) -> list[int]:
        """The number of indices of each tier."""
        return [above - below for below, above in self.tier_bounds]

    def tier_targets(self, tier: int) -> Sequence[int]:
        """Return the earlier tiers that moves of a tier may lead to, by default all of them."""
        return range(tier)

    @abstractmethod
    def terminal(self, start: int, stop: int) -> ByteArray:
        """Return the terminal values of the vertices ``start..stop-1``.

        Returns
        -------
        uint8 [stop - start]
            0 where the game goes on; otherwise WIN, LOSS or TIE for the player to move, or INVALID.
        """

    def payoffs(self, start: int, stop: int) -> IntArray | None:
        """Return the payoffs of the player to move where the game ends among ``start..stop-1``.

        Returns
        -------
        int [stop - start] or None
            0 where the game goes on; None where terminal values and the rule of being stuck say it.
        """
        return None

    def rewards(self, start: int, stop: int) -> IntArray | None:
        """Return the rewards of the moves out of the vertices ``start..stop-1`` win for their players.

        Returns
        -------
        int [edges] or None
            In the order of :meth:`successors`; None without rewards. A move with a reward is part of no
            cycle.
        """
        return None

    def weights(self, start: int, stop: int) -> IntArray | None:
        """Return the weights of the moves out of the vertices ``start..stop-1``.

        Returns
        -------
        int [edges] or None
            In the order of :meth:`successors`. They count where chance moves; None if all are equal.
        """
        return None

    @abstractmethod
    def player(self, indices: IntArray) -> ByteArray | None:
        """Return who moves at some vertices.

        Parameters
        ----------
        indices : int [k]

        Returns
        -------
        uint8 [k] or None
            0 or 1, or 2 for chance; None where the players alternate.
        """

    def common_player(self, start: int, stop: int) -> int | None:
        """Return who moves at all of the vertices ``start..stop-1``.

        Returns
        -------
        int or None
            0 or 1; None where that is not known without a look at each of them.
        """
        return None

    @abstractmethod
    def successors(self, start: int, stop: int) -> Csr:
        """Return the edges out of the vertices ``start..stop-1``.

        Returns
        -------
        Csr
            ``indptr`` [stop - start + 1] begins with 0. Terminal vertices may have edges.
        """

    def edges_of(self, vertices: IntArray) -> SomeEdges:
        """Return the edges out of some vertices, none out of those where the game is over.

        Parameters
        ----------
        vertices : int64 [k]

        Returns
        -------
        SomeEdges
            ``indptr`` [k + 1] begins with 0.
        """
        rows: list[IntArray] = [np.zeros(0, np.int64)]
        rewards: list[IntArray] = [np.zeros(0, np.int64)]
        scored = self.rewards(0, 0) is not None
        for v in vertices.tolist():
            over = bool(self.terminal(v, v + 1)[0])
            rows.append(self.neighbors(v)[: 0 if over else None])
            points = self.rewards(v, v + 1) if scored else None
            if points is not None:
                rewards.append(points[: 0 if over else None])
        indptr = np.cumsum([0, *(len(row) for row in rows[1:])], dtype=np.int64)
        return SomeEdges(indptr, np.concatenate(rows), np.concatenate(rewards) if scored else 0)

    def named_edges(self, vertices: IntArray) -> NamedEdges:
        """Return some positions with their moves, in the order of the rules.

        Parameters
        ----------
        vertices : int64 [k]
        """
        positions = [self.position(v) for v in vertices.tolist()]
        counts, moves, rewards = [0], list[tuple[str, Hashable]](), list[int]()
        for v, position in zip(vertices.tolist(), positions, strict=True):
            here = [] if self.terminal(v, v + 1)[0] else self.moves(position)
            counts.append(len(here))
            moves += here
            rewards += self.positions.move_rewards(position, [target for _, target in here]) or []
        targets = [target for _, target in moves]
        return NamedEdges(
            positions,
            np.cumsum(counts, dtype=np.int64),
            [name for name, _ in moves],
            targets,
            self.target_indices(targets),
            np.array(rewards, np.int64) if rewards else 0,
            np.full(len(targets), NOT_TERMINAL, np.uint8),
        )

    def neighbors(self, vertex: int) -> IntArray:
        """Return the successors of a vertex, duplicates included."""
        return self.successors(vertex, vertex + 1).indices

    @abstractmethod
    def out_degrees(self) -> IntArray:
        """Return the number of edges out of each vertex, int [num_vertices]."""

    def estimate(self) -> Size:
        """Return the size; edges are estimated if counting them would take as long as solving."""
        return Size(self.num_vertices, self.num_edges, True)

    @abstractmethod
    def materialize(self) -> CsrSpace:
        """Return a graph with the same vertices and every edge stored.

        Raises
        ------
        RulesError
            For a move to an INVALID index.
        """

    def state_space(self, context: Context | None = None) -> StateSpace:
        """Return the space itself."""
        return self

    def space_without_search(self) -> StateSpace | None:
        """Return the space itself."""
        return self

    def reachable_subspace(self, context: Context | None = None) -> StateSpace:
        """Return the space itself."""
        return self

    def detach(self, table: Table) -> StateSpace:
        """Return the space to keep in a solution, without edges that can be generated again.

        Parameters
        ----------
        table : Table
            The result of solving the space. A space of reachable positions takes from it which indices
            are valid.
        """
        return self

    def estimate_size(self) -> SizeEstimate:
        """Return the size of the space, which needs no estimate."""
        n = self.num_vertices
        return SizeEstimate(n, n, self.num_edges / max(n, 1), 0.0, 0.0, self)

    def valid(self) -> NDArray[np.int64]:
        """Return the indices of all positions, ascending; INVALID indices are left out."""
        found = []
        for start, stop in spans(self.num_vertices):
            found.append(start + np.flatnonzero(self.terminal(start, stop) != INVALID))
        return np.concatenate([np.zeros(0, np.int64), *found])

    # -- positions ----------------------------------------------------------------------------

    @property
    def positions(self) -> Positions:
        """The positions; the indices themselves where nothing names them."""
        return Vertices(self)

    def index(self, position: Hashable) -> int:
        """Return the index of a position. Raises PositionError if there is no such position."""
        return self.positions.index(position)

    def summands(self, position: Hashable) -> list[int]:
        """Return the indices of the summands of a position, by default its own."""
        return [self.index(position)]

    def resolved(self, position: Hashable) -> tuple[Hashable, int]:
        """Return a position in the form that the rules take, and its index. Raises PositionError.

        Compiled rules take whole numbers of Python; a position may be given as text or by NumPy. Text
        that plain rules parse stands for a position, too.
        """
        return self.positions.resolved(position)

    def indices_of(self, positions: NDArray[Any] | Sequence[Any]) -> NDArray[np.int64]:
        """Return the index of each of some positions, -1 for what is no position.

        Parameters
        ----------
        positions : integer array [k] or sequence of hashable
            In the forms that :meth:`resolved` takes.

        Returns
        -------
        int64 [k]
            The index may still be INVALID, where that is known only from a solution.
        """
        return self.positions.indices_of(positions)

    def target_indices(self, positions: Sequence[Hashable]) -> NDArray[np.int64]:
        """Return the indices of positions that moves lead to, int64 [k].

        An index may be INVALID where rules are wrong. Raises PositionError if there is none.
        """
        return np.array([self.index(position) for position in positions], np.int64)

    def position(self, index: int) -> Hashable:
        """Return the position of an index."""
        return self.positions.position(index)

    def positions_of(self, indices: IntArray) -> NDArray[Any]:
        """Return the positions of some indices: int64 [k] where positions are their own index.

        Otherwise object [k], or int64 [k] where all are whole numbers by their kind.
        """
        if not self.has_names:
            return indices.astype(np.int64)
        return object_array(map(self.position, indices.tolist()))

    def moves(self, position: Hashable) -> list[tuple[str, Hashable]]:
        """Return the name and the target of each move from a position, in the order of the rules."""
        return self.positions.moves(position)

    def throws(self, position: Hashable) -> list[Throw] | None:
        """Return the throws before a move from a position; None where chance does nothing."""
        return self.positions.throws(position)

    def text(self, position: Hashable) -> str:
        """Return a position as text."""
        return self.positions.text(position)

    def texts(self, positions: Sequence[Hashable]) -> list[str]:
        """Return many positions as text."""
        return [self.text(position) for position in positions]

    def parse(self, text: str) -> Hashable:
        """Return the position that ``text`` stands for. Raises PositionError if there is none."""
        return self.positions.parse(text)

    def svg(self, position: Hashable) -> str | None:
        """Return a picture of a position as an ``<svg>`` element; None if there is none."""
        return self.positions.svg(position)

    def move_points(self, position: Hashable, target: Hashable) -> tuple[str, ...] | None:
        """Return the points to click in the picture for a move, in order; None if there are none."""
        return self.positions.move_points(position, target)

    def labels(self, vertices: IntArray) -> NDArray[Any]:
        """Return some positions for a table: as text, or as whole numbers where they are that.

        Parameters
        ----------
        vertices : int [k]

        Returns
        -------
        object [k] of str, or int64 [k]
        """
        if not self.has_names:
            return vertices.astype(np.int64)
        return object_array(self.text(self.position(v)) for v in vertices.tolist())

    def move_labels(self, vertices: IntArray, targets: IntArray) -> NDArray[Any]:
        """Return the name of a move from each of some vertices.

        Parameters
        ----------
        vertices, targets : int [k]
            Where each move leads from and to.

        Returns
        -------
        object [k] of str, or int64 [k]
            The first name of such a move; whole numbers where positions are that.
        """
        if not self.has_names:
            return targets.astype(np.int64)
        return object_array(
            next(name for name, to in self.moves(self.position(v)) if self.index(to) == target)
            for v, target in zip(vertices.tolist(), targets.tolist(), strict=True)
        )

    def side_to_move(self, position: Hashable, vertex: int | None = None) -> int | None:
        """Return the player to move, 0 or 1; None if the rules do not say. Chance counts as the first.

        ``vertex`` is its index, if that is known.
        """
        movers = self.player(np.array([self.index(position) if vertex is None else vertex]))
        if movers is None:
            return self.positions.side_to_move(position)
        return int(movers[0]) & 1

    def recheck(self, progress: ProgressCallback, full: bool = False) -> int | None:
        """Compare stored edges with the rules that they came from, at a sample of positions or at all.

        Returns
        -------
        int or None
            The number of these positions. None where no rules were explored: edges are the input, or
            the rules generate them for the proof.

        Raises
        ------
        VerificationError
            For a position at which the rules say something else.
        RulesError
            For rules that break their contract.
        """
        return None

    # -- saving -------------------------------------------------------------------------------

    @abstractmethod
    def spec(self) -> dict[str, Any]:
        """Return the specification of the space, from which it can be rebuilt; ready for JSON."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that rebuilding the space needs besides its specification."""
        return {}

    def digest(self) -> str | None:
        """Return a digest of edges that rules made and no file holds; None for other edges."""
        return None

    def content(self) -> tuple[Any, ...]:
        """Return text, numbers and arrays in tuples, on which moves also depend, to tell spaces apart.

        None is among it where something has no digest, so that there is no telling.
        """
        return ()


class EdgeBlockSpace(StateSpace):
    """A space with the capability EDGE_BLOCKS: its edges are read in any order, some at a time."""

    __slots__ = ()

    owner: ByteArray | None
    terminals: ByteArray | None
    scratch: Path | None
    """The folder for temporary files; by default that of the system."""

    @property
    @abstractmethod
    def num_bytes(self) -> int:
        """The bytes of all files of edges."""

    @abstractmethod
    def factorize_names(self, memory: int | None = ..., progress: ProgressCallback = ...) -> None:
        """Number the names of vertices, if that is still to be done, in so many bytes."""

    @abstractmethod
    def edge_blocks(self, size: int = ...) -> Iterator[tuple[IntArray, IntArray]]:
        """Yield the sources and the targets of all edges, about ``size`` edges at a time."""


class RulesSpace(StateSpace):
    """A space with the capability GENERATED: compiled rules make the moves of an index."""

    __slots__ = ()

    name: str
    """The class of the rules, for error messages."""
    kernels: SpecializedKernels
    """Kernels that call the functions of the game."""
    max_moves: int
    """The largest number of moves of a position."""
    max_predecessors: int
    """The largest number of predecessors, 0 if the rules generate none."""
    component_size: int
    """The number of indices of a component, 0 if there are none."""
    initial_indices: tuple[int, ...]
    """The initial positions of a game of which only reachable positions are valid, otherwise empty."""

    @property
    @abstractmethod
    def lanes(self) -> Lanes | None:
        """The lanes of the players, in a space with the capability LANES; None in others."""

    @property
    @abstractmethod
    def work(self) -> int:
        """The approximate number of moves to generate, which decides whether compiling pays."""

    @abstractmethod
    def run(self, kernel: Any, *args: Any, known: IntArray | None = None, few: bool = False) -> Any:
        """Call a kernel with the arguments of the rules as its last; see ``GeneratedSpace``."""

    @abstractmethod
    def arguments(self, compiled: bool) -> tuple[Any, tuple[IntArray, ...]]:
        """Return the data and the index table as arguments of compiled or of plain functions."""

    @abstractmethod
    def locate(self, known: IntArray | None, fault: IntArray) -> None:
        """Complete a fault that a kernel has reported without its details."""


class CsrSpace(StateSpace):
    """A space with the capability CSR: every edge is stored."""

    __slots__ = ()

    owner: ByteArray | None
    terminals: ByteArray | None
    payoff: IntArray | None
    """What the player to move wins where the game ends; None where terminal values say it."""
    reward: IntArray | None
    """What each move wins for its player, row by row; None without rewards."""
    weight: IntArray | None
    """The weight of each move, row by row, which counts where chance moves; None if all are equal."""
    has_chance: bool
    """Whether chance owns a vertex."""
    prefers_edge_list: bool
    """Whether the edges were a list at first, as is best where one thread sorts them by target."""
    is_dealt: bool
    """Whether the edges were in buckets at first, so that a solve that needs rows has to sort them."""

    @property
    @abstractmethod
    def indptr(self) -> IntArray:
        """The start of each row, int [num_vertices + 1]."""

    @property
    @abstractmethod
    def indices(self) -> IntArray:
        """The successors of each vertex, row by row, int [num_edges]."""

    @abstractmethod
    def buckets(self, pool: ThreadPool) -> Buckets:
        """Return the edges in buckets of neighbouring sources."""

    @property
    @abstractmethod
    def edge_list(self) -> tuple[IntArray, IntArray] | None:
        """The edges as sources and targets until rows are first accessed; then None."""

    @property
    @abstractmethod
    def components(self) -> Components:
        """The strongly connected components; edges out of terminal vertices do not count."""

    @property
    @abstractmethod
    def direction(self) -> int:
        """1 if the numbering is topological and all edges lead up, -1 if they lead down, else 0."""


Seconds = Callable[[Any, int, int], float]
"""``seconds(space, num_edges, threads)`` estimates the time that something takes."""


class Sized(Protocol):
    """A space, as far as an estimate reads it."""

    num_vertices: int


def linear(vertex: float, edge: float, max_threads: int = INT32_LIMIT) -> Seconds:
    """Return an estimate from the nanoseconds of one core for a vertex and an edge."""

    def seconds(space: Sized, num_edges: int, threads: int) -> float:
        nanoseconds: float = vertex * space.num_vertices + edge * num_edges
        return nanoseconds / min(threads, max_threads) / 1e9

    return seconds
