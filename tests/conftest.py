"""What all tests share."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Kernels compile on first use, so a first example may be slow; that is not a failure.
COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("suite", max_examples=300, **COMMON)
settings.register_profile("quick", max_examples=25, **COMMON)
settings.load_profile("suite")

ROOT = Path(__file__).parent.parent


@pytest.fixture
def boards() -> Path:
    """The folder of example boards."""
    return ROOT / "examples" / "boards"
