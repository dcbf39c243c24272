"""What can be solved: a space, or rules that define one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import singledispatch
from os import PathLike
from typing import Any, Protocol

from retrosolve.errors import GraphError
from retrosolve.runtime.context import Context
from retrosolve.runtime.files import short_repr
from retrosolve.spaces.base import SizeEstimate, StateSpace


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
    """Return what solves a subject: itself if it is a space, otherwise the adapter of its class.

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
    """Return what to solve instead of something that is neither a graph nor a game."""
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
