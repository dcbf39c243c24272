"""The proof of bounds: each is compared with the rule of one move, and play that never ends with them.

With T the rule of one move, lower bounds L have to be at most T(L) and upper ones U at least T(U); the
means of throws are rounded against the claim, by a bound of the error of their arithmetic. That alone
proves nothing where play can go on for ever: a position could be claimed a win because of another one
that is claimed a win because of the first. So a bound that says anything must also hold if endless play
is counted against it. Let a player keep to moves that bear out the bound. Where he can do so in a way
that leads to the end of the game with a probability above 0 from everywhere, it ends for sure, and what
the bound says is at most what he gets. Such positions are an attractor: of the ends, for his moves that
bear out the bound, all moves of the other player, and any one throw. Elsewhere the bound has to be the
worst of all payoffs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retrosolve.arrays import IntArray, row_bounds, spans
from retrosolve.compilation import jit
from retrosolve.compilation.atomic import no_refcount
from retrosolve.errors import VerificationError
from retrosolve.objectives import Chance
from retrosolve.objectives.chance import end_payoffs
from retrosolve.objectives.words import INVALID_CODE, code_of
from retrosolve.runtime.context import Context, Progress
from retrosolve.runtime.threads import ThreadPool
from retrosolve.solution import Solution
from retrosolve.spaces.base import RulesSpace, StateSpace
from retrosolve.spaces.blocks import Block, blocks
from retrosolve.spaces.checked import (
    MAX_OUTCOMES,
    NO_TARGET,
    OVERRUN,
    ZERO,
    check_guard,
    check_weight,
    checked_code,
    checked_count,
    checked_index,
    checked_outcomes,
    checked_target,
    index_of,
    moves_after,
    outcomes,
    payoff,
    position_limit,
    position_of,
    report_fault,
    room_for,
    terminal_or_invalid,
)
from retrosolve.spaces.reachability import mark_reachable
from retrosolve.tables.base import Bounds
from retrosolve.values import CHANCE, INVALID
from retrosolve.verification.local import claim

ERROR = 2.0**-53  # times terms + 4: a bound of the error of a mean of payoffs of at most 1
MINE, THEIRS = 0, 1
BOTH = 3  # the bits of both roles


def memory_bytes(space: StateSpace, num_edges: int, budget: int | None = None) -> int:
    """Return the bytes of a proof: moves reversed, and two roles of each vertex."""
    return 30 * num_edges + 40 * space.num_vertices


def prove(solution: Solution, context: Context) -> None:
    """Prove the bounds of a graph with stored edges."""
    bounds, most = bounds_of(solution)
    sources, targets, same, over = [], [], [], []
    for block in blocks(solution.space):
        check(solution, bounds, block, most)
        rows = block.rows()
        sources.append(block.start + rows)
        targets.append(block.target)
        same.append(np.broadcast_to(block.edges.same, len(rows)))
        over.append(np.diff(block.indptr) == 0)
        context.progress(Progress("verifying", block.stop, solution.space.num_vertices))
    if over:
        edges = np.concatenate(sources), np.concatenate(targets), np.concatenate(same)
        check_endings(solution, bounds, most, *edges, np.concatenate(over))


def bounds_of(solution: Solution, valid: NDArray[np.bool_] | None = None) -> tuple[Bounds, float]:
    """Return the bounds and the largest payoff, where play reaches ``valid`` indices only.

    Raises VerificationError for bounds that are none.
    """
    table, space = solution.table, solution.space
    bounds = table.bounds
    if bounds is not None and bounds.rounded is not None:
        raise VerificationError(
            f"the bounds are rounded to 4 bytes: expected those of the digest {bounds.rounded.proven}"
        )
    if bounds is None or table.num_vertices != space.num_vertices:
        raise VerificationError(f"the table is no {space.num_vertices} intervals: expected as many")
    has_payoff = space.payoffs(0, 0) is not None
    most = 0.0 if has_payoff else 1.0
    for span in spans(space.num_vertices if has_payoff else 0):
        at = slice(None) if valid is None else valid[slice(*span)]
        most = max(most, float(np.abs(np.asarray(space.payoffs(*span))[at]).max(initial=0)))
    if bounds.is_payoff != has_payoff:
        raise VerificationError("the unit of the table is not that of the game: expected that")
    return bounds, most


def check(solution: Solution, bounds: Bounds, block: Block, most: float) -> None:
    """Raise VerificationError for the first vertex with bounds that its moves do not allow."""
    objective, space = solution.objective, solution.space
    assert isinstance(objective, Chance)  # by the table of provers
    span = slice(block.start, block.stop)
    low, high = bounds.low[span], bounds.high[span]
    exists = block.ends.terminal != INVALID
    over = exists & (np.diff(block.indptr) == 0)
    player = space.player(np.arange(block.start, block.stop))
    by_chance = np.zeros(len(low), bool) if player is None else player == CHANCE
    below, above = bounds.low[block.target], bounds.high[block.target]
    below, above = np.where(block.edges.same, below, -above), np.where(block.edges.same, above, -below)
    least, most_low = folded(np.minimum, below, block), folded(np.maximum, below, block)
    greatest = folded(np.maximum, above, block)
    weight = np.broadcast_to(block.weight, len(below)).astype(np.float64)
    total = np.maximum(folded(np.add, weight, block), 1)
    error = ERROR * most * (np.diff(block.indptr) + 4)
    mean_low = np.maximum(folded(np.add, weight * below, block) / total - error, least)
    mean_high = np.minimum(folded(np.add, weight * above, block) / total + error, greatest)
    ends = end_payoffs(block.ends.terminal, block.ends.payoff, solution.stuck)
    allowed_low = np.where(over, ends, np.where(by_chance, mean_low, most_low))
    allowed_high = np.where(over, ends, np.where(by_chance, mean_high, greatest))
    right = (-most <= low) & (low <= high) & (high <= most)
    right &= (low <= allowed_low) & (high >= allowed_high)  # NaN is never right
    wrong = np.where(exists, ~right, ~(np.isnan(low) & np.isnan(high)))
    if wrong.any():
        v = int(wrong.argmax())
        allowed = f"from {float(allowed_low[v])!r} to {float(allowed_high[v])!r}"
        expected = allowed if exists[v] else "no position"
        raise VerificationError(
            f"{claim(solution, block.start + v)}, in payoffs from {float(low[v])!r} to "
            f"{float(high[v])!r}, but its moves make it {expected}"
        )


def folded(fold: np.ufunc, data: NDArray[np.float64], block: Block) -> NDArray[np.float64]:
    """Return the result of a function over the edges of each vertex of a block, 0 without edges."""
    made = np.zeros(block.stop - block.start)
    has_edges = np.diff(block.indptr) > 0
    if has_edges.any():
        made[has_edges] = fold.reduceat(data, block.indptr[:-1][has_edges])
    return made


def check_endings(
    solution: Solution, bounds: Bounds, most: float, source: IntArray, target: IntArray,
    same: NDArray[np.bool_], over: NDArray[np.bool_],
) -> None:  # fmt: skip
    """Raise VerificationError for a bound that counts on play that never ends."""
    n = len(bounds.low)
    player = solution.space.player(np.arange(n))
    by_chance = np.zeros(n, bool) if player is None else player == CHANCE
    # A vertex has two roles: who wants the bound moves there, or the other one, for whom it is negated.
    claims = np.stack([bounds.low, -bounds.high], axis=1).reshape(-1)
    rows = row_bounds(np.bincount(target, minlength=n))
    by_target = np.argsort(target, kind="stable")
    opens = np.bincount(source, minlength=n)
    reached, queue, open_moves = np.zeros(2 * n, bool), np.empty(2 * n, np.int64), np.repeat(opens, 2)
    jit.run(
        reach, n + len(source), rows, source[by_target].astype(np.int64), same[by_target], over,
        by_chance, claims, open_moves, reached, queue,
    )  # fmt: skip
    wrong = ~reached & (claims != -most) & ~np.isnan(claims)
    if wrong.any():
        v = int(wrong.argmax()) // 2
        raise VerificationError(f"{claim(solution, v)}, but play that never ends may follow")


def reach(
    rows: IntArray, sources: IntArray, same: NDArray[np.bool_], over: NDArray[np.bool_],
    by_chance: NDArray[np.bool_], claims: NDArray[np.float64], open_moves: IntArray,
    reached: NDArray[np.bool_], queue: IntArray,
) -> None:  # fmt: skip
    """Mark from where play ends for sure, by moves that bear out a bound.

    Parameters
    ----------
    rows, sources, same : int64 [n + 1], int64 [m], bool [m]
        The predecessors of each vertex, and whether the same player moves there.
    over, by_chance : bool [n]
        Whether the game is over, and whether chance moves.
    claims : float64 [2 n]
        The bound of each vertex for each role.
    open_moves : int64 [2 n]
        The number of moves; changed in place.
    reached : bool [2 n]
        False; overwritten.
    queue : int64 [2 n]
        Overwritten.
    """
    head, tail = 0, 0
    for v in range(len(over)):
        if over[v]:
            for role in range(2):
                reached[2 * v + role] = True
                queue[tail] = 2 * v + role
                tail += 1
    while head < tail:
        state = queue[head]
        head += 1
        w, role = state // 2, state % 2
        for e in range(rows[w], rows[w + 1]):
            v = sources[e]
            before = 2 * v + (role if same[e] else 1 - role)
            if reached[before]:
                continue
            if not by_chance[v]:
                if before % 2 == MINE:
                    if claims[state] < claims[before]:
                        continue  # this move would give up some of the bound
                else:
                    open_moves[before] -= 1
                    if open_moves[before] > 0:
                        continue
            reached[before] = True
            queue[tail] = before
            tail += 1


# -- compiled rules whose players throw before they move ---------------------------------------------


def marking_bytes(space: StateSpace, num_edges: int, budget: int | None = None) -> int:
    """Return the bytes of a proof by generated moves: a mark for each index."""
    return space.num_vertices


def prove_generated(solution: Solution, context: Context) -> None:
    """Prove the bounds of a compiled game, its moves generated again.

    Each index has two roles, as in :func:`check_endings`, here a bit each. A role is marked if by some
    throw play comes nearer to the end. Marks are only added, so threads may see those of each other.
    """
    space, n = solution.space, solution.space.num_vertices
    assert isinstance(space, RulesSpace)  # by the table of provers
    by_terminal = end_payoffs(np.arange(4, dtype=np.uint8), None, solution.stuck)
    has_payoff = space.payoffs(0, 0) is not None
    ends = np.zeros(n, np.uint8)
    with ThreadPool(context.threads, space.work) as pool:
        valid = code_of(mark_reachable(space, pool, context.progress)) != INVALID_CODE
        bounds, most = bounds_of(solution, valid)
        if most == 0 and (np.nan_to_num([bounds.low, bounds.high]) != 0).any():
            most = 1.0  # being stuck after a throw is worth that at most; bounds of 0 say nobody is

        def check_range(start: int, stop: int) -> int:
            found, low, high, marked = space.run(
                check_throws, start, stop, backward, valid, bounds.low, bounds.high, by_terminal,
                has_payoff, most, ends, space.max_moves,
            )  # fmt: skip
            if found >= 0:
                claimed = float(bounds.low[found]), float(bounds.high[found])
                raise VerificationError(
                    f"{claim(solution, int(found))}, in payoffs from {claimed[0]!r} to {claimed[1]!r}, "
                    f"but its moves make it from {float(low)!r} to {float(high)!r}"
                )
            return int(marked)

        for below, above in space.tier_bounds:
            cuts = pool.chunks(above - below, start=below)
            more, backward = 1, False
            while more > 0:
                more = sum(pool.map_ranges(check_range, cuts))
                if np.all(ends[below:above] == BOTH):
                    break
                backward = not backward
            context.progress(Progress("verifying", above, n))
    said = np.stack([bounds.low != -most, bounds.high != most], axis=1) & valid[:, None]
    wrong = said & (ends[:, None] & [1, 2] == 0) & ~np.isnan(bounds.low)[:, None]
    if wrong.any():
        v = int(wrong.any(axis=1).argmax())
        raise VerificationError(f"{claim(solution, v)}, but play that never ends may follow")


def check_throws(
    start, stop, backward, valid, low, high, by_terminal, has_payoff, most, ends, max_moves, data,
    index_table, fault,
):  # fmt: skip
    """Compare the bounds of some indices with the rule of one move, and mark where they are borne out.

    Parameters
    ----------
    start, stop : int
        The indices ``start..stop-1`` to work on, those without both marks.
    backward : bool
        Whether to begin with the last.
    valid : bool [n]
        Whether play reaches an index.
    low, high : float64 [n]
        The bounds.
    by_terminal : float64 [4]
        The payoffs of terminal values, and of being stuck.
    has_payoff : bool
        Whether the rules have payoffs instead.
    most : float
        The largest payoff.
    ends : uint8 [n]
        Changed in place: bit 0 where the player to move can bring play to an end by moves that bear out
        the lower bound, bit 1 where the other one can for the upper bound.
    max_moves : int
        The most moves of a position after all throws.
    data, index_table, fault
        See ``spaces.checked``.

    Returns
    -------
    found, low, high, marked : int64, float64, float64, int64
        The first index with bounds that its moves do not allow, -1 for none, and what they allow; how
        many indices were marked.
    """
    data, index_table, fault = no_refcount((data, index_table, fault))
    out, weights, after = room_for(MAX_OUTCOMES), room_for(MAX_OUTCOMES), room_for(max_moves)
    limit = position_limit(len(low))
    marked = ZERO
    for step in range(stop - start):
        i = stop - 1 - step if backward else start + step
        if ends[i] == BOTH:
            continue
        p = position_of(i, data, index_table) if valid[i] else np.int64(0)
        code = checked_code(terminal_or_invalid(p, data) if valid[i] else INVALID, p, fault)
        if code == INVALID:
            if not (np.isnan(low[i]) and np.isnan(high[i])):
                return np.int64(i), np.nan, np.nan, marked
            ends[i] = BOTH
            continue
        below, above = 0.0, 0.0
        roles = np.uint8(0)
        if code != 0:
            roles = BOTH
            below = above = np.float64(payoff(p, data)) if has_payoff else by_terminal[code]
        else:
            count = checked_outcomes(outcomes(p, out, weights, data), p, out[MAX_OUTCOMES], fault)
            total, least, greatest = 0.0, np.inf, -np.inf
            for k in range(count):
                made = moves_after(out[k], after, data)
                made = checked_count(made, p, after[max_moves], max_moves, fault)
                check_weight(weights[k], p, fault)
                best_low = best_high = by_terminal[0] if made == 0 else -np.inf
                # Whether some best move, and every move, leads to a mark.
                mine, theirs = made == 0, True
                for place in range(made):
                    q = checked_target(max(after[place], ~after[place]), p, limit, fault)
                    j = checked_index(index_of(q, data, index_table), p, q, len(low), fault)
                    if np.isnan(low[j]):
                        report_fault(fault, NO_TARGET, p, q, j, ZERO)
                    again = after[place] < 0
                    value = low[j] if again else -high[j]
                    best_high = max(best_high, high[j] if again else -low[j])
                    is_marked = ends[j] & (1 if again else 2) != 0
                    if value > best_low:
                        best_low, mine = value, is_marked
                    elif value == best_low:
                        mine = mine or is_marked
                    theirs = theirs and ends[j] & (2 if again else 1) != 0
                roles |= (1 if mine else 0) | (2 if theirs else 0)
                share = np.float64(weights[k])
                below += share * best_low
                above += share * best_high
                total += share
                least, greatest = min(least, best_low), max(greatest, best_high)
            error = ERROR * most * (count + 4)
            below = max(below / max(total, 1.0) - error, least)
            above = min(above / max(total, 1.0) + error, greatest)
        is_right = -most <= low[i] and low[i] <= high[i] and high[i] <= most
        if not (is_right and low[i] <= below and high[i] >= above):  # NaN is never right
            return np.int64(i), below, above, marked
        if roles | ends[i] != ends[i]:
            ends[i] |= roles
            marked += 1
    check_guard(start, stop, OVERRUN, after, max_moves, fault)
    check_guard(start, stop, OVERRUN, out, MAX_OUTCOMES, fault)
    return np.int64(-1), 0.0, 0.0, marked
