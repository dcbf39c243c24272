"""Counters that several threads may change at once.

numba has no such thing for processors, but lets one write down the instruction: a subtraction that no
other thread can come between, of LLVM. Uncompiled, a lock does it.
"""

import threading
from typing import Any

_one_at_a_time = threading.Lock()


def subtract_one(array: Any, index: int) -> int:
    """Take 1 from ``array[index]`` and return what was there before."""
    with _one_at_a_time:
        before = int(array[index])
        array[index] = before - 1
    return before


def compiled_subtract_one() -> Any:
    """Return the same, compiled, for one-dimensional arrays of integers and indices from 0 on."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def subtract(typing: Any, array: Any, index: Any) -> Any:
        if not (isinstance(array, types.Array) and array.ndim == 1):
            return None

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind = signature.args[0]
            place = context.cast(builder, arguments[1], signature.args[1], types.intp)
            data = context.make_array(kind)(context, builder, arguments[0])
            pointer = cgutils.get_item_pointer(
                context, builder, kind, data, [place], wraparound=False, boundscheck=False
            )
            one = ir.Constant(context.get_data_type(kind.dtype), 1)
            return builder.atomic_rmw("sub", pointer, one, "monotonic")

        return array.dtype(array, index), generate

    return subtract
