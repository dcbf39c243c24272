"""Spaces: what can be solved."""
