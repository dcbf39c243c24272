"""Python files given by their path: loading them as modules, and digests of their source."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import sys
from collections.abc import Collection
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

from retrosolve.runtime.files import open_file

PREFIX = "retrosolve_rules_"

CLASS_SEPARATOR = ".py:"
"""Stands between the file of rules and a class in it, ``rules.py:ClassName``."""


def load_module(path: Path) -> ModuleType:
    """Run a Python file as a module of its own and return it.

    While it runs, its folder comes first where imports are looked up, as for a program.

    Raises ImportError if it is no Python file, and whatever the file raises.
    """
    spec = importlib.util.spec_from_file_location(f"{PREFIX}{path.stem}", path)
    if spec is None or not isinstance(spec.loader, SourceFileLoader):
        raise ImportError(f"{path} cannot be loaded: expected a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up there
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)
    try:
        # Not the bytecode that Python keeps, which a change within the same second can leave stale.
        exec(spec.loader.source_to_code(path.read_bytes(), path), module.__dict__)
    finally:
        with suppress(ValueError):  # the file may have removed it
            sys.path.remove(folder)
    return module


def subclasses_in(path: Path, bases: Collection[str]) -> list[str]:
    """Return the names of the classes in a Python file that derive from classes of certain names.

    The file is parsed, not executed. A file that cannot be parsed has none.
    """
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return []
    found: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            names = {
                base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
                for base in node.bases
            }
            if names & {*bases, *found}:
                found.append(node.name)
    return found


def source_digest(path: Path) -> str:
    """Return the SHA-256 digest of a regular file, 64 hexadecimal digits. Raises OSError."""
    with open_file(path) as file:
        return hashlib.sha256(file.read()).hexdigest()
