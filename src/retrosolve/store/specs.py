"""The subject of a solve: the specification of a space, its fingerprint and its identity.

A specification is read from a file that anybody may have made. It chooses among the built-in games and
among data; code that is no part of this package runs only if the caller trusts it, from an absolute
path outside the directory, and it is the bytes that were compared with their digest that run.

A game is saved by the name of its class. The fingerprint, a digest of a sample of moves, shows that the
rules behind that name still are those that were solved, also if a module that they import has changed.
The identity of a solve rejects the checkpoint of a different one.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve import external
from retrosolve.arrays import ByteArray
from retrosolve.errors import (
    FormatError,
    GraphError,
    LimitError,
    MemoryBudgetError,
    StoreError,
    UntrustedRulesError,
)
from retrosolve.objectives import Objective
from retrosolve.runtime.files import error_summary, short_repr
from retrosolve.runtime.sources import (
    BUILT_IN,
    import_source,
    load_module,
    module_file,
    read_source,
    source_digest,
)
from retrosolve.runtime.text import plain_names
from retrosolve.spaces.base import CsrSpace, EdgeBlockSpace, StateSpace, Subject, adapted, is_game_class
from retrosolve.spaces.csr.attribute_names import are_players
from retrosolve.spaces.csr.validation import known_owners
from retrosolve.spaces.graph import Graph, put
from retrosolve.store.manifest import NAME_ARRAYS
from retrosolve.values import INVALID

SYSTEM = ("proc", "dev", "sys")  # folders whose files are no files
SHARED_MEMORY = ("/", "dev", "shm")  # a folder of files
DIGEST = re.compile("[0-9a-f]{64}")
LARGEST_ARGUMENT = 10**9  # of a built-in game, as on the command line
KINDS = ("graph", "edges", "rules", "unspecified")
GIVE_EDGES = "open(..., game=EdgeParts(...)) for where they are now"
OR_GAME = "or open(..., game=...)"
GIVE_GAME = f"expected it as it was, {OR_GAME}"
CANDIDATES = 256
SAMPLE = 32  # positions of a fingerprint

Identity = dict[str, str | None]
Values = Callable[[NDArray[np.int64]], ByteArray]


@dataclass(frozen=True)
class Origin:
    """The place of a spec, and whether it may run code.

    Parameters
    ----------
    folder : Path
        The directory of the saved solution, resolved.
    num_vertices : int
        By its manifest. Nothing larger is built.
    trusted : bool
        Whether rules that are no part of this package may run.
    """

    folder: Path
    num_vertices: int
    trusted: bool = False


def space_from(
    spec: Any, arrays: Mapping[str, NDArray[Any]], origin: Origin,
    game: Subject | None = None,
) -> StateSpace:  # fmt: skip
    """Return the space that a spec describes.

    Parameters
    ----------
    spec : dict
        As returned by :meth:`StateSpace.spec`.
    arrays : mapping of str to array
        As returned by :meth:`StateSpace.arrays`.
    origin : Origin
    game : Game, CompiledGame or EdgeParts, optional
        To be used instead of building it from the spec.

    Returns
    -------
    StateSpace

    Raises
    ------
    FormatError
        If the spec or the arrays describe no space.
    UntrustedRulesError
        If rules would have to run that are not trusted.
    StoreError
        If the game cannot be built, or is not the one that was saved.
    """
    kind = kind_of(spec)
    if kind == "graph":
        if game is not None:
            raise StoreError("this is the solution of a graph: expected open() without game=")
        return _graph(spec, arrays)
    if kind == "edges":
        return _edges(spec, arrays, game)
    if game is None:
        game = _game(spec, origin)
    rules = adapted(game)
    if isinstance(rules, type | StateSpace) or not hasattr(rules, "restored"):
        raise StoreError(f"game={game!r}: expected a Game, made by its class")
    for name, array in arrays.items():
        if array.ndim != 1:
            raise FormatError(f"{name} has shape {array.shape}: expected a flat list")
    try:
        space: StateSpace = rules.restored(dict(arrays), origin.num_vertices)
    except (FormatError, MemoryBudgetError):
        raise
    except LimitError:
        raise rules_changed(spec) from None
    except Exception as error:
        raise _not_made_again(spec, error) from error
    if spec.get("graph") != space.digest():
        raise rules_changed(spec, space.num_vertices == origin.num_vertices)
    return space


def kind_of(spec: Any) -> str:
    """Return the kind of a spec, one of KINDS. Raises FormatError."""
    kind = spec.get("kind") if isinstance(spec, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise FormatError(f"space {short_repr(spec)}: expected a graph or rules")
    return kind


def runs_nothing_else(spec: Any) -> bool:
    """Return whether the space of a spec can be built without code from outside this package."""
    kind, module = kind_of(spec), spec.get("module")
    is_built_in = isinstance(module, str) and BUILT_IN.fullmatch(module) is not None
    return kind in ("graph", "edges") or (kind == "rules" and is_built_in)


def rules_changed(spec: dict[str, Any], as_many: bool = False) -> StoreError:
    """Return the error for rules that are not those of a spec, with as many positions or not."""
    order = (
        ", or to the same in another order, as an order that depends on a set does" if as_many else ""
    )
    return StoreError(
        f"the rules of {_display_name(spec)} now lead to other positions or moves than when the "
        f"solution was saved{order}: {GIVE_GAME}"
    )


def other_arguments(spec: dict[str, Any], game: Subject | None) -> str | None:
    """Return a sentence about a game that is made otherwise than that of a spec; None if it is not."""
    describe = None if isinstance(game, type) else getattr(game, "spec", None)
    sides = (spec, describe()) if callable(describe) else ()
    made: list[Any] = [
        (side.get("name"), side.get("arguments")) for side in sides if side.get("kind") == "rules"
    ]
    if len(made) < 2 or made[0] == made[1] or not all(isinstance(each[1], dict) for each in made):
        return None
    saved, opened = (_call(*each) for each in made)
    return f"the solution was saved for {saved} and opened with {opened}: expected the same"


def _call(name: str, arguments: dict[str, Any]) -> str:
    """Return the call that makes a game, for error messages."""
    given = ", ".join(f"{key}={short_repr(decoded(value))}" for key, value in arguments.items())
    return f"{name}({given})"


def _not_made_again(spec: dict[str, Any], error: Exception) -> StoreError:
    """Return the error for an exception in the code of a game."""
    what = f"{type(error).__name__}: {error}"
    return StoreError(f"{_display_name(spec)} could not be made again ({what}): {GIVE_GAME}")


def _graph(spec: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Graph:
    """Return a graph from its arrays and spec."""
    edges = arrays["indptr"], arrays["indices"]
    optional = known_owners(arrays.get("owner")), arrays.get("terminal"), spec.get("names")
    points = arrays.get("payoff"), arrays.get("reward"), arrays.get("weight")
    try:
        graph = Graph.from_csr(*edges, *optional, *points)
    except GraphError as error:
        raise FormatError(f"the files hold no graph: {error}") from None
    initial, players = spec.get("initial"), spec.get("players")
    if initial is not None and (type(initial) is not int or not 0 <= initial < graph.num_vertices):
        raise FormatError(
            f"start {short_repr(initial)}: expected a vertex, 0..{graph.num_vertices - 1}"
        )
    if not isinstance(players, list) or not are_players(players):
        raise FormatError(f"players is {short_repr(players)}: expected two names that differ")
    start = None if initial is None else graph.position(initial)
    parities = spec.get("parities", [])
    if parities not in ([], [0], [1], [0, 1]):
        raise FormatError(f"parities is {short_repr(parities)}: expected those of priorities")
    put(graph, "parities", tuple(parities))
    graph = graph.with_start(start, (players[0], players[1]))
    if "tiers" not in arrays:
        return graph
    tiers = arrays["tiers"].tolist()
    if tiers[:1] != [0] or sorted({*tiers}) != tiers or tiers[-1] >= max(1, graph.num_vertices):
        raise FormatError(f"tiers are {short_repr(tiers)}: expected rising vertices from 0")
    return graph.with_tiers(tiers)


def _edges(
    spec: dict[str, Any], arrays: Mapping[str, NDArray[Any]], game: Subject | None
) -> StateSpace:
    """Return the space of edges in files, which must be as they were."""
    if game is None:
        _check_place(spec.get("place"), "edges")
    try:
        game = external.reopened(spec, arrays) if game is None else game
    except (FormatError, GraphError) as error:
        raise StoreError(f"{error}: expected the files as they were, or {GIVE_EDGES}") from None
    if not isinstance(game, StateSpace):
        raise StoreError(f"game={game!r}: expected {GIVE_EDGES}")
    if game.spec().get("fingerprint") != spec.get("fingerprint"):
        raise StoreError(
            f"the edges in {spec.get('place')} have changed since they were solved: "
            f"expected the files as they were, or {GIVE_EDGES}"
        )
    return game


def check_source(spec: Any, origin: Origin) -> tuple[Path, bytes] | None:
    """Check that the game of a spec can be built and that the file of its rules has not changed.

    Nothing is imported or executed. A file is read only if it is trusted.

    Returns
    -------
    tuple of Path and bytes, or None
        The path and the content of the rules; None for a built-in game or edges.

    Raises
    ------
    FormatError
        If the spec describes no space.
    UntrustedRulesError
        If rules would have to run that are not trusted.
    StoreError
        If the game cannot be built.
    """
    if kind_of(spec) == "unspecified":
        raise StoreError(
            f"the game {_display_name(spec)} cannot be made again, because {spec.get('reason')}: "
            "expected open(..., game=...)"
        )
    return None if runs_nothing_else(spec) else _source(spec, origin)


def _check_place(path: Any, what: str) -> str:
    """Return a path. Raises StoreError unless it is absolute and not of the system's own files.

    Nothing is looked up: asking for a path may connect to another machine.
    """
    if type(path) is not str or "\0" in path:
        raise FormatError(f"the path of the {what} is {short_repr(path)}: expected an absolute one")
    parts = Path(os.path.normpath(path)).parts
    if not os.path.isabs(path):
        raise StoreError(f"the path of the {what} is {path!r}: expected an absolute one, {OR_GAME}")
    if len(parts) > 1 and parts[1] in SYSTEM and parts[:3] != SHARED_MEMORY:
        raise StoreError(
            f"the path of the {what} is {path!r}, in the system's own folder /{parts[1]}: expected "
            f"another one, {OR_GAME}"
        )
    return path


def _source(spec: dict[str, Any], origin: Origin) -> tuple[Path, bytes]:
    """Return the path and the content of a file of rules that is trusted, and as it was saved."""
    path, digest = _check_place(spec.get("path"), "rules"), spec.get("digest")
    if os.path.normpath(path) != path or Path(path).is_relative_to(origin.folder):
        raise _unsafe(path)
    if type(digest) is not str or not DIGEST.fullmatch(digest):
        raise FormatError(f"the digest of the rules is {short_repr(digest)}: expected a SHA-256")
    if not origin.trusted:
        raise UntrustedRulesError(
            f"positions and moves of {spec.get('name')} need the rules in {path} (SHA-256 "
            f"{digest}), which run only if you trust them"
        )
    try:
        folders = Path(path).parents
        if os.path.realpath(path) != path or any(origin.folder.samefile(one) for one in folders):
            raise _unsafe(path)
        source = read_source(Path(path))
    except FileNotFoundError:
        raise StoreError(f"the rules {path} are gone: {GIVE_GAME}") from None
    except (OSError, ValueError) as error:
        raise StoreError(
            f"the rules {path} cannot be read, {error_summary(error)}: {GIVE_GAME}"
        ) from None
    if source_digest(source) != digest:
        raise StoreError(f"the rules {path} have changed since they were saved: {GIVE_GAME}")
    return Path(path), source


def _unsafe(path: str) -> StoreError:
    """Return the error for rules that came with the solution, or may have."""
    return StoreError(
        f"the path of the rules is {path!r}: expected an absolute one without links, outside the "
        f"directory of the solution, {OR_GAME}"
    )


def _game(spec: dict[str, Any], origin: Origin) -> Subject:
    """Return a game, built from its class and arguments."""
    source = check_source(spec, origin)
    name, arguments = spec.get("name"), spec.get("arguments")
    if type(name) is not str or not isinstance(arguments, dict):
        raise FormatError(f"space {short_repr(spec)}: expected the name of a class and its arguments")
    module = _module(spec, source)
    cls, dot, method = name.partition(".")
    game_class: Any = getattr(module, cls, None)
    # Only a class of games that is defined there is ever called, whatever the manifest contains.
    is_game = isinstance(game_class, type) and is_game_class(game_class)
    if not is_game or game_class.__module__ != module.__name__:
        raise StoreError(f"{_display_name(spec)} is no class of games: {GIVE_GAME}")
    if dot and (not method or method != getattr(game_class, "rebuilt_by", "")):
        raise StoreError(f"{_display_name(spec)} is no class method that makes games: {GIVE_GAME}")
    make = getattr(game_class, method) if dot else game_class
    try:
        decoded_arguments = {key: decoded(value) for key, value in arguments.items()}
        if source is None:
            _check_arguments(spec, make, game_class, decoded_arguments)
            # Making the tables of a game may take longer than the table that was saved.
            least = game_class.least_size(**arguments) if hasattr(game_class, "least_size") else 0
            if least > origin.num_vertices:
                raise rules_changed(spec)
        game: Subject = make(**decoded_arguments)
    except StoreError:
        raise
    except Exception as error:
        raise _not_made_again(spec, error) from error
    return game


def _check_arguments(spec: dict[str, Any], make: Any, cls: Any, arguments: dict[str, Any]) -> None:
    """Raise StoreError for an argument of another type than the parameter of a built-in game."""
    import inspect

    known = dict(inspect.signature(make).parameters)
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in known.values()):
        known = dict(inspect.signature(cls).parameters) | known
    for name, value in arguments.items():
        if name not in known:
            continue  # the call raises TypeError
        annotation = str(known[name].annotation)
        kind, _, items = annotation.partition("[")
        numbers = value if isinstance(value, list | tuple) else [value]
        fits = type(value).__name__ == kind
        if items.startswith("int"):
            fits = fits and all(type(number) is int for number in numbers)
        if any(type(number) is int and abs(number) >= LARGEST_ARGUMENT for number in numbers):
            fits, annotation = False, f"{annotation} below {LARGEST_ARGUMENT}"
        if not fits:
            what = f"{name}={short_repr(value)}: expected {annotation}"
            raise StoreError(f"{_display_name(spec)} is made with {what}")


def _module(spec: dict[str, Any], file: tuple[Path, bytes] | None) -> ModuleType:
    """Load the module of a game; outside this package from the bytes that were compared.

    A module in no package that Python does not find from here is loaded as a file.
    """
    module = spec.get("module")
    if file is None:
        try:
            return importlib.import_module(str(module))
        except (ImportError, ValueError) as error:
            raise StoreError(f"there is no module {module} in this version: {GIVE_GAME}") from error
    path, source = file
    if module is not None:
        place = module_file(module) if type(module) is str else None
        if place is None and type(module) is str and module.isidentifier():
            module = None  # it is not to be imported from here, and its file is as it was
        elif place is None:
            raise StoreError(
                f"there is no module {short_repr(module)} among those that Python finds from here, "
                f"which {path} was: expected the folder of its package in PYTHONPATH, {OR_GAME}"
            )
        elif place != path:
            raise StoreError(f"the module {module!r} is not {path} any more, but {place}: {GIVE_GAME}")
    try:
        return load_module(path, source) if module is None else import_source(module, path, source)
    except StoreError:  # of a solution that the rules open
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise StoreError(f"the rules {path} raised {what}: {GIVE_GAME}") from error


def _display_name(spec: dict[str, Any]) -> str:
    """Return the name of a game for error messages."""
    where = spec.get("module") or spec.get("path")
    return f"{where}:{spec.get('name')}" if where else str(spec.get("name"))


def decoded(value: Any) -> Any:
    """Return an argument from its JSON form, the inverse of :func:`retrosolve.rules.spec.encoded`."""
    if isinstance(value, list):
        return [decoded(item) for item in value]
    if isinstance(value, dict):
        return tuple(decoded(item) for item in value.get("tuple", ()))
    return value


# -- which rules, and which solve ---------------------------------------------------------------


def candidates(n: int) -> NDArray[np.int64]:
    """Return evenly spread vertices of ``n``, from which positions are taken."""
    return np.unique(np.linspace(0, max(n - 1, 0), CANDIDATES).astype(np.int64))[:n]


def fingerprint(space: StateSpace, values: Values) -> str | None:
    """Return the SHA-256 of the moves from a sample of the positions, None if edges are stored.

    Edges in files have a fingerprint in their specification.

    Parameters
    ----------
    space : StateSpace
    values : callable
        ``values(candidates)`` returns the values there; one that is not INVALID is of a position.
    """
    if isinstance(space, CsrSpace | EdgeBlockSpace):
        return None
    chosen = candidates(space.num_vertices)
    valid = chosen[values(chosen) != INVALID]
    rows = [_row(space, vertex) for vertex in valid[:: max(1, len(valid) // SAMPLE)].tolist()]
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()


def _row(space: StateSpace, vertex: int) -> list[object]:
    """Return a position in numbers: its index, its end or player, and the targets of its moves."""
    terminal = int(space.terminal(vertex, vertex + 1)[0])
    player = space.player(np.array([vertex]))
    mover = None if player is None else int(player[0])
    targets: list[int] = []
    if not terminal:
        moves = space.moves(space.position(vertex))
        targets = sorted(space.target_indices([target for _, target in moves]).tolist())
    return [vertex, terminal, mover, targets]


def identity_of(space: StateSpace, objective: Objective, solver: str) -> Identity:
    """Return the identity of a solve: a digest of its positions and moves, and the question.

    "rules" is None for compiled rules that depend on objects without a digest: such a solve is not the
    same as any other.

    Parameters
    ----------
    space : StateSpace
    objective : Objective
    solver : str
        The name of the algorithm.

    Raises
    ------
    FormatError
        For names that cannot be saved.

    Notes
    -----
    Reads all arrays of a graph, and the code and the data of compiled rules.
    """
    return {
        "positions": str(space.num_vertices),
        "rules": _content_digest(space),
        "objective": objective.name,
        "solver": solver,
        **{name: str(value) for name, value in objective.parameters.items()},
    }


def check_same(identity: Identity, expected: Identity, place: object) -> None:
    """Raise StoreError unless a checkpoint or a solution is of the same solve.

    Parameters
    ----------
    identity, expected : dict of str to str or None
        The identities of the checkpoint and of the solve.
    place : Path
        The folder of the checkpoint or of the solution.
    """
    if expected["rules"] is None:
        raise StoreError(
            f"{place} cannot be resumed: these rules use objects that cannot be compared, such as "
            "functions of ctypes: expected no resume, or that folder deleted"
        )
    for key in [key for key in expected if key not in ("positions", "rules")]:
        if identity.get(key) != expected[key]:
            raise StoreError(
                f"{place} was begun with {key}={identity.get(key)}, "
                f"and this solve has {expected[key]}: expected the same to resume"
            )
    if identity != expected:
        raise StoreError(
            f"{place} was begun with other rules or another graph: "
            "expected the same to resume, or that folder deleted"
        )


def _content_digest(space: StateSpace) -> str | None:
    """Return a SHA-256 of all that positions and moves depend on, None if that has no digest.

    Names of edges follow from their spec.
    """
    content = space.content()
    if any(part is None for part in content):
        return None
    spec = space.spec()
    if "names" in spec:
        spec["names"] = plain_names(spec["names"])
    digest = hashlib.sha256(json.dumps(spec, sort_keys=True).encode())
    arrays = tuple(sorted(item for item in space.arrays().items() if item[0] not in NAME_ARRAYS))
    _update(digest, (tuple(space.tiers), arrays, content))
    return digest.hexdigest()


def _update(digest: Any, content: Any) -> None:
    """Add numbers, text and arrays in tuples to a digest."""
    if isinstance(content, tuple):
        digest.update(f"({len(content)}".encode())
        for part in content:
            _update(digest, part)
    elif isinstance(content, np.ndarray):
        digest.update(f"{content.dtype.str}{content.shape}".encode())
        digest.update(np.ascontiguousarray(content).data)
    else:
        digest.update(f"{content!r};".encode())
