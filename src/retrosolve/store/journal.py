"""The journal of an unfinished solve: what is on disk already, and what the solve is of."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from retrosolve.errors import StoreError
from retrosolve.runtime.files import one_line, sync_folder
from retrosolve.store.folder import failed

JOURNAL = "journal.json"
FORMAT, VERSION = "retrosolve checkpoint", 2

Identity = dict[str, str | None]


@dataclass
class Journal:
    """What an unfinished solve has written. A journal is replaced as a whole, in one step.

    Parameters
    ----------
    identity : dict of str to str or None
        What is solved and how; see :func:`retrosolve.store.identity.identity_of`.
    words : list of int
        The packed words that occur in finished tiers; their places are the codes.
    parts : list of dict
        The arrays of finished tiers: the description of each as "array", and as "tiers" how many
        consecutive tiers it holds.
    marks : dict of str to dict
        By tier, the file that says which indices are positions, and its checksum.
    state : dict, optional
        The last snapshot: its file, its facts and its arrays.
    num_edges, highest : int
        The edges and the largest remoteness of finished tiers.
    finished : str
        The SHA-256 of the manifest, once everything is written.
    """

    identity: Identity
    words: list[int] = field(default_factory=list)
    parts: list[dict[str, Any]] = field(default_factory=list)
    marks: dict[str, dict[str, Any]] = field(default_factory=dict)
    state: dict[str, Any] | None = None
    num_edges: int = 0
    highest: int = 0
    finished: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is on disk yet."""
        return not (self.parts or self.marks or self.state or self.finished)

    def write(self, folder: Path) -> None:
        """Write the journal and flush it to disk. Raises OSError."""
        record = {"format": FORMAT, "version": VERSION} | asdict(self)
        temporary = folder / f"{JOURNAL}.new"
        with temporary.open("wb") as file:
            file.write(json.dumps(record | {"sha256": _digest(record)}).encode())
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(folder / JOURNAL)
        sync_folder(folder)

    @classmethod
    def read(cls, folder: Path) -> Journal | None:
        """Return the journal in a folder; None if there is none. Raises StoreError."""
        path = folder / JOURNAL
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise failed("read", path, error) from None
        try:
            record = json.loads(data)
            digest = record.pop("sha256")
            whole = digest == _digest(record)
            known = record.pop("format"), record.pop("version")
            sound = whole and known == (FORMAT, VERSION) and set(record) == _names()
        except (ValueError, KeyError, AttributeError, RecursionError):
            sound = False
        if not sound:
            raise StoreError(
                one_line(f"{path} is damaged or of another version: expected {folder} deleted")
            )
        return cls(**record)


def _names() -> set[str]:
    return {part.name for part in fields(Journal)}


def _digest(record: dict[str, Any]) -> str:
    """Return the checksum of a journal."""
    text = json.dumps(record, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
