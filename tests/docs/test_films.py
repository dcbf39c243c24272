"""The films that the pages link to exist in the explorer."""

import re

import retrosolve as rs
from retrosolve.games.stones import Stones
from retrosolve.web.descriptions import MAKERS
from retrosolve.web.library import Entry, Library
from tests.support.pages import HERE, written
from tests.web.drawn import request, serving


def test_links_to_the_explorer_lead_to_pages() -> None:
    links = {link for text in written().values() for link in re.findall(rf"\({HERE}(/[^)#]*)", text)}
    assert len([link for link in links if link.endswith("/film")]) >= 5
    with serving(Library([Entry("stones", "stones", rs.solve(Stones(10)))], MAKERS)) as address:
        for link in sorted(links):
            status, page = request(address + link)
            assert status == 200, link
            assert "<html" in page
