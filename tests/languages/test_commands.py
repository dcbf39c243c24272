"""``--language``: what commands print in the reader's words, and JSON that stays as it is."""

import json
import re
from pathlib import Path

import matplotlib
import pytest

from retrosolve.cli import run
from retrosolve.languages import DEFAULT, LANGUAGES, translation
from tests.cli.test_play import answers

OTHERS = [code for code in LANGUAGES if code != DEFAULT]
ENGLISH = re.compile(
    r"\b(positions?|plies|ply|win|loss|tie|draw|moves?|first|all|longest|value|remoteness|perfect|"
    r"policeman|thief|stay|verified|proven|example|player|wins|loses|time|seconds|better|worse|even|open|"
    r"exactly|known|within)\b",
    re.IGNORECASE,
)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(list(arguments)) == 0
    text = capsys.readouterr().out
    assert not re.search(r"\\[ux]", text)  # no mark of direction, no blank is shown as an escape
    return text


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize(
    ("command", "game"),
    [
        ("solve", "stones:n=5"),
        ("stats", "stones:n=5"),
        ("explain", "stones:n=5"),
        ("solve", "pig:goal=3"),
        ("stats", "pig:goal=3"),
    ],
)
def test_a_command_prints_no_english_word(
    command: str, game: str, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = printed(capsys, command, game, "--language", code)
    assert not [line for line in text.splitlines() if ENGLISH.search(line)]


def test_solve_prints_moves_positions_and_numbers_in_russian(
    boards: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = printed(capsys, "solve", str(boards / "caught.txt"), "--language", "ru", "--table", "1")
    assert "ВЫИГРЫШ для того, кто ходит первым: полицейский; до конца 17 полуходов" in text
    assert "1. полицейский: вверх влево  ->  полицейский 6,7, вор 3,2, ход: вор" in text
    assert re.search(r"чтение \d+,\d{3} с, решение", text)
    assert not ENGLISH.search(text.replace("--table all", ""))


def test_persian_numbers_are_in_persian_digits(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "stats", "stones:n=5", "--language", "fa")
    assert re.search("^همه +۴ +۲ +۰ +۰$", text, re.MULTILINE)
    assert "۱. برداشتن ۲" in text


def test_the_language_of_the_environment_leaves_json_as_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = json.loads(printed(capsys, "stats", "stones:n=5", "--json"))
    monkeypatch.setenv("RETROSOLVE_LANGUAGE", "tr")
    assert json.loads(printed(capsys, "stats", "stones:n=5", "--json")) == plain
    assert "En uzun kazanış" in printed(capsys, "stats", "stones:n=5")


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["histogram", "levels", "tiers", "history", "graph"])
def test_a_plot_is_labelled_in_the_language(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(matplotlib.rcParams, "svg.fonttype", "none")
    path = tmp_path / f"{kind}.svg"
    printed(capsys, "plot", "stones:n=5", str(path), "--kind", kind, "--language", "ru")
    words = re.findall(r"<text [^>]*>([^<]+)</text>", path.read_text("utf-8"))
    assert translation("ru").gettext("win") in " ".join(words)
    assert not [word for word in words if ENGLISH.search(word)]


def test_moves_are_shown_and_typed_in_the_language(
    boards: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = (str(boards / "caught.txt"), "--side", "both")
    shown = answers(capsys, monkeypatch, "вверх влево\nstay\n1\nq", *board, "--language", "ru")
    assert "полицейский: вверх влево" in shown
    assert "вор: остаться на месте" in shown
    assert "полицейский 6,7, вор 3,2, ход: вор" in shown
    assert not ENGLISH.search(shown)
    shown = answers(capsys, monkeypatch, "۲\nq", "stones:n=5", "--side", "both", "--language", "fa")
    assert ": برداشتن ۱" in shown


@pytest.mark.parametrize(
    ("game", "board"),
    [
        ("chess:KRK,board=4", [" 4 ....", " 3 ....", " 2 R...", " 1 K.k.", "   abcd"]),
        ("tictactoe", ["   123", " 1 ...", " 2 ...", " 3 ..."]),
        ("connect4:rows=2,columns=3,connect=2", ["  ...", "  ...", "  abc"]),
        ("foxhounds:n=4", [" 4 .F", " 3 ..", " 2 ..", " 1 HH"]),
    ],
)
def test_squares_are_named_round_the_board(
    game: str,
    board: list[str],
    interpreted: None,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = answers(capsys, monkeypatch, "q", game, "--no-values")
    assert shown.splitlines()[: len(board)] == board


def test_columns_of_two_digits_stand_upright(
    boards: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = answers(capsys, monkeypatch, "q", str(boards / "caught.txt"), "--no-values")
    lines = shown.splitlines()
    assert lines[:3] == [" " * 13 + "1", "    1234567890", "  1 .........."]
    assert lines[11] == " 10 .E.....*.."
