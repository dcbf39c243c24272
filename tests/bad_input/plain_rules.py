"""Plain rules that break their contract, as a check and a solve see them, and texts of no position."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import networkx as nx
import pandas as pd
from scipy import sparse

import retrosolve as rs
from retrosolve.drawing.picture import Picture
from retrosolve.games.tictactoe import TicTacToe
from tests.bad_input import Input

Rule = Callable[..., Any]


class Ring(rs.Game[Any]):
    """Twelve points in a ring, one or two steps on; 0 is won. What an author changes is a keyword."""

    def __init__(self, **rules: Any) -> None:
        self.changed = rules
        vars(self).update(rules)

    def start(self) -> Any:
        return 5

    def moves(self, p: Any) -> Any:
        return [(f"{k}", (p + k) % 12) for k in (1, 2)]

    def terminal(self, p: Any) -> Any:
        return rs.Value.LOSS if p == 0 else None

    def implements(self, name: str) -> bool:
        return name in self.changed or super().implements(name)


class Stack:
    """A position that its own rules change."""

    def __init__(self, *items: int) -> None:
        self.items = items

    def __repr__(self) -> str:
        return f"Stack{self.items}"

    def __hash__(self) -> int:
        return 7

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stack) and self.items == other.items

    def popping(self) -> list[Any]:
        self.items = self.items[:-1]
        return []


class Plain:
    """A position that is equal to itself only, and whose repr says so."""

    def __init__(self, n: int) -> None:
        self.n = n


class Unequal(Plain):
    """The same, and the repr does not say so."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.n})"


class Silent(Plain):
    """A position that cannot be shown."""

    def __repr__(self) -> str:
        raise ValueError("no repr")


class Scattered(Unequal):
    """Equal positions whose hash depends on how they were come by."""

    def __init__(self, n: int, number: int) -> None:
        self.n, self.number = n, number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scattered) and self.n == other.n

    def __hash__(self) -> int:
        return self.number


@dataclass(unsafe_hash=True)
class Visited:
    """A position that counts its visits."""

    n: int
    visits: int = field(default=0, compare=False)


def visiting() -> dict[str, Any]:
    """The last position notes its visits on the first."""
    first = Visited(3)

    def moves(p: Visited) -> list[Any]:
        first.visits += p.n == 0
        return [("down", Visited(p.n - 1))] if p.n else []

    return {"start": lambda: first, "moves": moves, "terminal": lambda p: None}


class Wide(rs.Game[int]):
    """A tree of 3,000 inner nodes whose leaves are won and lost in turn, with other forms of some."""

    def __init__(self, forms: dict[int, int]) -> None:
        self.forms = forms

    def start(self) -> int:
        return 0

    def moves(self, n: int) -> list[tuple[str, int]]:
        return [("left", 2 * n + 1), ("right", 2 * n + 2)]

    def terminal(self, n: int) -> rs.Value | None:
        return None if n < 3000 else rs.Value.WIN if n % 2 else rs.Value.LOSS

    def canonical(self, n: int) -> int:
        return self.forms.get(n, n)


def by_functions(start: Any, moves: Rule, **rules: Any) -> Ring:
    """A game without terminal positions."""
    return Ring(start=lambda: start, moves=moves, terminal=lambda p: None, **rules)


def falling(make: Rule) -> dict[str, Any]:
    """A number that falls to 0, in positions made by ``make``."""
    return {
        "start": lambda: make(5),
        "moves": lambda p: [(f"take {k}", make(p.n - k)) for k in (1, 2) if k <= p.n],
        "terminal": lambda p: None,
    }


def scattered() -> dict[str, Any]:
    made = itertools.count()
    return falling(lambda n: Scattered(n, next(made)))


def raising(*given: Any) -> Any:
    raise KeyError("oops")


def counting(rule: Rule) -> Rule:
    """A rule that is told how often it was asked before."""
    calls = itertools.count()
    return lambda p: rule(p, next(calls))


def later() -> Rule:
    """Moves that are other ones once another position was asked for."""
    asked: list[int] = []
    return lambda p: asked.append(p) or [("on", (p + 1 + (p == 5 and 7 in asked)) % 12)]


def breaches() -> dict[str, dict[str, Any]]:
    """What is wrong with a ring, made anew: some rules remember what they were asked for."""
    used = iter([("on", 3)])
    return {
        "the start raises": {"start": raising},
        "starts are a number": {"starts": lambda: 5},
        "a start that is a list": {"start": lambda: (1, [2])},
        "moves raise": {"moves": lambda p: [("a", 1 // (p - 5))]},
        "moves raise while they are made": {"moves": lambda p: (raising() for _ in "a")},
        "moves are a number": {"moves": lambda p: 7},
        "a move that is text": {"moves": lambda p: ["ab"]},
        "a move of three": {"moves": lambda p: [("a", 1, 2)]},
        "a move to a list": {"moves": lambda p: [("a", [p])]},
        "moves without an end": {"moves": lambda p: itertools.repeat(("a", p))},
        "moves that are used up": {"moves": lambda p: used},
        "moves by the number of calls": {"moves": counting(lambda p, n: [("a", p % 3), ("b", n % 3)])},
        "moves that another position changes": {"moves": later()},
        "terminal is a draw": {"terminal": lambda p: rs.Value.DRAW},
        "terminal is True": {"terminal": lambda p: True},
        "terminal is a number": {"terminal": lambda p: 1},
        "terminal changes": {"terminal": counting(lambda p, n: (rs.Value.WIN, rs.Value.LOSS)[n % 2])},
        "terminal comes later": {"terminal": counting(lambda p, n: rs.Value.WIN if n % 3 else None)},
        "a player 3": {"player": lambda p: 3},
        "a player True": {"player": lambda p: True},
        "player changes": {"player": counting(lambda p, n: n // 12 % 2)},
        "canonical is a list": {"canonical": lambda p: [p]},
        "canonical changes": {"canonical": counting(lambda p, n: p if n % 7 else -p)},
        "canonical of canonical": {"canonical": lambda p: (p + 1) % 12},
        "canonical changes terminal": {"canonical": lambda p: 0},
        "canonical changes the player": {"canonical": lambda p: p - p % 2, "player": lambda p: p % 2},
        "canonical changes moves": {"canonical": lambda p: p - p % 2, "moves": lambda p: [("on", (p + 3) % 12)]},
        "a position that moves change": {"start": lambda: Stack(1, 2), "moves": Stack.popping},
        "a position without ==": falling(Unequal),
        "a position without == and repr": falling(Plain),
        "a position that cannot be shown": {"start": lambda: Silent(1), "moves": raising, "terminal": lambda p: None},
        "a position that later moves change": visiting(),
        "equal positions of other hashes": scattered(),
    }  # fmt: skip


def told(ask: Rule, game: Any) -> str:
    """What is said of a game, or that it is solved."""
    try:
        answer = ask(game)
        shown = "solved" if isinstance(answer, rs.Solution) else str(answer)
    except rs.RetrosolveError as error:
        shown = str(error)
    return re.sub(" at 0x[0-9a-f]+", "", shown)


def both(make: Callable[[], Any]) -> Input:
    """Check and solve a game, made anew."""

    def meet(_: object) -> str:
        check, solve = told(rs.check_game, make()), told(rs.solve, make())
        return check if check == solve else f"{check} | solve: {solve}"

    return meet


# -- moves that can be read in two ways, or lead to one object ----------------------------------------


class Bare(rs.Game[Any]):
    """Heaps; moves without names, the positions alone."""

    def __init__(self, *heaps: int) -> None:
        self.heaps = heaps

    def start(self) -> Any:
        return self.heaps

    def moves(self, heaps: Any) -> list[Any]:
        return [(*heaps[:i], k, *heaps[i + 1 :]) for i in range(len(heaps)) for k in range(heaps[i])]


class Shrinking(Bare):
    """Heaps that are used up leave the position: three heaps, then two."""

    def moves(self, heaps: Any) -> list[Any]:
        return [tuple(h for h in after if h) for after in super().moves(heaps)]


class Cells(tuple[int, ...]):
    """A tuple of a class of its own."""


class ShrinkingCells(Shrinking):
    """The same with positions that are no tuples but cells."""

    def start(self) -> Any:
        return Cells(self.heaps)

    def moves(self, heaps: Any) -> list[Any]:
        return list(map(Cells, super().moves(heaps)))


class Lower(rs.Game[Any]):
    """Moves with names only after the 2,000th position."""

    def start(self) -> int:
        return 0

    def moves(self, n: int) -> list[object]:
        return [n + 1] if n < 2000 else [("on", n + 1)]


@dataclass(unsafe_hash=True)
class Heap:
    """Stones that can be taken and put back."""

    n: int


class Unmade(rs.Game[Any]):
    def start(self) -> Any:
        return Heap(3)

    def moves(self, position: Any) -> Any:
        for k in (1, 2):
            position.n -= k
            yield f"take {k}", position
            position.n += k


class Collected(Unmade):
    def moves(self, position: Any) -> Any:
        return list(super().moves(position))


class Twins(Unmade):
    end = Heap(0)

    def moves(self, position: Any) -> Any:
        return [("left", self.end), ("right", self.end)] if position.n else []


class Passing(Twins):
    def moves(self, position: Any) -> Any:
        yield "pass", position


# -- texts and pictures -------------------------------------------------------------------------------


class Pairs(rs.Game[Any]):
    def start(self) -> tuple[str, str]:
        return "BBB", "..."

    def moves(self, position: Any) -> list[Any]:
        return [("swap", position[::-1])]

    def text(self, position: Any) -> str:
        return "/".join(position)


class FoldedPairs(Pairs):
    def canonical(self, position: Any) -> Any:
        return tuple(sorted(position))


class ParsedPairs(Pairs):
    def parse(self, text: str) -> Any:
        one, other = text.split("/")
        return one, other


class Anonymous(rs.Game[Any]):
    """A heap of stones whose text leaves out who moves."""

    def start(self) -> tuple[int, int]:
        return 3, 0

    def moves(self, position: tuple[int, int]) -> list[Any]:
        heap, who = position
        return [(f"take {k}", (heap - k, 1 - who)) for k in (1, 2) if k <= heap]

    def player(self, position: tuple[int, int]) -> int:
        return position[1]

    def text(self, position: tuple[int, int]) -> str:
        return f"heap {position[0]}"


class Marked(rs.Game[int]):
    """Two moves from 2, one from 1; each number is a point."""

    def __init__(self, svg: Any = None, points: Any = None) -> None:
        self.given, self.points = svg, points

    def start(self) -> int:
        return 2

    def moves(self, n: int) -> list[tuple[str, int]]:
        return [(f"to {m}", m) for m in range(n)]

    def svg(self, n: int) -> Any:
        picture = Picture(100, 24, f"{n} & <more>")
        picture.point("b c", 90, 0, 24, 24)
        for m in range(n):
            picture.point(str(m), 24 * m, 0, 24, 24)
        return str(picture) if self.given is None else self.given

    def move_points(self, n: int, target: int) -> Any:
        return self.points(n, target) if self.points else (str(target),)


PICTURES = {
    "a picture that is no XML": {"svg": "<svg><text>a & b</text></svg>"},
    "a picture that is no svg": {"svg": "<g></g>"},
    "a picture that is a number": {"svg": 7},
    "a point that is not in the picture": {"svg": "<svg/>"},
    "points that are text": {"points": lambda n, target: "0"},
    "points with a blank": {"points": lambda n, target: ("b c",)},
    "no points": {"points": lambda n, target: None},
    "points of another move": {"points": lambda n, target: ("0",)},
    "points that begin as those of another move": {"points": lambda n, target: ("0", "1")[: target + 1]},
}  # fmt: skip
SUBJECTS: tuple[Any, ...] = (
    nx.DiGraph([(0, 1)]), sparse.eye_array(3), pd.DataFrame({"a": [0], "b": [1]}), {0: [1]}, [(0, 1)],
    "g.csv", TicTacToe,
)  # fmt: skip
GAMES = (
    "stone", "stones:m=3", "stones:n", "stones:n=x", "stones:n=1000000000", "stones:n=-1",
    "stones:n=1,n=2", "stones:take=1+", "stones:take=0", "tictactoe:n=3",
)  # fmt: skip


def look_up(game: Any, text: Any) -> Input:
    return lambda _: rs.solve(game)[text]


INPUTS: dict[str, Input] = {
    **{name: both(lambda name=name: Ring(**breaches()[name])) for name in breaches()},
    "no start": both(rs.Game),
    "no moves": both(type("NoMoves", (rs.Game,), {"start": lambda self: 0})),
    "a puzzle without solved": both(type("Nothing", (rs.Puzzle,), {"start": lambda self: 0})),
    "a move is taken back after it is yielded": both(Unmade),
    "all moves of a list are one object": both(Collected),
    "two moves to one object": both(Twins),
    "a move to the object that was passed": both(Passing),
    "moves that may be positions or names": both(lambda: Bare(2, 1)),
    "moves to pairs and others": both(lambda: Shrinking(2, 1, 1)),
    "moves to pairs of another class": both(lambda: ShrinkingCells(*(1,) * 9)),
    "moves with names late": both(Lower),
    **{name: lambda _, given=given: rs.check_game(Marked(**given)) for name, given in PICTURES.items()},
    "canonical changes a result that no sample shows": lambda _: rs.check_game(Wide({5995: 5996}), samples=100),
    "a canonical form that is never reached": lambda _: rs.check_game(Wide({2997: 2998}), samples=100),
    "text of no position": look_up(Pairs(), "BBB/.../W"),
    "text of no representative": look_up(FoldedPairs(), "BBB/..."),
    "text that parse refuses": look_up(ParsedPairs(), "BBB/.../W"),
    "text of a position that is not reached": look_up(ParsedPairs(), "WWW/..."),
    "a position that is not reached": look_up(rs.game("stones:n=5"), [1]),
    "text of two positions": look_up(Anonymous(), "heap 1"),
    "text of two positions among others": lambda _: rs.solve(Anonymous()).outcomes(["heap 1"]),
    "text that tells positions not apart": both(Anonymous),
    "text that is a number": lambda _: rs.check_game(Ring(text=lambda p: p)),
    "more positions than the limit": lambda _: rs.solve(rs.game("stones:n=10"), limit=10),
    "a graph above the limit": lambda _: rs.solve(rs.Graph.from_edges([0, 1], [1, 2]), limit=2),
    "perft from text that parse refuses": lambda _: rs.perft(Ring(parse=int), 1, position="five"),
    "perft of half a ply": lambda _: rs.perft(Ring(), 0.5),  # type: ignore[arg-type]
    **{
        f"solve a {type(subject).__name__}": lambda _, s=subject: told(rs.solve, s)
        for subject in SUBJECTS
    },
    **{f"game {text}": lambda _, text=text: rs.game(text) for text in GAMES},
}  # fmt: skip
