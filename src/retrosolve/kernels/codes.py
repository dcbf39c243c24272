"""The value of an index that stands for no position: in rules, terminal values, tables and kernels."""

INVALID = 255
