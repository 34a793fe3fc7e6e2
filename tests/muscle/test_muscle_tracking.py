"""Following a target in muscle space: a few Gauss-Newton steps, never out of limits or ranges."""

import numpy as np
import pytest
from muscle_arms import narrowed

import limbik as lk
from limbik.papers.gini.arm import circle
from limbik.papers.gini.printed import CENTRES

SEED = 8


@pytest.mark.parametrize("centre", CENTRES)
def test_three_steps_follow_a_circle(centre):
    arm = lk.load("maximum_one")
    way = circle(centre, 60)
    q = arm.muscles.solve_lengths(way[0]).q
    for p in way:
        answer = arm.muscles.track_lengths(q, p, 3)
        q = answer.q
        assert answer.position_error <= 1e-7 and arm.muscles.admissible(q)


def test_it_stays_inside_even_if_the_target_does_not():
    rng = np.random.default_rng(SEED)
    arm = lk.load("maximum_one")
    for _ in range(6):
        robot = narrowed(arm, rng, 0.3)
        q = robot.muscles.sample_admissible(rng, 1)[0]
        aim = robot.forward(q)[:3, 3]
        step = rng.normal(size=3)
        step *= 0.02 / np.linalg.norm(step)
        for _ in range(40):  # it leaves the workspace sooner or later
            aim = aim + step
            answer = robot.muscles.track_lengths(q, aim, 2)
            q = answer.q
            assert robot.muscles.admissible(q) and np.isfinite(q).all()
            if answer.ok:
                assert answer.position_error <= 1e-8


def test_poses_are_followed_where_joints_allow():
    arm = lk.load("human_upper_limb")
    rng = np.random.default_rng(SEED)
    for q in arm.muscles.sample_admissible(rng, 10):
        near = arm.clamp(q + 0.02 * rng.normal(size=arm.n))
        if arm.muscles.admissible(near):
            answer = arm.muscles.track_lengths(q, arm.forward(near), 6)
            assert arm.muscles.admissible(answer.q) and answer.position_error <= 1e-6 and answer.rotation_error <= 1e-6


def test_the_centring_weight_centres_the_muscles():
    arm = lk.load("maximum_one")
    p = np.array([-0.05, 0.4, -0.3])
    start = arm.muscles.solve_lengths(p, swivel=0.6)
    q = start.q
    for _ in range(200):
        q = arm.muscles.track_lengths(q, p + 1e-7, 1, centring=0.2).q
        p = p - 1e-7 if _ % 2 else p + 1e-7
    L, before = arm.muscles.lengths(q), start.lengths
    low, high = arm.muscles.ranges
    assert (((L - (low + high) / 2) / (high - low)) ** 2).sum() < (
        ((before - (low + high) / 2) / (high - low)) ** 2
    ).sum()
