"""Ending a solve in the middle."""

from __future__ import annotations

from collections.abc import Callable

from retrosolve.runtime.progress import Progress


class Stopped(Exception):  # noqa: N818  # nothing is wrong
    """A solve that ended in the middle."""


def stop_in(stage: str, share: float) -> Callable[[Progress], None]:
    """A progress callback that ends the solve once a share of a stage is done."""

    def report(progress: Progress) -> None:
        if progress.stage == stage and progress.done >= share * (progress.total or 1):
            raise Stopped

    return report
