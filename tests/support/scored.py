"""Small games of points, their scores by definition, and tiers whose words are widened."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import numpy as np

import retrosolve as rs
from retrosolve.testing.games import copy_row, csr_arrays

STUCK = {"loss": -1, "win": 1, "tie": 0}


class Scored(NamedTuple):
    """A graph with scores as lists: a tier for each vertex, moves as (target, reward)."""

    moves: list[list[tuple[int, int]]]
    payoff: list[int] | None
    terminal: list[int] | None
    owner: list[int] | None
    tier: list[int]
    stuck: str

    def graph(self) -> rs.Graph:
        edges = [(v, w, r) for v, row in enumerate(self.moves) for w, r in row]
        return rs.Graph.from_edges(
            [v for v, _, _ in edges], [w for _, w, _ in edges], len(self.moves), self.owner,
            self.terminal, payoff=self.payoff, reward=[r for *_, r in edges],
        )  # fmt: skip

    def end(self, v: int) -> int | None:
        """Return the points at a vertex where the game is over, None elsewhere."""
        code = 0 if self.terminal is None else self.terminal[v]
        if self.moves[v] and not code:
            return None
        if self.payoff is not None:
            return self.payoff[v]
        return {0: STUCK[self.stuck], 1: 1, 2: -1, 3: 0}[code]

    def same(self, v: int, w: int) -> bool:
        return self.owner is not None and self.owner[v] == self.owner[w]


class Rules(rs.Game):
    """The rules of a graph with scores, from all of its vertices."""

    def __init__(self, game: Scored) -> None:
        self.game = game
        if game.owner is None:
            self.player = None  # type: ignore[assignment]

    def starts(self) -> list[int]:
        return list(range(len(self.game.moves)))

    def moves(self, v: int) -> list[int]:
        return [w for w, _ in self.game.moves[v]]

    def terminal(self, v: int) -> rs.Value | None:
        return rs.Value(self.game.terminal[v]) if self.game.terminal and self.game.terminal[v] else None

    def player(self, v: int) -> int:
        assert self.game.owner is not None
        return self.game.owner[v]

    def implements(self, name: str) -> bool:
        lacks = {"player": self.game.owner is None, "payoff": self.game.payoff is None}
        return super().implements(name) and not lacks.get(name, False)

    def payoff(self, v: int) -> int:
        assert self.game.payoff is not None
        return self.game.payoff[v]

    def reward(self, v: int, w: int) -> int:
        return self.game.moves[v][0][1]  # the same for all moves

    @classmethod
    def of(cls, game: Scored) -> Rules:
        """Return the rules of a graph whose rewards are made equal at each vertex."""
        rows = []
        for v, row in enumerate(game.moves):
            inside = any(game.tier[w] == game.tier[v] for w, _ in row)
            rows.append([(w, 0 if inside else row[0][1]) for w, _ in row])
        return cls(game._replace(moves=rows))


class Generated(rs.CompiledGame):
    """A graph with scores as compiled rules; of several moves to a vertex the last one's reward counts.

    Parameters
    ----------
    game : Scored
    predecessors : bool
        Whether the rules generate them.
    """

    def __init__(self, game: Scored, predecessors: bool) -> None:
        last = [dict(row) for row in game.moves]
        self.game = game._replace(
            moves=[[(w, last[v][w]) for w, _ in row] for v, row in enumerate(game.moves)]
        )
        graph, n = self.game.graph(), len(game.moves)
        zeros = np.zeros(n, np.int64)
        self.data = (
            *csr_arrays(graph), *csr_arrays(graph, reverse=True),
            np.array([r for row in self.game.moves for _, r in row], np.int64),
            zeros if game.payoff is None else np.array(game.payoff, np.int64),
            zeros if game.terminal is None else np.array(game.terminal, np.int64),
            zeros if game.owner is None else np.array(game.owner, np.int64),
        )  # fmt: skip
        self.lacks = {"predecessors": not predecessors, "player": game.owner is None}
        self.lacks["payoff"] = game.payoff is None
        self.size = n
        self.tiers = tuple(v for v in range(n) if v == 0 or game.tier[v] != game.tier[v - 1])
        self.max_moves = max(1, *(len(row) for row in game.moves), 1)
        self.max_predecessors = max(1, int(np.diff(self.data[2]).max()))

    def implements(self, name: str) -> bool:
        return super().implements(name) and not self.lacks.get(name, False)

    def starts(self) -> list[int]:
        return list(range(len(self.game.moves)))

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        return copy_row(data[0], data[1], position, out)

    @staticmethod
    def predecessors(position: int, out: Any, data: Any) -> int:
        return copy_row(data[2], data[3], position, out)

    @staticmethod
    def terminal(position: int, data: Any) -> int:
        return data[6][position]

    @staticmethod
    def player(position: int, data: Any) -> int:
        return data[7][position]

    @staticmethod
    def payoff(position: int, data: Any) -> int:
        return data[5][position]

    @staticmethod
    def reward(position: int, target: int, data: Any) -> int:
        won = 0
        for e in range(data[0][position], data[0][position + 1]):
            if data[1][e] == target:
                won = data[4][e]
        return won


def random_graph(rng: random.Random, largest: int = 8) -> Scored:
    n, most = rng.randint(1, largest), rng.choice([1, 2, 4, 300])
    tier = sorted(rng.randrange(rng.choice([1, 3])) for _ in range(n))
    moves = []
    for v in range(n):
        row = [
            rng.choice([w for w in range(n) if tier[w] <= tier[v]]) for _ in range(rng.randint(0, 4))
        ]
        moves.append(
            [(w, rng.randint(-most, most) * rng.choice([0, 1]) * (tier[w] < tier[v])) for w in row]
        )
    codes = [rng.choice([0, 0, 0, 0, 1, 2, 3]) for _ in range(n)] if rng.random() < 0.5 else None
    over = [not row or bool(codes and codes[v]) for v, row in enumerate(moves)]
    return Scored(
        moves,
        [rng.randint(-most, most) * over[v] for v in range(n)] if rng.random() < 0.7 else None,
        codes,
        [rng.randrange(2) for _ in range(n)] if rng.random() < 0.5 else None,
        tier,
        rng.choice(list(STUCK)),
    )


def forced(game: Scored, v: int, t: int, score: list[int], wins: set[int], loses: set[int]) -> Any:
    """Return whether v wins t by what is known, and whether it loses t."""
    end = game.end(v)
    if end is not None:
        return end >= t, end <= -t
    up, down = False, True
    for w, r in game.moves[v]:
        same = game.same(v, w)
        if game.tier[w] == game.tier[v]:
            up |= w in (wins if same else loses)
            down &= w in (loses if same else wins)
        else:
            seen = r + (score[w] if same else -score[w])
            up |= seen >= t
            down &= seen <= -t
    return up, down


def by_thresholds(game: Scored) -> list[int]:
    """Return the points of each vertex by their definition: the most t that a player can force.

    That is a least fixed point for each t and tier, with the scores of earlier tiers as they are.
    """
    n = len(game.moves)
    score = [0] * n
    for tier in sorted(set(game.tier)):
        inside = [v for v in range(n) if game.tier[v] == tier]
        stakes = {1}
        for v in inside:
            end = game.end(v)
            stakes |= {abs(end or 0)}
            for w, r in game.moves[v]:
                stakes |= {abs(r + score[w]), abs(r - score[w])}
        for t in sorted(stakes - {0}):
            wins: set[int] = set()
            loses: set[int] = set()
            changed = True
            while changed:
                changed = False
                for v in inside:
                    up, down = forced(game, v, t, score, wins, loses)
                    changed |= up > (v in wins) or down > (v in loses)
                    wins |= {v} if up else set()
                    loses |= {v} if down else set()
            for v in wins | loses:
                score[v] = t if v in wins else -t
    return score


class Lines(rs.CompiledGame):
    """Tiers of a line each, walked down to its end, where ``data[1]`` points are won each time.

    Between two lines one may also step down in the middle, for a loss of one point.
    """

    max_moves = 2

    def __init__(self, length: int, points: int) -> None:
        self.data, self.size = (length, points), 3 * length
        self.tiers = (0, length, 2 * length)

    def start(self) -> int:
        return 3 * self.data[0] - 1

    @staticmethod
    def successors(position: int, out: Any, data: Any) -> int:
        count = 0
        if position > 0:
            out[count] = position - 1
            count += 1
        if position > data[0] and position % data[0] == data[0] // 2:
            out[count] = position - data[0]
            count += 1
        return count

    @staticmethod
    def payoff(position: int, data: Any) -> int:
        return data[1]

    @staticmethod
    def reward(position: int, target: int, data: Any) -> int:
        if position // data[0] == target // data[0]:
            return 0
        return data[1] if position - target == 1 else -1


class Backwards(Lines):
    """With predecessors."""

    max_predecessors = 1

    @staticmethod
    def predecessors(position: int, out: Any, data: Any) -> int:
        out[0] = position + 1
        return 1 if (position + 1) % data[0] > 0 else 0


class Rising(Lines):
    """Lines in which moves lead to larger indices, so that no pass in the order of the index is enough."""

    @staticmethod
    def rank(position: int, data: Any) -> int:
        return (position // data[0] + 1) * data[0] - 1 - position % data[0]

    unrank = rank


class RisingBackwards(Rising, Backwards):
    """With predecessors."""
