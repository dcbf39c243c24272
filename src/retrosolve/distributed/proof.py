"""The local proof in partitions: each proves its range of the vertices, on a machine of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrosolve.distributed.group import WorkerGroup, WorkerLost, owned
from retrosolve.errors import ClusterError, VerificationError
from retrosolve.runtime.progress import Progress, ProgressCallback
from retrosolve.spaces.blocks import Block, blocks
from retrosolve.spaces.tier_window import Span

VERTICES_PER_CALL = 1 << 22
ATTEMPTS = 5

OpenGroup = Callable[[int], WorkerGroup]
Check = Callable[[Any, Block], None]


class Checker:
    """A worker that proves ranges of vertices.

    Parameters
    ----------
    solution : Solution
    check : callable
        Raises VerificationError for a wrong vertex of a block of the solution.
    number : int
        Which worker this is.
    """

    def __init__(self, solution: Any, check: Check, number: int) -> None:
        self.solution, self.check_block = solution, check
        self.number = number

    def check(self, spans: list[Span]) -> str | None:
        """Prove a range; return what is wrong with it, None if nothing is."""
        start, stop = spans[self.number]
        try:
            for block in blocks(self.solution.space, start, stop):
                self.check_block(self.solution, block)
        except VerificationError as error:
            return str(error)
        return None


def prove(
    solution: Any,
    check: Check,
    partitions: int,
    progress: ProgressCallback,
    open_group: OpenGroup,
) -> None:
    """Prove all vertices by ``check``, block by block; a range whose worker is lost is proven again.

    Raises VerificationError for the first wrong vertex, and ClusterError if workers are lost again and
    again.
    """
    n, done, lost = solution.space.num_vertices, 0, 0
    while True:
        group: Any = None
        try:
            group = open_group(partitions)
            group.start(Checker, (solution, check), range(group.size))
            while done < n:
                stop = min(n, done + group.size * VERTICES_PER_CALL)
                wrong = group.call("check", owned(done, stop, group.size))
                refusal = next((text for text in wrong if text is not None), None)
                if refusal is not None:
                    group.close()
                    raise VerificationError(refusal)
                done, lost = stop, 0
                progress(Progress("verifying", done, n))
            group.close()
            return
        except WorkerLost as error:
            lost += 1
            if group is not None:
                group.kill()
            if lost == ATTEMPTS:
                why = str(error).partition("\n")[0]
                raise ClusterError(
                    f"workers were lost {lost} times while a range was proven, the last one because of "
                    f"{why}: expected a cluster with more memory or better nodes"
                ) from None
