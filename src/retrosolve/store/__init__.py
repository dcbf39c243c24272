"""Saved solutions: tables with the specs of their spaces, on disk."""

from retrosolve.store.contents import Saved
from retrosolve.store.directory import check_destination, load, save
from retrosolve.store.encoding import digest
from retrosolve.store.manifest import MANIFEST
from retrosolve.store.opened import Opened
from retrosolve.store.packing import LEVEL, pack

__all__ = [
    "LEVEL",
    "MANIFEST",
    "Opened",
    "Saved",
    "check_destination",
    "digest",
    "load",
    "pack",
    "save",
]
