"""A figure as in recordings: a tree of ball joints, some at the same point, with or without cones and hinges."""

import numpy as np

import limbik as lk


def _at(x: float, y: float, z: float) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def ball_figure(cones: bool = False, hinges: bool = False) -> lk.Skeleton:
    """Return a left arm and leg on a floating body. cones: ball joints have limits. hinges: elbow and knee are revolute."""
    joints = []

    def ball(name, parent, place, axis=(0, 0, 1), swing=np.inf, twist=(-np.inf, np.inf)):
        limits = {"axis": np.array(axis, float), "swing": swing, "twist": twist} if cones else {}
        joints.append(lk.model.Joint(name, lk.model.Kind.BALL, parent, name, _at(*place), **limits))

    def middle(name, parent, place, axis, upper, along):
        if hinges:
            joints.append(
                lk.model.Joint(
                    name, lk.model.Kind.REVOLUTE, parent, name, _at(*place), np.array(axis, float), 0.0, upper
                )
            )
        else:
            ball(name, parent, place, along, upper, (-0.5, 0.5))

    joints.append(lk.model.Joint("Hips", lk.model.Kind.FLOATING, "world", "Hips", _at(0, 0.9, 0)))
    ball("LHipJoint", "Hips", (0, 0, 0))
    ball("LeftUpLeg", "LHipJoint", (0.09, -0.1, 0.02), (0, -1, 0), 1.6, (-0.7, 0.7))
    middle("LeftLeg", "LeftUpLeg", (0.02, -0.41, 0.01), (1, 0, 0), 2.4, (0, -1, 0))
    ball("LeftFoot", "LeftLeg", (0, -0.42, -0.03), (0, -1, 0), 1.0, (-0.5, 0.5))
    ball("LeftToeBase", "LeftFoot", (0, -0.06, 0.12))
    ball("LowerBack", "Hips", (0, 0, 0))
    ball("Spine", "LowerBack", (0, 0.25, 0))
    ball("LeftShoulder", "Spine", (0.02, 0.2, 0))
    ball("LeftArm", "LeftShoulder", (0.14, 0, 0), (1, 0, 0), 1.8, (-1.2, 1.2))
    middle("LeftForeArm", "LeftArm", (0.28, 0, 0), (0, -1, 0), 2.6, (1, 0, 0))
    ball("LeftHand", "LeftForeArm", (0.24, 0, 0), (1, 0, 0), 1.2, (-1.0, 1.0))
    ball("LeftFingerBase", "LeftHand", (0, 0, 0))
    ball("LeftHandIndex1", "LeftFingerBase", (0.09, 0, 0))
    links = [lk.model.Link("world"), *(lk.model.Link(j.child) for j in joints)]
    return lk.Skeleton(lk.model.Mechanism("ball_figure", tuple(links), tuple(joints), up="y"))


def limbs() -> dict[str, lk.JointedLimb]:
    """Return two-bone limbs of every kind, by name."""
    human, found = lk.load("human"), {}
    for end in ("leftHand", "rightHand", "leftFoot", "rightFoot"):
        found[f"human {end}"] = human.limb(end)
    for name in ("iiwa7", "human_arm_7", "human_leg_7"):
        arm = lk.load(name)
        found[name] = lk.JointedLimb(arm, arm.tip)
    for cones in (False, True):
        for hinges in (False, True):
            figure = ball_figure(cones, hinges)
            build = f"{'cones' if cones else 'free'} {'hinges' if hinges else 'balls'}"
            found |= {f"{build} {end}": figure.limb(end) for end in ("LeftHand", "LeftFoot")}
    return found


def postures(limb: lk.JointedLimb, rng: np.random.Generator, count: int) -> np.ndarray:
    """Return postures inside the limits that differ from home only in the limb's own joints, (count, n)."""
    Q = np.array(np.broadcast_to(limb.robot.home, (count, limb.robot.n)))
    Q[:, limb.places] = limb.robot.sample(rng, count)[:, limb.places]
    return Q
