"""Random arms of every structure that has a closed form: random geometry with the named relation exact."""

from collections.abc import Callable, Sequence

import numpy as np

import limbik as lk

Rng = np.random.Generator
Vector = np.ndarray

# The half-range of coordinates of points on axes [m].
SIZE = 0.5


def _direction(rng: Rng) -> Vector:
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def _pose(rng: Rng) -> Vector:
    T = np.eye(4)
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    T[:3, :3] = q * np.linalg.det(q)
    T[:3, 3] = rng.uniform(-SIZE, SIZE, 3)
    return T


def random_arm(
    rng: Rng,
    kinds: str,
    *,
    meeting: Sequence[int] = (),
    parallel: Sequence[int] = (),
    crossing: Sequence[tuple[int, int]] = (),
    in_plane: Sequence[int] = (),
) -> lk.Chain:
    """Return a chain of revolute (R) and prismatic (P) joints, numbered from 0.

    meeting: axes through one point. parallel: axes of one direction, either sign. crossing: pairs of axes that intersect.
    in_plane: prismatic axes perpendicular to the parallel ones.
    """
    n = len(kinds)
    axes = [_direction(rng) for _ in range(n)]
    points = [rng.uniform(-SIZE, SIZE, 3) for _ in range(n)]
    centre = rng.uniform(-SIZE, SIZE, 3)
    for i in meeting:
        points[i] = centre + axes[i] * rng.uniform(-SIZE, SIZE)
    for i in parallel[1:]:
        axes[i] = axes[parallel[0]] * rng.choice([-1.0, 1.0])
    for i in in_plane:
        across = np.cross(axes[parallel[0]], _direction(rng))
        axes[i] = across / np.linalg.norm(across)
    for i, j in crossing:
        points[j] = points[i] + axes[i] * rng.uniform(-SIZE, SIZE)
    screws = [
        np.r_[axis, -np.cross(axis, point)] if kind == "R" else np.r_[np.zeros(3), axis]
        for kind, axis, point in zip(kinds, axes, points, strict=True)
    ]
    return lk.Chain.from_screws(screws, _pose(rng))


def random_srs_arm(rng: Rng) -> lk.Chain:
    """Return a chain of seven revolute joints: three axes through a shoulder, any elbow axis, three axes through a wrist."""
    shoulder, elbow, wrist = rng.uniform(-SIZE, SIZE, (3, 3))
    axes = [_direction(rng) for _ in range(7)]
    points = [shoulder] * 3 + [elbow] + [wrist] * 3
    return lk.Chain.from_screws([np.r_[a, -np.cross(a, p)] for a, p in zip(axes, points, strict=True)], _pose(rng))


STRUCTURES: dict[str, Callable[[Rng], lk.Chain]] = {
    "spherical wrist": lambda rng: random_arm(rng, "RRRRRR", meeting=(3, 4, 5)),
    "spherical shoulder": lambda rng: random_arm(rng, "RRRRRR", meeting=(0, 1, 2)),
    "spherical inside": lambda rng: random_arm(rng, "RRRRRR", meeting=(1, 2, 3)),
    "wrist, 1 and 2 parallel": lambda rng: random_arm(rng, "RRRRRR", meeting=(3, 4, 5), parallel=(0, 1)),
    "wrist, 2 and 3 parallel": lambda rng: random_arm(rng, "RRRRRR", meeting=(3, 4, 5), parallel=(1, 2)),
    "wrist, 1 and 2 crossing": lambda rng: random_arm(rng, "RRRRRR", meeting=(3, 4, 5), crossing=((0, 1),)),
    "wrist, 2 and 3 crossing": lambda rng: random_arm(rng, "RRRRRR", meeting=(3, 4, 5), crossing=((1, 2),)),
    "2, 3, 4 parallel": lambda rng: random_arm(rng, "RRRRRR", parallel=(1, 2, 3)),
    "2, 3, 4 parallel, 5 and 6 crossing": lambda rng: random_arm(rng, "RRRRRR", parallel=(1, 2, 3), crossing=((4, 5),)),
    "1, 2, 3 parallel": lambda rng: random_arm(rng, "RRRRRR", parallel=(0, 1, 2)),
    "3, 4, 5 parallel": lambda rng: random_arm(rng, "RRRRRR", parallel=(2, 3, 4)),
    "4, 5, 6 parallel": lambda rng: random_arm(rng, "RRRRRR", parallel=(3, 4, 5)),
    "RRP and wrist": lambda rng: random_arm(rng, "RRPRRR", meeting=(3, 4, 5)),
    "RPR and wrist": lambda rng: random_arm(rng, "RPRRRR", meeting=(3, 4, 5)),
    "PRR and wrist": lambda rng: random_arm(rng, "PRRRRR", meeting=(3, 4, 5)),
    "RPP and wrist": lambda rng: random_arm(rng, "RPPRRR", meeting=(3, 4, 5)),
    "PRP and wrist": lambda rng: random_arm(rng, "PRPRRR", meeting=(3, 4, 5)),
    "PPR and wrist": lambda rng: random_arm(rng, "PPRRRR", meeting=(3, 4, 5)),
    "gantry and wrist": lambda rng: random_arm(rng, "PPPRRR", meeting=(3, 4, 5)),
    "planar RPR inside": lambda rng: random_arm(rng, "RRPRRR", parallel=(1, 3), in_plane=(2,)),
    "planar PRR inside": lambda rng: random_arm(rng, "RPRRRR", parallel=(2, 3), in_plane=(1,)),
    "planar RRP inside": lambda rng: random_arm(rng, "RRRPRR", parallel=(1, 2), in_plane=(3,)),
    "5R, wrist": lambda rng: random_arm(rng, "RRRRR", meeting=(2, 3, 4)),
    "5R, 2, 3, 4 parallel": lambda rng: random_arm(rng, "RRRRR", parallel=(1, 2, 3)),
    "5R, two crossing": lambda rng: random_arm(rng, "RRRRR", crossing=((3, 4),)),
    "5R, two parallel": lambda rng: random_arm(rng, "RRRRR", parallel=(1, 2)),
    "4R": lambda rng: random_arm(rng, "RRRR"),
    "3R": lambda rng: random_arm(rng, "RRR"),
    "SCARA RRRP": lambda rng: random_arm(rng, "RRRP", parallel=(0, 1, 2, 3)),
    "SCARA RRPR": lambda rng: random_arm(rng, "RRPR", parallel=(0, 1, 2, 3)),
    "SCARA PRRR": lambda rng: random_arm(rng, "PRRR", parallel=(0, 1, 2, 3)),
    "planar 3R": lambda rng: random_arm(rng, "RRR", parallel=(0, 1, 2)),
    "planar 2R": lambda rng: random_arm(rng, "RR", parallel=(0, 1)),
    "gantry PPP": lambda rng: random_arm(rng, "PPP"),
}
