"""Boards up to symmetry, counted by Burnside's lemma."""

from collections.abc import Iterable, Sequence


def placements(symmetries: Iterable[Sequence[int]]) -> dict[tuple[int, int], int]:
    """Return in how many ways two kinds of men can stand on points, by the numbers of both.

    Ways that one of the symmetries, permutations of all points, takes into one another are one.
    """
    found: dict[tuple[int, int], int] = {}
    group = list(symmetries)
    for symmetry in group:
        ways = {(0, 0): 1}  # what the symmetry keeps: all points of a cycle have the same
        seen: set[int] = set()
        for first in range(len(symmetry)):
            length, point = 0, first
            while point not in seen:
                seen.add(point)
                point, length = symmetry[point], length + 1
            more = dict(ways)
            for (one, other), many in ways.items() if length else ():
                for key in ((one + length, other), (one, other + length)):
                    more[key] = more.get(key, 0) + many
            ways = more
        for key, many in ways.items():
            found[key] = found.get(key, 0) + many
    return {key: many // len(group) for key, many in found.items()}
