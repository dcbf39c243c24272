"""The films that the pages link to are of games that the editors can draw."""

import re

from retrosolve.explanation import trace
from retrosolve.web.descriptions import MAKERS
from retrosolve.web.library import Library
from tests.support.pages import written


def test_links_to_films_describe_games() -> None:
    library = Library([], MAKERS)
    links = {
        link
        for text in written().values()
        for link in re.findall(r'"\.\./draw-(graph|board)\.html#\1=([^"]+)"', text)
    }
    assert len(links) >= 5
    for kind, description in links:
        assert trace(library.entry(f"{kind}~{description}").solution).events
