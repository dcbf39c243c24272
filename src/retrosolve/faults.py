"""What kernels find wrong with rules, in words: see ``kernels.checked``."""

from __future__ import annotations

from retrosolve.kernels import checked
from retrosolve.validation import IntArray

EXPECTED_CODES = "expected GOES_ON, WIN, LOSS, TIE or NO_POSITION"


def fault_text(name: str, fault: IntArray) -> str:
    """Return the sentence for a fault, int64 [5], of the game called ``name``."""
    kind, position, number, index, limit = fault.tolist()
    rule = f"{name}.{'predecessors' if kind in _OF_PREDECESSORS else 'successors'}"
    room = f"most_{'predecessors' if kind in _OF_PREDECESSORS else 'moves'} = {limit}"
    if kind in (checked.COUNT, checked.ORIGIN_COUNT) and not 0 <= number <= limit:
        least = "0 or more, and " if number < 0 else ""
        return f"{rule}({position}) gave {number}: expected {least}at most {room}"
    if kind in (checked.COUNT, checked.ORIGIN_COUNT, checked.OVERRUN, checked.ORIGIN_OVERRUN):
        where = rule if position < 0 else f"{rule}({position})"
        return f"{where} wrote past the end of out: expected no more positions than {room}"
    if kind == checked.TARGET:
        expected = "a whole number, 0 or more" if limit == 0 or number < 0 else f"one below {limit}"
        return f"{name}: {position} leads to {number}: expected {expected}"
    if kind == checked.INDEX:
        return (
            f"{name}: {position} leads to {number}, whose index is {index}: "
            f"expected one from 0 to {limit - 1}, of its own tier or an earlier one"
        )
    if kind == checked.NO_TARGET:
        return (
            f"{name}: {position} leads to {number}, which is no position: expected moves to positions"
        )
    if kind == checked.ORIGIN:
        return f"{rule}({position}) wrote {number}: expected a whole number, 0 or more"
    if kind == checked.CODE:
        return f"{name}.terminal({position}) gave {number}: {EXPECTED_CODES}"
    if kind == checked.PLAYER:
        return f"{name}.player({position}) gave neither 0 nor 1: expected one of them"
    if kind == checked.UNRANKED:
        return f"{name}.unrank() gave {position}: expected a whole number, 0 or more"
    if kind == checked.REACHED_NONE:
        return (
            f"{name}: {position} is reached, but terminal() says NO_POSITION of it: expected a position"
        )
    if kind == checked.NOT_CANONICAL:
        return (
            f"{name}.canonical({position}) gave {number}, but {position} is the canonical form of a "
            "position: expected a form that stays as it is"
        )
    return (
        f"{rule}({position}) gave {number} moves, and {limit} when asked before: "
        "expected the same each time"
    )


_OF_PREDECESSORS = (checked.ORIGIN_COUNT, checked.ORIGIN_OVERRUN, checked.ORIGIN)
