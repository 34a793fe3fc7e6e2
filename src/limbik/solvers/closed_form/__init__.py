"""Closed-form inverse kinematics: all configurations (postures) of a target from the geometry, without iteration."""
