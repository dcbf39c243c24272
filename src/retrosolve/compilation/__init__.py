"""Compiling kernels: when it pays, for which rules, and keeping what was compiled."""
