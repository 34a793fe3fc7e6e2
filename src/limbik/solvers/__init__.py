"""Solvers: one folder per family, one file per method, and the types that all of them return."""
