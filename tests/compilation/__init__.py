"""Tests of the compiler's cache, which compile kernels of their own."""

import pytest

pytestmark = pytest.mark.thorough
