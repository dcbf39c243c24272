"""Tests of the pages, which start servers and a browser."""

import pytest

pytestmark = pytest.mark.thorough
