"""Berzerk (Codeforces 787C) as a graph with owners.

A monster moves on a ring of n cells. Each of two players has a set of step lengths to choose from, and
the player who moves the monster to cell 1 wins. The required output is Win, Lose or Loop for each other
cell and either player to move first. Input: n, then a line for each player, the number of steps and the
steps.
"""

import sys

import numpy as np

import retrosolve as rs

LABELS = {rs.Value.WIN: "Win", rs.Value.LOSS: "Lose", rs.Value.DRAW: "Loop"}


def judge(n: int, first: list[int], second: list[int]) -> tuple[str, str]:
    """Return the result for cells 2..n, one line for each player to move first."""
    cell = np.arange(n)
    source, target = [], []
    for player, steps in enumerate((first, second)):
        for step in steps:
            source.append(player * n + cell)
            target.append((1 - player) * n + (cell + step) % n)
    graph = rs.Graph.from_edges(
        np.concatenate(source),
        np.concatenate(target),
        owner=np.repeat([0, 1], n),
        terminal={0: rs.Value.LOSS, n: rs.Value.LOSS},
    )
    labels = [LABELS[rs.Value(code)] for code in rs.solve(graph).table.values().tolist()]
    return " ".join(labels[1:n]), " ".join(labels[n + 1 :])


if __name__ == "__main__":
    size, one, two = (list(map(int, line.split())) for line in sys.stdin.read().split("\n")[:3])
    print(*judge(size[0], one[1:], two[1:]), sep="\n")
