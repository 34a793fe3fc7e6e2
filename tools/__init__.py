"""Checks of the source, and generators of files from it. `make lint` runs most of them."""
