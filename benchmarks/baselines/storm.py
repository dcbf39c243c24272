"""Storm, a model checker in C++ by its Python package: which vertices the first player wins.

For games with owners, whose attractor is a question that Storm answers of a Markov decision process:
from which states does every scheduler reach a goal with some chance? The scheduler moves for the second
player, and a vertex of the first player goes to each of its successors with the same chance; a goal is
where the game is over and the first player has won. Storm finds this by graph analysis alone.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import stormpy
from stormpy.analysis import compute_prob01_states
from stormpy.datastructures import BitVector, SparseMatrixBuilder
from stormpy.models import SparseMdp, SparseModelComponents, StateLabeling


def transitions(source: np.ndarray, target: np.ndarray, owner: np.ndarray, goal: np.ndarray) -> Any:
    """Make Storm's matrix: goals and stuck vertices stay where they are, duplicates go."""
    n = len(owner)
    live = ~goal[source]
    key = source[live].astype(np.int64) * n + target[live]
    still = np.flatnonzero(np.bincount(source[live], minlength=n) == 0)
    source, target = np.divmod(np.unique(np.concatenate([key, still * n + still])), n)
    builder = SparseMatrixBuilder[float](
        rows=0, columns=0, entries=0, force_dimensions=False, has_custom_row_grouping=True,
        row_groups=0,
    )  # fmt: skip
    row = edge = 0
    ends = target.tolist()
    degrees = np.bincount(source, minlength=n).tolist()
    for second, degree in zip(owner.tolist(), degrees, strict=True):
        builder.new_row_group(row)
        for end in ends[edge : edge + degree]:
            builder.add_next_value(row, end, 1.0 if second else 1.0 / degree)
            row += second
        row += 1 - second
        edge += degree
    return builder.build()


def main(folder: Path, vertices: int) -> None:
    source, target = (np.fromfile(folder / f"{name}.i32", np.int32) for name in ("source", "target"))
    owner, terminal = (np.fromfile(folder / f"{name}.u8", np.uint8) for name in ("owner", "terminal"))
    began = time.perf_counter()
    stuck = np.bincount(source, minlength=vertices) == 0
    ended = np.where(terminal != 0, terminal, np.where(stuck, 2, 0))
    goal = ended == 1 + owner  # won by the first player: WIN where it moves, LOSS where the other does
    labels = StateLabeling(vertices)
    labels.add_label("goal")
    labels.set_states("goal", BitVector(vertices, np.flatnonzero(goal).tolist()))
    matrix = transitions(source, target, owner, goal | (ended != 0))
    model = SparseMdp[float](
        SparseModelComponents[float](transition_matrix=matrix, state_labeling=labels)
    )
    built = time.perf_counter()
    never, _ = compute_prob01_states(model, stormpy.parse_properties('Pmin=? [F "goal"]')[0])
    solved = time.perf_counter()
    first_wins = vertices - never.get_number_of_set_bits()
    print(json.dumps({"build": built - began, "solve": solved - built, "first_wins": first_wins}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
