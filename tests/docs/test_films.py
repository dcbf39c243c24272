"""The films of the site are of games that can be traced, and every one of them is shown."""

import re
from html import unescape

from docs.site.films import FILMS, film_pages
from docs.site.languages import language_of
from tests.support.pages import written


def test_every_film_of_the_table_is_shown_and_every_shown_one_is_in_the_table() -> None:
    shown = {
        (name, language_of(page.removesuffix(".md")))
        for page, text in written().items()
        for name in re.findall(r"```{film} (\S+)", text)
    }
    assert shown == {(name, language) for name, (_, titles) in FILMS.items() for language in titles}


def test_films_are_pages_in_one_file_in_their_language() -> None:
    pages = dict(film_pages())
    assert 'lang="fa" dir="rtl"' in pages["films/by-hand.fa.html"]
    assert "Счётчик вершины a" in pages["films/counters.ru.html"]
    for page in pages.values():
        assert "default-src 'none'" in unescape(page)
        assert not re.search(r'(?:src|href)="(?!data:)', page)
