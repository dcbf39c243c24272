"""OrderedDigest: the SHA-256 of an array whose parts several threads bring, in any order."""

from __future__ import annotations

import hashlib
from threading import Lock
from typing import Any


class OrderedDigest:
    """The SHA-256 of a head, then of parts in the order of their places.

    Parameters
    ----------
    head : bytes

    Notes
    -----
    One thread at a time digests what is next, while the others go on. A part waits in memory for those
    before it.

    Examples
    --------
    >>> found = OrderedDigest(b"")
    >>> found.add(2, 3, b"c")
    >>> found.add(0, 2, b"ab")
    >>> found.hexdigest() == hashlib.sha256(b"abc").hexdigest()
    True
    """

    def __init__(self, head: bytes) -> None:
        self._hash = hashlib.sha256(head)
        self._waiting: dict[int, tuple[int, Any]] = {}
        self._next = 0
        self._digesting = Lock()

    def add(self, start: int, stop: int, content: Any) -> None:
        """Add what stands for the places ``start..stop-1``."""
        self._waiting[start] = stop, content
        if self._digesting.acquire(blocking=False):
            try:
                self._digest_next()
            finally:
                self._digesting.release()

    def hexdigest(self) -> str:
        """Return the digest of all parts, none of which is being added any more."""
        self._digest_next()
        assert not self._waiting
        return self._hash.hexdigest()

    def _digest_next(self) -> None:
        while (part := self._waiting.pop(self._next, None)) is not None:
            self._next, content = part
            self._hash.update(content)
