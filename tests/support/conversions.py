"""Distances to the next move that leaves its tier, by their definition: level by level."""

from __future__ import annotations

import numpy as np

import retrosolve as rs
from retrosolve.objectives import LimitedValue
from retrosolve.values import DRAW, LOSS, TIE, WIN

Words = list[tuple[int, int]]


def by_definition(graph: rs.Graph, tiers: tuple[int, ...], limit: int | None, stuck: int) -> Words:
    """Return the value without the limit, and the distance, of each vertex: level by level."""
    n = graph.num_vertices
    owner = graph.player(np.arange(n))
    ends = np.zeros(n, int) if graph.terminals is None else graph.terminals
    found: Words = [(DRAW, -1)] * n
    last = n + (limit or 0) + 1

    def seen(v: int, w: int, first: int) -> tuple[int, int]:
        value, level = found[w]
        if value in (WIN, LOSS) and (owner is None or owner[v] != owner[w]):
            value = WIN + LOSS - value
        if w < first:  # counted anew, beyond the limit from there on
            level = limit if limit is not None and level > limit else 0
        return value, level + 1

    for first, end in zip(tiers, (*tiers[1:], n), strict=True):
        rows = {v: [] if ends[v] else graph.neighbors(v).tolist() for v in range(first, end)}
        for v, row in rows.items():
            if not row:
                found[v] = int(ends[v]) or stuck, 0
        for wanted in ((WIN, LOSS), (TIE,)):
            for level in range(1, last):
                fresh = {}
                for v, row in rows.items():
                    if not row or found[v][0] != DRAW:
                        continue
                    moves = [seen(v, w, first) for w in row]
                    if any(move == (wanted[0], level) for move in moves):
                        fresh[v] = wanted[0], level
                    elif max(moves) == (LOSS, level) and LOSS in wanted and min(moves)[0] == LOSS:
                        fresh[v] = LOSS, level
                for v, word in fresh.items():
                    found[v] = word
    return found


def limited(word: tuple[int, int], limit: int | None) -> tuple[int, int]:
    """Return the value under the limit, and the distance."""
    value, level = word
    if limit is not None and level > limit:
        value = {WIN: LimitedValue.CURSED_WIN, LOSS: LimitedValue.BLESSED_LOSS}.get(value, value)
    return int(value), level
