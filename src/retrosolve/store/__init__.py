"""Saved solutions: tables with the specs of their spaces, on disk."""

from retrosolve.store.directory import Saved, load, save

__all__ = ["Saved", "load", "save"]
