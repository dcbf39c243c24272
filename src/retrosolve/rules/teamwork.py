"""Exploring with workers: when that pays, and how chunks of positions go out and answers come back."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from retrosolve.errors import RulesError
from retrosolve.rules.workers import (
    Answer,
    Team,
    decoded,
    encoded,
    expand_chunk,
    has_free_threads,
    starts_unasked,
)
from retrosolve.runtime.threads import cpu_count

if TYPE_CHECKING:
    from retrosolve.rules.exploring import Search

MAX_CHUNK = 1 << 10
MIN_CHUNK = 16
SECONDS_ALONE = 2.0  # before workers are started unasked, which takes some tenths of a second
MIN_GAIN = 3.0  # how many times as long as passing them on the rules take for positions, to be slow
TRIED = 64


class Advice:
    """Decides how many workers explore, as the search goes on.

    Parameters
    ----------
    workers : int or None
        The number asked for; None for one, or all processors where the rules are slow.
    """

    def __init__(self, workers: int | None) -> None:
        self.workers = workers
        self._decided_at = time.perf_counter() + SECONDS_ALONE

    def workers_now(self, search: Search) -> int:
        """Return the number of workers to go on with."""
        if self.workers == 1 or search.expander.named is None:
            return 1
        if self.workers is None and time.perf_counter() > self._decided_at:
            self.workers = cpu_count() if _pays(search) else 1
        return self.workers or 1


def _pays(search: Search) -> bool:
    """Return whether the rules are slow, compared with passing positions to another process."""
    if cpu_count() < 2 or not starts_unasked(search.game):
        return False
    if has_free_threads():
        return True
    positions = search.order[search.explored : search.explored + TRIED]
    began = time.perf_counter()
    answer = expand_chunk(search.expander, positions)
    asked = time.perf_counter()
    try:
        decoded(encoded(positions)), decoded(encoded(answer))
    except Exception:
        return False
    return asked - began > MIN_GAIN * (time.perf_counter() - asked)


def explore_with(search: Search, team: Team) -> None:
    """Explore all positions with a team; numbers are assigned in the order of a search alone.

    Raises
    ------
    RulesError
        Like a search alone, and for a worker that ends, with the position that it explores.
    """
    search.watch.processes = team.processes
    waiting: deque[tuple[int, Sequence[Any]]] = deque()
    answers: dict[int, bytes | Answer] = {}
    sent = search.explored
    while waiting or sent < len(search.order):
        sent = _send(search, team, waiting, sent)
        if waiting[0][0] not in answers:
            answers.update(team.collect())
            sent = _send(search, team, waiting, sent)
        while waiting and waiting[0][0] in answers:
            start, chunk = waiting.popleft()
            _add(search, chunk, answers.pop(start))
            if team.idle:
                break
    search.watch.processes = ()


def _send(search: Search, team: Team, waiting: deque[tuple[int, Sequence[Any]]], sent: int) -> int:
    """Send a chunk to each idle worker; return how many positions have been sent."""
    while team.idle and sent < len(search.order):
        left = len(search.order) - sent
        size = max(MIN_CHUNK, min(MAX_CHUNK, search.allowance, left // (2 * team.size)))
        chunk = search.order[sent : sent + size]
        waiting.append((sent, chunk))
        team.submit(sent, chunk)
        sent += len(chunk)
    return sent


def _add(search: Search, chunk: Sequence[Any], answer: bytes | Answer) -> None:
    """Add the answer for a chunk; a failure is looked for in this process, for the error it raises."""
    found: Answer = decoded(answer) if isinstance(answer, bytes) else answer
    if isinstance(found, str):
        stop = search.explored + len(chunk)
        while search.explored < stop:
            rest = chunk[len(chunk) - (stop - search.explored) :]
            search.add_moves(rest, search.expander.expand(rest))
        raise RulesError(
            f"a worker that explored {len(chunk)} positions from {chunk[0]!r} on raised "
            f"{found}, and another call of the rules did not: expected deterministic rules"
        )
    search.add_moves(chunk, found)
