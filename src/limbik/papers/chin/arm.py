"""The thesis' arm with six joints, in both of its descriptions, which are one arm.

Section 5.1.2 ("the A chain"): T6 = A1 ... A6 with A1 = Rz, A2 = Rx, A3 = Trans(0, -d3, 0) Rx, A4 = Ry,
A5 = Trans(0, -d4, 0) Rx, A6 = Rz. Appendix B: a standard Denavit-Hartenberg table. Both hang along -y at zero. All joints but
the first have opposite signs, and the frames of the hand differ by a constant rotation K:

    T_appendix_b(q) = T_a_chain(SIGNS * q) K

Table 5.2, the joint limits, fits the signs of appendix B: there a positive elbow angle moves the hand to +z, the direction in
which the thesis flexes the arm (section 6.5.2).

Errata. Appendix B's printed matrix A4 has the angle of joint 3, its table rightly that of joint 4. (3.1) is Craig's modified
Denavit-Hartenberg matrix; the tables of the appendices are standard ones.
"""

import numpy as np

from limbik.geometry.arrays import Array
from limbik.robot.chain import Chain

# The thesis' unit of length [m], and its upper arm d3 and forearm d4 [units].
UNIT = 0.01
UPPER_ARM, FOREARM = 50.0, 60.0

# Table 5.2, one row per joint: shoulder Z, X; elbow X, Y; wrist X, Z [degrees]. This shoulder does not rotate about Y.
TABLE_5_2 = ((0, 180), (-60, 180), (0, 150), (-80, 80), (-70, 80), (-20, 30))

# q of the A chain = SIGNS * q of appendix B, and the rotation between the two frames of the hand.
SIGNS = np.array([1.0, -1.0, -1.0, -1.0, -1.0, -1.0])
K = np.array([[-1.0, 0, 0, 0], [0, 0, -1.0, 0], [0, -1.0, 0, 0], [0, 0, 0, 1.0]])


def limits() -> tuple[Array, Array]:
    """Return Table 5.2 [rad], lower and upper, with the signs of appendix B."""
    lower, upper = np.radians(np.array(TABLE_5_2, dtype=float)).T
    return lower, upper


def a_chain(upper_arm: float = UPPER_ARM, forearm: float = FOREARM) -> Chain:
    """Return the arm of section 5.1.2. Lengths are in the thesis' units; the chain's are in metres."""
    d3, d4 = upper_arm * UNIT, forearm * UNIT
    elbow, hand = np.array([0, -d3, 0]), np.array([0, -d3 - d4, 0])
    x, y, z = np.eye(3)
    shoulder = np.zeros(3)
    joints = ((z, shoulder), (x, shoulder), (x, elbow), (y, elbow), (x, hand), (z, hand))
    screws = [np.concatenate([axis, -np.cross(axis, point)]) for axis, point in joints]
    home = np.eye(4)
    home[:3, 3] = hand
    ends = SIGNS * np.stack(limits())
    lower, upper = ends.min(axis=0).tolist(), ends.max(axis=0).tolist()
    return Chain.from_screws(screws, home, lower=lower, upper=upper, name="chin_5_1_2")


def appendix_b(upper_arm: float = UPPER_ARM, forearm: float = FOREARM) -> Chain:
    """Return the arm of appendix B: the catalogue's `human_arm_6`, with other lengths if given [the thesis' units]."""
    d3, d4 = upper_arm * UNIT, forearm * UNIT
    geometry = ((0, 90, 0, -90), (d3, 0, 0, 0), (0, 90, 0, 90), (0, -90, d4, 0), (0, 90, 0, -90), (0, 90, 0, 90))
    rows = [(*row, "revolute", *ends) for row, ends in zip(geometry, TABLE_5_2, strict=True)]
    return Chain.from_dh(rows, convention="standard", degrees=True, name="chin_appendix_b")


def in_units(T: Array) -> Array:
    """Return poses (..., 4, 4) with their positions in the thesis' units instead of metres."""
    out = np.array(T)
    out[..., :3, 3] /= UNIT
    return out


def turn_gap(a: Array, b: Array) -> Array:
    """Return |a - b| [rad] modulo whole turns, elementwise."""
    return np.abs(np.remainder(a - b + np.pi, 2 * np.pi) - np.pi)
