"""Context: what every long computation is given besides its input."""

from __future__ import annotations

from dataclasses import dataclass, field

from retrosolve.runtime.checkpoint import Checkpoint
from retrosolve.runtime.progress import ProgressCallback, StageTimer, no_progress

NO_CHECKPOINT = Checkpoint()


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
    """

    threads: int | None = None
    memory: int | None = None
    progress: ProgressCallback = no_progress
    timer: StageTimer = field(default_factory=StageTimer)
    limit: int | None = None
    workers: int | None = None
    spent_bytes: int = 0
    checkpoint: Checkpoint = NO_CHECKPOINT

    @property
    def memory_left(self) -> int | None:
        """What is left of the memory budget, at least one byte; None without a budget."""
        return None if self.memory is None else max(1, self.memory - self.spent_bytes)
