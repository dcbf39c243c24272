"""How the modules of the package hang together: no circle of imports, and few modules at its root."""

import ast

import networkx as nx
import pytest

from tests.support.source import PACKAGE, SRC, imports, modules

MAX_ROOT_MODULES = 10


def import_graph(trees: dict[str, ast.Module]) -> nx.DiGraph:
    known = frozenset(trees)
    return nx.DiGraph((name, to) for name, tree in trees.items() for to in imports(tree, known))


def circles(graph: nx.DiGraph) -> set[frozenset[str]]:
    """The sets of modules each of which imports all others of its set, directly or not."""
    found = {frozenset(part) for part in nx.strongly_connected_components(graph) if len(part) > 1}
    return found | {frozenset({name}) for name in nx.nodes_with_selfloops(graph)}


@pytest.mark.thorough
def test_no_module_imports_itself_in_a_circle() -> None:
    assert circles(import_graph(modules())) == set()


def test_rules_have_no_circle_for_type_checkers_either() -> None:
    trees = {name: tree for name, tree in modules().items() if name.startswith(f"{PACKAGE}.rules")}
    known = frozenset(trees)
    graph = nx.DiGraph((name, to) for name, tree in trees.items() for to in imports(tree, known, True))
    assert circles(graph) == set()


def test_the_contracts_of_rules_import_no_machinery() -> None:
    trees = modules()
    contract = imports(trees[f"{PACKAGE}.rules.contract"], frozenset(trees), True)
    assert {name for name in contract if name.startswith(f"{PACKAGE}.rules")} == {
        f"{PACKAGE}.rules.spec"
    }


def test_a_planted_circle_is_found() -> None:
    sources = {
        "p": "from p.a import A",
        "p.a": "import p.b",
        "p.b": "def late():\n    from p import c",
        "p.c": "from p.a import A",
        "p.d": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import p.e\nelse:\n    import p.a",
        "p.e": "import p.d",
        "p.f": "def itself():\n    from p.f import name",
    }
    trees = {name: ast.parse(source) for name, source in sources.items()}
    assert circles(import_graph(trees)) == {frozenset({"p.a", "p.b", "p.c"}), frozenset({"p.f"})}
    assert imports(trees["p.d"], frozenset(trees)) == {"p.a"}
    assert imports(trees["p.d"], frozenset(trees), True) == {"p.a", "p.e"}


@pytest.mark.thorough
def test_the_graph_of_imports_is_not_empty() -> None:
    known = frozenset(modules())
    assert f"{PACKAGE}.spaces.graph" in known
    assert f"{PACKAGE}.cli" in imports(modules()[f"{PACKAGE}.__main__"], known)
    assert sum(len(imports(tree, known)) for tree in modules().values()) > 300


def test_few_modules_stand_at_the_root() -> None:
    assert len(list((SRC / PACKAGE).glob("*.py"))) <= MAX_ROOT_MODULES
