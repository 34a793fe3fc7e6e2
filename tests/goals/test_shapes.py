"""Shapes of links: their values, their form in files, and that copies of links keep them."""

import copy
import math
import pickle

import numpy as np
import pytest
from cases.signed_distance import depth
from conftest import random_pose

import limbik as lk
from limbik.formats.urdf import read_urdf, write_urdf
from limbik.model.covering import around_cylinder, around_ellipsoid

BALL, ROD = lk.Sphere((0.1, 0.2, 0.3), 0.05), lk.Capsule((0, 0, 0), (0, 0, 0.4), 0.06)
CRATE = lk.Box((0.1, 0.0, -0.2), (0.3, 0.2, 0.1), ((0, -1, 0), (1, 0, 0), (0, 0, 1)))


def two_links(shapes):
    joint = lk.model.Joint("j", "revolute", "a", "b", lower=-1, upper=1)
    return lk.Chain(
        lk.model.Mechanism(
            "m", (lk.model.Link("a", shapes=shapes[:1]), lk.model.Link("b", 2.0, (0, 0, 1), shapes[1:])), (joint,)
        )
    )


def test_shapes_are_plain_values():
    assert lk.Sphere([0.1, 0.2, 0.3], 0.05) == BALL and hash(lk.Sphere(np.array([0.1, 0.2, 0.3]), 0.05)) == hash(BALL)
    assert lk.Capsule(start=(0, 0, 0), end=(0, 0, 0.4), radius=0.06) == ROD and ROD != BALL and ROD.length == 0.4
    for shape in (BALL, ROD, CRATE):
        assert pickle.loads(pickle.dumps(shape)) == copy.deepcopy(shape) == shape and len({shape, shape}) == 1
        with pytest.raises(AttributeError):
            shape.radius = 1.0
    assert lk.Sphere((-0.0, 0, 0), 1) == lk.Sphere((0, 0, 0), 1) and "-0.0" not in repr(lk.Sphere((-0.0, 0, 0), 1))


def test_moved_and_scaled_transform_every_point(rng):
    points, T = rng.normal(scale=0.3, size=(200, 3)), random_pose(rng)
    there = points @ T[:3, :3].T + T[:3, 3]
    for shape in (BALL, ROD, CRATE):
        assert np.allclose(depth(shape.moved(T), there), depth(shape, points), atol=1e-12)
        assert np.allclose(depth(shape.scaled(3.0), 3 * points), 3 * depth(shape, points), atol=1e-12)
        assert shape.moved(np.eye(4)) == shape == shape.scaled(1.0)


def volume(shape):
    if isinstance(shape, lk.Box):
        return math.prod(shape.sides)
    length = 0.0 if isinstance(shape, lk.Sphere) else shape.length
    return math.pi * shape.radius**2 * length + 4 / 3 * math.pi * shape.radius**3


def test_coverings_contain_what_they_cover_and_none_of_that_axis_is_smaller(rng):
    angles = np.linspace(0, 2 * math.pi, 60)
    for radius, length in [*rng.uniform(0.01, 1, (20, 2)), (0.1, 0.0), (1.0, 0.01), (0.01, 1.0)]:
        rim = [(radius * math.cos(a), radius * math.sin(a), s * length / 2) for a in angles for s in (-1, 1)]
        found = around_cylinder(radius, length)
        assert -1e-12 < depth(found, np.array(rim)).max() < 1e-12
        assert volume(found) <= 4 * radius**2 * length * (1 + 1e-12)  # the box around it
        for short in np.linspace(0, length / 2, 50):
            rival = lk.Capsule((0, 0, short - length / 2), (0, 0, length / 2 - short), math.hypot(radius, short))
            assert volume(found) <= volume(rival) * (1 + 1e-12)
    for halves in [*rng.uniform(0.01, 1, (20, 3)), (1, 1, 1)]:
        directions = rng.normal(size=(500, 3))
        surface = directions / np.linalg.norm(directions, axis=1, keepdims=True) * np.array(halves)
        assert depth(around_ellipsoid(halves), surface).max() < 1e-12


# ---- models ----------------------------------------------------------------------------------------------------------


def test_every_copy_of_a_model_keeps_its_shapes(rng):
    arm = two_links((BALL, ROD))
    assert arm.model.shapes == (("a", BALL), ("b", ROD))
    copies = [pickle.loads(pickle.dumps(arm)), copy.deepcopy(arm), arm.with_tool(random_pose(rng)), arm.with_limits(upper=0.5),
              arm.with_frozen({"j": 0.3}), arm.with_base(random_pose(rng)), lk.Skeleton(arm.model.mechanism),
              lk.load(arm.model.mechanism)]  # fmt: skip
    assert all(other.model.shapes == arm.model.shapes for other in copies)
    assert arm.scaled(2.0).model.shapes == (("a", BALL.scaled(2.0)), ("b", ROD.scaled(2.0)))
    assert arm.scaled(2.0).model.mechanism.links[1].mass == 2.0 and arm.scaled(2.0).model.mechanism.links[
        1
    ].centre_of_mass == (
        0,
        0,
        2,
    )


def test_equality_and_fingerprint_see_shapes():
    arm, other, bare = two_links((BALL, ROD)), two_links((BALL, ROD.scaled(1.01))), two_links(())
    assert arm == two_links((BALL, ROD)) and len({arm, other, bare}) == 3
    assert len({body.fingerprint for body in (arm, other, bare)}) == 3


def test_a_chain_has_the_shapes_of_its_own_frames():
    figure = lk.load("human")
    arm = figure.chain("leftHand", base="spine")
    assert {name for name, _ in arm.model.shapes} <= set(arm.frames)
    assert {name for name, _ in figure.model.shapes} <= set(figure.frames)


# ---- files -----------------------------------------------------------------------------------------------------------

URDF = """<robot name="r"><link name="a">{}</link><link name="b"/><joint name="j" type="continuous"><parent link="a"/>
<child link="b"/></joint></robot>"""


def collision(geometry, origin=""):
    return f"<collision>{origin}<geometry>{geometry}</geometry></collision>"


def shapes_of(*collisions, **options):
    return [shape for _, shape in lk.load(URDF.format("".join(collisions)), **options).model.shapes]


def test_urdf_collision_geometry():
    origin = '<origin xyz="1 2 3" rpy="0 1.5707963267948966 0"/>'
    assert shapes_of(collision('<sphere radius="0.5"/>', origin)) == [lk.Sphere((1, 2, 3), 0.5)]
    (capsule,) = shapes_of(collision('<capsule radius="0.5" length="2"/>', origin))
    assert capsule.radius == 0.5 and np.allclose([capsule.start, capsule.end], [(0, 2, 3), (2, 2, 3)], atol=1e-15)
    assert shapes_of(collision('<cylinder radius="0.1" length="1"/>')) == [around_cylinder(0.1, 1)]
    assert shapes_of(collision('<box size="1 0.2 0.1"/>')) == [lk.Box((0, 0, 0), (1, 0.2, 0.1))]
    (box,) = shapes_of(collision('<box size="1 0.2 0.1"/>', origin))
    assert np.allclose(np.ptp(box.corners, axis=0), (0.1, 0.2, 1)) and np.allclose(box.corners.mean(axis=0), (1, 2, 3))
    assert shapes_of(collision('<mesh filename="package://nowhere/a.stl"/>'), "<collision/>", collision("")) == []
    assert shapes_of('<visual><geometry><sphere radius="1"/></geometry></visual>') == []


def test_urdf_in_millimetres():
    assert shapes_of(collision('<sphere radius="500"/>', '<origin xyz="0 0 1000"/>'), unit="mm") == [
        lk.Sphere((0, 0, 1), 0.5)
    ]


def test_a_cylinder_with_spheres_at_its_ends_is_a_capsule():
    body = collision('<cylinder radius="0.1" length="1"/>', '<origin xyz="0 0 0.5"/>')
    low, high = collision('<sphere radius="0.1"/>'), collision('<sphere radius="0.1"/>', '<origin xyz="0 0 1"/>')
    whole = lk.Capsule((0, 0, 0), (0, 0, 1), 0.1)
    assert shapes_of(body, low, high) == shapes_of(body, high, low) == [whole]
    assert shapes_of(low, body, high, low) == [lk.Sphere((0, 0, 0), 0.1), whole]
    assert len(shapes_of(body, low)) == 2 and len(shapes_of(body, low, low)) == 3
    assert len(shapes_of(body, low, collision('<sphere radius="0.11"/>', '<origin xyz="0 0 1"/>'))) == 3


def test_a_shape_without_size_is_left_out_and_noted():
    text = URDF.format(
        collision('<box size="0 0 0"/>') + collision('<sphere radius="0"/>') + collision('<box size="1 0 0"/>')
    )
    arm = lk.load(text)
    assert arm.model.shapes == () and sum("of size zero" in note for note in arm.notes) == 3


def test_written_urdf_reads_back_with_its_shapes(rng):
    shapes = tuple(
        s.moved(random_pose(rng))
        for s in (BALL, ROD, CRATE, lk.Capsule((1, 1, 1), (1, 1, 1), 0.2), lk.Capsule((0, 0, 1), (0, 0, 0), 0.1))
    )
    again = read_urdf(write_urdf(two_links(shapes).model.mechanism))
    found = [shape for link in again.links for shape in link.shapes]
    assert [type(s) for s in found] == [type(s) for s in shapes]
    for shape, same in zip(shapes, found, strict=True):
        points = rng.normal(size=(50, 3))
        assert np.allclose(depth(shape, points), depth(same, points), atol=1e-12)


def test_written_urdf_is_for_every_parser(capfd):
    pin = pytest.importorskip("pinocchio")
    assert pin.buildModelFromXML(write_urdf(two_links((BALL, ROD)).model.mechanism)).nq == 1
    assert capfd.readouterr().err == ""


def test_toml_shapes_and_masses(tmp_path):
    file = tmp_path / "arm.toml"
    file.write_text("""
unit = "cm"
[[joint]]
name = "j"
parent = "a"
child = "b"
[[link]]
name = "b"
mass = 2.5
centre_of_mass = [0, 0, 10]
[[shape]]
link = "b"
start = [0, 0, 0]
end = [0, 0, 30]
radius = 5
[[shape]]
link = "a"
centre = [1, 2, 3]
radius = 4
""")
    arm = lk.load(file)
    names = [name for name, _ in arm.model.shapes]
    assert names == ["a", "b"] and arm.model.mechanism.links[1].mass == 2.5
    assert arm.model.mechanism.links[1].centre_of_mass == pytest.approx((0, 0, 0.1))
    assert np.allclose([*arm.model.shapes[1][1].end, arm.model.shapes[1][1].radius], [0, 0, 0.3, 0.05])
    assert isinstance(arm.model.shapes[0][1], lk.Sphere) and np.allclose(
        arm.model.shapes[0][1].centre, [0.01, 0.02, 0.03]
    )


def test_mjcf_geoms(tmp_path):
    pytest.importorskip("mujoco")
    file = tmp_path / "m.xml"
    file.write_text("""<mujoco><worldbody><geom type="plane" size="1 1 1"/><geom type="box" size="1 1 .1"/>
    <body name="b" pos="0 0 1"><joint name="j"/><geom type="sphere" size=".1" pos="1 2 3"/>
      <geom type="capsule" fromto="0 0 0 0 0 .5" size=".05"/><geom type="cylinder" size=".1 .3"/>
      <geom type="box" size=".1 .2 .3"/>
      <geom type="ellipsoid" size=".1 .2 .3"/><geom type="sphere" size=".9" contype="0" conaffinity="0"/></body>
    </worldbody></mujoco>""")
    arm = lk.load(file)
    assert {name for name, _ in arm.model.shapes} == {"b"}
    ball, rod, *covered = (shape for _, shape in arm.model.shapes)
    assert ball == lk.Sphere((1, 2, 3), 0.1)
    assert rod.radius == 0.05 and sorted([rod.start[2], rod.end[2]]) == pytest.approx([0, 0.5])
    for found, expected in zip(
        covered,
        (around_cylinder(0.1, 0.6), lk.Box((0, 0, 0), (0.2, 0.4, 0.6)), around_ellipsoid((0.1, 0.2, 0.3))),
        strict=True,
    ):
        assert type(found) is type(expected) and volume(found) == pytest.approx(volume(expected))
