"""Which functions need their references to arrays counted: those that make arrays or other objects.

A function that only looks into the arrays it is given, and returns numbers, borrows them from who calls
it. numba counts references all the same, twice for each array and call. What a function may make is
read from its code, so that whatever is not known to be harmless is counted.
"""

from __future__ import annotations

import builtins
import dis
from types import FunctionType
from typing import Any

import numpy as np

HARMLESS_BUILTINS = frozenset({"range", "min", "max", "abs", "int", "len", "bool"})
HARMLESS_ATTRIBUTES = frozenset(
    {"bit_count", "shape", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"}
)
MAKING = ("BUILD_LIST", "BUILD_MAP", "BUILD_SET", "BUILD_STRING", "BUILD_SLICE", "BINARY_SLICE")


def makes_objects(function: Any, met: frozenset[Any] = frozenset()) -> bool:
    """Return whether a function, or one that it calls, may make an array or another object.

    Parameters
    ----------
    function : FunctionType
    met : frozenset
        Functions that are being looked at.

    Examples
    --------
    >>> makes_objects(lambda row, data: data[row, 0] + len(data))
    False
    >>> makes_objects(lambda row, data: np.sort(data[row])[0])
    True
    """
    code = function.__code__
    if function.__closure__ or any(i.opname.startswith(MAKING) for i in dis.get_instructions(code)):
        return True
    for name in code.co_names:
        value = function.__globals__.get(name, vars(builtins).get(name))
        value = getattr(value, "py_func", value)
        if isinstance(value, FunctionType):
            if value not in met and makes_objects(value, met | {function}):
                return True
        elif name in function.__globals__:
            if value is not np and not isinstance(value, int | float | np.number):
                return True
        elif name not in HARMLESS_BUILTINS | HARMLESS_ATTRIBUTES:
            return True
    return False
