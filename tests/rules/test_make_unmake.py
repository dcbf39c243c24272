"""Rules that make a move on one object, yield it and take the move back are refused, however they are solved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import retrosolve as rs

CHANGED = r"yielded .* and changed it afterwards: expected a copy for each move"


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


KINDS = ByContent, OneHash, ByIdentity, InSlots


class Stones(rs.Game[Any]):
    """Take one or two stones: the loser is who cannot. 10 stones are a WIN in 7."""

    def __init__(self, kind: type[Any]) -> None:
        self.kind = kind

    def start(self) -> Any:
        return self.kind(10)

    def moves(self, position: Any) -> Any:
        for k in (1, 2):
            if k <= position.n:
                position.n -= k
                yield f"take {k}", position
                position.n += k


class Alone(Stones):
    """The same without names."""

    def moves(self, position: Any) -> Iterator[Any]:
        return (target for _, target in super().moves(position))


class Scratch(Stones):
    """One object for all targets, which is no position itself until it is yielded."""

    def moves(self, position: Any) -> Iterator[Any]:
        board = self.kind(position.n)
        for k in (1, 2):
            if k <= board.n:
                board.n -= k
                yield f"take {k}", board
                board.n += k


class Boxed(Stones):
    """In tuples, which are hashed by what is in them."""

    def start(self) -> Any:
        return (self.kind(10),)

    def moves(self, position: Any) -> Iterator[Any]:
        return ((name, (target,)) for name, target in super().moves(position[0]))


class Collected(Stones):
    """All moves as a list, in which one object is left."""

    def moves(self, position: Any) -> list[Any]:
        return list(super().moves(position))


class Copies(Stones):
    """Right, with a copy for each move; yielded."""

    def moves(self, position: Any) -> Iterator[Any]:
        return ((name, self.kind(target.n)) for name, target in super().moves(position))


class Jugs(rs.Puzzle[Any]):
    def start(self) -> Any:
        return ByContent(4)

    def solved(self, position: Any) -> bool:
        return bool(position.n == 0)

    moves = Stones.moves


GAMES = [
    *(Stones(kind) for kind in KINDS), *(Scratch(kind) for kind in KINDS),
    Alone(ByContent), Alone(ByIdentity), Boxed(ByContent), Jugs(),
]  # fmt: skip


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_a_target_that_changes_after_it_is_yielded_is_refused(game: rs.Game[Any]) -> None:
    for ask in (rs.solve, rs.check_game):
        with pytest.raises(rs.RulesError, match=CHANGED):
            ask(game)


@pytest.mark.parametrize("kind", KINDS)
def test_a_list_of_moves_to_the_object_that_was_passed_is_refused(kind: type[Any]) -> None:
    with pytest.raises(rs.RulesError, match="2 moves to the very object that it was called with"):
        rs.solve(Collected(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_copies_are_solved(kind: type[Any]) -> None:
    solution = rs.solve(Copies(kind))
    assert str(solution[solution.start]) == "WIN in 7"


class Tree(Stones):
    """Heap n leads to 3n + 1, 3n + 2 and 3n + 3, by one object from ``late`` on."""

    late = 700

    def start(self) -> Any:
        return self.kind(0)

    def moves(self, position: Any) -> Iterator[Any]:
        n, board = position.n, position
        for child in range(3 * n + 1, 3 * n + 4) if n < 2000 else ():
            if n < self.late:
                board = self.kind(child)
            board.n = child
            yield str(child), board
            board.n = n if n >= self.late else child


@pytest.mark.parametrize("workers", [1, 2])
def test_objects_are_looked_at_in_all_positions_and_by_workers(workers: int) -> None:
    with pytest.raises(rs.RulesError, match=CHANGED):
        rs.solve(Tree(ByContent), workers=workers)


def test_the_proof_looks_at_what_is_yielded() -> None:
    game = Tree(ByContent)
    game.late = 10**6
    solution = rs.solve(game)
    game.late = 0
    with pytest.raises(rs.RulesError, match=CHANGED):
        rs.verify(solution)


class Twins(rs.Game[Any]):
    """Two moves that are meant to lead to one object, which nobody changes."""

    def __init__(self, kind: Any) -> None:
        self.end, self.first = kind(0), kind(1)

    def start(self) -> Any:
        return self.first

    def moves(self, position: Any) -> list[Any]:
        return [] if position == self.end else [("left", self.end), ("right", self.end)]


@pytest.mark.parametrize("kind", [*KINDS, lambda n: (n,), int, str])
def test_one_object_for_two_moves_is_solved_and_noted_if_it_may_change(kind: Any) -> None:
    game = Twins(kind)
    solution = rs.solve(game)
    assert str(solution[solution.start]) == "WIN in 1"
    rs.verify(solution)
    report = rs.check_game(game)
    assert report.findings == ()
    assert [("one object for two moves" in note) for note in report.notes] == [True] * (kind in KINDS)


def test_a_move_to_the_object_that_was_passed_is_noted() -> None:
    class Pass(Twins):
        def moves(self, position: Any) -> Any:
            yield "pass", position

    (note,) = rs.check_game(Pass(ByContent)).notes
    assert "the object that it was called with" in note
