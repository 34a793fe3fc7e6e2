"""The catalogue: every file loads, says where it is from, and moves as independent models of the same machine do."""

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

import limbik
from limbik.model.catalog import FOLDER, NAMES

PAGE = Path(__file__).parent.parent / "docs" / "catalogue.md"
# How many numbers q has.
SIZES = {
    "gantry": 6, "human": 42, "human_arm_6": 6, "human_arm_7": 7, "human_arm_8": 8, "human_leg_7": 7, "iiwa14": 7,
    "iiwa7": 7, "jaco2": 6, "k1207": 7, "kr6": 6, "panda": 7, "planar2_guez": 2, "planar3_chin": 3, "planar3_cruse": 3,
    "planar3_guez": 3, "puma560": 6, "scara": 4, "ur10": 6, "ur10e": 6, "ur3": 6, "ur5": 6, "xarm7": 7,
}  # fmt: skip
# Seed of every random posture here.
SEED = 20240607


def Rx(t):
    c, s = math.cos(t), math.sin(t)
    return _pose([[1, 0, 0], [0, c, -s], [0, s, c]])


def Ry(t):
    c, s = math.cos(t), math.sin(t)
    return _pose([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def Rz(t):
    c, s = math.cos(t), math.sin(t)
    return _pose([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def shift(x, y, z):
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def _pose(R):
    T = np.eye(4)
    T[:3, :3] = R
    return T


def postures(n, size=50):
    """Random angles beyond any limit: geometry holds everywhere."""
    return np.random.default_rng(SEED).uniform(-math.pi, math.pi, (size, n))


# ---- laws of every file ----------------------------------------------------------------------------------------------


def test_the_names_are_the_promised_ones():
    assert set(SIZES) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_loads_and_says_where_it_is_from(name):
    robot = limbik.load(name)
    mechanism = robot.mechanism
    assert robot.name == mechanism.name == name
    assert all(len(text) > 8 for text in (mechanism.title, mechanism.source, mechanism.licence))
    assert robot.notes and all(note.endswith(".") for note in robot.notes)
    written = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    assert "://" not in written and "/tmp" not in written and "/home" not in written


@pytest.mark.parametrize("name", NAMES)
def test_ranges_are_ordered_and_hold_the_home_posture(name):
    robot = limbik.load(name)
    assert robot.n == SIZES[name] == len(robot.joint_names)
    assert (robot.lower < robot.upper).all()
    assert robot.within_limits(robot.home)
    assert (robot.velocity > 0).all()


@pytest.mark.parametrize("name", NAMES)
def test_forward_kinematics_is_finite_and_rigid(name):
    robot = limbik.load(name)
    for q in (np.zeros(robot.n), robot.home):
        T = robot.forward_all(q)
        assert np.isfinite(T).all()
        assert np.allclose(T[:, :3, :3] @ T[:, :3, :3].transpose(0, 2, 1), np.eye(3), atol=1e-12)
    assert 0 < robot.reach < math.inf


# What the geometry of each arm has (True) and has not.
SPHERICAL = {
    "puma560": (False, True), "kr6": (False, True), "gantry": (False, True), "human_arm_6": (False, True),
    "iiwa7": (True, True), "iiwa14": (True, True), "human_arm_7": (True, True), "human_leg_7": (True, True),
    "panda": (True, False), "xarm7": (True, False), "jaco2": (False, False), "k1207": (False, False),
    "ur3": (False, False), "ur5": (False, False), "ur10": (False, False), "ur10e": (False, False),
}  # fmt: skip


@pytest.mark.parametrize("name", SPHERICAL)
def test_structure(name):
    text = str(limbik.load(name).structure)
    assert ("spherical shoulder" in text, "spherical wrist" in text) == SPHERICAL[name]


def test_structure_of_parallel_axes():
    for name in ("ur3", "ur5", "ur10", "ur10e"):
        assert "axes 2, 3, 4 parallel" in str(limbik.load(name).structure)
    assert "axes 2, 3 parallel" in str(limbik.load("puma560").structure)
    assert "parallel" not in str(limbik.load("panda").structure)


# ---- independent models ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Model:
    """Another description of one machine, from an installed package, and how it differs by convention.

    base, tip: its frames that match ours, the tip after `tool`. joints: its joints in our order; angles are the same.
    metres, radians: what its printed digits are good for.
    """

    package: str
    file: str
    base: str
    tip: str
    joints: tuple[str, ...]
    tool: np.ndarray = field(default_factory=lambda: np.eye(4))
    metres: float = 1e-9
    radians: float = 1e-9


UR_JOINTS = tuple(
    f"{part}_joint" for part in ("shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", "wrist_3")
)
MODELS = {
    "ur3": Model("example-robot-data", "ur_description/urdf/ur3_robot.urdf", "base", "tool0", UR_JOINTS),
    "ur5": Model("example-robot-data", "ur_description/urdf/ur5_robot.urdf", "base", "tool0", UR_JOINTS),
    "ur10": Model("example-robot-data", "ur_description/urdf/ur10_robot.urdf", "base", "tool0", UR_JOINTS),
    "panda": Model("example-robot-data", "panda_description/urdf/panda.urdf", "panda_link0", "panda_link8",
                   tuple(f"panda_joint{k}" for k in range(1, 8))),
    # Right angles are printed as 1.5708.
    "xarm7": Model("example-robot-data", "xarm_description/urdf/xarm7.urdf", "link_base", "link_eef",
                   tuple(f"joint{k}" for k in range(1, 8)), metres=2e-5, radians=3e-5),
    "iiwa14": Model("pybullet", "pybullet_data/kuka_iiwa/model.urdf", "lbr_iiwa_link_0", "lbr_iiwa_link_7",
                    tuple(f"lbr_iiwa_joint_{k}" for k in range(1, 8)), tool=shift(0, 0, 0.045)),
    "kr6": Model("rtb-data", "kuka_kr6/urdf/kr6r900sixx_macro.xacro", "base_link", "tool0",
                 tuple(f"joint_a{k}" for k in range(1, 7))),
}  # fmt: skip


@cache
def installed(package, ending):
    """The path of a file of an installed package; skips the test where there is none."""
    try:
        files = metadata.files(package) or ()
    except metadata.PackageNotFoundError:
        pytest.skip(f"the package '{package}' is not installed")
    for file in files:
        if str(file).replace("\\", "/").endswith(ending):
            return Path(str(file.locate()))
    pytest.skip(f"the package '{package}' has no {ending}")


def skeleton_urdf(path):
    """The joints of a URDF, or of the one macro of a xacro file with its arithmetic done; no bodies, no meshes."""
    constants = {"DEG2RAD": math.pi / 180}
    text = path.read_text(encoding="utf-8").replace("${prefix}", "")
    text = re.sub(r"\$\{([-+*/. 0-9A-Z_]+)\}", lambda m: repr(eval(m[1], {"__builtins__": {}}, constants)), text)
    joints = [joint for joint in ET.fromstring(text).iter("joint") if joint.get("type")]
    links = {joint.find(end).get("link") for joint in joints for end in ("parent", "child")}
    robot = ET.Element("robot", name="other")
    robot.extend([ET.Element("link", name=link) for link in sorted(links)])
    robot.extend(joints)
    return ET.tostring(robot, encoding="unicode")


@pytest.fixture(scope="module", params=sorted(MODELS))
def other(request):
    """The name of a machine, its other model, and that model in Pinocchio."""
    pin = pytest.importorskip("pinocchio")
    model = MODELS[request.param]
    return request.param, model, pin, pin.buildModelFromXML(skeleton_urdf(installed(model.package, model.file)))


def test_pinocchio_agrees_on_the_geometry(other):
    name, model, pin, theirs = other
    arm, data = limbik.load(name), theirs.createData()
    at = [theirs.joints[theirs.getJointId(joint)].idx_q for joint in model.joints]
    base, tip = theirs.getFrameId(model.base), theirs.getFrameId(model.tip)
    assert base < theirs.nframes and tip < theirs.nframes
    for q in postures(arm.n):
        full = pin.neutral(theirs)
        full[at] = q
        pin.framesForwardKinematics(theirs, data, full)
        expected = np.array((data.oMf[base].inverse() * data.oMf[tip]).homogeneous) @ model.tool
        found = arm.forward(q)
        assert np.abs(found[:3, 3] - expected[:3, 3]).max() < model.metres, q
        assert np.abs(found[:3, :3] - expected[:3, :3]).max() < model.radians, q


def test_the_other_model_has_the_same_ranges(other):
    name, model, _, theirs = other
    arm = limbik.load(name)
    at = [theirs.joints[theirs.getJointId(joint)].idx_q for joint in model.joints]
    ends = np.isfinite(arm.lower)
    assert ends.sum() >= arm.n - (name == "ur3")  # its last joint turns without end; the other model stops at one turn
    assert np.allclose(arm.lower[ends], theirs.lowerPositionLimit[at][ends], atol=2e-3)
    assert np.allclose(arm.upper[ends], theirs.upperPositionLimit[at][ends], atol=2e-3)
    if name in ("panda", "kr6"):
        assert np.allclose(arm.velocity, theirs.velocityLimit[at], atol=2e-3)


def test_mujoco_agrees_on_jaco2():
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_path(str(installed("dm_control", "third_party/kinova/jaco_arm.xml")))
    data, arm = mujoco.MjData(model), limbik.load("jaco2")
    joints = [model.joint(f"joint_{k}") for k in range(1, 7)]
    # The model ends at the last joint, where the fingers are 0.16 m on and a quarter turn round, and its wrist offsets
    # are printed to 0.03 mm of the maker's lengths.
    tool = shift(0, 0, -0.16) @ Rz(math.pi / 2) @ Rx(math.pi)
    for q in postures(6):
        data.qpos[[joint.qposadr[0] for joint in joints]] = q
        mujoco.mj_kinematics(model, data)
        base, last = data.body("b_base"), data.body("b_6")
        expected = np.linalg.inv(_body(base)) @ _body(last) @ tool
        found = arm.forward(q)
        assert np.abs(found[:3, 3] - expected[:3, 3]).max() < 1.5e-4, q
        assert np.abs(found[:3, :3] - expected[:3, :3]).max() < 1e-5, q
    for k in (1, 2):
        assert np.allclose([arm.lower[k], arm.upper[k]], joints[k].range, atol=1e-5)
    assert np.isinf(arm.upper[[0, 3, 4, 5]]).all()


def _body(body):
    T = _pose(body.xmat.reshape(3, 3))
    T[:3, 3] = body.xpos
    return T


# Joint frames of the iiwa 7 in the stack of IFL-CAMP (iiwa7.xacro): xyz [m] and rpy in quarter turns.
IIWA7 = (
    ((0, 0, 0.15), (0, 0, 0)), ((0, 0, 0.19), (1, 0, 2)), ((0, 0.21, 0), (1, 0, 2)), ((0, 0, 0.19), (1, 0, 0)),
    ((0, 0.21, 0), (-1, 2, 0)), ((0, 0.0607, 0.19), (1, 0, 0)), ((0, 0.081, 0.0607), (-1, 2, 0)),
)  # fmt: skip


def test_iiwa7_moves_as_its_description():
    arm = limbik.load("iiwa7")
    for q in postures(7):
        T = np.eye(4)
        for (xyz, rpy), angle in zip(IIWA7, q, strict=True):
            roll, pitch, yaw = (turn * math.pi / 2 for turn in rpy)
            T = T @ shift(*xyz) @ Rz(yaw) @ Ry(pitch) @ Rx(roll) @ Rz(angle)
        assert np.allclose(arm.forward(q), T @ shift(0, 0, 0.045), atol=1e-12), q
    assert np.allclose(np.degrees(arm.upper), [170, 120, 170, 120, 170, 120, 175]) and (arm.lower == -arm.upper).all()


# ---- books and papers ------------------------------------------------------------------------------------------------


def test_puma560_is_craigs():
    """Craig writes the wrist point and the last axis out in full (chapter 3, the kinematics of the Puma 560)."""
    arm, (a2, a3, d3, d4) = limbik.load("puma560"), (0.4318, 0.02032, 0.14909, 0.43307)
    for q in postures(6):
        s1, s2, _, s4, s5, _ = np.sin(q)
        c1, c2, _, c4, c5, _ = np.cos(q)
        s23, c23 = math.sin(q[1] + q[2]), math.cos(q[1] + q[2])
        out = a2 * c2 + a3 * c23 - d4 * s23
        point = (c1 * out - d3 * s1, s1 * out + d3 * c1, -a3 * s23 - a2 * s2 - d4 * c23)
        axis = (
            -c1 * (c23 * c4 * s5 + s23 * c5) - s1 * s4 * s5,
            -s1 * (c23 * c4 * s5 + s23 * c5) + c1 * s4 * s5,
            s23 * c4 * s5 - c23 * c5,
        )
        T = arm.forward(q)
        assert np.allclose(T[:3, 3], point, atol=1e-12) and np.allclose(T[:3, 2], axis, atol=1e-12), q
    assert np.allclose(np.degrees(arm.lower), [-170, -225, -250, -135, -100, -180])
    assert np.allclose(np.degrees(arm.upper), [170, 45, 75, 135, 100, 180])


# The frame that Chin prints for 0.5 degrees on every joint (section 6.2, example 1); lengths in hundredths of a metre.
EXAMPLE_1 = [
    [-0.999960, 0.008954, -0.000079, 0.959823],
    [-0.000155, -0.026099, -0.999659, -109.984770],
    [-0.008953, -0.999619, 0.026099, 1.483471],
    [0, 0, 0, 1],
]


def test_human_arm_6_gives_the_thesis_example():
    arm = limbik.load("human_arm_6")
    T = np.array(arm.forward(np.full(6, math.radians(0.5))))
    T[:3, 3] *= 100
    assert np.abs(T - EXAMPLE_1).max() < 6e-7
    assert np.allclose(np.degrees(arm.lower), [0, -60, 0, -80, -70, -20])
    assert np.allclose(np.degrees(arm.upper), [180, 180, 150, 80, 80, 30])


# How section 5.1.2 counts the angles of appendix B, and how it turns the hand's frame.
CHIN_SIGNS = np.array([1, -1, -1, -1, -1, -1])
CHIN_HAND = _pose([[-1, 0, 0], [0, 0, -1], [0, -1, 0]])


def test_human_arm_6_is_both_chains_of_the_thesis():
    arm = limbik.load("human_arm_6")
    for q in postures(6):
        t = CHIN_SIGNS * q
        T = Rz(t[0]) @ Rx(t[1]) @ shift(0, -0.5, 0) @ Rx(t[2]) @ Ry(t[3]) @ shift(0, -0.6, 0) @ Rx(t[4]) @ Rz(t[5])
        assert np.allclose(arm.forward(q), T @ CHIN_HAND, atol=1e-12), q


def chin_closed_form(T, d3=0.5, d4=0.6):
    """All eight postures (N, 8, 6) of the thesis' closed form, with its errata, in the angles of section 5.1.2."""
    Px, Py, Pz = T[:, :3, 3].T
    found = []
    for side in (1, -1):
        t1 = np.arctan2(side * Px, -side * Py)
        s1, c1 = np.sin(t1), np.cos(t1)
        u = -s1 * Px + c1 * Py
        a, b, c = 2 * d3 * u, 2 * d3 * Pz, d4**2 - u**2 - Pz**2 - d3**2
        for bend in (1, -1):
            t2 = np.arctan2(b, a) + bend * np.arctan2(np.sqrt(np.maximum(a**2 + b**2 - c**2, 0)), c)
            s2, c2 = np.sin(t2), np.cos(t2)
            t3 = np.arctan2(s2 * u - c2 * Pz, -c2 * u - s2 * Pz - d3)
            s23, c23 = np.sin(t2 + t3), np.cos(t2 + t3)
            # The hand's axes N, O, A seen from the forearm before it turns: across, along the upper side, lengthwise.
            x, y, z = T[:, 0, :3].T, T[:, 1, :3].T, T[:, 2, :3].T
            across, over = x * c1 + y * s1, (y * c1 - x * s1) * s23 - z * c23
            lengthwise = (x * s1 - y * c1) * c23 - z * s23
            for flip in (1, -1):
                t4 = np.arctan2(flip * across[2], -flip * over[2])
                s4, c4 = np.sin(t4), np.cos(t4)
                turned = c4 * across + s4 * over
                t5 = np.arctan2(lengthwise[2], s4 * across[2] - c4 * over[2])
                t6 = np.arctan2(-turned[1], turned[0])
                found.append(np.stack([t1, t2, t3, t4, t5, t6], axis=-1))
    return np.stack(found, axis=1)


def test_the_ranges_of_human_arm_6_leave_one_posture_of_eight():
    arm = limbik.load("human_arm_6")
    q = arm.sample(np.random.default_rng(SEED), 3000)
    T = arm.forward(q)
    answers = CHIN_SIGNS * chin_closed_form(T @ CHIN_HAND.T)
    assert np.abs(arm.forward(answers) - T[:, None]).max() < 1e-9
    turns = 2 * math.pi * np.arange(-2, 3)
    copies = answers[..., None] + turns
    slack = 1e-9  # [rad] rounding at the ends of a range
    fits = ((copies >= arm.lower[:, None] - slack) & (copies <= arm.upper[:, None] + slack)).any(-1).all(-1)
    assert (fits.sum(axis=1) == 1).all()


def test_human_arm_7_is_a_cardan_shoulder_an_elbow_and_a_zyz_wrist():
    arm = limbik.load("human_arm_7")
    for q in postures(7):
        shoulder = Rz(q[0]) @ Ry(q[1]) @ Rx(q[2]) @ shift(0.334, 0, 0)
        T = shoulder @ Ry(-q[3]) @ shift(0.288, 0, 0) @ Rz(q[4]) @ Ry(q[5]) @ Rz(q[6])
        assert np.allclose(arm.forward(q), T, atol=1e-12), q
    bent = arm.forward([0, 0, 0, math.radians(90), 0, 0, 0])
    assert np.allclose(bent[:3, 3], [0.334, 0, 0.288])
    assert np.allclose(np.degrees(arm.lower), [-39, -61, -83, 0, -40, -59, -78])
    assert np.allclose(np.degrees(arm.upper), [164, 187, 210, 149, 61, 78, 94])


def test_human_arm_8_is_the_product_of_the_repaired_matrices():
    """Appendix D prints eight matrices of two patterns; (offset, length, sign of the twist, shift along the axis)."""
    rows = [(90, 0, 1, 0), (180, 80, 1, 50), (0, 0, -1, 0), (0, 50, 0, 0), (-90, 0, 1, 0), (0, 0, -1, 60),
            (90, 0, 1, 0), (90, 0, 1, 0)]  # fmt: skip
    arm = limbik.load("human_arm_8")
    for q in postures(8):
        T = np.eye(4)
        for angle, (offset, a, twist, d) in zip(q, rows, strict=True):
            c, s = math.cos(angle + math.radians(offset)), math.sin(angle + math.radians(offset))
            if twist:
                A = [[c, 0, twist * s, a * c], [s, 0, -twist * c, a * s], [0, twist, 0, d], [0, 0, 0, 1]]
            else:
                A = [[c, -s, 0, a * c], [s, c, 0, a * s], [0, 0, 1, d], [0, 0, 0, 1]]
            T = T @ np.array(A)
        T[:3, 3] /= 100
        assert np.allclose(arm.forward(q), T, atol=1e-12), q
    assert np.allclose(arm.lower, -math.pi) and np.allclose(arm.upper, math.pi)


PLANAR = {
    "planar2_guez": ((1.0, 0.9), 0),
    "planar3_guez": ((1.0, 0.9, 0.1), 0),
    "planar3_cruse": ((1, 1, 1), 0),
    "planar3_chin": ((10, 10, 10), math.pi / 2),
}


@pytest.mark.parametrize("name", PLANAR)
def test_planar_arms_add_up_in_the_plane(name):
    arm, (lengths, start) = limbik.load(name), PLANAR[name]
    q = postures(arm.n)
    tip = (np.array(lengths) * np.exp(1j * (start + np.cumsum(q, axis=1)))).sum(axis=1)
    T = arm.forward(q)
    assert np.allclose(T[:, 0, 3] + 1j * T[:, 1, 3], tip, atol=1e-12)
    assert np.allclose(T[:, 2, 3], 0, atol=1e-12)
    assert np.isinf(arm.lower).all() and np.isinf(arm.upper).all()


def test_scara_points_down_and_its_quill_goes_down():
    arm = limbik.load("scara")
    for q in postures(4):
        q1, q12 = q[0], q[0] + q[1]
        x, y = 0.325 * math.cos(q1) + 0.275 * math.cos(q12), 0.325 * math.sin(q1) + 0.275 * math.sin(q12)
        assert np.allclose(arm.forward(q), shift(x, y, 0.387 - q[2]) @ Rz(q12 - q[3]) @ Rx(math.pi), atol=1e-12)
    assert np.allclose(arm.lower, [math.radians(-105), math.radians(-150), 0, -math.tau])
    assert np.allclose(arm.upper, [math.radians(105), math.radians(150), 0.21, math.tau])


def test_gantry_slides_along_the_axes_and_turns_about_a_point():
    arm = limbik.load("gantry")
    for q in postures(6):
        wrist = shift(q[0], q[1], -q[2]) @ Rz(-q[3]) @ Ry(q[4]) @ Rz(-q[5])
        assert np.allclose(arm.forward(q), wrist @ shift(0, 0, -0.1) @ Rx(math.pi), atol=1e-12), q
    assert np.allclose(arm.upper[:3] - arm.lower[:3], [2.0, 1.0, 0.8])


def test_k1207_folds_beside_its_roll_axes():
    """In the zero posture the roll axes lie on one line, which is what sets every pitch axis off."""
    arm = limbik.load("k1207")
    assert np.allclose(arm.forward(np.zeros(7)), shift(0, 0, 0.30 + 0.55 + 0.55 + 0.18), atol=1e-12)
    q = np.array([0.4, 0, -1.1, 0, 0.9, 0, -0.2])
    assert np.allclose(arm.forward(q), arm.forward(np.zeros(7)), atol=1e-12)
    assert "no source" in arm.mechanism.licence


def test_ur10e_has_the_published_lengths():
    """Stretched along -x at zero, each length shows in one coordinate; the ranges are those of the UR10."""
    arm = limbik.load("ur10e")
    T = arm.forward(np.zeros(6))
    expected = shift(-0.6127 - 0.57155, -0.17415 - 0.11655, 0.1807 - 0.11985) @ Rx(math.pi / 2)
    assert np.allclose(T, expected, atol=1e-12)
    bent = arm.forward([0, 0, math.pi / 2, 0, 0, 0])
    assert np.allclose(bent[:3, 3], [-0.6127 + 0.11985, -0.17415 - 0.11655, 0.1807 - 0.57155], atol=1e-12)
    assert (arm.lower == limbik.load("ur10").lower).all() and (arm.upper == limbik.load("ur10").upper).all()


# ---- the figure ------------------------------------------------------------------------------------------------------

VRM = ("hips", "spine", "head", "UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot")
CENTRAL = VRM[:3]
# Table 5.1: the axes of each segment; the pelvis row is the waist.
TABLE_5_1 = {"spine": "xyz", "head": "xyz", "UpperArm": "xyz", "LowerArm": "xy", "Hand": "xyz", "UpperLeg": "xyz",
             "LowerLeg": "x", "Foot": "xyz"}  # fmt: skip

# Ranges in degrees: of the arms, and of the rest of the body.
TABLE_5_2 = {"UpperArm_x": (-60, 180), "UpperArm_y": (-70, 90), "UpperArm_z": (0, 180), "LowerArm_x": (0, 150),
             "LowerArm_y": (-80, 80), "Hand_x": (-70, 80), "Hand_z": (-20, 30)}  # fmt: skip
AAOS = {"spine_x": (-25, 80), "spine_y": (-45, 45), "spine_z": (-35, 35), "head_x": (-45, 45), "head_y": (-60, 60),
        "head_z": (-45, 45), "UpperLeg_x": (-30, 120), "UpperLeg_y": (-45, 45), "UpperLeg_z": (-30, 45),
        "LowerLeg_x": (0, 135), "Foot_x": (-50, 20), "Foot_z": (-15, 35)}  # fmt: skip


@pytest.fixture(scope="module")
def figure():
    return limbik.load("human")


def sides(part):
    return (part,) if part.split("_")[0] in CENTRAL else (f"left{part}", f"right{part}")


def set_joints(figure, **degrees):
    """q with some joints turned; arguments are joint names, the rest is zero."""
    q = np.zeros(figure.n)
    for name, value in degrees.items():
        q[figure.joint_names.index(name)] = math.radians(value)
    return q


def test_human_has_the_joints_of_table_5_1(figure):
    expected = {f"{side}_{axis}" for part, axes in TABLE_5_1.items() for side in sides(part) for axis in axes}
    assert len(expected) == 36
    assert set(figure.joint_names) == expected | {f"root.{part}" for part in ("px", "py", "pz", "rx", "ry", "rz")}
    assert set(figure.frames) >= {side for part in VRM for side in sides(part)}
    assert set(figure.tips) == {"head", "leftHand", "rightHand", "leftFoot", "rightFoot"}


def test_human_turns_about_the_axes_its_joints_are_named_after(figure):
    for name in figure.joint_names[6:]:
        axis = np.abs(figure.mechanism.joint_of[name].axis)
        assert axis["xyz".index(name[-1])] == 1, name


def test_human_hangs_on_the_right_links(figure):
    parents = {part: figure.mechanism.ancestry(part) for part in figure.frames}
    assert all("spine_z" in [j.name for j in parents[link]] for link in ("head", "leftHand", "rightHand"))
    assert all("spine_z" not in [j.name for j in parents[link]] for link in ("leftFoot", "rightFoot"))


def test_human_ranges_hold_the_zero_posture(figure):
    assert (figure.lower <= 0).all() and (figure.upper >= 0).all()
    low = dict(zip(figure.joint_names, np.degrees(figure.lower), strict=True))
    high = dict(zip(figure.joint_names, np.degrees(figure.upper), strict=True))
    for joint, ends in (TABLE_5_2 | AAOS).items():
        for name in sides(joint):
            assert np.allclose([low[name], high[name]], ends), name


def test_human_stands_on_the_floor_and_is_1_75_tall(figure):
    at = {link: figure.forward(np.zeros(42), link) for link in figure.frames}
    assert all(np.allclose(T[:3, :3], np.eye(3)) for T in at.values())
    height = 1.75
    for link, fraction in {"leftFoot": 0.039, "leftLowerLeg": 0.285, "hips": 0.530, "leftUpperArm": 0.818}.items():
        assert math.isclose(at[link][1, 3], fraction * height, abs_tol=1e-9), link
    assert at["leftUpperArm"][0, 3] > 0 > at["rightUpperArm"][0, 3]


def test_human_left_and_right_are_mirror_images(figure):
    """Equal angles left and right, with waist, neck and root mirrored: the figure in the mirror x = 0."""
    mirror = np.diag([-1.0, 1, 1, 1])
    names = list(figure.joint_names)
    q = figure.sample(np.random.default_rng(SEED), 20)
    swapped = {"left": "right", "right": "left"}
    reflected = np.empty_like(q)
    # A reflection in x turns round the position's x and the rotation's y and z.
    odd = {"root.px", "root.ry", "root.rz", "spine_y", "spine_z", "head_y", "head_z"}
    for k, name in enumerate(names):
        twin = re.sub("^(left|right)", lambda m: swapped[m[0]], name)
        reflected[:, names.index(twin)] = -q[:, k] if name in odd else q[:, k]
    for link in figure.frames:
        twin = re.sub("^(left|right)", lambda m: swapped[m[0]], link)
        assert np.allclose(figure.forward(reflected, twin), mirror @ figure.forward(q, link) @ mirror, atol=1e-12), link


# What a positive angle does: a point on a link (in its own frame) goes this way, (left limb) in world axes.
FRONT, BACK, UP, OUT, IN = (0, 0, 1), (0, 0, -1), (0, 1, 0), (1, 0, 0), (-1, 0, 0)
ANATOMY: dict[str, tuple[str, tuple[float, float, float], tuple[int, int, int]]] = {
    "UpperArm_x": ("UpperArm", (0, -1, 0), FRONT),  # flexion
    "UpperArm_y": ("UpperArm", (0, 0, 1), OUT),  # lateral rotation
    "UpperArm_z": ("UpperArm", (0, -1, 0), OUT),  # abduction
    "LowerArm_x": ("LowerArm", (0, -1, 0), FRONT),  # flexion
    "LowerArm_y": ("LowerArm", (0, 0, 1), OUT),  # supination
    "Hand_x": ("Hand", (0, -1, 0), FRONT),  # flexion, palms forward
    "Hand_z": ("Hand", (0, -1, 0), IN),  # ulnar deviation, palms forward
    "UpperLeg_x": ("UpperLeg", (0, -1, 0), FRONT),  # flexion
    "UpperLeg_y": ("UpperLeg", (0, 0, 1), OUT),  # lateral rotation
    "UpperLeg_z": ("UpperLeg", (0, -1, 0), OUT),  # abduction
    "LowerLeg_x": ("LowerLeg", (0, -1, 0), BACK),  # flexion
    "Foot_x": ("Foot", (0, 0, 1), UP),  # dorsiflexion
    "Foot_y": ("Foot", (0, 0, 1), OUT),  # toes out
    "Foot_z": ("Foot", (0, -1, 0), IN),  # inversion: the sole turns in
}


@pytest.mark.parametrize("joint", ANATOMY)
def test_human_angles_are_anatomical(figure, joint):
    link, point, way = ANATOMY[joint]
    for side, sign in (("left", 1), ("right", -1)):
        q = set_joints(figure, **{side + joint: 10})
        T0, T1 = figure.forward(np.zeros(42), side + link), figure.forward(q, side + link)
        moved = (T1 - T0)[:3, :3] @ point
        assert np.dot(moved, np.array(way) * [sign, 1, 1]) > 0.17


def test_human_leg_7_is_the_left_leg_of_the_figure(figure):
    leg, limb = limbik.load("human_leg_7"), figure.chain("leftFoot", base="hips")
    hip = figure.forward(np.zeros(42), "leftUpperLeg") - figure.forward(np.zeros(42), "hips")
    expected = np.array(limb.forward(postures(7)))
    expected[:, :3, 3] -= hip[:3, 3]
    assert np.allclose(leg.forward(postures(7)), expected, atol=1e-12)
    assert np.allclose(leg.lower, limb.lower) and np.allclose(leg.upper, limb.upper)


# ---- the page --------------------------------------------------------------------------------------------------------


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_page_lists_the_catalogue():
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    listed = {name: (title, int(n)) for name, title, n in rows}
    assert listed == {name: (limbik.load(name).mechanism.title, SIZES[name]) for name in NAMES}


# What the examples of the page must be, by name.
EXAMPLES: dict[str, Callable[[object], bool]] = {
    "desk_arm": lambda arm: (
        arm.n == 3 and math.isclose(arm.upper[2], 0.08) and np.allclose(arm.forward([0, 0, 0])[:3, 3], [0.26, 0, 0.12])
    ),
    "gripper": lambda hand: hand.n == 4 and set(hand.tips) == {"left_finger", "right_finger"},
}


def test_the_examples_of_the_page_load(tmp_path):
    found = {}
    for k, text in enumerate(blocks("toml")):
        path = tmp_path / f"example{k}.toml"
        path.write_text(text, encoding="utf-8")
        robot = limbik.load(path)
        found[robot.name] = robot
    assert set(found) == set(EXAMPLES)
    for name, holds in EXAMPLES.items():
        assert holds(found[name]), name


def test_the_code_of_the_page_runs():
    for text in blocks("python"):
        names: dict[str, object] = {}
        exec(compile(text, str(PAGE), "exec"), names)
        assert names["pose"].shape == (4, 4) and names["reach"].n == 8
