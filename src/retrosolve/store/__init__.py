"""Saved solutions: tables with the specs of their spaces, on disk."""

from retrosolve.store.directory import check_destination, load, save
from retrosolve.store.manifest import MANIFEST, Saved

__all__ = ["MANIFEST", "Saved", "check_destination", "load", "save"]
