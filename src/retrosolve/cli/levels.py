"""The levels of a distributed solve as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrosolve.cli.output import print_table
from retrosolve.runtime.memory import format_bytes

HEADING = ("tier", "level", "decided", "messages", "bytes", "seconds", "slowest", "its seconds")


def print_levels(levels: Sequence[Any]) -> None:
    """Print what each level took.

    Parameters
    ----------
    levels : sequence of LevelUse
    """
    rows = [
        (
            str(use.tier), f"{use.level}{' ties' if use.ties else ''}", str(use.decided),
            str(use.messages), format_bytes(use.num_bytes), f"{use.seconds:.4f}", str(use.slowest),
            f"{use.slowest_seconds:.4f}",
        )
        for use in levels
    ]  # fmt: skip
    print_table([HEADING, *rows], right=range(len(HEADING)))
