"""Each feature is named in a test: commands and their options, formats, games, solvers and objectives.

``python -m tests.architecture.test_features`` lists the features with a test of each.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest

from retrosolve.cli import COMMANDS, CommandGroup
from retrosolve.formats.table import FORMATS
from retrosolve.games.table import GAMES
from retrosolve.objectives import OBJECTIVES
from retrosolve.solvers import SOLVERS

TESTS = Path(__file__).parent.parent
HELPERS = {"support", "data", "conftest.py", Path(__file__).name}
TOKEN = re.compile(r"[\w./=-]+")


def features() -> dict[str, str]:
    """The features, each with a pattern of the word that names it in a test."""
    found = {f"command {name}": rf"{name}" for name in COMMANDS}
    context = click.Context(CommandGroup("retrosolve"))
    for name in COMMANDS:
        command = CommandGroup("retrosolve").get_command(context, name)
        assert command is not None
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                names = [*parameter.opts, *parameter.secondary_opts]
                found[f"option {max(parameter.opts, key=len)}"] = rf"({'|'.join(names)})(=.*)?"
    found |= {
        f"format {each.name}": "|".join([each.name, *(rf".*\{suffix}" for suffix in each.suffixes)])
        for each in FORMATS.values()
    }
    found |= {f"game {name}": name for name in GAMES}
    found |= {f"solver {solver.name}": solver.name for solver in SOLVERS}
    return found | {f"objective {name}": name for name in OBJECTIVES}


def strings(tree: ast.AST, others: dict[str, ast.AST]) -> Iterator[str]:
    """The words in the strings of a test, and in those of constants and helpers that it names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from TOKEN.findall(node.value)
        elif isinstance(node, ast.Name) and node.id in others:
            yield from strings(
                others[node.id], {name: tree for name, tree in others.items() if name != node.id}
            )


@cache
def words() -> dict[str, frozenset[str]]:
    """The words in the strings of each test."""
    found = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        place = path.relative_to(TESTS)
        if not HELPERS.isdisjoint(place.parts):
            continue
        module = ast.parse(path.read_text("utf-8"))
        others: dict[str, ast.AST] = {}
        tests = []
        for node in module.body:
            if isinstance(node, ast.FunctionDef):
                tests += [node] if node.name.startswith("test_") else []
                others[node.name] = node
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                others[node.targets[0].id] = node.value
        for node in tests:
            found[f"tests/{place.as_posix()}::{node.name}"] = frozenset(strings(node, others))
    return found


def naming(pattern: str) -> list[str]:
    """The tests in which a word occurs that a pattern describes."""
    whole = re.compile(pattern)
    return [test for test, there in words().items() if any(map(whole.fullmatch, there))]


@pytest.mark.parametrize("feature", features())
def test_feature_is_named_in_a_test(feature: str) -> None:
    assert naming(features()[feature]), f"no test names {feature}: expected one"


def test_feature_that_no_test_names_is_found() -> None:
    assert len(words()) > 1000
    assert not naming("--no-such-option(=.*)?")


if __name__ == "__main__":
    for name, pattern in features().items():
        there = naming(pattern)
        print(f"{name:<34} {there[0] if there else '-'}  and {max(len(there) - 1, 0)} more")
