"""Trees of hinges in space reach targets of random postures, verified by forward kinematics of the recovered angles."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik as lk


def tree(
    rng: np.random.Generator, n: int, ends: int, most: float
) -> tuple[lk.relaxation.PointForm, dict[int, np.ndarray]]:
    """Return a random tree with so many ends, and the targets of a posture inside its ranges."""
    cuts = np.sort(rng.choice(np.arange(1, n), ends - 1, replace=False))
    parents: list[int] = []
    for size in np.diff([0, *cuts, n]):
        begin = int(rng.choice([0, *(k for k in range(1, len(parents) + 1) if k in parents)]))
        parents += [begin, *range(len(parents) + 1, len(parents) + size)]
    sockets = [lk.relaxation.Hinge(rng.normal(size=3), -most, most) for _ in range(n)]
    form = lk.relaxation.PointForm(parents, rng.uniform(0.5, 1.5, n).tolist(), sockets=sockets)
    points = form.sample(rng)
    return form, {end: points[end] for end in form.leaves}


def largest_angle(form: lk.relaxation.PointForm, points: np.ndarray) -> float:
    """Return the largest hinge angle, after checking that forward kinematics of the angles gives the points."""
    frames, largest = [np.eye(3)], 0.0
    for k, (parent, socket) in enumerate(zip(form.parents, form.sockets, strict=True)):
        axis, rest = np.array(socket.axis), form.rest[k]
        way = frames[parent].T @ (points[k + 1] - points[parent])
        flat, turned = rest - axis * (axis @ rest), way - axis * (axis @ way)
        angle = math.atan2(axis @ np.cross(flat, turned), flat @ turned)
        frames.append(frames[parent] @ Rotation.from_rotvec(axis * angle).as_matrix())
        np.testing.assert_allclose(points[parent] + form.lengths[k][1] * (frames[-1] @ rest), points[k + 1], atol=1e-7)
        largest = max(largest, abs(angle))
    return largest


@pytest.mark.parametrize(
    ("n", "ends", "most"), [(6, 2, 1.2), (4, 2, 2.0), (8, 3, 0.6), (9, 3, 2.0), (12, 2, 1.2), (12, 3, 1.6)]
)
def test_trees_of_hinges_reach_targets_of_random_postures(n, ends, most, rng):
    for k in range(40):
        form, targets = tree(rng, n, ends, most)
        found = form.relax(targets)
        assert found.ok, (k, found.why)
        assert all(
            np.linalg.norm(found.points[end] - place) <= 0.01 * form.size * (1 + 1e-9) for end, place in targets.items()
        )
        assert largest_angle(form, found.points) <= most + 1e-7


def test_the_refinement_is_reported_apart_from_the_network(rng):
    """It reaches targets that the network alone does not; every result is exact and reproducible."""
    alone = both = 0
    for _ in range(40):
        form, targets = tree(rng, 6, 2, 1.2)
        network, found = (form.relax(targets, attempts=1, finish=f, record=True) for f in (False, True))
        assert network.steps == 0 and len(network.postures) == network.cycles + 1
        assert np.array_equal(found.postures[-1], found.points) or not found.steps
        assert found == form.relax(targets, attempts=1, record=True)
        assert found.error <= network.error + 1e-12
        assert ("refined" in found.why) == (found.steps > 0)
        if network.ok:
            assert found == network
        alone, both = alone + network.ok, both + found.ok
    assert both > alone


def test_unreachable_targets_are_not_solved(rng):
    """Two ends on one hinge have a constant distance."""
    form = lk.relaxation.PointForm((0, 1, 1), [1.0, 1.0, 1.0], sockets=lk.relaxation.Hinge((0, 1, 0), -0.5, 0.5))
    apart = form.relax({2: [1.9, 0.0, 0.3], 3: [-1.0, 0.0, 0.3]}, attempts=4)
    assert apart.status == lk.Status.COMPROMISE and form.keeps(apart.points)
    aside = form.relax({2: [1.0, 1.0, 0.0]}, attempts=4)  # all axes are y, so nothing leaves y = 0
    assert not aside.ok and aside.error >= 1.0 - 1e-9 and form.keeps(aside.points)


def test_the_refinement_keeps_free_regions_lengths_and_cones(rng):
    sphere = lk.Sphere((1.2, 0.4, 0.0), 0.3)
    sockets = [
        lk.relaxation.Hinge((0, 0, 1), -1, 1),
        lk.relaxation.Ball(0.8),
        lk.relaxation.Hinge((0, 1, 0), -1, 1),
        lk.relaxation.Ball(0.5),
        lk.relaxation.Hinge((0, 1, 1), -1, 1),
    ]
    form = lk.relaxation.PointForm.chain([1.0, (0.5, 1.0), 1.0, 1.0, (0.2, 0.4)], sockets=sockets)
    finished = 0
    for _ in range(60):
        found = form.relax(form.sample(rng)[-1], form.sample(rng), free=[sphere], attempts=3, cycles=30)
        finished += found.steps > 0
        far = np.linalg.norm(np.diff(found.points, axis=0), axis=1)
        assert all(low - 1e-9 <= x <= high + 1e-9 for x, (low, high) in zip(far, form.lengths, strict=True))
        if found.ok:
            ways = np.linspace(found.points[:-1], found.points[1:], 50)
            assert np.linalg.norm(ways - sphere.centre, axis=-1).min() >= sphere.radius - 1e-9 and form.keeps(
                found.points
            )
    assert finished > 0


def test_cones_about_any_rest_are_measured_in_the_parent_frame(rng):
    """Frames are transported by the smallest rotation, here by SciPy; also for segments that point straight back."""
    n, cone = 20, 1.0
    for most in (cone, 2.8):
        form = lk.relaxation.PointForm.chain([1.0] * n, sockets=lk.relaxation.Ball(most), rest=rng.normal(size=(n, 3)))
        for start in (form.sample(rng), form.posture(-form.rest)):
            found = form.relax(form.sample(rng)[-1], start, attempts=1, record=True)
            for points in (found.postures[0], found.points):
                frame = np.eye(3)
                for way, rest in zip(np.diff(points, axis=0), form.rest, strict=True):
                    before = frame @ rest
                    axis, cosine = np.cross(before, way), before @ way
                    tilt = math.atan2(np.linalg.norm(axis), cosine)
                    assert tilt <= most + 1e-7
                    frame = Rotation.from_rotvec(axis / max(np.linalg.norm(axis), 1e-300) * tilt).as_matrix() @ frame


@pytest.mark.parametrize("along", [1.0, -1.0])
def test_a_hinge_along_its_segment_rotates_the_next_one_inside_its_range(along, rng):
    """The first hinge rotates about its own segment, in either sense, so the second segment leans to one side only."""
    form = lk.relaxation.PointForm.chain(
        [1.0, 1.0], sockets=[lk.relaxation.Hinge((along, 0, 0), 0.2, 1.2), lk.relaxation.Hinge((0, 0, 1), 0.5, 1.0)]
    )
    for _ in range(30):
        points = form.sample(rng)
        assert form.keeps(points)
        found = form.relax(points[-1], form.sample(rng))
        assert found.ok
        lean = math.atan2(found.points[2, 2], found.points[2, 1])  # about x, from y
        assert 0.2 - 1e-7 <= along * lean <= 1.2 + 1e-7
        wrong = points * [1.0, 1.0, -1.0]
        assert not form.keeps(wrong)
