"""Instructions that numba has no function for: numbers that several threads may change, prefetching.

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


def prefetch(array: Any, index: int) -> None:
    """Do nothing; compiled, ask for the line of the cache that ``array[index]`` is in."""


def compiled_prefetch() -> Any:
    """Return the same, compiled, for one-dimensional arrays and indices from 0 on."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def fetch(typing: Any, array: Any, index: Any) -> Any:
        if not (isinstance(array, types.Array) and array.ndim == 1):
            return None

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind = signature.args[0]
            place = context.cast(builder, arguments[1], signature.args[1], types.intp)
            data = context.make_array(kind)(context, builder, arguments[0])
            pointer = cgutils.get_item_pointer(
                context, builder, kind, data, [place], wraparound=False, boundscheck=False
            )
            word, byte = ir.IntType(32), ir.IntType(8)
            signature_of = ir.FunctionType(ir.VoidType(), [byte.as_pointer(), word, word, word])
            function = cgutils.get_or_insert_function(
                builder.module, signature_of, "llvm.prefetch.p0i8"
            )
            to_write, keep, of_data = (ir.Constant(word, number) for number in (1, 3, 1))
            address = builder.bitcast(pointer, byte.as_pointer())
            builder.call(function, [address, to_write, keep, of_data])
            return context.get_dummy_value()

        return types.none(array, index), generate

    return fetch
