"""Findings: the violations of the contract that a check has found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from retrosolve.errors import RulesError


class Findings:
    """Collects the first violation of each kind, or raises the first one of all.

    Parameters
    ----------
    collect : bool
        Whether to collect.

    Examples
    --------
    >>> findings = Findings(collect=True)
    >>> for position in (7, 8):
    ...     with findings.catch("terminal"):
    ...         raise RulesError(f"terminal({position}) gave 5")
    >>> findings.messages
    ('terminal(7) gave 5',)
    """

    def __init__(self, collect: bool) -> None:
        self.collect = collect
        self._found: dict[str, str] = {}

    @property
    def messages(self) -> tuple[str, ...]:
        """What was found."""
        return tuple(dict.fromkeys(self._found.values()))

    @contextmanager
    def catch(self, kind: str) -> Iterator[None]:
        """Collect a RulesError that the block raises, unless there is one of this kind."""
        try:
            yield
        except RulesError as error:
            if not self.collect:
                raise
            self._found.setdefault(kind, str(error))
