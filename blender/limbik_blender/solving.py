"""The solver calls of the add-on: a chain that follows a target over frames, and all postures at a target. Without `bpy`."""

import math
from collections.abc import Sequence

import numpy as np

import limbik as lk

from .armature import TAIL, Bone, skeleton_of

# The largest number of drag steps per frame of the scene; several are needed where the target jumps.
MOST_DRAGS = 40
# The number of starts for chains without a closed form, and the smallest distance between distinct postures [rad].
STARTS, APART = 64, 0.05
# The largest number of postures.
MOST = 16


def follow(
    bones: list[Bone], moving: Sequence[str], start: np.ndarray, targets: Sequence[np.ndarray], turn: bool
) -> tuple[list[np.ndarray], list[float]]:
    """Return the joint values with the tail of a chain at each target, and the position error at each target [m].

    moving: the chain's bones, whose last tail is the tip; all other bones stay fixed. turn: match the target's rotation too.
    """
    skeleton = skeleton_of(bones)
    stiffness = {joint: math.inf for bone in bones if bone.name not in moving for joint in bone.joints}
    tip = moving[-1] + TAIL
    body = lk.Body(skeleton, [lk.Pin(tip, rotation=1.0 if turn else 0.0)], stiffness=stiffness)
    pose = body.at(start)
    found, errors = [], []
    for T in targets:
        for _ in range(MOST_DRAGS):
            before = pose.q
            pose = pose.drag({tip: T if turn else T[:3, 3]})
            if pose.ok or np.abs(pose.q - before).max() < 1e-6:
                break
        found.append(pose.q)
        errors.append(pose.errors[tip][0])
    return found, errors


def branches(
    bones: list[Bone], moving: Sequence[str], start: np.ndarray, T: np.ndarray
) -> tuple[list[np.ndarray], str]:
    """Return the postures with the tail of a chain at a pose, and a sentence on how they were found.

    For chains of hinges with a closed form these are all postures; for others, those that are found from many starts.
    """
    skeleton = skeleton_of(bones)
    tip = moving[-1] + TAIL
    first = next(b for b in bones if b.name == moving[0])
    base = "armature" if first.parent is None else first.parent
    T_armature_base = skeleton.forward(start, base)
    own = {joint for bone in bones if bone.name in moving for joint in bone.joints}
    values = [name if name in own else name.rpartition(".")[0] for name in skeleton.joint_names]
    places = [k for k, joint in enumerate(values) if joint in own]
    try:
        chain = skeleton.chain(tip, base)
        answers = chain.solve_all(np.linalg.inv(T_armature_base) @ T, seed=start[places])
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
        distinct = (np.abs(skeleton.model.difference(answer.q, other)).max() > APART for other in found)
        if answer.ok and all(distinct):
            found.append(answer.q)
        if len(found) == MOST:
            break
    return found, f"{len(found)} postures found from {STARTS} starts; this chain has no closed form"
