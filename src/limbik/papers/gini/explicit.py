"""The paper's equations (12) to (15), corrected, in cm: an independent check of the closed form of the core.

Three spheres: (x + 20)^2 + y^2 + z^2 = Lpe^2, (3 x)^2 + (3 y)^2 + (3 z - 3)^2 = Lde^2, x^2 + y^2 + z^2 = 25, with (x, y, z)
the insertion of the pectoralis. The difference of the first and third gives x, of the second and nine times the third z, and
y follows up to its sign: the arm in front of the body, and its mirror image behind.
"""

import math

import numpy as np

from limbik.geometry.arrays import Array


def spheres(l_pe: float, l_de: float) -> tuple[Array, Array]:
    """Return both points where the three spheres of (13) meet; NaN where they do not."""
    x, z = (l_pe**2 - 425) / 40, (234 - l_de**2) / 18
    left = 25 - x * x - z * z
    y = math.sqrt(left) if left >= 0 else math.nan
    return np.array([x, y, z]), np.array([x, -y, z])


def equation_14(l_pe: float, l_de: float) -> Array:
    """Return (14) with its root written out as printed, but with 16 Lde^4 and without the stray factor."""
    root = 25 * (2754 * l_pe**2 - 16 * l_de**4 + 9 * (832 * l_de**2 - 147969)) - 81 * l_pe**4
    return np.array([(l_pe**2 - 425) / 40, math.sqrt(max(root, 0.0)) / 360, (234 - l_de**2) / 18])


def angles(p: Array) -> tuple[float, float]:
    """Return (alpha, beta) of (15) with corrected signs: p / |p| = (-sin b cos a, sin a, -cos b cos a)."""
    x, y, z = p
    return math.atan2(y, math.hypot(x, z)), math.atan2(-x, -z)


def fold(l_pe: float, l_de: float) -> float:
    """Return det d(Lpe, Lde)/d(alpha, beta) [cm^2] in front of the body; 0 at y = 0, which the arm cannot cross."""
    alpha, beta = angles(spheres(l_pe, l_de)[0])
    sa, ca, sb, cb = math.sin(alpha), math.cos(alpha), math.sin(beta), math.cos(beta)
    # L^2 = |o|^2 + s^2 - 2 s o.u for both, and u by its angles
    du = np.array([[sb * sa, ca, cb * sa], [-cb * ca, 0.0, sb * ca]])
    pe = -5 * du @ np.array([-20.0, 0, 0]) / l_pe
    de = -15 * du @ np.array([0.0, 0, 3]) / l_de
    return float(pe[0] * de[1] - pe[1] * de[0])
