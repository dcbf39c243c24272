"""Work that takes long, a little of it at a time: other pages are answered meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from functools import partial
from typing import ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from retrosolve.web.library import Entry

AT_ONCE = 1  # more would take the interpreter from pages that are quick
P = ParamSpec("P")
T = TypeVar("T")
_limits: WeakKeyDictionary[asyncio.AbstractEventLoop, CapacityLimiter] = WeakKeyDictionary()


async def in_turn(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return the result of a function that takes long, called in a thread when others have ended."""
    loop = asyncio.get_running_loop()
    if loop not in _limits:
        _limits[loop] = CapacityLimiter(AT_ONCE)
    return await run_sync(partial(function, *args, **kwargs), limiter=_limits[loop])


async def once_in_turn(entry: Entry, key: Hashable, make: Callable[[], T]) -> T:
    """Return what a function that takes long makes for an entry, called once for each key."""
    known = key in entry.kept
    return entry.once(key, make) if known else await in_turn(entry.once, key, make)
