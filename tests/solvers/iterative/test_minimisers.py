"""Iterative minimisers: convergence from nearby starts, decrease, counts of evaluations, determinism."""

from dataclasses import replace

import numpy as np
import pytest

import limbik as lk
from limbik.solvers.iterative.iterative import trace
from limbik.solvers.iterative.task import make_task
from limbik.solvers.query import make_query
from limbik.solvers.registry import iterative, traceable

STEPPING = traceable()
# The methods that minimise a sum of squares.
MINIMISERS = [
    "marquardt", "newton", "newton_pinv", "broyden", "broyden_plain", "bfgs", "dfp", "fletcher", "frprm", "fletcher_reeves",
    "steepest", "powell", "praxis",
]  # fmt: skip
EXACT = [name for name in MINIMISERS if lk.METHODS[name].exact]
# These take full steps, so the value may rise.
UNSEARCHED = {"newton_pinv", "broyden_plain"}
# Three, six, seven and eight joints; prismatic joints.
CHAINS = {
    name: lk.load(name) for name in ("planar3_chin", "human_arm_6", "ur5", "panda", "human_arm_8", "gantry", "scara")
}


def near(arm: lk.Chain, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return a reachable pose and a start near one of its postures."""
    q = arm.sample(rng)
    return arm.forward(q), q + rng.normal(scale=0.05, size=arm.n)


def test_all_methods_are_registered():
    assert set(MINIMISERS) <= set(STEPPING)


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize("method", EXACT)
def test_exact_methods_converge_from_nearby_starts(method, name, rng):
    T, start = near(CHAINS[name], rng)
    course = lk.methods.trace(CHAINS[name], T, start, method, limits=False)
    assert course.ok, f"{course.position_error[-1]} m, {course.rotation_error[-1]} rad after {len(course)} steps"
    assert np.array_equal(course.q[0], start) and len(course) >= 1


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize("method", EXACT)
def test_position_goals_converge(method, name, rng):
    T, start = near(CHAINS[name], rng)
    assert lk.methods.trace(CHAINS[name], lk.Position(None, T[:3, 3]), start, method, limits=False).ok


@pytest.mark.parametrize("method", MINIMISERS)
@pytest.mark.parametrize("objective", ["5.22", "5.26"])
def test_the_objectives_of_the_thesis_converge(method, objective, rng):
    arm = CHAINS["panda"]
    T, start = near(arm, rng)
    course = lk.methods.trace(arm, T, start, method, limits=False, objective=objective)
    assert course.value[-1] < 1e-3 * course.value[0]
    assert course.ok or not lk.METHODS[method].exact


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize("method", [m for m in MINIMISERS if m not in UNSEARCHED])
def test_every_step_lowers_the_value(method, name):
    """From random starts, with targets that may be out of reach."""
    arm = CHAINS[name]
    rng = np.random.default_rng(9)
    T = np.array(arm.forward(arm.sample(rng)))
    T[:3, 3] *= 1.3
    course = lk.methods.trace(arm, T, arm.sample(rng), method, limits=False)
    assert (np.diff(course.value) <= 0).all()


@pytest.mark.parametrize("method", MINIMISERS)
def test_counts_never_fall_and_cover_every_step(method, rng):
    T, start = near(CHAINS["panda"], rng)
    course = lk.methods.trace(CHAINS["panda"], T, start, method, limits=False)
    counts = course.evaluations + course.jacobians
    assert counts[0] == 0 and (np.diff(counts) > 0).all()


@pytest.mark.parametrize("method", MINIMISERS)
def test_the_same_call_gives_the_same_trace(method, rng):
    arm = CHAINS["human_arm_8"]
    T, start = near(arm, rng)
    first, again = (lk.methods.trace(arm, T, start, method, limits=False) for _ in range(2))
    assert np.array_equal(first.q, again.q) and np.array_equal(first.evaluations, again.evaluations)
    answers = [arm.solve(T, seed=start, method=method, limits=False, position_tolerance=0.05, rotation_tolerance=0.05)
               for _ in range(2)]  # fmt: skip
    assert answers[0] == answers[1]


@pytest.mark.parametrize("method", MINIMISERS)
def test_a_start_at_the_target_takes_no_step(method, rng):
    arm = CHAINS["ur5"]
    q = arm.sample(rng)
    course = lk.methods.trace(arm, arm.forward(q), q, method, limits=False)
    assert course.ok and course.position_error[-1] <= 1e-12 and course.evaluations[-1] <= 200


@pytest.mark.parametrize("method", MINIMISERS)
def test_every_loop_is_bounded(method):
    """For a target far out of reach the method stops and the trace is not ok."""
    arm = CHAINS["ur5"]
    T = np.eye(4)
    T[:3, 3] = 10.0, 0.0, 0.0
    course = lk.methods.trace(arm, T, arm.home, method)
    assert not course.ok and np.isfinite(course.q).all()


def test_newton_by_differences_takes_one_evaluation_and_then_n_plus_one_a_step(rng):
    arm = CHAINS["ur5"]
    T, start = near(arm, rng)
    task = make_task(arm.model, make_query(arm.model, T, limits=False))
    course = trace(task, replace(iterative("newton"), value=1e-16), start, task.problem(differences=True))
    cuts = course.evaluations[1:] - 1 - (arm.n + 1) * np.arange(1, len(course) + 1)
    assert course.ok and course.jacobians[-1] == 0
    assert (cuts >= 0).all() and (np.diff(cuts) >= 0).all() and cuts[-1] <= 2
    whole = trace(task, iterative("newton_pinv"), start, task.problem(differences=True))
    assert np.array_equal(whole.evaluations[1:], 1 + (arm.n + 1) * np.arange(1, len(whole) + 1))


def test_broyden_takes_one_derivative_where_newton_takes_one_a_step(rng):
    arm = CHAINS["ur5"]
    T, start = near(arm, rng)
    newton, broyden = (lk.methods.trace(arm, T, start, m, limits=False) for m in ("newton", "broyden"))
    assert newton.jacobians[-1] == len(newton)
    assert 1 <= broyden.jacobians[-1] < newton.jacobians[-1]


def test_methods_without_derivatives_take_none(rng):
    T, start = near(CHAINS["ur5"], rng)
    for method in ("powell", "praxis"):
        assert lk.methods.trace(CHAINS["ur5"], T, start, method, limits=False).jacobians[-1] == 0


def test_the_step_of_a_redundant_arm_has_least_norm(rng):
    """The Newton step of a redundant arm has no component in the null space of the Jacobian."""
    arm = CHAINS["panda"]
    T, start = near(arm, rng)
    step = lk.methods.trace(arm, T, start, "newton_pinv", limits=False).q[1] - start
    still = np.linalg.svd(arm.jacobian(start))[2][6:]
    assert np.abs(still @ step).max() < 1e-9


@pytest.mark.parametrize("method", EXACT)
def test_answers_are_inside_the_limits(method, rng):
    arm = CHAINS["panda"]
    q = arm.sample(rng)
    answer = arm.solve(arm.forward(q), seed=arm.clamp(q + rng.normal(scale=0.05, size=arm.n)), method=method)
    assert answer.ok and arm.within_limits(answer.q) and answer.method == method
    assert np.abs(arm.forward(answer.q) - arm.forward(q)).max() < 1e-7
