"""What numba says about functions that it cannot compile, in one sentence with the author's place."""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Iterable
from types import FunctionType
from typing import Any

from retrosolve.runtime.sources import function_place, is_internal, place_text

# "During: typing of call at rules.py (12)" and 'File "rules.py", line 12:', the innermost first
LOCATED = re.compile(
    r'^During: typing of .* at (?P<typed>.+) \((?P<at>\d+)\)$|^File "(?P<file>.+)", line (?P<line>\d+)'
)
CALLED = re.compile(r"<function (?P<name>\S+)_[0-9a-f]{32} at ")
DETAILS = ("File ", "During: ", "There are ", "Enable logging ", "This error may have been caused ")


def is_of_compiler(error: Exception) -> bool:
    """Return whether numba raised an exception while it compiled, whatever its type."""
    if type(error).__module__.startswith("numba."):
        return True
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    module = str(frames[-1].f_globals.get("__name__")) if frames else ""
    return module.startswith("numba.")


def complaint(error: Exception, functions: Iterable[Any]) -> str:
    """Return the reason of a failed compilation, and its place where numba or Python tells it.

    Parameters
    ----------
    error : Exception
    functions : iterable of callable
        The author's functions.
    """
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("Failed in nopython mode pipeline")]
    details = (at for at, line in enumerate(lines) if line.startswith(DETAILS))
    reason = " ".join(lines[: next(details, len(lines))]).removesuffix(". Raised from None")
    place = _named_place(lines) or _callee_place(lines, functions) or _compiled_place(error)
    return f"{reason.rstrip(':. ')}{place}"


def _named_place(lines: list[str]) -> str:
    """Return the innermost place in an author's file that the lines name."""
    import numba

    library = os.path.dirname(numba.__file__)
    for line in lines:
        match = LOCATED.match(line)
        if match is not None:
            file, number = (
                (match["typed"], match["at"]) if match["typed"] else (match["file"], match["line"])
            )
            path = os.path.abspath(file)
            if not path.startswith(library) and not is_internal(path):
                place = place_text(path, int(number))
                if place:
                    return place
    return ""


def _callee_place(lines: list[str], functions: Iterable[Any]) -> str:
    """Return the place of the innermost author's function that the lines name."""
    known = {getattr(f, "__qualname__", ""): f for f in functions}
    for line in lines:
        match = CALLED.search(line)
        if match is not None and match["name"] in known:
            return function_place(known[match["name"]])
    return ""


def _compiled_place(error: Exception) -> str:
    """Return the place of the function that numba was compiling when it raised the error."""
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
        function = getattr(frame.f_locals.get("self"), "py_func", None)
        author = isinstance(function, FunctionType) and not function.__module__.startswith("numba.")
        if author and function_place(function):
            return function_place(function)
    return ""
