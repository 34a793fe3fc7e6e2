"""Long chains of segments: rounding does not accumulate along them, and lengths and ranges are kept."""

import math
import warnings

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik as lk
from limbik.solvers.relaxation.keeping import keeps_in_plane

Z = lk.relaxation.Hinge(None, -2.5, 2.5)
SIDE = lk.relaxation.Hinge((0, 1, 0), -1.0, 1.0)


def curled(n: int, turn: float) -> np.ndarray:
    angle = turn * np.arange(n)
    return np.stack([np.cos(angle), np.sin(angle)], 1)


def bends(form: lk.relaxation.PointForm, points: np.ndarray) -> np.ndarray:
    """Return the angles of the joints of a chain in the plane."""
    way = np.diff(points, axis=0)
    turned = np.arctan2(way[:, 1], way[:, 0]) - np.arctan2(form.rest[:, 1], form.rest[:, 0])
    return (np.diff(turned, prepend=0.0) + math.pi) % (2 * math.pi) - math.pi


@pytest.mark.parametrize(
    ("n", "socket", "rest", "most"),
    [
        (100, lk.relaxation.Ball(1.0), 0.7, 1.0),
        (60, lk.relaxation.Ball(0.5), -0.3, 0.5),
        (50, Z, 0.0, 2.5),
        (120, lk.relaxation.Hinge(None, -1, 1), 0.2, 1),
    ],
)
def test_a_long_planar_chain_keeps_lengths_and_ranges(n, socket, rest, most):
    form = lk.relaxation.PointForm.chain([1.0] * n, sockets=socket, dimension=2, rest=curled(n, rest))
    solved = 0
    for seed in range(3):
        rng = np.random.default_rng([n, seed])
        target, start = form.sample(rng)[-1], form.sample(rng)
        found = form.relax(target, start, attempts=2, cycles=10_000)
        np.testing.assert_allclose(np.linalg.norm(np.diff(found.points, axis=0), axis=1), 1.0, atol=1e-12)
        assert np.abs(bends(form, found.points)).max() <= most + 1e-9
        solved += found.ok
    assert solved > 0


@pytest.mark.parametrize("sockets", [[SIDE], [SIDE, lk.relaxation.Ball(1.0)], [SIDE, lk.relaxation.Hinge(None, -1, 1)]])
def test_a_long_chain_in_space_keeps_lengths_and_cones(sockets):
    form = lk.relaxation.PointForm.chain([1.0] * 60, sockets=(sockets * 60)[:60])
    solved = 0
    for seed in range(2):
        rng = np.random.default_rng([60, seed])
        found = form.relax(form.sample(rng)[-1], form.sample(rng), attempts=2)
        way = np.diff(found.points, axis=0)
        np.testing.assert_allclose(np.linalg.norm(way, axis=1), 1.0, atol=1e-12)
        assert (way[1:] * way[:-1]).sum(1).min() >= math.cos(
            1.0
        ) - 1e-9  # a hinge perpendicular to its segment tilts by its angle at most
        solved += found.ok
    assert solved > 0


def test_a_long_chain_of_hinges_agrees_with_forward_kinematics(rng):
    axes = [lk.relaxation.Hinge(a, -1.2, 1.2) for a in ((0, 1, 0), (0, 0, 1), (0, 1, 1))] * 20
    form = lk.relaxation.PointForm.chain([1.0] * 60, sockets=axes)
    found = form.relax(form.sample(rng)[-1], form.sample(rng), attempts=4)
    frame, at = np.eye(3), np.zeros(3)
    for k, socket in enumerate(axes):
        axis, rest = np.array(socket.axis), np.array(form.rest[k])
        way = frame.T @ (found.points[k + 1] - at)
        flat, turned = rest - axis * (axis @ rest), way - axis * (axis @ way)
        angle = math.atan2(axis @ np.cross(flat, turned), flat @ turned)
        assert abs(angle) <= 1.2 + 1e-7
        frame = frame @ Rotation.from_rotvec(axis * angle).as_matrix()
        at = at + frame @ rest
        np.testing.assert_allclose(at, found.points[k + 1], atol=1e-7)


def test_frames_of_branches_stay_orthonormal(rng):
    parents = [0, 0, *range(1, 99)]  # two branches whose points alternate
    form = lk.relaxation.PointForm(
        parents, [1.0] * 100, sockets=lk.relaxation.Ball(1.0), dimension=2, rest=curled(100, 0.7)
    )
    whole = form.sample(rng)
    found = form.relax({99: whole[99], 100: whole[100]}, form.sample(rng), attempts=2)
    far = np.linalg.norm(found.points[1:] - found.points[parents], axis=1)
    np.testing.assert_allclose(far, 1.0, atol=1e-12)
    assert keeps_in_plane(found.points, form.parents, form.sockets, form.rest)


def test_the_planar_check_finds_violated_ranges(rng):
    form = lk.relaxation.PointForm.chain(
        [1.0] * 8, sockets=[lk.relaxation.Hinge((0, 0, -1), -0.5, 1.0), lk.relaxation.Ball(0.7)] * 4, dimension=2
    )
    for _ in range(50):
        points = form.sample(rng)
        assert keeps_in_plane(points, form.parents, form.sockets, form.rest) and form.keeps(points)
        k = int(rng.integers(8))
        angle = 1.75 if k % 2 == 0 else 1.5  # more than the whole range is wide
        turn = Rotation.from_rotvec([0, 0, angle]).as_matrix()[:2, :2]
        points[k + 1 :] = points[k] + (points[k + 1 :] - points[k]) @ turn.T
        assert not keeps_in_plane(points, form.parents, form.sockets, form.rest) and not form.keeps(points)


def test_a_pull_without_joints_that_have_one_changes_nothing():
    form = lk.relaxation.PointForm.chain([1, 1, 1])
    assert form.relax([1, 1, 1], pull=1.0, cycles=200) == form.relax([1, 1, 1], cycles=200)
    drawn = lk.relaxation.PointForm.chain([1, 1, 1], sockets=lk.relaxation.Ball(pull=1.0)).relax(
        [1, 1, 1], pull=1.0, cycles=200
    )
    assert drawn.ok and drawn.error <= 0.01  # reached, though the pull has not faded yet


def test_free_regions_may_come_one_by_one():
    form = lk.relaxation.PointForm.chain([1.0] * 4, dimension=2)
    region = lk.Sphere((1.5, 0.6, 0.0), 0.4)
    one, two = form.relax([2.0, 2.0], free=[region]), form.relax([2.0, 2.0], free=(s for s in [region]))
    assert one == two and one != form.relax([2.0, 2.0])


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (lambda: lk.relaxation.PointForm.chain([1, 1], dimension=np.array([2, 3])), "dimension"),
        (lambda: lk.relaxation.PointForm.chain([1, 1], foo=1), "no option 'foo'"),
        (lambda: lk.relaxation.PointForm.chain([1, 1]).steps([1, 0, 0], foo=2), "no option 'foo'"),
        (lambda: lk.relaxation.PointForm.chain([1, 1]).steps([1, 0, 0], record=True), "no option 'record'"),
        (lambda: lk.relaxation.Hinge(None, -math.inf, -4.0), "range of a hinge"),
    ],
)
def test_misuse_is_refused_with_an_explanation(asked, words):
    with pytest.raises(lk.BadOption, match=words):
        asked()


def test_directions_may_have_any_length():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        huge = lk.relaxation.PointForm.chain([1, 1], rest=[[1e300, 1e300, 0], [0, 1e-300, 0]])
    np.testing.assert_allclose(huge.rest, [[math.sqrt(0.5), math.sqrt(0.5), 0], [0, 1, 0]])


@pytest.mark.parametrize("method", ["mmc", "fabrik", "ccd"])
def test_targets_beyond_the_reach_are_reported(method):
    arm = lk.load("panda")
    target = np.eye(4)
    target[:3, 3] = 5.0
    for goal in (target, lk.Position(None, target[:3, 3])):
        found = arm.solve(goal, method=method)
        assert found.status == lk.Status.OUT_OF_REACH and found.tried == 1
    assert arm.solve(arm.forward(arm.home), method=method).ok


def test_a_position_that_is_too_large_is_reported_with_its_frame():
    with pytest.raises(lk.LimbikError, match="leftHand"):
        lk.load("human").solve({"leftHand": [1e300] * 3}, method="mmc")
