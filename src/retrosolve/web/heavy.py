"""Work that takes long, a little of it at a time: other pages are answered meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from anyio import CapacityLimiter
from anyio.to_thread import run_sync

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
