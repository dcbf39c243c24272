"""Saved solutions: tables with the specs of their spaces, on disk."""

from retrosolve.store.directory import load, save
from retrosolve.store.manifest import Saved

__all__ = ["Saved", "load", "save"]
