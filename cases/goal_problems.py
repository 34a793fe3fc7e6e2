"""Problems for goals: known to be solvable, with checks that share no code with the solver."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import limbik as lk

Rng = np.random.Generator

# The tips of the figure that full poses are asked for.
TIPS = ("head", "leftHand", "rightHand", "leftFoot", "rightFoot")
FRAMES_PER_SECOND = 60
# Known postures are this much farther from obstacles than is asked for [m].
SPARE = 2e-3


def place(shape: lk.Sphere | lk.Capsule, T: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Return both ends of a shape and its radius, with its frame at T."""
    ends = (shape.start, shape.end) if isinstance(shape, lk.Capsule) else (shape.centre, shape.centre)
    first, last = (T[:3, :3] @ np.array(end) + T[:3, 3] for end in ends)
    return first, last, shape.radius


def segment_gap(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> float:
    """Return the least distance between two segments, by every case: both ends against the other segment, and inside both."""

    def to_segment(p: np.ndarray, x: np.ndarray, y: np.ndarray) -> float:
        way = y - x
        length = float(way @ way)
        share = min(max(float((p - x) @ way) / length, 0.0), 1.0) if length > 0 else 0.0
        return float(np.linalg.norm(p - x - share * way))

    least = min(to_segment(a, c, d), to_segment(b, c, d), to_segment(c, a, b), to_segment(d, a, b))
    u, v, w = b - a, d - c, a - c
    normal = np.cross(u, v)
    if float(normal @ normal) > 1e-18:
        s, t = np.linalg.lstsq(np.column_stack([u, -v]), -w, rcond=None)[0]
        if 0 <= s <= 1 and 0 <= t <= 1:
            least = min(least, abs(float(w @ normal)) / float(np.linalg.norm(normal)))
    return least


def gaps(arm: lk.Chain, q: np.ndarray, obstacles: list[Any]) -> float:
    """Return the least distance of any link from any obstacle."""
    poses = {link: arm.forward(q, link) for link, _ in arm.model.shapes}
    bodies = [place(shape, poses[link]) for link, shape in arm.model.shapes]
    others = [place(obstacle, np.eye(4)) for obstacle in obstacles]
    return min(segment_gap(a, b, c, d) - r - s for a, b, r in bodies for c, d, s in others)


def neighbours(arm: lk.Chain) -> set[frozenset[str]]:
    """Return the links that a joint joins, which always touch."""
    return {frozenset((joint.parent, joint.child)) for joint in arm.model.mechanism.joints}


def self_gap(arm: lk.Chain, q: np.ndarray, distance: float) -> float:
    """Return how much more than `distance` links are apart that no joint joins, at the least.

    Those that touch in the home posture are left out; those that are nearer there must keep half of what they have.
    """

    def pairs(x: np.ndarray) -> dict[tuple[int, int], float]:
        poses = {link: arm.forward(x, link) for link, _ in arm.model.shapes}
        bodies = [(link, place(shape, poses[link])) for link, shape in arm.model.shapes]
        joined = neighbours(arm)
        return {
            (i, j): segment_gap(a[0], a[1], b[0], b[1]) - a[2] - b[2]
            for i, (one, a) in enumerate(bodies)
            for j, (other, b) in enumerate(bodies[:i])
            if one != other and frozenset((one, other)) not in joined
        }

    least = {pair: min(distance, gap / 2) for pair, gap in pairs(arm.home).items() if gap > 2e-3}
    return min((gap - least[pair] for pair, gap in pairs(q).items() if pair in least), default=np.inf)


def among_obstacles(arm: lk.Chain, rng: Rng, count: int, distance: float) -> Iterator[tuple[np.ndarray, list[Any]]]:
    """Yield target poses and obstacles for which a posture inside the limits and at that distance is known."""
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
            free = arm.track(q, [lk.Clearance(obstacles, distance=distance + SPARE)], 1.0, speed=0.0).ok  # a first look
            if free and gaps(arm, q, obstacles) >= distance + SPARE and self_gap(arm, q, distance + SPARE) >= 0:
                break
        yield arm.forward(q), obstacles


def smooth_motion(figure: lk.Skeleton, rng: Rng, seconds: float) -> np.ndarray:
    """Return postures of a smooth motion inside the limits, every joint on a sine of its own, 60 a second."""
    t = np.arange(int(seconds * FRAMES_PER_SECOND)) / FRAMES_PER_SECOND
    low = np.where(np.isfinite(figure.lower), figure.lower, -0.5)
    high = np.where(np.isfinite(figure.upper), figure.upper, 0.5)
    pace, phase = rng.uniform(0.1, 0.5, figure.n), rng.uniform(0, 2 * np.pi, figure.n)
    return np.asarray((low + high) / 2 + 0.4 * (high - low) * np.sin(2 * np.pi * pace * t[:, None] + phase))


def roomy_posture(arm: lk.Chain, rng: Rng) -> np.ndarray:
    """Return a posture from which the hand can go any way: far from limits and from singular postures."""

    def room(q: np.ndarray) -> float:
        span = np.where(np.isfinite(arm.upper - arm.lower), arm.upper - arm.lower, 2 * np.pi)
        margin = np.minimum(np.minimum(q - arm.lower, arm.upper - q) / span, 0.5).min()
        return float(margin * np.linalg.svd(arm.jacobian(q), compute_uv=False).min())

    return np.asarray(max(arm.sample(rng, 500), key=room))


def wandering_target(arm: lk.Chain, q: np.ndarray, t: float) -> np.ndarray:
    """Return where a hand on a joystick is at a time [s]: moving, still, out of reach, on the base axis, back. Never a jump."""
    T = arm.forward(q)
    place = T[:3, 3].copy()
    phase = t % 20.0
    way = np.zeros(3)
    if phase < 5:
        way = 0.15 * np.array([np.sin(phase * np.pi / 5) * np.cos(3 * phase), np.sin(phase * 2 * np.pi / 5), 0.0])
    elif 7 <= phase < 12:  # twice the reach and back
        way = np.sin((phase - 7) * np.pi / 5) ** 2 * 2 * arm.reach * np.array([0.8, 0.1, 0.6])
    elif 12 <= phase < 17:  # onto the base axis and back: singular for most arms, hollow for some
        way = np.sin((phase - 12) * np.pi / 5) ** 2 * np.array([-place[0], -place[1], 0.1 * arm.reach])
    T[:3, 3] = place + way
    turn = Rotation.from_rotvec(0.3 * np.sin(2 * np.pi * phase / 20) * np.array([0.6, 0.8, 0.0])).as_matrix()
    T[:3, :3] = T[:3, :3] @ turn
    return T
