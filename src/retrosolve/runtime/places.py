"""Places in source files: where an author's function stands, and where it raised an exception."""

from __future__ import annotations

import os
import sysconfig
import traceback
from pathlib import Path
from typing import Any

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
