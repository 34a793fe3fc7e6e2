"""The readers of robot descriptions."""

import math

import numpy as np
import pytest
from conftest import random_chain, random_pose, random_tree
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

import limbik as lk
from limbik.formats.urdf import write_urdf

TWO_LINKS = """
<robot name="two">
  <link name="base"/><link name="upper"><inertial><origin xyz="0 0 .5"/><mass value="2"/></inertial></link>
  <link name="hand"><visual><geometry><mesh filename="package://nowhere/mesh.stl"/></geometry></visual></link>
  <joint name="a" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 1"/><axis xyz="0 0 2"/>
    <limit lower="-1" upper="2" velocity="3" effort="1"/></joint>
  <joint name="b" type="{kind}"><parent link="upper"/><child link="hand"/><origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/>
    <axis xyz="0 1 0"/>{rest}</joint>
</robot>"""


def two_links(kind="continuous", rest=""):
    return lk.load(TWO_LINKS.format(kind=kind, rest=rest))


# ---- URDF ------------------------------------------------------------------------------------------------------------


def test_urdf_text_gives_a_chain():
    arm = two_links()
    assert isinstance(arm, lk.Chain) and arm.joint_names == ("a", "b") and arm.tip == "hand"
    assert arm.lower.tolist() == [-1, -math.inf] and arm.upper.tolist() == [2, math.inf]
    assert arm.velocity.tolist() == [3, math.inf] and arm.home.tolist() == [0.5, 0]
    assert np.allclose(arm.forward([math.pi / 2, 0])[:3, 3], [0, 1, 1])
    assert arm.model.mechanism.links[1].mass == 2 and arm.model.mechanism.links[1].centre_of_mass == (0, 0, 0.5)


@pytest.mark.parametrize(
    ("kind", "rest", "words"),
    [
        ("revolute", "", "no limits"),
        ("revolute", '<limit lower="-inf" upper="inf"/>', "infinite"),
        ("planar", "", "two prismatic joints"),
    ],
)
def test_ambiguities_of_a_urdf_are_noted(kind, rest, words):
    arm = two_links(kind, rest)
    assert any(words in note and "'b'" in note for note in arm.notes)
    assert arm.lower[-1] == -math.inf and arm.upper[-1] == math.inf


def test_a_planar_joint_moves_in_its_plane(rng):
    arm = two_links("planar")
    assert arm.n == 4
    x, y, turn = rng.normal(size=3)
    T = np.linalg.inv(arm.forward([0, 0, 0, 0])) @ arm.forward([0, x, y, turn])
    assert T[1, 3] == pytest.approx(0, abs=1e-15) and np.linalg.norm(T[:3, 3]) == pytest.approx(math.hypot(x, y))
    assert np.allclose(T[:3, :3], Rotation.from_rotvec([0, turn, 0]).as_matrix())


def test_mimic_joints_share_one_number():
    arm = two_links("continuous", '<mimic joint="a" multiplier="-2" offset="0.5"/>')
    free = two_links()
    assert arm.n == 1 and arm.joint_names == ("a",)
    assert np.allclose(arm.forward([0.3]), free.forward([0.3, -2 * 0.3 + 0.5]), atol=1e-15)
    assert np.allclose(arm.jacobian([0.3])[:, 0], free.jacobian([0.3, -0.1]) @ [1, -2], atol=1e-15)


def test_a_follower_narrows_the_range_of_its_driver():
    follows = '<limit lower="-0.5" upper="0.5"/><mimic joint="a" multiplier="-2" offset="0.1"/>'
    arm = two_links("revolute", follows)
    assert arm.lower.tolist() == pytest.approx([-0.2]) and arm.upper.tolist() == pytest.approx([0.3])
    never = '<limit lower="50" upper="60"/><mimic joint="a"/>'
    assert two_links("revolute", never).upper.tolist() == [2]


def test_one_missing_limit_is_noted():
    assert any("no upper limit" in note for note in two_links("revolute", '<limit lower="-2"/>').notes)


def test_a_chain_whose_mimic_has_its_driver_elsewhere():
    text = """<robot name="r"><link name="o"/><link name="left"/><link name="right"/>
      <joint name="l" type="prismatic"><parent link="o"/><child link="left"/><axis xyz="1 0 0"/>
      <limit lower="0" upper="1"/></joint>
      <joint name="r" type="prismatic"><parent link="o"/><child link="right"/><axis xyz="1 0 0"/><limit lower="-9" upper="9"/>
      <mimic joint="l" multiplier="-1"/></joint></robot>"""
    hand = lk.load(text)
    assert isinstance(hand, lk.Skeleton) and hand.n == 1 and hand.tips == ("left", "right")
    right = lk.load(text, tip="right")
    assert right.joint_names == ("l",) and right.upper.tolist() == [1]
    assert right.forward([0.25])[0, 3] == -0.25


def test_writing_and_reading_a_urdf_keeps_everything(rng):
    for body in (
        random_chain(
            rng, [lk.model.Kind.REVOLUTE, lk.model.Kind.PRISMATIC, lk.model.Kind.CONTINUOUS, lk.model.Kind.FLOATING]
        ),
        random_tree(rng, 12),
    ):
        again = lk.load(write_urdf(body.model.mechanism), base=body.base)
        again = lk.Skeleton(again.model.mechanism)
        whole = lk.Skeleton(body.model.mechanism)
        assert again.joint_names == whole.joint_names and set(again.frames) == set(whole.frames)
        assert np.array_equal(again.lower, whole.lower) and np.array_equal(again.upper, whole.upper)
        q = whole.sample(rng)
        for frame in whole.frames:
            T = whole.forward(q, frame)
            assert np.abs(again.forward(q, frame) - T).max() < 1e-13 * max(1, np.abs(T).max())


def test_units_are_converted():
    metres, millimetres = (
        two_links(),
        lk.load(TWO_LINKS.format(kind="prismatic", rest='<limit lower="0" upper="500"/>'), unit="mm"),
    )
    assert millimetres.upper[1] == pytest.approx(0.5) and millimetres.forward([0, 0])[0, 3] == pytest.approx(1e-3)
    assert metres.forward([0, 0])[0, 3] == 1


# ---- DH and screws ---------------------------------------------------------------------------------------------------


def dh_reference(rows, convention, q):
    """The product of the matrices, from the definition."""

    def rot(axis, angle):
        T = np.eye(4)
        T[:3, :3] = Rotation.from_euler(axis, angle).as_matrix()
        return T

    def shift(*xyz):
        T = np.eye(4)
        T[:3, 3] = xyz
        return T

    T = np.eye(4)
    for (a, alpha, d, theta, kind), x in zip(rows, q, strict=True):
        theta, d = (theta + x, d) if kind == "revolute" else (theta, d + x)
        along, turn = rot("z", theta) @ shift(0, 0, d), shift(a, 0, 0) @ rot("x", alpha)
        T = T @ (along @ turn if convention == "standard" else turn @ along)
    return T


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_both_dh_conventions(convention, rng):
    for n in range(1, 9):
        rows = [(*rng.normal(size=4), ["revolute", "prismatic"][rng.integers(2)]) for _ in range(n)]
        arm = lk.Chain.from_dh(rows, convention)
        q = rng.normal(size=n)
        assert np.abs(arm.forward(q) - dh_reference(rows, convention, q)).max() < 1e-13


def test_dh_in_degrees_and_millimetres():
    arm = lk.Chain.from_dh(
        [(100, 90, 20, 45, "revolute", -90, 90), (0, 0, 5, 0, "prismatic", 0, 300)], degrees=True, unit="mm"
    )
    same = lk.Chain.from_dh([(0.1, math.pi / 2, 0.02, math.pi / 4), (0, 0, 0.005, 0, "p")])
    assert np.allclose(arm.forward([0.2, 0.1]), same.forward([0.2, 0.1]), atol=1e-15)
    assert arm.upper.tolist() == pytest.approx([math.pi / 2, 0.3])


def test_product_of_exponentials(rng):
    for n in range(1, 9):
        screws = []
        for _ in range(n):
            w, point = rng.normal(size=3), rng.normal(size=3)
            w /= np.linalg.norm(w)
            screws.append([*w, *-np.cross(w, point)] if rng.random() < 0.7 else [0, 0, 0, *w])
        home, q = random_pose(rng), rng.normal(size=n)
        expected = home
        for s, x in reversed(list(zip(screws, q, strict=True))):
            w1, w2, w3, v1, v2, v3 = s
            expected = (
                expm(np.array([[0, -w3, w2, v1], [w3, 0, -w1, v2], [-w2, w1, 0, v3], [0, 0, 0, 0]]) * x) @ expected
            )
        assert np.abs(lk.Chain.from_screws(screws, home).forward(q) - expected).max() < 1e-12


# ---- TOML ------------------------------------------------------------------------------------------------------------


def test_toml_files(tmp_path):
    file = tmp_path / "arm.toml"
    file.write_text("""
convention = "standard"
unit = "cm"
[base]
xyz = [0, 0, 10]
[tool]
xyz = [0, 0, 5]
rpy_deg = [0, 90, 0]
[[dh]]
joint = "turn"
a = 20
alpha_deg = 90
lower_deg = -90
upper_deg = 90
[[dh]]
joint = "slide"
kind = "prismatic"
upper = 30
lower = 0
""")
    arm = lk.load(file)
    assert (
        arm.joint_names == ("turn", "slide")
        and arm.tip == "tool"
        and arm.upper.tolist() == pytest.approx([math.pi / 2, 0.3])
    )
    assert np.allclose(arm.forward([0, 0.1])[:3, 3], [0.2, -0.1 - 0.05, 0.1])


# ---- MJCF, xacro, Pinocchio ------------------------------------------------------------------------------------------

MJCF = """<mujoco model="m"><compiler angle="degree" autolimits="true"/>
  <default><default class="d"><joint range="-30 60" axis="0 1 0"/></default></default>
  <worldbody><body name="arm" pos="0 0 1"><geom size=".1"/>
    <joint name="hinge" class="d" pos=".1 .2 .3" ref="10"/><joint name="slide" type="slide" axis="1 0 0" range="-9 9"/>
    <body name="hand" pos="0 .5 0" euler="0 0 90"><geom size=".1"/><joint name="ball" type="ball" range="0 45"/>
    <site name="grip" pos="0 0 .2"/></body></body></worldbody>
  <equality><joint joint1="slide" joint2="hinge" polycoef=".1 2 0 0 0"/></equality></mujoco>"""


def test_mjcf_defaults_degrees_anchors_and_couplings(tmp_path):
    pytest.importorskip("mujoco")
    file = tmp_path / "m.xml"
    file.write_text(MJCF)
    arm = lk.load(file)
    assert isinstance(arm, lk.Chain) and arm.tip == "grip"
    assert arm.lower[0] == pytest.approx(math.radians(-30)) and arm.upper[0] == pytest.approx(math.radians(60))
    assert arm.joint_names == ("hinge", "ball.rx", "ball.ry", "ball.rz")
    slide = arm.model.mechanism.joint_of["slide"].mimic
    assert slide is not None and slide.joint == "hinge" and slide.multiplier == 2
    assert not arm.within_limits([0, 1, 0, 0]) and arm.within_limits([0, 0.7, 0, 0])


def test_mjcf_includes_and_missing_meshes(tmp_path):
    pytest.importorskip("mujoco")
    (tmp_path / "part.xml").write_text(
        '<mujocoinclude><body name="b"><joint name="j"/><geom type="mesh" mesh="gone"/></body></mujocoinclude>'
    )
    file = tmp_path / "whole.xml"
    file.write_text(
        '<mujoco><asset><mesh name="gone" file="gone.stl"/></asset><worldbody><include file="part.xml"/></worldbody></mujoco>'
    )
    arm = lk.load(file)
    assert arm.n == 1 and any("read without them" in note for note in arm.notes)


def test_xacro_macros_arguments_and_packages(tmp_path):
    pytest.importorskip("xacro")
    package = tmp_path / "my_arm_description" / "urdf"
    package.mkdir(parents=True)
    (
        package / "part.xacro"
    ).write_text("""<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="bar" params="name on length">
      <link name="${name}"/><joint name="${name}_j" type="continuous"><parent link="${on}"/><child link="${name}"/>
      <origin xyz="${length} 0 0"/><axis xyz="0 0 1"/></joint></xacro:macro></robot>""")
    main = package / "arm.urdf.xacro"
    main.write_text("""<robot name="x" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="size" default="2"/>
      <xacro:include filename="$(find my_arm_description)/urdf/part.xacro"/><link name="o"/>
      <xacro:bar name="a" on="o" length="${$(arg size)}"/><xacro:bar name="b" on="a" length="${2*$(arg size)}"/></robot>""")
    assert lk.load(main).forward([0, 0])[0, 3] == 6
    assert lk.load(main, arguments={"size": "0.5"}).forward([0, 0])[0, 3] == 1.5


def test_a_pinocchio_model_in_memory(rng):
    pin = pytest.importorskip("pinocchio")
    read_any = 0
    while read_any < 5:
        figure = random_tree(rng, 8)
        try:
            model = pin.buildModelFromXML(write_urdf(figure.model.mechanism), mimic=True)
        except ValueError:  # Pinocchio refuses balls, and mimics of continuous joints
            continue
        read_any += 1
        read = lk.Skeleton(lk.load(model).model.mechanism)
        assert set(read.joint_names) == set(figure.joint_names)
        q = figure.sample(rng)
        q_read = np.array([q[figure.joint_names.index(name)] for name in read.joint_names])
        for frame in figure.frames:
            T = figure.forward(q, frame)
            assert np.abs(read.forward(q_read, frame) - T).max() < 1e-12 * max(1, np.abs(T).max())


def test_pinocchio_sample_models():
    pin = pytest.importorskip("pinocchio")
    rng = np.random.default_rng(0)
    for model in (
        pin.buildSampleModelManipulator(),
        pin.buildSampleModelHumanoid(),
        pin.buildSampleModelHumanoidRandom(),
    ):
        body = lk.Skeleton(lk.load(model).model.mechanism)
        data, qp = model.createData(), pin.neutral(model)
        pin.framesForwardKinematics(model, data, qp)
        for frame, placed in zip(model.frames, data.oMf, strict=True):
            assert np.abs(body.forward(np.zeros(body.n), str(frame.name)) - placed.homogeneous).max() < 1e-12
        assert body.n == model.nv and rng is not None
