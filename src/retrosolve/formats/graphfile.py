"""GraphFile: the contents of a file, a graph and possibly a solution of it.

The solution is a claim: it is checked here to be complete, in range and of the same graph. Only
``verify`` proves it.

Results of other questions than who wins are labels, in a column that has the name of the objective:
``score``, ``nimber`` or ``conversion``; and ``plies``, empty for none. ``objective`` is the objective
with its parameters. Without that, columns of these names are somebody else's, and are not read.
``tier`` is the number of the tier of each vertex, in ascending order, for distances to conversion.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from retrosolve.arrays import ByteArray, IntArray, index_dtype, spans
from retrosolve.errors import FormatError, GraphError, RetrosolveError
from retrosolve.objectives import Conversion, Nimber, Objective, Outcome, Score, objective_of
from retrosolve.objectives.base import Codec
from retrosolve.runtime import memory
from retrosolve.runtime.context import Progress, ProgressCallback, counted, no_progress
from retrosolve.runtime.files import Place, Source, Writer, short_repr
from retrosolve.runtime.text import check_distinct, check_read
from retrosolve.solution import Solution
from retrosolve.solution.preference import best_successors
from retrosolve.spaces.base import Capability, StateSpace
from retrosolve.spaces.csr.attribute_names import PLAYERS
from retrosolve.spaces.csr.validation import known_owners
from retrosolve.spaces.graph import Graph, compact
from retrosolve.tables import ArrayTable
from retrosolve.tables.coded import coded_table
from retrosolve.values import Value, stuck_value

INT64_LIMIT = 2**63
POSITIONS_PER_REPORT = 1 << 14


@dataclass(frozen=True, eq=False)
class GraphFile:
    """The contents of a graph file. Fields are None for what the file does not hold.

    Parameters
    ----------
    graph : Graph
    start : hashable, optional
        The initial position, a name or a vertex number; by default that of the graph.
    value : uint8[n], optional
        Codes of ``Value``.
    remoteness : int32[n] or int64[n], optional
        Plies to the end, -1 for a draw.
    stuck : str, optional
        The value of having no move: ``"loss"``, ``"win"`` or ``"tie"``.
    best : int64[n], optional
        The index of a best successor, -1 where there is none.
    results : Results, optional
        The results of another objective.
    notes : tuple of str
        How the file was read where it could have been read otherwise, one sentence each.

    Examples
    --------
    >>> file = GraphFile(Graph.from_edges(["a"], ["b"]), start="a")
    >>> file.start, file.solution() is None
    ('a', True)
    """

    graph: Graph
    start: Hashable | None = None
    value: ByteArray | None = None
    remoteness: IntArray | None = None
    stuck: str | None = None
    best: IntArray | None = None
    results: Results | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Let the graph and the file have one start."""
        if self.start is None:
            object.__setattr__(self, "start", self.graph.start)
        elif self.graph.start != self.start:
            object.__setattr__(self, "graph", self.graph.with_start(self.start))

    @property
    def players(self) -> tuple[str, str] | None:
        """The names of the players, None for the usual ones."""
        return None if self.graph.players == PLAYERS else self.graph.players

    def entries(self) -> dict[str, Any]:
        """Return the entries that formats write beside the edges and the names, by their names.

        Vertices and edges have arrays, or lists of text; the graph has a word or a number. There is
        None for what a file would not hold.
        """
        graph = self.graph
        entries = {
            "owner": graph.owner,
            "terminal": graph.terminals,
            "payoff": graph.payoff,
            "reward": graph.reward,
            "weight": graph.weight,
            "stuck": self.stuck,
            "start": None if self.start is None else graph.index(self.start),
            "value": self.value,
            "remoteness": self.remoteness,
            "best": self.best,
        }
        return entries | ({} if self.results is None else self.results.entries())

    def solution(self) -> Solution | None:
        """Return the solution in the file, unproven; None if there is none."""
        if self.results is not None:
            return self.results.solution(self.graph)
        if self.value is None or self.remoteness is None:
            return None
        table = ArrayTable(self.value, self.remoteness)
        return Solution(self.graph, table, stuck_value(self.stuck or "loss"), "file")


@dataclass(frozen=True)
class OutputFile:
    """One file to write.

    Parameters
    ----------
    write : callable
        ``write(file)`` writes the contents to a binary file.
    infix : str
        Inserted before the suffix of the path.
    needed : bool
        If False, the file is written only to replace an existing one, which would be out of date.
    """

    write: Writer
    infix: str = ""
    needed: bool = field(default=True, kw_only=True)


def as_graph_file(subject: Any, progress: ProgressCallback = no_progress) -> GraphFile:
    """Return a graph or a solution as a GraphFile, with every edge stored.

    Parameters
    ----------
    subject : StateSpace or Solution
        Positions of a game are named by their text if all texts differ. INVALID indices are left out.
    progress : callable

    Returns
    -------
    GraphFile

    Raises
    ------
    FormatError
        For any other object, and for a solution of results that no file holds.
    MemoryBudgetError
        If storing the edges exceeds the memory budget.
    """
    if isinstance(subject, StateSpace):
        graph, real = _stored(subject, progress)
        return GraphFile(graph, _start(subject, subject, graph, real))
    if not isinstance(subject, Solution):
        raise FormatError(f"{short_repr(subject)} cannot be written: expected a Graph or a Solution")
    space, table, objective = subject.space, subject.table, subject.objective
    if (objective.solved_as or objective.name) not in (Outcome.name, *RESULTS):
        raise FormatError(
            f"files of graphs hold no results of {objective!r}: expected solution.save(), or for a "
            "table solution.to_pandas() or convert --rows"
        )
    if objective.name not in RESULTS and not table.has_remoteness:
        raise FormatError(
            "files of graphs hold values with their remoteness, and this solution has none: expected "
            "one of the objective outcome, solution.save(), or for a "
            "table solution.to_pandas() or convert --rows"
        )
    graph, real = _stored(space, progress)
    start = _start(subject, space, graph, real)
    if objective.name in RESULTS:
        return GraphFile(graph, start, results=Results.of(subject, real))
    number = np.full(space.num_vertices + 1, -1, np.int64)
    number[:-1][real] = np.arange(graph.num_vertices)
    return GraphFile(
        graph,
        start,
        table.values(real),
        table.remoteness(real),
        subject.stuck.label,
        number[_best_successors(subject, progress)[real]],
    )


def _start(
    subject: StateSpace | Solution, space: StateSpace, graph: Graph, real: IntArray
) -> Hashable | None:
    """Return the start as the graph of the indices ``real`` names it, None without one."""
    if subject.start is None:
        return None
    return graph.position(int(np.searchsorted(real, space.index(subject.start))))


def _best_successors(solution: Solution, progress: ProgressCallback) -> IntArray:
    """Return a best successor of each vertex, a range of vertices at a time."""
    n = solution.table.num_vertices
    best, report = np.empty(n, np.int64), counted(progress, "choosing moves", 0, n)
    for start, stop in spans(n):
        best[start:stop] = best_successors(solution, start, stop)
        report(stop)
    return best


def _stored(space: StateSpace, progress: ProgressCallback) -> tuple[Graph, IntArray]:
    """Return a graph of the valid indices of a space, with names and players, and those indices."""
    if Capability.CSR not in space.capabilities:
        size = 60 * space.num_edges + 200 * space.num_vertices
        memory.check_budget(size, "storing every edge of the game")
        progress(Progress("storing moves", 0, space.num_vertices))
    graph, real = compact(space)
    if space.has_names and graph.names is None:
        texts: list[str] = []
        report = counted(progress, "naming positions", 0, len(real))
        for start, stop in spans(len(real), POSITIONS_PER_REPORT):
            texts += [space.text(space.position(v)) for v in real[start:stop].tolist()]
            report(stop)
        names = texts if len(set(texts)) == len(texts) else None
        graph = Graph.from_csr(
            graph.indptr, graph.indices, known_owners(graph.owner), graph.terminals, names,
            graph.payoff, graph.reward, graph.weight,
        )  # fmt: skip
    return graph.with_start(graph.start, space.players), real


def text_names(graph: Graph) -> list[str] | None:
    """Return the names as text; None for a graph without names.

    Raises
    ------
    FormatError
        If two names are the same as text, or one cannot be encoded.
    """
    if graph.names is None:
        return None
    texts = [str(name) for name in graph.names]
    check_distinct(texts, graph.names)
    return texts


def array_names(graph: Graph) -> list[str] | list[int] | None:
    """Return the names as numbers if all are whole numbers of 64 bits, otherwise as text."""
    names = graph.names or ()
    numbers = [n for n in names if type(n) is int and -INT64_LIMIT <= n < INT64_LIMIT]
    if numbers and len(numbers) == len(names):
        return numbers
    return text_names(graph)


def build_graph(source: Source, make: Callable[[], Graph]) -> Graph:
    """Return ``make()``, with its GraphError raised as a FormatError of the file."""
    try:
        graph = make()
    except GraphError as error:
        raise source.error(str(error)) from None
    check_read(source, graph.names)
    return graph


def check_writable(
    names: list[str] | None, unwritable: Callable[[str], Any], what: str, expected: str
) -> None:
    """Raise FormatError for the first name that a format cannot hold."""
    for name in names or ():
        if unwritable(name):
            raise FormatError(f"{what} cannot hold the name {short_repr(name)}: expected {expected}")


class TypedFile(ABC):
    """A file whose entries have types: arrays, lists or columns by name, and single words or numbers.

    Whatever a method returns is checked as far as it does not depend on the graph; it is None for what
    the file does not hold. All methods raise FormatError.

    Parameters
    ----------
    source : Source
    """

    def __init__(self, source: Source) -> None:
        self.source = source

    @abstractmethod
    def single(self, name: str) -> Any:
        """Return a word or a number."""

    @abstractmethod
    def labels(self, name: str) -> list[Any] | None:
        """Return a label for each vertex."""

    @abstractmethod
    def words(self, name: str) -> IntArray | None:
        """Return a code of ``Value`` for each vertex."""

    @abstractmethod
    def numbers(self, name: str) -> IntArray | None:
        """Return a number for each vertex, -1 for nothing."""

    @abstractmethod
    def points(self, name: str) -> IntArray | None:
        """Return a number for each vertex, 0 for nothing."""

    @abstractmethod
    def of_edges(self, name: str, indptr: IntArray) -> IntArray | None:
        """Return a number for each edge, row by row."""

    def start(self, graph: Graph) -> Hashable | None:
        """Return the initial position."""
        return start_of(self.source, graph, self.single("start"))

    def graph_file(
        self, indptr: IntArray, indices: IntArray, names: list[Any] | None, owner: IntArray | None,
        players: tuple[str, str] | None = None,
    ) -> GraphFile:  # fmt: skip
        """Return the contents of the file, whose rows, names and owners are read already."""
        vertices = owner, self.words("terminal"), names, self.points("payoff")
        edges = self.of_edges("reward", indptr), self.of_edges("weight", indptr)
        claim = self.words("value"), self.numbers("remoteness"), self.numbers("best")
        graph = build_graph(self.source, lambda: Graph.from_csr(indptr, indices, *vertices, *edges))
        value, remoteness = check_claim(self.source, graph, *claim)
        word = self.single("stuck")
        stuck = None if word is None else stuck_word(self.source, word)
        graph = graph.with_start(graph.start, players)
        start, objective = self.start(graph), self.single("objective")
        levels = self.numbers("plies"), self.numbers("tier")
        results = read_results(self.source, graph, objective, self.labels, *levels)
        return GraphFile(graph, start, value, remoteness, stuck, results=results)


def check_claim(
    source: Source,
    graph: Graph,
    value: IntArray | None,
    remoteness: IntArray | None,
    best: IntArray | None = None,
) -> tuple[ByteArray | None, IntArray | None]:
    """Check the form of a solution that was read.

    Parameters
    ----------
    source : Source
    graph : Graph
    value, remoteness, best : integer arrays, optional
        As in :class:`GraphFile`, of any integer dtype.

    Returns
    -------
    value, remoteness : arrays or None
        With the dtypes of a Solution; None if the file holds neither.

    Raises
    ------
    FormatError
        If only some of the arrays are there, or :func:`claim_problem` finds a problem.
    """
    if value is None and remoteness is None:
        if best is not None:
            raise source.error("best without value and remoteness: expected all of them or none")
        return None, None
    if value is None or remoteness is None:
        missing = "value" if value is None else "remoteness"
        raise source.error(f"no {missing}: expected value and remoteness, or neither")
    problem = claim_problem(graph, value, remoteness, best)
    if problem:
        raise source.error(problem)
    return value.astype(np.uint8, copy=False), remoteness.astype(
        index_dtype(graph.num_vertices), copy=False
    )


def claim_problem(
    graph: Graph, value: IntArray, remoteness: IntArray, best: IntArray | None = None
) -> str | None:
    """Describe what is wrong with the form of a solution; return None if nothing is."""
    n = graph.num_vertices
    ranges = [("value", value, 0, int(max(Value))), ("remoteness", remoteness, -1, n - 1)]
    if best is not None:
        ranges.append(("best", best, -1, n - 1))
    for what, array, lowest, highest in ranges:
        if array.ndim != 1 or array.dtype.kind not in "iu":
            return f"{what} is {array.dtype} of shape {array.shape}: expected a flat list of integers"
        if len(array) != n:
            return f"{what} has {len(array)} entries: expected {n}, one a vertex"
        wrong = (array < lowest) | (array > highest)
        if wrong.any():
            v = int(np.argmax(wrong))
            name, expected = short_repr(graph.position(v)), f"{lowest} to {highest}"
            return f"{what} of vertex {name} is {array[v]}: expected {expected}"
    wrong = (value == Value.DRAW) != (remoteness == -1)
    if wrong.any():
        v = int(np.argmax(wrong))
        plies = "none" if remoteness[v] == -1 else str(remoteness[v])
        return (
            f"vertex {short_repr(graph.position(v))} is a {Value(int(value[v])).label} with remoteness "
            f"{plies}: expected none for a draw, and only there"
        )
    return None if best is None else _best_problem(graph, best)


def _best_problem(graph: Graph, best: IntArray) -> str | None:
    """Describe the first best successor that is no successor; return None if there is none."""
    n = graph.num_vertices
    row = np.repeat(np.arange(n, dtype=np.int64), np.diff(graph.indptr))
    reached = np.zeros(n, bool)
    reached[row[best[row] == graph.indices]] = True
    wrong = (best >= 0) & ~reached
    if wrong.any():
        v = int(np.argmax(wrong))
        return (
            f"best of vertex {short_repr(graph.position(v))} is "
            f"{short_repr(graph.position(int(best[v])))}: expected a successor"
        )
    return None


def start_of(source: Source, graph: Graph, vertex: Any) -> Hashable | None:
    """Return the position of the start vertex that was read. Raises FormatError."""
    if vertex is None:
        return None
    if type(vertex) is not int or not 0 <= vertex < graph.num_vertices:
        raise source.error(
            f"start {short_repr(vertex)}: expected a vertex, 0..{graph.num_vertices - 1}"
        )
    return graph.position(vertex)


def stuck_word(source: Source, word: Any, place: Place = None) -> str:
    """Return the value of having no move as its label. Raises FormatError for other words."""
    try:
        return stuck_value(word).label
    except RetrosolveError:
        raise source.error(f"stuck {short_repr(word)}: expected loss, win or tie", place) from None


RESULTS = (Score.name, Nimber.name, Conversion.name)
RESULT_KEYS = (*RESULTS, "plies", "tier", "objective")


@dataclass(frozen=True, eq=False)
class Results:
    """The results of an objective at the vertices of a graph.

    Parameters
    ----------
    objective : Objective
    codec : Codec
    values : unsigned integer [n]
        By the codec.
    plies : int [n], optional
        -1 for none; None without remoteness.
    tier : int [n], optional
        The number of the tier, where results depend on it.
    """

    objective: Objective
    codec: Codec
    values: IntArray
    plies: IntArray | None = None
    tier: IntArray | None = None

    @classmethod
    def of(cls, solution: Solution, real: IntArray) -> Results:
        """Return the results of a solution at some of its vertices."""
        table, space = solution.table, solution.space
        in_tiers = solution.objective.name == Conversion.name
        return cls(
            solution.objective,
            table.codec,
            table.values(real),
            table.remoteness(real) if table.has_remoteness else None,
            np.searchsorted(space.tiers, real, side="right") - 1 if in_tiers else None,
        )

    @property
    def labels(self) -> list[str]:
        """The label of each result."""
        return [self.codec.labels[value] for value in self.values.tolist()]

    @property
    def kinds(self) -> IntArray:
        """Who wins, by the codes of ``Value``."""
        return self.codec.kinds[self.values]

    def entries(self) -> dict[str, Any]:
        """Return the columns that a file has, and the text of the objective."""
        columns = {self.objective.name: self.labels, "plies": self.plies, "tier": self.tier}
        return columns | {"objective": self.objective.text}

    def solution(self, graph: Graph) -> Solution:
        """Return the solution of a graph that has these results, unproven."""
        if self.tier is not None:
            graph = graph.with_tiers(np.unique(self.tier, return_index=True)[1].tolist())
        table = coded_table(self.codec, self.values, self.plies)
        return Solution(graph, table, solver="file", objective=self.objective)


def read_results(
    source: Source, graph: Graph, objective: Any, labels: Callable[[str], Sequence[Any] | None],
    plies: IntArray | None, tier: IntArray | None,
) -> Results | None:  # fmt: skip
    """Return the results in a file, checked as far as their form goes.

    Parameters
    ----------
    source : Source
    graph : Graph
    objective : object
        The text of the objective, None without one.
    labels : callable
        Returns the labels of an objective by its name, None for none.
    plies, tier : int array, optional
        -1 for none.

    Raises
    ------
    FormatError
    """
    if objective is None:
        return None
    try:
        asked = objective_of(objective)
        words = labels(asked.name) if asked.name in RESULTS else None
        if words is None:
            names = ", ".join(RESULTS)
            raise source.error(f"objective {objective!r} without results: expected one of {names}")
        codec, values = _values(asked, words)
    except GraphError as error:
        raise source.error(str(error)) from None
    arrays = {"plies": plies if asked.has_levels else None, "tier": tier}
    wanted = {"plies": asked.has_levels, "tier": asked.name == Conversion.name}
    for name, array in {asked.name: values, **arrays}.items():
        if array is None and wanted[name]:
            raise source.error(f"objective {objective!r} without {name}: expected both")
        if array is not None and array.shape != (graph.num_vertices,):
            raise source.error(f"{name} has {array.size} entries: expected {graph.num_vertices}")
    found = Results(asked, codec, values, **arrays)
    _check(source, graph, found)
    return found


def _values(objective: Objective, labels: Sequence[Any]) -> tuple[Codec, IntArray]:
    """Return the values of labels, and their codec. Raises GraphError for a label of no result."""
    wrong = next((label for label in labels if not isinstance(label, str)), None)
    if wrong is not None:
        raise GraphError(f"{objective.name} {wrong!r}: expected text")
    codec = objective.codec(list(dict.fromkeys(labels)))
    number = {label: codec.value(codec.result(label)) for label in dict.fromkeys(labels)}
    return codec, np.array([number[label] for label in labels], codec.dtype)


def _check(source: Source, graph: Graph, found: Results) -> None:
    """Raise FormatError for plies that do not go with a result, and for unordered tiers."""
    if found.plies is not None:
        ends = np.array([result is not None and result.ends for result in found.codec.results], bool)
        wrong = (found.plies >= 0) != ends[found.values]
        wrong |= found.codec.values_of(found.codec.pack(found.values, found.plies)) != found.values
        if wrong.any():
            v = int(wrong.argmax())
            plies = int(found.plies[v]) if found.plies[v] >= 0 else "no"
            raise source.error(
                f"vertex {short_repr(graph.position(v))} is {found.labels[v]!r} with {plies} plies: "
                "expected other plies, or none"
            )
    tier = found.tier
    if tier is not None and len(tier) and (int(tier[0]) < 0 or (np.diff(tier) < 0).any()):
        raise source.error("tier does not rise from vertex to vertex: expected numbers from 0 on")
