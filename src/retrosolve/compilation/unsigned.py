"""Unsigned integers in kernels: an index that is never negative, and the bits of a word.

Compiled code tests a signed index, and adds the length of the array to a negative one, at every access.
``a[at(i)]`` leaves the test out: a dealing of edges takes half the time, a sweep two thirds.
"""

from typing import Any

import numpy as np

u64 = np.uint64


def num_bits(word: Any) -> Any:
    """Return how many bits of a word are set.

    >>> int(num_bits(u64(0b1011)))
    3
    """
    pairs = word - ((word >> u64(1)) & u64(0x5555555555555555))
    fours = (pairs & u64(0x3333333333333333)) + ((pairs >> u64(2)) & u64(0x3333333333333333))
    eights = (fours + (fours >> u64(4))) & u64(0x0F0F0F0F0F0F0F0F)
    half = eights + (eights >> u64(32))
    quarter = half + (half >> u64(16))
    return (quarter + (quarter >> u64(8))) & u64(127)
