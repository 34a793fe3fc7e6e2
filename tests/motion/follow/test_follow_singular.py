"""Paths through singular postures, or with an interval of them: self-motion is smooth, and the path is completed."""

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

import limbik as lk
from limbik.motion.follow.posture_sources import BranchSource
from limbik.motion.follow.self_motion import has_self_motion, null_directions, trace_self_motion

FRAMES = 301


def held_straight(arm, seed):
    """A smooth motion that keeps its wrist straight for half of its time, while the other joints move."""
    print("seed", seed)
    rng = np.random.default_rng(seed)
    low, high = np.maximum(arm.lower, -2 * np.pi), np.minimum(arm.upper, 2 * np.pi)
    knots = [rng.uniform(low, high)]
    for _ in range(4):
        knots.append(np.clip(knots[-1] + rng.uniform(-1.2, 1.2, arm.n), low, high))
    postures = np.array(knots)
    postures[1:4, 4] = 0.0
    if rng.integers(2):
        postures[0, 4] = 0.0
    return PchipInterpolator(np.linspace(0, 1, 5), postures)(np.linspace(0, 1, FRAMES))


@pytest.mark.parametrize("name,seed", [("ur5", 0), ("ur5", 16), ("ur5", 32), ("puma560", 1), ("kr6", 2)])
def test_a_family_that_stays_open_is_crossed(name, seed):
    arm = lk.load(name)
    q = held_straight(arm, seed)
    clip = arm.follow(arm.forward(q), rate=50, velocity=np.inf)
    assert clip.ok and clip.jumps == (), clip.why
    assert arm.within_limits(clip.q).all() and clip.position_error.max() < 1e-8
    # with as little motion as the one that defines the path
    steps, made = np.diff(clip.q, axis=0), np.diff(q, axis=0)
    assert np.abs(steps).max() < 1.2 * np.abs(made).max()
    assert (steps**2).sum() < 1.2 * (made**2).sum()


def test_an_arm_passes_its_straight_posture_and_keeps_its_start():
    """The swivel changes by pi there although no joint jumps. The wrist is at a limit, so there is no other trajectory."""
    arm = lk.load("iiwa7")
    knots = [
        [-2.0723, -0.2500, -1.5455, -0.4084, -2.3932, 2.0934, -1.7409],
        [-2.6667, -0.5341, -0.9634, -0.1220, -2.7454, 2.0938, -0.9466],
        [-2.8240, -0.6504, -0.7501, -0.0328, -2.8492, 2.0940, -0.7028],
        [-2.9135, -0.7438, -0.5896, 0.0269, -2.9153, 2.094095, -0.5417],
        [-2.9656, -0.8446, -0.4293, 0.0767, -2.9658, 2.094095, -0.4100],
        [-1.8745, -0.7680, -1.0267, -0.3737, -2.2387, 2.094095, -1.9080],
    ]
    q = PchipInterpolator([0.0, 0.2, 0.3, 0.4, 0.6, 1.0], knots)(np.linspace(0, 1, 251))
    clip = arm.follow(arm.forward(q), q[0], rate=50)
    assert clip.ok, clip.why
    assert np.abs(clip.q[0] - q[0]).max() < 1e-6
    assert np.abs(np.diff(clip.q, axis=0)).max() < 0.1


def test_a_family_is_traced_completely():
    """With a straight wrist, joints 4 and 6 of a Puma counter-rotate over their whole range."""
    arm = lk.load("puma560")
    q = np.array([0.2, -1.0, 0.4, 0.3, 0.0, -0.2])
    T = arm.forward(q)
    source = BranchSource(arm, True, q, None, arm.velocity)
    found, row = trace_self_motion(source, arm.jacobian, T[None], q[None])
    assert (row == 0).all() and arm.within_limits(found).all()
    assert np.abs(arm.forward(found) - T).max() < 1e-9
    total = q[3] + q[5]
    low = max(arm.lower[3], total - arm.upper[5])
    high = min(arm.upper[3], total - arm.lower[5])
    places = np.sort(np.append(found[:, 3], [low, high, q[3]]))
    assert np.diff(places).max() < 0.2, "a part of the family is missing"


def test_only_singular_postures_have_a_self_motion():
    arm, rng = lk.load("ur5"), np.random.default_rng(3)
    q = rng.uniform(-3, 3, (50, 6))
    q[::2, 4] = 0.0
    null, fixed = null_directions(arm.jacobian(q))
    assert fixed[::2].all() and not fixed[1::2].any()
    assert (has_self_motion(arm.jacobian(q)) == fixed).all()
    moved = arm.forward(q + 1e-6 * null) - arm.forward(q)
    assert np.abs(moved[::2]).max() < 1e-10
