"""Positions of every hashable kind, explored by one process and by several: the same, types included."""

from __future__ import annotations

import logging
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.rules import exploring, workers
from retrosolve.rules.calls import holds_set, identical
from tests.support.kinds import (
    KINDS,
    UNSENDABLE,
    Board,
    KindGame,
    Side,
    answers,
    breadth_first,
    typed,
    wide_graph,
)

GRAPH = wide_graph(1, 1200)
ORDER = breadth_first(GRAPH)
ANSWERS = answers(GRAPH)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """Processes are forked, though other tests may have left threads; counts what workers answer."""
    counts: Counter[str] = Counter()
    decode = exploring.decoded_expansion

    def counted(data: bytes | memoryview) -> object:
        counts["answers"] += 1
        return decode(data)

    monkeypatch.setattr(workers, "start_method", lambda: "fork")
    monkeypatch.setattr(exploring, "decoded_expansion", counted)
    return counts


@pytest.fixture
def unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are started at once, unasked, whatever they gain."""
    monkeypatch.setattr(exploring, "SECONDS_ALONE", 0.0)
    monkeypatch.setattr(exploring, "cpu_count", lambda: 2)
    monkeypatch.setattr(exploring, "_pays", lambda search: True)


def check(game: KindGame, count: int | None, order: list[int], expected: list[tuple[int, int]]) -> None:
    """Solve a game with so many workers and compare positions, their order and types, and answers."""
    solution = rs.solve(game, workers=count)
    positions = list(solution)
    assert [game.vertex[p] for p in positions] == order
    assert [typed(p) for p in positions] == [typed(game.make(v)) for v in order]
    assert list(zip(solution.table.values(), solution.remoteness(), strict=True)) == [
        expected[v] for v in order
    ]
    rs.verify(solution)


def test_the_graph_is_wide_enough_for_workers() -> None:
    widest, level, known = 0, [0], {0}
    while level:
        widest = max(widest, len(level))
        level = list({w for v in level for w in GRAPH.neighbors(v).tolist()} - known)
        known.update(level)
    assert widest >= exploring.MIN_FRONTIER
    assert len(KINDS) >= 25


@pytest.mark.long(but=2)
@pytest.mark.parametrize("kind", KINDS)
def test_positions_of_any_kind_are_the_same_with_any_number_of_workers(
    kind: str, sent: Counter[str]
) -> None:
    game = KindGame(GRAPH, KINDS[kind])
    check(game, 1, ORDER, ANSWERS)
    assert not sent
    for count in (2, 3):
        sent.clear()
        check(game, count, ORDER, ANSWERS)
        assert sent["answers"]


@pytest.mark.parametrize("kind", UNSENDABLE)
@pytest.mark.usefixtures("sent")
def test_positions_that_do_not_come_back_are_refused_when_workers_are_asked_for(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, what = UNSENDABLE[kind]
    game = KindGame(GRAPH, make)
    check(game, 1, ORDER, ANSWERS)
    with pytest.raises(rs.RulesError, match=rf"cannot be sent to another process \({what}\)"):
        rs.solve(game, workers=2)
    monkeypatch.setattr(workers, "has_free_threads", lambda: True)
    check(game, 2, ORDER, ANSWERS)  # threads share positions of every kind


@pytest.mark.parametrize("kind", UNSENDABLE)
@pytest.mark.usefixtures("unasked", "sent")
def test_positions_that_do_not_come_back_are_explored_in_one_process_by_default(
    kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "retrosolve"):
        check(KindGame(GRAPH, UNSENDABLE[kind][0]), None, ORDER, ANSWERS)
    assert "exploring goes on in one process: the position" in caplog.text


class Later(KindGame):
    """Only the last positions cannot be sent, and only targets show it."""

    def __init__(self) -> None:
        late = set(ORDER[-100:])
        super().__init__(GRAPH, lambda v: (float("nan") if v in late else 0.5, v))
        self.position = list(self.vertex)
        self.make = self.position.__getitem__


@pytest.mark.usefixtures("unasked")
def test_one_process_goes_on_where_a_worker_cannot_send_targets(
    sent: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exploring, "MIN_FRONTIER", 8)
    monkeypatch.setattr(exploring, "MAX_CHUNK", 16)
    solution = rs.solve(Later())
    assert sent["answers"]
    assert [position[1] for position in solution] == ORDER
    with pytest.raises(rs.RulesError):
        rs.solve(Later(), workers=2)


class Moody:
    """Read by the first process only."""

    reader = True

    def __init__(self, v: int) -> None:
        self.v = v

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Moody) and self.v == other.v

    def __hash__(self) -> int:
        return self.v

    def __setstate__(self, state: dict[str, int]) -> None:
        if not Moody.reader:
            raise KeyError("class")
        self.__dict__ |= state


@pytest.mark.usefixtures("sent")
def test_positions_that_a_worker_cannot_read_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    serve = workers._serve

    def unreading(*args: object) -> None:
        Moody.reader = False
        serve(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(workers, "_serve", unreading)
    with pytest.raises(rs.RulesError, match="KeyError: 'class'"):
        rs.solve(KindGame(GRAPH, Moody), workers=2)


@pytest.mark.parametrize("kind", KINDS)
def test_encoding_keeps_every_kind(kind: str) -> None:
    positions = [KINDS[kind](v) for v in range(40)]
    back = workers.decoded(workers.encoded(positions))
    assert [typed(p) for p in back] == [typed(p) for p in positions]
    assert all(map(identical, back, positions))


class Men(rs.Game):
    """Men on a line; the moves come as the set of men is iterated."""

    def start(self) -> frozenset[int]:
        return frozenset((3, 17, 40, 58))

    def moves(self, men: frozenset[int]) -> list[tuple[str, frozenset[int]]]:
        return [
            (f"{man} by {by}", men - {man} | {man + by})
            for man in men
            for by in (8, 15)
            if man + by < 80 and man + by not in men
        ]


class PairsOfMen(rs.Game):
    """Men of two sides as sets in tuples, with text and tuples among the items."""

    def start(self) -> Any:
        return "a", frozenset(((3, "x"), (17, "y"), (40, "x"))), frozenset((58, "z", None))

    def moves(self, position: Any) -> Any:
        turn, men, others = position
        for man in others:
            for place, side in men:
                if place + 8 < 80 and man is not None:
                    yield f"{man} {place}", (side, men - {(place, side)} | {(place + 8, turn)}, others)


@pytest.mark.long(but=1)
@pytest.mark.usefixtures("unasked")
@pytest.mark.parametrize("count", [None, 2])
@pytest.mark.parametrize("game", [Men(), PairsOfMen()])
def test_moves_in_the_order_of_a_set_are_the_same_with_workers(
    game: rs.Game, count: int | None, sent: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exploring, "MIN_FRONTIER", 8)
    alone, solution = rs.solve(game, workers=1), rs.solve(game, workers=count)
    assert sent["answers"]
    assert list(solution) == list(alone)
    assert solution.space.digest() == alone.space.digest()  # type: ignore[attr-defined]
    rs.verify(alone)


@dataclass(frozen=True)
class Boxed:
    men: frozenset[int]


class BoxedMen(Men):
    """The same with sets in objects, which stay as they are."""

    def start(self) -> Any:
        return Boxed(super().start())

    def moves(self, position: Any) -> Any:
        return [(name, Boxed(men)) for name, men in super().moves(position.men)]


class WeighedMen(BoxedMen):
    """Chance moves the men."""

    def player(self, position: Any) -> int:
        return rs.CHANCE if super().moves(position) else 0

    def weight(self, position: Any, target: Any) -> int:
        return 1 + sum(target.men)


@pytest.mark.usefixtures("unasked")
def test_sets_whose_copies_have_another_order_are_explored_in_one_process(
    sent: Counter[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = BoxedMen()
    alone = rs.solve(game, workers=1)
    with pytest.raises(rs.RulesError, match="another order"):
        rs.solve(game, workers=2)
    monkeypatch.setattr(exploring, "_reordered", lambda search: None)  # a sample that does not show it
    with caplog.at_level(logging.INFO, "retrosolve"):
        solution = rs.solve(game)
    assert not sent
    assert "may hold a set, and its copy the same set in another order" in caplog.text
    assert solution.space.digest() == alone.space.digest()  # type: ignore[attr-defined]


@pytest.mark.usefixtures("sent")
def test_weights_are_not_taken_in_another_order_than_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploring, "_reordered", lambda search: None)
    with pytest.raises(rs.RulesError):
        rs.solve(WeighedMen(), workers=2)


@pytest.mark.parametrize(
    ("position", "answers"),
    [
        ((1, "a", (2, None)), (False, False)),
        ((1, (frozenset(("a", (1, frozenset((2,))))),)), (True, False)),
        (frozenset((np.int8(1),)), (True, False)),
        (frozenset((Boxed(frozenset()),)), (True, True)),
        (Boxed(frozenset((1,))), (True, True)),
        ({"a": [frozenset()]}, (True, True)),
        (KINDS["object with slots"](3), (False, False)),
        (KINDS["subclass of frozenset"](3), (True, True)),
        ((Side.LEFT, np.int16(2), KINDS["namedtuple"](1), 2.5, KINDS["UUID"](1)), (False, False)),
    ],
)
def test_sets_are_noticed_in_positions(position: Any, answers: tuple[bool, bool]) -> None:
    assert (holds_set(position, False), holds_set(position, True)) == answers


PLAIN = ("int", "str", "bytes", "float", "tuple", "nested tuples", "frozenset", "bools", "complex")


@pytest.mark.parametrize("kind", PLAIN)
def test_plain_objects_are_marshalled(kind: str) -> None:
    assert workers.encoded([KINDS[kind](v) for v in range(2000)])[:1] == workers.MARSHALLED


def test_buffers_and_positions_nested_too_deeply_are_noticed() -> None:
    """A buffer is written as bytes, whose record has the length in it."""
    for size in (0, 115, 255, 2**16):
        with pytest.raises(workers.TransportError):
            workers.encoded([(1, "s", memoryview(bytes(size)))])
        assert workers.encoded([(1, "s", bytes(size))])[:1] == workers.MARSHALLED
    position: tuple[object, ...] = ()
    for _ in range(3 * sys.getrecursionlimit()):
        position = (position,)
    with pytest.raises(workers.TransportError):
        workers.encoded([position])


def test_identical_positions_have_the_same_types() -> None:
    nan = float("nan")
    pairs = (1, True), (1, 1.0), (0.0, -0.0), (1, np.int64(1)), ("a", np.str_("a")), (nan, float("nan"))
    wraps = lambda x: x, lambda x: (2, (x,)), lambda x: frozenset({x}), lambda x: Board(x, 1)
    for one, other in pairs:
        for wrap in wraps:
            assert identical(wrap(one), wrap(one))
            assert not identical(wrap(one), wrap(other))
