"""Checks of names as text: any Unicode except surrogates, which UTF-8 cannot encode.

Surrogates occur in JSON escapes and NumPy arrays, and numbers beyond Unicode in NumPy arrays. Control
characters are allowed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrosolve.errors import FormatError
from retrosolve.runtime.files import Source, short_repr

EXPECTED = "expected Unicode text, without surrogates"


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
        if isinstance(name, str) and not is_text(name):
            raise source.error(f"{what}[{v}] is {short_repr(name)}: {EXPECTED}")


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
        raise source.error(f"{where} holds character {int(points[place]):#x}: {EXPECTED}")


def check_written(written: Iterable[object], names: Iterable[object]) -> None:
    """Raise FormatError for a name that UTF-8 cannot encode in the form to be written."""
    for v, (text, name) in enumerate(zip(written, names, strict=True)):
        if isinstance(text, str) and not is_text(text):
            raise FormatError(
                f"a file cannot hold the name {short_repr(name)} of vertex {v}: {EXPECTED}"
            )
