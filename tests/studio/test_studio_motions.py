"""Motions of the studio without its page: flexion and abduction of the thesis, lines, circles, paths through placed poses."""

import numpy as np
import pytest

import limbik as lk
from limbik.geometry.se3 import rotation_about
from limbik.studio import drawn, motions
from limbik.studio.session import Session


def test_flexion_and_abduction_lift_the_hand_at_constant_orientation() -> None:
    for name, frame in (("human", "leftHand"), ("human", "rightHand"), ("human_arm_7", None)):
        session = Session(lk.load(name))
        frame = frame or session.tips[0]
        up = "xyz".index(session.robot.model.mechanism.up)
        for motion in (motions.flexion, motions.abduction):
            made = motion(session, frame, 0.01)
            T = made.clip.forward(frame)
            if len(made.clip) < 2:
                assert "ends after 0 frames" in made.why
                continue
            assert np.abs(T[:, :3, :3] - T[0, :3, :3]).max() < 1e-7
            assert np.allclose(np.diff(T[:, up, 3]), 0.01, atol=1e-7)
            assert made.clip.largest_step <= motions.JUMP
            assert session.robot.within_limits(made.clip.q).all()
            assert not made.complete
            assert "ends after" in made.why
    with pytest.raises(lk.BadOption):
        motions.flexion(session, frame, 0.0)


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
