"""Saved solutions: tables with the specs of their spaces, on disk."""

from retrosolve.store.contents import Saved
from retrosolve.store.directory import amend, check_destination, load, save
from retrosolve.store.encoding import digest
from retrosolve.store.identity import identity_of
from retrosolve.store.manifest import MANIFEST
from retrosolve.store.opened import Opened
from retrosolve.store.packing import LEVEL, pack
from retrosolve.store.run import is_unfinished, solving_into

__all__ = [
    "LEVEL",
    "MANIFEST",
    "Opened",
    "Saved",
    "amend",
    "check_destination",
    "digest",
    "identity_of",
    "is_unfinished",
    "load",
    "pack",
    "save",
    "solving_into",
]
