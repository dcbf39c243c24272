"""Random numbers looked up in built-in games: each is refused, or is the position of its index."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.games import parse_game
from retrosolve.rules.contract import INVALID, CompiledGame
from tests.support.marks import samples

COUNT = samples(150, 10_000)
SOLVED = (
    "chess:KRK,board=4", "foxhounds:n=4", "connect4:rows=3,columns=3,connect=3", "queenpawns:n=4",
    "quoridor:n=3,walls=1",
)  # fmt: skip
# Only their index is looked at: a look-up in a solution also refuses what play does not reach.
INDEXED = (
    "chess:KQKR,board=4,symmetry=no", "chess:KQQK", "chess:KPK", "morris9:men=4,lasker=yes", "awari", "kalah",
    "teeko", "dobutsu", "ur", "pig", "bearoff", "rolls", "einstein", "race", "baghchal:placing=no", "musketeers",
)  # fmt: skip


@cache
def made(name: str) -> tuple[Any, Any]:
    """A game and its space; a solution stands in the place of the space where it is solved."""
    game = parse_game(name)
    return game, rs.solve(game).space if name in SOLVED else game.state_space()


def positions(space: Any, count: int, rng: random.Random) -> list[int]:
    """Random positions, and positions that their moves lead to."""
    found: list[int] = []
    n = space.num_vertices
    opened = (v for v in reversed(range(n)) if space.terminal(v, v + 1)[0] == 0)
    start = space.position(next(opened)) if space.start is None else space.start
    position = start
    while len(found) < count:
        vertex = space.index(position)
        found.append(position)
        moves = [] if space.terminal(vertex, vertex + 1)[0] else space.moves(position)
        position = rng.choice(moves)[1] if moves and len(found) % 60 else start
    return found


def numbers(known: Sequence[int], count: int, rng: random.Random) -> Iterator[int]:
    """Random numbers, most of them close to positions."""
    bits = max(known).bit_length()
    for _ in range(count):
        position = rng.choice(known)
        yield rng.choice(
            (
                rng.getrandbits(rng.randrange(1, 70)),
                rng.getrandbits(bits),
                position ^ 1 << rng.randrange(64),
                position ^ 1 << rng.randrange(bits) ^ 1 << rng.randrange(bits),
                position ^ (rng.getrandbits(bits) & rng.getrandbits(bits) & rng.getrandbits(bits)),
                position + rng.randrange(-3, 4),
                -position,
            )
        )


def is_position(game: CompiledGame, position: int) -> bool:
    """Whether a number is a position, by the rules alone."""
    data = game.plain_data
    own = game.canonical(position, data)
    same = game.unrank(game.rank(own, data), data) == own == game.canonical(own, data)
    return bool(same and game.terminal(own, data) != INVALID and 0 <= position < 2**63)


@pytest.mark.long(but=5)
@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("name", [*SOLVED, *INDEXED])
def test_numbers_are_refused_or_are_positions_of_their_index(name: str) -> None:
    """Of texts, this is a part of the contract of rules."""
    game, space = made(name)
    rng = random.Random(name)
    outcomes = {True: 0, False: 0}
    for given in numbers(positions(space, 300, rng), COUNT, rng):
        try:
            position, index = space.resolved(given)
        except rs.PositionError:
            outcomes[False] += 1
            continue
        outcomes[True] += 1
        assert is_position(game, position), given
        canonical = game.canonical(position, game.plain_data)
        assert game.rank(canonical, game.plain_data) == index
        assert space.position(index) == canonical
    assert min(outcomes.values()) > COUNT // 50
