"""From targets to lengths: everything solved is verified, everything proven is true, for arms of many sorts."""

import pickle

import numpy as np
import pytest
from muscle_arms import BALL, narrowed, shoulder_elbow

import limbik as lk
from limbik import Status
from limbik.muscle.problem import muscle_problem

SEED = 21
P1, P2 = np.array([-0.10, 0.20, 0.15]), np.array([0.10, 0.25, -0.25])


@pytest.fixture(scope="module")
def arm():
    return lk.load("maximum_one")


def check(arm, answer, target):
    """Verify what an answer reports."""
    low, high = arm.muscles.ranges
    assert np.allclose(arm.muscles.lengths(answer.q), answer.lengths, atol=1e-11)
    if answer.ok:
        T = arm.forward(answer.q)
        if np.shape(target) == (3,):
            assert np.linalg.norm(T[:3, 3] - target) <= 1e-8
        elif np.shape(target) == (3, 3):
            assert np.abs(T[:3, :3] - target).max() <= 1e-7
        else:
            assert np.abs(T - target).max() <= 1e-7
        assert arm.within_limits(answer.q)
        assert (answer.lengths >= low).all() and (answer.lengths <= high).all() and answer.centring <= 1


def test_the_papers_points(arm):
    for p in (P1, P2):
        answer = arm.muscles.solve_lengths(p)
        check(arm, answer, p)
        assert answer.ok and answer.position_error <= 1e-11 and answer.method == "closed_form"
        assert answer.by_name["pectoralis"] == answer.lengths[0] and answer.names == arm.muscles.names
        assert pickle.loads(pickle.dumps(answer)) == answer and "SOLVED" in repr(answer)
        back = arm.muscles.posture_from_lengths(answer.lengths)
        assert np.abs(back.q[0] - answer.q).max() <= 1e-9


@pytest.mark.parametrize("narrow", [False, True])
def test_every_reachable_point_is_solved(arm, narrow):
    rng = np.random.default_rng(SEED)
    for _ in range(4 if narrow else 1):
        robot = narrowed(arm, rng) if narrow else arm
        P = robot.forward(robot.muscles.sample_admissible(rng, 40 if narrow else 1000))[:, :3, 3]
        lengths, q, status = robot.muscles.solve_lengths_batch(P)
        low, high = robot.muscles.ranges
        assert (status == Status.SOLVED).all() and robot.muscles.admissible(q).all()
        assert ((lengths >= low) & (lengths <= high)).all()
        assert np.linalg.norm(robot.forward(q)[:, :3, 3] - P, axis=1).max() <= 1e-11
        for k in (0, 1, 2):
            one = robot.muscles.solve_lengths(P[k])
            assert np.array_equal(one.q, q[k]) and np.array_equal(one.lengths, lengths[k])


@pytest.mark.parametrize("mixed", [False, True])
def test_arms_of_any_shoulder_elbow_and_muscles(mixed):
    """Reachable points are solved; if the answer is a proof, a fine search along the swivel finds no solution."""
    rng = np.random.default_rng(SEED)
    for _ in range(4):
        robot = shoulder_elbow(rng, mixed=mixed)
        P = robot.forward(robot.muscles.sample_admissible(rng, 60))[:, :3, 3]
        _, q, status = robot.muscles.solve_lengths_batch(P)
        assert (status == Status.SOLVED).all() and robot.muscles.admissible(q).all()
        others = robot.forward(robot.sample(rng, 30))[:, :3, 3]
        for p in others[robot.muscles.solve_lengths_batch(others)[2] != Status.SOLVED][:4]:
            answer = robot.muscles.solve_lengths(p)
            assert answer.status is (Status.NOT_FOUND if mixed else Status.LIMITS)
            look = muscle_problem(robot.model).core.solve_point
            assert not any(look(p, robot.home, False, psi)[0] == 0 for psi in np.linspace(-np.pi, np.pi, 361))
            assert robot.muscles.admissible(answer.q) and answer.position_error > 1e-8


def test_out_of_reach_and_limits_are_reported(arm):
    for p, status, says in (
        ([0, 0, -0.701], Status.OUT_OF_REACH, "no farther"),
        ([9, 9, 9], Status.OUT_OF_REACH, "no farther"),
        ([0, 0, 0], Status.LIMITS, "elbow"),
        ([0.1, 0.05, 0], Status.LIMITS, "elbow"),
        ([0, -0.2, 0.3], Status.LIMITS, "shoulder"),
    ):
        answer = arm.muscles.solve_lengths(p)
        check(arm, answer, p)
        assert answer.status is status and says in answer.why and arm.muscles.admissible(answer.q), answer.why
    assert arm.muscles.solve_lengths([0, 0, -0.7]).ok  # as far as it gets
    far = arm.muscles.solve_lengths([0, 0, -0.8])
    assert far.position_error == pytest.approx(0.1, abs=1e-3)


def test_a_muscle_that_is_in_the_way_is_named(arm):
    q = arm.muscles.solve_lengths(P1, prefer="nearest").q
    short = arm.with_muscles([lk.muscle.Muscle(m.name, m.path, m.pulleys, m.rest, m.lower, m.upper) for m in arm.muscles[:6]]
                             + [lk.muscle.Muscle("triceps", (), [("elbow", 0.02)], 0.25, 0.25, 0.28)])  # fmt: skip
    answer = short.muscles.solve_lengths(P1)
    assert (
        arm.muscles.admissible(q)
        and answer.status is Status.LIMITS
        and "'triceps'" in answer.why
        and "0.28" in answer.why
    )


def test_the_swivel_is_centred_and_can_be_held(arm):
    rng = np.random.default_rng(SEED)
    for p in arm.forward(arm.muscles.sample_admissible(rng, 20))[:, :3, 3]:
        best = arm.muscles.solve_lengths(p)
        problem = muscle_problem(arm.model)
        for psi in np.linspace(-3, 3, 31):
            held = arm.muscles.solve_lengths(p, swivel=psi)
            check(arm, held, p)
            if held.ok:
                assert problem.spread(held.lengths) >= problem.spread(best.lengths) * (1 - 1e-9)
                assert held.swivel == psi
        assert any(
            low - 1e-12 <= best.swivel <= high + 1e-12 or low <= best.swivel - 2 * np.pi <= high
            for low, high in best.ranges
        )


def test_nearest_is_nearer_than_centred(arm):
    rng = np.random.default_rng(SEED)
    for q in arm.muscles.sample_admissible(rng, 30):
        p = arm.forward(q)[:3, 3]
        near = arm.muscles.solve_lengths(p, q, prefer="nearest")
        check(arm, near, p)
        assert np.abs(near.q - q).max() <= 1e-5


def test_poses_points_and_orientations_of_the_human_limb():
    arm = lk.load("human_upper_limb")
    rng = np.random.default_rng(SEED)
    for T in arm.forward(arm.muscles.sample_admissible(rng, 12)):
        for target in (T, T[:3, 3], T[:3, :3]):
            answer = arm.muscles.solve_lengths(target)
            check(arm, answer, target)
            assert answer.ok, answer.why
    assert (
        arm.muscles.solve_lengths(T).method == "closed_form"
        and arm.muscles.solve_lengths(T[:3, 3]).method == "least_squares"
    )
    assert arm.muscles.solve_lengths([0, 0, 3]).status is Status.OUT_OF_REACH


def test_other_arms_are_given_muscles(tmp_path):
    path = tmp_path / "ball.toml"
    path.write_text(BALL)
    rng = np.random.default_rng(SEED)
    panda = lk.load("panda")
    links = [link.name for link in panda.model.mechanism.links]
    wires = [
        lk.muscle.Muscle("a", [(links[0], (0.1, 0.1, 0.1)), (links[3], (0.05, 0.05, 0))], lower=0.05, upper=0.9),
        lk.muscle.Muscle("b", (), [(panda.joint_names[3], 0.04)], 0.3, 0.18, 0.29),
    ]
    ur5 = lk.load("ur5")
    wire = lk.muscle.Muscle("a", [("base", (0.1, 0.1, 0.1)), ("link2", (0.05, 0.05, 0))], lower=0.05, upper=0.5)
    for arm in (lk.load(path), panda.with_muscles(wires), ur5.with_muscles([wire])):
        for q in arm.muscles.sample_admissible(rng, 10):
            T = arm.forward(q)
            for target in (T, T[:3, 3]):
                answer = arm.muscles.solve_lengths(target)
                check(arm, answer, target)
                assert answer.ok, (arm.name, answer.why)


def test_a_pose_whose_every_posture_breaks_a_range_is_proven():
    ur5 = lk.load("ur5")
    wire = lk.muscle.Muscle(
        "wire",
        (),
        [("shoulder_lift" if "shoulder_lift" in ur5.joint_names else ur5.joint_names[1], 0.01)],
        0.2,
        0.1,
        0.3,
    )
    q = np.array([0.3, -1.2, 1.1, -0.5, 0.7, 0.2])
    T = ur5.forward(q)
    every = ur5.solve_all(T, turns="all").q[:, 1]
    high = 0.2 + 0.01 * every.min() - 1e-3
    blocked = ur5.with_muscles([lk.muscle.Muscle("wire", (), wire.pulleys, 0.2, 0.0, high)])
    answer = blocked.muscles.solve_lengths(T)
    assert answer.status is Status.LIMITS and "'wire'" in answer.why


def test_valid_may_refuse(arm):
    assert arm.muscles.solve_lengths(P1, valid=lambda q: False).status is Status.BLOCKED
    picky = arm.muscles.solve_lengths(P1, valid=lambda q: q[1] > 0.8)
    check(arm, picky, P1)
    assert picky.ok and picky.q[1] > 0.8


def test_size_does_not_matter(arm):
    big = arm.scaled(1000.0)
    for p in (P1, P2, np.array([0, 0, 0.9])):
        one, other = arm.muscles.solve_lengths(p), big.muscles.solve_lengths(1000 * p)
        assert one.status is other.status
        if one.ok:
            assert np.abs(one.q - other.q).max() <= 1e-6 and np.allclose(1000 * one.lengths, other.lengths, rtol=1e-6)


@pytest.mark.parametrize("method", list(lk.muscle.MUSCLE_METHODS))
def test_every_method_is_honest(arm, method):
    rng = np.random.default_rng(SEED)
    exact = lk.muscle.MUSCLE_METHODS[method].exact
    for q in arm.muscles.sample_admissible(rng, 15):
        q[1] = abs(q[1])
        p = arm.forward(q)[:3, 3]
        answer = arm.muscles.solve_lengths(p, arm.clamp(q + 0.05 * rng.normal(size=4)), method=method)
        check(arm, answer, p)
        assert answer.evaluations > 0 and answer.method == method
        assert answer.ok or not exact or method == "gauss_newton"


@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.solve_lengths("there"), lambda m: m.solve_lengths([1, 2]), lambda m: m.solve_lengths([np.nan, 0, 0]),
        lambda m: m.solve_lengths(np.zeros((4, 4))), lambda m: m.solve_lengths(2 * np.eye(3)),
        lambda m: m.solve_lengths([1e200, 0, 0]),
        lambda m: m.solve_lengths(np.zeros((5, 3))), lambda m: m.solve_lengths(P1, [0, 0]),
        lambda m: m.solve_lengths(P1, method="fast"),
        lambda m: m.solve_lengths(P1, prefer="best"), lambda m: m.solve_lengths(P1, swivel="up"),
        lambda m: m.solve_lengths(P1, limits=3),
        lambda m: m.solve_lengths(P1, alpha=1), lambda m: m.solve_lengths(P1, method="fast_gradient", alpa=1),
        lambda m: m.solve_lengths(P1, valid=3), lambda m: m.solve_lengths(np.eye(4), method="fast_gradient"),
        lambda m: m.solve_lengths(P1, method="gauss_newton", steps=-1), lambda m: m.solve_lengths(P1, position_tolerance=0),
        lambda m: m.solve_lengths_batch([1, 2, 3]), lambda m: m.solve_lengths_batch([[np.nan, 0, 0]]),
        lambda m: m.solve_lengths(np.eye(3), swivel=1.0), lambda m: m.solve_lengths(np.eye(3), method="closed_form"),
    ],
)  # fmt: skip
def test_misuse_raises_one_sentence(arm, call):
    with pytest.raises(lk.LimbikError) as caught:
        call(arm.muscles)
    assert "\n" not in str(caught.value)


def test_empty_batches_and_tolerances(arm):
    lengths, q, status = arm.muscles.solve_lengths_batch(np.empty((0, 3)))
    assert lengths.shape == (0, 7) and q.shape == (0, 4) and len(status) == 0
    loose = arm.muscles.solve_lengths([0, 0, -0.7000001], position_tolerance=1e-6)
    assert not loose.ok or loose.position_error <= 1e-6
