"""Specialise kernels for one game: replace the placeholders of its functions, and compile.

A kernel is compiled together with the functions that it names, so each game has compiled kernels of
its own. They are shared by all solves in the process, and kept on disk, under a digest of everything
that they depend on: a change of the rules, of a constant they use or of a version makes another digest.
Values in ``data`` are arguments and change nothing; the named tuples that it is made of do. What calls
no function of a game has a digest of its own, and is shared by all games.
"""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any

from retrosolve.compilation import jit, watch
from retrosolve.kernels import words
from retrosolve.kernels.atomic import compiled_exchange, compiled_prefetch, exchange, prefetch
from retrosolve.kernels.borrowed import borrowed, compiled_borrowed

NOT_INLINED = ("successors", "predecessors")  # called at many places: compiled once, not at each
# What is no Python to compile: as plain Python, and what makes the compiled one.
INTRINSICS = {
    "borrowed": (borrowed, compiled_borrowed),
    "exchange": (exchange, compiled_exchange),
    "prefetch": (prefetch, compiled_prefetch),
}
MAX_SHARED = 32  # games; each takes about 1 MB

_lock = threading.RLock()
_shared: OrderedDict[str, dict[str, CompiledKernel]] = OrderedDict()
_common: dict[str, CompiledKernel] = {}  # what calls no function of a game, by digest


class SpecializedKernels:
    """The kernels of some modules, specialised for a game.

    Parameters
    ----------
    modules : sequence of modules
        Their functions are the kernels. A module may name in ``INLINED`` those to inline where they are
        called. The functions of ``kernels.words`` are always among them.
    rules : mapping of str to callable
        The game's functions, by the placeholders that they replace.
    overrides : mapping of str to str, optional
        Names of kernels, and the names of those that replace them.
    data : tuple, optional
        What the game's functions are given.

    Attributes
    ----------
    rules : mapping of str to callable
        The game's functions as plain Python.
    """

    def __init__(
        self,
        modules: Sequence[ModuleType],
        rules: Mapping[str, Any],
        overrides: Mapping[str, str] = MappingProxyType({}),
        data: Any = (),
    ) -> None:
        self.rules = {name: getattr(f, "py_func", f) for name, f in rules.items()}
        self._data = data
        self._made = tuple(modules), dict(overrides)
        self._found: dict[str, CompiledKernel] | None = None
        self._names: dict[str, Any] = {}
        self._inlined: set[str] = set()
        for module in (words, *modules):
            self._names |= vars(module)
            self._inlined.update(getattr(module, "INLINED", ()))
        self._names |= {name: self._names[other] for name, other in overrides.items()}
        self._plain = dict(self._names) | self.rules
        for name, kernel in self._names.items():
            if isinstance(kernel, FunctionType) and name not in self.rules:
                self._plain[name] = FunctionType(
                    kernel.__code__, self._plain, name, kernel.__defaults__, kernel.__closure__
                )
        self._plain |= {name: plain for name, (plain, _) in INTRINSICS.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        modules, overrides = self._made
        return SpecializedKernels, (modules, self.rules, overrides, self._data)

    def overriding(
        self, modules: Sequence[ModuleType], overrides: Mapping[str, str]
    ) -> SpecializedKernels:
        """Return the kernels with more modules and overrides, for the same functions."""
        made, before = self._made
        return SpecializedKernels((*made, *modules), self.rules, before | dict(overrides), self._data)

    def run(self, name: str, work: int, *args: Any) -> Any:
        """Call a kernel, compiled when ``work`` (about: moves to make) is large."""
        return self.kernel(name, work)(*args)

    def interpreted(self) -> InterpretedKernels:
        """Return the same kernels as plain Python."""
        return InterpretedKernels(self._plain, self.rules)

    def compiles(self, work: int) -> bool:
        """Return whether so much work is done by compiled kernels."""
        return jit.pays(work) and (self._found is not None or not jit.is_off())

    def loaded(self) -> bool:
        """Return whether this process has kernels of this game, of which more may follow."""
        return self._found is not None or self.digest() in _shared

    def kernel(self, name: str, work: int) -> Any:
        """Return a kernel, compiled when ``work`` is large."""
        if not self.compiles(work):
            return self._plain[name]
        return self._compiled()[name].kernel()

    def digest(self) -> str | None:
        """Return what the compiled kernels depend on, in short; None if there is no telling."""
        from retrosolve.compilation.digest import structure

        functions: dict[str, Any] = {
            name: value for name, value in self._plain.items() if isinstance(value, FunctionType)
        }
        functions |= {name: compiled for name, (_, compiled) in INTRINSICS.items()}
        inlined = tuple(sorted(self._inlined))
        return jit.dependencies(functions, structure(self._data), inlined, skip=exchange)

    def _compiled(self) -> dict[str, CompiledKernel]:
        """Return the compiled kernels by name, shared by all of the same digest."""
        if self._found is None:
            with _lock:
                digest = self.digest()
                found = None if digest is None else _shared.get(digest)
                if found is None:
                    found = self._make(digest)
                if digest is not None:
                    _shared[digest] = found
                    _shared.move_to_end(digest)
                    if len(_shared) > MAX_SHARED:
                        _shared.popitem(last=False)
                self._found = found
        return self._found

    def _make(self, digest: str | None) -> dict[str, CompiledKernel]:
        """Return all kernels, to be compiled when they are first called."""
        from retrosolve.compilation.frozen import Freezer, with_globals

        watch.listen()
        suffix = digest or uuid.uuid4().hex
        freezer = Freezer(suffix)
        names = dict(self._names)
        for name, function in self.rules.items():
            if isinstance(function, FunctionType):
                names[name] = freezer.jitted(function, name not in NOT_INLINED)
            else:
                names[name] = function
        names |= {name: compiled() for name, (_, compiled) in INTRINSICS.items()}
        own = self._own()
        found: dict[str, CompiledKernel] = {}
        for name, kernel in self._names.items():
            if isinstance(kernel, FunctionType) and names[name] is kernel:
                if name in own:
                    place = None if digest is None else (f"games/{digest}", name)
                    again = with_globals(kernel, names, suffix)
                    found[name] = CompiledKernel(again, name in self._inlined, place)
                else:
                    found[name] = self._common(name)
                names[name] = found[name].helper
        return found

    def _common(self, name: str) -> CompiledKernel:
        """Return a kernel that calls no function of the game, shared by all games."""
        from retrosolve.compilation.digest import named
        from retrosolve.compilation.frozen import with_globals

        digest = jit.dependencies({name: self._plain[name]}, tuple(sorted(self._inlined)))
        assert digest is not None  # such kernels name numbers, arrays and each other
        if digest not in _common:
            kernel = self._names[name]
            names = {other: self._names[other] for other in named(kernel.__code__) & self._names.keys()}
            for other, value in names.items():
                if isinstance(value, FunctionType):
                    names[other] = self._common(other).helper
            again = with_globals(kernel, names, digest)
            place = "kernels", f"{name}-{digest}"
            _common[digest] = CompiledKernel(again, name in self._inlined, place)
        return _common[digest]

    def _own(self) -> set[str]:
        """Return the names of the kernels that call a function of the game, and of these functions."""
        from retrosolve.compilation.digest import named

        callees = {
            name: named(kernel.__code__)
            for name, kernel in self._names.items()
            if isinstance(kernel, FunctionType)
        }
        found = {*INTRINSICS, *self.rules}
        while more := {name for name in callees.keys() - found if callees[name] & found}:
            found |= more
        return found


class CompiledKernel:
    """A kernel to be compiled when it is first called.

    Parameters
    ----------
    function : FunctionType
        The kernel, naming what it is compiled with.
    inlined : bool
        Whether it is inlined where other kernels call it.
    place : tuple of two str, optional
        The part of the cache, and what the names of its files there begin with. By default it is not
        kept.
    """

    def __init__(self, function: FunctionType, inlined: bool, place: tuple[str, str] | None) -> None:
        self._function = function
        self._place = place
        self._kernel: Any = None
        self.helper = self._kept(jit.helper(function, inlined), "-helper")
        """What other kernels call."""

    def kernel(self) -> Any:
        """Return what Python calls."""
        if self._kernel is None:
            with _lock:
                if self._kernel is None:
                    self._kernel = self._kept(jit.entry(self._function), "")
        return self._kernel

    def _kept(self, made: Any, ending: str) -> Any:
        if self._place is not None:
            part, stem = self._place
            jit.keep(made, part, stem + ending)
        return made


class InterpretedKernels:
    """The kernels of a game as the plain Python that they also are."""

    def __init__(self, kernels: Mapping[str, Any], rules: Mapping[str, Any]) -> None:
        self._kernels = kernels
        self.rules = rules

    def run(self, name: str, work: int, *args: Any) -> Any:
        """Call a kernel."""
        return self._kernels[name](*args)
