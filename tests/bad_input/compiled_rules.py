"""Compiled rules that break their contract, as a check and a solve see them."""

from __future__ import annotations

from typing import Any

import numpy as np

import retrosolve as rs
from retrosolve.rules.contract import INVALID, LOSS
from retrosolve.testing import CompiledGraphGame
from tests.bad_input import Input
from tests.bad_input.plain_rules import both


class Line(rs.CompiledGame[int]):
    """Points 0..11, one or two steps down; what an author changes is a keyword of the class."""

    max_moves, max_predecessors, size = 2, 2, 12
    data = (np.arange(3), (np.arange(3),))

    @staticmethod
    def successors(position, out, data):
        out[0], out[1] = position - 1, position - 2
        return min(position, 2)

    @staticmethod
    def predecessors(position, out, data):
        out[0], out[1] = position + 1, position + 2
        return min(2, 11 - position)


class Doubling(rs.CompiledGame[int]):
    """Numbers from 1, twice as large at each move, to 1024; their positions are found by a search."""

    max_moves = 1

    def start(self) -> int:
        return 1

    @staticmethod
    def successors(position, out, data):
        out[0] = 2 * position
        return 1 if position < 1000 else 0


def changed(kind: type[rs.CompiledGame[int]], **given: Any) -> rs.CompiledGame[int]:
    """Return a game with other attributes and functions; what takes ``self`` is a method."""
    methods = ("start", "starts", "tier_targets", "text", "texts", "parse", "move_names")
    return type(kind.__name__, (kind,), {
        name: staticmethod(value) if callable(value) and name not in methods else value
        for name, value in given.items()
    })()  # fmt: skip


# -- functions that are wrong -------------------------------------------------------------------------


def overrunning(position, out, data):
    for k in range(5):
        out[k] = 0
    return min(position, 2)


def changing(position, out, data):
    data[0][0] += 1
    return 0


def changing_and_back(position, out, data):
    data[1][0][0] += 1
    data[1][0][0] -= 1
    return 0


def one_more(position, out, data):
    count = Line.successors(position, out, data)
    out[count] = 0
    return count + 1


def reading(position, out, data):
    out[0] = max(position - 1, 0)
    return 1 if out[1] != 0 else 0


def raising(*given):
    return [][given[0]]


def forgetful(position, out, data):
    return Line.predecessors(position, out, data) - (position == 4)


def loose(position, out, data):
    count = Line.predecessors(position, out, data)
    out[count] = position
    return count + 1


def upwards(position, out, data):
    out[0] = position + 1
    return 1 if position < 12 else 0


def below_zero(position, out, data):
    out[0] = position - 12
    return 1


def sharing(position, out, data):
    """From 11 one may also go to 20, whose index is that of 8."""
    count = Line.successors(position, out, data)
    out[count] = 20
    return count + (position == 11)


def across_tiers(position, out, data):
    out[0] = position - 1 if position != 499_999 else 500_000
    return 1 if position > 0 else 0


def past_the_end(position, out, data):
    out[0], out[1] = position + 1, position + 2
    return 2


def from_twice(position, out, data):
    out[0], out[1] = position % 12 - 1, position % 12 - 2
    return min(position % 12, 2)


def to_twice(position, out, data):
    """Predecessors are also written 12 further on, where they play alike and have the same index."""
    count = Line.predecessors(position, out, data)
    for k in range(count):
        out[count + k] = out[k] + 12
    return 2 * count


def far(position, out, data):
    out[0] = position * 2 if position < 2**60 else -5
    return 1


def past_a_table(position, out, data):
    if position == 4:
        out[1000] = 1
    return Line.successors(position, out, data)


NONE_AT_4 = {"terminal": lambda p, data: INVALID if p == 4 else 0}
BACKWARDS = {"rank": lambda p, data: 11 - p, "unrank": lambda i, data: 11 - i}
WRAPPED = {"rank": lambda p, data: p % 12, "unrank": lambda i, data: i}
ALONE = {"predecessors": None}
SIDES = {"side_to_move": lambda p: p % 2}
FOUND = {"size": None, "start": lambda self: 11}

LONG = ALONE | {"size": 10**6, "tiers": (0, 500_000), "successors": across_tiers}

BREACHES: dict[str, dict[str, Any]] = {
    "no moves at most": {"max_moves": 0},
    "2^32 moves at most": {"max_moves": 2**32},
    "no predecessors at most": {"max_predecessors": 0},
    "size 0": {"size": 0},
    "size 2.5": {"size": 2.5},
    "size 2^63": {"size": 2**63},
    "no start and no size": {"size": None},
    "a start below 0": FOUND | {"start": lambda self: -3},
    "a start that is no whole number": {"start": lambda self: 2.5},
    "a start that raises": FOUND | {"start": lambda self: 1 // 0},
    "a start that is no position": {"start": lambda self: 4, **NONE_AT_4},
    "a start that is no position, though its form is one": ALONE | {"size": None, "start": lambda self: 13, "canonical": lambda p, data: 11 if p == 13 else p, "terminal": lambda p, data: INVALID if p > 11 else 0},
    "tiers that fall": {"tiers": (0, 5, 3)},
    "tiers that do not begin at 0": {"tiers": (1, 5)},
    "tiers past the size": {"tiers": (0, 12)},
    "moves to a later tier": {"tiers": (0, 5), **BACKWARDS},
    "successors write too much": {"successors": overrunning},
    "successors write one move too many": {"successors": one_more},
    "successors below 0": {"successors": lambda p, out, data: -1},
    "successors that are no whole number": {"successors": lambda p, out, data: 0.5},
    "successors raise": {"successors": raising},
    "successors read what they have not written": {"successors": reading, **ALONE},
    "successors change data": {"successors": changing, **ALONE},
    "successors change data and back": {"successors": changing_and_back, **ALONE},
    "a move below 0": {"successors": below_zero, **ALONE},
    "a move without an index": {"successors": upwards, **ALONE},
    "a move to what has the index of another": {"max_moves": 3, "successors": sharing, **WRAPPED, **ALONE},
    "a move to no position": NONE_AT_4,
    "data with a list": {"data": (np.arange(3), [1, 2])},
    "data in a dictionary": {"data": {"a": 1}},
    "data past 64 bits": {"data": (2**63,)},
    "an array past 63 bits": {"data": (np.array([7, 2**64 - 1], np.uint64),)},
    "terminal 9": {"terminal": lambda p, data: 9},
    "terminal that is no whole number": {"terminal": lambda p, data: 1.5},
    "terminal raises": {"terminal": raising},
    "a player 2": {"player": lambda p, data: 2},
    "a player that is no whole number": {"player": lambda p, data: 1.5},
    "rank without unrank": {"rank": lambda p, data: p},
    "rank that unrank does not invert": BACKWARDS | {"rank": lambda p, data: 12 - p},
    "two indices of one position": {"rank": lambda p, data: p, "unrank": lambda i, data: i % 12, "size": 13},
    "unrank below 0": {"unrank": lambda i, data: -1, "rank": lambda p, data: p},
    "canonical below 0": {"canonical": lambda p, data: -p},
    "canonical forms that are not alike": {"canonical": lambda p, data: p - p % 2, **ALONE},
    "predecessors write nothing": {"predecessors": lambda p, out, data: 0},
    "predecessors forget one": {"predecessors": forgetful},
    "predecessors write too much": {"predecessors": overrunning},
    "predecessors write one that has no move there": {"max_predecessors": 3, "predecessors": loose},
    "predecessors write what is no position": WRAPPED | {"predecessors": past_the_end, "terminal": lambda p, data: INVALID if p > 11 else 0},
    "predecessors write what has the index of another": WRAPPED | {"max_predecessors": 4, "successors": from_twice, "predecessors": to_twice},
    "exchanged has the same player": SIDES | {"exchanged": lambda p: p},
    "exchanged has other moves": SIDES | {"exchanged": lambda p: p ^ 1},
    "dice and predecessors": {"outcomes": raising},
    "dice of 10^6 outcomes": {"outcomes": raising, "max_outcomes": 10**6, **ALONE},
    "indices of predecessors alone": {"predecessor_indices": raising, **ALONE},
    "a move name raises": {"move_name": raising},
}  # fmt: skip
SEARCHED: dict[str, dict[str, Any]] = {
    "start 2.0": {"start": lambda self: 2.0},
    "terminal 7": {"terminal": lambda p, data: 7},
    "no terminal at 1": {"terminal": lambda p, data: LOSS if p == 2 else None},
    "no terminal at 512": {"terminal": lambda p, data: None if p == 512 else 0},
    "1 is no position": {"terminal": lambda p, data: INVALID},
    "5 moves": {"successors": lambda p, out, data: 5},
    "a move below 0 far away": {"successors": far},
}
METHODS: dict[str, dict[str, Any]] = {
    "successors with self": {"successors": lambda self, p, out, data: 0},
    "terminal with self": {"terminal": lambda self, p, data: 0},
}


# -- texts --------------------------------------------------------------------------------------------


class Written(Line):
    """Points written as marks: the last of them is where the token is."""

    def text(self, position):
        return "." * position + "o"

    def parse(self, text):
        if not text.endswith("o") or set(text[:-1]) - {"."} or len(text) > 12:
            raise rs.PositionError(f"{text!r} is no position: expected dots and an o")
        return len(text) - 1


WRITTEN: dict[str, dict[str, Any]] = {
    "parse gives another position": {"parse": lambda self, text: 2 * len(text) - 2},
    "parse raises for a position": {"parse": lambda self, text: int(text)},
    "parse takes any text": {"parse": lambda self, text: len(text) - 1},
    "texts of many differ": {"texts": lambda self, positions: ["o"] * len(positions)},
    "texts of many are missing": {"texts": lambda self, positions: []},
    "names of many differ": {"move_names": lambda self, positions, targets, results: ["a move"] * len(targets)},
}  # fmt: skip


# -- the table ------------------------------------------------------------------------------------------


def rows(kind: type[rs.CompiledGame[int]], table: dict[str, dict[str, Any]]) -> dict[str, Input]:
    return {name: both(lambda given=given: changed(kind, **given)) for name, given in table.items()}


CHECKED = {
    "moves to a later tier of many positions": changed(Line, **LONG),
    "successors write nothing": changed(Line, successors=lambda p, out, data: 1),
}
SPLIT = rs.Graph.from_edges([0, 2], [1, 1], 4)

INPUTS: dict[str, Input] = {
    **rows(Line, BREACHES),
    **rows(Doubling, SEARCHED),
    **{name: both(type("Line", (Line,), given)) for name, given in METHODS.items()},
    **rows(Written, WRITTEN),
    **{name: lambda _, game=game: rs.check_game(game, samples=10) for name, game in CHECKED.items()},
    "moves past the end of out": lambda _: rs.solve(changed(Line, successors=past_a_table)),
    "moves out of a component": both(lambda: CompiledGraphGame(SPLIT, tiers=(0,), component_size=2)),
    "a component that divides nothing": both(lambda: CompiledGraphGame(SPLIT, component_size=5)),
    "the class of a game": lambda _: rs.solve(Line),  # type: ignore[call-overload]
    "a number past the size": lambda _: rs.solve(Line())[99],
    "perft from a number past the size": lambda _: rs.perft(Line(), 1, position=2**62),
    "perft of moves that raise": lambda _: rs.perft(changed(Line, successors=raising), 1, position=3),
}
