"""Solve nine men's morris into a directory, set by set, and compare every published figure.

The same command goes on with a run that was interrupted. Beside the directory, a file of JSON lines has
seconds and seconds of the processor for each tier, of which a table goes to the standard error, and a
CSV file the counts of each sector: of positions with the same numbers of men, on the board and in hand,
of the player to move and of the other one. Prints one line of JSON. A small game is solved before, so
that kernels are compiled.

    python benchmarks/records_morris.py morris9[:placing=no] DIRECTORY [--memory 8GB] [--sample 10000]
"""

from __future__ import annotations

import argparse
import csv
import functools
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from inside import memory

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.games.morris9 import Morris, nine_mens_morris

PUBLISHED = Path(__file__).parent.parent / "tests" / "data" / "published.json"
SNAPSHOTS = 1800.0  # seconds between two; a tier takes minutes
ROWS = 1 << 22  # indices decoded at a time


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--memory", default="8GB")
    parser.add_argument("--sample", type=int, default=100_000_000)
    given = parser.parse_args()
    game = parse_game(given.name)
    assert isinstance(game, Morris)
    rs.verify(rs.solve(nine_mens_morris(3, placing="placing=no" not in given.name)))
    log = given.directory.with_suffix(".jsonl")
    with solved(game, given.directory, given.memory, log) as solution:
        counts: dict[str, Any] = {}
        for tier in range(len(game.blocks)):
            counts |= counted(solution, game, tier)
        failures = [line for name, found in counts.items() for line in differences(name, found)]
        lines = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        report(game, lines)
        start = time.perf_counter()
        rs.verify(solution, sample=given.sample)
        longest = {value.label: plies for value, plies in solution.longest().items()}
        record = {
            "game": given.name,
            "positions": sum(sum(found["values"]) for found in counts.values()),
            "counts": {
                value.label: sum(found["values"][value] for found in counts.values())
                for value in rs.Value
            },
            "digest": solution.digest(),
            "longest": max(longest["win"] or 0, longest["loss"] or 0),
            "seconds": sum(line["seconds"] for line in lines),
            "cpu_seconds": sum(line["cpu"] for line in lines),
            "peak_bytes": max([memory("VmHWM"), *(line["peak"] for line in lines)]),
            "disk_bytes": solution.num_bytes,
            "start": None if solution.start is None else str(solution[solution.start]),
            "verified": given.sample,
            "verify_seconds": time.perf_counter() - start,
            "differences": failures,
        }
    write_csv(counts, log.with_suffix(".csv"))
    if failures:
        raise SystemExit("\n".join(failures))
    print(json.dumps(record))


def solved(game: Morris, directory: Path, budget: str, log: Path) -> Any:
    """Solve a game, or go on with it; append a line to the log for each tier that is finished."""
    ends = dict(zip([*game.tiers[1:], game.size], range(len(game.tiers)), strict=True))
    last = {"seconds": time.perf_counter(), "cpu": time.process_time(), "done": 0}

    def note(progress: Any) -> None:
        # A tier also reports where it begins, until something in it is decided.
        if progress.stage != "solving" or progress.done not in ends or progress.done <= last["done"]:
            return
        now = {"seconds": time.perf_counter(), "cpu": time.process_time()}
        record = {name: now[name] - last[name] for name in now}
        last.update(now, done=progress.done)
        if record["cpu"] > 0:
            line = {"tier": ends[progress.done], **record, "peak": memory("VmHWM")}
            with log.open("a") as file:
                file.write(json.dumps(line) + "\n")

    return rs.solve(
        game, out=directory, resume=True, memory=budget, checkpoint_every=SNAPSHOTS, progress=note
    )


def counted(solution: Any, game: Morris, tier: int) -> list[tuple[str, dict[str, Any]]]:
    """Return the sectors of a tier by their published names, with what they have."""
    below, above = [*game.tiers, game.size][tier : tier + 2]
    found = []
    for block in game.blocks[tier]:
        width = game.places(block) * block.sides
        rows = (game_rows(game, block)) * width if len(game.blocks[tier]) > 1 else above - below
        sides = np.zeros((block.sides, 4), np.int64)
        longest = np.zeros((block.sides, 4), np.int64)
        step = max(1, ROWS // width) * width
        for low in range(below, below + rows, step):
            high = min(low + step, below + rows)
            shape = -1, block.sides, width // block.sides
            value = solution.table.values(slice(low, high)).reshape(shape)
            plies = solution.table.remoteness(slice(low, high)).reshape(value.shape)
            for side in range(block.sides):
                for code in range(4):
                    here = value[:, side] == code
                    sides[side, code] += np.count_nonzero(here)
                    longest[side, code] = max(
                        longest[side, code], plies[:, side].max(where=here, initial=0)
                    )
        below += rows
        for side in range(block.sides):
            own, other = (block.other, block.own) if side else (block.own, block.other)
            name = f"{own}_{other}_{(block.left + 1) // 2}_{block.left // 2}"
            found.append((name, {"values": sides[side].tolist(), "longest": longest[side].tolist()}))
    return found


def write_csv(counts: dict[str, Any], path: Path) -> None:
    """Write a row for each sector."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        heads = "own", "other", "own_in_hand", "other_in_hand", "positions", "win", "loss", "draw"
        writer.writerow((*heads, "longest_win", "longest_loss"))
        for name, found in counts.items():
            (draw, win, loss, tie), longest = found["values"], found["longest"]
            numbers = draw + win + loss + tie, win, loss, draw
            writer.writerow((*name.split("_"), *numbers, longest[rs.Value.WIN], longest[rs.Value.LOSS]))


def game_rows(game: Morris, block: Any) -> int:
    """Return the number of orbits of the larger side of a block."""
    sizes = np.bitwise_count(game.data[1] & (1 << 24) - 1)
    return int(np.count_nonzero(sizes == max(block.own, block.other)))


def differences(name: str, found: dict[str, Any]) -> list[str]:
    """Return in what a sector differs from what is published of it."""
    figures = next(
        item for item in json.loads(PUBLISHED.read_text())["items"] if item["id"] == "nine-mens-morris"
    )["figures"]
    draws, wins, losses, _ = found["values"]
    own, other, *hands = map(int, name.split("_"))
    wrong = []
    sets = figures["canonical_positions_w-b (w>=b; w-b and b-w are equally many)"]
    expected = sets.get(f"{max(own, other)}-{min(own, other)}") if not any(hands) else None
    if expected not in (None, draws + wins + losses):
        wrong.append(f"{name}: {draws + wins + losses} positions, published {expected}")
    known = figures.get(name, {})
    ours = {
        "W": wins, "L": losses, "D": draws,
        "longest_win": found["longest"][1], "longest_loss": found["longest"][2],
    }  # fmt: skip
    wrong += [
        f"{name}: {key} {ours[key]}, published {known[key]}"
        for key in ours
        if key in known and known[key] != ours[key]
    ]
    return wrong


def report(game: Morris, lines: list[dict[str, Any]]) -> None:
    """Print a line for each set and layer: indices, time and time of the processor."""
    sizes = np.diff([*game.tiers, game.size])
    groups: dict[str, list[float]] = {}
    for tier, blocks in enumerate(game.blocks):
        block = blocks[0]
        name = f"{block.left} in hand" if block.left else f"{block.own}-{block.other}"
        mine = [line for line in lines if line["tier"] == tier]
        add = (sizes[tier], *(sum(line[key] for line in mine) for key in ("seconds", "cpu")))
        groups[name] = [a + b for a, b in zip(groups.get(name, [0, 0, 0]), add, strict=True)]
    say = functools.partial(print, file=sys.stderr)
    say("| set | indices | s | CPU s | ns of CPU an index |\n|---|---|---|---|---|")
    for name, (indices, seconds, cpu) in groups.items():
        say(f"| {name} | {indices:,} | {seconds:.1f} | {cpu:.1f} | {cpu / indices * 1e9:.0f} |")


if __name__ == "__main__":
    main()
