"""Inverse kinematics by look-up tables: built once per robot, stored in a file, read in nanoseconds."""
