"""The documentation: its pages, and what draws and writes parts of them."""
