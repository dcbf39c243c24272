"""Notes on the vertices of a graph, where they may be others than was meant.

They are logged where a graph is made in Python. A reader of files returns them with its own.
"""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from retrosolve.spaces.csr.ids import SortedIds

WORDS = frozenset(
    ("NaN", "nan", "NAN", "NaT", "NA", "N/A", "#N/A", "<NA>", "NULL", "Null", "null", "None")
)
LONGEST = max(map(len, WORDS))
BLANKS = np.frombuffer(b" \t\n\r\f\v", np.uint8)

_log = logging.getLogger(__name__)
_is_quiet: ContextVar[bool] = ContextVar("is_quiet", default=False)


@contextmanager
def quiet() -> Iterator[None]:
    """Log no notes in the block."""
    token = _is_quiet.set(True)
    try:
        yield
    finally:
        _is_quiet.reset(token)


def log_notes(names: Sequence[Hashable] | None, are_numbers: bool = False) -> None:
    """Log the notes on the vertices of a graph, which may be all numbers that its edges have."""
    if names is None or _is_quiet.get():
        return
    for note in of_names(names):
        _log.warning("%s", note)
    if are_numbers and isinstance(names, SortedIds) and len(names):
        top = names[-1]
        _log.warning(
            "the edges have %d of the numbers 0..%d: the other ones are not vertices, and these are "
            "names; vertices=%d makes all of them vertices", len(names), top, top + 1,
        )  # fmt: skip


def of_names(names: Sequence[Hashable] | None) -> list[str]:
    """Return a note on names that may stand for a missing one, and one on names that look alike.

    All names are searched at once, as bytes, which takes a tenth of the time of one after another.

    >>> of_names(["a", "a ", "NaN"])[0]
    "the name 'NaN' is a vertex like any other: expected no row where a name is missing"
    """
    if names is None or isinstance(names, SortedIds):
        return []
    texts: Sequence[Any] = names
    try:
        whole = "\0".join(("", *texts, ""))
    except TypeError:  # numbers or tuples among them
        texts = [name for name in names if isinstance(name, str)]
        whole = "\0".join(("", *texts, ""))
    letters = np.frombuffer(whole.encode("utf-8", "surrogatepass"), np.uint8)
    ends = np.flatnonzero(letters == 0)
    short = np.flatnonzero(np.diff(ends) <= LONGEST + 1).tolist()
    if len(ends) != len(texts) + 1:  # a name has a NUL
        short = [*range(len(texts))]
    notes = [
        f"the name {word!r} is a vertex like any other: expected no row where a name is missing"
        for word in sorted(WORDS.intersection(texts[i] for i in short))
    ][:1]
    beside = letters[np.concatenate([ends[1:] - 1, ends[:-1] + 1])] if texts else letters
    has_blanks = np.isin(beside, BLANKS).any() or "\xa0" in whole
    if not has_blanks and (whole.isascii() or unicodedata.is_normalized("NFC", whole)):
        return notes
    first: dict[str, str] = {}
    alike = []
    for name in texts:
        other = first.setdefault(unicodedata.normalize("NFC", name).strip(), name)
        if other is not name:
            alike.append((other, name))
    if alike:
        notes.append(
            "names differ from others only by blanks around them or by the normal form of Unicode: "
            f"{len(alike)} of them, such as {alike[0][0]!a} and {alike[0][1]!a}"
        )
    return notes
