"""Spaces from their specs: a graph from its arrays, a game from its class and arguments."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from numpy.typing import NDArray

from retrosolve.errors import FormatError, GraphError, MemoryBudgetError, StoreError
from retrosolve.runtime.files import one_line, short_repr
from retrosolve.runtime.sources import load_module, source_digest
from retrosolve.spaces.base import StateSpace
from retrosolve.spaces.edge_parts import reopened
from retrosolve.spaces.graph import Graph

PACKAGE = __name__.partition(".")[0]
KINDS = ("graph", "edges", "rules", "unspecified")
GIVE_EDGES = "open(..., game=EdgeParts(...)) for where they are now"
GIVE_GAME = "expected it as it was, or open(..., game=...)"


def space_from(spec: Any, arrays: Mapping[str, NDArray[Any]], game: Any = None) -> StateSpace:
    """Return the space that a spec describes.

    Parameters
    ----------
    spec : dict
        As returned by :meth:`StateSpace.spec`.
    arrays : mapping of str to array
        As returned by :meth:`StateSpace.arrays`.
    game : Game or CompiledGame, optional
        The game, to be used instead of building it from the spec.

    Returns
    -------
    StateSpace

    Raises
    ------
    FormatError
        If the spec or the arrays describe no space.
    StoreError
        If the game cannot be built, or is not the one that was saved.
    """
    kind = spec.get("kind") if isinstance(spec, dict) else None
    if kind == "graph":
        if game is not None:
            raise StoreError("this is the solution of a graph: expected open() without game=")
        return _graph(spec, arrays)
    if kind == "edges":
        return _edges(spec, arrays, game)
    if kind not in KINDS:
        raise FormatError(f"space {short_repr(spec)}: expected a graph or rules")
    if game is None:
        game = _game(spec)
    if isinstance(game, type) or not hasattr(game, "restored"):
        raise StoreError(f"game={game!r}: expected a Game, made by its class")
    space = _restored(game, spec, arrays)
    if spec.get("graph") != space.spec().get("graph"):
        raise rules_changed(spec)
    return space


def rules_changed(spec: dict[str, Any]) -> StoreError:
    """Return the error for rules that are not those of a spec."""
    return StoreError(
        f"the rules of {_display_name(spec)} now lead to other positions or moves than when the "
        f"solution was saved: {GIVE_GAME}"
    )


def _restored(game: Any, spec: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> StateSpace:
    """Return the space of a game."""
    for name, array in arrays.items():
        if array.ndim != 1:
            raise FormatError(f"{name} has shape {array.shape}: expected a flat list")
    try:
        space: StateSpace = game.restored(dict(arrays))
    except (FormatError, MemoryBudgetError):
        raise
    except Exception as error:
        raise _not_made_again(spec, error) from error
    return space


def _not_made_again(spec: dict[str, Any], error: Exception) -> StoreError:
    """Return the error for an exception in the code of a game."""
    what = f"{type(error).__name__}: {error}"
    return StoreError(f"{_display_name(spec)} could not be made again ({what}): {GIVE_GAME}")


def _graph(spec: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Graph:
    """Return a graph from its arrays and spec."""
    edges = arrays["indptr"], arrays["indices"]
    optional = arrays.get("owner"), arrays.get("terminal"), spec.get("names")
    try:
        graph = Graph.from_csr(*edges, *optional)
    except GraphError as error:
        raise FormatError(f"the files hold no graph: {error}") from None
    initial, players = spec.get("initial"), spec.get("players")
    if initial is not None and (type(initial) is not int or not 0 <= initial < graph.num_vertices):
        raise FormatError(
            f"start {short_repr(initial)}: expected a vertex, 0..{graph.num_vertices - 1}"
        )
    if not isinstance(players, list) or [type(player) for player in players] != [str, str]:
        raise FormatError(f"players is {short_repr(players)}: expected two names")
    start = None if initial is None else graph.position(initial)
    return graph.starting(start, (players[0], players[1]))


def _edges(spec: dict[str, Any], arrays: Mapping[str, NDArray[Any]], game: Any) -> StateSpace:
    """Return the space of edges in files, which must be as they were."""
    try:
        space: StateSpace = reopened(spec, arrays) if game is None else game
    except (FormatError, GraphError) as error:
        raise StoreError(f"{error}: expected the files as they were, or {GIVE_EDGES}") from None
    if space.spec().get("fingerprint") != spec.get("fingerprint"):
        place = one_line(str(spec.get("place")))
        raise StoreError(
            f"the edges in {place} have changed since they were solved: "
            f"expected the files as they were, or {GIVE_EDGES}"
        )
    return space


def check_source(spec: Any) -> None:
    """Check that the game of a spec can be built and that the file of its rules has not changed.

    Nothing is imported or executed.

    Raises
    ------
    FormatError
        If the spec describes no space.
    StoreError
        If the game cannot be built.
    """
    kind = spec.get("kind") if isinstance(spec, dict) else None
    if kind not in KINDS:
        raise FormatError(f"space {short_repr(spec)}: expected a graph or rules")
    if kind == "unspecified":
        raise StoreError(
            f"the game {_display_name(spec)} cannot be made again, because {spec.get('reason')}: "
            "expected open(..., game=...)"
        )
    if kind in ("graph", "edges") or _is_built_in(spec):
        return
    path = spec.get("path")
    if type(path) is not str:
        raise FormatError(f"space {short_repr(spec)}: expected the path of its rules")
    try:
        digest = source_digest(Path(path))
    except (OSError, ValueError):
        raise StoreError(one_line(f"the rules {path} are gone: {GIVE_GAME}")) from None
    if digest != spec.get("digest"):
        raise StoreError(one_line(f"the rules {path} have changed since they were saved: {GIVE_GAME}"))


def _is_built_in(spec: dict[str, Any]) -> bool:
    """Return whether a game belongs to this package."""
    module = spec.get("module")
    return type(module) is str and module.partition(".")[0] == PACKAGE


def _game(spec: dict[str, Any]) -> Any:
    """Return a game, built from its class and arguments."""
    check_source(spec)
    name, arguments = spec.get("name"), spec.get("arguments")
    if type(name) is not str or not isinstance(arguments, dict):
        raise FormatError(f"space {short_repr(spec)}: expected the name of a class and its arguments")
    cls, *rest = name.split(".")
    found = getattr(_module(spec), cls, None)
    # Only a class of games is ever called, whatever the manifest contains.
    if not isinstance(found, type) or not hasattr(found, "restored") or len(rest) > 1:
        raise StoreError(f"{_display_name(spec)} is no class of games: {GIVE_GAME}")
    make = getattr(found, rest[0], None) if rest else found
    try:
        return make(**{key: decoded(value) for key, value in arguments.items()})  # type: ignore[misc]
    except Exception as error:
        raise _not_made_again(spec, error) from error


def _module(spec: dict[str, Any]) -> ModuleType:
    """Load the module of a game; outside this package only if its source has not changed."""
    module = spec.get("module")
    if _is_built_in(spec):
        try:
            return importlib.import_module(str(module))
        except (ImportError, ValueError) as error:
            raise StoreError(f"there is no module {module} in this version: {GIVE_GAME}") from error
    path = str(spec["path"])
    try:
        loaded = load_module(Path(path)) if module is None else importlib.import_module(module)
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise StoreError(one_line(f"the rules {path} raised {what}: {GIVE_GAME}")) from error
    if Path(getattr(loaded, "__file__", None) or "").resolve() != Path(path):
        raise StoreError(one_line(f"the module {module} is not {path} any more: {GIVE_GAME}"))
    return loaded


def _display_name(spec: dict[str, Any]) -> str:
    """Return the name of a game for error messages."""
    where = spec.get("module") or spec.get("path")
    return one_line(f"{where}:{spec.get('name')}" if where else str(spec.get("name")))


def decoded(value: Any) -> Any:
    """Return an argument from its JSON form, the inverse of :func:`retrosolve.rules.spec.encoded`."""
    if isinstance(value, list):
        return [decoded(item) for item in value]
    if isinstance(value, dict):
        return tuple(decoded(item) for item in value.get("tuple", ()))
    return value
