"""The extension of Sphinx that draws the figures and writes the pages that are made of tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from docs.site import api, gallery, reference
from docs.site.figures import DRAWN, PLOTTED
from retrosolve.web.standalone import HEADINGS, drawing_file

SOURCE = Path(__file__).parent.parent
PLOTS = "_figures"
COMMAND = "python -m docs.site.figures {}"


class Drawn(Directive):
    """A figure of the table in ``docs/site/figures.py``, with its caption and its command."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {}

    def run(self) -> list[nodes.Node]:
        """Return the figure."""
        name = self.arguments[0]
        if name in DRAWN:
            picture: nodes.Node = nodes.raw("", DRAWN[name](), format="html")
        elif name in PLOTTED:
            picture = nodes.image(uri=f"/{PLOTS}/{name}.svg", alt=name)
        else:
            raise self.error(f"there is no figure {name!r}: expected a name of docs/site/figures.py")
        figure = nodes.figure("", picture, classes=["drawn"])
        command = nodes.literal("", COMMAND.format(name))
        caption = nodes.caption("", "")
        if self.content:
            parsed = nodes.Element()
            self.state.nested_parse(self.content, self.content_offset, parsed)
            caption += parsed[0].children
        caption += [nodes.Text(" ("), command, nodes.Text(")")]
        figure += caption
        return [figure]


def write_changed(texts: dict[Path, str]) -> None:
    """Write the files whose content differs, so that Sphinx reads only these again."""
    for path, text in texts.items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")


def prepare(app: Sphinx) -> None:
    """Write the pages and the plots."""
    folder = SOURCE / "reference" / "api"
    pages = api.write_pages(folder)
    for path in {*folder.glob("*.md")} - {*pages}:  # of names that are gone
        path.unlink()
    write_changed(pages)
    write_changed({SOURCE / "gallery" / "games.md": gallery.page()})
    write_changed(reference.write_pages(SOURCE))
    write_changed({SOURCE / PLOTS / f"{name}.svg": draw() for name, draw in PLOTTED.items()})


def write_editors(app: Sphinx, error: Exception | None) -> None:
    """Write the editors of boards and graphs, pages that solve by themselves, beside the pages."""
    if error is None and app.builder.format == "html":
        home = [("index.html", app.config.project)]
        editors = {f"draw-{kind}.html": drawing_file(kind, links=home) for kind in HEADINGS}
        write_changed({Path(app.outdir) / name: page for name, page in editors.items()})


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect to Sphinx."""
    app.add_directive("drawn", Drawn)
    app.connect("builder-inited", prepare, priority=100)
    app.connect("build-finished", write_editors)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
