"""Plots of robots, clips and results with matplotlib."""
