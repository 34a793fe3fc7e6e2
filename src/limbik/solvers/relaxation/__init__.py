"""Relaxation: networks whose every value is the mean of several computations of it, and that settle where all agree."""
