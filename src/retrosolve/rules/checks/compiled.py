"""Checks of compiled rules: each call, index and positions, successors and predecessors, compiling.

:class:`InstrumentedGame` checks every result of a function by itself; the other checks compare the
functions with each other.
"""

from __future__ import annotations

import os
import random
from bisect import bisect_right
from collections.abc import Mapping
from functools import cache
from itertools import islice
from typing import Any, NoReturn

import numpy as np

from retrosolve.arrays import is_whole, read_only
from retrosolve.compilation import jit
from retrosolve.compilation.arguments import rebuilt
from retrosolve.compilation.complaints import complaint
from retrosolve.errors import RulesError
from retrosolve.rules.calls import MAX_STARTS, raised
from retrosolve.rules.contract import CompiledGame
from retrosolve.rules.interpreted import InterpretedGame, checked_starts
from retrosolve.runtime.sources import error_place, function_place
from retrosolve.spaces.checked import MAX_OUTCOMES
from retrosolve.spaces.faults import checked_targets
from retrosolve.values import INVALID, LOSS, NOT_TERMINAL, TIE, WIN, Value

CANARIES = (-7_777_777, 0)  # the first is no position: if it remains, nothing was written
GUARD_LENGTH = 64
SMOKE_SAMPLES = 16
SMOKE_STARTS = 256  # starts whose moves are checked, about: some games have as many as positions
MAX_NEIGHBOURS = 4  # moves and predecessors checked per position if positions are only sampled
WITH_OUT = ("successors", "predecessors", "survey", "predecessor_indices")


class InstrumentedGame(InterpretedGame):
    """A compiled game as plain rules that raise RulesError if a function breaks its contract.

    Parameters
    ----------
    game : CompiledGame
        Its bounds and names must have been checked.

    Notes
    -----
    ``data`` is passed read-only. ``out`` is longer than ``max_moves``, and is filled with different
    values in two calls, which detects functions that write out of bounds or read entries that they
    have not written.
    """

    def __init__(self, game: CompiledGame) -> None:
        super().__init__(game)
        self.name = type(game).__name__
        self.data = _read_only(game.plain_data)

    def broken(self, rule: str, sentence: str) -> RulesError:
        """Return the error for a function that breaks its contract, with its place."""
        return RulesError(sentence + function_place(getattr(type(self.game), rule)))

    def refuse(self, rule: str, argument: int, sentence: str) -> NoReturn:
        """Raise the error for the result of a function for an argument."""
        raise self.broken(rule, f"{self.name}.{rule}({argument}) {sentence}")

    def starts(self) -> list[int]:
        """Return some of the starts; none if the game has a dense index and defines no start."""
        if self.game.size is not None and not (
            self.game.implements("start") or self.game.implements("starts")
        ):
            return []
        starts = list(islice(checked_starts(self.game), MAX_STARTS))
        for start in starts:
            if self._is_invalid(start):
                raise self.broken(
                    "terminal", f"{self.name} starts from {start}, which terminal() says is no position"
                )
        return starts

    def moves(self, position: int) -> list[tuple[str, int]]:
        """Return the name and the target of each move."""
        if self.game.implements("outcomes"):
            return self.game.named_moves(position)
        targets = self.targets(position)
        try:
            return [(self.game.move_name(position, target), target) for target in targets]
        except Exception as error:
            raise raised(f"{self.name}.move_name({position}, one of {targets})", error) from error

    def targets(self, position: int) -> list[Any]:
        """Return the targets of moves, checked to be valid and to have valid representatives."""
        throws = self.thrown(position) if self.game.implements("outcomes") else [position]
        targets = [target for after in throws for target in self.written("successors", after)]
        for target in targets:
            if self._is_invalid(target):
                raise self.broken(
                    "successors",
                    f"{position} leads to {target}, which terminal() says is no position: "
                    "expected moves to positions only",
                )
        return targets

    def _is_invalid(self, position: int) -> bool:
        """Return whether ``terminal`` is INVALID for a number or its representative."""
        form = self.canonical(position)
        return self.code(form) == INVALID or (form != position and self.code(position) == INVALID)

    def terminal(self, position: int) -> Value | None:
        """Return the result if the game is over at a valid position, otherwise None."""
        code = self.code(position)
        return Value(code) if code != NOT_TERMINAL else None

    def player(self, position: int) -> int:
        """Return the player to move."""
        return self.whole("player", position)

    def canonical(self, position: int) -> int:
        """Return the representative of a position."""
        return self.whole("canonical", position)

    def code(self, position: int) -> int:
        """Return the result of ``terminal``, which may be INVALID."""
        code = self.whole("terminal", position)
        if code not in (NOT_TERMINAL, WIN, LOSS, TIE, INVALID):
            codes = "NOT_TERMINAL, WIN, LOSS, TIE or INVALID"
            self.refuse("terminal", position, f"gave {code}: expected {codes}")
        return code

    def goes_on(self, position: int) -> bool:
        """Return whether a position is neither terminal nor INVALID."""
        return self.code(position) == NOT_TERMINAL

    def whole(self, rule: str, argument: int, *out: Any) -> int:
        """Call a function that must return a whole number, 0 or more."""
        number = self.number(rule, argument, *out)
        if number < 0:
            self.refuse(rule, argument, f"gave {number}: expected a whole number, 0 or more")
        return number

    def number(self, rule: str, argument: int, *out: Any) -> int:
        """Call a function that must return a whole number."""
        try:
            result = getattr(type(self.game), rule)(argument, *out, self.data)
        except ValueError as error:
            if "read-only" not in str(error):
                raise raised(f"{self.name}.{rule}({argument})", error) from error
            raise RulesError(
                f"{self.name}.{rule}({argument}) changes data: expected it kept{error_place(error)}"
            ) from error
        except Exception as error:
            raise raised(f"{self.name}.{rule}({argument})", error) from error
        if not is_whole(result):
            self.refuse(rule, argument, f"gave {result!r}: expected a whole number, 0 or more")
        return int(result)

    def surveyed(self, index: int) -> tuple[tuple[int, ...], list[int]]:
        """Return the four numbers of ``survey`` and the indices that it writes."""
        out = np.zeros(self.game.max_moves, np.int64)
        try:
            numbers = tuple(map(int, self.game.survey(index, out, self.data)))  # type: ignore[misc]
        except Exception as error:
            raise raised(f"{self.name}.survey({index})", error) from error
        if len(numbers) != 4 or min(numbers) < 0 or sum(numbers[2:]) > len(out):
            expected = (
                "expected the result, the moves, and how many indices they lead to within the tier and "
                f"beyond it, at most {len(out)} in all"
            )
            self.refuse("survey", index, f"gave {numbers}: {expected}")
        return numbers, out[: numbers[3]].tolist()

    def thrown(self, position: int) -> list[int]:
        """Return the results of ``outcomes``, whose weights have to be above 0."""
        out, weights = np.zeros((2, MAX_OUTCOMES), np.int64)
        count = self.whole("outcomes", position, out, weights)
        if not 1 <= count <= self.game.max_outcomes:
            most = f"max_outcomes = {self.game.max_outcomes}"
            self.refuse("outcomes", position, f"gave {count}: expected 1 to {most}")
        if weights[:count].min() < 1:
            self.refuse(
                "outcomes", position, f"wrote the weight {weights[:count].min()}: expected more"
            )
        thrown: list[int] = out[:count].tolist()
        return thrown

    def written(self, rule: str, position: int) -> list[int]:
        """Return the positions that a function writes, called twice with guard entries."""
        bound = "max_moves" if rule == "successors" else "max_predecessors"
        limit = int(getattr(self.game, bound))
        results = []
        for fill in CANARIES:
            out = np.full(limit + GUARD_LENGTH, fill, np.int64)
            count = self.whole(rule, position, out)
            if count > limit or (out[limit:] != fill).any():
                self.refuse(
                    rule, position, f"writes past {bound} = {limit}: expected no more positions"
                )
            positions: list[int] = out[:count].tolist()
            if rule == "successors" and self.game.implements("outcomes"):  # ~target: another turn
                positions = [~x if x < 0 and x not in CANARIES else x for x in positions]
            for at, target in enumerate(positions):
                if target == CANARIES[0]:
                    untouched = f"gave {count}, but left out[{at}] as it was"
                    self.refuse(rule, position, f"{untouched}: expected {count} positions")
                if target < 0:
                    self.refuse(rule, position, f"wrote {target}: expected a whole number, 0 or more")
            results.append(positions)
        if results[0] != results[1]:
            both = f"gave {results[0]} and then {results[1]}"
            expected = "expected the same each time, whatever out held before"
            self.refuse(rule, position, f"{both}: {expected}")
        return results[0]


def _read_only(data: Any) -> Any:
    """Return data with read-only views of its arrays."""
    if isinstance(data, tuple):
        return rebuilt(data, _read_only)
    return read_only(data) if isinstance(data, np.ndarray) else data


# -- functions that agree with each other ------------------------------------------------------------


def sampled_indices(view: InstrumentedGame, count: int, seed: int) -> tuple[list[int], bool]:
    """Return the positions of up to ``count`` random indices, and whether these are all indices.

    The first and last index of the game and of its tiers are among them. Each index is checked to be
    the rank of its position.

    Raises
    ------
    RulesError
    """
    if view.game.size is None or view.game.reachable_only:
        return [], True
    size = int(view.game.size)
    if size <= count:
        indices = list(range(size))
    else:
        ends = {0, size - 1, *(first - k for first in view.game.tiers or () for k in (0, 1) if first)}
        indices = sorted(ends | set(random.Random(seed).sample(range(size), count)))
    positions = []
    for index in indices:
        position = view.whole("unrank", index)
        if not _is_canonical(view, position):
            continue
        again = view.number("rank", position)
        if again != index:
            raise view.broken(
                "rank",
                f"{view.name}.unrank({index}) gave {position}, "
                f"but rank({position}) gave {again}: expected {index}",
            )
        positions.append(position)
    return positions, size <= count


def smoke_test(game: CompiledGame) -> None:
    """Check the moves of a few positions: compiled code would not notice an index out of bounds.

    Raises
    ------
    RulesError
    """
    view = InstrumentedGame(game)
    relation = _MoveRelation(view, None)
    starts = list(view.starts())
    starts = starts[:: max(1, len(starts) // SMOKE_STARTS)]
    for position in [*starts, *sampled_indices(view, SMOKE_SAMPLES, 0)[0]]:
        relation.check_moves(view.canonical(position))


def check_compiled(
    view: InstrumentedGame, positions: list[int], complete: bool, seed: int
) -> list[str]:
    """Check the functions that only compiled rules have; return their names. Raises RulesError."""
    relation = _MoveRelation(view, None if complete else random.Random(seed))
    own = list(dict.fromkeys(view.canonical(position) for position in positions))
    checks = {"successors": relation.check_moves, "predecessors": relation.check_predecessors}
    if view.game.implements("exchanged"):
        checks["exchanged"] = relation.check_exchanged
    if view.game.size is not None:
        checks["survey"] = relation.check_survey
        checks["predecessor_indices"] = relation.check_predecessor_indices
    checked = [name for name in checks if view.implements(name)]
    for name in checked:
        for position in own:
            checks[name](position)
    return checked if view.game.size is None else [*checked, "rank"]


class _MoveRelation:
    """Moves and predecessors in canonical form; each rule is called once per position."""

    def __init__(self, view: InstrumentedGame, rng: random.Random | None) -> None:
        self.view = view
        self.game = view.game
        self.rng = rng
        self.targets = cache(self._targets)
        self.predecessors = cache(self._predecessors)

    def sample_positions(self, positions: Any) -> list[int]:
        """Return the distinct positions, or a few of them if positions are only sampled."""
        distinct = list(dict.fromkeys(positions))
        if self.rng is None or len(distinct) <= MAX_NEIGHBOURS:
            return distinct
        return self.rng.sample(distinct, MAX_NEIGHBOURS)

    def _targets(self, position: int) -> set[int]:
        """Return the canonical targets of the moves from a position."""
        goes_on = self.view.goes_on(position)
        written = self.view.written("successors", position) if goes_on else []
        return {self.view.canonical(target) for target in written}

    def _predecessors(self, position: int) -> set[int]:
        """Return the canonical predecessors of a position."""
        written = self.view.written("predecessors", position)
        return {self.view.canonical(origin) for origin in written}

    def tier(self, position: int) -> int:
        """Return the tier of a canonical position."""
        if self.game.size is None:
            return 0
        return bisect_right(self.game.tiers or (0,), self.index(position)) - 1

    def component(self, position: int) -> int:
        """Return the component of a canonical position, 0 in a game without components."""
        size = self.game.component_size
        return 0 if size is None else self.index(position) // size

    def index(self, position: int) -> int:
        """Return the index of a canonical position, checked to be inverted by ``unrank``."""
        size = self.game.size or 0
        index = self.view.number("rank", position)
        if not 0 <= index < size:
            self.view.refuse("rank", position, f"gave {index}: expected a whole number below {size}")
        again = self.view.whole("unrank", index)
        if again != position:
            back = f"but unrank({index}) gave {again}"
            self.view.refuse("rank", position, f"gave {index}, {back}: expected {position}")
        return index

    def check_moves(self, position: int) -> None:
        """Check that a position and its targets have an index, and that tiers allow each move."""
        if self.game.size is None:
            return
        here = self.tier(position)
        targets = self.view.targets(position) if self.view.goes_on(position) else []
        for target in dict.fromkeys(self.view.canonical(target) for target in targets):
            try:
                there = self.tier(target)
            except RulesError as error:
                raise RulesError(f"{position} leads to {target}, and {error}") from None
            if there > here:
                raise self.view.broken(
                    "successors",
                    f"{position} of tier {here} leads to {target} of tier {there}: "
                    "expected its own tier or an earlier one",
                )
            if there == here and self.component(target) != self.component(position):
                raise self.view.broken(
                    "successors",
                    f"{position} of component {self.component(position)} leads to {target} of "
                    f"component {self.component(target)} of the same tier: expected its own component "
                    "or an earlier tier",
                )
            earlier = checked_targets(self.view.name, here, self.game.tier_targets(here))
            if there != here and there not in earlier:
                raise self.view.broken(
                    "tier_targets",
                    f"{position} of tier {here} leads to {target} of tier {there}, which "
                    f"tier_targets({here}) leaves out: expected every earlier tier that moves lead to",
                )

    def check_predecessors(self, position: int) -> None:
        """Check that the moves and the predecessors of a position agree."""
        here = self.tier(position)
        for target in self.sample_positions(sorted(self.targets(position))):
            if self.tier(target) == here and position not in self.predecessors(target):
                raise self.view.broken(
                    "predecessors",
                    f"{position} has a move to {target}, but predecessors({target}) leaves it out: "
                    "expected every position with a move to there",
                )
        for origin in self.sample_positions(self.view.written("predecessors", position)):
            self._check_own_index(position, origin)
            if self.view.goes_on(origin) and position not in self.targets(origin):
                no_move = f"wrote {origin}, which has no move there"
                self.view.refuse("predecessors", position, f"{no_move}: expected positions with one")

    def check_survey(self, position: int) -> None:
        """Check that ``survey`` agrees with ``terminal`` and ``successors``."""
        index, here = self.index(position), self.tier(position)
        code = self.view.code(position)
        moves = self.view.written("successors", position) if code == NOT_TERMINAL else []
        targets = {self.view.canonical(target) for target in moves}
        beyond = sorted(self._written(position, q) for q in targets if self.tier(q) != here)
        expected = code, len(moves), len(targets) - len(beyond)
        numbers, indices = self.view.surveyed(index)
        if numbers[:3] != expected or sorted(set(indices)) != beyond:
            right = f"{expected} and the indices {beyond}, by the successors of {position}"
            wrong = f"gave {numbers} and wrote {sorted(set(indices))}"
            self.view.refuse("survey", index, f"{wrong}: expected {right}")

    def check_exchanged(self, position: int) -> None:
        """Check that ``exchanged`` keeps results and moves, and is where ``canonical`` needs it."""
        game, goes_on = self.game, self.view.goes_on(position)
        targets = self.view.written("successors", position) if goes_on else []
        for target in targets:
            form = self.view.canonical(target)
            is_other = game.side_to_move(form) != game.side_to_move(target)
            if is_other and game.exchanged(form) is None:
                needed = f"gave None, but {target} is solved as that with the other player to move"
                self.view.refuse("exchanged", form, f"{needed}: expected a position")
        other = game.exchanged(position)
        if other is None:
            return
        if game.side_to_move(other) == game.side_to_move(position):
            self.view.refuse("exchanged", position, f"gave {other}: expected the other player to move")
        shown = self.view.code(other), set(self.view.written("successors", other) if goes_on else [])
        expected = self.view.code(position), {game.exchanged(target) for target in targets}
        if shown != expected:
            self.view.refuse(
                "exchanged",
                position,
                f"gave {other}, of which terminal() and the moves are {shown}: expected {expected}",
            )

    def _written(self, position: int, target: int) -> int:
        """Return the index of a target as ``survey`` writes it, ~index where the same player moves."""
        owned = self.view.implements("player")
        same = owned and self.view.player(position) == self.view.player(target)
        return ~self.index(target) if same else self.index(target)

    def check_predecessor_indices(self, position: int) -> None:
        """Check that ``predecessor_indices`` agrees with ``predecessors``."""
        index, here = self.index(position), self.tier(position)
        indices = self.view.written("predecessor_indices", index)
        origins = {self.view.canonical(p) for p in self.view.written("predecessors", position)}
        needed = {self.index(p) for p in origins if self.view.goes_on(p) and self.tier(p) == here}
        extra = [i for i in set(indices) - needed if self._plays_on(i, here)]
        if not needed <= set(indices) or extra or len(indices) != len(set(indices)):
            right = f"each of {sorted(needed)} once, by the predecessors of {position}"
            self.view.refuse("predecessor_indices", index, f"wrote {sorted(indices)}: expected {right}")

    def _plays_on(self, index: int, tier: int) -> bool:
        """Return whether an index is that of a position of a tier where the game is not over."""
        position = self.view.whole("unrank", index)
        return (
            _is_canonical(self.view, position)
            and self.view.goes_on(position)
            and self.tier(position) == tier
        )

    def _check_own_index(self, position: int, origin: int) -> None:
        """Check that no predecessor has the index of another position, if it is a position or not.

        With ``reachable_only`` the solver compares them, unless ``injective_rank`` says otherwise.
        """
        invalid, injective = self.view.code(origin) == INVALID, self.game.injective_rank
        compared = self.game.reachable_only and not injective
        if compared and not invalid:
            return
        own = self.view.canonical(origin)
        index = self.view.number("rank", own)
        if self.game.size is None or not 0 <= index < self.game.size:
            return
        real = self.view.whole("unrank", index)
        if invalid and _is_canonical(self.view, real):
            shared = f"is no position, but rank gives it the index {index} of {real}"
            self.view.refuse(
                "predecessors", position, f"wrote {origin}, which {shared}: expected an index of none"
            )
        if real != own and not compared and (injective or _is_canonical(self.view, real)):
            why = ", by injective_rank" if injective else ""
            shared = f"wrote {origin}, whose index is that of {real}"
            self.view.refuse("predecessors", position, f"{shared}: expected one of its own{why}")


def _is_canonical(view: InstrumentedGame, position: int) -> bool:
    """Return whether a number is a valid, canonical position."""
    return view.code(position) != INVALID and view.canonical(position) == position


# -- functions that numba compiles -------------------------------------------------------------------


def check_compiles(name: str, functions: Mapping[str, Any], data: Any) -> None:
    """Compile the functions of a game, each alone, unless numba's compiler is switched off.

    Parameters
    ----------
    name : str
        The name of the game.
    functions : mapping of str to callable
        The author's functions, in plain Python.
    data : tuple
        Their last argument, in the form for compiled code.

    Raises
    ------
    RulesError
        For the first function that cannot be compiled.
    """
    if jit.is_off():
        return
    import numba

    from retrosolve.compilation.specialize import Freezer

    freezer = Freezer(os.urandom(16).hex())
    typeof: Any = numba.typeof
    out, last = typeof(np.zeros(1, np.int64)), typeof(data)
    for rule, function in functions.items():
        written: tuple[Any, ...] = (out,) if rule in WITH_OUT else ()
        written = {"reward": (numba.int64,), "outcomes": (out, out)}.get(rule, written)
        try:
            freezer.jitted(function, False).compile((numba.int64, *written, last))
        except Exception as error:
            reason = complaint(error, functions.values())
            raise RulesError(f"{name}.{rule} cannot be compiled: {reason}") from error
