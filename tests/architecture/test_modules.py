"""How the modules of the package hang together: imports, who names what is concrete, who takes words apart."""

import ast
from collections.abc import Iterator

import networkx as nx
import pytest

from retrosolve.tables import Table
from tests.support.source import PACKAGE, imports, modules


def test_no_module_imports_itself_in_a_circle() -> None:
    for type_checking, prefix in ((False, PACKAGE), (True, f"{PACKAGE}.rules")):
        trees = {name: tree for name, tree in modules().items() if name.startswith(prefix)}
        edges = {
            (name, to) for name in trees for to in imports(trees[name], frozenset(trees), type_checking)
        }
        assert len(edges) > len(trees) / 2
        graph = nx.DiGraph(edges)
        assert [part for part in nx.strongly_connected_components(graph) if len(part) > 1] == []
        assert [*nx.nodes_with_selfloops(graph)] == []


def test_the_contracts_of_rules_import_no_machinery() -> None:
    trees = modules()
    contract = imports(trees[f"{PACKAGE}.rules.contract"], frozenset(trees), True)
    assert {name for name in contract if ".rules" in name} == {f"{PACKAGE}.rules.spec"}


def concrete(of: type) -> set[str]:
    """The names of the classes derived from one."""
    return set[str]().union(*({each.__name__} | concrete(each) for each in of.__subclasses__()))


SPACES = {"EdgeParts", "Graph", "NamedGraph", "GeneratedSpace", "ProductSpace"}
# Who builds spaces: graphs from files, from edges and from rules, and the moves of tokens.
BUILD_SPACES = """ external.space formats pursuit.cops pursuit.police pursuit.theory rules.exploring rules.indexing
 rules.two_tokens solution.regret store.specs testing web.descriptions"""
# Who builds tables: the solvers, and files that hold a solution.
BUILD_TABLES = (
    "solvers distributed.driver external.solver formats.graphfile store.directory verification.levels"
)


def names_in(tree: ast.Module) -> Iterator[str]:
    """The names that a module uses or imports, outside ``if TYPE_CHECKING``."""
    hidden = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                yield name
            case ast.ImportFrom(names=aliases) if node not in hidden:
                yield from (alias.name for alias in aliases)


@pytest.mark.parametrize(
    ("names", "home", "listed"),
    [(SPACES, "spaces", BUILD_SPACES), (concrete(Table), "tables", BUILD_TABLES)],
    ids=["spaces", "tables"],
)
def test_concrete_classes_are_named_where_they_are_built(
    names: set[str], home: str, listed: str
) -> None:
    free = tuple(f"{PACKAGE}.{module}." for module in [home, *listed.split()])
    naming = {module for module, tree in modules().items() if names & {*names_in(tree)}}
    assert {module for module in naming if not f"{module}.".startswith(free)} <= {PACKAGE}


def takes_words_apart(tree: ast.Module) -> Iterator[int]:
    """The lines that shift by 3 or mask with 7, or name these, as only the encoding of words does."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id="CODE_BITS" | "CODE_MASK") | ast.alias(name="CODE_BITS" | "CODE_MASK"):
                yield node.lineno
            case ast.BinOp(op=op, right=number) | ast.AugAssign(op=op, value=number):
                bits = {ast.BitAnd: 7, ast.LShift: 3, ast.RShift: 3}.get(type(op))
                inner = number.args[0] if isinstance(number, ast.Call) and number.args else number
                if bits and isinstance(inner, ast.Constant) and inner.value == bits:
                    yield node.lineno


def test_words_are_encoded_in_one_file() -> None:
    found = {module for module, tree in modules().items() if [*takes_words_apart(tree)]}
    # Sets of vertices as bits, eight to a byte: there, 7 and 3 are the bit and the byte of a vertex.
    bits = {f"{PACKAGE}.spaces.csr.partition", f"{PACKAGE}.solvers.sweep"}
    assert {name for name in found - bits if ".games." not in name} == {f"{PACKAGE}.objectives.words"}
