"""Checks of the source and what is generated from it: `make lint` runs most of them."""
