"""Exact values of small games of chance: all pairs of positional strategies, in fractions."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import numpy as np

import retrosolve as rs

MAX_PAIRS = 64  # of strategies that are tried


class Dice(NamedTuple):
    """A graph as lists: who moves at each vertex, its moves as (target, weight), and payoffs."""

    owner: list[int]
    moves: list[list[tuple[int, int]]]
    payoff: list[int]
    has_payoffs: bool

    def graph(self) -> rs.Graph:
        edges = [(v, w, weight) for v, row in enumerate(self.moves) for w, weight in row]
        codes = [{1: rs.Value.WIN, -1: rs.Value.LOSS}.get(x, rs.Value.TIE) for x in self.payoff]
        return rs.Graph.from_edges(
            [v for v, _, _ in edges], [w for _, w, _ in edges], len(self.moves), self.owner,
            [0 if row else int(code) for row, code in zip(self.moves, codes, strict=True)],
            payoff=self.payoff if self.has_payoffs else None,
            weight=[weight for *_, weight in edges],
        )  # fmt: skip

    def sign(self, v: int) -> int:
        """Return 1 if a value of the vertex is for the first player, else -1."""
        return -1 if self.owner[v] == 1 else 1

    def exact(self) -> tuple[list[Fraction], list[Fraction]]:
        """Return what each vertex is worth to who moves there if endless play is the worst, and best.

        Both for who moves there.
        """
        worst = max(map(abs, self.payoff)) if self.has_payoffs else 1
        low, high = (self._values(Fraction(endless)) for endless in (-worst, worst))
        signs = [self.sign(v) for v in range(len(self.owner))]
        mine = [x if s > 0 else -y for s, x, y in zip(signs, low, high, strict=True)]
        best = [y if s > 0 else -x for s, x, y in zip(signs, low, high, strict=True)]
        return mine, best

    def _values(self, endless: Fraction) -> list[Fraction]:
        """Return the values for the first player, endless play being worth so much to him."""
        choices = [
            range(len(row)) if row and who != rs.CHANCE else [0]
            for row, who in zip(self.moves, self.owner, strict=True)
        ]
        mine = [v for v, who in enumerate(self.owner) if who == 0]
        theirs = [v for v, who in enumerate(self.owner) if who == 1]
        n = len(self.owner)
        best: list[Fraction] | None = None
        for ours in product(*(choices[v] for v in mine)):
            worst: list[Fraction] | None = None
            for others in product(*(choices[v] for v in theirs)):
                taken = dict(zip(mine, ours, strict=True)) | dict(zip(theirs, others, strict=True))
                found = self._chain(taken, endless)
                worst = found if worst is None else [min(worst[v], found[v]) for v in range(n)]
            assert worst is not None
            best = worst if best is None else [max(best[v], worst[v]) for v in range(n)]
        assert best is not None
        return best

    def _chain(self, taken: dict[int, int], endless: Fraction) -> list[Fraction]:
        """Return the values of a Markov chain, by elimination."""
        n = len(self.owner)
        rows = [[row[taken[v]]] if row and v in taken else row for v, row in enumerate(self.moves)]
        ends = {v for v in range(n) if not rows[v]}
        size = -1
        while size != len(ends):
            size = len(ends)
            ends |= {v for v in range(n) if any(w in ends for w, _ in rows[v])}
        values = [endless] * n
        inside = [v for v in range(n) if v in ends and rows[v]]
        for v in range(n):
            if not rows[v]:
                values[v] = Fraction(self.payoff[v] * self.sign(v))
        place = {v: i for i, v in enumerate(inside)}
        matrix = []
        for v in inside:
            line = [Fraction(0)] * (len(inside) + 1)
            line[place[v]] += 1
            # Where a player moves, the one move that he takes counts whole.
            total = sum(weight for _, weight in rows[v]) if v not in taken else 1
            for w, weight in rows[v]:
                share = Fraction(weight, total) if v not in taken else Fraction(1)
                if w in place:
                    line[place[w]] -= share
                else:
                    line[-1] += share * values[w]
            matrix.append(line)
        for v, x in zip(inside, _eliminated(matrix), strict=True):
            values[v] = x
        return values


def _eliminated(matrix: list[list[Fraction]]) -> list[Fraction]:
    """Return the solution of a linear system, whose right sides are the last column."""
    n = len(matrix)
    for i in range(n):
        pivot = next(k for k in range(i, n) if matrix[k][i])
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        scale = matrix[i][i]
        matrix[i] = [x / scale for x in matrix[i]]
        for k in range(n):
            if k != i and matrix[k][i]:
                factor = matrix[k][i]
                matrix[k] = [x - factor * y for x, y in zip(matrix[k], matrix[i], strict=True)]
    return [row[-1] for row in matrix]


def random_dice(rng: random.Random, largest: int = 7) -> Dice:
    """Return a random game, cyclic or not, with few enough strategies to try all."""
    while True:
        n, acyclic = rng.randint(2, largest), rng.random() < 0.3
        owner = [rng.choice([0, 1, rs.CHANCE, rs.CHANCE]) for _ in range(n)]
        moves: list[list[tuple[int, int]]] = []
        for v in range(n):
            targets = range(v) if acyclic else range(n)
            count = 0 if v < 2 else rng.randint(1, 3)
            moves.append([(rng.choice(targets), rng.randint(1, 5)) for _ in range(count)])
        has_payoffs = rng.random() < 0.3
        most = 9 if has_payoffs else 1
        payoff = [0 if row else rng.randint(-most, most) for row in moves]
        owner = [v % 2 if payoff[v] and who == rs.CHANCE else who for v, who in enumerate(owner)]
        pairs = 1
        for who, row in zip(owner, moves, strict=True):
            pairs *= max(1, len(row)) if who != rs.CHANCE else 1
        if pairs <= MAX_PAIRS and (not has_payoffs or any(payoff)):
            return Dice(owner, moves, payoff, has_payoffs)


class Throws(rs.Game[int]):
    """The rules of a game of chance given as lists; the moves of chance to a vertex have one weight."""

    def __init__(self, game: Dice) -> None:
        self.game = game

    def starts(self) -> list[int]:
        return list(range(len(self.game.moves)))

    def moves(self, v: int) -> list[tuple[str, int]]:
        return [(f"to {w}", w) for w in dict.fromkeys(w for w, _ in self.game.moves[v])]

    def player(self, v: int) -> int:
        return self.game.owner[v]

    def terminal(self, v: int) -> rs.Value | None:
        over = {1: rs.Value.WIN, -1: rs.Value.LOSS, 0: rs.Value.TIE}
        return None if self.game.moves[v] else over[self.game.payoff[v]]

    def weight(self, v: int, w: int) -> int:
        return sum(weight for target, weight in self.game.moves[v] if target == w)


class Tabled(rs.CompiledGame):
    """A game of chance by tables: terminal values, throws, weights, moves, progress, payoffs."""

    max_moves, max_outcomes, objective = 3, 3, "chance"

    def __init__(self, tiers: tuple[int, ...], data: tuple[np.ndarray, ...]) -> None:
        self.size, self.tiers, self.data = len(data[0]), tiers, data

    @staticmethod
    def terminal(position: int, data: tuple[np.ndarray, ...]) -> int:
        return data[0][position]

    @staticmethod
    def outcomes(
        position: int, out: np.ndarray, weights: np.ndarray, data: tuple[np.ndarray, ...]
    ) -> int:
        for k in range(data[1][position]):
            out[k], weights[k] = 3 * position + k, data[2][position, k]
        return data[1][position]

    @staticmethod
    def successors(position: int, out: np.ndarray, data: tuple[np.ndarray, ...]) -> int:
        for k in range(data[3][position]):
            out[k] = data[4][position, k]
        return data[3][position]

    @staticmethod
    def progress(position: int, data: tuple[np.ndarray, ...]) -> int:
        return data[5][position]


class TabledPayoffs(Tabled):
    """The same with payoffs."""

    @staticmethod
    def payoff(position: int, data: tuple[np.ndarray, ...]) -> int:
        return data[6][position]


def tabled(rng: random.Random) -> tuple[Tabled, Dice]:
    """Return a random game with throws, and its graph: positions, then throws, for both roles."""
    size, has_payoffs, same = rng.randint(2, 9), rng.random() < 0.4, rng.choice([0, 0.5, 1])
    tiers = (0, *sorted(rng.sample(range(1, size), rng.randint(0, min(2, size - 1)))))
    code, throws = np.zeros(size, np.uint8), np.zeros(size, np.int64)
    weights, made = np.zeros((size, 3), np.int64), np.zeros(3 * size, np.int64)
    targets = np.zeros((3 * size, 3), np.int64)
    most = rng.choice([0, 1, 9])
    payoff = np.array([rng.randint(-most, most) for _ in range(size)])
    far = np.array([rng.randint(0, 3) for _ in range(size)])
    for v in range(size):
        if v == 0 or rng.random() < 0.2:
            code[v] = rng.choice([rs.Value.WIN, rs.Value.LOSS, rs.Value.TIE])
            continue
        end = next((tier for tier in tiers if tier > v), size)
        throws[v] = rng.randint(1, 3)
        for k in range(throws[v]):
            weights[v, k], made[3 * v + k] = rng.randint(1, 6), rng.choice([0, 1, 2, 2, 3])
            for move in range(made[3 * v + k]):
                w = rng.randrange(end)
                targets[3 * v + k, move] = ~w if rng.random() < same else w
    game = (TabledPayoffs if has_payoffs else Tabled)(
        tiers, (code, throws, weights, made, targets, far, payoff)
    )
    owner, moves, ends = [], [], []
    for v, role in product(range(size), range(2)):
        worth = payoff[v] if has_payoffs else {rs.Value.WIN: 1, rs.Value.LOSS: -1}.get(code[v], 0)
        owner.append(role if code[v] else rs.CHANCE)
        moves.append([(2 * size + 6 * v + 2 * k + role, int(weights[v, k])) for k in range(throws[v])])
        ends.append(int(worth) if code[v] else 0)
    for throw, role in product(range(3 * size), range(2)):
        owner.append(role)
        row = targets[throw, : made[throw]].tolist()
        moves.append([(2 * max(w, ~w) + (role if w < 0 else 1 - role), 1) for w in row])
        is_stuck = not row and throw % 3 < throws[throw // 3]
        ends.append(-int(is_stuck))  # who is stuck has lost
    return game, Dice(owner, moves, ends, has_payoffs)
