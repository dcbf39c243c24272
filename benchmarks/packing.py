"""Bits of saved solutions: of every built-in game, and of the chess endings of three and four men.

Prints rows for docs/inside/tried.md. ``python benchmarks/packing.py teeko`` measures the games that are
named, "pawnless" the 24 pawnless endings together.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.store import pack

THREE = ("KQK", "KRK", "KBK", "KNK")
FOUR = (
    "KQQK", "KQRK", "KQBK", "KQNK", "KRRK", "KRBK", "KRNK", "KBBK", "KBNK", "KNNK",
    "KQKQ", "KQKR", "KQKB", "KQKN", "KRKR", "KRKB", "KRKN", "KBKB", "KBKN", "KNKN",
)  # fmt: skip
PAWNLESS = tuple(f"chess:{name}" for name in (*THREE, *FOUR))
GAMES = (
    "tictactoe", "stones:n=1000", "hexapawn", "mutorere", "lgame", "morris3", "connect4",
    "foxhounds", "queenpawns:n=6", "police", "cops", "chess:KPK", "chess:KRKP", "morris6",
    "dobutsu", "teeko",
)  # fmt: skip


def sizes(name: str, folder: Path) -> tuple[int, int, list[int]]:
    """Return positions, indices and the bytes at levels 3 and 19, and at 19 without remoteness."""
    solution = rs.solve(parse_game(name))
    solution.save(folder / "s")
    pack(folder / "s", folder / "t", 19)
    pack(folder / "s", folder / "v", 19, remoteness=False)
    found = [rs.open(folder / part).num_bytes for part in "stv"]
    return len(solution), solution.table.num_vertices, [size for size in found if size is not None]


def row(name: str, positions: int, indices: int, found: list[int]) -> str:
    """Return a row of the table: bits a position, and bits an index."""
    cells = [f"{8 * size / positions:.2f} / {8 * size / indices:.2f}" for size in found[:2]]
    values = f"{8 * found[2] / positions:.3f} / {8 * found[2] / indices:.3f}"
    return f"| {name} | {positions:,} | {indices:,} | {cells[0]} | {cells[1]} | {values} |"


def main(names: list[str]) -> None:
    all_positions, all_indices, all_found = 0, 0, [0, 0, 0]
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            positions, indices, found = sizes(name, Path(folder))
        print(row(name, positions, indices, found), flush=True)
        if name in PAWNLESS:
            all_positions, all_indices = all_positions + positions, all_indices + indices
            all_found = [a + b for a, b in zip(all_found, found, strict=True)]
    if set(PAWNLESS) <= set(names):
        name = "all 24 pawnless chess endings of 3 and 4 men"
        print(row(name, all_positions, all_indices, all_found), flush=True)


if __name__ == "__main__":
    given = sys.argv[1:] or [*GAMES, "pawnless"]
    main([name for part in given for name in (PAWNLESS if part == "pawnless" else (part,))])
