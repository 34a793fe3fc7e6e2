"""BLOCKED is a proof: obstacles that no posture can avoid. What was only not found is NOT_FOUND, and says so."""

import numpy as np
import pytest

import limbik as lk
from limbik.goals.clearance import gap

EASY = {"self_collision": False}


def clear(arm, q, obstacles):
    return min(gap(s.moved(arm.forward(q, f)), o) for f, s in arm.shapes for o in obstacles)


def test_among_all_postures_of_an_arm_one_that_is_clear_is_found_and_else_it_is_proven(rng):
    """Targets of a six-joint arm among balls: by the closed form it is known whether any of the postures is clear."""
    arm = lk.load("ur5")
    seen = {True: 0, False: 0}
    for _ in range(60):
        T = arm.forward(arm.sample(rng))
        balls = [
            lk.Sphere(T[:3, 3] * rng.uniform(0.3, 0.8) + rng.normal(scale=0.12, size=3), rng.uniform(0.05, 0.12))
            for _ in range(3)
        ]
        postures = arm.solve_all(T)
        gaps = [clear(arm, posture.q, balls) for posture in postures]
        if abs(max(gaps)) < 2e-3:
            continue
        answer = arm.solve([lk.Pose(None, T), lk.Clearance(balls, **EASY)])
        possible = max(gaps) > 0
        seen[possible] += 1
        assert answer.status == (lk.Status.SOLVED if possible else lk.Status.BLOCKED), (answer.why, max(gaps))
        if possible:
            assert clear(arm, answer.q, balls) >= 0 and arm.within_limits(answer.q)
        else:
            assert "posture" in answer.why
    assert min(seen.values()) >= 10


def test_what_the_target_puts_into_an_obstacle_is_blocked_also_for_a_redundant_arm():
    arm = lk.load("panda")
    T = arm.forward(arm.home)
    tip = arm.forward(arm.home, "link7")
    answer = arm.solve(T, obstacles=lk.Box(tip[:3, 3], (0.05, 0.05, 0.05)))
    assert answer.status == lk.Status.BLOCKED and "'link7'" in answer.why and "inside obstacle 0" in answer.why


def test_what_does_not_move_blocks_every_posture():
    arm = lk.load("panda")
    inside = lk.Sphere((0, 0, 0.1), 0.05)
    for goals in (
        [lk.Clearance([lk.Sphere((9, 9, 9), 1), inside])],
        [lk.Position(None, (0.4, 0, 0.5)), lk.Clearance([lk.Sphere((9, 9, 9), 1), inside])],
    ):
        answer = arm.solve(goals)
        assert answer.status == lk.Status.BLOCKED and "does not move" in answer.why and "obstacle 1" in answer.why


def test_what_was_not_found_is_not_called_blocked():
    """A cage around the middle of a redundant arm: nothing proves that there is no way."""
    arm = lk.load("panda")
    T = arm.forward(arm.home)
    elbow = arm.forward(arm.home, "link4")[:3, 3]
    cage = [lk.Sphere(elbow, 0.35)]
    answer = arm.solve(T, obstacles=cage)
    assert not answer.ok and answer.status == lk.Status.NOT_FOUND
    assert "other goals can be met" in answer.why and "blocked" not in answer.why and "clearance" in answer.why.lower()


def test_tolerances_and_ranges_leave_room_that_is_not_proven_away():
    arm = lk.load("panda")
    T = arm.forward(arm.home)
    tool = arm.with_shapes({arm.tip: lk.Sphere((0, 0, 0), 0.02)})
    ball = lk.Sphere(T[:3, 3] + 0.06 * T[:3, 2], 0.05)  # they overlap by 1 cm
    strict = tool.solve([lk.Pose(None, T), lk.Clearance([ball], **EASY)])
    assert strict.status == lk.Status.BLOCKED and strict.proof
    loose = tool.solve([lk.Pose(None, T, range=(0.05, 0.0)), lk.Clearance([ball], **EASY)])
    assert loose.ok and clear(tool, loose.q, [ball]) >= 0
    wide = tool.solve([lk.Pose(None, T, tolerance=(0.05, 0.1)), lk.Clearance([ball], **EASY)])
    assert wide.status != lk.Status.BLOCKED


def test_a_function_of_the_caller_still_decides_on_postures_of_the_closed_form(rng):
    arm = lk.load("ur5")
    for _ in range(20):
        T = arm.forward(arm.sample(rng))
        ball = lk.Sphere(T[:3, 3] * 0.5, 0.1)
        answer = arm.solve(T, obstacles=ball, valid=lambda q: bool(q[0] > 0))
        assert not answer.ok or answer.q[0] > 0


@pytest.mark.parametrize("name", ["iiwa14", "panda"])
def test_redundant_arms_are_asked_over_their_free_parameter(name, rng):
    """Obstacles set beside known postures: all found."""
    arm = lk.load(name)
    for _ in range(10):
        q = arm.sample(rng)
        balls = [lk.Sphere(arm.forward(q)[:3, 3] + rng.normal(scale=0.3, size=3), 0.05) for _ in range(4)]
        if clear(arm, q, balls) < 0.02:
            continue
        answer = arm.solve([lk.Pose(None, arm.forward(q)), lk.Clearance(balls, **EASY)])
        assert answer.ok and clear(arm, answer.q, balls) >= 0, answer.why
        assert np.abs(lk.pose_error(arm.forward(answer.q), arm.forward(q))).max() < 2e-8
