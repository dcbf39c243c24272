"""Berzerk (Codeforces 787C), as a graph with owners.

A monster walks on n cells in a ring; each of two players has numbers of steps to choose from, and
whoever brings it to cell 1 wins. For each other cell and either player to move first, the judge wants
Win, Lose or Loop. Input: n, then the two players' steps, each line led by its length.
"""

import sys

import numpy as np

import retrosolve as rs

WORDS = {rs.Value.WIN: "Win", rs.Value.LOSS: "Lose", rs.Value.DRAW: "Loop"}


def judge(n: int, first: list[int], second: list[int]) -> tuple[str, str]:
    """Answer for cells 2..n, one line for either player to move first."""
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
    words = [WORDS[rs.Value(code)] for code in rs.solve(graph).values().tolist()]
    return " ".join(words[1:n]), " ".join(words[n + 1 :])


if __name__ == "__main__":
    size, one, two = (list(map(int, line.split())) for line in sys.stdin.read().split("\n")[:3])
    print(*judge(size[0], one[1:], two[1:]), sep="\n")
