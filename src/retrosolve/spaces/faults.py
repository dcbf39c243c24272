"""What kernels find wrong with rules, in words: see ``kernels.checked``."""

from __future__ import annotations

from retrosolve.arrays import IntArray
from retrosolve.kernels import checked

# By kind; what may be filled in are the game's name and the numbers of a fault.
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
    """Return the sentence for more positions than there is room for."""
    call = rule if position < 0 else f"{rule}({position})"
    if 0 <= number <= limit or position < 0:
        return f"{call} wrote past the end of out: expected no more positions than {room}"
    return f"{call} gave {number}: expected {'0 or more, and ' if number < 0 else ''}at most {room}"
