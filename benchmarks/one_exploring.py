"""Explore a game in plain Python with several programs, in turn and in one process; print JSON.

``dictionary`` is the loop that anyone would write: a dict that numbers positions, and a list of the
numbers of each position's targets, and who moves if the rules say so. ``workers=1`` is exploring alone;
solving comes on top of both.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from itertools import count, islice
from typing import Any

from clobber import Clobber
from one_game import plain_rules

from retrosolve.games import parse_game
from retrosolve.rules.exploring import explored_space
from retrosolve.runtime.context import Context

Explore = Callable[[Any], tuple[int, int, Any]]


def dictionary(game: Any) -> tuple[int, int, Any]:
    """Explore a game with a dictionary; return the numbers of positions and moves, and what it made."""
    number: defaultdict[Any, int] = defaultdict(count().__next__)
    level = [game.start()]
    rows: list[list[int]] = []
    owners: list[int] = []
    owned, ends = game.implements("player"), game.implements("terminal")
    number[level[0]]
    while level:
        known = len(number)
        for position in level:
            if owned:
                owners.append(game.player(position))
            over = ends and game.terminal(position) is not None
            rows.append([] if over else [number[target] for _, target in game.moves(position)])
        level = list(islice(reversed(number), len(number) - known))[::-1]
    return len(number), sum(map(len, rows)), (number, rows)


def ours(workers: int) -> Explore:
    def explore(game: Any) -> tuple[int, int, Any]:
        space = explored_space(game, Context(workers=workers))
        return space.num_vertices, space.num_edges, space

    return explore


def game_of(text: str) -> Any:
    """The game that a text names: nine-moves:n=..., clobber:5x4, or one that is built in."""
    name, _, rest = text.partition(":")
    if name == "nine-moves":
        return plain_rules(int(rest.partition("=")[2]))
    if name == "clobber":
        return Clobber(*map(int, rest.split("x")))
    return parse_game(text)


def main(text: str, repeats: int) -> None:
    game = game_of(text)
    programs = {"dictionary": dictionary, "workers=1": ours(1), "workers=2": ours(2)}
    seconds: dict[str, float] = {}
    processor: dict[str, float] = {}
    found = set()
    for _ in range(repeats):
        for name, explore in programs.items():
            began, worked = time.perf_counter(), time.process_time()
            *sizes, made = explore(game)
            took, worked = time.perf_counter() - began, time.process_time() - worked
            found.add(tuple(sizes))
            del made  # freed while no clock runs
            seconds[name] = min(took, seconds.get(name, took))
            processor[name] = min(worked, processor.get(name, worked))
    assert len(found) == 1, f"the programs differ: {found}"
    positions, moves = found.pop()
    record = {"game": text, "positions": positions, "moves": moves}
    print(json.dumps(record | {"seconds": seconds, "processor_seconds": processor}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
