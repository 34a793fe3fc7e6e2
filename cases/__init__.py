"""Robots, targets and motions that tests and benchmarks share."""
