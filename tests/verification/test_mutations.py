"""Of every kind of solution, any single value or remoteness that is changed is refused by the proof."""

import random
from collections.abc import Callable, Iterator

import pytest

import retrosolve as rs
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.tables.answers import Packed
from tests.conftest import Tune
from tests.support.marks import SLOW
from tests.support.random_games import (
    Folded,
    Mirrored,
    Owned,
    Reached,
    ReachedOwned,
    Stored,
    tiered,
    without_owner,
)
from tests.support.random_graphs import STUCK, random_graph


def owned(rng: random.Random) -> rs.Graph:
    graph = random_graph(rng)
    owner = [rng.randrange(2) for _ in range(graph.vertices)]
    return rs.Graph(graph.indptr, graph.indices, owner, graph.terminal)


def in_tiers(rng: random.Random) -> Stored:
    graph, tiers = tiered(rng)
    return (Stored if graph.owner is None else Owned)(graph, tiers=tiers)


def reached(rng: random.Random) -> Stored:
    graph = random_graph(rng)
    kind = Reached if graph.owner is None else ReachedOwned
    return kind(graph, [0] if graph.vertices else [])


def explored(rng: random.Random) -> Mirrored:
    game = Folded(without_owner(random_graph(rng)))
    game.size = None
    game.start = lambda: 0  # type: ignore[method-assign]
    return game


def board(rng: random.Random) -> PoliceAndThief:
    cells = [[rng.choice("...*E") for _ in range(3)] for _ in range(2)]
    return PoliceAndThief.from_text("\n".join(map("".join, cells)))


KINDS: dict[str, Callable[[random.Random], object]] = {
    "dense": lambda rng: Stored(without_owner(random_graph(rng))),
    "owned": lambda rng: Owned(owned(rng)),
    "tiers": in_tiers,
    "reached": reached,
    "explored": explored,
    "two tokens": board,
}


def solutions(kind: str, rng: random.Random, count: int) -> Iterator[rs.Solution]:
    for i in range(count // 5 if kind in ("two tokens", "tiers") else count):
        game = KINDS[kind](rng)
        if isinstance(game, PoliceAndThief) or len(game.data[0]) > 1:
            yield rs.solve(game, STUCK[i % 3])


def refuse_every_change(solution: rs.Solution) -> int:
    """Change each word to every other that it might be; return how many were refused."""
    rs.verify(solution)
    right, refused = solution.answers, 0
    assert isinstance(right, Packed)
    words = right.state
    others = {*range(26), *words.tolist(), 8 * len(words) + 1}
    for v in range(len(words)):
        for word in others - {int(words[v])}:
            changed = words.copy()
            changed[v] = word
            solution.answers = Packed(changed)
            with pytest.raises(rs.VerificationError):
                rs.verify(solution)
            refused += 1
    solution.answers = right
    return refused


@pytest.mark.parametrize("kind", KINDS)
def test_every_single_change_is_refused(kind: str) -> None:
    refused = sum(refuse_every_change(s) for s in solutions(kind, random.Random(1), 20))
    assert refused > 1000


@SLOW
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("compiled", [False, True])
def test_every_single_change_of_many_is_refused(kind: str, compiled: bool, tune: Tune) -> None:
    tune(compile_from=0 if compiled else 10**9, compile_again_from=0 if compiled else 10**9)
    refused = sum(refuse_every_change(s) for s in solutions(kind, random.Random(2), 100))
    assert refused > 20_000
