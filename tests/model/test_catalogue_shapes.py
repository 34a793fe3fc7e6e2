"""Shapes of the catalogue: they enclose the meshes of other packages, and do not overlap where a real arm is collision-free."""

from itertools import combinations

import numpy as np
import pytest
from cases.meshes import NAMES as WITH_MESHES
from cases.meshes import meshes_of
from cases.other_models import NotInstalled
from cases.signed_distance import depth

import limbik as lk
from limbik.goals.clearance import gap
from limbik.model.catalog import CATALOGUE

SEED = 20240607
# The thesis calls the lengths of this arm arbitrary; its forearm passes through its shoulder in the zero posture.
WITHOUT = {"human_arm_8"}
SHAPED = sorted(set(CATALOGUE) - WITHOUT)
# Links whose files say why they are left out.
LEFT_OUT = {("ur5", "base"), ("ur10", "base"), ("kr6", "link_6")}
# The least share of random postures inside the limits without self-collision. A real arm has a larger share; the capsules around
# its wrist reduce it. The joints of k1207 fold it through itself.
CLEAR, FOLDING = 0.5, {"k1207": 0.3}


def ends(shape):
    return (shape.centre, shape.centre) if isinstance(shape, lk.Sphere) else (shape.start, shape.end)


def segments_apart(p, q, r, s):
    """Distances of segments p to q and r to s, all (..., 3): the least from an end, or along the common normal."""

    def to_segment(x, a, b):
        along = b - a
        t = np.clip(((x - a) * along).sum(-1) / np.maximum((along * along).sum(-1), 1e-300), 0, 1)
        return np.linalg.norm(x - a - t[..., None] * along, axis=-1)

    least = np.minimum.reduce([to_segment(p, r, s), to_segment(q, r, s), to_segment(r, p, q), to_segment(s, p, q)])
    u, v, w = q - p, s - r, p - r
    a, b, c, d, e = ((x * y).sum(-1) for x, y in ((u, u), (u, v), (v, v), (u, w), (v, w)))
    det = a * c - b * b
    safe = np.where(det > 1e-12 * a * c, det, 1.0)
    t, k = (b * e - c * d) / safe, (a * e - b * d) / safe
    inside = (det > 1e-12 * a * c) & (t > 0) & (t < 1) & (k > 0) & (k < 1)
    normal = np.linalg.norm(w + t[..., None] * u - k[..., None] * v, axis=-1)
    return np.where(inside, np.minimum(least, normal), least)


def neighbours(body, one, other):
    """Whether no third link with a shape is between two links."""
    path = body.model.mechanism.path(one, other)
    between = {end for joint in path for end in (joint.parent, joint.child)} - {one, other}
    return not between & {name for name, _ in body.model.shapes}


def clearances(body, q):
    """The distance (...) of each pair of links that are not neighbours, by their names; negative if they overlap."""
    T = dict(zip(body.frames, np.moveaxis(body.model.forward_all(q), -3, 0), strict=True))
    gaps = {}
    for (one, first), (other, second) in combinations(body.model.shapes, 2):
        if one != other and not neighbours(body, one, other):
            apart = shapes_apart(first, T[one], second, T[other])
            gaps[one, other] = np.minimum(apart, gaps.get((one, other), np.inf))
    return gaps


def shapes_apart(one, T, other, U):
    """The distance (...) of two shapes in frames at T and U (..., 4, 4)."""
    if isinstance(one, lk.Box) or isinstance(other, lk.Box):
        flat = zip(T.reshape(-1, 4, 4), U.reshape(-1, 4, 4), strict=True)
        return np.reshape([gap(one.moved(here), other.moved(there)) for here, there in flat], T.shape[:-2])
    placed = [F[..., :3, :3] @ np.array(x) + F[..., :3, 3] for shape, F in ((one, T), (other, U)) for x in ends(shape)]
    return segments_apart(*placed) - one.radius - other.radius


def test_segments_apart_is_the_least_distance(rng):
    p, q, r, s = rng.normal(size=(4, 200, 3))
    t = np.linspace(0, 1, 101)[:, None]
    for k in range(200):
        first, second = p[k] + t * (q[k] - p[k]), r[k] + t * (s[k] - r[k])
        least = np.linalg.norm(first[:, None] - second[None], axis=-1).min()
        found = segments_apart(p[k], q[k], r[k], s[k])
        assert found <= least + 1e-12 and least - found < 0.1


def test_the_catalogue_has_shapes():
    assert {name for name in CATALOGUE if not lk.load(name).model.shapes} == WITHOUT


@pytest.mark.parametrize("name", SHAPED)
def test_links_do_not_collide_at_home(name):
    body = lk.load(name)
    postures = [body.home] if isinstance(body, lk.Chain) else [body.home, body.clamp(np.zeros(body.n))]
    for q in postures:
        assert {pair: apart for pair, apart in clearances(body, q).items() if apart <= 0} == {}


@pytest.mark.parametrize("name", SHAPED)
def test_many_random_postures_are_free_of_self_collision(name):
    body = lk.load(name)
    gaps = clearances(body, body.sample(np.random.default_rng(SEED), 300))
    clear = np.all([apart > 0 for apart in gaps.values()], axis=0) if gaps else np.ones(300)
    assert np.mean(clear) > FOLDING.get(name, CLEAR)


@pytest.mark.parametrize("name", WITH_MESHES)
def test_shapes_cover_the_meshes(name):
    try:
        meshes = meshes_of(name)
    except NotInstalled as reason:
        pytest.skip(str(reason))
    body = lk.load(name)
    assert {(name, link) for link in meshes} - {(name, on) for on, _ in body.model.shapes} <= LEFT_OUT
    for link, triangles in meshes.items():
        if (name, link) in LEFT_OUT:
            continue
        corners = triangles.reshape(-1, 3)
        middles = (triangles + np.roll(triangles, 1, axis=1)).reshape(-1, 3) / 2
        points = np.concatenate([corners, middles, triangles.mean(axis=1)])
        outside = np.min([depth(shape, points) for on, shape in body.model.shapes if on == link], axis=0).max()
        assert outside < 1e-5, (link, outside)


# The height of the floor in the base frame of an arm [m]; 0 for those not listed.
FEET = {"puma560": -0.672}


ARMS = ["iiwa14", "iiwa7", "jaco2", "k1207", "kr6", "panda", "puma560", "scara", "ur10", "ur10e", "ur3", "ur5", "xarm7"]


@pytest.mark.parametrize("name", ARMS)
def test_the_foot_of_an_arm_does_not_reach_below_the_floor(name):
    """Neither the base nor the first link, which stays above the floor in every posture."""
    arm = lk.load(name)
    table = lk.Box((0, 0, FEET.get(name, 0.0) - 0.5), (4, 4, 1))
    for link, shape in arm.model.shapes:
        if arm.frames.index(link) <= arm.frames.index("link_1" if name == "kr6" else "link1"):
            assert gap(shape.moved(arm.forward(arm.home, link)), table) >= -1.01e-3, link
