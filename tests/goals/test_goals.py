"""Goals: their errors, derivatives and free ranges."""

import math
import pickle

import numpy as np
import pytest
from conftest import MOVING, Rng, random_chain, random_tree
from goal_examples import EXAMPLES, Body, centre_of_mass, example, fits

import limbik as lk
from limbik.goals.plan import make_plan
from limbik.solvers.many_goals import plans


def look(body: Body, goal: lk.Goal, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the error of a goal at q, and its derivative by the core."""
    plan = make_plan((goal,), body.model)
    return plans(body.model).solver(plan.key, limits=True, frozen=()).look(plan.aims, q)


def with_masses(body: Body, rng: Rng) -> Body:
    links = (
        lk.model.Link(link.name, float(rng.uniform(0.1, 3)), tuple(rng.normal(scale=0.1, size=3)))
        for link in body.model.mechanism.links
    )
    mechanism = body.model.mechanism.replaced(body.model.mechanism.joints, links)
    return lk.Chain(mechanism, body.base, body.tip) if isinstance(body, lk.Chain) else lk.Skeleton(mechanism)


def bodies(rng: Rng) -> list[Body]:
    """A chain with every kind of joint, and a tree with mimics."""
    kinds = list(rng.permutation(np.array(MOVING, dtype=object)))
    return [with_masses(random_chain(rng, kinds), rng), with_masses(random_tree(rng, 12), rng)]


def test_every_goal_has_an_example() -> None:
    assert set(EXAMPLES) == set(lk.GOALS)


@pytest.mark.parametrize("kind", lk.GOALS)
@pytest.mark.parametrize("seed", range(12))
def test_jacobian_by_finite_differences(kind: str, seed: int) -> None:
    """Central differences along random velocities, off the goal, where nothing of it is free or all of it is."""
    rng = np.random.default_rng(seed)
    for body in bodies(rng):
        if not fits(kind, body):
            continue
        frames = [None, *body.frames]
        observer = frames[rng.integers(len(frames))] if kind not in ("Manipulability", "Clearance") else None
        q0 = body.sample(rng)
        goal = example(kind, body, q0, rng, observer=observer)
        q = body.model.integrate(q0, rng.normal(scale=0.2, size=body.n))
        _, J = look(body, goal, q)
        for _ in range(3):
            dq = rng.normal(size=body.n)
            h = 1e-6
            ahead, behind = (look(body, goal, body.model.integrate(q, s * h * dq))[0] for s in (1, -1))
            numeric = (ahead - behind) / (2 * h)
            scale = 1 + np.abs(numeric).max() + np.abs(J).max()
            assert np.abs(J @ dq - numeric).max() < 2e-7 * scale, f"{kind} seed {seed} on {body!r} from {observer}"


@pytest.mark.parametrize("kind", lk.GOALS)
def test_met_where_it_was_made(kind: str, rng: Rng) -> None:
    for body in bodies(rng):
        if not fits(kind, body) or kind in ("LimitCentre", "Manipulability"):
            continue
        q = body.sample(rng)
        missing, _ = look(body, example(kind, body, q, rng), q)
        assert np.abs(missing).max() < 1e-9


@pytest.mark.parametrize("seed", range(6))
def test_range_is_free(seed: int) -> None:
    """Inside the range nothing is missing; outside, the distance to its edge."""
    rng = np.random.default_rng(seed)
    body = bodies(rng)[1]
    tip = body.tips[0]
    q = body.sample(rng)
    p = body.forward(q, tip)[:3, 3]
    away = np.array([0.3, 0, 0])
    assert not look(body, lk.Position(tip, p + away, range=0.31), q)[0].any()
    missing, _ = look(body, lk.Position(tip, p + away, range=0.1), q)
    assert np.allclose(missing, [-0.2, 0, 0], atol=1e-12)
    assert np.allclose(look(body, lk.Plane(tip, p + away, (1, 0, 0), range=(-0.1, math.inf)), q)[0], [-0.2])
    assert not look(body, lk.Plane(tip, p + away, (1, 0, 0), range=(-math.inf, 0)), q)[0].any()
    assert np.allclose(look(body, lk.Distance(tip, p + away, 0.5, range=0.1), q)[0], [-0.1])


def test_range_has_the_right_slope(rng: Rng) -> None:
    body = bodies(rng)[0]
    q0 = body.sample(rng)
    q = body.model.integrate(q0, rng.normal(scale=0.3, size=body.n))
    T = body.forward(q0)
    for goal in (
        lk.Pose(None, T, range=(0.01, 0.02)),
        lk.Axis(None, T[:3, 2], range=0.01),
        lk.Line(None, T[:3, 3], (1, 2, 3), range=0.005),
    ):
        _, J = look(body, goal, q)
        dq, h = rng.normal(size=body.n), 1e-6
        ahead, behind = (look(body, goal, body.model.integrate(q, s * h * dq))[0] for s in (1, -1))
        assert np.allclose(J @ dq, (ahead - behind) / (2 * h), atol=1e-6 * (1 + np.abs(J).max()))


def test_pointing_the_wrong_way_is_half_a_turn() -> None:
    arm = lk.load("panda")
    T = arm.forward(arm.home)
    missing, J = look(arm, lk.Axis(None, -T[:3, 2]), arm.home)
    assert math.isclose(np.linalg.norm(missing), math.pi, rel_tol=1e-6)
    assert np.isfinite(J).all()
    answer = arm.solve(lk.Axis(None, -T[:3, 2]))
    assert answer.ok
    assert np.allclose(arm.forward(answer.q)[:3, 2], -T[:3, 2], atol=1e-7)


def test_balance_measures_the_plumb_line(rng: Rng) -> None:
    body = bodies(rng)[1]
    q = body.sample(rng)
    c = centre_of_mass(body, q)
    square = np.array([[1, 1, 0], [-1, 1, 5], [-1, -1, 0], [1, -1, 2], [0, 0, 1]]) + c
    assert not look(body, lk.Balance(square), q)[0].any()
    assert np.allclose(look(body, lk.Balance(square, margin=1.5), q)[0], [0.5])
    assert np.allclose(look(body, lk.Balance(square + [3, 0, 0]), q)[0], [2.0])
    assert np.allclose(look(body, lk.Balance(square + [4, 5, 0]), q)[0], [5.0])
    assert np.allclose(look(body, lk.Balance([c + [0, 0.5, 0]]), q)[0], [0.5])


def test_clearance_measures_the_gap() -> None:
    arm = lk.load("planar3_chin")
    T = arm.forward(arm.home)
    at = T[:3, 3]
    goal = lk.Clearance([lk.Sphere(at + [0, 0, 3], 1)], distance=1.5, shapes={arm.tip: [lk.Sphere((0, 0, 0), 0.75)]},
                        self_collision=False)  # fmt: skip
    answer = arm.solve([lk.Posture(arm.home), goal])
    spare = goal.spec(arm.model).spare
    missing, _ = look(arm, goal, arm.home)
    assert np.allclose(missing, [1.25 - 1.5 - spare])
    assert answer.status == lk.Status.BLOCKED or np.linalg.norm(arm.forward(answer.q)[:3, 3] - at - [0, 0, 3]) >= 3.25


@pytest.mark.parametrize("kind", lk.GOALS)
def test_goals_are_values(kind: str, rng: Rng) -> None:
    """Equal to their copies, different from others, printable, frozen."""
    body = bodies(rng)[0]
    q = body.sample(rng)
    goal = example(kind, body, q, rng)
    assert pickle.loads(pickle.dumps(goal)) == goal
    assert repr(goal).startswith(kind)
    assert goal != lk.Position("l1", (1, 2, 3), weight=7)
    with pytest.raises(AttributeError):
        goal.weight = 2  # type: ignore[misc]
