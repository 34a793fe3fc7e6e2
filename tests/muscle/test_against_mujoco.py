"""Lengths and moment arms of muscles against the tendons of MuJoCo."""

import numpy as np
import pytest
from mujoco_tendons import lengths_and_arms
from muscle_arms import shoulder_elbow

import limbik as lk

pytest.importorskip("mujoco")
SEED = 23


@pytest.mark.parametrize("name", ["maximum_one", "human_upper_limb", "random"])
def test_lengths_and_moment_arms_are_those_of_tendons(name):
    """A wrong sign, radius, frame or factor in a length or in a moment arm breaks this."""
    rng = np.random.default_rng(SEED)
    arm = shoulder_elbow(rng, mixed=True) if name == "random" else lk.load(name)
    for q in arm.sample(rng, 25):
        lengths, arms = lengths_and_arms(arm, q)
        assert np.abs(arm.muscles.lengths(q) - lengths).max() <= 1e-12
        assert np.abs(arm.muscles.moment_arms(q) - arms).max() <= 1e-12


def test_the_lengths_of_a_solution_are_those_of_tendons():
    arm = lk.load("maximum_one")
    for point in ([-0.10, 0.20, 0.15], [0.10, 0.25, -0.25], [-0.05, 0.40, -0.30]):
        answer = arm.muscles.solve_lengths(point)
        assert answer.ok and np.abs(lengths_and_arms(arm, answer.q)[0] - answer.lengths).max() <= 1e-12
