"""Laws of muscle space at the edges: ranges without an upper end, arms that go anywhere, whole turns, tolerances, `valid`."""

import numpy as np
import pytest

import limbik as lk
from limbik.muscle.problem import muscle_problem

ARM = lk.load("maximum_one")
WIRE = [("torso", (-0.2, 0.0, 0.0)), ("upper_arm", (0.0, 0.0, -0.05))]


def half_open(lower):
    return ARM.with_muscles([lk.muscle.Muscle("wire", WIRE, lower=lower)])


def holds(robot, answer):
    """Verify an answer by forward kinematics, limits, ranges and the lengths of its posture."""
    tip = robot.forward(answer.q)[:3, 3]
    target = answer.target if answer.target.ndim == 1 else answer.target[:3, 3]
    return (
        bool(robot.muscles.admissible(answer.q))
        and np.linalg.norm(tip - target) <= max(1e-8, answer.position_error)
        and np.array_equal(answer.lengths, robot.muscles.lengths(answer.q))
    )


# ---- ranges without an upper end ---------------------------------------------------------------------------------------


def test_every_method_respects_a_lower_limit_alone():
    robot = half_open(0.23)
    rng = np.random.default_rng(10)
    points = ARM.forward(ARM.sample(rng, 60))[:, :3, 3]
    lengths, q, status = robot.muscles.solve_lengths_batch(points)
    solved = status == lk.Status.SOLVED
    assert 0 < solved.sum() < len(points)
    assert robot.muscles.admissible(q[solved]).all()
    assert np.array_equal(lengths[solved], robot.muscles.lengths(q[solved]))
    for point, there in zip(points, solved, strict=True):
        for method in (None, "least_squares"):
            answer = robot.muscles.solve_lengths(point, method=method)
            assert answer.ok == there
            assert not answer.ok or holds(robot, answer)


def test_a_point_whose_muscle_would_be_too_short_is_not_solved():
    robot = half_open(0.23)
    answer = robot.muscles.solve_lengths([-0.1, 0.2, 0.15])
    assert not answer.ok or holds(robot, answer)


def test_tracking_respects_a_lower_limit_alone():
    robot = half_open(0.2)
    rng = np.random.default_rng(11)
    start = robot.muscles.sample_admissible(rng, 20)
    ends = robot.muscles.sample_admissible(rng, 20)
    for q, end in zip(start, ends, strict=True):
        target = robot.forward(end)[:3, 3]
        for _ in range(10):
            answer = robot.muscles.track_lengths(q, target)
            assert robot.muscles.admissible(answer.q)
            q = answer.q


def test_centring_of_a_half_open_range_distinguishes_inside_from_outside():
    problem = muscle_problem(half_open(0.23).model)
    assert problem.centring(np.array([0.24])) <= 1 and problem.centring(np.array([100.0])) <= 1
    assert problem.centring(np.array([0.22])) > 1


@pytest.mark.parametrize("ends", [(0.23, np.inf), (0.23, 0.3), (0.0, np.inf), (0.23, 0.23 + 1e-9)])
def test_the_core_and_the_ranges_agree_on_what_is_inside(ends):
    low, high = ends
    robot = ARM.with_muscles([lk.muscle.Muscle("t", (), [("elbow", 0.02)], 0.25, low, high)])
    problem = muscle_problem(robot.model)
    near = [e * (1 + k * 1e-13) for e in ends if np.isfinite(e) for k in (-100, -20, -5, -1, 0, 1, 5, 20, 100)]
    for length in [*near, 0.22, 0.26, 0.4]:
        assert bool(problem.in_range(np.array([length]))) == bool(problem.centring(np.array([length])) <= 1)
        q = np.array([0.0, 0.0, 0.0, (length - 0.25) / 0.02])
        of_q = robot.muscles.lengths(q)
        worst = problem.core.track(robot.forward(q)[:3, 3], q, 0, 0.0, 1.0, 1.0)[4]
        assert bool(problem.in_range(of_q)) == (worst <= 1)


def test_a_map_respects_a_lower_limit_alone():
    bounded = ARM.with_muscles([lk.muscle.Muscle("wire", WIRE, lower=0.23, upper=10.0)])
    assert np.allclose(
        half_open(0.23).muscles.map(points=12).muscles, bounded.muscles.map(points=12).muscles, atol=1e-9
    )


# ---- arms that go anywhere ---------------------------------------------------------------------------------------------


def test_a_floating_base_is_never_out_of_reach():
    chain = lk.load("human").chain("leftHand")
    tip = list(chain.frames)[-1]
    robot = chain.with_muscles([lk.muscle.Muscle("a", [("spine", (0.1, 0, 0)), (tip, (0, 0, 0.05))], upper=3.0)])
    q = np.array(robot.home)
    q[0] = 5.0
    answer = robot.muscles.solve_lengths(robot.forward(q)[:3, 3])
    assert answer.ok and holds(robot, answer)


def test_an_unlimited_prismatic_joint_is_never_out_of_reach_and_a_limited_one_is():
    for ends, status in (((), lk.Status.SOLVED), ((0.0, 1.0), lk.Status.OUT_OF_REACH)):
        chain = lk.Chain.from_dh([(0, 0, 0, 0, "prismatic", *ends), (0.3, 0, 0, 0, "revolute")], name="pr")
        robot = chain.with_muscles([lk.muscle.Muscle("a", (), [("joint1", 0.1)], 1.0, 0.0, 50.0)])
        answer = robot.muscles.solve_lengths([0.3, 0.0, 20.0])
        assert answer.status is status
        assert not answer.ok or holds(robot, answer)


# ---- whole turns -------------------------------------------------------------------------------------------------------


def test_every_copy_of_a_joint_under_a_pulley_is_examined():
    ur = lk.load("ur5")
    robot = ur.with_muscles(
        [lk.muscle.Muscle("w", (), [(ur.joint_names[0], 0.03)], 0.3, 0.3 + 0.03 * 3.5, 0.3 + 0.03 * 6)]
    )
    rng = np.random.default_rng(12)
    for q in [np.array([4.0, -1, 1.2, 0.3, 0.7, 0.2]), *robot.muscles.sample_admissible(rng, 30)]:
        for prefer in ("centre", "nearest"):
            answer = robot.muscles.solve_lengths(robot.forward(q), prefer=prefer)
            assert answer.ok and holds(robot, answer)


def test_the_status_is_limits_if_no_copy_fits():
    ur = lk.load("ur5")
    robot = ur.with_muscles(
        [lk.muscle.Muscle("w", (), [(ur.joint_names[0], 0.03)], 0.3, 0.3 + 0.03 * 3.5, 0.3 + 0.03 * 3.6)]
    )
    q = np.array([1.0, -1, 1.2, 0.3, 0.7, 0.2])
    answer = robot.muscles.solve_lengths(robot.forward(q))
    assert not answer.ok and answer.status is lk.Status.LIMITS


@pytest.mark.parametrize("pulleys", [[("elbow", 0.02)], [("elbow", 0.01), ("elbow", 0.01)], [("shoulder_y", 0.02)]])
def test_turns_of_a_shoulder_and_elbow(pulleys):
    wide = ARM.with_muscles(()).with_limits([-9.0] * 4, [9.0] * 4)
    robot = wide.with_muscles([lk.muscle.Muscle("w", (), pulleys, 0.3, 0.3 + 0.02 * 4.0, 0.3 + 0.02 * 9.0)])
    for q in robot.muscles.sample_admissible(np.random.default_rng(13), 20):
        point = robot.forward(q)[:3, 3]
        answer = robot.muscles.solve_lengths(point)
        assert answer.ok and holds(robot, answer)
        reached = robot.muscles.solve_lengths(point, swivel=answer.swivel) if answer.swivel is not None else answer
        assert reached.status is not lk.Status.LIMITS


def test_lengths_determine_the_copy_of_a_joint_under_a_pulley():
    wide = ARM.with_limits([-9.0, *ARM.lower[1:]], [9.0, *ARM.upper[1:]])
    robot = wide.with_muscles([*ARM.muscles, lk.muscle.Muscle("w", (), [(ARM.joint_names[0], 0.02)], 0.5, 0.0, 5.0)])
    for q in robot.muscles.sample_admissible(np.random.default_rng(14), 20):
        found = robot.muscles.posture_from_lengths(robot.muscles.lengths(q))
        assert found.ok and min(np.abs(found.q - q).max(axis=1)) < 1e-5


# ---- `valid` -----------------------------------------------------------------------------------------------------------


def test_other_postures_have_the_same_options():
    rng = np.random.default_rng(15)
    others = 0
    for q in ARM.muscles.sample_admissible(rng, 30):
        point = ARM.forward(q)[:3, 3]
        first = ARM.muscles.solve_lengths(point)
        held = ARM.muscles.solve_lengths(
            point, swivel=first.swivel, valid=lambda p, first=first: not np.allclose(p, first.q, atol=1e-6)
        )
        assert (
            held.status is lk.Status.BLOCKED or abs(np.remainder(held.swivel - first.swivel + 1, 2 * np.pi) - 1) < 1e-9
        )
        again = ARM.muscles.solve_lengths(
            point, method="least_squares", valid=lambda p, q0=first.q: abs(p - q0).max() > 0.05
        )
        assert again.method == "least_squares"
        others += again.ok and abs(again.q - first.q).max() > 0.05
    assert others > 0


# ---- tolerances --------------------------------------------------------------------------------------------------------


def test_a_point_beyond_the_reach_by_less_than_the_tolerance_is_solved():
    points = [([0, 0, -0.701], 0.01), ([0, 0, -0.7 - 5e-9], None)]
    for point, tolerance in points:
        for method in (None, "closed_form"):
            answer = ARM.muscles.solve_lengths(point, method=method, position_tolerance=tolerance)
            assert answer.ok and holds(ARM, answer)
    assert ARM.muscles.solve_lengths([0, 0, -0.72], position_tolerance=0.01).status is lk.Status.OUT_OF_REACH
    _, _, status = ARM.muscles.solve_lengths_batch([[0, 0, -0.7 - 5e-9], [0, 0, -0.7 - 5e-8]])
    assert status.tolist() == [lk.Status.SOLVED, lk.Status.OUT_OF_REACH]


@pytest.mark.parametrize("bend", [1e-9, 1e-6, 1e-4, 1e-2, 1.0])
def test_an_elbow_at_its_limit_is_inside_it(bend):
    robot = ARM.with_limits([-np.pi, -1.5, -1.5, bend], [np.pi, 1.5, 1.5, 2.5])
    for q in robot.muscles.sample_admissible(np.random.default_rng(16), 20):
        q[3] = bend
        if robot.muscles.admissible(q):
            answer = robot.muscles.solve_lengths(robot.forward(q)[:3, 3])
            assert answer.ok and holds(robot, answer)


@pytest.mark.parametrize("upward", [True, False])
def test_a_narrow_range_is_reached_at_its_end(upward):
    solved = 0
    for q in ARM.muscles.sample_admissible(np.random.default_rng(17), 60):
        length = 0.25 + 0.02 * q[3]
        ends = (length, length + 1e-6) if upward else (length - 1e-6, length)
        robot = ARM.with_muscles([lk.muscle.Muscle("t", (), [("elbow", 0.02)], 0.25, *ends)])
        assert robot.muscles.admissible(q)
        answer = robot.muscles.solve_lengths(robot.forward(q)[:3, 3])
        assert answer.ok and holds(robot, answer)
        solved += 1
    assert solved == 60
