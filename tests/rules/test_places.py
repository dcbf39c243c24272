"""Errors of compiled rules name the line of the author's code, also where numba raises or compiles."""

from pathlib import Path
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.compilation.complaints import complaint
from retrosolve.rules import indexing
from retrosolve.rules.contract import CompiledGame
from retrosolve.runtime import tuning
from retrosolve.runtime.sources import error_place, function_place, place_text
from tests.support.marks import COMPILED


class Dividing(CompiledGame):
    max_moves, size = 1, 100

    @staticmethod
    def successors(position, out, data):
        out[0] = position - 1 + 5 // (position - 97) * 0
        return min(position, 1)


def halve(position):
    return position.halved


class Untyped(Dividing):
    @staticmethod
    def successors(position, out, data):
        out[0] = halve(position)
        return 1


class Unnamed(Dividing):
    @staticmethod
    def successors(position, out, data):
        out[0] = no_such_name  # noqa: F821
        return 1


class Unsupported(Dividing):
    @staticmethod
    def successors(position, out, data):
        with open("name") as file:
            out[0] = file
        return 1


def line_of(text: str) -> int:
    """The number of the first line of this file that contains a text, from 1."""
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    return next(at for at, line in enumerate(lines, 1) if text in line)


@COMPILED
def test_compiled_code_that_divides_by_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    """numba does not say where: the position is found by bisection and asked again in plain Python."""
    monkeypatch.setattr(indexing, "smoke_test", lambda game: None)
    line = line_of("5 // (position - 97)")
    with (
        tuning.using(compile_from=0),
        pytest.raises(rs.RulesError, match=rf"Dividing raised ZeroDivisionError: .*, line {line}\)$"),
    ):
        rs.solve(Dividing())


@COMPILED
@pytest.mark.parametrize(
    ("game", "line", "sentence"),
    [
        (Untyped, line_of("position.halved"), "Unknown attribute 'halved' of type int64"),
        (Unnamed, line_of("class Unnamed") + 1, "NameError: name 'no_such_name' is not defined"),
        (Unsupported, line_of("class Unsupported") + 1, "The 'with "),
    ],
)
def test_what_numba_cannot_compile(game: type[CompiledGame], line: int, sentence: str) -> None:
    """Just one kernel is tried: none of them compiles."""
    space = indexing.indexed_space(game())
    with (
        tuning.using(compile_from=0),
        pytest.raises(rs.RulesError, match=rf"cannot be compiled: {sentence}.*, line {line}\)$"),
    ):
        space.terminal(0, space.num_vertices)


def test_what_has_no_file_has_no_place() -> None:
    names: dict[str, Any] = {}
    exec(compile("def rule():\n    return 1 // 0", "<string>", "exec"), names)
    assert function_place(names["rule"]) == ""
    with pytest.raises(ZeroDivisionError) as caught:
        names["rule"]()
    assert error_place(caught.value.with_traceback(caught.tb.tb_next)) == ""
    assert complaint(ValueError("no place"), ()) == "no place"
    assert function_place(rs.solve) == function_place(None) == ""


def test_a_path_below_the_working_folder_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    here = Path(__file__)
    monkeypatch.chdir(here.parent)
    assert place_text(str(here), 3) == f" ({here.name}, line 3)"
    monkeypatch.chdir("/")
    assert place_text(str(here), 3) == f" ({str(here).removeprefix('/')}, line 3)"
