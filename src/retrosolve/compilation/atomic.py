"""Instructions that numba has no function for: compare-and-exchange, prefetching, uncounted arguments.

numba has no such thing for processors, but lets one write down the instruction of LLVM. Uncompiled, a
lock makes the exchange one step, and the others do nothing. For a function ``name`` of this file,
``compiled_name`` makes what takes its place in compiled kernels.
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


def no_refcount(value: Any) -> Any:
    """Return an array or a tuple of them, to be used only while the caller of the kernel keeps it.

    numba counts references to an array wherever it takes one out of a tuple or hands it on, by atomic
    instructions, which can take longer than the rules of a game. The caller of a kernel keeps its
    arguments until the kernel returns, so nothing needs to be counted there.
    """
    return value


def compiled_no_refcount() -> Any:
    """Return the same, compiled: the arrays have no owner whose references could be counted."""
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    def without_owner(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        if isinstance(kind, types.Array):
            array = context.make_array(kind)(context, builder, value)
            array.meminfo = cgutils.get_null_value(array.meminfo.type)
            return array._getvalue()
        if isinstance(kind, types.BaseTuple):
            members: Any = kind
            for place, member in enumerate(members):
                item = builder.extract_value(value, place)
                item = without_owner(context, builder, member, item)
                value = builder.insert_value(value, item, place)
        return value

    @intrinsic
    def borrow(typing: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return without_owner(context, builder, signature.args[0], arguments[0])

        return value(value), generate

    return borrow
