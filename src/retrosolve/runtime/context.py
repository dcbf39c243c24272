"""Context: what every long computation is given besides its input."""

from __future__ import annotations

from dataclasses import dataclass, field

from retrosolve.runtime.progress import ProgressCallback, StageTimer, no_progress


@dataclass(frozen=True)
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
    """

    threads: int | None = None
    memory: int | None = None
    progress: ProgressCallback = no_progress
    timer: StageTimer = field(default_factory=StageTimer)
