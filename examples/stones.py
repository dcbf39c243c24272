"""The game of stones: complete rules in ten lines of plain Python."""

import retrosolve as rs


class Stones(rs.Game):
    def start(self) -> int:
        return 10

    def moves(self, n: int) -> list[tuple[str, int]]:
        return [(f"take {k}", n - k) for k in (1, 2) if k <= n]


if __name__ == "__main__":
    solution = rs.solve(Stones())
    print(solution[10], "by", [move.name for move in solution.best_moves(10)])
