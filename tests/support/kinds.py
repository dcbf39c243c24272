"""Positions of every kind, wide random games with them, and their answers by the definition alone."""

from __future__ import annotations

import datetime
import enum
import math
import random
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import numpy as np

import retrosolve as rs
from retrosolve.values import Value

Make = Callable[[int], Any]


class Point(NamedTuple):
    x: int
    y: Any


class Number(int):
    pass


class Text(str):
    __slots__ = ()


class Real(float):
    pass


class Data(bytes):
    pass


class Cells(tuple[int, ...]):
    __slots__ = ()


class Men(frozenset[int]):
    pass


class Side(enum.Enum):
    LEFT = 0
    RIGHT = 1


class Rank(enum.IntEnum):
    LOW = 0
    HIGH = 1


class Options(enum.Flag):
    ONE = 1
    TWO = 2


@dataclass(frozen=True)
class Board:
    men: Any
    turn: int


class Slots:
    """Equal by content, without a dictionary."""

    __slots__ = ("v",)

    def __init__(self, v: int) -> None:
        self.v = v

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Slots) and self.v == other.v

    def __hash__(self) -> int:
        return hash(self.v)


class Same:
    """Equal to itself only, like all objects without __eq__."""


class Calling(NamedTuple):
    """What pickle does not take."""

    v: int
    rule: Callable[[int], int]


SAME = [Same() for _ in range(4000)]
RULE = lambda v: v  # noqa: E731  # a function without a name that pickle could look up
DAY = datetime.date(2000, 1, 1)


def digits(v: int) -> tuple[int, ...]:
    return tuple(v // 3**i % 3 for i in range(8))


KINDS: dict[str, Make] = {
    "int": lambda v: v,
    "negative int": lambda v: -v - 1,
    "large int": lambda v: v << 100,
    "str": str,
    "str with surrogates": lambda v: f"{v}\udc80",
    "bytes": lambda v: b"%d" % v,
    "float": lambda v: v / 7,
    "negative zero": lambda v: (-0.0, v),
    "infinity": lambda v: (math.inf, v),
    "complex": lambda v: complex(v, -0.0),
    "bools": lambda v: tuple(bool(v >> i & 1) for i in range(12)),
    "None and Ellipsis": lambda v: (None, ..., v),
    "tuple": lambda v: (v, str(v), v * 1.5),
    "nested tuples": lambda v: ((v, (v,)), ((), b"s"), "ss"),
    "frozenset": lambda v: frozenset((v, -1)),
    "frozenset of tuples": lambda v: frozenset(((v, 1), (1, v))),
    "np.int8": lambda v: tuple(map(np.int8, digits(v))),
    "np.int64": np.int64,
    "np.uint64": lambda v: np.uint64(v + 2**63),
    "np.float32": np.float32,
    "np.float64": lambda v: (np.float64(v), 1),
    "np.bool_": lambda v: tuple(np.bool_(v >> i & 1) for i in range(12)),
    "np.str_": np.str_,
    "np.bytes_": lambda v: (np.bytes_(b"%d" % v), v),
    "np.complex128": np.complex128,
    "np.datetime64": lambda v: np.datetime64(v, "D"),
    "frozenset of NumPy numbers": lambda v: frozenset((np.int16(v), np.int16(-1))),
    "NumPy and Python numbers": lambda v: (np.int64(v) if v % 3 else v, v),
    "namedtuple": lambda v: Point(v, v),
    "namedtuple of NumPy numbers": lambda v: Point(v, np.int32(v)),
    "Enum": lambda v: (Side(v % 2), v),
    "IntEnum": lambda v: (Rank(v % 2), v),
    "Flag": lambda v: (Options(v % 4), v),
    "subclass of int": Number,
    "subclass of str": Text,
    "subclass of float": Real,
    "subclass of bytes": lambda v: Data(b"%d" % v),
    "subclass of tuple": lambda v: Cells((v, v)),
    "subclass of frozenset": lambda v: Men((v, -1)),
    "frozen dataclass": lambda v: Board((v, v), 1),
    "frozen dataclass of NumPy numbers": lambda v: Board((np.int8(v % 100), v), 1),
    "object with slots": Slots,
    "Fraction": lambda v: Fraction(v, 7),
    "Decimal": lambda v: Decimal(v) / 8,
    "date": lambda v: DAY + datetime.timedelta(v),
    "UUID": lambda v: uuid.UUID(int=v),
    "path": lambda v: PurePosixPath(str(v)),
    "range": lambda v: range(v + 1),
    "a tuple of all kinds": lambda v: (
        v,
        str(v),
        np.int64(v),
        frozenset({(np.str_(v), Side.LEFT)}),
        0.5,
    ),
}

# What does not come back equal from another process.
UNSENDABLE: dict[str, tuple[Make, str]] = {
    "memoryview": (lambda v: memoryview(b"%d" % v), "TypeError: cannot pickle .*"),
    "function": (lambda v: Calling(v, RULE), r"\w*Error: .*"),
    "identity": (lambda v: SAME[v], "pickle makes <.*Same object at .*> of it"),
    "nan": (lambda v: (math.nan, v), r"pickle makes \(nan, \d+\) of it"),
}


def typed(item: Any) -> Any:
    """What an object is, types included, so that == tells whether two are the same."""
    if isinstance(item, tuple):
        return type(item), tuple(map(typed, item))
    if isinstance(item, frozenset):
        return type(item), frozenset(map(typed, item))
    if is_dataclass(item):
        return type(item), tuple(typed(getattr(item, field.name)) for field in fields(item))
    return type(item), repr(item) if isinstance(item, float) else item


class KindGame(rs.Game):
    """A graph as plain rules, started at vertex 0; its positions are of one kind."""

    def __init__(self, graph: rs.Graph, make: Make) -> None:
        self.graph, self.make = graph, make
        self.vertex = {make(v): v for v in range(graph.num_vertices)}

    def start(self) -> Any:
        return self.make(0)

    def moves(self, position: Any) -> list[tuple[str, Any]]:
        return [(f"to {w}", self.make(w)) for w in self.graph.neighbors(self.vertex[position]).tolist()]

    def terminal(self, position: Any) -> Value | None:
        assert self.graph.terminals is not None
        code = int(self.graph.terminals[self.vertex[position]])
        return Value(code) if code else None

    def player(self, position: Any) -> int:
        assert self.graph.owner is not None
        return int(self.graph.owner[self.vertex[position]])

    def implements(self, name: str) -> bool:
        return self.graph.owner is not None if name == "player" else super().implements(name)


def wide_graph(seed: int, vertices: int, owned: bool | None = None) -> rs.Graph:
    """A random graph, hundreds of whose vertices have the same distance from vertex 0.

    It has owners, has none, or either at random.
    """
    rng = random.Random(seed)
    degrees = [rng.choice((0, 1, 2, 3, 3, 4, 5)) if v else 4 for v in range(vertices)]
    edges = [(v, rng.randrange(vertices)) for v in range(vertices) for _ in range(degrees[v])]
    ends = [rng.choice((1, 2, 3)) if v and rng.random() < 0.05 else 0 for v in range(vertices)]
    owned = rng.random() < 0.5 if owned is None else owned
    owner = [rng.randrange(2) for _ in range(vertices)] if owned else None
    return rs.Graph.from_edges(edges, vertices=vertices, owner=owner, terminal=ends)


def answers(graph: rs.Graph) -> list[tuple[int, int]]:
    """The value and remoteness of each vertex, by rounds over all of them."""
    rows = [graph.neighbors(v).tolist() for v in range(graph.num_vertices)]
    ends = [0] * len(rows) if graph.terminals is None else graph.terminals.tolist()
    found: dict[int, tuple[int, int]] = {}
    for v, row in enumerate(rows):
        if ends[v] or not row:
            found[v] = ends[v] or int(Value.LOSS), 0

    def seen(v: int, w: int) -> int:
        """What the value of w is to the player at v, 0 as long as it is unknown."""
        value = found.get(w, (0, 0))[0]
        flips = graph.owner is None or graph.owner[v] != graph.owner[w]
        return {1: 2, 2: 1}.get(value, value) if flips else value

    def rounds(rule: Callable[[list[int]], int]) -> None:
        depth, new = 0, {0: (0, 0)}
        while new:
            depth += 1
            new = {}
            for v, row in enumerate(rows):
                value = 0 if v in found else rule([seen(v, w) for w in row])
                if value:
                    new[v] = value, depth
            found.update(new)

    rounds(lambda views: 1 if 1 in views else 2 if set(views) == {2} else 0)
    rounds(lambda views: 3 if 3 in views else 0)
    return [found.get(v, (0, -1)) for v in range(len(rows))]


def breadth_first(graph: rs.Graph) -> list[int]:
    """The vertices that play from vertex 0 reaches, in the order in which it does."""
    order = {0: None}
    todo: Iterable[int] = [0]
    while todo:
        known = len(order)
        for v in todo:
            if graph.terminals is None or not graph.terminals[v]:
                order |= dict.fromkeys(w for w in graph.neighbors(v).tolist() if w not in order)
        todo = list(order)[known:]
    return list(order)
