"""Mistakes of beginners: the message says what to do."""

from pathlib import Path

import numpy as np
import pytest

import limbik as lk

# An arm with a hand of two fingers and a tool frame between them, as Franka's description has it.
HAND = """<robot name="arm">
<link name="base"/><link name="arm"/><link name="hand"/><link name="hand_tcp"/><link name="left"/><link name="right"/>
<joint name="j1" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint>
<joint name="j2" type="revolute"><parent link="arm"/><child link="hand"/><origin xyz="0.5 0 0"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1"/></joint>
<joint name="tcp" type="fixed"><parent link="hand"/><child link="hand_tcp"/><origin xyz="0 0 0.1"/></joint>
<joint name="f1" type="prismatic"><parent link="hand"/><child link="left"/><axis xyz="0 1 0"/>
<limit lower="0" upper="0.04"/></joint>
<joint name="f2" type="prismatic"><parent link="hand"/><child link="right"/><axis xyz="0 -1 0"/>
<limit lower="0" upper="0.04"/></joint>
</robot>"""


@pytest.fixture
def gripper():
    robot = lk.load(HAND)
    assert isinstance(robot, lk.Skeleton) and robot.tips == ("left", "right")
    return robot


@pytest.mark.parametrize("target", [np.eye(4), np.eye(4).tolist(), [0.3, 0.2, 0.5], np.zeros((2, 4, 4))])
def test_a_target_without_a_frame_names_the_tool_between_the_fingers(gripper, target):
    with pytest.raises(lk.BadOption) as raised:
        gripper.solve(target)
    text = str(raised.value)
    assert "load(..., tip='hand_tcp')" in text and ".chain('hand_tcp')" in text and "solve({'hand_tcp': " in text


def test_the_remedies_for_a_hand_work(gripper):
    T = gripper.forward([0.3, 0.2, 0.0, 0.0], "hand_tcp")
    assert gripper.solve({"hand_tcp": T}) and gripper.solve({"hand_tcp": T[:3, 3]})
    assert gripper.chain("hand_tcp").solve(T) and lk.load(HAND, tip="hand_tcp").solve(T)
    with pytest.raises(lk.BadOption, match="frame='hand_tcp'"):
        gripper.forward(gripper.home)
    with pytest.raises(lk.BadOption, match="follows a Path"):
        gripper.follow(lk.Path.line(np.eye(4), T))
    with pytest.raises(lk.errors.UnknownFrame, match=r"load\(\.\.\., tip=NAME\)"):
        gripper.track(gripper.home, T, 0.01)


@pytest.mark.parametrize("name", ["solve_all", "solve_batch", "structure", "with_tool", "warm_up", "redundancy"])
def test_what_only_an_arm_has_says_how_to_get_one(gripper, name):
    with pytest.raises(AttributeError, match=rf"\.chain\('hand_tcp'\)\.{name}"):
        getattr(gripper, name)
    assert not hasattr(gripper, name) and hasattr(gripper.chain("hand_tcp"), name)
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        gripper.nonsense  # noqa: B018
    assert not hasattr(gripper, "__nothing__") and not hasattr(gripper, "_bound_all")


@pytest.mark.parametrize("wrong", [None, 3, "abc", object(), True])
def test_what_is_not_a_goal_is_refused_by_an_error_of_the_family(gripper, wrong):
    with pytest.raises(lk.LimbikError):
        gripper.solve(wrong)
    for nothing in ([], (), {}):
        with pytest.raises(lk.BadOption):
            gripper.solve(nothing)


SHAPES = {
    (3,): r"limbik\.pose\(xyz, xyzw=q\).*solve\(limbik\.Position\(None, xyz\)\)",
    (6,): r"limbik\.pose\(v\[:3\], rpy=v\[3:\]\)",
    (7,): r"limbik\.pose\(v\[:3\], xyzw=v\[3:\]\)",
    (16,): r"np\.reshape\(T, \(4, 4\)\)",
    (3, 3): r"limbik\.pose\(xyz, rotation=R\)",
    (3, 4): r"np\.vstack",
    (2, 4, 4): "solve_batch",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_target_of_another_shape_gets_the_conversion_in_the_message(shape):
    arm = lk.load("panda")
    for target in (np.zeros(shape), np.zeros(shape).tolist()):
        with pytest.raises(lk.ShapeError, match=SHAPES[shape]):
            arm.solve(target)
    if shape == (3,):
        with pytest.raises(lk.ShapeError, match=r"the tool must be a 4x4 matrix.*limbik\.pose\(xyz") as raised:
            arm.with_tool(np.zeros(3))
        assert "Position" not in str(raised.value)
        assert arm.solve(lk.Position(None, arm.forward(arm.home)[:3, 3]))


def test_a_pair_a_transposed_matrix_and_one_target_for_many():
    arm = lk.load("panda")
    T = arm.forward(arm.home)
    with pytest.raises(lk.errors.NotNumeric, match=r"limbik\.pose\(xyz, xyzw="):
        arm.solve(([0.4, 0.1, 0.3], [0, 0, 0, 1]))
    with pytest.raises(lk.NotRigid, match=r"transposed: pass T\.T"):
        arm.solve(T.T)
    for solve in (arm.solve_batch, lk.load("puma560").solve_all_batch):
        with pytest.raises(lk.ShapeError, match=r"T\[None\]"):
            solve(T)


def test_a_swivel_by_name_is_refused_by_an_arm_with_another_redundancy():
    panda, ur5 = lk.load("panda"), lk.load("ur5")
    T = panda.forward(panda.home)
    for wrong in ("limits", "nearest", "manipulable", "foo", (1.0, 2.0, 3.0)):
        with pytest.raises(lk.BadOption) as raised:
            panda.solve_all(T, swivel=wrong)
        text = str(raised.value)
        assert "'panda_joint7'" in text and "'manipulable' or" not in text
    with pytest.raises(lk.BadOption, match="'ur5' is not redundant"):
        ur5.solve_all(ur5.forward(ur5.home), swivel="limits")
    iiwa = lk.load("iiwa14")
    assert iiwa.solve_all(iiwa.forward(iiwa.home), swivel="limits")


def test_paths_that_do_not_exist(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path, text in (("ur5.urdf", "load('ur5')"), ("~/arm.urdf", "expanduser"), (Path("x/panda.xacro"), "load('panda')"),
                       ("package://arm/urdf/arm.urdf", "give the file itself"), ("arm.urdf", str(tmp_path))):  # fmt: skip
        with pytest.raises(lk.errors.FileUnreadable) as raised:
            lk.load(path)
        assert text in str(raised.value)
