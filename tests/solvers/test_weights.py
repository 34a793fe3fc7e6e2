"""weights=: the least weighted sum of squares for unreachable targets; no effect for reachable ones."""

from itertools import pairwise

import numpy as np
import pytest
from benchmarks.nearest import kinds
from cases.cones import limb
from scipy.optimize import least_squares

import limbik as lk

# Weights per metre and per radian.
WEIGHTS = ((1.0, 1.0), (1.0, 0.1), (0.1, 1.0), (1.0, 0.0), (0.0, 1.0))
# The share of answers that must be as good as SciPy's best of a few starts, and the relative tolerance.
MOSTLY, AS_GOOD = 0.95, 1.001


def weighted_errors(arm, q, T, weights):
    return lk.pose_error(arm.forward(q), T) * np.repeat(weights, 3)


def best_by_scipy(arm, T, weights, rng, starts):
    least = np.inf
    for q in arm.sample(rng, starts):
        inside = np.clip(q, arm.lower + 1e-9, arm.upper - 1e-9)
        found = least_squares(lambda x: weighted_errors(arm, x, T, weights), inside, bounds=(arm.lower, arm.upper))
        least = min(least, 2 * found.cost)
    return least


@pytest.mark.parametrize("name", ["puma560", "ur5", "panda", "human_arm_6"])
def test_the_weighted_sum_is_as_small_as_that_of_scipy(name):
    rng = np.random.default_rng(11)
    ratios = []
    for kind in kinds(lk.load(name), rng, 2)[1]:
        for weights in WEIGHTS:
            for T in kind.targets:
                answer = kind.arm.solve(T, weights=weights)
                assert kind.arm.within_limits(answer.q)
                if answer.ok:
                    continue
                ours = np.sum(weighted_errors(kind.arm, answer.q, T, weights) ** 2)
                ratios.append((ours + 1e-12) / (best_by_scipy(kind.arm, T, weights, rng, 4) + 1e-12))
    assert np.mean(np.array(ratios) <= AS_GOOD) >= MOSTLY


def test_weights_lead_from_position_to_rotation():
    arm = lk.load("ur5")
    far = kinds(arm, np.random.default_rng(12), 20)[1][0]
    answers = [arm.solve_batch(far.targets, weights=(1.0, w)) for w in (0.01, 0.3, 10.0)]
    for less, more in pairwise(answers):
        assert (less.position_error <= more.position_error + 1e-6).all()
        assert (less.rotation_error >= more.rotation_error - 1e-6).all()
    plain = arm.solve_batch(far.targets)
    assert (plain.position_error <= answers[0].position_error + 1e-6).all()
    assert np.array_equal(plain.status, answers[0].status)


def test_only_the_ratio_of_weights_matters_and_rows_are_single_solves():
    arm = lk.load("panda")
    for kind in kinds(arm, np.random.default_rng(13), 12)[1]:
        one, two = (kind.arm.solve_batch(kind.targets, weights=w) for w in ((1.0, 0.25), (4.0, 1.0)))
        assert np.array_equal(one.q, two.q)
        for q, T in zip(one.q, kind.targets, strict=True):
            assert np.array_equal(q, kind.arm.solve(T, weights=(1.0, 0.25)).q)


def test_weights_do_not_affect_reachable_targets():
    arm = lk.load("iiwa7")
    T = arm.forward(arm.sample(np.random.default_rng(14), 50))
    assert np.array_equal(arm.solve_batch(T, weights=(1.0, 5.0)).q, arm.solve_batch(T).q)


def test_ball_joints_are_weighted_too(rng):
    arm = limb(rng)
    T = np.array(arm.forward(arm.home))
    T[:3, 3] *= 3
    turned, placed = arm.solve(T, weights=(0.01, 1.0)), arm.solve(T, weights=(1.0, 0.01))
    assert arm.within_limits(turned.q) and arm.within_limits(placed.q)
    assert turned.rotation_error <= placed.rotation_error + 1e-6
    assert placed.position_error <= turned.position_error + 1e-6


@pytest.mark.parametrize(
    "bad", [(1.0,), (1.0, 2.0, 3.0), 1.0, "12", (0.0, 0.0), (-1.0, 1.0), (np.nan, 1.0), (1.0, np.inf), ("a", "b"), {}]
)
def test_bad_weights_are_refused_with_help(bad):
    arm = lk.load("ur5")
    T = arm.forward(arm.home)
    for call in (lambda: arm.solve(T, weights=bad), lambda: arm.solve_batch(T[None], weights=bad)):
        with pytest.raises(lk.BadOption, match="weights"):
            call()
