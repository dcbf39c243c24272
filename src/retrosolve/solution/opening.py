"""open_solution(): open a saved solution."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from retrosolve.solution.solution import Solution


def open_solution(path: str | Path, game: Any = None, check: bool = True) -> Solution:
    """Open a saved solution; its arrays are memory-mapped, not read.

    Parameters
    ----------
    path : str or Path
    game : Game or CompiledGame, optional
        The game that was solved. By default it is constructed again: a built-in game by its class and
        arguments, rules from a file by loading that file, which must be unchanged.
    check : bool
        Whether to compare each file with its checksum, which reads all of it once.

    Returns
    -------
    Solution

    Raises
    ------
    StoreError
        If a file is missing, damaged or of an unknown version, or if the rules are missing or have
        changed.

    Examples
    --------
    >>> import tempfile
    >>> import retrosolve as rs
    >>> from retrosolve.games.stones import Stones
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rs.solve(Stones(n=7)).save(f"{folder}/stones")
    ...     str(rs.open(f"{folder}/stones")[7])
    'WIN in 5'
    """
    from retrosolve import store

    saved = store.load(path, game, check)
    solution = Solution(saved.space, saved.table, saved.stuck, saved.solver, num_edges=saved.num_edges)
    initial = saved.space.initial
    if saved.start is None:
        solution.start = None
    elif initial is None or saved.space.index(initial) != saved.start:
        solution.start = saved.space.position(saved.start)
    return solution
