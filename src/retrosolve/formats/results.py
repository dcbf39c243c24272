"""Results of other questions than who wins, in files of graphs.

Each vertex has the label of its result, in a column that has the name of the objective: ``score``,
``nimber`` or ``conversion``; and ``plies``, empty for none. ``objective`` is the objective with its
parameters. Without that, columns of these names are somebody else's, and are not read. ``tier`` is the
number of the tier of each vertex, in ascending order, for results that depend on it: distances to
conversion, and intervals of scores of games that have tiers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.errors import GraphError
from retrosolve.objectives import Conversion, Nimber, Objective, Score, objective_of
from retrosolve.objectives.base import Codec
from retrosolve.objectives.score import IntervalScore
from retrosolve.runtime.files import Source, short_repr
from retrosolve.solution import Solution
from retrosolve.spaces.graph import Graph
from retrosolve.tables.coded import coded_table

RESULTS = (Score.name, Nimber.name, Conversion.name)
KEYS = (*RESULTS, "plies", "tier", "objective")


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
        is_interval = isinstance(solution.objective, IntervalScore)
        in_tiers = solution.objective.name == Conversion.name or (is_interval and space.has_tiers)
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
