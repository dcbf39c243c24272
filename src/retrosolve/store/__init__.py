"""Saving tables with the specs of their spaces, and opening them again."""

from retrosolve.store.directory import Saved, load, save

__all__ = ["Saved", "load", "save"]
