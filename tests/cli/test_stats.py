"""``stats`` and ``compare``, and ``verify`` of a saved solution that is damaged."""

import re
from pathlib import Path

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.tables import ArrayTable
from tests.support.commands import Shell


def test_stats_of_a_saved_solution(sh: Shell) -> None:
    sh("solve stones -o stones")
    text = sh("stats stones --digest --plies 2")
    size = sum(path.stat().st_size for path in Path("stones").rglob("*") if path.is_file())
    digest = rs.solve(rs.game("stones")).digest()
    assert text == (
        "positions       win  loss  tie  draw\n"
        "all               7     4    0     0\n"
        "longest, plies    7     6    -     -\n"
        "value  remoteness  positions  example\n"
        "win             1          2  2\n"
        "win             3          2  5\n"
        "win             5          2  8\n"
        "win             7          1  10\n"
        "loss            0          1  0\n"
        "loss            2          1  3\n"
        "loss            4          1  6\n"
        "loss            6          1  9\n"
        "The longest win, from 10:\n"
        "    1. take 1  ->  9  (LOSS in 6)\n"
        "    2. take 1  ->  8  (WIN in 5)\n"
        f"{size} bytes, {8 * size / 11:.3f} bits a position\n"
        "all 11 positions proven; rules called again at 11 of 11\n"
        f"digest {digest}\n"
    )
    assert sh.json("stats stones") == {
        "positions": 11,
        "counts": {"win": 7, "loss": 4, "tie": 0, "draw": 0},
        "counts_by_player": None,
        "longest": {"win": 7, "loss": 6, "tie": 0},
        "histogram": {
            "win": {"1": 2, "3": 2, "5": 2, "7": 1}, "loss": {"0": 1, "2": 1, "4": 1, "6": 1},
            "tie": {}, "draw": {},
        },
        "examples": {
            "win": {"1": 2, "3": 5, "5": 8, "7": 10}, "loss": {"0": 0, "2": 3, "4": 6, "6": 9},
            "tie": {}, "draw": {},
        },
        "bytes": size,
        "bits_per_position": round(8 * size / 11, 4),
        "verified": True,
        "rules_called_again": 11,
        "digest": digest,
    }  # fmt: skip


def test_stats_of_what_is_solved_first(sh: Shell) -> None:
    record = sh.json("stats police --objective win-loss-draw")
    assert record["histogram"]["win"] == {"null": 739}
    assert (record["bytes"], record["longest"]) == (None, None)
    assert len(record["digest"]) == 64


def test_mutual_zugzwangs(sh: Shell) -> None:
    solution = rs.solve(rs.game("chess:KRKN,board=3"))
    found = list(solution.zugzwangs())
    assert len(found) == 2
    for pair in found:
        first, second = map(solution.space.text, pair)
        assert first.split()[0] == second.split()[0]
        assert (solution[pair[0]].value, solution[pair[1]].value) == (rs.Value.LOSS, rs.Value.TIE)
    text = sh("stats chess:KRKN,board=3 --zugzwangs")
    assert "\n2 mutual zugzwangs\n  " in text
    assert re.search(r"\ntier +positions .* zugzwangs\n(.*\n){3}KRKN .* 2\n", text)
    assert re.search(r"\nKK +5 +0 +0 +5 +0 +- +- +0\n", text)  # nobody wins
    record = sh.json("stats chess:KRKN,board=3 --zugzwangs")
    assert record["mutual_zugzwangs"]["count"] == len(record["mutual_zugzwangs"]["examples"]) == 2
    assert [tier["mutual_zugzwangs"] for tier in record["tiers"].values()][-1] == 2
    assert list(record["tiers"]) == ["KK", "KRK", "KNK", "KRKN"]
    assert sum(tier["positions"] for tier in record["tiers"].values()) == record["positions"]
    longest = [tier["longest"]["win"] for tier in record["tiers"].values()]
    assert max(longest) == longest[-1] == record["longest"]["win"]


class Duel(rs.Game):
    """Who must step first loses: at 0 and 1 both players lose with the move, at 2 nobody does."""

    def starts(self) -> list[tuple[int, int]]:
        return [(n, side) for n in range(3) for side in (0, 1)]

    def player(self, position: tuple[int, int]) -> int:
        return position[1]

    def moves(self, position: tuple[int, int]) -> list[tuple[str, tuple[int, int]]]:
        n, side = position
        return [] if n == 0 else [("step", (n - 1 if n == 2 else n, 1 - side))]

    def null_move(self, position: tuple[int, int]) -> tuple[int, int] | None:
        return None if position[0] == 2 else (position[0], 1 - position[1])


def test_mutual_zugzwangs_of_plain_rules() -> None:
    assert list(rs.solve(Duel()).zugzwangs()) == [((0, 0), (0, 1))]


def test_the_same_game_in_another_form_is_equal(sh: Shell) -> None:
    sh("solve hexapawn -o saved")
    sh("convert hexapawn t.csv --solve", err=True)
    assert sh("compare t.csv hexapawn") == "equal: 135 positions\n"
    assert sh.json("compare saved saved") == {
        "equal": True, "positions": 135, "missing": 0, "values": 0, "remoteness": 0, "first": None,
    }  # fmt: skip


def test_every_kind_of_difference(sh: Shell) -> None:
    graph = rs.Graph.from_edges([0, 1, 2], [1, 2, 3], names=["a", "b", "c", "d"])
    solution = rs.solve(graph)
    solution.save("s")
    value, remoteness = solution.table.values().copy(), solution.remoteness().copy()
    value[1], remoteness[2] = rs.Value.WIN, 3
    rs.Solution(graph, ArrayTable(value, remoteness)).save("t")
    assert sh("compare s t", status=1) == (
        "positions                      4\n"
        "positions of one of them only  0\n"
        "other values                   1\n"
        "same value, other remoteness   1\n"
        "The first difference is b: LOSS in 2 in the first, WIN in 2 in the second\n"
    )
    record = sh.json("compare s t", status=1)
    assert (record["values"], record["remoteness"], record["missing"]) == (1, 1, 0)
    assert record["first"] == {"position": "b", "outcomes": ["LOSS in 2", "WIN in 2"]}


@pytest.mark.parametrize("order", [1, -1])
def test_positions_of_one_of_them_only(order: int, sh: Shell) -> None:
    record = sh.json(f"compare {' '.join(['stones', 'stones:n=12'][::order])}", status=1)
    assert record == {
        "equal": False, "positions": 13, "missing": 2, "values": 0, "remoteness": 0,
        "first": {"position": 12, "outcomes": ["no position", "LOSS in 8"][::order]},
    }  # fmt: skip


def test_verify_reads_what_opening_does_not(sh: Shell) -> None:
    sh("solve stones -o stones")
    path = Path("stones/table/zarr.json")
    data = path.read_bytes()
    path.write_bytes(data.replace(b"3", b"4", 1))
    assert len(rs.open("stones")) == 11
    sh("verify stones", status=2)
    assert "stones/table/zarr.json is damaged" in sh.err
    path.write_bytes(data)
    assert sh("verify stones") == "all 11 positions proven; rules called again at 11 of 11\n"


def test_verify_finds_a_wrong_value(sh: Shell) -> None:
    wrong = ArrayTable(np.array([2, 2], np.uint8), np.array([0, 0], np.int32))
    rs.Solution(rs.Graph.from_edges([0], [1]), wrong).save("s")
    sh("verify s", status=1, err=True)
