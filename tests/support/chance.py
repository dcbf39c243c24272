"""Exact values of small games of chance: all pairs of positional strategies, in fractions."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import NamedTuple

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
