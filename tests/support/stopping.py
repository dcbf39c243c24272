"""Ending a solve in the middle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from numpy.typing import NDArray

from retrosolve.runtime.context import Checkpoint, Facts, Progress


class Stopped(Exception):  # noqa: N818  # nothing is wrong
    """A solve that ended in the middle."""


def stop_in(stage: str, share: float) -> Callable[[Progress], None]:
    """A progress callback that ends the solve once a share of a stage is done."""

    def report(progress: Progress) -> None:
        if progress.stage == stage and progress.done >= share * (progress.total or 1):
            raise Stopped

    return report


class Saved:
    """A snapshot in memory."""

    def __init__(self, facts: Facts, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.facts = dict(facts)
        self.arrays = {name: array.copy() for name, array in arrays.items()}
        self.names = set(arrays)

    def array(self, name: str) -> NDArray[Any]:
        return self.arrays[name].copy()

    def read(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        for name, out in arrays.items():
            assert out.dtype == self.arrays[name].dtype
            out[...] = self.arrays[name]


class Recorder(Checkpoint):
    """Saves at every opportunity, and stops the solve at one of them."""

    def __init__(self, stop: int, saved: Saved | None = None) -> None:
        self.left = stop
        self.saved = saved
        self.asked = saved is None

    def due(self) -> bool:
        return True

    def save(self, facts: Facts, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.left -= 1
        if self.left < 0:
            self.saved = Saved(facts, arrays)
            raise Stopped

    def resumed(self, stage: str) -> Saved | None:
        if self.asked or self.saved is None or self.saved.facts["stage"] != stage:
            return None
        self.asked = True
        return self.saved
