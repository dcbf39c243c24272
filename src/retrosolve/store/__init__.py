"""Saved solutions: tables with the specs of their spaces, on disk."""

from retrosolve.store.codec import digest
from retrosolve.store.directory import (
    PACKED_LEVEL,
    Archive,
    check_destination,
    check_folder_name,
    load,
    pack,
    save,
    update_manifest,
)
from retrosolve.store.manifest import MANIFEST, Saved
from retrosolve.store.resume import is_unfinished, solving_into
from retrosolve.store.specs import identity_of

__all__ = [
    "MANIFEST",
    "PACKED_LEVEL",
    "Archive",
    "Saved",
    "check_destination",
    "check_folder_name",
    "digest",
    "identity_of",
    "is_unfinished",
    "load",
    "pack",
    "save",
    "solving_into",
    "update_manifest",
]
