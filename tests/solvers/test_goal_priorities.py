"""Goals that compete: tolerances, levels of priority, secondary objectives, the closest configuration."""

import math

import numpy as np
import pytest
from conftest import Rng
from goal_examples import missing
from test_goal_solve import CATALOGUE

import limbik as lk


@pytest.mark.parametrize("name", ["panda", "ur5", "planar3_cruse"])
def test_secondary_objectives_come_after_all_required_goals(name: str, rng: Rng) -> None:
    """This includes required goals with a later priority than theirs."""
    arm = CATALOGUE[name]
    for _ in range(5):
        T = arm.forward(arm.sample(rng))
        goals = [lk.Position(None, T[:3, 3]), lk.Posture(arm.home), lk.Orientation(None, T, priority=1)]
        assert arm.solve(goals).ok


@pytest.mark.parametrize("options", [{"weight": 1e-3}, {"weight": 1e4}, {"tolerance": 1e-12}])
def test_a_secondary_objective_never_prevents_a_success(options: dict, rng: Rng) -> None:
    arm = CATALOGUE["panda"]
    for _ in range(5):
        p = arm.forward(arm.sample(rng))[:3, 3]
        assert arm.solve([lk.Position(None, p, **options)]).ok
        assert arm.solve([lk.Position(None, p, **options), lk.Posture(arm.home)]).ok


def test_tolerances_are_used_if_goals_conflict() -> None:
    arm = CATALOGUE["panda"]
    p = arm.forward(arm.home)[:3, 3]
    answer = arm.solve([lk.Position(None, p, tolerance=0.1), lk.Position(None, p + [0.05, 0, 0])])
    assert answer.ok and all(answer.met) and math.isclose(answer.errors[0][0], 0.05, rel_tol=1e-6)
    far = np.array(arm.forward(arm.home))
    far[:3, 3] *= 5
    free = arm.solve(lk.Pose(None, far, tolerance=(math.inf, 1e-6)))
    assert free.ok and free.errors[0][1] <= 1e-6


def test_the_support_may_be_fixed_to_a_rotated_foot() -> None:
    """The rotation of the foot's frame does not move its sole."""
    for turn in (np.eye(3), np.diag([1.0, -1, -1]), np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])):
        T = np.eye(4)
        T[:3, :3] = turn
        links = (lk.model.Link("base"), lk.model.Link("foot"), lk.model.Link("body", 1.0, (0.0, 0.0, 0.5)))
        joints = (
            lk.model.Joint("sole", lk.model.Kind.FIXED, "base", "foot", T),
            lk.model.Joint("ankle", lk.model.Kind.REVOLUTE, "base", "body", np.eye(4), np.array([1.0, 0, 0]), -1, 1),
        )
        body = lk.Chain(lk.model.Mechanism("stick", links, joints), tip="body")
        square = np.array([[0.1, 0.1, 0], [-0.1, 0.1, 0], [-0.1, -0.1, 0], [0.1, -0.1, 0]]) @ turn
        missed = missing(body, (lk.Balance(square, relative_to="foot"),), np.array([0.0]))
        assert not missed.any()
        leaning = missing(body, (lk.Balance(square, relative_to="foot"),), np.array([0.5]))
        assert math.isclose(leaning[0], 0.5 * math.sin(0.5) - 0.1, rel_tol=1e-9)


def test_later_priorities_are_optimal_if_the_first_cannot_be_met() -> None:
    arm = CATALOGUE["ur5"]
    answer = arm.solve([lk.Position(None, (0.28, 2.03, -0.34)), lk.Axis(None, (0, 0, 1), priority=1)])
    assert answer.status == lk.Status.COMPROMISE
    assert math.isclose(answer.errors[0][0], 1.143742, abs_tol=1e-5) and answer.errors[1][0] < 0.95


def test_valid_gets_candidates_in_spite_of_a_secondary_objective() -> None:
    arm = CATALOGUE["panda"]
    p = arm.forward(arm.home)[:3, 3]
    answer = arm.solve([lk.Position(None, p), lk.Posture(arm.home)], valid=lambda q: bool(abs(q[0]) > 0.5))
    assert answer.ok and abs(answer.q[0]) > 0.5


def test_one_unreached_pose_is_closest_in_position_first() -> None:
    arm = CATALOGUE["ur5"]
    T = np.array(arm.forward(arm.home + 0.4))
    T[:3, 3] *= 4
    plain, goal = arm.solve(T), arm.solve(lk.Pose(None, T))
    assert goal.status == lk.Status.OUT_OF_REACH
    assert goal.errors[0][0] <= plain.position_error * 1.001
    assert arm.solve(T, obstacles=[]).status == lk.Status.OUT_OF_REACH
