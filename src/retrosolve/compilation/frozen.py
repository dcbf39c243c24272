"""Copies of functions that name what there is now, to be compiled later.

numba reads the globals of a function when it compiles it for some types of arguments, perhaps long
after its digest was taken; and a dispatcher of the author's holds what it was compiled with before. So
what a function names is copied with it: helpers become dispatchers of their own, modules become
modules of the attributes that are named, arrays are copied.
"""

from __future__ import annotations

from functools import cache
from types import CellType, FunctionType, ModuleType
from typing import Any

import numpy as np

from retrosolve.compilation import jit
from retrosolve.compilation.digest import attributes, library_name, names_of

MODULE = "retrosolve.compilation.specialize"


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


@cache
def compile_bit_count() -> None:
    """Have numba compile ``int.bit_count``, to one instruction.

    Of a negative number Python counts the bits of its absolute value. A change of this is one of
    ``digest.BIT_COUNT`` too.
    """
    from numba.core import types
    from numba.extending import intrinsic, overload_method

    def typed_bits(context: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            counted = builder.ctpop(arguments[0])
            return context.cast(builder, counted, types.uint64, types.int64)

        return types.int64(types.uint64), generate

    bits_of: Any = intrinsic(typed_bits)

    def signed(bits: Any) -> Any:
        return bits_of(abs(np.int64(bits)))  # of -2^63 that is itself, and has one bit

    def unsigned(bits: Any) -> Any:
        return bits_of(bits)

    @overload_method(types.Integer, "bit_count")
    def typed(bits: Any) -> Any:
        return signed if bits.signed else unsigned


class Freezer:
    """Copies functions that belong together; ``suffix`` goes with their names."""

    def __init__(self, suffix: str) -> None:
        compile_bit_count()
        self.suffix = suffix
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
        self._met[id(function)] = made = jit.helper(again, inline)
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
