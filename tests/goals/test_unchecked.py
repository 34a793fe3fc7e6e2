"""Claims about obstacles say which links and pairs of links they do not hold for."""

import copy
import itertools
import math
import pickle

import numpy as np
import pytest

import limbik as lk
from limbik.goals.clearance import Clearance

GEOMETRY = {
    "mesh": '<mesh filename="package://arm/{name}.stl" scale="0.001 0.001 0.001"/>',
    "cylinder": '<cylinder radius="0.05" length="0.3"/>',
    "box": '<box size="0.1 0.1 0.3"/>',
    "sphere": '<sphere radius="0.1"/>',
    "unknown": '<polyline height="1"/>',
}


def link(name, *kinds):
    bodies = (
        f'<collision><origin xyz="0 0 0.2"/><geometry>{GEOMETRY[kind].format(name=name)}</geometry></collision>'
        for kind in kinds
    )
    return f'<link name="{name}">{"".join(bodies)}</link>'


def arm_of(**links):
    """Joints across one another, 0.4 m apart, each with a link of these geometries."""
    names = list(links)
    parts = [link(name, *kinds) for name, kinds in links.items()]
    for k, (parent, child) in enumerate(itertools.pairwise(names)):
        axis = ("0 0 1", "0 1 0")[k % 2]
        parts.append(
            f'<joint name="j{k}" type="revolute"><parent link="{parent}"/><child link="{child}"/>'
            f'<origin xyz="0 0 0.4"/><axis xyz="{axis}"/><limit lower="-2" upper="2"/></joint>'
        )
    return f'<robot name="arm">{"".join(parts)}</robot>'


MIXED = arm_of(base=("box",), one=("cylinder", "mesh"), two=("mesh",), three=("unknown",), four=("sphere",), tip=())


def test_links_whose_collision_geometry_is_not_read_are_named_everywhere():
    arm = lk.load(MIXED)
    named = ("one", "two", "three")
    assert lk.collision.unchecked(arm).links == named
    assert any(all(f"'{name}'" in note for name in named) and "with_shapes" in note for note in arm.notes)
    assert not any("'four'" in note for note in arm.notes)
    q = np.array([0.3, 0.8, 0.2, 0.5, 0.1])
    ball = lk.Sphere(arm.forward(q, "two")[:3, 3] + [0.3, 0.3, 0.3], 0.02)
    answer = arm.solve([lk.Position(None, arm.forward(q)[:3, 3])], seed=q, obstacles=[ball])
    assert answer.ok and answer.unchecked.links == named and all(f"'{name}'" in answer.why for name in named)
    assert "not checked" in answer.why and "'four'" not in answer.why
    step = arm.track(q, arm.forward(q), 0.1, obstacles=ball)
    assert step.unchecked.links == named and "'two'" in step.why
    distance = lk.collision.clearance(arm, q, ball)
    assert distance.unchecked.links == named and "'two'" in str(distance) and "'two'" in repr(distance)
    assert isinstance(distance, float) and distance + 1.0 == float(distance) + 1.0 and f"{distance:.3f}".count("'") == 0
    for twin in (pickle.loads(pickle.dumps(distance)), copy.deepcopy(distance)):
        assert twin == distance and twin.unchecked == distance.unchecked
    assert pickle.loads(pickle.dumps(answer)) == answer
    # where no obstacle is asked about, nothing is claimed
    assert "not checked" not in arm.solve(lk.Position(None, arm.forward(q)[:3, 3])).why


def test_shapes_that_a_caller_gives_are_checked():
    arm = lk.load(MIXED)
    ball = lk.Sphere((5, 5, 5), 0.1)
    rod = lk.Capsule((0, 0, 0), (0, 0, 0.4), 0.05)
    whole = lk.collision.with_shapes(arm, {"one": rod, "two": [rod], "three": (rod,)})
    assert lk.collision.unchecked(whole).links == () and not any("collision geometry" in note for note in whole.notes)
    assert not lk.collision.clearance(whole, whole.home, ball).unchecked.links
    assert ("two", rod) in whole.model.shapes and lk.collision.unchecked(arm).links  # the first is as it was
    goal = lk.Clearance([ball], shapes={"two": rod}, self_collision=False)
    assert arm.solve(goal).unchecked.unread == ("one", "three")
    with pytest.raises(lk.errors.UnknownFrame, match="forearm"):
        lk.collision.with_shapes(arm, {"forearm": rod})
    with pytest.raises(lk.BadOption):
        lk.collision.with_shapes(arm, {"one": 3})
    assert lk.collision.with_shapes(lk.load("human"), {"head": lk.Sphere((0, 0, 0), 0.2)}).n == lk.load("human").n


@pytest.mark.parametrize("kinds", [(), ("mesh",)])
def test_an_arm_without_shapes_has_no_clearance(kinds):
    arm = lk.load(arm_of(base=kinds, one=kinds, tip=()))
    for obstacles in ((), lk.Sphere((0, 0, 0), 1)):
        with pytest.raises(lk.BadOption, match="with_shapes") as raised:
            lk.collision.clearance(arm, arm.home, obstacles)
        assert ("'one'" in str(raised.value)) == bool(kinds)
    with pytest.raises(lk.BadOption, match="with_shapes"):
        arm.solve(arm.forward(arm.home), obstacles=lk.Sphere((0, 0, 0), 1))
    given = lk.collision.with_shapes(arm, {"one": lk.Sphere((0, 0, 0), 0.1)})
    assert lk.collision.clearance(given, given.home) == math.inf


def test_links_without_collision_geometry_are_not_named():
    arm = lk.load(arm_of(base=(), one=("box",), two=(), tip=()))
    assert lk.collision.unchecked(arm).links == () and arm.notes == ()


def test_copies_keep_unread_geometry(tmp_path):
    arm = lk.load(MIXED)
    moved = np.eye(4)
    moved[:3, 3] = 1
    copies = [arm.with_tool(moved), arm.with_base(moved), arm.with_limits(upper=0.5), arm.scaled(2.0),
              lk.Skeleton(arm.model.mechanism), pickle.loads(pickle.dumps(arm)), lk.load(MIXED, unit="mm"),
              arm.with_frozen({"j1": 0.1})]  # fmt: skip
    assert all(lk.collision.unchecked(other).links == lk.collision.unchecked(arm).links for other in copies)
    lk.Clip(arm, arm.home[None], [0.0]).save(tmp_path / "a.glb")
    assert lk.collision.unchecked(lk.load_clip(tmp_path / "a.glb").robot).links == lk.collision.unchecked(arm).links


def test_links_moved_by_other_joints_are_named():
    """A chain does not see what other joints of its robot move."""
    both = arm_of(base=("box",), one=("box",), two=("box",), tip=())
    finger = '<joint name="f" type="prismatic"><parent link="two"/><child link="finger"/><limit lower="0" upper="0.1"/></joint>'
    arm = lk.load(both.replace("</robot>", link("finger", "box") + finger + "</robot>"), tip="tip")
    assert lk.collision.unchecked(arm).links == ("finger",) and "finger" not in arm.frames
    assert any("'finger'" in note for note in arm.notes)
    answer = arm.solve(lk.Clearance([lk.Sphere((5, 5, 5), 1)]))
    assert "'finger'" in answer.why and answer.unchecked.outside == ("finger",)


def test_pairs_that_touch_at_home_are_named():
    """Links two joints apart whose shapes overlap in the home posture are not checked, and this is reported."""
    text = arm_of(base=("box",), one=(), two=("box",), three=("box",), tip=())
    arm = lk.load(
        text.replace('<origin xyz="0 0 0.4"/><axis xyz="0 1 0"/>', '<origin xyz="0 0 -0.3"/><axis xyz="0 1 0"/>')
    )
    assert lk.collision.unchecked(arm).pairs == (("base", "two"),)
    assert any("'base' and 'two'" in note for note in arm.notes)
    answer = arm.solve(lk.Position(None, arm.forward(arm.home)[:3, 3]), obstacles=lk.Sphere((5, 5, 5), 1))
    assert (
        answer.ok and answer.unchecked.pairs == lk.collision.unchecked(arm).pairs and "'base' and 'two'" in answer.why
    )
    apart = arm.solve(lk.Clearance([lk.Sphere((5, 5, 5), 1)], self_collision=False))
    assert not apart.unchecked and "not checked" not in apart.why


def test_pairs_that_joints_in_one_place_connect_are_named_too():
    """A shoulder of two joints on a table top: the upper arm may go through the table, and this is reported."""
    text = """<robot name="r"><link name="base"><collision><origin xyz="0 0 -0.1"/><geometry><box size="2 2 0.1"/></geometry>
    </collision></link><link name="turret"/><link name="upper"><collision><origin xyz="0.25 0 0"/><geometry>
    <box size="0.5 0.1 0.1"/></geometry></collision></link><link name="tip"/>
    <joint name="a" type="revolute"><parent link="base"/><child link="turret"/>
<axis xyz="0 0 1"/><limit lower="-3" upper="3"/></joint>
    <joint name="b" type="revolute"><parent link="turret"/><child link="upper"/>
<axis xyz="0 1 0"/><limit lower="-3" upper="3"/></joint>
    <joint name="t" type="fixed"><parent link="upper"/><child link="tip"/><origin xyz="0.5 0 0"/></joint></robot>"""
    arm = lk.load(text)
    through = arm.solve(lk.Position(None, arm.forward([0.0, 0.6])[:3, 3]), obstacles=lk.Sphere((9, 9, 9), 0.1))
    assert through.ok and through.unchecked.pairs == lk.collision.unchecked(arm).pairs == (("base", "upper"),)
    assert "'base' and 'upper'" in through.why and any("'base' and 'upper'" in note for note in arm.notes)


@pytest.mark.parametrize("name", ["human", "quadruped", "puma560", "ur5"])
def test_every_pair_is_kept_apart_or_named_or_connected_by_one_joint(name):
    """Named, or neighbours, or looked at: no pair of links is forgotten."""
    body = lk.load(name)
    model, goal = body.model, Clearance()
    (_, (_, _, pairs, _, _), *_) = goal.spec(model)
    links = [one.link for one in model.bodies]
    seen = {frozenset((links[i], links[j])) for i, j in zip(pairs[::2], pairs[1::2], strict=True)}
    seen |= {frozenset(pair) for pair in lk.collision.unchecked(body).pairs}
    parts = {one.link: one.element for one in model.bodies}
    for one, other in itertools.combinations(dict.fromkeys(links), 2):
        above = [model.compiled.elements[parts[x]].parent if parts[x] >= 0 else None for x in (one, other)]
        joined = parts[one] == parts[other] or above[0] == parts[other] or above[1] == parts[one]
        assert joined or frozenset((one, other)) in seen, (one, other)


def test_the_first_link_is_checked_against_objects_beside_its_base():
    """A wall fixed to the world is no neighbour of the link that the first joint moves, though both are attached to the base."""
    wall = '<link name="wall"><collision><origin xyz="0 0.5 0.5"/><geometry><box size="2 0.1 1"/></geometry></collision></link>'
    text = f"""<robot name="r"><link name="world"/><link name="base"/>{wall}<link name="boom"><collision>
    <origin xyz="0.5 0 0.5"/><geometry><box size="0.8 0.1 0.1"/></geometry></collision></link><link name="tip"/>
    <joint name="w" type="fixed"><parent link="world"/><child link="wall"/></joint>
    <joint name="b" type="fixed"><parent link="world"/><child link="base"/></joint>
    <joint name="j" type="revolute"><parent link="base"/><child link="boom"/>
    <axis xyz="0 0 1"/><limit lower="-3" upper="3"/></joint>
    <joint name="t" type="fixed"><parent link="boom"/><child link="tip"/><origin xyz="0.9 0 0.5"/></joint></robot>"""
    arm = lk.load(text, tip="tip")
    inside = arm.forward([1.0])
    assert arm.solve(inside).ok and not arm.solve([lk.Pose(None, inside), lk.Clearance()]).ok
    assert arm.solve([lk.Pose(None, arm.forward([-1.0])), lk.Clearance()]).ok


def test_mjcf_meshes_are_covered_and_surroundings_named(tmp_path):
    pytest.importorskip("mujoco")
    file = tmp_path / "m.xml"
    model = """<mujoco><asset>{asset}</asset><worldbody>{world}
    <body name="b" pos="0 0 1"><joint name="j"/>{geom}<geom type="sphere" size=".1"/>
    <body name="c" pos="0 0 1"><joint name="k"/>
    <geom type="box" size=".1 .2 .3" euler="0 90 0"/></body></body></worldbody></mujoco>"""
    mesh = '<mesh name="wedge" vertex="0 0 0  .4 0 0  0 .6 0  0 0 .2  .1 .1 .1"/>'
    file.write_text(model.format(asset=mesh, world="", geom='<geom type="mesh" mesh="wedge" pos="1 0 0"/>'))
    arm = lk.load(file)
    assert lk.collision.unchecked(arm).links == ()
    (box,) = (shape for name, shape in arm.model.shapes if name == "b" and isinstance(shape, lk.Box))
    corners = np.array([(0, 0, 0), (0.4, 0, 0), (0, 0.6, 0), (0, 0, 0.2)]) + [1, 0, 0]
    outside = np.abs((corners - box.centre) @ np.array(box.rotation)) - np.array(box.sides) / 2
    assert outside.max() < 1e-6 and math.prod(box.sides) < 10 * 0.4 * 0.6 * 0.2
    lost = '<mesh name="lost" file="lost.stl"/>'
    file.write_text(
        model.format(asset=lost, world='<geom type="plane" size="1 1 1"/>', geom='<geom type="mesh" mesh="lost"/>')
    )
    arm = lk.load(file)
    assert lk.collision.unchecked(arm).links == ("world", "b")
    file.write_text(
        model.format(asset=mesh, world="", geom='<geom type="mesh" mesh="wedge" contype="0" conaffinity="0"/>')
    )
    assert lk.collision.unchecked(lk.load(file)).links == () and len(lk.load(file).model.shapes) == 2


def test_mjcf_geoms_that_collide_by_pairs_alone_are_shapes(tmp_path):
    pytest.importorskip("mujoco")
    file = tmp_path / "pair.xml"
    model = """<mujoco><worldbody><body name="a"><joint name="t" axis="0 1 0" range="-1 1"/><geom size=".05"/>
    <body name="b" pos="1 0 0"><joint name="u" axis="0 1 0" range="-1 1"/>
    <geom name="g" size=".3" contype="0" conaffinity="0"/></body></body>
    <geom name="floor" type="box" size="1 1 .1" pos="0 0 -2" contype="0" conaffinity="0"/></worldbody>{pairs}</mujoco>"""
    file.write_text(model.format(pairs='<contact><pair geom1="g" geom2="floor"/></contact>'))
    arm = lk.load(file)
    assert [name for name, _ in arm.model.shapes] == ["a", "b"] and lk.collision.unchecked(arm).links == ("world",)
    assert lk.collision.clearance(arm, arm.home, lk.Sphere((1, 0, 0), 0.1)) < 0
    file.write_text(model.format(pairs=""))
    assert [name for name, _ in lk.load(file).model.shapes] == ["a"]
    lost = file.read_text().replace('<geom name="g" size=".3"', '<geom name="g" type="mesh" mesh="m"').replace(
        "<worldbody>", '<asset><mesh name="m" file="gone.stl"/></asset><worldbody>')  # fmt: skip
    file.write_text(lost.replace("</mujoco>", '<contact><pair geom1="g" geom2="floor"/></contact></mujoco>'))
    arm = lk.load(file)
    assert "b" in lk.collision.unchecked(arm).links and any("files are missing" in note for note in arm.notes)


def test_mujocos_reason_against_a_mesh_is_reported(tmp_path):
    """An existing mesh that MuJoCo rejects is not reported as missing."""
    pytest.importorskip("mujoco")
    file = tmp_path / "flat.xml"
    file.write_text("""<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0"/></asset><worldbody><body name="a">
    <joint name="t" axis="0 1 0" range="-1 1"/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>""")
    arm = lk.load(file)
    assert lk.collision.unchecked(arm).links == ("a",) and not any("missing" in note for note in arm.notes)
    assert any("vert" in note for note in arm.notes)


def test_real_robots_made_of_meshes_name_them():
    data = pytest.importorskip("pybullet_data")
    arm = lk.load(f"{data.getDataPath()}/kuka_iiwa/model.urdf", tip="lbr_iiwa_link_7")
    assert len(lk.collision.unchecked(arm).links) == 8
    with pytest.raises(lk.BadOption, match="lbr_iiwa_link_3"):
        lk.collision.clearance(arm, arm.home, lk.Sphere((0, 0, 0), 1))
