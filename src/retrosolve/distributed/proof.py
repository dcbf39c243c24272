"""The local proof in partitions: each proves its range of the vertices, on a machine of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrosolve.distributed.group import RayGroup, owned, work_through
from retrosolve.errors import VerificationError
from retrosolve.runtime.context import Progress, ProgressCallback
from retrosolve.spaces.blocks import Block, blocks
from retrosolve.spaces.tier_window import Span

VERTICES_PER_CALL = 1 << 22

Check = Callable[[Any, Block], None]


class Checker:
    """A worker that proves ranges of vertices.

    Parameters
    ----------
    solution : Solution
    check : callable
        Raises VerificationError for a wrong vertex of a block of the solution.
    """

    def __init__(self, solution: Any, check: Check) -> None:
        self.solution, self.check_block = solution, check

    def check(self, span: Span) -> str | None:
        """Prove a range; return what is wrong with it, None if nothing is."""
        try:
            for block in blocks(self.solution.space, *span):
                self.check_block(self.solution, block)
        except VerificationError as error:
            return str(error)
        return None


def prove(
    solution: Any,
    check: Check,
    partitions: int,
    progress: ProgressCallback,
    open_group: Callable[[int], RayGroup],
) -> None:
    """Prove all vertices by ``check``, block by block; a range whose worker is lost is proven again.

    Raises VerificationError for the first wrong vertex, and ClusterError if workers are lost again and
    again.
    """
    n, done = solution.space.num_vertices, 0

    def refusal(group: RayGroup) -> str | None:
        nonlocal done
        group.start(Checker, solution, check)
        while done < n:
            stop = min(n, done + group.size * VERTICES_PER_CALL)
            for wrong in group.call("check", each=owned(done, stop, group.size)):
                if wrong is not None:
                    return str(wrong)
            done = stop
            progress(Progress("verifying", done, n))
        return None

    wrong = work_through(open_group, partitions, refusal, lambda: (done,), "while a range was proven")
    if wrong is not None:
        raise VerificationError(wrong)
