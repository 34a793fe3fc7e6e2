"""The network over points keeps lengths, cones, hinges and free regions, by checks that share no code with the core."""

import math
import pickle
from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik as lk
from limbik.papers.cruse_steinkuehler.forms import largest_difference

TREE = (0, 1, 2, 3, 4, 2, 6, 7, 2)


def lengths_kept(form: lk.relaxation.PointForm, points: np.ndarray) -> bool:
    far = np.linalg.norm(points[1:] - points[list(form.parents)], axis=1)
    return all(low - 1e-9 <= x <= high + 1e-9 for x, (low, high) in zip(far, form.lengths, strict=True))


def tilts(form: lk.relaxation.PointForm, points: np.ndarray) -> list[float]:
    """Return the angle of each segment to its parent, for a tree whose rest is straight."""
    ways = points[1:] - points[list(form.parents)]
    ways = ways / np.linalg.norm(ways, axis=1, keepdims=True)
    rest = np.array(form.rest)
    before = [rest[k] if p == 0 else ways[p - 1] for k, p in enumerate(form.parents)]
    return [math.atan2(np.linalg.norm(np.cross(b, w)), b @ w) for b, w in zip(before, ways, strict=True)]


def hinged(form: lk.relaxation.PointForm, angles: np.ndarray) -> np.ndarray:
    """Return the points of hinge angles by forward kinematics, from the definition."""
    frames, points = [np.eye(3)], [np.zeros(3)]
    for k, parent in enumerate(form.parents):
        socket = form.sockets[k]
        rest = np.zeros(3)
        rest[: form.dimension] = form.rest[k]
        frames.append(frames[parent] @ Rotation.from_rotvec(np.array(socket.axis) * angles[k]).as_matrix())
        points.append(points[parent] + form.lengths[k][1] * (frames[-1] @ rest))
    return np.array(points)[:, : form.dimension]


def hinge_angles(form: lk.relaxation.PointForm, points: np.ndarray) -> np.ndarray:
    """Return the angles of a chain of hinges, segment by segment."""
    angles, frame = [], np.eye(3)
    for k, socket in enumerate(form.sockets):
        axis, rest = np.array(socket.axis), np.array(form.rest[k])
        way = frame.T @ (points[k + 1] - points[k])
        a, b = rest - axis * (axis @ rest), way - axis * (axis @ way)
        angles.append(math.atan2(axis @ np.cross(a, b), a @ b))
        frame = frame @ Rotation.from_rotvec(axis * angles[-1]).as_matrix()
    return np.array(angles)


def test_points_agree_with_vectors(rng):
    assert largest_difference(rng) < 1e-12


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("n", [1, 3, 7, 20])
def test_free_segments_reach_reachable_targets(n, dimension, rng):
    form = lk.relaxation.PointForm.chain(rng.uniform(0.5, 1.5, n).tolist(), dimension=dimension)
    for _ in range(5):
        goal = form.sample(rng)[-1]
        done = form.relax(goal, form.sample(rng), tolerance=1e-6 * form.size, cycles=20000)
        assert done.ok, done.why
        assert np.linalg.norm(done.points[-1] - goal) <= 1e-6 * form.size and lengths_kept(form, done.points)


def test_cones_are_kept(rng):
    form = lk.relaxation.PointForm.chain([1.0] * 7, sockets=lk.relaxation.Ball(1.0))
    for _ in range(10):
        done = form.relax(form.sample(rng)[-1], form.sample(rng))
        assert done.ok and lengths_kept(form, done.points) and max(tilts(form, done.points)) <= 1.0 + 1e-9
    far = form.relax([0.0, 0.0, -5.0], cycles=300, attempts=1)  # out of reach; the cones are kept all the same
    assert max(tilts(form, far.points)) <= 1.0 + 1e-9 and lengths_kept(form, far.points)


def test_cones_about_any_rest(rng):
    """A segment at an angle rotates the frame of the next one: here all point straight up, and cones are measured from there."""
    rest = [[1, 0, 0], [0, 1, 0], [1, 0, 0]]
    form = lk.relaxation.PointForm.chain([1.0] * 3, sockets=lk.relaxation.Ball(0.4), rest=rest)
    assert form.keeps(form.posture())
    done = form.relax(form.posture()[-1] + [0.1, 0.1, -0.2], attempts=1)
    assert done.ok and form.keeps(done.points)
    bent = form.posture([[1, 0, 0], [1, 0, 0], [1, 0, 0]])
    assert not form.keeps(bent)


@pytest.mark.parametrize("dimension", [2, 3])
def test_hinges_stay_in_their_ranges(dimension, rng):
    n = 5
    axes = [(0, 0, 1)] * n if dimension == 2 else [tuple(rng.normal(size=3)) for _ in range(n)]
    form = lk.relaxation.PointForm.chain(
        [1.0] * n, sockets=[lk.relaxation.Hinge(a, -1.2, 1.7) for a in axes], dimension=dimension
    )
    for _ in range(5):
        truth = rng.uniform(-1.2, 1.7, n)
        goal = hinged(form, truth)
        assert form.keeps(goal)
        done = form.relax(goal[-1], hinged(form, rng.uniform(-1.2, 1.7, n)))
        assert lengths_kept(form, done.points)
        points = done.points if dimension == 3 else np.column_stack([done.points, np.zeros(n + 1)])
        flat = form if dimension == 3 else lk.relaxation.PointForm.chain([1.0] * n, sockets=form.sockets)
        angles = hinge_angles(flat, points)
        assert (angles >= -1.2 - 1e-7).all() and (angles <= 1.7 + 1e-7).all()
        np.testing.assert_allclose(hinged(flat, angles), points, atol=1e-7)


def test_a_ball_rotates_its_hinge_towards_the_target(rng):
    """A shoulder with an elbow: the plane of the elbow rotates with the upper arm."""
    form = lk.relaxation.PointForm.chain(
        [1.0, 1.0], sockets=[lk.relaxation.Ball(), lk.relaxation.Hinge((0, 0, 1), 0.0, 2.6)]
    )
    for _ in range(10):
        way = rng.normal(size=3)
        done = form.relax(way / np.linalg.norm(way) * rng.uniform(0.7, 1.9))
        assert done.ok, done.why
        bend = tilts(form, done.points)[1]
        assert bend <= 2.6 + 1e-7


def test_planar_segments_of_all_kinds_stay_in_the_plane(rng):
    sockets = [
        lk.relaxation.Ball(),
        lk.relaxation.Hinge(None, -1.0, 0.5),
        lk.relaxation.Ball(1.2),
        lk.relaxation.Hinge(None, -0.3, 2.0),
    ]
    form = lk.relaxation.PointForm((0, 1, 2, 1), [1.0, 0.7, 1.3, 0.9], sockets=sockets, dimension=2)
    for _ in range(10):
        points = form.sample(rng)
        assert form.keeps(points)
        done = form.relax({3: points[3], 4: points[4]}, form.sample(rng))
        assert lengths_kept(form, done.points) and form.keeps(done.points)


def test_trees_with_several_clamped_points(rng):
    form = lk.relaxation.PointForm(TREE, rng.uniform(0.3, 1.0, 9).tolist())
    assert form.leaves == (5, 8, 9)
    points = form.sample(rng)
    targets = {5: points[5], 8: points[8], 9: points[9], 3: points[3]}  # an inner point, too
    done = form.relax(targets, form.sample(rng))
    assert done.ok and lengths_kept(form, done.points) and done.ends == (5, 8, 9, 3)
    assert all(np.linalg.norm(done.points[k] - p) <= 0.01 * form.size for k, p in targets.items())
    torn = form.relax({5: [5.0, 0, 0], 8: [-1.0, 0, 0]})
    assert torn.status == lk.Status.OUT_OF_REACH and "point 5" in torn.why
    apart = lk.relaxation.PointForm((0, 1, 1), [1.0, 1.0, 1.0]).relax({2: [1.5, 0, 0], 3: [-1.5, 0, 0]}, attempts=2)
    assert apart.status == lk.Status.COMPROMISE and apart.errors.min() > 0.1


def test_segments_of_variable_length(rng):
    form = lk.relaxation.PointForm.chain([(0.2, 1.0), (0.5, 2.0)])
    for far in (0.4, 1.0, 2.9):
        done = form.relax([0.0, far, 0.0])
        assert done.ok and lengths_kept(form, done.points)
    assert form.relax([0.0, 3.2, 0.0]).status == lk.Status.OUT_OF_REACH


def test_no_segment_enters_a_free_region(rng):
    form = lk.relaxation.PointForm.chain([1.0] * 5, radius=0.05)
    sphere = lk.Sphere((1.5, 0.0, 0.0), 0.6)
    goal = [3.0, 0.0, 0.0]
    plain, around = form.relax(goal), form.relax(goal, free=[sphere])

    def gap(points: np.ndarray) -> float:
        capsules = [lk.Capsule(a, b, 0.05) for a, b in pairwise(points)]
        ends = [np.clip((np.array(sphere.centre) - c.start) @ (np.array(c.end) - c.start), 0, 1) for c in capsules]
        near = [np.array(c.start) + t * (np.array(c.end) - c.start) for c, t in zip(capsules, ends, strict=True)]
        return min(float(np.linalg.norm(p - sphere.centre)) for p in near) - 0.6 - 0.05

    assert plain.ok and gap(plain.points) < 0 and around.ok and gap(around.points) >= -1e-9 and around.depth <= 0
    flat = lk.relaxation.PointForm.chain([1.0] * 4, dimension=2)
    off = flat.relax(
        [2.0, 0.5], free=[lk.Sphere((1.0, 0.2, 0.3), 0.5)]
    )  # it intersects the plane in a circle of radius 0.4
    assert off.ok and lengths_kept(flat, off.points)
    assert (
        min(
            np.linalg.norm(a + t * (b - a) - (1.0, 0.2))
            for a, b in pairwise(off.points)
            for t in np.linspace(0, 1, 200)
        )
        > 0.399
    )
    blocked = form.relax(sphere.centre, free=[sphere], attempts=2, cycles=300)
    assert not blocked.ok and "region" in blocked.why


def test_pulls_lower_the_cost_and_the_target_is_still_reached(rng):
    rest = [[0, 1], [0.6, 0.8], [1, 0]]
    form = lk.relaxation.PointForm.chain([1.0] * 3, dimension=2, sockets=lk.relaxation.Ball(pull=1.0), rest=rest)

    def cost(points: np.ndarray) -> float:
        """Return the sum of the squared deviations of the joints from rest."""
        ways = np.diff(points, axis=0)
        turn = np.arctan2(ways[:, 1], ways[:, 0]) - np.arctan2(np.array(rest)[:, 1], np.array(rest)[:, 0])
        return float((np.diff([0.0, *turn]) ** 2).sum())

    start = form.posture([[1, 0], [0, 1], [1, 0]])
    plain, pulled = form.relax([1.3, 1.2], start), form.relax([1.3, 1.2], start, pull=1.0)
    assert plain.ok and pulled.ok and cost(pulled.points) < 0.6 * cost(plain.points)


def test_a_straight_arm_is_nudged_off_its_line():
    form = lk.relaxation.PointForm.chain([1.0] * 3)
    done = form.relax([2.0, 0.0, 0.0])
    assert done.ok and done.kicks == 1 and "nudged" in done.why
    flat = lk.relaxation.PointForm.chain([1.0] * 3, dimension=2).relax([2.0, 0.0])
    assert flat.ok and flat.points.shape == (4, 2)


def test_damping_and_over_relaxation():
    form = lk.relaxation.PointForm.chain([1.0] * 7)
    start = form.sample(np.random.default_rng(3))
    cycles = {w: form.relax([3.0, 2.0, 1.0], start, omega=w, attempts=1).cycles for w in (0.5, 1.0, 8 / 3)}
    assert cycles[0.5] > cycles[1.0] > cycles[8 / 3] == form.relax([3.0, 2.0, 1.0], start).cycles


def test_steps_and_records():
    form = lk.relaxation.PointForm.chain([1.0] * 4)
    start = form.sample(np.random.default_rng(0))
    done = form.relax([2.0, 1.0, 0.5], start, record=True)
    assert len(done.course) == len(done.postures) == done.cycles + 1 and np.array_equal(done.course[0], start)
    assert all(lengths_kept(form, p) for p in done.postures) and np.array_equal(done.postures[-1], done.points)
    shown = list(form.steps([2.0, 1.0, 0.5], start))
    assert np.array_equal(shown, done.postures)
    moved = form.relax([12.0, 1.0, 0.5], start + [10.0, 0, 0], record=True)  # a base away from the origin
    np.testing.assert_allclose(moved.points - [10.0, 0, 0], done.points, atol=1e-9)


def test_scale_and_determinism(rng):
    small, large = lk.relaxation.PointForm.chain([1.0, 0.5, 0.8]), lk.relaxation.PointForm.chain([1000.0, 500.0, 800.0])
    goal = small.sample(rng)[-1]
    a, b = small.relax(goal), large.relax(1000 * goal)
    assert a.status == b.status and a.cycles == b.cycles
    np.testing.assert_allclose(1000 * a.points, b.points, rtol=1e-9, atol=1e-6)
    assert a == small.relax(goal) and pickle.loads(pickle.dumps(a)) == a
    with pytest.raises(AttributeError):
        small.lengths = large.lengths
    assert pickle.loads(pickle.dumps(small)) == small != large and hash(small) == hash(
        pickle.loads(pickle.dumps(small))
    )


@pytest.mark.parametrize(
    "make",
    [
        lambda: lk.relaxation.PointForm([], []),
        lambda: lk.relaxation.PointForm([1], [1.0]),
        lambda: lk.relaxation.PointForm([0, 2], [1.0, 1.0]),
        lambda: lk.relaxation.PointForm([0], [1.0, 2.0]),
        lambda: lk.relaxation.PointForm.chain([0.0]),
        lambda: lk.relaxation.PointForm.chain([-1.0]),
        lambda: lk.relaxation.PointForm.chain([math.nan]),
        lambda: lk.relaxation.PointForm.chain([math.inf]),
        lambda: lk.relaxation.PointForm.chain([(2, 1)]),
        lambda: lk.relaxation.PointForm.chain([(1, 2, 3)]),
        lambda: lk.relaxation.PointForm.chain(3),
        lambda: lk.relaxation.PointForm.chain(["a"]),
        lambda: lk.relaxation.PointForm.chain([1], dimension=4),
        lambda: lk.relaxation.PointForm.chain([1], sockets=3),
        lambda: lk.relaxation.PointForm.chain([1], sockets=[lk.relaxation.Ball()] * 2),
        lambda: lk.relaxation.PointForm.chain([1], rest=[[0, 0, 0]]),
        lambda: lk.relaxation.PointForm.chain([1], rest=[[1, 0]]),
        lambda: lk.relaxation.PointForm.chain([1], radius=-1),
        lambda: lk.relaxation.PointForm.chain([1], dimension=2, sockets=lk.relaxation.Hinge((1, 0, 0))),
        lambda: lk.relaxation.Ball(-1),
        lambda: lk.relaxation.Ball(4),
        lambda: lk.relaxation.Ball(math.nan),
        lambda: lk.relaxation.Hinge((0, 0, 0)),
        lambda: lk.relaxation.Hinge((1, 0)),
        lambda: lk.relaxation.Hinge(None, 1, 0),
        lambda: lk.relaxation.Hinge(None, math.nan, 1),
        lambda: lk.relaxation.Ball(1, -1),
        lambda: lk.relaxation.VectorForm([1.0]),
        lambda: lk.relaxation.VectorForm([1, 1], 0.5),
        lambda: lk.relaxation.VectorForm([1, 1]).run(np.zeros((3, 2)), {(0, 9): [1, 1]}, 3),
        lambda: lk.relaxation.VectorForm([1, 1]).run(np.zeros((2, 2)), {}, 3),
        lambda: lk.relaxation.VectorForm([1, 1]).run(np.zeros((3, 2)), {(0, 2): [1, np.nan]}, 3),
    ],
)
def test_invalid_segments_are_refused(make):
    with pytest.raises(lk.LimbikError):
        make()


@pytest.mark.parametrize(
    ("targets", "options"),
    [
        ({}, {}),
        ({0: [0, 0, 0]}, {}),
        ({4: [0, 0, 0]}, {}),
        ({"a": [0, 0, 0]}, {}),
        ([1, 2], {}),
        ([1, 2, math.nan], {}),
        (None, {}),
        ("x", {}),
        ([1, 1, 1], {"tolerance": 0}),
        ([1, 1, 1], {"cycles": -1}),
        ([1, 1, 1], {"cycles": 2.5}),
        ([1, 1, 1], {"omega": 0}),
        ([1, 1, 1], {"omega": math.nan}),
        ([1, 1, 1], {"start": np.zeros((2, 3))}),
        ([1, 1, 1], {"start": np.full((4, 3), np.nan)}),
        ([1, 1, 1], {"free": 3}),
        ([1, 1, 1], {"free": [1]}),
        ([1, 1, 1], {"pull": -1}),
        ([1, 1, 1], {"attempts": 0}),
        ([1e200, 0, 0], {}),
    ],
)
def test_invalid_targets_raise(targets, options):
    with pytest.raises(lk.LimbikError):
        lk.relaxation.PointForm.chain([1.0] * 3).relax(targets, **options)


@pytest.mark.parametrize("omega", [100.0, 1e6, 1e-9])
def test_every_relaxation_factor_gives_finite_numbers(omega):
    for sockets in (lk.relaxation.Ball(), lk.relaxation.Ball(0.3), lk.relaxation.Hinge((0, 1, 0), -0.1, 0.1)):
        form = lk.relaxation.PointForm.chain([1.0, 1e-6, 1e3], sockets=sockets)
        done = form.relax([10.0, -3.0, 900.0], omega=omega, cycles=500, attempts=2)
        assert np.isfinite(done.points).all() and np.isfinite(done.errors).all() and lengths_kept(form, done.points)
        zero = form.relax([0.0, 0.0, 0.0], np.zeros((4, 3)), omega=omega, cycles=50, attempts=2)  # all points in one
        assert np.isfinite(zero.points).all()
