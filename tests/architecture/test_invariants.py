"""The invariants of the house, each with a planted breach that its detector finds."""

from __future__ import annotations

import ast
import functools
import random
import tempfile
import tomllib
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.objectives import OBJECTIVES
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.runtime.context import ClusterOptions, Context
from retrosolve.solvers import SOLVERS
from retrosolve.spaces.base import Capability, StateSpace
from retrosolve.spaces.graph import Graph
from retrosolve.tables import Table
from retrosolve.tables.result import SolveResult
from retrosolve.testing import CompiledGraphGame, random_board, random_graph, without_owner
from tests.support.partitions import InlineGroup
from tests.support.source import modules

CONCRETE_SPACES = {"EdgeParts", "Graph", "NamedGraph", "GeneratedSpace", "ProductSpace"}


def concrete(of: type) -> set[str]:
    """The names of the classes derived from one."""
    return set[str]().union(*({each.__name__} | concrete(each) for each in of.__subclasses__()))


CONCRETE_TABLES = concrete(Table)

# Who builds spaces: graphs from files, from edges and from rules, and the moves of tokens.
BUILD_SPACES = {
    "retrosolve",
    "retrosolve.external.space",
    "retrosolve.formats",
    "retrosolve.formats.attributes",
    "retrosolve.formats.dot",
    "retrosolve.formats.edge_list",
    "retrosolve.formats.graphfile",
    "retrosolve.formats.graphml",
    "retrosolve.formats.jsonfile",
    "retrosolve.formats.npz",
    "retrosolve.formats.parquet",
    "retrosolve.formats.pgsolver",
    "retrosolve.pursuit.cops",
    "retrosolve.pursuit.police",
    "retrosolve.pursuit.theory",
    "retrosolve.rules.exploring",
    "retrosolve.rules.indexing",
    "retrosolve.rules.two_tokens",
    "retrosolve.solution.regret",
    "retrosolve.store.specs",
    "retrosolve.testing",
    "retrosolve.web.descriptions",
}
# Who builds tables: the solvers, and files that hold a solution.
BUILD_TABLES = {
    "retrosolve.solvers",
    "retrosolve.distributed.driver",
    "retrosolve.external.solver",
    "retrosolve.formats.graphfile",
    "retrosolve.store.directory",
    "retrosolve.verification.levels",
}


def names_in(tree: ast.Module, names: set[str]) -> set[str]:
    """The names that a module uses or imports, outside ``if TYPE_CHECKING``."""
    hidden = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for inner in ast.walk(node)
    }
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    found |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and id(node) not in hidden:
            found |= {alias.name for alias in node.names}
    return found & names


def allowed(module: str, listed: set[str]) -> bool:
    """Whether a module, or a package that it is in (but the root), is listed."""
    return module in listed or any(
        module.startswith(name + ".") for name in listed if name.count(".") and name != "retrosolve"
    )


# -- 1: concrete classes are named where they are built -----------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("names", "home", "listed"),
    [
        (CONCRETE_SPACES, "retrosolve.spaces", BUILD_SPACES),
        (CONCRETE_TABLES, "retrosolve.tables", BUILD_TABLES),
    ],
    ids=["spaces", "tables"],
)
def test_concrete_classes_are_named_where_they_are_built(
    names: set[str], home: str, listed: set[str]
) -> None:
    found = {
        module: sorted(named)
        for module, tree in modules().items()
        if not (module + ".").startswith(home + ".") and (named := names_in(tree, names))
    }
    assert {module: named for module, named in found.items() if not allowed(module, listed)} == {}


def test_a_planted_name_is_found() -> None:
    planted = ast.parse("from retrosolve.spaces.graph import Graph\nx = spaces.ProductSpace")
    assert names_in(planted, CONCRETE_SPACES) == {"Graph", "ProductSpace"}
    hidden = ast.parse("if TYPE_CHECKING:\n    from retrosolve.spaces.graph import Graph")
    assert names_in(hidden, CONCRETE_SPACES) == set()
    assert not allowed("retrosolve.solving", BUILD_SPACES)


def instance_tests(tree: ast.Module) -> Iterator[str]:
    """The names of classes in calls of isinstance and issubclass."""
    for node in ast.walk(tree):
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if called and node.func.id in ("isinstance", "issubclass"):
            yield from (n.id for n in ast.walk(node.args[1]) if isinstance(n, ast.Name))


@pytest.mark.thorough
def test_nobody_asks_what_concrete_class_an_object_has() -> None:
    asked = {
        module: set(instance_tests(tree)) & (CONCRETE_SPACES | CONCRETE_TABLES)
        for module, tree in modules().items()
        if not module.startswith(("retrosolve.spaces", "retrosolve.tables"))
    }
    # Cops and robber takes graphs of several libraries and builds its own.
    assert {module for module, classes in asked.items() if classes} <= {"retrosolve.pursuit.cops"}
    assert set(instance_tests(ast.parse("isinstance(x, Graph | Table)"))) == {"Graph", "Table"}


# -- 2: spaces and tables do not change --------------------------------------------------------------


@functools.cache
def edges_on_disk() -> rs.EdgeParts:
    """A graph whose edges are in a file, which is deleted at the end."""
    folder = tempfile.TemporaryDirectory()
    np.save(f"{folder.name}/0.npy", np.array([[0, 1], [1, 0], [1, 2]], np.int32))
    parts = rs.EdgeParts(folder.name)
    weakref.finalize(edges_on_disk, folder.cleanup)
    return parts


def subjects() -> dict[str, Any]:
    """One subject of each kind."""
    rng = random.Random(5)
    return {
        "graph": rs.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"]),
        "random graph": random_graph(rng),
        "explored": parse_game("hexapawn"),
        "two tokens": PoliceAndThief.from_text(random_board(rng)),
        "generated": parse_game("foxhounds:n=4"),
        "components": parse_game("quoridor:n=3"),
        "predecessors": CompiledGraphGame(without_owner(random_graph(rng)), "predecessors"),
        "edges on disk": edges_on_disk(),
        "heaps": parse_game("octal:n=30"),
        "hashed": parse_game("connect4:rows=3,columns=3,connect=3"),
        "throws": parse_game("pig:goal=4"),
        "lanes": parse_game("bearoff:points=2,checkers=2"),
    }


def contents(thing: Any) -> dict[str, Any]:
    """The public attributes of an object that are data, arrays by their bytes."""
    names = {name for cls in type(thing).__mro__ for name in getattr(cls, "__slots__", ())}
    # What a frozen dataclass has besides its fields it derives from them when first asked.
    names |= set(getattr(thing, "__dataclass_fields__", getattr(thing, "__dict__", ())))
    found = {}
    for name in sorted(names):
        value = getattr(thing, name, None)
        if not name.startswith("_"):
            found[name] = value.tobytes() if isinstance(value, np.ndarray) else id(value)
    return found


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("kind", subjects())
def test_solving_and_proving_change_neither_space_nor_table(kind: str) -> None:
    space = subjects()[kind].state_space()
    before = contents(space)
    solution = rs.solve(space)
    table = contents(solution.table)
    rs.verify(solution)
    solution.counts(), solution.longest(), solution.best_successors()
    assert contents(space) == before
    assert contents(solution.table) == table
    for array in solution.table.arrays().values():
        assert not array.flags.writeable


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("kind", subjects())
def test_attributes_of_spaces_and_tables_are_read_only(kind: str) -> None:
    space = subjects()[kind].state_space()
    table = rs.solve(space).table
    for thing in (space, table):
        with pytest.raises(AttributeError):
            thing.num_vertices = 7
    with pytest.raises(AttributeError):
        space.start = None


# -- 3: every solver returns a table ------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: f"{s.name} {s.requires} {s.objective}")
def test_every_solver_returns_a_table(solver: Any) -> None:
    met = 0
    for subject in subjects().values():
        space: StateSpace = subject.state_space()
        if Capability.HEAPS in space.capabilities and Capability.HEAPS not in solver.requires:
            continue
        if Capability.CHANCE in space.capabilities and Capability.CHANCE not in solver.requires:
            continue
        if Capability.CSR in solver.requires:
            space = space.materialize()
        if solver.requires not in space.capabilities:
            continue
        try:
            options = ClusterOptions(partitions=2, open_group=InlineGroup)
            tolerance = {"tolerance": 1e-6} if solver.name == "lanes" else {}
            asked = OBJECTIVES[solver.objective](**tolerance)
            result = solver.run(space, asked, Context(cluster=options))
        except rs.GraphError:  # cycles, for the acyclic solver; owners and ends, for nimbers
            assert solver.name in ("acyclic", "nimbers")
            continue
        assert isinstance(result, SolveResult)
        assert isinstance(result.table, Table)
        assert result.table.num_vertices == space.num_vertices
        assert result.table.has_remoteness == OBJECTIVES[solver.objective].has_levels
        met += 1
    assert met > 0


def test_the_proof_imports_neither_solvers_nor_rules() -> None:
    for module, tree in modules().items():
        if module.startswith("retrosolve.verification"):
            imported = {
                node.module
                for node in ast.walk(tree)
                if isinstance(node, ast.ImportFrom) and node.module
            }
            forbidden = (
                "retrosolve.solvers",
                "retrosolve.rules",
                "retrosolve.solving",
                "retrosolve.games",
            )
            assert not [name for name in imported if name.startswith(forbidden)]


# -- 6: no exceptions in the contracts ------------------------------------------------------------------


def test_import_contracts_have_no_exceptions() -> None:
    text = (Path(__file__).parent.parent.parent / "pyproject.toml").read_text(encoding="utf-8")
    contracts = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    assert len(contracts) >= 5
    assert [c["name"] for c in contracts if "ignore_imports" in c] == []


def test_holes_are_invalid_in_stored_graphs_too() -> None:
    space = CompiledGraphGame(rs.Graph.from_edges([0, 1, 1], [1, 0, 2]), "predecessors").state_space()
    graph = space.materialize()
    assert isinstance(graph, Graph)
    stored, generated = rs.solve(graph), rs.solve(space)
    assert np.array_equal(stored.table.values(), generated.table.values())
    assert np.array_equal(stored.remoteness(), generated.remoteness())
    assert (stored.table.values() == 255).sum() == 6
    with pytest.raises(rs.PositionError, match="stands for no position"):
        stored[int(np.argmax(stored.table.values() == 255))]
