"""Threads, memory, progress and tuning."""
