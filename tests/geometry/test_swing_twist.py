"""Swing and twist decompose a rotation and compose it again; balls replace hinges."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik as lk

BALLS = {"spine", "head"} | {
    f"{side}{part}" for side in ("left", "right") for part in ("UpperArm", "Hand", "UpperLeg", "Foot")
}


def test_swing_and_twist_compose_to_the_rotation(rng):
    for R in Rotation.random(200, random_state=np.random.RandomState(4)).as_matrix():
        axis = rng.normal(size=3)
        swing, twist, direction = lk.geometry.swing_twist(R, axis)
        assert 0 <= swing <= math.pi and -math.pi <= twist <= math.pi
        assert np.allclose(lk.geometry.from_swing_twist(direction, twist, axis), R, atol=1e-9)
        assert math.cos(swing) == pytest.approx(axis @ R @ axis / (axis @ axis), abs=1e-12)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1.0, 3.0, math.pi])
def test_a_rotation_about_the_axis_is_twist_and_one_across_it_is_swing(angle):
    about = Rotation.from_rotvec([0, angle, 0]).as_matrix()
    assert lk.geometry.swing_twist(about, (0, 2, 0))[:2] == pytest.approx((0, angle), abs=1e-12)
    assert lk.geometry.swing_twist(about, (1, 0, 0))[:2] == pytest.approx((angle, 0), abs=1e-12)


def test_half_a_turn_of_swing_has_no_twist():
    assert lk.geometry.swing_twist(np.diag([1.0, -1.0, -1.0]), (0, 0, 1)) == (math.pi, 0.0, (0.0, 0.0, -1.0))
    with pytest.raises(lk.BadOption):
        lk.geometry.from_swing_twist((0, 0, -1), 0.3, (0, 0, 1))


def test_hinges_are_read_as_swing_and_twist():
    figure = lk.load("human")
    q = np.zeros(figure.n)
    q[figure.joint_names.index("leftUpperArm_z")] = 0.7
    swing, twist, direction = figure.swing_twist(q, "leftUpperArm")
    assert (swing, twist) == pytest.approx((0.7, 0)) and np.allclose(direction, (math.sin(0.7), -math.cos(0.7), 0))
    q[:] = 0
    q[figure.joint_names.index("leftUpperArm_y")] = 0.4
    assert figure.swing_twist(q, "leftUpperArm", (0, 1, 0))[:2] == pytest.approx((0, 0.4))
    # joints of the trunk have no influence
    q[figure.joint_names.index("spine_x")], q[3] = 0.5, 1.0
    assert figure.swing_twist(q, "leftUpperArm", (0, 1, 0))[:2] == pytest.approx((0, 0.4))


@pytest.fixture(scope="module")
def figures():
    return lk.load("human"), lk.load("human_balls")


def test_human_balls_has_36_degrees_of_freedom_on_a_floating_pelvis(figures):
    _, balls = figures
    kinds = {joint.name: joint.kind for joint in balls.model.mechanism.joints}
    assert {name for name, kind in kinds.items() if kind is lk.model.Kind.BALL} == BALLS
    assert sum(kind.size for kind in kinds.values()) == 36 + 6 == balls.n


def test_human_balls_is_the_human_in_another_q(figures):
    human, balls = figures
    rng = np.random.default_rng(7)
    for q in [np.zeros(human.n), *human.sample(rng, 20)]:
        same = balls.match(human, q)
        for frame in balls.frames:
            assert np.allclose(balls.forward(same, frame), human.forward(q, frame), atol=1e-12)
    assert balls.within_limits(balls.match(human, np.zeros(human.n)))
    assert {f for f, _ in balls.model.shapes} == {f for f, _ in human.model.shapes}
    assert [link.mass for link in balls.model.mechanism.links if link.mass] == [
        link.mass for link in human.model.mechanism.links if link.mass
    ]


def test_twists_are_the_ranges_of_the_hinges(figures):
    human, balls = figures
    for frame in BALLS:
        joint = balls.model.mechanism.joint_of[frame]
        hinge = human.model.mechanism.joint_of[f"{frame}_y"]
        assert joint.twist == (hinge.lower, hinge.upper) and np.array_equal(joint.axis, hinge.axis)
        q = np.zeros(human.n)  # the hinge is the twist of the ball; the swing is that to the middle of its cone
        q[human.joint_names.index(f"{frame}_y")] = 0.1
        found = balls.swing_twist(balls.match(human, q), frame, joint.axis)
        start = balls.swing_twist(balls.match(human, np.zeros(human.n)), frame, joint.axis)
        assert found.twist == pytest.approx(0.1, abs=1e-9) and start.twist == pytest.approx(0, abs=1e-9)


def test_cones_lie_in_the_middle_of_the_hinges(figures):
    human, balls = figures
    for frame in BALLS - {"leftUpperArm", "rightUpperArm"}:
        ranges = [human.model.mechanism.joint_of[f"{frame}_{axis}"] for axis in "xz"]
        halves = [0.5 * (hinge.upper - hinge.lower) for hinge in ranges]
        assert balls.model.mechanism.joint_of[frame].swing == pytest.approx(sum(halves) / 2)
        q = np.zeros(human.n)
        for hinge in ranges:
            q[human.joint_names.index(hinge.name)] = 0.5 * (hinge.upper + hinge.lower)
        axis = balls.model.mechanism.joint_of[frame].axis
        assert balls.swing_twist(balls.match(human, q), frame, axis).swing == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("joint", "degrees"), [("x", (-60, -30, 60, 120, 180)), ("z", (0, 60, 120, 180))])
def test_the_shoulder_has_the_ranges_of_table_5_2_in_either_plane(figures, joint, degrees):
    human, balls = figures
    for side in ("left", "right"):
        for angle in degrees:
            q = np.zeros(human.n)
            q[human.joint_names.index(f"{side}UpperArm_{joint}")] = math.radians(angle)
            swing = balls.swing_twist(balls.match(human, q), f"{side}UpperArm").swing
            assert swing <= balls.model.mechanism.joint_of[f"{side}UpperArm"].swing + 1e-9, (side, angle)


def test_balls_are_solved_and_keep_their_cones(figures):
    _, balls = figures
    rng = np.random.default_rng(11)
    for q in balls.sample(rng, 10):
        answer = balls.solve({tip: balls.forward(q, tip) for tip in balls.tips})
        assert answer.ok and balls.within_limits(answer.q)


def test_a_ball_has_no_gimbal_lock():
    """Near the posture with the second hinge at 90 degrees, the ball moves no more than the arm does."""
    human = lk.Skeleton(lk.load("human").model.mechanism.with_limits({f"leftUpperArm_{a}": (-3.2, 3.2) for a in "xyz"}))
    balls = human.with_balls({"leftUpperArm": lk.model.Cone(swing=math.pi, twist=(-math.pi, math.pi))})
    place = balls.joint_names.index("leftUpperArm.rx")
    names = [human.joint_names.index(f"leftUpperArm_{axis}") for axis in "xyz"]
    locked = np.zeros(human.n)
    locked[names[1]] = math.pi / 2
    T = human.forward(locked, "leftUpperArm")
    turned = np.array(T)
    turned[:3, :3] = (
        Rotation.from_rotvec([0, 0.01, 0]).as_matrix() @ T[:3, :3]
    )  # about the axis that the hinges cannot rotate about here
    turned[:3, :3] = Rotation.from_rotvec([0.0, 0.0, 0.01]).as_matrix() @ turned[:3, :3]
    start = balls.match(human, locked)
    answer = balls.solve({"leftUpperArm": lk.Orientation("leftUpperArm", turned)}, seed=start)
    assert answer.ok
    assert np.linalg.norm(balls.model.difference(start, answer.q)[place : place + 3]) < 0.02


def test_with_balls_finds_the_hinges():
    human = lk.load("human")
    plain = human.with_balls()
    found = {joint.name for joint in plain.model.mechanism.joints if joint.kind is lk.model.Kind.BALL}
    assert found == BALLS
    quadruped = lk.load("quadruped").with_balls()
    assert sum(joint.kind is lk.model.Kind.BALL for joint in quadruped.model.mechanism.joints) == 7


def test_misuse_raises(tmp_path):
    human = lk.load("human")
    for bad in ({"leftLowerArm": lk.model.Cone()}, {"spine": 3}, {"leftFoot": lk.model.Cone(axis=(1, 1, 1))}, 3):
        with pytest.raises(lk.LimbikError):
            human.with_balls(bad)
    with pytest.raises(lk.errors.UnknownFrame):
        human.with_balls({"nowhere": lk.model.Cone()})
    for R in (np.eye(2), np.zeros((3, 3)), "up", np.full((3, 3), math.nan), -np.eye(3)):
        with pytest.raises(lk.LimbikError):
            lk.geometry.swing_twist(R, (0, 0, 1))
    with pytest.raises(lk.LimbikError):
        lk.geometry.swing_twist(np.eye(3), (0, 0, 0))
    with pytest.raises(lk.BadOption):
        human.swing_twist(human.home, "world")
    with pytest.raises(lk.BadOption):
        human.match(lk.load("quadruped"), np.zeros(39))
    for text in ('balls_of = "nowhere"', "balls_of = 3", 'balls_of = "b"\nwrong = 1'):
        path = tmp_path / "b.toml"
        path.write_text(text)
        with pytest.raises(lk.LimbikError):
            lk.load(path)
