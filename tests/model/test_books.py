"""Arms of the catalogue move as the books, papers and tables that they cite say."""

import math

import numpy as np
import pytest
from turns import SEED, Rx, Ry, Rz, pose, postures, shift

import limbik


def test_puma560_is_craigs():
    """Craig writes the wrist point and the last axis out in full (chapter 3, the kinematics of the Puma 560)."""
    arm, (a2, a3, d3, d4) = limbik.load("puma560"), (0.4318, 0.02032, 0.14909, 0.43307)
    for q in postures(6):
        s1, s2, _, s4, s5, _ = np.sin(q)
        c1, c2, _, c4, c5, _ = np.cos(q)
        s23, c23 = math.sin(q[1] + q[2]), math.cos(q[1] + q[2])
        out = a2 * c2 + a3 * c23 - d4 * s23
        point = (c1 * out - d3 * s1, s1 * out + d3 * c1, -a3 * s23 - a2 * s2 - d4 * c23)
        axis = (
            -c1 * (c23 * c4 * s5 + s23 * c5) - s1 * s4 * s5,
            -s1 * (c23 * c4 * s5 + s23 * c5) + c1 * s4 * s5,
            s23 * c4 * s5 - c23 * c5,
        )
        T = arm.forward(q)
        assert np.allclose(T[:3, 3], point, atol=1e-12) and np.allclose(T[:3, 2], axis, atol=1e-12), q
    assert np.allclose(np.degrees(arm.lower), [-170, -225, -250, -135, -100, -180])
    assert np.allclose(np.degrees(arm.upper), [170, 45, 75, 135, 100, 180])


# The frame that Chin prints for 0.5 degrees on every joint (section 6.2, example 1); lengths in centimetres.
EXAMPLE_1 = [
    [-0.999960, 0.008954, -0.000079, 0.959823],
    [-0.000155, -0.026099, -0.999659, -109.984770],
    [-0.008953, -0.999619, 0.026099, 1.483471],
    [0, 0, 0, 1],
]


def test_human_arm_6_gives_the_thesis_example():
    arm = limbik.load("human_arm_6")
    T = np.array(arm.forward(np.full(6, math.radians(0.5))))
    T[:3, 3] *= 100
    assert np.abs(T - EXAMPLE_1).max() < 6e-7
    assert np.allclose(np.degrees(arm.lower), [0, -60, 0, -80, -70, -20])
    assert np.allclose(np.degrees(arm.upper), [180, 180, 150, 80, 80, 30])


# The signs that section 5.1.2 gives the angles of appendix B, and its rotation of the hand's frame.
CHIN_SIGNS = np.array([1, -1, -1, -1, -1, -1])
CHIN_HAND = pose([[-1, 0, 0], [0, 0, -1], [0, -1, 0]])


def test_human_arm_6_is_both_chains_of_the_thesis():
    arm = limbik.load("human_arm_6")
    for q in postures(6):
        t = CHIN_SIGNS * q
        T = Rz(t[0]) @ Rx(t[1]) @ shift(0, -0.5, 0) @ Rx(t[2]) @ Ry(t[3]) @ shift(0, -0.6, 0) @ Rx(t[4]) @ Rz(t[5])
        assert np.allclose(arm.forward(q), T @ CHIN_HAND, atol=1e-12), q


def chin_closed_form(T, d3=0.5, d4=0.6):
    """All eight postures (N, 8, 6) of the thesis' closed form, with its errata, in the angles of section 5.1.2."""
    Px, Py, Pz = T[:, :3, 3].T
    found = []
    for side in (1, -1):
        t1 = np.arctan2(side * Px, -side * Py)
        s1, c1 = np.sin(t1), np.cos(t1)
        u = -s1 * Px + c1 * Py
        a, b, c = 2 * d3 * u, 2 * d3 * Pz, d4**2 - u**2 - Pz**2 - d3**2
        for bend in (1, -1):
            t2 = np.arctan2(b, a) + bend * np.arctan2(np.sqrt(np.maximum(a**2 + b**2 - c**2, 0)), c)
            s2, c2 = np.sin(t2), np.cos(t2)
            t3 = np.arctan2(s2 * u - c2 * Pz, -c2 * u - s2 * Pz - d3)
            s23, c23 = np.sin(t2 + t3), np.cos(t2 + t3)
            # The hand's axes N, O, A seen from the forearm before it turns: across, along the upper side, lengthwise.
            x, y, z = T[:, 0, :3].T, T[:, 1, :3].T, T[:, 2, :3].T
            across, over = x * c1 + y * s1, (y * c1 - x * s1) * s23 - z * c23
            lengthwise = (x * s1 - y * c1) * c23 - z * s23
            for flip in (1, -1):
                t4 = np.arctan2(flip * across[2], -flip * over[2])
                s4, c4 = np.sin(t4), np.cos(t4)
                turned = c4 * across + s4 * over
                t5 = np.arctan2(lengthwise[2], s4 * across[2] - c4 * over[2])
                t6 = np.arctan2(-turned[1], turned[0])
                found.append(np.stack([t1, t2, t3, t4, t5, t6], axis=-1))
    return np.stack(found, axis=1)


def test_the_ranges_of_human_arm_6_leave_one_posture_of_eight():
    arm = limbik.load("human_arm_6")
    q = arm.sample(np.random.default_rng(SEED), 3000)
    T = arm.forward(q)
    answers = CHIN_SIGNS * chin_closed_form(T @ CHIN_HAND.T)
    assert np.abs(arm.forward(answers) - T[:, None]).max() < 1e-9
    turns = 2 * math.pi * np.arange(-2, 3)
    copies = answers[..., None] + turns
    slack = 1e-9  # [rad] rounding at the ends of a range
    fits = ((copies >= arm.lower[:, None] - slack) & (copies <= arm.upper[:, None] + slack)).any(-1).all(-1)
    assert (fits.sum(axis=1) == 1).all()


def test_human_arm_7_is_a_cardan_shoulder_an_elbow_and_a_zyz_wrist():
    arm = limbik.load("human_arm_7")
    for q in postures(7):
        shoulder = Rz(q[0]) @ Ry(q[1]) @ Rx(q[2]) @ shift(0.334, 0, 0)
        T = shoulder @ Ry(-q[3]) @ shift(0.288, 0, 0) @ Rz(q[4]) @ Ry(q[5]) @ Rz(q[6])
        assert np.allclose(arm.forward(q), T, atol=1e-12), q
    bent = arm.forward([0, 0, 0, math.radians(90), 0, 0, 0])
    assert np.allclose(bent[:3, 3], [0.334, 0, 0.288])
    assert np.allclose(np.degrees(arm.lower), [-39, -61, -83, 0, -40, -59, -78])
    assert np.allclose(np.degrees(arm.upper), [164, 187, 210, 149, 61, 78, 94])


def test_human_arm_8_is_the_product_of_the_repaired_matrices():
    """Appendix D prints eight matrices of two patterns; (offset, length, sign of the twist, shift along the axis)."""
    rows = [(90, 0, 1, 0), (180, 80, 1, 50), (0, 0, -1, 0), (0, 50, 0, 0), (-90, 0, 1, 0), (0, 0, -1, 60),
            (90, 0, 1, 0), (90, 0, 1, 0)]  # fmt: skip
    arm = limbik.load("human_arm_8")
    for q in postures(8):
        T = np.eye(4)
        for angle, (offset, a, twist, d) in zip(q, rows, strict=True):
            c, s = math.cos(angle + math.radians(offset)), math.sin(angle + math.radians(offset))
            if twist:
                A = [[c, 0, twist * s, a * c], [s, 0, -twist * c, a * s], [0, twist, 0, d], [0, 0, 0, 1]]
            else:
                A = [[c, -s, 0, a * c], [s, c, 0, a * s], [0, 0, 1, d], [0, 0, 0, 1]]
            T = T @ np.array(A)
        T[:3, 3] /= 100
        assert np.allclose(arm.forward(q), T, atol=1e-12), q
    assert np.allclose(arm.lower, -math.pi) and np.allclose(arm.upper, math.pi)


PLANAR = {
    "planar2_guez": ((1.0, 0.9), 0),
    "planar3_guez": ((1.0, 0.9, 0.1), 0),
    "planar3_cruse": ((1, 1, 1), 0),
    "planar3_chin": ((10, 10, 10), math.pi / 2),
}


@pytest.mark.parametrize("name", PLANAR)
def test_planar_arms_add_up_in_the_plane(name):
    arm, (lengths, start) = limbik.load(name), PLANAR[name]
    q = postures(arm.n)
    tip = (np.array(lengths) * np.exp(1j * (start + np.cumsum(q, axis=1)))).sum(axis=1)
    T = arm.forward(q)
    assert np.allclose(T[:, 0, 3] + 1j * T[:, 1, 3], tip, atol=1e-12)
    assert np.allclose(T[:, 2, 3], 0, atol=1e-12)
    assert np.isinf(arm.lower).all() and np.isinf(arm.upper).all()


def test_scara_points_down_and_its_quill_moves_down():
    arm = limbik.load("scara")
    for q in postures(4):
        q1, q12 = q[0], q[0] + q[1]
        x, y = 0.325 * math.cos(q1) + 0.275 * math.cos(q12), 0.325 * math.sin(q1) + 0.275 * math.sin(q12)
        assert np.allclose(arm.forward(q), shift(x, y, 0.387 - q[2]) @ Rz(q12 - q[3]) @ Rx(math.pi), atol=1e-12)
    assert np.allclose(arm.lower, [math.radians(-105), math.radians(-150), 0, -math.tau])
    assert np.allclose(arm.upper, [math.radians(105), math.radians(150), 0.21, math.tau])


def test_gantry_moves_along_the_axes_and_rotates_about_a_point():
    arm = limbik.load("gantry")
    for q in postures(6):
        wrist = shift(q[0], q[1], -q[2]) @ Rz(-q[3]) @ Ry(q[4]) @ Rz(-q[5])
        assert np.allclose(arm.forward(q), wrist @ shift(0, 0, -0.1) @ Rx(math.pi), atol=1e-12), q
    assert np.allclose(arm.upper[:3] - arm.lower[:3], [2.0, 1.0, 0.8])


def test_k1207_folds_beside_its_roll_axes():
    """In the zero posture the roll axes lie on one line, and every pitch axis is offset from it."""
    arm = limbik.load("k1207")
    assert np.allclose(arm.forward(np.zeros(7)), shift(0, 0, 0.30 + 0.55 + 0.55 + 0.18), atol=1e-12)
    q = np.array([0.4, 0, -1.1, 0, 0.9, 0, -0.2])
    assert np.allclose(arm.forward(q), arm.forward(np.zeros(7)), atol=1e-12)
    assert "no source" in arm.model.mechanism.licence


def test_ur10e_has_the_published_lengths():
    """Stretched along -x at zero, each length shows in one coordinate; the ranges are those of the UR10."""
    arm = limbik.load("ur10e")
    T = arm.forward(np.zeros(6))
    expected = shift(-0.6127 - 0.57155, -0.17415 - 0.11655, 0.1807 - 0.11985) @ Rx(math.pi / 2)
    assert np.allclose(T, expected, atol=1e-12)
    bent = arm.forward([0, 0, math.pi / 2, 0, 0, 0])
    assert np.allclose(bent[:3, 3], [-0.6127 + 0.11985, -0.17415 - 0.11655, 0.1807 - 0.57155], atol=1e-12)
    assert (arm.lower == limbik.load("ur10").lower).all() and (arm.upper == limbik.load("ur10").upper).all()
