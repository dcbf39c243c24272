"""An index that is never negative, for the kernels whose time it is.

Compiled code tests a signed index, and adds the length of the array to a negative one, at every access.
``a[at(i)]`` leaves the test out: a dealing of edges takes half the time, a sweep two thirds.
"""

import numpy as np

u64 = np.uint64
