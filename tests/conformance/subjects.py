"""What is solved in the laws of this folder: one table of subjects.

A law is a test that holds for every subject, written once. Definitions (points by thresholds, nimbers by
mex, exact chances, distances to conversion, outcomes by attractors) are those of `tests/support`.
"""

from __future__ import annotations

import functools
import random
import tempfile
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import retrosolve as rs
from retrosolve.objectives import Chance, Conversion
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.spaces.product import ProductSpace
from retrosolve.testing import (
    STUCK,
    CompiledGraphGame,
    GraphGame,
    random_board,
    random_compiled_game,
    random_graph,
    random_tiered_graph,
    without_owner,
)
from retrosolve.testing.games import KINDS
from tests.solvers import test_lanes
from tests.solvers.test_lanes import Lane
from tests.support import conversions, fixpoint, nimbers, scored
from tests.support.chance import Throws, random_dice, tabled
from tests.support.edge_files import pairs_of
from tests.support.marks import samples

EXAMPLES = samples(8, 40)


class Case(NamedTuple):
    """A subject, how to solve it, and the answers by definition: pairs of what is said and what is right."""

    subject: Any
    options: dict[str, Any] = {}  # noqa: RUF012
    right: Callable[[rs.Solution], tuple[Any, Any]] | None = None

    def solve(self, **more: Any) -> rs.Solution:
        return rs.solve(self.subject, **self.options | more)


# -- the subjects ---------------------------------------------------------------------------------------


def outcomes(subject: Any, rng: random.Random, **options: Any) -> Case:
    stuck = rng.choice(STUCK)

    def right(solution: rs.Solution) -> tuple[Any, Any]:
        space, table = solution.space, solution.table
        known = fixpoint.graph_outcomes(space.materialize(), stuck)
        found = [solution[position] for position in solution]
        said = [(outcome.value.kind.label, outcome.remoteness) for outcome in found]
        words = [known[space.index(position)] for position in solution]
        return said, [(value, plies if table.has_remoteness else None) for value, plies in words]

    return Case(subject, {"stuck": stuck, **options}, right)


def names(rng: random.Random, _: Path) -> Case:
    """A graph with names of all kinds that are kept, a start, and players of its own."""
    graph = random_graph(rng)
    known = ["a", "ä b", "", "3", 3, -(10**30), "\u202e", "a\nb", "x" * 300]
    names = [*known, *(f"v{v}" for v in range(graph.num_vertices))][: graph.num_vertices]
    rng.shuffle(names)
    graph = rs.Graph.from_csr(graph.indptr, graph.indices, graph.owner, graph.terminals, names)
    return outcomes(graph.with_start(next(iter(names), None), ("Left", "Rïght")), rng)


def edges_on_disk(rng: random.Random, folder: Path) -> Case:
    while not (graph := random_graph(rng)).num_edges:
        pass
    parts = Path(tempfile.mkdtemp(dir=folder))
    for number, pairs in enumerate(np.array_split(pairs_of(graph), 2)):
        np.save(parts / f"{number}.npy", pairs)
    return outcomes(rs.EdgeParts(parts, graph.num_vertices, graph.owner, graph.terminals), rng)


def two_tokens(rng: random.Random, _: Path, **options: Any) -> Case:
    return outcomes(PoliceAndThief.from_text(random_board(rng, max_side=3)), rng, **options)


def product(rng: random.Random, _: Path) -> Case:
    """Two tokens on a loop, where the game may end in a tie."""
    loop, ends = rs.Graph.from_edges([0, 1], [1, 0]), rng.choices([0, 1, 2, 3], [5, 1, 1, 2], k=8)
    return outcomes(ProductSpace(loop, loop, np.array(ends, np.uint8)), rng, objective="win-loss-draw")


def tiers(rng: random.Random, _: Path) -> Case:
    graph, first = random_tiered_graph(rng)
    graph = graph if rng.random() < 0.5 else without_owner(graph)
    return outcomes(CompiledGraphGame(graph, *rng.choice([(), ("predecessors",)]), tiers=first), rng)


def distances(rng: random.Random, _: Path) -> Case:
    graph, tiers = random_tiered_graph(rng)
    graph = graph if rng.random() < 0.5 else without_owner(graph)
    objective = Conversion(limit=rng.choice([None, 1, 2, 4]), stuck=rng.choice(STUCK))
    game = CompiledGraphGame(graph, *rng.choice([(), ("predecessors",)]), tiers=tiers)

    def right(solution: rs.Solution) -> tuple[Any, Any]:
        at, table = 3 * np.arange(graph.num_vertices) + 1, solution.table
        words = conversions.by_definition(graph, tiers, objective.limit, int(objective.stuck))
        claims = zip(table.values(at).tolist(), table.remoteness(at).tolist(), strict=True)
        return list(claims), [conversions.limited(word, objective.limit) for word in words]

    return Case(game, {"objective": objective}, right)


def scores(rng: random.Random, _: Path, kind: str = "graph", objective: str = "score") -> Case:
    game = scored.random_graph(rng)
    if kind == "compiled":
        rules = scored.Generated(game, rng.random() < 0.5)
        game, subject = rules.game, rules
    elif kind == "plain":
        subject = scored.Rules.of(game)
        game = subject.game
    else:
        subject = game.graph()

    def right(solution: rs.Solution) -> tuple[Any, Any]:
        said = [solution[v].value for v in range(len(game.moves))]
        return [value.points for value in said], scored.by_thresholds(game)

    return Case(subject, {"objective": objective, "stuck": game.stuck}, right)


def nimbers_of(rng: random.Random, _: Path) -> Case:
    graph = nimbers.random_impartial(rng)

    def right(solution: rs.Solution) -> tuple[Any, Any]:
        values = [outcome.value for outcome in solution.values()]
        said = list(zip(values, solution.table.remoteness().tolist(), strict=True))
        return said, nimbers.labelling(nimbers.rows_of(graph))

    return Case(graph, {"objective": "nimber"}, right)


def chances(rng: random.Random, _: Path, plain: bool = False) -> Case:
    dice, objective = random_dice(rng, largest=6), Chance(tolerance=1e-6)
    if plain:  # of payoffs only those of terminal values, and somebody has to throw
        while rs.CHANCE not in dice.owner or dice.has_payoffs:
            dice = random_dice(rng, largest=6)

    def right(solution: rs.Solution) -> tuple[Any, Any]:
        found, (least, most) = solution.table.bounds, dice.exact()
        order = [solution.space.position(v) for v in range(len(found.low))]
        bounds = zip(order, found.low.tolist(), found.high.tolist(), strict=True)
        rows = [(Fraction(low), Fraction(high), least[v], most[v]) for v, low, high in bounds]
        inside = [low <= x <= y <= high for low, high, x, y in rows]
        return inside + [high - low < y - x + 1e-5 for low, high, x, y in rows], [True] * 2 * len(rows)

    return Case(Throws(dice) if plain else dice.graph(), {"objective": objective}, right)


def throws(rng: random.Random, _: Path) -> Case:
    """Compiled rules, whose bounds are those of their graph."""
    game, dice = tabled(rng)

    def right(solution: rs.Solution) -> tuple[Any, Any]:
        (low, high), same = solution.table.bounds[:2], rs.solve(dice.graph(), objective="chance")
        least, most = (bound[: 2 * game.size : 2] for bound in same.table.bounds[:2])
        return [(np.abs(low - least) < 1e-8).all(), (np.abs(high - most) < 1e-8).all()], [True, True]

    return Case(game, {"objective": "chance"}, right)


def lanes(rng: random.Random, _: Path) -> Case:
    sizes = [1, *(rng.randint(1, 2) for _ in range(rng.randint(1, 3)))]
    weights = [rng.randint(1, 4) for _ in range(rng.randint(1, 2))]
    rows: list[list[list[int]]] = [[[] for _ in weights]]
    for size in sizes[1:]:
        below = len(rows)
        rows += [[[rng.randrange(below) for _ in range(2)] for _ in weights] for _ in range(size)]
    lane = Lane(sizes, weights, rows)

    def right(solution: rs.Solution) -> tuple[Any, Any]:
        exact = test_lanes.exact(lane)
        odds = {at: solution[at[0] * len(rows) + at[1]].value for at in exact}
        return [odds[at].low <= exact[at] <= odds[at].high for at in exact], [True] * len(exact)

    return Case(lane, {"objective": Chance(tolerance=1e-6)}, right)


def lines_of(length: int, points: int, objective: str) -> Callable[[random.Random, Path], Case]:
    """Tiers whose points and plies take words of one, two or four bytes, widened in the middle of a solve."""
    kinds = scored.Lines, scored.Backwards, scored.Rising, scored.RisingBackwards
    return lambda rng, _: Case(rng.choice(kinds)(length, points), {"objective": objective})


def long_lines(rng: random.Random, _: Path) -> Case:
    """Remotenesses that take words of four bytes, widened in the second of two tiers."""
    first, n = 8_000, 8_300
    graph = rs.Graph.from_edges(range(1, n), range(n - 1), n)
    return Case(CompiledGraphGame(graph, "predecessors", tiers=(0, first)))


def game(text: str, **options: Any) -> Callable[[random.Random, Path], Case]:
    return lambda rng, folder: Case(rs.game(text), options)


SUBJECTS: dict[str, Callable[[random.Random, Path], Case]] = {
    "graph": lambda rng, _: outcomes(random_graph(rng), rng),
    "graph without cycles": lambda rng, _: outcomes(random_graph(rng, acyclic=True), rng),
    "graph with names": names,
    "plain rules": lambda rng, _: outcomes(GraphGame(random_graph(rng)), rng),
    **{
        f"compiled: {kind}": lambda rng, _, kind=kind: outcomes(random_compiled_game(rng, kind), rng)
        for kind in KINDS
    },
    "tiers": tiers,
    "edges on disk": edges_on_disk,
    "two tokens": two_tokens,
    "two tokens, values": functools.partial(two_tokens, objective="win-loss-draw"),
    "two tokens, ties": product,
    "graph, values": lambda rng, _: outcomes(random_graph(rng), rng, objective="win-loss-draw"),
    "graph, scores": lambda rng, _: outcomes(random_graph(rng), rng, objective="score"),
    "conversion": distances,
    "score": scores,
    "score, compiled": functools.partial(scores, kind="compiled"),
    "score, plain": functools.partial(scores, kind="plain"),
    "score, no levels": functools.partial(scores, objective="score:levels=no"),
    "score, no levels, compiled": functools.partial(
        scores, kind="compiled", objective="score:levels=no"
    ),
    **{
        f"lines of {points} points, {objective}": lines_of(length, points, objective)
        for objective, long in (("score", 300), ("score:levels=no", 9))  # for plies of two bytes
        for length, points in ((7, 3), (long, 60), (9, 30_000), (9, 900_000))
    },
    "long lines": long_lines,
    "nimber": nimbers_of,
    "chance": chances,
    "chance, plain": functools.partial(chances, plain=True),
    "chance, compiled": throws,
    "lanes": lanes,
    "heaps": game("octal:code=0.77,n=9"),
    "connect4": game("connect4:rows=3,columns=2,connect=2"),
    "connect4, points": game("connect4:rows=3,columns=2,connect=2", objective="score"),
    "chess": game("chess:KRK,board=3", objective="conversion:limit=3"),
    "awari": game("awari:seeds=3,pits=2"),
    "police": game("police"),
    "awari, no levels": game("awari:seeds=3,pits=2", objective="score:levels=no"),
}
GAMES = (
    "heaps",
    "connect4",
    "connect4, points",
    "chess",
    "awari",
    "police",
    "awari, no levels",
    "long lines",
)
# Random subjects of one objective each, of which there are many: planted faults have to fail laws about them.
CORE = (
    "conversion", "score", "score, compiled", "score, no levels", "score, no levels, compiled",
    "nimber", "chance",
)  # fmt: skip
SAVED = [
    name for name in SUBJECTS if name != "two tokens, ties"
]  # which has no rules that a file could name
SHORT = [name for name in SUBJECTS if name != "long lines"]  # which are about writing alone


def cases(name: str, folder: Path, count: int = EXAMPLES) -> Iterator[Case]:
    rng = random.Random(name)
    for _ in range(1 if name in GAMES else count):
        yield SUBJECTS[name](rng, folder)
