"""Each feature is named in a test: what the command line, the tables and the public classes offer.

``python -m tests.architecture.test_features`` lists the features with a test of each.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import click
import pytest

import retrosolve as rs
from retrosolve.cli import COMMANDS, CommandGroup
from retrosolve.formats.table import FORMATS
from retrosolve.games.table import GAMES
from retrosolve.objectives import OBJECTIVES
from retrosolve.solvers import SOLVERS
from retrosolve.verification.verify import PROVERS
from tests.support.source import modules

TESTS = Path(__file__).parent.parent
TOKEN = re.compile(r"[\w./-]+")
RUNS = {"run", ".run", ".invoke", "retrosolve"}  # what a test of the command line calls
OPTIONAL_ATTRIBUTE = re.compile(r"^ {4}(\w+) : .*\n {8}OPTIONAL", re.MULTILINE)


@cache
def features() -> dict[str, tuple[set[str], ...]]:
    """The features, each with sets of words: a test that names it has a word of each."""
    found: dict[str, tuple[set[str], ...]] = {f"command {name}": ({name}, RUNS) for name in COMMANDS}
    found |= options()
    for each in FORMATS.values():
        found[f"format {each.name}"] = ({each.name, *each.suffixes},)
    for game in GAMES.values():
        names = {game.name, game.location.partition(":")[2]}
        found[f"game {game.name}"] = (names,)
        for parameter in game.parameters:
            found[f"game {game.name}:{parameter}="] = (names, {parameter})
    found |= {f"solver {each.name}": ({each.name},) for each in SOLVERS}
    found |= {
        f"prover {each.name}, {each.objective}": ({each.name}, {each.objective}) for each in PROVERS
    }
    found |= {f"objective {name}": ({name},) for name in OBJECTIVES}
    for name in optional("Game"):
        bases = ("rs.Game", "Game", "rs.Puzzle", "Puzzle", "rs.BoardGame", "BoardGame")
        found[f"rules Game.{name}"] = ({f"class {base}.{name}" for base in bases},)
    for name in optional("CompiledGame"):
        found[f"rules CompiledGame.{name}"] = ({f"class .{name}", f".{name}"},)
    for name in public():
        module, _, last = name.rpartition(".")
        found[f"public {name}"] = ({last, name if module == "rs" else f".{last}"},)
    members = [name for name in vars(rs.Solution) if not name.startswith("_")]
    return found | {f"public Solution.{name}": ({f".{name}"},) for name in members}


def options() -> dict[str, tuple[set[str], ...]]:
    """The options, those with one help text together, and the commands that have them."""
    group = CommandGroup("retrosolve")
    shared: dict[tuple[str, str], tuple[set[str], set[str]]] = {}
    for name in COMMANDS:
        command = group.get_command(click.Context(group), name)
        assert command is not None
        for option in command.params:
            if isinstance(option, click.Option) and not option.hidden:
                names = {*option.opts, *option.secondary_opts}
                key = max(option.opts, key=len), option.help or ""
                shared.setdefault(key, (set(), names))[0].add(name)
    return {
        f"option {name} of {' '.join(sorted(commands))}": (commands, names, RUNS)
        for (name, _), (commands, names) in shared.items()
    }


def optional(base: str) -> Iterator[str]:
    """What authors may define in a class of rules: what its text, or that of its base, calls OPTIONAL."""
    tree = modules()["retrosolve.rules.contract"]
    classes = {node.name: node.body for node in tree.body if isinstance(node, ast.ClassDef)}
    body = classes["_Rules"] + classes[base]
    for node, after in zip(body, [*body[1:], None], strict=True):
        match node, after:
            case ast.Expr(ast.Constant(str(text))), _:
                yield from OPTIONAL_ATTRIBUTE.findall(text)
            case ast.FunctionDef(name=name), _ if "OPTIONAL" in (ast.get_docstring(node) or ""):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(ast.Constant(str(text))) if (
                text.startswith("OPTIONAL")
            ):
                yield name


def public() -> Iterator[str]:
    """The public names of the package, and of the modules among them."""
    for name in [*rs.__all__, "open", "sum", "CHANCE"]:
        yield f"rs.{name}"
        found = getattr(rs, name)
        if isinstance(found, ModuleType):
            yield from (f"rs.{name}.{each}" for each in getattr(found, "__all__", ()))


def words_of(tree: ast.AST) -> Iterator[str]:
    """The words in the strings of a piece of source, the names that it uses, and what it defines.

    ``solution.get`` is also ``.get``, and a method of a class ``class Game.moves`` and ``class .moves``.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)):
                yield text
                for token in TOKEN.findall(text):
                    yield from (token, Path(token).suffix)
            case ast.Attribute(attr=attribute):
                yield f".{attribute}"
                if isinstance(node.value, ast.Name):
                    yield f"{node.value.id}.{attribute}"
            case ast.Name(id=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
                yield name
            case ast.ClassDef(bases=bases, body=body):
                for member in body:
                    match member:
                        case (
                            ast.FunctionDef(name=name)
                            | ast.Assign(targets=[ast.Name(id=name)])
                            | ast.AnnAssign(target=ast.Name(id=name))
                        ):
                            yield f"class .{name}"
                            for base in bases:
                                yield f"class {ast.unparse(base).partition('[')[0]}.{name}"


@cache
def words() -> dict[str, set[str]]:
    """The words of each test, and of the constants, classes and helpers of its file that it names."""
    found = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        place = path.relative_to(TESTS)
        if path == Path(__file__) or place.parts[0] in {"support", "data"}:
            continue
        own: dict[str, set[str]] = {}
        for node in ast.parse(path.read_text("utf-8")).body:
            match node:
                case (
                    ast.FunctionDef(name=name)
                    | ast.ClassDef(name=name)
                    | ast.Assign(targets=[ast.Name(id=name)])
                    | ast.AnnAssign(target=ast.Name(id=name))
                ):
                    own[name] = set(words_of(node))
        for test in own:
            if test.startswith("test_"):
                named, new = set[str](), {test}
                while new:
                    named |= new
                    new = set.union(*(own[name] for name in new)) & own.keys() - named
                found[f"tests/{place.as_posix()}::{test}"] = set.union(*(own[name] for name in named))
    return found


def naming(feature: tuple[set[str], ...]) -> list[str]:
    """The tests that have a word of each set."""
    return [test for test, there in words().items() if not any(map(there.isdisjoint, feature))]


@pytest.mark.thorough
@pytest.mark.parametrize("feature", features())
def test_feature_is_named_in_a_test(feature: str) -> None:
    assert naming(features()[feature]), f"no test names {feature}: expected one"


@pytest.mark.thorough
def test_feature_that_no_test_names_is_found() -> None:
    assert len(words()) > 1000
    assert not naming(({"solve"}, {"--no-such-option"}))


if __name__ == "__main__":
    for name, words_ in features().items():
        there = naming(words_)
        print(f"{name}: {there[0] if there else '-'} and {max(len(there) - 1, 0)} more")
