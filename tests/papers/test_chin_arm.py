"""The thesis' arm: both descriptions are one arm, and the corrected equations give every posture."""

import numpy as np
import pytest

import limbik as lk
from limbik.papers.chin import explicit
from limbik.papers.chin.arm import SIGNS, UNIT, K, a_chain, appendix_b, in_units, turn_gap

POSES = 200
LENGTHS = [(50.0, 60.0), (50.0, 50.0), (30.0, 75.0)]


def rotation(axis, angle):
    """A rotation about a coordinate axis, as (4, 4)."""
    a, b = [k for k in range(3) if k != axis]
    R = np.eye(4)
    c, s = np.cos(angle), np.sin(angle) * (-1 if axis == 1 else 1)
    R[a, a], R[a, b], R[b, a], R[b, b] = c, -s, s, c
    return R


def printed_product(q, d3, d4):
    """A1 ... A6 of section 5.1.2, multiplied."""
    X, Y, Z = 0, 1, 2
    matrices = [rotation(axis, angle) for axis, angle in zip((Z, X, X, Y, X, Z), q, strict=True)]
    matrices[2][:3, 3], matrices[4][:3, 3] = (0, -d3, 0), (0, -d4, 0)
    return np.linalg.multi_dot(matrices)


@pytest.mark.parametrize("lengths", LENGTHS)
def test_the_a_chain_is_the_product_of_the_printed_matrices(rng, lengths):
    arm = a_chain(*lengths)
    for q in rng.uniform(-np.pi, np.pi, (20, 6)):
        assert np.allclose(in_units(arm.forward(q)), printed_product(q, *lengths), atol=1e-12)


@pytest.mark.parametrize("lengths", LENGTHS)
def test_the_two_descriptions_are_one_arm(rng, lengths):
    q = rng.uniform(-np.pi, np.pi, (POSES, 6))
    bridged = a_chain(*lengths).forward(SIGNS * q) @ K
    assert np.abs(appendix_b(*lengths).forward(q) - bridged).max() <= 1e-14


def test_the_ranges_of_the_two_are_the_same_postures():
    one, other = a_chain(), appendix_b()
    assert np.allclose(np.sort([SIGNS * one.lower, SIGNS * one.upper], axis=0), [other.lower, other.upper])


def test_appendix_b_is_the_arm_of_the_catalogue(rng):
    ours, catalogued = appendix_b(), lk.load("human_arm_6")
    q = rng.uniform(-np.pi, np.pi, (POSES, 6))
    assert np.array_equal(ours.forward(q), catalogued.forward(q))
    assert np.array_equal(ours.lower, catalogued.lower) and np.array_equal(ours.upper, catalogued.upper)


@pytest.mark.parametrize("lengths", LENGTHS)
def test_the_equations_reach_the_pose_eight_times_and_find_what_made_it(rng, lengths):
    arm = a_chain(*lengths)
    q = rng.uniform(-np.pi, np.pi, (POSES, 6))
    T = arm.forward(q)
    found = explicit.postures(in_units(T), *lengths)
    assert found.reached.all() and not (found.doubled.any() or found.shoulder_free.any() or found.wrist_free.any())
    assert np.abs(in_units(arm.forward(found.q)) - in_units(T)[:, None]).max() <= 1e-10
    assert turn_gap(found.q, q[:, None]).max(axis=-1).min(axis=1).max() <= 1e-8
    apart = turn_gap(found.q[:, :, None], found.q[:, None]).max(axis=-1) + np.eye(8)
    assert apart.min() > 1e-7


def equations_at(change, seed, lengths=(50.0, 60.0)):
    """Return the equations' answer for a degenerate posture, and its largest error."""
    arm = a_chain(*lengths)
    T = in_units(change(arm, np.array(seed)))
    found = explicit.postures(T, *lengths, seed=np.array(seed))
    return found, np.abs(in_units(arm.forward(found.q)) - T).max() if found.reached else np.nan


def bent(joint, angle):
    def change(arm, q):
        q[joint] = angle
        return arm.forward(q)

    return change


def moved_to(position):
    def change(arm, q):
        T = np.array(arm.forward(q))
        T[:3, 3] = np.array(position) * UNIT
        return T

    return change


SEED = (0.3, -0.4, 0.7, 0.5, 0.6, -0.2)


@pytest.mark.parametrize("angle", [0.0, np.pi])
def test_a_straight_or_folded_elbow_is_a_double_root(angle):
    found, error = equations_at(bent(2, angle), SEED)
    assert found.doubled and not found.shoulder_free and error <= 1e-9


def test_out_of_reach_is_no_posture():
    for place in ((0, -111, 0), (70, 70, 70), (0, 9, 0)):
        found, _ = equations_at(moved_to(place), SEED)
        assert not found.reached and np.isnan(found.q).all()


def test_a_free_shoulder_keeps_the_callers_angle():
    found, error = equations_at(moved_to((0, 0, 70)), SEED)
    assert found.shoulder_free and error <= 1e-9
    assert (turn_gap(found.q[:4, 0], SEED[0]) <= 1e-12).all()


@pytest.mark.parametrize("angle", [np.pi / 2, -np.pi / 2])
def test_a_free_wrist_keeps_the_callers_angle(angle):
    found, error = equations_at(bent(4, angle), SEED)
    assert found.wrist_free.sum() == 4 and error <= 1e-9
    q = np.array(SEED)
    q[4] = angle
    assert turn_gap(found.q[found.wrist_free], q).max(axis=-1).min() <= 1e-9


def test_a_hand_at_the_shoulder_keeps_both_angles():
    found, error = equations_at(moved_to((0, 0, 0)), SEED, (50.0, 50.0))
    assert found.reached and found.shoulder_free and error <= 1e-9
    assert turn_gap(found.q[:4, :2], np.array(SEED[:2])).max() <= 1e-12
    assert not equations_at(moved_to((0, 0, 0)), SEED)[0].reached
