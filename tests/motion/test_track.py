"""Tracking: steps respect speeds and limits, and the motion is calm if the target is unreachable."""

import math
import pickle

import numpy as np
import pytest
from conftest import Rng, random_tree

import limbik as lk

ARMS = ("panda", "ur5", "puma560", "iiwa7", "scara", "human_arm_7")


def run(body, q, target, seconds, dt=2e-3, **options):
    """Track a target, which may be a function of time, and return the steps."""
    steps = []
    for k in range(int(seconds / dt)):
        step = body.track(q, target(k * dt) if callable(target) else target, dt, **options)
        steps.append(step)
        q = step.q
    return steps


@pytest.mark.parametrize("name", ARMS)
def test_a_target_nearby_is_reached_and_kept(name: str, rng: Rng) -> None:
    arm = lk.load(name)
    q = arm.clamp(arm.sample(rng) * 0.5 + arm.home * 0.5)
    T = arm.forward(arm.clamp(q + rng.normal(scale=0.05, size=arm.n)))
    steps = run(arm, q, T, 3.0, speed=1.0)
    assert steps[-1].ok, steps[-1].why
    assert np.abs(lk.pose_error(arm.forward(steps[-1].q), T)).max() < 1e-6
    assert steps[-1].why == "at the target"


@pytest.mark.parametrize("name", ARMS)
def test_steps_respect_speeds_and_limits_for_any_target(name: str, rng: Rng) -> None:
    """Targets that jump, are out of reach or on the base axis: every step respects the bounds and is finite."""
    arm = lk.load(name)
    speed = rng.uniform(0.2, 3.0, arm.n)
    dt = 2e-3
    q = arm.sample(rng)
    inside = arm.forward(arm.sample(rng, 6))
    places = [inside[0], inside[1], inside[2].copy(), inside[3].copy(), inside[4], np.eye(4)]
    places[2][:3, 3] *= 5
    places[3][:3, 3] *= 0
    for T in places:
        for step in run(arm, q, T, 0.4, dt, speed=speed):
            assert np.isfinite(step.q).all() and arm.within_limits(step.q)
            assert (np.abs(arm.model.difference(q, step.q)) <= speed * dt).all()
            q = step.q


@pytest.mark.parametrize("name", ["ur5", "panda", "puma560"])
def test_out_of_reach_is_followed_without_shaking(name: str, rng: Rng) -> None:
    arm = lk.load(name)
    T = arm.forward(arm.sample(rng))
    T[:3, 3] *= 3 * arm.reach / np.linalg.norm(T[:3, 3])
    steps = run(arm, arm.sample(rng), T, 12.0, 4e-3, speed=2.0)
    late = np.array([s.velocity for s in steps[-200:]])
    flips = (late[1:] * late[:-1] < 0) & (np.abs(late[1:]) > 0.02)
    assert not flips.any()
    assert not steps[-1].ok and "m and" in steps[-1].why


@pytest.mark.parametrize("name", ["ur5", "panda", "iiwa7", "puma560"])
def test_joints_at_full_speed_do_not_switch_back_and_forth(name: str, rng: Rng) -> None:
    """On the way to a far target some joints are at their speed limit: their velocity does not jump."""
    arm = lk.load(name)
    jumps = count = 0
    for _ in range(4):
        q = arm.sample(rng)
        T = arm.forward(arm.clamp(q + rng.normal(scale=0.4, size=arm.n)))
        v = np.array([step.velocity for step in run(arm, q, T, 0.6, speed=1.0)])
        jumps += int((np.abs(np.diff(v, axis=0)) > 1.0).any(axis=1).sum())
        count += len(v)
    assert jumps < 0.02 * count


def test_a_moving_target_is_followed_closely() -> None:
    arm = lk.load("panda")
    q = arm.home
    T0 = arm.forward(q)

    def target(t: float) -> np.ndarray:
        T = T0.copy()
        T[:3, 3] += 0.1 * np.array([math.cos(t) - 1, math.sin(2 * t), math.cos(t) - 1])
        return T

    steps = run(arm, q, target, 4.0, 1e-3)
    assert max(s.position_error for s in steps[500:]) < 1e-5


def test_secondary_objectives_use_the_remaining_freedom() -> None:
    arm = lk.load("iiwa7")
    q = arm.home + 0.3
    T = arm.forward(q)
    turned = arm.solve_all(T, seed=q, swivel=arm.swivel(q) + 0.4)
    rest = min((a.q for a in turned), key=lambda x: np.abs(x - q).max())
    steps = run(arm, q, [lk.Pose(None, T), lk.Posture(rest)], 4.0)
    assert max(s.position_error for s in steps) < 1e-4
    assert np.abs(steps[-1].q - rest).max() < 1e-3 < np.abs(q - rest).max()


def test_figures_and_trees_are_tracked_too(rng: Rng) -> None:
    figure = lk.load("human")
    q = figure.home
    T = {tip: figure.forward(q, tip) for tip in ("leftHand", "rightHand", "leftFoot", "rightFoot")}
    T["leftHand"] = T["leftHand"].copy()
    T["leftHand"][:3, 3] += [0.1, 0.2, 0.1]
    steps = run(figure, q, T, 4.0, speed=1.5)
    assert steps[-1].ok, steps[-1].why
    tree = random_tree(rng, 8)
    q = tree.sample(rng)
    goal = {tree.tips[0]: tree.forward(tree.sample(rng), tree.tips[0])}
    speed = np.full(tree.n, 0.5)
    for step in run(tree, q, goal, 0.5, speed=speed):
        assert tree.within_limits(step.q)
        assert (np.abs(tree.model.difference(q, step.q)) <= speed * 2e-3 * (1 + 1e-9)).all()
        q = step.q


def test_a_joint_outside_its_limits_returns_within_its_speed_limit() -> None:
    arm = lk.load("panda")
    q = arm.home.copy()
    q[0] = arm.upper[0] + 0.1
    T = arm.forward(arm.home)
    speed, dt = 0.5, 0.01
    for _ in range(100):
        step = arm.track(q, T, dt, speed=speed)
        assert (np.abs(step.q - q) <= speed * dt).all()
        q = step.q
    assert arm.within_limits(q)


def test_frozen_and_still_joints_do_not_move() -> None:
    arm = lk.load("panda")
    q = arm.home
    T = arm.forward(q + 0.1)
    assert arm.track(q, T, 0.01, frozen=[arm.joint_names[1]]).q[1] == q[1]
    speed = np.ones(7)
    speed[3] = 0.0
    step = arm.track(q, T, 0.01, speed=speed)
    assert step.q[3] == q[3] and np.abs(step.q - q).max() > 1e-3


def test_followers_and_balls_keep_their_speeds() -> None:
    """A mimic joint's own speed narrows its driver's; a ball has one speed about any axis."""
    links = tuple(lk.model.Link(name) for name in ("base", "a", "b", "c"))
    T = np.eye(4)
    T[0, 3] = 0.5
    joints = (
        lk.model.Joint("driver", lk.model.Kind.REVOLUTE, "base", "a", np.eye(4), np.array([0.0, 0, 1]), -3, 3, velocity=2.0),
        lk.model.Joint("follower", lk.model.Kind.REVOLUTE, "a", "b", T, np.array([0.0, 0, 1]), -9, 9, velocity=0.5,
                 mimic=lk.model.Mimic("driver", 3.0, 0.0)),
        lk.model.Joint("ball", lk.model.Kind.BALL, "b", "c", T, swing=1.0),
    )  # fmt: skip
    arm = lk.Chain(lk.model.Mechanism("follows", links, joints), tip="c")
    assert np.isclose(arm.velocity[0], 0.5 / 3)
    q = arm.home
    goal = arm.forward([1.0, 0.5, 0.4, 0.2])
    speed = np.array([1.0, 0.3, 2.0, 1.0])
    for _ in range(50):
        step = arm.track(q, goal, 0.01, speed=speed)
        moved = arm.model.difference(q, step.q)
        assert abs(moved[0]) <= 0.01 and np.linalg.norm(moved[1:]) <= 0.003
        q = step.q
    step = arm.track(arm.home, goal, 0.01)
    assert abs(step.velocity[0]) * 3 <= 0.5 + 1e-9


def test_obstacles_are_not_passed_through() -> None:
    """The straight line to the target passes through a sphere: no step enters it."""
    arm = lk.load("panda")
    q = arm.home
    T = np.array(arm.forward(q))
    T[:3, 3] += [-0.1, 0.5, 0.0]
    wall = lk.Sphere(arm.forward(q)[:3, 3] + [-0.05, 0.3, 0.05], 0.06)
    for _ in range(800):
        step = arm.track(q, T, 5e-3, obstacles=[wall])
        q = step.q
        assert lk.collision.clearance(arm, q, wall) >= 0.0


def test_very_short_and_very_long_steps() -> None:
    arm = lk.load("ur5")
    T = arm.forward(arm.home + 0.5)
    for dt in (1e-9, 1e-6, 10.0, 1e6):
        step = arm.track(arm.home, T, dt)
        assert (np.abs(step.q - arm.home) <= arm.velocity * dt).all() and arm.within_limits(step.q)
    far = np.array(arm.upper) + 20
    step = arm.track(far, T, 0.01, speed=np.inf)
    assert np.abs(step.q - far).max() <= 1.0 + 1e-9


def test_a_step_can_be_passed_as_its_posture() -> None:
    arm = lk.load("ur5")
    q = arm.home + 0.2
    T = arm.forward(q + 0.1)
    step = arm.track(q, T, 0.01)
    assert np.array_equal(np.asarray(step), step.q)
    assert arm.track(step, T, 0.01) == arm.track(step.q, T, 0.01)
    assert pickle.loads(pickle.dumps(step)) == step
    assert np.allclose(step.velocity * 0.01, step.q - q)
    assert "to go" in step.why


def test_misuse_raises_one_sentence() -> None:
    arm = lk.load("ur5")
    T = arm.forward(arm.home)
    for dt in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(lk.BadOption, match="dt"):
            arm.track(arm.home, T, dt)
    with pytest.raises(lk.errors.NotNumeric):
        arm.track(arm.home, T, "fast")
    with pytest.raises(lk.ShapeError):
        arm.track([0, 0], T, 0.01)
    with pytest.raises(lk.NotFinite):
        arm.track([math.nan] * 6, T, 0.01)
    with pytest.raises(lk.ShapeError, match="speed"):
        arm.track(arm.home, T, 0.01, speed=[1, 2])
    with pytest.raises(lk.BadOption, match="speed"):
        arm.track(arm.home, T, 0.01, speed=-1.0)
    with pytest.raises(lk.NotRigid):
        arm.track(arm.home, np.ones((4, 4)), 0.01)
    with pytest.raises(lk.errors.UnknownFrame):
        lk.load("human").track(lk.load("human").home, T, 0.01)
