"""Unsigned integers in kernels: an index that is never negative, and the bits of a word.

Compiled code tests a signed index, and adds the length of the array to a negative one, at every access.
``a[at(i)]`` leaves the test out: a dealing of edges takes half the time, a sweep two thirds.
"""

import functools
from typing import Any

import numpy as np

u64 = np.uint64


def num_bits(word: Any) -> Any:
    """Return how many bits of a word are set.

    >>> int(num_bits(u64(0b1011)))
    3
    """
    return u64(word.bit_count())


@functools.cache
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
