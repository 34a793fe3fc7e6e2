"""`method="mmc"`: chains and figures; answers are verified, and `why` reports the share of the network."""

import re

import numpy as np
import pytest

import limbik as lk

CHAINS = ("planar3_cruse", "ur5", "panda", "human_arm_7", "gantry")
FIGURES = {name: lk.load(name) for name in lk.CATALOGUE if isinstance(lk.load(name), lk.Skeleton)}


@pytest.mark.parametrize("name", CHAINS)
def test_random_poses_of_chains_are_reached(name, rng):
    arm = lk.load(name)
    assert isinstance(arm, lk.Chain)
    for _ in range(4):
        T = arm.forward(arm.sample(rng))
        answer = arm.solve(T, seed=arm.sample(rng), method="mmc")
        assert answer.ok and answer.method == "mmc" and arm.within_limits(answer.q), answer.why
        assert np.abs(arm.forward(answer.q) - T).max() < 1e-7 * max(1.0, arm.reach)
        assert re.match(
            r"solved by mmc (from the seed|at attempt \d+): \d+ cycles of relaxation in \d+ rounds?", answer.why
        )


def test_targets_out_of_reach_are_not_solved():
    arm = lk.load("ur5")
    T = np.array(arm.forward(arm.home))
    T[:3, 3] = 5.0
    answer = arm.solve(T, method="mmc", seconds=0.2)
    assert not answer.ok and answer.position_error > 1


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("posed", [False, True])
def test_all_ends_of_a_figure_at_once(name, posed, rng):
    figure = FIGURES[name]
    q = figure.sample(rng)
    poses = {tip: figure.forward(q, tip) for tip in figure.tips}
    goals = poses if posed else {tip: T[:3, 3] for tip, T in poses.items()}
    answer = figure.solve(goals, seed=figure.sample(rng), method="mmc")
    assert (
        answer.ok and answer.method == "mmc" and figure.within_limits(answer.q) and "cycles of relaxation" in answer.why
    )
    for tip, T in poses.items():
        found = figure.forward(answer.q, tip)
        assert np.abs(found[:3, 3] - T[:3, 3]).max() < 1e-7 and (not posed or np.abs(found - T).max() < 1e-6)


def test_frozen_joints_stay_and_other_goals_are_met_too(rng):
    figure = FIGURES["human"]
    seed = figure.clamp(np.zeros(figure.n))
    hand = figure.forward(seed, "leftHand")[:3, 3] + [0.1, 0.1, 0.1]
    frozen = [name.rsplit(".", 1)[0] for name in figure.joint_names[:1]]
    answer = figure.solve([lk.Position("leftHand", hand), lk.Posture(seed)], seed=seed, method="mmc", frozen=frozen)
    assert answer.ok and np.abs(answer.q[:6] - seed[:6]).max() == 0.0
    arm = lk.load("panda")
    several = arm.solve([lk.Position(None, [0.4, 0.2, 0.5]), lk.Posture(arm.home)], method="mmc")
    assert several.ok and several.method == "mmc"


def test_misuse_of_the_method_raises():
    figure = FIGURES["human"]
    for call in (
        lambda: figure.solve({"leftHand": [1, 2, np.nan]}, method="mmc"),
        lambda: figure.solve({}, method="mmc"),
        lambda: figure.solve([lk.Posture(figure.home)], method="mmc"),
        lambda: figure.solve({"leftHand": [0, 0, 0]}, method="ccd"),
        lambda: figure.solve({"leftHand": [0, 0, 0]}, method=3),
        lambda: figure.solve({"leftHan": [0, 0, 0]}, method="mmc"),
        lambda: lk.load("ur5").solve(np.eye(4), method="mmc", branch=1),
    ):
        with pytest.raises(lk.LimbikError):
            call()


def test_conflicting_goals_are_a_compromise():
    figure = FIGURES["human"]
    answer = figure.solve({"leftHand": [9.0, 9, 9], "rightHand": [-9.0, 0, 0]}, method="mmc")
    assert answer.status == lk.Status.COMPROMISE and np.isfinite(answer.q).all()
