"""Plain rules, tried on samples: do they give what they may, the same each time, and change nothing?"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import combinations
from typing import Any

from retrosolve.errors import RulesError
from retrosolve.rules.exploring import asked, moves_of, player_of, terminal_code
from retrosolve.rules.game import Game
from retrosolve.rules.interpreted import InterpretedGame

MAX_PLIES = 200
MAX_FRUITLESS_GAMES = 50
MAX_COMPARED = 300  # positions of which all pairs are compared

Answers = dict[str, Any]


class PlainCheck:
    """The positions that were met, with what the rules said of them when first asked."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.first: dict[Any, Answers] = {}
        self.written: list[tuple[Any, str, int]] = []

    def sample(self, starts: Iterable[Any], samples: int, seed: int) -> bool:
        """Meet up to ``samples`` positions, two thirds breadth-first; tell whether there are no others.

        Random play meets the rest, for what only happens deep in a game.
        """
        order = dict.fromkeys(_hashed(start, "start") for start in starts)
        found = list(order)
        todo = iter(found)
        if self._breadth_first(todo, found, order, samples * 2 // 3):
            return True
        self._play_at_random(found, samples, random.Random(seed))
        return self._breadth_first(todo, found, order, samples)

    def _breadth_first(
        self, todo: Iterator[Any], found: list[Any], order: dict[Any, None], samples: int
    ) -> bool:
        """Look at positions in the order in which they are found; tell whether there are no others."""
        while len(self.first) < samples:
            position = next(todo, self)
            if position is self:
                return True
            for target in self.targets(position):
                if target not in order:
                    order[target] = None
                    found.append(target)
        return all(position in self.first for position in found)

    def _play_at_random(self, found: list[Any], samples: int, rng: random.Random) -> None:
        """Play until there are as many ``samples``, or nothing new has been met for a while."""
        idle = 0
        while idle < MAX_FRUITLESS_GAMES and len(self.first) < samples:
            known = len(self.first)
            position = rng.choice(found)
            for _ in range(MAX_PLIES):
                targets = self.targets(position)
                if not targets or len(self.first) >= samples:
                    break
                position = rng.choice(targets)
            idle = 0 if len(self.first) > known else idle + 1

    def targets(self, position: Any) -> list[Any]:
        """Give the positions that moves lead to; the rules are asked when it is met first."""
        return [target for _, target in self.meet(position).get("moves", ())]

    def meet(self, position: Any) -> Answers:
        """Give what the rules said first of a position, asking them if they have not been."""
        if position not in self.first:
            written, number = repr(position), hash(position)
            self.first[position] = self._answers(position)
            self.written.append((position, written, number))
            _kept(position, written, number)
        return self.first[position]

    def check(self) -> None:
        """Ask everything again, the last position first, and compare with what was said before."""
        met = list(self.first.items())
        for position, before in reversed(met):
            after = self._answers(position)
            for rule, answer in before.items():
                if rule not in after or after[rule] != answer:
                    raise _unlike(rule, position, answer, after.get(rule))
        for position, written, number in self.written:
            _kept(position, written, number)
        _check_hashes([position for position, _ in met[:MAX_COMPARED]])
        if self.game.implements("canonical"):
            for position, answers in met:
                self._check_canonical(position, answers)

    def _answers(self, position: Any) -> Answers:
        """Ask every rule about a position."""
        answers: Answers = {}
        for rule, ask in (
            ("terminal", terminal_code),
            ("player", player_of),
            ("canonical", _canonical),
        ):
            if self.game.implements(rule):
                answers[rule] = self._ask(ask, position)
        if not answers.get("terminal"):
            answers["moves"] = self._ask(moves_of, position)
            for _, target in answers["moves"]:
                _hashed(target, position)
        return answers

    def _ask(self, ask: Callable[[Game, Any], Any], position: Any) -> Any:
        """Ask one rule; what a view of compiled rules finds wrong is told as it is."""
        try:
            return ask(self.game, position)
        except RulesError as error:
            if isinstance(self.game, InterpretedGame) and isinstance(error.__cause__, RulesError):
                raise error.__cause__ from None
            raise

    def _check_canonical(self, position: Any, answers: Answers) -> None:
        """A representative stays what it is, and ends and is played as what it stands for."""
        own = answers["canonical"]
        other = answers if own == position else self._answers(own)
        if other["canonical"] != own:
            raise RulesError(
                f"canonical({position!r}) gave {own!r}, and canonical of that {other['canonical']!r}: "
                "expected it kept"
            )
        for rule in ("terminal", "player"):
            if answers.get(rule) != other.get(rule):
                raise RulesError(
                    f"{rule}({position!r}) and {rule}({own!r}), its canonical form, differ: "
                    "expected the same"
                )
        mine, theirs = (
            dict.fromkeys(self._ask(_canonical, target) for _, target in given.get("moves", ()))
            for given in (answers, other)
        )
        for odd in (*mine, *theirs):
            if (odd in mine) != (odd in theirs):
                raise RulesError(
                    f"{position!r} and its canonical form {own!r} are not played alike: only "
                    f"{position if odd in mine else own!r} has a move to {odd!r} or its like"
                )


def _canonical(game: Game, position: Any) -> Any:
    own = asked(game, "canonical", position)
    try:
        hash(own)
    except TypeError:
        raise RulesError(
            f"canonical({position!r}) gave {own!r}, which cannot be hashed: "
            "expected a hashable position"
        ) from None
    return own


def _hashed(position: Any, source: Any) -> Hashable:
    """Give the position, or say that ``source`` leads to what cannot be hashed."""
    try:
        hash(position)
    except TypeError:
        raise RulesError(
            f"{source!r} leads to {position!r}, which cannot be hashed: expected a hashable position"
        ) from None
    known: Hashable = position
    return known


def _kept(position: Any, written: str, number: int) -> None:
    if repr(position) != written or hash(position) != number:
        raise RulesError(f"the rules changed the position {written} to {position!r}: expected it kept")


def _unlike(rule: str, position: Any, before: Any, after: Any) -> RulesError:
    """Say that a rule gave something else when asked again."""
    if rule == "moves" and repr(before) == repr(after):
        return RulesError(
            f"moves({position!r}) gave {before!r} twice, and they are not equal: "
            "expected positions that have __eq__ and __hash__"
        )
    return RulesError(
        f"{rule}({position!r}) gave {before!r} and then {after!r}: expected the same each time"
    )


def _check_hashes(positions: list[Any]) -> None:
    """Of all pairs: what is equal has the same hash, or a dict would not find it."""
    for left, right in combinations(positions, 2):
        if left == right:
            raise RulesError(
                f"{left!r} and {right!r} are equal, but their hashes are {hash(left)} and "
                f"{hash(right)}: expected the same"
            )
