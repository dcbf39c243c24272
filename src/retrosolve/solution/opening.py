"""open_solution(): open a saved solution; OpenedSolution: one that stays on disk."""

from __future__ import annotations

import copy
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from retrosolve.errors import StoreError
from retrosolve.languages.phrases import Proven
from retrosolve.runtime.files import short_repr
from retrosolve.solution.solution import Solution
from retrosolve.spaces.base import StateSpace, Subject
from retrosolve.tables import Table, summary

if TYPE_CHECKING:
    from retrosolve.store import Archive


def open_solution(
    path: str | Path, *, game: Subject | None = None, check: bool = False, trust_rules: bool = False
) -> OpenedSolution:
    """Open a saved solution without loading it, and without running code that came with it.

    Parameters
    ----------
    path : str or Path
    game : Game or CompiledGame, optional
        The game that was solved. By default a built-in game is constructed again from its class and
        arguments when it is first needed.
    check : bool
        Whether to compare every file with its checksum and the table with the manifest, which reads all
        of it once. By default each part is compared with its checksum when it is read.
    trust_rules : bool
        Whether rules that are no part of this package may run: those in the file from which they were
        solved, which must be unchanged. That is as safe as running the file. Without it, and without
        ``game``, only what needs no rules can be read: the table by index, counts, histogram, digest.

    Returns
    -------
    OpenedSolution
        A context manager: ``with rs.open(path) as solution: ...``

    Raises
    ------
    UntrustedRulesError
        Later, by what needs positions or moves, if rules would have to run that are not trusted.
    StoreError
        If a file is missing, damaged or of an unknown version, or if rules that are trusted are missing
        or have changed.

    Notes
    -----
    Reads the manifest and maps the files, in milliseconds. Several threads and processes may use the
    solution at the same time.

    Examples
    --------
    >>> import tempfile
    >>> import retrosolve as rs
    >>> from retrosolve.games.stones import Stones
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rs.solve(Stones(n=7)).save(f"{folder}/stones")
    ...     with rs.open(f"{folder}/stones") as solution:
    ...         print(solution[7])
    WIN in 5
    """
    from retrosolve import store

    if type(trust_rules) is not bool:
        raise StoreError(f"trust_rules={short_repr(trust_rules)}: expected True or False")
    return OpenedSolution(store.load(path, game, check, trusted=trust_rules))


class OpenedSolution(Solution):
    """A saved solution; its table stays on disk and its rules are loaded on first use.

    Counts, histogram and length come from the manifest. Positions and moves need the rules, which are
    built in or trusted. A damaged part raises :class:`StoreError` when it is read.

    Parameters
    ----------
    opened : Archive
        As returned by :func:`retrosolve.store.load`.
    seconds : mapping, optional
        The time of each stage of the solve, if it was just made.
    levels : sequence of LevelUse, optional
        What each level of a distributed solve took, if it was just made.

    Attributes
    ----------
    path : Path
        The directory.
    """

    __slots__ = ("_opened", "path")

    def __init__(
        self, opened: Archive, seconds: Mapping[str, float] = MappingProxyType({}),
        levels: Sequence[Any] = (),
    ) -> None:  # fmt: skip
        self._opened: Archive | None = opened
        self._start = None
        self._objective = opened.manifest.objective
        self._num_edges = opened.manifest.num_edges
        self.path = opened.path
        self.solver: str = opened.solver
        self.seconds = dict(seconds)
        self.levels = tuple(levels)
        self._proven = opened.proven

    # -- what is on disk ----------------------------------------------------------------------

    @property
    def opened(self) -> Archive:
        """The files. Raises StoreError after :meth:`close`."""
        if self._opened is None:
            raise StoreError(f"the solution {self.path} is closed: expected an open one, see open()")
        return self._opened

    @property
    def space(self) -> StateSpace:
        """The positions and moves, made again from the rules on first use."""
        return self.opened.space()

    @property
    def table(self) -> Table:
        """The value and remoteness of each vertex, read on demand."""
        return self.opened.table

    @property
    def start(self) -> Hashable | None:
        """The position from which the game is played, as saved unless :meth:`with_start`."""
        if self._start is not None:
            return self._start[0]
        index = self.opened.start
        if index is None:
            return None
        space = self.space
        initial = space.start
        if initial is not None and space.index(initial) == index:
            return initial
        return space.position(index)

    def close(self) -> None:
        """Let go of the files. Arrays and spaces that are still in use stay valid."""
        self._opened = None

    def __copy__(self) -> OpenedSolution:
        copied = OpenedSolution(self.opened)
        copied._start, copied._proven, copied.levels = self._start, self.proven, self.levels
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        opened = self.opened
        return _reopened, (self.path, opened.game, self._start, self.proven, opened.trusted)

    def digest(self) -> str:
        """Return the SHA-256 of the values and remotenesses, from the manifest."""
        return self.opened.digest

    @property
    def num_bytes(self) -> int:
        """The number of bytes of all files."""
        return self.opened.manifest.num_bytes

    # -- summaries, from the manifest ---------------------------------------------------------

    def counts(self) -> dict[Any, int]:
        """Return the number of positions of each value: WIN, LOSS, TIE, DRAW, zeros included."""
        return self.opened.distribution.counts()

    def counts_by_player(self) -> dict[str, dict[Any, int]] | None:
        """Return the number of positions of each value for each player to move."""
        sides = self.opened.distribution.by_player
        return None if sides is None else dict(zip(self.opened.players, sides, strict=True))

    def histogram(self) -> dict[Any, dict[int | None, int]]:
        """Return the number of positions by value and remoteness."""
        return copy.deepcopy(self.opened.distribution.histogram)

    def longest(self) -> dict[Any, int | None]:
        """Return the largest remoteness of each value but DRAW, None for one that does not occur."""
        return self.opened.distribution.longest()

    def _repr_html_(self) -> str:
        """Return a table of the counts for a notebook, with a picture if the rules may draw one."""
        if self.opened.has_rules:
            return super()._repr_html_()
        caption = f"{len(self)} positions, solver {self.solver}"
        return summary.html(self.counts(), self.longest(), caption)


def _reopened(
    path: Path,
    game: Subject | None,
    start: tuple[Hashable | None] | None,
    proof: Proven | None,
    trusted: bool,
) -> OpenedSolution:
    """Return a pickled solution, opened again."""
    solution = open_solution(path, game=game, trust_rules=trusted)
    solution._start, solution._proven = start, proof
    return solution
