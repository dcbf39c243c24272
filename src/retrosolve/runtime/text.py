"""Text: names in any Unicode but surrogates, which UTF-8 cannot encode, strict JSON, boards, and marks.

Surrogates occur in JSON escapes and NumPy arrays, and numbers beyond Unicode in NumPy arrays. Control
characters are allowed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from retrosolve.errors import FormatError, one_line
from retrosolve.runtime.files import UNICODE, Source, error_summary, short_repr


def mark(message: str) -> str:
    """Return a message as it is; marks it for the catalogues where it is not translated yet."""
    return message


def is_text(text: str) -> bool:
    r"""Return whether UTF-8 can encode the text.

    Examples
    --------
    >>> is_text("Zoë\n"), is_text("\ud800")
    (True, False)
    """
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def check_read(source: Source, names: Iterable[object] | None, what: str = "names") -> None:
    """Raise FormatError for a name in a file that UTF-8 cannot encode; numbers are allowed."""
    for v, name in enumerate(names or ()):
        if isinstance(name, str) and not (name.isascii() or is_text(name)):
            raise source.error(f"{what}[{v}] is {short_repr(name)}: {UNICODE}")


def check_array(source: Source, array: NDArray[Any], key: str) -> None:
    """Raise FormatError for an array of text with numbers that are no characters."""
    width = array.dtype.itemsize // 4
    if not array.size or not width:
        return
    kind = np.dtype(np.uint32).newbyteorder(array.dtype.byteorder)
    points = np.ascontiguousarray(array).reshape(-1).view(kind)
    wrong = (points > 0x10FFFF) | ((points >= 0xD800) & (points < 0xE000))
    if wrong.any():
        place = int(np.argmax(wrong))
        where = f"{key}[{place // width}]" if array.ndim else key
        raise source.error(f"{where} holds character {int(points[place]):#x}: {UNICODE}")


def check_written(written: Iterable[object], names: Iterable[object]) -> None:
    """Raise FormatError for a name that UTF-8 cannot encode in the form to be written."""
    for v, (text, name) in enumerate(zip(written, names, strict=True)):
        if isinstance(text, str) and not is_text(text):
            raise FormatError(
                f"a file cannot hold the name {short_repr(name)} of vertex {v}: {UNICODE}"
            )


def check_distinct(written: Sequence[Hashable], names: Sequence[Hashable]) -> None:
    """Raise FormatError if two names would be written alike, or one cannot be encoded."""
    check_written(written, names)
    first: dict[Hashable, int] = {}
    for vertex, text in enumerate(written):
        other = first.setdefault(text, vertex)
        if other != vertex:
            raise FormatError(
                f"the names {short_repr(names[other])} and {short_repr(names[vertex])} "
                f"would both be written as {short_repr(text)}: expected names that differ as text"
            )


def plain_names(names: Sequence[Hashable] | None) -> list[str | int] | None:
    """Return names with text and whole numbers unchanged, all others as text.

    Raises FormatError if two would be written alike, or one cannot be encoded.
    """
    if names is None:
        return None
    kept: list[Any] = list(names)
    if {*map(type, names)} <= {str, int}:  # which differ, as names do
        check_written(kept, names)
        return kept
    kept = [name if type(name) in (str, int) else str(name) for name in names]
    check_distinct(kept, names)
    return kept


def parse_object(source: Source) -> dict[str, Any]:
    """Return the JSON object that a file holds: no NaN, no duplicate keys, nothing after the object.

    Raises FormatError for anything else.
    """

    def constant(text: str) -> NoReturn:
        raise source.error(f"{text} is not JSON: expected a number")

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) < len(items):
            keys = [key for key, _ in items]
            twice = next(key for i, key in enumerate(keys) if key in keys[:i])
            raise source.error(f"key {short_repr(twice)} twice: expected it once")
        return found

    text = source.text()
    try:
        found = json.loads(text, parse_constant=constant, object_pairs_hook=pairs)
    except json.JSONDecodeError as error:
        raise source.error(f"column {error.colno}, {error.msg}: expected JSON", error.lineno) from None
    except RecursionError:
        raise source.error("lists within lists too deep: expected a list of lists") from None
    except FormatError:
        raise
    except ValueError as error:
        raise source.error(f"{error_summary(error)}: expected smaller numbers") from None
    if not isinstance(found, dict):
        raise source.error(f"{short_repr(found)}: expected an object")
    return found


def board_rows(text: str) -> list[str]:
    r"""Return the rows of the board in the text of a position; none if there is no board in it.

    A text of several lines is a board. So is one that begins with rows of equal width between slashes,
    in which a number may stand for that many empty squares, if no dot stands for one. Commas are
    between numbers, and make no board.

    >>> board_rows("3k/4/2K1/R3 w")
    ['...k', '....', '..K.', 'R...']
    >>> board_rows("X.O\n.X."), board_rows("1../..a")
    (['X.O', '.X.'], ['1..', '..a'])
    >>> board_rows("a/b"), board_rows("3/4/5"), board_rows("1,0/0,2")
    ([], [], [])
    """
    lines = text.splitlines()
    if len(lines) > 1:
        return [one_line(line) for line in lines]
    rows = (text.split() or [""])[0].split("/")
    if "." not in text and any(row.isdecimal() is False for row in rows):
        rows = [re.sub(r"\d{1,2}", lambda found: "." * int(found[0]), row) for row in rows]
    if len(rows) < 2 or len(rows[0]) < 2 or len({*map(len, rows)}) > 1 or "," in text:
        return []
    return [one_line(row) for row in rows]
