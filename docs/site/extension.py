"""The extension of Sphinx: figures, films, pages made of tables, and the language of each page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from sphinx.application import Sphinx

from benchmarks.tables import RESULTS, markdown
from docs.site import api, gallery, reference
from docs.site.facts import facts
from docs.site.figures import FIGURES, TRANSLATED
from docs.site.films import FILMS, editor_pages, film_pages, film_place
from docs.site.languages import language_of, links, read_with
from docs.site.notebooks import NOTEBOOKS, WHEEL, notebook_files, place, wheel
from docs.site.words import FULL_SIZE, NOTEBOOK, PACKAGE
from retrosolve.languages import DEFAULT, LANGUAGES

SITE = Path(__file__).parent
SOURCE = SITE.parent
COMMAND = "python -m docs.site.figures {}"
FRAME = '<iframe class="site-frame" src="{}" title="{}" loading="lazy" data-hide="{}"></iframe>'
CODE = re.compile(r"(?ms)(^```.*?^```|`[^`\n]+`)")
MEASURED = re.compile(r"(?ms)^```{measured} (\w+)\n.*?^```$")
POWER = re.compile(r"(?<![\w^])(\d+|[a-z])\^(-?\d+)\b")
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
API = api.pages_of("retrosolve")


class SiteDirective(Directive):
    """A directive that knows on which page it stands."""

    required_arguments = 1

    @property
    def page(self) -> str:
        """The name of the page."""
        name: str = self.state.document.settings.env.docname
        return name

    def address(self, place: str) -> str:
        """Return the address of a file of the site, seen from the page."""
        return "../" * self.page.count("/") + place


class Drawn(SiteDirective):
    """A figure of the table in ``docs/site/figures.py``, with its caption and its command."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {}

    def run(self) -> list[nodes.Node]:
        """Return the figure."""
        name, language = self.arguments[0], language_of(self.page)
        if name not in FIGURES:
            raise self.error(f"there is no figure {name!r}: expected a name of docs/site/figures.py")
        for file in SITE.glob("*.py"):  # a page is made again when its figures change
            self.state.document.settings.env.note_dependency(str(file))
        drawing = FIGURES[name](language) if name in TRANSLATED else FIGURES[name]()
        title = f'<div class="drawing" title="{COMMAND.format(name)}">{drawing}</div>'
        figure = nodes.figure("", nodes.raw("", title, format="html"), classes=["drawn"])
        caption = nodes.caption("", "")
        if self.content:
            parsed = nodes.Element()
            self.state.nested_parse(self.content, self.content_offset, parsed)
            caption += parsed[0].children
        figure += caption
        return [figure]


class Film(SiteDirective):
    """A film of the table in ``docs/site/films.py``, in the page, with a link to the film alone."""

    option_spec: ClassVar[dict[str, Any]] = {}

    def run(self) -> list[nodes.Node]:
        """Return the frame."""
        name, language = self.arguments[0], language_of(self.page)
        titles = FILMS.get(name, ("", {}))[1]
        if language not in titles:
            raise self.error(
                f"there is no film {name!r} in {language}: expected one of docs/site/films.py"
            )
        address, title = self.address(film_place(name, language)), titles[language]
        frame = FRAME.format(address, title, "footer")
        link = f'<p class="frame-link"><a href="{address}">{title}</a> · {FULL_SIZE[language]}</p>'
        return [nodes.raw("", f'<div class="site-film">{frame}{link}</div>', format="html")]


class Frame(SiteDirective):
    """A page of the site within another page."""

    option_spec: ClassVar[dict[str, Any]] = {
        "title": directives.unchanged_required,
        "hide": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """Return the frame."""
        address, title = self.address(self.arguments[0]), self.options["title"]
        text = FRAME.format(address, title, self.options.get("hide", ""))
        return [nodes.raw("", text, format="html")]


class Facts(SiteDirective):
    """The line of facts of the first page, made of the table of games and the results of benchmarks."""

    required_arguments = 0

    def run(self) -> list[nodes.Node]:
        """Return the line."""
        items = "".join(f"<li><strong>{number}</strong> {what}</li>" for number, what in facts())
        return [nodes.raw("", f'<ul class="facts">{items}</ul>', format="html")]


def write_changed(texts: dict[Path, str]) -> None:
    """Write the files whose content differs, so that Sphinx reads only these again."""
    for path, text in texts.items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")


def write_generated(pages: dict[Path, str], folder: Path) -> None:
    """Write pages, and remove those of earlier builds from their folder."""
    for path in {*folder.glob("*.md")} - {*pages}:
        path.unlink()
    write_changed(pages)


def prepare(app: Sphinx) -> None:
    """Write the pages that are made of tables."""
    api_pages = SOURCE / "reference" / "api"
    write_generated(api.write_pages(api_pages), api_pages)
    games = SOURCE / "gallery" / "games"
    write_generated(gallery.write_pages(games), games)
    write_changed({SOURCE / "gallery" / "games.md": gallery.index_page()})
    write_changed(reference.write_pages(SOURCE))


def show_language(app: Sphinx, pagename: str, template: str, context: dict[str, Any], _: Any) -> None:
    """Give a page its language and direction, and links to the same page in other languages."""
    language = LANGUAGES[language_of(pagename)]
    context["language"] = context["page_language"] = language.code
    context["page_direction"] = language.direction
    context["languages"] = links(pagename, app.env.all_docs, context["pathto"])
    if pagename in NOTEBOOKS:
        root = "../" * pagename.count("/")
        files = {place(pagename): NOTEBOOK, f"notebooks/{WHEEL}": PACKAGE}
        found = [
            f'<a href="{root}{file}" download>{words[language.code]}</a>'
            for file, words in files.items()
        ]
        context["body"] += f'<p class="frame-link">{" · ".join(found)}</p>'
    if language.code != DEFAULT and "body" in context:
        show_neighbors(app, pagename, context)
        attributes = f'lang="{language.code}" dir="{language.direction}"'
        context["body"] = f"<div {attributes}>{context['body']}</div>"


def show_neighbors(app: Sphinx, pagename: str, context: dict[str, Any]) -> None:
    """Lead from a translated page to the others in its language, in the sidebar and at the foot."""
    pages = [
        {
            "title": app.env.titles[name].astext(),
            "link": context["pathto"](name),
            "current": name == pagename,
        }
        for name in read_with(pagename, app.env.all_docs)
    ]
    here = [page["current"] for page in pages].index(True)
    context["language_pages"] = pages
    context["prev"] = pages[here - 1] if here else None
    context["next"] = pages[here + 1] if here + 1 < len(pages) else None


def improve(app: Sphinx, docname: str, source: list[str]) -> None:
    """Fill in tables, write powers such as 10^7 as 10⁷, and link the first mention of public names."""
    if MEASURED.search(source[0]):
        for file in RESULTS.glob("*.json"):  # a page is made again when its figures change
            app.env.note_dependency(str(file))
    parts = CODE.split(MEASURED.sub(lambda block: markdown(block[1]), source[0]))
    parts[::2] = [
        POWER.sub(lambda power: power[1] + power[2].translate(SUPERSCRIPTS), part)
        for part in parts[::2]
    ]
    linked: set[str] = set()
    if not docname.startswith("reference/"):
        for place in range(1, len(parts), 2):
            name = parts[place].strip("`").removeprefix("rs.").partition("(")[0]
            line = parts[place - 1].rpartition("\n")[2]
            free = not line.startswith("#") and line.count("[") == line.count("]")
            if parts[place].startswith("`rs.") and name in API and name not in linked and free:
                linked.add(name)
                parts[place] = f"[{parts[place]}](/reference/api/{API[name]}.md)"
    source[0] = "".join(parts)


def write_files(app: Sphinx, error: Exception | None) -> None:
    """Write the pages that need no other file: editors, films and the games to play."""
    if error is not None or app.builder.format != "html":
        return
    out = Path(app.outdir)
    write_changed({out / name: page for name, page in editor_pages(app.config.project)})
    write_changed({out / name: page for name, page in film_pages()})
    write_changed({out / name: text for name, text in notebook_files()})
    (out / "notebooks" / WHEEL).write_bytes(wheel())
    gallery.write_games(out / "play", SOURCE.parent / "build" / "play")


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect to Sphinx."""
    for name, directive in (("drawn", Drawn), ("film", Film), ("frame", Frame), ("facts", Facts)):
        app.add_directive(name, directive)
    app.connect("builder-inited", prepare, priority=100)
    app.connect("source-read", improve)
    app.connect("html-page-context", show_language)
    app.connect("build-finished", write_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
