"""Python files as rules: read once, digested, and run as modules from the bytes that were read.

Below stand the places in them that error messages name.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import os
import re
import sys
import sysconfig
import traceback
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from importlib.machinery import SOURCE_SUFFIXES, ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from retrosolve.errors import StoreError
from retrosolve.runtime.files import open_file

PREFIX = "retrosolve_rules_"

CLASS_SEPARATOR = ".py:"
"""Stands between the file of rules and a class in it, ``rules.py:ClassName``."""

MAX_SOURCE = 1 << 24
"""The most bytes of a file of rules."""

BUILT_IN = re.compile(r"retrosolve\.(games|pursuit)(\.[A-Za-z_]\w*)*", re.ASCII)
"""The names of the modules of built-in games, whose code is a part of this package."""

_running: ContextVar[tuple[Path, ...]] = ContextVar("running", default=())
"""The files that are being run as modules."""


class ReadSource(SourceFileLoader):
    """A loader of bytes that were read before: not of the file as it is now, nor of kept bytecode.

    Python's bytecode is of another file if that was changed within the same second, or by whoever may
    write to ``__pycache__``.

    Parameters
    ----------
    name : str
        Of the module.
    path : str
        The file, for tracebacks.
    source : bytes
        Its content.
    """

    def __init__(self, name: str, path: str, source: bytes) -> None:
        super().__init__(name, path)
        self.source = source

    def get_code(self, fullname: str) -> CodeType:
        """Compile the bytes."""
        return self.source_to_code(self.source, self.path)


def read_source(path: Path) -> bytes:
    """Return the content of a regular file of at most 16 MiB. Raises OSError."""
    with open_file(path) as file:
        source = file.read(MAX_SOURCE + 1)
    if len(source) > MAX_SOURCE:
        raise OSError(f"expected at most {MAX_SOURCE} bytes of rules")
    return source


def source_digest(source: bytes) -> str:
    """Return the SHA-256 digest of the content of a file, 64 hexadecimal digits."""
    import hashlib  # takes two milliseconds

    return hashlib.sha256(source).hexdigest()


def load_module(path: Path, source: bytes | None = None) -> ModuleType:
    """Run a Python file as a module of its own and return it.

    While it runs, its folder comes first where imports are looked up, as for a program.

    Parameters
    ----------
    path : Path
    source : bytes, optional
        The content of the file, if it has been read; it is not read again.

    Raises ImportError if it is no Python file, StoreError if it would run itself for ever, and whatever
    the file raises.
    """
    if path in _running.get():
        raise StoreError(
            f"{path} opens a solution of its own rules whenever it is run to load them: expected that "
            'below if __name__ == "__main__": or with game='
        )
    name = f"{PREFIX}{path.stem}"
    found = importlib.util.spec_from_file_location(name, path)
    if found is None or not isinstance(found.loader, SourceFileLoader):
        raise ImportError(f"{path} cannot be loaded: expected a Python file")
    found.loader = loader = ReadSource(name, str(path), read_source(path) if source is None else source)
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module  # dataclasses look their module up there
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)
    token = _running.set((*_running.get(), path))
    try:
        loader.exec_module(module)
    finally:
        _running.reset(token)
        with suppress(ValueError):  # the file may have removed it
            sys.path.remove(folder)
    return module


def module_file(name: str) -> Path | None:
    """Return the file that ``import name`` would run last, without running anything.

    Python's own search runs the packages that a module is in. None for a module that is not there, or
    comes from anything but a Python file.
    """
    parts = name.split(".")
    if not all(part.isidentifier() for part in parts):
        return None
    loaded = sys.modules.get(name)
    if loaded is not None:
        file = getattr(loaded, "__file__", None)
        is_source = isinstance(file, str) and file.endswith(tuple(SOURCE_SUFFIXES))
        return Path(str(file)).resolve() if is_source else None
    places: Sequence[str] | None = None
    found: ModuleSpec | None = None
    for end in range(1, len(parts) + 1):
        found = PathFinder.find_spec(".".join(parts[:end]), places)
        places = None if found is None else found.submodule_search_locations
        if found is None or (places is None and end < len(parts)):
            return None
    if found is None or type(found.loader) is not SourceFileLoader:
        return None
    return Path(found.loader.path).resolve()


def import_source(name: str, path: Path, source: bytes) -> ModuleType:
    """Import a module by its name, from the content of its file that has been read.

    Parameters
    ----------
    name : str
    path : Path
        As :func:`module_file` returns it for this name.
    source : bytes
        Its content, which is what runs unless the module is imported already.
    """
    with _found_first(_OneModule(name, path, source)):
        return importlib.import_module(name)


class _OneModule:
    """A finder of one module, with the content of its file."""

    def __init__(self, name: str, path: Path, source: bytes) -> None:
        self.name, self.path, self.source = name, path, source

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> ModuleSpec | None:
        """Return the spec of the module; None for any other."""
        if name != self.name:
            return None
        loader = ReadSource(name, str(self.path), self.source)
        is_package = self.path.name == "__init__.py"
        return importlib.util.spec_from_file_location(
            name,
            self.path,
            loader=loader,
            submodule_search_locations=[str(self.path.parent)] if is_package else None,
        )


@contextmanager
def _found_first(finder: Any) -> Iterator[None]:
    """Ask a finder before all others."""
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        with suppress(ValueError):  # what was imported may have removed it
            sys.meta_path.remove(finder)


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


PACKAGE = Path(__file__).parent.parent
LIBRARIES = ("stdlib", "platstdlib", "purelib", "platlib")


def place_text(file: str, line: int) -> str:
    """Return `` (file, line n)``, ready to end a sentence; empty if there is no such file."""
    if not os.path.isfile(file):
        return ""
    path, here = Path(file).resolve(), Path.cwd()
    return f" ({path.relative_to(here) if path.is_relative_to(here) else path}, line {line})"


def function_place(function: Any) -> str:
    """Return the place of the first line of a function; empty if it is not an author's."""
    code = getattr(getattr(function, "py_func", function), "__code__", None)
    if code is None or is_internal(code.co_filename):
        return ""
    return place_text(code.co_filename, code.co_firstlineno)


def error_place(error: BaseException) -> str:
    """Return the place in the author's code that raised an exception; empty if there is none.

    That is the innermost call in a file that belongs neither to this package nor to a library, or,
    where the rules themselves are installed as a library, just not to this package.
    """
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not is_internal(frame.filename)]
    libraries = tuple(sysconfig.get_path(name) for name in LIBRARIES)
    outside = [frame for frame in own if not frame.filename.startswith(libraries)]
    for frame in reversed(outside or own):
        place = place_text(frame.filename, frame.lineno or 0)
        if place:
            return place
    return ""


def is_internal(file: str) -> bool:
    """Return whether a file belongs to this package; the rules of its games do not."""
    path = Path(file)
    return path.is_relative_to(PACKAGE) and not path.is_relative_to(PACKAGE / "games")
