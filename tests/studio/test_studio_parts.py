"""Parts of the studio without the page: ghosts, motions, traces of methods, goniometry, projects, uploads."""

import contextlib
import json

import numpy as np
import pytest

import limbik as lk
from limbik.studio import at_work, goniometry
from limbik.studio.exporting import posture_text
from limbik.studio.ghosts import ghosts
from limbik.studio.limbs import limb_of
from limbik.studio.project import from_project, to_project
from limbik.studio.session import Session
from limbik.studio.uploads import receive


@pytest.mark.parametrize(("name", "frame"), [("puma560", None), ("panda", None), ("jaco2", None), ("human", "leftFoot"),
                                             ("human", "rightHand"), ("human", "head")])  # fmt: skip
def test_every_ghost_holds_the_frame(name: str, frame: str | None) -> None:
    robot = lk.load(name)
    session = Session(robot)
    frame = frame or session.tips[0]
    limb = limb_of(robot, frame)
    assert limb is not None
    rng = np.random.default_rng(3)
    T = robot.forward(limb.put(session.q, limb.chain.sample(rng)), frame)
    assert session.drag(frame, T).ok
    found = ghosts(session, frame)
    assert len(found) == len(found.labels) > 0
    assert found.status is lk.Status.SOLVED
    still = [k for k in range(robot.n) if k not in limb.columns]
    for q in found.q:
        assert np.abs(robot.forward(q, frame) - T).max() < 1e-7
        assert robot.within_limits(q)
        assert np.array_equal(q[still], session.q[still])
    if name == "puma560":
        assert found.complete
        assert found.present >= 0
        session.set_q(found.q[-1], "choose a branch")
        assert ghosts(session, frame).present >= 0


def test_no_ghosts_out_of_reach() -> None:
    session = Session(lk.load("ur5"))
    T = session.target("tool0" if "tool0" in session.tips else session.tips[0])
    T[:3, 3] = 9.0
    session.drag(session.tips[0], T)
    found = ghosts(session, session.tips[0])
    assert len(found) == 0
    assert found.status is lk.Status.OUT_OF_REACH
    assert found.why


@pytest.mark.parametrize("method", at_work.WATCHABLE)
def test_every_iterative_method_can_be_traced(method: str) -> None:
    arm = lk.load("puma560")
    session = Session(arm)
    T = arm.forward(arm.clamp(session.q + 0.1), arm.tip)
    session.set_method(None)
    before = session.q
    session.drag(arm.tip, T)
    session.undo()
    trace = at_work.watch(_at(session, T), arm.tip, method)
    assert np.array_equal(trace.q[0], before)
    assert len(trace) == len(trace.position_error) == len(trace.steps) >= 2
    assert trace.position_error[-1] <= trace.position_error[0]
    assert np.isfinite(trace.q).all()
    assert title_of(method) in trace.why


def title_of(name: str) -> str:
    return lk.METHODS[name].title


def _at(session: Session, T: np.ndarray) -> Session:
    """Return a session with its gizmo at T and the arm unmoved."""
    from dataclasses import replace

    frame = session.tips[0]
    session.take_state(replace(session.state, targets={frame: tuple(map(tuple, T.tolist()))}), "place")
    return session


def test_an_exercise_counts_out_and_back() -> None:
    motion = goniometry.motions(lk.load("human"))["left knee flexion"]
    exercise = goniometry.Exercise.of(motion, 90, 10, 2)
    for angle in (0, 50, 95, 60, 95, 5, 40, 90, 11, 10, 100):
        exercise = exercise.seen(angle)
    assert exercise.finished
    assert exercise.done == 2
    assert exercise.best_deg == 100
    assert "done" in exercise.text
    for bad in ((5, 10, 3), (400, 0, 3), (90, 0, 0), (90, 0, 1.5)):
        with pytest.raises(lk.BadOption):
            goniometry.Exercise.of(motion, *bad)


def worked() -> Session:
    session = Session(lk.load("human"))
    session.pin("leftFoot")
    session.look("head", (0, 1.5, 2))
    for k in range(3):
        session.random(k)
        session.set_key(k)
    session.fill("linear")
    session.set_method("lm")
    return session


def test_a_project_round_trip() -> None:
    session = worked()
    assert from_project(to_project(session), session.robot) == session.state


def test_broken_projects_raise() -> None:
    session = worked()
    good = json.loads(to_project(session))
    robot = session.robot

    def changed(**parts: object) -> bytes:
        return json.dumps({**good, **parts}).encode()

    keys = good["timeline"]
    broken = [
        b"",
        b"{",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b"[" * 100_000,
        to_project(Session(lk.load("ur5"))),
        changed(limbik_project=7),
        changed(robot=None),
        changed(q=[1, 2]),
        changed(q="x"),
        changed(q=[None] * robot.n),
        changed(q=[float("nan")] * robot.n),
        changed(targets={"leftFoot": [[1]]}),
        changed(targets={"tail": np.eye(4).tolist()}),
        changed(targets=None),
        changed(pins={"leftFoot": [-1, 1]}),
        changed(pins={"leftFoot": 3}),
        changed(look_at={"head": [1]}),
        changed(method="magic"),
        changed(method=[]),
        changed(limits="yes"),
        changed(time=-4),
        changed(timeline=None),
        changed(timeline={}),
        changed(timeline={**keys, "times": [0]}),
        changed(timeline={**keys, "interpolation": "x"}),
        changed(timeline={**keys, "times": [0, 1, 1e99]}),
    ]
    for content in broken:
        with pytest.raises(lk.BadFile):
            from_project(content, robot)
    whole = to_project(session)
    rng = np.random.default_rng(0)
    for _ in range(200):
        bent = bytearray(whole)
        for _ in range(rng.integers(1, 6)):
            bent[rng.integers(len(bent))] = rng.integers(256)
        with contextlib.suppress(lk.BadFile):
            from_project(bytes(bent), robot)


URDF = b"""<robot name="two"><link name="a"/><link name="b"/><joint name="j" type="revolute"><parent link="a"/><child link="b"/>
<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""
BVH = b"""HIERARCHY
ROOT hips
{
OFFSET 0 0 0
CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
JOINT knee
{
OFFSET 0 -10 0
CHANNELS 3 Zrotation Yrotation Xrotation
End Site
{
OFFSET 0 -10 0
}
}
}
MOTION
Frames: 2
Frame Time: 0.1
0 0 0 0 0 0 0 0 0
1 0 0 0 0 10 0 0 20
"""


def test_uploads() -> None:
    assert isinstance(receive("two.urdf", URDF), lk.Chain)
    clip = receive("walk.bvh", BVH)
    assert isinstance(clip, lk.Clip)
    assert len(clip) == 2
    assert receive("project.json", b"{}") == b"{}"
    for name, content in [
        ("two.urdf", b"<robot>"),
        ("two.urdf", b""),
        ("walk.bvh", BVH[:80]),
        ("walk.exe", b"MZ"),
        ("a.xacro", URDF),
        ("a.xml", b"<mujoco/>"),
        ("", URDF),
        ("../../etc/passwd", b"x"),
        ("two.urdf", bytes(100)),
        ("walk.bvh", b"x" * (65 * 2**20)),
    ]:
        with pytest.raises(lk.LimbikError) as raised:
            receive(name, content)
        assert "/tmp" not in str(raised.value)
        assert "limbik_upload_" not in str(raised.value)
    assert isinstance(receive("../../two.urdf", URDF), lk.Chain)  # folders in the name are ignored


def test_a_posture_as_text() -> None:
    text = posture_text(Session(lk.load("gantry")))
    assert " m" in text
    assert len(text.splitlines()) == lk.load("gantry").n


@pytest.mark.parametrize("name", ["iiwa7", "panda", "human_arm_7"])
def test_a_redundant_arm_shows_its_swivels(name):
    """At rest the ghosts are the present branch at every 15 degrees of its swivel or free joint, inside the limits."""
    arm = lk.load(name)
    session = Session(arm)
    tip = session.tips[0]
    session.drag(tip, arm.forward(0.5 * (arm.lower + arm.upper) + 0.2))
    shown, quick = ghosts(session, tip), ghosts(session, tip, quick=True)
    swung = [k for k, label in enumerate(shown.labels) if "°" in label]
    assert len(swung) >= 3 and len(shown) > len(quick) and not any("°" in label for label in quick.labels)
    assert arm.within_limits(shown.q).all()
    assert np.abs(arm.forward(shown.q) - session.target(tip)).max() < 1e-8
    assert shown.present >= 0
