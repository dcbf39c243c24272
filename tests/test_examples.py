"""The examples run and say what they promise, and the tutorial is one of them."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import retrosolve as rs
from retrosolve.rules.indexing import RULES
from tests.support.pages import blocks, run_block
from tests.support.published import figures

ROOT = Path(__file__).parent.parent


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{name}", ROOT / "examples" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_cat_and_mouse_as_judged() -> None:
    for graph, answer in figures("judge-lc913").items():
        assert example("cat_and_mouse").judge(json.loads(graph)) == answer


def test_berzerk_as_judged() -> None:
    for text, answer in figures("judge-cf787c").items():
        size, first, second = (list(map(int, part.split())) for part in text.split("|"))
        judged = example("berzerk").judge(size[0], first[1:], second[1:])
        assert list(judged) == answer


@pytest.mark.long("kono*")
@pytest.mark.parametrize(
    ("name", "given", "printed"),
    [
        ("stones", "", "WIN in 7 by ['take 1']\n"),
        ("carry", "", "WIN in 9 by ['carry 3 to 1']\nWIN in 9 to ['6+3+0']\n53 53\n"),
        ("cat_and_mouse", "", "0\n"),
        ("kono", "", "24090 1929 WIN in 11\nTrue\n"),
        ("sliding", "", "360 positions, at most 21 moves\nSlide 1 2 3\n"),
        ("berzerk", "5\n2 3 2\n3 1 2 3\n", "Lose Win Win Loop\nLoop Win Win Win\n"),
    ],
)
def test_examples_run_as_programs(name: str, given: str, printed: str) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / f"{name}.py")],
        input=given,
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == (printed, "")


TUTORIAL = (ROOT / "docs" / "tutorial-rules.md").read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.usefixtures("alone")
def test_tutorial_is_one_program_and_the_example(capsys: pytest.CaptureFixture[str]) -> None:
    """From top to bottom; and what it makes step by step is what ``examples/carry.py`` has."""
    names: dict[str, Any] = {"__name__": "tutorial"}
    for block in blocks(TUTORIAL, "python"):
        run_block(block, names, capsys)
    carry = example("carry")
    ours = {"moves": names["Carry"], "canonical": names["Sorted"]}
    for rule, kind in ours.items():
        assert code(vars(kind)[rule]) == code(vars(carry.Carry)[rule])
    for rule in set(RULES) & set(vars(carry.CompiledCarry)):
        assert code(getattr(names["Tiered"], rule)) == code(getattr(carry.CompiledCarry, rule))
    large, same = names["Large"](), carry.CompiledCarry((10, 10, 10, 10))
    assert (large.size, large.tiers, large.max_moves) == (same.size, same.tiers, same.max_moves)


def code(function: Any) -> tuple[bytes, tuple[str, ...], tuple[Any, ...]]:
    held = function.__code__
    return held.co_code, held.co_names, held.co_consts


LEAP = ("Leap", "Explored", "Ranked", "Symmetric", "Tabled")


@pytest.mark.long
def test_forms_of_leap_give_the_same_answers() -> None:
    leap = example("leap")
    solved = {name: rs.solve(getattr(leap, name)()) for name in LEAP}
    assert [len(solution) for solution in solved.values()] == [11536, 6604, 6799, 971, 928]
    for name in LEAP:
        rs.check_game(getattr(leap, name)(), samples=100)
    tabled = leap.Tabled()
    for text, outcome in solved["Leap"].items():
        assert solved["Tabled"][text] == outcome
        # The other forms do not tell who moves: the player to move is the lower set.
        mine, theirs = tabled.colours(tabled.parse(text))[:: 1 if text[-1] == "X" else -1]
        for name in ("Explored", "Ranked", "Symmetric"):
            assert solved[name][theirs << 9 | mine] == outcome


@pytest.mark.long
def test_neutreeko_is_a_draw() -> None:
    neutreeko = example("neutreeko")
    solution = rs.solve(neutreeko.Neutreeko())
    rs.verify(solution)
    assert (len(solution), solution[solution.start].value) == (434_500, rs.Value.DRAW)
    assert solution.longest()[rs.Value.WIN] == 51
    for form in ("PlainNeutreeko", "Neutreeko"):
        rs.check_game(getattr(neutreeko, form)(4, 4), samples=200)


@pytest.mark.long
def test_forms_of_neutreeko_give_the_same_answers() -> None:
    neutreeko = example("neutreeko")
    plain, tabled = (rs.solve(neutreeko.PlainNeutreeko(4, 4)), rs.solve(neutreeko.Neutreeko(4, 4)))
    assert (len(plain), len(tabled)) == (306_552, 19_253)
    assert np.array_equal(tabled.outcomes(list(plain)).value, plain.table.values())
    assert np.array_equal(tabled.outcomes(list(plain)).remoteness, plain.remoteness())


@pytest.mark.parametrize("form", ["PlainKono", "Kono"])
def test_kono_keeps_its_contract(form: str) -> None:
    kono = example("kono")
    rs.check_game(getattr(kono, form)(3, 3), samples=200)
