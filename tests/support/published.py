"""The published figures that the tests are held to."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data" / "published.json"


@cache
def items() -> dict[str, dict[str, Any]]:
    """All items by identifier."""
    return {item["id"]: item for item in json.loads(DATA.read_text(encoding="utf-8"))["items"]}


def figures(identifier: str) -> dict[str, Any]:
    """The figures published under an identifier."""
    return items()[identifier]["figures"]
