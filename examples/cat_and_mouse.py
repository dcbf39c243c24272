"""Cat and mouse on an undirected graph (LeetCode 913), as rules in plain Python.

The mouse starts on vertex 1 and moves first, the cat starts on 2 and may not enter the hole, 0. The
mouse wins in the hole, the cat where it catches the mouse; play without end is a draw. The judge
wants 0 for a draw, 1 for the mouse, 2 for the cat.
"""

import retrosolve as rs


class CatAndMouse(rs.Game):
    """Positions are (mouse, cat, player to move): 0 the mouse, 1 the cat."""

    players = ("mouse", "cat")

    def __init__(self, neighbours: list[list[int]] | None = None) -> None:
        self.neighbours = neighbours or [[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]

    def start(self) -> tuple[int, int, int]:
        return 1, 2, 0

    def player(self, position: tuple[int, int, int]) -> int:
        return position[2]

    def terminal(self, position: tuple[int, int, int]) -> rs.Value | None:
        mouse, cat, player = position
        if mouse == 0:
            return rs.Value.WIN if player == 0 else rs.Value.LOSS
        if mouse == cat:
            return rs.Value.LOSS if player == 0 else rs.Value.WIN
        return None

    def moves(self, position: tuple[int, int, int]) -> list[tuple[str, tuple[int, int, int]]]:
        mouse, cat, player = position
        if player == 0:
            return [(f"mouse to {w}", (w, cat, 1)) for w in self.neighbours[mouse]]
        return [(f"cat to {w}", (mouse, w, 0)) for w in self.neighbours[cat] if w != 0]


def judge(neighbours: list[list[int]]) -> int:
    """Answer as the judge wants it."""
    solution = rs.solve(CatAndMouse(neighbours))
    value = solution[solution.start].value
    return {rs.Value.DRAW: 0, rs.Value.WIN: 1, rs.Value.LOSS: 2}[value]


if __name__ == "__main__":
    print(judge([[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]))
