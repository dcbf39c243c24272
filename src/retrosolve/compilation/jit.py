"""Run a kernel compiled by numba, or as the plain Python that it also is.

A kernel is a plain function over arrays and integers. Compiling pays only from a certain amount of
work on: importing numba and loading a cached kernel costs a few tenths of a second, in which plain
Python handles some hundred thousand edges. So ``run`` takes an estimate of the work and decides.
Numba is imported on first need, never at import.
"""

from __future__ import annotations

import functools
import logging
import sys
import threading
from types import FunctionType
from typing import Any

import numpy as np

from retrosolve.compilation.unsigned import compile_bit_count
from retrosolve.runtime import memory, tuning
from retrosolve.runtime.context import compiling

# Python calls kernels, and kernels call helpers. Compiling takes a quarter less without the wrappers of
# numba that these do not need.
KERNEL: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True}
COMPILER_BYTES = 320_000_000  # of address space, for numba and the libraries that it loads
HELPER: dict[str, Any] = {**KERNEL, "no_cpython_wrapper": True}

_log = logging.getLogger(__name__)
_lock = threading.Lock()
_compiled: dict[Any, Any] = {}


def compiled(kernel: Any) -> Any:
    """Return the numba version of a kernel: kept on disk, releasing the interpreter lock."""
    found = _compiled.get(kernel)
    if found is None:
        with _lock:
            if kernel not in _compiled:
                _compiled[kernel] = _dispatcher(kernel)
            found = _compiled[kernel]
    return found


def _dispatcher(kernel: Any) -> Any:
    listen()
    compile_bit_count()
    if is_off():
        return entry(kernel)
    made = entry(_with_helpers(kernel))
    digest = dependencies({kernel.__name__: kernel})
    if digest is not None:
        keep(made, "kernels", f"{kernel.__name__}-{digest}")
    return made


def _with_helpers(kernel: FunctionType) -> FunctionType:
    """Return a kernel that inlines the functions it calls, such as those of ``csr.open_moves``."""
    from retrosolve.compilation.digest import described

    names = kernel.__globals__
    helpers = {
        name: helper(_with_helpers(names[name]), inline=True)
        for name in described(kernel.__code__).names
        if isinstance(names.get(name), FunctionType)
    }
    return FunctionType(kernel.__code__, names | helpers, kernel.__name__, kernel.__defaults__)


def compiler() -> Any:
    """Return numba.

    Raises MemoryBudgetError where the address space is too short for it: not every library that it
    loads says so, and OpenBLAS waits for ever.
    """
    if not loaded():
        memory.require_address_space(COMPILER_BYTES, "the compiler, numba,")
    import numba

    return numba


def entry(function: Any) -> Any:
    """Return the numba version of what Python calls."""
    return compiler().njit(**KERNEL)(function)


def helper(function: Any, inline: bool, bounds: bool = False) -> Any:
    """Return the numba version of what only compiled functions call.

    With ``bounds`` it raises IndexError where an index is outside an array, as Python does.
    numba would compile a function anew for each constant that it is called with. A constant is taken as
    a number like any other, unless the function does not compile for that, as where it is the index of
    a tuple of different types.
    """
    made: Any = compiler().njit(**HELPER, forceinline=inline, boundscheck=bounds or None)(function)
    if is_off():
        return made
    from numba.core import errors, types

    exact = made.get_call_template
    unliteral: Any = types.unliteral

    def get_call_template(args: Any, kws: Any) -> Any:
        plain = tuple(map(unliteral, args)), {name: unliteral(kws[name]) for name in kws}
        if plain != (args, kws):
            try:
                return exact(*plain)
            except errors.TypingError:
                _log.debug("%s takes constants", function.__name__)
        return exact(args, kws)

    made.get_call_template = get_call_template
    return made


def keep(dispatcher: Any, part: str, stem: str) -> None:
    """Keep what a dispatcher compiles in ``part`` of the cache, in files that begin with ``stem``.

    Each dispatcher has a cache object of its own; no setting of numba's is changed.
    """
    from retrosolve.compilation.cache import KernelCache

    dispatcher._cache = KernelCache(part, stem)


def dependencies(functions: dict[str, Any], *more: Any) -> str | None:
    """Return a digest of what compiled functions depend on; None if there is no telling.

    That is numba, numpy and Python by their versions, the settings that change what numba makes, the
    functions by content, and ``more``.
    """
    numba = compiler()
    import llvmlite

    from retrosolve.compilation.digest import Digest, Unhashable

    settings: Any = numba.config
    versions = sys.version, numba.__version__, llvmlite.__version__, np.__version__
    options = str((settings.BOUNDSCHECK, settings.DEBUGINFO_DEFAULT, settings.OPT))
    found = Digest()
    try:
        found.add((*versions, options, *more))
        for name in sorted(functions):
            found.add(name)
            found.add(functions[name])
    except (Unhashable, RecursionError) as error:
        _log.debug("%s cannot be kept: %s", ", ".join(functions), error)
        return None
    return found.hexdigest()[:32]


def is_off() -> bool:
    """Return whether numba's compiler is switched off."""
    return bool(compiler().config.DISABLE_JIT)


def loaded() -> bool:
    """Return whether numba has been imported, by whomever."""
    return "numba" in sys.modules


def pays(work: int) -> bool:
    """Return whether so much work (about: vertices and edges to visit) is worth compiling for.

    The answer may change what a solve costs, never what it finds.
    """
    tuned = tuning.current()
    least = tuned.compile_from
    return work >= (min(least, tuned.compile_again_from) if loaded() else least)


def beats_numpy(work: int) -> bool:
    """Return whether so much work (elements) is worth a kernel where NumPy does the same in passes."""
    return loaded() and work >= tuning.current().compile_beside_numpy_from and not is_off()


def chosen(kernel: Any, work: int) -> Any:
    """Return a kernel for so much work: compiled where that pays, otherwise the plain function."""
    return compiled(kernel) if pays(work) else kernel


def run(kernel: Any, work: int, *args: Any) -> Any:
    """Call ``kernel(*args)``, compiled when ``work`` (about: edges to visit) is large.

    In plain Python, lists are several times faster than arrays to read item by item, so the arrays
    are handed over as lists and what changed is written back.
    """
    if pays(work):
        return compiled(kernel)(*args)
    lists = [arg.tolist() if isinstance(arg, np.ndarray) else arg for arg in args]
    result = kernel(*lists)
    for arg, changed in zip(args, lists, strict=True):
        if isinstance(arg, np.ndarray) and arg.flags.writeable:
            arg[:] = changed
    return result


@functools.cache
def listen() -> None:
    """Listen to what numba compiles, from the first call on."""
    compiler()
    from numba.core import event as numba_events

    events: Any = numba_events  # without types

    class Listener(events.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            if (watch := compiling.get()) is not None:
                watch.started()

        def on_end(self, event: Any) -> None:
            if (watch := compiling.get()) is not None:
                watch.ended()

    events.register("numba:compile", Listener())
