"""Solving for goals: priorities, compromises, secondary objectives, frozen joints, obstacles, targets out of reach."""

import math
import pickle

import numpy as np
import pytest
from conftest import Rng, random_tree
from goal_examples import centre_of_mass, missing

import limbik as lk

CATALOGUE = {name: lk.load(name) for name in lk.CATALOGUE}
TIPS = ("head", "leftHand", "rightHand", "leftFoot", "rightFoot")


# ---- several goals -----------------------------------------------------------------------------------------------------


def test_a_figure_reaches_with_hands_and_feet(rng: Rng) -> None:
    figure = CATALOGUE["human"]
    q = figure.sample(rng)
    targets = {tip: figure.forward(q, tip) for tip in TIPS}
    answer = figure.solve(targets)
    assert answer.ok and all(answer.met)
    for tip, T in targets.items():
        assert np.abs(lk.pose_error(figure.forward(answer.q, tip), T)).max() < 1e-7
    assert answer.position_error <= 1e-8 and answer.rotation_error <= 1e-8
    assert pickle.loads(pickle.dumps(answer)) == answer
    assert figure.solve(targets) == answer  # the same query, the same answer


def test_goals_may_be_written_in_many_ways() -> None:
    arm = CATALOGUE["panda"]
    T = arm.forward(arm.home)
    p = T[:3, 3]
    plain = arm.solve([lk.Position(None, p), lk.Axis(None, T[:3, 2])])
    assert plain.ok
    assert arm.solve(g for g in plain.goals) == plain
    assert arm.solve({arm.tip: [lk.Position(None, p), lk.Axis(None, T[:3, 2])]}).ok
    assert arm.solve([T, lk.Posture(arm.home)]).ok
    assert arm.solve(lk.Pose(None, T, weight=np.array([1.0, 2.0]), tolerance=[1e-7, 1e-7])).ok
    assert repr(lk.Position("tool", (1, 2, 3), weight=2.0)) == (
        "Position(frame='tool', point=(1.0, 2.0, 3.0), at=(0.0, 0.0, 0.0), weight=2.0)"
    )


def test_measures_of_a_posture() -> None:
    figure = CATALOGUE["human"]
    assert np.allclose(figure.model.centre_of_mass(figure.home), centre_of_mass(figure, figure.home))
    arm = CATALOGUE["panda"]
    tip = arm.forward(arm.home)[:3, 3]
    assert lk.collision.clearance(arm, arm.home) == math.inf
    assert lk.collision.clearance(arm, arm.home, lk.Sphere(tip + [0, 0, 5], 0.5)) > 3.5
    assert lk.collision.clearance(arm, arm.home, [lk.Sphere(arm.forward(arm.home, "link7")[:3, 3], 0.5)]) < 0
    with pytest.raises(lk.BadOption, match="mass"):
        CATALOGUE["ur5"].model.centre_of_mass(CATALOGUE["ur5"].home)


def test_points_and_goals_may_replace_poses() -> None:
    figure = CATALOGUE["human"]
    q = figure.home
    answer = figure.solve({"leftHand": figure.forward(q, "leftHand")[:3, 3], "head": lk.LookAt("head", (0, 1, 5))})
    assert answer.ok
    assert isinstance(answer.goals[0], lk.Position) and isinstance(answer.goals[1], lk.LookAt)


def test_conflicting_goals_end_in_a_compromise() -> None:
    """For two distant positions of one tip, the weights determine the point between them."""
    arm = CATALOGUE["panda"]
    p = arm.forward(arm.home)[:3, 3]
    d = np.array([0.0, 0.1, 0.0])
    for weight in (1.0, 2.0):
        answer = arm.solve([lk.Position(None, p - d), lk.Position(None, p + d, weight=weight)])
        assert answer.status == lk.Status.COMPROMISE and not answer.ok
        share = weight**2 / (1 + weight**2)
        assert np.allclose(arm.forward(answer.q)[:3, 3], p - d + 2 * d * share, atol=1e-5)
        assert np.allclose([e[0] for e in answer.errors], [0.2 * share, 0.2 * (1 - share)], atol=1e-5)
        assert answer.met == (False, False) and "misses" in answer.why


def test_priorities_are_strict() -> None:
    """The first goal is met exactly although the second has a thousand times its weight."""
    arm = CATALOGUE["panda"]
    p = arm.forward(arm.home)[:3, 3]
    d = np.array([0.0, 0.1, 0.0])
    answer = arm.solve([lk.Position(None, p - d, priority=0), lk.Position(None, p + d, weight=1000, priority=1)])
    assert answer.status == lk.Status.COMPROMISE
    assert answer.errors[0][0] <= 1e-8 and math.isclose(answer.errors[1][0], 0.2, rel_tol=1e-6)
    # in the other order
    answer = arm.solve([lk.Position(None, p - d, priority=7), lk.Position(None, p + d, priority=3)])
    assert answer.errors[1][0] <= 1e-8


def test_the_second_goal_uses_the_freedom_of_the_first(rng: Rng) -> None:
    """A rotation that is unreachable at the position of the first goal: its error is the least at that position."""
    arm = CATALOGUE["puma560"]
    q = arm.sample(rng)
    T = arm.forward(q)
    answer = arm.solve([lk.Position(None, T[:3, 3]), lk.Orientation(None, T, priority=1)])
    assert answer.ok and np.abs(lk.pose_error(arm.forward(answer.q), T)).max() < 1e-7


@pytest.mark.parametrize("name", ["panda", "iiwa7", "human_arm_7"])
def test_secondary_objectives_never_increase_required_errors(name: str, rng: Rng) -> None:
    arm = CATALOGUE[name]
    T = arm.forward(arm.sample(rng))
    plain = arm.solve([lk.Pose(None, T)])
    for preference in (
        lk.Posture(arm.home, weight=100.0),
        lk.LimitCentre(weight=50.0),
        lk.Manipulability(weight=50.0),
        lk.Position("link4", (1, 2, 3), tolerance=math.inf, weight=10.0) if "link4" in arm.frames else lk.LimitCentre(),
    ):
        answer = arm.solve([lk.Pose(None, T), preference], seed=plain.q)
        assert answer.ok, answer.why
        assert np.abs(lk.pose_error(arm.forward(answer.q), T)).max() < 2e-8
        before, after = (
            np.linalg.norm(missing(arm, (preference,), x) * error_weights(arm, preference)) for x in (plain.q, answer.q)
        )
        assert after <= before + 1e-9


def error_weights(arm: lk.Chain, preference: lk.Goal) -> np.ndarray:
    """Return the weight of each error of a secondary objective."""
    if isinstance(preference, lk.LimitCentre):
        return 2 / (arm.upper - arm.lower)
    return np.ones(1)


def test_a_secondary_objective_reaches_its_optimum(rng: Rng) -> None:
    """Along the self-motion of an S-R-S arm the posture goal reaches the optimum of a fine search over the swivel."""
    arm = CATALOGUE["iiwa7"].with_limits(-math.inf, math.inf)
    q = CATALOGUE["iiwa7"].sample(rng)
    T = arm.forward(q)
    rest = q + rng.normal(scale=0.3, size=7)
    answer = arm.solve([lk.Pose(None, T), lk.Posture(rest)], seed=q)
    far = float(np.linalg.norm(answer.q - rest))
    own = arm.swivel(answer.q)
    around = [
        float(np.linalg.norm(np.remainder(a.q - rest + np.pi, 2 * np.pi) - np.pi))
        for s in np.linspace(own - 0.2, own + 0.2, 401)
        for a in arm.solve_all(T, seed=answer.q, swivel=float(s))
    ]
    assert far <= min(around) + 1e-5


def test_frozen_joints_stay(rng: Rng) -> None:
    arm = CATALOGUE["panda"]
    q = arm.sample(rng)
    name = arm.joint_names[2]
    answer = arm.solve(arm.forward(q), frozen={name: q[2]})
    assert answer.ok and answer.q[2] == q[2]
    seed = arm.home
    answer = arm.solve([lk.Position(None, arm.forward(q)[:3, 3])], seed=seed, frozen=arm.joint_names[4:])
    assert (answer.q[4:] == seed[4:]).all()
    figure = CATALOGUE["human"]
    legs = [n for n in figure.joint_names if "Leg" in n or "Foot" in n]
    answer = figure.solve(
        {
            "leftHand": lk.Position("leftHand", (0.3, 1.2, 0.3)),
            "hips": np.eye(4) + [[0] * 4, [0, 0, 0, 0.9], [0] * 4, [0] * 4],
        },
        frozen=["root", *legs],
    )
    assert (answer.q[:6] == figure.home[:6]).all()
    with pytest.raises(lk.errors.UnknownJoint):
        arm.solve(np.eye(4), frozen=["nothing"])
    with pytest.raises(lk.BadOption, match="limits"):
        arm.solve(np.eye(4), frozen={name: 100.0})


@pytest.mark.parametrize("seed", range(4))
def test_trees_with_every_kind_of_joint(seed: int) -> None:
    """Balls, floating joints, mimics: poses of several frames, taken from a posture, are reached."""
    rng = np.random.default_rng(seed)
    body = random_tree(rng, 10)
    q = body.sample(rng)
    tips = body.tips[:3]
    answer = body.solve(
        {tip: body.forward(q, tip) for tip in tips}, seed=body.model.integrate(q, rng.normal(scale=0.05, size=body.n))
    )
    assert answer.ok, f"seed {seed}: {answer.why}"
    assert body.within_limits(answer.q)


# ---- obstacles ------------------------------------------------------------------------------------------------------------


def apart(arm: lk.Chain, q: np.ndarray, shapes: dict, obstacle: lk.Sphere) -> float:
    """Return the least gap between spheres on links and a sphere, by forward kinematics."""
    gaps = [
        np.linalg.norm(arm.forward(q, link) @ [*s.centre, 1] - [*obstacle.centre, 1]) - s.radius - obstacle.radius
        for link, own in shapes.items()
        for s in own
    ]
    return float(min(gaps))


def test_obstacles_are_kept_at_a_distance(rng: Rng) -> None:
    arm = CATALOGUE["panda"]
    shapes = {link: [lk.Sphere((0, 0, 0), 0.05)] for link in arm.frames if link != arm.base}
    solved = 0
    for _ in range(10):
        q = arm.sample(rng)
        T = arm.forward(q)
        elbow = arm.forward(q, "link4")[:3, 3]
        obstacle = lk.Sphere(elbow + [0, 0, 0.15], 0.08)
        if apart(arm, q, shapes, obstacle) < 0.015:
            continue
        answer = arm.solve(
            [lk.Pose(None, T), lk.Clearance([obstacle], distance=0.01, shapes=shapes, self_collision=False)]
        )
        assert answer.ok, answer.why
        assert apart(arm, answer.q, shapes, obstacle) >= 0.01
        assert np.abs(lk.pose_error(arm.forward(answer.q), T)).max() < 2e-8
        solved += 1
    assert solved >= 3


def test_an_obstacle_on_the_target_blocks() -> None:
    arm = CATALOGUE["panda"]
    T = arm.forward(arm.home)
    goal = lk.Clearance(
        [lk.Sphere(T[:3, 3], 0.1)], shapes={arm.tip: [lk.Sphere((0, 0, 0), 0.02)]}, self_collision=False
    )
    answer = arm.solve([lk.Pose(None, T), goal])
    assert answer.status == lk.Status.BLOCKED and "clearance" in answer.why
    assert answer.errors[1][0] > 0.05


def test_valid_is_called_and_may_refuse_everything() -> None:
    arm = CATALOGUE["panda"]
    T = arm.forward(arm.home)
    seen: list[np.ndarray] = []

    def left(q: np.ndarray) -> bool:
        seen.append(q)
        return bool(q[0] > 0.3)

    answer = arm.solve([lk.Position(None, T[:3, 3])], valid=left)
    assert answer.ok and answer.q[0] > 0.3 and seen
    answer = arm.solve([lk.Position(None, T[:3, 3])], valid=lambda q: False)
    assert answer.status == lk.Status.BLOCKED and "valid" in answer.why


def test_preferences_choose_among_attempts() -> None:
    arm = CATALOGUE["ur5"]
    p = arm.forward(arm.home + 0.4)[:3, 3]
    best = arm.solve([lk.Position(None, p)], prefer=lambda q: -abs(q[1] - 1.0))
    first = arm.solve([lk.Position(None, p)])
    assert best.ok and abs(best.q[1] - 1.0) <= abs(first.q[1] - 1.0)


# ---- unreachable targets ----------------------------------------------------------------------------------------------------


def test_out_of_reach_is_reported_only_if_proven() -> None:
    arm = CATALOGUE["panda"]
    far = arm.solve(lk.Position(None, (5.0, 0, 0)))
    assert far.status == lk.Status.OUT_OF_REACH and "reach" in far.why
    direction = arm.forward(far.q)[:3, 3]
    assert direction[0] > 0.8  # stretched towards it
    edge = np.array(
        [[1.0, 0, 0, 0.85], [0, 1, 0, 0], [0, 0, 1, 0.3], [0, 0, 0, 1]]
    )  # it cannot point up at that distance
    assert arm.solve(lk.Pose(None, edge)).status == lk.Status.NOT_FOUND
    figure = CATALOGUE["human"]
    assert figure.solve({"leftHand": (100.0, 50.0, 3.0)}).ok  # its root floats
    seated = figure.solve({"leftHand": (100.0, 50.0, 3.0)}, frozen=["root"])
    assert not seated.ok


def test_limits_are_kept_and_can_be_switched_off() -> None:
    arm = CATALOGUE["planar2_guez"].with_limits(0.0, 0.5)
    T = arm.forward([0.25, 0.25])
    assert arm.solve(lk.Pose(None, T)).ok
    out = CATALOGUE["planar2_guez"].forward([1.2, 1.0])[:3, 3]
    answer = arm.solve(lk.Position(None, out))
    assert not answer.ok and arm.within_limits(answer.q)
    assert arm.solve(lk.Position(None, out), limits=False).ok


@pytest.mark.parametrize("factor", [1024.0, 1000.0])
def test_size_does_not_matter(factor: float) -> None:
    """A figure a thousand times as large has the same posture for targets a thousand times as far.

    A factor of 1024 gives equal bits; for 1000 the search starts near the answer, because a long search may amplify rounding.
    """
    small = CATALOGUE["human"]
    large = small.scaled(factor)
    rng = np.random.default_rng(3)
    q = small.sample(rng)
    targets = {tip: small.forward(q, tip) for tip in TIPS}
    scaled_targets = {tip: T.copy() for tip, T in targets.items()}
    for T in scaled_targets.values():
        T[:3, 3] *= factor
    seed = small.clamp(small.model.integrate(q, rng.normal(scale=0.05, size=small.n)))
    more = np.where(np.arange(small.n) < 3, factor, 1.0)
    starts = (None, None) if factor == 1024.0 else (seed, seed * more)
    a, b = small.solve(targets, seed=starts[0]), large.solve(scaled_targets, seed=starts[1])
    assert a.status == b.status and a.attempt == b.attempt
    assert np.allclose(a.q * more, b.q, rtol=0 if factor == 1024.0 else 1e-6, atol=0 if factor == 1024.0 else 1e-6)


# ---- regressions ------------------------------------------------------------------------------------------------------------


def ball_arm() -> lk.Chain:
    """Return a chain of a ball joint with a narrow cone and two revolute joints."""
    links = tuple(lk.model.Link(name) for name in ("base", "a", "b", "c"))
    T = np.eye(4)
    T[2, 3] = 0.3
    joints = (
        lk.model.Joint("ball", lk.model.Kind.BALL, "base", "a", np.eye(4), swing=0.5),
        lk.model.Joint("h1", lk.model.Kind.REVOLUTE, "a", "b", T, np.array([0.0, 1, 0]), -2, 2, velocity=1.0),
        lk.model.Joint("h2", lk.model.Kind.REVOLUTE, "b", "c", T, np.array([1.0, 0, 0]), -2, 2, velocity=1.0),
    )
    return lk.Chain(lk.model.Mechanism("ball_arm", links, joints))


def test_a_ball_is_not_frozen_outside_its_cone() -> None:
    arm = ball_arm()
    goal = lk.Position(None, arm.forward([0.1, 0, 0, 0.2, 0.3])[:3, 3])
    with pytest.raises(lk.BadOption, match="range"):
        arm.solve(goal, frozen={"ball": [1.5, 0, 0]})
    inside = arm.solve(goal, frozen={"ball": [0.1, 0.0, 0.0]})
    assert inside.ok and (inside.q[:3] == [0.1, 0, 0]).all()
    assert arm.solve(goal, frozen={"ball": [1.5, 0, 0]}, limits=False).q[0] == 1.5
