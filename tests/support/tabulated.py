"""Games that look everything up in tables: what is compiled for one of them serves all, right or wrong."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from retrosolve.rules.contract import INVALID, CompiledGame

WIDTH = 8


class Tables(NamedTuple):
    """What the functions of a game look up, by position: all of it may be wrong.

    ``count`` moves are said to have been written, ``written`` were; so for predecessors.
    """

    target: np.ndarray
    count: np.ndarray
    written: np.ndarray
    origin: np.ndarray
    origins: np.ndarray
    origins_written: np.ndarray
    code: np.ndarray
    side: np.ndarray
    index: np.ndarray
    position: np.ndarray
    own: np.ndarray


class Wild(CompiledGame):
    """A game by tables; a position that these do not have is looked up as another."""

    max_moves = max_predecessors = WIDTH

    def __init__(self, data: Tables, size: int | None, tiers: tuple[int, ...] | None) -> None:
        self.data, self.size, self.tiers = data, size, tiers
        self.initial = [0, 1]

    def starts(self):
        return self.initial

    @staticmethod
    def successors(position, out, data):
        i = position % len(data.count)
        for k in range(data.written[i]):
            out[k] = data.target[i, k % data.target.shape[1]]
        return data.count[i]

    @staticmethod
    def terminal(position, data):
        return data.code[position % len(data.count)]


class Backwards(Wild):
    @staticmethod
    def predecessors(position, out, data):
        i = position % len(data.count)
        for k in range(data.origins_written[i]):
            out[k] = data.origin[i, k % data.origin.shape[1]]
        return data.origins[i]


class Ranked(Backwards):
    @staticmethod
    def rank(position, data):
        return data.index[position % len(data.count)]

    @staticmethod
    def unrank(index, data):
        return data.position[index % len(data.count)]


class Everything(Ranked):
    @staticmethod
    def canonical(position, data):
        return data.own[position % len(data.count)]

    @staticmethod
    def player(position, data):
        return data.side[position % len(data.count)]


class Reached(Everything):
    reachable_only = True


def row(write: Any, position: int, width: int, data: Any) -> list[int]:
    """What a function of a game writes for a position."""
    out = np.zeros(width, np.int64)
    return out[: write(position, out, data)].tolist()


def rows(lists: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Lists as a table, and their lengths."""
    lengths = np.array([len(found) for found in lists])
    table = np.zeros((len(lists), max(WIDTH, lengths.max())), np.int64)
    for found, place in zip(lists, table, strict=True):
        place[: len(found)] = found
    return table, lengths


def tabulated(game: Any, positions: int) -> Reached:
    """The same game by tables of its positions, which are numbers below ``positions``."""
    data, every = game.data, range(positions)
    code = np.array([game.terminal(p, data) for p in every])
    real = np.flatnonzero(code != INVALID)

    def written(write: Any, width: int) -> tuple[np.ndarray, np.ndarray]:
        return rows([row(write, p, width, data) if p in real else [] for p in every])

    target, count = written(game.successors, game.max_moves)
    origin, origins = written(game.predecessors, game.max_predecessors)
    side, index, position, own = (np.arange(positions) for _ in range(4))
    side[:] = [game.player(p, data) for p in every]
    index[:] = [game.rank(p, data) for p in every]
    tables = Tables(
        target, count, count.copy(), origin, origins, origins.copy(), code, side, index, position, own
    )  # fmt: skip
    found = Reached(tables, game.size, game.tiers)
    found.max_moves, found.max_predecessors = target.shape[1], origin.shape[1]
    found.initial = list(game.starts())
    return found
