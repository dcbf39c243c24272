"""Edges as compressed sparse rows."""
