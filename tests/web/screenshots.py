"""Pictures of the pages for the documentation: ``python -m tests.web.screenshots FOLDER``."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageColor

import retrosolve as rs
from retrosolve.drawing.appearance import APPEARANCE
from retrosolve.games import parse_game
from retrosolve.web.app import application
from retrosolve.web.descriptions import MAKERS
from retrosolve.web.jobs import Solving
from retrosolve.web.library import Entry, Library
from tests.web.drawn import answering, chromium, library, serving

WIDE, PHONE = {"width": 1100, "height": 760}, {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}  # of which the first screen is shown
COLOURS = 255  # enough for flat pages, at a third of the bytes
READY = {
    "film": "#film[data-ready]",
    "film-phone": "#film[data-ready]",
    "film-persian": "#film[data-ready]",
    "graph": ".graph[data-drawn] svg",
}
# Name, address, size and colours; keys to press and points to click before.
SHOTS = (
    ("position", "/g/krk8/?line=1-1-1-5", DESKTOP, "light", ("[data-point=b2]",)),
    ("position-dark", "/g/caught/?you=0&line=1-1", DESKTOP, "dark", ()),
    ("position-phone", "/g/krk8/?line=1-1-1-5", PHONE, "light", ("[data-point=b2]",)),
    ("position-persian", "/g/tictactoe/?line=1-2&language=fa", DESKTOP, "light", ()),
    ("mistake", "/g/krk/?you=0&line=5", DESKTOP, "light", ()),
    ("opponent", "/g/tictactoe/?you=0&mistakes=0.2&line=1-1", PHONE, "dark", ()),
    ("structure", "/g/krk/structure", WIDE, "dark", ()),
    ("graph", "/g/graph/", WIDE, "light", ()),
    ("film", "/g/graph~a.b.c.d.e.f~a-b.b-a.b-c.c-d.e-c.f-e.f-b/film", WIDE, "light", ("End",)),
    ("film-phone", "/g/board~P....-.xx.E-...T./film#300", PHONE, "dark", ()),
    ("film-persian", "/g/stones/film?language=fa#12", WIDE, "light", ()),
    ("board-editor", "/edit/board", WIDE, "light", ()),
    ("graph-editor", "/edit/graph", WIDE, "light", ()),
    ("games", "/games", WIDE, "light", ()),
    ("catalogue", "/", DESKTOP, "light", ()),
)


def main(folder: Path, only: Sequence[str] = ()) -> None:
    """Write a picture of each page, or of those that ``only`` names."""
    folder.mkdir(parents=True, exist_ok=True)
    krk = Entry("krk8", "chess:KRK", rs.solve(parse_game("chess:KRK")))
    shown = Library([*library().entries(), krk], MAKERS)
    solving = Solving()
    offering = application(Library([], MAKERS), solving=solving)
    with serving(shown) as address, answering(offering) as offered, chromium() as browser:
        for name, path, size, scheme, keys in SHOTS:
            if only and name not in only:
                continue
            page = browser.new_page(viewport=size, color_scheme=scheme)
            answer = page.goto((offered if name.startswith("catalogue") else address) + path)
            if answer is None or not answer.ok:
                raise SystemExit(f"{path} cannot be shown")
            page.wait_for_load_state("networkidle")
            if name in READY:
                page.wait_for_selector(READY[name])
            for key in keys:
                if key.startswith("["):
                    page.click(key)
                else:
                    page.keyboard.press(key)
            whole = size is WIDE
            picture = Image.open(io.BytesIO(page.screenshot(full_page=whole)))
            flat(picture.convert("RGB")).save(folder / f"{name}.png", optimize=True)
            page.close()
            sys.stdout.write(f"{folder / name}.png\n")
    solving.close()


def flat(picture: Image.Image) -> Image.Image:
    """Return a picture in the colours of values and in its most frequent ones; others are edges."""
    looks = [ImageColor.getrgb(colour) for look in APPEARANCE.values() for colour in look[:2]]
    counts = sorted(picture.getcolors(1 << 24) or [], reverse=True)
    colours = [*looks, *(colour for _, colour in counts)][:COLOURS]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in colours for part in colour])
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
