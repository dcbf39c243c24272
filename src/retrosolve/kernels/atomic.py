"""Numbers that several threads may change at once.

numba has no such thing for processors, but lets one write down the instruction: a compare-and-exchange
that no other thread can come between, of LLVM. Uncompiled, a lock does it.
"""

import threading
from typing import Any

_one_at_a_time = threading.Lock()


def exchange(array: Any, index: int, expected: int, new: int) -> int:
    """Set ``array[index]`` to ``new`` if it is ``expected``; return what was there before."""
    with _one_at_a_time:
        before = int(array[index])
        if before == expected:
            array[index] = new
    return before


def compiled_exchange() -> Any:
    """Return the same, compiled, for one-dimensional arrays of integers and indices from 0 on."""
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def compare_and_exchange(typing: Any, array: Any, index: Any, expected: Any, new: Any) -> Any:
        if not (isinstance(array, types.Array) and array.ndim == 1):
            return None

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind = signature.args[0]
            place = context.cast(builder, arguments[1], signature.args[1], types.intp)
            data = context.make_array(kind)(context, builder, arguments[0])
            pointer = cgutils.get_item_pointer(
                context, builder, kind, data, [place], wraparound=False, boundscheck=False
            )
            before, after = (
                context.cast(builder, arguments[k], signature.args[k], kind.dtype) for k in (2, 3)
            )
            pair = builder.cmpxchg(pointer, before, after, "monotonic", "monotonic")
            return builder.extract_value(pair, 0)

        return array.dtype(array, index, expected, new), generate

    return compare_and_exchange
