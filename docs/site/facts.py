"""What the first pages say about the package in numbers: from the table of games and the benchmarks."""

from __future__ import annotations

from benchmarks.tables import read
from retrosolve.games import GAMES


def facts() -> list[tuple[str, str]]:
    """Return numbers, each with what it counts."""
    records = read("records")
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
