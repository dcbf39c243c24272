"""What the first pages say about the package in numbers: from the table of games and the benchmarks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from retrosolve.games import GAMES

RESULTS = Path(__file__).parent.parent.parent / "benchmarks" / "results"


def results(name: str) -> dict[str, Any]:
    """Return the machine and the cases of a benchmark."""
    found: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text("utf-8"))
    return found


def facts() -> list[tuple[str, str]]:
    """Return numbers, each with what it counts."""
    records = results("records")
    largest = max(records["cases"], key=lambda case: case["positions"])
    bits = 8 * largest["disk_bytes"] / largest["positions"]
    title, cores = GAMES[largest["game"]].title.lower(), records["machine"]["cores"]
    return [
        (str(len(GAMES)), "built-in games, compared with published results"),
        (
            f"{largest['positions']:,}",
            f"positions of {title}, solved on {cores} cores",
        ),
        (f"{bits:.2f} bits", "per position of that table on disk"),
    ]
