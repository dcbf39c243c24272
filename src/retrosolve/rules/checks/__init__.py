"""Checks of an author's rules: one module for each part of the contract."""
