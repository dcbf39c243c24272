"""Memory: how much this process may have, and refusing work that would need more, before it starts.

Three things bound it: the machine, a container (control groups of Linux, versions 1 and 2) and a
limit on the process's own address space. The smallest counts.
"""

from __future__ import annotations

import ctypes
import os
import re
import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from retrosolve.arrays import is_whole
from retrosolve.errors import GraphError, MemoryBudgetError
from retrosolve.runtime import tuning

SHARE_LEFT = 20  # of the memory, one part in so many stays free
NO_LIMIT = 2**62
UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
PROC = Path("/proc")
CONTROL_GROUPS = Path("/sys/fs/cgroup")
ENTRY = re.compile(r"^(\w+):?[ \t]+(\d{1,24})\b", re.ASCII | re.MULTILINE)


@dataclass(frozen=True)
class Limit:
    """One bound on the memory of this process: what sets it, its bytes, and those still free."""

    owner: str
    total: int
    free: int

    def __str__(self) -> str:
        if self.owner == "machine":
            return f"this machine has {format_bytes(self.total)}"
        total, free = format_bytes(self.total), format_bytes(self.free)
        return f"this {self.owner} may use {total}, of which {free} are free"


def total() -> int:
    """Return the bytes of memory this process may use at most; very many where nothing says."""
    return min(limit.total for limit in limits())


def available() -> int:
    """Return the bytes of memory that are free for more; all there are where nothing says."""
    return min(limit.free for limit in limits())


def give_back() -> None:
    """Return to the system what was freed, as far as it can be told to: a compiler leaves megabytes."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


def room() -> int:
    """Return the most bytes that new work may be planned to take."""
    return _tightest().free


def resident() -> int:
    """Return the bytes of memory that this process holds.

    Where no file of the system says it, that is the most that the process has held.
    """
    pages = _statm(1)
    return peak() if pages is None else pages * resource.getpagesize()


def peak() -> int:
    """Return the most bytes of memory that this process has held."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def private(process: int) -> int:
    """Return the bytes that another process shares with none; 0 where no file says."""
    lines = _read(PROC / str(process) / "smaps_rollup").splitlines()
    counts = [line.split() for line in lines if line.startswith("Private_")]
    return sum(_number(words[1], 1024) or 0 for words in counts)


def check_headroom(what: str) -> None:
    """Raise MemoryBudgetError if memory is nearly used up, before the system stops the program."""
    free = available()
    if free < total() // SHARE_LEFT:
        owner = min(limits(), key=lambda limit: limit.free).owner
        raise MemoryBudgetError(
            f"{what}, and of this {owner}'s {format_bytes(total())} of memory {format_bytes(free)} "
            "are left: expected a smaller game, or a leaner form of it"
        )


def format_bytes(count: int) -> str:
    """Write a number of bytes for a person.

    >>> format_bytes(512), format_bytes(3_400_000), format_bytes(2 * 10**16)
    ('512 bytes', '3.4 MB', '20000 TB')
    """
    if count < 1000:
        return f"{count} bytes"
    size, unit = float(count), "bytes"
    for unit in ("kB", "MB", "GB", "TB"):  # noqa: B007  # the unit reached is used after the loop
        size /= 1000
        if size < 1000:
            break
    return f"{size:.3g} {unit}" if size < 1000 else f"{size:.0f} {unit}"


def parse_bytes(amount: float | str | None) -> int | None:
    """Return a number of bytes from itself or from text.

    Raises
    ------
    GraphError
        For anything but a whole number above 0, None, or text such as ``"500MB"``.

    Examples
    --------
    >>> parse_bytes("2GB"), parse_bytes("1.5 k"), parse_bytes(512), parse_bytes(2e9)
    (2000000000, 1500, 512, 2000000000)
    """
    if amount is None:
        return None
    count = 0
    if isinstance(amount, str):
        match = re.fullmatch(
            r"(\d{1,12}(?:\.\d{1,6})?)\s*([kmgt]?)b?", amount.strip().lower(), re.ASCII
        )
        count = int(float(match[1]) * UNITS[match[2]]) if match else 0
    elif (is_whole(amount) or isinstance(amount, float)) and amount == amount // 1:  # such as 2e9
        count = int(amount)
    if count < 1:
        raise GraphError(
            f"memory={amount!r}: expected a whole number of bytes above 0, text such as '2GB', or None"
        )
    return count


def check_budget(needed: int, what: str | Callable[[], str], budget: int | None = None) -> None:
    """Raise MemoryBudgetError if ``needed`` bytes are more than the budget, or than there is.

    ``what`` needs them; a function is called for its name only if there is an error.
    """
    limit: str | Limit
    if budget is not None and needed > budget:
        limit = f"the budget is {format_bytes(budget)}"
    elif needed <= tuning.current().max_unchecked_bytes:
        return
    else:
        limit = _tightest()
        if needed <= limit.free:
            return
    name = what if isinstance(what, str) else what()
    raise MemoryBudgetError(f"{name} needs about {format_bytes(needed)}; {limit}")


def require_free(needed: int, what: str) -> None:
    """Raise MemoryBudgetError if ``needed`` more bytes are not free now."""
    tightest = min(limits(), key=lambda limit: limit.free)
    if needed > tightest.free:
        raise MemoryBudgetError(
            f"{what} needs about {format_bytes(needed)} more; of this {tightest.owner}'s "
            f"{format_bytes(tightest.total)} of memory {format_bytes(tightest.free)} are free"
        )


def require_address_space(needed: int, what: str) -> None:
    """Raise MemoryBudgetError if a limit on the address space leaves less than ``needed`` bytes."""
    own = _address_space()
    if own is not None and needed > own.free:
        raise MemoryBudgetError(f"{what} needs about {format_bytes(needed)} more; {own}")


@contextmanager
def exhaustion(what: str) -> Iterator[None]:
    """Raise MemoryBudgetError where the system refuses memory to the block, which does ``what``."""
    try:
        yield
    except MemoryError as error:
        if isinstance(error, MemoryBudgetError):
            raise
        raise MemoryBudgetError(f"memory ran out while {what}; {_tightest()}") from None


def _tightest() -> Limit:
    """Return the limit on what may be planned.

    A full machine frees memory for whoever needs it, so all that it has counts as free; a container
    or a process at its limit is stopped, so only what is free there counts.
    """
    machine, *others = limits()
    return min([replace(machine, free=machine.total), *others], key=lambda limit: limit.free)


# -- what bounds it -------------------------------------------------------------------------------


def limits() -> list[Limit]:
    """Return the limits on this process, that of the machine first.

    A container's limit that is no smaller than the machine is none. Costs about 0.4 ms.
    """
    machine = _machine()
    found = [machine]
    found += [limit for limit in _containers() if limit.total < machine.total]
    own = _address_space()
    return found if own is None else [*found, own]


def _machine() -> Limit:
    entries = _entries(PROC / "meminfo")
    total = entries.get("MemTotal", 0) * 1024
    if not total:
        try:
            total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        except (AttributeError, OSError, ValueError):
            total = NO_LIMIT
    free = entries.get("MemAvailable")
    return Limit("machine", total, total if free is None else free * 1024)


def _containers() -> Iterator[Limit]:
    """Yield the limits of the control groups of this process and of the groups around them."""
    for line in _read(PROC / "self" / "cgroup").splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if number == "0" and not controllers:
            for root in (CONTROL_GROUPS, CONTROL_GROUPS / "unified"):
                yield from _groups(root, path, ("memory.max", "memory.current", "inactive_file"))
        elif "memory" in controllers.split(","):
            names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
            yield from _groups(CONTROL_GROUPS / "memory", path, names)


def _groups(root: Path, path: str, names: tuple[str, str, str]) -> Iterator[Limit]:
    """Yield the limits from a group up to the root, which in a container is the group itself.

    ``names`` are the files of the limit and of what is used, and the entry of ``memory.stat`` for
    cached files, which are dropped when memory is short.
    """
    inside = [part for part in PurePosixPath(path).parts if part != "/"]
    if ".." in inside:  # the group lies outside what is mounted here
        inside = []
    for depth in range(len(inside), -1, -1):
        folder = root.joinpath(*inside[:depth])
        total = _number(_read(folder / names[0]))
        if total is not None:
            cached = _entries(folder / "memory.stat").get(names[2], 0)
            used = (_number(_read(folder / names[1])) or 0) - cached
            yield Limit("container", total, max(0, total - max(0, used)))


def _address_space() -> Limit | None:
    """Return the limit on the address space of this process, None if it has none."""
    total, _ = resource.getrlimit(resource.RLIMIT_AS)
    if total == resource.RLIM_INFINITY:
        return None
    used = (_statm(0) or 0) * resource.getpagesize()
    return Limit("process", total, max(0, total - used))


def _statm(place: int) -> int | None:
    """Return the pages of the address space of this process, or at place 1 those in memory."""
    words = _read(PROC / "self" / "statm").split()
    return int(words[place]) if words else None


def _read(path: Path) -> str:
    """Return the content of a file of the system, nothing where it cannot be read."""
    try:
        return path.read_text("ascii", "replace")
    except (OSError, ValueError):
        return ""


def _entries(path: Path) -> dict[str, int]:
    """Return the numbers of a file with one named number per line, such as ``MemFree:  12 kB``."""
    return {name: int(number) for name, number in ENTRY.findall(_read(path))}


def _number(text: str, unit: int = 1) -> int | None:
    """Return the number that a file of the system holds, None where it is no number."""
    digits = text.strip()
    return int(digits) * unit if digits.isascii() and digits.isdigit() and len(digits) < 25 else None
