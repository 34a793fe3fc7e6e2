"""Matrices, quaternions and rotation vectors against SciPy, at small, ordinary and half turns."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from limbik.geometry import so3
from limbik.geometry.se3 import from_quaternion, from_rpy, rpy_of


@pytest.fixture(params=[0.0, 1e-300, 1e-9, 1e-3, 1.0, np.pi - 1e-9, np.pi])
def vectors(request, rng):
    axes = rng.normal(size=(60, 3))
    return request.param * axes / np.linalg.norm(axes, axis=1, keepdims=True)


def test_every_form_agrees_with_scipy(vectors):
    true = Rotation.from_rotvec(vectors)
    R = so3.matrix_from_vector(vectors)
    assert np.abs(R - true.as_matrix()).max() < 1e-15 * 4
    q = so3.quaternion_from_matrix(R)
    assert (q[:, 3] >= 0).all()
    assert np.abs(np.abs((q * true.as_quat()).sum(1)) - 1).max() < 1e-14
    assert np.abs(so3.matrix_from_quaternion(q) - R).max() < 1e-15 * 4
    assert np.abs(so3.matrix_from_vector(so3.vector_from_matrix(R)) - R).max() < 1e-15 * 8


def test_small_and_half_turns_keep_all_digits(vectors):
    angles = np.linalg.norm(vectors, axis=1)
    read = so3.vector_from_quaternion(so3.quaternion_from_vector(vectors))
    assert np.abs(np.linalg.norm(read, axis=1) - angles).max() <= 4e-16 * max(angles.max(), 1e-300)


def test_a_quaternion_of_any_length_is_read(rng):
    v = rng.normal(size=(50, 3))
    q = so3.quaternion_from_vector(v) * rng.uniform(0.01, 100, (50, 1)) * rng.choice([-1, 1], (50, 1))
    assert np.abs(so3.matrix_from_vector(so3.vector_from_quaternion(q)) - so3.matrix_from_vector(v)).max() < 1e-14


def test_products_rotate_by_the_second_factor_first(rng):
    a, b = rng.normal(size=(2, 40, 3))
    product = so3.quaternion_product(so3.quaternion_from_vector(a), so3.quaternion_from_vector(b))
    assert (
        np.abs(so3.matrix_from_quaternion(product) - so3.matrix_from_vector(a) @ so3.matrix_from_vector(b)).max()
        < 1e-14
    )


def test_signs_are_continuous_along_the_first_axis(rng):
    path = np.cumsum(rng.normal(size=(200, 3, 3)) * 0.1, axis=0)
    q = so3.quaternion_from_vector(path) * rng.choice([-1.0, 1.0], (200, 3, 1))
    smooth = so3.with_continuous_signs(q)
    assert ((smooth[1:] * smooth[:-1]).sum(-1) > 0).all()
    assert np.abs(so3.matrix_from_quaternion(smooth) - so3.matrix_from_quaternion(q)).max() == 0


def test_the_real_part_is_last():
    assert so3.real_part_last(np.array([0.9, 0.1, 0.2, 0.3])).tolist() == [0.1, 0.2, 0.3, 0.9]
    quarter = from_quaternion((1, 2, 3), (0, 0, np.sqrt(0.5), np.sqrt(0.5)))
    assert np.allclose(quarter, [[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]], atol=1e-15)


def test_angles_between_rotations(rng):
    a, b = Rotation.random(50, random_state=1), Rotation.random(50, random_state=2)
    assert np.abs(so3.angle_between(a.as_matrix(), b.as_matrix()) - (a.inv() * b).magnitude()).max() < 1e-14


def test_roll_pitch_yaw_about_fixed_axes(rng):
    for rpy in [*rng.uniform(-3, 3, (50, 3)), (0.3, np.pi / 2, -1.2)]:
        T = from_rpy((0, 0, 0), rpy)
        assert np.abs(T[:3, :3] - Rotation.from_euler("xyz", rpy).as_matrix()).max() < 1e-15 * 4
        assert np.abs(from_rpy((0, 0, 0), rpy_of(T)) - T).max() < 1e-8
