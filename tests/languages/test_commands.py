"""``--language``: what commands print in the reader's words, and JSON that stays as it is."""

import re
from pathlib import Path

import matplotlib
import pytest

from retrosolve.languages import DEFAULT, LANGUAGES, translation
from tests.support.commands import Shell

ENGLISH = re.compile(
    r"\b(positions?|plies|ply|win|loss|tie|draw|moves?|first|all|longest|value|remoteness|perfect|"
    r"policeman|thief|stay|verified|proven|example|player|wins|loses|time|seconds|better|worse|even|open|"
    r"exactly|known|within)\b",
    re.IGNORECASE,
)


def printed(sh: Shell, line: str, *typed: str) -> str:
    text = re.sub(r"\x1b\[\d*m", "", sh(line, stdin="\n".join(typed)))
    assert not re.search(r"\\[ux]", text)  # no mark of direction, no blank is shown as an escape
    return text


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != DEFAULT])
def test_commands_print_no_english_word(code: str, sh: Shell) -> None:
    for line in (
        "solve stones:n=5",
        "stats stones:n=5",
        "explain stones:n=5",
        "solve pig:goal=3",
        "stats pig:goal=3",
    ):
        text = printed(sh, f"{line} --language {code}")
        assert not [shown for shown in text.splitlines() if ENGLISH.search(shown)], line


def test_solve_prints_moves_positions_and_numbers_in_russian(sh: Shell) -> None:
    text = printed(sh, "solve examples/boards/caught.txt --language ru --table 1")
    assert "ВЫИГРЫШ для того, кто ходит первым: полицейский; до конца 17 полуходов" in text
    assert "1. полицейский: вверх влево  ->  полицейский 6,7, вор 3,2, ход: вор" in text
    assert re.search(r"чтение \d+,\d{3} с, решение", text)
    assert not ENGLISH.search(text.replace("--table all", ""))


def test_persian_numbers_are_in_persian_digits(sh: Shell) -> None:
    text = printed(sh, "stats stones:n=5 --language fa")
    assert re.search("^همه +۴ +۲ +۰ +۰$", text, re.MULTILINE)
    assert "۱. برداشتن ۲" in text


def test_the_language_of_the_environment_leaves_json_as_it_is(
    sh: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ("stats stones:n=5", "probe stones")
    plain = [sh.json(line) for line in lines]
    monkeypatch.setenv("RETROSOLVE_LANGUAGE", "fa")
    assert [sh.json(line) for line in lines] == plain
    assert "می\u200cتوان" in printed(sh, "explain examples/token.csv")  # joiners stay
    assert "En uzun kazanış" in printed(sh, "stats stones:n=5 --language tr")


@pytest.mark.parametrize("kind", ["histogram", "levels", "tiers", "history", "graph"])
def test_a_plot_is_labelled_in_the_language(
    kind: str, sh: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(matplotlib.rcParams, "svg.fonttype", "none")
    printed(sh, f"plot stones:n=5 plot.svg --kind {kind} --language ru")
    words = re.findall(r"<text [^>]*>([^<]+)</text>", Path("plot.svg").read_text("utf-8"))
    assert translation("ru").gettext("win") in " ".join(words)
    assert not [word for word in words if ENGLISH.search(word)]


def test_moves_are_shown_and_typed_in_the_language(sh: Shell) -> None:
    line = "play examples/boards/caught.txt --side both --language ru"
    shown = printed(sh, line, "вверх влево", "stay", "1", "q")
    for text in (
        "полицейский: вверх влево",
        "вор: остаться на месте",
        "полицейский 6,7, вор 3,2, ход: вор",
    ):
        assert text in shown
    assert not ENGLISH.search(shown)
    assert ": برداشتن ۱" in printed(sh, "play stones:n=5 --side both --language fa", "۲", "q")
