"""What the add-on asks limbik: a chain that follows a target over frames, and every posture in which it gets there. No `bpy`."""

import math
from collections.abc import Sequence

import numpy as np

import limbik as lk

from .armature import TAIL, Bone, skeleton_of

# Frames of dragging that one frame of the scene may take, where the target leaps.
PATIENCE = 40
# Starts from which postures of chains without a closed form are sought, and how far apart two must be to be two [rad].
STARTS, APART = 64, 0.05
# Postures that are shown.
MOST = 16


def follow(
    bones: list[Bone], moving: Sequence[str], start: np.ndarray, targets: Sequence[np.ndarray], turn: bool
) -> tuple[list[np.ndarray], list[float]]:
    """Return the joint values in which the tail of a chain is at each target, and by how much each is missed [m].

    moving: the chain's bones, the last one reaches; what carries them stays. turn: the bone takes the target's rotation as well.
    """
    skeleton = skeleton_of(bones)
    still = {joint: math.inf for bone in bones if bone.name not in moving for joint in bone.joints}
    tip = moving[-1] + TAIL
    body = lk.Body(skeleton, [lk.Pin(tip, rotation=1.0 if turn else 0.0)], stiffness=still)
    pose = body.at(start)
    found, missed = [], []
    for T in targets:
        for _ in range(PATIENCE):
            before = pose.q
            pose = pose.drag({tip: T if turn else T[:3, 3]})
            if pose.ok or np.abs(pose.q - before).max() < 1e-6:
                break
        found.append(pose.q)
        missed.append(pose.errors[tip][0])
    return found, missed


def branches(
    bones: list[Bone], moving: Sequence[str], start: np.ndarray, T: np.ndarray
) -> tuple[list[np.ndarray], str]:
    """Return the postures in which the tail of a chain has a pose, and a sentence about how they were found.

    Chains of hinges with a closed form have all of theirs; of others, those that are found from many starts.
    """
    skeleton = skeleton_of(bones)
    tip = moving[-1] + TAIL
    first = next(b for b in bones if b.name == moving[0])
    base = "armature" if first.parent is None else first.parent
    here = skeleton.forward(start, base)
    own = {joint for bone in bones if bone.name in moving for joint in bone.joints}
    values = [name if name in own else name.rpartition(".")[0] for name in skeleton.joint_names]
    places = [k for k, joint in enumerate(values) if joint in own]
    try:
        chain = skeleton.chain(tip, base)
        answers = chain.solve_all(np.linalg.inv(here) @ T, seed=start[places])
        found = [np.array(start) for _ in range(min(len(answers), MOST))]
        for q, answer in zip(found, answers, strict=False):
            q[places] = answer.q
        return found, answers.why
    except lk.LimbikError:
        pass
    rng = np.random.default_rng(0)
    fixed = sorted(set(values) - own)
    found = []
    for k in range(STARTS):
        seed = np.array(start)
        if k:
            seed[places] = skeleton.sample(rng)[places]
        answer = skeleton.solve([lk.Pose(tip, T)], seed=seed, frozen=fixed)
        apart = (np.abs(skeleton.model.difference(answer.q, other)).max() > APART for other in found)
        if answer.ok and all(apart):
            found.append(answer.q)
        if len(found) == MOST:
            break
    return found, f"{len(found)} postures found from {STARTS} starts; this chain has no closed form"
