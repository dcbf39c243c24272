"""Errors of compiled rules name the file and the line of the author's code."""

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import retrosolve as rs
from retrosolve.compilation.complaints import complaint
from retrosolve.rules import indexing
from retrosolve.rules.contract import CompiledGame
from retrosolve.runtime import tuning
from retrosolve.runtime.sources import error_place, function_place, place_text
from tests.support.marks import COMPILED, THOROUGH


class Countdown(CompiledGame):
    max_moves = 1
    size = 100
    data = (0,)

    @staticmethod
    def successors(position, out, data):
        out[0] = position - 1
        return min(position, 1)


class Dividing(Countdown):
    @staticmethod
    def successors(position, out, data):
        out[0] = position - 1 + 5 // (position - 97) * 0
        return min(position, 1)


class Raising(Countdown):
    @staticmethod
    def successors(position, out, data):
        if position == 97:
            raise ValueError("too far")
        out[0] = position - 1
        return min(position, 1)


class BeyondATable(Countdown):
    @staticmethod
    def successors(position, out, data):
        out[0] = data[position // 90] + position - 1
        return min(position, 1)


class WronglyRanked(Countdown):
    @staticmethod
    def rank(position, data):
        return position // 2

    @staticmethod
    def unrank(index, data):
        return index


class TooManyMoves(Countdown):
    @staticmethod
    def successors(position, out, data):
        return 2 if position == 97 else 0


def halve(position):
    return position.halved


class Untyped(Countdown):
    @staticmethod
    def successors(position, out, data):
        out[0] = halve(position)
        return 1


class Unnamed(Countdown):
    @staticmethod
    def successors(position, out, data):
        out[0] = no_such_name  # noqa: F821
        return 1


class Unsupported(Countdown):
    @staticmethod
    def successors(position, out, data):
        with open("name") as file:
            out[0] = file
        return 1


LINES = Path(__file__).read_text(encoding="utf-8").splitlines()


def line_of(text: str) -> int:
    """The number of the one line of this file that contains a text, from 1; this is no such line."""
    found = [at for at, line in enumerate(LINES, 1) if text in line and "line_of" not in line]
    assert len(found) == 1, found
    return found[0]


def first_line(game: type[CompiledGame], rule: str) -> int:
    return inspect.getsourcelines(getattr(game, rule))[1]


def complaint_of(call: Callable[[], Any]) -> tuple[str, int]:
    """The sentence of the RulesError that a call raises, and the line of this file that it names."""
    with pytest.raises(rs.RulesError) as caught:
        call()
    sentence, _, place = str(caught.value).rpartition(" (")
    match = re.fullmatch(r"(.*), line (\d+)\)", place)
    assert match is not None, str(caught.value)
    assert Path(match[1]).resolve() == Path(__file__)
    return sentence, int(match[2])


@pytest.mark.parametrize(
    ("game", "line", "sentence"),
    [
        (Dividing, line_of("5 // (position - 97)"), r"Dividing\.successors\(97\) raised ZeroDivisionError"),
        (Raising, line_of('"too far"'), r"Raising\.successors\(97\) raised ValueError: too far"),
        (BeyondATable, line_of("position // 90"), r"BeyondATable\.successors\(9\d\) raised IndexError"),
        (WronglyRanked, first_line(WronglyRanked, "rank"), r"unrank\(\d+\) gave \d+, but rank\(\d+\) gave"),
        (TooManyMoves, first_line(TooManyMoves, "successors"), r"TooManyMoves\.successors\(97\) writes past"),
    ],
)  # fmt: skip
def test_check_game(game: type[CompiledGame], line: int, sentence: str) -> None:
    said, named = complaint_of(lambda: rs.check_game(game()))
    assert re.search(sentence, said)
    assert named == line


@pytest.mark.parametrize(
    ("game", "line", "sentence"),
    [
        (Dividing, line_of("5 // (position - 97)"), "the rules of Dividing raised ZeroDivisionError"),
        (Raising, line_of('"too far"'), "the rules of Raising raised ValueError: too far"),
        (TooManyMoves, first_line(TooManyMoves, "successors"), r"successors\(97\) gave 2: expected"),
    ],
)
def test_solving_in_plain_python(game: type[CompiledGame], line: int, sentence: str) -> None:
    said, named = complaint_of(lambda: rs.solve(game()))
    assert re.search(sentence, said)
    assert named == line


@THOROUGH
@COMPILED
def test_compiled_code_that_divides_by_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    """numba does not say where: the position is found by bisection and asked again in plain Python."""
    monkeypatch.setattr(indexing, "smoke_test", lambda game: None)
    with tuning.using(compile_from=0):
        said, named = complaint_of(lambda: rs.solve(Dividing()))
    assert said.startswith("the rules of Dividing raised ZeroDivisionError: ")
    assert named == line_of("5 // (position - 97)")


@COMPILED
@pytest.mark.parametrize(
    ("game", "line", "sentence"),
    [
        (Untyped, line_of("position.halved"), "Unknown attribute 'halved' of type int64"),
        (Unnamed, first_line(Unnamed, "successors"), "NameError: name 'no_such_name' is not defined"),
        (Unsupported, first_line(Unsupported, "successors"), "The 'with "),
    ],
)
def test_what_numba_cannot_compile(game: type[CompiledGame], line: int, sentence: str) -> None:
    """Just one kernel is tried: none of them compiles."""
    space = indexing.indexed_space(game())
    with tuning.using(compile_from=0):
        said, named = complaint_of(lambda: space.terminal(0, space.num_vertices))
    assert said.startswith(f"the rules of {game.__name__} cannot be compiled: {sentence}")
    assert named == line


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
