"""Solve Bagh-chal tier by tier, compare what is published, prove it, and count each tier.

The same command goes on with a run that was interrupted. Beside the directory, a file of JSON lines
has seconds and seconds of the processor for each tier that was finished, and a CSV file has the
positions, results and longest wins of each. Prints one line of JSON. A small game is solved before, so
that kernels are compiled.

    python benchmarks/records_baghchal.py baghchal[:placing=no] DIRECTORY [--memory 5GB] [--threads 1]
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from inside import memory

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.games.baghchal import GOATS, TIGERS, BaghChalPositions, Block, bagh_chal

ROOT = Path(__file__).parent.parent
PUBLISHED = ROOT / "tests" / "data" / "published.json"
LOOKED_AHEAD = 100_000  # positions whose value is compared with those after the moves of plain rules
AT_ONCE = 1000
SNAPSHOTS = 1800.0  # seconds between two; a tier takes minutes
ROWS = 1 << 22  # indices decoded at a time
FIELDS = (
    "hand", "captured", "to_move", "positions", "win", "loss", "draw", "longest_win", "longest_loss",
    "mutual_zugzwangs",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--memory", default="5GB")
    parser.add_argument("--threads", type=int)
    parser.add_argument(
        "--sample", type=int, default=100_000_000, help="positions with goats in hand to prove"
    )
    given = parser.parse_args()
    game = parse_game(given.name)
    assert isinstance(game, BaghChalPositions)
    rs.verify(rs.solve(bagh_chal(3, 5, 2, placing=game.implements("start"))))
    log = given.directory.with_suffix(".jsonl")
    with solved(game, given.directory, given.memory, given.threads, log) as solution:
        start, used = time.perf_counter(), time.process_time()
        sample = given.sample if game.implements("start") else None
        rs.verify(solution, sample=sample, threads=given.threads)
        seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - used
        rows = list(counted(solution, game))
        with given.directory.with_suffix(".csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        start_value = None if solution.start is None else str(solution[solution.start])
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        positions = 1 + sum(row["positions"] for row in rows)  # LOST is one more
        record = {
            "game": given.name,
            "positions": positions,
            "longest": max(max(row["longest_win"], row["longest_loss"]) for row in rows),
            "seconds": sum(line["seconds"] for line in lines),
            "cpu_seconds": sum(line["cpu"] for line in lines),
            "peak_bytes": max([memory("VmHWM"), *(line["peak"] for line in lines)]),
            "disk_bytes": solution.num_bytes,
            "start": start_value,
            "counts": {value.label: count for value, count in solution.counts().items()},
            "digest": solution.digest(),
            "verified": sample or positions,
            "verify_seconds": seconds,
            "verify_cpu_seconds": cpu_seconds,
            "looked_ahead": LOOKED_AHEAD,
            "differences": differences(game, rows, start_value) + looked_ahead(solution, game),
        }
    print(json.dumps(record))
    if record["differences"]:
        raise SystemExit(1)


def solved(
    game: BaghChalPositions, directory: Path, budget: str, threads: int | None, log: Path
) -> Any:
    """Solve a game, or go on with it; append a line to the log for each tier that is finished."""
    ends = dict(zip([*game.tiers[1:], game.size], range(len(game.tiers)), strict=True))
    last = {"seconds": time.perf_counter(), "cpu": time.process_time(), "done": 0}
    log.touch()

    def note(progress: Any) -> None:
        # A tier also reports where it begins, until something in it is decided, and that of a tier with
        # cycles where it ends, when a single pass did not solve it: its time is in the next line then.
        if progress.stage == "solving" and progress.done in ends and progress.done > last["done"]:
            tier = ends[progress.done]
            write({"tier": tier, "name": tier_name(game, tier), "done": progress.done, "of": game.size})
            last["done"] = progress.done

    def write(line: dict[str, Any]) -> None:
        now = {"seconds": time.perf_counter(), "cpu": time.process_time()}
        taken = {name: now[name] - last[name] for name in now}
        last.update(now)
        with log.open("a") as file:
            file.write(json.dumps({**line, **taken, "peak": memory("VmHWM")}) + "\n")

    solution = rs.solve(
        game, out=directory, resume=True, memory=budget, threads=threads,
        checkpoint_every=SNAPSHOTS, progress=note,
    )  # fmt: skip
    write({"name": "saved"})
    return solution


def tier_name(game: BaghChalPositions, tier: int) -> str:
    """Return what the positions of a tier have in common."""
    movers = " and ".join(game.players[block.mover] for block in game.blocks[tier])
    return f"{game.tier_names[tier]}, {movers} to move" if movers else game.tier_names[tier]


def counted(solution: rs.Solution, game: BaghChalPositions) -> Iterator[dict[str, Any]]:
    """Yield the positions, results and longest wins of each block.

    The two blocks with the same numbers of goats have the same boards in the same order: a mutual
    zugzwang is a board on which either player would do better if the other were to move.
    """
    firsts = {block: first for block, first, _ in game.block_ranges()}
    for block, first, stop in game.block_ranges():
        counts = np.zeros(256, np.int64)
        longest = dict.fromkeys((rs.Value.WIN, rs.Value.LOSS), 0)
        zugzwangs = 0
        turned = firsts[Block(block.hand, block.captured, TIGERS)] - firsts[block]
        for low in range(first, stop, ROWS):
            part = slice(low, min(low + ROWS, stop))
            values, plies = solution.table.values(part), solution.table.remoteness(part)
            counts += np.bincount(values, minlength=256)
            for value in longest:
                longest[value] = max(longest[value], int(plies.max(where=values == value, initial=0)))
            if block.mover == GOATS:
                others = solution.table.values(slice(low + turned, part.stop + turned))
                zugzwangs += int(np.count_nonzero(ZUGZWANGS[values, others]))
        win, loss, draw = (int(counts[value]) for value in (rs.Value.WIN, rs.Value.LOSS, rs.Value.DRAW))
        yield {
            "hand": block.hand, "captured": block.captured, "to_move": game.players[block.mover],
            "positions": win + loss + draw, "win": win, "loss": loss, "draw": draw,
            "longest_win": longest[rs.Value.WIN], "longest_loss": longest[rs.Value.LOSS],
            "mutual_zugzwangs": zugzwangs if block.mover == GOATS else "",
        }  # fmt: skip


def zugzwang_values() -> Any:
    """Return which values, with the goats and with the tigers to move, a mutual zugzwang has."""
    table = np.zeros((256, 256), bool)
    better = {rs.Value.LOSS: -1, rs.Value.DRAW: 0, rs.Value.WIN: 1}
    for mine, own in better.items():
        for theirs, other in better.items():
            table[mine, theirs] = own < -other
    return table


ZUGZWANGS = zugzwang_values()


def looked_ahead(solution: rs.Solution, game: BaghChalPositions) -> list[str]:
    """Return the random positions that do not have the value that plain rules make of their moves."""
    sys.path.insert(0, str(ROOT))
    from tests.support.baghchal import PlainBaghChal, random_position, seen_from

    plain, rng = PlainBaghChal(len(game.board.rows), game.goats, game.captures), random.Random(0)
    most = game.goats if game.implements("start") else 0
    wrong = []
    for _ in range(LOOKED_AHEAD // AT_ONCE):
        positions = [random_position(plain, rng, most) for _ in range(AT_ONCE)]
        texts = [plain.text(position) for position in positions]
        targets = [[plain.text(target) for _, target in plain.moves(one)] for one in positions]
        after = iter(outcomes(solution, [text for ones in targets for text in ones]))
        expected = [seen_from([next(after) for _ in ones]) for ones in targets]
        wrong += [
            f"{text}: {one}, {other} by its moves"
            for text, one, other in zip(texts, outcomes(solution, texts), expected, strict=True)
            if one != other
        ]
    return wrong


def outcomes(solution: rs.Solution, texts: list[str]) -> list[tuple[int, int]]:
    """Return the value and the remoteness of positions."""
    arrays = solution.outcomes(texts)
    return list(zip(arrays.value.tolist(), arrays.remoteness.tolist(), strict=True))


def differences(game: BaghChalPositions, rows: list[dict[str, Any]], start: str | None) -> list[str]:
    """Return in what the solution differs from what is published of the whole board."""
    items = json.loads(PUBLISHED.read_text())["items"]
    (figures,) = (item["figures"] for item in items if item["id"] == "bagh-chal")
    if game.data.numbers[:3].tolist() != [25, 20, 5]:
        return []
    boards = figures["boards_with_4_tigers_and_g_goats"]
    wrong = [
        f"{row}: {boards[goats]} positions published"
        for row in rows
        if row["positions"] != boards[goats := game.goats - row["hand"] - row["captured"]]
    ]
    for name, placing in (("sliding", False), ("placing", True)):
        total = sum(row["positions"] for row in rows if (row["hand"] > 0) == placing)
        known = figures[f"{name}_positions_up_to_symmetry"]
        if total not in (known, 0):
            wrong.append(f"{total} {name} positions, {known} published")
    if start not in (None, figures["start"]):
        wrong.append(f"the start is {start}, {figures['start']} published")
    return wrong


if __name__ == "__main__":
    main()
