"""Motions of the studio without its page: flexion and abduction of the thesis, lines, circles, paths through placed poses."""

import numpy as np
import pytest

import limbik as lk
from limbik.geometry.se3 import rotation_about
from limbik.studio import drawn, motions
from limbik.studio.session import Session

# The films of the thesis: a robot, a frame of it, and the least number of frames of flexion and abduction.
FILMS = [("human", "leftHand", 100, 100), ("human", "rightHand", 100, 100), ("human_arm_6", "tip", 166, 161)]


@pytest.mark.parametrize(("name", "frame", "flexed", "abducted"), FILMS)
def test_flexion_and_abduction_lift_the_hand_at_constant_orientation(
    name: str, frame: str, flexed: int, abducted: int
) -> None:
    robot = lk.load(name)
    up, forward, left = motions.directions(robot)
    side = -left if "right" in frame else left
    for motion, least, direction in ((motions.flexion, flexed, up + forward), (motions.abduction, abducted, up + side)):
        session = Session(robot)
        session.set_q(np.zeros(robot.n))
        made = motion(session, frame)
        T = made.clip.forward(frame)
        step = motions.STEP_SHARE * motions.limb_length(robot, frame)
        assert len(made.clip) > least, "a film that is empty shows nothing"
        assert np.abs(T[:, :3, :3] - T[0, :3, :3]).max() < 1e-7
        assert np.allclose(np.diff(T[:, :3, 3], axis=0), step * direction, atol=1e-7)
        assert made.clip.largest_step <= motions.JUMP
        assert robot.within_limits(made.clip.q).all()
        assert not made.complete
        assert made.limits and all(joint in made.why for joint in made.limits) and "its limit is" in made.why
        at_end = {joint: made.clip.q[-1][robot.joint_names.index(joint)] for joint in made.limits}
        ends = [(robot.lower[k], robot.upper[k]) for k in (robot.joint_names.index(joint) for joint in made.limits)]
        assert all(np.abs(np.array(end) - at_end[j]).min() < 0.2 for j, end in zip(made.limits, ends, strict=True))


def test_the_thesis_films_have_their_lengths_and_end_at_the_wrist() -> None:
    """166 and 161 frames of 0.25 units on the arm of 110 units, upright: the arm hangs along -y."""
    arm = lk.load("human_arm_6")
    assert arm.model.mechanism.up == lk.load("human_arm_8").model.mechanism.up == "y"
    assert motions.limb_length(arm, "tip") == pytest.approx(1.1)
    for motion, frames, joint in ((motions.flexion, 166, "wrist_x"), (motions.abduction, 161, "wrist_z")):
        session = Session(arm)
        session.set_q(np.zeros(6))
        assert np.allclose(session.target("tip")[:3, 3], (0, -1.1, 0))
        made = motion(session, "tip", 0.0025)
        assert len(made.clip) - 1 == frames
        assert made.limits == (joint,)


def test_a_step_must_be_a_length() -> None:
    session = Session(lk.load("human_arm_6"))
    for step in (0.0, float("nan"), float("inf")):
        with pytest.raises(lk.LimbikError):
            motions.flexion(session, "tip", step)


def test_a_motion_that_leaves_the_reach_names_no_limit() -> None:
    session = Session(lk.load("human_arm_6"))
    session.set_limits(False)
    session.set_q(np.zeros(6))
    made = motions.flexion(session, "tip")
    assert len(made.clip) - 1 == 440 and made.limits == () and "out of reach" in made.why


def test_line_and_circle_are_straight_and_round() -> None:
    arm = lk.load("panda")
    session = Session(arm)
    T = session.target(arm.tip)
    end = np.array(T)
    end[:3, 3] += [0.05, 0.1, -0.1]
    made = drawn.line(session, arm.tip, end, 1.0)
    assert made.complete, made.why
    way = made.clip.forward(arm.tip)[:, :3, 3] - T[:3, 3]
    assert np.abs(np.cross(way, end[:3, 3] - T[:3, 3])).max() < 1e-7
    assert np.abs(made.clip.forward(arm.tip)[-1] - end).max() < 1e-7
    centre = T[:3, 3] + [0, 0, -0.1]
    made = drawn.circle(session, arm.tip, centre, (1, 0, 0), 2.0)
    assert made.complete, made.why
    place = made.clip.forward(arm.tip)
    assert np.abs(np.linalg.norm(place[:, :3, 3] - centre, axis=1) - 0.1).max() < 1e-7
    assert np.abs(place[-1] - T).max() < 1e-7
    far = np.array(T)
    far[0, 3] += 9
    ended = drawn.line(session, arm.tip, far, 1.0)
    assert not ended.complete
    assert "cannot be reached" in ended.why
    for bad in (
        lambda: drawn.circle(session, arm.tip, T[:3, 3], (1, 0, 0)),
        lambda: drawn.circle(session, arm.tip, centre, (0, 0, 0)),
        lambda: drawn.line(session, arm.tip, end, 0),
        lambda: drawn.through(session, arm.tip, []),
        lambda: drawn.line(session, arm.tip, end, 1e9),
    ):
        with pytest.raises(lk.BadOption):
            bad()


def test_a_drawn_circle_closes_and_a_jump_is_reported_or_refused() -> None:
    arm = lk.load("ur5")
    session = Session(arm)
    T = session.target(arm.tip)
    made = drawn.circle(session, arm.tip, T[:3, 3] - [0, 0, 0.1], (1, 0, 0), 2.0)
    assert made.complete, made.why
    assert np.abs(made.clip.q[-1] - made.clip.q[0]).max() < 1e-6
    turns = [
        T @ rotation_about((0, 0, 1), np.pi / 2 * k) for k in range(13)
    ]  # three turns: more than the wrist's range
    ended = drawn.through(session, arm.tip, turns, 0.3, here=False)
    assert not ended.complete
    assert "limit" in ended.why
    whole = drawn.through(session, arm.tip, turns, 0.3, here=False, jumps=True)
    assert "it jumps at" in whole.why
    assert whole.clip.duration > ended.clip.duration
    assert np.abs(arm.forward(whole.clip.q[-1]) - turns[-1]).max() < 1e-6


def test_a_figures_hand_follows_a_circle_smoothly() -> None:
    figure = lk.load("human")
    session = Session(figure)
    for name, value in (("UpperArm_x", 0.9), ("UpperArm_z", 0.35), ("UpperArm_y", 0.2), ("LowerArm_x", 1.0)):
        session.set_joint(f"left{name}", value)
    T = session.target("leftHand")
    made = drawn.circle(session, "leftHand", T[:3, 3] - [0, 0.06, 0], (0, 0, 1), 2.0)
    assert made.complete, made.why
    assert np.abs(made.clip.forward("leftHand")[:, :3, :3] - T[:3, :3]).max() < 1e-6
    assert made.clip.largest_step < 0.2
