"""A minute of recorded motion for the pins of a figure, from motion capture; a generated walk if there are no clips."""

import os
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

import limbik as lk

FRAMES_PER_SECOND = 60
# The bones that are pinned.
TIPS = ("head", "leftHand", "rightHand", "leftFoot", "rightFoot")
# CMU motion capture clips as BVH, and folders that may have them; $LIMBIK_MOCAP names another folder.
CLIPS = ("02_06", "13_11", "02_01")
FOLDERS = (Path("data/mocap"), Path(__file__).parents[2] / "shared" / "data" / "mocap")
# At zero, CMU's figures have a T-pose with the palms down; limbik's figure has hanging arms and the palms forward.
_HANDS = {
    "leftHand": Rotation.from_euler("ZY", [90, -90], degrees=True).as_matrix(),
    "rightHand": Rotation.from_euler("ZY", [-90, 90], degrees=True).as_matrix(),
}


def clips() -> list[lk.Clip]:
    """Return the clips; empty if they are not found."""
    given = os.environ.get("LIMBIK_MOCAP")
    folders = [Path(given)] if given else list(FOLDERS)
    for folder in folders:
        if all((folder / f"{name}.bvh").exists() for name in CLIPS):
            return [lk.load_clip(folder / f"{name}.bvh") for name in CLIPS]
    return []


def pin_targets(clip: lk.Clip, figure: lk.Skeleton) -> list[dict[str, np.ndarray]]:
    """Return targets for head, hands and feet of a figure from a recorded motion of another, 60 per second.

    Positions are scaled by the length of the legs and shifted so that the motion begins above the origin. Rotations are relative
    to the T-pose of both figures.
    """
    names, source = lk.humanoid(clip.robot), clip.robot
    zero, stand = np.zeros(source.n), np.zeros(figure.n)

    def leg(body: lk.Skeleton, q: np.ndarray, hip: str, knee: str, foot: str) -> float:
        a, b, c = (body.forward(q, frame)[:3, 3] for frame in (hip, knee, foot))
        return float(np.linalg.norm(a - b) + np.linalg.norm(b - c))

    bones = ("leftUpperLeg", "leftLowerLeg", "leftFoot")
    scale = leg(figure, stand, *bones) / leg(source, zero, *(names[bone] for bone in bones))
    times = np.arange(clip.times[1], clip.times[-1], 1 / FRAMES_PER_SECOND)  # the first frame is a T-pose
    hips = clip.forward(names["hips"])[1, :3, 3] * scale
    low = min(clip.forward(names[f"{side}Foot"])[1:, 1, 3].min() for side in ("left", "right")) * scale
    shift = np.array([hips[0], low - figure.forward(stand, "leftFoot")[1, 3], hips[2]])
    poses = {}
    for bone in TIPS:
        T = clip.forward(names[bone])[1:]
        moments = clip.times[1:]
        R = Slerp(moments, Rotation.from_matrix(T[:, :3, :3]))(times).as_matrix()
        out = np.tile(np.eye(4), (len(times), 1, 1))
        out[:, :3, :3] = R @ source.forward(zero, names[bone])[:3, :3].T @ _HANDS.get(bone, np.eye(3))
        out[:, :3, 3] = np.stack([np.interp(times, moments, T[:, k, 3]) for k in range(3)], axis=1) * scale - shift
        poses[bone] = out
    return [{bone: poses[bone][k] for bone in TIPS} for k in range(len(times))]


def walk(figure: lk.Skeleton, seconds: float) -> list[dict[str, np.ndarray]]:
    """Return the targets of a generated walk in place: joints follow sines inside their limits, legs and arms alternate."""
    t = 2 * np.pi * np.arange(int(seconds * FRAMES_PER_SECOND)) / FRAMES_PER_SECOND
    q = np.tile(figure.clamp(np.zeros(figure.n)), (len(t), 1))
    names = list(figure.joint_names)
    for side, sign in (("left", 1), ("right", -1)):
        q[:, names.index(f"{side}UpperLeg_x")] = 0.3 + 0.5 * sign * np.sin(t)
        q[:, names.index(f"{side}LowerLeg_x")] = 0.55 + 0.5 * np.cos(t + (sign < 0) * np.pi)
        q[:, names.index(f"{side}Foot_x")] = -0.1 * sign * np.sin(t)
        q[:, names.index(f"{side}UpperArm_x")] = 0.2 - 0.5 * sign * np.sin(t)
        q[:, names.index(f"{side}UpperArm_z")] = 0.2
        q[:, names.index(f"{side}LowerArm_x")] = 0.7 - 0.3 * sign * np.sin(t)
    q[:, names.index("spine_y")] = 0.15 * np.sin(t)
    q[:, names.index("head_y")] = -0.15 * np.sin(t) + 0.3 * np.sin(0.23 * t)
    return [{tip: figure.forward(posture, tip) for tip in TIPS} for posture in q]


def minute(figure: lk.Skeleton, seconds: float = 60.0) -> tuple[list[list[dict[str, np.ndarray]]], str]:
    """Return stretches of targets of `seconds` in all, and a description; clips are played forward and backward."""
    recorded = [pin_targets(clip, figure) for clip in clips()]
    if not recorded:
        return [walk(figure, seconds)], "a generated walk: no clips found"
    frames, out, k = int(seconds * FRAMES_PER_SECOND), [], 0
    while sum(map(len, out)) < frames:
        one = recorded[k % len(recorded)]
        out.append((one + one[::-1])[: frames - sum(map(len, out))])
        k += 1
    return out, f"CMU {', '.join(CLIPS)}, forward and backward"
