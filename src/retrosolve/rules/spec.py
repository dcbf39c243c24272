"""How to make a game again: its class, where that comes from, and the arguments it was made with."""

from __future__ import annotations

import inspect
import math
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, Self

from retrosolve.runtime.sources import source_digest

PACKAGE = __name__.partition(".")[0]
PLAIN = (str, int, float, bool, type(None))


class Unspecified(Exception):  # noqa: N818
    """A game cannot be made again from a description; the text says why."""


class Specified:
    """Remembers the arguments that an object is made with, and describes how to make it again."""

    _made_with: tuple[tuple[Any, ...], dict[str, Any]]

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Remember the arguments of the constructor."""
        made = super().__new__(cls)
        made._made_with = args, kwargs
        return made

    def recipe(self) -> tuple[str, dict[str, Any]]:
        """OPTIONAL. Return the qualified name to call to make the game again, and its arguments.

        Without it, these are the class and the arguments of the constructor. Give it where they are
        more than numbers, text and tuples: then name a class method that takes such.
        """
        args, kwargs = self._made_with
        bound = inspect.signature(type(self)).bind(*args, **kwargs)
        kinds = {bound.signature.parameters[name].kind for name in bound.arguments}
        if not kinds <= {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}:
            raise Unspecified("its constructor takes arguments without a name")
        return type(self).__qualname__, dict(bound.arguments)

    def spec(self) -> dict[str, Any]:
        """Return how to make the game again, ready for JSON.

        Returns
        -------
        dict
            ``kind`` is "rules"; ``module`` is an importable module, or None where ``path`` is to be
            loaded as a file; ``digest`` is the SHA-256 of that file, left out for games of this
            package. If the game cannot be described, ``kind`` is "unspecified" and ``reason`` says why.
        """
        cls = type(self)
        try:
            name, arguments = self.recipe()
            if "<locals>" in name:
                raise Unspecified("its class is defined inside a function")
            found: dict[str, Any] = {"kind": "rules", "name": name}
            found["arguments"] = {key: encoded(value) for key, value in arguments.items()}
            return found | _origin(cls)
        except (Unspecified, TypeError, ValueError) as error:
            return {"kind": "unspecified", "name": cls.__qualname__, "reason": str(error)}


def encoded(value: Any) -> Any:
    """Return an argument as JSON has it, a tuple as ``{"tuple": [...]}``. Raises Unspecified."""
    if type(value) is float and not math.isfinite(value):
        raise Unspecified(f"it was made with {value}, which a file cannot hold")
    if type(value) in PLAIN:
        return value
    if type(value) is list:
        return [encoded(item) for item in value]
    if type(value) is tuple:
        return {"tuple": [encoded(item) for item in value]}
    raise Unspecified(f"it was made with a {type(value).__name__}, which a file cannot hold")


def _origin(cls: type) -> dict[str, Any]:
    """Return where a class comes from."""
    module = cls.__module__
    if module.partition(".")[0] == PACKAGE:
        return {"module": module}
    try:
        path = Path(inspect.getfile(cls)).resolve(strict=True)
        digest = source_digest(path)
    except (TypeError, OSError):
        raise Unspecified("its class comes from no file") from None
    importable = module != "__main__" and PathFinder.find_spec(module.partition(".")[0]) is not None
    return {"module": module if importable else None, "path": str(path), "digest": digest}
