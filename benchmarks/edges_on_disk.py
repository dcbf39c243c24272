"""Graphs whose edges are on disk: time, peak memory, passes, bytes read and written, digest.

    python benchmarks/edges_on_disk.py                               # the sizes of SIZES
    python benchmarks/edges_on_disk.py 1e9 5e7 --memory 4GB          # edges, vertices
    python benchmarks/edges_on_disk.py 3e9 1e8 --memory 4GB          # 24 GB of parts, 30 of scratch
    python benchmarks/edges_on_disk.py 3e7 3e6 --memory 500MB --compare

The parts are generated with a seed, a file at a time. Half of the vertices have three edges on average,
so that some are stuck, the others share the rest. What a solve writes is in the folder of the parts.
``--compare`` also solves the graph in memory, by
sweeps and with the solver of choice, and compares the digests. Each solve has a process of its own.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from inside import memory as held
from running import script

import retrosolve as rs
from retrosolve.objectives import objective_of
from retrosolve.runtime.context import Context, Progress
from retrosolve.runtime.memory import format_bytes, parse_bytes
from retrosolve.solvers import select

SIZES: list[tuple[int, int, str]] = [(10**8, 5 * 10**6, "1GB"), (10**9, 5 * 10**7, "4GB")]
EDGES_PER_FILE = 1 << 24
FEW = 3  # edges on average of the vertices of the upper half
IN_MEMORY = ("retrograde", "sweep")


def part(edges: int, vertices: int, number: int) -> np.ndarray:
    """The edges of a file, int32 [k, 2]."""
    half = vertices // 2
    share = min(0.5, FEW * half / edges)
    size = min(EDGES_PER_FILE, edges - number * EDGES_PER_FILE)
    rng = np.random.default_rng([edges, vertices, number])
    pairs = rng.integers(0, vertices, (size, 2), dtype=np.int32)
    upper = rng.random(size, np.float32) < share
    pairs[:, 0] = pairs[:, 0] % half + half * upper
    return pairs


def generate(folder: Path, edges: int, vertices: int) -> None:
    """Write the files, two at a time; the folder has its name when it is complete."""
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    unfinished.mkdir(parents=True, exist_ok=True)

    def write(number: int) -> None:
        np.save(unfinished / f"{number:05}.npy", part(edges, vertices, number))

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, range(-(-edges // EDGES_PER_FILE))))
    unfinished.rename(folder)


def solve_one(folder: str, vertices: int, memory: str, where: str, prove: bool) -> dict[str, Any]:
    """Solve the edges of a folder, on disk or in memory, and return the figures."""
    space: Any = rs.EdgeParts(folder, vertices, scratch=Path(folder).parent)
    levels: list[int] = []

    def seen(progress: Progress) -> None:
        if progress.stage == "solving":
            levels.append(progress.done)

    asked = objective_of("outcome")
    began, used = time.perf_counter(), time.process_time()
    solver = select(space).solver
    if where != "disk":
        space = space.materialize()
        solver = select(space, where).solver
        read = time.perf_counter() - began
    result = solver.run(space, asked, Context(memory=parse_bytes(memory), progress=seen))
    seconds, cpu = time.perf_counter() - began, time.process_time() - used
    peak = held("VmHWM")
    solution = rs.Solution(space, result.table, rs.Value.LOSS, solver.name, {}, space.num_edges)
    record = {
        "where": where,
        "seconds": round(seconds, 1),
        "reading": None if where == "disk" else round(read, 1),
        "cpu_seconds": round(cpu, 1),
        "peak_memory": peak,
        "reports": len(levels),
        "longest": max(filter(None, solution.longest().values()), default=0),
        "counts": {value.label: count for value, count in solution.counts().items()},
        "digest": solution.digest(),
        "proof_seconds": None,
    }
    if result.statistics.disk is not None:
        record |= result.statistics.disk._asdict()
    if prove:
        began, used = time.perf_counter(), time.process_time()
        rs.verify(solution)
        record["proof_seconds"] = round(time.perf_counter() - began, 1)
        record["proof_cpu_seconds"] = round(time.process_time() - used, 1)
    return record


def show(record: dict[str, Any], edges: int) -> None:
    """Print the figures of a solve."""
    each = record["cpu_seconds"] / edges * 1e9
    print(
        f"{record['where']}: {record['seconds']} s, {record['cpu_seconds']} s of processor "
        f"({each:.0f} ns an edge), peak {format_bytes(record['peak_memory'])}"
    )
    if record["where"] == "disk":
        print(
            f"  {record['passes']:.1f} passes, {format_bytes(record['bytes_read'])} read, "
            f"{format_bytes(record['bytes_written'])} written"
        )
    if record["proof_seconds"] is not None:
        print(f"  proof {record['proof_seconds']} s, {record['proof_cpu_seconds']} s of processor")
    print(f"  {record['counts']}, longest {record['longest']}, digest {record['digest']}", flush=True)


def run(edges: int, vertices: int, memory: str, folder: Path, compare: bool) -> None:
    """Generate the parts, solve them and print the figures."""
    print(f"{edges:.2g} edges, {vertices:.2g} vertices, a budget of {memory}")
    place = folder / f"{edges}-{vertices}"
    if not place.exists():
        began = time.perf_counter()
        generate(place, edges, vertices)
        print(f"  generated in {time.perf_counter() - began:.0f} s", flush=True)
    digests = set()
    for where in ("disk", *IN_MEMORY) if compare else ("disk",):
        record = script("edges_on_disk.py", "one", str(place), str(vertices), memory, where)
        show(record, edges)
        digests.add(record["digest"])
    if len(digests) > 1:
        sys.exit("the digests differ")


def main() -> None:
    if sys.argv[1:2] == ["one"]:
        folder, vertices, memory, where = sys.argv[2:]
        record = solve_one(folder, int(vertices), memory, where, prove=where == "disk")
        print(json.dumps(record))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("edges", nargs="?", type=float)
    parser.add_argument("vertices", nargs="?", type=float)
    parser.add_argument("--memory", default="4GB")
    parser.add_argument("--folder", type=Path, help="where the parts are kept (default: deleted)")
    parser.add_argument("--compare", action="store_true")
    options = parser.parse_args()
    sizes = SIZES
    if options.edges is not None:
        sizes = [(int(options.edges), int(options.vertices or options.edges / 20), options.memory)]
    with tempfile.TemporaryDirectory() as temporary:
        for m, n, memory in sizes:
            run(m, n, memory, options.folder or Path(temporary), options.compare)


if __name__ == "__main__":
    main()
