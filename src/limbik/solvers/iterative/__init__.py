"""Iterative methods: numerical inverse kinematics from a start configuration."""
