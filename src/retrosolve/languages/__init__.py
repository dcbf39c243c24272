"""The languages of pages, explanations and verdicts, and their gettext catalogues.

A string is marked by ``mark`` where it is defined and translated by ``translation(code).gettext`` where
it is shown; ``ngettext`` chooses a plural. Placeholders are named and filled by ``str.format``. The
catalogues ``<code>/LC_MESSAGES/retrosolve.po`` are compiled to ``.mo`` files beside them by Babel.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from retrosolve.errors import GraphError
from retrosolve.runtime.text import mark

DOMAIN = "retrosolve"
Translate = Callable[[str], str]
FOLDER = Path(__file__).parent


class Language(NamedTuple):
    """A language.

    Parameters
    ----------
    code : str
        As in the ``lang`` attribute of a page.
    name : str
        Its name in itself.
    direction : {"ltr", "rtl"}
    """

    code: str
    name: str
    direction: str = "ltr"


LANGUAGES: dict[str, Language] = {
    language.code: language
    for language in (
        Language("en", "English"),
        Language("fa", "فارسی", "rtl"),
        Language("ru", "Русский"),
        Language("tr", "Türkçe"),
        Language("vi", "Tiếng Việt"),
    )
}
DEFAULT = "en"


@cache
def translation(code: str = DEFAULT) -> gettext.NullTranslations:
    """Return the catalogue of a language; that of English returns every message as it is.

    Raises
    ------
    GraphError
        For a language without a catalogue.

    Examples
    --------
    >>> translation("en").ngettext("{n} ply", "{n} plies", 2).format(n=2)
    '2 plies'
    """
    if code not in LANGUAGES:
        raise GraphError(f"language={code!r}: expected one of {', '.join(LANGUAGES)}")
    if code == DEFAULT:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, FOLDER, [code])


NUMERALS = mark("0123456789,.")
"""The ten digits, the mark between thousands and the decimal mark of a language."""
PERCENT = mark("{share}%")
ASCII = "0123456789,."
# Digits, commas and semicolons that readers type, and the marks around names in a sentence.
MARKS = "\u2066\u2067\u2068\u2069\u200e\u200f"
TYPED = str.maketrans("۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩،؛", "01234567890123456789,;", MARKS)


def digits(value: object, translate: Translate = str) -> str:
    """Return a number as a language writes it, thousands together.

    Parameters
    ----------
    value : object
        Shown as ``str`` has it.
    translate : callable
        ``gettext`` of a catalogue.

    Examples
    --------
    >>> digits(1250), digits(12, translation("fa").gettext)
    ('1250', '۱۲')
    """
    text, numerals = str(value), translate(NUMERALS)
    if numerals[:10] == ASCII[:10]:
        return text
    return text.translate(str.maketrans(ASCII[:10], numerals[:10]))


def count(value: int, translate: Translate = str) -> str:
    """Return a whole number as a language writes it, in groups of thousands.

    >>> count(50477), count(50477, translation("ru").gettext), count(50477, translation("fa").gettext)
    ('50,477', '50\\xa0477', '۵۰٬۴۷۷')
    """
    return f"{value:,}".translate(str.maketrans(ASCII, translate(NUMERALS)))


def decimal(value: float, translate: Translate = str, places: int = 3) -> str:
    """Return a number as a language writes it, with places after the decimal mark.

    >>> decimal(1234.5), decimal(0.25, translation("ru").gettext, places=2)
    ('1234.500', '0,25')
    """
    return f"{value:.{places}f}".translate(str.maketrans(ASCII, translate(NUMERALS)))


def percent(share: float, translate: Translate = str, places: int = 0) -> str:
    """Return a share as a language writes it, in percent.

    >>> percent(0.091, places=1), percent(0.1, translation("tr").gettext)
    ('9.1%', '%10')
    """
    text = decimal(100 * share, translate, places)
    return translate(PERCENT).format(share=text)


def typed(text: str) -> str:
    """Return a text of a reader with the digits and the commas of notation.

    >>> typed("برداشتن ۱، برداشتن ۲")
    'برداشتن 1, برداشتن 2'
    """
    return text.translate(TYPED)


def player_name(name: str, to: gettext.NullTranslations) -> str:
    """Return the name of a player in a language, as it is if the catalogue does not have it.

    >>> player_name("policeman", translation("en")), player_name("", translation("en"))
    ('policeman', '')
    """
    return to.gettext(name) if name else name  # a catalogue has its own description at the empty text


def side_name(players: Sequence[str], side: int, named: bool, to: gettext.NullTranslations) -> str:
    """Return the name of a side of a game.

    Parameters
    ----------
    players : sequence of str
        As the rules name them.
    side : int
    named : bool
        Whether the rules say who moves; otherwise their names do not tell which side is which.
    to : NullTranslations

    Examples
    --------
    >>> to = translation("en")
    >>> side_name(("White", "Black"), 1, True, to), side_name(("first", "second"), 1, True, to)
    ('Black', 'Second player')
    """
    name = players[side]
    if named and name not in ("", str(side), ("first", "second")[side]):
        return player_name(name, to)
    return to.gettext("Second player") if side else to.gettext("First player")


def preferred(accepted: str, default: str = DEFAULT) -> str:
    """Return the code of the language that a browser prefers.

    Parameters
    ----------
    accepted : str
        The header ``Accept-Language``: languages with optional weights.
    default : str
        The answer if none of them has a catalogue.

    Examples
    --------
    >>> preferred("de-AT,de;q=0.9,tr;q=0.5,en;q=0.3"), preferred("xx")
    ('tr', 'en')
    """
    best, choice = 0.0, default
    for part in accepted.split(","):
        name, _, weight = part.strip().partition(";q=")
        code = name.partition("-")[0].lower()
        try:
            quality = float(weight or 1)
        except ValueError:
            continue
        if code in LANGUAGES and quality > best:
            best, choice = quality, code
    return choice
