"""Memory: how much there is, and refusing work that would need more, before it starts."""

from __future__ import annotations

import functools
import os

from retrosolve.errors import MemoryBudgetError

SHARE_LEFT = 20


@functools.cache
def installed() -> int:
    """Give the machine's memory in bytes; a very large number where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 2**62


def available() -> int:
    """Give the memory that is free for more; all there is where the system does not tell."""
    try:
        with open("/proc/meminfo") as told:
            for line in told:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return installed()


def leave_some(what: str) -> None:
    """Raise MemoryBudgetError if memory is nearly used up, before the system stops the program."""
    if available() < installed() // SHARE_LEFT:
        raise MemoryBudgetError(
            f"{what}, and of this machine's {readable(installed())} of memory {readable(available())} "
            "are left: expected a smaller game, or a leaner form of it"
        )


def readable(count: int) -> str:
    """Write a number of bytes for a person.

    >>> readable(512), readable(3_400_000), readable(2 * 10**16)
    ('512 bytes', '3.4 MB', '20000 TB')
    """
    if count < 1000:
        return f"{count} bytes"
    size, unit = float(count), "bytes"
    for unit in ("kB", "MB", "GB", "TB"):  # noqa: B007  # the unit reached is used after the loop
        size /= 1000
        if size < 1000:
            break
    return f"{size:.3g} {unit}" if size < 1000 else f"{size:.0f} {unit}"


def require(needed: int, what: str, budget: int | None = None) -> None:
    """Raise MemoryBudgetError if ``needed`` bytes are more than the budget, or than there is."""
    if budget is not None and needed > budget:
        raise MemoryBudgetError(
            f"{what} needs about {readable(needed)}; the budget is {readable(budget)}"
        )
    if needed > installed():
        raise MemoryBudgetError(
            f"{what} needs about {readable(needed)}; this machine has {readable(installed())}"
        )
