"""Checks of an author's rules before a long run: each part of the contract a file."""
