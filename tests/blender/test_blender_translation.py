"""Conversion of armatures to mechanisms and of poses to joint values, and back, without Blender."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from armatures import add_on, armature, bone
from scipy.spatial.transform import Rotation

import limbik as lk

arm, solving = add_on("armature"), add_on("solving")


def matrix(turn=(0, 0, 0), shift=(0, 0, 0)):
    T = np.eye(4)
    T[:3, :3] = Rotation.from_rotvec(turn).as_matrix()
    T[:3, 3] = shift
    return T


def limb(**options):
    """Return three upright bones, y along each, as in Blender; the second may have limits."""
    rest = matrix((math.pi / 2, 0, 0))  # y up
    root = bone("root.L", None, rest)
    upper = bone("upper", root[0], matrix(shift=(0, 0, 1)) @ rest, 0.8, **options)
    lower = bone("lower", upper[0], matrix(shift=(0, 0, 1.8)) @ rest, 0.7)
    return armature(root, upper, lower)


def blender_poses(figure, basis):
    """Return the poses of the bones by Blender's rule."""
    out = {}
    for one in figure.data.bones:
        rest = np.array(one.matrix_local)
        before = rest if one.parent is None else out[one.parent.name] @ np.linalg.inv(one.parent.matrix_local) @ rest
        out[one.name] = before @ basis[one.name]
    return out


def test_a_mechanism_has_the_poses_of_blenders_bones():
    rng = np.random.default_rng(1)
    figure = limb()
    bones = arm.bones_of(figure)
    skeleton = arm.skeleton_of(bones)
    assert [b.name for b in bones] == ["root.L", "upper", "lower"] and skeleton.n == 6 + 3 + 3
    for _ in range(20):
        basis = {
            b.name: matrix(rng.normal(size=3), rng.normal(size=3) if b.parent is None else (0, 0, 0)) for b in bones
        }
        q = arm.q_of(skeleton, bones, basis)
        for name, T in blender_poses(figure, basis).items():
            assert np.allclose(skeleton.forward(q, name), T)
        assert np.allclose(skeleton.forward(q, "lower_tail")[:3, 3], skeleton.forward(q, "lower")[:3] @ [0, 0.7, 0, 1])
        back = arm.pose_at(skeleton, bones, q)
        assert all(np.allclose(back[name], basis[name]) for name in basis)


LIMITS = {
    "ik": {"use_ik_limit_x": True, "ik_min_x": -0.1, "ik_max_x": 2.0, "lock_ik_y": True, "lock_ik_z": True},
    "constraint": {
        "constraints": [
            SimpleNamespace(type="COPY_LOCATION"),
            SimpleNamespace(type="LIMIT_ROTATION", mute=False, owner_space="LOCAL", use_limit_x=True, min_x=-0.1, max_x=2.0,
                            use_limit_y=True, min_y=0.0, max_y=0.0, use_limit_z=True, min_z=0.0, max_z=0.0),
        ]
    },
}  # fmt: skip


@pytest.mark.parametrize("kind", LIMITS)
def test_a_knee_is_a_hinge(kind):
    bones = arm.bones_of(limb(**LIMITS[kind]))
    skeleton = arm.skeleton_of(bones)
    assert skeleton.n == 6 + 1 + 3
    knee = skeleton.joint_names.index("upper:x")
    assert (skeleton.lower[knee], skeleton.upper[knee]) == (-0.1, 2.0)
    q = np.zeros(skeleton.n)
    q[knee] = 1.1
    basis = arm.pose_at(skeleton, bones, q)["upper"]
    assert np.allclose(basis, matrix((1.1, 0, 0)))


def test_limits_are_euler_angles_in_blenders_order():
    options = {f"{key}_{axis}": value for axis in "xyz" for key, value in
               (("use_ik_limit", True), ("ik_min", -1.0), ("ik_max", 1.2))}  # fmt: skip
    bones = arm.bones_of(limb(**options))
    skeleton = arm.skeleton_of(bones)
    turn = Rotation.from_euler("ZYX", [0.3, -0.5, 0.7]).as_matrix()  # x first: Blender's XYZ
    basis = {b.name: np.eye(4) for b in bones}
    basis["upper"][:3, :3] = turn
    q = arm.q_of(skeleton, bones, basis)
    found = {axis: q[skeleton.joint_names.index(f"upper:{axis}")] for axis in "xyz"}
    assert found == pytest.approx({"z": 0.3, "y": -0.5, "x": 0.7})
    assert np.allclose(arm.pose_at(skeleton, bones, q)["upper"][:3, :3], turn)


def test_a_bone_with_every_axis_locked_does_not_move():
    bones = arm.bones_of(limb(lock_ik_x=True, lock_ik_y=True, lock_ik_z=True))
    assert arm.skeleton_of(bones).n == 6 + 3


def test_a_chain_follows_a_target_and_what_carries_it_stays():
    figure = limb()
    pose = {name: np.eye(4) for name in ("root.L", "upper", "lower")}
    pose["root.L"] = matrix(shift=(0.2, 0.1, 0.3))
    bones = arm.planted(arm.bones_of(figure), pose)
    skeleton = arm.skeleton_of(bones)
    start = arm.q_of(skeleton, bones, pose)
    assert np.allclose(skeleton.forward(start, "root.L"), blender_poses(figure, pose)["root.L"])
    tip = skeleton.forward(start, "lower_tail")
    targets = [matrix((0, 0.2, 0), tip[:3, 3] + [0.01 * k, 0.005 * k, -0.01 * k]) for k in range(40)]
    found, missed = solving.follow(bones, arm.chain_above(bones, "lower", 2), start, targets, False)
    assert max(missed) < 1e-6
    for q, T in zip(found, targets, strict=True):
        back = arm.pose_at(skeleton, bones, q)
        assert np.allclose(back["root.L"], pose["root.L"])
        end = blender_poses(figure, back)["lower"] @ [0, 0.7, 0, 1]
        assert np.allclose(end[:3], T[:3, 3], atol=2e-6)


def test_a_target_out_of_reach_is_missed_by_what_is_lacking():
    bones = arm.planted(arm.bones_of(limb()), {name: np.eye(4) for name in ("root.L", "upper", "lower")})
    skeleton = arm.skeleton_of(bones)
    start = arm.q_of(skeleton, bones, {b.name: matrix((0.3, 0, 0)) for b in bones})
    shoulder = skeleton.forward(start, "upper")[:3, 3]
    far = matrix(shift=shoulder + [0, 0, 3.0])
    _, missed = solving.follow(bones, ["upper", "lower"], start, [far] * 5, False)
    assert missed[-1] == pytest.approx(1.5, abs=1e-3)


def hinge_arm():
    """Return an arm like the Puma as bones: every bone rotates about its own x, z or y alone."""
    locks = {axis: {f"lock_ik_{other}": True for other in "xyz" if other != axis} for axis in "xyz"}
    up = matrix((math.pi / 2, 0, 0))
    heights = [0.0, 0.4, 0.9, 1.35, 1.36, 1.37]
    pairs, last = [], None
    for k, (axis, height) in enumerate(zip("yxxyxy", heights, strict=True)):
        length = (heights[k + 1] if k < 5 else 1.5) - height
        pairs.append(bone(f"b{k}", last, matrix(shift=(0, 0, height)) @ up, length, **locks[axis]))
        last = pairs[-1][0]
    return armature(*pairs)


def test_all_branches_of_an_arm_of_hinges():
    figure = hinge_arm()
    bones = arm.planted(arm.bones_of(figure), {one.name: np.eye(4) for one in figure.data.bones})
    skeleton = arm.skeleton_of(bones)
    assert skeleton.n == 6
    start = np.array([0.3, 0.5, 0.7, -0.4, 0.6, 0.2])
    T = skeleton.forward(start, "b5_tail")
    found, why = solving.branches(bones, [f"b{k}" for k in range(6)], start, T)
    assert len(found) >= 2 and why
    for q in found:
        assert np.allclose(skeleton.forward(q, "b5_tail"), T, atol=1e-6)
    assert min(np.abs(skeleton.model.difference(q, start)).max() for q in found) < 1e-6


def test_branches_of_balls_are_sought():
    bones = arm.planted(arm.bones_of(limb(**LIMITS["ik"])), {name: np.eye(4) for name in ("root.L", "upper", "lower")})
    skeleton = arm.skeleton_of(bones)
    start = arm.q_of(skeleton, bones, {b.name: matrix((0.4, 0, 0)) for b in bones})
    T = skeleton.forward(start, "lower_tail")
    found, why = solving.branches(bones, ["root.L", "upper", "lower"], start, T)
    assert found and "sample" in why
    assert all(np.allclose(skeleton.forward(q, "lower_tail"), T, atol=1e-6) for q in found)


def test_scale_of_an_armature_is_taken_off():
    world = matrix((0.3, 0.2, 0.1), (1, 2, 3)) @ np.diag([2.0, 2.0, 2.0, 1.0])
    T = world @ matrix((0, 0.5, 0), (0.1, 0.2, 0.3))
    assert np.allclose(arm.in_armature(world, T), matrix((0, 0.5, 0), (0.1, 0.2, 0.3)))


def test_an_armature_with_rigify_names_is_known():
    figure = limb()
    skeleton = arm.skeleton_of(arm.bones_of(figure))
    assert isinstance(lk.humanoid(skeleton), lk.model.Humanoid)
