"""Specs of games: the class, its source and the constructor arguments, to build the game again."""

from __future__ import annotations

import inspect
import math
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, ClassVar, Self

from retrosolve.runtime.sources import BUILT_IN, read_source, source_digest

PLAIN = (str, int, float, bool, type(None))


class Unspecified(Exception):  # noqa: N818
    """Raised for a game that cannot be built from a spec; the message is the reason."""


class Specified:
    """Base class of objects that can be described by a spec: it records the constructor arguments.

    Attributes
    ----------
    rebuilt_by : str
        OPTIONAL. The class method that ``recipe`` names, where it names one. No other is ever called
        because a file names it.
    """

    rebuilt_by: ClassVar[str] = ""
    _made_with: tuple[tuple[Any, ...], dict[str, Any]]

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Record the arguments of the constructor."""
        made = super().__new__(cls)
        made._made_with = args, kwargs
        return made

    def recipe(self) -> tuple[str, dict[str, Any]]:
        """Return a qualified name and keyword arguments that build the game again. OPTIONAL.

        By default these are the class and the arguments of the constructor. Define it if the
        constructor takes anything but numbers, text, lists and tuples, and name the class method
        ``rebuilt_by``, which takes only those. Without a valid recipe the positions of a saved
        solution need ``open(..., game=...)``.

        Raises
        ------
        Unspecified
            If the constructor takes arguments without a name.
        """
        args, kwargs = self._made_with
        bound = inspect.signature(type(self)).bind(*args, **kwargs)
        kinds = {bound.signature.parameters[name].kind for name in bound.arguments}
        if not kinds <= {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}:
            raise Unspecified("its constructor takes arguments without a name")
        return type(self).__qualname__, dict(bound.arguments)

    def spec(self) -> dict[str, Any]:
        """Return a JSON-compatible description from which the game can be built again.

        Returns
        -------
        dict
            ``kind`` is "rules"; ``module`` is an importable module, or None if ``path`` has to be
            loaded as a file; ``digest`` is the SHA-256 of that file, absent for built-in games. If the
            game cannot be described, ``kind`` is "unspecified" and ``reason`` explains why.
        """
        cls = type(self)
        try:
            name, arguments = self.recipe()
            if "<locals>" in name:
                raise Unspecified("its class is defined inside a function")
            names = cls.__qualname__, f"{cls.__qualname__}.{cls.rebuilt_by}"
            if name not in names:
                raise Unspecified(f"its recipe names {name}, which is neither {' nor '.join(names)}")
            spec: dict[str, Any] = {"kind": "rules", "name": name}
            spec["arguments"] = {key: encoded(value) for key, value in arguments.items()}
            return spec | _origin(cls)
        except (Unspecified, TypeError, ValueError) as error:
            return {"kind": "unspecified", "name": cls.__qualname__, "reason": str(error)}


def encoded(value: Any) -> Any:
    """Return an argument in JSON form, a tuple as ``{"tuple": [...]}``. Raises Unspecified."""
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
    """Return the entries of a spec that locate a class."""
    module = cls.__module__
    if BUILT_IN.fullmatch(module):
        return {"module": module}
    try:
        path = Path(inspect.getfile(cls)).resolve(strict=True)
        digest = source_digest(read_source(path))
    except (TypeError, OSError):
        raise Unspecified("its class comes from no file") from None
    importable = module != "__main__" and PathFinder.find_spec(module.partition(".")[0]) is not None
    return {"module": module if importable else None, "path": str(path), "digest": digest}
