"""Problems of goals that are known to be solvable, with checks that share no code with the solver."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import limbik as lk
from cases.signed_distance import depth
from limbik.model.shape import Shape

Rng = np.random.Generator

# The tips of the figure that get full poses.
TIPS = ("head", "leftHand", "rightHand", "leftFoot", "rightFoot")
FRAMES_PER_SECOND = 60
# Known postures keep this much more distance from obstacles than the goal requires [m].
SPARE = 2e-3
# The search along a segment for its point closest to a box: samples of a round, and rounds.
SAMPLES, ROUNDS = 33, 8


def ends_of(shape: lk.Sphere | lk.Capsule) -> tuple[np.ndarray, np.ndarray]:
    """Return both ends of a shape's segment."""
    ends = (shape.start, shape.end) if isinstance(shape, lk.Capsule) else (shape.centre, shape.centre)
    return np.array(ends[0]), np.array(ends[1])


def segment_gap(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> float:
    """Return the least distance between two segments: of each end from the other segment, and between inner points."""

    def to_segment(p: np.ndarray, x: np.ndarray, y: np.ndarray) -> float:
        along = y - x
        length = float(along @ along)
        share = min(max(float((p - x) @ along) / length, 0.0), 1.0) if length > 0 else 0.0
        return float(np.linalg.norm(p - x - share * along))

    least = min(to_segment(a, c, d), to_segment(b, c, d), to_segment(c, a, b), to_segment(d, a, b))
    u, v, w = b - a, d - c, a - c
    normal = np.cross(u, v)
    if float(normal @ normal) > 1e-18:
        s, t = np.linalg.lstsq(np.column_stack([u, -v]), -w, rcond=None)[0]
        if 0 <= s <= 1 and 0 <= t <= 1:
            least = min(least, abs(float(w @ normal)) / float(np.linalg.norm(normal)))
    return least


def box_gap(box: lk.Box, a: np.ndarray, b: np.ndarray) -> float:
    """Return the least signed distance of the segment from a to b from a box.

    The signed distance of a convex shape is convex along the segment, so each round keeps the neighbours of the least sample.
    """
    low, high = 0.0, 1.0
    for _ in range(ROUNDS):
        shares = np.linspace(low, high, SAMPLES)
        k = int(np.argmin(depth(box, a + shares[:, None] * (b - a))))
        low, high = float(shares[max(k - 1, 0)]), float(shares[min(k + 1, SAMPLES - 1)])
    return float(depth(box, a + np.linspace(low, high, SAMPLES)[:, None] * (b - a)).min())


def shape_gap(one: Shape, other: Shape) -> float:
    """Return the signed distance of two shapes, of which one at most is a box."""
    if isinstance(one, lk.Box):
        one, other = other, one
    assert not isinstance(one, lk.Box)
    if isinstance(other, lk.Box):
        return box_gap(other, *ends_of(one)) - one.radius
    return segment_gap(*ends_of(one), *ends_of(other)) - one.radius - other.radius


def placed_shapes(arm: lk.Chain, q: np.ndarray) -> list[tuple[str, Shape]]:
    """Return every shape of an arm with its link, in the base frame."""
    poses = {link: arm.forward(q, link) for link, _ in arm.model.shapes}
    return [(link, shape.moved(poses[link])) for link, shape in arm.model.shapes]


def gaps(arm: lk.Chain, q: np.ndarray, obstacles: list[Any]) -> float:
    """Return the least distance of any link from any obstacle."""
    return min(shape_gap(shape, obstacle) for _, shape in placed_shapes(arm, q) for obstacle in obstacles)


def neighbours(arm: lk.Chain) -> set[frozenset[str]]:
    """Return the pairs of links that a joint connects, which always touch."""
    return {frozenset((joint.parent, joint.child)) for joint in arm.model.mechanism.joints}


def self_gap(arm: lk.Chain, q: np.ndarray, distance: float) -> float:
    """Return by how much the least distance of links that no joint connects exceeds `distance`.

    Pairs that touch in the home posture are left out; pairs that are closer there than twice the distance must keep half of it.
    """

    def pairs(x: np.ndarray) -> dict[tuple[int, int], float]:
        bodies = placed_shapes(arm, x)
        joined = neighbours(arm)
        return {
            (i, j): shape_gap(a, b)
            for i, (one, a) in enumerate(bodies)
            for j, (other, b) in enumerate(bodies[:i])
            if one != other and frozenset((one, other)) not in joined
        }

    least = {pair: min(distance, gap / 2) for pair, gap in pairs(arm.home).items() if gap > 2e-3}
    return min((gap - least[pair] for pair, gap in pairs(q).items() if pair in least), default=np.inf)


def among_obstacles(arm: lk.Chain, rng: Rng, count: int, distance: float) -> Iterator[tuple[np.ndarray, list[Any]]]:
    """Yield target poses and obstacles for which a posture is known that is inside the limits and keeps the distance."""
    for _ in range(count):
        while True:
            q = arm.sample(rng)
            obstacles: list[Any] = []
            for _ in range(4):
                centre = rng.uniform([-0.6, -0.6, 0.0], [0.6, 0.6, 1.0])
                along = rng.normal(size=3) * 0.2
                sphere = rng.random() < 0.5
                obstacles.append(
                    lk.Sphere(tuple(centre), rng.uniform(0.05, 0.15))
                    if sphere
                    else lk.Capsule(tuple(centre), tuple(centre + along), rng.uniform(0.03, 0.08))
                )
            free = arm.track(
                q, [lk.Clearance(obstacles, distance=distance + SPARE)], 1.0, speed=0.0
            ).ok  # a quick check
            if free and gaps(arm, q, obstacles) >= distance + SPARE and self_gap(arm, q, distance + SPARE) >= 0:
                break
        yield arm.forward(q), obstacles


def smooth_motion(figure: lk.Skeleton, rng: Rng, seconds: float) -> np.ndarray:
    """Return postures of a smooth motion inside the limits, 60 per second; every joint follows a sine of its own."""
    t = np.arange(int(seconds * FRAMES_PER_SECOND)) / FRAMES_PER_SECOND
    low = np.where(np.isfinite(figure.lower), figure.lower, -0.5)
    high = np.where(np.isfinite(figure.upper), figure.upper, 0.5)
    pace, phase = rng.uniform(0.1, 0.5, figure.n), rng.uniform(0, 2 * np.pi, figure.n)
    return np.asarray((low + high) / 2 + 0.4 * (high - low) * np.sin(2 * np.pi * pace * t[:, None] + phase))


def roomy_posture(arm: lk.Chain, rng: Rng) -> np.ndarray:
    """Return a posture from which the tip can move in any direction: far from limits and singularities."""

    def room(q: np.ndarray) -> float:
        span = np.where(np.isfinite(arm.upper - arm.lower), arm.upper - arm.lower, 2 * np.pi)
        margin = np.minimum(np.minimum(q - arm.lower, arm.upper - q) / span, 0.5).min()
        return float(margin * np.linalg.svd(arm.jacobian(q), compute_uv=False).min())

    return np.asarray(max(arm.sample(rng, 500), key=room))


def wandering_target(arm: lk.Chain, q: np.ndarray, t: float) -> np.ndarray:
    """Return a teleoperated target at a time [s]: moving, at rest, out of reach, on the base axis, back; without jumps."""
    T = arm.forward(q)
    place = T[:3, 3].copy()
    phase = t % 20.0
    offset = np.zeros(3)
    if phase < 5:
        offset = 0.15 * np.array([np.sin(phase * np.pi / 5) * np.cos(3 * phase), np.sin(phase * 2 * np.pi / 5), 0.0])
    elif 7 <= phase < 12:  # twice the reach and back
        offset = np.sin((phase - 7) * np.pi / 5) ** 2 * 2 * arm.reach * np.array([0.8, 0.1, 0.6])
    elif 12 <= phase < 17:  # onto the base axis and back: singular for most arms, hollow for some
        offset = np.sin((phase - 12) * np.pi / 5) ** 2 * np.array([-place[0], -place[1], 0.1 * arm.reach])
    T[:3, 3] = place + offset
    turn = Rotation.from_rotvec(0.3 * np.sin(2 * np.pi * phase / 20) * np.array([0.6, 0.8, 0.0])).as_matrix()
    T[:3, :3] = T[:3, :3] @ turn
    return T
