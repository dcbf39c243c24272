"""One browser, and one explorer of some games, for all tests of the pages."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.web.drawn import DESKTOP, PHONE, chromium, serving, watched


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


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page of a wide screen, for addresses of the explorer without their host."""
    with watched(browser, base_url=address, viewport=DESKTOP) as found:
        yield found


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Page]:
    """A page of a narrow screen that is touched, for addresses of the explorer without their host."""
    with watched(browser, base_url=address, viewport=PHONE, has_touch=True) as found:
        yield found
