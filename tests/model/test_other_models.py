"""Arms of the catalogue agree with independent models of the same machine in other packages."""

import math

import numpy as np
import pytest
from cases.other_models import MODELS, NotInstalled, installed
from turns import Rx, Ry, Rz, pose, postures, shift

import limbik


def path_of(package, file):
    """The path of a file of an installed package; skips the test if there is none."""
    try:
        return installed(package, file)
    except NotInstalled as reason:
        pytest.skip(str(reason))


def joints_of(model):
    """The joints of another model as a URDF text; skips the test if it is not installed."""
    path_of(model.package, model.file)
    return model.joints_only()


@pytest.fixture(scope="module", params=sorted(MODELS))
def other(request):
    """The name of a machine, its other model, and that model in Pinocchio."""
    pin = pytest.importorskip("pinocchio")
    model = MODELS[request.param]
    return request.param, model, pin, pin.buildModelFromXML(joints_of(model))


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
    assert ends.sum() >= arm.n - (name == "ur3")  # its last joint is continuous; the other model limits it to one turn
    assert np.allclose(arm.lower[ends], theirs.lowerPositionLimit[at][ends], atol=2e-3)
    assert np.allclose(arm.upper[ends], theirs.upperPositionLimit[at][ends], atol=2e-3)
    if name in ("panda", "kr6"):
        assert np.allclose(arm.velocity, theirs.velocityLimit[at], atol=2e-3)


def test_mujoco_agrees_on_jaco2():
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_path(str(path_of("dm_control", "third_party/kinova/jaco_arm.xml")))
    data, arm = mujoco.MjData(model), limbik.load("jaco2")
    joints = [model.joint(f"joint_{k}") for k in range(1, 7)]
    # The model ends at the last joint; the fingers are 0.16 m further and rotated by 90 degrees. Its wrist offsets
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
    T = pose(body.xmat.reshape(3, 3))
    T[:3, 3] = body.xpos
    return T


# Joint frames of the iiwa 7 in the stack of IFL-CAMP (iiwa7.xacro): xyz [m] and rpy in quarter turns.
IIWA7 = (
    ((0, 0, 0.15), (0, 0, 0)), ((0, 0, 0.19), (1, 0, 2)), ((0, 0.21, 0), (1, 0, 2)), ((0, 0, 0.19), (1, 0, 0)),
    ((0, 0.21, 0), (-1, 2, 0)), ((0, 0.0607, 0.19), (1, 0, 0)), ((0, 0.081, 0.0607), (-1, 2, 0)),
)  # fmt: skip


def test_iiwa7_agrees_with_its_description():
    arm = limbik.load("iiwa7")
    for q in postures(7):
        T = np.eye(4)
        for (xyz, rpy), angle in zip(IIWA7, q, strict=True):
            roll, pitch, yaw = (turn * math.pi / 2 for turn in rpy)
            T = T @ shift(*xyz) @ Rz(yaw) @ Ry(pitch) @ Rx(roll) @ Rz(angle)
        assert np.allclose(arm.forward(q), T @ shift(0, 0, 0.045), atol=1e-12), q
    assert np.allclose(np.degrees(arm.upper), [170, 120, 170, 120, 170, 120, 175]) and (arm.lower == -arm.upper).all()
