"""Marks of tests: what `make test` leaves out, and what only compiled kernels are fast enough for."""

import os

import pytest

SLOW = pytest.mark.skipif(
    "RETROSOLVE_SLOW_TESTS" not in os.environ, reason="takes long: set RETROSOLVE_SLOW_TESTS"
)

COMPILED = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") != "0", reason="takes minutes as plain Python"
)
