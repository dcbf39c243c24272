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


def machine_line(machine: dict[str, Any]) -> str:
    """What stands below a table: figures of different machines are not compared."""
    return "Measured {date} on {cores} cores, {processor}; Python {python}.".format(**machine)


def machines_line(written: dict[str, Any]) -> str:
    """What stands below a table of figures of this run and of earlier ones."""
    machine = machine_line(written["machine"])
    return " ".join(dict.fromkeys(case.get("measured", machine) for case in written["cases"]))


def results(name: str) -> dict[str, dict[str, Any]]:
    """Return the figures that a benchmark has written, by game, each with the machine it was."""
    written = json.loads((HERE / "results" / f"{name}.json").read_text())
    machine = machine_line(written["machine"])
    return {case["game"]: {"measured": machine, **case} for case in written["cases"]}


class Table:
    """A benchmark's table: shown as it grows, and kept once it is whole.

    Its place in a page of the documentation, with the machine below it, is between two lines of comment
    that name it.
    """

    def __init__(self, name: str, header: str, page: str = "performance.md") -> None:
        self.name, self.page = name, page
        self.lines = [header]
        print(header, flush=True)

    def add(self, line: str) -> None:
        """Show one more line."""
        self.lines.append(line)
        print(line, flush=True)

    def keep(self, records: list[dict[str, Any]]) -> None:
        """Put the table into its place, and all figures, machine and date into ``results``."""
        written = {"machine": this_machine(), "cases": records}
        results = HERE / "results"
        results.mkdir(exist_ok=True)
        (results / f"{self.name}.json").write_text(json.dumps(written, indent=1) + "\n")
        begin, end = (f"<!-- {word} of {self.name} -->\n" for word in ("begin", "end"))
        document = HERE.parent / "docs" / self.page
        text = document.read_text()
        first, last = text.index(begin) + len(begin), text.index(end)
        table = "\n".join(self.lines)
        document.write_text(f"{text[:first]}\n{table}\n\n{machines_line(written)}\n\n{text[last:]}")
