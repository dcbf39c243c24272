"""Array kernels: arrays in, arrays changed in place; no Python objects and no imports of ours."""
