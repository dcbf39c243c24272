"""Run a kernel compiled by numba, or as the plain Python that it also is.

A kernel is a plain function over arrays and integers. Compiling pays only from a certain amount of
work on: importing numba and loading a cached kernel costs a few tenths of a second, in which plain
Python handles some hundred thousand edges. So ``run`` takes an estimate of the work and decides.
Numba is imported on first need, never at import.
"""

from __future__ import annotations

import functools
import sys
from typing import Any

import numpy as np

COMPILE_FROM = 300_000
COMPILE_AGAIN_FROM = 10_000  # once numba is there


@functools.cache
def compiled(kernel: Any) -> Any:
    """Give the numba version of a kernel: cached on disk, releasing the interpreter lock."""
    import numba

    return numba.njit(cache=True, nogil=True)(kernel)


def loaded() -> bool:
    """Tell whether numba has been imported, by whomever."""
    return "numba" in sys.modules


def pays(work: int) -> bool:
    """Tell whether so much work (about: vertices and edges to visit) is worth compiling for.

    The answer may change what a solve costs, never what it finds.
    """
    return work >= (min(COMPILE_FROM, COMPILE_AGAIN_FROM) if loaded() else COMPILE_FROM)


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
