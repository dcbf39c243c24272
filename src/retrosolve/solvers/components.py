"""Games in small components: each is solved on its own, with its moves stored meanwhile.

A component stays in the cache of a processor, so this takes a fraction of the time of a retrograde
solve of a whole tier, and no counters; components are shared by the threads.

A component is ``size`` indices whose moves lead to one another or to earlier tiers. The algorithm is
that of ``worklist``, with the values of earlier tiers due at their level. The state is a block of
int32, so that all of it stays in the cache. Its rows are

===========  ==========================================================================================
STATE        the code of ``objectives.words``: OPEN, a value or INVALID_CODE
PLIES        the remoteness, where decided
OPEN_MOVES   moves not yet seen to lose, within the component or not
NOT_BEFORE   the least remoteness of a LOSS, because of moves to earlier tiers; 0 for none
WON_AT       the least remoteness of a WIN by a move to an earlier tier, 0 for none
TIED_AT      the least remoteness of a TIE by such a move, 0 for none
NEXT         the next index in the list of those that are due at the same level
QUEUE        decided indices, in order of remoteness; not by index
===========  ==========================================================================================
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from retrosolve.arrays import IntArray
from retrosolve.compilation.atomic import no_refcount
from retrosolve.objectives.words import (
    INVALID_CODE,
    LOSS,
    OPEN,
    TIE,
    WIN,
    code_of,
    largest_remoteness,
    pack,
    remoteness_of,
    word_dtype,
)
from retrosolve.runtime.context import Context, counted
from retrosolve.runtime.threads import ThreadPool, cpu_count
from retrosolve.runtime.workspace import Buffers
from retrosolve.solvers.serial import reverse_edges
from retrosolve.solvers.tiers import solve_tiers
from retrosolve.spaces.base import RulesSpace
from retrosolve.spaces.checked import (
    LEAVES_COMPONENT,
    NO_TARGET,
    OVERRUN,
    ZERO,
    canonical,
    check_guard,
    checked_code,
    checked_count,
    checked_target,
    index_of,
    position_limit,
    position_of,
    report_fault,
    room_for,
    successors,
    terminal_or_invalid,
    value_for_mover,
)
from retrosolve.spaces.tier_window import AllWords, marking_bytes, window_bytes
from retrosolve.tables.result import SolveResult, Statistics
from retrosolve.values import Value

ROW_BYTES = 8 + 8 * 4 + 4  # of a position in a component
EDGE_BYTES = 3 * 4
STATE, PLIES, OPEN_MOVES, NOT_BEFORE, WON_AT, TIED_AT, NEXT, QUEUE, ROWS = range(9)


def buffers(space: RulesSpace, num_edges: int) -> Buffers:
    """Declare the arrays of ``solve``: a word for each index, and a component for each thread."""
    return Buffers(words=(space.num_vertices, word_dtype(0))) | _component(space)


def _component(space: RulesSpace) -> Buffers:
    """Declare a component with all its moves, for each thread; the kernel allocates it."""
    each = ROW_BYTES + EDGE_BYTES * space.max_moves
    return Buffers(components=((cpu_count(), space.component_size, each), np.uint8))


def disk_workspace(space: RulesSpace) -> int:
    """Return the least bytes that ``solve`` takes if finished tiers are written to disk."""
    return min(_disk_bytes(space), marking_bytes(space))


def _disk_bytes(space: RulesSpace) -> int:
    """Return the bytes that ``solve`` takes on disk with a word for each index."""
    return window_bytes(space) + _component(space).num_bytes


def solve(space: RulesSpace, stuck: Value, context: Context) -> SolveResult:
    """Solve a game tier by tier, and each tier component by component, in O(n + m) time.

    Parameters
    ----------
    space : RulesSpace
        With components.
    stuck : Value
        The value of a position without moves, for the player to move.
    context : Context

    Returns
    -------
    SolveResult
        With a packed table.

    Raises
    ------
    RulesError
        If the rules break their contract.
    """
    with ThreadPool(context.threads, space.work) as pool:

        def solve_tier(
            solved: RulesSpace, words: AllWords, below: int, above: int, highest: int
        ) -> tuple[int, int]:
            moves, reached = _solve_tier(
                solved, int(stuck), context, pool, words, (below, above), highest
            )
            context.timer.stage("components")
            return moves, reached

        table, num_edges = solve_tiers(space, context, pool, solve_tier, _disk_bytes)
    return SolveResult(table, Statistics(num_edges))


def _solve_tier(
    space: RulesSpace, stuck: int, context: Context, pool: ThreadPool, words: AllWords,
    tier: tuple[int, int], highest: int,
) -> tuple[int, int]:  # fmt: skip
    """Solve the components of a tier; return the number of moves and the largest remoteness so far.

    Where words do not hold a remoteness, they are widened and the rest is solved again.
    """
    below, above = tier
    size, total = space.component_size, space.num_vertices
    words.reserve(highest + 1)
    spans = list(pairwise(below + size * cut for cut in pool.chunks((above - below) // size)))
    moves, reached = 0, highest
    report = counted(context.progress, "solving", below, total)
    while spans:

        def solve_span(
            number: int, state: IntArray = words.words, spans: list[tuple[int, int]] = spans
        ) -> tuple[int, int, int]:
            solved, made, most = space.run(
                solve_components, *spans[number], below, size, stuck, highest,
                largest_remoteness(state), state, space.max_moves, known=state,
            )  # fmt: skip
            return int(solved), int(made), int(most)

        def report_spans(done: int, count: int = len(spans)) -> None:
            report((above - below) * done // count)

        results = pool.map(solve_span, len(spans), report_spans)
        moves += sum(made for _, made, _ in results)
        reached = max(reached, *(most for _, _, most in results))
        unfinished = zip(spans, results, strict=True)
        spans = [(solved, stop) for (_, stop), (solved, _, _) in unfinished if solved < stop]
        words.reserve(reached)
    return moves, reached


# -- kernels -----------------------------------------------------------------------------------------


def solve_components(
    start, stop, below, size, stuck, highest, largest, state, max_moves, data, index_table, fault
):  # fmt: skip
    """Solve components one after the other.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on: whole components.
    below : int
        The first index of the tier.
    size : int
        The number of indices of a component.
    stuck : int
        The value of a position without moves.
    highest : int
        The largest remoteness in earlier tiers.
    largest : int
        The largest remoteness that words hold.
    state : words [n]
        Changed in place.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See ``spaces.checked``.

    Returns
    -------
    solved, edges, highest : int
        The first index that is not solved, because words do not hold its remoteness or the rules broke
        their contract; the number of moves; the largest remoteness.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    out = room_for(max_moves)
    positions = np.empty(size, np.int64)
    rows = np.empty((ROWS, size), np.int32)
    first = np.empty(size + 1, np.int32)
    edges = np.empty((3, size * max_moves), np.int32)
    due = np.full(highest + 3, -1, np.int32)
    moves = np.int64(0)
    reached = np.int64(highest)
    for begin in range(start, stop, size):
        made, inner = read_component(
            begin, begin + size, below, stuck, state, out, max_moves, positions, rows, edges, data,
            index_table, fault,
        )  # fmt: skip
        if fault[0] != 0:
            return np.int64(begin), moves, reached
        first[:] = 0
        reverse_edges(edges[0, :inner], edges[1, :inner], first, edges[2, :inner])
        last = settle(False, positions, rows, first, edges, due, data)
        last = max(last, settle(True, positions, rows, first, edges, due, data))
        reached = max(reached, last)
        if last > largest:
            return np.int64(begin), moves, reached
        for i in range(size):
            state[begin + i] = pack(rows[STATE, i], np.int64(rows[PLIES, i]))
        moves += made
    check_guard(start, stop, OVERRUN, out, max_moves, fault)
    return np.int64(stop), moves, reached


def read_component(
    begin, end, below, stuck, state, out, max_moves, positions, rows, edges, data, index_table, fault
):  # fmt: skip
    """Store the moves of a component to itself, and what each position has from its other moves.

    Parameters
    ----------
    begin, end : int
        The component is ``begin..end-1``.
    below, stuck, state, max_moves
        As in ``solve_components``; the words are only read.
    out : int64 [max_moves + GUARD]
        Room for positions.
    positions, rows, edges
        Overwritten: the positions, their state, and sources and targets of the moves within.
    data, index_table, fault
        See ``spaces.checked``.

    Returns
    -------
    made, inner : int
        The number of all moves, and of those within the component.
    """
    limit = position_limit(len(state))
    made, inner = np.int64(0), 0
    for i in range(end - begin):
        for row in range(PLIES, NEXT):
            rows[row, i] = 0
        rows[STATE, i] = INVALID_CODE
        if code_of(state[begin + i]) == INVALID_CODE:
            continue
        p = position_of(begin + i, data, index_table)
        positions[i] = p
        end_value = checked_code(terminal_or_invalid(p, data), p, fault)
        if end_value != 0:
            rows[STATE, i] = code_of(end_value)
            continue
        count = checked_count(successors(p, out, data), p, out[max_moves], max_moves, fault)
        made += count
        rows[STATE, i] = stuck if count == 0 else OPEN
        open_moves = count
        for k in range(count):
            q = canonical(checked_target(out[k], p, limit, fault), data)
            j = index_of(q, data, index_table)
            if j >= begin and j < end:
                edges[0, inner], edges[1, inner] = i, j - begin
                inner += 1
                continue
            if q < 0 or j < 0 or j >= below:
                j = report_fault(fault, LEAVES_COMPONENT, p, q, j, below)
            word = np.int64(state[j])
            code, plies = code_of(word), remoteness_of(word) + 1
            if code == INVALID_CODE:
                report_fault(fault, NO_TARGET, p, q, j, ZERO)
            if code == OPEN:
                continue
            result = value_for_mover(code, p, q, data)
            if result == LOSS:
                rows[NOT_BEFORE, i] = max(rows[NOT_BEFORE, i], plies)
                open_moves -= 1
            else:
                row = WON_AT if result == WIN else TIED_AT
                if rows[row, i] == 0 or plies < rows[row, i]:
                    rows[row, i] = plies
        rows[OPEN_MOVES, i] = open_moves
    return made, inner


def settle(ties, positions, rows, first, edges, due, data):
    """Decide what wins and losses decide, level by level, or what has a way to a tie.

    Parameters
    ----------
    ties : bool
        Whether ties are propagated, not wins and losses.
    positions, rows
        See ``read_component``; rows are changed in place.
    first, edges
        Where the sources of each target begin in the last row of ``edges``.
    due : int32 [levels]
        Room for the first of what is due at each level that moves to earlier tiers have, a list that
        goes on in a row; all -1, then and afterwards.
    data
        See ``spaces.checked``.

    Returns
    -------
    int
        The largest remoteness that was assigned.
    """
    size = len(positions)
    tail, last_due = 0, 0
    for i in range(size):
        code = rows[STATE, i]
        if code == OPEN:
            at = rows[TIED_AT, i] if ties else rows[WON_AT, i]
            if not ties and rows[OPEN_MOVES, i] == 0:
                at = rows[NOT_BEFORE, i]
            if at > 0:
                rows[NEXT, i], due[at] = due[at], i
                last_due = max(last_due, at)
        elif code != INVALID_CODE and rows[PLIES, i] == 0 and (code == TIE) == ties:
            rows[QUEUE, tail] = i
            tail += 1
    head, level = 0, 0
    while head < tail or level <= last_due:
        if level <= last_due:  # decided by a move to an earlier tier, unless one within was shorter
            i, due[level] = due[level], -1
            while i >= 0:
                if rows[STATE, i] == OPEN:
                    rows[STATE, i] = TIE if ties else (LOSS if rows[OPEN_MOVES, i] == 0 else WIN)
                    rows[PLIES, i] = level
                    rows[QUEUE, tail] = i
                    tail += 1
                i = rows[NEXT, i]
        end = tail
        while head < end:
            j = rows[QUEUE, head]
            head += 1
            for e in range(first[j], first[j + 1]):
                i = edges[2, e]
                if rows[STATE, i] != OPEN:
                    continue
                result = value_for_mover(np.int64(rows[STATE, j]), positions[i], positions[j], data)
                at = level + 1
                if result == LOSS:  # the lines of ``worklist.propagate``, but for the level of a LOSS
                    rows[OPEN_MOVES, i] -= 1
                    if rows[OPEN_MOVES, i] > 0:
                        continue
                    if rows[NOT_BEFORE, i] > at:
                        at = rows[NOT_BEFORE, i]
                        rows[NEXT, i], due[at] = due[at], i
                        last_due = max(last_due, at)
                        continue
                rows[STATE, i] = result
                rows[PLIES, i] = at
                rows[QUEUE, tail] = i
                tail += 1
        level += 1
    return level - 1
