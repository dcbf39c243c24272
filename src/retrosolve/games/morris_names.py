"""Names of moves and men on morris boards, whose positions are two sets, the lower one the mover's."""

from __future__ import annotations

from collections.abc import Sequence


def name_of_move(position: int, target: int, names: Sequence[str]) -> str:
    """Return the point or the two points of a move, and the point of a captured man.

    ``names`` are those of the points, by their bit in a set; the target is seen from the other side.
    """
    every = (1 << len(names)) - 1
    before, after = position & every, target >> len(names) & every
    name = "-".join(_point(s, names) for s in (before & ~after, after & ~before) if s)
    taken = position >> len(names) & ~target & every
    return f"{name}x{_point(taken, names)}" if taken else name


def marks_of_men(position: int, names: Sequence[str]) -> dict[str, str]:
    """Return which points are occupied, and whether by the mover or the other."""
    return {
        name: "mover" if position >> s & 1 else "other"
        for s, name in enumerate(names)
        if (position | position >> len(names)) >> s & 1
    }


def _point(bit: int, names: Sequence[str]) -> str:
    return names[bit.bit_length() - 1]
