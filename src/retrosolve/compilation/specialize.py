"""Specialise kernels for one game: replace the placeholders of its functions, and compile.

A kernel is compiled together with the functions that it names, so each game has compiled kernels of
its own. They are shared by all solves in the process, and kept on disk, under a digest of everything
that they depend on: a change of the rules, of a constant they use or of a version makes another digest.
Values in ``data`` are arguments and change nothing; the named tuples that it is made of do. What calls
no function of a game has a digest of its own, and is shared by all games.
"""

from __future__ import annotations

import builtins
import functools
import os
import threading
from collections import OrderedDict
from collections.abc import Mapping
from types import CellType, FunctionType, MappingProxyType, ModuleType
from typing import Any

import numpy as np

from retrosolve.compilation import jit
from retrosolve.compilation.digest import attributes, library_name, names_of, structure
from retrosolve.compilation.unsigned import compile_bit_count

MODULE = "retrosolve.compilation.specialize"
# Called at many places: compiled once, not at each.
NOT_INLINED = ("successors", "predecessors", "moves_after", "outcomes")
MAX_SHARED = 32  # games; each takes about 1 MB

_lock = threading.RLock()
_shared: OrderedDict[str, _CompiledGame] = OrderedDict()
_common: dict[str, CompiledKernel] = {}  # what calls no function of a game, by digest


class SpecializedKernels:
    """Any kernels, specialised for a game when they are first called.

    A module may name in ``INLINED`` those of its functions to inline where they are called.

    Parameters
    ----------
    rules : mapping of str to callable
        The game's functions, by the placeholders that they replace.
    replacements : mapping of str to function, optional
        Kernels that replace others, by the names of these.
    data : tuple, optional
        What the game's functions are given.

    Attributes
    ----------
    rules : mapping of str to callable
        The game's functions as plain Python.
    """

    def __init__(
        self,
        rules: Mapping[str, Any],
        replacements: Mapping[str, Any] = MappingProxyType({}),
        data: object = (),
    ) -> None:
        self.rules = {name: getattr(f, "py_func", f) for name, f in rules.items()}
        self._replacements = dict(replacements)
        self._data = data
        self._compiles = True
        self._checks_bounds = False
        self._game: _CompiledGame | None = None
        self._plain: dict[Any, FunctionType] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return SpecializedKernels, (self.rules, self._replacements, self._data)

    def replacing(self, replacements: Mapping[str, Any]) -> SpecializedKernels:
        """Return kernels with more replacements, for the same functions of a game."""
        return SpecializedKernels(self.rules, self._replacements | dict(replacements), self._data)

    def interpreted(self) -> SpecializedKernels:
        """Return the same kernels as plain Python, whatever the work."""
        plain = self.replacing({})
        plain._plain, plain._compiles = self._plain, False
        return plain

    @functools.cached_property
    def checking_bounds(self) -> SpecializedKernels:
        """The same kernels, in which compiled rules raise IndexError as plain Python does.

        What is no position may lead rules to look anywhere.
        """
        checked = self.replacing({})
        checked._checks_bounds = True
        return checked

    def run(self, kernel: Any, work: int, *args: Any) -> Any:
        """Call a kernel, compiled when ``work`` (about: moves to make) is large."""
        return self.kernel(kernel, work)(*args)

    def compiles(self, work: int) -> bool:
        """Return whether so much work is done by compiled kernels."""
        return self._compiles and jit.pays(work) and (self._game is not None or not jit.is_off())

    def loaded(self) -> bool:
        """Return whether this process has kernels of this game, of which more may follow."""
        return self._game is not None or self._first_digest in _shared

    def kernel(self, kernel: Any, work: int) -> Any:
        """Return a kernel, compiled when ``work`` is large."""
        kernel = self._replacements.get(kernel.__name__, kernel)
        return self._compiled(kernel) if self.compiles(work) else self.bound(kernel)

    def bound(self, kernel: Any) -> FunctionType:
        """Return a kernel as plain Python that calls the functions of the game."""
        if kernel not in self._plain:
            names: dict[str, Any] = {"__name__": kernel.__module__, "__builtins__": builtins}
            for name, value in _callees(kernel, self._replacements).items():
                names[name] = self.bound(value) if _is_kernel(value) else value
            names |= {name: rule for name, rule in self.rules.items() if name in names}
            self._plain[kernel] = FunctionType(
                kernel.__code__, names, kernel.__name__, kernel.__defaults__
            )
        return self._plain[kernel]

    def digest(self) -> str | None:
        """Return a digest of the functions of the game; None if they cannot be hashed."""
        replaced = sorted((name, kernel.__name__) for name, kernel in self._replacements.items())
        options = ("bounds",) if self._checks_bounds else ()
        return jit.dependencies(self.rules, structure(self._data), tuple(replaced), *options)

    @functools.cached_property
    def _first_digest(self) -> str | None:
        """The digest when it was first asked for: a millisecond in chess, more than a look-up takes."""
        return self.digest()

    def _compiled(self, kernel: Any) -> Any:
        """Return a compiled kernel, shared by all games of the same digest."""
        if self._game is None:
            with _lock:
                digest = self.digest()
                game = None if digest is None else _shared.get(digest)
                if game is None:
                    game = _CompiledGame(self.rules, self._replacements, digest, self._checks_bounds)
                if digest is not None:
                    _shared[digest] = game
                    _shared.move_to_end(digest)
                    if len(_shared) > MAX_SHARED:
                        _shared.popitem(last=False)
                self._game = game
        return self._game.kernel(kernel).entry()


class _CompiledGame:
    """The compiled kernels of one game, and its compiled functions.

    Parameters
    ----------
    rules, replacements : mapping
        As in :class:`SpecializedKernels`.
    digest : str or None
        Of the functions of the game; None if its kernels are not kept on disk.
    bounds : bool
        Whether the functions of the game check that indices are inside their arrays.
    """

    def __init__(
        self, rules: Mapping[str, Any], replacements: Mapping[str, Any], digest: str | None,
        bounds: bool,
    ) -> None:  # fmt: skip
        jit.listen()
        self._digest = digest
        self._suffix = digest or os.urandom(16).hex()
        freezer = Freezer(self._suffix, bounds)
        self._rules = dict(rules)
        for name, rule in rules.items():
            if isinstance(rule, FunctionType):
                self._rules[name] = freezer.jitted(rule, name not in NOT_INLINED)
        self._replacements = replacements
        self._kernels: dict[Any, CompiledKernel] = {}

    def kernel(self, kernel: Any) -> CompiledKernel:
        """Return a kernel, to be compiled when it is first called."""
        if kernel not in self._kernels:
            with _lock:
                if kernel not in self._kernels:
                    self._kernels[kernel] = self._make(kernel)
        return self._kernels[kernel]

    def _make(self, kernel: Any) -> CompiledKernel:
        """Return a kernel whose names are compiled helpers, functions of the game and constants."""
        names = _callees(kernel, self._replacements)
        content = dict(names)  # what the code depends on, by name
        is_own = False
        for name, value in names.items():
            if name in self._rules:
                names[name], content[name] = self._rules[name], None
                is_own = True
            elif _is_kernel(value):
                helper = self.kernel(value)
                names[name], content[name] = helper.helper, helper.digest
                is_own |= helper.is_own
            elif isinstance(value, FunctionType):
                content[name] = _intrinsic_of(value)
                names[name] = _compiled_intrinsic(content[name])
        inlined = kernel.__name__ in kernel.__globals__.get("INLINED", ())
        digest = jit.dependencies({}, kernel.__code__, inlined, tuple(sorted(content.items())))
        assert digest is not None  # kernels name numbers, arrays and each other
        if is_own:
            return CompiledKernel(kernel, names, inlined, digest, (self._digest, self._suffix))
        if digest not in _common:
            _common[digest] = CompiledKernel(kernel, names, inlined, digest)
        return _common[digest]


class CompiledKernel:
    """A kernel to be compiled when it is first called.

    Parameters
    ----------
    kernel : function
    names : dict
        The values of its global names.
    inlined : bool
        Whether it is inlined where other kernels call it.
    digest : str
        What its code depends on, the functions of a game left out.
    game : tuple of str or None and str, optional
        The digest of the game whose functions it calls, None if it is not kept on disk, and an ending
        for its name. By default it calls none, and is shared by all games.
    """

    def __init__(
        self, kernel: Any, names: dict[str, Any], inlined: bool, digest: str,
        game: tuple[str | None, str] | None = None,
    ) -> None:  # fmt: skip
        self.digest = digest
        self.is_own = game is not None
        place, suffix = ("kernels", "") if game is None else (game[0] and f"games/{game[0]}", game[1])
        self._place = place
        self._stem = f"{kernel.__name__}-{digest}"
        self._function = with_globals(kernel, {"__name__": MODULE, **names}, f"{digest}{suffix}")
        self._entry: Any = None
        self.helper = self._kept(jit.helper(self._function, inlined), "-helper")
        """What other kernels call."""

    def entry(self) -> Any:
        """Return the compiled function that Python calls."""
        if self._entry is None:
            with _lock:
                if self._entry is None:
                    self._entry = self._kept(jit.entry(self._function), "")
        return self._entry

    def _kept(self, made: Any, ending: str) -> Any:
        """Return a dispatcher, with what it compiles kept on disk."""
        if self._place is not None:
            jit.keep(made, self._place, self._stem + ending)
        return made


def _intrinsic_of(plain: FunctionType) -> Any:
    """Return the function beside one that is no Python to compile, which makes its compiled form."""
    return plain.__globals__.get(f"compiled_{plain.__name__}")


@functools.cache
def _compiled_intrinsic(make: Any) -> Any:
    """Return the compiled form of an intrinsic, made once."""
    return make()


def _callees(kernel: Any, replacements: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the global names of a kernel, some of them replaced."""
    found = kernel.__globals__
    names = [name for name in kernel.__code__.co_names if name in found]
    return {name: replacements.get(name, found[name]) for name in names}


def _is_kernel(value: Any) -> bool:
    """Return whether a value is a function to specialise."""
    return isinstance(value, FunctionType) and _intrinsic_of(value) is None


# -- copies of functions that name what there is now, to be compiled later ---------------------------
#
# numba reads the globals of a function when it compiles it for some types of arguments, perhaps long
# after its digest was taken; and a dispatcher of the author's holds what it was compiled with before.
# So what a function names is copied with it: helpers become dispatchers of their own, modules become
# modules of the attributes that are named, arrays are copied.


def with_globals(
    function: FunctionType, names: dict[str, Any], suffix: str, cells: tuple[CellType, ...] = ()
) -> FunctionType:
    """Return the same function, looking up its global names elsewhere; ``cells`` are its closure.

    ``suffix`` goes with its name: functions of different games are then called differently in machine
    code, also where that was compiled in different processes.
    """
    again = FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, cells or None
    )
    # numba imports the module by its name when it loads what it kept; the author's may be called
    # otherwise by then, or be none.
    again.__qualname__, again.__module__ = f"{function.__qualname__}_{suffix}", MODULE
    again.__doc__, again.__kwdefaults__ = function.__doc__, function.__kwdefaults__
    return again


class Freezer:
    """Copies functions that belong together; ``suffix`` goes with their names."""

    def __init__(self, suffix: str, bounds: bool = False) -> None:
        compile_bit_count()
        self.suffix = suffix
        self.bounds = bounds
        self._met: dict[Any, Any] = {}

    def jitted(self, function: FunctionType, inline: bool = True) -> Any:
        """Return a dispatcher of a function of the author's, and of those that it calls.

        Inlined it is spared the counting of references to the arrays that it looks into.
        """
        if id(function) in self._met:
            return self._met[id(function)]
        names: dict[str, Any] = {"__name__": MODULE}
        wanted = names_of(function)
        cells = []
        for cell in function.__closure__ or ():
            value = getattr(cell.cell_contents, "py_func", cell.cell_contents)
            if isinstance(value, FunctionType):
                raise TypeError(f"{function.__qualname__} calls {value.__qualname__}, a local function")
            cells.append(CellType(self.value(cell.cell_contents, wanted)))
        again = with_globals(function, names, self.suffix, tuple(cells))
        self._met[id(function)] = made = jit.helper(again, inline, self.bounds)
        for name in wanted & function.__globals__.keys():
            names[name] = self.value(function.__globals__[name], wanted)
        return made

    def value(self, value: Any, names: frozenset[str]) -> Any:
        """Return a copy of a value that a function names; ``names`` are all that it names."""
        if library_name(value) is not None:
            return value
        function = getattr(value, "py_func", value)
        if isinstance(function, FunctionType):
            return self.jitted(function)
        if isinstance(value, ModuleType):
            return self._module(value, names)
        if type(value) is tuple:
            return tuple(self.value(item, names) for item in value)
        if isinstance(value, np.ndarray) and not value.dtype.hasobject:
            copy = value.copy(order="K")
            copy.flags.writeable = False
            return copy
        if type(value).__name__ == "DUFunc":
            return self._ufunc(value)
        return value

    def _module(self, module: ModuleType, names: frozenset[str]) -> ModuleType:
        key = id(module), names
        if key not in self._met:
            self._met[key] = copy = ModuleType(module.__name__)
            for name, attribute in attributes(module, names).items():
                setattr(copy, name, self.value(attribute, names))
        found: ModuleType = self._met[key]
        return found

    def _ufunc(self, ufunc: Any) -> Any:
        import numba

        if id(ufunc) not in self._met:
            function = ufunc._dispatcher.py_func
            wanted = names_of(function)
            globals_ = function.__globals__
            names = {name: self.value(globals_[name], wanted) for name in wanted & globals_.keys()}
            options = {**ufunc.targetoptions, "identity": ufunc.identity}
            given = list(ufunc._dispatcher.overloads) if ufunc._frozen else []
            make: Any = numba.vectorize
            again = with_globals(function, {"__name__": MODULE, **names}, self.suffix)
            self._met[id(ufunc)] = make(given, **options)(again)
        return self._met[id(ufunc)]
