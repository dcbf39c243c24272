"""A solution of a game that is saved and opened again answers as before, with its rules."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.games import GAMES, parse_game
from tests.support.saved import reseal

pytestmark = pytest.mark.thorough

SMALL = {
    "chess": "chess:KRK,board=5",
    "foxhounds": "foxhounds:n=4",
    "connect4": "connect4:rows=3,columns=4,connect=3",
    "queenpawns": "queenpawns:n=4",
    "morris6": "morris6:men=3",
    "lgame": "lgame:symmetry=yes",
    "cops": "cops:cops=2",
    "baghchal": "baghchal:size=3,goats=5,captures=2",
    "musketeers": "musketeers:size=3",
}
LARGE = {"dobutsu", "morris9", "teeko"}  # solved by the tests of these games

RULES = """
import retrosolve as rs


class Heap(rs.Game):
    def __init__(self, n=10, take=(1, 2)):
        self.n, self.take = n, take

    def start(self):
        return self.n

    def moves(self, n):
        return [(f"take {k}", n - k) for k in self.take if k <= n]

    def svg(self, n):
        return f"<svg><text>{n}</text></svg>"
"""


def positions(solution: rs.Solution, game: Any, count: int = 30) -> list[Any]:
    """Some positions of the solution, and others that play alike."""
    found = list(solution)
    rng = random.Random(1)
    found = rng.sample(found, min(count, len(found)))
    targets = [
        target
        for position in found
        if not is_over(solution, position)
        for _, target in solution.space.moves(position)
    ]
    return found + rng.sample(targets, min(3 * count, len(targets)))


def assert_answers_alike(opened: rs.Solution, solution: rs.Solution, game: Any) -> None:
    not_canonical = 0
    for position in positions(solution, game):
        assert opened[position] == solution[position]
        assert opened.moves(position) == solution.moves(position)
        assert opened.space.text(position) == solution.space.text(position)
        assert opened.space.svg(position) == solution.space.svg(position)
        indices = solution.space.summands(position)
        not_canonical += len(indices) == 1 and solution.space.position(indices[0]) != position
    if "symmetry" in str(getattr(game, "_made_with", "")):
        assert not_canonical > 0
    assert opened.start == solution.start
    assert opened.counts() == solution.counts()
    assert opened.longest() == solution.longest()
    assert opened.counts_by_player() == solution.counts_by_player()
    assert (opened.stuck, opened.solver, opened.num_edges) == (
        solution.stuck,
        solution.solver,
        solution.num_edges,
    )


def is_over(solution: rs.Solution, position: Any) -> bool:
    """Whether the game ends here, so that the rules are not asked for moves."""
    v = solution.space.summands(position)[0]
    return bool(solution.space.terminal(v, v + 1)[0])


@pytest.mark.long(but=1)
@pytest.mark.parametrize(
    ("stuck", "name"),
    [("loss", name) for name in GAMES if name not in LARGE]
    + [("tie", name) for name in ("stones", "police", "tictactoe", "chess")],
)
def test_every_built_in_game_answers_as_before(stuck: str, name: str, tmp_path: Path) -> None:
    game = parse_game(SMALL.get(name, name))
    solution = rs.solve(game, stuck=stuck)
    solution.save(tmp_path / "s")
    kept = {path.name for path in (tmp_path / "s").rglob("*")}
    assert not kept & {"indptr", "indices", "names.json"}
    opened = rs.open(tmp_path / "s")
    assert_answers_alike(opened, solution, game)
    rs.verify(opened)
    assert_answers_alike(rs.open(tmp_path / "s", game=game), solution, game)


def test_a_board_without_remoteness(tmp_path: Path) -> None:
    game = parse_game("police")
    solution = rs.solve(game, objective="win-loss-draw")
    solution.save(tmp_path / "s")
    opened = rs.open(tmp_path / "s")
    assert_answers_alike(opened, solution, game)
    rs.verify(opened)


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "heap.py"
    path.write_text(RULES)
    return path


def heap(path: Path, *args: Any) -> Any:
    from retrosolve.runtime.sources import load_module

    return load_module(path).Heap(*args)


@pytest.mark.parametrize("args", [(), (12,), (9, (2, 3))])
def test_rules_from_a_file_are_loaded_again(rules: Path, args: tuple[Any, ...], tmp_path: Path) -> None:
    game = heap(rules, *args)
    solution = rs.solve(game)
    solution.save(tmp_path / "s")
    assert_answers_alike(rs.open(tmp_path / "s", trust_rules=True), solution, game)


def test_rules_that_are_gone_or_have_changed_are_told(rules: Path, tmp_path: Path) -> None:
    game = heap(rules)
    solution = rs.solve(game)
    solution.save(tmp_path / "s")
    shutil.copy(rules, tmp_path / "kept.py")
    rules.write_text(RULES + "\n# another line\n")
    with pytest.raises(rs.StoreError, match=r"heap\.py have changed since they were saved: .*game="):
        rs.open(tmp_path / "s", trust_rules=True)
    rules.unlink()
    with pytest.raises(rs.StoreError, match=r"heap\.py are gone: .*game="):
        rs.open(tmp_path / "s", trust_rules=True)
    assert rs.open(tmp_path / "s", check=True).counts() == solution.counts()
    assert_answers_alike(rs.open(tmp_path / "s", game=game), solution, game)
    with pytest.raises(rs.StoreError, match=r"saved for Heap\(\) and opened with Heap\(\w+=11\)"):
        rs.open(tmp_path / "s", game=heap(tmp_path / "kept.py", 11))


def test_a_program_that_opens_a_solution_of_its_own_rules_is_not_run_for_ever(tmp_path: Path) -> None:
    program, lines = tmp_path / "program.py", tmp_path / "runs"
    program.write_text(
        f"{RULES}\nwith open({str(lines)!r}, 'a') as file:\n    file.write('run\\n')\n"
        f"solution = rs.solve(Heap(), out={str(tmp_path / 's')!r})\n"
        f"print(rs.open({str(tmp_path / 's')!r}, trust_rules=True).moves(2))\n"
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].endswith(
        f"StoreError: {program} opens a solution of its own rules whenever it is run to load them: "
        'expected that below if __name__ == "__main__": or with game='
    )
    assert lines.read_text() == "run\nrun\n"


def test_a_game_of_other_arguments_is_told_with_both(tmp_path: Path) -> None:
    rs.solve(rs.game("stones:n=12")).save(tmp_path / "s")
    message = r"saved for Stones\(n=12\) and opened with Stones\(n=13\): expected the same$"
    with pytest.raises(rs.StoreError, match=message):
        rs.open(tmp_path / "s", game=rs.game("stones:n=13"))
    assert rs.open(tmp_path / "s", game=rs.game("stones:n=12"))[4] == (rs.Value.WIN, 3)


TURNED = """
import retrosolve as rs

backwards = False


class Heap(rs.Game):
    def start(self):
        return (3, 1)

    def moves(self, position):
        a, b = position
        targets = [(a - 1, b)] * (a > 0) + [(a, b - 1)] * (b > 0)
        return [(str(t), t) for t in (targets[::-1] if backwards else targets)]
"""


def test_another_order_of_moves_is_named_as_a_cause(tmp_path: Path) -> None:
    (tmp_path / "pairs.py").write_text(TURNED)
    game = heap(tmp_path / "pairs.py")
    rs.solve(game).save(tmp_path / "s")
    sys.modules[type(game).__module__].backwards = True  # type: ignore[attr-defined]
    with pytest.raises(rs.StoreError, match="in another order, as an order that depends on a set does"):
        rs.open(tmp_path / "s", game=game)[(1, 1)]


HELPED = """
import retrosolve as rs
from helper_of_heaps import largest


class Heap(rs.CompiledGame):
    max_moves = 3
    size = 30

    def start(self):
        return 20

    @staticmethod
    def rank(position, data):
        return position

    @staticmethod
    def unrank(index, data):
        return index

    @staticmethod
    def successors(position, out, data):
        count = min(position, largest(0))
        for k in range(count):
            out[k] = position - k - 1
        return count
"""


def test_rules_whose_helper_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "helper_of_heaps.py").write_text("def largest(_):\n    return 2\n")
    path = tmp_path / "heap.py"
    path.write_text(HELPED)
    rs.solve(heap(path)).save(tmp_path / "s")
    assert rs.open(tmp_path / "s", trust_rules=True)[4] == (rs.Value.WIN, 3)
    helper = __import__("helper_of_heaps")
    monkeypatch.setattr(helper, "largest", lambda _: 3)
    opened = rs.open(tmp_path / "s", trust_rules=True)  # the file of the rules is as it was
    assert opened.counts()[rs.Value.WIN] == 20
    with pytest.raises(rs.StoreError, match="now lead to other positions or moves"):
        opened[4]


def test_a_game_that_cannot_be_made_again(tmp_path: Path) -> None:
    class Local(rs.Game):
        def start(self) -> int:
            return 3

        def moves(self, n: int) -> list[tuple[str, int]]:
            return [("one less", n - 1)] if n else []

    solution = rs.solve(Local())
    solution.save(tmp_path / "s")
    with pytest.raises(rs.StoreError, match=r"inside a function: expected open\(\.\.\., game=\.\.\.\)"):
        rs.open(tmp_path / "s")[3]
    assert rs.open(tmp_path / "s", check=True).counts() == solution.counts()
    assert_answers_alike(rs.open(tmp_path / "s", game=Local()), solution, Local())


@pytest.mark.parametrize("name", ["os:system", "retrosolve.solving:solve", "builtins:eval"])
def test_a_manifest_calls_nothing_but_games(name: str, rules: Path, tmp_path: Path) -> None:
    rs.solve(heap(rules)).save(tmp_path / "s")
    module, function = name.split(":")

    def change(_: Path, manifest: dict[str, Any]) -> None:
        manifest["space"] |= {"module": module, "name": function, "arguments": {}}

    reseal(tmp_path / "s", change)
    with pytest.raises(rs.StoreError, match=r"the module '.*' is not .* any more|is no class of games"):
        rs.open(tmp_path / "s", trust_rules=True).space  # noqa: B018


def test_the_solution_of_a_graph_takes_no_game(tmp_path: Path) -> None:
    rs.solve(rs.Graph.from_edges([0], [1])).save(tmp_path / "s")
    with pytest.raises(rs.StoreError, match="without game="):
        rs.open(tmp_path / "s", game=parse_game("stones"))
    rs.solve(parse_game("stones")).save(tmp_path / "t")
    for game in (7, rs.Game):
        with pytest.raises(rs.StoreError, match="made by its class"):
            rs.open(tmp_path / "t", game=game)
