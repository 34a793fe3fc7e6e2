"""The geometry report: parallel and intersecting axes, in any frame convention and posture."""

import math

import numpy as np
import pytest
from conftest import random_pose

import limbik as lk

H = math.pi / 2
PUMA = [(0, 0, 0, 0), (0, -H, 0, 0), (0.4318, 0, 0.14909, 0), (0.02032, -H, 0.43307, 0), (0, H, 0, 0), (0, -H, 0, 0)]
UR5 = [
    (0, H, 0.089159, 0),
    (-0.425, 0, 0, 0),
    (-0.39225, 0, 0, 0),
    (0, H, 0.10915, 0),
    (0, -H, 0.09465, 0),
    (0, 0, 0.0823, 0),
]


def redrawn(arm, rng):
    """The same arm with every joint frame rotated about and shifted along its axis, and another base and tool."""
    joints, T_old_new = [], np.eye(4)
    for joint in arm.model.mechanism.joints:
        along = np.eye(4)
        if joint.kind is not lk.model.Kind.FIXED:
            c, s = np.cos(a := rng.uniform(-3, 3)), np.sin(a)
            along[:2, :2], along[2, 3] = [[c, -s], [s, c]], rng.normal()
        joints.append(joint.moved_to(origin=np.linalg.inv(T_old_new) @ joint.origin @ along))
        T_old_new = along
    return (
        lk.Chain(lk.model.Mechanism("redrawn", arm.model.mechanism.links, tuple(joints)))
        .with_base(random_pose(rng))
        .with_tool(random_pose(rng))
    )


def test_known_arms():
    puma, ur5 = lk.Chain.from_dh(PUMA, "modified"), lk.Chain.from_dh(UR5)
    assert (
        str(puma.structure)
        == "spherical wrist; axes 2, 3 parallel; axes 1, 2 intersecting; closed form, up to 8 branches"
    )
    assert (
        puma.structure.spherical == ((4, 5, 6),)
        and puma.structure.spherical_wrist
        and not puma.structure.spherical_shoulder
    )
    assert (
        str(ur5.structure)
        == "axes 2, 3, 4 parallel; axes 1, 2 intersecting; axes 4, 5 intersecting; axes 5, 6 intersecting; "
        "closed form, up to 8 branches"
    )
    assert [p.perpendicular for p in puma.structure.neighbours] == [True, False, True, True, True]


def test_the_report_does_not_depend_on_where_frames_are_drawn(rng):
    for rows, convention in ((PUMA, "modified"), (UR5, "standard")):
        arm = lk.Chain.from_dh(rows, convention)
        again = redrawn(arm, rng)
        assert str(again.structure) == str(arm.structure)
        for scale in (1e-3, 1e3):
            assert str(arm.scaled(scale).structure) == str(arm.structure)


@pytest.mark.parametrize("gap", [1e-6, 1e-3])
def test_a_small_gap_is_not_a_spherical_wrist(gap):
    rows = [list(row) for row in PUMA]
    rows[4][0] = gap
    assert not lk.Chain.from_dh(rows, "modified").structure.spherical_wrist
    rows = [list(row) for row in PUMA]
    rows[2][1] = gap
    assert lk.Chain.from_dh(rows, "modified").structure.parallel == ()


def test_prismatic_joints_and_balls():
    gantry = lk.Chain.from_dh([(0, H, 0, 0, "p"), (0, H, 0, H, "p"), (0, 0, 0, 0, "p")])
    assert (
        gantry.structure.kinds == "PPP"
        and str(gantry.structure) == "no parallel or intersecting neighbours; closed form, one branch"
    )
    ball = lk.model.Mechanism(
        "b", (lk.model.Link("o"), lk.model.Link("e")), (lk.model.Joint("b", lk.model.Kind.BALL, "o", "e"),)
    )
    assert str(lk.Chain(ball).structure) == "joint 1 a ball; no closed form"
