"""Marks of tests: what `make test` or `make quick` leaves out, and what has to be compiled."""

import os

import pytest

SLOW = pytest.mark.skipif(
    "RETROSOLVE_SLOW_TESTS" not in os.environ, reason="takes long: set RETROSOLVE_SLOW_TESTS"
)

# Left out of `make quick`; tests/conftest.py lists whole files.
THOROUGH = pytest.mark.thorough

COMPILED = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") != "0", reason="takes minutes as plain Python"
)
