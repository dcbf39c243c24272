"""A race on any graph: a die says how many edges to follow, and who reaches the goal first wins.

The goal may be reached with fewer edges than the die says. Where no way is as long, the player stays.
With ``hits=yes`` a player goes back to the start if the other one moves to where he is.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import pi
from typing import Any, NamedTuple

import numpy as np

from retrosolve.drawing.graphs import draw_edge
from retrosolve.drawing.picture import CELL, Picture, ring
from retrosolve.errors import PositionError, RulesError
from retrosolve.rules.contract import INVALID, LOSS, NOT_TERMINAL, CompiledGame

LADDERS = "0-1-2-3-4-5-6-7-8-9-10-11-12+2-7+5-9+10-4"
MOST_VERTICES, LARGEST_DIE = 1000, 20
MOST_DRAWN = 60
DISC, TOKEN = 0.42 * CELL, 13.0


class Tables(NamedTuple):
    """The graph as numbers.

    Parameters
    ----------
    vertices, die, hits : int
    starts : int64 [vertices * die + 1]
        Where the vertices begin that each vertex leads to, by the throw.
    ends : int64
        Those vertices. The start is vertex 0, the goal the last one.
    """

    vertices: int
    die: int
    hits: int
    starts: Any
    ends: Any


class Race(CompiledGame):
    """Where both players are, first who throws.

    Parameters
    ----------
    edges : str or iterable of (hashable, hashable)
        Ways such as ``a-b-c``, joined by ``+``, or pairs of names. They lead in one direction. Play
        begins at the first vertex that is named; the goal is the last vertex of the first way, or of
        the pairs.
    die : int
        The faces of the die, 1 to 20.
    hits : bool
        Whether who is moved upon goes back to the start.

    Raises
    ------
    RulesError
        For other parameters, and for a goal with a way on.

    Examples
    --------
    By the shortcut a 2 leads to the goal at once:

    >>> import retrosolve as rs
    >>> solution = rs.solve(Race("a-b-c-d-goal+a-d", die=2))
    >>> print(solution[solution.start], solution["d,a"], sep=", ")
    75 %, 100 %
    """

    def __init__(
        self, edges: str | Iterable[tuple[Any, Any]] = LADDERS, die: int = 3, hits: bool = False
    ) -> None:
        if not 1 <= die <= LARGEST_DIE:
            raise RulesError(f"die={die}: expected 1 to {LARGEST_DIE}")
        ways = _ways(edges)
        goal = ways[0][-1] if isinstance(edges, str) else ways[-1][-1]
        named = dict.fromkeys(name for way in ways for name in way)
        self.names = [name for name in named if name != goal] + [goal]
        self.edges, self.die, self.hits = edges, die, hits
        n, number = len(self.names), {name: v for v, name in enumerate(self.names)}
        follow: list[set[int]] = [set() for _ in range(n)]
        for way in ways:
            for tail, head in pairwise(way):
                follow[number[tail]].add(number[head])
        if n > MOST_VERTICES or follow[n - 1] or n < 2:
            raise RulesError(
                f"a race on {n} vertices to {goal}: expected 2 to {MOST_VERTICES}, and no way on from "
                "there"
            )
        rows: list[list[int]] = []
        for v in range(n):
            reached, over = {v}, set[int]()
            for _ in range(die):
                reached = {w for u in reached for w in follow[u]}
                over |= reached & {n - 1}
                rows.append(sorted(reached | over) or [v])
        self.followed = [(v, w) for v in range(n) for w in sorted(follow[v]) if v != w]
        self.max_moves, self.max_outcomes = max(map(len, rows)), die
        starts = np.cumsum([0, *map(len, rows)])
        self.size = n * n
        self.data = Tables(n, die, int(hits), starts, np.array([w for row in rows for w in row]))

    def start(self) -> int:
        """Return the position with both players at the first vertex."""
        return 0

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        """Return LOSS if the other player has reached the goal."""
        if position // data.vertices == data.vertices - 1:
            return INVALID
        return LOSS if position % data.vertices == data.vertices - 1 else NOT_TERMINAL

    @staticmethod
    def outcomes(position: int, out: Any, weights: Any, data: Any) -> int:
        """Write the faces of the die."""
        for face in range(data.die):
            out[face] = position + (face + 1) * data.vertices * data.vertices
            weights[face] = 1
        return int(data.die)

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        """Write the positions after each way, as the other player sees them."""
        n = data.vertices
        face, before = position // (n * n) - 1, position % (n * n)
        mine, theirs = before // n, before % n
        first = data.starts[mine * data.die + face]
        count = int(data.starts[mine * data.die + face + 1] - first)
        for k in range(count):
            end = data.ends[first + k]
            is_hit = data.hits > 0 and end == theirs and end != mine
            out[k] = end if is_hit else theirs * n + end
        return count

    # -- text -------------------------------------------------------------------------------------

    def text(self, position: int) -> str:
        """Return where both players are, first who throws."""
        mine, theirs = divmod(position, len(self.names))
        return f"{self.names[mine]},{self.names[theirs]}"

    def parse(self, text: str) -> int:
        """Return the position of a text. Raises PositionError."""
        number = {str(name): v for v, name in enumerate(self.names)}
        mine, _, theirs = text.partition(",")
        if mine not in number or theirs not in number or mine == str(self.names[-1]):
            raise PositionError(
                f"{text!r} is no position: expected two vertices, such as {self.text(0)}"
            )
        return number[mine] * len(self.names) + number[theirs]

    def outcome_name(self, position: int, outcome: int) -> str:
        """Return the face of the die."""
        return str(outcome // len(self.names) ** 2)

    def move_name(self, position: int, target: int) -> str:
        """Return the vertex that the move leads to."""
        return str(self.names[target % len(self.names)])

    # -- picture ----------------------------------------------------------------------------------

    turns_board = True

    def svg(self, position: int) -> str | None:
        """Return the graph with its vertices on a ring and both players; None for a large one."""
        count = len(self.names)
        if count > MOST_DRAWN:
            return None
        radius = max(2 * CELL, 1.15 * CELL * count / (2 * pi))
        middle = radius + CELL / 2 + 4
        places = ring(count, middle, middle, radius)
        picture = Picture(2 * middle, 2 * middle, f"Race: {self.text(position)}", True)
        picture.rect(0, 0, picture.width, picture.height, "board", radius=8)
        for v, w in self.followed:
            draw_edge(picture, places[v], places[w], DISC, ("stroke", "ink"))
        mine, theirs = divmod(position, count)
        for v, (x, y) in enumerate(places):
            name, is_goal = str(self.names[v]), v == count - 1
            picture.disc(x, y, DISC, "exit" if is_goal else "cell")
            picture.text(x, y, name, "ink", size=min(14.0, 52.0 / max(len(name), 1)))
            for k, (at, kind) in enumerate(((mine, "mover"), (theirs, "other"))):
                if at == v:
                    shift = (k - 0.5) * TOKEN if mine == theirs else 0
                    picture.disc(x + shift, y, TOKEN, f"piece {kind}")
            picture.point(name, x - CELL / 2, y - CELL / 2, CELL, CELL, name)
        return str(picture)

    def move_points(self, position: int, target: int) -> tuple[str, ...]:
        """Return the vertex that the move leads to."""
        return (self.move_name(position, target),)


def _ways(edges: str | Iterable[tuple[Any, Any]]) -> list[list[Any]]:
    """Return the ways of a graph. Raises RulesError for none."""
    if isinstance(edges, str):
        ways = [way.split("-") for way in edges.split("+")]
    else:
        ways = [list(pair) for pair in edges]
    if not ways or any(len(way) < 2 or "" in way for way in ways):
        raise RulesError(f"edges={edges!r}: expected ways such as a-b-c, joined by +")
    return ways
