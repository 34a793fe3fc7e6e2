"""Inverse kinematics by look-up: built once per robot, kept in a file, read in nanoseconds."""
