"""Calls of kernels compiled from rules, and error sentences for the faults that they find."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.compilation.complaints import complaint, is_of_compiler
from retrosolve.compilation.specialize import SpecializedKernels
from retrosolve.errors import RetrosolveError, RulesError
from retrosolve.runtime.files import short_repr
from retrosolve.runtime.sources import error_place, function_place
from retrosolve.spaces import checked
from retrosolve.spaces.checked import find_overrun, find_terminal_fault

TIER_LEFT_OUT = 100  # found here, not by a kernel
Arguments = Callable[[bool], tuple[Any, Any]]

# By kind of fault; the fields are the name of the game and the numbers of the fault.
SENTENCES = {
    checked.INDEX: "{name}: {position} leads to {number}, whose index is {index}: "
    "expected one from 0 to {limit} - 1, of its own tier or an earlier one",
    checked.LEAVES_COMPONENT: "{name}: {position} leads to {number}, whose index is {index}: "
    "expected one of its own component, or of an earlier tier, below {limit}",
    checked.SHARED_INDEX: "{name}: {position} leads to {number}, whose index is {index}, as is that of "
    "{limit}: expected an index of its own",
    checked.NO_TARGET: "{name}: {position} leads to {number}, which is no position: "
    "expected a position",
    checked.CHANGED: "{name}.successors({position}) gave {number} moves, and before {limit}: "
    "expected the same each time",
    checked.PREDECESSOR: "{name}.predecessors({position}) wrote {number}: "
    "expected a whole number, 0 or more",
    checked.LEFT_OUT: "{name}: {position} has a move to {number}, but predecessors({number}) leaves it "
    "out: expected every position with a move to there",
    checked.FALSE_PREDECESSOR: "{name}.predecessors({position}) wrote {number}, but the position of "
    "its index, {limit}, has no move there: expected positions with one, each with an index of its own",
    checked.CODE: "{name}.terminal({position}) gave {number}: "
    "expected NOT_TERMINAL, WIN, LOSS, TIE or INVALID",
    checked.PLAYER: "{name}.player({position}) gave neither 0 nor 1: expected one of them",
    checked.UNRANKED: "{name}.unrank() gave {position}: expected a whole number, 0 or more",
    checked.RANK: "{name}.unrank({index}) gave {position}, but rank({position}) gave {number}: "
    "expected {index}",
    checked.REACHED_INVALID: "{name}: {position} is reached, but terminal() says INVALID of it: "
    "expected a position",
    checked.NOT_CANONICAL: "{name}.canonical({position}) gave {number}, but {position} is itself a "
    "canonical form: expected one that stays as it is",
    checked.SURVEY_COUNT: "{name}.survey({position}) gave {number} indices within the tier and {index} "
    "beyond it: expected 0 or more, and at most max_moves = {limit} in all",
    checked.SURVEY_OVERRUN: "{name}.survey() wrote past the end of out: expected no more indices than "
    "max_moves = {limit}",
    checked.SURVEY_INDEX: "{name}.survey({position}) wrote {number}: "
    "expected an index of an earlier tier, from 0 to {limit} - 1",
    checked.SURVEY_INVALID: "{name}.survey({position}) wrote {number}, which is the index of no "
    "position, or of a tier that tier_targets() leaves out: expected another index",
    checked.INDEX_COUNT: "{name}.predecessor_indices({position}) gave {number}: "
    "expected 0 or more, and at most max_predecessors = {limit}",
    checked.OUTCOME_COUNT: "{name}.outcomes({position}) gave {number}: expected 1 to {limit}",
    checked.WEIGHT: "{name}.outcomes({position}) wrote the weight {number}: expected 1 to {limit}",
    TIER_LEFT_OUT: "{name}: {position} of tier {limit} leads to {number} of tier {index}, which "
    "tier_targets({limit}) leaves out: expected every earlier tier that moves lead to",
}

# The function to blame, by kind of fault, where it is not the one that the sentence begins with.
BLAMED: dict[Any, str] = {
    checked.SHARED_INDEX: "rank",
    checked.RANK: "rank",
    checked.REACHED_INVALID: "terminal",
    checked.LEFT_OUT: "predecessors",
    TIER_LEFT_OUT: "tier_targets",
}


def checked_targets(name: str, tier: int, targets: Any) -> Sequence[int]:
    """Return the tiers that ``tier_targets`` gives. Raises RulesError unless they are earlier."""
    found: Sequence[int]
    try:
        # All earlier tiers, the default, need no look at each: games may have thousands of tiers.
        found = targets if type(targets) is range else tuple(int(target) for target in targets)
    except (TypeError, ValueError):
        found = (-1,)
    looked_at = (*found[:1], *found[-1:]) if type(found) is range else found
    if any(not 0 <= target < tier for target in looked_at):
        raise RulesError(
            f"{name}.tier_targets({tier}) gave {short_repr(targets)}: expected earlier tiers, "
            f"numbers from 0 to {tier - 1}"
        )
    return found


def blame_tier_targets(
    tiers: Sequence[int], tier_targets: Callable[[int], Sequence[int]],
    index_of: Callable[[int], int], fault: IntArray,
) -> None:  # fmt: skip
    """Change a fault where a move leads to a tier that ``tier_targets`` leaves out.

    Parameters
    ----------
    tiers : sequence of int
        The first index of each tier.
    tier_targets : callable
    index_of : callable
        Returns the index of a position.
    fault : int64 [5]
    """
    if fault[0] == checked.NO_TARGET:
        here = bisect_right(tiers, index_of(int(fault[1]))) - 1
        there = bisect_right(tiers, int(fault[3])) - 1
        if there != here and there not in tier_targets(here):
            fault[0], fault[3], fault[4] = TIER_LEFT_OUT, there, here


def fault_text(name: str, fault: IntArray) -> str:
    """Return the sentence for a fault, int64 [5], of the game called ``name``."""
    kind, position, number, index, limit = fault.tolist()
    if kind in (checked.COUNT, checked.OVERRUN):
        return _room_text(f"{name}.successors", f"max_moves = {limit}", position, number, limit)
    if kind in (checked.PREDECESSOR_COUNT, checked.PREDECESSOR_OVERRUN):
        room = f"max_predecessors = {limit}"
        return _room_text(f"{name}.predecessors", room, position, number, limit)
    if kind == checked.TARGET:
        large = limit > 0 and number >= 0
        expected = f"one below {limit}" if large else "a whole number, 0 or more"
        return f"{name}: {position} leads to {number}: expected {expected}"
    return SENTENCES[kind].format(name=name, position=position, number=number, index=index, limit=limit)


def _room_text(rule: str, room: str, position: int, number: int, limit: int) -> str:
    """Return the sentence for rules that write more positions than they declare."""
    call = rule if position < 0 else f"{rule}({position})"
    if 0 <= number <= limit or position < 0:
        return f"{call} wrote past the end of out: expected no more positions than {room}"
    return f"{call} gave {number}: expected {'0 or more, and ' if number < 0 else ''}at most {room}"


def call_rules(
    name: str, kernels: SpecializedKernels, kernel: Any, work: int, *args: Any,
    locate: Callable[[IntArray], None] | None = None,
    retrace: Callable[[], Exception | None] | None = None,
) -> Any:  # fmt: skip
    """Call a kernel compiled with the rules of a game.

    Parameters
    ----------
    name : str
        The name of the game.
    kernels : SpecializedKernels
    kernel : function
    work : int
        The approximate number of operations, which decides whether compiling pays.
    *args
        The arguments; an array for the fault that the kernel finds is added.
    locate : callable, optional
        Completes a fault that the kernel has reported without its details.
    retrace : callable, optional
        Raises the exception of compiled rules again in plain Python, and returns it, or the RulesError
        for a result of the rules that leads to it.

    Raises
    ------
    RulesError
        If a function of the game raises an exception, cannot be compiled or breaks its contract.
    """
    fault = np.zeros(checked.FAULT, np.int64)
    try:
        result = kernels.run(kernel, work, *args, fault)
    except (RetrosolveError, MemoryError):
        raise
    except Exception as error:
        if fault[0] != checked.FINE:
            raise _rules_error(name, kernels, fault, locate) from error
        if is_of_compiler(error):
            reason = complaint(error, kernels.rules.values())
            raise RulesError(f"the rules of {name} cannot be compiled: {reason}") from error
        if not error_place(error) and retrace is not None:
            error = retrace() or error
        if isinstance(error, RulesError):
            raise error
        what = f"raised {type(error).__name__}: {error}{error_place(error)}"
        raise RulesError(f"the rules of {name} {what}") from error
    if fault[0] != checked.FINE:
        raise _rules_error(name, kernels, fault, locate)
    return _plain_numbers(result)


def _plain_numbers(result: Any) -> Any:
    """Return the result of a kernel with ints, as compiled code has them, where rules gave NumPy's."""
    if type(result) is tuple:
        return tuple(map(_plain_numbers, result))
    return int(result) if isinstance(result, np.integer) else result


def _rules_error(
    name: str, kernels: SpecializedKernels, fault: IntArray,
    locate: Callable[[IntArray], None] | None,
) -> RulesError:  # fmt: skip
    """Return the error for a fault, with the place of the function to blame."""
    if locate is not None:
        locate(fault)
    text = fault_text(name, fault)
    called = re.match(r"\.(\w+)\(", text.removeprefix(name))
    blamed = BLAMED.get(int(fault[0]), called[1] if called else "successors")
    return RulesError(text + function_place(kernels.rules.get(blamed)))


def first_exception(
    kernels: SpecializedKernels, known: IntArray, room: tuple[int, int], arguments: Arguments
) -> Exception | None:
    """Return the exception that the rules raise in plain Python at the first index where they do.

    Compiled code does not tell where it divides by zero. The index is found by bisection.

    Parameters
    ----------
    kernels : SpecializedKernels
    known : uint [n]
        Packed words, INVALID_CODE at INVALID indices.
    room : tuple of int
        The largest numbers of moves and of predecessors.
    arguments : callable
        Returns the data and the index table for compiled rules (True) or for plain Python.
    """
    work, rules = len(known), arguments(kernels.compiles(len(known)))

    def raises(start: int, stop: int, backwards: bool) -> bool:
        try:
            kernels.run(find_overrun, work, start, stop, known, backwards, room[backwards], *rules)
        except Exception:
            return True
        return False

    for backwards in (False, True):
        start, stop = 0, len(known)
        if not room[backwards] or not raises(start, stop, backwards):
            continue
        while stop - start > 1:
            middle = (start + stop) // 2
            start, stop = (start, middle) if raises(start, middle, backwards) else (middle, stop)
        plain = kernels.interpreted(), arguments(False)
        try:
            plain[0].run(find_overrun, 0, start, stop, known, backwards, room[backwards], *plain[1])
        except Exception as error:
            return error
    return None


def complete_fault(
    kernels: SpecializedKernels, known: IntArray, arguments: Arguments, fault: IntArray
) -> None:
    """Complete a fault that a kernel has reported without its details.

    Parameters
    ----------
    kernels : SpecializedKernels
    known : uint [n]
        Packed words, INVALID_CODE at INVALID indices.
    arguments : callable
        Returns the data and the index table for compiled rules (True) or for plain Python.
    fault : int64 [5]
        Overwritten with what is wrong with a position, or the position that wrote past its buffer.
    """
    if fault[0] == checked.BAD_TERMINAL:
        fault[0], fault[2] = kernels.interpreted().run(
            find_terminal_fault, 0, int(fault[1]), arguments(False)[0]
        )
    if fault[0] in (checked.OVERRUN, checked.PREDECESSOR_OVERRUN):
        backwards = bool(fault[0] == checked.PREDECESSOR_OVERRUN)
        start, stop, limit = (int(number) for number in fault[2:])
        rules = arguments(kernels.compiles(len(known)))
        fault[1] = kernels.run(find_overrun, len(known), start, stop, known, backwards, limit, *rules)
        if fault[1] < 0 and not backwards and "survey" in kernels.rules:
            fault[0] = checked.SURVEY_OVERRUN
