"""Import on first use, so that nobody pays for modules that are not needed.

A *location* is the text ``"package.module"`` or ``"package.module:attribute"``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def load(location: str) -> Any:
    """Import what a location names.

    Parameters
    ----------
    location : str
        ``"package.module"`` or ``"package.module:attribute"``.

    Returns
    -------
    object
        The module or its attribute.

    Examples
    --------
    >>> load("math:comb")(5, 2)
    10
    """
    module, _, attribute = location.partition(":")
    imported = import_module(module)
    return getattr(imported, attribute) if attribute else imported


def deferred(location: str) -> Callable[..., Any]:
    """Return a function that imports the one at a location when it is first called.

    Parameters
    ----------
    location : str
        ``"package.module:function"``.

    Examples
    --------
    >>> deferred("math:comb")(5, 2)
    10
    """

    function: Callable[..., Any] | None = None

    def call(*args: Any, **options: Any) -> Any:
        nonlocal function
        if function is None:
            function = load(location)
        return function(*args, **options)

    return call


def lazy_attributes(
    package: str, locations: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package that imports its names on first use.

    Parameters
    ----------
    package : str
        Name of the package, its ``__name__``.
    locations : mapping of str to str
        Location of each public name.

    Returns
    -------
    tuple of two functions
        To be bound to ``__getattr__`` and ``__dir__`` of the package (PEP 562). A name is looked
        up once and then is an ordinary attribute.
    """

    def get_attribute(name: str) -> Any:
        if name not in locations:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = load(locations[name])
        setattr(sys.modules[package], name, found)
        return found

    def list_attributes() -> list[str]:
        return sorted({*vars(sys.modules[package]), *locations})

    return get_attribute, list_attributes
