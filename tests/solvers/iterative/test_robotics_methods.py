"""The methods of robotics and animation: convergence from nearby starts, limits, determinism."""

import numpy as np
import pytest
from conftest import random_chain

import limbik as lk
from limbik.solvers.iterative import ccd, screws
from limbik.solvers.iterative.task import make_task
from limbik.solvers.query import make_query
from limbik.solvers.registry import iterative, traceable

METHODS = (
    "transpose",
    "pseudoinverse",
    "dls",
    "sr_inverse",
    "ccd",
    "ccd_bfgs",
    "goldenberg",
    "rosen",
    "tsai_orin",
    "fabrik",
    "sqp",
    "trf",
)
INSIDE = ("ccd", "fabrik", "goldenberg", "rosen", "sqp", "trf")
CHAINS = ("planar3_chin", "puma560", "panda", "human_arm_8", "scara", "gantry")
ARMS = {name: lk.load(name) for name in lk.CATALOGUE if isinstance(lk.load(name), lk.Chain)}
# Methods keep the limits of x; q is x times a unit, rounded.
ROUNDING = 1e-12


def near(arm: lk.Chain, rng: np.random.Generator, size: float = 0.1) -> tuple[np.ndarray, np.ndarray]:
    """A posture well inside the limits, and a start nearby."""
    low, high = arm.model.ranges.drawing(arm.reach)
    q = low + (high - low) * rng.uniform(0.15, 0.85, arm.n)
    unit = np.where(arm.model.revolute, 1.0, 0.25 * np.where(np.isfinite(high - low), high - low, 1.0))
    return q, arm.clamp(q + size * unit * rng.uniform(-1, 1, arm.n))


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize("method", METHODS)
def test_it_converges_from_nearby_starts(method: str, name: str) -> None:
    """Exact methods reach the target; the others come closer, and what they report as reached is verified."""
    arm, rng = ARMS[name], np.random.default_rng(5)
    for _ in range(4):
        q, start = near(arm, rng)
        patience = None if lk.METHODS[method].exact else 0.2
        answer = arm.solve(arm.forward(q), seed=start, method=method, seconds=patience)
        trace = lk.methods.trace(arm, arm.forward(q), start, method)
        assert answer.ok or not lk.METHODS[method].exact, f"{method} on {name}: {answer.why}"
        assert trace.value[-1] < 0.2 * trace.value[0] + 1e-12
        if answer.ok:
            assert arm.within_limits(answer.q)
            assert np.abs(arm.forward(answer.q) - arm.forward(q)).max() < 1e-7 * max(1.0, arm.reach)


@pytest.mark.parametrize("method", traceable())
@pytest.mark.parametrize("kind", [lk.model.Kind.REVOLUTE, lk.model.Kind.PRISMATIC])
def test_one_joint_is_enough(method: str, kind: lk.model.Kind, rng: np.random.Generator) -> None:
    """From one end of its range to the other: a method that searches in planes needs a special case."""
    if method == "praxis":
        pytest.importorskip("nlopt")
    joint = lk.model.Joint("j", kind, "a", "b", np.eye(4), np.array([0.0, 0.0, 1.0]), -1.0, 1.0)
    end = lk.model.Joint("end", lk.model.Kind.FIXED, "b", "c", np.eye(4))
    arm = lk.Chain(
        lk.model.Mechanism("one", (lk.model.Link("a"), lk.model.Link("b"), lk.model.Link("c")), (joint, end)), "a", "c"
    )
    for q, start in ((0.9, -0.9), (-0.3, 0.95), *rng.uniform(-0.9, 0.9, (8, 2))):
        answer = arm.solve(arm.forward([q]), seed=[start], method=method)
        assert answer.ok and abs(answer.q[0] - q) < 1e-7


@pytest.mark.parametrize("method", METHODS)
def test_it_reaches_positions(method: str) -> None:
    arm, rng = ARMS["panda"], np.random.default_rng(1)
    q, start = near(arm, rng)
    answer = arm.solve(lk.Position(None, arm.forward(q)[:3, 3]), seed=start, method=method)
    assert answer.ok and np.abs(arm.forward(answer.q)[:3, 3] - arm.forward(q)[:3, 3]).max() < 1e-7


@pytest.mark.parametrize("method", METHODS)
def test_chains_with_prismatic_joints_anywhere(method: str) -> None:
    for seed in range(3):
        rng = np.random.default_rng(seed)
        kinds = [lk.model.Kind.REVOLUTE] * 4 + [lk.model.Kind.PRISMATIC] * 3
        arm = random_chain(rng, [kinds[k] for k in rng.permutation(7)])
        q, start = near(arm, rng, 0.05)
        trace = lk.methods.trace(arm, arm.forward(q), start, method)
        assert trace.ok or trace.value[-1] < 0.1 * trace.value[0], (method, seed)
        assert trace.ok or not lk.METHODS[method].exact, (method, seed)


@pytest.mark.parametrize("name", ("puma560", "panda", "human_arm_8", "gantry"))
@pytest.mark.parametrize("method", INSIDE)
def test_limits_are_kept_in_every_step(method: str, name: str) -> None:
    """From distant starts, and from starts on limits."""
    arm, rng = ARMS[name], np.random.default_rng(3)
    for k in range(6):
        q, start = arm.sample(rng), arm.sample(rng)
        if k % 2:
            start = np.where(rng.random(arm.n) < 0.5, np.where(np.isfinite(arm.lower), arm.lower, start), start)
        trace = lk.methods.trace(arm, arm.forward(q), start, method)
        slack = ROUNDING * max(1.0, np.abs(start).max())
        assert (trace.q >= arm.lower - slack).all() and (trace.q <= arm.upper + slack).all()


@pytest.mark.parametrize("method", ("goldenberg", "rosen", "sqp", "trf", "ccd_bfgs", "bfgs"))
def test_descent_methods_never_increase_the_value(method: str) -> None:
    arm, rng = ARMS["panda"], np.random.default_rng(8)
    for _ in range(3):
        trace = lk.methods.trace(arm, arm.forward(arm.sample(rng)), arm.sample(rng), method)
        if method in ("goldenberg", "rosen", "trf", "bfgs"):
            assert (np.diff(trace.value) <= 1e-12 * trace.value[:-1] + 1e-24).all()
        assert trace.value[-1] <= trace.value[0]


@pytest.mark.parametrize("name", CHAINS)
def test_coordinate_descent_never_increases_its_value(name: str) -> None:
    """It minimises the squared position error and the squared chord of the rotation error."""
    arm, rng = ARMS[name], np.random.default_rng(2)
    for _ in range(4):
        trace = lk.methods.trace(arm, arm.forward(arm.sample(rng)), arm.sample(rng), "ccd")
        length = arm.model.length
        value = (trace.position_error / length) ** 2 + 4 * np.sin(trace.rotation_error / 2) ** 2
        assert len(trace) > 0 and (np.diff(value) <= 1e-12 * value[:-1] + 1e-24).all()


@pytest.mark.parametrize("name", ("panda", "gantry", "human_arm_8"))
def test_a_joint_at_its_best_value_has_no_better_one(name: str) -> None:
    """The closed form of one joint, against a fine search over its range."""
    arm, rng = ARMS[name], np.random.default_rng(4)
    problem = make_task(arm.model, make_query(arm.model, arm.forward(arm.sample(rng)))).problem()
    x = problem.x(arm.sample(rng))
    T = problem.hand(x)

    def value(j: int, number: float) -> float:
        moved = np.array(x)
        moved[j] = number
        return ccd.missing(problem, problem.hand(moved))

    for j, screw in enumerate(screws.screws_at(T, problem.jacobian_of(problem.q(x)), problem.unit)):
        low, high = max(float(problem.lower[j]), -7.0), min(float(problem.upper[j]), 7.0)
        best = ccd.best(problem, screw, T, float(x[j]), low, high)
        assert low <= best <= high
        assert value(j, best) <= min(value(j, number) for number in np.linspace(low, high, 400)) + 1e-12


def test_screws_predict_the_motion_of_joints() -> None:
    for kinds in (
        [lk.model.Kind.REVOLUTE, lk.model.Kind.PRISMATIC, lk.model.Kind.CONTINUOUS],
        [lk.model.Kind.REVOLUTE] * 6,
    ):
        for seed in range(5):
            rng = np.random.default_rng(seed)
            arm = random_chain(rng, kinds)
            q, step = arm.sample(rng), rng.normal(size=arm.n)
            expected = arm.forward(q)
            for screw, by in zip(
                reversed(screws.screws_at(expected, arm.jacobian(q), np.ones(arm.n))), reversed(step), strict=True
            ):
                expected = screw.moved(by) @ expected
            assert np.abs(arm.forward(q + step) - expected).max() < 1e-12


def coupled() -> lk.Chain:
    """A planar arm whose third joint mimics its second, with a prismatic joint at the end."""
    links = tuple(lk.model.Link(f"l{k}") for k in range(6))
    along = np.eye(4)
    along[0, 3] = 0.5
    joints = [
        lk.model.Joint("a", lk.model.Kind.REVOLUTE, "l0", "l1", np.eye(4), np.array([0.0, 0.0, 1.0]), -3.0, 3.0),
        lk.model.Joint("b", lk.model.Kind.REVOLUTE, "l1", "l2", along, np.array([0.0, 0.0, 1.0]), -2.0, 2.0),
        lk.model.Joint("c", lk.model.Kind.REVOLUTE, "l2", "l3", along, np.array([0.0, 1.0, 0.0]), -2.0, 2.0).moved_to(
            mimic=lk.model.Mimic("b", 0.5, 0.1)
        ),
        lk.model.Joint("d", lk.model.Kind.PRISMATIC, "l3", "l4", along, np.array([1.0, 0.0, 0.0]), -0.3, 0.3),
        lk.model.Joint("e", lk.model.Kind.FIXED, "l4", "l5", along),
    ]
    return lk.Chain(lk.model.Mechanism("coupled", links, tuple(joints)))


@pytest.mark.parametrize("method", METHODS)
def test_mimic_joints(method: str) -> None:
    arm, rng = coupled(), np.random.default_rng(0)
    assert not screws.screws_hold(
        make_task(arm.model, make_query(arm.model, arm.forward(arm.home))).problem(), arm.home
    )
    for _ in range(3):
        q, start = near(arm, rng, 0.05)
        trace = lk.methods.trace(arm, arm.forward(q), start, method)
        assert trace.value[-1] <= 0.5 * trace.value[0]
        assert trace.ok or not lk.METHODS[method].exact


@pytest.mark.parametrize("method", METHODS)
def test_runs_are_deterministic(method: str) -> None:
    arm, rng = ARMS["panda"], np.random.default_rng(6)
    T, start = arm.forward(arm.sample(rng)), arm.sample(rng)
    one, two = lk.methods.trace(arm, T, start, method), lk.methods.trace(arm, T, start, method)
    assert np.array_equal(one.q, two.q) and np.array_equal(one.evaluations, two.evaluations)
    assert np.array_equal(arm.solve(T, start, method).q, arm.solve(T, start, method).q)


@pytest.mark.parametrize("method", METHODS)
def test_counts_increase_and_steps_are_bounded(method: str) -> None:
    """Runs end for targets out of reach too, and every step costs evaluations."""
    arm, rng = ARMS["puma560"], np.random.default_rng(7)
    T = arm.forward(arm.sample(rng))
    T[:3, 3] *= 5.0
    trace = lk.methods.trace(arm, T, arm.sample(rng), method)
    assert not trace.ok and len(trace) <= 1000 and np.isfinite(trace.q).all()
    assert (np.diff(trace.evaluations + trace.jacobians) > 0).all() and trace.evaluations[-1] < 20000


@pytest.mark.parametrize("method", METHODS)
def test_joints_that_cannot_move_stay(method: str) -> None:
    """Joints whose range is one value."""
    arm = ARMS["panda"]
    low, high = np.array(arm.lower), np.array(arm.upper)
    low[2] = high[2] = 0.1
    held = arm.with_limits(low, high)
    rng = np.random.default_rng(0)
    q = held.clamp(0.5 * held.sample(rng))
    q[3] = -1.5
    start = held.clamp(q + 0.02 * rng.normal(size=7))
    answer = held.solve(held.forward(q), seed=start, method=method)
    if answer.ok:
        assert answer.q[2] == 0.1


def test_every_file_has_its_settings() -> None:
    for method in METHODS:
        found = iterative(method)
        assert callable(found.iterate) and found.__dataclass_params__.frozen  # type: ignore[attr-defined]
