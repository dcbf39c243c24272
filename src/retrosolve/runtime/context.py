"""Context: what every long computation is given besides its input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from retrosolve.runtime.checkpoint import Checkpoint
from retrosolve.runtime.progress import ProgressCallback, StageTimer, no_progress

NO_CHECKPOINT = Checkpoint()


@dataclass(frozen=True)
class ClusterOptions:
    """Where and how a distributed solve runs.

    Parameters
    ----------
    address : str, optional
        Of the Ray cluster: "auto", "local" or ``ray://host:port``; None for the one that is connected
        already, or a new one of this machine.
    partitions : int, optional
        In how many parts vertices are owned, at most one for each processor of the cluster; None for
        one for each of this machine. Answers do not depend on it.
    snapshots : str, optional
        Where partitions write snapshots, a path or an address that fsspec knows and every machine
        reaches; None for beside the directory that is solved into.
    open_group : callable, optional
        Returns a new group of at most so many workers; None for those of a Ray cluster.
    """

    address: str | None = None
    partitions: int | None = None
    snapshots: str | None = None
    open_group: Callable[[int], Any] | None = None


@dataclass(slots=True)  # not frozen: that takes longer to make than a tiny graph to solve
class Context:
    """How a computation may use the machine, and whom it reports to.

    Parameters
    ----------
    threads : int, optional
        The most threads to use; None for as many as there are processors. Answers do not depend on it.
    memory : int, optional
        A budget in bytes for what the computation adds to its input; None for what the machine has.
    progress : callable, optional
        Called with a :class:`~retrosolve.Progress` now and then.
    timer : StageTimer, optional
        Collects the seconds that each stage takes.
    limit : int, optional
        The most positions that may be found; None for as many as fit in memory.
    workers : int, optional
        The number of processes that explore plain rules, this one included; None for one, or as many
        as there are processors where the rules are slow. Answers do not depend on it.
    spent_bytes : int
        The bytes of the budget that are taken already, by the positions found.
    checkpoint : Checkpoint, optional
        Where the state is kept, to go on from; by default nowhere.
    cluster : ClusterOptions, optional
        How a distributed solve runs.
    """

    threads: int | None = None
    memory: int | None = None
    progress: ProgressCallback = no_progress
    timer: StageTimer = field(default_factory=StageTimer)
    limit: int | None = None
    workers: int | None = None
    spent_bytes: int = 0
    checkpoint: Checkpoint = NO_CHECKPOINT
    cluster: ClusterOptions | None = None

    @property
    def memory_left(self) -> int | None:
        """What is left of the memory budget, at least one byte; None without a budget."""
        return None if self.memory is None else max(1, self.memory - self.spent_bytes)
