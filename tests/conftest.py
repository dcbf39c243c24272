"""What all tests share."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from retrosolve.runtime import tuning

Tune = Callable[..., None]

# Kernels compile on first use, so a first example may be slow; that is not a failure.
settings.register_profile(
    "suite", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=300
)
settings.load_profile("suite")

ROOT = Path(__file__).parent.parent


@pytest.fixture
def tune() -> Iterator[Tune]:
    """Change fields of the tuning until the test ends: ``tune(compile_from=0)``."""
    with ExitStack() as stack:

        def change(**fields: float) -> None:
            stack.enter_context(tuning.using(**fields))

        yield change


@pytest.fixture
def boards() -> Path:
    """The folder of example boards."""
    return ROOT / "examples" / "boards"
