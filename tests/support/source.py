"""The sources of the package as syntax trees: their names and imports."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

SRC = Path(__file__).parent.parent.parent / "src"
PACKAGE = "retrosolve"


@cache
def modules() -> dict[str, ast.Module]:
    """The tree of each module of the package, by its dotted name."""
    trees = {}
    for path in sorted((SRC / PACKAGE).rglob("*.py")):
        parts = path.relative_to(SRC).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        trees[name] = ast.parse(path.read_text(encoding="utf-8"), str(path))
    return trees


def imports(tree: ast.AST, known: frozenset[str], type_checking: bool = False) -> set[str]:
    """The ``known`` modules that a tree imports, inside functions too.

    Those for type checking only are left out unless ``type_checking``.
    """
    found: set[str] = set()
    todo = [tree]
    while todo:
        node = todo.pop()
        todo += ast.iter_child_nodes(node) if type_checking or not for_type_checking(node) else ()
        if isinstance(node, ast.If) and for_type_checking(node):
            todo += node.orelse
        match node:
            case ast.Import(names=names):
                found |= {alias.name for alias in names}
            case ast.ImportFrom(module=str(module), level=0, names=names):
                parts = {f"{module}.{alias.name}" for alias in names}
                found |= parts & known
                if parts - known:
                    found.add(module)
            case ast.ImportFrom():
                raise AssertionError(f"line {node.lineno} imports relatively: expected the full name")
    return found & known


def for_type_checking(node: ast.AST) -> bool:
    """Whether this is an ``if TYPE_CHECKING``."""
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING")):
            return True
    return False
