"""Every picture of the documentation is made by code of the repository."""

import re

from docs.site.figures import FIGURES
from tests.support.pages import DOCS, written
from tests.web.screenshots import SHOTS

PAGES = written()
MAX_BYTES = 100_000


def test_every_figure_of_the_table_is_shown_and_every_shown_one_is_in_the_table() -> None:
    shown = {name for text in PAGES.values() for name in re.findall(r"```{drawn} (\S+)", text)}
    assert shown == set(FIGURES)


def test_pictures_in_the_repository_are_those_that_make_screenshots_writes() -> None:
    kept = sorted(path.name for path in (DOCS / "pictures").iterdir())
    assert kept == sorted(f"{name}.png" for name, *_ in SHOTS)
    assert all(path.stat().st_size < MAX_BYTES for path in (DOCS / "pictures").iterdir())
    used = {
        name
        for text in PAGES.values()
        for name in re.findall(r"!\[[^]]+\]\(\S*?pictures/(\S+)\)", text)
    }
    assert used <= set(kept)
