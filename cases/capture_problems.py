"""Capture problems with known solutions: figures of other sizes, noise, gaps, swapped markers."""

from dataclasses import dataclass
from typing import Any

import numpy as np

import limbik as lk
from limbik.motion.sides import counterparts

Array = Any
Rng = np.random.Generator

RATE = 60
# Marker offsets on the human figure [m], as a laboratory places them: 2 to 10 cm beside joints and bones. Left side.
MIDDLE = {
    "hips": [(0.10, 0.03, 0.09), (-0.10, 0.03, 0.09), (0.06, 0.05, -0.09), (-0.06, 0.05, -0.09)],
    "spine": [(0, 0.40, -0.06), (0, 0.33, 0.08), (0, 0.12, 0.10), (0.05, 0.18, -0.09)],
    "head": [(0.07, 0.12, 0.06), (-0.07, 0.12, 0.06), (0.06, 0.14, -0.06), (-0.06, 0.14, -0.06)],
}
SIDE = {
    "UpperArm": [(0.02, 0.03, 0.0), (0.045, -0.15, 0.01), (0.045, -0.31, 0.0)],
    "LowerArm": [(0.035, -0.12, 0.02), (0.03, -0.245, 0.02), (-0.03, -0.245, -0.02)],
    "Hand": [(0.02, -0.08, 0.03), (-0.04, -0.08, 0.02)],
    "UpperLeg": [(0.06, -0.2, 0.05), (0.055, -0.42, 0.01)],
    "LowerLeg": [(0.05, -0.18, 0.03), (0.04, -0.42, 0.0)],
    "Foot": [(0, -0.04, -0.05), (0.03, -0.04, 0.12), (-0.03, -0.04, 0.12)],
}
# Frames of the human figure at joint centres.
JOINTS = ("hips", "spine", "head") + tuple(s + bone for s in ("left", "right") for bone in SIDE)


@dataclass(frozen=True)
class Problem:
    """A true motion and its markers. places: {marker: (frame, offset)}. joints: frames whose positions are compared."""

    figure: lk.Skeleton
    q: Array
    times: Array
    places: dict[str, tuple[str, tuple[float, float, float]]]
    markers: lk.Markers
    joints: tuple[str, ...]

    def errors(self, clip: lk.Clip) -> Array:
        """Return the position errors of the joints, (frames, joints) [m]."""
        return joint_errors(clip, self.figure, self.q, self.joints)


def joint_errors(clip: lk.Clip, figure: lk.Skeleton, q: Array, joints: tuple[str, ...]) -> Array:
    """Return the distances of the joints of a clip from those of a true motion, (frames, joints) [m]."""
    return np.stack(
        [np.linalg.norm(clip.forward(f)[:, :3, 3] - figure.forward(q, f)[:, :3, 3], axis=1) for f in joints], axis=1
    )


def human_places() -> dict[str, tuple[str, tuple[float, float, float]]]:
    """Return the frames and offsets of the human figure's 42 markers."""
    out = {f"{f}.{k + 1}": (f, o) for f, several in MIDDLE.items() for k, o in enumerate(several)}
    for side, sign in (("left", 1), ("right", -1)):
        for bone, several in SIDE.items():
            out |= {f"{side}{bone}.{k + 1}": (side + bone, (sign * x, y, z)) for k, (x, y, z) in enumerate(several)}
    return out


def person(rng: Rng, spread: float = 0.08) -> lk.Skeleton:
    """Return a human figure with other bone lengths, slightly different on the left and right."""
    figure = lk.load("human")
    assert isinstance(figure, lk.Skeleton)
    names = [joint.name for joint in figure.model.mechanism.joints]
    partner, factors, joints = counterparts(names), {}, []
    for joint in figure.model.mechanism.joints:
        origin = np.array(joint.origin)
        if joint.name != "root" and np.linalg.norm(origin[:3, 3]) > 0:
            shared = factors.setdefault(min(joint.name, partner[joint.name]), rng.uniform(1 - spread, 1 + spread))
            origin[:3, 3] *= shared * rng.uniform(0.99, 1.01)
        joints.append(joint.moved_to(origin=origin))
    return lk.Skeleton(figure.model.mechanism.replaced(joints))


def random_motion(figure: lk.Skeleton, rng: Rng, seconds: float, top: float = 1.0) -> tuple[Array, Array]:
    """Return a smooth motion of all joints inside their limits, with frequencies up to `top` Hz: postures and times."""
    times = np.arange(round(seconds * RATE)) / RATE
    q = np.zeros((len(times), figure.n))
    for i in range(figure.n):
        parts = [(rng.normal() / (1 + k), f, rng.uniform(0, 2 * np.pi)) for k, f in enumerate(rng.uniform(0.1, top, 4))]
        wave = sum(a * np.sin(2 * np.pi * f * times + p) for a, f, p in parts)
        wave = wave / (np.abs(wave).max() + 1e-12)
        low, high = figure.lower[i], figure.upper[i]
        if np.isfinite(low):
            q[:, i] = (low + high) / 2 + wave * min(0.3 * (high - low), 0.72)
        else:
            q[:, i] = wave * (0.8, 0.15, 0.8, 0.3, 1.2, 0.3)[i]
    return q, times


def walking(figure: lk.Skeleton, seconds: float, rng: Rng | None = None) -> tuple[Array, Array]:
    """Return a walk in a circle with typical angles of hip, knee and ankle over a stride; knees are nearly straight at heel
    strike.

    rng: draws gestures of arms and trunk; None for a plain walk.
    """
    times = np.arange(round(seconds * RATE)) / RATE
    index = {name: k for k, name in enumerate(figure.joint_names)}
    q = np.zeros((len(times), figure.n))
    phase = 2 * np.pi * 0.95 * times
    for side, shift in (("left", 0.0), ("right", np.pi)):
        s = phase + shift
        q[:, index[f"{side}UpperLeg_x"]] = np.radians(8 + 24 * np.cos(s))
        q[:, index[f"{side}UpperLeg_z"]] = np.radians(3 + 3 * np.sin(s))
        q[:, index[f"{side}UpperLeg_y"]] = np.radians(3 * np.sin(s + 1))
        q[:, index[f"{side}LowerLeg_x"]] = np.radians(
            4 + 14 * np.exp(-((_wrap(s - 0.9) / 0.45) ** 2)) + 56 * np.exp(-((_wrap(s + 1.5) / 0.75) ** 2))
        )
        q[:, index[f"{side}Foot_x"]] = np.radians(2 + 8 * np.sin(s - 0.6) - 16 * np.exp(-((_wrap(s + 2.3) / 0.4) ** 2)))
        q[:, index[f"{side}Foot_z"]] = np.radians(3 * np.sin(s))
        q[:, index[f"{side}UpperArm_x"]] = np.radians(4 - 20 * np.cos(s))
        q[:, index[f"{side}UpperArm_z"]] = np.radians(10 + 2 * np.sin(s))
        q[:, index[f"{side}LowerArm_x"]] = np.radians(24 - 14 * np.cos(s + 0.4))
        q[:, index[f"{side}LowerArm_y"]] = np.radians(10 * np.sin(s))
        q[:, index[f"{side}Hand_x"]] = np.radians(5 * np.sin(s + 0.7))
    q[:, index["spine_y"]] = np.radians(6 * np.sin(phase))
    q[:, index["spine_x"]] = np.radians(4 + 1.5 * np.cos(2 * phase))
    q[:, index["head_y"]] = np.radians(-4 * np.sin(phase))
    turn = 2 * np.pi * times / 12
    root = index["root.px"]
    q[:, root], q[:, root + 2] = 2.2 * np.sin(turn), 2.2 * (1 - np.cos(turn))
    q[:, root + 1] = -0.02 + 0.02 * np.cos(2 * phase)
    # The figure faces its z; on the circle it rotates about y alone, so the rotation vector has one component.
    q[:, root + 4] = _wrap(turn + np.pi / 2)
    if rng is not None:
        other, _ = random_motion(figure, rng, seconds, 0.6)
        for name, k in index.items():
            if not name.startswith("root") and "Leg" not in name:
                q[:, k] += 0.5 * (other[:, k] - figure.home[k])
    return figure.clamp(q), times


def _wrap(x: Array) -> Array:
    return (x + np.pi) % (2 * np.pi) - np.pi


def seen(
    figure: lk.Skeleton, q: Array, places: dict[str, Any], rng: Rng, noise: float = 0.002, missing: float = 0.1
) -> Array:
    """Return observed marker positions, (frames, markers, 3): with noise in every coordinate, some missing at random."""
    points = []
    for frame, offset in places.values():
        T = figure.forward(q, frame)
        points.append(T[:, :3, 3] + T[:, :3, :3] @ np.array(offset))
    out = np.stack(points, axis=1)
    out = out + rng.normal(size=out.shape) * noise
    out[rng.uniform(size=out.shape[:2]) < missing] = np.nan
    return out


def human_problem(seed: int, seconds: float, kind: str = "random", **options: Any) -> Problem:
    """Return a human motion with 42 markers. kind: "random", "walk", "walk with gestures"."""
    rng = np.random.default_rng(seed)
    figure, places = person(rng), human_places()
    if kind == "random":
        q, times = random_motion(figure, rng, seconds)
    else:
        q, times = walking(figure, seconds, rng if "gestures" in kind else None)
    markers = lk.Markers(tuple(places), seen(figure, q, places, rng, **options), times)
    return Problem(figure, q, times, places, markers, JOINTS)


def wide_problem(seed: int, seconds: int = 5) -> Problem:
    """Return a wide motion of the human figure itself with three markers on each bone, anywhere within 6 cm of its joint."""
    rng = np.random.default_rng(seed)
    figure = lk.load("human")
    assert isinstance(figure, lk.Skeleton)
    postures = figure.home + 0.5 * (figure.sample(rng, seconds + 1) - figure.home)
    postures[:, :6] = 0.0
    motion = lk.Clip(figure, postures, rate=1.0, interpolation="cubic").resampled(RATE)
    places = {f"{bone}.{k}": (bone, tuple(rng.uniform(-0.06, 0.06, 3))) for bone in JOINTS for k in range(3)}
    markers = lk.Markers(tuple(places), seen(figure, motion.q, places, rng), motion.times)
    return Problem(figure, motion.q, motion.times, places, markers, JOINTS)


def with_gaps(markers: lk.Markers, rng: Rng, count: int, frames: int) -> lk.Markers:
    """Return the markers with `count` gaps: one marker is hidden for `frames` frames, as behind a body."""
    positions = np.array(markers.positions)
    for marker in rng.choice(len(markers.names), count, replace=False):
        start = int(rng.integers(10, len(markers) - frames - 10))
        positions[start : start + frames, marker] = np.nan
    return lk.Markers(markers.names, positions, markers.times)


def with_swaps(markers: lk.Markers, rng: Rng, count: int, frames: int) -> lk.Markers:
    """Return the markers with `count` swaps: two markers are exchanged for `frames` frames, as camera systems do."""
    positions = np.array(markers.positions)
    for _ in range(count):
        one, other = rng.choice(len(markers.names), 2, replace=False)
        start = int(rng.integers(0, len(markers) - frames))
        part = slice(start, start + frames)
        positions[part, [one, other]] = positions[part, [other, one]]
    return lk.Markers(markers.names, positions, markers.times)


# Bones of a captured figure (CMU's names), and the number of markers on each.
BVH_BONES = {
    "Hips": 4, "Spine1": 4, "Head": 4, "LeftUpLeg": 3, "LeftLeg": 3, "LeftFoot": 3, "RightUpLeg": 3, "RightLeg": 3,
    "RightFoot": 3, "LeftArm": 3, "LeftForeArm": 3, "LeftHand": 3, "RightArm": 3, "RightForeArm": 3, "RightHand": 3,
}  # fmt: skip


def bvh_problem(clip: lk.Clip, seed: int, **options: Any) -> Problem:
    """Return the problem of a clip of a figure with ball joints: three or four markers per bone, 2 to 6 cm beside it."""
    rng = np.random.default_rng(seed)
    figure = clip.robot
    assert isinstance(figure, lk.Skeleton)
    bone_vectors = {joint.parent: joint.origin[:3, 3] for joint in reversed(figure.model.mechanism.joints)}
    places = {}
    for bone, count in BVH_BONES.items():
        for k in range(count):
            beside = rng.normal(size=3)
            offset = bone_vectors[bone] * (k + 0.5) / count + beside / np.linalg.norm(beside) * rng.uniform(0.02, 0.06)
            places[f"{bone}.{k + 1}"] = bone, tuple(offset)
    markers = lk.Markers(tuple(places), seen(figure, clip.q, places, rng, **options), clip.times)
    return Problem(figure, clip.q, clip.times, places, markers, tuple(BVH_BONES))


def sensors_of(figure: lk.Skeleton, q: Array, middles: bool) -> dict[str, Array]:
    """Return the poses of sensors at both ends of the human figure's limbs; middles: also at elbows and knees."""
    joints = {joint.name: joint for joint in figure.model.mechanism.joints}
    out = {}
    for side in ("left", "right"):
        for root, middle, end in (("UpperArm", "LowerArm", "Hand"), ("UpperLeg", "LowerLeg", "Foot")):
            first = joints[f"{side}{root}_x"]
            out[side + root] = figure.forward(q, first.parent) @ first.origin
            out[side + end] = figure.forward(q, side + end)
            if middles:
                out[side + middle] = figure.forward(q, side + middle)
    return out
