"""Time parametrisation: bounds hold at every frame, frames are on the path, and the time is close to the minimum."""

import numpy as np
import pytest

import limbik as lk
from limbik import Path
from limbik._core import time_path
from limbik.motion.follow.pacing import excess

FLAT = np.radians([-20, -100, 110, -100, -90, 0])


def bounds_hold(clip, velocity, acceleration):
    v = np.diff(clip.q, axis=0) / np.diff(clip.times)[:, None]
    assert (np.abs(v) <= velocity * (1 + 1e-6)).all()
    if np.isfinite(acceleration).any():
        dt = clip.times[1] - clip.times[0]
        a = np.diff(np.vstack([np.zeros((1, v.shape[1])), v, np.zeros((1, v.shape[1]))]), axis=0) / dt
        assert (np.abs(a) <= acceleration * (1 + 1e-6)).all()


@pytest.mark.parametrize("seed", range(5))
def test_speeds_and_accelerations_are_kept_and_the_path_is_not_left(seed):
    print("seed", seed)
    rng = np.random.default_rng(seed)
    for name, start in (("ur5", FLAT), ("panda", np.array([0, -0.5, 0, -2.0, 0, 1.6, 0.8]))):
        arm = lk.load(name)
        q = start + rng.uniform(-0.2, 0.2, arm.n)
        T = arm.forward(q)
        path = Path.spline(T[:3, 3] + np.cumsum(rng.uniform(-0.07, 0.07, (4, 3)), axis=0), rotation=T[:3, :3])
        most = rng.uniform(3, 10, arm.n)
        clip = arm.follow(path, seed=q, acceleration=most, fastest=True)
        assert clip.ok, clip.why
        bounds_hold(clip, arm.velocity, most)
        assert np.abs(lk.pose_error(arm.forward(clip.q), path.at(clip.places))).max() < 1e-8
        assert (np.diff(clip.places) >= 0).all() and clip.places[-1] == pytest.approx(path.duration)
        own = arm.follow(path, seed=q, acceleration=most)
        bounds_hold(own, arm.velocity, most)
        assert own.duration >= path.duration * (1 - 1e-9) and own.duration >= clip.duration * (1 - 0.05)


def test_slow_joints_make_the_clip_longer_not_the_path_shorter():
    arm = lk.load("ur5")
    T = arm.forward(FLAT)
    end = np.array(T)
    end[:3, 3] += (0.1, 0.3, 0.1)
    path = Path.line(T, end).with_duration(1.0)
    free, slow = arm.follow(path, velocity=np.inf), arm.follow(path, velocity=0.2)
    assert free.duration == pytest.approx(1.0) and slow.duration > 2
    bounds_hold(slow, np.full(6, 0.2), np.full(6, np.inf))
    assert "instead of" in slow.why and np.allclose(arm.forward(slow.q[-1]), end, atol=1e-8)
    fastest = arm.follow(path, velocity=0.2, fastest=True)
    v = np.abs(np.diff(fastest.q, axis=0) / np.diff(fastest.times)[:, None]).max(axis=1)
    assert (v > 0.19).all(), "one joint is always at its bound"


def test_it_stops_at_corners():
    arm = lk.load("ur5")
    T = arm.forward(FLAT)
    Ts = np.tile(T, (3, 1, 1))
    Ts[1, 1, 3] += 0.2
    Ts[2, :3, 3] += (0.2, 0.2, 0)
    path = Path.through(Ts)
    clip = arm.follow(path, seed=FLAT, acceleration=6.0)
    assert clip.ok
    bounds_hold(clip, arm.velocity, np.full(6, 6.0))
    speed = np.linalg.norm(np.diff(arm.forward(clip.q)[:, :3, 3], axis=0), axis=1) / np.diff(clip.times)
    near = np.abs(0.5 * (clip.places[1:] + clip.places[:-1]) - path.corners[0]).argmin()
    assert speed[near] < 0.2 * speed.max()
    rounded = arm.follow(Path.through(Ts, corner=0.05), seed=FLAT, acceleration=6.0, fastest=True)
    assert rounded.ok and rounded.duration < arm.follow(path, seed=FLAT, acceleration=6.0, fastest=True).duration


def test_one_joint_gets_the_trapezoid_that_textbooks_have():
    s = np.linspace(0, 1, 401)
    distance, v, a = 3.0, 1.5, 2.0
    x = time_path(
        s,
        np.full((401, 1), distance),
        np.zeros((401, 1)),
        np.array([v]),
        np.array([a]),
        np.concatenate([[0], np.full(399, np.inf), [0]]),
    )
    rate = np.sqrt(x)
    spent = (2 * np.diff(s) / (rate[1:] + rate[:-1])).sum()
    assert spent == pytest.approx(distance / v + v / a, rel=1e-3)
    assert (rate * distance).max() == pytest.approx(v)


def test_excess_measures_what_it_says():
    t = np.linspace(0, 1, 101)
    q = np.stack([t**2 * (3 - 2 * t)], axis=1)
    assert excess(q, t, np.array([1.5]), np.array([np.inf])) == pytest.approx(1.0, abs=1e-3)
    assert excess(q, t, np.array([0.75]), np.array([np.inf])) == pytest.approx(2.0, abs=1e-3)
    assert excess(q, t, np.array([np.inf]), np.array([1.5])) == pytest.approx(2.0, abs=0.05)


def test_the_time_is_that_of_toppra():
    toppra = pytest.importorskip("toppra")
    import logging

    from toppra import algorithm, constraint

    logging.getLogger("toppra").setLevel(logging.ERROR)
    arm = lk.load("ur5")
    rng = np.random.default_rng(2)
    most = np.full(6, 8.0)
    bounds = [
        constraint.JointVelocityConstraint(np.stack([-arm.velocity, arm.velocity], 1)),
        constraint.JointAccelerationConstraint(np.stack([-most, most], 1)),
    ]
    for _ in range(4):
        T = arm.forward(FLAT)
        path = Path.spline(T[:3, 3] + np.cumsum(rng.uniform(-0.08, 0.08, (4, 3)), axis=0), rotation=T[:3, :3])
        plain = arm.follow(path, seed=FLAT, velocity=np.inf)
        mine = arm.follow(path, seed=FLAT, rate=200, acceleration=most, fastest=True)
        curve = toppra.SplineInterpolator(plain.times, plain.q)
        grid = np.linspace(0, plain.times[-1], 600)
        other = algorithm.TOPPRA(
            bounds, curve, gridpoints=grid, parametrizer="ParametrizeConstAccel"
        ).compute_trajectory(0, 0)
        assert 0.97 < mine.duration / other.duration < 1.25
