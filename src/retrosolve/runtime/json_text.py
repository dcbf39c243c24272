"""JSON read strictly, with errors that name the file and the line."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from retrosolve.errors import FormatError
from retrosolve.runtime.files import Source, error_summary, short_repr


def parse_object(source: Source) -> dict[str, Any]:
    """Return the JSON object that a file holds: no NaN, no duplicate keys, nothing after the object.

    Raises FormatError for anything else.
    """

    def constant(text: str) -> NoReturn:
        raise source.error(f"{text} is not JSON: expected a number")

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) < len(items):
            keys = [key for key, _ in items]
            twice = next(key for i, key in enumerate(keys) if key in keys[:i])
            raise source.error(f"key {short_repr(twice)} twice: expected it once")
        return found

    text = source.text()
    try:
        found = json.loads(text, parse_constant=constant, object_pairs_hook=pairs)
    except json.JSONDecodeError as error:
        raise source.error(f"column {error.colno}, {error.msg}: expected JSON", error.lineno) from None
    except RecursionError:
        raise source.error("lists within lists too deep: expected a list of lists") from None
    except FormatError:
        raise
    except ValueError as error:
        raise source.error(f"{error_summary(error)}: expected smaller numbers") from None
    if not isinstance(found, dict):
        raise source.error(f"{short_repr(found)}: expected an object")
    return found
