"""The rules of a game as kernels call them, trusting nothing that they return. Specialised.

The functions of a game are placeholders here, replaced for each game by ``compilation.specialize``:
``successors``, ``predecessors``, ``terminal``, ``rank``, ``unrank``, ``canonical``, ``player``,
``survey``, ``predecessor_indices``, ``payoff``, ``reward``, ``outcomes`` and ``progress`` are the
author's; those that a game lacks are as they are here.

Compiled code that follows a wrong number reads or writes somewhere in memory, so what each function
returns is compared with its contract before it is used. Kernels cannot raise: what is wrong is written
into ``fault`` int64 [5] (the kind, the position, the number that is wrong, its index, the limit), the
kernel goes on with a harmless number, and the caller raises RulesError.

All specialised kernels take ``data``, the tuple of numbers and arrays that the game's functions get;
``index_table``, the positions found by exploring and their hash table, a tuple of arrays that is empty
for a game with a dense index; and ``fault``.

``out`` is longer than the author was promised: the guard zone behind it holds CANARY. Its first place
is looked at after every call, the rest at the end of a kernel.

The comparisons are functions of results, called after the rules and not around them: a function around
them would count references to all arrays of ``data``, or be compiled again with all that it calls.
"""

import numpy as np

from retrosolve.compilation.atomic import prefetch
from retrosolve.objectives.words import INVALID_CODE, TIE, code_of, is_open
from retrosolve.values import INVALID

MAX_COMPARED = 64  # so many positions are compared with one another; more are sorted
GUARD = 1024
MAX_OUTCOMES, MAX_WEIGHT = 64, (1 << 31) - 1  # of a throw
CANARY = -(1 << 63)  # the least: one maximum finds whatever else was written

# Numbers of NumPy: numba would compile a function anew for each plain number that it is called with.
FAULT = 5
ZERO, NOWHERE, ANY_POSITION = np.int64(0), np.int64(-1), np.int64((1 << 63) - 1)
FINE = ZERO
# Kinds of faults: of successors, of predecessors, of a position, of an index.
COUNT, OVERRUN, TARGET, INDEX, SHARED_INDEX, NO_TARGET, CHANGED = np.arange(1, 8)
PREDECESSOR_COUNT, PREDECESSOR_OVERRUN, PREDECESSOR, LEFT_OUT, FALSE_PREDECESSOR = np.arange(8, 13)
BAD_TERMINAL, CODE, PLAYER, UNRANKED, RANK, REACHED_INVALID, NOT_CANONICAL = np.arange(13, 20)
SURVEY_COUNT, SURVEY_OVERRUN, SURVEY_INDEX, SURVEY_INVALID, INDEX_COUNT = np.arange(21, 26)
LEAVES_COMPONENT = np.int64(20)  # of successors
OUTCOME_COUNT, WEIGHT = np.arange(26, 28)  # of a throw

INLINED = (
    "check_weight",
    "checked_code",
    "checked_count",
    "checked_index",
    "checked_outcomes",
    "checked_target",
    "distinct_predecessors",
    "own_survey_index",
    "own_predecessors_of",
    "survey_index",
    "predecessors_of",
)


# -- the functions of a game ------------------------------------------------------------------


def successors(position, out, data):
    """Stand for the game's own function."""
    raise NotImplementedError


def predecessors(position, out, data):
    """Stand for the game's own function."""
    raise NotImplementedError


def survey(index, out, data):
    """Stand for the game's own function."""
    raise NotImplementedError


def predecessor_indices(index, out, data):
    """Stand for the game's own function."""
    raise NotImplementedError


def terminal(position, data):
    """Stand for the game's own function."""
    return 0


def rank(position, data):
    """Stand for the game's own function."""
    return position


def unrank(index, data):
    """Stand for the game's own function."""
    return index


def canonical(position, data):
    """Stand for the game's own function."""
    return position


def player(position, data):
    """Stand for the game's own function."""
    return 0


def payoff(position, data):
    """Stand for the game's own function."""
    return 0


def reward(position, target, data):
    """Stand for the game's own function."""
    return 0


def outcomes(position, out, weights, data):
    """Stand for the game's own function."""
    raise NotImplementedError


def progress(position, data):
    """Stand for the game's own function."""
    return 0


def moves_after(position, out, data):
    """Stand for the game's own ``successors``, in a game with ``outcomes``: the moves after a throw."""
    raise NotImplementedError


def moves_after_any(position, out, data):
    """Override ``successors`` in a game with ``outcomes``: the moves after any throw."""
    thrown, weights = np.empty(MAX_OUTCOMES, np.int64), np.empty(MAX_OUTCOMES, np.int64)
    total = 0
    for k in range(min(MAX_OUTCOMES, max(0, outcomes(position, thrown, weights, data)))):
        count = moves_after(thrown[k], out[total:], data)
        for place in range(total, total + count):
            out[place] = max(out[place], ~out[place])  # ~target: the same player moves again
        total += count
    return total


def index_of(position, data, index_table):
    """Return the index of a canonical position."""
    return rank(position, data)


def position_of(index, data, index_table):
    """Return the position of an index."""
    return unrank(index, data)


def same_side(left, right, data):
    """Return whether the same player moves in two positions."""
    return False


def owned_same_side(left, right, data):
    """Override ``same_side`` in a game with ``player``."""
    return player(left, data) == player(right, data)


def player_is_valid(position, data):
    """Return whether ``player`` returns 0 or 1, in a game that has it."""
    return True


def owned_player_is_valid(position, data):
    """Override ``player_is_valid`` in a game with ``player``."""
    side = player(position, data)
    return side == 0 or side == 1  # noqa: PLR1714  # numba compiles no set


def position_limit(size):
    """Return the limit of positions, the size of the index where they are their own index."""
    return size


def same_position(index, position, data, index_table):
    """Return whether an index is that of a position, in a game where others may have the same rank."""
    return True


def reached_same_position(index, position, data, index_table):
    """Override ``same_position`` where only what play reaches has an index of its own."""
    return position_of(index, data, index_table) == position


def any_position(size):
    """Override ``position_limit`` in a game whose positions are not their own index.

    Parameters
    ----------
    size : int
        Not used.
    """
    return ANY_POSITION


# -- checks -----------------------------------------------------------------------------------


def report_fault(fault, kind, position, number, index, limit):
    """Keep the first thing that is wrong.

    Parameters
    ----------
    fault : int64 [FAULT]
        Written if it is FINE.
    kind, position, number, index, limit : int
        What to write.

    Returns
    -------
    int
        0, to go on with.
    """
    if fault[0] == FINE:
        fault[0] = kind
        fault[1] = position
        fault[2] = number
        fault[3] = index
        fault[4] = limit
    return 0


def room_for(most):
    """Return an array for positions, and the guard zone behind it.

    Parameters
    ----------
    most : int
        How many positions there may be.
    """
    out = np.empty(most + GUARD, np.int64)
    out[most:] = CANARY
    return out


def check_guard(start, stop, kind, out, most, fault):
    """Find out whether something was written into the guard zone.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` that the game was asked about.
    kind : int
        The kind of fault.
    out, most : int64 [most + GUARD], int
        What ``room_for`` returned, and its argument.
    fault
        See the module.
    """
    rest = out[most:]
    if rest[rest.argmax()] != CANARY:  # which compiles in half the time of the maximum
        report_fault(fault, kind, NOWHERE, start, stop, most)


def find_overrun(start, stop, known, backwards, most, data, index_table):
    """Return the first position whose moves run into the guard zone, -1 if there is none.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on.
    known : words [n]
        INVALID_CODE for an index that is no position.
    backwards : bool
        Whether to ask for predecessors, not successors.
    most : int
        How many positions there may be.
    data, index_table
        See the module.
    """
    for i in range(start, stop):
        if code_of(known[i]) == INVALID_CODE:
            continue
        p = position_of(i, data, index_table)
        out = room_for(most)
        if backwards:
            predecessors(p, out, data)
        elif terminal(p, data) == 0:
            successors(p, out, data)
        if (out[most:] != CANARY).any():
            return p
    return -1


def terminal_or_invalid(position, data):
    """Return the terminal value of a position, below 0 if that or the position cannot be.

    It is INVALID also for a position whose canonical form is another.

    Parameters
    ----------
    position : int
        The position.
    data
        See the module.
    """
    given = int(terminal(position, data))
    if given == INVALID or canonical(position, data) != position:
        return INVALID
    if position < 0 or given < 0 or given > 3 or not player_is_valid(position, data):
        return -1
    return given


def find_terminal_fault(position, data):
    """Return the kind of fault of a position that ``terminal_or_invalid`` refuses, and a number.

    Parameters
    ----------
    position : int
        The position.
    data
        See the module.
    """
    given = int(terminal(position, data))
    if position < 0:
        return UNRANKED, position
    if given < 0 or given > 3:
        return CODE, given
    return PLAYER, ZERO


def checked_code(code, position, fault):
    """Return the result of ``terminal_or_invalid``, INVALID with a fault if it is below 0.

    Parameters
    ----------
    code, position : int
        The result, and the position that it is of.
    fault
        See the module.
    """
    return (
        code if code >= 0 else INVALID + report_fault(fault, BAD_TERMINAL, position, ZERO, ZERO, ZERO)
    )


def checked_count(count, position, behind, most, fault):
    """Return how many moves the rules have written, 0 with a fault for a number that cannot be.

    Parameters
    ----------
    count, position : int
        The number, and the position that the moves are from.
    behind : int
        The first place of the guard zone.
    most : int
        How many moves there may be.
    fault
        See the module.
    """
    if count < 0 or count > most or behind != CANARY:
        count = report_fault(fault, COUNT, position, count, ZERO, most)
    return count


def checked_target(target, position, limit, fault):
    """Return a position that a move leads to, with a fault the one that it is from.

    Parameters
    ----------
    target, position : int
        The position as the rules have written it, and the one that the move is from.
    limit : int
        What ``position_limit`` returned.
    fault
        See the module.
    """
    if target < 0 or target >= limit:
        target = position + report_fault(fault, TARGET, position, target, ZERO, limit)
    return target


def checked_index(index, position, target, above, fault):
    """Return the index of a position that a move leads to, 0 with a fault.

    Parameters
    ----------
    index : int
        The result of ``index_of``.
    position, target : int
        The position that the move is from, and the canonical one that it leads to.
    above : int
        What the index must be less than.
    fault
        See the module.
    """
    if target < 0 or index < 0 or index >= above:
        index = report_fault(fault, INDEX, position, target, index, above)
    return index


def checked_outcomes(count, position, behind, fault):
    """Return how many throws the rules have written, 0 with a fault; see ``checked_count``."""
    if count < 1 or count > MAX_OUTCOMES or behind != CANARY:
        count = report_fault(fault, OUTCOME_COUNT, position, count, ZERO, MAX_OUTCOMES)
    return count


def check_weight(weight, position, fault):
    """Find out whether the weight of a throw is a positive number of 31 bits."""
    if weight < 1 or weight > MAX_WEIGHT:
        report_fault(fault, WEIGHT, position, weight, ZERO, MAX_WEIGHT)


# -- an index and its neighbours ------------------------------------------------------------------


def survey_index(i, below, above, distinct, state, out, max_moves, data, index_table, fault):
    """Return the result and the moves of an index in the first pass over its tier.

    Parameters
    ----------
    i : int
        The index.
    below, above : int
        Its tier is ``below..above-1``.
    distinct : bool
        Whether a successor to which several moves lead counts once, which takes longer.
    state : words [n]
        Only read.
    out : int64 [max_moves + GUARD]
        Overwritten with the indices of the successors in earlier tiers, an index j as ~j where the same
        player moves on.
    max_moves : int
        The most moves of a position.
    data, index_table, fault
        See the module.

    Returns
    -------
    result, moves, within, beyond : int
        The terminal value; the number of moves; how many successors are in the tier, and how many in
        earlier ones. All 0 but the first if that is not 0.
    """
    p = position_of(i, data, index_table)
    result = checked_code(terminal_or_invalid(p, data), p, fault)
    moves, count, beyond = ZERO, ZERO, ZERO
    if result == 0:
        limit = position_limit(len(state))
        moves = checked_count(successors(p, out, data), p, out[max_moves], max_moves, fault)
        count = moves
        if distinct and moves <= MAX_COMPARED:
            count = unique_canonical(out, moves, limit, data)
        elif distinct:
            count = unique_canonical_sorted(out, moves, limit, data)
        if count < 0:
            count = report_fault(fault, TARGET, p, out[0], ZERO, limit)
        # In the lowest tier no move leaves it, and ranking its targets would take a third of the time.
        for k in range(count if below > 0 else 0):
            q = out[k]
            if not distinct:
                q = canonical(checked_target(q, p, limit, fault), data)
            j = checked_index(index_of(q, data, index_table), p, q, above, fault)
            if j >= below:
                continue
            if code_of(state[j]) == INVALID_CODE:
                report_fault(fault, NO_TARGET, p, q, j, ZERO)
            out[beyond] = ~j if same_side(p, q, data) else j
            beyond += 1
    return result, moves, count - beyond, beyond


def own_survey_index(i, below, above, distinct, state, out, max_moves, data, index_table, fault):
    """Override ``survey_index`` in a game with ``survey``: no move is made that stays in the tier.

    Parameters
    ----------
    i, below, above, distinct, state, out, max_moves, data, index_table, fault
        As there.

    Returns
    -------
    result, moves, within, beyond : int
        As there.
    """
    result, moves, within, beyond = survey(i, out, data)
    if beyond < 0 or within < 0 or within + beyond > max_moves or out[max_moves] != CANARY:
        result = INVALID_CODE + report_fault(fault, SURVEY_COUNT, i, within, beyond, max_moves)
    for k in range(beyond if result == 0 else 0):
        j = surveyed_index(out[k])
        if j < 0 or j >= below:
            j = out[k] = report_fault(fault, SURVEY_INDEX, i, out[k], j, below)
        if code_of(state[j]) == INVALID_CODE:
            report_fault(fault, SURVEY_INVALID, i, j, j, ZERO)
    return result, moves, within, beyond


def surveyed_index(written):
    """Return the index that ``survey`` has written."""
    return written


def owned_surveyed_index(written):
    """Override ``surveyed_index`` in a game with ``player``: ~j where the same player moves on."""
    return ~written if written < 0 else written


def predecessors_of(
    j, below, above, state, remaining, counter_bits, out, max_predecessors, data, index_table, fault
):  # fmt: skip
    """Write the indices in a tier with a move to an index, by ``predecessors``.

    Parameters
    ----------
    j : int
        The index.
    below, above : int
        The tier is ``below..above-1``.
    state : words [n]
        Only read. What is decided already may be left out.
    remaining, counter_bits
        The counters of the tier; see ``solvers.generated``.
    out : int64 [max_predecessors + GUARD]
        Overwritten with the different indices, an index i as ~i where the same player moves on.
    max_predecessors : int
        The most predecessors of a position.
    data, index_table, fault
        See the module.

    Returns
    -------
    int
        How many there are.
    """
    q = position_of(j, data, index_table)
    written = 0
    for k in range(distinct_predecessors(q, out, max_predecessors, data, fault)):
        p = out[k]
        i = index_of(p, data, index_table)
        if i < below or i >= above:
            continue
        # First what is open: to compare positions may take as long as to make one.
        if is_open(state[i]) and same_position(i, p, data, index_table):
            out[written] = ~i if same_side(p, q, data) else i
            written += 1
    return written


def distinct_predecessors(q, out, max_predecessors, data, fault):
    """Write the different positions with a move to a position, and return their number.

    Parameters
    ----------
    q : int
        The position.
    out : int64 [max_predecessors + GUARD]
        Overwritten with their canonical forms.
    max_predecessors : int
        The most predecessors of a position.
    data, fault
        See the module.
    """
    count = predecessors(q, out, data)
    if count < 0 or count > max_predecessors or out[max_predecessors] != CANARY:
        count = report_fault(fault, PREDECESSOR_COUNT, q, count, ZERO, max_predecessors)
    if count <= MAX_COMPARED:
        count = unique_canonical(out, count, ANY_POSITION, data)
    else:
        count = unique_canonical_sorted(out, count, ANY_POSITION, data)
    if count < 0:
        count = report_fault(fault, PREDECESSOR, q, out[0], ZERO, ZERO)
    return count


def own_predecessors_of(
    j, below, above, state, remaining, counter_bits, out, max_predecessors, data, index_table, fault
):  # fmt: skip
    """Override ``predecessors_of`` in a game with ``predecessor_indices``: no position is made.

    Parameters
    ----------
    j, below, above, state, remaining, counter_bits, out, max_predecessors, data, index_table, fault
        As there.

    Returns
    -------
    int
        As there.
    """
    count = predecessor_indices(j, out, data)
    if count < 0 or count > max_predecessors or out[max_predecessors] != CANARY:
        count = report_fault(fault, INDEX_COUNT, j, count, ZERO, max_predecessors)
    written = 0
    for k in range(count):
        i = out[k]
        if i >= below and i < above:
            # Words and counters lie anywhere in memory: reading them takes longer than all else.
            prefetch(state, i)
            if counter_bits < 0:
                prefetch(remaining, i - below)
            out[written] = i
            written += 1
    return written


def value_for_mover(code, p, q, data):
    """Return the value of a successor for the player to move before it.

    Parameters
    ----------
    code : int
        WIN, LOSS or TIE, for the player to move at ``q``.
    p, q : int
        A position and its successor.
    data
        See ``spaces.checked``.
    """
    if code == TIE or same_side(p, q, data):
        return code
    return 3 - code


def unique_canonical(out, count, limit, data):
    """Make positions canonical and keep each once.

    If one is not from 0 to ``limit`` - 1, or its canonical form is not, it is moved to the front.

    Parameters
    ----------
    out : int64 [more than count]
        The positions; changed in place.
    count, limit : int
        How many there are, and what they must be less than.
    data
        See ``spaces.checked``.

    Returns
    -------
    int
        How many are left, -1 if one is wrong.
    """
    kept = 0
    met = 0
    wrong = ZERO
    right = True
    for k in range(count):
        q = out[k]
        if q >= 0 and q < limit:
            q = canonical(q, data)
        if q < 0 or q >= limit:
            wrong, right = q, False  # to return here would cost the counting of references
        bit = 1 << ((q ^ (q >> 6) ^ (q >> 13) ^ (q >> 29)) & 31)
        if met & bit:
            again = False
            for j in range(kept):
                if out[j] == q:
                    again = True
            if again:
                continue
        met |= bit
        out[kept] = q
        kept += 1
    if not right:
        out[0] = wrong
        kept = -1
    return kept


def unique_canonical_sorted(out, count, limit, data):
    """Do as ``unique_canonical`` does for many positions, by sorting (Shell, 1959, with Knuth's gaps).

    Parameters
    ----------
    out, count, limit, data
        As in ``unique_canonical``.

    Returns
    -------
    int
        As there.
    """
    for k in range(count):
        if out[k] >= 0 and out[k] < limit:
            out[k] = canonical(out[k], data)
        if out[k] < 0 or out[k] >= limit:
            out[0] = out[k]
            return -1
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, count):
            q = out[k]
            j = k
            while j >= gap and out[j - gap] > q:
                out[j] = out[j - gap]
                j -= gap
            out[j] = q
        gap //= 3
    kept = 1
    for k in range(1, count):
        if out[k] != out[kept - 1]:
            out[kept] = out[k]
            kept += 1
    return kept
