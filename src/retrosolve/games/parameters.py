"""Parameters of games, from text and to text."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from retrosolve.errors import RulesError

ParameterReader = Callable[[str], Any]


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
        raise ValueError("a whole number of at most nine digits")
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
    """Read ``yes`` or ``no``, in any case.

    Examples
    --------
    >>> read_flag("yes")
    True
    """
    if text.lower() not in ("yes", "no"):
        raise ValueError("yes or no")
    return text.lower() == "yes"


def read_ending(text: str) -> str:
    """Read the men of a chess ending in any case, or ``3men`` and the like.

    Examples
    --------
    >>> read_ending("krk"), read_ending("4Men")
    ('KRK', '4men')
    """
    return text.lower() if text.lower().endswith("men") else text.upper()


def one_of(*words: str) -> Callable[[str], str]:
    """Return a reader that accepts these words only, in any case.

    Examples
    --------
    >>> one_of("king", "rook")("Rook")
    'rook'
    """

    def read(text: str) -> str:
        if text.lower() not in words:
            raise ValueError(" or ".join(words))
        return text.lower()

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


def read_number(text: str) -> float:
    """Read a number.

    Examples
    --------
    >>> read_number("2.5")
    2.5
    """
    try:
        return float(text)
    except ValueError:
        raise ValueError("a number") from None


def read_any(text: str) -> Any:
    """Read what a text looks like: whole numbers joined by plus signs, yes or no, a number, or text.

    Examples
    --------
    >>> read_any("12"), read_any("1+2"), read_any("yes"), read_any("KRK")
    (12, (1, 2), True, 'KRK')
    """
    for reader in (read_integer, read_integers, read_flag, read_number):
        try:
            return reader(text)
        except ValueError:
            continue
    return text


READERS: dict[str, ParameterReader] = {
    "bool": read_flag, "int": read_integer, "float": read_number, "str": str, "tuple": read_integers,
}  # fmt: skip


def parameters_of(parameters: Iterable[inspect.Parameter]) -> dict[str, ParameterReader]:
    """Return the parameters of a function that can be given by name, with the reader of each.

    A parameter is read as the type of its default, else as its annotation says, else as it looks.

    Examples
    --------
    >>> def game(n: int, take=(1, 2), *, wrap=False): ...
    >>> readers = parameters_of(inspect.signature(game).parameters.values())
    >>> {name: reader.__name__ for name, reader in readers.items()}
    {'n': 'read_integer', 'take': 'read_integers', 'wrap': 'read_flag'}
    """
    named = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    return {p.name: _reader(p) for p in parameters if p.kind in named}


def _reader(parameter: inspect.Parameter) -> ParameterReader:
    """Return the reader of a parameter."""
    has_default = parameter.default not in (None, inspect.Parameter.empty)
    kind = type(parameter.default) if has_default else parameter.annotation
    name = kind if isinstance(kind, str) else getattr(kind, "__name__", "")
    return READERS.get(name.partition("[")[0], read_any)


def read_parameters(
    text: str,
    name: str,
    rest: str,
    readers: Mapping[str, ParameterReader],
    unnamed: str | None = None,
) -> dict[str, Any]:
    """Read the parameters of a game.

    Parameters
    ----------
    text : str
        All of the text, for error messages.
    name : str
        The name of the game.
    rest : str
        Parameters ``key=value``, separated by commas.
    readers : mapping of str to callable
        The reader of each parameter.
    unnamed : str, optional
        The parameter that may come first without its name.

    Raises
    ------
    RulesError
        If a parameter is unknown or given twice, or a value cannot be read.

    Examples
    --------
    >>> read_parameters("nim.py:Square,n=50", "Square", "n=50", {"n": read_integer})
    {'n': 50}
    """
    arguments: dict[str, Any] = {}
    for number, part in enumerate(rest.split(",") if rest else []):
        key, equals, value = part.partition("=")
        if not equals and unnamed and number == 0:
            key, equals, value = unnamed, "=", part
        if not equals or key not in readers:
            expected = ", ".join(f"{key}=..." for key in readers) or "none"
            raise RulesError(f"{text}: {part!r} is no parameter of {name}: expected {expected}")
        if key in arguments:
            raise RulesError(f"{text}: {key} is given twice: expected it once")
        try:
            arguments[key] = readers[key](value)
        except ValueError as error:
            raise RulesError(f"{text}: {key}={value!r}: expected {error}") from None
    return arguments
