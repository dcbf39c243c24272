"""Progress: what long work says while it runs. The library prints nothing itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Progress(NamedTuple):
    """One report: the stage's name, how much is done, and how much there is, where that is known.

    What is counted depends on the stage: positions found, vertices decided, vertices proven.
    """

    stage: str
    done: int
    total: int | None


Report = Callable[[Progress], None]


def silent(progress: Progress) -> None:
    """Report to nobody."""
