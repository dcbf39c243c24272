"""Rules that make a move on one object, yield it and take the move back are refused, however they are solved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import retrosolve as rs
from tests.bad_input.plain_rules import by_functions


@dataclass(unsafe_hash=True)
class ByContent:
    """Stones, equal by their number."""

    n: int


@dataclass
class OneHash(ByContent):
    """Equal by their number too, but all of one hash."""

    def __hash__(self) -> int:
        return 0


class ByIdentity:
    """Stones that equal nothing but themselves."""

    def __init__(self, n: int) -> None:
        self.n = n


class InSlots:
    """The same without a dictionary."""

    __slots__ = ("n",)

    def __init__(self, n: int) -> None:
        self.n = n


KINDS: tuple[Callable[[int], Any], ...] = (ByContent, OneHash, ByIdentity, InSlots)


def take(stones: Any) -> Iterator[Any]:
    """Take one or two stones, and put them back. Who cannot has lost: 10 stones are a WIN in 7."""
    for k in (1, 2):
        if k <= stones.n:
            stones.n -= k
            yield f"take {k}", stones
            stones.n += k


FORMS: dict[str, Callable[[Any], Any]] = {
    "on the position": lambda kind: by_functions(kind(10), take),
    "on another object": lambda kind: by_functions(kind(10), lambda p: take(kind(p.n))),
    "without names": lambda kind: by_functions(kind(10), lambda p: (q for _, q in take(p))),
    "in a tuple": lambda kind: by_functions((kind(10),), lambda p: ((k, (q,)) for k, q in take(p[0]))),
    "in a list": lambda kind: by_functions(kind(10), lambda p: list(take(p))),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", KINDS)
def test_targets_that_change_after_they_are_yielded_are_refused(kind: Any, form: str) -> None:
    """A tuple is equal to one with the same objects in it: only its hash tells."""
    if form == "in a tuple" and kind is not ByContent:
        return
    for ask in (rs.solve, rs.check_game):
        with pytest.raises(rs.RulesError, match="expected a copy for each move"):
            ask(FORMS[form](kind))


@pytest.mark.parametrize("kind", KINDS)
def test_copies_are_solved(kind: Any) -> None:
    copies = by_functions(kind(10), lambda p: ((k, kind(q.n)) for k, q in take(p)))
    solution = rs.solve(copies)
    assert str(solution[solution.start]) == "WIN in 7"


class Tree(rs.Game[Any]):
    """Heap n leads to 3n + 1, 3n + 2 and 3n + 3, by one object from ``late`` on."""

    late = 700

    def start(self) -> Any:
        return ByContent(0)

    def moves(self, position: Any) -> Iterator[Any]:
        n, board = position.n, position
        for child in range(3 * n + 1, 3 * n + 4) if n < 2000 else ():
            if n < self.late:
                board = ByContent(child)
            board.n = child
            yield str(child), board
            board.n = n if n >= self.late else child


@pytest.mark.parametrize("workers", [1, 2])
def test_objects_are_looked_at_in_all_positions_and_by_workers(workers: int) -> None:
    with pytest.raises(rs.RulesError, match="changed it afterwards"):
        rs.solve(Tree(), workers=workers)


def test_the_proof_looks_at_what_is_yielded() -> None:
    game = Tree()
    game.late = 10**6
    solution = rs.solve(game)
    game.late = 0
    with pytest.raises(rs.RulesError, match="changed it afterwards"):
        rs.verify(solution)


@pytest.mark.parametrize("kind", [*KINDS, lambda n: (n,), int, str])
def test_one_object_for_two_moves_is_solved_and_noted_if_it_may_change(kind: Any) -> None:
    """Which is meant, and nobody changes it."""
    end = kind(0)
    game = by_functions(kind(1), lambda p: [] if p == end else [("left", end), ("right", end)])
    solution = rs.solve(game)
    assert str(solution[solution.start]) == "WIN in 1"
    rs.verify(solution)
    report = rs.check_game(game)
    assert report.findings == ()
    assert len(report.notes) == (kind in KINDS)
