"""Names of moves and titles of pictures in other languages; notation stays as it is."""

import re
from gettext import NullTranslations
from html import unescape

import pytest

from retrosolve.games import parse_game
from retrosolve.languages import translation
from retrosolve.languages.phrases import (
    detail_text,
    outcome_text,
    phrase,
    title,
)
from retrosolve.objectives import LimitedValue, NimValue, Odds
from retrosolve.pursuit.police import PoliceAndThief
from retrosolve.values import Outcome
from retrosolve.web.phrasing import titled

RUSSIAN = translation("ru")
WRITTEN = [
    ("take 2", "взять 2"),
    ("up left", "вверх влево"),
    ("X at 1,3", "X на 1,3"),
    ("X from centre", "X с центр"),
    ("L to 1,2 1,3 2,3 3,3, neutral 1,1 to 4,4", "L на 1,2 1,3 2,3 3,3, нейтральная с 1,1 на 4,4"),
    ("Ra2-d2", "Ra2-d2"),
    ("d", "d"),
    ("", ""),
]


@pytest.mark.parametrize(("name", "expected"), WRITTEN)
def test_moves_that_are_words_are_translated_and_notation_is_not(name: str, expected: str) -> None:
    assert phrase(name, RUSSIAN) == expected
    assert phrase(name, NullTranslations()) == name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("c4: black king", "c4: чёрный король"),
        ("Policeman and thief: policeman 6,7, thief 3,2, thief to move",
         "Полицейский и вор: полицейский 6,7, вор 3,2, ход: вор"),
        ("Hexapawn: BBB/.../WWW white to move", "Шесть пешек: BBB/.../WWW, ход: белые"),
        ("Chess: 8/8/8/1k6 w, White to move", "Шахматы: 8/8/8/1k6 w, ход: белые"),
        ("a1", "a1"),
    ],
)  # fmt: skip
def test_titles_are_translated_but_for_positions(text: str, expected: str) -> None:
    assert title(text, RUSSIAN) == expected


def test_the_titles_of_a_picture_are_in_the_language_of_the_page() -> None:
    police = PoliceAndThief.from_text("P.\n.T")
    assert police.start() is not None
    picture = police.svg(police.start())
    assert picture is not None
    assert titled(picture, translation()) == picture
    titles = re.findall("<title>(.*?)</title>", titled(picture, RUSSIAN))
    assert unescape(titles[0]).startswith("Полицейский и вор: полицейский 1,1, вор 2,2")
    chess = parse_game("chess:KRK,board=4")
    assert "чёрный король" in titled(str(chess.svg(chess.parse("4/4/3R/K1k1 b"))), RUSSIAN)


@pytest.mark.parametrize(
    ("code", "odds"),
    [
        ("en", "20 to 70.5 %"), ("fa", "۲۰..۷۰٫۵٪"), ("ru", "20..70,5\xa0%"), ("tr", "%20..70,5"),
        ("vi", "20..70,5%"),
    ],
)  # fmt: skip
def test_a_range_is_written_in_the_language(code: str, odds: str) -> None:
    """Its dots are no decimal marks."""
    assert detail_text(Odds(0.2, 0.705), translation(code).gettext) == odds


@pytest.mark.parametrize(
    ("outcome", "english", "russian"),
    [
        (Outcome(LimitedValue.CURSED_WIN, 5), "CURSED WIN in 5", "ПРОКЛЯТЫЙ ВЫИГРЫШ через 5"),
        (Outcome(LimitedValue.BLESSED_LOSS, None), "BLESSED LOSS", "СПАСЁННЫЙ ПРОИГРЫШ"),
        (Outcome(LimitedValue.DRAW, None), "DRAW", "БЕСКОНЕЧНАЯ НИЧЬЯ"),
        (Outcome(Odds(0.255, 0.255), None), "25.5 %", "25,5\xa0%"),
        (Outcome(NimValue(3), 5), "*3 in 5", "*3 через 5"),
    ],
)
def test_only_endless_play_is_called_an_endless_draw(
    outcome: Outcome, english: str, russian: str
) -> None:
    """What counts as a draw by a limit has a word of its own."""
    assert outcome_text(outcome) == english
    assert outcome_text(outcome, RUSSIAN.gettext) == russian
