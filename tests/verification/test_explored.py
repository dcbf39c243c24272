"""The proof of plain rules calls them again, and refuses a graph that differs from what they say."""

from __future__ import annotations

import copy
import json
import marshal
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.cli import run
from retrosolve.games import parse_game
from retrosolve.languages.phrases import Proven
from retrosolve.rules import exploring, workers
from retrosolve.rules.calls import Expansion
from retrosolve.values import Value
from tests.bad_input.explored import Counts
from tests.support.kinds import KINDS, KindGame, breadth_first, wide_graph
from tests.support.marks import samples
from tests.support.saved import reseal


@pytest.fixture
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers start early, and processes are forked, though other tests may have left threads."""
    monkeypatch.setattr(workers, "start_method", lambda: "fork")
    monkeypatch.setattr(exploring, "MIN_FRONTIER", 8)
    monkeypatch.setattr(exploring, "MAX_CHUNK", 16)


# -- planted transports ------------------------------------------------------------------------------


class Board(rs.Game):
    """Three in a row in any direction on 3x3, the board an array of NumPy numbers as a tuple."""

    lines = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def start(self) -> tuple[Any, ...]:
        return tuple(np.zeros(9, np.int8))

    def moves(self, board: tuple[Any, ...]) -> list[tuple[int, tuple[Any, ...]]]:
        player = np.int8(1 if board.count(1) == board.count(2) else 2)
        return [(i, (*board[:i], player, *board[i + 1 :])) for i in range(9) if board[i] == 0]

    def terminal(self, board: tuple[Any, ...]) -> Value | None:
        if any(board[i] != 0 and board[i] == board[j] == board[k] for i, j, k in self.lines):
            return Value.LOSS
        return None if 0 in board else Value.TIE


def marshalled(positions: Any) -> bytes:
    """Positions as bytes by marshal alone, to which a NumPy number is a buffer."""
    return workers.MARSHALLED + marshal.dumps(positions)


@pytest.mark.usefixtures("early")
def test_positions_that_arrive_as_plain_bytes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "encoded", marshalled)
    wrong = rs.solve(Board(), workers=2)
    assert len(wrong) != 5478
    with pytest.raises(rs.VerificationError):
        rs.verify(wrong)
    assert not wrong.verified


def without_last_move(found: Expansion) -> Expansion:
    degrees = found.degrees[:]
    last = max(i for i, degree in enumerate(degrees) if degree)
    at = sum(degrees[: last + 1]) - 1
    degrees[last] -= 1
    return found._replace(degrees=degrees, moves=found.moves[:at] + found.moves[at + 1 :])


def with_two_moves_exchanged(found: Expansion) -> Expansion:
    moves = list(found.moves)
    moves[0], moves[-1] = moves[-1], moves[0]
    return found._replace(moves=moves)


def with_another_end(found: Expansion) -> Expansion:
    codes = bytes(3 if code else 0 for code in found.terminal or b"")
    return found._replace(terminal=codes)


def with_other_players(found: Expansion) -> Expansion:
    return found._replace(owner=bytes(1 - player for player in found.owner or b""))


def with_python_numbers(found: Expansion) -> Expansion:
    return found._replace(moves=[tuple(map(int, target)) for target in found.moves])


PLANTED = (
    without_last_move,
    with_two_moves_exchanged,
    with_another_end,
    with_other_players,
    with_python_numbers,
)


@pytest.mark.long(but=1)
@pytest.mark.usefixtures("early")
@pytest.mark.parametrize("plant", PLANTED)
def test_a_wrong_transport_is_refused(
    plant: Callable[[Expansion], Expansion], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = KindGame(wide_graph(3, 3000, owned=True), KINDS["np.int8"])
    decode, changed = exploring.decoded_expansion, Counter[str]()

    def wrong(data: bytes | memoryview) -> Expansion:
        found = decode(data)
        if len(found.moves) < 2 or not found.terminal or not any(found.terminal):
            return found
        changed["answers"] += 1
        return plant(found)

    rs.verify(rs.solve(game, workers=2))
    monkeypatch.setattr(exploring, "decoded_expansion", wrong)
    solution = rs.solve(game, workers=2)
    assert changed["answers"] > 10
    assert len(solution) > exploring.MIN_CALLS
    with pytest.raises(rs.VerificationError):
        rs.verify(solution)


# -- what is right is not refused ---------------------------------------------------------------------


class Mixed(KindGame):
    """The type of a position depends on the move that leads to it."""

    def __init__(self, graph: rs.Graph) -> None:
        super().__init__(graph, lambda v: v)

    def moves(self, position: Any) -> list[tuple[str, Any]]:
        return [
            (name, (np.int64, int, float)[(int(position) + i) % 3](target))
            for i, (name, target) in enumerate(super().moves(position))
        ]


@pytest.mark.usefixtures("early")
@pytest.mark.parametrize("count", [1, 2])
def test_equal_positions_of_several_types_are_one_position_and_proven(count: int) -> None:
    for seed in range(samples(2, 40)):
        game = Mixed(wide_graph(seed, 1500))
        solution = rs.solve(game, workers=count)
        assert [int(p) for p in solution] == breadth_first(game.graph)
        assert len({type(p) for p in solution}) == 3
        rs.verify(solution)


class Looped(rs.Game):
    """A cycle of sets, whose items come in any order, and so do the moves."""

    def start(self) -> frozenset[int]:
        return frozenset()

    def moves(self, men: frozenset[int]) -> list[tuple[str, frozenset[int]]]:
        cells = list(range(10))
        random.shuffle(cells)
        return [(str(cell), men ^ {cell}) for cell in cells]


def test_the_order_of_moves_is_not_compared() -> None:
    solution = rs.solve(Looped())
    assert len(solution) == 1024 > exploring.MIN_CALLS
    rs.verify(solution)


@pytest.mark.parametrize(
    "text", ["tictactoe", "nogo:rows=2,columns=4", "hexapawn", "foxhounds-plain:n=6", "stones:n=900"]
)
def test_built_in_plain_games_are_proven_by_some_calls_of_their_rules(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = parse_game(text)
    solution = rs.solve(game)
    calls: list[Any] = []
    targets_of = exploring.targets_of

    def counted(game: rs.Game, position: Any) -> list[Any]:
        calls.append(position)
        return targets_of(game, position)

    monkeypatch.setattr(exploring, "targets_of", counted)
    report = rs.verify(solution)
    most = max(exploring.MIN_CALLS, len(solution) // exploring.SHARE)
    assert report.rules_called_again == min(most, len(solution))
    # Walks come to some positions more than once; where the game ends, there is no call of moves.
    assert 0 < len(set(calls)) <= report.rules_called_again
    assert len(calls) <= most * 3 // 2 + exploring.CALLED_TWICE
    if len(solution) <= exploring.MIN_CALLS:
        assert set(calls) == {p for p in solution if game.terminal(p) is None}


# -- rules that change, graphs that have too much --------------------------------------------------------


class Flips(rs.Game):
    """A path of 3,001 positions, at one of which the rules begin to say something else."""

    changed = False

    def start(self) -> int:
        return 0

    def moves(self, n: int) -> list[int]:
        return [n + 2] if n == 1777 and self.changed else [k for k in (n + 1, n + 2) if k <= 3000]


def test_a_sample_is_called_and_only_a_full_proof_calls_the_rules_everywhere() -> None:
    game = Flips()
    solution = rs.solve(game)
    game.changed = True
    report = rs.verify(solution)
    assert (report.positions, report.rules_called_again) == (3001, 512)
    with pytest.raises(rs.VerificationError, match="1777"):
        rs.verify(solution, full=True)
    game.changed = False
    assert rs.verify(solution, full=True).rules_called_again == 3001
    assert rs.verify(solution).rules_called_again == 512
    assert solution.proven == Proven(3001, 3001)  # what has been proven stays so


def test_rules_are_not_called_again_where_nothing_was_explored() -> None:
    for subject in (rs.Graph.from_edges(["a"], ["b"]), rs.game("chess:KRK,board=3")):
        solution = rs.solve(subject)
        assert rs.verify(solution, full=True).rules_called_again is None
        assert solution.proven == Proven(len(solution), None)


# -- saved solutions, parts, and the command line ---------------------------------------------------------


def test_saved_solutions_are_compared_with_their_rules(tmp_path: Path) -> None:
    game = Counts(2000)
    rs.solve(game).save(tmp_path / "saved")
    with rs.open(tmp_path / "saved", game=game) as opened:
        rs.verify(copy.copy(opened))
        game.size = 1990
        with pytest.raises(rs.VerificationError):
            rs.verify(opened)
        assert not opened.verified


def test_saved_solutions_say_at_how_many_positions_their_rules_were_called(tmp_path: Path) -> None:
    solution = rs.solve(Counts(2000))
    proofs = [None, Proven(2000, 512), Proven(2000, 2000)]
    for proof in proofs:
        if proof is not None:
            rs.verify(solution, full=proof.rules_called_again == 2000)
        solution.save(tmp_path / "saved")
        with rs.open(tmp_path / "saved", game=Counts(2000)) as opened:
            assert solution.proven == opened.proven == copy.copy(opened).proven == proof
    # A file of an earlier release does not say where the rules were called.
    reseal(tmp_path / "saved", lambda _, record: record.pop("rules_called_again"))
    with rs.open(tmp_path / "saved", game=Counts(2000)) as opened:
        assert (opened.proven, opened.verified) == (None, False)


def test_a_full_proof_on_the_command_line_calls_the_rules_at_each_position(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = f"{tmp_path}/path.py:Path"
    (tmp_path / "path.py").write_text(
        "import retrosolve as rs\n\n\n"
        "class Path(rs.Game):\n"
        "    def start(self):\n        return 0\n\n"
        "    def moves(self, n):\n        return [n + 1] if n < 999 else []\n"
    )
    for options, called in ([], 512), (["--full"], 1000):
        sentence = f"all 1,000 positions proven; rules called again at {called:,} of 1,000"
        assert run(["solve", rules, "-o", f"{tmp_path}/saved", "--json", *options]) == 0
        record = json.loads(capsys.readouterr().out)
        assert (record["verified"], record["rules_called_again"]) == (True, called)
        assert run(["stats", f"{tmp_path}/saved"]) == 0
        assert capsys.readouterr().out.endswith(f"{sentence}\n")
        assert run(["verify", rules, *options]) == 0
        assert capsys.readouterr().out == f"{sentence}\n"
