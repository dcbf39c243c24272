"""ggames 1.0.1: a counter that goes down twice for one successor.

A vertex can enter the queue twice, once for each way in which a successor is won, and then its
predecessors count it twice. Run it with ``pip install ggames``.
"""

from ggames.reachability_game import get_attractor

import retrosolve as rs

EDGES = [(0, 6), (0, 7), (1, 6), (7, 1), (8, 0), (8, 2)]
FIRST, SECOND, GOAL = [0, 1, 2], [6, 7, 8], 6


def main() -> None:
    claimed = get_attractor(FIRST, SECOND, EDGES, [GOAL])
    graph = rs.Graph.from_dict(
        {v: [to for source, to in EDGES if source == v] for v in FIRST + SECOND},
        owner={v: int(v in SECOND) for v in FIRST + SECOND},
        terminal={GOAL: rs.Value.LOSS, 2: rs.Value.LOSS},  # for the player who moves there
    )
    solution = rs.solve(graph)
    rs.verify(solution)
    right = [v for v, player in zip(solution, solution.winner().tolist(), strict=True) if player == 0]
    print("the first player wins from", sorted(claimed), "is claimed")
    print("the first player wins from", sorted(right), "is proven")
    print("from 8 the second player moves to 2, from where nobody reaches the goal")


if __name__ == "__main__":
    main()
