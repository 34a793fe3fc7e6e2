"""The error between poses: the translation and the rotation vector from one to the other, exact at every angle."""

import math

import numpy as np
import pytest
from conftest import random_pose
from scipy.spatial.transform import Rotation

import limbik as lk


def turned(axis, angle):
    T = np.eye(4)
    T[:3, :3] = Rotation.from_rotvec(np.asarray(axis) / np.linalg.norm(axis) * angle).as_matrix()
    return T


def test_adding_the_error_reaches_the_target(rng):
    for _ in range(300):
        A, B = random_pose(rng), random_pose(rng)
        e = lk.pose_error(A, B)
        assert np.abs(A[:3, 3] + e[:3] - B[:3, 3]).max() < 1e-15 * 8
        assert np.abs(Rotation.from_rotvec(e[3:]).as_matrix() @ A[:3, :3] - B[:3, :3]).max() < 1e-14


@pytest.mark.parametrize("gap", [0.0, 1e-15, 1e-12, 1e-9, 1e-8, 1e-6, 1e-4, 1e-3, 1e-2, 0.5])
def test_small_angles_and_half_turns_are_exact(gap, rng):
    for _ in range(20):
        axis = rng.normal(size=3)
        near, far = turned(axis, gap), turned(axis, math.pi - gap)
        assert np.linalg.norm(lk.pose_error(np.eye(4), near)[3:]) == pytest.approx(gap, abs=4e-16, rel=1e-12)
        assert np.linalg.norm(lk.pose_error(np.eye(4), far)[3:]) == pytest.approx(math.pi - gap, abs=3e-15)
        w = lk.pose_error(np.eye(4), far)[3:]
        assert np.abs(Rotation.from_rotvec(w).as_matrix() - far[:3, :3]).max() < 1e-14


def test_shapes_and_broadcast(rng):
    many = np.stack([random_pose(rng) for _ in range(11)])
    one = random_pose(rng)
    assert lk.pose_error(many, one).shape == (11, 6)
    for k in range(11):
        assert np.array_equal(lk.pose_error(many, one)[k], lk.pose_error(many[k], one))
        assert np.array_equal(lk.pose_error(one, many)[k], lk.pose_error(one, many[k]))
    with pytest.raises(lk.ShapeError):
        lk.pose_error(many, many[:3])
    with pytest.raises(lk.ShapeError):
        lk.pose_error(np.eye(3), one)
    with pytest.raises(lk.NotFinite):
        lk.pose_error(one * np.nan, one)
