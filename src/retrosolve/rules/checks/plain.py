"""Checks of plain rules: results are valid and deterministic, and positions do not change."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import combinations
from typing import Any

from retrosolve.errors import RulesError
from retrosolve.rules.calls import canonical_of, hashable, moves_of, player_of, terminal_code
from retrosolve.rules.contract import Game
from retrosolve.rules.interpreted import InterpretedGame

MAX_PLIES = 200
MAX_FRUITLESS_GAMES = 50
MAX_COMPARED = 300  # positions of which all pairs are compared

Results = dict[str, Any]


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
        self._first: dict[str, str] = {}

    @property
    def messages(self) -> tuple[str, ...]:
        """The first violation of each kind."""
        return tuple(dict.fromkeys(self._first.values()))

    @contextmanager
    def catch(self, kind: str) -> Iterator[None]:
        """Collect a RulesError that the block raises, unless there is one of this kind."""
        try:
            yield
        except RulesError as error:
            if not self.collect:
                raise
            self._first.setdefault(kind, str(error))


class PlainCheck:
    """A sample of positions, with the results of the rules at the first call.

    Parameters
    ----------
    game : Game
    findings : Findings
        Receives the violations.
    """

    def __init__(self, game: Game, findings: Findings) -> None:
        self.game = game
        self.findings = findings
        self.first: dict[Any, Results] = {}
        self.written: list[tuple[Any, str, int]] = []

    def sample(self, starts: Iterable[Any], samples: int, seed: int) -> bool:
        """Visit up to ``samples`` positions; return whether these are all positions of the game.

        Two thirds are visited breadth-first, the rest by random play, which also reaches positions deep
        in the game.
        """
        order = dict.fromkeys(hashable(self.game, start, "start", "starts") for start in starts)
        discovered = list(order)
        todo = iter(discovered)
        if self._breadth_first(todo, discovered, order, samples * 2 // 3):
            return True
        self._play_at_random(discovered, samples, random.Random(seed))
        return self._breadth_first(todo, discovered, order, samples)

    def _breadth_first(
        self, todo: Iterator[Any], discovered: list[Any], order: dict[Any, None], samples: int
    ) -> bool:
        """Visit positions in the order of discovery; return whether all positions have been visited."""
        while len(self.first) < samples:
            position = next(todo, self)
            if position is self:
                return True
            for target in self.targets(position):
                if target not in order:
                    order[target] = None
                    discovered.append(target)
        return all(position in self.first for position in discovered)

    def _play_at_random(self, discovered: list[Any], samples: int, rng: random.Random) -> None:
        """Play at random until there are ``samples`` positions, or no new one for some games."""
        idle = 0
        while idle < MAX_FRUITLESS_GAMES and len(self.first) < samples:
            before = len(self.first)
            position = rng.choice(discovered)
            for _ in range(MAX_PLIES):
                targets = self.targets(position)
                if not targets or len(self.first) >= samples:
                    break
                position = rng.choice(targets)
            idle = 0 if len(self.first) > before else idle + 1

    def targets(self, position: Any) -> list[Any]:
        """Return the targets of the moves from a position."""
        return [target for _, target in self.visit(position).get("moves", ())]

    def visit(self, position: Any) -> Results:
        """Return the results of the rules at a position, calling them if this is the first visit."""
        if position not in self.first:
            written, number = repr(position), hash(position)
            self.first[position] = self._results(position)
            self.written.append((position, written, number))
            with self.findings.catch("changed position"):
                _check_unchanged(position, written, number)
        return self.first[position]

    def check(self) -> None:
        """Call every rule again, last position first, and compare. Raises RulesError."""
        visited = list(self.first.items())
        for position, before in reversed(visited):
            after = self._results(position)
            for rule, result in before.items():
                with self.findings.catch(f"changed {rule}"):
                    if rule not in after or after[rule] != result:
                        raise _changed_result(rule, position, result, after.get(rule))
        with self.findings.catch("changed position"):
            for position, written, number in self.written:
                _check_unchanged(position, written, number)
        with self.findings.catch("hash"):
            _check_hashes([position for position, _ in visited[:MAX_COMPARED]])
        if self.game.implements("canonical"):
            for position, results in visited:
                with self.findings.catch("symmetry"):
                    self._check_canonical(position, results)

    def _results(self, position: Any) -> Results:
        """Return the result of every rule at a position."""
        results: Results = {}
        for rule, ask in (
            ("terminal", terminal_code),
            ("player", player_of),
            ("canonical", canonical_of),
        ):
            if self.game.implements(rule):
                with self.findings.catch(rule):
                    results[rule] = self._ask(ask, position)
        if not results.get("terminal"):
            with self.findings.catch("moves"):
                moves = self._ask(moves_of, position)
                for _, target in moves:
                    hashable(self.game, target, position)
                results["moves"] = moves
        return results

    def _ask(self, ask: Callable[[Game, Any], Any], position: Any) -> Any:
        """Call one rule; an error that a view of compiled rules raises is raised unchanged."""
        try:
            return ask(self.game, position)
        except RulesError as error:
            if isinstance(self.game, InterpretedGame) and isinstance(error.__cause__, RulesError):
                raise error.__cause__ from None
            raise

    def _check_canonical(self, position: Any, results: Results) -> None:
        """Check that ``canonical`` is idempotent and preserves results and moves."""
        if "canonical" not in results:
            return
        form = results["canonical"]
        other = results if form == position else self._results(form)
        if other.get("canonical") != form:
            raise RulesError(
                f"canonical({position!r}) gave {form!r}, and canonical of that "
                f"{other.get('canonical')!r}: expected it kept"
            )
        for rule in ("terminal", "player"):
            if results.get(rule) != other.get(rule):
                raise RulesError(
                    f"{rule}({position!r}) and {rule}({form!r}), its canonical form, differ: "
                    "expected the same"
                )
        mine, theirs = (
            dict.fromkeys(self._ask(canonical_of, target) for _, target in visit.get("moves", ()))
            for visit in (results, other)
        )
        for odd in (*mine, *theirs):
            if (odd in mine) != (odd in theirs):
                raise RulesError(
                    f"{position!r} and its canonical form {form!r} are not played alike: only "
                    f"{position if odd in mine else form!r} has a move to {odd!r} or its like"
                )


def _check_unchanged(position: Any, written: str, number: int) -> None:
    """Check that the repr and the hash of a position are those of the first visit."""
    if repr(position) != written or hash(position) != number:
        raise RulesError(f"the rules changed the position {written} to {position!r}: expected it kept")


def _changed_result(rule: str, position: Any, before: Any, after: Any) -> RulesError:
    """Return the error for a rule whose result has changed."""
    if rule == "moves" and repr(before) == repr(after):
        return RulesError(
            f"moves({position!r}) gave {before!r} twice, and they are not equal: "
            "expected positions that have __eq__ and __hash__"
        )
    return RulesError(
        f"{rule}({position!r}) gave {before!r} and then {after!r}: expected the same each time"
    )


def _check_hashes(positions: list[Any]) -> None:
    """Check that equal positions have equal hashes: a dict would not find them otherwise."""
    for left, right in combinations(positions, 2):
        if left == right:
            raise RulesError(
                f"{left!r} and {right!r} are equal, but their hashes are {hash(left)} and "
                f"{hash(right)}: expected the same"
            )
