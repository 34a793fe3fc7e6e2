"""Shared by tests of the catalogue: elementary transforms written from their definition, and random postures."""

import math

import numpy as np

# Seed of every random posture here.
SEED = 20240607


def Rx(t):
    c, s = math.cos(t), math.sin(t)
    return pose([[1, 0, 0], [0, c, -s], [0, s, c]])


def Ry(t):
    c, s = math.cos(t), math.sin(t)
    return pose([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def Rz(t):
    c, s = math.cos(t), math.sin(t)
    return pose([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def shift(x, y, z):
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def pose(R):
    T = np.eye(4)
    T[:3, :3] = R
    return T


def postures(n, size=50):
    """Random angles, also outside the limits: the geometry holds everywhere."""
    return np.random.default_rng(SEED).uniform(-math.pi, math.pi, (size, n))
