"""Pictures of the pages for the documentation: ``python -m tests.web.screenshots FOLDER``."""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image

from tests.web.drawn import chromium, serving

WIDE, PHONE = {"width": 1100, "height": 760}, {"width": 390, "height": 844}
COLOURS = 64  # enough for flat pages, at a third of the bytes
READY = {"film": "#film[data-ready]", "graph": ".graph[data-drawn] svg"}
# Name, address, size and colours; keys to press before.
SHOTS = (
    ("position", "/g/caught/?you=0&line=1-1", WIDE, "light", ()),
    ("mistake", "/g/krk/?you=0&line=5", WIDE, "light", ()),
    ("opponent", "/g/tictactoe/?you=0&mistakes=0.2&line=1-1", PHONE, "dark", ()),
    ("structure", "/g/krk/structure", WIDE, "dark", ()),
    ("graph", "/g/graph/", WIDE, "light", ()),
    ("film", "/g/stones/film", WIDE, "light", ("End",)),
    ("board-editor", "/edit/board", WIDE, "light", ()),
    ("graph-editor", "/edit/graph", WIDE, "light", ()),
    ("games", "/", WIDE, "light", ()),
)


def main(folder: Path) -> None:
    """Write a picture of each page."""
    folder.mkdir(parents=True, exist_ok=True)
    with serving() as address, chromium() as browser:
        for name, path, size, scheme, keys in SHOTS:
            page = browser.new_page(viewport=size, color_scheme=scheme)
            answer = page.goto(address + path)
            if answer is None or not answer.ok:
                raise SystemExit(f"{path} cannot be shown")
            page.wait_for_load_state("networkidle")
            if name in READY:
                page.wait_for_selector(READY[name])
            for key in keys:
                page.keyboard.press(key)
            picture = Image.open(io.BytesIO(page.screenshot(full_page=True)))
            picture.convert("RGB").quantize(COLOURS).save(folder / f"{name}.png", optimize=True)
            page.close()
            sys.stdout.write(f"{folder / name}.png\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
