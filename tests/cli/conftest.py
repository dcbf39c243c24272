"""Commands are programs, each in a process of its own."""

import pytest


@pytest.fixture(autouse=True)
def as_programs(alone: None) -> None:
    """Compile what these would compile, where tests run them in one process."""
