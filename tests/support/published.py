"""The published figures that the tests are held to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data" / "published.json"


def figures(identifier: str) -> dict[str, Any]:
    """The figures published under an identifier."""
    items = json.loads(DATA.read_text(encoding="utf-8"))["items"]
    (item,) = [item for item in items if item["id"] == identifier]
    return item["figures"]
