"""Ending long work cleanly on Ctrl-C and SIGTERM: at a moment when its state can be saved."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupted(KeyboardInterrupt):
    """Work that was interrupted with its state saved; the message says how to go on."""


class Interruption:
    """Whether the work has been asked to end."""

    def __init__(self) -> None:
        self.requested = False


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Note the first Ctrl-C or SIGTERM during the block instead of being ended by it.

    A second one has its usual effect. Only the main thread receives signals; in another thread this
    does nothing.
    """
    interruption = Interruption()
    if threading.current_thread() is not threading.main_thread():
        yield interruption
        return
    before: dict[signal.Signals, Any] = {number: signal.getsignal(number) for number in SIGNALS}

    def request(number: int, frame: FrameType | None) -> None:
        interruption.requested = True
        signal.signal(number, before[signal.Signals(number)])

    try:
        for number in SIGNALS:
            if before[number] not in (signal.SIG_IGN, None):
                signal.signal(number, request)
        yield interruption
    finally:
        for number, handler in before.items():
            if handler is not None:
                signal.signal(number, handler)
