"""Time and memory of games of chance: positions per second, bytes per position, and a proof.

    python benchmarks/chance.py ur:pieces=3 bearoff:points=6,checkers=6 --tolerance 1e-10

prints a line for each tenth of a solve too, so that one that is cut off says how far it came.
"""

from __future__ import annotations

import argparse
import resource
import time

import retrosolve as rs
from retrosolve.games import bearoff, pig, ur
from retrosolve.objectives import Chance

GAMES = {"ur": ur.Ur, "pig": pig.Pig, "bearoff": bearoff.Bearoff}


def game_of(text: str) -> rs.CompiledGame:
    """Return the game of a name with parameters, such as ``ur:pieces=3,rules=finkel``."""
    name, _, rest = text.partition(":")
    pairs = (pair.split("=") for pair in filter(None, rest.split(",")))
    game: rs.CompiledGame = GAMES[name](
        **{key: int(value) if value.isdigit() else value for key, value in pairs}
    )
    return game


def peak() -> float:
    """Return the most memory of the process so far, in gigabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9


class Clock:
    """Print how far a solve or a proof has come, at each tenth and before each tier of a game."""

    def __init__(self, step: float) -> None:
        self.step, self.began, self.shown, self.stage = step, time.perf_counter(), -1.0, ""

    def __call__(self, progress: rs.Progress) -> None:
        share = progress.done / max(progress.total or 1, 1)
        seconds = time.perf_counter() - self.began
        if progress.stage == "compiling":
            return
        if progress.stage != self.stage or abs(share - self.shown) >= self.step:
            self.stage, self.shown = progress.stage, share
            print(f"  {seconds:8.1f} s  {progress.stage} {share:6.1%}  {peak():.2f} GB", flush=True)


def main() -> None:
    """Solve and prove each game."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="+")
    parser.add_argument("--tolerance", type=float, default=1e-10)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--step", type=float, default=0.1)
    parser.add_argument("--no-proof", action="store_true")
    arguments = parser.parse_args()
    for text in arguments.games:
        game = game_of(text)
        size = game.size
        assert size is not None
        print(f"{text}: {size:,} positions", flush=True)
        began = time.perf_counter()
        solution = rs.solve(
            game, objective=Chance(tolerance=arguments.tolerance), threads=arguments.threads,
            progress=Clock(arguments.step),
        )  # fmt: skip
        seconds = time.perf_counter() - began
        bounds = solution.table.bounds
        assert bounds is not None
        start = solution[solution.start].value
        print(
            f"{text}: {seconds:.1f} s, {size / seconds:,.0f} positions a second, "
            f"{peak():.2f} GB, {peak() * 1e9 / size:.0f} bytes a position; "
            f"start from {start.low!r} to {start.high!r}, the widest {bounds.width:.2g}",
            flush=True,
        )
        if not arguments.no_proof:
            began = time.perf_counter()
            report = rs.verify(solution, threads=arguments.threads, progress=Clock(arguments.step))
            print(f"{text}: {report}, {time.perf_counter() - began:.1f} s, {peak():.2f} GB", flush=True)


if __name__ == "__main__":
    main()
