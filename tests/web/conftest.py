"""One browser, and one explorer of some games, for all tests of the pages."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.web.drawn import chromium, serving


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of an explorer, without a slash at its end."""
    with serving() as found:
        yield found


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A running browser. Its loop runs in this thread, where tests of other folders run loops of theirs."""
    with chromium() as found:
        yield found
