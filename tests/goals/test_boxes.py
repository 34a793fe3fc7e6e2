"""Boxes among links and obstacles: distances against independent oracles, and no way through a table."""

import math

import numpy as np
import pytest
from conftest import random_pose
from scipy.optimize import lsq_linear

import limbik as lk
from limbik.goals.clearance import gap

KINDS = ("sphere", "capsule", "box", "plate")


def shape_of(kind, rng):
    if kind == "sphere":
        return lk.Sphere((0, 0, 0), rng.uniform(0.02, 0.3))
    if kind == "capsule":
        half = rng.uniform(0.0, 0.6)
        return lk.Capsule((0, 0, -half), (0, 0, half), rng.uniform(0.02, 0.3))
    sides = rng.uniform(0.02, 1.2, 3)
    if kind == "plate":
        sides[rng.integers(3)] = rng.choice([0.0, 1e-9])
    return lk.Box((0, 0, 0), sides)


def generators(shape, T):
    """A centre, the half sides that span the core of a shape (3, k), and the radius around it."""
    if isinstance(shape, lk.Box):
        return T[:3, 3], T[:3, :3] * np.array(shape.sides) / 2, 0.0
    half = np.zeros(3) if isinstance(shape, lk.Sphere) else np.array(shape.end)
    return T[:3, 3], (T[:3, :3] @ half)[:, None], shape.radius


def apart(one, other):
    """The distance of two shapes that do not overlap, as a bounded least-squares problem over the points of their cores."""
    (a, A, r), (b, B, s) = one, other
    return np.linalg.norm(lsq_linear(np.hstack([A, -B]), b - a, (-1, 1), tol=1e-15).fun) - r - s


def support(body, ways):
    centre, sides, radius = body
    return ways @ centre + np.abs(ways @ sides).sum(axis=1) + radius


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("second", ["box", "plate"])
def test_distances_are_exact(first, second, rng):
    """Apart: against a bounded least-squares solver. Overlapping: no direction separates the shapes by less than the depth."""
    ways = rng.normal(size=(4000, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    met = [0, 0]
    for _ in range(150):
        one, other = shape_of(first, rng), shape_of(second, rng)
        T, U = random_pose(rng), random_pose(rng)
        T[:3, 3], U[:3, 3] = rng.normal(scale=0.5, size=(2, 3))
        found = gap(one.moved(T), other.moved(U))
        assert found == pytest.approx(gap(other.moved(U), one.moved(T)), abs=1e-12)
        bodies = generators(one, T), generators(other, U)
        cores = found + bodies[0][2] + bodies[1][2]
        met[cores <= 0] += 1
        if cores > 1e-9:
            assert found == pytest.approx(apart(*bodies), abs=1e-7)
        # the least shift that parts them, over many directions: never less than the depth, and nearly reaching it
        least = (support(bodies[0], ways) + support(bodies[1], -ways)).min()
        assert least >= -found - 1e-12
        if cores < -1e-9:
            assert least <= -found + 0.06
    assert met[0] > 20


def test_distances_agree_with_coal(rng):
    coal = pytest.importorskip("coal")

    def theirs(shape):
        if isinstance(shape, lk.Box):
            return coal.Box(*shape.sides)
        return coal.Sphere(shape.radius) if isinstance(shape, lk.Sphere) else coal.Capsule(shape.radius, shape.length)

    request = coal.DistanceRequest()
    request.enable_signed_distance = True
    inside = 0
    for _ in range(2000):
        one, other = shape_of(rng.choice(KINDS[:3]), rng), shape_of(rng.choice(KINDS[:3]), rng)
        T, U = random_pose(rng), random_pose(rng)
        T[:3, 3], U[:3, 3] = rng.normal(scale=0.4, size=(2, 3))
        places = [coal.Transform3s(P[:3, :3], P[:3, 3]) for P in (T, U)]
        expected = coal.distance(theirs(one), places[0], theirs(other), places[1], request, coal.DistanceResult())
        found = gap(one.moved(T), other.moved(U))
        inside += found < 0
        assert found == pytest.approx(expected, abs=1e-5 if found > 0 else 1e-3)
    assert inside > 100


def test_faces_edges_and_corners_that_touch():
    cube = lk.Box((0, 0, 0), (1, 1, 1))
    for other, expected in (
        (lk.Box((1, 0, 0), (1, 1, 1)), 0.0),
        (lk.Box((1.25, 0.9, 0), (1, 1, 1)), 0.25),
        (lk.Box((1.3, 1.4, 0), (1, 1, 1)), 0.5),
        (lk.Box((2, 2, 2), (1, 1, 1)), math.sqrt(3)),
        (cube, -1.0),
        (lk.Box((0, 0, 0), (0.2, 0.2, 0.2)), -0.6),
        (lk.Sphere((0, 0, 0), 0.1), -0.6),
        (lk.Sphere((0.5, 0, 0), 0.1), -0.1),
        (lk.Capsule((-2, 0, 0.4), (2, 0, 0.4), 0.05), -0.15),
        (lk.Capsule((-2, 0, 0.6), (2, 0, 0.6), 0.1), 0.0),
        (lk.Capsule((0, 0, 2), (0, 0, 1), 0.1), 0.4),
    ):
        assert gap(cube, other) == pytest.approx(expected, abs=1e-12) == gap(other, cube)
        assert gap(cube.scaled(1e3), other.scaled(1e3)) == pytest.approx(1e3 * expected, abs=1e-9)


def test_boxes_refuse_invalid_arguments():
    for sides in ((-1, 1, 1), (1, 0, 0), (0, 0, 0)):
        with pytest.raises(lk.BadModel):
            lk.Box((0, 0, 0), sides)
    with pytest.raises(lk.NotRigid):
        lk.Box((0, 0, 0), (1, 1, 1), np.diag([1, 1, 2]))
    with pytest.raises(lk.ShapeError):
        lk.Box((0, 0, 0), (1, 1, 1), np.eye(4))
    with pytest.raises(lk.NotFinite):
        lk.Box((0, 0, math.nan), (1, 1, 1))


TABLE = """<robot name="cell"><link name="world"/>
<link name="table"><collision><origin xyz="0.5 0 0.375" rpy="0 0 {yaw}"/>
<geometry><box size="1.2 0.8 0.05"/></geometry></collision></link>
<joint name="t" type="fixed"><parent link="world"/><child link="table"/></joint>
<link name="base"/><joint name="b" type="fixed"><parent link="world"/><child link="base"/><origin xyz="0 0 0.4"/></joint>
<link name="upper"><collision><origin xyz="0 0 0.4"/><geometry><box size="0.08 0.08 0.6"/></geometry></collision></link>
<link name="fore">
<collision><origin xyz="0 0 0.25"/><geometry><cylinder radius="0.03" length="0.4"/></geometry></collision></link>
<link name="hand"><collision><origin xyz="0 0 0.1"/><geometry><box size="0.06 0.1 0.1"/></geometry></collision></link>
<joint name="j0" type="revolute"><parent link="base"/><child link="turret"/>
<axis xyz="0 0 1"/><limit lower="-3" upper="3"/></joint>
<link name="turret"/>
<joint name="j1" type="revolute"><parent link="turret"/><child link="upper"/>
<axis xyz="0 1 0"/><limit lower="-2" upper="2"/></joint>
<joint name="j2" type="revolute"><parent link="upper"/><child link="fore"/><origin xyz="0 0 0.7"/><axis xyz="0 1 0"/>
<limit lower="-2.6" upper="2.6"/></joint>
<joint name="j3" type="revolute"><parent link="fore"/><child link="hand"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/>
<limit lower="-2" upper="2"/></joint>
<link name="tip"/><joint name="e" type="fixed"><parent link="hand"/><child link="tip"/><origin xyz="0 0 0.15"/></joint>
</robot>"""


@pytest.mark.parametrize("yaw", [0.0, 1.0])
def test_no_posture_goes_through_a_table_of_the_model(yaw):
    """The table is 5 cm thick: a tip in it is refused, one above it is reached, though a capsule around it would hold both."""
    arm = lk.load(TABLE.format(yaw=yaw), tip="tip")
    assert lk.collision.unchecked(arm).links == () and lk.collision.unchecked(arm).pairs == ()
    (table,) = (shape for link, shape in arm.model.shapes if link == "table")

    def clear(q):
        return min(
            gap(s.moved(arm.forward(q, f)), table) for f, s in arm.model.shapes if f in ("upper", "fore", "hand")
        )

    above = arm.solve([lk.Position(None, (0.6, 0.1, 0.47)), lk.Clearance()])
    assert above.ok and clear(above.q) >= 0, above.why
    inside = arm.solve([lk.Position(None, (0.6, 0.1, 0.375)), lk.Clearance()])
    assert not inside.ok and "clearance" in inside.why
    assert arm.solve(lk.Position(None, (0.6, 0.1, 0.375))).ok


def test_a_box_as_an_obstacle_is_kept_off():
    arm = lk.load("panda")
    q = np.array([0.1, 0.5, 0.0, -1.6, 0.0, 2.1, 0.7])
    T = arm.forward(q)
    below = lk.Box((0.8, 0.0, T[2, 3] - 0.3), (0.8, 2.0, 0.2))
    wall = lk.Box((0.3, 0.45, 0.5), (1.0, 0.02, 1.0), np.eye(3))
    answer = arm.solve(T, obstacles=[below, wall])
    assert answer.ok and lk.collision.clearance(arm, answer.q, [below, wall]) >= 0
    step = arm.track(q, T, 0.01, obstacles=below)
    assert step.q.shape == (7,)
    corner = lk.Box(T[:3, 3], (0.1, 0.1, 0.1))
    assert lk.collision.clearance(arm, q, corner) < 0 and not arm.solve(T, obstacles=corner).ok


def test_links_that_start_inside_a_box_are_moved_out_of_it(rng):
    """From many random starts a link that overlaps a box is moved out of it; wrong derivatives would fail."""
    arm = lk.load(TABLE.format(yaw=0.3), tip="tip")
    out = 0
    for _ in range(40):
        q = arm.sample(rng)
        answer = arm.solve(lk.Clearance(), seed=q)
        out += answer.ok
    assert out == 40
