"""The closest posture to an unreachable target: as close as the best of many starts, position first, then rotation."""

import numpy as np
import pytest
from benchmarks.nearest import kinds, least_by_scipy, least_positions, ratios

import limbik as lk

# The largest allowed ratio of a position error to the best of many starts.
AS_NEAR = 1.001


@pytest.mark.parametrize("name", ["puma560", "ur5", "panda", "iiwa7", "kr6", "human_arm_6", "human_leg_7"])
def test_closest_positions_are_as_close_as_the_best_of_many_starts(name):
    arm = lk.load(name)
    for kind in kinds(arm, np.random.default_rng(5), 200)[1]:
        batch = kind.arm.solve_batch(kind.targets, method="lm")
        assert kind.arm.within_limits(batch.q).all()
        assert ratios(kind.arm, batch, kind.targets, 200).max(initial=1.0) <= AS_NEAR, kind.name
        proven = batch.status == lk.Status.OUT_OF_REACH
        farthest = np.linalg.norm(arm.forward(arm.sample(np.random.default_rng(6), 2000))[:, :3, 3], axis=1).max()
        assert (np.linalg.norm(kind.targets[proven, :3, 3], axis=1) > farthest).all()


@pytest.mark.parametrize("name", ["puma560", "panda", "human_arm_6", "human_leg_7"])
def test_the_reference_is_as_close_as_scipy(name):
    rng = np.random.default_rng(7)
    for kind in kinds(lk.load(name), rng, 2)[1]:
        ours = least_positions(kind.arm, kind.targets, 500)
        for T, least in zip(kind.targets, ours, strict=True):
            assert least <= least_by_scipy(kind.arm, T, rng, 8) * (1 + 1e-6) + 1e-8


def test_rotation_is_minimised_where_the_position_leaves_it_free():
    arm = lk.load("puma560")  # its tip is the wrist centre, so the wrist does not move it
    rng = np.random.default_rng(8)
    far = kinds(arm, rng, 200)[1][0]
    batch = arm.solve_batch(far.targets)
    assert np.median(batch.rotation_error) < 1e-6

    # Small steps that keep the position seldom reduce the rotation error (the search has few starts and few steps).
    def rotation_error(q, T):
        return np.linalg.norm(lk.pose_error(arm.forward(q), T)[3:])

    improved = 0
    for q, T in zip(batch.q, far.targets, strict=True):
        moves = 1e-3 * rng.normal(size=(50, arm.n)) * [0, 0, 0, 1, 1, 1]
        least = min(rotation_error(np.clip(q + move, arm.lower, arm.upper), T) for move in moves)
        improved += least < rotation_error(q, T) - 1e-4
    assert improved <= 0.1 * len(batch.q)


def test_an_unreachable_rotation_is_detected_after_few_attempts():
    arm = lk.load("ur5")
    hollow = kinds(arm, np.random.default_rng(9), 300)[1][1]
    answers = [arm.solve(T, method="lm") for T in hollow.targets]
    at_position = [a for a in answers if not a.ok and a.position_error <= 1e-8]
    assert len(at_position) > 100 and np.median([a.tried for a in at_position]) < 20


def test_nearest_postures_of_a_batch_are_those_of_the_single_solve():
    for name in ("ur5", "panda"):
        for kind in kinds(lk.load(name), np.random.default_rng(10), 20)[1]:
            one, two = (kind.arm.solve_batch(kind.targets, threads=n, method="lm") for n in (1, 2))
            assert np.array_equal(one.q, two.q)
            for k, T in enumerate(kind.targets):
                answer = kind.arm.solve(T, method="lm")
                assert np.array_equal(answer.q, one.q[k]) and answer.code == one.status[k]
