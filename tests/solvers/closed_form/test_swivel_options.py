"""A swivel has several equivalent spellings; invalid values are refused."""

import numpy as np
import pytest

import limbik as lk


@pytest.mark.parametrize("robot", ["iiwa7", "human_arm_7", "panda"])
def test_every_spelling_of_a_number_is_equivalent(robot):
    arm = lk.load(robot)
    T = arm.forward(arm.sample(np.random.default_rng(4)))
    for swivel in (0.0, 0.5, -2.0):
        plain = arm.solve_all(T, swivel=swivel)
        for same in (np.float64(swivel), np.array(swivel), np.float32(swivel)):
            assert arm.solve_all(T, swivel=same) == plain
        assert arm.solve_all(T, None, True, "nearest", swivel) == plain
    assert arm.solve_all(T, swivel=1) == arm.solve_all(T, swivel=1.0)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), np.float64("-inf"), [0.0, np.nan, 1.0], np.array(np.nan)])
@pytest.mark.parametrize("robot", ["iiwa7", "panda"])
def test_swivels_that_are_not_finite_are_refused(robot, bad):
    arm = lk.load(robot)
    with pytest.raises(lk.NotFinite, match="swivel"):
        arm.solve_all(arm.forward(arm.home), swivel=bad)
