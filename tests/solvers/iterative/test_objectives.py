"""Objectives of iterative methods: exact derivatives, and false zeros that are no solutions."""

from dataclasses import replace

import numpy as np
import pytest
from conftest import random_pose

import limbik as lk
from limbik.papers.chin.half_turn import false_zero
from limbik.solvers.deadline import Deadline
from limbik.solvers.iterative.iterative import attempts, trace
from limbik.solvers.iterative.objective import OBJECTIVES
from limbik.solvers.iterative.task import make_task
from limbik.solvers.method import Candidate
from limbik.solvers.query import make_query
from limbik.solvers.registry import iterative

ARMS = {name: lk.load(name) for name in ("planar3_chin", "human_arm_6", "panda", "gantry")}
STEP = 1e-6


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("name", ARMS)
@pytest.mark.parametrize("far", [False, True])
def test_derivatives_are_exact(objective, name, far, rng):
    """Compared with central differences, at random postures and near the target."""
    arm = ARMS[name]
    x = arm.sample(rng)
    target = random_pose(rng) if far else arm.forward(x + 1e-4 * rng.normal(size=arm.n))
    task = make_task(arm.model, make_query(arm.model, target, limits=False))
    problem = replace(task, objective=objective).problem(metre=3.0, radian=0.7)
    x = problem.x(x)
    J = problem.jacobian(x)
    for j in range(arm.n):
        e = STEP * np.eye(arm.n)[j]
        slope = (problem.residual(x + e) - problem.residual(x - e)) / (2 * STEP)
        assert np.abs(J[:, j] - slope).max() <= 1e-7 * max(1.0, np.abs(J).max())
    assert np.allclose(problem.gradient(x), 2 * problem.residual(x) @ J)
    problem.differences = True
    assert np.abs(problem.jacobian(x) - J).max() <= 1e-5 * max(1.0, np.abs(J).max())


@pytest.mark.parametrize("method", ["marquardt", "newton", "bfgs", "powell"])
def test_a_rotation_error_of_pi_is_a_false_zero_and_no_answer(method, rng):
    """(5.22) is 0 there, so that a method stops at once; neither `trace` nor `solve` reports it as solved."""
    arm = lk.load("human_arm_6")
    task, q = false_zero(arm, rng)
    course = trace(task, iterative(method), q)
    assert course.value[-1] <= 1e-25 and not course.ok
    assert course.position_error[-1] <= 1e-9 and course.rotation_error[-1] == pytest.approx(np.pi)
    assert not lk.methods.trace(arm, task.target, q, method, limits=False, objective="5.22").ok
    found = next(attempts(task, iterative(method), q, Deadline(0.5)))
    assert not isinstance(found, Candidate) or np.abs(arm.forward(found.q) - task.target).max() <= 1e-6
    assert arm.solve(task.target, seed=q, method="marquardt", limits=False).rotation_error <= 1e-8
