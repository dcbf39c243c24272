"""Numbers as the readers of each language write them, and as they type them."""

import pytest
from babel.numbers import format_decimal, format_percent

from retrosolve.languages import LANGUAGES, count, digits, percent, translation, typed

NUMBERS = [0, 7, 999, 1000, 50477, 1234567, 17_600_000]


@pytest.mark.parametrize("code", LANGUAGES)
def test_numbers_are_those_of_the_language(code: str) -> None:
    translate = translation(code).gettext
    for number in NUMBERS:
        expected = format_decimal(number, locale=code, numbering_system="default")
        assert digits(count(number, translate).translate(PERSIAN)) == expected
        assert int(digits(number, translate)) == number
    for share in (0, 0.091, 0.5, 1):
        expected = format_percent(
            share, PATTERNS.get(code, "#,##0.0%"), locale=code, numbering_system="default"
        )
        assert percent(share, translate, 1).translate(PERSIAN).replace("٪", "%") == expected


# Babel keeps the Latin digits of Persian.
PERSIAN = str.maketrans("۰۱۲۳۴۵۶۷۸۹", "0123456789")
PATTERNS = {"ru": "#,##0.0\N{NO-BREAK SPACE}%", "tr": "%#,##0.0"}


def test_persian_numbers_have_persian_digits() -> None:
    translate = translation("fa").gettext
    assert count(50477, translate) == "۵۰٬۴۷۷"
    assert percent(0.091, translate, 1) == "۹٫۱٪"
    assert typed(count(12, translate)) == "12"
    assert typed("٣، ۴؛ a,b") == "3, 4; a,b"
