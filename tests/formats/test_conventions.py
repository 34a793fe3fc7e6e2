"""Conversions between conventions: positions follow a known change of coordinates, and the conversion can be undone."""

from dataclasses import replace

import numpy as np
import pytest
from conftest import random_tree
from mocap import generated, written

import limbik as lk
from limbik.formats.conversion import convert, least_turn, turned_up
from limbik.model.convention import axis_vector
from limbik.robot.load_clip import clip_of

EXACT = 1e-12


def clips(folder):
    rng = np.random.default_rng(6)
    yield lk.load_clip(written(folder, generated(rng, turn=2.0)))
    for name in ("panda", "human", "gantry"):
        robot = lk.load(name)
        yield lk.Clip(robot, rng.normal(size=(6, robot.n)) * 0.5)
    for _ in range(3):
        tree = random_tree(rng, 10)
        yield lk.Clip(tree, rng.normal(size=(6, tree.n)) * 0.3)


@pytest.mark.parametrize("name", lk.formats.CONVENTIONS)
@pytest.mark.parametrize("rest", [None, 0, 3])
def test_places_follow_the_axes_and_the_way_back_is_the_identity(name, rest, tmp_path):
    for clip in clips(tmp_path):
        found = convert(clip.recording, replace(lk.formats.CONVENTIONS[name], rest=rest))
        new = clip_of(found.recording)
        size = max(1.0, float(np.abs(clip.robot.model.forward_all(clip.q)[..., :3, 3]).max()))
        for frame in clip.robot.frames:
            apart = new.forward(frame)[:, :3, 3] - clip.forward(frame)[:, :3, 3] @ found.axes.T
            assert np.abs(apart).max() < EXACT * size, (clip, frame)
        assert new.robot.model.mechanism.up == lk.formats.CONVENTIONS[name].up
        back = found.undone(found.recording)
        assert np.abs(back.q - clip.q).max() < EXACT * size
        for one, other in zip(back.mechanism.joints, clip.robot.model.mechanism.joints, strict=True):
            assert one.kind == other.kind and one.name == other.name and one.mimic == other.mimic
            assert np.abs(one.origin - other.origin).max() < EXACT * size
            assert np.abs(one.axis - other.axis).max() < EXACT
            limits = np.array([[one.lower, one.upper, *one.twist], [other.lower, other.upper, *other.twist]])
            assert np.allclose(limits[0], limits[1], rtol=0, atol=EXACT * size)


def test_axes_are_the_documented_ones():
    forward, left, up = lk.formats.CONVENTIONS["ros"].axes.T
    assert (forward.tolist(), left.tolist(), up.tolist()) == ([1, 0, 0], [0, 1, 0], [0, 0, 1])
    assert lk.formats.CONVENTIONS["unity"].axes[:, 1].tolist() == [-1, 0, 0]  # x is to the right there
    assert lk.formats.CONVENTIONS["unreal"].axes[:, 1].tolist() == [0, -1, 0]
    for name, convention in lk.formats.CONVENTIONS.items():
        assert np.linalg.det(convention.axes) == (-1 if name in ("unity", "unreal") else 1)


@pytest.mark.parametrize("name", ["blender", "maya"])
def test_bones_run_along_their_axis(name, tmp_path):
    clip = lk.load_clip(written(tmp_path, generated(np.random.default_rng(2)))).converted(name)
    robot = clip.robot
    axis = axis_vector(lk.formats.CONVENTIONS[name].bone_axis)
    checked = 0
    for joint in robot.model.mechanism.joints:
        children = [
            j
            for j in robot.model.mechanism.joints
            if j.parent == joint.child and np.linalg.norm(j.origin[:3, 3]) > 1e-9
        ]
        if len(children) == 1:
            way = children[0].origin[:3, 3]
            assert np.abs(way / np.linalg.norm(way) - axis).max() < 1e-12, joint.name
            checked += 1
    assert checked >= 3


def test_a_frame_becomes_the_zero_posture(tmp_path):
    clip = lk.load_clip(written(tmp_path, generated(np.random.default_rng(2))))
    own = replace(lk.formats.CONVENTIONS["gltf"], rest=4)
    new = clip.converted(own, "gltf")
    assert np.abs(new[4]).max() < 1e-14
    for frame in clip.robot.frames:
        assert np.abs(new.robot.forward(np.zeros(new.robot.n), frame) - clip.forward(frame)[4]).max() < 1e-12
    with pytest.raises(lk.BadOption, match="rest"):
        clip.converted(replace(own, rest=99))


def test_solving_is_the_same_problem_in_a_mirror():
    arm = lk.load("ur5")
    clip = lk.Clip(arm, np.array([[0.3, -1.0, 1.2, 0.1, 0.8, 0.2]]))
    mirrored = clip.converted("unreal")
    T = mirrored.forward(arm.tip)[0]
    assert mirrored.robot.solve(T).ok and mirrored.robot.lower.tolist() == arm.lower.tolist()


def test_another_axis_up_and_back(tmp_path):
    clip = lk.load_clip(written(tmp_path, generated(np.random.default_rng(3))))
    up = turned_up(clip.recording, "z").recording
    assert up.mechanism.up == "z"
    back = turned_up(up, "y").recording
    assert np.abs(back.q - clip.q).max() < EXACT and back.mechanism.up == "y"


def test_smallest_rotations():
    rng = np.random.default_rng(4)
    vectors = [np.eye(3)[k] * s for k in range(3) for s in (1, -1)] + list(rng.normal(size=(20, 3)))
    for a in vectors:
        for b in vectors:
            a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
            R = least_turn(a, b)
            assert np.abs(R @ a - b).max() < 1e-9 and np.abs(R.T @ R - np.eye(3)).max() < 1e-9
            assert np.trace(R) == pytest.approx(1 + 2 * (a @ b), abs=1e-9) and np.linalg.det(R) > 0


@pytest.mark.parametrize(
    "options",
    [{"up": "x"}, {"forward": "up"}, {"forward": "-z"}, {"unit": 0}, {"unit": float("nan")}, {"bone_axis": "w"}, {"rest": 1.5},
     {"left_handed": "yes"}],
)  # fmt: skip
def test_conventions_that_are_none_are_refused(options):
    with pytest.raises(lk.BadOption):
        lk.formats.Convention(**options)


def test_unknown_names_are_refused():
    arm = lk.load("scara")
    clip = lk.Clip(arm, np.zeros((1, arm.n)))
    for given in ("blendr", None, 5):
        with pytest.raises(lk.BadOption, match="convention"):
            clip.converted(given)
