"""What the benchmark programmes share: runs in processes of their own, and what machine it was."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from tables import RESULTS, lines

HERE = Path(__file__).parent
CORES = len(os.sched_getaffinity(0))
# What is freed goes back at once, so that what a solve holds at most can be told from before.
RETURNED = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}


def touch_memory(size: int) -> None:
    """Use so many bytes of memory, and give them back.

    A virtual machine may have given memory that is free to its host. To get it again takes some
    2 ms a megabyte, far more than a solve does with it, and would be paid by whoever comes first.
    """
    np.empty(size, np.uint8)[::4096] = 1


def told(
    command: list[str], memory: int = 1 << 30, environment: dict[str, str] | None = None
) -> dict[str, Any]:
    """Run a command that prints one line of JSON, with ``memory`` bytes ready for it."""
    touch_memory(memory)
    around = {**os.environ, **(environment or {})}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=around)
    record: dict[str, Any] = json.loads(done.stdout)
    return record


def script(name: str, *arguments: str, **environment: str) -> dict[str, Any]:
    """Run a script of this folder in a fresh process of Python."""
    return told([sys.executable, str(HERE / name), *arguments], environment=environment)


def compiled(name: str, folder: Path) -> str:
    """Compile a baseline; give the program."""
    program = str(folder / name)
    source = str(HERE / "baselines" / f"{name}.cpp")
    subprocess.run(["g++", "-O3", "-pthread", "-o", program, source], check=True)
    return program


def processor() -> str:
    """The processor as the system names it, with its second-level cache, which solves depend on."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "")
    cache = Path("/sys/devices/system/cpu/cpu0/cache/index2/size")
    second = f", {cache.read_text().strip()}B of second-level cache" if cache.exists() else ""
    return (model or platform.machine()) + second


def this_machine() -> dict[str, Any]:
    """What figures of this run have to be read with."""
    return {
        "date": time.strftime("%Y-%m-%d"),
        "processor": processor(),
        "cores": CORES,
        "python": platform.python_version(),
    }


class Table:
    """A benchmark's table: shown as it grows, and kept once it is whole."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.records: list[dict[str, Any]] = []

    def add(self, record: dict[str, Any]) -> None:
        """Show one more line."""
        self.records.append(record)
        heading, *rows = lines(self.name, self.records, CORES)
        if not self.records[1:]:
            print(heading, rows[0], sep="\n")
        print(rows[-1], flush=True)

    def keep(self) -> None:
        """Put all figures, machine and date into ``results``, of which the site makes the table."""
        keep(self.name, self.records)


def keep(name: str, cases: list[dict[str, Any]]) -> None:
    """Write the figures of a benchmark, with this machine and the date."""
    written = {"machine": this_machine(), "cases": cases}
    (RESULTS / f"{name}.json").write_text(json.dumps(written, indent=1) + "\n")
