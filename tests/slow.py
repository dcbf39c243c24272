"""The mark of tests that `make test` leaves out."""

import os

import pytest

SLOW = pytest.mark.skipif(
    "RETROSOLVE_SLOW_TESTS" not in os.environ, reason="takes long: set RETROSOLVE_SLOW_TESTS"
)
