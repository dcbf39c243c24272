"""Compiled rules: do their functions agree with one another, over the index and both ways?"""

from __future__ import annotations

import random
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from retrosolve.errors import RulesError
from retrosolve.rules.checks.instrumented import InstrumentedGame
from retrosolve.values import INVALID

if TYPE_CHECKING:
    from retrosolve.rules.compiled import CompiledGame

SMOKE_SAMPLES = 16
MAX_NEIGHBOURS = 4  # moves and predecessors looked at of a position, where not all positions are


def sampled_indices(view: InstrumentedGame, many: int, seed: int) -> tuple[list[int], bool]:
    """Give the positions of up to ``many`` indices; tell whether these are all there are.

    The ends of the index and of its tiers are among them. Each index leads back to itself.
    """
    size = view.game.size
    if size is None or view.game.reachable_only:
        return [], True
    if size <= many:
        indices = list(range(size))
    else:
        ends = {0, size - 1, *(first - k for first in view.game.tiers or () for k in (0, 1) if first)}
        indices = sorted(ends | set(random.Random(seed).sample(range(size), many)))
    positions = []
    for index in indices:
        position = view.whole("unrank", index)
        if not _stands_for_itself(view, position):
            continue
        again = view.number("rank", position)
        if again != index:
            raise RulesError(
                f"{view.name}.unrank({index}) gave {position}, "
                f"but rank({position}) gave {again}: expected {index}"
            )
        positions.append(position)
    return positions, size <= many


def smoke_test(game: CompiledGame) -> None:
    """Try a few indices before anything is compiled: compiled, an array that is left goes unnoticed."""
    view = InstrumentedGame(game)
    both = _BothWays(view, None)
    for position in [*view.starts(), *sampled_indices(view, SMOKE_SAMPLES, 0)[0]]:
        both.check_moves(view.canonical(position))


def check_compiled(
    view: InstrumentedGame, positions: list[int], complete: bool, seed: int
) -> list[str]:
    """Check what only compiled rules have; give what was checked."""
    both = _BothWays(view, None if complete else random.Random(seed))
    own = list(dict.fromkeys(view.canonical(position) for position in positions))
    for position in own:
        both.check_moves(position)
    checked = ["successors"]
    if view.implements("predecessors"):
        checked.append("predecessors")
        for position in own:
            both.check_origins(position)
    return [*checked, "rank"] if view.game.size is not None else checked


class _BothWays:
    """Moves and predecessors, in canonical forms, each asked for once."""

    def __init__(self, view: InstrumentedGame, rng: random.Random | None) -> None:
        self.view = view
        self.game = view.game
        self.rng = rng
        self.there: dict[int, set[int]] = {}
        self.back: dict[int, set[int]] = {}

    def some(self, positions: Any) -> list[int]:
        """Give all of the positions, or a few where not all there are is looked at anyway."""
        given = list(dict.fromkeys(positions))
        if self.rng is None or len(given) <= MAX_NEIGHBOURS:
            return given
        return self.rng.sample(given, MAX_NEIGHBOURS)

    def targets(self, position: int) -> set[int]:
        """Give the canonical positions that moves lead to."""
        if position not in self.there:
            over = not self.view.goes_on(position)
            written = [] if over else self.view.written("successors", position)
            self.there[position] = {self.view.canonical(target) for target in written}
        return self.there[position]

    def origins(self, position: int) -> set[int]:
        """Give the canonical forms of the predecessors."""
        if position not in self.back:
            written = self.view.written("predecessors", position)
            self.back[position] = {self.view.canonical(origin) for origin in written}
        return self.back[position]

    def tier(self, position: int) -> int:
        """Give the tier of a canonical position."""
        if self.game.size is None:
            return 0
        return bisect_right(self.game.tiers or (0,), self.index(position)) - 1

    def index(self, position: int) -> int:
        """Give the index of a canonical position, which must lead back to it."""
        size = self.game.size or 0
        index = self.view.number("rank", position)
        if not 0 <= index < size:
            raise RulesError(
                f"{self.view.name}.rank({position}) gave {index}: expected a whole number below {size}"
            )
        again = self.view.whole("unrank", index)
        if again != position:
            raise RulesError(
                f"{self.view.name}.rank({position}) gave {index}, "
                f"but unrank({index}) gave {again}: expected {position}"
            )
        return index

    def check_moves(self, position: int) -> None:
        """The position and those it leads to have an index; no move leads up the tiers."""
        if self.game.size is None:
            return
        here = self.tier(position)
        led_to = self.view.targets(position) if self.view.goes_on(position) else []
        for target in dict.fromkeys(self.view.canonical(target) for target in led_to):
            there = self.tier(target)
            if there > here:
                raise RulesError(
                    f"{position} of tier {here} leads to {target} of tier {there}: "
                    "expected its own tier or an earlier one"
                )

    def check_origins(self, position: int) -> None:
        """What a move leads to has the position among its predecessors, and the other way round."""
        here = self.tier(position)
        for target in self.some(sorted(self.targets(position))):
            if self.tier(target) == here and position not in self.origins(target):
                raise RulesError(
                    f"{position} has a move to {target}, but predecessors({target}) leaves it out: "
                    "expected every position with a move to there"
                )
        for origin in self.some(self.view.written("predecessors", position)):
            self._check_own_index(position, origin)
            code = self.view.code(origin)
            if code == INVALID:
                self._check_none(position, origin)
            elif self.view.goes_on(origin) and position not in self.targets(origin):
                raise RulesError(
                    f"{self.view.name}.predecessors({position}) wrote {origin}, "
                    "which has no move there: "
                    "expected positions with one"
                )

    def _check_own_index(self, position: int, origin: int) -> None:
        """In a game that says so, no predecessor has the index of another position."""
        if self.game.size is None or not self.game.injective_rank:
            return
        own = self.view.canonical(origin)
        index = self.view.number("rank", own)
        if 0 <= index < self.game.size and self.view.whole("unrank", index) != own:
            raise RulesError(
                f"{self.view.name}.predecessors({position}) wrote {origin}, whose index is that "
                f"of {self.view.whole('unrank', index)}: expected one of its own, by injective_rank"
            )

    def _check_none(self, position: int, origin: int) -> None:
        """What is no position may be written, if its index is not that of another."""
        index = self.view.number("rank", self.view.canonical(origin))
        if self.game.size is None or not 0 <= index < self.game.size:
            return
        real = self.view.whole("unrank", index)
        if _stands_for_itself(self.view, real):
            raise RulesError(
                f"{self.view.name}.predecessors({position}) wrote {origin}, "
                "which is no position, but rank gives it the "
                f"index {index} of {real}: expected an index of none"
            )


def _stands_for_itself(view: InstrumentedGame, position: int) -> bool:
    return view.code(position) != INVALID and view.canonical(position) == position
