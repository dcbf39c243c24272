"""verify(): is this value and this remoteness right at every vertex? It knows no solver."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from retrosolve.compilation import jit
from retrosolve.errors import VerificationError
from retrosolve.runtime.progress import ProgressCallback, no_progress
from retrosolve.solution import Solution
from retrosolve.spaces.base import Capability
from retrosolve.values import INVALID, Value
from retrosolve.verification import fixpoint, local, words

VERTICES_PER_BLOCK = 1 << 18


class Prover(NamedTuple):
    """One way to prove a solution.

    Parameters
    ----------
    requires : Capability
        What the space must offer.
    has_remoteness : bool
        Whether it takes tables with remoteness, or those without.
    compiled_only : bool
        Whether it is worth its while only where kernels are compiled.
    prove : callable
        ``prove(solution, report)`` raises VerificationError.
    """

    requires: Capability
    has_remoteness: bool
    compiled_only: bool
    prove: Callable[[Solution, ProgressCallback], None]


PROVERS: tuple[Prover, ...] = (
    Prover(Capability.BIT_ROWS, False, False, fixpoint.prove),
    Prover(Capability.GENERATED, True, False, words.prove_generated),
    Prover(Capability.BIT_ROWS, True, True, words.prove_bit_rows),
    Prover(Capability.NONE, True, False, local.prove),
)


def verify(solution: Solution, progress: ProgressCallback | None = None) -> None:
    """Prove every value and remoteness of a solution anew.

    Parameters
    ----------
    solution : Solution
    progress : callable, optional
        Called with a :class:`Progress` now and then.

    Raises
    ------
    VerificationError
        If an answer is wrong; the text names the vertex, what is claimed and what would be right.
    RulesError
        If an answer is wrong because the rules of the game contradict each other.

    Notes
    -----
    At each vertex: the remoteness is -1 only for a DRAW; a terminal or stuck vertex has its given value
    and remoteness 0. Elsewhere a WIN has a successor that wins for its player, and the nearest is one
    ply less; at a LOSS all successors lose, and the farthest is one ply less; a TIE has no winning
    successor, and its nearest tie is one ply less; a DRAW has neither, and a successor that is a DRAW.

    If only reachable positions are solved, the proof finds out anew which these are. A random sample of
    the positions of compiled rules is proven once more with the rules uncompiled. A solution without
    remoteness is proven by deriving every win and loss anew, in another way than they were found.

    Takes O(n + m) time.
    """
    report = progress or no_progress
    _check_shape(solution)
    space, table = solution.space, solution.table
    for prover in PROVERS:
        fits = prover.requires in space.capabilities and prover.has_remoteness == table.has_remoteness
        if fits and (not prover.compiled_only or jit.pays(space.num_vertices + space.num_edges)):
            prover.prove(solution, report)
            return
    raise VerificationError(
        "win, loss and draw without remoteness are proven for games of two tokens only: "
        "expected a solution with its remoteness"
    )


def _check_shape(solution: Solution) -> None:
    """Raise VerificationError unless there is one known value a vertex."""
    n, table = solution.space.num_vertices, solution.table
    for name, array in table.arrays().items():
        if name in ("value", "remoteness", "words") and len(array) != n:
            raise VerificationError(f"{name} has shape ({len(array)},): expected ({n},), one a vertex")
    for start in range(0, n, VERTICES_PER_BLOCK):
        value = table.values(slice(start, start + VERTICES_PER_BLOCK))
        unknown = (value > max(Value)) & (value != INVALID)
        if unknown.any():
            v = int(unknown.argmax())
            raise VerificationError(
                f"vertex {start + v} has value {value[v]}: expected 0 to {max(Value)}"
            )
