"""What a limb proves about a point holds for every posture of its joints, also where the wrist could move the end."""

import math

import numpy as np
import pytest

import limbik as lk

QUARTER = math.pi / 2
PROVEN = (lk.Status.OUT_OF_REACH, lk.Status.LIMITS)


def arm_with_tool(upper, lower, tool):
    """Return a shoulder, an elbow and a wrist with a tool along the last axis."""
    return lk.Chain.from_dh(
        [(0, -QUARTER, 0, 0), (0, QUARTER, 0, 0), (0, -QUARTER, upper, 0), (0, QUARTER, 0, 0),
         (0, -QUARTER, lower, 0), (0, QUARTER, 0, 0), (0, 0, tool, 0)]
    )  # fmt: skip


@pytest.mark.parametrize("tool", [0.05, 0.2, 0.39])
def test_a_wrist_bent_so_that_the_length_to_the_tip_is_that_to_the_wrist_proves_nothing(tool, rng):
    """The end is as far from the elbow as the wrist is, by accident: other angles of the wrist reach farther."""
    bone = 0.4
    arm = arm_with_tool(bone, bone, tool)
    q = np.array([0, 0, 0, 0.5, 0, math.acos(-tool / (2 * bone)), 0])
    limb = lk.JointedLimb(arm, arm.tip)
    checked = 0
    for direction in rng.normal(size=(8, 3)):
        point = direction / np.linalg.norm(direction) * (2 * bone + 0.5 * tool)
        if not arm.solve([lk.Position(arm.tip, point)], seed=q).ok:
            continue
        checked += 1
        assert limb.solve(point, seed=q).status not in PROVEN
    assert checked


def test_no_proof_of_a_limb_is_contradicted_by_a_solve(rng):
    contradicted = []
    for _ in range(40):
        upper, lower, tool = rng.uniform(0.1, 0.5, 3)
        arm = arm_with_tool(upper, lower, tool * rng.integers(0, 2))
        limb, q = lk.JointedLimb(arm, arm.tip), arm.sample(rng)
        point = rng.normal(size=3)
        point *= rng.uniform(0.8, 1.2) * (upper + lower) / np.linalg.norm(point)
        answer = limb.solve(point, seed=q)
        if answer.status in PROVEN and arm.solve([lk.Position(arm.tip, point)], seed=q).ok:
            contradicted.append((upper, lower, tool, point.tolist(), answer.why))
    assert not contradicted


def test_what_no_wrist_can_change_is_still_proven():
    human = lk.load("human")
    for end in ("leftHand", "rightFoot"):
        assert human.limb(end).solve((5.0, 0.0, 0.0)).status is lk.Status.OUT_OF_REACH
    bare = arm_with_tool(0.4, 0.3, 0.0)
    assert lk.JointedLimb(bare, bare.tip).solve((0.0, 0.0, 0.9)).status is lk.Status.OUT_OF_REACH


def skewed(axes):
    """Return an arm of continuous joints: three at the root, a tilted elbow 0.3 m on, the tip 0.3 m further."""
    origins = ["0 0 0"] * 3 + ["0.3 0 0"]
    joints = "".join(
        f'<joint name="j{k}" type="continuous"><parent link="l{k}"/><child link="l{k + 1}"/><axis xyz="{axes[k]}"/>'
        f'<origin xyz="{origins[k]}"/></joint>'
        for k in range(4)
    )
    end = '<joint name="tip" type="fixed"><parent link="l4"/><child link="l5"/><origin xyz="0.3 0 0"/></joint>'
    links = "".join(f'<link name="l{k}"/>' for k in range(6))
    return lk.Chain.load(f'<robot name="a">{links}{joints}{end}</robot>', tip="l5")


@pytest.mark.parametrize(
    "axes, point",
    [
        (("0 0 1", "0 1 0", "1 0 0", "0.7 0.714 0"), (0.3, 0.0, 0.0)),  # a tilted elbow does not bend so far
        (("0 0 1", "0 0.5 0.866", "1 0 0", "0 1 0"), (0.0, 0.0, 0.4)),  # a root that cannot make every rotation
    ],
)
@pytest.mark.parametrize("limits", [True, False])
def test_limits_are_not_blamed_where_there_are_none(axes, point, limits):
    limb = lk.JointedLimb(skewed(axes), "l5")
    assert limb.solve(point, limits=limits).status is not lk.Status.LIMITS


def test_limits_are_still_blamed_where_a_posture_outside_them_reaches():
    human = lk.load("human")
    limb = human.limb("leftHand")
    q = np.array(human.home)
    for name in ("leftUpperArm_x", "leftUpperArm_y", "leftUpperArm_z"):
        q[human.joint_names.index(name)] += 2.5
    blamed = limb.solve(human.forward(q, "leftHand")[:3, 3])
    assert blamed.status in (lk.Status.LIMITS, lk.Status.SOLVED)


@pytest.mark.parametrize("beyond, solved", [(1e-9, True), (4e-9, True), (1e-7, False)])
def test_bare_bones_solve_what_is_within_the_tolerance(beyond, solved):
    answer = lk.Limb(0.3, 0.2).solve((0, 0, 0.5 + beyond))
    assert answer.ok is solved
    assert lk.Limb(0.3, 0.2).solve_batch([(0, 0, 0.5 + beyond)]).ok.tolist() == [solved]
