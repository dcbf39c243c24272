"""Cat and mouse on an undirected graph (LeetCode 913), as rules in plain Python.

The mouse starts on vertex 1 and moves first. The cat starts on vertex 2 and may not enter the hole,
vertex 0. The mouse wins by reaching the hole, and the cat wins by catching the mouse; endless play is a
draw. The required output is 0 for a draw, 1 if the mouse wins and 2 if the cat wins.
"""

import retrosolve as rs


class CatAndMouse(rs.Game):
    """Positions are (mouse, cat, player to move). Player 0 is the mouse and player 1 the cat."""

    players = ("mouse", "cat")

    def __init__(self, neighbors: list[list[int]] | None = None) -> None:
        self.neighbors = neighbors or [[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]

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
            return [(f"mouse to {w}", (w, cat, 1)) for w in self.neighbors[mouse]]
        return [(f"cat to {w}", (mouse, w, 0)) for w in self.neighbors[cat] if w != 0]


def judge(neighbors: list[list[int]]) -> int:
    """Return 0 for a draw, 1 if the mouse wins and 2 if the cat wins."""
    solution = rs.solve(CatAndMouse(neighbors))
    value = solution[solution.start].value
    return {rs.Value.DRAW: 0, rs.Value.WIN: 1, rs.Value.LOSS: 2}[value]


if __name__ == "__main__":
    print(judge([[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]))
