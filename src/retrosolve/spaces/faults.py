"""Calls of kernels compiled from rules, and error sentences for the faults that they find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.compilation.specialize import InterpretedKernels, SpecializedKernels
from retrosolve.errors import RetrosolveError, RulesError
from retrosolve.kernels import checked

# By kind of fault; the fields are the name of the game and the numbers of the fault.
SENTENCES = {
    checked.INDEX: "{name}: {position} leads to {number}, whose index is {index}: "
    "expected one from 0 to {limit} - 1, of its own tier or an earlier one",
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
}


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
    name: str, kernels: SpecializedKernels | InterpretedKernels, kernel: str, work: int, *args: Any,
    locate: Callable[[IntArray], None] | None = None,
) -> Any:  # fmt: skip
    """Call a kernel compiled with the rules of a game.

    Parameters
    ----------
    name : str
        The name of the game.
    kernels : SpecializedKernels or InterpretedKernels
    kernel : str
    work : int
        The approximate number of operations, which decides whether compiling pays.
    *args
        The arguments; an array for the fault that the kernel finds is added.
    locate : callable, optional
        Completes a fault that the kernel has reported without its details.

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
            raise _rules_error(name, fault, locate) from error
        if not type(error).__module__.startswith("numba."):
            raise RulesError(f"the rules of {name} raised {type(error).__name__}: {error}") from error
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        messages = [line for line in lines if not line.startswith("Failed in nopython")]
        place = next((at for at, line in enumerate(messages) if line.startswith("File ")), 3)
        raise RulesError(
            f"the rules of {name} cannot be compiled: {' '.join(messages[: place + 1])}".rstrip(": ")
        ) from error
    if fault[0] != checked.FINE:
        raise _rules_error(name, fault, locate)
    return result


def _rules_error(name: str, fault: IntArray, locate: Callable[[IntArray], None] | None) -> RulesError:
    """Return the error for a fault."""
    if locate is not None:
        locate(fault)
    return RulesError(fault_text(name, fault))


def complete_fault(kernels: SpecializedKernels, known: IntArray, rules: Any, fault: IntArray) -> None:
    """Complete a fault that a kernel has reported without its details.

    Parameters
    ----------
    kernels : SpecializedKernels
    known : uint [n]
        Packed words, INVALID_CODE at INVALID indices.
    rules : tuple
        The data and the index table.
    fault : int64 [5]
        Overwritten with what is wrong with a position, or the position that wrote past its buffer.
    """
    if fault[0] == checked.BAD_TERMINAL:
        fault[0], fault[2] = kernels.interpreted().run(
            "find_terminal_fault", 0, int(fault[1]), rules[0]
        )
    if fault[0] in (checked.OVERRUN, checked.PREDECESSOR_OVERRUN):
        backwards = bool(fault[0] == checked.PREDECESSOR_OVERRUN)
        start, stop, limit = (int(number) for number in fault[2:])
        fault[1] = kernels.run("find_overrun", len(known), start, stop, known, backwards, limit, *rules)


def as_compiled(data: Any) -> Any:
    """Return the data of rules with narrow integers widened to int64, as compiled code uses them."""
    if isinstance(data, tuple):
        parts = [as_compiled(part) for part in data]
        return type(data)(*parts) if hasattr(data, "_fields") else tuple(parts)
    if isinstance(data, np.ndarray | np.generic) and data.dtype.kind in "iu" and data.itemsize < 8:
        return data.astype(np.int64)
    return data
