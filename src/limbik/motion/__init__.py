"""Postures over time."""
