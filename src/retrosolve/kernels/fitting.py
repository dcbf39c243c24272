"""Fit pattern kernels to one game: bind the names that stand for its functions, and compile.

numba compiles a kernel together with the functions that it names, but keeps the outcome by the kernel's
own code, which is the same for all games. So each game gets a folder of its own, named after everything
that its compiled kernels depend on: a change of the rules, of a constant they use or of a version makes
another folder. Values in ``data`` are arguments and change nothing.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any

import numpy as np

from retrosolve.kernels import jit
from retrosolve.kernels.atomic import compiled_subtract_one, subtract_one

LARGE = ("successors", "predecessors")  # called at many places: compiled once, not at each


class Fitted:
    """The kernels of some pattern modules, fitted to a game's functions ``bound`` to their names.

    ``standing_in`` names kernels of the patterns that others are replaced by. A pattern may name in
    ``INLINED`` those that are to be inlined where they are called.
    """

    def __init__(
        self,
        patterns: Sequence[ModuleType],
        bound: Mapping[str, Any],
        standing_in: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._bound = {name: getattr(f, "py_func", f) for name, f in bound.items()}
        self._names: dict[str, Any] = {}
        self._inlined: set[str] = set()
        for pattern in patterns:
            self._names |= vars(pattern)
            self._inlined.update(getattr(pattern, "INLINED", ()))
        self._names |= {name: self._names[other] for name, other in standing_in.items()}
        self._plain = dict(self._names) | self._bound
        for name, kernel in self._names.items():
            if isinstance(kernel, FunctionType) and name not in self._bound:
                self._plain[name] = _with_globals(kernel, self._plain)
        self._plain["subtract_one"] = subtract_one

    def run(self, name: str, work: int, *args: Any) -> Any:
        """Call a kernel, compiled when ``work`` (about: moves to make) is large."""
        return self.kernel(name, work)(*args)

    def interpreted(self) -> Interpreted:
        """Return the same kernels as plain Python."""
        return Interpreted(self._plain)

    def compiles(self, work: int) -> bool:
        """Tell whether so much work is done by compiled kernels."""
        return jit.pays(work)

    def kernel(self, name: str, work: int) -> Any:
        """Give a kernel, compiled when ``work`` is large."""
        return self._compiled[name] if self.compiles(work) else self._plain[name]

    @functools.cached_property
    def digest(self) -> str:
        """What the compiled kernels depend on, in short."""
        import numba

        versions = (sys.version, numba.__version__, np.__version__)
        found = hashlib.sha256(repr(versions).encode())
        for name in sorted(self._plain):
            value = self._plain[name]
            if isinstance(value, FunctionType):
                found.update(name.encode())
                _describe(value, found, {id(subtract_one)})  # ours, and it names a lock
        return found.hexdigest()[:32]

    @functools.cached_property
    def _compiled(self) -> dict[str, Any]:
        import numba

        names = dict(self._names)
        memo: dict[int, Any] = {}
        for name, function in self._bound.items():
            if isinstance(function, FunctionType):
                names[name] = _jitted(function, memo, name not in LARGE)
            else:
                names[name] = function
        names["subtract_one"] = subtract_one if _is_off() else compiled_subtract_one()
        folder = _folder(self.digest)
        settings: Any = numba.config
        kept = settings.CACHE_DIR
        try:
            if folder is not None:
                settings.CACHE_DIR = str(folder)
            for name, kernel in self._names.items():
                if isinstance(kernel, FunctionType) and names[name] is kernel:
                    inline = name in self._inlined
                    wrap = numba.njit(nogil=True, forceinline=inline, cache=folder is not None)
                    names[name] = wrap(_with_globals(kernel, names))
        finally:
            settings.CACHE_DIR = kept
        return names


class Interpreted:
    """The kernels of a game as the plain Python that they also are."""

    def __init__(self, kernels: Mapping[str, Any]) -> None:
        self._kernels = kernels

    def run(self, name: str, work: int, *args: Any) -> Any:
        """Call a kernel."""
        return self._kernels[name](*args)


def _is_off() -> bool:
    import numba

    settings: Any = numba.config
    return bool(settings.DISABLE_JIT)


def _with_globals(function: FunctionType, names: dict[str, Any]) -> FunctionType:
    """Give the same function, looking up its global names elsewhere."""
    code, default, cells = function.__code__, function.__defaults__, function.__closure__
    again = FunctionType(code, names, function.__name__, default, cells)
    # numba imports the module by its name when it loads what it kept; the author's may be called
    # otherwise by then, or be none.
    again.__qualname__, again.__module__ = function.__qualname__, __name__
    again.__doc__ = function.__doc__
    return again


def _jitted(function: FunctionType, memo: dict[int, Any], inline: bool = True) -> Any:
    """Compile a function of the author's together with the functions that it calls.

    Inlined it is spared the counting of references to the arrays that it looks into.
    """
    import numba

    if id(function) in memo:
        return memo[id(function)]
    names = dict(function.__globals__)
    again = _with_globals(function, names)
    memo[id(function)] = dispatcher = numba.njit(nogil=True, forceinline=inline)(again)
    for name in _named(function.__code__):
        value = getattr(names.get(name), "py_func", names.get(name))
        if isinstance(value, FunctionType):
            names[name] = _jitted(value, memo)
    for cell in again.__closure__ or ():
        value = getattr(cell.cell_contents, "py_func", cell.cell_contents)
        if isinstance(value, FunctionType):
            raise TypeError(f"{function.__qualname__} calls {value.__qualname__}, a local function")
    return dispatcher


def _named(code: CodeType) -> set[str]:
    """Give the global names that a function uses, those of functions within it included."""
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*(_named(c) for c in inner))


def _describe(value: Any, found: Any, met: set[int]) -> None:
    """Add to a hash what a compiled function would hold of a value that it names."""
    value = getattr(value, "py_func", value)
    if id(value) in met:
        return
    if isinstance(value, FunctionType):
        met.add(id(value))
        _describe_code(value.__code__, found)
        for cell in value.__closure__ or ():
            _describe(cell.cell_contents, found, met)
        for name in sorted(_named(value.__code__)):
            if name in value.__globals__:
                found.update(name.encode())
                _describe(value.__globals__[name], found, met)
    elif isinstance(value, np.ndarray):
        found.update(f"{value.dtype}{value.shape}".encode() + value.tobytes())
    elif isinstance(value, tuple | list):
        found.update(str(len(value)).encode())
        for item in value:
            _describe(item, found, met)
    elif isinstance(value, ModuleType | type):
        found.update(value.__name__.encode())
    else:
        found.update(repr(value).encode())


def _describe_code(code: CodeType, found: Any) -> None:
    found.update(code.co_code + repr((code.co_names, code.co_varnames)).encode())
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            _describe_code(constant, found)
        else:
            found.update(repr(constant).encode())


def _folder(digest: str) -> Path | None:
    """Give the folder for the compiled kernels of a game; None where nothing can be kept."""
    import numba
    from platformdirs import user_cache_path

    settings: Any = numba.config
    above = settings.CACHE_DIR
    folder = (Path(above) if above else user_cache_path("retrosolve")) / "games" / digest
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None
