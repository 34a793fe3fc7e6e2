"""`lk.pose`: the matrix of a position and a rotation, compared with SciPy."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik as lk


@pytest.fixture
def turned():
    return Rotation.random(20, random_state=4)


def test_every_form_of_a_rotation_gives_scipys_matrix(turned, rng):
    xyz = rng.uniform(-1, 1, (20, 3))
    q = turned.as_quat()  # x, y, z, w
    forms = [
        {"xyzw": q},
        {"wxyz": np.roll(q, 1, axis=1)},
        {"rpy": turned.as_euler("xyz")},
        {"rotation": turned.as_matrix()},
        {"rotation": turned},
    ]
    for form in forms:
        T = lk.pose(xyz, **form)
        assert np.abs(T[:, :3, :3] - turned.as_matrix()).max() < 1e-14
        assert np.array_equal(T[:, :3, 3], xyz) and np.array_equal(T[:, 3], np.tile([0, 0, 0, 1], (20, 1)))
        for k in (0, 7):
            one = {name: value[k] for name, value in form.items()}
            assert np.array_equal(lk.pose(xyz[k], **one), T[k])
    assert np.array_equal(lk.pose(xyz[0], xyzw=-q[0]), lk.pose(xyz[0], xyzw=q[0]))
    assert np.abs(lk.pose(xyz[0], xyzw=q[0].astype(np.float32)) - lk.pose(xyz[0], xyzw=q[0])).max() < 1e-6


def test_positions_and_rotations_broadcast(turned):
    assert np.array_equal(lk.pose(), np.eye(4)) and np.array_equal(lk.pose((1, 2, 3))[:3, 3], (1, 2, 3))
    assert lk.pose((1, 2, 3), xyzw=turned.as_quat()).shape == (20, 4, 4)
    assert lk.pose(np.zeros((5, 3)), rpy=(0, 0, 1)).shape == (5, 4, 4)
    assert lk.pose(np.zeros((0, 3)), xyzw=np.zeros((0, 4))).shape == (0, 4, 4)
    T = lk.pose((0.4, 0.1, 0.3), xyzw=(1, 0, 0, 0))
    T[0, 3] = 7  # the caller may change the result
    assert lk.load("ur5").solve(lk.pose((0.4, 0.1, 0.3), xyzw=(1, 0, 0, 0))).ok


def test_it_agrees_with_the_shell():
    from limbik.formats.poses import pose_from_numbers

    line = [0.4, 0.1, 0.5, 180, 0, 30]
    assert np.array_equal(lk.pose(line[:3], rpy=np.radians(line[3:])), pose_from_numbers(line, "it"))


WRONG = {
    "length": (lk.NotRigid, {"xyzw": (0, 0, 0, 2)}, "length 2 instead of 1"),
    "zero": (lk.NotRigid, {"wxyz": (0, 0, 0, 0)}, "wxyz has length 0"),
    "one of many": (lk.NotRigid, {"xyzw": [(0, 0, 0, 1), (0, 0, 0, 1.5)]}, "length 1.5"),
    "three": (lk.ShapeError, {"xyzw": (0, 0, 1)}, "real part last"),
    "degrees": (lk.BadOption, {"rpy": (180, 0, 30)}, r"np\.radians\(rpy\)"),
    "two": (lk.BadOption, {"rpy": (0, 0, 1), "xyzw": (0, 0, 0, 1)}, "xyzw and rpy"),
    "scaled": (lk.NotRigid, {"rotation": 2 * np.eye(3)}, "is it scaled"),
    "mirrored": (lk.NotRigid, {"rotation": np.diag([1, 1, -1])}, "mirrored"),
    "4x4": (lk.ShapeError, {"rotation": np.eye(4)}, "3x3"),
    "text": (lk.errors.NotNumeric, {"rpy": "abc"}, "roll, pitch and yaw"),
    "nan": (lk.NotFinite, {"rpy": (0, 0, np.nan)}, "NaN"),
    "infinite": (lk.NotFinite, {"xyzw": (0, 0, 0, np.inf)}, "NaN or infinity"),
    "deep": (lk.ShapeError, {"xyzw": np.zeros((2, 2, 4))}, "many of them"),
    "other count": (
        lk.ShapeError,
        {"xyz": np.zeros((3, 3)), "xyzw": np.tile([0, 0, 0, 1.0], (2, 1))},
        "equal numbers of both",
    ),
    "seven": (lk.ShapeError, {"xyz": np.zeros(7)}, r"xyzw=v\[3:\] or wxyz=v\[3:\]"),
    "six": (lk.ShapeError, {"xyz": np.zeros(6)}, r"rpy=v\[3:\]"),
    "huge": (lk.NotRigid, {"xyzw": (0, 0, 0, 1e300)}, "instead of 1"),
}


@pytest.mark.parametrize("case", WRONG)
def test_invalid_arguments_raise_with_the_remedy(case):
    kind, given, text = WRONG[case]
    with pytest.raises(kind, match=text):
        lk.pose(**given)


def test_the_order_of_a_quaternion_has_a_name():
    with pytest.raises(TypeError):
        lk.pose((0, 0, 0), (0, 0, 0, 1))
