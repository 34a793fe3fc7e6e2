"""Joint limits: intervals, and the cones of balls."""

import math

import numpy as np
import pytest
from conftest import random_chain
from scipy.spatial.transform import Rotation

import limbik as lk


def ball(swing=math.inf, twist=(-math.inf, math.inf), axis=(0.0, 0.0, 1.0)):
    joint = lk.model.Joint("b", lk.model.Kind.BALL, "o", "e", axis=np.array(axis), swing=swing, twist=twist)
    return lk.Chain(lk.model.Mechanism("ball", (lk.model.Link("o"), lk.model.Link("e")), (joint,)))


def test_samples_are_inside_and_clamping_leaves_them(rng):
    for kinds in (
        [lk.model.Kind.REVOLUTE] * 3,
        [lk.model.Kind.PRISMATIC, lk.model.Kind.CONTINUOUS, lk.model.Kind.BALL, lk.model.Kind.FLOATING],
    ):
        arm = random_chain(rng, kinds)
        q = arm.sample(rng, 200)
        assert arm.within_limits(q).all() and np.array_equal(arm.clamp(q), q)
        assert arm.within_limits(arm.home) is True
        far = q + rng.normal(scale=10, size=q.shape)
        assert arm.within_limits(arm.clamp(far)).all()


@pytest.mark.parametrize("axis", [(0, 0, 1), (1, 0, 0), (0.6, 0, -0.8)])
def test_swing_and_twist(axis, rng):
    arm = ball(swing=0.5, twist=(-0.2, 1.0), axis=axis)
    a = np.array(axis, float)
    for _ in range(300):
        tilt = np.cross(a, rng.normal(size=3))
        tilt *= rng.uniform(0, 3.0) / np.linalg.norm(tilt)
        turn = rng.uniform(-3.0, 3.0)
        q = (Rotation.from_rotvec(tilt) * Rotation.from_rotvec(a * turn)).as_rotvec()
        swing = np.linalg.norm(tilt)
        if min(abs(swing - 0.5), abs(turn + 0.2), abs(turn - 1.0)) < 1e-9:
            continue
        inside = swing <= 0.5 and -0.2 <= turn <= 1.0
        assert arm.within_limits(q) is bool(inside)
        clamped = arm.clamp(q)
        assert arm.within_limits(clamped)
        if inside:
            assert np.array_equal(clamped, q)
        else:
            expected = Rotation.from_rotvec(tilt * min(1, 0.5 / swing)) * Rotation.from_rotvec(
                a * np.clip(turn, -0.2, 1.0)
            )
            assert np.abs(Rotation.from_rotvec(clamped).as_matrix() - expected.as_matrix()).max() < 1e-9


def test_home_is_the_middle_or_zero_or_the_bound():
    rows = [
        (0, 0, 0, 0, "revolute", -1, 3),
        (0, 0, 0, 0),
        (0, 0, 0, 0, "prismatic", 2, math.inf),
        (0, 0, 0, 0, "prismatic", -math.inf, 5),
    ]
    assert lk.Chain.from_dh(rows).home.tolist() == [1, 0, 2, 0]


def test_one_sided_and_unlimited_joints_are_sampled_sensibly(rng):
    arm = lk.Chain.from_dh([(1, 0, 0, 0), (0, 0, 0, 0, "prismatic", 2, math.inf), (0, 0, 0, 0, "prismatic")])
    q = arm.sample(rng, 1000)
    assert np.abs(q[:, 0]).max() <= math.pi and np.ptp(q[:, 0]) > 5.5
    assert q[:, 1].min() >= 2 and np.isfinite(q).all() and np.ptp(q[:, 1]) > 0.5 and np.abs(q[:, 2]).max() <= arm.reach
