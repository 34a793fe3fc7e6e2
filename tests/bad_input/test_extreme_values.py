"""Numbers of any size: answered with finite numbers, or refused."""

import numpy as np
import pytest
from hostile import ARM, LINKS, refused, run_apart, warnings_off

import limbik
from limbik import BadModel, Chain, LimbikError, ShapeError
from limbik.errors import NotNumeric
from limbik.model import Joint, Mechanism


@pytest.mark.parametrize("size", [1e-320, 1e-160, 1e-9, 1e5, 1e9, 1e100, 1e155, 1e300])
def test_extreme_joint_values_give_rotations(size):
    """A rotation vector of any length is a rotation, or is refused as too long: squaring it must not overflow."""
    for q, body, frame in (
        (np.full(ARM.n, size), ARM, None),
        (np.array([size, -size, size]), Chain(Mechanism("m", LINKS[:2], (Joint("j", "ball", "a", "b"),))), None),
    ):
        try:
            R = body.forward(q, frame)[:3, :3]
        except LimbikError:
            assert size > 1e100
            continue
        assert np.isfinite(R).all()
        assert np.allclose(R @ R.T, np.eye(3), atol=1e-12)
        assert np.array_equal(body.forward(np.stack([q] * 3), frame)[2], body.forward(q, frame))
        assert np.isfinite(body.model.integrate(q, np.zeros_like(q))).all()
        assert np.isfinite(body.model.difference(q, q)).all()


@pytest.mark.parametrize("wide", [1e20, 1e90, 1e160, 1.7e308])
def test_wide_ranges_are_sampled_or_refused(wide):
    rows = [(1, 0, 0, 0, "prismatic", -wide, wide), (1, 0, 0, 0, "revolute", 0.6 * wide, wide)]
    try:
        body = Chain.from_dh(rows)
    except BadModel:
        assert wide > 1e100
        return
    q = body.sample(np.random.default_rng(0), 100)
    assert body.within_limits(q).all()
    assert body.within_limits(body.home)


def test_many_axes_do_not_overrun_the_helper_of_tests():
    printed = run_apart("""
import numpy as np
import limbik.geometry.se3
from limbik._core import trigonometry
try:
    trigonometry(np.zeros((1,) * 60))
except Exception as error:
    print(type(error).__name__)
""")
    assert printed == "ShapeError"


@pytest.mark.parametrize(
    "pair", [(np.eye(3), np.eye(4)), (np.eye(4), np.zeros((2, 3, 4))), (np.eye(4)[None], np.zeros((2, 4, 4)))]
)
def test_pose_errors_of_wrong_shapes_are_refused(pair):
    with refused(ShapeError, "4, 4"):
        limbik.pose_error(*pair)


@pytest.mark.parametrize("bad", [None, "abc", {}, np.eye(4) * 1j, [[1], [1, 2]]])
def test_pose_errors_of_no_numbers_are_refused(bad):
    with warnings_off():
        with refused((NotNumeric, ShapeError)):
            limbik.pose_error(bad, np.eye(4))
        with refused((NotNumeric, ShapeError)):
            limbik.pose_error(np.eye(4), bad)
