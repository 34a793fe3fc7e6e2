"""Limits of proofs: prismatic joints count beyond their limits, and a rounded target differs from the intended one."""

import numpy as np
import pytest

import limbik as lk
from limbik import Status

RAIL = """<robot name="rail"><link name="base"/><link name="cart"/>{links}
<joint name="rail" type="prismatic"><parent link="base"/><child link="cart"/><axis xyz="1 0 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>{joints}</robot>"""


def arm_on_a_rail(tmp_path):
    """Return an arm of six joints, similar to a UR, on a rail of 2 m."""
    links = "".join(f'<link name="l{k}"/>' for k in range(6))
    axes = ("0 0 1", "0 1 0", "0 1 0", "0 1 0", "0 0 1", "0 1 0")
    steps = ("0 0 .1", "0 .1 0", "0 0 .4", "0 0 .35", "0 .1 0", "0 0 .1")
    joints = "".join(
        f'<joint name="j{k}" type="revolute"><parent link="{"cart" if k == 0 else f"l{k - 1}"}"/><child link="l{k}"/>'
        f'<origin xyz="{steps[k]}"/><axis xyz="{axes[k]}"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>'
        for k in range(6)
    )
    path = tmp_path / "rail.urdf"
    path.write_text(RAIL.format(links=links, joints=joints))
    return lk.load(path, tip="l5")


def beyond(arm, rng, count):
    """Return targets that only a prismatic joint far outside its range reaches."""
    q = arm.sample(rng, count)
    prismatic = int(np.flatnonzero(~np.asarray(arm.model.revolute))[0])
    q[:, prismatic] = arm.upper[prismatic] + rng.uniform(2, 4, count)
    return arm.forward(q)


@pytest.mark.parametrize("name", ["gantry", "rail"])
@pytest.mark.parametrize("method", [None, "lm"])
def test_a_prismatic_joint_beyond_its_range_is_no_proof_of_out_of_reach(name, method, rng, tmp_path):
    arm = arm_on_a_rail(tmp_path) if name == "rail" else lk.load(name)
    T = beyond(arm, rng, 50)
    assert arm.solve_batch(T, limits=False).ok.all()
    for status in (arm.solve_batch(T, method=method).status, [arm.solve(t, method=method).status for t in T[:10]]):
        assert not np.any(np.asarray(status) == Status.OUT_OF_REACH)
        assert np.all(np.asarray(status) == Status.LIMITS)
    answer = arm.solve(T[0], method=method)
    assert "outside the limits" in answer.why and arm.within_limits(answer.q)


def test_a_gantry_beyond_its_range_at_home():
    arm = lk.load("gantry")
    T = arm.forward(arm.home).copy()
    T[0, 3] = 5.0
    assert arm.solve(T, limits=False).ok
    assert arm.solve(T).status == Status.LIMITS
    for method in ("newton", "ccd"):
        assert arm.solve(T, method=method).status == Status.NOT_FOUND
    assert arm.solve(lk.Pose(arm.tip, T)).status == Status.NOT_FOUND


def rounded(T, how):
    return T.astype(np.float32) if how == "float32" else np.round(T, 6)


@pytest.mark.parametrize("how", ["float32", "printed"])
@pytest.mark.parametrize("name", ["planar2_guez", "maximum_one", "puma560", "iiwa7", "scara"])
def test_a_rounded_copy_of_a_reachable_pose_is_not_refused_by_a_proof(name, how, rng):
    """Joints at their limits, or fewer than six: the copy is out of reach, the intended pose is not."""
    arm = lk.load(name)
    q = arm.sample(rng, 200)
    q = np.where(rng.random(q.shape) < 0.4, np.where(rng.random(q.shape) < 0.5, arm.lower, arm.upper), q)
    q = arm.clamp(np.where(np.isfinite(q), q, 0.0))
    T = rounded(arm.forward(q), how)
    proven = (Status.OUT_OF_REACH, Status.LIMITS)
    assert not np.isin(arm.solve_batch(T).status, proven).any()
    for t in T[:40]:
        assert arm.solve(t).status not in proven
        assert arm.solve_all(t).status not in proven
    if arm.redundancy is None:
        assert not np.isin(arm.solve_all_batch(T).status, proven).any()


def test_a_rounded_target_far_away_is_still_proven(rng):
    arm = lk.load("puma560")
    T = arm.forward(arm.sample(rng, 50))
    T[:, :3, 3] *= 10
    assert (arm.solve_batch(T.astype(np.float32)).status == Status.OUT_OF_REACH).all()


def test_every_posture_of_a_redundant_arm_is_one_of_a_family(rng):
    for name in ("iiwa7", "panda", "human_arm_7"):
        arm = lk.load(name)
        answers = arm.solve_all(arm.forward(arm.sample(rng)))
        assert len(answers) and answers.families.all() and all(answer.family for answer in answers)


def test_a_body_that_is_drawn_but_has_no_collision_geometry_is_named(tmp_path):
    box = '<geometry><box size=".2 .1 .1"/></geometry>'
    path = tmp_path / "drawn.urdf"
    path.write_text(
        f"""<robot name="drawn"><link name="base"/><link name="seen"><visual>{box}</visual></link>
        <link name="solid"><visual>{box}</visual><collision>{box}</collision></link><link name="tool"/>
        <joint name="a" type="continuous"><parent link="base"/><child link="seen"/><axis xyz="0 0 1"/></joint>
        <joint name="b" type="continuous"><parent link="seen"/><child link="solid"/><origin xyz=".4 0 0"/>
        <axis xyz="0 0 1"/></joint><joint name="c" type="fixed"><parent link="solid"/><child link="tool"/></joint></robot>"""
    )
    arm = lk.load(path, tip="tool")
    assert lk.collision.unchecked(arm).links == ("seen",) and any("'seen'" in note for note in arm.notes)
    answer = arm.solve(arm.forward(arm.home), obstacles=[lk.Sphere((9, 9, 9), 0.1)])
    assert answer.unchecked.unread == ("seen",)
    covered = lk.collision.with_shapes(arm, {"seen": lk.Box((0, 0, 0), (0.1, 0.05, 0.05))})
    assert not lk.collision.unchecked(covered).links
