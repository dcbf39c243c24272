"""Parameters of built-in games, from text and to text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any


def read_integer(text: str) -> int:
    """Read an integer of at most nine digits.

    Raises
    ------
    ValueError
        With what was expected, like every reader here.

    Examples
    --------
    >>> read_integer("-12")
    -12
    """
    if not re.fullmatch(r"-?\d{1,9}", text, re.ASCII):
        raise ValueError("a whole number")
    return int(text)


def read_integers(text: str) -> tuple[int, ...]:
    """Read integers joined by plus signs.

    Examples
    --------
    >>> read_integers("1+2")
    (1, 2)
    """
    try:
        return tuple(read_integer(part) for part in text.split("+"))
    except ValueError:
        raise ValueError("whole numbers joined by +") from None


def read_flag(text: str) -> bool:
    """Read ``yes`` or ``no``.

    Examples
    --------
    >>> read_flag("yes")
    True
    """
    if text not in ("yes", "no"):
        raise ValueError("yes or no")
    return text == "yes"


def one_of(*words: str) -> Callable[[str], str]:
    """Return a reader that accepts these words only.

    Examples
    --------
    >>> one_of("king", "rook")("rook")
    'rook'
    """

    def read(text: str) -> str:
        if text not in words:
            raise ValueError(" or ".join(words))
        return text

    return read


def write_value(value: Any) -> str:
    """Return the text that a reader turns back into the value.

    Examples
    --------
    >>> write_value(True), write_value((1, 2)), write_value(8)
    ('yes', '1+2', '8')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "+".join(map(str, value)) if isinstance(value, tuple) else str(value)
