"""Games that look everything up in tables: what is compiled for one of them serves all, right or wrong."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from retrosolve.rules.contract import CompiledGame

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
