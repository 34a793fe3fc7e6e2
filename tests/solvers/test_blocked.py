"""BLOCKED is a proof that no posture avoids the obstacles. Without proof the status is NOT_FOUND."""

import numpy as np
import pytest

import limbik as lk
from limbik.goals.clearance import gap

EASY = {"self_collision": False}


def clear(arm, q, obstacles):
    return min(gap(s.moved(arm.forward(q, f)), o) for f, s in arm.model.shapes for o in obstacles)


def test_a_collision_free_posture_is_found_or_proven_not_to_exist(rng):
    """Targets of a six-joint arm among spheres: all postures of the closed form show whether any is free."""
    arm = lk.load("ur5")
    seen = {True: 0, False: 0}
    for _ in range(60):
        T = arm.forward(arm.sample(rng))
        balls = [
            lk.Sphere(T[:3, 3] * rng.uniform(0.3, 0.8) + rng.normal(scale=0.12, size=3), rng.uniform(0.05, 0.12))
            for _ in range(3)
        ]
        postures = arm.solve_all(T)
        gaps = [clear(arm, posture.q, balls) for posture in postures]
        if abs(max(gaps)) < 2e-3:
            continue
        answer = arm.solve([lk.Pose(None, T), lk.Clearance(balls, **EASY)])
        possible = max(gaps) > 0
        seen[possible] += 1
        assert answer.status == (lk.Status.SOLVED if possible else lk.Status.BLOCKED), (answer.why, max(gaps))
        if possible:
            assert clear(arm, answer.q, balls) >= 0 and arm.within_limits(answer.q)
        else:
            assert "posture" in answer.why
    assert min(seen.values()) >= 10


def test_a_target_inside_an_obstacle_is_blocked_also_for_a_redundant_arm():
    arm = lk.load("panda")
    T = arm.forward(arm.home)
    tip = arm.forward(arm.home, "link7")
    answer = arm.solve(T, obstacles=lk.Box(tip[:3, 3], (0.05, 0.05, 0.05)))
    assert answer.status == lk.Status.BLOCKED and "'link7'" in answer.why and "inside obstacle 0" in answer.why


def test_fixed_links_in_an_obstacle_prove_nothing_about_postures():
    arm = lk.load("panda")
    inside = lk.Sphere((0, 0, 0.05), 0.04)
    for goals in (
        [lk.Clearance([lk.Sphere((9, 9, 9), 1), inside])],
        [lk.Position(None, (0.4, 0, 0.5)), lk.Clearance([lk.Sphere((9, 9, 9), 1), inside])],
    ):
        answer = arm.solve(goals)
        assert answer.ok and answer.unchecked.still == (("base", 1),)
        assert "'base' and obstacle 1" in answer.why
        distance = lk.collision.clearance(arm, answer.q, goals[-1].obstacles)
        assert distance >= 0 and distance.unchecked.still == (("base", 1),)
    near = arm.solve([lk.Clearance([lk.Sphere((0, -0.5, 0.05), 0.05)], distance=0.37, **EASY)])
    assert near.ok and near.unchecked.still == (("base", 0),)
    step = arm.track(arm.home, arm.forward(arm.home), 0.01, obstacles=inside)
    assert step.ok and step.unchecked.still == (("base", 0),)


@pytest.mark.parametrize(
    "name", ["panda", "iiwa7", "iiwa14", "jaco2", "xarm7", "k1207", "ur5", "ur3", "ur10", "ur10e", "kr6"]
)
def test_an_arm_on_a_table_reaches_targets_above_it(name):
    arm = lk.load(name)
    top = lk.Box((0, 0, -0.05), (2, 2, 0.1))
    rng = np.random.default_rng(5)
    postures = arm.sample(rng, 4000)
    heights = arm.model.forward_all(postures)[:, 3:, 2, 3].min(axis=1)
    moving = [(frame, shape) for frame, shape in arm.model.shapes if arm.model.compiled.frames[frame][0] >= 0]
    tried = 0
    for q in postures[np.argsort(-heights)][:40]:
        if min(gap(shape.moved(arm.forward(q, frame)), top) for frame, shape in moving) < 2e-3:
            continue
        tried += 1
        answer = arm.solve([lk.Pose(None, arm.forward(q)), lk.Clearance([top], **EASY)], seed=q)
        assert answer.ok, answer.why
        if tried == 5:
            break
    assert tried == 5


CYLINDER = """<robot name="t"><link name="base"/><link name="upper"><collision><origin xyz="0.3 0 0"/><geometry>
<box size="0.3 0.05 0.05"/></geometry></collision></link><link name="fore"><collision><origin xyz="0.5 0 0"/><geometry>
{body}</geometry></collision></link><link name="tip"/><link name="turret"/>
<joint name="a" type="revolute"><parent link="base"/><child link="turret"/>
<axis xyz="0 0 1"/><limit lower="-3" upper="3"/></joint>
<joint name="b" type="revolute"><parent link="turret"/><child link="upper"/>
<axis xyz="0 1 0"/><limit lower="-3" upper="3"/></joint>
<joint name="c" type="revolute"><parent link="upper"/><child link="fore"/><origin xyz="0.5 0 0"/><axis xyz="0 1 0"/>
<limit lower="-3" upper="3"/></joint>
<joint name="t" type="fixed"><parent link="fore"/><child link="tip"/><origin xyz="0.5 0 0"/></joint></robot>"""


@pytest.mark.parametrize("pose", [True, False], ids=["fixed to the target", "in every posture"])
def test_a_shape_that_is_larger_than_its_link_proves_nothing(pose):
    """A ball beside a cylinder, inside the box around it: the true gap is 34 mm."""
    arm = lk.load(CYLINDER.format(body='<cylinder radius="0.1" length="0.1"/>'))
    assert any("around the cylinder of 'fore'" in note for note in arm.notes)
    q = [0.2, -0.5, 0.3]
    middle = arm.forward(q, "fore") @ [0.63, 0.13, 0, 1]
    ball = lk.Sphere(middle[:3], 0.05)
    goals = [lk.Pose(None, arm.forward(q)) if pose else lk.Position(None, arm.forward(q)[:3, 3]), lk.Clearance([ball])]
    answer = arm.solve(goals)
    assert not answer.ok and answer.status == lk.Status.NOT_FOUND and answer.hindered and not answer.proof
    assert "a box around the cylinder of 'fore'" in answer.why
    exact = lk.load(CYLINDER.format(body='<box size="0.2 0.2 0.1"/>'))
    assert exact.solve([lk.Pose(None, arm.forward(q)), lk.Clearance([ball])]).status == lk.Status.BLOCKED
    given = lk.collision.with_shapes(arm, {"fore": lk.Box((0.5, 0, 0), (0.2, 0.2, 0.1))})
    assert given.solve([lk.Pose(None, arm.forward(q)), lk.Clearance([ball])]).status == lk.Status.BLOCKED
    assert not any("cylinder" in note for note in given.notes)


def test_exact_shapes_still_prove_beside_coverings():
    arm = lk.load(CYLINDER.format(body='<cylinder radius="0.1" length="0.1"/>'))
    q = [0.2, -0.5, 0.3]
    wall = lk.Sphere(arm.forward(q, "upper")[:3, :3] @ [0.3, 0, 0], 0.02)
    mirrored = lk.Sphere(np.array(wall.centre) * [1, 1, -1], 0.02)
    sure = arm.solve(arm.forward(q), obstacles=[wall, mirrored])
    assert sure.status == lk.Status.BLOCKED and "posture" in sure.proof


def test_coverings_are_kept_by_copies_and_files(tmp_path):
    arm = lk.load(CYLINDER.format(body='<cylinder radius="0.1" length="0.1"/>'))
    covers = {link.name: link.covers for link in arm.model.mechanism.links}
    assert covers["fore"] == ("cylinder",) and covers["upper"] == ()
    for other in (arm.scaled(2.0), arm.with_tool(np.eye(4)), lk.Skeleton(arm.model.mechanism)):
        assert {link.name: link.covers for link in other.model.mechanism.links}["fore"] == ("cylinder",)
    lk.Clip(arm, arm.home[None], [0.0]).save(tmp_path / "a.glb")
    kept = lk.load_clip(tmp_path / "a.glb").robot.model.mechanism
    assert {link.name: link.covers for link in kept.links} == covers
    for wrong in ("cylinder", (1,), ("cylinder", "")):
        with pytest.raises(lk.BadModel, match="'a'"):
            lk.model.Link("a", shapes=(lk.Sphere((0, 0, 0), 1),), covers=wrong)


def test_covering_shapes_of_mujoco_geoms_are_reported(tmp_path):
    pytest.importorskip("mujoco")
    file = tmp_path / "m.xml"
    file.write_text("""<mujoco><asset><mesh name="w" vertex="0 0 0  .4 0 0  0 .6 0  0 0 .2  .1 .1 .1"/></asset><worldbody>
    <body name="b" pos="0 0 1"><joint name="j"/><geom type="sphere" size=".1"/><geom type="mesh" mesh="w"/>
    <geom type="ellipsoid" size=".1 .2 .3"/><geom type="cylinder" size=".1 .2"/><geom type="box" size=".1 .1 .1"/>
    <geom type="capsule" size=".1 .1"/></body></worldbody></mujoco>""")
    arm = lk.load(file)
    (link,) = (link for link in arm.model.mechanism.links if link.name == "b")
    assert link.covers == ("", "mesh", "ellipsoid", "cylinder", "", "")
    assert any("around the mesh of 'b'" in note and "around the ellipsoid of 'b'" in note for note in arm.notes)


def test_targets_without_proof_are_not_blocked():
    """A cage around the middle of a redundant arm: nothing proves that there is no posture."""
    arm = lk.load("panda")
    T = arm.forward(arm.home)
    elbow = arm.forward(arm.home, "link4")[:3, 3]
    cage = [lk.Sphere(elbow, 0.35)]
    answer = arm.solve(T, obstacles=cage)
    assert not answer.ok and answer.status == lk.Status.NOT_FOUND
    assert "other goals can be met" in answer.why and "blocked" not in answer.why and "clearance" in answer.why.lower()


def test_tolerances_and_ranges_weaken_the_proof():
    arm = lk.load("panda")
    T = arm.forward(arm.home)
    tool = lk.collision.with_shapes(arm, {arm.tip: lk.Sphere((0, 0, 0), 0.02)})
    ball = lk.Sphere(T[:3, 3] + 0.06 * T[:3, 2], 0.05)  # they overlap by 1 cm
    strict = tool.solve([lk.Pose(None, T), lk.Clearance([ball], **EASY)])
    assert strict.status == lk.Status.BLOCKED and strict.proof
    loose = tool.solve([lk.Pose(None, T, range=(0.05, 0.0)), lk.Clearance([ball], **EASY)])
    assert loose.ok and clear(tool, loose.q, [ball]) >= 0
    wide = tool.solve([lk.Pose(None, T, tolerance=(0.05, 0.1)), lk.Clearance([ball], **EASY)])
    assert wide.status != lk.Status.BLOCKED


def test_valid_filters_postures_of_the_closed_form(rng):
    arm = lk.load("ur5")
    for _ in range(20):
        T = arm.forward(arm.sample(rng))
        ball = lk.Sphere(T[:3, 3] * 0.5, 0.1)
        answer = arm.solve(T, obstacles=ball, valid=lambda q: bool(q[0] > 0))
        assert not answer.ok or answer.q[0] > 0


@pytest.mark.parametrize("name", ["iiwa14", "panda"])
def test_redundant_arms_are_sampled_over_their_free_parameter(name, rng):
    """Obstacles beside known postures: all targets are solved."""
    arm = lk.load(name)
    for _ in range(10):
        q = arm.sample(rng)
        balls = [lk.Sphere(arm.forward(q)[:3, 3] + rng.normal(scale=0.3, size=3), 0.05) for _ in range(4)]
        if clear(arm, q, balls) < 0.02:
            continue
        answer = arm.solve([lk.Pose(None, arm.forward(q)), lk.Clearance(balls, **EASY)])
        assert answer.ok and clear(arm, answer.q, balls) >= 0, answer.why
        assert np.abs(lk.pose_error(arm.forward(answer.q), arm.forward(q))).max() < 2e-8
