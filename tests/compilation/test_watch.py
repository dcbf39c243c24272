"""What is compiled is reported, in the block that asks for it and nowhere else."""

from __future__ import annotations

import numba

from retrosolve.compilation.jit import listen
from retrosolve.runtime.context import CompilingReported, Progress


def test_each_compiled_function_is_reported_once() -> None:
    listen()
    double = numba.njit(lambda x: 2 * x)
    triple = numba.njit(lambda x: 3 * x)
    seen: list[Progress] = []
    with CompilingReported(seen.append):
        assert double(4) == 8
        assert double(5) == 10
    assert [progress.done for progress in seen] == [0, 1]
    assert {progress.stage for progress in seen} == {"compiling"}
    assert triple(4) == 12
    assert len(seen) == 2
