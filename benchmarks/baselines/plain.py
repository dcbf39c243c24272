"""The snippet: pure Python, a dictionary of lists of predecessors, and a queue."""

from __future__ import annotations

import json
import sys
import time
from collections import deque
from pathlib import Path

import numpy as np


def main(folder: Path, vertices: int) -> None:
    arrays = {
        p.stem: np.fromfile(p, p.suffix.replace(".i32", "i4").replace(".u8", "u1"))
        for p in folder.iterdir()
    }
    source, target = arrays["source"].tolist(), arrays["target"].tolist()
    owner = arrays["owner"].tolist() if "owner" in arrays else None
    terminal = arrays["terminal"].tolist() if "terminal" in arrays else [0] * vertices
    t0 = time.perf_counter()
    back: dict[int, list[int]] = {v: [] for v in range(vertices)}
    degree = dict.fromkeys(range(vertices), 0)
    for v, w in zip(source, target, strict=True):
        back[w].append(v)
        degree[v] += 1
    t1 = time.perf_counter()
    value: dict[int, int] = {}
    remoteness: dict[int, int] = {}
    queue: deque[int] = deque()
    for v in range(vertices):
        if terminal[v] or not degree[v]:
            value[v] = terminal[v] or 2
            remoteness[v] = 0
            queue.append(v)
    while queue:
        w = queue.popleft()
        for v in back[w]:
            if v in value:
                continue
            same = owner is not None and owner[v] == owner[w]
            seen = value[w] if same else 3 - value[w]
            if seen == 2:
                degree[v] -= 1
                if degree[v]:
                    continue
            value[v] = seen
            remoteness[v] = remoteness[w] + 1
            queue.append(v)
    t2 = time.perf_counter()
    wins = sum(code == 1 for code in value.values())
    print(
        json.dumps(
            {
                "build": t1 - t0,
                "solve": t2 - t1,
                "win": wins,
                "loss": len(value) - wins,
                "draw": vertices - len(value),
            }
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
