"""Tests of the pages, which start servers and a browser."""
