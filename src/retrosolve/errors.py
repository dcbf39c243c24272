"""The exceptions. Each message says on one line what is wrong, where, and what is expected instead."""

from __future__ import annotations

from typing import Any

WITHIN_WORDS = "\u200c\u200d\u00a0\u202f"  # joiners, and blanks that do not break


def one_line(text: str) -> str:
    r"""Return text on one line, with unprintable characters as escapes.

    The joiners that Persian and other scripts write within words stay, and blanks that do not break.

    >>> one_line("a\tb")
    'a\\tb'
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c in WITHIN_WORDS else c.encode("unicode_escape").decode() for c in text
    )


class RetrosolveError(Exception):
    """The base class of the exceptions of this package.

    Examples
    --------
    >>> import retrosolve as rs
    >>> try:
    ...     rs.solve(42)
    ... except rs.RetrosolveError as error:
    ...     print(type(error).__name__)
    GraphError
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(one_line(message))


class GraphError(RetrosolveError, ValueError):
    """An invalid graph or argument.

    Examples
    --------
    >>> import retrosolve as rs
    >>> rs.Graph.from_edges([0, 1], [1])
    Traceback (most recent call last):
    retrosolve.errors.GraphError: source has 2 edges and target 1: expected as many
    """


class RulesError(RetrosolveError):
    """Rules that break their contract; the message names a position.

    Examples
    --------
    >>> import retrosolve as rs
    >>> class Loop(rs.Game):
    ...     def start(self):
    ...         return 1
    ...     def moves(self, n):
    ...         return None
    >>> rs.solve(Loop())
    Traceback (most recent call last):
    retrosolve.errors.RulesError: moves(1) gave None: expected pairs (name, position)
    """


class LimitError(RulesError):
    """A game with more positions than the limit given, or a solve that takes longer than its timeout.

    Examples
    --------
    >>> import retrosolve as rs
    >>> from retrosolve.games.tictactoe import TicTacToe
    >>> try:
    ...     rs.solve(TicTacToe(), limit=100)
    ... except rs.LimitError as error:
    ...     print(str(error)[:43])
    the game has more than 100 positions, the l
    """


class FormatError(RetrosolveError, ValueError):
    """A file that cannot be read or written; the message names the file and the place.

    Examples
    --------
    >>> import retrosolve as rs
    >>> rs.read_graph("nowhere.csv")
    Traceback (most recent call last):
    retrosolve.errors.FormatError: cannot read nowhere.csv: No such file or directory
    """


class StoreError(RetrosolveError):
    """A saved solution that is missing, damaged or of an unknown version.

    Attributes
    ----------
    solution : Solution or None
        The solution that :func:`retrosolve.solve` has found but could not save in ``out``; its ``save``
        writes it elsewhere.

    Examples
    --------
    >>> import retrosolve as rs
    >>> try:
    ...     rs.open("nowhere")
    ... except rs.StoreError as error:
    ...     print("No such file" in str(error), error.solution)
    True None
    """

    solution: Any = None


class UntrustedRulesError(StoreError):
    """A saved solution whose rules are not a part of this package, and are run only by consent.

    The message names the file that would run. Values by index, counts and digests need no rules.

    Parameters
    ----------
    reason : str
        What needs which file.

    Examples
    --------
    >>> print(UntrustedRulesError("positions need the rules in /home/ada/heap.py"))
    positions need the rules in /home/ada/heap.py: expected open(..., trust_rules=True) or game=...
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.reason}: expected open(..., trust_rules=True) or game=..."


class PositionError(RetrosolveError, KeyError):
    """A position that the space or the solution does not contain: a KeyError, as of any mapping.

    Examples
    --------
    >>> import retrosolve as rs
    >>> solution = rs.solve(rs.Graph.from_edges(["a"], ["b"]))
    >>> try:
    ...     solution["x"]
    ... except rs.PositionError:
    ...     print(solution.get("x"))
    None
    """

    __str__ = Exception.__str__  # that of a KeyError is in quotes


class MemoryBudgetError(RetrosolveError, MemoryError):
    """Work that would exceed the memory budget, before it begins, or for which memory ran out.

    Examples
    --------
    >>> import retrosolve as rs
    >>> try:
    ...     rs.solve(rs.Graph.from_edges([0, 1], [1, 2]), memory=1)
    ... except rs.MemoryBudgetError:
    ...     print("too little")
    too little
    """


class VerificationError(RetrosolveError):
    """A wrong solution; the message names the first wrong vertex.

    Examples
    --------
    >>> import io
    >>> import retrosolve as rs
    >>> file = io.BytesIO()
    >>> rs.write(rs.solve(rs.Graph.from_edges([0, 1], [1, 2])), file, "json")
    >>> wrong = io.BytesIO(file.getvalue().replace(b"[2, 1, 0]", b"[2, 2, 0]"))
    >>> try:
    ...     rs.verify(rs.read_solution(wrong, "json"))
    ... except rs.VerificationError as error:
    ...     print(error)
    0 (vertex 0) is claimed LOSS in 2, but its moves make it LOSS in 3
    """


class ClusterError(RetrosolveError):
    """A cluster that cannot be reached, or that loses its workers.

    Examples
    --------
    >>> import retrosolve as rs
    >>> try:
    ...     raise rs.ClusterError("no cluster answers at auto: expected one that runs")
    ... except rs.RetrosolveError as error:
    ...     print(error)
    no cluster answers at auto: expected one that runs
    """
