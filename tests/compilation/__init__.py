"""Tests of the compiler's cache, which compile kernels of their own."""
