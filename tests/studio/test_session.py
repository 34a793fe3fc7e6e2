"""The studio's session, without a page: sliders, gizmos, pins, keys, undo."""

import numpy as np
import pytest

import limbik as lk
from limbik.studio.history import History
from limbik.studio.limbs import limb_of
from limbik.studio.session import Session

ROBOTS = ["panda", "ur5", "puma560", "human", "scara", "planar3_chin"]


@pytest.mark.parametrize("name", ROBOTS)
def test_a_dragged_frame_reaches_its_target(name: str) -> None:
    robot = lk.load(name)
    session = Session(robot)
    rng = np.random.default_rng(0)
    for _ in range(5):
        frame = session.tips[rng.integers(len(session.tips))]
        limb = limb_of(robot, frame)
        assert limb is not None
        q = limb.put(session.q, limb.chain.sample(rng))
        T = robot.forward(q, frame)
        report = session.drag(frame, T)
        assert report.ok, report.why
        assert np.abs(robot.forward(session.q, frame) - T).max() < 1e-7
        assert robot.within_limits(session.q)
        assert np.array_equal(session.target(frame), T)


def test_a_dragged_hand_moves_its_arm_alone() -> None:
    figure = lk.load("human")
    session = Session(figure)
    before = session.q
    T = figure.forward(before, "leftHand")
    T[:3, 3] += [0.05, 0.2, 0.2]
    session.drag("leftHand", T)
    moved = {name for name, a, b in zip(figure.joint_names, before, session.q, strict=True) if a != b}
    assert moved
    assert all(name.startswith(("leftUpperArm", "leftLowerArm", "leftHand")) for name in moved)


def test_pins_stay_while_the_body_follows() -> None:
    figure = lk.load("human")
    session = Session(figure)
    feet = {foot: figure.forward(session.q, foot) for foot in ("leftFoot", "rightFoot")}
    for foot in feet:
        session.pin(foot)
    T = figure.forward(session.q, "leftHand")
    T[:3, 3] += [0.1, 0.0, 0.5]
    report = session.drag("leftHand", T)
    assert report.ok, report.why
    for foot, pose in feet.items():
        assert np.abs(figure.forward(session.q, foot) - pose).max() < 1e-6
    session.unpin("leftFoot")
    assert set(session.state.pins) == {"rightFoot"}


def test_out_of_reach_is_reported_and_not_raised() -> None:
    session = Session(lk.load("ur5"))
    T = session.target(session.tips[0])
    T[:3, 3] = [5, 0, 0]
    report = session.drag(session.tips[0], T)
    assert not report.ok
    assert report.status is lk.Status.OUT_OF_REACH
    assert report.position_error > 3
    assert "out of reach" in report.headline
    assert np.array_equal(session.target(session.tips[0]), T)  # the gizmo stays where it was put


def test_a_drag_is_one_step_of_undo() -> None:
    session = Session(lk.load("panda"))
    frame, start = session.tips[0], session.q
    T = session.target(frame)
    session.begin_drag()
    for _ in range(20):
        T[2, 3] -= 0.01
        session.drag(frame, T)
    session.end_drag()
    end = session.q
    assert not np.array_equal(start, end)
    assert session.undo() == f"drag {frame}"
    assert np.array_equal(session.q, start)
    assert session.undo() is None
    assert session.redo() == f"drag {frame}"
    assert np.array_equal(session.q, end)
    assert session.redo() is None


def test_everything_can_be_undone() -> None:
    """A long random sequence of actions, then undo to the start and redo to the end."""
    rng = np.random.default_rng(5)
    figure = lk.load("human")
    session = Session(figure)
    states = [session.state]

    def drag() -> None:
        T = session.target("rightHand")
        T[:3, 3] += rng.normal(scale=0.03, size=3)
        session.drag("rightHand", T)

    verbs = [
        drag,
        lambda: session.set_joint("leftUpperArm_x", rng.uniform(0, 1)),
        lambda: session.random(int(rng.integers(100))),
        session.reset,
        lambda: session.pin("leftFoot"),
        lambda: session.unpin("leftFoot"),
        lambda: session.look("head", rng.normal(size=3)),
        lambda: session.look("head", None),
        lambda: session.set_key(float(rng.integers(10))),
        lambda: session.scrub(rng.uniform(0, 10)),
        lambda: session.fill(["step", "linear", "cubic"][rng.integers(3)]),
        lambda: session.set_limits(bool(rng.integers(2))),
        lambda: session.set_method([None, "lm"][rng.integers(2)]),
    ]
    for _ in range(60):
        verbs[rng.integers(len(verbs))]()
        if session.state != states[-1]:
            states.append(session.state)
    for expected in reversed(states[:-1]):
        assert session.undo() is not None
        assert session.state == expected
    assert session.undo() is None
    for expected in states[1:]:
        assert session.redo() is not None
        assert session.state == expected


def test_a_new_step_discards_undone_ones() -> None:
    history = History(0)
    for k in (1, 2, 3):
        history.record(f"to {k}", k)
    history.undo()
    history.record("to 9", 9)
    assert history.redoable is None
    assert [history.undo(), history.undo(), history.undo(), history.undo()] == ["to 9", "to 2", "to 1", None]
    assert history.state == 0


def test_keys_make_a_clip() -> None:
    arm = lk.load("ur5")
    session = Session(arm)
    rng = np.random.default_rng(0)
    postures = arm.sample(rng, 4)
    for k, q in enumerate(postures):
        session.set_q(q)
        session.set_key(0.5 * k)
    clip = session.clip()
    assert isinstance(clip, lk.Clip)
    assert np.array_equal(clip.q, postures)
    assert clip.times.tolist() == [0, 0.5, 1, 1.5]
    session.scrub(0.5)
    assert np.array_equal(session.q, postures[1])
    session.scrub(0.75)
    assert np.array_equal(session.q, clip.at(0.75))
    session.move_key(0.5, 0.7)
    assert session.clip().times.tolist() == [0, 0.7, 1, 1.5]
    session.delete_key(1.0)
    assert len(session.clip()) == 3
    session.fill("linear")
    assert session.clip().interpolation == "linear"
    session.take_clip(lk.Clip(arm, arm.sample(rng, 5000), rate=100))
    assert len(session.state.timeline) == 2000
    assert session.state.timeline.duration == pytest.approx(49.99)


def test_limits_off_lets_joints_leave_their_range() -> None:
    arm = lk.load("panda")
    session = Session(arm)
    session.set_joint(arm.joint_names[0], 9.0)
    assert session.q[0] == arm.upper[0]
    assert arm.joint_names[0] in session.report.at_limit
    session.set_limits(False)
    session.set_joint(arm.joint_names[0], 9.0)
    assert session.q[0] == 9.0


def test_misuse_raises() -> None:
    arm = lk.load("ur5")
    session = Session(arm)
    before = session.state
    for raised, call in [
        (lk.BadOption, lambda: Session("ur5")),
        (lk.errors.UnknownJoint, lambda: session.set_joint("elbow", 1)),
        (lk.errors.NotNumeric, lambda: session.set_joint(arm.joint_names[0], "wide")),
        (lk.NotFinite, lambda: session.set_joint(arm.joint_names[0], np.nan)),
        (lk.errors.UnknownFrame, lambda: session.drag("hand", np.eye(4))),
        (lk.NotRigid, lambda: session.drag(arm.tip, np.ones((4, 4)))),
        (lk.NotFinite, lambda: session.drag(arm.tip, np.full((4, 4), np.nan))),
        (lk.BadOption, lambda: session.pin(arm.tip, position=-1)),
        (lk.BadOption, lambda: session.set_method("magic")),
        (lk.BadOption, lambda: session.set_key(-1)),
        (lk.BadOption, lambda: session.set_key(1e9)),
        (lk.BadOption, lambda: session.delete_key(0)),
        (lk.BadOption, lambda: session.fill("bezier")),
        (lk.BadOption, lambda: session.clip()),
        (lk.BadOption, lambda: session.take_clip(lk.Clip(lk.load("panda"), [lk.load("panda").home]))),
    ]:
        with pytest.raises(raised):
            call()
    assert session.state == before
